/* SPDX-License-Identifier: Apache-2.0 */
/* A printed list of arguments, ["sh", "-c", "x"], to its strings. */
#ifndef CG_STAGE_ARGV_H
#define CG_STAGE_ARGV_H

#include "base/arena.h"
#include "event/event.h"

/* Splits a list as printed and decodes its strings by the lexer of the event that it is of. The last one is "..." where
 * the tracer cut the list; a string that the tracer cut ends in "...". What is no list (other tracers' forms, or no
 * lexer is known) is one argument, as printed; an empty text is none. `out` and `count` are set on success. False: no
 * memory. */
bool cg_argv_split(callgauge_str printed, const cg_lexer *lexer, cg_arena *arena, const callgauge_str **out,
                   size_t *count);

#endif

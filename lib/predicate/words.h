/* SPDX-License-Identifier: Apache-2.0 */
/* The words that stand for themselves: names of errors and calls; beside them the nearest of known names. */
#ifndef CG_PREDICATE_WORDS_H
#define CG_PREDICATE_WORDS_H

#include <callgauge/event.h>
#include <callgauge/types.h>

#include "base/nearest.h"

/* Whether some system has an error of this name. */
bool cg_is_errno(callgauge_str name);
/* Names of errors by index; NULL past the last. */
const char *cg_errno_at(size_t index);

/* Whether some system has a call of this name. */
bool cg_is_call(callgauge_str name);
/* Names of calls by index, and their classes; NULL past the last. */
const char *cg_call_at(size_t index, callgauge_class *out);

#endif

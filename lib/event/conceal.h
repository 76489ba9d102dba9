/* SPDX-License-Identifier: Apache-2.0 */
/* From the text of a line to what a report may keep of it: strings that a call has read or
 * written, which may be secrets, become "…"; names, paths and numbers stay. In doubt a string goes. */
#ifndef CG_EVENT_CONCEAL_H
#define CG_EVENT_CONCEAL_H

#include <callgauge/event.h>

#include "base/arena.h"

/* `out` lies in `arena`. False: no memory. */
bool cg_conceal(cg_arena *arena, callgauge_str line, callgauge_str *out);

/* Whether the strings among the arguments of a class of calls are names and paths, not what goes through
 * descriptors. */
bool cg_names_things(callgauge_class call_class);

#endif

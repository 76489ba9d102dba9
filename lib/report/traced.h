/* SPDX-License-Identifier: Apache-2.0 */
/* Which calls a tracer was told to trace, as the user says it: "open64,read", "%open,%close", "!futex". Names have
 * commas between, blanks are fine; `%CLASS` is a class of callgauge; a `!` in front of the list: all but these. */
#ifndef CG_REPORT_TRACED_H
#define CG_REPORT_TRACED_H

#include <callgauge/event.h>
#include <callgauge/types.h>

typedef struct cg_traced {
    callgauge_str words; /* without the `!`; borrowed from the text. len 0: all calls */
    bool all_but;
} cg_traced;

/* Reads a set. NULL: all calls. `what` names the text in an error ("--traced"). `out` is set on CALLGAUGE_OK only, and
 * points into `text`. E_USAGE: a word that is neither a known class nor a name that a call can have; the column is
 * set. */
callgauge_status cg_traced_init(const char *text, const char *what, cg_traced *out, callgauge_error *err);

/* Whether a call of this name was traced. */
bool cg_traced_allows(const cg_traced *set, callgauge_str name, callgauge_class call_class);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The words that stand for themselves: names of errors; and the known name that a wrong one is nearest to. */
#ifndef CG_PREDICATE_WORDS_H
#define CG_PREDICATE_WORDS_H

#include <callgauge/types.h>

/* Whether some system has an error of this name. */
bool cg_is_errno(callgauge_str name);
/* Names of errors by index; NULL past the last. */
const char *cg_errno_at(size_t index);

/* Keeps the nearest of the names it is shown. */
typedef struct cg_nearest {
    callgauge_str wrong;
    callgauge_str best; /* len 0: none is near enough */
    unsigned distance;
} cg_nearest;

cg_nearest cg_nearest_to(callgauge_str wrong);
void cg_nearest_try(cg_nearest *nearest, callgauge_str name);

#endif

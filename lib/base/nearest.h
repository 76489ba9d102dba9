/* SPDX-License-Identifier: Apache-2.0 */
/* The known name that a wrong one is nearest to, for messages. */
#ifndef CG_BASE_NEAREST_H
#define CG_BASE_NEAREST_H

#include <callgauge/types.h>

/* Keeps the nearest of the names it is shown. */
typedef struct cg_nearest {
    callgauge_str wrong;
    callgauge_str best; /* len 0: none is near enough */
    unsigned distance;
} cg_nearest;

cg_nearest cg_nearest_to(callgauge_str wrong);
void cg_nearest_try(cg_nearest *nearest, callgauge_str name);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Reports that are merged as they come. of[k] stands for 2^k of them, so that each is copied only a few
 * times and few are kept at once. Zero-initialise before first use. */
#ifndef CG_ANALYSIS_PILE_H
#define CG_ANALYSIS_PILE_H

#include <callgauge/report.h>

enum { CG_PILE_DEPTH = 48 };

typedef struct cg_pile {
    callgauge_report *of[CG_PILE_DEPTH];
} cg_pile;

/* The report is the pile's from here on, even when this fails. */
callgauge_status cg_pile_add(cg_pile *pile, callgauge_report *report, callgauge_error *err);
/* Gives the sum and leaves the pile empty. At least one report must have been added. */
callgauge_status cg_pile_take(cg_pile *pile, callgauge_report **out, callgauge_error *err);
void cg_pile_release(cg_pile *pile);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a whole capture, once all its files are in its report: whether all calls of the program were traced,
 * and whether descriptors and processes were followed. */
#ifndef CG_ANALYSIS_COMPLETE_H
#define CG_ANALYSIS_COMPLETE_H

#include "report/report.h"

/* What the user asked for; both borrowed from the options of the analysis. */
typedef struct cg_complete {
    const char *traced; /* NULL: not said */
    bool follow;
} cg_complete;

/* For the sealed report of one capture. False: no memory. */
bool cg_complete_settle(const cg_complete *asked, callgauge_report *report);

#endif

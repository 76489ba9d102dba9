/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison from inside: how it is built. Rows and texts lie in its arena; reports, and rows of reports, are
 * borrowed from the caller's reports. A finished comparison never changes. */
#ifndef CG_COMPARE_COMPARISON_H
#define CG_COMPARE_COMPARISON_H

#include <callgauge/compare.h>

#include "base/arena.h"

typedef struct cg_reports {
    const callgauge_report *const *items; /* in order of their captures */
    size_t count;
} cg_reports;

/* Rows in their order. */
typedef struct cg_compare_rows {
    callgauge_compare_row *items;
    size_t count;
} cg_compare_rows;

struct callgauge_comparison {
    cg_arena arena;
    callgauge_verdict verdict;
    const char *headline;
    bool has_sides, by_class;
    cg_reports before, after;
    callgauge_compare_row totals;
    cg_compare_rows calls, classes, files, programs;
    callgauge_finding_change *findings;
    size_t finding_count;
    callgauge_left_out_row *left_out;
    size_t left_out_count;
    const char **hints;
    size_t hint_count;
    callgauge_limit_result *limits;
    size_t limit_count;
};

/* Nothing compared, all rows of the totals unseen. NULL: no memory. */
callgauge_comparison *cg_comparison_new(void);

/* Whether a rule is a condition of a budget. */
bool cg_is_of_budget(callgauge_str rule);

/* E_FORMAT: no call is in the report, or less than `least` percent of a capture was understood. */
callgauge_status cg_check_report(const callgauge_report *report, double least, callgauge_error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Findings from inside: their order, their messages, and how they are put together.
 * Invariant: a message is worked out from the row's numbers whenever these change, so that it never tells old ones. */
#ifndef CG_REPORT_FINDING_H
#define CG_REPORT_FINDING_H

#include "report/report.h"

/* What a finding cost: wall clock time, or CPU time where that is not known. */
static inline int64_t cg_finding_cost(int64_t wall_ns, int64_t cpu_ns)
{
    return wall_ns != CALLGAUGE_UNKNOWN ? wall_ns : cpu_ns;
}

/* Writes the message of a row by its form; one without form stays. False: no memory. */
bool cg_finding_row_tell(callgauge_report *report, callgauge_finding_row *row);

/* Nothing found, times and bytes unknown; texts stay the builder's. */
void cg_finding_row_init(callgauge_finding_row *row);

/* By rule, then by the values of its group: of equals the findings are one. For qsort(). */
int cg_finding_row_cmp(const void *a, const void *b);
int cg_not_judged_row_cmp(const void *a, const void *b);
/* The worst first: by time, calls, then by their keys. For qsort(). */
int cg_group_row_cmp(const void *a, const void *b);
/* By place, then by text. For qsort(). */
int cg_evidence_cmp(const void *a, const void *b);
/* By name, then by value. */
int cg_key_cmp(const callgauge_key *a, const callgauge_key *b);

/* Puts the findings of a sealed report in their order, those first that cost most, and writes their messages.
 * False: no memory. */
bool cg_report_settle_findings(callgauge_report *report);

/* Appends a copy of a finding. False: no memory. */
bool cg_report_add_finding(callgauge_report *report, const callgauge_finding_row *row);

/* Moves places from capture i to map[i], of which there are `count`; all others to capture 0. False: no memory. */
bool cg_finding_row_move(callgauge_finding_row *row, cg_arena *arena, const size_t *map, size_t count);
void cg_not_judged_row_move(callgauge_not_judged_row *row, const size_t *map, size_t count);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* From a report to the lines of a summary: one a call, process or error, in the order asked for. What
 * every table-like output shows is one set of numbers, each known or CALLGAUGE_UNKNOWN.
 * Invariant: the order is total, so equal reports give equal lines. */
#ifndef CG_WRITE_LINES_H
#define CG_WRITE_LINES_H

#include <callgauge/report.h>
#include <callgauge/write.h>

typedef enum cg_value {
    CG_VALUE_CALLS,
    CG_VALUE_ERRORS,
    CG_VALUE_UNRETURNED,
    CG_VALUE_CPU,
    CG_VALUE_WALL,
    CG_VALUE_CPU_CALLS, /* the calls that these times are of */
    CG_VALUE_WALL_CALLS,
    CG_VALUE_MIN,
    CG_VALUE_MAX,
    CG_VALUE_P50,
    CG_VALUE_P90,
    CG_VALUE_P99,
    CG_VALUE_READ,
    CG_VALUE_WRITTEN,
    CG_VALUE_START,
    CG_VALUE_END,
    CG_VALUE_PID,
    CG_VALUES
} cg_value;

typedef struct cg_line {
    callgauge_str name;  /* of the call; borrowed from the report */
    callgauge_str error; /* its error; empty: errors of a table, which has no names for them */
    callgauge_class call_class;
    callgauge_time_kind durations_kind;
    int64_t values[CG_VALUES];
    int64_t order[2]; /* larger ones first; then by name, error, pid */
} cg_line;

typedef struct cg_rows {
    cg_line *lines;
    size_t count; /* lines there are, in order */
    size_t shown; /* of these, at most the limit */
    cg_line sum;  /* over the whole report */
} cg_rows;

/* `rows` CALLGAUGE_ROWS_REPORT is taken as CALLGAUGE_ROWS_CALLS; `limit` 0 shows all. False: no memory. */
bool cg_rows_make(const callgauge_report *report, callgauge_rows rows, callgauge_sort sort, size_t limit, cg_rows *out);
void cg_rows_release(cg_rows *lines);

#endif

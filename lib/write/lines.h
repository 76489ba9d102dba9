/* SPDX-License-Identifier: Apache-2.0 */
/* From a report to the lines of a table: one a call, process, error, file, ..., in the order asked for. What
 * every table-like output shows is one set of numbers, each known or CALLGAUGE_UNKNOWN.
 * Invariant: the order is total, so equal reports give equal lines. */
#ifndef CG_WRITE_LINES_H
#define CG_WRITE_LINES_H

#include <callgauge/report.h>
#include <callgauge/write.h>

#include "base/arena.h"

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
    CG_VALUE_READS,
    CG_VALUE_WRITES,
    CG_VALUE_MEAN_READ,
    CG_VALUE_MEAN_WRITE,
    CG_VALUE_REREAD,
    CG_VALUE_OPENS,
    CG_VALUE_FAILED_OPENS,
    CG_VALUE_ORDER, /* a callgauge_order */
    CG_VALUE_WORKING,
    CG_VALUE_WAITING,
    CG_VALUE_OUTSIDE,
    CG_VALUE_LIFE, /* ns, of a process; mean, of a program */
    CG_VALUE_EXIT, /* a code; the signal is text */
    CG_VALUE_STARTS,
    CG_VALUES
} cg_value;

typedef struct cg_line {
    callgauge_str name;       /* of the call, file, ...; borrowed from the report or the rows */
    callgauge_str note;       /* what is said behind it */
    callgauge_str short_note; /* the same where there is little room; may be empty */
    bool is_path;             /* the name may be cut in its middle */
    callgauge_str second; /* a second text: the error of a call (empty: errors of a table, which have no names), ... */
    callgauge_str exit_signal;
    callgauge_class call_class;
    callgauge_time_kind durations_kind;
    int64_t values[CG_VALUES];
    int64_t order[2]; /* larger ones first; then by name, second text, pid */
    const void *row;  /* of the report, where a line stands for one; of several, the first */
} cg_line;

typedef struct cg_rows {
    cg_line *lines;
    size_t count;        /* lines there are, in order; of files, only those that are shown are made */
    size_t shown;        /* of these, at most the limit */
    cg_line sum;         /* over all of them, or over the whole report */
    uint64_t units;      /* of the report; 0: none */
    callgauge_sort sort; /* that they are in */
    cg_arena arena;      /* of names that were put together */
} cg_rows;

/* Rows, order, limit and filters are those of `options`; CALLGAUGE_ROWS_REPORT is taken as CALLGAUGE_ROWS_CALLS.
 * False: no memory. */
bool cg_rows_make(const callgauge_report *report, const callgauge_write_options *options, cg_rows *out);
/* The same as a section of a report shows it: CALLGAUGE_ROWS_FILES without those on which nothing was read, written or
 * mapped and no call failed; there and in CALLGAUGE_ROWS_WAITING, many sockets that share an end are one line. */
bool cg_rows_make_glance(const callgauge_report *report, const callgauge_write_options *options, cg_rows *out);
void cg_rows_release(cg_rows *lines);

/* --- parts of it */

/* A line without values. */
void cg_line_clear(cg_line *line);
void cg_line_set_counts(cg_line *line, uint64_t calls, uint64_t errors, uint64_t unreturned);
/* Two sums of time, and the calls they are of; where these are not known, nothing says how long one took. */
void cg_line_set_times(cg_line *line, int64_t cpu_ns, uint64_t cpu_calls, int64_t wall_ns, uint64_t wall_calls);
/* Adds the values that are sums. */
void cg_line_add(cg_line *sum, const cg_line *line);
/* What lines are ordered by; CG_VALUES: by name. */
cg_value cg_order_of(callgauge_sort sort, callgauge_rows rows, const cg_line *sum);
/* For qsort(). */
int cg_line_cmp(const void *a, const void *b);

/* Each fills `lines` (cleared; the sum too) with the rows of one kind, unordered but for the tree. False: no memory. */
bool cg_lines_of_files(const callgauge_report *report, const callgauge_write_options *options, bool glance,
                       cg_rows *lines);
bool cg_lines_of_programs(const callgauge_report *report, cg_rows *lines);
bool cg_lines_of_waiting(const callgauge_report *report, bool glance, cg_rows *lines);
bool cg_lines_of_threads(const callgauge_report *report, cg_rows *lines);
bool cg_lines_of_tree(const callgauge_report *report, cg_rows *lines);
/* What is known of a followed process. False: no memory. */
bool cg_line_take_process(const callgauge_process_row *row, cg_rows *lines, cg_line *line);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What tables (`-c`) say. Consecutive tables are one group: a group that follows calls of a trace is checked
 * against them and brings in only the times that the trace has not, any other is added. Nothing in a table says which
 * kind of time it tells: where its times are those of its trace, they are wall clock.
 * Invariant: between two groups, rows[i] holds no counts of its own, only how far the trace was. */
#ifndef CG_STAGE_TABLES_H
#define CG_STAGE_TABLES_H

#include "base/buf.h"
#include "stage/call_stats.h"
#include "stage/histogram.h"

/* What the group that is open says of a call, and the state of the trace when the last one ended. */
typedef struct cg_table_row {
    bool listed;
    uint64_t calls, errors;
    int64_t ns[CG_TIME_KINDS];
    int64_t min_ns[CG_TIME_KINDS], max_ns[CG_TIME_KINDS]; /* over all groups */
    uint64_t calls_before, errors_before, unreturned_before;
    uint64_t timed_before[CG_TIME_KINDS];
    int64_t wall_before;
} cg_table_row;

/* The rows of one table, to be held against its totals. */
typedef struct cg_table_sum {
    uint32_t table, has;
    uint64_t rows, calls, errors;
    int64_t ns[CG_TIME_KINDS];
    int64_t unit[CG_TIME_KINDS]; /* what the last printed digit counts */
} cg_table_sum;

typedef struct cg_tables {
    const cg_histogram_options *options; /* kept */
    cg_table_row *rows;
    size_t count;
    bool open;    /* a group is */
    bool checked; /* it follows calls of a trace */
    uint32_t has; /* columns of the group */
    uint64_t line;
    cg_table_sum sum;
    bool has_totals;
    callgauge_table_totals totals;
    int64_t group_cpu_ns; /* what the totals of the group say */
    bool wall_taken;      /* times of a group were taken for cpu and are wall clock */
    int64_t user_ns, elapsed_ns;
    bool equal;        /* a group was checked, and nothing differs so far */
    cg_buf difference; /* the first one */
    size_t difference_count;
} cg_tables;

void cg_tables_init(cg_tables *tables, const cg_histogram_options *options);
void cg_tables_release(cg_tables *tables);

/* Makes sure that a group is open. `checked` tells then what it is for. */
void cg_tables_open(cg_tables *tables, const cg_call_table *calls);
/* Takes the row of a call, the totals of a table. False: no memory. */
bool cg_tables_row(cg_tables *tables, cg_call_table *calls, const callgauge_event *event);
bool cg_tables_totals(cg_tables *tables, const callgauge_event *event);
/* Ends the group that is open: checks it or adds it. False: no memory. */
bool cg_tables_close(cg_tables *tables, cg_call_table *calls);

/* Adds the shortest and longest times of tables to a finished row, where its trace has none of another kind. */
void cg_tables_finish_row(const cg_tables *tables, uint32_t id, callgauge_call_row *row);
/* Fills what the tables said of the whole capture. False: no memory. */
bool cg_tables_finish(cg_tables *tables, callgauge_report *report);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What is counted of each call of a trace: the hot path of every summary. Rows are found by the id of the
 * call's name, so that an event costs no search; rooms for durations are taken when first hit.
 * Invariant: rows[i] is of the name whose id is i; a row whose name is NULL has not been seen. */
#ifndef CG_STAGE_CALL_STATS_H
#define CG_STAGE_CALL_STATS_H

#include <callgauge/event.h>

#include "base/arena.h"
#include "event/run.h"
#include "report/report.h"

enum { CG_TIME_KINDS = CALLGAUGE_TIME_WALL + 1 };

/* Counters of durations, an octave at a time; see cg_bucket_index(). */
typedef struct cg_octaves {
    uint64_t *of[CG_BUCKET_COUNT / CG_BUCKET_SCALE];
} cg_octaves;

typedef struct cg_error_count {
    const callgauge_name *name;
    uint64_t count;
} cg_error_count;

typedef struct cg_call_stats {
    const callgauge_call_name *name;
    uint64_t calls, errors, unreturned;
    uint64_t timed[CG_TIME_KINDS]; /* how many calls `sum_ns` is the time of, by kind */
    int64_t sum_ns[CG_TIME_KINDS];
    uint32_t has_sum;                   /* 1 << kind: `sum_ns` is known */
    uint32_t untold;                    /* 1 << kind: a table said a time and not of how many calls */
    callgauge_time_kind durations_kind; /* of min, max and octaves: the kind seen first */
    uint32_t moved;                     /* CALLGAUGE_MOVES_... whose bytes are known */
    int64_t min_ns, max_ns;
    int64_t bytes_read, bytes_written;
    cg_octaves *octaves;      /* NULL: no durations */
    cg_error_count *by_error; /* the most recent one first */
    uint32_t error_count, error_room;
} cg_call_stats;

typedef struct cg_call_table {
    cg_call_stats *rows;
    size_t count;            /* rows there are: past the highest id seen */
    uint64_t unnamed_errors; /* counted without their name: a call had too many of them */
} cg_call_table;

enum { CG_ERRORS_A_CALL = 256 }; /* error names kept of one call; systems have about 150 in all */

void cg_call_table_release(cg_call_table *table);

/* Adds the bytes that a call has moved; a failed one has moved 0. */
void cg_call_stats_moved(cg_call_stats *row, callgauge_moves moves, int64_t bytes);

/* The row of a name; NULL: no memory. */
cg_call_stats *cg_call_table_row(cg_call_table *table, const callgauge_call_name *name);

/* Counts a CALL event, which has a name and is no child's side. E_NOMEM. */
callgauge_status cg_call_table_count(cg_call_table *table, const callgauge_event *event, callgauge_error *err);

/* Counts all calls of a run. False: no memory. */
bool cg_call_table_count_run(cg_call_table *table, const cg_run *run);

/* Writes a row, all but its name. False: no memory. */
bool cg_call_stats_finish(const cg_call_stats *stats, cg_arena *arena, callgauge_call_row *out);

#endif

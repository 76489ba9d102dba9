/* SPDX-License-Identifier: Apache-2.0 */
/* The report from inside: how it is built. Rows live in the report's arena; a finished report is
 * in its total order (calls, errors, signals by name; processes by pid; captures by name, bytes, lines).
 * Counts are held at INT64_MAX, the largest number that every reader of JSON takes. */
#ifndef CG_REPORT_REPORT_H
#define CG_REPORT_REPORT_H

#include <callgauge/report.h>

#include "base/arena.h"

struct callgauge_report {
    cg_arena arena;
    callgauge_totals totals;
    callgauge_capture_row *captures;
    size_t capture_count;
    callgauge_call_row *calls;
    size_t call_count;
    callgauge_process_row *processes;
    size_t process_count;
    callgauge_file_row *files;
    size_t file_count;
    callgauge_descriptor_row *descriptors;
    size_t descriptor_count;
    callgauge_program_row *programs;
    size_t program_count;
    callgauge_waiting_row *waiting;
    size_t waiting_count;
    callgauge_unit unit;
    callgauge_name_row *signals, *faults, *functions;
    size_t signal_count, fault_count, function_count;
    callgauge_limit_row *limits;
    size_t limit_count;
};

enum {
    CG_BUCKET_SCALE = 64,                  /* buckets an octave */
    CG_BUCKET_COUNT = 58 * CG_BUCKET_SCALE /* of all durations from 0 to INT64_MAX */
};

/* The `what` of an assumption: which kind of time the tables of a capture tell. */
#define CG_ASSUMED_TABLE_TIME "time of the table"

/* An empty report: no rows, sums 0, times and bytes unknown. NULL: no memory. */
callgauge_report *cg_report_new(void);

/* Puts every list in its order and works out percentiles and totals from the rows: calls, errors,
 * unreturned, cpu_ns, wall_ns, bytes; where all captures are tables, the times are the tables' own totals.
 * `user_ns` and `elapsed_ns` of the totals are the builder's. */
void cg_report_seal(callgauge_report *report);

/* Sets a row to nothing counted, everything else unknown. The name stays the builder's. */
void cg_call_row_init(callgauge_call_row *row);

/* Orders rows by name and joins those of one name. Gives how many are left. */
size_t cg_name_rows_settle(callgauge_name_row *rows, size_t count);

/* A copy in `arena` of rows and their text. False: no memory. */
bool cg_name_rows_copy(cg_arena *arena, const callgauge_name_row *rows, size_t count, callgauge_name_row **out);

/* Says that `dropped` things passed a limit: in its row, where `kept` is the most that any capture kept. `limit`
 * is a member of callgauge_limits and is kept itself. False: no memory. */
bool cg_report_add_limit(callgauge_report *report, const char *limit, uint64_t kept, uint64_t dropped);

/* Copies a capture row, with all its text, into `arena`. False: no memory. */
bool cg_capture_row_copy(cg_arena *arena, const callgauge_capture_row *from, callgauge_capture_row *to);

/* The order of processes: by pid. For qsort(). */
int cg_process_row_cmp(const void *a, const void *b);

/* The order of captures: by name, bytes, lines, then by everything else, so that equals are equal. For qsort(). */
int cg_capture_row_cmp(const void *a, const void *b);

/* A count as a number that may also be unknown. */
static inline int64_t cg_count_held(uint64_t count)
{
    return count > INT64_MAX ? INT64_MAX : (int64_t)count;
}

/* Sums of counts, held at INT64_MAX. */
static inline uint64_t cg_count_add(uint64_t a, uint64_t b)
{
    uint64_t sum = a + b;
    return sum < a || sum > INT64_MAX ? INT64_MAX : sum;
}

/* The calls that a sum of two times is of. A time beside 0 calls is one of unknown many, and so is its sum with any. */
static inline uint64_t cg_timed_calls_add(int64_t a_ns, uint64_t a, int64_t b_ns, uint64_t b)
{
    bool unknown = (a_ns > 0 && a == 0) || (b_ns > 0 && b == 0);
    return unknown ? 0 : cg_count_add(a, b);
}

/* Sums in which CALLGAUGE_UNKNOWN is passed over: unknown + 5 is 5; saturating. */
int64_t cg_known_add(int64_t a, int64_t b);

/* The smaller of two times, of which either may be unknown. */
int64_t cg_known_min(int64_t a, int64_t b);

/* The larger of two times; CALLGAUGE_UNKNOWN is below all. */
static inline int64_t cg_known_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The bucket of a duration: see callgauge_bucket_range(). */
static inline uint32_t cg_bucket_index(int64_t ns)
{
    uint64_t value = ns < 0 ? 0 : (uint64_t)ns;
    if (value < 128) {
        return (uint32_t)value;
    }
    unsigned shift = 57u - (unsigned)__builtin_clzll(value); /* floor(log2) - 6 */
    return shift * 64u + (uint32_t)(value >> shift);
}

/* The value below which `percent` of the counts lie: the middle of the bucket that holds the
 * ceil(percent * total / 100)-th smallest, held in [min, max] where these are known, which are the first and the last;
 * CALLGAUGE_UNKNOWN without counts. */
int64_t cg_bucket_quantile(const callgauge_bucket *buckets, size_t count, unsigned percent, int64_t min, int64_t max);

/* Sets the buckets of a row to the counters that are not 0; `octaves` are CG_BUCKET_SCALE counters each, or NULL.
 * False: no memory. */
bool cg_call_row_set_buckets(callgauge_call_row *row, uint64_t *const *octaves, cg_arena *arena);

#endif

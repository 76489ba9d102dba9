/* SPDX-License-Identifier: Apache-2.0 */
/* The report from inside: how it is built. Rows live in the report's arena; a finished report is
 * in its total order (calls, errors, signals by name; files by path; processes by pid; captures by name, bytes, lines).
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
    callgauge_finding_row *findings;
    size_t finding_count;
    callgauge_not_judged_row *not_judged;
    size_t not_judged_count;
    callgauge_str *judged; /* ids of rules, ordered; NULL: a capture was analysed without rules */
    size_t judged_count;
    callgauge_recorded_row *recorded;
    size_t recorded_count;
    bool followed;
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

enum {
    CG_PIDS_OF_A_FILE = 64, /* of those that several reports name, the smallest are kept */
    CG_SLOWEST_UNITS = 10
};

/* Whether a rule was judged on every capture of the report, as far as the report lists that. */
bool cg_report_has_judged(const callgauge_report *report, callgauge_str rule);

/* Traits by the position of their bit, as in JSON: "wall-durations". */
enum { CG_TRAITS = 9 };
extern const char *const cg_trait_names[CG_TRAITS];

/* The limit that says how many units of other kinds a merge has left out. */
#define CG_LIMIT_UNIT "unit"
#define CG_LIMIT_MATCH "match"

/* The `what` of an assumption: which kind of time the tables of a capture tell. */
#define CG_ASSUMED_TABLE_TIME "time of the table"

/* An empty report: no rows, sums 0, times and bytes unknown. NULL: no memory. */
callgauge_report *cg_report_new(void);

/* Puts every list in its order and works out percentiles, what a unit costs, and totals from the rows: calls, errors,
 * unreturned, cpu_ns, wall_ns, bytes; where all captures are tables, the times are the tables' own totals.
 * `user_ns` and `elapsed_ns` of the totals are the builder's. Where rows have places, several captures must be in
 * their order already: see cg_report_order_captures(). */
void cg_report_seal(callgauge_report *report);

/* Works out what a unit costs, from the totals. Part of the seal. */
void cg_report_derive_unit(callgauge_report *report);

/* Says that the report is of `count` units, whatever it said of units before. */
void cg_report_set_unit_count(callgauge_report *report, uint64_t count);

/* Sets a row to nothing counted, everything else unknown. The name stays the builder's. */
void cg_call_row_init(callgauge_call_row *row);

/* The same of other rows; what keeps them apart is the builder's too. */
void cg_process_row_init(callgauge_process_row *row);
void cg_file_row_init(callgauge_file_row *row);
void cg_unit_init(callgauge_unit *unit);

/* Orders rows by name and joins those of one name. Gives how many are left. */
size_t cg_name_rows_settle(callgauge_name_row *rows, size_t count);

/* A copy in `arena` of rows and their text. False: no memory. */
bool cg_name_rows_copy(cg_arena *arena, const callgauge_name_row *rows, size_t count, callgauge_name_row **out);

/* Says that `dropped` things passed a limit: in its row, where `kept` is the most that any capture kept. `limit`
 * is a member of callgauge_limits and is kept itself. False: no memory. */
bool cg_report_add_limit(callgauge_report *report, const char *limit, uint64_t kept, uint64_t dropped);

/* Copies a capture row, with all its text, into `arena`. False: no memory. */
bool cg_capture_row_copy(cg_arena *arena, const callgauge_capture_row *from, callgauge_capture_row *to);

/* The orders of rows, by all that keeps them apart: processes by pid first, files by path, descriptors by pid and
 * number, programs by path, waiting by call; threads by tid, units the longest first. For qsort(). */
int cg_process_row_cmp(const void *a, const void *b);
int cg_thread_row_cmp(const void *a, const void *b);
int cg_file_row_cmp(const void *a, const void *b);
int cg_descriptor_row_cmp(const void *a, const void *b);
int cg_program_row_cmp(const void *a, const void *b);
int cg_waiting_row_cmp(const void *a, const void *b);
int cg_unit_row_cmp(const void *a, const void *b);
int cg_recorded_row_cmp(const void *a, const void *b);
int cg_place_cmp(callgauge_place a, callgauge_place b);

/* The order in which a report has recorded rows: by name, capture, place, then as above. For qsort(). */
int cg_recorded_row_order(const void *a, const void *b);

/* Orders threads by tid and joins those of one tid, which was used again. Gives how many are left. */
size_t cg_thread_rows_settle(callgauge_thread_row *rows, size_t count);

/* The order of captures: by name, bytes, lines, then by everything else, so that equals are equal. For qsort(). */
int cg_capture_row_cmp(const void *a, const void *b);

/* Puts captures in their order; map[i] is then where rows[i] was put, of equals the first one. False: no memory. */
bool cg_captures_order(const callgauge_capture_row **rows, size_t count, size_t *map);

/* Puts the captures of a report in their order and moves all places with them. False: no memory. */
bool cg_report_order_captures(callgauge_report *report);

/* Moves places from capture i to map[i], of which there are `count`; all others to capture 0. False: no memory. */
void cg_file_row_move(callgauge_file_row *row, const size_t *map, size_t count);
void cg_waiting_row_move(callgauge_waiting_row *row, const size_t *map, size_t count);
bool cg_unit_move(callgauge_unit *unit, cg_arena *arena, const size_t *map, size_t count);
void cg_recorded_row_move(callgauge_recorded_row *row, const size_t *map, size_t count);
bool cg_report_move_places(callgauge_report *report, const size_t *map, size_t count);

/* Gives a recorded row calls of its own in `arena`, of the row's capture, with a copy of their text. False: no
 * memory. */
bool cg_recorded_row_own(cg_arena *arena, callgauge_recorded_row *row);

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
static inline int64_t cg_known_add(int64_t a, int64_t b)
{
    if (a == CALLGAUGE_UNKNOWN || b == CALLGAUGE_UNKNOWN) {
        return a == CALLGAUGE_UNKNOWN ? b : a;
    }
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

/* The smaller of two times, of which either may be unknown. */
static inline int64_t cg_known_min(int64_t a, int64_t b)
{
    if (a == CALLGAUGE_UNKNOWN || b == CALLGAUGE_UNKNOWN) {
        return a == CALLGAUGE_UNKNOWN ? b : a;
    }
    return a < b ? a : b;
}

/* The larger of two times; CALLGAUGE_UNKNOWN is below all. */
static inline int64_t cg_known_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The bucket of a duration that is not negative: see callgauge_bucket_range(). */
static inline uint32_t cg_bucket_of(uint64_t ns)
{
    if (ns < 128) {
        return (uint32_t)ns;
    }
    unsigned shift = 57u - (unsigned)__builtin_clzll(ns); /* floor(log2) - 6 */
    return shift * 64u + (uint32_t)(ns >> shift);
}

/* The bucket of any duration; a negative one counts as 0. */
static inline uint32_t cg_bucket_index(int64_t ns)
{
    return cg_bucket_of(ns < 0 ? 0 : (uint64_t)ns);
}

/* The value below which `percent` of the counts lie: the middle of the bucket that holds the
 * ceil(percent * total / 100)-th smallest, held in [min, max] where these are known, which are the first and the last;
 * CALLGAUGE_UNKNOWN without counts. */
int64_t cg_bucket_quantile(const callgauge_bucket *buckets, size_t count, unsigned percent, int64_t min, int64_t max);

/* Sets the buckets of a row to the counters that are not 0; `octaves` are CG_BUCKET_SCALE counters each, or NULL.
 * False: no memory. */
bool cg_call_row_set_buckets(callgauge_call_row *row, uint64_t *const *octaves, cg_arena *arena);

/* A list of buckets. */
typedef struct cg_buckets {
    const callgauge_bucket *rows;
    size_t count;
} cg_buckets;

/* The sums of two lists. False: no memory. */
bool cg_buckets_add(cg_buckets a, cg_buckets b, cg_arena *arena, cg_buckets *out);

#endif

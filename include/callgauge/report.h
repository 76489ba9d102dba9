/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file report.h
 * The frozen result of an analysis: rows of calls, signals, faults, functions, processes, and what
 * is known of the captures it came from. Immutable from birth, may be shared by threads; every row
 * is borrowed from its report. Unknown numbers are CALLGAUGE_UNKNOWN (written null), never 0.
 */
#ifndef CALLGAUGE_REPORT_H
#define CALLGAUGE_REPORT_H

#include <callgauge/event.h>
#include <callgauge/reader.h>
#include <callgauge/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A time or a count of bytes that could not be known. */
#define CALLGAUGE_UNKNOWN INT64_MIN

/** The frozen result of an analysis. */
typedef struct callgauge_report callgauge_report;

/** How often a name came: an error of a call, a signal, a fault, a function. */
typedef struct callgauge_name_row {
    callgauge_str name;
    uint64_t count;
} callgauge_name_row;

/** A bucket of durations. */
typedef struct callgauge_bucket {
    uint32_t index; /**< see callgauge_bucket_range() */
    uint64_t count;
} callgauge_bucket;

/** Everything about one call. */
typedef struct callgauge_call_row {
    callgauge_str name;
    callgauge_class call_class;
    uint64_t calls;      /**< calls whose result was seen */
    uint64_t errors;     /**< of these, the failed ones */
    uint64_t unreturned; /**< without a result, not among the calls: exit, cut off by death or the end */
    int64_t cpu_ns;      /**< sum of CPU times in the kernel, or CALLGAUGE_UNKNOWN */
    int64_t wall_ns;     /**< sum of wall clock durations, or CALLGAUGE_UNKNOWN */
    uint64_t cpu_calls;  /**< how many calls `cpu_ns` is the time of; 0 beside a known time: unknown */
    uint64_t wall_calls; /**< how many calls `wall_ns` is the time of, likewise */
    int64_t min_ns;      /**< of the durations whose kind `durations_kind` names */
    int64_t max_ns;
    int64_t p50_ns; /**< from the buckets, at most 0.8 % off */
    int64_t p90_ns;
    int64_t p99_ns;
    int64_t bytes_read; /**< sum of the results of calls that read; CALLGAUGE_UNKNOWN for others and for tables */
    int64_t bytes_written;
    callgauge_time_kind durations_kind;
    const callgauge_bucket *buckets; /**< ascending; empty without durations */
    size_t bucket_count;
    const callgauge_name_row *errors_by_name; /**< by name; may count fewer than `errors` (tables) */
    size_t error_name_count;
} callgauge_call_row;

/** What one process (or, in traces without pids, the capture) called. */
typedef struct callgauge_process_row {
    int64_t pid; /**< CALLGAUGE_UNKNOWN: events without a pid */
    uint64_t calls;
    uint64_t errors;
    uint64_t unreturned;
    int64_t cpu_ns;
    int64_t wall_ns;
    uint64_t cpu_calls; /**< as in callgauge_call_row */
    uint64_t wall_calls;
    int64_t start_ns;
    int64_t end_ns;
} callgauge_process_row;

/** Sums over the whole report. */
typedef struct callgauge_totals {
    uint64_t calls;
    uint64_t errors;
    uint64_t unreturned;
    int64_t cpu_ns;
    int64_t wall_ns;
    uint64_t cpu_calls; /**< as in callgauge_call_row */
    uint64_t wall_calls;
    int64_t user_ns;    /**< truss tables: user CPU time */
    int64_t elapsed_ns; /**< truss tables: as said there; traces with more than one stamp: from the first to the last */
    int64_t bytes_read;
    int64_t bytes_written;
} callgauge_totals;

/** The totals that a capture's own tables state. */
typedef struct callgauge_table_totals {
    int64_t calls; /**< CALLGAUGE_UNKNOWN: the table has no such column */
    int64_t errors;
    int64_t cpu_ns;
    int64_t wall_ns;
} callgauge_table_totals;

/** A capture of a report: callgauge_capture, frozen, and what its tables said. In the texts of unread lines, what
 * was read or written is "…"; names, paths and numbers stay. */
typedef struct callgauge_capture_row {
    callgauge_capture capture;
    uint64_t blank_lines; /**< of `foreign_lines`: those with nothing in them, or nothing but the ^C of a terminal */
    bool has_table_totals;
    callgauge_table_totals table_totals;
    const char *table_check; /**< NULL: no table was held against anything; "equal"; or what differs: a table from the
                                  trace before it, or the rows of a table from its own totals */
} callgauge_capture_row;

/** A limit that was passed. */
typedef struct callgauge_limit_row {
    const char *limit; /**< the member of callgauge_limits */
    uint64_t kept;
    uint64_t dropped;
} callgauge_limit_row;

/**
 * Reads a report from the JSON that callgauge_write() wrote.
 *
 * @param name  of the source, for errors; copied.
 * @param json  `len` bytes of UTF-8; free on return.
 * @param out   set on CALLGAUGE_OK only; free with callgauge_report_free().
 * @return CALLGAUGE_OK; CALLGAUGE_E_FORMAT: no JSON (line and column are set), or no report of a
 *         schema known here; CALLGAUGE_E_UNSUPPORTED: a build without jansson; CALLGAUGE_E_NOMEM.
 *         Unknown keys are passed over.
 * Threads: any.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_report_read(const char *name, const void *json, size_t len,
                                                        callgauge_report **out, callgauge_error *err);

/**
 * Merges reports. Exact, associative and commutative: calls, times, bytes and buckets add, the
 * captures are put in order of (name, bytes, lines). Sums of times are unknown only where no side knows them.
 *
 * @param in   `n` reports (at least one), neither changed nor kept.
 * @param out  set on CALLGAUGE_OK only; free with callgauge_report_free().
 * @return CALLGAUGE_OK, CALLGAUGE_E_USAGE (n is 0), CALLGAUGE_E_NOMEM.
 * Threads: any.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_report_merge(const callgauge_report *const *in, size_t n,
                                                         callgauge_report **out, callgauge_error *err);

/** Frees a report and its rows; NULL is fine. Threads: when no other uses it. */
CALLGAUGE_EXPORT void callgauge_report_free(callgauge_report *report);

/** Gives the sums. Borrowed from the report. Threads: any. */
CALLGAUGE_EXPORT const callgauge_totals *callgauge_report_totals(const callgauge_report *report);

/** Counts the rows of calls. Threads: any. */
CALLGAUGE_EXPORT size_t callgauge_report_call_count(const callgauge_report *report);

/** Gives a row of calls, ordered by name. NULL past the end. Borrowed from the report. Threads: any. */
CALLGAUGE_EXPORT const callgauge_call_row *callgauge_report_call(const callgauge_report *report, size_t index);

/** Finds the row of a call; NULL: there is none. Borrowed from the report. Threads: any. */
CALLGAUGE_EXPORT const callgauge_call_row *callgauge_report_find_call(const callgauge_report *report, const char *name);

/** Counts the captures. Threads: any. */
CALLGAUGE_EXPORT size_t callgauge_report_capture_count(const callgauge_report *report);

/** Gives a capture, in the report's order. NULL past the end. Borrowed from the report. Threads: any. */
CALLGAUGE_EXPORT const callgauge_capture_row *callgauge_report_capture(const callgauge_report *report, size_t index);

/** Counts the rows of processes; 0 also when they were not asked for. Threads: any. */
CALLGAUGE_EXPORT size_t callgauge_report_process_count(const callgauge_report *report);

/** Gives a process, ordered by pid. NULL past the end. Borrowed from the report. Threads: any. */
CALLGAUGE_EXPORT const callgauge_process_row *callgauge_report_process(const callgauge_report *report, size_t index);

/** Gives signals by name; `count` (may be NULL) gets how many rows. Borrowed from the report. Threads: any. */
CALLGAUGE_EXPORT const callgauge_name_row *callgauge_report_signals(const callgauge_report *report, size_t *count);

/** Gives machine faults by name, as callgauge_report_signals() does. Threads: any. */
CALLGAUGE_EXPORT const callgauge_name_row *callgauge_report_faults(const callgauge_report *report, size_t *count);

/** Gives user functions ("libc:malloc") by name, as callgauge_report_signals() does. Threads: any. */
CALLGAUGE_EXPORT const callgauge_name_row *callgauge_report_functions(const callgauge_report *report, size_t *count);

/** Gives the limits that were passed; `count` (may be NULL) gets how many rows. Borrowed from the report. Threads: any. */
CALLGAUGE_EXPORT const callgauge_limit_row *callgauge_report_limits_hit(const callgauge_report *report, size_t *count);

/**
 * Gives the durations that a bucket holds: low <= duration < high. Buckets are log-linear, 64 to an
 * octave: below 128 ns one for each nanosecond, index = value; above, with e = floor(log2(value)),
 * index = (e - 6) * 64 + (value >> (e - 6)), so each is at most 1/64 of its lower edge wide.
 *
 * @param low, high  in ns; either may be NULL. Both are INT64_MAX for an index past the last bucket.
 * Threads: any.
 */
CALLGAUGE_EXPORT void callgauge_bucket_range(uint32_t index, int64_t *low, int64_t *high);

#ifdef __cplusplus
}
#endif
#endif

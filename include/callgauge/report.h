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

/** How much a finding matters. */
typedef enum callgauge_severity {
    CALLGAUGE_SEVERITY_NOTE,
    CALLGAUGE_SEVERITY_WARNING,
    CALLGAUGE_SEVERITY_ERROR
} callgauge_severity;

/** Names a severity: "note", "warning", "error". Never NULL. Threads: any. */
CALLGAUGE_EXPORT const char *callgauge_severity_text(callgauge_severity severity);

/**
 * Finds a severity by its name.
 *
 * @param out  set on success only.
 * @return whether `name` is one.
 * Threads: any.
 */
CALLGAUGE_EXPORT bool callgauge_severity_find(callgauge_str name, callgauge_severity *out);

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

/** Where something is: a line of a capture. */
typedef struct callgauge_place {
    size_t capture; /**< index among the report's captures */
    uint64_t line;  /**< from 1; of an -ff set: of one of its files */
} callgauge_place;

/** In which order the bytes of a file were read and written. */
typedef enum callgauge_order {
    CALLGAUGE_ORDER_UNKNOWN,    /**< fewer than two transfers one way */
    CALLGAUGE_ORDER_SEQUENTIAL, /**< each began where the one before, the same way on the same open file, had ended */
    CALLGAUGE_ORDER_MIXED,      /**< at most half of them did not */
    CALLGAUGE_ORDER_RANDOM      /**< more than half of them did not */
} callgauge_order;

/** Names an order: "sequential", "mixed", "random"; NULL for unknown. Threads: any. */
CALLGAUGE_EXPORT const char *callgauge_order_text(callgauge_order order);

/**
 * What was done to a file, a socket, a pipe, ..., by whichever path or descriptor. Rows are apart when any of kind,
 * path, peer, port, local, local_port or, for descriptors from before the capture that nothing names, pid and fd
 * differ. The blocking factor, bytes a read or write, is bytes / (reads - eof_reads) and bytes / writes.
 */
typedef struct callgauge_file_row {
    callgauge_str path; /**< absolute where it could be known; a Unix socket's address; "pipe:[4711]". len 0: none */
    callgauge_file_kind kind;
    callgauge_str peer, local;     /**< addresses of sockets; len 0: unknown */
    int32_t peer_port, local_port; /**< -1: unknown or none */
    bool opened_before;            /**< known only as descriptor `fd` of process `pid`, open before the capture began */
    bool relative;                 /**< `path` is relative to a directory that is not known */
    int64_t pid, fd;               /**< of `opened_before`; else CALLGAUGE_UNKNOWN, as is pid where none is printed */
    uint32_t number;               /**< pipes made in the capture: from 1; else 0 */
    callgauge_str renamed_to;      /**< len 0: it was not renamed */
    uint64_t calls;                /**< all calls on it, by path or descriptor, opens included */
    uint64_t errors;               /**< of these, the failed ones */
    uint64_t opens;                /**< descriptors made of it: successful open, accept, socket, pipe */
    const callgauge_name_row *failed_opens_by_error; /**< by name */
    size_t failed_open_count;                        /**< names */
    uint64_t reads;        /**< successful calls that read, end-of-file reads and copies included */
    uint64_t eof_reads;    /**< of these, the ones that gave 0 bytes */
    uint64_t writes;       /**< successful calls that wrote, copies included */
    uint64_t empty_writes; /**< of these, the ones that wrote 0 bytes */
    int64_t bytes_read, bytes_written;
    int64_t min_read, max_read, min_write,
        max_write; /**< bytes, of calls that moved more than 0; CALLGAUGE_UNKNOWN: none */
    int64_t
        reread_bytes; /**< bytes read at offsets that the capture had read before; CALLGAUGE_UNKNOWN: no offset known */
    uint64_t
        transfers; /**< reads and writes that moved bytes and had one before them, the same way on the same open file */
    uint64_t jumps;                      /**< of these, the ones that did not begin where it had ended */
    uint64_t maps;                       /**< successful mmap calls on it */
    int64_t cpu_ns, wall_ns, waiting_ns; /**< of the calls on it; waiting is a part of wall */
    uint64_t cpu_calls, wall_calls;      /**< as in callgauge_call_row */
    const int64_t *processes;            /**< pids that used it, ascending; as many as limits.file_processes */
    size_t process_count;
    const int64_t *readers; /**< pids that read from it, likewise */
    size_t reader_count;
    const int64_t *writers; /**< pids that wrote to it, likewise */
    size_t writer_count;
    callgauge_place first, last; /**< its first and last call */
} callgauge_file_row;

/** Tells in which order the bytes of a file were read and written. Threads: any. */
CALLGAUGE_EXPORT callgauge_order callgauge_file_order(const callgauge_file_row *row);

/** A descriptor that was open when the capture ended, or when it began. */
typedef struct callgauge_descriptor_row {
    int64_t pid; /**< CALLGAUGE_UNKNOWN: no pid is printed */
    int64_t fd;
    callgauge_file_kind kind;
    callgauge_str path, peer, local; /**< as in callgauge_file_row */
    int32_t peer_port, local_port;
    bool opened_before; /**< it was open before the capture began */
    bool closed;        /**< it was closed in the capture, or its process ended */
} callgauge_descriptor_row;

/** How the life of a thread was spent. All CALLGAUGE_UNKNOWN without stamps and wall clock durations; else they add up
 * to the time from its first to its last stamp. */
typedef struct callgauge_thread_row {
    int64_t tid;        /**< CALLGAUGE_UNKNOWN: not printed */
    int64_t working_ns; /**< in calls that are not waits */
    int64_t waiting_ns; /**< in calls that wait: for time, descriptors, children, locks, peers */
    int64_t outside_ns; /**< outside calls */
} callgauge_thread_row;

/** What one process (or, in traces without pids, the capture) called. Rows are apart when pid, life or program
 * differ. */
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
    uint32_t life;             /**< from 1: a pid that is used again is another life. 0: not followed */
    int64_t parent;            /**< pid, or CALLGAUGE_UNKNOWN */
    uint32_t parent_life;      /**< 0: unknown */
    callgauge_str program;     /**< the image that ran last; len 0: unknown */
    const callgauge_str *argv; /**< of the last exec; the last one may be "..." where the tracer cut the list */
    size_t argv_count;         /**< 0: unknown */
    bool born, ended;          /**< whether the capture shows its birth and its end */
    int64_t exit_code;         /**< CALLGAUGE_UNKNOWN: not seen, or killed */
    callgauge_str exit_signal; /**< that killed it; len 0: none */
    int64_t open_at_start, open_at_end, open_peak; /**< descriptors known to be open; CALLGAUGE_UNKNOWN: not followed */
    uint64_t emfile;                               /**< calls that failed for want of descriptors: EMFILE, ENFILE */
    const callgauge_thread_row *threads;           /**< by tid */
    size_t thread_count;
} callgauge_process_row;

/** How often a program starts another. */
typedef struct callgauge_program_row {
    callgauge_str program;                /**< path of the image */
    uint64_t starts;                      /**< successful execs of it */
    const callgauge_name_row *started_by; /**< by program; "" counts starts by a process whose program is unknown */
    size_t started_by_count;
    uint64_t lives;  /**< starts whose end was seen: exit, kill, or exec of another program */
    int64_t life_ns; /**< sum of these lives; CALLGAUGE_UNKNOWN: no stamps */
    uint64_t calls;  /**< made by it */
    uint64_t errors; /**< of these, the failed ones */
    int64_t cpu_ns, wall_ns;
    uint64_t cpu_calls, wall_calls; /**< as in callgauge_call_row */
} callgauge_program_row;

/** What was waited for. Rows are apart when any of call, kind, path, peer, port, address or child differ. */
typedef struct callgauge_waiting_row {
    callgauge_str call;
    callgauge_file_kind kind; /**< of the descriptor waited on; UNKNOWN: none, or more than one */
    callgauge_str path, peer; /**< of that descriptor */
    int32_t peer_port;        /**< -1: unknown or none */
    int64_t fd;               /**< of descriptors that are known by number only; else CALLGAUGE_UNKNOWN */
    callgauge_str address;    /**< futex: its address, as printed; len 0: none */
    callgauge_str child;      /**< wait for a child: its program; len 0: none or unknown */
    uint64_t count;           /**< calls */
    int64_t wall_ns;          /**< their sum */
    int64_t max_ns;           /**< the longest one */
    callgauge_place longest;  /**< where that is */
} callgauge_waiting_row;

/** What makes a unit of the user's work. */
typedef enum callgauge_unit_from {
    CALLGAUGE_UNIT_NONE,
    CALLGAUGE_UNIT_NUMBER,   /**< the user said how many there were */
    CALLGAUGE_UNIT_CALL,     /**< each successful call of a name starts one */
    CALLGAUGE_UNIT_REQUEST,  /**< each successful accept starts one */
    CALLGAUGE_UNIT_PREDICATE /**< each call that has returned and meets a condition starts one, failed or not */
} callgauge_unit_from;

/** One unit that took long. */
typedef struct callgauge_unit_row {
    callgauge_place place; /**< of the call that started it */
    int64_t pid;           /**< CALLGAUGE_UNKNOWN: not printed */
    uint64_t calls;
    int64_t wall_ns; /**< CALLGAUGE_UNKNOWN: no stamps */
} callgauge_unit_row;

/** Units of work, and how they differ. A unit that a call starts lasts until the next one starts on the same thread, or
 * to the thread's last event; its calls are those of that thread, from the one that started it on. */
typedef struct callgauge_unit {
    callgauge_unit_from from;
    callgauge_str call; /**< CALLGAUGE_UNIT_CALL: the name; CALLGAUGE_UNIT_PREDICATE: the condition */
    uint64_t count;
    int64_t cpu_per_unit_ns;               /**< system and user CPU time by count; CALLGAUGE_UNKNOWN: no CPU time */
    double units_per_cpu_second;           /**< at best, an upper bound under tracing; 0: unknown */
    bool cpu_has_user;                     /**< user CPU time is in it: only tables of truss tell it */
    int64_t calls_p50, calls_p99;          /**< CALLGAUGE_UNKNOWN: no call starts a unit */
    int64_t wall_p50_ns, wall_p99_ns;      /**< CALLGAUGE_UNKNOWN: that, or no stamps */
    const callgauge_bucket *calls_buckets; /**< the distributions, as those of durations */
    size_t calls_bucket_count;
    const callgauge_bucket *wall_buckets;
    size_t wall_bucket_count;
    const callgauge_unit_row *slowest; /**< longest first; by calls where no stamps are; at most ten */
    size_t slowest_count;
    uint64_t
        undecided; /**< calls of which the capture does not tell whether they meet the condition: they start none */
} callgauge_unit;

/** A value that tells a group of a finding from others: "path" and "/etc/passwd". A value that is not known is
 * "unknown", one that is not there "none". */
typedef struct callgauge_key {
    callgauge_str name;
    callgauge_str value;
} callgauge_key;

/** What one group has to do with a finding: a path, a pair of descriptors, ... */
typedef struct callgauge_group_row {
    const callgauge_key *keys;
    size_t key_count;
    uint64_t calls, errors;
    int64_t cpu_ns, wall_ns, bytes; /**< CALLGAUGE_UNKNOWN: not known */
} callgauge_group_row;

/** A line of a capture that shows what was found. What was read or written is "…" in it. */
typedef struct callgauge_evidence {
    callgauge_place place;
    callgauge_str text;
} callgauge_evidence;

/** A rule that held. Findings of several captures are one where rule and group are the same. */
typedef struct callgauge_finding_row {
    callgauge_str rule; /**< its id */
    callgauge_severity severity;
    callgauge_str title;
    callgauge_str message;      /**< what was found, with its numbers */
    callgauge_str why, advice;  /**< len 0: the rule does not say */
    callgauge_str false_alarms; /**< likewise */
    const callgauge_str *references;
    size_t reference_count;
    bool rests_on_times;       /**< else on counts, which tracing does not change */
    uint64_t calls, errors;    /**< that were found */
    uint64_t times;            /**< runs, sequences, rows; of the shape count: calls */
    uint64_t of_calls;         /**< what the share is of; 0: unknown */
    int64_t cpu_ns, wall_ns;   /**< of these calls; CALLGAUGE_UNKNOWN: no times */
    int64_t bytes;             /**< CALLGAUGE_UNKNOWN: nothing that moves bytes */
    int64_t saved_calls;       /**< that could be left out; CALLGAUGE_UNKNOWN: not known */
    uint64_t undecided;        /**< calls of the capture that lack what the rule asks for */
    const callgauge_key *keys; /**< the group that it is of (`by`); empty: the whole capture */
    size_t key_count;
    const callgauge_group_row *groups; /**< the worst, by time, then calls */
    size_t group_count;
    uint64_t groups_left_out;           /**< more of them, that are not listed */
    const callgauge_evidence *evidence; /**< by place */
    size_t evidence_count;
    callgauge_str form;          /**< of the message, and the values in it that the row has no member for */
    const callgauge_key *values; /**< by name; a value that differs between captures is not there */
    size_t value_count;
} callgauge_finding_row;

/** A rule that could not be judged for what a capture lacks. */
typedef struct callgauge_not_judged_row {
    callgauge_str rule;
    size_t capture;             /**< index among the report's captures */
    uint32_t missing;           /**< CALLGAUGE_TRAIT_... */
    callgauge_str next_capture; /**< a command whose capture would tell; len 0: none is known */
} callgauge_not_judged_row;

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

/** Whether all calls of a program were traced. */
typedef enum callgauge_complete {
    CALLGAUGE_COMPLETE_UNKNOWN, /**< nothing says that it was filtered, and nothing could */
    CALLGAUGE_COMPLETE_NO       /**< declared, or a trace with successful opens and no close at all */
} callgauge_complete;

/** Names it: "unknown", "no". Never NULL. Threads: any. */
CALLGAUGE_EXPORT const char *callgauge_complete_text(callgauge_complete complete);

/** A capture of a report: callgauge_capture, frozen, and what its tables said. In the texts of unread lines, what
 * was read or written is "…"; names, paths and numbers stay. */
typedef struct callgauge_capture_row {
    callgauge_capture capture;
    uint64_t blank_lines; /**< of `foreign_lines`: those with nothing in them, or nothing but the ^C of a terminal */
    bool has_table_totals;
    callgauge_table_totals table_totals;
    const char *table_check; /**< NULL: no table was held against anything; "equal"; or what differs: a table from the
                                  trace before it, or the rows of a table from its own totals */
    uint64_t
        fd_contradictions;    /**< descriptors whose text (-y) named another file than the one followed: the text won */
    uint64_t fds_received;    /**< descriptors that came from another process: what they stand for is unknown */
    const char *where;        /**< only events that met this condition were counted; NULL: all were */
    uint64_t where_undecided; /**< events of which the capture does not tell whether they meet it: not counted */
    callgauge_complete complete; /**< were all calls traced? */
    const char
        *complete_why;  /**< of NO, in words, with the calls that were seen though `traced` has them not; NULL else */
    const char *traced; /**< the calls that were traced, as the user said; NULL: not said */
} callgauge_capture_row;

/** Calls between two markers, as a budget (budget.h) asks for them: pids, addresses, descriptors and temporary names
 * are replaced by stable ones. Rows are apart when any of name, capture, calls, `ended`, `unfinished` or `cut`
 * differ. */
typedef struct callgauge_recorded_row {
    callgauge_str name;              /**< of the expected sequence in the budget */
    size_t capture;                  /**< index among the report's captures */
    callgauge_place begin;           /**< of the first one's first marker */
    const callgauge_evidence *calls; /**< in their order; `text` is normalised */
    size_t call_count;
    uint64_t times;  /**< how often exactly these calls came between the markers */
    bool ended;      /**< the second marker was seen */
    bool cut;        /**< there were more calls than are kept */
    bool unfinished; /**< the second marker was not seen, and the capture ended while the thread, or process, lived */
} callgauge_recorded_row;

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
 * captures are put in order of (name, bytes, lines). Sums of times are unknown only where no side knows them. Of the
 * processes that used a file in more than one report, the 64 smallest pids are kept. Units add where all reports
 * have the same kind of them; else there are none, and the limit "unit" says how many were left out.
 *
 * @param in   `n` reports (at least one), neither changed nor kept.
 * @param out  set on CALLGAUGE_OK only; free with callgauge_report_free().
 * @return CALLGAUGE_OK, CALLGAUGE_E_USAGE (n is 0), CALLGAUGE_E_NOMEM.
 * Threads: any.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_report_merge(const callgauge_report *const *in, size_t n,
                                                         callgauge_report **out, callgauge_error *err);

/**
 * Says how many units of work a report is of: a copy of it with a unit of CALLGAUGE_UNIT_NUMBER, whatever it had
 * before.
 *
 * @param count  at least 1.
 * @param out    set on CALLGAUGE_OK only; free with callgauge_report_free().
 * @return CALLGAUGE_OK, CALLGAUGE_E_USAGE (count is 0), CALLGAUGE_E_NOMEM.
 * Threads: any.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_report_count_units(const callgauge_report *report, uint64_t count,
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

/** Gives a process, ordered by pid, life, program, parent. NULL past the end. Borrowed from the report. Threads:
 * any. */
CALLGAUGE_EXPORT const callgauge_process_row *callgauge_report_process(const callgauge_report *report, size_t index);

/** Counts the rows of files; 0 also when they were not asked for. Threads: any. */
CALLGAUGE_EXPORT size_t callgauge_report_file_count(const callgauge_report *report);

/** Gives a file, ordered by path, then by the rest of what keeps rows apart. NULL past the end. Borrowed from the
 * report.
 * Threads: any. */
CALLGAUGE_EXPORT const callgauge_file_row *callgauge_report_file(const callgauge_report *report, size_t index);

/** Counts the rows of descriptors; 0 also when files were not asked for. Threads: any. */
CALLGAUGE_EXPORT size_t callgauge_report_descriptor_count(const callgauge_report *report);

/** Gives a descriptor, ordered by pid and number. NULL past the end. Borrowed from the report. Threads: any. */
CALLGAUGE_EXPORT const callgauge_descriptor_row *callgauge_report_descriptor(const callgauge_report *report,
                                                                             size_t index);

/** Counts the rows of programs; 0 also when they were not asked for. Threads: any. */
CALLGAUGE_EXPORT size_t callgauge_report_program_count(const callgauge_report *report);

/** Gives a program, ordered by path. NULL past the end. Borrowed from the report. Threads: any. */
CALLGAUGE_EXPORT const callgauge_program_row *callgauge_report_program(const callgauge_report *report, size_t index);

/** Counts the rows of waiting; 0 also when they were not asked for. Threads: any. */
CALLGAUGE_EXPORT size_t callgauge_report_waiting_count(const callgauge_report *report);

/** Gives a row of waiting, ordered by what keeps rows apart. NULL past the end. Borrowed from the report. Threads:
 * any. */
CALLGAUGE_EXPORT const callgauge_waiting_row *callgauge_report_waiting(const callgauge_report *report, size_t index);

/** Counts the findings; 0 also when no rules were given. Threads: any. */
CALLGAUGE_EXPORT size_t callgauge_report_finding_count(const callgauge_report *report);

/** Gives a finding, ordered by what it costs: time, then calls. NULL past the end. Borrowed from the report. Threads:
 * any. */
CALLGAUGE_EXPORT const callgauge_finding_row *callgauge_report_finding(const callgauge_report *report, size_t index);

/** Counts the rules that could not be judged, once for each capture. Threads: any. */
CALLGAUGE_EXPORT size_t callgauge_report_not_judged_count(const callgauge_report *report);

/** Gives a rule that could not be judged, ordered by rule and capture. NULL past the end. Borrowed from the report.
 * Threads: any. */
CALLGAUGE_EXPORT const callgauge_not_judged_row *callgauge_report_not_judged(const callgauge_report *report,
                                                                             size_t index);

/** Whether descriptors and processes were followed, so that no rows of files mean that no file was used. Of several
 * reports: in all of them. A table of counts alone cannot be followed. Threads: any. */
CALLGAUGE_EXPORT bool callgauge_report_is_followed(const callgauge_report *report);

/** Gives the ids of the rules that were judged on every capture of the report, by id, whether they found something or
 * not; those that could not be judged on one are not among them. A merge keeps the rules that all its reports judged.
 * `count` (may be NULL) gets how many. NULL: a capture was analysed without rules. Borrowed from the report. Threads:
 * any. */
CALLGAUGE_EXPORT const callgauge_str *callgauge_report_judged(const callgauge_report *report, size_t *count);

/** Counts the recorded sequences; 0 also when no budget asked for any. Threads: any. */
CALLGAUGE_EXPORT size_t callgauge_report_recorded_count(const callgauge_report *report);

/** Gives a recorded sequence, ordered by name, capture, place. NULL past the end. Borrowed from the report. Threads:
 * any. */
CALLGAUGE_EXPORT const callgauge_recorded_row *callgauge_report_recorded(const callgauge_report *report, size_t index);

/** Gives the units of work; `from` is CALLGAUGE_UNIT_NONE when none were asked for. Never NULL. Borrowed from the
 * report.
 * Threads: any. */
CALLGAUGE_EXPORT const callgauge_unit *callgauge_report_unit(const callgauge_report *report);

/** Gives signals by name; `count` (may be NULL) gets how many rows. Borrowed from the report. Threads: any. */
CALLGAUGE_EXPORT const callgauge_name_row *callgauge_report_signals(const callgauge_report *report, size_t *count);

/** Gives machine faults by name, as callgauge_report_signals() does. Threads: any. */
CALLGAUGE_EXPORT const callgauge_name_row *callgauge_report_faults(const callgauge_report *report, size_t *count);

/** Gives user functions ("libc:malloc") by name, as callgauge_report_signals() does. Threads: any. */
CALLGAUGE_EXPORT const callgauge_name_row *callgauge_report_functions(const callgauge_report *report, size_t *count);

/**
 * Says in words what a limit counts: "pids of a file" for "file_processes". A name that is not known is given back.
 * NULL is "". Borrowed from `limit`, or static. Threads: any.
 */
CALLGAUGE_EXPORT const char *callgauge_limit_text(const char *limit);

/** Gives the limits that were passed; `count` (may be NULL) gets how many rows. Borrowed from the report. Threads:
 * any. */
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

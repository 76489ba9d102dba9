/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file analysis.h
 * From captures to a report: feed one capture, or name files.
 */
#ifndef CALLGAUGE_ANALYSIS_H
#define CALLGAUGE_ANALYSIS_H

#include <callgauge/budget.h>
#include <callgauge/reader.h>
#include <callgauge/report.h>
#include <callgauge/rules.h>
#include <callgauge/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Builds the report of one capture that is fed. */
typedef struct callgauge_analysis callgauge_analysis;

/** Told how far an analysis of files is: bytes read of them and of all (0: unknown). Called often, on the thread that
 * reads. */
typedef void callgauge_progress_fn(void *ctx, uint64_t bytes_done, uint64_t bytes_total);

/** Where a sink adds what it found. */
typedef struct callgauge_findings callgauge_findings;

/**
 * A detector of one's own: is told every event of a capture, in order, on the thread that reads, and adds its findings
 * at the end. Events are as those of callgauge_reader_next(). An analysis of files that has sinks reads them one by
 * one.
 */
typedef struct callgauge_sink {
    size_t size; /**< sizeof(callgauge_sink) */
    void *ctx;
    /** Before the first event of each file; may be NULL. `capture` lives as long as the events that follow. */
    callgauge_status (*begin)(void *ctx, const callgauge_capture *capture, callgauge_error *err);
    /** Each event; a negative status stops the analysis, which fails with it. */
    callgauge_status (*event)(void *ctx, const callgauge_event *event, callgauge_error *err);
    /** At the end of each capture, whose report holds everything but findings; may be NULL. */
    callgauge_status (*finish)(void *ctx, const callgauge_report *report, callgauge_findings *to, callgauge_error *err);
} callgauge_sink;

/**
 * Adds a finding to the report that is being made; for callgauge_sink.finish only.
 *
 * @param finding  copied, with all that it points at. `rule` and `title` must not be empty; where `form` is empty,
 *                 `message` is taken as it is. Times, bytes and saved_calls that are not known must be
 *                 CALLGAUGE_UNKNOWN.
 * @return CALLGAUGE_OK, CALLGAUGE_E_USAGE, CALLGAUGE_E_NOMEM.
 * Threads: that of the sink.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_findings_add(callgauge_findings *to, const callgauge_finding_row *finding,
                                                         callgauge_error *err);

/** Options of an analysis. Zero means the default. */
typedef struct callgauge_analysis_options {
    size_t size; /**< sizeof(callgauge_analysis_options); a larger struct with non-zero tail is refused */
    callgauge_reader_options reader; /**< `reader.size` may stay 0 */
    bool per_process;                /**< fill the rows of processes */
    unsigned jobs;                   /**< files analysed at one time; 0: one for each processor; 1: no thread at all */
    callgauge_progress_fn *on_progress;
    void *progress_ctx;
    bool follow;              /**< descriptors and processes: fill their rows, those of files, programs, waiting */
    callgauge_unit_from unit; /**< what makes a unit of work; all but UNIT_NUMBER follow processes */
    uint64_t unit_count;      /**< UNIT_NUMBER: how many there were, at least 1 */
    const char *unit_call;    /**< UNIT_CALL: the name; UNIT_PREDICATE: the condition, as `where` has it; kept */
    const char *fds_name;     /**< of the listing of descriptors, for errors; kept */
    const char *fds; /**< a listing of pfiles, `ls -l /proc/PID/fd` or lsof -p: `fds_len` bytes, kept. NULL: none */
    size_t fds_len;
    bool fds_any_pid;             /**< take a listing of other processes: one process for all, else an error */
    const callgauge_rules *rules; /**< what to look for; kept. They fill the rows they ask for. NULL: nothing */
    const callgauge_sink *sinks;  /**< detectors of one's own; kept */
    size_t sink_count;
    const char
        *where; /**< a condition of the rule language (docs/rule-language.md): only events that meet it are counted;
                            what is followed sees all. NULL: all are. Kept */
    const char
        *traced; /**< which calls the tracer was told to trace: names with commas between, `%CLASS` for a class of
                             this library, a `!` in front for all but these; kept. NULL: not said */
    const callgauge_budget *budget; /**< whose predicates and sequences the report shall answer; kept. NULL: none */
} callgauge_analysis_options;

/**
 * Makes an analysis that is fed.
 *
 * @param name     of the capture; copied.
 * @param options  NULL: all defaults. Copied.
 * @param out      set on CALLGAUGE_OK only; free with callgauge_analysis_free().
 * @return CALLGAUGE_OK, CALLGAUGE_E_USAGE, CALLGAUGE_E_NOMEM.
 * Threads: any.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_analysis_new(const char *name, const callgauge_analysis_options *options,
                                                         callgauge_analysis **out, callgauge_error *err);

/**
 * Gives bytes of the capture, in pieces of any size.
 *
 * @param data  `len` bytes; copied, free on return.
 * @return CALLGAUGE_OK; CALLGAUGE_E_USAGE: it is finished; or the failures of callgauge_reader_next(). After one, the
 *         analysis can only be freed.
 * Threads: one at a time.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_analysis_feed(callgauge_analysis *analysis, const void *data, size_t len,
                                                          callgauge_error *err);

/**
 * Ends the capture and gives its report.
 *
 * @param out  set on CALLGAUGE_OK only; free with callgauge_report_free(). It outlives the analysis.
 * @return CALLGAUGE_OK; CALLGAUGE_E_USAGE: it was finished before or has failed; or the failures of
 *         callgauge_reader_next(): a capture in which nothing was understood is one.
 * Threads: one at a time.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_analysis_finish(callgauge_analysis *analysis, callgauge_report **out,
                                                            callgauge_error *err);

/** Frees an analysis; NULL is fine. Threads: one at a time. */
CALLGAUGE_EXPORT void callgauge_analysis_free(callgauge_analysis *analysis);

/**
 * Analyses files one by one (`options->jobs` at a time) and merges their reports. Files whose names
 * end in `.NUMBER` and are alike before it are one capture: the set that strace -ff writes, one file a thread,
 * whose pid is the number.
 *
 * @param paths  `n` of them, as for callgauge_reader_open(); "-" only once.
 * @param out    set on CALLGAUGE_OK only; free with callgauge_report_free().
 * @return CALLGAUGE_OK; CALLGAUGE_E_USAGE: `n` is 0, or a file is named twice; else the first failure in the order
 *         of `paths`. The result never depends on `jobs`.
 * Threads: any; callbacks come from the threads that read, one at a time.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_analyze_files(const char *const *paths, size_t n,
                                                          const callgauge_analysis_options *options,
                                                          callgauge_report **out, callgauge_error *err);

#ifdef __cplusplus
}
#endif
#endif

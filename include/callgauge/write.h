/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file write.h
 * From reports and events to text, JSON, CSV, Markdown. Captured text is hostile: each form escapes it.
 */
#ifndef CALLGAUGE_WRITE_H
#define CALLGAUGE_WRITE_H

#include <callgauge/compare.h>
#include <callgauge/event.h>
#include <callgauge/report.h>
#include <callgauge/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Where output goes. `write` returns 0, or anything else to stop with CALLGAUGE_E_STOPPED. */
typedef struct callgauge_output {
    int (*write)(void *ctx, const char *data, size_t len);
    void *ctx;
} callgauge_output;

/** What the rows of a summary are ordered by; ties by calls, then by name. */
typedef enum callgauge_sort {
    CALLGAUGE_SORT_TIME, /**< wall time, else CPU time, else calls */
    CALLGAUGE_SORT_CALLS,
    CALLGAUGE_SORT_ERRORS,
    CALLGAUGE_SORT_NAME,
    CALLGAUGE_SORT_BYTES, /**< read and written */
    CALLGAUGE_SORT_STARTS /**< of programs: how often they were started; of others: calls */
} callgauge_sort;

/** What the rows of a summary stand for. */
typedef enum callgauge_rows {
    CALLGAUGE_ROWS_REPORT,    /**< everything at a glance */
    CALLGAUGE_ROWS_CALLS,     /**< one a call */
    CALLGAUGE_ROWS_PROCESSES, /**< one a process; the report must have been made per process */
    CALLGAUGE_ROWS_ERRORS,    /**< one a call and error name */
    CALLGAUGE_ROWS_FILES,     /**< one a file, socket, pipe, ...; here and below: of a report that was followed */
    CALLGAUGE_ROWS_PROGRAMS,  /**< one a program */
    CALLGAUGE_ROWS_WAITING,   /**< one a thing that was waited for */
    CALLGAUGE_ROWS_THREADS,   /**< one a thread */
    CALLGAUGE_ROWS_TREE,      /**< one a process, below its parent; in CSV as CALLGAUGE_ROWS_PROCESSES */
    CALLGAUGE_ROWS_FINDINGS   /**< one a finding; the report must have been made with rules or sinks */
} callgauge_rows;

/** Options of callgauge_write(). Zero means the default. */
typedef struct callgauge_write_options {
    size_t size; /**< sizeof(callgauge_write_options); a larger struct with non-zero tail is refused */
    callgauge_rows rows;
    callgauge_sort sort;
    size_t limit; /**< rows shown at most, of the shorter lists of a report half as many; 0: all. JSON always has all */
    bool color;   /**< text: with SGR sequences */
    unsigned width;   /**< text: columns; 0: 80 */
    uint32_t kinds;   /**< CALLGAUGE_ROWS_FILES: of these kinds only: 1 << callgauge_file_kind, or'ed; 0: all */
    const char *path; /**< CALLGAUGE_ROWS_FILES: with this in their path, new path or address only; NULL or "": all */
} callgauge_write_options;

/**
 * Writes a report.
 *
 * @param format   "text", "json", "csv", "markdown".
 * @param options  NULL: all defaults.
 * @return CALLGAUGE_OK; CALLGAUGE_E_USAGE: an unknown format or a newer options struct;
 *         CALLGAUGE_E_STOPPED: `to` asked for it; CALLGAUGE_E_NOMEM.
 * Threads: any.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_write(const callgauge_report *report, const char *format,
                                                  const callgauge_write_options *options, const callgauge_output *to,
                                                  callgauge_error *err);

/**
 * Writes a comparison, or how a report stands to a budget, or both.
 *
 * @param format   "text", "json", "csv", "markdown" (a comment of a pull request), "junit" (JUnit XML), "sarif" (SARIF
 *                 2.1.0), "github" (workflow commands that make annotations).
 * @param options  of which `limit`, `color` and `width` count. NULL: all defaults.
 * @return as for callgauge_write().
 * Threads: any.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_write_comparison(const callgauge_comparison *comparison, const char *format,
                                                             const callgauge_write_options *options,
                                                             const callgauge_output *to, callgauge_error *err);

/**
 * Writes one event, and its line end.
 *
 * @param format  "text", "ndjson", "csv".
 * @return as for callgauge_write().
 * Threads: the reader's.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_write_event(const callgauge_event *event, const char *format,
                                                        const callgauge_output *to, callgauge_error *err);

/** Writes the heading line of a form of events; nothing for "ndjson". As callgauge_write_event(). */
CALLGAUGE_EXPORT callgauge_status callgauge_write_event_heading(const char *format, const callgauge_output *to,
                                                                callgauge_error *err);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file filter.h
 * Which events of a pull reader meet a condition: what callgauge_analysis_options.where is for an analysis. It follows
 * processes and descriptors where the condition asks for paths, programs, kinds of files, ...
 *
 *     while ((status = callgauge_reader_next(reader, &event, &err)) == CALLGAUGE_OK) {
 *         status = callgauge_filter_event(filter, event, &passes, &err);
 *         ...
 */
#ifndef CALLGAUGE_FILTER_H
#define CALLGAUGE_FILTER_H

#include <callgauge/analysis.h>
#include <callgauge/reader.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A condition over the events of one capture. */
typedef struct callgauge_filter callgauge_filter;

/**
 * Makes a filter.
 *
 * @param options  of which `where` (must be given), the listing of descriptors and `reader.limits` count. Copied.
 * @param out      set on CALLGAUGE_OK only; free with callgauge_filter_free().
 * @return CALLGAUGE_OK; CALLGAUGE_E_USAGE: no or a wrong condition (line and column say where in it, and the message
 *         ends with it and a caret), or a listing that cannot serve; CALLGAUGE_E_FORMAT: a listing that is none;
 *         CALLGAUGE_E_UNSUPPORTED: `matches` in a build without PCRE2; CALLGAUGE_E_NOMEM.
 * Threads: any.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_filter_new(const callgauge_analysis_options *options,
                                                       callgauge_filter **out, callgauge_error *err);

/**
 * Says that the events that follow are those of `reader` (kept until the next call, or the last event). The files of an
 * -ff set are read one after the other.
 *
 * @return CALLGAUGE_OK, CALLGAUGE_E_NOMEM.
 * Threads: one at a time.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_filter_begin(callgauge_filter *filter, callgauge_reader *reader,
                                                         callgauge_error *err);

/**
 * Tells whether an event meets the condition. Each event of the reader must be shown, once, in its order. Details
 * (dumps, frames) go with the event before them.
 *
 * @param event   that the reader gave last.
 * @param passes  set on CALLGAUGE_OK only. False too when the capture does not tell; callgauge_filter_undecided().
 * @return CALLGAUGE_OK; CALLGAUGE_E_NOMEM: the filter can only be freed.
 * Threads: the reader's.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_filter_event(callgauge_filter *filter, const callgauge_event *event,
                                                         bool *passes, callgauge_error *err);

/**
 * Says that no more events come, while the last reader is still there.
 *
 * @return CALLGAUGE_OK; CALLGAUGE_E_USAGE: the capture has not what the condition reads (no durations, a table of
 *         counts only), so that what passed says nothing, or the listing is of other processes; CALLGAUGE_E_NOMEM.
 * Threads: one at a time.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_filter_finish(callgauge_filter *filter, callgauge_error *err);

/** Counts the events of which the capture did not tell whether they meet the condition. Threads: one at a time. */
CALLGAUGE_EXPORT uint64_t callgauge_filter_undecided(const callgauge_filter *filter);

/** Frees a filter; NULL is fine. Threads: one at a time. */
CALLGAUGE_EXPORT void callgauge_filter_free(callgauge_filter *filter);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* From the files a user names to reports: captures are analysed, saved reports are read. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include <callgauge/callgauge.h>

#include "options.h"
#include "whole_file.h"

/* What the settings say about reading captures. */
callgauge_reader_options inputs_reader_options(const settings *wanted);

/* Whether the dialect that was asked for, if any, can be read. False: `fault` (of `room` bytes) names those that
 * can. */
bool inputs_know_dialect(const settings *wanted, char *fault, size_t room);

/* The pid in the name of a file that strace -ff wrote, when it and another of the files are of one set; else 0.
 * `stem` (may be NULL) gets the bytes before ".NUMBER". */
int64_t inputs_pid(const settings *wanted, size_t index, size_t *stem);

/* Reads the file of --fds, if there is one, and lets `with` hold its text too, as long as `listing` does. False: it
 * cannot be, and that was said. `listing` is to be released, whatever came out. */
bool inputs_read_listing(settings *with, whole_file *listing);

/* What reports are filled with beside calls. */
typedef enum inputs_fill {
    INPUTS_CALLS,     /* nothing */
    INPUTS_PROCESSES, /* processes */
    INPUTS_ALL        /* processes, files, programs, waiting */
} inputs_fill;

/* One report of all files, or, apart, one for each capture and saved report, in the order they were named. */
typedef struct report_list {
    callgauge_report **reports;
    size_t count;
} report_list;

/* False: a file could not be read, and it was said. Freed with inputs_free(), whatever came out. */
bool inputs_load(const settings *wanted, inputs_fill fill, report_list *out);
void inputs_free(report_list *list);

#endif

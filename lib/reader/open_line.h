/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that begin on one line and end on a later one: wrapped by an editor, or broken into by the
 * traced program's output or by the tracer's own notices, as happens when all write to one terminal. */
#ifndef CG_READER_OPEN_LINE_H
#define CG_READER_OPEN_LINE_H

#include "reader/reader.h"

void cg_open_line_init(cg_open_line *open, size_t limit);
void cg_open_line_release(cg_open_line *open);

/* Keeps `text`, which begins a call and does not end. `again`: it is the rest of a physical line that is
 * counted already. False: no memory. */
bool cg_open_line_begin(callgauge_reader *reader, callgauge_str text, const cg_line *line, bool again);

/* What a line is to the open one. */
typedef enum cg_open_rest {
    CG_REST_JOINED,  /* its end: reader->event is the whole call, the earlier lines are counted */
    CG_REST_BETWEEN, /* nothing by itself: kept until the end decides what it was; to be counted later */
    CG_REST_ALONE,   /* something by itself: the open line stays */
    CG_REST_NONE     /* the start of another event: the open line was given up, read the line by itself */
} cg_open_rest;

/* *verdict is set for JOINED and ALONE. */
callgauge_status cg_open_line_continue(callgauge_reader *reader, callgauge_str text, const cg_line *line,
                                       cg_open_rest *rest, cg_verdict *verdict, callgauge_error *err);

/* The open line has no rest: it is unread, what came between is foreign. */
callgauge_status cg_open_line_give_up(callgauge_reader *reader, callgauge_error *err);

/* In reader.c: an unread line is counted, kept and said. */
callgauge_status cg_reader_count_unread(callgauge_reader *reader, const cg_line *line, callgauge_str text,
                                        const char *reason, callgauge_error *err);

#endif

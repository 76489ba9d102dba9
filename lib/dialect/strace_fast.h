/* SPDX-License-Identifier: Apache-2.0 */
/* The fast forms of the strace dialect: calls in the common forms, read from both ends. */
#ifndef CG_DIALECT_STRACE_FAST_H
#define CG_DIALECT_STRACE_FAST_H

#include "dialect/dialect.h"

cg_verdict cg_strace_fast_counts(cg_parse *parse, const cg_line *line, callgauge_event *event);
cg_verdict cg_strace_fast_events(cg_parse *parse, const cg_line *line, callgauge_event *event);

/* Runs of counts alone, of lines whose leader has a shape that has been learnt. */
void cg_strace_lean_counts(cg_parse *parse, cg_lines *lines, cg_run *run);

/* The next line, by itself, when its leader has such a shape. */
cg_verdict cg_strace_lean_event(cg_parse *parse, cg_lines *lines, callgauge_event *event);

/* A half of a call behind a leader that has been read, for counts alone, and as an event: FIRST, REST, HARD, NOMEM. */
struct cg_fast_line;
cg_verdict cg_strace_half_event(cg_parse *parse, const cg_line *line, struct cg_fast_line of, callgauge_event *event);
cg_verdict cg_strace_half_counts(cg_parse *parse, const cg_line *line, struct cg_fast_line of, callgauge_event *event);

/* The time of a stamp like "1796060731.102865", whose digits have been seen. */
int64_t cg_strace_stamp_ns(const char *at);

#endif

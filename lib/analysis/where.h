/* SPDX-License-Identifier: Apache-2.0 */
/* The condition that events must meet to be counted or shown: callgauge_analysis_options.where.
 * Invariant: what could not be decided does not pass, and is counted; a condition that a capture cannot answer at all
 * is an error, never a report of nothing. */
#ifndef CG_ANALYSIS_WHERE_H
#define CG_ANALYSIS_WHERE_H

#include <callgauge/report.h>

#include "predicate/predicate.h"

/* Of one reader; zero: everything passes. */
typedef struct cg_where {
    const cg_predicate *predicate;
    cg_judge *judge;
    uint32_t id;
    bool last_passed; /* what details of the event before follow */
    uint64_t undecided;
} cg_where;

/* `text` NULL: `out` becomes NULL. The errors of cg_predicate_compile(), of the source `option`: "--where",
 * "--unit". */
callgauge_status cg_where_compile(const char *text, const char *option, cg_predicate **out, callgauge_error *err);

/* For the events of a reader of `capture` (kept). `predicate` (kept) may be NULL. False: no memory. */
bool cg_where_init(cg_where *where, const cg_predicate *predicate, const callgauge_capture *capture);
void cg_where_release(cg_where *where);

/* As cg_where_passes(), of a condition that there is. */
bool cg_where_judge(cg_where *where, const callgauge_event *event);

/* Whether an event, already annotated if the predicate reads that, is to be passed on. */
static inline bool cg_where_passes(cg_where *where, const callgauge_event *event)
{
    return where->predicate == NULL || cg_where_judge(where, event);
}

/* Puts what was asked and what stayed undecided into the report's only capture. False: no memory. */
bool cg_where_finish(const cg_where *where, callgauge_report *report);

/* For the end of a capture. E_USAGE: it has not what the predicate (may be NULL) reads. */
callgauge_status cg_where_check(const cg_predicate *predicate, const callgauge_capture *capture, callgauge_error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Calls by the dozen: what a histogram needs of calls that follow each other in a capture, when nobody wants more.
 * The lean form of a dialect fills a run in one loop and a stage counts it in another, so that a call costs no step of
 * the reader and no event. */
#ifndef CG_EVENT_RUN_H
#define CG_EVENT_RUN_H

#include <callgauge/event.h>

/* One call. */
typedef struct cg_run_call {
    const callgauge_call_name *name;
    const callgauge_name *error; /* NULL: none */
    int64_t value;               /* of calls that move bytes only */
    int64_t duration_ns;         /* not negative */
    uint32_t has;                /* CALLGAUGE_HAS_VALUE, CALLGAUGE_HAS_DURATION, no other bits */
    uint32_t flags;              /* CALLGAUGE_CALL_... */
} cg_run_call;

enum { CG_RUN_CALLS = 64 };

typedef struct cg_run {
    cg_run_call calls[CG_RUN_CALLS];
    size_t count;
    callgauge_time_kind kind;    /* of all durations in it */
    uint64_t event_lines;        /* lines read: of whole calls and first halves, */
    uint64_t continuation_lines; /* and of second halves */
    int64_t end_ns;              /* of the last second half; INT64_MIN: there is none, or it tells no time */
} cg_run;

static inline void cg_run_begin(cg_run *run, callgauge_time_kind kind)
{
    run->count = 0;
    run->kind = kind;
    run->event_lines = run->continuation_lines = 0;
    run->end_ns = INT64_MIN;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Rules at work: a stage that takes the events of a capture, and adds what it found to the report of it.
 *
 *     cg_detect_new(&options, &detect, err)                      rules, limits, whether lib/state annotates
 *     cg_detect_begin(detect, capture)                           before the first event of each reader
 *     cg_detect_event(detect, event, err)                        for each event; of calls see cg_detect_takes_calls()
 *     cg_detect_finish(detect, report, err)                      with a sealed report: findings, rules not judged
 */
#ifndef CG_DETECT_DETECT_H
#define CG_DETECT_DETECT_H

#include <callgauge/event.h>
#include <callgauge/rules.h>

#include "report/report.h"
#include "stage/stage.h"

typedef struct cg_detect cg_detect;

/* A limit that no caller sets: texts that rules keep. CG_LIMIT_MATCH, likewise: calls of PCRE2's inner match() for one
 * text, past which a `matches` is undecided. */
#define CG_LIMIT_TEXTS "texts"
enum { CG_USUAL_MATCH_LIMIT = 100000 };

typedef struct cg_detect_options {
    const callgauge_rules *rules; /* kept; NULL: none */
    const callgauge_rules *more;  /* likewise: those of a budget */
    bool followed;                /* events have annotations; else threads and processes are told by their pids */
    callgauge_limits limits;      /* every member set */
} cg_detect_options;

/* What the rules of a set want of an analysis. */
typedef struct cg_detect_needs {
    uint32_t wants;       /* CG_WANT_... */
    bool state, units;    /* lib/state must run, units be counted */
    bool processes, rows; /* rows of processes; of files, descriptors, programs, waiting */
} cg_detect_needs;

/* NULL: nothing. */
cg_detect_needs cg_detect_needs_of(const callgauge_rules *rules);
/* What both want. */
cg_detect_needs cg_detect_needs_join(cg_detect_needs a, cg_detect_needs b);

callgauge_status cg_detect_new(const cg_detect_options *options, cg_detect **out, callgauge_error *err);
void cg_detect_free(cg_detect *detect);
/* `capture` is kept. */
void cg_detect_begin(cg_detect *detect, const callgauge_capture *capture);
callgauge_status cg_detect_event(cg_detect *detect, const callgauge_event *event, callgauge_error *err);
/* Whether a CALL event is one of the calls that shares are shares of. */
static inline bool cg_detect_counts(const callgauge_event *event)
{
    return (event->flags & (CALLGAUGE_CALL_UNRETURNED | CALLGAUGE_CALL_CHILD)) == 0;
}
/* Whether some rule looks at calls one by one. If none does, they need not be given, but for their number. */
bool cg_detect_takes_calls(const cg_detect *detect);
void cg_detect_pass_over(cg_detect *detect, uint64_t calls);
/* The report is sealed, and of one capture; its findings are not settled yet. Once only. */
callgauge_status cg_detect_finish(cg_detect *detect, callgauge_report *report, callgauge_error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What goes on through one capture, which may lie in several files: the state and the listing of descriptors that it
 * was given, the rules at work, the sequences that are recorded, the caller's sinks. */
#ifndef CG_ANALYSIS_FOLLOW_H
#define CG_ANALYSIS_FOLLOW_H

#include <callgauge/analysis.h>

#include "detect/detect.h"
#include "detect/expect.h"
#include "predicate/predicate.h"
#include "state/state.h"

typedef struct cg_follow {
    cg_listing listing;
    cg_state *state;
    bool has_listing, any_pid;
    bool has_rows;               /* the stage of processes says itself which ones passed the limit */
    const char *listing_name;    /* the caller's */
    cg_detect *detect;           /* NULL: no rules */
    cg_expect *expect;           /* NULL: no sequence is to be recorded */
    const callgauge_sink *sinks; /* the caller's */
    size_t sink_count;
    bool takes_calls;      /* rules, the recorder or sinks look at calls one by one */
    uint64_t passed_calls; /* that were only counted */
} cg_follow;

/* The rules that a budget brings; NULL: none. */
const callgauge_rules *cg_follow_rules_of(const callgauge_budget *budget);

/* What the rules of the options, those of their budget and its expected sequences want of an analysis. */
cg_detect_needs cg_follow_needs(const callgauge_analysis_options *options);

/* Whether anything that the options (settled) ask for, or their condition (NULL: none), needs processes and
 * descriptors. */
bool cg_follow_is_wanted(const callgauge_analysis_options *options, const cg_predicate *where);

/* Reads the listing of the options, if any. E_FORMAT: it is none; E_USAGE: it is of several processes and is to stand
 * for any; E_NOMEM. */
callgauge_status cg_follow_new(const callgauge_analysis_options *options, cg_follow **out, callgauge_error *err);
/* NULL is fine. */
void cg_follow_free(cg_follow *follow);

/* The events that follow are those of a reader whose capture this is (kept). */
callgauge_status cg_follow_begin(cg_follow *follow, const callgauge_capture *capture, callgauge_error *err);

/* As cg_follow_event(), of an event that somebody looks at. */
callgauge_status cg_follow_tell(cg_follow *follow, const callgauge_event *event, callgauge_error *err);

/* Counts a call that nobody looks at. */
static inline void cg_follow_pass_over(cg_follow *follow, const callgauge_event *call)
{
    follow->passed_calls += cg_detect_counts(call);
}

/* Tells rules, recorder and sinks of an event, which is annotated. */
static inline callgauge_status cg_follow_event(cg_follow *follow, const callgauge_event *event, callgauge_error *err)
{
    if (follow->takes_calls || event->kind != CALLGAUGE_EVENT_CALL) {
        return cg_follow_tell(follow, event, err);
    }
    cg_follow_pass_over(follow, event);
    return CALLGAUGE_OK;
}

/* Adds what rules, recorder and sinks found to the sealed report of the whole capture. */
callgauge_status cg_follow_close(cg_follow *follow, callgauge_report *report, callgauge_error *err);

/* For the end of capture `name`. E_USAGE: the listing is of other processes. */
callgauge_status cg_follow_check(const cg_follow *follow, const char *name, callgauge_error *err);

/* Adds what was assumed, and the limits that were passed, to the report of a capture. False: no memory. */
bool cg_follow_finish(const cg_follow *follow, callgauge_report *report);

#endif

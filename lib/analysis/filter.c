/* SPDX-License-Identifier: Apache-2.0 */
/* A condition for the events of pull readers: the condition of an analysis, and the state that it may need, for who has
 * no analysis. */
#include <callgauge/filter.h>

#include "analysis/analysis.h"
#include "base/error.h"
#include "base/mem.h"
#include "reader/reader.h"

struct callgauge_filter {
    cg_predicate *predicate;
    cg_follow *follow; /* NULL: the condition reads nothing that is followed */
    cg_where where;
    callgauge_reader *reader;
    callgauge_capture seen; /* what the readers before have shown */
    uint64_t undecided;     /* of them */
};

callgauge_status callgauge_filter_new(const callgauge_analysis_options *options, callgauge_filter **out,
                                      callgauge_error *err)
{
    callgauge_analysis_options settled;
    callgauge_status status = cg_analysis_settle(options, &settled, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    if (settled.where == NULL) {
        return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ 0 }, "no condition is given");
    }
    callgauge_filter *filter = cg_mem_zeroed(1, sizeof *filter);
    if (filter == NULL) {
        return cg_fail_nomem(err);
    }
    status = cg_where_compile(settled.where, "--where", &filter->predicate, err);
    if (status == CALLGAUGE_OK && (settled.fds != NULL || cg_predicate_about(filter->predicate)->reads_state)) {
        status = cg_follow_new(&settled, &filter->follow, err);
    }
    if (status != CALLGAUGE_OK) {
        callgauge_filter_free(filter);
        return status;
    }
    *out = filter;
    return CALLGAUGE_OK;
}

/* Keeps what the reader has shown, and its count. */
static void leave_reader(callgauge_filter *filter)
{
    if (filter->reader == NULL) {
        return;
    }
    const callgauge_capture *capture = callgauge_reader_capture(filter->reader);
    filter->seen.traits |= capture->traits;
    filter->seen.has_events |= capture->has_events;
    filter->seen.has_table |= capture->has_table;
    filter->undecided += filter->where.undecided;
    filter->where.undecided = 0;
}

callgauge_status callgauge_filter_begin(callgauge_filter *filter, callgauge_reader *reader, callgauge_error *err)
{
    leave_reader(filter);
    cg_where_release(&filter->where);
    filter->reader = reader;
    if (!cg_where_init(&filter->where, filter->predicate, callgauge_reader_capture(reader))) {
        return cg_fail_nomem(err);
    }
    if (filter->follow != NULL) {
        cg_state_begin(filter->follow->state, cg_reader_open_calls(reader));
    }
    return CALLGAUGE_OK;
}

callgauge_status callgauge_filter_event(callgauge_filter *filter, const callgauge_event *event, bool *passes,
                                        callgauge_error *err)
{
    cg_state *state = filter->follow == NULL ? NULL : filter->follow->state;
    if (state != NULL && !cg_state_annotate(state, cg_reader_event(filter->reader, event))) {
        return cg_fail_nomem(err);
    }
    bool passed = cg_where_passes(&filter->where, event);
    bool ok = !cg_judge_counts_of(filter->where.judge)->no_memory;
    if (!ok || (state != NULL && !cg_state_apply(state))) {
        return cg_fail_nomem(err);
    }
    *passes = passed;
    return CALLGAUGE_OK;
}

callgauge_status callgauge_filter_finish(callgauge_filter *filter, callgauge_error *err)
{
    if (filter->reader == NULL) {
        return CALLGAUGE_OK;
    }
    filter->seen.name = callgauge_reader_capture(filter->reader)->name;
    leave_reader(filter);
    callgauge_status status = cg_where_check(filter->predicate, &filter->seen, err);
    if (status == CALLGAUGE_OK && filter->follow != NULL) {
        status = cg_follow_check(filter->follow, filter->seen.name, err);
    }
    filter->reader = NULL;
    return status;
}

uint64_t callgauge_filter_undecided(const callgauge_filter *filter)
{
    return filter->undecided + filter->where.undecided;
}

void callgauge_filter_free(callgauge_filter *filter)
{
    if (filter == NULL) {
        return;
    }
    cg_where_release(&filter->where);
    cg_follow_free(filter->follow);
    cg_predicate_free(filter->predicate);
    cg_mem_free(filter);
}

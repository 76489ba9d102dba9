/* SPDX-License-Identifier: Apache-2.0 */
/* From the options of an analysis to the state that follows a capture, and from that state to what the report says of
 * it: the listing that was taken, limits, contradictions.
 * Invariant: a listing that names no process of the capture is an error, never passed over. */
#include "analysis/follow.h"

#include <inttypes.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"
#include "report/finding.h"
#include "report/report.h"
#include "rules/budget.h"

struct callgauge_findings {
    callgauge_report *report;
};

const callgauge_rules *cg_follow_rules_of(const callgauge_budget *budget)
{
    return budget == NULL || budget->rules->count == 0 ? NULL : budget->rules;
}

cg_detect_needs cg_follow_needs(const callgauge_analysis_options *options)
{
    const cg_detect_needs of_budget = cg_detect_needs_join(cg_detect_needs_of(cg_follow_rules_of(options->budget)),
                                                           cg_expect_needs_of(options->budget));
    return cg_detect_needs_join(cg_detect_needs_of(options->rules), of_budget);
}

bool cg_follow_is_wanted(const callgauge_analysis_options *options, const cg_predicate *where)
{
    return options->follow || options->per_process || options->fds != NULL || options->unit == CALLGAUGE_UNIT_CALL ||
           options->unit == CALLGAUGE_UNIT_REQUEST || options->unit == CALLGAUGE_UNIT_PREDICATE ||
           options->rules != NULL || cg_follow_rules_of(options->budget) != NULL ||
           cg_expect_is_wanted(options->budget) || options->sink_count > 0 ||
           (where != NULL && cg_predicate_about(where)->reads_state);
}

static callgauge_status read_listing(cg_follow *follow, const callgauge_analysis_options *options, callgauge_error *err)
{
    if (options->fds == NULL) {
        return CALLGAUGE_OK;
    }
    follow->listing_name = options->fds_name == NULL ? "listing" : options->fds_name;
    follow->any_pid = options->fds_any_pid;
    callgauge_status status = cg_listing_read(follow->listing_name, cg_str(options->fds, options->fds_len),
                                              &follow->listing, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    follow->has_listing = true;
    if (follow->any_pid && follow->listing.pid_count > 1) {
        const cg_place place = { .name = follow->listing_name };
        return cg_fail(err, CALLGAUGE_E_USAGE, place,
                       "the listing is of %zu processes: only one can stand for those of the capture",
                       follow->listing.pid_count);
    }
    return CALLGAUGE_OK;
}

callgauge_status cg_follow_new(const callgauge_analysis_options *options, cg_follow **out, callgauge_error *err)
{
    cg_follow *follow = cg_mem_zeroed(1, sizeof *follow);
    if (follow == NULL) {
        return cg_fail_nomem(err);
    }
    follow->has_rows = options->follow || options->per_process;
    callgauge_status status = read_listing(follow, options, err);
    if (status != CALLGAUGE_OK) {
        cg_follow_free(follow);
        return status;
    }
    const cg_state_options wanted = {
        .listing = follow->has_listing ? &follow->listing : NULL,
        .any_pid = follow->any_pid,
        .limits = options->reader.limits,
    };
    follow->state = cg_state_new(&wanted);
    status = follow->state == NULL ? cg_fail_nomem(err) : CALLGAUGE_OK;
    const cg_detect_options detect = { .rules = options->rules,
                                       .more = cg_follow_rules_of(options->budget),
                                       .followed = true,
                                       .limits = options->reader.limits };
    if (status == CALLGAUGE_OK && (detect.rules != NULL || detect.more != NULL)) {
        status = cg_detect_new(&detect, &follow->detect, err);
    }
    if (status == CALLGAUGE_OK && cg_expect_is_wanted(options->budget)) {
        status = cg_expect_new(options->budget, &options->reader.limits, &follow->expect, err);
    }
    if (status != CALLGAUGE_OK) {
        cg_follow_free(follow);
        return status;
    }
    follow->sinks = options->sinks;
    follow->sink_count = options->sink_count;
    follow->takes_calls = follow->sink_count > 0 || follow->expect != NULL ||
                          (follow->detect != NULL && cg_detect_takes_calls(follow->detect));
    *out = follow;
    return CALLGAUGE_OK;
}

void cg_follow_free(cg_follow *follow)
{
    if (follow == NULL) {
        return;
    }
    cg_detect_free(follow->detect);
    cg_expect_free(follow->expect);
    cg_state_free(follow->state);
    cg_listing_release(&follow->listing);
    cg_mem_free(follow);
}

callgauge_status cg_follow_begin(cg_follow *follow, const callgauge_capture *capture, callgauge_error *err)
{
    if (follow->detect != NULL) {
        cg_detect_begin(follow->detect, capture);
    }
    if (follow->expect != NULL) {
        cg_expect_begin(follow->expect, capture);
    }
    callgauge_status status = CALLGAUGE_OK;
    for (size_t i = 0; status == CALLGAUGE_OK && i < follow->sink_count; i++) {
        const callgauge_sink *sink = &follow->sinks[i];
        status = sink->begin == NULL ? CALLGAUGE_OK : sink->begin(sink->ctx, capture, err);
    }
    return status;
}

callgauge_status cg_follow_tell(cg_follow *follow, const callgauge_event *event, callgauge_error *err)
{
    callgauge_status status = CALLGAUGE_OK;
    if (follow->detect != NULL) {
        status = cg_detect_event(follow->detect, event, err);
    }
    if (status == CALLGAUGE_OK && follow->expect != NULL) {
        status = cg_expect_event(follow->expect, event, err);
    }
    for (size_t i = 0; status == CALLGAUGE_OK && i < follow->sink_count; i++) {
        status = follow->sinks[i].event(follow->sinks[i].ctx, event, err);
    }
    return status > 0 ? CALLGAUGE_OK : status;
}

callgauge_status cg_follow_close(cg_follow *follow, callgauge_report *report, callgauge_error *err)
{
    callgauge_status status = CALLGAUGE_OK;
    if (follow->detect != NULL) {
        cg_detect_pass_over(follow->detect, follow->passed_calls);
        status = cg_detect_finish(follow->detect, report, err);
    }
    if (status == CALLGAUGE_OK && follow->expect != NULL) {
        status = cg_expect_finish(follow->expect, report, err);
    }
    for (size_t i = 0; status >= 0 && i < follow->sink_count; i++) {
        callgauge_findings to = { report };
        const callgauge_sink *sink = &follow->sinks[i];
        status = sink->finish == NULL ? CALLGAUGE_OK : sink->finish(sink->ctx, report, &to, err);
    }
    if (status < 0) {
        return status;
    }
    return cg_report_settle_findings(report) ? CALLGAUGE_OK : cg_fail_nomem(err);
}

callgauge_status callgauge_findings_add(callgauge_findings *to, const callgauge_finding_row *finding,
                                        callgauge_error *err)
{
    if (finding->rule.len == 0 || finding->title.len == 0) {
        return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ 0 }, "a finding needs a rule and a title");
    }
    return cg_report_add_finding(to->report, finding) ? CALLGAUGE_OK : cg_fail_nomem(err);
}

callgauge_status cg_follow_check(const cg_follow *follow, const char *name, callgauge_error *err)
{
    const cg_state_counts *counts = cg_state_counts_of(follow->state);
    if (!follow->has_listing || follow->any_pid || counts->listing_used || counts->listing_taken != CG_UNKNOWN) {
        return CALLGAUGE_OK;
    }
    const cg_place place = { .name = follow->listing_name };
    if (follow->listing.pid_count != 1) {
        return cg_fail(err, CALLGAUGE_E_USAGE, place, "none of its %zu processes is in %s (--fds-any-pid takes one)",
                       follow->listing.pid_count, name);
    }
    return cg_fail(err, CALLGAUGE_E_USAGE, place,
                   "its process %" PRId64 " is not in %s (--fds-any-pid takes it anyway)", follow->listing.pids[0],
                   name);
}

static bool assume_process(callgauge_report *report, int64_t pid)
{
    callgauge_capture *capture = &report->captures[0].capture;
    cg_buf taken;
    cg_buf_init(&taken, SIZE_MAX);
    callgauge_assumption *rows = cg_arena_alloc(&report->arena, (capture->assumed_count + 1) * sizeof *rows);
    const char *text = cg_buf_printf(&taken, "%" PRId64, pid) ? cg_arena_copy(&report->arena, taken.data, taken.len)
                                                              : NULL;
    cg_buf_release(&taken);
    if (rows == NULL || text == NULL) {
        return false;
    }
    for (size_t i = 0; i < capture->assumed_count; i++) {
        rows[i] = capture->assumed[i];
    }
    rows[capture->assumed_count++] = (callgauge_assumption){ "process of the listing", text, "--fds" };
    capture->assumed = rows;
    return true;
}

bool cg_follow_finish(const cg_follow *follow, callgauge_report *report)
{
    const cg_state_counts *counts = cg_state_counts_of(follow->state);
    report->captures[0].fd_contradictions = counts->contradictions;
    report->captures[0].fds_received = counts->received;
    bool assumed = counts->listing_taken == CG_UNKNOWN || assume_process(report, counts->listing_taken);
    return assumed &&
           (counts->dropped_files == 0 ||
            cg_report_add_limit(report, "paths", counts->kept_files, counts->dropped_files)) &&
           (counts->dropped_fds == 0 ||
            cg_report_add_limit(report, "descriptors", counts->kept_fds, counts->dropped_fds)) &&
           (counts->dropped_processes == 0 || follow->has_rows ||
            cg_report_add_limit(report, "processes", counts->kept_processes, counts->dropped_processes));
}

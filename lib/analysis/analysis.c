/* SPDX-License-Identifier: Apache-2.0 */
/* Wires a reader to the stages and freezes what they counted into the report of one capture.
 * Invariant: after a failure no event is passed on any more, so that no report can miss one in silence. */
#include "analysis/analysis.h"

#include "analysis/complete.h"
#include "event/conceal.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/options.h"
#include "reader/reader.h"
#include "report/traced.h"
#include "stage/files.h"
#include "stage/histogram.h"
#include "stage/processes.h"
#include "stage/units.h"
#include "stage/waiting.h"
#include "stage/waits.h"

enum {
    MOST_STAGES = 6,
    MOST_FED = 128 * 1024 /* bytes given to the reader at one time, so that its buffer stays small */
};

struct callgauge_analysis {
    callgauge_reader *reader;
    cg_stage stages[MOST_STAGES];
    size_t stage_count;
    cg_state *state;   /* of `follow`; NULL: nobody wants it */
    cg_follow *follow; /* NULL: nobody wants it */
    cg_follow *own;    /* `follow`, where it is to be freed with this */
    cg_where where;
    cg_predicate *own_where; /* the condition, where it is to be freed with this */
    cg_where starts;         /* which calls begin a unit of work, where a condition says it */
    cg_predicate *own_starts;
    cg_complete complete;
    size_t all_seeing; /* stages at the front that see what does not pass, too */
    bool closed;       /* finished or failed */
};

callgauge_status cg_analysis_settle(const callgauge_analysis_options *given, callgauge_analysis_options *out,
                                    callgauge_error *err)
{
    callgauge_analysis_options options;
    callgauge_status status = cg_options_copy(given, "analysis", &options, sizeof options, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    if (options.unit == CALLGAUGE_UNIT_NUMBER && options.unit_count == 0) {
        return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ 0 }, "the number of units is 0");
    }
    bool by_text = options.unit == CALLGAUGE_UNIT_CALL || options.unit == CALLGAUGE_UNIT_PREDICATE;
    if (by_text && options.unit_call == NULL) {
        return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ 0 }, "the call that starts a unit is not named");
    }
    const cg_detect_needs needs = cg_follow_needs(&options);
    options.per_process |= needs.processes;
    options.follow |= needs.rows || (options.budget != NULL && callgauge_budget_needs_files(options.budget));
    options.unit = options.unit == CALLGAUGE_UNIT_NONE && needs.units ? CALLGAUGE_UNIT_REQUEST : options.unit;
    cg_traced traced;
    status = cg_traced_init(options.traced, "--traced", &traced, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    options.jobs = options.sink_count > 0 ? 1 : options.jobs;
    options.reader.size = sizeof options.reader;
    cg_limits_settle(&options.reader.limits);
    *out = options;
    return CALLGAUGE_OK;
}

static callgauge_status new_histogram(const callgauge_analysis *analysis, const callgauge_analysis_options *options,
                                      cg_stage *out, callgauge_error *err)
{
    const cg_histogram_options histogram = {
        .cpu_is_sure = options->reader.time_kind == CALLGAUGE_TIME_CPU,
        .limits = options->reader.limits,
        .on_diag = options->reader.on_diag,
        .diag_ctx = options->reader.diag_ctx,
        .source = callgauge_reader_capture(analysis->reader)->name,
    };
    return cg_histogram_new(&histogram, out, err);
}

static callgauge_status new_processes(const callgauge_analysis *analysis, const callgauge_analysis_options *options,
                                      cg_stage *out, callgauge_error *err)
{
    (void)analysis;
    const cg_processes_options processes = { .limits = options->reader.limits };
    return cg_processes_new(&processes, out, err);
}

static bool each_open_fd(const void *state, cg_open_fd_fn *take, void *ctx)
{
    return cg_state_each_fd(state, take, ctx);
}

static callgauge_status new_files(const callgauge_analysis *analysis, const callgauge_analysis_options *options,
                                  cg_stage *out, callgauge_error *err)
{
    const cg_files_options files = { .limits = options->reader.limits, .open_fds = { each_open_fd, analysis->state } };
    return cg_files_new(&files, out, err);
}

static callgauge_status new_waiting(const callgauge_analysis *analysis, const callgauge_analysis_options *options,
                                    cg_stage *out, callgauge_error *err)
{
    (void)analysis;
    const cg_waiting_options waiting = { .limits = options->reader.limits };
    return cg_waiting_new(&waiting, out, err);
}

static callgauge_status new_units(const callgauge_analysis *analysis, const callgauge_analysis_options *options,
                                  cg_stage *out, callgauge_error *err)
{
    const cg_units_options units = {
        .from = options->unit,
        .count = options->unit_count,
        .call = options->unit_call,
        .limits = options->reader.limits,
        .unit_now = analysis->state == NULL ? NULL : cg_state_unit(analysis->state),
    };
    return cg_units_new(&units, out, err);
}

typedef callgauge_status new_stage_fn(const callgauge_analysis *analysis, const callgauge_analysis_options *options,
                                      cg_stage *out, callgauge_error *err);

/* The library's own stages, as far as somebody wants what they fill in. */
static callgauge_status add_stages(callgauge_analysis *analysis, const callgauge_analysis_options *options,
                                   callgauge_error *err)
{
    const struct {
        new_stage_fn *make;
        bool wanted;
    } stages[] = {
        { new_histogram, true },
        { new_processes, options->follow || options->per_process },
        { new_files, options->follow },
        { new_waiting, options->follow },
        { new_units, options->unit != CALLGAUGE_UNIT_NONE },
    };
    callgauge_status status = CALLGAUGE_OK;
    for (size_t i = 0; i < sizeof stages / sizeof *stages && status == CALLGAUGE_OK; i++) {
        if (stages[i].wanted) {
            status = stages[i].make(analysis, options, &analysis->stages[analysis->stage_count], err);
            analysis->stage_count += status == CALLGAUGE_OK;
        }
    }
    return status;
}

callgauge_status cg_starts_compile(const callgauge_analysis_options *options, cg_predicate **out, callgauge_error *err)
{
    return cg_where_compile(options->unit == CALLGAUGE_UNIT_PREDICATE ? options->unit_call : NULL, "--unit", out, err);
}

/* Gets the condition ready that says which calls begin a unit, if there is one. */
static callgauge_status begin_starts(callgauge_analysis *analysis, const callgauge_analysis_options *options,
                                     callgauge_error *err)
{
    callgauge_status status = cg_starts_compile(options, &analysis->own_starts, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    const callgauge_capture *capture = callgauge_reader_capture(analysis->reader);
    return cg_where_init(&analysis->starts, analysis->own_starts, capture) ? CALLGAUGE_OK : cg_fail_nomem(err);
}

callgauge_status cg_analysis_over(callgauge_reader *reader, const callgauge_analysis_options *options,
                                  const cg_predicate *where, cg_follow *follow, const cg_stage *extra,
                                  callgauge_analysis **out, callgauge_error *err)
{
    callgauge_analysis *analysis = cg_mem_zeroed(1, sizeof *analysis);
    if (analysis == NULL) {
        callgauge_reader_free(reader);
        if (extra != NULL) {
            extra->free(extra->self);
        }
        return cg_fail_nomem(err);
    }
    analysis->reader = reader;
    analysis->complete = (cg_complete){ options->traced, options->follow };
    if (follow != NULL) {
        analysis->follow = follow;
        analysis->state = follow->state;
        cg_state_begin(follow->state, cg_reader_open_calls(reader));
    }
    if (extra != NULL) {
        analysis->stages[analysis->stage_count++] = *extra;
        analysis->all_seeing = 1;
    }
    callgauge_status status = cg_where_init(&analysis->where, where, callgauge_reader_capture(reader))
                                  ? add_stages(analysis, options, err)
                                  : cg_fail_nomem(err);
    if (status == CALLGAUGE_OK) {
        status = begin_starts(analysis, options, err);
    }
    if (status == CALLGAUGE_OK && follow != NULL) {
        status = cg_follow_begin(follow, callgauge_reader_capture(reader), err);
    }
    if (status < 0) {
        callgauge_analysis_free(analysis);
        return status;
    }
    uint32_t wants = analysis->state == NULL && where == NULL ? CG_WANT_COUNTS : CG_WANT_SCALARS;
    wants |= where != NULL ? cg_predicate_about(where)->wants : CG_WANT_COUNTS;
    wants |= analysis->own_starts != NULL ? cg_predicate_about(analysis->own_starts)->wants : CG_WANT_COUNTS;
    wants |= cg_follow_needs(options).wants;
    wants |= options->sink_count > 0 ? CG_WANT_SCALARS | CG_WANT_THREAD : CG_WANT_COUNTS;
    for (size_t i = 0; i < analysis->stage_count; i++) {
        wants |= analysis->stages[i].wants | (analysis->stages[i].run == NULL ? CG_WANT_SCALARS : 0);
    }
    cg_reader_want(reader, wants);
    *out = analysis;
    return CALLGAUGE_OK;
}

/* The analysis of a new reader; `follow` and `where` (may be NULL) are its own when this went well. */
static callgauge_status new_over(const char *name, const callgauge_analysis_options *settled, cg_predicate *where,
                                 cg_follow *follow, callgauge_analysis **out, callgauge_error *err)
{
    callgauge_reader *reader;
    callgauge_status status = callgauge_reader_new(name, &settled->reader, &reader, err);
    if (status == CALLGAUGE_OK) {
        status = cg_analysis_over(reader, settled, where, follow, NULL, out, err);
    }
    if (status == CALLGAUGE_OK) {
        (*out)->own = follow;
        (*out)->own_where = where;
    }
    return status;
}

callgauge_status callgauge_analysis_new(const char *name, const callgauge_analysis_options *options,
                                        callgauge_analysis **out, callgauge_error *err)
{
    callgauge_analysis_options settled;
    cg_predicate *where = NULL;
    cg_follow *follow = NULL;
    callgauge_status status = cg_analysis_settle(options, &settled, err);
    if (status == CALLGAUGE_OK) {
        status = cg_where_compile(settled.where, "--where", &where, err);
    }
    if (status == CALLGAUGE_OK && cg_follow_is_wanted(&settled, where)) {
        status = cg_follow_new(&settled, &follow, err);
    }
    if (status == CALLGAUGE_OK) {
        status = new_over(name, &settled, where, follow, out, err);
    }
    if (status != CALLGAUGE_OK) {
        cg_follow_free(follow);
        cg_predicate_free(where);
    }
    return status;
}

/* How many stages see an event. */
static size_t count_seeing(callgauge_analysis *analysis, const callgauge_event *event)
{
    return cg_where_passes(&analysis->where, event) ? analysis->stage_count : analysis->all_seeing;
}

/* Passes on calls as long as they come in runs: where nobody wants more than counts, nearly all do. */
static callgauge_status pump_runs(callgauge_analysis *analysis, callgauge_error *err)
{
    cg_run run;
    callgauge_status status = CALLGAUGE_OK;
    while (status == CALLGAUGE_OK && cg_reader_run(analysis->reader, &run)) {
        for (size_t i = 0; status == CALLGAUGE_OK && i < analysis->stage_count; i++) {
            status = analysis->stages[i].run(analysis->stages[i].self, &run, err);
        }
    }
    return status;
}

/* What the stages share of an event: who it is of, and whether it waits. False: no memory. */
static inline bool annotate(callgauge_analysis *analysis, callgauge_event *own)
{
    if (!cg_state_annotate(analysis->state, own)) {
        return false;
    }
    if (own->kind == CALLGAUGE_EVENT_CALL && own->call != NULL) {
        cg_waits_judge(own);
    }
    if (analysis->starts.predicate != NULL && own->kind == CALLGAUGE_EVENT_CALL &&
        cg_where_passes(&analysis->starts, own)) {
        own->flags |= CG_CALL_STARTS;
    }
    return true;
}

/* Whether the state has something to do when all have seen the event. */
static inline bool acts(const callgauge_event *event)
{
    return event->annotation != NULL && event->annotation->acts;
}

/* Hands an event to all who want it. `own`: the same, for who writes its annotation. */
static inline callgauge_status pass_on(callgauge_analysis *analysis, const callgauge_event *event, callgauge_event *own,
                                       callgauge_error *err)
{
    if (analysis->state != NULL && !annotate(analysis, own)) {
        return cg_fail_nomem(err);
    }
    callgauge_status status = CALLGAUGE_OK;
    const size_t seeing = count_seeing(analysis, event);
    const cg_stage *stage = analysis->stages, *end = stage + seeing;
    for (; status == CALLGAUGE_OK && stage < end; stage++) {
        status = stage->event(stage->self, event, err);
    }
    if (status == CALLGAUGE_OK && analysis->follow != NULL && seeing == analysis->stage_count) {
        status = cg_follow_event(analysis->follow, event, err);
    }
    if (status == CALLGAUGE_OK && acts(event) && !cg_state_apply(analysis->state)) {
        status = cg_fail_nomem(err);
    }
    return status;
}

/* The same of a call that no condition, no rule and no sink looks at. */
static inline callgauge_status pass_on_call(callgauge_analysis *analysis, callgauge_event *call, callgauge_error *err)
{
    if (!cg_state_annotate(analysis->state, call)) {
        return cg_fail_nomem(err);
    }
    cg_waits_judge(call);
    callgauge_status status = CALLGAUGE_OK;
    const cg_stage *stage = analysis->stages, *end = stage + analysis->stage_count;
    for (; status == CALLGAUGE_OK && stage < end; stage++) {
        status = stage->event(stage->self, call, err);
    }
    cg_follow_pass_over(analysis->follow, call);
    if (status == CALLGAUGE_OK && acts(call) && !cg_state_apply(analysis->state)) {
        status = cg_fail_nomem(err);
    }
    return status;
}

static callgauge_status pump_event(callgauge_analysis *analysis, callgauge_error *err)
{
    const callgauge_event *event;
    callgauge_status status = cg_reader_next(analysis->reader, &event, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    return pass_on(analysis, event, cg_reader_event(analysis->reader, event), err);
}

/* Passes on calls as long as the lean form reads them. */
static callgauge_status pump_lean(callgauge_analysis *analysis, callgauge_error *err)
{
    const bool all_pass = analysis->where.predicate == NULL && analysis->starts.predicate == NULL &&
                          !analysis->follow->takes_calls;
    callgauge_event *call;
    callgauge_status status = CALLGAUGE_OK;
    while (status == CALLGAUGE_OK && (call = cg_reader_lean_event(analysis->reader)) != NULL) {
        status = all_pass ? pass_on_call(analysis, call, err) : pass_on(analysis, call, call, err);
    }
    return status;
}

callgauge_status cg_analysis_pump(callgauge_analysis *analysis, callgauge_error *err)
{
    callgauge_status status = CALLGAUGE_OK;
    while (status == CALLGAUGE_OK) {
        status = analysis->state == NULL ? pump_runs(analysis, err) : pump_lean(analysis, err);
        status = status == CALLGAUGE_OK ? pump_event(analysis, err) : status;
    }
    analysis->closed = status < 0;
    return status;
}

static callgauge_status refuse_closed(const callgauge_analysis *analysis, callgauge_error *err)
{
    if (!analysis->closed) {
        return CALLGAUGE_OK;
    }
    const cg_place place = { .name = callgauge_reader_capture(analysis->reader)->name };
    return cg_fail(err, CALLGAUGE_E_USAGE, place, "the analysis has ended and can only be freed");
}

callgauge_status callgauge_analysis_feed(callgauge_analysis *analysis, const void *data, size_t len,
                                         callgauge_error *err)
{
    const char *from = data;
    callgauge_status status = refuse_closed(analysis, err);
    while (status >= 0 && len > 0) {
        size_t part = len < MOST_FED ? len : MOST_FED;
        status = callgauge_reader_feed(analysis->reader, from, part, err);
        if (status == CALLGAUGE_OK) {
            status = cg_analysis_pump(analysis, err);
        }
        from += part;
        len -= part;
    }
    analysis->closed = status < 0;
    return status < 0 ? status : CALLGAUGE_OK;
}

callgauge_status callgauge_analysis_finish(callgauge_analysis *analysis, callgauge_report **out, callgauge_error *err)
{
    callgauge_status status = refuse_closed(analysis, err);
    if (status == CALLGAUGE_OK) {
        status = callgauge_reader_finish(analysis->reader, err);
    }
    if (status == CALLGAUGE_OK) {
        status = cg_analysis_pump(analysis, err);
    }
    analysis->closed = true;
    if (status >= 0 && analysis->follow != NULL) {
        status = cg_follow_check(analysis->follow, callgauge_reader_capture(analysis->reader)->name, err);
    }
    if (status >= 0) {
        status = cg_where_check(analysis->where.predicate, callgauge_reader_capture(analysis->reader), err);
    }
    if (status >= 0) {
        status = cg_where_check(analysis->own_starts, callgauge_reader_capture(analysis->reader), err);
    }
    if (status < 0) {
        return status;
    }
    callgauge_report *report;
    status = cg_analysis_seal(analysis, &report, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    status = cg_report_refuse_empty(report, callgauge_reader_capture(analysis->reader)->name, err);
    if (status == CALLGAUGE_OK && !cg_complete_settle(&analysis->complete, report)) {
        status = cg_fail_nomem(err);
    }
    if (status == CALLGAUGE_OK && analysis->follow != NULL) {
        status = cg_follow_close(analysis->follow, report, err);
    }
    if (status != CALLGAUGE_OK) {
        callgauge_report_free(report);
        return status;
    }
    *out = report;
    return CALLGAUGE_OK;
}

static bool conceal_unread(cg_arena *arena, callgauge_capture *capture)
{
    callgauge_unread *rows = cg_arena_alloc(arena, capture->unread_count * sizeof *rows);
    for (size_t i = 0; rows != NULL && i < capture->unread_count; i++) {
        rows[i] = capture->unread[i];
        if (!cg_conceal(arena, capture->unread[i].text, &rows[i].text)) {
            return false;
        }
    }
    capture->unread = rows;
    return rows != NULL;
}

/* One capture row, in place before the stages finish: the histogram fills in what the tables said. */
static callgauge_status add_capture(callgauge_report *report, const callgauge_capture *capture, callgauge_error *err)
{
    const callgauge_capture_row known = { .capture = *capture };
    callgauge_capture_row *row = cg_arena_alloc(&report->arena, sizeof *row);
    if (row == NULL || !cg_capture_row_copy(&report->arena, &known, row) ||
        !conceal_unread(&report->arena, &row->capture)) {
        return cg_fail_nomem(err);
    }
    report->captures = row;
    report->capture_count = 1;
    return CALLGAUGE_OK;
}

/* A single stamp tells no time that passed. */
static void settle_elapsed(callgauge_report *report, const callgauge_capture *capture)
{
    bool stamped = capture->first_ns != INT64_MIN && capture->last_ns != INT64_MIN;
    if (report->totals.elapsed_ns == CALLGAUGE_UNKNOWN && stamped && capture->last_ns > capture->first_ns) {
        report->totals.elapsed_ns = capture->last_ns - capture->first_ns;
    }
}

static callgauge_status add_limits(callgauge_report *report, const callgauge_reader *reader, callgauge_error *err)
{
    cg_reader_limit rows[CG_READER_LIMITS];
    size_t count = cg_reader_limits_hit(reader, rows);
    for (size_t i = 0; i < count; i++) {
        if (!cg_report_add_limit(report, rows[i].limit, rows[i].kept, rows[i].dropped)) {
            return cg_fail_nomem(err);
        }
    }
    return CALLGAUGE_OK;
}

callgauge_status cg_analysis_seal(callgauge_analysis *analysis, callgauge_report **out, callgauge_error *err)
{
    const callgauge_capture *capture = callgauge_reader_capture(analysis->reader);
    callgauge_report *report = cg_report_new();
    if (report == NULL) {
        return cg_fail_nomem(err);
    }
    callgauge_status status = add_capture(report, capture, err);
    if (status == CALLGAUGE_OK) {
        status = add_limits(report, analysis->reader, err);
    }
    if (status == CALLGAUGE_OK && !cg_where_finish(&analysis->where, report)) {
        status = cg_fail_nomem(err);
    }
    if (status == CALLGAUGE_OK && analysis->follow != NULL && !cg_follow_finish(analysis->follow, report)) {
        status = cg_fail_nomem(err);
    }
    for (size_t i = 0; status == CALLGAUGE_OK && i < analysis->stage_count; i++) {
        status = analysis->stages[i].finish(analysis->stages[i].self, report, err);
    }
    if (status != CALLGAUGE_OK) {
        callgauge_report_free(report);
        return status;
    }
    report->unit.undecided = analysis->starts.undecided;
    settle_elapsed(report, capture);
    cg_report_seal(report);
    *out = report;
    return CALLGAUGE_OK;
}

callgauge_status cg_report_refuse_empty(const callgauge_report *report, const char *name, callgauge_error *err)
{
    const callgauge_capture_row *row = &report->captures[0];
    bool asked = row->where != NULL && (row->capture.has_events || row->capture.has_table);
    if (asked || report->call_count + report->signal_count + report->fault_count + report->function_count > 0) {
        return CALLGAUGE_OK;
    }
    return cg_fail(err, CALLGAUGE_E_FORMAT, (cg_place){ .name = name }, "no system call, signal or count table in it");
}

void callgauge_analysis_free(callgauge_analysis *analysis)
{
    if (analysis == NULL) {
        return;
    }
    for (size_t i = 0; i < analysis->stage_count; i++) {
        analysis->stages[i].free(analysis->stages[i].self);
    }
    callgauge_reader_free(analysis->reader);
    cg_where_release(&analysis->where);
    cg_where_release(&analysis->starts);
    cg_predicate_free(analysis->own_starts);
    cg_follow_free(analysis->own);
    cg_predicate_free(analysis->own_where);
    cg_mem_free(analysis);
}

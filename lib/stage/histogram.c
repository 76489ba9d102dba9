/* SPDX-License-Identifier: Apache-2.0 */
/* Sends each event of a capture to what counts it, and at the end all counts to the report.
 * Invariant: a group of tables is closed before the next call is counted, so that it is held against
 * the calls before it and no others. */
#include "stage/histogram.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"
#include "stage/call_stats.h"
#include "stage/tables.h"
#include "stage/tally.h"

typedef struct histogram {
    cg_histogram_options options;
    cg_call_table calls;
    cg_tables tables;
    cg_tally signals, faults, functions;
    uint64_t unnamed_calls; /* of names past the limit */
    uint64_t blank_lines;
} histogram;

static bool count_call(histogram *self, const callgauge_event *event)
{
    if (self->tables.open && !cg_tables_close(&self->tables, &self->calls)) {
        return false;
    }
    if ((event->flags & CALLGAUGE_CALL_CHILD) != 0) {
        return true;
    }
    if (event->call == NULL) {
        self->unnamed_calls++;
        return true;
    }
    return cg_call_table_count(&self->calls, event, NULL) == CALLGAUGE_OK;
}

static bool count_name(cg_tally *tally, const callgauge_event *event)
{
    if (event->name == NULL) {
        tally->dropped = cg_count_add(tally->dropped, 1);
        return true;
    }
    return cg_tally_add(tally, event->name->text, 1);
}

static cg_tally *tally_of(histogram *self, callgauge_row_of of)
{
    switch (of) {
    case CALLGAUGE_ROW_OF_SIGNAL: return &self->signals;
    case CALLGAUGE_ROW_OF_FAULT: return &self->faults;
    case CALLGAUGE_ROW_OF_FUNCTION: return &self->functions;
    case CALLGAUGE_ROW_OF_CALL: break;
    }
    return NULL;
}

static bool take_row(histogram *self, const callgauge_event *event)
{
    cg_tally *tally = tally_of(self, event->row->of);
    cg_tables_open(&self->tables, &self->calls);
    if (tally != NULL) {
        return self->tables.checked || cg_tally_add(tally, event->row->name.text, event->row->calls);
    }
    if (event->call == NULL) {
        self->unnamed_calls = cg_count_add(self->unnamed_calls, event->row->calls);
        return true;
    }
    return cg_tables_row(&self->tables, &self->calls, event);
}

/* Whether a line holds nothing, or only what a terminal shows of the key that ended the tracer. */
static bool is_blank(callgauge_str line)
{
    callgauge_str text = cg_str_trim(line);
    return text.len == 0 || cg_str_is(text, "^C");
}

static bool count_it(histogram *self, const callgauge_event *event)
{
    switch (event->kind) {
    case CALLGAUGE_EVENT_CALL: return count_call(self, event);
    case CALLGAUGE_EVENT_SIGNAL: return count_name(&self->signals, event);
    case CALLGAUGE_EVENT_FAULT: return count_name(&self->faults, event);
    case CALLGAUGE_EVENT_LIBRARY_CALL:
        return (event->flags & CALLGAUGE_LIBRARY_RETURN) != 0 || count_name(&self->functions, event);
    case CALLGAUGE_EVENT_COUNT_ROW: return take_row(self, event);
    case CALLGAUGE_EVENT_TOTALS:
        cg_tables_open(&self->tables, &self->calls);
        return cg_tables_totals(&self->tables, event);
    case CALLGAUGE_EVENT_FOREIGN: self->blank_lines += is_blank(event->text); break;
    case CALLGAUGE_EVENT_EXIT:
    case CALLGAUGE_EVENT_NOTICE:
    case CALLGAUGE_EVENT_DETAIL:
    case CALLGAUGE_EVENT_UNREAD: break;
    }
    return true;
}

__attribute__((noinline)) static callgauge_status count_any(histogram *self, const callgauge_event *event,
                                                            callgauge_error *err)
{
    return count_it(self, event) ? CALLGAUGE_OK : cg_fail_nomem(err);
}

static callgauge_status count_event(void *ctx, const callgauge_event *event, callgauge_error *err)
{
    histogram *self = ctx;
    bool is_call = event->kind == CALLGAUGE_EVENT_CALL && (event->flags & CALLGAUGE_CALL_CHILD) == 0 &&
                   event->call != NULL && !self->tables.open;
    return is_call ? cg_call_table_count(&self->calls, event, err) : count_any(self, event, err);
}

static callgauge_status count_run(void *ctx, const cg_run *run, callgauge_error *err)
{
    histogram *self = ctx;
    bool ok = (!self->tables.open || cg_tables_close(&self->tables, &self->calls)) &&
              cg_call_table_count_run(&self->calls, run);
    return ok ? CALLGAUGE_OK : cg_fail_nomem(err);
}

static bool finish_calls(const histogram *self, callgauge_report *report)
{
    size_t count = 0;
    for (size_t i = 0; i < self->calls.count; i++) {
        count += self->calls.rows[i].name != NULL;
    }
    report->calls = cg_arena_alloc(&report->arena, count * sizeof *report->calls);
    if (report->calls == NULL) {
        return false;
    }
    for (size_t i = 0; i < self->calls.count; i++) {
        const cg_call_stats *stats = &self->calls.rows[i];
        if (stats->name == NULL) {
            continue;
        }
        callgauge_call_row *row = &report->calls[report->call_count];
        if (!cg_call_stats_finish(stats, &report->arena, row) ||
            !cg_arena_str(&report->arena, stats->name->text, &row->name)) {
            return false;
        }
        cg_tables_finish_row(&self->tables, (uint32_t)i, row);
        report->call_count++;
    }
    return true;
}

static bool finish_names(const histogram *self, callgauge_report *report)
{
    cg_arena *arena = &report->arena;
    return cg_tally_finish(&self->signals, arena, &report->signals, &report->signal_count) &&
           cg_tally_finish(&self->faults, arena, &report->faults, &report->fault_count) &&
           cg_tally_finish(&self->functions, arena, &report->functions, &report->function_count);
}

/* Everything that was counted without its name, in one row of limits. */
static bool finish_limits(const histogram *self, callgauge_report *report)
{
    uint64_t dropped = cg_count_add(self->unnamed_calls, self->calls.unnamed_errors);
    dropped = cg_count_add(dropped, self->signals.dropped);
    dropped = cg_count_add(dropped, self->faults.dropped);
    dropped = cg_count_add(dropped, self->functions.dropped);
    return dropped == 0 || cg_report_add_limit(report, "names", self->options.limits.names, dropped);
}

/* The rest of a line may be foreign, and its line be counted as something else. */
static void finish_blank_lines(const histogram *self, callgauge_report *report)
{
    if (report->capture_count > 0) {
        callgauge_capture_row *row = &report->captures[0];
        uint64_t most = row->capture.foreign_lines;
        row->blank_lines = self->blank_lines < most ? self->blank_lines : most;
    }
}

static callgauge_status finish(void *ctx, callgauge_report *report, callgauge_error *err)
{
    histogram *self = ctx;
    finish_blank_lines(self, report);
    bool ok = cg_tables_close(&self->tables, &self->calls) && finish_calls(self, report) &&
              finish_names(self, report) && cg_tables_finish(&self->tables, report) && finish_limits(self, report);
    return ok ? CALLGAUGE_OK : cg_fail_nomem(err);
}

static void free_histogram(void *ctx)
{
    histogram *self = ctx;
    cg_call_table_release(&self->calls);
    cg_tables_release(&self->tables);
    cg_tally_release(&self->signals);
    cg_tally_release(&self->faults);
    cg_tally_release(&self->functions);
    cg_mem_free(self);
}

callgauge_status cg_histogram_new(const cg_histogram_options *options, cg_stage *out, callgauge_error *err)
{
    histogram *self = cg_mem_zeroed(1, sizeof *self);
    if (self == NULL) {
        return cg_fail_nomem(err);
    }
    self->options = *options;
    cg_tables_init(&self->tables, &self->options);
    cg_tally_init(&self->signals, options->limits.names);
    cg_tally_init(&self->faults, options->limits.names);
    cg_tally_init(&self->functions, options->limits.names);
    *out = (cg_stage){
        .name = "histogram",
        .wants = CG_WANT_DETAIL | CG_WANT_COUNTS,
        .self = self,
        .event = count_event,
        .run = count_run,
        .finish = finish,
        .free = free_histogram,
    };
    return CALLGAUGE_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The sides of a comparison: reports put in their order, proof that something was understood of each, what each could see.
 * Invariant: of two reports of a side that stand apart, the content says which is first, never the caller. */
#include "compare/comparing.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/str.h"

static int cmp_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int cmp_i64(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int first_of(const int *answers, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (answers[i] != 0) {
            return answers[i];
        }
    }
    return 0;
}

/* --- the order of reports */

static int captures_cmp(const callgauge_report *x, const callgauge_report *y)
{
    int c = 0;
    for (size_t i = 0; c == 0 && i < x->capture_count && i < y->capture_count; i++) {
        c = cg_capture_row_cmp(&x->captures[i], &y->captures[i]);
    }
    return c != 0 ? c : cmp_u64(x->capture_count, y->capture_count);
}

static int call_cmp(const callgauge_call_row *x, const callgauge_call_row *y)
{
    const int answers[] = {
        cg_str_cmp(x->name, y->name),          cmp_u64(x->calls, y->calls),
        cmp_u64(x->errors, y->errors),         cmp_u64(x->unreturned, y->unreturned),
        cmp_i64(x->cpu_ns, y->cpu_ns),         cmp_i64(x->wall_ns, y->wall_ns),
        cmp_i64(x->bytes_read, y->bytes_read), cmp_i64(x->bytes_written, y->bytes_written),
    };
    return first_of(answers, sizeof answers / sizeof answers[0]);
}

static int calls_cmp(const callgauge_report *x, const callgauge_report *y)
{
    int c = 0;
    for (size_t i = 0; c == 0 && i < x->call_count && i < y->call_count; i++) {
        c = call_cmp(&x->calls[i], &y->calls[i]);
    }
    return c != 0 ? c : cmp_u64(x->call_count, y->call_count);
}

static int findings_cmp(const callgauge_report *x, const callgauge_report *y)
{
    int c = 0;
    for (size_t i = 0; c == 0 && i < x->finding_count && i < y->finding_count; i++) {
        c = cg_str_cmp(x->findings[i].rule, y->findings[i].rule);
        c = c != 0 ? c : cg_str_cmp(x->findings[i].message, y->findings[i].message);
    }
    return c != 0 ? c : cmp_u64(x->finding_count, y->finding_count);
}

static int report_cmp(const void *a, const void *b)
{
    const callgauge_report *x = *(const callgauge_report *const *)a, *y = *(const callgauge_report *const *)b;
    const int answers[] = {
        captures_cmp(x, y),
        calls_cmp(x, y),
        findings_cmp(x, y),
        cmp_u64(x->unit.count, y->unit.count),
        cmp_u64(x->file_count, y->file_count),
    };
    return first_of(answers, sizeof answers / sizeof answers[0]);
}

static bool order_reports(cg_arena *arena, cg_reports given, cg_reports *out)
{
    const callgauge_report **sorted = cg_arena_alloc(arena, given.count * sizeof *sorted);
    if (sorted == NULL) {
        return false;
    }
    for (size_t i = 0; i < given.count; i++) {
        sorted[i] = given.items[i];
    }
    if (given.count > 1) {
        qsort(sorted, given.count, sizeof *sorted, report_cmp);
    }
    *out = (cg_reports){ sorted, given.count };
    return true;
}

/* --- what was understood */

static cg_place place_of(const callgauge_report *report)
{
    return (cg_place){ .name = report->capture_count > 0 ? report->captures[0].capture.name : NULL };
}

static callgauge_status check_capture(const callgauge_capture_row *row, double least, callgauge_error *err)
{
    const callgauge_capture *capture = &row->capture;
    uint64_t lines = capture->lines > capture->foreign_lines ? capture->lines - capture->foreign_lines : 0;
    if (lines == 0 || (double)capture->unread_lines * 100 <= (double)lines * (100 - least)) {
        return CALLGAUGE_OK;
    }
    cg_place place = { .name = capture->name };
    return cg_fail(err, CALLGAUGE_E_FORMAT, place,
                   "of %llu lines %llu could not be read: too little was understood to compare it",
                   (unsigned long long)lines, (unsigned long long)capture->unread_lines);
}

static const char *where_of(const callgauge_report *report)
{
    const char *where = report->capture_count > 0 ? report->captures[0].where : NULL;
    return where == NULL ? "" : where;
}

static callgauge_status check_report(const callgauge_report *report, double least, callgauge_error *err)
{
    callgauge_status status = CALLGAUGE_OK;
    for (size_t i = 0; status == CALLGAUGE_OK && i < report->capture_count; i++) {
        status = check_capture(&report->captures[i], least, err);
    }
    if (status == CALLGAUGE_OK && report->totals.calls == 0 && where_of(report)[0] == '\0') {
        return cg_fail(err, CALLGAUGE_E_FORMAT, place_of(report), "no call was counted: there is nothing to compare");
    }
    return status;
}

/* --- conditions */

static bool has_where(const callgauge_report *report, const char *where)
{
    for (size_t i = 0; i < report->capture_count; i++) {
        const char *mine = report->captures[i].where == NULL ? "" : report->captures[i].where;
        if (strcmp(mine, where) != 0) {
            return false;
        }
    }
    return true;
}

/* Reports that count other events tell nothing of each other. */
static callgauge_status check_conditions(cg_comparing *c, callgauge_error *err)
{
    const char *where = where_of(c->samples[0].report);
    c->is_conditional = where[0] != '\0';
    for (size_t i = 0; i < c->count; i++) {
        if (!has_where(c->samples[i].report, where)) {
            return cg_fail(err, CALLGAUGE_E_USAGE, place_of(c->samples[i].report),
                           "counts other events than %s: both sides need the same condition (--where)",
                           place_of(c->samples[0].report).name);
        }
    }
    return CALLGAUGE_OK;
}

/* --- what a report tells */

static cg_measures bit(callgauge_measure measure, bool set)
{
    return set ? (cg_measures)1 << measure : 0;
}

static cg_measures measures_of(const callgauge_report *report, bool is_trace)
{
    const callgauge_totals *totals = &report->totals;
    bool bytes = is_trace && (totals->bytes_read != CALLGAUGE_UNKNOWN || totals->bytes_written != CALLGAUGE_UNKNOWN);
    const cg_measures counts = bit(CALLGAUGE_MEASURE_CALLS, true) | bit(CALLGAUGE_MEASURE_ERRORS, true) |
                               bit(CALLGAUGE_MEASURE_OPENS, true) | bit(CALLGAUGE_MEASURE_FAILED_OPENS, true) |
                               bit(CALLGAUGE_MEASURE_READS, true) | bit(CALLGAUGE_MEASURE_WRITES, true) |
                               bit(CALLGAUGE_MEASURE_STARTS, true);
    return counts | bit(CALLGAUGE_MEASURE_CPU, totals->cpu_ns != CALLGAUGE_UNKNOWN) |
           bit(CALLGAUGE_MEASURE_WALL, totals->wall_ns != CALLGAUGE_UNKNOWN) |
           bit(CALLGAUGE_MEASURE_BYTES_READ, bytes) | bit(CALLGAUGE_MEASURE_BYTES_WRITTEN, bytes) |
           bit(CALLGAUGE_MEASURE_USER, totals->user_ns != CALLGAUGE_UNKNOWN) |
           bit(CALLGAUGE_MEASURE_ELAPSED, totals->elapsed_ns != CALLGAUGE_UNKNOWN);
}

static bool starts_with(const char *text, const char *with)
{
    return text != NULL && strncmp(text, with, strlen(with)) == 0;
}

static cg_sample sample_of(const callgauge_report *report)
{
    bool trace = false, all_trace = true, truss = true, strace = true;
    for (size_t i = 0; i < report->capture_count; i++) {
        const callgauge_capture *capture = &report->captures[i].capture;
        trace = trace || capture->has_events;
        all_trace = all_trace && capture->has_events;
        truss = truss && !capture->has_events && starts_with(capture->dialect, "truss");
        strace = strace && !capture->has_events && starts_with(capture->dialect, "strace");
    }
    return (cg_sample){
        .report = report,
        .units = report->unit.from == CALLGAUGE_UNIT_NONE ? 0 : report->unit.count,
        .tells = measures_of(report, all_trace),
        .has_trace = trace,
        .has_truss_table = truss && report->capture_count > 0,
        .has_strace_table = strace && report->capture_count > 0,
    };
}

/* --- what a side could see */

/* Takes what the captures of a side say of their filters. */
static callgauge_status take_filters(cg_comparing *c, cg_party *party, callgauge_error *err)
{
    size_t count = 0;
    for (size_t i = 0; i < party->count; i++) {
        count += party->samples[i].report->capture_count;
    }
    party->traced = cg_arena_alloc(&c->scratch, count * sizeof *party->traced);
    if (party->traced == NULL) {
        return cg_fail_nomem(err);
    }
    for (size_t i = 0; i < party->count; i++) {
        const callgauge_report *report = party->samples[i].report;
        for (size_t k = 0; k < report->capture_count; k++) {
            const callgauge_capture_row *row = &report->captures[k];
            if (row->traced == NULL) {
                party->is_proved_filtered = party->is_proved_filtered || row->complete == CALLGAUGE_COMPLETE_NO;
                continue;
            }
            cg_traced *set = &party->traced[party->traced_count++];
            callgauge_status status = cg_traced_init(row->traced, row->capture.name, set, err);
            if (status != CALLGAUGE_OK) {
                return status;
            }
        }
    }
    party->is_proved_filtered = party->is_proved_filtered && !party->is_declared;
    return CALLGAUGE_OK;
}

bool cg_party_sees(const cg_party *party, callgauge_str name, callgauge_class call_class, bool has_it, const char **why)
{
    if (party->is_declared && !cg_traced_allows(&party->declared, name, call_class)) {
        *why = "not among the calls that were traced there, as the options say";
        return false;
    }
    for (size_t i = 0; i < party->traced_count; i++) {
        if (!cg_traced_allows(&party->traced[i], name, call_class)) {
            *why = "not among the calls that were traced there";
            return false;
        }
    }
    if (party->is_proved_filtered && !has_it) {
        *why = "the trace has opens and no close, so it was filtered: only calls that it has are compared";
        return false;
    }
    return true;
}

/* --- both sides */

static bool all_have_units(const cg_comparing *c)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->samples[i].units == 0) {
            return false;
        }
    }
    return true;
}

static bool units_alike(const callgauge_unit *a, const callgauge_unit *b)
{
    return a->from == b->from && cg_str_eq(a->call, b->call);
}

/* The first report whose units are not those of the first one of all; the count: all are alike. */
static size_t other_units(const cg_comparing *c)
{
    size_t i = 1;
    while (i < c->count && units_alike(&c->samples[i].report->unit, &c->samples[0].report->unit)) {
        i++;
    }
    return i;
}

/* Units that not all reports have, or that are not the same thing, are left out. False: no memory. */
static bool settle_units(cg_comparing *c)
{
    if (other_units(c) == c->count) {
        c->per_unit = all_have_units(c);
        return true;
    }
    bool lacks[2] = { false, false };
    for (size_t i = 0; i < c->count; i++) {
        bool is_after = i >= c->before.count;
        lacks[is_after] = lacks[is_after] || c->samples[i].units == 0;
    }
    callgauge_str what = cg_str_z("units of work");
    if (lacks[0] != lacks[1]) {
        return cg_leave_out(c, what, lacks[0] ? "before" : "after", "not every report there has units");
    }
    return cg_leave_out(c, what, "both", "the reports have units of different kinds");
}

static bool has_family(const callgauge_report *report, const char **dialect)
{
    for (size_t i = 0; i < report->capture_count; i++) {
        const char *mine = report->captures[i].capture.dialect;
        if (mine != NULL && *dialect != NULL && strcmp(mine, *dialect) != 0) {
            return false;
        }
        *dialect = *dialect == NULL ? mine : *dialect;
    }
    return true;
}

static void settle_forms(cg_comparing *c)
{
    const char *dialect = NULL;
    bool trace = false, truss_table = false, strace_table = false;
    for (size_t i = 0; i < c->count; i++) {
        const cg_sample *sample = &c->samples[i];
        c->out->by_class = c->out->by_class || !has_family(sample->report, &dialect);
        trace = trace || sample->has_trace;
        truss_table = truss_table || sample->has_truss_table;
        strace_table = strace_table || sample->has_strace_table;
    }
    c->adds_unreturned = truss_table && trace;
    c->hides_raw_names = strace_table && trace;
}

static bool take_samples(cg_comparing *c)
{
    c->count = c->out->before.count + c->out->after.count;
    c->samples = cg_arena_alloc(&c->scratch, c->count * sizeof *c->samples);
    c->values = cg_arena_alloc(&c->scratch, c->count * CALLGAUGE_MEASURE_COUNT * sizeof *c->values);
    c->shares = cg_arena_alloc(&c->scratch, c->count * sizeof *c->shares);
    c->places = cg_arena_alloc(&c->scratch, c->count * sizeof *c->places);
    if (c->samples == NULL || c->values == NULL || c->shares == NULL || c->places == NULL) {
        return false;
    }
    for (size_t i = 0; i < c->count; i++) {
        size_t before = c->out->before.count;
        c->samples[i] = sample_of(i < before ? c->out->before.items[i] : c->out->after.items[i - before]);
    }
    c->before.samples = c->samples;
    c->before.count = c->out->before.count;
    c->after.samples = c->samples + c->before.count;
    c->after.count = c->out->after.count;
    return true;
}

callgauge_status cg_compare_sides(cg_comparing *c, cg_reports before, cg_reports after, callgauge_error *err)
{
    if (!order_reports(&c->out->arena, before, &c->out->before) ||
        !order_reports(&c->out->arena, after, &c->out->after) || !take_samples(c)) {
        return cg_fail_nomem(err);
    }
    callgauge_status status = CALLGAUGE_OK;
    for (size_t i = 0; status == CALLGAUGE_OK && i < c->count; i++) {
        status = check_report(c->samples[i].report, c->options.understood_percent, err);
    }
    status = status == CALLGAUGE_OK ? check_conditions(c, err) : status;
    status = status == CALLGAUGE_OK ? take_filters(c, &c->before, err) : status;
    status = status == CALLGAUGE_OK ? take_filters(c, &c->after, err) : status;
    if (status == CALLGAUGE_OK) {
        settle_forms(c);
        status = settle_units(c) ? CALLGAUGE_OK : cg_fail_nomem(err);
    }
    return status;
}

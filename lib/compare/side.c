/* SPDX-License-Identifier: Apache-2.0 */
/* The sides of a comparison: what each report tells, what each side could see, and what both have in common: units of
 * work, the dialect. Invariant: a side could see only what every report of it could. */
#include "compare/comparing.h"

#include <string.h>

#include "base/error.h"
#include "base/str.h"

/* --- what a report tells */

static cg_measures bit(callgauge_measure measure, bool set)
{
    return set ? (cg_measures)1 << measure : 0;
}

static cg_measures measures_of(const callgauge_report *report, bool is_trace)
{
    const callgauge_totals *totals = &report->totals;
    const cg_measures counts = bit(CALLGAUGE_MEASURE_CALLS, true) | bit(CALLGAUGE_MEASURE_ERRORS, true) |
                               bit(CALLGAUGE_MEASURE_OPENS, true) | bit(CALLGAUGE_MEASURE_FAILED_OPENS, true) |
                               bit(CALLGAUGE_MEASURE_READS, true) | bit(CALLGAUGE_MEASURE_WRITES, true) |
                               bit(CALLGAUGE_MEASURE_STARTS, true);
    return counts | bit(CALLGAUGE_MEASURE_CPU, totals->cpu_ns != CALLGAUGE_UNKNOWN) |
           bit(CALLGAUGE_MEASURE_WALL, totals->wall_ns != CALLGAUGE_UNKNOWN) |
           bit(CALLGAUGE_MEASURE_BYTES_READ, is_trace) | bit(CALLGAUGE_MEASURE_BYTES_WRITTEN, is_trace) |
           bit(CALLGAUGE_MEASURE_USER, totals->user_ns != CALLGAUGE_UNKNOWN) |
           bit(CALLGAUGE_MEASURE_ELAPSED, totals->elapsed_ns != CALLGAUGE_UNKNOWN);
}

static bool starts_with(const char *text, const char *with)
{
    return text != NULL && strncmp(text, with, strlen(with)) == 0;
}

static cg_sample sample_of(const callgauge_report *report)
{
    bool trace = false, all_trace = true, truss = true, strace = true, of_strace = false;
    for (size_t i = 0; i < report->capture_count; i++) {
        const callgauge_capture *capture = &report->captures[i].capture;
        trace = trace || capture->has_events;
        all_trace = all_trace && capture->has_events;
        truss = truss && !capture->has_events && starts_with(capture->dialect, "truss");
        strace = strace && !capture->has_events && starts_with(capture->dialect, "strace");
        of_strace = of_strace || starts_with(capture->dialect, "strace");
    }
    return (cg_sample){
        .report = report,
        .units = report->unit.from == CALLGAUGE_UNIT_NONE ? 0 : report->unit.count,
        .tells = measures_of(report, all_trace),
        .has_trace = trace,
        .has_truss_table = truss && report->capture_count > 0,
        .has_strace_table = strace && report->capture_count > 0,
        .is_of_strace = of_strace,
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

static bool units_alike(const callgauge_unit *a, const callgauge_unit *b)
{
    return a->from == b->from && cg_str_eq(a->call, b->call);
}

/* Whether any report has units, all have the same kind, and which sides have reports without. */
typedef struct unit_look {
    bool any, alike, lacks_before, lacks_after;
} unit_look;

static unit_look look_at_units(const cg_comparing *c)
{
    unit_look look = { .alike = true };
    const callgauge_unit *first = &c->samples[0].report->unit;
    for (size_t i = 0; i < c->count; i++) {
        const callgauge_unit *unit = &c->samples[i].report->unit;
        bool *lacks = i < c->before.count ? &look.lacks_before : &look.lacks_after;
        look.any = look.any || unit->from != CALLGAUGE_UNIT_NONE;
        look.alike = look.alike && units_alike(unit, first);
        *lacks = *lacks || c->samples[i].units == 0;
    }
    return look;
}

/* Units that not all reports have, or that are not the same thing, are left out. False: no memory. */
static bool settle_units(cg_comparing *c)
{
    unit_look look = look_at_units(c);
    callgauge_str what = cg_str_z("units of work");
    if (!look.any) {
        return true;
    }
    if (look.lacks_before || look.lacks_after) {
        const char *side = look.lacks_before == look.lacks_after ? "both" : look.lacks_before ? "before" : "after";
        return cg_leave_out(c, what, side, "not every report there has some");
    }
    c->per_unit = look.alike;
    return look.alike || cg_leave_out(c, what, "both", "they are of different kinds");
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
        c->has_rough_cpu = c->has_rough_cpu || sample->is_of_strace;
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
    if (!cg_reports_order(&c->out->arena, before, &c->out->before) ||
        !cg_reports_order(&c->out->arena, after, &c->out->after) || !take_samples(c)) {
        return cg_fail_nomem(err);
    }
    callgauge_status status = cg_check_understood(c, err);
    status = status == CALLGAUGE_OK ? take_filters(c, &c->before, err) : status;
    status = status == CALLGAUGE_OK ? take_filters(c, &c->after, err) : status;
    if (status == CALLGAUGE_OK) {
        settle_forms(c);
        status = settle_units(c) ? CALLGAUGE_OK : cg_fail_nomem(err);
    }
    return status;
}

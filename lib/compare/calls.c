/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of both sides, matched by name, or by class where the dialects differ; classes of calls; all calls
 * together.
 * Invariant: a row is made of calls that every report of both sides could have seen; all others are listed as left
 * out. */
#include "compare/comparing.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"

static const cg_measures CALL_MEASURES = 1u << CALLGAUGE_MEASURE_CALLS | 1u << CALLGAUGE_MEASURE_ERRORS |
                                         1u << CALLGAUGE_MEASURE_CPU | 1u << CALLGAUGE_MEASURE_WALL |
                                         1u << CALLGAUGE_MEASURE_BYTES_READ | 1u << CALLGAUGE_MEASURE_BYTES_WRITTEN;

/* --- the rows of the reports */

static bool is_raw_name(callgauge_str name)
{
    return cg_str_starts(name, "syscall_0x");
}

/* Calls that returned. A table of truss has rows for calls that never return (_exit) too; one that was merely cut off
 * (it returned at other times) is not in it. */
static int64_t calls_of(const cg_comparing *c, size_t sample, const callgauge_call_row *row)
{
    bool never_returns = c->adds_unreturned && !c->samples[sample].has_truss_table && row->calls == 0;
    return cg_count_held(never_returns ? row->unreturned : row->calls);
}

/* All rows that count something, by name. */
static bool gather(const cg_comparing *c, cg_items *items)
{
    for (size_t i = 0; i < c->count; i++) {
        const callgauge_report *report = c->samples[i].report;
        for (size_t k = 0; k < report->call_count; k++) {
            const callgauge_call_row *row = &report->calls[k];
            cg_item item = { .key = row->name, .name = row->name, .sample = i, .row = row };
            if ((calls_of(c, i, row) > 0 || row->errors > 0) && !cg_items_add(items, item)) {
                return false;
            }
        }
    }
    cg_items_sort(items);
    return true;
}

static bool is_of(const cg_comparing *c, const cg_party *party, const cg_item *item)
{
    size_t first = (size_t)(party->samples - c->samples);
    return item->sample >= first && item->sample < first + party->count;
}

static bool has_any(const cg_comparing *c, const cg_party *party, const cg_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (is_of(c, party, &items[i])) {
            return true;
        }
    }
    return false;
}

/* --- what both sides could see */

static const callgauge_call_row *call_of(const cg_item *item)
{
    return item->row;
}

/* Whether a side could see the calls of items, of which there is at least one. By class: it has one of them, or could
 * have seen each that the other side has. */
static bool sees(const cg_comparing *c, const cg_party *party, const cg_item *items, size_t count, const char **why)
{
    bool has_it = has_any(c, party, items, count);
    for (size_t i = 0; i < count; i++) {
        const callgauge_call_row *row = call_of(&items[i]);
        bool another = c->out->by_class && has_it && !is_of(c, party, &items[i]);
        if (!another && !cg_party_sees(party, row->name, row->call_class, has_it, why)) {
            return false;
        }
    }
    if (c->hides_raw_names && !has_it && is_raw_name(items[0].key)) {
        *why = "tables of strace have no rows for calls that strace does not know";
        return false;
    }
    if (c->out->by_class && !has_it && call_of(&items[0])->call_class == CALLGAUGE_CLASS_OTHER) {
        *why = "it has no class to match it by, and the dialects differ";
        return false;
    }
    return true;
}

/* The names of items that no side or only one side could see. */
static bool leave_out(cg_comparing *c, const cg_item *items, size_t count, const char *side, const char *why)
{
    for (size_t i = 0; i < count; i++) {
        bool again = i > 0 && cg_str_eq(items[i].name, items[i - 1].name);
        if (!again && !cg_leave_out(c, items[i].name, side, why)) {
            return false;
        }
    }
    return true;
}

static bool is_filtered(const cg_party *party)
{
    return party->is_declared || party->traced_count > 0 || party->is_proved_filtered;
}

/* Keeps the items that both sides could see. */
static bool keep_visible(cg_comparing *c, cg_items *items)
{
    size_t kept = 0, alike;
    for (size_t i = 0; i < items->count; i += alike) {
        const char *why[2];
        alike = cg_items_alike(items, i);
        bool before = sees(c, &c->before, &items->items[i], alike, &why[0]);
        bool after = sees(c, &c->after, &items->items[i], alike, &why[1]);
        const char *side = before ? "after" : after ? "before" : "both";
        c->hides_calls = c->hides_calls || (!before && is_filtered(&c->before)) || (!after && is_filtered(&c->after));
        if ((!before || !after) && !leave_out(c, &items->items[i], alike, side, before ? why[1] : why[0])) {
            return false;
        }
        for (size_t k = i; before && after && k < i + alike; k++) {
            items->items[kept++] = items->items[k];
        }
    }
    items->count = kept;
    return true;
}

/* By class; what is of no class stays by name. */
static void key_by_class(const cg_comparing *c, cg_items *items)
{
    for (size_t i = 0; i < items->count; i++) {
        const callgauge_call_row *row = call_of(&items->items[i]);
        bool by_name = c->out->by_class && row->call_class == CALLGAUGE_CLASS_OTHER;
        items->items[i].key = by_name ? row->name : cg_str_z(callgauge_class_text(row->call_class));
    }
    cg_items_sort(items);
}

/* --- rows */

/* A time of only some of the calls of a row is none. */
static int64_t time_of(const callgauge_call_row *row, int64_t ns, uint64_t timed)
{
    if (row->calls == 0) {
        return 0;
    }
    return timed > 0 && timed < row->calls ? CALLGAUGE_UNKNOWN : ns;
}

static void add_bytes(cg_comparing *c, callgauge_measure measure, size_t sample, int64_t bytes, bool *told)
{
    if (bytes != CALLGAUGE_UNKNOWN) {
        cg_values_add(c, measure, sample, bytes);
        *told = true;
    }
}

/* The sums of items as the values of the row at hand. */
static void sum(cg_comparing *c, const cg_item *items, size_t count)
{
    bool reads = false, writes = false; /* calls that move no bytes have no such sum */
    cg_values_begin(c, CALL_MEASURES);
    for (size_t i = 0; i < count; i++) {
        const callgauge_call_row *row = call_of(&items[i]);
        size_t sample = items[i].sample;
        cg_values_add(c, CALLGAUGE_MEASURE_CALLS, sample, calls_of(c, sample, row));
        cg_values_add(c, CALLGAUGE_MEASURE_ERRORS, sample, cg_count_held(row->errors));
        cg_values_add(c, CALLGAUGE_MEASURE_CPU, sample, time_of(row, row->cpu_ns, row->cpu_calls));
        cg_values_add(c, CALLGAUGE_MEASURE_WALL, sample, time_of(row, row->wall_ns, row->wall_calls));
        add_bytes(c, CALLGAUGE_MEASURE_BYTES_READ, sample, row->bytes_read, &reads);
        add_bytes(c, CALLGAUGE_MEASURE_BYTES_WRITTEN, sample, row->bytes_written, &writes);
    }
    if (!reads) {
        cg_values_forget(c, CALLGAUGE_MEASURE_BYTES_READ);
    }
    if (!writes) {
        cg_values_forget(c, CALLGAUGE_MEASURE_BYTES_WRITTEN);
    }
}

static bool make_rows(cg_comparing *c, const cg_items *items, cg_compare_rows *out)
{
    size_t count = 0, alike;
    for (size_t i = 0; i < items->count; i += cg_items_alike(items, i)) {
        count++;
    }
    out->items = cg_arena_alloc(&c->out->arena, count * sizeof *out->items);
    if (out->items == NULL) {
        return false;
    }
    for (size_t i = 0; i < items->count; i += alike) {
        callgauge_compare_row *row = &out->items[out->count];
        alike = cg_items_alike(items, i);
        sum(c, &items->items[i], alike);
        if (!cg_row_make(c, &items->items[i], alike, row) || !cg_row_explain(c, &items->items[i], alike, row)) {
            return false;
        }
        row->call_class = call_of(&items->items[i])->call_class;
        out->count++;
    }
    return true;
}

/* Whether what a call did more, or less, the other calls of its class did less, or more: a library that calls another
 * one for the same thing. */
static bool is_made_up_for(const callgauge_compare_row *row, const callgauge_compare_row *of_class)
{
    static const callgauge_measure measures[] = { CALLGAUGE_MEASURE_CALLS, CALLGAUGE_MEASURE_ERRORS,
                                                  CALLGAUGE_MEASURE_CPU, CALLGAUGE_MEASURE_WALL };
    callgauge_verdict verdict = row->verdict;
    bool one_way = verdict == CALLGAUGE_VERDICT_REGRESSION || verdict == CALLGAUGE_VERDICT_IMPROVED;
    if (!one_way || row->amounts[CALLGAUGE_MEASURE_CALLS].verdict != verdict) {
        return false;
    }
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++) {
        bool counts = i < 2;
        bool goes_with = row->amounts[measures[i]].verdict == verdict;
        if (of_class->amounts[measures[i]].verdict == verdict && (counts || goes_with)) {
            return false;
        }
    }
    return true;
}

/* Calls of no class have nothing in common that could make up for anything. */
static bool weigh_by_class(cg_comparing *c)
{
    for (size_t i = 0; i < c->out->calls.count; i++) {
        callgauge_compare_row *row = &c->out->calls.items[i];
        const callgauge_compare_row *of_class = cg_row_of_class(c->out, row->call_class);
        if (row->call_class == CALLGAUGE_CLASS_OTHER || of_class == NULL || !is_made_up_for(row, of_class)) {
            continue;
        }
        row->verdict = CALLGAUGE_VERDICT_DIFFERENT;
        if (!cg_row_explain_by_class(c, of_class, row)) {
            return false;
        }
    }
    return true;
}

/* --- all together */

/* Where nothing is left out, times are what the reports say of themselves: rows of tables are rounded. */
static void take_own_times(cg_comparing *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const callgauge_totals *totals = &c->samples[i].report->totals;
        int64_t *values = c->values + i;
        if (values[CALLGAUGE_MEASURE_CPU * c->count] != CALLGAUGE_UNKNOWN) {
            values[CALLGAUGE_MEASURE_CPU * c->count] = totals->cpu_ns;
        }
        if (values[CALLGAUGE_MEASURE_WALL * c->count] != CALLGAUGE_UNKNOWN) {
            values[CALLGAUGE_MEASURE_WALL * c->count] = totals->wall_ns;
        }
    }
}

static bool make_totals(cg_comparing *c, const cg_items *items, bool all_calls)
{
    sum(c, items->items, items->count);
    for (size_t i = 0; i < c->count; i++) {
        const callgauge_totals *totals = &c->samples[i].report->totals;
        c->values[CALLGAUGE_MEASURE_USER * c->count + i] = totals->user_ns;
        c->values[CALLGAUGE_MEASURE_ELAPSED * c->count + i] = totals->elapsed_ns;
    }
    if (all_calls) {
        take_own_times(c);
    }
    c->out->totals.name = cg_str_z("all calls");
    return cg_amounts_make(c, &c->out->totals) && cg_row_explain(c, items->items, items->count, &c->out->totals);
}

/* --- the step */

static bool compare_visible(cg_comparing *c, cg_items *items, bool all_calls)
{
    if (c->out->by_class) {
        return make_totals(c, items, all_calls) && make_rows(c, items, &c->out->calls) &&
               make_rows(c, items, &c->out->classes);
    }
    if (!make_totals(c, items, all_calls) || !make_rows(c, items, &c->out->calls)) {
        return false;
    }
    key_by_class(c, items);
    return make_rows(c, items, &c->out->classes) && weigh_by_class(c);
}

callgauge_status cg_compare_calls(cg_comparing *c, callgauge_error *err)
{
    cg_items items = { .count = 0 };
    size_t left_out = c->out->left_out_count;
    bool ok = gather(c, &items);
    if (ok && c->out->by_class) {
        key_by_class(c, &items);
    }
    ok = ok && keep_visible(c, &items);
    if (ok && items.count == 0 && !(c->is_conditional && c->out->left_out_count == left_out)) {
        cg_items_release(&items);
        return cg_fail(err, CALLGAUGE_E_FORMAT, (cg_place){ .name = NULL },
                       "there is no call that both sides could see: nothing can be compared");
    }
    ok = ok && compare_visible(c, &items, c->out->left_out_count == left_out && !c->adds_unreturned);
    cg_items_release(&items);
    return ok ? CALLGAUGE_OK : cg_fail_nomem(err);
}

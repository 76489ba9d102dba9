/* SPDX-License-Identifier: Apache-2.0 */
/* Findings of both sides, matched by rule and group: which came, which went, which changed.
 * Invariant: a finding is missing on a side only if its rule was judged in every report there. */
#include "compare/comparing.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"
#include "compare/same_name.h"
#include "report/finding.h"

static const cg_measures FINDING_MEASURES = 1u << CALLGAUGE_MEASURE_CALLS;

/* --- which rules were judged */

static bool could_not_judge(const callgauge_report *report, callgauge_str rule)
{
    for (size_t i = 0; i < report->not_judged_count; i++) {
        if (cg_str_eq(report->not_judged[i].rule, rule)) {
            return true;
        }
    }
    return false;
}

/* Reports that do not list what was judged (saved by an older version) show it by what they found or could not
 * judge. */
static bool judged(const callgauge_report *report, callgauge_str rule)
{
    if (report->judged_count > 0) {
        return cg_report_has_judged(report, rule);
    }
    return report->finding_count + report->not_judged_count > 0 && !could_not_judge(report, rule);
}

static bool party_judged(const cg_party *party, callgauge_str rule)
{
    for (size_t i = 0; i < party->count; i++) {
        if (!judged(party->samples[i].report, rule)) {
            return false;
        }
    }
    return true;
}

/* --- findings by rule and group */

/* A call stands for its class: another system, or another library, has another name for the same. */
static callgauge_str class_or_name(const callgauge_report *report, callgauge_str call)
{
    size_t low = 0, high = report->call_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (cg_str_cmp(report->calls[middle].name, call) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool known = low < report->call_count && cg_str_eq(report->calls[low].name, call) &&
                 report->calls[low].call_class != CALLGAUGE_CLASS_OTHER;
    return known ? cg_str_z(callgauge_class_text(report->calls[low].call_class)) : call;
}

static bool same_value(const callgauge_report *report, const callgauge_key *key, cg_arena *arena, callgauge_str *out)
{
    if (cg_str_is(key->name, "call")) {
        *out = class_or_name(report, key->value);
        return true;
    }
    if (cg_str_ends(key->name, "pid") || cg_str_ends(key->name, "tid")) {
        *out = cg_str_z("PID");
        return true;
    }
    if (cg_str_ends(key->name, "port")) {
        *out = cg_same_port(key->value);
        return true;
    }
    return cg_same_path(report, key->value, arena, out);
}

/* "rule", "path", "/srv/.htaccess", with a byte between that no name has. */
static bool key_of(const callgauge_report *report, const callgauge_finding_row *row, cg_arena *arena,
                   callgauge_str *out)
{
    cg_buf text;
    cg_buf_init(&text, SIZE_MAX);
    bool ok = cg_buf_add_str(&text, row->rule);
    for (size_t i = 0; ok && i < row->key_count; i++) {
        callgauge_str value;
        ok = same_value(report, &row->keys[i], arena, &value) && cg_buf_add_char(&text, '\0') &&
             cg_buf_add_str(&text, row->keys[i].name) && cg_buf_add_char(&text, '\0') && cg_buf_add_str(&text, value);
    }
    ok = ok && cg_arena_str(arena, cg_buf_str(&text), out);
    cg_buf_release(&text);
    return ok;
}

static bool gather(cg_comparing *c, cg_items *items)
{
    for (size_t i = 0; i < c->count; i++) {
        const callgauge_report *report = c->samples[i].report;
        for (size_t k = 0; k < report->finding_count; k++) {
            cg_item item = { .name = report->findings[k].rule, .sample = i, .row = &report->findings[k] };
            if (cg_is_of_budget(item.name)) {
                continue; /* its limit says it */
            }
            if (!key_of(report, item.row, &c->scratch, &item.key) || !cg_items_add(items, item)) {
                return false;
            }
        }
    }
    cg_items_sort(items);
    return true;
}

static const callgauge_finding_row *finding_of(const cg_item *item)
{
    return item->row;
}

/* Rules over rows may find things that are no calls. */
static int64_t size_of(const callgauge_finding_row *row)
{
    return cg_count_held(row->calls > 0 ? row->calls : row->times > 0 ? row->times : 1);
}

/* --- what became of one */

static callgauge_verdict verdict_of(const callgauge_finding_row *row, const callgauge_amount *calls)
{
    bool differs = calls->verdict != CALLGAUGE_VERDICT_SAME;
    return differs && row->severity == CALLGAUGE_SEVERITY_NOTE ? CALLGAUGE_VERDICT_DIFFERENT : calls->verdict;
}

/* Fills a change of the findings of one key. False: no memory. */
static bool make_change(cg_comparing *c, const cg_item *items, size_t count, callgauge_finding_change *out)
{
    *out = (callgauge_finding_change){ .before = NULL };
    cg_values_begin(c, FINDING_MEASURES);
    for (size_t i = 0; i < count; i++) {
        bool is_after = items[i].sample >= c->before.count;
        const callgauge_finding_row **first = is_after ? &out->after : &out->before;
        *first = *first == NULL ? items[i].row : *first;
        cg_values_add(c, CALLGAUGE_MEASURE_CALLS, items[i].sample, size_of(finding_of(&items[i])));
    }
    if (!cg_judge(c, CALLGAUGE_MEASURE_CALLS, &out->calls)) {
        return false;
    }
    bool comes = out->before == NULL, goes = out->after == NULL;
    out->fate = comes ? CALLGAUGE_FINDING_NEW : goes ? CALLGAUGE_FINDING_GONE : CALLGAUGE_FINDING_CHANGED;
    out->verdict = verdict_of(goes ? out->before : out->after, &out->calls);
    return true;
}

/* Times of single captures are not judged, nor is what was found in them. */
static bool rests_on_single_times(const cg_comparing *c, const callgauge_finding_row *row)
{
    return row->rests_on_times && (c->before.count < 2 || c->after.count < 2);
}

/* Whether findings of a rule are compared; where not, the rule is left out. */
static bool can_compare(cg_comparing *c, const callgauge_finding_row *row, bool *ok)
{
    bool before = party_judged(&c->before, row->rule), after = party_judged(&c->after, row->rule);
    if (!before || !after) {
        *ok = cg_leave_out(c, row->rule,
                           before  ? "after"
                           : after ? "before"
                                   : "both",
                           "this rule was not judged in every report there");
        return false;
    }
    if (rests_on_single_times(c, row)) {
        *ok = cg_leave_out(c, row->rule, "both", "this rule judges times, and there are not two captures on each side");
        return false;
    }
    return true;
}

/* --- all of them */

static int fate_rank(const callgauge_finding_change *change)
{
    return change->fate == CALLGAUGE_FINDING_NEW ? 0 : change->fate == CALLGAUGE_FINDING_CHANGED ? 1 : 2;
}

/* New ones first, then changed, then gone; of these the worst, then those that changed most; the key is last. */
static int change_cmp(const void *a, const void *b)
{
    const callgauge_finding_change *x = a, *y = b;
    if (fate_rank(x) != fate_rank(y)) {
        return fate_rank(x) - fate_rank(y);
    }
    if (x->verdict != y->verdict) {
        return x->verdict > y->verdict ? -1 : 1;
    }
    double p = cg_amount_change(&x->calls), q = cg_amount_change(&y->calls);
    p = p < 0 ? -p : p;
    q = q < 0 ? -q : q;
    if (p != q) {
        return p > q ? -1 : 1;
    }
    return cg_finding_row_cmp(x->after != NULL ? x->after : x->before, y->after != NULL ? y->after : y->before);
}

/* The items from `first` on that are of one rule. */
static size_t of_one_rule(const cg_items *items, size_t first)
{
    size_t count = 1;
    while (first + count < items->count && cg_str_eq(items->items[first + count].name, items->items[first].name)) {
        count++;
    }
    return count;
}

/* Adds the changes of one rule. */
static bool compare_rule(cg_comparing *c, const cg_items *items, size_t first, size_t count)
{
    for (size_t i = first, alike; i < first + count; i += alike) {
        callgauge_finding_change change;
        alike = cg_items_alike(items, i);
        if (!make_change(c, &items->items[i], alike, &change)) {
            return false;
        }
        if (change.calls.verdict != CALLGAUGE_VERDICT_SAME) {
            c->out->findings[c->out->finding_count++] = change;
        }
    }
    return true;
}

static bool compare_all(cg_comparing *c, const cg_items *items)
{
    bool ok = true;
    c->out->findings = cg_arena_alloc(&c->out->arena, items->count * sizeof *c->out->findings);
    if (c->out->findings == NULL) {
        return false;
    }
    for (size_t i = 0, same; ok && i < items->count; i += same) {
        same = of_one_rule(items, i);
        if (can_compare(c, finding_of(&items->items[i]), &ok)) {
            ok = compare_rule(c, items, i, same);
        }
    }
    if (c->out->finding_count > 1) {
        qsort(c->out->findings, c->out->finding_count, sizeof *c->out->findings, change_cmp);
    }
    return ok;
}

callgauge_status cg_compare_findings(cg_comparing *c, callgauge_error *err)
{
    cg_items items = { .count = 0 };
    bool ok = gather(c, &items);
    if (ok && items.count > 0 && c->hides_calls) {
        ok = cg_leave_out(c, cg_str_z("findings"), "both", "not every call was seen on both sides");
    } else {
        ok = ok && compare_all(c, &items);
    }
    cg_items_release(&items);
    return ok ? CALLGAUGE_OK : cg_fail_nomem(err);
}

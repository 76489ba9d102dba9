/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison as JSON, schema callgauge.comparison/1 (docs/schema/comparison-1.json): all of it, a row a line. Keys
 * are added, never renamed.
 * Invariant: equal comparisons give equal bytes; null is what could not be seen, 0 what was not there. */
#include "write/compare_words.h"
#include "write/json_keys.h"
#include "write/schema.h"
#include "write/writers.h"

#include <callgauge/version.h>

#include <math.h>

#include "base/str.h"
#include "base/units.h"

#define SCHEMA "callgauge.comparison/1"

/* --- numbers */

static void write_double(cg_json *json, const char *key, double value, bool is_known)
{
    char text[CG_NUMBER_ROOM];
    cg_json_key(json, key);
    if (!is_known || !isfinite(value)) {
        cg_json_null(json);
        return;
    }
    text[cg_format_double(text, value)] = '\0';
    cg_json_word(json, text);
}

static const callgauge_side *side_of(const callgauge_amount *amount, bool is_after)
{
    return is_after ? &amount->after : &amount->before;
}

/* The measures of a list, and of which they are. */
typedef struct measures {
    callgauge_measure items[CALLGAUGE_MEASURE_COUNT];
    size_t count;
    bool has_bytes;
} measures;

static measures measures_of(cg_compare_list list)
{
    measures of = { .has_bytes = list != CG_COMPARE_PROGRAMS };
    of.count = cg_compare_measures(list, of.items);
    return of;
}

static void write_error_share(cg_json *json, const callgauge_amount *amounts, bool is_after)
{
    int64_t calls = side_of(&amounts[CALLGAUGE_MEASURE_CALLS], is_after)->value;
    int64_t errors = side_of(&amounts[CALLGAUGE_MEASURE_ERRORS], is_after)->value;
    bool is_known = calls != CALLGAUGE_UNKNOWN && errors != CALLGAUGE_UNKNOWN;
    write_double(json, "error_share", calls > 0 ? (double)errors / (double)calls : 0, is_known);
}

/* By unit of work; without units the object is empty. */
static void write_per_unit(cg_json *json, const measures *of, const callgauge_amount *amounts, bool is_after)
{
    cg_json_key(json, "per_unit");
    cg_json_open(json, '{');
    for (size_t i = 0; i < of->count; i++) {
        double value = side_of(&amounts[of->items[i]], is_after)->per_unit;
        if (value >= 0) {
            write_double(json, callgauge_measure_text(of->items[i]), value, true);
        }
    }
    cg_json_close(json, '}');
}

/* The least and the largest value, where they are of several reports. */
static void write_spread(cg_json *json, const measures *of, const callgauge_amount *amounts, bool is_after,
                         size_t reports)
{
    cg_json_key(json, "spread");
    cg_json_open(json, '{');
    for (size_t i = 0; reports > 1 && i < of->count; i++) {
        const callgauge_side *side = side_of(&amounts[of->items[i]], is_after);
        if (side->value != CALLGAUGE_UNKNOWN) {
            cg_json_list(json, callgauge_measure_text(of->items[i]));
            cg_json_i64(json, side->min);
            cg_json_i64(json, side->max);
            cg_json_close(json, ']');
        }
    }
    cg_json_close(json, '}');
}

static void write_side(cg_json *json, const measures *of, const callgauge_amount *amounts, bool is_after,
                       size_t reports)
{
    cg_json_key(json, is_after ? "after" : "before");
    cg_json_open(json, '{');
    for (size_t i = 0; i < of->count; i++) {
        cg_json_maybe(json, callgauge_measure_text(of->items[i]), side_of(&amounts[of->items[i]], is_after)->value);
        if (of->items[i] == CALLGAUGE_MEASURE_ERRORS) {
            write_error_share(json, amounts, is_after);
        }
    }
    if (of->has_bytes) {
        const callgauge_amount bytes = cg_amount_of_bytes(amounts);
        cg_json_maybe(json, "bytes", side_of(&bytes, is_after)->value);
    }
    write_per_unit(json, of, amounts, is_after);
    write_spread(json, of, amounts, is_after, reports);
    cg_json_close(json, '}');
}

/* Each of these of all measures that both sides know. */
typedef bool change_fn(const callgauge_amount *amount, double *out);

static void write_changes(cg_json *json, const char *key, const measures *of, const callgauge_amount *amounts,
                          change_fn *change)
{
    cg_json_key(json, key);
    cg_json_open(json, '{');
    for (size_t i = 0; i < of->count; i++) {
        double value;
        if (change(&amounts[of->items[i]], &value)) {
            write_double(json, callgauge_measure_text(of->items[i]), value, true);
        }
    }
    cg_json_close(json, '}');
}

static void write_delta(cg_json *json, const measures *of, const callgauge_amount *amounts)
{
    cg_json_key(json, "delta");
    cg_json_open(json, '{');
    for (size_t i = 0; i < of->count; i++) {
        const callgauge_amount *amount = &amounts[of->items[i]];
        cg_json_maybe(json, callgauge_measure_text(of->items[i]),
                      cg_amount_is_known(amount) ? cg_amount_delta(amount) : CALLGAUGE_UNKNOWN);
    }
    if (of->has_bytes) {
        const callgauge_amount bytes = cg_amount_of_bytes(amounts);
        cg_json_maybe(json, "bytes", cg_amount_is_known(&bytes) ? cg_amount_delta(&bytes) : CALLGAUGE_UNKNOWN);
    }
    write_changes(json, "percent", of, amounts, cg_amount_percent);
    write_changes(json, "per_unit", of, amounts, cg_amount_per_unit_delta);
    cg_json_close(json, '}');
}

/* What became of each measure that was judged, and the p of those that a rank test was made for. */
static void write_judged(cg_json *json, const measures *of, const callgauge_amount *amounts)
{
    cg_json_key(json, "judged");
    cg_json_open(json, '{');
    for (size_t i = 0; i < of->count; i++) {
        const callgauge_amount *amount = &amounts[of->items[i]];
        if (amount->judged) {
            cg_json_text(json, callgauge_measure_text(of->items[i]), callgauge_verdict_text(amount->verdict));
        }
    }
    cg_json_close(json, '}');
    cg_json_key(json, "p");
    cg_json_open(json, '{');
    for (size_t i = 0; i < of->count; i++) {
        const callgauge_amount *amount = &amounts[of->items[i]];
        if (amount->p >= 0) {
            write_double(json, callgauge_measure_text(of->items[i]), amount->p, true);
        }
    }
    cg_json_close(json, '}');
}

/* --- rows */

static void write_names(cg_json *json, const callgauge_compare_row *row)
{
    cg_json_key(json, "names");
    cg_json_open(json, '{');
    cg_json_list(json, "before");
    for (size_t i = 0; i < row->names_before_count; i++) {
        cg_json_str(json, row->names_before[i]);
    }
    cg_json_close(json, ']');
    cg_json_list(json, "after");
    for (size_t i = 0; i < row->names_after_count; i++) {
        cg_json_str(json, row->names_after[i]);
    }
    cg_json_close(json, ']');
    cg_json_close(json, '}');
}

/* How many reports the sides have. */
typedef struct reports {
    size_t before, after;
} reports;

static void write_amounts(cg_json *json, cg_compare_list list, const callgauge_compare_row *row, reports of)
{
    const measures all = measures_of(list);
    write_side(json, &all, row->amounts, false, of.before);
    write_side(json, &all, row->amounts, true, of.after);
    write_delta(json, &all, row->amounts);
    write_judged(json, &all, row->amounts);
    cg_json_text(json, "verdict", callgauge_verdict_text(row->verdict));
    cg_json_captured(json, "why", row->why);
    cg_json_close(json, '}');
}

static void write_rows(cg_json *json, const callgauge_comparison *comparison, cg_compare_list list, reports of)
{
    size_t count = cg_compare_count(comparison, list);
    cg_json_rows(json, cg_compare_noun(list, 0));
    for (size_t i = 0; i < count; i++) {
        const callgauge_compare_row *row = cg_compare_row_at(comparison, list, i);
        cg_json_row(json);
        cg_json_key(json, "name");
        cg_json_str(json, row->name);
        if (list == CG_COMPARE_CALLS || list == CG_COMPARE_CLASSES) {
            write_names(json, row);
            cg_json_text(json, "class", callgauge_class_text(row->call_class));
        } else if (list == CG_COMPARE_FILES) {
            cg_json_text(json, "kind", callgauge_file_kind_text(row->kind));
        }
        write_amounts(json, list, row, of);
    }
    cg_json_rows_end(json, count);
}

static void write_totals(cg_json *json, const callgauge_comparison *comparison, reports of)
{
    cg_json_break(json, 2);
    cg_json_key(json, "totals");
    cg_json_open(json, '{');
    write_amounts(json, CG_COMPARE_TOTALS, callgauge_comparison_totals(comparison), of);
}

/* --- sides */

static void write_capture(cg_json *json, const callgauge_capture_row *row, size_t report)
{
    const callgauge_capture *capture = &row->capture;
    cg_json_row(json);
    cg_json_text(json, "name", capture->name);
    cg_json_count(json, "report", report);
    cg_json_text(json, "dialect", capture->dialect);
    cg_json_list(json, "has");
    if (capture->has_events) {
        cg_json_z(json, "events");
    }
    if (capture->has_table) {
        cg_json_z(json, "table");
    }
    cg_json_close(json, ']');
    cg_json_text(json, "complete", callgauge_complete_text(row->complete));
    cg_json_text(json, "complete_why", row->complete_why);
    cg_json_text(json, "traced", row->traced);
    cg_json_count(json, "lines", capture->lines);
    cg_json_count(json, "unread_lines", capture->unread_lines);
    cg_json_close(json, '}');
}

static void write_captures(cg_json *json, const char *key, const callgauge_report *const *side, size_t count)
{
    size_t captures = 0;
    cg_json_break(json, 2);
    cg_json_key(json, key);
    cg_json_open(json, '{');
    cg_json_count(json, "reports", count);
    cg_json_list(json, "captures");
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < callgauge_report_capture_count(side[i]); k++) {
            write_capture(json, callgauge_report_capture(side[i], k), i);
            captures++;
        }
    }
    cg_json_rows_end(json, captures);
    cg_json_close(json, '}');
}

/* The kind of units is that of all reports of a side; how many there are is said of each. */
static void write_unit(cg_json *json, const char *key, const callgauge_report *const *side, size_t count)
{
    const callgauge_unit *first = count > 0 ? callgauge_report_unit(side[0]) : NULL;
    cg_json_key(json, key);
    if (first == NULL || first->from == CALLGAUGE_UNIT_NONE) {
        cg_json_null(json);
        return;
    }
    cg_json_open(json, '{');
    cg_json_text(json, "from", cg_unit_from_names[first->from]);
    cg_json_captured(json, "call", first->call);
    cg_json_list(json, "counts");
    for (size_t i = 0; i < count; i++) {
        cg_json_u64(json, callgauge_report_unit(side[i])->count);
    }
    cg_json_close(json, ']');
    cg_json_close(json, '}');
}

static reports write_sides(cg_json *json, const callgauge_comparison *comparison)
{
    reports of;
    const callgauge_report *const *before = callgauge_comparison_before(comparison, &of.before);
    const callgauge_report *const *after = callgauge_comparison_after(comparison, &of.after);
    cg_json_break(json, 2);
    cg_json_key(json, "unit");
    cg_json_open(json, '{');
    write_unit(json, "before", before, of.before);
    write_unit(json, "after", after, of.after);
    cg_json_close(json, '}');
    write_captures(json, "before", before, of.before);
    write_captures(json, "after", after, of.after);
    return of;
}

/* --- findings */

static void write_finding_side(cg_json *json, const char *key, const callgauge_finding_row *row, int64_t calls)
{
    cg_json_key(json, key);
    if (row == NULL) {
        cg_json_null(json);
        return;
    }
    cg_json_open(json, '{');
    cg_json_maybe(json, "calls", calls);
    cg_json_captured(json, "message", row->message);
    cg_json_close(json, '}');
}

static void write_finding(cg_json *json, const callgauge_finding_change *change)
{
    const callgauge_finding_row *row = cg_finding_now(change);
    cg_json_row(json);
    cg_json_captured(json, "rule", row->rule);
    cg_json_text(json, "severity", callgauge_severity_text(row->severity));
    cg_json_captured(json, "title", row->title);
    cg_json_key(json, "group");
    cg_json_open(json, '{');
    for (size_t i = 0; i < row->key_count; i++) {
        cg_json_key_str(json, row->keys[i].name);
        cg_json_str(json, row->keys[i].value);
    }
    cg_json_close(json, '}');
    write_finding_side(json, "before", change->before, change->calls.before.value);
    write_finding_side(json, "after", change->after, change->calls.after.value);
    cg_json_text(json, "verdict", callgauge_verdict_text(change->verdict));
    cg_json_close(json, '}');
}

static void write_findings_of(cg_json *json, const callgauge_comparison *comparison, callgauge_finding_fate fate)
{
    size_t count = 0;
    cg_json_list(json, cg_finding_fate_text(fate));
    for (size_t i = 0; i < callgauge_comparison_finding_count(comparison); i++) {
        const callgauge_finding_change *change = callgauge_comparison_finding(comparison, i);
        if (change->fate == fate) {
            write_finding(json, change);
            count++;
        }
    }
    cg_json_rows_end(json, count);
}

static void write_findings(cg_json *json, const callgauge_comparison *comparison)
{
    cg_json_break(json, 2);
    cg_json_key(json, "findings");
    cg_json_open(json, '{');
    write_findings_of(json, comparison, CALLGAUGE_FINDING_NEW);
    write_findings_of(json, comparison, CALLGAUGE_FINDING_GONE);
    write_findings_of(json, comparison, CALLGAUGE_FINDING_CHANGED);
    cg_json_close(json, '}');
}

/* --- the rest */

static void write_left_out(cg_json *json, const callgauge_comparison *comparison)
{
    size_t count = callgauge_comparison_left_out_count(comparison);
    cg_json_rows(json, "left_out");
    for (size_t i = 0; i < count; i++) {
        const callgauge_left_out_row *row = callgauge_comparison_left_out(comparison, i);
        cg_json_row(json);
        cg_json_captured(json, "what", row->what);
        cg_json_captured(json, "side", row->side);
        cg_json_captured(json, "why", row->why);
        cg_json_close(json, '}');
    }
    cg_json_rows_end(json, count);
    count = callgauge_comparison_hint_count(comparison);
    cg_json_rows(json, "hints");
    for (size_t i = 0; i < count; i++) {
        cg_json_break(json, 4);
        cg_json_z(json, callgauge_comparison_hint(comparison, i));
    }
    cg_json_rows_end(json, count);
}

static void write_evidence(cg_json *json, const callgauge_limit_result *limit)
{
    cg_json_list(json, "evidence");
    for (size_t i = 0; i < limit->evidence_count; i++) {
        cg_json_open(json, '{');
        cg_json_count(json, "capture", limit->evidence[i].place.capture);
        cg_json_number(json, "line", limit->evidence[i].place.line);
        cg_json_captured(json, "text", limit->evidence[i].text);
        cg_json_close(json, '}');
    }
    cg_json_close(json, ']');
}

static void write_limit(cg_json *json, const callgauge_limit_result *limit)
{
    static const char *const quantities[] = { "count", "time_ns", "bytes", "percent" };
    cg_json_row(json);
    cg_json_captured(json, "limit", limit->limit);
    cg_json_text(json, "state", callgauge_limit_state_text(limit->state));
    cg_json_text(json, "severity", callgauge_severity_text(limit->severity));
    cg_json_captured(json, "message", limit->message);
    cg_json_captured(json, "subject", limit->subject);
    cg_json_text(json, "quantity", quantities[limit->quantity]);
    write_double(json, "value", limit->value, true);
    write_double(json, "allowed", limit->allowed, true);
    cg_json_captured(json, "file", limit->source);
    cg_json_number(json, "line", limit->line);
    cg_json_number(json, "column", limit->column);
    write_evidence(json, limit);
    cg_json_captured(json, "diff", limit->diff);
    cg_json_close(json, '}');
}

/* All limits, or the broken ones only. */
static void write_limits(cg_json *json, const char *key, const callgauge_comparison *comparison, bool broken_only)
{
    size_t written = 0;
    cg_json_rows(json, key);
    for (size_t i = 0; i < callgauge_comparison_limit_count(comparison); i++) {
        const callgauge_limit_result *limit = callgauge_comparison_limit(comparison, i);
        if (!broken_only || limit->state == CALLGAUGE_LIMIT_BROKEN) {
            write_limit(json, limit);
            written++;
        }
    }
    cg_json_rows_end(json, written);
}

bool cg_write_comparison_json(const callgauge_comparison *comparison, const callgauge_write_options *options,
                              cg_out *out)
{
    (void)options;
    cg_json json = { .out = out };
    cg_json_open(&json, '{');
    cg_json_break(&json, 2);
    cg_json_text(&json, "schema", SCHEMA);
    cg_json_text(&json, "version", callgauge_version());
    cg_json_text(&json, "verdict", callgauge_verdict_text(callgauge_comparison_verdict(comparison)));
    cg_json_text(&json, "headline", callgauge_comparison_headline(comparison));
    cg_json_bool(&json, "compared", callgauge_comparison_has_sides(comparison));
    cg_json_bool(&json, "by_class", callgauge_comparison_by_class(comparison));
    reports of = write_sides(&json, comparison);
    write_totals(&json, comparison, of);
    write_rows(&json, comparison, CG_COMPARE_CALLS, of);
    write_rows(&json, comparison, CG_COMPARE_CLASSES, of);
    write_rows(&json, comparison, CG_COMPARE_FILES, of);
    write_rows(&json, comparison, CG_COMPARE_PROGRAMS, of);
    write_findings(&json, comparison);
    write_left_out(&json, comparison);
    write_limits(&json, "limits", comparison, false);
    write_limits(&json, "limits_broken", comparison, true);
    json.comma = false;
    cg_json_break(&json, 0);
    cg_json_close(&json, '}');
    cg_out_char(out, '\n');
    return true;
}

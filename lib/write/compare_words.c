/* SPDX-License-Identifier: Apache-2.0 */
/* What the forms of a comparison say alike. */
#include "write/compare_words.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/units.h"

/* --- lists */

const char *cg_compare_noun(cg_compare_list list, size_t count)
{
    static const char *const nouns[CG_COMPARE_LISTS][2] = { [CG_COMPARE_TOTALS] = { "total", "totals" },
                                                            [CG_COMPARE_CALLS] = { "call", "calls" },
                                                            [CG_COMPARE_CLASSES] = { "class", "classes" },
                                                            [CG_COMPARE_FILES] = { "file", "files" },
                                                            [CG_COMPARE_PROGRAMS] = { "program", "programs" } };
    return nouns[list][count != 1];
}

size_t cg_compare_count(const callgauge_comparison *comparison, cg_compare_list list)
{
    switch (list) {
    case CG_COMPARE_CALLS: return callgauge_comparison_call_count(comparison);
    case CG_COMPARE_CLASSES: return callgauge_comparison_class_count(comparison);
    case CG_COMPARE_FILES: return callgauge_comparison_file_count(comparison);
    case CG_COMPARE_PROGRAMS: return callgauge_comparison_program_count(comparison);
    default: return 1;
    }
}

const callgauge_compare_row *cg_compare_row_at(const callgauge_comparison *comparison, cg_compare_list list,
                                               size_t index)
{
    switch (list) {
    case CG_COMPARE_CALLS: return callgauge_comparison_call(comparison, index);
    case CG_COMPARE_CLASSES: return callgauge_comparison_class(comparison, index);
    case CG_COMPARE_FILES: return callgauge_comparison_file(comparison, index);
    case CG_COMPARE_PROGRAMS: return callgauge_comparison_program(comparison, index);
    default: return index == 0 ? callgauge_comparison_totals(comparison) : NULL;
    }
}

size_t cg_compare_measures(cg_compare_list list, callgauge_measure *out)
{
    enum {
        TOTALS = 1 << CG_COMPARE_TOTALS,
        CALLS = 1 << CG_COMPARE_CALLS | 1 << CG_COMPARE_CLASSES,
        FILES = 1 << CG_COMPARE_FILES,
        PROGRAMS = 1 << CG_COMPARE_PROGRAMS
    };
    static const unsigned lists[CALLGAUGE_MEASURE_COUNT] = {
        [CALLGAUGE_MEASURE_CALLS] = TOTALS | CALLS | FILES | PROGRAMS,
        [CALLGAUGE_MEASURE_ERRORS] = TOTALS | CALLS | FILES | PROGRAMS,
        [CALLGAUGE_MEASURE_CPU] = TOTALS | CALLS | FILES | PROGRAMS,
        [CALLGAUGE_MEASURE_WALL] = TOTALS | CALLS | FILES | PROGRAMS,
        [CALLGAUGE_MEASURE_BYTES_READ] = TOTALS | CALLS | FILES,
        [CALLGAUGE_MEASURE_BYTES_WRITTEN] = TOTALS | CALLS | FILES,
        [CALLGAUGE_MEASURE_USER] = TOTALS,
        [CALLGAUGE_MEASURE_ELAPSED] = TOTALS,
        [CALLGAUGE_MEASURE_OPENS] = FILES,
        [CALLGAUGE_MEASURE_FAILED_OPENS] = FILES,
        [CALLGAUGE_MEASURE_READS] = FILES,
        [CALLGAUGE_MEASURE_WRITES] = FILES,
        [CALLGAUGE_MEASURE_STARTS] = PROGRAMS,
    };
    size_t count = 0;
    for (size_t i = 0; i < CALLGAUGE_MEASURE_COUNT; i++) {
        if ((lists[i] >> list & 1) != 0) {
            out[count++] = (callgauge_measure)i;
        }
    }
    return count;
}

bool cg_differing_make(const callgauge_comparison *comparison, cg_compare_list list, cg_differing *out)
{
    size_t all = cg_compare_count(comparison, list);
    bool listed_since_they_differ = list == CG_COMPARE_FILES || list == CG_COMPARE_PROGRAMS;
    *out = (cg_differing){ .rows = cg_mem_zeroed(all + 1, sizeof *out->rows) };
    for (size_t i = 0; out->rows != NULL && i < all; i++) {
        const callgauge_compare_row *row = cg_compare_row_at(comparison, list, i);
        if (listed_since_they_differ || row->verdict != CALLGAUGE_VERDICT_SAME) {
            out->rows[out->count++] = row;
        }
    }
    out->same = all - out->count;
    return out->rows != NULL;
}

void cg_differing_release(cg_differing *differing)
{
    cg_mem_free(differing->rows);
}

/* --- numbers */

bool cg_amount_is_known(const callgauge_amount *amount)
{
    return amount->before.value != CALLGAUGE_UNKNOWN && amount->after.value != CALLGAUGE_UNKNOWN;
}

int64_t cg_amount_delta(const callgauge_amount *amount)
{
    int64_t before = amount->before.value, after = amount->after.value;
    if (before >= 0) {
        return after >= INT64_MIN + 1 + before ? after - before : INT64_MIN + 1;
    }
    return after > INT64_MAX + before ? INT64_MAX : after - before;
}

/* Where both sides have units, it is their shares that are compared. */
static bool has_units(const callgauge_amount *amount)
{
    return cg_amount_is_known(amount) && amount->before.per_unit >= 0 && amount->after.per_unit >= 0;
}

bool cg_amount_percent(const callgauge_amount *amount, double *out)
{
    if (!cg_amount_is_known(amount) || amount->before.value == 0) {
        return false;
    }
    double before = (double)amount->before.value, after = (double)amount->after.value;
    if (has_units(amount)) {
        before = amount->before.per_unit;
        after = amount->after.per_unit;
    }
    *out = before != 0 ? (after - before) / before * 100 : 0;
    return before != 0;
}

bool cg_amount_per_unit_delta(const callgauge_amount *amount, double *out)
{
    if (!has_units(amount)) {
        return false;
    }
    *out = amount->after.per_unit - amount->before.per_unit;
    return true;
}

static int64_t known_sum(int64_t a, int64_t b)
{
    if (a == CALLGAUGE_UNKNOWN || b == CALLGAUGE_UNKNOWN) {
        return a == CALLGAUGE_UNKNOWN ? b : a;
    }
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

static callgauge_side side_sum(callgauge_side a, callgauge_side b)
{
    callgauge_side sum = { known_sum(a.value, b.value), known_sum(a.min, b.min), known_sum(a.max, b.max), -1 };
    if (a.per_unit >= 0 || b.per_unit >= 0) {
        sum.per_unit = (a.per_unit >= 0 ? a.per_unit : 0) + (b.per_unit >= 0 ? b.per_unit : 0);
    }
    return sum;
}

callgauge_amount cg_amount_of_bytes(const callgauge_amount *amounts)
{
    const callgauge_amount *read = &amounts[CALLGAUGE_MEASURE_BYTES_READ],
                           *written = &amounts[CALLGAUGE_MEASURE_BYTES_WRITTEN];
    return (callgauge_amount){ .before = side_sum(read->before, written->before),
                               .after = side_sum(read->after, written->after),
                               .p = -1 };
}

size_t cg_format_double(char *to, double value)
{
    enum { FINE = 12, USUAL = 6 };
    static const double MOST = 9.2e18;
    int places = fabs(value) < 1 ? FINE : fabs(value) < MOST / 1e6 ? USUAL : 0;
    double scaled = value * (places == FINE ? 1e12 : places == USUAL ? 1e6 : 1);
    scaled = scaled > MOST ? MOST : scaled < -MOST ? -MOST : scaled;
    int64_t fixed = (int64_t)(scaled + (scaled < 0 ? -0.5 : 0.5));
    return cg_format_plain(to, fixed, places, cg_decimals_needed(fixed, places));
}

/* --- limits */

size_t cg_limits_of(const callgauge_comparison *comparison, callgauge_limit_state state)
{
    size_t count = 0;
    for (size_t i = 0; i < callgauge_comparison_limit_count(comparison); i++) {
        count += callgauge_comparison_limit(comparison, i)->state == state;
    }
    return count;
}

const char *cg_compare_outcome(const callgauge_comparison *comparison)
{
    if (callgauge_comparison_limit_count(comparison) == 0) {
        return callgauge_verdict_text(callgauge_comparison_verdict(comparison));
    }
    if (cg_limits_of(comparison, CALLGAUGE_LIMIT_BROKEN) > 0) {
        return "limits broken";
    }
    return cg_limits_of(comparison, CALLGAUGE_LIMIT_NOT_JUDGED) > 0 ? "limits not judged" : "limits kept";
}

void cg_write_limit_name(const callgauge_limit_result *limit, void (*write)(cg_out *, callgauge_str), cg_out *out)
{
    write(out, limit->limit);
    bool named = limit->subject.len <= limit->limit.len &&
                 cg_str_eq(limit->subject,
                           cg_str(limit->limit.ptr + limit->limit.len - limit->subject.len, limit->subject.len));
    if (limit->subject.len > 0 && !named) {
        cg_out_z(out, " (");
        write(out, limit->subject);
        cg_out_char(out, ')');
    }
}

static callgauge_str capture_name(const callgauge_report *report, size_t index)
{
    const callgauge_capture_row *capture = callgauge_report_capture(report, index);
    return cg_str_z(capture == NULL || capture->capture.name == NULL ? "" : capture->capture.name);
}

static const callgauge_report *checked_report(const callgauge_comparison *comparison)
{
    size_t count;
    const callgauge_report *const *after = callgauge_comparison_after(comparison, &count);
    return count > 0 ? after[0] : NULL;
}

callgauge_str cg_limit_place(const callgauge_comparison *comparison, const callgauge_limit_result *limit,
                             uint64_t *line)
{
    if (limit->evidence_count > 0 && checked_report(comparison) != NULL) {
        *line = limit->evidence[0].place.line;
        return cg_evidence_place(comparison, NULL, &limit->evidence[0]);
    }
    *line = limit->line;
    return limit->source;
}

/* --- findings */

const callgauge_finding_row *cg_finding_now(const callgauge_finding_change *change)
{
    return change->after != NULL ? change->after : change->before;
}

const char *cg_finding_fate_text(callgauge_finding_fate fate)
{
    static const char *const texts[] = { "new", "gone", "changed" };
    return texts[fate];
}

static bool has_finding(const callgauge_report *report, const callgauge_finding_row *row)
{
    for (size_t i = 0; i < callgauge_report_finding_count(report); i++) {
        if (callgauge_report_finding(report, i) == row) {
            return true;
        }
    }
    return false;
}

/* The report that a finding is of, on the side that it is of. NULL: none of them has it. */
static const callgauge_report *report_of(const callgauge_comparison *comparison, const callgauge_finding_change *change)
{
    const callgauge_finding_row *row = cg_finding_now(change);
    size_t count;
    const callgauge_report *const *side = change->after != NULL ? callgauge_comparison_after(comparison, &count)
                                                                : callgauge_comparison_before(comparison, &count);
    for (size_t i = 0; i < count; i++) {
        if (has_finding(side[i], row)) {
            return side[i];
        }
    }
    return NULL;
}

callgauge_str cg_evidence_place(const callgauge_comparison *comparison, const callgauge_finding_change *change,
                                const callgauge_evidence *evidence)
{
    const callgauge_report *report = change != NULL ? report_of(comparison, change) : checked_report(comparison);
    return report == NULL ? cg_str(NULL, 0) : capture_name(report, evidence->place.capture);
}

callgauge_str cg_finding_place(const callgauge_comparison *comparison, const callgauge_finding_change *change,
                               uint64_t *line)
{
    const callgauge_finding_row *row = cg_finding_now(change);
    const callgauge_evidence none = { .place = { 0, 0 } };
    const callgauge_evidence *first = row->evidence_count > 0 ? &row->evidence[0] : &none;
    *line = first->place.line;
    return cg_evidence_place(comparison, change, first);
}

static bool is_known_key(const callgauge_key *key)
{
    return !cg_str_is(key->value, "none") && !cg_str_is(key->value, "unknown");
}

bool cg_has_group(const callgauge_finding_row *row)
{
    for (size_t i = 0; i < row->key_count; i++) {
        if (is_known_key(&row->keys[i])) {
            return true;
        }
    }
    return false;
}

void cg_write_group(const callgauge_finding_row *row, void (*write)(cg_out *, callgauge_str), cg_out *out)
{
    bool more = false;
    for (size_t i = 0; i < row->key_count; i++) {
        if (is_known_key(&row->keys[i])) {
            cg_out_z(out, more ? ", " : "");
            more = true;
            write(out, row->keys[i].name);
            cg_out_char(out, '=');
            write(out, row->keys[i].value);
        }
    }
}

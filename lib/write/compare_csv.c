/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison as CSV: a line for each measure of each row, for each finding that came, went or changed, each limit,
 * each thing left out.
 * Invariant: an empty cell is unknown or none; `judged` is 0 or 1. */
#include "write/compare_words.h"
#include "write/escape.h"
#include "write/writers.h"

#include <math.h>

#include "base/str.h"
#include "base/units.h"

static const char HEADINGS[] = "list,name,class,measure,before,after,change,change_percent,before_min,before_max,"
                               "after_min,after_max,before_per_unit,after_per_unit,p,judged,verdict,why,allowed,"
                               "file,line\r\n";

static void write_int(int64_t value, cg_out *out)
{
    cg_out_char(out, ',');
    if (value != CALLGAUGE_UNKNOWN) {
        cg_out_i64(out, value);
    }
}

static void write_double(double value, bool is_known, cg_out *out)
{
    char text[CG_NUMBER_ROOM];
    cg_out_char(out, ',');
    if (is_known && isfinite(value)) {
        cg_out_add(out, text, cg_format_double(text, value));
    }
}

static void write_text(callgauge_str text, cg_out *out)
{
    cg_out_char(out, ',');
    cg_escape_csv(out, text);
}

/* The cells from `before` to `judged`. */
static void write_amount(const callgauge_amount *amount, cg_out *out)
{
    double percent = 0;
    bool has_percent = cg_amount_percent(amount, &percent);
    write_int(amount->before.value, out);
    write_int(amount->after.value, out);
    write_int(cg_amount_is_known(amount) ? cg_amount_delta(amount) : CALLGAUGE_UNKNOWN, out);
    write_double(percent, has_percent, out);
    write_int(amount->before.min, out);
    write_int(amount->before.max, out);
    write_int(amount->after.min, out);
    write_int(amount->after.max, out);
    write_double(amount->before.per_unit, amount->before.per_unit >= 0, out);
    write_double(amount->after.per_unit, amount->after.per_unit >= 0, out);
    write_double(amount->p, amount->p >= 0, out);
    cg_out_z(out, amount->judged ? ",1" : ",0");
}

static const char *class_of(cg_compare_list list, const callgauge_compare_row *row)
{
    switch (list) {
    case CG_COMPARE_CALLS:
    case CG_COMPARE_CLASSES: return callgauge_class_text(row->call_class);
    case CG_COMPARE_FILES: return callgauge_file_kind_text(row->kind);
    default: return "";
    }
}

/* The measures of a row of which a side knows something. */
static void write_row(cg_compare_list list, const callgauge_compare_row *row, cg_out *out)
{
    callgauge_measure measures[CALLGAUGE_MEASURE_COUNT];
    size_t count = cg_compare_measures(list, measures);
    for (size_t i = 0; i < count; i++) {
        const callgauge_amount *amount = &row->amounts[measures[i]];
        if (amount->before.value == CALLGAUGE_UNKNOWN && amount->after.value == CALLGAUGE_UNKNOWN) {
            continue;
        }
        cg_out_z(out, cg_compare_noun(list, 1));
        write_text(row->name, out);
        write_text(cg_str_z(class_of(list, row)), out);
        write_text(cg_str_z(callgauge_measure_text(measures[i])), out);
        write_amount(amount, out);
        write_text(cg_str_z(callgauge_verdict_text(amount->verdict)), out);
        write_text(row->why, out);
        cg_out_z(out, ",,,\r\n");
    }
}

static void write_finding(const callgauge_comparison *comparison, const callgauge_finding_change *change, cg_out *out)
{
    uint64_t line;
    const callgauge_finding_row *row = cg_finding_now(change);
    callgauge_str file = cg_finding_place(comparison, change, &line);
    cg_out_z(out, "finding");
    write_text(row->rule, out);
    write_text(cg_str_z(callgauge_severity_text(row->severity)), out);
    cg_out_z(out, ",calls");
    write_amount(&change->calls, out);
    write_text(cg_str_z(callgauge_verdict_text(change->verdict)), out);
    write_text(row->message, out);
    cg_out_char(out, ',');
    write_text(file, out);
    write_int(line == 0 ? CALLGAUGE_UNKNOWN : (int64_t)line, out);
    cg_out_z(out, "\r\n");
}

/* What was measured stands as `after`. */
static void write_limit(const callgauge_limit_result *limit, cg_out *out)
{
    static const char *const measures[] = { "count", "time_ns", "bytes", "percent" };
    cg_out_z(out, "limit");
    write_text(limit->limit, out);
    write_text(limit->subject, out);
    write_text(cg_str_z(measures[limit->quantity]), out);
    cg_out_char(out, ',');
    write_double(limit->value, true, out);
    cg_out_z(out, ",,,,,,,,,");
    cg_out_z(out, limit->state == CALLGAUGE_LIMIT_NOT_JUDGED ? ",0" : ",1");
    write_text(cg_str_z(callgauge_limit_state_text(limit->state)), out);
    write_text(limit->message, out);
    write_double(limit->allowed, true, out);
    write_text(limit->source, out);
    write_int(limit->line == 0 ? CALLGAUGE_UNKNOWN : (int64_t)limit->line, out);
    cg_out_z(out, "\r\n");
}

static void write_left_out(const callgauge_left_out_row *row, cg_out *out)
{
    cg_out_z(out, "left out");
    write_text(row->what, out);
    write_text(row->side, out);
    cg_out_z(out, ",,,,,,,,,,,,,0,");
    write_text(row->why, out);
    cg_out_z(out, ",,,\r\n");
}

bool cg_write_comparison_csv(const callgauge_comparison *comparison, const callgauge_write_options *options,
                             cg_out *out)
{
    size_t limit = options->limit == 0 ? SIZE_MAX : options->limit;
    cg_out_z(out, HEADINGS);
    for (size_t i = 0; i < callgauge_comparison_limit_count(comparison); i++) {
        write_limit(callgauge_comparison_limit(comparison, i), out);
    }
    if (!callgauge_comparison_has_sides(comparison)) {
        return true;
    }
    for (cg_compare_list list = CG_COMPARE_TOTALS; list < CG_COMPARE_LISTS; list++) {
        size_t count = cg_compare_count(comparison, list);
        for (size_t i = 0; i < count && i < limit; i++) {
            write_row(list, cg_compare_row_at(comparison, list, i), out);
        }
    }
    for (size_t i = 0; i < callgauge_comparison_finding_count(comparison); i++) {
        write_finding(comparison, callgauge_comparison_finding(comparison, i), out);
    }
    for (size_t i = 0; i < callgauge_comparison_left_out_count(comparison); i++) {
        write_left_out(callgauge_comparison_left_out(comparison, i), out);
    }
    return true;
}

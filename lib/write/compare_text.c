/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison for people: what matters most, what was read, limits, then calls, files, programs and findings that
 * differ, what was left out, the verdict.
 * Invariant: only ASCII of our own and text that cg_escape_show() made harmless. */
#include "write/compare_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "write/escape.h"
#include "write/kept.h"
#include "write/text.h"
#include "write/writers.h"

void cg_text_title(const char *title, const callgauge_write_options *options, cg_out *out)
{
    cg_out_char(out, '\n');
    cg_write_styled(options, "2", cg_str_z(title), out);
    cg_out_char(out, '\n');
}

static size_t limited(size_t count, size_t limit)
{
    return limit == 0 || count < limit ? count : limit;
}

/* --- rows that differ */

/* How the rows of a list are shown: all, or half as many beside the calls. */
static size_t limit_of(cg_compare_list list, const callgauge_write_options *options)
{
    bool shorter = list != CG_COMPARE_CALLS;
    return shorter ? options->limit / 2 + options->limit % 2 : options->limit;
}

static void write_same(size_t same, bool others_differ, cg_out *out)
{
    if (same > 0) {
        cg_text_count(same, others_differ ? "other call is the same" : "call is the same",
                      others_differ ? "other calls are the same" : "calls are the same", out);
        cg_out_char(out, '\n');
    }
}

/* "0.120 -> 0.141 s user cpu": a time that only all calls together have. */
static void write_time(const callgauge_comparison *comparison, callgauge_measure measure, const char *what, bool *more,
                       cg_out *out)
{
    const callgauge_compare_row *totals = callgauge_comparison_totals(comparison);
    cg_change_column column;
    char cell[CG_CHANGE_ROOM];
    if (!cg_amount_is_known(&totals->amounts[measure])) {
        return;
    }
    cg_change_column_of(totals, measure, &column);
    size_t len = cg_change_text(&column, totals, cell);
    if (len > 0) {
        cg_out_z(out, *more ? ", " : "");
        cg_out_add(out, cell, len);
        cg_out_z(out, what);
        *more = true;
    }
}

static void write_times(const callgauge_comparison *comparison, cg_out *out)
{
    bool more = false;
    write_time(comparison, CALLGAUGE_MEASURE_USER, " s user cpu", &more, out);
    write_time(comparison, CALLGAUGE_MEASURE_ELAPSED, " s elapsed", &more, out);
    cg_out_z(out, more ? "\n" : "");
}

static bool write_list(const callgauge_comparison *comparison, cg_compare_list list,
                       const callgauge_write_options *options, cg_out *out)
{
    cg_differing differing;
    if (!cg_differing_make(comparison, list, &differing)) {
        return false;
    }
    cg_out_z(out, differing.count > 0 || list == CG_COMPARE_CALLS ? "\n" : "");
    if (differing.count > 0) {
        size_t shown = limited(differing.count, limit_of(list, options));
        cg_changes changes;
        cg_changes_make(comparison, list, differing.rows, shown, false, &changes);
        cg_text_changes(&changes, differing.count - shown, options, out);
    }
    if (list == CG_COMPARE_CALLS) {
        write_same(differing.same, differing.count > 0, out);
        write_times(comparison, out);
    }
    cg_differing_release(&differing);
    return true;
}

/* --- times that are not judged */

/* By how much the time of a row moved that is only shown; 0: there is none. */
static int64_t shown_change(const callgauge_compare_row *row)
{
    static const callgauge_measure times[] = { CALLGAUGE_MEASURE_WALL, CALLGAUGE_MEASURE_CPU };
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        const callgauge_amount *time = &row->amounts[times[i]];
        if (!time->judged && cg_amount_is_known(time)) {
            int64_t delta = cg_amount_delta(time);
            return delta < 0 ? -delta : delta;
        }
    }
    return 0;
}

static int by_shown_change(const void *a, const void *b)
{
    const callgauge_compare_row *x = *(const callgauge_compare_row *const *)a,
                                *y = *(const callgauge_compare_row *const *)b;
    int64_t xs = shown_change(x), ys = shown_change(y);
    return xs != ys ? (xs > ys ? -1 : 1) : cg_str_cmp(x->name, y->name);
}

/* Of calls that are the same but in times that are shown only, those whose times moved most. */
static bool write_unjudged(const callgauge_comparison *comparison, const callgauge_write_options *options, cg_out *out)
{
    size_t all = callgauge_comparison_call_count(comparison), count = 0;
    const callgauge_compare_row **rows = cg_mem_zeroed(all + 1, sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    for (size_t i = 0; i < all; i++) {
        const callgauge_compare_row *row = callgauge_comparison_call(comparison, i);
        if (row->verdict == CALLGAUGE_VERDICT_SAME && shown_change(row) != 0) {
            rows[count++] = row;
        }
    }
    if (count > 0) {
        enum { MOST = 5 }; /* unless all are asked for: what was judged comes first */
        size_t shown = limited(count, options->limit < MOST ? options->limit : MOST);
        qsort(rows, count, sizeof *rows, by_shown_change);
        cg_changes changes;
        cg_changes_make(comparison, CG_COMPARE_CALLS, rows, shown, true, &changes);
        cg_text_title("times that are shown only", options, out);
        cg_text_changes(&changes, count - shown, options, out);
    }
    cg_mem_free(rows);
    return true;
}

/* --- findings */

static void write_finding(const callgauge_finding_change *change, const callgauge_write_options *options, cg_out *out)
{
    enum { DEEPER = 4 };
    const callgauge_finding_row *row = cg_finding_now(change);
    callgauge_str fate = cg_str_z(cg_finding_fate_text(change->fate));
    cg_kept kept;
    cg_kept_begin(&kept);
    cg_out_z(&kept.out, callgauge_severity_text(row->severity));
    cg_out_char(&kept.out, ' ');
    cg_out_str(&kept.out, row->rule);
    cg_out_z(&kept.out, ": ");
    cg_out_str(&kept.out, row->message);
    if (change->fate == CALLGAUGE_FINDING_CHANGED && cg_amount_is_known(&change->calls)) {
        cg_out_z(&kept.out, " (before: ");
        cg_text_count((uint64_t)change->calls.before.value, "call", "calls", &kept.out);
        cg_out_char(&kept.out, ')');
    }
    if (cg_has_group(row)) {
        cg_out_z(&kept.out, " [");
        cg_write_group(row, cg_out_str, &kept.out);
        cg_out_char(&kept.out, ']');
    }
    cg_out_z(out, "  ");
    cg_write_styled(options, cg_verdict_style(change->verdict), fate, out);
    cg_out_char(out, ' ');
    cg_text_prose(cg_kept_end(&kept), 2 + fate.len + 1, 2 + DEEPER, options->width, out);
    cg_out_char(out, '\n');
}

static void write_findings(const callgauge_comparison *comparison, const callgauge_write_options *options, cg_out *out)
{
    size_t count = callgauge_comparison_finding_count(comparison);
    size_t shown = limited(count, options->limit);
    if (count > 0) {
        cg_text_title("findings", options, out);
    }
    for (size_t i = 0; i < shown; i++) {
        write_finding(callgauge_comparison_finding(comparison, i), options, out);
    }
    if (shown < count) {
        cg_out_z(out, "  ... and ");
        cg_text_count(count - shown, "more", "more", out);
        cg_out_char(out, '\n');
    }
}

static void write_hints(const callgauge_comparison *comparison, const callgauge_write_options *options, cg_out *out)
{
    size_t count = callgauge_comparison_hint_count(comparison);
    cg_out_z(out, count > 0 ? "\n" : "");
    for (size_t i = 0; i < count; i++) {
        static const char label[] = "hint: ";
        cg_out_z(out, label);
        cg_text_prose(cg_str_z(callgauge_comparison_hint(comparison, i)), strlen(label), strlen(label), options->width,
                      out);
        cg_out_char(out, '\n');
    }
}

/* Of a budget the headline says it all: a difference that its limits let pass is fine. */
static void write_verdict(const callgauge_comparison *comparison, const callgauge_write_options *options, cg_out *out)
{
    if (!callgauge_comparison_has_sides(comparison) || callgauge_comparison_limit_count(comparison) > 0) {
        return;
    }
    callgauge_verdict verdict = callgauge_comparison_verdict(comparison);
    cg_out_z(out, "\nverdict: ");
    cg_write_styled(options, cg_verdict_style(verdict), cg_str_z(callgauge_verdict_text(verdict)), out);
    cg_out_char(out, '\n');
}

bool cg_write_comparison_text(const callgauge_comparison *comparison, const callgauge_write_options *options,
                              cg_out *out)
{
    cg_out_z(out, options->color ? "\033[1m" : "");
    cg_text_prose(cg_str_z(callgauge_comparison_headline(comparison)), 0, 0, options->width, out);
    cg_out_z(out, options->color ? "\033[0m\n" : "\n");
    cg_text_sides(comparison, options, out);
    cg_text_limits(comparison, options, out);
    if (callgauge_comparison_has_sides(comparison)) {
        if (!write_list(comparison, CG_COMPARE_CALLS, options, out) || !write_unjudged(comparison, options, out) ||
            !write_list(comparison, CG_COMPARE_FILES, options, out) ||
            !write_list(comparison, CG_COMPARE_PROGRAMS, options, out)) {
            return false;
        }
        write_findings(comparison, options, out);
    }
    if (!cg_text_left_out(comparison, options, out)) {
        return false;
    }
    write_hints(comparison, options, out);
    write_verdict(comparison, options, out);
    return true;
}

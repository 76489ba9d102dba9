/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison as a comment of a pull request: what matters as a heading, tables of what differs, what was left out
 * folded away.
 * Invariant: nothing of a capture becomes mark-up. */
#include "write/compare_cells.h"
#include "write/escape.h"
#include "write/kept.h"
#include "write/left_out.h"
#include "write/text.h"
#include "write/writers.h"

#include <string.h>

#include "base/str.h"

enum {
    LEAST_FENCE = 3,
    MOST_SPARED = 4 /* columns that say again what others say are not for a comment */
};

static size_t limited(size_t count, size_t limit)
{
    return limit == 0 || count < limit ? count : limit;
}

static void write_more(size_t more, cg_out *out)
{
    if (more > 0) {
        cg_out_z(out, "\n... and ");
        cg_text_count(more, "more", "more", out);
        cg_out_char(out, '\n');
    }
}

/* --- rows that differ */

static void write_headings(const cg_changes *changes, cg_out *out)
{
    cg_out_z(out, "\n| ");
    cg_out_z(out, cg_compare_noun(changes->list, 1));
    cg_out_z(out, " |");
    for (size_t i = 0; i < changes->count; i++) {
        cg_out_char(out, ' ');
        cg_out_z(out, changes->columns[i].heading);
        cg_out_z(out, " |");
    }
    cg_out_z(out, " verdict |\n| --- |");
    for (size_t i = 0; i < changes->count; i++) {
        cg_out_z(out, " ---: |");
    }
    cg_out_z(out, " --- |\n");
}

static void write_row(const cg_changes *changes, const callgauge_compare_row *row, cg_out *out)
{
    cg_out_z(out, "| ");
    if (row == changes->total) {
        cg_out_z(out, "total");
    } else {
        cg_change_name(changes, row, cg_escape_markdown, out);
    }
    cg_out_z(out, " |");
    for (size_t i = 0; i < changes->count; i++) {
        char cell[CG_CHANGE_ROOM];
        cg_out_char(out, ' ');
        cg_out_add(out, cell, cg_change_text(&changes->columns[i], row, cell));
        cg_out_z(out, " |");
    }
    cg_out_char(out, ' ');
    cg_out_z(out, callgauge_verdict_text(row->verdict));
    cg_out_z(out, " |\n");
}

static bool write_list(const callgauge_comparison *comparison, cg_compare_list list, size_t limit, cg_out *out)
{
    cg_differing differing;
    if (!cg_differing_make(comparison, list, &differing)) {
        return false;
    }
    size_t shown = limited(differing.count, limit);
    if (differing.count > 0) {
        cg_changes changes;
        cg_changes_make(comparison, list, differing.rows, shown, false, &changes);
        cg_changes_spare(&changes, MOST_SPARED);
        write_headings(&changes, out);
        for (size_t i = 0; i < shown; i++) {
            write_row(&changes, differing.rows[i], out);
        }
        if (changes.total != NULL) {
            write_row(&changes, changes.total, out);
        }
        write_more(differing.count - shown, out);
    }
    if (list == CG_COMPARE_CALLS && differing.same > 0) {
        cg_out_char(out, '\n');
        cg_text_count(differing.same, differing.count > 0 ? "other call is the same" : "call is the same",
                      differing.count > 0 ? "other calls are the same" : "calls are the same", out);
        cg_out_z(out, ".\n");
    }
    cg_differing_release(&differing);
    return true;
}

/* --- limits */

/* A fence that no line of the text can end. */
static size_t fence_for(callgauge_str text)
{
    size_t run = 0, longest = LEAST_FENCE - 1;
    for (size_t i = 0; i < text.len; i++) {
        run = text.ptr[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest + 1;
}

static void write_fence(size_t length, const char *language, cg_out *out)
{
    cg_out_z(out, "  ");
    for (size_t i = 0; i < length; i++) {
        cg_out_char(out, '`');
    }
    cg_out_z(out, language);
    cg_out_char(out, '\n');
}

static void write_diff(callgauge_str diff, cg_out *out)
{
    size_t fence = fence_for(diff);
    cg_out_char(out, '\n');
    write_fence(fence, "diff", out);
    while (diff.len > 0) {
        const char *end = memchr(diff.ptr, '\n', diff.len);
        size_t line = end == NULL ? diff.len : (size_t)(end - diff.ptr);
        cg_out_z(out, "  ");
        cg_escape_show(out, cg_str(diff.ptr, line));
        cg_out_char(out, '\n');
        line += end != NULL;
        diff = cg_str(diff.ptr + line, diff.len - line);
    }
    write_fence(fence, "", out);
}

static void write_limit(const callgauge_comparison *comparison, const callgauge_limit_result *limit, cg_out *out)
{
    uint64_t line;
    callgauge_str file = cg_limit_place(comparison, limit, &line);
    cg_out_z(out, "- **");
    cg_out_z(out, callgauge_severity_text(limit->severity));
    cg_out_char(out, ' ');
    cg_write_limit_name(limit, cg_escape_markdown, out);
    cg_out_z(out, "**: ");
    cg_escape_markdown(out, limit->message);
    if (file.len > 0) {
        cg_out_z(out, " (");
        cg_escape_markdown(out, file);
        if (line > 0) {
            cg_out_char(out, ':');
            cg_out_u64(out, line);
        }
        cg_out_char(out, ')');
    }
    cg_out_char(out, '\n');
    if (limit->diff.len > 0) {
        write_diff(limit->diff, out);
    }
}

static void write_limits_of(const callgauge_comparison *comparison, callgauge_limit_state state, const char *title,
                            size_t most, cg_out *out)
{
    size_t written = 0, count = cg_limits_of(comparison, state), shown = limited(count, most);
    if (count > 0) {
        cg_out_z(out, title);
    }
    for (size_t i = 0; written < shown; i++) {
        const callgauge_limit_result *limit = callgauge_comparison_limit(comparison, i);
        if (limit->state == state) {
            write_limit(comparison, limit, out);
            written++;
        }
    }
    write_more(count - shown, out);
}

static void write_limits(const callgauge_comparison *comparison, size_t most, cg_out *out)
{
    size_t kept = cg_limits_of(comparison, CALLGAUGE_LIMIT_KEPT);
    write_limits_of(comparison, CALLGAUGE_LIMIT_BROKEN, "\nBroken limits:\n\n", most, out);
    write_limits_of(comparison, CALLGAUGE_LIMIT_NOT_JUDGED, "\nLimits that could not be judged:\n\n", most, out);
    if (kept > 0) {
        cg_out_char(out, '\n');
        cg_text_count(kept, "limit kept.", "limits kept.", out);
        cg_out_char(out, '\n');
    }
}

/* --- the rest */

static void write_findings(const callgauge_comparison *comparison, size_t most, cg_out *out)
{
    size_t count = callgauge_comparison_finding_count(comparison), shown = limited(count, most);
    cg_out_z(out, count > 0 ? "\nFindings:\n\n" : "");
    for (size_t i = 0; i < shown; i++) {
        const callgauge_finding_change *change = callgauge_comparison_finding(comparison, i);
        const callgauge_finding_row *row = cg_finding_now(change);
        cg_out_z(out, "- ");
        cg_out_z(out, cg_finding_fate_text(change->fate));
        cg_out_z(out, ": **");
        cg_out_z(out, callgauge_severity_text(row->severity));
        cg_out_char(out, ' ');
        cg_escape_markdown(out, row->rule);
        cg_out_z(out, "**: ");
        cg_escape_markdown(out, row->message);
        if (cg_has_group(row)) {
            cg_out_z(out, " (");
            cg_write_group(row, cg_escape_markdown, out);
            cg_out_char(out, ')');
        }
        cg_out_char(out, '\n');
    }
    write_more(count - shown, out);
}

static void write_hints(const callgauge_comparison *comparison, cg_out *out)
{
    for (size_t i = 0; i < callgauge_comparison_hint_count(comparison); i++) {
        cg_out_z(out, "\nHint: ");
        cg_escape_markdown(out, cg_str_z(callgauge_comparison_hint(comparison, i)));
        cg_out_char(out, '\n');
    }
}

static bool write_left_out(const callgauge_comparison *comparison, cg_out *out)
{
    cg_left_out left_out;
    if (!cg_left_out_make(comparison, &left_out)) {
        return false;
    }
    if (left_out.count > 0) {
        cg_out_z(out, "\n<details><summary>Not compared: ");
        cg_text_count(left_out.count, "thing", "things", out);
        cg_out_z(out, "</summary>\n\n");
    }
    for (size_t i = 0, alike; i < left_out.count; i += alike) {
        const callgauge_left_out_row *row = left_out.rows[i];
        alike = cg_left_out_alike(&left_out, i);
        cg_out_z(out, "- ");
        cg_escape_markdown(out, row->side);
        cg_out_z(out, ": ");
        cg_escape_markdown(out, row->why);
        for (size_t k = 0; k < alike; k++) {
            cg_out_z(out, k == 0 ? ": " : ", ");
            cg_escape_markdown(out, left_out.rows[i + k]->what);
        }
        cg_out_char(out, '\n');
    }
    cg_out_z(out, left_out.count > 0 ? "\n</details>\n" : "");
    cg_left_out_release(&left_out);
    return true;
}

bool cg_write_comparison_markdown(const callgauge_comparison *comparison, const callgauge_write_options *options,
                                  cg_out *out)
{
    size_t most = options->limit;
    cg_out_z(out, "### callgauge: ");
    cg_out_z(out, cg_compare_outcome(comparison));
    cg_out_z(out, "\n\n");
    cg_escape_markdown(out, cg_str_z(callgauge_comparison_headline(comparison)));
    cg_out_char(out, '\n');
    write_limits(comparison, most, out);
    if (callgauge_comparison_has_sides(comparison)) {
        size_t fewer = most / 2 + most % 2;
        if (!write_list(comparison, CG_COMPARE_CALLS, most, out) ||
            !write_list(comparison, CG_COMPARE_FILES, fewer, out) ||
            !write_list(comparison, CG_COMPARE_PROGRAMS, fewer, out)) {
            return false;
        }
        write_findings(comparison, most, out);
    }
    write_hints(comparison, out);
    return write_left_out(comparison, out);
}

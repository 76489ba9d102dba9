/* SPDX-License-Identifier: Apache-2.0 */
/* Findings for people: what, how often, where, why it costs, what to change; then the rules that could not be judged.
 * Invariant: everything that comes from a capture or a rule file is made harmless. */
#include "write/text.h"

#include <string.h>

#include "base/str.h"
#include "write/escape.h"
#include "write/schema.h"
#include "write/units.h"
#include "write/writers.h"

enum {
    LABEL_WIDTH = 12,
    LEAST_WIDTH = 40,
    SHOWN_GROUPS = 5,
    SHOWN_LINES = 5,
    MOST_SHOWN = 512, /* bytes of a line */
    AT_A_GLANCE = 10  /* findings of a report, one line each */
};

static size_t width_of(const callgauge_write_options *options)
{
    return options->width < LEAST_WIDTH ? LEAST_WIDTH : options->width;
}

static void write_label(const char *label, const callgauge_write_options *options, cg_out *out)
{
    size_t len = strlen(label);
    cg_out_z(out, "    ");
    cg_write_styled(options, "2", cg_str_z(label), out);
    cg_out_blanks(out, len + 4 < LABEL_WIDTH ? LABEL_WIDTH - len - 4 : 1);
}

/* Prose behind a label, broken between words. */
static void write_prose(const char *label, callgauge_str text, const callgauge_write_options *options, cg_out *out)
{
    if (text.len == 0) {
        return;
    }
    write_label(label, options, out);
    size_t column = LABEL_WIDTH;
    for (size_t at = 0; at < text.len;) {
        size_t end = at;
        while (end < text.len && !cg_is_blank(text.ptr[end]) && text.ptr[end] != '\n') {
            end++;
        }
        callgauge_str word = cg_str(text.ptr + at, end - at);
        size_t wide = cg_escape_width(word);
        if (column > LABEL_WIDTH && column + 1 + wide > width_of(options)) {
            cg_out_char(out, '\n');
            cg_out_blanks(out, LABEL_WIDTH);
            column = LABEL_WIDTH;
        } else if (column > LABEL_WIDTH) {
            cg_out_char(out, ' ');
            column++;
        }
        cg_escape_show(out, word);
        column += wide;
        while (end < text.len && (cg_is_blank(text.ptr[end]) || text.ptr[end] == '\n')) {
            end++;
        }
        at = end;
    }
    cg_out_char(out, '\n');
}

static const char *style_of(callgauge_severity severity)
{
    return severity == CALLGAUGE_SEVERITY_ERROR ? "31" : severity == CALLGAUGE_SEVERITY_WARNING ? "33" : "36";
}

static void write_headline(const callgauge_finding_row *row, const callgauge_write_options *options, cg_out *out)
{
    cg_write_styled(options, style_of(row->severity), cg_str_z(callgauge_severity_text(row->severity)), out);
    cg_out_char(out, ' ');
    cg_write_styled(options, "1", row->rule, out);
    cg_out_z(out, ": ");
    cg_escape_show(out, row->message);
}

/* "path=/etc, fd=3"; values that are not there are left out. */
static void write_keys(const callgauge_key *keys, size_t count, cg_out *out)
{
    bool more = false;
    for (size_t i = 0; i < count; i++) {
        if (cg_str_is(keys[i].value, "none")) {
            continue;
        }
        cg_out_z(out, more ? ", " : "");
        more = true;
        if (count > 1) {
            cg_escape_show(out, keys[i].name);
            cg_out_char(out, '=');
        }
        cg_escape_show(out, keys[i].value);
    }
}

static void write_percent(uint64_t part, uint64_t whole, cg_out *out)
{
    char text[CG_NUMBER_ROOM];
    double tenths = (double)part * 1000.0 / (double)whole + 0.5;
    cg_out_add(out, text, cg_format_fixed(text, (int64_t)tenths, 1, cg_decimals_needed((int64_t)tenths, 1)));
    cg_out_z(out, " %");
}

static void write_bytes(int64_t bytes, bool *more, cg_out *out)
{
    if (bytes != CALLGAUGE_UNKNOWN && bytes > 0) {
        cg_text_known_count(bytes, "byte", "bytes", more, out);
    }
}

static void write_numbers(const callgauge_report *report, const callgauge_finding_row *row,
                          const callgauge_write_options *options, cg_out *out)
{
    bool more = false;
    write_label("found", options, out);
    cg_text_known_count((int64_t)row->calls, "call", "calls", &more, out);
    if (row->errors > 0) {
        cg_text_known_count((int64_t)row->errors, "failed", "failed", &more, out);
    }
    write_bytes(row->bytes, &more, out);
    cg_text_known_seconds(row->wall_ns, "wall", &more, out);
    cg_text_known_seconds(row->cpu_ns, "cpu", &more, out);
    const callgauge_totals *totals = callgauge_report_totals(report);
    if (row->wall_ns > 0 && totals->wall_ns > 0) {
        cg_out_z(out, " (");
        write_percent((uint64_t)row->wall_ns, (uint64_t)totals->wall_ns, out);
        cg_out_z(out, " of all)");
    } else if (row->cpu_ns > 0 && totals->cpu_ns > 0) {
        cg_out_z(out, " (");
        write_percent((uint64_t)row->cpu_ns, (uint64_t)totals->cpu_ns, out);
        cg_out_z(out, " of all)");
    }
    if (row->saved_calls > 0) {
        cg_out_z(out, "; ");
        cg_text_count((uint64_t)row->saved_calls, "could be left out", "could be left out", out);
    }
    cg_out_z(out, row->rests_on_times ? "; rests on times" : "; rests on counts");
    cg_out_char(out, '\n');
    if (row->undecided > 0) {
        write_label("undecided", options, out);
        cg_text_count(row->undecided, "call", "calls", out);
        cg_out_z(out, " for which the capture does not tell\n");
    }
}

static void write_groups(const callgauge_finding_row *row, const callgauge_write_options *options, cg_out *out)
{
    size_t shown = row->group_count < SHOWN_GROUPS ? row->group_count : SHOWN_GROUPS;
    for (size_t i = 0; i < shown; i++) {
        const callgauge_group_row *group = &row->groups[i];
        bool more = false;
        write_label(i == 0 ? "worst" : "", options, out);
        cg_text_known_count((int64_t)group->calls, "call", "calls", &more, out);
        write_bytes(group->bytes, &more, out);
        cg_text_known_seconds(group->wall_ns, "wall", &more, out);
        cg_text_known_seconds(group->cpu_ns, "cpu", &more, out);
        cg_out_z(out, "  ");
        write_keys(group->keys, group->key_count, out);
        cg_out_char(out, '\n');
    }
    uint64_t left = row->group_count - shown + row->groups_left_out;
    if (left > 0) {
        write_label("", options, out);
        cg_out_z(out, "... and ");
        cg_text_count(left, "more", "more", out);
        cg_out_char(out, '\n');
    }
}

/* Columns of tracers are told by tabs: a blank shows as much. */
static void write_line(callgauge_str text, size_t width, cg_out *out)
{
    char shown[MOST_SHOWN];
    size_t len = text.len < MOST_SHOWN ? text.len : MOST_SHOWN;
    for (size_t i = 0; i < len; i++) {
        shown[i] = text.ptr[i] == '\t' ? ' ' : text.ptr[i];
    }
    cg_text_cut(cg_str_trim(cg_str(shown, len)), width, true, out);
    cg_out_char(out, '\n');
}

static void write_evidence(const callgauge_report *report, const callgauge_finding_row *row,
                           const callgauge_write_options *options, cg_out *out)
{
    for (size_t i = 0; i < row->evidence_count && i < SHOWN_LINES; i++) {
        const callgauge_evidence *line = &row->evidence[i];
        const callgauge_capture_row *capture = callgauge_report_capture(report, line->place.capture);
        char number[CG_NUMBER_ROOM];
        size_t digits = cg_format_plain(number, (int64_t)line->place.line, 0, 0);
        const char *name = capture == NULL ? "" : capture->capture.name;
        name = strcmp(name, "-") == 0 ? "standard input" : name;
        size_t used = 4 + cg_escape_width(cg_str_z(name)) + digits + 3;
        cg_out_z(out, "    ");
        cg_escape_show(out, cg_str_z(name));
        cg_out_char(out, ':');
        cg_out_add(out, number, digits);
        cg_out_z(out, used > width_of(options) / 2 ? ":\n" : ": ");
        if (used > width_of(options) / 2) {
            cg_out_blanks(out, LABEL_WIDTH);
            used = LABEL_WIDTH;
        }
        write_line(line->text, width_of(options) - used, out);
    }
}

static void write_finding(const callgauge_report *report, const callgauge_finding_row *row,
                          const callgauge_write_options *options, cg_out *out)
{
    write_headline(row, options, out);
    cg_out_char(out, '\n');
    if (row->key_count > 0) {
        for (size_t i = 0; i < row->key_count; i++) {
            write_label(i == 0 ? "in" : "", options, out);
            cg_escape_show(out, row->keys[i].name);
            cg_out_char(out, ' ');
            cg_escape_show(out, row->keys[i].value);
            cg_out_char(out, '\n');
        }
    }
    if (!cg_str_eq(row->title, row->rule)) {
        write_prose("what", row->title, options, out);
    }
    write_numbers(report, row, options, out);
    write_groups(row, options, out);
    write_evidence(report, row, options, out);
    write_prose("why", row->why, options, out);
    write_prose("change", row->advice, options, out);
    write_prose("but", row->false_alarms, options, out);
    for (size_t i = 0; i < row->reference_count; i++) {
        write_prose(i == 0 ? "see" : "", row->references[i], options, out);
    }
}

/* --- rules that could not be judged: those that want the same of the same capture in one go */

static bool same_want(const callgauge_not_judged_row *a, const callgauge_not_judged_row *b)
{
    return a->missing == b->missing && cg_str_eq(a->next_capture, b->next_capture);
}

static bool came_before(const callgauge_report *report, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (same_want(callgauge_report_not_judged(report, i), callgauge_report_not_judged(report, index))) {
            return true;
        }
    }
    return false;
}

static void write_missing(uint32_t missing, cg_out *out)
{
    bool more = false;
    for (size_t i = 0; i < CG_TRAITS; i++) {
        if ((missing >> i & 1) != 0) {
            cg_out_z(out, more ? ", " : "");
            cg_out_z(out, cg_trait_names[i]);
            more = true;
        }
    }
}

/* The rules that want the same, each once. */
static void write_rules(const callgauge_report *report, size_t index, const callgauge_write_options *options,
                        cg_out *out)
{
    enum { INDENT = 4 };
    const callgauge_not_judged_row *row = callgauge_report_not_judged(report, index);
    size_t column = INDENT;
    callgauge_str before = { NULL, 0 };
    cg_out_blanks(out, INDENT);
    for (size_t i = index; i < callgauge_report_not_judged_count(report); i++) {
        const callgauge_not_judged_row *other = callgauge_report_not_judged(report, i);
        if (!same_want(row, other) || cg_str_eq(before, other->rule)) {
            continue;
        }
        before = other->rule;
        size_t wide = cg_escape_width(other->rule);
        if (column > INDENT && column + 1 + wide > width_of(options)) {
            cg_out_char(out, '\n');
            cg_out_blanks(out, INDENT);
            column = INDENT;
        } else if (column > INDENT) {
            cg_out_char(out, ' ');
            column++;
        }
        cg_escape_show(out, other->rule);
        column += wide;
    }
    cg_out_char(out, '\n');
}

static void write_want(const callgauge_report *report, size_t index, const callgauge_write_options *options,
                       cg_out *out)
{
    const callgauge_not_judged_row *row = callgauge_report_not_judged(report, index);
    cg_out_z(out, "not judged for want of ");
    write_missing(row->missing, out);
    cg_out_z(out, ":\n");
    write_rules(report, index, options, out);
    if (row->next_capture.len > 0) {
        cg_out_z(out, "    this would tell: ");
        cg_escape_show(out, row->next_capture);
        cg_out_char(out, '\n');
    }
}

static void write_not_judged(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    for (size_t i = 0; i < callgauge_report_not_judged_count(report); i++) {
        if (!came_before(report, i)) {
            cg_out_char(out, '\n');
            write_want(report, i, options, out);
        }
    }
}

bool cg_write_text_findings(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    size_t count = callgauge_report_finding_count(report);
    size_t shown = options->limit == 0 || options->limit > count ? count : options->limit;
    for (size_t i = 0; i < shown; i++) {
        cg_out_z(out, i > 0 ? "\n" : "");
        write_finding(report, callgauge_report_finding(report, i), options, out);
    }
    if (shown < count) {
        cg_out_z(out, "\n... and ");
        cg_text_count(count - shown, "more finding", "more findings", out);
        cg_out_char(out, '\n');
    }
    if (count == 0) {
        cg_out_z(out, "nothing found\n");
    }
    write_not_judged(report, options, out);
    return true;
}

void cg_text_findings(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    size_t count = callgauge_report_finding_count(report);
    size_t most = options->limit == 0 ? count : AT_A_GLANCE;
    if (count > 0) {
        cg_out_char(out, '\n');
        cg_write_styled(options, "2", cg_str_z("findings (callgauge detect tells more)"), out);
        cg_out_char(out, '\n');
    }
    for (size_t i = 0; i < count && i < most; i++) {
        cg_out_z(out, "  ");
        write_headline(callgauge_report_finding(report, i), options, out);
        cg_out_char(out, '\n');
    }
    if (count > most) {
        cg_out_z(out, "  ... and ");
        cg_text_count(count - most, "more", "more", out);
        cg_out_char(out, '\n');
    }
}

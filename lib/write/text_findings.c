/* SPDX-License-Identifier: Apache-2.0 */
/* Findings for people: what, how often, where, why it costs, what to change.
 * Invariant: everything that comes from a capture or a rule file is made harmless. */
#include "write/text.h"

#include <string.h>

#include "base/str.h"
#include "write/escape.h"
#include "write/kept.h"
#include "base/units.h"
#include "write/writers.h"

enum {
    LABEL_WIDTH = 12,
    LEAST_WIDTH = 40,
    SHOWN_GROUPS = 5,
    SHOWN_LINES = 5,
    MOST_SHOWN = CG_KEPT_ROOM, /* bytes of a line */
    LINES_OF_TEXT = 3,         /* that it may take */
    AT_A_GLANCE = 10           /* findings of a report, one line each */
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
    if (text.len > 0) {
        write_label(label, options, out);
        cg_text_prose(text, LABEL_WIDTH, LABEL_WIDTH, width_of(options), out);
        cg_out_char(out, '\n');
    }
}

static const char *style_of(callgauge_severity severity)
{
    return severity == CALLGAUGE_SEVERITY_ERROR ? "31" : severity == CALLGAUGE_SEVERITY_WARNING ? "33" : "36";
}

/* Begins at column `indent`; further lines stand deeper. */
static void write_headline(const callgauge_finding_row *row, size_t indent, const callgauge_write_options *options,
                           cg_out *out)
{
    enum { DEEPER = 4 };
    callgauge_str severity = cg_str_z(callgauge_severity_text(row->severity));
    cg_out_blanks(out, indent);
    cg_write_styled(options, style_of(row->severity), severity, out);
    cg_out_char(out, ' ');
    cg_write_styled(options, "1", row->rule, out);
    cg_out_z(out, ": ");
    size_t column = indent + severity.len + cg_escape_width(row->rule) + strlen(" : ");
    cg_text_prose(row->message, column, indent + DEEPER, width_of(options), out);
    cg_out_char(out, '\n');
}

/* "path=/etc, fd=3"; values that are not there are left out. */
static void write_keys(const callgauge_key *keys, size_t count, cg_out *out)
{
    bool more = false;
    for (size_t i = 0; i < count; i++) {
        if (cg_str_is(keys[i].value, "none") || (count > 1 && cg_str_is(keys[i].value, "unknown"))) {
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

static void write_costs(const callgauge_report *report, const callgauge_finding_row *row, cg_out *out)
{
    bool more = false;
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
}

static void write_numbers(const callgauge_report *report, const callgauge_finding_row *row,
                          const callgauge_write_options *options, cg_out *out)
{
    cg_kept costs;
    cg_kept_begin(&costs);
    write_costs(report, row, &costs.out);
    write_prose("found", cg_kept_end(&costs), options, out);
    if (row->undecided > 0) {
        write_label("unknown", options, out);
        cg_text_count(row->undecided, "call", "calls", out);
        cg_out_z(out, " for which the capture does not tell\n");
    }
}

static void write_worst(const callgauge_group_row *group, cg_out *out)
{
    bool more = false;
    cg_text_known_count((int64_t)group->calls, "call", "calls", &more, out);
    write_bytes(group->bytes, &more, out);
    cg_text_known_seconds(group->wall_ns, "wall", &more, out);
    cg_text_known_seconds(group->cpu_ns, "cpu", &more, out);
    cg_out_z(out, "  ");
    write_keys(group->keys, group->key_count, out);
}

static void write_groups(const callgauge_finding_row *row, const callgauge_write_options *options, cg_out *out)
{
    enum { DEEPER = 2, MOST_LINES = 3 };
    size_t shown = row->group_count < SHOWN_GROUPS ? row->group_count : SHOWN_GROUPS;
    for (size_t i = 0; i < shown; i++) {
        cg_kept worst;
        cg_kept_begin(&worst);
        write_worst(&row->groups[i], &worst.out);
        const cg_text_room room = { LABEL_WIDTH, LABEL_WIDTH + DEEPER, width_of(options), MOST_LINES, false };
        write_label(i == 0 ? "worst" : "", options, out);
        cg_text_lines(cg_kept_end(&worst), &room, out);
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

/* A line of a capture. Columns of tracers are told by tabs: a blank shows as much; more of them only where there is
 * room. */
static void write_line(callgauge_str text, size_t column, size_t width, cg_out *out)
{
    char shown[MOST_SHOWN];
    size_t len = 0;
    bool narrow = column + cg_escape_width(text) > width;
    for (size_t i = 0; i < text.len && len < MOST_SHOWN; i++) {
        bool blank = cg_is_blank(text.ptr[i]);
        if (!blank || !narrow || (len > 0 && shown[len - 1] != ' ')) {
            shown[len++] = blank ? ' ' : text.ptr[i];
        }
    }
    const cg_text_room room = {
        .column = column, .indent = LABEL_WIDTH, .width = width, .lines = LINES_OF_TEXT, .at_end = len == MOST_SHOWN
    };
    cg_text_lines(cg_str(shown, len), &room, out);
    cg_out_char(out, '\n');
}

/* "line 6" of the only capture, or "name:6:"; gives the column behind it. */
static size_t write_place(const callgauge_report *report, const callgauge_evidence *line,
                          const callgauge_write_options *options, cg_out *out)
{
    enum { INDENT = 4, LEAST_LABEL = 8 };
    char number[CG_NUMBER_ROOM];
    size_t digits = cg_format_plain(number, (int64_t)line->place.line, 0, 0);
    const callgauge_capture_row *capture = callgauge_report_capture(report, line->place.capture);
    cg_out_blanks(out, INDENT);
    if (callgauge_report_capture_count(report) == 1) {
        size_t used = strlen("line ") + digits;
        cg_out_z(out, "line ");
        cg_out_add(out, number, digits);
        size_t gap = used + 1 < LEAST_LABEL ? LEAST_LABEL - used : 1;
        cg_out_blanks(out, gap);
        return INDENT + used + gap;
    }
    const char *name = capture == NULL ? "" : capture->capture.name;
    name = strcmp(name, "-") == 0 ? "standard input" : name;
    size_t used = INDENT + cg_escape_width(cg_str_z(name)) + strlen(":") + digits + strlen(": ");
    cg_escape_show(out, cg_str_z(name));
    cg_out_char(out, ':');
    cg_out_add(out, number, digits);
    if (used <= width_of(options) / 2) {
        cg_out_z(out, ": ");
        return used;
    }
    cg_out_z(out, ":\n");
    cg_out_blanks(out, LABEL_WIDTH);
    return LABEL_WIDTH;
}

static void write_evidence(const callgauge_report *report, const callgauge_finding_row *row,
                           const callgauge_write_options *options, cg_out *out)
{
    for (size_t i = 0; i < row->evidence_count && i < SHOWN_LINES; i++) {
        size_t column = write_place(report, &row->evidence[i], options, out);
        write_line(row->evidence[i].text, column, width_of(options), out);
    }
}

/* What a finding is of; a group of which nothing is known says nothing. */
static void write_group(const callgauge_finding_row *row, const callgauge_write_options *options, cg_out *out)
{
    bool known = false;
    for (size_t i = 0; i < row->key_count; i++) {
        known = known || !cg_str_is(row->keys[i].value, "unknown");
    }
    for (size_t i = 0; known && i < row->key_count; i++) {
        write_label(i == 0 ? "in" : "", options, out);
        cg_escape_show(out, row->keys[i].name);
        cg_out_char(out, ' ');
        cg_escape_show(out, row->keys[i].value);
        cg_out_char(out, '\n');
    }
}

static void write_finding(const callgauge_report *report, const callgauge_finding_row *row,
                          const callgauge_write_options *options, cg_out *out)
{
    write_headline(row, 0, options, out);
    write_group(row, options, out);
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

bool cg_write_text_findings(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    size_t count = callgauge_report_finding_count(report);
    size_t shown = options->limit == 0 || options->limit > count ? count : options->limit;
    if (callgauge_report_capture_count(report) == 1) {
        cg_text_capture(report, options, out);
        cg_out_char(out, '\n');
    }
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
    return cg_text_not_judged(report, width_of(options), out);
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
        write_headline(callgauge_report_finding(report, i), 2, options, out);
    }
    if (count > most) {
        cg_out_z(out, "  ... and ");
        cg_text_count(count - most, "more", "more", out);
        cg_out_char(out, '\n');
    }
}

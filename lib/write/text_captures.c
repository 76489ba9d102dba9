/* SPDX-License-Identifier: Apache-2.0 */
/* What a report for people says of its captures, a headline and a few lines each.
 * Invariant: names are cut in front of a path's part only; a headline that is then too wide takes two lines. */
#include "write/escape.h"
#include "write/text.h"
#include "write/writers.h"

#include <string.h>

#include "base/str.h"
#include "report/report.h"

enum { CAPTURES_SHOWN = 20, BYTES_OF_A_COLUMN = 4 };

static const char ELLIPSIS[] = "...";
static const char TRACED[] = "traced: ";
static const char NOT_ALL[] = "not all calls were traced: ";
static const char TABLE_SAYS[] = "its table does not agree: ";

/* --- the headline */

/* The name people know a capture by. */
static callgauge_str name_of(const callgauge_capture *capture)
{
    return cg_str_z(strcmp(capture->name, "-") == 0 ? "standard input" : capture->name);
}

static const char *form_of(const callgauge_capture *capture)
{
    if (capture->has_table) {
        return capture->has_events ? " trace and table" : " table";
    }
    return " trace";
}

/* All of a headline but the name. */
static void write_form(const callgauge_capture_row *row, cg_out *out)
{
    const callgauge_capture *capture = &row->capture;
    if (capture->dialect != NULL) {
        cg_escape_show(out, cg_str_z(capture->dialect));
        cg_out_z(out, form_of(capture));
        cg_out_z(out, ", ");
    }
    cg_text_count(capture->lines, "line", "lines", out);
    if (capture->foreign_lines > row->blank_lines) {
        cg_out_z(out, ", ");
        cg_text_count(capture->foreign_lines - row->blank_lines, "not the tracer's", "not the tracer's", out);
    }
    if (capture->unread_lines > 0) {
        cg_out_z(out, ", ");
        cg_text_count(capture->unread_lines, "unread", "unread", out);
    }
}

static int add_width(void *width, const char *data, size_t len)
{
    *(size_t *)width += cg_escape_width(cg_str(data, len));
    return 0;
}

static size_t width_of_form(const callgauge_capture_row *row)
{
    size_t width = 0;
    const callgauge_output to = { add_width, &width };
    cg_out out;
    cg_out_init(&out, &to);
    write_form(row, &out);
    (void)cg_out_finish(&out, NULL);
    return width;
}

/* The most parts of a path, from its end on, that fit `width` columns, the slash in front too. Empty: none does. */
static callgauge_str last_parts(callgauge_str name, size_t width)
{
    size_t most = width * BYTES_OF_A_COLUMN;
    for (size_t from = name.len > most ? name.len - most : 0; from < name.len; from++) {
        callgauge_str end = cg_str(name.ptr + from, name.len - from);
        if (name.ptr[from] == '/' && cg_escape_width(end) <= width) {
            return end;
        }
    }
    return cg_str(NULL, 0);
}

/* The last part of a path, the slash in front too; a name without one is whole. */
static callgauge_str last_part(callgauge_str name)
{
    size_t from = name.len;
    while (from > 0 && name.ptr[from - 1] != '/') {
        from--;
    }
    return from == 0 ? name : cg_str(name.ptr + from - 1, name.len - from + 1);
}

bool cg_text_shorten(callgauge_str name, size_t width, callgauge_str *out)
{
    *out = name;
    if (cg_escape_width(name) <= width) {
        return true;
    }
    *out = width < strlen(ELLIPSIS) ? cg_str(NULL, 0) : last_parts(name, width - strlen(ELLIPSIS));
    return out->len > 0;
}

static void write_headline(const callgauge_capture_row *row, const callgauge_write_options *options, cg_out *out)
{
    callgauge_str name = name_of(&row->capture), shown;
    size_t others = width_of_form(row) + strlen(": ");
    bool one_line = others < options->width && cg_text_shorten(name, options->width - others, &shown);
    if (!one_line && !cg_text_shorten(name, options->width - 1, &shown)) {
        shown = last_part(name);
    }
    cg_out_z(out, options->color ? "\033[1m" : "");
    cg_out_z(out, shown.len < name.len ? ELLIPSIS : "");
    cg_escape_show(out, shown);
    cg_out_z(out, options->color ? "\033[0m" : "");
    cg_out_z(out, one_line ? ": " : ":\n  ");
    write_form(row, out);
    cg_out_char(out, '\n');
}

/* --- what follows it */

static void write_assumption(const callgauge_assumption *row, cg_out *out)
{
    cg_out_z(out, "assumed: ");
    cg_escape_show(out, cg_str_z(row->what));
    cg_out_z(out, " is ");
    cg_escape_show(out, cg_str_z(row->taken));
    if (strcmp(row->option, "-") != 0) {
        cg_out_z(out, " (");
        cg_escape_show(out, cg_str_z(row->option));
        cg_out_z(out, " decides)");
    }
}

static void write_assumed(const callgauge_capture *capture, cg_out *out)
{
    for (size_t i = 0; i < capture->assumed_count; i++) {
        cg_out_z(out, "  ");
        write_assumption(&capture->assumed[i], out);
        cg_out_char(out, '\n');
    }
}

static void write_repairs(const callgauge_capture *capture, cg_out *out)
{
    for (size_t i = 0; i < capture->repair_count; i++) {
        const callgauge_repair *row = &capture->repairs[i];
        cg_out_z(out, "  repaired: ");
        cg_escape_show(out, cg_str_z(row->kind));
        cg_out_z(out, ", ");
        cg_text_count(row->count, "time", "times", out);
        cg_out_z(out, ", first in line ");
        cg_out_u64(out, row->line);
        cg_out_char(out, '\n');
    }
}

static void write_table_totals(const char *title, const callgauge_table_totals *totals, cg_out *out)
{
    bool more = false;
    cg_out_z(out, title);
    cg_text_known_count(totals->calls, "call", "calls", &more, out);
    cg_text_known_count(totals->errors, "error", "errors", &more, out);
    cg_text_known_seconds(totals->cpu_ns, "cpu", &more, out);
    cg_text_known_seconds(totals->wall_ns, "wall", &more, out);
    cg_out_char(out, '\n');
}

/* A time that the table of the only capture says of itself, where its rows add up to another one. */
static void write_rounding(int64_t said, int64_t rows, const char *kind, cg_out *out)
{
    if (said == CALLGAUGE_UNKNOWN || rows == CALLGAUGE_UNKNOWN || said == rows) {
        return;
    }
    cg_out_z(out, "  the table says ");
    cg_text_seconds(said, kind, out);
    cg_out_z(out, "; its rows, each rounded, add up to ");
    cg_text_seconds(rows, kind, out);
    cg_out_char(out, '\n');
}

static void write_all_rounding(const callgauge_report *report, const callgauge_table_totals *said, cg_out *out)
{
    callgauge_totals rows = { .cpu_ns = CALLGAUGE_UNKNOWN, .wall_ns = CALLGAUGE_UNKNOWN };
    for (size_t i = 0; i < callgauge_report_call_count(report); i++) {
        const callgauge_call_row *row = callgauge_report_call(report, i);
        rows.cpu_ns = cg_known_add(rows.cpu_ns, row->cpu_ns);
        rows.wall_ns = cg_known_add(rows.wall_ns, row->wall_ns);
    }
    write_rounding(said->cpu_ns, rows.cpu_ns, "cpu", out);
    write_rounding(said->wall_ns, rows.wall_ns, "wall", out);
}

static bool contradicts(const callgauge_capture_row *row)
{
    return row->table_check != NULL && strcmp(row->table_check, "equal") != 0;
}

/* Whether the times of its tables were taken for cpu and turned out to be those of the trace. */
static bool has_wall_table(const callgauge_capture *capture)
{
    for (size_t i = 0; i < capture->assumed_count; i++) {
        const callgauge_assumption *row = &capture->assumed[i];
        if (strcmp(row->what, CG_ASSUMED_TABLE_TIME) == 0 && strcmp(row->taken, "wall") == 0) {
            return true;
        }
    }
    return false;
}

static void write_table(const callgauge_report *report, const callgauge_capture_row *row, cg_out *out)
{
    if (row->has_table_totals && callgauge_report_capture_count(report) > 1) {
        write_table_totals("  this table alone: ", &row->table_totals, out);
    } else if (row->has_table_totals && !row->capture.has_events && !contradicts(row)) {
        write_all_rounding(report, &row->table_totals, out);
    }
    if (contradicts(row)) {
        cg_out_z(out, "  ");
        cg_out_z(out, TABLE_SAYS);
        cg_escape_show(out, cg_str_z(row->table_check));
        cg_out_char(out, '\n');
    } else if (row->table_check != NULL) {
        cg_out_z(out, "  its table agrees with its trace\n");
    }
    if (row->capture.has_events && has_wall_table(&row->capture)) {
        cg_out_z(out, "  its table's times are wall clock (-w), as those of its trace\n");
    }
}

/* What following descriptors has met. */
static void write_doubts(const callgauge_capture_row *row, cg_out *out)
{
    if (row->fd_contradictions > 0) {
        cg_out_z(out, "  ");
        cg_text_count(row->fd_contradictions, "descriptor was", "descriptors were", out);
        cg_out_z(out, " named otherwise by the tracer than followed: it was believed\n");
    }
    if (row->fds_received > 0) {
        cg_out_z(out, "  ");
        cg_text_count(row->fds_received, "descriptor", "descriptors", out);
        cg_out_z(out, " came from another process: what they are is unknown\n");
    }
}

/* What was asked for, when that was not everything. */
static void write_where(const callgauge_capture_row *row, cg_out *out)
{
    if (row->where == NULL) {
        return;
    }
    cg_out_z(out, "  only where ");
    cg_escape_show(out, cg_str_z(row->where));
    if (row->where_undecided > 0) {
        cg_out_z(out, "; of ");
        cg_text_count(row->where_undecided, "event", "events", out);
        cg_out_z(out, " that cannot be told");
    }
    cg_out_char(out, '\n');
}

/* Of a capture of which it is known: which calls were traced, or what shows that not all were. */
static void write_incomplete(const callgauge_capture_row *row, cg_out *out)
{
    if (row->traced == NULL) {
        cg_out_z(out, NOT_ALL);
        cg_escape_show(out, cg_str_z(row->complete_why));
    } else {
        cg_out_z(out, TRACED);
        cg_escape_show(out, cg_str_z(row->traced));
        cg_out_z(out, " (");
        cg_escape_show(out, cg_str_z(row->complete_why));
        cg_out_char(out, ')');
    }
    cg_out_char(out, '\n');
}

static void write_capture(const callgauge_report *report, const callgauge_capture_row *row,
                          const callgauge_write_options *options, cg_out *out)
{
    write_headline(row, options, out);
    write_where(row, out);
    if (row->complete == CALLGAUGE_COMPLETE_NO) {
        cg_out_z(out, "  ");
        write_incomplete(row, out);
    }
    write_assumed(&row->capture, out);
    write_repairs(&row->capture, out);
    write_table(report, row, out);
    write_doubts(row, out);
}

void cg_text_captures(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    size_t count = callgauge_report_capture_count(report);
    size_t shown = options->limit == 0 || count < CAPTURES_SHOWN ? count : CAPTURES_SHOWN;
    for (size_t i = 0; i < shown; i++) {
        write_capture(report, callgauge_report_capture(report, i), options, out);
    }
    if (count > shown) {
        cg_out_z(out, "... and ");
        cg_text_count(count - shown, "more capture", "more captures", out);
        cg_out_char(out, '\n');
    }
}

void cg_text_capture(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    const callgauge_capture_row *row = callgauge_report_capture(report, 0);
    if (row != NULL) {
        write_headline(row, options, out);
    }
}

/* --- notes below a summary */

/* Tables that contradict their trace or themselves. */
static void note_contradictions(const callgauge_report *report, cg_out *out)
{
    for (size_t i = 0; i < callgauge_report_capture_count(report); i++) {
        const callgauge_capture_row *row = callgauge_report_capture(report, i);
        if (!contradicts(row)) {
            continue;
        }
        cg_escape_show(out, name_of(&row->capture));
        cg_out_z(out, ": ");
        cg_out_z(out, TABLE_SAYS);
        cg_escape_show(out, cg_str_z(row->table_check));
        cg_out_char(out, '\n');
        if (row->has_table_totals) {
            write_table_totals("  the table says of itself: ", &row->table_totals, out);
        }
    }
}

static void note_incomplete(const callgauge_report *report, cg_out *out)
{
    for (size_t i = 0; i < callgauge_report_capture_count(report); i++) {
        const callgauge_capture_row *row = callgauge_report_capture(report, i);
        if (row->complete == CALLGAUGE_COMPLETE_NO) {
            cg_escape_show(out, name_of(&row->capture));
            cg_out_z(out, ": ");
            write_incomplete(row, out);
        }
    }
}

static bool same_assumption(const callgauge_assumption *a, const callgauge_assumption *b)
{
    return strcmp(a->what, b->what) == 0 && strcmp(a->taken, b->taken) == 0 && strcmp(a->option, b->option) == 0;
}

static bool assumes(const callgauge_capture *capture, const callgauge_assumption *wanted)
{
    size_t at = 0;
    while (at < capture->assumed_count && !same_assumption(wanted, &capture->assumed[at])) {
        at++;
    }
    return at < capture->assumed_count;
}

/* Whether a capture before capture `end` makes an assumption. */
static bool assumed_before(const callgauge_report *report, const callgauge_assumption *wanted, size_t end)
{
    size_t at = 0;
    while (at < end && !assumes(&callgauge_report_capture(report, at)->capture, wanted)) {
        at++;
    }
    return at < end;
}

static size_t captures_assuming(const callgauge_report *report, const callgauge_assumption *wanted)
{
    size_t count = 0;
    for (size_t i = 0; i < callgauge_report_capture_count(report); i++) {
        count += assumes(&callgauge_report_capture(report, i)->capture, wanted);
    }
    return count;
}

/* Each assumption once, however many captures make it. */
static void note_assumptions(const callgauge_report *report, cg_out *out)
{
    size_t captures = callgauge_report_capture_count(report);
    for (size_t i = 0; i < captures; i++) {
        const callgauge_capture *capture = &callgauge_report_capture(report, i)->capture;
        for (size_t k = 0; k < capture->assumed_count; k++) {
            const callgauge_assumption *row = &capture->assumed[k];
            if (assumed_before(report, row, i)) {
                continue;
            }
            write_assumption(row, out);
            if (captures > 1) {
                cg_out_z(out, ", in ");
                cg_text_count(captures_assuming(report, row), "capture", "captures", out);
            }
            cg_out_char(out, '\n');
        }
    }
}

void cg_text_notes(const callgauge_report *report, cg_out *out)
{
    size_t captures = callgauge_report_capture_count(report);
    bool any = captures > 1;
    for (size_t i = 0; i < captures; i++) {
        const callgauge_capture_row *row = callgauge_report_capture(report, i);
        any = any || contradicts(row) || row->capture.assumed_count > 0 || row->complete == CALLGAUGE_COMPLETE_NO;
    }
    cg_out_z(out, any ? "\n" : "");
    if (captures > 1) {
        cg_out_z(out, "sums over ");
        cg_text_count(captures, "capture", "captures", out);
        cg_out_char(out, '\n');
    }
    note_assumptions(report, out);
    note_contradictions(report, out);
    note_incomplete(report, out);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A report for people: what was read, the sums, the calls, and what else happened, at 80 columns.
 * Invariant: only ASCII of our own and text that cg_escape_show() made harmless. */
#include "write/escape.h"
#include "write/writers.h"

#include <string.h>

#include "base/str.h"

enum { CALLS_SHOWN = 20, NAMES_SHOWN = 10, CAPTURES_SHOWN = 20, TEXT_SHOWN = 50, NS_PLACES = 9 };

static void write_count(uint64_t count, const char *one, const char *many, cg_out *out)
{
    char number[CG_NUMBER_ROOM];
    cg_out_add(out, number, cg_format_count(number, count));
    cg_out_char(out, ' ');
    cg_out_z(out, count == 1 ? one : many);
}

static void write_seconds(int64_t ns, const char *what, cg_out *out)
{
    char number[CG_NUMBER_ROOM];
    int decimals = ns >= CG_LONG_NS ? 0 : cg_decimals_needed(ns, NS_PLACES);
    decimals = decimals < CG_LEAST_SECONDS_DECIMALS ? CG_LEAST_SECONDS_DECIMALS : decimals;
    decimals = decimals > CG_MOST_SECONDS_DECIMALS ? CG_MOST_SECONDS_DECIMALS : decimals;
    cg_out_add(out, number, cg_format_fixed(number, ns, NS_PLACES, decimals));
    cg_out_z(out, " s ");
    cg_out_z(out, what);
}

/* A comma before every item of a line but the first. */
static void next_item(bool *more, cg_out *out)
{
    cg_out_z(out, *more ? ", " : "");
    *more = true;
}

static void write_known_count(int64_t count, const char *one, const char *many, bool *more, cg_out *out)
{
    if (count != CALLGAUGE_UNKNOWN) {
        next_item(more, out);
        write_count((uint64_t)count, one, many, out);
    }
}

static void write_known_seconds(int64_t ns, const char *what, bool *more, cg_out *out)
{
    if (ns != CALLGAUGE_UNKNOWN) {
        next_item(more, out);
        write_seconds(ns, what, out);
    }
}

/* Text of at most TEXT_SHOWN bytes. */
static void write_start_of(callgauge_str text, cg_out *out)
{
    bool cut = text.len > TEXT_SHOWN;
    cg_escape_show(out, cg_str(text.ptr, cut ? TEXT_SHOWN : text.len));
    cg_out_z(out, cut ? "..." : "");
}

static void write_unread(const callgauge_capture *capture, cg_out *out)
{
    if (capture->unread_lines == 0) {
        return;
    }
    cg_out_z(out, "  ");
    write_count(capture->unread_lines, "line", "lines", out);
    cg_out_z(out, " could not be read");
    if (capture->unread_count > 0) {
        const callgauge_unread *first = &capture->unread[0];
        cg_out_z(out, "; first: line ");
        cg_out_u64(out, first->line);
        cg_out_z(out, ": ");
        cg_escape_show(out, cg_str_z(first->reason));
        cg_out_z(out, ":\n    ");
        write_start_of(first->text, out);
    }
    cg_out_char(out, '\n');
}

static void write_assumed(const callgauge_capture *capture, cg_out *out)
{
    for (size_t i = 0; i < capture->assumed_count; i++) {
        const callgauge_assumption *row = &capture->assumed[i];
        cg_out_z(out, "  assumed: ");
        cg_escape_show(out, cg_str_z(row->what));
        cg_out_z(out, " is ");
        cg_escape_show(out, cg_str_z(row->taken));
        if (strcmp(row->option, "-") != 0) {
            cg_out_z(out, " (");
            cg_escape_show(out, cg_str_z(row->option));
            cg_out_z(out, " decides)");
        }
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
        write_count(row->count, "time", "times", out);
        cg_out_z(out, ", first in line ");
        cg_out_u64(out, row->line);
        cg_out_char(out, '\n');
    }
}

static void write_table_totals(const callgauge_table_totals *totals, cg_out *out)
{
    bool more = false;
    cg_out_z(out, "  the table's own totals: ");
    write_known_count(totals->calls, "call", "calls", &more, out);
    write_known_count(totals->errors, "error", "errors", &more, out);
    write_known_seconds(totals->cpu_ns, "cpu", &more, out);
    write_known_seconds(totals->wall_ns, "wall", &more, out);
    cg_out_char(out, '\n');
}

static bool differs(int64_t said, int64_t sum)
{
    return said != CALLGAUGE_UNKNOWN && said != sum;
}

/* A table's own totals are said when they are not the sums of the report; with several captures those are
 * no one table's. */
static void write_table(const callgauge_report *report, const callgauge_capture_row *row, cg_out *out)
{
    const callgauge_totals *sums = callgauge_report_totals(report);
    const callgauge_table_totals *said = &row->table_totals;
    bool alone = callgauge_report_capture_count(report) == 1;
    bool other = differs(said->cpu_ns, sums->cpu_ns) || differs(said->wall_ns, sums->wall_ns) ||
                 differs(said->calls, (int64_t)sums->calls) || differs(said->errors, (int64_t)sums->errors);
    if (row->has_table_totals && (!alone || other)) {
        write_table_totals(said, out);
    }
    if (row->table_check != NULL) {
        bool equal = strcmp(row->table_check, "equal") == 0;
        cg_out_z(out, equal ? "  its table agrees with its trace" : "  its table does not agree: ");
        cg_escape_show(out, equal ? cg_str(NULL, 0) : cg_str_z(row->table_check));
        cg_out_char(out, '\n');
    }
}

static const char *form_of(const callgauge_capture *capture)
{
    if (capture->has_table) {
        return capture->has_events ? " trace and table" : " table";
    }
    return " trace";
}

static void write_capture(const callgauge_report *report, const callgauge_capture_row *row,
                          const callgauge_write_options *options, cg_out *out)
{
    const callgauge_capture *capture = &row->capture;
    cg_out_z(out, options->color ? "\033[1m" : "");
    cg_escape_show(out, cg_str_z(capture->name));
    cg_out_z(out, options->color ? "\033[0m" : "");
    cg_out_z(out, ": ");
    if (capture->dialect != NULL) {
        cg_escape_show(out, cg_str_z(capture->dialect));
        cg_out_z(out, form_of(capture));
        cg_out_z(out, ", ");
    }
    write_count(capture->lines, "line", "lines", out);
    if (capture->foreign_lines > 0) {
        cg_out_z(out, ", ");
        write_count(capture->foreign_lines, "of them not the tracer's", "of them not the tracer's", out);
    }
    cg_out_char(out, '\n');
    write_unread(capture, out);
    write_assumed(capture, out);
    write_repairs(capture, out);
    write_table(report, row, out);
}

static void write_captures(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    size_t count = callgauge_report_capture_count(report);
    for (size_t i = 0; i < count && i < CAPTURES_SHOWN; i++) {
        write_capture(report, callgauge_report_capture(report, i), options, out);
    }
    if (count > CAPTURES_SHOWN) {
        cg_out_z(out, "... and ");
        write_count(count - CAPTURES_SHOWN, "more capture", "more captures", out);
        cg_out_char(out, '\n');
    }
}

static void write_limits(const callgauge_report *report, cg_out *out)
{
    size_t count;
    const callgauge_limit_row *rows = callgauge_report_limits_hit(report, &count);
    for (size_t i = 0; i < count; i++) {
        cg_out_z(out, "limit of ");
        cg_escape_show(out, cg_str_z(rows[i].limit));
        cg_out_z(out, " reached: ");
        write_count(rows[i].kept, "kept", "kept", out);
        cg_out_z(out, ", ");
        write_count(rows[i].dropped, "left out", "left out", out);
        cg_out_char(out, '\n');
    }
}

/* Rows of processes whose pid is known: in a trace without pids nobody can tell how many there were. */
static size_t known_processes(const callgauge_report *report)
{
    size_t known = 0;
    for (size_t i = 0; i < callgauge_report_process_count(report); i++) {
        known += callgauge_report_process(report, i)->pid != CALLGAUGE_UNKNOWN;
    }
    return known;
}

static void write_totals(const callgauge_report *report, cg_out *out)
{
    const callgauge_totals *totals = callgauge_report_totals(report);
    size_t processes = known_processes(report);
    bool more = false;
    write_known_count((int64_t)totals->calls, "call", "calls", &more, out);
    write_known_count((int64_t)totals->errors, "error", "errors", &more, out);
    if (totals->unreturned > 0) {
        write_known_count((int64_t)totals->unreturned, "unreturned", "unreturned", &more, out);
    }
    if (processes > 0) {
        write_known_count((int64_t)processes, "process", "processes", &more, out);
    }
    cg_out_char(out, '\n');
    more = false;
    write_known_seconds(totals->wall_ns, "wall", &more, out);
    write_known_seconds(totals->cpu_ns, "cpu", &more, out);
    write_known_seconds(totals->elapsed_ns, "elapsed", &more, out);
    write_known_seconds(totals->user_ns, "user cpu", &more, out);
    cg_out_z(out, more ? "\n" : "");
    more = false;
    write_known_count(totals->bytes_read, "byte read", "bytes read", &more, out);
    write_known_count(totals->bytes_written, "byte written", "bytes written", &more, out);
    cg_out_z(out, more ? "\n" : "");
}

static bool write_calls(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    if (callgauge_report_call_count(report) == 0) {
        return true;
    }
    callgauge_write_options table = *options;
    table.rows = CALLGAUGE_ROWS_CALLS;
    table.limit = options->limit == 0 ? CALLS_SHOWN : options->limit;
    cg_out_char(out, '\n');
    return cg_write_text_table(report, &table, out);
}

static void write_title(const char *title, const callgauge_write_options *options, cg_out *out)
{
    cg_out_char(out, '\n');
    cg_write_styled(options, "2", cg_str_z(title), out);
    cg_out_char(out, '\n');
}

static void write_named(uint64_t count, callgauge_str name, cg_out *out)
{
    enum { COUNT_WIDTH = 11 };
    char number[CG_NUMBER_ROOM];
    size_t len = cg_format_count(number, count);
    cg_out_blanks(out, len < COUNT_WIDTH ? COUNT_WIDTH - len : 0);
    cg_out_add(out, number, len);
    cg_out_z(out, "  ");
    cg_escape_show(out, name);
}

/* The row that follows `last` (NULL: the first one) when the most frequent come first. */
static const callgauge_name_row *next_most(const callgauge_name_row *rows, size_t count, const callgauge_name_row *last)
{
    const callgauge_name_row *best = NULL;
    for (size_t i = 0; i < count; i++) {
        const callgauge_name_row *row = &rows[i];
        bool after = last == NULL || row->count < last->count || (row->count == last->count && row > last);
        if (after && (best == NULL || row->count > best->count)) {
            best = row;
        }
    }
    return best;
}

static void write_names(const char *title, const callgauge_name_row *rows, size_t count,
                        const callgauge_write_options *options, cg_out *out)
{
    if (count == 0) {
        return;
    }
    write_title(title, options, out);
    const callgauge_name_row *row = NULL;
    for (size_t i = 0; i < count && i < NAMES_SHOWN; i++) {
        row = next_most(rows, count, row);
        write_named(row->count, row->name, out);
        cg_out_char(out, '\n');
    }
    if (count > NAMES_SHOWN) {
        cg_out_z(out, "    ... and ");
        write_count(count - NAMES_SHOWN, "more", "more", out);
        cg_out_char(out, '\n');
    }
}

/* The most frequent errors that have a name; tables give none. */
static bool write_errors(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    cg_rows lines;
    if (!cg_rows_make(report, CALLGAUGE_ROWS_ERRORS, CALLGAUGE_SORT_ERRORS, 0, &lines)) {
        return false;
    }
    size_t named = 0;
    for (size_t i = 0; i < lines.count; i++) {
        const cg_line *line = &lines.lines[i];
        if (line->error.len == 0 || named++ >= NAMES_SHOWN) {
            continue;
        }
        if (named == 1) {
            write_title("errors", options, out);
        }
        write_named((uint64_t)line->values[CG_VALUE_ERRORS], line->name, out);
        cg_out_char(out, ' ');
        cg_escape_show(out, line->error);
        cg_out_char(out, '\n');
    }
    if (named > NAMES_SHOWN) {
        cg_out_z(out, "    ... and ");
        write_count(named - NAMES_SHOWN, "more", "more", out);
        cg_out_char(out, '\n');
    }
    cg_rows_release(&lines);
    return true;
}

static bool write_at_a_glance(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    write_captures(report, options, out);
    write_limits(report, out);
    cg_out_char(out, '\n');
    write_totals(report, out);
    if (!write_calls(report, options, out) || !write_errors(report, options, out)) {
        return false;
    }
    size_t count;
    const callgauge_name_row *rows = callgauge_report_signals(report, &count);
    write_names("signals", rows, count, options, out);
    rows = callgauge_report_faults(report, &count);
    write_names("faults", rows, count, options, out);
    rows = callgauge_report_functions(report, &count);
    write_names("functions", rows, count, options, out);
    return true;
}

/* Tables that contradict their trace or themselves. */
static void write_contradictions(const callgauge_report *report, cg_out *out)
{
    for (size_t i = 0; i < callgauge_report_capture_count(report); i++) {
        const callgauge_capture_row *row = callgauge_report_capture(report, i);
        if (row->table_check == NULL || strcmp(row->table_check, "equal") == 0) {
            continue;
        }
        cg_out_char(out, '\n');
        cg_escape_show(out, cg_str_z(row->capture.name));
        cg_out_z(out, ": its table does not agree: ");
        cg_escape_show(out, cg_str_z(row->table_check));
        cg_out_char(out, '\n');
        if (row->has_table_totals) {
            write_table_totals(&row->table_totals, out);
        }
    }
}

bool cg_write_text(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    if (options->rows == CALLGAUGE_ROWS_REPORT) {
        return write_at_a_glance(report, options, out);
    }
    if (!cg_write_text_table(report, options, out)) {
        return false;
    }
    if (options->rows == CALLGAUGE_ROWS_CALLS) {
        write_contradictions(report, out);
    }
    return true;
}

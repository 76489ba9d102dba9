/* SPDX-License-Identifier: Apache-2.0 */
/* A report for people: what was read, the sums, the calls, and what else happened, at 80 columns.
 * Invariant: only ASCII of our own and text that cg_escape_show() made harmless. */
#include "write/escape.h"
#include "write/text.h"
#include "write/writers.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "report/report.h"

static void write_limit(const callgauge_limit_row *row, cg_out *out)
{
    if (cg_str_is(cg_str_z(row->limit), CG_LIMIT_UNIT)) {
        cg_text_count(row->dropped, "unit is", "units are", out);
        cg_out_z(out, " left out: the captures have units of different kinds\n");
        return;
    }
    if (cg_str_is(cg_str_z(row->limit), CG_LIMIT_MATCH)) {
        cg_text_count(row->dropped, "text costs", "texts cost", out);
        cg_out_z(out, " too much to match: undecided\n");
        return;
    }
    cg_out_z(out, "limit reached: ");
    cg_escape_show(out, cg_str_z(callgauge_limit_text(row->limit)));
    cg_out_z(out, ": ");
    cg_text_count(row->kept, "kept", "kept", out);
    cg_out_z(out, ", ");
    cg_text_count(row->dropped, "left out", "left out", out);
    cg_out_char(out, '\n');
}

static void write_limits(const callgauge_report *report, cg_out *out)
{
    size_t count;
    const callgauge_limit_row *rows = callgauge_report_limits_hit(report, &count);
    for (size_t i = 0; i < count; i++) {
        write_limit(&rows[i], out);
    }
}

/* Pids that are known: in a trace without pids nobody can tell how many processes there were. Rows are ordered by
 * pid. */
static size_t known_pids(const callgauge_report *report)
{
    size_t known = 0;
    int64_t before = CALLGAUGE_UNKNOWN;
    for (size_t i = 0; i < callgauge_report_process_count(report); i++) {
        int64_t pid = callgauge_report_process(report, i)->pid;
        known += pid != CALLGAUGE_UNKNOWN && (i == 0 || pid != before);
        before = pid;
    }
    return known;
}

static void write_totals(const callgauge_report *report, cg_out *out)
{
    const callgauge_totals *totals = callgauge_report_totals(report);
    size_t pids = known_pids(report);
    bool more = false;
    cg_text_known_count((int64_t)totals->calls, "call", "calls", &more, out);
    cg_text_known_count((int64_t)totals->errors, "error", "errors", &more, out);
    if (totals->unreturned > 0) {
        cg_text_known_count((int64_t)totals->unreturned, "unreturned", "unreturned", &more, out);
    }
    if (pids > 0) {
        cg_text_known_count((int64_t)pids, "pid", "pids", &more, out);
    }
    cg_out_char(out, '\n');
    more = false;
    cg_text_known_seconds(totals->wall_ns, "wall", &more, out);
    cg_text_known_seconds(totals->cpu_ns, "cpu", &more, out);
    cg_text_known_seconds(totals->elapsed_ns, "elapsed", &more, out);
    cg_text_known_seconds(totals->user_ns, "user cpu", &more, out);
    cg_out_z(out, more ? "\n" : "");
    more = false;
    cg_text_known_count(totals->bytes_read, "byte read", "bytes read", &more, out);
    cg_text_known_count(totals->bytes_written, "byte written", "bytes written", &more, out);
    cg_out_z(out, more ? "\n" : "");
}

static bool write_calls(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    if (callgauge_report_call_count(report) == 0) {
        return true;
    }
    callgauge_write_options table = *options;
    table.rows = CALLGAUGE_ROWS_CALLS;
    cg_out_char(out, '\n');
    return cg_write_text_table(report, &table, out);
}

/* How many of `count` rows a list beside the calls shows: half as many as of calls. */
static size_t names_shown(size_t count, const callgauge_write_options *options)
{
    size_t most = options->limit == 0 ? count : options->limit / 2 + options->limit % 2;
    return count < most ? count : most;
}

static void write_more(size_t more, cg_out *out)
{
    if (more > 0) {
        cg_out_z(out, "    ... and ");
        cg_text_count(more, "more", "more", out);
        cg_out_char(out, '\n');
    }
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

/* The most frequent first; of one count in the order of the report, which is by name. */
static int most_cmp(const void *a, const void *b)
{
    const callgauge_name_row *x = *(const callgauge_name_row *const *)a, *y = *(const callgauge_name_row *const *)b;
    return x->count != y->count ? (x->count > y->count ? -1 : 1) : (x > y) - (x < y);
}

static bool write_names(const char *title, const callgauge_name_row *rows, size_t count,
                        const callgauge_write_options *options, cg_out *out)
{
    if (count == 0) {
        return true;
    }
    const callgauge_name_row **order = cg_mem_zeroed(count, sizeof *order);
    if (order == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        order[i] = &rows[i];
    }
    qsort(order, count, sizeof *order, most_cmp);
    write_title(title, options, out);
    size_t shown = names_shown(count, options);
    for (size_t i = 0; i < shown; i++) {
        write_named(order[i]->count, order[i]->name, out);
        cg_out_char(out, '\n');
    }
    write_more(count - shown, out);
    cg_mem_free(order);
    return true;
}

/* The most frequent errors that have a name; tables give none. */
static bool write_errors(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    const callgauge_write_options by_errors = { .rows = CALLGAUGE_ROWS_ERRORS, .sort = CALLGAUGE_SORT_ERRORS };
    cg_rows lines;
    if (!cg_rows_make(report, &by_errors, &lines)) {
        return false;
    }
    size_t named = 0, written = 0;
    for (size_t i = 0; i < lines.count; i++) {
        named += lines.lines[i].second.len > 0;
    }
    size_t shown = names_shown(named, options);
    if (named > 0) {
        write_title("errors", options, out);
    }
    for (size_t i = 0; i < lines.count && written < shown; i++) {
        const cg_line *line = &lines.lines[i];
        if (line->second.len > 0) {
            write_named((uint64_t)line->values[CG_VALUE_ERRORS], line->name, out);
            cg_out_char(out, ' ');
            cg_escape_show(out, line->second);
            cg_out_char(out, '\n');
            written++;
        }
    }
    write_more(named - shown, out);
    cg_rows_release(&lines);
    return true;
}

static bool write_at_a_glance(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    cg_text_captures(report, options, out);
    write_limits(report, out);
    cg_out_char(out, '\n');
    write_totals(report, out);
    cg_text_unit(report, options, out);
    size_t signals, faults, functions;
    const callgauge_name_row *signal_rows = callgauge_report_signals(report, &signals);
    const callgauge_name_row *fault_rows = callgauge_report_faults(report, &faults);
    const callgauge_name_row *function_rows = callgauge_report_functions(report, &functions);
    cg_text_findings(report, options, out);
    return write_calls(report, options, out) && write_errors(report, options, out) &&
           write_names("signals", signal_rows, signals, options, out) &&
           write_names("faults", fault_rows, faults, options, out) &&
           write_names("functions", function_rows, functions, options, out) && cg_text_followed(report, options, out);
}

/* What stands above and below the rows of a table alone. */
static bool write_alone(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    bool of_time = options->rows == CALLGAUGE_ROWS_WAITING || options->rows == CALLGAUGE_ROWS_THREADS;
    if (of_time && !cg_text_spent(report, out) && callgauge_report_waiting_count(report) == 0) {
        cg_text_unseen_waiting(report, "", out);
    } else if (!cg_write_text_table(report, options, out)) {
        return false;
    }
    cg_text_notes(report, out);
    return true;
}

bool cg_write_text(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    if (options->rows == CALLGAUGE_ROWS_REPORT) {
        return write_at_a_glance(report, options, out);
    }
    if (options->rows == CALLGAUGE_ROWS_FINDINGS) {
        return cg_write_text_findings(report, options, out);
    }
    return write_alone(report, options, out);
}

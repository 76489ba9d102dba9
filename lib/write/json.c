/* SPDX-License-Identifier: Apache-2.0 */
/* A report as JSON, schema callgauge.report/1: all of it, a row a line, so that two reports can be compared
 * line by line. Files, processes and waiting are in json_*.c; json_read.c is the way back; keys are added, never
 * renamed.
 * Invariant: equal reports give equal bytes; what is unknown is null. */
#include "write/json_keys.h"
#include "write/schema.h"
#include "write/writers.h"

#include <callgauge/version.h>

#include "report/report.h"

static void write_limits(cg_json *json, const callgauge_report *report)
{
    size_t n;
    const callgauge_limit_row *rows = callgauge_report_limits_hit(report, &n);
    cg_json_rows(json, "limits_hit");
    for (size_t i = 0; i < n; i++) {
        cg_json_row(json);
        cg_json_text(json, "limit", rows[i].limit);
        cg_json_count(json, "kept", rows[i].kept);
        cg_json_count(json, "dropped", rows[i].dropped);
        cg_json_close(json, '}');
    }
    cg_json_rows_end(json, n);
}

static void write_form(cg_json *json, const callgauge_capture_row *row)
{
    const callgauge_capture *capture = &row->capture;
    cg_json_list(json, "has");
    if (capture->has_events) {
        cg_json_z(json, "events");
    }
    if (capture->has_table) {
        cg_json_z(json, "table");
    }
    cg_json_close(json, ']');
    cg_json_list(json, "traits");
    for (size_t i = 0; i < CG_TRAITS; i++) {
        if ((capture->traits >> i & 1) != 0) {
            cg_json_z(json, cg_trait_names[i]);
        }
    }
    cg_json_close(json, ']');
    cg_json_text(json, "complete", callgauge_complete_text(row->complete));
    cg_json_text(json, "complete_why", row->complete_why);
    cg_json_text(json, "traced", row->traced);
    cg_json_text(json, "clock", cg_clock_names[capture->clock]);
}

static void write_line_counts(cg_json *json, const callgauge_capture *capture)
{
    cg_json_count(json, "bytes", capture->bytes);
    cg_json_count(json, "lines", capture->lines);
    cg_json_count(json, "events", capture->events);
    cg_json_count(json, "event_lines", capture->event_lines);
    cg_json_count(json, "continuation_lines", capture->continuation_lines);
    cg_json_count(json, "table_lines", capture->table_lines);
    cg_json_count(json, "notice_lines", capture->notice_lines);
    cg_json_count(json, "foreign_lines", capture->foreign_lines);
    cg_json_count(json, "unread_lines", capture->unread_lines);
}

static void write_unread(cg_json *json, const callgauge_capture *capture)
{
    cg_json_list(json, "unread");
    for (size_t i = 0; i < capture->unread_count; i++) {
        cg_json_open(json, '{');
        cg_json_count(json, "line", capture->unread[i].line);
        cg_json_text(json, "reason", capture->unread[i].reason);
        cg_json_key(json, "text");
        cg_json_str(json, capture->unread[i].text);
        cg_json_close(json, '}');
    }
    cg_json_close(json, ']');
}

static void write_assumed(cg_json *json, const callgauge_capture *capture)
{
    cg_json_list(json, "assumed");
    for (size_t i = 0; i < capture->assumed_count; i++) {
        cg_json_open(json, '{');
        cg_json_text(json, "what", capture->assumed[i].what);
        cg_json_text(json, "taken", capture->assumed[i].taken);
        cg_json_text(json, "option", capture->assumed[i].option);
        cg_json_close(json, '}');
    }
    cg_json_close(json, ']');
}

static void write_repairs(cg_json *json, const callgauge_capture *capture)
{
    cg_json_list(json, "repairs");
    for (size_t i = 0; i < capture->repair_count; i++) {
        cg_json_open(json, '{');
        cg_json_text(json, "kind", capture->repairs[i].kind);
        cg_json_count(json, "count", capture->repairs[i].count);
        cg_json_count(json, "line", capture->repairs[i].line);
        cg_json_close(json, '}');
    }
    cg_json_close(json, ']');
}

static void write_table_totals(cg_json *json, const callgauge_capture_row *row)
{
    cg_json_key(json, "table_totals");
    if (!row->has_table_totals) {
        cg_json_null(json);
        return;
    }
    cg_json_open(json, '{');
    cg_json_maybe(json, "calls", row->table_totals.calls);
    cg_json_maybe(json, "errors", row->table_totals.errors);
    cg_json_maybe(json, "cpu_ns", row->table_totals.cpu_ns);
    cg_json_maybe(json, "wall_ns", row->table_totals.wall_ns);
    cg_json_close(json, '}');
}

static void write_captures(cg_json *json, const callgauge_report *report)
{
    size_t n = callgauge_report_capture_count(report);
    cg_json_rows(json, "captures");
    for (size_t i = 0; i < n; i++) {
        const callgauge_capture_row *row = callgauge_report_capture(report, i);
        cg_json_row(json);
        cg_json_text(json, "name", row->capture.name);
        cg_json_text(json, "dialect", row->capture.dialect);
        write_form(json, row);
        write_line_counts(json, &row->capture);
        write_unread(json, &row->capture);
        write_assumed(json, &row->capture);
        write_repairs(json, &row->capture);
        cg_json_maybe(json, "first_ns", row->capture.first_ns);
        cg_json_maybe(json, "last_ns", row->capture.last_ns);
        cg_json_count(json, "blank_lines", row->blank_lines);
        write_table_totals(json, row);
        cg_json_text(json, "table_check", row->table_check);
        cg_json_count(json, "fd_contradictions", row->fd_contradictions);
        cg_json_count(json, "fds_received", row->fds_received);
        cg_json_text(json, "where", row->where);
        cg_json_count(json, "where_undecided", row->where_undecided);
        cg_json_close(json, '}');
    }
    cg_json_rows_end(json, n);
}

static void write_totals(cg_json *json, const callgauge_report *report)
{
    const callgauge_totals *totals = callgauge_report_totals(report);
    cg_json_break(json, 2);
    cg_json_key(json, "totals");
    cg_json_open(json, '{');
    cg_json_count(json, "calls", totals->calls);
    cg_json_count(json, "errors", totals->errors);
    cg_json_count(json, "unreturned", totals->unreturned);
    cg_json_maybe(json, "cpu_ns", totals->cpu_ns);
    cg_json_maybe(json, "wall_ns", totals->wall_ns);
    cg_json_maybe(json, "user_ns", totals->user_ns);
    cg_json_maybe(json, "elapsed_ns", totals->elapsed_ns);
    cg_json_maybe(json, "bytes_read", totals->bytes_read);
    cg_json_maybe(json, "bytes_written", totals->bytes_written);
    cg_json_timed_calls(json, "cpu_calls", totals->cpu_ns, totals->cpu_calls);
    cg_json_timed_calls(json, "wall_calls", totals->wall_ns, totals->wall_calls);
    cg_json_close(json, '}');
}

static void write_durations(cg_json *json, const callgauge_call_row *row)
{
    cg_json_key(json, "durations");
    if (row->durations_kind == CALLGAUGE_TIME_NONE) {
        cg_json_null(json);
        return;
    }
    cg_json_open(json, '{');
    cg_json_text(json, "kind", cg_time_kind_names[row->durations_kind]);
    cg_json_count(json, "scale", CG_BUCKET_SCALE);
    cg_json_buckets(json, "buckets", row->buckets, row->bucket_count);
    cg_json_close(json, '}');
}

static void write_call(cg_json *json, const callgauge_call_row *row)
{
    cg_json_row(json);
    cg_json_key(json, "name");
    cg_json_str(json, row->name);
    cg_json_text(json, "class", callgauge_class_text(row->call_class));
    cg_json_count(json, "calls", row->calls);
    cg_json_count(json, "errors", row->errors);
    cg_json_count(json, "unreturned", row->unreturned);
    cg_json_maybe(json, "cpu_ns", row->cpu_ns);
    cg_json_maybe(json, "wall_ns", row->wall_ns);
    cg_json_maybe(json, "min_ns", row->min_ns);
    cg_json_maybe(json, "max_ns", row->max_ns);
    cg_json_maybe(json, "p50_ns", row->p50_ns);
    cg_json_maybe(json, "p90_ns", row->p90_ns);
    cg_json_maybe(json, "p99_ns", row->p99_ns);
    cg_json_maybe(json, "bytes_read", row->bytes_read);
    cg_json_maybe(json, "bytes_written", row->bytes_written);
    cg_json_timed_calls(json, "cpu_calls", row->cpu_ns, row->cpu_calls);
    cg_json_timed_calls(json, "wall_calls", row->wall_ns, row->wall_calls);
    write_durations(json, row);
    cg_json_names(json, "errors_by_name", row->errors_by_name, row->error_name_count);
    cg_json_close(json, '}');
}

static void write_calls(cg_json *json, const callgauge_report *report)
{
    size_t n = callgauge_report_call_count(report);
    cg_json_rows(json, "calls");
    for (size_t i = 0; i < n; i++) {
        write_call(json, callgauge_report_call(report, i));
    }
    cg_json_rows_end(json, n);
}

static void write_names(cg_json *json, const char *key, const callgauge_name_row *rows, size_t n)
{
    cg_json_rows(json, key);
    for (size_t i = 0; i < n; i++) {
        cg_json_row(json);
        cg_json_key(json, "name");
        cg_json_str(json, rows[i].name);
        cg_json_count(json, "count", rows[i].count);
        cg_json_close(json, '}');
    }
    cg_json_rows_end(json, n);
}

static void write_all_names(cg_json *json, const callgauge_report *report)
{
    size_t n;
    const callgauge_name_row *rows = callgauge_report_signals(report, &n);
    write_names(json, "signals", rows, n);
    rows = callgauge_report_faults(report, &n);
    write_names(json, "faults", rows, n);
    rows = callgauge_report_functions(report, &n);
    write_names(json, "functions", rows, n);
}

bool cg_write_json(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    cg_json json = { .out = out };
    (void)options; /* a report in JSON is always whole */
    cg_json_open(&json, '{');
    cg_json_break(&json, 2);
    cg_json_text(&json, "schema", CG_SCHEMA);
    cg_json_break(&json, 2);
    cg_json_text(&json, "version", CALLGAUGE_VERSION);
    write_limits(&json, report);
    write_captures(&json, report);
    write_totals(&json, report);
    write_calls(&json, report);
    write_all_names(&json, report);
    cg_json_files(&json, report);
    cg_json_processes(&json, report);
    cg_json_waiting(&json, report);
    cg_json_findings(&json, report);
    cg_json_recorded(&json, report);
    json.comma = false;
    cg_json_break(&json, 0);
    cg_json_close(&json, '}');
    cg_out_char(out, '\n');
    return true;
}

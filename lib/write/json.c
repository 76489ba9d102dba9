/* SPDX-License-Identifier: Apache-2.0 */
/* A report as JSON, schema callgauge.report/1: all of it, a row a line, so that two reports can be compared
 * line by line. json_read.c is the way back; keys are added, never renamed.
 * Invariant: equal reports give equal bytes; what is unknown is null. */
#include "write/json_text.h"
#include "write/schema.h"
#include "write/writers.h"

#include <callgauge/version.h>

#include "report/report.h"

static void count(cg_json *json, const char *key, uint64_t value)
{
    cg_json_key(json, key);
    cg_json_u64(json, value);
}

static void maybe(cg_json *json, const char *key, int64_t value)
{
    cg_json_key(json, key);
    if (value == CALLGAUGE_UNKNOWN) {
        cg_json_null(json);
    } else {
        cg_json_i64(json, value);
    }
}

/* How many calls a time is of. */
static void timed_calls(cg_json *json, const char *key, int64_t ns, uint64_t calls)
{
    maybe(json, key, ns > 0 && calls == 0 ? CALLGAUGE_UNKNOWN : (int64_t)calls);
}

static void text(cg_json *json, const char *key, const char *value)
{
    cg_json_key(json, key);
    cg_json_z(json, value);
}

static void open_list(cg_json *json, const char *key)
{
    cg_json_key(json, key);
    cg_json_open(json, '[');
}

/* A list of the report, whose rows stand on lines of their own. */
static void open_rows(cg_json *json, const char *key)
{
    cg_json_break(json, 2);
    open_list(json, key);
}

static void open_row(cg_json *json)
{
    cg_json_break(json, 4);
    cg_json_open(json, '{');
}

static void close_rows(cg_json *json, size_t rows)
{
    if (rows > 0) {
        json->comma = false;
        cg_json_break(json, 2);
    }
    cg_json_close(json, ']');
}

static void write_limits(cg_json *json, const callgauge_report *report)
{
    size_t n;
    const callgauge_limit_row *rows = callgauge_report_limits_hit(report, &n);
    open_rows(json, "limits_hit");
    for (size_t i = 0; i < n; i++) {
        open_row(json);
        text(json, "limit", rows[i].limit);
        count(json, "kept", rows[i].kept);
        count(json, "dropped", rows[i].dropped);
        cg_json_close(json, '}');
    }
    close_rows(json, n);
}

static void write_form(cg_json *json, const callgauge_capture *capture)
{
    open_list(json, "has");
    if (capture->has_events) {
        cg_json_z(json, "events");
    }
    if (capture->has_table) {
        cg_json_z(json, "table");
    }
    cg_json_close(json, ']');
    open_list(json, "traits");
    for (size_t i = 0; i < CG_TRAITS; i++) {
        if ((capture->traits >> i & 1) != 0) {
            cg_json_z(json, cg_trait_names[i]);
        }
    }
    cg_json_close(json, ']');
    text(json, "complete", "unknown");
    text(json, "complete_why", NULL);
    text(json, "clock", cg_clock_names[capture->clock]);
}

static void write_line_counts(cg_json *json, const callgauge_capture *capture)
{
    count(json, "bytes", capture->bytes);
    count(json, "lines", capture->lines);
    count(json, "events", capture->events);
    count(json, "event_lines", capture->event_lines);
    count(json, "continuation_lines", capture->continuation_lines);
    count(json, "table_lines", capture->table_lines);
    count(json, "notice_lines", capture->notice_lines);
    count(json, "foreign_lines", capture->foreign_lines);
    count(json, "unread_lines", capture->unread_lines);
}

static void write_unread(cg_json *json, const callgauge_capture *capture)
{
    open_list(json, "unread");
    for (size_t i = 0; i < capture->unread_count; i++) {
        cg_json_open(json, '{');
        count(json, "line", capture->unread[i].line);
        text(json, "reason", capture->unread[i].reason);
        cg_json_key(json, "text");
        cg_json_str(json, capture->unread[i].text);
        cg_json_close(json, '}');
    }
    cg_json_close(json, ']');
}

static void write_assumed(cg_json *json, const callgauge_capture *capture)
{
    open_list(json, "assumed");
    for (size_t i = 0; i < capture->assumed_count; i++) {
        cg_json_open(json, '{');
        text(json, "what", capture->assumed[i].what);
        text(json, "taken", capture->assumed[i].taken);
        text(json, "option", capture->assumed[i].option);
        cg_json_close(json, '}');
    }
    cg_json_close(json, ']');
}

static void write_repairs(cg_json *json, const callgauge_capture *capture)
{
    open_list(json, "repairs");
    for (size_t i = 0; i < capture->repair_count; i++) {
        cg_json_open(json, '{');
        text(json, "kind", capture->repairs[i].kind);
        count(json, "count", capture->repairs[i].count);
        count(json, "line", capture->repairs[i].line);
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
    maybe(json, "calls", row->table_totals.calls);
    maybe(json, "errors", row->table_totals.errors);
    maybe(json, "cpu_ns", row->table_totals.cpu_ns);
    maybe(json, "wall_ns", row->table_totals.wall_ns);
    cg_json_close(json, '}');
}

static void write_captures(cg_json *json, const callgauge_report *report)
{
    size_t n = callgauge_report_capture_count(report);
    open_rows(json, "captures");
    for (size_t i = 0; i < n; i++) {
        const callgauge_capture_row *row = callgauge_report_capture(report, i);
        open_row(json);
        text(json, "name", row->capture.name);
        text(json, "dialect", row->capture.dialect);
        write_form(json, &row->capture);
        write_line_counts(json, &row->capture);
        write_unread(json, &row->capture);
        write_assumed(json, &row->capture);
        write_repairs(json, &row->capture);
        maybe(json, "first_ns", row->capture.first_ns);
        maybe(json, "last_ns", row->capture.last_ns);
        count(json, "blank_lines", row->blank_lines);
        write_table_totals(json, row);
        text(json, "table_check", row->table_check);
        cg_json_close(json, '}');
    }
    close_rows(json, n);
}

static void write_totals(cg_json *json, const callgauge_report *report)
{
    const callgauge_totals *totals = callgauge_report_totals(report);
    cg_json_break(json, 2);
    cg_json_key(json, "totals");
    cg_json_open(json, '{');
    count(json, "calls", totals->calls);
    count(json, "errors", totals->errors);
    count(json, "unreturned", totals->unreturned);
    maybe(json, "cpu_ns", totals->cpu_ns);
    maybe(json, "wall_ns", totals->wall_ns);
    maybe(json, "user_ns", totals->user_ns);
    maybe(json, "elapsed_ns", totals->elapsed_ns);
    maybe(json, "bytes_read", totals->bytes_read);
    maybe(json, "bytes_written", totals->bytes_written);
    timed_calls(json, "cpu_calls", totals->cpu_ns, totals->cpu_calls);
    timed_calls(json, "wall_calls", totals->wall_ns, totals->wall_calls);
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
    text(json, "kind", cg_time_kind_names[row->durations_kind]);
    count(json, "scale", CG_BUCKET_SCALE);
    open_list(json, "buckets");
    for (size_t i = 0; i < row->bucket_count; i++) {
        cg_json_open(json, '[');
        cg_json_u64(json, row->buckets[i].index);
        cg_json_u64(json, row->buckets[i].count);
        cg_json_close(json, ']');
    }
    cg_json_close(json, ']');
    cg_json_close(json, '}');
}

static void write_errors_by_name(cg_json *json, const callgauge_call_row *row)
{
    cg_json_key(json, "errors_by_name");
    cg_json_open(json, '{');
    for (size_t i = 0; i < row->error_name_count; i++) {
        cg_json_key_str(json, row->errors_by_name[i].name);
        cg_json_u64(json, row->errors_by_name[i].count);
    }
    cg_json_close(json, '}');
}

static void write_call(cg_json *json, const callgauge_call_row *row)
{
    open_row(json);
    cg_json_key(json, "name");
    cg_json_str(json, row->name);
    text(json, "class", callgauge_class_text(row->call_class));
    count(json, "calls", row->calls);
    count(json, "errors", row->errors);
    count(json, "unreturned", row->unreturned);
    maybe(json, "cpu_ns", row->cpu_ns);
    maybe(json, "wall_ns", row->wall_ns);
    maybe(json, "min_ns", row->min_ns);
    maybe(json, "max_ns", row->max_ns);
    maybe(json, "p50_ns", row->p50_ns);
    maybe(json, "p90_ns", row->p90_ns);
    maybe(json, "p99_ns", row->p99_ns);
    maybe(json, "bytes_read", row->bytes_read);
    maybe(json, "bytes_written", row->bytes_written);
    timed_calls(json, "cpu_calls", row->cpu_ns, row->cpu_calls);
    timed_calls(json, "wall_calls", row->wall_ns, row->wall_calls);
    write_durations(json, row);
    write_errors_by_name(json, row);
    cg_json_close(json, '}');
}

static void write_calls(cg_json *json, const callgauge_report *report)
{
    size_t n = callgauge_report_call_count(report);
    open_rows(json, "calls");
    for (size_t i = 0; i < n; i++) {
        write_call(json, callgauge_report_call(report, i));
    }
    close_rows(json, n);
}

static void write_names(cg_json *json, const char *key, const callgauge_name_row *rows, size_t n)
{
    open_rows(json, key);
    for (size_t i = 0; i < n; i++) {
        open_row(json);
        cg_json_key(json, "name");
        cg_json_str(json, rows[i].name);
        count(json, "count", rows[i].count);
        cg_json_close(json, '}');
    }
    close_rows(json, n);
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

static void write_processes(cg_json *json, const callgauge_report *report)
{
    size_t n = callgauge_report_process_count(report);
    open_rows(json, "processes");
    for (size_t i = 0; i < n; i++) {
        const callgauge_process_row *row = callgauge_report_process(report, i);
        open_row(json);
        maybe(json, "pid", row->pid);
        count(json, "calls", row->calls);
        count(json, "errors", row->errors);
        count(json, "unreturned", row->unreturned);
        maybe(json, "cpu_ns", row->cpu_ns);
        maybe(json, "wall_ns", row->wall_ns);
        maybe(json, "start_ns", row->start_ns);
        maybe(json, "end_ns", row->end_ns);
        timed_calls(json, "cpu_calls", row->cpu_ns, row->cpu_calls);
        timed_calls(json, "wall_calls", row->wall_ns, row->wall_calls);
        cg_json_close(json, '}');
    }
    close_rows(json, n);
}

bool cg_write_json(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    cg_json json = { .out = out };
    (void)options; /* a report in JSON is always whole */
    cg_json_open(&json, '{');
    cg_json_break(&json, 2);
    text(&json, "schema", CG_SCHEMA);
    cg_json_break(&json, 2);
    text(&json, "version", CALLGAUGE_VERSION);
    write_limits(&json, report);
    write_captures(&json, report);
    write_totals(&json, report);
    write_calls(&json, report);
    write_all_names(&json, report);
    write_processes(&json, report);
    json.comma = false;
    cg_json_break(&json, 0);
    cg_json_close(&json, '}');
    cg_out_char(out, '\n');
    return true;
}

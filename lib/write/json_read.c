/* SPDX-License-Identifier: Apache-2.0 */
/* From the JSON that json.c writes to a report that is equal to the one written. The document is hostile:
 * every type and range is checked, and a fault names its key; keys that are not known are passed over.
 * Invariant: sums and percentiles are worked out again from the rows, never taken from the document. */
#include <callgauge/report.h>
#include <callgauge/version.h>

#include "base/error.h"
#include "base/mem.h"

#ifdef CG_HAVE_JSON

#include <jansson.h>
#include <string.h>

#include "base/str.h"
#include "write/json_node.h"
#include "report/finding.h"
#include "write/json_rows.h"
#include "write/schema.h"

#define REPORT_OF_ANY_VERSION "callgauge.report/"
#define COMPARISON "callgauge.comparison/"

enum { MOST_LIMITS = 64 }; /* there are a handful, and adding one costs as much as all before it */

static bool read_limit(const cg_node *at, void *out)
{
    callgauge_limit_row *row = out;
    return cg_node_needed_text(at, "limit", &row->limit) && cg_node_count(at, "kept", &row->kept) &&
           cg_node_count(at, "dropped", &row->dropped);
}

static bool read_name(const cg_node *at, void *out)
{
    callgauge_name_row *row = out;
    return cg_node_str(at, "name", &row->name) && cg_node_count(at, "count", &row->count);
}

static bool read_unread(const cg_node *at, void *out)
{
    callgauge_unread *row = out;
    return cg_node_count(at, "line", &row->line) && cg_node_needed_text(at, "reason", &row->reason) &&
           cg_node_str(at, "text", &row->text);
}

static bool read_assumption(const cg_node *at, void *out)
{
    callgauge_assumption *row = out;
    return cg_node_needed_text(at, "what", &row->what) && cg_node_needed_text(at, "taken", &row->taken) &&
           cg_node_needed_text(at, "option", &row->option);
}

static bool read_repair(const cg_node *at, void *out)
{
    callgauge_repair *row = out;
    return cg_node_needed_text(at, "kind", &row->kind) && cg_node_count(at, "count", &row->count) &&
           cg_node_count(at, "line", &row->line);
}

static bool read_form(const cg_node *at, callgauge_capture *capture)
{
    size_t clock = CALLGAUGE_CLOCK_NONE;
    if (!cg_node_holds(at, "has", "events", &capture->has_events) ||
        !cg_node_holds(at, "has", "table", &capture->has_table)) {
        return false;
    }
    for (size_t i = 0; i < CG_TRAITS; i++) {
        bool has;
        if (!cg_node_holds(at, "traits", cg_trait_names[i], &has)) {
            return false;
        }
        capture->traits |= has ? 1u << i : 0;
    }
    bool ok = cg_node_choice(at, "clock", cg_clock_names, CG_CLOCKS, &clock);
    capture->clock = (callgauge_clock)clock;
    return ok;
}

static bool read_line_counts(const cg_node *at, callgauge_capture *capture)
{
    const char *const keys[] = { "bytes",       "lines",        "events",        "event_lines", "continuation_lines",
                                 "table_lines", "notice_lines", "foreign_lines", "unread_lines" };
    uint64_t *const outs[] = { &capture->bytes,
                               &capture->lines,
                               &capture->events,
                               &capture->event_lines,
                               &capture->continuation_lines,
                               &capture->table_lines,
                               &capture->notice_lines,
                               &capture->foreign_lines,
                               &capture->unread_lines };
    return cg_node_counts(at, sizeof keys / sizeof keys[0], keys, outs);
}

static bool read_lists(const cg_node *at, callgauge_capture *capture)
{
    capture->unread = cg_node_rows(at, "unread", sizeof *capture->unread, read_unread, &capture->unread_count);
    if (capture->unread == NULL) {
        return false;
    }
    capture->assumed = cg_node_rows(at, "assumed", sizeof *capture->assumed, read_assumption, &capture->assumed_count);
    if (capture->assumed == NULL) {
        return false;
    }
    capture->repairs = cg_node_rows(at, "repairs", sizeof *capture->repairs, read_repair, &capture->repair_count);
    return capture->repairs != NULL;
}

static bool read_table_totals(const cg_node *at, callgauge_capture_row *row)
{
    cg_node room, *totals;
    callgauge_table_totals *out = &row->table_totals;
    *out = (callgauge_table_totals){ CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN };
    if (!cg_node_object(at, "table_totals", &room, &totals)) {
        return false;
    }
    row->has_table_totals = totals != NULL;
    return totals == NULL ||
           (cg_node_maybe(totals, "calls", &out->calls) && cg_node_maybe(totals, "errors", &out->errors) &&
            cg_node_maybe(totals, "cpu_ns", &out->cpu_ns) && cg_node_maybe(totals, "wall_ns", &out->wall_ns));
}

/* Reports from before it was judged say "unknown", or nothing. */
static bool read_complete(const cg_node *at, callgauge_capture_row *row)
{
    static const char *const names[] = { "unknown", "no", NULL };
    size_t complete = CALLGAUGE_COMPLETE_UNKNOWN;
    if (!cg_node_choice(at, "complete", names, sizeof names / sizeof *names, &complete) ||
        !cg_node_text(at, "complete_why", &row->complete_why)) {
        return false;
    }
    if (complete == CALLGAUGE_COMPLETE_NO && row->complete_why == NULL) {
        return cg_node_fail(at, "complete_why", "a reason is expected beside \"no\"");
    }
    row->complete = complete == CALLGAUGE_COMPLETE_NO ? CALLGAUGE_COMPLETE_NO : CALLGAUGE_COMPLETE_UNKNOWN;
    return cg_node_text(at, "traced", &row->traced);
}

static bool read_capture(const cg_node *at, void *out)
{
    callgauge_capture_row *row = out;
    callgauge_capture *capture = &row->capture;
    return cg_node_needed_text(at, "name", &capture->name) && cg_node_text(at, "dialect", &capture->dialect) &&
           read_form(at, capture) && read_complete(at, row) && read_line_counts(at, capture) &&
           read_lists(at, capture) && cg_node_stamp(at, "first_ns", &capture->first_ns) &&
           cg_node_stamp(at, "last_ns", &capture->last_ns) &&
           cg_node_later_count(at, "blank_lines", &row->blank_lines) && read_table_totals(at, row) &&
           cg_node_text(at, "table_check", &row->table_check) &&
           cg_node_later_count(at, "fd_contradictions", &row->fd_contradictions) &&
           cg_node_later_count(at, "fds_received", &row->fds_received) && cg_node_text(at, "where", &row->where) &&
           cg_node_later_count(at, "where_undecided", &row->where_undecided);
}

static bool read_durations(const cg_node *at, callgauge_call_row *row)
{
    cg_node room, *durations;
    uint64_t scale = 0;
    size_t kind = CALLGAUGE_TIME_NONE;
    if (!cg_node_object(at, "durations", &room, &durations)) {
        return false;
    }
    if (durations == NULL) {
        return true;
    }
    if (!cg_node_choice(durations, "kind", cg_time_kind_names, CG_TIME_KIND_NAMES, &kind) ||
        !cg_node_count(durations, "scale", &scale)) {
        return false;
    }
    if (kind == CALLGAUGE_TIME_NONE || scale != CG_BUCKET_SCALE) {
        return cg_node_fail(durations, "durations", "a kind and a scale of 64 are expected");
    }
    row->durations_kind = (callgauge_time_kind)kind;
    return cg_node_buckets(durations, "buckets", &row->buckets, &row->bucket_count);
}

static bool read_class(const cg_node *at, callgauge_call_row *row)
{
    const char *text = NULL;
    if (!cg_node_needed_text(at, "class", &text)) {
        return false;
    }
    return callgauge_class_find(cg_str_z(text), &row->call_class) ||
           cg_node_fail(at, "class", "a class that is not known");
}

static bool read_call(const cg_node *at, void *out)
{
    callgauge_call_row *row = out;
    cg_call_row_init(row);
    const char *const keys[] = { "cpu_ns", "wall_ns", "min_ns", "max_ns", "bytes_read", "bytes_written" };
    int64_t *const outs[] = { &row->cpu_ns, &row->wall_ns,    &row->min_ns,
                              &row->max_ns, &row->bytes_read, &row->bytes_written };
    return cg_node_str(at, "name", &row->name) && read_class(at, row) && cg_node_count(at, "calls", &row->calls) &&
           cg_node_count(at, "errors", &row->errors) && cg_node_count(at, "unreturned", &row->unreturned) &&
           cg_node_maybes(at, sizeof keys / sizeof keys[0], keys, outs) &&
           cg_node_later_count(at, "cpu_calls", &row->cpu_calls) &&
           cg_node_later_count(at, "wall_calls", &row->wall_calls) && read_durations(at, row) &&
           cg_node_names(at, "errors_by_name", &row->errors_by_name, &row->error_name_count);
}

static bool read_totals(const cg_node *at, callgauge_totals *out)
{
    cg_node room, *totals;
    return cg_node_object(at, "totals", &room, &totals) &&
           (totals == NULL ||
            (cg_node_maybe(totals, "user_ns", &out->user_ns) && cg_node_maybe(totals, "elapsed_ns", &out->elapsed_ns)));
}

static callgauge_status fail_kind(const char *source, callgauge_error *err, const char *what)
{
    return cg_fail(err, CALLGAUGE_E_FORMAT, (cg_place){ .name = source }, "not a callgauge report, but %s", what);
}

static const char EVENTS[] = "events, of which 'callgauge events' makes no report: name the capture they are of";

/* One event as `callgauge events --format ndjson` writes it. */
static bool is_event(const json_t *document)
{
    return json_object_get(document, "schema") == NULL && json_is_string(json_object_get(document, "kind"));
}

/* Says what a document of another schema is. */
static callgauge_status fail_schema(const char *source, const char *schema, callgauge_error *err)
{
    enum { SHOWN = 60 };
    const cg_place place = { .name = source };
    if (strncmp(schema, REPORT_OF_ANY_VERSION, strlen(REPORT_OF_ANY_VERSION)) == 0) {
        return cg_fail(err, CALLGAUGE_E_FORMAT, place,
                       "a report in a form of another version, \"%.*s\"; callgauge " CALLGAUGE_VERSION
                       " reads \"" CG_SCHEMA "\"",
                       SHOWN, schema);
    }
    if (strncmp(schema, COMPARISON, strlen(COMPARISON)) == 0) {
        return fail_kind(source, err, "a comparison: name the reports or captures that it is of");
    }
    return cg_fail(err, CALLGAUGE_E_FORMAT, place,
                   "not a callgauge report: its schema is \"%.*s\", not \"" CG_SCHEMA "\"", SHOWN, schema);
}

static bool read_schema(const cg_node *at)
{
    const char *schema = NULL;
    if (is_event(at->object)) {
        at->all->status = fail_kind(at->all->source, at->all->err, EVENTS);
        return false;
    }
    if (!cg_node_needed_text(at, "schema", &schema)) {
        return false;
    }
    if (strcmp(schema, CG_SCHEMA) != 0) {
        at->all->status = fail_schema(at->all->source, schema, at->all->err);
        return false;
    }
    return true;
}

static bool read_limits(const cg_node *at, callgauge_report *report)
{
    size_t count;
    const callgauge_limit_row *rows = cg_node_rows(at, "limits_hit", sizeof *rows, read_limit, &count);
    if (rows != NULL && count > MOST_LIMITS) {
        return cg_node_fail(at, "limits_hit", "there are too many");
    }
    for (size_t i = 0; rows != NULL && i < count; i++) {
        if (!cg_report_add_limit(report, rows[i].limit, rows[i].kept, rows[i].dropped)) {
            return cg_node_fail_nomem(at);
        }
    }
    return rows != NULL;
}

static bool read_names(const cg_node *at, const char *key, callgauge_name_row **rows, size_t *count)
{
    *rows = cg_node_rows(at, key, sizeof **rows, read_name, count);
    return *rows != NULL;
}

static bool read_report(const cg_node *at, callgauge_report *report)
{
    if (!json_is_object(at->object)) {
        return cg_node_fail(at, "document", "an object is expected");
    }
    if (!read_schema(at) || !read_limits(at, report) || !read_totals(at, &report->totals)) {
        return false;
    }
    report->captures = cg_node_rows(at, "captures", sizeof *report->captures, read_capture, &report->capture_count);
    if (report->captures == NULL) {
        return false;
    }
    report->calls = cg_node_rows(at, "calls", sizeof *report->calls, read_call, &report->call_count);
    if (report->calls == NULL) {
        return false;
    }
    return cg_read_followed(at, report) && cg_read_findings(at, report) && cg_read_recorded(at, report) &&
           read_names(at, "signals", &report->signals, &report->signal_count) &&
           read_names(at, "faults", &report->faults, &report->fault_count) &&
           read_names(at, "functions", &report->functions, &report->function_count);
}

/* Whether two neighbours among rows in order are of one thing. */
static bool has_twins(const void *rows, size_t count, size_t size, int (*cmp)(const void *, const void *))
{
    const char *at = rows;
    for (size_t i = 1; i < count; i++, at += size) {
        if (cmp(at, at + size) == 0) {
            return true;
        }
    }
    return false;
}

/* What is one thing has one row. To be asked of rows in order. */
static bool refuse_twins(const cg_node *at, const callgauge_report *report)
{
    for (size_t i = 1; i < report->call_count; i++) {
        if (cg_str_eq(report->calls[i - 1].name, report->calls[i].name)) {
            return cg_node_fail(at, "calls", "a name is there twice");
        }
    }
    const struct {
        const char *key;
        const void *rows;
        size_t count, size;
        int (*cmp)(const void *, const void *);
        const char *fault;
    } lists[] = {
        { "processes", report->processes, report->process_count, sizeof *report->processes, cg_process_row_cmp,
          "a pid is there twice" },
        { "files", report->files, report->file_count, sizeof *report->files, cg_file_row_cmp, "a file is there twice" },
        { "programs", report->programs, report->program_count, sizeof *report->programs, cg_program_row_cmp,
          "a program is there twice" },
        { "waiting", report->waiting, report->waiting_count, sizeof *report->waiting, cg_waiting_row_cmp,
          "a row is there twice" },
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (has_twins(lists[i].rows, lists[i].count, lists[i].size, lists[i].cmp)) {
            return cg_node_fail(at, lists[i].key, lists[i].fault);
        }
    }
    return true;
}

/* jansson tells how many bytes it had read; the place is the last of them, its line and column (in bytes too)
 * are counted here. */
static callgauge_status fail_syntax(const char *name, callgauge_str json, const json_error_t *fault,
                                    callgauge_error *err)
{
    if (json_error_code(fault) == json_error_out_of_memory) {
        return cg_fail_nomem(err);
    }
    size_t offset = fault->position < 1 ? 0 : (size_t)fault->position - 1;
    offset = offset > json.len ? json.len : offset;
    cg_place place = { .name = name, .line = 1, .column = 1, .offset = offset };
    for (size_t i = 0; i < offset; i++) {
        place.column = json.ptr[i] == '\n' ? 1 : place.column + 1;
        place.line += json.ptr[i] == '\n';
    }
    return cg_fail(err, CALLGAUGE_E_FORMAT, place, "not JSON: %s", fault->text);
}

/* Whether the document is the first of several, each of them an event. */
static bool are_events(const void *json, size_t len, const json_error_t *fault)
{
    json_error_t ignored;
    if (json_error_code(fault) != json_error_end_of_input_expected) {
        return false;
    }
    json_t *first = json_loadb(json, len, JSON_DISABLE_EOF_CHECK, &ignored);
    bool is = is_event(first);
    json_decref(first);
    return is;
}

static callgauge_status read_document(const char *name, const json_t *document, callgauge_report **out,
                                      callgauge_error *err)
{
    cg_reading all = { .source = name, .report = cg_report_new(), .err = err };
    if (all.report == NULL) {
        return cg_fail_nomem(err);
    }
    cg_node root = { .all = &all, .object = document };
    if (read_report(&root, all.report) && (cg_report_order_captures(all.report) || cg_node_fail_nomem(&root))) {
        cg_report_seal(all.report);
        if (refuse_twins(&root, all.report) && (cg_report_settle_findings(all.report) || cg_node_fail_nomem(&root))) {
            *out = all.report;
            return CALLGAUGE_OK;
        }
    }
    callgauge_report_free(all.report);
    return all.status;
}

/* The reports of several captures that were kept apart, as one. */
static callgauge_status read_array(const char *name, const json_t *array, callgauge_report **out, callgauge_error *err)
{
    size_t count = json_array_size(array), got = 0;
    callgauge_report **parts = cg_mem_zeroed(count, sizeof *parts);
    callgauge_status status = parts == NULL ? cg_fail_nomem(err) : CALLGAUGE_OK;
    while (status == CALLGAUGE_OK && got < count) {
        status = read_document(name, json_array_get(array, got), &parts[got], err);
        got += status == CALLGAUGE_OK;
    }
    if (status == CALLGAUGE_OK) {
        status = callgauge_report_merge((const callgauge_report *const *)parts, count, out, err);
    }
    while (got > 0) {
        callgauge_report_free(parts[--got]);
    }
    cg_mem_free(parts);
    return status;
}

callgauge_status callgauge_report_read(const char *name, const void *json, size_t len, callgauge_report **out,
                                       callgauge_error *err)
{
    json_error_t fault;
    json_t *document = json_loadb(json, len, JSON_REJECT_DUPLICATES, &fault);
    if (document == NULL) {
        if (are_events(json, len, &fault)) {
            return fail_kind(name, err, EVENTS);
        }
        return fail_syntax(name, cg_str(json, len), &fault, err);
    }
    bool several = json_is_array(document) && json_array_size(document) > 0;
    callgauge_status status = several ? read_array(name, document, out, err) : read_document(name, document, out, err);
    json_decref(document);
    return status;
}

#else

callgauge_status callgauge_report_read(const char *name, const void *json, size_t len, callgauge_report **out,
                                       callgauge_error *err)
{
    (void)json;
    (void)len;
    (void)out;
    return cg_fail(err, CALLGAUGE_E_UNSUPPORTED, (cg_place){ .name = name }, "this build reads no JSON");
}

#endif

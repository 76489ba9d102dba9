/* SPDX-License-Identifier: Apache-2.0 */
/* From the JSON that json.c writes to a report that is equal to the one written. The document is hostile:
 * every type and range is checked, and a fault names its key; keys that are not known are passed over.
 * Invariant: sums and percentiles are worked out again from the rows, never taken from the document. */
#include <callgauge/report.h>

#include "base/error.h"
#include "base/mem.h"

#ifdef CG_HAVE_JSON

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "report/report.h"
#include "write/escape.h"
#include "write/schema.h"

enum {
    WHERE_ROOM = 96,
    MOST_LIMITS = 64 /* there are a handful, and adding one costs as much as all before it */
};

/* What all of a document shares. */
typedef struct reading {
    const char *source;
    callgauge_report *report;
    callgauge_status status;
    callgauge_error *err;
} reading;

/* An object of the document and where it stands: "captures[0].unread[1]", or "" for the outermost. */
typedef struct node {
    reading *all;
    const json_t *object;
    char where[WHERE_ROOM];
} node;

static bool fail_nomem(reading *all)
{
    all->status = cg_fail_nomem(all->err);
    return false;
}

static bool fail_at(const node *at, const char *key, const char *expected)
{
    const char *point = at->where[0] == 0 || key[0] == 0 ? "" : ".";
    at->all->status = cg_fail(at->all->err, CALLGAUGE_E_FORMAT, (cg_place){ .name = at->all->source },
                              "not a callgauge report: %s%s%s: %s", at->where, point, key, expected);
    return false;
}

/* The value of a key; NULL when it is missing or null. */
static const json_t *value_of(const node *at, const char *key)
{
    const json_t *value = json_object_get(at->object, key);
    return json_is_null(value) ? NULL : value;
}

static bool get_stamp(const node *at, const char *key, int64_t *out)
{
    const json_t *value = value_of(at, key);
    if (value != NULL && (!json_is_integer(value) || json_integer_value(value) == CALLGAUGE_UNKNOWN)) {
        return fail_at(at, key, "an integer or null is expected");
    }
    *out = value == NULL ? CALLGAUGE_UNKNOWN : (int64_t)json_integer_value(value);
    return true;
}

static bool get_maybe(const node *at, const char *key, int64_t *out)
{
    int64_t value = CALLGAUGE_UNKNOWN;
    if (!get_stamp(at, key, &value)) {
        return false;
    }
    if (value < 0 && value != CALLGAUGE_UNKNOWN) {
        return fail_at(at, key, "a number that is not negative is expected");
    }
    *out = value;
    return true;
}

static bool get_count(const node *at, const char *key, uint64_t *out)
{
    int64_t value = CALLGAUGE_UNKNOWN;
    if (!get_maybe(at, key, &value)) {
        return false;
    }
    if (value == CALLGAUGE_UNKNOWN) {
        return fail_at(at, key, "a number is expected");
    }
    *out = (uint64_t)value;
    return true;
}

/* A count that older reports lack, or that is null: 0. */
static bool get_later_count(const node *at, const char *key, uint64_t *out)
{
    int64_t value = CALLGAUGE_UNKNOWN;
    if (!get_maybe(at, key, &value)) {
        return false;
    }
    *out = value == CALLGAUGE_UNKNOWN ? 0 : (uint64_t)value;
    return true;
}

static bool get_counts(const node *at, size_t n, const char *const *keys, uint64_t *const *outs)
{
    for (size_t i = 0; i < n; i++) {
        if (!get_count(at, keys[i], outs[i])) {
            return false;
        }
    }
    return true;
}

static bool get_maybes(const node *at, size_t n, const char *const *keys, int64_t *const *outs)
{
    for (size_t i = 0; i < n; i++) {
        if (!get_maybe(at, keys[i], outs[i])) {
            return false;
        }
    }
    return true;
}

/* Captured text, its escapes undone, in the report's arena. */
static bool unescape(const node *at, const char *key, callgauge_str text, callgauge_str *out)
{
    char *copy = cg_arena_copy(&at->all->report->arena, text.ptr, text.len);
    if (copy == NULL) {
        return fail_nomem(at->all);
    }
    size_t len;
    if (!cg_unescape(text, copy, &len)) {
        return fail_at(at, key, "a backslash is not followed by an escape");
    }
    copy[len] = 0;
    *out = cg_str(copy, len);
    return true;
}

static bool get_str(const node *at, const char *key, callgauge_str *out)
{
    const json_t *value = value_of(at, key);
    if (!json_is_string(value)) {
        return fail_at(at, key, "a string is expected");
    }
    return unescape(at, key, cg_str(json_string_value(value), json_string_length(value)), out);
}

/* Text that may be null, and holds no NUL. */
static bool get_text(const node *at, const char *key, const char **out)
{
    callgauge_str text = { NULL, 0 };
    if (value_of(at, key) != NULL && !get_str(at, key, &text)) {
        return false;
    }
    if (text.ptr != NULL && strlen(text.ptr) != text.len) {
        return fail_at(at, key, "a string without NUL is expected");
    }
    *out = text.ptr;
    return true;
}

static bool get_needed_text(const node *at, const char *key, const char **out)
{
    const char *text = NULL;
    if (!get_text(at, key, &text)) {
        return false;
    }
    if (text == NULL) {
        return fail_at(at, key, "a string is expected");
    }
    *out = text;
    return true;
}

/* Which of `n` names a text is; a NULL among the names stands for null. */
static bool get_choice(const node *at, const char *key, const char *const *names, size_t n, size_t *out)
{
    const char *text = NULL;
    if (!get_text(at, key, &text)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (text == NULL ? names[i] == NULL : names[i] != NULL && strcmp(names[i], text) == 0) {
            *out = i;
            return true;
        }
    }
    return fail_at(at, key, "a name that is not known");
}

static bool get_list(const node *at, const char *key, const json_t **out)
{
    const json_t *list = value_of(at, key);
    if (list != NULL && !json_is_array(list)) {
        return fail_at(at, key, "a list is expected");
    }
    *out = list;
    return true;
}

typedef bool read_row_fn(const node *at, void *row);

static bool enter(const node *parent, const char *key, size_t index, const json_t *value, node *out)
{
    const char *point = parent->where[0] == 0 ? "" : ".";
    out->all = parent->all;
    out->object = value;
    int n = snprintf(out->where, sizeof out->where, "%s%s%s[%zu]", parent->where, point, key, index);
    if (n < 0 || (size_t)n >= sizeof out->where) {
        return fail_at(parent, key, "it is nested too deeply");
    }
    return json_is_object(value) || fail_at(out, "", "an object is expected");
}

/* The rows of a list, `size` bytes each, in the report's arena. NULL: a fault. */
static void *get_rows(const node *at, const char *key, size_t size, read_row_fn *read_row, size_t *count)
{
    const json_t *list;
    if (!get_list(at, key, &list)) {
        return NULL;
    }
    size_t n = json_array_size(list);
    char *rows = cg_arena_alloc(&at->all->report->arena, n * size);
    if (rows == NULL) {
        fail_nomem(at->all);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        node row;
        if (!enter(at, key, i, json_array_get(list, i), &row) || !read_row(&row, rows + i * size)) {
            return NULL;
        }
    }
    *count = n;
    return rows;
}

static bool read_limit(const node *at, void *out)
{
    callgauge_limit_row *row = out;
    return get_needed_text(at, "limit", &row->limit) && get_count(at, "kept", &row->kept) &&
           get_count(at, "dropped", &row->dropped);
}

static bool read_name(const node *at, void *out)
{
    callgauge_name_row *row = out;
    return get_str(at, "name", &row->name) && get_count(at, "count", &row->count);
}

static bool read_process(const node *at, void *out)
{
    callgauge_process_row *row = out;
    return get_stamp(at, "pid", &row->pid) && get_count(at, "calls", &row->calls) &&
           get_count(at, "errors", &row->errors) && get_count(at, "unreturned", &row->unreturned) &&
           get_maybe(at, "cpu_ns", &row->cpu_ns) && get_maybe(at, "wall_ns", &row->wall_ns) &&
           get_stamp(at, "start_ns", &row->start_ns) && get_stamp(at, "end_ns", &row->end_ns) &&
           get_later_count(at, "cpu_calls", &row->cpu_calls) && get_later_count(at, "wall_calls", &row->wall_calls);
}

static bool read_unread(const node *at, void *out)
{
    callgauge_unread *row = out;
    return get_count(at, "line", &row->line) && get_needed_text(at, "reason", &row->reason) &&
           get_str(at, "text", &row->text);
}

static bool read_assumption(const node *at, void *out)
{
    callgauge_assumption *row = out;
    return get_needed_text(at, "what", &row->what) && get_needed_text(at, "taken", &row->taken) &&
           get_needed_text(at, "option", &row->option);
}

static bool read_repair(const node *at, void *out)
{
    callgauge_repair *row = out;
    return get_needed_text(at, "kind", &row->kind) && get_count(at, "count", &row->count) &&
           get_count(at, "line", &row->line);
}

/* Whether a list of strings holds `name`. */
static bool holds(const json_t *list, const char *name)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        if (json_is_string(item) && strcmp(json_string_value(item), name) == 0) {
            return true;
        }
    }
    return false;
}

static bool read_form(const node *at, callgauge_capture *capture)
{
    const json_t *has, *traits;
    size_t clock = CALLGAUGE_CLOCK_NONE;
    if (!get_list(at, "has", &has) || !get_list(at, "traits", &traits) ||
        !get_choice(at, "clock", cg_clock_names, CG_CLOCKS, &clock)) {
        return false;
    }
    capture->clock = (callgauge_clock)clock;
    capture->has_events = holds(has, "events");
    capture->has_table = holds(has, "table");
    for (size_t i = 0; i < CG_TRAITS; i++) {
        capture->traits |= holds(traits, cg_trait_names[i]) ? 1u << i : 0;
    }
    return true;
}

static bool read_line_counts(const node *at, callgauge_capture *capture)
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
    return get_counts(at, sizeof keys / sizeof keys[0], keys, outs);
}

static bool read_lists(const node *at, callgauge_capture *capture)
{
    capture->unread = get_rows(at, "unread", sizeof *capture->unread, read_unread, &capture->unread_count);
    if (capture->unread == NULL) {
        return false;
    }
    capture->assumed = get_rows(at, "assumed", sizeof *capture->assumed, read_assumption, &capture->assumed_count);
    if (capture->assumed == NULL) {
        return false;
    }
    capture->repairs = get_rows(at, "repairs", sizeof *capture->repairs, read_repair, &capture->repair_count);
    return capture->repairs != NULL;
}

/* An object inside another; *out is NULL when it is null. */
static bool get_object(const node *at, const char *key, node *room, node **out)
{
    *room = *at;
    room->object = value_of(at, key);
    *out = room->object == NULL ? NULL : room;
    return room->object == NULL || json_is_object(room->object) || fail_at(at, key, "an object is expected");
}

static bool read_table_totals(const node *at, callgauge_capture_row *row)
{
    node room, *totals;
    callgauge_table_totals *out = &row->table_totals;
    *out = (callgauge_table_totals){ CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN };
    if (!get_object(at, "table_totals", &room, &totals)) {
        return false;
    }
    row->has_table_totals = totals != NULL;
    return totals == NULL || (get_maybe(totals, "calls", &out->calls) && get_maybe(totals, "errors", &out->errors) &&
                              get_maybe(totals, "cpu_ns", &out->cpu_ns) && get_maybe(totals, "wall_ns", &out->wall_ns));
}

static bool read_capture(const node *at, void *out)
{
    callgauge_capture_row *row = out;
    callgauge_capture *capture = &row->capture;
    return get_needed_text(at, "name", &capture->name) && get_text(at, "dialect", &capture->dialect) &&
           read_form(at, capture) && read_line_counts(at, capture) && read_lists(at, capture) &&
           get_stamp(at, "first_ns", &capture->first_ns) && get_stamp(at, "last_ns", &capture->last_ns) &&
           get_later_count(at, "blank_lines", &row->blank_lines) && read_table_totals(at, row) &&
           get_text(at, "table_check", &row->table_check);
}

static bool read_bucket(const node *at, const json_t *pair, int64_t above, callgauge_bucket *out)
{
    const json_t *index = json_array_get(pair, 0), *count = json_array_get(pair, 1);
    if (json_array_size(pair) != 2 || !json_is_integer(index) || !json_is_integer(count)) {
        return fail_at(at, "buckets", "pairs of an index and a count are expected");
    }
    if (json_integer_value(index) <= above || json_integer_value(index) >= CG_BUCKET_COUNT) {
        return fail_at(at, "buckets", "an index is out of order or range");
    }
    if (json_integer_value(count) <= 0) {
        return fail_at(at, "buckets", "a count must be more than 0");
    }
    *out = (callgauge_bucket){ (uint32_t)json_integer_value(index), (uint64_t)json_integer_value(count) };
    return true;
}

static bool read_buckets(const node *at, callgauge_call_row *row)
{
    const json_t *list;
    if (!get_list(at, "buckets", &list)) {
        return false;
    }
    size_t n = json_array_size(list);
    callgauge_bucket *buckets = cg_arena_alloc(&at->all->report->arena, n * sizeof *buckets);
    if (buckets == NULL) {
        return fail_nomem(at->all);
    }
    for (size_t i = 0; i < n; i++) {
        int64_t above = i == 0 ? -1 : (int64_t)buckets[i - 1].index;
        if (!read_bucket(at, json_array_get(list, i), above, &buckets[i])) {
            return false;
        }
    }
    row->buckets = buckets;
    row->bucket_count = n;
    return true;
}

static bool read_durations(const node *at, callgauge_call_row *row)
{
    node room, *durations;
    uint64_t scale = 0;
    size_t kind = CALLGAUGE_TIME_NONE;
    if (!get_object(at, "durations", &room, &durations)) {
        return false;
    }
    if (durations == NULL) {
        return true;
    }
    if (!get_choice(durations, "kind", cg_time_kind_names, CG_TIME_KIND_NAMES, &kind) ||
        !get_count(durations, "scale", &scale)) {
        return false;
    }
    if (kind == CALLGAUGE_TIME_NONE || scale != CG_BUCKET_SCALE) {
        return fail_at(durations, "durations", "a kind and a scale of 64 are expected");
    }
    row->durations_kind = (callgauge_time_kind)kind;
    return read_buckets(durations, row);
}

static bool read_errors_by_name(const node *at, callgauge_call_row *row)
{
    node room, *errors;
    if (!get_object(at, "errors_by_name", &room, &errors)) {
        return false;
    }
    json_t *object = json_object_get(at->object, "errors_by_name");
    size_t n = json_object_size(object), used = 0;
    callgauge_name_row *rows = cg_arena_alloc(&at->all->report->arena, n * sizeof *rows);
    if (rows == NULL) {
        return fail_nomem(at->all);
    }
    for (void *i = json_object_iter(object); i != NULL; i = json_object_iter_next(object, i), used++) {
        const char *key = json_object_iter_key(i);
        if (!unescape(errors, "errors_by_name", cg_str_z(key), &rows[used].name) ||
            !get_count(errors, key, &rows[used].count)) {
            return false;
        }
    }
    row->error_name_count = cg_name_rows_settle(rows, used);
    row->errors_by_name = rows;
    return true;
}

static bool read_class(const node *at, callgauge_call_row *row)
{
    const char *text = NULL;
    if (!get_needed_text(at, "class", &text)) {
        return false;
    }
    return callgauge_class_find(cg_str_z(text), &row->call_class) || fail_at(at, "class", "a class that is not known");
}

static bool read_call(const node *at, void *out)
{
    callgauge_call_row *row = out;
    cg_call_row_init(row);
    const char *const keys[] = { "cpu_ns", "wall_ns", "min_ns", "max_ns", "bytes_read", "bytes_written" };
    int64_t *const outs[] = { &row->cpu_ns, &row->wall_ns,    &row->min_ns,
                              &row->max_ns, &row->bytes_read, &row->bytes_written };
    return get_str(at, "name", &row->name) && read_class(at, row) && get_count(at, "calls", &row->calls) &&
           get_count(at, "errors", &row->errors) && get_count(at, "unreturned", &row->unreturned) &&
           get_maybes(at, sizeof keys / sizeof keys[0], keys, outs) &&
           get_later_count(at, "cpu_calls", &row->cpu_calls) && get_later_count(at, "wall_calls", &row->wall_calls) &&
           read_durations(at, row) && read_errors_by_name(at, row);
}

static bool read_totals(const node *at, callgauge_totals *out)
{
    node room, *totals;
    return get_object(at, "totals", &room, &totals) &&
           (totals == NULL ||
            (get_maybe(totals, "user_ns", &out->user_ns) && get_maybe(totals, "elapsed_ns", &out->elapsed_ns)));
}

static bool read_schema(const node *at)
{
    const json_t *schema = value_of(at, "schema");
    if (!json_is_string(schema)) {
        return fail_at(at, "schema", "a string is expected");
    }
    return strcmp(json_string_value(schema), CG_SCHEMA) == 0 ||
           fail_at(at, "schema", "only \"" CG_SCHEMA "\" is known here");
}

static bool read_limits(const node *at, callgauge_report *report)
{
    size_t count;
    const callgauge_limit_row *rows = get_rows(at, "limits_hit", sizeof *rows, read_limit, &count);
    if (rows != NULL && count > MOST_LIMITS) {
        return fail_at(at, "limits_hit", "there are too many");
    }
    for (size_t i = 0; rows != NULL && i < count; i++) {
        if (!cg_report_add_limit(report, rows[i].limit, rows[i].kept, rows[i].dropped)) {
            return fail_nomem(at->all);
        }
    }
    return rows != NULL;
}

static bool read_names(const node *at, const char *key, callgauge_name_row **rows, size_t *count)
{
    *rows = get_rows(at, key, sizeof **rows, read_name, count);
    return *rows != NULL;
}

static bool read_report(const node *at, callgauge_report *report)
{
    if (!json_is_object(at->object)) {
        return fail_at(at, "document", "an object is expected");
    }
    if (!read_schema(at) || !read_limits(at, report) || !read_totals(at, &report->totals)) {
        return false;
    }
    report->captures = get_rows(at, "captures", sizeof *report->captures, read_capture, &report->capture_count);
    if (report->captures == NULL) {
        return false;
    }
    report->calls = get_rows(at, "calls", sizeof *report->calls, read_call, &report->call_count);
    if (report->calls == NULL) {
        return false;
    }
    report->processes = get_rows(at, "processes", sizeof *report->processes, read_process, &report->process_count);
    return report->processes != NULL && read_names(at, "signals", &report->signals, &report->signal_count) &&
           read_names(at, "faults", &report->faults, &report->fault_count) &&
           read_names(at, "functions", &report->functions, &report->function_count);
}

/* A call or a process has one row. To be asked of rows in order. */
static bool refuse_twins(const node *at, const callgauge_report *report)
{
    for (size_t i = 1; i < report->call_count; i++) {
        if (cg_str_eq(report->calls[i - 1].name, report->calls[i].name)) {
            return fail_at(at, "calls", "a name is there twice");
        }
    }
    for (size_t i = 1; i < report->process_count; i++) {
        if (report->processes[i - 1].pid == report->processes[i].pid) {
            return fail_at(at, "processes", "a pid is there twice");
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

static callgauge_status read_document(const char *name, const json_t *document, callgauge_report **out,
                                      callgauge_error *err)
{
    reading all = { .source = name, .report = cg_report_new(), .err = err };
    if (all.report == NULL) {
        return cg_fail_nomem(err);
    }
    node root = { .all = &all, .object = document };
    if (read_report(&root, all.report)) {
        cg_report_seal(all.report);
        if (refuse_twins(&root, all.report)) {
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

/* SPDX-License-Identifier: Apache-2.0 */
/* One event as one line of JSON. A key that is not there is not known; captured text is lossless, see
 * cg_escape_json(). */
#include "base/str.h"
#include "write/event_forms.h"
#include "write/json_text.h"
#include "write/schema.h"

/* A call has at most a handful; the rest of a hostile line is one argument more, so that the cost stays linear. */
enum { ARGUMENTS_APART = 64 };

static void number(cg_json *json, bool known, const char *key, int64_t value)
{
    if (known) {
        cg_json_key(json, key);
        cg_json_i64(json, value);
    }
}

static void text(cg_json *json, const char *key, callgauge_str value)
{
    if (value.len > 0) {
        cg_json_key(json, key);
        cg_json_str(json, value);
    }
}

static void count(cg_json *json, const char *key, uint64_t value)
{
    cg_json_key(json, key);
    cg_json_u64(json, value);
}

static void write_place(cg_json *json, const callgauge_event *event)
{
    cg_json_key(json, "kind");
    cg_json_z(json, callgauge_event_kind_text(event->kind));
    count(json, "line", event->line);
    if (event->first_line != event->line && event->first_line != 0) {
        count(json, "first_line", event->first_line);
    }
    count(json, "offset", event->offset);
    number(json, (event->has & CALLGAUGE_HAS_PID) != 0, "pid", event->pid);
    number(json, (event->has & CALLGAUGE_HAS_TID) != 0, "tid", event->tid);
    text(json, "comm", event->comm);
    number(json, (event->has & CALLGAUGE_HAS_START) != 0, "start_ns", event->start_ns);
    number(json, (event->has & CALLGAUGE_HAS_END) != 0, "end_ns", event->end_ns);
    number(json, (event->has & CALLGAUGE_HAS_GAP) != 0, "gap_ns", event->gap_ns);
}

/* What follows the last argument that was taken, without the comma. */
static callgauge_str rest_of(const callgauge_event *event, callgauge_str last)
{
    const char *end = event->args.ptr + event->args.len;
    callgauge_str rest = cg_str_range(last.ptr + last.len, end);
    return rest.len > 0 && rest.ptr[0] == ',' ? cg_str_trim(cg_str(rest.ptr + 1, rest.len - 1)) : rest;
}

static void write_arguments(cg_json *json, const callgauge_event *event)
{
    callgauge_str arg;
    cg_json_key(json, "args");
    cg_json_open(json, '[');
    size_t i = 0;
    for (; i < ARGUMENTS_APART && callgauge_event_arg(event, i, &arg); i++) {
        cg_json_str(json, arg);
    }
    if (i == ARGUMENTS_APART && rest_of(event, arg).len > 0) {
        cg_json_str(json, rest_of(event, arg));
    }
    cg_json_close(json, ']');
}

static void write_call(cg_json *json, const callgauge_event *event)
{
    text(json, "call", event->call->text);
    cg_json_key(json, "class");
    cg_json_z(json, callgauge_class_text(event->call->call_class));
    write_arguments(json, event);
}

static void write_result(cg_json *json, const callgauge_event *event)
{
    number(json, (event->has & CALLGAUGE_HAS_VALUE) != 0, "value", event->value);
    number(json, (event->has & CALLGAUGE_HAS_VALUE2) != 0, "value2", event->value2);
    if (event->error != NULL) {
        text(json, "error", event->error->text);
    }
    number(json, (event->has & CALLGAUGE_HAS_ERRNO) != 0, "error_number", event->error_number);
    text(json, "result", event->result);
    text(json, "note", event->note);
    if ((event->has & CALLGAUGE_HAS_DURATION) != 0) {
        number(json, true, "duration_ns", event->duration_ns);
        cg_json_key(json, "duration_kind");
        cg_json_z(json, cg_time_kind_names[event->duration_kind]);
    }
}

static void write_flags(cg_json *json, uint32_t flags)
{
    if (flags == 0) {
        return;
    }
    cg_json_key(json, "flags");
    cg_json_open(json, '[');
    for (size_t i = 0; i < CG_EVENT_FLAGS; i++) {
        if ((flags >> i & 1) != 0) {
            cg_json_z(json, cg_event_flag_names[i]);
        }
    }
    cg_json_close(json, ']');
}

static void write_row(cg_json *json, const callgauge_count_row *row)
{
    uint32_t has = row->has;
    cg_json_key(json, "of");
    cg_json_z(json, cg_row_of_names[row->of]);
    count(json, "table", row->table);
    if ((has & CALLGAUGE_ROW_CALLS) != 0) {
        count(json, "calls", row->calls);
    }
    if ((has & CALLGAUGE_ROW_ERRORS) != 0) {
        count(json, "errors", row->errors);
    }
    number(json, (has & CALLGAUGE_ROW_CPU) != 0, "cpu_ns", row->cpu_ns);
    number(json, (has & CALLGAUGE_ROW_WALL) != 0, "wall_ns", row->wall_ns);
    number(json, (has & CALLGAUGE_ROW_CPU_MIN) != 0, "cpu_min_ns", row->cpu_min_ns);
    number(json, (has & CALLGAUGE_ROW_CPU_MAX) != 0, "cpu_max_ns", row->cpu_max_ns);
    number(json, (has & CALLGAUGE_ROW_WALL_MIN) != 0, "wall_min_ns", row->wall_min_ns);
    number(json, (has & CALLGAUGE_ROW_WALL_MAX) != 0, "wall_max_ns", row->wall_max_ns);
    number(json, (has & CALLGAUGE_ROW_USER) != 0, "user_ns", row->user_ns);
    number(json, (has & CALLGAUGE_ROW_ELAPSED) != 0, "elapsed_ns", row->elapsed_ns);
}

void cg_write_event_ndjson(const callgauge_event *event, cg_out *out)
{
    cg_json json = { .out = out };
    cg_json_open(&json, '{');
    write_place(&json, event);
    if (event->kind == CALLGAUGE_EVENT_CALL && event->call != NULL) {
        write_call(&json, event);
    }
    text(&json, "name", cg_event_name(event));
    if (event->kind == CALLGAUGE_EVENT_LIBRARY_CALL) {
        write_arguments(&json, event);
    }
    write_result(&json, event);
    write_flags(&json, event->flags);
    if (event->row != NULL) {
        write_row(&json, event->row);
    }
    if (cg_event_is_plain_text(event)) {
        cg_json_key(&json, "text");
        cg_json_str(&json, event->text);
    }
    cg_json_close(&json, '}');
    cg_out_char(out, '\n');
}

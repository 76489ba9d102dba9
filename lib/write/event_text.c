/* SPDX-License-Identifier: Apache-2.0 */
/* One event as one line for people: when, who, how long, what; whatever the tracer and its options were,
 * the same columns. Arguments are whole, and harmless on a terminal. */
#include "base/str.h"
#include "write/escape.h"
#include "write/event_forms.h"
#include "write/schema.h"
#include "write/text.h"
#include "base/units.h"

#include <string.h>

enum { TIME_WIDTH = 17, PID_WIDTH = 9, DURATION_WIDTH = 14, CELL_ROOM = 2 * CG_NUMBER_ROOM };

/* truss has the name of an error in its result, behind this. */
static const char ERROR_MARK[] = "Err#";

void cg_write_event_text_heading(cg_out *out)
{
    cg_out_z(out, "           time s       pid      duration s  event\n");
}

static void right(const char *text, size_t len, size_t width, cg_out *out)
{
    cg_out_blanks(out, len < width ? width - len : 0);
    cg_out_add(out, text, len);
}

/* Seconds with six decimals, or nine where there is something to show in them. */
static size_t plain_seconds(char *to, int64_t ns)
{
    return cg_format_plain(to, ns, 9, ns % 1000 == 0 ? 6 : 9);
}

static void write_time(const callgauge_event *event, cg_out *out)
{
    char cell[CELL_ROOM] = "-";
    size_t len = 1;
    if ((event->has & CALLGAUGE_HAS_START) != 0) {
        len = plain_seconds(cell, event->start_ns);
    } else if ((event->has & CALLGAUGE_HAS_END) != 0) {
        len = plain_seconds(cell, event->end_ns);
    } else if ((event->has & CALLGAUGE_HAS_GAP) != 0) {
        cell[0] = '+';
        len = 1 + plain_seconds(cell + 1, event->gap_ns);
    }
    right(cell, len, TIME_WIDTH, out);
}

static void write_pid(const callgauge_event *event, cg_out *out)
{
    char cell[CELL_ROOM] = "-";
    size_t len = 1;
    if ((event->has & CALLGAUGE_HAS_PID) != 0) {
        len = cg_format_plain(cell, event->pid, 0, 0);
    }
    if ((event->has & CALLGAUGE_HAS_TID) != 0) {
        cell[len++] = '/';
        len += cg_format_plain(cell + len, event->tid, 0, 0);
    }
    right(cell, len, PID_WIDTH, out);
}

static void write_duration(const callgauge_event *event, cg_out *out)
{
    char cell[CELL_ROOM] = "-";
    size_t len = 1;
    if ((event->has & CALLGAUGE_HAS_DURATION) != 0) {
        const char *kind = cg_time_kind_names[event->duration_kind];
        len = plain_seconds(cell, event->duration_ns);
        cell[len++] = ' ';
        memcpy(cell + len, kind, strlen(kind));
        len += strlen(kind);
    }
    right(cell, len, DURATION_WIDTH, out);
}

static void write_after(const char *before, callgauge_str text, cg_out *out)
{
    if (text.len > 0) {
        cg_out_z(out, before);
        cg_escape_show(out, text);
    }
}

static void write_function(callgauge_str name, const callgauge_event *event, cg_out *out)
{
    cg_escape_show(out, name);
    cg_out_char(out, '(');
    cg_escape_show(out, event->args);
    cg_out_char(out, ')');
    write_after(" = ", event->result, out);
    if (event->error != NULL && cg_str_find(event->result, ERROR_MARK) == event->result.len) {
        write_after(" ", event->error->text, out);
    }
    write_after(" ", event->note, out);
}

static void write_flags(uint32_t flags, cg_out *out)
{
    for (size_t i = 0; i < CG_EVENT_FLAGS; i++) {
        if ((flags >> i & 1) != 0) {
            cg_out_z(out, " [");
            cg_out_z(out, cg_event_flag_names[i]);
            cg_out_char(out, ']');
        }
    }
}

static void write_row_seconds(int64_t ns, const char *what, cg_out *out)
{
    char number[CG_NUMBER_ROOM];
    cg_out_char(out, ' ');
    cg_out_add(out, number, plain_seconds(number, ns));
    cg_out_z(out, " s ");
    cg_out_z(out, what);
}

static void write_row(const callgauge_event *event, cg_out *out)
{
    const callgauge_count_row *row = event->row;
    cg_out_z(out, event->kind == CALLGAUGE_EVENT_TOTALS ? "totals" : "row ");
    cg_escape_show(out, cg_event_name(event));
    cg_out_char(out, ':');
    if ((row->has & CALLGAUGE_ROW_CALLS) != 0) {
        bool is_call = row->of == CALLGAUGE_ROW_OF_CALL;
        cg_out_char(out, ' ');
        cg_text_count(row->calls, is_call ? "call" : "time", is_call ? "calls" : "times", out);
    }
    if ((row->has & CALLGAUGE_ROW_ERRORS) != 0) {
        cg_out_char(out, ' ');
        cg_text_count(row->errors, "error", "errors", out);
    }
    if ((row->has & CALLGAUGE_ROW_CPU) != 0) {
        write_row_seconds(row->cpu_ns, "cpu", out);
    }
    if ((row->has & CALLGAUGE_ROW_WALL) != 0) {
        write_row_seconds(row->wall_ns, "wall", out);
    }
    if ((row->has & CALLGAUGE_ROW_USER) != 0) {
        write_row_seconds(row->user_ns, "user cpu", out);
    }
    if ((row->has & CALLGAUGE_ROW_ELAPSED) != 0) {
        write_row_seconds(row->elapsed_ns, "elapsed", out);
    }
}

static void write_named(const char *mark, const callgauge_event *event, cg_out *out)
{
    cg_out_z(out, mark);
    write_after(" ", cg_event_name(event), out);
    write_after(" ", event->note, out);
}

static void write_what(const callgauge_event *event, cg_out *out)
{
    switch (event->kind) {
    case CALLGAUGE_EVENT_CALL:
        write_function(event->call != NULL ? event->call->text : cg_str_z("?"), event, out);
        break;
    case CALLGAUGE_EVENT_LIBRARY_CALL:
        cg_out_z(out, (event->flags & CALLGAUGE_LIBRARY_RETURN) != 0 ? "<- " : "-> ");
        write_function(cg_event_name(event), event, out);
        break;
    case CALLGAUGE_EVENT_SIGNAL: write_named("---", event, out); break;
    case CALLGAUGE_EVENT_FAULT: write_named("!!!", event, out); break;
    case CALLGAUGE_EVENT_EXIT: write_named("+++", event, out); break;
    case CALLGAUGE_EVENT_NOTICE: write_named("***", event, out); break;
    case CALLGAUGE_EVENT_COUNT_ROW:
    case CALLGAUGE_EVENT_TOTALS: write_row(event, out); break;
    case CALLGAUGE_EVENT_DETAIL: write_after("    ", cg_str_trim(event->text), out); break;
    case CALLGAUGE_EVENT_FOREIGN: write_after("| ", event->text, out); break;
    case CALLGAUGE_EVENT_UNREAD: write_after("??? ", event->text, out); break;
    }
}

void cg_write_event_text(const callgauge_event *event, cg_out *out)
{
    write_time(event, out);
    cg_out_char(out, ' ');
    write_pid(event, out);
    cg_out_char(out, ' ');
    write_duration(event, out);
    cg_out_z(out, "  ");
    write_what(event, out);
    write_flags(event->flags & ~(uint32_t)CALLGAUGE_LIBRARY_RETURN, out);
    cg_out_char(out, '\n');
}

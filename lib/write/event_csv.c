/* SPDX-License-Identifier: Apache-2.0 */
/* One event as one line of CSV (RFC 4180) with fixed columns; an empty cell is not known or does not apply. */
#include "base/str.h"
#include "write/escape.h"
#include "write/event_forms.h"

#include "write/schema.h"

void cg_write_event_csv_heading(cg_out *out)
{
    cg_out_z(out,
             "kind,line,offset,pid,tid,comm,start_ns,end_ns,gap_ns,call,class,args,value,value2,error,error_number,"
             "result,note,duration_ns,duration_kind,flags,name,calls,errors,cpu_ns,wall_ns,text\r\n");
}

static void number(cg_out *out, bool known, int64_t value)
{
    cg_out_char(out, ',');
    if (known) {
        cg_out_i64(out, value);
    }
}

static void count(cg_out *out, bool known, uint64_t value)
{
    cg_out_char(out, ',');
    if (known) {
        cg_out_u64(out, value);
    }
}

static void text(cg_out *out, callgauge_str value)
{
    cg_out_char(out, ',');
    cg_escape_csv(out, value);
}

static void write_call(const callgauge_event *event, cg_out *out)
{
    bool is_call = event->kind == CALLGAUGE_EVENT_CALL && event->call != NULL;
    text(out, is_call ? event->call->text : cg_str(NULL, 0));
    text(out, is_call ? cg_str_z(callgauge_class_text(event->call->call_class)) : cg_str(NULL, 0));
    text(out, event->args);
    number(out, (event->has & CALLGAUGE_HAS_VALUE) != 0, event->value);
    number(out, (event->has & CALLGAUGE_HAS_VALUE2) != 0, event->value2);
    text(out, event->error != NULL ? event->error->text : cg_str(NULL, 0));
    number(out, (event->has & CALLGAUGE_HAS_ERRNO) != 0, event->error_number);
    text(out, event->result);
    text(out, event->note);
}

/* Names with a blank between them. */
static void write_flags(uint32_t flags, cg_out *out)
{
    const char *before = "";
    cg_out_char(out, ',');
    for (size_t i = 0; i < CG_EVENT_FLAGS; i++) {
        if ((flags >> i & 1) != 0) {
            cg_out_z(out, before);
            cg_out_z(out, cg_event_flag_names[i]);
            before = " ";
        }
    }
}

static void write_row(const callgauge_count_row *row, cg_out *out)
{
    static const callgauge_count_row none = { 0 };
    const callgauge_count_row *from = row != NULL ? row : &none;
    count(out, (from->has & CALLGAUGE_ROW_CALLS) != 0, from->calls);
    count(out, (from->has & CALLGAUGE_ROW_ERRORS) != 0, from->errors);
    number(out, (from->has & CALLGAUGE_ROW_CPU) != 0, from->cpu_ns);
    number(out, (from->has & CALLGAUGE_ROW_WALL) != 0, from->wall_ns);
}

void cg_write_event_csv(const callgauge_event *event, cg_out *out)
{
    bool timed = (event->has & CALLGAUGE_HAS_DURATION) != 0;
    cg_out_z(out, callgauge_event_kind_text(event->kind));
    count(out, true, event->line);
    count(out, true, event->offset);
    number(out, (event->has & CALLGAUGE_HAS_PID) != 0, event->pid);
    number(out, (event->has & CALLGAUGE_HAS_TID) != 0, event->tid);
    text(out, event->comm);
    number(out, (event->has & CALLGAUGE_HAS_START) != 0, event->start_ns);
    number(out, (event->has & CALLGAUGE_HAS_END) != 0, event->end_ns);
    number(out, (event->has & CALLGAUGE_HAS_GAP) != 0, event->gap_ns);
    write_call(event, out);
    number(out, timed, event->duration_ns);
    text(out, timed ? cg_str_z(cg_time_kind_names[event->duration_kind]) : cg_str(NULL, 0));
    write_flags(event->flags, out);
    text(out, cg_event_name(event));
    write_row(event->row, out);
    text(out, cg_event_is_plain_text(event) ? event->text : cg_str(NULL, 0));
    cg_out_z(out, "\r\n");
}

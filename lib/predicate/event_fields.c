/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of events. What a call does not have is absent, what it has and the capture does not tell is unknown:
 * the comments say which is which where it is not plain. */
#include "base/decimal.h"
#include "base/str.h"
#include "event/event.h"
#include "predicate/fields.h"

static bool is_call(const callgauge_event *event)
{
    return event->kind == CALLGAUGE_EVENT_CALL;
}

static bool returned(const callgauge_event *event)
{
    return is_call(event) && (event->flags & (CALLGAUGE_CALL_UNRETURNED | CALLGAUGE_CALL_CHILD)) == 0;
}

static bool succeeded(const callgauge_event *event)
{
    return returned(event) && event->error == NULL;
}

static const cg_file * final(const cg_file *file)
{
    return file != NULL && file->same != NULL ? file->same : file;
}

static void unknown(cg_value *out)
{
    out->known = CG_UNKNOWN_VALUE;
}

/* --- the call and its result */

static void read_call(const cg_reading *from, cg_value *out)
{
    if (from->event->call != NULL) {
        cg_value_set_text(out, from->event->call->text, false);
    }
}

static void read_class(const cg_reading *from, cg_value *out)
{
    if (from->event->call != NULL) {
        cg_value_set_number(out, from->event->call->call_class);
    }
}

static void read_errno(const cg_reading *from, cg_value *out)
{
    if (returned(from->event) && from->event->error != NULL) {
        cg_value_set_text(out, from->event->error->text, false);
    }
}

static void read_ok(const cg_reading *from, cg_value *out)
{
    if (is_call(from->event)) {
        cg_value_set_number(out, succeeded(from->event));
    }
}

static void read_failed(const cg_reading *from, cg_value *out)
{
    if (is_call(from->event)) {
        cg_value_set_number(out, returned(from->event) && from->event->error != NULL);
    }
}

/* -1 for each failure: truss prints no value then, strace does. */
static void read_ret(const cg_reading *from, cg_value *out)
{
    const callgauge_event *event = from->event;
    if (returned(event) && event->error != NULL) {
        cg_value_set_number(out, -1);
    } else if (succeeded(event) && (event->has & CALLGAUGE_HAS_VALUE) != 0) {
        cg_value_set_number(out, event->value);
    }
}

static void read_bytes(const cg_reading *from, cg_value *out)
{
    const callgauge_event *event = from->event;
    if (!succeeded(event) || event->call->moves == CALLGAUGE_MOVES_NOTHING) {
        return;
    }
    if ((event->has & CALLGAUGE_HAS_VALUE) != 0 && event->value >= 0) {
        cg_value_set_number(out, event->value);
    } else {
        unknown(out);
    }
}

/* --- arguments */

static bool is_orphan(const callgauge_event *event)
{
    return (event->flags & CALLGAUGE_CALL_ORPHAN) != 0;
}

static void read_size(const cg_reading *from, cg_value *out)
{
    const callgauge_event *event = from->event;
    int64_t number;
    if (!is_call(event)) {
        return;
    }
    if (event->call->size_arg < 0) { /* readv asks for a size too, but says it in a structure */
        out->known = event->call->moves == CALLGAUGE_MOVES_NOTHING ? CG_ABSENT : CG_UNKNOWN_VALUE;
    } else if (!is_orphan(event) && callgauge_event_arg_number(event, (size_t)event->call->size_arg, &number)) {
        cg_value_set_number(out, number);
    } else {
        unknown(out);
    }
}

static void read_timeout(const cg_reading *from, cg_value *out)
{
    if (is_call(from->event)) {
        cg_read_timeout(from->event, out);
    }
}

static void read_args(const cg_reading *from, cg_value *out)
{
    if (!is_call(from->event)) {
        return;
    }
    if (is_orphan(from->event)) {
        unknown(out);
        return;
    }
    cg_value_set_text(out, from->event->args, false);
}

/* A string argument without its quotes, escapes undone; any other as it is printed. */
static void read_arg(const cg_reading *from, cg_value *out)
{
    const callgauge_event *event = from->event;
    callgauge_str text;
    size_t length;
    if (!is_call(event)) {
        return;
    }
    if (is_orphan(event)) {
        unknown(out);
        return;
    }
    if (!callgauge_event_arg(event, from->index, &text)) {
        return;
    }
    out->has_number = callgauge_event_arg_number(event, from->index, &out->number);
    cg_value_set_text(out, text, false);
    if (text.len == 0 || text.ptr[0] != '"') {
        return;
    }
    char *room = cg_scratch_take(from->scratch, text.len);
    if (room == NULL) {
        unknown(out);
    } else if (callgauge_event_arg_string(event, from->index, room, text.len, &length, &out->cut) &&
               length <= text.len) {
        out->text = cg_str(room, length);
    }
}

/* --- what lib/state knows */

static void read_file_path(const cg_file *file, cg_value *out)
{
    out->file = file;
    cg_value_set_text(out, file->path, true);
}

static void read_path_of(const callgauge_event *event, const cg_file *file, int arg, cg_value *out)
{
    callgauge_str text;
    if (!is_call(event) || arg < 0) {
        return;
    }
    file = final(file);
    if (file != NULL && file->path.len > 0) {
        read_file_path(file, out);
    } else if (is_orphan(event) || !callgauge_event_arg(event, (size_t)arg, &text) ||
               !(cg_str_is(text, "NULL") || cg_str_is(text, "0") || cg_str_is(text, "0x0"))) {
        unknown(out); /* but a null pointer is no path */
    }
}

static void read_path(const cg_reading *from, cg_value *out)
{
    const cg_annotation *known = from->event->annotation;
    if (is_call(from->event)) {
        read_path_of(from->event, known == NULL ? NULL : known->path, from->event->call->path_arg, out);
    }
}

static void read_path2(const cg_reading *from, cg_value *out)
{
    const cg_annotation *known = from->event->annotation;
    if (is_call(from->event)) {
        read_path_of(from->event, known == NULL ? NULL : known->path2, from->event->call->path2_arg, out);
    }
}

static bool is_nothing(const callgauge_event *event, size_t arg)
{
    callgauge_str text;
    int64_t number;
    return callgauge_event_arg(event, arg, &text) && (cg_str_is(text, "NULL") || cg_str_is(text, "[]") ||
                                                      (callgauge_event_arg_number(event, arg, &number) && number == 0));
}

/* A wait for a time only: poll(NULL, 0, 10), select(0, NULL, NULL, NULL, {...}). */
static bool waits_for_none(const callgauge_event *event)
{
    return event->call->does == CG_DOES_SELECT ? is_nothing(event, 1) && is_nothing(event, 2) && is_nothing(event, 3)
                                               : is_nothing(event, 0) || is_nothing(event, 1);
}

/* Whether the call has a descriptor at all; `*fd` is CG_UNKNOWN when it has one that is not told. */
static bool has_fd(const callgauge_event *event, int64_t *fd)
{
    enum { AT_WORKING_DIRECTORY = -100 };
    *fd = CG_UNKNOWN;
    if (!is_call(event)) {
        return false;
    }
    const cg_annotation *known = event->annotation;
    bool several = event->call->does == CG_DOES_POLL || event->call->does == CG_DOES_SELECT;
    if (known != NULL && known->fd.fd != CG_UNKNOWN) {
        *fd = known->fd.fd;
    } else if (event->call->fd_arg < 0) {
        return several && (is_orphan(event) || !waits_for_none(event));
    } else if (is_orphan(event) || !callgauge_event_arg_fd(event, (size_t)event->call->fd_arg, fd, NULL)) {
        *fd = CG_UNKNOWN;
    }
    bool none = *fd == AT_WORKING_DIRECTORY || (*fd != CG_UNKNOWN && (int32_t)*fd == -1); /* mmap(..., -1, 0) */
    return !none;
}

static void read_fd(const cg_reading *from, cg_value *out)
{
    int64_t fd;
    if (has_fd(from->event, &fd)) {
        cg_value_set_if_known(out, fd);
    }
}

/* The file of the descriptor. NULL: absent or unknown, which `out` then says; a descriptor that is not open has
 * none. */
static const cg_file *fd_file(const callgauge_event *event, cg_value *out)
{
    int64_t fd;
    if (!has_fd(event, &fd)) {
        return NULL;
    }
    const cg_file *file = event->annotation == NULL ? NULL : final(event->annotation->fd.file);
    bool not_open = event->error != NULL && cg_str_is(event->error->text, "EBADF");
    out->known = file != NULL || not_open ? CG_ABSENT : CG_UNKNOWN_VALUE;
    return file;
}

static bool has_no_path(callgauge_file_kind kind)
{
    return kind == CALLGAUGE_FILE_SOCKET || kind == CALLGAUGE_FILE_PIPE || kind == CALLGAUGE_FILE_ANON;
}

static void read_fd_path(const cg_reading *from, cg_value *out)
{
    const cg_file *file = fd_file(from->event, out);
    if (file != NULL && file->path.len > 0) {
        read_file_path(file, out);
    } else if (file != NULL && !has_no_path(file->kind)) {
        unknown(out);
    }
}

static void read_fd_kind(const cg_reading *from, cg_value *out)
{
    const cg_file *file = fd_file(from->event, out);
    if (file != NULL) {
        cg_value_set_number(out, file->kind);
        out->known = file->kind == CALLGAUGE_FILE_UNKNOWN ? CG_UNKNOWN_VALUE : CG_KNOWN;
    }
}

/* openat2 has its flags in a structure: {flags=O_RDONLY|O_CLOEXEC, mode=0, ...}. */
static bool flags_in_structure(callgauge_str arg, callgauge_str *flags)
{
    static const char member[] = "flags=";
    size_t at = cg_str_find(arg, member);
    if (at == arg.len) {
        return false;
    }
    const char *from = arg.ptr + at + strlen(member);
    const char *end = from;
    while (end < arg.ptr + arg.len && (cg_is_word(*end) || *end == '|')) {
        end++;
    }
    *flags = cg_str_range(from, end);
    return true;
}

/* The flags that an open asks for. False: it is none. */
static bool read_open_flags(const callgauge_event *event, cg_value *out)
{
    callgauge_str text;
    if (!is_call(event) || event->call->path_arg < 0) {
        return false;
    }
    size_t behind = (size_t)event->call->path_arg + 1;
    unknown(out);
    switch (event->call->does) {
    case CG_DOES_CREAT: cg_value_set_text(out, cg_str_z("O_WRONLY|O_CREAT|O_TRUNC"), true); return true;
    case CG_DOES_OPEN:
        if (!is_orphan(event) && callgauge_event_arg(event, behind, &text)) {
            cg_value_set_text(out, text, false);
        }
        return true;
    case CG_DOES_OPENAT2:
        if (!is_orphan(event) && callgauge_event_arg(event, behind, &text) && flags_in_structure(text, &text)) {
            cg_value_set_text(out, text, false);
        }
        return true;
    default: out->known = CG_ABSENT; return false;
    }
}

static void read_fd_flags(const cg_reading *from, cg_value *out)
{
    if (read_open_flags(from->event, out)) {
        return;
    }
    const cg_file *file = fd_file(from->event, out);
    if (file == NULL) {
        return;
    }
    callgauge_str flags = from->event->annotation->fd.flags;
    if (flags.len > 0) {
        cg_value_set_text(out, flags, false);
    } else {
        unknown(out);
    }
}

static void read_fd_offset(const cg_reading *from, cg_value *out)
{
    const cg_file *file = fd_file(from->event, out);
    if (file != NULL && file->kind != CALLGAUGE_FILE_TTY && !has_no_path(file->kind)) {
        cg_value_set_if_known(out, from->event->annotation->fd.offset);
    }
}

static void read_fd_opened_before(const cg_reading *from, cg_value *out)
{
    const cg_file *file = fd_file(from->event, out);
    if (file != NULL) {
        cg_value_set_number(out, from->event->annotation->fd.old);
    }
}

/* The socket that the call is about: with the peer that it names, if it does. */
static const cg_file *peer_of(const callgauge_event *event, cg_value *out)
{
    const cg_annotation *known = event->annotation;
    const cg_file *file = fd_file(event, out);
    if (known != NULL && known->peer != NULL) {
        out->known = CG_ABSENT;
        return final(known->peer);
    }
    if (file != NULL && file->kind != CALLGAUGE_FILE_SOCKET) {
        out->known = file->kind == CALLGAUGE_FILE_UNKNOWN ? CG_UNKNOWN_VALUE : CG_ABSENT;
        return NULL;
    }
    return file;
}

static void read_peer_addr(const cg_reading *from, cg_value *out)
{
    const cg_file *file = peer_of(from->event, out);
    if (file != NULL && file->peer.len > 0) {
        cg_value_set_text(out, file->peer, true);
    } else if (file != NULL && file->path.len == 0) { /* a Unix socket has a path, and no address */
        unknown(out);
    }
}

static void read_peer_port(const cg_reading *from, cg_value *out)
{
    const cg_file *file = peer_of(from->event, out);
    if (file != NULL && file->peer_port >= 0) {
        cg_value_set_number(out, file->peer_port);
    } else if (file != NULL && file->path.len == 0) {
        unknown(out);
    }
}

static const cg_process *process_of(const callgauge_event *event)
{
    return event->annotation == NULL ? NULL : event->annotation->process;
}

static void read_pid(const cg_reading *from, cg_value *out)
{
    const cg_process *process = process_of(from->event);
    if (process != NULL && process->pid != CG_UNKNOWN) {
        cg_value_set_number(out, process->pid);
    } else if ((from->event->has & CALLGAUGE_HAS_PID) != 0) {
        cg_value_set_number(out, from->event->pid);
    } else {
        unknown(out);
    }
}

static void read_tid(const cg_reading *from, cg_value *out)
{
    const cg_annotation *known = from->event->annotation;
    if (known != NULL && known->thread != NULL && known->thread->tid != CG_UNKNOWN) {
        cg_value_set_number(out, known->thread->tid);
    } else if ((from->event->has & CALLGAUGE_HAS_TID) != 0) {
        cg_value_set_number(out, from->event->tid);
    } else if ((from->event->has & CALLGAUGE_HAS_PID) != 0) {
        cg_value_set_number(out, from->event->pid);
    } else {
        unknown(out);
    }
}

static void read_life(const cg_reading *from, cg_value *out)
{
    const cg_process *process = process_of(from->event);
    if (process != NULL) {
        cg_value_set_number(out, process->life);
    } else {
        unknown(out);
    }
}

static void read_parent(const cg_reading *from, cg_value *out)
{
    const cg_process *process = process_of(from->event);
    cg_value_set_if_known(out, process == NULL || process->parent == NULL ? CG_UNKNOWN : process->parent->pid);
}

static void read_program_of(const cg_process *process, cg_value *out)
{
    if (process != NULL && process->program.len > 0) {
        cg_value_set_text(out, process->program, false);
    } else {
        unknown(out);
    }
}

static void read_program(const cg_reading *from, cg_value *out)
{
    read_program_of(process_of(from->event), out);
}

static void read_parent_program(const cg_reading *from, cg_value *out)
{
    const cg_process *process = process_of(from->event);
    read_program_of(process == NULL ? NULL : process->parent, out);
}

static void read_unit(const cg_reading *from, cg_value *out)
{
    const cg_annotation *known = from->event->annotation;
    if (known != NULL && known->unit > 0) {
        cg_value_set_number(out, (int64_t)known->unit);
    }
}

/* --- times and places */

static void read_duration_of(const callgauge_event *event, callgauge_time_kind kind, cg_value *out)
{
    if (!returned(event)) {
        return;
    }
    if ((event->has & CALLGAUGE_HAS_DURATION) != 0 && event->duration_kind == kind) {
        cg_value_set_number(out, event->duration_ns);
    } else {
        unknown(out);
    }
}

static void read_duration(const cg_reading *from, cg_value *out)
{
    read_duration_of(from->event, CALLGAUGE_TIME_WALL, out);
}

static void read_cpu(const cg_reading *from, cg_value *out)
{
    read_duration_of(from->event, CALLGAUGE_TIME_CPU, out);
}

/* What an event's beginning or end is, where it can be told from the other one. */
static int64_t moment(const callgauge_event *event, bool end)
{
    bool wall = (event->has & CALLGAUGE_HAS_DURATION) != 0 && event->duration_kind == CALLGAUGE_TIME_WALL;
    bool has_start = (event->has & CALLGAUGE_HAS_START) != 0;
    bool has_end = (event->has & CALLGAUGE_HAS_END) != 0;
    int64_t at = CG_UNKNOWN;
    if (end ? has_end : has_start) {
        return end ? event->end_ns : event->start_ns;
    }
    if (end && has_start && wall && __builtin_add_overflow(event->start_ns, event->duration_ns, &at)) {
        return CG_UNKNOWN;
    }
    if (!end && has_end && wall && __builtin_sub_overflow(event->end_ns, event->duration_ns, &at)) {
        return CG_UNKNOWN;
    }
    return at;
}

static void read_start(const cg_reading *from, cg_value *out)
{
    cg_value_set_if_known(out, moment(from->event, false));
}

static void read_end(const cg_reading *from, cg_value *out)
{
    cg_value_set_if_known(out, moment(from->event, true));
}

/* Since the first stamp of the capture. */
static void read_time(const cg_reading *from, cg_value *out)
{
    int64_t at = moment(from->event, false);
    int64_t first = from->capture == NULL ? CG_UNKNOWN : from->capture->first_ns;
    at = at == CG_UNKNOWN ? moment(from->event, true) : at;
    bool told = at != CG_UNKNOWN && first != CG_UNKNOWN && !__builtin_sub_overflow(at, first, &at);
    cg_value_set_if_known(out, told ? at : CG_UNKNOWN);
}

static void read_line(const cg_reading *from, cg_value *out)
{
    cg_value_set_number(out, (int64_t)from->event->line);
}

static void read_signal(const cg_reading *from, cg_value *out)
{
    if (from->event->kind == CALLGAUGE_EVENT_SIGNAL && from->event->name != NULL) {
        cg_value_set_text(out, from->event->name->text, false);
    }
}

enum {
    ARGUMENTS = CALLGAUGE_TRAIT_ARGUMENTS,
    RESULTS = CALLGAUGE_TRAIT_RESULTS,
    OF_STATE = CG_READS_STATE | CG_READS_SCALARS | CG_READS_THREAD
};

const cg_field cg_event_fields[] = {
    { "arg", CG_TYPE_ARG, ARGUMENTS, CG_READS_SCALARS | CG_READS_LINE, read_arg, 0 },
    { "args", CG_TYPE_TEXT, ARGUMENTS, CG_READS_SCALARS, read_args, 0 },
    { "bytes", CG_TYPE_BYTES, RESULTS, 0, read_bytes, 0 },
    { "call", CG_TYPE_WORD, 0, CG_READS_NAME | CG_READS_AGAIN, read_call, 0 },
    { "class", CG_TYPE_CLASS, 0, CG_READS_NAME, read_class, 0 },
    { "cpu", CG_TYPE_TIME, CALLGAUGE_TRAIT_CPU_DURATIONS, 0, read_cpu, 0 },
    { "duration", CG_TYPE_TIME, CALLGAUGE_TRAIT_WALL_DURATIONS, 0, read_duration, 0 },
    { "end", CG_TYPE_MOMENT, CALLGAUGE_TRAIT_TIMESTAMPS, CG_READS_SCALARS, read_end, 0 },
    { "errno", CG_TYPE_WORD, RESULTS, CG_READS_OUTCOME, read_errno, 0 },
    { "failed", CG_TYPE_BOOL, RESULTS, CG_READS_OUTCOME, read_failed, 0 },
    { "fd", CG_TYPE_NUMBER, ARGUMENTS, OF_STATE, read_fd, 0 },
    { "fd.flags", CG_TYPE_FLAGS, ARGUMENTS, OF_STATE, read_fd_flags, 0 },
    { "fd.kind", CG_TYPE_KIND, ARGUMENTS, OF_STATE, read_fd_kind, 0 },
    { "fd.offset", CG_TYPE_BYTES, ARGUMENTS | RESULTS, OF_STATE, read_fd_offset, 0 },
    { "fd.opened_before", CG_TYPE_BOOL, ARGUMENTS, OF_STATE, read_fd_opened_before, 0 },
    { "fd.path", CG_TYPE_TEXT, ARGUMENTS, OF_STATE, read_fd_path, 0 },
    { "life", CG_TYPE_NUMBER, 0, OF_STATE, read_life, 0 },
    { "line", CG_TYPE_NUMBER, 0, CG_READS_SCALARS, read_line, 0 },
    { "ok", CG_TYPE_BOOL, RESULTS, CG_READS_OUTCOME, read_ok, 0 },
    { "parent", CG_TYPE_NUMBER, CALLGAUGE_TRAIT_PIDS, OF_STATE, read_parent, 0 },
    { "parent.program", CG_TYPE_TEXT, ARGUMENTS, OF_STATE | CG_READS_AGAIN, read_parent_program, 0 },
    { "path", CG_TYPE_TEXT, ARGUMENTS, OF_STATE, read_path, 0 },
    { "path2", CG_TYPE_TEXT, ARGUMENTS, OF_STATE, read_path2, 0 },
    { "peer.addr", CG_TYPE_TEXT, ARGUMENTS, OF_STATE | CG_READS_AGAIN, read_peer_addr, 0 },
    { "peer.port", CG_TYPE_NUMBER, ARGUMENTS, OF_STATE, read_peer_port, 0 },
    { "pid", CG_TYPE_NUMBER, CALLGAUGE_TRAIT_PIDS, OF_STATE, read_pid, 0 },
    { "program", CG_TYPE_TEXT, ARGUMENTS, OF_STATE | CG_READS_AGAIN, read_program, 0 },
    { "ret", CG_TYPE_NUMBER, RESULTS, CG_READS_SCALARS, read_ret, 0 },
    { "signal", CG_TYPE_WORD, 0, CG_READS_SCALARS, read_signal, 0 },
    { "size", CG_TYPE_BYTES, ARGUMENTS, CG_READS_SCALARS | CG_READS_LINE, read_size, 0 },
    { "start", CG_TYPE_MOMENT, CALLGAUGE_TRAIT_TIMESTAMPS, CG_READS_SCALARS, read_start, 0 },
    { "tid", CG_TYPE_NUMBER, 0, OF_STATE, read_tid, 0 },
    { "time", CG_TYPE_TIME, CALLGAUGE_TRAIT_TIMESTAMPS, CG_READS_SCALARS, read_time, 0 },
    { "timeout", CG_TYPE_TIME, ARGUMENTS, CG_READS_SCALARS | CG_READS_LINE, read_timeout, 0 },
    { "unit", CG_TYPE_NUMBER, 0, OF_STATE | CG_READS_UNIT, read_unit, 0 },
};

/* Calls that have no descriptor, whatever their arguments. */
static bool has_no_fd(const callgauge_call_name *call)
{
    return call->fd_arg < 0 && call->does != CG_DOES_POLL && call->does != CG_DOES_SELECT;
}

bool cg_field_is_sure(const cg_field *field, const callgauge_call_name *call, const callgauge_name *error)
{
    const bool of_fd = field->read == read_fd || field->read == read_fd_path || field->read == read_fd_kind ||
                       field->read == read_fd_offset || field->read == read_fd_opened_before;
    if ((field->reads & (CG_READS_NAME | CG_READS_OUTCOME)) != 0 || (of_fd && has_no_fd(call))) {
        return true;
    }
    if (field->read == read_path) {
        return call->path_arg < 0;
    }
    if (field->read == read_path2) {
        return call->path2_arg < 0;
    }
    if (field->read == read_bytes) {
        return error != NULL || call->moves == CALLGAUGE_MOVES_NOTHING;
    }
    return field->read == read_ret && error != NULL;
}

const size_t cg_event_field_count = sizeof cg_event_fields / sizeof *cg_event_fields;

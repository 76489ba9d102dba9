/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of the report's rows, a table for each subject. Most are a member as it stands; a member that is
 * CALLGAUGE_UNKNOWN is unknown, a text of length 0 too unless its reader says absent. A size or mean of reads that
 * never were is absent. */
#include <stddef.h>
#include <string.h>

#include "base/str.h"
#include "event/event.h"
#include "predicate/fields.h"

static const char *member(const cg_reading *from)
{
    return (const char *)from->row + from->field->offset;
}

/* --- members as they stand */

static void read_u64(const cg_reading *from, cg_value *out)
{
    uint64_t number;
    memcpy(&number, member(from), sizeof number);
    cg_value_set_number(out, number > INT64_MAX ? INT64_MAX : (int64_t)number);
}

static void read_u32(const cg_reading *from, cg_value *out)
{
    uint32_t number;
    memcpy(&number, member(from), sizeof number);
    cg_value_set_number(out, number);
}

static void read_i64(const cg_reading *from, cg_value *out)
{
    int64_t number;
    memcpy(&number, member(from), sizeof number);
    cg_value_set_if_known(out, number);
}

/* Absent where unknown: extremes of what never was. */
static void read_extreme(const cg_reading *from, cg_value *out)
{
    int64_t number;
    memcpy(&number, member(from), sizeof number);
    if (number != CALLGAUGE_UNKNOWN) {
        cg_value_set_number(out, number);
    }
}

static void read_size_t(const cg_reading *from, cg_value *out)
{
    size_t number;
    memcpy(&number, member(from), sizeof number);
    cg_value_set_number(out, (int64_t)number);
}

static void read_bool(const cg_reading *from, cg_value *out)
{
    bool yes;
    memcpy(&yes, member(from), sizeof yes);
    cg_value_set_number(out, yes);
}

static void read_text(const cg_reading *from, cg_value *out)
{
    callgauge_str text;
    memcpy(&text, member(from), sizeof text);
    cg_value_set_text(out, text, true);
    out->known = text.len > 0 ? CG_KNOWN : CG_UNKNOWN_VALUE;
}

static void read_text_or_none(const cg_reading *from, cg_value *out)
{
    read_text(from, out);
    out->known = out->text.len > 0 ? CG_KNOWN : CG_ABSENT;
}

static void read_class(const cg_reading *from, cg_value *out)
{
    callgauge_class call_class;
    memcpy(&call_class, member(from), sizeof call_class);
    cg_value_set_number(out, call_class);
}

static void read_kind(const cg_reading *from, cg_value *out)
{
    callgauge_file_kind kind;
    memcpy(&kind, member(from), sizeof kind);
    cg_value_set_number(out, kind);
    out->known = kind == CALLGAUGE_FILE_UNKNOWN ? CG_UNKNOWN_VALUE : CG_KNOWN;
}

/* --- what takes more than one member */

static void set_mean(int64_t sum, uint64_t count, cg_value *out)
{
    if (sum == CALLGAUGE_UNKNOWN) {
        out->known = CG_UNKNOWN_VALUE;
    } else if (count > 0) {
        cg_value_set_number(out, (int64_t)((double)sum / (double)count + 0.5));
    }
}

/* Paths are unknown of descriptors from before the capture only; sockets and pipes have none. */
static void set_path(callgauge_str path, callgauge_file_kind kind, cg_value *out)
{
    bool has_none = kind == CALLGAUGE_FILE_SOCKET || kind == CALLGAUGE_FILE_PIPE || kind == CALLGAUGE_FILE_ANON;
    cg_value_set_text(out, path, true);
    out->known = path.len > 0 ? CG_KNOWN : has_none ? CG_ABSENT : CG_UNKNOWN_VALUE;
}

static void set_peer(callgauge_str peer, callgauge_str path, callgauge_file_kind kind, cg_value *out)
{
    bool has_one = kind == CALLGAUGE_FILE_UNKNOWN || (kind == CALLGAUGE_FILE_SOCKET && path.len == 0);
    cg_value_set_text(out, peer, true);
    out->known = peer.len > 0 ? CG_KNOWN : has_one ? CG_UNKNOWN_VALUE : CG_ABSENT;
}

static void set_port(int32_t port, callgauge_str path, callgauge_file_kind kind, cg_value *out)
{
    set_peer(cg_str(NULL, 0), path, kind, out);
    if (port >= 0) {
        cg_value_set_number(out, port);
    }
}

static void read_file_path(const cg_reading *from, cg_value *out)
{
    const callgauge_file_row *row = from->row;
    set_path(row->path, row->kind, out);
}

static void read_file_peer(const cg_reading *from, cg_value *out)
{
    const callgauge_file_row *row = from->row;
    set_peer(row->peer, row->path, row->kind, out);
}

static void read_file_port(const cg_reading *from, cg_value *out)
{
    const callgauge_file_row *row = from->row;
    set_port(row->peer_port, row->path, row->kind, out);
}

static void read_order(const cg_reading *from, cg_value *out)
{
    callgauge_order order = callgauge_file_order(from->row);
    if (order != CALLGAUGE_ORDER_UNKNOWN) {
        cg_value_set_number(out, order);
    }
}

static void read_failed_opens(const cg_reading *from, cg_value *out)
{
    const callgauge_file_row *row = from->row;
    uint64_t sum = 0;
    for (size_t i = 0; i < row->failed_open_count; i++) {
        sum += row->failed_opens_by_error[i].count;
    }
    cg_value_set_number(out, sum > INT64_MAX ? INT64_MAX : (int64_t)sum);
}

static void read_mean_read(const cg_reading *from, cg_value *out)
{
    const callgauge_file_row *row = from->row;
    set_mean(row->bytes_read, row->reads - row->eof_reads, out);
}

static void read_mean_write(const cg_reading *from, cg_value *out)
{
    const callgauge_file_row *row = from->row;
    set_mean(row->bytes_written, row->writes - row->empty_writes, out);
}

static void read_descriptor_path(const cg_reading *from, cg_value *out)
{
    const callgauge_descriptor_row *row = from->row;
    set_path(row->path, row->kind, out);
}

static void read_descriptor_peer(const cg_reading *from, cg_value *out)
{
    const callgauge_descriptor_row *row = from->row;
    set_peer(row->peer, row->path, row->kind, out);
}

static void read_descriptor_port(const cg_reading *from, cg_value *out)
{
    const callgauge_descriptor_row *row = from->row;
    set_port(row->peer_port, row->path, row->kind, out);
}

static void read_mean_life(const cg_reading *from, cg_value *out)
{
    const callgauge_program_row *row = from->row;
    set_mean(row->life_ns, row->lives, out);
}

/* Sleeps, locks and waits for children are about no file at all. */
static bool is_about_no_file(const callgauge_waiting_row *row)
{
    const cg_class_entry *entry = row->kind == CALLGAUGE_FILE_UNKNOWN ? cg_class_lookup(row->call) : NULL;
    return entry != NULL && (entry->call_class == CALLGAUGE_CLASS_SLEEP || entry->call_class == CALLGAUGE_CLASS_FUTEX ||
                             entry->call_class == CALLGAUGE_CLASS_WAITCHILD);
}

static void read_waiting_kind(const cg_reading *from, cg_value *out)
{
    if (!is_about_no_file(from->row)) {
        read_kind(from, out);
    }
}

static void read_waiting_port(const cg_reading *from, cg_value *out)
{
    const callgauge_waiting_row *row = from->row;
    if (!is_about_no_file(row)) {
        set_port(row->peer_port, row->path, row->kind, out);
    }
}

static void read_waiting_peer(const cg_reading *from, cg_value *out)
{
    const callgauge_waiting_row *row = from->row;
    if (!is_about_no_file(row)) {
        set_peer(row->peer, row->path, row->kind, out);
    }
}

/* --- the tables */

enum {
    RESULTS = CALLGAUGE_TRAIT_RESULTS,
    STAMPS = CALLGAUGE_TRAIT_TIMESTAMPS,
    WALL = CALLGAUGE_TRAIT_WALL_DURATIONS,
    CPU = CALLGAUGE_TRAIT_CPU_DURATIONS,
    PIDS = CALLGAUGE_TRAIT_PIDS,
    NAME = CG_READS_NAME,
    AGAIN = CG_READS_AGAIN,
    COUNT = CG_READS_COUNT
};

/* Times of calls may be a table's, whose traits do not tell: unknown where there are none. */
static const cg_field call_fields[] = {
    { "bytes_read", CG_TYPE_BYTES, RESULTS, 0, read_i64, offsetof(callgauge_call_row, bytes_read) },
    { "bytes_written", CG_TYPE_BYTES, RESULTS, 0, read_i64, offsetof(callgauge_call_row, bytes_written) },
    { "call", CG_TYPE_WORD, 0, NAME, read_text, offsetof(callgauge_call_row, name) },
    { "calls", CG_TYPE_NUMBER, 0, COUNT, read_u64, offsetof(callgauge_call_row, calls) },
    { "class", CG_TYPE_CLASS, 0, NAME, read_class, offsetof(callgauge_call_row, call_class) },
    { "cpu", CG_TYPE_TIME, 0, 0, read_i64, offsetof(callgauge_call_row, cpu_ns) },
    { "errors", CG_TYPE_NUMBER, 0, COUNT, read_u64, offsetof(callgauge_call_row, errors) },
    { "max", CG_TYPE_TIME, 0, 0, read_i64, offsetof(callgauge_call_row, max_ns) },
    { "min", CG_TYPE_TIME, 0, 0, read_i64, offsetof(callgauge_call_row, min_ns) },
    { "p50", CG_TYPE_TIME, 0, 0, read_i64, offsetof(callgauge_call_row, p50_ns) },
    { "p90", CG_TYPE_TIME, 0, 0, read_i64, offsetof(callgauge_call_row, p90_ns) },
    { "p99", CG_TYPE_TIME, 0, 0, read_i64, offsetof(callgauge_call_row, p99_ns) },
    { "unreturned", CG_TYPE_NUMBER, 0, COUNT, read_u64, offsetof(callgauge_call_row, unreturned) },
    { "wall", CG_TYPE_TIME, 0, 0, read_i64, offsetof(callgauge_call_row, wall_ns) },
};

static const cg_field file_fields[] = {
    { "bytes_read", CG_TYPE_BYTES, RESULTS, 0, read_i64, offsetof(callgauge_file_row, bytes_read) },
    { "bytes_written", CG_TYPE_BYTES, RESULTS, 0, read_i64, offsetof(callgauge_file_row, bytes_written) },
    { "calls", CG_TYPE_NUMBER, 0, COUNT, read_u64, offsetof(callgauge_file_row, calls) },
    { "cpu", CG_TYPE_TIME, CPU, 0, read_i64, offsetof(callgauge_file_row, cpu_ns) },
    { "empty_writes", CG_TYPE_NUMBER, RESULTS, COUNT, read_u64, offsetof(callgauge_file_row, empty_writes) },
    { "eof_reads", CG_TYPE_NUMBER, RESULTS, COUNT, read_u64, offsetof(callgauge_file_row, eof_reads) },
    { "errors", CG_TYPE_NUMBER, RESULTS, COUNT, read_u64, offsetof(callgauge_file_row, errors) },
    { "failed_opens", CG_TYPE_NUMBER, RESULTS, COUNT, read_failed_opens, 0 },
    { "jumps", CG_TYPE_NUMBER, RESULTS, COUNT, read_u64, offsetof(callgauge_file_row, jumps) },
    { "kind", CG_TYPE_KIND, 0, 0, read_kind, offsetof(callgauge_file_row, kind) },
    { "local", CG_TYPE_TEXT, 0, 0, read_text_or_none, offsetof(callgauge_file_row, local) },
    { "maps", CG_TYPE_NUMBER, 0, COUNT, read_u64, offsetof(callgauge_file_row, maps) },
    { "max_read", CG_TYPE_BYTES, RESULTS, 0, read_extreme, offsetof(callgauge_file_row, max_read) },
    { "max_write", CG_TYPE_BYTES, RESULTS, 0, read_extreme, offsetof(callgauge_file_row, max_write) },
    { "mean_read", CG_TYPE_BYTES, RESULTS, 0, read_mean_read, 0 },
    { "mean_write", CG_TYPE_BYTES, RESULTS, 0, read_mean_write, 0 },
    { "min_read", CG_TYPE_BYTES, RESULTS, 0, read_extreme, offsetof(callgauge_file_row, min_read) },
    { "min_write", CG_TYPE_BYTES, RESULTS, 0, read_extreme, offsetof(callgauge_file_row, min_write) },
    { "opened_before", CG_TYPE_BOOL, 0, 0, read_bool, offsetof(callgauge_file_row, opened_before) },
    { "opens", CG_TYPE_NUMBER, RESULTS, COUNT, read_u64, offsetof(callgauge_file_row, opens) },
    { "order", CG_TYPE_ORDER, RESULTS, 0, read_order, 0 },
    { "path", CG_TYPE_TEXT, 0, 0, read_file_path, 0 },
    { "peer", CG_TYPE_TEXT, 0, 0, read_file_peer, 0 },
    { "port", CG_TYPE_NUMBER, 0, 0, read_file_port, 0 },
    { "processes", CG_TYPE_NUMBER, PIDS, COUNT, read_size_t, offsetof(callgauge_file_row, process_count) },
    { "readers", CG_TYPE_NUMBER, PIDS, COUNT, read_size_t, offsetof(callgauge_file_row, reader_count) },
    { "reads", CG_TYPE_NUMBER, RESULTS, COUNT, read_u64, offsetof(callgauge_file_row, reads) },
    { "renamed_to", CG_TYPE_TEXT, 0, 0, read_text_or_none, offsetof(callgauge_file_row, renamed_to) },
    { "reread_bytes", CG_TYPE_BYTES, RESULTS, 0, read_i64, offsetof(callgauge_file_row, reread_bytes) },
    { "transfers", CG_TYPE_NUMBER, RESULTS, COUNT, read_u64, offsetof(callgauge_file_row, transfers) },
    { "waiting", CG_TYPE_TIME, WALL, 0, read_i64, offsetof(callgauge_file_row, waiting_ns) },
    { "wall", CG_TYPE_TIME, WALL, 0, read_i64, offsetof(callgauge_file_row, wall_ns) },
    { "writers", CG_TYPE_NUMBER, PIDS, COUNT, read_size_t, offsetof(callgauge_file_row, writer_count) },
    { "writes", CG_TYPE_NUMBER, RESULTS, COUNT, read_u64, offsetof(callgauge_file_row, writes) },
};

static const cg_field descriptor_fields[] = {
    { "closed", CG_TYPE_BOOL, 0, 0, read_bool, offsetof(callgauge_descriptor_row, closed) },
    { "fd", CG_TYPE_NUMBER, 0, 0, read_i64, offsetof(callgauge_descriptor_row, fd) },
    { "kind", CG_TYPE_KIND, 0, 0, read_kind, offsetof(callgauge_descriptor_row, kind) },
    { "local", CG_TYPE_TEXT, 0, 0, read_text_or_none, offsetof(callgauge_descriptor_row, local) },
    { "opened_before", CG_TYPE_BOOL, 0, 0, read_bool, offsetof(callgauge_descriptor_row, opened_before) },
    { "path", CG_TYPE_TEXT, 0, 0, read_descriptor_path, 0 },
    { "peer", CG_TYPE_TEXT, 0, 0, read_descriptor_peer, 0 },
    { "pid", CG_TYPE_NUMBER, PIDS, 0, read_i64, offsetof(callgauge_descriptor_row, pid) },
    { "port", CG_TYPE_NUMBER, 0, 0, read_descriptor_port, 0 },
};

static const cg_field process_fields[] = {
    { "born", CG_TYPE_BOOL, 0, 0, read_bool, offsetof(callgauge_process_row, born) },
    { "calls", CG_TYPE_NUMBER, 0, COUNT, read_u64, offsetof(callgauge_process_row, calls) },
    { "cpu", CG_TYPE_TIME, CPU, 0, read_i64, offsetof(callgauge_process_row, cpu_ns) },
    { "emfile", CG_TYPE_NUMBER, RESULTS, COUNT, read_u64, offsetof(callgauge_process_row, emfile) },
    { "end", CG_TYPE_MOMENT, STAMPS, 0, read_i64, offsetof(callgauge_process_row, end_ns) },
    { "ended", CG_TYPE_BOOL, 0, 0, read_bool, offsetof(callgauge_process_row, ended) },
    { "errors", CG_TYPE_NUMBER, RESULTS, COUNT, read_u64, offsetof(callgauge_process_row, errors) },
    { "exit_code", CG_TYPE_NUMBER, 0, 0, read_i64, offsetof(callgauge_process_row, exit_code) },
    { "exit_signal", CG_TYPE_WORD, 0, 0, read_text_or_none, offsetof(callgauge_process_row, exit_signal) },
    { "life", CG_TYPE_NUMBER, 0, 0, read_u32, offsetof(callgauge_process_row, life) },
    { "open_at_end", CG_TYPE_NUMBER, 0, COUNT, read_i64, offsetof(callgauge_process_row, open_at_end) },
    { "open_at_start", CG_TYPE_NUMBER, 0, COUNT, read_i64, offsetof(callgauge_process_row, open_at_start) },
    { "open_peak", CG_TYPE_NUMBER, 0, COUNT, read_i64, offsetof(callgauge_process_row, open_peak) },
    { "parent", CG_TYPE_NUMBER, PIDS, 0, read_i64, offsetof(callgauge_process_row, parent) },
    { "pid", CG_TYPE_NUMBER, PIDS, 0, read_i64, offsetof(callgauge_process_row, pid) },
    { "program", CG_TYPE_TEXT, 0, AGAIN, read_text, offsetof(callgauge_process_row, program) },
    { "start", CG_TYPE_MOMENT, STAMPS, 0, read_i64, offsetof(callgauge_process_row, start_ns) },
    { "threads", CG_TYPE_NUMBER, 0, COUNT, read_size_t, offsetof(callgauge_process_row, thread_count) },
    { "unreturned", CG_TYPE_NUMBER, 0, COUNT, read_u64, offsetof(callgauge_process_row, unreturned) },
    { "wall", CG_TYPE_TIME, WALL, 0, read_i64, offsetof(callgauge_process_row, wall_ns) },
};

static const cg_field program_fields[] = {
    { "calls", CG_TYPE_NUMBER, 0, COUNT, read_u64, offsetof(callgauge_program_row, calls) },
    { "cpu", CG_TYPE_TIME, CPU, 0, read_i64, offsetof(callgauge_program_row, cpu_ns) },
    { "errors", CG_TYPE_NUMBER, RESULTS, COUNT, read_u64, offsetof(callgauge_program_row, errors) },
    { "life", CG_TYPE_TIME, STAMPS, 0, read_i64, offsetof(callgauge_program_row, life_ns) },
    { "lives", CG_TYPE_NUMBER, 0, COUNT, read_u64, offsetof(callgauge_program_row, lives) },
    { "mean_life", CG_TYPE_TIME, STAMPS, 0, read_mean_life, 0 },
    { "program", CG_TYPE_TEXT, 0, 0, read_text, offsetof(callgauge_program_row, program) },
    { "started_by", CG_TYPE_NUMBER, 0, COUNT, read_size_t, offsetof(callgauge_program_row, started_by_count) },
    { "starts", CG_TYPE_NUMBER, RESULTS, COUNT, read_u64, offsetof(callgauge_program_row, starts) },
    { "wall", CG_TYPE_TIME, WALL, 0, read_i64, offsetof(callgauge_program_row, wall_ns) },
};

static const cg_field waiting_fields[] = {
    { "call", CG_TYPE_WORD, 0, 0, read_text, offsetof(callgauge_waiting_row, call) },
    { "child", CG_TYPE_TEXT, 0, 0, read_text_or_none, offsetof(callgauge_waiting_row, child) },
    { "count", CG_TYPE_NUMBER, WALL, COUNT, read_u64, offsetof(callgauge_waiting_row, count) },
    { "fd", CG_TYPE_NUMBER, 0, 0, read_extreme, offsetof(callgauge_waiting_row, fd) },
    { "kind", CG_TYPE_KIND, 0, 0, read_waiting_kind, offsetof(callgauge_waiting_row, kind) },
    { "max", CG_TYPE_TIME, WALL, 0, read_i64, offsetof(callgauge_waiting_row, max_ns) },
    { "path", CG_TYPE_TEXT, 0, 0, read_text_or_none, offsetof(callgauge_waiting_row, path) },
    { "peer", CG_TYPE_TEXT, 0, 0, read_waiting_peer, 0 },
    { "port", CG_TYPE_NUMBER, 0, 0, read_waiting_port, 0 },
    { "wall", CG_TYPE_TIME, WALL, 0, read_i64, offsetof(callgauge_waiting_row, wall_ns) },
};

/* A wait is told by its duration. */
enum { OF_FOLLOWED = CALLGAUGE_TRAIT_ARGUMENTS, OF_WAITS = OF_FOLLOWED | CALLGAUGE_TRAIT_WALL_DURATIONS };

typedef struct subject {
    const char *name;
    const cg_field *fields;
    size_t count;
    uint32_t traits;
} subject;

static const subject subjects[] = {
    [CG_OF_CALLS] = { "calls", call_fields, sizeof call_fields / sizeof *call_fields, 0 },
    [CG_OF_FILES] = { "files", file_fields, sizeof file_fields / sizeof *file_fields, OF_FOLLOWED },
    [CG_OF_DESCRIPTORS] = { "descriptors", descriptor_fields, sizeof descriptor_fields / sizeof *descriptor_fields,
                            OF_FOLLOWED },
    [CG_OF_PROCESSES] = { "processes", process_fields, sizeof process_fields / sizeof *process_fields, OF_FOLLOWED },
    [CG_OF_PROGRAMS] = { "programs", program_fields, sizeof program_fields / sizeof *program_fields, OF_FOLLOWED },
    [CG_OF_WAITING] = { "waiting", waiting_fields, sizeof waiting_fields / sizeof *waiting_fields, OF_WAITS },
};

enum { SUBJECTS = sizeof subjects / sizeof *subjects };

const char *cg_subject_text(cg_subject of)
{
    return (size_t)of < SUBJECTS ? subjects[of].name : NULL;
}

bool cg_subject_find(callgauge_str text, cg_subject *out)
{
    for (size_t i = CG_OF_CALLS; i < SUBJECTS; i++) {
        if (cg_str_is(text, subjects[i].name)) {
            *out = (cg_subject)i;
            return true;
        }
    }
    return false;
}

uint32_t cg_subject_traits(cg_subject of)
{
    return subjects[of].traits;
}

const cg_field *cg_fields_of(cg_subject of, size_t *count)
{
    bool events = of == CG_OF_EVENTS;
    *count = events ? cg_event_field_count : subjects[of].count;
    return events ? cg_event_fields : subjects[of].fields;
}

const cg_field *cg_field_find(cg_subject of, callgauge_str name)
{
    size_t count;
    const cg_field *fields = cg_fields_of(of, &count);
    for (size_t i = 0; i < count; i++) {
        if (cg_str_is(name, fields[i].name)) {
            return &fields[i];
        }
    }
    return NULL;
}

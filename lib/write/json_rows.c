/* SPDX-License-Identifier: Apache-2.0 */
/* From the JSON of json_files.c, json_processes.c and json_waiting.c to rows. Keys that an older report lacks are
 * nothing counted, or unknown. */
#include "write/json_rows.h"

#ifdef CG_HAVE_JSON

#include "write/schema.h"

#define KEYS(list) (sizeof(list) / sizeof(list)[0])

static bool read_identity(const cg_node *at, callgauge_file_row *row)
{
    return cg_node_captured(at, "path", &row->path) && cg_node_file_kind(at, "kind", &row->kind) &&
           cg_node_captured(at, "peer", &row->peer) && cg_node_port(at, "port", &row->peer_port) &&
           cg_node_captured(at, "local", &row->local) && cg_node_port(at, "local_port", &row->local_port) &&
           cg_node_bool(at, "opened_before", &row->opened_before) && cg_node_bool(at, "relative", &row->relative) &&
           cg_node_stamp(at, "pid", &row->pid) && cg_node_stamp(at, "fd", &row->fd) &&
           cg_node_small(at, "number", &row->number) && cg_node_captured(at, "renamed_to", &row->renamed_to);
}

static bool read_file_counts(const cg_node *at, callgauge_file_row *row)
{
    const char *const keys[] = { "calls",        "errors",    "opens", "reads", "eof_reads", "writes",
                                 "empty_writes", "transfers", "jumps", "maps",  "cpu_calls", "wall_calls" };
    uint64_t *const outs[] = { &row->calls,     &row->errors, &row->opens,        &row->reads,
                               &row->eof_reads, &row->writes, &row->empty_writes, &row->transfers,
                               &row->jumps,     &row->maps,   &row->cpu_calls,    &row->wall_calls };
    for (size_t i = 0; i < KEYS(keys); i++) {
        if (!cg_node_later_count(at, keys[i], outs[i])) {
            return false;
        }
    }
    return true;
}

static bool read_file_sums(const cg_node *at, callgauge_file_row *row)
{
    const char *const keys[] = { "bytes_read", "bytes_written", "min_read", "max_read", "min_write",
                                 "max_write",  "reread_bytes",  "cpu_ns",   "wall_ns",  "waiting_ns" };
    int64_t *const outs[] = { &row->bytes_read, &row->bytes_written, &row->min_read, &row->max_read, &row->min_write,
                              &row->max_write,  &row->reread_bytes,  &row->cpu_ns,   &row->wall_ns,  &row->waiting_ns };
    return cg_node_maybes(at, KEYS(keys), keys, outs);
}

bool cg_read_file(const cg_node *at, void *out)
{
    callgauge_file_row *row = out;
    cg_file_row_init(row);
    return read_identity(at, row) && read_file_counts(at, row) && read_file_sums(at, row) &&
           cg_node_names(at, "failed_opens_by_error", &row->failed_opens_by_error, &row->failed_open_count) &&
           cg_node_ascending(at, "processes", &row->processes, &row->process_count) &&
           cg_node_ascending(at, "readers", &row->readers, &row->reader_count) &&
           cg_node_ascending(at, "writers", &row->writers, &row->writer_count) &&
           cg_node_place(at, "first", &row->first) && cg_node_place(at, "last", &row->last);
}

bool cg_read_descriptor(const cg_node *at, void *out)
{
    callgauge_descriptor_row *row = out;
    return cg_node_stamp(at, "pid", &row->pid) && cg_node_stamp(at, "fd", &row->fd) &&
           cg_node_file_kind(at, "kind", &row->kind) && cg_node_captured(at, "path", &row->path) &&
           cg_node_captured(at, "peer", &row->peer) && cg_node_port(at, "port", &row->peer_port) &&
           cg_node_captured(at, "local", &row->local) && cg_node_port(at, "local_port", &row->local_port) &&
           cg_node_bool(at, "opened_before", &row->opened_before) && cg_node_bool(at, "closed", &row->closed);
}

static bool read_thread(const cg_node *at, void *out)
{
    callgauge_thread_row *row = out;
    return cg_node_stamp(at, "tid", &row->tid) && cg_node_maybe(at, "working_ns", &row->working_ns) &&
           cg_node_maybe(at, "waiting_ns", &row->waiting_ns) && cg_node_maybe(at, "outside_ns", &row->outside_ns);
}

static bool read_threads(const cg_node *at, callgauge_process_row *row)
{
    row->threads = cg_node_rows(at, "threads", sizeof *row->threads, read_thread, &row->thread_count);
    if (row->threads == NULL) {
        return false;
    }
    for (size_t i = 1; i < row->thread_count; i++) {
        if (cg_thread_row_cmp(&row->threads[i - 1], &row->threads[i]) >= 0) {
            return cg_node_fail(at, "threads", "they are out of order");
        }
    }
    return true;
}

static bool read_exit(const cg_node *at, callgauge_process_row *row)
{
    cg_node room, *end;
    return cg_node_object(at, "exit", &room, &end) &&
           (end == NULL ||
            (cg_node_stamp(end, "code", &row->exit_code) && cg_node_captured(end, "signal", &row->exit_signal)));
}

static bool read_life(const cg_node *at, callgauge_process_row *row)
{
    return cg_node_small(at, "life", &row->life) && cg_node_stamp(at, "parent", &row->parent) &&
           cg_node_small(at, "parent_life", &row->parent_life) && cg_node_captured(at, "program", &row->program) &&
           cg_node_strs(at, "argv", &row->argv, &row->argv_count) && cg_node_bool(at, "born", &row->born) &&
           cg_node_bool(at, "ended", &row->ended) && read_exit(at, row) &&
           cg_node_maybe(at, "open_at_start", &row->open_at_start) &&
           cg_node_maybe(at, "open_at_end", &row->open_at_end) && cg_node_maybe(at, "open_peak", &row->open_peak) &&
           cg_node_later_count(at, "emfile", &row->emfile) && read_threads(at, row);
}

bool cg_read_process(const cg_node *at, void *out)
{
    callgauge_process_row *row = out;
    cg_process_row_init(row);
    return cg_node_stamp(at, "pid", &row->pid) && cg_node_count(at, "calls", &row->calls) &&
           cg_node_count(at, "errors", &row->errors) && cg_node_count(at, "unreturned", &row->unreturned) &&
           cg_node_maybe(at, "cpu_ns", &row->cpu_ns) && cg_node_maybe(at, "wall_ns", &row->wall_ns) &&
           cg_node_stamp(at, "start_ns", &row->start_ns) && cg_node_stamp(at, "end_ns", &row->end_ns) &&
           cg_node_later_count(at, "cpu_calls", &row->cpu_calls) &&
           cg_node_later_count(at, "wall_calls", &row->wall_calls) && read_life(at, row);
}

bool cg_read_program(const cg_node *at, void *out)
{
    callgauge_program_row *row = out;
    return cg_node_captured(at, "program", &row->program) && cg_node_count(at, "starts", &row->starts) &&
           cg_node_names(at, "started_by", &row->started_by, &row->started_by_count) &&
           cg_node_later_count(at, "lives", &row->lives) && cg_node_maybe(at, "life_ns", &row->life_ns) &&
           cg_node_count(at, "calls", &row->calls) && cg_node_later_count(at, "errors", &row->errors) &&
           cg_node_maybe(at, "cpu_ns", &row->cpu_ns) && cg_node_maybe(at, "wall_ns", &row->wall_ns) &&
           cg_node_later_count(at, "cpu_calls", &row->cpu_calls) &&
           cg_node_later_count(at, "wall_calls", &row->wall_calls);
}

bool cg_read_waiting(const cg_node *at, void *out)
{
    callgauge_waiting_row *row = out;
    return cg_node_captured(at, "call", &row->call) && cg_node_file_kind(at, "kind", &row->kind) &&
           cg_node_captured(at, "path", &row->path) && cg_node_captured(at, "peer_address", &row->peer) &&
           cg_node_port(at, "port", &row->peer_port) && cg_node_stamp(at, "fd", &row->fd) &&
           cg_node_captured(at, "address", &row->address) && cg_node_captured(at, "child", &row->child) &&
           cg_node_count(at, "count", &row->count) && cg_node_maybe(at, "wall_ns", &row->wall_ns) &&
           cg_node_maybe(at, "max_ns", &row->max_ns) && cg_node_place(at, "longest", &row->longest);
}

static bool read_slow_unit(const cg_node *at, void *out)
{
    callgauge_unit_row *row = out;
    return cg_node_place(at, "place", &row->place) && cg_node_stamp(at, "pid", &row->pid) &&
           cg_node_count(at, "calls", &row->calls) && cg_node_maybe(at, "wall_ns", &row->wall_ns);
}

static bool read_slowest(const cg_node *at, callgauge_unit *unit)
{
    unit->slowest = cg_node_rows(at, "slowest", sizeof *unit->slowest, read_slow_unit, &unit->slowest_count);
    if (unit->slowest == NULL) {
        return false;
    }
    for (size_t i = 1; i < unit->slowest_count; i++) {
        if (cg_unit_row_cmp(&unit->slowest[i - 1], &unit->slowest[i]) > 0) {
            return cg_node_fail(at, "slowest", "they are out of order");
        }
    }
    return unit->slowest_count <= CG_SLOWEST_UNITS || cg_node_fail(at, "slowest", "there are too many");
}

bool cg_read_unit(const cg_node *at, callgauge_unit *out)
{
    cg_node room, *unit;
    size_t from = CALLGAUGE_UNIT_NONE;
    if (!cg_node_object(at, "unit", &room, &unit)) {
        return false;
    }
    if (unit == NULL) {
        return true;
    }
    bool ok = cg_node_choice(unit, "from", cg_unit_from_names, CG_UNITS_FROM, &from);
    out->from = (callgauge_unit_from)from;
    return ok && cg_node_count(unit, "count", &out->count) &&
           cg_node_captured(unit, from == CALLGAUGE_UNIT_PREDICATE ? "predicate" : "call", &out->call) &&
           cg_node_later_count(unit, "undecided", &out->undecided) &&
           cg_node_buckets(unit, "calls_buckets", &out->calls_buckets, &out->calls_bucket_count) &&
           cg_node_buckets(unit, "wall_buckets", &out->wall_buckets, &out->wall_bucket_count) &&
           read_slowest(unit, out);
}

static bool read_list(const cg_node *at, const char *key, size_t size, cg_node_row_fn *read_row, void **rows,
                      size_t *count)
{
    *rows = cg_node_rows(at, key, size, read_row, count);
    return *rows != NULL;
}

bool cg_read_followed(const cg_node *at, callgauge_report *report)
{
    void *files, *descriptors, *processes, *programs, *waiting;
    if (!read_list(at, "files", sizeof *report->files, cg_read_file, &files, &report->file_count) ||
        !read_list(at, "descriptors", sizeof *report->descriptors, cg_read_descriptor, &descriptors,
                   &report->descriptor_count) ||
        !read_list(at, "processes", sizeof *report->processes, cg_read_process, &processes, &report->process_count) ||
        !read_list(at, "programs", sizeof *report->programs, cg_read_program, &programs, &report->program_count) ||
        !read_list(at, "waiting", sizeof *report->waiting, cg_read_waiting, &waiting, &report->waiting_count)) {
        return false;
    }
    report->files = files;
    report->descriptors = descriptors;
    report->processes = processes;
    report->programs = programs;
    report->waiting = waiting;
    return cg_read_unit(at, &report->unit);
}

#endif

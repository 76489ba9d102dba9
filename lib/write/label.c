/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the names of rows together.
 * Invariant: the names of unlike rows of one kind differ wherever the capture tells them apart. */
#include "write/label.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/str.h"

/* A text that grows; after the first failure nothing is added any more. */
typedef struct growing {
    cg_buf buf;
    bool ok;
} growing;

static void begin(growing *text)
{
    cg_buf_init(&text->buf, SIZE_MAX);
    text->ok = true;
}

static void add(growing *text, callgauge_str part)
{
    text->ok = text->ok && cg_buf_add_str(&text->buf, part);
}

static void add_z(growing *text, const char *part)
{
    add(text, cg_str_z(part));
}

static void add_number(growing *text, int64_t value)
{
    text->ok = text->ok && cg_buf_printf(&text->buf, "%" PRId64, value);
}

static bool end(growing *text, cg_arena *arena, callgauge_str *out)
{
    bool ok = text->ok && cg_arena_str(arena, cg_buf_str(&text->buf), out);
    cg_buf_release(&text->buf);
    return ok;
}

/* "127.0.0.53:53", "[::1]:53", or the address alone. */
static void add_address(growing *text, callgauge_str address, int32_t port)
{
    bool brackets = port >= 0 && address.len > 0 && memchr(address.ptr, ':', address.len) != NULL;
    add_z(text, brackets ? "[" : "");
    add(text, address.len > 0 ? address : cg_str_z("?"));
    add_z(text, brackets ? "]" : "");
    if (port >= 0) {
        add_z(text, ":");
        add_number(text, port);
    }
}

static callgauge_str base_name(callgauge_str path)
{
    size_t slash = cg_str_find_last(path, "/");
    return slash >= path.len - (path.len > 0) ? path : cg_str(path.ptr + slash + 1, path.len - slash - 1);
}

/* The first row of a pid; the count of processes: there is none. */
static size_t find_pid(const callgauge_report *report, int64_t pid)
{
    size_t low = 0, high = callgauge_report_process_count(report);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (callgauge_report_process(report, middle)->pid < pid) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The program that a pid ran; empty: unknown, or another one in each of its lives. */
static callgauge_str program_of(const callgauge_report *report, int64_t pid)
{
    size_t at = find_pid(report, pid);
    const callgauge_process_row *first = callgauge_report_process(report, at), *row = first;
    while (row != NULL && row->pid == pid) {
        if (!cg_str_eq(row->program, first->program)) {
            return cg_str(NULL, 0);
        }
        row = callgauge_report_process(report, ++at);
    }
    return first != NULL && first->pid == pid ? first->program : cg_str(NULL, 0);
}

static callgauge_str name_of_pid(const callgauge_report *report, int64_t pid)
{
    return base_name(program_of(report, pid));
}

/* Whether a process before `end` of a list has the name of that one. */
static bool named_before(const callgauge_report *report, const int64_t *pids, size_t end_at)
{
    callgauge_str name = name_of_pid(report, pids[end_at]);
    for (size_t i = 0; name.len > 0 && i < end_at; i++) {
        if (cg_str_eq(name, name_of_pid(report, pids[i]))) {
            return true;
        }
    }
    return false;
}

/* The processes at one end of a pipe, each program once. */
static void add_end(growing *text, const callgauge_report *report, const int64_t *pids, size_t count)
{
    enum { MOST_NAMES = 2 };
    size_t named = 0;
    for (size_t i = 0; i < count; i++) {
        if (named_before(report, pids, i)) {
            continue;
        }
        if (named == MOST_NAMES) {
            add_z(text, ", ...");
            return;
        }
        add_z(text, named++ > 0 ? ", " : "");
        callgauge_str name = name_of_pid(report, pids[i]);
        if (name.len > 0) {
            add(text, name);
        } else if (pids[i] == CALLGAUGE_UNKNOWN) {
            add_z(text, "?");
        } else {
            add_number(text, pids[i]);
        }
    }
    add_z(text, named == 0 ? "?" : "");
}

static bool label_pipe(const callgauge_report *report, const callgauge_file_row *row, cg_arena *arena, cg_label *out)
{
    growing name, ends;
    begin(&name);
    begin(&ends);
    if (row->number > 0) {
        add_z(&name, "pipe ");
        add_number(&name, row->number);
    } else {
        add(&name, row->path.len > 0 ? row->path : cg_str_z("pipe"));
    }
    if (row->reader_count + row->writer_count > 0) {
        add_z(&ends, " (");
        add_end(&ends, report, row->writers, row->writer_count);
        add_z(&ends, " -> ");
        add_end(&ends, report, row->readers, row->reader_count);
        add_z(&ends, ")");
    }
    bool ok = end(&name, arena, &out->name);
    out->is_path = true;
    return end(&ends, arena, &out->note) && ok;
}

static bool label_socket(const callgauge_file_row *row, cg_arena *arena, cg_label *out)
{
    growing name;
    begin(&name);
    if (row->local.len > 0) {
        add_address(&name, row->local, row->local_port);
    }
    if (row->peer.len > 0) {
        add_z(&name, row->local.len > 0 ? " <-> " : "socket to ");
        add_address(&name, row->peer, row->peer_port);
    }
    return end(&name, arena, &out->name);
}

bool cg_label_of_sockets(const callgauge_file_row *row, cg_shared_end shared, size_t count, cg_arena *arena,
                         callgauge_str *out)
{
    growing name;
    begin(&name);
    switch (shared) {
    case CG_SHARED_LOCAL:
        add_address(&name, row->local, row->local_port);
        add_z(&name, " <-> ");
        add_number(&name, (int64_t)count);
        add_z(&name, " peers");
        break;
    case CG_SHARED_PEER:
        add_number(&name, (int64_t)count);
        add_z(&name, " sockets <-> ");
        add_address(&name, row->peer, row->peer_port);
        break;
    case CG_SHARED_PEER_ADDRESS:
        add_number(&name, (int64_t)count);
        add_z(&name, " sockets to ");
        add_address(&name, row->peer, -1);
        break;
    }
    return end(&name, arena, out);
}

/* What is known by its number only. */
static bool label_before(const callgauge_file_row *row, cg_arena *arena, cg_label *out)
{
    growing name;
    begin(&name);
    add_z(&name, "fd ");
    add_number(&name, row->fd);
    if (row->pid != CALLGAUGE_UNKNOWN) {
        add_z(&name, " of ");
        add_number(&name, row->pid);
    }
    out->note = cg_str_z(", opened before the capture");
    out->short_note = cg_str_z(", opened before");
    return end(&name, arena, &out->name);
}

/* ", 200 ENOENT": why it was never opened, the most frequent reason. */
static void add_failure(growing *text, const callgauge_file_row *row)
{
    const callgauge_name_row *most = &row->failed_opens_by_error[0];
    for (size_t i = 1; i < row->failed_open_count; i++) {
        most = row->failed_opens_by_error[i].count > most->count ? &row->failed_opens_by_error[i] : most;
    }
    add_z(text, ", ");
    add_number(text, (int64_t)most->count);
    add_z(text, " ");
    add(text, most->name);
}

static bool label_path(const callgauge_file_row *row, cg_arena *arena, cg_label *out)
{
    growing note;
    begin(&note);
    out->is_path = true;
    out->name = row->path;
    if (row->path.len == 0) {
        out->name = cg_str_z(callgauge_file_kind_text(row->kind));
    }
    if (row->kind == CALLGAUGE_FILE_SOCKET && row->path.len > 0) {
        add_z(&note, " (socket)");
    }
    if (row->maps > 0) {
        add_z(&note, ", mapped");
    }
    if (row->opens == 0 && row->failed_open_count > 0) {
        add_failure(&note, row);
    } else if (row->errors > 0 && row->errors == row->calls) {
        add_z(&note, ", ");
        add_number(&note, (int64_t)row->errors);
        add_z(&note, row->errors == 1 ? " error" : " errors");
    }
    if (row->renamed_to.len > 0) {
        add_z(&note, ", renamed to ");
        add(&note, base_name(row->renamed_to));
    }
    return end(&note, arena, &out->note);
}

bool cg_label_of_file(const callgauge_report *report, const callgauge_file_row *row, cg_arena *arena, cg_label *out)
{
    *out = (cg_label){ .is_path = false };
    if (row->peer.len > 0 || row->local.len > 0) {
        return label_socket(row, arena, out);
    }
    if (row->opened_before && row->path.len == 0 && row->fd != CALLGAUGE_UNKNOWN) {
        return label_before(row, arena, out);
    }
    if (row->kind == CALLGAUGE_FILE_PIPE) {
        return label_pipe(report, row, arena, out);
    }
    return label_path(row, arena, out);
}

bool cg_label_of_waiting(const callgauge_waiting_row *row, cg_arena *arena, callgauge_str *out)
{
    growing text;
    begin(&text);
    add(&text, row->call);
    if (row->child.len > 0) {
        add_z(&text, " for ");
        add(&text, row->child);
    } else if (row->address.len > 0) {
        add_z(&text, " on ");
        add(&text, row->address);
    } else if (row->peer.len > 0) {
        add_z(&text, " on ");
        add_address(&text, row->peer, row->peer_port);
    } else if (row->path.len > 0) {
        add_z(&text, " on ");
        add(&text, row->path);
    } else if (row->fd != CALLGAUGE_UNKNOWN) {
        add_z(&text, " on fd ");
        add_number(&text, row->fd);
    } else if (row->kind != CALLGAUGE_FILE_UNKNOWN) {
        add_z(&text, " on a ");
        add_z(&text, callgauge_file_kind_text(row->kind));
    }
    return end(&text, arena, out);
}

bool cg_label_of_waiting_ports(const callgauge_waiting_row *row, size_t ports, cg_arena *arena, callgauge_str *out)
{
    growing text;
    begin(&text);
    add(&text, row->call);
    add_z(&text, " on ");
    add_address(&text, row->peer, -1);
    add_z(&text, " (");
    add_number(&text, (int64_t)ports);
    add_z(&text, " ports)");
    return end(&text, arena, out);
}

static void add_life(growing *text, int64_t pid, uint32_t life)
{
    if (pid == CALLGAUGE_UNKNOWN) {
        add_z(text, "-");
        return;
    }
    add_number(text, pid);
    if (life > 1) {
        add_z(text, "#");
        add_number(text, life);
    }
}

bool cg_label_of_life(int64_t pid, uint32_t life, cg_arena *arena, callgauge_str *out)
{
    growing text;
    begin(&text);
    add_life(&text, pid, life);
    return end(&text, arena, out);
}

bool cg_label_of_thread(int64_t pid, uint32_t life, int64_t tid, cg_arena *arena, callgauge_str *out)
{
    growing text;
    begin(&text);
    add_life(&text, pid, life);
    if (tid != CALLGAUGE_UNKNOWN && tid != pid) {
        add_z(&text, "/");
        add_number(&text, tid);
    }
    return end(&text, arena, out);
}

bool cg_label_of_program(const callgauge_process_row *row, cg_arena *arena, callgauge_str *out)
{
    growing text;
    begin(&text);
    add(&text, row->program);
    for (size_t i = row->program.len > 0 ? 1 : 0; i < row->argv_count; i++) {
        add_z(&text, i > 0 ? " " : "");
        add(&text, row->argv[i]);
    }
    return end(&text, arena, out);
}

/* The most frequent first; of one count in the order of the report, which is by name. */
static int most_cmp(const void *a, const void *b)
{
    const callgauge_name_row *x = *(const callgauge_name_row *const *)a, *y = *(const callgauge_name_row *const *)b;
    return x->count != y->count ? (x->count > y->count ? -1 : 1) : (x > y) - (x < y);
}

bool cg_label_of_names(const callgauge_name_row *rows, size_t count, cg_arena *arena, callgauge_str *out)
{
    const callgauge_name_row **order = cg_mem_zeroed(count + 1, sizeof *order);
    if (order == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        order[i] = &rows[i];
    }
    qsort(order, count, sizeof *order, most_cmp);
    growing text;
    begin(&text);
    for (size_t i = 0; i < count; i++) {
        add_z(&text, i > 0 ? ", " : "");
        add(&text, order[i]->name.len > 0 ? order[i]->name : cg_str_z("?"));
        add_z(&text, " ");
        add_number(&text, (int64_t)order[i]->count);
    }
    cg_mem_free(order);
    return end(&text, arena, out);
}

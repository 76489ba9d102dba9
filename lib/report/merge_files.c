/* SPDX-License-Identifier: Apache-2.0 */
/* Merges files and descriptors.
 * Invariant: of the pids that several reports name, the smallest are kept, whatever the order. */
#include "report/merge.h"

#include <string.h>

#include "base/str.h"

/* A list of pids, ascending. */
typedef struct pids {
    const int64_t *of;
    size_t count;
} pids;

static bool join_pids(pids a, pids b, cg_arena *scratch, pids *out)
{
    int64_t *all = cg_arena_alloc(scratch, CG_PIDS_OF_A_FILE * sizeof *all);
    if (all == NULL) {
        return false;
    }
    size_t used = 0, i = 0, k = 0;
    while (used < CG_PIDS_OF_A_FILE && (i < a.count || k < b.count)) {
        int64_t x = i < a.count ? a.of[i] : INT64_MAX, y = k < b.count ? b.of[k] : INT64_MAX;
        i += i < a.count && x <= y;
        k += k < b.count && y <= x;
        all[used++] = x < y ? x : y;
    }
    *out = (pids){ all, used };
    return true;
}

static bool join_all_pids(const callgauge_file_row *from, callgauge_file_row *to, cg_arena *scratch)
{
    pids all, readers, writers;
    if (!join_pids((pids){ from->processes, from->process_count }, (pids){ to->processes, to->process_count }, scratch,
                   &all) ||
        !join_pids((pids){ from->readers, from->reader_count }, (pids){ to->readers, to->reader_count }, scratch,
                   &readers) ||
        !join_pids((pids){ from->writers, from->writer_count }, (pids){ to->writers, to->writer_count }, scratch,
                   &writers)) {
        return false;
    }
    to->processes = all.of;
    to->process_count = all.count;
    to->readers = readers.of;
    to->reader_count = readers.count;
    to->writers = writers.of;
    to->writer_count = writers.count;
    return true;
}

static void add_counts(const callgauge_file_row *from, callgauge_file_row *to)
{
    to->calls = cg_count_add(to->calls, from->calls);
    to->errors = cg_count_add(to->errors, from->errors);
    to->opens = cg_count_add(to->opens, from->opens);
    to->reads = cg_count_add(to->reads, from->reads);
    to->eof_reads = cg_count_add(to->eof_reads, from->eof_reads);
    to->writes = cg_count_add(to->writes, from->writes);
    to->empty_writes = cg_count_add(to->empty_writes, from->empty_writes);
    to->transfers = cg_count_add(to->transfers, from->transfers);
    to->jumps = cg_count_add(to->jumps, from->jumps);
    to->maps = cg_count_add(to->maps, from->maps);
}

static void add_bytes(const callgauge_file_row *from, callgauge_file_row *to)
{
    to->bytes_read = cg_known_add(to->bytes_read, from->bytes_read);
    to->bytes_written = cg_known_add(to->bytes_written, from->bytes_written);
    to->reread_bytes = cg_known_add(to->reread_bytes, from->reread_bytes);
    to->min_read = cg_known_min(to->min_read, from->min_read);
    to->max_read = cg_known_max(to->max_read, from->max_read);
    to->min_write = cg_known_min(to->min_write, from->min_write);
    to->max_write = cg_known_max(to->max_write, from->max_write);
}

static void add_times(const callgauge_file_row *from, callgauge_file_row *to)
{
    to->cpu_calls = cg_timed_calls_add(to->cpu_ns, to->cpu_calls, from->cpu_ns, from->cpu_calls);
    to->wall_calls = cg_timed_calls_add(to->wall_ns, to->wall_calls, from->wall_ns, from->wall_calls);
    to->cpu_ns = cg_known_add(to->cpu_ns, from->cpu_ns);
    to->wall_ns = cg_known_add(to->wall_ns, from->wall_ns);
    to->waiting_ns = cg_known_add(to->waiting_ns, from->waiting_ns);
}

/* Line 0 is no place. */
static void add_places(const callgauge_file_row *from, callgauge_file_row *to)
{
    if (from->first.line > 0 && (to->first.line == 0 || cg_place_cmp(from->first, to->first) < 0)) {
        to->first = from->first;
    }
    if (from->last.line > 0 && (to->last.line == 0 || cg_place_cmp(from->last, to->last) > 0)) {
        to->last = from->last;
    }
}

static bool add_file(const void *row, void *sum, cg_arena *scratch)
{
    const callgauge_file_row *from = row;
    callgauge_file_row *to = sum;
    cg_names errors;
    if (!cg_names_add((cg_names){ from->failed_opens_by_error, from->failed_open_count },
                      (cg_names){ to->failed_opens_by_error, to->failed_open_count }, scratch, &errors)) {
        return false;
    }
    to->failed_opens_by_error = errors.rows;
    to->failed_open_count = errors.count;
    to->renamed_to = cg_merge_text(to->renamed_to, from->renamed_to);
    add_counts(from, to);
    add_bytes(from, to);
    add_times(from, to);
    add_places(from, to);
    return join_all_pids(from, to, scratch);
}

static bool copy_pids(cg_arena *arena, const int64_t **list, size_t count)
{
    int64_t *copy = cg_arena_alloc(arena, count * sizeof *copy);
    if (copy != NULL && count > 0) {
        memcpy(copy, *list, count * sizeof *copy);
    }
    *list = copy;
    return copy != NULL;
}

static bool copy_file(void *at, cg_arena *arena)
{
    callgauge_file_row *row = at;
    callgauge_name_row *errors;
    if (!cg_name_rows_copy(arena, row->failed_opens_by_error, row->failed_open_count, &errors)) {
        return false;
    }
    row->failed_opens_by_error = errors;
    return cg_merge_keep(arena, &row->path) && cg_merge_keep(arena, &row->peer) && cg_merge_keep(arena, &row->local) &&
           cg_merge_keep(arena, &row->renamed_to) && copy_pids(arena, &row->processes, row->process_count) &&
           copy_pids(arena, &row->readers, row->reader_count) && copy_pids(arena, &row->writers, row->writer_count);
}

static void move_file(void *row, const size_t *map, size_t count)
{
    cg_file_row_move(row, map, count);
}

static const void *list_files(const callgauge_report *report, size_t *count)
{
    *count = report->file_count;
    return report->files;
}

/* Descriptors that are alike in everything. */
static bool add_descriptor(const void *row, void *sum, cg_arena *scratch)
{
    (void)row;
    (void)sum;
    (void)scratch;
    return true;
}

static bool copy_descriptor(void *at, cg_arena *arena)
{
    callgauge_descriptor_row *row = at;
    return cg_merge_keep(arena, &row->path) && cg_merge_keep(arena, &row->peer) && cg_merge_keep(arena, &row->local);
}

static const void *list_descriptors(const callgauge_report *report, size_t *count)
{
    *count = report->descriptor_count;
    return report->descriptors;
}

bool cg_merge_files(cg_merge *merge)
{
    static const cg_merge_kind files = {
        sizeof(callgauge_file_row), list_files, cg_file_row_cmp, move_file, add_file, copy_file,
    };
    static const cg_merge_kind descriptors = {
        sizeof(callgauge_descriptor_row),
        list_descriptors,
        cg_descriptor_row_cmp,
        NULL,
        add_descriptor,
        copy_descriptor,
    };
    void *rows = NULL;
    if (!cg_merge_rows(merge, &files, &rows, &merge->out->file_count)) {
        return false;
    }
    merge->out->files = rows;
    if (!cg_merge_rows(merge, &descriptors, &rows, &merge->out->descriptor_count)) {
        return false;
    }
    merge->out->descriptors = rows;
    return true;
}

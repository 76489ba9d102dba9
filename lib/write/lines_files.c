/* SPDX-License-Identifier: Apache-2.0 */
/* From the files of a report to lines: those that the filters let pass, in order.
 * Invariant: only lines that are shown are made, so that a million files cost a few words each. */
#include "write/lines.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "report/report.h"
#include "write/derived.h"
#include "write/label.h"

enum { MOST_APART = 3 }; /* sockets that share an end, in a report: more are one line */

/* A file and what it is ordered by; files are in the order of their names before. */
typedef struct ranked {
    const callgauge_file_row *row;
    const cg_line *group; /* of sockets that share an end, in the place of the first one; else NULL */
    int64_t order[2];
} ranked;

static bool contains(callgauge_str text, const char *part)
{
    return cg_str_find(text, part) < text.len;
}

static bool passes(const callgauge_file_row *row, const callgauge_write_options *options)
{
    if (options->kinds != 0 && (options->kinds >> (unsigned)row->kind & 1) == 0) {
        return false;
    }
    const char *part = options->path;
    return part == NULL || part[0] == 0 || contains(row->path, part) || contains(row->renamed_to, part) ||
           contains(row->peer, part) || contains(row->local, part);
}

static bool is_busy(const callgauge_file_row *row)
{
    return row->reads + row->writes + row->errors + row->maps > 0;
}

static int64_t failed_opens(const callgauge_file_row *row)
{
    uint64_t count = 0;
    for (size_t i = 0; i < row->failed_open_count; i++) {
        count = cg_count_add(count, row->failed_opens_by_error[i].count);
    }
    return cg_count_held(count);
}

/* All but the name. Nothing read or written is no number, also where no bytes are known. */
static void take_file(const callgauge_file_row *row, cg_line *line)
{
    cg_line_clear(line);
    line->row = row;
    cg_line_set_counts(line, row->calls, row->errors, 0);
    cg_line_set_times(line, row->cpu_ns, row->cpu_calls, row->wall_ns, row->wall_calls);
    line->values[CG_VALUE_OPENS] = cg_count_held(row->opens);
    line->values[CG_VALUE_FAILED_OPENS] = failed_opens(row);
    line->values[CG_VALUE_READS] = cg_count_held(row->reads);
    line->values[CG_VALUE_WRITES] = cg_count_held(row->writes);
    line->values[CG_VALUE_READ] = row->reads == 0 ? 0 : row->bytes_read;
    line->values[CG_VALUE_WRITTEN] = row->writes == 0 ? 0 : row->bytes_written;
    line->values[CG_VALUE_MEAN_READ] = row->reads == 0 ? 0 : cg_mean_read(row);
    line->values[CG_VALUE_MEAN_WRITE] = row->writes == 0 ? 0 : cg_mean_write(row);
    line->values[CG_VALUE_REREAD] = row->reads == 0 ? 0 : row->reread_bytes;
    line->values[CG_VALUE_WAITING] = row->waiting_ns;
    line->values[CG_VALUE_ORDER] = callgauge_file_order(row);
}

/* A sum over files that is being made; means are over the transfers that moved bytes. */
typedef struct adding {
    cg_line *sum;
    uint64_t moving_reads, moving_writes;
} adding;

static uint64_t less(uint64_t all, uint64_t some)
{
    return some < all ? all - some : 0;
}

static void add_file(adding *to, const callgauge_file_row *row)
{
    cg_line line;
    take_file(row, &line);
    cg_line_add(to->sum, &line);
    to->moving_reads = cg_count_add(to->moving_reads, less(row->reads, row->eof_reads));
    to->moving_writes = cg_count_add(to->moving_writes, less(row->writes, row->empty_writes));
}

static void end_adding(const adding *to)
{
    int64_t *values = to->sum->values;
    values[CG_VALUE_MEAN_READ] = values[CG_VALUE_READ] == 0 ? 0 : cg_mean(values[CG_VALUE_READ], to->moving_reads);
    values[CG_VALUE_MEAN_WRITE] = values[CG_VALUE_WRITTEN] == 0 ? 0
                                                                : cg_mean(values[CG_VALUE_WRITTEN], to->moving_writes);
}

/* The files that pass, and their sums. */
static size_t gather(const callgauge_report *report, const callgauge_write_options *options, bool busy, ranked *to,
                     cg_line *sum)
{
    size_t used = 0;
    adding all = { .sum = sum };
    cg_line_clear(sum);
    for (size_t i = 0; i < callgauge_report_file_count(report); i++) {
        const callgauge_file_row *row = callgauge_report_file(report, i);
        if (passes(row, options) && (!busy || is_busy(row))) {
            add_file(&all, row);
            to[used++] = (ranked){ .row = row };
        }
    }
    sum->name = cg_str_z("total");
    end_adding(&all);
    return used;
}

/* --- sockets that share an end: the clients of a server, the connections to one */

static bool has_end(const callgauge_file_row *row, cg_shared_end end)
{
    if (row->kind != CALLGAUGE_FILE_SOCKET || row->peer.len == 0) {
        return false;
    }
    return end == CG_SHARED_PEER_ADDRESS ? row->local.len == 0 : row->local.len > 0;
}

static int end_cmp(const callgauge_file_row *x, const callgauge_file_row *y, cg_shared_end end)
{
    bool local = end == CG_SHARED_LOCAL;
    int c = local ? cg_str_cmp(x->local, y->local) : cg_str_cmp(x->peer, y->peer);
    if (c != 0 || end == CG_SHARED_PEER_ADDRESS) {
        return c;
    }
    int32_t p = local ? x->local_port : x->peer_port, q = local ? y->local_port : y->peer_port;
    return (p > q) - (p < q);
}

static int by_place(const ranked *x, const ranked *y)
{
    return (x->row > y->row) - (x->row < y->row);
}

static int by_local(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    int c = end_cmp(x->row, y->row, CG_SHARED_LOCAL);
    return c != 0 ? c : by_place(x, y);
}

static int by_peer(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    int c = end_cmp(x->row, y->row, CG_SHARED_PEER);
    return c != 0 ? c : by_place(x, y);
}

static int by_peer_address(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    int c = end_cmp(x->row, y->row, CG_SHARED_PEER_ADDRESS);
    return c != 0 ? c : by_place(x, y);
}

/* `count` sockets as one line. NULL: no memory. */
static const cg_line *make_group(const ranked *rows, size_t count, cg_shared_end end, cg_arena *arena)
{
    cg_line *line = cg_arena_alloc(arena, sizeof *line);
    if (line == NULL) {
        return NULL;
    }
    adding all = { .sum = line };
    cg_line_clear(line);
    for (size_t i = 0; i < count; i++) {
        add_file(&all, rows[i].row);
    }
    end_adding(&all);
    line->row = rows[0].row;
    return cg_label_of_sockets(rows[0].row, end, count, arena, &line->name) ? line : NULL;
}

/* Makes one of the sockets in rows[0..*count) that share an end of one kind, where there are more than a few. False: no
 * memory. */
static bool group_by(cg_shared_end end, ranked *rows, size_t *count, cg_arena *arena)
{
    static int (*const orders[])(const void *, const void *) = {
        [CG_SHARED_LOCAL] = by_local, [CG_SHARED_PEER] = by_peer, [CG_SHARED_PEER_ADDRESS] = by_peer_address
    };
    size_t used = 0, sockets = 0;
    for (size_t i = 0; i < *count; i++) { /* the others stay in front */
        ranked row = rows[i];
        if (row.group == NULL && has_end(row.row, end)) {
            sockets++;
        } else {
            rows[i] = rows[used];
            rows[used++] = row;
        }
    }
    ranked *first = rows + used;
    if (sockets > 1) {
        qsort(first, sockets, sizeof *first, orders[end]);
    }
    for (size_t i = 0, same; i < sockets; i += same) {
        for (same = 1; i + same < sockets && end_cmp(first[i].row, first[i + same].row, end) == 0;) {
            same++;
        }
        const cg_line *group = same > MOST_APART ? make_group(&first[i], same, end, arena) : NULL;
        if (same > MOST_APART && group == NULL) {
            return false;
        }
        for (size_t k = 0; k < (group != NULL ? 1 : same); k++) {
            rows[used] = first[i + k];
            rows[used++].group = group;
        }
    }
    *count = used;
    return true;
}

static int place_cmp(const void *a, const void *b)
{
    return by_place(a, b);
}

/* The same of all kinds, and back in the order of names. */
static bool group_sockets(ranked *rows, size_t *count, cg_arena *arena)
{
    size_t before = *count;
    bool ok = group_by(CG_SHARED_LOCAL, rows, count, arena) && group_by(CG_SHARED_PEER, rows, count, arena) &&
              group_by(CG_SHARED_PEER_ADDRESS, rows, count, arena);
    if (before > 1) {
        qsort(rows, *count, sizeof *rows, place_cmp);
    }
    return ok;
}

/* --- order */

static int ranked_cmp(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    for (size_t i = 0; i < 2; i++) {
        if (x->order[i] != y->order[i]) {
            return x->order[i] > y->order[i] ? -1 : 1;
        }
    }
    return (x->row > y->row) - (x->row < y->row);
}

static void take_ranked(const ranked *from, cg_line *line)
{
    if (from->group != NULL) {
        *line = *from->group;
    } else {
        take_file(from->row, line);
    }
}

static void rank(ranked *rows, size_t count, callgauge_sort sort, const cg_line *sum)
{
    cg_value value = cg_order_of(sort, CALLGAUGE_ROWS_FILES, sum);
    if (value == CG_VALUES) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        cg_line line;
        take_ranked(&rows[i], &line);
        int64_t bytes = cg_known_add(line.values[CG_VALUE_READ], line.values[CG_VALUE_WRITTEN]);
        rows[i].order[0] = sort == CALLGAUGE_SORT_BYTES ? bytes : line.values[value];
        rows[i].order[1] = line.values[CG_VALUE_CALLS];
    }
    qsort(rows, count, sizeof *rows, ranked_cmp);
}

static bool make_lines(const callgauge_report *report, const ranked *rows, size_t count, cg_rows *lines)
{
    lines->lines = cg_mem_zeroed(count + 1, sizeof *lines->lines);
    for (size_t i = 0; lines->lines != NULL && i < count; i++) {
        cg_line *line = &lines->lines[i];
        cg_label label;
        take_ranked(&rows[i], line);
        if (rows[i].group != NULL) {
            continue;
        }
        if (!cg_label_of_file(report, rows[i].row, &lines->arena, &label)) {
            return false;
        }
        line->name = label.name;
        line->note = label.note;
        line->short_note = label.short_note;
        line->is_path = label.is_path;
    }
    return lines->lines != NULL;
}

bool cg_lines_of_files(const callgauge_report *report, const callgauge_write_options *options, bool glance,
                       cg_rows *lines)
{
    ranked *rows = cg_mem_zeroed(callgauge_report_file_count(report) + 1, sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    lines->count = gather(report, options, glance, rows, &lines->sum);
    if (glance && !group_sockets(rows, &lines->count, &lines->arena)) {
        cg_mem_free(rows);
        return false;
    }
    rank(rows, lines->count, options->sort, &lines->sum);
    size_t shown = options->limit == 0 || options->limit > lines->count ? lines->count : options->limit;
    bool ok = make_lines(report, rows, shown, lines);
    cg_mem_free(rows);
    return ok;
}

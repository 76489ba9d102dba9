/* SPDX-License-Identifier: Apache-2.0 */
/* What keeps the rows of a report apart, and so their order; the order of its captures, and places in them.
 * Invariant: rows that compare equal are of one thing, and a merge joins them. */
#include "report/finding.h"
#include "report/report.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/order.h"
#include "base/str.h"

int cg_process_row_cmp(const void *a, const void *b)
{
    const callgauge_process_row *x = a, *y = b;
    const int answers[] = {
        cg_cmp_i64(x->pid, y->pid),
        cg_cmp_u64(x->life, y->life),
        cg_str_cmp(x->program, y->program),
        cg_cmp_i64(x->parent, y->parent),
        cg_cmp_u64(x->parent_life, y->parent_life),
    };
    return cg_first_of(answers, sizeof answers / sizeof answers[0]);
}

int cg_thread_row_cmp(const void *a, const void *b)
{
    return cg_cmp_i64(((const callgauge_thread_row *)a)->tid, ((const callgauge_thread_row *)b)->tid);
}

int cg_file_row_cmp(const void *a, const void *b)
{
    const callgauge_file_row *x = a, *y = b;
    int c = cg_str_cmp(x->path, y->path);
    if (c != 0) {
        return c;
    }
    const int answers[] = {
        cg_cmp_u64(x->kind, y->kind),
        cg_str_cmp(x->peer, y->peer),
        cg_cmp_i64(x->peer_port, y->peer_port),
        cg_str_cmp(x->local, y->local),
        cg_cmp_i64(x->local_port, y->local_port),
        cg_cmp_u64(x->number, y->number),
        cg_cmp_u64(x->opened_before, y->opened_before),
        cg_cmp_i64(x->pid, y->pid),
        cg_cmp_i64(x->fd, y->fd),
        cg_cmp_u64(x->relative, y->relative),
    };
    return cg_first_of(answers, sizeof answers / sizeof answers[0]);
}

int cg_descriptor_row_cmp(const void *a, const void *b)
{
    const callgauge_descriptor_row *x = a, *y = b;
    const int answers[] = {
        cg_cmp_i64(x->pid, y->pid),
        cg_cmp_i64(x->fd, y->fd),
        cg_cmp_u64(y->opened_before, x->opened_before), /* what was there first */
        cg_str_cmp(x->path, y->path),
        cg_cmp_u64(x->kind, y->kind),
        cg_str_cmp(x->peer, y->peer),
        cg_cmp_i64(x->peer_port, y->peer_port),
        cg_str_cmp(x->local, y->local),
        cg_cmp_i64(x->local_port, y->local_port),
        cg_cmp_u64(y->closed, x->closed),
    };
    return cg_first_of(answers, sizeof answers / sizeof answers[0]);
}

int cg_program_row_cmp(const void *a, const void *b)
{
    return cg_str_cmp(((const callgauge_program_row *)a)->program, ((const callgauge_program_row *)b)->program);
}

int cg_waiting_row_cmp(const void *a, const void *b)
{
    const callgauge_waiting_row *x = a, *y = b;
    const int answers[] = {
        cg_str_cmp(x->call, y->call),       cg_cmp_u64(x->kind, y->kind),           cg_str_cmp(x->path, y->path),
        cg_str_cmp(x->peer, y->peer),       cg_cmp_i64(x->peer_port, y->peer_port), cg_cmp_i64(x->fd, y->fd),
        cg_str_cmp(x->address, y->address), cg_str_cmp(x->child, y->child),
    };
    return cg_first_of(answers, sizeof answers / sizeof answers[0]);
}

int cg_place_cmp(callgauge_place a, callgauge_place b)
{
    int c = cg_cmp_u64(a.capture, b.capture);
    return c != 0 ? c : cg_cmp_u64(a.line, b.line);
}

int cg_unit_row_cmp(const void *a, const void *b)
{
    const callgauge_unit_row *x = a, *y = b;
    const int answers[] = {
        cg_cmp_i64(y->wall_ns, x->wall_ns),
        cg_cmp_u64(y->calls, x->calls),
        cg_place_cmp(x->place, y->place),
        cg_cmp_i64(x->pid, y->pid),
    };
    return cg_first_of(answers, sizeof answers / sizeof answers[0]);
}

/* --- captures */

static int capture_cmp(const void *a, const void *b)
{
    return cg_capture_row_cmp(*(const callgauge_capture_row *const *)a, *(const callgauge_capture_row *const *)b);
}

/* Where a capture of `rows` stands in `sorted`; the first one of several that are equal. */
static size_t place_of(const callgauge_capture_row *const *sorted, size_t count, const callgauge_capture_row *row)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (cg_capture_row_cmp(sorted[middle], row) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool cg_captures_order(const callgauge_capture_row **rows, size_t count, size_t *map)
{
    const callgauge_capture_row **sorted = cg_mem_zeroed(count + 1, sizeof *sorted);
    if (sorted == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        sorted[i] = rows[i];
    }
    qsort(sorted, count, sizeof *sorted, capture_cmp);
    for (size_t i = 0; i < count; i++) {
        map[i] = place_of(sorted, count, rows[i]);
    }
    for (size_t i = 0; i < count; i++) {
        rows[i] = sorted[i];
    }
    cg_mem_free(sorted);
    return true;
}

/* --- places */

static void move(callgauge_place *place, const size_t *map, size_t count)
{
    place->capture = place->capture < count ? map[place->capture] : 0;
}

void cg_file_row_move(callgauge_file_row *row, const size_t *map, size_t count)
{
    move(&row->first, map, count);
    move(&row->last, map, count);
}

void cg_waiting_row_move(callgauge_waiting_row *row, const size_t *map, size_t count)
{
    move(&row->longest, map, count);
}

bool cg_unit_move(callgauge_unit *unit, cg_arena *arena, const size_t *map, size_t count)
{
    callgauge_unit_row *rows = cg_arena_alloc(arena, unit->slowest_count * sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    for (size_t i = 0; i < unit->slowest_count; i++) {
        rows[i] = unit->slowest[i];
        move(&rows[i].place, map, count);
    }
    qsort(rows, unit->slowest_count, sizeof *rows, cg_unit_row_cmp);
    unit->slowest = rows;
    return true;
}

bool cg_report_move_places(callgauge_report *report, const size_t *map, size_t count)
{
    for (size_t i = 0; i < report->file_count; i++) {
        cg_file_row_move(&report->files[i], map, count);
    }
    for (size_t i = 0; i < report->waiting_count; i++) {
        cg_waiting_row_move(&report->waiting[i], map, count);
    }
    for (size_t i = 0; i < report->finding_count; i++) {
        if (!cg_finding_row_move(&report->findings[i], &report->arena, map, count)) {
            return false;
        }
    }
    for (size_t i = 0; i < report->not_judged_count; i++) {
        cg_not_judged_row_move(&report->not_judged[i], map, count);
    }
    for (size_t i = 0; i < report->recorded_count; i++) {
        cg_recorded_row_move(&report->recorded[i], map, count);
        if (!cg_recorded_row_own(&report->arena, &report->recorded[i])) {
            return false;
        }
    }
    return cg_unit_move(&report->unit, &report->arena, map, count);
}

bool cg_report_order_captures(callgauge_report *report)
{
    size_t count = report->capture_count;
    if (count < 2) {
        return true;
    }
    const callgauge_capture_row **rows = cg_mem_zeroed(count, sizeof *rows);
    size_t *map = cg_mem_zeroed(count, sizeof *map);
    callgauge_capture_row *sorted = cg_arena_alloc(&report->arena, count * sizeof *sorted);
    bool ok = rows != NULL && map != NULL && sorted != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        rows[i] = &report->captures[i];
    }
    ok = ok && cg_captures_order(rows, count, map);
    for (size_t i = 0; ok && i < count; i++) {
        sorted[i] = *rows[i];
    }
    if (ok) {
        report->captures = sorted;
        ok = cg_report_move_places(report, map, count);
    }
    cg_mem_free(rows);
    cg_mem_free(map);
    return ok;
}

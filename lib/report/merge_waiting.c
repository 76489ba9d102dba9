/* SPDX-License-Identifier: Apache-2.0 */
/* Merges what was waited for, and the units of work.
 * Invariant: units of different kinds are never added: what is left then are none, and a limit says how many went. */
#include "report/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

static bool add_waiting(const void *row, void *sum, cg_arena *scratch)
{
    (void)scratch;
    const callgauge_waiting_row *from = row;
    callgauge_waiting_row *to = sum;
    bool longer = from->max_ns > to->max_ns ||
                  (from->max_ns == to->max_ns && cg_place_cmp(from->longest, to->longest) < 0);
    to->count = cg_count_add(to->count, from->count);
    to->wall_ns = cg_known_add(to->wall_ns, from->wall_ns);
    to->longest = longer ? from->longest : to->longest;
    to->max_ns = cg_known_max(to->max_ns, from->max_ns);
    return true;
}

static bool copy_waiting(void *at, cg_arena *arena)
{
    callgauge_waiting_row *row = at;
    return cg_merge_keep(arena, &row->call) && cg_merge_keep(arena, &row->path) && cg_merge_keep(arena, &row->peer) &&
           cg_merge_keep(arena, &row->address) && cg_merge_keep(arena, &row->child);
}

static void move_waiting(void *row, const size_t *map, size_t count)
{
    cg_waiting_row_move(row, map, count);
}

static const void *list_waiting(const callgauge_report *report, size_t *count)
{
    *count = report->waiting_count;
    return report->waiting;
}

bool cg_merge_waiting(cg_merge *merge)
{
    static const cg_merge_kind kind = {
        sizeof(callgauge_waiting_row), list_waiting, cg_waiting_row_cmp, move_waiting, add_waiting, copy_waiting,
    };
    void *rows = NULL;
    bool ok = cg_merge_rows(merge, &kind, &rows, &merge->out->waiting_count);
    merge->out->waiting = rows;
    return ok;
}

/* --- units */

static bool same_units(const callgauge_unit *a, const callgauge_unit *b)
{
    return a->from == b->from && cg_str_eq(a->call, b->call);
}

/* All units are left out. */
static bool leave_out(cg_merge *merge)
{
    uint64_t dropped = 0;
    for (size_t i = 0; i < merge->n; i++) {
        dropped = cg_count_add(dropped, merge->in[i]->unit.count);
    }
    return dropped == 0 || cg_report_add_limit(merge->out, CG_LIMIT_UNIT, 0, dropped);
}

/* The slowest of all. */
static bool join_slowest(const cg_merge *merge, callgauge_unit *to)
{
    size_t total = 0, used = 0;
    for (size_t i = 0; i < merge->n; i++) {
        total += merge->in[i]->unit.slowest_count;
    }
    callgauge_unit_row *all = cg_mem_zeroed(total + 1, sizeof *all);
    if (all == NULL) {
        return false;
    }
    const size_t *map = merge->map;
    for (size_t i = 0; i < merge->n; i++) {
        const callgauge_unit *unit = &merge->in[i]->unit;
        for (size_t k = 0; k < unit->slowest_count; k++) {
            size_t capture = unit->slowest[k].place.capture;
            all[used] = unit->slowest[k];
            all[used++].place.capture = capture < merge->in[i]->capture_count ? map[capture] : 0;
        }
        map += merge->in[i]->capture_count;
    }
    qsort(all, used, sizeof *all, cg_unit_row_cmp);
    used = used < CG_SLOWEST_UNITS ? used : CG_SLOWEST_UNITS;
    callgauge_unit_row *rows = cg_arena_alloc(&merge->out->arena, used * sizeof *rows);
    if (rows != NULL && used > 0) {
        memcpy(rows, all, used * sizeof *rows);
    }
    cg_mem_free(all);
    to->slowest = rows;
    to->slowest_count = rows == NULL ? 0 : used;
    return rows != NULL;
}

static bool add_unit(cg_merge *merge, const callgauge_unit *from, callgauge_unit *to)
{
    cg_arena *arena = &merge->out->arena;
    cg_buckets calls, wall;
    if (!cg_buckets_add((cg_buckets){ to->calls_buckets, to->calls_bucket_count },
                        (cg_buckets){ from->calls_buckets, from->calls_bucket_count }, arena, &calls) ||
        !cg_buckets_add((cg_buckets){ to->wall_buckets, to->wall_bucket_count },
                        (cg_buckets){ from->wall_buckets, from->wall_bucket_count }, arena, &wall)) {
        return false;
    }
    to->count = cg_count_add(to->count, from->count);
    to->undecided = cg_count_add(to->undecided, from->undecided);
    to->calls_buckets = calls.rows;
    to->calls_bucket_count = calls.count;
    to->wall_buckets = wall.rows;
    to->wall_bucket_count = wall.count;
    return true;
}

bool cg_merge_unit(cg_merge *merge)
{
    callgauge_unit *to = &merge->out->unit;
    const callgauge_unit *first = &merge->in[0]->unit;
    for (size_t i = 1; i < merge->n; i++) {
        if (!same_units(first, &merge->in[i]->unit)) {
            return leave_out(merge);
        }
    }
    to->from = first->from;
    to->call = first->call;
    if (!cg_merge_keep(&merge->out->arena, &to->call)) {
        return false;
    }
    for (size_t i = 0; i < merge->n; i++) {
        if (!add_unit(merge, &merge->in[i]->unit, to)) {
            return false;
        }
    }
    return join_slowest(merge, to);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Merges rows of any kind: all of them in one order, each run of equals joined.
 * Invariant: nothing in the lists that come out belongs to a report that was merged. */
#include "report/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

static size_t count_rows(const cg_merge *merge, const cg_merge_kind *kind)
{
    size_t total = 0, count;
    for (size_t i = 0; i < merge->n; i++) {
        (void)kind->list(merge->in[i], &count);
        total += count;
    }
    return total;
}

/* The rows of all reports, with places among the captures of the one that is made. */
static void gather(const cg_merge *merge, const cg_merge_kind *kind, char *to)
{
    const size_t *map = merge->map;
    for (size_t i = 0; i < merge->n; i++) {
        size_t count;
        const void *rows = kind->list(merge->in[i], &count);
        if (count > 0) {
            memcpy(to, rows, count * kind->size);
        }
        for (size_t k = 0; k < count; k++, to += kind->size) {
            if (kind->move != NULL) {
                kind->move(to, map, merge->in[i]->capture_count);
            }
        }
        map += merge->in[i]->capture_count;
    }
}

/* How many rows from `rows` on, of `left`, are of one thing. */
static size_t run_length(const cg_merge_kind *kind, const char *rows, size_t left)
{
    size_t n = 1;
    while (n < left && kind->cmp(rows, rows + n * kind->size) == 0) {
        n++;
    }
    return n;
}

/* Joins a run of rows into its first one. Neighbours first, then pairs, then fours: lists that grow with every row are
 * so copied log n times, not n times. */
static bool join_run(cg_merge *merge, const cg_merge_kind *kind, char *rows, size_t n)
{
    for (size_t step = 1; step < n; step *= 2) {
        for (size_t i = 0; i + step < n; i += 2 * step) {
            if (!kind->add(rows + (i + step) * kind->size, rows + i * kind->size, &merge->scratch)) {
                return false;
            }
        }
    }
    return true;
}

/* Joins equal neighbours, in place. Gives how many rows are left; SIZE_MAX: no memory. */
static size_t join(cg_merge *merge, const cg_merge_kind *kind, char *rows, size_t total)
{
    size_t used = 0;
    for (size_t at = 0, n; at < total; at += n) {
        char *run = rows + at * kind->size;
        n = run_length(kind, run, total - at);
        if (!join_run(merge, kind, run, n)) {
            return SIZE_MAX;
        }
        memmove(rows + used++ * kind->size, run, kind->size);
    }
    return used;
}

bool cg_merge_rows(cg_merge *merge, const cg_merge_kind *kind, void **rows, size_t *count)
{
    size_t total = count_rows(merge, kind);
    char *all = cg_mem_zeroed(total + 1, kind->size);
    if (all == NULL) {
        return false;
    }
    gather(merge, kind, all);
    qsort(all, total, kind->size, kind->cmp);
    size_t used = join(merge, kind, all, total);
    char *kept = used == SIZE_MAX ? NULL : cg_arena_alloc(&merge->out->arena, used * kind->size);
    bool ok = kept != NULL;
    for (size_t i = 0; ok && i < used; i++) {
        memcpy(kept + i * kind->size, all + i * kind->size, kind->size);
        ok = kind->copy(kept + i * kind->size, &merge->out->arena);
    }
    cg_mem_free(all);
    *rows = kept;
    *count = ok ? used : 0;
    return ok;
}

bool cg_names_add(cg_names a, cg_names b, cg_arena *arena, cg_names *out)
{
    if (a.count == 0 || b.count == 0) {
        *out = a.count == 0 ? b : a;
        return true;
    }
    callgauge_name_row *rows = cg_arena_alloc(arena, (a.count + b.count) * sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    memcpy(rows, a.rows, a.count * sizeof *rows);
    memcpy(rows + a.count, b.rows, b.count * sizeof *rows);
    *out = (cg_names){ rows, cg_name_rows_settle(rows, a.count + b.count) };
    return true;
}

bool cg_merge_keep(cg_arena *arena, callgauge_str *text)
{
    if (text->len == 0) {
        *text = cg_str(NULL, 0);
        return true;
    }
    return cg_arena_str(arena, *text, text);
}

callgauge_str cg_merge_text(callgauge_str a, callgauge_str b)
{
    if (a.len == 0 || b.len == 0) {
        return a.len == 0 ? b : a;
    }
    return cg_str_cmp(a, b) <= 0 ? a : b;
}

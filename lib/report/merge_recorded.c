/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded sequences: their orders, and how those of several reports become one list.
 * Invariant: the calls of a row are of its capture, and of equal rows the one that came first is kept, with its
 * lines. */
#include "report/merge.h"

#include <string.h>

#include "base/str.h"

/* --- orders */

static int calls_cmp(const callgauge_recorded_row *a, const callgauge_recorded_row *b)
{
    int c = (a->call_count > b->call_count) - (a->call_count < b->call_count);
    for (size_t i = 0; c == 0 && i < a->call_count; i++) {
        c = cg_str_cmp(a->calls[i].text, b->calls[i].text);
    }
    return c;
}

static int of_capture_cmp(const callgauge_recorded_row *a, const callgauge_recorded_row *b)
{
    int c = cg_str_cmp(a->name, b->name);
    return c != 0 ? c : (a->capture > b->capture) - (a->capture < b->capture);
}

int cg_recorded_row_cmp(const void *left, const void *right)
{
    const callgauge_recorded_row *a = left, *b = right;
    int c = of_capture_cmp(a, b);
    c = c != 0 ? c : calls_cmp(a, b);
    c = c != 0 ? c : b->ended - a->ended; /* whole ones first */
    c = c != 0 ? c : a->unfinished - b->unfinished;
    return c != 0 ? c : a->cut - b->cut;
}

/* By where they are; of equal rows, by the lines of their calls too. */
static int places_cmp(const callgauge_recorded_row *a, const callgauge_recorded_row *b)
{
    int c = cg_place_cmp(a->begin, b->begin);
    for (size_t i = 0; c == 0 && i < a->call_count && i < b->call_count; i++) {
        c = (a->calls[i].place.line > b->calls[i].place.line) - (a->calls[i].place.line < b->calls[i].place.line);
    }
    return c;
}

int cg_recorded_row_order(const void *left, const void *right)
{
    const callgauge_recorded_row *a = left, *b = right;
    int c = of_capture_cmp(a, b);
    c = c != 0 ? c : places_cmp(a, b);
    return c != 0 ? c : cg_recorded_row_cmp(a, b);
}

/* --- places and copies */

void cg_recorded_row_move(callgauge_recorded_row *row, const size_t *map, size_t count)
{
    row->capture = row->capture < count ? map[row->capture] : 0;
    row->begin.capture = row->capture;
}

bool cg_recorded_row_own(cg_arena *arena, callgauge_recorded_row *row)
{
    callgauge_evidence *calls = cg_arena_alloc(arena, row->call_count * sizeof *calls);
    for (size_t i = 0; calls != NULL && i < row->call_count; i++) {
        calls[i] = row->calls[i];
        calls[i].place.capture = row->capture;
        if (!cg_merge_keep(arena, &calls[i].text)) {
            return false;
        }
    }
    row->calls = calls;
    return calls != NULL;
}

/* --- merging */

static void move_recorded(void *row, const size_t *map, size_t count)
{
    cg_recorded_row_move(row, map, count);
}

static bool add_recorded(const void *row, void *sum, cg_arena *scratch)
{
    (void)scratch;
    const callgauge_recorded_row *from = row;
    callgauge_recorded_row *to = sum;
    uint64_t times = cg_count_add(to->times, from->times);
    if (places_cmp(from, to) < 0) {
        *to = *from;
    }
    to->times = times;
    return true;
}

static bool copy_recorded(void *at, cg_arena *arena)
{
    callgauge_recorded_row *row = at;
    return cg_merge_keep(arena, &row->name) && cg_recorded_row_own(arena, row);
}

static const void *list_recorded(const callgauge_report *report, size_t *count)
{
    *count = report->recorded_count;
    return report->recorded;
}

bool cg_merge_recorded(cg_merge *merge)
{
    static const cg_merge_kind kind = {
        sizeof(callgauge_recorded_row), list_recorded, cg_recorded_row_cmp, move_recorded, add_recorded, copy_recorded,
    };
    void *rows = NULL;
    bool ok = cg_merge_rows(merge, &kind, &rows, &merge->out->recorded_count);
    merge->out->recorded = rows;
    return ok;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What is not compared, and what else the user should know: two lists that steps add to. */
#include "compare/comparing.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

/* Room for one more in a list in the arena; false: no memory. Lists are short, so each doubling leaves little
 * behind. */
static bool grow(cg_arena *arena, void *list, size_t count, size_t *room, size_t size)
{
    void **items = list;
    if (count < *room) {
        return true;
    }
    size_t larger = *room == 0 ? 8 : *room * 2;
    void *grown = cg_arena_alloc(arena, larger * size);
    if (grown == NULL) {
        return false;
    }
    if (count > 0) {
        memcpy(grown, *items, count * size);
    }
    *items = grown;
    *room = larger;
    return true;
}

bool cg_leave_out(cg_comparing *c, callgauge_str what, const char *side, const char *why)
{
    callgauge_comparison *out = c->out;
    void *list = out->left_out;
    if (!grow(&out->arena, &list, out->left_out_count, &c->left_out_room, sizeof *out->left_out)) {
        return false;
    }
    out->left_out = list;
    out->left_out[out->left_out_count++] = (callgauge_left_out_row){ what, cg_str_z(side), cg_str_z(why) };
    return true;
}

bool cg_add_hint(cg_comparing *c, callgauge_str text)
{
    callgauge_comparison *out = c->out;
    void *list = out->hints;
    if (!grow(&out->arena, &list, out->hint_count, &c->hint_room, sizeof *out->hints)) {
        return false;
    }
    out->hints = list;
    out->hints[out->hint_count] = cg_arena_copy(&out->arena, text.ptr, text.len);
    return out->hints[out->hint_count++] != NULL;
}

static int side_rank(callgauge_str side)
{
    return cg_str_is(side, "before") ? 0 : cg_str_is(side, "after") ? 1 : 2;
}

static int left_out_cmp(const void *a, const void *b)
{
    const callgauge_left_out_row *x = a, *y = b;
    int order = side_rank(x->side) - side_rank(y->side);
    order = order != 0 ? order : cg_str_cmp(x->what, y->what);
    return order != 0 ? order : cg_str_cmp(x->why, y->why);
}

void cg_left_out_sort(callgauge_comparison *comparison)
{
    if (comparison->left_out_count > 1) {
        qsort(comparison->left_out, comparison->left_out_count, sizeof *comparison->left_out, left_out_cmp);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of many reports brought together by a key: put in one order, those of one thing stand behind each other. */
#include "compare/comparing.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

bool cg_items_add(cg_items *items, cg_item item)
{
    if (items->count == items->room) {
        size_t room = items->room == 0 ? 64 : items->room * 2;
        cg_item *grown = cg_mem_resize(items->items, room * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        items->items = grown;
        items->room = room;
    }
    items->items[items->count++] = item;
    return true;
}

void cg_items_release(cg_items *items)
{
    cg_mem_free(items->items);
    *items = (cg_items){ .count = 0 };
}

static int item_cmp(const void *a, const void *b)
{
    const cg_item *x = a, *y = b;
    int order = cg_str_cmp(x->key, y->key);
    order = order != 0 ? order : cg_str_cmp(x->name, y->name);
    order = order != 0 ? order : (x->sample > y->sample) - (x->sample < y->sample);
    return order != 0 ? order : (x->row > y->row) - (x->row < y->row); /* of one report, so in its order */
}

void cg_items_sort(cg_items *items)
{
    if (items->count > 1) {
        qsort(items->items, items->count, sizeof *items->items, item_cmp);
    }
}

size_t cg_items_alike(const cg_items *items, size_t first)
{
    size_t count = 1;
    while (first + count < items->count && cg_str_eq(items->items[first + count].key, items->items[first].key)) {
        count++;
    }
    return count;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of calls as small numbers: by name, and by how they ended. There are few, so what is sure of a kind is worked
 * out once. */
#include "base/mem.h"
#include "predicate/judge.h"

enum { FIRST_ROOM = 64, MOST_TOLD = 8192 }; /* beyond, only the name tells */

static bool is_same(const cg_kind *a, const cg_kind *b)
{
    return a->call->id == b->call->id && a->told == b->told && (a->error == NULL) == (b->error == NULL) &&
           (a->error == NULL || a->error->id == b->error->id);
}

static size_t slot_of(const cg_kinds *kinds, const cg_kind *kind)
{
    uint64_t outcome = kind->error != NULL ? (uint64_t)kind->error->id + 2 : kind->told;
    uint64_t hash = ((uint64_t)kind->call->id << 32 ^ outcome) * 0x9E3779B97F4A7C15u;
    size_t at = (size_t)(hash >> 32) & (kinds->slot_room - 1);
    while (kinds->slots[at] != 0 && !is_same(&kinds->items[kinds->slots[at] - 1], kind)) {
        at = (at + 1) & (kinds->slot_room - 1);
    }
    return at;
}

static bool grow(cg_judge *judge)
{
    cg_kinds *kinds = &judge->kinds;
    size_t case_count = judge->case_count;
    size_t room = kinds->room == 0 ? FIRST_ROOM : kinds->room * 2;
    cg_kind *items = cg_mem_resize(kinds->items, room * sizeof *items);
    kinds->items = items == NULL ? kinds->items : items;
    judge->at = NULL;
    cg_kind_memo *memos = cg_mem_resize(kinds->memos, (room * case_count + 1) * sizeof *memos);
    kinds->memos = memos == NULL ? kinds->memos : memos;
    uint32_t *slots = items == NULL || memos == NULL ? NULL : cg_mem_zeroed(room * 2, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    cg_mem_free(kinds->slots);
    kinds->slots = slots;
    kinds->slot_room = room * 2;
    kinds->room = room;
    for (size_t i = 0; i < kinds->count; i++) {
        slots[slot_of(kinds, &items[i])] = (uint32_t)i + 1;
    }
    return true;
}

uint32_t cg_kinds_find(cg_judge *judge, const cg_kind *kind)
{
    cg_kinds *kinds = &judge->kinds;
    if (kinds->slot_room > 0) {
        uint32_t found = kinds->slots[slot_of(kinds, kind)];
        if (found != 0) {
            return found - 1;
        }
    }
    if (kind->told && kinds->count >= MOST_TOLD) {
        const cg_kind by_name = { .call = kind->call };
        return cg_kinds_find(judge, &by_name);
    }
    if (kinds->count == kinds->room && !grow(judge)) {
        return CG_KIND_NOMEM;
    }
    memset(kinds->memos + kinds->count * judge->case_count, 0, judge->case_count * sizeof *kinds->memos);
    kinds->slots[slot_of(kinds, kind)] = (uint32_t)kinds->count + 1;
    kinds->items[kinds->count] = *kind;
    return (uint32_t)kinds->count++;
}

void cg_kinds_release(cg_kinds *kinds)
{
    cg_mem_free(kinds->items);
    cg_mem_free(kinds->memos);
    cg_mem_free(kinds->slots);
    *kinds = (cg_kinds){ 0 };
}

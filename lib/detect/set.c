/* SPDX-License-Identifier: Apache-2.0 */
/* Open addressing; the table is at most half full. */
#include "detect/set.h"

#include <string.h>

#include "base/mem.h"

static size_t slot_of(const cg_set *set, uint64_t hash)
{
    size_t at = (size_t)(hash * 0x9E3779B97F4A7C15u >> 20) & (set->room - 1);
    while (set->slots[at] != 0 && set->slots[at] != hash) {
        at = (at + 1) & (set->room - 1);
    }
    return at;
}

static bool grow(cg_set *set)
{
    cg_set larger = { .room = set->room == 0 ? 16 : set->room * 2 };
    larger.slots = cg_mem_zeroed(larger.room, sizeof *larger.slots);
    if (larger.slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < set->room; i++) {
        if (set->slots[i] != 0) {
            larger.slots[slot_of(&larger, set->slots[i])] = set->slots[i];
            larger.count++;
        }
    }
    cg_mem_free(set->slots);
    *set = larger;
    return true;
}

bool cg_set_add(cg_set *set, uint64_t hash)
{
    hash = hash == 0 ? 1 : hash;
    if (set->count * 2 >= set->room && !grow(set)) {
        return false;
    }
    size_t at = slot_of(set, hash);
    set->count += set->slots[at] == 0;
    set->slots[at] = hash;
    return true;
}

bool cg_set_has(const cg_set *set, uint64_t hash)
{
    hash = hash == 0 ? 1 : hash;
    return set->room > 0 && set->slots[slot_of(set, hash)] != 0;
}

void cg_set_clear(cg_set *set)
{
    if (set->count > 0) {
        memset(set->slots, 0, set->room * sizeof *set->slots);
        set->count = 0;
    }
}

void cg_set_release(cg_set *set)
{
    cg_mem_free(set->slots);
    *set = (cg_set){ 0 };
}

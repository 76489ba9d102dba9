/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers to dense ids. */
#include "base/numbers.h"

#include <string.h>

#include "base/mem.h"

enum { FIRST_SLOTS = 16 };

void cg_numbers_release(cg_numbers *numbers)
{
    cg_mem_free(numbers->values);
    cg_mem_free(numbers->slots);
    *numbers = (cg_numbers){ 0 };
}

/* The slot that a number has, or would have, in a table that has slots. */
static size_t slot_of(const cg_numbers *numbers, uint64_t value)
{
    uint64_t hash = value * 0x9E3779B97F4A7C15u;
    size_t mask = numbers->slot_room - 1;
    size_t at = (size_t)(hash ^ hash >> 32) & mask;
    while (numbers->slots[at] != 0 && numbers->values[numbers->slots[at] - 1] != value) {
        at = (at + 1) & mask;
    }
    return at;
}

static bool grow(cg_numbers *numbers)
{
    size_t room = numbers->slot_room == 0 ? FIRST_SLOTS : numbers->slot_room * 2;
    uint64_t *values = cg_mem_resize(numbers->values, room / 2 * sizeof *values);
    numbers->values = values == NULL ? numbers->values : values;
    uint32_t *slots = values == NULL ? NULL : cg_mem_zeroed(room, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    cg_mem_free(numbers->slots);
    numbers->slots = slots;
    numbers->slot_room = room;
    for (size_t i = 0; i < numbers->count; i++) {
        slots[slot_of(numbers, values[i])] = (uint32_t)i + 1;
    }
    return true;
}

uint32_t cg_numbers_add(cg_numbers *numbers, uint64_t value)
{
    uint32_t id = cg_numbers_find(numbers, value);
    if (id != CG_NUMBERS_NONE) {
        return id;
    }
    if (numbers->count >= numbers->slot_room / 2 && (numbers->count >= UINT32_MAX / 4 || !grow(numbers))) {
        return CG_NUMBERS_NONE;
    }
    numbers->values[numbers->count] = value;
    numbers->slots[slot_of(numbers, value)] = (uint32_t)++numbers->count;
    return (uint32_t)numbers->count - 1;
}

uint32_t cg_numbers_find(const cg_numbers *numbers, uint64_t value)
{
    return numbers->slot_room == 0 ? CG_NUMBERS_NONE : numbers->slots[slot_of(numbers, value)] - 1;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses. Those that the kernel has given are told apart; where else a pointer points is up to chance, and so is
 * whether two pointers are the same. */
#include <inttypes.h>

#include "base/mem.h"
#include "event/normal_inside.h"

static const char PREFIX[] = "addr";

static bool put(cg_normal *normal, uint32_t mapping)
{
    return cg_buf_printf(normal->to, "%s%" PRIu32, PREFIX, mapping);
}

bool cg_normal_address(cg_normal *normal, uint64_t address)
{
    uint32_t id = cg_numbers_find(&normal->names->mapped, address);
    return id == CG_NUMBERS_NONE ? cg_buf_add_z(normal->to, PREFIX) : put(normal, normal->names->mapping_of[id]);
}

static bool room_for(cg_normal_names *names, uint32_t id)
{
    if (id < names->mapping_room) {
        return true;
    }
    size_t room = names->mapping_room == 0 ? 8 : names->mapping_room * 2;
    uint32_t *numbers = cg_mem_resize(names->mapping_of, room * sizeof *numbers);
    if (numbers == NULL) {
        return false;
    }
    names->mapping_of = numbers;
    names->mapping_room = room;
    return true;
}

/* Whether the call's first argument is the address, so that it is about what was there before. */
static bool is_argument(const cg_normal *normal, uint64_t address)
{
    int64_t value;
    bool is_hex;
    const char *at = normal->arg_count == 0 ? NULL : normal->args[0].ptr;
    return at != NULL && cg_normal_read(&at, at + normal->args[0].len, &value, &is_hex) && (uint64_t)value == address;
}

bool cg_normal_mapped(cg_normal *normal, uint64_t address)
{
    cg_normal_names *names = normal->names;
    bool known = cg_numbers_find(&names->mapped, address) != CG_NUMBERS_NONE;
    bool stays = cg_str_starts(normal->event->call->text, "brk") || is_argument(normal, address);
    uint32_t id = cg_numbers_add(&names->mapped, address);
    if (id == CG_NUMBERS_NONE || !room_for(names, id)) {
        return false;
    }
    if (!known || !stays) {
        names->mapping_of[id] = ++names->mappings;
    }
    return put(normal, names->mapping_of[id]);
}

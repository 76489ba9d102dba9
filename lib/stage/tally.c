/* SPDX-License-Identifier: Apache-2.0 */
/* Counts names by their text, since those of tables have no id. */
#include "stage/tally.h"

#include "base/mem.h"

void cg_tally_init(cg_tally *tally, size_t limit)
{
    *tally = (cg_tally){ 0 };
    cg_intern_init(&tally->names, limit);
}

void cg_tally_release(cg_tally *tally)
{
    cg_intern_release(&tally->names);
    cg_mem_free(tally->counts);
    tally->counts = NULL;
    tally->room = 0;
}

/* Room for the count of one name more, before that name is taken in. */
static bool reserve(cg_tally *tally)
{
    if (tally->names.count < tally->room) {
        return true;
    }
    size_t room = tally->room == 0 ? 16 : tally->room * 2;
    uint64_t *counts = cg_mem_resize(tally->counts, room * sizeof *counts);
    if (counts == NULL) {
        return false;
    }
    tally->counts = counts;
    tally->room = room;
    return true;
}

bool cg_tally_add(cg_tally *tally, callgauge_str name, uint64_t count)
{
    size_t before = tally->names.count;
    if (!reserve(tally)) {
        return false;
    }
    int64_t id = cg_intern_add(&tally->names, name);
    if (id == CG_INTERN_FULL) {
        tally->dropped = cg_count_add(tally->dropped, count);
        return true;
    }
    if (id < 0) {
        return false;
    }
    uint64_t old = (size_t)id == before ? 0 : tally->counts[id];
    tally->counts[id] = cg_count_add(old, count);
    return true;
}

bool cg_tally_finish(const cg_tally *tally, cg_arena *arena, callgauge_name_row **rows, size_t *count)
{
    callgauge_name_row *out = cg_arena_alloc(arena, tally->names.count * sizeof *out);
    if (out == NULL) {
        return false;
    }
    for (size_t i = 0; i < tally->names.count; i++) {
        out[i].count = tally->counts[i];
        if (!cg_arena_str(arena, tally->names.texts[i], &out[i].name)) {
            return false;
        }
    }
    *rows = out;
    *count = cg_name_rows_settle(out, tally->names.count);
    return true;
}

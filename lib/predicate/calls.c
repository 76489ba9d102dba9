/* SPDX-License-Identifier: Apache-2.0 */
/* Which calls a condition can be about: it is asked for every name of the class table. So who knows which calls a
 * capture could have shown knows whether the condition can be answered. */
#include "base/str.h"
#include "event/event.h"
#include "predicate/predicate.h"

static callgauge_call_name name_of(const cg_class_entry *entry, size_t index)
{
    return (callgauge_call_name){
        .text = cg_str_z(entry->name),
        .id = (uint32_t)index,
        .known = true,
        .call_class = entry->call_class,
        .moves = entry->moves,
        .fd_arg = entry->fd_arg,
        .path_arg = entry->path_arg,
        .size_arg = entry->size_arg,
        .fd2_arg = entry->fd2_arg,
        .path2_arg = entry->path2_arg,
        .does = entry->does,
    };
}

static size_t count_entries(void)
{
    size_t count = 0;
    while (cg_class_at(count) != NULL) {
        count++;
    }
    return count;
}

/* Asks for one name after the other; a judge remembers names by where they lie. */
static bool ask(cg_judge *judge, uint32_t id, callgauge_call_name *names, size_t total, cg_known_call *calls,
                size_t *count)
{
    size_t used = 0;
    for (size_t i = 0; i < total; i++) {
        names[i] = name_of(cg_class_at(i), i);
        if (cg_judge_name(judge, id, &names[i]) != CG_NO) {
            calls[used++] = (cg_known_call){ names[i].text, names[i].call_class };
        }
    }
    *count = used;
    return !cg_judge_counts_of(judge)->no_memory;
}

bool cg_predicate_calls(const cg_predicate *predicate, cg_arena *arena, const cg_known_call **out, size_t *count)
{
    uint32_t id;
    size_t total = count_entries();
    cg_arena scratch = { 0 };
    cg_judge *judge = cg_judge_new(NULL);
    callgauge_call_name *names = cg_arena_alloc(&scratch, total * sizeof *names);
    cg_known_call *calls = cg_arena_alloc(arena, total * sizeof *calls);
    bool good = judge != NULL && names != NULL && calls != NULL && cg_judge_add(judge, predicate, &id);
    if (good) {
        cg_judge_begin(judge, NULL);
        good = ask(judge, id, names, total, calls, count);
        *out = calls;
    }
    cg_judge_free(judge);
    cg_arena_release(&scratch);
    return good;
}

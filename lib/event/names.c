/* SPDX-License-Identifier: Apache-2.0 */
/* Names as printed to one object each, alive and in place until the table is released.
 * Invariant: every id of `index` has its object; the object is made first, so a failure leaves no gap. */
#include "base/mem.h"
#include "event/event.h"

void cg_names_init(cg_names *names, bool of_calls, size_t limit)
{
    *names = (cg_names){ .of_calls = of_calls };
    cg_intern_init(&names->index, limit);
}

void cg_names_release(cg_names *names)
{
    cg_mem_free(names->calls);
    cg_mem_free(names->plain);
    cg_arena_release(&names->arena);
    cg_intern_release(&names->index);
    cg_names_init(names, names->of_calls, names->index.limit);
}

static bool room_for_one(cg_names *names)
{
    if (names->index.count < names->room) {
        return true;
    }
    size_t room = names->room == 0 ? 64 : names->room * 2;
    void *old = names->of_calls ? (void *)names->calls : (void *)names->plain;
    void *objects = cg_mem_resize(old, room * sizeof(void *));
    if (objects == NULL) {
        return false;
    }
    if (names->of_calls) {
        names->calls = objects;
    } else {
        names->plain = objects;
    }
    names->room = room;
    return true;
}

/* Makes the object of a new name and gives it the name's id and kept text; NULL and *why on failure. */
static void *add_object(cg_names *names, callgauge_str text, size_t size, callgauge_str *kept, uint32_t *id,
                        int64_t *why)
{
    if (names->index.count >= names->index.limit) {
        *why = CG_INTERN_FULL;
        return NULL;
    }
    void *object = room_for_one(names) ? cg_arena_alloc(&names->arena, size) : NULL;
    *why = object == NULL ? CG_INTERN_NOMEM : cg_intern_add(&names->index, text);
    if (*why < 0) {
        return NULL;
    }
    *id = (uint32_t)*why;
    *kept = names->index.texts[*why];
    return object;
}

/* Whether more than a descriptor, the first argument, and a path is to be known of a call before it has its effect. */
static bool needs_more(const callgauge_call_name *call)
{
    switch ((cg_does)call->does) {
    case CG_DOES_OPEN:
    case CG_DOES_CREAT:
    case CG_DOES_OPENAT2:
    case CG_DOES_UNNAMED:
    case CG_DOES_ANON:
    case CG_DOES_SOCKET:
    case CG_DOES_SOCKETPAIR:
    case CG_DOES_ACCEPT:
    case CG_DOES_PIPE:
    case CG_DOES_RECEIVED:
    case CG_DOES_CONNECT:
    case CG_DOES_SENDTO:
    case CG_DOES_SENDFILE:
    case CG_DOES_SPLICE:
    case CG_DOES_POLL:
    case CG_DOES_SELECT:
    case CG_DOES_FORK:
    case CG_DOES_CLONE:
    case CG_DOES_WAITCHILD: return true;
    default: return call->fd_arg > 0 || call->fd2_arg >= 0 || call->path2_arg >= 0;
    }
}

static uint8_t needs_of(const callgauge_call_name *call)
{
    return (uint8_t)((call->fd_arg == 0 ? CG_NEED_FD : 0) | (call->path_arg >= 0 ? CG_NEED_PATH : 0) |
                     (call->moves != CALLGAUGE_MOVES_NOTHING ? CG_NEED_BYTES : 0) |
                     (call->does != CG_DOES_NOTHING ? CG_NEED_EFFECT : 0) | (needs_more(call) ? CG_NEED_MORE : 0));
}

const callgauge_call_name *cg_names_call(cg_names *names, callgauge_str text, int64_t *why)
{
    int64_t known_id = cg_intern_find(&names->index, text);
    if (known_id >= 0) {
        return names->calls[known_id];
    }
    callgauge_str kept;
    uint32_t id;
    callgauge_call_name *call = add_object(names, text, sizeof *call, &kept, &id, why);
    if (call == NULL) {
        return NULL;
    }
    const cg_class_entry *entry = cg_class_lookup(text);
    *call = (callgauge_call_name){ .text = kept, .id = id, .known = entry != NULL };
    call->call_class = entry == NULL ? CALLGAUGE_CLASS_OTHER : entry->call_class;
    call->moves = entry == NULL ? CALLGAUGE_MOVES_NOTHING : entry->moves;
    call->fd_arg = entry == NULL ? -1 : entry->fd_arg;
    call->path_arg = entry == NULL ? -1 : entry->path_arg;
    call->size_arg = entry == NULL ? -1 : entry->size_arg;
    call->fd2_arg = entry == NULL ? -1 : entry->fd2_arg;
    call->path2_arg = entry == NULL ? -1 : entry->path2_arg;
    call->does = entry == NULL ? CG_DOES_NOTHING : entry->does;
    call->needs = needs_of(call);
    names->calls[id] = call;
    return call;
}

const callgauge_name *cg_names_plain(cg_names *names, callgauge_str text, int64_t *why)
{
    int64_t known_id = cg_intern_find(&names->index, text);
    if (known_id >= 0) {
        return names->plain[known_id];
    }
    callgauge_str kept;
    uint32_t id;
    callgauge_name *name = add_object(names, text, sizeof *name, &kept, &id, why);
    if (name == NULL) {
        return NULL;
    }
    *name = (callgauge_name){ kept, id };
    names->plain[id] = name;
    return name;
}

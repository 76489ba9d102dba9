/* SPDX-License-Identifier: Apache-2.0 */
/* Names to dense ids. */
#include "base/intern.h"

#include "base/mem.h"

enum { FIRST_SLOTS = 1024 }; /* so many that the names of a system meet no other one on their way */

/* The hash of a text of more than eight bytes, eight at a time. */
static uint64_t hash_of(callgauge_str text)
{
    uint64_t hash = text.len;
    for (size_t at = 0; at + 8 < text.len; at += 8) {
        hash = (hash ^ cg_load8(text.ptr + at)) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    hash = (hash ^ cg_load8(text.ptr + text.len - 8)) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

/* What a slot has of a text, and its hash. */
static uint64_t words_of(callgauge_str text, uint64_t *lo, uint64_t *hi)
{
    if (text.len > CG_INTERN_SHORT || (text.len > 0 && memchr(text.ptr, '\0', text.len) != NULL)) {
        char bytes[CG_INTERN_SHORT] = { 0 };
        callgauge_str whole = text;
        if (text.len <= 8) {
            memcpy(bytes, text.ptr, text.len);
            whole = (callgauge_str){ bytes, sizeof bytes };
        }
        *lo = 0;
        *hi = hash_of(whole);
    } else {
        char bytes[CG_INTERN_SHORT] = { 0 };
        if (text.len > 0) {
            memcpy(bytes, text.ptr, text.len);
        }
        *lo = cg_load8(bytes);
        *hi = cg_load8(bytes + 8);
    }
    return cg_intern_hash(*lo, *hi);
}

void cg_intern_init(cg_intern *in, size_t limit)
{
    *in = (cg_intern){ .limit = limit };
}

void cg_intern_release(cg_intern *in)
{
    cg_mem_free(in->slots);
    cg_mem_free(in->texts);
    cg_arena_release(&in->arena);
    *in = (cg_intern){ .limit = in->limit };
}

static cg_intern_slot *slot_of(const cg_intern *in, callgauge_str text)
{
    uint64_t lo, hi;
    size_t at = (size_t)words_of(text, &lo, &hi) & in->mask;
    for (; in->slots[at].id1 != 0; at = (at + 1) & in->mask) {
        cg_intern_slot *slot = &in->slots[at];
        const callgauge_str *found = &in->texts[slot->id1 - 1];
        if (slot->lo == lo && slot->hi == hi && found->len == text.len && memcmp(found->ptr, text.ptr, text.len) == 0) {
            return slot;
        }
    }
    return &in->slots[at];
}

static bool grow(cg_intern *in)
{
    size_t count = in->slots == NULL ? FIRST_SLOTS : (in->mask + 1) * 2;
    cg_intern_slot *slots = cg_mem_zeroed(count, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    cg_mem_free(in->slots);
    in->slots = slots;
    in->mask = count - 1;
    for (size_t i = 0; i < in->count; i++) {
        cg_intern_slot *slot = slot_of(in, in->texts[i]);
        words_of(in->texts[i], &slot->lo, &slot->hi);
        slot->id1 = (uint32_t)i + 1;
    }
    return true;
}

static bool room_for_one(cg_intern *in)
{
    if ((in->slots == NULL || in->count * 2 >= in->mask) && !grow(in)) {
        return false;
    }
    if (in->count < in->room) {
        return true;
    }
    size_t room = in->room == 0 ? 64 : in->room * 2;
    callgauge_str *texts = cg_mem_resize(in->texts, room * sizeof *texts);
    if (texts == NULL) {
        return false;
    }
    in->texts = texts;
    in->room = room;
    return true;
}

int64_t cg_intern_find(const cg_intern *in, callgauge_str text)
{
    if (in->slots == NULL) {
        return CG_INTERN_NONE;
    }
    const cg_intern_slot *slot = slot_of(in, text);
    return slot->id1 == 0 ? CG_INTERN_NONE : (int64_t)slot->id1 - 1;
}

int64_t cg_intern_add(cg_intern *in, callgauge_str text)
{
    int64_t id = cg_intern_find(in, text);
    if (id != CG_INTERN_NONE) {
        return id;
    }
    if (in->count >= in->limit) {
        return CG_INTERN_FULL;
    }
    if (!room_for_one(in) || !cg_arena_str(&in->arena, text, &in->texts[in->count])) {
        return CG_INTERN_NOMEM;
    }
    cg_intern_slot *slot = slot_of(in, text);
    words_of(text, &slot->lo, &slot->hi);
    slot->id1 = (uint32_t)++in->count;
    return (int64_t)in->count - 1;
}

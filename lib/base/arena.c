/* SPDX-License-Identifier: Apache-2.0 */
/* A bump allocator in blocks of 4 KiB; what is larger gets a block of its own. */
#include "base/arena.h"

#include <stdalign.h>
#include <string.h>

#include "base/mem.h"

enum { BLOCK_ROOM = 4096 };

struct cg_arena_block {
    struct cg_arena_block *before;
    size_t used, room;
    alignas(max_align_t) char data[];
};

void *cg_arena_alloc(cg_arena *arena, size_t size)
{
    size_t align = alignof(max_align_t);
    if (size > SIZE_MAX / 2) {
        return NULL;
    }
    size = (size + align - 1) / align * align;
    struct cg_arena_block *block = arena->last;
    if (block == NULL || block->room - block->used < size) {
        size_t room = size > BLOCK_ROOM ? size : BLOCK_ROOM;
        block = cg_mem_alloc(sizeof *block + room);
        if (block == NULL) {
            return NULL;
        }
        block->before = arena->last;
        block->used = 0;
        block->room = room;
        arena->last = block;
    }
    void *out = block->data + block->used;
    block->used += size;
    memset(out, 0, size);
    return out;
}

char *cg_arena_copy(cg_arena *arena, const char *data, size_t len)
{
    char *out = cg_arena_alloc(arena, len + 1);
    if (out != NULL && len > 0) {
        memcpy(out, data, len);
    }
    return out;
}

bool cg_arena_str(cg_arena *arena, callgauge_str text, callgauge_str *out)
{
    char *copy = cg_arena_copy(arena, text.ptr, text.len);
    if (copy == NULL) {
        return false;
    }
    *out = (callgauge_str){ copy, text.len };
    return true;
}

void cg_arena_join(cg_arena *arena, cg_arena *other)
{
    struct cg_arena_block *first = other->last;
    while (first != NULL && first->before != NULL) {
        first = first->before;
    }
    if (first != NULL) {
        first->before = arena->last;
        arena->last = other->last;
        other->last = NULL;
    }
}

void cg_arena_release(cg_arena *arena)
{
    while (arena->last != NULL) {
        struct cg_arena_block *block = arena->last;
        arena->last = block->before;
        cg_mem_free(block);
    }
}

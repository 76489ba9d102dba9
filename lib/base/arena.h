/* SPDX-License-Identifier: Apache-2.0 */
/* A bump allocator: many small things that die together. Pointers stay valid until release. */
#ifndef CG_BASE_ARENA_H
#define CG_BASE_ARENA_H

#include <callgauge/types.h>

typedef struct cg_arena {
    struct cg_arena_block *last;
} cg_arena;

/* All return NULL when there is no memory; the arena stays valid. Zero-initialise before first use. */
void *cg_arena_alloc(cg_arena *arena, size_t size);                 /* aligned for any object, cleared */
char *cg_arena_copy(cg_arena *arena, const char *data, size_t len); /* with a NUL behind it */
bool cg_arena_str(cg_arena *arena, callgauge_str text, callgauge_str *out);
/* What lies in `other` lies in `arena` from here on; `other` is empty then. */
void cg_arena_join(cg_arena *arena, cg_arena *other);
void cg_arena_release(cg_arena *arena);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Names to dense ids. Short names (of up to 16 bytes, none NUL: nearly all) are found with two masked words and
 * one multiply.
 * Invariant: entry i of `texts` has id i; slots hold id + 1, 0 is empty; the table is at most half full. */
#ifndef CG_BASE_INTERN_H
#define CG_BASE_INTERN_H

#include <callgauge/types.h>
#include <string.h>

#include "base/arena.h"
#include "base/swar.h"

typedef struct cg_intern_slot {
    uint64_t lo, hi; /* a short text, the first byte lowest, zero-filled; of any other 0 and a hash */
    uint64_t id1;    /* id + 1; 0: empty */
} cg_intern_slot;

typedef struct cg_intern {
    cg_intern_slot *slots;
    size_t mask;          /* slots - 1 */
    callgauge_str *texts; /* by id, in `arena` */
    size_t count, room, limit;
    cg_arena arena;
} cg_intern;

enum { CG_INTERN_SHORT = 16 };
enum { CG_INTERN_NONE = -1, CG_INTERN_NOMEM = -2, CG_INTERN_FULL = -3 };

void cg_intern_init(cg_intern *in, size_t limit);
void cg_intern_release(cg_intern *in);
/* The id of `text`, new or old; CG_INTERN_NOMEM; CG_INTERN_FULL: limit reached and it is new. */
int64_t cg_intern_add(cg_intern *in, callgauge_str text);
/* The id of `text`, or CG_INTERN_NONE. */
int64_t cg_intern_find(const cg_intern *in, callgauge_str text);

static inline uint64_t cg_intern_hash(uint64_t lo, uint64_t hi)
{
    return (lo ^ (hi << 23 | hi >> 41)) * 0xD6E8FEB86659FD93u >> 40;
}

/* The id and 1 of a short name, with CG_PAD readable bytes from `ptr` on, in a table that has names; 0: none. */
static inline __attribute__((always_inline)) uint64_t cg_intern_seek_short(const cg_intern *in, const char *ptr,
                                                                           size_t len)
{
    static const char keep[2 * CG_INTERN_SHORT] = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    const char *mine = keep + CG_INTERN_SHORT - len;
    uint64_t lo = cg_load8(ptr) & cg_load8(mine);
    uint64_t hi = cg_load8(ptr + 8) & cg_load8(mine + 8);
    size_t at = (size_t)cg_intern_hash(lo, hi) & in->mask;
    for (;;) {
        const cg_intern_slot *slot = &in->slots[at];
        if (cg_often(slot->lo == lo && slot->hi == hi)) {
            return slot->id1;
        }
        if (slot->id1 == 0) {
            return 0;
        }
        at = (at + 1) & in->mask;
    }
}

/* As cg_intern_find() for a short name, in any table. */
static inline __attribute__((always_inline)) int64_t cg_intern_find_short(const cg_intern *in, const char *ptr,
                                                                          size_t len)
{
    return in->slots == NULL ? CG_INTERN_NONE : (int64_t)cg_intern_seek_short(in, ptr, len) - 1;
}

#endif

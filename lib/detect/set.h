/* SPDX-License-Identifier: Apache-2.0 */
/* A set of hashes, to count how many distinct values there were. Two values of one hash count once: at a million values
 * the chance is one in thirty million. */
#ifndef CG_DETECT_SET_H
#define CG_DETECT_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cg_set {
    uint64_t *slots; /* 0: empty */
    size_t room, count;
} cg_set;

/* False: no memory. */
bool cg_set_add(cg_set *set, uint64_t hash);
bool cg_set_has(const cg_set *set, uint64_t hash);
void cg_set_clear(cg_set *set);
void cg_set_release(cg_set *set);

#endif

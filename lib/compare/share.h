/* SPDX-License-Identifier: Apache-2.0 */
/* A number by the number of units that it is of. Shares are held against each other exactly, without dividing. */
#ifndef CG_COMPARE_SHARE_H
#define CG_COMPARE_SHARE_H

#include <stddef.h>
#include <stdint.h>

typedef struct cg_share {
    int64_t value;  /* not negative */
    uint64_t units; /* at least 1 */
} cg_share;

/* -1, 0, 1. For qsort(). */
int cg_share_cmp(const void *a, const void *b);

static inline double cg_share_size(cg_share share)
{
    return (double)share.value / (double)share.units;
}

/* The value for so many units. Divided once and last, so that what comes out whole is whole. */
static inline double cg_share_of(cg_share share, uint64_t units)
{
    return share.units == units ? (double)share.value : (double)share.value * (double)units / (double)share.units;
}

#endif

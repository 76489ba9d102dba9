/* SPDX-License-Identifier: Apache-2.0 */
/* Answers of comparisons, as qsort() wants them: below 0, 0, above 0. */
#ifndef CG_BASE_ORDER_H
#define CG_BASE_ORDER_H

#include <stddef.h>
#include <stdint.h>

static inline int cg_cmp_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static inline int cg_cmp_i64(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* The first of `n` answers that is not 0. */
static inline int cg_first_of(const int *answers, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (answers[i] != 0) {
            return answers[i];
        }
    }
    return 0;
}

#endif

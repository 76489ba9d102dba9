/* SPDX-License-Identifier: Apache-2.0 */
/* The rank test of Mann and Whitney: do two sets of numbers come from one distribution? */
#ifndef CG_COMPARE_RANK_TEST_H
#define CG_COMPARE_RANK_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CG_RANK_TEST_EXACT = 40 }; /* numbers in all, up to which p is exact */

/* The two-sided p of `a` and `b`, where only the order of the numbers matters; equal numbers share their ranks. Either
 * set may be in any order. 1 where a set is empty or all numbers are equal. False: no memory. */
bool cg_rank_test(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count, double *p);

#endif

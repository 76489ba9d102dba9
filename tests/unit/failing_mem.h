/* SPDX-License-Identifier: Apache-2.0 */
/* The allocation seam of base/mem.h with a fault to order: programs named test_*_nomem link
 * failing_mem.c in place of lib/base/mem.c. For tests of one thread.
 * Invariant: after failing_mem_after(n) the allocations 1 to n - 1 succeed and every later one fails. */
#ifndef CG_TEST_FAILING_MEM_H
#define CG_TEST_FAILING_MEM_H

#include <stdbool.h>
#include <stddef.h>

/* Lets the n-th allocation from now (from 1) and all later ones fail; 0: none fails. */
void failing_mem_after(size_t n);
/* Whether an allocation has failed since failing_mem_after(): when not, n was past the last one. */
bool failing_mem_failed(void);
/* Blocks that are allocated and not freed: what it is before and after a test says whether it leaks. */
size_t failing_mem_live(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The allocation seam: every byte the library takes from the heap passes here, so that a test can
 * link its own mem.c and make the n-th allocation fail. */
#ifndef CG_BASE_MEM_H
#define CG_BASE_MEM_H

#include <stddef.h>

void *cg_mem_alloc(size_t size);
/* Cleared memory; NULL when count * size overflows. */
void *cg_mem_zeroed(size_t count, size_t size);
void *cg_mem_resize(void *old, size_t size);
void cg_mem_free(void *ptr);

#endif

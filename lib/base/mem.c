/* SPDX-License-Identifier: Apache-2.0 */
/* The allocation seam, on top of the C library's heap. */
#include "base/mem.h"

#include <stdlib.h>

void *cg_mem_alloc(size_t size)
{
    return malloc(size);
}

void *cg_mem_zeroed(size_t count, size_t size)
{
    return calloc(count, size);
}

void *cg_mem_resize(void *old, size_t size)
{
    return realloc(old, size);
}

void cg_mem_free(void *ptr)
{
    free(ptr);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* See failing_mem.h: allocations counted down to the one that fails, and live blocks counted. */
#include "failing_mem.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"

static struct {
    size_t left; /* allocations that still succeed, when `armed` */
    size_t live;
    bool armed, failed;
} mem;

void failing_mem_after(size_t n)
{
    mem.armed = n > 0;
    mem.left = n > 0 ? n - 1 : 0;
    mem.failed = false;
}

bool failing_mem_failed(void)
{
    return mem.failed;
}

size_t failing_mem_live(void)
{
    return mem.live;
}

/* Whether this allocation is one that fails. */
static bool refuse(void)
{
    if (!mem.armed) {
        return false;
    }
    if (mem.left > 0) {
        mem.left--;
        return false;
    }
    mem.failed = true;
    return true;
}

static void *counted(void *block)
{
    mem.live += block != NULL;
    return block;
}

void *cg_mem_alloc(size_t size)
{
    return refuse() ? NULL : counted(malloc(size));
}

void *cg_mem_zeroed(size_t count, size_t size)
{
    if (refuse() || (size != 0 && count > SIZE_MAX / size)) {
        return NULL;
    }
    return counted(calloc(count, size));
}

void *cg_mem_resize(void *old, size_t size)
{
    if (refuse()) {
        return NULL;
    }
    return old == NULL ? counted(malloc(size)) : realloc(old, size);
}

void cg_mem_free(void *ptr)
{
    mem.live -= ptr != NULL;
    free(ptr);
}

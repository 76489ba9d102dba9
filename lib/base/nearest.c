/* SPDX-License-Identifier: Apache-2.0 */
/* Nearness of names by how many letters were added, left out, changed or swapped. */
#include "base/nearest.h"

enum { LONGEST = 40 }; /* names that are compared letter by letter */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Optimal string alignment; both are at most LONGEST long. */
static unsigned distance(callgauge_str a, callgauge_str b)
{
    unsigned rows[3][LONGEST + 1];
    unsigned *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= b.len; j++) {
        last[j] = (unsigned)j;
    }
    for (size_t i = 1; i <= a.len; i++) {
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= b.len; j++) {
            unsigned changed = last[j - 1] + (a.ptr[i - 1] != b.ptr[j - 1]);
            now[j] = least(changed, least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a.ptr[i - 1] == b.ptr[j - 2] && a.ptr[i - 2] == b.ptr[j - 1]) {
                now[j] = least(now[j], before[j - 2] + 1);
            }
        }
        unsigned *freed = before;
        before = last;
        last = now;
        now = freed;
    }
    return last[b.len];
}

cg_nearest cg_nearest_to(callgauge_str wrong)
{
    return (cg_nearest){ .wrong = wrong, .distance = wrong.len < 4 ? 2 : wrong.len < 8 ? 3 : 4 };
}

void cg_nearest_try(cg_nearest *nearest, callgauge_str name)
{
    if (name.len > LONGEST || nearest->wrong.len > LONGEST || name.len == 0) {
        return;
    }
    unsigned far = distance(nearest->wrong, name);
    if (far < nearest->distance && far < (name.len > nearest->wrong.len ? name.len : nearest->wrong.len)) {
        nearest->distance = far;
        nearest->best = name;
    }
}

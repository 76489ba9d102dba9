/* SPDX-License-Identifier: Apache-2.0 */
/* The order of fractions, as Euclid finds it: by their whole parts, then by the turned fractions of what is left. */
#include "compare/share.h"

int cg_share_cmp(const void *a, const void *b)
{
    const cg_share *x = a, *y = b;
    uint64_t p = (uint64_t)x->value, q = x->units, r = (uint64_t)y->value, s = y->units; /* p / q against r / s */
    for (;;) {
        uint64_t whole = p / q, other = r / s;
        if (whole != other) {
            return whole < other ? -1 : 1;
        }
        p %= q;
        r %= s;
        if (p == 0 || r == 0) {
            return (p > 0) - (r > 0);
        }
        uint64_t turned = q; /* both are below 1, and p / q < r / s if and only if s / r < q / p */
        q = r;
        r = turned;
        turned = p;
        p = s;
        s = turned;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* H. B. Mann, D. R. Whitney, "On a Test of Whether one of Two Random Variables is Stochastically Larger than the
 * Other", Annals of Mathematical Statistics 18(1), 1947, 50-60; two-sided. Equal numbers get the mean of their ranks.
 * For few numbers p is exact also with equal ones: if all come from one distribution, each choice of a_count of the
 * ranks is as likely as any other, and the sums of all choices are counted by dynamic programming. For many numbers the
 * sum is taken to be normal, with the variance that equal numbers leave and a correction for continuity. Ranks are
 * doubled, so that all are whole. */
#include "compare/rank_test.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

typedef struct ranked {
    uint64_t number;
    uint64_t rank; /* twice its rank, from 2 on */
    bool of_a;
} ranked;

static int ranked_cmp(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* Gives each its rank, and the sum of t^3 - t over groups of t equal numbers. */
static double set_ranks(ranked *all, size_t count)
{
    double ties = 0;
    qsort(all, count, sizeof *all, ranked_cmp);
    for (size_t i = 0, same; i < count; i += same) {
        for (same = 1; i + same < count && all[i + same].number == all[i].number;) {
            same++;
        }
        for (size_t k = 0; k < same; k++) {
            all[i + k].rank = 2 * i + same + 1; /* the ranks are i + 1 to i + same */
        }
        ties += (double)same * (double)same * (double)same - (double)same;
    }
    return ties;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Of all ways to choose `some` of the ranks: the share of those whose sum is as far from the mean as `sum` is.
 * ways[k][s] counts those of k ranks with the sum s. False: no memory. */
static bool exact(const ranked *all, size_t count, size_t some, uint64_t sum, double *p)
{
    uint64_t most = (uint64_t)count * (count + 1); /* the sum of all ranks, doubled */
    uint64_t mean = most * some / count;           /* (count + 1) * some: whole */
    double *ways = cg_mem_zeroed((some + 1) * (size_t)(most + 1), sizeof *ways);
    if (ways == NULL) {
        return false;
    }
    ways[0] = 1;
    uint64_t reach = 0; /* no sum of the ranks so far is larger */
    for (size_t i = 0; i < count; i++) {
        reach += all[i].rank;
        for (size_t k = (i < some ? i + 1 : some); k > 0; k--) {
            double *to = ways + k * (size_t)(most + 1);
            const double *from = to - (most + 1);
            for (uint64_t s = all[i].rank; s <= reach; s++) {
                to[s] += from[s - all[i].rank];
            }
        }
    }
    double far = 0, choices = 0;
    const double *last = ways + some * (size_t)(most + 1);
    for (uint64_t s = 0; s <= most; s++) {
        choices += last[s];
        far += distance(s, mean) >= distance(sum, mean) ? last[s] : 0;
    }
    *p = far / choices;
    cg_mem_free(ways);
    return true;
}

static double normal(size_t a_count, size_t b_count, uint64_t sum, double ties)
{
    double a = (double)a_count, b = (double)b_count, n = a + b;
    double away = fabs((double)sum / 2 - a * (n + 1) / 2) - 0.5; /* half a step for continuity */
    double variance = a * b / 12 * (n + 1 - ties / (n * (n - 1)));
    return away <= 0 ? 1 : erfc(away / sqrt(2 * variance));
}

bool cg_rank_test(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count, double *p)
{
    size_t count = a_count + b_count;
    *p = 1;
    if (a_count == 0 || b_count == 0) {
        return true;
    }
    ranked *all = cg_mem_zeroed(count, sizeof *all);
    if (all == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        all[i] = (ranked){ .number = i < a_count ? a[i] : b[i - a_count], .of_a = i < a_count };
    }
    double ties = set_ranks(all, count);
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += all[i].of_a ? all[i].rank : 0;
    }
    bool ok = true;
    if (all[0].number != all[count - 1].number) {
        if (count <= CG_RANK_TEST_EXACT) {
            ok = exact(all, count, a_count, sum, p);
        } else {
            *p = normal(a_count, b_count, sum, ties);
        }
    }
    cg_mem_free(all);
    return ok;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Log-linear buckets of durations, 64 to an octave: what each holds, and percentiles from them.
 * Invariant: the buckets of a row ascend and none is empty. */
#include "report/report.h"

void callgauge_bucket_range(uint32_t index, int64_t *low, int64_t *high)
{
    uint64_t from = index;
    uint64_t to = from + 1;
    if (index >= CG_BUCKET_COUNT) {
        from = to = INT64_MAX;
    } else if (index >= 2 * CG_BUCKET_SCALE) {
        unsigned shift = index / CG_BUCKET_SCALE - 1;
        from = (uint64_t)(index - shift * CG_BUCKET_SCALE) << shift;
        to = from + ((uint64_t)1 << shift);
    }
    if (low != NULL) {
        *low = (int64_t)from;
    }
    if (high != NULL) {
        *high = to > INT64_MAX ? INT64_MAX : (int64_t)to;
    }
}

static int64_t middle_of(uint32_t index)
{
    int64_t low, high;
    callgauge_bucket_range(index, &low, &high);
    return low + (high - low) / 2;
}

int64_t cg_bucket_quantile(const callgauge_bucket *buckets, size_t count, unsigned percent, int64_t min, int64_t max)
{
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        total = cg_count_add(total, buckets[i].count);
    }
    if (total == 0) {
        return CALLGAUGE_UNKNOWN;
    }
    uint64_t rank = total / 100 * percent + (total % 100 * percent + 99) / 100;
    uint64_t passed = 0;
    size_t at = 0;
    while (at + 1 < count && (passed = cg_count_add(passed, buckets[at].count)) < rank) {
        at++;
    }
    if (rank == total && max != CALLGAUGE_UNKNOWN) {
        return max;
    }
    if (rank == 1 && min != CALLGAUGE_UNKNOWN) {
        return min;
    }
    int64_t value = middle_of(buckets[at].index);
    if (max != CALLGAUGE_UNKNOWN && value > max) {
        value = max;
    }
    return min != CALLGAUGE_UNKNOWN && value < min ? min : value;
}

bool cg_call_row_set_buckets(callgauge_call_row *row, uint64_t *const *octaves, cg_arena *arena)
{
    size_t used = 0, at = 0;
    for (size_t i = 0; i < CG_BUCKET_COUNT; i++) {
        if (octaves[i / CG_BUCKET_SCALE] == NULL) {
            i += CG_BUCKET_SCALE - 1;
            continue;
        }
        used += octaves[i / CG_BUCKET_SCALE][i % CG_BUCKET_SCALE] != 0;
    }
    callgauge_bucket *buckets = cg_arena_alloc(arena, used * sizeof *buckets);
    if (buckets == NULL) {
        return false;
    }
    for (size_t i = 0; at < used; i++) {
        const uint64_t *octave = octaves[i / CG_BUCKET_SCALE];
        uint64_t count = octave == NULL ? 0 : octave[i % CG_BUCKET_SCALE];
        if (count != 0) {
            buckets[at++] = (callgauge_bucket){ .index = (uint32_t)i, .count = count };
        }
    }
    row->buckets = buckets;
    row->bucket_count = used;
    return true;
}

bool cg_buckets_add(cg_buckets a, cg_buckets b, cg_arena *arena, cg_buckets *out)
{
    callgauge_bucket *rows = cg_arena_alloc(arena, (a.count + b.count) * sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    size_t used = 0, i = 0, k = 0;
    while (i < a.count || k < b.count) {
        bool first = k == b.count || (i < a.count && a.rows[i].index <= b.rows[k].index);
        callgauge_bucket bucket = first ? a.rows[i++] : b.rows[k++];
        if (used > 0 && rows[used - 1].index == bucket.index) {
            rows[used - 1].count = cg_count_add(rows[used - 1].count, bucket.count);
        } else {
            rows[used++] = bucket;
        }
    }
    *out = (cg_buckets){ rows, used };
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* From the values of two sides to what became of a measure: docs/comparing.md has the rules.
 * Invariant: with the sides swapped, better is worse and nothing else changes; so floors are held against the smaller
 * side. */
#include "compare/comparing.h"

#include <stdlib.h>

#include "compare/rank_test.h"
#include "compare/share.h"

/* The values of a side, the smallest first. */
typedef struct spread {
    cg_share *shares;
    size_t count;
} spread;

static cg_share median(spread side)
{
    return side.shares[(side.count - 1) / 2];
}

static bool varies(spread side)
{
    return cg_share_cmp(&side.shares[0], &side.shares[side.count - 1]) != 0;
}

/* Fills a side of the amount. False: it is not known on all its reports. */
static bool take_side(const cg_comparing *c, const cg_party *party, const int64_t *values, spread *to,
                      callgauge_side *out)
{
    size_t first = (size_t)(party->samples - c->samples);
    *out = (callgauge_side){ CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN, -1 };
    int64_t min = INT64_MAX, max = 0;
    for (size_t i = 0; i < party->count; i++) {
        int64_t value = values[first + i];
        if (value == CALLGAUGE_UNKNOWN) {
            return false;
        }
        to->shares[i] = (cg_share){ value, c->per_unit ? party->samples[i].units : 1 };
        min = value < min ? value : min;
        max = value > max ? value : max;
    }
    to->count = party->count;
    if (to->count > 1) {
        qsort(to->shares, to->count, sizeof *to->shares, cg_share_cmp);
    }
    cg_share middle = median(*to);
    *out = (callgauge_side){ middle.value, min, max, c->per_unit ? cg_share_size(middle) : -1 };
    return true;
}

/* Whether the medians are so far apart that it matters. The absolute floor is for as many units as the smaller side
 * has. */
static bool passes_floors(const cg_comparing *c, callgauge_measure measure, cg_share before, cg_share after)
{
    const callgauge_compare_options *o = &c->options;
    bool time = cg_is_time(measure);
    uint64_t units = before.units < after.units ? before.units : after.units;
    double x = cg_share_of(before, units), y = cg_share_of(after, units);
    double apart = x > y ? x - y : y - x, smaller = x > y ? y : x;
    double floor = time ? (double)o->time_floor_ns : (double)o->count_floor;
    double percent = time ? o->time_percent : o->count_percent;
    return apart >= floor && apart * 100 >= percent * smaller;
}

/* Each share as its place among all shares: equal ones have one. */
static void take_places(const spread *sides, uint64_t *places)
{
    size_t i[2] = { 0, 0 };
    uint64_t place = 0;
    while (i[0] < sides[0].count || i[1] < sides[1].count) {
        const cg_share *next = i[0] < sides[0].count ? &sides[0].shares[i[0]] : &sides[1].shares[i[1]];
        if (i[0] < sides[0].count && i[1] < sides[1].count && cg_share_cmp(&sides[1].shares[i[1]], next) < 0) {
            next = &sides[1].shares[i[1]];
        }
        cg_share least = *next;
        for (size_t k = 0; k < 2; k++) {
            while (i[k] < sides[k].count && cg_share_cmp(&sides[k].shares[i[k]], &least) == 0) {
                places[(k == 0 ? 0 : sides[0].count) + i[k]++] = place;
            }
        }
        place++;
    }
}

static bool overlap(const spread *sides)
{
    const spread *a = &sides[0], *b = &sides[1];
    return cg_share_cmp(&a->shares[0], &b->shares[b->count - 1]) <= 0 &&
           cg_share_cmp(&b->shares[0], &a->shares[a->count - 1]) <= 0;
}

/* Whether sides that vary in themselves differ. False: no memory. */
static bool is_beyond_noise(cg_comparing *c, const spread *sides, double *p, bool *differs)
{
    size_t least = sides[0].count < sides[1].count ? sides[0].count : sides[1].count;
    if (least < CALLGAUGE_RANK_TEST_LEAST) {
        *differs = !overlap(sides);
        return true;
    }
    take_places(sides, c->places);
    if (!cg_rank_test(c->places, sides[0].count, c->places + sides[0].count, sides[1].count, p)) {
        return false;
    }
    *differs = *p < 0.01;
    return true;
}

static callgauge_verdict verdict_of(callgauge_measure measure, int direction)
{
    if (cg_is_bytes(measure)) {
        return CALLGAUGE_VERDICT_DIFFERENT;
    }
    return direction > 0 ? CALLGAUGE_VERDICT_REGRESSION : CALLGAUGE_VERDICT_IMPROVED;
}

/* Times that say nothing of a single run. */
static bool is_noise(const cg_comparing *c, callgauge_measure measure)
{
    bool alone = c->before.count < 2 || c->after.count < 2;
    return alone && (measure == CALLGAUGE_MEASURE_WALL || (measure == CALLGAUGE_MEASURE_CPU && c->has_rough_cpu));
}

bool cg_judge(cg_comparing *c, callgauge_measure measure, callgauge_amount *out)
{
    const int64_t *values = c->values + (size_t)measure * c->count;
    spread sides[2] = { { .shares = c->shares }, { .shares = c->shares + c->before.count } };
    *out = (callgauge_amount){ .p = -1 };
    bool known = take_side(c, &c->before, values, &sides[0], &out->before);
    known = take_side(c, &c->after, values, &sides[1], &out->after) && known;
    out->judged = known && measure != CALLGAUGE_MEASURE_ELAPSED && !is_noise(c, measure);
    if (!out->judged) {
        return true;
    }
    cg_share before = median(sides[0]), after = median(sides[1]);
    int direction = cg_share_cmp(&after, &before);
    bool differs = direction != 0 && passes_floors(c, measure, before, after);
    if (differs && (varies(sides[0]) || varies(sides[1])) && !is_beyond_noise(c, sides, &out->p, &differs)) {
        return false;
    }
    out->verdict = differs ? verdict_of(measure, direction) : CALLGAUGE_VERDICT_SAME;
    return true;
}

bool cg_amount_matters(const cg_comparing *c, callgauge_measure measure, const callgauge_amount *amount)
{
    if (amount->before.value == CALLGAUGE_UNKNOWN || amount->after.value == CALLGAUGE_UNKNOWN) {
        return false;
    }
    return passes_floors(c, measure, (cg_share){ amount->before.value, 1 }, (cg_share){ amount->after.value, 1 });
}

/* --- rows */

callgauge_measure cg_shown_time(const cg_comparing *c, const callgauge_amount *amounts)
{
    static const callgauge_measure times[] = { CALLGAUGE_MEASURE_WALL, CALLGAUGE_MEASURE_CPU };
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        if (!amounts[times[i]].judged && cg_amount_matters(c, times[i], &amounts[times[i]])) {
            return times[i];
        }
    }
    return CALLGAUGE_MEASURE_COUNT;
}

callgauge_verdict cg_amounts_verdict(const callgauge_amount *amounts)
{
    bool worse = false, better = false, different = false;
    for (size_t m = 0; m < CALLGAUGE_MEASURE_COUNT; m++) {
        callgauge_verdict verdict = amounts[m].verdict;
        worse = worse || verdict == CALLGAUGE_VERDICT_REGRESSION;
        better = better || verdict == CALLGAUGE_VERDICT_IMPROVED;
        different = different || verdict == CALLGAUGE_VERDICT_DIFFERENT;
    }
    if (worse && (!better || amounts[CALLGAUGE_MEASURE_ERRORS].verdict == CALLGAUGE_VERDICT_REGRESSION)) {
        return CALLGAUGE_VERDICT_REGRESSION;
    }
    if (worse) {
        return CALLGAUGE_VERDICT_DIFFERENT;
    }
    if (better) {
        return CALLGAUGE_VERDICT_IMPROVED;
    }
    return different ? CALLGAUGE_VERDICT_DIFFERENT : CALLGAUGE_VERDICT_SAME;
}

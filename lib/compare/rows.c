/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the comparison: values of samples to judged amounts, the names that are in a row, the order of rows. */
#include "compare/comparing.h"

#include <stdlib.h>

#include "base/str.h"

/* --- the row at hand */

void cg_values_begin(cg_comparing *c, cg_measures measures)
{
    for (size_t m = 0; m < CALLGAUGE_MEASURE_COUNT; m++) {
        for (size_t i = 0; i < c->count; i++) {
            bool told = (measures & c->samples[i].tells) >> m & 1;
            c->values[m * c->count + i] = told ? 0 : CALLGAUGE_UNKNOWN;
        }
    }
}

void cg_values_add(cg_comparing *c, callgauge_measure measure, size_t sample, int64_t value)
{
    int64_t *at = &c->values[(size_t)measure * c->count + sample];
    *at = *at == CALLGAUGE_UNKNOWN || value == CALLGAUGE_UNKNOWN ? CALLGAUGE_UNKNOWN : cg_known_add(*at, value);
}

void cg_values_forget(cg_comparing *c, callgauge_measure measure)
{
    for (size_t i = 0; i < c->count; i++) {
        c->values[(size_t)measure * c->count + i] = CALLGAUGE_UNKNOWN;
    }
}

/* --- rows */

/* The distinct names of items [0, count) of samples in [first, end). */
static bool take_names(cg_comparing *c, const cg_item *items, size_t count, const cg_party *party,
                       const callgauge_str **names, size_t *used)
{
    size_t first = (size_t)(party->samples - c->samples), end = first + party->count;
    callgauge_str *list = NULL;
    *used = 0;
    for (int pass = 0; pass < 2; pass++) { /* how many there are, then which */
        size_t n = 0;
        callgauge_str last = { NULL, 0 };
        for (size_t i = 0; i < count; i++) {
            bool mine = items[i].sample >= first && items[i].sample < end;
            if (mine && (n == 0 || !cg_str_eq(last, items[i].name))) {
                last = items[i].name;
                if (list != NULL) {
                    list[n] = last;
                }
                n++;
            }
        }
        if (n == 0) {
            return true;
        }
        if (list == NULL) {
            list = cg_arena_alloc(&c->out->arena, n * sizeof *list);
        }
        if (list == NULL) {
            return false;
        }
        *used = n;
    }
    *names = list;
    return true;
}

bool cg_amounts_judge(cg_comparing *c, callgauge_amount *amounts)
{
    for (size_t m = 0; m < CALLGAUGE_MEASURE_COUNT; m++) {
        if (!cg_judge(c, (callgauge_measure)m, &amounts[m])) {
            return false;
        }
    }
    return true;
}

bool cg_amounts_make(cg_comparing *c, callgauge_compare_row *out)
{
    callgauge_amount *amounts = cg_arena_alloc(&c->out->arena, CALLGAUGE_MEASURE_COUNT * sizeof *amounts);
    if (amounts == NULL || !cg_amounts_judge(c, amounts)) {
        return false;
    }
    out->amounts = amounts;
    out->verdict = cg_amounts_verdict(amounts);
    return true;
}

bool cg_row_make(cg_comparing *c, const cg_item *items, size_t count, callgauge_compare_row *out)
{
    out->name = items[0].key;
    return take_names(c, items, count, &c->before, &out->names_before, &out->names_before_count) &&
           take_names(c, items, count, &c->after, &out->names_after, &out->names_after_count) &&
           cg_amounts_make(c, out);
}

const callgauge_compare_row *cg_row_of_class(const callgauge_comparison *comparison, callgauge_class call_class)
{
    for (size_t i = 0; i < comparison->classes.count; i++) {
        if (comparison->classes.items[i].call_class == call_class) {
            return &comparison->classes.items[i];
        }
    }
    return NULL;
}

/* --- their order */

double cg_amount_change(const callgauge_amount *amount)
{
    const callgauge_side *before = &amount->before, *after = &amount->after;
    if (before->value == CALLGAUGE_UNKNOWN || after->value == CALLGAUGE_UNKNOWN) {
        return 0;
    }
    if (before->per_unit >= 0 && after->per_unit >= 0) {
        return after->per_unit - before->per_unit;
    }
    return (double)after->value - (double)before->value;
}

static double size_of(double change)
{
    return change < 0 ? -change : change;
}

double cg_amounts_impact(const callgauge_amount *amounts)
{
    return size_of(cg_amount_change(&amounts[CALLGAUGE_MEASURE_CALLS])) +
           size_of(cg_amount_change(&amounts[CALLGAUGE_MEASURE_ERRORS]));
}

static int row_cmp(const void *a, const void *b)
{
    const callgauge_compare_row *x = a, *y = b;
    if (x->verdict != y->verdict) {
        return x->verdict > y->verdict ? -1 : 1;
    }
    double counts[2] = { 0, 0 }, times[2] = { 0, 0 };
    for (size_t i = 0; i < 2; i++) {
        const callgauge_amount *amounts = i == 0 ? x->amounts : y->amounts;
        counts[i] = cg_amounts_impact(amounts);
        times[i] = size_of(cg_amount_change(&amounts[CALLGAUGE_MEASURE_CPU])) +
                   size_of(cg_amount_change(&amounts[CALLGAUGE_MEASURE_WALL]));
    }
    if (counts[0] != counts[1]) {
        return counts[0] > counts[1] ? -1 : 1;
    }
    if (times[0] != times[1]) {
        return times[0] > times[1] ? -1 : 1;
    }
    return cg_str_cmp(x->name, y->name);
}

void cg_rows_sort(cg_compare_rows *rows)
{
    if (rows->count > 1) {
        qsort(rows->items, rows->count, sizeof *rows->items, row_cmp);
    }
}

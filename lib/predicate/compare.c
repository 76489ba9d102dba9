/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing and calculating with known values. */
#include "predicate/compare.h"

#include "base/str.h"

/* --- numbers */

/* Reals that are too large for an integer, and those that lie between two, without rounding the integer. */
static int order_int_real(int64_t a, double b)
{
    if (b >= 9223372036854775808.0) {
        return -1;
    }
    if (b < -9223372036854775808.0) {
        return 1;
    }
    int64_t whole = (int64_t)b;
    if (a != whole) {
        return a < whole ? -1 : 1;
    }
    double rest = b - (double)whole;
    return rest > 0 ? -1 : rest < 0 ? 1 : 0;
}

int cg_order_of_numbers(const cg_value *a, const cg_value *b)
{
    if (!a->is_real && !b->is_real) {
        return (a->number > b->number) - (a->number < b->number);
    }
    if (a->is_real && b->is_real) {
        return (a->real > b->real) - (a->real < b->real);
    }
    return a->is_real ? -order_int_real(b->number, a->real) : order_int_real(a->number, b->real);
}

static double as_real(const cg_value *value)
{
    return value->is_real ? value->real : (double)value->number;
}

/* An overflow stays at the end that it passed. */
static int64_t calculate_whole(cg_op op, int64_t a, int64_t b)
{
    int64_t out;
    switch (op) {
    case CG_OP_ADD: return __builtin_add_overflow(a, b, &out) ? (b < 0 ? INT64_MIN + 1 : INT64_MAX) : out;
    case CG_OP_SUB: return __builtin_sub_overflow(a, b, &out) ? (b > 0 ? INT64_MIN + 1 : INT64_MAX) : out;
    default: return __builtin_mul_overflow(a, b, &out) ? ((a < 0) != (b < 0) ? INT64_MIN + 1 : INT64_MAX) : out;
    }
}

void cg_calculate(cg_op op, const cg_value *a, const cg_value *b, cg_value *out)
{
    out->known = CG_KNOWN;
    if (!a->is_real && !b->is_real) {
        out->number = calculate_whole(op, a->number, b->number);
        return;
    }
    double x = as_real(a);
    double y = as_real(b);
    out->is_real = true;
    out->real = op == CG_OP_ADD ? x + y : op == CG_OP_SUB ? x - y : x * y;
}

/* --- texts */

static size_t shorter(callgauge_str a, callgauge_str b)
{
    return a.len < b.len ? a.len : b.len;
}

static bool equal_so_far(callgauge_str a, callgauge_str b)
{
    size_t n = shorter(a, b);
    return n == 0 || memcmp(a.ptr, b.ptr, n) == 0;
}

cg_truth cg_text_equals(const cg_value *a, const cg_value *b)
{
    if (a->file != NULL && a->file == b->file) {
        return CG_YES;
    }
    if (!a->cut && !b->cut) {
        return cg_str_eq(a->text, b->text) ? CG_YES : CG_NO;
    }
    bool can_be = equal_so_far(a->text, b->text) && (a->cut || a->text.len > b->text.len) &&
                  (b->cut || b->text.len > a->text.len);
    return can_be ? CG_UNDECIDED : CG_NO;
}

cg_truth cg_text_starts(const cg_value *a, const cg_value *b)
{
    if (!equal_so_far(a->text, b->text)) {
        return CG_NO;
    }
    if (a->text.len < b->text.len) {
        return a->cut ? CG_UNDECIDED : CG_NO;
    }
    return b->cut ? CG_UNDECIDED : CG_YES;
}

cg_truth cg_text_ends(const cg_value *a, const cg_value *b)
{
    if (a->cut || b->cut) {
        return CG_UNDECIDED;
    }
    size_t n = b->text.len;
    bool ends = a->text.len >= n && (n == 0 || memcmp(a->text.ptr + a->text.len - n, b->text.ptr, n) == 0);
    return ends ? CG_YES : CG_NO;
}

static bool found(callgauge_str in, callgauge_str what)
{
    if (what.len == 0) {
        return true;
    }
    const char *at = in.ptr;
    size_t left = in.len;
    while (left >= what.len) {
        const char *first = memchr(at, what.ptr[0], left - what.len + 1);
        if (first == NULL) {
            return false;
        }
        if (memcmp(first, what.ptr, what.len) == 0) {
            return true;
        }
        left -= (size_t)(first + 1 - at);
        at = first + 1;
    }
    return false;
}

cg_truth cg_text_contains(const cg_value *a, const cg_value *b)
{
    if (found(a->text, b->text)) {
        return b->cut ? CG_UNDECIDED : CG_YES;
    }
    return a->cut ? CG_UNDECIDED : CG_NO;
}

cg_truth cg_text_has_flag(const cg_value *a, const cg_value *b)
{
    callgauge_str rest = a->text;
    while (rest.len > 0) {
        size_t bar = cg_str_find(rest, "|");
        callgauge_str name = cg_str_trim(cg_str(rest.ptr, bar));
        if (cg_str_eq(name, b->text)) {
            return CG_YES;
        }
        bar += bar < rest.len;
        rest = cg_str(rest.ptr + bar, rest.len - bar);
    }
    return CG_NO;
}

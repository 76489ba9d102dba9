/* SPDX-License-Identifier: Apache-2.0 */
/* compare/rank_test: p against values found by going through all choices of ranks (and for many numbers, by the
 * formula), with a program of another language. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compare/rank_test.h"

enum { MOST = 8 };

struct row {
    const char *name;
    uint64_t a[MOST], b[MOST];
    size_t a_count, b_count;
    double far, of; /* so many choices of all are as far from the mean */
};

static struct row rows[] = {
    { "five below five", { 1, 2, 3, 4, 5 }, { 6, 7, 8, 9, 10 }, 5, 5, 2, 252 },
    { "six below six", { 0, 1, 2, 3, 4, 5 }, { 10, 11, 12, 13, 14, 15 }, 6, 6, 2, 924 },
    { "one out of place", { 1, 2, 3, 4, 6 }, { 5, 7, 8, 9, 10 }, 5, 5, 4, 252 },
    { "three and two", { 1, 2, 3 }, { 4, 5 }, 3, 2, 2, 10 },
    { "other numbers a side", { 10, 20, 30, 40, 50 }, { 35, 45, 55, 65, 75, 85, 95 }, 5, 7, 14, 792 },
    { "larger first, no order", { 90, 80, 70, 60, 50, 40, 30 }, { 10, 20, 25, 35, 15 }, 7, 5, 4, 792 },
    { "equal numbers", { 1, 1, 2, 2, 3 }, { 2, 3, 3, 4, 4 }, 5, 5, 20, 252 },
    { "two numbers only", { 0, 0, 0, 0, 1 }, { 1, 1, 1, 1, 1 }, 5, 5, 12, 252 },
    { "one that differs", { 5, 5, 5, 5, 5 }, { 5, 5, 5, 5, 6 }, 5, 5, 252, 252 },
    { "in the middle", { 7, 8, 9, 13, 16, 20 }, { 7, 8, 12, 14, 15, 19 }, 6, 6, 924, 924 },
    { "all equal", { 3, 3, 3, 3, 3 }, { 3, 3, 3, 3, 3 }, 5, 5, 1, 1 },
    { "nothing on a side", { 1, 2 }, { 0 }, 2, 0, 1, 1 },
};

static void check_row(void **state)
{
    const struct row *row = *state;
    double p = -1, turned = -1;
    assert_true(cg_rank_test(row->a, row->a_count, row->b, row->b_count, &p));
    assert_true(fabs(p - row->far / row->of) < 1e-12);
    assert_true(cg_rank_test(row->b, row->b_count, row->a, row->a_count, &turned));
    assert_true(fabs(turned - p) < 1e-12);
}

/* Numbers from `first` on, each `step` larger, `same` of a kind. */
static void fill(uint64_t *to, size_t count, uint64_t first, uint64_t step, uint64_t same)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = (first + step * i) / same;
    }
}

static void check_many(void **state)
{
    (void)state;
    enum { ROOM = 30 };
    uint64_t a[ROOM], b[ROOM];
    double p;
    fill(a, 20, 0, 1, 1);
    fill(b, 20, 7, 1, 1);
    assert_true(cg_rank_test(a, 20, b, 20, &p)); /* forty: still exact */
    assert_true(fabs(p - 0.0013224349540062652) < 1e-12);
    fill(a, 21, 0, 3, 1);
    fill(b, 21, 20, 3, 1);
    assert_true(cg_rank_test(a, 21, b, 21, &p)); /* more: by the formula; exact it would be 0.0031 */
    assert_true(fabs(p - 0.00381690504771847) < 1e-12);
    fill(a, 30, 0, 1, 3);
    fill(b, 30, 8, 1, 3);
    assert_true(cg_rank_test(a, 30, b, 30, &p)); /* and with equal numbers; exact 0.0018 */
    assert_true(fabs(p - 0.0021797123702472177) < 1e-12);
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[ROWS + 1];
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    tests[ROWS] = (struct CMUnitTest)cmocka_unit_test(check_many);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

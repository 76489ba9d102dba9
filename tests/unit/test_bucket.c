/* SPDX-License-Identifier: Apache-2.0 */
/* report/bucket: which bucket a duration falls into, what a bucket holds, percentiles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/report.h"

static struct row {
    const char *name;
    int64_t ns;
    uint32_t index;
    int64_t low, high;
} rows[] = {
    { "zero", 0, 0, 0, 1 },
    { "the last one alone", 127, 127, 127, 128 },
    { "the first pair", 128, 128, 128, 130 },
    { "its other half", 129, 128, 128, 130 },
    { "the next pair", 130, 129, 130, 132 },
    { "the end of an octave", 255, 191, 254, 256 },
    { "the next octave", 256, 192, 256, 260 },
    { "a microsecond", 1000, 317, 1000, 1008 },
    { "below zero", -5, 0, 0, 1 },
    { "the largest", INT64_MAX, CG_BUCKET_COUNT - 1, INT64_MAX - ((INT64_C(1) << 56) - 1), INT64_MAX },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    int64_t low, high;
    assert_int_equal(cg_bucket_index(row->ns), row->index);
    callgauge_bucket_range(row->index, &low, &high);
    assert_int_equal(low, row->low);
    assert_int_equal(high, row->high);
}

static void check_every_bucket(void **state)
{
    (void)state;
    int64_t before = 0;
    for (uint32_t i = 0; i < CG_BUCKET_COUNT; i++) {
        int64_t low, high;
        callgauge_bucket_range(i, &low, &high);
        assert_int_equal(low, before);
        assert_int_equal(cg_bucket_index(low), i);
        assert_int_equal(cg_bucket_index(i + 1 == CG_BUCKET_COUNT ? high : high - 1), i);
        assert_true(high - low == 1 || (high - low) <= low / 64);
        before = high;
    }
    callgauge_bucket_range(CG_BUCKET_COUNT, NULL, NULL);
}

static void check_past_the_end(void **state)
{
    (void)state;
    int64_t low, high;
    callgauge_bucket_range(UINT32_MAX, &low, &high);
    assert_int_equal(low, INT64_MAX);
    assert_int_equal(high, INT64_MAX);
}

static void check_quantiles(void **state)
{
    (void)state;
    const callgauge_bucket tens[] = { { 10, 50 }, { 20, 40 }, { 30, 9 }, { 40, 1 } };
    assert_int_equal(cg_bucket_quantile(tens, 4, 50, 10, 40), 10);
    assert_int_equal(cg_bucket_quantile(tens, 4, 51, 10, 40), 20);
    assert_int_equal(cg_bucket_quantile(tens, 4, 90, 10, 40), 20);
    assert_int_equal(cg_bucket_quantile(tens, 4, 99, 10, 40), 30);
    assert_int_equal(cg_bucket_quantile(tens, 4, 100, 10, 40), 40);
    assert_int_equal(cg_bucket_quantile(tens, 0, 50, 10, 40), CALLGAUGE_UNKNOWN);
    const callgauge_bucket one[] = { { 317, 1 } }; /* 1000 to 1007 */
    assert_int_equal(cg_bucket_quantile(one, 1, 50, CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN), 1004);
    assert_int_equal(cg_bucket_quantile(one, 1, 50, 1000, 1001), 1001);
    assert_int_equal(cg_bucket_quantile(one, 1, 50, 1006, 1007), 1007);
    assert_int_equal(cg_bucket_quantile(one, 1, 50, 1006, CALLGAUGE_UNKNOWN), 1006);
    const callgauge_bucket coarse[] = { { 317, 1 }, { 318, 1 }, { 319, 1 } }; /* 1000, 1008, 1016 and 7 more */
    assert_int_equal(cg_bucket_quantile(coarse, 3, 33, 1001, 1022), 1001);    /* rank 1 */
    assert_int_equal(cg_bucket_quantile(coarse, 3, 50, 1001, 1022), 1012);
    assert_int_equal(cg_bucket_quantile(coarse, 3, 99, 1001, 1022), 1022); /* rank 3 */
    assert_int_equal(cg_bucket_quantile(coarse, 3, 99, 1001, CALLGAUGE_UNKNOWN), 1020);
    const callgauge_bucket huge[] = { { 1, INT64_MAX }, { 2, INT64_MAX } };
    assert_int_equal(cg_bucket_quantile(huge, 2, 50, 1, 2), 1);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + 3] = {
        [ROWS] = cmocka_unit_test(check_every_bucket),
        [ROWS + 1] = cmocka_unit_test(check_past_the_end),
        [ROWS + 2] = cmocka_unit_test(check_quantiles),
    };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("bucket", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and their ids: in the order in which they came, once each, whatever their values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/numbers.h"

static void check_few(void **state)
{
    (void)state;
    static const uint64_t values[] = { 7, 0, UINT64_MAX, 7, 1, 0, (uint64_t)1 << 32 };
    static const uint32_t ids[] = { 0, 1, 2, 0, 3, 1, 4 };
    cg_numbers numbers = { 0 };
    assert_int_equal(cg_numbers_find(&numbers, 7), CG_NUMBERS_NONE);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        assert_int_equal(cg_numbers_add(&numbers, values[i]), ids[i]);
        assert_int_equal(cg_numbers_find(&numbers, values[i]), ids[i]);
    }
    assert_int_equal(numbers.count, 5);
    assert_int_equal(cg_numbers_find(&numbers, 2), CG_NUMBERS_NONE);
    cg_numbers_release(&numbers);
    assert_int_equal(cg_numbers_find(&numbers, 7), CG_NUMBERS_NONE);
}

/* Numbers far apart, near each other, and those that differ in their high bits only. */
static void check_many(void **state)
{
    (void)state;
    static const uint64_t steps[] = { 1, 4096, (uint64_t)1 << 40 };
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        cg_numbers numbers = { 0 };
        for (uint64_t i = 0; i < 20000; i++) {
            assert_int_equal(cg_numbers_add(&numbers, i * steps[s]), i);
        }
        for (uint64_t i = 0; i < 20000; i++) {
            assert_int_equal(cg_numbers_add(&numbers, i * steps[s]), i);
        }
        assert_int_equal(numbers.count, 20000);
        cg_numbers_release(&numbers);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(check_few), cmocka_unit_test(check_many) };
    return cmocka_run_group_tests_name("numbers", tests, NULL, NULL);
}

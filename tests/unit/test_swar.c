/* SPDX-License-Identifier: Apache-2.0 */
/* base/swar: digits several at a time, texts sixteen bytes at a time, against the same one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/swar.h"

static uint64_t word_of(uint32_t number)
{
    char text[16];
    snprintf(text, sizeof text, "%08u", (unsigned)number);
    return cg_load8(text);
}

static void check_two_numbers(void **state)
{
    (void)state;
    static const uint32_t numbers[] = { 0, 1, 9, 10, 99, 9999, 10000, 99999, 123456, 12345678, 90000009, 99999999 };
    enum { COUNT = sizeof numbers / sizeof *numbers };
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(cg_digits_value(word_of(numbers[i])), numbers[i]);
        for (size_t k = 0; k < COUNT; k++) {
            uint64_t both = cg_digits_values(word_of(numbers[i]), word_of(numbers[k]));
            assert_true((uint32_t)both == numbers[i] && both >> 32 == numbers[k]);
        }
    }
    assert_true(cg_digits_values(word_of(42) & ~(uint64_t)0xFFFF, 0) == 42); /* zeros in place of digits */
}

static void check_same(void **state)
{
    (void)state;
    enum { SHORTEST = 16, LONGEST = 70 };
    char a[LONGEST + 1], b[LONGEST + 1];
    for (size_t len = SHORTEST; len < LONGEST; len++) {
        memset(a, 'a', sizeof a);
        memset(b, 'a', sizeof b);
        a[len] = 'b'; /* behind the text */
        assert_true(cg_is_same(a, b, len));
        for (size_t at = 0; at < len; at++) {
            b[at] = 'b';
            assert_false(cg_is_same(a, b, len));
            b[at] = 'a';
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(check_two_numbers), cmocka_unit_test(check_same) };
    return cmocka_run_group_tests_name("swar", tests, NULL, NULL);
}

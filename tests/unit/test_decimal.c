/* SPDX-License-Identifier: Apache-2.0 */
/* base/decimal: each reader's values, what it refuses, and where it leaves the cursor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/decimal.h"
#include "base/str.h"

enum reader { U64, I64, HEX, OCTAL, SECONDS };

struct row {
    const char *name;
    enum reader reader;
    const char *text;
    bool ok;
    int64_t value;
    size_t used;
    int decimals;
};

static struct row rows[] = {
    { "digits", U64, "8355,", true, 8355, 4, 0 },
    { "zero in front", U64, "007", true, 7, 3, 0 },
    { "greatest", U64, "18446744073709551615", true, -1, 20, 0 },
    { "one too great", U64, "18446744073709551616", false, 0, 0, 0 },
    { "no digit", U64, "x1", false, 0, 0, 0 },
    { "nothing", U64, "", false, 0, 0, 0 },
    { "no sign here", U64, "-1", false, 0, 0, 0 },

    { "minus", I64, "-3041965)", true, -3041965, 8, 0 },
    { "plain", I64, "16384", true, 16384, 5, 0 },
    { "least", I64, "-9223372036854775808", true, INT64_MIN, 20, 0 },
    { "below least", I64, "-9223372036854775809", false, 0, 0, 0 },
    { "above greatest", I64, "9223372036854775808", false, 0, 0, 0 },
    { "minus alone", I64, "-", false, 0, 0, 0 },
    { "two minus", I64, "--1", false, 0, 0, 0 },

    { "hex", HEX, "0x7ffc5053b700,", true, 0x7ffc5053b700, 14, 0 },
    { "upper case hex", HEX, "0xFFFFFD7FFFDFFAC8 ", true, -2748781167928, 18, 0 },
    { "hex of 17 digits", HEX, "0x12345678123456781", false, 0, 0, 0 },
    { "hex without digit", HEX, "0xg", false, 0, 0, 0 },
    { "hex cut off", HEX, "0x", false, 0, 0, 0 },

    { "octal", OCTAL, "0644)", true, 420, 4, 0 },
    { "octal stops at 8", OCTAL, "0128", true, 10, 3, 0 },
    { "octal zero", OCTAL, "0", true, 0, 1, 0 },
    { "octal needs a zero", OCTAL, "644", false, 0, 0, 0 },
    { "octal too great", OCTAL, "02000000000000000000000", false, 0, 0, 0 },

    { "microseconds", SECONDS, "12.000345>", true, 12000345000, 9, 6 },
    { "point first", SECONDS, ".553", true, 553000000, 4, 3 },
    { "whole seconds", SECONDS, "7 ", true, 7000000000, 1, 0 },
    { "point behind is left", SECONDS, "7.", true, 7000000000, 1, 0 },
    { "tenth digit is dropped", SECONDS, "0.1234567899", true, 123456789, 12, 10 },
    { "epoch", SECONDS, "1700000000.046200", true, 1700000000046200000, 17, 6 },
    { "held at the end of time", SECONDS, "99999999999.5", true, INT64_MAX, 13, 1 },
    { "too many digits", SECONDS, "99999999999999999999999.5", false, 0, 0, 0 },
    { "point alone", SECONDS, ".", false, 0, 0, 0 },
    { "no number", SECONDS, "<0.1", false, 0, 0, 0 },
};

enum { ROWS = sizeof rows / sizeof *rows };

static bool read_with(const struct row *row, const char **at, const char *end, int64_t *value, int *decimals)
{
    uint64_t bits = 0;
    bool ok = false;
    switch (row->reader) {
    case U64: ok = cg_read_u64(at, end, &bits); break;
    case HEX: ok = cg_read_hex(at, end, &bits); break;
    case OCTAL: ok = cg_read_octal(at, end, &bits); break;
    case I64: return cg_read_i64(at, end, value);
    case SECONDS: return cg_read_seconds(at, end, value, decimals);
    }
    *value = (int64_t)bits;
    return ok;
}

static void check_row(void **state)
{
    const struct row *row = *state;
    const char *at = row->text;
    int64_t value = 0;
    int decimals = 0;
    assert_int_equal(read_with(row, &at, row->text + strlen(row->text), &value, &decimals), row->ok);
    assert_int_equal(at - row->text, row->used);
    if (row->ok) {
        assert_true(value == row->value);
        assert_int_equal(decimals, row->decimals);
    }
}

static void check_sum(void **state)
{
    (void)state;
    assert_true(cg_add_ns(2, 3) == 5);
    assert_true(cg_add_ns(INT64_MAX - 1, 1) == INT64_MAX);
    assert_true(cg_add_ns(INT64_MAX, 1) == INT64_MAX);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + 1] = { [ROWS] = cmocka_unit_test(check_sum) };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("decimal", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* base/buf: what is added is there, and what does not fit changes nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/str.h"

struct row {
    const char *name;
    size_t limit;
    const char *first, *second;
    bool fits;
    const char *held;
};

static struct row rows[] = {
    { "two pieces", 100, "read", "(3)", true, "read(3)" },     { "an empty piece", 100, "read", "", true, "read" },
    { "exactly full", 7, "read", "(3)", true, "read(3)" },     { "one byte too many", 6, "read", "(3)", false, "read" },
    { "nothing more when full", 4, "read", "", true, "read" },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    cg_buf buf;
    cg_buf_init(&buf, row->limit);
    assert_true(cg_buf_add_z(&buf, row->first));
    assert_int_equal(cg_buf_add_str(&buf, cg_str_z(row->second)), row->fits);
    assert_true(cg_str_is(cg_buf_str(&buf), row->held));
    assert_true(buf.len <= buf.cap && buf.len <= buf.limit);
    cg_buf_release(&buf);
}

static void check_growth(void **state)
{
    (void)state;
    cg_buf buf;
    cg_buf_init(&buf, 1000);
    for (size_t i = 0; i < 1000; i++) {
        assert_true(cg_buf_add_char(&buf, (char)('a' + i % 26)));
        assert_true(buf.cap <= 1000);
    }
    assert_false(cg_buf_add_char(&buf, '!'));
    for (size_t i = 0; i < 1000; i++) {
        assert_int_equal(buf.data[i], 'a' + i % 26);
    }
    cg_buf_release(&buf);
}

static void check_printf(void **state)
{
    (void)state;
    cg_buf buf;
    cg_buf_init(&buf, 4096);
    assert_true(cg_buf_printf(&buf, "%s=%d", "calls", 16801));
    assert_false(cg_buf_printf(&buf, "%600d", 1)); /* longer than it formats at a time */
    assert_true(cg_str_is(cg_buf_str(&buf), "calls=16801"));
    cg_buf_release(&buf);
}

static void check_release(void **state)
{
    (void)state;
    cg_buf buf;
    cg_buf_init(&buf, 10);
    assert_true(cg_buf_add_z(&buf, "0123456789"));
    cg_buf_release(&buf);
    assert_int_equal(buf.len, 0);
    assert_false(cg_buf_add_z(&buf, "0123456789a")); /* the limit stays */
    assert_true(cg_buf_add_z(&buf, "again"));
    assert_true(cg_str_is(cg_buf_str(&buf), "again"));
    cg_buf_release(&buf);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + 3] = {
        [ROWS] = cmocka_unit_test(check_growth),
        [ROWS + 1] = cmocka_unit_test(check_printf),
        [ROWS + 2] = cmocka_unit_test(check_release),
    };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("buf", tests, NULL, NULL);
}

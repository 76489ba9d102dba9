/* SPDX-License-Identifier: Apache-2.0 */
/* base/intern: equal texts get one id, different ones never do, whichever way they are looked up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/intern.h"
#include "base/str.h"

struct row {
    const char *name;
    callgauge_str first, second;
    bool same;
};

#define VIEW(text) \
    { \
        (text), sizeof(text) - 1 \
    }

static struct row rows[] = {
    { "equal", VIEW("read"), VIEW("read"), true },
    { "a prefix", VIEW("read"), VIEW("readv"), false },
    { "empty and not", VIEW(""), VIEW("r"), false },
    { "empty twice", VIEW(""), VIEW(""), true },
    { "a NUL behind", VIEW("read"), VIEW("read\0"), false },
    { "a NUL behind the first", VIEW("read\0"), VIEW("read"), false },
    { "a NUL twice", VIEW("read\0x"), VIEW("read\0x"), true },
    { "a NUL in 16 bytes and zeros", VIEW("read\0"), VIEW("read\0\0"), false },
    { "8 bytes", VIEW("pwrite64"), VIEW("pwrite64"), true },
    { "the 9th differs", VIEW("readlinka"), VIEW("readlinkb"), false },
    { "16 bytes", VIEW("rt_sigprocmask_a"), VIEW("rt_sigprocmask_a"), true },
    { "the 16th differs", VIEW("rt_sigprocmask_a"), VIEW("rt_sigprocmask_b"), false },
    { "17 bytes", VIEW("sched_setaffinity"), VIEW("sched_setaffinity"), true },
    { "the 17th differs", VIEW("sched_setaffinity"), VIEW("sched_setaffinitx"), false },
    { "long and its first 16", VIEW("sched_setaffinity"), VIEW("sched_setaffinit"), false },
};

enum { ROWS = sizeof rows / sizeof *rows };

static int64_t find_short(const cg_intern *in, callgauge_str text)
{
    char line[CG_PAD * 2];
    memset(line, '(', sizeof line); /* what follows the name must not matter */
    memcpy(line, text.ptr, text.len);
    return cg_intern_find_short(in, line, text.len);
}

static void check_row(void **state)
{
    const struct row *row = *state;
    cg_intern in;
    cg_intern_init(&in, 10);
    assert_int_equal(cg_intern_find(&in, row->first), CG_INTERN_NONE);
    assert_int_equal(cg_intern_add(&in, row->first), 0);
    assert_int_equal(cg_intern_find(&in, row->second), row->same ? 0 : CG_INTERN_NONE);
    if (row->second.len >= 1 && row->second.len <= 16 && memchr(row->second.ptr, '\0', row->second.len) == NULL) {
        assert_int_equal(find_short(&in, row->second), row->same ? 0 : CG_INTERN_NONE);
    }
    assert_int_equal(cg_intern_add(&in, row->second), row->same ? 0 : 1);
    assert_true(cg_str_eq(in.texts[0], row->first));
    cg_intern_release(&in);
}

static void check_growth(void **state)
{
    (void)state;
    cg_intern in;
    cg_intern_init(&in, 5000);
    char text[32];
    for (int i = 0; i < 5000; i++) {
        int len = snprintf(text, sizeof text, i % 2 == 0 ? "call_%d" : "a_call_of_a_long_name_%d", i);
        assert_int_equal(cg_intern_add(&in, cg_str(text, (size_t)len)), i);
    }
    for (int i = 0; i < 5000; i += 2) {
        int len = snprintf(text, sizeof text, "call_%d", i);
        assert_int_equal(cg_intern_add(&in, cg_str(text, (size_t)len)), i);
        assert_int_equal(find_short(&in, cg_str(text, (size_t)len)), i);
    }
    cg_intern_release(&in);
}

static void check_limit(void **state)
{
    (void)state;
    cg_intern in;
    cg_intern_init(&in, 2);
    assert_int_equal(cg_intern_add(&in, cg_str_z("read")), 0);
    assert_int_equal(cg_intern_add(&in, cg_str_z("write")), 1);
    assert_int_equal(cg_intern_add(&in, cg_str_z("close")), CG_INTERN_FULL);
    assert_int_equal(cg_intern_add(&in, cg_str_z("write")), 1);
    cg_intern_release(&in);
    assert_int_equal(cg_intern_find(&in, cg_str_z("read")), CG_INTERN_NONE);
    cg_intern_release(&in);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + 2] = {
        [ROWS] = cmocka_unit_test(check_growth),
        [ROWS + 1] = cmocka_unit_test(check_limit),
    };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("intern", tests, NULL, NULL);
}

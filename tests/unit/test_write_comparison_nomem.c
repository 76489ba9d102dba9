/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a comparison when memory runs out: in every form, at every allocation, a status comes back and nothing
 * leaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <callgauge/write.h>

#include "comparing.h"
#include "failing_mem.h"

static int drop(void *ctx, const char *data, size_t len)
{
    (void)ctx;
    (void)data;
    (void)len;
    return 0;
}

/* Writes with the n-th allocation failing, until none does. */
static void check_format(const callgauge_comparison *comparison, const char *format)
{
    const callgauge_output to = { drop, NULL };
    size_t live = failing_mem_live();
    bool done = false;
    for (size_t n = 1; !done; n++) {
        failing_mem_after(n);
        callgauge_status status = callgauge_write_comparison(comparison, format, NULL, &to, NULL);
        done = !failing_mem_failed();
        failing_mem_after(0);
        assert_int_equal(status, done ? CALLGAUGE_OK : CALLGAUGE_E_NOMEM);
        assert_int_equal(failing_mem_live(), live);
    }
}

static void check_all(void **state)
{
    static const char *const formats[] = { "text", "json", "csv", "markdown", "junit", "sarif", "github" };
    (void)state;
    callgauge_report *before = report_of("before", "openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
                                                   "read(3, \"abcd\", 8) = 4 <0.010000>\nclose(3) = 0\n");
    callgauge_report *after = report_of("after", "openat(AT_FDCWD, \"/b\", O_RDONLY) = -1 ENOENT (No such file)\n"
                                                 "openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
                                                 "read(3, \"abcd\", 8) = 4 <0.050000>\nclose(3) = 0\n");
    const callgauge_report *sides[] = { before, after };
    const callgauge_compare_options filtered = { .size = sizeof filtered, .after_traced = "!close" };
    callgauge_comparison *comparison;
    assert_int_equal(callgauge_compare(&sides[0], 1, &sides[1], 1, &filtered, &comparison, NULL), CALLGAUGE_OK);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        check_format(comparison, formats[i]);
    }
    callgauge_comparison_free(comparison);
    callgauge_report_free(before);
    callgauge_report_free(after);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(check_all) };
    return cmocka_run_group_tests_name("write_comparison_nomem", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* dialect/truss_result: what stands behind a call's parentheses, and that other tracers' results are not taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "dialect/truss.h"

struct row {
    const char *name, *text;
    bool whole; /* it is a result and reaches the end */
    cg_truss_ending ending;
    int64_t value, value2, number;
    const char *error, *note;
};

static struct row rows[] = {
    { "decimal", "\t\t= 8192", true, CG_TRUSS_VALUE, 8192, 0, 0, "", "" },
    { "negative", " = -1", true, CG_TRUSS_VALUE, -1, 0, 0, "", "" },
    { "hexadecimal", " = 0xFEFC0000", true, CG_TRUSS_VALUE, 0xFEFC0000, 0, 0, "", "" },
    { "64 bits", " = 0xFFFF80FFBFFE0000", true, CG_TRUSS_VALUE, (int64_t)0xFFFF80FFBFFE0000, 0, 0, "", "" },
    { "past 64 signed bits", " = 18446744073709551615", true, CG_TRUSS_VALUE, -1, 0, 0, "", "" },
    { "octal", " = 022", true, CG_TRUSS_VALUE, 18, 0, 0, "", "" },
    { "second value", "\t= 6428 [6427]", true, CG_TRUSS_VALUE, 6428, 6427, 0, "", "" },
    { "second value, hexadecimal", " = 0xFFBFFEFF [0x0000FFFF]", true, CG_TRUSS_VALUE, 0xFFBFFEFF, 0xFFFF, 0, "", "" },
    { "a signal", " = SIGRTMIN+1", true, CG_TRUSS_VALUE, 0, 0, 0, "", "" },
    { "an error", "\tErr#2 ENOENT", true, CG_TRUSS_ERROR, 0, 0, 2, "ENOENT", "" },
    { "two blanks", "\tErr#2  ENOENT", true, CG_TRUSS_ERROR, 0, 0, 2, "ENOENT", "" },
    { "a number alone", "\tErr#152", true, CG_TRUSS_ERROR, 0, 0, 152, "", "" },
    { "a privilege", "\tErr#13 EACCES [file_dac_read]", true, CG_TRUSS_ERROR, 0, 0, 13, "EACCES", "[file_dac_read]" },
    { "exec", "  argc = 4", true, CG_TRUSS_ARGC, 4, 0, 0, "", "" },
    { "asleep", "\t\t(sleeping...)", true, CG_TRUSS_ASLEEP, 0, 0, 0, "", "" },
    { "vfork", "\t(waiting for child to exit()/exec()...)", true, CG_TRUSS_ASLEEP, 0, 0, 0, "", "" },
    { "a child", "\t(returning as child ...)\t= 1200", true, CG_TRUSS_CHILD, 1200, 0, 0, "",
      "(returning as child ...)" },
    { "nothing", "", true, CG_TRUSS_NOTHING, 0, 0, 0, "", "" },
    { "blanks", " \t", true, CG_TRUSS_NOTHING, 0, 0, 0, "", "" },
    { "no gap", "= 0", false, CG_TRUSS_NOTHING, 0, 0, 0, "", "" },
    { "no blank", " =0", false, CG_TRUSS_NOTHING, 0, 0, 0, "", "" },
    { "strace's error", " = -1 ENOENT (No such file or directory)", false, CG_TRUSS_VALUE, -1, 0, 0, "", "" },
    { "strace's descriptor", " = 3</etc/motd>", false, CG_TRUSS_VALUE, 3, 0, 0, "", "" },
    { "strace's address", " = 0x7f12ab000000", false, CG_TRUSS_VALUE, 7, 0, 0, "", "" },
    { "strace's question mark", " = ?", false, CG_TRUSS_NOTHING, 0, 0, 0, "", "" },
    { "FreeBSD's value", " = 1 (0x1)", false, CG_TRUSS_VALUE, 1, 0, 0, "", "" },
    { "FreeBSD's error", " ERR#2 'No such file or directory'", false, CG_TRUSS_NOTHING, 0, 0, 0, "", "" },
    { "AIX's exec", "       argc: 1", false, CG_TRUSS_NOTHING, 0, 0, 0, "", "" },
    { "cut in the number", "\tErr#", false, CG_TRUSS_NOTHING, 0, 0, 0, "", "" },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    cg_truss_result result;
    const char *end = row->text + strlen(row->text);
    bool read = cg_truss_result_read(row->text, end, &result);
    assert_int_equal(read && result.end == end, row->whole);
    if (!read) {
        return;
    }
    assert_int_equal(result.ending, row->ending);
    assert_int_equal(result.value, row->value);
    assert_int_equal(result.value2, row->value2);
    assert_int_equal(result.error_number, row->number);
    assert_true(cg_str_is(result.error, row->error));
    assert_true(cg_str_is(result.note, row->note));
}

static void check_error_names(void **state)
{
    (void)state;
    assert_true(cg_str_is(cg_truss_error_name(11), "EAGAIN"));
    assert_true(cg_str_is(cg_truss_error_name(151), "ESTALE"));
    assert_int_equal(cg_truss_error_name(100).len, 0);
    assert_int_equal(cg_truss_error_name(-1).len, 0);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + 1] = { cmocka_unit_test(check_error_names) };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i + 1] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("truss_result", tests, NULL, NULL);
}

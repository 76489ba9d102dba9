/* SPDX-License-Identifier: Apache-2.0 */
/* report/traced: which calls a set allows, and where the fault of one that is none lies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "report/traced.h"

struct row {
    const char *name, *set, *call;
    callgauge_class call_class;
    bool allowed;
};

static struct row rows[] = {
    { "not said: all", NULL, "read", CALLGAUGE_CLASS_READ, true },
    { "named", "write,read,open64", "read", CALLGAUGE_CLASS_READ, true },
    { "not named", "write,read,open64", "close", CALLGAUGE_CLASS_CLOSE, false },
    { "no part of a name", "pread64", "read", CALLGAUGE_CLASS_READ, false },
    { "blanks", " write ,\tread ", "read", CALLGAUGE_CLASS_READ, true },
    { "of a class", "%open", "openat", CALLGAUGE_CLASS_OPEN, true },
    { "of another class", "%open", "read", CALLGAUGE_CLASS_READ, false },
    { "a class and a name", "%open,read", "read", CALLGAUGE_CLASS_READ, true },
    { "all but these: one of them", "!futex,%time", "futex", CALLGAUGE_CLASS_FUTEX, false },
    { "all but these: of the class", "!futex,%time", "clock_gettime", CALLGAUGE_CLASS_TIME, false },
    { "all but these: another", "! futex", "read", CALLGAUGE_CLASS_READ, true },
    { "a call that nobody knows", "frobnicate", "frobnicate", CALLGAUGE_CLASS_OTHER, true },
};

static struct fault {
    const char *name, *set, *message;
    uint64_t column;
} faults[] = {
    { "empty", "", "the name of a call is missing", 1 },
    { "only blanks", "  ", "the name of a call is missing", 3 },
    { "only a mark", "!", "the name of a call is missing", 2 },
    { "two commas", "read,,write", "the name of a call is missing", 6 },
    { "a comma at the end", "read,", "the name of a call is missing", 6 },
    { "a word that is no name", "read, fo-o", "'fo-o' is no name of a call", 7 },
    { "a number", "3", "'3' is no name of a call", 1 },
    { "a mark inside", "read,!write", "'!write' is no name of a call", 6 },
    { "a class misspelt", "read,%opn", "there is no class '%opn'; did you mean '%open'?", 6 },
    { "a class that is none", "%", "there is no class '%'", 1 },
};

static void check_row(void **state)
{
    const struct row *row = *state;
    cg_traced set;
    assert_int_equal(cg_traced_init(row->set, "--traced", &set, NULL), CALLGAUGE_OK);
    assert_int_equal(cg_traced_allows(&set, cg_str_z(row->call), row->call_class), row->allowed);
}

static void check_fault(void **state)
{
    const struct fault *row = *state;
    callgauge_error err = { .size = sizeof err };
    cg_traced set;
    assert_int_equal(cg_traced_init(row->set, "--traced", &set, &err), CALLGAUGE_E_USAGE);
    assert_string_equal(err.message, row->message);
    assert_string_equal(err.source, "--traced");
    assert_int_equal(err.column, row->column);
    assert_int_equal(err.offset, row->column - 1);
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof *rows, FAULTS = sizeof faults / sizeof *faults };
    struct CMUnitTest tests[ROWS + FAULTS];
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    for (size_t i = 0; i < FAULTS; i++) {
        tests[ROWS + i] =
            (struct CMUnitTest){ .name = faults[i].name, .test_func = check_fault, .initial_state = &faults[i] };
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}

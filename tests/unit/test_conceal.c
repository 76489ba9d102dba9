/* SPDX-License-Identifier: Apache-2.0 */
/* event/conceal: what of an unread line a report may show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "event/conceal.h"
#include "base/str.h"

#define DOTS "\xe2\x80\xa6"

static struct row {
    const char *name, *text, *shown;
} rows[] = {
    { "nothing", "", "" },
    { "no string", "/2:     lw", "/2:     lw" },
    { "what was read goes", "read(3</a>, \"secret\"..., 512", "read(3</a>, \"" DOTS "\"..., 512" },
    { "to the end, where it is cut", "12 write(1, \"sec", "12 write(1, \"" DOTS },
    { "a quote inside", "read(3, \"a\\\"b\", 9", "read(3, \"" DOTS "\", 9" },
    { "a backslash at the end", "read(3, \"a\\", "read(3, \"" DOTS },
    { "a path stays", "openat(AT_FDCWD, \"/etc/passwd\", O_RD", "openat(AT_FDCWD, \"/etc/passwd\", O_RD" },
    { "arguments of a program stay", "execve(\"/bin/ls\", [\"ls\"", "execve(\"/bin/ls\", [\"ls\"" },
    { "each call for itself", "open(\"/a\") = 3 read(3, \"b\", 1 open(\"/c\"",
      "open(\"/a\") = 3 read(3, \"" DOTS "\", 1 open(\"/c\"" },
    { "a call that is not known", "frobnicate(\"a\", 1", "frobnicate(\"" DOTS "\", 1" },
    { "in a structure", "writev(1, [{iov_base=\"a\", iov_len=1", "writev(1, [{iov_base=\"" DOTS "\", iov_len=1" },
    { "the rest of a string", "cret\", 512) = 6", "\"" DOTS "\", 512) = 6" },
    { "the rest of a string, another behind it", "cret\", \"more\") = 6", "\"" DOTS "\") = 6" },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    cg_arena arena = { 0 };
    callgauge_str shown;
    assert_true(cg_conceal(&arena, cg_str_z(row->text), &shown));
    assert_int_equal(shown.len, strlen(row->shown));
    assert_memory_equal(shown.ptr, row->shown, shown.len);
    cg_arena_release(&arena);
}

int main(void)
{
    struct CMUnitTest tests[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("conceal", tests, NULL, NULL);
}

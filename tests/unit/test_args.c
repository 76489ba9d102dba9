/* SPDX-License-Identifier: Apache-2.0 */
/* event/args: texts, numbers and flags of arguments, on a lexer that only splits at ", ". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "event/event.h"

static bool split(const char **at, const char *end, callgauge_str *arg)
{
    if (*at >= end) {
        return false;
    }
    callgauge_str rest = cg_str_range(*at, end);
    size_t len = cg_str_find(rest, ", ");
    *arg = cg_str(rest.ptr, len);
    *at = len + 2 < rest.len ? rest.ptr + len + 2 : end;
    return true;
}

static bool decode(callgauge_str arg, char *to, size_t room, size_t *length, bool *cut)
{
    if (arg.len < 2 || arg.ptr[0] != '"') {
        return false;
    }
    *length = arg.len - 2;
    memcpy(to, arg.ptr + 1, *length < room ? *length : room);
    *cut = false;
    return true;
}

static bool descriptor(callgauge_str arg, int64_t *fd, callgauge_str *target)
{
    if (!cg_str_starts(arg, "3<")) {
        return false;
    }
    *fd = 3;
    *target = cg_str(arg.ptr + 2, arg.len - 3);
    return true;
}

static const cg_lexer lexer = { split, decode, descriptor };

static callgauge_event event_of(const char *args)
{
    return (callgauge_event){ .kind = CALLGAUGE_EVENT_CALL, .args = cg_str_z(args), .lexer = &lexer };
}

enum asked { TEXT, NUMBER, FLAG };

struct row {
    const char *name;
    enum asked asked;
    const char *args;
    size_t index, flag;
    const char *text; /* NULL: there is none */
    int64_t number;
};

static struct row rows[] = {
    { "first", TEXT, "3, 0x1, 8", 0, 0, "3", 0 },
    { "last", TEXT, "3, 0x1, 8", 2, 0, "8", 0 },
    { "past the last", TEXT, "3, 0x1, 8", 3, 0, NULL, 0 },
    { "no arguments", TEXT, "", 0, 0, NULL, 0 },
    { "strace -N", TEXT, "dirfd=AT_FDCWD, pathname=\"a=b\", flags=O_RDONLY", 1, 0, "\"a=b\"", 0 },
    { "strace -N, the only one", TEXT, "fd=3", 0, 0, "3", 0 },
    { "names on some arguments only", TEXT, "child_stack=NULL, 17", 0, 0, "child_stack=NULL", 0 },
    { "an equals sign in a string", TEXT, "\"a=b\", c=1", 1, 0, "c=1", 0 },
    { "no identifier", TEXT, "3=x", 0, 0, "3=x", 0 },

    { "decimal", NUMBER, "8192", 0, 0, "", 8192 },
    { "zero", NUMBER, "0", 0, 0, "", 0 },
    { "negative", NUMBER, "-3041965", 0, 0, "", -3041965 },
    { "plus", NUMBER, "+5", 0, 0, "", 5 },
    { "octal", NUMBER, "0644", 0, 0, "", 420 },
    { "eight is no octal digit", NUMBER, "0648", 0, 0, NULL, 0 },
    { "hexadecimal", NUMBER, "0x7F", 0, 0, "", 127 },
    { "all bits", NUMBER, "0xffffffffffffffff", 0, 0, "", -1 },
    { "minus one unsigned", NUMBER, "18446744073709551615", 0, 0, "", -1 },
    { "least", NUMBER, "-9223372036854775808", 0, 0, "", INT64_MIN },
    { "below least", NUMBER, "-9223372036854775809", 0, 0, NULL, 0 },
    { "AT_FDCWD", NUMBER, "AT_FDCWD", 0, 0, "", -100 },
    { "AT_FDCWD decorated", NUMBER, "AT_FDCWD</tmp/w>", 0, 0, "", -100 },
    { "longer than AT_FDCWD", NUMBER, "AT_FDCWDX", 0, 0, NULL, 0 },
    { "decorated", NUMBER, "3</etc/passwd>", 0, 0, "", 3 },
    { "deleted", NUMBER, "3</tmp/f>(deleted)", 0, 0, "", 3 },
    { "nested decoration", NUMBER, "0</dev/null<char 1:3>>", 0, 0, "", 0 },
    { "comment", NUMBER, "1 /* 7119 in strace's PID NS */", 0, 0, "", 1 },
    { "decorated, comment", NUMBER, "12<pid:7> /* a > b */", 0, 0, "", 12 },
    { "raw and verbose", NUMBER, "-100 /* AT_FDCWD */", 0, 0, "", -100 },
    { "named", NUMBER, "fd=3, count=8192", 1, 0, "", 8192 },
    { "product", NUMBER, "8192*1024", 0, 0, NULL, 0 },
    { "flags", NUMBER, "O_RDONLY", 0, 0, NULL, 0 },
    { "string", NUMBER, "\"12\"", 0, 0, NULL, 0 },
    { "array", NUMBER, "[16]", 0, 0, NULL, 0 },
    { "unavailable", NUMBER, "???", 0, 0, NULL, 0 },
    { "a sign alone", NUMBER, "-", 0, 0, NULL, 0 },

    { "one flag", FLAG, "O_RDONLY", 0, 0, "O_RDONLY", 0 },
    { "second flag", FLAG, "O_RDWR|O_CREAT|O_TRUNC", 0, 1, "O_CREAT", 0 },
    { "last flag", FLAG, "O_RDWR|O_CREAT|O_TRUNC", 0, 2, "O_TRUNC", 0 },
    { "no more flags", FLAG, "O_RDWR|O_CREAT|O_TRUNC", 0, 3, NULL, 0 },
    { "unknown rest", FLAG, "O_RDWR|0x400000", 0, 1, "0x400000", 0 },
    { "shifted", FLAG, "MAP_HUGETLB|21<<MAP_HUGE_SHIFT", 0, 1, "21<<MAP_HUGE_SHIFT", 0 },
    { "flags in the comment", FLAG, "0x242 /* O_RDWR|O_CREAT */", 0, 1, "O_CREAT", 0 },
    { "nothing known", FLAG, "0x40 /* O_??? */", 0, 0, NULL, 0 },
    { "a count in the comment", FLAG, "0x7ffc5053bab8 /* 41 vars */", 0, 0, NULL, 0 },
    { "a number", FLAG, "0", 0, 0, NULL, 0 },
    { "a structure", FLAG, "{A|B}", 0, 0, NULL, 0 },
    { "a quoted bar", FLAG, "\"A|B\"", 0, 0, NULL, 0 },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    callgauge_event event = event_of(row->args);
    callgauge_str text = { "", 0 };
    int64_t number = 0;
    bool ok = false;
    switch (row->asked) {
    case TEXT: ok = callgauge_event_arg(&event, row->index, &text); break;
    case NUMBER: ok = callgauge_event_arg_number(&event, row->index, &number); break;
    case FLAG: ok = callgauge_event_arg_flag(&event, row->index, row->flag, &text); break;
    }
    assert_int_equal(ok, row->text != NULL);
    if (ok) {
        assert_true(cg_str_is(text, row->text));
        assert_true(number == row->number);
    }
}

static void check_count(void **state)
{
    (void)state;
    callgauge_event three = event_of("3, \"x\", 8");
    callgauge_event none = event_of("");
    callgauge_event no_call = { .kind = CALLGAUGE_EVENT_SIGNAL, .args = cg_str_z("3, 4") };
    assert_int_equal(callgauge_event_arg_count(&three), 3);
    assert_int_equal(callgauge_event_arg_count(&none), 0);
    assert_int_equal(callgauge_event_arg_count(&no_call), 0);
}

static void check_lexer(void **state)
{
    (void)state;
    callgauge_event event = event_of("fd=3</etc/passwd>, buf=\"root\"");
    char text[4];
    size_t length = 0;
    int64_t fd = 0;
    callgauge_str target;
    assert_true(callgauge_event_arg_fd(&event, 0, &fd, &target));
    assert_int_equal(fd, 3);
    assert_true(cg_str_is(target, "/etc/passwd"));
    assert_true(callgauge_event_arg_fd(&event, 0, &fd, NULL));
    assert_false(callgauge_event_arg_fd(&event, 1, &fd, NULL));
    assert_true(callgauge_event_arg_string(&event, 1, text, sizeof text, &length, NULL));
    assert_int_equal(length, 4);
    assert_memory_equal(text, "root", 4);
    assert_false(callgauge_event_arg_string(&event, 2, text, sizeof text, &length, NULL));
}

int main(void)
{
    struct CMUnitTest tests[ROWS + 2] = {
        [ROWS] = cmocka_unit_test(check_count),
        [ROWS + 1] = cmocka_unit_test(check_lexer),
    };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("args", tests, NULL, NULL);
}

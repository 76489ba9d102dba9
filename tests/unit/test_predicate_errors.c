/* SPDX-License-Identifier: Apache-2.0 */
/* predicate: what is wrong with a text, and at which byte of which line; where a text stands in a larger file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "judging.h"

struct row {
    const char *text;
    cg_subject of;
    uint64_t line, column;
    const char *message; /* its first line */
};

static struct row rows[] = {
    /* names */
    { "clas == open", CG_OF_EVENTS, 1, 1, "unknown field 'clas'; the nearest is 'class'" },
    { "ok and fd.pth == 'x'", CG_OF_EVENTS, 1, 8, "unknown field 'fd.pth'; the nearest is 'fd.path'" },
    { "zzzzzz == 1", CG_OF_EVENTS, 1, 1, "unknown field 'zzzzzz'" },
    { "class == opne", CG_OF_EVENTS, 1, 10, "unknown class 'opne'; the nearest is 'open'" },
    { "class in (open, raed)", CG_OF_EVENTS, 1, 17, "unknown class 'raed'; the nearest is 'read'" },
    { "class == 'opne'", CG_OF_EVENTS, 1, 10, "unknown class 'opne'; the nearest is 'open'" },
    { "fd.kind != sokcet", CG_OF_EVENTS, 1, 12, "unknown kind of file 'sokcet'; the nearest is 'socket'" },
    { "errno == ENOENTT", CG_OF_EVENTS, 1, 10, "unknown error 'ENOENTT'; the nearest is 'ENOENT'" },
    { "errno == enoent", CG_OF_EVENTS, 1, 10, "unknown error 'enoent'" },
    { "call == setsokopt", CG_OF_EVENTS, 1, 9, "unknown call 'setsokopt'; the nearest is 'setsockopt'" },
    { "signal == ALRM", CG_OF_EVENTS, 1, 11, "unknown signal 'ALRM'" },
    { "path == htaccess", CG_OF_EVENTS, 1, 9, "texts are quoted: 'htaccess'" },
    { "order == sequental", CG_OF_FILES, 1, 10, "unknown order 'sequental'; the nearest is 'sequential'" },
    { "reads > 1", CG_OF_EVENTS, 1, 1, "'reads' is a field of files, not of events" },
    { "fd.path == 'x'", CG_OF_FILES, 1, 1, "'fd.path' is a field of events, not of files" },
    { "meanread > 1", CG_OF_FILES, 1, 1, "unknown field 'meanread'; the nearest is 'mean_read'" },
    { "a.fd == 1", CG_OF_EVENTS, 1, 1, "unknown field 'a.fd'; the nearest is 'fd'" },
    { "fd == prev.fd + 1", CG_OF_EVENTS, 1, 7, "prev is known in `next` of a run only" },
    { "path == each.path", CG_OF_EVENTS, 1, 9, "each is known in `reset` only" },
    { "first(fd) == 1", CG_OF_EVENTS, 1, 7, "first() is asked of a step's field, as in first(a.fd)" },
    { "arg == 1", CG_OF_EVENTS, 1, 1, "which argument? write arg[0], arg[1], ..." },
    { "fd[0] == 1", CG_OF_EVENTS, 1, 1, "only arg has a number in brackets" },
    { "arg[64] == 1", CG_OF_EVENTS, 1, 5, "the number of an argument, 0 to 63, is expected" },
    { "arg[x] == 1", CG_OF_EVENTS, 1, 5, "the number of an argument, 0 to 63, is expected" },

    /* types */
    { "path > 'x'", CG_OF_EVENTS, 1, 8, "a text has no order: only == and != compare it" },
    { "class < open", CG_OF_EVENTS, 1, 9, "a class has no order: only == and != compare it" },
    { "path == 3", CG_OF_EVENTS, 1, 9, "a text cannot be compared with a number" },
    { "fd == '3'", CG_OF_EVENTS, 1, 7, "a number cannot be compared with a text" },
    { "bytes > 10ms", CG_OF_EVENTS, 1, 9, "a size cannot be compared with a time" },
    { "duration > 10", CG_OF_EVENTS, 1, 12, "a time cannot be compared with a number: give it a unit, as in 10ms" },
    { "duration > 4KiB", CG_OF_EVENTS, 1, 12, "a time cannot be compared with a size" },
    { "start > 5s", CG_OF_EVENTS, 1, 9,
      "a moment cannot be compared with a time: `time` is the time since the capture began" },
    { "start + end > 0", CG_OF_EVENTS, 1, 9, "a moment and a moment cannot be added" },
    { "duration + 4KiB > 1s", CG_OF_EVENTS, 1, 12, "a time and a size cannot be added" },
    { "path + 'x' == 'y'", CG_OF_EVENTS, 1, 8, "a text and a text cannot be added" },
    { "class == errno", CG_OF_EVENTS, 1, 10, "unknown class 'errno'" },
    { "fd in (1, 'x')", CG_OF_EVENTS, 1, 11, "a number cannot be compared with a text" },
    { "fd.flags == O_APPEND", CG_OF_EVENTS, 1, 13,
      "a set of flags cannot be compared with a text: ask what it `contains`" },
    { "fd contains '3'", CG_OF_EVENTS, 1, 1,
      "a number is no text: `contains`, `startswith`, `endswith`, `matches` need one" },
    { "path contains 3", CG_OF_EVENTS, 1, 15, "a text is expected" },
    { "path matches fd.path", CG_OF_EVENTS, 1, 14, "a regular expression in quotes is expected" },
    { "path matches 3", CG_OF_EVENTS, 1, 14, "a regular expression in quotes is expected" },
    { "fd", CG_OF_EVENTS, 1, 1, "this is a number, not a condition: compare it with something" },
    { "ok and path", CG_OF_EVENTS, 1, 8, "this is a text, not a condition: compare it with something" },
    { "not 'x'", CG_OF_EVENTS, 1, 5, "this is a text, not a condition: compare it with something" },
    { "1 < fd < 3", CG_OF_EVENTS, 1, 10, "a comparison cannot be compared: join the two by `and`" },
    { "fd == (ok and failed)", CG_OF_EVENTS, 1, 8, "a comparison cannot be compared: join the two by `and`" },
    { "(ok and failed) + 1 > 2", CG_OF_EVENTS, 1, 2, "a condition stands where a value is expected" },
    { "absent(fd == 1)", CG_OF_EVENTS, 1, 11, "')' is expected" },
    { "absent((ok and ok))", CG_OF_EVENTS, 1, 9, "a condition stands where a value is expected" },
    { "fd * 2 > 3", CG_OF_EVENTS, 1, 4, "'*' is for rows only" },
    { "calls * max > 1s and max * max > 1s", CG_OF_CALLS, 1, 28, "a time and a time cannot be multiplied" },

    /* the form */
    { "", CG_OF_EVENTS, 1, 1, "the expression is empty" },
    { "  ", CG_OF_EVENTS, 1, 1, "the expression is empty" },
    { "fd ==", CG_OF_EVENTS, 1, 6, "the expression ends where a value is expected" },
    { "fd == and ok", CG_OF_EVENTS, 1, 7, "a value is expected" },
    { "ok ok", CG_OF_EVENTS, 1, 4, "`and`, `or` or the end is expected" },
    { "ok)", CG_OF_EVENTS, 1, 3, "`and`, `or` or the end is expected" },
    { "(ok", CG_OF_EVENTS, 1, 4, "')' is expected" },
    { "fd in 3", CG_OF_EVENTS, 1, 7, "'(' is expected" },
    { "fd in ()", CG_OF_EVENTS, 1, 8, "a value is expected" },
    { "fd in (3", CG_OF_EVENTS, 1, 9, "')' is expected" },
    { "fd not in 3", CG_OF_EVENTS, 1, 11, "'(' is expected" },
    { "fd not in (3", CG_OF_EVENTS, 1, 13, "')' is expected" },
    { "fd not 3", CG_OF_EVENTS, 1, 8, "'in' is expected behind the 'not' of a value" },
    { "fd not in (1, 'x')", CG_OF_EVENTS, 1, 15, "a number cannot be compared with a text" },
    { "fd == 3 not in (1)", CG_OF_EVENTS, 1, 1, "a condition stands where a value is expected" },
    { "fd = 3", CG_OF_EVENTS, 1, 4, "a comparison is written ==" },
    { "ok && failed", CG_OF_EVENTS, 1, 4, "write `and`" },
    { "ok || failed", CG_OF_EVENTS, 1, 4, "write `or`" },
    { "!ok", CG_OF_EVENTS, 1, 1, "write `not`" },
    { "path =~ 'x'", CG_OF_EVENTS, 1, 6, "a comparison is written ==" },
    { "path ~ 'x'", CG_OF_EVENTS, 1, 6, "write `matches`" },
    { "path == /etc", CG_OF_EVENTS, 1, 9, "texts are quoted, and there is no division" },
    { "fd == 3;", CG_OF_EVENTS, 1, 8, "unexpected character" },
    { "path == 'x", CG_OF_EVENTS, 1, 9, "the string does not end" },
    { "path == \"x\\", CG_OF_EVENTS, 1, 9, "the string does not end" },
    { "path == \"a\\.b\"", CG_OF_EVENTS, 1, 11,
      "unknown escape; a string in double quotes has \\\\ \\\" \\n \\t \\xHH, one in single quotes none" },
    { "path == \"\\x4\"", CG_OF_EVENTS, 1, 10,
      "unknown escape; a string in double quotes has \\\\ \\\" \\n \\t \\xHH, one in single quotes none" },
    { "bytes > 64K", CG_OF_EVENTS, 1, 11,
      "unknown unit; sizes have B KB MB GB KiB MiB GiB, times ns us ms s min h, shares %" },
    { "ret == 99999999999999999999", CG_OF_EVENTS, 1, 8, "number too large" },
    { "ret == 9223372036854775808", CG_OF_EVENTS, 1, 8, "number too large" },
    { "bytes == 9000000000000TiB", CG_OF_EVENTS, 1, 23, "number too large" },
    { "duration > 9999999999999h", CG_OF_EVENTS, 1, 25, "number too large" },

    /* regular expressions: the byte in the pattern */
    { "path matches 'a(b'", CG_OF_EVENTS, 1, 18, "regular expression: missing closing parenthesis" },
    { "path matches 'ab[z-a]'", CG_OF_EVENTS, 1, 20, "regular expression: range out of order in character class" },
    { "path matches 'it''s*+*'", CG_OF_EVENTS, 1, 22,
      "regular expression: quantifier does not follow a repeatable item" },
    { "path matches '(*UTF)x'", CG_OF_EVENTS, 1, 21, "regular expression: using UTF is disabled by the application" },

    /* lines */
    { "ok and\n  fd == 'x'", CG_OF_EVENTS, 2, 9, "a number cannot be compared with a text" },
    { "ok\nor\n)", CG_OF_EVENTS, 3, 1, "a value is expected" },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    skip_without_regex(row->text);
    cg_predicate *predicate = NULL;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    const cg_predicate_source source = source_of(row->text);
    assert_int_equal(cg_predicate_compile(&source, row->of, NULL, &predicate, &err), CALLGAUGE_E_USAGE);
    assert_null(predicate);
    const char *newline = strchr(err.message, '\n');
    assert_non_null(newline);
    char first[256];
    memcpy(first, err.message, (size_t)(newline - err.message));
    first[newline - err.message] = '\0';
    assert_string_equal(first, row->message);
    assert_int_equal(err.line, row->line);
    assert_int_equal(err.column, row->column);
    assert_string_equal(err.source, "t");
}

/* --- the caret, and texts that stand in a larger file */

struct drawn {
    const char *name, *text, *message;
    cg_place place;
    uint64_t indent, line, column, offset;
};

static struct drawn drawings[] = {
    { "plain",
      "clas == open",
      "unknown field 'clas'; the nearest is 'class'\n  clas == open\n  ^",
      { .name = "t" },
      0,
      1,
      1,
      0 },
    { "in a YAML file",
      "ok and clas == open",
      "unknown field 'clas'; the nearest is 'class'\n  ok and clas == open\n         ^",
      { .name = "r.yaml", .line = 7, .column = 8, .offset = 100 },
      0,
      7,
      15,
      107 },
    { "a block",
      "ok and\nclas == open",
      "unknown field 'clas'; the nearest is 'class'\n  clas == open\n  ^",
      { .name = "r.yaml", .line = 7, .column = 3, .offset = 100 },
      2,
      8,
      3,
      109 },
    { "letters of two bytes",
      "path == '\xc3\xa4' and x",
      "unknown field 'x'\n  path == '\xc3\xa4' and x\n                  ^",
      { .name = "t" },
      0,
      1,
      18,
      17 },
    { "control bytes", "\t\x01", "unexpected character\n   ?\n   ^", { .name = "t" }, 0, 1, 2, 1 },
    { "the end",
      "fd ==",
      "the expression ends where a value is expected\n  fd ==\n       ^",
      { .name = "t" },
      0,
      1,
      6,
      5 },
};

enum { DRAWINGS = sizeof drawings / sizeof *drawings };

static void check_drawing(void **state)
{
    const struct drawn *row = *state;
    cg_predicate *predicate = NULL;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    const cg_predicate_source source = { cg_str_z(row->text), row->place, row->indent };
    assert_int_equal(cg_predicate_compile(&source, CG_OF_EVENTS, NULL, &predicate, &err), CALLGAUGE_E_USAGE);
    assert_string_equal(err.message, row->message);
    assert_string_equal(err.source, row->place.name);
    assert_int_equal(err.line, row->line);
    assert_int_equal(err.column, row->column);
    assert_int_equal(err.offset, row->offset);
}

/* --- limits */

static callgauge_status try_repeated(const char *begin, const char *part, int count, const char *end,
                                     const char *message)
{
    cg_buf text;
    cg_predicate *predicate = NULL;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    cg_buf_init(&text, 1 << 20);
    assert_true(cg_buf_add_z(&text, begin));
    for (int i = 0; i < count; i++) {
        assert_true(cg_buf_add_z(&text, part));
    }
    assert_true(cg_buf_add_z(&text, end));
    const cg_predicate_source source = { .text = cg_buf_str(&text) };
    callgauge_status status = cg_predicate_compile(&source, CG_OF_EVENTS, NULL, &predicate, &err);
    assert_true(status == CALLGAUGE_OK || strncmp(err.message, message, strlen(message)) == 0);
    cg_predicate_free(predicate);
    cg_buf_release(&text);
    return status;
}

static void check_limits(void **state)
{
    (void)state;
    static const char deep[] = "nested more than 100 deep";
    assert_int_equal(try_repeated("", "(", 50, "ok", "')' is expected"), CALLGAUGE_E_USAGE);
    assert_int_equal(try_repeated("", "(", 5000, "ok", deep), CALLGAUGE_E_USAGE);
    assert_int_equal(try_repeated("", "not ", 50, "ok", ""), CALLGAUGE_OK);
    assert_int_equal(try_repeated("", "not ", 5000, "ok", deep), CALLGAUGE_E_USAGE);
    assert_int_equal(try_repeated("ret == ", "-", 5000, "1", deep), CALLGAUGE_E_USAGE);
    assert_int_equal(try_repeated("ret == 1", " + 1", 50, "", ""), CALLGAUGE_OK);
    assert_int_equal(try_repeated("ret == 1", " + 1", 1500, "", deep), CALLGAUGE_E_USAGE);
    assert_int_equal(try_repeated("ok", " or ok", 1000, "", ""), CALLGAUGE_OK);
    assert_int_equal(try_repeated("ok", " or ok", 5000, "", "more than 4096 parts"), CALLGAUGE_E_USAGE);
    assert_int_equal(try_repeated("ret in (1", ", 1", 3000, ")", ""), CALLGAUGE_OK);
    assert_int_equal(try_repeated("ok", " ", 70000, "", "longer than 65536 bytes"), CALLGAUGE_E_USAGE);
    skip_without_regex(" matches ");
    assert_int_equal(try_repeated("path matches '", "(", 200, "'", "regular expression: "), CALLGAUGE_E_USAGE);
    assert_int_equal(try_repeated("path matches '", "a", 5000, "'", "regular expression: "), CALLGAUGE_E_USAGE);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + DRAWINGS + 1] = { [ROWS + DRAWINGS] = cmocka_unit_test(check_limits) };
    for (size_t i = 0; i < ROWS; i++) {
        const char *name = rows[i].text[0] == '\0' ? "empty" : rows[i].text;
        tests[i] = (struct CMUnitTest){ .name = name, .test_func = check_row, .initial_state = &rows[i] };
    }
    for (size_t i = 0; i < DRAWINGS; i++) {
        tests[ROWS + i] =
            (struct CMUnitTest){ .name = drawings[i].name, .test_func = check_drawing, .initial_state = &drawings[i] };
    }
    return cmocka_run_group_tests_name("predicate_errors", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* dialect/strace_lexer and strace_result's skipping: arguments split at the right commas, strings decoded,
 * descriptors with their decoration. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "dialect/strace.h"
#include "reading.h"

/* --- a list of arguments; each one wanted ends with a line end */

static struct list_row {
    const char *name, *args, *wanted;
} list_rows[] = {
    { "none", "", "" },
    { "one", "3", "3\n" },
    { "plain", "3, \"abc\"..., 32", "3\n\"abc\"...\n32\n" },
    { "flags and mode", "AT_FDCWD, \"f\", O_RDWR|O_CREAT, 0644", "AT_FDCWD\n\"f\"\nO_RDWR|O_CREAT\n0644\n" },
    { "struct", "{st_mode=S_IFREG|0644, st_size=1, ...}, 0", "{st_mode=S_IFREG|0644, st_size=1, ...}\n0\n" },
    { "array, comment", "\"/bin/ls\", [\"ls\", \"-l\"], 0x7ffc5053bab8 /* 41 vars */",
      "\"/bin/ls\"\n[\"ls\", \"-l\"]\n0x7ffc5053bab8 /* 41 vars */\n" },
    { "comma and bracket in a comment", "0x3 /* A, B (c */, 5", "0x3 /* A, B (c */\n5\n" },
    { "wait status", "[{WIFEXITED(s) && WEXITSTATUS(s) == 0}], 0, NULL",
      "[{WIFEXITED(s) && WEXITSTATUS(s) == 0}]\n0\nNULL\n" },
    { "sets", "SIG_BLOCK, [USR1 CHLD], ~[RTMIN RT_1], 8", "SIG_BLOCK\n[USR1 CHLD]\n~[RTMIN RT_1]\n8\n" },
    { "macros", "{sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr(\"127.0.0.1\")}, [128 => 16]",
      "{sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr(\"127.0.0.1\")}\n[128 => 16]\n" },
    { "number of an ioctl", "3, _IOC(_IOC_READ, 0x54, 0x1, 0x4), 0x1", "3\n_IOC(_IOC_READ, 0x54, 0x1, 0x4)\n0x1\n" },
    { "two names of an ioctl", "1, TCGETS or SNDCTL_TMR_TIMEBASE, 0x7ffd",
      "1\nTCGETS or SNDCTL_TMR_TIMEBASE\n0x7ffd\n" },
    { "product", "{rlim_cur=8192*1024, rlim_max=RLIM64_INFINITY}", "{rlim_cur=8192*1024, rlim_max=RLIM64_INFINITY}\n" },
    { "result inside a string", "\"/tmp/w/ => arrow) = -1 ENOENT\", O_RDONLY",
      "\"/tmp/w/ => arrow) = -1 ENOENT\"\nO_RDONLY\n" },
    { "escaped quote", "\"a\\\", b\", 1", "\"a\\\", b\"\n1\n" },
    { "backslash before the quote", "\"a\\\\\", 1", "\"a\\\\\"\n1\n" },
    { "path with a comma", "3</tmp/a,b>, 5", "3</tmp/a,b>\n5\n" },
    { "path with a parenthesis", "AT_FDCWD</tmp/w (x>, \"f\"", "AT_FDCWD</tmp/w (x>\n\"f\"\n" },
    { "path with a quote", "3</tmp/a\\\"b>, 5", "3</tmp/a\\\"b>\n5\n" },
    { "raw bracket in a path", "3</tmp/a>b>, 4", "3</tmp/a>b>\n4\n" },
    { "deleted", "3</tmp/f>(deleted), 1", "3</tmp/f>(deleted)\n1\n" },
    { "device", "0</dev/null<char 1:3>>, 1", "0</dev/null<char 1:3>>\n1\n" },
    { "abstract socket", "18<UNIX:[1,@\"a<b>\"]>, 2", "18<UNIX:[1,@\"a<b>\"]>\n2\n" },
    { "addresses of a socket", "16<TCP:[127.0.0.1:1->127.0.0.1:2]>, 2", "16<TCP:[127.0.0.1:1->127.0.0.1:2]>\n2\n" },
    { "pid of a command", "7209<sh>, SIGTERM", "7209<sh>\nSIGTERM\n" },
    { "pidfd of a command", "21<pid:5862<sh>>, 0", "21<pid:5862<sh>>\n0\n" },
    { "decoration inside an array", "[{fd=0</dev/null<char 1:3>>, events=POLLIN}, {fd=1, events=0}], 2, -1",
      "[{fd=0</dev/null<char 1:3>>, events=POLLIN}, {fd=1, events=0}]\n2\n-1\n" },
    { "shifted flag", "NULL, 4096, MAP_HUGETLB|21<<MAP_HUGE_SHIFT, -1, 0",
      "NULL\n4096\nMAP_HUGETLB|21<<MAP_HUGE_SHIFT\n-1\n0\n" },
    { "old positions", "SIGINT, {SIG_DFL, [], SA_RESTORER|SA_RESTART, 0x7f52eaa0f860}, 8",
      "SIGINT\n{SIG_DFL, [], SA_RESTORER|SA_RESTART, 0x7f52eaa0f860}\n8\n" },
    { "arrays in braces", "4, {{EPOLLIN, {u32=1, u64=1}}}, 1", "4\n{{EPOLLIN, {u32=1, u64=1}}}\n1\n" },
    { "nil", "(nil), 0", "(nil)\n0\n" },
    { "array that could not be read", "[1, 2, ... /* 0x7ffd0000 */], 3", "[1, 2, ... /* 0x7ffd0000 */]\n3\n" },
    { "members given by index", "[[0]={a, b}, [2]={c}], 3", "[[0]={a, b}, [2]={c}]\n3\n" },
    { "not available", "3, ???, 5", "3\n???\n5\n" },
    { "parts of clone", "child_stack=NULL, flags=CLONE_VM|SIGCHLD, child_tidptr=0x7f",
      "child_stack=NULL\nflags=CLONE_VM|SIGCHLD\nchild_tidptr=0x7f\n" },
    { "before and behind", "{flags=CLONE_VM, exit_signal=SIGCHLD} => {parent_tid=[24041]}, 88",
      "{flags=CLONE_VM, exit_signal=SIGCHLD} => {parent_tid=[24041]}\n88\n" },
    { "security context", "AT_FDCWD, \"f\" [user_home_t], O_RDONLY", "AT_FDCWD\n\"f\" [user_home_t]\nO_RDONLY\n" },
    { "interrupted call", "<... resuming interrupted read ...>", "<... resuming interrupted read ...>\n" },
    { "first half", "9,", "9\n" },
    { "string that does not end", "2, \"x, y", "2\n\"x, y\n" },
    { "bracket that does not end", "[1, 2", "[1, 2\n" },
    { "stray bracket", "1), 2", "1)\n2\n" },
};

enum { LIST_ROWS = sizeof list_rows / sizeof *list_rows };

static void check_list(void **state)
{
    const struct list_row *row = *state;
    char found[512];
    size_t len = 0;
    callgauge_str arg;
    const char *at = row->args, *end = at + strlen(at);
    while (cg_strace_lexer.next(&at, end, &arg)) {
        assert_true(len + arg.len + 2 < sizeof found);
        memcpy(found + len, arg.ptr, arg.len);
        len += arg.len;
        found[len++] = '\n';
    }
    found[len] = 0;
    assert_string_equal(found, row->wanted);
    assert_ptr_equal(at, end);
}

/* --- one argument passed over */

static struct skip_row {
    const char *name, *text;
    bool ok;
    size_t used; /* 0 where it fails: the cursor must not move */
} skip_rows[] = {
    { "up to a comma", "3, 4", true, 1 },
    { "up to the end of the call", "3) = 0", true, 1 },
    { "up to the end of the text", "3", true, 1 },
    { "nothing", ") = 0", true, 0 },
    { "brackets inside", "{a=[1, 2], b=f(3)}, 4", true, 18 },
    { "string", "\"a) = 1, \", 2", true, 10 },
    { "comment", "1 /* a), */) = 0", true, 11 },
    { "decoration", "3</a), b>) = 0", true, 9 },
    { "no decoration: a shift", "21<<MAP_HUGE_SHIFT, 1", true, 18 },
    { "no decoration: nothing in front", "<... resuming interrupted read ...>) = 0", true, 35 },
    { "string does not end", "\"abc", false, 0 },
    { "string ends in a backslash", "\"abc\\", false, 0 },
    { "comment does not end", "1 /* abc", false, 0 },
    { "bracket does not end", "[1, 2", false, 0 },
    { "decoration does not end", "3</a, 5", false, 0 },
};

enum { SKIP_ROWS = sizeof skip_rows / sizeof *skip_rows };

static void check_skip(void **state)
{
    const struct skip_row *row = *state;
    const char *at = row->text;
    assert_int_equal(cg_strace_skip_argument(&at, row->text + strlen(row->text)), row->ok);
    assert_int_equal(at - row->text, row->used);
}

/* --- strings */

static struct string_row {
    const char *name, *arg;
    bool ok;
    const char *decoded;
    size_t length;
    bool cut;
} string_rows[] = {
    { "plain", "\"abc\"", true, "abc", 3, false },
    { "empty", "\"\"", true, "", 0, false },
    { "cut", "\"abc\"...", true, "abc", 3, true },
    { "cut to nothing", "\"\"...", true, "", 0, true },
    { "dots of its own", "\"abc...\"", true, "abc...", 6, false },
    { "all escapes", "\"\\0\\1\\0021\\29\\377\\33[0m\\\"q\\\"\\\\ \\r\\n\\f\\v\\t\\7\\10\\0\"", true,
      "\0\1\2"
      "1\2"
      "9\377\33[0m\"q\"\\ \r\n\f\v\t\7\10\0",
      24, false },
    { "zero before a digit", "\"\\0001\"", true,
      "\0"
      "1",
      2, false },
    { "eight and nine end an octal", "\"\\18\\0029\"", true,
      "\1"
      "8\2"
      "9",
      4, false },
    { "three digits at most", "\"\\3777\"", true,
      "\377"
      "7",
      2, false },
    { "hexadecimal", "\"\\x7f\\x45\\x4C\\x46\"", true,
      "\x7f"
      "ELF",
      4, false },
    { "hexadecimal in part", "\"caf\\xc3\\xa9\"", true, "caf\xc3\xa9", 5, false },
    { "abstract", "@\"abs\\0\"", true, "abs\0", 4, false },
    { "not ended", "\"abc", false, "", 0, false },
    { "end escaped", "\"abc\\\"", false, "", 0, false },
    { "quote alone", "\"", false, "", 0, false },
    { "a name", "NULL", false, "", 0, false },
    { "an address", "0x7ffc5053b700", false, "", 0, false },
    { "nothing", "", false, "", 0, false },
};

enum { STRING_ROWS = sizeof string_rows / sizeof *string_rows };

static void check_string(void **state)
{
    const struct string_row *row = *state;
    char decoded[64];
    size_t length = 0;
    bool cut = false;
    assert_int_equal(cg_strace_lexer.string(cg_str_z(row->arg), decoded, sizeof decoded, &length, &cut), row->ok);
    assert_int_equal(length, row->length);
    assert_int_equal(cut, row->cut);
    if (row->ok) {
        assert_memory_equal(decoded, row->decoded, length);
    }
}

/* Longer than there is room for: the whole length is told, no more than the room is written. */
static void check_room(void **state)
{
    (void)state;
    char decoded[5] = "....";
    size_t length = 0;
    assert_true(cg_strace_lexer.string(cg_str_z("\"ab\\ncdef\""), decoded, 4, &length, NULL));
    assert_int_equal(length, 7);
    assert_memory_equal(decoded, "ab\nc", 5);
}

/* --- descriptors */

static struct fd_row {
    const char *name, *arg;
    bool ok;
    int64_t fd;
    const char *target;
} fd_rows[] = {
    { "plain", "3", true, 3, "" },
    { "minus one", "-1", true, -1, "" },
    { "path", "3</etc/passwd>", true, 3, "/etc/passwd" },
    { "deleted", "3</tmp/f>(deleted)", true, 3, "/tmp/f" },
    { "deleted, inside", "3</tmp/f (deleted)>", true, 3, "/tmp/f (deleted)" },
    { "raw bracket", "3</tmp/a>b>", true, 3, "/tmp/a>b" },
    { "device", "20</dev/ptmx<char 5:2 @/dev/pts/3>>", true, 20, "/dev/ptmx<char 5:2 @/dev/pts/3>" },
    { "socket", "4<socket:[263806]>", true, 4, "socket:[263806]" },
    { "unix socket", "12<UNIX-STREAM:[12->34,\"/run/x.sock\"]>", true, 12, "UNIX-STREAM:[12->34,\"/run/x.sock\"]" },
    { "pidfd", "21<pid:5862<sh>>", true, 21, "pid:5862<sh>" },
    { "comment", "3 /* open */", true, 3, "" },
    { "AT_FDCWD", "AT_FDCWD", true, -100, "" },
    { "AT_FDCWD decorated", "AT_FDCWD</tmp/w>", true, -100, "/tmp/w" },
    { "raw and verbose", "-100 /* AT_FDCWD */", true, -100, "" },
    { "longer than AT_FDCWD", "AT_FDCWDX", false, 0, "" },
    { "a string", "\"3\"", false, 0, "" },
    { "a name", "NULL", false, 0, "" },
    { "not a number", "3x", false, 0, "" },
    { "nothing", "", false, 0, "" },
};

enum { FD_ROWS = sizeof fd_rows / sizeof *fd_rows };

static void check_fd(void **state)
{
    const struct fd_row *row = *state;
    int64_t fd = 0;
    callgauge_str target = { "", 0 };
    assert_int_equal(cg_strace_lexer.fd(cg_str_z(row->arg), &fd, &target), row->ok);
    if (row->ok) {
        assert_int_equal(fd, row->fd);
        assert_true(cg_str_is(target, row->target));
    }
}

int main(void)
{
    struct CMUnitTest tests[LIST_ROWS + SKIP_ROWS + STRING_ROWS + FD_ROWS + 1] = { cmocka_unit_test(check_room) };
    size_t at = 1;
    for (size_t i = 0; i < LIST_ROWS; i++) {
        tests[at++] = row_test(list_rows[i].name, check_list, &list_rows[i]);
    }
    for (size_t i = 0; i < SKIP_ROWS; i++) {
        tests[at++] = row_test(skip_rows[i].name, check_skip, &skip_rows[i]);
    }
    for (size_t i = 0; i < STRING_ROWS; i++) {
        tests[at++] = row_test(string_rows[i].name, check_string, &string_rows[i]);
    }
    for (size_t i = 0; i < FD_ROWS; i++) {
        tests[at++] = row_test(fd_rows[i].name, check_fd, &fd_rows[i]);
    }
    return cmocka_run_group_tests_name("strace_lexer", tests, NULL, NULL);
}

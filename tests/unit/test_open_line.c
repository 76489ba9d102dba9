/* SPDX-License-Identifier: Apache-2.0 */
/* reader/open_line: calls that end on a later line than they begin, broken into by the tracer's notices, by the
 * program's output or by an editor; what came between is counted, and what has no end is unread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"

static struct row {
    const char *name, *text, *said;
} rows[] = {
    { "notice inside a clone",
      "clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLDstrace: Process 29653 attached\n"
      ", child_tidptr=0x7fe3b5794a10) = 29653\n",
      "1-2: call clone args=<child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD, child_tidptr=0x7fe3b5794a10> "
      "result=<29653> value=29653 repaired\n"
      "lines: event=1 rest=1\n"
      "repair: notice-inside-line 1 from line 1\n" },
    { "notice inside a first half",
      "[pid     7] wait4(8063/usr/local/bin/strace: Process 8063 attached\n <unfinished ...>\n"
      "[pid     7] <... wait4 resumed>, NULL, 0, NULL) = 8063\n",
      "1-3: call wait4 pid=7 args=<8063, NULL, 0, NULL> result=<8063> value=8063 resumed repaired\n"
      "lines: event=1 rest=2\n"
      "repair: notice-inside-line 1 from line 1\n" },
    { "notice inside, 4.10", "clone(Process 25499 attached\nchild_stack=0, flags=SIGCHLD) = 25499\n",
      "1-2: call clone args=<child_stack=0, flags=SIGCHLD> result=<25499> value=25499 repaired\n"
      "lines: event=1 rest=1\n"
      "repair: notice-inside-line 1 from line 1\n" },
    { "notice on a line of its own inside",
      "clone(child_stack=NULL, flags=SIGCHLD\nstrace: Process 9 attached\n, child_tidptr=0x1) = 9\n",
      "2: notice note=<strace: Process 9 attached>\n"
      "1-3: call clone args=<child_stack=NULL, flags=SIGCHLD, child_tidptr=0x1> result=<9> value=9 repaired\n"
      "lines: event=1 rest=1 notice=1\n"
      "repair: wrapped-lines 1 from line 1\n" },
    { "output inside a write", "write(2, \"x\\n\", 2x\n)                   = 2\n",
      "1-2: call write args=<2, \"x\\n\", 2> result=<2> value=2 repaired\n"
      "lines: event=1 rest=1\n"
      "repair: output-inside-line 1 from line 1\n" },
    { "lines of output inside a write", "write(1, \"hello\\nbig\\nworld\\n\", 16hello\nbig\nworld\n)     = 16\n",
      "1-4: call write args=<1, \"hello\\nbig\\nworld\\n\", 16> result=<16> value=16 repaired\n"
      "lines: event=1 rest=1 foreign=2\n"
      "repair: output-inside-line 1 from line 1\n" },
    { "output without a line end inside a write", "write(1, \"ab\", 2ab)          = 2\n",
      "1: call write args=<1, \"ab\", 2ab> result=<2> value=2\nlines: event=1\n" },
    { "a pid in front of a write with output", "[pid     7] write(1, \"ab\\n\", 3ab\n) = 3\n",
      "1-2: call write pid=7 args=<1, \"ab\\n\", 3> result=<3> value=3 repaired\n"
      "lines: event=1 rest=1\n"
      "repair: output-inside-line 1 from line 1\n" },
    { "wrapped between arguments", "openat(AT_FDCWD, \"/etc/ld.so.cache\",\n    O_RDONLY|O_CLOEXEC) = 3\n",
      "1-2: call openat args=<AT_FDCWD, \"/etc/ld.so.cache\",    O_RDONLY|O_CLOEXEC> result=<3> value=3 repaired\n"
      "lines: event=1 rest=1\n"
      "repair: wrapped-lines 1 from line 1\n" },
    { "wrapped at the blank", "openat(AT_FDCWD, \"/etc/ld.so.cache\",\nO_RDONLY|O_CLOEXEC) = 3\n",
      "1-2: call openat args=<AT_FDCWD, \"/etc/ld.so.cache\", O_RDONLY|O_CLOEXEC> result=<3> value=3 repaired\n"
      "lines: event=1 rest=1\n"
      "repair: wrapped-lines 1 from line 1\n" },
    { "wrapped inside a string", "openat(AT_FDCWD, \"/etc/ld\n.so.cache\", O_RDONLY) = 3\n",
      "1-2: call openat args=<AT_FDCWD, \"/etc/ld.so.cache\", O_RDONLY> result=<3> value=3 repaired\n"
      "lines: event=1 rest=1\n"
      "repair: wrapped-lines 1 from line 1\n" },
    { "wrapped over three lines", "openat(AT_FDCWD,\n\"/etc/ld.so.cache\",\nO_RDONLY|O_CLOEXEC) = 3\n",
      "1-3: call openat args=<AT_FDCWD, \"/etc/ld.so.cache\", O_RDONLY|O_CLOEXEC> result=<3> value=3 repaired\n"
      "lines: event=1 rest=2\n"
      "repair: wrapped-lines 1 from line 1\n" },
    { "wrapped before the result", "openat(AT_FDCWD, \"/etc/ld.so.cache\", O_RDONLY)\n = 3\n",
      "1-2: call openat args=<AT_FDCWD, \"/etc/ld.so.cache\", O_RDONLY> result=<3> value=3 repaired\n"
      "lines: event=1 rest=1\n"
      "repair: wrapped-lines 1 from line 1\n" },
    { "wrapped inside the error", "close(9) = -1 EBADF (Bad file\n descriptor)\n",
      "1-2: call close args=<9> result=<-1> value=-1 error=<EBADF> note=<(Bad file descriptor)> repaired\n"
      "lines: event=1 rest=1\n"
      "repair: wrapped-lines 1 from line 1\n" },
    { "wrapped second half", "4242  read(9,  <unfinished ...>\n4242  <... read resumed>\"abc\",\n3) = 3\n",
      "1-3: call read pid=4242 args=<9, \"abc\", 3> result=<3> value=3 resumed repaired\n"
      "lines: event=1 rest=2\n"
      "repair: wrapped-lines 1 from line 2\n" },
    { "wrapped signal", "close(3) = 0\n--- SIGCHLD {si_signo=SIGCHLD,\nsi_pid=9} ---\n",
      "1: call close args=<3> result=<0> value=0\n"
      "2-3: signal SIGCHLD note=<{si_signo=SIGCHLD, si_pid=9}> repaired\n"
      "lines: event=2 rest=1\n"
      "repair: wrapped-lines 1 from line 2\n" },
    { "another event behind the end", "write(1, \"x\\n\", 2x\n) = 2close(3) = 0\n",
      "1-2: call write args=<1, \"x\\n\", 2> result=<2> value=2 repaired\n"
      "2: call close args=<3> result=<0> value=0\n"
      "lines: event=1 rest=1\n"
      "repair: joined-lines 1 from line 2\n"
      "repair: output-inside-line 1 from line 1\n" },
    { "two open lines", "write(1, \"x\\n\", 2x\n) = 2\nwrite(1, \"y\\n\", 2y\n) = 2\n",
      "1-2: call write args=<1, \"x\\n\", 2> result=<2> value=2 repaired\n"
      "3-4: call write args=<1, \"y\\n\", 2> result=<2> value=2 repaired\n"
      "lines: event=2 rest=2\n"
      "repair: output-inside-line 2 from line 1\n" },
    { "another event begins", "write(2, \"x\nclose(3) = 0\n",
      "1: unread text=<write(2, \"x>\n"
      "2: call close args=<3> result=<0> value=0\n"
      "lines: event=1 unread=1\n"
      "unread: line 1: a call that is cut: a string or bracket does not end\n" },
    { "another event begins behind output", "write(2, \"x\nhello\nclose(3) = 0\n",
      "1: unread text=<write(2, \"x>\n"
      "3: call close args=<3> result=<0> value=0\n"
      "lines: event=1 foreign=1 unread=1\n"
      "unread: line 1: a call that is cut: a string or bracket does not end\n" },
    { "the capture ends", "close(3) = 0\nread(3\n",
      "1: call close args=<3> result=<0> value=0\n"
      "lines: event=1 unread=1\n"
      "unread: line 2: a call without a result\n" },
    { "the capture ends in a line", "close(3) = 0\nread(3, \"abc",
      "1: call close args=<3> result=<0> value=0\n"
      "lines: event=1 unread=1\n"
      "unread: line 2: a call that is cut: a string or bracket does not end\n" },
    { "a table is not swallowed",
      "close(3) = 0\nread(3\n"
      "% time     seconds  usecs/call     calls    errors syscall\n"
      "------ ----------- ----------- --------- --------- ----------------\n"
      "100.00    0.000010          10         1           close\n",
      "1: call close args=<3> result=<0> value=0\n"
      "5: count-row close calls=1 errors=0 cpu=10000\n"
      "lines: event=1 table=3 unread=1\n"
      "unread: line 2: a call without a result\n" },
};

enum { ROWS = sizeof rows / sizeof *rows };

/* UNREAD events are not delivered without details: they are in the account. */
static void drop_unread_events(cg_buf *wanted, const char *said)
{
    while (*said != 0) {
        const char *end = strchr(said, '\n') + 1;
        callgauge_str line = cg_str_range(said, end);
        if (cg_str_find(line, ": unread text=") == line.len) {
            assert_true(cg_buf_add_str(wanted, line));
        }
        said = end;
    }
}

static void check_row(void **state)
{
    const struct row *row = *state;
    const size_t pieces[] = { SIZE_MAX / 2, 7, 1 };
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        callgauge_reader_options options = { .size = sizeof options, .dialect = "strace" };
        callgauge_error err = CALLGAUGE_ERROR_INIT;
        cg_buf said, wanted;
        cg_buf_init(&said, 1 << 16);
        cg_buf_init(&wanted, 1 << 16);
        drop_unread_events(&wanted, row->said);
        assert_int_equal(say_capture(cg_str_z(row->text), &options, pieces[i], &said, &err), CALLGAUGE_END);
        assert_string_equal(said_text(&said), said_text(&wanted));
        cg_buf_release(&said);
        cg_buf_release(&wanted);
    }
}

/* After so many lines no end is expected any more, and memory stays bounded. */
static void check_give_up(void **state)
{
    (void)state;
    cg_buf text, said;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_reader_options options = { .size = sizeof options, .dialect = "strace" };
    cg_buf_init(&text, 1 << 20);
    cg_buf_init(&said, 1 << 16);
    assert_true(cg_buf_add_z(&text, "write(1, \"x\\n\", 2x\n"));
    for (size_t i = 0; i < 10001; i++) {
        assert_true(cg_buf_add_z(&text, "output of a program\n"));
    }
    assert_true(cg_buf_add_z(&text, ") = 2\nclose(3) = 0\n"));
    assert_int_equal(say_capture(cg_buf_str(&text), &options, text.len, &said, &err), CALLGAUGE_END);
    assert_string_equal(said_text(&said), "10004: call close args=<3> result=<0> value=0\n"
                                          "lines: event=1 foreign=10002 unread=1\n"
                                          "unread: line 1: a call without a result\n");
    cg_buf_release(&text);
    cg_buf_release(&said);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + 1] = { [ROWS] = cmocka_unit_test(check_give_up) };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("open_line", tests, NULL, NULL);
}

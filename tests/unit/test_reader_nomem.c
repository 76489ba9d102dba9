/* SPDX-License-Identifier: Apache-2.0 */
/* Readers in which the n-th allocation and all later ones fail, for every n: the status says so, each further
 * call too, nothing leaks; and what is read when none fails is the same as ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../fuzz/stream.h"
#include "failing_mem.h"

static const char strace[] =
    "[pid 11] 10:00:01.000001 openat(AT_FDCWD, \"/etc/passwd\", O_RDONLY) = 3</etc/passwd> <0.000010>\n"
    "[pid 12] 10:00:01.000002 read(0, \"a\" <unfinished ...>\n"
    "[pid 13] 10:00:01.000002 poll([{fd=3}], 1, -1 <unfinished ...>\n"
    "[pid 11] 10:00:01.000003 close(7) = -1 EBADF (Bad file descriptor) <0.000004>\n"
    "[pid 12] 10:00:01.000004 <... read resumed>\"ab\", 10) = 2 <0.000040>\n"
    "[pid 13] 10:00:01.000004 close(3) = 0 <0.000040>\n" /* its poll() is lost */
    "[pid 12] 10:00:01.000005 what(is this = \n"
    "[pid 12] 10:00:01.000006 --- SIGCHLD {si_signo=SIGCHLD} ---\r\n"
    "[pid 12] 10:00:01.000006 brk(NULL) = 0x5500close(4) = 0close(5) = 0\n"
    "[pid 12] 10:00:01.000006 openat(AT_FDCWD,\n"
    "\"/etc/group\",\n"
    "O_RDONLY) = 4 <0.000001>\n"
    "[pid 12] 10:00:01.000007 write(1, \"x\", 1xy\n"
    ") = 1 <0.000001>\n"
    "[pid 14] 10:00:01.000008 wait4(-1,  <unfinished ...>\n"
    "[pid 12] 10:00:01.000009 +++ exited with 0 +++\n"
    "% time     seconds  usecs/call     calls    errors syscall\n"
    "------ ----------- ----------- --------- --------- ----------------\n"
    " 60.00    0.000600          60        10         2 openat\n"
    " 40.00    0.000400          40        99999999999999999999 read\n"
    "------ ----------- ----------- --------- --------- ----------------\n"
    "100.00    0.001000          50        20         2 total\n";

static const char quoted[] = "> brk(NULL)                               = 0x55d0c2a3e000\r\n"
                             "> close(3)                                = 0\r\n"
                             "> write(1, \"\xc2\xa5n\", 1)                       = 1\r\n";

static const char entities[] =
    "100 wait4(-1,  &lt;unfinished ...&gt;\n100 &lt;... wait4 resumed&gt;NULL, 0, NULL) = 101\n";

static const char truss[] = "912:\tread(0, 0x08047130, 1)\t\t(sleeping...)\n"
                            "912:\topen(\"/etc/motd\", O_RDONLY)\t\t\tErr#2 ENOENT\n"
                            "912/2:\tmmap(0x00000000, 4096, PROT_READ,\n"
                            "MAP_ANON, -1, 0) = 0xFEDC0000\n"
                            "912:\tclose(3) = 0close(4) = 0\n"
                            "912:\tpause()\t\t\t\t(sleeping...)\n";

static const char counted[] = "signals ------------\nSIGALRM\t\t  12\ntotal:\t\t12\n\n"
                              "syscall               seconds   calls  errors\n"
                              "read                     .412   20481       3\n"
                              "                     --------  ------   ----\n"
                              "sys totals:              .412   20481      3\n"
                              "usr time:               3.210\n"
                              "elapsed:               71.580\n";

static struct row {
    const char *name, *text;
    size_t piece;
} rows[] = {
    { "strace", strace, sizeof strace },
    { "strace, a line at a time", strace, 64 },
    { "mail", quoted, sizeof quoted },
    { "a web page", entities, sizeof entities },
    { "truss", truss, sizeof truss },
    { "truss, a few bytes at a time", truss, 9 },
    { "a count table", counted, sizeof counted },
};

/* Once failed, always failed, in the same way. */
static void check_failed(callgauge_reader *reader, const callgauge_error *err)
{
    const callgauge_event *event = NULL;
    callgauge_error again = CALLGAUGE_ERROR_INIT;
    assert_int_equal(callgauge_reader_next(reader, &event, &again), CALLGAUGE_E_NOMEM);
    assert_string_equal(again.message, err->message);
    assert_null(event);
}

static callgauge_status pull_all(callgauge_reader *reader, stream *out)
{
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_status st = pull_events(reader, hash_event, out, &err);
    if (st < 0) {
        assert_int_equal(err.status, st);
        check_failed(reader, &err);
    }
    return st;
}

static callgauge_status read_row(const struct row *row, stream *out)
{
    const callgauge_reader_options options = { .size = sizeof options, .details = true };
    callgauge_reader *reader = NULL;
    size_t len = strlen(row->text);
    callgauge_status st = callgauge_reader_new("x", &options, &reader, NULL);
    if (st != CALLGAUGE_OK) {
        assert_null(reader);
        return st;
    }
    st = CALLGAUGE_MORE;
    for (size_t at = 0; at < len && st == CALLGAUGE_MORE; at += row->piece) {
        st = callgauge_reader_feed(reader, row->text + at, row->piece < len - at ? row->piece : len - at, NULL);
        st = st == CALLGAUGE_OK ? pull_all(reader, out) : st;
    }
    if (st == CALLGAUGE_MORE) {
        callgauge_reader_finish(reader, NULL);
        st = pull_all(reader, out);
    }
    if (st == CALLGAUGE_END) {
        hash_capture(&out->capture, callgauge_reader_capture(reader));
        require_line_sum(callgauge_reader_capture(reader));
    }
    callgauge_reader_free(reader);
    return st;
}

static void check_row(void **state)
{
    const struct row *row = *state;
    size_t live = failing_mem_live(), n = 0;
    stream want = { 0 };
    bool failed = true;
    assert_int_equal(read_row(row, &want), CALLGAUGE_END);
    assert_int_equal(failing_mem_live(), live);
    while (failed) {
        stream got = { 0 };
        failing_mem_after(++n);
        callgauge_status st = read_row(row, &got);
        failed = failing_mem_failed();
        failing_mem_after(0);
        assert_int_equal(st, failed ? CALLGAUGE_E_NOMEM : CALLGAUGE_END);
        assert_int_equal(failing_mem_live(), live);
        if (!failed) {
            assert_int_equal(got.events, want.events);
            assert_true(got.hash == want.hash && got.capture == want.capture);
        }
    }
    assert_true(n > 10);
}

enum { ROWS = sizeof rows / sizeof *rows };

int main(void)
{
    struct CMUnitTest tests[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("readers without memory", tests, NULL, NULL);
}

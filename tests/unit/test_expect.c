/* SPDX-License-Identifier: Apache-2.0 */
/* What is recorded between two markers: a row is an expected sequence, a capture, and the rows of the report in one
 * text, `2x @3 ended: close fork` for a sequence that came twice and began at line 3. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <inttypes.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/str.h"
#include "expecting.h"

struct row {
    const char *name;
    expecting made;
    const char *capture, *expected;
};

#define OPEN(file) "openat(AT_FDCWD, \"" file "\", O_RDONLY) = 3\n"

/* Short lines, so that what belongs to a sequence is told by its calls. */
static struct row rows[] = {
    { "from, to",
      { .from = "call == openat", .to = "class == close" },
      "7 getuid() = 0\n7 " OPEN("/a") "7 read(3, \"x\", 1) = 1\n7 close(3) = 0\n7 getpid() = 7\n",
      "1x @2 ended: openat read close\n" },
    { "after, before",
      { .after = "call == openat", .before = "class == close" },
      "7 " OPEN("/a") "7 read(3, \"x\", 1) = 1\n7 close(3) = 0\n7 getpid() = 7\n",
      "1x @1 ended: read\n" },
    { "nothing between them",
      { .after = "call == openat", .before = "class == close" },
      "7 " OPEN("/a") "7 close(3) = 0\n",
      "1x @1 ended:\n" },
    { "equal ones are counted, others are apart",
      { .from = "call == openat", .to = "class == close" },
      "7 " OPEN("/a") "7 close(3) = 0\n7 " OPEN("/b") "7 read(3, \"x\", 1) = 1\n7 close(3) = 0\n7 " OPEN(
          "/a") "7 close(3) = 0\n",
      "2x @1 ended: openat close\n1x @3 ended: openat read close\n" },
    { "up to the end of the thread",
      { .from = "call == openat" },
      "7 " OPEN("/a") "7 exit_group(0) = ?\n7 +++ exited with 0 +++\n7 getuid() = 0\n",
      "1x @1 ended: openat exit_group\n" },
    { "up to the end of the capture",
      { .from = "call == openat" },
      "7 " OPEN("/a") "7 getuid() = 0\n",
      "1x @1 ended: openat getuid\n" },
    { "the second marker is missing",
      { .from = "call == openat", .to = "class == close" },
      "7 " OPEN("/a") "7 getuid() = 0\n7 +++ exited with 0 +++\n",
      "1x @1 open: openat getuid\n" },
    { "the first marker is missing",
      { .from = "call == openat", .to = "class == close" },
      "7 close(3) = 0\n",
      "0x @0 open:\n" },
    { "a first marker inside",
      { .from = "call == openat", .to = "class == close" },
      "7 " OPEN("/a") "7 " OPEN("/b") "7 close(3) = 0\n7 close(4) = 0\n",
      "1x @1 ended: openat openat close\n" },
    { "one call ends and begins",
      { .from = "call == accept4", .before = "call == accept4" },
      "7 accept4(3, NULL, NULL, 0) = 4\n7 read(4, \"\", 1) = 0\n7 accept4(3, NULL, NULL, 0) = 4\n7 close(4) = 0\n"
      "7 accept4(3, NULL, NULL, 0) = 4\n",
      "1x @1 ended: accept4 read\n1x @3 ended: accept4 close\n1x @5 unfinished: accept4\n" },
    { "one that the end of the capture cut off is apart from whole ones of the same calls",
      { .from = "call == accept4", .before = "call == accept4" },
      "7 accept4(3, NULL, NULL, 0) = 4\n7 read(4, \"\", 1) = 0\n7 accept4(3, NULL, NULL, 0) = 4\n"
      "7 read(4, \"\", 1) = 0\n",
      "1x @1 ended: accept4 read\n1x @3 unfinished: accept4 read\n" },
    { "behind an exit call nothing is cut off",
      { .from = "call == openat", .to = "class == close" },
      "7 " OPEN("/a") "7 exit_group(0) = ?\n8 getuid() = 0\n",
      "1x @1 open: openat exit_group\n" },
    { "nor behind the end of a process",
      { .from = "call == openat", .to = "class == close", .by_process = true },
      "7 " OPEN("/a") "7 +++ killed by SIGKILL +++\n8 getuid() = 0\n",
      "1x @1 open: openat\n" },
    { "a process lives on when one of its threads ends",
      { .from = "call == openat", .to = "class == close", .by_process = true },
      "7 clone3({flags=CLONE_VM|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD}, 88) = 8\n7 " OPEN(
          "/a") "8 exit(0) = ?\n8 +++ exited with 0 +++\n",
      "1x @2 unfinished: openat exit\n" },
    { "markers outside come in pairs",
      { .after = "call == getppid", .before = "call == getppid" },
      "7 getppid() = 1\n7 read(4, \"\", 1) = 0\n7 getppid() = 1\n7 close(4) = 0\n7 getppid() = 1\n7 getppid() = 1\n",
      "1x @1 ended: read\n1x @5 ended:\n" },
    { "a marker that is inside does not begin another",
      { .from = "class == close", .to = "class == close" },
      "7 close(3) = 0\n7 close(4) = 0\n7 close(5) = 0\n",
      "1x @1 ended: close close\n1x @3 unfinished: close\n" },
    { "calls that are skipped",
      { .from = "call == openat", .to = "class == close", .skip = "class == memory" },
      "7 " OPEN("/a") "7 brk(NULL) = 0x55d0c8a3f000\n7 read(3, \"x\", 1) = 1\n7 close(3) = 0\n",
      "1x @1 ended: openat read close\n" },
    { "markers are not skipped",
      { .from = "call == openat", .to = "class == close", .skip = "class in (open, close)" },
      "7 " OPEN("/a") "7 read(3, \"x\", 1) = 1\n7 close(3) = 0\n",
      "1x @1 ended: openat read close\n" },
    { "threads are apart",
      { .from = "call == openat", .to = "class == close" },
      "7 " OPEN("/a") "8 " OPEN("/b") "7 read(3, \"x\", 1) = 1\n8 close(3) = 0\n7 close(3) = 0\n",
      "1x @1 ended: openat read close\n1x @2 ended: openat close\n" },
    { "threads of a process are together",
      { .from = "call == openat", .to = "class == close", .by_process = true },
      "7 clone3({flags=CLONE_VM|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD}, 88) = 8\n7 " OPEN(
          "/a") "8 read(3, \"x\", 1) = 1\n9 getuid() = 0\n7 close(3) = 0\n",
      "1x @2 ended: openat read close\n" },
    { "another process does not belong",
      { .from = "call == openat", .to = "class == close", .by_process = true },
      "7 fork() = 8\n7 " OPEN("/a") "8 read(3, \"x\", 1) = 1\n8 close(3) = 0\n7 close(3) = 0\n",
      "1x @2 ended: openat close\n" },
    { "a call that did not return",
      { .from = "call == openat", .to = "class == close" },
      "7 " OPEN("/a") "7 read(3, <unfinished ...>\n7 +++ killed by SIGKILL +++\n",
      "1x @1 open: openat read\n" },
    { "nor does it begin anything",
      { .from = "call == openat", .to = "class == close" },
      "7 openat(AT_FDCWD, \"/a\", O_RDONLY <unfinished ...>\n7 +++ killed by SIGKILL +++\n",
      "0x @0 open:\n" },
    { "signals do not count",
      { .from = "call == openat", .to = "class == close" },
      "7 " OPEN("/a") "7 --- SIGALRM {si_signo=SIGALRM} ---\n7 rt_sigreturn({mask=[]}) = 0\n7 close(3) = 0\n",
      "1x @1 ended: openat close\n" },
    { "halves are one call",
      { .from = "call == openat", .to = "class == close" },
      "7 openat(AT_FDCWD, \"/a\", O_RDONLY <unfinished ...>\n8 getuid() = 0\n7 <... openat resumed>) = 3\n7 close(3) = "
      "0\n",
      "1x @1 ended: openat close\n" },
    { "by path",
      { .from = "path endswith '/b' and ok", .to = "fd == 3 and class == close" },
      "7 " OPEN("/a") "7 close(3) = 0\n7 " OPEN("/etc/b") "7 close(4) = 0\n7 close(3) = 0\n",
      "1x @3 ended: openat close close\n" },
    { "what the capture does not have", { .from = "duration > 1s", .to = "class == close" }, "7 close(3) = 0\n", "" },
    { "a table",
      { .from = "call == openat", .to = "class == close" },
      "% time     seconds  usecs/call     calls    errors syscall\n"
      "------ ----------- ----------- --------- --------- ----------------\n"
      " 60.00    0.000600          60        10         2 openat\n"
      "------ ----------- ----------- --------- --------- ----------------\n"
      "100.00    0.000600          60        10         2 total\n",
      "" },
};

static void say(cg_buf *to, const callgauge_recorded_row *row)
{
    assert_true(cg_str_is(row->name, "it"));
    assert_true(cg_buf_printf(to, "%" PRIu64 "x @%" PRIu64 " %s%s:", row->times, row->begin.line,
                              row->ended        ? "ended"
                              : row->unfinished ? "unfinished"
                                                : "open",
                              row->cut ? " cut" : ""));
    for (size_t i = 0; i < row->call_count; i++) {
        callgauge_str text = row->calls[i].text;
        assert_true(row->calls[i].place.line > 0);
        assert_true(cg_buf_add_char(to, ' ') && cg_buf_add(to, text.ptr, cg_str_find(text, "(")));
    }
    assert_true(cg_buf_add_char(to, '\n'));
}

static void check_report(const callgauge_report *report, const char *expected)
{
    cg_buf said;
    cg_buf_init(&said, SIZE_MAX);
    for (size_t i = 0; i < callgauge_report_recorded_count(report); i++) {
        say(&said, callgauge_report_recorded(report, i));
    }
    assert_true(cg_buf_add_char(&said, '\0'));
    assert_string_equal(said.data, expected);
    assert_null(callgauge_report_recorded(report, callgauge_report_recorded_count(report)));
    cg_buf_release(&said);
}

static void check(void **state)
{
    const struct row *row = *state;
    callgauge_report *report;
    callgauge_budget *budget = expecting_budget(&row->made);
    assert_int_equal(expecting_report(budget, "first", row->capture, NULL, &report), CALLGAUGE_OK);
    check_report(report, row->expected);
    callgauge_report_free(report);
    expecting_free(budget);
}

static void check_names(void **state)
{
    (void)state;
    const expecting made = { .from = "call == openat", .to = "class == close", .names_only = true };
    callgauge_report *report;
    callgauge_budget *budget = expecting_budget(&made);
    assert_int_equal(
        expecting_report(budget, "first", OPEN("/a") "close(3) = 0\n" OPEN("/b") "close(3) = 0\n", NULL, &report),
        CALLGAUGE_OK);
    const callgauge_recorded_row *row = callgauge_report_recorded(report, 0);
    assert_int_equal(row->times, 2);
    assert_true(cg_str_is(row->calls[0].text, "openat") && cg_str_is(row->calls[1].text, "close"));
    callgauge_report_free(report);
    expecting_free(budget);
}

/* --- limits: what passes them is said */

static size_t dropped_by(const callgauge_report *report, const char *limit)
{
    size_t count;
    const callgauge_limit_row *limits = callgauge_report_limits_hit(report, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(limits[i].limit, limit) == 0) {
            return limits[i].dropped;
        }
    }
    return 0;
}

static void check_too_many_calls(void **state)
{
    (void)state;
    const expecting made = { .from = "call == openat", .to = "class == close" };
    callgauge_budget *budget = expecting_budget(&made);
    callgauge_report *report;
    cg_buf capture;
    cg_buf_init(&capture, SIZE_MAX);
    assert_true(cg_buf_add_z(&capture, OPEN("/a")));
    for (size_t i = 0; i < 10001; i++) {
        assert_true(cg_buf_add_z(&capture, "getuid() = 0\n"));
    }
    assert_true(cg_buf_add_z(&capture, "close(3) = 0\n") && cg_buf_add_char(&capture, '\0'));
    assert_int_equal(expecting_report(budget, "first", capture.data, NULL, &report), CALLGAUGE_OK);
    const callgauge_recorded_row *row = callgauge_report_recorded(report, 0);
    assert_int_equal(row->call_count, 10000);
    assert_true(row->cut && row->ended);
    cg_buf_release(&capture);
    callgauge_report_free(report);
    expecting_free(budget);
}

static void check_too_many_sequences(void **state)
{
    (void)state;
    const expecting made = { .from = "call == openat", .to = "class == close" };
    callgauge_budget *budget = expecting_budget(&made);
    callgauge_report *report;
    cg_buf capture;
    cg_buf_init(&capture, SIZE_MAX);
    for (size_t i = 0; i < 70; i++) {
        assert_true(cg_buf_printf(&capture, "openat(AT_FDCWD, \"/%c%zu\", O_RDONLY) = 3\nclose(3) = 0\n", 'a', i));
    }
    assert_true(cg_buf_add_char(&capture, '\0'));
    assert_int_equal(expecting_report(budget, "first", capture.data, NULL, &report), CALLGAUGE_OK);
    assert_int_equal(callgauge_report_recorded_count(report), 64);
    assert_true(callgauge_report_recorded(report, 63)->cut);
    assert_int_equal(dropped_by(report, "sequences"), 6);
    cg_buf_release(&capture);
    callgauge_report_free(report);
    expecting_free(budget);
}

static void check_too_many_open(void **state)
{
    (void)state;
    const expecting made = { .from = "call == openat", .to = "class == close" };
    const callgauge_limits limits = { .size = sizeof limits, .attempts = 1 };
    callgauge_budget *budget = expecting_budget(&made);
    callgauge_report *report;
    assert_int_equal(expecting_report(budget, "first",
                                      "7 " OPEN("/a") "8 " OPEN("/a") "7 close(3) = 0\n8 close(3) = 0\n", &limits,
                                      &report),
                     CALLGAUGE_OK);
    check_report(report, "1x @1 ended cut: openat close\n");
    assert_int_equal(dropped_by(report, "attempts"), 1);
    callgauge_report_free(report);
    expecting_free(budget);
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[ROWS + 4];
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check, .initial_state = &rows[i] };
    }
    tests[ROWS] = (struct CMUnitTest)cmocka_unit_test(check_names);
    tests[ROWS + 1] = (struct CMUnitTest)cmocka_unit_test(check_too_many_calls);
    tests[ROWS + 2] = (struct CMUnitTest)cmocka_unit_test(check_too_many_sequences);
    tests[ROWS + 3] = (struct CMUnitTest)cmocka_unit_test(check_too_many_open);
    return cmocka_run_group_tests_name("expect", tests, NULL, NULL);
}

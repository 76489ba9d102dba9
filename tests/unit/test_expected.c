/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded sequences held against those expected: a row is an expected sequence, one capture or two, and what is
 * said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/str.h"
#include "compare/expected.h"
#include "expecting.h"
#include "making.h"
#include "report/report.h"

struct row {
    const char *name;
    expecting made;
    const char *capture, *second; /* NULL: there is none */
    callgauge_limit_state state;
    const char *message, *diff;
    uint64_t line; /* of the evidence; 0: there is none */
};

#define MARKERS .from = "call == openat", .to = "class == close"
#define OPEN(file) "openat(AT_FDCWD, \"" file "\", O_RDONLY) = 5\n"
#define CALLS "openat(AT_FDCWD, \"/a\", O_RDONLY) = fd1\nread(fd1, \"…\", 4096) = 3\nclose(fd1) = 0\n"
#define READ "read(5, \"abc\", 4096) = 3\n"
#define ONCE OPEN("/a") READ "close(5) = 0\n"

/* A server: its life is cut where it accepts. */
#define SERVED .from = "call == accept4", .before = "call == accept4", .names_only = true, .calls = "accept4\nread\n"
#define ACCEPT "accept4(3, NULL, NULL, 0) = 5\n"

static struct row rows[] = {
    { "kept", { MARKERS, .calls = CALLS }, ONCE, NULL, CALLGAUGE_LIMIT_KEPT, "3 calls, as expected; 1 time", "", 0 },
    { "blanks, blank lines, dots for what cannot be typed",
      { MARKERS,
        .calls = "\n  openat(AT_FDCWD, \"/a\", O_RDONLY) = fd1  \n\nread(fd1, \"...\", 4096) = 3\t\r\nclose(fd1) = 0" },
      ONCE,
      NULL,
      CALLGAUGE_LIMIT_KEPT,
      "3 calls, as expected; 1 time",
      "",
      0 },
    { "the same for structures",
      { .from = "call == fstat", .to = "call == fstat", .calls = "fstat(0, {…}) = 0\nfstat(0, {...}) = 0\n" },
      "fstat(0, {st_size=1, ...}) = 0\nfstat(0, {st_size=2, ...}) = 0\n",
      NULL,
      CALLGAUGE_LIMIT_KEPT,
      "2 calls, as expected; 1 time",
      "",
      0 },
    { "one call is expected",
      { .from = "class == close", .calls = "close(fd1) = 0" },
      "close(5) = 0\n",
      NULL,
      CALLGAUGE_LIMIT_KEPT,
      "1 call, as expected; 1 time",
      "",
      0 },
    { "names only",
      { MARKERS, .names_only = true, .calls = "openat\nread\nclose\n" },
      ONCE,
      NULL,
      CALLGAUGE_LIMIT_KEPT,
      "3 calls, as expected; 1 time",
      "",
      0 },
    { "as often as asked",
      { MARKERS, .times = 2, .calls = CALLS },
      ONCE ONCE,
      NULL,
      CALLGAUGE_LIMIT_KEPT,
      "3 calls, as expected; 2 times",
      "",
      0 },
    { "too often",
      { MARKERS, .times = 1, .calls = CALLS },
      ONCE ONCE,
      NULL,
      CALLGAUGE_LIMIT_BROKEN,
      "came 2 times, 1 is expected",
      "",
      1 },
    { "not often enough",
      { MARKERS, .times = 3, .calls = CALLS },
      ONCE,
      NULL,
      CALLGAUGE_LIMIT_BROKEN,
      "came 1 time, 3 are expected",
      "",
      1 },
    { "a call more",
      { MARKERS, .calls = CALLS },
      OPEN("/a") READ READ "close(5) = 0\n",
      NULL,
      CALLGAUGE_LIMIT_BROKEN,
      "1 other call came",
      "--- expected\n+++ seen\n@@ -1,3 +1,4 @@\n openat(AT_FDCWD, \"/a\", O_RDONLY) = fd1\n read(fd1, \"…\", 4096) = "
      "3\n"
      "+read(fd1, \"…\", 4096) = 3\n close(fd1) = 0\n",
      3 },
    { "a call less",
      { MARKERS, .calls = CALLS },
      OPEN("/a") "close(5) = 0\n",
      NULL,
      CALLGAUGE_LIMIT_BROKEN,
      "1 of 3 expected calls did not come",
      "--- expected\n+++ seen\n@@ -1,3 +1,2 @@\n openat(AT_FDCWD, \"/a\", O_RDONLY) = fd1\n-read(fd1, \"…\", 4096) = "
      "3\n"
      " close(fd1) = 0\n",
      2 },
    { "another call",
      { MARKERS, .names_only = true, .calls = "openat\nread\nclose\n" },
      OPEN("/a") "write(5, \"x\", 1) = 1\nwrite(5, \"x\", 1) = 1\nclose(5) = 0\n",
      NULL,
      CALLGAUGE_LIMIT_BROKEN,
      "1 of 3 expected calls did not come, 2 other calls came",
      "--- expected\n+++ seen\n@@ -1,3 +1,4 @@\n openat\n-read\n+write\n+write\n close\n",
      2 },
    { "other sequences",
      { MARKERS, .names_only = true, .calls = "openat\nread\nclose\n" },
      ONCE OPEN("/a") "close(5) = 0\n" OPEN("/a") READ READ "close(5) = 0\n",
      NULL,
      CALLGAUGE_LIMIT_BROKEN,
      "1 of 3 expected calls did not come; the first of 2 sequences that differ",
      "--- expected\n+++ seen\n@@ -1,3 +1,2 @@\n openat\n-read\n close\n",
      5 },
    { "the end is missing",
      { MARKERS, .names_only = true, .calls = "openat\nread\n" },
      OPEN("/a") READ,
      NULL,
      CALLGAUGE_LIMIT_BROKEN,
      "the second marker never came",
      "",
      1 },
    { "the end is missing, and more",
      { MARKERS, .names_only = true, .calls = "openat\nread\nclose\n" },
      OPEN("/a") READ,
      NULL,
      CALLGAUGE_LIMIT_BROKEN,
      "1 of 3 expected calls did not come, and the second marker never did",
      "--- expected\n+++ seen\n@@ -1,3 +1,2 @@\n openat\n read\n-close\n",
      2 },
    { "the end of the capture cuts off the last one",
      { SERVED },
      ACCEPT READ ACCEPT READ ACCEPT,
      NULL,
      CALLGAUGE_LIMIT_KEPT,
      "2 calls, as expected; 2 times, and 1 that the end of the capture cut off",
      "",
      0 },
    { "behind its last call",
      { SERVED },
      ACCEPT READ ACCEPT READ,
      NULL,
      CALLGAUGE_LIMIT_KEPT,
      "2 calls, as expected; 1 time, and 1 that the end of the capture cut off",
      "",
      0 },
    { "what was cut off does not count",
      { SERVED, .times = 2 },
      ACCEPT READ ACCEPT READ,
      NULL,
      CALLGAUGE_LIMIT_BROKEN,
      "came 1 time, and 1 that the end of the capture cut off, 2 are expected",
      "",
      1 },
    { "it has other calls already",
      { SERVED },
      ACCEPT READ ACCEPT "close(5) = 0\n",
      NULL,
      CALLGAUGE_LIMIT_BROKEN,
      "1 of 2 expected calls did not come, 1 other call came, and the second marker never did",
      "--- expected\n+++ seen\n@@ -1,2 +1,2 @@\n accept4\n-read\n+close\n",
      4 },
    { "it has more calls already",
      { SERVED },
      ACCEPT READ ACCEPT READ READ,
      NULL,
      CALLGAUGE_LIMIT_BROKEN,
      "1 other call came, and the second marker never did",
      "--- expected\n+++ seen\n@@ -1,2 +1,3 @@\n accept4\n read\n+read\n",
      5 },
    { "not the capture, the process ended",
      { SERVED },
      ACCEPT READ ACCEPT "+++ killed by SIGKILL +++\n",
      NULL,
      CALLGAUGE_LIMIT_BROKEN,
      "1 of 2 expected calls did not come, and the second marker never did",
      "--- expected\n+++ seen\n@@ -1,2 +1 @@\n accept4\n-read\n",
      3 },
    { "only whole ones of the same capture make up for it",
      { SERVED },
      ACCEPT READ ACCEPT,
      ACCEPT READ,
      CALLGAUGE_LIMIT_BROKEN,
      "the second marker never came in second",
      "",
      1 },
    { "it never came",
      { MARKERS, .calls = CALLS },
      "getuid() = 0\n",
      NULL,
      CALLGAUGE_LIMIT_BROKEN,
      "the first marker never came",
      "",
      0 },
    { "no calls are expected, and none came",
      { .after = "call == openat", .before = "class == close", .calls = "\n" },
      OPEN("/a") "close(5) = 0\n",
      NULL,
      CALLGAUGE_LIMIT_KEPT,
      "0 calls, as expected; 1 time",
      "",
      0 },
    { "no calls are expected, and one came",
      { .after = "call == openat", .before = "class == close", .calls = "\n" },
      ONCE,
      NULL,
      CALLGAUGE_LIMIT_BROKEN,
      "1 other call came",
      "--- expected\n+++ seen\n@@ -0,0 +1 @@\n+read(fd1, \"…\", 4096) = 3\n",
      2 },
    { "no calls yet",
      { MARKERS },
      ONCE,
      NULL,
      CALLGAUGE_LIMIT_NOT_JUDGED,
      "the budget has no calls for it yet: --update writes those that came",
      "",
      0 },
    { "the capture cannot tell",
      { .from = "duration > 1s", .calls = CALLS },
      ONCE,
      NULL,
      CALLGAUGE_LIMIT_NOT_JUDGED,
      "nothing was recorded: the report was not made with this budget, or the capture does not have what the markers "
      "ask for",
      "",
      0 },
    { "two captures",
      { MARKERS, .calls = CALLS },
      ONCE,
      ONCE ONCE,
      CALLGAUGE_LIMIT_KEPT,
      "3 calls, as expected; 2 times",
      "",
      0 },
    { "two captures, of which one is wrong",
      { MARKERS, .names_only = true, .calls = "openat\nread\nclose\n" },
      ONCE,
      OPEN("/a") "close(5) = 0\n",
      CALLGAUGE_LIMIT_BROKEN,
      "1 of 3 expected calls did not come in second",
      "--- expected\n+++ seen\n@@ -1,3 +1,2 @@\n openat\n-read\n close\n",
      2 },
    { "two captures, of which one has not its times",
      { MARKERS, .times = 1, .calls = CALLS },
      ONCE,
      ONCE ONCE,
      CALLGAUGE_LIMIT_BROKEN,
      "came 2 times in second, 1 is expected",
      "",
      1 },
    { "it never came in one of two captures",
      { MARKERS, .calls = CALLS },
      ONCE,
      "getuid() = 0\n",
      CALLGAUGE_LIMIT_BROKEN,
      "the first marker never came in second",
      "",
      0 },
};

/* Both reports as one, which frees them. */
static callgauge_report *merged(callgauge_report *one, callgauge_report *other)
{
    const callgauge_report *both[] = { one, other };
    callgauge_report *sum;
    assert_int_equal(callgauge_report_merge(both, 2, &sum, NULL), CALLGAUGE_OK);
    callgauge_report_free(one);
    callgauge_report_free(other);
    return sum;
}

/* The report as it is read back from JSON, where this build has JSON. */
static callgauge_report *reread(callgauge_report *report)
{
    static caught into;
    const callgauge_output to = { catch_output, &into };
    callgauge_report *again;
    into.len = 0;
    callgauge_status status = callgauge_write(report, "json", NULL, &to, NULL);
    if (status == CALLGAUGE_OK) {
        status = callgauge_report_read("r", into.text, into.len, &again, NULL);
    }
    if (status == CALLGAUGE_E_UNSUPPORTED) {
        return report;
    }
    assert_int_equal(status, CALLGAUGE_OK);
    callgauge_report_free(report);
    return again;
}

static void check_result(const struct row *row, const callgauge_limit_result *result)
{
    assert_true(cg_str_is(result->message, row->message));
    assert_true(cg_str_is(result->diff, row->diff));
    assert_int_equal(result->state, row->state);
    assert_true(cg_str_is(result->limit, "it") && cg_str_is(result->source, "budget.yaml"));
    assert_int_equal(result->line, 7);
    assert_int_equal(result->column, 5);
    assert_int_equal(result->severity, CALLGAUGE_SEVERITY_ERROR);
    assert_int_equal(result->evidence_count, row->line > 0);
    if (row->line > 0) {
        assert_int_equal(result->evidence[0].place.line, row->line);
    }
    if (row->made.times > 0) {
        assert_int_equal((int)result->allowed, row->made.times);
    } else {
        assert_true(isnan(result->allowed));
    }
}

static void check(void **state)
{
    const struct row *row = *state;
    callgauge_budget *budget = expecting_budget(&row->made);
    callgauge_report *report, *second;
    callgauge_limit_result result;
    uint64_t cut_off;
    cg_arena arena = { 0 };
    assert_int_equal(expecting_report(budget, "first", row->capture, NULL, &report), CALLGAUGE_OK);
    if (row->second != NULL) {
        assert_int_equal(expecting_report(budget, "second", row->second, NULL, &second), CALLGAUGE_OK);
        report = merged(report, second);
    }
    assert_true(cg_check_expected(&budget->expectations[0], report, &arena, &result, &cut_off));
    assert_int_equal(cut_off > 0, row->state == CALLGAUGE_LIMIT_KEPT && strstr(row->message, "cut off") != NULL);
    check_result(row, &result);
    report = reread(report);
    assert_true(cg_check_expected(&budget->expectations[0], report, &arena, &result, &cut_off));
    check_result(row, &result);
    cg_arena_release(&arena);
    callgauge_report_free(report);
    expecting_free(budget);
}

/* More calls than are kept are other ones, and what was kept of them never passes for all of them. */
static void check_cut(void **state)
{
    (void)state;
    const expecting made = { MARKERS, .names_only = true, .calls = "openat\nread\nclose\n" };
    callgauge_budget *budget = expecting_budget(&made);
    callgauge_report *report;
    callgauge_limit_result result;
    uint64_t cut_off;
    cg_arena arena = { 0 };
    assert_int_equal(expecting_report(budget, "first", ONCE, NULL, &report), CALLGAUGE_OK);
    report->recorded[0].cut = true;
    assert_true(cg_check_expected(&budget->expectations[0], report, &arena, &result, &cut_off));
    assert_int_equal(result.state, CALLGAUGE_LIMIT_NOT_JUDGED);
    budget->expectations[0].calls = cg_str_z("openat\n");
    assert_true(cg_check_expected(&budget->expectations[0], report, &arena, &result, &cut_off));
    assert_int_equal(result.state, CALLGAUGE_LIMIT_BROKEN);
    cg_arena_release(&arena);
    callgauge_report_free(report);
    expecting_free(budget);
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[ROWS + 1];
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check, .initial_state = &rows[i] };
    }
    tests[ROWS] = (struct CMUnitTest)cmocka_unit_test(check_cut);
    return cmocka_run_group_tests_name("expected", tests, NULL, NULL);
}

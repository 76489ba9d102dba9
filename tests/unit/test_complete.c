/* SPDX-License-Identifier: Apache-2.0 */
/* analysis/complete: when a capture is known not to have all calls, and that counts stay as they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <callgauge/analysis.h>
#include <string.h>

#define OPEN(fd) "openat(AT_FDCWD, \"/etc/passwd\", O_RDONLY) = " fd "\n"
#define FOUR OPEN("3") OPEN("3") OPEN("3") OPEN("3")
#define SEVEN FOUR OPEN("3") OPEN("3") OPEN("3")
#define FAILED "openat(AT_FDCWD, \"/none\", O_RDONLY) = -1 ENOENT (No such file or directory)\n"
#define READ "read(3, \"\", 4096) = 0\n"
#define CLOSE "close(3) = 0\n"
#define LEAK OPEN("3") OPEN("4") OPEN("5") OPEN("6") OPEN("7") OPEN("8") OPEN("9") OPEN("10") OPEN("11")
#define TABLE \
    "% time     seconds  usecs/call     calls    errors syscall\n" \
    "------ ----------- ----------- --------- --------- ----------------\n" \
    "100.00    0.000748           7       100           openat\n" \
    "------ ----------- ----------- --------- --------- ----------------\n" \
    "100.00    0.000748           7       100           total\n"

enum { COUNTS, FOLLOWED };

static struct row {
    const char *name, *capture, *traced, *where;
    int follow;
    const char *why; /* NULL: unknown */
} rows[] = {
    { "eight opens", FOUR FOUR, NULL, NULL, COUNTS, "8 successful opens and no close" },
    { "eight opens, followed", FOUR FOUR, NULL, NULL, FOLLOWED, "8 successful opens and no close" },
    { "other calls beside them", FOUR READ FOUR FAILED, NULL, NULL, COUNTS, "8 successful opens and no close" },
    { "seven may be a piece of a trace", SEVEN READ, NULL, NULL, COUNTS, NULL },
    { "failed opens do not count", SEVEN FAILED FAILED, NULL, NULL, COUNTS, NULL },
    { "a close", FOUR FOUR CLOSE, NULL, NULL, COUNTS, NULL },
    { "a close that is cut off by a death", FOUR FOUR "close(3 <unfinished ...>\n+++ killed by SIGKILL +++\n", NULL,
      NULL, COUNTS, NULL },
    { "a range is closed", FOUR FOUR "close_range(3, 4294967295, 0) = 0\n", NULL, NULL, COUNTS, NULL },
    { "a table says nothing", TABLE, NULL, NULL, COUNTS, NULL },
    { "nor does what passes a condition", FOUR FOUR CLOSE, NULL, "class == open", COUNTS, NULL },
    { "a leak looks the same to counts", LEAK, NULL, NULL, COUNTS, "9 successful opens and no close" },
    { "and is told apart by its descriptors", LEAK, NULL, NULL, FOLLOWED, NULL },
    { "declared", READ, "read", NULL, COUNTS, "declared by --traced" },
    { "declared of a table", TABLE, "%open", NULL, COUNTS, "declared by --traced" },
    { "one that was not traced", READ CLOSE, "read", NULL, COUNTS, "declared by --traced; yet it has close" },
    { "one that was left out", READ CLOSE, "!%read", NULL, COUNTS, "declared by --traced; yet it has read" },
    { "three", READ CLOSE OPEN("3"), "stat", NULL, COUNTS, "declared by --traced; yet it has close, openat, read" },
    { "more than three", READ CLOSE OPEN("3") "sync() = 0\nbrk(NULL) = 0x1\n", "stat", NULL, COUNTS,
      "declared by --traced; yet it has brk, close, openat and 2 more" },
};
enum { ROWS = sizeof rows / sizeof *rows };

static callgauge_status analyse(const struct row *row, callgauge_report **out, callgauge_error *err)
{
    const callgauge_analysis_options options = {
        .size = sizeof options,
        .reader = { .size = sizeof options.reader, .dialect = "strace" },
        .follow = row->follow == FOLLOWED,
        .traced = row->traced,
        .where = row->where,
    };
    callgauge_analysis *analysis;
    callgauge_status status = callgauge_analysis_new("a", &options, &analysis, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    status = callgauge_analysis_feed(analysis, row->capture, strlen(row->capture), err);
    if (status == CALLGAUGE_OK) {
        status = callgauge_analysis_finish(analysis, out, err);
    }
    callgauge_analysis_free(analysis);
    return status;
}

static void check_row(void **state)
{
    const struct row *row = *state;
    callgauge_report *report;
    assert_int_equal(analyse(row, &report, NULL), CALLGAUGE_OK);
    const callgauge_capture_row *capture = callgauge_report_capture(report, 0);
    assert_int_equal(capture->complete, row->why == NULL ? CALLGAUGE_COMPLETE_UNKNOWN : CALLGAUGE_COMPLETE_NO);
    assert_string_equal(callgauge_complete_text(capture->complete), row->why == NULL ? "unknown" : "no");
    assert_true((capture->complete_why == NULL) == (row->why == NULL));
    if (row->why != NULL) {
        assert_string_equal(capture->complete_why, row->why);
    }
    assert_true((capture->traced == NULL) == (row->traced == NULL));
    assert_true(callgauge_report_is_followed(report) == (row->follow == FOLLOWED));
    assert_null(callgauge_report_judged(report, NULL));
    callgauge_report_free(report);
}

/* What was not traced and yet is there is counted like everything else. */
static void check_counts_stay(void **state)
{
    (void)state;
    const struct row row = { .capture = READ READ CLOSE, .traced = "close" };
    callgauge_report *report;
    assert_int_equal(analyse(&row, &report, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_report_totals(report)->calls, 3);
    assert_int_equal(callgauge_report_find_call(report, "read")->calls, 2);
    callgauge_report_free(report);
}

/* A set that is none is refused before anything is read. */
static void check_refused(void **state)
{
    (void)state;
    const struct row row = { .capture = READ, .traced = "read, %nap" };
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_report *report;
    assert_int_equal(analyse(&row, &report, &err), CALLGAUGE_E_USAGE);
    assert_string_equal(err.source, "--traced");
    assert_int_equal(err.column, 7);
}

/* A table cannot be followed, and a merge is followed only if all its parts are. */
static void check_followed(void **state)
{
    (void)state;
    const struct row trace = { .capture = READ, .follow = FOLLOWED }, table = { .capture = TABLE, .follow = FOLLOWED };
    callgauge_report *reports[2], *sum;
    assert_int_equal(analyse(&trace, &reports[0], NULL), CALLGAUGE_OK);
    assert_int_equal(analyse(&table, &reports[1], NULL), CALLGAUGE_OK);
    assert_true(callgauge_report_is_followed(reports[0]));
    assert_false(callgauge_report_is_followed(reports[1]));
    assert_int_equal(callgauge_report_merge((const callgauge_report *const *)reports, 2, &sum, NULL), CALLGAUGE_OK);
    assert_false(callgauge_report_is_followed(sum));
    callgauge_report_free(sum);
    callgauge_report_free(reports[0]);
    callgauge_report_free(reports[1]);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + 3] = {
        [ROWS] = cmocka_unit_test(check_counts_stay),
        [ROWS + 1] = cmocka_unit_test(check_refused),
        [ROWS + 2] = cmocka_unit_test(check_followed),
    };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}

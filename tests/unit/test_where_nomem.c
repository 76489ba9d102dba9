/* SPDX-License-Identifier: Apache-2.0 */
/* A condition on what is counted: what passes, what the report says of it, captures that cannot answer it; the same
 * through a filter of a pull reader; and, at each allocation that fails, a status and no leak. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <callgauge/callgauge.h>

#include "failing_mem.h"

#define TRACE \
    "7 openat(AT_FDCWD, \"/etc/passwd\", O_RDONLY) = 3 <0.000010>\n" \
    "7 read(3, \"root:x\"..., 4096) = 1024 <0.000020>\n" \
    "7 read(9, \"\", 4096) = 0 <0.000005>\n" \
    "7 --- SIGCHLD {si_signo=SIGCHLD} ---\n" \
    "7 close(3) = 0 <0.000004>\n" \
    "7 openat(AT_FDCWD, \"/nowhere\", O_RDONLY) = -1 ENOENT (No such file or directory) <0.000009>\n" \
    "7 exit_group(0) = ?\n" \
    "7 +++ exited with 0 +++\n"

#define BARE "close(3) = 0\nread(3, \"\", 1) = 0\n"

#define TABLE \
    "% time     seconds  usecs/call     calls    errors syscall\n" \
    "------ ----------- ----------- --------- --------- ----------------\n" \
    " 60.00    0.000600          60        10         2 openat\n" \
    " 40.00    0.000400          40        10           read\n" \
    "------ ----------- ----------- --------- --------- ----------------\n" \
    "100.00    0.001000          50        20         2 total\n"

struct row {
    const char *name, *text, *where;
    uint64_t calls, unreturned, signals, undecided;
    uint64_t passed;     /* events, by a filter */
    const char *refused; /* the message, or NULL */
};

static struct row rows[] = {
    { "by class", TRACE, "class == open", 2, 0, 0, 0, 2, NULL },
    { "by result", TRACE, "failed", 1, 0, 0, 0, 1, NULL },
    { "by path", TRACE, "path == '/etc/passwd'", 1, 0, 0, 0, 1, NULL },
    { "by descriptor", TRACE, "fd.path startswith '/etc'", 2, 0, 0, 1, 2, NULL },
    { "what is undecided, turned round", TRACE, "class == read and not fd.path startswith '/etc'", 0, 0, 0, 1, 0,
      NULL },
    { "opened before", TRACE, "fd.opened_before", 1, 0, 0, 0, 1, NULL },
    { "signals", TRACE, "signal == SIGCHLD", 0, 0, 1, 0, 1, NULL },
    { "unreturned calls", TRACE, "class == exit", 0, 1, 0, 0, 1, NULL },
    { "nothing", TRACE, "class == futex", 0, 0, 0, 0, 0, NULL },
    { "durations", TRACE, "duration >= 10us", 2, 0, 0, 0, 2, NULL },
    { "no durations", BARE, "duration >= 10us", 0, 0, 0, 0, 0,
      "the condition cannot be judged: the capture has no wall-durations" },
    { "no pids, no stamps", BARE, "pid == 7 and start - end > 1s", 0, 0, 0, 0, 0,
      "the condition cannot be judged: the capture has no pids, timestamps" },
    { "rows of a table", TABLE, "class == open", 10, 0, 0, 0, 1, NULL },
    { "rows of a table by name", TABLE, "call in (read, write)", 10, 0, 0, 0, 1, NULL },
    { "more than a table has", TABLE, "class == open and failed", 0, 0, 0, 0, 0,
      "a table of counts, of which only call and class can be asked" },
    { "a wrong condition", TRACE, "class == opne", 0, 0, 0, 0, 0,
      "unknown class 'opne'; the nearest is 'open'\n  class == opne\n           ^" },
    { "what only rules know", TRACE, "unit == 3", 0, 0, 0, 0, 0, "unit is known in rules only" },
};

enum { ROWS = sizeof rows / sizeof *rows };

static callgauge_analysis_options options_of(const struct row *row)
{
    return (callgauge_analysis_options){ .size = sizeof(callgauge_analysis_options),
                                         .reader = { .size = sizeof(callgauge_reader_options), .dialect = "strace" },
                                         .where = row->where };
}

static callgauge_status analyse(const struct row *row, callgauge_report **out, callgauge_error *err)
{
    const callgauge_analysis_options options = options_of(row);
    callgauge_analysis *analysis;
    callgauge_status status = callgauge_analysis_new("t", &options, &analysis, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    status = callgauge_analysis_feed(analysis, row->text, strlen(row->text), err);
    if (status == CALLGAUGE_OK) {
        status = callgauge_analysis_finish(analysis, out, err);
    }
    callgauge_analysis_free(analysis);
    return status;
}

static void check_report(const struct row *row, const callgauge_report *report)
{
    const callgauge_totals *totals = callgauge_report_totals(report);
    const callgauge_capture_row *capture = callgauge_report_capture(report, 0);
    size_t signals;
    callgauge_report_signals(report, &signals);
    assert_int_equal(totals->calls, row->calls);
    assert_int_equal(totals->unreturned, row->unreturned);
    assert_int_equal(signals, row->signals);
    assert_string_equal(capture->where, row->where);
    assert_int_equal(capture->where_undecided, row->undecided);
}

static void check_analysis(void **state)
{
    const struct row *row = *state;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_report *report = NULL;
    callgauge_status status = analyse(row, &report, &error);
    assert_string_equal(error.message, row->refused == NULL ? "" : row->refused);
    assert_int_equal(status, row->refused == NULL ? CALLGAUGE_OK : CALLGAUGE_E_USAGE);
    if (status == CALLGAUGE_OK) {
        check_report(row, report);
    }
    callgauge_report_free(report);
}

/* --- the same events through a filter */

static callgauge_status pull(callgauge_reader *reader, callgauge_filter *filter, uint64_t *passed, callgauge_error *err)
{
    const callgauge_event *event;
    callgauge_status status = callgauge_filter_begin(filter, reader, err);
    while (status == CALLGAUGE_OK && (status = callgauge_reader_next(reader, &event, err)) == CALLGAUGE_OK) {
        bool passes = false;
        status = callgauge_filter_event(filter, event, &passes, err);
        *passed += passes;
    }
    return status == CALLGAUGE_END ? callgauge_filter_finish(filter, err) : status;
}

static callgauge_status filter_all(const struct row *row, uint64_t *passed, uint64_t *undecided, callgauge_error *err)
{
    const callgauge_analysis_options options = options_of(row);
    callgauge_filter *filter = NULL;
    callgauge_reader *reader = NULL;
    callgauge_status status = callgauge_filter_new(&options, &filter, err);
    if (status == CALLGAUGE_OK) {
        status = callgauge_reader_new("t", &options.reader, &reader, err);
    }
    if (status == CALLGAUGE_OK) {
        status = callgauge_reader_feed(reader, row->text, strlen(row->text), err);
    }
    if (status == CALLGAUGE_OK) {
        status = callgauge_reader_finish(reader, err);
    }
    if (status == CALLGAUGE_OK) {
        status = pull(reader, filter, passed, err);
        *undecided = callgauge_filter_undecided(filter);
    }
    callgauge_reader_free(reader);
    callgauge_filter_free(filter);
    return status;
}

static void check_filter(void **state)
{
    const struct row *row = *state;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    uint64_t passed = 0, undecided = 0;
    callgauge_status status = filter_all(row, &passed, &undecided, &error);
    assert_string_equal(error.message, row->refused == NULL ? "" : row->refused);
    assert_int_equal(status, row->refused == NULL ? CALLGAUGE_OK : CALLGAUGE_E_USAGE);
    if (status == CALLGAUGE_OK) {
        assert_int_equal(passed, row->passed);
        assert_int_equal(undecided, row->undecided);
    }
}

/* --- without memory */

#ifdef CG_HAVE_PCRE2
#define ETC "matches '^/etc'"
#else
#define ETC "startswith '/etc'"
#endif

static const struct row greedy = {
    "", TRACE, "fd.path " ETC " or path == 'x' or arg[1] == 'root'", 2, 0, 0, 1, 2, NULL
};

static void check_analysis_nomem(void **state)
{
    (void)state;
    size_t n = 0, live = failing_mem_live();
    callgauge_status status;
    do {
        callgauge_report *report = NULL;
        failing_mem_after(++n);
        status = analyse(&greedy, &report, NULL);
        assert_true(status == CALLGAUGE_OK || status == CALLGAUGE_E_NOMEM);
        callgauge_report_free(report);
        assert_int_equal(failing_mem_live(), live);
    } while (failing_mem_failed());
    failing_mem_after(0);
    assert_int_equal(status, CALLGAUGE_OK);
}

static void check_filter_nomem(void **state)
{
    (void)state;
    size_t n = 0, live = failing_mem_live();
    callgauge_status status;
    do {
        uint64_t passed = 0, undecided;
        failing_mem_after(++n);
        status = filter_all(&greedy, &passed, &undecided, NULL);
        assert_true(status == CALLGAUGE_OK || status == CALLGAUGE_E_NOMEM);
        assert_int_equal(failing_mem_live(), live);
    } while (failing_mem_failed());
    failing_mem_after(0);
    assert_int_equal(status, CALLGAUGE_OK);
}

static void check_no_condition(void **state)
{
    (void)state;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_filter *filter = NULL;
    assert_int_equal(callgauge_filter_new(NULL, &filter, &error), CALLGAUGE_E_USAGE);
    assert_string_equal(error.message, "no condition is given");
    assert_null(filter);
    callgauge_filter_free(NULL);
}

int main(void)
{
    struct CMUnitTest tests[2 * ROWS + 3] = {
        [2 * ROWS] = cmocka_unit_test(check_analysis_nomem),
        [2 * ROWS + 1] = cmocka_unit_test(check_filter_nomem),
        [2 * ROWS + 2] = cmocka_unit_test(check_no_condition),
    };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_analysis, .initial_state = &rows[i] };
        tests[ROWS + i] =
            (struct CMUnitTest){ .name = rows[i].name, .test_func = check_filter, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("where", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* report/report: the order of rows, the sums, the way to rows, limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "report/report.h"

static callgauge_report *made(size_t calls)
{
    callgauge_report *report = cg_report_new();
    assert_non_null(report);
    report->calls = cg_arena_alloc(&report->arena, calls * sizeof *report->calls);
    report->call_count = calls;
    for (size_t i = 0; i < calls; i++) {
        cg_call_row_init(&report->calls[i]);
    }
    return report;
}

static void check_empty(void **state)
{
    (void)state;
    callgauge_report *report = made(0);
    cg_report_seal(report);
    const callgauge_totals *totals = callgauge_report_totals(report);
    size_t count = 99;
    assert_int_equal(totals->calls, 0);
    assert_int_equal(totals->cpu_ns, CALLGAUGE_UNKNOWN);
    assert_int_equal(totals->bytes_read, CALLGAUGE_UNKNOWN);
    assert_int_equal(totals->elapsed_ns, CALLGAUGE_UNKNOWN);
    assert_null(callgauge_report_call(report, 0));
    assert_null(callgauge_report_find_call(report, "read"));
    assert_null(callgauge_report_capture(report, 0));
    assert_null(callgauge_report_process(report, 0));
    callgauge_report_signals(report, &count);
    assert_int_equal(count, 0);
    callgauge_report_faults(report, NULL);
    callgauge_report_functions(report, NULL);
    callgauge_report_limits_hit(report, NULL);
    callgauge_report_free(report);
    callgauge_report_free(NULL);
}

static void check_order_and_sums(void **state)
{
    (void)state;
    callgauge_report *report = made(3);
    static const char *const names[] = { "write", "read", "re" };
    for (size_t i = 0; i < 3; i++) {
        report->calls[i].name = cg_str_z(names[i]);
        report->calls[i].calls = i + 1;
        report->calls[i].errors = 1;
    }
    report->calls[1].wall_ns = 7;
    report->calls[1].bytes_read = 0;
    cg_report_seal(report);
    assert_true(cg_str_is(callgauge_report_call(report, 0)->name, "re"));
    assert_true(cg_str_is(callgauge_report_call(report, 1)->name, "read"));
    assert_true(cg_str_is(callgauge_report_call(report, 2)->name, "write"));
    assert_null(callgauge_report_call(report, 3));
    assert_int_equal(callgauge_report_find_call(report, "read")->calls, 2);
    assert_null(callgauge_report_find_call(report, "rea"));
    assert_null(callgauge_report_find_call(report, ""));
    const callgauge_totals *totals = callgauge_report_totals(report);
    assert_int_equal(totals->calls, 6);
    assert_int_equal(totals->errors, 3);
    assert_int_equal(totals->wall_ns, 7);
    assert_int_equal(totals->cpu_ns, CALLGAUGE_UNKNOWN);
    assert_int_equal(totals->bytes_read, 0);
    callgauge_report_free(report);
}

static void check_names(void **state)
{
    (void)state;
    callgauge_name_row rows[] = { { cg_str_z("b"), 1 }, { cg_str_z("a"), 2 }, { cg_str_z("b"), UINT64_MAX } };
    assert_int_equal(cg_name_rows_settle(rows, 3), 2);
    assert_true(cg_str_is(rows[0].name, "a"));
    assert_true(cg_str_is(rows[1].name, "b"));
    assert_int_equal(rows[1].count, INT64_MAX);
    assert_int_equal(cg_name_rows_settle(NULL, 0), 0);
}

static void check_limits(void **state)
{
    (void)state;
    callgauge_report *report = made(0);
    size_t count;
    assert_true(cg_report_add_limit(report, "processes", 10, 1));
    assert_true(cg_report_add_limit(report, "names", 5, 2));
    assert_true(cg_report_add_limit(report, "processes", 8, 3));
    cg_report_seal(report);
    const callgauge_limit_row *rows = callgauge_report_limits_hit(report, &count);
    assert_int_equal(count, 2);
    assert_string_equal(rows[0].limit, "names");
    assert_int_equal(rows[1].kept, 10);
    assert_int_equal(rows[1].dropped, 4);
    callgauge_report_free(report);
}

/* Each limit has words of its own; what is not known is its own name. tests/check/limits requires one of each here. */
static void limits_have_words(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        { "attempts", "unfinished runs and sequences of a rule" },
        { "descriptors", "descriptors open at one time" },
        { "distinct", "values that a rule tells apart" },
        { "file_processes", "pids of a file" },
        { "findings", "findings of a rule" },
        { "groups", "groups of a rule" },
        { "match", "steps of matching one text" },
        { "names", "names of calls, errors, signals or functions" },
        { "open_bytes", "bytes of calls without a result" },
        { "open_calls", "calls without a result at one time" },
        { "paths", "files, sockets and pipes" },
        { "processes", "processes" },
        { "sequences", "different sequences of calls of one name" },
        { "texts", "texts that rules compare" },
        { "unit", "units of work" },
        { "waiting", "rows of waiting" },
        { "limit of a later version", "limit of a later version" },
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_string_equal(callgauge_limit_text(texts[i][0]), texts[i][1]);
    }
    assert_string_equal(callgauge_limit_text(NULL), "");
}

static struct sum {
    const char *name;
    int64_t a, b, add, min, max;
} sums[] = {
    { "both known", 2, 3, 5, 2, 3 },
    { "one unknown", CALLGAUGE_UNKNOWN, 3, 3, 3, 3 },
    { "the other unknown", 3, CALLGAUGE_UNKNOWN, 3, 3, 3 },
    { "both unknown", CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN },
    { "zero is known", 0, CALLGAUGE_UNKNOWN, 0, 0, 0 },
    { "held at the top", INT64_MAX, 1, INT64_MAX, 1, INT64_MAX },
};

enum { SUMS = sizeof sums / sizeof *sums };

static void check_sum(void **state)
{
    const struct sum *row = *state;
    assert_int_equal(cg_known_add(row->a, row->b), row->add);
    assert_int_equal(cg_known_min(row->a, row->b), row->min);
    assert_int_equal(cg_known_max(row->a, row->b), row->max);
}

int main(void)
{
    struct CMUnitTest tests[SUMS + 5] = {
        [SUMS] = cmocka_unit_test(check_empty),           [SUMS + 1] = cmocka_unit_test(check_order_and_sums),
        [SUMS + 2] = cmocka_unit_test(check_names),       [SUMS + 3] = cmocka_unit_test(check_limits),
        [SUMS + 4] = cmocka_unit_test(limits_have_words),
    };
    for (size_t i = 0; i < SUMS; i++) {
        tests[i] = (struct CMUnitTest){ .name = sums[i].name, .test_func = check_sum, .initial_state = &sums[i] };
    }
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}

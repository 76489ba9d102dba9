/* SPDX-License-Identifier: Apache-2.0 */
/* stage/histogram: which events count, what is kept of each, and what becomes of tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "making.h"

static const callgauge_call_row *row_of(const callgauge_report *report, int name)
{
    return callgauge_report_find_call(report, call_names[name].text.ptr);
}

static void check_counts(void **state)
{
    (void)state;
    cg_stage stage = new_stage(false);
    callgauge_event child = call_of(NAME_READ, 0), exits = call_of(NAME_EXIT, 0);
    child.flags = CALLGAUGE_CALL_CHILD;
    exits.flags = CALLGAUGE_CALL_UNRETURNED;
    take(&stage, call_of(NAME_READ, 100));
    take(&stage, call_of(NAME_READ, 0));
    take(&stage, child);
    take(&stage, exits);
    take(&stage, failed_call(NAME_OPENAT, 0));
    take(&stage, failed_call(NAME_OPENAT, 1));
    take(&stage, failed_call(NAME_OPENAT, 0));
    take(&stage, failed_call(NAME_OPENAT, 2));
    take(&stage, failed_call(NAME_OPENAT, 1));
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(row_of(report, NAME_READ)->calls, 2);
    assert_int_equal(row_of(report, NAME_READ)->cpu_ns, CALLGAUGE_UNKNOWN);
    assert_int_equal(row_of(report, NAME_READ)->durations_kind, CALLGAUGE_TIME_NONE);
    assert_int_equal(row_of(report, NAME_EXIT)->calls, 0);
    assert_int_equal(row_of(report, NAME_EXIT)->unreturned, 1);
    const callgauge_call_row *open = row_of(report, NAME_OPENAT);
    assert_int_equal(open->calls, 5);
    assert_int_equal(open->errors, 5);
    assert_int_equal(open->error_name_count, 3);
    assert_true(cg_str_is(open->errors_by_name[0].name, "EAGAIN"));
    assert_int_equal(open->errors_by_name[0].count, 2);
    assert_int_equal(open->errors_by_name[1].count, 1);
    assert_int_equal(open->errors_by_name[2].count, 2);
    assert_int_equal(open->bytes_read, CALLGAUGE_UNKNOWN);
    assert_null(row_of(report, NAME_WRITE));
    assert_null(report->captures[0].table_check);
    assert_false(report->captures[0].has_table_totals);
    callgauge_report_free(report);
}

static void check_bytes(void **state)
{
    (void)state;
    cg_stage stage = new_stage(false);
    callgauge_event unknown = call_of(NAME_WRITE, 0);
    unknown.has = 0;
    take(&stage, call_of(NAME_READ, 100));
    take(&stage, failed_call(NAME_READ, 1));
    take(&stage, call_of(NAME_COPY, 4096));
    take(&stage, unknown);
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(row_of(report, NAME_READ)->bytes_read, 100);
    assert_int_equal(row_of(report, NAME_READ)->bytes_written, CALLGAUGE_UNKNOWN);
    assert_int_equal(row_of(report, NAME_COPY)->bytes_read, 4096);
    assert_int_equal(row_of(report, NAME_COPY)->bytes_written, 4096);
    assert_int_equal(row_of(report, NAME_WRITE)->bytes_written, CALLGAUGE_UNKNOWN);
    assert_int_equal(callgauge_report_totals(report)->bytes_read, 4196);
    callgauge_report_free(report);
}

static void check_durations(void **state)
{
    (void)state;
    cg_stage stage = new_stage(false);
    for (int64_t i = 1; i <= 100; i++) {
        take(&stage, timed_call(NAME_READ, CALLGAUGE_TIME_WALL, i));
    }
    take(&stage, timed_call(NAME_READ, CALLGAUGE_TIME_CPU, 1000000));
    take(&stage, call_of(NAME_READ, 1));
    callgauge_report *report = finish_stage(&stage, "t");
    const callgauge_call_row *row = row_of(report, NAME_READ);
    assert_int_equal(row->calls, 102);
    assert_int_equal(row->wall_ns, 5050);
    assert_int_equal(row->wall_calls, 100);
    assert_int_equal(row->cpu_ns, 1000000);
    assert_int_equal(row->cpu_calls, 1);
    assert_int_equal(row->durations_kind, CALLGAUGE_TIME_WALL);
    assert_int_equal(row->min_ns, 1);
    assert_int_equal(row->max_ns, 100);
    assert_int_equal(row->bucket_count, 100);
    assert_int_equal(row->p50_ns, 50);
    assert_int_equal(row->p90_ns, 90);
    assert_int_equal(row->p99_ns, 99);
    callgauge_report_free(report);
}

static void check_other_events(void **state)
{
    (void)state;
    cg_stage stage = new_stage(false);
    callgauge_event into = { .kind = CALLGAUGE_EVENT_LIBRARY_CALL, .name = &function_name };
    callgauge_event back = into;
    back.flags = CALLGAUGE_LIBRARY_RETURN;
    take(&stage, (callgauge_event){ .kind = CALLGAUGE_EVENT_SIGNAL, .name = &signal_name });
    take(&stage, (callgauge_event){ .kind = CALLGAUGE_EVENT_SIGNAL, .name = &signal_name });
    take(&stage, (callgauge_event){ .kind = CALLGAUGE_EVENT_FAULT, .name = &fault_name });
    take(&stage, (callgauge_event){ .kind = CALLGAUGE_EVENT_NOTICE });
    take(&stage, into);
    take(&stage, back);
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(report->signal_count, 1);
    assert_int_equal(report->signals[0].count, 2);
    assert_int_equal(report->faults[0].count, 1);
    assert_int_equal(report->functions[0].count, 1);
    assert_true(cg_str_is(report->functions[0].name, "libc:malloc"));
    assert_int_equal(report->call_count, 0);
    callgauge_report_free(report);
}

enum { CALLS_ERRORS_CPU = CALLGAUGE_ROW_CALLS | CALLGAUGE_ROW_ERRORS | CALLGAUGE_ROW_CPU };

static callgauge_count_row table_row(uint64_t calls, uint64_t errors, int64_t cpu_ns)
{
    return (callgauge_count_row){ .has = CALLS_ERRORS_CPU, .calls = calls, .errors = errors, .cpu_ns = cpu_ns };
}

static void check_table_alone(void **state)
{
    (void)state;
    cg_stage stage = new_stage(false);
    callgauge_count_row read = table_row(8355, 4, 553000000), write = table_row(8365, 21, 623000000);
    callgauge_count_row again = table_row(1, 0, 0), signals = { .has = CALLGAUGE_ROW_CALLS, .calls = 3 };
    callgauge_count_row totals = table_row(16721, 25, 1178000000);
    signals.of = CALLGAUGE_ROW_OF_SIGNAL;
    signals.name = signal_name;
    read.has |= CALLGAUGE_ROW_CPU_MIN | CALLGAUGE_ROW_CPU_MAX;
    read.cpu_min_ns = 5;
    read.cpu_max_ns = 50;
    totals.has |= CALLGAUGE_ROW_USER | CALLGAUGE_ROW_ELAPSED;
    totals.user_ns = 43000000;
    totals.elapsed_ns = 56240000000;
    take(&stage, row_event(&signals, -1));
    take(&stage, row_event(&read, NAME_READ));
    take(&stage, row_event(&write, NAME_WRITE));
    take(&stage, row_event(&again, NAME_WRITE));
    take(&stage, totals_event(&totals));
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(row_of(report, NAME_READ)->calls, 8355);
    assert_int_equal(row_of(report, NAME_READ)->cpu_calls, 8355);
    assert_int_equal(row_of(report, NAME_READ)->wall_calls, 0);
    assert_int_equal(row_of(report, NAME_READ)->min_ns, 5);
    assert_int_equal(row_of(report, NAME_READ)->max_ns, 50);
    assert_int_equal(row_of(report, NAME_READ)->durations_kind, CALLGAUGE_TIME_CPU);
    assert_int_equal(row_of(report, NAME_READ)->p50_ns, CALLGAUGE_UNKNOWN);
    assert_int_equal(row_of(report, NAME_WRITE)->calls, 8366);
    assert_int_equal(row_of(report, NAME_WRITE)->wall_ns, CALLGAUGE_UNKNOWN);
    assert_int_equal(report->totals.cpu_ns, 1176000000);
    assert_int_equal(report->totals.user_ns, 43000000);
    assert_int_equal(report->totals.elapsed_ns, 56240000000);
    assert_int_equal(report->signals[0].count, 3);
    assert_true(report->captures[0].has_table_totals);
    assert_int_equal(report->captures[0].table_totals.cpu_ns, 1178000000);
    assert_null(report->captures[0].table_check); /* .002 s are rounding */
    callgauge_report_free(report);
}

static void count_faults(void *ctx, const callgauge_error *fault)
{
    size_t *faults = ctx;
    assert_string_equal(fault->source, "t");
    assert_true(fault->line > 0);
    (*faults)++;
}

/* A trace of 2 reads (1 error), an exit, a raw call; then a table. */
static struct check {
    const char *name;
    uint64_t calls, errors, exits, total;
    const char *answer;
    size_t faults;
} checks[] = {
    { "equal", 2, 1, 0, 2, "equal", 0 },
    { "equal with rows for calls that do not return", 2, 1, 1, 3, "equal", 0 },
    { "a call fewer", 1, 1, 0, 1, "read: 2 calls in the trace, 1 in the table (1 more)", 1 },
    { "a call more", 3, 1, 0, 3, "read: 2 calls in the trace, 3 in the table (1 fewer)", 1 },
    { "other errors", 2, 0, 0, 2, "read: 1 error in the trace, 0 in the table (1 more)", 1 },
    { "wrong sums", 2, 1, 0, 5, "the rows add up to 2 calls, the table says 5", 1 },
};

enum { CHECKS = sizeof checks / sizeof *checks };

static void check_table_after_trace(void **state)
{
    const struct check *check = *state;
    size_t faults = 0;
    const cg_histogram_options options = {
        .limits = usual_limits(), .source = "t", .on_diag = count_faults, .diag_ctx = &faults
    };
    cg_stage stage;
    assert_int_equal(cg_histogram_new(&options, &stage, NULL), CALLGAUGE_OK);
    callgauge_count_row reads = table_row(check->calls, check->errors, 900), exits = table_row(check->exits, 0, 0);
    callgauge_count_row totals = table_row(check->total, check->errors, 900);
    callgauge_event gone = call_of(NAME_EXIT, 0);
    gone.flags = CALLGAUGE_CALL_UNRETURNED;
    take(&stage, timed_call(NAME_READ, CALLGAUGE_TIME_WALL, 50));
    take(&stage, failed_call(NAME_READ, 1));
    take(&stage, call_of(NAME_RAW, 0));
    take(&stage, gone);
    take(&stage, row_event(&reads, NAME_READ));
    if (check->exits > 0) {
        take(&stage, row_event(&exits, NAME_EXIT));
    }
    take(&stage, totals_event(&totals));
    callgauge_report *report = finish_stage(&stage, "t");
    assert_string_equal(report->captures[0].table_check, check->answer);
    assert_int_equal(faults, check->faults);
    assert_int_equal(row_of(report, NAME_READ)->calls, 2);
    assert_int_equal(row_of(report, NAME_READ)->errors, 1);
    assert_int_equal(row_of(report, NAME_READ)->cpu_ns, 900);
    assert_int_equal(row_of(report, NAME_READ)->wall_ns, 50);
    assert_int_equal(row_of(report, NAME_READ)->cpu_calls, check->calls);
    assert_int_equal(row_of(report, NAME_READ)->wall_calls, 1);
    assert_int_equal(row_of(report, NAME_EXIT)->calls, 0);
    assert_int_equal(row_of(report, NAME_RAW)->calls, 1);
    callgauge_report_free(report);
}

/* A table whose times are those of its trace tells wall clock time, unless the caller knows better. */
static struct clock {
    const char *name;
    bool cpu_is_sure;
    int64_t table_ns;
    bool all_timed;
    bool is_wall;
} clocks[] = {
    { "time far below the trace's is cpu", false, 20, true, false },
    { "just below is cpu", false, 89, true, false },
    { "nine tenths are wall clock", false, 90, true, true },
    { "more than the trace's is wall clock", false, 105, true, true },
    { "the caller has said cpu", true, 100, true, false },
    { "not every call is timed", false, 100, false, false },
};

enum { CLOCKS = sizeof clocks / sizeof *clocks };

static void check_clock(void **state)
{
    static const callgauge_assumption assumed[] = { { CG_ASSUMED_TABLE_TIME, "cpu", "--time-kind" } };
    const struct clock *row = *state;
    const cg_histogram_options options = { .limits = usual_limits(), .source = "t", .cpu_is_sure = row->cpu_is_sure };
    cg_stage stage;
    assert_int_equal(cg_histogram_new(&options, &stage, NULL), CALLGAUGE_OK);
    callgauge_count_row table = table_row(2, 0, row->table_ns * 1000);
    take(&stage, timed_call(NAME_READ, CALLGAUGE_TIME_WALL, 60000));
    take(&stage, row->all_timed ? timed_call(NAME_READ, CALLGAUGE_TIME_WALL, 40000) : call_of(NAME_READ, 1));
    take(&stage, row_event(&table, NAME_READ));
    take(&stage, totals_event(&table));
    callgauge_report *report = cg_report_new();
    callgauge_capture_row capture = { .capture = { .name = "t", .assumed = assumed, .assumed_count = 1 } };
    report->captures = &capture;
    report->capture_count = 1;
    assert_int_equal(stage.finish(stage.self, report, NULL), CALLGAUGE_OK);
    stage.free(stage.self);
    int64_t table_ns = row->table_ns * 1000;
    assert_string_equal(capture.table_check, "equal");
    assert_int_equal(report->calls[0].cpu_ns, row->is_wall ? CALLGAUGE_UNKNOWN : table_ns);
    assert_int_equal(report->calls[0].wall_ns, row->all_timed ? 100000 : 60000);
    assert_int_equal(capture.table_totals.cpu_ns, row->is_wall ? CALLGAUGE_UNKNOWN : table_ns);
    assert_int_equal(capture.table_totals.wall_ns, row->is_wall ? table_ns : CALLGAUGE_UNKNOWN);
    assert_string_equal(capture.capture.assumed[0].taken, row->is_wall ? "wall" : "cpu");
    callgauge_report_free(report);
}

/* Two runs appended, each a trace and its table; then a table of a third run alone would be of the second. */
static void check_runs_add(void **state)
{
    (void)state;
    cg_stage stage = new_stage(false);
    callgauge_count_row one = table_row(1, 0, 10), two = table_row(2, 0, 20);
    two.table = 1;
    take(&stage, call_of(NAME_READ, 1));
    take(&stage, row_event(&one, NAME_READ));
    take(&stage, call_of(NAME_READ, 1));
    take(&stage, call_of(NAME_READ, 1));
    take(&stage, row_event(&two, NAME_READ));
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(row_of(report, NAME_READ)->calls, 3);
    assert_int_equal(row_of(report, NAME_READ)->cpu_ns, 30);
    assert_string_equal(report->captures[0].table_check, "equal");
    callgauge_report_free(report);
}

/* Tables one after the other: of two runs without a trace they add, of one trace (a table for each
 * personality) their sum is checked. */
static void check_tables_in_a_row(void **state)
{
    (void)state;
    callgauge_count_row one = table_row(1, 0, 10), two = table_row(2, 0, 20);
    two.table = 1;
    cg_stage alone = new_stage(false), traced = new_stage(false);
    take(&alone, row_event(&one, NAME_READ));
    take(&alone, row_event(&two, NAME_READ));
    for (int i = 0; i < 3; i++) {
        take(&traced, call_of(NAME_READ, 1));
    }
    take(&traced, row_event(&one, NAME_READ));
    take(&traced, row_event(&two, NAME_READ));
    callgauge_report *a = finish_stage(&alone, "t"), *b = finish_stage(&traced, "t");
    assert_int_equal(row_of(a, NAME_READ)->calls, 3);
    assert_null(a->captures[0].table_check);
    assert_int_equal(row_of(b, NAME_READ)->calls, 3);
    assert_string_equal(b->captures[0].table_check, "equal");
    callgauge_report_free(a);
    callgauge_report_free(b);
}

static void check_table_without_columns(void **state)
{
    (void)state;
    cg_stage stage = new_stage(false);
    callgauge_count_row row = { .has = CALLGAUGE_ROW_CALLS, .calls = 5 };
    take(&stage, row_event(&row, NAME_READ));
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(row_of(report, NAME_READ)->calls, 5);
    assert_int_equal(row_of(report, NAME_READ)->cpu_ns, CALLGAUGE_UNKNOWN);
    assert_int_equal(report->totals.cpu_ns, CALLGAUGE_UNKNOWN);
    callgauge_report_free(report);
}

/* A time without a count of calls is known, and how long a call took is not. */
static void check_table_without_calls(void **state)
{
    (void)state;
    cg_stage stage = new_stage(false);
    callgauge_count_row row = { .has = CALLGAUGE_ROW_CPU, .cpu_ns = 5 };
    take(&stage, row_event(&row, NAME_READ));
    take(&stage, timed_call(NAME_READ, CALLGAUGE_TIME_CPU, 3));
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(row_of(report, NAME_READ)->cpu_ns, 8);
    assert_int_equal(row_of(report, NAME_READ)->cpu_calls, 0);
    assert_int_equal(report->totals.cpu_calls, 0);
    callgauge_report_free(report);
}

static void check_blank_lines(void **state)
{
    (void)state;
    static const char *const lines[] = { "", " \t", "^C", "bash$ ", "^C^C" };
    cg_stage stage = new_stage(false);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        take(&stage, (callgauge_event){ .kind = CALLGAUGE_EVENT_FOREIGN, .text = cg_str_z(lines[i]) });
    }
    callgauge_report *report = cg_report_new();
    report->captures = cg_arena_alloc(&report->arena, sizeof *report->captures);
    report->captures[0].capture.foreign_lines = 5;
    report->capture_count = 1;
    assert_int_equal(stage.finish(stage.self, report, NULL), CALLGAUGE_OK);
    stage.free(stage.self);
    assert_int_equal(report->captures[0].blank_lines, 3);
    callgauge_report_free(report);
}

/* What has no name, because there were too many, is counted as left out. */
static void check_limits_of_names(void **state)
{
    (void)state;
    enum { ERRORS = 300, KEPT = 256 };
    static callgauge_name errors[ERRORS];
    static char texts[ERRORS][8];
    cg_stage stage = new_stage(false);
    for (size_t i = 0; i < ERRORS; i++) {
        texts[i][0] = 'E';
        texts[i][1] = (char)('A' + i / 26);
        texts[i][2] = (char)('A' + i % 26);
        errors[i] = (callgauge_name){ .text = cg_str_z(texts[i]), .id = (uint32_t)i };
        callgauge_event event = call_of(NAME_READ, -1);
        event.error = &errors[i];
        take(&stage, event);
    }
    take(&stage, (callgauge_event){ .kind = CALLGAUGE_EVENT_CALL });
    take(&stage, (callgauge_event){ .kind = CALLGAUGE_EVENT_SIGNAL });
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(row_of(report, NAME_READ)->errors, ERRORS);
    assert_int_equal(row_of(report, NAME_READ)->error_name_count, KEPT);
    assert_int_equal(report->limit_count, 1);
    assert_string_equal(report->limits[0].limit, "names");
    assert_int_equal(report->limits[0].dropped, ERRORS - KEPT + 2);
    callgauge_report_free(report);
}

int main(void)
{
    struct CMUnitTest tests[CHECKS + 11 + CLOCKS] = {
        [CHECKS] = cmocka_unit_test(check_counts),
        [CHECKS + 1] = cmocka_unit_test(check_bytes),
        [CHECKS + 2] = cmocka_unit_test(check_durations),
        [CHECKS + 3] = cmocka_unit_test(check_other_events),
        [CHECKS + 4] = cmocka_unit_test(check_table_alone),
        [CHECKS + 5] = cmocka_unit_test(check_runs_add),
        [CHECKS + 6] = cmocka_unit_test(check_tables_in_a_row),
        [CHECKS + 7] = cmocka_unit_test(check_table_without_columns),
        [CHECKS + 8] = cmocka_unit_test(check_limits_of_names),
        [CHECKS + 9] = cmocka_unit_test(check_table_without_calls),
        [CHECKS + 10] = cmocka_unit_test(check_blank_lines),
    };
    for (size_t i = 0; i < CHECKS; i++) {
        tests[i] = (struct CMUnitTest){ .name = checks[i].name,
                                        .test_func = check_table_after_trace,
                                        .initial_state = &checks[i] };
    }
    for (size_t i = 0; i < CLOCKS; i++) {
        tests[CHECKS + 11 + i] =
            (struct CMUnitTest){ .name = clocks[i].name, .test_func = check_clock, .initial_state = &clocks[i] };
    }
    return cmocka_run_group_tests_name("histogram", tests, NULL, NULL);
}

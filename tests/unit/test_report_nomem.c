/* SPDX-License-Identifier: Apache-2.0 */
/* The histogram, reports, merging and writing when memory runs out: at every allocation a status comes back,
 * everything can still be freed, and nothing leaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_mem.h"
#include "followed.h"

static bool went_on(callgauge_status status)
{
    assert_true(status == CALLGAUGE_OK || status == CALLGAUGE_E_NOMEM);
    return status == CALLGAUGE_OK;
}

static callgauge_event traced(int name, int64_t ns)
{
    callgauge_event event = timed_call(name, CALLGAUGE_TIME_WALL, ns);
    event.has |= CALLGAUGE_HAS_PID;
    event.pid = ns;
    return event;
}

/* Everything that takes memory: durations, errors, names, tables that differ, processes. */
static bool feed(const cg_stage *stage)
{
    callgauge_count_row row = { .has = CALLGAUGE_ROW_CALLS, .calls = 9 }, totals = row;
    totals.calls = 1;
    const callgauge_event events[] = {
        traced(NAME_READ, 10),
        traced(NAME_WRITE, 100000),
        failed_call(NAME_OPENAT, 0),
        { .kind = CALLGAUGE_EVENT_SIGNAL, .name = &signal_name },
        { .kind = CALLGAUGE_EVENT_FAULT, .name = &fault_name },
        row_event(&row, NAME_READ),
        totals_event(&totals),
    };
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        if (!went_on(stage->event(stage->self, &events[i], NULL))) {
            return false;
        }
    }
    return true;
}

static void finish_and_write(const cg_stage *stage, callgauge_report *report)
{
    static caught into;
    static const char *const formats[] = { "text", "json", "csv", "markdown" };
    callgauge_report *merged, *again;
    const callgauge_report *both[] = { report, report };
    callgauge_output to = { catch_output, &into };
    if (!went_on(stage->finish(stage->self, report, NULL))) {
        return;
    }
    cg_report_seal(report);
    if (!went_on(callgauge_report_merge(both, 2, &merged, NULL))) {
        return;
    }
    bool ok = true;
    for (size_t i = 0; ok && i < 4; i++) {
        into.len = 0;
        ok = went_on(callgauge_write(merged, formats[i], NULL, &to, NULL));
        if (ok && i == 1 && callgauge_report_read("r", into.text, into.len, &again, NULL) == CALLGAUGE_OK) {
            callgauge_report_free(again);
        }
    }
    callgauge_report_free(merged);
}

static void run(void)
{
    cg_stage stage;
    if (!try_new_stage(true, &stage)) {
        return;
    }
    callgauge_report *report = feed(&stage) ? cg_report_new() : NULL;
    if (report != NULL) {
        static const callgauge_capture_row capture = { .capture = { .name = "t" } };
        report->captures = cg_arena_alloc(&report->arena, sizeof *report->captures);
        report->capture_count = report->captures != NULL ? 1 : 0;
        if (report->captures != NULL) {
            report->captures[0] = capture;
            finish_and_write(&stage, report);
        }
        callgauge_report_free(report);
    }
    stage.free(stage.self);
}

static void fail_every_allocation(void (*work)(void))
{
    size_t n = 1;
    for (bool failed = true; failed; n++) {
        size_t live = failing_mem_live();
        failing_mem_after(n);
        work();
        failed = failing_mem_failed();
        failing_mem_after(0);
        assert_int_equal(failing_mem_live(), live);
    }
    assert_true(n > 20);
}

static void check_every_allocation(void **state)
{
    (void)state;
    fail_every_allocation(run);
}

static callgauge_report *followed[2];

/* Rows of all kinds, merged, written as each kind of table, read back. */
static void merge_and_write(void)
{
    static caught into;
    static const char *const formats[] = { "json", "text", "csv", "markdown" };
    callgauge_report *merged, *again;
    callgauge_output to = { catch_output, &into };
    if (!went_on(callgauge_report_merge((const callgauge_report *const *)followed, 2, &merged, NULL))) {
        return;
    }
    bool ok = true;
    for (size_t i = 0; ok && i < 4 * (CALLGAUGE_ROWS_TREE + 1); i++) {
        const callgauge_write_options options = { .size = sizeof options, .rows = (callgauge_rows)(i / 4) };
        into.len = 0;
        ok = went_on(callgauge_write(merged, formats[i % 4], &options, &to, NULL));
        if (ok && i == 0 && callgauge_report_read("r", into.text, into.len, &again, NULL) == CALLGAUGE_OK) {
            callgauge_report_free(again);
        }
    }
    callgauge_report_free(merged);
}

static void check_followed(void **state)
{
    (void)state;
    followed[0] = drawn_report(1, 2, CALLGAUGE_UNIT_REQUEST);
    followed[1] = drawn_report(2, 1, CALLGAUGE_UNIT_REQUEST);
    fail_every_allocation(merge_and_write);
    callgauge_report_free(followed[0]);
    callgauge_report_free(followed[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(check_every_allocation), cmocka_unit_test(check_followed) };
    return cmocka_run_group_tests_name("report_nomem", tests, NULL, NULL);
}

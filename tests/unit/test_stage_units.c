/* SPDX-License-Identifier: Apache-2.0 */
/* stage/units: how many units there are, and how they differ. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "annotating.h"
#include "stage/units.h"

static cg_stage new_units(callgauge_unit_from from, const char *call)
{
    cg_stage stage;
    const cg_units_options options = { .from = from, .count = 100, .call = call, .limits = stage_limits() };
    assert_int_equal(cg_units_new(&options, &stage, NULL), CALLGAUGE_OK);
    return stage;
}

static void check_number(void **state)
{
    (void)state;
    cg_stage stage = new_units(CALLGAUGE_UNIT_NUMBER, NULL);
    assert_int_equal(stage.wants, CG_WANT_COUNTS);
    take(&stage, call("accept4", "3", 4));
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(report->unit.from, CALLGAUGE_UNIT_NUMBER);
    assert_int_equal(report->unit.count, 100);
    assert_int_equal(report->unit.call.len, 0);
    assert_int_equal(report->unit.calls_bucket_count, 0);
    assert_int_equal(report->unit.slowest_count, 0);
    callgauge_report_free(report);
}

static cg_annotation of_thread(const cg_thread *thread)
{
    cg_annotation known = of_process(thread->process);
    known.thread = thread;
    return known;
}

/* Two threads with units of their own; calls before the first start are in none. */
static void check_requests(void **state)
{
    (void)state;
    cg_stage stage = new_units(CALLGAUGE_UNIT_REQUEST, NULL);
    cg_process process = a_process(0, 41);
    const cg_thread one = { 0, 41, &process }, two = { 200, 42, &process };
    callgauge_event child = call("stat", "0", 0), cut = child;
    child.flags = CALLGAUGE_CALL_CHILD;
    cut.flags = CALLGAUGE_CALL_UNRETURNED;
    give(&stage, 1, at(call("poll", "0", 0), 0, 50), of_thread(&one));
    give(&stage, 2, at(call("accept4", "3", 4), 100, 100), of_thread(&one));
    give(&stage, 3, at(call("accept4", "3", 5), 150, 50), of_thread(&two));
    give(&stage, 4, at(call("read", "4", 9), 210, 10), of_thread(&one));
    give(&stage, 5, at(call("write", "4", 9), 220, 10), of_thread(&one));
    give(&stage, 6, at(failed(call("accept4", "3", 0), 1), 240, 10), of_thread(&one));
    give(&stage, 7, child, of_thread(&one));
    give(&stage, 8, cut, of_thread(&one));
    give(&stage, 9, at(call("accept", "3", 4), 300, 1000), of_thread(&one));
    give(&stage, 10, (callgauge_event){ .kind = CALLGAUGE_EVENT_EXIT, .has = CALLGAUGE_HAS_START, .start_ns = 1500 },
         of_thread(&one));
    callgauge_report *report = finish_stage(&stage, "t");
    const callgauge_unit *unit = &report->unit;
    assert_int_equal(unit->from, CALLGAUGE_UNIT_REQUEST);
    assert_int_equal(unit->count, 3);
    assert_int_equal(unit->calls_bucket_count, 2);
    assert_int_equal(unit->calls_buckets[0].index, 1);
    assert_int_equal(unit->calls_buckets[0].count, 2);
    assert_int_equal(unit->calls_buckets[1].index, 4);
    assert_int_equal(unit->wall_bucket_count, 3);
    assert_int_equal(unit->slowest_count, 3);
    assert_int_equal(unit->slowest[0].place.line, 9);
    assert_int_equal(unit->slowest[0].wall_ns, 200); /* from 1300 on */
    assert_int_equal(unit->slowest[0].calls, 1);
    assert_int_equal(unit->slowest[0].pid, 41);
    assert_int_equal(unit->slowest[1].place.line, 2);
    assert_int_equal(unit->slowest[1].wall_ns, 100); /* 200 to 300 */
    assert_int_equal(unit->slowest[1].calls, 4);
    assert_int_equal(unit->slowest[2].place.line, 3);
    assert_int_equal(unit->slowest[2].wall_ns, 0);
    callgauge_report_free(report);
}

/* A call's own time is in the unit that it starts. Without stamps the largest go first, ten of them. */
static void check_calls(void **state)
{
    (void)state;
    for (int stamped = 0; stamped < 2; stamped++) {
        cg_stage stage = new_units(CALLGAUGE_UNIT_CALL, "getpid");
        cg_process process = a_process(0, CG_UNKNOWN);
        const cg_thread thread = { 0, CG_UNKNOWN, &process };
        int64_t ns = 0;
        for (int i = 0; i < 15; i++) {
            for (int k = 0; k <= i; k++, ns += 100) {
                callgauge_event event = call(k == 0 ? "getpid" : "getppid", "", 1);
                give(&stage, (uint64_t)i + 1, stamped != 0 ? at(event, ns, 60) : event, of_thread(&thread));
            }
        }
        callgauge_report *report = finish_stage(&stage, "t");
        const callgauge_unit *unit = &report->unit;
        assert_true(cg_str_is(unit->call, "getpid"));
        assert_int_equal(unit->count, 15);
        assert_int_equal(unit->calls_bucket_count, 15);
        assert_int_equal(unit->wall_bucket_count, stamped != 0 ? 15 : 0);
        assert_int_equal(unit->slowest_count, 10);
        for (size_t i = 0; i < 10; i++) {
            int64_t calls = 15 - (int64_t)i, wall = i == 0 ? 14 * 100 + 60 : calls * 100;
            assert_int_equal(unit->slowest[i].calls, calls);
            assert_int_equal(unit->slowest[i].place.line, calls);
            assert_int_equal(unit->slowest[i].pid, CALLGAUGE_UNKNOWN);
            assert_int_equal(unit->slowest[i].wall_ns, stamped != 0 ? wall : CALLGAUGE_UNKNOWN);
        }
        callgauge_report_free(report);
    }
}

static callgauge_event row(const callgauge_count_row *counts, const char *name)
{
    return (callgauge_event){ .kind = CALLGAUGE_EVENT_COUNT_ROW, .call = named(name), .row = counts };
}

static void check_tables(void **state)
{
    (void)state;
    const callgauge_count_row counts = { .has = CALLGAUGE_ROW_CALLS | CALLGAUGE_ROW_ERRORS, .calls = 103, .errors = 3 };
    const callgauge_count_row broken = { .has = CALLGAUGE_ROW_CALLS | CALLGAUGE_ROW_ERRORS, .calls = 1, .errors = 3 };
    cg_stage stage = new_units(CALLGAUGE_UNIT_REQUEST, NULL);
    take(&stage, row(&counts, "accept4"));
    take(&stage, row(&counts, "accept"));
    take(&stage, row(&counts, "read"));
    take(&stage, row(&broken, "accept"));
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(report->unit.count, 200);
    assert_int_equal(report->unit.calls_bucket_count, 0);
    callgauge_report_free(report);
    stage = new_units(CALLGAUGE_UNIT_CALL, "accept");
    take(&stage, call("accept", "3", 4)); /* the table tells it again */
    take(&stage, row(&counts, "accept"));
    report = finish_stage(&stage, "t");
    assert_int_equal(report->unit.count, 1);
    callgauge_report_free(report);
}

/* Threads past the limit: their units count, with nothing said of how they differ. */
static void check_limit(void **state)
{
    (void)state;
    cg_stage stage;
    cg_units_options options = { .from = CALLGAUGE_UNIT_REQUEST, .limits = stage_limits() };
    options.limits.processes = 1;
    assert_int_equal(cg_units_new(&options, &stage, NULL), CALLGAUGE_OK);
    cg_process process = a_process(0, 41);
    const cg_thread one = { 0, 41, &process }, two = { 1, 42, &process };
    give(&stage, 1, call("accept", "3", 4), of_thread(&one));
    give(&stage, 2, call("accept", "3", 4), of_thread(&two));
    give(&stage, 3, call("read", "3", 4), of_thread(&two));
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(report->unit.count, 2);
    assert_int_equal(report->unit.calls_buckets[0].count, 1);
    assert_string_equal(report->limits[0].limit, "processes");
    assert_int_equal(report->limits[0].dropped, 2);
    callgauge_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_number), cmocka_unit_test(check_requests), cmocka_unit_test(check_calls),
        cmocka_unit_test(check_tables), cmocka_unit_test(check_limit),
    };
    return cmocka_run_group_tests_name("stage_units", tests, NULL, release_names);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* report/merge: whatever the order and however they were merged before, the same bytes come out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "making.h"

enum { PARTS = 4 };

static void take_process(const cg_stage *stage, int64_t pid, int64_t ns)
{
    callgauge_event event = timed_call(NAME_READ, CALLGAUGE_TIME_WALL, ns);
    event.has |= CALLGAUGE_HAS_PID | CALLGAUGE_HAS_START;
    event.pid = pid;
    event.start_ns = ns;
    take(stage, event);
}

/* Reports that differ in all that a merge must bring together. */
static callgauge_report *part(int which)
{
    cg_stage stage = new_stage(true);
    callgauge_count_row row = { .has = CALLGAUGE_ROW_CALLS | CALLGAUGE_ROW_CPU, .calls = 7, .cpu_ns = 70 };
    callgauge_count_row untold = { .has = CALLGAUGE_ROW_CPU, .cpu_ns = 9 }; /* nobody knows of how many calls */
    switch (which) {
    case 0:
        take_process(&stage, 10, 1000);
        take_process(&stage, 20, 2000);
        take(&stage, failed_call(NAME_OPENAT, 0));
        take(&stage, (callgauge_event){ .kind = CALLGAUGE_EVENT_SIGNAL, .name = &signal_name });
        break;
    case 1:
        take_process(&stage, 20, 999);
        take(&stage, failed_call(NAME_OPENAT, 1));
        take(&stage, failed_call(NAME_OPENAT, 0));
        take(&stage, timed_call(NAME_WRITE, CALLGAUGE_TIME_CPU, 5));
        take(&stage, (callgauge_event){ .kind = CALLGAUGE_EVENT_SIGNAL, .name = &signal_name });
        break;
    case 2:
        take(&stage, timed_call(NAME_READ, CALLGAUGE_TIME_CPU, 123456));
        take(&stage, timed_call(NAME_WRITE, CALLGAUGE_TIME_WALL, 77));
        take(&stage, (callgauge_event){ .kind = CALLGAUGE_EVENT_FAULT, .name = &fault_name });
        break;
    default:
        take(&stage, row_event(&row, NAME_READ));
        take(&stage, row_event(&untold, NAME_WRITE));
        break;
    }
    callgauge_report *report = finish_stage(&stage, which == 1 ? "same" : which == 2 ? "other" : "same");
    report->captures[0].capture.foreign_lines = which == 3 ? 1 : 0;
    report->totals.elapsed_ns = which == 2 ? CALLGAUGE_UNKNOWN : 100 + which;
    assert_true(which == 0 || cg_report_add_limit(report, which == 1 ? "names" : "processes", 5, (uint64_t)which));
    return report;
}

static callgauge_report *merged(const callgauge_report *a, const callgauge_report *b)
{
    const callgauge_report *both[] = { a, b };
    callgauge_report *out;
    assert_int_equal(callgauge_report_merge(both, 2, &out, NULL), CALLGAUGE_OK);
    return out;
}

static void check_every_order(void **state)
{
    static caught first, other;
    (void)state;
    callgauge_report *parts[PARTS];
    for (int i = 0; i < PARTS; i++) {
        parts[i] = part(i);
    }
    for (int i = 0; i < PARTS * PARTS * PARTS * PARTS; i++) {
        int order[PARTS] = { i % 4, i / 4 % 4, i / 16 % 4, i / 64 };
        int seen = 1 << order[0] | 1 << order[1] | 1 << order[2] | 1 << order[3];
        if (seen != 15) {
            continue;
        }
        const callgauge_report *in[PARTS];
        for (int k = 0; k < PARTS; k++) {
            in[k] = parts[order[k]];
        }
        callgauge_report *at_once, *left = merged(in[0], in[1]), *right = merged(in[2], in[3]);
        assert_int_equal(callgauge_report_merge(in, PARTS, &at_once, NULL), CALLGAUGE_OK);
        callgauge_report *balanced = merged(left, right), *step = merged(left, in[2]), *chain = merged(step, in[3]);
        const callgauge_report *const all[] = { at_once, balanced, chain };
        for (size_t k = 0; k < 3; k++) {
            caught *into = first.len == 0 ? &first : &other;
            write_report(all[k], "json", NULL, into);
            assert_string_equal(first.text, into->text);
        }
        callgauge_report *const made[] = { at_once, left, right, balanced, step, chain };
        for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
            callgauge_report_free(made[k]);
        }
    }
    for (int i = 0; i < PARTS; i++) {
        callgauge_report_free(parts[i]);
    }
}

static void check_values(void **state)
{
    (void)state;
    callgauge_report *parts[PARTS], *all;
    for (int i = 0; i < PARTS; i++) {
        parts[i] = part(i);
    }
    const callgauge_report *in[PARTS] = { parts[0], parts[1], parts[2], parts[3] };
    assert_int_equal(callgauge_report_merge(in, PARTS, &all, NULL), CALLGAUGE_OK);
    const callgauge_call_row *read = callgauge_report_find_call(all, "read");
    assert_int_equal(read->calls, 11);
    assert_int_equal(read->wall_ns, 3999);
    assert_int_equal(read->wall_calls, 3);
    assert_int_equal(read->cpu_ns, 123526);
    assert_int_equal(read->cpu_calls, 8);
    assert_int_equal(callgauge_report_find_call(all, "write")->cpu_ns, 14);
    assert_int_equal(callgauge_report_find_call(all, "write")->cpu_calls, 0);
    assert_int_equal(read->durations_kind, CALLGAUGE_TIME_WALL);
    assert_int_equal(read->min_ns, 999);
    assert_int_equal(read->max_ns, 2000);
    assert_int_equal(read->p99_ns, 2000);
    const callgauge_call_row *open = callgauge_report_find_call(all, "openat");
    assert_int_equal(open->error_name_count, 2);
    assert_int_equal(open->errors_by_name[1].count, 2);
    assert_int_equal(callgauge_report_totals(all)->elapsed_ns, 100 + 101 + 103);
    assert_int_equal(callgauge_report_totals(all)->user_ns, CALLGAUGE_UNKNOWN);
    assert_int_equal(callgauge_report_capture_count(all), PARTS);
    assert_string_equal(callgauge_report_capture(all, 0)->capture.name, "other");
    assert_int_equal(callgauge_report_process(all, 2)->pid, 20);
    assert_int_equal(callgauge_report_process(all, 2)->calls, 2);
    assert_int_equal(callgauge_report_process(all, 2)->start_ns, 999);
    assert_int_equal(callgauge_report_process(all, 2)->end_ns, 2000);
    callgauge_report_free(all);
    for (int i = 0; i < PARTS; i++) {
        callgauge_report_free(parts[i]);
    }
}

/* A merge of one report is that report, and holds nothing of it. */
static void check_alone(void **state)
{
    static caught before, after;
    (void)state;
    callgauge_report *report = part(1), *copy;
    const callgauge_report *in[] = { report };
    write_report(report, "json", NULL, &before);
    assert_int_equal(callgauge_report_merge(in, 1, &copy, NULL), CALLGAUGE_OK);
    callgauge_report_free(report);
    write_report(copy, "json", NULL, &after);
    assert_string_equal(before.text, after.text);
    callgauge_report_free(copy);
}

static void check_none(void **state)
{
    (void)state;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_report *untouched = NULL;
    assert_int_equal(callgauge_report_merge(NULL, 0, &untouched, &err), CALLGAUGE_E_USAGE);
    assert_null(untouched);
    assert_string_equal(err.message, "there are no reports to merge");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_every_order),
        cmocka_unit_test(check_values),
        cmocka_unit_test(check_alone),
        cmocka_unit_test(check_none),
    };
    return cmocka_run_group_tests_name("merge", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* report/merge: what merging a thousand reports costs. Rows of one thing whose lists grow with every report (the groups
 * of a finding, the pids of a file) once made it a minute; `bench_merge` has the figures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <time.h>

#include "making.h"
#include "report/finding.h"

enum { REPORTS = 1000, CALLS = 100, FILES = 120, PROCESSES = 60, FINDINGS = 20, GROUPS = 10, MOST_SECONDS = 20 };

static callgauge_str numbered(cg_arena *arena, const char *before, size_t number)
{
    char text[40];
    int length = snprintf(text, sizeof text, "%s%zu", before, number);
    return cg_str(cg_arena_copy(arena, text, (size_t)length), (size_t)length);
}

static void make_calls(callgauge_report *report, size_t from)
{
    static const callgauge_bucket buckets[] = { { 200, 3 }, { 300, 4 }, { 400, 5 } };
    report->calls = cg_arena_alloc(&report->arena, CALLS * sizeof *report->calls);
    for (size_t i = 0; i < CALLS; i++) {
        callgauge_call_row *row = &report->calls[i];
        row->name = numbered(&report->arena, "call_", from + i);
        cg_call_row_init(row);
        row->calls = 12;
        row->durations_kind = CALLGAUGE_TIME_WALL;
        row->buckets = buckets;
        row->bucket_count = sizeof buckets / sizeof *buckets;
    }
    report->call_count = CALLS;
}

/* Rows of files and processes; all reports have the files, each has pids of its own. */
static void make_followed(callgauge_report *report, size_t from)
{
    report->files = cg_arena_alloc(&report->arena, FILES * sizeof *report->files);
    report->processes = cg_arena_alloc(&report->arena, PROCESSES * sizeof *report->processes);
    int64_t *pids = cg_arena_alloc(&report->arena, PROCESSES * sizeof *pids);
    for (size_t i = 0; i < PROCESSES; i++) {
        pids[i] = (int64_t)(1 + from + i);
        report->processes[i].pid = pids[i];
        cg_process_row_init(&report->processes[i]);
    }
    for (size_t i = 0; i < FILES; i++) {
        report->files[i].path = numbered(&report->arena, "/srv/", i);
        cg_file_row_init(&report->files[i]);
        report->files[i].processes = pids;
        report->files[i].process_count = PROCESSES;
    }
    report->file_count = FILES;
    report->process_count = PROCESSES;
}

/* Findings of the same rules, in groups that no other report has. */
static void make_findings(callgauge_report *report, size_t from)
{
    report->findings = cg_arena_alloc(&report->arena, FINDINGS * sizeof *report->findings);
    for (size_t i = 0; i < FINDINGS; i++) {
        callgauge_finding_row *row = &report->findings[i];
        callgauge_group_row *groups = cg_arena_alloc(&report->arena, GROUPS * sizeof *groups);
        callgauge_key *keys = cg_arena_alloc(&report->arena, GROUPS * sizeof *keys);
        cg_finding_row_init(row);
        row->rule = numbered(&report->arena, "rule-", i);
        row->groups = groups;
        row->group_count = GROUPS;
        for (size_t k = 0; k < GROUPS; k++) {
            keys[k] = (callgauge_key){ cg_str_z("path"), numbered(&report->arena, "/srv/", from + k) };
            groups[k] = (callgauge_group_row){ .keys = &keys[k], .key_count = 1, .calls = 1 };
        }
    }
    report->finding_count = FINDINGS;
}

static callgauge_report *make(size_t number)
{
    callgauge_report *report = cg_report_new();
    assert_non_null(report);
    make_calls(report, number * CALLS);
    make_followed(report, number * PROCESSES);
    make_findings(report, number * GROUPS);
    cg_report_seal(report);
    return report;
}

static void check_cost(void **state)
{
    (void)state;
    static callgauge_report *reports[REPORTS];
    callgauge_report *sum;
    for (size_t i = 0; i < REPORTS; i++) {
        reports[i] = make(i);
    }
    clock_t before = clock();
    assert_int_equal(callgauge_report_merge((const callgauge_report *const *)reports, REPORTS, &sum, NULL),
                     CALLGAUGE_OK);
    assert_true(clock() - before < MOST_SECONDS * CLOCKS_PER_SEC);
    assert_int_equal(callgauge_report_call_count(sum), REPORTS * CALLS);
    assert_int_equal(callgauge_report_file_count(sum), FILES);
    assert_int_equal(callgauge_report_process_count(sum), REPORTS * PROCESSES);
    assert_int_equal(callgauge_report_file(sum, 0)->process_count, CG_PIDS_OF_A_FILE);
    assert_int_equal(callgauge_report_finding_count(sum), FINDINGS);
    assert_int_equal(callgauge_report_finding(sum, 0)->group_count, REPORTS * GROUPS);
    callgauge_report_free(sum);
    for (size_t i = 0; i < REPORTS; i++) {
        callgauge_report_free(reports[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(check_cost) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

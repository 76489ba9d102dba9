/* SPDX-License-Identifier: Apache-2.0 */
/* Budgets loaded, asked and held against reports when memory runs out: at every allocation a status comes back,
 * everything can still be freed, and nothing leaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_mem.h"

#include <callgauge/callgauge.h>
#include <string.h>

static const char good[] =
    "budget: 1\nlimits:\n"
    "  - name: a\n    where: class == open and failed\n    at_most: { calls: 0, errors: 9 }\n    why: it is so\n"
    "  - name: b\n    per: process\n    at_most: { calls: 1, time: 1s }\n"
    "  - name: c\n    calls: [openat, \"%read\"]\n    per: unit\n    at_least: { calls: 1 }\n"
    "  - name: d\n    rule: copy-loop\n    at_most: { calls: 0 }\n"
    "calls: { allow: [read, \"%open\"], forbid: [close, fork] }\n"
    "paths: { allow: [/a], forbid: [/b, /home/] }\n"
    "regression: { calls: {}, time: {} }\nfindings: {}\n"
    "expect:\n  - name: e\n    from: class == open\n    to: class == close\n    calls: |\n      close(3) = 0\n";
static const char wrong[] = "budget: 1\nlimits:\n  - name: a b\n    at_most: { call: 1 }\ncalls: { forbid: frok }\n";
static const char capture[] = "openat(AT_FDCWD, \"/b\", O_RDONLY) = -1 ENOENT (No such file or directory)\n"
                              "openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\nread(3, \"x\", 9) = 1\nclose(3) = 0\n"
                              "openat(AT_FDCWD, \"c\", O_RDONLY) = -1 ENOENT (No such file or directory)\n";

/* Whether it went on; else memory ran out, and nothing else went wrong. */
static bool went_on(callgauge_status status)
{
    assert_true(status == CALLGAUGE_OK || status == CALLGAUGE_E_NOMEM);
    return status == CALLGAUGE_OK;
}

/* NULL: memory ran out. */
static callgauge_report *analyse(const callgauge_budget *budget)
{
    const callgauge_analysis_options options = {
        .size = sizeof options, .budget = budget, .traced = "!fork", .reader = { .dialect = "strace" }
    };
    callgauge_analysis *analysis;
    callgauge_report *report = NULL;
    if (!went_on(callgauge_analysis_new("c", &options, &analysis, NULL))) {
        return NULL;
    }
    bool good_so_far = went_on(callgauge_analysis_feed(analysis, capture, sizeof capture - 1, NULL)) &&
                       went_on(callgauge_analysis_finish(analysis, &report, NULL));
    callgauge_analysis_free(analysis);
    return good_so_far ? report : NULL;
}

static void check(const callgauge_budget *budget, const callgauge_report *report, const callgauge_report *baseline)
{
    callgauge_comparison *comparison;
    if (went_on(callgauge_budget_check(budget, report, baseline, NULL, &comparison, NULL))) {
        assert_true(callgauge_comparison_limit_count(comparison) > 14);
        callgauge_comparison_free(comparison);
    }
}

static void run(void)
{
    callgauge_budget *budget;
    callgauge_status status = callgauge_budget_load("b", wrong, sizeof wrong - 1, NULL, NULL, &budget, NULL);
    assert_true(status == CALLGAUGE_E_FORMAT || status == CALLGAUGE_E_NOMEM);
    if (status != CALLGAUGE_E_FORMAT ||
        !went_on(callgauge_budget_load("b", good, sizeof good - 1, NULL, NULL, &budget, NULL))) {
        return;
    }
    callgauge_report *report = analyse(budget);
    if (report != NULL) {
        check(budget, report, NULL);
        check(budget, report, report);
    }
    callgauge_report_free(report);
    callgauge_budget_free(budget);
}

static void check_every_allocation(void **state)
{
    (void)state;
    size_t n = 1;
    for (bool failed = true; failed; n++) {
        size_t live = failing_mem_live();
        failing_mem_after(n);
        run();
        failed = failing_mem_failed();
        failing_mem_after(0);
        assert_int_equal(failing_mem_live(), live);
    }
    assert_true(n > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(check_every_allocation) };
    callgauge_budget *probe;
    if (callgauge_budget_load("b", good, sizeof good - 1, NULL, NULL, &probe, NULL) == CALLGAUGE_E_UNSUPPORTED) {
        return 77; /* a build without libyaml */
    }
    callgauge_budget_free(probe);
    return cmocka_run_group_tests_name("budget_nomem", tests, NULL, NULL);
}

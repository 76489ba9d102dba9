/* SPDX-License-Identifier: Apache-2.0 */
/* Rules loaded, at work and written when memory runs out: at every allocation a status comes back, everything can still
 * be freed, and nothing leaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_mem.h"
#include "making.h"

#include <callgauge/callgauge.h>

static const char rules_text[] =
    "id: count\nshape: count\nwhere: errno == ENOENT\nof: class == open\nby: pid\neach: path\n"
    "reset: ok and path == each.path\nat_least: { calls: 1, distinct: { path: 1 } }\n"
    "message: '{calls} {path} {call}'\nreferences: [a]\nexamples: { fires: x }\n---\n"
    "id: run\nshape: run\nwhere: class == close\nnext: fd == prev.fd + 1\nscope: process\n---\n"
    "id: sequence\nshape: sequence\nwhere:\n  a: class == read\n  b: class == write\neach: [a.fd, b.fd]\n---\n"
    "id: rows\nshape: rows\nof: files\nwhere: opens > 0\n---\n"
    "id: late\nshape: count\nwhere: duration > 1s\n---\n"
    "id: wrong\nshape: counts\nwhere: ok\n";

static const char capture[] = "openat(AT_FDCWD, \"/a\", O_RDONLY) = -1 ENOENT (No such file or directory)\n"
                              "openat(AT_FDCWD, \"/b\", O_RDONLY) = 3\n"
                              "read(3, \"x\", 9) = 1\nwrite(4, \"x\", 1) = 1\nclose(3) = 0\nclose(4) = 0\n"
                              "openat(AT_FDCWD, \"/c\", O_RDONLY) = -1 ENOENT (No such file or directory)\n";

/* Whether it went on; else memory ran out, and nothing else went wrong. */
static bool went_on(callgauge_status status)
{
    assert_true(status == CALLGAUGE_OK || status == CALLGAUGE_E_NOMEM);
    return status == CALLGAUGE_OK;
}

static void write_and_merge(const callgauge_report *report)
{
    static caught into;
    static const char *const formats[] = { "text", "json", "csv", "markdown" };
    const callgauge_report *both[] = { report, report };
    const callgauge_output to = { catch_output, &into };
    const callgauge_write_options options = { .size = sizeof options, .rows = CALLGAUGE_ROWS_FINDINGS };
    callgauge_report *merged, *again;
    if (!went_on(callgauge_report_merge(both, 2, &merged, NULL))) {
        return;
    }
    bool good = true;
    for (size_t i = 0; good && i < 4; i++) {
        into.len = 0;
        good = went_on(callgauge_write(merged, formats[i], &options, &to, NULL));
        if (good && i == 1 && callgauge_report_read("r", into.text, into.len, &again, NULL) == CALLGAUGE_OK) {
            callgauge_report_free(again);
        }
    }
    callgauge_report_free(merged);
}

static void analyse(const callgauge_rules *rules)
{
    const callgauge_analysis_options options = { .size = sizeof options,
                                                 .rules = rules,
                                                 .reader = { .dialect = "strace" } };
    callgauge_analysis *analysis;
    callgauge_report *report;
    if (!went_on(callgauge_analysis_new("c", &options, &analysis, NULL))) {
        return;
    }
    if (went_on(callgauge_analysis_feed(analysis, capture, sizeof capture - 1, NULL)) &&
        went_on(callgauge_analysis_finish(analysis, &report, NULL))) {
        assert_true(callgauge_report_finding_count(report) >= 4);
        write_and_merge(report);
        callgauge_report_free(report);
    }
    callgauge_analysis_free(analysis);
}

static callgauge_status load(size_t len, callgauge_rules **out)
{
    const callgauge_rule_text text = { "rules.yaml", rules_text, len };
    const callgauge_rules_options options = {
        .size = sizeof options, .no_catalogue = true, .texts = &text, .text_count = 1
    };
    return callgauge_rules_load(&options, out, NULL);
}

static void run(void)
{
    callgauge_rules *rules;
    size_t good = sizeof rules_text - 1 - strlen("id: wrong\nshape: counts\nwhere: ok\n");
    callgauge_status status = load(sizeof rules_text - 1, &rules);
    assert_true(status == CALLGAUGE_E_FORMAT || status == CALLGAUGE_E_NOMEM);
    if (status == CALLGAUGE_E_FORMAT && went_on(load(good, &rules))) {
        analyse(rules);
        callgauge_rules_free(rules);
    }
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
    callgauge_rules *probe;
    if (callgauge_rules_load(NULL, &probe, NULL) == CALLGAUGE_E_UNSUPPORTED) {
        return 77; /* a build without libyaml */
    }
    callgauge_rules_free(probe);
    return cmocka_run_group_tests_name("rules_nomem", tests, NULL, NULL);
}

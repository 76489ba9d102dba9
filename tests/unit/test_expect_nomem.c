/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences recorded, judged and written into their budget when memory runs out: at every allocation a status comes
 * back and nothing leaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "compare/expected.h"
#include "failing_mem.h"

#include "expecting.h"

/* All kinds of names, two threads, two sequences that differ, and one that is not at its end. */
static const char capture[] =
    "7 openat(AT_FDCWD, \"/tmp/tmpab3d9xyz\", O_RDWR|O_CREAT|O_EXCL, 0600) = 5\n"
    "7 mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 5, 0) = 0x7f0000002000\n7 getpid() = 7\n"
    "8 openat(AT_FDCWD, \"/a\", O_RDONLY) = 4\n"
    "7 connect(6, {sa_family=AF_INET, sin_port=htons(40000), sin_addr=inet_addr(\"1.2.3.4\")}, 16) = 0\n"
    "7 close(5) = 0\n8 close(4) = 0\n8 openat(AT_FDCWD, \"/a\", O_RDONLY) = 4\n8 close(4) = 0\n"
    "8 openat(AT_FDCWD, \"/a\", O_RDONLY) = 4\n";

static bool all_went_well;

static void judge(const callgauge_budget *budget, const callgauge_report *report)
{
    cg_arena arena = { 0 };
    callgauge_limit_result result;
    uint64_t cut_off;
    all_went_well = cg_check_expected(&budget->expectations[0], report, &arena, &result, &cut_off);
    if (all_went_well) {
        assert_int_equal(result.state, CALLGAUGE_LIMIT_BROKEN);
        assert_true(result.diff.len > 0);
    }
    cg_arena_release(&arena);
}

static void work(void)
{
    const expecting made = { .from = "call == openat",
                             .to = "class == close",
                             .skip = "call == getuid",
                             .calls = "read(0, \"...\", 1) = 1\nclose(5) = 0\n" };
    callgauge_budget *budget = expecting_budget(&made);
    callgauge_report *report = NULL;
    if (budget == NULL) {
        return;
    }
    callgauge_status status = expecting_report(budget, "first", capture, NULL, &report);
    assert_true(status == CALLGAUGE_OK || status == CALLGAUGE_E_NOMEM);
    if (status == CALLGAUGE_OK) {
        assert_int_equal(callgauge_report_recorded_count(report), 3);
        judge(budget, report);
        callgauge_report_free(report);
    }
    expecting_free(budget);
}

static const char budget_text[] = "budget: 1\nexpect:\n  - name: it\n    from: call == getpid\n    to: class == close\n"
                                  "    calls: |\n      getuid\n  - name: second\n    from: class == connect\n"
                                  "    before: class == close\n";

static void write_into(const callgauge_budget *budget, const callgauge_report *report)
{
    callgauge_budget *updated;
    callgauge_str text;
    callgauge_status status = callgauge_budget_update(budget, report, &text, &updated, NULL);
    assert_true(status == CALLGAUGE_OK || status == CALLGAUGE_E_NOMEM);
    if (status == CALLGAUGE_OK) {
        assert_true(updated->expectations[0].calls.len > 40 && updated->expectations[1].has_calls);
        callgauge_budget_free(updated);
        all_went_well = true;
    }
}

static void update(void)
{
    callgauge_budget *budget;
    callgauge_report *report;
    callgauge_status status = callgauge_budget_load("b", budget_text, sizeof budget_text - 1, NULL, NULL, &budget,
                                                    NULL);
    assert_true(status == CALLGAUGE_OK || status == CALLGAUGE_E_NOMEM);
    if (status == CALLGAUGE_OK) {
        if (expecting_report(budget, "first", capture, NULL, &report) == CALLGAUGE_OK) {
            write_into(budget, report);
            callgauge_report_free(report);
        }
        callgauge_budget_free(budget);
    }
}

static void check_all(void (*work_once)(void))
{
    const size_t live = failing_mem_live();
    for (size_t n = 1;; n++) {
        all_went_well = false;
        failing_mem_after(n);
        work_once();
        bool failed = failing_mem_failed();
        failing_mem_after(0);
        assert_int_equal(failing_mem_live(), live);
        if (!failed) {
            break;
        }
        assert_true(n < 100000);
    }
    assert_true(all_went_well);
}

static void check_judging(void **state)
{
    (void)state;
    check_all(work);
}

static void check_updating(void **state)
{
    (void)state;
    check_all(update);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(check_judging), cmocka_unit_test(check_updating) };
    if (!expecting_is_possible()) {
        return 77;
    }
    return cmocka_run_group_tests_name("expect_nomem", tests, NULL, NULL);
}

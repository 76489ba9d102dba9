/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing when memory runs out: at every allocation a status comes back, nothing is given out, and nothing leaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "comparing.h"
#include "failing_mem.h"

enum { SIDE = 5 };

/* Everything that takes memory: calls of one class and of two, errors, files whose names change, findings, sides that
 * vary. */
static const char *const before_text = "openat(AT_FDCWD, \"/tmp/job.aB3xY9\", O_RDONLY) = 3\n"
                                       "read(3, \"abcd\", 8) = 4 <0.010000>\n"
                                       "stat(\"/etc\", {st_mode=S_IFDIR|0755, st_size=4096, ...}) = 0 <0.000010>\n"
                                       "close(3) = 0\n";
static const char *const after_text =
    "openat(AT_FDCWD, \"/tmp/job.Zk81Qw\", O_RDONLY) = 3\n"
    "openat(AT_FDCWD, \"/srv/.htaccess\", O_RDONLY) = -1 ENOENT (No such file or directory) <0.000010>\n"
    "openat(AT_FDCWD, \"/srv/f/.htaccess\", O_RDONLY) = -1 ENOTDIR (Not a directory) <0.000010>\n"
    "read(3, \"abcd\", 8) = 4 <0.050000>\nread(3, 0x7ffc, 8) = -1 EAGAIN (Resource temporarily unavailable) <0.01>\n"
    "newfstatat(AT_FDCWD, \"/etc\", {st_mode=S_IFDIR|0755, st_size=4096, ...}, 0) = 0 <0.000010>\n"
    "accept4(4<TCP:[127.0.0.1:80]>, NULL, NULL, 0) = 5<TCP:[127.0.0.1:80->127.0.0.1:41000]>\nclose(3) = 0\n";

static void add_finding(callgauge_report *report)
{
    callgauge_key *key = cg_arena_alloc(&report->arena, sizeof *key);
    *key = (callgauge_key){ cg_str_z("path"), cg_str_z("/proc/4711/stat") };
    report->judged = cg_arena_alloc(&report->arena, sizeof *report->judged);
    report->judged[0] = cg_str_z("a-rule");
    report->judged_count = 1;
    report->findings = cg_arena_alloc(&report->arena, sizeof *report->findings);
    report->findings[0] = (callgauge_finding_row){ .rule = cg_str_z("a-rule"), .title = cg_str_z("t"), .calls = 2 };
    report->findings[0].keys = key;
    report->findings[0].key_count = 1;
    report->finding_count = 1;
}

/* Compares with the n-th allocation failing, until none does. */
static void check_sides(callgauge_report *const *before, size_t before_count, callgauge_report *const *after,
                        size_t after_count, const callgauge_compare_options *options)
{
    size_t live = failing_mem_live();
    bool done = false;
    for (size_t n = 1; !done; n++) {
        callgauge_comparison *comparison = NULL;
        failing_mem_after(n);
        callgauge_status status = callgauge_compare((const callgauge_report *const *)before, before_count,
                                                    (const callgauge_report *const *)after, after_count, options,
                                                    &comparison, NULL);
        done = !failing_mem_failed();
        failing_mem_after(0);
        assert_int_equal(status, done ? CALLGAUGE_OK : CALLGAUGE_E_NOMEM);
        assert_int_equal(comparison != NULL, done);
        callgauge_comparison_free(comparison);
        assert_int_equal(failing_mem_live(), live);
    }
}

static void check_all(void **state)
{
    (void)state;
    callgauge_report *before[SIDE], *after[SIDE];
    for (size_t i = 0; i < SIDE; i++) {
        char more[2048] = "";
        for (size_t k = 0; k <= i; k++) {
            strcat(more, before_text);
        }
        before[i] = report_of("before", more);
        strcat(more, after_text);
        after[i] = report_of("after", more);
        add_finding(after[i]);
    }
    const callgauge_compare_options filtered = { .size = sizeof filtered, .after_traced = "%open,read" };
    check_sides(before, 1, after, 1, NULL);
    check_sides(before, SIDE, after, SIDE, NULL);
    check_sides(after, 1, before, 2, NULL);
    check_sides(before, 1, after, 1, &filtered);
    for (size_t i = 0; i < SIDE; i++) {
        callgauge_report_free(before[i]);
        callgauge_report_free(after[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(check_all) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

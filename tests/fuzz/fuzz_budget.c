/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a budget: it is refused with a place in it, or a capture is analysed with it and held against it, alone
 * and with a baseline; none of it may crash, leak or run away, and what is written anew is a budget. */
#include <callgauge/callgauge.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char capture[] =
    "7 1700000001.000000 openat(AT_FDCWD, \"/srv/.htaccess\", O_RDONLY) = -1 ENOENT (No such file or directory) "
    "<0.000010>\n"
    "7 1700000001.000100 openat(AT_FDCWD, \"/srv/a\", O_RDONLY) = 3</srv/a> <0.000010>\n"
    "7 1700000001.000200 read(3</srv/a>, \"abc\"..., 8192) = 8192 <0.000010>\n"
    "8 1700000001.000300 write(4<TCP:[10.0.0.1:80->10.0.0.2:4711]>, \"abc\"..., 8192) = 8192 <0.000010>\n"
    "7 1700000001.000400 close(3</srv/a>) = 0 <0.000010>\n"
    "7 1700000001.000500 close(4) = -1 EBADF (Bad file descriptor) <0.000010>\n"
    "7 1700000001.000600 --- SIGALRM {si_signo=SIGALRM, si_code=SI_KERNEL} ---\n"
    "7 1700000001.000700 execve(\"/bin/true\", [\"true\"], 0x1 /* 1 var */) = 0 <0.000100>\n"
    "7 1700000001.000800 exit_group(0) = ?\n";

static void require(bool held)
{
    if (!held) {
        abort();
    }
}

static callgauge_report *analyse(const callgauge_budget *budget)
{
    const callgauge_analysis_options options = { .size = sizeof options,
                                                 .budget = budget,
                                                 .reader = { .dialect = "strace" } };
    callgauge_analysis *analysis;
    callgauge_report *report;
    require(callgauge_analysis_new("fuzz", &options, &analysis, NULL) == CALLGAUGE_OK);
    require(callgauge_analysis_feed(analysis, capture, sizeof capture - 1, NULL) == CALLGAUGE_OK);
    require(callgauge_analysis_finish(analysis, &report, NULL) == CALLGAUGE_OK);
    callgauge_analysis_free(analysis);
    return report;
}

static void check(const callgauge_budget *budget, const callgauge_report *report, const callgauge_report *baseline)
{
    callgauge_comparison *comparison;
    require(callgauge_budget_check(budget, report, baseline, NULL, &comparison, NULL) == CALLGAUGE_OK);
    size_t count = callgauge_comparison_limit_count(comparison);
    require(count > 0);
    for (size_t i = 0; i < count; i++) {
        const callgauge_limit_result *limit = callgauge_comparison_limit(comparison, i);
        require(limit->message.len > 0 && limit->limit.len > 0 && limit->line > 0);
    }
    callgauge_comparison_free(comparison);
}

static void update(const callgauge_budget *budget, const callgauge_report *report)
{
    callgauge_budget *updated;
    callgauge_str text;
    if (callgauge_budget_update(budget, report, &text, &updated, NULL) == CALLGAUGE_OK) {
        require(text.len > 0);
        callgauge_budget_free(updated);
    }
}

static void count_fault(void *ctx, const callgauge_error *fault)
{
    ++*(size_t *)ctx;
    require(fault->message[0] != '\0' && strcmp(fault->source, "fuzz.yaml") == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t faults = 0;
    callgauge_budget *budget;
    if (callgauge_budget_load("fuzz.yaml", data, size, count_fault, &faults, &budget, NULL) != CALLGAUGE_OK) {
        require(faults > 0);
        return 0;
    }
    require(faults == 0);
    callgauge_report *report = analyse(budget), *before = analyse(NULL);
    check(budget, report, NULL);
    check(budget, report, before);
    check(budget, before, NULL);
    update(budget, report);
    callgauge_report_free(report);
    callgauge_report_free(before);
    callgauge_budget_free(budget);
    return 0;
}

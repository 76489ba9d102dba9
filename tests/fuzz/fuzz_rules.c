/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a rule file: it is refused with a place in it, or its rules judge a capture, and every example of theirs
 * is tried; none of it may crash, leak or run away. */
#include <callgauge/callgauge.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_EXAMPLES = 4, MOST_EXAMPLE_BYTES = 65536 };

static const char capture[] =
    "7 1700000001.000000 openat(AT_FDCWD, \"/srv/.htaccess\", O_RDONLY) = -1 ENOENT (No such file or directory) "
    "<0.000010>\n"
    "7 1700000001.000100 openat(AT_FDCWD, \"/srv/a\", O_RDONLY) = 3</srv/a> <0.000010>\n"
    "7 1700000001.000200 read(3</srv/a>, \"abc\"..., 8192) = 8192 <0.000010>\n"
    "7 1700000001.000300 write(4<TCP:[10.0.0.1:80->10.0.0.2:4711]>, \"abc\"..., 8192) = 8192 <0.000010>\n"
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

static void judge(const callgauge_rules *rules)
{
    const callgauge_analysis_options options = { .size = sizeof options,
                                                 .rules = rules,
                                                 .reader = { .dialect = "strace" } };
    callgauge_analysis *analysis;
    callgauge_report *report, *twice;
    require(callgauge_analysis_new("fuzz", &options, &analysis, NULL) == CALLGAUGE_OK);
    require(callgauge_analysis_feed(analysis, capture, sizeof capture - 1, NULL) == CALLGAUGE_OK);
    require(callgauge_analysis_finish(analysis, &report, NULL) == CALLGAUGE_OK);
    callgauge_analysis_free(analysis);
    const callgauge_report *both[] = { report, report };
    require(callgauge_report_merge(both, 2, &twice, NULL) == CALLGAUGE_OK);
    require(callgauge_report_finding_count(twice) == callgauge_report_finding_count(report));
    callgauge_report_free(twice);
    callgauge_report_free(report);
}

static void try_examples(const callgauge_rules *rules)
{
    size_t tried = 0;
    for (size_t i = 0; i < callgauge_rules_count(rules); i++) {
        const callgauge_rule_example *example;
        for (size_t k = 0; (example = callgauge_rules_example(rules, i, k)) != NULL; k++) {
            callgauge_report *report = NULL;
            if (tried < MOST_EXAMPLES && example->text.len < MOST_EXAMPLE_BYTES &&
                callgauge_rules_try(rules, i, k, &report, NULL) == CALLGAUGE_OK) {
                callgauge_report_free(report);
                tried++;
            }
        }
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
    const callgauge_rule_text text = { "fuzz.yaml", (const char *)data, size };
    const callgauge_rules_options options = { .size = sizeof options,
                                              .no_catalogue = true,
                                              .texts = &text,
                                              .text_count = 1,
                                              .on_diag = count_fault,
                                              .diag_ctx = &faults };
    callgauge_rules *rules;
    if (callgauge_rules_load(&options, &rules, NULL) != CALLGAUGE_OK) {
        require(faults > 0);
        return 0;
    }
    require(faults == 0);
    judge(rules);
    try_examples(rules);
    callgauge_rules_free(rules);
    return 0;
}

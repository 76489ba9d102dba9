/* SPDX-License-Identifier: Apache-2.0 */
/* rules: each rule of docs/rule-language.md and docs/howto/add-detector.md loads and does what its examples say, and
 * there is one of each key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <callgauge/callgauge.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20 };

static const char *const keys[] = {
    "id:",    "maturity:", "severity:", "title:",  "shape:", "where:",        "of:",         "by:",
    "each:",  "reset:",    "at_least:", "next:",   "skip:",  "scope:",        "key:",        "within:",
    "steps:", "message:",  "why:",      "advice:", "saved:", "false_alarms:", "references:", "examples:",
    "calls:", "errors:",   "time:",     "bytes:",  "share:", "rate:",         "distinct:",
};

static void check_rule(const char *text, size_t len)
{
    const callgauge_rule_text file = { "rule-language.md", text, len };
    const callgauge_rules_options options = {
        .size = sizeof options, .no_catalogue = true, .texts = &file, .text_count = 1
    };
    callgauge_rules *rules;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    if (callgauge_rules_load(&options, &rules, &error) != CALLGAUGE_OK) {
        fail_msg("%.60s...: %u:%u: %s", text, (unsigned)error.line, (unsigned)error.column, error.message);
    }
    assert_int_equal(callgauge_rules_count(rules), 1);
    assert_true(callgauge_rules_at(rules, 0)->example_count >= 2);
    const callgauge_rule_example *example;
    for (size_t i = 0; (example = callgauge_rules_example(rules, 0, i)) != NULL; i++) {
        callgauge_report *report;
        if (callgauge_rules_try(rules, 0, i, &report, &error) != CALLGAUGE_OK) {
            fail_msg("%.60s...: example %u: %s", text, (unsigned)i, error.message);
        }
        if ((callgauge_report_finding_count(report) > 0) != example->fires) {
            fail_msg("%.60s...: example %u must %s", text, (unsigned)i, example->fires ? "fire" : "be quiet");
        }
        callgauge_report_free(report);
    }
    callgauge_rules_free(rules);
}

/* Adds the rules of a page to `all`. Gives how many there are. */
static size_t check_page(const char *path, char *all)
{
    static char page[MOST_BYTES];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = 0;
    fclose(file);
    size_t blocks = 0;
    for (const char *at = page; (at = strstr(at, "```yaml\n")) != NULL; blocks++) {
        at += strlen("```yaml\n");
        const char *end = strstr(at, "```");
        assert_non_null(end);
        check_rule(at, (size_t)(end - at));
        strncat(all, at, (size_t)(end - at));
        at = end;
    }
    return blocks;
}

static void check_pages(void **state)
{
    (void)state;
    static char all[MOST_BYTES];
    assert_true(check_page(CG_FIXTURES "/../docs/rule-language.md", all) >= 4);
    assert_true(check_page(CG_FIXTURES "/../docs/howto/add-detector.md", all) >= 1);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strstr(all, keys[i]) == NULL) {
            fail_msg("no example of %s", keys[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(check_pages) };
    callgauge_rules *probe;
    if (callgauge_rules_load(NULL, &probe, NULL) == CALLGAUGE_E_UNSUPPORTED) {
        return 77; /* a build without libyaml */
    }
    callgauge_rules_free(probe);
    return cmocka_run_group_tests_name("rule_docs", tests, NULL, NULL);
}

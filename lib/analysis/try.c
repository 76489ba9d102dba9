/* SPDX-License-Identifier: Apache-2.0 */
/* From an example of a rule to what the rule finds in it. */
#include <callgauge/analysis.h>

#include "base/error.h"
#include "rules/rule.h"

static callgauge_status analyse(const callgauge_rules *rules, const callgauge_rule_example *example,
                                const char *dialect, callgauge_report **out, callgauge_error *err)
{
    const callgauge_analysis_options options = {
        .size = sizeof options,
        .reader = { .size = sizeof options.reader, .dialect = dialect, .no_thread = true },
        .rules = rules,
    };
    callgauge_analysis *analysis;
    callgauge_status status = callgauge_analysis_new("example", &options, &analysis, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    status = callgauge_analysis_feed(analysis, example->text.ptr, example->text.len, err);
    if (status == CALLGAUGE_OK) {
        status = callgauge_analysis_finish(analysis, out, err);
    }
    callgauge_analysis_free(analysis);
    return status;
}

callgauge_status callgauge_rules_try(const callgauge_rules *rules, size_t index, size_t example, callgauge_report **out,
                                     callgauge_error *err)
{
    const callgauge_rule_example *text = callgauge_rules_example(rules, index, example);
    if (text == NULL) {
        return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ 0 }, "there is no such example");
    }
    cg_rule *rule = rules->rules[index];
    const callgauge_rules alone = { .rules = &rule, .count = 1 };
    callgauge_error fault = CALLGAUGE_ERROR_INIT;
    callgauge_status status = analyse(&alone, text, text->dialect, out, &fault);
    /* A few lines may be of either tracer. */
    for (size_t i = 0; status == CALLGAUGE_E_FORMAT && text->dialect == NULL && callgauge_dialect_name(i) != NULL;
         i++) {
        status = analyse(&alone, text, callgauge_dialect_name(i), out, NULL);
    }
    if (status != CALLGAUGE_OK) {
        const cg_place place = { .name = rule->info.source, .line = text->line };
        return cg_fail(err, status, place, "the example cannot be read: %s", fault.message);
    }
    return CALLGAUGE_OK;
}

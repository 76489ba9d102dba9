/* SPDX-License-Identifier: Apache-2.0 */
/* callgauge check: captures held against a budget. Exits with 1 when a limit is broken, with 2 when one could not be
 * judged.
 * Invariant: nothing that was not understood is a pass. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "budget_file.h"
#include "message.h"
#include "output.h"
#include "rule_files.h"
#include "saved.h"
#include "show_comparison.h"
#include "unit.h"

static const option options[] = {
    { "budget", 0, OPTION_TEXT, "FILE", "the limits: a YAML file (docs/budgets.md)", offsetof(settings, budget) },
    { "baseline", 0, OPTION_TEXT, "FILE", "a saved report or a capture from before, for limits of regression",
      offsetof(settings, baseline) },
    { "update", 0, OPTION_FLAG, NULL, "write the calls that came into the budget's expected sequences",
      offsetof(settings, update) },
    { "format", 0, OPTION_CHOICE, COMPARISON_FORMATS, "form of the output", offsetof(settings, format) },
    { "unit", 0, OPTION_TEXT, SHOW_UNIT, SHOW_UNIT_HELP, offsetof(settings, unit) },
    OPTION_WHERE,
    OPTION_TRACED,
    OPTION_UNDERSTOOD,
    OPTIONS_OF_LISTING,
    RULE_OPTIONS,
    { "limit", 0, OPTION_NUMBER, "N", "show at most N rows, not 20; 0: all", offsetof(settings, limit) },
    { "color", 0, OPTION_CHOICE, "auto|always|never", "colours in text", offsetof(settings, color) },
    { NULL, 0, OPTION_FLAG, NULL, NULL, 0 },
};

/* --- loading */

static inputs_fill fill_of(const settings *wanted)
{
    bool all = callgauge_budget_needs_files(wanted->limits) || wanted->baseline != NULL;
    return all ? INPUTS_ALL : INPUTS_CALLS;
}

static bool load(const settings *with, inputs_fill fill, report_list *out)
{
    return inputs_load(with, fill, out) && unit_settle(with->unit, out);
}

/* The baseline as files of its own. What a saved one was made with is not asked again: the comparison looks at it. */
static settings baseline_of(const settings *wanted)
{
    settings side = *wanted;
    side.files = &wanted->baseline;
    side.file_count = 1;
    side.each = false;
    side.fds = NULL;
    side.fds_any_pid = false;
    side.limits = NULL;
    if (saved_is(wanted->baseline)) {
        side.where = side.traced = NULL;
        side.rules.count = side.only.count = side.skip.count = side.severities.count = 0;
        side.drafts = false;
    }
    return side;
}

/* --- judging */

/* A note is shown, and fails nothing. */
static int code_of(const callgauge_comparison *comparison)
{
    int code = EXIT_FINE;
    for (size_t i = 0; i < callgauge_comparison_limit_count(comparison); i++) {
        const callgauge_limit_result *limit = callgauge_comparison_limit(comparison, i);
        bool broken = limit->state == CALLGAUGE_LIMIT_BROKEN && limit->severity != CALLGAUGE_SEVERITY_NOTE;
        if (broken) {
            return EXIT_FOUND;
        }
        code = limit->state == CALLGAUGE_LIMIT_NOT_JUDGED ? EXIT_TROUBLE : code;
    }
    return code;
}

static int judge(const settings *wanted, const callgauge_report *report, const callgauge_report *baseline)
{
    callgauge_compare_options with;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_comparison *comparison = NULL;
    if (!comparison_options(wanted, &with)) {
        return EXIT_TROUBLE;
    }
    with.before_traced = with.after_traced = NULL; /* the reports say it */
    if (callgauge_budget_check(wanted->limits, report, baseline, &with, &comparison, &error) != CALLGAUGE_OK) {
        say_error(&error);
        return EXIT_TROUBLE;
    }
    int code = show_comparison(wanted, comparison);
    code = code == EXIT_FINE ? code_of(comparison) : code;
    callgauge_comparison_free(comparison);
    return code;
}

static bool load_baseline(const settings *wanted, report_list *out)
{
    const settings side = baseline_of(wanted);
    return load(&side, fill_of(wanted), out);
}

static int check(const settings *wanted)
{
    report_list now = { 0 }, before = { 0 };
    int code = EXIT_TROUBLE;
    bool loaded = load(wanted, fill_of(wanted), &now);
    if (loaded && wanted->update) {
        code = budget_file_update(wanted, now.reports[0]) ? EXIT_FINE : EXIT_TROUBLE;
    } else if (loaded && (wanted->baseline == NULL || load_baseline(wanted, &before))) {
        code = judge(wanted, now.reports[0], before.count > 0 ? before.reports[0] : NULL);
    }
    if (loaded && !(show_doubts(&now) && show_doubts(&before)) && wanted->strict) {
        code = EXIT_TROUBLE;
    }
    inputs_free(&now);
    inputs_free(&before);
    return code;
}

static bool is_standard_input(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* Whether the output would overwrite the budget or the baseline, or standard input is named twice; says so. */
static bool clashes(const settings *wanted)
{
    settings others = *wanted;
    const char *files[] = { wanted->budget, wanted->baseline };
    size_t standard = is_standard_input(wanted->budget) + is_standard_input(wanted->baseline);
    for (size_t i = 0; i < wanted->file_count; i++) {
        standard += is_standard_input(wanted->files[i]);
    }
    if (standard > 1) {
        say_about("-", "named twice");
        return true;
    }
    others.files = files;
    others.file_count = wanted->baseline == NULL ? 1 : 2;
    return output_is_input(wanted) || output_is_input(&others);
}

static bool is_sane(const settings *wanted)
{
    if (wanted->budget == NULL) {
        say("--budget is missing: the file that says what is allowed");
        return false;
    }
    if (wanted->update && wanted->baseline != NULL) {
        say("--update and --baseline exclude each other");
        return false;
    }
    return !clashes(wanted);
}

static int run(const settings *wanted)
{
    settings with = *wanted;
    callgauge_budget *budget = NULL;
    callgauge_rules *rules = NULL;
    int code = EXIT_TROUBLE;
    if (!is_sane(wanted) || !budget_file_load(wanted->budget, &budget)) {
        return EXIT_TROUBLE;
    }
    with.limits = budget;
    bool named = wanted->rules.count + wanted->only.count > 0;
    bool needed = callgauge_budget_needs_rules(budget);
    if ((!needed && !named) || rule_files_choose(wanted, true, &rules)) {
        with.loaded = rules;
        code = check(&with);
    }
    callgauge_rules_free(rules);
    callgauge_budget_free(budget);
    return code;
}

const command command_check = { "check", "Holds captures against a budget; fails when a limit is broken.",
                                options, NULL,
                                NULL,    run };

/* SPDX-License-Identifier: Apache-2.0 */
/* callgauge compare: two sides of captures or saved reports, and what changed between them.
 * Invariant: each file (a set of strace -ff is one) is one report; only reports are kept. */
#include <string.h>

#include "message.h"
#include "output.h"
#include "rule_files.h"
#include "show_comparison.h"
#include "unit.h"

static const option options[] = {
    { "before", 0, OPTION_TEXTS, "FILE", "of the one side; may be given again", offsetof(settings, before) },
    { "after", 0, OPTION_TEXTS, "FILE", "of the other side; may be given again", offsetof(settings, after) },
    { "before-traced", 0, OPTION_TEXT, "SET", "calls traced before: open,read, %class, or !SET",
      offsetof(settings, before_traced) },
    { "after-traced", 0, OPTION_TEXT, "SET", "and after", offsetof(settings, after_traced) },
    { "traced", 0, OPTION_TEXT, "SET", "and on both sides", offsetof(settings, traced) },
    { "unit", 0, OPTION_TEXT, SHOW_UNIT, "count by units: N in each file, or what begins one",
      offsetof(settings, unit) },
    { "fail-on", 0, OPTION_CHOICE, "never|different|regression", "exit with 1 if they are",
      offsetof(settings, fail_on) },
    { "calls", 0, OPTION_FLAG, NULL, "calls only: no files, programs, findings", offsetof(settings, calls_only) },
    COMPARISON_OPTIONS,
    RULE_OPTIONS,
    { "format", 0, OPTION_CHOICE, COMPARISON_FORMATS, "form of the output", offsetof(settings, format) },
    { "limit", 0, OPTION_NUMBER, "N", "show at most N rows, not 20; 0: all", offsetof(settings, limit) },
    { "color", 0, OPTION_CHOICE, "auto|always|never", "colours in text", offsetof(settings, color) },
    { NULL, 0, OPTION_FLAG, NULL, NULL, 0 },
};

/* The sides, as settings of their own. */
typedef struct sides {
    settings before, after;
} sides;

static bool refuse(const char *why)
{
    say(why);
    return false;
}

static bool names_standard_input(const settings *side)
{
    for (size_t i = 0; i < side->file_count; i++) {
        if (strcmp(side->files[i], "-") == 0) {
            return true;
        }
    }
    return false;
}

/* The files of a side; what was traced is said of the comparison, not of the captures. */
static settings side_of(const settings *wanted, const char *const *files, size_t count)
{
    settings side = *wanted;
    side.files = files;
    side.file_count = count;
    side.each = true;
    side.traced = NULL;
    return side;
}

static bool take_sides(const settings *wanted, sides *out)
{
    enum { SIDES = 2 };
    bool named = wanted->before.count + wanted->after.count > 0;
    if (named && wanted->file_count > 0) {
        return refuse("a file has no --before or --after, and others have: each needs one in front of it");
    }
    if (named && (wanted->before.count == 0 || wanted->after.count == 0)) {
        return refuse(wanted->before.count == 0 ? "--after without --before" : "--before without --after");
    }
    if (!named && wanted->file_count != SIDES) {
        return refuse(wanted->file_count < SIDES ? "one file only; usage: callgauge compare [OPTION]... BEFORE AFTER"
                                                 : "more than two files: say --before and --after for each");
    }
    out->before = named ? side_of(wanted, wanted->before.items, wanted->before.count)
                        : side_of(wanted, wanted->files, 1);
    out->after = named ? side_of(wanted, wanted->after.items, wanted->after.count)
                       : side_of(wanted, wanted->files + 1, 1);
    if (names_standard_input(&out->before) && names_standard_input(&out->after)) {
        say_about("-", "named twice");
        return false;
    }
    return true;
}

static bool load_side(const settings *side, report_list *out)
{
    inputs_fill fill = side->calls_only ? INPUTS_CALLS : INPUTS_ALL;
    return inputs_load(side, fill, out) && unit_settle(side->unit, out);
}

/* Whether the outcome is what --fail-on asks for. */
static bool is_met(const settings *wanted, callgauge_verdict verdict)
{
    enum { NEVER, DIFFERENT };
    switch (wanted->fail_on.index) {
    case NEVER: return false;
    case DIFFERENT: return verdict != CALLGAUGE_VERDICT_SAME;
    default: return verdict == CALLGAUGE_VERDICT_REGRESSION;
    }
}

static int compare(const settings *wanted, const report_list *before, const report_list *after,
                   const callgauge_compare_options *with)
{
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_comparison *comparison = NULL;
    if (callgauge_compare((const callgauge_report *const *)before->reports, before->count,
                          (const callgauge_report *const *)after->reports, after->count, with, &comparison,
                          &error) != CALLGAUGE_OK) {
        say_error(&error);
        return EXIT_TROUBLE;
    }
    int code = show_comparison(wanted, comparison);
    if (code == EXIT_FINE && is_met(wanted, callgauge_comparison_verdict(comparison))) {
        code = EXIT_FOUND;
    }
    callgauge_comparison_free(comparison);
    return code;
}

static int load_and_compare(const settings *wanted, const sides *both, const callgauge_compare_options *with)
{
    report_list before, after = { 0 };
    int code = EXIT_TROUBLE;
    if (load_side(&both->before, &before) && load_side(&both->after, &after)) {
        code = compare(wanted, &before, &after, with);
        bool before_read = show_doubts(&before), after_read = show_doubts(&after);
        if (wanted->strict && !(before_read && after_read)) {
            code = EXIT_TROUBLE;
        }
    }
    inputs_free(&before);
    inputs_free(&after);
    return code;
}

static int run(const settings *wanted)
{
    sides both;
    callgauge_compare_options with;
    callgauge_rules *rules = NULL;
    if (!take_sides(wanted, &both) || !comparison_options(wanted, &with) || output_is_input(&both.before) ||
        output_is_input(&both.after)) {
        return EXIT_TROUBLE;
    }
    if (wanted->calls_only && wanted->rules.count + wanted->only.count > 0) {
        say("--calls: rules look at more than calls");
        return EXIT_TROUBLE;
    }
    if (!wanted->calls_only && !rule_files_choose(wanted, false, &rules)) {
        return EXIT_TROUBLE;
    }
    both.before.loaded = both.after.loaded = rules;
    int code = load_and_compare(wanted, &both, &with);
    callgauge_rules_free(rules);
    return code;
}

const command command_compare = { "compare",      "Says what changed between two sides of captures.",
                                  options,        NULL,
                                  "BEFORE AFTER", run };

/* SPDX-License-Identifier: Apache-2.0 */
/* callgauge rules: what rules there are, what one says, whether those of a file do what their examples say. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "output.h"
#include "rule_files.h"

static const option options[] = {
    { "rules", 0, OPTION_TEXTS, "FILE|DIR", "list, show: rules of one's own too", offsetof(settings, rules) },
    { "format", 0, OPTION_CHOICE, "text|json", "list: form of the output", offsetof(settings, format) },
    { NULL, 0, OPTION_FLAG, NULL, NULL, 0 },
};

static const option shared[] = {
    { "output", 'o', OPTION_TEXT, "FILE", "write to FILE, not to standard output", offsetof(settings, output) },
    { "help", 'h', OPTION_FLAG, NULL, "show this help", offsetof(settings, help) },
    { NULL, 0, OPTION_FLAG, NULL, NULL, 0 },
};

/* --- writing */

static void put(output *out, const char *text)
{
    output_write(out, text, strlen(text));
}

static void put_str(output *out, callgauge_str text)
{
    output_write(out, text.ptr, text.len);
}

/* Text of a rule file, made harmless for a terminal; its lines are kept, each behind `indent`. */
static void put_shown(output *out, callgauge_str text, const char *indent)
{
    const unsigned char *at = (const unsigned char *)text.ptr;
    for (size_t i = 0; i < text.len;) {
        char escaped[8];
        size_t shown = shown_bytes(at + i, text.len - i);
        if (shown > 0 || at[i] == '\n' || at[i] == '\t') {
            shown = shown == 0 ? 1 : shown;
            output_write(out, text.ptr + i, shown);
            if (at[i] == '\n' && i + 1 < text.len) {
                put(out, indent);
            }
            i += shown;
            continue;
        }
        snprintf(escaped, sizeof escaped, "\\%03o", (unsigned)at[i++]);
        put(out, escaped);
    }
}

static void put_padded(output *out, callgauge_str text, size_t width)
{
    put_str(out, text);
    for (size_t i = text.len; i < width; i++) {
        put(out, " ");
    }
}

static callgauge_str of_z(const char *text)
{
    return (callgauge_str){ text, strlen(text) };
}

/* --- list */

static void list_text(const callgauge_rules *rules, output *out)
{
    size_t width = 2;
    for (size_t i = 0; i < callgauge_rules_count(rules); i++) {
        size_t len = callgauge_rules_at(rules, i)->id.len;
        width = len > width ? len : width;
    }
    for (size_t i = 0; i < callgauge_rules_count(rules); i++) {
        const callgauge_rule_info *rule = callgauge_rules_at(rules, i);
        put_padded(out, rule->id, width + 2);
        put_padded(out, of_z(callgauge_maturity_text(rule->maturity)), 8);
        put_padded(out, of_z(callgauge_severity_text(rule->severity)), 9);
        put_shown(out, rule->title, " ");
        put(out, "\n");
    }
}

static void put_json(output *out, const char *key, callgauge_str text)
{
    put(out, key);
    put(out, "\"");
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        char escaped[8];
        if (c == '"' || c == '\\') {
            snprintf(escaped, sizeof escaped, "\\%c", c);
        } else if (c < 0x20 || c == 0x7f) {
            snprintf(escaped, sizeof escaped, "\\u%04x", c);
        } else {
            snprintf(escaped, sizeof escaped, "%c", c);
        }
        put(out, escaped);
    }
    put(out, "\"");
}

static void list_json(const callgauge_rules *rules, output *out)
{
    put(out, "[");
    for (size_t i = 0; i < callgauge_rules_count(rules); i++) {
        const callgauge_rule_info *rule = callgauge_rules_at(rules, i);
        put(out, i == 0 ? "\n" : ",\n");
        put_json(out, "  { \"id\": ", rule->id);
        put_json(out, ", \"maturity\": ", of_z(callgauge_maturity_text(rule->maturity)));
        put_json(out, ", \"severity\": ", of_z(callgauge_severity_text(rule->severity)));
        put_json(out, ", \"shape\": ", of_z(callgauge_shape_text(rule->shape)));
        put_json(out, ", \"title\": ", rule->title);
        put_json(out, ", \"source\": ", of_z(rule->source));
        put(out, " }");
    }
    put(out, "\n]\n");
}

static int run_list(const settings *wanted, output *out)
{
    callgauge_rules *rules;
    settings all = *wanted;
    all.drafts = true;
    if (wanted->file_count > 1) {
        say("rules list takes no argument");
        return EXIT_TROUBLE;
    }
    if (!rule_files_load(&all, true, wanted->rules.items, wanted->rules.count, &rules)) {
        return EXIT_TROUBLE;
    }
    if (wanted->format.index == 1) {
        list_json(rules, out);
    } else {
        list_text(rules, out);
    }
    callgauge_rules_free(rules);
    return output_end(out);
}

/* --- show */

static const callgauge_rule_info *find_rule(const callgauge_rules *rules, const char *id)
{
    for (size_t i = 0; i < callgauge_rules_count(rules); i++) {
        const callgauge_rule_info *rule = callgauge_rules_at(rules, i);
        if (rule->id.len == strlen(id) && memcmp(rule->id.ptr, id, rule->id.len) == 0) {
            return rule;
        }
    }
    return NULL;
}

static int run_show(const settings *wanted, output *out)
{
    callgauge_rules *rules;
    settings all = *wanted;
    all.drafts = true;
    if (wanted->file_count != 2) {
        say("usage: callgauge rules show ID");
        return EXIT_TROUBLE;
    }
    all.only = (text_list){ .items = { wanted->files[1] }, .count = 1 };
    if (!rule_files_load(&all, true, wanted->rules.items, wanted->rules.count, &rules)) {
        return EXIT_TROUBLE;
    }
    const callgauge_rule_info *rule = find_rule(rules, wanted->files[1]);
    if (rule != NULL) {
        put(out, "# ");
        put_shown(out, of_z(rule->source), "");
        put(out, "\n");
        put_shown(out, rule->text, "");
        put(out, rule->text.len > 0 && rule->text.ptr[rule->text.len - 1] == '\n' ? "" : "\n");
    }
    callgauge_rules_free(rules);
    return rule == NULL ? EXIT_TROUBLE : output_end(out);
}

/* --- check */

static void put_number(output *out, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    put(out, text);
}

/* Says what an example of a rule did. Gives whether it did what it must. */
static bool try_example(const callgauge_rules *rules, size_t index, size_t which, output *out)
{
    const callgauge_rule_info *rule = callgauge_rules_at(rules, index);
    const callgauge_rule_example *example = callgauge_rules_example(rules, index, which);
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_report *report;
    if (callgauge_rules_try(rules, index, which, &report, &error) != CALLGAUGE_OK) {
        say_error(&error);
        return false;
    }
    size_t found = callgauge_report_finding_count(report);
    bool good = example->fires == (found > 0);
    put(out, good ? "  ok      " : "  FAILED  ");
    put(out, example->fires ? "fires, line " : "quiet, line ");
    put_number(out, example->line);
    put(out, ": ");
    if (found > 0) {
        put_shown(out, callgauge_report_finding(report, 0)->message, " ");
    } else if (callgauge_report_not_judged_count(report) > 0) {
        put(out, "it could not be judged: the capture lacks what the rule asks for");
    } else {
        put(out, "nothing found");
    }
    put(out, "\n");
    if (!good) {
        char text[200];
        snprintf(text, sizeof text, "%.*s: the example on line %" PRIu64 " must %s", (int)rule->id.len, rule->id.ptr,
                 example->line, example->fires ? "fire, and does not" : "be quiet, and is not");
        say_about(rule->source, text);
    }
    callgauge_report_free(report);
    return good;
}

static bool check_rule(const callgauge_rules *rules, size_t index, output *out)
{
    const callgauge_rule_info *rule = callgauge_rules_at(rules, index);
    bool good = true;
    put_str(out, rule->id);
    put(out, rule->example_count == 0 ? ": no example\n" : ":\n");
    for (size_t i = 0; i < rule->example_count; i++) {
        good &= try_example(rules, index, i, out);
    }
    return good;
}

static int run_check(const settings *wanted, output *out)
{
    callgauge_rules *rules;
    if (wanted->file_count < 2) {
        say("usage: callgauge rules check FILE|DIR...");
        return EXIT_TROUBLE;
    }
    if (!rule_files_load(wanted, false, wanted->files + 1, wanted->file_count - 1, &rules)) {
        return EXIT_TROUBLE;
    }
    bool good = true;
    for (size_t i = 0; i < callgauge_rules_count(rules); i++) {
        good &= check_rule(rules, i, out);
    }
    callgauge_rules_free(rules);
    int code = output_end(out);
    return code == EXIT_FINE && !good ? EXIT_FOUND : code;
}

static int run(const settings *wanted)
{
    static const struct {
        const char *name;
        int (*run)(const settings *wanted, output *out);
    } actions[] = { { "list", run_list }, { "show", run_show }, { "check", run_check } };
    output *out = output_new(wanted->output);
    if (out == NULL) {
        return EXIT_TROUBLE;
    }
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (strcmp(actions[i].name, wanted->files[0]) == 0) {
            int code = actions[i].run(wanted, out);
            free(out);
            return code;
        }
    }
    char fault[160];
    snprintf(fault, sizeof fault, "rules: '%.80s' is none of list, show, check", wanted->files[0]);
    say(fault);
    free(out);
    return EXIT_TROUBLE;
}

const command command_rules = { "rules",
                                "Lists rules, shows one, or checks a file of them by its examples.",
                                options,
                                shared,
                                "list|show ID|check FILE...",
                                run };

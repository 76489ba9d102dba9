/* SPDX-License-Identifier: Apache-2.0 */
/* Rule files: every fault of the schema with its place, what is refused of YAML, which rules a set takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <callgauge/rules.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "rules/rule.h"

#define COUNT "id: a\nshape: count\nwhere: class == open\n"
#define RUN "id: a\nshape: run\nwhere: class == close\n"
#define SEQUENCE "id: a\nshape: sequence\nwhere:\n  r: class == read\n  w: class == write and fd != r.fd\n"
#define STABLE COUNT "maturity: stable\nseverity: note\ntitle: t\nmessage: m\nwhy: w\nadvice: a\n"

#define ROWS (sizeof rows / sizeof rows[0])

static struct row {
    const char *name, *text;
    uint64_t line, column; /* of the first fault; 0: none */
    const char *message;   /* how it begins */
    size_t faults;
} rows[] = {
    { "a rule", COUNT, 0, 0, NULL, 0 },
    { "every key of a count",
      COUNT "of: class == open\nby: [program]\neach: path\nreset: class == name and path == each.path\n"
            "at_least: { calls: 3, errors: 10%, time: 1ms, bytes: 4KiB, share: 1%, per_unit: 0.5, rate: 5/s, "
            "distinct: { path: 2, fd: 3 } }\nmessage: '{calls} [{path}] {errno}'\nsaved: 50%\n"
            "references: [a, b]\nfalse_alarms: x\n",
      0, 0, NULL, 0 },
    { "every key of a run",
      RUN "next: fd == prev.fd + 1\nskip: class == wait\nscope: process\nkey: fd\nsaved: rest\n"
          "within: { calls: 3, time: 1s }\n",
      0, 0, NULL, 0 },
    { "every key of a sequence",
      SEQUENCE "steps:\n  r: { times: 1..64 }\n  w: {}\nskip: class == wait\nkey: pid\nwithin: { calls: 20 }\n"
               "each: [r.fd, w.fd]\nmessage: '{r.fd} {w.path}'\nsaved: unknown\n",
      0, 0, NULL, 0 },
    { "every key of rows",
      "id: a\nshape: rows\nof: files\nwhere: reads > 3\nby: [kind]\neach: path\n"
      "at_least: { calls: 1 }\nmessage: '{path} {mean_read}'\n",
      0, 0, NULL, 0 },
    { "several lines of floors", COUNT "at_least:\n  - { calls: 3 }\n  - { share: 1% }\n", 0, 0, NULL, 0 },
    { "examples", COUNT "examples:\n  fires: a\n  quiet:\n    - b\n    - { repeat: 3, from: 2, text: 'c{i}' }\n", 0, 0,
      NULL, 0 },
    { "a stable rule", STABLE "examples: { fires: a, quiet: b }\n", 0, 0, NULL, 0 },
    { "documents", COUNT "---\nid: b\nshape: count\nwhere: ok\n", 0, 0, NULL, 0 },

    { "no id", "shape: count\nwhere: ok\n", 1, 1, "the rule has no 'id'", 1 },
    { "no shape", "id: a\nwhere: ok\n", 1, 1, "the rule has no 'shape': rows, count, run or sequence", 1 },
    { "no where", "id: a\nshape: count\n", 1, 1, "the rule has no 'where'", 1 },
    { "no mapping", "- a\n- b\n", 1, 1, "a rule is expected: keys and values", 1 },
    { "no rule", "# nothing\n", 0, 0, "no rule is in it", 1 },
    { "a wrong id", "id: A b\nshape: count\nwhere: ok\n", 1, 5, "'id': an id has small letters, digits and -", 1 },
    { "an id that is no text", "id: [a]\nshape: count\nwhere: ok\n", 1, 5, "'id': a text is expected", 1 },
    { "a wrong shape", "id: a\nshape: counts\nwhere: ok\n", 2, 8, "unknown shape 'counts'; did you mean 'count'?", 1 },
    { "an unknown key", COUNT "advise: x\n", 4, 1, "unknown key 'advise'; did you mean 'advice'?", 1 },
    { "a key that is nowhere near", COUNT "zzzzzzzzzz: x\n", 4, 1, "unknown key 'zzzzzzzzzz'", 1 },
    { "a key of another shape", COUNT "next: fd == 3\n", 4, 1, "'next' is no key of the shape count", 1 },
    { "a key twice", COUNT "id: b\n", 4, 1, "the key 'id' is there already, on line 1", 1 },
    { "an id twice", COUNT "---\n" COUNT, 5, 5, "the id 'a' is there already, in rules.yaml:1", 1 },
    { "a wrong severity", COUNT "severity: warnin\n", 4, 11, "unknown severity 'warnin'; did you mean 'warning'?", 1 },
    { "a wrong maturity", COUNT "maturity: done\n", 4, 11, "unknown maturity 'done'", 1 },
    { "an empty title", COUNT "title: ''\n", 4, 8, "'title': it is empty", 1 },
    { "a predicate with a fault", "id: a\nshape: count\nwhere: class == opn\n", 3, 17, "unknown class 'opn'", 1 },
    { "one on a later line of a block", "id: a\nshape: count\nwhere: |\n  class == open and\n    pth == 'x'\n", 5, 5,
      "unknown field 'pth'", 1 },
    { "one on a later line of a plain text", "id: a\nshape: count\nwhere: class == open and\n  pth == 'x'\n", 4, 3,
      "unknown field 'pth'", 1 },
    { "one in quotes", "id: a\nshape: count\nwhere: \"pth == 'x'\"\n", 3, 9, "unknown field 'pth'", 1 },
    { "one behind letters of several bytes", "id: a\nshape: count\nwhere: path == 'äöü' and pth == 'x'\n", 3, 29,
      "unknown field 'pth'", 1 },
    { "a floor that is no number", COUNT "at_least: { calls: many }\n", 4, 20, "'calls': a whole number is expected",
      1 },
    { "a floor of 0", COUNT "at_least: { calls: 0 }\n", 4, 20, "'calls': the number is too small", 1 },
    { "an unknown floor", COUNT "at_least: { cals: 1 }\n", 4, 13,
      "unknown key of 'at_least' 'cals'; did you mean 'calls'?", 1 },
    { "a share without %", COUNT "at_least: { share: 0.2 }\n", 4, 20, "'share': a share is expected, such as 20%", 1 },
    { "a share of more than all", COUNT "at_least: { share: 200% }\n", 4, 20, "'share': a share is expected", 1 },
    { "a time without unit", COUNT "at_least: { time: 10 }\n", 4, 19, "'time': a time is expected, such as 10ms", 1 },
    { "a size with a unit of time", COUNT "at_least: { bytes: 10ms }\n", 4, 20,
      "'bytes': a size is expected, such as 64KiB", 1 },
    { "no floor", COUNT "at_least: {}\n", 4, 11, "'at_least' names no value", 1 },
    { "floors that are a text", COUNT "at_least: 3\n", 4, 11, "'at_least': keys and values are expected", 1 },
    { "a floor of rows that they lack", "id: a\nshape: rows\nof: calls\nwhere: calls > 1\nat_least: { rate: 1 }\n", 5,
      13, "the shape rows has no such floor", 1 },
    { "unknown rows", "id: a\nshape: rows\nof: file\nwhere: calls > 1\n", 3, 5,
      "unknown kind of rows 'file'; did you mean 'files'?", 1 },
    { "too many values of each", COUNT "each: [pid, tid, fd, path, call]\n", 4, 7,
      "'each': a value such as path, or a list of 1 to 4, is expected", 1 },
    { "a value of each that is none", COUNT "each: [pth]\n", 4, 8, "unknown field 'pth'", 1 },
    { "a reset that asks for what each has not", COUNT "each: path\nreset: class == close and fd == each.fd\n", 5, 8,
      "'reset': it can ask for each.X only where 'each' has X", 1 },
    { "a reset that does not tell the group", COUNT "each: path\nreset: path != each.path\n", 5, 8,
      "'reset': it must say X == each.X, joined by 'and', for every value of 'each'", 1 },
    { "a step that is a field", "id: a\nshape: sequence\nwhere:\n  fd: ok\n", 4, 3, "step 'fd': is the name of a field",
      1 },
    { "a step that is not in steps", SEQUENCE "steps: { r: {} }\n", 5, 3, "'where' has a step that 'steps' has not",
      1 },
    { "a step that where lacks", SEQUENCE "steps: { r: {}, w: {}, x: {} }\n", 4, 3, "'where' lacks the step 'x'", 1 },
    { "steps that are a text", "id: a\nshape: sequence\nwhere: ok\n", 3, 8, "'where': keys and values are expected",
      1 },
    { "times that are none", SEQUENCE "steps: { r: { times: 3..1 }, w: {} }\n", 6, 22, "'times': N, N..M or N..", 1 },
    { "times of 0", SEQUENCE "steps: { r: { times: 0..1 }, w: {} }\n", 6, 22, "'times': N, N..M or N..", 1 },
    { "an unknown key of a step", SEQUENCE "steps: { r: { time: 1 }, w: {} }\n", 6, 15,
      "unknown key of a step 'time'; did you mean 'times'?", 1 },
    { "an unknown key of within", SEQUENCE "within: { call: 3 }\n", 6, 11,
      "unknown key of 'within' 'call'; did you mean 'calls'?", 1 },
    { "an unknown scope", RUN "scope: lwp\n", 4, 8, "unknown scope 'lwp'", 1 },
    { "a message with an unknown value", COUNT "message: '{calls} of {pth}'\n", 4, 23, "unknown field 'pth'", 1 },
    { "a message with a fault", COUNT "message: 'a [b'\n", 4, 15, "'message': the [ has no ]", 1 },
    { "what would be saved", COUNT "saved: some\n", 4, 8, "'saved': all, rest, unknown or a share", 1 },
    { "references that are none", COUNT "references: { a: b }\n", 4, 13, "'references': a text or a list", 1 },
    { "an unknown kind of example", COUNT "examples: { fire: x }\n", 4, 13,
      "unknown key of 'examples' 'fire'; did you mean 'fires'?", 1 },
    { "an unknown key of an example", COUNT "examples: { fires: { txt: x } }\n", 4, 22,
      "unknown key of an example 'txt'", 1 },
    { "an example without text", COUNT "examples: { fires: { repeat: 3 } }\n", 4, 20, "the example has no 'text'", 1 },
    { "an example that is too long", COUNT "examples: { fires: { repeat: 900000, text: aaaaaaaaaaaaaaaa } }\n", 4, 20,
      "the example is longer than 8 MiB", 1 },
    { "an empty example", COUNT "examples: { fires: '' }\n", 4, 20, "the example is empty", 1 },
    { "a stable rule without examples", STABLE, 1, 1, "a stable rule needs an example that fires and one that is quiet",
      1 },
    { "a stable rule with one example", STABLE "examples: { fires: a }\n", 10, 1,
      "a stable rule needs an example that fires", 1 },
    { "a stable rule with nothing", COUNT "maturity: stable\n", 1, 1, "a stable rule needs 'severity'", 6 },
    { "all faults in one go", "id: A\nshape: count\nwhere: pth\nsevrity: note\n", 4, 1, "unknown key 'sevrity'", 3 },
    { "faults of each document", "id: A\nshape: count\nwhere: ok\n---\nid: B\nshape: count\nwhere: ok\n", 1, 5, "'id'",
      2 },

    { "an anchor of a list", "id: a\nby: &x [pid]\n", 2, 5, "anchors (&name) are refused", 1 },
    { "an anchor of a mapping", "id: a\nsteps: &x { r: {} }\n", 2, 8, "anchors (&name) are refused", 1 },
    { "an anchor of a key", "&x id: a\n", 1, 1, "anchors (&name) are refused", 1 },
    { "an alias in a list", "id: a\nby: [pid, *x]\n", 2, 11, "aliases (*name) are refused", 1 },
    { "an alias as a key", "id: a\n*x : b\n", 2, 1, "aliases (*name) are refused", 1 },
    { "a tag of a list", "id: a\nby: !x [pid]\n", 2, 5, "tags (!name) are refused", 1 },
    { "a tag of a mapping", "id: a\nsteps: !!map {}\n", 2, 8, "tags (!name) are refused", 1 },
    { "a tag behind letters of several bytes", "title: [äöü, !x a]\n", 1, 17, "tags (!name) are refused", 1 },
    { "an anchor with a tag", "id: &x !y a\n", 1, 5, "anchors (&name) are refused", 1 },
    { "an anchor of a document", "--- &x\nid: a\n", 1, 5, "anchors (&name) are refused", 1 },
    { "an anchor", "id: &x a\n", 1, 5, "anchors (&name) are refused", 1 },
    { "an alias", "id: *x\n", 1, 5, "aliases (*name) are refused", 1 },
    { "a tag", "id: !!str a\n", 1, 5, "tags (!name) are refused", 1 },
    { "no YAML", "id: \"a\n", 2, 1, "not YAML: found unexpected end of stream", 1 },
    { "a tab", "id: a\n\tshape: b\n", 2, 1, "not YAML: found", 1 },
    { "too deep", "id: [[[[[[[[[[[[[[[[a]]]]]]]]]]]]]]]]\n", 1, 20, "nested too deeply: at most 16 levels", 1 },
    { "a key that is a list", "[a]: b\n", 1, 1, "a key must be a word", 1 },
    { "bytes that are no UTF-8", "id: a\n# \xff\n", 2, 3, "not YAML: invalid leading UTF-8 octet", 1 },
};

typedef struct seen {
    callgauge_error first;
    size_t count;
} seen;

static void see(void *ctx, const callgauge_error *fault)
{
    seen *s = ctx;
    if (s->count++ == 0) {
        s->first = *fault;
    }
}

static callgauge_status load(const char *text, callgauge_rules_options *options, callgauge_rules **out, seen *faults)
{
    const callgauge_rule_text file = { "rules.yaml", text, strlen(text) };
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    *faults = (seen){ .first = CALLGAUGE_ERROR_INIT };
    options->size = sizeof *options;
    options->texts = &file;
    options->text_count = 1;
    options->on_diag = see;
    options->diag_ctx = faults;
    callgauge_status status = callgauge_rules_load(options, out, &error);
    if (status != CALLGAUGE_OK && faults->count > 0) {
        assert_string_equal(error.message, faults->first.message);
        assert_int_equal(error.line, faults->first.line);
        assert_int_equal(error.column, faults->first.column);
        assert_string_equal(error.source, "rules.yaml");
    }
    return status;
}

static void check_row(void **state)
{
    const struct row *row = *state;
    callgauge_rules *rules;
    callgauge_rules_options options = { .no_catalogue = true };
    seen faults;
    callgauge_status status = load(row->text, &options, &rules, &faults);
    if (row->faults == 0) {
        if (status != CALLGAUGE_OK) {
            print_message("%s:%u:%u: %s\n", faults.first.source, (unsigned)faults.first.line,
                          (unsigned)faults.first.column, faults.first.message);
        }
        assert_int_equal(status, CALLGAUGE_OK);
        callgauge_rules_free(rules);
        return;
    }
    assert_int_equal(status, CALLGAUGE_E_FORMAT);
    if (strncmp(faults.first.message, row->message, strlen(row->message)) != 0) {
        assert_string_equal(faults.first.message, row->message);
    }
    assert_int_equal(faults.first.line, row->line);
    assert_int_equal(faults.first.column, row->column);
    assert_int_equal(faults.count, row->faults);
}

/* --- sets */

static const char three[] = "id: c\nshape: count\nwhere: ok\nseverity: note\n---\n"
                            "id: a\nshape: run\nwhere: ok\ntitle: the title\n---\n"
                            "id: b\nshape: count\nwhere: ok\n";

static void check_ids(const callgauge_rules *rules, const char *ids)
{
    char text[256] = "";
    for (size_t i = 0; i < callgauge_rules_count(rules); i++) {
        const callgauge_rule_info *rule = callgauge_rules_at(rules, i);
        strncat(text, i > 0 ? " " : "", 2);
        strncat(text, rule->id.ptr, rule->id.len);
    }
    assert_string_equal(text, ids);
}

static void sets_are_in_order(void **state)
{
    (void)state;
    callgauge_rules *rules;
    callgauge_rules_options options = { .no_catalogue = true };
    seen faults;
    assert_int_equal(load(three, &options, &rules, &faults), CALLGAUGE_OK);
    check_ids(rules, "a b c");
    const callgauge_rule_info *rule = callgauge_rules_at(rules, 0);
    assert_true(cg_str_is(rule->title, "the title"));
    assert_int_equal(rule->line, 6);
    assert_int_equal(rule->shape, CALLGAUGE_SHAPE_RUN);
    assert_int_equal(rule->severity, CALLGAUGE_SEVERITY_WARNING);
    assert_false(rule->from_catalogue);
    assert_true(cg_str_starts(rule->text, "id: a\n"));
    assert_int_equal(callgauge_rules_at(rules, 2)->severity, CALLGAUGE_SEVERITY_NOTE);
    assert_null(callgauge_rules_at(rules, 3));
    assert_null(callgauge_rules_example(rules, 0, 0));
    callgauge_rules_free(rules);
}

static void sets_are_chosen(void **state)
{
    (void)state;
    static const char *const only[] = { "a", "c" }, *const skip[] = { "c" }, *const wrong[] = { "d" };
    const callgauge_rule_severity severe = { "a", CALLGAUGE_SEVERITY_ERROR };
    callgauge_rules *rules;
    seen faults;
    callgauge_rules_options options = { .no_catalogue = true,
                                        .only = only,
                                        .only_count = 2,
                                        .skip = skip,
                                        .skip_count = 1,
                                        .severities = &severe,
                                        .severity_count = 1 };
    assert_int_equal(load(three, &options, &rules, &faults), CALLGAUGE_OK);
    check_ids(rules, "a");
    assert_int_equal(callgauge_rules_at(rules, 0)->severity, CALLGAUGE_SEVERITY_ERROR);
    callgauge_rules_free(rules);
    options.only = wrong;
    options.only_count = 1;
    assert_int_equal(load(three, &options, &rules, &faults), CALLGAUGE_E_USAGE);
}

static void own_rules_stand_in(void **state)
{
    (void)state;
    static const char text[] = "id: htaccess-probe\nshape: count\nwhere: ok\n";
    callgauge_rules *rules;
    callgauge_rules_options options = { .drafts = true };
    seen faults;
    assert_int_equal(load(text, &options, &rules, &faults), CALLGAUGE_OK);
    size_t found = 0;
    for (size_t i = 0; i < callgauge_rules_count(rules); i++) {
        const callgauge_rule_info *rule = callgauge_rules_at(rules, i);
        if (cg_str_is(rule->id, "htaccess-probe")) {
            assert_false(rule->from_catalogue);
            found++;
        }
    }
    assert_int_equal(found, 1);
    callgauge_rules_free(rules);
}

static void large_files_are_refused(void **state)
{
    (void)state;
    size_t len = ((size_t)1 << 20) + 1;
    char *text = malloc(len);
    memset(text, '#', len);
    const callgauge_rule_text file = { "rules.yaml", text, len };
    const callgauge_rules_options options = {
        .size = sizeof options, .no_catalogue = true, .texts = &file, .text_count = 1
    };
    callgauge_rules *rules;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    assert_int_equal(callgauge_rules_load(&options, &rules, &error), CALLGAUGE_E_FORMAT);
    assert_string_equal(error.message, "larger than 1 MiB");
    assert_int_equal(error.line, 0); /* of the file, not of a line */
    assert_int_equal(error.column, 0);
    free(text);
}

/* The classical bomb: lists of lists by reference. Its first anchor ends it, and where that is missing the alias. */
static void bombs_are_refused(void **state)
{
    (void)state;
    static const char bomb[] = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n";
    callgauge_rules *rules;
    callgauge_rules_options options = { .no_catalogue = true };
    seen faults;
    assert_int_equal(load(bomb, &options, &rules, &faults), CALLGAUGE_E_FORMAT);
    assert_string_equal(faults.first.message, "anchors (&name) are refused");
    assert_int_equal(faults.first.line, 1);
    assert_int_equal(faults.first.column, 4);
    assert_int_equal(faults.count, 1);
    assert_int_equal(load("a: [x, x]\nb: [*a, *a]\n", &options, &rules, &faults), CALLGAUGE_E_FORMAT);
    assert_string_equal(faults.first.message, "aliases (*name) are refused");
    assert_int_equal(faults.first.line, 2);
    assert_int_equal(faults.first.column, 5);
}

/* A list of `count` values, `width` bytes to a line of it, as the value of a key. */
static char *made_list(size_t count, size_t a_line)
{
    char *text = malloc(count * 2 + count / a_line + 16);
    size_t len = (size_t)sprintf(text, "by: [");
    for (size_t i = 0; i < count; i++) {
        len += (size_t)sprintf(text + len, "%s%s", i == 0 ? "" : i % a_line == 0 ? ",\n" : ",", "a");
    }
    sprintf(text + len, "]\n");
    return text;
}

static void many_values_are_refused(void **state)
{
    (void)state;
    enum { MOST = 50000, A_LINE = 1000 };
    callgauge_rules *rules;
    callgauge_rules_options options = { .no_catalogue = true };
    seen faults;
    char *text = made_list(MOST - 2, A_LINE); /* the mapping and the list are values too */
    assert_int_equal(load(text, &options, &rules, &faults), CALLGAUGE_E_FORMAT);
    assert_null(strstr(faults.first.message, "too many values"));
    free(text);
    text = made_list(MOST - 1, A_LINE);
    assert_int_equal(load(text, &options, &rules, &faults), CALLGAUGE_E_FORMAT);
    assert_string_equal(faults.first.message, "too many values: at most 50000");
    assert_int_equal(faults.first.line, MOST / A_LINE);
    assert_int_equal(faults.first.column, 2 * (A_LINE - 1) - 1);
    assert_int_equal(faults.count, 1);
    free(text);
}

static void repeated_examples_are_written_out(void **state)
{
    (void)state;
    static const char text[] = COUNT
        "examples:\n  fires: { repeat: 3, from: 8, before: a, text: 'f({i}, {i})', after: b }\n";
    callgauge_rules *rules;
    callgauge_rules_options options = { .no_catalogue = true };
    seen faults;
    assert_int_equal(load(text, &options, &rules, &faults), CALLGAUGE_OK);
    const callgauge_rule_example *example = callgauge_rules_example(rules, 0, 0);
    assert_true(example->fires);
    assert_int_equal(example->line, 5);
    assert_true(cg_str_is(example->text, "a\nf(8, 8)\nf(9, 9)\nf(10, 10)\nb\n"));
    callgauge_rules_free(rules);
}

static void the_eleven_load(void **state)
{
    (void)state;
    static char text[16384];
    FILE *file = fopen(CG_FIXTURES "/rules/eleven.yaml", "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    callgauge_rules *rules;
    callgauge_rules_options options = { .no_catalogue = true };
    seen faults;
    assert_int_equal(load(text, &options, &rules, &faults), CALLGAUGE_OK);
    assert_int_equal(callgauge_rules_count(rules), 11);
    callgauge_rules_free(rules);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + 9];
    size_t count = 0;
    for (; count < ROWS; count++) {
        tests[count] =
            (struct CMUnitTest){ .name = rows[count].name, .test_func = check_row, .initial_state = &rows[count] };
    }
    const struct CMUnitTest others[] = {
        cmocka_unit_test(sets_are_in_order),
        cmocka_unit_test(sets_are_chosen),
        cmocka_unit_test(own_rules_stand_in),
        cmocka_unit_test(large_files_are_refused),
        cmocka_unit_test(bombs_are_refused),
        cmocka_unit_test(many_values_are_refused),
        cmocka_unit_test(repeated_examples_are_written_out),
        cmocka_unit_test(the_eleven_load),
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        tests[count++] = others[i];
    }
    callgauge_rules *probe;
    if (callgauge_rules_load(NULL, &probe, NULL) == CALLGAUGE_E_UNSUPPORTED) {
        return 77; /* a build without libyaml */
    }
    callgauge_rules_free(probe);
    return _cmocka_run_group_tests("rules", tests, count, NULL, NULL);
}

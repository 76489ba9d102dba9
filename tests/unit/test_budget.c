/* SPDX-License-Identifier: Apache-2.0 */
/* Budget files: every fault with its place, what limits and sequences become, where calls can be written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <callgauge/budget.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "rules/budget.h"

#define ROWS(list) (sizeof(list) / sizeof(list)[0])
#define HEAD "budget: 1\n"
#define LIMIT HEAD "limits:\n  - name: a\n"
#define MOST "    at_most: { calls: 1 }\n"
#define EXPECT HEAD "expect:\n  - name: a\n"
#define FROM "    from: class == open\n"

static struct row {
    const char *name, *text;
    uint64_t line, column; /* of the first fault; 0: none, or it has none */
    const char *message;   /* how it begins */
    size_t faults;
} rows[] = {
    { "every key of a limit",
      LIMIT
      "    where: class == open\n    per: unit\n    at_most: { calls: 1, errors: 2.5, error_share: 20%, time: 1ms, "
      "cpu: 2us, wall: 1s, bytes: 8KiB }\n    at_least: { calls: 1 }\n    severity: note\n    why: because\n",
      0, 0, NULL, 0 },
    { "calls of a limit", LIMIT "    calls: [openat, \"%read\", \"'new_call'\"]\n    per: process\n" MOST, 0, 0, NULL,
      0 },
    { "one call of a limit", LIMIT "    calls: openat\n" MOST, 0, 0, NULL, 0 },
    { "a name of words", HEAD "limits:\n  - name: no more opens\n    where: class == open\n" MOST, 0, 0, NULL, 0 },
    { "a rule of a limit", LIMIT "    rule: copy-loop\n" MOST, 0, 0, NULL, 0 },
    { "lists", HEAD "calls: { allow: [read], forbid: \"%spawn\" }\npaths: { allow: [/], forbid: ['*.key', b?] }\n", 0,
      0, NULL, 0 },
    { "regression and findings",
      HEAD "regression:\n  calls: { percent: 1.5, floor: 2 }\n  errors: {}\n  time: { floor: 1ms }\n  bytes: { floor: "
           "1MiB }\n"
           "findings: { severity: note, at_most: 3 }\n",
      0, 0, NULL, 0 },
    { "every key of a sequence",
      EXPECT FROM
      "    before: class == close\n    scope: process\n    show: names\n    skip: class == memory\n    times: 2\n"
      "    severity: warning\n    calls: |\n      openat\n",
      0, 0, NULL, 0 },
    { "other markers", EXPECT "    after: ok\n    to: failed\n", 0, 0, NULL, 0 },

    { "nothing", "", 0, 0, "no budget is in it", 1 },
    { "no mapping", "- a\n", 1, 1, "a budget is expected: keys and values", 1 },
    { "two documents", HEAD "findings: {}\n---\nbudget: 1\n", 4, 1, "a budget is one document: this is another", 1 },
    { "no form", "findings: {}\n", 1, 1, "the budget does not say its form: budget: 1", 1 },
    { "another form", "budget: 2\nfindings: {}\n", 1, 9, "'budget': this version of callgauge reads budgets of form 1",
      1 },
    { "a form that is no number", "budget: one\nfindings: {}\n", 1, 9, "'budget': a whole number is expected", 1 },
    { "nothing is limited", HEAD, 1, 1, "the budget limits nothing", 1 },
    { "an unknown key", HEAD "limit: []\nfindings: {}\n", 2, 1, "unknown key 'limit'; did you mean 'limits'?", 1 },
    { "a key twice", HEAD "budget: 1\n", 2, 1, "the key 'budget' is there already, on line 1", 1 },
    { "an anchor", HEAD "calls: &x { forbid: fork }\n", 2, 8, "anchors (&name) are refused", 1 },
    { "an alias", HEAD "calls: *x\n", 2, 8, "aliases (*name) are refused", 1 },
    { "a tag", HEAD "calls: !x { forbid: fork }\n", 2, 8, "tags (!name) are refused", 1 },
    { "no YAML", HEAD "calls: \"a\n", 3, 1, "not YAML: found unexpected end of stream", 1 },
    { "too deep", HEAD "calls: [[[[[[[[[[[[[[[[a]]]]]]]]]]]]]]]]\n", 2, 23, "nested too deeply: at most 16 levels", 1 },

    { "limits that are no list", HEAD "limits: { a: b }\n", 2, 9, "'limits': a list of limits is expected", 1 },
    { "limits that are none", HEAD "limits: []\n", 2, 9, "'limits': a list of limits is expected", 1 },
    { "a limit that is a text", HEAD "limits: [a]\n", 2, 10, "keys and values are expected", 1 },
    { "an unknown key of a limit", LIMIT MOST "    sevrity: note\n", 5, 5,
      "unknown key of a limit 'sevrity'; did you mean 'severity'?", 1 },
    { "a limit without a name", HEAD "limits:\n  - at_most: { calls: 1 }\n", 3, 5, "the limit has no 'name'", 1 },
    { "a name with another character", HEAD "limits:\n  - name: a/b\n" MOST, 3, 11,
      "'name': a name has letters, digits, blanks, - _ and ., at most 64", 1 },
    { "a name that ends with a blank", HEAD "limits:\n  - name: 'a '\n" MOST, 3, 11, "'name': a name has letters", 1 },
    { "a name that is a list", HEAD "limits:\n  - name: [a]\n" MOST, 3, 11, "'name': a text is expected", 1 },
    { "a name with NUL", HEAD "limits:\n  - name: \"a\\0b\"\n" MOST, 3, 11, "'name': a text without NUL is expected",
      1 },
    { "a name of 65 letters",
      HEAD "limits:\n  - name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n" MOST, 3, 11,
      "'name': a name has letters", 1 },
    { "a name twice", LIMIT MOST "  - name: a\n" MOST, 5, 11, "the name 'a' is there already, on line 3", 1 },
    { "a name of a limit and a sequence", LIMIT MOST "expect:\n  - name: a\n" FROM, 6, 11,
      "the name 'a' is there already, on line 3", 1 },
    { "no bound", LIMIT "    calls: read\n", 3, 5, "the limit needs 'at_most' or 'at_least'", 1 },
    { "an empty bound", LIMIT "    at_most: {}\n", 4, 14, "'at_most': it names no value", 1 },
    { "a bound that is a number", LIMIT "    at_most: 3\n", 4, 14, "'at_most': keys and values are expected", 1 },
    { "an unknown measure", LIMIT "    at_most: { call: 3 }\n", 4, 16,
      "unknown key of 'at_most' 'call'; did you mean 'calls'?", 1 },
    { "an unknown least measure", LIMIT "    at_least: { erors: 3 }\n", 4, 17,
      "unknown key of 'at_least' 'erors'; did you mean 'errors'?", 1 },
    { "calls that are no number", LIMIT "    at_most: { calls: few }\n", 4, 23, "'calls': a number is expected", 1 },
    { "a negative number", LIMIT "    at_most: { calls: -1 }\n", 4, 23, "'calls': a number is expected", 1 },
    { "a share without %", LIMIT "    at_most: { error_share: 0.2 }\n", 4, 29,
      "'error_share': a share is expected, such as 20%", 1 },
    { "a time without unit", LIMIT "    at_most: { time: 10 }\n", 4, 22, "'time': a time is expected, such as 10ms",
      1 },
    { "bytes with a unit of time", LIMIT "    at_most: { bytes: 10ms }\n", 4, 23,
      "'bytes': a size is expected, such as 64KiB", 1 },
    { "a predicate with a fault", LIMIT "    where: class == opn\n" MOST, 4, 21, "unknown class 'opn'", 1 },
    { "one on a later line of a block", LIMIT "    where: |\n      ok and\n        pth == 'x'\n" MOST, 6, 9,
      "unknown field 'pth'", 1 },
    { "a predicate that is a list", LIMIT "    where: [ok]\n" MOST, 4, 12, "'where': a text is expected", 1 },
    { "a predicate and a rule", LIMIT "    where: ok\n    rule: a\n" MOST, 5, 5,
      "'where', 'rule' and 'calls' exclude each other", 1 },
    { "a predicate and calls", LIMIT "    calls: read\n    where: ok\n" MOST, 4, 5,
      "'where', 'rule' and 'calls' exclude each other", 1 },
    { "a rule that is no id", LIMIT "    rule: Copy Loop\n" MOST, 4, 11, "'rule': the id of a rule is expected", 1 },
    { "an unknown per", LIMIT "    per: units\n" MOST, 4, 10, "unknown per 'units'; did you mean 'unit'?", 1 },
    { "a rule per process", LIMIT "    rule: a\n    per: process\n" MOST, 5, 10,
      "'per': what a rule found is not told apart by process", 1 },
    { "at least per process", LIMIT "    per: process\n    at_least: { calls: 1 }\n", 5, 15,
      "'at_least': it cannot be held per process", 1 },
    { "an unknown severity", LIMIT MOST "    severity: bad\n", 5, 15, "unknown severity 'bad'", 1 },
    { "an empty why", LIMIT MOST "    why: ''\n", 5, 10, "'why': it is empty", 1 },
    { "an unknown call", LIMIT "    calls: [read, opnat]\n" MOST, 4, 19, "unknown call 'opnat'; did you mean 'openat'?",
      1 },
    { "an unknown class of calls", LIMIT "    calls: \"%opne\"\n" MOST, 4, 12,
      "unknown class 'opne'; did you mean 'open'?", 1 },
    { "calls that are a mapping", LIMIT "    calls: { a: b }\n" MOST, 4, 12,
      "'calls': a text or a list of texts is expected", 1 },
    { "no calls", LIMIT "    calls: []\n" MOST, 4, 12, "'calls': a text or a list of texts is expected", 1 },

    { "calls that are neither", HEAD "calls: {}\n", 2, 8, "'calls': 'allow' or 'forbid' is expected", 1 },
    { "calls that are a list", HEAD "calls: [fork]\n", 2, 8, "'calls': keys and values are expected", 1 },
    { "an unknown key of calls", HEAD "calls: { forbids: fork }\n", 2, 10,
      "unknown key of 'calls' 'forbids'; did you mean 'forbid'?", 1 },
    { "a call that is a list", HEAD "calls: { forbid: [[fork]] }\n", 2, 19, "a text is expected", 1 },
    { "two unknown calls", HEAD "calls: { forbid: [frok], allow: [raed] }\n", 2, 34, "unknown call 'raed'", 2 },
    { "an unknown forbidden call, once", HEAD "calls: { forbid: frok }\n", 2, 18,
      "unknown call 'frok'; did you mean 'fork'? (one that this version does not know is put in quotes: \"'name'\")",
      1 },
    { "paths that are neither", HEAD "paths: {}\n", 2, 8, "'paths': 'allow' or 'forbid' is expected", 1 },
    { "an unknown key of paths", HEAD "paths: { forbidden: / }\n", 2, 10, "unknown key of 'paths' 'forbidden'", 1 },
    { "an empty path", HEAD "paths: { forbid: [''] }\n", 2, 19, "a path is expected", 1 },
    { "an empty allowed path", HEAD "paths: { allow: [a, ''] }\n", 2, 21, "a path is expected", 1 },
    { "a path that is a mapping", HEAD "paths: { allow: { a: b } }\n", 2, 17,
      "'allow': a text or a list of texts is expected", 1 },
    { "findings that are a number", HEAD "findings: 0\n", 2, 11, "'findings': keys and values are expected", 1 },
    { "an unknown key of findings", HEAD "findings: { most: 0 }\n", 2, 13, "unknown key of 'findings' 'most'", 1 },
    { "findings of an unknown severity", HEAD "findings: { severity: warnings }\n", 2, 23,
      "unknown severity 'warnings'; did you mean 'warning'?", 1 },
    { "half a finding", HEAD "findings: { at_most: 0.5 }\n", 2, 22, "'at_most': a whole number is expected", 1 },
    { "regression of nothing", HEAD "regression: {}\n", 2, 13, "'regression': it names no value", 1 },
    { "regression that is a list", HEAD "regression: [calls]\n", 2, 13, "'regression': keys and values are expected",
      1 },
    { "an unknown measure of regression", HEAD "regression: { call: {} }\n", 2, 15,
      "unknown key of 'regression' 'call'; did you mean 'calls'?", 1 },
    { "an unknown key of a regression", HEAD "regression: { calls: { percnt: 1 } }\n", 2, 24,
      "unknown key of a regression 'percnt'; did you mean 'percent'?", 1 },
    { "a regression that is a number", HEAD "regression: { calls: 1 }\n", 2, 22,
      "'calls': keys and values are expected", 1 },
    { "a percent that is a share", HEAD "regression: { calls: { percent: 20% } }\n", 2, 33,
      "'percent': a number is expected", 1 },
    { "a floor of time without unit", HEAD "regression: { time: { floor: 10 } }\n", 2, 30,
      "'floor': a time is expected", 1 },

    { "sequences that are no list", HEAD "expect: { a: b }\n", 2, 9, "'expect': a list of sequences is expected", 1 },
    { "a sequence that is a text", HEAD "expect: [a]\n", 2, 10, "keys and values are expected", 1 },
    { "a sequence without a name", HEAD "expect:\n  -\n    from: ok\n", 4, 5, "the sequence has no 'name'", 1 },
    { "a sequence without a begin", EXPECT "    to: ok\n", 3, 5, "the sequence needs 'from' or 'after'", 1 },
    { "two begins", EXPECT FROM "    after: ok\n", 5, 5, "'from' and 'after' exclude each other", 1 },
    { "two ends", EXPECT FROM "    to: ok\n    before: ok\n", 6, 5, "'to' and 'before' exclude each other", 1 },
    { "a marker with a fault", EXPECT "    from: pth == 'x'\n", 4, 11, "unknown field 'pth'", 1 },
    { "a skip with a fault", EXPECT FROM "    skip: class == memry\n", 5, 20, "unknown class 'memry'", 1 },
    { "an unknown scope", EXPECT FROM "    scope: threads\n", 5, 12, "unknown scope 'threads'; did you mean 'thread'?",
      1 },
    { "an unknown show", EXPECT FROM "    show: name\n", 5, 11, "unknown show 'name'; did you mean 'names'?", 1 },
    { "no times", EXPECT FROM "    times: 0\n", 5, 12, "'times': the number is too small", 1 },
    { "calls of a sequence that are a list", EXPECT FROM "    calls: [a]\n", 5, 12, "'calls': a text is expected", 1 },
    { "an unknown key of a sequence", EXPECT FROM "    until: ok\n", 5, 5, "unknown key of a sequence 'until'", 1 },
    { "a sequence in brackets", HEAD "expect:\n  - { name: a, from: ok }\n", 3, 5,
      "a sequence is written with a key on each line, not in brackets", 1 },
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

static callgauge_status load(const char *text, callgauge_budget **out, seen *faults)
{
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    *faults = (seen){ .first = CALLGAUGE_ERROR_INIT };
    callgauge_status status = callgauge_budget_load("budget.yaml", text, strlen(text), see, faults, out, &error);
    if (status != CALLGAUGE_OK) {
        assert_string_equal(error.message, faults->first.message);
        assert_int_equal(error.line, faults->first.line);
        assert_int_equal(error.column, faults->first.column);
        assert_string_equal(error.source, "budget.yaml");
    }
    return status;
}

static void check_row(void **state)
{
    const struct row *row = *state;
    callgauge_budget *budget;
    seen faults;
    callgauge_status status = load(row->text, &budget, &faults);
    if (row->faults == 0) {
        if (status != CALLGAUGE_OK) {
            print_message("%u:%u: %s\n", (unsigned)faults.first.line, (unsigned)faults.first.column,
                          faults.first.message);
        }
        assert_int_equal(status, CALLGAUGE_OK);
        callgauge_budget_free(budget);
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

/* --- paths */

static struct path_row {
    const char *pattern, *path;
    bool fits;
} path_rows[] = {
    { "/etc/passwd", "/etc/passwd", true },
    { "/etc/passwd", "/etc/passwd2", false },
    { "/etc/", "/etc/passwd", true },
    { "/etc/", "/etc/ssl/a", true },
    { "/etc/", "/etc", true },
    { "/etc/", "/etcetera", false },
    { "/", "/a", true },
    { "/srv/*.html", "/srv/a/b.html", true },
    { "/srv/*.html", "/srv/a.htm", false },
    { "/srv/?.html", "/srv/a.html", true },
    { "/srv/?.html", "/srv/ab.html", false },
    { "*", "", true },
    { "*a*b*c", "xxaxxbxxbxc", true },
    { "*a*b*c", "xxaxxcxxbx", false },
    { "/home/*/private/", "/home/me/private/a/b", true },
    { "/home/*/private/", "/home/me/private", true },
    { "/home/*/private/", "/home/me/public/a", false },
    { "**x", "axbx", true },
};

static void check_path(void **state)
{
    const struct path_row *row = *state;
    const callgauge_str word = cg_str_z(row->pattern);
    const cg_limit limit = { .words = &word, .word_count = 1 };
    assert_int_equal(cg_limit_has_path(&limit, cg_str_z(row->path)), row->fits);
}

/* --- what it becomes */

static void limits_are_in_order(void **state)
{
    (void)state;
    callgauge_budget *budget;
    seen faults;
    assert_int_equal(load(LIMIT "    where: class == stat\n    why: |\n      it is so\n" MOST
                                "calls:\n  forbid: [fork, \"%memory\"]\n  allow: [read]\n"
                                "findings: {}\nregression: { time: { percent: 20 } }\n",
                          &budget, &faults),
                     CALLGAUGE_OK);
    static const char *const names[] = {
        "a", "calls.allow", "calls.forbid: fork", "calls.forbid: %memory", "regression.time", "findings"
    };
    assert_int_equal(budget->limit_count, ROWS(names));
    for (size_t i = 0; i < ROWS(names); i++) {
        assert_true(cg_str_is(budget->limits[i].name, names[i]));
        assert_int_equal(budget->limits[i].severity, CALLGAUGE_SEVERITY_ERROR);
    }
    assert_true(cg_str_is(budget->limits[0].why, "it is so"));
    assert_true(cg_str_is(budget->limits[0].text, "class == stat"));
    assert_true(cg_str_is(budget->limits[0].rule, "budget:a"));
    assert_true(budget->limits[0].call_count > 3);
    assert_int_equal(budget->limits[2].place.line, 9);
    assert_int_equal(budget->limits[2].place.column, 12);
    assert_int_equal(budget->limits[2].call_count, 1);
    assert_true(budget->limits[4].bounds[0].percent == 20);
    assert_true(callgauge_budget_needs_rules(budget));
    assert_true(callgauge_budget_needs_baseline(budget));
    assert_false(callgauge_budget_needs_files(budget));
    assert_false(callgauge_budget_needs_units(budget));
    callgauge_budget_free(budget);
}

static void needs_are_those_of_its_limits(void **state)
{
    (void)state;
    callgauge_budget *budget;
    seen faults;
    assert_int_equal(load(LIMIT "    per: unit\n" MOST "paths: { allow: / }\n", &budget, &faults), CALLGAUGE_OK);
    assert_false(callgauge_budget_needs_rules(budget));
    assert_false(callgauge_budget_needs_baseline(budget));
    assert_true(callgauge_budget_needs_files(budget));
    assert_true(callgauge_budget_needs_units(budget));
    callgauge_budget_free(budget);
    callgauge_budget_free(NULL);
}

/* --- where calls are written */

static struct place_row {
    const char *name, *text;
    const char *replaced; /* what stands where they are written */
    const char *behind;   /* how what follows begins */
    uint64_t indent;
} place_rows[] = {
    { "a block", EXPECT FROM "    calls: |\n      a\n      b\n\n    times: 1\n", "|\n      a\n      b", "\n\n    times",
      6 },
    { "a block with other blanks", EXPECT FROM "    calls: |-\n         a\n", "|-\n         a", "\n", 9 },
    { "a plain text", EXPECT FROM "    calls: a # b\n    times: 1\n", "a # b", "\n    times", 6 },
    { "an empty block", EXPECT FROM "    calls: |\n    times: 1\n", "|", "\n    times", 6 },
    { "none", EXPECT FROM "  - name: b\n" FROM, "", "\n  - name: b", 6 },
    { "none, before a comment", EXPECT "    from: ok # yes\n# more\n", "", "\n# more", 6 },
    { "none, at the end", EXPECT "    from: ok", "", "", 6 },
    { "none, behind a block", EXPECT "    from: |\n      ok\n\nfindings: {}\n", "", "\n\nfindings", 6 },
    { "lines that end as on Windows", EXPECT "    from: ok\r\nfindings: {}\r\n", "", "\r\nfindings", 6 },
};

static void check_place(void **state)
{
    const struct place_row *row = *state;
    callgauge_budget *budget;
    seen faults;
    assert_int_equal(load(row->text, &budget, &faults), CALLGAUGE_OK);
    const cg_expectation *of = &budget->expectations[0];
    assert_true(of->calls_at <= of->calls_end && of->calls_end <= budget->text.len);
    callgauge_str replaced = cg_str(budget->text.ptr + of->calls_at, of->calls_end - of->calls_at);
    callgauge_str behind = cg_str(budget->text.ptr + of->calls_end, budget->text.len - of->calls_end);
    assert_true(cg_str_is(replaced, row->replaced));
    assert_true(row->behind[0] == '\0' ? behind.len == 0 : cg_str_starts(behind, row->behind));
    assert_int_equal(of->indent, row->indent);
    assert_int_equal(of->has_calls, row->replaced[0] != '\0');
    callgauge_budget_free(budget);
}

static void sequences_are_read(void **state)
{
    (void)state;
    callgauge_budget *budget;
    seen faults;
    assert_int_equal(
        load(EXPECT "    after: ok\n    before: failed\n    calls: |\n      a\n\n      b  \n", &budget, &faults),
        CALLGAUGE_OK);
    const cg_expectation *of = &budget->expectations[0];
    assert_false(of->begin_inside);
    assert_false(of->end_inside);
    assert_non_null(of->begin);
    assert_non_null(of->end);
    assert_null(of->skip);
    assert_int_equal(of->times, 0);
    assert_int_equal(of->severity, CALLGAUGE_SEVERITY_ERROR);
    assert_true(cg_str_is(of->calls, "a\nb\n"));
    callgauge_budget_free(budget);
}

/* --- sizes */

static void check_size(size_t words, const char *before, const char *word, const char *after, const char *message,
                       uint64_t line)
{
    callgauge_budget *budget;
    seen faults;
    size_t len = strlen(word), at = strlen(before);
    char *text = malloc(at + words * len + strlen(after) + 1);
    assert_non_null(text);
    memcpy(text, before, at);
    for (size_t i = 0; i < words; i++, at += len) {
        memcpy(text + at, word, len);
    }
    memcpy(text + at, after, strlen(after) + 1);
    assert_int_equal(load(text, &budget, &faults), CALLGAUGE_E_FORMAT);
    assert_string_equal(faults.first.message, message);
    assert_int_equal(faults.first.line, line);
    free(text);
}

static void sizes_are_limited(void **state)
{
    (void)state;
    check_size(1 << 20, HEAD, " ", "", "larger than 1 MiB", 0);
    check_size(4000, HEAD "calls: { forbid: [", "\"'a_call_that_is_new'\", ", "fork] }\n", "too many calls are named",
               2);
    check_size(50000, HEAD "calls: { forbid: [", "fork, ", "fork] }\n", "too many values: at most 50000", 2);
}

/* --- what the documentation shows */

/* Every example of docs/budgets.md loads, and there is one of each key. */
static void the_documentation_loads(void **state)
{
    (void)state;
    enum { MOST_PAGE = 1 << 16 };
    static const char *const keys[] = { "limits:",  "name:",  "where:",  "at_most:",    "why:",    "calls:", "per:",
                                        "forbid:",  "allow:", "paths:",  "regression:", "errors:", "time:",  "bytes:",
                                        "percent:", "floor:", "expect:", "from:",       "to:" };
    static char page[MOST_PAGE], all[MOST_PAGE], text[MOST_PAGE];
    FILE *file = fopen(CG_FIXTURES "/../docs/budgets.md", "rb");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = 0;
    fclose(file);
    for (const char *at = page; (at = strstr(at, "```yaml\n")) != NULL;) {
        at += strlen("```yaml\n");
        const char *end = strstr(at, "```");
        assert_non_null(end);
        snprintf(text, sizeof text, "%s%.*s", strncmp(at, HEAD, strlen(HEAD)) == 0 ? "" : HEAD, (int)(end - at), at);
        callgauge_budget *budget;
        seen faults;
        if (load(text, &budget, &faults) != CALLGAUGE_OK) {
            fail_msg("%.60s...: %u: %s", text, (unsigned)faults.first.line, faults.first.message);
        }
        callgauge_budget_free(budget);
        strncat(all, text, sizeof all - strlen(all) - 1);
        at = end;
    }
    for (size_t i = 0; i < ROWS(keys); i++) {
        if (strstr(all, keys[i]) == NULL) {
            fail_msg("no example of %s", keys[i]);
        }
    }
}

int main(void)
{
    enum { MOST_TESTS = 256 };
    static struct CMUnitTest tests[MOST_TESTS];
    size_t count = 0;
    seen faults;
    callgauge_budget *probe;
    if (load(HEAD "findings: {}\n", &probe, &faults) == CALLGAUGE_E_UNSUPPORTED) {
        return 77; /* a build without libyaml */
    }
    callgauge_budget_free(probe);
    for (size_t i = 0; i < ROWS(rows); i++) {
        tests[count++] = (struct CMUnitTest){ rows[i].name, check_row, NULL, NULL, &rows[i] };
    }
    for (size_t i = 0; i < ROWS(path_rows); i++) {
        tests[count++] = (struct CMUnitTest){ path_rows[i].pattern, check_path, NULL, NULL, &path_rows[i] };
    }
    for (size_t i = 0; i < ROWS(place_rows); i++) {
        tests[count++] = (struct CMUnitTest){ place_rows[i].name, check_place, NULL, NULL, &place_rows[i] };
    }
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(limits_are_in_order);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(needs_are_those_of_its_limits);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(sequences_are_read);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(the_documentation_loads);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(sizes_are_limited);
    return _cmocka_run_group_tests("budget", tests, count, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines to settings. The command's sources are no part of the library: this test takes in the one it needs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../cli/options.c"

static const option own_options[] = {
    { "format", 0, OPTION_CHOICE, "text|json", "form", offsetof(settings, format) },
    { "limit", 0, OPTION_NUMBER, "N", "rows", offsetof(settings, limit) },
    { "each", 'e', OPTION_FLAG, NULL, "apart", offsetof(settings, each) },
    { NULL, 0, OPTION_FLAG, NULL, NULL, 0 },
};
static const command tried = { "tried", "Tries.", own_options, NULL, NULL, NULL };

enum { MOST_WORDS = 6 };

static struct row {
    const char *name;
    const char *words[MOST_WORDS];
    const char *fault; /* NULL: none */
    settings expected;
    const char *files[MOST_WORDS];
} rows[] = {
    { "nothing", { NULL }, NULL, { .format = { 0, "text" }, .limit = LIMIT_NOT_GIVEN }, { NULL } },
    { "a file", { "a" }, NULL, { .format = { 0, "text" }, .limit = LIMIT_NOT_GIVEN }, { "a" } },
    { "a dash is a file", { "-" }, NULL, { .format = { 0, "text" }, .limit = LIMIT_NOT_GIVEN }, { "-" } },
    { "options between files",
      { "a", "--format", "json", "b", "--strict" },
      NULL,
      { .format = { 1, "json" }, .limit = LIMIT_NOT_GIVEN, .strict = true },
      { "a", "b" } },
    { "equals sign", { "--format=json", "--limit=20" }, NULL, { .format = { 1, "json" }, .limit = 20 }, { NULL } },
    { "the last one wins",
      { "--limit", "1", "--limit", "2" },
      NULL,
      { .format = { 0, "text" }, .limit = 2 },
      { NULL } },
    { "letters",
      { "-eo", "f", "a" },
      NULL,
      { .format = { 0, "text" }, .limit = LIMIT_NOT_GIVEN, .each = true, .output = "f" },
      { "a" } },
    { "letter with its value",
      { "-of" },
      NULL,
      { .format = { 0, "text" }, .limit = LIMIT_NOT_GIVEN, .output = "f" },
      { NULL } },
    { "no options behind two dashes",
      { "--", "--strict" },
      NULL,
      { .format = { 0, "text" }, .limit = LIMIT_NOT_GIVEN },
      { "--strict" } },
    { "choices count",
      { "--stamps", "E", "--time-kind", "wall" },
      NULL,
      { .format = { 0, "text" }, .limit = LIMIT_NOT_GIVEN, .stamps = { 3, "E" }, .time_kind = { 2, "wall" } },
      { NULL } },
    { "mistyped",
      { "--formt", "json" },
      "unknown option '--formt'; did you mean '--format'?",
      { .limit = 0 },
      { NULL } },
    { "mistyped, with a value",
      { "--stict=1" },
      "unknown option '--stict'; did you mean '--strict'?",
      { .limit = 0 },
      { NULL } },
    { "unknown",
      { "--zzzzzz" },
      "unknown option '--zzzzzz'; 'callgauge tried --help' lists them",
      { .limit = 0 },
      { NULL } },
    { "unknown letter",
      { "-x" },
      "unknown option '-x'; 'callgauge tried --help' lists them",
      { .limit = 0 },
      { NULL } },
    { "no such choice", { "--format", "xml" }, "--format: 'xml' is none of text|json", { .limit = 0 }, { NULL } },
    { "half a choice", { "--format", "js" }, "--format: 'js' is none of text|json", { .limit = 0 }, { NULL } },
    { "no number", { "--limit", "2x" }, "--limit: '2x' is no number", { .limit = 0 }, { NULL } },
    { "an empty number", { "--limit=" }, "--limit: '' is no number", { .limit = 0 }, { NULL } },
    { "a huge number", { "--limit=99999999999" }, "--limit: '99999999999' is no number", { .limit = 0 }, { NULL } },
    { "value missing", { "--output" }, "--output needs a value: FILE", { .limit = 0 }, { NULL } },
    { "value too many", { "--each=no" }, "--each takes no value", { .limit = 0 }, { NULL } },
};

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static void check_row(void **state)
{
    const struct row *row = *state;
    char texts[MOST_WORDS][32];
    char *argv[MOST_WORDS];
    int count = 0;
    for (; count < MOST_WORDS && row->words[count] != NULL; count++) {
        snprintf(texts[count], sizeof texts[count], "%s", row->words[count]);
        argv[count] = texts[count];
    }
    char fault[256] = "";
    settings got;
    bool ok = options_parse(&tried, count, argv, &got, fault, sizeof fault);
    assert_int_equal(ok, row->fault == NULL);
    if (!ok) {
        assert_string_equal(fault, row->fault);
        return;
    }
    assert_string_equal(got.format.text, row->expected.format.text);
    assert_int_equal(got.format.index, row->expected.format.index);
    assert_int_equal(got.stamps.index, row->expected.stamps.index);
    assert_int_equal(got.time_kind.index, row->expected.time_kind.index);
    assert_int_equal(got.limit, row->expected.limit);
    assert_int_equal(got.strict, row->expected.strict);
    assert_int_equal(got.each, row->expected.each);
    assert_true(same_text(got.output, row->expected.output));
    size_t files = 0;
    for (; files < MOST_WORDS && row->files[files] != NULL; files++) {
        assert_true(files < got.file_count);
        assert_string_equal(got.files[files], row->files[files]);
    }
    assert_int_equal(got.file_count, files);
}

static void nearest_word_is_near(void **state)
{
    (void)state;
    static const char *const names[] = { "report", "summary", "events" };
    assert_string_equal(nearest_word("sumary", names, 3), "summary");
    assert_string_equal(nearest_word("event", names, 3), "events");
    assert_string_equal(nearest_word("reprot", names, 3), "report");
    assert_string_equal(nearest_word("sum", names, 3), "summary");
    assert_null(nearest_word("detect", names, 3));
    assert_null(nearest_word("", names, 3));
    assert_null(nearest_word("a-word-that-is-much-too-long-for-any", names, 3));
}

enum { ROWS = sizeof rows / sizeof *rows };

int main(void)
{
    struct CMUnitTest tests[ROWS + 1];
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    tests[ROWS] = (struct CMUnitTest)cmocka_unit_test(nearest_word_is_near);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

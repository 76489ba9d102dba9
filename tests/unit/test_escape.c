/* SPDX-License-Identifier: Apache-2.0 */
/* write/escape: hostile text in each form of output, and the way back from JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "making.h"
#include "write/escape.h"

#define BYTES(text) \
    { \
        text, sizeof(text) - 1 \
    }

static struct row {
    const char *name;
    callgauge_str text;
    const char *show, *json, *csv, *markdown;
} rows[] = {
    { "nothing", BYTES(""), "", "\"\"", "", "" },
    { "plain", BYTES("read"), "read", "\"read\"", "read", "read" },
    { "umlaut", BYTES("\303\244"), "\303\244", "\"\303\244\"", "\303\244", "\303\244" },
    { "four bytes", BYTES("\360\237\230\200"), "\360\237\230\200", "\"\360\237\230\200\"", "\360\237\230\200",
      "\360\237\230\200" },
    { "Latin-1", BYTES("caf\351"), "caf\\351", "\"caf\\\\351\"", "caf\\351", "caf\\351" },
    { "cut character", BYTES("\303"), "\\303", "\"\\\\303\"", "\\303", "\\303" },
    { "overlong slash", BYTES("\300\257"), "\\300\\257", "\"\\\\300\\\\257\"", "\\300\\257", "\\300\\257" },
    { "surrogate", BYTES("\355\240\200"), "\\355\\240\\200", "\"\\\\355\\\\240\\\\200\"", "\\355\\240\\200",
      "\\355\\240\\200" },
    { "past Unicode", BYTES("\364\220\200\200"), "\\364\\220\\200\\200", "\"\\\\364\\\\220\\\\200\\\\200\"",
      "\\364\\220\\200\\200", "\\364\\220\\200\\200" },
    { "terminal sequence", BYTES("\033[31m"), "\\033[31m", "\"\\u001b[31m\"", "\\033[31m", "\\033\\[31m" },
    { "C1", BYTES("\302\233"), "\\302\\233", "\"\\u009b\"", "\\302\\233", "\\302\\233" },
    { "line end", BYTES("a\nb"), "a\\012b", "\"a\\nb\"", "a\\012b", "a\\012b" },
    { "NUL", BYTES("a\0b"), "a\\000b", "\"a\\\\000b\"", "a\\000b", "a\\000b" },
    { "right to left", BYTES("\342\200\256"), "\\342\\200\\256", "\"\\u202e\"", "\\342\\200\\256", "\\342\\200\\256" },
    { "Arabic letter mark", BYTES("\330\234"), "\\330\\234", "\"\\u061c\"", "\\330\\234", "\\330\\234" },
    { "quote", BYTES("a\"b"), "a\"b", "\"a\\\"b\"", "\"a\"\"b\"", "a\"b" },
    { "backslash", BYTES("\\351"), "\\351", "\"\\\\\\\\351\"", "\\351", "\\\\351" },
    { "comma", BYTES("a,b"), "a,b", "\"a,b\"", "\"a,b\"", "a,b" },
    { "formula", BYTES("=1+1"), "=1+1", "\"=1+1\"", "'=1+1", "=1+1" },
    { "formula with a comma", BYTES("@f(1,2)"), "@f(1,2)", "\"@f(1,2)\"", "\"'@f(1,2)\"", "@f(1,2)" },
    { "minus one", BYTES("-1"), "-1", "\"-1\"", "-1", "-1" },
    { "minus a half", BYTES("-0.5"), "-0.5", "\"-0.5\"", "-0.5", "-0.5" },
    { "minus, then a formula", BYTES("-1+1"), "-1+1", "\"-1+1\"", "'-1+1", "-1+1" },
    { "minus alone", BYTES("-"), "-", "\"-\"", "'-", "-" },
    { "minus, a point first", BYTES("-.5"), "-.5", "\"-.5\"", "'-.5", "-.5" },
    { "plus", BYTES("+1"), "+1", "\"+1\"", "'+1", "+1" },
    { "table of Markdown", BYTES("a|b`c`<i>&*"), "a|b`c`<i>&*", "\"a|b`c`<i>&*\"", "a|b`c`<i>&*",
      "a\\|b\\`c\\`&lt;i&gt;&amp;\\*" },
    { "underscores stay", BYTES("_exit"), "_exit", "\"_exit\"", "_exit", "_exit" },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_form(void (*escape)(cg_out *out, callgauge_str text), callgauge_str text, const char *expected)
{
    static caught into;
    callgauge_output to = { catch_output, &into };
    cg_out out;
    into.len = 0;
    into.text[0] = 0;
    cg_out_init(&out, &to);
    escape(&out, text);
    assert_int_equal(cg_out_finish(&out, NULL), CALLGAUGE_OK);
    assert_string_equal(into.text, expected);
}

static void check_row(void **state)
{
    const struct row *row = *state;
    check_form(cg_escape_show, row->text, row->show);
    check_form(cg_escape_json, row->text, row->json);
    check_form(cg_escape_csv, row->text, row->csv);
    check_form(cg_escape_markdown, row->text, row->markdown);
}

static struct width {
    const char *text;
    size_t width;
} widths[] = { { "read", 4 }, { "\303\244", 1 }, { "\303", 4 }, { "\302\233", 8 }, { "a\n", 5 } };

static void check_widths(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        assert_int_equal(cg_escape_width(cg_str_z(widths[i].text)), widths[i].width);
    }
}

static struct undo {
    const char *name, *text;
    bool ok;
    const char *out;
    size_t len;
} undos[] = {
    { "nothing to undo", "abc", true, "abc", 3 },   { "a byte", "\\351", true, "\351", 1 },
    { "a backslash", "\\\\351", true, "\\351", 4 }, { "NUL", "a\\000", true, "a\0", 2 },
    { "at the end", "a\\", false, "", 0 },          { "too short", "\\35", false, "", 0 },
    { "not octal", "\\389", false, "", 0 },         { "too large", "\\400", false, "", 0 },
    { "another letter", "\\n", false, "", 0 },
};

enum { UNDOS = sizeof undos / sizeof *undos };

static void check_undo(void **state)
{
    const struct undo *row = *state;
    char to[16];
    size_t len = 0;
    assert_int_equal(cg_unescape(cg_str_z(row->text), to, &len), row->ok);
    assert_int_equal(len, row->len);
    assert_memory_equal(to, row->out, row->len);
}

static struct part {
    const char *name, *text;
    size_t width, front, end;
} parts[] = {
    { "nothing", "", 5, 0, 0 },
    { "it fits", "abc", 3, 3, 3 },
    { "one too many", "abcd", 3, 3, 3 },
    { "none", "abc", 0, 0, 0 },
    { "characters of two bytes", "\303\244\303\266\303\274", 2, 4, 4 },
    { "an escape is not cut", "a\033b", 4, 1, 1 },
    { "an escape that fits", "a\033b", 5, 2, 2 },
};

enum { PARTS = sizeof parts / sizeof *parts };

static void check_part(void **state)
{
    const struct part *row = *state;
    assert_int_equal(cg_escape_front(cg_str_z(row->text), row->width), row->front);
    assert_int_equal(cg_escape_end(cg_str_z(row->text), row->width), row->end);
}

/* Longer than the buffer of the output, in pieces and at once. */
static void check_long_output(void **state)
{
    static char text[20000];
    static caught into;
    (void)state;
    callgauge_output to = { catch_output, &into };
    cg_out out;
    into.len = 0;
    into.answer = 0;
    memset(text, 'x', sizeof text);
    cg_out_init(&out, &to);
    for (int i = 0; i < 500; i++) {
        cg_escape_show(&out, cg_str(text, 37));
    }
    cg_out_add(&out, text, sizeof text);
    cg_out_i64(&out, INT64_MIN);
    assert_int_equal(cg_out_finish(&out, NULL), CALLGAUGE_OK);
    assert_int_equal(into.len, 500 * 37 + sizeof text + 20);
    assert_string_equal(into.text + into.len - 20, "-9223372036854775808");
}

int main(void)
{
    struct CMUnitTest tests[ROWS + UNDOS + PARTS + 2] = {
        [ROWS + UNDOS + PARTS] = cmocka_unit_test(check_widths),
        [ROWS + UNDOS + PARTS + 1] = cmocka_unit_test(check_long_output),
    };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    for (size_t i = 0; i < UNDOS; i++) {
        tests[ROWS + i] =
            (struct CMUnitTest){ .name = undos[i].name, .test_func = check_undo, .initial_state = &undos[i] };
    }
    for (size_t i = 0; i < PARTS; i++) {
        tests[ROWS + UNDOS + i] =
            (struct CMUnitTest){ .name = parts[i].name, .test_func = check_part, .initial_state = &parts[i] };
    }
    return cmocka_run_group_tests_name("escape", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* base/template: messages with values, and parts that go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "base/template.h"

#define ROWS (sizeof rows / sizeof rows[0])

static struct row {
    const char *name, *form, *shown;
    const char *fault; /* NULL: none */
    size_t at;
} rows[] = {
    { "text alone", "no values", "no values", NULL, 0 },
    { "a value", "{calls} calls", "12 calls", NULL, 0 },
    { "blanks in braces", "{ calls } calls", "12 calls", NULL, 0 },
    { "an unknown value", "{gone} calls", "- calls", NULL, 0 },
    { "a part that stays", "{calls} calls[ of {all}]", "12 calls of 20", NULL, 0 },
    { "a part that goes", "{calls} calls[ of {gone}], done", "12 calls, done", NULL, 0 },
    { "a part that comes to nothing", "{calls} calls[, {zero} failed], done", "12 calls, done", NULL, 0 },
    { "nothing outside of a part", "{zero} calls", "0 calls", NULL, 0 },
    { "a part without values", "a[ b] c", "a b c", NULL, 0 },
    { "an unknown value in front of a part", "{gone}[ of {all}]", "- of 20", NULL, 0 },
    { "two parts", "[{gone}]x[{calls}]", "x12", NULL, 0 },
    { "doubled characters", "{{a}} [[b]] {calls}", NULL, "a } without {", 3 },
    { "doubled brackets", "[[b]] {calls}", "[b] 12", NULL, 0 },
    { "a brace that does not end", "a {calls", "a ", "the { has no }", 2 },
    { "nothing in braces", "a {} b", "a ", "no value between { and }", 2 },
    { "a part in a part", "[a [b]]", "a ", "a [ inside [...]; [[ is the character", 3 },
    { "an end without a beginning", "a] b", "a", "a ] without [; ]] is the character", 1 },
    { "a part that does not end", "a [b", "a b", "the [ has no ]", 4 },
    { "empty", "", "", NULL, 0 },
};

static bool look_up(void *ctx, callgauge_str name, cg_buf *to, cg_template_value *is)
{
    (void)ctx;
    bool is_zero = cg_str_is(name, "zero");
    *is = cg_str_is(name, "gone") ? CG_TEMPLATE_UNKNOWN : is_zero ? CG_TEMPLATE_NOTHING : CG_TEMPLATE_SOMETHING;
    return cg_buf_add_z(to, is_zero ? "0" : cg_str_is(name, "calls") ? "12" : "20");
}

static void check_row(void **state)
{
    const struct row *row = *state;
    callgauge_str form = cg_str_z(row->form);
    if (row->shown != NULL) {
        cg_buf text;
        cg_buf_init(&text, 1024);
        assert_true(cg_template_render(form, look_up, NULL, &text));
        assert_int_equal(text.len, strlen(row->shown));
        assert_true(text.len == 0 || memcmp(text.data, row->shown, text.len) == 0);
        cg_buf_release(&text);
    }
    size_t at = 0;
    unsigned depth = 0;
    cg_template_part part = { .kind = CG_TEMPLATE_TEXT };
    while (part.kind != CG_TEMPLATE_END && part.kind != CG_TEMPLATE_BAD) {
        part = cg_template_next(form, &at, &depth);
    }
    if (row->fault == NULL) {
        assert_int_equal(part.kind, CG_TEMPLATE_END);
    } else {
        assert_int_equal(part.kind, CG_TEMPLATE_BAD);
        assert_string_equal(part.fault, row->fault);
        assert_int_equal(part.at, row->at);
    }
}

int main(void)
{
    struct CMUnitTest tests[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("template", tests, NULL, NULL);
}

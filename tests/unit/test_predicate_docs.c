/* SPDX-License-Identifier: Apache-2.0 */
/* predicate: each example of docs/rule-language.md compiles, and there is one of each field and operator. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "judging.h"
#include "predicate/fields.h"

enum { MOST_BYTES = 1 << 20 };

/* The examples of each kind, one a line. */
typedef struct page {
    char *text;
    cg_buf of[CG_OF_WAITING + 1];
} page;

static int open_page(void **state)
{
    page *p = calloc(1, sizeof *p);
    FILE *file = fopen(CG_FIXTURES "/../docs/rule-language.md", "rb");
    if (p == NULL || file == NULL || (p->text = calloc(MOST_BYTES, 1)) == NULL) {
        return -1;
    }
    size_t length = fread(p->text, 1, MOST_BYTES - 1, file);
    fclose(file);
    for (int i = 0; i <= CG_OF_WAITING; i++) {
        cg_buf_init(&p->of[i], MOST_BYTES);
    }
    *state = p;
    return length == 0 || length == MOST_BYTES - 1 ? -1 : 0;
}

static int close_page(void **state)
{
    page *p = *state;
    for (int i = 0; i <= CG_OF_WAITING; i++) {
        cg_buf_release(&p->of[i]);
    }
    free(p->text);
    free(p);
    return 0;
}

/* What a block's mark says. False: no examples of predicates. */
static bool read_mark(callgauge_str mark, cg_subject *of)
{
    const char *const begin = "predicate";
    if (!cg_str_starts(mark, begin)) {
        return false;
    }
    mark = cg_str(mark.ptr + strlen(begin), mark.len - strlen(begin));
    *of = CG_OF_EVENTS;
    return mark.len == 0 || cg_str_is(mark, "-steps") || cg_subject_find(cg_str(mark.ptr + 1, mark.len - 1), of);
}

static void compile_line(page *p, callgauge_str line, cg_subject of)
{
    const callgauge_str names[] = { { "prev", 4 }, { "each", 4 }, { "a", 1 }, { "b", 1 },
                                    { "q", 1 },    { "r", 1 },    { "s", 1 } };
    cg_scope *scope = cg_scope_new(names, sizeof names / sizeof *names);
    char text[512];
    assert_true(line.len < sizeof text);
    memcpy(text, line.ptr, line.len);
    text[line.len] = '\0';
#ifdef CG_HAVE_PCRE2
    bool compiles = true;
#else
    bool compiles = strstr(text, "matches") == NULL;
#endif
    if (compiles) {
        cg_predicate_free(compiled(text, of, scope));
    }
    cg_scope_free(scope);
    assert_true(cg_buf_add_char(&p->of[of], ' ') && cg_buf_add_str(&p->of[of], line) &&
                cg_buf_add_char(&p->of[of], '\n'));
}

static void check_examples(void **state)
{
    page *p = *state;
    bool inside = false;
    cg_subject of = CG_OF_EVENTS;
    int examples = 0;
    for (const char *at = p->text; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        callgauge_str line = cg_str(at, length);
        if (cg_str_starts(line, "```")) {
            inside = !inside && read_mark(cg_str(at + 3, length - 3), &of);
        } else if (inside) {
            compile_line(p, line, of);
            examples++;
        }
        at += length + (at[length] == '\n');
    }
    assert_true(examples > 80);
}

/* Whether `name` stands in the text, by itself. */
static bool stands_in(callgauge_str text, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 1; i + length < text.len; i++) {
        char before = text.ptr[i - 1];
        char after = text.ptr[i + length];
        if (memcmp(text.ptr + i, name, length) == 0 && !cg_is_word(before) && before != '.' && !cg_is_word(after)) {
            return true;
        }
    }
    return false;
}

static void check_all_fields(void **state)
{
    const page *p = *state;
    int missing = 0;
    for (int of = CG_OF_EVENTS; of <= CG_OF_WAITING; of++) {
        size_t count;
        const cg_field *fields = cg_fields_of((cg_subject)of, &count);
        for (size_t i = 0; i < count; i++) {
            if (!stands_in(cg_buf_str(&p->of[of]), fields[i].name)) {
                print_error("no example of %s of subject %d\n", fields[i].name, of);
                missing++;
            }
        }
    }
    assert_int_equal(missing, 0);
}

static void check_all_operators(void **state)
{
    static const char *const operators[] = { "and",      "or",         "not",      "in",      "not in",
                                             "contains", "startswith", "endswith", "matches", "absent" };
    static const char *const signs[] = { "==", "!=", "< ", "<=", "> ", ">=", " + ", " - ", "-ret" };
    const page *p = *state;
    const callgauge_str events = cg_buf_str(&p->of[CG_OF_EVENTS]);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        assert_true(stands_in(events, operators[i]));
    }
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        assert_true(cg_str_find(events, signs[i]) < events.len);
    }
    assert_true(cg_str_find(cg_buf_str(&p->of[CG_OF_CALLS]), " * ") < p->of[CG_OF_CALLS].len);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_examples),
        cmocka_unit_test(check_all_fields),
        cmocka_unit_test(check_all_operators),
    };
    return cmocka_run_group_tests_name("predicate_docs", tests, open_page, close_page);
}

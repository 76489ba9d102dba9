/* SPDX-License-Identifier: Apache-2.0 */
/* base/str: a text is found wherever it stands, and no part of it is taken for the whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"

enum { LONGEST = 70 };

/* Finds `needle` at each place of texts of each length; each text is its own block, so that no byte behind it is
 * there. */
static void look_for(const char *needle, char filler)
{
    size_t n = strlen(needle);
    for (size_t len = 1; len < LONGEST; len++) {
        char *text = malloc(len);
        assert_non_null(text);
        memset(text, filler, len);
        assert_int_equal(cg_str_find(cg_str(text, len), needle), len);
        for (size_t at = 0; at + n <= len; at++) {
            memset(text, filler, len);
            memcpy(text + at, needle, n);
            assert_int_equal(cg_str_find(cg_str(text, len), needle), at);
            text[at + n - 1] = '!';
            assert_int_equal(cg_str_find(cg_str(text, len), needle), len);
        }
        free(text);
    }
}

static void check_places(void **state)
{
    (void)state;
    look_for("x", '.');
    look_for("->", '-');
    look_for("O_TRUNC", '.');
    look_for("O_TRUNC", 'O');
    look_for("_DONTWAIT", '_');
    look_for("twenty bytes are long", 't');
}

static void check_first(void **state)
{
    (void)state;
    callgauge_str text = cg_str_z("ab, a, b, abc, and much more of it; abc again");
    assert_int_equal(cg_str_find(text, "abc"), 10);
    assert_int_equal(cg_str_find(text, "abc again"), 36);
    assert_int_equal(cg_str_find(text, "abc never"), text.len);
    assert_int_equal(cg_str_find(cg_str("abc", 2), "abc"), 2);
    assert_int_equal(cg_str_find(cg_str("", 0), "abc"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(check_places), cmocka_unit_test(check_first) };
    return cmocka_run_group_tests_name("str", tests, NULL, NULL);
}

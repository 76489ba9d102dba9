/* SPDX-License-Identifier: Apache-2.0 */
/* input/scan: where lines end and marks are, by hand at the edges of words, and against a byte at a time over
 * texts of all kinds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "input/scan.h"

enum { WORDS = 5, BYTES = WORDS * 64, BASE = 1000, MOST = 4 };

/* Text that `at` puts somewhere among points, and the places in it that are found: offsets in `text`. */
static struct row {
    const char *name, *text;
    uint32_t at;
    bool errors;
    size_t count;
    uint32_t places[MOST];
} rows[] = {
    { "nothing", "", 0, true, 0, { 0 } },
    { "line end", "\n", 5, true, 1, { 0 } },
    { "line end last and first in a word", "\n\n", 63, true, 2, { 0, 1 } },
    { "more line ends than two in a word", "\n\n\n\n", 0, true, 4, { 0, 1, 2, 3 } },
    { "line end, errors not asked for", "\n", 5, false, 1, { 0 } },
    { "result", ") = 0", 10, true, 1, { 2 } },
    { "result, errors not asked for", ") = 0", 10, false, 1, { 2 } },
    { "result before a tab", ") =\t0", 10, true, 1, { 2 } },
    { "tabs are odd where errors are not asked for", ")\t=\t0", 10, false, 2, { 1, 3 } },
    { "carriage returns are not", ")\r", 10, false, 0, { 0 } },
    { "equals sign at the end of a line", "=\n 0", 10, true, 2, { 0, 1 } },
    { "equals sign at the end of a line, errors not asked for", "=\n 0", 10, false, 1, { 1 } },
    { "no blank behind", "a=b=>c==", 10, true, 0, { 0 } },
    { "blank in the word behind", "= ", 63, true, 1, { 0 } },
    { "no blank in the word behind", "=.", 63, true, 0, { 0 } },
    { "last byte, blank behind", "= ", BYTES - 1, true, 1, { 0 } },
    { "last byte, no blank behind", "=.", BYTES - 1, false, 0, { 0 } },
    { "error", "Err#2", 10, true, 1, { 3 } },
    { "errors are not asked for", "Err#2 = ", 10, false, 1, { 6 } },
    { "byte above 0x7f", "\xc3", 10, true, 1, { 0 } },
    { "byte above 0x7f, errors not asked for", "\xff", 10, false, 1, { 0 } },
    { "0x7f is no such byte", "\x7f", 10, true, 0, { 0 } },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    char text[BYTES + 1];
    uint32_t places[BYTES + CG_SCAN_SPARE];
    memset(text, '.', sizeof text);
    size_t len = strlen(row->text), room = sizeof text - row->at;
    memcpy(text + row->at, row->text, len < room ? len : room);
    assert_int_equal(cg_scan(text, WORDS, row->errors, BASE, places), row->count);
    for (size_t i = 0; i < row->count; i++) {
        assert_int_equal(places[i], BASE + row->at + row->places[i]);
    }
}

static void check_nul(void **state)
{
    (void)state;
    for (int errors = 0; errors < 2; errors++) {
        char text[BYTES + 1];
        uint32_t places[BYTES + CG_SCAN_SPARE];
        memset(text, '.', sizeof text);
        text[64 + 9] = '\0';
        assert_int_equal(cg_scan(text, WORDS, errors, 0, places), 1);
        assert_int_equal(places[0], 64 + 9);
    }
}

/* What scan.h promises, a byte at a time. */
static bool is_place(const char *at, bool errors)
{
    unsigned char here = (unsigned char)*at;
    if (here == 0 || here > 0x7f || *at == '\n') {
        return true;
    }
    if (*at == '=') {
        unsigned char next = (unsigned char)at[1];
        return next == ' ' || (errors && (next < ' ' || next > 0x7f));
    }
    return errors ? *at == '#' : here < '\n';
}

static void check_all_kinds(void **state)
{
    (void)state;
    static const char alphabet[] = "= \t\n\r#r!\x1f\x7f.(";
    uint32_t random = 1;
    for (size_t round = 0; round < 20000; round++) {
        char text[BYTES + 1];
        uint32_t places[BYTES + CG_SCAN_SPARE];
        bool errors = round % 2 == 0;
        for (size_t i = 0; i < sizeof text; i++) {
            random = random * 1103515245u + 12345u;
            text[i] = round % 8 < 4 || random >> 29 == 0 ? alphabet[(random >> 16) % (sizeof alphabet - 1)] : '.';
        }
        if (round % 4 == 3) {
            text[(random >> 8) % sizeof text] = round % 8 == 3 ? '\0' : '\x80';
        }
        size_t count = cg_scan(text, WORDS, errors, 0, places), at = 0;
        for (uint32_t i = 0; i < BYTES; i++) {
            if (is_place(text + i, errors)) {
                assert_true(at < count);
                assert_int_equal(places[at++], i);
            }
        }
        assert_int_equal(at, count);
    }
}

int main(void)
{
    struct CMUnitTest tests[ROWS + 2] = { cmocka_unit_test(check_nul), cmocka_unit_test(check_all_kinds) };
    for (size_t i = 0; i < ROWS; i++) {
        tests[2 + i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("scan", tests, NULL, NULL);
}

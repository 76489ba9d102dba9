/* SPDX-License-Identifier: Apache-2.0 */
/* input/scan: where lines end and marks are, by hand at the edges of words, and against a byte at a time over
 * texts of all kinds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "input/scan.h"

enum { WORDS = 5, BYTES = WORDS * 64 };
#define EVERY_BIT (~UINT64_C(0))
#define BIT(n) (UINT64_C(1) << (n))

/* Text that `at` puts somewhere among points; the words expected of the first two of them. */
static struct row {
    const char *name, *text;
    size_t at;
    char before; /* the byte in front of the text's first */
    bool errors;
    uint64_t nl[2], marks[2];
} rows[] = {
    { "nothing", "", 0, '.', true, { 0, 0 }, { 0, 0 } },
    { "line end", "\n", 5, '.', true, { BIT(5), 0 }, { 0, 0 } },
    { "line end last and first in a word", "\n\n", 63, '.', true, { BIT(63), BIT(0) }, { 0, 0 } },
    { "result", ") = 0", 10, '.', true, { 0, 0 }, { BIT(12), 0 } },
    { "result behind a tab", ")\t= 0", 10, '.', true, { 0, 0 }, { BIT(12), 0 } },
    { "tabs count where errors do", ")\t= 0", 10, '.', false, { 0, 0 }, { 0, 0 } },
    { "equals sign at the start of a line", "\n= 0", 10, '.', true, { BIT(10), 0 }, { 0, 0 } },
    { "no blank in front", "a=b==", 10, '.', true, { 0, 0 }, { 0, 0 } },
    { "blank in the word before", " =", 63, '.', true, { 0, 0 }, { 0, BIT(0) } },
    { "no blank in the word before", ".=", 63, '.', true, { 0, 0 }, { 0, 0 } },
    { "first byte, blank in front", "= 0", 0, ' ', true, { 0, 0 }, { BIT(0), 0 } },
    { "first byte, no blank in front", "= 0", 0, '.', true, { 0, 0 }, { 0, 0 } },
    { "error", "Err#2", 10, '.', true, { 0, 0 }, { BIT(13), 0 } },
    { "error over two words", "Err#2", 61, '.', true, { 0, 0 }, { 0, BIT(0) } },
    { "errors are not asked for", "Err#2 = ", 10, '.', false, { 0, 0 }, { BIT(16), 0 } },
    { "number sign behind another letter", "x#2 R#3", 10, '.', true, { 0, 0 }, { 0, 0 } },
    { "byte above 0x7f", "\xc3", 10, '.', true, { 0, 0 }, { EVERY_BIT, 0 } },
    { "byte above 0x7f in the second word", "\xff\n", 70, '.', true, { 0, BIT(7) }, { 0, EVERY_BIT } },
    { "0x7f is no such byte", "\x7f", 10, '.', true, { 0, 0 }, { 0, 0 } },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    char memory[1 + BYTES], *text = memory + 1;
    uint64_t nl[WORDS], marks[WORDS];
    memset(memory, '.', sizeof memory);
    memory[0] = row->before;
    memcpy(text + row->at, row->text, strlen(row->text));
    cg_scan(text, 2, row->errors, nl, marks);
    for (size_t w = 0; w < 2; w++) {
        assert_true(nl[w] == row->nl[w]);
        assert_true(marks[w] == row->marks[w]);
    }
}

static void check_nul(void **state)
{
    (void)state;
    char memory[1 + BYTES];
    uint64_t nl[WORDS], marks[WORDS];
    memset(memory, '.', sizeof memory);
    memory[1 + 64 + 9] = '\0';
    cg_scan(memory + 1, WORDS, true, nl, marks);
    for (size_t w = 0; w < WORDS; w++) {
        assert_true(nl[w] == 0);
        assert_true(marks[w] == (w == 1 ? EVERY_BIT : 0));
    }
}

/* What lines.h promises, a byte at a time. */
static void scan_slowly(const char *text, bool errors, uint64_t *nl, uint64_t *marks)
{
    for (size_t w = 0; w < WORDS; w++) {
        bool odd = false;
        nl[w] = marks[w] = 0;
        for (size_t i = 0; i < 64; i++) {
            unsigned char here = (unsigned char)text[w * 64 + i];
            char before = *(text + w * 64 + i - 1);
            bool result = here == '=' && (before == ' ' || (errors && before == '\t'));
            bool error = errors && here == '#' && before == 'r';
            nl[w] |= (uint64_t)(here == '\n') << i;
            marks[w] |= (uint64_t)(result || error) << i;
            odd = odd || here == 0 || here > 0x7f;
        }
        marks[w] = odd ? EVERY_BIT : marks[w];
    }
}

static void check_all_kinds(void **state)
{
    (void)state;
    static const char alphabet[] = "= \t\n\r#r!\x1f\x7f.(";
    uint32_t random = 1;
    for (size_t round = 0; round < 20000; round++) {
        char memory[1 + BYTES];
        uint64_t nl[WORDS], marks[WORDS], slow_nl[WORDS], slow_marks[WORDS];
        bool errors = round % 2 == 0;
        for (size_t i = 0; i < sizeof memory; i++) {
            random = random * 1103515245u + 12345u;
            memory[i] = alphabet[(random >> 16) % (sizeof alphabet - 1)];
        }
        if (round % 4 == 3) {
            memory[(random >> 8) % sizeof memory] = round % 8 == 3 ? '\0' : '\x80';
        }
        cg_scan(memory + 1, WORDS, errors, nl, marks);
        scan_slowly(memory + 1, errors, slow_nl, slow_marks);
        assert_memory_equal(nl, slow_nl, sizeof nl);
        assert_memory_equal(marks, slow_marks, sizeof marks);
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

/* SPDX-License-Identifier: Apache-2.0 */
/* Unified diffs of two lists of lines: as they are written; as `diff -u` writes them; and of lists made at random that
 * they turn the one list into the other with as few lines as can be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/str.h"
#include "compare/diff.h"

enum { MOST_LINES = 64 };

struct row {
    const char *name, *before, *after; /* a line is a letter; '.' a line without text */
    const char *expected;              /* lines as letters too, behind the two lines of heading */
    size_t removed, added, first;
};

static struct row rows[] = {
    { "equal", "abc", "abc", "", 0, 0, 3 },
    { "both empty", "", "", "", 0, 0, 0 },
    { "all new", "", "ab", "@@ -0,0 +1,2 @@\n+a\n+b\n", 0, 2, 0 },
    { "all gone", "ab", "", "@@ -1,2 +0,0 @@\n-a\n-b\n", 2, 0, 0 },
    { "one line", "a", "b", "@@ -1 +1 @@\n-a\n+b\n", 1, 1, 0 },
    { "in the middle", "abcdefghi", "abcdXfghi", "@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+X\n f\n g\n h\n", 1, 1, 4 },
    { "added in the middle", "abcdefgh", "abcdXefgh", "@@ -2,6 +2,7 @@\n b\n c\n d\n+X\n e\n f\n g\n", 0, 1, 4 },
    { "gone at the front", "abcde", "bcde", "@@ -1,4 +1,3 @@\n-a\n b\n c\n d\n", 1, 0, 0 },
    { "gone at the end", "abcde", "abcd", "@@ -2,4 +2,3 @@\n b\n c\n d\n-e\n", 1, 0, 4 },
    { "two places that are near", "abcdefgh", "aXcdefYh", "@@ -1,8 +1,8 @@\n a\n-b\n+X\n c\n d\n e\n f\n-g\n+Y\n h\n",
      2, 2, 1 },
    { "six lines between are one hunk", "aBcdefghIj", "abcdefghij",
      "@@ -1,10 +1,10 @@\n a\n-B\n+b\n c\n d\n e\n f\n g\n h\n-I\n+i\n j\n", 2, 2, 1 },
    { "seven are two", "aBcdefghiJk", "abcdefghijk",
      "@@ -1,5 +1,5 @@\n a\n-B\n+b\n c\n d\n e\n@@ -7,5 +7,5 @@\n g\n h\n i\n-J\n+j\n k\n", 2, 2, 1 },
    { "lines without text", "a.b", "ab", "@@ -1,3 +1,2 @@\n a\n-\n b\n", 1, 0, 1 },
    { "two gone, one new", "abcdef", "aXdef", "@@ -1,6 +1,5 @@\n a\n-b\n-c\n+X\n d\n e\n f\n", 2, 1, 1 },
};

static cg_text_lines lines_of(const char *letters, callgauge_str *room)
{
    cg_text_lines lines = { room, strlen(letters) };
    for (size_t i = 0; i < lines.count; i++) {
        room[i] = cg_str(letters + i, letters[i] != '.');
    }
    return lines;
}

static void check(void **state)
{
    static const char heading[] = "--- expected\n+++ seen\n";
    const struct row *row = *state;
    callgauge_str a[MOST_LINES], b[MOST_LINES];
    cg_diff found;
    cg_buf text;
    cg_buf_init(&text, SIZE_MAX);
    assert_true(cg_diff_lines(&text, lines_of(row->before, a), lines_of(row->after, b), &found));
    assert_true(cg_buf_add_char(&text, '\0'));
    size_t skip = text.len > sizeof heading ? sizeof heading - 1 : 0;
    assert_memory_equal(text.data, heading, skip);
    assert_string_equal(text.data + skip, row->expected);
    assert_int_equal(found.removed, row->removed);
    assert_int_equal(found.added, row->added);
    assert_int_equal(found.first, row->first);
    cg_buf_release(&text);
}

/* --- as diff -u writes it, where there is one */

static void write_lines(const char *path, cg_text_lines lines)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < lines.count; i++) {
        assert_true(fprintf(file, "%.*s\n", (int)lines.items[i].len, lines.items[i].ptr) > 0);
    }
    assert_int_equal(fclose(file), 0);
}

static void check_against_diff(void **state)
{
    (void)state;
    char folder[] = "/tmp/test_diff.XXXXXX", a_path[64], b_path[64], command[256], out[4096];
    assert_non_null(mkdtemp(folder));
    snprintf(a_path, sizeof a_path, "%s/a", folder);
    snprintf(b_path, sizeof b_path, "%s/b", folder);
    snprintf(command, sizeof command, "diff -u --label expected --label seen %s %s 2>%s/err", a_path, b_path, folder);
    bool is_there = system("diff --version >/dev/null 2>&1") == 0;
    for (size_t i = 0; is_there && i < sizeof rows / sizeof *rows; i++) {
        callgauge_str a[MOST_LINES], b[MOST_LINES];
        cg_diff found;
        cg_buf text;
        cg_buf_init(&text, SIZE_MAX);
        write_lines(a_path, lines_of(rows[i].before, a));
        write_lines(b_path, lines_of(rows[i].after, b));
        FILE *pipe = popen(command, "r");
        assert_non_null(pipe);
        size_t len = fread(out, 1, sizeof out, pipe);
        pclose(pipe);
        assert_true(cg_diff_lines(&text, lines_of(rows[i].before, a), lines_of(rows[i].after, b), &found));
        assert_int_equal(text.len, len);
        assert_memory_equal(text.data, out, len);
        cg_buf_release(&text);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    if (!is_there) {
        skip();
    }
}

/* --- at random */

static size_t rest_of_line(const char *text, size_t at)
{
    return (size_t)(strchr(text + at, '\n') - text) + 1;
}

/* What the diff makes of `before`: lines as letters. */
static void apply(const char *diff, const char *before, char *to)
{
    size_t at = *diff == '\0' ? 0 : rest_of_line(diff, rest_of_line(diff, 0)), from = 0, n = 0;
    while (diff[at] != '\0') {
        if (diff[at] == '@') {
            size_t start = (size_t)strtoul(diff + at + 4, NULL, 10), count = 1;
            const char *comma = strchr(diff + at, ','), *plus = strchr(diff + at, '+');
            count = comma != NULL && comma < plus ? (size_t)strtoul(comma + 1, NULL, 10) : count;
            size_t begin = count == 0 ? start : start - 1;
            while (from < begin) {
                to[n++] = before[from++];
            }
        } else if (diff[at] == '+') {
            to[n++] = diff[at + 1];
        } else {
            assert_int_equal(diff[at + 1], before[from]);
            if (diff[at] == ' ') {
                to[n++] = before[from];
            }
            from++;
        }
        at = rest_of_line(diff, at);
    }
    while (before[from] != '\0') {
        to[n++] = before[from++];
    }
    to[n] = '\0';
}

/* The length of the longest common sequence, by the textbook's table. */
static size_t longest_common(const char *a, const char *b)
{
    static size_t table[MOST_LINES + 1][MOST_LINES + 1];
    size_t n = strlen(a), m = strlen(b);
    for (size_t i = 1; i <= n; i++) {
        for (size_t k = 1; k <= m; k++) {
            size_t up = table[i - 1][k], left = table[i][k - 1];
            table[i][k] = a[i - 1] == b[k - 1] ? table[i - 1][k - 1] + 1 : up > left ? up : left;
        }
    }
    return table[n][m];
}

static void random_letters(uint32_t *seed, char *to)
{
    *seed = *seed * 1664525u + 1013904223u;
    size_t len = (*seed >> 16) % (MOST_LINES - 1), kinds = 2 + (*seed >> 8) % 12;
    for (size_t i = 0; i < len; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        to[i] = (char)('a' + (*seed >> 16) % kinds);
    }
    to[len] = '\0';
}

static void check_random(void **state)
{
    (void)state;
    uint32_t seed = 5;
    for (int i = 0; i < 3000; i++) {
        char before[MOST_LINES], after[MOST_LINES], made[2 * MOST_LINES];
        callgauge_str a[MOST_LINES], b[MOST_LINES];
        cg_diff found;
        cg_buf text;
        cg_buf_init(&text, SIZE_MAX);
        random_letters(&seed, before);
        random_letters(&seed, after);
        assert_true(cg_diff_lines(&text, lines_of(before, a), lines_of(after, b), &found));
        assert_true(cg_buf_add_char(&text, '\0'));
        apply(text.data, before, made);
        assert_string_equal(made, after);
        assert_int_equal(found.removed + found.added,
                         strlen(before) + strlen(after) - 2 * longest_common(before, after));
        cg_buf_release(&text);
    }
}

/* Lists that have nothing in common, and too many lines to look for the shortest way. */
static void check_bound(void **state)
{
    (void)state;
    enum { LINES = 10000 };
    static callgauge_str a[LINES], b[LINES];
    cg_diff found;
    cg_buf text;
    cg_buf_init(&text, SIZE_MAX);
    for (size_t i = 0; i < LINES; i++) {
        a[i] = cg_str_z(i % 2 == 0 ? "same" : "a");
        b[i] = cg_str_z(i % 2 == 0 ? "same" : "b");
    }
    b[LINES - 1] = a[LINES - 1];
    assert_true(cg_diff_lines(&text, (cg_text_lines){ a, LINES }, (cg_text_lines){ b, LINES }, &found));
    assert_int_equal(found.removed, LINES - 3);
    assert_int_equal(found.added, LINES - 3);
    assert_int_equal(found.first, 1);
    cg_buf_release(&text);
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[ROWS + 3];
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check, .initial_state = &rows[i] };
    }
    tests[ROWS] = (struct CMUnitTest)cmocka_unit_test(check_against_diff);
    tests[ROWS + 1] = (struct CMUnitTest)cmocka_unit_test(check_random);
    tests[ROWS + 2] = (struct CMUnitTest)cmocka_unit_test(check_bound);
    return cmocka_run_group_tests_name("diff", tests, NULL, NULL);
}

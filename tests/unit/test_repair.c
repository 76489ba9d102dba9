/* SPDX-License-Identifier: Apache-2.0 */
/* reader/repair: what editors, mailers, web pages and terminals do to a line is undone, and counted once a line and
 * kind; the error text of the tracer's language stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "reading.h"

#define LQ "\xe2\x80\x9c" /* curly quotes */
#define RQ "\xe2\x80\x9d"
#define LOW "\xe2\x80\x9e"
#define NBSP "\xc2\xa0"
#define DASH "\xe2\x80\x93"
#define YEN "\xc2\xa5"

static struct row {
    const char *name, *prefix;
    bool html;
    const char *text, *wanted, *repairs;
} rows[] = {
    { "nothing wrong", "", false, "close(3) = 0", "close(3) = 0", "" },
    { "empty", "", false, "", "", "" },
    { "carriage return", "", false, "close(3) = 0\r", "close(3) = 0", "cr-lf " },
    { "two of them", "", false, "close(3) = 0\r\r", "close(3) = 0", "cr-lf " },
    { "one alone", "", false, "\r", "", "cr-lf " },
    { "one inside stays", "", false, "write(1, \"\r\", 1) = 1", "write(1, \"\r\", 1) = 1", "" },
    { "byte order mark", "", false,
      "\xef\xbb\xbf"
      "close(3) = 0",
      "close(3) = 0", "byte-order-mark " },
    { "yen sign", "", false, "write(1, \"a" YEN "n" YEN "n\", 3) = 3", "write(1, \"a\\n\\n\", 3) = 3",
      "yen-backslash " },
    { "wide yen sign", "", false, "write(1, \"\xef\xbf\xa5n\", 1) = 1", "write(1, \"\\n\", 1) = 1", "yen-backslash " },
    { "won sign", "", false, "write(1, \"\xe2\x82\xa9n\", 1) = 1", "write(1, \"\\n\", 1) = 1", "yen-backslash " },
    { "wide won sign", "", false, "write(1, \"\xef\xbf\xa6n\", 1) = 1", "write(1, \"\\n\", 1) = 1", "yen-backslash " },
    { "curly quotes", "", false, "open(" LQ "/x" RQ ", O_RDONLY) = 3", "open(\"/x\", O_RDONLY) = 3", "curly-quotes " },
    { "low quotes", "", false, "open(" LOW "/x" LQ ", O_RDONLY) = 3", "open(\"/x\", O_RDONLY) = 3", "curly-quotes " },
    { "dash for a minus", "", false, "close(9) = " DASH "1 EBADF (Bad file descriptor)",
      "close(9) = -1 EBADF (Bad file descriptor)", "curly-quotes " },
    { "blanks that do not break", "", false, "close(3)" NBSP "=" NBSP "0", "close(3) = 0", "no-break-blanks " },
    { "other bytes stay", "", false, "open(\"\xc3\xa9\", 0) = 3", "open(\"\xc3\xa9\", 0) = 3", "" },
    { "quotes in the error text stay", "", false, "open(\"/x\", 0) = -1 ENOENT (" LOW "x" LQ " fehlt)",
      "open(\"/x\", 0) = -1 ENOENT (" LOW "x" LQ " fehlt)", "" },
    { "quotes before the error text do not", "", false, "open(" LQ "/x" RQ ", 0) = -1 ENOENT (" LOW "x" LQ " fehlt)",
      "open(\"/x\", 0) = -1 ENOENT (" LOW "x" LQ " fehlt)", "curly-quotes " },
    { "quotes in the text of a restart stay", "", false, "pause() = ? ERESTARTSYS (" LOW "x" LQ ")",
      "pause() = ? ERESTARTSYS (" LOW "x" LQ ")", "" },

    { "entities", "", true, "read(3, &quot;&lt;a&gt;&amp;&#39;&apos;&quot;, 6)&nbsp;= 6", "read(3, \"<a>&''\", 6) = 6",
      "html-entities " },
    { "entity by number", "", true, "open(&#34;/x&#34;, 0) = 3", "open(\"/x\", 0) = 3", "html-entities " },
    { "an escaped entity", "", true, "write(1, \"&amp;lt;\", 4) = 4", "write(1, \"&lt;\", 4) = 4", "html-entities " },
    { "tags", "", true, "<pre>close(3) = 0<br />", "close(3) = 0", "html-entities " },
    { "more tags", "", true, "<p><code>close(3) = 0</code></p></pre><br><br/>", "close(3) = 0", "html-entities " },
    { "other tags and entities stay", "", true, "write(1, \"<b>&copy;\", 9) = 9", "write(1, \"<b>&copy;\", 9) = 9",
      "" },
    { "entities where no page is", "", false, "write(1, \"&lt;\", 4) = 4", "write(1, \"&lt;\", 4) = 4", "" },

    { "colours", "", false,
      "\033[33mbrk\033[0m(\033[35mNULL\033[0m\033[0m)\033[0m      \033[0m=\033[0m\033[0m "
      "\033[32m0x5571284c3000\033[0m\033[0m",
      "brk(NULL)      = 0x5571284c3000", "" },
    { "colours with several numbers", "", false, "\033[01;31m\033[Kclose\033[m\033[K(3) = 0", "close(3) = 0", "" },
    { "other sequences stay", "", false, "\033]0;title\007\033[2Aclose(3) = 0", "\033]0;title\007\033[2Aclose(3) = 0",
      "" },
    { "a sequence that is cut", "", false, "close(3) = 0\033[3", "close(3) = 0\033[3", "" },

    { "mail quote", "> ", false, "> close(3) = 0", "close(3) = 0", "constant-prefix " },
    { "stamp of docker build", "#9 9.9 ", false, "#5 10.595 close(3) = 0", "close(3) = 0", "constant-prefix " },
    { "without the prefix", "> ", false, "close(3) = 0", "close(3) = 0", "" },
    { "prefix and carriage return", "> ", false, "> close(3) = 0\r", "close(3) = 0", "cr-lf constant-prefix " },
    { "all at once", "> ", true, "> open(&quot;" NBSP "/" YEN "x" RQ ", 0) = 3\r", "open(\" /\\x\", 0) = 3",
      "cr-lf constant-prefix html-entities yen-backslash curly-quotes no-break-blanks " },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void say_repairs(const cg_parse *parse, uint64_t line, char *to, size_t room)
{
    to[0] = 0;
    for (int kind = 0; kind < CG_REPAIR_COUNT; kind++) {
        if (parse->repairs[kind] > 0) {
            size_t len = strlen(to);
            assert_int_equal(parse->repairs[kind], 1);
            assert_int_equal(parse->repair_lines[kind], line);
            snprintf(to + len, room - len, "%s ", cg_repair_name((cg_repair)kind));
        }
    }
}

/* Repairs the line and compares; the padding behind and before the text can be read. */
static void repair(scene *s, const cg_damage *damage, const char *wanted, const char *wanted_repairs)
{
    char repairs[256];
    cg_buf scratch;
    callgauge_str text;
    cg_buf_init(&scratch, 65536);
    assert_true(cg_repair_line(damage, &s->line, &s->parse, &scratch, &text));
    assert_int_equal(text.len, strlen(wanted));
    assert_true(cg_str_is(text, wanted));
    say_repairs(&s->parse, s->line.number, repairs, sizeof repairs);
    assert_string_equal(repairs, wanted_repairs);
    volatile char sum = 0;
    for (ptrdiff_t i = -CG_PAD; i < CG_PAD; i++) {
        sum = (char)(sum ^ (i < 0 ? text.ptr[i] : text.ptr[text.len + (size_t)i]));
    }
    cg_buf_release(&scratch);
}

static void check_row(void **state)
{
    const struct row *row = *state;
    scene s;
    cg_damage damage = { .html = row->html };
    damage.prefix.len = strlen(row->prefix);
    memcpy(damage.prefix.shape, row->prefix, damage.prefix.len);
    scene_begin(&s, &cg_dialect_strace);
    scene_feed(&s, cg_str_z(row->text));
    scene_feed(&s, cg_str_z("\n"));
    assert_true(next_line(&s.lines, &s.line));
    repair(&s, &damage, row->wanted, row->repairs);
    scene_end(&s);
}

/* A line without damage is the line itself. */
static void check_not_copied(void **state)
{
    (void)state;
    scene s;
    cg_damage damage = { .html = false };
    cg_buf scratch;
    callgauge_str text;
    cg_buf_init(&scratch, 65536);
    scene_begin(&s, &cg_dialect_strace);
    scene_feed(&s, cg_str_z("close(3) = 0\n"));
    assert_true(next_line(&s.lines, &s.line));
    assert_true(cg_repair_line(&damage, &s.line, &s.parse, &scratch, &text));
    assert_ptr_equal(text.ptr, s.line.ptr);
    assert_int_equal(scratch.len, 0);
    cg_buf_release(&scratch);
    scene_end(&s);
}

static void check_nul(void **state)
{
    (void)state;
    scene s;
    cg_damage damage = { .html = false };
    scene_begin(&s, &cg_dialect_strace);
    scene_feed(&s, cg_str("\0\0\0close\0(3) = 0\0\n", 18));
    assert_true(next_line(&s.lines, &s.line));
    repair(&s, &damage, "close(3) = 0", "nul-bytes ");
    scene_end(&s);
}

/* A byte order mark is one at the very beginning only. */
static void check_later_mark(void **state)
{
    (void)state;
    scene s;
    cg_damage damage = { .html = false };
    scene_begin(&s, &cg_dialect_strace);
    scene_feed(&s, cg_str_z("\n\xef\xbb\xbfx\n"));
    assert_true(next_line(&s.lines, &s.line));
    assert_true(next_line(&s.lines, &s.line));
    repair(&s, &damage, "\xef\xbb\xbfx", "");
    scene_end(&s);
}

static struct prefix_row {
    const char *name, *of, *shape, *text;
    size_t taken;
} prefix_rows[] = {
    { "prefix: quote", "> ", "> ", "> close(3)", 2 },
    { "prefix: none there", "> ", "> ", "close(3)", 0 },
    { "prefix: digits are of any length", "#5 0.595 ", "#9 9.9 ", "#12 107.1 close(3)", 10 },
    { "prefix: digits must be there", "#5 0.595 ", "#9 9.9 ", "# 107.1 close(3)", 0 },
    { "prefix: stamp", "2026-11-30T10:00:00.1234567Z ", "9-9-9T9:9:9.9Z ", "2027-01-02T3:4:5.6Z close(3)", 20 },
    { "prefix: text too short", "[log] ", "[log] ", "[lo", 0 },
    { "prefix: as long as the text", "# ", "# ", "# ", 2 },
    { "prefix: ends in digits", "12", "9", "345", 3 },
};

enum { PREFIX_ROWS = sizeof prefix_rows / sizeof *prefix_rows };

static void check_prefix(void **state)
{
    const struct prefix_row *row = *state;
    cg_prefix prefix;
    assert_true(cg_prefix_of(cg_str_z(row->of), &prefix));
    assert_true(cg_str_is(cg_str(prefix.shape, prefix.len), row->shape));
    assert_int_equal(cg_prefix_match(&prefix, cg_str_z(row->text)), row->taken);
}

static void check_long_prefix(void **state)
{
    (void)state;
    char text[200];
    cg_prefix prefix;
    memset(text, 'x', sizeof text);
    assert_true(cg_prefix_of(cg_str(text, sizeof prefix.shape), &prefix));
    assert_false(cg_prefix_of(cg_str(text, sizeof prefix.shape + 1), &prefix));
    assert_false(cg_prefix_of(cg_str(text, 0), &prefix));
    memset(text, '1', sizeof text);
    assert_true(cg_prefix_of(cg_str(text, sizeof text), &prefix));
    assert_int_equal(prefix.len, 1);
}

static void check_names(void **state)
{
    (void)state;
    for (int kind = 0; kind < CG_REPAIR_COUNT; kind++) {
        const char *name = cg_repair_name((cg_repair)kind);
        assert_non_null(name);
        for (int other = 0; other < kind; other++) {
            assert_string_not_equal(name, cg_repair_name((cg_repair)other));
        }
    }
}

int main(void)
{
    struct CMUnitTest tests[ROWS + PREFIX_ROWS + 5] = { cmocka_unit_test(check_not_copied), cmocka_unit_test(check_nul),
                                                        cmocka_unit_test(check_later_mark),
                                                        cmocka_unit_test(check_long_prefix),
                                                        cmocka_unit_test(check_names) };
    size_t at = 5;
    for (size_t i = 0; i < ROWS; i++) {
        tests[at++] = row_test(rows[i].name, check_row, &rows[i]);
    }
    for (size_t i = 0; i < PREFIX_ROWS; i++) {
        tests[at++] = row_test(prefix_rows[i].name, check_prefix, &prefix_rows[i]);
    }
    return cmocka_run_group_tests_name("repair", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* input/lines: the same lines, places and marks however the bytes come; lines past the limit, cut ones, members. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "reading.h"

enum { LIMIT = 4096 };

static void feed(cg_lines *lines, const char *data, size_t len)
{
    while (len > 0) {
        size_t room;
        char *to = cg_lines_room(lines, &room);
        assert_non_null(to);
        assert_true(room > 0);
        size_t part = len < room ? len : room;
        memcpy(to, data, part);
        cg_lines_added(lines, part);
        data += part;
        len -= part;
    }
}

/* "2@13 <text> mark 9" */
static void say_line(cg_buf *out, const cg_line *line)
{
    assert_true(cg_buf_printf(out, "%" PRIu64 "@%" PRIu64 " <", line->number, line->offset));
    assert_true(cg_buf_add(out, line->ptr, line->len) && cg_buf_add_char(out, '>'));
    if (line->mark != NULL) {
        assert_true(cg_buf_printf(out, " mark %d", (int)(line->mark - line->ptr)));
    }
    assert_true(!line->many || cg_buf_add_z(out, " many"));
    assert_true(!line->cut || cg_buf_add_z(out, " cut"));
    assert_true(!line->too_long || cg_buf_add_z(out, " long"));
    assert_true(cg_buf_add_char(out, '\n'));
}

static void say_lines(cg_lines *lines, cg_buf *out)
{
    cg_line line;
    while (next_line(lines, &line)) {
        say_line(out, &line);
    }
}

static struct row {
    const char *name, *text, *said;
} rows[] = {
    { "nothing", "", "" },
    { "one line", "close(3) = 0\n", "1@0 <close(3) = 0> mark 9\n" },
    { "two lines", "close(3) = 0\nread(3, \"\", 1)  = 1\n",
      "1@0 <close(3) = 0> mark 9\n2@13 <read(3, \"\", 1)  = 1> mark 16\n" },
    { "empty lines", "\n\n", "1@0 <>\n2@1 <>\n" },
    { "no mark", "a=b and Err 2\n", "1@0 <a=b and Err 2>\n" },
    { "two marks", "open(\" = \") = 3\n", "1@0 <open(\" = \") = 3> many\n" },
    { "mark at the start", "= 5\n\n= 6\n", "1@0 <= 5> mark 0\n2@4 <>\n3@5 <= 6> mark 0\n" },
    { "arrow", "a => b\n", "1@0 <a => b>\n" },
    { "arrow and mark", "f(a => b) = 6\n", "1@0 <f(a => b) = 6> mark 10\n" },
    { "mark behind a tab", "close(3)\t= 0\n", "1@0 <close(3)\t= 0> mark 9\n" },
    { "error of truss", "close(3)  Err#9 EBADF\n", "1@0 <close(3)  Err#9 EBADF> mark 13\n" },
    { "error and result", "close(3)  Err#9 = 0\n", "1@0 <close(3)  Err#9 = 0> many\n" },
    { "carriage return stays", "close(3) = 0\r\n", "1@0 <close(3) = 0\r> mark 9\n" },
    { "no line end", "close(3) = 0\nread(3", "1@0 <close(3) = 0> mark 9\n2@13 <read(3> many cut\n" },
    { "no line end at all", "close(3) = 0", "1@0 <close(3) = 0> many cut\n" },
    { "byte above 0x7f", "close(\"\xc3\xa9\")\n", "1@0 <close(\"\xc3\xa9\")> many\n" },
    { "marks on both sides of a word's end",
      "012345678901234567890123456789012345678901234567890123456789012= 0\n = 1\n",
      "1@0 <012345678901234567890123456789012345678901234567890123456789012= 0> mark 63\n2@67 < = 1> mark 1\n" },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_pieces(const struct row *row, size_t piece)
{
    cg_lines lines;
    cg_buf said;
    size_t len = strlen(row->text);
    cg_buf_init(&said, 1 << 16);
    assert_true(cg_lines_init(&lines, LIMIT));
    for (size_t at = 0; at < len; at += piece) {
        feed(&lines, row->text + at, len - at < piece ? len - at : piece);
        say_lines(&lines, &said);
    }
    cg_lines_finish(&lines);
    say_lines(&lines, &said);
    assert_string_equal(said_text(&said), row->said);
    cg_buf_release(&said);
    cg_lines_release(&lines);
}

static void check_row(void **state)
{
    const struct row *row = *state;
    check_pieces(row, 1);
    check_pieces(row, 7);
    check_pieces(row, LIMIT);
}

/* A NUL is a byte like others, but not for fast paths. */
static void check_nul(void **state)
{
    (void)state;
    cg_lines lines;
    cg_line line;
    assert_true(cg_lines_init(&lines, LIMIT));
    feed(&lines, "clo\0se\n", 7);
    assert_true(next_line(&lines, &line));
    assert_int_equal(line.len, 6);
    assert_memory_equal(line.ptr, "clo\0se", 6);
    assert_true(line.many);
    assert_null(line.mark);
    cg_lines_release(&lines);
}

/* A line of `len` bytes between two others, fed in pieces. */
static struct long_row {
    const char *name;
    size_t len, limit, piece;
    bool too_long, cut; /* cut: nothing behind it, not even its end */
} long_rows[] = {
    { "as long as the limit", LIMIT, LIMIT, SIZE_MAX, false, false },
    { "one more than the limit", LIMIT + 1, LIMIT, SIZE_MAX, true, false },
    { "as long as the limit, in pieces", LIMIT, LIMIT, 7, false, false },
    { "one more than the limit, in pieces", LIMIT + 1, LIMIT, 7, true, false },
    { "a thousand times the limit, in pieces", 1000 * LIMIT, LIMIT, 1000, true, false },
    { "a thousand times the limit, whole", 1000 * LIMIT, LIMIT, SIZE_MAX, true, false },
    { "longer than the buffer at first", 3 << 20, 4 << 20, 65536, false, false },
    { "cut, as long as the limit", LIMIT, LIMIT, 7, false, true },
    { "cut, one more than the limit", LIMIT + 1, LIMIT, 7, true, true },
    { "cut, a hundred times the limit", 100 * LIMIT, LIMIT, 1000, true, true },
};

enum { LONG_ROWS = sizeof long_rows / sizeof *long_rows };

static char *make_long(const struct long_row *row, size_t *size)
{
    char *text = malloc(row->len + 16);
    assert_non_null(text);
    memcpy(text, "a = 1\n", 6);
    memset(text + 6, 'x', row->len);
    memcpy(text + 6 + row->len, "\nb = 2\n", 7);
    *size = row->cut ? 6 + row->len : 6 + row->len + 7;
    return text;
}

static void check_long_line(const struct long_row *row, const cg_line *line, size_t seen)
{
    assert_int_equal(line->number, seen + 1);
    assert_int_equal(line->offset, seen == 0 ? 0 : seen == 1 ? 6 : 6 + row->len + 1);
    if (seen == 1) {
        assert_int_equal(line->too_long, row->too_long);
        assert_int_equal(line->cut, row->cut);
        assert_int_equal(line->len, row->too_long ? CG_LONG_KEPT : row->len);
        assert_true(line->many || !(row->cut || row->too_long));
        assert_int_equal(line->ptr[line->len - 1], 'x');
    } else {
        assert_false(line->too_long);
        assert_int_equal(line->len, 5);
        assert_int_equal(line->mark - line->ptr, 2);
    }
}

static void check_long(void **state)
{
    const struct long_row *row = *state;
    size_t size, seen = 0;
    char *text = make_long(row, &size);
    cg_lines lines;
    cg_line line;
    assert_true(cg_lines_init(&lines, row->limit));
    for (size_t at = 0; at < size;) {
        size_t len = size - at < row->piece ? size - at : row->piece;
        feed(&lines, text + at, len);
        at += len;
        while (next_line(&lines, &line)) {
            check_long_line(row, &line, seen++);
        }
    }
    cg_lines_finish(&lines);
    while (next_line(&lines, &line)) {
        check_long_line(row, &line, seen++);
    }
    assert_int_equal(seen, row->cut ? 2 : 3);
    cg_lines_release(&lines);
    free(text);
}

/* Long lines one after the other, fed a byte at a time: memory does not grow with them. */
static void check_bounded(void **state)
{
    (void)state;
    cg_lines lines;
    cg_line line;
    uint64_t seen = 0;
    assert_true(cg_lines_init(&lines, LIMIT));
    size_t cap = lines.cap;
    for (size_t i = 0; i < 5; i++) {
        for (size_t part = 0; part < 400; part++) {
            char piece[1000];
            memset(piece, 'y', sizeof piece);
            feed(&lines, piece, sizeof piece);
            assert_false(next_line(&lines, &line));
        }
        feed(&lines, "\n", 1);
        assert_true(next_line(&lines, &line));
        assert_true(line.too_long);
        assert_int_equal(line.number, ++seen);
        assert_int_equal(line.offset, i * 400001);
        assert_false(next_line(&lines, &line));
    }
    assert_int_equal(lines.cap, cap);
    cg_lines_release(&lines);
}

/* Many blocks of lines: each has its number, its offset and its mark. */
static void check_many(void **state)
{
    (void)state;
    enum { LINES = 50000 };
    cg_lines lines;
    cg_line line;
    uint64_t number = 0, offset = 0;
    assert_true(cg_lines_init(&lines, LIMIT));
    for (unsigned i = 0; i < LINES; i++) {
        char text[64];
        int len = snprintf(text, sizeof text, "%*s= %u\n", (int)(1 + i % 40), "", i);
        feed(&lines, text, (size_t)len);
        if (i % 777 != 0 && i + 1 != LINES) {
            continue;
        }
        while (next_line(&lines, &line)) {
            assert_int_equal(line.offset, offset);
            assert_int_equal(line.mark - line.ptr, 1 + number % 40);
            offset += line.len + 1;
            assert_int_equal(line.number, ++number);
        }
        assert_int_equal(cg_lines_offset(&lines), offset);
    }
    assert_int_equal(number, LINES);
    cg_lines_release(&lines);
}

/* The bytes that wait are seen without being taken. */
static void check_peek(void **state)
{
    (void)state;
    cg_lines lines;
    cg_line line;
    assert_true(cg_lines_init(&lines, LIMIT));
    feed(&lines, "a = 1\nb = 2\nc", 13);
    assert_true(cg_str_is(cg_lines_peek(&lines), "a = 1\nb = 2\nc"));
    assert_true(next_line(&lines, &line));
    assert_true(cg_str_is(cg_lines_peek(&lines), "b = 2\nc"));
    assert_int_equal(cg_lines_offset(&lines), 6);
    assert_true(next_line(&lines, &line));
    assert_false(next_line(&lines, &line));
    assert_true(cg_str_is(cg_lines_peek(&lines), "c"));
    cg_lines_release(&lines);
}

/* Members of a source: a last line without its end does not run into the next member's first. */
static void check_members(void **state)
{
    (void)state;
    cg_lines lines;
    cg_buf said;
    cg_buf_init(&said, 4096);
    assert_true(cg_lines_init(&lines, LIMIT));
    feed(&lines, "a = 1\nb", 7);
    cg_lines_finish(&lines);
    say_lines(&lines, &said);
    cg_lines_restart(&lines);
    feed(&lines, "c = 3\n", 6);
    say_lines(&lines, &said);
    cg_lines_finish(&lines);
    say_lines(&lines, &said);
    assert_string_equal(said_text(&said), "1@0 <a = 1> mark 2\n2@6 <b> many cut\n3@7 <c = 3> mark 2\n");
    cg_buf_release(&said);
    cg_lines_release(&lines);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + LONG_ROWS + 5] = { cmocka_unit_test(check_nul), cmocka_unit_test(check_bounded),
                                                      cmocka_unit_test(check_many), cmocka_unit_test(check_peek),
                                                      cmocka_unit_test(check_members) };
    size_t at = 5;
    for (size_t i = 0; i < ROWS; i++) {
        tests[at++] = row_test(rows[i].name, check_row, &rows[i]);
    }
    for (size_t i = 0; i < LONG_ROWS; i++) {
        tests[at++] = row_test(long_rows[i].name, check_long, &long_rows[i]);
    }
    return cmocka_run_group_tests_name("lines", tests, NULL, NULL);
}

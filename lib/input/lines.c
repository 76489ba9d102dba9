/* SPDX-License-Identifier: Apache-2.0 */
/* From bytes to lines: see lines.h for the invariants. Words of the bitmaps are counted from buf[0]. */
#include "input/lines.h"

#include <string.h>

#include "base/mem.h"
#include "input/scan.h"

enum {
    FIRST_CAP = 256 * 1024,
    LEAST_ROOM = 4096,   /* offer no less to read() */
    KEPT_OF_LONG = 256   /* bytes kept of a line past the limit */
};

/* The buffer, its two bitmaps and the flags are one allocation of this size. */
static size_t memory_of(size_t cap)
{
    return CG_PAD + cap + CG_PAD + cap / 64 * (2 * sizeof(uint64_t) + 1);
}

static bool set_cap(cg_lines *lines, size_t cap)
{
    char *memory = cg_mem_alloc(memory_of(cap));
    if (memory == NULL) {
        return false;
    }
    char *buf = memory + CG_PAD;
    memset(memory, 0, CG_PAD);
    memset(buf + cap, 0, CG_PAD);
    if (lines->end > 0) {
        memcpy(buf, lines->buf, lines->end);
    }
    cg_mem_free(lines->memory);
    lines->memory = memory;
    lines->buf = buf;
    lines->cap = cap;
    lines->nl = (uint64_t *)(void *)(buf + cap + CG_PAD);
    lines->marks = lines->nl + cap / 64;
    lines->odd = (uint8_t *)(lines->marks + cap / 64);
    lines->scanned = 0;
    return true;
}

bool cg_lines_init(cg_lines *lines, size_t line_bytes)
{
    *lines = (cg_lines){ .line_bytes = line_bytes, .number = 1 };
    return set_cap(lines, FIRST_CAP);
}

void cg_lines_release(cg_lines *lines)
{
    cg_mem_free(lines->memory);
    *lines = (cg_lines){ 0 };
}

/* Puts the bytes that wait at the front of the buffer. */
static void move_to_front(cg_lines *lines)
{
    if (lines->start == 0) {
        return;
    }
    memmove(lines->buf, lines->buf + lines->start, lines->end - lines->start);
    lines->end -= lines->start;
    lines->limit = lines->limit > lines->start ? lines->limit - lines->start : 0;
    lines->start = lines->scanned = lines->word = 0;
    lines->nl_left = lines->mark_left = 0;
}

/* Keeps only the first bytes of a line that has passed the limit, in [start, end). */
static void drop_long_tail(cg_lines *lines)
{
    if (lines->kept == 0) {
        lines->kept = KEPT_OF_LONG;
    }
    lines->dropped += lines->end - lines->start - lines->kept;
    lines->end = lines->start + lines->kept;
    lines->scanned = lines->end / 64 * 64;
}

static bool is_unended_and_long(const cg_lines *lines)
{
    return lines->limit <= lines->start && lines->end - lines->start > lines->line_bytes;
}

char *cg_lines_room(cg_lines *lines, size_t *room)
{
    if (is_unended_and_long(lines)) {
        drop_long_tail(lines);
    }
    if (lines->start == lines->end) {
        move_to_front(lines);
    }
    if (lines->cap - lines->end < LEAST_ROOM) {
        move_to_front(lines);
        if (lines->cap - lines->end < lines->cap / 2 && !set_cap(lines, lines->cap * 2)) {
            return NULL;
        }
    }
    *room = lines->cap - lines->end;
    return lines->buf + lines->end;
}

/* Makes the bitmaps right up to `end`, then clears what lies outside [.., limit). */
static void scan_new(cg_lines *lines)
{
    size_t first = lines->scanned / 64;
    size_t count = (lines->end + 63) / 64 - first;
    memset(lines->buf + lines->end, 0, (64 - lines->end % 64) % 64);
    cg_scan(lines->buf + first * 64, count, lines->nl + first, lines->marks + first, lines->odd + first);
    lines->scanned = lines->end;
}

/* Goes to the word of `start`, with the bits before it cleared. */
static void seek_start(cg_lines *lines)
{
    lines->word = lines->start / 64;
    uint64_t from = ~(uint64_t)0 << (lines->start % 64);
    lines->nl_left = lines->nl[lines->word] & from;
    lines->mark_left = lines->marks[lines->word] & from;
}

static size_t last_newline(const cg_lines *lines, size_t from)
{
    for (size_t i = lines->end; i > from; i--) {
        if (lines->buf[i - 1] == '\n') {
            return i;
        }
    }
    return 0;
}

void cg_lines_added(cg_lines *lines, size_t len)
{
    size_t from = lines->end;
    lines->end += len;
    size_t limit = last_newline(lines, from);
    if (limit != 0) {
        lines->limit = limit;
    }
    if (lines->limit <= lines->start || lines->scanned >= lines->limit) {
        return; /* nothing new can be given: scan when a newline has come */
    }
    scan_new(lines);
    seek_start(lines);
}

void cg_lines_finish(cg_lines *lines)
{
    lines->finished = true;
}

void cg_lines_restart(cg_lines *lines)
{
    lines->finished = false;
}

/* A line of which only the first bytes are here. */
static void cut_long(cg_lines *lines, cg_line *line)
{
    if (line->len + lines->dropped > lines->line_bytes) {
        line->too_long = true;
        line->len = line->len < KEPT_OF_LONG ? line->len : KEPT_OF_LONG;
    }
    lines->kept = 0;
    lines->offset += lines->dropped;
    lines->dropped = 0;
}

/* The bytes behind the last newline, when no more come. */
static bool last_line(cg_lines *lines, cg_line *line)
{
    if (!lines->finished || lines->start == lines->end) {
        return false;
    }
    *line = (cg_line){ .ptr = lines->buf + lines->start, .len = lines->end - lines->start, .odd = true, .cut = true,
                       .number = lines->number++, .offset = lines->offset };
    lines->offset += line->len;
    lines->start = lines->limit = lines->end;
    cut_long(lines, line);
    cg_line_find_marks(line);
    return true;
}

bool cg_lines_next(cg_lines *lines, cg_line *line)
{
    if (lines->start >= lines->limit) {
        return last_line(lines, line);
    }
    const char *mark = NULL;
    bool many = false, odd = false;
    uint64_t newlines = lines->nl_left, marks = lines->mark_left;
    size_t word = lines->word;
    while (newlines == 0) {
        if (marks != 0) {
            many |= mark != NULL || (marks & (marks - 1)) != 0;
            mark = lines->buf + word * 64 + (63 - __builtin_clzll(marks));
        }
        odd |= lines->odd[word] != 0;
        word++;
        newlines = lines->nl[word];
        marks = lines->marks[word];
    }
    uint64_t bit = newlines & (0 - newlines);
    uint64_t mine = marks & (bit - 1);
    if (mine != 0) {
        many |= mark != NULL || (mine & (mine - 1)) != 0;
        mark = lines->buf + word * 64 + (63 - __builtin_clzll(mine));
    }
    odd |= lines->odd[word] != 0;
    size_t end = word * 64 + (size_t)__builtin_ctzll(bit);
    line->ptr = lines->buf + lines->start;
    line->len = end - lines->start;
    line->mark = mark;
    line->many = many;
    line->odd = odd;
    line->cut = line->too_long = false;
    line->number = lines->number++;
    line->offset = lines->offset;
    lines->offset += line->len + 1;
    lines->start = end + 1;
    lines->word = word;
    lines->nl_left = newlines & (newlines - 1);
    lines->mark_left = marks & ~(bit - 1);
    if (line->len > lines->line_bytes || lines->dropped != 0) {
        cut_long(lines, line);
    }
    return true;
}

callgauge_str cg_lines_peek(const cg_lines *lines)
{
    return (callgauge_str){ lines->buf + lines->start, lines->end - lines->start };
}

void cg_line_find_marks(cg_line *line)
{
    line->mark = NULL;
    line->many = false;
    for (size_t i = 1; i < line->len; i++) {
        char here = line->ptr[i];
        signed char before = (signed char)line->ptr[i - 1];
        if ((here == '=' && before < 0x21) || (here == '#' && before == 'r')) {
            line->many = line->mark != NULL;
            line->mark = line->ptr + i;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* From bytes to lines: see lines.h for the invariants. */
#include "input/lines.h"

#include <string.h>

#include "base/mem.h"
#include "input/scan.h"

enum {
    FIRST_CAP = 256 * 1024,
    LEAST_ROOM = 4096, /* offer no less to read() */
    BLOCK_WORDS = 64,  /* of 64 bytes each: indexed at one time */
    INDEX_ROOM = BLOCK_WORDS * 64
};

static bool set_cap(cg_lines *lines, size_t cap)
{
    char *memory = cap > UINT32_MAX / 2 ? NULL : cg_mem_alloc(CG_PAD + cap + CG_PAD);
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
    return true;
}

bool cg_lines_init(cg_lines *lines, size_t line_bytes)
{
    *lines = (cg_lines){ .line_bytes = line_bytes, .number = 1, .errors = true };
    lines->index = cg_mem_alloc(INDEX_ROOM * sizeof *lines->index);
    return lines->index != NULL && set_cap(lines, FIRST_CAP);
}

void cg_lines_release(cg_lines *lines)
{
    cg_mem_free(lines->memory);
    cg_mem_free(lines->index);
    *lines = (cg_lines){ 0 };
}

/* Forgets what is left in the index. */
static void clear_index(cg_lines *lines)
{
    lines->number += lines->at;
    lines->at = lines->count = 0;
}

/* Puts the bytes that wait at the front of the buffer. */
static void move_to_front(cg_lines *lines)
{
    if (lines->start == 0) {
        return;
    }
    memmove(lines->buf, lines->buf + lines->start, lines->end - lines->start);
    lines->base += lines->start;
    lines->end -= lines->start;
    lines->limit = lines->limit > lines->start ? lines->limit - lines->start : 0;
    lines->start = lines->indexed = 0;
    clear_index(lines);
}

/* Keeps only the first bytes of a line that has passed the limit, in [start, end). */
static void drop_long_tail(cg_lines *lines)
{
    if (lines->kept == 0) {
        lines->kept = CG_LONG_KEPT;
    }
    lines->dropped += lines->end - lines->start - lines->kept;
    lines->end = lines->start + lines->kept;
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
        memset(lines->buf + lines->end, ' ', 64); /* so that no word is of chance */
    }
}

void cg_lines_finish(cg_lines *lines)
{
    lines->finished = true;
}

void cg_lines_restart(cg_lines *lines)
{
    lines->finished = false;
}

void cg_lines_place(const cg_lines *lines, cg_line *line)
{
    line->number = cg_lines_number(lines) - 1;
    line->offset = lines->base + (uint64_t)(line->ptr - lines->buf);
    line->cut = lines->last_is_cut;
    line->too_long = line->len + lines->dropped > lines->line_bytes;
    if (line->too_long && line->len > CG_LONG_KEPT) {
        line->len = CG_LONG_KEPT;
    }
}

/* The line of which bytes were thrown away has been given: offsets go on behind those. */
static void end_long_line(cg_lines *lines)
{
    lines->base += lines->dropped;
    lines->dropped = lines->kept = 0;
    lines->long_given = false;
}

/* The bytes behind the last newline, when no more come. */
static bool last_line(cg_lines *lines, cg_line *line)
{
    if (!lines->finished || lines->start == lines->end) {
        return false;
    }
    *line = (cg_line){ .ptr = lines->buf + lines->start, .len = lines->end - lines->start, .many = true };
    clear_index(lines);
    lines->number++;
    lines->last_is_cut = true;
    lines->long_given = lines->dropped != 0;
    lines->start = lines->limit = lines->indexed = lines->end;
    return true;
}

/* The bits of the word at `base` that are in [from, to). */
static uint64_t bits_within(size_t base, size_t from, size_t to)
{
    uint64_t keep = ~(uint64_t)0;
    if (base < from) {
        keep <<= from - base;
    }
    if (base + 64 > to) {
        keep &= ~(uint64_t)0 >> (base + 64 - to);
    }
    return keep;
}

/* Puts the lines that end in the words from `base` on behind `next`, and gives the place behind them; *mark is that of
 * the line the first word begins in, and then of the one the last word ends in. */
static cg_line_index *index_words(uint32_t base, const uint64_t *nl, const uint64_t *marks, size_t words,
                                  uint32_t *mark, cg_line_index *next)
{
    uint32_t found = *mark;
    for (size_t w = 0; w < words; w++, base += 64) {
        uint64_t newlines = nl[w], left = marks[w];
        while (newlines != 0) {
            uint64_t mine = left & (newlines ^ (newlines - 1));
            if (mine != 0) {
                found = found != CG_NO_MARK || (mine & (mine - 1)) != 0 ? CG_MANY_MARKS
                                                                        : base + (uint32_t)__builtin_ctzll(mine);
                left ^= mine;
            }
            next->end = base + (uint32_t)__builtin_ctzll(newlines);
            next->mark = found;
            next++;
            found = CG_NO_MARK;
            newlines &= newlines - 1;
        }
        if (left != 0) {
            found = found != CG_NO_MARK || (left & (left - 1)) != 0 ? CG_MANY_MARKS
                                                                    : base + (uint32_t)__builtin_ctzll(left);
        }
    }
    *mark = found;
    return next;
}

/* Indexes further lines, those of a block or one longer than that. False: all are given. */
static bool index_block(cg_lines *lines)
{
    uint64_t nl[BLOCK_WORDS], marks[BLOCK_WORDS];
    uint32_t mark = CG_NO_MARK;
    size_t from = lines->indexed, base = from / 64 * 64;
    clear_index(lines);
    while (base < lines->limit && lines->count == 0) {
        size_t words = (lines->limit - base + 63) / 64;
        words = words < BLOCK_WORDS ? words : BLOCK_WORDS;
        cg_scan(lines->buf + base, words, lines->errors, nl, marks);
        nl[0] &= bits_within(base, from, lines->limit);
        marks[0] &= bits_within(base, from, lines->limit);
        nl[words - 1] &= bits_within(base + 64 * (words - 1), from, lines->limit);
        cg_line_index *behind = index_words((uint32_t)base, nl, marks, words, &mark, lines->index);
        lines->count = (size_t)(behind - lines->index);
        base += 64 * words;
    }
    if (lines->count == 0) {
        return false;
    }
    if (lines->dropped != 0) {
        lines->count = 1; /* its place and those of later lines are counted differently */
        lines->long_given = true;
    }
    if (lines->dropped != 0 || lines->index[0].end - from > lines->line_bytes) {
        lines->index[0].mark = CG_MANY_MARKS; /* only the first one can be longer than a block */
    }
    lines->indexed = (size_t)lines->index[lines->count - 1].end + 1;
    return true;
}

bool cg_lines_next_rare(cg_lines *lines, cg_line *line)
{
    if (lines->long_given) {
        end_long_line(lines);
    }
    lines->last_is_cut = false;
    if (lines->start >= lines->limit || !index_block(lines)) {
        return last_line(lines, line);
    }
    return cg_lines_next(lines, line);
}

callgauge_str cg_lines_peek(const cg_lines *lines)
{
    return (callgauge_str){ lines->buf + lines->start, lines->end - lines->start };
}

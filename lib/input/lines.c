/* SPDX-License-Identifier: Apache-2.0 */
/* From bytes to lines: see lines.h for the invariants. */
#include "input/lines.h"

#include <string.h>

#include "base/mem.h"
#include "input/scan.h"

enum {
    FIRST_CAP = 256 * 1024,
    LEAST_ROOM = 4096, /* offer no less to read() */
    BLOCK_WORDS = 128, /* of 64 bytes each: indexed at one time */
    FRONT = 1,         /* a free entry before all others */
    MANY = 2,          /* marks kept of a line longer than a block: that it has more than one */
    PLACES = FRONT + MANY + BLOCK_WORDS * 64 + CG_SCAN_SPARE
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
    lines->places = cg_mem_alloc(PLACES * sizeof *lines->places);
    return lines->places != NULL && set_cap(lines, FIRST_CAP);
}

void cg_lines_release(cg_lines *lines)
{
    cg_mem_free(lines->memory);
    cg_mem_free(lines->places);
    *lines = (cg_lines){ 0 };
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
    lines->at = lines->count = 0;
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
    lines->number++;
    lines->last_is_cut = true;
    lines->long_given = lines->dropped != 0;
    lines->start = lines->limit = lines->indexed = lines->end;
    return true;
}

/* How many of the places [first, count) are left when those behind the last whole line are dropped. */
static size_t whole_lines(const cg_lines *lines, size_t first, size_t count)
{
    while (count > first &&
           (lines->places[count - 1] >= lines->limit || lines->buf[lines->places[count - 1]] != '\n')) {
        count--;
    }
    return count - first;
}

/* Puts no more than MANY of the places [first, count) in front, and gives how far they reach. */
static size_t keep_in_front(cg_lines *lines, size_t first, size_t count)
{
    size_t kept = count - first < MANY ? count - first : MANY;
    memmove(lines->places + FRONT, lines->places + first, kept * sizeof *lines->places);
    return FRONT + kept;
}

/* Lists the places of further lines, those of a block or one longer than that. False: all are given. */
static bool list_block(cg_lines *lines)
{
    size_t from = lines->indexed, base = from / 64 * 64, first = FRONT, count = FRONT, whole = 0;
    size_t block = lines->line_bytes / 64 < BLOCK_WORDS ? lines->line_bytes / 64 : BLOCK_WORDS;
    while (base < lines->limit && whole == 0) {
        size_t words = (lines->limit - base + 63) / 64;
        words = words < block ? words : block;
        count = keep_in_front(lines, first, count);
        count += cg_scan(lines->buf + base, words, lines->errors, (uint32_t)base, lines->places + count);
        for (first = FRONT; first < count && lines->places[first] < from;) {
            first++;
        }
        whole = whole_lines(lines, first, count);
        base += 64 * words;
    }
    lines->at = first;
    lines->count = first + whole;
    return whole > 0;
}

/* Where the end of the next line is listed. */
static size_t next_end(const cg_lines *lines)
{
    size_t at = lines->at;
    while (lines->buf[lines->places[at]] != '\n') {
        at++;
    }
    return at;
}

/* The first line of a block, which alone can be too long for fast paths, gets one more mark then. */
static void spoil_long_line(cg_lines *lines, size_t from)
{
    size_t end = next_end(lines);
    if (lines->dropped != 0) {
        lines->count = end + 1; /* its place and those of later lines are counted differently */
        lines->long_given = true;
    }
    if (lines->dropped != 0 || lines->places[end] - from > lines->line_bytes) {
        lines->places[--lines->at] = (uint32_t)from;
    }
}

bool cg_lines_list(cg_lines *lines)
{
    if (lines->long_given) {
        end_long_line(lines);
    }
    lines->last_is_cut = false;
    size_t from = lines->start;
    if (from >= lines->limit || !list_block(lines)) {
        return false;
    }
    spoil_long_line(lines, from);
    lines->indexed = (size_t)lines->places[lines->count - 1] + 1;
    return true;
}

bool cg_lines_next(cg_lines *lines, cg_line *line)
{
    if (lines->at == lines->count && !cg_lines_list(lines)) {
        return last_line(lines, line);
    }
    size_t end = next_end(lines), marks = end - lines->at, len = lines->places[end] - lines->start;
    const char *mark = lines->buf + lines->places[lines->at];
    bool one = marks == 1 && (*mark == '=' || *mark == '#') && len + lines->dropped <= lines->line_bytes;
    *line =
        (cg_line){ .ptr = lines->buf + lines->start, .len = len, .mark = one ? mark : NULL, .many = marks > 0 && !one };
    lines->at = end + 1;
    lines->start += len + 1;
    lines->number++;
    return true;
}

callgauge_str cg_lines_peek(const cg_lines *lines)
{
    return (callgauge_str){ lines->buf + lines->start, lines->end - lines->start };
}

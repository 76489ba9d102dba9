/* SPDX-License-Identifier: Apache-2.0 */
/* From bytes to lines. A buffer with readable padding on both sides, in which is found where lines
 * end, and where a result may start (a "mark"). A line that has exactly one mark needs no search
 * for its result, and no other place in it can be one: that is what makes the fast paths both quick
 * and safe.
 *
 * A mark is a '=' behind a blank; where errors are asked for (truss's `Err#2`), also one behind a tab, and a
 * '#' behind an 'r'. Where a NUL or a byte above 0x7f is near, all bytes are marks: such lines are not for fast paths.
 * Lines are found a block of 4 KiB ahead, into an index of their ends and marks.
 * Invariants: limit is one past the last '\n' of [start, end), index entries [at, count) are of the
 * lines from `start` on, below `indexed`; CG_PAD bytes before and behind the buffer may be read. */
#ifndef CG_INPUT_LINES_H
#define CG_INPUT_LINES_H

#include <callgauge/types.h>

#include "base/intern.h"

/* Bytes kept of a line past the limit. */
enum { CG_LONG_KEPT = 256 };

/* One physical line. */
typedef struct cg_line {
    const char *ptr;  /* CG_PAD bytes before and behind the text may be read */
    size_t len;       /* without '\n' */
    const char *mark; /* its only mark; NULL: none, or more than one */
    bool many;        /* it has more than one mark, or is cut or too_long: not for fast paths */
    /* The rest is filled in by cg_lines_place(). */
    bool cut;        /* the capture ends in it, without '\n' */
    bool too_long;   /* longer than the limit: only the first bytes are here */
    uint64_t number; /* from 1 */
    uint64_t offset; /* of its first byte */
} cg_line;

/* Where a line ends and where its mark is, in bytes from buf[0]. */
typedef struct cg_line_index {
    uint32_t end;
    uint32_t mark; /* CG_NO_MARK, CG_MANY_MARKS */
} cg_line_index;

#define CG_NO_MARK UINT32_MAX
#define CG_MANY_MARKS (UINT32_MAX - 1)

typedef struct cg_lines {
    char *memory, *buf; /* buf = memory + CG_PAD */
    size_t cap;
    size_t start, end;    /* bytes not given out yet */
    size_t limit;         /* one past the last newline in [start, end) */
    cg_line_index *index; /* of lines found and not given out: [at, count) */
    size_t at, count;
    size_t indexed;    /* lines that end below are in the index, or given out */
    bool errors;       /* the '#' of `Err#` is a mark too */
    bool finished;     /* no more bytes come */
    uint64_t number;   /* of the line index[0], or of the next one when the index is empty */
    uint64_t base;     /* the offset of buf[0] */
    bool last_is_cut;  /* the line given last has no newline */
    size_t line_bytes; /* the limit of callgauge_limits */
    size_t kept;       /* of a line past the limit; 0: not in one */
    uint64_t dropped;  /* bytes of it thrown away */
    bool long_given;   /* it has been given: what follows is another line */
} cg_lines;

bool cg_lines_init(cg_lines *lines, size_t line_bytes); /* false: no memory */
void cg_lines_release(cg_lines *lines);

/* Where up to *room further bytes may be put; NULL: no memory. */
char *cg_lines_room(cg_lines *lines, size_t *room);
/* `len` bytes have been put there. */
void cg_lines_added(cg_lines *lines, size_t len);
/* No more bytes come (of this member of a source). */
void cg_lines_finish(cg_lines *lines);
/* Another member begins: line numbers go on. */
void cg_lines_restart(cg_lines *lines);

/* As cg_lines_next() when the index is empty. */
bool cg_lines_next_rare(cg_lines *lines, cg_line *line);

/* Gives the next line, all but its place; false: more bytes are needed, or, when finished, all are given. The line
 * lives until bytes are added. */
static inline bool cg_lines_next(cg_lines *lines, cg_line *line)
{
    if (lines->at == lines->count) {
        return cg_lines_next_rare(lines, line);
    }
    cg_line_index found = lines->index[lines->at++];
    line->ptr = lines->buf + lines->start;
    line->len = found.end - lines->start;
    line->mark = found.mark < CG_MANY_MARKS ? lines->buf + found.mark : NULL;
    line->many = found.mark == CG_MANY_MARKS;
    lines->start = (size_t)found.end + 1;
    return true;
}

/* Fills in where the line given last is, and what is wrong with it. */
void cg_lines_place(const cg_lines *lines, cg_line *line);

/* The number of the next line. */
static inline uint64_t cg_lines_number(const cg_lines *lines)
{
    return lines->number + lines->at;
}

/* The offset of the next line. */
static inline uint64_t cg_lines_offset(const cg_lines *lines)
{
    return lines->base + lines->start;
}

/* The bytes that wait, not consumed: what a bid looks at. */
callgauge_str cg_lines_peek(const cg_lines *lines);

#endif

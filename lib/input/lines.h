/* SPDX-License-Identifier: Apache-2.0 */
/* From bytes to lines. A buffer with readable padding on both sides, in which is found where lines
 * end, and where a result may start (a "mark"). A line that has exactly one mark needs no search
 * for its result, and no other place in it can be one: that is what makes the fast paths both quick
 * and safe.
 *
 * A mark is a '=' with a blank behind it; where errors are asked for (truss's `Err#2`), also one with a TAB
 * or a byte that is odd behind it, and a '#'. Bytes that are not for fast paths (NUL, above 0x7f) are listed as marks
 * are; a line with one has "many". Line ends and marks are found a block ahead, in one list of places.
 * Invariants: limit is one past the last '\n' of [start, end), places [at, count) are of the whole
 * lines from `start` on, below `indexed`, and end with a line's end; CG_PAD bytes before and behind the
 * buffer may be read. */
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

typedef struct cg_lines {
    char *memory, *buf; /* buf = memory + CG_PAD */
    size_t cap;
    size_t start, end; /* bytes not given out yet */
    size_t limit;      /* one past the last newline in [start, end) */
    uint32_t *places;  /* of marks and line ends not given out, from buf[0]: [at, count) */
    size_t at, count;
    size_t indexed;    /* lines that end below are in the list, or given out */
    bool errors;       /* the '#' of `Err#` is a mark too */
    bool finished;     /* no more bytes come */
    uint64_t number;   /* of the next line */
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

/* Gives the next line, all but its place; false: more bytes are needed, or, when finished, all are given. The line
 * lives until bytes are added. */
bool cg_lines_next(cg_lines *lines, cg_line *line);

/* Sees to it that places are listed. False: no whole line is here that has not been given. */
bool cg_lines_list(cg_lines *lines);

/* Whole lines one after the other, for who reads them at a glance: [at, end) may be a line whose only mark is
 * `mark`, or one without any whose end is `mark`. */
typedef struct cg_lines_walk {
    const char *buf, *at;
    const uint32_t *next, *last; /* in the list of places */
    uint64_t given;
} cg_lines_walk;

/* Begins at the next line, or goes on when the list is used up. False: no whole line is here. */
static inline bool cg_walk_begin(cg_lines_walk *walk, cg_lines *lines)
{
    if (lines->at == lines->count && !cg_lines_list(lines)) {
        return false;
    }
    *walk = (cg_lines_walk){ lines->buf, lines->buf + lines->start, lines->places + lines->at,
                             lines->places + lines->count, 0 };
    return true;
}

/* Goes over a line that ends at `end` and has `places` places in the list. */
static inline void cg_walk_over(cg_lines_walk *walk, const char *end, size_t places)
{
    walk->at = end + 1;
    walk->next += places;
    walk->given++;
}

/* The lines walked over have been given. */
static inline void cg_walk_end(const cg_lines_walk *walk, cg_lines *lines)
{
    lines->at = (size_t)(walk->next - lines->places);
    lines->start = (size_t)(walk->at - walk->buf);
    lines->number += walk->given;
}

/* Fills in where the line given last is, and what is wrong with it. */
void cg_lines_place(const cg_lines *lines, cg_line *line);

/* The number of the next line. */
static inline uint64_t cg_lines_number(const cg_lines *lines)
{
    return lines->number;
}

/* The offset of the next line. */
static inline uint64_t cg_lines_offset(const cg_lines *lines)
{
    return lines->base + lines->start;
}

/* The bytes that wait, not consumed: what a bid looks at. */
callgauge_str cg_lines_peek(const cg_lines *lines);

#endif

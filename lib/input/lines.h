/* SPDX-License-Identifier: Apache-2.0 */
/* From bytes to lines. A buffer with readable padding on both sides, and two bitmaps over it: where
 * lines end, and where a result may start (a "mark"). A line that has exactly one mark needs no search
 * for its result, and no other place in it can be one: that is what makes the fast paths both quick
 * and safe.
 *
 * A mark is a '=' behind a byte <= 0x20, or (so that truss's `Err#2` has one) a '#' behind an 'r'.
 * Invariants: bits are set for bytes in [start, limit) only, limit is one past the last '\n';
 * CG_PAD bytes before and behind the buffer may be read. */
#ifndef CG_INPUT_LINES_H
#define CG_INPUT_LINES_H

#include <callgauge/types.h>

#include "base/intern.h"

/* One physical line. */
typedef struct cg_line {
    const char *ptr; /* CG_PAD bytes before and behind the text may be read */
    size_t len;      /* without '\n' */
    const char *mark; /* its last mark; NULL: none */
    bool many;       /* it has more than one mark */
    bool odd;        /* a NUL or a byte above 0x7f may be in it */
    bool cut;        /* the capture ends in it, without '\n' */
    bool too_long;   /* longer than the limit: only the first bytes are here */
    uint64_t number; /* from 1 */
    uint64_t offset; /* of its first byte */
} cg_line;

typedef struct cg_lines {
    char *memory, *buf; /* buf = memory + CG_PAD */
    size_t cap;
    size_t start, end;  /* bytes not given out yet */
    size_t limit;       /* one past the last newline in [start, end) */
    size_t scanned;     /* bitmaps are right below */
    size_t word;        /* of the bitmaps, being looked at */
    uint64_t nl_left, mark_left; /* what is left of that word */
    uint64_t *nl, *marks;
    uint8_t *odd;       /* per word: a NUL or a byte above 0x7f */
    uint64_t number, offset; /* of buf[start] */
    size_t line_bytes;  /* the limit of callgauge_limits */
    size_t kept;        /* of a line past the limit; 0: not in one */
    uint64_t dropped;   /* bytes of it thrown away */
    bool finished;      /* no more bytes come */
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

/* Gives the next line; false: more bytes are needed, or, when finished, all are given. The line
 * lives until bytes are added. */
bool cg_lines_next(cg_lines *lines, cg_line *line);

/* The bytes that wait, not consumed: what a bid looks at. */
callgauge_str cg_lines_peek(const cg_lines *lines);

/* Fills in mark and many for text that is not in the buffer (repaired lines). */
void cg_line_find_marks(cg_line *line);

#endif

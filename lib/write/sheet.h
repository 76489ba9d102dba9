/* SPDX-License-Identifier: Apache-2.0 */
/* From the lines of a table to the cells of a table for people: which columns there are, what each cell
 * says. Text and Markdown print the same cells.
 * Invariant: a column that no line knows anything for is not there. */
#ifndef CG_WRITE_SHEET_H
#define CG_WRITE_SHEET_H

#include "write/lines.h"
#include "base/units.h"

typedef enum cg_cell {
    CG_CELL_COUNT, /* a count */
    CG_CELL_FEW,   /* a count that is empty when 0 */
    CG_CELL_SECONDS,
    CG_CELL_MICROS,
    CG_CELL_MEAN,     /* time a call, in microseconds */
    CG_CELL_SHARE,    /* percent of the total */
    CG_CELL_FAILED,   /* percent of the calls that failed so */
    CG_CELL_PER_UNIT, /* a count by the units of the report */
    CG_CELL_ORDER,    /* a word: sequential, mixed, random */
    CG_CELL_EXIT      /* a code, or the signal that killed */
} cg_cell;

typedef struct cg_sheet_column {
    const char *heading;
    cg_cell cell;
    cg_value value;
    int decimals;
    unsigned spare; /* 0: always shown; else left out the earlier the larger, where room is short */
    size_t width;   /* of the widest cell or the heading */
} cg_sheet_column;

enum { CG_SHEET_COLUMNS = 16 };

typedef struct cg_sheet {
    const cg_rows *lines;
    callgauge_rows rows;
    cg_value time; /* CG_VALUE_WALL or CG_VALUE_CPU: what shares and means are of; CG_VALUE_CALLS: no time known */
    cg_sheet_column columns[CG_SHEET_COLUMNS];
    size_t count;
    const char *text_headings[2]; /* the columns of text that follow; the second may be NULL */
    bool cuts;                    /* texts that are too wide are cut or get a line of their own */
} cg_sheet;

/* `lines` (kept) of the kind `rows`. */
void cg_sheet_make(const cg_rows *lines, callgauge_rows rows, cg_sheet *out);
/* The cell of a line, or of `lines->sum`. Gives the length; `to` has CG_NUMBER_ROOM bytes. */
size_t cg_sheet_cell(const cg_sheet *sheet, const cg_sheet_column *column, const cg_line *line, char *to);
/* The text of text column `index`; it may lie in `room`, of CG_NUMBER_ROOM bytes. */
callgauge_str cg_sheet_text(const cg_sheet *sheet, const cg_line *line, size_t index, char *room);

#endif

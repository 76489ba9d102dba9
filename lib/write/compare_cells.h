/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a comparison that differ as cells for people: which columns there are, what each cell says. Text and
 * Markdown print the same cells.
 * Invariant: a column that no row knows anything for is not there. */
#ifndef CG_WRITE_COMPARE_CELLS_H
#define CG_WRITE_COMPARE_CELLS_H

#include "write/compare_words.h"

typedef enum cg_change_cell {
    CG_CHANGE_BOTH, /* "100 -> 500"; "100" where both are alike */
    CG_CHANGE_PER_UNIT,
    CG_CHANGE_DELTA,  /* "+400" */
    CG_CHANGE_PERCENT /* "+400.0"; "new", "gone" */
} cg_change_cell;

typedef struct cg_change_column {
    const char *heading;
    cg_change_cell cell;
    callgauge_measure measure;
    int decimals;   /* of times */
    unsigned spare; /* 0: always shown; else left out the earlier the larger, where room is short */
    size_t width;   /* of the widest cell or the heading */
} cg_change_column;

enum { CG_CHANGE_COLUMNS = 24, CG_CHANGE_ROOM = 128 };

typedef struct cg_changes {
    const callgauge_comparison *comparison;
    cg_compare_list list;
    const callgauge_compare_row *const *rows; /* kept by the caller */
    const callgauge_compare_row *total;       /* NULL: none */
    size_t shown;
    cg_change_column columns[CG_CHANGE_COLUMNS];
    size_t count;
} cg_changes;

/* Columns for `shown` rows of a list, and for a total (NULL: none). `times_only`: only of times that are not judged. */
void cg_changes_make(const callgauge_comparison *comparison, cg_compare_list list,
                     const callgauge_compare_row *const *rows, size_t shown, bool times_only, cg_changes *out);
/* Takes out the columns that are spared sooner than `most`. */
void cg_changes_spare(cg_changes *changes, unsigned most);
/* A column of both sides of a measure, for one row. */
void cg_change_column_of(const callgauge_compare_row *row, callgauge_measure measure, cg_change_column *out);
/* The cell of a row. Gives the length; `to` has CG_CHANGE_ROOM bytes. */
size_t cg_change_text(const cg_change_column *column, const callgauge_compare_row *row, char *to);
/* What a row is called: its name and, where calls are matched by class, the calls that are in it. */
void cg_change_name(const cg_changes *changes, const callgauge_compare_row *row, void (*write)(cg_out *, callgauge_str),
                    cg_out *out);

#endif

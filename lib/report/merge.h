/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of a merge share. Rows of all reports are put in one order; each run of rows of one thing becomes
 * one row. Every step is a sum, a minimum, a maximum or a union, so that the result depends neither on the order of the
 * reports nor on how they were merged before. */
#ifndef CG_REPORT_MERGE_H
#define CG_REPORT_MERGE_H

#include "report/report.h"

typedef struct cg_merge {
    const callgauge_report *const *in;
    size_t n;
    callgauge_report *out;
    cg_arena scratch; /* for lists of rows that are not joined yet */
    size_t *map;      /* of the captures of all reports, one report after the other: where they stand in `out` */
} cg_merge;

/* How rows of a kind are merged. Those that give a bool: false when there is no memory. */
typedef struct cg_merge_kind {
    size_t size;
    const void *(*list)(const callgauge_report *report, size_t *count);
    int (*cmp)(const void *a, const void *b);
    void (*move)(void *row, const size_t *map, size_t count);   /* its places to other captures; NULL: it has none */
    bool (*add)(const void *from, void *to, cg_arena *scratch); /* another row of the same thing */
    bool (*copy)(void *row, cg_arena *arena);                   /* all that the row points at, into `arena` */
} cg_merge_kind;

/* Merges the rows of a kind into a list of the report that is made. False: no memory. */
bool cg_merge_rows(cg_merge *merge, const cg_merge_kind *kind, void **rows, size_t *count);

/* Each adds its lists to `merge->out`. False: no memory. */
bool cg_merge_files(cg_merge *merge);
bool cg_merge_processes(cg_merge *merge);
bool cg_merge_waiting(cg_merge *merge);
bool cg_merge_unit(cg_merge *merge);
bool cg_merge_findings(cg_merge *merge);
bool cg_merge_judged(cg_merge *merge);
bool cg_merge_recorded(cg_merge *merge);

/* A list of names. */
typedef struct cg_names {
    const callgauge_name_row *rows;
    size_t count;
} cg_names;

/* The sums of two lists, whose text stays where it is. False: no memory. */
bool cg_names_add(cg_names a, cg_names b, cg_arena *arena, cg_names *out);

/* Copies text in its place; empty text becomes none. False: no memory. */
bool cg_merge_keep(cg_arena *arena, callgauge_str *text);

/* Of two texts, of which either may be empty, the one that comes first. */
callgauge_str cg_merge_text(callgauge_str a, callgauge_str b);

#endif

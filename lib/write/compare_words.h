/* SPDX-License-Identifier: Apache-2.0 */
/* What the forms of a comparison say alike: which measures a list has, which rows differ, how numbers of two sides and
 * their difference read. */
#ifndef CG_WRITE_COMPARE_WORDS_H
#define CG_WRITE_COMPARE_WORDS_H

#include <callgauge/compare.h>

#include "write/out.h"

/* The lists of a comparison whose rows are callgauge_compare_row. */
typedef enum cg_compare_list {
    CG_COMPARE_TOTALS, /* one row */
    CG_COMPARE_CALLS,
    CG_COMPARE_CLASSES,
    CG_COMPARE_FILES,
    CG_COMPARE_PROGRAMS,
    CG_COMPARE_LISTS
} cg_compare_list;

/* What a row is called, what several are: "call", "calls". */
const char *cg_compare_noun(cg_compare_list list, size_t count);
size_t cg_compare_count(const callgauge_comparison *comparison, cg_compare_list list);
/* NULL past the end. */
const callgauge_compare_row *cg_compare_row_at(const callgauge_comparison *comparison, cg_compare_list list,
                                               size_t index);
/* The measures that rows of a list can have, CALLGAUGE_MEASURE_COUNT at most; gives how many. */
size_t cg_compare_measures(cg_compare_list list, callgauge_measure *out);

/* The rows of a list that differ, in its order. */
typedef struct cg_differing {
    const callgauge_compare_row **rows;
    size_t count;
    size_t same; /* rows that do not */
} cg_differing;

/* False: no memory. */
bool cg_differing_make(const callgauge_comparison *comparison, cg_compare_list list, cg_differing *out);
void cg_differing_release(cg_differing *differing);

/* Whether both sides of an amount are known; by how much it changed then, held at the limits of the type. */
bool cg_amount_is_known(const callgauge_amount *amount);
int64_t cg_amount_delta(const callgauge_amount *amount);
/* In percent of what it was. False: that is unknown or nothing. */
bool cg_amount_percent(const callgauge_amount *amount, double *out);
/* By unit of work. False: unknown, or no units. */
bool cg_amount_per_unit_delta(const callgauge_amount *amount, double *out);
/* Of a row: bytes read and written together; one of them may be unknown. */
callgauge_amount cg_amount_of_bytes(const callgauge_amount *amounts);

/* A number without a dependence on the locale and without zeros at its end: at most six digits behind the point, twelve
 * where it is less than 1. Gives the length; `to` has CG_NUMBER_ROOM bytes. */
size_t cg_format_double(char *to, double value);

/* How many limits are in a state. */
size_t cg_limits_of(const callgauge_comparison *comparison, callgauge_limit_state state);
/* Of several limits of one name, which one: its name and, unless that ends in it, in brackets its subject. As `write`
 * makes it harmless. */
void cg_write_limit_name(const callgauge_limit_result *limit, void (*write)(cg_out *, callgauge_str), cg_out *out);
/* In a word or two: the verdict, or how the limits of a budget stand: "limits broken", "limits not judged", "limits
 * kept". */
const char *cg_compare_outcome(const callgauge_comparison *comparison);
/* The name of the capture of the report that was checked, or the name of the budget, and a line in it (0: none). */
callgauge_str cg_limit_place(const callgauge_comparison *comparison, const callgauge_limit_result *limit,
                             uint64_t *line);
/* The name of the capture that evidence is of: of a finding of one side; NULL: of the report that was checked. */
callgauge_str cg_evidence_place(const callgauge_comparison *comparison, const callgauge_finding_change *change,
                                const callgauge_evidence *evidence);
/* Where a finding is, likewise; without evidence, the first capture of its report. */
callgauge_str cg_finding_place(const callgauge_comparison *comparison, const callgauge_finding_change *change,
                               uint64_t *line);
/* What a change of a finding says: the message of the side after, if it is there. */
const callgauge_finding_row *cg_finding_now(const callgauge_finding_change *change);
const char *cg_finding_fate_text(callgauge_finding_fate fate);
/* "path=/etc, fd=3": the group of a finding, without values that are not there or not known; whether it has any. */
bool cg_has_group(const callgauge_finding_row *row);
void cg_write_group(const callgauge_finding_row *row, void (*write)(cg_out *, callgauge_str), cg_out *out);

#endif

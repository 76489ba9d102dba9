/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong, the worst first, for outputs that mark places: broken limits, limits that could not be judged, calls
 * that got worse, findings that came. */
#ifndef CG_WRITE_PROBLEMS_H
#define CG_WRITE_PROBLEMS_H

#include "write/compare_words.h"

typedef struct cg_problem {
    callgauge_severity severity;
    const callgauge_limit_result *limit; /* one of these three is set */
    const callgauge_compare_row *row;
    const callgauge_finding_change *finding;
    size_t index; /* keeps the order of the lists */
} cg_problem;

typedef struct cg_problems {
    const callgauge_comparison *comparison;
    cg_problem *items;
    size_t count;
} cg_problems;

/* Calls are problems only where there is no budget to say what is one. False: no memory. */
bool cg_problems_make(const callgauge_comparison *comparison, cg_problems *out);
void cg_problems_release(cg_problems *problems);

/* What it breaks: the limit, the rule, "regression". */
callgauge_str cg_problem_rule(const cg_problem *problem);
/* What that rule is about, in general. */
callgauge_str cg_problem_rule_text(const cg_problem *problem);
/* What is wrong; each part is written by `write`, which makes it harmless. */
void cg_problem_message(const cg_problem *problem, void (*write)(cg_out *, callgauge_str), cg_out *out);
/* The file it is in (len 0: none) and the line there (0: none). */
callgauge_str cg_problem_place(const cg_problems *problems, const cg_problem *problem, uint64_t *line);

#endif

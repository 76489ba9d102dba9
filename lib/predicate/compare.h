/* SPDX-License-Identifier: Apache-2.0 */
/* Two known values against each other. */
#ifndef CG_PREDICATE_COMPARE_H
#define CG_PREDICATE_COMPARE_H

#include "predicate/tree.h"

/* < 0, 0, > 0: exact, also between integers and reals. */
int cg_order_of_numbers(const cg_value *a, const cg_value *b);
/* a op b, of known numbers: held at the ends of int64_t. */
void cg_calculate(cg_op op, const cg_value *a, const cg_value *b, cg_value *out);

/* Of texts that go on where they were cut the answer may be open: UNDECIDED. */
cg_truth cg_text_equals(const cg_value *a, const cg_value *b);
cg_truth cg_text_starts(const cg_value *a, const cg_value *b);
cg_truth cg_text_ends(const cg_value *a, const cg_value *b);
cg_truth cg_text_contains(const cg_value *a, const cg_value *b);
/* `b` is one of the names joined by `|` in `a`. */
cg_truth cg_text_has_flag(const cg_value *a, const cg_value *b);

#endif

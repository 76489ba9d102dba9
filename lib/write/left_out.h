/* SPDX-License-Identifier: Apache-2.0 */
/* What a comparison left out, by reason: many things have the same one. */
#ifndef CG_WRITE_LEFT_OUT_H
#define CG_WRITE_LEFT_OUT_H

#include <callgauge/compare.h>

typedef struct cg_left_out {
    const callgauge_left_out_row *
        *rows; /* those of one side and reason stand together; these in the order of their first */
    size_t count;
} cg_left_out;

/* False: no memory. */
bool cg_left_out_make(const callgauge_comparison *comparison, cg_left_out *out);
void cg_left_out_release(cg_left_out *left_out);
/* How many rows from `first` on are of one side and reason. */
size_t cg_left_out_alike(const cg_left_out *left_out, size_t first);

#endif

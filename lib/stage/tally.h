/* SPDX-License-Identifier: Apache-2.0 */
/* How often each name came: signals, faults, functions, from the trace or from tables.
 * Invariant: counts[i] is of the name whose id in `names` is i. */
#ifndef CG_STAGE_TALLY_H
#define CG_STAGE_TALLY_H

#include "base/intern.h"
#include "report/report.h"

typedef struct cg_tally {
    cg_intern names;
    uint64_t *counts;
    size_t room;
    uint64_t dropped; /* counts of names past the limit */
} cg_tally;

void cg_tally_init(cg_tally *tally, size_t limit);
void cg_tally_release(cg_tally *tally);
/* False: no memory. */
bool cg_tally_add(cg_tally *tally, callgauge_str name, uint64_t count);
/* Copies the rows, in the order of their names, into `arena`. False: no memory. */
bool cg_tally_finish(const cg_tally *tally, cg_arena *arena, callgauge_name_row **rows, size_t *count);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers to dense ids, for sets that are mostly small and sometimes not.
 * Invariant: entry i of `values` has id i; slots hold id + 1, 0 is empty; the table is at most half full. */
#ifndef CG_BASE_NUMBERS_H
#define CG_BASE_NUMBERS_H

#include <callgauge/types.h>

/* Zero-initialise before first use. */
typedef struct cg_numbers {
    uint64_t *values; /* by id */
    uint32_t *slots;
    size_t count, slot_room;
} cg_numbers;

#define CG_NUMBERS_NONE UINT32_MAX

void cg_numbers_release(cg_numbers *numbers);
/* The id of a number, new or old; CG_NUMBERS_NONE: no memory. */
uint32_t cg_numbers_add(cg_numbers *numbers, uint64_t value);
/* The id of a number, or CG_NUMBERS_NONE. */
uint32_t cg_numbers_find(const cg_numbers *numbers, uint64_t value);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Bitmaps over text: newlines, marks (see lines.h) and, a byte for each 64, whether one of them is NUL or
 * above 0x7f. */
#ifndef CG_INPUT_SCAN_H
#define CG_INPUT_SCAN_H

#include <stddef.h>
#include <stdint.h>

/* Fills words [0, count) of the three arrays from `text`, whose byte before and 64 * count bytes may be read. */
void cg_scan(const char *text, size_t count, uint64_t *nl, uint64_t *marks, uint8_t *odd);

#endif

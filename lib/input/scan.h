/* SPDX-License-Identifier: Apache-2.0 */
/* Bitmaps over text, a word of each for 64 bytes: where lines end, and marks (see lines.h). */
#ifndef CG_INPUT_SCAN_H
#define CG_INPUT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fills words [0, count) from `text`, whose byte before and 64 * count bytes may be read. A word with a NUL
 * or a byte above 0x7f in its text has all its marks set. `errors`: the '#' of `Err#` is a mark too. */
void cg_scan(const char *text, size_t count, bool errors, uint64_t *nl, uint64_t *marks);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* From text to the places where lines end, and to marks (see lines.h). */
#ifndef CG_INPUT_SCAN_H
#define CG_INPUT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CG_SCAN_SPARE = 2 }; /* entries behind the last one that may be written */

/* Writes the places of all line ends and marks of 64 * count bytes, `base` added to each, in their order, and gives
 * how many they are; a byte behind those may be read. Marks are a '=' with a blank behind it, any NUL and any
 * byte above 0x7f. `errors`: a '=' with any byte up to a blank or above 0x7f behind it, and any '#'; without that, also
 * control characters below '\n'. */
size_t cg_scan(const char *text, size_t count, bool errors, uint32_t base, uint32_t *out);

#endif

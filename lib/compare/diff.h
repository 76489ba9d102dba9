/* SPDX-License-Identifier: Apache-2.0 */
/* What differs between two lists of lines, as a unified diff. */
#ifndef CG_COMPARE_DIFF_H
#define CG_COMPARE_DIFF_H

#include <callgauge/types.h>

#include "base/buf.h"

typedef struct cg_text_lines {
    const callgauge_str *items; /* without line ends */
    size_t count;
} cg_text_lines;

typedef struct cg_diff {
    size_t removed, added; /* lines that are only in `before`, only in `after` */
    size_t first;          /* index in `after` of the first line that differs, or where one is missing */
} cg_diff;

/* Adds the diff to `to`: two lines of heading, then hunks with three lines around; nothing where the lists are equal.
 * The shortest one, unless the lists differ in more than CG_DIFF_MOST lines: then what lies between the equal lines at
 * both ends is all removed and all added. False: no memory, or no room in `to`. */
bool cg_diff_lines(cg_buf *to, cg_text_lines before, cg_text_lines after, cg_diff *out);

enum { CG_DIFF_MOST = 1000 };

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A text that is put together before it is written, so that it can be measured, cut or broken into lines. What is past
 * its room is lost. It must not be moved once it is begun. */
#ifndef CG_WRITE_KEPT_H
#define CG_WRITE_KEPT_H

#include "write/out.h"

enum { CG_KEPT_ROOM = 1024 };

typedef struct cg_kept {
    cg_out out; /* write to this */
    callgauge_output to;
    size_t used;
    char data[CG_KEPT_ROOM];
} cg_kept;

void cg_kept_begin(cg_kept *kept);
/* What was written; nothing more can be. */
callgauge_str cg_kept_end(cg_kept *kept);

#endif

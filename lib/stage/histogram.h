/* SPDX-License-Identifier: Apache-2.0 */
/* The stage behind every summary: counts, errors, times, bytes a call; signals, faults, functions;
 * tables checked against their trace or added. */
#ifndef CG_STAGE_HISTOGRAM_H
#define CG_STAGE_HISTOGRAM_H

#include "stage/stage.h"

typedef struct cg_histogram_options {
    bool cpu_is_sure;        /* the caller has said that tables tell CPU time */
    callgauge_limits limits; /* every member set */
    callgauge_diag_fn *on_diag;
    void *diag_ctx;
    const char *source; /* kept */
} cg_histogram_options;

callgauge_status cg_histogram_new(const cg_histogram_options *options, cg_stage *out, callgauge_error *err);

#endif

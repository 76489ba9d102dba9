/* SPDX-License-Identifier: Apache-2.0 */
/* The stage that fills the rows of processes, with their threads, and of programs. Events without an annotation (nobody
 * follows processes) are counted by their pid alone: then a row has calls, times and stamps, and nothing else.
 * A wait is what stage/waits.h says. */
#ifndef CG_STAGE_PROCESSES_H
#define CG_STAGE_PROCESSES_H

#include "stage/stage.h"

typedef struct cg_processes_options {
    callgauge_limits limits; /* every member set */
} cg_processes_options;

callgauge_status cg_processes_new(const cg_processes_options *options, cg_stage *out, callgauge_error *err);

#endif

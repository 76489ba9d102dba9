/* SPDX-License-Identifier: Apache-2.0 */
/* The stage that fills the rows of waiting: which calls waited how long, and for what. Which calls wait is in
 * stage/waits.h; only those whose wall clock duration is known are counted. */
#ifndef CG_STAGE_WAITING_H
#define CG_STAGE_WAITING_H

#include "stage/stage.h"

typedef struct cg_waiting_options {
    callgauge_limits limits; /* every member set */
} cg_waiting_options;

callgauge_status cg_waiting_new(const cg_waiting_options *options, cg_stage *out, callgauge_error *err);

#endif

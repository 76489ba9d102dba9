/* SPDX-License-Identifier: Apache-2.0 */
/* A stage takes every event of one capture and at the end adds its rows to a report. Stages know
 * events and reports, never a dialect. What a stage wants decides what the reader fills in. */
#ifndef CG_STAGE_STAGE_H
#define CG_STAGE_STAGE_H

#include <callgauge/event.h>

#include "event/event.h"
#include "event/run.h"
#include "report/report.h"

typedef struct cg_stage {
    const char *name;
    uint32_t wants; /* CG_WANT_... of event/event.h */
    void *self;
    callgauge_status (*event)(void *self, const callgauge_event *event, callgauge_error *err);
    /* Takes calls of which no more than counts are known. NULL: it wants events only. */
    callgauge_status (*run)(void *self, const cg_run *run, callgauge_error *err);
    /* Adds this stage's rows; called once, after the last event. */
    callgauge_status (*finish)(void *self, callgauge_report *report, callgauge_error *err);
    void (*free)(void *self);
} cg_stage;

#endif

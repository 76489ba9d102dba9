/* SPDX-License-Identifier: Apache-2.0 */
/* What is counted of each process, found by its pid.
 * Invariant: `slots` is at most half full and holds row index + 1; 0 is empty. */
#ifndef CG_STAGE_PROCESSES_H
#define CG_STAGE_PROCESSES_H

#include <callgauge/event.h>

#include "report/report.h"

typedef struct cg_processes {
    callgauge_process_row *rows;
    size_t count, room, limit;
    uint32_t *slots;
    size_t mask;      /* slots - 1 */
    uint64_t dropped; /* events of processes past the limit */
} cg_processes;

void cg_processes_init(cg_processes *processes, size_t limit);
void cg_processes_release(cg_processes *processes);
/* Counts an event of a trace. False: no memory. */
bool cg_processes_count(cg_processes *processes, const callgauge_event *event);
/* Copies the rows into the report. False: no memory. */
bool cg_processes_finish(const cg_processes *processes, callgauge_report *report);

#endif

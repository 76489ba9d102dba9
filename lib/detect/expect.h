/* SPDX-License-Identifier: Apache-2.0 */
/* Records the calls between the markers of a budget's expected sequences, and adds them to the report of a capture. A
 * call belongs to the sequence that its thread (or its process) has begun; a marker that comes again before the end is
 * a call like others, unless it is itself the end.
 *
 *     cg_expect_new(budget, &limits, &expect, err)
 *     cg_expect_begin(expect, capture)                           before the first event of each reader
 *     cg_expect_event(expect, event, err)                        for each event, annotated by lib/state
 *     cg_expect_finish(expect, report, err)                      with a sealed report
 *
 * What was recorded has a row for each capture: one of `times` 0 where the first marker never came. No row: the capture
 * cannot tell, since it lacks what the markers read. */
#ifndef CG_DETECT_EXPECT_H
#define CG_DETECT_EXPECT_H

#include <callgauge/event.h>
#include <callgauge/reader.h>

#include "detect/detect.h"
#include "report/report.h"
#include "rules/budget.h"

typedef struct cg_expect cg_expect;

/* Whether there is something to record. NULL: no. */
bool cg_expect_is_wanted(const callgauge_budget *budget);
/* What it wants of an analysis. NULL: nothing. */
cg_detect_needs cg_expect_needs_of(const callgauge_budget *budget);

/* `budget` is kept; `limits` have every member set. */
callgauge_status cg_expect_new(const callgauge_budget *budget, const callgauge_limits *limits, cg_expect **out,
                               callgauge_error *err);
/* NULL is fine. */
void cg_expect_free(cg_expect *expect);
/* `capture` is kept. */
void cg_expect_begin(cg_expect *expect, const callgauge_capture *capture);
callgauge_status cg_expect_event(cg_expect *expect, const callgauge_event *event, callgauge_error *err);
/* The report is sealed, and of one capture. Once only. */
callgauge_status cg_expect_finish(cg_expect *expect, callgauge_report *report, callgauge_error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The analysis from inside: what the analysis of one capture and that of many files share. */
#ifndef CG_ANALYSIS_ANALYSIS_H
#define CG_ANALYSIS_ANALYSIS_H

#include <callgauge/analysis.h>

#include "analysis/follow.h"
#include "analysis/where.h"
#include "stage/stage.h"

/* Copies the caller's options (NULL: none) with every default filled in; E_USAGE: they are newer than this library. */
callgauge_status cg_analysis_settle(const callgauge_analysis_options *given, callgauge_analysis_options *out,
                                    callgauge_error *err);

/* Analyses what `reader` gives, with settled options, whose condition is `where` (kept; NULL: none). `follow` (kept;
 * NULL: nothing to follow) may have followed other files of the same capture before. `extra` (may be NULL) is a stage
 * more, before the library's own, which sees all events. Reader and stage
 * are the analysis's from here on, even when this fails. */
callgauge_status cg_analysis_over(callgauge_reader *reader, const callgauge_analysis_options *options,
                                  const cg_predicate *where, cg_follow *follow, const cg_stage *extra,
                                  callgauge_analysis **out, callgauge_error *err);

/* Passes on all events that the reader can give now; CALLGAUGE_MORE or CALLGAUGE_END when it went well. */
callgauge_status cg_analysis_pump(callgauge_analysis *analysis, callgauge_error *err);

/* The report of what was passed on, even if that was nothing. Once only. */
callgauge_status cg_analysis_seal(callgauge_analysis *analysis, callgauge_report **out, callgauge_error *err);

/* The condition by which calls begin a unit of work; `out` becomes NULL when none does. E_USAGE: it is wrong. */
callgauge_status cg_starts_compile(const callgauge_analysis_options *options, cg_predicate **out, callgauge_error *err);

/* CALLGAUGE_E_FORMAT when nothing that can be counted is in the report of capture `name`; not when a condition let
 * nothing pass. */
callgauge_status cg_report_refuse_empty(const callgauge_report *report, const char *name, callgauge_error *err);

/* Makes one capture of all that a report holds: the files of an -ff set, now called `name`, of which
 * at most `unread_kept` unread lines are kept. */
callgauge_status cg_report_join_captures(callgauge_report *report, callgauge_str name, size_t unread_kept,
                                         callgauge_error *err);

#endif

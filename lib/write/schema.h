/* SPDX-License-Identifier: Apache-2.0 */
/* What the writing and the reading of a JSON report must spell alike. */
#ifndef CG_WRITE_SCHEMA_H
#define CG_WRITE_SCHEMA_H

#include "report/report.h"

#define CG_SCHEMA "callgauge.report/1"

enum {
    CG_CLOCKS = CALLGAUGE_CLOCK_BASE + 1,
    CG_TIME_KIND_NAMES = CALLGAUGE_TIME_WALL + 1,
    CG_UNITS_FROM = CALLGAUGE_UNIT_PREDICATE + 1,
    CG_FILE_KINDS = CALLGAUGE_FILE_ANON + 1
};

/* Clocks, kinds of time and of units by their value, NULL for none. */
extern const char *const cg_clock_names[CG_CLOCKS];
extern const char *const cg_time_kind_names[CG_TIME_KIND_NAMES];
extern const char *const cg_unit_from_names[CG_UNITS_FROM];

#endif

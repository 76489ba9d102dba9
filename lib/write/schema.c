/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a JSON report that stand for numbers of a report. */
#include "write/schema.h"

const char *const cg_clock_names[CG_CLOCKS] = { NULL, "epoch", "midnight", "base" };

const char *const cg_time_kind_names[CG_TIME_KIND_NAMES] = { NULL, "cpu", "wall" };

const char *const cg_unit_from_names[CG_UNITS_FROM] = { NULL, "number", "call", "request", "predicate" };

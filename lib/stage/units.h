/* SPDX-License-Identifier: Apache-2.0 */
/* The stage that counts units of work and, where calls start them, how they differ. What a unit costs and the
 * percentiles are worked out when the report is sealed.
 * A unit that starts with an accept lasts from the moment when that has given the connection, any other from the
 * beginning of the call that starts it; it lasts until the call begins that starts the next one on the same thread, or
 * to the thread's last stamp: the wait for the next request is in no unit. Calls before a thread's first start are in
 * none. Of a table, the successful calls of the name are the units; a table after calls of a trace tells them again and
 * counts for nothing. */
#ifndef CG_STAGE_UNITS_H
#define CG_STAGE_UNITS_H

#include "stage/stage.h"

typedef struct cg_units_options {
    callgauge_unit_from from;
    uint64_t count;   /* UNIT_NUMBER */
    const char *call; /* UNIT_CALL: the name; UNIT_PREDICATE: the condition, whose calls have CG_CALL_STARTS; kept */
    callgauge_limits limits; /* every member set */
    uint64_t *unit_now; /* kept; gets which unit of its thread each event belongs to, from 1; 0: none. May be NULL */
} cg_units_options;

callgauge_status cg_units_new(const cg_units_options *options, cg_stage *out, callgauge_error *err);

#endif

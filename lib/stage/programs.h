/* SPDX-License-Identifier: Apache-2.0 */
/* What is counted of each program image: how often which program starts it, how long it lives, what it calls.
 * Invariant: stats[i] is of the program whose id in `names` is i; id 0 is "", the program that is not known. */
#ifndef CG_STAGE_PROGRAMS_H
#define CG_STAGE_PROGRAMS_H

#include "base/intern.h"
#include "report/report.h"

typedef struct cg_program_start {
    uint32_t by; /* id of the program */
    uint64_t count;
} cg_program_start;

/* Calls that returned; times are CALLGAUGE_UNKNOWN where none is known. */
typedef struct cg_program_calls {
    uint64_t calls, errors, cpu_calls, wall_calls;
    int64_t cpu_ns, wall_ns;
} cg_program_calls;

typedef struct cg_program_stats {
    uint64_t starts, lives;
    int64_t life_ns; /* CALLGAUGE_UNKNOWN: none known */
    cg_program_calls made;
    cg_program_start *started_by;
    uint32_t by_count, by_room;
} cg_program_stats;

typedef struct cg_programs {
    cg_intern names;
    cg_program_stats *stats;
    size_t room, limit;
    uint64_t dropped; /* changes to programs past the limit */
} cg_programs;

enum { CG_PROGRAM_NONE = 0 };

void cg_programs_init(cg_programs *programs, size_t limit);
void cg_programs_release(cg_programs *programs);
/* The id of a program, new or old; CG_PROGRAM_NONE for "" and past the limit. False: no memory. */
bool cg_programs_find(cg_programs *programs, callgauge_str name, uint32_t *id);
/* `by` started it. False: no memory. */
bool cg_programs_start(cg_programs *programs, uint32_t id, uint32_t by);
/* A life of it has ended, after `ns` or CALLGAUGE_UNKNOWN. */
void cg_programs_end(cg_programs *programs, uint32_t id, int64_t ns);
/* It made these calls. */
void cg_programs_calls(cg_programs *programs, uint32_t id, const cg_program_calls *made);
/* Writes the rows. False: no memory. */
bool cg_programs_finish(const cg_programs *programs, callgauge_report *report);

#endif

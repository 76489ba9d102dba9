/* SPDX-License-Identifier: Apache-2.0 */
/* Calls as lines that are equal when the same program does the same thing again: what a run has by chance (descriptors,
 * process ids, addresses, ports, names of temporary files) gets a name by its order, fd1, fd2, pid1, and what is read
 * and written, or told by a structure, goes. docs/sequences.md says what exactly is replaced.
 *
 *     cg_normal_facts_note(&facts, event)                     each event of a capture
 *     cg_normal_call(&line, event, &facts, &names)            `read(fd1, "…", 4096) = 120`; `names`: of one sequence
 *
 * A line is ASCII but for `…`, begins with the name of the call, and is never longer than CG_NORMAL_LINE bytes. */
#ifndef CG_EVENT_NORMAL_H
#define CG_EVENT_NORMAL_H

#include <callgauge/event.h>

#include "base/buf.h"
#include "base/intern.h"
#include "base/numbers.h"

enum { CG_NORMAL_LINE = 4096 };

/* What a capture has shown of itself so far. Past their limits no more is noted. */
typedef struct cg_normal_facts {
    cg_numbers pids;
    cg_intern made;      /* names of files that were made as temporary ones are */
    cg_intern temporary; /* what stands for chance in names: a number for each text */
} cg_normal_facts;

void cg_normal_facts_init(cg_normal_facts *facts);
void cg_normal_facts_release(cg_normal_facts *facts);
/* False: no memory. */
bool cg_normal_facts_note(cg_normal_facts *facts, const callgauge_event *event);

typedef enum cg_normal_kind {
    CG_NORMAL_FD,
    CG_NORMAL_PID,
    CG_NORMAL_TEMPORARY,
    CG_NORMAL_PORT,
    CG_NORMAL_KINDS
} cg_normal_kind;

/* What got a name in a sequence, in the order of its first appearance. Zero-initialise before first use. */
typedef struct cg_normal_names {
    cg_numbers of[CG_NORMAL_KINDS];
    cg_numbers mapped; /* addresses that calls have given; a mapping that comes to lie where one was is another one */
    uint32_t *mapping_of; /* by id in `mapped`: which mapping is there */
    size_t mapping_room;
    uint32_t mappings;
} cg_normal_names;

void cg_normal_names_release(cg_normal_names *names);

/* Puts the line of a call into `to`, in place of what it held. False: no memory. */
bool cg_normal_call(cg_buf *to, const callgauge_event *event, cg_normal_facts *facts, cg_normal_names *names);

#endif

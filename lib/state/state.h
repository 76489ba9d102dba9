/* SPDX-License-Identifier: Apache-2.0 */
/* Follows processes, their descriptors and directories through the events of a capture.
 * The order for each event: cg_state_annotate(), then the stages, then cg_state_apply(), so that stages see what was
 * before an exec, a fork or a close. Invariant: an annotation never shows a guess; what was opened before the capture
 * stays so until the capture, or a listing, names it. */
#ifndef CG_STATE_STATE_H
#define CG_STATE_STATE_H

#include <callgauge/types.h>

#include "event/annotation.h"
#include "event/open_calls.h"
#include "state/listing.h"

typedef struct cg_state cg_state;

typedef struct cg_state_options {
    const cg_listing *listing; /* kept; NULL: none */
    bool any_pid;              /* the listing of one process is taken for every process of the capture */
    bool blind;                /* decorations (-y) are not looked at: for the tests that judge by them */
    callgauge_limits limits;   /* settled */
} cg_state_options;

/* Why something in the report is not what a reader of the trace would expect; for the report's `limits_hit` and
 * notes. */
typedef struct cg_state_counts {
    uint64_t contradictions; /* decorations that were another file than the one followed: they won */
    uint64_t received;       /* descriptors that came over a socket: unknown files */
    uint64_t dropped_files;  /* past limits.paths */
    uint64_t dropped_fds;    /* past limits.descriptors */
    uint64_t dropped_processes;
    size_t kept_files, kept_fds, kept_processes;
    bool listing_used;     /* a process of the capture is in the listing */
    int64_t listing_taken; /* pid of the listing's only process, taken for lines without one; else CG_UNKNOWN */
} cg_state_counts;

/* NULL: no memory. */
cg_state *cg_state_new(const cg_state_options *options);
void cg_state_free(cg_state *state);

/* The events that follow come from another reader: another file of an -ff set, whose lines do not follow those before.
 * `open_calls` (kept; NULL: none): where the reader keeps calls whose results have not come, so that a child that is
 * seen before its parent's result finds its parent. */
void cg_state_begin(cg_state *state, const cg_open_calls *open_calls);

/* Sets event->annotation (NULL for events of no process). False: no memory. */
bool cg_state_annotate(cg_state *state, callgauge_event *event);
/* Lets the event that was annotated last have its effect; only those whose annotation says so have one. False: no
 * memory. */
bool cg_state_apply(cg_state *state);

/* Where annotations say which unit of work an event belongs to: for who counts them. 0 until it is written. */
uint64_t *cg_state_unit(cg_state *state);

const cg_state_counts *cg_state_counts_of(const cg_state *state);

/* Calls `each` for every descriptor that is open now, by process and number. False: `each` said so. */
typedef bool cg_state_fd_fn(void *ctx, const cg_process *process, int64_t fd, const cg_file *file);
bool cg_state_each_fd(const cg_state *state, cg_state_fd_fn *each, void *ctx);

/* How many processes there are: their ids are below. */
size_t cg_state_process_count(const cg_state *state);
const cg_process *cg_state_process(const cg_state *state, size_t id);

#endif

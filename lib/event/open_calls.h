/* SPDX-License-Identifier: Apache-2.0 */
/* Calls whose result has not been seen: the joining of `<unfinished ...>` and `resumed>`, of
 * `(sleeping...)` and its completion. Keyed by thread; one open call a thread.
 * Invariant: at most max_calls entries and max_bytes of text; what does not fit is counted, not kept. */
#ifndef CG_EVENT_OPEN_CALLS_H
#define CG_EVENT_OPEN_CALLS_H

#include "event/event.h"

typedef struct cg_open_call {
    uint64_t key;                    /* thread: see cg_open_key() */
    const callgauge_call_name *call; /* NULL: free slot */
    uint64_t line;
    uint64_t offset;
    int64_t start_ns; /* INT64_MIN: unknown */
    char *args;       /* the first half's arguments; NULL: none kept */
    uint32_t args_len;
    uint32_t flags; /* CALLGAUGE_CALL_... for the event */
} cg_open_call;

enum {
    CG_OPEN_PIDS = 1024,
    CG_OPEN_SPARES = 32,      /* rooms for arguments that are kept for the next call */
    CG_OPEN_SPARE_BYTES = 256 /* in each: most arguments are shorter */
};

typedef struct cg_open_calls {
    cg_open_call *slots; /* open addressing, at most half full */
    size_t mask, count;
    size_t max_calls, max_bytes, bytes;
    bool sorted; /* no hash table any more: entries in the order of their lines, from slots[at] on */
    size_t at;
    uint64_t dropped_calls, dropped_bytes; /* past the limits */
    char *spares[CG_OPEN_SPARES];
    size_t spare_count;
    uint32_t by_pid[CG_OPEN_PIDS]; /* how many are open of each kind of pid: see cg_open_pid_kind() */
} cg_open_calls;

/* A thread as a key: pid and tid of a line; 0 where it names none. A tid whose highest bit is set is the dialect's own
 * way to tell apart calls of threads that have no name. */
static inline uint64_t cg_open_key(int64_t pid, int64_t tid)
{
    return (uint64_t)(uint32_t)pid << 32 | (uint32_t)tid;
}

/* The kind of a pid, from its last three digits as text, the last one highest. So a line can tell that its thread has
 * no open call before its pid is a number. */
static inline uint32_t cg_open_pid_kind(uint32_t digits)
{
    return digits * 0x9E3779B1u / (UINT32_MAX / CG_OPEN_PIDS + 1);
}

void cg_open_init(cg_open_calls *open, size_t max_calls, size_t max_bytes);
void cg_open_release(cg_open_calls *open);

static inline size_t cg_open_home(const cg_open_calls *open, uint64_t key)
{
    return (size_t)(key * 0x9E3779B97F4A7C15u >> 32) & open->mask;
}

/* The open call of a thread, or NULL. Valid until the next put or drop. */
static inline cg_open_call *cg_open_find(cg_open_calls *open, uint64_t key)
{
    if (open->count == 0) {
        return NULL;
    }
    for (size_t at = cg_open_home(open, key); open->slots[at].call != NULL; at = (at + 1) & open->mask) {
        if (open->slots[at].key == key) {
            return &open->slots[at];
        }
    }
    return NULL;
}
/* Opens a call; the thread must have none open. `args` is copied (len 0: not kept).
 * *out is NULL when a limit was passed. False: no memory. */
bool cg_open_put(cg_open_calls *open, uint64_t key, const callgauge_call_name *call, callgauge_str args,
                 cg_open_call **out);
/* Forgets an open call, and its text. */
void cg_open_drop(cg_open_calls *open, cg_open_call *entry);
/* The open call of that name, or NULL when there is none or more than one, or so many are open that it would be a
 * guess. */
cg_open_call *cg_open_only(cg_open_calls *open, const callgauge_call_name *call);
/* The open call with the lowest line number, or NULL. For the end of a capture: after it only this and
 * cg_open_drop(). */
cg_open_call *cg_open_oldest(cg_open_calls *open);

#endif

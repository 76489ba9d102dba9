/* SPDX-License-Identifier: Apache-2.0 */
/* What is counted of one file, and how two tallies of the same file become one. Of a path that is only looked at there
 * is one small record; what reads, writes, waits and several processes need is taken when it is first needed.
 * Invariant: the lists of pids ascend; the ranges that were read ascend and do not touch. */
#ifndef CG_STAGE_FILE_TALLY_H
#define CG_STAGE_FILE_TALLY_H

#include "base/arena.h"
#include "event/annotation.h"
#include "report/report.h"

enum {
    CG_FILE_RANGES = 64, /* ranges of offsets kept of a file: beyond, the smallest is forgotten */
    CG_FILE_OPENS = 64 /* open files kept of a file, to know which have moved bytes; beyond, the oldest is forgotten */
};

typedef struct cg_pids {
    int64_t *list; /* NULL: the only one is `own` */
    int64_t own;
    uint32_t count, room, last; /* last: where the pid of the call before is */
    int64_t passed_over;        /* the last pid that there was no room for */
} cg_pids;

typedef struct cg_range {
    int64_t from, end;
} cg_range;

typedef struct cg_file_error {
    uint32_t error; /* id of its name */
    uint64_t count;
} cg_file_error;

/* One way: what was read, or what was written. */
typedef struct cg_file_moves {
    uint64_t calls, empty;      /* successful ones; of these, those that moved nothing */
    int64_t bytes, least, most; /* of those that moved more than nothing; least 0: none did */
    cg_pids pids;
} cg_file_moves;

typedef struct cg_file_details {
    cg_file_moves read, written;
    int64_t reread_bytes, waiting_ns;
    int64_t other_ns; /* of the kind of time that is not the tally's */
    uint64_t other_calls;
    uint64_t transfers, jumps, maps;
    cg_pids pids;     /* empty: only the tally's own */
    cg_range *ranges; /* NULL: the only one is `own_range`; so with `opens` */
    cg_range own_range;
    uint64_t own_open;
    uint64_t *opens; /* number << 2, and which ways it has moved bytes */
    cg_file_error *errors;
    uint32_t error_count, error_room;
    uint8_t range_count, range_room, open_count, open_room, next_open;
    bool has_offset;
} cg_file_details;

/* 96 bytes: all there is of a path that is opened, or fails to open, and no more. */
typedef struct cg_file_tally {
    const cg_file *file; /* NULL: not seen */
    uint64_t calls, errors, opens;
    int64_t ns; /* of `timed` calls, of the kind of time seen first */
    uint64_t timed;
    uint64_t first, last; /* lines */
    int64_t pid;          /* the first process; CG_UNKNOWN: none known */
    uint64_t failed;      /* opens that failed with the error seen first */
    int32_t fd;           /* of `pid`, open since before the capture, the first one used; -1: none */
    uint16_t error;       /* id of that error's name, + 1 */
    uint8_t kind;         /* callgauge_time_kind of `ns` */
    bool open_at_end;
    cg_file_details *details;
} cg_file_tally;

/* Where details come from, and what was left out. */
typedef struct cg_file_room {
    cg_arena arena;
    size_t pid_limit;      /* pids kept of a file */
    uint64_t dropped_pids; /* pids past it, each once where its calls are not mixed with others' */
} cg_file_room;

/* All return false where there is no memory. */

void cg_file_tally_begin(cg_file_tally *tally, const cg_file *file);
void cg_file_tally_release(cg_file_tally *tally);
bool cg_file_tally_other_pid(cg_file_tally *tally, cg_file_room *room, int64_t pid);
bool cg_file_tally_other_time(cg_file_tally *tally, cg_file_room *room, callgauge_time_kind kind, int64_t ns,
                              bool waits);
bool cg_file_tally_failed_open(cg_file_tally *tally, cg_file_room *room, uint32_t error, uint64_t count);
/* Counts the bytes that a successful call moved by a descriptor of it, one way. */
bool cg_file_tally_read(cg_file_tally *tally, cg_file_room *room, const cg_use *use, int64_t bytes, int64_t pid);
bool cg_file_tally_write(cg_file_tally *tally, cg_file_room *room, const cg_use *use, int64_t bytes, int64_t pid);
bool cg_file_tally_map(cg_file_tally *tally, cg_file_room *room);
/* It was emptied: what is read from here on was not read before. */
void cg_file_tally_emptied(cg_file_tally *tally);
/* Adds everything of `from`, which counts nothing afterwards. */
bool cg_file_tally_fold(cg_file_tally *tally, cg_file_room *room, cg_file_tally *from);

/* Another pid for one. */
typedef struct cg_renamed_pid {
    int64_t from, to;
} cg_renamed_pid;

/* Renames pids; `renamed` ascends. */
void cg_file_tally_rename_pids(cg_file_tally *tally, const cg_renamed_pid *renamed, size_t count);

/* Whether a process is seen at a glance to be one that used it. */
static inline bool cg_file_tally_has_pid(const cg_file_tally *tally, int64_t pid)
{
    if (tally->details == NULL || tally->details->pids.count == 0) {
        return tally->pid == pid;
    }
    const cg_pids *pids = &tally->details->pids; /* there is the first one too */
    return pids->list != NULL && pids->list[pids->last] == pid;
}

/* A process used it. */
static inline bool cg_file_tally_pid(cg_file_tally *tally, cg_file_room *room, int64_t pid)
{
    return cg_file_tally_has_pid(tally, pid) || cg_file_tally_other_pid(tally, room, pid);
}

/* A call on it took that long; waits: it waited for it. */
static inline bool cg_file_tally_time(cg_file_tally *tally, cg_file_room *room, callgauge_time_kind kind, int64_t ns,
                                      bool waits)
{
    if ((waits && tally->details == NULL) || tally->kind != kind || ns < 0 || ns > INT64_MAX - tally->ns) {
        return cg_file_tally_other_time(tally, room, kind, ns, waits);
    }
    if (waits) {
        tally->details->waiting_ns += ns; /* no more than all of its time */
    }
    tally->ns += ns;
    tally->timed++;
    return true;
}

/* Everything of a row that is not who the file is. `names` are texts of errors by id, and kept. */
bool cg_file_tally_finish(const cg_file_tally *tally, const callgauge_str *names, cg_arena *arena,
                          callgauge_file_row *row);

#endif

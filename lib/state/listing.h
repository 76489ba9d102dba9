/* SPDX-License-Identifier: Apache-2.0 */
/* Listings of the descriptors of processes to rows: Solaris and illumos pfiles, Linux `ls -l /proc/PID/fd`, lsof -p. */
#ifndef CG_STATE_LISTING_H
#define CG_STATE_LISTING_H

#include <callgauge/event.h>
#include <callgauge/types.h>

#include "base/arena.h"

typedef struct cg_listed {
    int64_t pid; /* INT64_MIN: the listing does not say (ls -l of a directory without its name) */
    int64_t fd;
    callgauge_file_kind kind;
    callgauge_str path;            /* len 0: none; a Unix socket's address, its peer's where it has none; "pipe:[4711]",
                                    * "socket:[4711]" (no address is known), "anon_inode:[eventpoll]" */
    callgauge_str local, peer;     /* addresses of sockets, ::ffff:1.2.3.4 as 1.2.3.4; or host names; len 0: unknown */
    int32_t local_port, peer_port; /* -1: unknown or none */
    int64_t offset;                /* INT64_MIN: unknown */
    bool deleted;                  /* the path is gone */
} cg_listed;

typedef struct cg_listing {
    cg_arena arena;
    cg_listed *rows; /* by pid, then fd */
    size_t count, room;
    int64_t *pids; /* every process of the listing, ascending, also those without a descriptor; INT64_MIN is one */
    size_t pid_count, pid_room;
} cg_listing;

/* Reads the text of a listing, and copies what it keeps. `out` is set on CALLGAUGE_OK only. E_FORMAT with line and
 * column: it is none, or holds a line that cannot be understood; E_NOMEM. `name`: of the source, for errors. */
callgauge_status cg_listing_read(const char *name, callgauge_str text, cg_listing *out, callgauge_error *err);
/* NULL is not fine; a zeroed listing is. */
void cg_listing_release(cg_listing *listing);

/* The row of a descriptor, or NULL. */
const cg_listed *cg_listing_find(const cg_listing *listing, int64_t pid, int64_t fd);
bool cg_listing_has_pid(const cg_listing *listing, int64_t pid);

#endif

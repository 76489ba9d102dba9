/* SPDX-License-Identifier: Apache-2.0 */
/* A listing as one text, for tests to compare. */
#ifndef CG_TEST_LISTING_TEXT_H
#define CG_TEST_LISTING_TEXT_H

#include <inttypes.h>
#include <stdio.h>

#include "state/listing.h"

static inline const char *pid_text(int64_t pid, char *to, size_t room)
{
    snprintf(to, room, pid == INT64_MIN ? "?" : "%" PRId64, pid);
    return to;
}

static inline void add_end(char *to, size_t room, size_t *used, const char *what, callgauge_str address, int32_t port)
{
    if (address.len > 0 || port >= 0) {
        *used += (size_t)snprintf(to + *used, room - *used, " %s=%.*s,%d", what, (int)address.len, address.ptr,
                                  (int)port);
    }
}

/* "17 18: " the processes, then "17/3 socket path local=a,1 peer=b,2 @offset deleted;" for each row. */
static inline void listing_text(const cg_listing *listing, char *to, size_t room)
{
    char pid[24];
    size_t used = 0;
    for (size_t i = 0; i < listing->pid_count; i++) {
        used += (size_t)snprintf(to + used, room - used, "%s%s", i == 0 ? "" : " ",
                                 pid_text(listing->pids[i], pid, sizeof pid));
    }
    used += (size_t)snprintf(to + used, room - used, ":");
    for (size_t i = 0; i < listing->count; i++) {
        const cg_listed *row = &listing->rows[i];
        used += (size_t)snprintf(to + used, room - used, "\n%s/%" PRId64 " %s", pid_text(row->pid, pid, sizeof pid),
                                 row->fd, callgauge_file_kind_text(row->kind));
        if (row->path.len > 0) {
            used += (size_t)snprintf(to + used, room - used, " %.*s", (int)row->path.len, row->path.ptr);
        }
        add_end(to, room, &used, "local", row->local, row->local_port);
        add_end(to, room, &used, "peer", row->peer, row->peer_port);
        if (row->offset != INT64_MIN) {
            used += (size_t)snprintf(to + used, room - used, " @%" PRId64, row->offset);
        }
        used += (size_t)snprintf(to + used, room - used, "%s", row->deleted ? " deleted" : "");
    }
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The stage that fills the rows of files and descriptors: what was done to each file, socket, pipe, by whichever path
 * or descriptor. A call counts once for each file that it names; its time too, but the time of an accept is that of the
 * socket that listened, not of the one that came of it, and the time of a connect that of the peer.
 * Memory: about 0.1 KB a path, and 0.3 KB more for those that are read, written or mapped. */
#ifndef CG_STAGE_FILES_H
#define CG_STAGE_FILES_H

#include "event/annotation.h"
#include "stage/stage.h"

/* How the descriptors that are open at the end are told: `each` calls `take` for every one, by process and number;
 * false: `take` said so. */
typedef bool cg_open_fd_fn(void *ctx, const cg_process *process, int64_t fd, const cg_file *file);
typedef struct cg_open_fds {
    bool (*each)(const void *of, cg_open_fd_fn *take, void *ctx); /* NULL: nobody knows */
    const void *of;                                               /* kept */
} cg_open_fds;

typedef struct cg_files_options {
    callgauge_limits limits; /* every member set */
    cg_open_fds open_fds;
} cg_files_options;

callgauge_status cg_files_new(const cg_files_options *options, cg_stage *out, callgauge_error *err);

#endif

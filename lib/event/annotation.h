/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of an event beyond its text: the process, the files its descriptors and paths stand for. Written by
 * lib/state, read by the stages through event->annotation (NULL: nobody wanted state).
 * Invariant: files, processes and threads have dense ids from 0 and stay where they are until the state is freed,
 * so that stages keep arrays by id; everything else lives as long as the event. */
#ifndef CG_EVENT_ANNOTATION_H
#define CG_EVENT_ANNOTATION_H

#include <callgauge/event.h>

#define CG_UNKNOWN INT64_MIN

/* What descriptors and paths stand for: a file by its path, a socket by its two ends, a pipe. A socket that is
 * connected anew becomes another file. Fields that were unknown may become known while the capture is read. */
typedef struct cg_file {
    uint32_t id;
    callgauge_file_kind kind;
    const struct cg_file *same;    /* the file that this one turned out to be; NULL: itself. Never more than one step */
    callgauge_str path;            /* absolute where that could be known, else as it was given; a Unix socket's address;
                                 * "pipe:[4711]" or "anon_inode:[eventpoll]" where the tracer said so. len 0: none */
    callgauge_str peer, local;     /* addresses of sockets; len 0: unknown */
    int32_t peer_port, local_port; /* -1: unknown or none */
    uint32_t number;               /* pipes and socket pairs (both ends): from 1, in the order of the capture; 0: not
                                    * made in the capture */
    bool opened_before;            /* and never named: of descriptor `fd` of process `pid` nothing is known. What came
                                    * over a socket, or was opened unseen, is of kind UNKNOWN without a path */
    bool relative;                 /* `path` is relative to a directory that is not known */
    int64_t pid, fd;               /* of `opened_before`; pid CG_UNKNOWN: no pid is printed */
    callgauge_str renamed_to;      /* by a rename in the capture; len 0: none */
} cg_file;

/* A process from its birth, or the first sight of it, to its end; a pid that is used again is another life. */
typedef struct cg_process {
    uint32_t id;
    uint32_t life;                   /* from 1, of its pid */
    int64_t pid;                     /* CG_UNKNOWN: lines without a pid */
    const struct cg_process *parent; /* NULL: unknown */
    const struct cg_process *same; /* the process whose threads this one's turned out to be; NULL: itself. Threads that
                                      * were there when the tracer attached look like processes until then */
    callgauge_str program;         /* path of the image that runs now, or ran last; len 0: unknown */
    callgauge_str argv;            /* as printed by the last exec; len 0: unknown, `[...]` */
    int64_t start_ns, end_ns;      /* of birth and end, or of the first and the last stamp seen; CG_UNKNOWN */
    bool born, ended;              /* whether birth and end were seen */
    int64_t exit_code;             /* CG_UNKNOWN: not seen, or killed */
    callgauge_str exit_signal;     /* that killed it; len 0: none */
    uint32_t open_at_start, open_peak, open_now; /* descriptors known to be open; after the end: those open then */
    uint64_t emfile;                             /* calls that failed with EMFILE or ENFILE */
} cg_process;

/* The process that one is, as far as is known by now. */
static inline const cg_process *cg_process_itself(const cg_process *process)
{
    while (process != NULL && process->same != NULL) {
        process = process->same;
    }
    return process;
}

/* A thread, or a process's only one. */
typedef struct cg_thread {
    uint32_t id;
    int64_t tid; /* CG_UNKNOWN: not printed */
    const cg_process *process;
} cg_thread;

/* An argument that is a descriptor. */
typedef struct cg_use {
    int64_t fd;          /* CG_UNKNOWN: the call has none, or it could not be read */
    const cg_file *file; /* NULL: none is open there, or the call has none */
    uint64_t open;       /* which open file (shared by dup and fork): a number, 0 for none */
    int64_t offset;      /* where in the file the bytes of this call begin; CG_UNKNOWN */
    bool follows; /* they begin where the bytes of the transfer before, the same way on the same open file, ended;
                          * true for the first one */
    bool old;     /* open since before the capture began */
    callgauge_str flags; /* of the open file and the descriptor, as printed: "O_RDWR|O_APPEND|O_CLOEXEC", what F_SETFL
                          * and F_SETFD said since; len 0: unknown */
} cg_use;

/* Life of everything but files, processes and threads: the event's. At exec, fork and close it shows what was
 * before. */
typedef struct cg_annotation {
    const cg_process *process;
    const cg_thread *thread;
    cg_use fd;               /* fd_arg; of poll and select the only descriptor named */
    cg_use fd2;              /* fd2_arg: written to by a copy */
    const cg_file *path;     /* path_arg, resolved; NULL: none */
    const cg_file *path2;    /* path2_arg */
    const cg_file *made;     /* what a successful open, accept, socket or pipe gave a descriptor of; of a connect that
                              * succeeded or goes on, what the socket is from then on */
    const cg_process *child; /* a spawn's new process, the one that a wait reaped; NULL: none or unknown */
    const cg_process *begun; /* set on the first event of a process: itself */
    const cg_file *peer;     /* connect, sendto, sendmsg that name a peer: a socket file with that peer; NULL: none */
    bool acts;               /* the event may change what is followed, once the stages have seen it */
    uint64_t unit;           /* which unit of work of its thread the event belongs to, from 1; 0: none */
} cg_annotation;

#endif

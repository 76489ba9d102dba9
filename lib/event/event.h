/* SPDX-License-Identifier: Apache-2.0 */
/* The event from inside: what can be wanted of it, the names it points at, and the lexer that a
 * dialect sets so that anybody can read any dialect's arguments without including it. */
#ifndef CG_EVENT_EVENT_H
#define CG_EVENT_EVENT_H

#include <callgauge/event.h>

#include "base/intern.h"

/* What may be wanted. COUNTS is what every histogram needs and is always filled: kind, flags, call,
 * error, value of calls that move bytes, duration, and all of rows and rare events. */
enum {
    CG_WANT_COUNTS = 0,
    CG_WANT_THREAD = 1 << 0,  /* pid, tid */
    CG_WANT_SCALARS = 1 << 1, /* everything of callgauge_event */
    CG_WANT_DETAIL = 1 << 2   /* DETAIL and FOREIGN events too */
};

/* Bits of callgauge_event.flags that only we see. */
enum {
    CG_CALL_STARTS = 1 << 28, /* it begins a unit of work, by the condition that says so */
    CG_CALL_PLAIN = 1 << 29,  /* a call that counts, whose duration is known; and, where that is wall clock time, */
    CG_CALL_WAITS = 1 << 30   /* whether it waits: it does. See cg_waits() */
};

/* How a dialect's arguments are read. Every function gets the text between the call's parentheses. */
typedef struct cg_lexer {
    /* Moves `*at` behind the next argument and gives it, trimmed; false at the end. */
    bool (*next)(const char **at, const char *end, callgauge_str *arg);
    /* Decodes a string argument; see callgauge_event_arg_string(). */
    bool (*string)(callgauge_str arg, char *to, size_t room, size_t *length, bool *cut);
    /* A descriptor and its decoration. */
    bool (*fd)(callgauge_str arg, int64_t *fd, callgauge_str *target);
} cg_lexer;

/* What a call does to the descriptors, processes and directories that lib/state follows; callgauge_call_name.does. */
typedef enum cg_does {
    CG_DOES_NOTHING,
    CG_DOES_OPEN,    /* gives a descriptor of the path; flags follow the path */
    CG_DOES_CREAT,   /* the same: made, emptied, for writing */
    CG_DOES_OPENAT2, /* the same, flags in a structure */
    CG_DOES_UNNAMED, /* gives a descriptor of a file whose path cannot be told */
    CG_DOES_ANON,    /* gives a descriptor of something that has no path */
    CG_DOES_SOCKET,
    CG_DOES_SOCKETPAIR,
    CG_DOES_ACCEPT,
    CG_DOES_PIPE,
    CG_DOES_DUP,
    CG_DOES_DUP2,     /* to the descriptor fd2 */
    CG_DOES_FCNTL,    /* F_DUPFD, F_SETFD, F_SETFL, ... */
    CG_DOES_RECEIVED, /* gives a descriptor that was another process's */
    CG_DOES_RECEIVE,  /* its message may bring descriptors */
    CG_DOES_CLOSE,
    CG_DOES_CLOSE_RANGE,
    CG_DOES_CLOSEFROM,
    CG_DOES_CONNECT,
    CG_DOES_BIND,
    CG_DOES_PEERNAME,
    CG_DOES_SOCKNAME,
    CG_DOES_SENDTO,     /* may name a peer */
    CG_DOES_SEEK,       /* gives the new offset */
    CG_DOES_LLSEEK,     /* puts it into an argument */
    CG_DOES_POSITIONAL, /* reads or writes at an offset of its own */
    CG_DOES_SENDFILE,
    CG_DOES_SPLICE, /* copies between two descriptors with an offset each */
    CG_DOES_MMAP,
    CG_DOES_POLL,
    CG_DOES_SELECT,
    CG_DOES_RENAME,
    CG_DOES_CHDIR,
    CG_DOES_FCHDIR,
    CG_DOES_CHROOT,
    CG_DOES_FORK,   /* a process with a copy of the descriptors */
    CG_DOES_CLONE,  /* flags decide what is shared */
    CG_DOES_THREAD, /* an lwp of the same process */
    CG_DOES_UNSHARE,
    CG_DOES_EXEC,
    CG_DOES_EXECVEAT,
    CG_DOES_WAITCHILD,
    CG_DOES_EXIT,  /* of a thread or of the process: exit_group, _exit */
    CG_DOES_IOCTL, /* FIOCLEX, FIONCLEX */
    CG_DOES_GETCWD /* tells the directory of the process */
} cg_does;

/* What lib/state has to find out of a call, by its name; callgauge_call_name.needs. */
enum {
    CG_NEED_FD = 1 << 0,     /* its first argument is a descriptor */
    CG_NEED_PATH = 1 << 1,   /* of `path_arg` */
    CG_NEED_BYTES = 1 << 2,  /* bytes move, from or to a place in a file */
    CG_NEED_EFFECT = 1 << 3, /* it may change what is followed */
    CG_NEED_MORE = 1 << 4    /* other arguments, or what the call makes */
};

/* What the class table (classes.tsv, compiled in) knows of a name. */
typedef struct cg_class_entry {
    const char *name;
    callgauge_class call_class;
    callgauge_moves moves;
    int8_t fd_arg, path_arg, size_arg, fd2_arg, path2_arg;
    uint8_t does; /* cg_does */
} cg_class_entry;

/* NULL: not in the table. */
const cg_class_entry *cg_class_lookup(callgauge_str name);
/* The names of the table, in its order; NULL past the last. */
const cg_class_entry *cg_class_at(size_t index);

/* The names of one capture. */
typedef struct cg_names {
    cg_intern index;
    callgauge_call_name **calls; /* by id; only in a table of calls */
    callgauge_name **plain;      /* by id; only in a table of plain names */
    size_t room;
    bool of_calls;
    cg_arena arena;
} cg_names;

void cg_names_init(cg_names *names, bool of_calls, size_t limit);
void cg_names_release(cg_names *names);
/* New or old. On failure NULL and *why: CG_INTERN_NOMEM or CG_INTERN_FULL. */
const callgauge_call_name *cg_names_call(cg_names *names, callgauge_str text, int64_t *why);
const callgauge_name *cg_names_plain(cg_names *names, callgauge_str text, int64_t *why);

#endif

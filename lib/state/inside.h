/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of lib/state share: files by their identity, open files (descriptions), tables of descriptors,
 * lives of processes and their threads.
 * Invariant: a slot points at the open file that is there, or at none when the descriptor is known to be closed; a
 * descriptor without a slot has not been touched since the capture began. Moments are numbers of lines that grow over
 * all readers of a set, so that what is older can be told. */
#ifndef CG_STATE_INSIDE_H
#define CG_STATE_INSIDE_H

#include "base/buf.h"
#include "base/intern.h"
#include "base/str.h"
#include "state/state.h"

/* ---- files (files.c) ---- */

/* What a name tells. */
typedef struct cg_named {
    callgauge_file_kind kind;
    callgauge_str path; /* of files; of sockets the address of a Unix socket; "pipe:[1]", "anon_inode:[eventpoll]" */
    callgauge_str local, peer;
    int32_t local_port, peer_port; /* -1: unknown */
    uint64_t scope;                /* what a relative path is relative to; 0: it is absolute */
    uint64_t inode;                /* of sockets and pipes, no part of the identity; 0: unknown */
} cg_named;

typedef struct cg_entry {
    cg_file file;
    uint64_t scope;
    uint32_t users; /* open files that were ever bound to it */
} cg_entry;

typedef struct cg_file_slot {
    uint32_t hash, id1; /* id + 1; 0: empty */
} cg_file_slot;

/* A path that was resolved: most come again soon. Small, so that many are near the processor. */
typedef struct cg_path_memo {
    uint32_t hash, path_len;
    cg_entry *entry;  /* NULL: none */
    const char *base; /* the text of the directory that it was joined to; how long it is the file's path tells */
    uint64_t scope;
} cg_path_memo;

enum { CG_PATH_MEMOS = 8192 };

typedef struct cg_files {
    cg_file_slot *slots; /* at most half full */
    size_t mask, used;
    cg_entry **all; /* by id */
    size_t count, room;
    uint32_t pipes;
    cg_entry *socket, *received, *unnamed; /* of those that nothing is known of; NULL: not made yet */
    cg_path_memo *memos;                   /* CG_PATH_MEMOS */
    cg_arena arena;
} cg_files;

/* ---- open files and tables of descriptors (descriptors.c) ---- */

/* Where a transfer ended. */
typedef struct cg_end {
    int64_t at;
    bool seen, known; /* known: `at` counts from the beginning of the file, else from an unknown place */
} cg_end;

/* An open file description: what dup and fork share. */
typedef struct cg_desc {
    union {
        cg_entry *entry; /* NULL: past limits.paths */
        struct cg_desc *next_free;
    } is;
    uint64_t number;     /* of all open files, from 1 */
    callgauge_str decor; /* the decoration seen last; len 0: none */
    callgauge_str flags; /* as printed; len 0: unknown */
    uint64_t inode;      /* 0: unknown */
    int64_t at;          /* the offset; from an unknown place unless known */
    cg_end in, out;
    uint32_t refs;
    bool known, append, positions; /* positions: it has an offset */
    bool old;                      /* from before the capture */
    bool stranger;                 /* its opening was not seen: old, or from another process */
} cg_desc;

typedef struct cg_slot {
    int32_t fd;
    bool used, cloexec;
    bool by_exec;    /* closed by an exec */
    bool fresh;      /* until `until` it was untouched */
    cg_desc *desc;   /* NULL: closed */
    cg_desc *before; /* what was there until `until` */
    uint64_t since;  /* the moment of the last opening or closing */
    uint64_t until;
} cg_slot;

enum { CG_CLOSED_RANGES = 4 };

/* Shared by the processes that forked and changed nothing since; whoever changes it copies it first. */
typedef struct cg_table {
    uint32_t refs;
    unsigned shift;
    size_t mask, used, open;
    cg_slot *slots; /* at most half full; NULL: none yet */
    struct cg_table
        *origin; /* descriptors from before the capture, by number, of the first process of the line; NULL: itself */
    int64_t origin_pid;
    uint32_t ranges;
    int64_t closed[CG_CLOSED_RANGES][2]; /* untouched ones from, to: closed */
    int64_t marked[2];                   /* untouched ones from, to: an exec closes them; to < from: none */
} cg_table;

/* What CLONE_FILES shares. */
typedef struct cg_holder {
    uint32_t refs;
    cg_table *table;
} cg_holder;

/* ---- lives (processes.c) ---- */

typedef struct cg_life {
    cg_process shown;
    struct cg_life *parent;
    cg_holder *fds;    /* NULL: over */
    callgauge_str cwd; /* absolute when cwd_scope is 0 */
    uint64_t cwd_scope;
    callgauge_str root; /* of chroot; len 0: none */
    uint64_t birth;     /* the moment of the first sight */
    uint32_t reader;
    uint32_t tasks;        /* that have not ended */
    bool awaited;          /* it was seen before its parent's result, which may name another parent */
    struct cg_task *first; /* of its threads */
    struct cg_task *guess; /* whose open call it was taken to come from; NULL: none */
    bool announced;        /* its first event was given */
    bool execed, moved;    /* since birth: exec, chdir */
    bool gone;             /* over for good: its pid is another life's when it is seen again */
} cg_life;

typedef enum cg_task_state { CG_TASK_RUNS, CG_TASK_EXITS, CG_TASK_ENDED } cg_task_state;

typedef struct cg_task {
    cg_thread shown;
    struct cg_task *next; /* of the same process */
    cg_life *life;
    uint64_t key, birth;
    uint64_t claimed; /* the line of its open spawn call whose child has been seen; 0: none */
    uint64_t exits;   /* the moment of EXITS */
    uint32_t reader;
    cg_task_state state;
} cg_task;

/* The last close of a descriptor, by number, whose opening the closing process had not seen. */
typedef struct cg_stray {
    cg_life *life;
    uint64_t when;
} cg_stray;

typedef struct cg_map_slot {
    uint64_t key;
    void *value; /* NULL: empty */
} cg_map_slot;

/* Pointers by a number. */
typedef struct cg_map {
    cg_map_slot *slots;
    size_t mask, count;
} cg_map;

/* ---- arguments (arguments.c) ---- */

enum { CG_MOST_ARGS = 8 };

/* The arguments of the event at hand, split as far as they were asked for. */
typedef struct cg_args {
    const callgauge_event *event;
    const char *at;
    size_t count;
    bool done, named;
    callgauge_str texts[CG_MOST_ARGS];
} cg_args;

/* Threads seen lately, by their keys. */
typedef struct cg_recent {
    uint64_t key;
    cg_task *task; /* NULL: none */
} cg_recent;

enum { CG_RECENT = 64 };

/* Flags of open as they were printed before, what they say, and where they are kept. */
typedef struct cg_met_flags {
    callgauge_str text; /* kept in `words`; len 0: none */
    uint32_t bits;      /* CG_OPEN_... */
} cg_met_flags;

enum { CG_MET_FLAGS = 16 };

enum { CG_OPEN_CLOEXEC = 1, CG_OPEN_APPEND = 2, CG_OPEN_DIRECTORY = 4, CG_OPEN_TMPFILE = 8 };

/* ---- all of it ---- */

struct cg_state {
    cg_state_options options;
    cg_state_counts counts;
    bool nomem;
    uint64_t base; /* what is added to a line to make a moment */
    uint64_t latest;
    uint32_t reader;
    const cg_open_calls *open_calls;
    cg_files files;
    cg_arena arena;
    cg_intern words;                      /* argv texts, names of signals */
    cg_met_flags met_flags[CG_MET_FLAGS]; /* by their length */
    cg_map tasks, lives, strays;
    uint32_t merges;
    cg_life **all_lives; /* by id */
    size_t life_count, life_room, task_count;
    cg_life *young; /* being made now; NULL: none */
    size_t silent;  /* lives that hold a table and of which no line has come */
    uint64_t last_key;
    cg_task *last_task; /* of last_key; NULL: none */
    cg_recent recent[CG_RECENT];
    cg_desc *free_descs;
    cg_table *free_tables;
    uint64_t descs, scopes;
    cg_buf text, joined; /* scratch */
    /* the event that was annotated last, for apply */
    const callgauge_event *event;
    cg_annotation shown;
    cg_args args;
    cg_task *task;
    cg_life *reaped;       /* by a wait; NULL: none or unknown */
    cg_desc *desc, *desc2; /* of shown.fd and fd2 */
    cg_entry *path, *path2, *made, *made2;
    int64_t made_fd, made_fd2;             /* CG_UNKNOWN: none */
    callgauge_str made_decor, made_decor2; /* len 0: none */
    uint64_t made_inode, made_inode2;
    uint32_t open_flags; /* CG_OPEN_... of an open */
    bool path_cut, path_read, failed;
    int64_t at, at2;                           /* where the bytes of a transfer begin, on the scale of the open file */
    bool at_known, at2_known, at_own, at2_own; /* own: it is the open file's offset that advances */
    uint64_t began, now;                       /* moments of its first and last line */
    bool is_dirty; /* of what is above, that which CG_NEED_MORE stands for has been filled in */
};

/* ---- arguments.c ---- */

bool cg_args_text(cg_args *args, size_t index, callgauge_str *out);
bool cg_args_number(cg_args *args, size_t index, int64_t *out);
/* A descriptor at the start of a text, and its decoration. */
bool cg_fd_text(const callgauge_event *event, callgauge_str text, int64_t *fd, callgauge_str *decoration);
/* A string argument decoded, in state->text or as it stands. */
bool cg_string_text(cg_state *state, callgauge_str arg, callgauge_str *out, bool *cut);
/* CG_OPEN_... of the flags of open. */
uint32_t cg_open_flags(const cg_state *state, callgauge_str text);
/* Keeps flags as they were printed; len 0: there are none, or past a limit. */
callgauge_str cg_keep_flags(cg_state *state, callgauge_str text);
/* Whether a name of flags, `|name` at its end or its number's bits, is in a text. */
bool cg_flag_in(callgauge_str text, const char *name, uint64_t bits);

/* ---- files.c ---- */

/* Each gives NULL past limits.paths, counted, and when there is no memory (state->nomem). */
cg_entry *cg_file_at(cg_state *state, callgauge_str path, uint64_t scope, callgauge_file_kind kind);
cg_entry *cg_file_named(cg_state *state, const cg_named *named);
/* The one that has that name already, or NULL. */
const cg_entry *cg_file_find(const cg_state *state, const cg_named *named);
/* One that no name finds. */
cg_entry *cg_file_new(cg_state *state, const cg_named *named);
/* Gives a name to a file that had none, or less: the file that it turns out to be. */
cg_entry *cg_file_name(cg_state *state, cg_entry *entry, const cg_named *named);
/* The one that stands for all of a kind that nothing is known of. */
cg_entry *cg_file_any(cg_state *state, cg_entry **which, callgauge_file_kind kind);
/* Adds to what is known of a socket's ends: the file that the open file is bound to then. */
cg_entry *cg_file_ends(cg_state *state, cg_entry *entry, const cg_named *ends);
cg_named cg_named_of(const cg_entry *entry);
callgauge_file_kind cg_kind_of_path(callgauge_str path);
void cg_files_release(cg_files *files);

/* ---- paths.c ---- */

/* Keeps a path free of `.`, `..` and `//`, in state->joined where it had to be changed. False: no memory. */
bool cg_path_clean(cg_state *state, callgauge_str *path);
/* The file of a path argument as seen by `life`; dir: the open file that it is relative to, NULL: the directory of the
 * process; lost: it is relative to what is not known. */
cg_entry *cg_path_resolve(cg_state *state, cg_life *life, const cg_desc *dir, bool lost, callgauge_str path, bool cut);

/* ---- descriptors.c ---- */

cg_desc *cg_desc_new(cg_state *state, cg_entry *entry);
void cg_desc_bind(cg_desc *desc, cg_entry *entry);
void cg_desc_drop(cg_state *state, cg_desc *desc);
cg_holder *cg_holder_new(cg_state *state, int64_t pid);
cg_holder *cg_holder_copy(cg_state *state, const cg_holder *of);
void cg_holder_drop(cg_state *state, cg_holder *holder);

static inline size_t cg_table_home(const cg_table *table, int32_t fd)
{
    return (uint32_t)fd * 0x9E3779B1u >> table->shift;
}

static inline cg_slot *cg_table_find(const cg_table *table, int64_t fd)
{
    if (table->slots == NULL) {
        return NULL;
    }
    for (size_t at = cg_table_home(table, (int32_t)fd); table->slots[at].used; at = (at + 1) & table->mask) {
        if (table->slots[at].fd == fd) {
            return &table->slots[at];
        }
    }
    return NULL;
}

/* The open file that `fd` was at the moment `when`; a new one when it is untouched. NULL: closed, or limits. */
cg_desc *cg_fd_at(cg_state *state, cg_life *life, int64_t fd, uint64_t when);
/* For a descriptor that is in use though it was closed: its opening has not been seen, and nothing is known of it. */
cg_desc *cg_fd_unseen(cg_state *state, cg_life *life, int64_t fd);
/* Puts an open file (kept) or none where a descriptor is. */
void cg_fd_set(cg_state *state, cg_life *life, int64_t fd, cg_desc *desc, bool cloexec);
void cg_fd_close(cg_state *state, cg_life *life, int64_t fd);
void cg_fd_cloexec(cg_state *state, cg_life *life, int64_t fd, bool cloexec);
void cg_fd_range(cg_state *state, cg_life *life, int64_t from, int64_t to, bool cloexec);
void cg_fd_exec(cg_state *state, cg_life *life);
void cg_fd_unshare(cg_state *state, cg_life *life);
/* Takes over what another table has, where it is newer. */
void cg_fd_merge(cg_state *state, cg_life *life, const cg_life *other);
/* Makes the table of `life` a copy of its parent's with the changes on top that it made since its birth. */
void cg_fd_relink(cg_state *state, cg_life *life, const cg_life *parent);
void cg_fd_listed(cg_state *state, cg_life *life);

/* ---- processes.c ---- */

void *cg_map_find(const cg_map *map, uint64_t key);
bool cg_map_put(cg_map *map, uint64_t key, void *value);
/* The thread of the event, whose key cg_open_key() made; NULL: none is to be followed, or no memory. */
cg_task *cg_task_of(cg_state *state, const callgauge_event *event, uint64_t key);
/* The process that the event's spawn call made; NULL: a thread, or limits. */
cg_life *cg_spawned(cg_state *state, cg_task *task, const callgauge_event *event);
cg_life *cg_life_of(const cg_state *state, int64_t pid);
void cg_life_end(cg_state *state, cg_life *life);
/* Lets go of the tables of children of which no line has come: without strace -f none ever does. */
void cg_lives_hush(cg_state *state);
/* What a wait tells of the end of a child. */
void cg_life_reaped(cg_state *state, cg_life *child, const callgauge_event *event);
void cg_task_end(cg_state *state, cg_task *task);
/* A process has closed a descriptor that it had not been seen to open. */
void cg_stray_note(cg_state *state, cg_life *life, int64_t fd);
/* A process opens a descriptor that it has open since the moment `since`: whoever closed it is one of its threads. */
void cg_stray_judge(cg_state *state, cg_life *life, int64_t fd, uint64_t since);
void cg_exit_event(cg_state *state, cg_task *task, const callgauge_event *event);

/* ---- addresses.c ---- */

/* The address in a structure argument: its text and port. False: none is in it. */
bool cg_address_read(cg_state *state, callgauge_str arg, callgauge_str *address, int32_t *port, bool *is_unix);

/* ---- decorations.c ---- */

/* What -y text names. False: nothing that is known. The views last until the next event. */
bool cg_decoration_read(cg_state *state, callgauge_str text, cg_named *out);
/* Lets the decoration of a descriptor's open file say what it is; the open file that it is then. */
cg_desc *cg_decoration_judge(cg_state *state, cg_life *life, int64_t fd, cg_desc *desc, callgauge_str text);
/* Keeps the decoration that was seen last of an open file. */
void cg_decoration_keep(cg_state *state, cg_desc *desc, callgauge_str text);
/* What was made just now, when its decorated result tells more than the call's arguments. */
cg_entry *cg_decoration_born(cg_state *state, cg_entry *made, callgauge_str text, uint64_t *inode);

/* ---- effects.c ---- */

/* Of an event other than a call that does no more than move bytes. */
void cg_effect(cg_state *state);
/* Bytes have moved: where the next ones will be. */
void cg_transfer(cg_state *state);
/* What a connect makes of its socket, to state->made. */
void cg_connect(cg_state *state);

static inline uint64_t cg_hash_words(callgauge_str text, uint64_t hash)
{
    const char *p = text.ptr;
    uint64_t last = 0;
    for (size_t left = text.len; left > 8; left -= 8, p += 8) {
        hash = (hash ^ cg_load8(p)) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    if (text.len >= 8) {
        last = cg_load8(text.ptr + text.len - 8); /* some bytes a second time */
    } else if (text.len > 0) {
        memcpy(&last, p, text.len);
    }
    hash = (hash ^ last ^ (uint64_t)text.len << 56) * 0xD6E8FEB86659FD93u;
    return hash ^ hash >> 32;
}

static inline bool cg_is_fd(int64_t fd)
{
    return fd >= 0 && fd <= INT32_MAX;
}

#endif

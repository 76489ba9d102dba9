/* SPDX-License-Identifier: Apache-2.0 */
/* What an event changes, once it has been seen: descriptors, offsets, directories, images, ends of processes.
 * Invariant: only what succeeded has an effect, but for a connect that goes on and a close that was interrupted. */
#include <stdlib.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "state/inside.h"

enum { CLOEXEC_BIT = 02000000, APPEND_BIT = 02000 };

static inline bool failed_with(const callgauge_event *event, const char *name)
{
    return event->error != NULL && cg_str_is(event->error->text, name);
}

static callgauge_str argument(cg_state *state, int index)
{
    callgauge_str text;
    return index >= 0 && cg_args_text(&state->args, (size_t)index, &text) ? text : cg_str("", 0);
}

/* ---- what was made ---- */

/* Where the flags of a call that makes a descriptor stand; -1: it has none, -2: it always closes on exec. */
static int flags_index(const callgauge_call_name *call)
{
    static const struct {
        const char *name;
        int index;
    } others[] = {
        { "epoll_create1", 0 },   { "eventfd2", 1 },          { "timerfd_create", 1 },
        { "signalfd4", 3 },       { "inotify_init1", 0 },     { "fanotify_init", 0 },
        { "userfaultfd", 0 },     { "memfd_create", 1 },      { "perf_event_open", 4 },
        { "fsopen", 1 },          { "fsmount", 1 },           { "fspick", 2 },
        { "open_tree", 2 },       { "pidfd_open", -2 },       { "bpf", -2 },
        { "io_uring_setup", -2 }, { "mq_open", -2 },          { "landlock_create_ruleset", -2 },
        { "memfd_secret", 0 },    { "open_by_handle_at", 2 },
    };
    switch (call->does) {
    case CG_DOES_OPENAT2: return call->path_arg + 1;
    case CG_DOES_SOCKET:
    case CG_DOES_SOCKETPAIR:
    case CG_DOES_PIPE: return 1;
    case CG_DOES_ACCEPT: return cg_str_is(call->text, "accept4") ? 3 : 4;
    case CG_DOES_DUP2: return cg_str_is(call->text, "dup3") ? 2 : -1;
    case CG_DOES_RECEIVED: return -2;
    default: break;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (cg_str_is(call->text, others[i].name)) {
            return others[i].index;
        }
    }
    return -1;
}

static bool makes_cloexec(cg_state *state, callgauge_str *flags)
{
    int index = flags_index(state->event->call);
    *flags = argument(state, index);
    return index == -2 || (flags->len > 0 && cg_flag_in(*flags, "_CLOEXEC", CLOEXEC_BIT));
}

static void put_made(cg_state *state, int64_t fd, cg_entry *entry, callgauge_str decor, uint64_t inode)
{
    callgauge_str flags = { NULL, 0 };
    bool opens = state->event->call->does == CG_DOES_OPEN;
    bool cloexec = opens ? (state->open_flags & CG_OPEN_CLOEXEC) != 0 : makes_cloexec(state, &flags);
    cg_desc *desc = cg_is_fd(fd) ? cg_desc_new(state, entry) : NULL;
    if (desc == NULL) {
        return;
    }
    desc->known = desc->positions;
    desc->append = opens ? (state->open_flags & CG_OPEN_APPEND) != 0
                         : state->path != NULL && flags.len > 0 && cg_flag_in(flags, "O_APPEND", APPEND_BIT);
    desc->flags = cg_keep_flags(state, opens ? argument(state, state->event->call->path_arg + 1) : flags);
    desc->inode = inode;
    if (decor.len > 0) {
        cg_decoration_keep(state, desc, decor);
    }
    cg_life *life = state->task->life;
    const cg_slot *slot = life->fds == NULL ? NULL : cg_table_find(life->fds->table, fd);
    if (slot != NULL && slot->desc != NULL && slot->since > 0) {
        cg_stray_judge(state, life, fd, slot->since); /* its close was not seen, or another thread's */
    }
    cg_fd_set(state, state->task->life, fd, desc, cloexec);
}

static void do_make(cg_state *state)
{
    if (state->made_fd != CG_UNKNOWN) {
        put_made(state, state->made_fd, state->made, state->made_decor, state->made_inode);
    }
    if (state->made_fd2 != CG_UNKNOWN) {
        put_made(state, state->made_fd2, state->made2, state->made_decor2, state->made_inode2);
    }
}

/* Descriptors in messages: unknown, and said so. */
static void do_receive(cg_state *state)
{
    static const char RIGHTS[] = "SCM_RIGHTS", DATA[] = "cmsg_data=[";
    callgauge_str text = state->event->args;
    bool cloexec = cg_str_find(text, "MSG_CMSG_CLOEXEC") < text.len;
    size_t at;
    while ((at = cg_str_find(text, RIGHTS)) < text.len) {
        text = cg_str(text.ptr + at + sizeof RIGHTS - 1, text.len - at - (sizeof RIGHTS - 1));
        if ((at = cg_str_find(text, DATA)) == text.len) {
            return;
        }
        const char *p = text.ptr + at + sizeof DATA - 1, *end = text.ptr + text.len;
        int64_t fd;
        while (cg_read_i64(&p, end, &fd) && !state->nomem) {
            cg_entry *entry = cg_file_any(state, &state->files.received, CALLGAUGE_FILE_UNKNOWN);
            cg_desc *desc = cg_is_fd(fd) ? cg_desc_new(state, entry) : NULL;
            if (desc != NULL) {
                state->counts.received++;
                cg_fd_set(state, state->task->life, fd, desc, cloexec);
            }
            for (int depth = 0; p < end && (depth > 0 || (*p != ',' && *p != ']')); p++) {
                depth += (*p == '<') - (*p == '>' && p[-1] != '-');
            }
            p += p < end && *p == ',';
            p += p < end && *p == ' ';
        }
        text = cg_str_range(p, end);
    }
}

/* ---- copies ---- */

static void put_copy(cg_state *state, int64_t fd, bool cloexec)
{
    cg_desc *desc = state->desc;
    if (desc == NULL) {
        desc = cg_desc_new(state, NULL);
    } else {
        desc->refs++;
    }
    if (desc != NULL) {
        cg_fd_set(state, state->task->life, fd, desc, cloexec);
    }
}

static void do_dup2(cg_state *state)
{
    callgauge_str flags;
    bool cloexec = makes_cloexec(state, &flags);
    if (state->event->value != state->shown.fd.fd) {
        put_copy(state, state->event->value, cloexec);
    }
}

static void do_fcntl(cg_state *state)
{
    callgauge_str command = argument(state, 1);
    cg_life *life = state->task->life;
    int64_t fd = state->shown.fd.fd, number = -1;
    if (command.len > 0 && cg_is_digit(command.ptr[0])) {
        cg_args_number(&state->args, 1, &number); /* strace -X raw on Linux */
    }
    if (cg_str_starts(command, "F_DUP") || number == 0 || number == 1030) {
        bool cloexec = cg_str_ends(command, "_CLOEXEC") || number == 1030;
        if (state->event->value != fd) {
            put_copy(state, state->event->value, cloexec);
        }
    } else if (cg_str_is(command, "F_SETFD") || number == 2) {
        cg_fd_cloexec(state, life, fd, cg_flag_in(argument(state, 2), "FD_CLOEXEC", 1));
    } else if ((cg_str_is(command, "F_SETFL") || number == 4) && state->desc != NULL) {
        state->desc->append = cg_flag_in(argument(state, 2), "APPEND", APPEND_BIT);
        state->desc->flags = cg_keep_flags(state, argument(state, 2));
    }
}

static void do_ioctl(cg_state *state)
{
    callgauge_str command = argument(state, 1);
    if (cg_str_starts(command, "FIOCLEX") || cg_str_starts(command, "FIONCLEX")) {
        cg_fd_cloexec(state, state->task->life, state->shown.fd.fd, command.ptr[3] == 'C');
    }
}

static void do_close_range(cg_state *state, bool has_end)
{
    int64_t from, to = INT32_MAX;
    if (!cg_args_number(&state->args, 0, &from) || (has_end && !cg_args_number(&state->args, 1, &to))) {
        return;
    }
    callgauge_str flags = argument(state, has_end ? 2 : -1);
    if (flags.len > 0 && cg_flag_in(flags, "CLOSE_RANGE_UNSHARE", 2)) {
        cg_fd_unshare(state, state->task->life);
    }
    from = from < 0 ? 0 : from;
    to = to < 0 || to > INT32_MAX ? INT32_MAX : to;
    cg_fd_range(state, state->task->life, from, to, flags.len > 0 && cg_flag_in(flags, "CLOSE_RANGE_CLOEXEC", 4));
}

/* ---- sockets ---- */

static void bind_to(cg_desc *desc, cg_entry *entry)
{
    if (entry != NULL && entry != desc->is.entry) {
        cg_desc_bind(desc, entry);
    }
}

/* Connecting anew makes another file, if the socket had a peer. */
static cg_entry *connected(cg_state *state, cg_entry *entry)
{
    callgauge_str text = argument(state, 1);
    cg_named ends = { .kind = CALLGAUGE_FILE_SOCKET, .local_port = -1, .peer_port = -1 };
    callgauge_str address;
    int32_t port;
    bool is_unix;
    cg_named all = cg_named_of(entry);
    if (cg_str_find(text, "AF_UNSPEC") < text.len) {
        all.peer = cg_str(NULL, 0);
        all.peer_port = -1;
        bool bare = all.path.len + all.local.len == 0 && all.local_port < 0;
        return bare ? cg_file_any(state, &state->files.socket, CALLGAUGE_FILE_SOCKET) : cg_file_named(state, &all);
    }
    if (!cg_address_read(state, text, &address, &port, &is_unix)) {
        return entry;
    }
    ends.path = is_unix ? address : cg_str(NULL, 0);
    ends.peer = is_unix ? cg_str(NULL, 0) : address;
    ends.peer_port = port;
    all.kind = CALLGAUGE_FILE_SOCKET;
    all.path = ends.path;
    all.peer = ends.peer;
    all.peer_port = port;
    bool had = entry->file.peer.len > 0;
    return had ? cg_file_named(state, &all) : cg_file_ends(state, entry, &ends);
}

/* A connect that goes on, a close that was interrupted: the kernel does them all the same. */
static bool goes_on(const callgauge_event *event)
{
    switch (event->call->does) {
    case CG_DOES_CONNECT: return failed_with(event, "EINPROGRESS") || failed_with(event, "EINTR");
    case CG_DOES_CLOSE: return failed_with(event, "EINTR") || failed_with(event, "EIO");
    default: return false;
    }
}

void cg_connect(cg_state *state)
{
    cg_entry *entry = state->desc == NULL ? NULL : state->desc->is.entry;
    if (entry != NULL && entry->file.kind != CALLGAUGE_FILE_ANON && (!state->failed || goes_on(state->event))) {
        state->made = connected(state, entry);
    }
}

/* What bind, getsockname and getpeername tell of a socket's ends. */
static void do_ends(cg_state *state, bool of_peer)
{
    cg_desc *desc = state->desc;
    cg_named ends = { .kind = CALLGAUGE_FILE_SOCKET, .local_port = -1, .peer_port = -1 };
    callgauge_str address;
    int32_t port;
    bool is_unix;
    if (desc == NULL || desc->is.entry == NULL || desc->is.entry->file.number > 0 ||
        !cg_address_read(state, argument(state, 1), &address, &port, &is_unix)) {
        return;
    }
    cg_entry *entry = desc->is.entry;
    if (!of_peer && entry->users > 1 && (entry->file.peer.len > 0 || entry->file.path.len > 0)) {
        return; /* one of several connections to the same peer: they stay one file */
    }
    if (is_unix) {
        ends.path = address;
    } else if (of_peer) {
        ends.peer = address;
        ends.peer_port = port;
    } else {
        ends.local = address;
        ends.local_port = port;
    }
    bind_to(desc, cg_file_ends(state, entry, &ends));
}

/* ---- offsets ---- */

static void moved(cg_desc *desc, bool out, int64_t at, bool known, bool own, int64_t bytes)
{
    if (desc == NULL || !desc->positions) {
        return;
    }
    if (own && out && desc->append) {
        desc->known = false; /* it is at the end of the file now, wherever that is */
    }
    if (at == CG_UNKNOWN || at > INT64_MAX - bytes) {
        return;
    }
    *(out ? &desc->out : &desc->in) = (cg_end){ .at = at + bytes, .seen = true, .known = known };
    if (own) {
        desc->at = at + bytes;
    }
}

void cg_transfer(cg_state *state)
{
    const callgauge_event *event = state->event;
    if (event->value <= 0 || (event->has & CALLGAUGE_HAS_VALUE) == 0) {
        return;
    }
    bool both = event->call->moves == CALLGAUGE_MOVES_BOTH;
    moved(state->desc, event->call->moves == CALLGAUGE_MOVES_OUT, state->at, state->at_known, state->at_own,
          event->value);
    if (both) {
        moved(state->desc2, true, state->at2, state->at2_known, state->at2_own, event->value);
    }
}

static void do_seek(cg_state *state, bool in_argument)
{
    cg_desc *desc = state->desc;
    int64_t to = state->event->value;
    int whence = 2;
    if (desc == NULL || !desc->positions) {
        return;
    }
    callgauge_str place = in_argument ? argument(state, 2) : cg_str(NULL, 0);
    if (place.len > 2 && place.ptr[0] == '[') {
        const char *at = place.ptr + 1;
        if (!cg_read_i64(&at, place.ptr + place.len, &to)) {
            return;
        }
        whence = 3;
    }
    if (to < 0) {
        return;
    }
    if (!desc->known && cg_str_is(argument(state, whence), "SEEK_CUR") && cg_str_is(argument(state, 1), "0")) {
        int64_t shift = to - desc->at;
        desc->in = (cg_end){ desc->in.at + shift, desc->in.seen, true };
        desc->out = (cg_end){ desc->out.at + shift, desc->out.seen, true };
    }
    desc->at = to;
    desc->known = true;
}

/* ---- directories and images ---- */

static void set_cwd(cg_state *state, const cg_entry *entry)
{
    cg_life *life = state->task->life;
    life->moved = true;
    if (entry == NULL || state->path_cut || entry->file.path.len == 0) {
        life->cwd = cg_str(NULL, 0);
        life->cwd_scope = ++state->scopes;
        return;
    }
    life->cwd = entry->file.path;
    life->cwd_scope = entry->scope;
}

static void do_chdir(cg_state *state, cg_entry *entry)
{
    if (entry != NULL && entry->file.kind == CALLGAUGE_FILE_FILE) {
        entry->file.kind = CALLGAUGE_FILE_DIR;
    }
    bool by_fd = state->path == NULL && entry != NULL && entry->file.kind != CALLGAUGE_FILE_DIR;
    set_cwd(state, by_fd ? NULL : entry);
}

static void do_exec(cg_state *state)
{
    const callgauge_call_name *call = state->event->call;
    cg_life *life = state->task->life;
    const cg_entry *image = state->path != NULL ? state->path : state->desc == NULL ? NULL : state->desc->is.entry;
    callgauge_str argv = argument(state, (call->path_arg >= 0 ? call->path_arg : call->fd_arg) + 1);
    int64_t id = argv.len > 0 && argv.ptr[0] == '[' ? cg_intern_add(&state->words, argv) : CG_INTERN_NONE;
    state->nomem = state->nomem || id == CG_INTERN_NOMEM;
    life->shown.program = image == NULL ? cg_str(NULL, 0) : image->file.path;
    life->shown.argv = id < 0 ? cg_str(NULL, 0) : state->words.texts[id];
    life->execed = true;
    cg_fd_exec(state, life);
}

static void do_rename(cg_state *state)
{
    if (state->path != NULL && state->path2 != NULL && state->path != state->path2) {
        state->path->file.renamed_to = state->path2->file.path;
        state->path2->file.renamed_to = cg_str(NULL, 0);
    }
}

/* ---- ends ---- */

static void do_exit(cg_state *state)
{
    cg_task *task = state->task;
    cg_life *life = task->life;
    callgauge_str name = state->event->call->text;
    bool of_process = cg_str_is(name, "exit_group") || cg_str_is(name, "_exit");
    if (of_process || life->tasks <= 1) {
        int64_t code;
        life->shown.ended = true;
        life->shown.exit_code = cg_args_number(&state->args, 0, &code) ? code & 0xFF : life->shown.exit_code;
    }
    if (cg_str_is(name, "lwp_exit")) {
        cg_task_end(state, task);
    } else if (cg_str_is(name, "_exit")) {
        cg_life_end(state, life);
    } else {
        task->state = CG_TASK_EXITS;
        task->exits = state->now;
        if (life->tasks <= 1) {
            cg_holder_drop(state, life->fds);
            life->fds = NULL;
        }
    }
}

/* "superseded by execve in pid 26119": that thread goes on under the number of the process. */
static void do_notice(cg_state *state)
{
    static const char BY[] = "superseded by execve in pid ";
    callgauge_str note = state->event->note;
    const char *at = note.ptr + sizeof BY - 1;
    int64_t tid;
    if (!cg_str_starts(note, BY) || !cg_read_i64(&at, note.ptr + note.len, &tid)) {
        return;
    }
    cg_task *caller = cg_map_find(&state->tasks, cg_open_key(tid, 0));
    if (caller != NULL && caller != state->task && caller->life == state->task->life) {
        cg_task_end(state, caller);
    }
}

/* ---- all ---- */

static void do_call(cg_state *state)
{
    const callgauge_event *event = state->event;
    cg_life *life = state->task->life;
    switch (event->call->does) {
    case CG_DOES_OPEN:
    case CG_DOES_CREAT:
    case CG_DOES_OPENAT2:
    case CG_DOES_UNNAMED:
    case CG_DOES_ANON:
    case CG_DOES_SOCKET:
    case CG_DOES_SOCKETPAIR:
    case CG_DOES_ACCEPT:
    case CG_DOES_PIPE: do_make(state); break;
    case CG_DOES_RECEIVED:
        state->counts.received++;
        do_make(state);
        break;
    case CG_DOES_RECEIVE: do_receive(state); break;
    case CG_DOES_DUP: put_copy(state, event->value, false); break;
    case CG_DOES_DUP2: do_dup2(state); break;
    case CG_DOES_FCNTL: do_fcntl(state); break;
    case CG_DOES_IOCTL: do_ioctl(state); break;
    case CG_DOES_WAITCHILD:
        if (state->reaped != NULL) {
            cg_life_reaped(state, state->reaped, event);
        }
        break;
    case CG_DOES_CLOSE: cg_fd_close(state, life, state->shown.fd.fd); break;
    case CG_DOES_CLOSE_RANGE: do_close_range(state, true); break;
    case CG_DOES_CLOSEFROM: do_close_range(state, false); break;
    case CG_DOES_CONNECT:
        if (state->made != NULL) {
            bind_to(state->desc, state->made);
        }
        break;
    case CG_DOES_BIND:
    case CG_DOES_SOCKNAME: do_ends(state, false); break;
    case CG_DOES_PEERNAME: do_ends(state, true); break;
    case CG_DOES_SEEK: do_seek(state, false); break;
    case CG_DOES_LLSEEK: do_seek(state, true); break;
    case CG_DOES_RENAME: do_rename(state); break;
    case CG_DOES_CHDIR: do_chdir(state, state->path); break;
    case CG_DOES_FCHDIR: do_chdir(state, state->desc == NULL ? NULL : state->desc->is.entry); break;
    case CG_DOES_GETCWD:
        if (state->path != NULL && state->path->file.path.len > 0 && state->path->file.path.ptr[0] == '/') {
            do_chdir(state, state->path);
        }
        break;
    case CG_DOES_CHROOT: life->root = state->path == NULL ? life->root : state->path->file.path; break;
    case CG_DOES_UNSHARE:
        if (cg_flag_in(argument(state, 0), "CLONE_FILES", 0x400)) {
            cg_fd_unshare(state, life);
        }
        break;
    case CG_DOES_EXEC:
    case CG_DOES_EXECVEAT: do_exec(state); break;
    default: break;
    }
    if (event->call->moves != CALLGAUGE_MOVES_NOTHING) {
        cg_transfer(state);
    }
}

void cg_effect(cg_state *state)
{
    const callgauge_event *event = state->event;
    if (event->kind == CALLGAUGE_EVENT_EXIT) {
        cg_exit_event(state, state->task, event);
        return;
    }
    if (event->kind == CALLGAUGE_EVENT_NOTICE) {
        do_notice(state);
        return;
    }
    if (event->call->does == CG_DOES_EXIT) {
        do_exit(state);
        return;
    }
    if (event->error != NULL && (failed_with(event, "EMFILE") || failed_with(event, "ENFILE"))) {
        state->task->life->shown.emfile++;
    }
    bool no_args = (event->flags & CALLGAUGE_CALL_ORPHAN) != 0 && state->made_fd == CG_UNKNOWN;
    if (!no_args && (!state->failed || goes_on(event))) {
        do_call(state);
    }
}

/* ---- what is open ---- */

static int by_fd(const void *a, const void *b)
{
    const cg_slot *left = *(cg_slot *const *)a, *right = *(cg_slot *const *)b;
    return (left->fd > right->fd) - (left->fd < right->fd);
}

static bool each_of(const cg_life *life, cg_state_fd_fn *each, void *ctx, bool *nomem)
{
    const cg_table *table = life->fds->table;
    const cg_slot **open = cg_mem_alloc((table->open + 1) * sizeof *open);
    size_t count = 0;
    if (open == NULL) {
        *nomem = true;
        return false;
    }
    for (size_t i = 0; table->slots != NULL && i <= table->mask; i++) {
        if (table->slots[i].used && table->slots[i].desc != NULL) {
            open[count++] = &table->slots[i];
        }
    }
    qsort(open, count, sizeof *open, by_fd);
    bool go_on = true;
    for (size_t i = 0; go_on && i < count; i++) {
        const cg_entry *entry = open[i]->desc->is.entry;
        go_on = entry == NULL || each(ctx, &life->shown, open[i]->fd, &entry->file);
    }
    cg_mem_free(open);
    return go_on;
}

bool cg_state_each_fd(const cg_state *state, cg_state_fd_fn *each, void *ctx)
{
    bool nomem = false, go_on = true;
    for (size_t i = 0; go_on && i < state->life_count; i++) {
        const cg_life *life = state->all_lives[i];
        go_on = life->fds == NULL || each_of(life, each, ctx, &nomem);
    }
    return go_on;
}

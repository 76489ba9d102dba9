/* SPDX-License-Identifier: Apache-2.0 */
/* Events to what is known of them: the process of the line, the open files of its descriptors, the files of its paths,
 * what it makes. What the event changes is left to effects.c, once the stages have seen it.
 * Invariant: arguments are split no further than the call's roles need; a call that did not succeed makes nothing. */
#include "state/state.h"

#include "base/decimal.h"
#include "base/mem.h"
#include "base/swar.h"
#include "state/inside.h"

/* ---- life of the state ---- */

cg_state *cg_state_new(const cg_state_options *options)
{
    cg_state *state = cg_mem_zeroed(1, sizeof *state);
    if (state == NULL) {
        return NULL;
    }
    state->files.memos = cg_mem_zeroed(CG_PATH_MEMOS, sizeof *state->files.memos);
    if (state->files.memos == NULL) {
        cg_mem_free(state);
        return NULL;
    }
    state->options = *options;
    state->counts.listing_taken = CG_UNKNOWN;
    state->is_dirty = true;
    state->scopes = 16; /* those below have meanings of their own */
    cg_intern_init(&state->words, options->limits.paths);
    cg_buf_init(&state->text, SIZE_MAX / 2);
    cg_buf_init(&state->joined, SIZE_MAX / 2);
    return state;
}

void cg_state_free(cg_state *state)
{
    if (state == NULL) {
        return;
    }
    for (size_t i = 0; i < state->life_count; i++) {
        cg_life_end(state, state->all_lives[i]);
    }
    cg_mem_free(state->all_lives);
    cg_mem_free(state->tasks.slots);
    cg_mem_free(state->lives.slots);
    cg_mem_free(state->strays.slots);
    cg_files_release(&state->files);
    cg_intern_release(&state->words);
    cg_buf_release(&state->text);
    cg_buf_release(&state->joined);
    cg_arena_release(&state->arena);
    cg_mem_free(state);
}

void cg_state_begin(cg_state *state, const cg_open_calls *open_calls)
{
    state->open_calls = open_calls;
    state->base = state->latest;
    state->reader++;
    state->last_task = NULL;
    memset(state->recent, 0, sizeof state->recent);
}

/* ---- descriptors ---- */

/* A member at a time: to copy what has just been written would have to wait for it. */
static inline void clear_use(cg_use *use)
{
    use->fd = CG_UNKNOWN;
    use->file = NULL;
    use->open = 0;
    use->offset = CG_UNKNOWN;
    use->follows = use->old = false;
    use->flags.len = 0;
}

static inline void show(cg_use *use, const cg_desc *desc)
{
    use->file = desc->is.entry == NULL ? NULL : &desc->is.entry->file;
    use->open = desc->number;
    use->old = desc->old;
    use->flags = desc->flags;
}

/* Whether the call failed because its descriptor is none. */
static bool is_bad(const callgauge_event *event)
{
    return event->error != NULL && cg_str_is(event->error->text, "EBADF");
}

/* Fills in the use of the descriptor in `text`; `only_known`: what has not been touched is not looked for. */
static cg_desc *use_text(cg_state *state, callgauge_str text, bool only_known, cg_use *use)
{
    cg_life *life = state->task->life;
    callgauge_str decoration;
    int64_t fd;
    if (!cg_fd_text(state->event, text, &fd, &decoration)) {
        return NULL;
    }
    bool decorated = decoration.len > 0 && !state->options.blind;
    if (!cg_is_fd(fd)) {
        cg_named named;
        if (fd == -100 && decorated && cg_decoration_read(state, decoration, &named) && named.path.len > 0 &&
            !(life->cwd_scope == 0 && cg_str_eq(life->cwd, named.path))) {
            cg_entry *entry = cg_file_at(state, named.path, 0, CALLGAUGE_FILE_DIR);
            life->cwd = entry == NULL ? life->cwd : entry->file.path;
            life->cwd_scope = entry == NULL ? life->cwd_scope : 0;
        }
        return NULL;
    }
    use->fd = fd;
    bool touched = !only_known || decorated || (life->fds != NULL && cg_table_find(life->fds->table, fd) != NULL);
    cg_desc *desc = is_bad(state->event) || !touched ? NULL : cg_fd_at(state, life, fd, state->began);
    if (desc == NULL && !only_known && !is_bad(state->event) &&
        (state->event->flags & CALLGAUGE_CALL_UNRETURNED) == 0) {
        desc = cg_fd_unseen(state, life, fd);
    }
    if (decorated && desc != NULL) {
        desc = cg_decoration_judge(state, life, fd, desc, decoration);
    }
    if (desc != NULL) {
        show(use, desc);
    }
    return desc;
}

/* As memcmp(), without a call for most lengths. */
static inline bool is_same(const char *a, const char *b, size_t len)
{
    return len < 16 || len > 128 ? memcmp(a, b, len) == 0 : cg_is_same(a, b, len);
}

/* Whether `shown`, a decoration, and the end of the argument stand at `at`; *behind: there. */
static inline bool shows_again(callgauge_str shown, const char *at, const char *end, const char **behind)
{
    size_t left = (size_t)(end - at), len = shown.len;
    if (len == 0 || left < len + 2 || at[len + 1] != '>' || (left > len + 2 && at[len + 2] != ',') ||
        !is_same(at + 1, shown.ptr, len)) {
        return false;
    }
    *behind = at + len + 2;
    return true;
}

/* The first argument ends at `behind`. */
static inline void first_ends(cg_args *args, const char *behind)
{
    const char *from = args->event->args.ptr, *end = from + args->event->args.len;
    args->texts[0] = cg_str_range(from, behind);
    args->count = 1;
    args->at = behind < end ? behind + 1 : behind;
}

/* AT_FDCWD, with no decoration or the one of the last time. */
__attribute__((noinline)) static bool use_directory(cg_state *state)
{
    static const char CWD[] = "AT_FDCWD";
    const size_t len = sizeof CWD - 1;
    const cg_life *life = state->task->life;
    const char *p = state->event->args.ptr, *end = p + state->event->args.len;
    if ((size_t)(end - p) <= len || memcmp(p, CWD, len) != 0) {
        return false;
    }
    p += len;
    if (*p == '<' && !(life->cwd_scope == 0 && shows_again(life->cwd, p, end, &p))) {
        return false;
    }
    if (*p != ',') {
        return false;
    }
    first_ends(&state->args, p);
    return true;
}

/* A descriptor as the first argument, in the form that nearly all have: digits, and no decoration or the one of the
 * last time. False: it is not so. */
static inline bool use_first(cg_state *state, const callgauge_event *event)
{
    enum { MOST_DIGITS = 9 };
    const char *from = event->args.ptr, *end = from + event->args.len, *p = from;
    const cg_life *life = state->task->life;
    int64_t fd = *p - '0';
    if (fd < 0 || fd > 9) {
        return use_directory(state);
    }
    while (++p < end && cg_is_digit(*p) && p - from < MOST_DIGITS) {
        fd = fd * 10 + (*p - '0');
    }
    const cg_slot *slot = life->fds == NULL || event->error != NULL ? NULL : cg_table_find(life->fds->table, fd);
    if (slot == NULL || slot->desc == NULL || state->began < slot->since ||
        (p < end && *p != ',' && (*p != '<' || !shows_again(slot->desc->decor, p, end, &p)))) {
        return false;
    }
    state->shown.fd.fd = fd;
    state->desc = slot->desc;
    show(&state->shown.fd, slot->desc);
    first_ends(&state->args, p);
    return true;
}

/* ---- paths ---- */

static bool is_absolute_argument(cg_state *state, int index)
{
    callgauge_str text;
    return index >= 0 && cg_args_text(&state->args, (size_t)index, &text) && cg_str_starts(text, "\"/");
}

/* The next argument as a string without escapes, which most paths are. False: it is not so; nothing was split. */
static bool plain_string(cg_args *args, callgauge_str *out)
{
    const char *p = args->at, *end = args->event->args.ptr + args->event->args.len;
    p += p < end && *p == ' ';
    if (end - p < 2 || *p != '"') {
        return false;
    }
    const char *close = p + 1;
    unsigned marks = 0;
    while (end - close >= 16 && (marks = cg_byte_mask(close, '"') | cg_byte_mask(close, '\\')) == 0) {
        close += 16;
    }
    close += marks == 0 ? 0 : __builtin_ctz(marks);
    while (marks == 0 && close < end && *close != '"' && *close != '\\') {
        close++;
    }
    if (close == end || *close != '"' || (close + 1 < end && close[1] != ',')) {
        return false;
    }
    args->texts[args->count++] = cg_str_range(p, close + 1);
    args->at = close + 1 < end ? close + 2 : end;
    *out = cg_str_range(p + 1, close);
    return true;
}

/* The file of the path argument `index`; dir_index: the descriptor that it is relative to, -1: none. */
static cg_entry *path_argument(cg_state *state, int index, int dir_index, const cg_use *use, const cg_desc *dir)
{
    callgauge_str text, path;
    bool cut = false;
    bool plain = state->args.count == (size_t)index && plain_string(&state->args, &path);
    if (!plain && (!cg_args_text(&state->args, (size_t)index, &text) || !cg_string_text(state, text, &path, &cut))) {
        return NULL;
    }
    bool by_fd = dir_index >= 0 && use->fd != CG_UNKNOWN;
    if (path.len == 0) {
        return by_fd && dir != NULL ? dir->is.entry : NULL;
    }
    state->path_cut = cut;
    state->path_read = true;
    return cg_path_resolve(state, state->task->life, dir, by_fd && dir == NULL, path, cut);
}

/* ---- several descriptors ---- */

/* The only descriptor in `[{fd=5, events=POLLIN}, {fd=-1}]`; len 0: none, or several. */
static callgauge_str only_polled(callgauge_str text)
{
    callgauge_str only = { text.ptr, 0 };
    size_t at;
    while ((at = cg_str_find(text, "{fd=")) < text.len) {
        text = cg_str(text.ptr + at + 4, text.len - at - 4);
        if (text.len == 0 || !cg_is_digit(text.ptr[0])) {
            continue;
        }
        if (only.len > 0) {
            return cg_str(text.ptr, 0);
        }
        only = text;
    }
    return only;
}

/* The text of one descriptor, with its decoration, at the start of a longer one. */
static callgauge_str one_fd(callgauge_str text)
{
    size_t n = 0;
    int depth = 0;
    for (; n < text.len; n++) {
        char c = text.ptr[n];
        depth += (c == '<') - (c == '>' && n > 0 && text.ptr[n - 1] != '-');
        if (depth == 0 && (c == ',' || c == ' ' || c == '}' || c == ']')) {
            break;
        }
    }
    return cg_str(text.ptr, n);
}

static void use_polled(cg_state *state)
{
    callgauge_str text, only;
    if (cg_args_text(&state->args, 0, &text) && (only = only_polled(text)).len > 0) {
        state->desc = use_text(state, one_fd(only), false, &state->shown.fd);
    }
}

/* The sets of select: `[3 5]`. */
static void use_selected(cg_state *state)
{
    callgauge_str only = { NULL, 0 }, set;
    int64_t fd = CG_UNKNOWN;
    for (size_t i = 1; i <= 3; i++) {
        if (!cg_args_text(&state->args, i, &set) || set.len < 3 || set.ptr[0] != '[') {
            continue;
        }
        callgauge_str one = one_fd(cg_str(set.ptr + 1, set.len - 1)), decoration;
        int64_t other;
        bool alone = set.ptr + set.len == one.ptr + one.len + 1;
        if (!alone || !cg_fd_text(state->event, one, &other, &decoration) || (fd != CG_UNKNOWN && fd != other)) {
            return;
        }
        fd = other;
        only = one;
    }
    if (only.len > 0) {
        state->desc = use_text(state, only, false, &state->shown.fd);
    }
}

/* ---- what is made ---- */

/* The decoration of the result, where it is a descriptor's. */
static callgauge_str result_decoration(const cg_state *state)
{
    callgauge_str decoration = { NULL, 0 }, result = state->event->result;
    int64_t fd;
    bool may = !state->options.blind && memchr(result.ptr, '<', result.len) != NULL;
    return may && cg_fd_text(state->event, result, &fd, &decoration) ? decoration : cg_str(NULL, 0);
}

static void make(cg_state *state, cg_entry *entry)
{
    state->made_decor = result_decoration(state);
    state->made = cg_decoration_born(state, entry, state->made_decor, &state->made_inode);
    state->made_fd = state->event->value;
}

static cg_entry *any_unnamed(cg_state *state)
{
    return cg_file_any(state, &state->files.unnamed, CALLGAUGE_FILE_FILE);
}

static void make_opened(cg_state *state)
{
    const callgauge_call_name *call = state->event->call;
    callgauge_str flags;
    cg_entry *entry = state->path;
    bool has_flags = call->does != CG_DOES_CREAT && cg_args_text(&state->args, (size_t)call->path_arg + 1, &flags);
    state->open_flags = has_flags ? cg_open_flags(state, flags) : 0;
    if ((state->open_flags & CG_OPEN_TMPFILE) != 0) {
        entry = NULL;
    } else if ((state->open_flags & CG_OPEN_DIRECTORY) != 0 && entry != NULL &&
               entry->file.kind == CALLGAUGE_FILE_FILE) {
        entry->file.kind = CALLGAUGE_FILE_DIR;
    }
    bool is_named = state->path_read && (state->open_flags & CG_OPEN_TMPFILE) == 0; /* and past the limit, if NULL */
    make(state, entry != NULL || is_named ? entry : any_unnamed(state));
}

/* The kernel's name of what calls make that have no path. */
static void make_anonymous(cg_state *state)
{
    static const struct {
        const char *call, *name;
    } names[] = {
        { "epoll_create", "anon_inode:[eventpoll]" },
        { "eventfd", "anon_inode:[eventfd]" },
        { "timerfd_create", "anon_inode:[timerfd]" },
        { "signalfd", "anon_inode:[signalfd]" },
        { "inotify_init", "anon_inode:inotify" },
        { "fanotify_init", "anon_inode:[fanotify]" },
        { "userfaultfd", "anon_inode:[userfaultfd]" },
        { "perf_event_open", "anon_inode:[perf_event]" },
        { "io_uring_setup", "anon_inode:[io_uring]" },
        { "pidfd_open", "anon_inode:[pidfd]" },
        { "fsopen", "anon_inode:[fscontext]" },
        { "fspick", "anon_inode:[fscontext]" },
        { "landlock_create_ruleset", "anon_inode:[landlock-ruleset]" },
    };
    callgauge_str name = state->event->call->text, text, memory;
    bool cut;
    if (cg_str_is(name, "memfd_create") && cg_args_text(&state->args, 0, &text) &&
        cg_string_text(state, text, &memory, &cut)) {
        state->joined.len = 0;
        if (!cg_buf_add_z(&state->joined, "/memfd:") || !cg_buf_add_str(&state->joined, memory)) {
            state->nomem = true;
            return;
        }
        make(state, cg_file_at(state, cg_buf_str(&state->joined), 0, CALLGAUGE_FILE_ANON));
        return;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (cg_str_starts(name, names[i].call)) {
            make(state, cg_file_at(state, cg_str_z(names[i].name), 0, CALLGAUGE_FILE_ANON));
            return;
        }
    }
    make(state, cg_file_at(state, name, 0, CALLGAUGE_FILE_ANON));
}

/* The socket that accept gave: the listening one's own end, and the peer that the call names. */
static void make_accepted(cg_state *state)
{
    cg_named named = { .kind = CALLGAUGE_FILE_SOCKET, .local_port = -1, .peer_port = -1 };
    callgauge_str text, address;
    int32_t port;
    bool is_unix;
    if (state->desc != NULL && state->desc->is.entry != NULL) {
        const cg_file *listening = &state->desc->is.entry->file;
        named.local = listening->local;
        named.local_port = listening->local_port;
        named.path = listening->kind == CALLGAUGE_FILE_SOCKET ? listening->path : cg_str(NULL, 0);
    }
    if (cg_args_text(&state->args, 1, &text) && cg_address_read(state, text, &address, &port, &is_unix) && !is_unix) {
        named.peer = address;
        named.peer_port = port;
    }
    bool known = named.path.len + named.local.len + named.peer.len > 0 || named.local_port >= 0;
    make(state, known ? cg_file_named(state, &named) : cg_file_any(state, &state->files.socket, CALLGAUGE_FILE_SOCKET));
}

/* Two descriptors in `[3, 4]`. */
static bool read_pair(const cg_state *state, callgauge_str array, int64_t fds[2], callgauge_str decorations[2])
{
    if (array.len < 2 || array.ptr[0] != '[') {
        return false;
    }
    const char *at = array.ptr + 1, *end = array.ptr + array.len - 1;
    for (int i = 0; i < 2; i++) {
        callgauge_str one = one_fd(cg_str_trim(cg_str_range(at, end)));
        if (!cg_fd_text(state->event, one, &fds[i], &decorations[i])) {
            return false;
        }
        at = one.ptr + one.len + 1;
        if (at > end) {
            return i == 1;
        }
    }
    return true;
}

static void make_pair(cg_state *state, size_t index, bool sockets)
{
    callgauge_str array, decorations[2] = { { NULL, 0 }, { NULL, 0 } };
    int64_t fds[2];
    bool pair = cg_args_text(&state->args, index, &array) && read_pair(state, array, fds, decorations);
    if (!pair && !sockets && (state->event->has & CALLGAUGE_HAS_VALUE2) != 0) {
        fds[0] = state->event->value;
        fds[1] = state->event->value2;
        pair = true;
    }
    if (!pair) {
        return;
    }
    const cg_named pipe = { .kind = sockets ? CALLGAUGE_FILE_SOCKET : CALLGAUGE_FILE_PIPE,
                            .local_port = -1,
                            .peer_port = -1 };
    cg_entry *first = cg_file_new(state, &pipe), *second = sockets ? cg_file_new(state, &pipe) : first;
    state->files.pipes++;
    if (first != NULL) {
        first->file.number = state->files.pipes;
    }
    if (second != NULL) {
        second->file.number = state->files.pipes;
    }
    state->made_decor = cg_str(NULL, 0);
    state->made_decor2 = cg_str(NULL, 0);
    state->made_inode = state->made_inode2 = 0;
    if (!state->options.blind) {
        state->made_decor = decorations[0];
        state->made_decor2 = decorations[1];
        first = cg_decoration_born(state, first, decorations[0], &state->made_inode);
        second = cg_decoration_born(state, second, decorations[1], &state->made_inode2);
    }
    state->made = first;
    state->made2 = second;
    state->made_fd = fds[0];
    state->made_fd2 = fds[1];
}

static void make_what(cg_state *state)
{
    switch (state->event->call->does) {
    case CG_DOES_OPEN:
    case CG_DOES_CREAT:
    case CG_DOES_OPENAT2: make_opened(state); return;
    case CG_DOES_UNNAMED: make(state, any_unnamed(state)); return;
    case CG_DOES_ANON: make_anonymous(state); return;
    case CG_DOES_SOCKET: make(state, cg_file_any(state, &state->files.socket, CALLGAUGE_FILE_SOCKET)); return;
    case CG_DOES_ACCEPT: make_accepted(state); return;
    case CG_DOES_RECEIVED: make(state, cg_file_any(state, &state->files.received, CALLGAUGE_FILE_UNKNOWN)); return;
    case CG_DOES_PIPE: make_pair(state, 0, false); return;
    case CG_DOES_SOCKETPAIR: make_pair(state, 3, true); return;
    default: return;
    }
}

/* ---- transfers ---- */

/* An offset argument: `512`, `[0]`, `[0] => [4096]`, NULL. False: the open file's own is used. */
static bool own_offset(cg_state *state, size_t index, int64_t *at)
{
    callgauge_str text;
    if (!cg_args_text(&state->args, index, &text) || text.len == 0) {
        return true;
    }
    const char *p = text.ptr + (text.ptr[0] == '['), *end = text.ptr + text.len;
    uint64_t value;
    if (!cg_read_hex(&p, end, &value) && !cg_read_u64(&p, end, &value)) {
        return true; /* NULL, -1 */
    }
    if (text.ptr[0] != '[' && text.len > 2 && text.ptr[1] == 'x' && state->event->call->does != CG_DOES_POSITIONAL) {
        *at = CG_UNKNOWN; /* a pointer that was not followed */
        return false;
    }
    *at = value > INT64_MAX ? CG_UNKNOWN : (int64_t)value;
    return false;
}

/* The offset of pread and pwrite is their last argument; behind a buffer, which is long. False: it is not plain. */
static bool last_offset(const callgauge_event *event, int64_t *at)
{
    enum { MOST_DIGITS = 18 };
    const char *from = event->args.ptr, *end = from + event->args.len, *p = end;
    int64_t value = 0, unit = 1;
    for (; p > from && end - p < MOST_DIGITS && cg_is_digit(p[-1]); unit *= 10) {
        value += unit * (*--p - '0');
    }
    bool is_last = end - p > 0 && p - from > 2 && p[-1] == ' ' && p[-2] == ',' && event->call->text.ptr[0] == 'p' &&
                   !cg_str_ends(event->call->text, "2");
    *at = is_last ? value : *at;
    return is_last;
}

/* Where the bytes of a transfer begin, and whether they go on where those before ended. */
static inline void place(cg_state *state, const cg_desc *desc, bool out, int index, cg_use *use)
{
    bool second = use == &state->shown.fd2;
    int64_t *at = second ? &state->at2 : &state->at;
    bool *known = second ? &state->at2_known : &state->at_known, *own = second ? &state->at2_own : &state->at_own;
    use->follows = true;
    if (desc == NULL || !desc->positions) {
        return;
    }
    bool plain = state->event->call->does == CG_DOES_POSITIONAL && last_offset(state->event, at);
    *own = index < 0 || (!plain && own_offset(state, (size_t)index, at));
    *known = *own ? desc->known && !(out && desc->append) : *at != CG_UNKNOWN;
    if (*own) {
        *at = desc->at;
    }
    use->offset = *known ? *at : CG_UNKNOWN;
    const cg_end *end = out ? &desc->out : &desc->in;
    use->follows = !end->seen || (*own && out && desc->append) || (end->known == *known && end->at == *at);
}

static void place_transfer(cg_state *state)
{
    const callgauge_call_name *call = state->event->call;
    cg_annotation *shown = &state->shown;
    switch (call->does) {
    case CG_DOES_POSITIONAL: place(state, state->desc, call->moves == CALLGAUGE_MOVES_OUT, 3, &shown->fd); return;
    case CG_DOES_SENDFILE:
        place(state, state->desc, false, 2, &shown->fd);
        place(state, state->desc2, true, -1, &shown->fd2);
        return;
    case CG_DOES_SPLICE:
        place(state, state->desc, false, 1, &shown->fd);
        place(state, state->desc2, true, 3, &shown->fd2);
        return;
    default: break;
    }
    if (call->moves != CALLGAUGE_MOVES_BOTH) {
        place(state, state->desc, call->moves == CALLGAUGE_MOVES_OUT, -1, &shown->fd);
    } else if (state->desc2 != NULL) {
        place(state, state->desc2, true, -1, &shown->fd2);
    }
}

/* A message to an address goes to that peer, when the socket has none. */
static void use_peer(cg_state *state)
{
    callgauge_str text, address;
    bool is_unix;
    cg_entry *entry = state->desc == NULL ? NULL : state->desc->is.entry;
    int32_t port;
    if (entry == NULL || entry->file.peer.len > 0 || entry->file.number > 0 ||
        cg_str_ends(state->event->args, ", NULL, 0") || !cg_args_text(&state->args, 4, &text) || text.len < 2 ||
        text.ptr[0] != '{' || !cg_address_read(state, text, &address, &port, &is_unix)) {
        return;
    }
    cg_named named = cg_named_of(entry);
    named.kind = CALLGAUGE_FILE_SOCKET;
    if (is_unix) {
        named.path = address;
    } else {
        named.peer = address;
        named.peer_port = port;
    }
    cg_entry *to = cg_file_named(state, &named);
    if (to != NULL) {
        state->shown.fd.file = &to->file;
        state->shown.peer = &to->file;
    }
}

/* ---- events ---- */

static void annotate_spawn(cg_state *state)
{
    const callgauge_event *event = state->event;
    cg_life *child = cg_spawned(state, state->task, event);
    if (child != NULL) {
        state->shown.child = &child->shown;
        if (child->shown.start_ns == CG_UNKNOWN && (event->has & CALLGAUGE_HAS_START) != 0) {
            child->shown.start_ns = event->start_ns;
        }
    }
}

static void annotate_wait(cg_state *state)
{
    const callgauge_event *event = state->event;
    int64_t pid = event->value;
    size_t at = cg_str_find(event->args, "si_pid=");
    if (pid == 0 && at < event->args.len) {
        const char *p = event->args.ptr + at + 7;
        cg_read_i64(&p, event->args.ptr + event->args.len, &pid);
    }
    cg_life *child = pid > 0 ? cg_life_of(state, pid) : NULL;
    state->shown.child = child == NULL ? NULL : &child->shown;
    state->reaped = child;
}

static void annotate_result(cg_state *state)
{
    const callgauge_event *event = state->event;
    switch (event->call->does) {
    case CG_DOES_FORK:
    case CG_DOES_CLONE:
        if (event->value > 0) {
            annotate_spawn(state);
        }
        return;
    case CG_DOES_WAITCHILD: annotate_wait(state); return;
    default: make_what(state); break;
    }
    state->shown.made = state->made == NULL ? NULL : &state->made->file;
}

static void annotate_arguments(cg_state *state, const callgauge_call_name *call)
{
    cg_annotation *shown = &state->shown;
    callgauge_str text;
    bool quick = call->fd_arg == 0 && use_first(state, state->event);
    if (!quick && call->fd_arg >= 0 && cg_args_text(&state->args, (size_t)call->fd_arg, &text)) {
        state->desc = use_text(state, text, is_absolute_argument(state, call->path_arg), &shown->fd);
    }
    if (call->fd2_arg >= 0 && cg_args_text(&state->args, (size_t)call->fd2_arg, &text)) {
        bool only_known = call->does == CG_DOES_DUP2 || is_absolute_argument(state, call->path2_arg);
        state->desc2 = use_text(state, text, only_known, &shown->fd2);
    }
    if (call->path_arg >= 0) {
        state->path = path_argument(state, call->path_arg, call->fd_arg, &shown->fd, state->desc);
        shown->path = state->path == NULL ? NULL : &state->path->file;
    }
    if (call->path2_arg >= 0) {
        state->path2 = path_argument(state, call->path2_arg, call->fd2_arg, &shown->fd2, state->desc2);
        shown->path2 = state->path2 == NULL ? NULL : &state->path2->file;
    }
    if (call->moves != CALLGAUGE_MOVES_NOTHING) {
        place_transfer(state);
    }
    switch (call->does) {
    case CG_DOES_POLL: use_polled(state); break;
    case CG_DOES_SELECT: use_selected(state); break;
    case CG_DOES_SENDTO: use_peer(state); break;
    default: break;
    }
}

/* What a call makes and spawns, and whatever it names beside a descriptor and a path. */
__attribute__((noinline)) static void annotate_more(cg_state *state, const callgauge_call_name *call,
                                                    bool has_arguments)
{
    const callgauge_event *event = state->event;
    state->is_dirty = true;
    if (has_arguments) {
        annotate_arguments(state, call);
    }
    if (!state->failed && call->does != CG_DOES_NOTHING && (event->has & CALLGAUGE_HAS_VALUE) != 0 &&
        event->value >= 0) {
        annotate_result(state);
    }
    if (call->does == CG_DOES_CONNECT) {
        cg_connect(state);
        state->shown.made = state->made == NULL ? NULL : &state->made->file;
        state->shown.peer = state->shown.made;
    }
}

/* The descriptor and the path of a call that names no more. */
static inline void annotate_plain(cg_state *state, const callgauge_call_name *call)
{
    cg_annotation *shown = &state->shown;
    callgauge_str text;
    if ((call->needs & CG_NEED_FD) != 0 && !use_first(state, state->event) && cg_args_text(&state->args, 0, &text)) {
        state->desc = use_text(state, text, is_absolute_argument(state, call->path_arg), &shown->fd);
    }
    if ((call->needs & CG_NEED_PATH) != 0) {
        state->path = path_argument(state, call->path_arg, call->fd_arg, &shown->fd, state->desc);
        shown->path = state->path == NULL ? NULL : &state->path->file;
    }
    if ((call->needs & CG_NEED_BYTES) != 0) {
        place_transfer(state);
    }
}

static inline void annotate_call(cg_state *state, const callgauge_event *event)
{
    const callgauge_call_name *call = event->call;
    const uint32_t nothing = CALLGAUGE_CALL_UNRETURNED | CALLGAUGE_CALL_CHILD;
    const uint32_t no_arguments = CALLGAUGE_CALL_ORPHAN | CALLGAUGE_CALL_CHILD;
    const unsigned needs = call->needs;
    if (needs == 0) {
        return;
    }
    state->args.event = event;
    state->args.at = event->args.ptr;
    state->args.count = 0;
    state->args.done = state->args.named = false;
    state->failed = event->error != NULL || (event->flags & nothing) != 0;
    state->shown.acts = (needs & CG_NEED_EFFECT) != 0 || ((needs & CG_NEED_BYTES) != 0 && !state->failed);
    bool has_arguments = (event->flags & no_arguments) == 0 && event->args.len > 0;
    if ((needs & CG_NEED_MORE) != 0) {
        annotate_more(state, call, has_arguments);
    } else if (has_arguments) {
        annotate_plain(state, call);
    }
}

static inline void note_moment(cg_process *process, const callgauge_event *event)
{
    const uint32_t both = CALLGAUGE_HAS_START | CALLGAUGE_HAS_END, has = event->has & both;
    if (has == 0) {
        return;
    }
    int64_t start = event->start_ns, end = event->end_ns;
    if (has != both) {
        start = has == CALLGAUGE_HAS_START ? start : end;
        end = start;
    }
    if (process->start_ns == CG_UNKNOWN) {
        process->start_ns = start;
    }
    if (end > process->end_ns) {
        process->end_ns = end;
    }
}

/* Clears what few events fill in. */
__attribute__((noinline)) static void clear_more(cg_state *state)
{
    cg_annotation *shown = &state->shown; /* a whole new one would be cleared twice */
    state->is_dirty = false;
    clear_use(&shown->fd2);
    shown->path2 = shown->made = shown->peer = NULL;
    shown->child = shown->begun = NULL;
    state->desc2 = NULL;
    state->path2 = state->made = state->made2 = NULL;
    state->made_fd = state->made_fd2 = CG_UNKNOWN;
    state->reaped = NULL;
}

static inline void begin_event(cg_state *state, cg_task *task)
{
    cg_life *life = task->life;
    cg_annotation *shown = &state->shown;
    state->task = task;
    shown->process = &life->shown;
    shown->thread = &task->shown;
    clear_use(&shown->fd);
    shown->path = NULL;
    state->desc = NULL;
    state->path = NULL;
    state->path_cut = state->path_read = false;
    if (state->is_dirty) {
        clear_more(state);
    }
}

bool cg_state_annotate(cg_state *state, callgauge_event *event)
{
    event->annotation = NULL;
    state->shown.acts = false;
    if (event->kind > CALLGAUGE_EVENT_LIBRARY_CALL || state->nomem) {
        return !state->nomem;
    }
    state->event = event;
    state->now = state->base + event->line;
    state->began = state->base + event->first_line;
    state->latest = state->now > state->latest ? state->now : state->latest;
    cg_task *task = state->last_task;
    bool has_pid = (event->has & CALLGAUGE_HAS_PID) != 0, has_tid = (event->has & CALLGAUGE_HAS_TID) != 0;
    uint64_t key = cg_open_key(has_pid ? event->pid : 0, has_tid ? event->tid : 0);
    if (task == NULL || state->last_key != key) {
        cg_recent *recent = &state->recent[(key >> 32 ^ key) % CG_RECENT];
        task = recent->key == key ? recent->task : NULL;
        state->last_key = key;
        state->last_task = task;
    }
    if (task == NULL || task->state != CG_TASK_RUNS || task->life->gone) {
        task = cg_task_of(state, event, key);
    }
    if (task == NULL) {
        return !state->nomem;
    }
    begin_event(state, task);
    if (!task->life->announced) {
        task->life->announced = true;
        state->silent -= task->life->fds != NULL;
        state->shown.begun = &task->life->shown;
        state->is_dirty = true;
    }
    note_moment(&task->life->shown, event);
    if (event->kind == CALLGAUGE_EVENT_CALL) {
        annotate_call(state, event);
    } else {
        state->shown.acts = event->kind == CALLGAUGE_EVENT_EXIT || event->kind == CALLGAUGE_EVENT_NOTICE;
    }
    event->annotation = &state->shown;
    return !state->nomem;
}

bool cg_state_apply(cg_state *state)
{
    if (state->shown.acts) {
        const callgauge_event *event = state->event;
        bool moves = event->kind == CALLGAUGE_EVENT_CALL && event->call->does == CG_DOES_NOTHING;
        state->shown.acts = false;
        (moves ? cg_transfer : cg_effect)(state);
    }
    return !state->nomem;
}

/* ---- what there is ---- */

uint64_t *cg_state_unit(cg_state *state)
{
    return &state->shown.unit;
}

const cg_state_counts *cg_state_counts_of(const cg_state *state)
{
    return &state->counts;
}

size_t cg_state_process_count(const cg_state *state)
{
    return state->life_count;
}

const cg_process *cg_state_process(const cg_state *state, size_t id)
{
    return &state->all_lives[id]->shown;
}

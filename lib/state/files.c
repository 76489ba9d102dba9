/* SPDX-License-Identifier: Apache-2.0 */
/* Names to files, one for each identity: a path, a socket's two ends, the text that a tracer shows of a pipe.
 * Invariant: entry i of `all` has id i and stays where it is; a file whose identity has changed is entered again under
 * the new one, and its old place finds nothing any more. */
#include "base/mem.h"
#include "state/inside.h"

enum { FIRST_SLOTS = 256 };

/* What may share a name: paths of any kind do, others only among themselves. */
static callgauge_file_kind class_of(callgauge_file_kind kind)
{
    switch (kind) {
    case CALLGAUGE_FILE_SOCKET:
    case CALLGAUGE_FILE_PIPE:
    case CALLGAUGE_FILE_ANON: return kind;
    default: return CALLGAUGE_FILE_FILE;
    }
}

static uint64_t hash_of(const cg_named *named)
{
    callgauge_file_kind of = class_of(named->kind);
    uint64_t hash = cg_hash_words(named->path, named->scope * 31 + (uint64_t)of);
    if (of == CALLGAUGE_FILE_SOCKET) {
        hash = cg_hash_words(named->local, hash + (uint64_t)(uint32_t)named->local_port);
        hash = cg_hash_words(named->peer, hash + (uint64_t)(uint32_t)named->peer_port);
    }
    return hash;
}

static bool is_same(const cg_entry *entry, const cg_named *named)
{
    const cg_file *file = &entry->file;
    callgauge_file_kind of = class_of(named->kind);
    if (class_of(file->kind) != of || entry->scope != named->scope || !cg_str_eq(file->path, named->path)) {
        return false;
    }
    return of != CALLGAUGE_FILE_SOCKET ||
           (file->local_port == named->local_port && file->peer_port == named->peer_port &&
            cg_str_eq(file->local, named->local) && cg_str_eq(file->peer, named->peer));
}

cg_named cg_named_of(const cg_entry *entry)
{
    const cg_file *file = &entry->file;
    return (cg_named){ .kind = file->kind,
                       .path = file->path,
                       .local = file->local,
                       .peer = file->peer,
                       .local_port = file->local_port,
                       .peer_port = file->peer_port,
                       .scope = entry->scope };
}

static void enter(cg_files *files, const cg_entry *entry, uint32_t hash)
{
    size_t at = hash & files->mask;
    while (files->slots[at].id1 != 0) {
        at = (at + 1) & files->mask;
    }
    files->slots[at] = (cg_file_slot){ .hash = hash, .id1 = entry->file.id + 1 };
    files->used++;
}

static bool grow(cg_state *state)
{
    cg_files *files = &state->files;
    size_t count = files->slots == NULL ? FIRST_SLOTS : (files->mask + 1) * 2;
    cg_file_slot *old = files->slots, *slots = cg_mem_zeroed(count, sizeof *slots);
    size_t old_count = old == NULL ? 0 : files->mask + 1;
    if (slots == NULL) {
        state->nomem = true;
        return false;
    }
    files->slots = slots;
    files->mask = count - 1;
    files->used = 0;
    for (size_t i = 0; i < old_count; i++) {
        if (old[i].id1 != 0) {
            enter(files, files->all[old[i].id1 - 1], old[i].hash);
        }
    }
    cg_mem_free(old);
    return true;
}

static bool has_room(cg_state *state)
{
    cg_files *files = &state->files;
    return (files->slots != NULL && files->used * 2 < files->mask) || grow(state);
}

static cg_entry *find(const cg_files *files, const cg_named *named, uint32_t hash)
{
    for (size_t at = hash & files->mask; files->slots != NULL && files->slots[at].id1 != 0;
         at = (at + 1) & files->mask) {
        if (files->slots[at].hash == hash && is_same(files->all[files->slots[at].id1 - 1], named)) {
            return files->all[files->slots[at].id1 - 1];
        }
    }
    return NULL;
}

const cg_entry *cg_file_find(const cg_state *state, const cg_named *named)
{
    return find(&state->files, named, (uint32_t)hash_of(named));
}

static bool keep(cg_state *state, callgauge_str text, callgauge_str *out)
{
    if (text.len == 0) {
        *out = cg_str(NULL, 0);
        return true;
    }
    if (!cg_arena_str(&state->files.arena, text, out)) {
        state->nomem = true;
        return false;
    }
    return true;
}

/* Sets what `named` tells. False: no memory, and nothing has changed. */
static bool fill(cg_state *state, cg_entry *entry, const cg_named *named)
{
    callgauge_str path, local, peer;
    if (!keep(state, named->path, &path) || !keep(state, named->local, &local) || !keep(state, named->peer, &peer)) {
        return false;
    }
    cg_file *file = &entry->file;
    file->kind = named->kind;
    file->path = path;
    file->local = local;
    file->peer = peer;
    file->local_port = named->local_port;
    file->peer_port = named->peer_port;
    file->relative = named->scope != 0;
    file->opened_before = false;
    entry->scope = named->scope;
    return true;
}

cg_entry *cg_file_new(cg_state *state, const cg_named *named)
{
    cg_files *files = &state->files;
    if (files->count >= state->options.limits.paths) {
        state->counts.dropped_files++;
        return NULL;
    }
    if (files->count == files->room) {
        size_t room = files->room == 0 ? 64 : files->room * 2;
        cg_entry **all = cg_mem_resize(files->all, room * sizeof *all);
        if (all == NULL) {
            state->nomem = true;
            return NULL;
        }
        files->all = all;
        files->room = room;
    }
    cg_entry *entry = cg_arena_alloc(&files->arena, sizeof *entry);
    if (entry == NULL) {
        state->nomem = true;
        return NULL;
    }
    entry->file.id = (uint32_t)files->count;
    entry->file.pid = entry->file.fd = CG_UNKNOWN;
    if (!fill(state, entry, named)) {
        return NULL;
    }
    files->all[files->count++] = entry;
    state->counts.kept_files = files->count;
    return entry;
}

static cg_entry *find_or_make(cg_state *state, const cg_named *named, uint32_t hash)
{
    cg_entry *entry = find(&state->files, named, hash);
    if (entry != NULL || !has_room(state)) {
        return entry;
    }
    entry = cg_file_new(state, named);
    if (entry != NULL) {
        enter(&state->files, entry, hash);
    }
    return entry;
}

cg_entry *cg_file_named(cg_state *state, const cg_named *named)
{
    return find_or_make(state, named, (uint32_t)hash_of(named));
}

/* Finds a path: what most calls that name a file need. */
static cg_entry *find_path(const cg_files *files, callgauge_str path, uint64_t scope, uint32_t hash)
{
    for (size_t at = hash & files->mask; files->slots != NULL && files->slots[at].id1 != 0;
         at = (at + 1) & files->mask) {
        if (files->slots[at].hash == hash) {
            cg_entry *entry = files->all[files->slots[at].id1 - 1];
            const cg_file *file = &entry->file;
            if (file->path.len == path.len && entry->scope == scope &&
                memcmp(file->path.ptr, path.ptr, path.len) == 0 && class_of(file->kind) == CALLGAUGE_FILE_FILE) {
                return entry;
            }
        }
    }
    return NULL;
}

cg_entry *cg_file_at(cg_state *state, callgauge_str path, uint64_t scope, callgauge_file_kind kind)
{
    bool is_path = class_of(kind) == CALLGAUGE_FILE_FILE && path.len > 0;
    uint32_t hash = is_path ? (uint32_t)cg_hash_words(path, scope * 31 + CALLGAUGE_FILE_FILE) : 0;
    cg_entry *known = is_path ? find_path(&state->files, path, scope, hash) : NULL;
    if (known != NULL) {
        known->file.kind = kind == CALLGAUGE_FILE_DIR && known->file.kind == CALLGAUGE_FILE_FILE ? kind
                                                                                                 : known->file.kind;
        return known;
    }
    const cg_named named = { .kind = kind, .path = path, .scope = scope, .local_port = -1, .peer_port = -1 };
    return cg_file_named(state, &named);
}

cg_entry *cg_file_name(cg_state *state, cg_entry *entry, const cg_named *named)
{
    uint32_t hash = (uint32_t)hash_of(named);
    cg_entry *known = find(&state->files, named, hash);
    if (known == entry) {
        return entry;
    }
    if (known != NULL) {
        entry->file.same = known->file.same != NULL ? known->file.same : &known->file;
        return known;
    }
    if (has_room(state) && fill(state, entry, named)) {
        enter(&state->files, entry, hash);
    }
    return entry;
}

cg_entry *cg_file_any(cg_state *state, cg_entry **which, callgauge_file_kind kind)
{
    const cg_named nothing = { .kind = kind, .local_port = -1, .peer_port = -1 };
    if (*which == NULL) {
        *which = cg_file_new(state, &nothing);
    }
    return *which;
}

/* Whether an entry stands for one open file, so that what is learnt of that is true of the entry. */
static bool is_own(const cg_state *state, const cg_entry *entry)
{
    return entry->users <= 1 && entry != state->files.socket && entry != state->files.received &&
           entry != state->files.unnamed;
}

cg_entry *cg_file_ends(cg_state *state, cg_entry *entry, const cg_named *ends)
{
    cg_named all = cg_named_of(entry);
    all.kind = CALLGAUGE_FILE_SOCKET;
    if (ends->path.len > 0) {
        all.path = ends->path;
    }
    if (ends->local.len > 0 || ends->local_port >= 0) {
        all.local = ends->local;
        all.local_port = ends->local_port;
    }
    if (ends->peer.len > 0 || ends->peer_port >= 0) {
        all.peer = ends->peer;
        all.peer_port = ends->peer_port;
    }
    if (is_same(entry, &all)) {
        return entry;
    }
    return is_own(state, entry) ? cg_file_name(state, entry, &all) : cg_file_named(state, &all);
}

callgauge_file_kind cg_kind_of_path(callgauge_str path)
{
    if (!cg_str_starts(path, "/dev/") || cg_str_starts(path, "/dev/shm/")) {
        return CALLGAUGE_FILE_FILE;
    }
    bool tty = cg_str_starts(path, "/dev/pts/") || cg_str_starts(path, "/dev/tty") || cg_str_is(path, "/dev/console");
    return tty ? CALLGAUGE_FILE_TTY : CALLGAUGE_FILE_DEVICE;
}

void cg_files_release(cg_files *files)
{
    cg_mem_free(files->memos);
    cg_mem_free(files->slots);
    cg_mem_free(files->all);
    cg_arena_release(&files->arena);
    *files = (cg_files){ 0 };
}

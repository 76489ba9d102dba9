/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of descriptors: what dup, close, fork and exec do to them, and what a descriptor was at an earlier moment.
 * Invariant: a table that more than one holder has is copied before it changes; but a descriptor from before the
 * capture may be entered at any time, as it is the same for all who have not touched it. At most limits.descriptors
 * slots are kept in all tables; what does not fit is counted. */
#include "base/mem.h"
#include "state/inside.h"

enum { FIRST_SLOTS = 16, FIRST_SHIFT = 28 };

/* ---- open files ---- */

cg_desc *cg_desc_new(cg_state *state, cg_entry *entry)
{
    cg_desc *desc = state->free_descs;
    if (desc != NULL) {
        state->free_descs = desc->is.next_free;
    } else {
        desc = cg_arena_alloc(&state->arena, sizeof *desc);
    }
    if (desc == NULL) {
        state->nomem = true;
        return NULL;
    }
    *desc = (cg_desc){ .number = ++state->descs, .refs = 1 };
    cg_desc_bind(desc, entry);
    return desc;
}

void cg_desc_bind(cg_desc *desc, cg_entry *entry)
{
    desc->is.entry = entry;
    if (entry == NULL) {
        return;
    }
    entry->users += entry->users < UINT32_MAX;
    callgauge_file_kind kind = entry->file.kind;
    desc->positions = kind == CALLGAUGE_FILE_FILE || kind == CALLGAUGE_FILE_DIR || kind == CALLGAUGE_FILE_UNKNOWN ||
                      kind == CALLGAUGE_FILE_DEVICE;
}

void cg_desc_drop(cg_state *state, cg_desc *desc)
{
    if (desc != NULL && --desc->refs == 0) {
        desc->is.next_free = state->free_descs;
        state->free_descs = desc;
    }
}

static cg_desc *share(cg_desc *desc)
{
    if (desc != NULL) {
        desc->refs++;
    }
    return desc;
}

/* ---- tables ---- */

static cg_table *table_new(cg_state *state)
{
    cg_table *table = cg_mem_zeroed(1, sizeof *table);
    if (table == NULL) {
        state->nomem = true;
        return NULL;
    }
    table->refs = 1;
    table->marked[1] = -1;
    return table;
}

static void table_drop(cg_state *state, cg_table *table)
{
    if (table == NULL || --table->refs > 0) {
        return;
    }
    for (size_t i = 0; table->slots != NULL && i <= table->mask; i++) {
        if (table->slots[i].used) {
            cg_desc_drop(state, table->slots[i].desc);
            cg_desc_drop(state, table->slots[i].before);
        }
    }
    state->counts.kept_fds -= table->used;
    cg_mem_free(table->slots);
    table_drop(state, table->origin); /* an origin has none itself */
    cg_mem_free(table);
}

static cg_slot *free_slot(cg_table *table, int32_t fd)
{
    size_t at = cg_table_home(table, fd);
    while (table->slots[at].used) {
        at = (at + 1) & table->mask;
    }
    return &table->slots[at];
}

static bool table_grow(cg_state *state, cg_table *table)
{
    size_t count = table->slots == NULL ? FIRST_SLOTS : (table->mask + 1) * 2;
    cg_slot *old = table->slots, *slots = cg_mem_zeroed(count, sizeof *slots);
    size_t old_count = old == NULL ? 0 : table->mask + 1;
    if (slots == NULL) {
        state->nomem = true;
        return false;
    }
    table->shift = old == NULL ? FIRST_SHIFT : table->shift - 1;
    table->slots = slots;
    table->mask = count - 1;
    for (size_t i = 0; i < old_count; i++) {
        if (old[i].used) {
            *free_slot(table, old[i].fd) = old[i];
        }
    }
    cg_mem_free(old);
    return true;
}

/* The slot of a descriptor, new or old. NULL: limits, no memory. */
static cg_slot *slot_for(cg_state *state, cg_table *table, int64_t fd)
{
    cg_slot *slot = cg_table_find(table, fd);
    if (slot != NULL) {
        return slot;
    }
    if (state->counts.kept_fds >= state->options.limits.descriptors) {
        cg_lives_hush(state);
    }
    if (state->counts.kept_fds >= state->options.limits.descriptors) {
        state->counts.dropped_fds++;
        return NULL;
    }
    if ((table->slots == NULL || table->used * 2 >= table->mask) && !table_grow(state, table)) {
        return NULL;
    }
    slot = free_slot(table, (int32_t)fd);
    *slot = (cg_slot){ .fd = (int32_t)fd, .used = true };
    table->used++;
    state->counts.kept_fds++;
    return slot;
}

/* A table of its own with the same in it; of what is past the limit, as much as fits. */
static cg_table *table_copy(cg_state *state, const cg_table *of)
{
    cg_table *table = table_new(state);
    if (table == NULL) {
        return NULL;
    }
    if (state->counts.kept_fds + of->used > state->options.limits.descriptors) {
        cg_lives_hush(state);
    }
    size_t room = state->options.limits.descriptors - state->counts.kept_fds;
    table->origin = of->origin;
    table->origin_pid = of->origin_pid;
    table->ranges = of->ranges;
    memcpy(table->closed, of->closed, sizeof table->closed);
    memcpy(table->marked, of->marked, sizeof table->marked);
    if (table->origin != NULL) {
        table->origin->refs++;
    }
    if (of->used > room) {
        state->counts.dropped_fds += of->used;
        return table;
    }
    if (of->slots == NULL) {
        return table;
    }
    table->slots = cg_mem_alloc((of->mask + 1) * sizeof *table->slots);
    if (table->slots == NULL) {
        table_drop(state, table);
        state->nomem = true;
        return NULL;
    }
    memcpy(table->slots, of->slots, (of->mask + 1) * sizeof *table->slots);
    table->mask = of->mask;
    table->shift = of->shift;
    table->used = of->used;
    table->open = of->open;
    state->counts.kept_fds += table->used;
    for (size_t i = 0; i <= table->mask; i++) {
        share(table->slots[i].desc);
        share(table->slots[i].before);
    }
    return table;
}

cg_holder *cg_holder_new(cg_state *state, int64_t pid)
{
    cg_holder *holder = cg_mem_zeroed(1, sizeof *holder);
    if (holder == NULL) {
        state->nomem = true;
        return NULL;
    }
    holder->refs = 1;
    holder->table = table_new(state);
    if (holder->table != NULL) {
        holder->table->origin_pid = pid;
        holder->table->origin = table_new(state);
    }
    if (holder->table == NULL || holder->table->origin == NULL) {
        cg_holder_drop(state, holder);
        return NULL;
    }
    return holder;
}

cg_holder *cg_holder_copy(cg_state *state, const cg_holder *of)
{
    cg_holder *holder = cg_mem_zeroed(1, sizeof *holder);
    if (holder == NULL) {
        state->nomem = true;
        return NULL;
    }
    holder->refs = 1;
    holder->table = of->table;
    holder->table->refs++;
    return holder;
}

void cg_holder_drop(cg_state *state, cg_holder *holder)
{
    if (holder != NULL && --holder->refs == 0) {
        table_drop(state, holder->table);
        cg_mem_free(holder);
    }
}

/* The table of a life, its own alone from now on. NULL: no memory, or the life is over. */
static cg_table *own(cg_state *state, cg_life *life)
{
    cg_holder *holder = life->fds;
    if (holder == NULL) {
        return NULL;
    }
    if (holder->table->refs > 1) {
        cg_table *copy = table_copy(state, holder->table);
        if (copy == NULL) {
            return NULL;
        }
        table_drop(state, holder->table);
        holder->table = copy;
    }
    return holder->table;
}

static void note_open(cg_life *life)
{
    uint32_t open = (uint32_t)life->fds->table->open;
    life->shown.open_now = open;
    if (open > life->shown.open_peak) {
        life->shown.open_peak = open;
    }
}

/* ---- from before the capture ---- */

static bool in_closed_range(const cg_table *table, int64_t fd)
{
    for (uint32_t i = 0; i < table->ranges; i++) {
        if (fd >= table->closed[i][0] && fd <= table->closed[i][1]) {
            return true;
        }
    }
    return false;
}

/* The open file that was there when the first process of the line was first seen. */
static cg_desc *before_capture(cg_state *state, const cg_table *table, int64_t fd)
{
    cg_slot *slot = slot_for(state, table->origin, fd);
    if (slot == NULL || slot->desc != NULL) {
        return slot == NULL ? NULL : slot->desc;
    }
    const cg_named nothing = { .kind = CALLGAUGE_FILE_UNKNOWN, .local_port = -1, .peer_port = -1 };
    cg_entry *entry = cg_file_new(state, &nothing);
    if (entry != NULL) {
        entry->file.opened_before = true;
        entry->file.pid = table->origin_pid;
        entry->file.fd = fd;
    }
    slot->desc = state->nomem ? NULL : cg_desc_new(state, entry);
    if (slot->desc != NULL) {
        slot->desc->old = true;
        slot->desc->stranger = true;
    }
    return slot->desc;
}

/* Enters a descriptor from before the capture, for all who share the table. */
static cg_desc *touch(cg_state *state, cg_life *life, int64_t fd)
{
    cg_table *table = life->fds->table;
    if (in_closed_range(table, fd)) {
        return NULL;
    }
    cg_desc *desc = before_capture(state, table, fd);
    cg_slot *slot = desc == NULL ? NULL : slot_for(state, table, fd);
    if (slot == NULL) {
        return NULL;
    }
    slot->desc = share(desc);
    table->open++;
    life->shown.open_at_start++;
    note_open(life);
    return desc;
}

void cg_fd_listed(cg_state *state, cg_life *life)
{
    const cg_listing *listing = state->options.listing;
    if (listing == NULL || life->fds == NULL) {
        return;
    }
    int64_t pid = life->shown.pid;
    bool only = listing->pid_count == 1, listed = pid != CG_UNKNOWN && cg_listing_has_pid(listing, pid);
    bool first = life->parent == NULL;
    if (!listed && only && first && pid == CG_UNKNOWN) {
        pid = state->counts.listing_taken = listing->pids[0];
    } else if (!listed && only && first && state->options.any_pid) {
        pid = listing->pids[0];
    } else if (!listed) {
        return;
    }
    state->counts.listing_used = true;
    for (size_t i = 0; i < listing->count && !state->nomem; i++) {
        const cg_listed *row = &listing->rows[i];
        if (row->pid != pid || !cg_is_fd(row->fd)) {
            continue;
        }
        cg_slot *slot = cg_table_find(life->fds->table, row->fd);
        cg_desc *desc = slot == NULL ? touch(state, life, row->fd) : slot->desc;
        if (desc == NULL || desc->is.entry == NULL || !desc->is.entry->file.opened_before) {
            continue;
        }
        const cg_named named = { .kind = row->kind,
                                 .path = row->path,
                                 .local = row->local,
                                 .peer = row->peer,
                                 .local_port = row->local_port,
                                 .peer_port = row->peer_port };
        bool has_ends = row->local.len + row->peer.len > 0 || row->local_port >= 0 || row->peer_port >= 0;
        if (row->path.len == 0 && !has_ends) {
            desc->is.entry->file.kind = row->kind;
        } else {
            cg_desc_bind(desc, cg_file_name(state, desc->is.entry, &named));
        }
        if (row->offset != CG_UNKNOWN && desc->positions) {
            desc->at = row->offset;
            desc->known = true;
        }
    }
}

/* ---- what the events do ---- */

cg_desc *cg_fd_at(cg_state *state, cg_life *life, int64_t fd, uint64_t when)
{
    if (life->fds == NULL || !cg_is_fd(fd)) {
        return NULL;
    }
    cg_slot *slot = cg_table_find(life->fds->table, fd);
    if (slot == NULL) {
        return touch(state, life, fd);
    }
    if (when >= slot->since) {
        return slot->desc;
    }
    if (when >= slot->until) {
        return NULL;
    }
    return slot->before == NULL && slot->fresh ? before_capture(state, life->fds->table, fd) : slot->before;
}

cg_desc *cg_fd_unseen(cg_state *state, cg_life *life, int64_t fd)
{
    cg_slot *slot = life->fds == NULL ? NULL : cg_table_find(life->fds->table, fd);
    bool was_closed = slot != NULL || (life->fds != NULL && in_closed_range(life->fds->table, fd));
    if (!was_closed || (slot != NULL && state->began < slot->since)) {
        return NULL;
    }
    cg_entry *entry = cg_file_any(state, &state->files.received, CALLGAUGE_FILE_UNKNOWN);
    cg_desc *desc = cg_desc_new(state, entry);
    if (desc != NULL) {
        desc->stranger = true;
        cg_fd_set(state, life, fd, desc, false);
    }
    slot = cg_table_find(life->fds->table, fd);
    return slot == NULL ? NULL : slot->desc;
}

/* Puts `desc` (kept; NULL: closed) into a slot, which remembers what was there. */
static void put(cg_state *state, cg_table *table, cg_slot *slot, cg_desc *desc, bool cloexec)
{
    table->open += (size_t)(desc != NULL) - (size_t)(slot->desc != NULL);
    if (slot->desc != NULL || slot->since == 0) {
        cg_desc_drop(state, slot->before);
        slot->fresh = slot->desc == NULL;
        slot->before = slot->desc;
        slot->until = state->now;
    }
    slot->desc = desc;
    slot->cloexec = cloexec;
    slot->by_exec = false;
    slot->since = state->now;
}

void cg_fd_set(cg_state *state, cg_life *life, int64_t fd, cg_desc *desc, bool cloexec)
{
    cg_table *table = cg_is_fd(fd) ? own(state, life) : NULL;
    cg_slot *slot = table == NULL ? NULL : slot_for(state, table, fd);
    if (slot == NULL) {
        cg_desc_drop(state, desc);
        return;
    }
    put(state, table, slot, desc, cloexec);
    note_open(life);
}

void cg_fd_close(cg_state *state, cg_life *life, int64_t fd)
{
    cg_slot *slot = life->fds == NULL || !cg_is_fd(fd) ? NULL : cg_table_find(life->fds->table, fd);
    if (slot != NULL && (slot->desc == NULL || state->began < slot->since)) {
        return; /* closed already, or opened anew while the call ran */
    }
    if (slot != NULL && slot->desc->stranger) {
        cg_stray_note(state, life, fd);
    }
    if (slot != NULL && life->fds->table->refs == 1) {
        put(state, life->fds->table, slot, NULL, false);
        note_open(life);
        return;
    }
    cg_fd_set(state, life, fd, NULL, false);
}

void cg_fd_cloexec(cg_state *state, cg_life *life, int64_t fd, bool cloexec)
{
    cg_slot *slot = life->fds == NULL || !cg_is_fd(fd) ? NULL : cg_table_find(life->fds->table, fd);
    if (slot == NULL || slot->desc == NULL || slot->cloexec == cloexec) {
        return;
    }
    cg_table *table = own(state, life);
    slot = table == NULL ? NULL : cg_table_find(table, fd);
    if (slot != NULL) {
        slot->cloexec = cloexec;
    }
}

/* Closes every descriptor that is open in a table and fits. */
static void close_where(cg_state *state, cg_table *table, int64_t from, int64_t to, bool only_cloexec, bool mark)
{
    for (size_t i = 0; table->slots != NULL && i <= table->mask; i++) {
        cg_slot *slot = &table->slots[i];
        bool fits = slot->used && slot->desc != NULL && slot->fd >= from && slot->fd <= to;
        if (!fits || (only_cloexec && !slot->cloexec)) {
            continue;
        }
        if (mark) {
            slot->cloexec = true;
        } else {
            put(state, table, slot, NULL, false);
            slot->by_exec = only_cloexec;
        }
    }
}

static void add_closed(cg_table *table, int64_t from, int64_t to)
{
    if (table->ranges < CG_CLOSED_RANGES) {
        table->closed[table->ranges][0] = from;
        table->closed[table->ranges++][1] = to;
    }
}

void cg_fd_range(cg_state *state, cg_life *life, int64_t from, int64_t to, bool cloexec)
{
    cg_table *table = own(state, life);
    if (table == NULL) {
        return;
    }
    close_where(state, table, from, to, false, cloexec);
    if (cloexec) {
        table->marked[0] = from;
        table->marked[1] = to;
    } else {
        add_closed(table, from, to);
    }
    note_open(life);
}

void cg_fd_unshare(cg_state *state, cg_life *life)
{
    if (life->fds == NULL || life->fds->refs == 1) {
        return;
    }
    cg_holder *holder = cg_holder_copy(state, life->fds);
    if (holder != NULL) {
        cg_holder_drop(state, life->fds);
        life->fds = holder;
    }
}

static bool has_cloexec(const cg_table *table)
{
    if (table->marked[0] <= table->marked[1]) {
        return true;
    }
    for (size_t i = 0; table->slots != NULL && i <= table->mask; i++) {
        if (table->slots[i].used && table->slots[i].desc != NULL && table->slots[i].cloexec) {
            return true;
        }
    }
    return false;
}

void cg_fd_exec(cg_state *state, cg_life *life)
{
    cg_fd_unshare(state, life);
    if (life->fds == NULL || !has_cloexec(life->fds->table)) {
        return;
    }
    cg_table *table = own(state, life);
    if (table != NULL) {
        close_where(state, table, 0, INT32_MAX, true, false);
        if (table->marked[0] <= table->marked[1]) {
            add_closed(table, table->marked[0], table->marked[1]);
            table->marked[1] = table->marked[0] - 1;
        }
        note_open(life);
    }
}

void cg_fd_merge(cg_state *state, cg_life *life, const cg_life *other)
{
    cg_table *table = other->fds == NULL ? NULL : own(state, life);
    const cg_table *from = other->fds == NULL ? NULL : other->fds->table;
    for (size_t i = 0; table != NULL && from->slots != NULL && i <= from->mask; i++) {
        const cg_slot *newer = &from->slots[i];
        const cg_slot *old = newer->used ? cg_table_find(table, newer->fd) : NULL;
        bool takes = newer->used && (old == NULL || newer->since > old->since);
        cg_slot *slot = takes ? slot_for(state, table, newer->fd) : NULL;
        if (slot != NULL) {
            put(state, table, slot, share(newer->desc), newer->cloexec);
            slot->since = newer->since;
        }
    }
}

void cg_fd_relink(cg_state *state, cg_life *life, const cg_life *parent)
{
    if (life->fds == NULL || parent->fds == NULL || life->fds->refs > 1) {
        return;
    }
    cg_table *mine = life->fds->table, *table = table_copy(state, parent->fds->table);
    if (table == NULL) {
        return;
    }
    if (life->execed) {
        close_where(state, table, 0, INT32_MAX, true, false);
    }
    for (size_t i = 0; mine->slots != NULL && i <= mine->mask; i++) {
        const cg_slot *changed = &mine->slots[i];
        bool is_own = changed->used && changed->since >= life->birth && !changed->by_exec;
        cg_slot *slot = is_own ? slot_for(state, table, changed->fd) : NULL;
        if (slot != NULL) {
            put(state, table, slot, share(changed->desc), changed->cloexec);
            slot->since = changed->since;
        }
    }
    table_drop(state, mine);
    life->fds->table = table;
    life->shown.open_at_start = (uint32_t)parent->fds->table->open;
    note_open(life);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Lives of processes and their threads: who a line belongs to, whose child a new process is, when a pid becomes
 * another's. A child often prints before its parent's call has a result; then its parent is looked for among the calls
 * that have none, and corrected when the result comes.
 * Invariant: a parent has lived when its child was made, so no process is its own ancestor. */
#include <stdlib.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "state/inside.h"

enum {
    MOST_SEARCHED = 4096, /* slots of open calls among which a parent is looked for */
    MOST_CLIMBED = 64,    /* ancestors among which a child is looked for */
    THREADS_A_PROCESS = 16,
    MOST_STRAYS = 65536, /* descriptors by number whose strange closes are remembered */
    MOST_MERGES = 1024
};

/* ---- maps ---- */

static size_t map_home(const cg_map *map, uint64_t key)
{
    return (size_t)(key * 0x9E3779B97F4A7C15u >> 32) & map->mask;
}

void *cg_map_find(const cg_map *map, uint64_t key)
{
    if (map->slots == NULL) {
        return NULL;
    }
    size_t at = map_home(map, key);
    while (map->slots[at].value != NULL && map->slots[at].key != key) {
        at = (at + 1) & map->mask;
    }
    return map->slots[at].value;
}

static cg_map_slot *map_slot(const cg_map *map, uint64_t key)
{
    size_t at = map_home(map, key);
    while (map->slots[at].value != NULL && map->slots[at].key != key) {
        at = (at + 1) & map->mask;
    }
    return &map->slots[at];
}

bool cg_map_put(cg_map *map, uint64_t key, void *value)
{
    if (map->slots == NULL || map->count * 2 >= map->mask) {
        cg_map bigger = { .mask = map->slots == NULL ? 63 : map->mask * 2 + 1, .count = map->count };
        bigger.slots = cg_mem_zeroed(bigger.mask + 1, sizeof *bigger.slots);
        if (bigger.slots == NULL) {
            return false;
        }
        for (size_t i = 0; map->slots != NULL && i <= map->mask; i++) {
            if (map->slots[i].value != NULL) {
                *map_slot(&bigger, map->slots[i].key) = map->slots[i];
            }
        }
        cg_mem_free(map->slots);
        *map = bigger;
    }
    cg_map_slot *slot = map_slot(map, key);
    map->count += slot->value == NULL;
    *slot = (cg_map_slot){ key, value };
    return true;
}

/* ---- making and ending ---- */

cg_life *cg_life_of(const cg_state *state, int64_t pid)
{
    return cg_map_find(&state->lives, (uint64_t)pid);
}

static bool room_for_life(cg_state *state)
{
    if (state->life_count >= state->options.limits.processes) {
        state->counts.dropped_processes++;
        return false;
    }
    if (state->life_count < state->life_room) {
        return true;
    }
    size_t room = state->life_room == 0 ? 64 : state->life_room * 2;
    cg_life **all = cg_mem_resize(state->all_lives, room * sizeof *all);
    if (all == NULL) {
        state->nomem = true;
        return false;
    }
    state->all_lives = all;
    state->life_room = room;
    return true;
}

static void inherit(cg_life *life, const cg_life *parent)
{
    if (!life->execed) {
        life->shown.program = parent->shown.program;
        life->shown.argv = parent->shown.argv;
    }
    if (!life->moved) {
        life->cwd = parent->cwd;
        life->cwd_scope = parent->cwd_scope;
        life->root = parent->root;
    }
}

static void set_parent(cg_life *life, cg_life *parent)
{
    life->parent = parent;
    life->shown.parent = &parent->shown;
    life->shown.born = true;
}

/* A new life of a pid, with a copy of its parent's table (`shares`: with the same one), or with what was open
 * before. */
static cg_life *life_new(cg_state *state, int64_t pid, cg_life *parent, bool shares)
{
    cg_life *earlier = cg_life_of(state, pid);
    if (!room_for_life(state)) {
        return NULL;
    }
    if (earlier != NULL) {
        cg_life_end(state, earlier);
    }
    cg_life *life = cg_arena_alloc(&state->arena, sizeof *life);
    cg_holder *fds = NULL;
    if (life != NULL && parent != NULL && parent->fds != NULL) {
        fds = shares ? parent->fds : cg_holder_copy(state, parent->fds);
        fds == NULL || !shares ? (void)0 : (void)fds->refs++;
    } else if (life != NULL) {
        fds = cg_holder_new(state, pid);
    }
    if (fds == NULL || !cg_map_put(&state->lives, (uint64_t)pid, life)) {
        cg_holder_drop(state, fds);
        state->nomem = true;
        return NULL;
    }
    life->fds = fds;
    state->silent++;
    life->birth = state->began;
    life->reader = state->reader;
    life->cwd_scope = ++state->scopes;
    life->shown = (cg_process){ .id = (uint32_t)state->life_count,
                                .life = earlier == NULL ? 1 : earlier->shown.life + 1,
                                .pid = pid,
                                .start_ns = CG_UNKNOWN,
                                .end_ns = CG_UNKNOWN,
                                .exit_code = CG_UNKNOWN };
    state->all_lives[state->life_count++] = life;
    state->counts.kept_processes = state->life_count;
    if (parent != NULL) {
        inherit(life, parent);
        set_parent(life, parent);
    }
    life->shown.open_at_start = life->shown.open_now = life->shown.open_peak = (uint32_t)fds->table->open;
    state->young = life;
    cg_fd_listed(state, life);
    state->young = NULL;
    return life;
}

static cg_task *task_new(cg_state *state, uint64_t key, int64_t tid, cg_life *life)
{
    if (life == NULL) {
        return NULL;
    }
    if (state->task_count >= state->options.limits.processes * THREADS_A_PROCESS) {
        state->counts.dropped_processes++;
        return NULL;
    }
    cg_task *task = cg_arena_alloc(&state->arena, sizeof *task);
    if (task == NULL || !cg_map_put(&state->tasks, key, task)) {
        state->nomem = true;
        return NULL;
    }
    *task = (cg_task){ .shown = { .id = (uint32_t)state->task_count++, .tid = tid, .process = &life->shown },
                       .life = life,
                       .key = key,
                       .birth = state->began,
                       .reader = state->reader };
    task->next = life->first;
    life->first = task;
    life->tasks++;
    if (state->last_key == key) {
        state->last_task = NULL;
    }
    state->recent[(key >> 32 ^ key) % CG_RECENT] = (cg_recent){ key, task };
    return task;
}

void cg_lives_hush(cg_state *state)
{
    for (size_t i = 0; state->silent > 0 && i < state->life_count; i++) {
        cg_life *life = state->all_lives[i];
        if (!life->announced && life->fds != NULL && life != state->young) {
            cg_life_end(state, life);
        }
    }
}

void cg_life_end(cg_state *state, cg_life *life)
{
    life->gone = true;
    state->silent -= !life->announced && life->fds != NULL;
    cg_holder_drop(state, life->fds);
    life->fds = NULL;
}

void cg_task_end(cg_state *state, cg_task *task)
{
    if (task->state == CG_TASK_ENDED) {
        return;
    }
    task->state = CG_TASK_ENDED;
    if (--task->life->tasks == 0) {
        task->life->shown.ended = true;
        cg_life_end(state, task->life);
    }
}

/* ---- parents ---- */

static bool is_spawn(const callgauge_call_name *call)
{
    return call->does == CG_DOES_FORK || call->does == CG_DOES_CLONE;
}

/* The open spawn call whose child has not been seen, the oldest one; its caller to *caller. */
static const cg_open_call *open_spawn(cg_state *state, cg_task **caller)
{
    const cg_open_calls *open = state->open_calls;
    const cg_open_call *found = NULL;
    if (open == NULL || open->count == 0 || open->sorted || open->mask >= MOST_SEARCHED) {
        return NULL;
    }
    for (size_t i = 0; i <= open->mask; i++) {
        const cg_open_call *call = &open->slots[i];
        bool is_later = state->base + call->line >= state->began;
        if (call->call == NULL || is_later || !is_spawn(call->call) || (found != NULL && found->line < call->line)) {
            continue;
        }
        cg_task *task = cg_map_find(&state->tasks, call->key);
        if (task != NULL && task->claimed != call->line && task->state == CG_TASK_RUNS && !task->life->gone) {
            found = call;
            *caller = task;
        }
    }
    return found;
}

static bool shares_files(callgauge_str args)
{
    return cg_str_find(args, "CLONE_FILES") < args.len;
}

static bool makes_thread(callgauge_str args)
{
    return cg_str_find(args, "CLONE_THREAD") < args.len;
}

/* The thread of a pid that has just been seen for the first time, or again after its end. */
static cg_task *first_sight(cg_state *state, uint64_t key, int64_t pid)
{
    cg_task *caller = NULL;
    const cg_open_call *call = pid == CG_UNKNOWN ? NULL : open_spawn(state, &caller);
    if (call == NULL) {
        return task_new(state, key, pid, life_new(state, pid, NULL, false));
    }
    callgauge_str args = cg_str(call->args, call->args_len);
    bool is_thread = call->call->does == CG_DOES_CLONE && makes_thread(args);
    cg_life *life = is_thread ? caller->life : life_new(state, pid, caller->life, shares_files(args));
    if (life != NULL) {
        caller->claimed = call->line;
        life->awaited = life->awaited || !is_thread;
        life->guess = is_thread ? life->guess : caller;
    }
    return task_new(state, key, pid, life);
}

/* The thread of the child's side of a fork, which tells its parent. */
static cg_task *told_child(cg_state *state, uint64_t key, int64_t pid, int64_t tid, int64_t parent_pid)
{
    cg_life *parent = cg_life_of(state, parent_pid);
    if (parent == NULL || parent->gone) {
        parent = parent_pid == pid ? NULL : life_new(state, parent_pid, NULL, false);
    }
    cg_life *life = parent == NULL ? NULL : life_new(state, pid, parent, false);
    if (life != NULL) {
        life->awaited = true;
    }
    return task_new(state, key, tid, life);
}

/* Whether a line of a thread shows that another life of its pid has begun. */
static bool is_another(const cg_state *state, const cg_task *task, const callgauge_event *event)
{
    if (event->kind != CALLGAUGE_EVENT_CALL) {
        return false;
    }
    if (task->state == CG_TASK_ENDED || task->life->gone) {
        return true;
    }
    return task->state == CG_TASK_EXITS && state->began > task->exits && task->reader == state->reader;
}

static cg_task *find_or_make(cg_state *state, const callgauge_event *event, uint64_t key)
{
    bool has_pid = (event->has & CALLGAUGE_HAS_PID) != 0, has_tid = (event->has & CALLGAUGE_HAS_TID) != 0;
    int64_t pid = has_pid ? event->pid : CG_UNKNOWN, tid = has_tid ? event->tid : pid;
    cg_task *task = cg_map_find(&state->tasks, key);
    if (task != NULL && !is_another(state, task, event)) {
        return task;
    }
    if (event->kind == CALLGAUGE_EVENT_NOTICE) {
        return NULL;
    }
    if (task != NULL) {
        cg_task_end(state, task);
    }
    if ((event->flags & CALLGAUGE_CALL_CHILD) != 0 && is_spawn(event->call) && has_pid &&
        (event->has & CALLGAUGE_HAS_VALUE) != 0) {
        cg_life *known = cg_life_of(state, pid); /* made by the parent's result, and not seen yet */
        if (known == NULL || known->announced || known->gone) {
            return told_child(state, key, pid, tid, event->value);
        }
        return task_new(state, key, tid, known);
    }
    cg_life *life = cg_life_of(state, pid);
    if (has_tid || (life != NULL && !life->announced)) {
        bool old = life != NULL && !life->gone;
        return task_new(state, key, tid, old ? life : life_new(state, pid, NULL, false));
    }
    return first_sight(state, key, pid);
}

cg_task *cg_task_of(cg_state *state, const callgauge_event *event, uint64_t key)
{
    cg_task *task = find_or_make(state, event, key);
    state->last_key = key;
    state->last_task = task;
    state->recent[(key >> 32 ^ key) % CG_RECENT] = (cg_recent){ key, task };
    return task;
}

/* Whether `life` is `of` or one of its ancestors, or so far up that it may be. */
static bool is_above(const cg_life *life, const cg_life *of)
{
    if (life->shown.id > of->shown.id && of->parent == NULL) {
        return false;
    }
    int steps = 0;
    for (; of != NULL && steps < MOST_CLIMBED; steps++, of = of->parent) {
        if (of == life) {
            return true;
        }
    }
    return of != NULL;
}

/* The result has told whose child a life is that was seen before it. */
static void confirm(cg_state *state, cg_life *child, const cg_task *task)
{
    cg_life *parent = task->life;
    if (child->guess != NULL && child->guess != task) {
        child->guess->claimed = 0; /* its own child is still to be seen */
    }
    child->guess = NULL;
    child->awaited = false;
    if (child->parent == parent || is_above(child, parent)) {
        return;
    }
    if (child->reader == state->reader) {
        cg_fd_relink(state, child, parent);
    }
    inherit(child, parent);
    set_parent(child, parent);
}

/* Makes the threads of `other` threads of `life`. */
static void merge(cg_state *state, cg_life *life, cg_life *other)
{
    cg_task *task = other->first;
    if (task == NULL || state->merges >= MOST_MERGES || life == other) {
        return;
    }
    state->merges++;
    for (;; task = task->next) {
        task->life = life;
        task->shown.process = &life->shown;
        if (task->next == NULL) {
            break;
        }
    }
    task->next = life->first;
    life->first = other->first;
    life->tasks += other->tasks;
    cg_fd_merge(state, life, other);
    other->first = NULL;
    other->tasks = 0;
    other->shown.same = &life->shown;
    cg_life_end(state, other);
}

void cg_stray_note(cg_state *state, cg_life *life, int64_t fd)
{
    cg_stray *stray = cg_map_find(&state->strays, (uint64_t)fd);
    if (life->parent != NULL || life->shown.pid == CG_UNKNOWN) {
        return;
    }
    if (stray == NULL) {
        stray = state->strays.count < MOST_STRAYS ? cg_arena_alloc(&state->arena, sizeof *stray) : NULL;
        if (stray == NULL || !cg_map_put(&state->strays, (uint64_t)fd, stray)) {
            state->nomem = state->nomem || state->strays.count < MOST_STRAYS;
            return;
        }
    }
    *stray = (cg_stray){ life, state->now };
}

void cg_stray_judge(cg_state *state, cg_life *life, int64_t fd, uint64_t since)
{
    const cg_stray *stray = cg_map_find(&state->strays, (uint64_t)fd);
    if (stray == NULL || stray->when <= since || life->parent != NULL || stray->life->gone ||
        stray->life->reader != life->reader || life->execed || stray->life->execed) {
        return;
    }
    cg_life *other = stray->life;
    bool first = life->shown.id < other->shown.id;
    merge(state, first ? life : other, first ? other : life);
}

static void join_thread(cg_state *state, cg_task *task, int64_t tid)
{
    uint64_t key = cg_open_key(tid, 0);
    cg_task *thread = cg_map_find(&state->tasks, key);
    bool is_new = thread != NULL && thread->birth >= state->began && thread->reader == state->reader;
    if (!is_new) {
        if (thread != NULL) {
            cg_task_end(state, thread);
        }
        task_new(state, key, tid, task->life);
        return;
    }
    if (thread->life != task->life && thread->state == CG_TASK_RUNS && thread->life->first == thread &&
        thread->next == NULL) {
        merge(state, task->life, thread->life);
    }
}

cg_life *cg_spawned(cg_state *state, cg_task *task, const callgauge_event *event)
{
    bool clone = event->call->does == CG_DOES_CLONE;
    if (clone && makes_thread(event->args)) {
        join_thread(state, task, event->value);
        return NULL;
    }
    cg_life *child = cg_life_of(state, event->value);
    cg_task *main = cg_map_find(&state->tasks, cg_open_key(event->value, 0));
    bool seen = child != NULL && (child->birth >= state->began || child->awaited || child->reader != state->reader);
    bool lost = child != NULL && child->parent == NULL && !child->gone && child->shown.id != 0;
    if (child != NULL && child != task->life && (seen || lost)) {
        confirm(state, child, task);
        return child;
    }
    if (main != NULL) {
        cg_task_end(state, main);
    }
    return life_new(state, event->value, task->life, clone && shares_files(event->args));
}

/* ---- ends ---- */

static void set_signal(cg_state *state, cg_process *process, callgauge_str name)
{
    int64_t id = cg_intern_add(&state->words, name);
    state->nomem = state->nomem || id == CG_INTERN_NOMEM;
    process->exit_code = CG_UNKNOWN;
    process->exit_signal = id < 0 ? cg_str(NULL, 0) : state->words.texts[id];
}

/* "[{WIFEXITED(s) && WEXITSTATUS(s) == 0}]", "[{WIFSIGNALED(s) && WTERMSIG(s) == SIGKILL}]" */
void cg_life_reaped(cg_state *state, cg_life *child, const callgauge_event *event)
{
    static const char CODE[] = "WEXITSTATUS(s) == ", SIGNAL[] = "WTERMSIG(s) == ";
    callgauge_str text = event->args;
    cg_process *process = &child->shown;
    size_t code_at = cg_str_find(text, CODE), signal_at = cg_str_find(text, SIGNAL);
    bool known = process->exit_code != CG_UNKNOWN || process->exit_signal.len > 0;
    const char *at = text.ptr + code_at + sizeof CODE - 1, *end = text.ptr + text.len;
    int64_t code;
    if (known || child->gone) {
        return;
    }
    if (code_at < text.len && cg_read_i64(&at, end, &code)) {
        process->exit_code = code;
    } else if (signal_at < text.len) {
        const char *name = text.ptr + signal_at + sizeof SIGNAL - 1, *p = name;
        while (p < end && cg_is_word(*p)) {
            p++;
        }
        set_signal(state, process, cg_str_range(name, p));
    } else {
        return;
    }
    process->ended = true;
    if (!child->announced && state->task->life->shown.pid == CG_UNKNOWN) {
        cg_life_end(state, child); /* lines have no pid: none of the child will come */
    }
}

/* "exited with 0", "killed by SIGSEGV (core dumped)" */
void cg_exit_event(cg_state *state, cg_task *task, const callgauge_event *event)
{
    static const char EXITED[] = "exited with ", KILLED[] = "killed by ";
    cg_process *process = &task->life->shown;
    bool leads = task->shown.tid == process->pid || task->life->tasks <= 1;
    if (leads && cg_str_starts(event->note, EXITED)) {
        const char *at = event->note.ptr + sizeof EXITED - 1, *end = event->note.ptr + event->note.len;
        int64_t code;
        process->exit_code = cg_read_i64(&at, end, &code) ? code : CG_UNKNOWN;
    } else if (leads && cg_str_starts(event->note, KILLED)) {
        callgauge_str name = cg_str(event->note.ptr + sizeof KILLED - 1, event->note.len - (sizeof KILLED - 1));
        name.len = cg_str_find(name, " ");
        set_signal(state, process, name);
    }
    process->ended = process->ended || leads;
    cg_task_end(state, task);
}

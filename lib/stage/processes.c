/* SPDX-License-Identifier: Apache-2.0 */
/* Counts what each life of a process called, how its threads spent their time, and which programs ran in it.
 * Invariant: `slots` is at most half full and holds, for pids that nobody follows, life index + 1; 0 is empty. The
 * image of a life is looked at anew at each of its events, since an exec has its effect only after the stages. */
#include "stage/processes.h"

#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"
#include "event/annotation.h"
#include "stage/argv.h"
#include "stage/by_id.h"
#include "stage/programs.h"
#include "stage/waits.h"

enum { FIRST_SLOTS = 64 };

/* A process from birth to end. */
typedef struct life {
    const cg_process *process; /* NULL: not followed */
    callgauge_process_row row; /* counts only; first and last stamp as start_ns, end_ns */
    const cg_lexer *lexer;     /* of its calls */
    const char *image;         /* process->program when it was looked at last */
    size_t image_len;
    uint32_t program;      /* its id */
    cg_program_calls told; /* of the row, what the programs have been told */
    uint32_t caller;       /* the program that called the exec which is not settled yet */
    bool exec_pending;
    bool alive;      /* `program` was started by an exec and its end was not seen */
    int64_t exec_ns; /* when the last exec ended; CALLGAUGE_UNKNOWN */
    uint32_t at;     /* its row in the report */
} life;

typedef struct thread {
    const cg_thread *known; /* NULL: not seen */
    uint32_t life;
    struct life *of;           /* that life, as long as its process has not changed */
    int64_t first_ns, last_ns; /* stamps */
    int64_t working_ns, waiting_ns;
} thread;

typedef struct processes {
    cg_processes_options options;
    cg_by_id lives;    /* life by index */
    cg_by_id followed; /* uint32_t, index + 1, by cg_process.id */
    cg_by_id threads;  /* thread by cg_thread.id */
    size_t count, limit;
    size_t thread_count;
    uint32_t *slots;
    size_t mask; /* slots - 1 */
    size_t unfollowed;
    cg_programs programs;
    const cg_thread *last_known; /* of the event before, NULL: none; nearly always of the next one too */
    life *last_life;
    thread *last_thread;
    bool has_wall, has_stamps;
    uint64_t dropped; /* events of processes and threads past the limit */
} processes;

static life *life_at(const processes *self, size_t index)
{
    return cg_by_id_find(&self->lives, index);
}

/* A new life; its index + 1, 0: no memory. */
static uint32_t begin_life(processes *self, const cg_process *process, int64_t pid)
{
    life *fresh = cg_by_id_get(&self->lives, self->count);
    if (fresh == NULL) {
        return 0;
    }
    *fresh = (life){ .process = process,
                     .exec_ns = CALLGAUGE_UNKNOWN,
                     .row = { .pid = pid },
                     .told = { .cpu_ns = CALLGAUGE_UNKNOWN, .wall_ns = CALLGAUGE_UNKNOWN } };
    cg_process_row_init(&fresh->row);
    return (uint32_t)++self->count;
}

/* The slot of a pid, or the empty one where it belongs. */
static uint32_t *slot_of(const processes *self, int64_t pid)
{
    size_t at = (size_t)((uint64_t)pid * 0x9E3779B97F4A7C15u >> 32) & self->mask;
    while (self->slots[at] != 0 && life_at(self, self->slots[at] - 1)->row.pid != pid) {
        at = (at + 1) & self->mask;
    }
    return &self->slots[at];
}

static bool grow_slots(processes *self)
{
    size_t slots = self->slots == NULL ? FIRST_SLOTS : (self->mask + 1) * 2;
    uint32_t *old = self->slots, *fresh = cg_mem_zeroed(slots, sizeof *fresh);
    size_t old_count = old == NULL ? 0 : self->mask + 1;
    if (fresh == NULL) {
        return false;
    }
    self->slots = fresh;
    self->mask = slots - 1;
    for (size_t i = 0; i < old_count; i++) {
        if (old[i] != 0) {
            *slot_of(self, life_at(self, old[i] - 1)->row.pid) = old[i];
        }
    }
    cg_mem_free(old);
    return true;
}

/* Where the index + 1 of the event's life is kept; NULL: no memory. */
static uint32_t *index_of(processes *self, const cg_process *process, int64_t pid)
{
    if (process != NULL) {
        return cg_by_id_get(&self->followed, process->id);
    }
    bool full = self->slots == NULL || self->unfollowed == (self->mask + 1) / 2;
    return full && !grow_slots(self) ? NULL : slot_of(self, pid);
}

/* False: no memory. NULL in `out`: past the limit. */
static bool life_of(processes *self, const callgauge_event *event, life **out, uint32_t *index)
{
    const cg_annotation *known = event->annotation;
    const cg_process *process = known == NULL ? NULL : known->process;
    int64_t pid = (event->has & CALLGAUGE_HAS_PID) != 0 ? event->pid : CALLGAUGE_UNKNOWN;
    uint32_t *at = index_of(self, process, process != NULL ? process->pid : pid);
    if (at == NULL) {
        return false;
    }
    if (*at == 0 && self->count >= self->limit) {
        *out = NULL;
        return true;
    }
    if (*at == 0) {
        *at = begin_life(self, process, process != NULL ? process->pid : pid);
        if (*at == 0) {
            return false;
        }
        self->unfollowed += process == NULL;
    }
    *index = *at - 1;
    *out = life_at(self, *index);
    return true;
}

/* --- programs --- */

static int64_t time_more(int64_t now, int64_t before)
{
    return now == CALLGAUGE_UNKNOWN || before == CALLGAUGE_UNKNOWN ? now : now - before;
}

/* Tells the program that runs what was called since it was told last. */
static void tell_program(processes *self, life *of)
{
    const callgauge_process_row *row = &of->row;
    const cg_program_calls now = {
        row->calls, row->errors, row->cpu_calls, row->wall_calls, row->cpu_ns, row->wall_ns
    };
    const cg_program_calls *told = &of->told;
    const cg_program_calls made = {
        .calls = now.calls - told->calls,
        .errors = now.errors - told->errors,
        .cpu_calls = now.cpu_calls - told->cpu_calls,
        .wall_calls = now.wall_calls - told->wall_calls,
        .cpu_ns = time_more(now.cpu_ns, told->cpu_ns),
        .wall_ns = time_more(now.wall_ns, told->wall_ns),
    };
    if (of->program != CG_PROGRAM_NONE && made.calls > 0) {
        cg_programs_calls(&self->programs, of->program, &made);
    }
    of->told = now;
}

/* Whether there is anything for settle_image() to do. */
static inline bool has_news(const life *of)
{
    const cg_process *process = of->process;
    return process != NULL &&
           (process->program.ptr != of->image || process->program.len != of->image_len || of->exec_pending);
}

/* Looks which image a life runs now, and counts its start when an exec has brought it. */
static bool settle_image(processes *self, life *of)
{
    callgauge_str image = of->process->program;
    if (image.ptr != of->image || image.len != of->image_len) {
        tell_program(self, of);
        of->image = image.ptr;
        of->image_len = image.len;
        if (!cg_programs_find(&self->programs, image, &of->program)) {
            return false;
        }
    }
    if (!of->exec_pending) {
        return true;
    }
    of->exec_pending = false;
    of->alive = of->program != CG_PROGRAM_NONE;
    return !of->alive || cg_programs_start(&self->programs, of->program, of->caller);
}

static int64_t time_since(int64_t from, int64_t to)
{
    return from == CALLGAUGE_UNKNOWN || to == CALLGAUGE_UNKNOWN ? CALLGAUGE_UNKNOWN : to < from ? 0 : to - from;
}

static void end_image(processes *self, life *of, int64_t ns)
{
    if (of->alive) {
        cg_programs_end(&self->programs, of->program, time_since(of->exec_ns, ns));
        of->alive = false;
    }
}

static int64_t first_stamp(const callgauge_event *event)
{
    if ((event->has & CALLGAUGE_HAS_START) != 0) {
        return event->start_ns;
    }
    return (event->has & CALLGAUGE_HAS_END) != 0 ? event->end_ns : CALLGAUGE_UNKNOWN;
}

static int64_t last_stamp(const callgauge_event *event)
{
    if ((event->has & CALLGAUGE_HAS_END) != 0) {
        return event->end_ns;
    }
    return (event->has & CALLGAUGE_HAS_START) != 0 ? event->start_ns : CALLGAUGE_UNKNOWN;
}

static void begin_image(processes *self, life *of, const callgauge_event *event)
{
    int64_t ns = last_stamp(event);
    end_image(self, of, ns);
    of->exec_pending = true;
    of->caller = of->program;
    of->exec_ns = ns;
}

/* --- events --- */

static inline void add_time(int64_t *sum, int64_t ns)
{
    *sum = *sum == CALLGAUGE_UNKNOWN ? ns : cg_add_ns(*sum, ns);
}

static inline void count_times(callgauge_process_row *row, const callgauge_event *event)
{
    int64_t ns = event->duration_ns < 0 ? 0 : event->duration_ns;
    if (event->duration_kind == CALLGAUGE_TIME_CPU) {
        add_time(&row->cpu_ns, ns);
        row->cpu_calls++;
    } else {
        add_time(&row->wall_ns, ns);
        row->wall_calls++;
    }
}

static inline void count_call(processes *self, life *of, const callgauge_event *event)
{
    if ((event->flags & CALLGAUGE_CALL_UNRETURNED) != 0) {
        of->row.unreturned++;
        return;
    }
    of->row.calls++;
    of->lexer = event->lexer;
    of->row.errors += event->error != NULL;
    if ((event->has & CALLGAUGE_HAS_DURATION) != 0) {
        count_times(&of->row, event);
    }
    if (of->process != NULL && event->call != NULL && event->call->call_class == CALLGAUGE_CLASS_EXEC &&
        event->error == NULL) {
        begin_image(self, of, event);
    }
}

static inline void widen(int64_t *first, int64_t *last, const callgauge_event *event)
{
    if ((event->has & (CALLGAUGE_HAS_START | CALLGAUGE_HAS_END)) == 0) {
        return;
    }
    int64_t from = first_stamp(event), to = last_stamp(event);
    *first = *first == CALLGAUGE_UNKNOWN || from < *first ? from : *first;
    *last = to > *last ? to : *last; /* CALLGAUGE_UNKNOWN is below all */
}

/* False: no memory. NULL in `out`: past the limit. */
static bool thread_of(processes *self, const cg_thread *known, uint32_t index, thread **out)
{
    thread *found = cg_by_id_find(&self->threads, known->id);
    *out = NULL;
    if (found == NULL || found->known == NULL) {
        if (self->thread_count >= self->limit) {
            self->dropped++;
            return true;
        }
        found = cg_by_id_get(&self->threads, known->id);
        if (found == NULL) {
            return false;
        }
        *found = (thread){ .known = known, .life = index, .first_ns = CALLGAUGE_UNKNOWN, .last_ns = CALLGAUGE_UNKNOWN };
        self->thread_count++;
    }
    found->of = life_at(self, index);
    *out = found;
    return true;
}

static bool is_counted(const callgauge_event *event)
{
    return event->kind == CALLGAUGE_EVENT_CALL && (event->flags & CALLGAUGE_CALL_CHILD) == 0;
}

static inline void count_thread(processes *self, const callgauge_event *event, thread *of)
{
    widen(&of->first_ns, &of->last_ns, event);
    self->has_stamps |= of->first_ns != CALLGAUGE_UNKNOWN;
    bool timed = is_counted(event) && event->call != NULL && (event->has & CALLGAUGE_HAS_DURATION) != 0 &&
                 event->duration_kind == CALLGAUGE_TIME_WALL && event->duration_ns >= 0;
    if (timed) {
        int64_t *to = cg_waits(event) ? &of->waiting_ns : &of->working_ns;
        *to = cg_add_ns(*to, event->duration_ns);
        self->has_wall = true;
    }
}

/* Whether an event says that its process is there. */
static bool of_a_process(callgauge_event_kind kind)
{
    return kind == CALLGAUGE_EVENT_CALL || kind == CALLGAUGE_EVENT_SIGNAL || kind == CALLGAUGE_EVENT_FAULT ||
           kind == CALLGAUGE_EVENT_EXIT || kind == CALLGAUGE_EVENT_LIBRARY_CALL;
}

/* Finds the life and the thread of an event; `last_thread` is NULL where there is none. False: no memory. */
static bool find(processes *self, const callgauge_event *event)
{
    const cg_thread *known = event->annotation == NULL ? NULL : event->annotation->thread;
    uint32_t index;
    self->last_known = NULL;
    self->last_thread = NULL;
    if (!life_of(self, event, &self->last_life, &index)) {
        return false;
    }
    if (self->last_life == NULL || self->last_life->process == NULL || known == NULL) {
        return true;
    }
    if (!thread_of(self, known, index, &self->last_thread)) {
        return false;
    }
    self->last_known = self->last_thread == NULL ? NULL : known;
    return true;
}

static bool count(processes *self, const callgauge_event *event)
{
    const cg_annotation *known = event->annotation;
    bool same = self->last_known != NULL && known != NULL && known->thread == self->last_known &&
                known->process == self->last_life->process;
    if (!same && !find(self, event)) {
        return false;
    }
    life *of = self->last_life;
    if (of == NULL) {
        self->dropped++;
        return true;
    }
    if (has_news(of) && !settle_image(self, of)) {
        return false;
    }
    if (is_counted(event)) {
        count_call(self, of, event);
    }
    if (self->last_thread == NULL) {
        widen(&of->row.start_ns, &of->row.end_ns, event);
    } else {
        count_thread(self, event, self->last_thread);
    }
    return true;
}

/* The life and the thread of an event, where the thread has been met and nothing has changed for it. False: find() must
 * look. */
static inline bool find_again(processes *self, const cg_annotation *known)
{
    if (known->thread == self->last_known) {
        return known->process == self->last_life->process;
    }
    thread *of = cg_by_id_find(&self->threads, known->thread->id);
    if (of == NULL || of->known != known->thread || of->of->process != known->process) {
        return false;
    }
    self->last_known = known->thread;
    self->last_thread = of;
    self->last_life = of->of;
    return true;
}

/* Counts what nearly all events are: a call like those before of its thread. False: count() must look at it. */
static inline bool count_plain(processes *self, const callgauge_event *event)
{
    const uint32_t stamps = CALLGAUGE_HAS_START | CALLGAUGE_HAS_END;
    const cg_annotation *known = event->annotation;
    if ((event->flags & CG_CALL_PLAIN) == 0 || (event->has & stamps) != stamps || known == NULL ||
        known->thread == NULL || event->duration_kind != CALLGAUGE_TIME_WALL || !find_again(self, known)) {
        return false;
    }
    life *of = self->last_life;
    thread *by = self->last_thread;
    int64_t ns = event->duration_ns, wall_ns;
    if (has_news(of) || event->call->call_class == CALLGAUGE_CLASS_EXEC || of->row.wall_ns == CALLGAUGE_UNKNOWN ||
        by->first_ns == CALLGAUGE_UNKNOWN || event->start_ns < by->first_ns ||
        __builtin_add_overflow(of->row.wall_ns, ns, &wall_ns)) {
        return false;
    }
    of->row.wall_ns = wall_ns;
    of->row.calls++;
    of->row.wall_calls++;
    of->row.errors += event->error != NULL;
    int64_t *to = (event->flags & CG_CALL_WAITS) != 0 ? &by->waiting_ns : &by->working_ns;
    *to = cg_add_ns(*to, ns);
    by->last_ns = event->end_ns > by->last_ns ? event->end_ns : by->last_ns;
    return true;
}

__attribute__((noinline)) static callgauge_status count_any(processes *self, const callgauge_event *event,
                                                            callgauge_error *err)
{
    return !of_a_process(event->kind) || count(self, event) ? CALLGAUGE_OK : cg_fail_nomem(err);
}

static callgauge_status count_event(void *ctx, const callgauge_event *event, callgauge_error *err)
{
    return count_plain(ctx, event) ? CALLGAUGE_OK : count_any(ctx, event, err);
}

/* --- the end of the capture --- */

/* Where stamps are coarser than durations, the span is as long as what it holds. */
static callgauge_thread_row thread_row(const processes *self, const thread *of)
{
    callgauge_thread_row row = { of->known->tid, CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN };
    if (self->has_wall && self->has_stamps) {
        int64_t in_calls = cg_add_ns(of->working_ns, of->waiting_ns);
        int64_t span = of->first_ns == CALLGAUGE_UNKNOWN ? 0 : time_since(of->first_ns, of->last_ns);
        row.working_ns = of->working_ns;
        row.waiting_ns = of->waiting_ns;
        row.outside_ns = span > in_calls ? span - in_calls : 0;
    }
    return row;
}

/* Gives every row its threads: counted, given room, filled. False: no memory. */
static bool finish_threads(const processes *self, callgauge_report *report)
{
    callgauge_thread_row *rows = cg_arena_alloc(&report->arena, self->thread_count * sizeof *rows);
    callgauge_thread_row **next = cg_mem_zeroed(report->process_count + 1, sizeof *next);
    bool ok = rows != NULL && next != NULL;
    for (size_t id = 0; ok && id < cg_by_id_end(&self->threads); id++) {
        const thread *of = cg_by_id_find(&self->threads, id);
        if (of != NULL && of->known != NULL) {
            report->processes[life_at(self, of->life)->at].thread_count++;
        }
    }
    for (size_t i = 0; ok && i < report->process_count; i++) {
        report->processes[i].threads = next[i] = rows;
        rows += report->processes[i].thread_count;
    }
    for (size_t id = 0; ok && id < cg_by_id_end(&self->threads); id++) {
        const thread *of = cg_by_id_find(&self->threads, id);
        if (of != NULL && of->known != NULL) {
            *next[life_at(self, of->life)->at]++ = thread_row(self, of);
        }
    }
    for (size_t i = 0; ok && i < report->process_count; i++) {
        callgauge_process_row *row = &report->processes[i];
        row->thread_count = cg_thread_rows_settle(next[i] - row->thread_count, row->thread_count);
    }
    cg_mem_free(next);
    return ok;
}

static bool finish_followed(const life *of, cg_arena *arena, callgauge_process_row *row)
{
    const cg_process *process = of->process, *parent = cg_process_itself(process->parent);
    row->life = process->life;
    row->parent = parent == NULL ? CALLGAUGE_UNKNOWN : parent->pid;
    row->parent_life = parent == NULL ? 0 : parent->life;
    row->start_ns = cg_known_min(row->start_ns, process->start_ns);
    row->end_ns = cg_known_max(row->end_ns, process->end_ns);
    row->born = process->born;
    row->ended = process->ended;
    row->exit_code = process->exit_code;
    row->open_at_start = process->open_at_start;
    row->open_at_end = process->open_now;
    row->open_peak = process->open_peak;
    row->emfile = process->emfile;
    return cg_arena_str(arena, process->program, &row->program) &&
           cg_arena_str(arena, process->exit_signal, &row->exit_signal) &&
           cg_argv_split(process->argv, of->lexer, arena, &row->argv, &row->argv_count);
}

/* The last events of a life may have been its exec and its end. */
static bool end_life(processes *self, life *of)
{
    if (!settle_image(self, of)) {
        return false;
    }
    tell_program(self, of);
    if (of->process->ended) {
        end_image(self, of, of->process->end_ns);
    }
    return true;
}

static void widen_lives(processes *self)
{
    for (size_t id = 0; id < cg_by_id_end(&self->threads); id++) {
        const thread *of = cg_by_id_find(&self->threads, id);
        if (of != NULL && of->known != NULL) {
            callgauge_process_row *row = &life_at(self, of->life)->row;
            row->start_ns = cg_known_min(row->start_ns, of->first_ns);
            row->end_ns = cg_known_max(row->end_ns, of->last_ns);
        }
    }
}

/* The index of the life that a process's calls belong to in the end. */
static uint32_t index_at_last(const processes *self, const cg_process *process, uint32_t index)
{
    const cg_process *last = cg_process_itself(process);
    const uint32_t *at = last == process ? NULL : cg_by_id_find(&self->followed, last->id);
    return at == NULL || *at == 0 ? index : *at - 1;
}

static int64_t time_sum(int64_t a, int64_t b)
{
    return a == CALLGAUGE_UNKNOWN ? b : b == CALLGAUGE_UNKNOWN ? a : cg_add_ns(a, b);
}

static void add_row(callgauge_process_row *to, const callgauge_process_row *from)
{
    to->calls += from->calls;
    to->errors += from->errors;
    to->unreturned += from->unreturned;
    to->cpu_calls += from->cpu_calls;
    to->wall_calls += from->wall_calls;
    to->start_ns = cg_known_min(to->start_ns, from->start_ns);
    to->end_ns = cg_known_max(to->end_ns, from->end_ns);
    to->cpu_ns = time_sum(to->cpu_ns, from->cpu_ns);
    to->wall_ns = time_sum(to->wall_ns, from->wall_ns);
}

/* Gives what a life counted to the process whose threads it turned out to be; or, when that one was never seen, makes
 * it that one's own life. False: no memory. */
static bool fold_life(processes *self, life *of, uint32_t index)
{
    life *to = life_at(self, index);
    if (to == of) {
        of->process = cg_process_itself(of->process);
        uint32_t *at = cg_by_id_get(&self->followed, of->process->id);
        if (at != NULL) {
            *at = index + 1;
        }
        return at != NULL;
    }
    if (!settle_image(self, of) || !settle_image(self, to)) {
        return false;
    }
    of->program = of->program == CG_PROGRAM_NONE ? to->program : of->program;
    tell_program(self, of);
    add_row(&to->row, &of->row);
    to->lexer = to->lexer == NULL ? of->lexer : to->lexer;
    /* the program of `to` has not made these calls */
    to->told.calls += of->row.calls;
    to->told.errors += of->row.errors;
    to->told.cpu_calls += of->row.cpu_calls;
    to->told.wall_calls += of->row.wall_calls;
    to->told.cpu_ns = time_sum(to->told.cpu_ns, of->row.cpu_ns);
    to->told.wall_ns = time_sum(to->told.wall_ns, of->row.wall_ns);
    return true;
}

/* Lives of what turned out to be threads of another process become part of that one's. False: no memory. */
static bool fold_lives(processes *self)
{
    for (uint32_t i = 0; i < self->count; i++) {
        life *of = life_at(self, i);
        bool other = of->process != NULL && of->process->same != NULL;
        if (other && !fold_life(self, of, index_at_last(self, of->process, i))) {
            return false;
        }
    }
    for (size_t id = 0; id < cg_by_id_end(&self->threads); id++) {
        thread *of = cg_by_id_find(&self->threads, id);
        if (of != NULL && of->known != NULL) {
            of->life = index_at_last(self, life_at(self, of->life)->process, of->life);
        }
    }
    return true;
}

/* Whether a life is a row of its own. */
static bool has_row(const life *of)
{
    return of->process == NULL || of->process->same == NULL;
}

static bool finish_lives(processes *self, callgauge_report *report)
{
    if (!fold_lives(self)) {
        return false;
    }
    widen_lives(self);
    report->processes = cg_arena_alloc(&report->arena, self->count * sizeof *report->processes);
    if (report->processes == NULL) {
        return false;
    }
    for (size_t i = 0; i < self->count; i++) {
        life *of = life_at(self, i);
        if (!has_row(of)) {
            continue;
        }
        callgauge_process_row *row = &report->processes[report->process_count];
        *row = of->row;
        of->at = (uint32_t)report->process_count++;
        if (of->process != NULL && (!end_life(self, of) || !finish_followed(of, &report->arena, row))) {
            return false;
        }
    }
    return true;
}

static callgauge_status finish(void *ctx, callgauge_report *report, callgauge_error *err)
{
    processes *self = ctx;
    bool ok = finish_lives(self, report) && finish_threads(self, report) &&
              cg_programs_finish(&self->programs, report) &&
              (self->dropped == 0 || cg_report_add_limit(report, "processes", self->count, self->dropped));
    return ok ? CALLGAUGE_OK : cg_fail_nomem(err);
}

static void free_processes(void *ctx)
{
    processes *self = ctx;
    cg_by_id_release(&self->lives);
    cg_by_id_release(&self->followed);
    cg_by_id_release(&self->threads);
    cg_mem_free(self->slots);
    cg_programs_release(&self->programs);
    cg_mem_free(self);
}

callgauge_status cg_processes_new(const cg_processes_options *options, cg_stage *out, callgauge_error *err)
{
    processes *self = cg_mem_zeroed(1, sizeof *self);
    if (self == NULL) {
        return cg_fail_nomem(err);
    }
    self->options = *options;
    self->limit = options->limits.processes < UINT32_MAX ? options->limits.processes : UINT32_MAX - 1;
    cg_by_id_init(&self->lives, sizeof(life));
    cg_by_id_init(&self->followed, sizeof(uint32_t));
    cg_by_id_init(&self->threads, sizeof(thread));
    cg_programs_init(&self->programs, self->limit);
    *out = (cg_stage){
        .name = "processes",
        .wants = CG_WANT_THREAD | CG_WANT_SCALARS,
        .self = self,
        .event = count_event,
        .finish = finish,
        .free = free_processes,
    };
    return CALLGAUGE_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* From annotated events to the rows of files and descriptors. Tallies lie by the id of their file; at the end those of
 * files that turned out to be the same, or that no row can tell apart, become one. */
#include "stage/files.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/intern.h"
#include "base/mem.h"
#include "base/str.h"
#include "stage/by_id.h"
#include "stage/file_tally.h"
#include "stage/waits.h"

enum { MOST_FILES = 5 }; /* that one call names: two descriptors, two paths, one made */

typedef struct files {
    cg_files_options options;
    cg_by_id tallies; /* cg_file_tally by cg_file.id */
    cg_file_room room;
    cg_intern errors; /* names: those of the events die with their reader */
    cg_by_id begun;   /* const cg_process *, by its id: those that were seen */
    uint64_t dropped_errors;
} files;

static const cg_file *itself(const cg_file *file)
{
    return file == NULL || file->same == NULL ? file : file->same;
}

/* NULL: no memory. */
static inline cg_file_tally *tally_of(files *self, const cg_file *file)
{
    cg_file_tally *tally = cg_by_id_get(&self->tallies, file->id);
    if (tally != NULL && tally->file == NULL) {
        cg_file_tally_begin(tally, file);
    }
    return tally;
}

static inline size_t add_file(const cg_file **out, size_t count, const cg_file *file)
{
    if (file == NULL) {
        return count;
    }
    file = itself(file);
    size_t k = 0;
    while (k < count && out[k] != file) {
        k++;
    }
    out[k] = file;
    return k == count ? count + 1 : count;
}

/* The files that a call names, each once. */
static inline size_t files_of(const cg_annotation *known, const cg_file **out)
{
    size_t count = add_file(out, 0, known->fd.file);
    count = add_file(out, count, known->fd2.file);
    count = add_file(out, count, known->path);
    count = add_file(out, count, known->path2);
    return add_file(out, count, known->made);
}

/* Whether a descriptor of a file that has a name was open before the capture, as far as the file tells: nothing in the
 * capture had opened it. A socket gets its name after it was made, so that of sockets this says nothing. */
static bool nobody_opened(const cg_file *file, const cg_file_tally *tally)
{
    return file->kind != CALLGAUGE_FILE_SOCKET && file->path.len > 0 && (tally == NULL || tally->opens == 0);
}

/* Whether a descriptor is the first one of its file that was open before the capture. */
static inline bool is_to_remember(const cg_file_tally *tally, const cg_use *use, int64_t pid)
{
    return tally->fd < 0 && tally->pid == pid && use->fd >= 0 && use->fd <= INT32_MAX &&
           (use->old || nobody_opened(tally->file, tally));
}

/* Whether the time of a call is spent on this file: that of an accept on the socket that listens, that of a connect on
 * what it makes of its socket. */
static bool has_time(const callgauge_event *event, const cg_file *file)
{
    const cg_annotation *known = event->annotation;
    if ((event->has & CALLGAUGE_HAS_DURATION) == 0) {
        return false;
    }
    switch (event->call->call_class) {
    case CALLGAUGE_CLASS_ACCEPT: return itself(known->fd.file) == file;
    case CALLGAUGE_CLASS_CONNECT: return known->made == NULL || itself(known->made) == file;
    default: return true;
    }
}

static inline int64_t pid_of(const cg_annotation *known)
{
    return known->process == NULL ? CG_UNKNOWN : known->process->pid;
}

/* What every call counts for; use: by which descriptor, NULL: by a path. */
__attribute__((noinline)) static bool count_use(files *self, const callgauge_event *event, cg_file_tally *tally,
                                                const cg_use *use)
{
    const cg_annotation *known = event->annotation;
    int64_t pid = pid_of(known);
    if (!cg_file_tally_pid(tally, &self->room, pid)) {
        return false;
    }
    tally->first = tally->calls == 0 ? event->line : tally->first;
    tally->last = event->line;
    tally->calls++;
    tally->errors += event->error != NULL;
    if (use != NULL && is_to_remember(tally, use, pid)) {
        tally->fd = (int32_t)use->fd;
    }
    if (!has_time(event, tally->file)) {
        return true;
    }
    bool waits = (use == &known->fd || event->call->call_class == CALLGAUGE_CLASS_CONNECT) &&
                 event->duration_kind == CALLGAUGE_TIME_WALL && cg_waits(event);
    return cg_file_tally_time(tally, &self->room, event->duration_kind, event->duration_ns, waits);
}

static bool count_failed_open(files *self, const callgauge_event *event)
{
    cg_file_tally *tally = tally_of(self, itself(event->annotation->path));
    int64_t error = cg_intern_add(&self->errors, event->error->text);
    if (tally == NULL || error == CG_INTERN_NOMEM) {
        return false;
    }
    if (error == CG_INTERN_FULL) {
        self->dropped_errors++;
        return true;
    }
    return cg_file_tally_failed_open(tally, &self->room, (uint32_t)error, 1);
}

/* Whether the arguments hold a flag that begins like O_TRUNC or O_EXCL: most opens are decided by that, without
 * splitting them. */
static bool may_empty(callgauge_str args)
{
    size_t at;
    while ((at = cg_str_find(args, "O_")) + 2 < args.len) {
        args = cg_str(args.ptr + at + 2, args.len - at - 2);
        if (args.ptr[0] == 'T' || args.ptr[0] == 'E') {
            return true;
        }
    }
    return false;
}

/* Whether an open emptied the file, or made it. */
static bool empties(const callgauge_event *event)
{
    callgauge_str flags;
    size_t at = (size_t)(event->call->path_arg + 1);
    if (event->call->does == CG_DOES_CREAT) {
        return true;
    }
    return event->call->call_class == CALLGAUGE_CLASS_OPEN && event->call->path_arg >= 0 && may_empty(event->args) &&
           callgauge_event_arg(event, at, &flags) &&
           (cg_str_find(flags, "O_TRUNC") < flags.len || cg_str_find(flags, "O_EXCL") < flags.len);
}

static inline void count_made(cg_file_tally *tally, const callgauge_event *event)
{
    tally->opens++;
    if (tally->details != NULL && tally->details->range_count > 0 && empties(event)) {
        cg_file_tally_emptied(tally);
    }
}

/* What a call has moved by its only descriptor. */
static inline bool count_moved_by(files *self, const callgauge_event *event, cg_file_tally *tally, const cg_use *use,
                                  callgauge_moves way)
{
    int64_t pid = pid_of(event->annotation);
    return way == CALLGAUGE_MOVES_IN ? cg_file_tally_read(tally, &self->room, use, event->value, pid)
                                     : cg_file_tally_write(tally, &self->room, use, event->value, pid);
}

static bool count_moved(files *self, const callgauge_event *event)
{
    const cg_annotation *known = event->annotation;
    callgauge_moves moves = event->call->moves;
    const cg_use *to = moves == CALLGAUGE_MOVES_BOTH ? &known->fd2 : &known->fd;
    bool ok = true;
    if (moves != CALLGAUGE_MOVES_OUT && known->fd.file != NULL) {
        cg_file_tally *tally = tally_of(self, itself(known->fd.file));
        ok = tally != NULL && count_moved_by(self, event, tally, &known->fd, CALLGAUGE_MOVES_IN);
    }
    if (ok && moves != CALLGAUGE_MOVES_IN && to->file != NULL) {
        cg_file_tally *tally = tally_of(self, itself(to->file));
        ok = tally != NULL && count_moved_by(self, event, tally, to, CALLGAUGE_MOVES_OUT);
    }
    return ok;
}

static bool maps(const callgauge_call_name *call)
{
    return call->does == CG_DOES_MMAP ||
           (call->call_class == CALLGAUGE_CLASS_MEMORY && cg_str_is(call->text, "mmapobj"));
}

/* What a successful call counts for beside its use. */
static bool count_success(files *self, const callgauge_event *event)
{
    const cg_annotation *known = event->annotation;
    if (known->made != NULL && event->call->call_class != CALLGAUGE_CLASS_CONNECT) {
        cg_file_tally *tally = tally_of(self, itself(known->made));
        if (tally == NULL) {
            return false;
        }
        count_made(tally, event);
    }
    if (event->call->moves != CALLGAUGE_MOVES_NOTHING) {
        return (event->has & CALLGAUGE_HAS_VALUE) == 0 || event->value < 0 || count_moved(self, event);
    }
    if (known->fd.file != NULL && maps(event->call)) {
        cg_file_tally *tally = tally_of(self, itself(known->fd.file));
        return tally != NULL && cg_file_tally_map(tally, &self->room);
    }
    return true;
}

/* The descriptor by which a call names a file; NULL: by none. */
static const cg_use *use_of(const cg_annotation *known, const cg_file *file)
{
    return itself(known->fd.file) == file ? &known->fd : itself(known->fd2.file) == file ? &known->fd2 : NULL;
}

/* Whether the call is one that counts for more, or for less, than its use of a file and the bytes that it moves. */
static inline bool is_odd_class(const callgauge_event *event)
{
    const uint32_t odd = 1u << CALLGAUGE_CLASS_ACCEPT | 1u << CALLGAUGE_CLASS_CONNECT | 1u << CALLGAUGE_CLASS_MEMORY;
    const uint32_t odd_errors = odd | 1u << CALLGAUGE_CLASS_OPEN;
    return ((event->error != NULL ? odd_errors : odd) >> event->call->call_class & 1) != 0;
}

/* Counts the use of a file as nearly all are: not the first one, and with the kind of time that the others had. False:
 * it is no such use, and nothing is counted. */
static inline bool count_use_again(const callgauge_event *event, cg_file_tally *tally, const cg_use *use)
{
    bool waits = use == &event->annotation->fd && (event->flags & CG_CALL_WAITS) != 0;
    int64_t ns;
    if (tally->calls == 0 || tally->kind != event->duration_kind || (waits && tally->details == NULL) ||
        __builtin_add_overflow(tally->ns, event->duration_ns, &ns) ||
        (use != NULL && is_to_remember(tally, use, pid_of(event->annotation)))) {
        return false;
    }
    tally->ns = ns;
    tally->timed++;
    tally->last = event->line;
    tally->calls++;
    tally->errors += event->error != NULL;
    if (waits) {
        tally->details->waiting_ns += event->duration_ns; /* no more than all of its time */
    }
    return true;
}

static bool count_call(files *self, const callgauge_event *event)
{
    const cg_file *named[MOST_FILES];
    const cg_annotation *known = event->annotation;
    bool plain = (event->flags & CG_CALL_PLAIN) != 0 && !is_odd_class(event);
    size_t count = files_of(known, named);
    for (size_t i = 0; i < count; i++) {
        const cg_use *use = use_of(known, named[i]);
        cg_file_tally *tally = tally_of(self, named[i]);
        if (tally == NULL) {
            return false;
        }
        bool again = plain && cg_file_tally_has_pid(tally, pid_of(known)) && count_use_again(event, tally, use);
        if (!again && !count_use(self, event, tally, use)) {
            return false;
        }
    }
    if (event->error == NULL) {
        return count == 0 || count_success(self, event);
    }
    return event->call->call_class != CALLGAUGE_CLASS_OPEN || event->annotation->path == NULL ||
           count_failed_open(self, event);
}

static bool note_begun(files *self, const cg_process *process)
{
    const cg_process **known = cg_by_id_get(&self->begun, process->id);
    if (known != NULL) {
        *known = process;
    }
    return known != NULL;
}

/* Any event. */
__attribute__((noinline)) static callgauge_status count_any(files *self, const callgauge_event *event,
                                                            callgauge_error *err)
{
    if (event->annotation != NULL && event->annotation->begun != NULL && !note_begun(self, event->annotation->begun)) {
        return cg_fail_nomem(err);
    }
    const uint32_t uncounted = CALLGAUGE_CALL_CHILD | CALLGAUGE_CALL_UNRETURNED;
    bool counts = event->annotation != NULL &&
                  ((event->flags & CG_CALL_PLAIN) != 0 ||
                   (event->kind == CALLGAUGE_EVENT_CALL && event->call != NULL && (event->flags & uncounted) == 0));
    return !counts || count_call(self, event) ? CALLGAUGE_OK : cg_fail_nomem(err);
}

/* What a call has moved by its only descriptor, which is counted for all else. */
__attribute__((noinline)) static callgauge_status count_only_moved(files *self, const callgauge_event *event,
                                                                   cg_file_tally *tally, callgauge_error *err)
{
    const cg_use *use = &event->annotation->fd;
    return count_moved_by(self, event, tally, use, event->call->moves) ? CALLGAUGE_OK : cg_fail_nomem(err);
}

__attribute__((noinline)) static callgauge_status count_only_made(cg_file_tally *tally, const callgauge_event *event)
{
    count_made(tally, event);
    return CALLGAUGE_OK;
}

/* The tally of the only file that a call names, where there is one; use: by which descriptor, NULL: by a path. NULL: it
 * is one that count_any() must look at. */
static inline cg_file_tally *only_tally(const files *self, const cg_file *file)
{
    cg_file_tally *tally = file->same != NULL ? NULL : cg_by_id_find(&self->tallies, file->id);
    return tally == NULL || tally->file == NULL ? NULL : tally;
}

static callgauge_status count_event(void *ctx, const callgauge_event *event, callgauge_error *err);

/* Counts the use of a file by a process that is not seen at a glance to have used it before. */
__attribute__((noinline)) static callgauge_status count_other_process(files *self, const callgauge_event *event,
                                                                      cg_file_tally *tally, callgauge_error *err)
{
    int64_t pid = pid_of(event->annotation);
    if (!cg_file_tally_other_pid(tally, &self->room, pid)) {
        return cg_fail_nomem(err);
    }
    return cg_file_tally_has_pid(tally, pid) ? count_event(self, event, err) : count_any(self, event, err);
}

/* By a path, which may have been opened. */
static inline callgauge_status count_only_path(files *self, const callgauge_event *event, callgauge_error *err)
{
    const cg_annotation *known = event->annotation;
    cg_file_tally *tally = only_tally(self, known->path);
    if (tally != NULL && !cg_file_tally_has_pid(tally, pid_of(known))) {
        return count_other_process(self, event, tally, err);
    }
    if (tally == NULL || !count_use_again(event, tally, NULL)) {
        return count_any(self, event, err);
    }
    return known->made == NULL || event->error != NULL ? CALLGAUGE_OK : count_only_made(tally, event);
}

/* By a descriptor, by which bytes may have moved. */
static inline callgauge_status count_only_fd(files *self, const callgauge_event *event, callgauge_error *err)
{
    const cg_annotation *known = event->annotation;
    cg_file_tally *tally = only_tally(self, known->fd.file);
    if (tally != NULL && !cg_file_tally_has_pid(tally, pid_of(known))) {
        return count_other_process(self, event, tally, err);
    }
    if (tally == NULL || !count_use_again(event, tally, &known->fd)) {
        return count_any(self, event, err);
    }
    bool moves = event->call->moves != CALLGAUGE_MOVES_NOTHING && event->error == NULL &&
                 (event->has & CALLGAUGE_HAS_VALUE) != 0 && event->value >= 0;
    return moves ? count_only_moved(self, event, tally, err) : CALLGAUGE_OK;
}

/* Calls that name no file or one, as most do, are counted here; the rest where any event is. */
static callgauge_status count_event(void *ctx, const callgauge_event *event, callgauge_error *err)
{
    const cg_annotation *known = event->annotation;
    if ((event->flags & CG_CALL_PLAIN) == 0 || known == NULL || known->begun != NULL || known->fd2.file != NULL ||
        known->path2 != NULL || is_odd_class(event)) {
        return count_any(ctx, event, err);
    }
    if (known->fd.file == NULL && known->path != NULL && (known->made == NULL || known->made == known->path)) {
        return count_only_path(ctx, event, err);
    }
    bool other_path = known->path != NULL && known->path != known->fd.file;
    if (other_path || known->made != NULL || event->call->moves == CALLGAUGE_MOVES_BOTH) {
        return count_any(ctx, event, err);
    }
    return known->fd.file == NULL ? CALLGAUGE_OK : count_only_fd(ctx, event, err);
}

/* --- the end of the capture: tallies to rows --- */

static int cmp_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Of files from before the capture that nothing names, which process's descriptor they are. */
static int cmp_unnamed(const cg_file *a, const cg_file *b)
{
    if (!a->opened_before || !b->opened_before) {
        return cmp_numbers(a->opened_before, b->opened_before);
    }
    int c = cmp_numbers(a->pid, b->pid);
    return c != 0 ? c : cmp_numbers(a->fd, b->fd);
}

/* 0: no row can tell them apart. */
static int cmp_files(const cg_file *a, const cg_file *b)
{
    int c = cg_str_cmp(a->path, b->path);
    c = c != 0 ? c : cmp_numbers(a->kind, b->kind);
    c = c != 0 ? c : cg_str_cmp(a->peer, b->peer);
    c = c != 0 ? c : cmp_numbers(a->peer_port, b->peer_port);
    c = c != 0 ? c : cg_str_cmp(a->local, b->local);
    c = c != 0 ? c : cmp_numbers(a->local_port, b->local_port);
    c = c != 0 ? c : cmp_numbers(a->number, b->number);
    c = c != 0 ? c : cmp_numbers(a->relative, b->relative);
    return c != 0 ? c : cmp_unnamed(a, b);
}

static int cmp_tallies(const void *a, const void *b)
{
    const cg_file *x = (*(cg_file_tally *const *)a)->file, *y = (*(cg_file_tally *const *)b)->file;
    int c = cmp_files(x, y);
    return c != 0 ? c : cmp_numbers(x->id, y->id);
}

static cg_file_tally *tally_at(const files *self, size_t id)
{
    cg_file_tally *tally = cg_by_id_find(&self->tallies, id);
    return tally == NULL || tally->file == NULL ? NULL : tally;
}

/* Files that turned out to be another one after they had been used. */
static bool fold_same(files *self)
{
    for (size_t id = 0; id < cg_by_id_end(&self->tallies); id++) {
        cg_file_tally *from = tally_at(self, id);
        if (from == NULL || from->file->same == NULL || from->calls == 0) {
            continue;
        }
        cg_file_tally *to = tally_of(self, from->file->same);
        if (to == NULL || !cg_file_tally_fold(to, &self->room, from)) {
            return false;
        }
    }
    return true;
}

static int cmp_renamed(const void *a, const void *b)
{
    return cmp_numbers(((const cg_renamed_pid *)a)->from, ((const cg_renamed_pid *)b)->from);
}

/* Processes that turned out to be threads of others, by their pids. NULL: no memory. */
static cg_renamed_pid *list_renamed(const files *self, size_t *count)
{
    size_t room = 0;
    for (size_t id = 0; id < cg_by_id_end(&self->begun); id++) {
        const cg_process *const *known = cg_by_id_find(&self->begun, id);
        room += known != NULL && *known != NULL && (*known)->same != NULL;
    }
    cg_renamed_pid *list = cg_mem_alloc((room + 1) * sizeof *list);
    *count = 0;
    for (size_t id = 0; list != NULL && id < cg_by_id_end(&self->begun) && room > 0; id++) {
        const cg_process *const *known = cg_by_id_find(&self->begun, id);
        if (known != NULL && *known != NULL && (*known)->same != NULL) {
            list[(*count)++] = (cg_renamed_pid){ (*known)->pid, cg_process_itself(*known)->pid };
        }
    }
    if (list != NULL && *count > 1) {
        qsort(list, *count, sizeof *list, cmp_renamed);
    }
    return list;
}

/* Lets every tally name the process for what were taken to be processes of their own. False: no memory. */
static bool fold_processes(const files *self)
{
    size_t count;
    cg_renamed_pid *list = list_renamed(self, &count);
    for (size_t id = 0; count > 0 && list != NULL && id < cg_by_id_end(&self->tallies); id++) {
        cg_file_tally *tally = tally_at(self, id);
        if (tally != NULL) {
            cg_file_tally_rename_pids(tally, list, count);
        }
    }
    cg_mem_free(list);
    return list != NULL;
}

typedef struct tally_list {
    cg_file_tally **at;
    size_t count;
} tally_list;

/* Those that were used, in the order of their rows, each row once. False: no memory. */
static bool list_tallies(files *self, tally_list *out)
{
    size_t used = 0, kept = 0;
    for (size_t id = 0; id < cg_by_id_end(&self->tallies); id++) {
        cg_file_tally *tally = tally_at(self, id);
        used += tally != NULL && tally->calls > 0;
    }
    *out = (tally_list){ cg_mem_alloc((used + 1) * sizeof *out->at), 0 };
    if (out->at == NULL) {
        return false;
    }
    for (size_t id = 0; id < cg_by_id_end(&self->tallies) && used > 0; id++) {
        cg_file_tally *tally = tally_at(self, id);
        if (tally != NULL && tally->calls > 0) {
            out->at[out->count++] = tally;
        }
    }
    if (used > 1) {
        qsort(out->at, used, sizeof *out->at, cmp_tallies);
    }
    for (size_t i = 0; i < used; i++) {
        if (kept == 0 || cmp_files(out->at[kept - 1]->file, out->at[i]->file) != 0) {
            out->at[kept++] = out->at[i];
        } else if (!cg_file_tally_fold(out->at[kept - 1], &self->room, out->at[i])) {
            return false;
        }
    }
    out->count = kept;
    return true;
}

/* Most files lack most texts: nothing is kept for what is not there. */
static bool keep(cg_arena *arena, callgauge_str text, callgauge_str *out)
{
    *out = (callgauge_str){ "", 0 };
    return text.len == 0 || cg_arena_str(arena, text, out);
}

static bool finish_row(const cg_file_tally *tally, const callgauge_str *errors, cg_arena *arena,
                       callgauge_file_row *row)
{
    const cg_file *file = tally->file;
    row->kind = file->kind;
    row->peer_port = file->peer_port;
    row->local_port = file->local_port;
    row->opened_before = file->opened_before;
    row->relative = file->relative;
    row->pid = file->opened_before ? file->pid : CALLGAUGE_UNKNOWN;
    row->fd = file->opened_before ? file->fd : CALLGAUGE_UNKNOWN;
    row->number = file->number;
    return keep(arena, file->path, &row->path) && keep(arena, file->peer, &row->peer) &&
           keep(arena, file->local, &row->local) && keep(arena, file->renamed_to, &row->renamed_to) &&
           cg_file_tally_finish(tally, errors, arena, row);
}

/* The names of errors, once for all rows. NULL: no memory. */
static const callgauge_str *keep_errors(const files *self, cg_arena *arena)
{
    callgauge_str *names = cg_arena_alloc(arena, self->errors.count * sizeof *names);
    for (size_t i = 0; names != NULL && i < self->errors.count; i++) {
        if (!cg_arena_str(arena, self->errors.texts[i], &names[i])) {
            return NULL;
        }
    }
    return names;
}

static bool finish_rows(const files *self, const tally_list *list, callgauge_report *report)
{
    const callgauge_str *errors = keep_errors(self, &report->arena);
    report->files = cg_arena_alloc(&report->arena, list->count * sizeof *report->files);
    if (errors == NULL || report->files == NULL) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        if (!finish_row(list->at[i], errors, &report->arena, &report->files[i])) {
            return false;
        }
    }
    report->file_count = list->count;
    return true;
}

/* --- descriptors --- */

typedef struct descriptor_rows {
    files *files;
    cg_arena *arena;
    callgauge_descriptor_row *rows; /* NULL: they are only counted */
    size_t count;
} descriptor_rows;

static bool was_open(const files *self, int64_t pid, int64_t fd, const cg_file *file)
{
    const cg_file_tally *tally = tally_at(self, file->id);
    return file->opened_before || nobody_opened(file, tally) ||
           (tally != NULL && tally->fd >= 0 && tally->fd == fd && tally->pid == pid);
}

static bool add_row(descriptor_rows *to, int64_t pid, int64_t fd, const cg_file *file, bool closed)
{
    size_t at = to->count++;
    if (to->rows == NULL) {
        return true;
    }
    callgauge_descriptor_row *row = &to->rows[at];
    *row = (callgauge_descriptor_row){
        .pid = pid,
        .fd = fd,
        .kind = file->kind,
        .peer_port = file->peer_port,
        .local_port = file->local_port,
        .opened_before = was_open(to->files, pid, fd, file),
        .closed = closed,
    };
    return keep(to->arena, file->path, &row->path) && keep(to->arena, file->peer, &row->peer) &&
           keep(to->arena, file->local, &row->local);
}

static bool take_open(void *ctx, const cg_process *process, int64_t fd, const cg_file *file)
{
    descriptor_rows *to = ctx;
    if (file == NULL) {
        return true;
    }
    file = itself(file);
    cg_file_tally *tally = tally_at(to->files, file->id);
    if (tally != NULL) {
        tally->open_at_end = true;
    }
    return add_row(to, process == NULL ? CALLGAUGE_UNKNOWN : process->pid, fd, file, false);
}

/* Those that were open before the capture, were used in it and are closed now. */
static bool take_closed(descriptor_rows *to)
{
    const files *self = to->files;
    for (size_t id = 0; id < cg_by_id_end(&self->tallies); id++) {
        const cg_file_tally *tally = tally_at(self, id);
        if (tally == NULL || tally->calls == 0 || tally->open_at_end) {
            continue;
        }
        const cg_file *file = tally->file;
        bool ok = true;
        if (file->opened_before) {
            ok = add_row(to, file->pid, file->fd, file, true);
        } else if (tally->fd >= 0) {
            ok = add_row(to, tally->pid, tally->fd, file, true);
        }
        if (!ok) {
            return false;
        }
    }
    return true;
}

static bool take_descriptors(descriptor_rows *to)
{
    const cg_open_fds *open = &to->files->options.open_fds;
    to->count = 0;
    return (open->each == NULL || open->each(open->of, take_open, to)) && take_closed(to);
}

/* Counted first, written then. Before equal rows fold: a closed descriptor is found by its own file. */
static bool finish_descriptors(files *self, callgauge_report *report)
{
    descriptor_rows to = { .files = self, .arena = &report->arena };
    if (!take_descriptors(&to)) {
        return false;
    }
    to.rows = cg_arena_alloc(&report->arena, to.count * sizeof *to.rows);
    if (to.rows == NULL || !take_descriptors(&to)) {
        return false;
    }
    report->descriptors = to.rows;
    report->descriptor_count = to.count;
    return true;
}

static bool finish_limits(const files *self, callgauge_report *report)
{
    const callgauge_limits *limits = &self->options.limits;
    return (self->room.dropped_pids == 0 ||
            cg_report_add_limit(report, "file_processes", limits->file_processes, self->room.dropped_pids)) &&
           (self->dropped_errors == 0 || cg_report_add_limit(report, "names", limits->names, self->dropped_errors));
}

static callgauge_status finish(void *ctx, callgauge_report *report, callgauge_error *err)
{
    files *self = ctx;
    tally_list list = { NULL, 0 };
    bool ok = fold_processes(self) && fold_same(self) && finish_descriptors(self, report) &&
              list_tallies(self, &list) && finish_rows(self, &list, report) && finish_limits(self, report);
    cg_mem_free(list.at);
    return ok ? CALLGAUGE_OK : cg_fail_nomem(err);
}

static void free_files(void *ctx)
{
    files *self = ctx;
    for (size_t id = 0; id < cg_by_id_end(&self->tallies); id++) {
        cg_file_tally *tally = cg_by_id_find(&self->tallies, id);
        if (tally != NULL) {
            cg_file_tally_release(tally);
        }
    }
    cg_by_id_release(&self->tallies);
    cg_by_id_release(&self->begun);
    cg_arena_release(&self->room.arena);
    cg_intern_release(&self->errors);
    cg_mem_free(self);
}

callgauge_status cg_files_new(const cg_files_options *options, cg_stage *out, callgauge_error *err)
{
    files *self = cg_mem_zeroed(1, sizeof *self);
    if (self == NULL) {
        return cg_fail_nomem(err);
    }
    self->options = *options;
    self->room.pid_limit = options->limits.file_processes;
    cg_by_id_init(&self->tallies, sizeof(cg_file_tally));
    cg_by_id_init(&self->begun, sizeof(const cg_process *));
    cg_intern_init(&self->errors, options->limits.names);
    *out = (cg_stage){
        .name = "files",
        .wants = CG_WANT_THREAD | CG_WANT_SCALARS,
        .self = self,
        .event = count_event,
        .finish = finish,
        .free = free_files,
    };
    return CALLGAUGE_OK;
}

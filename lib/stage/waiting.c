/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of waits by what was waited for. While the capture is read they lie by call and file; at the end those whose
 * files no row can tell apart become one.
 * Invariant: `slots` is at most half full and holds the index of a wait + 1; 0 is empty. */
#include "stage/waiting.h"

#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/mem.h"
#include "base/str.h"
#include "event/annotation.h"
#include "stage/waits.h"

enum { FIRST_SLOTS = 64 };

/* What keeps waits apart: ids of texts + 1 and of a file + 1, 0 where there is none. */
typedef struct wait_key {
    uint32_t call, address, child, file;
    int64_t fd; /* of a descriptor without a file; else CG_UNKNOWN */
} wait_key;

typedef struct wait {
    wait_key key;
    const cg_file *file;
    uint64_t count, longest; /* calls; line of the longest */
    int64_t wall_ns, max_ns;
} wait;

/* The name of a call that was met before. */
typedef struct met_name {
    callgauge_str text; /* in `texts` */
    int64_t id1;
} met_name;

enum { MET_NAMES = 16 };

typedef struct waiting {
    cg_waiting_options options;
    cg_intern texts;
    wait *waits;
    size_t count, room;
    uint32_t *slots;
    size_t mask;             /* slots - 1 */
    met_name met[MET_NAMES]; /* by the ids of calls */
    uint64_t dropped;        /* waits for what was past the limit */
} waiting;

static bool same_key(const wait_key *a, const wait_key *b)
{
    return a->call == b->call && a->address == b->address && a->child == b->child && a->file == b->file &&
           a->fd == b->fd;
}

static size_t hash_of(const wait_key *key)
{
    uint64_t h = (uint64_t)key->call << 32 | key->file;
    h = (h ^ (uint64_t)key->fd) * 0x9E3779B97F4A7C15u;
    h = (h ^ h >> 29 ^ ((uint64_t)key->address << 32 | key->child)) * 0xD6E8FEB86659FD93u;
    return (size_t)(h >> 32);
}

/* The slot of a key, or the empty one where it belongs. */
static uint32_t *slot_of(const waiting *self, const wait_key *key)
{
    size_t at = hash_of(key) & self->mask;
    while (self->slots[at] != 0 && !same_key(&self->waits[self->slots[at] - 1].key, key)) {
        at = (at + 1) & self->mask;
    }
    return &self->slots[at];
}

static bool grow(waiting *self)
{
    size_t slots = self->slots == NULL ? FIRST_SLOTS : (self->mask + 1) * 2;
    wait *waits = cg_mem_resize(self->waits, slots / 2 * sizeof *waits);
    if (waits == NULL) {
        return false;
    }
    self->waits = waits;
    uint32_t *fresh = cg_mem_zeroed(slots, sizeof *fresh);
    if (fresh == NULL) {
        return false;
    }
    cg_mem_free(self->slots);
    self->slots = fresh;
    self->mask = slots - 1;
    self->room = slots / 2;
    for (size_t i = 0; i < self->count; i++) {
        *slot_of(self, &waits[i].key) = (uint32_t)i + 1;
    }
    return true;
}

/* The futex, or the lock, that a call on one names first; of a thread that parks it is none. */
static callgauge_str address_of(const callgauge_event *event)
{
    callgauge_str text;
    bool has = event->call->call_class == CALLGAUGE_CLASS_FUTEX && !cg_str_is(event->call->text, "lwp_park") &&
               callgauge_event_arg(event, 0, &text) && cg_str_starts(text, "0x");
    return has ? text : (callgauge_str){ NULL, 0 };
}

static callgauge_str child_of(const callgauge_event *event)
{
    const cg_annotation *known = event->annotation;
    bool has = event->call->call_class == CALLGAUGE_CLASS_WAITCHILD && known != NULL && known->child != NULL;
    return has ? known->child->program : (callgauge_str){ NULL, 0 };
}

/* Its id + 1; 0 for "". A negative answer is the failure of cg_intern_add(). */
static int64_t text_id(waiting *self, callgauge_str text)
{
    int64_t id = text.len == 0 ? -1 : cg_intern_add(&self->texts, text);
    return text.len == 0 ? 0 : id < 0 ? id : id + 1;
}

/* As text_id(), of the name of a call. */
static int64_t name_id(waiting *self, const callgauge_call_name *call)
{
    met_name *met = &self->met[call->id % MET_NAMES];
    if (!cg_str_eq(met->text, call->text)) {
        int64_t id = text_id(self, call->text);
        if (id <= 0) {
            return id;
        }
        *met = (met_name){ self->texts.texts[id - 1], id };
    }
    return met->id1;
}

static const cg_file *itself(const cg_file *file)
{
    return file == NULL || file->same == NULL ? file : file->same;
}

static void name_file(const callgauge_event *event, wait_key *key, const cg_file **file)
{
    const cg_annotation *known = event->annotation;
    bool connects = known != NULL && known->made != NULL && event->call->call_class == CALLGAUGE_CLASS_CONNECT;
    *file = known == NULL ? NULL : itself(connects ? known->made : known->fd.file);
    key->file = *file == NULL ? 0 : (*file)->id + 1;
    key->fd = *file == NULL && known != NULL && known->fd.fd >= 0 ? known->fd.fd : CG_UNKNOWN;
}

/* Where the wait is summed; NULL: past a limit. False: no memory. */
static bool wait_of(waiting *self, const callgauge_event *event, wait **out)
{
    wait_key key = { 0 };
    const cg_file *file;
    int64_t call = name_id(self, event->call);
    int64_t address = text_id(self, address_of(event)), child = text_id(self, child_of(event));
    *out = NULL;
    if (call < 0 || address < 0 || child < 0) {
        return call != CG_INTERN_NOMEM && address != CG_INTERN_NOMEM && child != CG_INTERN_NOMEM;
    }
    key.call = (uint32_t)call;
    key.address = (uint32_t)address;
    key.child = (uint32_t)child;
    name_file(event, &key, &file);
    if (self->count == self->room && !grow(self)) {
        return false;
    }
    uint32_t *slot = slot_of(self, &key);
    if (*slot == 0 && self->count >= self->options.limits.waiting) {
        return true;
    }
    if (*slot == 0) {
        self->waits[self->count++] = (wait){ .key = key, .file = file };
        *slot = (uint32_t)self->count;
    }
    *out = &self->waits[*slot - 1];
    return true;
}

static bool count(waiting *self, const callgauge_event *event)
{
    wait *of;
    if (!wait_of(self, event, &of)) {
        return false;
    }
    if (of == NULL) {
        self->dropped++;
        return true;
    }
    if (of->count == 0 || event->duration_ns > of->max_ns) {
        of->max_ns = event->duration_ns;
        of->longest = event->line;
    }
    of->count++;
    of->wall_ns = cg_add_ns(of->wall_ns, event->duration_ns);
    return true;
}

/* Not part of its caller, which has nothing to do for nearly all events. */
__attribute__((noinline)) static callgauge_status count_any(waiting *self, const callgauge_event *event,
                                                            callgauge_error *err)
{
    const uint32_t uncounted = CALLGAUGE_CALL_CHILD | CALLGAUGE_CALL_UNRETURNED;
    bool timed = event->kind == CALLGAUGE_EVENT_CALL && (event->has & CALLGAUGE_HAS_DURATION) != 0 &&
                 event->duration_kind == CALLGAUGE_TIME_WALL && event->duration_ns >= 0 &&
                 (event->flags & uncounted) == 0 && event->call != NULL;
    return !timed || !cg_waits(event) || count(self, event) ? CALLGAUGE_OK : cg_fail_nomem(err);
}

static callgauge_status count_event(void *ctx, const callgauge_event *event, callgauge_error *err)
{
    bool passes = (event->flags & (CG_CALL_PLAIN | CG_CALL_WAITS)) == CG_CALL_PLAIN;
    return passes ? CALLGAUGE_OK : count_any(ctx, event, err);
}

/* --- the end of the capture --- */

static callgauge_str text_of(const waiting *self, uint32_t id1)
{
    return id1 == 0 ? (callgauge_str){ "", 0 } : self->texts.texts[id1 - 1];
}

/* A row whose texts are not yet the report's own. */
static callgauge_waiting_row row_of(const waiting *self, const wait *of)
{
    const cg_file *file = itself(of->file);
    callgauge_waiting_row row = {
        .call = text_of(self, of->key.call),
        .address = text_of(self, of->key.address),
        .child = text_of(self, of->key.child),
        .peer_port = -1,
        .fd = of->key.fd,
        .count = of->count,
        .wall_ns = of->wall_ns,
        .max_ns = of->max_ns,
        .longest = { .line = of->longest },
    };
    if (file != NULL) {
        row.fd = file->opened_before ? file->fd : CALLGAUGE_UNKNOWN;
        row.kind = file->kind;
        row.path = file->path;
        row.peer = file->peer;
        row.peer_port = file->peer_port;
    }
    return row;
}

static void add_row(callgauge_waiting_row *to, const callgauge_waiting_row *from)
{
    bool longer = from->max_ns > to->max_ns || (from->max_ns == to->max_ns && from->longest.line < to->longest.line);
    to->count = cg_count_add(to->count, from->count);
    to->wall_ns = cg_add_ns(to->wall_ns, from->wall_ns);
    to->longest = longer ? from->longest : to->longest;
    to->max_ns = cg_known_max(to->max_ns, from->max_ns);
}

static bool keep_texts(cg_arena *arena, callgauge_waiting_row *row)
{
    return cg_arena_str(arena, row->call, &row->call) && cg_arena_str(arena, row->path, &row->path) &&
           cg_arena_str(arena, row->peer, &row->peer) && cg_arena_str(arena, row->address, &row->address) &&
           cg_arena_str(arena, row->child, &row->child);
}

static bool finish_rows(const waiting *self, callgauge_report *report)
{
    callgauge_waiting_row *rows = cg_arena_alloc(&report->arena, self->count * sizeof *rows);
    size_t kept = 0;
    if (rows == NULL) {
        return false;
    }
    for (size_t i = 0; i < self->count; i++) {
        rows[i] = row_of(self, &self->waits[i]);
    }
    if (self->count > 1) {
        qsort(rows, self->count, sizeof *rows, cg_waiting_row_cmp);
    }
    for (size_t i = 0; i < self->count; i++) {
        if (kept > 0 && cg_waiting_row_cmp(&rows[kept - 1], &rows[i]) == 0) {
            add_row(&rows[kept - 1], &rows[i]);
        } else {
            rows[kept++] = rows[i];
        }
    }
    for (size_t i = 0; i < kept; i++) {
        if (!keep_texts(&report->arena, &rows[i])) {
            return false;
        }
    }
    report->waiting = rows;
    report->waiting_count = kept;
    return true;
}

static callgauge_status finish(void *ctx, callgauge_report *report, callgauge_error *err)
{
    const waiting *self = ctx;
    bool ok = finish_rows(self, report) &&
              (self->dropped == 0 || cg_report_add_limit(report, "waiting", self->count, self->dropped));
    return ok ? CALLGAUGE_OK : cg_fail_nomem(err);
}

static void free_waiting(void *ctx)
{
    waiting *self = ctx;
    cg_intern_release(&self->texts);
    cg_mem_free(self->waits);
    cg_mem_free(self->slots);
    cg_mem_free(self);
}

callgauge_status cg_waiting_new(const cg_waiting_options *options, cg_stage *out, callgauge_error *err)
{
    waiting *self = cg_mem_zeroed(1, sizeof *self);
    if (self == NULL) {
        return cg_fail_nomem(err);
    }
    self->options = *options;
    cg_intern_init(&self->texts, options->limits.waiting + options->limits.names);
    *out = (cg_stage){
        .name = "waiting",
        .wants = CG_WANT_THREAD | CG_WANT_SCALARS,
        .self = self,
        .event = count_event,
        .finish = finish,
        .free = free_waiting,
    };
    return CALLGAUGE_OK;
}

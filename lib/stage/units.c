/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts the calls of each thread into units and counts how long and how large they are.
 * Invariant: `slowest` is in the order of cg_unit_row_cmp(), the longest first. */
#include "stage/units.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"
#include "event/annotation.h"
#include "stage/by_id.h"
#include "stage/call_stats.h"

/* The unit that a thread is at. */
typedef struct thread_unit {
    bool seen, open; /* `open`: there is one */
    uint64_t line;   /* of the call that started it */
    int64_t pid;
    uint64_t calls;
    uint64_t number;           /* of the unit, from 1 */
    int64_t start_ns, last_ns; /* last stamp of the thread; CALLGAUGE_UNKNOWN */
} thread_unit;

typedef struct units {
    cg_units_options options;
    callgauge_str call;
    cg_by_id threads; /* thread_unit by cg_thread.id + 1; 0: events of no known thread */
    size_t thread_count;
    uint64_t count;
    bool traced; /* a call of a trace was seen */
    cg_octaves calls, wall;
    callgauge_unit_row slowest[CG_SLOWEST_UNITS];
    size_t slowest_count;
    uint64_t dropped; /* calls of threads past the limit */
} units;

static bool starts(const units *self, const callgauge_call_name *call)
{
    if (call == NULL) {
        return false;
    }
    return self->options.from == CALLGAUGE_UNIT_REQUEST ? call->call_class == CALLGAUGE_CLASS_ACCEPT
                                                        : cg_str_eq(call->text, self->call);
}

/* Whether a call that counts begins a unit. */
static bool is_start(const units *self, const callgauge_event *event)
{
    if (self->options.from == CALLGAUGE_UNIT_PREDICATE) {
        return (event->flags & CG_CALL_STARTS) != 0;
    }
    return event->error == NULL && starts(self, event->call);
}

static bool add_to(cg_octaves *octaves, int64_t value)
{
    uint32_t index = cg_bucket_index(value);
    uint64_t **octave = &octaves->of[index / CG_BUCKET_SCALE];
    if (*octave == NULL) {
        *octave = cg_mem_zeroed(CG_BUCKET_SCALE, sizeof **octave);
    }
    if (*octave != NULL) {
        (*octave)[index % CG_BUCKET_SCALE]++;
    }
    return *octave != NULL;
}

static void keep_slowest(units *self, callgauge_unit_row row)
{
    size_t at = self->slowest_count;
    if (at == CG_SLOWEST_UNITS && cg_unit_row_cmp(&row, &self->slowest[at - 1]) >= 0) {
        return;
    }
    at -= at == CG_SLOWEST_UNITS;
    for (; at > 0 && cg_unit_row_cmp(&row, &self->slowest[at - 1]) < 0; at--) {
        self->slowest[at] = self->slowest[at - 1];
    }
    self->slowest[at] = row;
    self->slowest_count += self->slowest_count < CG_SLOWEST_UNITS;
}

/* Ends the unit of a thread, at `end_ns` or CALLGAUGE_UNKNOWN. False: no memory. */
static bool end_unit(units *self, thread_unit *of, int64_t end_ns)
{
    int64_t wall_ns = CALLGAUGE_UNKNOWN;
    if (!of->open) {
        return true;
    }
    if (of->start_ns != CALLGAUGE_UNKNOWN && end_ns != CALLGAUGE_UNKNOWN) {
        wall_ns = end_ns > of->start_ns ? end_ns - of->start_ns : 0;
    }
    of->open = false;
    keep_slowest(self, (callgauge_unit_row){
                           .place = { .line = of->line }, .pid = of->pid, .calls = of->calls, .wall_ns = wall_ns });
    return add_to(&self->calls, cg_count_held(of->calls)) &&
           (wall_ns == CALLGAUGE_UNKNOWN || add_to(&self->wall, wall_ns));
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
    return (event->has & CALLGAUGE_HAS_END) != 0 ? event->end_ns : first_stamp(event);
}

static bool begin_unit(units *self, thread_unit *of, const callgauge_event *event)
{
    int64_t first_ns = first_stamp(event);
    const cg_annotation *known = event->annotation;
    if (!end_unit(self, of, first_ns)) {
        return false;
    }
    *of = (thread_unit){
        .seen = true,
        .open = true,
        .line = event->line,
        .pid = known == NULL || known->process == NULL ? CALLGAUGE_UNKNOWN : known->process->pid,
        .start_ns = self->options.from == CALLGAUGE_UNIT_REQUEST ? last_stamp(event) : first_ns,
        .last_ns = of->last_ns,
        .number = of->number + 1,
    };
    self->count++;
    return true;
}

/* NULL in `out`: past the limit. False: no memory. */
static bool thread_of(units *self, const callgauge_event *event, thread_unit **out)
{
    const cg_annotation *known = event->annotation;
    size_t id = known == NULL || known->thread == NULL ? 0 : (size_t)known->thread->id + 1;
    thread_unit *found = cg_by_id_find(&self->threads, id);
    *out = NULL;
    if (found == NULL || !found->seen) {
        if (self->thread_count >= self->options.limits.processes) {
            return true;
        }
        found = cg_by_id_get(&self->threads, id);
        if (found == NULL) {
            return false;
        }
        *found = (thread_unit){ .seen = true, .last_ns = CALLGAUGE_UNKNOWN };
        self->thread_count++;
    }
    *out = found;
    return true;
}

static void tell_unit(const units *self, uint64_t number)
{
    if (self->options.unit_now != NULL) {
        *self->options.unit_now = number;
    }
}

static bool count_of_thread(units *self, const callgauge_event *event)
{
    const uint32_t uncounted = CALLGAUGE_CALL_CHILD | CALLGAUGE_CALL_UNRETURNED;
    bool counts = event->kind == CALLGAUGE_EVENT_CALL && (event->flags & uncounted) == 0;
    bool begins = counts && is_start(self, event);
    thread_unit *of;
    tell_unit(self, 0);
    if (!thread_of(self, event, &of)) {
        return false;
    }
    if (of == NULL) { /* counted, with nothing said of how it differs from others */
        self->count += begins;
        self->dropped += counts;
        return true;
    }
    if (begins && !begin_unit(self, of, event)) {
        return false;
    }
    of->calls += counts;
    tell_unit(self, of->open ? of->number : 0);
    of->last_ns = cg_known_max(of->last_ns, last_stamp(event));
    return true;
}

static void count_row(units *self, const callgauge_event *event)
{
    const callgauge_count_row *row = event->row;
    if (self->options.from != CALLGAUGE_UNIT_PREDICATE && !self->traced && row->of == CALLGAUGE_ROW_OF_CALL &&
        starts(self, event->call)) {
        uint64_t failed = row->errors < row->calls ? row->errors : row->calls;
        self->count = cg_count_add(self->count, row->calls - failed);
    }
}

static callgauge_status count_event(void *ctx, const callgauge_event *event, callgauge_error *err)
{
    units *self = ctx;
    bool ok = true;
    switch (event->kind) {
    case CALLGAUGE_EVENT_CALL:
        self->traced = true;
        ok = count_of_thread(self, event);
        break;
    case CALLGAUGE_EVENT_SIGNAL:
    case CALLGAUGE_EVENT_FAULT:
    case CALLGAUGE_EVENT_EXIT:
    case CALLGAUGE_EVENT_LIBRARY_CALL: ok = count_of_thread(self, event); break;
    case CALLGAUGE_EVENT_COUNT_ROW: count_row(self, event); break;
    case CALLGAUGE_EVENT_TOTALS:
    case CALLGAUGE_EVENT_NOTICE:
    case CALLGAUGE_EVENT_DETAIL:
    case CALLGAUGE_EVENT_FOREIGN:
    case CALLGAUGE_EVENT_UNREAD: break;
    }
    return ok ? CALLGAUGE_OK : cg_fail_nomem(err);
}

/* Of a number of units nothing more is known. */
static callgauge_status pass_over(void *ctx, const callgauge_event *event, callgauge_error *err)
{
    (void)ctx;
    (void)event;
    (void)err;
    return CALLGAUGE_OK;
}

static callgauge_status pass_over_run(void *ctx, const cg_run *run, callgauge_error *err)
{
    (void)ctx;
    (void)run;
    (void)err;
    return CALLGAUGE_OK;
}

static bool end_all(units *self)
{
    for (size_t id = 0; id < cg_by_id_end(&self->threads); id++) {
        thread_unit *of = cg_by_id_find(&self->threads, id);
        if (of != NULL && !end_unit(self, of, of->last_ns)) {
            return false;
        }
    }
    return true;
}

static bool finish_buckets(const cg_octaves *octaves, cg_arena *arena, const callgauge_bucket **out, size_t *count)
{
    callgauge_call_row row;
    if (!cg_call_row_set_buckets(&row, octaves->of, arena)) {
        return false;
    }
    *out = row.buckets;
    *count = row.bucket_count;
    return true;
}

static bool finish_unit(units *self, callgauge_report *report)
{
    callgauge_unit *unit = &report->unit;
    callgauge_unit_row *slowest = cg_arena_alloc(&report->arena, self->slowest_count * sizeof *slowest);
    if (slowest == NULL || !cg_arena_str(&report->arena, self->call, &unit->call) ||
        !finish_buckets(&self->calls, &report->arena, &unit->calls_buckets, &unit->calls_bucket_count) ||
        !finish_buckets(&self->wall, &report->arena, &unit->wall_buckets, &unit->wall_bucket_count)) {
        return false;
    }
    memcpy(slowest, self->slowest, self->slowest_count * sizeof *slowest);
    unit->slowest = slowest;
    unit->slowest_count = self->slowest_count;
    unit->from = self->options.from;
    unit->count = self->count;
    return true;
}

static callgauge_status finish(void *ctx, callgauge_report *report, callgauge_error *err)
{
    units *self = ctx;
    bool ok = end_all(self) && finish_unit(self, report) &&
              (self->dropped == 0 ||
               cg_report_add_limit(report, "processes", self->options.limits.processes, self->dropped));
    return ok ? CALLGAUGE_OK : cg_fail_nomem(err);
}

static void release_octaves(cg_octaves *octaves)
{
    for (size_t i = 0; i < sizeof octaves->of / sizeof octaves->of[0]; i++) {
        cg_mem_free(octaves->of[i]);
    }
}

static void free_units(void *ctx)
{
    units *self = ctx;
    cg_by_id_release(&self->threads);
    release_octaves(&self->calls);
    release_octaves(&self->wall);
    cg_mem_free(self);
}

callgauge_status cg_units_new(const cg_units_options *options, cg_stage *out, callgauge_error *err)
{
    units *self = cg_mem_zeroed(1, sizeof *self);
    bool number = options->from == CALLGAUGE_UNIT_NUMBER;
    if (self == NULL) {
        return cg_fail_nomem(err);
    }
    self->options = *options;
    bool by_text = options->from == CALLGAUGE_UNIT_CALL || options->from == CALLGAUGE_UNIT_PREDICATE;
    self->call = by_text ? cg_str_z(options->call) : (callgauge_str){ "", 0 };
    self->count = number ? options->count : 0;
    cg_by_id_init(&self->threads, sizeof(thread_unit));
    *out = (cg_stage){
        .name = "units",
        .wants = number ? CG_WANT_COUNTS : CG_WANT_THREAD | CG_WANT_SCALARS,
        .self = self,
        .event = number ? pass_over : count_event,
        .run = number ? pass_over_run : NULL,
        .finish = finish,
        .free = free_units,
    };
    return CALLGAUGE_OK;
}

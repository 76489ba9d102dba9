/* SPDX-License-Identifier: Apache-2.0 */
/* Counts calls, errors, durations and bytes of each call. */
#include "stage/call_stats.h"

#include <string.h>

#include "base/decimal.h"
#include "base/error.h"
#include "base/mem.h"

enum { FIRST_ROWS = 128, FIRST_ERRORS = 4 };

static void release_row(cg_call_stats *row)
{
    if (row->octaves != NULL) {
        for (size_t i = 0; i < sizeof row->octaves->of / sizeof row->octaves->of[0]; i++) {
            cg_mem_free(row->octaves->of[i]);
        }
    }
    cg_mem_free(row->octaves);
    cg_mem_free(row->by_error);
}

void cg_call_table_release(cg_call_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        release_row(&table->rows[i]);
    }
    cg_mem_free(table->rows);
    *table = (cg_call_table){ 0 };
}

/* Not inlined, like the other steps that are rare: they would only burden the way of every event. */
__attribute__((noinline)) static bool grow(cg_call_table *table, size_t id)
{
    size_t count = table->count == 0 ? FIRST_ROWS : table->count;
    while (count <= id) {
        count *= 2;
    }
    cg_call_stats *rows = cg_mem_resize(table->rows, count * sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    memset(rows + table->count, 0, (count - table->count) * sizeof *rows);
    table->rows = rows;
    table->count = count;
    return true;
}

static inline cg_call_stats *row_of(cg_call_table *table, const callgauge_call_name *name)
{
    if (name->id >= table->count && !grow(table, name->id)) {
        return NULL;
    }
    cg_call_stats *row = &table->rows[name->id];
    row->name = name;
    return row;
}

cg_call_stats *cg_call_table_row(cg_call_table *table, const callgauge_call_name *name)
{
    return row_of(table, name);
}

/* Where a name stands in the row's list; error_count: nowhere. */
static uint32_t find_error(const cg_call_stats *row, const callgauge_name *name)
{
    uint32_t at = 0;
    while (at < row->error_count && row->by_error[at].name != name) {
        at++;
    }
    return at;
}

static bool new_error(cg_call_table *table, cg_call_stats *row, const callgauge_name *name)
{
    if (row->error_count == CG_ERRORS_A_CALL) {
        table->unnamed_errors++;
        return true;
    }
    if (row->error_count == row->error_room) {
        uint32_t room = row->error_room == 0 ? FIRST_ERRORS : row->error_room * 2;
        cg_error_count *list = cg_mem_resize(row->by_error, room * sizeof *list);
        if (list == NULL) {
            return false;
        }
        row->by_error = list;
        row->error_room = room;
    }
    row->by_error[row->error_count++] = (cg_error_count){ .name = name, .count = 1 };
    return true;
}

/* An error that is not the one before: it becomes the first of the row's list. */
__attribute__((noinline)) static bool another_error(cg_call_table *table, cg_call_stats *row,
                                                    const callgauge_name *name)
{
    uint32_t at = find_error(row, name);
    if (at == row->error_count) {
        return new_error(table, row, name);
    }
    cg_error_count found = row->by_error[at];
    found.count++;
    row->by_error[at] = row->by_error[0];
    row->by_error[0] = found;
    return true;
}

static bool count_error(cg_call_table *table, cg_call_stats *row, const callgauge_name *name)
{
    row->errors++;
    if (row->error_count > 0 && row->by_error[0].name == name) {
        row->by_error[0].count++;
        return true;
    }
    return another_error(table, row, name);
}

/* The first duration of a call decides whose kind is kept in buckets. */
__attribute__((noinline)) static bool begin_durations(cg_call_stats *row, callgauge_time_kind kind)
{
    row->octaves = cg_mem_zeroed(1, sizeof *row->octaves);
    if (row->octaves == NULL) {
        return false;
    }
    row->durations_kind = kind;
    row->min_ns = INT64_MAX;
    row->max_ns = 0;
    return true;
}

__attribute__((noinline)) static uint64_t *new_octave(cg_call_stats *row, uint32_t octave)
{
    row->octaves->of[octave] = cg_mem_zeroed(CG_BUCKET_SCALE, sizeof(uint64_t));
    return row->octaves->of[octave];
}

static bool count_duration(cg_call_stats *row, callgauge_time_kind kind, int64_t ns)
{
    ns = ns < 0 ? 0 : ns;
    row->timed[kind]++;
    row->has_sum |= 1u << kind;
    row->sum_ns[kind] = cg_add_ns(row->sum_ns[kind], ns);
    if (row->octaves == NULL && !begin_durations(row, kind)) {
        return false;
    }
    if (row->durations_kind != kind) {
        return true;
    }
    row->min_ns = ns < row->min_ns ? ns : row->min_ns;
    row->max_ns = ns > row->max_ns ? ns : row->max_ns;
    uint32_t index = cg_bucket_index(ns);
    uint64_t *octave = row->octaves->of[index / CG_BUCKET_SCALE];
    if (octave == NULL && (octave = new_octave(row, index / CG_BUCKET_SCALE)) == NULL) {
        return false;
    }
    octave[index % CG_BUCKET_SCALE]++;
    return true;
}

void cg_call_stats_moved(cg_call_stats *row, callgauge_moves moves, int64_t bytes)
{
    row->moved |= moves;
    if (moves != CALLGAUGE_MOVES_OUT) {
        row->bytes_read = cg_add_ns(row->bytes_read, bytes);
    }
    if (moves != CALLGAUGE_MOVES_IN) {
        row->bytes_written = cg_add_ns(row->bytes_written, bytes);
    }
}

/* Not to be part of a loop that needs it for few calls. */
__attribute__((noinline)) static bool count_any(cg_call_table *table, const cg_run_call *call, callgauge_time_kind kind)
{
    const callgauge_call_name *name = call->name;
    cg_call_stats *row = row_of(table, name);
    if (row == NULL) {
        return false;
    }
    if ((call->flags & CALLGAUGE_CALL_UNRETURNED) != 0) {
        row->unreturned++;
        return true;
    }
    row->calls++;
    if (name->moves != CALLGAUGE_MOVES_NOTHING) {
        if (call->error != NULL) {
            cg_call_stats_moved(row, name->moves, 0);
        } else if ((call->has & CALLGAUGE_HAS_VALUE) != 0 && call->value >= 0) {
            cg_call_stats_moved(row, name->moves, call->value);
        }
    }
    if (call->error != NULL && !count_error(table, row, call->error)) {
        return false;
    }
    return (call->has & CALLGAUGE_HAS_DURATION) == 0 || count_duration(row, kind, call->duration_ns);
}

/* The bytes that a call has moved this way: `value` or 0, without a branch that nobody can foretell. */
static inline int64_t bytes_of(int64_t value, uint32_t moves, uint32_t way)
{
    return value & -(int64_t)((moves & way) != 0);
}

/* Counts a call that has succeeded and whose row has all it needs. False: it is no such call, and nothing is
 * counted. */
static inline __attribute__((always_inline)) bool count_plain(cg_call_table *table, const cg_run_call *call,
                                                              callgauge_time_kind kind)
{
    const uint32_t needed = CALLGAUGE_HAS_VALUE | CALLGAUGE_HAS_DURATION;
    const callgauge_call_name *name = call->name;
    if (name->id >= table->count || call->error != NULL || call->has != needed) {
        return false;
    }
    cg_call_stats *row = table->rows + name->id;
    if (row->durations_kind != kind) {
        return false;
    }
    int64_t ns = call->duration_ns, sum, bytes_read, bytes_written;
    int64_t in = bytes_of(call->value, name->moves, CALLGAUGE_MOVES_IN);
    int64_t out = bytes_of(call->value, name->moves, CALLGAUGE_MOVES_OUT);
    uint32_t index = cg_bucket_of((uint64_t)ns);
    uint64_t *octave = row->octaves->of[index / CG_BUCKET_SCALE];
    if (octave == NULL || call->value < 0 || __builtin_add_overflow(row->sum_ns[kind], ns, &sum) ||
        __builtin_add_overflow(row->bytes_read, in, &bytes_read) ||
        __builtin_add_overflow(row->bytes_written, out, &bytes_written)) {
        return false;
    }
    row->calls++;
    row->timed[kind]++;
    row->sum_ns[kind] = sum;
    row->moved |= name->moves;
    row->bytes_read = bytes_read;
    row->bytes_written = bytes_written;
    if (ns < row->min_ns) {
        row->min_ns = ns;
    }
    if (ns > row->max_ns) {
        row->max_ns = ns;
    }
    octave[index % CG_BUCKET_SCALE]++;
    return true;
}

static inline cg_run_call call_of(const callgauge_event *event)
{
    const uint32_t needed = CALLGAUGE_HAS_VALUE | CALLGAUGE_HAS_DURATION;
    return (
        cg_run_call){ event->call, event->error, event->value, event->duration_ns, event->has & needed, event->flags };
}

__attribute__((noinline)) static callgauge_status count_any_event(cg_call_table *table, const callgauge_event *event,
                                                                  callgauge_error *err)
{
    const cg_run_call call = call_of(event);
    return count_any(table, &call, event->duration_kind) ? CALLGAUGE_OK : cg_fail_nomem(err);
}

callgauge_status cg_call_table_count(cg_call_table *table, const callgauge_event *event, callgauge_error *err)
{
    const cg_run_call call = call_of(event);
    bool plain = call.duration_ns >= 0 && (call.flags & CALLGAUGE_CALL_UNRETURNED) == 0;
    return plain && count_plain(table, &call, event->duration_kind) ? CALLGAUGE_OK : count_any_event(table, event, err);
}

bool cg_call_table_count_run(cg_call_table *table, const cg_run *run)
{
    for (const cg_run_call *call = run->calls, *end = call + run->count; call < end; call++) {
        if (!count_plain(table, call, run->kind) && !count_any(table, call, run->kind)) {
            return false;
        }
    }
    return true;
}

static bool finish_durations(const cg_call_stats *stats, cg_arena *arena, callgauge_call_row *out)
{
    out->durations_kind = stats->durations_kind;
    out->min_ns = stats->min_ns;
    out->max_ns = stats->max_ns;
    return cg_call_row_set_buckets(out, stats->octaves->of, arena);
}

static bool finish_errors(const cg_call_stats *stats, cg_arena *arena, callgauge_call_row *out)
{
    callgauge_name_row *rows = cg_arena_alloc(arena, stats->error_count * sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < stats->error_count; i++) {
        rows[i].count = stats->by_error[i].count;
        if (!cg_arena_str(arena, stats->by_error[i].name->text, &rows[i].name)) {
            return false;
        }
    }
    out->error_name_count = cg_name_rows_settle(rows, stats->error_count);
    out->errors_by_name = rows;
    return true;
}

static void finish_time(const cg_call_stats *stats, callgauge_time_kind kind, int64_t *ns, uint64_t *calls)
{
    if ((stats->has_sum >> kind & 1) != 0) {
        *ns = stats->sum_ns[kind];
        *calls = (stats->untold >> kind & 1) != 0 ? 0 : stats->timed[kind];
    }
}

bool cg_call_stats_finish(const cg_call_stats *stats, cg_arena *arena, callgauge_call_row *out)
{
    cg_call_row_init(out);
    out->call_class = stats->name->call_class;
    out->calls = stats->calls;
    out->errors = stats->errors;
    out->unreturned = stats->unreturned;
    finish_time(stats, CALLGAUGE_TIME_CPU, &out->cpu_ns, &out->cpu_calls);
    finish_time(stats, CALLGAUGE_TIME_WALL, &out->wall_ns, &out->wall_calls);
    if ((stats->moved & CALLGAUGE_MOVES_IN) != 0) {
        out->bytes_read = stats->bytes_read;
    }
    if ((stats->moved & CALLGAUGE_MOVES_OUT) != 0) {
        out->bytes_written = stats->bytes_written;
    }
    return (stats->octaves == NULL || finish_durations(stats, arena, out)) && finish_errors(stats, arena, out);
}

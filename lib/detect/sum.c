/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over what rules found, and whether they reach the floors. */
#include <string.h>

#include "detect/inside.h"

static void add_known(int64_t *sum, int64_t more)
{
    *sum = cg_known_add(*sum, more);
}

void cg_sum_init(cg_sum *tally)
{
    *tally = (cg_sum){ .cpu_ns = CALLGAUGE_UNKNOWN,
                       .wall_ns = CALLGAUGE_UNKNOWN,
                       .bytes = CALLGAUGE_UNKNOWN,
                       .in = CALLGAUGE_UNKNOWN,
                       .out = CALLGAUGE_UNKNOWN,
                       .first_ns = CALLGAUGE_UNKNOWN,
                       .last_ns = CALLGAUGE_UNKNOWN };
}

static void add_bytes(cg_sum *tally, const callgauge_event *event)
{
    bool moved = event->call != NULL && event->call->moves != CALLGAUGE_MOVES_NOTHING && event->error == NULL &&
                 (event->has & CALLGAUGE_HAS_VALUE) != 0 && event->value >= 0;
    if (!moved) {
        return;
    }
    if (event->call->moves != CALLGAUGE_MOVES_OUT) {
        add_known(&tally->in, event->value);
    }
    if (event->call->moves != CALLGAUGE_MOVES_IN) {
        add_known(&tally->out, event->value);
    }
    add_known(&tally->bytes, event->value);
}

void cg_sum_event(cg_sum *tally, const callgauge_event *event)
{
    tally->calls++;
    tally->errors += event->error != NULL;
    if ((event->has & CALLGAUGE_HAS_DURATION) != 0) {
        add_known(event->duration_kind == CALLGAUGE_TIME_CPU ? &tally->cpu_ns : &tally->wall_ns, event->duration_ns);
    }
    if ((event->has & (CALLGAUGE_HAS_START | CALLGAUGE_HAS_END)) != 0) {
        int64_t at = (event->has & CALLGAUGE_HAS_START) != 0 ? event->start_ns : event->end_ns;
        tally->first_ns = cg_known_min(tally->first_ns, at);
        tally->last_ns = cg_known_max(tally->last_ns, at);
    }
    add_bytes(tally, event);
}

void cg_sum_add(cg_sum *tally, const cg_sum *more)
{
    tally->calls = cg_count_add(tally->calls, more->calls);
    tally->errors = cg_count_add(tally->errors, more->errors);
    tally->times = cg_count_add(tally->times, more->times);
    add_known(&tally->cpu_ns, more->cpu_ns);
    add_known(&tally->wall_ns, more->wall_ns);
    add_known(&tally->bytes, more->bytes);
    tally->first_ns = cg_known_min(tally->first_ns, more->first_ns);
    tally->last_ns = cg_known_max(tally->last_ns, more->last_ns);
}

void cg_sum_settle_bytes(cg_sum *tally)
{
    bool both = tally->in != CALLGAUGE_UNKNOWN && tally->out != CALLGAUGE_UNKNOWN;
    tally->bytes = both ? cg_known_min(tally->in, tally->out) : cg_known_max(tally->in, tally->out);
}

double cg_sum_rate(const cg_sum *tally)
{
    if (tally->first_ns == CALLGAUGE_UNKNOWN || tally->last_ns <= tally->first_ns || tally->calls < 2) {
        return 0;
    }
    return (double)(tally->calls - 1) * 1e9 / ((double)tally->last_ns - (double)tally->first_ns);
}

static int64_t time_of(const cg_sum *tally)
{
    return tally->wall_ns != CALLGAUGE_UNKNOWN ? tally->wall_ns : tally->cpu_ns;
}

static bool sums_hold(const cg_floor *floor, const cg_sum *tally, const cg_set *distinct)
{
    double calls = (double)tally->calls, errors = (double)tally->errors;
    if (((floor->has & CG_FLOOR_CALLS) != 0 && tally->calls < floor->calls) ||
        ((floor->has & CG_FLOOR_ERRORS) != 0 && tally->errors < floor->errors) ||
        ((floor->has & CG_FLOOR_ERROR_SHARE) != 0 && errors < floor->error_share * calls) ||
        ((floor->has & CG_FLOOR_TIME) != 0 && time_of(tally) < floor->time_ns) ||
        ((floor->has & CG_FLOOR_BYTES) != 0 && tally->bytes < floor->bytes) ||
        ((floor->has & CG_FLOOR_RATE) != 0 && cg_sum_rate(tally) < floor->rate)) {
        return false;
    }
    for (size_t i = 0; i < floor->distinct_count; i++) {
        if (distinct == NULL || distinct[floor->distinct[i].of].count < floor->distinct[i].count) {
            return false;
        }
    }
    return true;
}

bool cg_floor_holds(const cg_work *work, const cg_floor *floor, int part, const cg_sum *tally, const cg_set *distinct,
                    uint64_t of_calls, uint64_t units)
{
    (void)work;
    if ((part & CG_HOLDS_SUMS) != 0 && !sums_hold(floor, tally, distinct)) {
        return false;
    }
    if ((part & CG_HOLDS_SHARES) == 0) {
        return true;
    }
    double calls = (double)tally->calls;
    if ((floor->has & CG_FLOOR_SHARE) != 0 && (of_calls == 0 || calls < floor->share * (double)of_calls)) {
        return false;
    }
    return (floor->has & CG_FLOOR_PER_UNIT) == 0 || (units > 0 && calls >= floor->per_unit * (double)units);
}

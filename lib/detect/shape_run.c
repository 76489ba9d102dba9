/* SPDX-License-Identifier: Apache-2.0 */
/* The shape run: matches in a row on a thread or process; `next` relates each to the one before it, `skip` lets others
 * lie between. The floors of at_least hold for each run; what the runs that reach them come to is the finding.
 * A run on which a call without `key`'s value, or with another one, falls is not touched by it. */
#include "detect/inside.h"

static bool is_passed_over(const cg_work *work, const callgauge_call_name *name, uint32_t kind)
{
    return work->skip == CG_NONE ? !cg_is_on_descriptor(name) : cg_sure(work, work->skip, kind) == CG_YES;
}

static void run_kind(cg_work *work, const callgauge_call_name *name, uint32_t kind, bool *starts, bool *ignored)
{
    if (name == NULL) {
        *starts = false;
        *ignored = true;
        return;
    }
    bool has_key = work->key == CG_NONE || !cg_judge_sure_absent(work->all->judge, work->key, kind);
    cg_truth where = has_key ? cg_sure(work, work->where, kind) : CG_NO;
    *starts = where != CG_NO || cg_of_asks_for(work, kind);
    *ignored = !has_key || (where == CG_NO && is_passed_over(work, name, kind));
}

/* Which lines of at_least the run reaches. */
static uint32_t floors_met(const cg_work *work, const cg_attempt *run)
{
    uint32_t met = work->rule->floor_count == 0 ? 1 : 0;
    for (size_t i = 0; i < work->rule->floor_count; i++) {
        if (cg_floor_holds(work, &work->rule->floors[i], CG_HOLDS_SUMS, &run->tally, run->distinct, 0, 0)) {
            met |= 1u << i;
        }
    }
    return met;
}

static bool end_run(cg_work *work, cg_attempt *run, const callgauge_event *event)
{
    cg_sum_settle_bytes(&run->tally);
    uint32_t met = floors_met(work, run);
    bool good = met == 0 || cg_attempt_found(work, run, met, event);
    cg_attempt_end(work, run);
    return good;
}

static bool is_skipped(cg_work *work, const cg_attempt *run, const callgauge_event *event)
{
    if (work->skip == CG_NONE) {
        return !cg_is_on_descriptor(event->call);
    }
    return cg_judge_event(work->all->judge, work->skip, event, run->slots) == CG_YES;
}

static bool run_event(cg_work *work, uint32_t lane, const callgauge_event *event)
{
    cg_judge *judge = work->all->judge;
    cg_value key;
    work->of_calls += work->of != CG_NONE && cg_is_of(work, event);
    if (work->key != CG_NONE) {
        cg_judge_value(judge, work->key, event, NULL, &key);
        if (key.known != CG_KNOWN) {
            return true;
        }
        cg_judge_keep(work->all->steps, &key);
    }
    const cg_value *of_key = work->key == CG_NONE ? NULL : &key;
    cg_attempt *run = cg_attempts_find(work, lane, of_key);
    if (run != NULL && cg_attempt_is_late(work, run, event)) {
        if (!end_run(work, run, event)) {
            return false;
        }
        run = NULL;
    }
    cg_truth truth = cg_judge_event(judge, work->where, event, NULL);
    work->undecided += truth == CG_UNDECIDED;
    if (truth != CG_YES) {
        return run == NULL || is_skipped(work, run, event) || end_run(work, run, event);
    }
    if (run != NULL && work->next != CG_NONE) {
        truth = cg_judge_event(judge, work->next, event, run->slots);
        work->undecided += truth == CG_UNDECIDED;
    }
    if (run != NULL && truth != CG_YES) {
        if (!end_run(work, run, event)) {
            return false;
        }
        run = NULL;
    }
    run = run == NULL ? cg_attempts_begin(work, lane, of_key, event) : run;
    return run != NULL && cg_attempt_take(work, run, 0, event);
}

const cg_shape cg_shape_run = { run_kind, run_event, end_run, NULL };

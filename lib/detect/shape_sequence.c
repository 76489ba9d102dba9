/* SPDX-License-Identifier: Apache-2.0 */
/* The shape sequence: named steps, without backtracking. An event that fits the next step advances; else one that fits
 * the current repeatable step joins it; else `skip` ignores it; else the attempt ends and the event may begin a new
 * one. One attempt for each lane and key; an event that has no value for `key` belongs to none, and touches none. */
#include "detect/inside.h"

static void sequence_kind(cg_work *work, const callgauge_call_name *name, uint32_t kind, bool *starts, bool *ignored)
{
    *starts = false;
    *ignored = true;
    if (name == NULL) {
        return;
    }
    *starts = cg_of_asks_for(work, kind);
    if (work->key != CG_NONE && cg_judge_sure_absent(work->all->judge, work->key, kind)) {
        return;
    }
    for (uint32_t i = 0; i < work->rule->step_count; i++) {
        if (cg_sure(work, work->steps[i], kind) != CG_NO) {
            *ignored = false;
            *starts |= i == 0;
        }
    }
    if (*ignored) {
        *ignored = work->skip == CG_NONE ? !cg_is_on_descriptor(name) : cg_sure(work, work->skip, kind) == CG_YES;
    }
}

static const cg_step *step_of(const cg_work *work, const cg_attempt *attempt)
{
    return &work->rule->steps[attempt->step];
}

static bool is_last(const cg_work *work, const cg_attempt *attempt)
{
    return attempt->step + 1 == work->rule->step_count;
}

/* The attempt goes no further: it is what was looked for, or it is nothing. */
static bool close(cg_work *work, cg_attempt *attempt, const callgauge_event *event)
{
    bool whole = is_last(work, attempt) && attempt->count >= step_of(work, attempt)->least;
    bool good = !whole || cg_attempt_found(work, attempt, 0, event);
    cg_attempt_end(work, attempt);
    return good;
}

static bool take(cg_work *work, cg_attempt *attempt, const callgauge_event *event)
{
    if (!cg_attempt_take(work, attempt, attempt->step, event)) {
        return false;
    }
    bool full = is_last(work, attempt) && attempt->count >= step_of(work, attempt)->most;
    return !full || close(work, attempt, event);
}

typedef enum fits { FITS_NOT, FITS, FITS_FAILED } fits;

/* Lets an open attempt have the event. `*undecided`: it may have been a step. */
static fits go_on(cg_work *work, cg_attempt *attempt, const callgauge_event *event, bool *undecided)
{
    cg_judge *judge = work->all->judge;
    const cg_step *step = step_of(work, attempt);
    if (attempt->count >= step->least && !is_last(work, attempt)) {
        cg_truth truth = cg_judge_event(judge, work->steps[attempt->step + 1], event, attempt->slots);
        if (truth == CG_YES) {
            attempt->step++;
            attempt->count = 0;
            return take(work, attempt, event) ? FITS : FITS_FAILED;
        }
        *undecided |= truth == CG_UNDECIDED;
    }
    if (attempt->count < step->most) {
        cg_truth truth = cg_judge_event(judge, work->steps[attempt->step], event, attempt->slots);
        if (truth == CG_YES) {
            return take(work, attempt, event) ? FITS : FITS_FAILED;
        }
        *undecided |= truth == CG_UNDECIDED;
    }
    bool skipped = work->skip == CG_NONE ? !cg_is_on_descriptor(event->call)
                                         : cg_judge_event(judge, work->skip, event, attempt->slots) == CG_YES;
    return skipped ? FITS : FITS_NOT;
}

static bool begin(cg_work *work, uint32_t lane, const cg_value *key, const callgauge_event *event, bool *undecided)
{
    cg_truth truth = cg_judge_event(work->all->judge, work->steps[0], event, work->blank);
    *undecided |= truth == CG_UNDECIDED;
    if (truth != CG_YES) {
        return true;
    }
    cg_attempt *attempt = cg_attempts_begin(work, lane, key, event);
    return attempt != NULL && take(work, attempt, event);
}

static bool sequence_event(cg_work *work, uint32_t lane, const callgauge_event *event)
{
    cg_judge *judge = work->all->judge;
    cg_value key;
    bool undecided = false;
    work->of_calls += work->of != CG_NONE && cg_is_of(work, event);
    if (work->key != CG_NONE) {
        cg_judge_value(judge, work->key, event, NULL, &key);
        if (key.known != CG_KNOWN) {
            return true;
        }
        cg_judge_keep(work->all->steps, &key);
    }
    const cg_value *of_key = work->key == CG_NONE ? NULL : &key;
    cg_attempt *attempt = cg_attempts_find(work, lane, of_key);
    fits fit = FITS_NOT;
    if (attempt != NULL && !cg_attempt_is_late(work, attempt, event)) {
        fit = go_on(work, attempt, event, &undecided);
    }
    bool good = fit != FITS_FAILED;
    if (good && fit == FITS_NOT) {
        good = (attempt == NULL || close(work, attempt, event)) && begin(work, lane, of_key, event, &undecided);
    }
    work->undecided += undecided && fit == FITS_NOT;
    return good;
}

const cg_shape cg_shape_sequence = { sequence_kind, sequence_event, close, NULL };

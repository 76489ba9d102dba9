/* SPDX-License-Identifier: Apache-2.0 */
/* From events to recorded sequences: which calls belong to one, by markers and threads.
 * Invariant: what was left out is said in the rows: none passes for whole. */
#include "detect/expect.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"
#include "detect/sequences.h"
#include "event/normal.h"
#include "predicate/predicate.h"

enum { FIRST_ROOM = 16 };

#define NONE UINT32_MAX

/* A sequence that has not come to its end. */
typedef struct recording {
    cg_sequence so_far;
    cg_normal_names names;
    bool over; /* its thread, or process, has ended */
} recording;

/* One expectation at work. */
typedef struct work {
    const cg_expectation *of;
    uint32_t begin, end, skip; /* ids in the judge; NONE */
    recording **open;          /* by thread, or process; NULL: none has begun */
    size_t lanes, open_count;
    uint64_t not_begun; /* past the limit */
    cg_sequences found;
} work;

struct cg_expect {
    callgauge_limits limits;
    cg_judge *judge;
    cg_normal_facts facts;
    cg_sequence_lines lines;
    cg_buf line;
    work *works;
    size_t count;
};

/* --- what is wanted */

bool cg_expect_is_wanted(const callgauge_budget *budget)
{
    return budget != NULL && budget->expectation_count > 0;
}

static void add_needs(cg_detect_needs *needs, const cg_predicate *predicate)
{
    if (predicate != NULL) {
        needs->wants |= cg_predicate_about(predicate)->wants;
        needs->units |= cg_predicate_about(predicate)->reads_unit;
    }
}

cg_detect_needs cg_expect_needs_of(const callgauge_budget *budget)
{
    cg_detect_needs needs = { 0 };
    if (!cg_expect_is_wanted(budget)) {
        return needs;
    }
    needs = (cg_detect_needs){ .wants = CG_WANT_SCALARS | CG_WANT_THREAD, .state = true };
    for (size_t i = 0; i < budget->expectation_count; i++) {
        add_needs(&needs, budget->expectations[i].begin);
        add_needs(&needs, budget->expectations[i].end);
        add_needs(&needs, budget->expectations[i].skip);
    }
    return needs;
}

/* --- making */

static bool add_predicate(cg_judge *judge, const cg_predicate *predicate, uint32_t *id)
{
    *id = NONE;
    return predicate == NULL || cg_judge_add(judge, predicate, id);
}

callgauge_status cg_expect_new(const callgauge_budget *budget, const callgauge_limits *limits, cg_expect **out,
                               callgauge_error *err)
{
    cg_expect *expect = cg_mem_zeroed(1, sizeof *expect);
    if (expect == NULL) {
        return cg_fail_nomem(err);
    }
    expect->limits = *limits;
    cg_normal_facts_init(&expect->facts);
    cg_sequence_lines_init(&expect->lines);
    cg_buf_init(&expect->line, SIZE_MAX);
    expect->judge = cg_judge_new(NULL);
    expect->works = cg_mem_zeroed(budget->expectation_count, sizeof *expect->works);
    bool good = expect->judge != NULL && expect->works != NULL;
    for (; good && expect->count < budget->expectation_count; expect->count++) {
        work *w = &expect->works[expect->count];
        w->of = &budget->expectations[expect->count];
        good = add_predicate(expect->judge, w->of->begin, &w->begin) &&
               add_predicate(expect->judge, w->of->end, &w->end) && add_predicate(expect->judge, w->of->skip, &w->skip);
    }
    if (!good) {
        cg_expect_free(expect);
        return cg_fail_nomem(err);
    }
    *out = expect;
    return CALLGAUGE_OK;
}

static void free_recording(recording *r)
{
    if (r != NULL) {
        cg_normal_names_release(&r->names);
        cg_sequence_release(&r->so_far);
        cg_mem_free(r);
    }
}

static void release_work(work *w)
{
    for (size_t i = 0; i < w->lanes; i++) {
        free_recording(w->open[i]);
    }
    cg_sequences_release(&w->found);
    cg_mem_free(w->open);
}

void cg_expect_free(cg_expect *expect)
{
    if (expect == NULL) {
        return;
    }
    for (size_t i = 0; i < expect->count; i++) {
        release_work(&expect->works[i]);
    }
    cg_judge_free(expect->judge);
    cg_normal_facts_release(&expect->facts);
    cg_sequence_lines_release(&expect->lines);
    cg_buf_release(&expect->line);
    cg_mem_free(expect->works);
    cg_mem_free(expect);
}

void cg_expect_begin(cg_expect *expect, const callgauge_capture *capture)
{
    cg_judge_begin(expect->judge, capture);
}

/* --- sequences */

static bool room_for_lane(work *w, size_t lane)
{
    size_t room = w->lanes == 0 ? FIRST_ROOM : w->lanes;
    while (room <= lane) {
        room *= 2;
    }
    if (room == w->lanes) {
        return true;
    }
    recording **open = cg_mem_resize(w->open, room * sizeof *open);
    if (open == NULL) {
        return false;
    }
    memset(open + w->lanes, 0, (room - w->lanes) * sizeof *open);
    w->open = open;
    w->lanes = room;
    return true;
}

/* Begins a sequence, unless too many have begun. */
static bool begin(cg_expect *expect, work *w, size_t lane, const callgauge_event *event)
{
    if (w->open_count >= expect->limits.attempts) {
        w->not_begun++;
        return true;
    }
    recording *r = room_for_lane(w, lane) ? cg_mem_zeroed(1, sizeof *r) : NULL;
    if (r == NULL) {
        return false;
    }
    r->so_far.begin = event->first_line;
    w->open[lane] = r;
    w->open_count++;
    return true;
}

static bool add_call(cg_expect *expect, const work *w, recording *r, const callgauge_event *event)
{
    callgauge_str text = event->call->text;
    if (!w->of->names_only && !r->so_far.cut) {
        if (!cg_normal_call(&expect->line, event, &expect->facts, &r->names)) {
            return false;
        }
        text = cg_buf_str(&expect->line);
    }
    return cg_sequence_add(&r->so_far, &expect->lines, text, event->first_line);
}

static recording *open_at(const work *w, size_t lane)
{
    return lane < w->lanes ? w->open[lane] : NULL;
}

static void end(work *w, size_t lane, bool ended)
{
    recording *r = open_at(w, lane);
    if (r == NULL) {
        return;
    }
    r->so_far.ended = ended;
    cg_sequences_keep(&w->found, &r->so_far);
    free_recording(r);
    w->open[lane] = NULL;
    w->open_count--;
}

/* The capture has ended. What lacks its second marker then is unfinished, unless none could come any more. */
static void end_all(work *w)
{
    for (size_t lane = 0; lane < w->lanes; lane++) {
        recording *r = w->open[lane];
        if (r != NULL) {
            r->so_far.unfinished = w->end != NONE && !r->over;
            end(w, lane, w->end == NONE);
        }
    }
}

/* --- events */

static bool holds(cg_expect *expect, uint32_t id, const callgauge_event *event)
{
    return id != NONE && cg_judge_name(expect->judge, id, event->call) != CG_NO &&
           cg_judge_event(expect->judge, id, event, NULL) == CG_YES;
}

/* The call goes on with a sequence, or ends it. `may_begin`: it is behind the end, and may be the first call of another
 * one; markers that belong to no sequence come in pairs. */
static bool go_on(cg_expect *expect, work *w, size_t lane, const callgauge_event *event, bool *may_begin)
{
    bool is_end = holds(expect, w->end, event);
    bool belongs = is_end ? w->of->end_inside : !holds(expect, w->skip, event);
    bool good = !belongs || add_call(expect, w, w->open[lane], event);
    *may_begin = is_end && !belongs && w->of->begin_inside;
    if (is_end) {
        end(w, lane, true);
    }
    return good;
}

static bool take(cg_expect *expect, work *w, size_t lane, const callgauge_event *event)
{
    bool may_begin = true;
    if (open_at(w, lane) != NULL && !go_on(expect, w, lane, event, &may_begin)) {
        return false;
    }
    bool returned = (event->flags & CALLGAUGE_CALL_UNRETURNED) == 0;
    if (!may_begin || !returned || !holds(expect, w->begin, event)) {
        return true;
    }
    if (!begin(expect, w, lane, event)) {
        return false;
    }
    recording *r = open_at(w, lane);
    return r == NULL || !w->of->begin_inside || add_call(expect, w, r, event);
}

/* The call that a signal handler ends with comes when the signal does; it is nothing that the program asks for. */
static bool is_end_of_signal(callgauge_str name)
{
    return cg_str_is(name, "rt_sigreturn") || cg_str_is(name, "sigreturn");
}

/* A thread, or process, is gone: no marker comes any more. */
static void note_over(work *w, size_t lane)
{
    recording *r = open_at(w, lane);
    if (r != NULL) {
        r->over = true;
    }
}

static bool take_call(cg_expect *expect, work *w, size_t lane, const callgauge_event *event)
{
    bool good = take(expect, w, lane, event);
    callgauge_str name = event->call->text;
    bool of_all = cg_str_is(name, "exit_group") || cg_str_is(name, "_exit");
    if (event->call->call_class == CALLGAUGE_CLASS_EXIT && (of_all || !w->of->by_process)) {
        note_over(w, lane);
    }
    return good;
}

static void take_exit(work *w, const cg_process *process, const cg_thread *thread)
{
    if (!w->of->by_process) {
        note_over(w, thread->id);
        end(w, thread->id, w->end == NONE);
    } else if (thread->tid == process->pid) {
        note_over(w, process->id);
    }
}

static bool take_all(cg_expect *expect, const callgauge_event *event)
{
    const cg_annotation *known = event->annotation;
    const cg_process *process = known == NULL ? NULL : cg_process_itself(known->process);
    bool is_call = event->kind == CALLGAUGE_EVENT_CALL && (event->flags & CALLGAUGE_CALL_CHILD) == 0 &&
                   !is_end_of_signal(event->call->text);
    bool is_exit = event->kind == CALLGAUGE_EVENT_EXIT;
    if ((!is_call && !is_exit) || process == NULL || known->thread == NULL) {
        return true;
    }
    bool good = true;
    for (size_t i = 0; good && i < expect->count; i++) {
        work *w = &expect->works[i];
        if (is_exit) {
            take_exit(w, process, known->thread);
        } else {
            good = take_call(expect, w, w->of->by_process ? process->id : known->thread->id, event);
        }
    }
    return good;
}

callgauge_status cg_expect_event(cg_expect *expect, const callgauge_event *event, callgauge_error *err)
{
    cg_judge_next(expect->judge, event);
    return cg_normal_facts_note(&expect->facts, event) && take_all(expect, event) ? CALLGAUGE_OK : cg_fail_nomem(err);
}

/* --- the end */

static uint32_t traits_of(const cg_predicate *predicate)
{
    return predicate == NULL ? 0 : cg_predicate_about(predicate)->traits;
}

/* Whether the capture has what the markers read. */
static bool is_told(const work *w, const callgauge_capture *capture)
{
    uint32_t traits = traits_of(w->of->begin) | traits_of(w->of->end) | traits_of(w->of->skip);
    return capture->has_events && (traits & ~capture->traits) == 0;
}

callgauge_status cg_expect_finish(cg_expect *expect, callgauge_report *report, callgauge_error *err)
{
    if (report->capture_count == 0) {
        return CALLGAUGE_OK;
    }
    report->recorded = cg_arena_alloc(&report->arena, expect->count * CG_MOST_SEQUENCES * sizeof *report->recorded);
    bool good = report->recorded != NULL && !cg_judge_counts_of(expect->judge)->no_memory;
    for (size_t i = 0; good && i < expect->count; i++) {
        work *w = &expect->works[i];
        end_all(w);
        good = !is_told(w, &report->captures[0].capture) ||
               (cg_sequences_rows(&w->found, &expect->lines, w->of->name, w->not_begun > 0, report) &&
                (w->not_begun == 0 || cg_report_add_limit(report, "attempts", expect->limits.attempts, w->not_begun)));
    }
    if (good && report->recorded_count > 1) {
        qsort(report->recorded, report->recorded_count, sizeof *report->recorded, cg_recorded_row_order);
    }
    return good ? CALLGAUGE_OK : cg_fail_nomem(err);
}

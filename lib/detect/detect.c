/* SPDX-License-Identifier: Apache-2.0 */
/* Sends each event to the rules it can matter to, and at the end asks them what they found.
 * What a call's name and outcome decide is decided once a kind: a bit for each rule that an event of it may begin
 * something for, and one for each whose open attempts it leaves alone. */
#include "detect/detect.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"
#include "detect/inside.h"
#include "detect/lanes.h"
#include "event/event.h"

enum { FIRST_NAMES = 64, MOST_TABLE_LINES = 512 };

static const char *const implied_texts[CG_IMPLIED_KEYS] = { "path", "fd.path", "peer.addr" };

/* --- what a set of rules needs */

cg_detect_needs cg_detect_needs_of(const callgauge_rules *rules)
{
    cg_detect_needs needs = { .wants = rules == NULL ? CG_WANT_COUNTS : CG_WANT_SCALARS | CG_WANT_THREAD };
    for (size_t i = 0; rules != NULL && i < rules->count; i++) {
        const cg_rule *rule = rules->rules[i];
        needs.wants |= rule->wants;
        needs.state |= rule->reads_state;
        needs.units |= rule->reads_unit;
        for (size_t k = 0; k < rule->floor_count; k++) {
            needs.units |= (rule->floors[k].has & CG_FLOOR_PER_UNIT) != 0;
        }
        if (rule->info.shape == CALLGAUGE_SHAPE_ROWS && rule->subject != CG_OF_CALLS) {
            needs.state = true;
            needs.processes |= rule->subject == CG_OF_PROCESSES;
            needs.rows |= rule->subject != CG_OF_PROCESSES;
        }
    }
    return needs;
}

cg_detect_needs cg_detect_needs_join(cg_detect_needs a, cg_detect_needs b)
{
    return (cg_detect_needs){ a.wants | b.wants, a.state || b.state, a.units || b.units, a.processes || b.processes,
                              a.rows || b.rows };
}

/* --- making */

static bool add_part(cg_detect *detect, const cg_predicate *part, uint32_t *id)
{
    *id = CG_NONE;
    return part == NULL || cg_judge_add(detect->judge, part, id);
}

static bool add_expressions(cg_detect *detect, const cg_expression *items, size_t count, uint32_t *ids, bool *slots)
{
    for (size_t i = 0; i < count; i++) {
        if (!add_part(detect, items[i].compiled, &ids[i])) {
            return false;
        }
        if (slots != NULL) {
            slots[i] = cg_predicate_about(items[i].compiled)->reads_slots;
        }
    }
    return true;
}

static const cg_shape *shape_of(const cg_rule *rule)
{
    switch (rule->info.shape) {
    case CALLGAUGE_SHAPE_COUNT: return &cg_shape_count;
    case CALLGAUGE_SHAPE_RUN: return &cg_shape_run;
    case CALLGAUGE_SHAPE_SEQUENCE: return &cg_shape_sequence;
    case CALLGAUGE_SHAPE_ROWS: break;
    }
    return &cg_shape_rows;
}

static bool begin_work(cg_detect *detect, size_t index, const cg_rule *rule)
{
    cg_work *work = &detect->works[index];
    *work = (cg_work){ .all = detect, .rule = rule, .shape = shape_of(rule), .index = (uint32_t)index };
    work->event = work->shape->event;
    work->by_process = rule->by_process;
    cg_sum_init(&work->table);
    detect->takes_events |= work->shape->event != NULL;
    detect->has_lanes |= work->shape == &cg_shape_run || work->shape == &cg_shape_sequence;
    bool good = add_part(detect, rule->where, &work->where) && add_part(detect, rule->of, &work->of) &&
                add_part(detect, rule->next, &work->next) && add_part(detect, rule->reset, &work->reset) &&
                add_part(detect, rule->skip, &work->skip) && add_part(detect, rule->key.compiled, &work->key);
    for (size_t i = 0; good && i < rule->step_count; i++) {
        good = add_part(detect, rule->steps[i].where, &work->steps[i]);
    }
    good = good && add_expressions(detect, rule->by.items, rule->by.count, work->by, work->by_slots) &&
           add_expressions(detect, rule->each.items, rule->each.count, work->each, work->each_slots) &&
           add_expressions(detect, rule->distinct, rule->distinct_count, work->distinct, NULL) &&
           add_expressions(detect, rule->values, rule->value_count, work->values, work->value_slots);
    work->slot_count = rule->names == NULL ? 0 : cg_scope_slot_count(rule->names);
    work->blank = cg_mem_zeroed(work->slot_count + 1, sizeof *work->blank);
    return good && work->blank != NULL;
}

static callgauge_status add_implied(cg_detect *detect, callgauge_error *err)
{
    for (size_t i = 0; i < CG_IMPLIED_KEYS; i++) {
        const cg_predicate_source source = { .text = cg_str_z(implied_texts[i]), .place = { .name = "implied" } };
        callgauge_status status = cg_expression_compile(&source, CG_OF_EVENTS, NULL, &detect->implied_keys[i], err);
        if (status != CALLGAUGE_OK) {
            return status;
        }
        if (!add_part(detect, detect->implied_keys[i], &detect->implied[i])) {
            return cg_fail_nomem(err);
        }
    }
    return CALLGAUGE_OK;
}

/* Whether the rule is about events on certain paths, and nothing else. */
static bool is_by_path(const cg_work *work)
{
    return work->rule->info.shape == CALLGAUGE_SHAPE_COUNT && work->of == CG_NONE && work->reset == CG_NONE &&
           cg_predicate_is_about_path(work->rule->where);
}

static size_t count_of(const callgauge_rules *rules)
{
    return rules == NULL ? 0 : rules->count;
}

static const cg_rule *rule_at(const cg_detect_options *options, size_t index)
{
    size_t first = count_of(options->rules);
    return index < first ? options->rules->rules[index] : options->more->rules[index - first];
}

callgauge_status cg_detect_new(const cg_detect_options *options, cg_detect **out, callgauge_error *err)
{
    cg_detect *detect = cg_mem_zeroed(1, sizeof *detect);
    if (detect == NULL) {
        return cg_fail_nomem(err);
    }
    size_t count = count_of(options->rules) + count_of(options->more);
    detect->options = *options;
    detect->words = (count + 63) / 64;
    detect->judge = cg_judge_new(NULL);
    detect->steps = cg_judge_new(NULL);
    detect->works = cg_mem_zeroed(count + 1, sizeof *detect->works);
    detect->due = cg_mem_zeroed(detect->words + 1, sizeof *detect->due);
    detect->by_path = cg_mem_zeroed(detect->words + 1, sizeof *detect->by_path);
    detect->no_name = cg_mem_zeroed(detect->words + 1, sizeof *detect->no_name);
    detect->ids = cg_mem_zeroed(1, sizeof *detect->ids);
    bool good = detect->judge != NULL && detect->steps != NULL && detect->works != NULL && detect->due != NULL &&
                detect->no_name != NULL && detect->by_path != NULL && detect->ids != NULL;
    callgauge_status status = good ? add_implied(detect, err) : cg_fail_nomem(err);
    for (size_t i = 0; status == CALLGAUGE_OK && i < count; i++) {
        detect->count++;
        status = begin_work(detect, i, rule_at(options, i)) ? CALLGAUGE_OK : cg_fail_nomem(err);
        if (status == CALLGAUGE_OK && is_by_path(&detect->works[i])) {
            detect->by_path[i / 64] |= (uint64_t)1 << i % 64;
        }
    }
    if (status != CALLGAUGE_OK) {
        cg_detect_free(detect);
        return status;
    }
    *out = detect;
    return CALLGAUGE_OK;
}

void cg_detect_free(cg_detect *detect)
{
    if (detect == NULL) {
        return;
    }
    for (size_t i = 0; i < detect->count; i++) {
        cg_work *work = &detect->works[i];
        cg_groups_release(&work->bys, work->rule->distinct_count);
        cg_groups_release(&work->eaches, work->rule->distinct_count);
        cg_attempts_release(work);
        cg_mem_free(work->blank);
    }
    for (size_t i = 0; i < CG_IMPLIED_KEYS; i++) {
        cg_predicate_free(detect->implied_keys[i]);
    }
    cg_lanes_release(detect);
    cg_judge_free(detect->judge);
    cg_judge_free(detect->steps);
    cg_mem_free(detect->works);
    cg_mem_free(detect->due);
    cg_mem_free(detect->no_name);
    cg_mem_free(detect->by_path);
    cg_mem_free(detect->paths);
    cg_mem_free(detect->path_known);
    cg_mem_free(detect->kind_known);
    cg_mem_free(detect->kind_starts);
    cg_mem_free(detect->kind_ignored);
    cg_mem_free(detect->kind_calls);
    cg_mem_free(detect->table_lines);
    cg_arena_release(&detect->arena);
    cg_mem_free(detect);
}

/* Adds to the calls that `of` counts those that are found by their kind alone. */
static void count_kinds(cg_detect *detect)
{
    for (size_t i = 0; i < detect->count; i++) {
        cg_work *work = &detect->works[i];
        for (uint32_t kind = 0; cg_counts_of_by_kind(work) && kind < detect->kind_room; kind++) {
            if (detect->kind_calls[kind] > 0 && cg_sure(work, work->of, kind) == CG_YES) {
                work->of_calls = cg_count_add(work->of_calls, detect->kind_calls[kind]);
            }
        }
    }
    if (detect->kind_room > 0) {
        memset(detect->kind_calls, 0, detect->kind_room * sizeof *detect->kind_calls);
    }
}

void cg_detect_begin(cg_detect *detect, const callgauge_capture *capture)
{
    count_kinds(detect);
    detect->capture = capture;
    cg_judge_begin(detect->judge, capture);
    cg_judge_begin(detect->steps, capture);
    if (detect->kind_room > 0) {
        memset(detect->kind_known, 0, detect->kind_room);
    }
}

/* --- kinds of calls */

static bool room_for_kind(cg_detect *detect, uint32_t id)
{
    size_t room = detect->kind_room == 0 ? FIRST_NAMES : detect->kind_room;
    while (room <= id) {
        room *= 2;
    }
    if (room == detect->kind_room) {
        return true;
    }
    size_t words = detect->words > 0 ? detect->words : 1;
    uint8_t *known = cg_mem_resize(detect->kind_known, room);
    detect->kind_known = known == NULL ? detect->kind_known : known;
    uint64_t *starts = cg_mem_resize(detect->kind_starts, room * words * sizeof *starts);
    detect->kind_starts = starts == NULL ? detect->kind_starts : starts;
    uint64_t *ignored = cg_mem_resize(detect->kind_ignored, room * words * sizeof *ignored);
    detect->kind_ignored = ignored == NULL ? detect->kind_ignored : ignored;
    uint64_t *calls = cg_mem_resize(detect->kind_calls, room * sizeof *calls);
    detect->kind_calls = calls == NULL ? detect->kind_calls : calls;
    if (known == NULL || starts == NULL || ignored == NULL || calls == NULL) {
        return false;
    }
    memset(known + detect->kind_room, 0, room - detect->kind_room);
    memset(calls + detect->kind_room, 0, (room - detect->kind_room) * sizeof *calls);
    detect->kind_room = room;
    return true;
}

static bool add_candidate(cg_work *work, const callgauge_call_name *name)
{
    for (size_t i = 0; i < work->candidate_count; i++) {
        if (cg_str_eq(work->candidates[i], name->text)) {
            return true;
        }
    }
    return work->candidate_count == CG_CANDIDATES ||
           cg_arena_str(&work->all->arena, name->text, &work->candidates[work->candidate_count++]);
}

/* Notes that a call was seen which the rule could be about. */
static bool note_candidate(cg_work *work, const callgauge_call_name *name)
{
    cg_judge *judge = work->all->judge;
    bool is_one = work->where != CG_NONE && work->rule->info.shape != CALLGAUGE_SHAPE_ROWS &&
                  cg_judge_name(judge, work->where, name) != CG_NO;
    for (size_t i = 0; i < work->rule->step_count; i++) {
        if (cg_judge_name(judge, work->steps[i], name) != CG_NO) {
            work->step_candidates |= 1u << i;
            is_one = true;
        }
    }
    return !is_one || add_candidate(work, name);
}

static bool learn_kind(cg_detect *detect, const callgauge_call_name *name, uint32_t kind, uint64_t *starts,
                       uint64_t *ignored)
{
    memset(starts, 0, detect->words * sizeof *starts);
    memset(ignored, 0, detect->words * sizeof *ignored);
    for (size_t i = 0; i < detect->count; i++) {
        cg_work *work = &detect->works[i];
        bool may_start = false, may_ignore = true;
        if (work->shape->kind != NULL) {
            work->shape->kind(work, name, kind, &may_start, &may_ignore);
        }
        starts[i / 64] |= (uint64_t)may_start << i % 64;
        ignored[i / 64] |= (uint64_t)may_ignore << i % 64;
        if (name != NULL && !note_candidate(work, name)) {
            return false;
        }
    }
    return true;
}

static bool bits_of_kind(cg_detect *detect, const callgauge_event *event, const uint64_t **starts,
                         const uint64_t **ignored)
{
    uint32_t kind = cg_judge_kind(detect->judge, event);
    if (kind == CG_KIND_NOMEM || (kind >= detect->kind_room && !room_for_kind(detect, kind))) {
        return false;
    }
    uint64_t *s = detect->kind_starts + (size_t)kind * detect->words;
    uint64_t *g = detect->kind_ignored + (size_t)kind * detect->words;
    if (detect->kind_known[kind] == 0) {
        if (!learn_kind(detect, event->call, kind, s, g)) {
            return false;
        }
        detect->kind_known[kind] = 1;
    }
    detect->kind_calls[kind] += event->kind == CALLGAUGE_EVENT_CALL;
    *starts = s;
    *ignored = g;
    return true;
}

/* --- paths */

static bool room_for_path(cg_detect *detect, uint32_t id)
{
    size_t room = detect->path_room == 0 ? FIRST_NAMES : detect->path_room;
    while (room <= id) {
        room *= 2;
    }
    uint8_t *known = cg_mem_resize(detect->path_known, room);
    detect->path_known = known == NULL ? detect->path_known : known;
    uint64_t *paths = cg_mem_resize(detect->paths, room * detect->words * sizeof *paths);
    detect->paths = paths == NULL ? detect->paths : paths;
    if (known == NULL || paths == NULL) {
        return false;
    }
    memset(known + detect->path_room, 0, room - detect->path_room);
    detect->path_room = room;
    return true;
}

static void learn_path(cg_detect *detect, const callgauge_event *event, uint64_t *none)
{
    memset(none, 0, detect->words * sizeof *none);
    for (size_t i = 0; i < detect->count; i++) {
        bool is_none = (detect->by_path[i / 64] >> i % 64 & 1) != 0 &&
                       cg_judge_path(detect->judge, detect->works[i].where, event) == CG_NO;
        none[i / 64] |= (uint64_t)is_none << i % 64;
    }
}

/* Takes the rules away that the path of the event is none for. Where there is no memory, they are asked. */
static void leave_to_path(cg_detect *detect, const callgauge_event *event)
{
    uint64_t any = 0;
    for (size_t w = 0; w < detect->words; w++) {
        any |= detect->due[w] & detect->by_path[w];
    }
    const cg_file *file = any == 0 || event->annotation == NULL ? NULL : event->annotation->path;
    file = file != NULL && file->same != NULL ? file->same : file;
    if (file == NULL || file->path.len == 0 || (file->id >= detect->path_room && !room_for_path(detect, file->id))) {
        return;
    }
    uint64_t *none = detect->paths + (size_t)file->id * detect->words;
    if (detect->path_known[file->id] == 0) {
        learn_path(detect, event, none);
        detect->path_known[file->id] = 1;
    }
    for (size_t w = 0; w < detect->words; w++) {
        detect->due[w] &= ~none[w];
    }
}

/* --- events */

static bool give(cg_detect *detect, const uint64_t *due, uint32_t thread, uint32_t process,
                 const callgauge_event *event)
{
    for (size_t w = 0; w < detect->words; w++) {
        for (uint64_t bits = due[w]; bits != 0; bits &= bits - 1) {
            cg_work *work = &detect->works[w * 64 + (size_t)__builtin_ctzll(bits)];
            uint32_t lane = work->by_process ? process : thread;
            if (lane == CG_NONE && work->shape != &cg_shape_count) {
                continue;
            }
            if (!work->event(work, lane, event)) {
                return false;
            }
        }
    }
    return true;
}

/* Each call by itself, whoever makes it. */
static bool take_alone(cg_detect *detect, const callgauge_event *event, const uint64_t *starts)
{
    memcpy(detect->due, starts, detect->words * sizeof *starts);
    leave_to_path(detect, event);
    return give(detect, detect->due, CG_NONE, CG_NONE, event);
}

static bool take_call(cg_detect *detect, const callgauge_event *event)
{
    const uint64_t *starts, *ignored;
    uint32_t thread, process;
    detect->calls++;
    if (!bits_of_kind(detect, event, &starts, &ignored)) {
        return false;
    }
    if (!detect->has_lanes) {
        return take_alone(detect, event, starts);
    }
    if (!cg_lanes_of(detect, event, &thread, &process)) {
        return false;
    }
    if (thread == CG_NONE) {
        return give(detect, starts, thread, process, event);
    }
    uint64_t *of_thread = cg_lane_words(detect, &detect->threads, thread);
    uint64_t *of_process = cg_lane_words(detect, &detect->processes, process);
    ++*of_thread;
    ++*of_process;
    for (size_t w = 0; w < detect->words; w++) {
        detect->due[w] = starts[w] | ((of_thread[w + 1] | of_process[w + 1]) & ~ignored[w]);
    }
    leave_to_path(detect, event);
    return give(detect, detect->due, thread, process, event);
}

static bool take_other(cg_detect *detect, const callgauge_event *event)
{
    if (!detect->no_name_known) {
        if (!learn_kind(detect, NULL, CG_KIND_NONE, detect->no_name, detect->due)) {
            return false;
        }
        detect->no_name_known = true;
    }
    return give(detect, detect->no_name, CG_NONE, CG_NONE, event);
}

static bool keep_table_line(cg_detect *detect, const callgauge_event *event)
{
    if (detect->table_line_count == MOST_TABLE_LINES) {
        return true;
    }
    if (detect->table_line_count == detect->table_line_room) {
        size_t room = detect->table_line_room == 0 ? 64 : detect->table_line_room * 2;
        cg_table_line *lines = cg_mem_resize(detect->table_lines, room * sizeof *lines);
        if (lines == NULL) {
            return false;
        }
        detect->table_lines = lines;
        detect->table_line_room = room;
    }
    cg_table_line *line = &detect->table_lines[detect->table_line_count];
    callgauge_str text = event->text;
    text.len = text.len < 256 ? text.len : 256;
    if (!cg_arena_str(&detect->arena, event->call->text, &line->call) ||
        !cg_arena_str(&detect->arena, text, &line->text)) {
        return false;
    }
    line->line = event->line;
    detect->table_line_count++;
    return true;
}

static bool take_row(cg_detect *detect, const callgauge_event *event)
{
    const uint64_t *starts, *ignored;
    if (event->call == NULL || event->row == NULL) {
        return true;
    }
    detect->table_calls = cg_count_add(detect->table_calls, event->row->calls);
    bool good = keep_table_line(detect, event) && bits_of_kind(detect, event, &starts, &ignored);
    for (size_t i = 0; good && i < detect->count; i++) {
        cg_work *work = &detect->works[i];
        good = !work->rule->judges_tables || work->event(work, CG_NONE, event);
    }
    return good;
}

static bool take(cg_detect *detect, const callgauge_event *event)
{
    switch (event->kind) {
    case CALLGAUGE_EVENT_CALL: return !cg_detect_counts(event) || take_call(detect, event);
    case CALLGAUGE_EVENT_COUNT_ROW: return take_row(detect, event);
    case CALLGAUGE_EVENT_SIGNAL:
    case CALLGAUGE_EVENT_FAULT: return take_other(detect, event);
    default: return true;
    }
}

callgauge_status cg_detect_event(cg_detect *detect, const callgauge_event *event, callgauge_error *err)
{
    detect->implied_now.known = false;
    detect->implied_now.hash = 0;
    cg_judge_next(detect->judge, event);
    bool good = (!detect->has_lanes || cg_attempts_forget_texts(detect)) && take(detect, event);
    return good ? CALLGAUGE_OK : cg_fail_nomem(err);
}

bool cg_detect_takes_calls(const cg_detect *detect)
{
    return detect->takes_events;
}

void cg_detect_pass_over(cg_detect *detect, uint64_t calls)
{
    detect->calls += calls;
}

/* --- the end */

static bool add_limits(const cg_detect *detect, callgauge_report *report)
{
    bool good = detect->lanes_dropped == 0 ||
                cg_report_add_limit(report, "processes", detect->options.limits.processes, detect->lanes_dropped);
    const cg_judge_counts *counts = cg_judge_counts_of(detect->judge);
    good = good &&
           (counts->match_limits == 0 ||
            cg_report_add_limit(report, CG_LIMIT_MATCH, CG_USUAL_MATCH_LIMIT, counts->match_limits)) &&
           (counts->texts_dropped == 0 ||
            cg_report_add_limit(report, CG_LIMIT_TEXTS, counts->texts_kept, counts->texts_dropped));
    for (size_t i = 0; good && i < detect->count; i++) {
        const cg_work *work = &detect->works[i];
        const struct {
            const char *limit;
            uint64_t kept, dropped;
        } rows[] = {
            { "groups", detect->options.limits.groups, work->groups_dropped },
            { "attempts", detect->options.limits.attempts, work->attempts_dropped },
            { "distinct", detect->options.limits.distinct, work->distinct_dropped },
        };
        for (size_t k = 0; good && k < sizeof rows / sizeof *rows; k++) {
            good = rows[k].dropped == 0 || cg_report_add_limit(report, rows[k].limit, rows[k].kept, rows[k].dropped);
        }
    }
    return good;
}

/* What a rule asks for and the capture has not. */
static uint32_t missing_of(const cg_work *work, const callgauge_capture *capture)
{
    const uint32_t durations = CALLGAUGE_TRAIT_WALL_DURATIONS | CALLGAUGE_TRAIT_CPU_DURATIONS;
    uint32_t missing = work->rule->traits & ~capture->traits;
    if (work->rule->needs_durations && (capture->traits & durations) == 0) {
        missing |= CALLGAUGE_TRAIT_WALL_DURATIONS;
    }
    if (capture->has_events || work->rule->judges_tables ||
        (work->rule->info.shape == CALLGAUGE_SHAPE_ROWS && work->rule->subject == CG_OF_CALLS)) {
        return missing;
    }
    return missing | CALLGAUGE_TRAIT_ARGUMENTS; /* a table has no events */
}

/* Whether calls or rows were seen without which the rule can never hold. */
static bool could_hold(cg_work *work, const callgauge_report *report, uint32_t missing)
{
    if (work->rule->info.shape == CALLGAUGE_SHAPE_ROWS) {
        return cg_rows_could_hold(work, report, missing);
    }
    uint32_t steps = (1u << work->rule->step_count) - 1;
    return work->rule->step_count > 0 ? work->step_candidates == steps : work->candidate_count > 0;
}

static bool finish_rule(cg_work *work, callgauge_report *report)
{
    const callgauge_capture *capture = &report->captures[0].capture;
    uint32_t missing = missing_of(work, capture);
    if (missing != 0) {
        return !could_hold(work, report, missing) || cg_not_judged_add(work, report, missing);
    }
    if (work->shape->rows != NULL && !work->shape->rows(work, report)) {
        return false;
    }
    return (work->shape->close == NULL || cg_attempts_close(work)) && cg_findings_add(work, report);
}

static int id_cmp(const void *a, const void *b)
{
    return cg_str_cmp(*(const callgauge_str *)a, *(const callgauge_str *)b);
}

/* Asks each rule what it found, and notes which could be judged. */
static bool finish_rules(cg_detect *detect, callgauge_report *report)
{
    callgauge_str *ids = cg_arena_alloc(&report->arena, detect->count * sizeof *ids);
    size_t judged = 0;
    for (size_t i = 0; ids != NULL && i < detect->count; i++) {
        cg_work *work = &detect->works[i];
        size_t before = report->not_judged_count;
        if (!finish_rule(work, report) || !cg_arena_str(&report->arena, work->rule->info.id, &ids[judged])) {
            return false;
        }
        judged += report->not_judged_count == before;
    }
    if (judged > 1) {
        qsort(ids, judged, sizeof *ids, id_cmp);
    }
    report->judged = ids;
    report->judged_count = ids == NULL ? 0 : judged;
    return ids != NULL;
}

callgauge_status cg_detect_finish(cg_detect *detect, callgauge_report *report, callgauge_error *err)
{
    if (report->capture_count == 0) {
        return CALLGAUGE_OK;
    }
    count_kinds(detect);
    cg_judge_begin(detect->judge, NULL);
    cg_judge_begin(detect->steps, NULL);
    bool good = finish_rules(detect, report) && add_limits(detect, report) &&
                !cg_judge_counts_of(detect->judge)->no_memory && !cg_judge_counts_of(detect->steps)->no_memory;
    return good ? CALLGAUGE_OK : cg_fail_nomem(err);
}

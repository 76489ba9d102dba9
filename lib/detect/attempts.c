/* SPDX-License-Identifier: Apache-2.0 */
/* Runs and sequences on their way: one for each lane and value of `key`. What an attempt needs is taken when it is
 * first used and used again by the ones that follow. */
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "detect/inside.h"
#include "event/annotation.h"

enum { FIRST_ROOM = 8, FEW = 64 };

/* --- where they are found */

static bool has_key(const cg_work *work)
{
    return work->key != CG_NONE;
}

static uint64_t hash_of(cg_work *work, uint32_t lane, const cg_value *key)
{
    uint64_t hash = (uint64_t)lane * 0x9E3779B97F4A7C15u;
    hash = (hash ^ cg_hash_of(work->all, key)) * 0xD6E8FEB86659FD93u;
    return hash ^ hash >> 31;
}

static uint64_t tag(uint64_t hash)
{
    return hash & ~(uint64_t)UINT32_MAX;
}

static size_t mask(const cg_attempts *attempts)
{
    return attempts->slot_room - 1;
}

static size_t home(const cg_attempts *attempts, uint64_t hash)
{
    return (size_t)(hash >> 11) & mask(attempts);
}

static cg_attempt *find_by_key(cg_work *work, uint32_t lane, const cg_value *key)
{
    cg_attempts *attempts = &work->attempts;
    uint64_t slot, hash = hash_of(work, lane, key);
    for (size_t at = home(attempts, hash); (slot = attempts->slots[at]) != 0; at = (at + 1) & mask(attempts)) {
        cg_attempt *attempt = tag(slot) == tag(hash) ? &attempts->items[(uint32_t)slot - 1] : NULL;
        if (attempt != NULL && attempt->hash == hash && attempt->lane == lane && cg_value_same(&attempt->key, key)) {
            return attempt;
        }
    }
    return NULL;
}

cg_attempt *cg_attempts_find(cg_work *work, uint32_t lane, const cg_value *key)
{
    cg_attempts *attempts = &work->attempts;
    if (attempts->open == 0) {
        return NULL;
    }
    if (has_key(work)) {
        return find_by_key(work, lane, key);
    }
    uint32_t index = lane < attempts->lane_room ? attempts->by_lane[lane] : 0;
    return index == 0 ? NULL : &attempts->items[index - 1];
}

static void put_in_slot(cg_attempts *attempts, uint32_t index)
{
    uint64_t hash = attempts->items[index].hash;
    size_t at = home(attempts, hash);
    while (attempts->slots[at] != 0) {
        at = (at + 1) & mask(attempts);
    }
    attempts->slots[at] = tag(hash) | ((uint64_t)index + 1);
}

/* Closes the gap, so that none that stands behind is lost. */
static void take_from_slot(cg_attempts *attempts, uint32_t index)
{
    size_t at = home(attempts, attempts->items[index].hash);
    while ((uint32_t)attempts->slots[at] != index + 1) {
        at = (at + 1) & mask(attempts);
    }
    for (size_t next = (at + 1) & mask(attempts); attempts->slots[next] != 0; next = (next + 1) & mask(attempts)) {
        size_t wants = home(attempts, attempts->items[(uint32_t)attempts->slots[next] - 1].hash);
        if (((next - wants) & mask(attempts)) >= ((next - at) & mask(attempts))) {
            attempts->slots[at] = attempts->slots[next];
            at = next;
        }
    }
    attempts->slots[at] = 0;
}

static bool reach_lane(cg_attempts *attempts, uint32_t lane)
{
    size_t room = attempts->lane_room == 0 ? FIRST_ROOM : attempts->lane_room;
    while (room <= lane) {
        room *= 2;
    }
    if (room == attempts->lane_room) {
        return true;
    }
    uint32_t *by_lane = cg_mem_resize(attempts->by_lane, room * sizeof *by_lane);
    if (by_lane == NULL) {
        return false;
    }
    memset(by_lane + attempts->lane_room, 0, (room - attempts->lane_room) * sizeof *by_lane);
    attempts->by_lane = by_lane;
    attempts->lane_room = room;
    return true;
}

/* --- in the order of their beginnings */

static void link_newest(cg_attempts *attempts, uint32_t index)
{
    cg_attempt *attempt = &attempts->items[index];
    attempt->older = attempts->newest;
    attempt->newer = CG_NONE;
    if (attempts->newest != CG_NONE) {
        attempts->items[attempts->newest].newer = index;
    } else {
        attempts->oldest = index;
    }
    attempts->newest = index;
}

static void unlink_one(cg_attempts *attempts, uint32_t index)
{
    const cg_attempt *attempt = &attempts->items[index];
    if (attempt->older != CG_NONE) {
        attempts->items[attempt->older].newer = attempt->newer;
    } else {
        attempts->oldest = attempt->newer;
    }
    if (attempt->newer != CG_NONE) {
        attempts->items[attempt->newer].older = attempt->older;
    } else {
        attempts->newest = attempt->older;
    }
}

/* --- room for them */

static bool grow_slots(cg_attempts *attempts, size_t room)
{
    uint64_t *slots = cg_mem_zeroed(room * 2, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    cg_mem_free(attempts->slots);
    attempts->slots = slots;
    attempts->slot_room = room * 2;
    for (uint32_t i = 0; i < attempts->count; i++) {
        if (attempts->items[i].used) {
            put_in_slot(attempts, i);
        }
    }
    return true;
}

static bool grow(cg_work *work)
{
    cg_attempts *attempts = &work->attempts;
    size_t room = attempts->room == 0 ? FIRST_ROOM : attempts->room * 2;
    cg_attempt *items = cg_mem_resize(attempts->items, room * sizeof *items);
    if (items == NULL) {
        return false;
    }
    attempts->items = items;
    if (has_key(work) && !grow_slots(attempts, room)) {
        return false;
    }
    attempts->room = room;
    return true;
}

/* An attempt that is not in use, with what it needs. */
static cg_attempt *spare_one(cg_work *work)
{
    cg_attempts *attempts = &work->attempts;
    if (attempts->room == 0) {
        attempts->oldest = attempts->newest = attempts->spare = CG_NONE;
    }
    if (attempts->spare != CG_NONE) {
        cg_attempt *attempt = &attempts->items[attempts->spare];
        attempts->spare = attempt->newer;
        return attempt;
    }
    if (attempts->count == attempts->room && !grow(work)) {
        return NULL;
    }
    cg_attempt *attempt = &attempts->items[attempts->count];
    *attempt = (cg_attempt){ 0 };
    const cg_rule *rule = work->rule;
    size_t keys = rule->by.count + rule->each.count;
    attempt->slots = cg_mem_zeroed(work->slot_count + keys + rule->value_count + 1, sizeof *attempt->slots);
    attempt->lines = cg_mem_zeroed(work->all->options.limits.evidence, sizeof *attempt->lines);
    attempt->rooms = cg_mem_zeroed(work->slot_count + 1, sizeof *attempt->rooms);
    if (attempt->slots == NULL || attempt->lines == NULL || attempt->rooms == NULL) {
        cg_mem_free(attempt->slots);
        cg_mem_free(attempt->lines);
        cg_mem_free(attempt->rooms);
        return NULL;
    }
    attempt->keys = attempt->slots + work->slot_count;
    attempt->values = attempt->keys + keys;
    for (size_t i = 0; i < work->slot_count; i++) {
        cg_buf_init(&attempt->rooms[i], SIZE_MAX);
    }
    for (size_t i = 0; i < work->all->options.limits.evidence; i++) {
        cg_buf_init(&attempt->lines[i].text, CG_EVIDENCE_BYTES);
    }
    attempts->count++;
    return attempt;
}

/* --- which make room */

bool cg_attempt_is_late(const cg_work *work, const cg_attempt *attempt, const callgauge_event *event)
{
    const cg_rule *rule = work->rule;
    if (rule->within_calls > 0 && cg_lane_calls(work, attempt->lane) - attempt->begun_at >= rule->within_calls) {
        return true;
    }
    int64_t at = (event->has & CALLGAUGE_HAS_START) != 0 ? event->start_ns
                 : (event->has & CALLGAUGE_HAS_END) != 0 ? event->end_ns
                                                         : CALLGAUGE_UNKNOWN;
    int64_t passed;
    return rule->within_ns > 0 && at != CALLGAUGE_UNKNOWN && attempt->begun_ns != CALLGAUGE_UNKNOWN &&
           !__builtin_sub_overflow(at, attempt->begun_ns, &passed) && passed > rule->within_ns;
}

/* No event comes any more of a process that has ended, or turned out to be another one's threads. */
static bool is_over(const cg_work *work, const cg_attempt *attempt, const callgauge_event *event)
{
    const cg_process *process = attempt->process;
    return cg_attempt_is_late(work, attempt, event) || (process != NULL && (process->ended || process->same != NULL));
}

static bool close_those_over(cg_work *work, const callgauge_event *event)
{
    cg_attempts *attempts = &work->attempts;
    for (uint32_t at = attempts->open == 0 ? CG_NONE : attempts->oldest, next; at != CG_NONE; at = next) {
        cg_attempt *attempt = &attempts->items[at];
        next = attempt->newer;
        if (is_over(work, attempt, event) && !work->shape->close(work, attempt, NULL)) {
            return false;
        }
    }
    return true;
}

/* Few that are open are near in memory. But to look at all of them each time would be dear: it is done once for about
 * as many that have begun. False: no memory. */
static bool make_room(cg_work *work, const callgauge_event *event)
{
    cg_attempts *attempts = &work->attempts;
    size_t limit = work->all->options.limits.attempts;
    size_t enough = attempts->open >= limit ? limit / 4 : attempts->open > FEW ? attempts->open : FEW;
    if (attempts->since_look++ >= enough) {
        attempts->since_look = 0;
        if (!close_those_over(work, event)) {
            return false;
        }
    }
    if (attempts->open < limit) {
        return true;
    }
    cg_attempt *oldest = &attempts->items[attempts->oldest];
    work->attempts_dropped += !is_over(work, oldest, event);
    return work->shape->close(work, oldest, NULL);
}

/* --- beginning */

/* What the first event tells: the groups that it belongs to, unless earlier steps are asked for. */
static void take_first(cg_work *work, cg_attempt *attempt, const callgauge_event *event)
{
    const cg_rule *rule = work->rule;
    cg_judge *judge = work->all->judge;
    for (size_t i = 0; i < rule->by.count + rule->each.count; i++) {
        size_t k = i - rule->by.count;
        bool is_by = i < rule->by.count;
        if (is_by ? !work->by_slots[i] : !work->each_slots[k]) {
            cg_judge_value(judge, is_by ? work->by[i] : work->each[k], event, NULL, &attempt->keys[i]);
            cg_judge_keep(work->all->steps, &attempt->keys[i]);
        }
    }
    for (size_t i = 0; i < rule->value_count; i++) {
        if (!work->value_slots[i]) {
            cg_judge_value(judge, work->values[i], event, NULL, &attempt->values[i]);
            cg_judge_keep(work->all->steps, &attempt->values[i]);
        }
    }
    cg_implied_key(work, event, &attempt->implied, &attempt->implied_name);
}

cg_attempt *cg_attempts_begin(cg_work *work, uint32_t lane, const cg_value *key, const callgauge_event *event)
{
    cg_attempts *attempts = &work->attempts;
    bool keyed = has_key(work);
    bool good = make_room(work, event) && (keyed || reach_lane(attempts, lane));
    cg_attempt *attempt = good ? spare_one(work) : NULL;
    if (attempt == NULL) {
        return NULL;
    }
    uint32_t index = (uint32_t)(attempt - attempts->items);
    attempt->hash = keyed ? hash_of(work, lane, key) : 0;
    attempt->lane = lane;
    attempt->key = key == NULL ? (cg_value){ .known = CG_ABSENT } : *key;
    cg_judge_keep(work->all->steps, &attempt->key);
    attempt->step = attempt->count = 0;
    attempt->begun_at = cg_lane_calls(work, lane);
    attempt->begun_ns = CALLGAUGE_UNKNOWN;
    attempt->process = event->annotation == NULL ? NULL : event->annotation->process;
    attempt->line_count = 0;
    cg_sum_init(&attempt->tally);
    memset(attempt->slots, 0, work->slot_count * sizeof *attempt->slots);
    for (size_t i = 0; attempt->distinct != NULL && i < work->rule->distinct_count; i++) {
        work->distinct_count -= attempt->distinct[i].count;
        cg_set_clear(&attempt->distinct[i]);
    }
    take_first(work, attempt, event);
    attempt->used = true;
    attempts->open++;
    link_newest(attempts, index);
    if (keyed) {
        put_in_slot(attempts, index);
    } else {
        attempts->by_lane[lane] = index + 1;
    }
    cg_lane_mark(work, lane, true);
    return attempt;
}

static bool keep_line(cg_work *work, cg_attempt *attempt, const callgauge_event *event)
{
    if (attempt->line_count == work->all->options.limits.evidence || work->evidence_bytes > (4u << 20)) {
        return true;
    }
    cg_attempt_line *line = &attempt->lines[attempt->line_count++];
    size_t len = event->text.len < CG_EVIDENCE_BYTES ? event->text.len : CG_EVIDENCE_BYTES;
    line->line = event->line;
    return cg_buf_set(&line->text, cg_str(event->text.ptr, len));
}

static void move(cg_judge *to, cg_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        values[i].lasting = false;
        cg_judge_keep(to, &values[i]);
    }
}

bool cg_attempts_forget_texts(cg_detect *all)
{
    enum { MOST_TEXTS = 100000 };
    const cg_judge_counts *counts = cg_judge_counts_of(all->steps);
    if (counts->texts_kept < MOST_TEXTS && counts->texts_dropped == 0) {
        return true;
    }
    cg_judge *fresh = cg_judge_new(NULL);
    if (fresh == NULL || counts->no_memory) {
        cg_judge_free(fresh);
        return false;
    }
    cg_judge_begin(fresh, all->capture);
    for (size_t i = 0; i < all->count; i++) {
        const cg_work *work = &all->works[i];
        for (size_t k = 0; k < work->attempts.count; k++) {
            cg_attempt *attempt = &work->attempts.items[k];
            if (attempt->used) {
                move(fresh, attempt->keys, work->rule->by.count + work->rule->each.count);
                move(fresh, attempt->values, work->rule->value_count);
                move(fresh, &attempt->implied, 1);
                move(fresh, &attempt->key, 1);
            }
        }
    }
    cg_judge_free(all->steps);
    all->steps = fresh;
    return true;
}

bool cg_attempt_take(cg_work *work, cg_attempt *attempt, uint32_t name, const callgauge_event *event)
{
    attempt->count++;
    cg_sum_event(&attempt->tally, event);
    if (attempt->begun_ns == CALLGAUGE_UNKNOWN) {
        attempt->begun_ns = attempt->tally.first_ns;
    }
    if (work->slot_count > 0) {
        cg_judge_take(work->all->judge, work->rule->names, name, event, attempt->slots, attempt->rooms);
    }
    return keep_line(work, attempt, event) && cg_distinct_take(work, &attempt->distinct, event);
}

void cg_attempt_end(cg_work *work, cg_attempt *attempt)
{
    cg_attempts *attempts = &work->attempts;
    uint32_t index = (uint32_t)(attempt - attempts->items);
    if (has_key(work)) {
        take_from_slot(attempts, index);
    } else {
        attempts->by_lane[attempt->lane] = 0;
    }
    unlink_one(attempts, index);
    attempt->used = false;
    attempt->newer = attempts->spare;
    attempts->spare = index;
    attempts->open--;
    if (!has_key(work) || attempts->open == 0) {
        cg_lane_mark(work, attempt->lane, false);
    }
}

bool cg_attempts_close(cg_work *work)
{
    while (work->attempts.open > 0) {
        if (!work->shape->close(work, &work->attempts.items[work->attempts.oldest], NULL)) {
            return false;
        }
    }
    return true;
}

/* Groups that are told by steps that the attempt has gone through. */
static void take_from_steps(cg_work *work, cg_attempt *attempt, const callgauge_event *event)
{
    static const callgauge_event nothing = { .kind = CALLGAUGE_EVENT_NOTICE };
    const cg_rule *rule = work->rule;
    cg_judge *judge = work->all->judge;
    event = event == NULL ? &nothing : event;
    for (size_t i = 0; i < rule->by.count + rule->each.count; i++) {
        size_t k = i - rule->by.count;
        bool is_by = i < rule->by.count;
        if (is_by ? work->by_slots[i] : work->each_slots[k]) {
            cg_judge_value(judge, is_by ? work->by[i] : work->each[k], event, attempt->slots, &attempt->keys[i]);
            cg_judge_keep(work->all->steps, &attempt->keys[i]);
        }
    }
    for (size_t i = 0; i < rule->value_count; i++) {
        if (work->value_slots[i]) {
            cg_judge_value(judge, work->values[i], event, attempt->slots, &attempt->values[i]);
            cg_judge_keep(work->all->steps, &attempt->values[i]);
        }
    }
}

bool cg_attempt_found(cg_work *work, cg_attempt *attempt, uint32_t floors, const callgauge_event *event)
{
    cg_place_of place;
    take_from_steps(work, attempt, event);
    if (!cg_groups_place(work, attempt->keys, &attempt->implied, attempt->implied_name, &place)) {
        return false;
    }
    if (place.by == NULL) {
        return true;
    }
    attempt->tally.times = 1;
    cg_sum_settle_bytes(&attempt->tally);
    cg_group *holder = cg_is_shown_by_each(work) ? place.each : place.by;
    cg_sum_add(&place.by->tally, &attempt->tally);
    if (place.each != NULL) {
        cg_sum_add(&place.each->tally, &attempt->tally);
    }
    holder->floors |= floors;
    bool good = cg_group_values(work, place.by, attempt->values) &&
                cg_distinct_join(work, &holder->distinct, attempt->distinct);
    for (size_t i = 0; good && i < attempt->line_count; i++) {
        good = cg_group_show(work, holder, attempt->lines[i].line, cg_buf_str(&attempt->lines[i].text));
    }
    return good;
}

void cg_attempts_release(cg_work *work)
{
    cg_attempts *attempts = &work->attempts;
    for (size_t i = 0; i < attempts->count; i++) {
        cg_attempt *attempt = &attempts->items[i];
        for (size_t k = 0; k < work->all->options.limits.evidence; k++) {
            cg_buf_release(&attempt->lines[k].text);
        }
        for (size_t k = 0; k < work->slot_count; k++) {
            cg_buf_release(&attempt->rooms[k]);
        }
        cg_mem_free(attempt->rooms);
        cg_mem_free(attempt->lines);
        cg_mem_free(attempt->slots);
        cg_sets_free(attempt->distinct, work->rule->distinct_count);
    }
    cg_mem_free(attempts->items);
    cg_mem_free(attempts->slots);
    cg_mem_free(attempts->by_lane);
    *attempts = (cg_attempts){ 0 };
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The shape count: events that match, in groups; `reset` forgets a group. */
#include "base/str.h"
#include "detect/inside.h"

static void count_kind(cg_work *work, const callgauge_call_name *name, uint32_t kind, bool *starts, bool *ignored)
{
    (void)name;
    *starts = cg_sure(work, work->where, kind) != CG_NO || cg_of_asks_for(work, kind) ||
              cg_sure(work, work->reset, kind) != CG_NO;
    *ignored = true;
}

static void forget_all(cg_work *work)
{
    for (size_t i = 0; i < work->bys.count; i++) {
        cg_sum_init(&work->bys.items[i].tally);
        work->bys.items[i].gone = true;
    }
    for (size_t i = 0; i < work->eaches.count; i++) {
        cg_sum_init(&work->eaches.items[i].tally);
        work->eaches.items[i].gone = true;
    }
}

/* The slots of `each.X` get the values of a group. */
static void fill_slots(cg_work *work, const cg_group *group)
{
    const cg_rule *rule = work->rule;
    for (size_t i = 0; i < work->slot_count; i++) {
        const cg_slot *slot = cg_scope_slot(rule->names, i);
        for (size_t k = 0; k < rule->each.count; k++) {
            if (cg_str_eq(rule->each.items[k].text, slot->field)) {
                work->blank[i] = group->keys[k];
            }
        }
    }
}

static void reset_group(cg_work *work, const callgauge_event *event)
{
    const cg_rule *rule = work->rule;
    cg_judge *judge = work->all->judge;
    cg_value keys[CG_GROUP_KEYS];
    for (size_t i = 0; i < rule->by.count; i++) {
        cg_judge_value(judge, work->by[i], event, NULL, &keys[i]);
        cg_judge_keep(work->all->steps, &keys[i]);
    }
    for (size_t k = 0; k < rule->each.count; k++) {
        int64_t slot = cg_scope_find(rule->names, 0, CG_PICK_LAST, rule->each.items[k].text);
        cg_value *key = &keys[rule->by.count + k];
        cg_judge_tie(judge, work->reset, (size_t)slot, event, key);
        if (key->known != CG_KNOWN) {
            return;
        }
        if (rule->each.count > 1) {
            cg_judge_keep(work->all->steps, key);
        }
    }
    cg_group *group = cg_groups_each(work, keys);
    if (group == NULL || group->gone) {
        return;
    }
    fill_slots(work, group);
    if (cg_judge_event(judge, work->reset, event, work->blank) == CG_YES) {
        cg_sum_init(&group->tally);
        group->gone = true;
    }
}

static void reset(cg_work *work, const callgauge_event *event)
{
    if (cg_sure(work, work->reset, cg_judge_kind(work->all->judge, event)) == CG_NO) {
        return;
    }
    if (cg_predicate_about(work->rule->reset)->reads_slots) {
        reset_group(work, event);
    } else if (cg_judge_event(work->all->judge, work->reset, event, NULL) == CG_YES) {
        forget_all(work);
    }
}

/* A group that was forgotten begins anew. */
static void revive(cg_group *group, size_t distinct_count)
{
    if (group != NULL && group->gone) {
        group->gone = false;
        group->shown.count = 0;
        for (size_t i = 0; group->distinct != NULL && i < distinct_count; i++) {
            cg_set_clear(&group->distinct[i]);
        }
    }
}

static bool count_one(cg_work *work, const callgauge_event *event)
{
    cg_value keys[CG_GROUP_KEYS], implied;
    uint8_t implied_name = 0;
    cg_place_of place;
    cg_implied_key(work, event, &implied, &implied_name);
    cg_keys_of(work, event, NULL, keys);
    if (!cg_groups_place(work, keys, &implied, implied_name, &place)) {
        return false;
    }
    if (place.by == NULL) {
        return true;
    }
    revive(place.by, work->rule->distinct_count);
    revive(place.each, work->rule->distinct_count);
    cg_group *holder = cg_is_shown_by_each(work) ? place.each : place.by;
    cg_sum one;
    cg_sum_init(&one);
    cg_sum_event(&one, event);
    one.times = 1;
    cg_sum_add(&place.by->tally, &one);
    if (place.each != NULL) {
        cg_sum_add(&place.each->tally, &one);
    }
    if (work->rule->value_count > 0) {
        cg_value values[CG_RULE_VALUES];
        for (size_t i = 0; i < work->rule->value_count; i++) {
            cg_judge_value(work->all->judge, work->values[i], event, NULL, &values[i]);
            cg_judge_keep(work->all->steps, &values[i]);
        }
        if (!cg_group_values(work, place.by, values)) {
            return false;
        }
    }
    return cg_distinct_take(work, &holder->distinct, event) &&
           (!cg_group_wants_lines(work, holder) || cg_group_show(work, holder, event->line, event->text));
}

static bool count_of(cg_work *work, const callgauge_event *event)
{
    if (!cg_is_of(work, event)) {
        return true;
    }
    if (work->rule->by.count == 0) {
        work->of_calls++;
        return true;
    }
    cg_value keys[CG_GROUP_KEYS];
    cg_group *group;
    for (size_t i = 0; i < work->rule->by.count; i++) {
        cg_judge_value(work->all->judge, work->by[i], event, NULL, &keys[i]);
        if (work->rule->by.count > 1) {
            cg_judge_keep(work->all->steps, &keys[i]);
        }
    }
    if (!cg_groups_by(work, keys, &group)) {
        return false;
    }
    if (group != NULL) {
        group->of_calls++;
    }
    return true;
}

/* A row of a `-c` table stands for as many calls as it counts. */
static void count_row(cg_work *work, const callgauge_event *event)
{
    const callgauge_count_row *row = event->row;
    if (!work->rule->judges_tables || row == NULL || event->call == NULL) {
        return;
    }
    const cg_sum counted = {
        .calls = row->calls,
        .times = row->calls,
        .errors = row->errors,
        .cpu_ns = (row->has & CALLGAUGE_ROW_CPU) != 0 ? row->cpu_ns : CALLGAUGE_UNKNOWN,
        .wall_ns = (row->has & CALLGAUGE_ROW_WALL) != 0 ? row->wall_ns : CALLGAUGE_UNKNOWN,
        .bytes = CALLGAUGE_UNKNOWN,
        .first_ns = CALLGAUGE_UNKNOWN,
        .last_ns = CALLGAUGE_UNKNOWN,
    };
    uint32_t kind = cg_judge_kind(work->all->judge, event);
    if (cg_sure(work, work->where, kind) == CG_YES) {
        cg_sum_add(&work->table, &counted);
    }
    if (cg_sure(work, work->of, kind) == CG_YES) {
        work->table_of = cg_count_add(work->table_of, row->calls);
    }
}

static bool count_event(cg_work *work, uint32_t lane, const callgauge_event *event)
{
    (void)lane;
    if (event->kind == CALLGAUGE_EVENT_COUNT_ROW) {
        count_row(work, event);
        return true;
    }
    if (work->reset != CG_NONE) {
        reset(work, event);
    }
    if (work->of != CG_NONE && !count_of(work, event)) {
        return false;
    }
    switch (cg_judge_event(work->all->judge, work->where, event, NULL)) {
    case CG_YES: return count_one(work, event);
    case CG_UNDECIDED: work->undecided++; return true;
    case CG_NO: break;
    }
    return true;
}

const cg_shape cg_shape_count = { count_kind, count_event, NULL, NULL };

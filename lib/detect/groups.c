/* SPDX-License-Identifier: Apache-2.0 */
/* The groups of a rule: found by the values of `by` and `each`, made where they are new, up to a limit. */
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "detect/inside.h"
#include "event/annotation.h"
#include "event/conceal.h"

enum {
    FIRST_SLOTS = 32,
    LEAST_EVIDENCE = 1 << 20 /* bytes of a rule's evidence before only groups that reach a floor get more */
};

/* What is kept elsewhere than at the file may be freed, and its place be used again. */
uint64_t cg_hash_of(cg_detect *all, const cg_value *value)
{
    if (value->known != CG_KNOWN || value->file == NULL || value->text.ptr != value->file->path.ptr) {
        return cg_value_hash(value);
    }
    size_t at = (size_t)((uintptr_t)value->text.ptr * 0x9E3779B97F4A7C15u >> 32) % CG_HASHES;
    if (all->hashes.items[at].text.ptr != value->text.ptr || all->hashes.items[at].text.len != value->text.len) {
        all->hashes.items[at].text = value->text;
        all->hashes.items[at].hash = cg_value_hash(value);
    }
    return all->hashes.items[at].hash;
}

static uint64_t hash_keys(const cg_work *work, const cg_value *keys, size_t count, uint64_t seed)
{
    uint64_t hash = seed;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ cg_hash_of(work->all, &keys[i])) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash;
}

/* That of the event at hand is worked out once for all rules; an attempt has one of its own. */
static uint64_t hash_implied(const cg_work *work, const cg_value *implied, uint32_t by)
{
    cg_detect *all = work->all;
    bool is_now = all->implied_now.known && implied->text.ptr == all->implied_now.value.text.ptr &&
                  implied->text.len == all->implied_now.value.text.len;
    uint64_t hash = is_now ? all->implied_now.hash : cg_hash_of(all, implied);
    hash = (hash ^ (3 + (uint64_t)by)) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static bool same_keys(const cg_value *a, const cg_value *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!cg_value_same(&a[i], &b[i])) {
            return false;
        }
    }
    return true;
}

static uint64_t tag(uint64_t hash)
{
    return hash & ~(uint64_t)UINT32_MAX;
}

static void put_in_slot(cg_groups *groups, uint32_t index)
{
    uint64_t hash = groups->items[index].hash;
    size_t at = (size_t)(hash >> 13) & (groups->slot_room - 1);
    while (groups->slots[at] != 0) {
        at = (at + 1) & (groups->slot_room - 1);
    }
    groups->slots[at] = tag(hash) | ((uint64_t)index + 1);
}

static bool grow_slots(cg_groups *groups)
{
    size_t room = groups->slot_room == 0 ? FIRST_SLOTS : groups->slot_room * 2;
    uint64_t *slots = cg_mem_zeroed(room, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    cg_mem_free(groups->slots);
    groups->slots = slots;
    groups->slot_room = room;
    for (size_t i = 0; i < groups->count; i++) {
        put_in_slot(groups, (uint32_t)i);
    }
    return true;
}

static bool grow_items(cg_groups *groups)
{
    size_t room = groups->room == 0 ? FIRST_SLOTS / 2 : groups->room * 2;
    cg_group *items = cg_mem_resize(groups->items, room * sizeof *items);
    if (items == NULL) {
        return false;
    }
    groups->items = items;
    groups->room = room;
    return true;
}

/* What is looked for in a table. */
typedef struct wanted {
    const cg_value *keys;
    size_t count;
    uint64_t hash;
    uint32_t by;
    uint8_t implied;
} wanted;

static bool is_wanted(const cg_group *group, const wanted *w)
{
    return group->hash == w->hash && group->by == w->by && group->implied == w->implied &&
           same_keys(group->keys, w->keys, w->count);
}

/* NULL: it is not there. */
static cg_group *find(cg_groups *groups, const wanted *w)
{
    if (groups->count > 0 && is_wanted(&groups->items[groups->last], w)) {
        return &groups->items[groups->last];
    }
    if (groups->slot_room == 0) {
        return NULL;
    }
    size_t at = (size_t)(w->hash >> 13) & (groups->slot_room - 1);
    for (uint64_t slot; (slot = groups->slots[at]) != 0; at = (at + 1) & (groups->slot_room - 1)) {
        uint32_t index = (uint32_t)slot - 1;
        if (tag(slot) == tag(w->hash) && is_wanted(&groups->items[index], w)) {
            groups->last = index;
            return &groups->items[index];
        }
    }
    return NULL;
}

static cg_value *keep_keys(cg_work *work, const cg_value *keys, size_t count)
{
    cg_value *kept = cg_arena_alloc(&work->all->arena, (count > 0 ? count : 1) * sizeof *kept);
    for (size_t i = 0; kept != NULL && i < count; i++) {
        kept[i] = keys[i];
        kept[i].lasting = false;
        cg_judge_keep(work->all->judge, &kept[i]);
    }
    return kept;
}

/* False: no memory. NULL in `out`: past the limit. */
static bool find_or_make(cg_work *work, cg_groups *groups, const wanted *w, cg_group **out)
{
    *out = find(groups, w);
    if (*out != NULL) {
        return true;
    }
    if (groups->count >= work->all->options.limits.groups) {
        work->groups_dropped++;
        return true;
    }
    if ((groups->count == groups->room && !grow_items(groups)) ||
        (groups->count * 2 >= groups->slot_room && !grow_slots(groups))) {
        return false;
    }
    const cg_value *keys = keep_keys(work, w->keys, w->count);
    if (keys == NULL) {
        return false;
    }
    groups->last = (uint32_t)groups->count;
    cg_group *group = &groups->items[groups->count++];
    *group = (cg_group){ .hash = w->hash, .keys = keys, .by = w->by, .implied = w->implied };
    cg_sum_init(&group->tally);
    put_in_slot(groups, groups->last);
    *out = group;
    return true;
}

void cg_sets_free(cg_set *sets, size_t count)
{
    for (size_t i = 0; sets != NULL && i < count; i++) {
        cg_set_release(&sets[i]);
    }
    cg_mem_free(sets);
}

void cg_groups_release(cg_groups *groups, size_t distinct_count)
{
    for (size_t i = 0; i < groups->count; i++) {
        cg_mem_free(groups->items[i].shown.lines);
        cg_mem_free(groups->items[i].values);
        cg_sets_free(groups->items[i].distinct, distinct_count);
    }
    cg_mem_free(groups->items);
    cg_mem_free(groups->slots);
    *groups = (cg_groups){ 0 };
}

bool cg_groups_by(cg_work *work, const cg_value *keys, cg_group **out)
{
    size_t count = work->rule->by.count;
    if (count == 0 && work->bys.count == 1) {
        *out = &work->bys.items[0];
        return true;
    }
    const wanted w = { keys, count, hash_keys(work, keys, count, 1), CG_NONE, 0 };
    return find_or_make(work, &work->bys, &w, out);
}

static wanted wanted_each(const cg_work *work, const cg_value *keys, uint32_t by)
{
    const cg_value *each = keys + work->rule->by.count;
    size_t count = work->rule->each.count;
    return (wanted){ each, count, hash_keys(work, each, count, 2 + (uint64_t)by), by, 0 };
}

bool cg_groups_place(cg_work *work, const cg_value *keys, const cg_value *implied, uint8_t implied_name,
                     cg_place_of *out)
{
    out->each = NULL;
    if (!cg_groups_by(work, keys, &out->by)) {
        return false;
    }
    if (out->by == NULL) {
        return true;
    }
    uint32_t by = (uint32_t)(out->by - work->bys.items);
    wanted w = wanted_each(work, keys, by);
    if (!cg_is_shown_by_each(work)) {
        if (implied->known != CG_KNOWN) {
            return true;
        }
        w = (wanted){ implied, 1, hash_implied(work, implied, by), by, implied_name };
    }
    if (!find_or_make(work, &work->eaches, &w, &out->each)) {
        return false;
    }
    if (cg_is_shown_by_each(work) && out->each == NULL) {
        out->by = NULL;
    }
    return true;
}

cg_group *cg_groups_each(cg_work *work, const cg_value *keys)
{
    size_t count = work->rule->by.count;
    const wanted of_by = { keys, count, hash_keys(work, keys, count, 1), CG_NONE, 0 };
    const cg_group *by = find(&work->bys, &of_by);
    if (by == NULL) {
        return NULL;
    }
    const wanted w = wanted_each(work, keys, (uint32_t)(by - work->bys.items));
    return find(&work->eaches, &w);
}

/* --- what tells the group */

void cg_keys_of(cg_work *work, const callgauge_event *event, const cg_value *slots, cg_value *keys)
{
    const cg_rule *rule = work->rule;
    size_t count = rule->by.count + rule->each.count;
    for (size_t i = 0; i < count; i++) {
        uint32_t id = i < rule->by.count ? work->by[i] : work->each[i - rule->by.count];
        cg_judge_value(work->all->judge, id, event, slots, &keys[i]);
        if (count > 1) {
            cg_judge_keep(work->all->steps, &keys[i]);
        }
    }
}

void cg_implied_key(cg_work *work, const callgauge_event *event, cg_value *out, uint8_t *name)
{
    *out = (cg_value){ .known = CG_ABSENT };
    if (cg_is_shown_by_each(work)) {
        return;
    }
    cg_detect *all = work->all;
    uint32_t kind = all->implied_now.known ? CG_KIND_NONE : cg_judge_kind(all->judge, event);
    for (uint8_t i = 0; !all->implied_now.known && i < CG_IMPLIED_KEYS; i++) {
        cg_value *value = &all->implied_now.value;
        if (cg_judge_sure_absent(all->judge, all->implied[i], kind)) {
            continue;
        }
        cg_judge_value(all->judge, all->implied[i], event, NULL, value);
        all->implied_now.name = i;
        all->implied_now.known = value->known == CG_KNOWN && value->text.len > 0;
        cg_judge_keep(all->steps, value);
    }
    if (!all->implied_now.known) {
        all->implied_now.value = (cg_value){ .known = CG_ABSENT };
        all->implied_now.known = true;
    }
    all->implied_now.hash = all->implied_now.hash != 0 ? all->implied_now.hash
                                                       : cg_hash_of(all, &all->implied_now.value);
    *out = all->implied_now.value;
    *name = all->implied_now.name;
}

/* --- what is kept of a group */

bool cg_distinct_take(cg_work *work, cg_set **sets, const callgauge_event *event)
{
    size_t count = work->rule->distinct_count;
    if (count == 0) {
        return true;
    }
    if (*sets == NULL && (*sets = cg_mem_zeroed(count, sizeof **sets)) == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        cg_value value;
        cg_judge_value(work->all->judge, work->distinct[i], event, NULL, &value);
        uint64_t hash = cg_hash_of(work->all, &value);
        if (value.known != CG_KNOWN || cg_set_has(&(*sets)[i], hash)) {
            continue;
        }
        if (work->distinct_count >= work->all->options.limits.distinct) {
            work->distinct_dropped++;
            continue;
        }
        work->distinct_count++;
        if (!cg_set_add(&(*sets)[i], hash)) {
            return false;
        }
    }
    return true;
}

bool cg_distinct_join(cg_work *work, cg_set **sets, const cg_set *more)
{
    size_t count = work->rule->distinct_count;
    if (count == 0 || more == NULL) {
        return true;
    }
    if (*sets == NULL && (*sets = cg_mem_zeroed(count, sizeof **sets)) == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < more[i].room; k++) {
            if (more[i].slots[k] == 0 || cg_set_has(&(*sets)[i], more[i].slots[k])) {
                continue;
            }
            if (work->distinct_count >= work->all->options.limits.distinct) {
                work->distinct_dropped++;
            } else if (work->distinct_count++, !cg_set_add(&(*sets)[i], more[i].slots[k])) {
                return false;
            }
        }
    }
    return true;
}

/* Whether a group has come so far that it may well be a finding. */
static bool is_promising(const cg_work *work, const cg_group *group)
{
    for (size_t i = 0; i < work->rule->floor_count; i++) {
        const cg_floor *floor = &work->rule->floors[i];
        if ((floor->has & CG_FLOOR_CALLS) == 0 || group->tally.calls >= floor->calls) {
            return true;
        }
    }
    return work->rule->floor_count == 0;
}

bool cg_group_wants_lines(const cg_work *work, const cg_group *group)
{
    if (group->shown.count >= work->all->options.limits.evidence) {
        return false;
    }
    return work->evidence_bytes < LEAST_EVIDENCE ||
           (work->evidence_bytes < 4 * LEAST_EVIDENCE && is_promising(work, group));
}

bool cg_group_show(cg_work *work, cg_group *group, uint64_t line, callgauge_str text)
{
    if (!cg_group_wants_lines(work, group)) {
        work->evidence_dropped += group->shown.count == 0;
        return true;
    }
    cg_shown *shown = &group->shown;
    if (shown->count == shown->room) {
        size_t room = shown->room == 0 ? 2 : shown->room * 2;
        cg_shown_line *lines = cg_mem_resize(shown->lines, room * sizeof *lines);
        if (lines == NULL) {
            return false;
        }
        shown->lines = lines;
        shown->room = room;
    }
    callgauge_str concealed;
    bool cut = text.len > CG_EVIDENCE_BYTES;
    text.len = cut ? CG_EVIDENCE_BYTES : text.len;
    if (!cg_conceal(&work->all->arena, text, &concealed)) {
        return false;
    }
    shown->lines[shown->count++] = (cg_shown_line){ line, concealed };
    work->evidence_bytes += concealed.len;
    return true;
}

bool cg_group_values(cg_work *work, cg_group *group, const cg_value *values)
{
    size_t count = work->rule->value_count;
    if (count == 0) {
        return true;
    }
    if (group->values == NULL && (group->values = cg_mem_zeroed(count, sizeof *group->values)) == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        cg_value *kept = &group->values[i];
        if (!group->values_taken) {
            *kept = values[i];
            kept->lasting = false;
            cg_judge_keep(work->all->judge, kept);
        } else if (kept->known == CG_KNOWN && !cg_value_same(kept, &values[i])) {
            *kept = (cg_value){ .known = CG_UNKNOWN_VALUE };
        }
    }
    group->values_taken = true;
    return true;
}

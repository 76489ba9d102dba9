/* SPDX-License-Identifier: Apache-2.0 */
/* Threads and processes by the ids that lib/state gives, or by what the lines say. */
#include "detect/lanes.h"

#include <string.h>

#include "base/mem.h"
#include "event/annotation.h"

enum { FIRST_ROOM = 16 };

static size_t slot_of(const cg_lane_map *map, int64_t a, int64_t b)
{
    uint64_t hash = ((uint64_t)a * 0x9E3779B97F4A7C15u ^ (uint64_t)b) * 0xD6E8FEB86659FD93u;
    size_t at = (size_t)(hash >> 24) & (map->slot_room - 1);
    while (map->slots[at] != 0 && (map->pairs[map->slots[at] - 1][0] != a || map->pairs[map->slots[at] - 1][1] != b)) {
        at = (at + 1) & (map->slot_room - 1);
    }
    return at;
}

static bool grow(cg_lane_map *map)
{
    size_t room = map->room == 0 ? FIRST_ROOM : map->room * 2;
    int64_t(*pairs)[2] = cg_mem_resize(map->pairs, room * sizeof *pairs);
    if (pairs == NULL) {
        return false;
    }
    map->pairs = pairs;
    uint32_t *slots = cg_mem_zeroed(room * 2, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    cg_mem_free(map->slots);
    map->slots = slots;
    map->slot_room = room * 2;
    map->room = room;
    for (size_t i = 0; i < map->count; i++) {
        map->slots[slot_of(map, pairs[i][0], pairs[i][1])] = (uint32_t)i + 1;
    }
    return true;
}

static bool number_of(cg_lane_map *map, size_t limit, int64_t a, int64_t b, uint32_t *out)
{
    if (map->count > 0 && map->pairs[map->last][0] == a && map->pairs[map->last][1] == b) {
        *out = map->last;
        return true;
    }
    if (map->count == map->room && !grow(map)) {
        return false;
    }
    size_t at = slot_of(map, a, b);
    if (map->slots[at] == 0) {
        if (map->count >= limit) {
            *out = CG_NONE;
            return true;
        }
        map->pairs[map->count][0] = a;
        map->pairs[map->count++][1] = b;
        map->slots[at] = (uint32_t)map->count;
    }
    *out = map->last = map->slots[at] - 1;
    return true;
}

static bool reach(const cg_detect *detect, cg_lanes *lanes, uint32_t lane)
{
    if (lane == CG_NONE || lane < lanes->count) {
        return true;
    }
    size_t stride = detect->words + 1, need = (size_t)lane + 1;
    if (need > lanes->room) {
        size_t room = lanes->room == 0 ? FIRST_ROOM : lanes->room;
        while (room < need) {
            room *= 2;
        }
        uint64_t *words = cg_mem_resize(lanes->words, room * stride * sizeof *words);
        if (words == NULL) {
            return false;
        }
        lanes->words = words;
        lanes->room = room;
    }
    memset(lanes->words + lanes->count * stride, 0, (need - lanes->count) * stride * sizeof *lanes->words);
    lanes->count = need;
    return true;
}

static bool by_lines(cg_detect *detect, const callgauge_event *event, uint32_t *thread, uint32_t *process)
{
    int64_t pid = (event->has & CALLGAUGE_HAS_PID) != 0 ? event->pid : CG_UNKNOWN;
    int64_t tid = (event->has & CALLGAUGE_HAS_TID) != 0 ? event->tid : CG_UNKNOWN;
    size_t limit = detect->options.limits.processes;
    return number_of(&detect->ids->threads, limit, pid, tid, thread) &&
           number_of(&detect->ids->processes, limit, pid, 0, process);
}

bool cg_lanes_of(cg_detect *detect, const callgauge_event *event, uint32_t *thread, uint32_t *process)
{
    const cg_annotation *known = event->annotation;
    *thread = *process = CG_NONE;
    if (!detect->options.followed) {
        if (!by_lines(detect, event, thread, process)) {
            return false;
        }
    } else if (known != NULL && known->thread != NULL && known->process != NULL) {
        *thread = known->thread->id < detect->options.limits.processes ? known->thread->id : CG_NONE;
        *process = known->process->id < detect->options.limits.processes ? known->process->id : CG_NONE;
    }
    if (*thread == CG_NONE || *process == CG_NONE) {
        *thread = *process = CG_NONE;
        detect->lanes_dropped += !detect->options.followed || (known != NULL && known->thread != NULL);
        return true;
    }
    return reach(detect, &detect->threads, *thread) && reach(detect, &detect->processes, *process);
}

static void release(cg_lane_map *map)
{
    cg_mem_free(map->pairs);
    cg_mem_free(map->slots);
}

void cg_lanes_release(cg_detect *detect)
{
    if (detect->ids != NULL) {
        release(&detect->ids->threads);
        release(&detect->ids->processes);
        cg_mem_free(detect->ids);
    }
    cg_mem_free(detect->threads.words);
    cg_mem_free(detect->processes.words);
}

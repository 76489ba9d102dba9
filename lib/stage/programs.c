/* SPDX-License-Identifier: Apache-2.0 */
/* Programs by their paths, from single starts and calls to their rows. */
#include "stage/programs.h"

#include "base/mem.h"

void cg_programs_init(cg_programs *programs, size_t limit)
{
    *programs = (cg_programs){ .limit = limit };
    cg_intern_init(&programs->names, limit < SIZE_MAX ? limit + 1 : limit);
}

void cg_programs_release(cg_programs *programs)
{
    for (size_t i = 0; i < programs->names.count; i++) {
        cg_mem_free(programs->stats[i].started_by);
    }
    cg_mem_free(programs->stats);
    cg_intern_release(&programs->names);
    programs->stats = NULL;
    programs->room = 0;
}

/* Room for one program more, before its name is taken in. */
static bool reserve(cg_programs *programs)
{
    if (programs->names.count < programs->room) {
        return true;
    }
    size_t room = programs->room == 0 ? 16 : programs->room * 2;
    cg_program_stats *stats = cg_mem_resize(programs->stats, room * sizeof *stats);
    if (stats == NULL) {
        return false;
    }
    programs->stats = stats;
    programs->room = room;
    return true;
}

static int64_t add(cg_programs *programs, callgauge_str name)
{
    size_t before = programs->names.count;
    if (!reserve(programs)) {
        return CG_INTERN_NOMEM;
    }
    int64_t id = cg_intern_add(&programs->names, name);
    if (id >= 0 && (size_t)id == before) {
        programs->stats[id] = (cg_program_stats){
            .life_ns = CALLGAUGE_UNKNOWN, .made = { .cpu_ns = CALLGAUGE_UNKNOWN, .wall_ns = CALLGAUGE_UNKNOWN }
        };
    }
    return id;
}

bool cg_programs_find(cg_programs *programs, callgauge_str name, uint32_t *id)
{
    *id = CG_PROGRAM_NONE;
    if (programs->names.count == 0 && add(programs, (callgauge_str){ "", 0 }) < 0) {
        return false;
    }
    int64_t found = name.len == 0 ? CG_PROGRAM_NONE : add(programs, name);
    if (found == CG_INTERN_FULL) {
        programs->dropped++;
        return true;
    }
    *id = found < 0 ? CG_PROGRAM_NONE : (uint32_t)found;
    return found >= 0;
}

bool cg_programs_start(cg_programs *programs, uint32_t id, uint32_t by)
{
    cg_program_stats *stats = &programs->stats[id];
    uint32_t at = 0;
    stats->starts++;
    while (at < stats->by_count && stats->started_by[at].by != by) {
        at++;
    }
    if (at == stats->by_room) {
        uint32_t room = stats->by_room == 0 ? 2 : stats->by_room * 2;
        cg_program_start *list = cg_mem_resize(stats->started_by, room * sizeof *list);
        if (list == NULL) {
            return false;
        }
        stats->started_by = list;
        stats->by_room = room;
    }
    if (at == stats->by_count) {
        stats->started_by[stats->by_count++] = (cg_program_start){ .by = by };
    }
    stats->started_by[at].count++;
    return true;
}

void cg_programs_end(cg_programs *programs, uint32_t id, int64_t ns)
{
    cg_program_stats *stats = &programs->stats[id];
    stats->lives++;
    stats->life_ns = cg_known_add(stats->life_ns, ns);
}

void cg_programs_calls(cg_programs *programs, uint32_t id, const cg_program_calls *made)
{
    cg_program_calls *sum = &programs->stats[id].made;
    sum->calls = cg_count_add(sum->calls, made->calls);
    sum->errors = cg_count_add(sum->errors, made->errors);
    sum->cpu_calls = cg_count_add(sum->cpu_calls, made->cpu_calls);
    sum->wall_calls = cg_count_add(sum->wall_calls, made->wall_calls);
    sum->cpu_ns = cg_known_add(sum->cpu_ns, made->cpu_ns);
    sum->wall_ns = cg_known_add(sum->wall_ns, made->wall_ns);
}

static bool finish_starts(const cg_programs *programs, const cg_program_stats *stats, cg_arena *arena,
                          callgauge_program_row *row)
{
    callgauge_name_row *rows = cg_arena_alloc(arena, stats->by_count * sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < stats->by_count; i++) {
        rows[i].count = stats->started_by[i].count;
        if (!cg_arena_str(arena, programs->names.texts[stats->started_by[i].by], &rows[i].name)) {
            return false;
        }
    }
    row->started_by_count = cg_name_rows_settle(rows, stats->by_count);
    row->started_by = rows;
    return true;
}

static bool finish_row(const cg_programs *programs, size_t id, cg_arena *arena, callgauge_program_row *row)
{
    const cg_program_stats *stats = &programs->stats[id];
    *row = (callgauge_program_row){
        .starts = stats->starts,
        .lives = stats->lives,
        .life_ns = stats->life_ns,
        .calls = stats->made.calls,
        .errors = stats->made.errors,
        .cpu_ns = stats->made.cpu_ns,
        .wall_ns = stats->made.wall_ns,
        .cpu_calls = stats->made.cpu_calls,
        .wall_calls = stats->made.wall_calls,
    };
    return cg_arena_str(arena, programs->names.texts[id], &row->program) && finish_starts(programs, stats, arena, row);
}

bool cg_programs_finish(const cg_programs *programs, callgauge_report *report)
{
    size_t count = programs->names.count;
    report->programs = cg_arena_alloc(&report->arena, count * sizeof *report->programs);
    if (report->programs == NULL) {
        return false;
    }
    for (size_t id = CG_PROGRAM_NONE + 1; id < count; id++) {
        const cg_program_stats *stats = &programs->stats[id];
        if (stats->starts + stats->made.calls > 0 &&
            !finish_row(programs, id, &report->arena, &report->programs[report->program_count++])) {
            return false;
        }
    }
    return programs->dropped == 0 || cg_report_add_limit(report, "processes", programs->limit, programs->dropped);
}

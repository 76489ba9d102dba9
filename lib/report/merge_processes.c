/* SPDX-License-Identifier: Apache-2.0 */
/* Merges processes, their threads, and programs.
 * Invariant: where two reports say different things of one process, what is kept does not depend on their order. */
#include "report/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static void add_thread(const callgauge_thread_row *from, callgauge_thread_row *to)
{
    to->working_ns = cg_known_add(to->working_ns, from->working_ns);
    to->waiting_ns = cg_known_add(to->waiting_ns, from->waiting_ns);
    to->outside_ns = cg_known_add(to->outside_ns, from->outside_ns);
}

size_t cg_thread_rows_settle(callgauge_thread_row *rows, size_t count)
{
    size_t used = 0;
    if (count > 1) {
        qsort(rows, count, sizeof *rows, cg_thread_row_cmp);
    }
    for (size_t i = 0; i < count; i++) {
        if (used > 0 && rows[used - 1].tid == rows[i].tid) {
            add_thread(&rows[i], &rows[used - 1]);
        } else {
            rows[used++] = rows[i];
        }
    }
    return used;
}

/* Two lists in order become one. */
static bool join_threads(const callgauge_process_row *from, callgauge_process_row *to, cg_arena *scratch)
{
    callgauge_thread_row *rows = cg_arena_alloc(scratch, (from->thread_count + to->thread_count) * sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    size_t used = 0, i = 0, k = 0;
    while (i < from->thread_count || k < to->thread_count) {
        bool mine = k < to->thread_count &&
                    (i == from->thread_count || cg_thread_row_cmp(&to->threads[k], &from->threads[i]) <= 0);
        const callgauge_thread_row *row = mine ? &to->threads[k++] : &from->threads[i++];
        if (used > 0 && rows[used - 1].tid == row->tid) {
            add_thread(row, &rows[used - 1]);
        } else {
            rows[used++] = *row;
        }
    }
    to->threads = rows;
    to->thread_count = used;
    return true;
}

static int argv_cmp(const callgauge_process_row *a, const callgauge_process_row *b)
{
    int c = (a->argv_count > b->argv_count) - (a->argv_count < b->argv_count);
    for (size_t i = 0; c == 0 && i < a->argv_count; i++) {
        c = cg_str_cmp(a->argv[i], b->argv[i]);
    }
    return c;
}

static void add_sums(const callgauge_process_row *from, callgauge_process_row *to)
{
    to->calls = cg_count_add(to->calls, from->calls);
    to->errors = cg_count_add(to->errors, from->errors);
    to->unreturned = cg_count_add(to->unreturned, from->unreturned);
    to->emfile = cg_count_add(to->emfile, from->emfile);
    to->cpu_calls = cg_timed_calls_add(to->cpu_ns, to->cpu_calls, from->cpu_ns, from->cpu_calls);
    to->wall_calls = cg_timed_calls_add(to->wall_ns, to->wall_calls, from->wall_ns, from->wall_calls);
    to->cpu_ns = cg_known_add(to->cpu_ns, from->cpu_ns);
    to->wall_ns = cg_known_add(to->wall_ns, from->wall_ns);
    to->start_ns = cg_known_min(to->start_ns, from->start_ns);
    to->end_ns = cg_known_max(to->end_ns, from->end_ns);
}

static void add_life(const callgauge_process_row *from, callgauge_process_row *to)
{
    if (argv_cmp(from, to) > 0) {
        to->argv = from->argv;
        to->argv_count = from->argv_count;
    }
    to->born |= from->born;
    to->ended |= from->ended;
    to->exit_code = cg_known_max(to->exit_code, from->exit_code);
    to->exit_signal = cg_merge_text(to->exit_signal, from->exit_signal);
    to->open_at_start = cg_known_max(to->open_at_start, from->open_at_start);
    to->open_at_end = cg_known_max(to->open_at_end, from->open_at_end);
    to->open_peak = cg_known_max(to->open_peak, from->open_peak);
}

static bool add_process(const void *from, void *to, cg_arena *scratch)
{
    add_sums(from, to);
    add_life(from, to);
    return join_threads(from, to, scratch);
}

static bool copy_process(void *at, cg_arena *arena)
{
    callgauge_process_row *row = at;
    callgauge_str *argv = cg_arena_alloc(arena, row->argv_count * sizeof *argv);
    callgauge_thread_row *threads = cg_arena_alloc(arena, row->thread_count * sizeof *threads);
    if (argv == NULL || threads == NULL) {
        return false;
    }
    for (size_t i = 0; i < row->argv_count; i++) {
        if (!cg_arena_str(arena, row->argv[i], &argv[i])) {
            return false;
        }
    }
    if (row->thread_count > 0) {
        memcpy(threads, row->threads, row->thread_count * sizeof *threads);
    }
    row->argv = argv;
    row->threads = threads;
    return cg_merge_keep(arena, &row->program) && cg_merge_keep(arena, &row->exit_signal);
}

static const void *list_processes(const callgauge_report *report, size_t *count)
{
    *count = report->process_count;
    return report->processes;
}

/* A mean needs lives and their time to be of the same starts: those whose time is not known give way. */
static void add_lives(const callgauge_program_row *from, callgauge_program_row *to)
{
    bool from_known = from->life_ns != CALLGAUGE_UNKNOWN, to_known = to->life_ns != CALLGAUGE_UNKNOWN;
    if (from_known == to_known) {
        to->lives = cg_count_add(to->lives, from->lives);
    } else if (from_known) {
        to->lives = from->lives;
    }
    to->life_ns = cg_known_add(to->life_ns, from->life_ns);
}

static bool add_program(const void *row, void *sum, cg_arena *scratch)
{
    const callgauge_program_row *from = row;
    callgauge_program_row *to = sum;
    cg_names starters;
    if (!cg_names_add((cg_names){ from->started_by, from->started_by_count },
                      (cg_names){ to->started_by, to->started_by_count }, scratch, &starters)) {
        return false;
    }
    to->started_by = starters.rows;
    to->started_by_count = starters.count;
    to->starts = cg_count_add(to->starts, from->starts);
    add_lives(from, to);
    to->calls = cg_count_add(to->calls, from->calls);
    to->errors = cg_count_add(to->errors, from->errors);
    to->cpu_calls = cg_timed_calls_add(to->cpu_ns, to->cpu_calls, from->cpu_ns, from->cpu_calls);
    to->wall_calls = cg_timed_calls_add(to->wall_ns, to->wall_calls, from->wall_ns, from->wall_calls);
    to->cpu_ns = cg_known_add(to->cpu_ns, from->cpu_ns);
    to->wall_ns = cg_known_add(to->wall_ns, from->wall_ns);
    return true;
}

static bool copy_program(void *at, cg_arena *arena)
{
    callgauge_program_row *row = at;
    callgauge_name_row *starters;
    if (!cg_name_rows_copy(arena, row->started_by, row->started_by_count, &starters)) {
        return false;
    }
    row->started_by = starters;
    return cg_merge_keep(arena, &row->program);
}

static const void *list_programs(const callgauge_report *report, size_t *count)
{
    *count = report->program_count;
    return report->programs;
}

bool cg_merge_processes(cg_merge *merge)
{
    static const cg_merge_kind processes = {
        sizeof(callgauge_process_row), list_processes, cg_process_row_cmp, NULL, add_process, copy_process,
    };
    static const cg_merge_kind programs = {
        sizeof(callgauge_program_row), list_programs, cg_program_row_cmp, NULL, add_program, copy_program,
    };
    void *rows = NULL;
    if (!cg_merge_rows(merge, &processes, &rows, &merge->out->process_count)) {
        return false;
    }
    merge->out->processes = rows;
    if (!cg_merge_rows(merge, &programs, &rows, &merge->out->program_count)) {
        return false;
    }
    merge->out->programs = rows;
    return true;
}

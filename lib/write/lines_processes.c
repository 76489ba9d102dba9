/* SPDX-License-Identifier: Apache-2.0 */
/* From processes, threads, programs and waiting to lines. */
#include "write/lines.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "report/report.h"
#include "write/derived.h"
#include "write/label.h"

enum { INDENT = 2, DEEPEST = 24 }; /* of the tree: what is deeper stands under it */

static int64_t span_of(int64_t start, int64_t end)
{
    return start == CALLGAUGE_UNKNOWN || end == CALLGAUGE_UNKNOWN || end < start ? CALLGAUGE_UNKNOWN : end - start;
}

bool cg_line_take_process(const callgauge_process_row *row, cg_rows *lines, cg_line *line)
{
    cg_time_spent spent = cg_spent_by(row);
    line->values[CG_VALUE_WORKING] = spent.working_ns;
    line->values[CG_VALUE_WAITING] = spent.waiting_ns;
    line->values[CG_VALUE_OUTSIDE] = spent.outside_ns;
    if (row->life == 0) {
        return true;
    }
    line->values[CG_VALUE_LIFE] = span_of(row->start_ns, row->end_ns);
    line->values[CG_VALUE_EXIT] = row->exit_code;
    line->exit_signal = row->exit_signal;
    line->is_path = true;
    return (row->life == 1 || cg_label_of_life(row->pid, row->life, &lines->arena, &line->name)) &&
           cg_label_of_program(row, &lines->arena, &line->second);
}

/* --- programs */

static bool take_program(const callgauge_program_row *row, cg_rows *lines, cg_line *line)
{
    cg_line_clear(line);
    line->row = row;
    line->name = row->program.len > 0 ? row->program : cg_str_z("?");
    line->is_path = true;
    cg_line_set_counts(line, row->calls, row->errors, 0);
    cg_line_set_times(line, row->cpu_ns, row->cpu_calls, row->wall_ns, row->wall_calls);
    line->values[CG_VALUE_STARTS] = cg_count_held(row->starts);
    line->values[CG_VALUE_LIFE] = cg_mean_life(row);
    return cg_label_of_names(row->started_by, row->started_by_count, &lines->arena, &line->second);
}

/* Room for lines, and a sum that begins with nothing. */
static bool begin(cg_rows *lines, size_t count)
{
    cg_line_clear(&lines->sum);
    lines->sum.name = cg_str_z("total");
    lines->lines = cg_mem_zeroed(count + 1, sizeof *lines->lines);
    return lines->lines != NULL;
}

bool cg_lines_of_programs(const callgauge_report *report, cg_rows *lines)
{
    size_t count = callgauge_report_program_count(report);
    if (!begin(lines, count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        cg_line *line = &lines->lines[lines->count++];
        if (!take_program(callgauge_report_program(report, i), lines, line)) {
            return false;
        }
        cg_line_add(&lines->sum, line);
    }
    return true;
}

/* --- waiting */

/* Whether a call waited on sockets of one peer in both. */
static bool same_peer(const callgauge_waiting_row *a, const callgauge_waiting_row *b)
{
    return a->kind == CALLGAUGE_FILE_SOCKET && b->kind == CALLGAUGE_FILE_SOCKET && a->peer.len > 0 &&
           a->peer_port >= 0 && b->peer_port >= 0 && a->path.len == 0 && b->path.len == 0 &&
           cg_str_eq(a->peer, b->peer) && cg_str_eq(a->call, b->call);
}

/* How many rows from `at` on make one line; rows of one call and peer follow each other. */
static size_t rows_of_line(const callgauge_report *report, size_t at)
{
    enum { MOST_APART = 3 };
    size_t count = callgauge_report_waiting_count(report), end = at + 1;
    while (end < count && same_peer(callgauge_report_waiting(report, at), callgauge_report_waiting(report, end))) {
        end++;
    }
    return end - at > MOST_APART ? end - at : 1;
}

static bool take_waiting(const callgauge_report *report, size_t at, size_t rows, cg_rows *lines, cg_line *line)
{
    const callgauge_waiting_row *first = callgauge_report_waiting(report, at);
    uint64_t count = 0;
    int64_t wall_ns = CALLGAUGE_UNKNOWN, max_ns = CALLGAUGE_UNKNOWN;
    for (size_t i = at; i < at + rows; i++) {
        const callgauge_waiting_row *row = callgauge_report_waiting(report, i);
        count = cg_count_add(count, row->count);
        wall_ns = cg_known_add(wall_ns, row->wall_ns);
        max_ns = row->max_ns > max_ns ? row->max_ns : max_ns;
    }
    cg_line_clear(line);
    line->row = first;
    line->is_path = rows == 1;
    cg_line_set_times(line, CALLGAUGE_UNKNOWN, 0, wall_ns, count);
    line->values[CG_VALUE_CALLS] = cg_count_held(count);
    line->values[CG_VALUE_MAX] = max_ns;
    return rows == 1 ? cg_label_of_waiting(first, &lines->arena, &line->name)
                     : cg_label_of_waiting_ports(first, rows, &lines->arena, &line->name);
}

bool cg_lines_of_waiting(const callgauge_report *report, bool glance, cg_rows *lines)
{
    size_t count = callgauge_report_waiting_count(report);
    if (!begin(lines, count)) {
        return false;
    }
    for (size_t i = 0, rows; i < count; i += rows) {
        rows = glance ? rows_of_line(report, i) : 1;
        cg_line *line = &lines->lines[lines->count++];
        if (!take_waiting(report, i, rows, lines, line)) {
            return false;
        }
        cg_line_add(&lines->sum, line);
    }
    return true;
}

/* --- threads */

static bool take_thread(const callgauge_process_row *process, const callgauge_thread_row *row, cg_rows *lines,
                        cg_line *line)
{
    cg_line_clear(line);
    line->row = row;
    line->is_path = true;
    line->values[CG_VALUE_PID] = process->pid;
    line->values[CG_VALUE_WORKING] = row->working_ns;
    line->values[CG_VALUE_WAITING] = row->waiting_ns;
    line->values[CG_VALUE_OUTSIDE] = row->outside_ns;
    /* what is called wall here is the time in calls, and so what lines are ordered by */
    line->values[CG_VALUE_WALL] = cg_known_add(row->working_ns, row->waiting_ns);
    line->second = process->program;
    return cg_label_of_thread(process->pid, process->life, row->tid, &lines->arena, &line->name);
}

bool cg_lines_of_threads(const callgauge_report *report, cg_rows *lines)
{
    size_t count = 0;
    for (size_t i = 0; i < callgauge_report_process_count(report); i++) {
        count += callgauge_report_process(report, i)->thread_count;
    }
    if (!begin(lines, count)) {
        return false;
    }
    for (size_t i = 0; i < callgauge_report_process_count(report); i++) {
        const callgauge_process_row *process = callgauge_report_process(report, i);
        for (size_t k = 0; k < process->thread_count; k++) {
            cg_line *line = &lines->lines[lines->count++];
            if (!take_thread(process, &process->threads[k], lines, line)) {
                return false;
            }
            cg_line_add(&lines->sum, line);
        }
    }
    return true;
}

/* --- the tree */

/* A process, its parent and the siblings after it, as indexes of the report's processes + 1; 0: none. */
typedef struct branch {
    size_t parent, first_child, next;
    bool placed;
} branch;

static int birth_cmp(const callgauge_process_row *a, const callgauge_process_row *b)
{
    bool known = a->start_ns != CALLGAUGE_UNKNOWN && b->start_ns != CALLGAUGE_UNKNOWN;
    if (known && a->start_ns != b->start_ns) {
        return a->start_ns < b->start_ns ? -1 : 1;
    }
    return cg_process_row_cmp(a, b);
}

/* The row of a process's parent, index + 1: the life that is named, else the last one before. 0: it has none. */
static size_t find_parent(const callgauge_report *report, const callgauge_process_row *row)
{
    size_t low = 0, high = callgauge_report_process_count(report), found = 0;
    while (row->parent != CALLGAUGE_UNKNOWN && low < high) {
        size_t middle = low + (high - low) / 2;
        if (callgauge_report_process(report, middle)->pid < row->parent) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; row->parent != CALLGAUGE_UNKNOWN && low < callgauge_report_process_count(report); low++) {
        const callgauge_process_row *at = callgauge_report_process(report, low);
        if (at->pid != row->parent) {
            break;
        }
        if (at != row && (row->parent_life == 0 || at->life == row->parent_life)) {
            found = low + 1;
        }
    }
    return found;
}

static int index_cmp(const void *a, const void *b)
{
    return birth_cmp(*(const callgauge_process_row *const *)a, *(const callgauge_process_row *const *)b);
}

/* Links every process into its parent's list of children; the earlier ones first. False: no memory. */
static bool link(const callgauge_report *report, branch *branches)
{
    size_t count = callgauge_report_process_count(report);
    const callgauge_process_row **order = cg_mem_zeroed(count + 1, sizeof *order);
    const callgauge_process_row *first = callgauge_report_process(report, 0);
    if (order == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        order[i] = callgauge_report_process(report, i);
    }
    qsort(order, count, sizeof *order, index_cmp);
    for (size_t i = count; i-- > 0;) { /* each goes before those that came later */
        size_t at = (size_t)(order[i] - first) + 1;
        size_t parent = find_parent(report, order[i]);
        branches[at].parent = parent;
        branches[at].next = branches[parent].first_child;
        branches[parent].first_child = at;
    }
    cg_mem_free(order);
    return true;
}

static bool take_branch(const callgauge_process_row *row, size_t depth, cg_rows *lines)
{
    static const char blanks[] = "                                                ";
    cg_line *line = &lines->lines[lines->count++];
    callgauge_str life, program;
    cg_line_clear(line);
    line->row = row;
    cg_line_set_counts(line, row->calls, row->errors, row->unreturned);
    cg_line_set_times(line, row->cpu_ns, row->cpu_calls, row->wall_ns, row->wall_calls);
    line->values[CG_VALUE_START] = row->start_ns;
    line->values[CG_VALUE_END] = row->end_ns;
    if (!cg_line_take_process(row, lines, line) || !cg_label_of_life(row->pid, row->life, &lines->arena, &life) ||
        !cg_label_of_program(row, &lines->arena, &program)) {
        return false;
    }
    size_t indent = INDENT * (depth < DEEPEST ? depth : DEEPEST);
    char *text = cg_arena_alloc(&lines->arena, indent + life.len + 1 + program.len);
    if (text == NULL) {
        return false;
    }
    size_t used = 0;
    const callgauge_str parts[] = { { blanks, indent }, life, { " ", program.len > 0 ? 1 : 0 }, program };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].len > 0) {
            memcpy(text + used, parts[i].ptr, parts[i].len);
            used += parts[i].len;
        }
    }
    line->name = cg_str(text, used);
    line->second = cg_str(NULL, 0);
    line->is_path = true;
    return true;
}

/* All processes below `root` (0: those without a parent), without recursion: a forged report may be deep. */
static bool walk(const callgauge_report *report, branch *branches, size_t root, size_t depth, cg_rows *lines)
{
    size_t at = branches[root].first_child;
    while (at != 0) {
        branches[at].placed = true;
        if (!take_branch(callgauge_report_process(report, at - 1), depth, lines)) {
            return false;
        }
        if (branches[at].first_child != 0) {
            at = branches[at].first_child;
            depth++;
            continue;
        }
        while (at != root && branches[at].next == 0) {
            at = branches[at].parent;
            depth--;
        }
        at = at == root ? 0 : branches[at].next;
    }
    return true;
}

bool cg_lines_of_tree(const callgauge_report *report, cg_rows *lines)
{
    size_t count = callgauge_report_process_count(report);
    branch *branches = cg_mem_zeroed(count + 1, sizeof *branches);
    lines->lines = cg_mem_zeroed(count + 1, sizeof *lines->lines);
    bool ok = branches != NULL && lines->lines != NULL && (count == 0 || link(report, branches));
    ok = ok && walk(report, branches, 0, 0, lines);
    /* Processes that are said to be their own ancestors hang below nothing. */
    for (size_t i = 1; ok && i <= count; i++) {
        if (!branches[i].placed) {
            ok = take_branch(callgauge_report_process(report, i - 1), 0, lines);
        }
    }
    cg_mem_free(branches);
    return ok;
}

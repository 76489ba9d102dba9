/* SPDX-License-Identifier: Apache-2.0 */
/* The shape rows: a condition over the rows of the finished report. It costs nothing while events are read, and is what
 * judges `-c` tables. */
#include <string.h>

#include "base/str.h"
#include "detect/inside.h"

static const void *row_at(const callgauge_report *report, cg_subject subject, size_t index)
{
    switch (subject) {
    case CG_OF_CALLS: return callgauge_report_call(report, index);
    case CG_OF_FILES: return callgauge_report_file(report, index);
    case CG_OF_DESCRIPTORS: return callgauge_report_descriptor(report, index);
    case CG_OF_PROCESSES: return callgauge_report_process(report, index);
    case CG_OF_PROGRAMS: return callgauge_report_program(report, index);
    case CG_OF_WAITING: return callgauge_report_waiting(report, index);
    case CG_OF_EVENTS: break;
    }
    return NULL;
}

static void tally_row(cg_sum *tally, cg_subject subject, const void *at)
{
    cg_sum_init(tally);
    tally->times = 1;
    if (subject == CG_OF_CALLS) {
        const callgauge_call_row *row = at;
        tally->calls = row->calls;
        tally->errors = row->errors;
        tally->cpu_ns = row->cpu_ns;
        tally->wall_ns = row->wall_ns;
        tally->bytes = cg_known_add(row->bytes_read, row->bytes_written);
    } else if (subject == CG_OF_FILES) {
        const callgauge_file_row *row = at;
        tally->calls = row->calls;
        tally->errors = row->errors;
        tally->cpu_ns = row->cpu_ns;
        tally->wall_ns = row->wall_ns;
        tally->bytes = cg_known_add(row->bytes_read, row->bytes_written);
    } else if (subject == CG_OF_PROCESSES) {
        const callgauge_process_row *row = at;
        tally->calls = row->calls;
        tally->errors = row->errors;
        tally->cpu_ns = row->cpu_ns;
        tally->wall_ns = row->wall_ns;
    } else if (subject == CG_OF_PROGRAMS) {
        const callgauge_program_row *row = at;
        tally->calls = row->calls;
        tally->errors = row->errors;
        tally->cpu_ns = row->cpu_ns;
        tally->wall_ns = row->wall_ns;
    } else if (subject == CG_OF_WAITING) {
        const callgauge_waiting_row *row = at;
        tally->calls = row->count;
        tally->wall_ns = row->wall_ns;
    }
}

/* The line of a table that a row of calls was read from. */
static bool show_table_line(cg_work *work, cg_group *group, cg_subject subject, const void *row)
{
    const cg_detect *all = work->all;
    for (size_t i = 0; subject == CG_OF_CALLS && i < all->table_line_count; i++) {
        const cg_table_line *line = &all->table_lines[i];
        if (cg_str_eq(line->call, ((const callgauge_call_row *)row)->name) &&
            !cg_group_show(work, group, line->line, line->text)) {
            return false;
        }
    }
    return true;
}

static bool take_row(cg_work *work, const void *row)
{
    const cg_rule *rule = work->rule;
    cg_value keys[CG_GROUP_KEYS], values[CG_RULE_VALUES];
    const cg_value none = { .known = CG_ABSENT };
    cg_place_of place;
    for (size_t i = 0; i < rule->by.count + rule->each.count; i++) {
        uint32_t id = i < rule->by.count ? work->by[i] : work->each[i - rule->by.count];
        cg_judge_row_value(work->all->judge, id, row, &keys[i]);
        cg_judge_keep(work->all->steps, &keys[i]);
    }
    for (size_t i = 0; i < rule->value_count; i++) {
        cg_judge_row_value(work->all->judge, work->values[i], row, &values[i]);
        cg_judge_keep(work->all->steps, &values[i]);
    }
    if (!cg_groups_place(work, keys, &none, 0, &place)) {
        return false;
    }
    if (place.by == NULL) {
        return true;
    }
    cg_sum tally;
    tally_row(&tally, rule->subject, row);
    cg_sum_add(&place.by->tally, &tally);
    if (place.each != NULL) {
        cg_sum_add(&place.each->tally, &tally);
    }
    cg_group *holder = cg_is_shown_by_each(work) ? place.each : place.by;
    return cg_group_values(work, place.by, values) && show_table_line(work, holder, rule->subject, row);
}

static bool judge_rows(cg_work *work, const callgauge_report *report)
{
    const void *row;
    for (size_t i = 0; (row = row_at(report, work->rule->subject, i)) != NULL; i++) {
        cg_truth truth = cg_judge_row(work->all->judge, work->where, row);
        work->undecided += truth == CG_UNDECIDED;
        if (truth == CG_YES && !take_row(work, row)) {
            return false;
        }
    }
    return true;
}

/* --- what it would be about */

/* A row of waiting without what durations tell: the wait on a file, or a call that waits for no file. */
static callgauge_waiting_row wait_on(const callgauge_file_row *file, const callgauge_call_row *call)
{
    callgauge_waiting_row row = { .peer_port = -1, .fd = CALLGAUGE_UNKNOWN, .wall_ns = CALLGAUGE_UNKNOWN };
    row.max_ns = CALLGAUGE_UNKNOWN;
    if (file != NULL) {
        row.kind = file->kind;
        row.path = file->path;
        row.peer = file->peer;
        row.peer_port = file->peer_port;
    } else {
        row.call = call->name;
    }
    return row;
}

static bool could_wait(cg_work *work, const callgauge_waiting_row *row, uint32_t missing)
{
    return cg_judge_row_lacking(work->all->judge, work->where, row, missing) != CG_NO;
}

/* Rows of waiting are made of durations. Where there are none, what could have been waited for is in other rows. */
static bool waits_could_hold(cg_work *work, const callgauge_report *report, uint32_t missing)
{
    for (size_t i = 0; i < callgauge_report_file_count(report); i++) {
        const callgauge_waiting_row row = wait_on(callgauge_report_file(report, i), NULL);
        if (could_wait(work, &row, missing)) {
            return true;
        }
    }
    for (size_t i = 0; i < callgauge_report_call_count(report); i++) {
        const callgauge_call_row *call = callgauge_report_call(report, i);
        const callgauge_waiting_row row = wait_on(NULL, call);
        bool waits = call->call_class == CALLGAUGE_CLASS_SLEEP || call->call_class == CALLGAUGE_CLASS_FUTEX ||
                     call->call_class == CALLGAUGE_CLASS_WAITCHILD;
        if (waits && could_wait(work, &row, missing)) {
            return true;
        }
    }
    return false;
}

bool cg_rows_could_hold(cg_work *work, const callgauge_report *report, uint32_t missing)
{
    const void *row;
    if ((missing & (CALLGAUGE_TRAIT_ARGUMENTS | CALLGAUGE_TRAIT_RESULTS)) != 0) {
        return true; /* what makes files, descriptors, processes and programs known */
    }
    if (work->rule->subject == CG_OF_WAITING && (missing & CALLGAUGE_TRAIT_WALL_DURATIONS) != 0) {
        return waits_could_hold(work, report, missing);
    }
    for (size_t i = 0; (row = row_at(report, work->rule->subject, i)) != NULL; i++) {
        if (cg_judge_row_lacking(work->all->judge, work->where, row, missing) != CG_NO) {
            return true;
        }
    }
    return false;
}

const cg_shape cg_shape_rows = { NULL, NULL, NULL, judge_rows };

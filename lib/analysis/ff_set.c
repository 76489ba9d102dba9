/* SPDX-License-Identifier: Apache-2.0 */
/* From the capture rows of the files of an -ff set to one row: counts add, facts join, unread lines say their file.
 * Invariant: every text of the row lies in the arena of its report. */
#include <string.h>

#include "analysis/analysis.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

static void add_counts(callgauge_capture *to, const callgauge_capture *from)
{
    to->bytes += from->bytes;
    to->lines += from->lines;
    to->event_lines += from->event_lines;
    to->continuation_lines += from->continuation_lines;
    to->table_lines += from->table_lines;
    to->notice_lines += from->notice_lines;
    to->foreign_lines += from->foreign_lines;
    to->unread_lines += from->unread_lines;
    to->events += from->events;
}

/* What any file of the set shows holds for the set. */
static void join_facts(callgauge_capture *to, const callgauge_capture *from)
{
    to->dialect = to->dialect == NULL ? from->dialect : to->dialect;
    to->has_events |= from->has_events;
    to->has_table |= from->has_table;
    to->traits |= from->traits;
    to->clock = to->clock == CALLGAUGE_CLOCK_NONE ? from->clock : to->clock;
    if (from->first_ns != INT64_MIN && (to->first_ns == INT64_MIN || from->first_ns < to->first_ns)) {
        to->first_ns = from->first_ns;
    }
    to->last_ns = from->last_ns > to->last_ns ? from->last_ns : to->last_ns;
}

static void join_tables(callgauge_capture_row *to, const callgauge_capture_row *from)
{
    if (!from->has_table_totals) {
        return;
    }
    if (!to->has_table_totals) {
        to->has_table_totals = true;
        to->table_totals = from->table_totals;
        return;
    }
    to->table_totals.calls = cg_known_add(to->table_totals.calls, from->table_totals.calls);
    to->table_totals.errors = cg_known_add(to->table_totals.errors, from->table_totals.errors);
    to->table_totals.cpu_ns = cg_known_add(to->table_totals.cpu_ns, from->table_totals.cpu_ns);
    to->table_totals.wall_ns = cg_known_add(to->table_totals.wall_ns, from->table_totals.wall_ns);
}

static void join_checks(callgauge_capture_row *to, const callgauge_capture_row *from)
{
    bool settled = to->table_check != NULL && strcmp(to->table_check, "equal") != 0;
    if (!settled && from->table_check != NULL) {
        to->table_check = from->table_check;
    }
}

/* Unread lines of a set say which file they are of. */
static bool join_unread(callgauge_report *report, callgauge_capture *to, size_t most)
{
    size_t room = 0;
    for (size_t i = 0; i < report->capture_count; i++) {
        room += report->captures[i].capture.unread_count;
    }
    room = room < most ? room : most;
    callgauge_unread *rows = cg_arena_alloc(&report->arena, room * sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < report->capture_count && rows != NULL; i++) {
        const callgauge_capture *from = &report->captures[i].capture;
        for (size_t k = 0; k < from->unread_count && count < room; k++) {
            cg_buf reason;
            cg_buf_init(&reason, SIZE_MAX);
            rows[count] = from->unread[k];
            bool ok = cg_buf_add_z(&reason, from->name) && cg_buf_add_z(&reason, ": ") &&
                      cg_buf_add_z(&reason, from->unread[k].reason) &&
                      (rows[count].reason = cg_arena_copy(&report->arena, reason.data, reason.len)) != NULL;
            cg_buf_release(&reason);
            if (!ok) {
                return false;
            }
            count++;
        }
    }
    to->unread = rows;
    to->unread_count = count;
    return rows != NULL;
}

static void add_assumption(callgauge_assumption *rows, size_t *count, const callgauge_assumption *row)
{
    for (size_t i = 0; i < *count; i++) {
        if (strcmp(rows[i].what, row->what) == 0 && strcmp(rows[i].taken, row->taken) == 0) {
            return;
        }
    }
    rows[(*count)++] = *row;
}

static bool join_assumed(callgauge_report *report, callgauge_capture *to)
{
    static const callgauge_assumption by_name = { "pid of lines without one",
                                                  "the number at the end of the file's name", "-" };
    size_t room = 1;
    for (size_t i = 0; i < report->capture_count; i++) {
        room += report->captures[i].capture.assumed_count;
    }
    callgauge_assumption *rows = cg_arena_alloc(&report->arena, room * sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    to->assumed = rows;
    to->assumed_count = 0;
    for (size_t i = 0; i < report->capture_count; i++) {
        const callgauge_capture *from = &report->captures[i].capture;
        for (size_t k = 0; k < from->assumed_count; k++) {
            add_assumption(rows, &to->assumed_count, &from->assumed[k]);
        }
    }
    add_assumption(rows, &to->assumed_count, &by_name);
    return true;
}

static void add_repair(callgauge_repair *rows, size_t *count, const callgauge_repair *row)
{
    for (size_t i = 0; i < *count; i++) {
        if (strcmp(rows[i].kind, row->kind) == 0) {
            rows[i].count += row->count;
            return;
        }
    }
    rows[(*count)++] = *row;
}

static bool join_repairs(callgauge_report *report, callgauge_capture *to)
{
    size_t room = 0;
    for (size_t i = 0; i < report->capture_count; i++) {
        room += report->captures[i].capture.repair_count;
    }
    callgauge_repair *rows = cg_arena_alloc(&report->arena, room * sizeof *rows);
    to->repairs = rows;
    to->repair_count = 0;
    for (size_t i = 0; i < report->capture_count && rows != NULL; i++) {
        const callgauge_capture *from = &report->captures[i].capture;
        for (size_t k = 0; k < from->repair_count; k++) {
            add_repair(rows, &to->repair_count, &from->repairs[k]);
        }
    }
    return rows != NULL;
}

callgauge_status cg_report_join_captures(callgauge_report *report, callgauge_str name, size_t unread_kept,
                                         callgauge_error *err)
{
    callgauge_capture_row *row = cg_arena_alloc(&report->arena, sizeof *row);
    char *text = cg_arena_copy(&report->arena, name.ptr, name.len);
    if (row == NULL || text == NULL) {
        return cg_fail_nomem(err);
    }
    row->capture.name = text;
    row->capture.first_ns = INT64_MIN;
    row->capture.last_ns = INT64_MIN;
    for (size_t i = 0; i < report->capture_count; i++) {
        add_counts(&row->capture, &report->captures[i].capture);
        join_facts(&row->capture, &report->captures[i].capture);
        row->blank_lines += report->captures[i].blank_lines;
        row->fd_contradictions += report->captures[i].fd_contradictions;
        row->fds_received += report->captures[i].fds_received;
        row->where = report->captures[i].where;
        row->where_undecided += report->captures[i].where_undecided;
        join_tables(row, &report->captures[i]);
        join_checks(row, &report->captures[i]);
    }
    if (!join_unread(report, &row->capture, unread_kept) || !join_assumed(report, &row->capture) ||
        !join_repairs(report, &row->capture)) {
        return cg_fail_nomem(err);
    }
    if (!cg_report_move_places(report, NULL, 0)) {
        return cg_fail_nomem(err);
    }
    report->captures = row;
    report->capture_count = 1;
    if (!row->capture.has_table && row->capture.first_ns != INT64_MIN && row->capture.last_ns > row->capture.first_ns) {
        report->totals.elapsed_ns = row->capture.last_ns - row->capture.first_ns; /* not the sum over its files */
    }
    return CALLGAUGE_OK;
}

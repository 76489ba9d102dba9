/* SPDX-License-Identifier: Apache-2.0 */
/* Capture rows: their deep copy and their total order.
 * Invariant: two rows that compare equal are equal in everything that a writer shows, so that a merge gives
 * the same report in whatever order its parts came. */
#include "report/report.h"

#include <string.h>

#include "base/order.h"
#include "base/str.h"

const char *const cg_trait_names[CG_TRAITS] = {
    "arguments", "results", "strings", "pids", "threads", "timestamps", "wall-durations", "cpu-durations", "fd-paths",
};

static bool copy_text(cg_arena *arena, const char *from, const char **to)
{
    *to = from == NULL ? NULL : cg_arena_copy(arena, from, strlen(from));
    return from == NULL || *to != NULL;
}

static bool copy_unread(cg_arena *arena, const callgauge_capture *from, callgauge_capture *to)
{
    callgauge_unread *rows = cg_arena_alloc(arena, from->unread_count * sizeof *rows);
    for (size_t i = 0; rows != NULL && i < from->unread_count; i++) {
        rows[i].line = from->unread[i].line;
        if (!copy_text(arena, from->unread[i].reason, &rows[i].reason) ||
            !cg_arena_str(arena, from->unread[i].text, &rows[i].text)) {
            return false;
        }
    }
    to->unread = rows;
    return rows != NULL;
}

static bool copy_assumed(cg_arena *arena, const callgauge_capture *from, callgauge_capture *to)
{
    callgauge_assumption *rows = cg_arena_alloc(arena, from->assumed_count * sizeof *rows);
    for (size_t i = 0; rows != NULL && i < from->assumed_count; i++) {
        if (!copy_text(arena, from->assumed[i].what, &rows[i].what) ||
            !copy_text(arena, from->assumed[i].taken, &rows[i].taken) ||
            !copy_text(arena, from->assumed[i].option, &rows[i].option)) {
            return false;
        }
    }
    to->assumed = rows;
    return rows != NULL;
}

static bool copy_repairs(cg_arena *arena, const callgauge_capture *from, callgauge_capture *to)
{
    callgauge_repair *rows = cg_arena_alloc(arena, from->repair_count * sizeof *rows);
    for (size_t i = 0; rows != NULL && i < from->repair_count; i++) {
        rows[i] = from->repairs[i];
        if (!copy_text(arena, from->repairs[i].kind, &rows[i].kind)) {
            return false;
        }
    }
    to->repairs = rows;
    return rows != NULL;
}

bool cg_capture_row_copy(cg_arena *arena, const callgauge_capture_row *from, callgauge_capture_row *to)
{
    *to = *from;
    return copy_text(arena, from->capture.name, &to->capture.name) &&
           copy_text(arena, from->capture.dialect, &to->capture.dialect) &&
           copy_text(arena, from->table_check, &to->table_check) && copy_text(arena, from->where, &to->where) &&
           copy_text(arena, from->complete_why, &to->complete_why) && copy_text(arena, from->traced, &to->traced) &&
           copy_unread(arena, &from->capture, &to->capture) && copy_assumed(arena, &from->capture, &to->capture) &&
           copy_repairs(arena, &from->capture, &to->capture);
}

/* NULL before any text. */
static int cmp_text(const char *a, const char *b)
{
    if (a == NULL || b == NULL) {
        return (a != NULL) - (b != NULL);
    }
    return strcmp(a, b);
}

static int cmp_counts(const callgauge_capture *a, const callgauge_capture *b)
{
    const int answers[] = {
        cg_cmp_u64(a->events, b->events),
        cg_cmp_u64(a->event_lines, b->event_lines),
        cg_cmp_u64(a->continuation_lines, b->continuation_lines),
        cg_cmp_u64(a->table_lines, b->table_lines),
        cg_cmp_u64(a->notice_lines, b->notice_lines),
        cg_cmp_u64(a->foreign_lines, b->foreign_lines),
        cg_cmp_u64(a->unread_lines, b->unread_lines),
        cg_cmp_u64(a->unread_count, b->unread_count),
        cg_cmp_u64(a->assumed_count, b->assumed_count),
        cg_cmp_u64(a->repair_count, b->repair_count),
    };
    return cg_first_of(answers, sizeof answers / sizeof answers[0]);
}

static int cmp_form(const callgauge_capture *a, const callgauge_capture *b)
{
    const int answers[] = {
        cg_cmp_i64(a->first_ns, b->first_ns),   cg_cmp_i64(a->last_ns, b->last_ns),
        cmp_text(a->dialect, b->dialect),       cg_cmp_u64(a->has_events, b->has_events),
        cg_cmp_u64(a->has_table, b->has_table), cg_cmp_u64(a->traits, b->traits),
        cg_cmp_u64(a->clock, b->clock),
    };
    return cg_first_of(answers, sizeof answers / sizeof answers[0]);
}

static int cmp_own_facts(const callgauge_capture_row *a, const callgauge_capture_row *b)
{
    const int answers[] = {
        cg_cmp_u64(a->blank_lines, b->blank_lines),
        cg_cmp_u64(a->has_table_totals, b->has_table_totals),
        cg_cmp_i64(a->table_totals.calls, b->table_totals.calls),
        cg_cmp_i64(a->table_totals.errors, b->table_totals.errors),
        cg_cmp_i64(a->table_totals.cpu_ns, b->table_totals.cpu_ns),
        cg_cmp_i64(a->table_totals.wall_ns, b->table_totals.wall_ns),
        cmp_text(a->table_check, b->table_check),
        cg_cmp_u64(a->fd_contradictions, b->fd_contradictions),
        cg_cmp_u64(a->fds_received, b->fds_received),
        cmp_text(a->where, b->where),
        cg_cmp_u64(a->where_undecided, b->where_undecided),
        cg_cmp_u64(a->complete, b->complete),
        cmp_text(a->complete_why, b->complete_why),
        cmp_text(a->traced, b->traced),
    };
    return cg_first_of(answers, sizeof answers / sizeof answers[0]);
}

/* Of captures with lists of equal lengths. */
static int cmp_lists(const callgauge_capture *a, const callgauge_capture *b)
{
    int c = 0;
    for (size_t i = 0; c == 0 && i < a->unread_count; i++) {
        const int answers[] = { cg_cmp_u64(a->unread[i].line, b->unread[i].line),
                                cmp_text(a->unread[i].reason, b->unread[i].reason),
                                cg_str_cmp(a->unread[i].text, b->unread[i].text) };
        c = cg_first_of(answers, 3);
    }
    for (size_t i = 0; c == 0 && i < a->assumed_count; i++) {
        const int answers[] = { cmp_text(a->assumed[i].what, b->assumed[i].what),
                                cmp_text(a->assumed[i].taken, b->assumed[i].taken),
                                cmp_text(a->assumed[i].option, b->assumed[i].option) };
        c = cg_first_of(answers, 3);
    }
    for (size_t i = 0; c == 0 && i < a->repair_count; i++) {
        const int answers[] = { cmp_text(a->repairs[i].kind, b->repairs[i].kind),
                                cg_cmp_u64(a->repairs[i].count, b->repairs[i].count),
                                cg_cmp_u64(a->repairs[i].line, b->repairs[i].line) };
        c = cg_first_of(answers, 3);
    }
    return c;
}

int cg_capture_row_cmp(const void *a, const void *b)
{
    const callgauge_capture_row *x = a, *y = b;
    const int answers[] = {
        cmp_text(x->capture.name, y->capture.name),
        cg_cmp_u64(x->capture.bytes, y->capture.bytes),
        cg_cmp_u64(x->capture.lines, y->capture.lines),
        cmp_counts(&x->capture, &y->capture),
        cmp_form(&x->capture, &y->capture),
        cmp_own_facts(x, y),
    };
    int c = cg_first_of(answers, sizeof answers / sizeof answers[0]);
    return c != 0 ? c : cmp_lists(&x->capture, &y->capture);
}

const char *callgauge_complete_text(callgauge_complete complete)
{
    return complete == CALLGAUGE_COMPLETE_NO ? "no" : "unknown";
}

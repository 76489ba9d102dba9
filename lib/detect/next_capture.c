/* SPDX-License-Identifier: Apache-2.0 */
/* Rules that could not be judged, and the command whose capture would let them be. */
#include <string.h>

#include "base/str.h"
#include "detect/inside.h"

enum { MOST_COMMAND = 512, SHOWN_CALLS = 6 };

static const callgauge_call_row *row_of(const callgauge_report *report, callgauge_str name)
{
    for (size_t i = 0; i < report->call_count; i++) {
        if (cg_str_eq(report->calls[i].name, name)) {
            return &report->calls[i];
        }
    }
    return NULL;
}

/* Failing calls first, then frequent ones. */
static bool is_before(const callgauge_report *report, callgauge_str a, callgauge_str b)
{
    const callgauge_call_row *x = row_of(report, a);
    const callgauge_call_row *y = row_of(report, b);
    uint64_t x_errors = x == NULL ? 0 : x->errors, y_errors = y == NULL ? 0 : y->errors;
    if (x_errors != y_errors) {
        return x_errors > y_errors;
    }
    return (x == NULL ? 0 : x->calls) > (y == NULL ? 0 : y->calls);
}

static void order_calls(const callgauge_report *report, callgauge_str *names, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        for (size_t k = i; k > 0 && is_before(report, names[k], names[k - 1]); k--) {
            callgauge_str other = names[k];
            names[k] = names[k - 1];
            names[k - 1] = other;
        }
    }
}

/* The calls that matter, with commas between; only failing ones where some fail. */
static bool add_calls(const callgauge_report *report, const callgauge_str *names, size_t count, cg_buf *to)
{
    const callgauge_call_row *first = row_of(report, names[0]);
    bool failing = first != NULL && first->errors > 0;
    for (size_t i = 0; i < count && i < SHOWN_CALLS; i++) {
        const callgauge_call_row *row = row_of(report, names[i]);
        if (failing && (row == NULL || row->errors == 0)) {
            break;
        }
        if (!cg_buf_add_z(to, i == 0 ? "" : ",") || !cg_buf_add_str(to, names[i])) {
            return false;
        }
    }
    return true;
}

static bool add_truss(const cg_work *work, const callgauge_report *report, uint32_t missing, callgauge_str *names,
                      cg_buf *to)
{
    bool is_count = work->rule->info.shape == CALLGAUGE_SHAPE_COUNT;
    bool good = cg_buf_add_z(to, "truss");
    good = good && ((missing & (CALLGAUGE_TRAIT_PIDS | CALLGAUGE_TRAIT_THREADS)) == 0 || cg_buf_add_z(to, " -f"));
    good = good &&
           ((missing & (CALLGAUGE_TRAIT_TIMESTAMPS | CALLGAUGE_TRAIT_WALL_DURATIONS)) == 0 || cg_buf_add_z(to, " -d"));
    good = good && ((missing & CALLGAUGE_TRAIT_CPU_DURATIONS) == 0 || cg_buf_add_z(to, " -E"));
    if (good && is_count && work->candidate_count > 0) {
        good = cg_buf_add_z(to, " -t ") && add_calls(report, names, work->candidate_count, to);
    }
    return good && cg_buf_add_z(to, " -p PID");
}

static bool add_strace(const cg_work *work, const callgauge_report *report, callgauge_str *names, cg_buf *to)
{
    bool is_count = work->rule->info.shape == CALLGAUGE_SHAPE_COUNT;
    bool good = cg_buf_add_z(to, "strace -f -ttt -T -yy");
    if (good && is_count && work->candidate_count > 0) {
        good = cg_buf_add_z(to, " -e trace=") && add_calls(report, names, work->candidate_count, to);
    }
    return good && cg_buf_add_z(to, " -p PID");
}

static bool append(callgauge_report *report, const callgauge_not_judged_row *row)
{
    size_t count = report->not_judged_count;
    if ((count & (count - 1)) == 0) {
        callgauge_not_judged_row *rows = cg_arena_alloc(&report->arena, (count == 0 ? 1 : count * 2) * sizeof *rows);
        if (rows == NULL) {
            return false;
        }
        if (count > 0) {
            memcpy(rows, report->not_judged, count * sizeof *rows);
        }
        report->not_judged = rows;
    }
    report->not_judged[report->not_judged_count++] = *row;
    return true;
}

bool cg_not_judged_add(cg_work *work, callgauge_report *report, uint32_t missing)
{
    const char *dialect = report->captures[0].capture.dialect;
    callgauge_str names[CG_CANDIDATES];
    memcpy(names, work->candidates, sizeof names);
    order_calls(report, names, work->candidate_count);
    callgauge_not_judged_row row = { .missing = missing };
    cg_buf command;
    cg_buf_init(&command, MOST_COMMAND);
    bool is_truss = dialect != NULL && cg_str_starts(cg_str_z(dialect), "truss");
    bool good = is_truss ? add_truss(work, report, missing, names, &command)
                         : add_strace(work, report, names, &command);
    good = good && cg_arena_str(&report->arena, work->rule->info.id, &row.rule) &&
           cg_arena_str(&report->arena, cg_buf_str(&command), &row.next_capture) && append(report, &row);
    cg_buf_release(&command);
    return good;
}

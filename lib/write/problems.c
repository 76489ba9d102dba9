/* SPDX-License-Identifier: Apache-2.0 */
/* Collects what is wrong from the lists of a comparison.
 * Invariant: the order is total. */
#include "write/problems.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

static void add(cg_problems *problems, cg_problem problem)
{
    problem.index = problems->count;
    problems->items[problems->count++] = problem;
}

static void add_limits(cg_problems *problems)
{
    for (size_t i = 0; i < callgauge_comparison_limit_count(problems->comparison); i++) {
        const callgauge_limit_result *limit = callgauge_comparison_limit(problems->comparison, i);
        if (limit->state != CALLGAUGE_LIMIT_KEPT) {
            add(problems, (cg_problem){ .severity = limit->severity, .limit = limit });
        }
    }
}

/* Calls that got worse; where none did by itself, all of them together may have. */
static void add_calls(cg_problems *problems)
{
    size_t before = problems->count;
    for (size_t i = 0; i < callgauge_comparison_call_count(problems->comparison); i++) {
        const callgauge_compare_row *row = callgauge_comparison_call(problems->comparison, i);
        if (row->verdict == CALLGAUGE_VERDICT_REGRESSION) {
            add(problems, (cg_problem){ .severity = CALLGAUGE_SEVERITY_ERROR, .row = row });
        }
    }
    const callgauge_compare_row *totals = callgauge_comparison_totals(problems->comparison);
    if (problems->count == before && totals->verdict == CALLGAUGE_VERDICT_REGRESSION) {
        add(problems, (cg_problem){ .severity = CALLGAUGE_SEVERITY_ERROR, .row = totals });
    }
}

static void add_findings(cg_problems *problems)
{
    for (size_t i = 0; i < callgauge_comparison_finding_count(problems->comparison); i++) {
        const callgauge_finding_change *change = callgauge_comparison_finding(problems->comparison, i);
        if (change->fate == CALLGAUGE_FINDING_NEW || change->verdict == CALLGAUGE_VERDICT_REGRESSION) {
            add(problems, (cg_problem){ .severity = cg_finding_now(change)->severity, .finding = change });
        }
    }
}

static int worst_first(const void *a, const void *b)
{
    const cg_problem *x = a, *y = b;
    if (x->severity != y->severity) {
        return x->severity > y->severity ? -1 : 1;
    }
    return (x->index > y->index) - (x->index < y->index);
}

bool cg_problems_make(const callgauge_comparison *comparison, cg_problems *out)
{
    size_t limits = callgauge_comparison_limit_count(comparison);
    size_t most = limits + callgauge_comparison_call_count(comparison) + 1 +
                  callgauge_comparison_finding_count(comparison);
    *out = (cg_problems){ .comparison = comparison, .items = cg_mem_zeroed(most, sizeof *out->items) };
    if (out->items == NULL) {
        return false;
    }
    add_limits(out);
    if (callgauge_comparison_has_sides(comparison)) {
        if (limits == 0) {
            add_calls(out);
        }
        add_findings(out);
    }
    qsort(out->items, out->count, sizeof *out->items, worst_first);
    return true;
}

void cg_problems_release(cg_problems *problems)
{
    cg_mem_free(problems->items);
}

callgauge_str cg_problem_rule(const cg_problem *problem)
{
    if (problem->limit != NULL) {
        return problem->limit->limit;
    }
    return problem->finding != NULL ? cg_finding_now(problem->finding)->rule : cg_str_z("regression");
}

callgauge_str cg_problem_rule_text(const cg_problem *problem)
{
    if (problem->limit != NULL) {
        return cg_str_z("a limit of the budget");
    }
    return problem->finding != NULL ? cg_finding_now(problem->finding)->title : cg_str_z("calls got worse");
}

static bool has_part(callgauge_str text, callgauge_str part)
{
    for (size_t at = 0; at + part.len <= text.len; at++) {
        if (cg_str_eq(cg_str(text.ptr + at, part.len), part)) {
            return true;
        }
    }
    return false;
}

/* The message, with what it does not say itself: that nothing was judged, what it is about. */
static void write_limit(const callgauge_limit_result *limit, void (*write)(cg_out *, callgauge_str), cg_out *out)
{
    const callgauge_str not_judged = cg_str_z(callgauge_limit_state_text(CALLGAUGE_LIMIT_NOT_JUDGED));
    if (limit->state == CALLGAUGE_LIMIT_NOT_JUDGED && !has_part(limit->message, not_judged)) {
        write(out, not_judged);
        write(out, cg_str_z(": "));
    }
    write(out, limit->message);
    if (!has_part(limit->message, limit->subject)) {
        write(out, cg_str_z(" ("));
        write(out, limit->subject);
        write(out, cg_str_z(")"));
    }
}

void cg_problem_message(const cg_problem *problem, void (*write)(cg_out *, callgauge_str), cg_out *out)
{
    if (problem->limit != NULL) {
        write_limit(problem->limit, write, out);
    } else if (problem->finding != NULL) {
        write(out, cg_finding_now(problem->finding)->message);
    } else {
        write(out, problem->row->name);
        write(out, cg_str_z(problem->row->why.len > 0 ? ": " : ""));
        write(out, problem->row->why);
    }
}

callgauge_str cg_problem_place(const cg_problems *problems, const cg_problem *problem, uint64_t *line)
{
    *line = 0;
    if (problem->limit != NULL) {
        return cg_limit_place(problems->comparison, problem->limit, line);
    }
    if (problem->finding != NULL) {
        return cg_finding_place(problems->comparison, problem->finding, line);
    }
    size_t count;
    const callgauge_report *const *after = callgauge_comparison_after(problems->comparison, &count);
    const callgauge_capture_row *capture = count > 0 ? callgauge_report_capture(after[0], 0) : NULL;
    return capture == NULL ? cg_str(NULL, 0) : cg_str_z(capture->capture.name);
}

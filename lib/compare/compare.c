/* SPDX-License-Identifier: Apache-2.0 */
/* Two sides of reports to a comparison: each step fills its list, then the verdict of all is taken.
 * Invariant: a comparison is given out only when something was compared. */
#include "compare/comparing.h"

#include <math.h>

#include "base/error.h"
#include "base/options.h"

static callgauge_status take_options(cg_comparing *c, const callgauge_compare_options *given, callgauge_error *err)
{
    callgauge_compare_options *o = &c->options;
    callgauge_status status = cg_options_copy(given, "compare", o, sizeof *o, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    if (isnan(o->count_percent) || isnan(o->time_percent) || isnan(o->understood_percent)) {
        return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ .name = NULL }, "a percentage of the options is no number");
    }
    o->time_percent = o->time_percent > 0 ? o->time_percent : 20;
    o->time_floor_ns = o->time_floor_ns > 0 ? o->time_floor_ns : 10000000;
    o->understood_percent = o->understood_percent > 0 ? o->understood_percent : 50;
    c->before.is_declared = o->before_traced != NULL;
    c->after.is_declared = o->after_traced != NULL;
    status = cg_traced_init(o->before_traced, "--before-traced", &c->before.declared, err);
    return status == CALLGAUGE_OK ? cg_traced_init(o->after_traced, "--after-traced", &c->after.declared, err) : status;
}

static callgauge_verdict worst_of(const cg_compare_rows *rows, callgauge_verdict verdict)
{
    for (size_t i = 0; i < rows->count; i++) {
        verdict = rows->items[i].verdict > verdict ? rows->items[i].verdict : verdict;
    }
    return verdict;
}

/* Something that got worse is a regression, whatever else got better; what is neither makes it different. */
static void judge_all(callgauge_comparison *out)
{
    callgauge_verdict verdict = worst_of(&out->calls, out->totals.verdict);
    verdict = worst_of(&out->classes, verdict);
    for (size_t i = 0; i < out->finding_count; i++) {
        verdict = out->findings[i].verdict > verdict ? out->findings[i].verdict : verdict;
    }
    out->verdict = verdict;
}

static callgauge_status compare(cg_comparing *c, cg_reports before, cg_reports after, callgauge_error *err)
{
    callgauge_status status = cg_compare_sides(c, before, after, err);
    status = status == CALLGAUGE_OK ? cg_compare_calls(c, err) : status;
    status = status == CALLGAUGE_OK ? cg_compare_files(c, err) : status;
    status = status == CALLGAUGE_OK ? cg_compare_programs(c, err) : status;
    status = status == CALLGAUGE_OK ? cg_compare_findings(c, err) : status;
    status = status == CALLGAUGE_OK ? cg_compare_rest(c, err) : status;
    if (status != CALLGAUGE_OK) {
        return status;
    }
    cg_rows_sort(&c->out->calls);
    cg_rows_sort(&c->out->classes);
    cg_rows_sort(&c->out->files);
    cg_rows_sort(&c->out->programs);
    cg_left_out_sort(c->out);
    judge_all(c->out);
    return cg_compare_headline(c, err);
}

callgauge_status callgauge_compare(const callgauge_report *const *before, size_t before_count,
                                   const callgauge_report *const *after, size_t after_count,
                                   const callgauge_compare_options *options, callgauge_comparison **out,
                                   callgauge_error *err)
{
    cg_comparing c = { .before.name = "before", .after.name = "after" };
    callgauge_status status = take_options(&c, options, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    if (before_count == 0 || after_count == 0) {
        return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ .name = NULL }, "there is no report %s",
                       before_count == 0 ? "before" : "after");
    }
    c.out = cg_comparison_new();
    if (c.out == NULL) {
        return cg_fail_nomem(err);
    }
    c.out->has_sides = true;
    status = compare(&c, (cg_reports){ before, before_count }, (cg_reports){ after, after_count }, err);
    cg_arena_release(&c.scratch);
    if (status != CALLGAUGE_OK) {
        callgauge_comparison_free(c.out);
        return status;
    }
    *out = c.out;
    return CALLGAUGE_OK;
}

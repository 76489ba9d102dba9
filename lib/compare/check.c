/* SPDX-License-Identifier: Apache-2.0 */
/* Holds a report against a budget: each limit by its kind, then what they come to. */
#include "compare/check.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/options.h"
#include "base/str.h"
#include "compare/expected.h"

bool cg_is_of_budget(callgauge_str rule)
{
    return cg_str_starts(rule, CG_BUDGET_RULE);
}

/* --- results */

callgauge_limit_result cg_check_result(const cg_check *check, const cg_limit *limit)
{
    return (callgauge_limit_result){
        .limit = limit->name,
        .state = CALLGAUGE_LIMIT_KEPT,
        .severity = limit->severity,
        .value = NAN,
        .allowed = NAN,
        .source = check->budget->name,
        .line = limit->place.line,
        .column = limit->place.column,
    };
}

static callgauge_limit_result *new_result(cg_check *check)
{
    callgauge_comparison *out = check->out;
    if (out->limit_count == check->room) {
        size_t room = check->room == 0 ? 16 : check->room * 2;
        callgauge_limit_result *more = cg_arena_alloc(&out->arena, room * sizeof *more);
        if (more == NULL) {
            return NULL;
        }
        if (out->limit_count > 0) {
            memcpy(more, out->limits, out->limit_count * sizeof *more);
        }
        out->limits = more;
        check->room = room;
    }
    return &out->limits[out->limit_count++];
}

bool cg_check_add(cg_check *check, callgauge_limit_result result, bool good, cg_buf *message)
{
    good = good && cg_arena_str(&check->out->arena, cg_buf_str(message), &result.message);
    cg_buf_release(message);
    callgauge_limit_result *to = good ? new_result(check) : NULL;
    if (to != NULL) {
        *to = result;
    }
    return to != NULL;
}

bool cg_check_add_kept(cg_check *check, callgauge_limit_result result, bool good, cg_buf *message, cg_buf *why)
{
    if (good && why->len > 0) {
        result.state = CALLGAUGE_LIMIT_NOT_JUDGED;
        good = cg_buf_add_z(message, "; not judged: ") && cg_buf_add_str(message, cg_buf_str(why));
    }
    cg_buf_release(why);
    return cg_check_add(check, result, good, message);
}

bool cg_check_say_why(const cg_limit *limit, cg_buf *message)
{
    return limit->why.len == 0 || (cg_buf_add_z(message, ": ") && cg_words_text(message, limit->why));
}

/* --- what was not seen */

static bool take_filters(cg_check *check)
{
    const callgauge_report *report = check->report;
    check->traced = cg_arena_alloc(&check->scratch, report->capture_count * sizeof *check->traced);
    for (size_t i = 0; check->traced != NULL && i < report->capture_count; i++) {
        const callgauge_capture_row *row = &report->captures[i];
        check->undecided = cg_count_add(check->undecided, row->where_undecided);
        check->unread = cg_count_add(check->unread, row->capture.unread_lines);
        if (row->traced != NULL &&
            cg_traced_init(row->traced, "traced", &check->traced[check->traced_count], NULL) == CALLGAUGE_OK) {
            check->traced_count++;
        } else if (row->complete == CALLGAUGE_COMPLETE_NO) {
            check->is_proved_filtered = true; /* a set that cannot be read is no set */
        }
    }
    return check->traced != NULL;
}

/* --- what the limits come to */

static int place_cmp(const callgauge_limit_result *a, const callgauge_limit_result *b)
{
    if (a->line != b->line) {
        return a->line < b->line ? -1 : 1;
    }
    if (a->column != b->column) {
        return a->column < b->column ? -1 : 1;
    }
    int order = cg_str_cmp(a->limit, b->limit);
    order = order != 0 ? order : cg_str_cmp(a->subject, b->subject);
    return order != 0 ? order : cg_str_cmp(a->message, b->message);
}

static int result_cmp(const void *left, const void *right)
{
    static const int order[] = {
        [CALLGAUGE_LIMIT_BROKEN] = 0, [CALLGAUGE_LIMIT_NOT_JUDGED] = 1, [CALLGAUGE_LIMIT_KEPT] = 2
    };
    const callgauge_limit_result *a = left;
    const callgauge_limit_result *b = right;
    int by_state = order[a->state] - order[b->state];
    return by_state != 0 ? by_state : place_cmp(a, b);
}

static size_t count_in(const callgauge_comparison *out, callgauge_limit_state state)
{
    size_t count = 0;
    for (size_t i = 0; i < out->limit_count; i++) {
        count += out->limits[i].state == state;
    }
    return count;
}

/* ": a, b and 2 more" of the limits in a state; they are in their order. */
static bool add_names(const callgauge_comparison *out, callgauge_limit_state state, cg_buf *to)
{
    size_t named = 0, count = 0;
    callgauge_str last = { NULL, 0 };
    bool good = true;
    for (size_t i = 0; good && i < out->limit_count; i++) {
        const callgauge_limit_result *limit = &out->limits[i];
        if (limit->state != state || cg_str_eq(limit->limit, last)) {
            continue;
        }
        last = limit->limit;
        if (count++ < CG_MOST_NAMED) {
            good = cg_buf_add_z(to, named++ == 0 ? ": " : ", ") && cg_words_text(to, limit->limit);
        }
    }
    return good && (count <= CG_MOST_NAMED || cg_buf_printf(to, " and %zu more", count - CG_MOST_NAMED));
}

static bool write_headline(const callgauge_comparison *out, cg_buf *to)
{
    size_t broken = count_in(out, CALLGAUGE_LIMIT_BROKEN), unknown = count_in(out, CALLGAUGE_LIMIT_NOT_JUDGED);
    bool good = true;
    if (broken + unknown == 0) {
        good = out->limit_count == 1 ? cg_buf_add_z(to, "the limit is kept")
                                     : cg_buf_printf(to, "all %zu limits are kept", out->limit_count);
    }
    if (broken > 0) {
        good = cg_buf_printf(to, "%zu of %zu limits broken", broken, out->limit_count) &&
               add_names(out, CALLGAUGE_LIMIT_BROKEN, to);
    }
    if (unknown > 0) {
        good = good && cg_buf_add_z(to, broken > 0 ? "; " : "") &&
               cg_buf_printf(to, "%zu of %zu limits not judged", unknown, out->limit_count) &&
               add_names(out, CALLGAUGE_LIMIT_NOT_JUDGED, to);
    }
    bool has_more = out->has_sides && out->headline[0] != '\0';
    return good && (!has_more || (cg_buf_add_z(to, "; against the baseline: ") && cg_buf_add_z(to, out->headline)));
}

/* Puts the limits in their order, and says what they come to. */
static bool conclude(callgauge_comparison *out)
{
    cg_buf text;
    cg_buf_init(&text, SIZE_MAX);
    if (out->limit_count > 1) {
        qsort(out->limits, out->limit_count, sizeof *out->limits, result_cmp);
    }
    if (out->verdict == CALLGAUGE_VERDICT_REGRESSION) {
        out->verdict = CALLGAUGE_VERDICT_DIFFERENT; /* the budget says what is worse */
    }
    for (size_t i = 0; i < out->limit_count; i++) {
        if (out->limits[i].state == CALLGAUGE_LIMIT_BROKEN && out->limits[i].severity > CALLGAUGE_SEVERITY_NOTE) {
            out->verdict = CALLGAUGE_VERDICT_REGRESSION;
        }
    }
    const char *headline = write_headline(out, &text) ? cg_arena_copy(&out->arena, text.data, text.len) : NULL;
    cg_buf_release(&text);
    out->headline = headline == NULL ? out->headline : headline;
    return headline != NULL;
}

/* --- all of them */

static bool check_limit(cg_check *check, const cg_limit *limit)
{
    switch (limit->of) {
    case CG_LIMIT_OF_PREDICATE:
        return limit->per == CG_LIMIT_PER_PROCESS ? cg_check_processes(check, limit) : cg_check_predicate(check, limit);
    case CG_LIMIT_OF_RULE: return cg_check_rule(check, limit);
    case CG_LIMIT_OF_TOTALS: return cg_check_totals(check, limit);
    case CG_LIMIT_OF_ALLOWED_CALLS: return cg_check_allowed_calls(check, limit);
    case CG_LIMIT_OF_FORBIDDEN_CALLS: return cg_check_forbidden_calls(check, limit);
    case CG_LIMIT_OF_ALLOWED_PATHS: return cg_check_allowed_paths(check, limit);
    case CG_LIMIT_OF_FORBIDDEN_PATHS: return cg_check_forbidden_paths(check, limit);
    case CG_LIMIT_OF_FINDINGS: return cg_check_findings(check, limit);
    case CG_LIMIT_OF_REGRESSION: break;
    }
    return cg_check_regression(check, limit);
}

/* What is let pass is said also where kept limits are only counted. */
static bool hint_cut_off(callgauge_comparison *out, callgauge_str name, uint64_t times)
{
    const char **hints = cg_arena_alloc(&out->arena, (out->hint_count + 1) * sizeof *hints);
    cg_buf text;
    cg_buf_init(&text, SIZE_MAX);
    bool good = hints != NULL && cg_buf_add_str(&text, name) &&
                cg_buf_printf(
                    &text, ": the end of the capture cut off %" PRIu64 " of these sequences; as far as %s went, %s",
                    times, times == 1 ? "it" : "they", times == 1 ? "it is as expected" : "they are as expected");
    if (good) {
        for (size_t i = 0; i < out->hint_count; i++) {
            hints[i] = out->hints[i];
        }
        hints[out->hint_count] = cg_arena_copy(&out->arena, text.data, text.len);
        good = hints[out->hint_count] != NULL;
        out->hints = hints;
        out->hint_count += good;
    }
    cg_buf_release(&text);
    return good;
}

static bool check_expectation(cg_check *check, const cg_expectation *expectation)
{
    callgauge_limit_result result;
    uint64_t cut_off = 0;
    if (!cg_check_expected(expectation, check->report, &check->out->arena, &result, &cut_off) ||
        (cut_off > 0 && !hint_cut_off(check->out, expectation->name, cut_off))) {
        return false;
    }
    result.source = check->budget->name;
    callgauge_limit_result *to = new_result(check);
    if (to != NULL) {
        *to = result;
    }
    return to != NULL;
}

static bool check_all(cg_check *check)
{
    const callgauge_budget *budget = check->budget;
    bool good = take_filters(check);
    for (size_t i = 0; good && i < budget->limit_count; i++) {
        good = check_limit(check, &budget->limits[i]);
    }
    for (size_t i = 0; good && i < budget->expectation_count; i++) {
        good = check_expectation(check, &budget->expectations[i]);
    }
    return good && conclude(check->out);
}

/* A comparison of the report with nothing. */
static callgauge_status alone(const callgauge_report *report, const callgauge_compare_options *given,
                              callgauge_comparison **out, callgauge_error *err)
{
    enum { USUAL_UNDERSTOOD = 50 };
    callgauge_compare_options options;
    callgauge_status status = cg_options_copy(given, "compare", &options, sizeof options, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    double least = options.understood_percent > 0 ? options.understood_percent : USUAL_UNDERSTOOD;
    status = cg_check_report(report, least, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    callgauge_comparison *made = cg_comparison_new();
    const callgauge_report **items = made == NULL ? NULL : cg_arena_alloc(&made->arena, sizeof *items);
    if (items == NULL) {
        callgauge_comparison_free(made);
        return cg_fail_nomem(err);
    }
    items[0] = report;
    made->after = (cg_reports){ items, 1 };
    *out = made;
    return CALLGAUGE_OK;
}

callgauge_status callgauge_budget_check(const callgauge_budget *budget, const callgauge_report *report,
                                        const callgauge_report *baseline, const callgauge_compare_options *options,
                                        callgauge_comparison **out, callgauge_error *err)
{
    cg_check check = { .budget = budget, .report = report, .has_baseline = baseline != NULL };
    callgauge_status status = baseline == NULL ? alone(report, options, &check.out, err)
                                               : callgauge_compare(&baseline, 1, &report, 1, options, &check.out, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    bool good = check_all(&check);
    cg_arena_release(&check.scratch);
    if (!good) {
        callgauge_comparison_free(check.out);
        return cg_fail_nomem(err);
    }
    *out = check.out;
    return CALLGAUGE_OK;
}

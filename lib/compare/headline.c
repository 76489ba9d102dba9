/* SPDX-License-Identifier: Apache-2.0 */
/* One sentence for a person: what matters most. Failing opens and what was looked for; else the calls that changed
 * most; else findings; else times. Every number in it is one of the comparison. */
#include "compare/comparing.h"

#include <math.h>

#include "base/error.h"
#include "base/str.h"
#include "base/units.h"
#include "compare/words.h"

/* --- what it is counted for */

static bool has_equal_units(const cg_comparing *c)
{
    for (size_t i = 1; c->per_unit && i < c->count; i++) {
        if (c->samples[i].units != c->samples[0].units) {
            return false;
        }
    }
    return c->per_unit;
}

/* A change of an amount as it is said: of as many units as each side has, where these are as many; else a unit. */
static double said_change(const cg_comparing *c, double change)
{
    return has_equal_units(c) ? change * (double)c->samples[0].units : change;
}

static bool accepts(const callgauge_report *report)
{
    for (size_t i = 0; i < report->call_count; i++) {
        if (report->calls[i].call_class == CALLGAUGE_CLASS_ACCEPT && report->calls[i].calls > 0) {
            return true;
        }
    }
    return false;
}

/* Units of a program that takes connections are requests. */
static bool are_requests(const cg_comparing *c)
{
    callgauge_unit_from from = c->samples[0].report->unit.from;
    bool serves = false;
    for (size_t i = 0; i < c->count; i++) {
        serves = serves || accepts(c->samples[i].report);
    }
    return from == CALLGAUGE_UNIT_REQUEST || (from == CALLGAUGE_UNIT_NUMBER && serves);
}

/* " for 100 requests", " a request", " in all" */
static bool add_scope(const cg_comparing *c, cg_buf *to)
{
    bool requests = are_requests(c);
    if (has_equal_units(c)) {
        return cg_buf_add_z(to, " for ") &&
               cg_words_counted(to, (double)c->samples[0].units, requests ? "request" : "unit");
    }
    return cg_buf_add_z(to, !c->per_unit ? " in all" : requests ? " a request" : " a unit");
}

/* --- failing opens */

/* Failing opens matter most when they are at least a quarter of what the class that changed most changed by. */
static bool leads(const callgauge_comparison *out, double change)
{
    double most = 0;
    for (size_t i = 0; i < out->classes.count; i++) {
        double calls = fabs(cg_amount_change(&out->classes.items[i].amounts[CALLGAUGE_MEASURE_CALLS]));
        most = calls > most ? calls : most;
    }
    return fabs(change) * 4 >= most;
}

/* False in `said`: failing opens are not what matters. */
static bool say_failing_opens(cg_comparing *c, cg_buf *to, bool *said)
{
    const callgauge_compare_row *row = cg_row_of_class(c->out, CALLGAUGE_CLASS_OPEN);
    const callgauge_amount *errors = row == NULL ? NULL : &row->amounts[CALLGAUGE_MEASURE_ERRORS];
    if (errors == NULL || errors->verdict == CALLGAUGE_VERDICT_SAME ||
        (errors->verdict == CALLGAUGE_VERDICT_IMPROVED && c->out->verdict == CALLGAUGE_VERDICT_REGRESSION)) {
        return true;
    }
    double change = cg_amount_change(errors), number = fabs(said_change(c, change));
    if (!leads(c->out, change)) {
        return true;
    }
    *said = true;
    return cg_words_number(to, number) && cg_buf_add_z(to, change > 0 ? " more" : " fewer") &&
           cg_buf_add_z(to, number == 1 ? " failing open" : " failing opens") && add_scope(c, to) &&
           cg_words_lookups(c, to, change);
}

/* --- calls */

/* "read", "stat call": what a class of calls is counted in. */
static bool add_noun(cg_buf *to, const callgauge_compare_row *row, bool one)
{
    static const callgauge_class verbs[] = { CALLGAUGE_CLASS_OPEN,  CALLGAUGE_CLASS_READ,    CALLGAUGE_CLASS_WRITE,
                                             CALLGAUGE_CLASS_SEEK,  CALLGAUGE_CLASS_CONNECT, CALLGAUGE_CLASS_ACCEPT,
                                             CALLGAUGE_CLASS_SLEEP, CALLGAUGE_CLASS_WAIT,    CALLGAUGE_CLASS_EXEC };
    bool verb = false;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        verb = verb || row->call_class == verbs[i];
    }
    return cg_words_text(to, row->name) && cg_buf_add_z(to, verb ? "" : " call") && (one || cg_buf_add_char(to, 's'));
}

/* The measure that a row is told by: the first that went the way the row did. */
static callgauge_measure telling_measure(const callgauge_compare_row *row)
{
    static const callgauge_measure order[] = { CALLGAUGE_MEASURE_CALLS, CALLGAUGE_MEASURE_ERRORS, CALLGAUGE_MEASURE_CPU,
                                               CALLGAUGE_MEASURE_WALL };
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (row->amounts[order[i]].verdict == row->verdict) {
            return order[i];
        }
    }
    return CALLGAUGE_MEASURE_CALLS;
}

/* "7,936 more reads", "100 more failing reads", "16 ms more CPU time in opens" */
static bool add_row(const cg_comparing *c, cg_buf *to, const callgauge_compare_row *row)
{
    callgauge_measure measure = telling_measure(row);
    double change = said_change(c, cg_amount_change(&row->amounts[measure])), size = fabs(change);
    if (cg_is_time(measure)) {
        return cg_words_time(to, size) && cg_buf_add_z(to, change > 0 ? " more " : " less ") &&
               cg_buf_add_z(to, measure == CALLGAUGE_MEASURE_CPU ? "CPU time in " : "time in ") &&
               add_noun(to, row, false);
    }
    return cg_words_number(to, size) && cg_buf_add_z(to, change > 0 ? " more " : " fewer ") &&
           cg_buf_add_z(to, measure == CALLGAUGE_MEASURE_ERRORS ? "failing " : "") && add_noun(to, row, size == 1);
}

/* ": 16,510 calls instead of 638" */
static bool add_totals(const cg_comparing *c, cg_buf *to)
{
    const callgauge_amount *calls = &c->out->totals.amounts[CALLGAUGE_MEASURE_CALLS];
    bool a_unit = c->per_unit && !has_equal_units(c);
    double before = a_unit ? calls->before.per_unit : (double)calls->before.value;
    double after = a_unit ? calls->after.per_unit : (double)calls->after.value;
    if (before == after) {
        return true;
    }
    return cg_buf_add_z(to, ": ") && cg_words_counted(to, after, "call") && cg_buf_add_z(to, " instead of ") &&
           cg_words_number(to, before);
}

/* How many calls a row has gained or lost, if that is judged to be what the comparison is about. */
static double weight_of(const callgauge_comparison *out, const callgauge_compare_row *row)
{
    bool worse = out->verdict == CALLGAUGE_VERDICT_REGRESSION;
    if (worse ? row->verdict != CALLGAUGE_VERDICT_REGRESSION : row->verdict == CALLGAUGE_VERDICT_SAME) {
        return -1;
    }
    return cg_amounts_impact(row->amounts);
}

/* Which of two classes changed more; of equals the first one by name. */
static bool is_larger(const callgauge_comparison *out, const callgauge_compare_row *row,
                      const callgauge_compare_row *than)
{
    double x = weight_of(out, row), y = weight_of(out, than);
    return x > y || (x == y && cg_str_cmp(row->name, than->name) < 0);
}

/* The class that changed most, but for `not`; NULL: none did. */
static const callgauge_compare_row *largest_class(const callgauge_comparison *out, const callgauge_compare_row * not )
{
    const callgauge_compare_row *most = NULL;
    for (size_t i = 0; i < out->classes.count; i++) {
        const callgauge_compare_row *row = &out->classes.items[i];
        bool one_way = row->verdict == CALLGAUGE_VERDICT_REGRESSION || row->verdict == CALLGAUGE_VERDICT_IMPROVED;
        if (row != not &&one_way && weight_of(out, row) >= 0 && (most == NULL || is_larger(out, row, most))) {
            most = row;
        }
    }
    return most;
}

/* Calls of no class have nothing in common: of these the one is named that changed most. */
static const callgauge_compare_row *by_name_if_other(const callgauge_comparison *out, const callgauge_compare_row *row)
{
    const callgauge_compare_row *most = NULL;
    if (row == NULL || row->call_class != CALLGAUGE_CLASS_OTHER) {
        return row;
    }
    for (size_t i = 0; i < out->calls.count; i++) {
        const callgauge_compare_row *call = &out->calls.items[i];
        bool fits = call->call_class == CALLGAUGE_CLASS_OTHER && call->verdict == row->verdict;
        if (fits && (most == NULL || is_larger(out, call, most))) {
            most = call;
        }
    }
    return most != NULL ? most : row;
}

/* The two classes that changed most. */
static bool say_classes(cg_comparing *c, cg_buf *to, bool *said)
{
    const callgauge_compare_row *first = largest_class(c->out, NULL);
    if (first == NULL) {
        return true;
    }
    const callgauge_compare_row *second = by_name_if_other(c->out, largest_class(c->out, first));
    first = by_name_if_other(c->out, first);
    *said = true;
    return add_row(c, to, first) && (second == NULL || (cg_buf_add_z(to, " and ") && add_row(c, to, second))) &&
           (!c->per_unit || add_scope(c, to)) &&
           (telling_measure(first) != CALLGAUGE_MEASURE_CALLS || add_totals(c, to));
}

/* --- findings, and what is only different */

static bool say_findings(cg_comparing *c, cg_buf *to, bool *said)
{
    const callgauge_finding_change *change = c->out->finding_count > 0 ? &c->out->findings[0] : NULL;
    if (change == NULL) {
        return true;
    }
    static const char *const fates[] = { [CALLGAUGE_FINDING_NEW] = "new: ",
                                         [CALLGAUGE_FINDING_GONE] = "gone: ",
                                         [CALLGAUGE_FINDING_CHANGED] = "changed: " };
    const callgauge_finding_row *row = change->after != NULL ? change->after : change->before;
    *said = true;
    return cg_buf_add_z(to, fates[change->fate]) && cg_words_text(to, row->title);
}

static bool say_different(cg_comparing *c, cg_buf *to, bool *said)
{
    const callgauge_compare_row *row = c->out->calls.count > 0 ? &c->out->calls.items[0] : NULL;
    if (row == NULL || row->verdict == CALLGAUGE_VERDICT_SAME) {
        row = &c->out->totals;
    }
    if (row->verdict == CALLGAUGE_VERDICT_SAME) {
        return true;
    }
    *said = true;
    return cg_words_text(to, row->name) && cg_buf_add_z(to, ": ") && cg_buf_add_str(to, row->why);
}

/* --- nothing differs but times */

static double largest_fold(const cg_comparing *c, callgauge_measure *of)
{
    double most = 0;
    for (size_t i = 0; i < c->out->calls.count; i++) {
        const callgauge_amount *amounts = c->out->calls.items[i].amounts;
        callgauge_measure time = cg_shown_time(c, amounts);
        if (time == CALLGAUGE_MEASURE_COUNT) {
            continue;
        }
        *of = time;
        double x = (double)amounts[time].before.value, y = (double)amounts[time].after.value;
        double fold = x < y ? y / x : x / y;
        most = isfinite(fold) && fold > most ? fold : most;
    }
    return most;
}

static bool say_same(cg_comparing *c, cg_buf *to)
{
    callgauge_measure time = CALLGAUGE_MEASURE_WALL;
    double fold = largest_fold(c, &time);
    if (fold > 0) {
        char text[32];
        size_t len = cg_format_fixed(text, (int64_t)(fold * 10 + 0.5), 1, 1);
        return cg_buf_add_z(to, "no difference in counts; ") &&
               cg_buf_add_z(to, time == CALLGAUGE_MEASURE_WALL ? "wall" : "cpu") &&
               cg_buf_add_z(to, " times differ, up to ") && cg_buf_add(to, text, len) &&
               cg_buf_add_z(to, "-fold, which is not judged");
    }
    double calls = (double)c->out->totals.amounts[CALLGAUGE_MEASURE_CALLS].after.value;
    return cg_buf_add_z(to, "no difference in ") && cg_words_counted(to, calls, "call");
}

callgauge_status cg_compare_headline(cg_comparing *c, callgauge_error *err)
{
    cg_buf text;
    bool said = false;
    cg_buf_init(&text, CG_SENTENCE);
    bool ok = say_failing_opens(c, &text, &said);
    ok = ok && (said || say_classes(c, &text, &said));
    ok = ok && (said || say_findings(c, &text, &said));
    ok = ok && (said || say_different(c, &text, &said));
    ok = ok && (said || say_same(c, &text));
    const char *headline = ok ? cg_arena_copy(&c->out->arena, text.data, text.len) : NULL;
    cg_buf_release(&text);
    c->out->headline = headline != NULL ? headline : "";
    return headline != NULL ? CALLGAUGE_OK : cg_fail_nomem(err);
}

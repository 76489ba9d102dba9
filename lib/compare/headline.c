/* SPDX-License-Identifier: Apache-2.0 */
/* One sentence for a person: what matters most. Failing opens and what was looked for; else the calls that changed most;
 * else findings; else times. Every number in it is one of the comparison. */
#include "compare/comparing.h"

#include <math.h>
#include <stdlib.h>

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

/* " for 100 requests", " a request", " in all" */
static bool add_scope(const cg_comparing *c, cg_buf *to)
{
    bool request = c->samples[0].report->unit.from == CALLGAUGE_UNIT_REQUEST;
    if (has_equal_units(c)) {
        return cg_buf_add_z(to, " for ") &&
               cg_words_counted(to, (double)c->samples[0].units, request ? "request" : "unit");
    }
    return cg_buf_add_z(to, !c->per_unit ? " in all" : request ? " a request" : " a unit");
}

/* --- failing opens */

static int lookup_cmp(const void *a, const void *b)
{
    const cg_lookup *x = a, *y = b;
    return cg_str_cmp(x->path, y->path);
}

static callgauge_str last_part(callgauge_str path)
{
    size_t slash = cg_str_find_last(path, "/");
    return slash == path.len ? path : cg_str(path.ptr + slash + 1, path.len - slash - 1);
}

/* Files of one name, wherever they are looked for. */
typedef struct lookup_group {
    callgauge_str name;
    double growth;
    size_t directories, below_files;
} lookup_group;

/* By name: what is looked for; ties by path. */
static int by_name_cmp(const void *a, const void *b)
{
    const cg_lookup *x = a, *y = b;
    int order = cg_str_cmp(last_part(x->path), last_part(y->path));
    return order != 0 ? order : lookup_cmp(a, b);
}

/* The name whose lookups grew most. */
static lookup_group largest_group(cg_lookups *lookups)
{
    lookup_group most = { .growth = 0 }, group = { .growth = 0 };
    if (lookups->count > 1) {
        qsort(lookups->items, lookups->count, sizeof *lookups->items, by_name_cmp);
    }
    for (size_t i = 0; i < lookups->count; i++) {
        const cg_lookup *lookup = &lookups->items[i];
        callgauge_str name = last_part(lookup->path);
        if (i == 0 || !cg_str_eq(name, group.name)) {
            group = (lookup_group){ .name = name };
        }
        group.growth += lookup->growth;
        group.directories += !lookup->is_below_file;
        group.below_files += lookup->is_below_file;
        most = group.growth > most.growth ? group : most;
    }
    return most;
}

/* ": .htaccess looked for in 4 directories and once below the file itself" */
static bool add_lookups(cg_comparing *c, cg_buf *to, double growth)
{
    lookup_group group = largest_group(&c->lookups);
    if (group.name.len == 0) {
        return true;
    }
    bool ok = cg_buf_add_z(to, ": ") && cg_words_text(to, group.name) && cg_buf_add_z(to, " looked for");
    if (ok && group.directories > 0) {
        ok = cg_buf_add_z(to, " in ") && cg_words_number(to, (double)group.directories) &&
             cg_buf_add_z(to, group.directories == 1 ? " directory" : " directories");
    }
    if (ok && group.below_files > 0) {
        ok = cg_buf_add_z(to, group.directories > 0 ? " and " : " ");
        ok = ok &&
             (group.below_files == 1 ? cg_buf_add_z(to, "once below the file itself")
                                     : cg_buf_add_z(to, "below ") && cg_words_number(to, (double)group.below_files) &&
                                           cg_buf_add_z(to, " files"));
    }
    return ok && (group.growth >= growth || cg_buf_add_z(to, ", among others"));
}

static const callgauge_compare_row *class_row(const callgauge_comparison *out, callgauge_class call_class)
{
    for (size_t i = 0; i < out->classes.count; i++) {
        if (out->classes.items[i].call_class == call_class) {
            return &out->classes.items[i];
        }
    }
    return NULL;
}

/* False in `said`: failing opens are not what matters. */
static bool say_failing_opens(cg_comparing *c, cg_buf *to, bool *said)
{
    const callgauge_compare_row *row = class_row(c->out, CALLGAUGE_CLASS_OPEN);
    const callgauge_amount *errors = row == NULL ? NULL : &row->amounts[CALLGAUGE_MEASURE_ERRORS];
    if (errors == NULL || errors->verdict != CALLGAUGE_VERDICT_REGRESSION) {
        return true;
    }
    double growth = cg_amount_change(errors), number = said_change(c, growth);
    *said = true;
    return cg_words_number(to, number) &&
           cg_buf_add_z(to, number == 1 ? " more failing open" : " more failing opens") && add_scope(c, to) &&
           add_lookups(c, to, growth);
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

/* "7,936 more reads", "100 more failing reads", "16 ms more CPU time in opens" */
static bool add_row(const cg_comparing *c, cg_buf *to, const callgauge_compare_row *row)
{
    static const callgauge_measure order[] = { CALLGAUGE_MEASURE_CALLS, CALLGAUGE_MEASURE_ERRORS, CALLGAUGE_MEASURE_CPU,
                                               CALLGAUGE_MEASURE_WALL };
    size_t i = 0;
    while (i < 3 && row->amounts[order[i]].verdict != row->verdict) {
        i++;
    }
    double change = said_change(c, cg_amount_change(&row->amounts[order[i]])), size = fabs(change);
    if (cg_is_time(order[i])) {
        return cg_words_time(to, size) && cg_buf_add_z(to, change > 0 ? " more " : " less ") &&
               cg_buf_add_z(to, order[i] == CALLGAUGE_MEASURE_CPU ? "CPU time in " : "time in ") &&
               add_noun(to, row, false);
    }
    return cg_words_number(to, size) && cg_buf_add_z(to, change > 0 ? " more " : " fewer ") &&
           cg_buf_add_z(to, i == 1 ? "failing " : "") && add_noun(to, row, size == 1);
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
    return cg_buf_add_z(to, ": ") && cg_words_counted(to, after, "call") && (!a_unit || cg_buf_add_z(to, " a unit")) &&
           cg_buf_add_z(to, " instead of ") && cg_words_number(to, before);
}

/* The classes that changed most, at most two; classes are in order of impact. */
static bool say_classes(cg_comparing *c, cg_buf *to, bool *said)
{
    const cg_compare_rows *rows = &c->out->classes;
    callgauge_verdict verdict = rows->count > 0 ? rows->items[0].verdict : CALLGAUGE_VERDICT_SAME;
    if (verdict != CALLGAUGE_VERDICT_REGRESSION && verdict != CALLGAUGE_VERDICT_IMPROVED) {
        return true;
    }
    *said = true;
    bool two = rows->count > 1 && rows->items[1].verdict == verdict;
    return add_row(c, to, &rows->items[0]) &&
           (!two || (cg_buf_add_z(to, " and ") && add_row(c, to, &rows->items[1]))) && add_totals(c, to);
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

static double largest_fold(const cg_comparing *c)
{
    double most = 0;
    for (size_t i = 0; i < c->out->calls.count; i++) {
        const callgauge_amount *wall = &c->out->calls.items[i].amounts[CALLGAUGE_MEASURE_WALL];
        if (wall->judged || !cg_amount_matters(c, CALLGAUGE_MEASURE_WALL, wall)) {
            continue;
        }
        double x = (double)wall->before.value, y = (double)wall->after.value;
        double fold = x < y ? y / x : x / y;
        most = isfinite(fold) && fold > most ? fold : most;
    }
    return most;
}

static bool say_same(cg_comparing *c, cg_buf *to)
{
    double fold = largest_fold(c);
    if (fold > 0) {
        char text[32];
        size_t len = cg_format_fixed(text, (int64_t)(fold * 10 + 0.5), 1, 1);
        return cg_buf_add_z(to, "no difference in counts; wall times differ, up to ") && cg_buf_add(to, text, len) &&
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

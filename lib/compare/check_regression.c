/* SPDX-License-Identifier: Apache-2.0 */
/* Regression limits of a budget: what the comparison with the baseline shows, held against the budget's own percent and
 * floor. Both must be passed. Where both sides have units, a unit is compared with a unit. */
#include "compare/check.h"

#include "base/str.h"
#include "compare/share.h"

/* A measure of both sides. */
typedef struct grown {
    bool known;
    double before, after; /* before: as much as if it had the units of after */
    const char *kind;     /* of time */
    bool scaled;          /* before had another number of units */
} grown;

/* --- what has grown */

static bool known_sides(const callgauge_amount *amount)
{
    return amount->before.value != CALLGAUGE_UNKNOWN && amount->after.value != CALLGAUGE_UNKNOWN;
}

/* Units of both sides; 1 where they are not compared by unit. */
typedef struct unit_pair {
    uint64_t before, after;
} unit_pair;

static void add_amount(const callgauge_amount *amount, unit_pair units, grown *to)
{
    to->known = true;
    to->after += (double)amount->after.value;
    to->scaled = to->scaled || units.before != units.after;
    to->before += cg_share_of((cg_share){ amount->before.value, units.before }, units.after);
}

static grown grown_of(const cg_bound *bound, const callgauge_amount *amounts, unit_pair units)
{
    grown g = { .kind = "" };
    const callgauge_amount *cpu = &amounts[CALLGAUGE_MEASURE_CPU], *wall = &amounts[CALLGAUGE_MEASURE_WALL];
    if (bound->quantity == CALLGAUGE_QUANTITY_TIME) {
        bool by_cpu = known_sides(cpu);
        g.kind = by_cpu ? " of cpu time" : " of wall time";
        if (by_cpu || known_sides(wall)) {
            add_amount(by_cpu ? cpu : wall, units, &g);
        }
        return g;
    }
    const callgauge_measure last = bound->quantity == CALLGAUGE_QUANTITY_BYTES ? CALLGAUGE_MEASURE_BYTES_WRITTEN
                                                                               : bound->measure;
    for (callgauge_measure i = bound->measure; i <= last; i++) {
        if (known_sides(&amounts[i])) {
            add_amount(&amounts[i], units, &g);
        }
    }
    return g;
}

static double most_allowed(const cg_bound *bound, const grown *g)
{
    double by_percent = g->before * (1 + bound->percent / 100), by_floor = g->before + bound->value;
    return by_percent > by_floor ? by_percent : by_floor;
}

/* --- words */

static bool add_number(const cg_bound *bound, double value, cg_buf *to)
{
    switch (bound->quantity) {
    case CALLGAUGE_QUANTITY_TIME: return cg_words_time(to, value);
    case CALLGAUGE_QUANTITY_BYTES: return cg_words_bytes(to, value);
    default: return cg_words_counted(to, value, bound->measure == CALLGAUGE_MEASURE_ERRORS ? "error" : "call");
    }
}

/* "1,200 calls, before 1,000 calls; at most 1,100 calls are allowed" */
static bool add_grown(const cg_bound *bound, const grown *g, cg_buf *to)
{
    double most = most_allowed(bound, g);
    bool one = most == 1 && bound->quantity == CALLGAUGE_QUANTITY_COUNT;
    return add_number(bound, g->after, to) && cg_buf_add_z(to, g->kind) && cg_buf_add_z(to, ", before ") &&
           add_number(bound, g->before, to) && cg_buf_add_z(to, g->scaled ? " for as many units" : "") &&
           cg_buf_add_z(to, "; at most ") && add_number(bound, most, to) &&
           cg_buf_add_z(to, one ? " is allowed" : " are allowed");
}

/* --- units */

static const callgauge_unit *unit_of(cg_reports side)
{
    return &side.items[0]->unit;
}

static uint64_t count_of(cg_reports side)
{
    return unit_of(side)->from == CALLGAUGE_UNIT_NONE ? 0 : unit_of(side)->count;
}

static bool is_per_unit(const cg_check *check)
{
    return check->out->totals.amounts[CALLGAUGE_MEASURE_CALLS].after.per_unit >= 0;
}

static unit_pair units_of(const cg_check *check)
{
    return is_per_unit(check) ? (unit_pair){ count_of(check->out->before), count_of(check->out->after) }
                              : (unit_pair){ 1, 1 };
}

/* Totals of other amounts of work say nothing of each other. */
static bool has_like_units(const cg_check *check)
{
    return is_per_unit(check) || (unit_of(check->out->before)->from == CALLGAUGE_UNIT_NONE &&
                                  unit_of(check->out->after)->from == CALLGAUGE_UNIT_NONE);
}

static bool doubt_units(const cg_check *check, cg_buf *why)
{
    return has_like_units(check) ||
           cg_buf_add_z(why, "units of work are known of one side only, or are of different kinds (--unit)");
}

/* Lines of the report that could not be read may be what it has too many of. */
static bool doubt_lines(const cg_check *check, const cg_bound *bound, const grown *g, cg_buf *why)
{
    bool counts = bound->quantity == CALLGAUGE_QUANTITY_COUNT;
    bool fits = counts && g->after + (double)check->unread <= most_allowed(bound, g);
    return fits || cg_check_doubt_lines(check->unread, why);
}

/* --- results */

static bool add_row(cg_check *check, const cg_limit *limit, const callgauge_compare_row *row, bool is_totals)
{
    const cg_bound *bound = &limit->bounds[0];
    grown g = grown_of(bound, row->amounts, units_of(check));
    bool broken = g.known && g.after > most_allowed(bound, &g);
    if (!is_totals && !broken) {
        return true;
    }
    callgauge_limit_result result = cg_check_result(check, limit);
    bool good = true;
    cg_buf text, why;
    cg_buf_init(&text, SIZE_MAX);
    cg_buf_init(&why, SIZE_MAX);
    result.quantity = bound->quantity;
    if (g.known) {
        result.state = broken ? CALLGAUGE_LIMIT_BROKEN : CALLGAUGE_LIMIT_KEPT;
        result.value = g.after;
        result.allowed = most_allowed(bound, &g);
        result.subject = is_totals ? result.subject : row->name;
        good = (is_totals || (cg_words_text(&text, row->name) && cg_buf_add_z(&text, ": "))) &&
               add_grown(bound, &g, &text) && doubt_units(check, &why) &&
               (broken || doubt_lines(check, bound, &g, &why));
    } else {
        good = cg_buf_add_z(&text, "not compared") && cg_buf_add_z(&why, "both sides must tell it, of the same kind");
    }
    return cg_check_add_kept(check, result, good, &text, &why);
}

static bool without_baseline(cg_check *check, const cg_limit *limit)
{
    callgauge_limit_result result = cg_check_result(check, limit);
    cg_buf text, why;
    cg_buf_init(&text, SIZE_MAX);
    cg_buf_init(&why, SIZE_MAX);
    result.quantity = limit->bounds[0].quantity;
    bool good = cg_buf_add_z(&text, "not compared") &&
                cg_buf_add_z(&why, "there is no baseline to compare with (--baseline)");
    return cg_check_add_kept(check, result, good, &text, &why);
}

bool cg_check_regression(cg_check *check, const cg_limit *limit)
{
    if (!check->has_baseline) {
        return without_baseline(check, limit);
    }
    bool good = add_row(check, limit, &check->out->totals, true);
    for (size_t i = 0; good && has_like_units(check) && i < check->out->calls.count; i++) {
        good = add_row(check, limit, &check->out->calls.items[i], false);
    }
    return good;
}

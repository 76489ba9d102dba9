/* SPDX-License-Identifier: Apache-2.0 */
/* Limits by number: what is counted of all calls, of some, of a condition, of a rule, by process; and whether a bound
 * holds. */
#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "compare/check.h"

/* What a limit is about, counted. */
typedef struct counted {
    uint64_t calls, errors;
    int64_t cpu_ns, wall_ns, bytes;   /* CALLGAUGE_UNKNOWN: not known, of no call */
    bool cpu_is_whole, wall_is_whole; /* of all calls; else of some only, or of none */
    bool bytes_are_whole;
    uint64_t undecided;
    const callgauge_evidence *evidence;
    size_t evidence_count;
    callgauge_str subject;
} counted;

/* The number that a bound is about. */
typedef struct measured {
    bool known, is_whole;
    double value;
    const char *kind; /* of time */
} measured;

/* --- what is known of the whole report */

static bool is_whole(int64_t ns, uint64_t timed, uint64_t calls)
{
    return calls == 0 || (ns != CALLGAUGE_UNKNOWN && (timed == calls || timed == 0));
}

/* Tables do not tell bytes. */
static bool tells_bytes(const callgauge_report *report)
{
    for (size_t i = 0; i < report->capture_count; i++) {
        if (!report->captures[i].capture.has_events) {
            return false;
        }
    }
    return report->capture_count > 0;
}

static counted nothing(const cg_check *check)
{
    const callgauge_totals *totals = &check->report->totals;
    return (counted){ .cpu_ns = CALLGAUGE_UNKNOWN,
                      .wall_ns = CALLGAUGE_UNKNOWN,
                      .bytes = CALLGAUGE_UNKNOWN,
                      .cpu_is_whole = is_whole(totals->cpu_ns, totals->cpu_calls, totals->calls),
                      .wall_is_whole = is_whole(totals->wall_ns, totals->wall_calls, totals->calls),
                      .bytes_are_whole = tells_bytes(check->report),
                      .undecided = check->undecided };
}

/* --- the number of a bound */

static measured measure_time(const counted *c, const cg_bound *bound)
{
    bool by_wall = bound->measure == CALLGAUGE_MEASURE_WALL;
    if (bound->any_time && !c->wall_is_whole) {
        by_wall = !c->cpu_is_whole && c->wall_ns != CALLGAUGE_UNKNOWN;
    }
    int64_t ns = by_wall ? c->wall_ns : c->cpu_ns;
    bool whole = by_wall ? c->wall_is_whole : c->cpu_is_whole;
    return (measured){ .known = ns != CALLGAUGE_UNKNOWN || c->calls == 0,
                       .is_whole = whole || c->calls == 0,
                       .value = ns == CALLGAUGE_UNKNOWN ? 0 : (double)ns,
                       .kind = by_wall ? "wall" : "cpu" };
}

static measured measure(const counted *c, const cg_bound *bound)
{
    measured m = { .known = true, .is_whole = true };
    switch (bound->quantity) {
    case CALLGAUGE_QUANTITY_TIME: return measure_time(c, bound);
    case CALLGAUGE_QUANTITY_BYTES:
        m.known = m.is_whole = c->bytes_are_whole;
        m.value = c->bytes == CALLGAUGE_UNKNOWN ? 0 : (double)c->bytes;
        break;
    case CALLGAUGE_QUANTITY_PERCENT: m.value = c->calls == 0 ? 0 : (double)c->errors * 100 / (double)c->calls; break;
    case CALLGAUGE_QUANTITY_COUNT:
        m.value = (double)(bound->measure == CALLGAUGE_MEASURE_ERRORS ? c->errors : c->calls);
        break;
    }
    return m;
}

/* --- words */

static bool add_quantity(cg_buf *to, const cg_bound *bound, double value)
{
    switch (bound->quantity) {
    case CALLGAUGE_QUANTITY_TIME: return cg_words_time(to, value);
    case CALLGAUGE_QUANTITY_BYTES: return cg_words_bytes(to, value);
    case CALLGAUGE_QUANTITY_PERCENT: return cg_words_number(to, value) && cg_buf_add_char(to, '%');
    case CALLGAUGE_QUANTITY_COUNT: break;
    }
    return cg_words_number(to, value);
}

/* "1,200 calls", "22 ms of wall time", "8.5% of 1,200 calls failed" */
static bool add_measured(cg_buf *to, const cg_bound *bound, const counted *c, const measured *m)
{
    switch (bound->quantity) {
    case CALLGAUGE_QUANTITY_TIME:
        return m->known ? cg_words_time(to, m->value) && cg_buf_printf(to, " of %s time", m->kind)
                        : cg_words_counted(to, (double)c->calls, "call");
    case CALLGAUGE_QUANTITY_BYTES:
        return m->known ? cg_words_bytes(to, m->value) : cg_words_counted(to, (double)c->calls, "call");
    case CALLGAUGE_QUANTITY_PERCENT:
        return add_quantity(to, bound, m->value) && cg_buf_add_z(to, " of ") &&
               cg_words_counted(to, (double)c->calls, "call") && cg_buf_add_z(to, " failed");
    case CALLGAUGE_QUANTITY_COUNT: break;
    }
    return cg_words_counted(to, m->value, bound->measure == CALLGAUGE_MEASURE_ERRORS ? "error" : "call");
}

/* "at most 5 are allowed" */
static bool add_bound(cg_buf *to, const cg_bound *bound)
{
    bool one = bound->quantity == CALLGAUGE_QUANTITY_COUNT && bound->value == 1;
    return cg_buf_add_z(to, bound->is_least ? "at least " : "at most ") && add_quantity(to, bound, bound->value) &&
           cg_buf_add_z(to, one ? " is " : " are ") && cg_buf_add_z(to, bound->is_least ? "expected" : "allowed");
}

/* --- results */

/* Of several bounds of a limit each has a name: "opens.at_most.errors". */
static bool name_bound(cg_check *check, const cg_limit *limit, const cg_bound *bound, callgauge_str *out)
{
    static const char *const measures[CALLGAUGE_MEASURE_COUNT] = { [CALLGAUGE_MEASURE_CALLS] = "calls",
                                                                   [CALLGAUGE_MEASURE_ERRORS] = "errors",
                                                                   [CALLGAUGE_MEASURE_CPU] = "cpu",
                                                                   [CALLGAUGE_MEASURE_WALL] = "wall",
                                                                   [CALLGAUGE_MEASURE_BYTES_READ] = "bytes" };
    if (limit->bound_count == 1) {
        *out = limit->name;
        return true;
    }
    const char *measure_name = bound->any_time                                 ? "time"
                               : bound->quantity == CALLGAUGE_QUANTITY_PERCENT ? "error_share"
                                                                               : measures[bound->measure];
    cg_buf name;
    cg_buf_init(&name, SIZE_MAX);
    bool good = cg_buf_add_str(&name, limit->name) &&
                cg_buf_add_z(&name, bound->is_least ? ".at_least." : ".at_most.") &&
                cg_buf_add_z(&name, measure_name) && cg_arena_str(&check->out->arena, cg_buf_str(&name), out);
    cg_buf_release(&name);
    return good;
}

static callgauge_limit_result result_of(const cg_check *check, const cg_limit *limit, const cg_bound *bound,
                                        callgauge_str name)
{
    callgauge_limit_result result = cg_check_result(check, limit);
    result.limit = name;
    result.quantity = bound->quantity;
    result.allowed = bound->value;
    result.line = bound->place.line;
    result.column = bound->place.column;
    return result;
}

/* Whether what may be missing from the count can make a difference. */
static bool may_differ(const cg_bound *bound, double value, double room, bool broken)
{
    if (bound->quantity != CALLGAUGE_QUANTITY_COUNT) {
        return bound->quantity == CALLGAUGE_QUANTITY_PERCENT || broken == bound->is_least;
    }
    double most = value + room;
    return bound->is_least ? value < bound->value && most >= bound->value
                           : value <= bound->value && most > bound->value;
}

static bool add_reasons(cg_buf *why, const cg_buf *more)
{
    return more->len == 0 || ((why->len == 0 || cg_buf_add_z(why, "; ")) && cg_buf_add_str(why, cg_buf_str(more)));
}

static bool say_unmeasured(const cg_bound *bound, cg_buf *why)
{
    return cg_buf_add_z(why, bound->quantity == CALLGAUGE_QUANTITY_BYTES
                                 ? "a table does not tell bytes"
                                 : "the times of calls are not known of all captures and calls");
}

/* Events that are undecided and lines that could not be read, where they can make a difference. */
static bool doubt_room(const cg_check *check, const cg_bound *bound, double value, double share, uint64_t undecided,
                       bool broken, cg_buf *why)
{
    uint64_t room = cg_count_add(undecided, check->unread);
    return room == 0 || !may_differ(bound, value, (double)room / share, broken) ||
           (cg_check_doubt_events(undecided, why) && cg_check_doubt_lines(check->unread, why));
}

/* Judges one bound. `unseen` says what else may be missing from the count: it is never too large. */
static bool judge_bound(cg_check *check, const cg_limit *limit, const cg_bound *bound, const counted *c,
                        const cg_buf *unseen)
{
    const callgauge_unit *unit = &check->report->unit;
    bool per_unit = limit->per == CG_LIMIT_PER_UNIT && bound->quantity != CALLGAUGE_QUANTITY_PERCENT;
    bool has_units = unit->from != CALLGAUGE_UNIT_NONE && unit->count > 0;
    double share = per_unit && has_units ? (double)unit->count : 1;
    measured m = measure(c, bound);
    double value = m.value / share;
    bool broken = m.known && (!per_unit || has_units) &&
                  (bound->is_least ? value < bound->value : value > bound->value);
    callgauge_str name;
    cg_buf text, why;
    cg_buf_init(&text, SIZE_MAX);
    cg_buf_init(&why, SIZE_MAX);
    bool good = name_bound(check, limit, bound, &name) && add_measured(&text, bound, c, &m);
    if (per_unit && has_units) {
        good = good && cg_buf_add_z(&text, ", ") && add_quantity(&text, bound, value) &&
               cg_buf_add_z(&text, " for each of ") && cg_words_counted(&text, (double)unit->count, "unit");
    }
    good = good && cg_buf_add_z(&text, "; ") && add_bound(&text, bound);
    if (per_unit && !has_units) {
        good = good && cg_buf_add_z(&why, "units of work are not known (--unit)");
    } else if (!m.known || (!m.is_whole && broken == bound->is_least)) {
        good = good && say_unmeasured(bound, &why);
    }
    bool lower = broken == bound->is_least; /* more of it would make a difference */
    if (good && (lower || bound->quantity == CALLGAUGE_QUANTITY_PERCENT)) {
        good = add_reasons(&why, unseen);
    }
    good = good && doubt_room(check, bound, value, share, c->undecided, broken, &why);
    callgauge_limit_result result = result_of(check, limit, bound, good ? name : limit->name);
    result.value = m.known && (!per_unit || has_units) ? value : result.value;
    result.subject = c->subject;
    if (broken) {
        result.state = CALLGAUGE_LIMIT_BROKEN;
        result.evidence = c->evidence;
        result.evidence_count = c->evidence_count;
        good = good && (why.len > 0 || cg_check_say_why(limit, &text));
    }
    return cg_check_add_kept(check, result, good, &text, &why);
}

static bool judge_bounds(cg_check *check, const cg_limit *limit, const counted *c, bool good, cg_buf *unseen)
{
    for (size_t i = 0; good && i < limit->bound_count; i++) {
        good = judge_bound(check, limit, &limit->bounds[i], c, unseen);
    }
    cg_buf_release(unseen);
    return good;
}

/* --- rows of calls */

static void add_row(const callgauge_call_row *row, counted *to)
{
    int64_t bytes = row->bytes_read != CALLGAUGE_UNKNOWN && row->bytes_written != CALLGAUGE_UNKNOWN
                        ? cg_known_max(row->bytes_read, row->bytes_written) /* a copy moves them once */
                        : cg_known_add(row->bytes_read, row->bytes_written);
    to->calls = cg_count_add(to->calls, row->calls);
    to->errors = cg_count_add(to->errors, row->errors);
    to->cpu_ns = cg_known_add(to->cpu_ns, row->cpu_ns);
    to->wall_ns = cg_known_add(to->wall_ns, row->wall_ns);
    to->bytes = cg_known_add(to->bytes, bytes);
    to->cpu_is_whole = to->cpu_is_whole && is_whole(row->cpu_ns, row->cpu_calls, row->calls);
    to->wall_is_whole = to->wall_is_whole && is_whole(row->wall_ns, row->wall_calls, row->calls);
}

static const char *const limits_of_calls[] = { "names", "open_calls", "open_bytes", NULL };
static const char *const limits_of_events[] = { "names", "open_calls", "open_bytes", "processes", NULL };

bool cg_check_totals(cg_check *check, const cg_limit *limit)
{
    counted c = nothing(check);
    cg_buf unseen;
    cg_buf_init(&unseen, SIZE_MAX);
    c.cpu_is_whole = c.wall_is_whole = true;
    for (size_t i = 0; i < check->report->call_count; i++) {
        const callgauge_call_row *row = &check->report->calls[i];
        if (cg_limit_names(limit, row->name, row->call_class)) {
            add_row(row, &c);
        }
    }
    bool good = cg_check_doubt_calls(check, limit, true, &unseen) &&
                cg_check_doubt_limits(check, limits_of_calls, &unseen);
    return judge_bounds(check, limit, &c, good, &unseen);
}

/* --- findings */

static void add_finding(const callgauge_finding_row *row, counted *to)
{
    to->calls = cg_count_add(to->calls, row->calls);
    to->errors = cg_count_add(to->errors, row->errors);
    to->cpu_ns = cg_known_add(to->cpu_ns, row->cpu_ns);
    to->wall_ns = cg_known_add(to->wall_ns, row->wall_ns);
    to->bytes = cg_known_add(to->bytes, row->bytes);
    if (to->evidence_count == 0) {
        to->evidence = row->evidence;
        to->evidence_count = row->evidence_count;
    }
}

/* A condition of the budget that is judged has one finding without keys, which tells all. */
static void count_whole(const cg_check *check, callgauge_str rule, counted *to)
{
    for (size_t i = 0; i < check->report->finding_count; i++) {
        const callgauge_finding_row *row = &check->report->findings[i];
        if (cg_str_eq(row->rule, rule) && row->key_count == 0) {
            add_finding(row, to);
            to->undecided = cg_count_add(to->undecided, row->undecided);
        }
    }
}

static bool doubt_condition(const cg_check *check, const cg_limit *limit, cg_buf *unseen)
{
    return cg_check_doubt_rule(check, limit->rule, true, unseen) && cg_check_doubt_calls(check, limit, true, unseen) &&
           cg_check_doubt_limits(check, limits_of_events, unseen);
}

bool cg_check_predicate(cg_check *check, const cg_limit *limit)
{
    counted c = nothing(check);
    cg_buf unseen;
    cg_buf_init(&unseen, SIZE_MAX);
    count_whole(check, limit->rule, &c);
    return judge_bounds(check, limit, &c, doubt_condition(check, limit, &unseen), &unseen);
}

bool cg_check_rule(cg_check *check, const cg_limit *limit)
{
    static const char *const limits[] = { "findings",    "groups",    "attempts", "distinct", "texts",
                                          "match",       "names",     "paths",    "files",    "waiting",
                                          "descriptors", "processes", NULL };
    counted c = nothing(check);
    uint64_t undecided = 0;
    cg_buf unseen;
    cg_buf_init(&unseen, SIZE_MAX);
    for (size_t i = 0; i < check->report->finding_count; i++) {
        const callgauge_finding_row *row = &check->report->findings[i];
        if (cg_str_eq(row->rule, limit->rule)) {
            add_finding(row, &c);
            undecided = row->undecided > undecided ? row->undecided : undecided; /* each group says it */
        }
    }
    c.undecided = cg_count_add(c.undecided, undecided);
    bool good = cg_check_doubt_rule(check, limit->rule, false, &unseen) && cg_check_doubt_filter(check, &unseen) &&
                cg_check_doubt_limits(check, limits, &unseen);
    return judge_bounds(check, limit, &c, good, &unseen);
}

/* --- processes */

/* "process 4711" of the keys of a finding. */
static bool name_process(cg_check *check, const callgauge_finding_row *row, callgauge_str *out)
{
    cg_buf text;
    cg_buf_init(&text, SIZE_MAX);
    bool good = true;
    for (size_t i = 0; good && i < row->key_count; i++) {
        const callgauge_key *key = &row->keys[i];
        if (cg_str_is(key->name, "pid")) {
            bool known = !cg_str_is(key->value, "unknown") && !cg_str_is(key->value, "none");
            good = cg_buf_add_z(&text, known ? "process " : "the process") &&
                   (!known || cg_buf_add_str(&text, key->value));
        } else if (!cg_str_is(key->value, "1")) {
            good = cg_buf_add_z(&text, ", life ") && cg_buf_add_str(&text, key->value);
        }
    }
    good = good && cg_arena_str(&check->out->arena, cg_buf_str(&text), out);
    cg_buf_release(&text);
    return good;
}

/* Adds a result if the process breaks the bound. */
static bool judge_process(cg_check *check, const cg_limit *limit, const cg_bound *bound,
                          const callgauge_finding_row *row, size_t *broken)
{
    counted c = nothing(check);
    callgauge_limit_result result;
    callgauge_str name;
    cg_buf text;
    add_finding(row, &c);
    measured m = measure(&c, bound);
    if (!m.known || m.value <= bound->value) {
        return true;
    }
    ++*broken;
    cg_buf_init(&text, SIZE_MAX);
    bool good = name_bound(check, limit, bound, &name) && name_process(check, row, &c.subject);
    result = result_of(check, limit, bound, good ? name : limit->name);
    result.state = CALLGAUGE_LIMIT_BROKEN;
    result.value = m.value;
    result.subject = c.subject;
    result.evidence = c.evidence;
    result.evidence_count = c.evidence_count;
    good = good && cg_buf_add_str(&text, c.subject) && cg_buf_add_z(&text, ": ") &&
           add_measured(&text, bound, &c, &m) && cg_buf_add_z(&text, "; ") && add_bound(&text, bound) &&
           cg_check_say_why(limit, &text);
    return cg_check_add(check, result, good, &text);
}

/* No process breaks the bound, as far as is known. */
static bool judge_others(cg_check *check, const cg_limit *limit, const cg_bound *bound, const counted *all,
                         const cg_buf *unseen)
{
    callgauge_str name;
    cg_buf text, why;
    cg_buf_init(&text, SIZE_MAX);
    cg_buf_init(&why, SIZE_MAX);
    measured m = measure(all, bound);
    bool good = name_bound(check, limit, bound, &name) && cg_buf_add_z(&text, "no process passes it: ") &&
                add_bound(&text, bound) && add_reasons(&why, unseen);
    if (good && (!m.known || !m.is_whole)) {
        good = say_unmeasured(bound, &why);
    }
    good = good && doubt_room(check, bound, m.value, 1, all->undecided, false, &why);
    return cg_check_add_kept(check, result_of(check, limit, bound, good ? name : limit->name), good, &text, &why);
}

bool cg_check_processes(cg_check *check, const cg_limit *limit)
{
    const callgauge_report *report = check->report;
    counted all = nothing(check);
    cg_buf unseen;
    cg_buf_init(&unseen, SIZE_MAX);
    count_whole(check, limit->rule, &all);
    bool good = doubt_condition(check, limit, &unseen);
    for (size_t i = 0; good && i < limit->bound_count; i++) {
        size_t broken = 0;
        for (size_t k = 0; good && k < report->finding_count; k++) {
            const callgauge_finding_row *row = &report->findings[k];
            if (cg_str_eq(row->rule, limit->rule) && row->key_count > 0) {
                good = judge_process(check, limit, &limit->bounds[i], row, &broken);
            }
        }
        good = good && (broken > 0 || judge_others(check, limit, &limit->bounds[i], &all, &unseen));
    }
    cg_buf_release(&unseen);
    return good;
}

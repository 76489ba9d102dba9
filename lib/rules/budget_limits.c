/* SPDX-License-Identifier: Apache-2.0 */
/* The `limits` of a budget: what is counted, per what, and the numbers that must not be passed. */
#include "base/str.h"
#include "rules/budget_schema.h"

enum { MOST_BOUNDS = 14 };

/* A limit while it is read. */
typedef struct reading {
    cg_limit limit;
    cg_bound bounds[MOST_BOUNDS];
    bool is_least; /* the bounds at hand */
    const cg_yaml_node *where, *rule, *calls;
} reading;

/* --- bounds */

static const struct measure {
    const char *name;
    callgauge_measure measure;
    callgauge_quantity quantity;
    bool any_time;
} measures[] = {
    { "calls", CALLGAUGE_MEASURE_CALLS, CALLGAUGE_QUANTITY_COUNT, false },
    { "errors", CALLGAUGE_MEASURE_ERRORS, CALLGAUGE_QUANTITY_COUNT, false },
    { "error_share", CALLGAUGE_MEASURE_ERRORS, CALLGAUGE_QUANTITY_PERCENT, false },
    { "time", CALLGAUGE_MEASURE_WALL, CALLGAUGE_QUANTITY_TIME, true },
    { "cpu", CALLGAUGE_MEASURE_CPU, CALLGAUGE_QUANTITY_TIME, false },
    { "wall", CALLGAUGE_MEASURE_WALL, CALLGAUGE_QUANTITY_TIME, false },
    { "bytes", CALLGAUGE_MEASURE_BYTES_READ, CALLGAUGE_QUANTITY_BYTES, false },
};
enum { MEASURES = sizeof measures / sizeof *measures };

static bool read_number(cg_budget_schema *schema, const cg_yaml_node *node, callgauge_quantity quantity, double *out)
{
    if (quantity == CALLGAUGE_QUANTITY_PERCENT) {
        bool good = cg_schema_share(&schema->values, node, out);
        *out *= 100;
        return good;
    }
    cg_type type = quantity == CALLGAUGE_QUANTITY_TIME    ? CG_TYPE_TIME
                   : quantity == CALLGAUGE_QUANTITY_BYTES ? CG_TYPE_BYTES
                                                          : CG_TYPE_NUMBER;
    return cg_schema_number(&schema->values, node, type, out);
}

static void read_bound(cg_budget_schema *schema, const cg_yaml_node *node, reading *r)
{
    const char *names[MEASURES];
    size_t i = 0;
    for (size_t k = 0; k < MEASURES; k++) {
        names[k] = measures[k].name;
    }
    while (i < MEASURES && !cg_str_is(node->key, names[i])) {
        i++;
    }
    if (i == MEASURES) {
        cg_schema_unknown(&schema->values, node->key_place, r->is_least ? "key of 'at_least'" : "key of 'at_most'",
                          node->key, names, MEASURES);
        return;
    }
    cg_bound *bound = &r->bounds[r->limit.bound_count];
    *bound = (cg_bound){ .measure = measures[i].measure,
                         .quantity = measures[i].quantity,
                         .any_time = measures[i].any_time,
                         .is_least = r->is_least,
                         .place = node->place };
    r->limit.bound_count += read_number(schema, node, bound->quantity, &bound->value);
}

static void read_bounds(cg_budget_schema *schema, const cg_yaml_node *node, reading *r)
{
    if (!cg_schema_map(&schema->values, node)) {
        return;
    }
    if (node->count == 0) {
        cg_budget_fault(schema, node, "it names no value");
    }
    for (const cg_yaml_node *key = node->first; key != NULL; key = key->next) {
        read_bound(schema, key, r);
    }
}

static void read_at_most(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    reading *r = into;
    r->is_least = false;
    read_bounds(schema, node, r);
}

static void read_at_least(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    reading *r = into;
    r->is_least = true;
    if (r->limit.per == CG_LIMIT_PER_PROCESS) {
        cg_budget_fault(schema, node, "it cannot be held per process: a process without such calls is not seen");
    }
    read_bounds(schema, node, r);
}

/* --- what is counted */

static void read_name(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    cg_budget_name(schema, node, &((reading *)into)->limit.name);
}

/* False: another key says already what is counted. */
static bool is_only(cg_budget_schema *schema, const cg_yaml_node *node, const reading *r)
{
    if (r->where == NULL && r->rule == NULL && r->calls == NULL) {
        return true;
    }
    cg_fault_add(schema->values.faults, CALLGAUGE_E_FORMAT, node->key_place,
                 "'where', 'rule' and 'calls' exclude each other");
    return false;
}

static void read_where(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    reading *r = into;
    if (is_only(schema, node, r)) {
        r->where = node;
    }
}

static bool is_id(callgauge_str id)
{
    for (size_t i = 0; i < id.len; i++) {
        if (!cg_is_lower(id.ptr[i]) && !cg_is_digit(id.ptr[i]) && id.ptr[i] != '-') {
            return false;
        }
    }
    return id.len > 0;
}

static void read_rule(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    reading *r = into;
    callgauge_str id;
    if (!is_only(schema, node, r) || !cg_schema_text(&schema->values, node, &id)) {
        return;
    }
    if (!is_id(id)) {
        cg_budget_fault(schema, node, "the id of a rule is expected: small letters, digits and -");
        return;
    }
    r->rule = node;
    r->limit.rule = id;
}

static void read_calls(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    reading *r = into;
    if (is_only(schema, node, r)) {
        r->calls = node;
    }
}

static void read_per(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    static const char *const words[] = { "report", "unit", "process" };
    int which = cg_budget_word(schema, node, "per", words, 3);
    reading *r = into;
    if (which >= 0) {
        r->limit.per = (cg_limit_per)which;
    }
    if (r->limit.per == CG_LIMIT_PER_PROCESS && r->rule != NULL) {
        cg_budget_fault(schema, node, "what a rule found is not told apart by process");
        r->limit.per = CG_LIMIT_PER_REPORT;
    }
}

static void read_severity(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    cg_budget_severity(schema, node, &((reading *)into)->limit.severity);
}

static void read_why(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    callgauge_str text;
    if (cg_schema_text(&schema->values, node, &text)) {
        while (text.len > 0 && (text.ptr[text.len - 1] == '\n' || cg_is_blank(text.ptr[text.len - 1]))) {
            text.len--;
        }
        if (text.len == 0) {
            cg_budget_fault(schema, node, "it is empty");
        }
        ((reading *)into)->limit.why = text;
    }
}

/* --- per process */

/* The floors of a rule that finds what passes a bound, so that however many processes keep it, those that do not are
 * found. */
static void set_floors(cg_budget_schema *schema, const reading *r, cg_rule *rule)
{
    static const double JUST_ABOVE = 1 + 1e-12, MOST = 9e18;
    cg_floor floors[MOST_BOUNDS];
    for (size_t i = 0; i < r->limit.bound_count; i++) {
        const cg_bound *bound = &r->bounds[i];
        cg_floor *floor = &floors[i];
        uint64_t above = bound->value < MOST ? (uint64_t)bound->value + 1 : INT64_MAX;
        *floor = (cg_floor){ .calls = above, .errors = above, .time_ns = (int64_t)above, .bytes = (int64_t)above };
        if (bound->quantity == CALLGAUGE_QUANTITY_PERCENT) {
            floor->error_share = bound->value / 100 * JUST_ABOVE;
            floor->errors = 1;
            floor->has = CG_FLOOR_ERROR_SHARE | CG_FLOOR_ERRORS;
        } else if (bound->quantity == CALLGAUGE_QUANTITY_TIME) {
            floor->has = CG_FLOOR_TIME;
        } else if (bound->quantity == CALLGAUGE_QUANTITY_BYTES) {
            floor->has = CG_FLOOR_BYTES;
        } else {
            floor->has = bound->measure == CALLGAUGE_MEASURE_CALLS ? CG_FLOOR_CALLS : CG_FLOOR_ERRORS;
        }
    }
    rule->floors = cg_schema_keep(&schema->values, floors, r->limit.bound_count * sizeof *floors);
    rule->floor_count = rule->floors == NULL ? 0 : r->limit.bound_count;
}

/* --- the whole limit */

/* Makes the rule that counts for the limit, where rows of the report cannot. */
static void settle_source(cg_budget_schema *schema, reading *r)
{
    cg_limit *limit = &r->limit;
    const char *by = limit->per == CG_LIMIT_PER_PROCESS ? "pid,life" : NULL;
    cg_rule *rule = NULL;
    limit->of = r->rule != NULL ? CG_LIMIT_OF_RULE : CG_LIMIT_OF_TOTALS;
    if (r->rule != NULL) {
        return;
    }
    if (r->where != NULL) {
        limit->of = CG_LIMIT_OF_PREDICATE;
        rule = cg_budget_rule(schema, limit->name, r->where, by);
        limit->text = rule == NULL ? limit->text : cg_str_trim(r->where->text);
        if (rule != NULL &&
            !cg_predicate_calls(rule->where, &schema->budget->arena, &limit->calls, &limit->call_count)) {
            cg_fault_nomem(schema->values.faults);
        }
    } else if (cg_budget_calls(schema, r->calls, limit) && by != NULL) {
        limit->of = CG_LIMIT_OF_PREDICATE;
        rule = cg_budget_rule_of_calls(schema, limit->name, limit, true, by);
    }
    if (rule != NULL) {
        limit->rule = rule->info.id;
        rule->tells_whole = true;
        if (by != NULL) {
            set_floors(schema, r, rule);
        }
    }
}

static void read_limit(cg_budget_schema *schema, const cg_yaml_node *node)
{
    static const cg_budget_key keys[] = {
        { "name", read_name },         { "where", read_where },       { "rule", read_rule },
        { "calls", read_calls },       { "per", read_per },           { "at_most", read_at_most },
        { "at_least", read_at_least }, { "severity", read_severity }, { "why", read_why },
    };
    reading r = { .limit = { .severity = CALLGAUGE_SEVERITY_ERROR, .place = node->place } };
    if (!cg_schema_map(&schema->values, node)) {
        return;
    }
    cg_budget_members(schema, node, "key of a limit", keys, sizeof keys / sizeof *keys, &r);
    if (cg_yaml_member(node, "name") == NULL) {
        cg_fault_add(schema->values.faults, CALLGAUGE_E_FORMAT, node->place, "the limit has no 'name'");
    }
    if (cg_yaml_member(node, "at_most") == NULL && cg_yaml_member(node, "at_least") == NULL) {
        cg_fault_add(schema->values.faults, CALLGAUGE_E_FORMAT, node->place, "the limit needs 'at_most' or 'at_least'");
    }
    settle_source(schema, &r);
    r.limit.bounds = cg_schema_keep(&schema->values, r.bounds, r.limit.bound_count * sizeof *r.bounds);
    if (r.limit.bounds != NULL) {
        cg_budget_add_limit(schema, &r.limit);
    }
}

void cg_budget_read_limits(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    (void)into;
    if (node->kind != CG_YAML_LIST || node->count == 0) {
        cg_budget_fault(schema, node, "a list of limits is expected");
        return;
    }
    for (const cg_yaml_node *item = node->first; item != NULL; item = item->next) {
        read_limit(schema, item);
    }
}

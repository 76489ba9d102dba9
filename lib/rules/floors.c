/* SPDX-License-Identifier: Apache-2.0 */
/* From at_least to floors: a line of values that must all be reached, or a list of such lines, any of which is
 * enough. */
#include "base/str.h"
#include "rules/schema.h"

/* Index of an expression among the rule's distinct ones; -1: a fault. */
static int64_t distinct_of(cg_schema *schema, const cg_yaml_node *node)
{
    const cg_yaml_node named = { .kind = CG_YAML_TEXT,
                                 .place = node->key_place,
                                 .text = node->key,
                                 .source = node->key,
                                 .source_place = node->key_place };
    for (size_t i = 0; i < schema->distinct_count; i++) {
        if (cg_str_eq(schema->distinct[i].text, cg_str_trim(node->key))) {
            return (int64_t)i;
        }
    }
    if (schema->distinct_count == CG_RULE_DISTINCT) {
        cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, node->key_place, "at most 4 distinct values can be counted");
        return -1;
    }
    cg_expression *made = &schema->distinct[schema->distinct_count];
    if (!cg_schema_expression(schema, &named, CG_OF_EVENTS, NULL, made)) {
        return -1;
    }
    return (int64_t)schema->distinct_count++;
}

static void read_distinct(cg_schema *schema, const cg_yaml_node *node, cg_floor *out)
{
    cg_distinct found[CG_RULE_DISTINCT];
    size_t count = 0;
    if (!cg_schema_map(schema, node)) {
        return;
    }
    for (const cg_yaml_node *key = node->first; key != NULL && count < CG_RULE_DISTINCT; key = key->next) {
        int64_t of = distinct_of(schema, key);
        if (of >= 0 && cg_schema_count(schema, key, 1, &found[count].count)) {
            found[count++].of = (uint32_t)of;
        }
    }
    out->distinct = cg_schema_keep(schema, found, count * sizeof *found);
    out->distinct_count = out->distinct == NULL ? 0 : count;
}

/* "1000/s", or a plain number. */
static bool read_rate(cg_schema *schema, const cg_yaml_node *node, double *out)
{
    cg_yaml_node plain = *node;
    if (node->kind == CG_YAML_TEXT && cg_str_ends(node->text, "/s")) {
        plain.text.len -= 2;
    }
    return cg_schema_number(schema, &plain, CG_TYPE_NUMBER, out);
}

static bool is_share(const cg_yaml_node *node)
{
    return node->kind == CG_YAML_TEXT && cg_str_ends(node->text, "%");
}

static uint32_t read_floor(cg_schema *schema, const cg_yaml_node *node, cg_floor *out)
{
    static const char *const known[] = { "calls", "errors", "time", "bytes", "share", "per_unit", "rate", "distinct" };
    double number = 0;
    if (cg_str_is(node->key, "calls")) {
        return cg_schema_count(schema, node, 1, &out->calls) ? CG_FLOOR_CALLS : 0;
    }
    if (cg_str_is(node->key, "errors")) {
        if (is_share(node)) {
            return cg_schema_share(schema, node, &out->error_share) ? CG_FLOOR_ERROR_SHARE : 0;
        }
        return cg_schema_count(schema, node, 1, &out->errors) ? CG_FLOOR_ERRORS : 0;
    }
    if (cg_str_is(node->key, "time")) {
        bool good = cg_schema_number(schema, node, CG_TYPE_TIME, &number);
        out->time_ns = (int64_t)number;
        return good ? CG_FLOOR_TIME : 0;
    }
    if (cg_str_is(node->key, "bytes")) {
        bool good = cg_schema_number(schema, node, CG_TYPE_BYTES, &number);
        out->bytes = (int64_t)number;
        return good ? CG_FLOOR_BYTES : 0;
    }
    if (cg_str_is(node->key, "share")) {
        return cg_schema_share(schema, node, &out->share) ? CG_FLOOR_SHARE : 0;
    }
    if (cg_str_is(node->key, "per_unit")) {
        return cg_schema_number(schema, node, CG_TYPE_NUMBER, &out->per_unit) ? CG_FLOOR_PER_UNIT : 0;
    }
    if (cg_str_is(node->key, "rate")) {
        return read_rate(schema, node, &out->rate) ? CG_FLOOR_RATE : 0;
    }
    if (cg_str_is(node->key, "distinct")) {
        read_distinct(schema, node, out);
        return 0;
    }
    cg_schema_unknown(schema, node->key_place, "key of 'at_least'", node->key, known, sizeof known / sizeof *known);
    return 0;
}

static uint32_t traits_of(const cg_schema *schema, const cg_floor *floor)
{
    uint32_t traits = (floor->has & CG_FLOOR_RATE) != 0 ? CALLGAUGE_TRAIT_TIMESTAMPS : 0;
    for (size_t i = 0; i < floor->distinct_count; i++) {
        traits |= cg_predicate_about(schema->distinct[floor->distinct[i].of].compiled)->traits;
    }
    return traits;
}

static void read_line(cg_schema *schema, const cg_yaml_node *node, bool is_first, cg_floor *out)
{
    *out = (cg_floor){ 0 };
    if (!cg_schema_map(schema, node)) {
        return;
    }
    if (node->count == 0) {
        cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, node->place, "'at_least' names no value");
    }
    for (const cg_yaml_node *key = node->first; key != NULL; key = key->next) {
        if (schema->rule->info.shape == CALLGAUGE_SHAPE_ROWS &&
            (cg_str_is(key->key, "rate") || cg_str_is(key->key, "distinct"))) {
            cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, key->key_place,
                         "the shape rows has no such floor: its 'where' says it");
            continue;
        }
        out->has |= read_floor(schema, key, out);
    }
    bool timed = (out->has & CG_FLOOR_TIME) != 0 && schema->rule->info.shape != CALLGAUGE_SHAPE_ROWS;
    schema->floor_traits = is_first ? traits_of(schema, out) : schema->floor_traits & traits_of(schema, out);
    schema->floor_time = timed && (is_first || schema->floor_time);
}

void cg_schema_floors(cg_schema *schema, const cg_yaml_node *node)
{
    cg_floor floors[CG_RULE_FLOORS];
    size_t count = 0;
    const cg_yaml_node *line = node->kind == CG_YAML_LIST ? node->first : node;
    if (node->kind == CG_YAML_LIST && (node->count == 0 || node->count > CG_RULE_FLOORS)) {
        cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, node->place, "'at_least' has 1 to 8 lines");
        return;
    }
    for (; line != NULL; line = node->kind == CG_YAML_LIST ? line->next : NULL) {
        read_line(schema, line, count == 0, &floors[count]);
        count++;
    }
    schema->rule->floors = cg_schema_keep(schema, floors, count * sizeof *floors);
    schema->rule->floor_count = schema->rule->floors == NULL ? 0 : count;
}

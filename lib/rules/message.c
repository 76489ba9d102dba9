/* SPDX-License-Identifier: Apache-2.0 */
/* From the `message` of a rule to its form, whose values are all known: numbers of the finding, values of `by` and
 * `each`, or what has to be worked out for it. */
#include "base/str.h"
#include "base/template.h"
#include "rules/schema.h"

static bool is_number_of_finding(callgauge_str name)
{
    static const char *const numbers[] = { "calls", "errors", "error_share", "share",  "per_unit",  "bytes",    "time",
                                           "rate",  "times",  "saved",       "groups", "undecided", "mean_time" };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (cg_str_is(name, numbers[i])) {
            return true;
        }
    }
    return false;
}

static bool is_among(const cg_expression *items, size_t count, callgauge_str text)
{
    for (size_t i = 0; i < count; i++) {
        if (cg_str_eq(items[i].text, text)) {
            return true;
        }
    }
    return false;
}

/* The place of byte `at` of a node's text; near where the text has escapes. */
static cg_place place_in(const cg_yaml_node *node, size_t at)
{
    cg_place place = node->source_place;
    for (size_t i = 0; i < at && i < node->text.len; i++) {
        bool ends_line = node->text.ptr[i] == '\n';
        place.line += ends_line;
        place.column = ends_line ? 1 + node->indent : place.column + 1;
        place.offset += 1 + (ends_line ? node->indent : 0);
    }
    return place;
}

static void take_value(cg_schema *schema, const cg_yaml_node *node, const cg_template_part *part)
{
    const cg_rule *rule = schema->rule;
    bool is_rows = rule->info.shape == CALLGAUGE_SHAPE_ROWS;
    if (is_number_of_finding(part->text) || is_among(rule->by.items, rule->by.count, part->text) ||
        is_among(rule->each.items, rule->each.count, part->text) ||
        is_among(schema->values, schema->value_count, part->text)) {
        return;
    }
    cg_place place = place_in(node, part->at + 1);
    if (schema->value_count == CG_RULE_VALUES) {
        cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, place, "'message': at most 8 values of its own");
        return;
    }
    const cg_yaml_node named = {
        .kind = CG_YAML_TEXT, .place = place, .text = part->text, .source = part->text, .source_place = place
    };
    schema->value_count += cg_schema_expression(schema, &named, is_rows ? rule->subject : CG_OF_EVENTS,
                                                rule->info.shape == CALLGAUGE_SHAPE_COUNT ? NULL : rule->names,
                                                &schema->values[schema->value_count]);
}

void cg_schema_message(cg_schema *schema, const cg_yaml_node *node)
{
    callgauge_str form;
    size_t at = 0;
    unsigned depth = 0;
    if (!cg_schema_text(schema, node, &form)) {
        return;
    }
    while (form.len > 0 && form.ptr[form.len - 1] == '\n') {
        form.len--;
    }
    for (;;) {
        cg_template_part part = cg_template_next(form, &at, &depth);
        if (part.kind == CG_TEMPLATE_END) {
            break;
        }
        if (part.kind == CG_TEMPLATE_BAD) {
            cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, place_in(node, part.at), "'message': %s", part.fault);
            return;
        }
        if (part.kind == CG_TEMPLATE_VALUE) {
            take_value(schema, node, &part);
        }
    }
    schema->rule->info.message = form;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* From the `message` of a rule to its form, whose values are all known: numbers of the finding, values of `by` and
 * `each`, or what has to be worked out for it. The form goes with the findings, and says of these values how people
 * read them, since as text `12345` may be a count or a port: {max} becomes {max:time}. */
#include "base/buf.h"
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

static const cg_expression *find_among(const cg_expression *items, size_t count, callgauge_str text)
{
    for (size_t i = 0; i < count; i++) {
        if (cg_str_eq(items[i].text, text)) {
            return &items[i];
        }
    }
    return NULL;
}

/* NULL: it is a number of the finding. */
static const cg_expression *find_value(const cg_schema *schema, callgauge_str text)
{
    const cg_rule *rule = schema->rule;
    if (is_number_of_finding(text)) {
        return NULL;
    }
    const cg_expression *found = find_among(rule->by.items, rule->by.count, text);
    found = found != NULL ? found : find_among(rule->each.items, rule->each.count, text);
    return found != NULL ? found : find_among(schema->values, schema->value_count, text);
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
    if (is_number_of_finding(part->text) || find_value(schema, part->text) != NULL) {
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

static const char *read_as(const cg_expression *value)
{
    static const char *const texts[] = { "", ":count", ":size", ":time" };
    return value == NULL || value->compiled == NULL ? "" : texts[cg_predicate_about(value->compiled)->quantity];
}

static bool write_form(const cg_schema *schema, callgauge_str message, cg_buf *to)
{
    size_t at = 0;
    unsigned depth = 0;
    for (;;) {
        size_t begin = at;
        cg_template_part part = cg_template_next(message, &at, &depth);
        if (part.kind == CG_TEMPLATE_END || part.kind == CG_TEMPLATE_BAD) {
            return true;
        }
        bool good = part.kind == CG_TEMPLATE_VALUE
                        ? cg_buf_add_char(to, '{') && cg_buf_add_str(to, part.text) &&
                              cg_buf_add_z(to, read_as(find_value(schema, part.text))) && cg_buf_add_char(to, '}')
                        : cg_buf_add_str(to, cg_str(message.ptr + begin, at - begin));
        if (!good) {
            return false;
        }
    }
}

static void set_form(cg_schema *schema, callgauge_str message)
{
    cg_buf form;
    cg_buf_init(&form, SIZE_MAX);
    if (!write_form(schema, message, &form) || !cg_arena_str(schema->arena, cg_buf_str(&form), &schema->rule->form)) {
        cg_fault_nomem(schema->faults);
    }
    cg_buf_release(&form);
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
    set_form(schema, form);
}

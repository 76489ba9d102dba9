/* SPDX-License-Identifier: Apache-2.0 */
/* From nodes of a document to texts, numbers and compiled predicates; what they are not is a fault. */
#include <string.h>

#include "base/str.h"
#include "predicate/lex.h"
#include "predicate/words.h"
#include "rules/schema.h"

static bool wrong(cg_schema *schema, const cg_yaml_node *node, const char *expected)
{
    cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, node->place, "%s%.*s%s%s", node->key.len > 0 ? "'" : "",
                 (int)(node->key.len < 40 ? node->key.len : 40), node->key.len > 0 ? node->key.ptr : "",
                 node->key.len > 0 ? "': " : "", expected);
    return false;
}

bool cg_schema_text(cg_schema *schema, const cg_yaml_node *node, callgauge_str *out)
{
    if (node->kind != CG_YAML_TEXT) {
        return wrong(schema, node, "a text is expected");
    }
    if (memchr(node->text.ptr, '\0', node->text.len) != NULL) {
        return wrong(schema, node, "a text without NUL is expected");
    }
    *out = node->text;
    return true;
}

bool cg_schema_map(cg_schema *schema, const cg_yaml_node *node)
{
    return node->kind == CG_YAML_MAP || wrong(schema, node, "keys and values are expected");
}

/* The only token of a text, a number. */
static bool number_token(cg_schema *schema, callgauge_str text, cg_token *out)
{
    *out = cg_lex(text, 0, schema->arena);
    return out->kind == CG_TOKEN_NUMBER && out->end == text.len;
}

bool cg_schema_count(cg_schema *schema, const cg_yaml_node *node, uint64_t least, uint64_t *out)
{
    callgauge_str text;
    cg_token token;
    if (!cg_schema_text(schema, node, &text)) {
        return false;
    }
    if (!number_token(schema, text, &token) || token.value.type != CG_TYPE_NUMBER || token.value.is_real) {
        return wrong(schema, node, "a whole number is expected");
    }
    if ((uint64_t)token.value.number < least) {
        return wrong(schema, node, "the number is too small");
    }
    *out = (uint64_t)token.value.number;
    return true;
}

static double as_double(const cg_value *value)
{
    return value->is_real ? value->real : (double)value->number;
}

bool cg_schema_number(cg_schema *schema, const cg_yaml_node *node, cg_type type, double *out)
{
    callgauge_str text;
    cg_token token;
    const char *expected = type == CG_TYPE_BYTES  ? "a size is expected, such as 64KiB"
                           : type == CG_TYPE_TIME ? "a time is expected, such as 10ms"
                                                  : "a number is expected";
    if (!cg_schema_text(schema, node, &text)) {
        return false;
    }
    bool good = number_token(schema, text, &token) && text.ptr[text.len - 1] != '%';
    bool plain = good && token.value.type == CG_TYPE_NUMBER;
    if (!good || (token.value.type != type && !(plain && type == CG_TYPE_BYTES))) {
        return wrong(schema, node, expected);
    }
    *out = as_double(&token.value);
    return true;
}

bool cg_schema_share(cg_schema *schema, const cg_yaml_node *node, double *out)
{
    callgauge_str text;
    cg_token token;
    if (!cg_schema_text(schema, node, &text)) {
        return false;
    }
    if (!number_token(schema, text, &token) || text.ptr[text.len - 1] != '%' || as_double(&token.value) > 1) {
        return wrong(schema, node, "a share is expected, such as 20%");
    }
    *out = as_double(&token.value);
    return true;
}

static bool source_of(cg_schema *schema, const cg_yaml_node *node, cg_predicate_source *out)
{
    callgauge_str text;
    if (!cg_schema_text(schema, node, &text)) {
        return false;
    }
    *out = (cg_predicate_source){ .text = node->source, .place = node->source_place, .indent = node->indent };
    return true;
}

/* What a compiled part needs is what the rule needs; not what only names groups. */
static void need(cg_rule *rule, const cg_predicate *part, bool must_hold)
{
    const cg_predicate_info *info = cg_predicate_about(part);
    rule->wants |= info->wants;
    rule->reads_state |= info->reads_state;
    rule->reads_unit |= info->reads_unit;
    rule->traits |= must_hold ? info->traits : 0;
    const uint32_t times = CALLGAUGE_TRAIT_TIMESTAMPS | CALLGAUGE_TRAIT_WALL_DURATIONS | CALLGAUGE_TRAIT_CPU_DURATIONS;
    rule->reads_time |= must_hold && (info->traits & times) != 0;
}

/* The rule frees it from here on. False: no memory, and it is freed. */
static bool own(cg_schema *schema, cg_predicate *compiled)
{
    struct cg_owned *owned = cg_arena_alloc(schema->arena, sizeof *owned);
    if (owned == NULL) {
        cg_predicate_free(compiled);
        cg_fault_nomem(schema->faults);
        return false;
    }
    *owned = (struct cg_owned){ compiled, schema->rule->owned };
    schema->rule->owned = owned;
    return true;
}

cg_predicate *cg_schema_condition(cg_schema *schema, const cg_yaml_node *node, cg_subject of, cg_scope *names)
{
    cg_predicate_source source;
    cg_predicate *compiled;
    callgauge_error fault = CALLGAUGE_ERROR_INIT;
    if (!source_of(schema, node, &source)) {
        return NULL;
    }
    if (cg_predicate_compile(&source, of, names, &compiled, &fault) != CALLGAUGE_OK) {
        cg_fault_pass(schema->faults, &fault);
        return NULL;
    }
    if (!own(schema, compiled)) {
        return NULL;
    }
    need(schema->rule, compiled, true);
    return compiled;
}

bool cg_schema_expression(cg_schema *schema, const cg_yaml_node *node, cg_subject of, cg_scope *names,
                          cg_expression *out)
{
    cg_predicate_source source;
    callgauge_error fault = CALLGAUGE_ERROR_INIT;
    if (!source_of(schema, node, &source)) {
        return false;
    }
    if (cg_expression_compile(&source, of, names, &out->compiled, &fault) != CALLGAUGE_OK) {
        cg_fault_pass(schema->faults, &fault);
        return false;
    }
    if (!own(schema, out->compiled)) {
        return false;
    }
    out->text = cg_str_trim(node->text);
    need(schema->rule, out->compiled, false);
    return true;
}

void *cg_schema_keep(cg_schema *schema, const void *from, size_t size)
{
    void *copy = cg_arena_alloc(schema->arena, size);
    if (copy == NULL) {
        cg_fault_nomem(schema->faults);
    } else if (size > 0) {
        memcpy(copy, from, size);
    }
    return copy;
}

void cg_schema_unknown(cg_schema *schema, cg_place place, const char *what, callgauge_str wrong_one,
                       const char *const *known, size_t count)
{
    cg_nearest nearest = cg_nearest_to(wrong_one);
    for (size_t i = 0; i < count; i++) {
        cg_nearest_try(&nearest, cg_str_z(known[i]));
    }
    int len = (int)(wrong_one.len < 40 ? wrong_one.len : 40);
    if (nearest.best.len > 0) {
        cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, place, "unknown %s '%.*s'; did you mean '%.*s'?", what, len,
                     wrong_one.ptr, (int)nearest.best.len, nearest.best.ptr);
    } else {
        cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, place, "unknown %s '%.*s'", what, len, wrong_one.ptr);
    }
}

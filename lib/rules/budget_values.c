/* SPDX-License-Identifier: Apache-2.0 */
/* From nodes of a budget to what its parts are made of: members, names, words for calls, rules. */
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/str.h"
#include "predicate/words.h"
#include "rules/budget_schema.h"

enum { MOST_KEYS = 16, FIRST_ROOM = 16 };

/* --- mappings */

void cg_budget_members(cg_budget_schema *schema, const cg_yaml_node *map, const char *what, const cg_budget_key *keys,
                       size_t count, void *into)
{
    const char *names[MOST_KEYS];
    for (size_t i = 0; i < count; i++) {
        names[i] = keys[i].name;
    }
    for (const cg_yaml_node *node = map->first; node != NULL; node = node->next) {
        size_t i = 0;
        while (i < count && !cg_str_is(node->key, names[i])) {
            i++;
        }
        if (i == count) {
            cg_schema_unknown(&schema->values, node->key_place, what, node->key, names, count);
        }
    }
    for (size_t i = 0; i < count; i++) {
        const cg_yaml_node *node = cg_yaml_member(map, names[i]);
        if (node != NULL) {
            keys[i].read(schema, node, into);
        }
    }
}

void cg_budget_fault(cg_budget_schema *schema, const cg_yaml_node *node, const char *why)
{
    cg_fault_add(schema->values.faults, CALLGAUGE_E_FORMAT, node->place, "'%.*s': %s",
                 (int)(node->key.len < 40 ? node->key.len : 40), node->key.ptr, why);
}

int cg_budget_word(cg_budget_schema *schema, const cg_yaml_node *node, const char *what, const char *const *words,
                   size_t count)
{
    callgauge_str text;
    if (!cg_schema_text(&schema->values, node, &text)) {
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        if (cg_str_is(text, words[i])) {
            return (int)i;
        }
    }
    cg_schema_unknown(&schema->values, node->place, what, text, words, count);
    return -1;
}

void cg_budget_severity(cg_budget_schema *schema, const cg_yaml_node *node, callgauge_severity *out)
{
    static const char *const words[] = { "note", "warning", "error" };
    int which = cg_budget_word(schema, node, "severity", words, 3);
    if (which >= 0) {
        *out = (callgauge_severity)which;
    }
}

/* --- names */

static bool is_name(callgauge_str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool inside = i > 0 && i + 1 < name.len;
        if (!cg_is_word(c) && c != '-' && c != '.' && !(c == ' ' && inside)) {
            return false;
        }
    }
    return name.len > 0 && name.len <= CG_BUDGET_LONGEST_NAME;
}

static uint64_t line_of_name(const callgauge_budget *budget, callgauge_str name)
{
    for (size_t i = 0; i < budget->limit_count; i++) {
        if (cg_str_eq(budget->limits[i].name, name)) {
            return budget->limits[i].place.line;
        }
    }
    for (size_t i = 0; i < budget->expectation_count; i++) {
        if (cg_str_eq(budget->expectations[i].name, name)) {
            return budget->expectations[i].place.line;
        }
    }
    return 0;
}

void cg_budget_name(cg_budget_schema *schema, const cg_yaml_node *node, callgauge_str *out)
{
    callgauge_str name;
    if (!cg_schema_text(&schema->values, node, &name)) {
        return;
    }
    if (!is_name(name)) {
        cg_budget_fault(schema, node, "a name has letters, digits, blanks, - _ and ., at most 64");
        return;
    }
    uint64_t line = line_of_name(schema->budget, name);
    if (line != 0) {
        cg_fault_add(schema->values.faults, CALLGAUGE_E_FORMAT, node->place,
                     "the name '%.*s' is there already, on line %llu", (int)name.len, name.ptr,
                     (unsigned long long)line);
    }
    *out = name;
}

/* --- words for calls */

const cg_yaml_node *cg_budget_texts(cg_budget_schema *schema, const cg_yaml_node *node, size_t *count)
{
    if (node->kind == CG_YAML_MAP || (node->kind == CG_YAML_LIST && node->count == 0)) {
        cg_budget_fault(schema, node, "a text or a list of texts is expected");
        return NULL;
    }
    *count = node->kind == CG_YAML_LIST ? node->count : 1;
    return node->kind == CG_YAML_LIST ? node->first : node;
}

static void refuse_call(cg_budget_schema *schema, const cg_yaml_node *node, callgauge_str word)
{
    cg_nearest nearest = cg_nearest_to(word);
    callgauge_class call_class;
    const char *name;
    for (size_t i = 0; (name = cg_call_at(i, &call_class)) != NULL; i++) {
        cg_nearest_try(&nearest, cg_str_z(name));
    }
    cg_fault_add(schema->values.faults, CALLGAUGE_E_FORMAT, node->place,
                 "unknown call '%.*s'%s%.*s%s (one that this version does not know is put in quotes: \"'name'\")",
                 (int)(word.len < 40 ? word.len : 40), word.ptr, nearest.best.len > 0 ? "; did you mean '" : "",
                 (int)nearest.best.len, nearest.best.len > 0 ? nearest.best.ptr : "", nearest.best.len > 0 ? "'?" : "");
}

static void refuse_class(cg_budget_schema *schema, const cg_yaml_node *node, callgauge_str name)
{
    const char *known[CALLGAUGE_CLASS_PIPE + 1];
    for (size_t i = 0; i <= CALLGAUGE_CLASS_PIPE; i++) {
        known[i] = callgauge_class_text((callgauge_class)i);
    }
    cg_schema_unknown(&schema->values, node->place, "class", name, known, sizeof known / sizeof *known);
}

static bool is_class(callgauge_str word)
{
    return word.len > 0 && word.ptr[0] == '%';
}

static bool is_quoted(callgauge_str word)
{
    bool good = word.len > 2 && word.ptr[0] == '\'' && word.ptr[word.len - 1] == '\'';
    for (size_t i = 1; good && i + 1 < word.len; i++) {
        good = cg_is_word(word.ptr[i]);
    }
    return good;
}

bool cg_budget_call(cg_budget_schema *schema, const cg_yaml_node *node, callgauge_str *out)
{
    callgauge_str word;
    callgauge_class found;
    if (!cg_schema_text(&schema->values, node, &word)) {
        return false;
    }
    if (is_quoted(word)) {
        *out = cg_str(word.ptr + 1, word.len - 2);
        return true;
    }
    *out = word;
    if (is_class(word)) {
        const callgauge_str name = cg_str(word.ptr + 1, word.len - 1);
        if (!callgauge_class_find(name, &found)) {
            refuse_class(schema, node, name);
            return false;
        }
        return true;
    }
    if (!cg_is_call(word)) {
        refuse_call(schema, node, word);
        return false;
    }
    return true;
}

bool cg_limit_names(const cg_limit *limit, callgauge_str name, callgauge_class call_class)
{
    for (size_t i = 0; i < limit->word_count; i++) {
        const callgauge_str word = limit->words[i];
        if (is_class(word)) {
            if (cg_str_is(cg_str(word.ptr + 1, word.len - 1), callgauge_class_text(call_class))) {
                return true;
            }
        } else if (cg_str_eq(word, name)) {
            return true;
        }
    }
    return limit->word_count == 0;
}

/* The known calls that a limit can be about: those of its words, or, of allowed calls, all others; and words that are
 * no known call. */
static bool set_known_calls(cg_budget_schema *schema, cg_limit *limit)
{
    callgauge_class call_class;
    const char *name;
    size_t total = 0, used = 0;
    while (cg_call_at(total, &call_class) != NULL) {
        total++;
    }
    cg_known_call *calls = cg_arena_alloc(&schema->budget->arena, (total + limit->word_count) * sizeof *calls);
    if (calls == NULL) {
        cg_fault_nomem(schema->values.faults);
        return false;
    }
    bool is_one = limit->of != CG_LIMIT_OF_ALLOWED_CALLS;
    for (size_t i = 0; (name = cg_call_at(i, &call_class)) != NULL; i++) {
        if (cg_limit_names(limit, cg_str_z(name), call_class) == is_one) {
            calls[used++] = (cg_known_call){ cg_str_z(name), call_class };
        }
    }
    for (size_t i = 0; is_one && i < limit->word_count; i++) {
        if (!is_class(limit->words[i]) && !cg_is_call(limit->words[i])) {
            calls[used++] = (cg_known_call){ limit->words[i], CALLGAUGE_CLASS_OTHER };
        }
    }
    limit->calls = calls;
    limit->call_count = used;
    return true;
}

bool cg_budget_calls(cg_budget_schema *schema, const cg_yaml_node *node, cg_limit *limit)
{
    size_t count = 0, used = 0;
    const cg_yaml_node *item = node == NULL ? NULL : cg_budget_texts(schema, node, &count);
    if (node != NULL && item == NULL) {
        return false;
    }
    callgauge_str *words = cg_arena_alloc(&schema->budget->arena, count * sizeof *words);
    if (words == NULL) {
        cg_fault_nomem(schema->values.faults);
        return false;
    }
    for (size_t i = 0; i < count; i++, item = item->next) {
        used += cg_budget_call(schema, item, &words[used]);
    }
    limit->words = words;
    limit->word_count = used;
    return used == count && set_known_calls(schema, limit);
}

/* --- lists of the budget */

cg_limit *cg_budget_add_limit(cg_budget_schema *schema, const cg_limit *limit)
{
    callgauge_budget *budget = schema->budget;
    if (budget->limit_count == schema->limit_room) {
        size_t room = schema->limit_room == 0 ? FIRST_ROOM : schema->limit_room * 2;
        cg_limit *limits = cg_arena_alloc(&budget->arena, room * sizeof *limits);
        if (limits == NULL) {
            cg_fault_nomem(schema->values.faults);
            return NULL;
        }
        if (budget->limit_count > 0) {
            memcpy(limits, budget->limits, budget->limit_count * sizeof *limits);
        }
        budget->limits = limits;
        schema->limit_room = room;
    }
    budget->limits[budget->limit_count] = *limit;
    return &budget->limits[budget->limit_count++];
}

static bool add_rule(cg_budget_schema *schema, cg_rule *rule)
{
    callgauge_rules *set = schema->budget->rules;
    if (set->count == set->room) {
        size_t room = set->room == 0 ? FIRST_ROOM : set->room * 2;
        cg_rule **rules = cg_mem_resize(set->rules, room * sizeof *rules);
        if (rules == NULL) {
            cg_fault_nomem(schema->values.faults);
            return false;
        }
        set->rules = rules;
        set->room = room;
    }
    set->rules[set->count++] = rule;
    return true;
}

static callgauge_str rule_id(cg_budget_schema *schema, callgauge_str name)
{
    callgauge_str id = { NULL, 0 };
    cg_buf text;
    cg_buf_init(&text, SIZE_MAX);
    if (!cg_buf_add_z(&text, CG_BUDGET_RULE) || !cg_buf_add_str(&text, name) ||
        !cg_arena_str(&schema->budget->arena, cg_buf_str(&text), &id)) {
        cg_fault_nomem(schema->values.faults);
    }
    cg_buf_release(&text);
    return id;
}

static void set_groups(cg_schema *values, const cg_yaml_node *condition, const char *by)
{
    cg_expression found[CG_RULE_KEYS] = { 0 };
    size_t count = 0;
    for (callgauge_str rest = cg_str_z(by); rest.len > 0 && count < CG_RULE_KEYS;) {
        size_t comma = cg_str_find(rest, ",");
        const callgauge_str name = cg_str(rest.ptr, comma);
        const cg_yaml_node node = { .kind = CG_YAML_TEXT,
                                    .place = condition->place,
                                    .text = name,
                                    .source = name,
                                    .source_place = condition->place };
        count += cg_schema_expression(values, &node, CG_OF_EVENTS, NULL, &found[count]);
        rest = comma == rest.len ? cg_str(rest.ptr, 0) : cg_str(rest.ptr + comma + 1, rest.len - comma - 1);
    }
    values->rule->by.items = cg_schema_keep(values, found, count * sizeof *found);
    values->rule->by.count = values->rule->by.items == NULL ? 0 : count;
}

cg_rule *cg_budget_rule(cg_budget_schema *schema, callgauge_str name, const cg_yaml_node *condition, const char *by)
{
    cg_rule *rule = cg_arena_alloc(&schema->budget->arena, sizeof *rule);
    if (rule == NULL) {
        cg_fault_nomem(schema->values.faults);
        return NULL;
    }
    rule->info.id = rule_id(schema, name);
    rule->info.title = rule->info.id;
    rule->info.shape = CALLGAUGE_SHAPE_COUNT;
    rule->info.maturity = CALLGAUGE_MATURITY_STABLE;
    rule->info.severity = CALLGAUGE_SEVERITY_NOTE;
    rule->info.source = schema->budget->name.ptr;
    rule->info.line = condition->place.line;
    rule->saved = CG_SAVED_UNKNOWN;
    if (rule->info.id.len == 0 || !add_rule(schema, rule)) {
        return NULL;
    }
    cg_schema values = { .rule = rule, .arena = &schema->budget->arena, .faults = schema->values.faults };
    rule->where = cg_schema_condition(&values, condition, CG_OF_EVENTS, NULL);
    if (rule->where == NULL) {
        return NULL;
    }
    if (by != NULL) {
        set_groups(&values, condition, by);
    }
    rule->judges_tables = by == NULL && !cg_predicate_about(rule->where)->reads_rest;
    return rule;
}

/* "call in ('a', 'b')" or "class in (open, close)" of the words that are such; of none nothing. */
static bool write_list(cg_buf *to, const cg_limit *limit, bool of_classes)
{
    size_t used = 0;
    bool good = true;
    for (size_t i = 0; good && i < limit->word_count; i++) {
        const callgauge_str word = limit->words[i];
        if (is_class(word) != of_classes) {
            continue;
        }
        good = cg_buf_add_z(to, used++ > 0   ? ", "
                                : of_classes ? "class in ("
                                             : "call in (") &&
               (of_classes ? cg_buf_printf(to, "%.*s", (int)(word.len - 1), word.ptr + 1)
                           : cg_buf_printf(to, "'%.*s'", (int)word.len, word.ptr));
    }
    return good && (used == 0 || cg_buf_add_char(to, ')'));
}

/* "call in ('a', 'b') or class in (open)"; of no words: any call. */
static bool write_condition(cg_buf *to, const cg_limit *limit, bool is_one)
{
    size_t classes = 0;
    for (size_t i = 0; i < limit->word_count; i++) {
        classes += is_class(limit->words[i]);
    }
    if (limit->word_count == 0) {
        return cg_buf_add_z(to, "class == other or class != other");
    }
    return cg_buf_add_z(to, is_one ? "" : "not (") && write_list(to, limit, false) &&
           (classes == 0 || classes == limit->word_count || cg_buf_add_z(to, " or ")) && write_list(to, limit, true) &&
           cg_buf_add_z(to, is_one ? "" : ")");
}

cg_rule *cg_budget_rule_of_calls(cg_budget_schema *schema, callgauge_str name, const cg_limit *limit, bool is_one,
                                 const char *by)
{
    enum { LONGEST = 60000 }; /* of a condition */
    cg_yaml_node node = { .kind = CG_YAML_TEXT, .place = limit->place, .source_place = limit->place };
    cg_buf text;
    cg_buf_init(&text, SIZE_MAX);
    bool good = write_condition(&text, limit, is_one) &&
                cg_arena_str(&schema->budget->arena, cg_buf_str(&text), &node.text);
    cg_buf_release(&text);
    if (!good) {
        cg_fault_nomem(schema->values.faults);
        return NULL;
    }
    if (node.text.len > LONGEST) {
        cg_fault_add(schema->values.faults, CALLGAUGE_E_FORMAT, limit->place, "too many calls are named");
        return NULL;
    }
    node.source = node.text;
    return cg_budget_rule(schema, name, &node, by);
}

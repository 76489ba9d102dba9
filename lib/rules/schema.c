/* SPDX-License-Identifier: Apache-2.0 */
/* From a document of a rule file to a rule: a table of the keys, each with the shapes that have it, read in the table's
 * order. Invariant: everything that is not understood is a fault with its place; reading goes on, so that all faults of
 * a file are told in one go. */
#include "rules/schema.h"

#include "base/str.h"

enum {
    ROWS = 1 << CALLGAUGE_SHAPE_ROWS,
    COUNT = 1 << CALLGAUGE_SHAPE_COUNT,
    RUN = 1 << CALLGAUGE_SHAPE_RUN,
    SEQUENCE = 1 << CALLGAUGE_SHAPE_SEQUENCE,
    EVENTS = COUNT | RUN | SEQUENCE,
    ANY = ROWS | EVENTS,
    LONGEST_ID = 64,
    MOST_REFERENCES = 32
};

typedef void read_fn(cg_schema *schema, const cg_yaml_node *node);

static void fault(cg_schema *schema, const cg_yaml_node *node, const char *why)
{
    cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, node->place, "'%.*s': %s",
                 (int)(node->key.len < 40 ? node->key.len : 40), node->key.ptr, why);
}

/* --- what a rule says of itself */

static void read_id(cg_schema *schema, const cg_yaml_node *node)
{
    callgauge_str id;
    if (!cg_schema_text(schema, node, &id)) {
        return;
    }
    bool good = id.len > 0 && id.len <= LONGEST_ID && id.ptr[0] != '-' && id.ptr[id.len - 1] != '-';
    for (size_t i = 0; good && i < id.len; i++) {
        good = cg_is_lower(id.ptr[i]) || cg_is_digit(id.ptr[i]) || id.ptr[i] == '-';
    }
    if (!good) {
        fault(schema, node, "an id has small letters, digits and - between them, at most 64");
        return;
    }
    schema->rule->info.id = id;
}

/* Which of `count` words a text is; -1: a fault. */
static int read_word(cg_schema *schema, const cg_yaml_node *node, const char *what, const char *const *words,
                     size_t count)
{
    callgauge_str text;
    if (!cg_schema_text(schema, node, &text)) {
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        if (cg_str_is(text, words[i])) {
            return (int)i;
        }
    }
    cg_schema_unknown(schema, node->place, what, text, words, count);
    return -1;
}

static void read_maturity(cg_schema *schema, const cg_yaml_node *node)
{
    static const char *const words[] = { "draft", "stable" };
    int which = read_word(schema, node, "maturity", words, 2);
    schema->rule->info.maturity = which < 0 ? CALLGAUGE_MATURITY_DRAFT : (callgauge_maturity)which;
}

static void read_severity(cg_schema *schema, const cg_yaml_node *node)
{
    static const char *const words[] = { "note", "warning", "error" };
    int which = read_word(schema, node, "severity", words, 3);
    schema->rule->info.severity = which < 0 ? CALLGAUGE_SEVERITY_WARNING : (callgauge_severity)which;
}

/* A text for people, not an empty one. */
static void read_prose(cg_schema *schema, const cg_yaml_node *node, callgauge_str *out)
{
    callgauge_str text;
    if (cg_schema_text(schema, node, &text)) {
        while (text.len > 0 && (text.ptr[text.len - 1] == '\n' || cg_is_blank(text.ptr[text.len - 1]))) {
            text.len--;
        }
        if (text.len == 0) {
            fault(schema, node, "it is empty");
        }
        *out = text;
    }
}

static void read_title(cg_schema *schema, const cg_yaml_node *node)
{
    read_prose(schema, node, &schema->rule->info.title);
}

static void read_why(cg_schema *schema, const cg_yaml_node *node)
{
    read_prose(schema, node, &schema->rule->info.why);
}

static void read_advice(cg_schema *schema, const cg_yaml_node *node)
{
    read_prose(schema, node, &schema->rule->info.advice);
}

static void read_false_alarms(cg_schema *schema, const cg_yaml_node *node)
{
    read_prose(schema, node, &schema->rule->info.false_alarms);
}

static void read_references(cg_schema *schema, const cg_yaml_node *node)
{
    callgauge_str found[MOST_REFERENCES];
    size_t count = 0;
    const cg_yaml_node *item = node->kind == CG_YAML_LIST ? node->first : node;
    if (node->kind == CG_YAML_MAP || (node->kind == CG_YAML_LIST && node->count > MOST_REFERENCES)) {
        fault(schema, node, "a text or a list of at most 32 is expected");
        return;
    }
    for (; item != NULL; item = node->kind == CG_YAML_LIST ? item->next : NULL) {
        count += cg_schema_text(schema, item, &found[count]);
    }
    schema->rule->info.references = cg_schema_keep(schema, found, count * sizeof *found);
    schema->rule->info.reference_count = schema->rule->info.references == NULL ? 0 : count;
}

static void read_saved(cg_schema *schema, const cg_yaml_node *node)
{
    callgauge_str text;
    cg_rule *rule = schema->rule;
    if (!cg_schema_text(schema, node, &text)) {
        return;
    }
    if (cg_str_is(text, "all") || cg_str_is(text, "rest") || cg_str_is(text, "unknown")) {
        rule->saved = text.ptr[0] == 'a' ? CG_SAVED_ALL : text.ptr[0] == 'r' ? CG_SAVED_REST : CG_SAVED_UNKNOWN;
    } else if (cg_str_ends(text, "%")) {
        rule->saved = cg_schema_share(schema, node, &rule->saved_share) ? CG_SAVED_SHARE : CG_SAVED_UNKNOWN;
    } else {
        fault(schema, node, "all, rest, unknown or a share such as 50% is expected");
    }
}

/* --- what it looks for */

static cg_subject subject_of(const cg_schema *schema)
{
    return schema->rule->info.shape == CALLGAUGE_SHAPE_ROWS ? schema->rule->subject : CG_OF_EVENTS;
}

static void read_of(cg_schema *schema, const cg_yaml_node *node)
{
    static const char *const subjects[] = { "calls", "files", "descriptors", "processes", "programs", "waiting" };
    callgauge_str text;
    if (schema->rule->info.shape != CALLGAUGE_SHAPE_ROWS) {
        schema->rule->of = cg_schema_condition(schema, node, CG_OF_EVENTS, NULL);
    } else if (cg_schema_text(schema, node, &text) && !cg_subject_find(text, &schema->rule->subject)) {
        cg_schema_unknown(schema, node->place, "kind of rows", text, subjects, sizeof subjects / sizeof *subjects);
    }
}

static const cg_yaml_node *unknown_step(cg_schema *schema, const cg_yaml_node *node, const cg_step *steps, size_t count)
{
    for (const cg_yaml_node *step = node->first; step != NULL; step = step->next) {
        size_t i = 0;
        while (i < count && !cg_str_eq(steps[i].name, step->key)) {
            i++;
        }
        if (i == count) {
            cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, step->key_place,
                         "'where' has a step that 'steps' has not");
            return step;
        }
    }
    return NULL;
}

/* Digits, or "N..M", or "N..". */
static bool read_times_text(callgauge_str text, uint32_t *least, uint32_t *most)
{
    uint64_t numbers[2] = { 0, UINT32_MAX };
    size_t dots = cg_str_find(text, "..");
    callgauge_str parts[2] = { cg_str(text.ptr, dots), cg_str(text.ptr, 0) };
    if (dots < text.len) {
        parts[1] = cg_str(text.ptr + dots + 2, text.len - dots - 2);
    }
    for (size_t i = 0; i < 2; i++) {
        if (parts[i].len > 9) {
            return false;
        }
        for (size_t k = 0; k < parts[i].len; k++) {
            if (!cg_is_digit(parts[i].ptr[k])) {
                return false;
            }
            numbers[i] = (k == 0 ? 0 : numbers[i] * 10) + (uint64_t)(parts[i].ptr[k] - '0');
        }
    }
    numbers[1] = dots == text.len ? numbers[0] : numbers[1];
    *least = (uint32_t)numbers[0];
    *most = (uint32_t)numbers[1];
    return parts[0].len > 0 && *least > 0 && *most >= *least;
}

static void read_step(cg_schema *schema, const cg_yaml_node *node, cg_step *out)
{
    static const char *const known[] = { "times" };
    const char *name_fault = cg_scope_name_fault(node->key);
    *out = (cg_step){ .name = node->key, .least = 1, .most = 1 };
    if (name_fault != NULL) {
        cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, node->key_place, "step '%.*s': %s",
                     (int)(node->key.len < 40 ? node->key.len : 40), node->key.ptr, name_fault);
    }
    if (node->kind == CG_YAML_TEXT && node->text.len == 0) {
        return;
    }
    if (!cg_schema_map(schema, node)) {
        return;
    }
    for (const cg_yaml_node *key = node->first; key != NULL; key = key->next) {
        callgauge_str text;
        if (!cg_str_is(key->key, "times")) {
            cg_schema_unknown(schema, key->key_place, "key of a step", key->key, known, 1);
        } else if (cg_schema_text(schema, key, &text) && !read_times_text(text, &out->least, &out->most)) {
            fault(schema, key, "N, N..M or N.. is expected, N from 1 on");
        }
    }
}

/* The steps in the order of `steps`, else of `where`. */
static size_t read_steps(cg_schema *schema, const cg_yaml_node *steps, const cg_yaml_node *where, cg_step *out)
{
    size_t count = 0;
    const cg_yaml_node *list = steps != NULL ? steps : where;
    if (list->count == 0 || list->count > CG_RULE_STEPS) {
        fault(schema, list, "1 to 16 steps are expected");
        return 0;
    }
    for (const cg_yaml_node *step = list->first; step != NULL; step = step->next) {
        if (steps != NULL) {
            read_step(schema, step, &out[count]);
        } else {
            cg_yaml_node plain = { .key = step->key, .key_place = step->key_place };
            read_step(schema, &plain, &out[count]);
        }
        count++;
    }
    return count;
}

static bool make_names(cg_schema *schema, const callgauge_str *names, size_t count)
{
    schema->rule->names = cg_scope_new(names, count);
    if (schema->rule->names == NULL) {
        cg_fault_nomem(schema->faults);
    }
    return schema->rule->names != NULL;
}

static void compile_steps(cg_schema *schema, const cg_yaml_node *where, cg_step *steps, size_t count)
{
    callgauge_str names[CG_RULE_STEPS];
    for (size_t i = 0; i < count; i++) {
        names[i] = steps[i].name;
    }
    if (!make_names(schema, names, count)) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const cg_yaml_node *node = where->first;
        while (node != NULL && !cg_str_eq(node->key, steps[i].name)) {
            node = node->next;
        }
        if (node == NULL) {
            cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, where->place, "'where' lacks the step '%.*s'",
                         (int)steps[i].name.len, steps[i].name.ptr);
        } else {
            steps[i].where = cg_schema_condition(schema, node, CG_OF_EVENTS, schema->rule->names);
        }
    }
    schema->rule->steps = cg_schema_keep(schema, steps, count * sizeof *steps);
    schema->rule->step_count = schema->rule->steps == NULL ? 0 : count;
}

static void read_sequence(cg_schema *schema, const cg_yaml_node *document, const cg_yaml_node *where)
{
    cg_step steps[CG_RULE_STEPS];
    const cg_yaml_node *node = cg_yaml_member(document, "steps");
    if (!cg_schema_map(schema, where) || (node != NULL && !cg_schema_map(schema, node))) {
        return;
    }
    size_t count = read_steps(schema, node, where, steps);
    if (count > 0 && unknown_step(schema, where, steps, count) == NULL) {
        compile_steps(schema, where, steps, count);
    }
}

static void read_where(cg_schema *schema, const cg_yaml_node *document)
{
    const cg_yaml_node *where = cg_yaml_member(document, "where");
    callgauge_shape shape = schema->rule->info.shape;
    if (where == NULL) {
        cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, document->place, "the rule has no 'where'");
        return;
    }
    if (shape == CALLGAUGE_SHAPE_SEQUENCE) {
        read_sequence(schema, document, where);
        return;
    }
    const callgauge_str name = cg_str_z(shape == CALLGAUGE_SHAPE_RUN ? "prev" : "each");
    if (shape == CALLGAUGE_SHAPE_ROWS || make_names(schema, &name, 1)) {
        schema->rule->where = cg_schema_condition(schema, where, subject_of(schema), NULL);
    }
}

static void read_next(cg_schema *schema, const cg_yaml_node *node)
{
    schema->rule->next = cg_schema_condition(schema, node, CG_OF_EVENTS, schema->rule->names);
}

static void read_skip(cg_schema *schema, const cg_yaml_node *node)
{
    schema->rule->skip = cg_schema_condition(schema, node, CG_OF_EVENTS, schema->rule->names);
}

static void read_expressions(cg_schema *schema, const cg_yaml_node *node, cg_scope *names, cg_expressions *out)
{
    cg_expression found[CG_RULE_KEYS] = { 0 };
    size_t count = 0;
    const cg_yaml_node *item = node->kind == CG_YAML_LIST ? node->first : node;
    if (node->kind == CG_YAML_MAP || (node->kind == CG_YAML_LIST && (node->count > CG_RULE_KEYS || node->count == 0))) {
        fault(schema, node, "a value such as path, or a list of 1 to 4, is expected");
        return;
    }
    for (; item != NULL; item = node->kind == CG_YAML_LIST ? item->next : NULL) {
        count += cg_schema_expression(schema, item, subject_of(schema), names, &found[count]);
    }
    out->items = cg_schema_keep(schema, found, count * sizeof *found);
    out->count = out->items == NULL ? 0 : count;
}

/* A group of a count has no earlier events to tell it by. */
static cg_scope *names_of_groups(const cg_schema *schema)
{
    return schema->rule->info.shape == CALLGAUGE_SHAPE_COUNT ? NULL : schema->rule->names;
}

static void read_by(cg_schema *schema, const cg_yaml_node *node)
{
    read_expressions(schema, node, names_of_groups(schema), &schema->rule->by);
}

static void read_each(cg_schema *schema, const cg_yaml_node *node)
{
    read_expressions(schema, node, names_of_groups(schema), &schema->rule->each);
}

static void read_key(cg_schema *schema, const cg_yaml_node *node)
{
    cg_schema_expression(schema, node, CG_OF_EVENTS, NULL, &schema->rule->key);
}

/* The group that a reset means must be told by the event alone, so that no event has to be held against all groups. */
static const char *reset_fault(const cg_rule *rule)
{
    if (!cg_predicate_about(rule->reset)->reads_slots) {
        return NULL;
    }
    for (size_t i = 0; i < cg_scope_slot_count(rule->names); i++) {
        const cg_slot *slot = cg_scope_slot(rule->names, i);
        size_t k = 0;
        while (k < rule->each.count && !cg_str_eq(rule->each.items[k].text, slot->field)) {
            k++;
        }
        if (k == rule->each.count || slot->pick != CG_PICK_LAST) {
            return "it can ask for each.X only where 'each' has X";
        }
    }
    for (size_t k = 0; k < rule->each.count; k++) {
        int64_t slot = cg_scope_find(rule->names, 0, CG_PICK_LAST, rule->each.items[k].text);
        if (slot < 0 || !cg_predicate_ties(rule->reset, (size_t)slot)) {
            return "it must say X == each.X, joined by 'and', for every value of 'each'";
        }
    }
    return NULL;
}

static void read_reset(cg_schema *schema, const cg_yaml_node *node)
{
    cg_rule *rule = schema->rule;
    rule->reset = cg_schema_condition(schema, node, CG_OF_EVENTS, rule->names);
    const char *why = rule->reset == NULL ? NULL : reset_fault(rule);
    if (why != NULL) {
        fault(schema, node, why);
    }
}

static void read_scope(cg_schema *schema, const cg_yaml_node *node)
{
    static const char *const words[] = { "thread", "process" };
    schema->rule->by_process = read_word(schema, node, "scope", words, 2) == 1;
}

static void read_within(cg_schema *schema, const cg_yaml_node *node)
{
    static const char *const known[] = { "calls", "time" };
    if (!cg_schema_map(schema, node)) {
        return;
    }
    for (const cg_yaml_node *key = node->first; key != NULL; key = key->next) {
        double time;
        if (cg_str_is(key->key, "calls")) {
            cg_schema_count(schema, key, 1, &schema->rule->within_calls);
        } else if (cg_str_is(key->key, "time")) {
            schema->rule->within_ns = cg_schema_number(schema, key, CG_TYPE_TIME, &time) ? (int64_t)time : 0;
        } else {
            cg_schema_unknown(schema, key->key_place, "key of 'within'", key->key, known, 2);
        }
    }
    if (schema->rule->within_ns > 0) {
        schema->rule->traits |= CALLGAUGE_TRAIT_TIMESTAMPS;
        schema->rule->reads_time = true;
    }
}

/* --- the table: `shape` and `where` are read before it, `message` needs what stands before */

static const struct key {
    const char *name;
    int shapes;
    read_fn *read;
} keys[] = {
    { "id", ANY, read_id },
    { "shape", ANY, NULL },
    { "of", ANY, read_of },
    { "steps", SEQUENCE, NULL },
    { "where", ANY, NULL },
    { "maturity", ANY, read_maturity },
    { "severity", ANY, read_severity },
    { "title", ANY, read_title },
    { "next", RUN, read_next },
    { "skip", RUN | SEQUENCE, read_skip },
    { "scope", RUN | SEQUENCE, read_scope },
    { "key", RUN | SEQUENCE, read_key },
    { "within", RUN | SEQUENCE, read_within },
    { "by", ANY, read_by },
    { "each", ANY, read_each },
    { "reset", COUNT, read_reset },
    { "at_least", ANY, cg_schema_floors },
    { "message", ANY, cg_schema_message },
    { "why", ANY, read_why },
    { "advice", ANY, read_advice },
    { "saved", ANY, read_saved },
    { "false_alarms", ANY, read_false_alarms },
    { "references", ANY, read_references },
    { "examples", ANY, cg_schema_examples },
};

enum { KEYS = sizeof keys / sizeof *keys };

/* False: it cannot be known what the rule looks for. */
static bool read_shape(cg_schema *schema, const cg_yaml_node *document)
{
    static const char *const words[] = { "rows", "count", "run", "sequence" };
    const cg_yaml_node *node = cg_yaml_member(document, "shape");
    if (node == NULL) {
        cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, document->place,
                     "the rule has no 'shape': rows, count, run or sequence");
        return false;
    }
    int which = read_word(schema, node, "shape", words, 4);
    schema->rule->info.shape = which < 0 ? CALLGAUGE_SHAPE_COUNT : (callgauge_shape)which;
    schema->rule->subject = CG_OF_CALLS;
    schema->rule->saved = which == CALLGAUGE_SHAPE_COUNT || which == CALLGAUGE_SHAPE_RUN ? CG_SAVED_ALL
                                                                                         : CG_SAVED_UNKNOWN;
    return which >= 0;
}

static void check_keys(cg_schema *schema, const cg_yaml_node *document, bool has_shape)
{
    const char *names[KEYS];
    for (size_t i = 0; i < KEYS; i++) {
        names[i] = keys[i].name;
    }
    for (const cg_yaml_node *node = document->first; node != NULL; node = node->next) {
        size_t i = 0;
        while (i < KEYS && !cg_str_is(node->key, keys[i].name)) {
            i++;
        }
        if (i == KEYS) {
            cg_schema_unknown(schema, node->key_place, "key", node->key, names, KEYS);
        } else if (has_shape && (keys[i].shapes >> schema->rule->info.shape & 1) == 0) {
            cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, node->key_place, "'%s' is no key of the shape %s",
                         keys[i].name, callgauge_shape_text(schema->rule->info.shape));
        }
    }
}

static bool is_missing(const cg_yaml_node *document, const char *key)
{
    return cg_yaml_member(document, key) == NULL;
}

/* What a rule must have before others may rely on it. */
static void check_stable(cg_schema *schema, const cg_yaml_node *document)
{
    static const char *const needed[] = { "severity", "title", "message", "why", "advice" };
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        if (is_missing(document, needed[i])) {
            cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, document->place, "a stable rule needs '%s'", needed[i]);
        }
    }
    size_t fires = 0;
    for (size_t i = 0; i < schema->rule->info.example_count; i++) {
        fires += schema->rule->examples[i].fires;
    }
    if (fires == 0 || fires == schema->rule->info.example_count) {
        const cg_yaml_node *examples = cg_yaml_member(document, "examples");
        cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, examples == NULL ? document->place : examples->key_place,
                     "a stable rule needs an example that fires and one that is quiet");
    }
}

static void settle_tables(cg_rule *rule)
{
    bool by_name = rule->info.shape == CALLGAUGE_SHAPE_COUNT && rule->where != NULL && rule->by.count == 0 &&
                   rule->each.count == 0 && rule->distinct_count == 0 && rule->reset == NULL;
    rule->judges_tables = by_name && !cg_predicate_about(rule->where)->reads_rest &&
                          (rule->of == NULL || !cg_predicate_about(rule->of)->reads_rest);
}

/* Rows that stand for themselves: what tells one from another. */
static void imply_each(cg_schema *schema, const cg_yaml_node *document)
{
    static const char *const names[][3] = {
        [CG_OF_CALLS] = { "call" },
        [CG_OF_FILES] = { "path", "kind", "peer" },
        [CG_OF_DESCRIPTORS] = { "pid", "fd" },
        [CG_OF_PROCESSES] = { "pid", "program" },
        [CG_OF_PROGRAMS] = { "program" },
        [CG_OF_WAITING] = { "call", "path", "peer" },
    };
    cg_expression found[3] = { 0 };
    size_t count = 0;
    cg_subject of = schema->rule->subject;
    for (size_t i = 0; i < 3 && names[of][i] != NULL; i++) {
        const callgauge_str name = cg_str_z(names[of][i]);
        const cg_yaml_node node = { .kind = CG_YAML_TEXT,
                                    .place = document->place,
                                    .text = name,
                                    .source = name,
                                    .source_place = document->place };
        count += cg_schema_expression(schema, &node, of, NULL, &found[count]);
    }
    schema->rule->each.items = cg_schema_keep(schema, found, count * sizeof *found);
    schema->rule->each.count = schema->rule->each.items == NULL ? 0 : count;
}

/* Moves what was gathered over the whole document into the rule. */
static void settle(cg_schema *schema, const cg_yaml_node *document)
{
    cg_rule *rule = schema->rule;
    rule->distinct = cg_schema_keep(schema, schema->distinct, schema->distinct_count * sizeof *schema->distinct);
    rule->distinct_count = rule->distinct == NULL ? 0 : schema->distinct_count;
    rule->values = cg_schema_keep(schema, schema->values, schema->value_count * sizeof *schema->values);
    rule->value_count = rule->values == NULL ? 0 : schema->value_count;
    rule->traits |= schema->floor_traits;
    rule->needs_durations = schema->floor_time;
    const uint32_t times = CALLGAUGE_TRAIT_TIMESTAMPS | CALLGAUGE_TRAIT_WALL_DURATIONS | CALLGAUGE_TRAIT_CPU_DURATIONS;
    rule->reads_time |= schema->floor_time || (schema->floor_traits & times) != 0;
    settle_tables(rule);
    if (rule->info.title.len == 0) {
        rule->info.title = rule->info.id;
    }
    if (rule->info.maturity == CALLGAUGE_MATURITY_STABLE) {
        check_stable(schema, document);
    }
}

cg_rule *cg_rule_read(const cg_yaml_node *document, cg_arena *arena, cg_faults *faults)
{
    if (document->kind != CG_YAML_MAP) {
        cg_fault_add(faults, CALLGAUGE_E_FORMAT, document->place, "a rule is expected: keys and values");
        return NULL;
    }
    cg_rule *rule = cg_arena_alloc(arena, sizeof *rule);
    if (rule == NULL) {
        cg_fault_nomem(faults);
        return NULL;
    }
    cg_schema schema = { .rule = rule, .arena = arena, .faults = faults };
    rule->info.severity = CALLGAUGE_SEVERITY_WARNING;
    rule->info.line = document->place.line;
    bool has_shape = read_shape(&schema, document);
    check_keys(&schema, document, has_shape);
    if (is_missing(document, "id")) {
        cg_fault_add(faults, CALLGAUGE_E_FORMAT, document->place, "the rule has no 'id'");
    }
    for (size_t i = 0; has_shape && i < KEYS; i++) {
        const cg_yaml_node *node = cg_yaml_member(document, keys[i].name);
        if (keys[i].read == NULL && cg_str_is(cg_str_z(keys[i].name), "where")) {
            read_where(&schema, document);
        } else if (keys[i].read == read_each && node == NULL && rule->info.shape == CALLGAUGE_SHAPE_ROWS) {
            imply_each(&schema, document);
        } else if (keys[i].read != NULL && node != NULL && (keys[i].shapes >> rule->info.shape & 1) != 0) {
            keys[i].read(&schema, node);
        }
    }
    settle(&schema, document);
    return rule;
}

void cg_rule_free(cg_rule *rule)
{
    if (rule == NULL) {
        return;
    }
    for (struct cg_owned *owned = rule->owned; owned != NULL; owned = owned->next) {
        cg_predicate_free(owned->predicate);
    }
    cg_scope_free(rule->names);
    rule->owned = NULL;
    rule->names = NULL;
}

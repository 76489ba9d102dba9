/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a budget that stand once: calls and paths that are allowed or forbidden, findings, regression. Each
 * forbidden thing is a limit of its own, so that each is kept or broken by itself. */
#include "base/buf.h"
#include "base/str.h"
#include "rules/budget_schema.h"

/* --- names of limits */

/* "calls.forbid: fork". */
static bool set_name(cg_budget_schema *schema, const char *part, callgauge_str word, callgauge_str *out)
{
    cg_buf text;
    cg_buf_init(&text, SIZE_MAX);
    bool good = cg_buf_add_z(&text, part) && (word.len == 0 || cg_buf_add_z(&text, ": ")) &&
                cg_buf_add_str(&text, word) && cg_arena_str(&schema->budget->arena, cg_buf_str(&text), out);
    cg_buf_release(&text);
    if (!good) {
        cg_fault_nomem(schema->values.faults);
    }
    return good;
}

static cg_limit limit_of(cg_limit_of of, cg_place place)
{
    return (cg_limit){ .of = of, .severity = CALLGAUGE_SEVERITY_ERROR, .place = place };
}

/* A part that has these two keys and must have one of them. */
static bool is_pair(cg_budget_schema *schema, const cg_yaml_node *node)
{
    if (!cg_schema_map(&schema->values, node)) {
        return false;
    }
    if (node->count == 0) {
        cg_budget_fault(schema, node, "'allow' or 'forbid' is expected");
    }
    return node->count > 0;
}

/* --- calls */

/* What shows the calls that a list speaks of: a finding for each, with lines. */
static void add_evidence_rule(cg_budget_schema *schema, const cg_limit *limit, const char *name)
{
    cg_budget_rule_of_calls(schema, cg_str_z(name), limit, limit->of == CG_LIMIT_OF_FORBIDDEN_CALLS, "call");
}

static void allow_calls(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    cg_limit limit = limit_of(CG_LIMIT_OF_ALLOWED_CALLS, node->place);
    (void)into;
    limit.name = cg_str_z("calls.allow");
    limit.rule = cg_str_z(CG_BUDGET_RULE "calls/allow");
    if (cg_budget_calls(schema, node, &limit) && cg_budget_add_limit(schema, &limit) != NULL) {
        add_evidence_rule(schema, &limit, "calls/allow");
    }
}

static void forbid_calls(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    size_t count = 0;
    uint64_t faults = schema->values.faults->count;
    const cg_yaml_node *item = cg_budget_texts(schema, node, &count);
    cg_limit all = limit_of(CG_LIMIT_OF_FORBIDDEN_CALLS, node->place);
    (void)into;
    if (item == NULL) {
        return;
    }
    for (size_t i = 0; i < count; i++, item = item->next) {
        cg_limit limit = limit_of(CG_LIMIT_OF_FORBIDDEN_CALLS, item->place);
        limit.rule = cg_str_z(CG_BUDGET_RULE "calls/forbid");
        const cg_yaml_node one = { .kind = CG_YAML_TEXT, .place = item->place, .text = item->text };
        callgauge_str text;
        if (cg_schema_text(&schema->values, item, &text) && cg_budget_calls(schema, &one, &limit) &&
            set_name(schema, "calls.forbid", limit.words[0], &limit.name)) {
            cg_budget_add_limit(schema, &limit);
        }
    }
    if (schema->values.faults->count == faults && cg_budget_calls(schema, node, &all)) {
        add_evidence_rule(schema, &all, "calls/forbid");
    }
}

void cg_budget_read_calls(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    static const cg_budget_key keys[] = { { "allow", allow_calls }, { "forbid", forbid_calls } };
    if (is_pair(schema, node)) {
        cg_budget_members(schema, node, "key of 'calls'", keys, 2, into);
    }
}

/* --- paths */

static bool read_path(cg_budget_schema *schema, const cg_yaml_node *node, callgauge_str *out)
{
    if (!cg_schema_text(&schema->values, node, out)) {
        return false;
    }
    if (out->len == 0) {
        cg_fault_add(schema->values.faults, CALLGAUGE_E_FORMAT, node->place, "a path is expected");
    }
    return out->len > 0;
}

static void allow_paths(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    size_t count = 0;
    const cg_yaml_node *item = cg_budget_texts(schema, node, &count);
    cg_limit limit = limit_of(CG_LIMIT_OF_ALLOWED_PATHS, node->place);
    (void)into;
    callgauge_str *words = cg_arena_alloc(&schema->budget->arena, count * sizeof *words);
    if (item == NULL) {
        return;
    }
    if (words == NULL) {
        cg_fault_nomem(schema->values.faults);
        return;
    }
    for (size_t i = 0; i < count; i++, item = item->next) {
        limit.word_count += read_path(schema, item, &words[limit.word_count]);
    }
    limit.name = cg_str_z("paths.allow");
    limit.words = words;
    cg_budget_add_limit(schema, &limit);
}

static void forbid_paths(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    size_t count = 0;
    const cg_yaml_node *item = cg_budget_texts(schema, node, &count);
    (void)into;
    for (size_t i = 0; item != NULL && i < count; i++, item = item->next) {
        cg_limit limit = limit_of(CG_LIMIT_OF_FORBIDDEN_PATHS, item->place);
        callgauge_str *word = cg_arena_alloc(&schema->budget->arena, sizeof *word);
        if (word == NULL) {
            cg_fault_nomem(schema->values.faults);
            return;
        }
        limit.words = word;
        limit.word_count = 1;
        if (read_path(schema, item, word) && set_name(schema, "paths.forbid", *word, &limit.name)) {
            cg_budget_add_limit(schema, &limit);
        }
    }
}

void cg_budget_read_paths(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    static const cg_budget_key keys[] = { { "allow", allow_paths }, { "forbid", forbid_paths } };
    if (is_pair(schema, node)) {
        cg_budget_members(schema, node, "key of 'paths'", keys, 2, into);
    }
}

/* Whether the pattern is the whole text; each `*` but the last is given up once a later one is reached. */
static bool fits(callgauge_str pattern, callgauge_str text)
{
    size_t p = 0, t = 0, star = SIZE_MAX, from = 0;
    while (t < text.len) {
        if (p < pattern.len && pattern.ptr[p] == '*') {
            star = p++;
            from = t;
        } else if (p < pattern.len && (pattern.ptr[p] == '?' || pattern.ptr[p] == text.ptr[t])) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            t = ++from;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.ptr[p] == '*') {
        p++;
    }
    return p == pattern.len;
}

/* Whether the pattern, which ends with `/`, is the beginning of the text. */
static bool fits_below(callgauge_str pattern, callgauge_str text)
{
    for (size_t end = 1; end <= text.len; end++) {
        if (text.ptr[end - 1] == '/' && fits(pattern, cg_str(text.ptr, end))) {
            return true;
        }
    }
    return pattern.len > 1 && fits(cg_str(pattern.ptr, pattern.len - 1), text);
}

bool cg_limit_has_path(const cg_limit *limit, callgauge_str path)
{
    for (size_t i = 0; i < limit->word_count; i++) {
        if (cg_str_ends(limit->words[i], "/") ? fits_below(limit->words[i], path) : fits(limit->words[i], path)) {
            return true;
        }
    }
    return false;
}

/* --- findings */

typedef struct findings {
    callgauge_severity at;
    cg_bound bound;
} findings;

static void read_at(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    cg_budget_severity(schema, node, &((findings *)into)->at);
}

static void read_most(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    uint64_t most;
    if (cg_schema_count(&schema->values, node, 0, &most)) {
        ((findings *)into)->bound.value = (double)most;
    }
}

void cg_budget_read_findings(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    static const cg_budget_key keys[] = { { "severity", read_at }, { "at_most", read_most } };
    findings found = { .at = CALLGAUGE_SEVERITY_WARNING, .bound = { .place = node->place } };
    cg_limit limit = limit_of(CG_LIMIT_OF_FINDINGS, node->place);
    (void)into;
    if (!cg_schema_map(&schema->values, node)) {
        return;
    }
    cg_budget_members(schema, node, "key of 'findings'", keys, 2, &found);
    limit.name = cg_str_z("findings");
    limit.at = found.at;
    limit.bounds = cg_schema_keep(&schema->values, &found.bound, sizeof found.bound);
    limit.bound_count = limit.bounds != NULL;
    cg_budget_add_limit(schema, &limit);
}

/* --- regression */

static void read_percent(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    cg_schema_number(&schema->values, node, CG_TYPE_NUMBER, &((cg_bound *)into)->percent);
}

static void read_floor(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    cg_bound *bound = into;
    cg_type type = bound->quantity == CALLGAUGE_QUANTITY_TIME    ? CG_TYPE_TIME
                   : bound->quantity == CALLGAUGE_QUANTITY_BYTES ? CG_TYPE_BYTES
                                                                 : CG_TYPE_NUMBER;
    cg_schema_number(&schema->values, node, type, &bound->value);
}

static void read_grown(cg_budget_schema *schema, const cg_yaml_node *node, const char *name, cg_bound bound)
{
    static const cg_budget_key keys[] = { { "percent", read_percent }, { "floor", read_floor } };
    cg_limit limit = limit_of(CG_LIMIT_OF_REGRESSION, node->place);
    if (!cg_schema_map(&schema->values, node)) {
        return;
    }
    bound.place = node->place;
    cg_budget_members(schema, node, "key of a regression", keys, 2, &bound);
    limit.name = cg_str_z(name);
    limit.bounds = cg_schema_keep(&schema->values, &bound, sizeof bound);
    limit.bound_count = limit.bounds != NULL;
    cg_budget_add_limit(schema, &limit);
}

static void grown_calls(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    (void)into;
    read_grown(schema, node, "regression.calls", (cg_bound){ .measure = CALLGAUGE_MEASURE_CALLS });
}

static void grown_errors(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    (void)into;
    read_grown(schema, node, "regression.errors", (cg_bound){ .measure = CALLGAUGE_MEASURE_ERRORS });
}

static void grown_time(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    (void)into;
    read_grown(schema, node, "regression.time",
               (cg_bound){ .measure = CALLGAUGE_MEASURE_WALL, .quantity = CALLGAUGE_QUANTITY_TIME, .any_time = true });
}

static void grown_bytes(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    (void)into;
    read_grown(schema, node, "regression.bytes",
               (cg_bound){ .measure = CALLGAUGE_MEASURE_BYTES_READ, .quantity = CALLGAUGE_QUANTITY_BYTES });
}

void cg_budget_read_regression(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    static const cg_budget_key keys[] = {
        { "calls", grown_calls }, { "errors", grown_errors }, { "time", grown_time }, { "bytes", grown_bytes }
    };
    if (!cg_schema_map(&schema->values, node)) {
        return;
    }
    if (node->count == 0) {
        cg_budget_fault(schema, node, "it names no value");
    }
    cg_budget_members(schema, node, "key of 'regression'", keys, 4, into);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* From rule files and the catalogue to a rule set: which rules are taken, what is wrong with them, and the way to them.
 * Invariant: a set is in the order of its ids, which are all different, and never changes. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/options.h"
#include "base/str.h"
#include "predicate/words.h"
#include "rules/catalogue.h"
#include "rules/rule.h"
#include "rules/yaml_tree.h"

/* --- faults */

void cg_fault_pass(cg_faults *faults, const callgauge_error *fault)
{
    if (fault->status == CALLGAUGE_E_NOMEM) {
        cg_fault_nomem(faults);
        return;
    }
    if (faults->on_diag != NULL && faults->status != CALLGAUGE_E_NOMEM) {
        faults->on_diag(faults->ctx, fault);
    }
    if (faults->count++ == 0 && faults->status == CALLGAUGE_OK) {
        const cg_place place = { fault->source, fault->line, fault->column, fault->offset };
        callgauge_status status = fault->status == CALLGAUGE_E_UNSUPPORTED ? fault->status : CALLGAUGE_E_FORMAT;
        faults->status = cg_fail(faults->err, status, place, "%s", fault->message);
    }
}

void cg_fault_add(cg_faults *faults, callgauge_status status, cg_place place, const char *format, ...)
{
    callgauge_error fault = CALLGAUGE_ERROR_INIT;
    va_list args;
    va_start(args, format);
    char message[sizeof fault.message];
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    cg_fail(&fault, status, place, "%s", message);
    cg_fault_pass(faults, &fault);
}

void cg_fault_nomem(cg_faults *faults)
{
    faults->count++;
    faults->status = cg_fail_nomem(faults->err);
}

/* --- names */

const char *callgauge_maturity_text(callgauge_maturity maturity)
{
    return maturity == CALLGAUGE_MATURITY_STABLE ? "stable" : "draft";
}

const char *callgauge_shape_text(callgauge_shape shape)
{
    static const char *const texts[] = { "rows", "count", "run", "sequence" };
    return (size_t)shape < sizeof texts / sizeof *texts ? texts[shape] : "unknown";
}

/* --- loading */

typedef struct loading {
    const callgauge_rules_options *options;
    callgauge_rules *set;
    cg_faults faults;
} loading;

static bool is_listed(callgauge_str id, const char *const *ids, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (cg_str_is(id, ids[i])) {
            return true;
        }
    }
    return false;
}

static cg_rule *find(const callgauge_rules *set, callgauge_str id)
{
    for (size_t i = 0; i < set->count; i++) {
        if (cg_str_eq(set->rules[i]->info.id, id)) {
            return set->rules[i];
        }
    }
    return NULL;
}

static bool add(loading *l, cg_rule *rule)
{
    callgauge_rules *set = l->set;
    if (set->count == set->room) {
        size_t room = set->room == 0 ? 64 : set->room * 2;
        cg_rule **rules = cg_mem_resize(set->rules, room * sizeof *rules);
        if (rules == NULL) {
            cg_rule_free(rule);
            cg_fault_nomem(&l->faults);
            return false;
        }
        set->rules = rules;
        set->room = room;
    }
    set->rules[set->count++] = rule;
    return true;
}

static void refuse_twin(loading *l, const cg_yaml_node *document, const cg_rule *rule, const cg_rule *other)
{
    const cg_yaml_node *id = cg_yaml_member(document, "id");
    cg_fault_add(&l->faults, CALLGAUGE_E_FORMAT, id == NULL ? document->place : id->place,
                 "the id '%.*s' is there already, in %s:%llu", (int)rule->info.id.len, rule->info.id.ptr,
                 other->info.source, (unsigned long long)other->info.line);
}

static callgauge_str without_separator(callgauge_str text)
{
    while (cg_str_starts(text, "---") || (text.len > 0 && (text.ptr[0] == '\n' || text.ptr[0] == '\r'))) {
        size_t n = text.ptr[0] == '-' ? 3 : 1;
        text = cg_str(text.ptr + n, text.len - n);
    }
    return text;
}

static bool take_document(loading *l, const cg_yaml_node *document, const char *source, bool from_catalogue)
{
    callgauge_error first = CALLGAUGE_ERROR_INIT;
    cg_faults built_in = { .err = &first };
    cg_rule *rule = cg_rule_read(document, &l->set->arena, from_catalogue ? &built_in : &l->faults);
    if (built_in.status == CALLGAUGE_E_UNSUPPORTED) {
        cg_rule_free(rule); /* `matches` in a build without PCRE2: the rest of the catalogue is of use still */
        return true;
    }
    if (built_in.count > 0) {
        cg_fault_pass(&l->faults, &first);
    }
    if (rule == NULL) {
        return l->faults.status != CALLGAUGE_E_NOMEM;
    }
    rule->info.source = source;
    rule->info.from_catalogue = from_catalogue;
    rule->info.text = without_separator(document->document_text);
    const cg_rule *other = rule->info.id.len > 0 ? find(l->set, rule->info.id) : NULL;
    if (other != NULL && !from_catalogue) {
        refuse_twin(l, document, rule, other);
    }
    if (other != NULL || l->faults.status == CALLGAUGE_E_NOMEM) {
        cg_rule_free(rule);
        return l->faults.status != CALLGAUGE_E_NOMEM;
    }
    return add(l, rule);
}

/* The texts of a tree lie in the set's arena from here on. */
static void keep_tree(callgauge_rules *set, cg_yaml_tree *tree)
{
    cg_arena_join(&set->arena, &tree->arena);
}

static bool load_text(loading *l, const char *name, callgauge_str text, bool from_catalogue)
{
    callgauge_error fault = CALLGAUGE_ERROR_INIT;
    cg_yaml_tree tree;
    const char *source = cg_arena_copy(&l->set->arena, name, strlen(name));
    if (source == NULL) {
        cg_fault_nomem(&l->faults);
        return false;
    }
    if (cg_yaml_read(source, text, &tree, &fault) != CALLGAUGE_OK) {
        cg_fault_pass(&l->faults, &fault);
        return fault.status != CALLGAUGE_E_NOMEM;
    }
    if (tree.count == 0) {
        cg_fault_add(&l->faults, CALLGAUGE_E_FORMAT, (cg_place){ .name = source }, "no rule is in it");
    }
    const cg_yaml_node *document = tree.documents;
    keep_tree(l->set, &tree);
    for (; document != NULL; document = document->next) {
        if (!take_document(l, document, source, from_catalogue)) {
            return false;
        }
    }
    return true;
}

/* --- choosing */

static callgauge_status refuse_id(const loading *l, const char *option, const char *id, callgauge_error *err)
{
    cg_nearest nearest = cg_nearest_to(cg_str_z(id));
    for (size_t i = 0; i < l->set->count; i++) {
        cg_nearest_try(&nearest, l->set->rules[i]->info.id);
    }
    if (nearest.best.len == 0) {
        return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ 0 }, "%s: there is no rule '%.64s'", option, id);
    }
    return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ 0 }, "%s: there is no rule '%.64s'; did you mean '%.*s'?",
                   option, id, (int)nearest.best.len, nearest.best.ptr);
}

static callgauge_status check_ids(const loading *l, const char *option, const char *const *ids, size_t count,
                                  callgauge_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (find(l->set, cg_str_z(ids[i])) == NULL) {
            return refuse_id(l, option, ids[i], err);
        }
    }
    return CALLGAUGE_OK;
}

static bool is_wanted(const callgauge_rules_options *options, const cg_rule *rule)
{
    if (is_listed(rule->info.id, options->skip, options->skip_count)) {
        return false;
    }
    if (options->only_count > 0) {
        return is_listed(rule->info.id, options->only, options->only_count);
    }
    return !rule->info.from_catalogue || options->drafts || rule->info.maturity == CALLGAUGE_MATURITY_STABLE;
}

static callgauge_status choose(loading *l, callgauge_error *err)
{
    const callgauge_rules_options *options = l->options;
    callgauge_status status = check_ids(l, "only", options->only, options->only_count, err);
    if (status == CALLGAUGE_OK) {
        status = check_ids(l, "skip", options->skip, options->skip_count, err);
    }
    for (size_t i = 0; status == CALLGAUGE_OK && i < options->severity_count; i++) {
        cg_rule *rule = find(l->set, cg_str_z(options->severities[i].id));
        status = rule == NULL ? refuse_id(l, "severity", options->severities[i].id, err) : CALLGAUGE_OK;
        if (rule != NULL) {
            rule->info.severity = options->severities[i].severity;
        }
    }
    size_t kept = 0;
    for (size_t i = 0; status == CALLGAUGE_OK && i < l->set->count; i++) {
        cg_rule *rule = l->set->rules[i];
        if (is_wanted(options, rule)) {
            l->set->rules[kept++] = rule;
        } else {
            cg_rule_free(rule);
        }
    }
    l->set->count = status == CALLGAUGE_OK ? kept : l->set->count;
    return status;
}

static int by_id(const void *a, const void *b)
{
    return cg_str_cmp((*(const cg_rule *const *)a)->info.id, (*(const cg_rule *const *)b)->info.id);
}

static void load_all(loading *l)
{
    const callgauge_rules_options *options = l->options;
    bool going = true;
    for (size_t i = 0; going && i < options->text_count; i++) {
        going = load_text(l, options->texts[i].name, cg_str(options->texts[i].text, options->texts[i].len), false);
    }
    for (const cg_catalogue_entry *entry = cg_catalogue; going && !options->no_catalogue && entry->name != NULL;
         entry++) {
        going = load_text(l, entry->name, cg_str((const char *)entry->text, entry->len), true);
    }
}

callgauge_status callgauge_rules_load(const callgauge_rules_options *given, callgauge_rules **out, callgauge_error *err)
{
    callgauge_rules_options options;
    callgauge_status status = cg_options_copy(given, "rules", &options, sizeof options, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    loading l = { .options = &options, .set = cg_mem_zeroed(1, sizeof *l.set) };
    if (l.set == NULL) {
        return cg_fail_nomem(err);
    }
    l.faults = (cg_faults){ .on_diag = options.on_diag, .ctx = options.diag_ctx, .err = err };
    load_all(&l);
    status = l.faults.status;
    if (status == CALLGAUGE_OK) {
        status = choose(&l, err);
    }
    if (status != CALLGAUGE_OK) {
        callgauge_rules_free(l.set);
        return status;
    }
    if (l.set->count > 1) {
        qsort(l.set->rules, l.set->count, sizeof *l.set->rules, by_id);
    }
    *out = l.set;
    return CALLGAUGE_OK;
}

/* --- the set */

void callgauge_rules_free(callgauge_rules *rules)
{
    if (rules == NULL) {
        return;
    }
    for (size_t i = 0; i < rules->count; i++) {
        cg_rule_free(rules->rules[i]);
    }
    cg_mem_free(rules->rules);
    cg_arena_release(&rules->arena);
    cg_mem_free(rules);
}

size_t callgauge_rules_count(const callgauge_rules *rules)
{
    return rules->count;
}

const callgauge_rule_info *callgauge_rules_at(const callgauge_rules *rules, size_t index)
{
    return index < rules->count ? &rules->rules[index]->info : NULL;
}

const callgauge_rule_example *callgauge_rules_example(const callgauge_rules *rules, size_t index, size_t example)
{
    if (index >= rules->count || example >= rules->rules[index]->info.example_count) {
        return NULL;
    }
    return &rules->rules[index]->examples[example];
}

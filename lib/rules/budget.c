/* SPDX-License-Identifier: Apache-2.0 */
/* From the text of a budget file to a budget, and what it asks of those who use it. */
#include "rules/budget_schema.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"

/* --- the file */

static void read_version(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    uint64_t version;
    (void)into;
    if (cg_schema_count(&schema->values, node, 1, &version) && version != 1) {
        cg_budget_fault(schema, node, "this version of callgauge reads budgets of form 1");
    }
}

static const cg_budget_key keys[] = {
    { "budget", read_version },
    { "limits", cg_budget_read_limits },
    { "calls", cg_budget_read_calls },
    { "paths", cg_budget_read_paths },
    { "regression", cg_budget_read_regression },
    { "findings", cg_budget_read_findings },
    { "expect", cg_budget_read_expect },
};

static void read_document(cg_budget_schema *schema, const cg_yaml_node *document)
{
    cg_faults *faults = schema->values.faults;
    uint64_t before = faults->count;
    if (document->kind != CG_YAML_MAP) {
        cg_fault_add(faults, CALLGAUGE_E_FORMAT, document->place, "a budget is expected: keys and values");
        return;
    }
    if (document->next != NULL) {
        cg_fault_add(faults, CALLGAUGE_E_FORMAT, document->next->place, "a budget is one document: this is another");
    }
    if (cg_yaml_member(document, "budget") == NULL) {
        cg_fault_add(faults, CALLGAUGE_E_FORMAT, document->place, "the budget does not say its form: budget: 1");
    }
    cg_budget_members(schema, document, "key", keys, sizeof keys / sizeof *keys, NULL);
    if (faults->count == before && schema->budget->limit_count + schema->budget->expectation_count == 0) {
        cg_fault_add(faults, CALLGAUGE_E_FORMAT, document->place, "the budget limits nothing");
    }
}

/* `budget` has its name already. */
static void read_text(callgauge_budget *budget, callgauge_str text, cg_faults *faults)
{
    callgauge_error fault = CALLGAUGE_ERROR_INIT;
    cg_yaml_tree tree;
    cg_rule owner = { .info = { .id = { NULL, 0 } } };
    cg_budget_schema schema = { .values = { .rule = &owner, .arena = &budget->arena, .faults = faults },
                                .budget = budget };
    if (!cg_arena_str(&budget->arena, text, &budget->text)) {
        cg_fault_nomem(faults);
        return;
    }
    if (cg_yaml_read(budget->name.ptr, budget->text, &tree, &fault) != CALLGAUGE_OK) {
        cg_fault_pass(faults, &fault);
        return;
    }
    if (tree.count == 0) {
        cg_fault_add(faults, CALLGAUGE_E_FORMAT, (cg_place){ .name = budget->name.ptr }, "no budget is in it");
    }
    const cg_yaml_node *document = tree.documents;
    cg_arena_join(&budget->arena, &tree.arena);
    if (document != NULL) {
        read_document(&schema, document);
    }
    budget->owned = owner.owned;
}

callgauge_status callgauge_budget_load(const char *name, const void *yaml, size_t len, callgauge_diag_fn *on_diag,
                                       void *diag_ctx, callgauge_budget **out, callgauge_error *err)
{
    cg_faults faults = { .on_diag = on_diag, .ctx = diag_ctx, .err = err };
    callgauge_budget *budget = cg_mem_zeroed(1, sizeof *budget);
    if (budget == NULL) {
        return cg_fail_nomem(err);
    }
    budget->rules = cg_mem_zeroed(1, sizeof *budget->rules);
    if (budget->rules == NULL || !cg_arena_str(&budget->arena, cg_str_z(name), &budget->name)) {
        callgauge_budget_free(budget);
        return cg_fail_nomem(err);
    }
    read_text(budget, cg_str(yaml, len), &faults);
    if (faults.status != CALLGAUGE_OK) {
        callgauge_budget_free(budget);
        return faults.status;
    }
    *out = budget;
    return CALLGAUGE_OK;
}

void callgauge_budget_free(callgauge_budget *budget)
{
    if (budget == NULL) {
        return;
    }
    for (struct cg_owned *owned = budget->owned; owned != NULL; owned = owned->next) {
        cg_predicate_free(owned->predicate);
    }
    callgauge_rules_free(budget->rules);
    cg_arena_release(&budget->arena);
    cg_mem_free(budget);
}

/* --- what it needs */

static bool has_limit_of(const callgauge_budget *budget, cg_limit_of of)
{
    for (size_t i = 0; i < budget->limit_count; i++) {
        if (budget->limits[i].of == of) {
            return true;
        }
    }
    return false;
}

bool callgauge_budget_needs_baseline(const callgauge_budget *budget)
{
    return has_limit_of(budget, CG_LIMIT_OF_REGRESSION);
}

bool callgauge_budget_needs_rules(const callgauge_budget *budget)
{
    return has_limit_of(budget, CG_LIMIT_OF_RULE) || has_limit_of(budget, CG_LIMIT_OF_FINDINGS);
}

bool callgauge_budget_needs_files(const callgauge_budget *budget)
{
    return has_limit_of(budget, CG_LIMIT_OF_ALLOWED_PATHS) || has_limit_of(budget, CG_LIMIT_OF_FORBIDDEN_PATHS);
}

bool callgauge_budget_needs_units(const callgauge_budget *budget)
{
    for (size_t i = 0; i < budget->limit_count; i++) {
        if (budget->limits[i].per == CG_LIMIT_PER_UNIT) {
            return true;
        }
    }
    return false;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that read a budget share: the budget being made, and the faults of all of it.
 * Invariant: everything that is not understood is a fault with its place; reading goes on, so that all are told in one
 * go. */
#ifndef CG_RULES_BUDGET_SCHEMA_H
#define CG_RULES_BUDGET_SCHEMA_H

#include "rules/budget.h"
#include "rules/schema.h"

enum { CG_BUDGET_LONGEST_NAME = 64 };

typedef struct cg_budget_schema {
    cg_schema values; /* how values are taken; its rule is the one that owns what is compiled */
    callgauge_budget *budget;
    size_t limit_room, expectation_room;
} cg_budget_schema;

/* What a key of a mapping does with its value. */
typedef void cg_budget_read_fn(cg_budget_schema *schema, const cg_yaml_node *node, void *into);

typedef struct cg_budget_key {
    const char *name;
    cg_budget_read_fn *read;
} cg_budget_key;

/* Reads the members of a mapping in the order of `keys`; members that are no key are faults. `what` names a key of
 * it. */
void cg_budget_members(cg_budget_schema *schema, const cg_yaml_node *map, const char *what, const cg_budget_key *keys,
                       size_t count, void *into);
/* A fault at a node, in whose message its key comes first. */
void cg_budget_fault(cg_budget_schema *schema, const cg_yaml_node *node, const char *why);
/* Which of `count` words a text is; -1: a fault. */
int cg_budget_word(cg_budget_schema *schema, const cg_yaml_node *node, const char *what, const char *const *words,
                   size_t count);
void cg_budget_severity(cg_budget_schema *schema, const cg_yaml_node *node, callgauge_severity *out);
/* The name of a limit or a sequence, which no other has. */
void cg_budget_name(cg_budget_schema *schema, const cg_yaml_node *node, callgauge_str *out);
/* The items of a list of texts, or a text by itself. NULL: a fault. */
const cg_yaml_node *cg_budget_texts(cg_budget_schema *schema, const cg_yaml_node *node, size_t *count);
/* A word for a call, checked: a name that some system has, "%class", or a name in quotes, which are taken away. */
bool cg_budget_call(cg_budget_schema *schema, const cg_yaml_node *node, callgauge_str *out);
/* The words of calls in `node`, and the known calls that they mean. False: a fault, or no memory. */
bool cg_budget_calls(cg_budget_schema *schema, const cg_yaml_node *node, cg_limit *limit);
/* Appends; NULL: no memory, which was noted. */
cg_limit *cg_budget_add_limit(cg_budget_schema *schema, const cg_limit *limit);

/* Makes the rule "budget:NAME" of a condition, in groups of the values `by` (NULL: none). NULL: a fault, or no
 * memory. */
cg_rule *cg_budget_rule(cg_budget_schema *schema, callgauge_str name, const cg_yaml_node *condition, const char *by);
/* The same of the condition that a call is, or is not, one of the words. */
cg_rule *cg_budget_rule_of_calls(cg_budget_schema *schema, callgauge_str name, const cg_limit *limit, bool is_one,
                                 const char *by);

/* The parts of a budget. */
void cg_budget_read_limits(cg_budget_schema *schema, const cg_yaml_node *node, void *into);
void cg_budget_read_calls(cg_budget_schema *schema, const cg_yaml_node *node, void *into);
void cg_budget_read_paths(cg_budget_schema *schema, const cg_yaml_node *node, void *into);
void cg_budget_read_findings(cg_budget_schema *schema, const cg_yaml_node *node, void *into);
void cg_budget_read_regression(cg_budget_schema *schema, const cg_yaml_node *node, void *into);
void cg_budget_read_expect(cg_budget_schema *schema, const cg_yaml_node *node, void *into);

#endif

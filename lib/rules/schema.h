/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the schema share: the rule being made, and how values of a document are taken. */
#ifndef CG_RULES_SCHEMA_H
#define CG_RULES_SCHEMA_H

#include "rules/rule.h"
#include "rules/yaml_tree.h"

/* A predicate that a rule frees. */
struct cg_owned {
    cg_predicate *predicate;
    struct cg_owned *next;
};

typedef struct cg_schema {
    cg_rule *rule;
    cg_arena *arena;
    cg_faults *faults;
    cg_expression distinct[CG_RULE_DISTINCT];
    size_t distinct_count;
    cg_expression values[CG_RULE_VALUES];
    size_t value_count;
    uint32_t floor_traits; /* that each line of at_least needs */
    bool floor_time;       /* each line needs durations, of any kind */
} cg_schema;

/* All add a fault and give false, or NULL, when the value is not what is expected. */
bool cg_schema_text(cg_schema *schema, const cg_yaml_node *node, callgauge_str *out);
bool cg_schema_map(cg_schema *schema, const cg_yaml_node *node);
/* Digits, at least `least`. */
bool cg_schema_count(cg_schema *schema, const cg_yaml_node *node, uint64_t least, uint64_t *out);
/* A number with the unit of its type; plain ones are of any type. */
bool cg_schema_number(cg_schema *schema, const cg_yaml_node *node, cg_type type, double *out);
bool cg_schema_share(cg_schema *schema, const cg_yaml_node *node, double *out);
cg_predicate *cg_schema_condition(cg_schema *schema, const cg_yaml_node *node, cg_subject of, cg_scope *names);
bool cg_schema_expression(cg_schema *schema, const cg_yaml_node *node, cg_subject of, cg_scope *names,
                          cg_expression *out);
/* A copy in the arena; NULL: no memory, which was noted. `size` of 0 is fine. */
void *cg_schema_keep(cg_schema *schema, const void *from, size_t size);
/* A fault at a node, and the known name that the wrong one is nearest to. */
void cg_schema_unknown(cg_schema *schema, cg_place place, const char *what, callgauge_str wrong,
                       const char *const *known, size_t count);

void cg_schema_floors(cg_schema *schema, const cg_yaml_node *node);
void cg_schema_examples(cg_schema *schema, const cg_yaml_node *node);
void cg_schema_message(cg_schema *schema, const cg_yaml_node *node);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* From parsed parts to typed nodes: names are resolved where it is known what they stand beside, types are checked,
 * what is needed is collected. Every function gives NULL after a failure, which is then in the compiler. */
#ifndef CG_PREDICATE_CHECK_H
#define CG_PREDICATE_CHECK_H

#include "predicate/lex.h"
#include "predicate/tree.h"

enum { CG_NO_INDEX = INT32_MAX };

/* What compiling one text takes. */
typedef struct cg_compiler {
    const cg_predicate_source *source;
    callgauge_str text; /* the predicate's copy */
    cg_predicate *out;
    cg_subject of;
    cg_scope *scope; /* NULL: none */
    callgauge_error *err;
    callgauge_status status;
    callgauge_status refusal; /* what a complaint gives, when not E_USAGE */
    cg_token token;           /* the next one */
    unsigned depth;           /* of the parser */
} cg_compiler;

/* Notes the first error: of bytes [begin, end) of the text. Always NULL. */
cg_node *cg_complain(cg_compiler *c, uint32_t begin, const char *format, ...) __attribute__((format(printf, 3, 4)));
cg_node *cg_complain_nomem(cg_compiler *c);

/* Without children yet. */
cg_node *cg_node_new(cg_compiler *c, cg_op op, uint32_t begin, uint32_t end);

/* `first(a.fd)`; `name` is the WORD between the parentheses. */
cg_node *cg_check_pick(cg_compiler *c, const cg_token *pick, cg_node *name);
cg_node *cg_check_calculation(cg_compiler *c, cg_op op, cg_node *left, cg_node *right);
cg_node *cg_check_comparison(cg_compiler *c, cg_op op, cg_node *left, cg_node *right);
/* `first` of `list`, whose nodes are siblings. */
cg_node *cg_check_in(cg_compiler *c, cg_op op, cg_node *left, cg_node *list, uint32_t end);
/* contains, startswith, endswith, matches. */
cg_node *cg_check_text(cg_compiler *c, cg_op op, cg_node *left, cg_node *right);
cg_node *cg_check_absent(cg_compiler *c, cg_node *value, uint32_t begin, uint32_t end);
cg_node *cg_check_not(cg_compiler *c, cg_node *node, uint32_t begin);
/* `list`: siblings. */
cg_node *cg_check_joined(cg_compiler *c, cg_op op, cg_node *list);
/* A whole condition, or a value of any type. */
cg_node *cg_check_condition(cg_compiler *c, cg_node *node);
cg_node *cg_check_value(cg_compiler *c, cg_node *node);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Types. A bare word is a field, or where a class, a kind of file, an error, a call or a signal is expected, the name
 * of one: so `class == time` asks for the class, although there is a field of that name. */
#include "predicate/check.h"

#include <stdio.h>

#include "base/str.h"
#include "predicate/compare.h"
#include "predicate/resolve.h"

cg_node *cg_node_new(cg_compiler *c, cg_op op, uint32_t begin, uint32_t end)
{
    if (c->out->node_count++ >= CG_TREE_NODES) {
        return cg_complain(c, begin, "more than %d parts", CG_TREE_NODES);
    }
    cg_node *node = cg_arena_alloc(&c->out->arena, sizeof *node);
    if (node == NULL) {
        return cg_complain_nomem(c);
    }
    *node = (cg_node){ .op = (uint8_t)op, .depth = 1, .atom = -1, .begin = begin, .end = end, .index = CG_NO_INDEX };
    return node;
}

static const char *type_text(const cg_node *node)
{
    static const char *const texts[] = {
        [CG_TYPE_BOOL] = "a condition", [CG_TYPE_NUMBER] = "a number",      [CG_TYPE_BYTES] = "a size",
        [CG_TYPE_TIME] = "a time",      [CG_TYPE_MOMENT] = "a moment",      [CG_TYPE_TEXT] = "a text",
        [CG_TYPE_WORD] = "a name",      [CG_TYPE_CLASS] = "a class",        [CG_TYPE_KIND] = "a kind of file",
        [CG_TYPE_ORDER] = "an order",   [CG_TYPE_FLAGS] = "a set of flags", [CG_TYPE_ARG] = "an argument",
    };
    return texts[node->type];
}

static bool is_condition(const cg_node *node)
{
    return node->op >= CG_OP_EQ;
}

/* Gives a node its children, from `first` on. */
static cg_node *adopt(cg_compiler *c, cg_node *node, cg_node *first)
{
    if (node == NULL) {
        return NULL;
    }
    node->first = first;
    node->by_name = c->of == CG_OF_EVENTS;
    unsigned depth = 0;
    for (const cg_node *child = first; child != NULL; child = child->next) {
        depth = child->depth > depth ? child->depth : depth;
        node->by_name = node->by_name && child->by_name;
    }
    if (depth + 1 > CG_TREE_DEPTH) {
        return cg_complain(c, node->begin, "nested more than %d deep", CG_TREE_DEPTH);
    }
    node->depth = (uint8_t)(depth + 1);
    return node;
}

static cg_node *pair(cg_compiler *c, cg_op op, cg_node *left, cg_node *right)
{
    left->next = right;
    right->next = NULL;
    return adopt(c, cg_node_new(c, op, left->begin, right->end), left);
}

/* A field by itself, or anything that is no condition. */
static cg_node *value_of(cg_compiler *c, cg_node *node)
{
    node = cg_resolve(c, node, NULL);
    if (node != NULL && is_condition(node)) {
        return cg_complain(c, node->begin, "a condition stands where a value is expected");
    }
    return node;
}

cg_node *cg_check_value(cg_compiler *c, cg_node *node)
{
    return cg_resolve(c, node, NULL);
}

cg_node *cg_check_condition(cg_compiler *c, cg_node *node)
{
    node = cg_resolve(c, node, NULL);
    if (node == NULL || is_condition(node)) {
        return node;
    }
    if (node->type != CG_TYPE_BOOL) {
        return cg_complain(c, node->begin, "this is %s, not a condition: compare it with something", type_text(node));
    }
    return adopt(c, cg_node_new(c, CG_OP_HOLDS, node->begin, node->end), node);
}

/* --- calculations */

static bool is_quantity(const cg_node *node)
{
    return node->type == CG_TYPE_NUMBER || node->type == CG_TYPE_BYTES || node->type == CG_TYPE_TIME ||
           node->type == CG_TYPE_ARG;
}

static cg_type as_quantity(const cg_node *node)
{
    return node->type == CG_TYPE_ARG ? CG_TYPE_NUMBER : (cg_type)node->type;
}

/* The type of a sum or difference; false: there is none. */
static bool type_of_sum(cg_op op, const cg_node *left, const cg_node *right, cg_type *type)
{
    if (left->type == CG_TYPE_MOMENT) {
        *type = right->type == CG_TYPE_MOMENT ? CG_TYPE_TIME : CG_TYPE_MOMENT;
        return right->type == CG_TYPE_TIME || (right->type == CG_TYPE_MOMENT && op == CG_OP_SUB);
    }
    if (!is_quantity(left) || !is_quantity(right)) {
        return false;
    }
    cg_type a = as_quantity(left);
    cg_type b = as_quantity(right);
    *type = a == CG_TYPE_NUMBER ? b : a;
    return a == b || (a != CG_TYPE_TIME && b != CG_TYPE_TIME);
}

static bool type_of_product(const cg_node *left, const cg_node *right, cg_type *type)
{
    if (!is_quantity(left) || !is_quantity(right)) {
        return false;
    }
    cg_type a = as_quantity(left);
    cg_type b = as_quantity(right);
    *type = a == CG_TYPE_NUMBER ? b : a;
    return a == CG_TYPE_NUMBER || b == CG_TYPE_NUMBER;
}

cg_node *cg_check_calculation(cg_compiler *c, cg_op op, cg_node *left, cg_node *right)
{
    left = value_of(c, left);
    right = left == NULL ? NULL : value_of(c, right);
    if (right == NULL) {
        return NULL;
    }
    cg_type type;
    bool good = op == CG_OP_MUL ? type_of_product(left, right, &type) : type_of_sum(op, left, right, &type);
    if (!good) {
        const char *how = op == CG_OP_ADD ? "added" : op == CG_OP_SUB ? "subtracted" : "multiplied";
        return cg_complain(c, right->begin, "%s and %s cannot be %s", type_text(left), type_text(right), how);
    }
    cg_node *node = pair(c, op, left, right);
    if (node != NULL) {
        node->type = (uint8_t)type;
    }
    return node;
}

/* --- comparisons */

static bool is_zero(const cg_node *node)
{
    return node->op == CG_OP_CONST && node->type == CG_TYPE_NUMBER && !node->constant.is_real &&
           node->constant.number == 0;
}

static bool is_text(const cg_node *node)
{
    return node->type == CG_TYPE_TEXT || node->type == CG_TYPE_WORD;
}

/* What has an order and can be set against the other. */
static bool numbers_fit(const cg_node *a, const cg_node *b)
{
    if (a->type == CG_TYPE_MOMENT || b->type == CG_TYPE_MOMENT) {
        return a->type == b->type;
    }
    if (!is_quantity(a) || !is_quantity(b)) {
        return false;
    }
    if (a->type == CG_TYPE_TIME || b->type == CG_TYPE_TIME) {
        return a->type == b->type || is_zero(a) || is_zero(b);
    }
    return true;
}

/* What is equal or not, and no more. */
static bool likes_fit(const cg_node *a, const cg_node *b, cg_how *how)
{
    if (a->type == b->type &&
        (a->type == CG_TYPE_BOOL || a->type == CG_TYPE_CLASS || a->type == CG_TYPE_KIND || a->type == CG_TYPE_ORDER)) {
        *how = CG_HOW_NUMBER;
        return true;
    }
    *how = CG_HOW_TEXT;
    return (is_text(a) || a->type == CG_TYPE_ARG) && (is_text(b) || b->type == CG_TYPE_ARG);
}

static cg_node *clash(cg_compiler *c, const cg_node *left, const cg_node *right)
{
    const char *hint = "";
    if (left->type == CG_TYPE_TIME && right->type == CG_TYPE_NUMBER) {
        hint = ": give it a unit, as in 10ms";
    } else if (left->type == CG_TYPE_MOMENT) {
        hint = ": `time` is the time since the capture began";
    } else if (left->type == CG_TYPE_FLAGS) {
        hint = ": ask what it `contains`";
    }
    return cg_complain(c, right->begin, "%s cannot be compared with %s%s", type_text(left), type_text(right), hint);
}

/* How `left op right` is judged; false after a failure. */
static bool settle_how(cg_compiler *c, cg_op op, const cg_node *left, const cg_node *right, cg_how *how)
{
    bool both_args = left->type == CG_TYPE_ARG && right->type == CG_TYPE_ARG;
    if (!both_args && numbers_fit(left, right)) {
        *how = CG_HOW_NUMBER;
        return true;
    }
    if (!likes_fit(left, right, how)) {
        clash(c, left, right);
        return false;
    }
    if (op != CG_OP_EQ && op != CG_OP_NE) {
        cg_complain(c, right->begin, "%s has no order: only == and != compare it", type_text(left));
        return false;
    }
    return true;
}

/* Both sides, each resolved by what the other one is. */
static bool resolve_both(cg_compiler *c, cg_node **left, cg_node **right)
{
    *left = value_of(c, *left);
    if (*left == NULL) {
        return false;
    }
    *right = cg_resolve(c, *right, *left);
    if (*right != NULL && is_condition(*right)) {
        *right = cg_complain(c, (*right)->begin, "a comparison cannot be compared: join the two by `and`");
    }
    return *right != NULL;
}

/* Which numbers a comparison of a class, kind or order with a constant lets pass. */
static bool as_mask(cg_op op, const cg_node *left, const cg_node *right, uint32_t *mask)
{
    bool listed = left->type == CG_TYPE_CLASS || left->type == CG_TYPE_KIND || left->type == CG_TYPE_ORDER;
    if (!listed || right->op != CG_OP_CONST) {
        return false;
    }
    uint32_t bit = (uint32_t)1 << right->constant.number;
    *mask = op == CG_OP_NE ? ~bit : bit;
    return true;
}

static cg_node *one_of(cg_compiler *c, cg_node *left, uint32_t mask, uint32_t end)
{
    left->next = NULL;
    cg_node *node = adopt(c, cg_node_new(c, CG_OP_ONE_OF, left->begin, end), left);
    if (node != NULL) {
        node->mask = mask;
    }
    return node;
}

cg_node *cg_check_comparison(cg_compiler *c, cg_op op, cg_node *left, cg_node *right)
{
    cg_how how;
    uint32_t mask;
    if (left->op >= CG_OP_EQ) {
        return cg_complain(c, right->begin, "a comparison cannot be compared: join the two by `and`");
    }
    if (!resolve_both(c, &left, &right) || !settle_how(c, op, left, right, &how)) {
        return NULL;
    }
    if ((op == CG_OP_EQ || op == CG_OP_NE) && as_mask(op, left, right, &mask)) {
        return one_of(c, left, mask, right->end);
    }
    cg_node *node = pair(c, op, left, right);
    if (node != NULL) {
        node->how = (uint8_t)how;
    }
    return node;
}

cg_node *cg_check_in(cg_compiler *c, cg_op op, cg_node *left, cg_node *list, uint32_t end)
{
    cg_how how = CG_HOW_NUMBER;
    uint32_t mask = 0;
    bool all_listed = true;
    cg_node *first = NULL, **last = &first;
    if (left->op >= CG_OP_EQ) {
        return cg_complain(c, left->begin, "a condition stands where a value is expected");
    }
    for (cg_node *next; list != NULL; list = next) {
        next = list->next;
        uint32_t bit = 0;
        if (!resolve_both(c, &left, &list) || !settle_how(c, CG_OP_EQ, left, list, &how)) {
            return NULL;
        }
        all_listed = all_listed && as_mask(CG_OP_EQ, left, list, &bit);
        mask |= bit;
        list->how = (uint8_t)how;
        list->next = NULL;
        *last = list;
        last = &list->next;
    }
    if (all_listed) {
        return one_of(c, left, op == CG_OP_IN ? mask : ~mask, end);
    }
    left->next = first;
    return adopt(c, cg_node_new(c, op, left->begin, end), left);
}

/* --- texts */

static cg_node *add_pattern(cg_compiler *c, cg_node *node, const cg_node *text)
{
    cg_predicate *out = c->out;
    if (out->pattern_count == out->pattern_room) {
        size_t room = out->pattern_room == 0 ? 4 : out->pattern_room * 2;
        cg_pattern **patterns = cg_arena_alloc(&out->arena, room * sizeof(cg_pattern *));
        if (patterns == NULL) {
            return cg_complain_nomem(c);
        }
        if (out->pattern_count > 0) {
            memcpy(patterns, out->patterns, out->pattern_count * sizeof(cg_pattern *));
        }
        out->patterns = patterns;
        out->pattern_room = room;
    }
    char message[CG_PATTERN_MESSAGE] = "";
    size_t at = 0;
    callgauge_status status = cg_pattern_compile(text->constant.text, &out->patterns[out->pattern_count], &at, message);
    if (status == CALLGAUGE_OK) {
        node->index = (uint32_t)out->pattern_count++;
        return node;
    }
    if (status == CALLGAUGE_E_NOMEM) {
        return cg_complain_nomem(c);
    }
    if (status == CALLGAUGE_E_UNSUPPORTED) {
        c->refusal = status;
        return cg_complain(c, node->begin, "`matches` needs a build with PCRE2");
    }
    return cg_complain(c, cg_lex_string_byte(c->text, text->begin, text->end, at), "regular expression: %s", message);
}

static bool has_text(const cg_node *node)
{
    return is_text(node) || node->type == CG_TYPE_ARG || node->type == CG_TYPE_FLAGS;
}

/* `contains O_APPEND` asks for a whole flag, `contains 'APPEND'` for a part of the text. */
static cg_op settle_contains(cg_op op, const cg_node *left, const cg_node *right)
{
    bool flags = left->type == CG_TYPE_FLAGS || (left->type == CG_TYPE_ARG && right->is_word);
    return op == CG_OP_CONTAINS && flags ? CG_OP_HAS_FLAG : op;
}

cg_node *cg_check_text(cg_compiler *c, cg_op op, cg_node *left, cg_node *right)
{
    left = value_of(c, left);
    if (left == NULL) {
        return NULL;
    }
    if (!has_text(left)) {
        return cg_complain(c, left->begin, "%s is no text: `contains`, `startswith`, `endswith`, `matches` need one",
                           type_text(left));
    }
    bool word_fits = left->type == CG_TYPE_FLAGS || left->type == CG_TYPE_ARG;
    right = cg_resolve(c, right, word_fits ? left : NULL);
    if (right == NULL) {
        return NULL;
    }
    bool pattern = op == CG_OP_MATCHES;
    if (is_condition(right) || !(is_text(right) || right->type == CG_TYPE_ARG) ||
        (pattern && right->op != CG_OP_CONST)) {
        return cg_complain(c, right->begin,
                           pattern ? "a regular expression in quotes is expected" : "a text is expected");
    }
    cg_node *node = pair(c, settle_contains(op, left, right), left, right);
    return node != NULL && pattern ? add_pattern(c, node, right) : node;
}

/* --- joining */

cg_node *cg_check_absent(cg_compiler *c, cg_node *value, uint32_t begin, uint32_t end)
{
    value = value_of(c, value);
    return value == NULL ? NULL : adopt(c, cg_node_new(c, CG_OP_ABSENT, begin, end), value);
}

cg_node *cg_check_not(cg_compiler *c, cg_node *node, uint32_t begin)
{
    node = cg_check_condition(c, node);
    return node == NULL ? NULL : adopt(c, cg_node_new(c, CG_OP_NOT, begin, node->end), node);
}

cg_node *cg_check_joined(cg_compiler *c, cg_op op, cg_node *list)
{
    cg_node *first = NULL, **last = &first;
    uint32_t begin = list->begin;
    uint32_t end = list->end;
    for (cg_node *next; list != NULL; list = next) {
        next = list->next;
        list->next = NULL;
        list = cg_check_condition(c, list);
        if (list == NULL) {
            return NULL;
        }
        end = list->end;
        *last = list;
        last = &list->next;
    }
    return adopt(c, cg_node_new(c, op, begin, end), first);
}

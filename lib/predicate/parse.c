/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar, by recursive descent; each part is checked as soon as it is whole.
 *
 *     condition  = and { "or" and }            and = not { "and" not }          not = "not" not | comparison
 *     comparison = sum [ OP sum | [ "not" ] "in" "(" sum { "," sum } ")" ]
 *     sum        = product { ("+" | "-") product }        product = part { "*" part }, rows only
 *     part       = "-" part | NUMBER | STRING | "(" condition ")" | "absent" "(" sum ")"
 *                | ("first" | "last" | "sum") "(" NAME ")" | NAME [ "[" NUMBER "]" ] */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/str.h"
#include "predicate/check.h"
#include "predicate/fields.h"

/* --- errors */

/* The line of the text around `begin` and a caret below it, for the end of a message. Captured bytes never come here,
 * but what the user wrote may still be anything. */
static void draw(callgauge_str text, uint32_t begin, char *to, size_t room)
{
    enum { WIDTH = 60, BEFORE = 40 };
    uint32_t from = begin;
    while (from > 0 && text.ptr[from - 1] != '\n' && begin - from < BEFORE) {
        from--;
    }
    char line[WIDTH + 1];
    int column = 0;
    int len = 0;
    for (uint32_t i = from; i < text.len && text.ptr[i] != '\n' && len < WIDTH; i++) {
        unsigned char byte = (unsigned char)text.ptr[i];
        line[len++] = byte == '\t' ? ' ' : byte < 0x20 || byte == 0x7f ? '?' : (char)byte;
        column += i < begin && (byte & 0xC0) != 0x80;
    }
    line[len] = '\0';
    snprintf(to, room, "\n  %s\n  %*s^", line, column, "");
}

static cg_place place_of(const cg_compiler *c, uint32_t begin)
{
    cg_place place = c->source->place;
    place.line += place.line == 0;
    place.column += place.column == 0;
    place.offset += begin;
    place.column += begin;
    for (uint32_t i = 0; i < begin; i++) {
        if (c->text.ptr[i] == '\n') {
            place.line++;
            place.offset += c->source->indent;
            place.column = c->source->indent + begin - i;
        }
    }
    return place;
}

cg_node *cg_complain(cg_compiler *c, uint32_t begin, const char *format, ...)
{
    char what[120];
    char drawn[140];
    if (c->status != CALLGAUGE_OK) {
        return NULL;
    }
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    draw(c->text, begin, drawn, sizeof drawn);
    const callgauge_status refusal = c->refusal != CALLGAUGE_OK ? c->refusal : CALLGAUGE_E_USAGE;
    c->status = cg_fail(c->err, refusal, place_of(c, begin), "%s%s", what, drawn);
    return NULL;
}

cg_node *cg_complain_nomem(cg_compiler *c)
{
    if (c->status == CALLGAUGE_OK) {
        c->status = cg_fail_nomem(c->err);
    }
    return NULL;
}

/* --- tokens */

/* Takes the next token; false after a failure. */
static bool advance(cg_compiler *c)
{
    c->token = cg_lex(c->text, c->token.end, &c->out->arena);
    if (c->token.kind != CG_TOKEN_BAD) {
        return true;
    }
    if (c->token.fault == NULL) {
        cg_complain_nomem(c);
    } else {
        cg_complain(c, c->token.begin, "%s", c->token.fault);
    }
    return false;
}

static bool at(const cg_compiler *c, const char *text)
{
    return cg_token_is(&c->token, text);
}

static bool expect(cg_compiler *c, const char *sign)
{
    if (!at(c, sign)) {
        cg_complain(c, c->token.begin, "'%s' is expected", sign);
        return false;
    }
    return advance(c);
}

/* --- the grammar */

static cg_node *parse_condition(cg_compiler *c);
static cg_node *parse_sum(cg_compiler *c);
static cg_node *parse_part(cg_compiler *c);

static bool deeper(cg_compiler *c)
{
    if (++c->depth > CG_TREE_DEPTH) {
        cg_complain(c, c->token.begin, "nested more than %d deep", CG_TREE_DEPTH);
        return false;
    }
    return true;
}

static cg_node *parse_constant(cg_compiler *c)
{
    cg_node *node = cg_node_new(c, CG_OP_CONST, c->token.begin, c->token.end);
    if (node == NULL) {
        return NULL;
    }
    node->constant = c->token.value;
    node->type = (uint8_t)node->constant.type;
    node->by_name = true;
    return advance(c) ? node : NULL;
}

static bool is_keyword(const cg_token *token)
{
    static const char *const words[] = { "and", "or", "not", "in", "contains", "startswith", "endswith", "matches" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (cg_token_is(token, words[i])) {
            return true;
        }
    }
    return false;
}

/* NAME [ "[" NUMBER "]" ], unresolved. */
static cg_node *parse_name(cg_compiler *c)
{
    enum { MOST_ARGUMENTS = 64 };
    if (c->token.kind != CG_TOKEN_NAME || is_keyword(&c->token)) {
        return cg_complain(c, c->token.begin, "a field is expected");
    }
    cg_node *node = cg_node_new(c, CG_OP_WORD, c->token.begin, c->token.end);
    if (node == NULL || !advance(c)) {
        return NULL;
    }
    if (!at(c, "[")) {
        return node;
    }
    if (!advance(c)) {
        return NULL;
    }
    const cg_value *value = &c->token.value;
    if (c->token.kind != CG_TOKEN_NUMBER || value->type != CG_TYPE_NUMBER || value->is_real ||
        value->number >= MOST_ARGUMENTS) {
        return cg_complain(c, c->token.begin, "the number of an argument, 0 to %d, is expected", MOST_ARGUMENTS - 1);
    }
    node->index = (uint32_t)value->number;
    if (!advance(c)) {
        return NULL;
    }
    node->end = c->token.end;
    return expect(c, "]") ? node : NULL;
}

/* What is called with one value in parentheses. The name has been taken. */
static cg_node *parse_function(cg_compiler *c, const cg_token *name)
{
    cg_node *value = NULL;
    if (!deeper(c) || !expect(c, "(")) {
        return NULL;
    }
    bool absent = cg_token_is(name, "absent");
    value = absent ? parse_sum(c) : parse_name(c);
    uint32_t end = c->token.end;
    if (value == NULL || !expect(c, ")")) {
        return NULL;
    }
    c->depth--;
    return absent ? cg_check_absent(c, value, name->begin, end) : cg_check_pick(c, name, value);
}

static cg_node *parse_group(cg_compiler *c)
{
    if (!deeper(c) || !advance(c)) {
        return NULL;
    }
    cg_node *node = parse_condition(c);
    if (node == NULL || !expect(c, ")")) {
        return NULL;
    }
    c->depth--;
    return node;
}

static cg_node *negated(cg_compiler *c, cg_node *node, uint32_t begin)
{
    if (node->op == CG_OP_CONST && node->type != CG_TYPE_TEXT) {
        node->constant.number = -node->constant.number;
        node->constant.real = -node->constant.real;
        node->begin = begin;
        return node;
    }
    cg_node *zero = cg_node_new(c, CG_OP_CONST, begin, begin + 1);
    if (zero == NULL) {
        return NULL;
    }
    node = cg_check_value(c, node);
    if (node == NULL) {
        return NULL;
    }
    zero->type = node->type == CG_TYPE_TIME || node->type == CG_TYPE_BYTES ? node->type : CG_TYPE_NUMBER;
    zero->constant = (cg_value){ .known = CG_KNOWN, .type = (cg_type)zero->type };
    return cg_check_calculation(c, CG_OP_SUB, zero, node);
}

static cg_node *parse_negated(cg_compiler *c)
{
    uint32_t begin = c->token.begin;
    if (!deeper(c) || !advance(c)) {
        return NULL;
    }
    cg_node *node = parse_part(c);
    c->depth--;
    return node == NULL ? NULL : negated(c, node, begin);
}

/* Whether an opening parenthesis follows the token at hand, which then is a function. */
static bool is_called(const cg_compiler *c)
{
    static const char *const names[] = { "absent", "first", "last", "sum" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (at(c, names[i])) {
            uint32_t next = c->token.end;
            while (next < c->text.len && cg_is_blank(c->text.ptr[next])) {
                next++;
            }
            return next < c->text.len && c->text.ptr[next] == '(';
        }
    }
    return false;
}

static cg_node *parse_part(cg_compiler *c)
{
    if (c->token.kind == CG_TOKEN_NUMBER || c->token.kind == CG_TOKEN_STRING) {
        return parse_constant(c);
    }
    if (at(c, "(")) {
        return parse_group(c);
    }
    if (at(c, "-")) {
        return parse_negated(c);
    }
    if (is_called(c)) {
        const cg_token name = c->token;
        return advance(c) ? parse_function(c, &name) : NULL;
    }
    if (c->token.kind == CG_TOKEN_END) {
        return cg_complain(c, c->token.begin, "the expression ends where a value is expected");
    }
    if (c->token.kind != CG_TOKEN_NAME || is_keyword(&c->token)) {
        return cg_complain(c, c->token.begin, "a value is expected");
    }
    return parse_name(c);
}

static cg_node *parse_product(cg_compiler *c)
{
    cg_node *left = parse_part(c);
    while (left != NULL && at(c, "*")) {
        if (c->of == CG_OF_EVENTS) {
            return cg_complain(c, c->token.begin, "'*' is for rows only");
        }
        cg_node *right = advance(c) ? parse_part(c) : NULL;
        left = right == NULL ? NULL : cg_check_calculation(c, CG_OP_MUL, left, right);
    }
    return left;
}

static cg_node *parse_sum(cg_compiler *c)
{
    cg_node *left = parse_product(c);
    while (left != NULL && (at(c, "+") || at(c, "-"))) {
        const cg_op op = at(c, "+") ? CG_OP_ADD : CG_OP_SUB;
        cg_node *right = advance(c) ? parse_product(c) : NULL;
        left = right == NULL ? NULL : cg_check_calculation(c, op, left, right);
    }
    return left;
}

static bool find_comparison(const cg_compiler *c, cg_op *op)
{
    static const struct {
        const char *text;
        cg_op op;
    } known[] = {
        { "==", CG_OP_EQ },
        { "!=", CG_OP_NE },
        { "<=", CG_OP_LE },
        { "<", CG_OP_LT },
        { ">=", CG_OP_GE },
        { ">", CG_OP_GT },
        { "contains", CG_OP_CONTAINS },
        { "startswith", CG_OP_STARTS },
        { "endswith", CG_OP_ENDS },
        { "matches", CG_OP_MATCHES },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (at(c, known[i].text)) {
            *op = known[i].op;
            return true;
        }
    }
    return false;
}

static cg_node *parse_in(cg_compiler *c, cg_op op, cg_node *left)
{
    cg_node *first = NULL, **last = &first;
    if (!advance(c) || !expect(c, "(")) {
        return NULL;
    }
    for (;;) {
        cg_node *node = parse_sum(c);
        if (node == NULL) {
            return NULL;
        }
        *last = node;
        last = &node->next;
        if (!at(c, ",")) {
            break;
        }
        if (!advance(c)) {
            return NULL;
        }
    }
    uint32_t end = c->token.end;
    return expect(c, ")") ? cg_check_in(c, op, left, first, end) : NULL;
}

static cg_node *parse_not_in(cg_compiler *c, cg_node *left)
{
    if (!advance(c)) {
        return NULL;
    }
    if (!at(c, "in")) {
        return cg_complain(c, c->token.begin, "'in' is expected behind the 'not' of a value");
    }
    return parse_in(c, CG_OP_NOT_IN, left);
}

static cg_node *parse_comparison(cg_compiler *c)
{
    cg_node *left = parse_sum(c);
    cg_op op;
    while (left != NULL) {
        if (at(c, "in")) {
            left = parse_in(c, CG_OP_IN, left);
        } else if (at(c, "not")) {
            left = parse_not_in(c, left);
        } else if (find_comparison(c, &op)) {
            cg_node *right = advance(c) ? parse_sum(c) : NULL;
            left = right == NULL   ? NULL
                   : op < CG_OP_IN ? cg_check_comparison(c, op, left, right)
                                   : cg_check_text(c, op, left, right);
        } else {
            break;
        }
    }
    return left;
}

static cg_node *parse_not(cg_compiler *c)
{
    uint32_t begin = c->token.begin;
    if (!at(c, "not")) {
        return parse_comparison(c);
    }
    if (!deeper(c) || !advance(c)) {
        return NULL;
    }
    cg_node *node = parse_not(c);
    c->depth--;
    return node == NULL ? NULL : cg_check_not(c, node, begin);
}

/* Parts joined by a word; one part stays what it is. */
static cg_node *parse_joined(cg_compiler *c, const char *word, cg_op op, cg_node *(*part)(cg_compiler *))
{
    cg_node *first = part(c);
    if (first == NULL || !at(c, word)) {
        return first;
    }
    cg_node **last = &first->next;
    while (at(c, word)) {
        cg_node *node = advance(c) ? part(c) : NULL;
        if (node == NULL) {
            return NULL;
        }
        *last = node;
        last = &node->next;
    }
    return cg_check_joined(c, op, first);
}

static cg_node *parse_and(cg_compiler *c)
{
    return parse_joined(c, "and", CG_OP_AND, parse_not);
}

static cg_node *parse_condition(cg_compiler *c)
{
    return parse_joined(c, "or", CG_OP_OR, parse_and);
}

/* --- what must hold */

static bool reads_slots(const cg_node *node)
{
    if (node->op == CG_OP_SLOT) {
        return true;
    }
    for (const cg_node *child = node->first; child != NULL; child = child->next) {
        if (reads_slots(child)) {
            return true;
        }
    }
    return false;
}

static bool note_tie(cg_predicate *out, const cg_node *part)
{
    if (part->op != CG_OP_EQ) {
        return true;
    }
    const cg_node *left = part->first;
    const cg_node *right = left->next;
    const cg_node *slot = right->op == CG_OP_SLOT ? right : left;
    const cg_node *value = slot == right ? left : right;
    if (slot->op != CG_OP_SLOT || reads_slots(value)) {
        return true;
    }
    cg_tie *tie = cg_arena_alloc(&out->arena, sizeof *tie);
    if (tie != NULL) {
        *tie = (cg_tie){ slot->index, value, out->ties };
        out->ties = tie;
    }
    return tie != NULL;
}

static bool note_ties(cg_predicate *out)
{
    if (out->root->op != CG_OP_AND) {
        return note_tie(out, out->root);
    }
    for (const cg_node *part = out->root->first; part != NULL; part = part->next) {
        if (!note_tie(out, part)) {
            return false;
        }
    }
    return true;
}

/* --- how its value is read */

static bool is_count(const cg_scope *scope, const cg_node *node)
{
    switch (node->op) {
    case CG_OP_CONST: return true;
    case CG_OP_FIELD: return (node->field->reads & CG_READS_COUNT) != 0;
    case CG_OP_SLOT: return cg_scope_slot(scope, node->index)->pick == CG_PICK_COUNT;
    default: break;
    }
    for (const cg_node *child = node->first; child != NULL; child = child->next) {
        if (!is_count(scope, child)) {
            return false;
        }
    }
    return true;
}

static cg_quantity quantity_of(const cg_scope *scope, const cg_node *root)
{
    switch (root->type) {
    case CG_TYPE_TIME: return CG_QUANTITY_TIME;
    case CG_TYPE_BYTES: return CG_QUANTITY_SIZE;
    case CG_TYPE_NUMBER: return is_count(scope, root) ? CG_QUANTITY_COUNT : CG_QUANTITY_NONE;
    default: return CG_QUANTITY_NONE;
    }
}

/* --- the whole */

/* About what it takes to judge a condition: arguments have to be found in the line, texts be searched. */
static unsigned cost_of(const cg_node *node)
{
    unsigned cost = node->op == CG_OP_MATCHES ? 8 : node->op == CG_OP_CONTAINS || node->op == CG_OP_HAS_FLAG ? 4 : 1;
    if (node->op == CG_OP_FIELD) {
        cost = (node->field->reads & CG_READS_LINE) != 0 ? 6 : 1;
    }
    for (const cg_node *child = node->first; child != NULL; child = child->next) {
        cost += cost_of(child);
    }
    return cost;
}

/* Which of the parts that `and` and `or` join is judged first does not matter to the truth: the cheap ones, then. */
static void order_parts(cg_node *node)
{
    cg_node *sorted = NULL;
    for (cg_node *child = node->first, *next; child != NULL; child = next) {
        next = child->next;
        order_parts(child);
        if (node->op == CG_OP_AND || node->op == CG_OP_OR) {
            cg_node **at = &sorted;
            while (*at != NULL && cost_of(*at) <= cost_of(child)) {
                at = &(*at)->next;
            }
            child->next = *at;
            *at = child;
        }
    }
    node->first = sorted == NULL ? node->first : sorted;
}

/* Each condition gets a bit in what is remembered by kind of call, the outer ones first. */
static void number_atoms(cg_predicate *predicate, cg_node *node)
{
    if (node->op >= CG_OP_EQ && predicate->atom_count < CG_TREE_ATOMS) {
        node->atom = (int8_t)predicate->atom_count++;
    }
    for (cg_node *child = node->first; child != NULL; child = child->next) {
        number_atoms(predicate, child);
    }
}

static cg_node *parse_all(cg_compiler *c, bool condition)
{
    if (!advance(c)) {
        return NULL;
    }
    if (c->token.kind == CG_TOKEN_END) {
        return cg_complain(c, 0, "the expression is empty");
    }
    cg_node *root = parse_condition(c);
    if (root != NULL && c->token.kind != CG_TOKEN_END) {
        return cg_complain(c, c->token.begin, "`and`, `or` or the end is expected");
    }
    if (root == NULL) {
        return NULL;
    }
    return condition ? cg_check_condition(c, root) : cg_check_value(c, root);
}

static callgauge_status compile(const cg_predicate_source *source, cg_subject of, cg_scope *scope, bool condition,
                                cg_predicate **out, callgauge_error *err)
{
    if (source->text.len > CG_TREE_TEXT) {
        return cg_fail(err, CALLGAUGE_E_USAGE, source->place, "longer than %d bytes", CG_TREE_TEXT);
    }
    cg_predicate *predicate = cg_mem_zeroed(1, sizeof *predicate);
    if (predicate == NULL) {
        return cg_fail_nomem(err);
    }
    cg_compiler c = { .source = source, .out = predicate, .of = of, .scope = scope, .err = err };
    predicate->scope = scope;
    predicate->info.of = of;
    predicate->info.traits = cg_subject_traits(of);
    if (!cg_arena_str(&predicate->arena, source->text, &c.text)) {
        cg_complain_nomem(&c);
    } else {
        predicate->info.text = c.text;
        predicate->path = cg_field_find(CG_OF_EVENTS, cg_str_z("path"));
        predicate->root = parse_all(&c, condition);
    }
    if (predicate->root != NULL && !note_ties(predicate)) {
        cg_complain_nomem(&c);
    }
    if (c.status != CALLGAUGE_OK) {
        cg_predicate_free(predicate);
        return c.status;
    }
    order_parts(predicate->root);
    number_atoms(predicate, predicate->root);
    predicate->info.is_condition = predicate->root->op >= CG_OP_EQ;
    predicate->info.quantity = condition ? CG_QUANTITY_NONE : quantity_of(scope, predicate->root);
    predicate->info.type = condition ? CG_TYPE_BOOL : (cg_type)predicate->root->type;
    *out = predicate;
    return CALLGAUGE_OK;
}

callgauge_status cg_predicate_compile(const cg_predicate_source *source, cg_subject of, cg_scope *scope,
                                      cg_predicate **out, callgauge_error *err)
{
    return compile(source, of, scope, true, out, err);
}

callgauge_status cg_expression_compile(const cg_predicate_source *source, cg_subject of, cg_scope *scope,
                                       cg_predicate **out, callgauge_error *err)
{
    return compile(source, of, scope, false, out, err);
}

void cg_predicate_free(cg_predicate *predicate)
{
    if (predicate == NULL) {
        return;
    }
    for (size_t i = 0; i < predicate->pattern_count; i++) {
        cg_pattern_free(predicate->patterns[i]);
    }
    cg_arena_release(&predicate->arena);
    cg_mem_free(predicate);
}

const cg_predicate_info *cg_predicate_about(const cg_predicate *predicate)
{
    return &predicate->info;
}

bool cg_predicate_ties(const cg_predicate *predicate, size_t slot)
{
    for (const cg_tie *tie = predicate->ties; tie != NULL; tie = tie->next) {
        if (tie->slot == slot) {
            return true;
        }
    }
    return false;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Bare words to fields of the event or row, to values of earlier events, and to the names of classes, kinds, errors,
 * calls and signals; what is none of them is an error that names the nearest. */
#include "predicate/resolve.h"

#include "base/str.h"
#include "event/event.h"
#include "predicate/fields.h"
#include "predicate/words.h"

static callgauge_str word_of(const cg_compiler *c, const cg_node *node)
{
    uint32_t end = node->begin;
    while (end < node->end && (cg_is_word(c->text.ptr[end]) || c->text.ptr[end] == '.')) {
        end++;
    }
    return cg_str(c->text.ptr + node->begin, end - node->begin);
}

/* "unknown WHAT 'word'", with the nearest. */
static cg_node *unknown_word(cg_compiler *c, const cg_node *node, const char *what, callgauge_str word,
                             const cg_nearest *nearest)
{
    enum { MOST = 40 };
    int len = word.len < MOST ? (int)word.len : MOST;
    if (nearest->best.len == 0) {
        return cg_complain(c, node->begin, "unknown %s '%.*s'", what, len, word.ptr);
    }
    return cg_complain(c, node->begin, "unknown %s '%.*s'; the nearest is '%.*s'", what, len, word.ptr,
                       (int)nearest->best.len, nearest->best.ptr);
}

/* --- constants by name */

static cg_node *as_number(cg_node *node, const cg_node *beside, int64_t number)
{
    node->op = CG_OP_CONST;
    node->type = beside->type;
    node->by_name = true;
    node->constant = (cg_value){ .known = CG_KNOWN, .type = (cg_type)beside->type, .number = number };
    return node;
}

static cg_node *as_text(cg_node *node, callgauge_str word, cg_type type)
{
    node->is_word = node->op == CG_OP_WORD;
    node->op = CG_OP_CONST;
    node->type = (uint8_t)type;
    node->by_name = true;
    node->constant = (cg_value){ .known = CG_KNOWN, .type = type, .lasting = true, .text = word };
    return node;
}

static cg_node *find_class(cg_compiler *c, cg_node *node, const cg_node *beside, callgauge_str word)
{
    callgauge_class found;
    if (callgauge_class_find(word, &found)) {
        return as_number(node, beside, found);
    }
    cg_nearest nearest = cg_nearest_to(word);
    for (int i = 0; i <= CALLGAUGE_CLASS_PIPE; i++) {
        cg_nearest_try(&nearest, cg_str_z(callgauge_class_text((callgauge_class)i)));
    }
    return unknown_word(c, node, "class", word, &nearest);
}

static cg_node *find_kind(cg_compiler *c, cg_node *node, const cg_node *beside, callgauge_str word)
{
    cg_nearest nearest = cg_nearest_to(word);
    for (int i = CALLGAUGE_FILE_FILE; i <= CALLGAUGE_FILE_ANON; i++) {
        const char *text = callgauge_file_kind_text((callgauge_file_kind)i);
        if (cg_str_is(word, text)) {
            return as_number(node, beside, i);
        }
        cg_nearest_try(&nearest, cg_str_z(text));
    }
    return unknown_word(c, node, "kind of file", word, &nearest);
}

static cg_node *find_order(cg_compiler *c, cg_node *node, const cg_node *beside, callgauge_str word)
{
    cg_nearest nearest = cg_nearest_to(word);
    for (int i = CALLGAUGE_ORDER_SEQUENTIAL; i <= CALLGAUGE_ORDER_RANDOM; i++) {
        const char *text = callgauge_order_text((callgauge_order)i);
        if (cg_str_is(word, text)) {
            return as_number(node, beside, i);
        }
        cg_nearest_try(&nearest, cg_str_z(text));
    }
    return unknown_word(c, node, "order", word, &nearest);
}

static cg_node *find_error(cg_compiler *c, cg_node *node, callgauge_str word)
{
    if (cg_is_errno(word)) {
        return as_text(node, word, CG_TYPE_WORD);
    }
    cg_nearest nearest = cg_nearest_to(word);
    const char *name;
    for (size_t i = 0; (name = cg_errno_at(i)) != NULL; i++) {
        cg_nearest_try(&nearest, cg_str_z(name));
    }
    return unknown_word(c, node, "error", word, &nearest);
}

static cg_node *find_call(cg_compiler *c, cg_node *node, callgauge_str word)
{
    if (cg_class_lookup(word) != NULL) {
        return as_text(node, word, CG_TYPE_WORD);
    }
    cg_nearest nearest = cg_nearest_to(word);
    const cg_class_entry *entry;
    for (size_t i = 0; (entry = cg_class_at(i)) != NULL; i++) {
        cg_nearest_try(&nearest, cg_str_z(entry->name));
    }
    return unknown_word(c, node, "call", word, &nearest);
}

static cg_node *find_signal(cg_compiler *c, cg_node *node, callgauge_str word)
{
    if (cg_str_starts(word, "SIG") && word.len > 3) {
        return as_text(node, word, CG_TYPE_WORD);
    }
    const cg_nearest none = { .best = { NULL, 0 } };
    return unknown_word(c, node, "signal", word, &none);
}

static const cg_field *field_of(const cg_compiler *c, const cg_node *node)
{
    return node->op == CG_OP_FIELD ? node->field : node->op == CG_OP_SLOT ? c->scope->slots[node->index].field : NULL;
}

/* Names that stand beside a WORD; a name in quotes is not looked up: it may be another system's. */
static cg_node *find_name(cg_compiler *c, cg_node *node, const cg_field *field, callgauge_str word)
{
    if (strcmp(field->name, "errno") == 0) {
        return find_error(c, node, word);
    }
    if (strcmp(field->name, "call") == 0) {
        return find_call(c, node, word);
    }
    return find_signal(c, node, word);
}

/* --- fields and slots */

static void note_field(cg_compiler *c, const cg_field *field)
{
    cg_predicate_info *info = &c->out->info;
    info->traits |= field->traits;
    info->reads_state = info->reads_state || (field->reads & CG_READS_STATE) != 0;
    info->reads_unit = info->reads_unit || (field->reads & CG_READS_UNIT) != 0;
    info->reads_rest = info->reads_rest || (field->reads & CG_READS_NAME) == 0;
    info->wants |= (field->reads & CG_READS_THREAD) != 0 ? CG_WANT_THREAD : 0;
    info->wants |= (field->reads & CG_READS_SCALARS) != 0 ? CG_WANT_SCALARS : 0;
}

/* `arg` and only `arg` has a number behind it. */
static bool index_fits(cg_compiler *c, const cg_node *node, const cg_field *field)
{
    bool is_arg = field != NULL && field->type == CG_TYPE_ARG;
    if (is_arg && node->index == CG_NO_INDEX) {
        cg_complain(c, node->begin, "which argument? write arg[0], arg[1], ...");
        return false;
    }
    if (!is_arg && node->index != CG_NO_INDEX) {
        cg_complain(c, node->begin, "only arg has a number in brackets");
        return false;
    }
    return true;
}

static cg_node *as_field(cg_compiler *c, cg_node *node, const cg_field *field)
{
    if (!index_fits(c, node, field)) {
        return NULL;
    }
    note_field(c, field);
    node->op = CG_OP_FIELD;
    node->type = (uint8_t)field->type;
    node->field = field;
    node->by_name = c->of == CG_OF_EVENTS && (field->reads & CG_READS_NAME) != 0;
    return node;
}

static bool can_be_summed(const cg_field *field)
{
    return field->type == CG_TYPE_NUMBER || field->type == CG_TYPE_BYTES || field->type == CG_TYPE_TIME ||
           field->type == CG_TYPE_ARG;
}

static const char *subject_text(cg_subject of)
{
    return of == CG_OF_EVENTS ? "events" : cg_subject_text(of);
}

static cg_node *unknown_field(cg_compiler *c, const cg_node *node, callgauge_str word, callgauge_str part)
{
    size_t count;
    for (int of = CG_OF_EVENTS; of <= CG_OF_WAITING; of++) {
        if (cg_field_find((cg_subject)of, word) != NULL) {
            return cg_complain(c, node->begin, "'%.*s' is a field of %s, not of %s", (int)word.len, word.ptr,
                               subject_text((cg_subject)of), subject_text(c->of));
        }
    }
    const cg_field *fields = cg_fields_of(c->of, &count);
    cg_nearest nearest = cg_nearest_to(part);
    for (size_t i = 0; i < count; i++) {
        cg_nearest_try(&nearest, cg_str_z(fields[i].name));
    }
    return unknown_word(c, node, "field", word, &nearest);
}

/* `name.rest` as a value of earlier events. */
static cg_node *as_slot(cg_compiler *c, cg_node *node, uint32_t name, callgauge_str rest, cg_pick pick)
{
    const cg_field *field = NULL;
    if (cg_str_is(rest, "count") && pick == CG_PICK_LAST) {
        pick = CG_PICK_COUNT;
    } else {
        field = cg_field_find(c->of, rest);
        if (field == NULL) {
            return unknown_field(c, node, word_of(c, node), rest);
        }
    }
    if (!index_fits(c, node, field)) {
        return NULL;
    }
    if (pick == CG_PICK_SUM && !can_be_summed(field)) {
        return cg_complain(c, node->begin, "'%s' cannot be summed", field->name);
    }
    callgauge_str text = pick == CG_PICK_COUNT ? cg_str(NULL, 0)
                                               : cg_str(rest.ptr, node->end - (size_t)(rest.ptr - c->text.ptr));
    int64_t slot = cg_scope_slot_for(c->scope, name, pick, text, field, node->index);
    if (slot < 0) {
        return cg_complain_nomem(c);
    }
    if (field != NULL) {
        note_field(c, field);
    }
    c->out->info.reads_slots = true;
    c->out->info.reads_rest = true;
    node->op = CG_OP_SLOT;
    node->type = (uint8_t)c->scope->slots[slot].shown.type;
    node->index = (uint32_t)slot;
    return node;
}

/* Names that mean something in other places of a rule. */
static cg_node *unknown_step(cg_compiler *c, const cg_node *node, callgauge_str word, callgauge_str step,
                             callgauge_str rest)
{
    if (cg_str_is(step, "prev")) {
        return cg_complain(c, node->begin, "prev is known in `next` of a run only");
    }
    if (cg_str_is(step, "each")) {
        return cg_complain(c, node->begin, "each is known in `reset` only");
    }
    if (rest.len > 0 && c->scope != NULL && cg_field_find(c->of, rest) != NULL) {
        cg_nearest nearest = cg_nearest_to(step);
        for (size_t i = 0; i < c->scope->name_count; i++) {
            cg_nearest_try(&nearest, c->scope->names[i]);
        }
        return unknown_word(c, node, "step", step, &nearest);
    }
    return unknown_field(c, node, word, word);
}

static cg_node *find_value(cg_compiler *c, cg_node *node, callgauge_str word, cg_pick pick)
{
    size_t dot = cg_str_find(word, ".");
    callgauge_str step = cg_str(word.ptr, dot);
    callgauge_str rest = cg_str(word.ptr + dot, word.len - dot);
    if (rest.len > 0) {
        rest = cg_str(rest.ptr + 1, rest.len - 1);
    }
    int64_t name = rest.len > 0 && c->of == CG_OF_EVENTS ? cg_scope_name(c->scope, step) : -1;
    if (name >= 0) {
        return as_slot(c, node, (uint32_t)name, rest, pick);
    }
    const cg_field *field = cg_field_find(c->of, word);
    return field != NULL ? as_field(c, node, field) : unknown_step(c, node, word, step, rest);
}

cg_node *cg_check_pick(cg_compiler *c, const cg_token *pick, cg_node *name)
{
    callgauge_str word = word_of(c, name);
    size_t dot = cg_str_find(word, ".");
    if (dot == word.len || c->of != CG_OF_EVENTS || cg_scope_name(c->scope, cg_str(word.ptr, dot)) < 0) {
        return cg_complain(c, name->begin, "%.*s() is asked of a step's field, as in %.*s(a.fd)", (int)pick->text.len,
                           pick->text.ptr, (int)pick->text.len, pick->text.ptr);
    }
    cg_pick how = cg_token_is(pick, "first") ? CG_PICK_FIRST : cg_token_is(pick, "sum") ? CG_PICK_SUM : CG_PICK_LAST;
    return find_value(c, name, word, how);
}

/* --- what stands beside what */

static bool is_constant_name(callgauge_str word)
{
    for (size_t i = 0; i < word.len; i++) {
        if (cg_is_lower(word.ptr[i]) || word.ptr[i] == '.') {
            return false;
        }
    }
    return word.len > 0;
}

static cg_node *resolve_text(cg_compiler *c, cg_node *node, const cg_node *beside)
{
    callgauge_str text = node->constant.text;
    switch (beside->type) {
    case CG_TYPE_CLASS: return find_class(c, node, beside, text);
    case CG_TYPE_KIND: return find_kind(c, node, beside, text);
    case CG_TYPE_ORDER: return find_order(c, node, beside, text);
    default: return node;
    }
}

cg_node *cg_resolve(cg_compiler *c, cg_node *node, const cg_node *beside)
{
    if (node == NULL || (node->op != CG_OP_WORD && (node->op != CG_OP_CONST || node->type != CG_TYPE_TEXT))) {
        return node;
    }
    if (node->op == CG_OP_CONST) {
        return beside == NULL ? node : resolve_text(c, node, beside);
    }
    callgauge_str word = word_of(c, node);
    bool dotted = cg_str_find(word, ".") < word.len;
    if (beside != NULL && !dotted) {
        switch (beside->type) {
        case CG_TYPE_CLASS: return find_class(c, node, beside, word);
        case CG_TYPE_KIND: return find_kind(c, node, beside, word);
        case CG_TYPE_ORDER: return find_order(c, node, beside, word);
        case CG_TYPE_WORD:
            if (field_of(c, beside) != NULL) {
                return find_name(c, node, field_of(c, beside), word);
            }
            break;
        case CG_TYPE_ARG:
        case CG_TYPE_FLAGS:
            if (is_constant_name(word)) {
                return as_text(node, word, CG_TYPE_TEXT);
            }
            break;
        case CG_TYPE_TEXT:
            if (cg_field_find(c->of, word) == NULL) {
                return cg_complain(c, node->begin, "texts are quoted: '%.*s'", word.len < 40 ? (int)word.len : 40,
                                   word.ptr);
            }
            break;
        default: break;
        }
    }
    return find_value(c, node, word, CG_PICK_LAST);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The truth of predicates and the values of expressions, by walking their trees.
 * Invariant: nothing is allocated for an event, but where something remembered grows or a long argument is decoded. */
#include "predicate/judge.h"

#include <assert.h>

#include "base/mem.h"
#include "base/str.h"
#include "event/event.h"
#include "predicate/compare.h"

/* One judgement. */
typedef struct judgement {
    cg_judge *judge;
    cg_case *of;
    cg_reading from;
    const cg_kind_memo *kind; /* what is sure of the event's kind; NULL: not known */
    bool shares;              /* it is about the event at hand */
    uint32_t lacking;         /* CALLGAUGE_TRAIT_... : what needs one of them is unknown */
} judgement;

static cg_truth judge_node(judgement *j, const cg_node *node);

static inline cg_truth truth_of(judgement *j, const cg_node *node)
{
    if (node->atom >= 0 && j->kind != NULL) {
        if ((j->kind->no >> node->atom & 1) != 0) {
            return CG_NO;
        }
        if ((j->kind->yes >> node->atom & 1) != 0) {
            return CG_YES;
        }
    }
    return judge_node(j, node);
}

/* --- values */

static void read_field(judgement *j, const cg_field *field, uint32_t index, cg_value *out)
{
    *out = (cg_value){ .type = field->type };
    j->from.field = field;
    j->from.index = index;
    if ((field->traits & j->lacking) != 0) {
        out->known = CG_UNKNOWN_VALUE;
        return;
    }
    field->read(&j->from, out);
}

static void read_slot(const judgement *j, const cg_node *node, cg_value *out)
{
    const cg_slot *slot = &j->of->predicate->scope->slots[node->index].shown;
    *out = (cg_value){ .type = slot->type };
    if (j->from.slots != NULL) {
        *out = j->from.slots[node->index];
        out->type = slot->type;
    }
    if (out->known == CG_ABSENT && (slot->pick == CG_PICK_COUNT || slot->pick == CG_PICK_SUM)) {
        cg_value_set_number(out, 0);
    }
}

/* Whether a number is known; an argument that is none has none. */
static cg_known number_known(const cg_value *value)
{
    bool none = value->type == CG_TYPE_ARG && value->known == CG_KNOWN && !value->has_number;
    return none ? CG_ABSENT : value->known;
}

/* Absent wins over unknown. */
static cg_known both_known(cg_known a, cg_known b)
{
    return a == CG_ABSENT || b == CG_ABSENT ? CG_ABSENT : a == CG_KNOWN && b == CG_KNOWN ? CG_KNOWN : CG_UNKNOWN_VALUE;
}

static const cg_value *operand(judgement *j, const cg_node *node, cg_value *room);

static void value_of(judgement *j, const cg_node *node, cg_value *out)
{
    switch (node->op) {
    case CG_OP_CONST: *out = node->constant; return;
    case CG_OP_FIELD: read_field(j, node->field, node->index, out); return;
    case CG_OP_SLOT: read_slot(j, node, out); return;
    default: break;
    }
    if (node->op >= CG_OP_EQ) {
        cg_truth truth = truth_of(j, node);
        *out = (cg_value){ .known = truth == CG_UNDECIDED ? CG_UNKNOWN_VALUE : CG_KNOWN, .number = truth == CG_YES };
        return;
    }
    cg_value rooms[2];
    const cg_value *a = operand(j, node->first, &rooms[0]);
    const cg_value *b = operand(j, node->first->next, &rooms[1]);
    *out = (cg_value){ .type = (cg_type)node->type };
    out->known = both_known(number_known(a), number_known(b));
    if (out->known == CG_KNOWN) {
        cg_calculate((cg_op)node->op, a, b, out);
    }
}

/* The value where it lies, or in `room`. */
static const cg_value *operand(judgement *j, const cg_node *node, cg_value *room)
{
    if (node->op == CG_OP_CONST) {
        return &node->constant;
    }
    value_of(j, node, room);
    return room;
}

/* --- comparisons */

static cg_truth either(bool yes)
{
    return yes ? CG_YES : CG_NO;
}

static cg_truth negated(cg_truth truth)
{
    return truth == CG_UNDECIDED ? CG_UNDECIDED : either(truth == CG_NO);
}

static bool in_order(cg_op op, int order)
{
    switch (op) {
    case CG_OP_EQ: return order == 0;
    case CG_OP_NE: return order != 0;
    case CG_OP_LT: return order < 0;
    case CG_OP_LE: return order <= 0;
    case CG_OP_GT: return order > 0;
    default: return order >= 0;
    }
}

static cg_truth compare(cg_op op, cg_how how, const cg_value *a, const cg_value *b)
{
    bool numbers = how == CG_HOW_NUMBER;
    cg_known known = numbers ? both_known(number_known(a), number_known(b)) : both_known(a->known, b->known);
    if (known != CG_KNOWN) {
        return known == CG_ABSENT ? CG_NO : CG_UNDECIDED;
    }
    if (numbers) {
        return either(in_order(op, cg_order_of_numbers(a, b)));
    }
    cg_truth truth = cg_text_equals(a, b);
    return op == CG_OP_NE ? negated(truth) : truth;
}

/* A list is so many comparisons: == of which one must hold, or != which all must. */
static cg_truth truth_of_list(judgement *j, const cg_node *node)
{
    const cg_op op = node->op == CG_OP_IN ? CG_OP_EQ : CG_OP_NE;
    const cg_truth ends = op == CG_OP_EQ ? CG_YES : CG_NO;
    cg_value rooms[2];
    cg_truth all = negated(ends);
    const cg_value *left = operand(j, node->first, &rooms[0]);
    for (const cg_node *child = node->first->next; child != NULL && all != ends; child = child->next) {
        cg_truth truth = compare(op, (cg_how)child->how, left, operand(j, child, &rooms[1]));
        all = truth == negated(ends) ? all : truth;
    }
    return all;
}

static cg_truth truth_of_text(judgement *j, const cg_node *node)
{
    cg_value rooms[2];
    const cg_value *a = operand(j, node->first, &rooms[0]);
    if (a->known == CG_ABSENT) {
        return CG_NO;
    }
    const cg_value *b = operand(j, node->first->next, &rooms[1]);
    cg_known known = both_known(a->known, b->known);
    if (known != CG_KNOWN) {
        return known == CG_ABSENT ? CG_NO : CG_UNDECIDED;
    }
    switch (node->op) {
    case CG_OP_CONTAINS: return cg_text_contains(a, b);
    case CG_OP_HAS_FLAG: return cg_text_has_flag(a, b);
    case CG_OP_STARTS: return cg_text_starts(a, b);
    case CG_OP_ENDS: return cg_text_ends(a, b);
    default: return cg_memo_match(j->judge, j->of, node, a);
    }
}

/* A value alone: its being there, its bit in a mask, its truth. */
static cg_truth truth_of_one(judgement *j, const cg_node *node)
{
    cg_value value;
    value_of(j, node->first, &value);
    if (node->op == CG_OP_ABSENT) {
        return value.known == CG_UNKNOWN_VALUE ? CG_UNDECIDED : either(value.known == CG_ABSENT);
    }
    if (value.known != CG_KNOWN) {
        return value.known == CG_ABSENT ? CG_NO : CG_UNDECIDED;
    }
    if (node->op == CG_OP_ONE_OF) {
        return either((node->mask >> ((uint64_t)value.number & 31) & 1) != 0);
    }
    return either(value.number != 0);
}

static cg_truth truth_of_comparison(judgement *j, const cg_node *node)
{
    cg_value rooms[2];
    const cg_value *a = operand(j, node->first, &rooms[0]);
    const cg_value *b = operand(j, node->first->next, &rooms[1]);
    return compare((cg_op)node->op, (cg_how)node->how, a, b);
}

/* --- Kleene's logic */

static cg_truth truth_of_joined(judgement *j, const cg_node *node)
{
    const cg_truth ends = node->op == CG_OP_AND ? CG_NO : CG_YES;
    cg_truth all = negated(ends);
    for (const cg_node *child = node->first; child != NULL; child = child->next) {
        cg_truth truth = truth_of(j, child);
        if (truth == ends) {
            return ends;
        }
        all = truth == CG_UNDECIDED ? CG_UNDECIDED : all;
    }
    return all;
}

static cg_truth work_out(judgement *j, const cg_node *node)
{
    switch (node->op) {
    case CG_OP_AND:
    case CG_OP_OR: return truth_of_joined(j, node);
    case CG_OP_NOT: return negated(truth_of(j, node->first));
    case CG_OP_IN:
    case CG_OP_NOT_IN: return truth_of_list(j, node);
    case CG_OP_ONE_OF:
    case CG_OP_ABSENT:
    case CG_OP_HOLDS: return truth_of_one(j, node);
    case CG_OP_CONTAINS:
    case CG_OP_HAS_FLAG:
    case CG_OP_STARTS:
    case CG_OP_ENDS:
    case CG_OP_MATCHES: return truth_of_text(j, node);
    default: return truth_of_comparison(j, node);
    }
}

static cg_truth judge_node(judgement *j, const cg_node *node)
{
    uint32_t place = j->shares && node->atom >= 0 ? j->of->shared[node->atom] : 0;
    if (place == 0) {
        return work_out(j, node);
    }
    cg_shared *shared = &j->judge->shared[place - 1];
    if (shared->event != j->judge->event) {
        shared->truth = work_out(j, node);
        shared->event = j->judge->event;
    }
    return shared->truth;
}

/* --- by kind */

/* Whether what the node reads is the same for all events of the kind. */
static bool is_sure(const cg_kind *kind, const cg_node *node)
{
    switch (node->op) {
    case CG_OP_CONST: return true;
    case CG_OP_SLOT: return false;
    case CG_OP_FIELD: return kind->told ? cg_field_is_sure(node->field, kind->call, kind->error) : node->by_name;
    default: break;
    }
    for (const cg_node *child = node->first; child != NULL; child = child->next) {
        if (!is_sure(kind, child)) {
            return false;
        }
    }
    return true;
}

static bool is_absent(judgement *j, const cg_kind *kind, const cg_node *node)
{
    cg_value value;
    if (node->op != CG_OP_FIELD || kind->call == NULL || !is_sure(kind, node)) {
        return false;
    }
    value_of(j, node, &value);
    return value.known == CG_ABSENT;
}

/* Comparisons with what is not there hold for no event. */
static bool has_absent(judgement *j, const cg_kind *kind, const cg_node *node)
{
    bool compares = node->op >= CG_OP_EQ && node->op <= CG_OP_MATCHES && node->op != CG_OP_ONE_OF;
    return compares &&
           (is_absent(j, kind, node->first) || (node->op != CG_OP_IN && is_absent(j, kind, node->first->next)));
}

/* What is sure when nothing but the kind is known; notes it for each atom. */
static cg_truth sure_truth(judgement *j, const cg_kind *kind, const cg_node *node, cg_kind_memo *memo)
{
    cg_truth truth = CG_UNDECIDED;
    if (node->op == CG_OP_AND || node->op == CG_OP_OR) {
        const cg_truth ends = node->op == CG_OP_AND ? CG_NO : CG_YES;
        truth = negated(ends);
        for (const cg_node *child = node->first; child != NULL; child = child->next) {
            cg_truth part = sure_truth(j, kind, child, memo);
            truth = part == ends || truth == ends ? ends : part == CG_UNDECIDED ? CG_UNDECIDED : truth;
        }
    } else if (node->op == CG_OP_NOT) {
        truth = negated(sure_truth(j, kind, node->first, memo));
    } else if (has_absent(j, kind, node)) {
        truth = CG_NO;
    } else if (is_sure(kind, node)) {
        truth = judge_node(j, node);
    }
    if (node->atom >= 0 && truth != CG_UNDECIDED) {
        *(truth == CG_YES ? &memo->yes : &memo->no) |= (uint64_t)1 << node->atom;
    }
    return truth;
}

static void judge_kind(cg_judge *judge, cg_case *of, const cg_kind *kind, cg_kind_memo *memo)
{
    const callgauge_event event = { .kind = CALLGAUGE_EVENT_CALL, .call = kind->call, .error = kind->error };
    judgement j = { .judge = judge, .of = of, .from = { .event = &event, .scratch = &judge->scratch } };
    *memo = (cg_kind_memo){ .verdict = CG_UNDECIDED + 1 };
    if (of->predicate->info.of == CG_OF_EVENTS && of->predicate->info.is_condition) {
        memo->verdict = (uint8_t)(sure_truth(&j, kind, of->predicate->root, memo) + 1);
    } else if (of->predicate->info.of == CG_OF_EVENTS) {
        memo->absent = is_absent(&j, kind, of->predicate->root);
    }
}

static uint32_t kind_by_name(cg_judge *judge, const callgauge_call_name *name)
{
    const cg_kind kind = { .call = name };
    return name == NULL ? CG_KIND_NONE : cg_kinds_find(judge, &kind);
}

uint32_t cg_judge_kind(cg_judge *judge, const callgauge_event *event)
{
    if (event->call == NULL) {
        return CG_KIND_NONE;
    }
    const cg_kind kind = { .call = event->call,
                           .error = event->error,
                           .told = event->kind == CALLGAUGE_EVENT_CALL &&
                                   (event->flags & (CALLGAUGE_CALL_UNRETURNED | CALLGAUGE_CALL_CHILD)) == 0 };
    cg_kinds *kinds = &judge->kinds;
    if (kinds->count > 0 && kinds->last.call == kind.call && kinds->last.error == kind.error &&
        kinds->last.told == kind.told) {
        return kinds->last_id;
    }
    if (!kind.told) {
        return kind_by_name(judge, kind.call);
    }
    uint32_t id = cg_kinds_find(judge, &kind);
    if (id != CG_KIND_NOMEM) {
        kinds->last = kind;
        kinds->last_id = id;
    }
    return id;
}

/* The memo of a kind; `spare` is for where none can be kept: nothing is sure then. */
static const cg_kind_memo *memo_of(cg_judge *judge, uint32_t id, uint32_t kind, cg_kind_memo *spare)
{
    static const cg_kind no_call = { .call = NULL };
    cg_case *of = &judge->cases[id];
    if (kind == CG_KIND_NOMEM) {
        *spare = (cg_kind_memo){ .verdict = CG_UNDECIDED + 1 };
        return spare;
    }
    cg_kind_memo *memo = kind == CG_KIND_NONE ? &of->no_call : &judge->kinds.memos[kind * judge->case_count + id];
    if (memo->verdict == 0) {
        judge_kind(judge, of, kind == CG_KIND_NONE ? &no_call : &judge->kinds.items[kind], memo);
    }
    return memo;
}

cg_truth cg_judge_sure(cg_judge *judge, uint32_t id, uint32_t kind)
{
    cg_kind_memo spare;
    return (cg_truth)(memo_of(judge, id, kind, &spare)->verdict - 1);
}

bool cg_judge_sure_absent(cg_judge *judge, uint32_t id, uint32_t kind)
{
    cg_kind_memo spare;
    return memo_of(judge, id, kind, &spare)->absent;
}

cg_truth cg_judge_name(cg_judge *judge, uint32_t id, const callgauge_call_name *name)
{
    return cg_judge_sure(judge, id, kind_by_name(judge, name));
}

/* --- events and rows */

/* Each member for itself: it is done several times for each event. */
static inline void begin(judgement *j, cg_judge *judge, uint32_t id)
{
    cg_scratch_reset(&judge->scratch);
    j->judge = judge;
    j->of = &judge->cases[id];
    j->from.event = NULL;
    j->from.capture = judge->capture;
    j->from.row = NULL;
    j->from.slots = NULL;
    j->from.scratch = &judge->scratch;
    j->kind = NULL;
    j->shares = false;
    j->lacking = 0;
}

static void end(cg_judge *judge)
{
    judge->counts.no_memory = judge->counts.no_memory || judge->scratch.no_memory;
}

/* Whether all that the node reads is constants and the path. */
static bool reads_path_alone(const cg_node *node, const cg_field *path)
{
    if (node->op == CG_OP_SLOT || (node->op == CG_OP_FIELD && node->field != path)) {
        return false;
    }
    for (const cg_node *child = node->first; child != NULL; child = child->next) {
        if (!reads_path_alone(child, path)) {
            return false;
        }
    }
    return true;
}

/* The first part of the condition that is about the path alone, from `part` on; NULL: there is none. */
static const cg_node *path_part(const cg_predicate *predicate, const cg_node *part)
{
    while (part != NULL && (part->by_name || !reads_path_alone(part, predicate->path))) {
        part = part == predicate->root ? NULL : part->next;
    }
    return part;
}

static const cg_node *first_path_part(const cg_predicate *predicate)
{
    const cg_node *root = predicate->root;
    return path_part(predicate, root->op == CG_OP_AND ? root->first : root);
}

bool cg_predicate_is_about_path(const cg_predicate *predicate)
{
    return predicate->info.of == CG_OF_EVENTS && predicate->info.is_condition && first_path_part(predicate) != NULL;
}

cg_truth cg_judge_path(cg_judge *judge, uint32_t id, const callgauge_event *event)
{
    judgement j;
    begin(&j, judge, id);
    const cg_predicate *predicate = j.of->predicate;
    cg_truth all = CG_YES;
    j.from.event = event;
    for (const cg_node *part = first_path_part(predicate); part != NULL && all != CG_NO;) {
        cg_truth truth = truth_of(&j, part);
        all = truth == CG_NO ? CG_NO : truth == CG_UNDECIDED ? CG_UNDECIDED : all;
        part = part == predicate->root ? NULL : path_part(predicate, part->next);
    }
    end(judge);
    return all;
}

void cg_judge_next(cg_judge *judge, const callgauge_event *event)
{
    uint32_t kind = cg_judge_kind(judge, event);
    judge->event++;
    judge->at = kind == CG_KIND_NONE || kind == CG_KIND_NOMEM ? NULL : event;
    judge->at_memos = judge->at == NULL ? NULL : judge->kinds.memos + kind * judge->case_count;
}

static inline const cg_kind_memo *memo_at(cg_judge *judge, uint32_t id, const callgauge_event *event,
                                          cg_kind_memo *spare)
{
    const cg_kind_memo *memo = event == judge->at ? &judge->at_memos[id] : NULL;
    return memo != NULL && memo->verdict != 0 ? memo : memo_of(judge, id, cg_judge_kind(judge, event), spare);
}

bool cg_judge_event_is_sure(cg_judge *judge, uint32_t id, const callgauge_event *event)
{
    cg_kind_memo spare;
    return memo_at(judge, id, event, &spare)->verdict != CG_UNDECIDED + 1;
}

cg_truth cg_judge_event(cg_judge *judge, uint32_t id, const callgauge_event *event, const cg_value *slots)
{
    cg_kind_memo spare;
    const cg_case *of = &judge->cases[id];
    assert(of->predicate->info.is_condition);
    const cg_kind_memo *memo = memo_at(judge, id, event, &spare);
    cg_truth sure = (cg_truth)(memo->verdict - 1);
    if (sure != CG_UNDECIDED || event->kind == CALLGAUGE_EVENT_COUNT_ROW) {
        return sure;
    }
    judgement j;
    begin(&j, judge, id);
    j.from.event = event;
    j.from.slots = slots;
    j.kind = memo;
    j.shares = judge->event != 0;
    cg_truth truth = truth_of(&j, of->root);
    end(judge);
    return truth;
}

void cg_judge_value(cg_judge *judge, uint32_t id, const callgauge_event *event, const cg_value *slots, cg_value *out)
{
    judgement j;
    begin(&j, judge, id);
    j.from.event = event;
    j.from.slots = slots;
    value_of(&j, j.of->root, out);
    end(judge);
}

void cg_judge_tie(cg_judge *judge, uint32_t id, size_t slot, const callgauge_event *event, cg_value *out)
{
    judgement j;
    begin(&j, judge, id);
    *out = (cg_value){ .known = CG_UNKNOWN_VALUE };
    for (const cg_tie *tie = j.of->predicate->ties; tie != NULL; tie = tie->next) {
        if (tie->slot == slot) {
            j.from.event = event;
            value_of(&j, tie->value, out);
            break;
        }
    }
    end(judge);
}

cg_truth cg_judge_row(cg_judge *judge, uint32_t id, const void *row)
{
    return cg_judge_row_lacking(judge, id, row, 0);
}

cg_truth cg_judge_row_lacking(cg_judge *judge, uint32_t id, const void *row, uint32_t lacking)
{
    judgement j;
    begin(&j, judge, id);
    assert(j.of->predicate->info.is_condition);
    j.from.row = row;
    j.lacking = lacking;
    cg_truth truth = truth_of(&j, j.of->root);
    end(judge);
    return truth;
}

void cg_judge_row_value(cg_judge *judge, uint32_t id, const void *row, cg_value *out)
{
    judgement j;
    begin(&j, judge, id);
    j.from.row = row;
    value_of(&j, j.of->root, out);
    end(judge);
}

/* --- values that are kept */

static size_t bytes_left(const cg_judge *judge)
{
    size_t used = judge->kept_bytes + judge->room_bytes;
    return used < judge->options.text_bytes ? judge->options.text_bytes - used : 0;
}

void cg_judge_keep(cg_judge *judge, cg_value *value)
{
    if (value->known != CG_KNOWN || value->lasting || value->text.len == 0) {
        return;
    }
    int64_t id = cg_intern_find(&judge->kept, value->text);
    if (id < 0 && value->text.len <= bytes_left(judge)) {
        id = cg_intern_add(&judge->kept, value->text);
        judge->kept_bytes += id < 0 ? 0 : value->text.len;
        judge->counts.texts_kept += id >= 0;
    }
    if (id < 0) {
        judge->counts.no_memory = judge->counts.no_memory || id == CG_INTERN_NOMEM;
        judge->counts.texts_dropped++;
        *value = (cg_value){ .known = CG_UNKNOWN_VALUE, .type = value->type };
        return;
    }
    value->text = judge->kept.texts[id];
    value->lasting = true;
}

/* A sum stays unknown once a part was. */
static void add_to_sum(cg_value *sum, const cg_value *part)
{
    cg_known known = number_known(part);
    if (sum->known == CG_UNKNOWN_VALUE || known == CG_ABSENT) {
        return;
    }
    if (known == CG_UNKNOWN_VALUE) {
        sum->known = CG_UNKNOWN_VALUE;
        return;
    }
    const cg_value before = *sum; /* cleared: 0 */
    cg_calculate(CG_OP_ADD, &before, part, sum);
}

/* Keeps the text of a value for as long as its slot has it. */
static void keep_in(cg_judge *judge, cg_value *value, cg_buf *room)
{
    if (value->known != CG_KNOWN || value->lasting || value->text.len == 0) {
        return;
    }
    size_t before = room->cap, len = value->text.len;
    bool fits = len <= before || len - before <= bytes_left(judge);
    if (!fits || !cg_buf_set(room, value->text)) {
        judge->counts.no_memory = judge->counts.no_memory || fits;
        judge->counts.texts_dropped++;
        *value = (cg_value){ .known = CG_UNKNOWN_VALUE, .type = value->type };
        return;
    }
    judge->room_bytes += room->cap - before;
    value->text = cg_buf_str(room);
}

static void take_one(judgement *j, const cg_kept_slot *slot, cg_value *into, cg_buf *room)
{
    cg_value part;
    switch (slot->shown.pick) {
    case CG_PICK_COUNT: cg_value_set_number(into, into->number + 1); break;
    case CG_PICK_SUM:
        read_field(j, slot->field, slot->index, &part);
        add_to_sum(into, &part);
        break;
    case CG_PICK_FIRST:
        if (into->taken) {
            return;
        }
        /* fall through */
    case CG_PICK_LAST:
        read_field(j, slot->field, slot->index, into);
        if (room != NULL) {
            keep_in(j->judge, into, room);
        } else {
            cg_judge_keep(j->judge, into);
        }
        break;
    }
    into->taken = true;
}

void cg_judge_take(cg_judge *judge, const cg_scope *scope, uint32_t name, const callgauge_event *event, cg_value *slots,
                   cg_buf *rooms)
{
    cg_scratch_reset(&judge->scratch);
    judgement j = { .judge = judge, .from = { .event = event, .capture = judge->capture, .scratch = &judge->scratch } };
    for (size_t i = 0; i < scope->slot_count; i++) {
        if (scope->slots[i].shown.name == name) {
            take_one(&j, &scope->slots[i], &slots[i], rooms == NULL ? NULL : &rooms[i]);
        }
    }
    end(judge);
}

const cg_judge_counts *cg_judge_counts_of(const cg_judge *judge)
{
    return &judge->counts;
}

uint64_t cg_judge_match_limits(const cg_judge *judge, uint32_t id)
{
    return judge->cases[id].match_limits;
}

/* --- the judge */

static cg_judge_options settled(const cg_judge_options *options)
{
    cg_judge_options out = options == NULL ? (cg_judge_options){ 0 } : *options;
    out.texts = out.texts == 0 ? 1000000 : out.texts;
    out.text_bytes = out.text_bytes == 0 ? (size_t)64 << 20 : out.text_bytes;
    out.match_limit = out.match_limit == 0 ? 100000 : out.match_limit;
    out.depth_limit = out.depth_limit == 0 ? 10000 : out.depth_limit;
    out.heap_limit_kib = out.heap_limit_kib == 0 ? 16384 : out.heap_limit_kib;
    return out;
}

cg_judge *cg_judge_new(const cg_judge_options *options)
{
    cg_judge *judge = cg_mem_zeroed(1, sizeof *judge);
    if (judge != NULL) {
        judge->options = settled(options);
        cg_intern_init(&judge->kept, judge->options.texts);
    }
    return judge;
}

void cg_judge_free(cg_judge *judge)
{
    if (judge == NULL) {
        return;
    }
    for (size_t i = 0; i < judge->case_count; i++) {
        cg_memo_release(&judge->cases[i]);
    }
    cg_mem_free(judge->cases);
    cg_kinds_release(&judge->kinds);
    cg_mem_free(judge->shared);
    cg_matcher_free(judge->matcher);
    cg_intern_release(&judge->kept);
    cg_scratch_release(&judge->scratch);
    cg_mem_free(judge);
}

static bool room_for_case(cg_judge *judge)
{
    if (judge->case_count < judge->case_room) {
        return true;
    }
    size_t room = judge->case_room == 0 ? 8 : judge->case_room * 2;
    cg_case *cases = cg_mem_resize(judge->cases, room * sizeof *cases);
    if (cases != NULL) {
        judge->cases = cases;
        judge->case_room = room;
    }
    return cases != NULL;
}

static bool room_for_patterns(cg_judge *judge, cg_case *of)
{
    const cg_judge_options *options = &judge->options;
    if (of->predicate->pattern_count == 0) {
        return true;
    }
    if (judge->matcher == NULL) {
        judge->matcher = cg_matcher_new(options->match_limit, options->depth_limit, options->heap_limit_kib);
    }
    of->patterns = cg_mem_zeroed(of->predicate->pattern_count, sizeof *of->patterns);
    return judge->matcher != NULL && of->patterns != NULL;
}

bool cg_judge_add(cg_judge *judge, const cg_predicate *predicate, uint32_t *id)
{
    cg_case of = { .root = predicate->root, .predicate = predicate };
    if (!room_for_case(judge) || !room_for_patterns(judge, &of) || !cg_shared_find(judge, &of)) {
        cg_memo_release(&of);
        return false;
    }
    judge->at = NULL;
    cg_kinds_release(&judge->kinds);
    judge->cases[judge->case_count] = of;
    *id = (uint32_t)judge->case_count++;
    return true;
}

void cg_judge_begin(cg_judge *judge, const callgauge_capture *capture)
{
    judge->capture = capture;
    judge->at = NULL;
    judge->event = 0;
    cg_kinds_release(&judge->kinds);
}

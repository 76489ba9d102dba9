/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions that stand in several predicates are judged once for each event: those that read the event alone.
 * Invariant: two conditions share a place only if their trees are equal. */
#include "base/mem.h"
#include "base/str.h"
#include "predicate/judge.h"

static bool same_constant(const cg_value *a, const cg_value *b)
{
    return a->known == b->known && a->type == b->type && a->is_real == b->is_real && a->has_number == b->has_number &&
           a->cut == b->cut && a->number == b->number && !(a->real < b->real) && !(a->real > b->real) &&
           cg_str_eq(a->text, b->text);
}

static bool same_tree(const cg_node *a, const cg_node *b)
{
    if (a->op != b->op || a->type != b->type || a->how != b->how || a->mask != b->mask || a->field != b->field ||
        a->index != b->index || (a->op == CG_OP_CONST && !same_constant(&a->constant, &b->constant))) {
        return false;
    }
    const cg_node *x = a->first, *y = b->first;
    for (; x != NULL && y != NULL; x = x->next, y = y->next) {
        if (!same_tree(x, y)) {
            return false;
        }
    }
    return x == NULL && y == NULL;
}

/* Matches are counted where they run away, for each predicate. */
static bool can_share(const cg_node *node)
{
    if (node->op == CG_OP_SLOT || node->op == CG_OP_MATCHES) {
        return false;
    }
    for (const cg_node *child = node->first; child != NULL; child = child->next) {
        if (!can_share(child)) {
            return false;
        }
    }
    return true;
}

static bool place_of(cg_judge *judge, const cg_node *node, uint32_t *out)
{
    for (size_t i = 0; i < judge->shared_count; i++) {
        if (same_tree(judge->shared[i].node, node)) {
            *out = (uint32_t)i + 1;
            return true;
        }
    }
    if (judge->shared_count == judge->shared_room) {
        size_t room = judge->shared_room == 0 ? 64 : judge->shared_room * 2;
        cg_shared *shared = cg_mem_resize(judge->shared, room * sizeof *shared);
        if (shared == NULL) {
            return false;
        }
        judge->shared = shared;
        judge->shared_room = room;
    }
    judge->shared[judge->shared_count++] = (cg_shared){ .node = node };
    *out = (uint32_t)judge->shared_count;
    return true;
}

static bool find_below(cg_judge *judge, cg_case *of, const cg_node *node)
{
    if (node->atom >= 0 && !node->by_name && can_share(node) && !place_of(judge, node, &of->shared[node->atom])) {
        return false;
    }
    for (const cg_node *child = node->first; child != NULL; child = child->next) {
        if (!find_below(judge, of, child)) {
            return false;
        }
    }
    return true;
}

bool cg_shared_find(cg_judge *judge, cg_case *of)
{
    const cg_predicate *predicate = of->predicate;
    if (predicate->info.of != CG_OF_EVENTS || !predicate->info.is_condition) {
        return true;
    }
    of->shared = cg_mem_zeroed(CG_TREE_ATOMS, sizeof *of->shared);
    return of->shared != NULL && find_below(judge, of, predicate->root);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a rule's steps, and the values of earlier events that its predicates read. */
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "predicate/fields.h"
#include "predicate/tree.h"

cg_scope *cg_scope_new(const callgauge_str *names, size_t count)
{
    cg_scope *scope = cg_mem_zeroed(1, sizeof *scope);
    if (scope == NULL) {
        return NULL;
    }
    scope->names = cg_arena_alloc(&scope->arena, (count + 1) * sizeof *scope->names);
    bool good = scope->names != NULL;
    for (size_t i = 0; good && i < count; i++) {
        good = cg_arena_str(&scope->arena, names[i], &scope->names[i]);
    }
    scope->name_count = count;
    if (!good) {
        cg_scope_free(scope);
        return NULL;
    }
    return scope;
}

void cg_scope_free(cg_scope *scope)
{
    if (scope != NULL) {
        cg_mem_free(scope->slots);
        cg_arena_release(&scope->arena);
        cg_mem_free(scope);
    }
}

size_t cg_scope_slot_count(const cg_scope *scope)
{
    return scope->slot_count;
}

const cg_slot *cg_scope_slot(const cg_scope *scope, size_t index)
{
    return &scope->slots[index].shown;
}

int64_t cg_scope_name(const cg_scope *scope, callgauge_str name)
{
    for (size_t i = 0; scope != NULL && i < scope->name_count; i++) {
        if (cg_str_eq(scope->names[i], name)) {
            return (int64_t)i;
        }
    }
    return -1;
}

int64_t cg_scope_find(const cg_scope *scope, uint32_t name, cg_pick pick, callgauge_str field)
{
    for (size_t i = 0; i < scope->slot_count; i++) {
        const cg_slot *slot = &scope->slots[i].shown;
        if (slot->name == name && slot->pick == pick && cg_str_eq(slot->field, field)) {
            return (int64_t)i;
        }
    }
    return -1;
}

static bool room_for_one(cg_scope *scope)
{
    if (scope->slot_count < scope->slot_room) {
        return true;
    }
    size_t room = scope->slot_room == 0 ? 8 : scope->slot_room * 2;
    cg_kept_slot *slots = cg_mem_resize(scope->slots, room * sizeof *slots);
    if (slots != NULL) {
        scope->slots = slots;
        scope->slot_room = room;
    }
    return slots != NULL;
}

int64_t cg_scope_slot_for(cg_scope *scope, uint32_t name, cg_pick pick, callgauge_str text,
                          const struct cg_field *field, uint32_t index)
{
    int64_t old = cg_scope_find(scope, name, pick, text);
    if (old >= 0) {
        return old;
    }
    callgauge_str kept;
    if (!cg_arena_str(&scope->arena, text, &kept) || !room_for_one(scope)) {
        return -1;
    }
    const cg_type type = pick == CG_PICK_COUNT || (pick == CG_PICK_SUM && field->type == CG_TYPE_ARG) ? CG_TYPE_NUMBER
                                                                                                      : field->type;
    scope->slots[scope->slot_count] = (cg_kept_slot){
        .shown = { .name = name, .pick = pick, .type = type, .field = kept }, .field = field, .index = index
    };
    return (int64_t)scope->slot_count++;
}

void cg_scope_clear(const cg_scope *scope, uint32_t name, cg_value *slots)
{
    for (size_t i = 0; i < scope->slot_count; i++) {
        if (scope->slots[i].shown.name == name) {
            slots[i] = (cg_value){ .type = scope->slots[i].shown.type };
        }
    }
}

const char *cg_scope_name_fault(callgauge_str name)
{
    if (name.len == 0 || name.len > 32 || cg_is_digit(name.ptr[0])) {
        return "a name is a letter, and up to 31 letters, digits or _";
    }
    for (size_t i = 0; i < name.len; i++) {
        if (!cg_is_word(name.ptr[i])) {
            return "a name is a letter, and up to 31 letters, digits or _";
        }
    }
    size_t count;
    const cg_field *fields = cg_fields_of(CG_OF_EVENTS, &count);
    for (size_t i = 0; i < count; i++) {
        callgauge_str field = cg_str_z(fields[i].name);
        bool begins = cg_str_starts(field, "fd.") || cg_str_starts(field, "peer.") || cg_str_starts(field, "parent.");
        if (cg_str_eq(field, name) ||
            (begins && name.len == cg_str_find(field, ".") && memcmp(field.ptr, name.ptr, name.len) == 0)) {
            return "is the name of a field";
        }
    }
    return NULL;
}

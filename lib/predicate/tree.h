/* SPDX-License-Identifier: Apache-2.0 */
/* The compiled form: a tree of nodes in the predicate's arena, whose types are checked and whose names are resolved.
 * Invariant: no deeper than CG_TREE_DEPTH, so that judging may recurse; nothing in it changes after compilation. */
#ifndef CG_PREDICATE_TREE_H
#define CG_PREDICATE_TREE_H

#include "base/arena.h"
#include "predicate/pattern.h"
#include "predicate/predicate.h"

enum {
    CG_TREE_DEPTH = 100,
    CG_TREE_NODES = 4096,
    CG_TREE_TEXT = 65536,
    CG_TREE_ATOMS = 64 /* conditions of a predicate that are remembered by kind of call */
};

typedef enum cg_op {
    CG_OP_WORD, /* not resolved yet: a field, a step's field, a class, ...; none is left after compilation */
    CG_OP_CONST,
    CG_OP_FIELD,
    CG_OP_SLOT,
    CG_OP_ADD,
    CG_OP_SUB,
    CG_OP_MUL,
    CG_OP_EQ,
    CG_OP_NE,
    CG_OP_LT,
    CG_OP_LE,
    CG_OP_GT,
    CG_OP_GE,
    CG_OP_IN,     /* the first child equals one of the others */
    CG_OP_NOT_IN, /* it differs from each of them, which is more than not being IN: what is absent does not differ */
    CG_OP_ONE_OF, /* the number of the only child is a bit of `mask` */
    CG_OP_CONTAINS,
    CG_OP_HAS_FLAG,
    CG_OP_STARTS,
    CG_OP_ENDS,
    CG_OP_MATCHES,
    CG_OP_ABSENT,
    CG_OP_HOLDS, /* a BOOL value as a condition */
    CG_OP_NOT,
    CG_OP_AND,
    CG_OP_OR
} cg_op;

/* How two values are compared. */
typedef enum cg_how { CG_HOW_NUMBER, CG_HOW_TEXT } cg_how;

struct cg_field;

/* What judging asks for stands first, in the bytes that come with one look at memory. */
typedef struct cg_node {
    uint8_t op;                   /* cg_op */
    uint8_t type;                 /* cg_type of its value; BOOL: it is a condition, or a field of that type */
    uint8_t how;                  /* cg_how, of comparisons */
    int8_t atom;                  /* conditions that are remembered: which bit; -1: none */
    uint32_t index;               /* WORD, FIELD: of `arg[index]`; SLOT: the slot; MATCHES: the pattern */
    struct cg_node *first, *next; /* its children; its next sibling */
    const struct cg_field *field; /* FIELD */
    cg_value constant;            /* CONST */
    uint32_t mask;                /* ONE_OF */
    uint32_t begin, end;          /* its bytes in the text */
    uint8_t depth;                /* of the tree below */
    bool by_name;                 /* reads nothing of the event but its name */
    bool is_word;                 /* CONST: was a bare word */
} cg_node;

/* A part `value == slot` that must hold. */
typedef struct cg_tie {
    uint32_t slot;
    const cg_node *value;
    struct cg_tie *next;
} cg_tie;

struct cg_predicate {
    cg_predicate_info info;
    cg_arena arena;
    cg_node *root;
    const struct cg_field *path; /* the field of events of that name */
    const cg_scope *scope;       /* NULL: none */
    cg_tie *ties;
    cg_pattern **patterns;
    size_t pattern_count, pattern_room;
    size_t node_count, atom_count;
};

/* A slot, and the field that it keeps. */
typedef struct cg_kept_slot {
    cg_slot shown;
    const struct cg_field *field; /* NULL: COUNT */
    uint32_t index;               /* of `arg[index]` */
} cg_kept_slot;

struct cg_scope {
    cg_arena arena;
    callgauge_str *names;
    size_t name_count;
    cg_kept_slot *slots;
    size_t slot_count, slot_room;
};

/* The index of a name, or -1. */
int64_t cg_scope_name(const cg_scope *scope, callgauge_str name);
/* The index of a slot, old or new; -1: no memory. `field` is copied. */
int64_t cg_scope_slot_for(cg_scope *scope, uint32_t name, cg_pick pick, callgauge_str text,
                          const struct cg_field *field, uint32_t index);

#endif

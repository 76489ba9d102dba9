/* SPDX-License-Identifier: Apache-2.0 */
/* YAML text to trees whose every node knows its place. What is read is hostile: anchors, aliases and tags are refused,
 * depth, size and the number of nodes are limited, a key that stands twice in a mapping is a fault.
 * Invariant: texts lie in the tree's own copy of the source or in its arena; nothing of libyaml is left. */
#ifndef CG_RULES_YAML_TREE_H
#define CG_RULES_YAML_TREE_H

#include <callgauge/types.h>

#include "base/arena.h"
#include "base/error.h"

enum { CG_YAML_MOST_BYTES = 1 << 20, CG_YAML_MOST_DEPTH = 16, CG_YAML_MOST_NODES = 50000 };

typedef enum cg_yaml_kind { CG_YAML_TEXT, CG_YAML_LIST, CG_YAML_MAP } cg_yaml_kind;

typedef struct cg_yaml_node {
    cg_yaml_kind kind;
    cg_place place;     /* of its first byte: line, column (bytes) from 1; `name` is the source's */
    callgauge_str text; /* TEXT: its value */
    /* TEXT: as it stands in the source, so that places inside it can be told: its first byte, and how many bytes
     * stand before each further line. Of quoted texts with escapes the places are near only. */
    callgauge_str source;
    cg_place source_place;
    uint64_t indent;
    size_t end;        /* TEXT: the byte behind it in the source */
    bool is_flow;      /* LIST, MAP: written in brackets */
    callgauge_str key; /* of a member of a mapping */
    cg_place key_place;
    size_t count;                /* members, items */
    struct cg_yaml_node *first;  /* member or item */
    struct cg_yaml_node *next;   /* of the same mapping, list or, for documents, stream */
    callgauge_str document_text; /* of a document's root: the lines it stands on, its comments too */
} cg_yaml_node;

typedef struct cg_yaml_tree {
    cg_arena arena;
    cg_yaml_node *documents; /* the roots, linked by `next`; empty documents are left out */
    size_t count;
} cg_yaml_tree;

/* Reads a stream. `name` (kept) is the source's. CALLGAUGE_OK: to be released; E_FORMAT with a place: it is no YAML, or
 * uses what is refused; E_UNSUPPORTED: a build without libyaml; E_NOMEM. */
callgauge_status cg_yaml_read(const char *name, callgauge_str text, cg_yaml_tree *out, callgauge_error *err);
void cg_yaml_release(cg_yaml_tree *tree);

/* The member of a mapping; NULL: there is none. */
const cg_yaml_node *cg_yaml_member(const cg_yaml_node *map, const char *key);

#endif

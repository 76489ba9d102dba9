/* SPDX-License-Identifier: Apache-2.0 */
/* What judging remembers: by call name, by file, by text. Only speed hangs on it: where memory for it cannot be had,
 * the work is done again. */
#ifndef CG_PREDICATE_JUDGE_H
#define CG_PREDICATE_JUDGE_H

#include "base/intern.h"
#include "predicate/fields.h"
#include "predicate/tree.h"

/* Texts that had to be decoded: blocks that are used again for the next event.
 * Invariant: what was taken stays in place until cg_scratch_reset(). */
typedef struct cg_scratch {
    char *block;
    size_t used, size;
    char *retired; /* full blocks, each beginning with a pointer to the next */
    bool no_memory;
} cg_scratch;

void cg_scratch_free_retired(cg_scratch *scratch);
void cg_scratch_release(cg_scratch *scratch);

static inline void cg_scratch_reset(cg_scratch *scratch)
{
    if (scratch->retired != NULL) {
        cg_scratch_free_retired(scratch);
    }
    scratch->used = sizeof(char *);
}

/* By kind of call: what is sure of the whole predicate, and of each atom. */
typedef struct cg_kind_memo {
    uint64_t yes, no; /* bit i: atom i holds, does not hold, whatever else the event is */
    uint8_t verdict;  /* cg_truth + 1; 0: not judged yet */
    bool absent;      /* it is a value that is absent */
} cg_kind_memo;

/* Calls of a name, or those of them that ended in a certain way. */
typedef struct cg_kind {
    const callgauge_call_name *call;
    const callgauge_name *error; /* NULL: none */
    bool told;                   /* whether it failed, and how; else all calls of the name */
} cg_kind;

/* Invariant: a kind has a row of memos, one for each case; slots hold index + 1. */
typedef struct cg_kinds {
    cg_kind *items;
    cg_kind_memo *memos;
    size_t count, room;
    uint32_t *slots;
    size_t slot_room;
    cg_kind last; /* asked for before */
    uint32_t last_id;
} cg_kinds;

/* By pattern: verdicts of files, two bits each, and of texts that come again. */
typedef struct cg_pattern_memo {
    uint8_t *files;
    size_t file_room; /* files that have a place */
    cg_intern texts;
    uint8_t *text_verdicts;
} cg_pattern_memo;

/* A condition that stands in several predicates, or may: what it came to for the event at hand. */
typedef struct cg_shared {
    const cg_node *node;
    uint64_t event; /* of judge->event */
    cg_truth truth;
} cg_shared;

typedef struct cg_case {
    const cg_node *root; /* of the predicate */
    const cg_predicate *predicate;
    uint32_t *shared;     /* by atom: index and 1 into judge->shared; 0: it is not shared */
    cg_kind_memo no_call; /* of events that are no calls */
    cg_pattern_memo *patterns;
    uint64_t match_limits;
} cg_case;

struct cg_judge {
    cg_judge_options options;
    cg_case *cases;
    size_t case_count, case_room;
    cg_kinds kinds;
    cg_shared *shared;
    size_t shared_count, shared_room;
    uint64_t event;               /* how many there were; 0: nobody says, so nothing is shared */
    const callgauge_event *at;    /* the one at hand; NULL: not known */
    const cg_kind_memo *at_memos; /* of its kind, for each case */
    const callgauge_capture *capture;
    cg_scratch scratch;
    cg_intern kept;                /* texts of cg_judge_keep() */
    size_t kept_bytes, room_bytes; /* of `kept`; of buffers of slots */
    cg_matcher *matcher;           /* NULL: no predicate has a pattern */
    cg_judge_counts counts;
};

/* The truth of `text matches pattern`, remembered where that is worth it. */
cg_truth cg_memo_match(cg_judge *judge, cg_case *of, const cg_node *node, const cg_value *text);
void cg_memo_release(cg_case *of);

/* Finds the conditions of a predicate that others have too. False: no memory. */
bool cg_shared_find(cg_judge *judge, cg_case *of);

/* The kind of a call, made where it is new; CG_KIND_NOMEM. */
uint32_t cg_kinds_find(cg_judge *judge, const cg_kind *kind);
/* Forgets all kinds. */
void cg_kinds_release(cg_kinds *kinds);

#endif

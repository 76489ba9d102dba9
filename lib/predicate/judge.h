/* SPDX-License-Identifier: Apache-2.0 */
/* What judging remembers: by call name, by file, by text. Only speed hangs on it: where memory for it cannot be had, the
 * work is done again. */
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

void cg_scratch_reset(cg_scratch *scratch);
void cg_scratch_release(cg_scratch *scratch);

/* By call name: what is sure of the whole predicate, and of each atom. */
typedef struct cg_name_memo {
    uint32_t atoms;  /* bit i: atom i holds */
    uint8_t verdict; /* cg_truth + 1; 0: not judged yet */
} cg_name_memo;

/* By pattern: verdicts of files, two bits each, and of texts that come again. */
typedef struct cg_pattern_memo {
    uint8_t *files;
    size_t file_room; /* files that have a place */
    cg_intern texts;
    uint8_t *text_verdicts;
} cg_pattern_memo;

typedef struct cg_case {
    const cg_predicate *predicate;
    cg_name_memo *names;
    size_t name_room;
    cg_name_memo no_name; /* of events that are no calls */
    cg_pattern_memo *patterns;
    uint64_t match_limits;
} cg_case;

struct cg_judge {
    cg_judge_options options;
    cg_case *cases;
    size_t case_count, case_room;
    const callgauge_capture *capture;
    cg_scratch scratch;
    cg_intern kept; /* texts of cg_judge_keep() */
    size_t kept_bytes, room_bytes; /* of `kept`; of buffers of slots */
    cg_matcher *matcher; /* NULL: no predicate has a pattern */
    cg_judge_counts counts;
};

/* The truth of `text matches pattern`, remembered where that is worth it. */
cg_truth cg_memo_match(cg_judge *judge, cg_case *of, const cg_node *node, const cg_value *text);
/* Room for the memo of a name; NULL: no memory. */
cg_name_memo *cg_memo_name(cg_case *of, uint32_t id);
void cg_memo_release(cg_case *of);
/* Forgets what is remembered by name. */
void cg_memo_forget_names(cg_case *of);

#endif

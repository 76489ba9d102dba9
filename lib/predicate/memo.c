/* SPDX-License-Identifier: Apache-2.0 */
/* What judging remembers, and its scratch memory. A file's path does not change once it is told, so a pattern is tried
 * once for each file, whatever the number of events. */
#include "base/mem.h"
#include "base/str.h"
#include "predicate/judge.h"

/* --- scratch */

void cg_scratch_free_retired(cg_scratch *scratch)
{
    while (scratch->retired != NULL) {
        char *next;
        memcpy(&next, scratch->retired, sizeof next);
        cg_mem_free(scratch->retired);
        scratch->retired = next;
    }
}

void cg_scratch_release(cg_scratch *scratch)
{
    cg_scratch_free_retired(scratch);
    cg_mem_free(scratch->block);
    *scratch = (cg_scratch){ 0 };
}

char *cg_scratch_take(cg_scratch *scratch, size_t size)
{
    enum { LEAST = 4096 };
    if (scratch->block == NULL || size > scratch->size - scratch->used) {
        size_t room = scratch->size < LEAST ? LEAST : scratch->size * 2;
        while (room < size + sizeof(char *)) {
            room *= 2;
        }
        char *block = cg_mem_alloc(room);
        if (block == NULL) {
            scratch->no_memory = true;
            return NULL;
        }
        if (scratch->block != NULL) {
            memcpy(scratch->block, &scratch->retired, sizeof scratch->retired);
            scratch->retired = scratch->block;
        }
        scratch->block = block;
        scratch->size = room;
        scratch->used = sizeof(char *);
    }
    char *at = scratch->block + scratch->used;
    scratch->used += size;
    return at;
}

/* --- names */

void cg_memo_release(cg_case *of)
{
    for (size_t i = 0; of->patterns != NULL && i < of->predicate->pattern_count; i++) {
        cg_mem_free(of->patterns[i].files);
        cg_mem_free(of->patterns[i].text_verdicts);
        cg_intern_release(&of->patterns[i].texts);
    }
    cg_mem_free(of->patterns);
    cg_mem_free(of->shared);
}

/* --- matches */

static cg_truth match(cg_judge *judge, cg_case *of, const cg_node *node, const cg_value *text)
{
    const cg_pattern *pattern = of->predicate->patterns[node->index];
    switch (cg_matcher_match(judge->matcher, pattern, text->text, text->cut)) {
    case CG_MATCH_YES: return CG_YES;
    case CG_MATCH_NO: return CG_NO;
    case CG_MATCH_CUT: return CG_UNDECIDED;
    case CG_MATCH_LIMIT: break;
    }
    of->match_limits++;
    judge->counts.match_limits++;
    return CG_UNDECIDED;
}

/* Four files to a byte; false: no memory. */
static bool room_for_file(cg_pattern_memo *memo, uint32_t id)
{
    if (id < memo->file_room) {
        return true;
    }
    size_t room = memo->file_room == 0 ? 1024 : memo->file_room;
    while (room <= id) {
        room *= 2;
    }
    uint8_t *files = cg_mem_resize(memo->files, room / 4);
    if (files == NULL) {
        return false;
    }
    memset(files + memo->file_room / 4, 0, (room - memo->file_room) / 4);
    memo->files = files;
    memo->file_room = room;
    return true;
}

static cg_truth match_file(cg_judge *judge, cg_case *of, const cg_node *node, const cg_value *text)
{
    cg_pattern_memo *memo = &of->patterns[node->index];
    uint32_t id = text->file->id;
    if (!room_for_file(memo, id)) {
        return match(judge, of, node, text);
    }
    uint8_t *place = &memo->files[id / 4];
    unsigned shift = id % 4 * 2;
    unsigned known = (unsigned)*place >> shift & 3u;
    if (known != 0) {
        return (cg_truth)(known - 1);
    }
    cg_truth truth = match(judge, of, node, text);
    *place = (uint8_t)(*place | (unsigned)(truth + 1) << shift);
    return truth;
}

enum { MOST_TEXTS = 1024 };

/* Programs and peers are few, and come with every event. */
static cg_truth match_text(cg_judge *judge, cg_case *of, const cg_node *node, const cg_value *text)
{
    cg_pattern_memo *memo = &of->patterns[node->index];
    if (memo->text_verdicts == NULL) {
        memo->text_verdicts = cg_mem_zeroed(MOST_TEXTS, 1);
        cg_intern_init(&memo->texts, MOST_TEXTS);
    }
    int64_t id = memo->text_verdicts == NULL ? CG_INTERN_NONE : cg_intern_add(&memo->texts, text->text);
    if (id < 0) {
        return match(judge, of, node, text);
    }
    if (memo->text_verdicts[id] == 0) {
        memo->text_verdicts[id] = (uint8_t)(match(judge, of, node, text) + 1);
    }
    return (cg_truth)(memo->text_verdicts[id] - 1);
}

cg_truth cg_memo_match(cg_judge *judge, cg_case *of, const cg_node *node, const cg_value *text)
{
    const cg_node *left = node->first;
    if (text->file != NULL) {
        return match_file(judge, of, node, text);
    }
    bool again = left->op == CG_OP_FIELD && (left->field->reads & CG_READS_AGAIN) != 0;
    return again && !text->cut ? match_text(judge, of, node, text) : match(judge, of, node, text);
}

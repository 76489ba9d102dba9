/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences that were told apart, and their rows in a report. */
#include "detect/sequences.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

enum { MOST_LINES = 1000000, MOST_LINE_BYTES = 64 << 20, FIRST_ROOM = 16 };

void cg_sequence_lines_init(cg_sequence_lines *lines)
{
    *lines = (cg_sequence_lines){ .bytes = 0 };
    cg_intern_init(&lines->texts, MOST_LINES);
}

void cg_sequence_lines_release(cg_sequence_lines *lines)
{
    cg_intern_release(&lines->texts);
}

/* --- one sequence */

static bool append(cg_sequence *s, uint32_t text, uint64_t line)
{
    if (s->count == s->room) {
        size_t room = s->room == 0 ? FIRST_ROOM : s->room * 2;
        cg_sequence_call *calls = cg_mem_resize(s->calls, room * sizeof *calls);
        if (calls == NULL) {
            return false;
        }
        s->calls = calls;
        s->room = room;
    }
    s->calls[s->count++] = (cg_sequence_call){ text, line };
    return true;
}

/* The number of a text; CG_INTERN_NOMEM, CG_INTERN_FULL. */
static int64_t number_of(cg_sequence_lines *lines, callgauge_str text)
{
    size_t before = lines->texts.count;
    if (lines->bytes > MOST_LINE_BYTES) {
        int64_t found = cg_intern_find(&lines->texts, text);
        return found == CG_INTERN_NONE ? CG_INTERN_FULL : found;
    }
    int64_t id = cg_intern_add(&lines->texts, text);
    lines->bytes += lines->texts.count > before ? text.len : 0;
    return id;
}

bool cg_sequence_add(cg_sequence *sequence, cg_sequence_lines *lines, callgauge_str text, uint64_t line)
{
    int64_t id = CG_INTERN_FULL;
    if (!sequence->cut && sequence->count < CG_MOST_RECORDED_CALLS) {
        id = number_of(lines, text);
    }
    sequence->cut |= id == CG_INTERN_FULL;
    return sequence->cut || (id >= 0 && append(sequence, (uint32_t)id, line));
}

void cg_sequence_release(cg_sequence *sequence)
{
    cg_mem_free(sequence->calls);
    *sequence = (cg_sequence){ 0 };
}

/* --- all of one name */

static bool are_equal(const cg_sequence *a, const cg_sequence *b)
{
    if (a->count != b->count || a->ended != b->ended || a->unfinished != b->unfinished) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (a->calls[i].text != b->calls[i].text) {
            return false;
        }
    }
    return true;
}

/* Counts a sequence that was known before; the one that began first is shown. */
static void count_again(cg_sequence *known, cg_sequence *again)
{
    cg_sequence both = again->begin < known->begin ? *again : *known;
    both.times = known->times + 1;
    both.cut = known->cut || again->cut;
    again->calls = both.calls == known->calls ? again->calls : known->calls;
    *known = both;
    cg_sequence_release(again);
}

void cg_sequences_keep(cg_sequences *sequences, cg_sequence *sequence)
{
    for (size_t i = 0; i < sequences->count; i++) {
        if (are_equal(&sequences->items[i], sequence)) {
            count_again(&sequences->items[i], sequence);
            return;
        }
    }
    if (sequences->count == CG_MOST_SEQUENCES) {
        sequences->not_kept++;
        cg_sequence_release(sequence);
        return;
    }
    sequence->times = 1;
    sequences->items[sequences->count++] = *sequence;
    *sequence = (cg_sequence){ 0 };
}

void cg_sequences_release(cg_sequences *sequences)
{
    for (size_t i = 0; i < sequences->count; i++) {
        cg_sequence_release(&sequences->items[i]);
    }
    sequences->count = 0;
}

/* --- rows */

static bool copy_calls(const cg_sequence_lines *lines, const cg_sequence *s, cg_arena *arena,
                       callgauge_recorded_row *row)
{
    callgauge_evidence *calls = cg_arena_alloc(arena, s->count * sizeof *calls);
    for (size_t i = 0; calls != NULL && i < s->count; i++) {
        calls[i].place.line = s->calls[i].line;
        if (!cg_arena_str(arena, lines->texts.texts[s->calls[i].text], &calls[i].text)) {
            return false;
        }
    }
    row->calls = calls;
    row->call_count = s->count;
    return calls != NULL;
}

static bool add_row(const cg_sequence *s, const cg_sequence_lines *lines, callgauge_str name, bool cut,
                    callgauge_report *report)
{
    callgauge_recorded_row *row = &report->recorded[report->recorded_count++];
    *row = (callgauge_recorded_row){ .name = name,
                                     .begin.line = s->begin,
                                     .times = s->times,
                                     .ended = s->ended,
                                     .cut = s->cut || cut,
                                     .unfinished = s->unfinished };
    return copy_calls(lines, s, &report->arena, row);
}

bool cg_sequences_rows(cg_sequences *sequences, const cg_sequence_lines *lines, callgauge_str name, bool cut,
                       callgauge_report *report)
{
    static const cg_sequence never = { 0 };
    callgauge_str copy;
    bool good = cg_arena_str(&report->arena, name, &copy);
    cut |= sequences->not_kept > 0;
    if (good && sequences->count == 0) {
        return add_row(&never, lines, copy, cut, report);
    }
    for (size_t i = 0; good && i < sequences->count; i++) {
        good = add_row(&sequences->items[i], lines, copy, cut, report);
    }
    return good && (sequences->not_kept == 0 ||
                    cg_report_add_limit(report, CG_LIMIT_SEQUENCES, CG_MOST_SEQUENCES, sequences->not_kept));
}

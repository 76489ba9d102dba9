/* SPDX-License-Identifier: Apache-2.0 */
/* Merges findings: rules are judged for each capture, and what they found of the same rule and group is one finding.
 * Counts, times and bytes add; groups are joined; the first lines of evidence are kept.
 * Invariant: every step is a sum, a union or a minimum; a list that was cut counts what it left out. */
#include "report/finding.h"
#include "report/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

enum { MOST_EVIDENCE = 5 }; /* of one number only is it the same however reports are grouped */

/* --- groups */

static int by_keys(const void *left, const void *right)
{
    const callgauge_group_row *a = left;
    const callgauge_group_row *b = right;
    const callgauge_finding_row x = { .keys = a->keys, .key_count = a->key_count };
    const callgauge_finding_row y = { .keys = b->keys, .key_count = b->key_count };
    return cg_finding_row_cmp(&x, &y);
}

static void add_group(const callgauge_group_row *from, callgauge_group_row *to)
{
    to->calls = cg_count_add(to->calls, from->calls);
    to->errors = cg_count_add(to->errors, from->errors);
    to->cpu_ns = cg_known_add(to->cpu_ns, from->cpu_ns);
    to->wall_ns = cg_known_add(to->wall_ns, from->wall_ns);
    to->bytes = cg_known_add(to->bytes, from->bytes);
}

static bool join_groups(const callgauge_finding_row *from, callgauge_finding_row *to, cg_arena *arena)
{
    size_t total = from->group_count + to->group_count, used = 0;
    callgauge_group_row *rows = cg_arena_alloc(arena, total * sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    memcpy(rows, from->groups, from->group_count * (from->group_count > 0 ? sizeof *rows : 0));
    if (to->group_count > 0) {
        memcpy(rows + from->group_count, to->groups, to->group_count * sizeof *rows);
    }
    if (total > 1) {
        qsort(rows, total, sizeof *rows, by_keys);
    }
    for (size_t i = 0; i < total; i++) {
        if (used > 0 && by_keys(&rows[used - 1], &rows[i]) == 0) {
            add_group(&rows[i], &rows[used - 1]);
        } else {
            rows[used++] = rows[i];
        }
    }
    if (used > 1) {
        qsort(rows, used, sizeof *rows, cg_group_row_cmp);
    }
    to->groups = rows;
    to->group_count = used;
    return true;
}

/* --- evidence and values */

/* The first lines of both. */
static bool join_evidence(const callgauge_finding_row *from, callgauge_finding_row *to, cg_arena *arena)
{
    size_t total = from->evidence_count + to->evidence_count;
    callgauge_evidence *rows = cg_arena_alloc(arena, total * sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    for (size_t i = 0; i < total; i++) {
        rows[i] = i < from->evidence_count ? from->evidence[i] : to->evidence[i - from->evidence_count];
    }
    if (total > 1) {
        qsort(rows, total, sizeof *rows, cg_evidence_cmp);
    }
    to->evidence = rows;
    to->evidence_count = total < MOST_EVIDENCE ? total : MOST_EVIDENCE;
    return true;
}

/* Values that both have, and alike. */
static bool join_values(const callgauge_finding_row *from, callgauge_finding_row *to, cg_arena *arena)
{
    callgauge_key *both = cg_arena_alloc(arena, to->value_count * sizeof *both);
    size_t used = 0;
    if (both == NULL) {
        return false;
    }
    for (size_t i = 0; i < to->value_count; i++) {
        for (size_t k = 0; k < from->value_count; k++) {
            if (cg_key_cmp(&to->values[i], &from->values[k]) == 0) {
                both[used++] = to->values[i];
                break;
            }
        }
    }
    to->values = both;
    to->value_count = used;
    return true;
}

/* --- findings */

static int references_cmp(const callgauge_finding_row *a, const callgauge_finding_row *b)
{
    for (size_t i = 0; i < a->reference_count && i < b->reference_count; i++) {
        int order = cg_str_cmp(a->references[i], b->references[i]);
        if (order != 0) {
            return order;
        }
    }
    return (a->reference_count > b->reference_count) - (a->reference_count < b->reference_count);
}

/* What rules of other versions say otherwise: of two texts the one that comes first. */
static void join_texts(const callgauge_finding_row *from, callgauge_finding_row *to)
{
    to->severity = from->severity > to->severity ? from->severity : to->severity;
    to->title = cg_merge_text(to->title, from->title);
    to->why = cg_merge_text(to->why, from->why);
    to->advice = cg_merge_text(to->advice, from->advice);
    to->false_alarms = cg_merge_text(to->false_alarms, from->false_alarms);
    to->form = cg_merge_text(to->form, from->form);
    to->message = cg_merge_text(to->message, from->message);
    if (references_cmp(from, to) > 0) {
        to->references = from->references;
        to->reference_count = from->reference_count;
    }
    to->rests_on_times |= from->rests_on_times;
}

static bool add_finding(const void *row, void *sum, cg_arena *scratch)
{
    const callgauge_finding_row *from = row;
    callgauge_finding_row *to = sum;
    join_texts(from, to);
    to->calls = cg_count_add(to->calls, from->calls);
    to->errors = cg_count_add(to->errors, from->errors);
    to->times = cg_count_add(to->times, from->times);
    to->of_calls = cg_count_add(to->of_calls, from->of_calls);
    to->undecided = cg_count_add(to->undecided, from->undecided);
    to->cpu_ns = cg_known_add(to->cpu_ns, from->cpu_ns);
    to->wall_ns = cg_known_add(to->wall_ns, from->wall_ns);
    to->bytes = cg_known_add(to->bytes, from->bytes);
    to->saved_calls = cg_known_add(to->saved_calls, from->saved_calls);
    to->groups_left_out = cg_count_add(to->groups_left_out, from->groups_left_out);
    return join_groups(from, to, scratch) && join_evidence(from, to, scratch) && join_values(from, to, scratch);
}

static bool keep_keys(cg_arena *arena, const callgauge_key **keys, size_t count)
{
    callgauge_key *copy = cg_arena_alloc(arena, count * sizeof *copy);
    for (size_t i = 0; copy != NULL && i < count; i++) {
        copy[i] = (*keys)[i];
        if (!cg_merge_keep(arena, &copy[i].name) || !cg_merge_keep(arena, &copy[i].value)) {
            return false;
        }
    }
    *keys = copy;
    return copy != NULL;
}

static bool keep_groups(cg_arena *arena, callgauge_finding_row *row)
{
    callgauge_group_row *copy = cg_arena_alloc(arena, row->group_count * sizeof *copy);
    for (size_t i = 0; copy != NULL && i < row->group_count; i++) {
        copy[i] = row->groups[i];
        if (!keep_keys(arena, &copy[i].keys, copy[i].key_count)) {
            return false;
        }
    }
    row->groups = copy;
    return copy != NULL;
}

static bool keep_lists(cg_arena *arena, callgauge_finding_row *row)
{
    callgauge_evidence *evidence = cg_arena_alloc(arena, row->evidence_count * sizeof *evidence);
    callgauge_str *references = cg_arena_alloc(arena, row->reference_count * sizeof *references);
    bool good = evidence != NULL && references != NULL;
    for (size_t i = 0; good && i < row->evidence_count; i++) {
        evidence[i] = row->evidence[i];
        good = cg_merge_keep(arena, &evidence[i].text);
    }
    for (size_t i = 0; good && i < row->reference_count; i++) {
        references[i] = row->references[i];
        good = cg_merge_keep(arena, &references[i]);
    }
    row->evidence = evidence;
    row->references = references;
    return good;
}

static bool copy_finding(void *at, cg_arena *arena)
{
    callgauge_finding_row *row = at;
    return cg_merge_keep(arena, &row->rule) && cg_merge_keep(arena, &row->title) && cg_merge_keep(arena, &row->why) &&
           cg_merge_keep(arena, &row->advice) && cg_merge_keep(arena, &row->false_alarms) &&
           cg_merge_keep(arena, &row->form) && cg_merge_keep(arena, &row->message) &&
           keep_keys(arena, &row->keys, row->key_count) && keep_keys(arena, &row->values, row->value_count) &&
           keep_groups(arena, row) && keep_lists(arena, row);
}

bool cg_report_add_finding(callgauge_report *report, const callgauge_finding_row *row)
{
    callgauge_finding_row *rows = cg_arena_alloc(&report->arena, (report->finding_count + 1) * sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    if (report->finding_count > 0) {
        memcpy(rows, report->findings, report->finding_count * sizeof *rows);
    }
    callgauge_finding_row *added = &rows[report->finding_count];
    *added = *row;
    if (!copy_finding(added, &report->arena)) {
        return false;
    }
    report->findings = rows;
    report->finding_count++;
    return true;
}

static const void *list_findings(const callgauge_report *report, size_t *count)
{
    *count = report->finding_count;
    return report->findings;
}

/* --- rules that were not judged */

static const void *list_not_judged(const callgauge_report *report, size_t *count)
{
    *count = report->not_judged_count;
    return report->not_judged;
}

static void move_not_judged(void *row, const size_t *map, size_t count)
{
    cg_not_judged_row_move(row, map, count);
}

static bool add_not_judged(const void *row, void *sum, cg_arena *scratch)
{
    (void)row;
    (void)sum;
    (void)scratch;
    return true;
}

static bool copy_not_judged(void *at, cg_arena *arena)
{
    callgauge_not_judged_row *row = at;
    return cg_merge_keep(arena, &row->rule) && cg_merge_keep(arena, &row->next_capture);
}

/* Moving evidence takes memory: it is done beforehand, to copies of the rows. */
static bool gather(cg_merge *merge, callgauge_report *moved)
{
    const size_t *map = merge->map;
    size_t total = 0, used = 0;
    for (size_t i = 0; i < merge->n; i++) {
        total += merge->in[i]->finding_count;
    }
    moved->findings = cg_arena_alloc(&merge->scratch, total * sizeof *moved->findings);
    for (size_t i = 0; moved->findings != NULL && i < merge->n; i++) {
        for (size_t k = 0; k < merge->in[i]->finding_count; k++) {
            moved->findings[used] = merge->in[i]->findings[k];
            if (!cg_finding_row_move(&moved->findings[used++], &merge->scratch, map, merge->in[i]->capture_count)) {
                return false;
            }
        }
        map += merge->in[i]->capture_count;
    }
    moved->finding_count = used;
    return moved->findings != NULL;
}

bool cg_merge_findings(cg_merge *merge)
{
    static const cg_merge_kind findings = {
        sizeof(callgauge_finding_row), list_findings, cg_finding_row_cmp, NULL, add_finding, copy_finding,
    };
    static const cg_merge_kind not_judged = {
        sizeof(callgauge_not_judged_row),
        list_not_judged,
        cg_not_judged_row_cmp,
        move_not_judged,
        add_not_judged,
        copy_not_judged,
    };
    callgauge_report moved = { .finding_count = 0 };
    const callgauge_report *all = &moved;
    void *rows = NULL;
    if (!gather(merge, &moved)) {
        return false;
    }
    cg_merge once = { .in = &all, .n = 1, .out = merge->out, .map = merge->map };
    bool good = cg_merge_rows(&once, &findings, &rows, &merge->out->finding_count);
    cg_arena_release(&once.scratch);
    merge->out->findings = rows;
    if (!good) {
        return false;
    }
    good = cg_merge_rows(merge, &not_judged, &rows, &merge->out->not_judged_count);
    merge->out->not_judged = rows;
    return good;
}

/* --- rules that were judged */

/* Keeps the ids of `ids` that another list has too; both are in order. Gives how many. */
static size_t keep_common(callgauge_str *ids, size_t count, const callgauge_str *others, size_t other_count)
{
    size_t used = 0, k = 0;
    for (size_t i = 0; i < count; i++) {
        while (k < other_count && cg_str_cmp(others[k], ids[i]) < 0) {
            k++;
        }
        if (k < other_count && cg_str_eq(others[k], ids[i])) {
            ids[used++] = ids[i];
        }
    }
    return used;
}

bool cg_merge_judged(cg_merge *merge)
{
    callgauge_report *out = merge->out;
    for (size_t i = 0; i < merge->n; i++) {
        if (merge->in[i]->judged == NULL) {
            return true; /* one without rules: of no rule is it known that all were judged by it */
        }
    }
    size_t count = merge->in[0]->judged_count;
    callgauge_str *ids = cg_arena_alloc(&out->arena, count * sizeof *ids);
    if (ids == NULL) {
        return false;
    }
    if (count > 0) {
        memcpy(ids, merge->in[0]->judged, count * sizeof *ids);
    }
    for (size_t i = 1; i < merge->n; i++) {
        count = keep_common(ids, count, merge->in[i]->judged, merge->in[i]->judged_count);
    }
    for (size_t i = 0; i < count; i++) {
        if (!cg_merge_keep(&out->arena, &ids[i])) {
            return false;
        }
    }
    out->judged = ids;
    out->judged_count = count;
    return true;
}

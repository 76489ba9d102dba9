/* SPDX-License-Identifier: Apache-2.0 */
/* From the groups of a rule to the findings of a report: those whose sums reach the floors, the worst first. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "detect/inside.h"
#include "report/finding.h"

enum { MOST_VALUE = 4096 };

static const char *const implied_names[CG_IMPLIED_KEYS] = { "path", "fd.path", "peer.addr" };

/* A finding while it is made. */
typedef struct making {
    cg_work *work;
    callgauge_report *report;
    const cg_group *by; /* NULL: what rows of a table came to */
    uint64_t of_calls, units;
    const uint32_t *order, *starts; /* each-groups by the group that they are part of, and where those of each begin */
    const cg_group **parts;         /* of these, what belongs to it, or stands below it in the list */
    size_t part_count;
    cg_sum sum;
} making;

static bool add_key(callgauge_report *report, callgauge_str name, const cg_value *value, callgauge_key *out)
{
    cg_buf text;
    cg_buf_init(&text, MOST_VALUE);
    bool whole = cg_value_write(value, &text);
    bool good = (whole || text.len > 0) && cg_arena_str(&report->arena, name, &out->name) &&
                cg_arena_str(&report->arena, cg_buf_str(&text), &out->value);
    cg_buf_release(&text);
    return good;
}

static callgauge_key *make_keys(callgauge_report *report, const cg_expression *names, const cg_value *values,
                                size_t count)
{
    callgauge_key *keys = cg_arena_alloc(&report->arena, count * sizeof *keys);
    for (size_t i = 0; keys != NULL && i < count; i++) {
        if (!add_key(report, names[i].text, &values[i], &keys[i])) {
            return NULL;
        }
    }
    return keys;
}

/* --- which groups */

static bool reaches(const making *m, int part, const cg_group *group, const cg_sum *tally)
{
    const cg_work *work = m->work;
    bool is_run = work->rule->info.shape == CALLGAUGE_SHAPE_RUN;
    if (work->rule->floor_count == 0) {
        return tally->times > 0;
    }
    for (size_t i = 0; i < work->rule->floor_count; i++) {
        const cg_floor *floor = &work->rule->floors[i];
        int of_this = is_run ? part & ~CG_HOLDS_SUMS : part;
        if (is_run && (group->floors >> i & 1) == 0) {
            continue;
        }
        if (cg_floor_holds(work, floor, of_this, tally, group == NULL ? NULL : group->distinct, m->of_calls,
                           m->units)) {
            return tally->times > 0;
        }
    }
    return false;
}

static int worse_cmp(const void *left, const void *right)
{
    const cg_group *a = *(const cg_group *const *)left;
    const cg_group *b = *(const cg_group *const *)right;
    int64_t x = a->tally.wall_ns != CALLGAUGE_UNKNOWN ? a->tally.wall_ns : a->tally.cpu_ns;
    int64_t y = b->tally.wall_ns != CALLGAUGE_UNKNOWN ? b->tally.wall_ns : b->tally.cpu_ns;
    if (x != y) {
        return x < y ? 1 : -1;
    }
    if (a->tally.calls != b->tally.calls) {
        return a->tally.calls < b->tally.calls ? 1 : -1;
    }
    return (a > b) - (a < b); /* as they came */
}

/* The parts of the group: with `each` those that reach the floors, and their sum; else all that are listed. */
static void gather_parts(making *m)
{
    cg_work *work = m->work;
    uint32_t index = (uint32_t)(m->by - work->bys.items);
    bool decides = cg_is_shown_by_each(work);
    cg_sum_init(&m->sum);
    m->part_count = 0;
    for (uint32_t i = m->starts[index]; i < m->starts[index + 1]; i++) {
        const cg_group *part = &work->eaches.items[m->order[i]];
        if (part->tally.times == 0) {
            continue;
        }
        if (!decides || reaches(m, CG_HOLDS_SUMS | CG_HOLDS_SHARES, part, &part->tally)) {
            m->parts[m->part_count++] = part;
            cg_sum_add(&m->sum, &part->tally);
        }
    }
    if (!decides) {
        m->sum = m->by->tally;
    }
    if (m->part_count > 1) {
        qsort(m->parts, m->part_count, sizeof *m->parts, worse_cmp);
    }
}

/* --- what a finding says */

static int64_t saved_of(const making *m)
{
    const cg_rule *rule = m->work->rule;
    uint64_t calls = m->sum.calls, kept = m->sum.times;
    if (rule->info.shape == CALLGAUGE_SHAPE_COUNT) {
        kept = cg_is_shown_by_each(m->work) ? m->part_count : 1;
    }
    switch (rule->saved) {
    case CG_SAVED_ALL: return cg_count_held(calls);
    case CG_SAVED_REST: return cg_count_held(calls > kept ? calls - kept : 0);
    case CG_SAVED_SHARE: return (int64_t)((double)calls * rule->saved_share + 0.5);
    case CG_SAVED_UNKNOWN: break;
    }
    return CALLGAUGE_UNKNOWN;
}

/* Of rules that have no message. */
static const char usual_form[] = "{calls} calls[, {errors} failed][, {bytes}][, {time}]";

static bool set_texts(callgauge_report *report, const cg_rule *rule, callgauge_finding_row *row)
{
    const struct {
        callgauge_str from;
        callgauge_str *to;
    } texts[] = {
        { rule->info.id, &row->rule },
        { rule->info.title, &row->title },
        { rule->form.len > 0 ? rule->form : cg_str_z(usual_form), &row->form },
        { rule->info.why, &row->why },
        { rule->info.advice, &row->advice },
        { rule->info.false_alarms, &row->false_alarms },
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].from.len > 0 && !cg_arena_str(&report->arena, texts[i].from, texts[i].to)) {
            return false;
        }
    }
    callgauge_str *references = cg_arena_alloc(&report->arena, rule->info.reference_count * sizeof *references);
    for (size_t i = 0; references != NULL && i < rule->info.reference_count; i++) {
        if (!cg_arena_str(&report->arena, rule->info.references[i], &references[i])) {
            return false;
        }
    }
    row->references = references;
    row->reference_count = rule->info.reference_count;
    row->severity = rule->info.severity;
    row->rests_on_times = rule->reads_time;
    return references != NULL;
}

static bool set_groups(const making *m, callgauge_finding_row *row)
{
    const cg_rule *rule = m->work->rule;
    size_t limit = m->work->all->options.limits.finding_groups;
    size_t count = m->part_count < limit ? m->part_count : limit;
    callgauge_group_row *groups = cg_arena_alloc(&m->report->arena, count * sizeof *groups);
    for (size_t i = 0; groups != NULL && i < count; i++) {
        const cg_group *part = m->parts[i];
        const cg_expression implied = { .text = cg_str_z(implied_names[part->implied]) };
        bool is_each = cg_is_shown_by_each(m->work);
        groups[i] = (callgauge_group_row){
            .keys = make_keys(m->report, is_each ? rule->each.items : &implied, part->keys,
                              is_each ? rule->each.count : 1),
            .key_count = is_each ? rule->each.count : 1,
            .calls = part->tally.calls,
            .errors = part->tally.errors,
            .cpu_ns = part->tally.cpu_ns,
            .wall_ns = part->tally.wall_ns,
            .bytes = part->tally.bytes,
        };
        if (groups[i].keys == NULL) {
            return false;
        }
    }
    if (count > 1) {
        qsort(groups, count, sizeof *groups, cg_group_row_cmp);
    }
    row->groups = groups;
    row->group_count = count;
    row->groups_left_out = m->part_count - count;
    return groups != NULL;
}

/* Lines of the group itself, or of its worst parts in turn. */
static bool set_evidence(const making *m, callgauge_finding_row *row)
{
    size_t limit = m->work->all->options.limits.evidence, used = 0;
    callgauge_evidence *rows = cg_arena_alloc(&m->report->arena, limit * sizeof *rows);
    bool by_parts = cg_is_shown_by_each(m->work);
    size_t sources = by_parts ? m->part_count : m->by != NULL;
    for (size_t i = 0; rows != NULL && i < sources && used < limit; i++) {
        const cg_shown *shown = by_parts ? &m->parts[i]->shown : &m->by->shown;
        for (size_t k = 0; k < shown->count && used < limit; k++) {
            rows[used].place.line = shown->lines[k].line;
            if (!cg_arena_str(&m->report->arena, shown->lines[k].text, &rows[used++].text)) {
                return false;
            }
        }
    }
    if (used > 1) {
        qsort(rows, used, sizeof *rows, cg_evidence_cmp);
    }
    row->evidence = rows;
    row->evidence_count = used;
    return rows != NULL;
}

static bool set_values(const making *m, callgauge_finding_row *row)
{
    const cg_rule *rule = m->work->rule;
    callgauge_key *values = cg_arena_alloc(&m->report->arena, rule->value_count * sizeof *values);
    size_t used = 0;
    for (size_t i = 0; values != NULL && m->by != NULL && m->by->values != NULL && i < rule->value_count; i++) {
        const cg_value *value = &m->by->values[i];
        if (value->known == CG_KNOWN && !add_key(m->report, rule->values[i].text, value, &values[used++])) {
            return false;
        }
    }
    row->values = values;
    row->value_count = used;
    return values != NULL;
}

static bool make_row(const making *m, callgauge_finding_row *row)
{
    const cg_rule *rule = m->work->rule;
    *row = (callgauge_finding_row){ 0 };
    cg_finding_row_init(row);
    row->calls = m->sum.calls;
    row->errors = m->sum.errors;
    row->times = m->sum.times;
    row->cpu_ns = m->sum.cpu_ns;
    row->wall_ns = m->sum.wall_ns;
    row->bytes = m->sum.bytes;
    row->of_calls = m->of_calls;
    row->undecided = m->work->undecided;
    row->saved_calls = saved_of(m);
    row->key_count = m->by == NULL ? 0 : rule->by.count;
    row->keys = make_keys(m->report, rule->by.items, m->by == NULL ? NULL : m->by->keys, row->key_count);
    return row->keys != NULL && set_texts(m->report, rule, row) && set_groups(m, row) && set_evidence(m, row) &&
           set_values(m, row);
}

/* --- all of a rule's */

static bool append(callgauge_report *report, const callgauge_finding_row *row)
{
    size_t count = report->finding_count;
    if ((count & (count - 1)) == 0) {
        callgauge_finding_row *rows = cg_arena_alloc(&report->arena, (count == 0 ? 1 : count * 2) * sizeof *rows);
        if (rows == NULL) {
            return false;
        }
        if (count > 0) {
            memcpy(rows, report->findings, count * sizeof *rows);
        }
        report->findings = rows;
    }
    report->findings[report->finding_count++] = *row;
    return true;
}

static uint64_t of_calls(const cg_work *work, const cg_group *by)
{
    const cg_rule *rule = work->rule;
    if (rule->info.shape == CALLGAUGE_SHAPE_ROWS || rule->of == NULL) {
        return work->all->calls;
    }
    return rule->info.shape == CALLGAUGE_SHAPE_COUNT && rule->by.count > 0 ? by->of_calls : work->of_calls;
}

static bool add_from_table(making *m)
{
    cg_work *work = m->work;
    cg_group whole = { .tally = work->table };
    m->by = NULL;
    m->of_calls = work->rule->of == NULL ? work->all->table_calls : work->table_of;
    m->sum = work->table;
    m->part_count = 0;
    callgauge_finding_row row;
    if (!work->rule->tells_whole && !reaches(m, CG_HOLDS_SUMS | CG_HOLDS_SHARES, &whole, &m->sum)) {
        return true;
    }
    return make_row(m, &row) && append(m->report, &row);
}

static bool add_all(making *m)
{
    cg_work *work = m->work;
    size_t limit = work->all->options.limits.findings, found = 0, dropped = 0;
    for (size_t i = 0; i < work->bys.count; i++) {
        callgauge_finding_row row;
        m->by = &work->bys.items[i];
        m->of_calls = of_calls(work, m->by);
        gather_parts(m);
        bool holds = cg_is_shown_by_each(work) ? m->part_count > 0
                                               : reaches(m, CG_HOLDS_SUMS | CG_HOLDS_SHARES, m->by, &m->sum);
        if (!holds) {
            continue;
        }
        if (found == limit) {
            dropped++;
            continue;
        }
        found++;
        if (!make_row(m, &row) || !append(m->report, &row)) {
            return false;
        }
    }
    return dropped == 0 || cg_report_add_limit(m->report, "findings", limit, dropped);
}

/* Sorts the parts by their groups, those of each as they came. Cleared, `starts` has two more than there are groups:
 * first it counts one place further on, and moves back as the parts are put in their order. */
static void order_parts(const cg_work *work, uint32_t *order, uint32_t *starts)
{
    const cg_groups *parts = &work->eaches;
    for (size_t i = 0; i < parts->count; i++) {
        starts[parts->items[i].by + 2]++;
    }
    for (size_t i = 0; i < work->bys.count; i++) {
        starts[i + 2] += starts[i + 1];
    }
    for (size_t i = 0; i < parts->count; i++) {
        order[starts[parts->items[i].by + 1]++] = (uint32_t)i;
    }
}

/* What a limit came to in all, even if that is nothing: a row that is not there does not tell what was undecided.
 * Events that no group had room for are that. */
static bool add_whole(making *m)
{
    cg_work *work = m->work;
    callgauge_finding_row row;
    bool is_single = work->rule->by.count == 0 && work->bys.count > 0;
    m->by = is_single ? &work->bys.items[0] : NULL;
    m->of_calls = work->all->calls;
    m->part_count = 0;
    cg_sum_init(&m->sum);
    for (size_t i = 0; i < work->bys.count; i++) {
        cg_sum_add(&m->sum, &work->bys.items[i].tally);
    }
    if (!make_row(m, &row)) {
        return false;
    }
    row.key_count = 0;
    row.undecided = cg_count_add(row.undecided, work->groups_dropped);
    return append(m->report, &row);
}

/* All groups that reach the floors; of a limit the whole too, which is the only group where nothing tells them
 * apart. */
static bool add_groups(making *m)
{
    const cg_rule *rule = m->work->rule;
    if (!rule->tells_whole) {
        return add_all(m);
    }
    return (rule->by.count == 0 || add_all(m)) && add_whole(m);
}

bool cg_findings_add(cg_work *work, callgauge_report *report)
{
    uint32_t *order = cg_mem_zeroed(work->eaches.count + 1, sizeof *order);
    uint32_t *starts = cg_mem_zeroed(work->bys.count + 2, sizeof *starts);
    const cg_group **parts = cg_mem_zeroed(work->eaches.count + 1, sizeof *parts);
    bool is_table = !report->captures[0].capture.has_events;
    bool good = order != NULL && starts != NULL && parts != NULL;
    if (good) {
        making m = {
            .work = work,
            .report = report,
            .units = report->unit.from == CALLGAUGE_UNIT_NONE ? 0 : report->unit.count,
            .order = order,
            .starts = starts,
            .parts = parts,
        };
        order_parts(work, order, starts);
        if (is_table && work->rule->info.shape == CALLGAUGE_SHAPE_ROWS) {
            work->all->calls = work->all->table_calls;
        }
        good = is_table && work->rule->judges_tables ? add_from_table(&m) : add_groups(&m);
    }
    cg_mem_free(order);
    cg_mem_free(starts);
    cg_mem_free(parts);
    return good;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The order of findings, and the way to them. */
#include "report/finding.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

void cg_finding_row_init(callgauge_finding_row *row)
{
    row->cpu_ns = row->wall_ns = row->bytes = row->saved_calls = CALLGAUGE_UNKNOWN;
}

/* --- orders */

int cg_key_cmp(const callgauge_key *a, const callgauge_key *b)
{
    int order = cg_str_cmp(a->name, b->name);
    return order != 0 ? order : cg_str_cmp(a->value, b->value);
}

static int keys_cmp(const callgauge_key *a, size_t a_count, const callgauge_key *b, size_t b_count)
{
    for (size_t i = 0; i < a_count && i < b_count; i++) {
        int order = cg_key_cmp(&a[i], &b[i]);
        if (order != 0) {
            return order;
        }
    }
    return (a_count > b_count) - (a_count < b_count);
}

int cg_finding_row_cmp(const void *left, const void *right)
{
    const callgauge_finding_row *a = left;
    const callgauge_finding_row *b = right;
    int order = cg_str_cmp(a->rule, b->rule);
    return order != 0 ? order : keys_cmp(a->keys, a->key_count, b->keys, b->key_count);
}

int cg_not_judged_row_cmp(const void *left, const void *right)
{
    const callgauge_not_judged_row *a = left;
    const callgauge_not_judged_row *b = right;
    int order = cg_str_cmp(a->rule, b->rule);
    order = order != 0 ? order : (a->capture > b->capture) - (a->capture < b->capture);
    order = order != 0 ? order : (a->missing > b->missing) - (a->missing < b->missing);
    return order != 0 ? order : cg_str_cmp(a->next_capture, b->next_capture);
}

/* Larger ones first. */
static int falling(int64_t a, int64_t b)
{
    return (a < b) - (a > b);
}

static int falling_count(uint64_t a, uint64_t b)
{
    return (a < b) - (a > b);
}

int cg_group_row_cmp(const void *left, const void *right)
{
    const callgauge_group_row *a = left;
    const callgauge_group_row *b = right;
    int order = falling(cg_finding_cost(a->wall_ns, a->cpu_ns), cg_finding_cost(b->wall_ns, b->cpu_ns));
    order = order != 0 ? order : falling_count(a->calls, b->calls);
    return order != 0 ? order : keys_cmp(a->keys, a->key_count, b->keys, b->key_count);
}

int cg_evidence_cmp(const void *left, const void *right)
{
    const callgauge_evidence *a = left;
    const callgauge_evidence *b = right;
    int order = cg_place_cmp(a->place, b->place);
    return order != 0 ? order : cg_str_cmp(a->text, b->text);
}

static int costs_cmp(const void *left, const void *right)
{
    const callgauge_finding_row *a = left;
    const callgauge_finding_row *b = right;
    int order = falling(cg_finding_cost(a->wall_ns, a->cpu_ns), cg_finding_cost(b->wall_ns, b->cpu_ns));
    order = order != 0 ? order : falling_count(a->calls, b->calls);
    order = order != 0 ? order : (a->severity < b->severity) - (a->severity > b->severity);
    return order != 0 ? order : cg_finding_row_cmp(a, b);
}

bool cg_report_settle_findings(callgauge_report *report)
{
    for (size_t i = 0; i < report->finding_count; i++) {
        if (!cg_finding_row_tell(report, &report->findings[i])) {
            return false;
        }
    }
    if (report->finding_count > 1) {
        qsort(report->findings, report->finding_count, sizeof *report->findings, costs_cmp);
    }
    if (report->not_judged_count > 1) {
        qsort(report->not_judged, report->not_judged_count, sizeof *report->not_judged, cg_not_judged_row_cmp);
    }
    return true;
}

/* --- places */

bool cg_finding_row_move(callgauge_finding_row *row, cg_arena *arena, const size_t *map, size_t count)
{
    callgauge_evidence *moved = cg_arena_alloc(arena, row->evidence_count * sizeof *moved);
    if (moved == NULL) {
        return false;
    }
    for (size_t i = 0; i < row->evidence_count; i++) {
        size_t capture = row->evidence[i].place.capture;
        moved[i] = row->evidence[i];
        moved[i].place.capture = capture < count ? map[capture] : 0;
    }
    if (row->evidence_count > 1) {
        qsort(moved, row->evidence_count, sizeof *moved, cg_evidence_cmp);
    }
    row->evidence = moved;
    return true;
}

void cg_not_judged_row_move(callgauge_not_judged_row *row, const size_t *map, size_t count)
{
    row->capture = row->capture < count ? map[row->capture] : 0;
}

/* --- the way to them */

size_t callgauge_report_finding_count(const callgauge_report *report)
{
    return report->finding_count;
}

const callgauge_finding_row *callgauge_report_finding(const callgauge_report *report, size_t index)
{
    return index < report->finding_count ? &report->findings[index] : NULL;
}

size_t callgauge_report_not_judged_count(const callgauge_report *report)
{
    return report->not_judged_count;
}

const callgauge_not_judged_row *callgauge_report_not_judged(const callgauge_report *report, size_t index)
{
    return index < report->not_judged_count ? &report->not_judged[index] : NULL;
}

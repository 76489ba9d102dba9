/* SPDX-License-Identifier: Apache-2.0 */
/* What of a JSON report tells how it was made, and the sequences that were recorded for a budget: written, and read
 * back.
 * Invariant: `judged` is null where a capture was analysed without rules, and a list, maybe an empty one, where all
 * were judged by some. */
#include "write/json_keys.h"
#include "write/json_rows.h"

#include <stdlib.h>

#include "base/str.h"

/* --- writing */

static void write_judged(cg_json *json, const callgauge_report *report)
{
    size_t n;
    const callgauge_str *ids = callgauge_report_judged(report, &n);
    cg_json_break(json, 2);
    cg_json_key(json, "judged");
    if (ids == NULL) {
        cg_json_null(json);
        return;
    }
    cg_json_open(json, '[');
    for (size_t i = 0; i < n; i++) {
        cg_json_str(json, ids[i]);
    }
    cg_json_close(json, ']');
}

static void write_row(cg_json *json, const callgauge_recorded_row *row)
{
    cg_json_row(json);
    cg_json_captured(json, "name", row->name);
    cg_json_count(json, "capture", row->capture);
    cg_json_place(json, "begin", row->begin);
    cg_json_list(json, "calls");
    for (size_t i = 0; i < row->call_count; i++) {
        cg_json_open(json, '{');
        cg_json_count(json, "line", row->calls[i].place.line);
        cg_json_captured(json, "text", row->calls[i].text);
        cg_json_close(json, '}');
    }
    cg_json_close(json, ']');
    cg_json_count(json, "times", row->times);
    cg_json_bool(json, "ended", row->ended);
    cg_json_bool(json, "cut", row->cut);
    cg_json_bool(json, "unfinished", row->unfinished);
    cg_json_close(json, '}');
}

void cg_json_recorded(cg_json *json, const callgauge_report *report)
{
    size_t n = callgauge_report_recorded_count(report);
    write_judged(json, report);
    cg_json_break(json, 2);
    cg_json_bool(json, "followed", callgauge_report_is_followed(report));
    cg_json_rows(json, "recorded");
    for (size_t i = 0; i < n; i++) {
        write_row(json, callgauge_report_recorded(report, i));
    }
    cg_json_rows_end(json, n);
}

/* --- reading */

#ifdef CG_HAVE_JSON

static int id_cmp(const void *a, const void *b)
{
    return cg_str_cmp(*(const callgauge_str *)a, *(const callgauge_str *)b);
}

static bool read_judged(const cg_node *at, callgauge_report *report)
{
    const callgauge_str *ids;
    size_t count;
    if (!cg_node_has(at, "judged")) {
        return true;
    }
    if (!cg_node_strs(at, "judged", &ids, &count)) {
        return false;
    }
    callgauge_str *own = cg_arena_alloc(&report->arena, count * sizeof *own);
    if (own == NULL) {
        return cg_node_fail_nomem(at);
    }
    for (size_t i = 0; i < count; i++) {
        own[i] = ids[i];
    }
    if (count > 1) {
        qsort(own, count, sizeof *own, id_cmp);
    }
    for (size_t i = 1; i < count; i++) {
        if (cg_str_eq(own[i - 1], own[i])) {
            return cg_node_fail(at, "judged", "a rule is there twice");
        }
    }
    report->judged = own;
    report->judged_count = count;
    return true;
}

static bool read_line(const cg_node *at, void *out)
{
    callgauge_evidence *call = out;
    return cg_node_count(at, "line", &call->place.line) && cg_node_captured(at, "text", &call->text);
}

static bool read_row(const cg_node *at, void *out)
{
    callgauge_recorded_row *row = out;
    uint64_t capture = 0;
    if (!cg_node_captured(at, "name", &row->name) || !cg_node_count(at, "capture", &capture) ||
        !cg_node_place(at, "begin", &row->begin) || !cg_node_count(at, "times", &row->times) ||
        !cg_node_bool(at, "ended", &row->ended) || !cg_node_bool(at, "cut", &row->cut) ||
        (cg_node_has(at, "unfinished") && !cg_node_bool(at, "unfinished", &row->unfinished))) {
        return false;
    }
    if (capture >= at->all->report->capture_count) {
        return cg_node_fail(at, "capture", "there is no such capture");
    }
    callgauge_evidence *calls = cg_node_rows(at, "calls", sizeof *calls, read_line, &row->call_count);
    for (size_t i = 0; calls != NULL && i < row->call_count; i++) {
        calls[i].place.capture = (size_t)capture;
    }
    row->capture = row->begin.capture = (size_t)capture;
    row->calls = calls;
    return calls != NULL;
}

bool cg_read_recorded(const cg_node *at, callgauge_report *report)
{
    report->recorded = cg_node_rows(at, "recorded", sizeof *report->recorded, read_row, &report->recorded_count);
    return report->recorded != NULL && cg_node_bool(at, "followed", &report->followed) && read_judged(at, report);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Lets the events pass that meet a condition. The rows of a `-c` table are told by call and class only; its totals are
 * of all calls and never pass. */
#include "analysis/where.h"

#include "base/error.h"
#include "base/str.h"
#include "report/report.h"
#include "write/schema.h"

callgauge_status cg_where_compile(const char *text, const char *option, cg_predicate **out, callgauge_error *err)
{
    if (text == NULL) {
        *out = NULL;
        return CALLGAUGE_OK;
    }
    cg_predicate *predicate;
    const cg_predicate_source source = { .text = cg_str_z(text), .place = { .name = option } };
    callgauge_status status = cg_predicate_compile(&source, CG_OF_EVENTS, NULL, &predicate, err);
    if (status == CALLGAUGE_OK && cg_predicate_about(predicate)->reads_unit) {
        cg_predicate_free(predicate);
        return cg_fail(err, CALLGAUGE_E_USAGE, source.place, "unit is known in rules only");
    }
    if (status == CALLGAUGE_OK) {
        *out = predicate;
    }
    return status;
}

bool cg_where_init(cg_where *where, const cg_predicate *predicate, const callgauge_capture *capture)
{
    *where = (cg_where){ .predicate = predicate };
    if (predicate == NULL) {
        return true;
    }
    where->judge = cg_judge_new(NULL);
    if (where->judge == NULL || !cg_judge_add(where->judge, predicate, &where->id)) {
        cg_where_release(where);
        return false;
    }
    cg_judge_begin(where->judge, capture);
    return true;
}

void cg_where_release(cg_where *where)
{
    cg_judge_free(where->judge);
    where->judge = NULL;
}

bool cg_where_judge(cg_where *where, const callgauge_event *event)
{
    if (event->kind == CALLGAUGE_EVENT_TOTALS) {
        return false;
    }
    if (event->kind != CALLGAUGE_EVENT_DETAIL) {
        cg_truth truth = cg_judge_event(where->judge, where->id, event, NULL);
        where->undecided += truth == CG_UNDECIDED && event->kind <= CALLGAUGE_EVENT_LIBRARY_CALL;
        where->last_passed = truth == CG_YES;
    }
    return where->last_passed;
}

bool cg_where_finish(const cg_where *where, callgauge_report *report)
{
    if (where->predicate == NULL) {
        return true;
    }
    const callgauge_str text = cg_predicate_about(where->predicate)->text;
    callgauge_capture_row *row = &report->captures[0];
    row->where = cg_arena_copy(&report->arena, text.ptr, text.len);
    row->where_undecided = where->undecided;
    return row->where != NULL && !cg_judge_counts_of(where->judge)->no_memory;
}

static bool write_traits(uint32_t traits, cg_buf *to)
{
    bool first = true;
    for (size_t i = 0; i < CG_TRAITS; i++) {
        if ((traits >> i & 1) != 0) {
            if (!cg_buf_add_z(to, first ? "" : ", ") || !cg_buf_add_z(to, cg_trait_names[i])) {
                return false;
            }
            first = false;
        }
    }
    return true;
}

callgauge_status cg_where_check(const cg_predicate *predicate, const callgauge_capture *capture, callgauge_error *err)
{
    if (predicate == NULL || !(capture->has_events || capture->has_table)) {
        return CALLGAUGE_OK;
    }
    const cg_predicate_info *info = cg_predicate_about(predicate);
    uint32_t missing = info->traits & ~capture->traits;
    const cg_place place = { .name = capture->name };
    if (!capture->has_events && info->reads_rest) {
        return cg_fail(err, CALLGAUGE_E_USAGE, place, "a table of counts, of which only call and class can be asked");
    }
    if (!capture->has_events || missing == 0) {
        return CALLGAUGE_OK;
    }
    cg_buf names;
    cg_buf_init(&names, SIZE_MAX);
    bool ok = write_traits(missing, &names);
    callgauge_status status = !ok ? cg_fail_nomem(err)
                                  : cg_fail(err, CALLGAUGE_E_USAGE, place,
                                            "the condition cannot be judged: the capture has no %.*s", (int)names.len,
                                            names.data);
    cg_buf_release(&names);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the reports of a side: by what is in them, never by who gave them.
 * Invariant: reports that compare equal show the same, so that it does not matter which is first. */
#include "compare/comparing.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/str.h"

static int captures_cmp(const callgauge_report *x, const callgauge_report *y)
{
    int c = 0;
    for (size_t i = 0; c == 0 && i < x->capture_count && i < y->capture_count; i++) {
        c = cg_capture_row_cmp(&x->captures[i], &y->captures[i]);
    }
    return c != 0 ? c : cg_cmp_u64(x->capture_count, y->capture_count);
}

static int call_cmp(const callgauge_call_row *x, const callgauge_call_row *y)
{
    const int answers[] = {
        cg_str_cmp(x->name, y->name),
        cg_cmp_u64(x->calls, y->calls),
        cg_cmp_u64(x->errors, y->errors),
        cg_cmp_u64(x->unreturned, y->unreturned),
        cg_cmp_i64(x->cpu_ns, y->cpu_ns),
        cg_cmp_i64(x->wall_ns, y->wall_ns),
        cg_cmp_i64(x->bytes_read, y->bytes_read),
        cg_cmp_i64(x->bytes_written, y->bytes_written),
    };
    return cg_first_of(answers, sizeof answers / sizeof answers[0]);
}

static int calls_cmp(const callgauge_report *x, const callgauge_report *y)
{
    int c = 0;
    for (size_t i = 0; c == 0 && i < x->call_count && i < y->call_count; i++) {
        c = call_cmp(&x->calls[i], &y->calls[i]);
    }
    return c != 0 ? c : cg_cmp_u64(x->call_count, y->call_count);
}

static int findings_cmp(const callgauge_report *x, const callgauge_report *y)
{
    int c = 0;
    for (size_t i = 0; c == 0 && i < x->finding_count && i < y->finding_count; i++) {
        c = cg_str_cmp(x->findings[i].rule, y->findings[i].rule);
        c = c != 0 ? c : cg_str_cmp(x->findings[i].message, y->findings[i].message);
    }
    return c != 0 ? c : cg_cmp_u64(x->finding_count, y->finding_count);
}

static int report_cmp(const void *a, const void *b)
{
    const callgauge_report *x = *(const callgauge_report *const *)a, *y = *(const callgauge_report *const *)b;
    const int answers[] = {
        captures_cmp(x, y),
        calls_cmp(x, y),
        findings_cmp(x, y),
        cg_cmp_u64(x->unit.count, y->unit.count),
        cg_cmp_u64(x->file_count, y->file_count),
    };
    return cg_first_of(answers, sizeof answers / sizeof answers[0]);
}

bool cg_reports_order(cg_arena *arena, cg_reports given, cg_reports *out)
{
    const callgauge_report **sorted = cg_arena_alloc(arena, given.count * sizeof *sorted);
    if (sorted == NULL) {
        return false;
    }
    for (size_t i = 0; i < given.count; i++) {
        sorted[i] = given.items[i];
    }
    if (given.count > 1) {
        qsort(sorted, given.count, sizeof *sorted, report_cmp);
    }
    *out = (cg_reports){ sorted, given.count };
    return true;
}

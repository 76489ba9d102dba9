/* SPDX-License-Identifier: Apache-2.0 */
/* From several reports to one: captures, calls, names, limits; rows of other kinds are merged in merge_*.c.
 * Invariant: every step is a sum, a minimum or a maximum over a run, so that the result depends neither
 * on the order of the reports nor on how they were merged before. */
#include "report/finding.h"
#include "report/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"

enum { OCTAVES = CG_BUCKET_COUNT / CG_BUCKET_SCALE };

/* What the rows of calls are merged with: all rows, and room that is used again for each run. */
typedef struct call_merge {
    const callgauge_call_row **rows;
    size_t count;
    uint64_t *counters; /* CG_BUCKET_COUNT */
    callgauge_name_row *names;
    cg_arena *arena;
} call_merge;

static int call_cmp(const void *a, const void *b)
{
    const callgauge_call_row *x = *(const callgauge_call_row *const *)a;
    const callgauge_call_row *y = *(const callgauge_call_row *const *)b;
    return cg_str_cmp(x->name, y->name);
}

static void add_sums(const callgauge_call_row *from, callgauge_call_row *to)
{
    to->calls = cg_count_add(to->calls, from->calls);
    to->errors = cg_count_add(to->errors, from->errors);
    to->unreturned = cg_count_add(to->unreturned, from->unreturned);
    to->cpu_calls = cg_timed_calls_add(to->cpu_ns, to->cpu_calls, from->cpu_ns, from->cpu_calls);
    to->wall_calls = cg_timed_calls_add(to->wall_ns, to->wall_calls, from->wall_ns, from->wall_calls);
    to->cpu_ns = cg_known_add(to->cpu_ns, from->cpu_ns);
    to->wall_ns = cg_known_add(to->wall_ns, from->wall_ns);
    to->bytes_read = cg_known_add(to->bytes_read, from->bytes_read);
    to->bytes_written = cg_known_add(to->bytes_written, from->bytes_written);
    if (from->call_class > to->call_class) {
        to->call_class = from->call_class;
    }
    if (from->durations_kind > to->durations_kind) {
        to->durations_kind = from->durations_kind;
    }
}

/* Adds a bucket to the counters, of which only those of octaves that are used are cleared and looked at. */
static void count_bucket(const call_merge *merge, const callgauge_bucket *bucket, uint64_t **octaves)
{
    size_t octave = bucket->index / CG_BUCKET_SCALE;
    if (octaves[octave] == NULL) {
        octaves[octave] = merge->counters + octave * CG_BUCKET_SCALE;
        memset(octaves[octave], 0, CG_BUCKET_SCALE * sizeof **octaves);
    }
    uint64_t *counter = &merge->counters[bucket->index];
    *counter = cg_count_add(*counter, bucket->count);
}

/* Durations of one kind only: wall before cpu, whatever came first. */
static bool merge_durations(const call_merge *merge, const callgauge_call_row *const *run, size_t n,
                            callgauge_call_row *to)
{
    uint64_t *octaves[OCTAVES] = { NULL };
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (run[i]->durations_kind != to->durations_kind) {
            continue;
        }
        to->min_ns = cg_known_min(to->min_ns, run[i]->min_ns);
        to->max_ns = cg_known_max(to->max_ns, run[i]->max_ns);
        for (size_t k = 0; k < run[i]->bucket_count; k++) {
            count_bucket(merge, &run[i]->buckets[k], octaves);
        }
        any |= run[i]->bucket_count > 0;
    }
    return !any || cg_call_row_set_buckets(to, octaves, merge->arena);
}

static bool merge_errors(const call_merge *merge, const callgauge_call_row *const *run, size_t n,
                         callgauge_call_row *to)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < run[i]->error_name_count; k++) {
            merge->names[count++] = run[i]->errors_by_name[k];
        }
    }
    callgauge_name_row *rows;
    to->error_name_count = cg_name_rows_settle(merge->names, count);
    if (!cg_name_rows_copy(merge->arena, merge->names, to->error_name_count, &rows)) {
        return false;
    }
    to->errors_by_name = rows;
    return true;
}

static bool merge_run(const call_merge *merge, const callgauge_call_row *const *run, size_t n, callgauge_call_row *to)
{
    cg_call_row_init(to);
    for (size_t i = 0; i < n; i++) {
        add_sums(run[i], to);
    }
    return cg_arena_str(merge->arena, run[0]->name, &to->name) && merge_durations(merge, run, n, to) &&
           merge_errors(merge, run, n, to);
}

/* How many rows from `at` on have one name. */
static size_t run_length(const call_merge *merge, size_t at)
{
    size_t n = 1;
    while (at + n < merge->count && cg_str_eq(merge->rows[at]->name, merge->rows[at + n]->name)) {
        n++;
    }
    return n;
}

static bool merge_runs(const call_merge *merge, callgauge_report *out)
{
    size_t rows = 0;
    for (size_t at = 0; at < merge->count; at += run_length(merge, at)) {
        rows++;
    }
    out->calls = cg_arena_alloc(merge->arena, rows * sizeof *out->calls);
    if (out->calls == NULL) {
        return false;
    }
    for (size_t at = 0, n; at < merge->count; at += n) {
        n = run_length(merge, at);
        if (!merge_run(merge, &merge->rows[at], n, &out->calls[out->call_count++])) {
            return false;
        }
    }
    return true;
}

static bool merge_calls(const callgauge_report *const *in, size_t n, callgauge_report *out)
{
    size_t total = 0, names = 0;
    for (size_t i = 0; i < n; i++) {
        total += in[i]->call_count;
        for (size_t k = 0; k < in[i]->call_count; k++) {
            names += in[i]->calls[k].error_name_count;
        }
    }
    call_merge merge = { .arena = &out->arena };
    merge.rows = cg_mem_zeroed(total + 1, sizeof *merge.rows);
    merge.names = cg_mem_zeroed(names + 1, sizeof *merge.names);
    merge.counters = cg_mem_zeroed(CG_BUCKET_COUNT, sizeof *merge.counters);
    bool ok = merge.rows != NULL && merge.names != NULL && merge.counters != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        for (size_t k = 0; k < in[i]->call_count; k++) {
            merge.rows[merge.count++] = &in[i]->calls[k];
        }
    }
    if (ok) {
        qsort(merge.rows, merge.count, sizeof *merge.rows, call_cmp);
        ok = merge_runs(&merge, out);
    }
    cg_mem_free(merge.rows);
    cg_mem_free(merge.names);
    cg_mem_free(merge.counters);
    return ok;
}

typedef const callgauge_name_row *names_of(const callgauge_report *report, size_t *count);

static bool merge_names(const callgauge_report *const *in, size_t n, names_of *list, cg_arena *arena,
                        callgauge_name_row **out, size_t *out_count)
{
    size_t total = 0, count;
    for (size_t i = 0; i < n; i++) {
        list(in[i], &count);
        total += count;
    }
    callgauge_name_row *all = cg_mem_zeroed(total + 1, sizeof *all);
    if (all == NULL) {
        return false;
    }
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        const callgauge_name_row *rows = list(in[i], &count);
        for (size_t k = 0; k < count; k++) {
            all[used++] = rows[k];
        }
    }
    used = cg_name_rows_settle(all, used);
    bool ok = cg_name_rows_copy(arena, all, used, out);
    cg_mem_free(all);
    *out_count = ok ? used : 0;
    return ok;
}

static bool merge_all_names(const callgauge_report *const *in, size_t n, callgauge_report *out)
{
    return merge_names(in, n, callgauge_report_signals, &out->arena, &out->signals, &out->signal_count) &&
           merge_names(in, n, callgauge_report_faults, &out->arena, &out->faults, &out->fault_count) &&
           merge_names(in, n, callgauge_report_functions, &out->arena, &out->functions, &out->function_count);
}

/* Puts the captures of all reports in their order, and notes in the map where they went. */
static bool merge_captures(cg_merge *merge)
{
    callgauge_report *out = merge->out;
    size_t total = 0, used = 0;
    for (size_t i = 0; i < merge->n; i++) {
        total += merge->in[i]->capture_count;
    }
    merge->map = cg_mem_zeroed(total + 1, sizeof *merge->map);
    const callgauge_capture_row **rows = cg_mem_zeroed(total + 1, sizeof *rows);
    out->captures = cg_arena_alloc(&out->arena, total * sizeof *out->captures);
    bool ok = merge->map != NULL && rows != NULL && out->captures != NULL;
    for (size_t i = 0; ok && i < merge->n; i++) {
        for (size_t k = 0; k < merge->in[i]->capture_count; k++) {
            rows[used++] = &merge->in[i]->captures[k];
        }
    }
    ok = ok && cg_captures_order(rows, total, merge->map);
    for (size_t i = 0; ok && i < total; i++) {
        ok = cg_capture_row_copy(&out->arena, rows[i], &out->captures[i]);
        out->capture_count += ok;
    }
    cg_mem_free(rows);
    return ok;
}

static bool merge_limits(const callgauge_report *const *in, size_t n, callgauge_report *out)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < in[i]->limit_count; k++) {
            const callgauge_limit_row *row = &in[i]->limits[k];
            const char *limit = cg_arena_copy(&out->arena, row->limit, strlen(row->limit));
            if (limit == NULL || !cg_report_add_limit(out, limit, row->kept, row->dropped)) {
                return false;
            }
        }
    }
    return true;
}

callgauge_status callgauge_report_merge(const callgauge_report *const *in, size_t n, callgauge_report **out,
                                        callgauge_error *err)
{
    if (n == 0) {
        return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ 0 }, "there are no reports to merge");
    }
    callgauge_report *report = cg_report_new();
    if (report == NULL) {
        return cg_fail_nomem(err);
    }
    cg_merge merge = { .in = in, .n = n, .out = report };
    bool ok = merge_captures(&merge) && merge_calls(in, n, report) && merge_all_names(in, n, report) &&
              merge_limits(in, n, report) && cg_merge_files(&merge) && cg_merge_processes(&merge) &&
              cg_merge_waiting(&merge) && cg_merge_unit(&merge) && cg_merge_findings(&merge) &&
              cg_merge_judged(&merge) && cg_merge_recorded(&merge);
    cg_arena_release(&merge.scratch);
    cg_mem_free(merge.map);
    if (!ok) {
        callgauge_report_free(report);
        return cg_fail_nomem(err);
    }
    report->followed = true;
    for (size_t i = 0; i < n; i++) {
        report->followed &= in[i]->followed;
        report->totals.user_ns = cg_known_add(report->totals.user_ns, in[i]->totals.user_ns);
        report->totals.elapsed_ns = cg_known_add(report->totals.elapsed_ns, in[i]->totals.elapsed_ns);
    }
    cg_report_seal(report);
    if (!cg_report_settle_findings(report)) {
        callgauge_report_free(report);
        return cg_fail_nomem(err);
    }
    *out = report;
    return CALLGAUGE_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The report: from rows in any order to one frozen object in its total order, and the way to its rows.
 * Invariant: after the seal nothing in a report changes, so that threads may share it. */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

callgauge_report *cg_report_new(void)
{
    callgauge_report *report = cg_mem_zeroed(1, sizeof *report);
    if (report != NULL) {
        report->totals = (callgauge_totals){
            .cpu_ns = CALLGAUGE_UNKNOWN,
            .wall_ns = CALLGAUGE_UNKNOWN,
            .user_ns = CALLGAUGE_UNKNOWN,
            .elapsed_ns = CALLGAUGE_UNKNOWN,
            .bytes_read = CALLGAUGE_UNKNOWN,
            .bytes_written = CALLGAUGE_UNKNOWN,
        };
        cg_unit_init(&report->unit);
    }
    return report;
}

void callgauge_report_free(callgauge_report *report)
{
    if (report != NULL) {
        cg_arena_release(&report->arena);
        cg_mem_free(report);
    }
}

void cg_call_row_init(callgauge_call_row *row)
{
    *row = (callgauge_call_row){
        .name = row->name,
        .cpu_ns = CALLGAUGE_UNKNOWN,
        .wall_ns = CALLGAUGE_UNKNOWN,
        .min_ns = CALLGAUGE_UNKNOWN,
        .max_ns = CALLGAUGE_UNKNOWN,
        .p50_ns = CALLGAUGE_UNKNOWN,
        .p90_ns = CALLGAUGE_UNKNOWN,
        .p99_ns = CALLGAUGE_UNKNOWN,
        .bytes_read = CALLGAUGE_UNKNOWN,
        .bytes_written = CALLGAUGE_UNKNOWN,
    };
}

void cg_process_row_init(callgauge_process_row *row)
{
    *row = (callgauge_process_row){
        .pid = row->pid,
        .cpu_ns = CALLGAUGE_UNKNOWN,
        .wall_ns = CALLGAUGE_UNKNOWN,
        .start_ns = CALLGAUGE_UNKNOWN,
        .end_ns = CALLGAUGE_UNKNOWN,
        .parent = CALLGAUGE_UNKNOWN,
        .exit_code = CALLGAUGE_UNKNOWN,
        .open_at_start = CALLGAUGE_UNKNOWN,
        .open_at_end = CALLGAUGE_UNKNOWN,
        .open_peak = CALLGAUGE_UNKNOWN,
    };
}

void cg_file_row_init(callgauge_file_row *row)
{
    *row = (callgauge_file_row){
        .path = row->path,
        .kind = row->kind,
        .peer_port = -1,
        .local_port = -1,
        .pid = CALLGAUGE_UNKNOWN,
        .fd = CALLGAUGE_UNKNOWN,
        .bytes_read = CALLGAUGE_UNKNOWN,
        .bytes_written = CALLGAUGE_UNKNOWN,
        .min_read = CALLGAUGE_UNKNOWN,
        .max_read = CALLGAUGE_UNKNOWN,
        .min_write = CALLGAUGE_UNKNOWN,
        .max_write = CALLGAUGE_UNKNOWN,
        .reread_bytes = CALLGAUGE_UNKNOWN,
        .cpu_ns = CALLGAUGE_UNKNOWN,
        .wall_ns = CALLGAUGE_UNKNOWN,
        .waiting_ns = CALLGAUGE_UNKNOWN,
    };
}

static int name_row_cmp(const void *a, const void *b)
{
    return cg_str_cmp(((const callgauge_name_row *)a)->name, ((const callgauge_name_row *)b)->name);
}

size_t cg_name_rows_settle(callgauge_name_row *rows, size_t count)
{
    if (count == 0) {
        return 0;
    }
    qsort(rows, count, sizeof *rows, name_row_cmp);
    size_t last = 0;
    for (size_t i = 1; i < count; i++) {
        if (cg_str_eq(rows[i].name, rows[last].name)) {
            rows[last].count = cg_count_add(rows[last].count, rows[i].count);
        } else {
            rows[++last] = rows[i];
        }
    }
    return last + 1;
}

bool cg_name_rows_copy(cg_arena *arena, const callgauge_name_row *rows, size_t count, callgauge_name_row **out)
{
    callgauge_name_row *copy = cg_arena_alloc(arena, count * sizeof *copy);
    if (copy == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        copy[i].count = rows[i].count;
        if (!cg_arena_str(arena, rows[i].name, &copy[i].name)) {
            return false;
        }
    }
    *out = copy;
    return true;
}

static callgauge_limit_row *find_limit(const callgauge_report *report, const char *limit)
{
    for (size_t i = 0; i < report->limit_count; i++) {
        if (strcmp(report->limits[i].limit, limit) == 0) {
            return &report->limits[i];
        }
    }
    return NULL;
}

bool cg_report_add_limit(callgauge_report *report, const char *limit, uint64_t kept, uint64_t dropped)
{
    callgauge_limit_row *row = find_limit(report, limit);
    if (row != NULL) {
        row->kept = row->kept > kept ? row->kept : kept;
        row->dropped = cg_count_add(row->dropped, dropped);
        return true;
    }
    callgauge_limit_row *rows = cg_arena_alloc(&report->arena, (report->limit_count + 1) * sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    if (report->limit_count > 0) {
        memcpy(rows, report->limits, report->limit_count * sizeof *rows);
    }
    rows[report->limit_count++] = (callgauge_limit_row){ .limit = limit, .kept = kept, .dropped = dropped };
    report->limits = rows;
    return true;
}

static int call_row_cmp(const void *a, const void *b)
{
    return cg_str_cmp(((const callgauge_call_row *)a)->name, ((const callgauge_call_row *)b)->name);
}

static int limit_row_cmp(const void *a, const void *b)
{
    return strcmp(((const callgauge_limit_row *)a)->limit, ((const callgauge_limit_row *)b)->limit);
}

static bool is_in_order(const void *rows, size_t count, size_t size, int (*cmp)(const void *, const void *))
{
    const char *at = rows;
    for (size_t i = 1; i < count; i++, at += size) {
        if (cmp(at, at + size) > 0) {
            return false;
        }
    }
    return true;
}

/* Large rows that are many come in order: to sort them again would cost more than to make them. */
static void order(void *rows, size_t count, size_t size, int (*cmp)(const void *, const void *))
{
    if (!is_in_order(rows, count, size, cmp)) {
        qsort(rows, count, size, cmp);
    }
}

static void set_percentiles(callgauge_call_row *row)
{
    row->p50_ns = cg_bucket_quantile(row->buckets, row->bucket_count, 50, row->min_ns, row->max_ns);
    row->p90_ns = cg_bucket_quantile(row->buckets, row->bucket_count, 90, row->min_ns, row->max_ns);
    row->p99_ns = cg_bucket_quantile(row->buckets, row->bucket_count, 99, row->min_ns, row->max_ns);
}

static void add_to_totals(callgauge_totals *totals, const callgauge_call_row *row)
{
    totals->calls = cg_count_add(totals->calls, row->calls);
    totals->errors = cg_count_add(totals->errors, row->errors);
    totals->unreturned = cg_count_add(totals->unreturned, row->unreturned);
    totals->cpu_calls = cg_timed_calls_add(totals->cpu_ns, totals->cpu_calls, row->cpu_ns, row->cpu_calls);
    totals->wall_calls = cg_timed_calls_add(totals->wall_ns, totals->wall_calls, row->wall_ns, row->wall_calls);
    totals->cpu_ns = cg_known_add(totals->cpu_ns, row->cpu_ns);
    totals->wall_ns = cg_known_add(totals->wall_ns, row->wall_ns);
    totals->bytes_read = cg_known_add(totals->bytes_read, row->bytes_read);
    totals->bytes_written = cg_known_add(totals->bytes_written, row->bytes_written);
}

/* The times of tables are cut to their last digit, row by row: where nothing but tables was read, what they say of
 * themselves is nearer to the truth than the sum of their rows. */
static void prefer_own_totals(callgauge_report *report)
{
    int64_t cpu_ns = CALLGAUGE_UNKNOWN, wall_ns = CALLGAUGE_UNKNOWN;
    for (size_t i = 0; i < report->capture_count; i++) {
        const callgauge_capture_row *row = &report->captures[i];
        if (row->capture.has_events || !row->has_table_totals) {
            return;
        }
        cpu_ns = cg_known_add(cpu_ns, row->table_totals.cpu_ns);
        wall_ns = cg_known_add(wall_ns, row->table_totals.wall_ns);
    }
    report->totals.cpu_ns = cpu_ns == CALLGAUGE_UNKNOWN ? report->totals.cpu_ns : cpu_ns;
    report->totals.wall_ns = wall_ns == CALLGAUGE_UNKNOWN ? report->totals.wall_ns : wall_ns;
}

/* Descriptors that are alike in everything are one. Gives how many are left. */
static size_t without_twins(callgauge_descriptor_row *rows, size_t count)
{
    size_t used = count > 0 ? 1 : 0;
    for (size_t i = 1; i < count; i++) {
        if (cg_descriptor_row_cmp(&rows[used - 1], &rows[i]) != 0) {
            rows[used++] = rows[i];
        }
    }
    return used;
}

void cg_report_seal(callgauge_report *report)
{
    order(report->calls, report->call_count, sizeof *report->calls, call_row_cmp);
    order(report->processes, report->process_count, sizeof *report->processes, cg_process_row_cmp);
    order(report->captures, report->capture_count, sizeof *report->captures, cg_capture_row_cmp);
    order(report->files, report->file_count, sizeof *report->files, cg_file_row_cmp);
    order(report->descriptors, report->descriptor_count, sizeof *report->descriptors, cg_descriptor_row_cmp);
    report->descriptor_count = without_twins(report->descriptors, report->descriptor_count);
    order(report->programs, report->program_count, sizeof *report->programs, cg_program_row_cmp);
    order(report->waiting, report->waiting_count, sizeof *report->waiting, cg_waiting_row_cmp);
    order(report->recorded, report->recorded_count, sizeof *report->recorded, cg_recorded_row_order);
    report->signal_count = cg_name_rows_settle(report->signals, report->signal_count);
    report->fault_count = cg_name_rows_settle(report->faults, report->fault_count);
    report->function_count = cg_name_rows_settle(report->functions, report->function_count);
    order(report->limits, report->limit_count, sizeof *report->limits, limit_row_cmp);
    for (size_t i = 0; i < report->call_count; i++) {
        set_percentiles(&report->calls[i]);
        add_to_totals(&report->totals, &report->calls[i]);
    }
    prefer_own_totals(report);
    cg_report_derive_unit(report);
}

const callgauge_totals *callgauge_report_totals(const callgauge_report *report)
{
    return &report->totals;
}

const char *callgauge_severity_text(callgauge_severity severity)
{
    static const char *const texts[] = { "note", "warning", "error" };
    return (size_t)severity < sizeof texts / sizeof *texts ? texts[severity] : "unknown";
}

const char *callgauge_limit_text(const char *limit)
{
    static const char *const texts[][2] = {
        { "attempts", "unfinished runs and sequences of a rule" },
        { "descriptors", "descriptors open at one time" },
        { "distinct", "values that a rule tells apart" },
        { "file_processes", "pids of a file" },
        { "findings", "findings of a rule" },
        { "groups", "groups of a rule" },
        { "match", "steps of matching one text" },
        { "names", "names of calls, errors, signals or functions" },
        { "open_bytes", "bytes of calls without a result" },
        { "open_calls", "calls without a result at one time" },
        { "paths", "files, sockets and pipes" },
        { "processes", "processes" },
        { "sequences", "different sequences of calls of one name" },
        { "texts", "texts that rules compare" },
        { "unit", "units of work" },
        { "waiting", "rows of waiting" },
    };
    for (size_t i = 0; limit != NULL && i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(limit, texts[i][0]) == 0) {
            return texts[i][1];
        }
    }
    return limit == NULL ? "" : limit;
}

bool callgauge_severity_find(callgauge_str name, callgauge_severity *out)
{
    for (int i = CALLGAUGE_SEVERITY_NOTE; i <= CALLGAUGE_SEVERITY_ERROR; i++) {
        if (cg_str_is(name, callgauge_severity_text((callgauge_severity)i))) {
            *out = (callgauge_severity)i;
            return true;
        }
    }
    return false;
}

size_t callgauge_report_call_count(const callgauge_report *report)
{
    return report->call_count;
}

const callgauge_call_row *callgauge_report_call(const callgauge_report *report, size_t index)
{
    return index < report->call_count ? &report->calls[index] : NULL;
}

const callgauge_call_row *callgauge_report_find_call(const callgauge_report *report, const char *name)
{
    callgauge_call_row key = { .name = cg_str_z(name) };
    if (report->call_count == 0) {
        return NULL;
    }
    return bsearch(&key, report->calls, report->call_count, sizeof key, call_row_cmp);
}

size_t callgauge_report_capture_count(const callgauge_report *report)
{
    return report->capture_count;
}

const callgauge_capture_row *callgauge_report_capture(const callgauge_report *report, size_t index)
{
    return index < report->capture_count ? &report->captures[index] : NULL;
}

size_t callgauge_report_process_count(const callgauge_report *report)
{
    return report->process_count;
}

const callgauge_process_row *callgauge_report_process(const callgauge_report *report, size_t index)
{
    return index < report->process_count ? &report->processes[index] : NULL;
}

size_t callgauge_report_file_count(const callgauge_report *report)
{
    return report->file_count;
}

const callgauge_file_row *callgauge_report_file(const callgauge_report *report, size_t index)
{
    return index < report->file_count ? &report->files[index] : NULL;
}

size_t callgauge_report_descriptor_count(const callgauge_report *report)
{
    return report->descriptor_count;
}

const callgauge_descriptor_row *callgauge_report_descriptor(const callgauge_report *report, size_t index)
{
    return index < report->descriptor_count ? &report->descriptors[index] : NULL;
}

size_t callgauge_report_program_count(const callgauge_report *report)
{
    return report->program_count;
}

const callgauge_program_row *callgauge_report_program(const callgauge_report *report, size_t index)
{
    return index < report->program_count ? &report->programs[index] : NULL;
}

size_t callgauge_report_waiting_count(const callgauge_report *report)
{
    return report->waiting_count;
}

const callgauge_waiting_row *callgauge_report_waiting(const callgauge_report *report, size_t index)
{
    return index < report->waiting_count ? &report->waiting[index] : NULL;
}

const callgauge_unit *callgauge_report_unit(const callgauge_report *report)
{
    return &report->unit;
}

const callgauge_name_row *callgauge_report_signals(const callgauge_report *report, size_t *count)
{
    if (count != NULL) {
        *count = report->signal_count;
    }
    return report->signals;
}

const callgauge_name_row *callgauge_report_faults(const callgauge_report *report, size_t *count)
{
    if (count != NULL) {
        *count = report->fault_count;
    }
    return report->faults;
}

const callgauge_name_row *callgauge_report_functions(const callgauge_report *report, size_t *count)
{
    if (count != NULL) {
        *count = report->function_count;
    }
    return report->functions;
}

const callgauge_limit_row *callgauge_report_limits_hit(const callgauge_report *report, size_t *count)
{
    if (count != NULL) {
        *count = report->limit_count;
    }
    return report->limits;
}

bool callgauge_report_is_followed(const callgauge_report *report)
{
    return report->followed;
}

const callgauge_str *callgauge_report_judged(const callgauge_report *report, size_t *count)
{
    if (count != NULL) {
        *count = report->judged_count;
    }
    return report->judged;
}

bool cg_report_has_judged(const callgauge_report *report, callgauge_str rule)
{
    size_t low = 0, high = report->judged_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (cg_str_cmp(report->judged[middle], rule) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < report->judged_count && cg_str_eq(report->judged[low], rule);
}

size_t callgauge_report_recorded_count(const callgauge_report *report)
{
    return report->recorded_count;
}

const callgauge_recorded_row *callgauge_report_recorded(const callgauge_report *report, size_t index)
{
    return index < report->recorded_count ? &report->recorded[index] : NULL;
}

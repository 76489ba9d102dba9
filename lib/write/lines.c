/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the lines of a table and puts them in order: calls, processes, errors; other kinds are in lines_*.c. */
#include "write/lines.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "report/report.h"

void cg_line_clear(cg_line *line)
{
    *line = (cg_line){ 0 };
    for (size_t i = 0; i < CG_VALUES; i++) {
        line->values[i] = CALLGAUGE_UNKNOWN;
    }
}

void cg_line_set_counts(cg_line *line, uint64_t calls, uint64_t errors, uint64_t unreturned)
{
    line->values[CG_VALUE_CALLS] = cg_count_held(calls);
    line->values[CG_VALUE_ERRORS] = cg_count_held(errors);
    line->values[CG_VALUE_UNRETURNED] = cg_count_held(unreturned);
}

void cg_line_set_times(cg_line *line, int64_t cpu_ns, uint64_t cpu_calls, int64_t wall_ns, uint64_t wall_calls)
{
    line->values[CG_VALUE_CPU] = cpu_ns;
    line->values[CG_VALUE_WALL] = wall_ns;
    line->values[CG_VALUE_CPU_CALLS] = cpu_calls == 0 ? CALLGAUGE_UNKNOWN : cg_count_held(cpu_calls);
    line->values[CG_VALUE_WALL_CALLS] = wall_calls == 0 ? CALLGAUGE_UNKNOWN : cg_count_held(wall_calls);
}

static void take_totals(const callgauge_totals *totals, cg_line *line)
{
    cg_line_clear(line);
    line->name = cg_str_z("total");
    cg_line_set_counts(line, totals->calls, totals->errors, totals->unreturned);
    cg_line_set_times(line, totals->cpu_ns, totals->cpu_calls, totals->wall_ns, totals->wall_calls);
    line->values[CG_VALUE_READ] = totals->bytes_read;
    line->values[CG_VALUE_WRITTEN] = totals->bytes_written;
}

static void take_call(const callgauge_call_row *row, cg_line *line)
{
    cg_line_clear(line);
    line->name = row->name;
    line->call_class = row->call_class;
    line->durations_kind = row->durations_kind;
    cg_line_set_counts(line, row->calls, row->errors, row->unreturned);
    cg_line_set_times(line, row->cpu_ns, row->cpu_calls, row->wall_ns, row->wall_calls);
    line->values[CG_VALUE_MIN] = row->min_ns;
    line->values[CG_VALUE_MAX] = row->max_ns;
    line->values[CG_VALUE_P50] = row->p50_ns;
    line->values[CG_VALUE_P90] = row->p90_ns;
    line->values[CG_VALUE_P99] = row->p99_ns;
    line->values[CG_VALUE_READ] = row->bytes_read;
    line->values[CG_VALUE_WRITTEN] = row->bytes_written;
}

static bool take_process(const callgauge_process_row *row, cg_rows *lines, cg_line *line)
{
    cg_line_clear(line);
    cg_line_set_counts(line, row->calls, row->errors, row->unreturned);
    line->row = row;
    line->values[CG_VALUE_PID] = row->pid;
    cg_line_set_times(line, row->cpu_ns, row->cpu_calls, row->wall_ns, row->wall_calls);
    line->values[CG_VALUE_START] = row->start_ns;
    line->values[CG_VALUE_END] = row->end_ns;
    return cg_line_take_process(row, lines, line);
}

/* All calls in one line: of a table nobody can tell whose they are. */
static void take_untold(const cg_line *sum, cg_line *line)
{
    *line = *sum;
    line->name = cg_str(NULL, 0);
}

static void take_error(const callgauge_call_row *row, callgauge_str error, uint64_t count, cg_line *line)
{
    cg_line_clear(line);
    line->name = row->name;
    line->second = error;
    line->values[CG_VALUE_CALLS] = cg_count_held(row->calls);
    line->values[CG_VALUE_ERRORS] = cg_count_held(count);
}

/* The lines of one call's errors; those without a name last. */
static size_t take_errors(const callgauge_call_row *row, cg_line *lines)
{
    uint64_t named = 0;
    for (size_t i = 0; i < row->error_name_count; i++) {
        take_error(row, row->errors_by_name[i].name, row->errors_by_name[i].count, &lines[i]);
        named += row->errors_by_name[i].count;
    }
    if (named >= row->errors) {
        return row->error_name_count;
    }
    take_error(row, cg_str(NULL, 0), row->errors - named, &lines[row->error_name_count]);
    return row->error_name_count + 1;
}

void cg_line_add(cg_line *sum, const cg_line *line)
{
    static const cg_value sums[] = {
        CG_VALUE_CALLS,   CG_VALUE_ERRORS,  CG_VALUE_UNRETURNED, CG_VALUE_CPU,
        CG_VALUE_WALL,    CG_VALUE_READ,    CG_VALUE_WRITTEN,    CG_VALUE_READS,
        CG_VALUE_WRITES,  CG_VALUE_REREAD,  CG_VALUE_OPENS,      CG_VALUE_WORKING,
        CG_VALUE_WAITING, CG_VALUE_OUTSIDE, CG_VALUE_STARTS,     CG_VALUE_FAILED_OPENS,
    };
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
        sum->values[sums[i]] = cg_known_add(sum->values[sums[i]], line->values[sums[i]]);
    }
}

cg_value cg_order_of(callgauge_sort sort, callgauge_rows rows, const cg_line *sum)
{
    if (sort == CALLGAUGE_SORT_NAME) {
        return CG_VALUES;
    }
    if (sort == CALLGAUGE_SORT_ERRORS || (rows == CALLGAUGE_ROWS_ERRORS && sort == CALLGAUGE_SORT_TIME)) {
        return CG_VALUE_ERRORS;
    }
    if (sort == CALLGAUGE_SORT_TIME && sum->values[CG_VALUE_WALL] != CALLGAUGE_UNKNOWN) {
        return CG_VALUE_WALL;
    }
    if (sort == CALLGAUGE_SORT_TIME && sum->values[CG_VALUE_CPU] != CALLGAUGE_UNKNOWN) {
        return CG_VALUE_CPU;
    }
    if (rows == CALLGAUGE_ROWS_PROGRAMS && sort == CALLGAUGE_SORT_STARTS) {
        return CG_VALUE_STARTS;
    }
    return CG_VALUE_CALLS;
}

int cg_line_cmp(const void *a, const void *b)
{
    const cg_line *x = a, *y = b;
    for (size_t i = 0; i < 2; i++) {
        if (x->order[i] != y->order[i]) {
            return x->order[i] > y->order[i] ? -1 : 1;
        }
    }
    int c = cg_str_cmp(x->name, y->name);
    c = c != 0 ? c : cg_str_cmp(x->second, y->second);
    int64_t p = x->values[CG_VALUE_PID], q = y->values[CG_VALUE_PID];
    c = c != 0 ? c : (p > q) - (p < q);
    return c != 0 ? c : (x->row > y->row) - (x->row < y->row); /* rows of one list, in its order */
}

static int64_t key_of(const cg_line *line, cg_value value, callgauge_sort sort)
{
    if (sort == CALLGAUGE_SORT_BYTES) {
        return cg_known_add(line->values[CG_VALUE_READ], line->values[CG_VALUE_WRITTEN]);
    }
    return line->values[value];
}

static void put_in_order(cg_rows *lines, callgauge_rows rows, callgauge_sort sort)
{
    cg_value value = cg_order_of(sort, rows, &lines->sum);
    bool of_calls = rows == CALLGAUGE_ROWS_ERRORS && value == CG_VALUE_CALLS;
    cg_value second = of_calls ? CG_VALUE_ERRORS : CG_VALUE_CALLS;
    for (size_t i = 0; i < lines->count && value != CG_VALUES; i++) {
        lines->lines[i].order[0] = key_of(&lines->lines[i], value, sort);
        lines->lines[i].order[1] = lines->lines[i].values[second];
    }
    if (lines->count > 1) {
        qsort(lines->lines, lines->count, sizeof *lines->lines, cg_line_cmp);
    }
}

static bool make_processes(const callgauge_report *report, cg_rows *lines)
{
    size_t count = callgauge_report_process_count(report);
    lines->lines = cg_mem_zeroed(count + 1, sizeof *lines->lines);
    if (lines->lines == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!take_process(callgauge_report_process(report, i), lines, &lines->lines[lines->count++])) {
            return false;
        }
    }
    if (count == 0 && callgauge_report_call_count(report) > 0) {
        take_untold(&lines->sum, &lines->lines[lines->count++]);
    }
    return true;
}

static bool make_errors(const callgauge_report *report, cg_rows *lines)
{
    size_t calls = callgauge_report_call_count(report), most = calls;
    for (size_t i = 0; i < calls; i++) {
        most += callgauge_report_call(report, i)->error_name_count;
    }
    lines->lines = cg_mem_zeroed(most + 1, sizeof *lines->lines);
    for (size_t i = 0; lines->lines != NULL && i < calls; i++) {
        lines->count += take_errors(callgauge_report_call(report, i), &lines->lines[lines->count]);
    }
    return lines->lines != NULL;
}

static bool make_calls(const callgauge_report *report, cg_rows *lines)
{
    size_t calls = callgauge_report_call_count(report);
    lines->lines = cg_mem_zeroed(calls + 1, sizeof *lines->lines);
    for (size_t i = 0; lines->lines != NULL && i < calls; i++) {
        take_call(callgauge_report_call(report, i), &lines->lines[lines->count++]);
    }
    return lines->lines != NULL;
}

/* Lines of any kind but files, which come in order. */
static bool make_any(const callgauge_report *report, callgauge_rows rows, bool glance, cg_rows *lines)
{
    switch (rows) {
    case CALLGAUGE_ROWS_PROCESSES: return make_processes(report, lines);
    case CALLGAUGE_ROWS_ERRORS: return make_errors(report, lines);
    case CALLGAUGE_ROWS_PROGRAMS: return cg_lines_of_programs(report, lines);
    case CALLGAUGE_ROWS_WAITING: return cg_lines_of_waiting(report, glance, lines);
    case CALLGAUGE_ROWS_THREADS: return cg_lines_of_threads(report, lines);
    case CALLGAUGE_ROWS_TREE: return cg_lines_of_tree(report, lines);
    case CALLGAUGE_ROWS_FINDINGS:
    case CALLGAUGE_ROWS_FILES:
    case CALLGAUGE_ROWS_REPORT:
    case CALLGAUGE_ROWS_CALLS: break;
    }
    return make_calls(report, lines);
}

static bool make(const callgauge_report *report, const callgauge_write_options *options, bool glance, cg_rows *out)
{
    cg_rows lines = { .units = callgauge_report_unit(report)->count, .sort = options->sort };
    callgauge_rows rows = options->rows;
    bool ok;
    take_totals(callgauge_report_totals(report), &lines.sum);
    if (rows == CALLGAUGE_ROWS_FILES) {
        ok = cg_lines_of_files(report, options, glance, &lines);
    } else {
        ok = make_any(report, rows, glance, &lines);
    }
    if (!ok) {
        cg_rows_release(&lines);
        return false;
    }
    if (rows != CALLGAUGE_ROWS_FILES && rows != CALLGAUGE_ROWS_TREE) {
        put_in_order(&lines, rows, options->sort);
    }
    lines.shown = options->limit == 0 || options->limit > lines.count ? lines.count : options->limit;
    *out = lines;
    return true;
}

bool cg_rows_make(const callgauge_report *report, const callgauge_write_options *options, cg_rows *out)
{
    return make(report, options, false, out);
}

bool cg_rows_make_glance(const callgauge_report *report, const callgauge_write_options *options, cg_rows *out)
{
    return make(report, options, true, out);
}

void cg_rows_release(cg_rows *lines)
{
    cg_mem_free(lines->lines);
    cg_arena_release(&lines->arena);
    lines->lines = NULL;
    lines->count = lines->shown = 0;
}

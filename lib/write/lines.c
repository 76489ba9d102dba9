/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the lines of a summary and puts them in order. */
#include "write/lines.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "report/report.h"

static void clear(cg_line *line)
{
    *line = (cg_line){ 0 };
    for (size_t i = 0; i < CG_VALUES; i++) {
        line->values[i] = CALLGAUGE_UNKNOWN;
    }
}

static void set_counts(cg_line *line, uint64_t calls, uint64_t errors, uint64_t unreturned)
{
    line->values[CG_VALUE_CALLS] = cg_count_held(calls);
    line->values[CG_VALUE_ERRORS] = cg_count_held(errors);
    line->values[CG_VALUE_UNRETURNED] = cg_count_held(unreturned);
}

/* Two sums of time, and the calls they are of; where these are not known, nothing says how long one took. */
static void set_times(cg_line *line, int64_t cpu_ns, uint64_t cpu_calls, int64_t wall_ns, uint64_t wall_calls)
{
    line->values[CG_VALUE_CPU] = cpu_ns;
    line->values[CG_VALUE_WALL] = wall_ns;
    line->values[CG_VALUE_CPU_CALLS] = cpu_calls == 0 ? CALLGAUGE_UNKNOWN : cg_count_held(cpu_calls);
    line->values[CG_VALUE_WALL_CALLS] = wall_calls == 0 ? CALLGAUGE_UNKNOWN : cg_count_held(wall_calls);
}

static void take_totals(const callgauge_totals *totals, cg_line *line)
{
    clear(line);
    line->name = cg_str_z("total");
    set_counts(line, totals->calls, totals->errors, totals->unreturned);
    set_times(line, totals->cpu_ns, totals->cpu_calls, totals->wall_ns, totals->wall_calls);
    line->values[CG_VALUE_READ] = totals->bytes_read;
    line->values[CG_VALUE_WRITTEN] = totals->bytes_written;
}

static void take_call(const callgauge_call_row *row, cg_line *line)
{
    clear(line);
    line->name = row->name;
    line->call_class = row->call_class;
    line->durations_kind = row->durations_kind;
    set_counts(line, row->calls, row->errors, row->unreturned);
    set_times(line, row->cpu_ns, row->cpu_calls, row->wall_ns, row->wall_calls);
    line->values[CG_VALUE_MIN] = row->min_ns;
    line->values[CG_VALUE_MAX] = row->max_ns;
    line->values[CG_VALUE_P50] = row->p50_ns;
    line->values[CG_VALUE_P90] = row->p90_ns;
    line->values[CG_VALUE_P99] = row->p99_ns;
    line->values[CG_VALUE_READ] = row->bytes_read;
    line->values[CG_VALUE_WRITTEN] = row->bytes_written;
}

static void take_process(const callgauge_process_row *row, cg_line *line)
{
    clear(line);
    set_counts(line, row->calls, row->errors, row->unreturned);
    line->values[CG_VALUE_PID] = row->pid;
    set_times(line, row->cpu_ns, row->cpu_calls, row->wall_ns, row->wall_calls);
    line->values[CG_VALUE_START] = row->start_ns;
    line->values[CG_VALUE_END] = row->end_ns;
}

/* All calls in one line: of a table nobody can tell whose they are. */
static void take_untold(const cg_line *sum, cg_line *line)
{
    *line = *sum;
    line->name = cg_str(NULL, 0);
}

static void take_error(const callgauge_call_row *row, callgauge_str error, uint64_t count, cg_line *line)
{
    clear(line);
    line->name = row->name;
    line->error = error;
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

/* What lines are ordered by; CG_VALUES: by name. */
static cg_value order_of(callgauge_sort sort, callgauge_rows rows, const cg_line *sum)
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
    return CG_VALUE_CALLS;
}

static int line_cmp(const void *a, const void *b)
{
    const cg_line *x = a, *y = b;
    for (size_t i = 0; i < 2; i++) {
        if (x->order[i] != y->order[i]) {
            return x->order[i] > y->order[i] ? -1 : 1;
        }
    }
    int c = cg_str_cmp(x->name, y->name);
    c = c != 0 ? c : cg_str_cmp(x->error, y->error);
    int64_t p = x->values[CG_VALUE_PID], q = y->values[CG_VALUE_PID];
    return c != 0 ? c : (p > q) - (p < q);
}

static void put_in_order(cg_rows *lines, callgauge_rows rows, callgauge_sort sort)
{
    cg_value value = order_of(sort, rows, &lines->sum);
    bool of_calls = rows == CALLGAUGE_ROWS_ERRORS && value == CG_VALUE_CALLS;
    cg_value second = of_calls ? CG_VALUE_ERRORS : CG_VALUE_CALLS;
    for (size_t i = 0; i < lines->count && value != CG_VALUES; i++) {
        lines->lines[i].order[0] = lines->lines[i].values[value];
        lines->lines[i].order[1] = lines->lines[i].values[second];
    }
    if (lines->count > 1) {
        qsort(lines->lines, lines->count, sizeof *lines->lines, line_cmp);
    }
}

/* At least as many as there will be lines. */
static size_t most_lines(const callgauge_report *report, callgauge_rows rows)
{
    size_t calls = callgauge_report_call_count(report);
    if (rows == CALLGAUGE_ROWS_PROCESSES) {
        return callgauge_report_process_count(report);
    }
    size_t errors = 0;
    for (size_t i = 0; i < calls && rows == CALLGAUGE_ROWS_ERRORS; i++) {
        errors += callgauge_report_call(report, i)->error_name_count;
    }
    return calls + errors;
}

bool cg_rows_make(const callgauge_report *report, callgauge_rows rows, callgauge_sort sort, size_t limit, cg_rows *out)
{
    cg_rows lines = { .lines = cg_mem_zeroed(most_lines(report, rows) + 1, sizeof *lines.lines) };
    if (lines.lines == NULL) {
        return false;
    }
    take_totals(callgauge_report_totals(report), &lines.sum);
    for (size_t i = 0; i < callgauge_report_process_count(report) && rows == CALLGAUGE_ROWS_PROCESSES; i++) {
        take_process(callgauge_report_process(report, i), &lines.lines[lines.count++]);
    }
    if (rows == CALLGAUGE_ROWS_PROCESSES && lines.count == 0 && callgauge_report_call_count(report) > 0) {
        take_untold(&lines.sum, &lines.lines[lines.count++]);
    }
    for (size_t i = 0; i < callgauge_report_call_count(report) && rows != CALLGAUGE_ROWS_PROCESSES; i++) {
        const callgauge_call_row *row = callgauge_report_call(report, i);
        if (rows == CALLGAUGE_ROWS_ERRORS) {
            lines.count += take_errors(row, &lines.lines[lines.count]);
        } else {
            take_call(row, &lines.lines[lines.count++]);
        }
    }
    put_in_order(&lines, rows, sort);
    lines.shown = limit == 0 || limit > lines.count ? lines.count : limit;
    *out = lines;
    return true;
}

void cg_rows_release(cg_rows *lines)
{
    cg_mem_free(lines->lines);
    lines->lines = NULL;
    lines->count = lines->shown = 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A table as CSV (RFC 4180): the keys of the JSON report as headings, times in whole nanoseconds, an
 * empty cell for what is unknown. Files, programs, waiting and threads are in csv_rows.c. */
#include "write/escape.h"
#include "write/writers.h"

#include "base/str.h"

typedef struct column {
    const char *heading;
    cg_value value;
} column;

static const column call_columns[] = {
    { "calls", CG_VALUE_CALLS },
    { "errors", CG_VALUE_ERRORS },
    { "unreturned", CG_VALUE_UNRETURNED },
    { "cpu_ns", CG_VALUE_CPU },
    { "wall_ns", CG_VALUE_WALL },
    { "min_ns", CG_VALUE_MIN },
    { "max_ns", CG_VALUE_MAX },
    { "p50_ns", CG_VALUE_P50 },
    { "p90_ns", CG_VALUE_P90 },
    { "p99_ns", CG_VALUE_P99 },
    { "bytes_read", CG_VALUE_READ },
    { "bytes_written", CG_VALUE_WRITTEN },
    { "cpu_calls", CG_VALUE_CPU_CALLS },
    { "wall_calls", CG_VALUE_WALL_CALLS },
};

static const column process_columns[] = {
    { "calls", CG_VALUE_CALLS }, { "errors", CG_VALUE_ERRORS },       { "unreturned", CG_VALUE_UNRETURNED },
    { "cpu_ns", CG_VALUE_CPU },  { "wall_ns", CG_VALUE_WALL },        { "start_ns", CG_VALUE_START },
    { "end_ns", CG_VALUE_END },  { "cpu_calls", CG_VALUE_CPU_CALLS }, { "wall_calls", CG_VALUE_WALL_CALLS },
};

static const column error_columns[] = {
    { "count", CG_VALUE_ERRORS },
    { "calls", CG_VALUE_CALLS },
};

/* What identifies a line, and the numbers that follow. */
typedef struct form {
    const char *headings;
    const column *columns;
    size_t count;
} form;

static form form_of(callgauge_rows rows)
{
    switch (rows) {
    case CALLGAUGE_ROWS_TREE:
    case CALLGAUGE_ROWS_PROCESSES:
        return (form){ "pid", process_columns, sizeof process_columns / sizeof process_columns[0] };
    case CALLGAUGE_ROWS_ERRORS:
        return (form){ "name,error", error_columns, sizeof error_columns / sizeof error_columns[0] };
    default: break;
    }
    return (form){ "name,class,durations_kind", call_columns, sizeof call_columns / sizeof call_columns[0] };
}

static void write_number(int64_t value, cg_out *out)
{
    if (value != CALLGAUGE_UNKNOWN) {
        cg_out_i64(out, value);
    }
}

static bool is_of_process(callgauge_rows rows)
{
    return rows == CALLGAUGE_ROWS_PROCESSES || rows == CALLGAUGE_ROWS_TREE;
}

static void write_identity(callgauge_rows rows, const cg_line *line, cg_out *out)
{
    static const char *const kinds[] = { "", "cpu", "wall" };
    if (is_of_process(rows)) {
        write_number(line->values[CG_VALUE_PID], out);
        return;
    }
    cg_escape_csv(out, line->name);
    cg_out_char(out, ',');
    if (rows == CALLGAUGE_ROWS_ERRORS) {
        cg_escape_csv(out, line->second);
        return;
    }
    cg_out_z(out, callgauge_class_text(line->call_class));
    cg_out_char(out, ',');
    cg_out_z(out, kinds[line->durations_kind]);
}

/* A count by the units of the report: six decimals, without zeros at their end. */
static void write_per_unit(int64_t value, uint64_t units, cg_out *out)
{
    enum { DECIMALS = 6 };
    static const double MOST = 9e15, SCALE = 1e6;
    char text[CG_NUMBER_ROOM];
    cg_out_char(out, ',');
    if (value != CALLGAUGE_UNKNOWN) {
        double scaled = (double)value * SCALE / (double)units + 0.5;
        int64_t number = (int64_t)(scaled < MOST ? scaled : MOST);
        cg_out_add(out, text, cg_format_plain(text, number, DECIMALS, cg_decimals_needed(number, DECIMALS)));
    }
}

/* Columns of the lines of calls and processes are there when units are known. */
static bool has_units(const cg_rows *lines, callgauge_rows rows)
{
    return lines->units > 0 && rows != CALLGAUGE_ROWS_ERRORS;
}

static void write_headings(const form *shape, const cg_rows *lines, callgauge_rows rows, cg_out *out)
{
    cg_out_z(out, shape->headings);
    for (size_t i = 0; i < shape->count; i++) {
        cg_out_char(out, ',');
        cg_out_z(out, shape->columns[i].heading);
    }
    if (is_of_process(rows)) {
        cg_csv_process_headings(out);
    }
    cg_out_z(out, has_units(lines, rows) ? ",calls_per_unit,errors_per_unit\r\n" : "\r\n");
}

static void write_line(const form *shape, const cg_rows *lines, callgauge_rows rows, const cg_line *line, cg_out *out)
{
    write_identity(rows, line, out);
    for (size_t i = 0; i < shape->count; i++) {
        cg_out_char(out, ',');
        write_number(line->values[shape->columns[i].value], out);
    }
    if (is_of_process(rows)) {
        cg_csv_process_cells(line->row, out);
    }
    if (has_units(lines, rows)) {
        write_per_unit(line->values[CG_VALUE_CALLS], lines->units, out);
        write_per_unit(line->values[CG_VALUE_ERRORS], lines->units, out);
    }
    cg_out_z(out, "\r\n");
}

bool cg_write_csv(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    cg_rows lines;
    switch (options->rows) {
    case CALLGAUGE_ROWS_FILES:
    case CALLGAUGE_ROWS_PROGRAMS:
    case CALLGAUGE_ROWS_WAITING:
    case CALLGAUGE_ROWS_THREADS: return cg_write_csv_rows(report, options, out);
    case CALLGAUGE_ROWS_FINDINGS: return cg_write_csv_findings(report, options, out);
    default: break;
    }
    if (!cg_rows_make(report, options, &lines)) {
        return false;
    }
    form shape = form_of(options->rows);
    write_headings(&shape, &lines, options->rows, out);
    for (size_t i = 0; i < lines.shown; i++) {
        write_line(&shape, &lines, options->rows, &lines.lines[i], out);
    }
    cg_rows_release(&lines);
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A summary as CSV (RFC 4180): the keys of the JSON report as headings, times in whole nanoseconds, an
 * empty cell for what is unknown. */
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
    case CALLGAUGE_ROWS_PROCESSES:
        return (form){ "pid", process_columns, sizeof process_columns / sizeof process_columns[0] };
    case CALLGAUGE_ROWS_ERRORS:
        return (form){ "name,error", error_columns, sizeof error_columns / sizeof error_columns[0] };
    case CALLGAUGE_ROWS_REPORT:
    case CALLGAUGE_ROWS_CALLS: break;
    }
    return (form){ "name,class,durations_kind", call_columns, sizeof call_columns / sizeof call_columns[0] };
}

static void write_number(int64_t value, cg_out *out)
{
    if (value != CALLGAUGE_UNKNOWN) {
        cg_out_i64(out, value);
    }
}

static void write_identity(callgauge_rows rows, const cg_line *line, cg_out *out)
{
    static const char *const kinds[] = { "", "cpu", "wall" };
    if (rows == CALLGAUGE_ROWS_PROCESSES) {
        write_number(line->values[CG_VALUE_PID], out);
        return;
    }
    cg_escape_csv(out, line->name);
    cg_out_char(out, ',');
    if (rows == CALLGAUGE_ROWS_ERRORS) {
        cg_escape_csv(out, line->error);
        return;
    }
    cg_out_z(out, callgauge_class_text(line->call_class));
    cg_out_char(out, ',');
    cg_out_z(out, kinds[line->durations_kind]);
}

bool cg_write_csv(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    cg_rows lines;
    if (!cg_rows_make(report, options->rows, options->sort, options->limit, &lines)) {
        return false;
    }
    form shape = form_of(options->rows);
    cg_out_z(out, shape.headings);
    for (size_t i = 0; i < shape.count; i++) {
        cg_out_char(out, ',');
        cg_out_z(out, shape.columns[i].heading);
    }
    cg_out_z(out, "\r\n");
    for (size_t i = 0; i < lines.shown; i++) {
        write_identity(options->rows, &lines.lines[i], out);
        for (size_t k = 0; k < shape.count; k++) {
            cg_out_char(out, ',');
            write_number(lines.lines[i].values[shape.columns[k].value], out);
        }
        cg_out_z(out, "\r\n");
    }
    cg_rows_release(&lines);
    return true;
}

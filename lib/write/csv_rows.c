/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of files, programs, waiting, threads, and what is known of processes, as CSV: a column for each member of a row,
 * by its key in the JSON report. Lists are in one cell, with "; " between.
 * Invariant: an empty cell is unknown or none; a flag is 0 or 1. */
#include "write/escape.h"
#include "write/writers.h"

#include "base/str.h"
#include "report/report.h"
#include "write/derived.h"

typedef enum cell_kind {
    CELL_TEXT,
    CELL_COUNT,
    CELL_MAYBE, /* int64_t, CALLGAUGE_UNKNOWN: empty */
    CELL_PORT,  /* int32_t, -1: empty */
    CELL_SMALL, /* uint32_t, 0: empty */
    CELL_FLAG,
    CELL_KIND,  /* callgauge_file_kind */
    CELL_PLACE, /* callgauge_place: the line */
    CELL_WORKED_OUT
} cell_kind;

/* Writes what is no member, or a list. */
typedef void cell_fn(const void *row, cg_out *out);

typedef struct row_column {
    const char *heading;
    cell_kind kind;
    size_t member;
    cell_fn *write;
} row_column;

static void write_maybe(int64_t value, cg_out *out)
{
    if (value != CALLGAUGE_UNKNOWN) {
        cg_out_i64(out, value);
    }
}

/* Members of a kind are read as what they are. */
static void write_cell(const row_column *column, const void *row, cg_out *out)
{
    const void *at = (const char *)row + column->member;
    switch (column->kind) {
    case CELL_TEXT: cg_escape_csv(out, *(const callgauge_str *)at); break;
    case CELL_COUNT: cg_out_u64(out, *(const uint64_t *)at); break;
    case CELL_MAYBE: write_maybe(*(const int64_t *)at, out); break;
    case CELL_PORT: write_maybe(*(const int32_t *)at < 0 ? CALLGAUGE_UNKNOWN : *(const int32_t *)at, out); break;
    case CELL_SMALL: write_maybe(*(const uint32_t *)at == 0 ? CALLGAUGE_UNKNOWN : *(const uint32_t *)at, out); break;
    case CELL_FLAG: cg_out_char(out, *(const bool *)at ? '1' : '0'); break;
    case CELL_KIND: cg_out_z(out, callgauge_file_kind_text(*(const callgauge_file_kind *)at)); break;
    case CELL_PLACE: cg_out_u64(out, ((const callgauge_place *)at)->line); break;
    case CELL_WORKED_OUT: column->write(row, out); break;
    }
}

static void write_row(const row_column *columns, size_t count, const void *row, cg_out *out)
{
    for (size_t i = 0; i < count; i++) {
        cg_out_z(out, i > 0 ? "," : "");
        if (row != NULL) {
            write_cell(&columns[i], row, out);
        }
    }
}

static void write_headings(const row_column *columns, size_t count, cg_out *out)
{
    for (size_t i = 0; i < count; i++) {
        cg_out_z(out, i > 0 ? "," : "");
        cg_out_z(out, columns[i].heading);
    }
}

/* --- lists, each item a cell of its own in quotes where it must be */

/* Text of several parts, escaped as one cell. */
static void write_names(const callgauge_name_row *rows, size_t count, cg_out *out)
{
    bool quoted = false;
    for (size_t i = 0; i < count; i++) {
        quoted = quoted || cg_escape_csv_quotes(rows[i].name);
    }
    cg_out_z(out, quoted ? "\"" : "");
    for (size_t i = 0; i < count; i++) {
        cg_out_z(out, i > 0 ? "; " : "");
        cg_out_u64(out, rows[i].count);
        cg_out_char(out, ' ');
        cg_escape_csv_part(out, rows[i].name);
    }
    cg_out_z(out, quoted ? "\"" : "");
}

static void write_pids(const int64_t *pids, size_t count, cg_out *out)
{
    for (size_t i = 0; i < count; i++) {
        cg_out_z(out, i > 0 ? "; " : "");
        if (pids[i] == CALLGAUGE_UNKNOWN) {
            cg_out_char(out, '?');
        } else {
            cg_out_i64(out, pids[i]);
        }
    }
}

static void file_mean_read(const void *row, cg_out *out)
{
    write_maybe(cg_mean_read(row), out);
}

static void file_mean_write(const void *row, cg_out *out)
{
    write_maybe(cg_mean_write(row), out);
}

static void file_order(const void *row, cg_out *out)
{
    const char *text = callgauge_order_text(callgauge_file_order(row));
    cg_out_z(out, text == NULL ? "" : text);
}

static void file_failed_opens(const void *row, cg_out *out)
{
    const callgauge_file_row *file = row;
    write_names(file->failed_opens_by_error, file->failed_open_count, out);
}

static void file_processes(const void *row, cg_out *out)
{
    const callgauge_file_row *file = row;
    write_pids(file->processes, file->process_count, out);
}

static void program_mean_life(const void *row, cg_out *out)
{
    write_maybe(cg_mean_life(row), out);
}

static void program_starters(const void *row, cg_out *out)
{
    const callgauge_program_row *program = row;
    write_names(program->started_by, program->started_by_count, out);
}

static void process_argv(const void *row, cg_out *out)
{
    const callgauge_process_row *process = row;
    bool quoted = false;
    for (size_t i = 0; i < process->argv_count; i++) {
        quoted = quoted || cg_escape_csv_quotes(process->argv[i]);
    }
    cg_out_z(out, quoted ? "\"" : "");
    for (size_t i = 0; i < process->argv_count; i++) {
        if (i > 0) {
            cg_out_char(out, ' ');
            cg_escape_csv_part(out, process->argv[i]);
        } else {
            cg_out_z(out, cg_escape_csv_formula(process->argv[i]) ? "'" : "");
            cg_escape_csv_part(out, process->argv[i]);
        }
    }
    cg_out_z(out, quoted ? "\"" : "");
}

static void process_working(const void *row, cg_out *out)
{
    write_maybe(cg_spent_by(row).working_ns, out);
}

static void process_waiting(const void *row, cg_out *out)
{
    write_maybe(cg_spent_by(row).waiting_ns, out);
}

static void process_outside(const void *row, cg_out *out)
{
    write_maybe(cg_spent_by(row).outside_ns, out);
}

/* --- columns */

#define MEMBER(type, heading, kind, member) \
    { \
        heading, kind, offsetof(type, member), NULL \
    }
#define WORKED_OUT(heading, function) \
    { \
        heading, CELL_WORKED_OUT, 0, function \
    }

#define FILE(heading, kind, member) MEMBER(callgauge_file_row, heading, kind, member)
static const row_column file_columns[] = {
    FILE("path", CELL_TEXT, path),
    FILE("kind", CELL_KIND, kind),
    FILE("peer", CELL_TEXT, peer),
    FILE("port", CELL_PORT, peer_port),
    FILE("local", CELL_TEXT, local),
    FILE("local_port", CELL_PORT, local_port),
    FILE("opened_before", CELL_FLAG, opened_before),
    FILE("relative", CELL_FLAG, relative),
    FILE("pid", CELL_MAYBE, pid),
    FILE("fd", CELL_MAYBE, fd),
    FILE("number", CELL_SMALL, number),
    FILE("renamed_to", CELL_TEXT, renamed_to),
    FILE("calls", CELL_COUNT, calls),
    FILE("errors", CELL_COUNT, errors),
    FILE("opens", CELL_COUNT, opens),
    WORKED_OUT("failed_opens_by_error", file_failed_opens),
    FILE("reads", CELL_COUNT, reads),
    FILE("eof_reads", CELL_COUNT, eof_reads),
    FILE("bytes_read", CELL_MAYBE, bytes_read),
    WORKED_OUT("mean_read", file_mean_read),
    FILE("min_read", CELL_MAYBE, min_read),
    FILE("max_read", CELL_MAYBE, max_read),
    FILE("reread_bytes", CELL_MAYBE, reread_bytes),
    FILE("writes", CELL_COUNT, writes),
    FILE("empty_writes", CELL_COUNT, empty_writes),
    FILE("bytes_written", CELL_MAYBE, bytes_written),
    WORKED_OUT("mean_write", file_mean_write),
    FILE("min_write", CELL_MAYBE, min_write),
    FILE("max_write", CELL_MAYBE, max_write),
    WORKED_OUT("order", file_order),
    FILE("maps", CELL_COUNT, maps),
    FILE("cpu_ns", CELL_MAYBE, cpu_ns),
    FILE("wall_ns", CELL_MAYBE, wall_ns),
    FILE("waiting_ns", CELL_MAYBE, waiting_ns),
    WORKED_OUT("processes", file_processes),
    FILE("first_line", CELL_PLACE, first),
    FILE("last_line", CELL_PLACE, last),
};

#define PROGRAM(heading, kind, member) MEMBER(callgauge_program_row, heading, kind, member)
static const row_column program_columns[] = {
    PROGRAM("program", CELL_TEXT, program),     PROGRAM("starts", CELL_COUNT, starts),
    WORKED_OUT("started_by", program_starters), WORKED_OUT("mean_life_ns", program_mean_life),
    PROGRAM("lives", CELL_COUNT, lives),        PROGRAM("life_ns", CELL_MAYBE, life_ns),
    PROGRAM("calls", CELL_COUNT, calls),        PROGRAM("errors", CELL_COUNT, errors),
    PROGRAM("cpu_ns", CELL_MAYBE, cpu_ns),      PROGRAM("wall_ns", CELL_MAYBE, wall_ns),
};

#define WAITING(heading, kind, member) MEMBER(callgauge_waiting_row, heading, kind, member)
static const row_column waiting_columns[] = {
    WAITING("call", CELL_TEXT, call),       WAITING("kind", CELL_KIND, kind),
    WAITING("path", CELL_TEXT, path),       WAITING("peer_address", CELL_TEXT, peer),
    WAITING("port", CELL_PORT, peer_port),  WAITING("fd", CELL_MAYBE, fd),
    WAITING("address", CELL_TEXT, address), WAITING("child", CELL_TEXT, child),
    WAITING("count", CELL_COUNT, count),    WAITING("wall_ns", CELL_MAYBE, wall_ns),
    WAITING("max_ns", CELL_MAYBE, max_ns),  WAITING("longest_line", CELL_PLACE, longest),
};

#define THREAD(heading, kind, member) MEMBER(callgauge_thread_row, heading, kind, member)
static const row_column thread_columns[] = {
    THREAD("tid", CELL_MAYBE, tid),
    THREAD("working_ns", CELL_MAYBE, working_ns),
    THREAD("waiting_ns", CELL_MAYBE, waiting_ns),
    THREAD("outside_ns", CELL_MAYBE, outside_ns),
};

#define PROCESS(heading, kind, member) MEMBER(callgauge_process_row, heading, kind, member)
static const row_column process_columns[] = {
    PROCESS("life", CELL_SMALL, life),
    PROCESS("parent", CELL_MAYBE, parent),
    PROCESS("parent_life", CELL_SMALL, parent_life),
    PROCESS("program", CELL_TEXT, program),
    WORKED_OUT("argv", process_argv),
    PROCESS("born", CELL_FLAG, born),
    PROCESS("ended", CELL_FLAG, ended),
    PROCESS("exit_code", CELL_MAYBE, exit_code),
    PROCESS("exit_signal", CELL_TEXT, exit_signal),
    PROCESS("open_at_start", CELL_MAYBE, open_at_start),
    PROCESS("open_at_end", CELL_MAYBE, open_at_end),
    PROCESS("open_peak", CELL_MAYBE, open_peak),
    PROCESS("emfile", CELL_COUNT, emfile),
    WORKED_OUT("working_ns", process_working),
    WORKED_OUT("waiting_ns", process_waiting),
    WORKED_OUT("outside_ns", process_outside),
};

#define COLUMNS(table) (sizeof(table) / sizeof(table)[0])

void cg_csv_process_headings(cg_out *out)
{
    cg_out_char(out, ',');
    write_headings(process_columns, COLUMNS(process_columns), out);
}

void cg_csv_process_cells(const callgauge_process_row *row, cg_out *out)
{
    cg_out_char(out, ',');
    write_row(process_columns, COLUMNS(process_columns), row, out);
}

typedef struct row_form {
    const row_column *columns;
    size_t count;
} row_form;

static row_form form_of(callgauge_rows rows)
{
    switch (rows) {
    case CALLGAUGE_ROWS_PROGRAMS: return (row_form){ program_columns, COLUMNS(program_columns) };
    case CALLGAUGE_ROWS_WAITING: return (row_form){ waiting_columns, COLUMNS(waiting_columns) };
    case CALLGAUGE_ROWS_THREADS: return (row_form){ thread_columns, COLUMNS(thread_columns) };
    default: return (row_form){ file_columns, COLUMNS(file_columns) };
    }
}

bool cg_write_csv_rows(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    cg_rows lines;
    if (!cg_rows_make(report, options, &lines)) {
        return false;
    }
    row_form form = form_of(options->rows);
    bool of_threads = options->rows == CALLGAUGE_ROWS_THREADS;
    cg_out_z(out, of_threads ? "pid," : "");
    write_headings(form.columns, form.count, out);
    cg_out_z(out, of_threads ? ",program\r\n" : "\r\n");
    for (size_t i = 0; i < lines.shown; i++) {
        const cg_line *line = &lines.lines[i];
        if (of_threads) {
            write_maybe(line->values[CG_VALUE_PID], out);
            cg_out_char(out, ',');
        }
        write_row(form.columns, form.count, line->row, out);
        if (of_threads) {
            cg_out_char(out, ',');
            cg_escape_csv(out, line->second);
        }
        cg_out_z(out, "\r\n");
    }
    cg_rows_release(&lines);
    return true;
}

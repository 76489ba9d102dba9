/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the columns of a table and formats its cells. */
#include "write/sheet.h"

#include <string.h>

#include "base/str.h"

enum { NS_PLACES = 9, MICRO_PLACES = 3 };

static const int64_t SHORT_NS = 1000000; /* columns of times below it show tenths of microseconds */

/* Percentiles and extremes are only shown beside time of their own kind. */
static int64_t value_of(const cg_sheet *sheet, const cg_sheet_column *column, const cg_line *line)
{
    callgauge_time_kind kind = sheet->time == CG_VALUE_WALL ? CALLGAUGE_TIME_WALL : CALLGAUGE_TIME_CPU;
    if (column->cell == CG_CELL_MICROS && line->durations_kind != kind) {
        return CALLGAUGE_UNKNOWN;
    }
    return line->values[column->value];
}

/* Over the calls whose time is known: others would make it too small. */
static int64_t mean_of(const cg_sheet *sheet, const cg_line *line)
{
    int64_t time = line->values[sheet->time];
    int64_t calls = line->values[sheet->time == CG_VALUE_WALL ? CG_VALUE_WALL_CALLS : CG_VALUE_CPU_CALLS];
    return time == CALLGAUGE_UNKNOWN || calls == CALLGAUGE_UNKNOWN ? CALLGAUGE_UNKNOWN : time / calls;
}

/* In tenths of a percent. */
static int64_t share_of(int64_t part, int64_t whole)
{
    if (part == CALLGAUGE_UNKNOWN || whole == CALLGAUGE_UNKNOWN || whole <= 0) {
        return CALLGAUGE_UNKNOWN;
    }
    double share = (double)part / (double)whole * 1000.0 + 0.5;
    return share < 1e15 ? (int64_t)share : (int64_t)1e15; /* a forged report may have more errors than calls */
}

static size_t put(char *to, const char *text)
{
    size_t len = strlen(text);
    memcpy(to, text, len);
    return len;
}

static size_t unknown(char *to)
{
    to[0] = '-';
    return 1;
}

static size_t fixed_or_unknown(char *to, int64_t value, int places, int decimals)
{
    return value == CALLGAUGE_UNKNOWN ? unknown(to) : cg_format_fixed(to, value, places, decimals);
}

/* Two decimals, without zeros at their end. */
static size_t per_unit(char *to, int64_t value, cg_value of, uint64_t units)
{
    enum { DECIMALS = 2 };
    static const double MOST = 9e15;
    if (value == CALLGAUGE_UNKNOWN || units == 0) {
        return unknown(to);
    }
    if (value == 0 && of == CG_VALUE_ERRORS) {
        return 0;
    }
    double scaled = (double)value * 100.0 / (double)units + 0.5;
    int64_t hundredths = (int64_t)(scaled < MOST ? scaled : MOST);
    return cg_format_fixed(to, hundredths, DECIMALS, cg_decimals_needed(hundredths, DECIMALS));
}

static size_t order_cell(char *to, int64_t order)
{
    const char *text = order > 0 ? callgauge_order_text((callgauge_order)order) : NULL;
    return text == NULL ? 0 : put(to, text);
}

/* The name of a signal is captured text: what is none is not shown. */
static size_t exit_cell(char *to, const cg_line *line)
{
    enum { LONGEST = 12 };
    callgauge_str name = line->exit_signal;
    size_t len = 0;
    while (len < name.len && len < LONGEST && (cg_is_word(name.ptr[len]) || name.ptr[len] == '+')) {
        to[len] = name.ptr[len];
        len++;
    }
    if (len > 0) {
        return len;
    }
    int64_t code = line->values[CG_VALUE_EXIT];
    return code == CALLGAUGE_UNKNOWN ? 0 : cg_format_plain(to, code, 0, 0);
}

size_t cg_sheet_cell(const cg_sheet *sheet, const cg_sheet_column *column, const cg_line *line, char *to)
{
    int64_t value = value_of(sheet, column, line);
    const cg_line *sum = &sheet->lines->sum;
    switch (column->cell) {
    case CG_CELL_MEAN: return fixed_or_unknown(to, mean_of(sheet, line), MICRO_PLACES, column->decimals);
    case CG_CELL_SHARE: return fixed_or_unknown(to, share_of(value, sum->values[column->value]), 1, 1);
    case CG_CELL_FAILED: return fixed_or_unknown(to, share_of(value, line->values[CG_VALUE_CALLS]), 1, 1);
    case CG_CELL_SECONDS: return fixed_or_unknown(to, value, NS_PLACES, column->decimals);
    case CG_CELL_MICROS: return fixed_or_unknown(to, value, MICRO_PLACES, column->decimals);
    case CG_CELL_FEW: return value == 0 ? 0 : fixed_or_unknown(to, value, 0, 0);
    case CG_CELL_PER_UNIT: return per_unit(to, value, column->value, sheet->lines->units);
    case CG_CELL_ORDER: return order_cell(to, value);
    case CG_CELL_EXIT: return exit_cell(to, line);
    case CG_CELL_COUNT: break;
    }
    return fixed_or_unknown(to, value, 0, 0);
}

callgauge_str cg_sheet_text(const cg_sheet *sheet, const cg_line *line, size_t index, char *room)
{
    if (index == 1) {
        const char *none = line == &sheet->lines->sum ? "" : "-";
        return line->second.len > 0 ? line->second : cg_str_z(none);
    }
    if (sheet->rows != CALLGAUGE_ROWS_PROCESSES || line == &sheet->lines->sum || line->name.len > 0) {
        return line->name;
    }
    int64_t pid = line->values[CG_VALUE_PID];
    return cg_str(room, pid == CALLGAUGE_UNKNOWN ? unknown(room) : cg_format_plain(room, pid, 0, 0));
}

static bool says_something(const cg_sheet *sheet, const cg_sheet_column *column, const cg_line *line)
{
    int64_t value = value_of(sheet, column, line);
    switch (column->cell) {
    case CG_CELL_FEW:
    case CG_CELL_ORDER: return value > 0;
    case CG_CELL_EXIT: return value != CALLGAUGE_UNKNOWN || line->exit_signal.len > 0;
    case CG_CELL_PER_UNIT: return value > 0 && sheet->lines->units > 0;
    default: return value != CALLGAUGE_UNKNOWN;
    }
}

static bool is_ordered_apart(const cg_sheet *sheet)
{
    return sheet->rows == CALLGAUGE_ROWS_FILES && sheet->lines->sort != CALLGAUGE_SORT_BYTES;
}

/* Whether any line that is shown, or the sum, has something to say in a column. Of files that
 * are ordered by other than bytes the sum does not count: they have many columns and long names. */
static bool is_used(const cg_sheet *sheet, const cg_sheet_column *column)
{
    if (!is_ordered_apart(sheet) && says_something(sheet, column, &sheet->lines->sum)) {
        return true;
    }
    for (size_t i = 0; i < sheet->lines->shown; i++) {
        if (says_something(sheet, column, &sheet->lines->lines[i])) {
            return true;
        }
    }
    return false;
}

/* The decimals that the finest cell of a column of seconds calls for, unless the sum is so long that they tell
 * nothing. */
static int seconds_decimals(const cg_sheet *sheet, cg_value value)
{
    int decimals = 0;
    for (size_t i = 0; i < sheet->lines->shown && sheet->lines->sum.values[value] < CG_LONG_NS; i++) {
        int64_t ns = sheet->lines->lines[i].values[value];
        int needed = ns == CALLGAUGE_UNKNOWN ? 0 : cg_decimals_needed(ns, NS_PLACES);
        decimals = needed > decimals ? needed : decimals;
    }
    return cg_seconds_decimals(decimals);
}

static int micros_decimals(const cg_sheet *sheet, const cg_sheet_column *column)
{
    for (size_t i = 0; i < sheet->lines->shown; i++) {
        const cg_line *line = &sheet->lines->lines[i];
        int64_t ns = column->cell == CG_CELL_MEAN ? mean_of(sheet, line) : value_of(sheet, column, line);
        if (ns >= SHORT_NS) {
            return 0;
        }
    }
    return 1;
}

static size_t cell_width(const cg_sheet *sheet, const cg_sheet_column *column, const cg_line *line)
{
    char cell[CG_NUMBER_ROOM];
    return cg_sheet_cell(sheet, column, line, cell);
}

static size_t column_width(const cg_sheet *sheet, const cg_sheet_column *column)
{
    size_t width = strlen(column->heading);
    size_t sum = cell_width(sheet, column, &sheet->lines->sum);
    width = sum > width ? sum : width;
    for (size_t i = 0; i < sheet->lines->shown; i++) {
        size_t cell = cell_width(sheet, column, &sheet->lines->lines[i]);
        width = cell > width ? cell : width;
    }
    return width;
}

static void add(cg_sheet *sheet, const char *heading, cg_cell cell, cg_value value, unsigned spare)
{
    cg_sheet_column column = { .heading = heading, .cell = cell, .value = value, .spare = spare };
    if (!is_used(sheet, &column)) {
        return;
    }
    if (cell == CG_CELL_SECONDS) {
        column.decimals = seconds_decimals(sheet, value);
    } else if (cell == CG_CELL_MICROS || cell == CG_CELL_MEAN) {
        column.decimals = micros_decimals(sheet, &column);
    }
    column.width = column_width(sheet, &column);
    sheet->columns[sheet->count++] = column;
}

static void add_sums_of_time(cg_sheet *sheet)
{
    add(sheet, "wall s", CG_CELL_SECONDS, CG_VALUE_WALL, 0);
    add(sheet, "cpu s", CG_CELL_SECONDS, CG_VALUE_CPU, 0);
}

static void add_times(cg_sheet *sheet)
{
    switch (sheet->time) {
    case CG_VALUE_WALL: add(sheet, "wall %", CG_CELL_SHARE, CG_VALUE_WALL, 0); break;
    case CG_VALUE_CPU: add(sheet, "cpu %", CG_CELL_SHARE, CG_VALUE_CPU, 0); break;
    default: add(sheet, "calls %", CG_CELL_SHARE, CG_VALUE_CALLS, 0); return;
    }
    add_sums_of_time(sheet);
    add(sheet, "us/call", CG_CELL_MEAN, sheet->time, 1);
    add(sheet, "p50 us", CG_CELL_MICROS, CG_VALUE_P50, 4);
    add(sheet, "p99 us", CG_CELL_MICROS, CG_VALUE_P99, 2);
    add(sheet, "max us", CG_CELL_MICROS, CG_VALUE_MAX, 3);
}

static void add_counts(cg_sheet *sheet)
{
    add(sheet, "calls", CG_CELL_COUNT, CG_VALUE_CALLS, 0);
    add(sheet, "errors", CG_CELL_FEW, CG_VALUE_ERRORS, 0);
    add(sheet, "unret.", CG_CELL_FEW, CG_VALUE_UNRETURNED, 0);
}

static void add_per_unit(cg_sheet *sheet, unsigned spare)
{
    add(sheet, "calls/unit", CG_CELL_PER_UNIT, CG_VALUE_CALLS, spare);
    add(sheet, "errors/unit", CG_CELL_PER_UNIT, CG_VALUE_ERRORS, spare);
}

/* `spare`: of the bytes, other columns go before them; 0: all but bytes that were read again are always shown. */
static void add_transfers(cg_sheet *sheet, unsigned spare)
{
    unsigned counts = spare == 0 ? 0 : spare + 1, means = spare == 0 ? 0 : spare + 2;
    add(sheet, "reads", CG_CELL_FEW, CG_VALUE_READS, counts);
    add(sheet, "read B", CG_CELL_FEW, CG_VALUE_READ, spare);
    add(sheet, "B/read", CG_CELL_FEW, CG_VALUE_MEAN_READ, means);
    add(sheet, "again B", CG_CELL_FEW, CG_VALUE_REREAD, spare == 0 ? 5 : spare + 3);
    add(sheet, "writes", CG_CELL_FEW, CG_VALUE_WRITES, counts);
    add(sheet, "written B", CG_CELL_FEW, CG_VALUE_WRITTEN, spare);
    add(sheet, "B/write", CG_CELL_FEW, CG_VALUE_MEAN_WRITE, means);
}

static void add_times_of_file(cg_sheet *sheet, unsigned spare)
{
    add(sheet, "wall s", CG_CELL_SECONDS, CG_VALUE_WALL, spare);
    add(sheet, "waiting s", CG_CELL_SECONDS, CG_VALUE_WAITING, spare == 0 ? 3 : spare * 2);
    add(sheet, "cpu s", CG_CELL_SECONDS, CG_VALUE_CPU, spare);
}

static void add_counts_of_file(cg_sheet *sheet)
{
    add(sheet, "calls", CG_CELL_FEW, CG_VALUE_CALLS, 0);
    add(sheet, "errors", CG_CELL_FEW, CG_VALUE_ERRORS, 0);
    add(sheet, "opens", CG_CELL_FEW, CG_VALUE_OPENS, 2);
    add(sheet, "failed opens", CG_CELL_FEW, CG_VALUE_FAILED_OPENS, 1);
}

/* What the rows are ordered by comes first; what was moved goes first where room is short. */
static void add_of_file(cg_sheet *sheet)
{
    enum { LATE = 10 };
    switch (sheet->lines->sort) {
    case CALLGAUGE_SORT_TIME:
        add_times_of_file(sheet, 0);
        add_counts_of_file(sheet);
        break;
    case CALLGAUGE_SORT_CALLS:
    case CALLGAUGE_SORT_ERRORS:
        add_counts_of_file(sheet);
        add_times_of_file(sheet, 4);
        break;
    case CALLGAUGE_SORT_NAME:
    case CALLGAUGE_SORT_BYTES:
    case CALLGAUGE_SORT_STARTS:
        add_transfers(sheet, 0);
        add(sheet, "order", CG_CELL_ORDER, CG_VALUE_ORDER, 7);
        add(sheet, "opens", CG_CELL_FEW, CG_VALUE_OPENS, 6);
        add(sheet, "calls", CG_CELL_FEW, CG_VALUE_CALLS, 8);
        add(sheet, "errors", CG_CELL_FEW, CG_VALUE_ERRORS, 1);
        add_times_of_file(sheet, 2);
        return;
    }
    add_transfers(sheet, LATE);
    add(sheet, "order", CG_CELL_ORDER, CG_VALUE_ORDER, LATE + 4);
}

static void add_spent(cg_sheet *sheet, bool spares)
{
    add(sheet, "working s", CG_CELL_SECONDS, CG_VALUE_WORKING, spares ? 8 : 0);
    add(sheet, "waiting s", CG_CELL_SECONDS, CG_VALUE_WAITING, spares ? 7 : 0);
    add(sheet, "outside s", CG_CELL_SECONDS, CG_VALUE_OUTSIDE, spares ? 9 : 0);
}

/* A process that is followed says more: its program stands behind its pid. */
static void add_of_process(cg_sheet *sheet)
{
    add_times(sheet);
    add_counts(sheet);
    add_per_unit(sheet, 3);
    for (size_t i = 0; i < sheet->lines->shown; i++) {
        if (sheet->lines->lines[i].second.len > 0) {
            sheet->text_headings[1] = "program";
            sheet->cuts = true;
        }
    }
    add_spent(sheet, true);
    add(sheet, "life s", CG_CELL_SECONDS, CG_VALUE_LIFE, 5);
    add(sheet, "exit", CG_CELL_EXIT, CG_VALUE_EXIT, 4);
}

static void add_of_tree(cg_sheet *sheet)
{
    add_counts(sheet);
    add_sums_of_time(sheet);
    add_spent(sheet, true);
    add(sheet, "life s", CG_CELL_SECONDS, CG_VALUE_LIFE, 3);
    add(sheet, "exit", CG_CELL_EXIT, CG_VALUE_EXIT, 2);
}

static void add_of_program(cg_sheet *sheet)
{
    add(sheet, "starts", CG_CELL_COUNT, CG_VALUE_STARTS, 0);
    add(sheet, "life s", CG_CELL_SECONDS, CG_VALUE_LIFE, 1);
    add_counts(sheet);
    add_sums_of_time(sheet);
}

static void add_of_waiting(cg_sheet *sheet)
{
    add(sheet, "wall %", CG_CELL_SHARE, CG_VALUE_WALL, 0);
    add(sheet, "wall s", CG_CELL_SECONDS, CG_VALUE_WALL, 0);
    add(sheet, "longest s", CG_CELL_SECONDS, CG_VALUE_MAX, 1);
    add(sheet, "waits", CG_CELL_COUNT, CG_VALUE_CALLS, 0);
}

static cg_value best_time(const cg_line *sum)
{
    if (sum->values[CG_VALUE_WALL] != CALLGAUGE_UNKNOWN) {
        return CG_VALUE_WALL;
    }
    return sum->values[CG_VALUE_CPU] != CALLGAUGE_UNKNOWN ? CG_VALUE_CPU : CG_VALUE_CALLS;
}

static void add_columns(cg_sheet *sheet)
{
    switch (sheet->rows) {
    case CALLGAUGE_ROWS_ERRORS:
        add(sheet, "errors", CG_CELL_COUNT, CG_VALUE_ERRORS, 0);
        add(sheet, "calls", CG_CELL_COUNT, CG_VALUE_CALLS, 0);
        add(sheet, "fail %", CG_CELL_FAILED, CG_VALUE_ERRORS, 0);
        add(sheet, "errors/unit", CG_CELL_PER_UNIT, CG_VALUE_ERRORS, 0);
        break;
    case CALLGAUGE_ROWS_FILES: add_of_file(sheet); break;
    case CALLGAUGE_ROWS_PROGRAMS: add_of_program(sheet); break;
    case CALLGAUGE_ROWS_WAITING: add_of_waiting(sheet); break;
    case CALLGAUGE_ROWS_THREADS: add_spent(sheet, false); break;
    case CALLGAUGE_ROWS_TREE: add_of_tree(sheet); break;
    case CALLGAUGE_ROWS_PROCESSES: add_of_process(sheet); break;
    case CALLGAUGE_ROWS_FINDINGS:
    case CALLGAUGE_ROWS_REPORT:
    case CALLGAUGE_ROWS_CALLS:
        add_times(sheet);
        add_counts(sheet);
        add_per_unit(sheet, 0);
        break;
    }
}

void cg_sheet_make(const cg_rows *lines, callgauge_rows rows, cg_sheet *out)
{
    static const struct {
        const char *headings[2];
        bool cuts;
    } texts[] = {
        [CALLGAUGE_ROWS_REPORT] = { { "call", NULL }, false },
        [CALLGAUGE_ROWS_CALLS] = { { "call", NULL }, false },
        [CALLGAUGE_ROWS_PROCESSES] = { { "pid", NULL }, false },
        [CALLGAUGE_ROWS_ERRORS] = { { "call", "error" }, false },
        [CALLGAUGE_ROWS_FILES] = { { "file", NULL }, true },
        [CALLGAUGE_ROWS_PROGRAMS] = { { "program", "started by" }, true },
        [CALLGAUGE_ROWS_WAITING] = { { "waiting", NULL }, true },
        [CALLGAUGE_ROWS_THREADS] = { { "thread", "program" }, true },
        [CALLGAUGE_ROWS_TREE] = { { "process", NULL }, true },
    };
    *out = (cg_sheet){ .lines = lines, .rows = rows, .time = best_time(&lines->sum) };
    out->text_headings[0] = texts[rows].headings[0];
    out->text_headings[1] = texts[rows].headings[1];
    out->cuts = texts[rows].cuts;
    add_columns(out);
}

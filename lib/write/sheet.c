/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the columns of a summary and formats its cells. */
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

static size_t unknown(char *to)
{
    to[0] = '-';
    return 1;
}

static size_t fixed_or_unknown(char *to, int64_t value, int places, int decimals)
{
    return value == CALLGAUGE_UNKNOWN ? unknown(to) : cg_format_fixed(to, value, places, decimals);
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
    case CG_CELL_COUNT: break;
    }
    return fixed_or_unknown(to, value, 0, 0);
}

callgauge_str cg_sheet_text(const cg_sheet *sheet, const cg_line *line, size_t index, char *room)
{
    if (index == 1) {
        const char *none = line == &sheet->lines->sum ? "" : "-";
        return line->error.len > 0 ? line->error : cg_str_z(none);
    }
    if (sheet->rows != CALLGAUGE_ROWS_PROCESSES || line == &sheet->lines->sum) {
        return line->name;
    }
    int64_t pid = line->values[CG_VALUE_PID];
    return cg_str(room, pid == CALLGAUGE_UNKNOWN ? unknown(room) : cg_format_plain(room, pid, 0, 0));
}

static bool says_something(const cg_sheet *sheet, const cg_sheet_column *column, const cg_line *line)
{
    int64_t value = value_of(sheet, column, line);
    return column->cell == CG_CELL_FEW ? value > 0 : value != CALLGAUGE_UNKNOWN;
}

/* Whether any line that is shown, or the sum, has something to say in a column. */
static bool is_used(const cg_sheet *sheet, const cg_sheet_column *column)
{
    if (says_something(sheet, column, &sheet->lines->sum)) {
        return true;
    }
    for (size_t i = 0; i < sheet->lines->shown; i++) {
        if (says_something(sheet, column, &sheet->lines->lines[i])) {
            return true;
        }
    }
    return false;
}

/* The decimals that the finest cell of a column of seconds calls for, unless the sum is so long that they tell nothing. */
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

static void add_times(cg_sheet *sheet)
{
    switch (sheet->time) {
    case CG_VALUE_WALL: add(sheet, "wall %", CG_CELL_SHARE, CG_VALUE_WALL, 0); break;
    case CG_VALUE_CPU: add(sheet, "cpu %", CG_CELL_SHARE, CG_VALUE_CPU, 0); break;
    default: add(sheet, "calls %", CG_CELL_SHARE, CG_VALUE_CALLS, 0); return;
    }
    add(sheet, "wall s", CG_CELL_SECONDS, CG_VALUE_WALL, 0);
    add(sheet, "cpu s", CG_CELL_SECONDS, CG_VALUE_CPU, 0);
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

static cg_value best_time(const cg_line *sum)
{
    if (sum->values[CG_VALUE_WALL] != CALLGAUGE_UNKNOWN) {
        return CG_VALUE_WALL;
    }
    return sum->values[CG_VALUE_CPU] != CALLGAUGE_UNKNOWN ? CG_VALUE_CPU : CG_VALUE_CALLS;
}

void cg_sheet_make(const cg_rows *lines, callgauge_rows rows, cg_sheet *out)
{
    *out = (cg_sheet){ .lines = lines, .rows = rows, .time = best_time(&lines->sum) };
    switch (rows) {
    case CALLGAUGE_ROWS_ERRORS:
        add(out, "errors", CG_CELL_COUNT, CG_VALUE_ERRORS, 0);
        add(out, "calls", CG_CELL_COUNT, CG_VALUE_CALLS, 0);
        add(out, "fail %", CG_CELL_FAILED, CG_VALUE_ERRORS, 0);
        out->text_headings[0] = "call";
        out->text_headings[1] = "error";
        break;
    case CALLGAUGE_ROWS_PROCESSES:
    case CALLGAUGE_ROWS_REPORT:
    case CALLGAUGE_ROWS_CALLS:
        add_times(out);
        add_counts(out);
        out->text_headings[0] = rows == CALLGAUGE_ROWS_PROCESSES ? "pid" : "call";
        break;
    }
}

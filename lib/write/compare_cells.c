/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses columns for rows of a comparison and writes their cells. */
#include "write/compare_cells.h"

#include <string.h>

#include "base/str.h"
#include "base/units.h"

enum { NS_PLACES = 9, US_PLACES = 6, SHOWN_ONLY = 5 }; /* the latter: what is spared of times that are not judged */

static const char ARROW[] = " -> ";

static bool is_time(callgauge_measure measure)
{
    return measure == CALLGAUGE_MEASURE_CPU || measure == CALLGAUGE_MEASURE_WALL || measure == CALLGAUGE_MEASURE_USER ||
           measure == CALLGAUGE_MEASURE_ELAPSED;
}

/* --- cells */

static size_t put(char *to, const char *text)
{
    size_t len = strlen(text);
    memcpy(to, text, len);
    return len;
}

static size_t value_cell(const cg_change_column *column, int64_t value, char *to)
{
    if (value == CALLGAUGE_UNKNOWN) {
        return put(to, "-");
    }
    return is_time(column->measure) ? cg_format_fixed(to, value, NS_PLACES, column->decimals)
                                    : cg_format_fixed(to, value, 0, 0);
}

/* Two decimals, without zeros at their end. */
static size_t per_unit_cell(const cg_change_column *column, double value, char *to)
{
    enum { DECIMALS = 2 };
    static const double MOST = 9e15;
    if (value < 0) {
        return put(to, "-");
    }
    if (is_time(column->measure)) {
        return cg_format_fixed(to, (int64_t)(value < MOST ? value + 0.5 : MOST), NS_PLACES, column->decimals);
    }
    int64_t hundredths = (int64_t)(value * 100 < MOST ? value * 100 + 0.5 : MOST);
    return cg_format_fixed(to, hundredths, DECIMALS, cg_decimals_needed(hundredths, DECIMALS));
}

static size_t side_cell(const cg_change_column *column, const callgauge_side *side, char *to)
{
    return column->cell == CG_CHANGE_PER_UNIT ? per_unit_cell(column, side->per_unit, to)
                                              : value_cell(column, side->value, to);
}

/* Both sides; one number where they read alike, nothing where that is 0 and says nothing. */
static size_t both_cell(const cg_change_column *column, const callgauge_amount *amount, char *to)
{
    char before[CG_NUMBER_ROOM], after[CG_NUMBER_ROOM];
    size_t before_len = side_cell(column, &amount->before, before);
    size_t after_len = side_cell(column, &amount->after, after);
    bool alike = cg_str_eq(cg_str(before, before_len), cg_str(after, after_len));
    if (alike && column->measure != CALLGAUGE_MEASURE_CALLS && amount->before.value == 0) {
        return 0;
    }
    memcpy(to, before, before_len);
    size_t len = before_len;
    if (!alike) {
        len += put(to + len, ARROW);
        memcpy(to + len, after, after_len);
        len += after_len;
    }
    return len;
}

static size_t delta_cell(const cg_change_column *column, const callgauge_amount *amount, char *to)
{
    int64_t delta = cg_amount_is_known(amount) ? cg_amount_delta(amount) : 0;
    if (delta == 0) {
        return 0;
    }
    size_t len = delta > 0 ? put(to, "+") : 0;
    return len + value_cell(column, delta, to + len);
}

static size_t percent_cell(const callgauge_amount *amount, char *to)
{
    static const double MOST = 9e14;
    double percent = 0;
    if (cg_amount_is_known(amount) && amount->before.value == 0) {
        return amount->after.value == 0 ? 0 : put(to, "new");
    }
    if (!cg_amount_percent(amount, &percent) || percent == 0) {
        return 0;
    }
    if (amount->after.value == 0) {
        return put(to, "gone");
    }
    double tenths = percent * 10 > MOST ? MOST : percent * 10;
    size_t len = percent > 0 ? put(to, "+") : 0;
    return len + cg_format_fixed(to + len, (int64_t)(tenths + (tenths < 0 ? -0.5 : 0.5)), 1, 1);
}

size_t cg_change_text(const cg_change_column *column, const callgauge_compare_row *row, char *to)
{
    const callgauge_amount *amount = &row->amounts[column->measure];
    switch (column->cell) {
    case CG_CHANGE_DELTA: return delta_cell(column, amount, to);
    case CG_CHANGE_PERCENT: return percent_cell(amount, to);
    default: return both_cell(column, amount, to);
    }
}

/* --- columns */

static const callgauge_compare_row *row_or_total(const cg_changes *changes, size_t index)
{
    return index < changes->shown ? changes->rows[index] : changes->total;
}

static size_t row_count(const cg_changes *changes)
{
    return changes->shown + (changes->total != NULL);
}

static bool says_something(const cg_change_column *column, const callgauge_amount *amount)
{
    bool counts = column->measure == CALLGAUGE_MEASURE_CALLS || column->measure == CALLGAUGE_MEASURE_ERRORS ||
                  column->measure == CALLGAUGE_MEASURE_STARTS || is_time(column->measure);
    switch (column->cell) {
    case CG_CHANGE_PER_UNIT:
        return cg_amount_is_known(amount) && amount->before.per_unit >= 0 && amount->after.per_unit >= 0 &&
               (amount->before.value != 0 || amount->after.value != 0);
    case CG_CHANGE_BOTH:
        if (counts) {
            return cg_amount_is_known(amount) && (amount->before.value != 0 || amount->after.value != 0);
        }
        return cg_amount_is_known(amount) && cg_amount_delta(amount) != 0;
    default: return cg_amount_is_known(amount) && cg_amount_delta(amount) != 0;
    }
}

/* The decimals that the finer side of an amount calls for. */
static int decimals_of(const callgauge_amount *amount)
{
    const int64_t values[2] = { amount->before.value, amount->after.value };
    int decimals = 0;
    for (size_t k = 0; k < 2; k++) {
        bool is_short = values[k] != CALLGAUGE_UNKNOWN && values[k] < CG_LONG_NS;
        int needed = is_short ? cg_decimals_needed(values[k], NS_PLACES) : 0;
        decimals = needed > decimals ? needed : decimals;
    }
    return cg_seconds_decimals(decimals);
}

void cg_change_column_of(const callgauge_compare_row *row, callgauge_measure measure, cg_change_column *out)
{
    *out = (cg_change_column){ .cell = CG_CHANGE_BOTH, .measure = measure };
    out->decimals = is_time(measure) ? decimals_of(&row->amounts[measure]) : 0;
}

/* All cells of a column have as many decimals as the finest one. */
static int finest(const cg_changes *changes, callgauge_measure measure)
{
    int decimals = 0;
    for (size_t i = 0; is_time(measure) && i < row_count(changes); i++) {
        int needed = decimals_of(&row_or_total(changes, i)->amounts[measure]);
        decimals = needed > decimals ? needed : decimals;
    }
    return decimals;
}

static void add(cg_changes *changes, const char *heading, cg_change_cell cell, callgauge_measure measure,
                unsigned spare)
{
    cg_change_column column = {
        .heading = heading, .cell = cell, .measure = measure, .spare = spare, .width = strlen(heading)
    };
    bool is_used = false;
    column.decimals = finest(changes, measure);
    if (cell == CG_CHANGE_PER_UNIT && is_time(measure) && column.decimals < US_PLACES) {
        column.decimals = US_PLACES; /* a unit takes less than all calls, whose times may be whole milliseconds */
    }
    for (size_t i = 0; i < row_count(changes); i++) {
        char text[CG_CHANGE_ROOM];
        const callgauge_compare_row *row = row_or_total(changes, i);
        size_t width = cg_change_text(&column, row, text);
        column.width = width > column.width ? width : column.width;
        is_used = is_used || says_something(&column, &row->amounts[measure]);
    }
    if (is_used && changes->count < CG_CHANGE_COLUMNS) {
        changes->columns[changes->count++] = column;
    }
}

/* With units the percentage is of a unit, and a change of all would say something else. */
static void add_calls(cg_changes *changes)
{
    size_t units = changes->count;
    add(changes, "calls/unit", CG_CHANGE_PER_UNIT, CALLGAUGE_MEASURE_CALLS, 0);
    bool has_units = changes->count > units;
    add(changes, "calls", CG_CHANGE_BOTH, CALLGAUGE_MEASURE_CALLS, has_units ? 5 : 0);
    if (!has_units) {
        add(changes, "change", CG_CHANGE_DELTA, CALLGAUGE_MEASURE_CALLS, 3);
    }
    add(changes, "%", CG_CHANGE_PERCENT, CALLGAUGE_MEASURE_CALLS, 4);
    add(changes, "errors/unit", CG_CHANGE_PER_UNIT, CALLGAUGE_MEASURE_ERRORS, has_units ? 2 : 0);
    add(changes, "errors", CG_CHANGE_BOTH, CALLGAUGE_MEASURE_ERRORS, has_units ? 6 : 0);
    if (!has_units) {
        add(changes, "change", CG_CHANGE_DELTA, CALLGAUGE_MEASURE_ERRORS, 8);
    }
}

/* Whether a row differs in bytes alone: without their columns it would seem to be there for nothing. */
static bool differs_in_bytes_only(const cg_changes *changes)
{
    for (size_t i = 0; i < changes->shown; i++) {
        const callgauge_compare_row *row = changes->rows[i];
        if (row->verdict == CALLGAUGE_VERDICT_DIFFERENT &&
            cg_amount_delta(&row->amounts[CALLGAUGE_MEASURE_CALLS]) == 0 &&
            cg_amount_delta(&row->amounts[CALLGAUGE_MEASURE_ERRORS]) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether a time of any row was judged; what is only shown gives way to what was. */
static bool is_judged(const cg_changes *changes, callgauge_measure time)
{
    for (size_t i = 0; i < row_count(changes); i++) {
        if (row_or_total(changes, i)->amounts[time].judged) {
            return true;
        }
    }
    return false;
}

/* What a time is called, and how soon its columns are spared. */
typedef struct time_columns {
    callgauge_measure time;
    const char *heading, *per_unit;
    unsigned spare, change, percent;
} time_columns;

/* Whether all reports of both sides are of one number of units, so that totals grow as units do. */
static bool has_one_count(const callgauge_comparison *comparison)
{
    size_t counts[2];
    const callgauge_report *const *sides[] = { callgauge_comparison_before(comparison, &counts[0]),
                                               callgauge_comparison_after(comparison, &counts[1]) };
    for (size_t side = 0; side < 2; side++) {
        for (size_t i = 0; i < counts[side]; i++) {
            if (callgauge_report_unit(sides[side][i])->count != callgauge_report_unit(sides[1][0])->count) {
                return false;
            }
        }
    }
    return true;
}

/* A time of both sides and its change; by the unit, as the percentage is, where the total would say something else. */
static void add_time(cg_changes *changes, const time_columns *of)
{
    size_t before = changes->count;
    if (!has_one_count(changes->comparison)) {
        add(changes, of->per_unit, CG_CHANGE_PER_UNIT, of->time, of->spare);
    }
    if (changes->count == before) {
        add(changes, of->heading, CG_CHANGE_BOTH, of->time, of->spare);
        add(changes, "change", CG_CHANGE_DELTA, of->time, of->change);
    }
    add(changes, "%", CG_CHANGE_PERCENT, of->time, of->percent);
}

static void add_times(cg_changes *changes, unsigned spare)
{
    unsigned of_cpu = is_judged(changes, CALLGAUGE_MEASURE_CPU) ? spare : SHOWN_ONLY;
    unsigned of_wall = is_judged(changes, CALLGAUGE_MEASURE_WALL) ? spare : SHOWN_ONLY;
    add_time(changes, &(time_columns){ CALLGAUGE_MEASURE_CPU, "cpu s", "cpu s/unit", of_cpu, 9, 10 });
    add_time(changes, &(time_columns){ CALLGAUGE_MEASURE_WALL, "wall s", "wall s/unit", of_wall, 11, 12 });
}

static void add_bytes(cg_changes *changes, unsigned spare)
{
    add(changes, "read B", CG_CHANGE_BOTH, CALLGAUGE_MEASURE_BYTES_READ, spare);
    add(changes, "written B", CG_CHANGE_BOTH, CALLGAUGE_MEASURE_BYTES_WRITTEN, spare);
}

static void add_of_file(cg_changes *changes)
{
    add(changes, "calls", CG_CHANGE_BOTH, CALLGAUGE_MEASURE_CALLS, 0);
    add(changes, "change", CG_CHANGE_DELTA, CALLGAUGE_MEASURE_CALLS, 4);
    add(changes, "errors", CG_CHANGE_BOTH, CALLGAUGE_MEASURE_ERRORS, 3);
    add(changes, "opens", CG_CHANGE_BOTH, CALLGAUGE_MEASURE_OPENS, 6);
    add(changes, "failed opens", CG_CHANGE_BOTH, CALLGAUGE_MEASURE_FAILED_OPENS, 1);
    add(changes, "reads", CG_CHANGE_BOTH, CALLGAUGE_MEASURE_READS, 7);
    add(changes, "writes", CG_CHANGE_BOTH, CALLGAUGE_MEASURE_WRITES, 7);
    add_bytes(changes, 2);
    add_times(changes, 5);
}

static void add_of_times(cg_changes *changes)
{
    add_time(changes, &(time_columns){ CALLGAUGE_MEASURE_CPU, "cpu s", "cpu s/unit", 0, 0, 0 });
    add_time(changes, &(time_columns){ CALLGAUGE_MEASURE_WALL, "wall s", "wall s/unit", 0, 0, 0 });
    add(changes, "calls", CG_CHANGE_BOTH, CALLGAUGE_MEASURE_CALLS, 0);
}

void cg_changes_make(const callgauge_comparison *comparison, cg_compare_list list,
                     const callgauge_compare_row *const *rows, size_t shown, bool times_only, cg_changes *out)
{
    *out = (cg_changes){ .comparison = comparison, .list = list, .rows = rows, .shown = shown };
    if (list == CG_COMPARE_CALLS) {
        out->total = callgauge_comparison_totals(comparison);
    }
    if (times_only) {
        add_of_times(out);
    } else if (list == CG_COMPARE_FILES) {
        add_of_file(out);
    } else {
        if (list == CG_COMPARE_PROGRAMS) {
            add(out, "starts", CG_CHANGE_BOTH, CALLGAUGE_MEASURE_STARTS, 0);
            add(out, "change", CG_CHANGE_DELTA, CALLGAUGE_MEASURE_STARTS, 6);
        }
        add_calls(out);
        add_times(out, 1);
        add_bytes(out, differs_in_bytes_only(out) ? SHOWN_ONLY : 9);
    }
}

void cg_changes_spare(cg_changes *changes, unsigned most)
{
    size_t kept = 0;
    for (size_t i = 0; i < changes->count; i++) {
        if (changes->columns[i].spare <= most) {
            changes->columns[kept++] = changes->columns[i];
        }
    }
    changes->count = kept;
}

/* --- names */

static void write_names(const callgauge_str *names, size_t count, void (*write)(cg_out *, callgauge_str), cg_out *out)
{
    for (size_t i = 0; i < count; i++) {
        cg_out_z(out, i > 0 ? ", " : "");
        write(out, names[i]);
    }
    cg_out_z(out, count == 0 ? "none" : "");
}

void cg_change_name(const cg_changes *changes, const callgauge_compare_row *row, void (*write)(cg_out *, callgauge_str),
                    cg_out *out)
{
    write(out, row->name);
    if (changes->list == CG_COMPARE_CALLS && callgauge_comparison_by_class(changes->comparison) &&
        row != changes->total) {
        cg_out_z(out, " (");
        write_names(row->names_before, row->names_before_count, write, out);
        cg_out_z(out, "; ");
        write_names(row->names_after, row->names_after_count, write, out);
        cg_out_char(out, ')');
    }
}

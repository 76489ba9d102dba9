/* SPDX-License-Identifier: Apache-2.0 */
/* A summary as a text table, fitted to the width: where it is too narrow, first the gaps shrink, then the
 * columns that can be spared go. A number is never cut. */
#include "write/escape.h"
#include "write/writers.h"

#include <string.h>

#include "base/str.h"

enum { WIDE_GAP = 2, NARROW_GAP = 1, USUAL_WIDTH = 80, NAME_ROOM = 16 };

static size_t longest_text(const cg_sheet *sheet, size_t index)
{
    size_t longest = strlen(sheet->text_headings[index]);
    for (size_t i = 0; i < sheet->lines->shown; i++) {
        size_t width = cg_escape_width(cg_sheet_text(&sheet->lines->lines[i], index));
        longest = width > longest ? width : longest;
    }
    return longest;
}

static size_t numbers_width(const cg_sheet *sheet, size_t gap)
{
    size_t width = 0;
    for (size_t i = 0; i < sheet->count; i++) {
        width += sheet->columns[i].width + gap;
    }
    return width;
}

/* Takes out the column that is spared first. False: there is none. */
static bool spare_one(cg_sheet *sheet)
{
    size_t at = 0;
    for (size_t i = 1; i < sheet->count; i++) {
        at = sheet->columns[i].spare > sheet->columns[at].spare ? i : at;
    }
    if (sheet->count == 0 || sheet->columns[at].spare == 0) {
        return false;
    }
    sheet->count--;
    memmove(&sheet->columns[at], &sheet->columns[at + 1], (sheet->count - at) * sizeof sheet->columns[0]);
    return true;
}

/* The gap between columns with which the sheet fits, as far as it can. */
static size_t fit(cg_sheet *sheet, size_t width)
{
    size_t names = sheet->text_headings[0] == NULL ? 0 : longest_text(sheet, 0);
    names = names < NAME_ROOM ? names : NAME_ROOM;
    do {
        for (size_t gap = WIDE_GAP; gap >= NARROW_GAP; gap--) {
            if (numbers_width(sheet, gap) + names <= width) {
                return gap;
            }
        }
    } while (spare_one(sheet));
    return NARROW_GAP;
}

void cg_write_styled(const callgauge_write_options *options, const char *style, callgauge_str text, cg_out *out)
{
    if (options->color) {
        cg_out_z(out, "\033[");
        cg_out_z(out, style);
        cg_out_z(out, "m");
    }
    cg_out_str(out, text);
    if (options->color) {
        cg_out_z(out, "\033[0m");
    }
}

static void write_right(const callgauge_write_options *options, callgauge_str text, size_t width, const char *style,
                        cg_out *out)
{
    cg_out_blanks(out, text.len < width ? width - text.len : 0);
    if (style == NULL) {
        cg_out_str(out, text);
    } else {
        cg_write_styled(options, style, text, out);
    }
}

static void write_headings(const cg_sheet *sheet, size_t gap, const callgauge_write_options *options, cg_out *out)
{
    for (size_t i = 0; i < sheet->count; i++) {
        write_right(options, cg_str_z(sheet->columns[i].heading), sheet->columns[i].width, "2", out);
        cg_out_blanks(out, i + 1 < sheet->count || sheet->text_headings[0] != NULL ? gap : 0);
    }
    for (size_t i = 0; i < 2 && sheet->text_headings[i] != NULL; i++) {
        cg_write_styled(options, "2", cg_str_z(sheet->text_headings[i]), out);
        if (i == 0 && sheet->text_headings[1] != NULL) {
            cg_out_blanks(out, longest_text(sheet, 0) + gap - strlen(sheet->text_headings[0]));
        }
    }
    cg_out_char(out, '\n');
}

static void write_line(const cg_sheet *sheet, const cg_line *line, size_t gap, const callgauge_write_options *options,
                       cg_out *out)
{
    for (size_t i = 0; i < sheet->count; i++) {
        const cg_sheet_column *column = &sheet->columns[i];
        char cell[CG_NUMBER_ROOM];
        size_t len = cg_sheet_cell(sheet, column, line, cell);
        bool failed = column->value == CG_VALUE_ERRORS && line->values[CG_VALUE_ERRORS] > 0;
        write_right(options, cg_str(cell, len), column->width, failed ? "31" : NULL, out);
        cg_out_blanks(out, i + 1 < sheet->count || sheet->text_headings[0] != NULL ? gap : 0);
    }
    for (size_t i = 0; i < 2 && sheet->text_headings[i] != NULL; i++) {
        callgauge_str text = cg_sheet_text(line, i);
        cg_escape_show(out, text);
        if (i == 0 && sheet->text_headings[1] != NULL) {
            cg_out_blanks(out, longest_text(sheet, 0) + gap - cg_escape_width(text));
        }
    }
    cg_out_char(out, '\n');
}

static void write_more(const cg_rows *lines, callgauge_rows rows, cg_out *out)
{
    static const char *const nouns[] = { "calls", "calls", "processes", "errors" };
    size_t more = lines->count - lines->shown;
    if (more > 0) {
        char number[CG_NUMBER_ROOM];
        cg_out_z(out, "... and ");
        cg_out_add(out, number, cg_format_count(number, more));
        cg_out_z(out, " more ");
        cg_out_z(out, nouns[rows]);
        cg_out_char(out, '\n');
    }
}

bool cg_write_text_table(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    cg_rows lines;
    if (!cg_rows_make(report, options->rows, options->sort, options->limit, &lines)) {
        return false;
    }
    cg_sheet sheet;
    cg_sheet_make(&lines, options->rows, &sheet);
    size_t gap = fit(&sheet, options->width == 0 ? USUAL_WIDTH : options->width);
    write_headings(&sheet, gap, options, out);
    for (size_t i = 0; i < lines.shown; i++) {
        write_line(&sheet, &lines.lines[i], gap, options, out);
    }
    write_more(&lines, options->rows, out);
    if (options->rows != CALLGAUGE_ROWS_ERRORS) {
        write_line(&sheet, &lines.sum, gap, options, out);
    }
    cg_rows_release(&lines);
    return true;
}

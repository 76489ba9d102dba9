/* SPDX-License-Identifier: Apache-2.0 */
/* A summary as a text table, fitted to the width: where it is too narrow, first the
 * columns that can be spared go, then the gaps shrink. A number is never cut. */
#include "write/escape.h"
#include "write/writers.h"

#include <string.h>

#include "base/str.h"

enum { WIDE_GAP = 2, NARROW_GAP = 1, NAME_ROOM = 16 };

/* How wide text column 0 is. */
static size_t text_width(const cg_sheet *sheet)
{
    size_t widest = strlen(sheet->text_headings[0]);
    for (size_t i = 0; i < sheet->lines->shown; i++) {
        char room[CG_NUMBER_ROOM];
        size_t width = cg_escape_width(cg_sheet_text(sheet, &sheet->lines->lines[i], 0, room));
        widest = width > widest ? width : widest;
    }
    return widest;
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
static size_t fit(cg_sheet *sheet, size_t names, size_t width)
{
    names = names < NAME_ROOM ? names : NAME_ROOM;
    while (numbers_width(sheet, WIDE_GAP) + names > width) {
        if (!spare_one(sheet)) {
            return NARROW_GAP;
        }
    }
    return WIDE_GAP;
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

/* How the lines of a table are laid out. */
typedef struct layout {
    const cg_sheet *sheet;
    const callgauge_write_options *options;
    size_t gap, names; /* names: the width of the first column of text */
} layout;

static void write_headings(const layout *table, cg_out *out)
{
    const cg_sheet *sheet = table->sheet;
    for (size_t i = 0; i < sheet->count; i++) {
        write_right(table->options, cg_str_z(sheet->columns[i].heading), sheet->columns[i].width, "2", out);
        cg_out_blanks(out, table->gap);
    }
    cg_write_styled(table->options, "2", cg_str_z(sheet->text_headings[0]), out);
    if (sheet->text_headings[1] != NULL) {
        cg_out_blanks(out, table->names - strlen(sheet->text_headings[0]) + table->gap);
        cg_write_styled(table->options, "2", cg_str_z(sheet->text_headings[1]), out);
    }
    cg_out_char(out, '\n');
}

static void write_line(const layout *table, const cg_line *line, cg_out *out)
{
    const cg_sheet *sheet = table->sheet;
    char room[CG_NUMBER_ROOM];
    for (size_t i = 0; i < sheet->count; i++) {
        const cg_sheet_column *column = &sheet->columns[i];
        size_t len = cg_sheet_cell(sheet, column, line, room);
        bool failed = column->value == CG_VALUE_ERRORS && line->values[CG_VALUE_ERRORS] > 0;
        write_right(table->options, cg_str(room, len), column->width, failed ? "31" : NULL, out);
        cg_out_blanks(out, table->gap);
    }
    callgauge_str name = cg_sheet_text(sheet, line, 0, room);
    cg_escape_show(out, name);
    callgauge_str error = sheet->text_headings[1] != NULL ? cg_sheet_text(sheet, line, 1, room) : cg_str(NULL, 0);
    if (error.len > 0) {
        cg_out_blanks(out, table->names - cg_escape_width(name) + table->gap);
        cg_escape_show(out, error);
    }
    cg_out_char(out, '\n');
}

static void write_more(const cg_rows *lines, callgauge_rows rows, cg_out *out)
{
    static const char *const nouns[][2] = {
        { "call", "calls" },
        { "call", "calls" },
        { "pid", "pids" },
        { "error", "errors" },
    };
    size_t more = lines->count - lines->shown;
    if (more > 0) {
        char number[CG_NUMBER_ROOM];
        cg_out_z(out, "... and ");
        cg_out_add(out, number, cg_format_count(number, more));
        cg_out_z(out, " more ");
        cg_out_z(out, nouns[rows][more > 1]);
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
    layout table = { .sheet = &sheet, .options = options, .names = text_width(&sheet) };
    table.gap = fit(&sheet, table.names, options->width);
    write_headings(&table, out);
    for (size_t i = 0; i < lines.shown; i++) {
        write_line(&table, &lines.lines[i], out);
    }
    write_more(&lines, options->rows, out);
    write_line(&table, &lines.sum, out);
    cg_rows_release(&lines);
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A summary as a Markdown table: the cells of the text table, none left out for want of room. */
#include "write/escape.h"
#include "write/writers.h"

#include "base/str.h"

static size_t text_columns(const cg_sheet *sheet)
{
    return sheet->text_headings[1] != NULL ? 2 : 1;
}

static void write_headings(const cg_sheet *sheet, cg_out *out)
{
    cg_out_char(out, '|');
    for (size_t i = 0; i < text_columns(sheet); i++) {
        cg_out_char(out, ' ');
        cg_out_z(out, sheet->text_headings[i]);
        cg_out_z(out, " |");
    }
    for (size_t i = 0; i < sheet->count; i++) {
        cg_out_char(out, ' ');
        cg_out_z(out, sheet->columns[i].heading);
        cg_out_z(out, " |");
    }
    cg_out_z(out, "\n|");
    for (size_t i = 0; i < text_columns(sheet); i++) {
        cg_out_z(out, " --- |");
    }
    for (size_t i = 0; i < sheet->count; i++) {
        cg_out_z(out, " ---: |");
    }
    cg_out_char(out, '\n');
}

static void write_line(const cg_sheet *sheet, const cg_line *line, cg_out *out)
{
    cg_out_char(out, '|');
    for (size_t i = 0; i < text_columns(sheet); i++) {
        char room[CG_NUMBER_ROOM];
        cg_out_char(out, ' ');
        cg_escape_markdown(out, cg_sheet_text(sheet, line, i, room));
        cg_escape_markdown(out, i == 0 ? line->note : cg_str(NULL, 0));
        cg_out_z(out, " |");
    }
    for (size_t i = 0; i < sheet->count; i++) {
        char cell[CG_NUMBER_ROOM];
        cg_out_char(out, ' ');
        cg_out_add(out, cell, cg_sheet_cell(sheet, &sheet->columns[i], line, cell));
        cg_out_z(out, " |");
    }
    cg_out_char(out, '\n');
}

bool cg_write_markdown(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    cg_rows lines;
    if (options->rows == CALLGAUGE_ROWS_FINDINGS) {
        return cg_write_markdown_findings(report, options, out);
    }
    if (!cg_rows_make(report, options, &lines)) {
        return false;
    }
    cg_sheet sheet;
    cg_sheet_make(&lines, options->rows, &sheet);
    write_headings(&sheet, out);
    for (size_t i = 0; i < lines.shown; i++) {
        write_line(&sheet, &lines.lines[i], out);
    }
    write_line(&sheet, &lines.sum, out);
    cg_rows_release(&lines);
    return true;
}

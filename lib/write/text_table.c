/* SPDX-License-Identifier: Apache-2.0 */
/* A table as text, fitted to the width: where it is too narrow, first the columns that can be spared go, then the
 * gaps shrink, then paths are cut in their middle. A number is never cut, nor is the name of a socket: one that is too
 * wide has a line of its own. */
#include "write/escape.h"
#include "write/writers.h"

#include <string.h>

#include "base/str.h"

enum {
    WIDE_GAP = 2,
    NARROW_GAP = 1,
    NAME_ROOM = 16,
    PATH_ROOM = 28,
    LONG_PATH_ROOM = 44,
    NOTE_ROOM = 34,
    LEAST_ROOM = 12
};

/* How wide a text of a line is, its note included. */
static size_t width_of(const cg_sheet *sheet, const cg_line *line, size_t index)
{
    char room[CG_NUMBER_ROOM];
    size_t width = cg_escape_width(cg_sheet_text(sheet, line, index, room));
    return index == 0 ? width + cg_escape_width(line->note) : width;
}

/* How wide a column of text is. */
static size_t text_width(const cg_sheet *sheet, size_t index)
{
    size_t widest = strlen(sheet->text_headings[index]);
    for (size_t i = 0; i < sheet->lines->shown; i++) {
        size_t width = width_of(sheet, &sheet->lines->lines[i], index);
        widest = width > widest ? width : widest;
    }
    if (sheet->cuts && index == 0) {
        size_t total = width_of(sheet, &sheet->lines->sum, 0);
        widest = total > widest ? total : widest;
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

/* Whether a note would become a shorter one in the usual room. */
static bool says_short_note(const cg_sheet *sheet)
{
    for (size_t i = 0; i < sheet->lines->shown; i++) {
        const cg_line *line = &sheet->lines->lines[i];
        if (line->short_note.len > 0 && width_of(sheet, line, 0) <= NOTE_ROOM) {
            return true;
        }
    }
    return false;
}

/* The widest name that must not be cut; 0: there is no room for it even without the columns that can be spared. */
static size_t widest_whole(const cg_sheet *sheet, size_t width_of_all)
{
    size_t widest = 0, numbers = 0;
    for (size_t i = 0; i < sheet->count; i++) {
        numbers += sheet->columns[i].spare == 0 ? sheet->columns[i].width + WIDE_GAP : 0;
    }
    for (size_t i = 0; i < sheet->lines->shown; i++) {
        const cg_line *line = &sheet->lines->lines[i];
        size_t width = line->is_path || line->short_note.len > 0 ? 0 : width_of(sheet, line, 0);
        widest = width > widest ? width : widest;
    }
    return numbers + widest <= width_of_all ? widest : 0;
}

/* How much room the texts should have at least. */
static size_t room_wanted(const cg_sheet *sheet, size_t width_of_all)
{
    size_t first = text_width(sheet, 0), second = 0;
    size_t most = !sheet->cuts ? NAME_ROOM : says_short_note(sheet) ? NOTE_ROOM : PATH_ROOM;
    if (sheet->cuts) {
        size_t whole = widest_whole(sheet, width_of_all);
        most = whole > most ? whole : most;
    }
    if (sheet->rows == CALLGAUGE_ROWS_FILES && sheet->lines->sort != CALLGAUGE_SORT_BYTES) {
        most = LONG_PATH_ROOM; /* few columns say what such a table is asked for */
    }
    if (sheet->cuts && sheet->text_headings[1] != NULL) {
        second = text_width(sheet, 1);
        second = WIDE_GAP + (second < PATH_ROOM ? second : PATH_ROOM);
    }
    return (first < most ? first : most) + second;
}

/* The gap between columns with which the sheet fits, as far as it can. */
static size_t fit(cg_sheet *sheet, size_t width)
{
    size_t texts = room_wanted(sheet, width);
    while (numbers_width(sheet, WIDE_GAP) + texts > width) {
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
    size_t gap;
    size_t texts[2]; /* how wide the columns of text are; of the last one: may be */
} layout;

/* Shares what the numbers leave between the columns of text. */
static void share_room(layout *table, size_t second)
{
    const cg_sheet *sheet = table->sheet;
    size_t numbers = numbers_width(sheet, table->gap), width = table->options->width;
    size_t room = numbers + LEAST_ROOM < width ? width - numbers : LEAST_ROOM;
    if (!sheet->cuts) {
        table->texts[1] = second;
        return;
    }
    if (sheet->text_headings[1] == NULL) {
        table->texts[0] = room;
        return;
    }
    size_t for_second = second < room / 2 ? second : room / 2;
    size_t most = room > for_second + table->gap + LEAST_ROOM ? room - for_second - table->gap : LEAST_ROOM;
    table->texts[0] = table->texts[0] < most ? table->texts[0] : most;
    size_t taken = table->texts[0] + table->gap;
    table->texts[1] = room > taken + LEAST_ROOM ? room - taken : LEAST_ROOM;
}

static void write_headings(const layout *table, cg_out *out)
{
    const cg_sheet *sheet = table->sheet;
    for (size_t i = 0; i < sheet->count; i++) {
        write_right(table->options, cg_str_z(sheet->columns[i].heading), sheet->columns[i].width, "2", out);
        cg_out_blanks(out, table->gap);
    }
    cg_write_styled(table->options, "2", cg_str_z(sheet->text_headings[0]), out);
    if (sheet->text_headings[1] != NULL) {
        cg_out_blanks(out, table->texts[0] - strlen(sheet->text_headings[0]) + table->gap);
        cg_write_styled(table->options, "2", cg_str_z(sheet->text_headings[1]), out);
    }
    cg_out_char(out, '\n');
}

void cg_text_cut(callgauge_str text, size_t width, bool at_end, cg_out *out)
{
    static const char dots[] = "...";
    if (cg_escape_width(text) <= width || width <= strlen(dots)) {
        cg_escape_show(out, text);
        return;
    }
    size_t kept = width - strlen(dots), front = at_end ? kept : kept / 3;
    cg_escape_show(out, cg_str(text.ptr, cg_escape_front(text, front)));
    cg_out_z(out, dots);
    size_t end = cg_escape_end(text, kept - front);
    cg_escape_show(out, cg_str(text.ptr + text.len - end, end));
}

/* What is said behind a name that is `name` wide. */
static callgauge_str note_of(const layout *table, const cg_line *line, size_t name)
{
    bool fits = name + cg_escape_width(line->note) <= table->texts[0];
    return fits || line->short_note.len == 0 ? line->note : line->short_note;
}

/* The name of a line that does not fit and must not be cut: it has a line of its own, at the right. */
static void write_alone(const layout *table, const cg_line *line, cg_out *out)
{
    size_t width = table->options->width, whole = width_of(table->sheet, line, 0);
    cg_out_char(out, '\n');
    cg_out_blanks(out, whole < width ? width - whole : 0);
    cg_text_cut(line->name, width, false, out);
    cg_escape_show(out, line->note);
}

/* The name and its note in the first column of text; gives how wide they are. */
static size_t write_name(const layout *table, const cg_line *line, cg_out *out)
{
    char room[CG_NUMBER_ROOM];
    callgauge_str name = cg_sheet_text(table->sheet, line, 0, room);
    size_t width = cg_escape_width(name), most = table->texts[0];
    callgauge_str note = note_of(table, line, width);
    size_t note_width = cg_escape_width(note);
    if (!table->sheet->cuts || width + note_width <= most) {
        cg_escape_show(out, name);
        cg_escape_show(out, note);
        return width + note_width;
    }
    size_t left = most > note_width + LEAST_ROOM ? most - note_width : LEAST_ROOM;
    cg_text_cut(name, left, table->sheet->rows == CALLGAUGE_ROWS_TREE, out);
    cg_text_cut(note, most > left ? most - left : LEAST_ROOM, true, out);
    return most;
}

/* Whether a name has a line of its own. */
static bool stands_alone(const layout *table, const cg_line *line)
{
    if (!table->sheet->cuts || line->is_path) {
        return false;
    }
    char room[CG_NUMBER_ROOM];
    size_t width = cg_escape_width(cg_sheet_text(table->sheet, line, 0, room));
    return width + cg_escape_width(note_of(table, line, width)) > table->texts[0];
}

static void write_second(const layout *table, const cg_line *line, size_t written, cg_out *out)
{
    char room[CG_NUMBER_ROOM];
    callgauge_str text = cg_sheet_text(table->sheet, line, 1, room);
    if (text.len == 0) {
        return;
    }
    cg_out_blanks(out, (written < table->texts[0] ? table->texts[0] - written : 0) + table->gap);
    cg_text_cut(text, table->sheet->cuts ? table->texts[1] : SIZE_MAX, true, out);
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
        cg_out_blanks(out, i + 1 < sheet->count ? table->gap : 0);
    }
    if (stands_alone(table, line)) {
        write_alone(table, line, out);
    } else {
        cg_out_blanks(out, sheet->count > 0 ? table->gap : 0);
        size_t written = write_name(table, line, out);
        if (sheet->text_headings[1] != NULL) {
            write_second(table, line, written, out);
        }
    }
    cg_out_char(out, '\n');
}

static void write_more(const cg_rows *lines, callgauge_rows rows, cg_out *out)
{
    static const char *const nouns[][2] = {
        { "call", "calls" },   { "call", "calls" },     { "pid", "pids" },
        { "error", "errors" }, { "file", "files" },     { "program", "programs" },
        { "thing", "things" }, { "thread", "threads" }, { "process", "processes" },
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

/* Of what was followed; a table of calls shows its sums even where there are none. */
static const char *nothing_of(callgauge_rows rows)
{
    switch (rows) {
    case CALLGAUGE_ROWS_FILES: return "no file to show\n";
    case CALLGAUGE_ROWS_PROGRAMS: return "no program to show\n";
    case CALLGAUGE_ROWS_TREE: return "no process to show\n";
    default: return NULL;
    }
}

void cg_write_text_rows(const cg_rows *lines, const callgauge_write_options *options, cg_out *out)
{
    const char *nothing = nothing_of(options->rows);
    if (lines->count == 0 && nothing != NULL) {
        cg_out_z(out, nothing);
        return;
    }
    cg_sheet sheet;
    cg_sheet_make(lines, options->rows, &sheet);
    layout table = { .sheet = &sheet, .options = options, .texts = { text_width(&sheet, 0), 0 } };
    table.gap = fit(&sheet, options->width);
    share_room(&table, sheet.text_headings[1] != NULL ? text_width(&sheet, 1) : 0);
    write_headings(&table, out);
    for (size_t i = 0; i < lines->shown; i++) {
        write_line(&table, &lines->lines[i], out);
    }
    write_more(lines, options->rows, out);
    write_line(&table, &lines->sum, out);
}

bool cg_write_text_table(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    cg_rows lines;
    if (!cg_rows_make(report, options, &lines)) {
        return false;
    }
    cg_write_text_rows(&lines, options, out);
    cg_rows_release(&lines);
    return true;
}

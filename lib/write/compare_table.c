/* SPDX-License-Identifier: Apache-2.0 */
/* A table of rows that differ as text, fitted to the width: first the columns that can be spared go, then the gaps
 * shrink, then names are cut. A number is never cut. */
#include "write/compare_text.h"

#include <string.h>

#include "base/str.h"
#include "write/escape.h"
#include "write/kept.h"
#include "write/text.h"
#include "write/writers.h"

enum { WIDE_GAP = 2, NARROW_GAP = 1, NAME_ROOM = 16, PATH_ROOM = 28, LEAST_ROOM = 12 };

static bool is_of_paths(const cg_changes *changes)
{
    return changes->list == CG_COMPARE_FILES || changes->list == CG_COMPARE_PROGRAMS;
}

/* What a row is called, kept in `room`. */
static callgauge_str name_of(const cg_changes *changes, const callgauge_compare_row *row, cg_kept *room)
{
    cg_kept_begin(room);
    cg_change_name(changes, row, cg_out_str, &room->out);
    return cg_kept_end(room);
}

static size_t widest_name(const cg_changes *changes)
{
    size_t widest = strlen("total");
    for (size_t i = 0; i < changes->shown; i++) {
        cg_kept room;
        size_t width = cg_escape_width(name_of(changes, changes->rows[i], &room));
        widest = width > widest ? width : widest;
    }
    return widest;
}

static size_t numbers_width(const cg_changes *changes, size_t gap)
{
    size_t width = 0;
    for (size_t i = 0; i < changes->count; i++) {
        width += changes->columns[i].width + gap;
    }
    return width;
}

/* Takes out the column that is spared first. False: there is none. */
static bool spare_one(cg_changes *changes)
{
    size_t at = 0;
    for (size_t i = 1; i < changes->count; i++) {
        at = changes->columns[i].spare > changes->columns[at].spare ? i : at;
    }
    if (changes->count == 0 || changes->columns[at].spare == 0) {
        return false;
    }
    changes->count--;
    memmove(&changes->columns[at], &changes->columns[at + 1], (changes->count - at) * sizeof changes->columns[0]);
    return true;
}

/* The gap between columns with which the table fits, as far as it can. */
static size_t fit(cg_changes *changes, size_t width)
{
    size_t most = is_of_paths(changes) ? PATH_ROOM : NAME_ROOM, names = widest_name(changes);
    names = names < most ? names : most;
    while (numbers_width(changes, WIDE_GAP) + names > width) {
        if (!spare_one(changes)) {
            return NARROW_GAP;
        }
    }
    return WIDE_GAP;
}

static void write_headings(const cg_changes *changes, size_t gap, const callgauge_write_options *options, cg_out *out)
{
    for (size_t i = 0; i < changes->count; i++) {
        const cg_change_column *column = &changes->columns[i];
        callgauge_str heading = cg_str_z(column->heading);
        cg_out_blanks(out, column->width - heading.len);
        cg_write_styled(options, "2", heading, out);
        cg_out_blanks(out, gap);
    }
    cg_write_styled(options, "2", cg_str_z(cg_compare_noun(changes->list, 1)), out);
    cg_out_char(out, '\n');
}

const char *cg_verdict_style(callgauge_verdict verdict)
{
    static const char *const styles[] = { "2", "32", "33", "31" };
    return styles[verdict];
}

static void write_row(const cg_changes *changes, const callgauge_compare_row *row, size_t gap,
                      const callgauge_write_options *options, cg_out *out)
{
    size_t used = numbers_width(changes, gap);
    for (size_t i = 0; i < changes->count; i++) {
        char cell[CG_CHANGE_ROOM];
        size_t len = cg_change_text(&changes->columns[i], row, cell);
        cg_out_blanks(out, changes->columns[i].width - len);
        cg_out_add(out, cell, len);
        cg_out_blanks(out, gap);
    }
    cg_kept room;
    callgauge_str name = row == changes->total ? cg_str_z("total") : name_of(changes, row, &room);
    bool styled = options->color && row->verdict != CALLGAUGE_VERDICT_SAME && row != changes->total;
    cg_out_z(out, styled ? "\033[" : "");
    cg_out_z(out, styled ? cg_verdict_style(row->verdict) : "");
    cg_out_z(out, styled ? "m" : "");
    cg_text_cut(name, options->width > used + LEAST_ROOM ? options->width - used : LEAST_ROOM, !is_of_paths(changes),
                out);
    cg_out_z(out, styled ? "\033[0m" : "");
    cg_out_char(out, '\n');
}

void cg_text_changes(cg_changes *changes, size_t more, const callgauge_write_options *options, cg_out *out)
{
    size_t gap = fit(changes, options->width);
    write_headings(changes, gap, options, out);
    for (size_t i = 0; i < changes->shown; i++) {
        write_row(changes, changes->rows[i], gap, options, out);
    }
    if (more > 0) {
        cg_out_z(out, "... and ");
        cg_text_count(more, "more ", "more ", out);
        cg_out_z(out, cg_compare_noun(changes->list, more));
        cg_out_char(out, '\n');
    }
    if (changes->total != NULL) {
        write_row(changes, changes->total, gap, options, out);
    }
}

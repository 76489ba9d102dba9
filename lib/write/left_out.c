/* SPDX-License-Identifier: Apache-2.0 */
/* Groups what a comparison left out; and writes it for people. */
#include "write/left_out.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "write/compare_text.h"
#include "write/escape.h"
#include "write/text.h"

/* The order of sides is that of the comparison: before, after, both. */
static int side_rank(callgauge_str side)
{
    return cg_str_is(side, "before") ? 0 : cg_str_is(side, "after") ? 1 : 2;
}

static int by_reason(const void *a, const void *b)
{
    const callgauge_left_out_row *x = *(const callgauge_left_out_row *const *)a,
                                 *y = *(const callgauge_left_out_row *const *)b;
    int order = side_rank(x->side) - side_rank(y->side);
    order = order != 0 ? order : cg_str_cmp(x->why, y->why);
    return order != 0 ? order : cg_str_cmp(x->what, y->what);
}

bool cg_left_out_make(const callgauge_comparison *comparison, cg_left_out *out)
{
    out->count = callgauge_comparison_left_out_count(comparison);
    out->rows = cg_mem_zeroed(out->count + 1, sizeof *out->rows);
    if (out->rows == NULL) {
        return false;
    }
    for (size_t i = 0; i < out->count; i++) {
        out->rows[i] = callgauge_comparison_left_out(comparison, i);
    }
    if (out->count > 1) {
        qsort(out->rows, out->count, sizeof *out->rows, by_reason);
    }
    return true;
}

void cg_left_out_release(cg_left_out *left_out)
{
    cg_mem_free(left_out->rows);
}

size_t cg_left_out_alike(const cg_left_out *left_out, size_t first)
{
    const callgauge_left_out_row *row = left_out->rows[first];
    size_t count = 1;
    while (first + count < left_out->count && cg_str_eq(left_out->rows[first + count]->side, row->side) &&
           cg_str_eq(left_out->rows[first + count]->why, row->why)) {
        count++;
    }
    return count;
}

/* --- for people */

/* "close, fcntl64, ioctl", broken between words. */
static void write_things(const callgauge_left_out_row *const *rows, size_t count,
                         const callgauge_write_options *options, cg_out *out)
{
    enum { INDENT = 4 };
    size_t shown = options->limit == 0 || count < options->limit ? count : options->limit, column = INDENT;
    cg_out_blanks(out, INDENT);
    for (size_t i = 0; i < shown; i++) {
        size_t width = cg_escape_width(rows[i]->what) + (i + 1 < shown);
        if (i > 0 && column + 1 + width > options->width) {
            cg_out_char(out, '\n');
            cg_out_blanks(out, INDENT);
            column = INDENT;
        } else if (i > 0) {
            cg_out_char(out, ' ');
            column++;
        }
        cg_escape_show(out, rows[i]->what);
        cg_out_z(out, i + 1 < shown ? "," : "");
        column += width;
    }
    if (shown < count) {
        cg_out_z(out, " and ");
        cg_text_count(count - shown, "more", "more", out);
    }
    cg_out_char(out, '\n');
}

bool cg_text_left_out(const callgauge_comparison *comparison, const callgauge_write_options *options, cg_out *out)
{
    cg_left_out left_out;
    if (!cg_left_out_make(comparison, &left_out)) {
        return false;
    }
    if (left_out.count > 0) {
        cg_text_title("not compared", options, out);
    }
    for (size_t i = 0, alike; i < left_out.count; i += alike) {
        const callgauge_left_out_row *row = left_out.rows[i];
        alike = cg_left_out_alike(&left_out, i);
        cg_out_z(out, "  ");
        cg_escape_show(out, row->side);
        cg_out_z(out, ": ");
        cg_text_prose(row->why, 2 + cg_escape_width(row->side) + 2, 4, options->width, out);
        cg_out_char(out, '\n');
        write_things(&left_out.rows[i], alike, options, out);
    }
    cg_left_out_release(&left_out);
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Long texts over several lines, broken at blanks. Widths are those of what cg_escape_show() writes.
 * Invariant: no line is wider than asked for, nor ends in blanks. */
#include "write/text.h"

#include "base/str.h"
#include "write/escape.h"
#include "write/writers.h"

static bool is_gap(char c)
{
    return cg_is_blank(c) || c == '\n';
}

static size_t skip_gap(callgauge_str text, size_t at)
{
    while (at < text.len && is_gap(text.ptr[at])) {
        at++;
    }
    return at;
}

void cg_text_prose(callgauge_str text, size_t column, size_t indent, size_t width, cg_out *out)
{
    bool is_first = true;
    for (size_t at = skip_gap(text, 0); at < text.len;) {
        size_t end = at;
        while (end < text.len && !is_gap(text.ptr[end])) {
            end++;
        }
        callgauge_str word = cg_str(text.ptr + at, end - at);
        size_t wide = cg_escape_width(word);
        if (!is_first && column + 1 + wide > width) {
            cg_out_char(out, '\n');
            cg_out_blanks(out, indent);
            column = indent;
        } else if (!is_first) {
            cg_out_char(out, ' ');
            column++;
        }
        is_first = false;
        cg_escape_show(out, word);
        column += wide;
        at = skip_gap(text, end);
    }
}

/* How many bytes of a text make a line: up to the last blank that lets it fit, or as much as fits. */
static size_t line_of(callgauge_str text, size_t width)
{
    size_t most = cg_escape_front(text, width), end = most;
    while (end > 0 && !(end < text.len && is_gap(text.ptr[end]))) {
        end--;
    }
    while (end > 0 && is_gap(text.ptr[end - 1])) {
        end--;
    }
    return end > 0 ? end : most;
}

void cg_text_lines(callgauge_str text, const cg_text_room *room, cg_out *out)
{
    text = cg_str_trim(text);
    size_t column = room->column;
    for (size_t line = 1;; line++) {
        size_t left = room->width > column ? room->width - column : 1;
        if (line == room->lines || cg_escape_width(text) <= left) {
            cg_text_cut(text, left, room->at_end, out);
            break;
        }
        size_t end = line_of(text, left);
        cg_escape_show(out, cg_str(text.ptr, end > 0 ? end : 1));
        end = skip_gap(text, end > 0 ? end : 1);
        text = cg_str(text.ptr + end, text.len - end);
        if (text.len == 0) {
            break;
        }
        cg_out_char(out, '\n');
        column = room->indent;
        cg_out_blanks(out, column);
    }
}

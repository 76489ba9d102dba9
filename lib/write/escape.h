/* SPDX-License-Identifier: Apache-2.0 */
/* Captured text is hostile: what each form of output makes of it. All take bytes of any kind. */
#ifndef CG_WRITE_ESCAPE_H
#define CG_WRITE_ESCAPE_H

#include "write/out.h"

/* For terminals and tables: bytes that are no UTF-8, control characters and those that turn the direction
 * of writing become \ooo; a backslash stays, since what tracers print has its own. */
void cg_escape_show(cg_out *out, callgauge_str text);

/* How many characters cg_escape_show() writes. */
size_t cg_escape_width(callgauge_str text);

/* How many bytes at the front, and at the end, of a text take at most `width` characters of cg_escape_show(). */
size_t cg_escape_front(callgauge_str text, size_t width);
size_t cg_escape_end(callgauge_str text, size_t width);

/* A JSON string, quotes included. Its value is the text as it is, but bytes that are no UTF-8 and NUL are
 * \ooo and a backslash is doubled: cg_unescape() gives back every byte. */
void cg_escape_json(cg_out *out, callgauge_str text);
/* The same without the quotes, as a part of a string. */
void cg_escape_json_part(cg_out *out, callgauge_str text);

/* A part of a string for readers that know nothing of C escapes: what cg_escape_show() shows, as JSON. */
void cg_escape_json_shown(cg_out *out, callgauge_str text);

/* Undoes the C escapes of a JSON string's value. `to` has room for `text.len` bytes.
 * False: a backslash that begins no escape. */
bool cg_unescape(callgauge_str text, char *to, size_t *len);

/* A cell of CSV (RFC 4180), and one that no spreadsheet takes for a formula. */
void cg_escape_csv(cg_out *out, callgauge_str text);
/* For a cell of several parts: whether it must be in quotes for a part, and one part in it; whether a spreadsheet would
 * take a cell that begins so for a formula. */
bool cg_escape_csv_quotes(callgauge_str text);
void cg_escape_csv_part(cg_out *out, callgauge_str text);
bool cg_escape_csv_formula(callgauge_str text);

/* A cell of a Markdown table that holds no mark-up. A `_` stays as it is: names are full of them, and inside a word it
 * marks nothing. */
void cg_escape_markdown(cg_out *out, callgauge_str text);

/* For XML 1.0, text and attributes alike: line ends and tabs are character references, what XML knows no form for is
 * \ooo. The second keeps line ends as they are, for text of several lines. */
void cg_escape_xml(cg_out *out, callgauge_str text);
void cg_escape_xml_lines(cg_out *out, callgauge_str text);

/* A message, and the value of a property, of a workflow command of GitHub. */
void cg_escape_command(cg_out *out, callgauge_str text);
void cg_escape_property(cg_out *out, callgauge_str text);

/* A path as a part of a URI: bytes other than letters, digits and a few signs are %XX. */
void cg_escape_uri(cg_out *out, callgauge_str text);

#endif

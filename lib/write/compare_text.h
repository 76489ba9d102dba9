/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a comparison for people. */
#ifndef CG_WRITE_COMPARE_TEXT_H
#define CG_WRITE_COMPARE_TEXT_H

#include "write/compare_cells.h"

/* The SGR style of a verdict, of a severity. */
const char *cg_verdict_style(callgauge_verdict verdict);
const char *cg_severity_style(callgauge_severity severity);

/* A title above a part: a blank line, and dim text. */
void cg_text_title(const char *title, const callgauge_write_options *options, cg_out *out);

/* What was read of the sides, two lines or so. */
void cg_text_sides(const callgauge_comparison *comparison, const callgauge_write_options *options, cg_out *out);
/* The table of rows, of which `more` are not shown. Columns that do not fit are taken out of `changes`. */
void cg_text_changes(cg_changes *changes, size_t more, const callgauge_write_options *options, cg_out *out);
/* Limits of a budget: broken, not judged, kept. */
void cg_text_limits(const callgauge_comparison *comparison, const callgauge_write_options *options, cg_out *out);
/* What was left out, many things of one reason behind each other. False: no memory. */
bool cg_text_left_out(const callgauge_comparison *comparison, const callgauge_write_options *options, cg_out *out);

#endif

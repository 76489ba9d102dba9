/* SPDX-License-Identifier: Apache-2.0 */
/* The forms of output, one function each. They see frozen reports and whole options (never NULL, with a width). */
#ifndef CG_WRITE_WRITERS_H
#define CG_WRITE_WRITERS_H

#include "write/out.h"
#include "write/sheet.h"

/* False: no memory. */
typedef bool cg_writer_fn(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);

bool cg_write_text(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);
bool cg_write_json(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);
bool cg_write_csv(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);
bool cg_write_markdown(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);

/* A summary as a text table: headings, lines, how many more there are, the total. */
bool cg_write_text_table(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);

/* Text in an SGR style ("2", "31"), if the options allow colours. */
void cg_write_styled(const callgauge_write_options *options, const char *style, callgauge_str text, cg_out *out);

#endif

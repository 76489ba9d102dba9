/* SPDX-License-Identifier: Apache-2.0 */
/* The forms of output, one function each. They see frozen reports and whole options (never NULL, with a width). */
#ifndef CG_WRITE_WRITERS_H
#define CG_WRITE_WRITERS_H

#include "write/out.h"
#include "write/sheet.h"

/* The caller's options (NULL: none) in a struct of this version, with the usual width where none is given. */
callgauge_status cg_write_options_settle(const callgauge_write_options *given, callgauge_write_options *out,
                                         callgauge_error *err);

/* False: no memory. */
typedef bool cg_writer_fn(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);

bool cg_write_text(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);
bool cg_write_json(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);
bool cg_write_csv(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);
bool cg_write_markdown(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);

/* The forms of a comparison. */
typedef bool cg_comparison_writer_fn(const callgauge_comparison *comparison, const callgauge_write_options *options,
                                     cg_out *out);
bool cg_write_comparison_text(const callgauge_comparison *comparison, const callgauge_write_options *options,
                              cg_out *out);
bool cg_write_comparison_json(const callgauge_comparison *comparison, const callgauge_write_options *options,
                              cg_out *out);
bool cg_write_comparison_csv(const callgauge_comparison *comparison, const callgauge_write_options *options,
                             cg_out *out);
bool cg_write_comparison_markdown(const callgauge_comparison *comparison, const callgauge_write_options *options,
                                  cg_out *out);
bool cg_write_junit(const callgauge_comparison *comparison, const callgauge_write_options *options, cg_out *out);
bool cg_write_sarif(const callgauge_comparison *comparison, const callgauge_write_options *options, cg_out *out);
bool cg_write_github(const callgauge_comparison *comparison, const callgauge_write_options *options, cg_out *out);

/* The findings of a report, and the rules that were not judged: in full; as a section of a report. */
bool cg_write_text_findings(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);
void cg_text_findings(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);
bool cg_write_csv_findings(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);
bool cg_write_markdown_findings(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);

/* A table as text: headings, lines, how many more there are, the total. */
bool cg_write_text_table(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);
/* The same of lines that are made already. */
void cg_write_text_rows(const cg_rows *lines, const callgauge_write_options *options, cg_out *out);

/* Captured text in at most `width` columns: cut at its end, or in its middle, where the end says more than the
 * front. */
void cg_text_cut(callgauge_str text, size_t width, bool at_end, cg_out *out);
/* The rows of files, programs, waiting, threads as CSV: all that is known of each. False: no memory. */
bool cg_write_csv_rows(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);
/* What the lines of processes say more than other lines: the headings, with a comma before each; the cells of a row,
 * of which there may be none. */
void cg_csv_process_headings(cg_out *out);
void cg_csv_process_cells(const callgauge_process_row *row, cg_out *out);

/* Text in an SGR style ("2", "31"), if the options allow colours. */
void cg_write_styled(const callgauge_write_options *options, const char *style, callgauge_str text, cg_out *out);

#endif

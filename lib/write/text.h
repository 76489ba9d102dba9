/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of a report for people share: numbers with their nouns, and what is said of captures. */
#ifndef CG_WRITE_TEXT_H
#define CG_WRITE_TEXT_H

#include "write/out.h"

/* "1,234 calls" */
void cg_text_count(uint64_t count, const char *one, const char *many, cg_out *out);
/* "0.553 s cpu" */
void cg_text_seconds(int64_t ns, const char *what, cg_out *out);
/* The same as items of a list, with a comma before each but the first; nothing for what is not known. */
void cg_text_known_count(int64_t count, const char *one, const char *many, bool *more, cg_out *out);
void cg_text_known_seconds(int64_t ns, const char *what, bool *more, cg_out *out);

/* Units of work, if there are any. */
void cg_text_unit(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);
/* Files, programs, processes, where the time went. False: no memory. */
bool cg_text_followed(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);
/* One line on how the lives of all threads were spent. False: no thread tells, and nothing is written. */
bool cg_text_spent(const callgauge_report *report, cg_out *out);
/* Which capture would show waiting, where one cannot. */
void cg_text_unseen_waiting(const callgauge_report *report, cg_out *out);

/* The head of a report: what was read, what was assumed and repaired, what tables say of themselves. */
void cg_text_captures(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);
/* What a reader of a summary alone must know: contradictions, assumptions, how many captures are summed. */
void cg_text_notes(const callgauge_report *report, cg_out *out);

#endif

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

/* Words behind each other, from `column` on, further lines from `indent` on. Without a line end. */
void cg_text_prose(callgauge_str text, size_t column, size_t indent, size_t width, cg_out *out);
/* Where a text may go: from `column` on, further lines from `indent` on, at most `lines` of them. */
typedef struct cg_text_room {
    size_t column, indent, width, lines;
    bool at_end; /* what is too long is cut at its end, else in its middle */
} cg_text_room;
/* A line of a capture, broken at blanks where it can be. Without a line end. */
void cg_text_lines(callgauge_str text, const cg_text_room *room, cg_out *out);

/* The rules that could not be judged. False: no memory. */
bool cg_text_not_judged(const callgauge_report *report, size_t width, cg_out *out);

/* Units of work, if there are any. */
void cg_text_unit(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);
/* Files, programs, processes, where the time went. False: no memory. */
bool cg_text_followed(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);
/* One line on how the lives of all threads were spent. False: no thread tells, and nothing is written. */
bool cg_text_spent(const callgauge_report *report, cg_out *out);
/* Which capture would show waiting, where one cannot; `above` stands above it. */
void cg_text_unseen_waiting(const callgauge_report *report, const char *above, cg_out *out);

/* As much of the end of a path as fits `width` columns behind "...", which it needs where it is shorter than `name`.
 * False: not even its last part does. */
bool cg_text_shorten(callgauge_str name, size_t width, callgauge_str *out);

/* The head of a report: what was read, what was assumed and repaired, what tables say of themselves. */
void cg_text_captures(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);
/* The headline of the first capture alone. */
void cg_text_capture(const callgauge_report *report, const callgauge_write_options *options, cg_out *out);
/* What a reader of a summary alone must know: contradictions, assumptions, how many captures are summed. */
void cg_text_notes(const callgauge_report *report, cg_out *out);

#endif

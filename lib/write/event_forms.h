/* SPDX-License-Identifier: Apache-2.0 */
/* The forms of events, a function each, and what they share. */
#ifndef CG_WRITE_EVENT_FORMS_H
#define CG_WRITE_EVENT_FORMS_H

#include "write/out.h"

enum { CG_EVENT_FLAGS = 10 };

/* Names of CALLGAUGE_CALL_... by the position of their bit, and of callgauge_row_of by its value. */
extern const char *const cg_event_flag_names[CG_EVENT_FLAGS];
extern const char *const cg_row_of_names[CALLGAUGE_ROW_OF_FUNCTION + 1];

/* What an event is called apart from calls: the signal, fault, function; the row of a table. Empty: nothing. */
callgauge_str cg_event_name(const callgauge_event *event);
/* Whether the line as it is says more than the fields: details, foreign and unread lines. */
bool cg_event_is_plain_text(const callgauge_event *event);

void cg_write_event_text(const callgauge_event *event, cg_out *out);
void cg_write_event_text_heading(cg_out *out);
void cg_write_event_ndjson(const callgauge_event *event, cg_out *out);
void cg_write_event_csv(const callgauge_event *event, cg_out *out);
void cg_write_event_csv_heading(cg_out *out);

#endif

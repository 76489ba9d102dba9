/* SPDX-License-Identifier: Apache-2.0 */
/* What the command says on standard error, one line at a time. Text of files is escaped: no control character
 * and none that turns the direction of writing reaches a terminal. */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include <callgauge/callgauge.h>

/* How many of `left` bytes from `at` on make one character that does nothing but show on a terminal; 0: none. */
size_t shown_bytes(const unsigned char *at, size_t left);

/* "callgauge: FILE:LINE: reason" */
void say_error(const callgauge_error *error);
/* The same with the column, and with lines below the reason that show the place. */
void say_fault(const callgauge_error *fault);
/* "callgauge: text" */
void say(const char *text);
/* "callgauge: path: text" */
void say_about(const char *path, const char *text);

/* Says what of each capture could not be read, if anything, and shows the first such line, in which the report has no
 * contents of buffers. Gives whether all could. */
bool say_unread(const callgauge_report *report);
/* The same of a capture that no report is made of; its lines are shown by --details only. */
/* How many events may or may not have met the condition; 0: nothing. */
void say_undecided(uint64_t count);

bool say_unread_of_events(const callgauge_capture *capture);
/* Says which limits a report passed, if any. */
void say_limits(const callgauge_report *report);

#endif

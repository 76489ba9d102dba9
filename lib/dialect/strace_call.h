/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of a strace line, as the strict form reads them. */
#ifndef CG_DIALECT_STRACE_CALL_H
#define CG_DIALECT_STRACE_CALL_H

#include "dialect/strace.h"

/* Whether a name and its '(' stand at `at`. */
bool cg_strace_is_call_start(const char *at, const char *end, callgauge_str *name);

/* Whether a name is in the class table, or one that strace gives to numbers it does not know. */
bool cg_strace_is_known(callgauge_str name);

/* The thread of an event, as open calls are keyed. */
uint64_t cg_strace_key(const callgauge_event *event);

/* Whether `text` begins an event of strace: a leader (or none) and what can follow it. */
bool cg_strace_starts(cg_parse *parse, callgauge_str text);

/* Reads the call `name` of a line; `event` has the leader already. */
cg_verdict cg_strace_call_read(cg_parse *parse, callgauge_str text, callgauge_str name, const cg_line *line,
                               callgauge_event *event);

/* Reads "<... name resumed>", which begins at `at`. */
cg_verdict cg_strace_resumed_read(cg_parse *parse, callgauge_str text, const char *at, const cg_line *line,
                                  callgauge_event *event);

#endif

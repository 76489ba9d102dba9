/* SPDX-License-Identifier: Apache-2.0 */
/* The event from inside: what can be wanted of it, the names it points at, and the lexer that a
 * dialect sets so that anybody can read any dialect's arguments without including it. */
#ifndef CG_EVENT_EVENT_H
#define CG_EVENT_EVENT_H

#include <callgauge/event.h>

#include "base/intern.h"

/* What may be wanted. COUNTS is what every histogram needs and is always filled: kind, flags, call,
 * error, value of calls that move bytes, duration, and all of rows and rare events. */
enum {
    CG_WANT_COUNTS = 0,
    CG_WANT_THREAD = 1 << 0,  /* pid, tid */
    CG_WANT_SCALARS = 1 << 1, /* everything of callgauge_event */
    CG_WANT_DETAIL = 1 << 2   /* DETAIL and FOREIGN events too */
};

/* How a dialect's arguments are read. Every function gets the text between the call's parentheses. */
typedef struct cg_lexer {
    /* Moves `*at` behind the next argument and gives it, trimmed; false at the end. */
    bool (*next)(const char **at, const char *end, callgauge_str *arg);
    /* Decodes a string argument; see callgauge_event_arg_string(). */
    bool (*string)(callgauge_str arg, char *to, size_t room, size_t *length, bool *cut);
    /* A descriptor and its decoration. */
    bool (*fd)(callgauge_str arg, int64_t *fd, callgauge_str *target);
} cg_lexer;

/* What the class table (classes.tsv, compiled in) knows of a name. */
typedef struct cg_class_entry {
    const char *name;
    callgauge_class call_class;
    callgauge_moves moves;
    int8_t fd_arg, path_arg, size_arg;
} cg_class_entry;

/* NULL: not in the table. */
const cg_class_entry *cg_class_lookup(callgauge_str name);

/* The names of one capture. */
typedef struct cg_names {
    cg_intern index;
    callgauge_call_name **calls; /* by id; only in a table of calls */
    callgauge_name **plain;      /* by id; only in a table of plain names */
    size_t room;
    bool of_calls;
    cg_arena arena;
} cg_names;

void cg_names_init(cg_names *names, bool of_calls, size_t limit);
void cg_names_release(cg_names *names);
/* New or old. On failure NULL and *why: CG_INTERN_NOMEM or CG_INTERN_FULL. */
const callgauge_call_name *cg_names_call(cg_names *names, callgauge_str text, int64_t *why);
const callgauge_name *cg_names_plain(cg_names *names, callgauge_str text, int64_t *why);

#endif

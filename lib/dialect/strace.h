/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the strace dialect, from strict readers of leaders, arguments and results to tables.
 * Grammar: docs/dialects/strace.md, found in the sources of strace 4.5 to 7.2. */
#ifndef CG_DIALECT_STRACE_H
#define CG_DIALECT_STRACE_H

#include "dialect/dialect.h"

/* What stands before the event. */
typedef struct cg_strace_leader {
    int64_t pid; /* 0: none */
    callgauge_str comm;
    int64_t abs_ns;        /* INT64_MIN: none */
    callgauge_clock clock; /* of abs_ns */
    int64_t rel_ns;        /* -r; INT64_MIN: none */
    bool any;              /* there is a leader at all */
    const char *rest;      /* behind it */
} cg_strace_leader;

/* What stands behind `= `. */
typedef struct cg_strace_result {
    uint32_t has;   /* CALLGAUGE_HAS_VALUE */
    uint32_t flags; /* CALLGAUGE_CALL_... */
    int64_t value;
    callgauge_str text;  /* the value with its decoration */
    callgauge_str error; /* len 0: none */
    callgauge_str note;
    int64_t duration_ns; /* INT64_MIN: none */
    const char *end;     /* behind all of it */
} cg_strace_result;

typedef struct cg_strace_column {
    uint8_t what; /* enum in strace_table.c */
    uint32_t from, to;
} cg_strace_column;

enum { CG_STRACE_COLUMNS = 16 };

typedef struct cg_strace_table {
    cg_strace_column columns[CG_STRACE_COLUMNS];
    size_t count;
    enum { CG_TABLE_NONE, CG_TABLE_HEADED, CG_TABLE_ROWS, CG_TABLE_TOTAL } stage;
} cg_strace_table;

/* The shape of a leader: the bounds of each of its bytes, '0' to '9' for a digit, twice the same for any other. Bytes
 * behind `len` are free. One that has not been met fits no line. */
enum { CG_STRACE_SHAPE = 32 };
typedef struct cg_strace_shape {
    unsigned char low[CG_STRACE_SHAPE], high[CG_STRACE_SHAPE];
    unsigned len;
    unsigned pid_digits; /* 0: it has no pid */
    unsigned pid_shift;  /* what brings the last digit of a pid to the top of a word */
    unsigned stamp1;     /* where its stamp begins, and 1; 0: it has none */
} cg_strace_shape;

/* An error and its text, "ENOENT (No such file or directory)", that have been read before. */
typedef struct cg_strace_error {
    char text[64];
    size_t len; /* 0: none */
    const callgauge_name *name;
} cg_strace_error;

enum { CG_STRACE_ERRORS = 16 };

/* The dialect's own state. */
typedef struct cg_strace {
    cg_strace_shape shapes[17]; /* by how many digits a line begins with */
    unsigned last_shape;        /* of them: of the line read last by the lean form */
    uint64_t pid_word;          /* the pid that the lean form read last, as text, and as a number */
    int64_t pid;
    cg_strace_error errors[CG_STRACE_ERRORS];
    cg_strace_table table;
    int64_t last_of_day, day_ns; /* -t: the stamp before, and midnights passed */
    uint64_t no_event_line; /* the last line that was no event's: what looks like a detail right behind it is none */
    bool has_leaders;       /* events have: a line that has none is not quite the tracer's */
    bool had_leader;        /* the line read last has one */
    uint64_t seconds_word;  /* the ten digits of the last -ttt stamp, and what they are in ns */
    uint16_t seconds_tail;
    int64_t seconds_ns;
} cg_strace;

/* Reads the leader; never fails: without one `rest` is the text. */
void cg_strace_leader_read(callgauge_str text, cg_strace_leader *leader);

/* Reads a result from behind `= `; false: it is none. Trailing text is not looked at: see `end`. */
bool cg_strace_result_read(const char *at, const char *end, cg_strace_result *result);

/* Moves `*at` over one argument's text: stops at a ',' or closing bracket of depth 0, or at `end`.
 * False: a string, bracket or comment does not end. */
bool cg_strace_skip_argument(const char **at, const char *end);

/* A time of day as time since the first midnight: a step back of more than half a day is another one. */
int64_t cg_strace_since_midnight(cg_strace *state, int64_t of_day);

/* Makes `event`, the second half of `open`, the whole call: its place, start and arguments in front.
 * Forgets `open`. False: no memory. */
bool cg_strace_join(cg_parse *parse, cg_open_call *open, callgauge_str rest, callgauge_event *event);

extern const cg_lexer cg_strace_lexer;

/* Reads a line as part of a table, or says CG_LINE_HARD: it is none. */
cg_verdict cg_strace_table_read(cg_parse *parse, callgauge_str text, const cg_line *line, callgauge_event *event);
/* Whether the line can only be the heading of a strace table. */
bool cg_strace_is_heading(callgauge_str text);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What a dialect is: one const table of functions that turn lines into events, and the state of a
 * parse that all dialects share. A dialect knows lines and events; it knows no stage, no report, no
 * other dialect. Damage to the text (CR, NUL, prefixes, entities) has been undone before `strict` sees
 * a line; joining lines that belong together is the reader's work. */
#ifndef CG_DIALECT_DIALECT_H
#define CG_DIALECT_DIALECT_H

#include <callgauge/reader.h>

#include "base/buf.h"
#include "event/event.h"
#include "event/open_calls.h"
#include "event/run.h"
#include "input/lines.h"

/* What became of a line. */
typedef enum cg_verdict {
    CG_LINE_EVENT,   /* a whole event: deliver it. An event line */
    CG_LINE_FIRST,   /* the first half of a call, or it sleeps: nothing to deliver. An event line */
    CG_LINE_REST,    /* the rest of a call that was open: deliver it. A continuation line */
    CG_LINE_DETAIL,  /* belongs to the event before: deliver a DETAIL to who wants it. A continuation line */
    CG_LINE_ROW,     /* a table's row or totals: deliver it. A table line */
    CG_LINE_TABLE,   /* another line of a table */
    CG_LINE_NOTICE,  /* the tracer speaks: deliver a NOTICE. A notice line */
    CG_LINE_FOREIGN, /* not the tracer's */
    CG_LINE_OPEN,    /* begins as a call and does not end: the rest may come on a later line */
    CG_LINE_UNREAD,  /* the tracer's, and unreadable: see cg_parse.reason */
    CG_LINE_HARD,    /* fast paths only: the strict one must decide */
    CG_LINE_NOMEM
} cg_verdict;

/* Damage that was undone; the kinds are written in reports (repair_names in lib/reader/repair.c). */
typedef enum cg_repair {
    CG_REPAIR_CR,            /* cr-lf */
    CG_REPAIR_BOM,           /* byte-order-mark */
    CG_REPAIR_NUL,           /* nul-bytes */
    CG_REPAIR_PREFIX,        /* constant-prefix */
    CG_REPAIR_HTML,          /* html-entities */
    CG_REPAIR_BACKSLASH,     /* yen-backslash */
    CG_REPAIR_QUOTES,        /* curly-quotes */
    CG_REPAIR_BLANKS,        /* no-break-blanks */
    CG_REPAIR_TABS,          /* tabs-expanded */
    CG_REPAIR_JOINED,        /* joined-lines: one line held several */
    CG_REPAIR_WRAPPED,       /* wrapped-lines: a call went over several */
    CG_REPAIR_OUTPUT_IN,     /* output-inside-line */
    CG_REPAIR_OUTPUT_BEFORE, /* output-before-event */
    CG_REPAIR_NOTICE_IN,     /* notice-inside-line */
    CG_REPAIR_PID,           /* missing-pid */
    CG_REPAIR_ECHO,          /* control-echo: ^C in front */
    CG_REPAIR_COUNT
} cg_repair;

typedef struct cg_assume_list {
    callgauge_assumption items[8];
    size_t count;
} cg_assume_list;

/* The state of a parse. */
typedef struct cg_parse {
    const struct cg_dialect *dialect;
    const callgauge_reader_options *options; /* limits all set */
    void *state;                             /* the dialect's own, dialect->state_size bytes, cleared at the start */
    uint32_t wants;                          /* CG_WANT_... */
    cg_names calls, errors, names;           /* names: of signals, faults, functions */
    cg_open_calls open;
    callgauge_capture *capture; /* a dialect sets clock, has_table and the traits that no event shows */
    cg_assume_list *assumed;
    uint64_t repairs[CG_REPAIR_COUNT];
    uint64_t repair_lines[CG_REPAIR_COUNT]; /* first */
    uint64_t names_dropped;                 /* past limits.names: their events are counted under the name "(other)" */
    const char *reason;                     /* of UNREAD, OPEN: a constant */
    size_t used;          /* strict: bytes of the text that the event took; the rest is another event (joined lines) */
    cg_buf text;          /* the event's joined arguments, valid until the next line */
    callgauge_event lost; /* an open call that the line at hand has shown to be lost: delivered before its event */
    bool has_lost;
    char *lost_args;                   /* its arguments; NULL: none */
    callgauge_count_row row;           /* of COUNT_ROW, TOTALS */
    uint32_t tables;                   /* tables begun so far */
    callgauge_time_kind duration_kind; /* of all durations of the trace; NONE: it has none */
    const char *stamp_at;              /* counts() only: the stamp of the last call it gave, not read yet; NULL: none */
    int64_t stamp_duration;            /* and that call's duration, or 0 */
} cg_parse;

typedef struct cg_dialect {
    const char *name;
    const cg_lexer *lexer;
    size_t state_size;
    bool error_marks; /* the '#' of `Err#` is a mark: see lines.h */
    /* How much a line of the head speaks for this dialect: 0 not at all; 1 it could be read (any tracer
     * prints such a line); 10 only this dialect prints it. Uses the dialect's own line parser, on a
     * scratch parse that has seen nothing before; must leave no open call that matters. */
    int (*bid)(cg_parse *parse, callgauge_str line);
    /* Decides the columns from the lines of the head, before the first line is read; NULL: nothing is to be decided. */
    void (*columns)(cg_parse *parse, const callgauge_str *lines, size_t count);
    /* Before counts(): reads lines of the most common forms alone, as long as there are such, and fills the run with
     * their calls; the line that is none stays the next one. Leaders are those that counts() and events() have learned.
     * NULL: there is none. */
    void (*lean)(cg_parse *parse, cg_lines *lines, cg_run *run);
    /* Before events(): reads the next line when it is of the most common forms, as events() would. HARD: there is none,
     * or it stays the next one; what the event holds is spoiled. NULL: there is no such form. */
    cg_verdict (*lean_event)(cg_parse *parse, cg_lines *lines, callgauge_event *event);
    /* One function, twice: with what a histogram needs, and with everything. They read the common forms
     * of calls in full and answer CG_LINE_HARD to whatever they cannot prove. */
    cg_verdict (*counts)(cg_parse *parse, const cg_line *line, callgauge_event *event);
    cg_verdict (*events)(cg_parse *parse, const cg_line *line, callgauge_event *event);
    /* Reads the stamp that counts() has left unread. NULL: it leaves none. */
    int64_t (*stamp)(cg_parse *parse);
    /* Reads any line, forwards and strictly: the oracle of the two above. Always fills everything.
     * `text` is the (repaired) text with CG_PAD readable bytes around it; `line` tells its place.
     * Sets parse->used; when less than text.len the reader calls again with the rest. */
    cg_verdict (*strict)(cg_parse *parse, callgauge_str text, const cg_line *line, callgauge_event *event);
    /* Whether `text`, in the middle of a line or on a line of its own, begins an event of the tracer (a leader and a
     * name that is known): where program output ends and a line is to be cut. */
    bool (*starts)(cg_parse *parse, callgauge_str text);
    /* Where, at the end of an OPEN line, a notice of the tracer itself begins that broke into it; text.len: nowhere.
     * NULL: this tracer never does that. */
    size_t (*notice_in)(callgauge_str text);
} cg_dialect;

/* The table of dialects; NULL past the last one. */
const cg_dialect *cg_dialect_at(size_t index);
extern const cg_dialect cg_dialect_strace;
extern const cg_dialect cg_dialect_truss_solaris;

/* What dialects share (parse.c). Each of the three gives NULL only when there is no memory. */
const callgauge_call_name *cg_parse_call(cg_parse *parse, callgauge_str name);
const callgauge_name *cg_parse_error(cg_parse *parse, callgauge_str name);
const callgauge_name *cg_parse_name(cg_parse *parse, callgauge_str name);
/* Says an assumption, once a `what`. */
void cg_assume(cg_assume_list *list, const char *what, const char *taken, const char *option);
void cg_parse_assume(cg_parse *parse, const char *what, const char *taken, const char *option);
void cg_parse_repair(cg_parse *parse, cg_repair kind, uint64_t line);

/* An event with nothing in it but its kind, place and text. */
static inline void cg_event_begin(callgauge_event *event, callgauge_event_kind kind, const cg_line *line,
                                  callgauge_str text)
{
    *event = (callgauge_event){
        .kind = kind, .line = line->number, .first_line = line->number, .offset = line->offset, .text = text
    };
}

/* Turns the open call into an unreturned one, in parse->lost, and forgets it. */
void cg_parse_lost(cg_parse *parse, cg_open_call *open);

#endif

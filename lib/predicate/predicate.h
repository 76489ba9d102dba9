/* SPDX-License-Identifier: Apache-2.0 */
/* The predicate language (docs/rule-language.md): text to a compiled predicate, and its truth for an event or a row.
 *
 *     cg_scope *scope;                                          names of steps, `prev`, `each`; NULL where there are
 *     none cg_predicate_compile(&source, CG_OF_EVENTS, scope, &p, err)        once; immutable, shared by threads
 *     cg_judge_new(&options)                                             one for each analysis and thread
 *     cg_judge_add(judge, p, &id)                                        before the first event
 *     cg_judge_event(judge, id, event, slots)                            for each event: no, yes, undecided
 *
 * Three cases are kept apart. A value is absent when the event has no such thing (errno of a success): every comparison
 * with it is false, `!=` too. It is unknown when the event has it and the capture does not tell: the comparison is
 * undecided, in Kleene's logic (no and undecided: no; yes or undecided: yes; not undecided: undecided). Absent wins
 * over unknown. When the capture lacks a trait that the predicate reads, it is not judged at all: that is for the
 * caller to find out, by cg_predicate_about().
 * Invariant: a compiled predicate is never written to; all that changes lies in the judge. */
#ifndef CG_PREDICATE_PREDICATE_H
#define CG_PREDICATE_PREDICATE_H

#include <callgauge/event.h>
#include <callgauge/reader.h>
#include <callgauge/report.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "event/annotation.h"

typedef struct cg_predicate cg_predicate;
typedef struct cg_scope cg_scope;
typedef struct cg_judge cg_judge;

/* --- values */

typedef enum cg_type {
    CG_TYPE_BOOL,
    CG_TYPE_NUMBER, /* plain: counts, descriptors, pids */
    CG_TYPE_BYTES,
    CG_TYPE_TIME,   /* ns that passed */
    CG_TYPE_MOMENT, /* ns of the capture's clock; the difference of two is a TIME */
    CG_TYPE_TEXT,
    CG_TYPE_WORD,  /* text out of a list: names of calls, errors, signals */
    CG_TYPE_CLASS, /* callgauge_class, in `number` */
    CG_TYPE_KIND,  /* callgauge_file_kind, in `number` */
    CG_TYPE_ORDER, /* callgauge_order, in `number` */
    CG_TYPE_FLAGS, /* text: names joined by `|` */
    CG_TYPE_ARG    /* an argument: text, and a number when `has_number` */
} cg_type;

typedef enum cg_known {
    CG_ABSENT, /* there is no such thing. 0, so that cleared values are absent */
    CG_UNKNOWN_VALUE,
    CG_KNOWN
} cg_known;

/* Texts are borrowed. `lasting` ones live as long as the state or the reader; others until the next call of the judge
 * or of the reader: cg_judge_keep() makes them last as long as the judge. */
typedef struct cg_value {
    cg_known known;
    cg_type type;
    bool is_real;    /* the number is `real` */
    bool has_number; /* ARG: it can be read as a number */
    bool cut;        /* the tracer cut the text: more follows */
    bool lasting;
    bool taken; /* slots: an event has been taken in */
    int64_t number;
    double real;
    callgauge_str text;
    const cg_file *file; /* TEXT that is the path of a file: which one; else NULL */
} cg_value;

/* Whether two values are one group: equal, or both unknown, or both absent. */
bool cg_value_same(const cg_value *a, const cg_value *b);
/* Equal for values that are the same. */
uint64_t cg_value_hash(const cg_value *value);
/* As the language writes it: `open`, `/etc/passwd`, `8192`, `0.04s`; "unknown", "none" (absent). False: no room. */
bool cg_value_write(const cg_value *value, cg_buf *to);

/* --- names of steps */

/* Which event of a name a slot is about. */
typedef enum cg_pick {
    CG_PICK_LAST, /* also of a name without a pick: `a.fd`, `prev.fd` */
    CG_PICK_FIRST,
    CG_PICK_SUM,  /* of known values; unknown once one was */
    CG_PICK_COUNT /* how many events */
} cg_pick;

/* A value of earlier events that some predicate of the scope reads: `first(r.fd)`, `sum(r.bytes)`, `r.count`. */
typedef struct cg_slot {
    uint32_t name; /* index into the scope's names */
    cg_pick pick;
    cg_type type;
    callgauge_str field; /* "fd", "arg[1]"; len 0 for COUNT */
} cg_slot;

/* The names that predicates may put before a field: the steps of a sequence, "prev" of a run, "each" of a count. The
 * predicates compiled with it share its slots, so each value is taken once. `names` are copied, in this order.
 * NULL: no memory. Free it after the last predicate and judge that use it. */
cg_scope *cg_scope_new(const callgauge_str *names, size_t count);
void cg_scope_free(cg_scope *scope);
/* Why a step may not have this name; NULL: it may. */
const char *cg_scope_name_fault(callgauge_str name);
/* How many slots there are: grows while predicates are compiled. A caller keeps an array of so many cg_value for each
 * attempt, run or group; all zero it stands for "no event yet" (count and sum read as 0). */
size_t cg_scope_slot_count(const cg_scope *scope);
const cg_slot *cg_scope_slot(const cg_scope *scope, size_t index);
/* The slot of `name.field` picked so, or -1; makes none. */
int64_t cg_scope_find(const cg_scope *scope, uint32_t name, cg_pick pick, callgauge_str field);

/* --- compiling */

/* A text, and where its first byte stands in a larger source. */
typedef struct cg_predicate_source {
    callgauge_str text; /* copied; at most 65,536 bytes */
    cg_place place;     /* name, line, column, offset of its first byte; a line of 0 stands for 1, a column too */
    uint64_t indent;    /* bytes that stand before each further line of the text in the source (YAML's `|` block) */
} cg_predicate_source;

/* What is judged. */
typedef enum cg_subject {
    CG_OF_EVENTS,
    CG_OF_CALLS, /* rows: callgauge_call_row */
    CG_OF_FILES,
    CG_OF_DESCRIPTORS,
    CG_OF_PROCESSES,
    CG_OF_PROGRAMS,
    CG_OF_WAITING
} cg_subject;

/* "calls", "files", ... of the rows shape; NULL for events. */
const char *cg_subject_text(cg_subject subject);
bool cg_subject_find(callgauge_str text, cg_subject *out); /* rows only */

/* Compiles a condition. `scope` (NULL: none) gets the slots it reads; events only.
 * E_USAGE: an error in the text, with line and column (bytes, from 1); the message says what is wrong and the nearest
 * known name, and ends with the line of the text and a caret below it. E_UNSUPPORTED: `matches` in a build without
 * PCRE2. E_NOMEM. `out` is set on CALLGAUGE_OK only. */
callgauge_status cg_predicate_compile(const cg_predicate_source *source, cg_subject of, cg_scope *scope,
                                      cg_predicate **out, callgauge_error *err);
/* The same for an expression of any type: `path`, `parent.program`, `r.fd`, `duration`: what `by`, `each`, `key`, `sum`
 * name. */
callgauge_status cg_expression_compile(const cg_predicate_source *source, cg_subject of, cg_scope *scope,
                                       cg_predicate **out, callgauge_error *err);
/* NULL is fine. */
void cg_predicate_free(cg_predicate *predicate);

/* How people read a value: what is counted, and not what has a number for its name (a pid, a port). */
typedef enum cg_quantity { CG_QUANTITY_NONE, CG_QUANTITY_COUNT, CG_QUANTITY_SIZE, CG_QUANTITY_TIME } cg_quantity;

typedef struct cg_predicate_info {
    cg_subject of;
    bool is_condition; /* it has a truth; else only a value */
    cg_type type;      /* BOOL for conditions */
    cg_quantity quantity;
    uint32_t wants;     /* CG_WANT_... that its events must be filled for */
    uint32_t traits;    /* CALLGAUGE_TRAIT_... : a capture that lacks one of them cannot be judged */
    bool reads_state;   /* reads event->annotation: lib/state must run */
    bool reads_unit;    /* reads annotation->unit: somebody must count units */
    bool reads_rest;    /* events: reads more than call and class, so that rows of a table cannot be judged */
    bool reads_slots;   /* reads earlier events; `slots` must be given */
    callgauge_str text; /* as it was written; borrowed from the predicate */
} cg_predicate_info;

const cg_predicate_info *cg_predicate_about(const cg_predicate *predicate);

/* A call that some system has. */
typedef struct cg_known_call {
    callgauge_str name;
    callgauge_class call_class;
} cg_known_call;

/* The calls that a condition about events can hold for, as far as their names tell; in `arena`. False: no memory. */
bool cg_predicate_calls(const cg_predicate *predicate, cg_arena *arena, const cg_known_call **out, size_t *count);

/* Whether the predicate can only hold when slot `slot` equals a value that the event alone tells (`path == each.path`
 * at the top, joined by `and`): then cg_judge_tie() gives that value, and a table of groups or attempts can be asked
 * for it instead of trying each. */
bool cg_predicate_ties(const cg_predicate *predicate, size_t slot);

/* --- judging */

typedef enum cg_truth { CG_NO, CG_YES, CG_UNDECIDED } cg_truth;

typedef struct cg_judge_options {
    size_t texts;            /* distinct texts kept by cg_judge_keep(). 0: 1,000,000 */
    size_t text_bytes;       /* of these. 0: 64 MiB */
    uint32_t match_limit;    /* PCRE2: calls of its inner match() for one text. 0: 100,000 */
    uint32_t depth_limit;    /* PCRE2: nested backtracking. 0: 10,000 */
    uint32_t heap_limit_kib; /* PCRE2. 0: 16,384 */
} cg_judge_options;

/* NULL options: defaults. NULL: no memory. One judge, one thread. */
cg_judge *cg_judge_new(const cg_judge_options *options);
void cg_judge_free(cg_judge *judge);
/* Makes a predicate (kept) known; `id` names it from here on: 0, 1, 2, ... False: no memory. */
bool cg_judge_add(cg_judge *judge, const cg_predicate *predicate, uint32_t *id);
/* The events that follow come from another reader, of `capture` (kept; NULL: `time` is unknown): what was remembered by
 * call name is forgotten. To be called before the first event too. What is remembered by file stays: a judge lives as
 * long as one lib/state. */
void cg_judge_begin(cg_judge *judge, const callgauge_capture *capture);

/* What is true of every event of this name, whatever else it is: NO: none matches; YES: all do; UNDECIDED: it depends.
 * NULL: events that are no calls. Costs an array access: who judges many predicates keeps a list for each name of those
 * that are not NO, until cg_judge_begin(). */
cg_truth cg_judge_name(cg_judge *judge, uint32_t id, const callgauge_call_name *name);

/* What kind of call an event is: its name and how it ended, as a small number. What an event lacks by its kind (`path`
 * of a read, `errno` of a success, `bytes` of a failure) is decided once a kind. CG_KIND_NONE: it is no call. */
#define CG_KIND_NONE UINT32_MAX
#define CG_KIND_NOMEM (UINT32_MAX - 1)
uint32_t cg_judge_kind(cg_judge *judge, const callgauge_event *event);
/* As cg_judge_name(), for a kind; not for CG_KIND_NOMEM. */
cg_truth cg_judge_sure(cg_judge *judge, uint32_t id, uint32_t kind);
/* Whether an expression has no value for any event of the kind. */
bool cg_judge_sure_absent(cg_judge *judge, uint32_t id, uint32_t kind);

/* Whether a condition has parts about `path` alone that must hold (`path matches '...'`, joined by `and`). */
bool cg_predicate_is_about_path(const cg_predicate *predicate);
/* The truth of these parts: NO: the condition does not hold for any event on this path. */
cg_truth cg_judge_path(cg_judge *judge, uint32_t id, const callgauge_event *event);

/* Says that `event` is at hand until this is said again, and not changed: what equal parts of several predicates came
 * to is worked out once. Who never says it gets each part worked out anew. */
void cg_judge_next(cg_judge *judge, const callgauge_event *event);

/* Truth of a condition (info.is_condition). `slots`: the scope's values; may be NULL when the predicate reads none.
 * Rows of `-c` tables are judged by name, UNDECIDED when the predicate reads more. */
cg_truth cg_judge_event(cg_judge *judge, uint32_t id, const callgauge_event *event, const cg_value *slots);
/* Whether the kind of the event decides that truth. */
bool cg_judge_event_is_sure(cg_judge *judge, uint32_t id, const callgauge_event *event);
/* Value of an expression, or of a condition as BOOL. */
void cg_judge_value(cg_judge *judge, uint32_t id, const callgauge_event *event, const cg_value *slots, cg_value *out);
/* The value that slot `slot` must equal, see cg_predicate_ties(); unknown or absent: no group can match for sure. */
void cg_judge_tie(cg_judge *judge, uint32_t id, size_t slot, const callgauge_event *event, cg_value *out);

/* The same for rows: `row` is of the struct that the predicate's subject says. */
cg_truth cg_judge_row(cg_judge *judge, uint32_t id, const void *row);
/* Whether the condition could hold for the row if more were known: NO: whatever the values are that need one of the
 * traits `lacking`. */
cg_truth cg_judge_row_lacking(cg_judge *judge, uint32_t id, const void *row, uint32_t lacking);
void cg_judge_row_value(cg_judge *judge, uint32_t id, const void *row, cg_value *out);

/* An event has matched name `name` of the scope: its slots take the event's values in. Texts go to `rooms`, a buffer
 * for each slot that is used again for the next text (the caller's, to be initialised and released); NULL: they are
 * kept as cg_judge_keep() does. Past the limits of the judge the value becomes unknown, and is counted. */
void cg_judge_take(cg_judge *judge, const cg_scope *scope, uint32_t name, const callgauge_event *event, cg_value *slots,
                   cg_buf *rooms);
/* Forgets the events of one name. */
void cg_scope_clear(const cg_scope *scope, uint32_t name, cg_value *slots);

/* Makes the text of a value last as long as the judge; past the limits the value becomes unknown, and is counted. */
void cg_judge_keep(cg_judge *judge, cg_value *value);

typedef struct cg_judge_counts {
    uint64_t match_limits; /* texts whose match hit a limit of PCRE2: undecided */
    uint64_t texts_kept, texts_dropped;
    bool no_memory; /* something was undecided for want of memory only: to be taken as a failure */
} cg_judge_counts;

const cg_judge_counts *cg_judge_counts_of(const cg_judge *judge);
/* Of one predicate: texts whose match hit a limit. */
uint64_t cg_judge_match_limits(const cg_judge *judge, uint32_t id);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A rule as it is loaded: what it says of itself, its predicates compiled, its floors as numbers.
 * Invariant: nothing of a rule changes once its set is loaded; all of it lies in the set's arena but what the
 * predicates own. */
#ifndef CG_RULES_RULE_H
#define CG_RULES_RULE_H

#include <callgauge/rules.h>

#include "base/arena.h"
#include "predicate/predicate.h"

enum {
    CG_RULE_STEPS = 16,
    CG_RULE_KEYS = 4,   /* expressions of `by`, of `each` */
    CG_RULE_FLOORS = 8, /* lines of at_least */
    CG_RULE_DISTINCT = 4,
    CG_RULE_VALUES = 8 /* expressions in a message */
};

/* What stands for a value: `path`, `r.fd`. */
typedef struct cg_expression {
    callgauge_str text;
    cg_predicate *compiled;
} cg_expression;

typedef struct cg_expressions {
    const cg_expression *items;
    size_t count;
} cg_expressions;

typedef struct cg_distinct {
    uint32_t of; /* index into the rule's `distinct` */
    uint64_t count;
} cg_distinct;

/* A line of at_least: all that it names must hold. */
enum {
    CG_FLOOR_CALLS = 1 << 0,
    CG_FLOOR_ERRORS = 1 << 1,
    CG_FLOOR_ERROR_SHARE = 1 << 2, /* of the calls found */
    CG_FLOOR_TIME = 1 << 3,
    CG_FLOOR_BYTES = 1 << 4,
    CG_FLOOR_SHARE = 1 << 5,
    CG_FLOOR_PER_UNIT = 1 << 6,
    CG_FLOOR_RATE = 1 << 7
};

typedef struct cg_floor {
    uint32_t has;
    uint64_t calls, errors;
    int64_t time_ns, bytes;
    double error_share, share, per_unit, rate; /* rate: a second */
    const cg_distinct *distinct;
    size_t distinct_count;
} cg_floor;

typedef struct cg_step {
    callgauge_str name;
    cg_predicate *where;
    uint32_t least, most; /* times */
} cg_step;

/* Which of the calls that were found could be left out. */
typedef enum cg_saved {
    CG_SAVED_UNKNOWN,
    CG_SAVED_ALL,
    CG_SAVED_REST, /* all but one of each group, run, attempt */
    CG_SAVED_SHARE
} cg_saved;

typedef struct cg_rule {
    callgauge_rule_info info;
    callgauge_str form;                             /* info.message, with how its values are read: `{max:time}` */
    cg_subject subject;                             /* of ROWS */
    cg_scope *names;                                /* NULL: ROWS */
    cg_predicate *where, *of, *next, *reset, *skip; /* NULL: none */
    cg_expressions by, each;
    cg_expression key; /* compiled NULL: none */
    bool by_process;   /* scope */
    const cg_step *steps;
    size_t step_count;
    uint64_t within_calls; /* 0: any */
    int64_t within_ns;     /* 0: any */
    const cg_floor *floors;
    size_t floor_count; /* 0: a single match is enough */
    const cg_expression *distinct;
    size_t distinct_count;
    const cg_expression *values; /* that its message names, beside those of `by` and `each` */
    size_t value_count;
    cg_saved saved;
    double saved_share;
    const callgauge_rule_example *examples;
    uint32_t wants;         /* CG_WANT_... */
    uint32_t traits;        /* CALLGAUGE_TRAIT_... that a capture must have */
    bool reads_state;       /* lib/state must run */
    bool reads_unit;        /* units must be counted */
    bool reads_time;        /* rests on times */
    bool needs_durations;   /* of calls, of either kind */
    bool tells_whole;       /* of a budget: a finding says what it came to in all, even when that is nothing */
    bool judges_tables;     /* COUNT: reads names only, so that rows of a table can be counted */
    struct cg_owned *owned; /* every predicate that was compiled for it */
} cg_rule;

struct callgauge_rules {
    cg_arena arena;
    cg_rule **rules; /* by id */
    size_t count, room;
};

/* --- for the files of this folder */

/* Faults of rule files, told as they are found. */
typedef struct cg_faults {
    callgauge_diag_fn *on_diag;
    void *ctx;
    callgauge_error *err; /* the first one */
    uint64_t count;
    callgauge_status status; /* of the first one, or E_NOMEM, which ends the work */
} cg_faults;

void cg_fault_add(cg_faults *faults, callgauge_status status, cg_place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A fault that somebody else has put into words. */
void cg_fault_pass(cg_faults *faults, const callgauge_error *fault);
void cg_fault_nomem(cg_faults *faults);

struct cg_yaml_node;

/* Makes a rule of a document. Faults go to `faults`. NULL: no memory, or nothing that could be called a rule; a rule
 * that was made must be freed even if it has faults. */
cg_rule *cg_rule_read(const struct cg_yaml_node *document, cg_arena *arena, cg_faults *faults);
/* What a rule owns outside the arena. NULL is fine. */
void cg_rule_free(cg_rule *rule);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A budget as it is loaded. Its limits by predicate are rules of the shape count, named "budget:" and the limit's name:
 * an analysis with the budget judges them as it does all rules, so what was found is in the report, with evidence.
 * Invariant: nothing of a budget changes once it is loaded; all of it lies in its arena but the rules and
 * predicates. */
#ifndef CG_RULES_BUDGET_H
#define CG_RULES_BUDGET_H

#include <callgauge/budget.h>

#include "rules/rule.h"

#define CG_BUDGET_RULE "budget:"

/* What a limit is of. */
typedef enum cg_limit_of {
    CG_LIMIT_OF_PREDICATE,     /* the finding of the rule "budget:NAME" */
    CG_LIMIT_OF_RULE,          /* the findings of a rule, all groups together */
    CG_LIMIT_OF_TOTALS,        /* all calls, or those of some names: row sums */
    CG_LIMIT_OF_ALLOWED_CALLS, /* no other calls than these */
    CG_LIMIT_OF_FORBIDDEN_CALLS,
    CG_LIMIT_OF_ALLOWED_PATHS, /* no other paths than these */
    CG_LIMIT_OF_FORBIDDEN_PATHS,
    CG_LIMIT_OF_FINDINGS,  /* of a severity */
    CG_LIMIT_OF_REGRESSION /* against a baseline */
} cg_limit_of;

typedef enum cg_limit_per { CG_LIMIT_PER_REPORT, CG_LIMIT_PER_UNIT, CG_LIMIT_PER_PROCESS } cg_limit_per;

/* One number that must not be passed. */
typedef struct cg_bound {
    callgauge_measure measure;   /* CALLS, ERRORS, CPU and WALL (time of either kind: `any_time`), BYTES_READ (bytes) */
    callgauge_quantity quantity; /* PERCENT: of ERRORS, their share */
    bool any_time;
    bool is_least; /* at_least; else at_most */
    double value;
    double percent; /* REGRESSION: `value` is the floor; both must be passed */
    cg_place place;
} cg_bound;

typedef struct cg_limit {
    callgauge_str name;
    cg_limit_of of;
    cg_limit_per per;
    callgauge_severity severity; /* how a broken one is shown */
    callgauge_str rule;          /* OF_PREDICATE, OF_RULE: its id */
    const callgauge_str *words;  /* calls ("%class" too), paths; of TOTALS none: all calls */
    size_t word_count;
    const cg_known_call *calls; /* that it can be about: what a filtered capture does not show, it cannot tell */
    size_t call_count;
    callgauge_severity at; /* OF_FINDINGS */
    const cg_bound *bounds;
    size_t bound_count;
    callgauge_str text; /* the predicate, as it is written; len 0: none */
    callgauge_str why;  /* what the user wrote beside it; len 0: nothing */
    cg_place place;
} cg_limit;

/* Whether a call is one of the limit's words; of no words it is. */
bool cg_limit_names(const cg_limit *limit, callgauge_str name, callgauge_class call_class);
/* Whether a path is one of the limit's words: `*` stands for any characters, `?` for one; a word that ends with `/` is
 * also the directory without it, and all below. */
bool cg_limit_has_path(const cg_limit *limit, callgauge_str path);

/* A sequence of calls that is expected between two markers. */
typedef struct cg_expectation {
    callgauge_str name;
    callgauge_severity severity;
    cg_predicate *begin; /* the first marker */
    cg_predicate *end;   /* the second one; NULL: the end of the thread or process */
    bool begin_inside,
        end_inside;      /* whether the markers are part of the sequence (`from`, `to`) or not (`after`, `before`) */
    bool by_process;     /* scope: process; else the calls of one thread */
    bool names_only;     /* show: names */
    cg_predicate *skip;  /* calls that do not count; NULL: none */
    uint64_t times;      /* how often it must come; 0: at least once */
    callgauge_str calls; /* expected, a line each, without blank lines */
    bool has_calls;      /* else there is nothing to hold it against yet: --update writes it */
    cg_place place;
    cg_place calls_place;       /* of the value of `calls`; line 0: the key is not there */
    size_t calls_at, calls_end; /* the bytes of the budget's text that --update replaces */
    uint64_t indent;            /* blanks that stand before each line of it */
} cg_expectation;

struct callgauge_budget {
    cg_arena arena;
    callgauge_str name; /* NUL-terminated */
    callgauge_str text;
    callgauge_rules *rules; /* its own; never NULL */
    cg_limit *limits;       /* in the order of the file */
    size_t limit_count;
    cg_expectation *expectations;
    size_t expectation_count;
    struct cg_owned *owned; /* predicates of the expectations */
};

#endif

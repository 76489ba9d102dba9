/* SPDX-License-Identifier: Apache-2.0 */
/* A report held against a budget, in the making: each kind of limit adds its results. What is counted may be too little
 * (a filter hid calls, a limit of this library was passed, the capture does not tell), never too much.
 * Invariant: a limit that is kept only as far as can be seen is not judged. */
#ifndef CG_COMPARE_CHECK_H
#define CG_COMPARE_CHECK_H

#include "base/buf.h"
#include "compare/comparison.h"
#include "compare/words.h"
#include "report/report.h"
#include "report/traced.h"
#include "rules/budget.h"

enum { CG_MOST_NAMED = 3 }; /* names that a message lists */

typedef struct cg_check {
    const callgauge_budget *budget;
    const callgauge_report *report;
    callgauge_comparison *out;
    bool has_baseline;
    cg_arena scratch;
    cg_traced *traced; /* what captures were said to have traced */
    size_t traced_count;
    bool is_proved_filtered; /* a capture shows that it was filtered, and nobody said how */
    uint64_t undecided;      /* events that may or may not meet the condition of what is counted at all */
    uint64_t unread;         /* lines of the tracers that could not be read: each may be a call */
    size_t room;
} cg_check;

/* All give false when there is no memory. */
bool cg_check_totals(cg_check *check, const cg_limit *limit);
bool cg_check_predicate(cg_check *check, const cg_limit *limit);
bool cg_check_processes(cg_check *check, const cg_limit *limit);
bool cg_check_rule(cg_check *check, const cg_limit *limit);
bool cg_check_findings(cg_check *check, const cg_limit *limit);
bool cg_check_forbidden_calls(cg_check *check, const cg_limit *limit);
bool cg_check_allowed_calls(cg_check *check, const cg_limit *limit);
bool cg_check_forbidden_paths(cg_check *check, const cg_limit *limit);
bool cg_check_allowed_paths(cg_check *check, const cg_limit *limit);
bool cg_check_regression(cg_check *check, const cg_limit *limit);

/* --- results */

/* A result of a limit, kept, without numbers and message. */
callgauge_limit_result cg_check_result(const cg_check *check, const cg_limit *limit);
/* Adds a result with a copy of the message, which is released. `good`: whether it could be written. */
bool cg_check_add(cg_check *check, callgauge_limit_result result, bool good, cg_buf *message);
/* Adds a result as cg_check_add() does, not judged if `why` is not empty, which then ends the message. */
bool cg_check_add_kept(cg_check *check, callgauge_limit_result result, bool good, cg_buf *message, cg_buf *why);
/* ": why" of the budget, if it says so. */
bool cg_check_say_why(const cg_limit *limit, cg_buf *message);

/* --- what could not be seen. Each adds a reason to `why` if there is one */

/* Calls that a limit is about, and that a filter may have hidden. `by_class`: where a filter is proved and not known, a
 * class of which some call was seen counts as seen. */
bool cg_check_doubt_calls(const cg_check *check, const cg_limit *limit, bool by_class, cg_buf *why);
/* Any call. */
bool cg_check_doubt_filter(const cg_check *check, cg_buf *why);
/* Limits of this library, of these names (NULL ends them), that were passed. */
bool cg_check_doubt_limits(const cg_check *check, const char *const *names, cg_buf *why);
/* Events that lack what is asked. */
bool cg_check_doubt_events(uint64_t undecided, cg_buf *why);
/* Lines that could not be read: any of them may be the call that breaks a limit. */
bool cg_check_doubt_lines(uint64_t unread, cg_buf *why);
/* A rule that was not judged. `of_budget`: it is a condition of the budget. */
bool cg_check_doubt_rule(const cg_check *check, callgauge_str rule, bool of_budget, cg_buf *why);

#endif

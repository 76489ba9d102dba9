/* SPDX-License-Identifier: Apache-2.0 */
/* A budget of one expected sequence, made by hand, and captures analysed with it. Include after cmocka.h. */
#ifndef CG_TEST_EXPECTING_H
#define CG_TEST_EXPECTING_H

#include <callgauge/callgauge.h>

#include "base/mem.h"
#include "predicate/predicate.h"
#include "rules/budget.h"

/* An expected sequence as a budget's author writes it. */
typedef struct expecting {
    const char *from, *after; /* one of them */
    const char *to, *before;  /* one of them, or none */
    const char *skip;
    bool by_process, names_only;
    uint64_t times;
    const char *calls; /* NULL: none yet */
} expecting;

/* Whether this build reads YAML. */
static inline bool expecting_is_possible(void)
{
    callgauge_rules *probe;
    bool possible = callgauge_rules_load(NULL, &probe, NULL) == CALLGAUGE_OK;
    if (possible) {
        callgauge_rules_free(probe);
    }
    return possible;
}

/* False: no memory. */
static inline bool expecting_predicate(const char *text, cg_predicate **out)
{
    const cg_predicate_source source = { .text = cg_str_z(text == NULL ? "" : text), .place = { .name = "b" } };
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    *out = NULL;
    callgauge_status status = text == NULL ? CALLGAUGE_OK
                                           : cg_predicate_compile(&source, CG_OF_EVENTS, NULL, out, &error);
    assert_true(status == CALLGAUGE_OK || status == CALLGAUGE_E_NOMEM);
    return status == CALLGAUGE_OK;
}

static inline void expecting_free(callgauge_budget *budget)
{
    if (budget != NULL) {
        cg_predicate_free(budget->expectations[0].begin);
        cg_predicate_free(budget->expectations[0].end);
        cg_predicate_free(budget->expectations[0].skip);
        callgauge_rules_free(budget->rules);
        cg_arena_release(&budget->arena);
        cg_mem_free(budget);
    }
}

/* NULL: no memory. */
static inline callgauge_budget *expecting_budget(const expecting *made)
{
    callgauge_budget *budget = cg_mem_zeroed(1, sizeof *budget);
    cg_expectation *of = budget == NULL ? NULL : cg_arena_alloc(&budget->arena, sizeof *of);
    if (of == NULL) {
        cg_mem_free(budget);
        return NULL;
    }
    const char *begin = made->from != NULL ? made->from : made->after;
    const char *end = made->to != NULL ? made->to : made->before;
    *of = (cg_expectation){ .name = cg_str_z("it"),
                            .severity = CALLGAUGE_SEVERITY_ERROR,
                            .begin_inside = made->from != NULL,
                            .end_inside = made->to != NULL,
                            .by_process = made->by_process,
                            .names_only = made->names_only,
                            .times = made->times,
                            .calls = cg_str_z(made->calls == NULL ? "" : made->calls),
                            .has_calls = made->calls != NULL,
                            .place = { "budget.yaml", 7, 5, 0 } };
    budget->expectations = of;
    budget->expectation_count = 1;
    budget->name = cg_str_z("budget.yaml");
    bool good = expecting_predicate(begin, &of->begin) && expecting_predicate(end, &of->end) &&
                expecting_predicate(made->skip, &of->skip) &&
                (budget->rules = cg_mem_zeroed(1, sizeof *budget->rules)) != NULL;
    if (!good) {
        expecting_free(budget);
    }
    return good ? budget : NULL;
}

static inline callgauge_status expecting_report(const callgauge_budget *budget, const char *name, const char *capture,
                                                const callgauge_limits *limits, callgauge_report **out)
{
    callgauge_analysis_options options = { .size = sizeof options,
                                           .reader = { .size = sizeof options.reader, .dialect = "strace" },
                                           .budget = budget };
    callgauge_analysis *analysis;
    if (limits != NULL) {
        options.reader.limits = *limits;
    }
    callgauge_status status = callgauge_analysis_new(name, &options, &analysis, NULL);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    status = callgauge_analysis_feed(analysis, capture, strlen(capture), NULL);
    status = status == CALLGAUGE_OK ? callgauge_analysis_finish(analysis, out, NULL) : status;
    callgauge_analysis_free(analysis);
    return status;
}

#endif

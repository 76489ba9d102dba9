/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of comparisons share: reports made from the text of captures, and comparing them. Include after
 * cmocka.h. */
#ifndef CG_TEST_COMPARING_H
#define CG_TEST_COMPARING_H

#include <callgauge/analysis.h>
#include <callgauge/compare.h>
#include <string.h>

#include "base/str.h"
#include "report/report.h"

/* The report of a capture, with files and programs. */
static inline callgauge_report *report_of(const char *name, const char *text)
{
    const callgauge_analysis_options options = { .size = sizeof options, .follow = true, .jobs = 1 };
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_analysis *analysis;
    callgauge_report *report;
    assert_int_equal(callgauge_analysis_new(name, &options, &analysis, &err), CALLGAUGE_OK);
    assert_int_equal(callgauge_analysis_feed(analysis, text, strlen(text), &err), CALLGAUGE_OK);
    assert_int_equal(callgauge_analysis_finish(analysis, &report, &err), CALLGAUGE_OK);
    callgauge_analysis_free(analysis);
    return report;
}

/* The same of so many units of work. */
static inline callgauge_report *report_of_units(const char *name, const char *text, uint64_t units)
{
    callgauge_report *report = report_of(name, text), *counted;
    assert_int_equal(callgauge_report_count_units(report, units, &counted, NULL), CALLGAUGE_OK);
    callgauge_report_free(report);
    return counted;
}

static inline callgauge_comparison *compare_all(callgauge_report *const *before, size_t before_count,
                                                callgauge_report *const *after, size_t after_count,
                                                const callgauge_compare_options *options)
{
    callgauge_comparison *comparison = NULL;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_status status = callgauge_compare((const callgauge_report *const *)before, before_count,
                                                (const callgauge_report *const *)after, after_count, options,
                                                &comparison, &err);
    if (status != CALLGAUGE_OK) {
        fail_msg("%s: %s", err.source, err.message);
    }
    return comparison;
}

static inline callgauge_comparison *compare_two(callgauge_report *before, callgauge_report *after,
                                                const callgauge_compare_options *options)
{
    return compare_all(&before, 1, &after, 1, options);
}

/* The row of a name; NULL: there is none. */
static inline const callgauge_compare_row *call_row(const callgauge_comparison *comparison, const char *name)
{
    for (size_t i = 0; i < callgauge_comparison_call_count(comparison); i++) {
        const callgauge_compare_row *row = callgauge_comparison_call(comparison, i);
        if (cg_str_is(row->name, name)) {
            return row;
        }
    }
    return NULL;
}

static inline const callgauge_compare_row *file_row(const callgauge_comparison *comparison, const char *name)
{
    for (size_t i = 0; i < callgauge_comparison_file_count(comparison); i++) {
        const callgauge_compare_row *row = callgauge_comparison_file(comparison, i);
        if (cg_str_is(row->name, name)) {
            return row;
        }
    }
    return NULL;
}

static inline const callgauge_left_out_row *left_out_row(const callgauge_comparison *comparison, const char *what)
{
    for (size_t i = 0; i < callgauge_comparison_left_out_count(comparison); i++) {
        const callgauge_left_out_row *row = callgauge_comparison_left_out(comparison, i);
        if (cg_str_is(row->what, what)) {
            return row;
        }
    }
    return NULL;
}

static inline void check_text(callgauge_str text, const char *wanted)
{
    if (!cg_str_is(text, wanted)) {
        fail_msg("'%.*s' is not '%s'", (int)text.len, text.ptr, wanted);
    }
}

#endif

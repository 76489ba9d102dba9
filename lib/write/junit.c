/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison as JUnit XML: a test case for each limit of a budget; without a budget one for each call, class and
 * finding, which fails where that is a regression. What is left out is skipped.
 * Invariant: a test fails, or is an error, if the verdict is a regression or something could not be judged. */
#include "write/compare_words.h"
#include "write/escape.h"
#include "write/writers.h"

#include "base/str.h"

/* What test cases came to. */
typedef struct tally {
    size_t tests, failures, errors, skipped;
} tally;

static void write_attribute(const char *name, callgauge_str value, cg_out *out)
{
    cg_out_char(out, ' ');
    cg_out_z(out, name);
    cg_out_z(out, "=\"");
    cg_escape_xml(out, value);
    cg_out_char(out, '"');
}

static void write_number(const char *name, size_t value, cg_out *out)
{
    cg_out_char(out, ' ');
    cg_out_z(out, name);
    cg_out_z(out, "=\"");
    cg_out_u64(out, value);
    cg_out_char(out, '"');
}

static void write_tally(const tally *sum, cg_out *out)
{
    write_number("tests", sum->tests, out);
    write_number("failures", sum->failures, out);
    write_number("errors", sum->errors, out);
    write_number("skipped", sum->skipped, out);
    cg_out_z(out, " time=\"0\"");
}

/* A suite of cases, numbered from 0. */
typedef struct suite {
    const char *name;
    tally sum;
    void (*write_case)(const callgauge_comparison *comparison, size_t index, cg_out *out);
} suite;

static void begin_case(callgauge_str class_name, cg_out *out)
{
    cg_out_z(out, "    <testcase");
    write_attribute("classname", class_name, out);
    cg_out_z(out, " time=\"0\" name=\"");
}

/* --- limits */

static void write_evidence(const callgauge_comparison *comparison, const callgauge_limit_result *limit, cg_out *out)
{
    size_t count;
    const callgauge_report *const *after = callgauge_comparison_after(comparison, &count);
    for (size_t i = 0; i < limit->evidence_count && count > 0; i++) {
        const callgauge_evidence *line = &limit->evidence[i];
        const callgauge_capture_row *capture = callgauge_report_capture(after[0], line->place.capture);
        cg_out_char(out, '\n');
        cg_escape_xml(out, cg_str_z(capture == NULL ? "" : capture->capture.name));
        cg_out_char(out, ':');
        cg_out_u64(out, line->place.line);
        cg_out_z(out, ": ");
        cg_escape_xml(out, line->text);
    }
}

static void write_limit(const callgauge_comparison *comparison, size_t index, cg_out *out)
{
    const callgauge_limit_result *limit = callgauge_comparison_limit(comparison, index);
    begin_case(limit->source.len > 0 ? limit->source : cg_str_z("budget"), out);
    cg_write_limit_name(limit, cg_escape_xml, out);
    if (limit->state == CALLGAUGE_LIMIT_KEPT) {
        cg_out_z(out, "\"/>\n");
        return;
    }
    const char *element = limit->state == CALLGAUGE_LIMIT_BROKEN ? "failure" : "error";
    cg_out_z(out, "\">\n      <");
    cg_out_z(out, element);
    write_attribute("type", cg_str_z(callgauge_limit_state_text(limit->state)), out);
    write_attribute("message", limit->message, out);
    cg_out_char(out, '>');
    cg_escape_xml(out, limit->source);
    cg_out_char(out, ':');
    cg_out_u64(out, limit->line);
    cg_out_z(out, ": ");
    cg_out_z(out, callgauge_severity_text(limit->severity));
    write_evidence(comparison, limit, out);
    cg_out_z(out, limit->diff.len > 0 ? "\n" : "");
    cg_escape_xml_lines(out, limit->diff);
    cg_out_z(out, "</");
    cg_out_z(out, element);
    cg_out_z(out, ">\n    </testcase>\n");
}

/* --- what is compared */

/* Ends a case that was begun: with a failure, with what changed, or with nothing. */
static void end_case(callgauge_verdict verdict, callgauge_str why, cg_out *out)
{
    const char *text = callgauge_verdict_text(verdict);
    if (verdict == CALLGAUGE_VERDICT_REGRESSION) {
        cg_out_z(out, "\">\n      <failure");
        write_attribute("type", cg_str_z(text), out);
        write_attribute("message", why, out);
        cg_out_z(out, "/>\n    </testcase>\n");
    } else if (verdict == CALLGAUGE_VERDICT_SAME) {
        cg_out_z(out, "\"/>\n");
    } else {
        cg_out_z(out, "\">\n      <system-out>");
        cg_out_z(out, text);
        cg_out_z(out, why.len > 0 ? ": " : "");
        cg_escape_xml(out, why);
        cg_out_z(out, "</system-out>\n    </testcase>\n");
    }
}

static void write_row(const callgauge_compare_row *row, const char *class_name, cg_out *out)
{
    begin_case(cg_str_z(class_name), out);
    cg_escape_xml(out, row->name);
    end_case(row->verdict, row->why, out);
}

/* All calls together, then each. */
static void write_call(const callgauge_comparison *comparison, size_t index, cg_out *out)
{
    const callgauge_compare_row *row = index == 0 ? callgauge_comparison_totals(comparison)
                                                  : callgauge_comparison_call(comparison, index - 1);
    write_row(row, index == 0 ? "totals" : "calls", out);
}

static void write_class(const callgauge_comparison *comparison, size_t index, cg_out *out)
{
    write_row(callgauge_comparison_class(comparison, index), "classes", out);
}

static void write_finding(const callgauge_comparison *comparison, size_t index, cg_out *out)
{
    const callgauge_finding_change *change = callgauge_comparison_finding(comparison, index);
    const callgauge_finding_row *row = cg_finding_now(change);
    begin_case(cg_str_z("findings"), out);
    cg_escape_xml(out, row->rule);
    if (cg_has_group(row)) {
        cg_out_z(out, " (");
        cg_write_group(row, cg_escape_xml, out);
        cg_out_char(out, ')');
    }
    end_case(change->verdict, row->message, out);
}

static void write_left_out(const callgauge_comparison *comparison, size_t index, cg_out *out)
{
    const callgauge_left_out_row *row = callgauge_comparison_left_out(comparison, index);
    begin_case(cg_str_z("not compared"), out);
    cg_escape_xml(out, row->what);
    cg_out_z(out, "\">\n      <skipped message=\"");
    cg_escape_xml(out, row->side);
    cg_out_z(out, ": ");
    cg_escape_xml(out, row->why);
    cg_out_z(out, "\"/>\n    </testcase>\n");
}

/* --- suites */

enum { MOST_SUITES = 4 };

typedef struct suites {
    suite items[MOST_SUITES];
    size_t count;
    tally sum;
} suites;

static void add_suite(suites *all, suite one)
{
    if (one.sum.tests > 0) {
        all->items[all->count++] = one;
        all->sum.tests += one.sum.tests;
        all->sum.failures += one.sum.failures;
        all->sum.errors += one.sum.errors;
        all->sum.skipped += one.sum.skipped;
    }
}

static size_t regressions(const callgauge_comparison *comparison, cg_compare_list list)
{
    size_t count = 0;
    for (size_t i = 0; i < cg_compare_count(comparison, list); i++) {
        count += cg_compare_row_at(comparison, list, i)->verdict == CALLGAUGE_VERDICT_REGRESSION;
    }
    return count;
}

static void add_limits(const callgauge_comparison *comparison, suites *all)
{
    const tally sum = { .tests = callgauge_comparison_limit_count(comparison),
                        .failures = cg_limits_of(comparison, CALLGAUGE_LIMIT_BROKEN),
                        .errors = cg_limits_of(comparison, CALLGAUGE_LIMIT_NOT_JUDGED) };
    add_suite(all, (suite){ "limits", sum, write_limit });
}

static void add_compared(const callgauge_comparison *comparison, suites *all)
{
    tally sum = { .tests = callgauge_comparison_call_count(comparison) + 1,
                  .failures = regressions(comparison, CG_COMPARE_CALLS) + regressions(comparison, CG_COMPARE_TOTALS) };
    add_suite(all, (suite){ "calls", sum, write_call });
    if (!callgauge_comparison_by_class(comparison)) {
        sum = (tally){ .tests = callgauge_comparison_class_count(comparison),
                       .failures = regressions(comparison, CG_COMPARE_CLASSES) };
        add_suite(all, (suite){ "classes", sum, write_class });
    }
    sum = (tally){ .tests = callgauge_comparison_finding_count(comparison) };
    for (size_t i = 0; i < sum.tests; i++) {
        sum.failures += callgauge_comparison_finding(comparison, i)->verdict == CALLGAUGE_VERDICT_REGRESSION;
    }
    add_suite(all, (suite){ "findings", sum, write_finding });
    sum = (tally){ .tests = callgauge_comparison_left_out_count(comparison) };
    sum.skipped = sum.tests;
    add_suite(all, (suite){ "not compared", sum, write_left_out });
}

bool cg_write_junit(const callgauge_comparison *comparison, const callgauge_write_options *options, cg_out *out)
{
    (void)options; /* all of it: a limit would hide failures */
    suites all = { .count = 0 };
    if (callgauge_comparison_limit_count(comparison) > 0) {
        add_limits(comparison, &all);
    } else if (callgauge_comparison_has_sides(comparison)) {
        add_compared(comparison, &all);
    }
    cg_out_z(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"callgauge\"");
    write_tally(&all.sum, out);
    cg_out_z(out, ">\n");
    for (size_t i = 0; i < all.count; i++) {
        const suite *one = &all.items[i];
        cg_out_z(out, "  <testsuite");
        write_attribute("name", cg_str_z(one->name), out);
        write_tally(&one->sum, out);
        cg_out_z(out, ">\n");
        for (size_t k = 0; k < one->sum.tests; k++) {
            one->write_case(comparison, k, out);
        }
        cg_out_z(out, "  </testsuite>\n");
    }
    cg_out_z(out, "</testsuites>\n");
    return true;
}

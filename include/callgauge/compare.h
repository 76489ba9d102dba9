/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file compare.h
 * What changed between two sides of reports: before and after. Only what both sides could see is compared; everything
 * else is listed as left out. docs/comparing.md has the rules, and where they are from.
 */
#ifndef CALLGAUGE_COMPARE_H
#define CALLGAUGE_COMPARE_H

#include <callgauge/report.h>
#include <callgauge/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Two sides of reports, matched and judged; or a report held against a budget, see budget.h; or both. Immutable from
 * birth. */
typedef struct callgauge_comparison callgauge_comparison;

/** What became of something. */
typedef enum callgauge_verdict {
    CALLGAUGE_VERDICT_SAME,
    CALLGAUGE_VERDICT_IMPROVED,
    CALLGAUGE_VERDICT_DIFFERENT, /**< neither better nor worse */
    CALLGAUGE_VERDICT_REGRESSION
} callgauge_verdict;

/** Names a verdict: "same", "improved", "different", "regression". Never NULL. Threads: any. */
CALLGAUGE_EXPORT const char *callgauge_verdict_text(callgauge_verdict verdict);

/** What is counted on both sides. Which of them a row has depends on its list; others have a `kind` that is unseen. */
typedef enum callgauge_measure {
    CALLGAUGE_MEASURE_CALLS,
    CALLGAUGE_MEASURE_ERRORS,
    CALLGAUGE_MEASURE_CPU,  /**< ns */
    CALLGAUGE_MEASURE_WALL, /**< ns */
    CALLGAUGE_MEASURE_BYTES_READ,
    CALLGAUGE_MEASURE_BYTES_WRITTEN,
    CALLGAUGE_MEASURE_USER,         /**< totals: user CPU time of truss tables, ns */
    CALLGAUGE_MEASURE_ELAPSED,      /**< totals: ns */
    CALLGAUGE_MEASURE_OPENS,        /**< files: successful ones */
    CALLGAUGE_MEASURE_FAILED_OPENS, /**< files */
    CALLGAUGE_MEASURE_READS,        /**< files */
    CALLGAUGE_MEASURE_WRITES,       /**< files */
    CALLGAUGE_MEASURE_STARTS        /**< programs */
} callgauge_measure;

/** How many measures there are. */
#define CALLGAUGE_MEASURE_COUNT 13

/** Names a measure as in JSON: "calls", "cpu_ns", "failed_opens". Never NULL. Threads: any. */
CALLGAUGE_EXPORT const char *callgauge_measure_text(callgauge_measure measure);

/** One side of an amount. Of several reports: their median (of an even number the lower of the two middle ones). */
typedef struct callgauge_side {
    int64_t value;    /**< CALLGAUGE_UNKNOWN: could not be seen. 0: it could, and there was nothing */
    int64_t min, max; /**< over the reports of the side; CALLGAUGE_UNKNOWN with `value` */
    double per_unit;  /**< `value` by the number of units of its report; below 0: unknown, or no units */
} callgauge_side;

/** One measure of one thing on both sides. */
typedef struct callgauge_amount {
    callgauge_side before, after;
    bool judged;               /**< else only shown: a side could not be seen, or times of single captures, see below */
    callgauge_verdict verdict; /**< CALLGAUGE_VERDICT_SAME unless judged */
    double p;                  /**< of the rank test; below 0: none was made */
} callgauge_amount;

/** A call, a class of calls, a file, a program, or all calls together, on both sides. */
typedef struct callgauge_compare_row {
    callgauge_str name;                /**< of the call; the class, where calls are matched by class; path; program */
    callgauge_class call_class;        /**< calls and classes */
    callgauge_file_kind kind;          /**< files */
    const callgauge_str *names_before; /**< the calls that are in it, by name: more than one where matched by class */
    size_t names_before_count;         /**< 0: not there before */
    const callgauge_str *names_after;
    size_t names_after_count;        /**< 0: vanished */
    const callgauge_amount *amounts; /**< CALLGAUGE_MEASURE_COUNT of them */
    callgauge_verdict verdict;
    callgauge_str why; /**< of the verdict, or why nothing is judged; len 0: same */
} callgauge_compare_row;

/** What became of a finding. */
typedef enum callgauge_finding_fate {
    CALLGAUGE_FINDING_NEW,
    CALLGAUGE_FINDING_GONE,
    CALLGAUGE_FINDING_CHANGED
} callgauge_finding_fate;

/** A finding that came, went or changed: same rule, same group. */
typedef struct callgauge_finding_change {
    callgauge_finding_fate fate;
    const callgauge_finding_row *before; /**< of the first report that has it, in the side's order; NULL: none */
    const callgauge_finding_row *after;
    callgauge_amount calls;    /**< that were found */
    callgauge_verdict verdict; /**< NEW, more: a regression; notes are only different */
} callgauge_finding_change;

/** Something that is not compared. */
typedef struct callgauge_left_out_row {
    callgauge_str what; /**< "close", "wall times", "findings" */
    callgauge_str side; /**< the side that could not see it: "before", "after", "both" */
    callgauge_str why;
} callgauge_left_out_row;

/** What became of a limit of a budget. */
typedef enum callgauge_limit_state {
    CALLGAUGE_LIMIT_KEPT,
    CALLGAUGE_LIMIT_BROKEN,
    CALLGAUGE_LIMIT_NOT_JUDGED /**< the report does not tell: never a pass */
} callgauge_limit_state;

/** Names a state: "kept", "broken", "not judged". Never NULL. Threads: any. */
CALLGAUGE_EXPORT const char *callgauge_limit_state_text(callgauge_limit_state state);

/** What the numbers of a limit count. */
typedef enum callgauge_quantity {
    CALLGAUGE_QUANTITY_COUNT,
    CALLGAUGE_QUANTITY_TIME, /**< ns */
    CALLGAUGE_QUANTITY_BYTES,
    CALLGAUGE_QUANTITY_PERCENT
} callgauge_quantity;

/** A limit of a budget, and how a report stands to it. */
typedef struct callgauge_limit_result {
    callgauge_str limit; /**< its name in the budget: "htaccess", "calls.forbid: fork", "regression.errors" */
    callgauge_limit_state state;
    callgauge_severity severity;
    callgauge_str message; /**< one line: what was measured, and what is allowed */
    callgauge_quantity quantity;
    double value, allowed; /**< NAN: there is no such number */
    callgauge_str subject; /**< what it is about: a call, a path, a process, a unit; len 0: the whole report */
    callgauge_str source;  /**< name of the budget */
    uint64_t line, column; /**< of the limit there */
    const callgauge_evidence *evidence; /**< lines of the captures of the report that was checked */
    size_t evidence_count;
    callgauge_str diff; /**< of an expected sequence that is another: a unified diff, lines end in \n; len 0: none */
} callgauge_limit_result;

/** Options of callgauge_compare(). Zero means the default. */
typedef struct callgauge_compare_options {
    size_t size;               /**< sizeof(callgauge_compare_options); a larger struct with non-zero tail is refused */
    const char *before_traced; /**< which calls the reports of a side could see, as callgauge_analysis_options.traced */
    const char *after_traced;  /**< has it; beside what the reports say themselves. NULL: all, as far as is known */
    double count_percent;      /**< counts that differ by less are the same; 0: exact */
    uint64_t count_floor;      /**< both must be reached; 0: exact */
    double time_percent;       /**< times likewise; default 20 */
    int64_t time_floor_ns;     /**< default 10 ms */
    double understood_percent; /**< least share of the tracer's lines that must have been read; default 50 */
} callgauge_compare_options;

/** Of how many reports a side must be for a rank test. */
#define CALLGAUGE_RANK_TEST_LEAST 5

/**
 * Compares two sides of reports. Each report is one run: several of a side are repeats of the same thing. The order
 * of the reports of a side never matters.
 *
 * Counts and bytes are compared exactly, unless options say otherwise; per unit where all reports have units. Where a
 * side's own reports differ, and for times: with fewer than CALLGAUGE_RANK_TEST_LEAST reports on a side a difference is
 * called when the sides do not overlap and both floors are passed; else when both floors are passed by the medians and
 * a two-sided rank test gives p < 0.01. Wall times of single reports, and CPU times of single reports of strace, are
 * shown, never judged; CPU times are never held against wall times.
 *
 * @param before, after  reports, at least one each; kept: they must outlive the comparison.
 * @param options        NULL: all defaults.
 * @param out            set on CALLGAUGE_OK only; free with callgauge_comparison_free().
 * @return CALLGAUGE_OK; CALLGAUGE_E_USAGE: a side is empty, or a `traced` names a call that is none;
 *         CALLGAUGE_E_FORMAT: a report in which no call was counted or of which hardly anything was understood;
 *         CALLGAUGE_E_NOMEM.
 * Threads: any.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_compare(const callgauge_report *const *before, size_t before_count,
                                                    const callgauge_report *const *after, size_t after_count,
                                                    const callgauge_compare_options *options,
                                                    callgauge_comparison **out, callgauge_error *err);

/** Frees a comparison and its rows; NULL is fine. Threads: when no other uses it. */
CALLGAUGE_EXPORT void callgauge_comparison_free(callgauge_comparison *comparison);

/** The verdict of all. A broken limit is a regression. Threads: any. */
CALLGAUGE_EXPORT callgauge_verdict callgauge_comparison_verdict(const callgauge_comparison *comparison);

/** One line that says what matters most. Never NULL. Borrowed from the comparison. Threads: any. */
CALLGAUGE_EXPORT const char *callgauge_comparison_headline(const callgauge_comparison *comparison);

/** Whether two sides were compared; false: it is of a budget without a baseline. Threads: any. */
CALLGAUGE_EXPORT bool callgauge_comparison_has_sides(const callgauge_comparison *comparison);

/** Gives the reports of a side, in the comparison's own order, which is that of their captures; `count` (may be NULL)
 * gets how many. Of a budget without a baseline the report is the only one of `after`. Borrowed. Threads: any. */
CALLGAUGE_EXPORT const callgauge_report *const *callgauge_comparison_before(const callgauge_comparison *comparison,
                                                                            size_t *count);

/** Gives the reports of the other side, as callgauge_comparison_before() does. Threads: any. */
CALLGAUGE_EXPORT const callgauge_report *const *callgauge_comparison_after(const callgauge_comparison *comparison,
                                                                           size_t *count);

/** Whether calls were matched by class, because the dialects differ. Threads: any. */
CALLGAUGE_EXPORT bool callgauge_comparison_by_class(const callgauge_comparison *comparison);

/** Gives all calls together that both sides could see; never NULL. Borrowed from the comparison. Threads: any. */
CALLGAUGE_EXPORT const callgauge_compare_row *callgauge_comparison_totals(const callgauge_comparison *comparison);

/** Counts the calls that either side has and both could see. Threads: any. */
CALLGAUGE_EXPORT size_t callgauge_comparison_call_count(const callgauge_comparison *comparison);

/** Gives a call, ordered by impact: those that differ first. NULL past the end. Borrowed. Threads: any. */
CALLGAUGE_EXPORT const callgauge_compare_row *callgauge_comparison_call(const callgauge_comparison *comparison,
                                                                        size_t index);

/** Counts the classes of calls. Threads: any. */
CALLGAUGE_EXPORT size_t callgauge_comparison_class_count(const callgauge_comparison *comparison);

/** Gives a class, as callgauge_comparison_call() does. Threads: any. */
CALLGAUGE_EXPORT const callgauge_compare_row *callgauge_comparison_class(const callgauge_comparison *comparison,
                                                                         size_t index);

/** Counts the files that differ; 0 also when a side has no rows of files. Threads: any. */
CALLGAUGE_EXPORT size_t callgauge_comparison_file_count(const callgauge_comparison *comparison);

/** Gives a file, as callgauge_comparison_call() does. Threads: any. */
CALLGAUGE_EXPORT const callgauge_compare_row *callgauge_comparison_file(const callgauge_comparison *comparison,
                                                                        size_t index);

/** Counts the programs that differ; 0 also when a side has no rows of programs. Threads: any. */
CALLGAUGE_EXPORT size_t callgauge_comparison_program_count(const callgauge_comparison *comparison);

/** Gives a program, as callgauge_comparison_call() does. Threads: any. */
CALLGAUGE_EXPORT const callgauge_compare_row *callgauge_comparison_program(const callgauge_comparison *comparison,
                                                                           size_t index);

/** Counts the findings that came, went or changed. Threads: any. */
CALLGAUGE_EXPORT size_t callgauge_comparison_finding_count(const callgauge_comparison *comparison);

/** Gives such a finding: new ones first, then changed, then gone. NULL past the end. Borrowed. Threads: any. */
CALLGAUGE_EXPORT const callgauge_finding_change *callgauge_comparison_finding(const callgauge_comparison *comparison,
                                                                              size_t index);

/** Counts what is left out. Threads: any. */
CALLGAUGE_EXPORT size_t callgauge_comparison_left_out_count(const callgauge_comparison *comparison);

/** Gives what is left out, ordered by side and name. NULL past the end. Borrowed. Threads: any. */
CALLGAUGE_EXPORT const callgauge_left_out_row *callgauge_comparison_left_out(const callgauge_comparison *comparison,
                                                                             size_t index);

/** Counts the hints: what the user should know beside the numbers. Threads: any. */
CALLGAUGE_EXPORT size_t callgauge_comparison_hint_count(const callgauge_comparison *comparison);

/** Gives a hint, one line; NULL past the end. Borrowed. Threads: any. */
CALLGAUGE_EXPORT const char *callgauge_comparison_hint(const callgauge_comparison *comparison, size_t index);

/** Counts the limits of the budget; 0 when there is none. Threads: any. */
CALLGAUGE_EXPORT size_t callgauge_comparison_limit_count(const callgauge_comparison *comparison);

/** Gives a limit, broken ones first, then those not judged, then by place in the budget. NULL past the end. Borrowed.
 * Threads: any. */
CALLGAUGE_EXPORT const callgauge_limit_result *callgauge_comparison_limit(const callgauge_comparison *comparison,
                                                                          size_t index);

#ifdef __cplusplus
}
#endif
#endif

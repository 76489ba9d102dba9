/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file budget.h
 * Budgets: limits that a report must keep, from a YAML file. docs/budgets.md has the form.
 *
 *     callgauge_budget_load("budget.yaml", text, length, NULL, NULL, &budget, &err);
 *     options.budget = budget;                        its predicates and sequences need the events
 *     callgauge_analyze_files(paths, n, &options, &report, &err);
 *     callgauge_budget_check(budget, report, NULL, NULL, &comparison, &err);
 */
#ifndef CALLGAUGE_BUDGET_H
#define CALLGAUGE_BUDGET_H

#include <callgauge/compare.h>
#include <callgauge/report.h>
#include <callgauge/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Limits, ready to be held against reports. Immutable from birth, may be shared by threads. */
typedef struct callgauge_budget callgauge_budget;

/**
 * Reads a budget. It is read to its end, so that every fault is told at one time.
 *
 * @param name     of the file, for errors; copied.
 * @param yaml     `len` bytes; copied.
 * @param on_diag  told of every fault; NULL: only the first one is told, by `err`.
 * @param out      set on CALLGAUGE_OK only; free with callgauge_budget_free().
 * @return CALLGAUGE_OK; CALLGAUGE_E_FORMAT: a fault, `err` has the first, with line and column;
 *         CALLGAUGE_E_UNSUPPORTED: a build without libyaml, or `matches` in one without PCRE2; CALLGAUGE_E_NOMEM.
 * Threads: any.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_budget_load(const char *name, const void *yaml, size_t len,
                                                        callgauge_diag_fn *on_diag, void *diag_ctx,
                                                        callgauge_budget **out, callgauge_error *err);

/** Frees a budget; NULL is fine. Threads: when no analysis and no comparison uses it. */
CALLGAUGE_EXPORT void callgauge_budget_free(callgauge_budget *budget);

/** Whether the budget has limits that need a baseline. Threads: any. */
CALLGAUGE_EXPORT bool callgauge_budget_needs_baseline(const callgauge_budget *budget);

/** Whether the budget needs findings of rules (beside those it brings itself). Threads: any. */
CALLGAUGE_EXPORT bool callgauge_budget_needs_rules(const callgauge_budget *budget);

/** Whether the budget needs rows of files, so that descriptors must be followed. Threads: any. */
CALLGAUGE_EXPORT bool callgauge_budget_needs_files(const callgauge_budget *budget);

/** Whether the budget has limits by unit of work. Threads: any. */
CALLGAUGE_EXPORT bool callgauge_budget_needs_units(const callgauge_budget *budget);

/**
 * Holds a report against a budget.
 *
 * Limits by predicate and expected sequences are judged if the report was made with the budget in
 * callgauge_analysis_options.budget, else they are CALLGAUGE_LIMIT_NOT_JUDGED, as is every limit that the report cannot
 * tell about. A broken limit that is more than a note makes the verdict CALLGAUGE_VERDICT_REGRESSION; else it is at
 * most CALLGAUGE_VERDICT_DIFFERENT, whatever changed against the baseline.
 *
 * @param report    kept: it must outlive the comparison, as must `baseline` and `budget`.
 * @param baseline  NULL: none; regression limits are then not judged.
 * @param options   of the comparison with the baseline; NULL: all defaults.
 * @param out       set on CALLGAUGE_OK only; free with callgauge_comparison_free(). Its limits are those of the budget.
 * @return CALLGAUGE_OK; CALLGAUGE_E_USAGE; CALLGAUGE_E_FORMAT: as callgauge_compare(), of either report;
 *         CALLGAUGE_E_NOMEM.
 * Threads: any.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_budget_check(const callgauge_budget *budget, const callgauge_report *report,
                                                         const callgauge_report *baseline,
                                                         const callgauge_compare_options *options,
                                                         callgauge_comparison **out, callgauge_error *err);

/**
 * Writes the budget anew with the sequences that a report recorded in place of those expected; everything else stays as
 * it stands, comments too.
 *
 * @param report  made with the budget.
 * @param text    set on CALLGAUGE_OK only: the new YAML; borrowed from `updated`.
 * @param updated set on CALLGAUGE_OK only: the new budget, to be freed with callgauge_budget_free().
 * @return CALLGAUGE_OK; CALLGAUGE_E_USAGE: the report recorded no sequence of the budget, different ones of one name,
 *         or one that was cut or has no end; or the file has no place for it; CALLGAUGE_E_NOMEM.
 * Threads: any.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_budget_update(const callgauge_budget *budget,
                                                          const callgauge_report *report, callgauge_str *text,
                                                          callgauge_budget **updated, callgauge_error *err);

#ifdef __cplusplus
}
#endif
#endif

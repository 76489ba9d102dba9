/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file rules.h
 * Rules that find wasteful patterns: the catalogue that is built in, and rules of one's own. docs/rule-language.md has
 * the language. A rule set never changes once it is loaded and may be shared by threads.
 */
#ifndef CALLGAUGE_RULES_H
#define CALLGAUGE_RULES_H

#include <callgauge/report.h>
#include <callgauge/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Rules, ready to judge captures. */
typedef struct callgauge_rules callgauge_rules;

/** How far a rule is proven. */
typedef enum callgauge_maturity {
    CALLGAUGE_MATURITY_DRAFT, /**< of the catalogue: runs only when asked for */
    CALLGAUGE_MATURITY_STABLE
} callgauge_maturity;

/** Names a maturity: "draft", "stable". Never NULL. Threads: any. */
CALLGAUGE_EXPORT const char *callgauge_maturity_text(callgauge_maturity maturity);

/** How a rule looks at a capture. */
typedef enum callgauge_shape {
    CALLGAUGE_SHAPE_ROWS,    /**< rows of the report */
    CALLGAUGE_SHAPE_COUNT,   /**< events that match, grouped */
    CALLGAUGE_SHAPE_RUN,     /**< matches in a row, on a thread */
    CALLGAUGE_SHAPE_SEQUENCE /**< steps, one after the other */
} callgauge_shape;

/** Names a shape: "rows", "count", "run", "sequence". Never NULL. Threads: any. */
CALLGAUGE_EXPORT const char *callgauge_shape_text(callgauge_shape shape);

/** What a rule says of itself. Texts that the rule lacks have len 0. */
typedef struct callgauge_rule_info {
    callgauge_str id;
    callgauge_maturity maturity;
    callgauge_severity severity; /**< that of the rule file, or the one asked for instead */
    callgauge_shape shape;
    callgauge_str title;   /**< never empty: the id where there is no title */
    callgauge_str message; /**< the form of its findings' messages */
    callgauge_str why, advice, false_alarms;
    const callgauge_str *references;
    size_t reference_count;
    size_t example_count;
    bool from_catalogue;
    const char *source; /**< name of the file; the catalogue's are called "catalogue:ID.yaml" */
    uint64_t line;      /**< where it begins there */
    callgauge_str text; /**< the YAML it was read from */
} callgauge_rule_info;

/** A capture in a rule file that shows what the rule finds, or what it must not find. */
typedef struct callgauge_rule_example {
    bool fires;          /**< else it must stay quiet */
    callgauge_str text;  /**< the capture, whole */
    uint64_t line;       /**< where it stands in the rule file */
    const char *dialect; /**< NULL: to be found out */
} callgauge_rule_example;

/** The text of a rule file; it may hold several rules, as YAML documents. */
typedef struct callgauge_rule_text {
    const char *name; /**< for errors; copied */
    const char *text; /**< `len` bytes, free once the rules are loaded */
    size_t len;
} callgauge_rule_text;

/** Another severity for a rule. */
typedef struct callgauge_rule_severity {
    const char *id;
    callgauge_severity severity;
} callgauge_rule_severity;

/** Which rules to load. Zero means the default. */
typedef struct callgauge_rules_options {
    size_t size;       /**< sizeof(callgauge_rules_options); a larger struct with non-zero tail is refused */
    bool no_catalogue; /**< leave the built-in rules out */
    bool drafts;       /**< take the catalogue's drafts too; rules of one's own are taken always */
    const callgauge_rule_text *texts; /**< rules of one's own; one with the id of a built-in rule stands in for it */
    size_t text_count;
    const char *const *only; /**< ids: take no others; drafts that are named are taken */
    size_t only_count;
    const char *const *skip; /**< ids: leave these out */
    size_t skip_count;
    const callgauge_rule_severity *severities;
    size_t severity_count;
    callgauge_diag_fn *on_diag; /**< told of every fault of the files; NULL: only the first one is told, by `err` */
    void *diag_ctx;
} callgauge_rules_options;

/**
 * Loads rules. All files are read to their end, so that every fault is told at one time.
 *
 * @param options  NULL: all defaults: the stable rules of the catalogue. Not kept.
 * @param out      set on CALLGAUGE_OK only; free with callgauge_rules_free().
 * @return CALLGAUGE_OK; CALLGAUGE_E_FORMAT: a rule file has a fault, `err` has the first, with file, line and column;
 *         CALLGAUGE_E_USAGE: `only`, `skip` or `severities` name a rule that is not there; CALLGAUGE_E_UNSUPPORTED: a
 *         build without libyaml, or a rule with `matches` in one without PCRE2; CALLGAUGE_E_NOMEM.
 * Threads: any.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_rules_load(const callgauge_rules_options *options, callgauge_rules **out,
                                                       callgauge_error *err);

/** Frees a rule set; NULL is fine. Threads: when no analysis uses it. */
CALLGAUGE_EXPORT void callgauge_rules_free(callgauge_rules *rules);

/** Counts the rules. Threads: any. */
CALLGAUGE_EXPORT size_t callgauge_rules_count(const callgauge_rules *rules);

/** Gives a rule, ordered by id. NULL past the end. Borrowed from the rule set. Threads: any. */
CALLGAUGE_EXPORT const callgauge_rule_info *callgauge_rules_at(const callgauge_rules *rules, size_t index);

/** Gives an example of rule `index`, in the order of its file, those that fire first. NULL past the end. Borrowed from
 * the rule set. Threads: any. */
CALLGAUGE_EXPORT const callgauge_rule_example *callgauge_rules_example(const callgauge_rules *rules, size_t index,
                                                                       size_t example);

/**
 * Analyses an example of a rule with that rule alone: what it found is in the report's findings, and when it could not
 * be judged, that is there too. Rules that count by units of work take each successful accept for one.
 *
 * @param out  set on CALLGAUGE_OK only; free with callgauge_report_free().
 * @return CALLGAUGE_OK; CALLGAUGE_E_USAGE: there is no such rule or example; CALLGAUGE_E_FORMAT: the example is no
 *         capture that can be read, the line is that of the example; CALLGAUGE_E_NOMEM.
 * Threads: any.
 */
CALLGAUGE_EXPORT callgauge_status callgauge_rules_try(const callgauge_rules *rules, size_t index, size_t example,
                                                      callgauge_report **out, callgauge_error *err);

#ifdef __cplusplus
}
#endif
#endif

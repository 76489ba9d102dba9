/* SPDX-License-Identifier: Apache-2.0 */
/* From what the user said about rules to a rule set. */
#ifndef CLI_RULE_FILES_H
#define CLI_RULE_FILES_H

#include <callgauge/callgauge.h>

#include "options.h"
#include "show.h"

/* The options that choose rules, for the tables of commands. */
#define RULE_OPTIONS \
    { "rules", 0, OPTION_TEXTS, "FILE|DIR", "rules of one's own too; may be given again", offsetof(settings, rules) }, \
        { "only", 0, OPTION_TEXTS, "IDS", "these rules only, with commas between", offsetof(settings, only) }, \
        { "skip", 0, OPTION_TEXTS, "IDS", "not these rules", offsetof(settings, skip) }, \
        { "severity", \
          0, \
          OPTION_TEXTS, \
          "ID=LEVEL", \
          "another severity for a rule: note, warning, error", \
          offsetof(settings, severities) }, \
    { \
        "drafts", 0, OPTION_FLAG, NULL, "draft rules of the catalogue too", offsetof(settings, drafts) \
    }

/* Loads what --rules, --only, --skip, --severity and --drafts say. False: it was said what is wrong. */
bool rule_files_load(const settings *wanted, bool catalogue, const char *const *paths, size_t count,
                     callgauge_rules **out);

/* Loads the rules that were asked for, those of the catalogue among them; in a build without libyaml none, unless some
 * are `needed` or were named: `out` is NULL then. False: it was said what is wrong. */
bool rule_files_choose(const settings *wanted, bool needed, callgauge_rules **out);

/* show_reports() with the rules that were asked for. */
int rule_files_show(const settings *wanted, const view *what);

#endif

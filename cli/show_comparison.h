/* SPDX-License-Identifier: Apache-2.0 */
/* What `compare` and `check` have in common: how sides are compared, where the outcome goes. */
#ifndef CLI_SHOW_COMPARISON_H
#define CLI_SHOW_COMPARISON_H

#include <callgauge/callgauge.h>

#include "options.h"

/* The forms of a comparison, for --format. */
#define COMPARISON_FORMATS "text|json|csv|markdown|junit|sarif|github"

/* How much must have been understood. */
#define OPTION_UNDERSTOOD \
    { \
        "min-understood", 0, OPTION_TEXT, "P", "percent of lines that must be read, 50 if not said", \
            offsetof(settings, min_understood) \
    }

/* The options that say what counts as a difference, for the tables of commands. */
#define COMPARISON_OPTIONS \
    { \
        "count-percent", \
        0, \
        OPTION_TEXT, \
        "P", \
        "counts that differ by less are the same", \
        offsetof(settings, count_percent) \
    }, \
        { "count-floor", \
          0, \
          OPTION_NUMBER, \
          "N", \
          "and so are those that differ by less than N", \
          offsetof(settings, count_floor) }, \
        { "time-percent", 0, OPTION_TEXT, "P", "times likewise; 20 if not said", offsetof(settings, time_percent) }, \
        { "time-floor", 0, OPTION_TEXT, "TIME", "10ms if not said; ns, us, ms, s", offsetof(settings, time_floor) }, \
        OPTION_UNDERSTOOD

/* What the settings say about comparing. False: something is wrong with them, and it was said. */
bool comparison_options(const settings *wanted, callgauge_compare_options *out);

/* Writes a comparison to where the user wants it. EXIT_FINE or EXIT_TROUBLE. */
int show_comparison(const settings *wanted, const callgauge_comparison *comparison);

#endif

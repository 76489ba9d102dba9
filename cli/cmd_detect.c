/* SPDX-License-Identifier: Apache-2.0 */
/* callgauge detect: what rules find in captures. */
#include "rule_files.h"
#include "show.h"

static const option options[] = {
    { "format", 0, OPTION_CHOICE, SHOW_FORMATS, "form of the output", offsetof(settings, format) },
    RULE_OPTIONS,
    { "fail-on", 0, OPTION_CHOICE, "never|note|warning|error", "exit with 1 if something of that severity is found",
      offsetof(settings, fail_on) },
    { "limit", 0, OPTION_NUMBER, "N", "show at most N findings; 0: all", offsetof(settings, limit) },
    { "each", 0, OPTION_FLAG, NULL, "keep the captures apart", offsetof(settings, each) },
    { "unit", 0, OPTION_TEXT, SHOW_UNIT, SHOW_UNIT_HELP, offsetof(settings, unit) },
    OPTION_WHERE,
    OPTION_TRACED,
    OPTIONS_OF_LISTING,
    { "color", 0, OPTION_CHOICE, "auto|always|never", "colours in text", offsetof(settings, color) },
    { NULL, 0, OPTION_FLAG, NULL, NULL, 0 },
};

static int run(const settings *wanted)
{
    const view what = { .rows = CALLGAUGE_ROWS_FINDINGS, .fill = INPUTS_CALLS };
    return rule_files_show(wanted, &what);
}

const command command_detect = { "detect", "Finds wasteful patterns, with evidence and advice.", options, NULL, NULL,
                                 run };

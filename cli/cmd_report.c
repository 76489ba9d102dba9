/* SPDX-License-Identifier: Apache-2.0 */
/* callgauge report: everything at a glance. */
#include <stddef.h>

#include "rule_files.h"
#include "show.h"

static const option options[] = {
    { "format", 0, OPTION_CHOICE, SHOW_FORMATS, "form of the output", offsetof(settings, format) },
    { "limit", 0, OPTION_NUMBER, "N", "show at most N calls, not 20; 0: all", offsetof(settings, limit) },
    { "each", 0, OPTION_FLAG, NULL, "keep the captures apart", offsetof(settings, each) },
    { "unit", 0, OPTION_TEXT, SHOW_UNIT, SHOW_UNIT_HELP, offsetof(settings, unit) },
    OPTION_WHERE,
    OPTION_TRACED,
    OPTIONS_OF_LISTING,
    RULE_OPTIONS,
    { "color", 0, OPTION_CHOICE, "auto|always|never", "colours in text", offsetof(settings, color) },
    { NULL, 0, OPTION_FLAG, NULL, NULL, 0 },
};

static int run(const settings *wanted)
{
    const view what = { .rows = CALLGAUGE_ROWS_REPORT, .fill = INPUTS_ALL };
    return rule_files_show(wanted, &what);
}

const command command_report = { "report", "Shows everything about captures at a glance.", options, NULL, NULL, run };

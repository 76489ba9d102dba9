/* SPDX-License-Identifier: Apache-2.0 */
/* callgauge merge: saved reports and captures become one report, as a file to be read again. */
#include "rule_files.h"
#include "show.h"

/* Unlike other commands, this one writes for programs: JSON comes first and is meant without --format. */
static const option options[] = {
    { "format", 0, OPTION_CHOICE, "json|text|csv|markdown", "form of the output", offsetof(settings, format) },
    { "limit", 0, OPTION_NUMBER, "N", "as text, show at most N calls, not 20; 0: all", offsetof(settings, limit) },
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
    settings with = *wanted;
    if (with.format.index == 0) {
        with.format.text = "json";
    }
    return rule_files_show(&with, &what);
}

const command command_merge = { "merge", "Makes one report, as JSON, of saved reports and captures.",
                                options, NULL,
                                NULL,    run };

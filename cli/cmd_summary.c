/* SPDX-License-Identifier: Apache-2.0 */
/* callgauge summary: the call histogram. */
#include "show.h"

static const option options[] = {
    { "format", 0, OPTION_CHOICE, SHOW_FORMATS, "form of the output", offsetof(settings, format) },
    { "by", 0, OPTION_CHOICE, "call|process|error", "what a row stands for", offsetof(settings, by) },
    { "sort", 0, OPTION_CHOICE, "time|calls|errors|name", "order of the rows; by error, time is errors",
      offsetof(settings, sort) },
    { "limit", 0, OPTION_NUMBER, "N", "show at most N rows; 0: all", offsetof(settings, limit) },
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
    static const callgauge_rows rows[] = { CALLGAUGE_ROWS_CALLS, CALLGAUGE_ROWS_PROCESSES, CALLGAUGE_ROWS_ERRORS };
    const view what = {
        .rows = rows[wanted->by.index],
        .sort = (callgauge_sort)wanted->sort.index,
        .fill = rows[wanted->by.index] == CALLGAUGE_ROWS_PROCESSES ? INPUTS_PROCESSES : INPUTS_CALLS,
    };
    return show_reports(wanted, &what);
}

const command command_summary = { "summary", "Counts system calls: how often, how long, how many failed.",
                                  options,   NULL,
                                  NULL,      run };

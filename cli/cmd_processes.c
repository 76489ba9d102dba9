/* SPDX-License-Identifier: Apache-2.0 */
/* callgauge processes: which ran what, who started it, where its time went. */
#include "message.h"
#include "show.h"

enum { BY_PROCESS, BY_PROGRAM };

static const option options[] = {
    { "format", 0, OPTION_CHOICE, SHOW_FORMATS, "form of the output", offsetof(settings, format) },
    { "tree", 0, OPTION_FLAG, NULL, "show each process below its parent", offsetof(settings, tree) },
    { "by", 0, OPTION_CHOICE, "process|program|thread|waiting", "what a row stands for", offsetof(settings, by) },
    { "sort", 0, OPTION_CHOICE, "time|calls|errors|name|starts", "order of the rows", offsetof(settings, sort) },
    { "limit", 0, OPTION_NUMBER, "N", "show at most N rows; 0: all", offsetof(settings, limit) },
    { "each", 0, OPTION_FLAG, NULL, "keep the captures apart", offsetof(settings, each) },
    OPTION_WHERE,
    OPTION_TRACED,
    { "unit", 0, OPTION_TEXT, SHOW_UNIT, SHOW_UNIT_HELP, offsetof(settings, unit) },
    OPTIONS_OF_LISTING,
    { "color", 0, OPTION_CHOICE, "auto|always|never", "colours in text", offsetof(settings, color) },
    { NULL, 0, OPTION_FLAG, NULL, NULL, 0 },
};

static int run(const settings *wanted)
{
    static const callgauge_rows rows[] = { CALLGAUGE_ROWS_PROCESSES, CALLGAUGE_ROWS_PROGRAMS, CALLGAUGE_ROWS_THREADS,
                                           CALLGAUGE_ROWS_WAITING };
    if (wanted->tree && wanted->by.index != BY_PROCESS) {
        say("--tree: a tree is of processes; it does not go with --by");
        return EXIT_TROUBLE;
    }
    static const callgauge_sort sorts[] = { CALLGAUGE_SORT_TIME, CALLGAUGE_SORT_CALLS, CALLGAUGE_SORT_ERRORS,
                                            CALLGAUGE_SORT_NAME, CALLGAUGE_SORT_STARTS };
    callgauge_sort usual = wanted->by.index == BY_PROGRAM ? CALLGAUGE_SORT_STARTS : CALLGAUGE_SORT_TIME;
    const view what = {
        .rows = wanted->tree ? CALLGAUGE_ROWS_TREE : rows[wanted->by.index],
        .sort = wanted->sort.text == NULL ? usual : sorts[wanted->sort.index],
        .fill = INPUTS_ALL,
    };
    return show_reports(wanted, &what);
}

const command command_processes = { "processes", "Lists processes, programs, threads, and what they waited for.",
                                    options,     NULL,
                                    NULL,        run };

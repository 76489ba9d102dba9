/* SPDX-License-Identifier: Apache-2.0 */
/* callgauge files: what was read from and written to which file, socket, pipe. */
#include "show.h"

/* As callgauge_file_kind, with "any" for all. */
#define KINDS "any|file|dir|socket|pipe|tty|device|anon|unknown"

static const option options[] = {
    { "format", 0, OPTION_CHOICE, SHOW_FORMATS, "form of the output", offsetof(settings, format) },
    { "sort", 0, OPTION_CHOICE, "bytes|calls|errors|time|name", "order of the rows", offsetof(settings, sort) },
    { "kind", 0, OPTION_CHOICE, KINDS, "show only this kind", offsetof(settings, kind) },
    { "path", 0, OPTION_TEXT, "TEXT", "show only paths and addresses with TEXT in them", offsetof(settings, path) },
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
    static const callgauge_sort sorts[] = { CALLGAUGE_SORT_BYTES, CALLGAUGE_SORT_CALLS, CALLGAUGE_SORT_ERRORS,
                                            CALLGAUGE_SORT_TIME, CALLGAUGE_SORT_NAME };
    static const callgauge_file_kind kinds[] = { CALLGAUGE_FILE_UNKNOWN, CALLGAUGE_FILE_FILE, CALLGAUGE_FILE_DIR,
                                                 CALLGAUGE_FILE_SOCKET,  CALLGAUGE_FILE_PIPE, CALLGAUGE_FILE_TTY,
                                                 CALLGAUGE_FILE_DEVICE,  CALLGAUGE_FILE_ANON, CALLGAUGE_FILE_UNKNOWN };
    const view what = {
        .rows = CALLGAUGE_ROWS_FILES,
        .sort = sorts[wanted->sort.index],
        .kinds = wanted->kind.index == 0 ? 0 : 1u << (unsigned)kinds[wanted->kind.index],
        .fill = INPUTS_ALL,
    };
    return show_reports(wanted, &what);
}

const command command_files = { "files", "Lists files, sockets, pipes: what was read, written, in which pieces.",
                                options, NULL,
                                NULL,    run };

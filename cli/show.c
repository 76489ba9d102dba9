/* SPDX-License-Identifier: Apache-2.0 */
/* From settings to written reports. Invariant: nothing is written unless every file could be read. */
#include "show.h"

#include <stdlib.h>
#include <string.h>

#include "inputs.h"
#include "message.h"
#include "output.h"

static bool put(output *out, const char *text)
{
    return output_write(out, text, strlen(text)) == 0;
}

/* Several reports: JSON makes one array of them, other forms stand one below the other. */
static callgauge_status write_reports(const settings *wanted, const report_list *list,
                                      const callgauge_write_options *options, output *out, callgauge_error *err)
{
    const callgauge_output to = { output_write, out };
    bool array = wanted->each && strcmp(wanted->format.text, "json") == 0;
    callgauge_status status = CALLGAUGE_OK;
    bool ok = !array || put(out, "[\n");
    for (size_t i = 0; i < list->count && ok && status == CALLGAUGE_OK; i++) {
        ok = i == 0 || put(out, array ? ",\n" : "\n");
        if (ok) {
            status = callgauge_write(list->reports[i], wanted->format.text, options, &to, err);
        }
    }
    if (ok && array && status == CALLGAUGE_OK) {
        ok = put(out, "]\n");
    }
    return ok ? status : CALLGAUGE_E_STOPPED;
}

static bool say_doubts(const report_list *list)
{
    bool all_read = true;
    for (size_t i = 0; i < list->count; i++) {
        all_read &= say_unread(list->reports[i]);
        say_limits(list->reports[i]);
    }
    return all_read;
}

/* A report for people shows the calls that matter most, everything else shows all. */
static size_t limit_of(const settings *wanted, callgauge_rows rows)
{
    enum { AT_A_GLANCE = 20 };
    if (wanted->limit != LIMIT_NOT_GIVEN) {
        return (size_t)wanted->limit;
    }
    return rows == CALLGAUGE_ROWS_REPORT && strcmp(wanted->format.text, "text") == 0 ? AT_A_GLANCE : 0;
}

static int write_list(const settings *wanted, const report_list *list, callgauge_rows rows)
{
    const callgauge_write_options options = {
        .size = sizeof options,
        .rows = rows,
        .sort = (callgauge_sort)wanted->sort.index,
        .limit = limit_of(wanted, rows),
        .color = output_wants_color(wanted),
    };
    output *out = malloc(sizeof *out);
    if (out == NULL) {
        say(callgauge_status_text(CALLGAUGE_E_NOMEM));
        return EXIT_TROUBLE;
    }
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    output_init(out, wanted->output);
    callgauge_status status = write_reports(wanted, list, &options, out, &error);
    int code = EXIT_TROUBLE;
    if (status == CALLGAUGE_OK || status == CALLGAUGE_E_STOPPED) {
        code = output_end(out);
    } else {
        say_error(&error);
    }
    free(out);
    return code;
}

int show_reports(const settings *wanted, callgauge_rows rows)
{
    if (output_is_input(wanted)) {
        return EXIT_TROUBLE;
    }
    report_list list;
    int code = EXIT_TROUBLE;
    if (inputs_load(wanted, rows == CALLGAUGE_ROWS_REPORT || rows == CALLGAUGE_ROWS_PROCESSES, &list)) {
        code = write_list(wanted, &list, rows);
        if (!say_doubts(&list) && wanted->strict) {
            code = EXIT_TROUBLE;
        }
    }
    inputs_free(&list);
    return code;
}

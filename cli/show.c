/* SPDX-License-Identifier: Apache-2.0 */
/* From settings to written reports. Invariant: nothing is written unless every file could be read. */
#include "show.h"

#include <stdlib.h>
#include <string.h>

#include "label.h"
#include "message.h"
#include "output.h"
#include "unit.h"

static bool put(output *out, const char *text)
{
    return output_write(out, text, strlen(text)) == 0;
}

static bool is_format(const settings *wanted, const char *format)
{
    return strcmp(wanted->format.text, format) == 0;
}

/* What a report is called, escaped: its first capture, and how many more there are. NULL: no memory. */
static char *name_of(const callgauge_report *report, label_form form)
{
    enum { AND_MORE = 40 };
    const callgauge_capture_row *row = callgauge_report_capture(report, 0);
    const char *name = row == NULL ? "" : row->capture.name;
    size_t count = callgauge_report_capture_count(report);
    size_t room = strlen(name) + AND_MORE;
    char *text = malloc(room);
    if (text == NULL) {
        return NULL;
    }
    if (count > 1) {
        snprintf(text, room, "%s and %zu more", name, count - 1);
    } else {
        snprintf(text, room, "%s", name);
    }
    char *escaped = label_escape(form, text);
    free(text);
    return escaped;
}

/* As CSV with a first column that names the capture; the headings stand above the first report only. */
static callgauge_status write_labelled(const callgauge_report *report, bool is_first,
                                       const callgauge_write_options *options, output *out, callgauge_error *err)
{
    const callgauge_output to = { output_write, out };
    label each = { .form = LABEL_CSV, .heading = is_first ? "capture" : NULL, .skips_heading = !is_first, .to = &to };
    each.name = name_of(report, LABEL_CSV);
    if (each.name == NULL) {
        err->status = CALLGAUGE_E_NOMEM;
        return err->status;
    }
    const callgauge_output labelled = { label_write, &each };
    callgauge_status status = callgauge_write(report, "csv", options, &labelled, err);
    free(each.name);
    return status;
}

/* The name of a capture above its table. */
static callgauge_status write_title(const callgauge_report *report, bool is_markdown, output *out, callgauge_error *err)
{
    char *name = name_of(report, is_markdown ? LABEL_MARKDOWN : LABEL_TEXT);
    if (name == NULL) {
        err->status = CALLGAUGE_E_NOMEM;
        return err->status;
    }
    bool ok = (!is_markdown || put(out, "## ")) && put(out, name) && put(out, is_markdown ? "\n\n" : ":\n");
    free(name);
    return ok ? CALLGAUGE_OK : CALLGAUGE_E_STOPPED;
}

/* Whether the text of a report says first what it is of. */
static bool names_itself(const callgauge_report *report, callgauge_rows rows)
{
    return rows == CALLGAUGE_ROWS_REPORT ||
           (rows == CALLGAUGE_ROWS_FINDINGS && callgauge_report_capture_count(report) == 1);
}

/* One of several reports that are kept apart. */
static callgauge_status write_apart(const settings *wanted, const callgauge_report *report, bool is_first,
                                    const callgauge_write_options *options, output *out, callgauge_error *err)
{
    const callgauge_output to = { output_write, out };
    if (is_format(wanted, "csv")) {
        return write_labelled(report, is_first, options, out, err);
    }
    bool is_array = is_format(wanted, "json"), is_markdown = is_format(wanted, "markdown");
    if (!is_first && !put(out, is_array ? ",\n" : "\n")) {
        return CALLGAUGE_E_STOPPED;
    }
    callgauge_status status = CALLGAUGE_OK;
    if (is_markdown || (!is_array && !names_itself(report, options->rows))) {
        status = write_title(report, is_markdown, out, err);
    }
    return status == CALLGAUGE_OK ? callgauge_write(report, wanted->format.text, options, &to, err) : status;
}

/* One report, or several: JSON makes one array of them, CSV one table; other forms stand one below the other. */
static callgauge_status write_reports(const settings *wanted, const report_list *list,
                                      const callgauge_write_options *options, output *out, callgauge_error *err)
{
    const callgauge_output to = { output_write, out };
    if (!wanted->each) {
        return callgauge_write(list->reports[0], wanted->format.text, options, &to, err);
    }
    bool is_array = is_format(wanted, "json");
    callgauge_status status = !is_array || put(out, "[\n") ? CALLGAUGE_OK : CALLGAUGE_E_STOPPED;
    for (size_t i = 0; i < list->count && status == CALLGAUGE_OK; i++) {
        status = write_apart(wanted, list->reports[i], i == 0, options, out, err);
    }
    if (is_array && status == CALLGAUGE_OK && !put(out, "]\n")) {
        status = CALLGAUGE_E_STOPPED;
    }
    return status;
}

bool show_doubts(const report_list *list)
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

static int write_list(const settings *wanted, const report_list *list, const view *what)
{
    const callgauge_write_options options = {
        .size = sizeof options,
        .rows = what->rows,
        .sort = what->sort,
        .limit = limit_of(wanted, what->rows),
        .color = output_wants_color(wanted),
        .kinds = what->kinds,
        .path = wanted->path,
    };
    output *out = output_new(wanted->output);
    if (out == NULL) {
        return EXIT_TROUBLE;
    }
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_status status = write_reports(wanted, list, &options, out, &error);
    return output_close(out, status, &error);
}

/* Whether something was found that --fail-on asks for. */
static bool is_met(const settings *wanted, const report_list *list)
{
    for (size_t i = 0; wanted->fail_on.index > 0 && i < list->count; i++) {
        for (size_t k = 0; k < callgauge_report_finding_count(list->reports[i]); k++) {
            if ((size_t)callgauge_report_finding(list->reports[i], k)->severity + 1 >= wanted->fail_on.index) {
                return true;
            }
        }
    }
    return false;
}

/* A report for people says it beside each capture. */
static void say_undecided_of(const report_list *list, callgauge_rows rows)
{
    uint64_t undecided = 0;
    for (size_t i = 0; rows != CALLGAUGE_ROWS_REPORT && i < list->count; i++) {
        for (size_t k = 0; k < callgauge_report_capture_count(list->reports[i]); k++) {
            undecided += callgauge_report_capture(list->reports[i], k)->where_undecided;
        }
    }
    say_undecided(undecided);
}

int show_reports(const settings *wanted, const view *what)
{
    if (output_is_input(wanted)) {
        return EXIT_TROUBLE;
    }
    settings with = *wanted;
    report_list list;
    int code = EXIT_TROUBLE;
    with.rows = (int)what->rows;
    if (inputs_load(&with, what->fill, &list) && unit_settle(wanted->unit, &list)) {
        code = write_list(wanted, &list, what);
        code = code == EXIT_FINE && is_met(wanted, &list) ? EXIT_FOUND : code;
        say_undecided_of(&list, what->rows);
        if (!show_doubts(&list) && wanted->strict) {
            code = EXIT_TROUBLE;
        }
    }
    inputs_free(&list);
    return code;
}

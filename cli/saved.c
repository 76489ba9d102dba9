/* SPDX-License-Identifier: Apache-2.0 */
/* Reads saved reports. Their events are gone: what asks for them again (a condition, rules, units that calls begin) and
 * rows that the report was made without are refused, since an answer from what is left would pass for the whole.
 * Invariant: options that say how captures are read (--dialect, --stamps, --time-kind, --jobs) are for captures
 * only. */
#include "saved.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "peek.h"
#include "unit.h"
#include "whole_file.h"

enum { MOST_REPORT_BYTES = 256 << 20 };

/* --- what is one */

/* The first character that is no blank from `at` on; `end`: none. */
static const char *past_blanks(const char *at, const char *end)
{
    while (at < end && *at != '\0' && strchr(" \t\r\n", *at) != NULL) {
        at++;
    }
    return at;
}

/* An object, or an array of them: lines of traces may begin with a bracket too. */
static bool begins_report(const char *head, size_t length)
{
    const char *end = head + length;
    const char *at = past_blanks(head, end);
    if (at == end || *at != '[') {
        return at < end && *at == '{';
    }
    at = past_blanks(at + 1, end);
    return at < end && (*at == '{' || *at == ']');
}

bool saved_is(const char *path)
{
    struct stat info;
    bool standard = strcmp(path, "-") == 0;
    if (!standard && (stat(path, &info) == -1 || !S_ISREG(info.st_mode))) {
        return false;
    }
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    char head[512];
    size_t length = fd == -1 ? 0 : peek_bytes(fd, head, sizeof head);
    if (fd != -1 && !standard) {
        close(fd);
    }
    return begins_report(head, length);
}

/* --- what cannot be asked of one */

/* The option that asks for events; NULL: none does. */
static const char *option_of_events(const settings *wanted)
{
    const struct {
        const char *name;
        bool given;
    } options[] = {
        { "--fds", wanted->fds != NULL },
        { "--where", wanted->where != NULL },
        { "--traced", wanted->traced != NULL },
        { "--rules", wanted->rules.count > 0 },
        { "--only", wanted->only.count > 0 },
        { "--skip", wanted->skip.count > 0 },
        { "--severity", wanted->severities.count > 0 },
        { "--drafts", wanted->drafts },
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (options[i].given) {
            return options[i].name;
        }
    }
    return NULL;
}

static bool has_events(const callgauge_report *report)
{
    for (size_t i = 0; i < callgauge_report_capture_count(report); i++) {
        if (callgauge_report_capture(report, i)->capture.has_events) {
            return true;
        }
    }
    return false;
}

/* Whether there may be more files than the report has rows of: reports from before it said so have them or have them
 * not. */
static bool was_followed(const callgauge_report *report)
{
    return callgauge_report_is_followed(report) || callgauge_report_file_count(report) > 0 ||
           callgauge_report_program_count(report) > 0 || callgauge_report_waiting_count(report) > 0;
}

static bool had_rules(const callgauge_report *report)
{
    return callgauge_report_judged(report, NULL) != NULL || callgauge_report_finding_count(report) > 0 ||
           callgauge_report_not_judged_count(report) > 0;
}

/* Why a report has not the rows that are to be shown; NULL: it has them, or its captures have none. */
static const char *why_no_rows(callgauge_rows rows, const callgauge_report *report)
{
    switch (rows) {
    case CALLGAUGE_ROWS_FILES:
    case CALLGAUGE_ROWS_PROGRAMS:
    case CALLGAUGE_ROWS_WAITING:
        return was_followed(report) || !has_events(report)
                   ? NULL
                   : "a report that was saved without files, programs and waiting; 'callgauge report' has them";
    case CALLGAUGE_ROWS_PROCESSES:
    case CALLGAUGE_ROWS_THREADS:
    case CALLGAUGE_ROWS_TREE:
        return callgauge_report_process_count(report) > 0 || !has_events(report)
                   ? NULL
                   : "a report that was saved without processes; 'callgauge report' has them";
    case CALLGAUGE_ROWS_FINDINGS:
        return had_rules(report)
                   ? NULL
                   : "a report for which no rules were judged; 'callgauge report' and 'callgauge detect' do";
    case CALLGAUGE_ROWS_REPORT:
    case CALLGAUGE_ROWS_CALLS:
    case CALLGAUGE_ROWS_ERRORS: break;
    }
    return NULL;
}

/* Whether a condition that begins units is one. False: it was said what is wrong with it. */
static bool is_condition(const char *text)
{
    const callgauge_analysis_options options = { .size = sizeof options, .where = text };
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_filter *filter;
    if (callgauge_filter_new(&options, &filter, &error) == CALLGAUGE_OK) {
        callgauge_filter_free(filter);
        return true;
    }
    if (strcmp(error.source, "--where") == 0) {
        snprintf(error.source, sizeof error.source, "--unit");
    }
    say_error(&error);
    return false;
}

/* Whether a report has the units that are asked for, if any. False: it was said why not. */
static bool has_units(const settings *wanted, const char *path, const callgauge_report *report)
{
    uint64_t count;
    const callgauge_unit *unit = callgauge_report_unit(report);
    callgauge_unit_from from = unit_wanted(wanted->unit, &count);
    if (from == CALLGAUGE_UNIT_NONE || from == CALLGAUGE_UNIT_NUMBER) {
        return true;
    }
    if (from == CALLGAUGE_UNIT_PREDICATE && !is_condition(wanted->unit)) {
        return false;
    }
    bool same_text = unit->call.len == strlen(wanted->unit) &&
                     memcmp(unit->call.ptr, wanted->unit, unit->call.len) == 0;
    if (unit->from == from && (from == CALLGAUGE_UNIT_REQUEST || same_text)) {
        return true;
    }
    say_about(path,
              unit->from == CALLGAUGE_UNIT_NONE
                  ? "a saved report, in which units cannot be counted any more: save it with --unit, or say how many"
                  : "a saved report of other units: save it with this --unit, or say how many");
    return false;
}

/* --- reading */

callgauge_report *saved_load(const settings *wanted, const char *path)
{
    whole_file json;
    callgauge_report *report = NULL;
    const char *refused = option_of_events(wanted);
    if (refused != NULL) {
        char text[80];
        snprintf(text, sizeof text, "a saved report, to which %s cannot apply", refused);
        say_about(path, text);
        return NULL;
    }
    if (!whole_file_read(path, MOST_REPORT_BYTES, &json)) {
        say_about(path, errno == EFBIG ? "too large for a report" : strerror(errno));
    } else {
        callgauge_error error = CALLGAUGE_ERROR_INIT;
        if (callgauge_report_read(path, json.data, json.length, &report, &error) != CALLGAUGE_OK) {
            say_error(&error);
        }
    }
    whole_file_release(&json);
    if (report == NULL) {
        return NULL;
    }
    const char *why = why_no_rows((callgauge_rows)wanted->rows, report);
    if (why != NULL) {
        say_about(path, why);
    }
    if (why != NULL || !has_units(wanted, path, report)) {
        callgauge_report_free(report);
        return NULL;
    }
    return report;
}

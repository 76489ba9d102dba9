/* SPDX-License-Identifier: Apache-2.0 */
/* Proof that reports can be compared at all: something was understood of each, and all count the same events.
 * Invariant: a report of which hardly anything was read never makes a comparison that finds nothing. */
#include "compare/comparing.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"

/* A saved report may have no captures. */
static const char *name_of(const callgauge_report *report)
{
    return report->capture_count > 0 ? report->captures[0].capture.name : "a report";
}

static cg_place place_of(const callgauge_report *report)
{
    return (cg_place){ .name = name_of(report) };
}

static callgauge_status check_capture(const callgauge_capture_row *row, double least, callgauge_error *err)
{
    const callgauge_capture *capture = &row->capture;
    uint64_t lines = capture->lines > capture->foreign_lines ? capture->lines - capture->foreign_lines : 0;
    if (lines == 0 || (double)capture->unread_lines * 100 <= (double)lines * (100 - least)) {
        return CALLGAUGE_OK;
    }
    cg_place place = { .name = capture->name };
    return cg_fail(err, CALLGAUGE_E_FORMAT, place,
                   "of %" PRIu64 " lines %" PRIu64 " could not be read: too little was understood to compare it", lines,
                   capture->unread_lines);
}

static const char *where_of(const callgauge_report *report)
{
    const char *where = report->capture_count > 0 ? report->captures[0].where : NULL;
    return where == NULL ? "" : where;
}

callgauge_status cg_check_report(const callgauge_report *report, double least, callgauge_error *err)
{
    callgauge_status status = CALLGAUGE_OK;
    for (size_t i = 0; status == CALLGAUGE_OK && i < report->capture_count; i++) {
        status = check_capture(&report->captures[i], least, err);
    }
    if (status == CALLGAUGE_OK && report->totals.calls == 0 && where_of(report)[0] == '\0') {
        return cg_fail(err, CALLGAUGE_E_FORMAT, place_of(report), "no call was counted: there is nothing to compare");
    }
    return status;
}

/* --- conditions */

static bool has_where(const callgauge_report *report, const char *where)
{
    for (size_t i = 0; i < report->capture_count; i++) {
        const char *mine = report->captures[i].where == NULL ? "" : report->captures[i].where;
        if (strcmp(mine, where) != 0) {
            return false;
        }
    }
    return true;
}

/* Reports that count other events tell nothing of each other. */
static callgauge_status check_conditions(cg_comparing *c, callgauge_error *err)
{
    const char *where = where_of(c->samples[0].report);
    c->is_conditional = where[0] != '\0';
    for (size_t i = 0; i < c->count; i++) {
        if (!has_where(c->samples[i].report, where)) {
            return cg_fail(err, CALLGAUGE_E_USAGE, place_of(c->samples[i].report),
                           "counts other events than %s: both sides need the same condition (--where)",
                           name_of(c->samples[0].report));
        }
    }
    return CALLGAUGE_OK;
}

callgauge_status cg_check_understood(cg_comparing *c, callgauge_error *err)
{
    callgauge_status status = CALLGAUGE_OK;
    for (size_t i = 0; status == CALLGAUGE_OK && i < c->count; i++) {
        status = cg_check_report(c->samples[i].report, c->options.understood_percent, err);
    }
    return status == CALLGAUGE_OK ? check_conditions(c, err) : status;
}

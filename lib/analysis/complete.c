/* SPDX-License-Identifier: Apache-2.0 */
/* Whether all calls of a program were traced: declared by the user, or disproved by opens of which not one is ever
 * closed. Counts stay as they are: calls that were seen though the user says that they were not traced are named.
 * Invariant: nothing is said of what other calls a condition (`where`) let through, or of tables. */
#include "analysis/complete.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "report/traced.h"

enum {
    LEAST_OPENS = 8, /* a piece of a trace that somebody has pasted may have a few, and no close: docs/counting.md */
    NAMES_SHOWN = 3
};

static bool was_seen(const callgauge_call_row *row)
{
    return row->calls + row->unreturned > 0;
}

/* Adds the calls that were seen though they were not traced, if there are any. */
static bool add_contradictions(const callgauge_report *report, const cg_traced *set, cg_buf *to)
{
    size_t count = 0;
    bool good = true;
    for (size_t i = 0; good && i < report->call_count; i++) {
        const callgauge_call_row *row = &report->calls[i];
        if (was_seen(row) && !cg_traced_allows(set, row->name, row->call_class)) {
            const char *before = count == 0 ? "; yet it has " : ", ";
            good = count >= NAMES_SHOWN || (cg_buf_add_z(to, before) && cg_buf_add_str(to, row->name));
            count++;
        }
    }
    return good && (count <= NAMES_SHOWN || cg_buf_printf(to, " and %zu more", count - NAMES_SHOWN));
}

static bool say_declared(const callgauge_report *report, const char *traced, cg_buf *to)
{
    cg_traced set; /* it was read once before the first event, and was right */
    return cg_buf_add_z(to, "declared by --traced") && cg_traced_init(traced, "--traced", &set, NULL) == CALLGAUGE_OK &&
           add_contradictions(report, &set, to);
}

/* How many opens succeeded of a trace in which nothing is closed; 0: something is, or it is no proof. */
static uint64_t unclosed_opens(const callgauge_report *report)
{
    const callgauge_capture_row *row = &report->captures[0];
    uint64_t opens = 0;
    if (!row->capture.has_events || row->capture.has_table || row->where != NULL) {
        return 0;
    }
    for (size_t i = 0; i < report->call_count; i++) {
        const callgauge_call_row *call = &report->calls[i];
        if (call->call_class == CALLGAUGE_CLASS_CLOSE && was_seen(call)) {
            return 0;
        }
        opens += call->call_class == CALLGAUGE_CLASS_OPEN ? call->calls - call->errors : 0;
    }
    return opens >= LEAST_OPENS ? opens : 0;
}

/* Whether a program that never closes anything would look the same: each open has a descriptor of its own. That is
 * known where descriptors were followed. */
static bool may_leak(const callgauge_report *report, uint64_t opens)
{
    uint64_t descriptors = 0;
    for (size_t i = 0; i < report->process_count; i++) {
        int64_t peak = report->processes[i].open_peak;
        descriptors = cg_count_add(descriptors, peak == CALLGAUGE_UNKNOWN ? 0 : (uint64_t)peak);
    }
    return report->followed && descriptors >= opens;
}

bool cg_complete_settle(const cg_complete *asked, callgauge_report *report)
{
    callgauge_capture_row *row = &report->captures[0];
    cg_buf why;
    bool good = true;
    cg_buf_init(&why, SIZE_MAX);
    report->followed = asked->follow && row->capture.has_events;
    uint64_t opens = asked->traced == NULL ? unclosed_opens(report) : 0;
    if (asked->traced != NULL) {
        row->traced = cg_arena_copy(&report->arena, asked->traced, strlen(asked->traced));
        good = row->traced != NULL && say_declared(report, asked->traced, &why);
    } else if (opens > 0 && !may_leak(report, opens)) {
        good = cg_buf_printf(&why, "%" PRIu64 " successful opens and no close", opens);
    }
    if (good && why.len > 0) {
        row->complete = CALLGAUGE_COMPLETE_NO;
        row->complete_why = cg_arena_copy(&report->arena, why.data, why.len);
        good = row->complete_why != NULL;
    }
    cg_buf_release(&why);
    return good;
}

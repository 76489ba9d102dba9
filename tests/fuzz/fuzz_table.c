/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a capture of a dialect that must be found out, meant for `-c` tables: the same events however
 * it is cut, and if an analysis takes it, a report whose totals are the sums of its rows. */
#include "stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_totals(const callgauge_report *report)
{
    const callgauge_totals *totals = callgauge_report_totals(report);
    uint64_t calls = 0, errors = 0, unreturned = 0;
    for (size_t i = 0; i < callgauge_report_call_count(report); i++) {
        const callgauge_call_row *row = callgauge_report_call(report, i);
        calls += row->calls;
        errors += row->errors;
        unreturned += row->unreturned;
    }
    require(calls == totals->calls && errors == totals->errors && unreturned == totals->unreturned);
    require(callgauge_report_capture_count(report) == 1);
    require_line_sum(&callgauge_report_capture(report, 0)->capture);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_analysis *analysis = NULL;
    callgauge_report *report = NULL;
    check_pieces(NULL, data, size);
    require(callgauge_analysis_new("fuzz", NULL, &analysis, &err) == CALLGAUGE_OK);
    if (callgauge_analysis_feed(analysis, data, size, &err) == CALLGAUGE_OK &&
        callgauge_analysis_finish(analysis, &report, &err) == CALLGAUGE_OK) {
        check_totals(report);
    }
    callgauge_report_free(report);
    callgauge_analysis_free(analysis);
    return 0;
}

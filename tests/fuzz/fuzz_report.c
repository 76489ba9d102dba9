/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a report: what is accepted is written, read back and written again, and both texts are equal;
 * the other forms of output and a merge must take it as well. */
#include "written.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_merge(const callgauge_report *report)
{
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    const callgauge_report *twice[] = { report, report };
    callgauge_report *merged = NULL;
    must(callgauge_report_merge(twice, 2, &merged, &err) == CALLGAUGE_OK);
    must(callgauge_report_capture_count(merged) == 2 * callgauge_report_capture_count(report));
    callgauge_report_free(merged);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_report *report = NULL;
    if (callgauge_report_read("fuzz", data, size, &report, &err) != CALLGAUGE_OK) {
        return 0;
    }
    check_reread(report);
    check_merge(report);
    write_all_forms(report);
    callgauge_report_free(report);
    return 0;
}

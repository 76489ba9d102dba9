/* SPDX-License-Identifier: Apache-2.0 */
/* A stranger's C program: names a capture, prints what the report counts: calls, errors, unreturned. */
#include <callgauge/callgauge.h>
#include <inttypes.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "-";
    callgauge_report *report = NULL;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    if (callgauge_analyze_files(&path, 1, NULL, &report, &err) != CALLGAUGE_OK) {
        fprintf(stderr, "%s:%" PRIu64 ": %s\n", err.source, err.line, err.message);
        return 1;
    }
    const callgauge_totals *totals = callgauge_report_totals(report);
    printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", totals->calls, totals->errors, totals->unreturned);
    callgauge_report_free(report);
    return 0;
}

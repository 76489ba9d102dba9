/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes behind the first as a capture whose processes, descriptors, waits and units are followed, with limits that
 * are soon passed: the same report whole and in pieces, read back equal, and every form of output takes it.
 * The first byte decides: bit 0 the dialect, bits 1 and 2 the units, bit 3 small limits, the rest the length of
 * pieces. */
#include "written.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static callgauge_analysis_options options_of(uint8_t mode)
{
    static const callgauge_unit_from units[] = { CALLGAUGE_UNIT_NONE, CALLGAUGE_UNIT_REQUEST, CALLGAUGE_UNIT_CALL,
                                                 CALLGAUGE_UNIT_NUMBER };
    callgauge_analysis_options options = {
        .size = sizeof options,
        .follow = true,
        .unit = units[mode >> 1 & 3],
        .unit_call = "read",
        .unit_count = 7,
    };
    options.reader.dialect = (mode & 1) == 0 ? "strace" : "truss-solaris";
    if ((mode & 8) != 0) {
        options.reader.limits.paths = 5;
        options.reader.limits.descriptors = 7;
        options.reader.limits.processes = 3;
        options.reader.limits.file_processes = 2;
        options.reader.limits.waiting = 2;
    }
    return options;
}

/* NULL: nothing in it could be read. */
static callgauge_report *analyse(uint8_t mode, const uint8_t *data, size_t size, size_t piece)
{
    const callgauge_analysis_options options = options_of(mode);
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_analysis *analysis = NULL;
    callgauge_report *report = NULL;
    must(callgauge_analysis_new("fuzz", &options, &analysis, &err) == CALLGAUGE_OK);
    callgauge_status status = CALLGAUGE_OK;
    for (size_t at = 0; at < size && status == CALLGAUGE_OK; at += piece) {
        status = callgauge_analysis_feed(analysis, data + at, size - at < piece ? size - at : piece, &err);
    }
    if (status == CALLGAUGE_OK) {
        status = callgauge_analysis_finish(analysis, &report, &err);
    }
    must(status == CALLGAUGE_OK || status == CALLGAUGE_E_FORMAT || status == CALLGAUGE_E_UNSUPPORTED);
    callgauge_analysis_free(analysis);
    return status == CALLGAUGE_OK ? report : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    callgauge_report *whole = analyse(data[0], data + 1, size - 1, size);
    callgauge_report *parts = analyse(data[0], data + 1, size - 1, 1 + (data[0] >> 4));
    must((whole == NULL) == (parts == NULL));
    if (whole != NULL) {
        text one = write_report(whole, "json", CALLGAUGE_ROWS_REPORT);
        text other = write_report(parts, "json", CALLGAUGE_ROWS_REPORT);
        must(same_text(&one, &other));
        free(one.data);
        free(other.data);
        check_reread(whole);
        write_all_forms(whole);
    }
    callgauge_report_free(whole);
    callgauge_report_free(parts);
    return 0;
}

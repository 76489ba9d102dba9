/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a report: what is accepted is written, read back and written again, and both texts are equal;
 * the other forms of output and a merge must take it as well. */
#include <callgauge/callgauge.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct text {
    char *data;
    size_t len, room;
} text;

static void require(bool held)
{
    if (!held) {
        abort();
    }
}

static int add_to_text(void *ctx, const char *data, size_t len)
{
    text *to = ctx;
    if (to->len + len > to->room) {
        to->room = 2 * (to->len + len);
        to->data = realloc(to->data, to->room);
        require(to->data != NULL);
    }
    memcpy(to->data + to->len, data, len);
    to->len += len;
    return 0;
}

static text write_report(const callgauge_report *report, const char *format, callgauge_rows rows)
{
    text out = { NULL, 0, 0 };
    const callgauge_write_options options = { .size = sizeof options, .rows = rows };
    callgauge_output to = { add_to_text, &out };
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    require(callgauge_write(report, format, &options, &to, &err) == CALLGAUGE_OK);
    return out;
}

static void check_reread(const callgauge_report *report)
{
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_report *again = NULL;
    text first = write_report(report, "json", CALLGAUGE_ROWS_REPORT);
    require(callgauge_report_read("fuzz", first.data, first.len, &again, &err) == CALLGAUGE_OK);
    text second = write_report(again, "json", CALLGAUGE_ROWS_REPORT);
    require(first.len == second.len && memcmp(first.data, second.data, first.len) == 0);
    callgauge_report_free(again);
    free(first.data);
    free(second.data);
}

static void check_merge(const callgauge_report *report)
{
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    const callgauge_report *twice[] = { report, report };
    callgauge_report *merged = NULL;
    require(callgauge_report_merge(twice, 2, &merged, &err) == CALLGAUGE_OK);
    require(callgauge_report_capture_count(merged) == 2 * callgauge_report_capture_count(report));
    callgauge_report_free(merged);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const forms[] = { "text", "csv", "markdown" };
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_report *report = NULL;
    if (callgauge_report_read("fuzz", data, size, &report, &err) != CALLGAUGE_OK) {
        return 0;
    }
    check_reread(report);
    check_merge(report);
    for (size_t i = 0; i < 3 * (CALLGAUGE_ROWS_TREE + 1); i++) {
        free(write_report(report, forms[i % 3], (callgauge_rows)(i / 3)).data);
    }
    callgauge_report_free(report);
    return 0;
}

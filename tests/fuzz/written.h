/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzz targets of reports share: a report as text, and that it is read back equal. */
#ifndef TESTS_FUZZ_WRITTEN_H
#define TESTS_FUZZ_WRITTEN_H

#include <callgauge/callgauge.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
    char *data;
    size_t len, room;
} text;

static inline void must(bool held)
{
    if (!held) {
        abort();
    }
}

static inline int add_to_text(void *ctx, const char *data, size_t len)
{
    text *to = ctx;
    if (to->len + len > to->room) {
        to->room = 2 * (to->len + len);
        to->data = realloc(to->data, to->room);
        must(to->data != NULL);
    }
    memcpy(to->data + to->len, data, len);
    to->len += len;
    return 0;
}

static inline text write_report(const callgauge_report *report, const char *format, callgauge_rows rows)
{
    text out = { NULL, 0, 0 };
    const callgauge_write_options options = { .size = sizeof options, .rows = rows };
    callgauge_output to = { add_to_text, &out };
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    must(callgauge_write(report, format, &options, &to, &err) == CALLGAUGE_OK);
    return out;
}

static inline bool same_text(const text *a, const text *b)
{
    return a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

static inline void check_reread(const callgauge_report *report)
{
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_report *again = NULL;
    text first = write_report(report, "json", CALLGAUGE_ROWS_REPORT);
    must(callgauge_report_read("fuzz", first.data, first.len, &again, &err) == CALLGAUGE_OK);
    text second = write_report(again, "json", CALLGAUGE_ROWS_REPORT);
    must(same_text(&first, &second));
    callgauge_report_free(again);
    free(first.data);
    free(second.data);
}

/* Every form for people of every kind of rows must take the report. */
static inline void write_all_forms(const callgauge_report *report)
{
    static const char *const forms[] = { "text", "csv", "markdown" };
    for (size_t i = 0; i < 3 * (CALLGAUGE_ROWS_TREE + 1); i++) {
        free(write_report(report, forms[i % 3], (callgauge_rows)(i / 3)).data);
    }
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the forms of output, and the way to them. */
#include "write/writers.h"

#include <string.h>

#include "base/error.h"
#include "base/options.h"

static const struct {
    const char *format;
    cg_writer_fn *write;
} writers[] = {
    { "text", cg_write_text },
    { "json", cg_write_json },
    { "csv", cg_write_csv },
    { "markdown", cg_write_markdown },
};

callgauge_status cg_write_options_settle(const callgauge_write_options *given, callgauge_write_options *out,
                                         callgauge_error *err)
{
    enum { USUAL_WIDTH = 80 };
    callgauge_write_options options;
    callgauge_status status = cg_options_copy(given, "write", &options, sizeof options, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    if ((unsigned)options.rows > CALLGAUGE_ROWS_FINDINGS || (unsigned)options.sort > CALLGAUGE_SORT_STARTS) {
        return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ 0 }, "rows or order that are not known");
    }
    options.width = options.width == 0 ? USUAL_WIDTH : options.width;
    *out = options;
    return CALLGAUGE_OK;
}

callgauge_status callgauge_write(const callgauge_report *report, const char *format,
                                 const callgauge_write_options *options, const callgauge_output *to,
                                 callgauge_error *err)
{
    callgauge_write_options settled;
    callgauge_status status = cg_write_options_settle(options, &settled, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        if (strcmp(writers[i].format, format) == 0) {
            cg_out out;
            cg_out_init(&out, to);
            return writers[i].write(report, &settled, &out) ? cg_out_finish(&out, err) : cg_fail_nomem(err);
        }
    }
    return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ 0 },
                   "unknown format '%.32s': text, json, csv, markdown are known", format);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the forms of a comparison, and the way to them. */
#include "write/writers.h"

#include <string.h>

#include "base/error.h"

static const struct {
    const char *format;
    cg_comparison_writer_fn *write;
} writers[] = {
    { "text", cg_write_comparison_text }, { "json", cg_write_comparison_json },
    { "csv", cg_write_comparison_csv },   { "markdown", cg_write_comparison_markdown },
    { "junit", cg_write_junit },          { "sarif", cg_write_sarif },
    { "github", cg_write_github },
};

callgauge_status callgauge_write_comparison(const callgauge_comparison *comparison, const char *format,
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
            return writers[i].write(comparison, &settled, &out) ? cg_out_finish(&out, err) : cg_fail_nomem(err);
        }
    }
    return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ 0 },
                   "unknown format '%.32s': text, json, csv, markdown, junit, sarif, github are known", format);
}

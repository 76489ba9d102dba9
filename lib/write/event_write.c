/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the forms of events, and the way to them. */
#include <string.h>

#include "base/error.h"
#include "base/str.h"
#include "write/event_forms.h"

const char *const cg_event_flag_names[CG_EVENT_FLAGS] = {
    "unreturned", "resumed", "orphan", "injected", "delayed", "restart", "slept", "child", "repaired", "return",
};

const char *const cg_row_of_names[CALLGAUGE_ROW_OF_FUNCTION + 1] = { "call", "signal", "fault", "function" };

static void no_heading(cg_out *out)
{
    (void)out;
}

static const struct form {
    const char *format;
    void (*write)(const callgauge_event *event, cg_out *out);
    void (*heading)(cg_out *out);
} forms[] = {
    { "text", cg_write_event_text, cg_write_event_text_heading },
    { "ndjson", cg_write_event_ndjson, no_heading },
    { "csv", cg_write_event_csv, cg_write_event_csv_heading },
};

callgauge_str cg_event_name(const callgauge_event *event)
{
    if (event->row != NULL) {
        return event->call != NULL ? event->call->text : event->row->name.text;
    }
    return event->name != NULL ? event->name->text : cg_str(NULL, 0);
}

bool cg_event_is_plain_text(const callgauge_event *event)
{
    return event->kind == CALLGAUGE_EVENT_DETAIL || event->kind == CALLGAUGE_EVENT_FOREIGN ||
           event->kind == CALLGAUGE_EVENT_UNREAD;
}

static callgauge_status find(const char *format, const struct form **out, callgauge_error *err)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (strcmp(forms[i].format, format) == 0) {
            *out = &forms[i];
            return CALLGAUGE_OK;
        }
    }
    return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ 0 },
                   "unknown format of events '%.32s': text, ndjson, csv are known", format);
}

callgauge_status callgauge_write_event(const callgauge_event *event, const char *format, const callgauge_output *to,
                                       callgauge_error *err)
{
    const struct form *form = NULL;
    callgauge_status status = find(format, &form, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    cg_out out;
    cg_out_init(&out, to);
    form->write(event, &out);
    return cg_out_finish(&out, err);
}

callgauge_status callgauge_write_event_heading(const char *format, const callgauge_output *to, callgauge_error *err)
{
    const struct form *form = NULL;
    callgauge_status status = find(format, &form, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    cg_out out;
    cg_out_init(&out, to);
    form->heading(&out);
    return cg_out_finish(&out, err);
}

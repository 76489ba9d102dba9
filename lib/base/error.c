/* SPDX-License-Identifier: Apache-2.0 */
/* Filling the caller's callgauge_error. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void copy_source(char *to, size_t room, const char *name)
{
    size_t len = strlen(name);
    if (len < room) {
        memcpy(to, name, len + 1);
        return;
    }
    memcpy(to, "...", 3);
    memcpy(to + 3, name + len - (room - 4), room - 3);
}

callgauge_status cg_fail(callgauge_error *err, callgauge_status status, cg_place place, const char *format, ...)
{
    if (err == NULL || err->size < sizeof *err) {
        return status;
    }
    err->status = status;
    err->line = place.line;
    err->column = place.column;
    err->offset = place.offset;
    copy_source(err->source, sizeof err->source, place.name == NULL ? "" : place.name);
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return status;
}

callgauge_status cg_fail_nomem(callgauge_error *err)
{
    return cg_fail(err, CALLGAUGE_E_NOMEM, (cg_place){ 0 }, "out of memory");
}

const char *callgauge_status_text(callgauge_status status)
{
    switch (status) {
    case CALLGAUGE_OK: return "ok";
    case CALLGAUGE_MORE: return "more input needed";
    case CALLGAUGE_END: return "end of input";
    case CALLGAUGE_E_NOMEM: return "out of memory";
    case CALLGAUGE_E_IO: return "input or output error";
    case CALLGAUGE_E_FORMAT: return "not a readable capture or report";
    case CALLGAUGE_E_USAGE: return "wrong use";
    case CALLGAUGE_E_UNSUPPORTED: return "not supported";
    case CALLGAUGE_E_STOPPED: return "stopped by the caller";
    }
    return "unknown status";
}

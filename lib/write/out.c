/* SPDX-License-Identifier: Apache-2.0 */
/* Collects small pieces into large ones for the caller's output. */
#include "write/out.h"

#include <string.h>

#include "base/error.h"

void cg_out_init(cg_out *out, const callgauge_output *to)
{
    out->to = to;
    out->stopped = false;
    out->used = 0;
}

static void pass_on(cg_out *out, const char *data, size_t len)
{
    if (len > 0 && !out->stopped) {
        out->stopped = out->to->write(out->to->ctx, data, len) != 0;
    }
}

void cg_out_add(cg_out *out, const char *data, size_t len)
{
    if (len > sizeof out->data - out->used) {
        pass_on(out, out->data, out->used);
        out->used = 0;
    }
    if (len > sizeof out->data) {
        pass_on(out, data, len);
    } else if (len > 0) {
        memcpy(out->data + out->used, data, len);
        out->used += len;
    }
}

void cg_out_str(cg_out *out, callgauge_str text)
{
    cg_out_add(out, text.ptr, text.len);
}

void cg_out_z(cg_out *out, const char *text)
{
    cg_out_add(out, text, strlen(text));
}

void cg_out_char(cg_out *out, char c)
{
    cg_out_add(out, &c, 1);
}

void cg_out_blanks(cg_out *out, size_t count)
{
    while (count-- > 0) {
        cg_out_char(out, ' ');
    }
}

void cg_out_u64(cg_out *out, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    cg_out_add(out, digits + at, sizeof digits - at);
}

void cg_out_i64(cg_out *out, int64_t value)
{
    if (value < 0) {
        cg_out_char(out, '-');
    }
    cg_out_u64(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

callgauge_status cg_out_finish(cg_out *out, callgauge_error *err)
{
    pass_on(out, out->data, out->used);
    out->used = 0;
    return out->stopped ? cg_fail(err, CALLGAUGE_E_STOPPED, (cg_place){ 0 }, "the output was stopped") : CALLGAUGE_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A growing buffer with a ceiling. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

void cg_buf_init(cg_buf *buf, size_t limit)
{
    *buf = (cg_buf){ .limit = limit };
}

void cg_buf_release(cg_buf *buf)
{
    cg_mem_free(buf->data);
    *buf = (cg_buf){ .limit = buf->limit };
}

bool cg_buf_reserve(cg_buf *buf, size_t more)
{
    if (more > buf->limit - buf->len) {
        return false;
    }
    size_t need = buf->len + more;
    if (need <= buf->cap) {
        return true;
    }
    size_t cap = buf->cap < 64 ? 64 : buf->cap;
    cap = cap < buf->limit ? cap : buf->limit;
    while (cap < need) {
        cap = cap > buf->limit / 2 ? buf->limit : cap * 2;
    }
    char *data = cg_mem_resize(buf->data, cap);
    if (data == NULL) {
        return false;
    }
    buf->data = data;
    buf->cap = cap;
    return true;
}

bool cg_buf_add(cg_buf *buf, const char *data, size_t len)
{
    if (!cg_buf_reserve(buf, len)) {
        return false;
    }
    if (len > 0) {
        memcpy(buf->data + buf->len, data, len);
    }
    buf->len += len;
    return true;
}

bool cg_buf_add_str(cg_buf *buf, callgauge_str text)
{
    return cg_buf_add(buf, text.ptr, text.len);
}

bool cg_buf_add_z(cg_buf *buf, const char *text)
{
    return cg_buf_add(buf, text, strlen(text));
}

bool cg_buf_add_char(cg_buf *buf, char c)
{
    return cg_buf_add(buf, &c, 1);
}

bool cg_buf_printf(cg_buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char text[512];
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return n >= 0 && (size_t)n < sizeof text && cg_buf_add(buf, text, (size_t)n);
}

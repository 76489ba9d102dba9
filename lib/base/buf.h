/* SPDX-License-Identifier: Apache-2.0 */
/* A growing buffer with a ceiling: the only one of its kind.
 * Invariant: len <= cap <= limit; data[len] is never read. */
#ifndef CG_BASE_BUF_H
#define CG_BASE_BUF_H

#include <callgauge/types.h>
#include <string.h>

typedef struct cg_buf {
    char *data;
    size_t len, cap, limit;
} cg_buf;

void cg_buf_init(cg_buf *buf, size_t limit);
void cg_buf_release(cg_buf *buf);
/* False: no memory, or past the limit; the buffer is unchanged. */
bool cg_buf_reserve(cg_buf *buf, size_t more);
bool cg_buf_add(cg_buf *buf, const char *data, size_t len);
bool cg_buf_add_str(cg_buf *buf, callgauge_str text);
bool cg_buf_add_z(cg_buf *buf, const char *text);
bool cg_buf_add_char(cg_buf *buf, char c);
bool cg_buf_printf(cg_buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline callgauge_str cg_buf_str(const cg_buf *buf)
{
    callgauge_str s = { buf->data, buf->len };
    return s;
}

/* Puts other text in place of all that is there. */
static inline bool cg_buf_set(cg_buf *buf, callgauge_str text)
{
    buf->len = 0;
    if (text.len > buf->cap || text.len == 0) {
        return cg_buf_add_str(buf, text);
    }
    memcpy(buf->data, text.ptr, text.len);
    buf->len = text.len;
    return true;
}

#endif

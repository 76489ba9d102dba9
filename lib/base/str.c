/* SPDX-License-Identifier: Apache-2.0 */
/* Searching in views. */
#include "base/str.h"

size_t cg_str_find(callgauge_str a, const char *text)
{
    size_t n = strlen(text);
    for (size_t i = 0; i + n <= a.len; i++) {
        const char *hit = memchr(a.ptr + i, text[0], a.len - n - i + 1);
        if (hit == NULL) {
            return a.len;
        }
        i = (size_t)(hit - a.ptr);
        if (memcmp(hit, text, n) == 0) {
            return i;
        }
    }
    return a.len;
}

size_t cg_str_find_last(callgauge_str a, const char *text)
{
    size_t n = strlen(text);
    for (size_t i = a.len < n ? 0 : a.len - n + 1; i-- > 0;) {
        if (memcmp(a.ptr + i, text, n) == 0) {
            return i;
        }
    }
    return a.len;
}

callgauge_str cg_str_trim(callgauge_str a)
{
    while (a.len > 0 && cg_is_blank(a.ptr[0])) {
        a.ptr++;
        a.len--;
    }
    while (a.len > 0 && cg_is_blank(a.ptr[a.len - 1])) {
        a.len--;
    }
    return a;
}

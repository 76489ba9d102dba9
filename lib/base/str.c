/* SPDX-License-Identifier: Apache-2.0 */
/* Searching in views. */
#include "base/str.h"

#include "base/swar.h"

/* The first place in [from, a.len) from which 17 bytes can be seen and where two bytes stand, or where those that can
 * end. */
static size_t find_two(callgauge_str a, size_t from, const char *two)
{
    for (; from + 17 <= a.len; from += 16) {
        unsigned both = cg_byte_mask(a.ptr + from, two[0]) & cg_byte_mask(a.ptr + from + 1, two[1]);
        if (both != 0) {
            return from + (unsigned)__builtin_ctz(both);
        }
    }
    return from;
}

size_t cg_str_find(callgauge_str a, const char *text)
{
    size_t n = strlen(text), at = 0;
    while (n > 1 && at + 17 <= a.len) {
        at = find_two(a, at, text);
        if (at + n <= a.len && memcmp(a.ptr + at, text, n) == 0) {
            return at;
        }
        at += at + 17 <= a.len;
    }
    for (size_t i = at; i + n <= a.len; i++) {
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

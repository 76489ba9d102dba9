/* SPDX-License-Identifier: Apache-2.0 */
/* Views: pointer and length, never NUL-terminated. All functions are pure. */
#ifndef CG_BASE_STR_H
#define CG_BASE_STR_H

#include <callgauge/types.h>
#include <string.h>

static inline callgauge_str cg_str(const char *ptr, size_t len)
{
    callgauge_str s = { ptr, len };
    return s;
}

static inline callgauge_str cg_str_range(const char *from, const char *end)
{
    return cg_str(from, (size_t)(end - from));
}

static inline callgauge_str cg_str_z(const char *text)
{
    return cg_str(text, strlen(text));
}

static inline bool cg_str_eq(callgauge_str a, callgauge_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline bool cg_str_is(callgauge_str a, const char *text)
{
    return cg_str_eq(a, cg_str_z(text));
}

static inline bool cg_str_starts(callgauge_str a, const char *text)
{
    size_t n = strlen(text);
    return a.len >= n && memcmp(a.ptr, text, n) == 0;
}

static inline bool cg_str_ends(callgauge_str a, const char *text)
{
    size_t n = strlen(text);
    return a.len >= n && memcmp(a.ptr + a.len - n, text, n) == 0;
}

/* Order by bytes, the shorter first: the total order of every list of names. */
static inline int cg_str_cmp(callgauge_str a, callgauge_str b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int c = n == 0 ? 0 : memcmp(a.ptr, b.ptr, n);
    return c != 0 ? c : (a.len > b.len) - (a.len < b.len);
}

/* Position of the first `text` in `a`, or a.len. */
size_t cg_str_find(callgauge_str a, const char *text);
/* Position of the last `text` in `a`, or a.len. */
size_t cg_str_find_last(callgauge_str a, const char *text);

/* Without blanks and tabs at both ends. */
callgauge_str cg_str_trim(callgauge_str a);

static inline bool cg_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool cg_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline bool cg_is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static inline bool cg_is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

/* A character of a C identifier. */
static inline bool cg_is_word(char c)
{
    return cg_is_digit(c) || cg_is_upper(c) || cg_is_lower(c) || c == '_';
}

static inline bool cg_is_hex(char c)
{
    return cg_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

#endif

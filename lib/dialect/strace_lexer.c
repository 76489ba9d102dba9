/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of a strace call, one by one: split at commas of depth 0, C strings, decorated descriptors. */
#include "base/decimal.h"
#include "base/str.h"
#include "dialect/strace.h"

static bool next_argument(const char **at, const char *end, callgauge_str *arg)
{
    const char *p = *at;
    if (p >= end) {
        return false;
    }
    const char *from = p;
    if (!cg_strace_skip_argument(&p, end)) {
        p = end; /* polluted by the program's output, or cut: one argument to the end */
    }
    while (p < end && *p != ',') {
        p++; /* a stray closing bracket */
    }
    *arg = cg_str_trim(cg_str_range(from, p));
    *at = p < end ? p + 1 : p;
    return arg->len > 0 || p < end;
}

/* One character of a string: `\n`, `\"`, up to three octal digits, `\xHH`. */
static char decode_one(const char **at, const char *end)
{
    const char *p = *at;
    if (*p != '\\' || p + 1 >= end) {
        *at = p + 1;
        return *p;
    }
    char c = *++p;
    static const char names[] = "ntrfv", values[] = "\n\t\r\f\v";
    const char *known = memchr(names, c, sizeof names - 1);
    if (known != NULL) {
        *at = p + 1;
        return values[known - names];
    }
    unsigned value = 0;
    if (c == 'x' && end - p > 2 && cg_is_hex(p[1]) && cg_is_hex(p[2])) {
        for (int i = 1; i <= 2; i++) {
            unsigned digit = (unsigned char)p[i];
            value = value * 16 + (cg_is_digit(p[i]) ? digit - '0' : (digit | 0x20) - 'a' + 10);
        }
        *at = p + 3;
        return (char)value;
    }
    if (c >= '0' && c <= '7') {
        int digits = 0;
        for (; digits < 3 && p < end && *p >= '0' && *p <= '7'; p++, digits++) {
            value = value * 8 + (unsigned)(*p - '0');
        }
        *at = p;
        return (char)value;
    }
    *at = p + 1;
    return c;
}

static bool decode_string(callgauge_str arg, char *to, size_t room, size_t *length, bool *cut)
{
    if (arg.len > 0 && arg.ptr[0] == '@') { /* an abstract unix address */
        arg.ptr++;
        arg.len--;
    }
    if (arg.len < 2 || arg.ptr[0] != '"') {
        return false;
    }
    const char *p = arg.ptr + 1, *end = arg.ptr + arg.len;
    size_t n = 0;
    while (p < end && *p != '"') {
        char c = decode_one(&p, end);
        if (n < room) {
            to[n] = c;
        }
        n++;
    }
    if (p >= end) {
        return false;
    }
    *length = n;
    if (cut != NULL) {
        *cut = cg_str_starts(cg_str_range(p + 1, end), "...");
    }
    return true;
}

static bool read_fd(callgauge_str arg, int64_t *fd, callgauge_str *target)
{
    const char *p = arg.ptr, *end = arg.ptr + arg.len;
    if (cg_str_starts(arg, "AT_FDCWD")) {
        *fd = -100;
        p += 8;
    } else if (!cg_read_i64(&p, end, fd)) {
        return false;
    }
    callgauge_str inside = { p, 0 };
    if (p < end && *p == '<') {
        const char *close = end;
        while (close > p && close[-1] != '>') {
            close--;
        }
        if (close > p) {
            inside = cg_str_range(p + 1, close - 1);
        }
    } else if (p < end && *p != ' ') {
        return false;
    }
    if (target != NULL) {
        *target = inside;
    }
    return true;
}

const cg_lexer cg_strace_lexer = { next_argument, decode_string, read_fd };

/* SPDX-License-Identifier: Apache-2.0 */
/* The text between a call's parentheses: arguments, I/O buffers (two characters a byte) and path strings
 * (only `"` and unprintable bytes escaped), which look alike: a quoted text is a buffer when it reads as at most
 * PAIRS valid pairs up to its end, else a path.
 * Invariant: every function is linear in its text; on failure the cursor stays. */
#include "dialect/truss.h"

#include "base/decimal.h"

enum {
    PAIRS = 32,        /* truss shows 12, a dump line 32 */
    QUOTES = 64,       /* strings in one call */
    LOOK_BEHIND = 1024 /* how far behind `\"` another end of the string is looked for */
};

static const char escapes[] = "0btnvfr";
static const char escaped[] = { 0, '\b', '\t', '\n', '\v', '\f', '\r' };

static int hex_of(char c)
{
    return cg_is_digit(c) ? c - '0' : c - 'A' + 10;
}

static bool is_upper_hex(char c)
{
    return cg_is_digit(c) || (c >= 'A' && c <= 'F');
}

/* The byte that two characters of a buffer stand for, or -1. A printable byte has a blank in front, and
 * those with an escape are never printed in hexadecimal. */
static int pair_byte(const char *at)
{
    if (at[0] == ' ' && at[1] >= ' ' && at[1] <= '~') {
        return at[1];
    }
    if (at[0] == '\\' && at[1] != '\0') {
        const char *hit = strchr(escapes, at[1]);
        return hit == NULL ? -1 : escaped[hit - escapes];
    }
    if (!is_upper_hex(at[0]) || !is_upper_hex(at[1])) {
        return -1;
    }
    int byte = hex_of(at[0]) << 4 | hex_of(at[1]);
    bool otherwise = (byte >= ' ' && byte <= '~') || byte == 0 || (byte >= '\b' && byte <= '\r');
    return otherwise ? -1 : byte;
}

size_t cg_truss_pairs(const char *at, const char *end)
{
    size_t count = 0;
    for (; end - at >= 2 && pair_byte(at) >= 0; at += 2) {
        count++;
    }
    return at == end ? count : 0;
}

static bool ends_argument(const char *at, const char *end)
{
    return at == end || *at == ',' || *at == ')';
}

/* Behind the closing quote and the dots of a buffer whose opening quote is at[-1], or NULL. */
static const char *buffer_end(const char *at, const char *end)
{
    for (int i = 0; i <= PAIRS && at < end; i++, at += 2) {
        if (*at == '"') {
            at++;
            bool dots = end - at >= 2 && at[0] == '.' && at[1] == '.';
            at += dots ? 2 : 0;
            return ends_argument(at, end) ? at : NULL;
        }
        if (end - at < 2 || pair_byte(at) < 0) {
            return NULL;
        }
    }
    return NULL;
}

/* Dots behind a quote are a buffer's; a page may have collapsed its blanks, so that it is no pairs any more. */
static const char *behind_dots(const char *at, const char *end)
{
    while (at < end && *at == '.') {
        at++;
    }
    return at;
}

/* As buffer_end() for a path. `\"` is a quote in it, unless then the string would not end: a backslash
 * is not escaped, `open("dir\", O_RDONLY)`. Strings that the kernel returned have bare quotes inside. */
static const char *path_end(const char *at, const char *end)
{
    const char *doubtful = NULL;
    for (const char *p = at; p < end; p++) {
        if (doubtful != NULL && p - doubtful > LOOK_BEHIND) {
            break;
        }
        if (*p != '"') {
            continue;
        }
        const char *behind = behind_dots(p + 1, end);
        bool closes = ends_argument(behind, end);
        if (p > at && p[-1] == '\\') {
            doubtful = closes && doubtful == NULL ? behind : doubtful;
        } else if (closes) {
            return behind;
        } else if (doubtful != NULL) {
            break;
        }
    }
    return doubtful;
}

/* Behind the string or character constant that begins at `at`; NULL: a string that does not end. */
static const char *quoted_end(const char *at, const char *end)
{
    if (*at == '\'') {
        return end - at >= 3 && at[2] == '\'' ? at + 3 : at + 1;
    }
    const char *behind = buffer_end(at + 1, end);
    return behind != NULL ? behind : path_end(at + 1, end);
}

const char *cg_truss_args_end(const char *at, const char *end)
{
    int depth = 1, quotes = 0;
    while (at < end) {
        if (*at == '"' || *at == '\'') {
            at = ++quotes > QUOTES ? NULL : quoted_end(at, end);
            if (at == NULL) {
                return NULL;
            }
            continue;
        }
        depth += (*at == '(') - (*at == ')');
        if (depth == 0) {
            return at;
        }
        at++;
    }
    return NULL;
}

callgauge_str cg_truss_name(const char *at, const char *end)
{
    enum { LONGEST = 64 };
    const char *p = at;
    if (p >= end || cg_is_digit(*p)) {
        return cg_str(at, 0);
    }
    for (; p < end && p - at <= LONGEST && (cg_is_word(*p) || (*p == '#' && p - at == 3)); p++) {
    }
    return cg_str(at, p < end && *p == '(' && p - at <= LONGEST ? (size_t)(p - at) : 0);
}

bool cg_truss_is_known(callgauge_str name)
{
    static const char *const others[] = { "upanic", "getustack", "lwp_schedctl", "sparc_utrap_install" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (cg_str_is(name, others[i])) {
            return true;
        }
    }
    return cg_class_lookup(name) != NULL || (cg_str_starts(name, "sys#") && name.len > 4 && cg_is_digit(name.ptr[4]));
}

static bool next(const char **at, const char *end, callgauge_str *arg)
{
    const char *start = cg_truss_blanks(*at, end), *p = start;
    int depth = 0;
    if (start >= end) {
        return false;
    }
    while (p < end) {
        if (*p == ',' && depth == 0 && (p + 1 == end || p[1] == ' ')) {
            break;
        }
        if (*p == '"' && depth == 0 && p > start && cg_is_digit(p[-1])) {
            break; /* openat(7"conf", O_RDONLY): the comma is missing in some releases */
        }
        if (*p == '"' || *p == '\'') {
            const char *behind = quoted_end(p, end);
            p = behind == NULL ? end : behind;
            continue;
        }
        depth += (*p == '(' || *p == '[' || *p == '{') - (*p == ')' || *p == ']' || *p == '}');
        p++;
    }
    *arg = cg_str_trim(cg_str_range(start, p));
    *at = p < end && *p == ',' ? p + 1 : p;
    return true;
}

static void put_byte(char *to, size_t room, size_t *length, int byte)
{
    if (*length < room) {
        to[*length] = (char)byte;
    }
    (*length)++;
}

/* \xNN of a byte that is not printable (\xffffffNN in builds of 2006), as `*byte`; the characters it takes. */
static size_t path_escape(const char *at, const char *end, int *byte)
{
    callgauge_str text = cg_str_range(at, end);
    size_t digits = cg_str_starts(text, "\\xffffff") ? 8 : 2;
    uint64_t value;
    const char *from = at + digits;
    if (text.len < digits + 2 || !cg_str_starts(text, "\\x") || !cg_is_hex(from[0]) || !cg_is_hex(from[1])) {
        return 0;
    }
    char text_of[5] = { '0', 'x', from[0], from[1], '\0' };
    const char *p = text_of;
    if (!cg_read_hex(&p, text_of + 4, &value) || (value >= ' ' && value <= '~')) {
        return 0;
    }
    *byte = (int)value;
    return digits + 2;
}

static void decode_path(const char *at, const char *end, char *to, size_t room, size_t *length)
{
    while (at < end) {
        int byte = (unsigned char)*at;
        size_t used = path_escape(at, end, &byte);
        if (used == 0 && end - at >= 2 && at[0] == '\\' && at[1] == '"') {
            byte = '"';
            used = 2;
        }
        put_byte(to, room, length, byte);
        at += used == 0 ? 1 : used;
    }
}

static bool string(callgauge_str arg, char *to, size_t room, size_t *length, bool *cut)
{
    const char *at = arg.ptr + 1, *end = arg.ptr + arg.len;
    if (arg.len < 2 || arg.ptr[0] != '"') {
        return false;
    }
    *length = 0;
    *cut = cg_str_ends(arg, "\"..");
    if (buffer_end(at, end) == end) {
        for (end -= *cut ? 3 : 1; at < end; at += 2) {
            put_byte(to, room, length, pair_byte(at));
        }
        return true;
    }
    end--;
    if (*cut || end < at || *end != '"') {
        return false; /* a buffer that has lost blanks */
    }
    decode_path(at, end, to, room, length);
    return true;
}

/* AT_FDCWD is printed as its Solaris number by many builds of Solaris 10. */
static bool fd(callgauge_str arg, int64_t *value, callgauge_str *target)
{
    const char *at = arg.ptr, *end = arg.ptr + arg.len;
    int64_t number = -100;
    bool cwd = cg_str_is(arg, "AT_FDCWD") || cg_str_is(arg, "-3041965");
    if (!cwd && (!cg_read_i64(&at, end, &number) || at != end)) {
        return false;
    }
    *value = number;
    *target = cg_str(end, 0);
    return true;
}

const cg_lexer cg_truss_lexer = { next, string, fd };

/* SPDX-License-Identifier: Apache-2.0 */
/* The rarer durations and results that the fast forms of the strace dialect know. */
#include "dialect/strace_tail.h"

#include "base/decimal.h"

/* A duration whose end is at `end` and that has more than one digit of seconds; at: its '<'. NULL: it is none. */
cg_read_to cg_strace_long_duration(const char *end)
{
    uint32_t micro;
    const char *p = end - 9;
    if (end[-1] != '>' || !cg_six_digits(p, &micro) || !cg_is_digit(*p)) {
        return (cg_read_to){ NULL, 0 };
    }
    int64_t seconds = *p - '0', unit = 1;
    while (cg_is_digit(p[-1]) && unit < 10000000) {
        unit *= 10;
        p--;
        seconds += (*p - '0') * unit;
    }
    bool ok = p[-1] == '<' && p[-2] == ' ';
    return (cg_read_to){ ok ? p - 1 : NULL, seconds * 1000000000 + (int64_t)micro * 1000 };
}

/* Which of the 16 bytes from `p` on are one of four characters. */
CG_HOT unsigned mask_of(const char *p, const char chars[4])
{
#if defined(__SSE2__)
    __m128i text = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i first = _mm_or_si128(_mm_cmpeq_epi8(text, _mm_set1_epi8(chars[0])),
                                 _mm_cmpeq_epi8(text, _mm_set1_epi8(chars[1])));
    __m128i second = _mm_or_si128(_mm_cmpeq_epi8(text, _mm_set1_epi8(chars[2])),
                                  _mm_cmpeq_epi8(text, _mm_set1_epi8(chars[3])));
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(first, second));
#else
    return cg_byte_mask(p, chars[0]) | cg_byte_mask(p, chars[1]) | cg_byte_mask(p, chars[2]) |
           cg_byte_mask(p, chars[3]);
#endif
}

/* Whether one of four characters is in [p, end); CG_PAD bytes behind `end` may be read. */
CG_HOT bool has_any(const char *p, const char *end, const char chars[4])
{
    for (; p < end; p += 16) {
        unsigned found = mask_of(p, chars);
        size_t left = (size_t)(end - p);
        if ((left < 16 ? found & ((1u << left) - 1) : found) != 0) {
            return true;
        }
    }
    return false;
}

/* "ENOENT (No such file or directory)" up to `end`. */
static bool read_error(const cg_parse *parse, const char *p, const char *end, cg_rare_value *out)
{
    const char *name = p;
    size_t len = (size_t)__builtin_ctz(cg_byte_mask(p, ' ') | 0x10000);
    p += len;
    if (*name != 'E' || len == 0 || end - p < 3 || p[0] != ' ' || p[1] != '(' || end[-1] != ')' ||
        has_any(p + 2, end - 1, "()()")) {
        return false;
    }
    int64_t id = cg_intern_find_short(&parse->errors.index, name, len);
    if (id < 0) {
        return false;
    }
    out->error = parse->errors.plain[id];
    out->note = cg_str_range(p + 1, end);
    return true;
}

/* "<...>" up to `end`, without another bracket, quote or escape in it; arrows of addresses do not end it. */
static bool is_decoration(const char *p, const char *end)
{
    if (end - p > 1 && end[-1] == '>' && end[-2] != '-' && !has_any(p + 1, end - 1, "<>\"\\")) {
        return true;
    }
    const char *close = memchr(p, '>', (size_t)(end - p));
    while (close != NULL && close != end - 1 && close[-1] == '-' && p[1] != '/') {
        close = memchr(close + 1, '>', (size_t)(end - close - 1));
    }
    return close == end - 1 && close[-1] != '-' && memchr(p + 1, '<', (size_t)(end - p - 1)) == NULL &&
           memchr(p, '"', (size_t)(end - p)) == NULL && memchr(p, '\\', (size_t)(end - p)) == NULL;
}

/* "<...>", or " (...)" without another parenthesis or quote in it. */
static bool read_one_note(const char *p, const char *end, cg_rare_value *out)
{
    if (*p == '<') {
        out->result_len += (size_t)(end - p);
        return is_decoration(p, end);
    }
    if (end - p < 3 || p[0] != ' ' || p[1] != '(' || p[2] == 'I' || p[2] == 'D') {
        return false;
    }
    out->note = cg_str_range(p + 1, end);
    return end[-1] == ')' && !has_any(p + 2, end - 1, "()\"\"");
}

/* "0x7f85a614b000", "4294967296", "3</etc/passwd>", "0x2 (flags O_RDWR)" */
static bool read_number(const char *p, const char *end, cg_rare_value *out)
{
    const char *from = p;
    uint64_t value = 0;
    if (p[0] == '0' && p[1] == 'x') {
        if (!cg_read_hex(&p, end, &value)) {
            return false;
        }
    } else {
        while (p < end && cg_is_digit(*p)) {
            value = value * 10 + (uint64_t)(*p++ - '0');
        }
        if (p == from || p - from > 18 || (*from == '0' && p - from > 1)) {
            return false;
        }
    }
    out->value = (int64_t)value;
    out->result_len = (size_t)(p - from);
    return p == end || read_one_note(p, end, out);
}

/* The result from behind "= " up to `end`. */
cg_rare_value cg_strace_rare_value(const cg_parse *parse, const char *p, const char *end)
{
    cg_rare_value out = { .has = CALLGAUGE_HAS_VALUE, .value = -1, .result_len = 2 };
    if (p >= end) {
        out.ok = false;
    } else if (*p == '?') {
        out = (cg_rare_value){ .ok = end - p == 1, .flags = CALLGAUGE_CALL_UNRETURNED, .result_len = 1 };
    } else if (*p == '-') {
        out.ok = end - p > 4 && p[1] == '1' && p[2] == ' ' && read_error(parse, p + 3, end, &out);
    } else {
        out.ok = read_number(p, end, &out);
    }
    return out;
}

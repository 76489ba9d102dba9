/* SPDX-License-Identifier: Apache-2.0 */
/* Text of a predicate to tokens. A single-quoted string is as it stands, two quotes in it are one; a double-quoted one
 * has the escapes \\ \" \n \t \xHH. Numbers are exact: 0.1s is 100,000,000 ns. */
#include "predicate/lex.h"

#include "base/decimal.h"
#include "base/str.h"

typedef struct unit {
    const char *name;
    cg_type type;
    int64_t worth;
} unit;

static const unit units[] = {
    { "B", CG_TYPE_BYTES, 1 },
    { "KB", CG_TYPE_BYTES, 1000 },
    { "kB", CG_TYPE_BYTES, 1000 },
    { "MB", CG_TYPE_BYTES, 1000000 },
    { "GB", CG_TYPE_BYTES, 1000000000 },
    { "TB", CG_TYPE_BYTES, 1000000000000 },
    { "KiB", CG_TYPE_BYTES, 1024 },
    { "MiB", CG_TYPE_BYTES, 1024 * 1024 },
    { "GiB", CG_TYPE_BYTES, 1024 * 1024 * 1024 },
    { "TiB", CG_TYPE_BYTES, (int64_t)1024 * 1024 * 1024 * 1024 },
    { "ns", CG_TYPE_TIME, 1 },
    { "us", CG_TYPE_TIME, 1000 },
    { "ms", CG_TYPE_TIME, 1000000 },
    { "s", CG_TYPE_TIME, 1000000000 },
    { "min", CG_TYPE_TIME, 60000000000 },
    { "h", CG_TYPE_TIME, 3600000000000 },
};

static const char *const signs[] = { "==", "!=", "<=", ">=", "<", ">", "(", ")", ",", "+", "-", "*", "[", "]" };

bool cg_token_is(const cg_token *token, const char *text)
{
    return (token->kind == CG_TOKEN_SIGN || token->kind == CG_TOKEN_NAME) && cg_str_is(token->text, text);
}

static cg_token bad(uint32_t at, const char *fault)
{
    return (cg_token){ .kind = CG_TOKEN_BAD, .begin = at, .end = at, .fault = fault };
}

static bool is_letter(char c)
{
    return cg_is_word(c) && !cg_is_digit(c);
}

/* --- numbers */

/* Digits behind the point as a fraction `part` of `scale`; digits past the 18th change nothing that is compared. */
static void read_fraction(const char **at, const char *end, int64_t *part, int64_t *scale)
{
    for (*part = 0, *scale = 1; *at < end && cg_is_digit(**at); ++*at) {
        if (*scale < 1000000000000000000) {
            *part = *part * 10 + (**at - '0');
            *scale *= 10;
        }
    }
}

static const unit *find_unit(callgauge_str name)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (cg_str_is(name, units[i].name)) {
            return &units[i];
        }
    }
    return NULL;
}

/* whole + part / scale units, as an integer. */
static bool in_units(int64_t whole, int64_t part, int64_t scale, int64_t worth, int64_t *out)
{
    int64_t low = (int64_t)((double)part / (double)scale * (double)worth + 0.5);
    return !__builtin_mul_overflow(whole, worth, out) && !__builtin_add_overflow(*out, low, out);
}

static const char *read_value(callgauge_str name, int64_t whole, int64_t part, int64_t scale, cg_value *value)
{
    *value = (cg_value){ .known = CG_KNOWN, .type = CG_TYPE_NUMBER, .number = whole, .lasting = true };
    if (name.len > 0 && name.ptr[0] != '%') {
        const unit *found = find_unit(name);
        if (found == NULL) {
            return "unknown unit; sizes have B KB MB GB KiB MiB GiB, times ns us ms s min h, shares %";
        }
        value->type = found->type;
        return in_units(whole, part, scale, found->worth, &value->number) ? NULL : "number too large";
    }
    if (part > 0 || name.len > 0) {
        value->is_real = true;
        value->real = ((double)whole + (double)part / (double)scale) / (name.len > 0 ? 100 : 1);
    }
    return NULL;
}

static cg_token lex_number(callgauge_str text, uint32_t at)
{
    const char *p = text.ptr + at;
    const char *end = text.ptr + text.len;
    uint64_t whole;
    int64_t part = 0;
    int64_t scale = 1;
    if (!cg_read_hex(&p, end, &whole)) {
        if (!cg_read_u64(&p, end, &whole)) {
            return bad(at, "number too large");
        }
        if (end - p >= 2 && *p == '.' && cg_is_digit(p[1])) {
            p++;
            read_fraction(&p, end, &part, &scale);
        }
    }
    const char *unit_at = p;
    if (p < end && *p == '%') {
        p++;
    } else {
        while (p < end && cg_is_word(*p)) {
            p++;
        }
    }
    cg_token token = { .kind = CG_TOKEN_NUMBER, .begin = at, .end = (uint32_t)(p - text.ptr) };
    token.text = cg_str(text.ptr + at, token.end - at);
    if (whole > INT64_MAX) {
        return bad(at, "number too large");
    }
    const char *fault = read_value(cg_str_range(unit_at, p), (int64_t)whole, part, scale, &token.value);
    return fault == NULL ? token : bad((uint32_t)(unit_at - text.ptr), fault);
}

/* --- strings */

static int hex_digit(char c)
{
    return cg_is_digit(c) ? c - '0' : cg_is_hex(c) ? (c | 0x20) - 'a' + 10 : -1;
}

/* Moves `*at` behind one character of a string in quotes of kind `quote` and gives the byte it stands for.
 * -1: an escape that is none. */
static int string_byte(callgauge_str text, uint32_t *at, uint32_t end, char quote)
{
    char c = text.ptr[(*at)++];
    if (quote == '\'') {
        *at += c == '\''; /* two quotes */
        return (unsigned char)c;
    }
    if (c != '\\') {
        return (unsigned char)c;
    }
    char escaped = *at < end ? text.ptr[(*at)++] : '\0';
    switch (escaped) {
    case '\\':
    case '"': return escaped;
    case 'n': return '\n';
    case 't': return '\t';
    case 'x': break;
    default: return -1;
    }
    if (*at + 2 > end || hex_digit(text.ptr[*at]) < 0 || hex_digit(text.ptr[*at + 1]) < 0) {
        return -1;
    }
    *at += 2;
    return hex_digit(text.ptr[*at - 2]) * 16 + hex_digit(text.ptr[*at - 1]);
}

/* Position of the closing quote, or the text's length. */
static uint32_t string_end(callgauge_str text, uint32_t at)
{
    char quote = text.ptr[at++];
    while (at < text.len) {
        char c = text.ptr[at];
        bool twice = c == quote && quote == '\'' && at + 1 < text.len && text.ptr[at + 1] == quote;
        if (c == quote && !twice) {
            return at;
        }
        at += twice || (c == '\\' && quote == '"') ? 2 : 1;
    }
    return (uint32_t)text.len;
}

static cg_token lex_string(callgauge_str text, uint32_t at, cg_arena *arena)
{
    uint32_t close = string_end(text, at);
    if (close == text.len) {
        return bad(at, "the string does not end");
    }
    char *bytes = cg_arena_alloc(arena, close - at);
    if (bytes == NULL) {
        return bad(at, NULL);
    }
    size_t len = 0;
    for (uint32_t i = at + 1; i < close;) {
        uint32_t from = i;
        int byte = string_byte(text, &i, close, text.ptr[at]);
        if (byte < 0) {
            return bad(from, "unknown escape; a string in double quotes has \\\\ \\\" \\n \\t \\xHH, "
                             "one in single quotes none");
        }
        bytes[len++] = (char)byte;
    }
    cg_token token = { .kind = CG_TOKEN_STRING, .begin = at, .end = close + 1, .text = { bytes, len } };
    token.value = (cg_value){ .known = CG_KNOWN, .type = CG_TYPE_TEXT, .lasting = true, .text = token.text };
    return token;
}

uint32_t cg_lex_string_byte(callgauge_str text, uint32_t begin, uint32_t end, size_t index)
{
    uint32_t at = begin + 1;
    while (index-- > 0 && at + 1 < end) {
        string_byte(text, &at, end - 1, text.ptr[begin]);
    }
    return at;
}

/* --- the rest */

static cg_token lex_name(callgauge_str text, uint32_t at)
{
    uint32_t end = at;
    while (end < text.len && (cg_is_word(text.ptr[end]) ||
                              (text.ptr[end] == '.' && end + 1 < text.len && is_letter(text.ptr[end + 1])))) {
        end++;
    }
    return (cg_token){ .kind = CG_TOKEN_NAME, .begin = at, .end = end, .text = cg_str(text.ptr + at, end - at) };
}

static const char *why_no_sign(char c)
{
    switch (c) {
    case '=': return "a comparison is written ==";
    case '&': return "write `and`";
    case '|': return "write `or`";
    case '!': return "write `not`";
    case '~': return "write `matches`";
    case '/': return "texts are quoted, and there is no division";
    default: return "unexpected character";
    }
}

static cg_token lex_sign(callgauge_str text, uint32_t at)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (cg_str_starts(cg_str(text.ptr + at, text.len - at), signs[i])) {
            uint32_t len = (uint32_t)strlen(signs[i]);
            return (cg_token){ .kind = CG_TOKEN_SIGN, .begin = at, .end = at + len, .text = { text.ptr + at, len } };
        }
    }
    return bad(at, why_no_sign(text.ptr[at]));
}

cg_token cg_lex(callgauge_str text, uint32_t at, cg_arena *arena)
{
    while (at < text.len && (cg_is_blank(text.ptr[at]) || text.ptr[at] == '\n' || text.ptr[at] == '\r')) {
        at++;
    }
    if (at >= text.len) {
        return (cg_token){ .kind = CG_TOKEN_END, .begin = (uint32_t)text.len, .end = (uint32_t)text.len };
    }
    char c = text.ptr[at];
    if (is_letter(c)) {
        return lex_name(text, at);
    }
    if (cg_is_digit(c)) {
        return lex_number(text, at);
    }
    return c == '\'' || c == '"' ? lex_string(text, at, arena) : lex_sign(text, at);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Escapes captured text for each form of output.
 * Invariant: no control byte and no malformed UTF-8 passes through any of these. */
#include "write/escape.h"

#include <string.h>

#include "base/str.h"

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* The length that the first byte of a character calls for; 0: none begins so. */
static size_t length_called_for(unsigned char first)
{
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xC2 && first <= 0xDF) {
        return 2;
    }
    if (first >= 0xE0 && first <= 0xEF) {
        return 3;
    }
    return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

/* The length of the UTF-8 character at the front of `text` (not empty) and its code point; 0: it is none. */
static size_t decode(callgauge_str text, uint32_t *code)
{
    static const uint32_t least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
    unsigned char first = (unsigned char)text.ptr[0];
    size_t len = length_called_for(first);
    if (len == 0 || len > text.len) {
        return 0;
    }
    uint32_t value = len == 1 ? first : first & (0xFFu >> (len + 1));
    for (size_t i = 1; i < len; i++) {
        if (!is_continuation(text.ptr[i])) {
            return 0;
        }
        value = value << 6 | ((unsigned char)text.ptr[i] & 0x3Fu);
    }
    if (value < least[len] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
        return 0;
    }
    *code = value;
    return len;
}

/* Whether a terminal would do something for it rather than show it: C0, DEL, C1, line and paragraph
 * separators, changes of direction. As in cli/message.c. */
static bool acts(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

static void octal(cg_out *out, const char *backslash, callgauge_str bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        unsigned char byte = (unsigned char)bytes.ptr[i];
        const char digits[3] = { (char)('0' + (byte >> 6)), (char)('0' + (byte >> 3 & 7)), (char)('0' + (byte & 7)) };
        cg_out_z(out, backslash);
        cg_out_add(out, digits, sizeof digits);
    }
}

/* The next character of `*rest`, or one byte that is none; `*code` is 0 for that. */
static callgauge_str take(callgauge_str *rest, uint32_t *code)
{
    *code = 0;
    size_t len = decode(*rest, code);
    callgauge_str taken = cg_str(rest->ptr, len == 0 ? 1 : len);
    *rest = cg_str(rest->ptr + taken.len, rest->len - taken.len);
    return taken;
}

/* How many bytes at the front are plain: printable ASCII but none of `special`. */
static size_t plain_length(callgauge_str text, const char *special)
{
    size_t n = 0;
    while (n < text.len && text.ptr[n] >= 0x20 && text.ptr[n] < 0x7F && strchr(special, text.ptr[n]) == NULL) {
        n++;
    }
    return n;
}

static void add_plain(cg_out *out, callgauge_str *rest, const char *special)
{
    size_t n = plain_length(*rest, special);
    cg_out_add(out, rest->ptr, n);
    *rest = cg_str(rest->ptr + n, rest->len - n);
}

/* One character, made harmless. */
static void show_one(cg_out *out, callgauge_str one, uint32_t code)
{
    if (acts(code)) {
        octal(out, "\\", one);
    } else {
        cg_out_str(out, one);
    }
}

/* How a form writes a character that is not plain, or a byte that is none: `code` is 0 for that. */
typedef void one_fn(cg_out *out, callgauge_str one, uint32_t code);

/* Writes plain text as it is, and `one` writes all else. */
static void escape(cg_out *out, callgauge_str text, const char *special, one_fn *one)
{
    while (text.len > 0) {
        add_plain(out, &text, special);
        if (text.len > 0) {
            uint32_t code;
            callgauge_str taken = take(&text, &code);
            one(out, taken, code);
        }
    }
}

void cg_escape_show(cg_out *out, callgauge_str text)
{
    escape(out, text, "", show_one);
}

size_t cg_escape_width(callgauge_str text)
{
    size_t width = 0;
    while (text.len > 0) {
        uint32_t code;
        callgauge_str one = take(&text, &code);
        width += acts(code) ? 4 * one.len : 1;
    }
    return width;
}

size_t cg_escape_front(callgauge_str text, size_t width)
{
    callgauge_str rest = text;
    size_t used = 0;
    while (rest.len > 0) {
        uint32_t code;
        callgauge_str one = take(&rest, &code);
        used += acts(code) ? 4 * one.len : 1;
        if (used > width) {
            return text.len - rest.len - one.len;
        }
    }
    return text.len;
}

size_t cg_escape_end(callgauge_str text, size_t width)
{
    size_t left = cg_escape_width(text);
    callgauge_str rest = text;
    while (rest.len > 0 && left > width) {
        uint32_t code;
        callgauge_str one = take(&rest, &code);
        left -= acts(code) ? 4 * one.len : 1;
    }
    return rest.len;
}

static void json_unit(cg_out *out, uint32_t code)
{
    static const char hex[] = "0123456789abcdef";
    const char unit[6] = { '\\', 'u', hex[code >> 12 & 15], hex[code >> 8 & 15], hex[code >> 4 & 15], hex[code & 15] };
    cg_out_add(out, unit, sizeof unit);
}

static void json_one(cg_out *out, callgauge_str one, uint32_t code)
{
    switch (code) {
    case 0: octal(out, "\\\\", one); break;
    case '"': cg_out_z(out, "\\\""); break;
    case '\\': cg_out_z(out, "\\\\\\\\"); break;
    case '\n': cg_out_z(out, "\\n"); break;
    case '\r': cg_out_z(out, "\\r"); break;
    case '\t': cg_out_z(out, "\\t"); break;
    default:
        if (acts(code)) {
            json_unit(out, code);
        } else {
            cg_out_str(out, one);
        }
    }
}

void cg_escape_json_part(cg_out *out, callgauge_str text)
{
    escape(out, text, "\"\\", json_one);
}

static void json_shown_one(cg_out *out, callgauge_str one, uint32_t code)
{
    if (code == '\\') {
        cg_out_z(out, "\\\\");
    } else if (code != '"' && acts(code) && code != '\n' && code != '\t') {
        octal(out, "\\\\", one);
    } else {
        json_one(out, one, code);
    }
}

void cg_escape_json_shown(cg_out *out, callgauge_str text)
{
    escape(out, text, "\"\\", json_shown_one);
}

void cg_escape_json(cg_out *out, callgauge_str text)
{
    cg_out_char(out, '"');
    cg_escape_json_part(out, text);
    cg_out_char(out, '"');
}

static bool is_octal_digit(char c)
{
    return c >= '0' && c <= '7';
}

bool cg_unescape(callgauge_str text, char *to, size_t *len)
{
    size_t used = 0;
    for (size_t i = 0; i < text.len; i++) {
        const char *p = text.ptr + i;
        size_t left = text.len - i;
        if (*p != '\\') {
            to[used++] = *p;
        } else if (left >= 2 && p[1] == '\\') {
            to[used++] = '\\';
            i++;
        } else if (left >= 4 && p[1] >= '0' && p[1] <= '3' && is_octal_digit(p[2]) && is_octal_digit(p[3])) {
            to[used++] = (char)(unsigned char)((p[1] - '0') << 6 | (p[2] - '0') << 3 | (p[3] - '0'));
            i += 3;
        } else {
            return false;
        }
    }
    *len = used;
    return true;
}

/* "-1", "-0.25": a number below zero. */
static bool is_negative_number(callgauge_str text)
{
    size_t at = 1, points = 0;
    while (at < text.len && (cg_is_digit(text.ptr[at]) || (text.ptr[at] == '.' && points++ == 0))) {
        at++;
    }
    return text.len > 1 && at == text.len && cg_is_digit(text.ptr[1]);
}

/* Whether a spreadsheet would work out a cell rather than show it. */
static bool is_formula(callgauge_str text)
{
    if (text.len == 0) {
        return false;
    }
    char first = text.ptr[0];
    return first == '=' || first == '+' || first == '@' || (first == '-' && !is_negative_number(text));
}

bool cg_escape_csv_formula(callgauge_str text)
{
    return is_formula(text);
}

bool cg_escape_csv_quotes(callgauge_str text)
{
    return text.len > 0 && (memchr(text.ptr, ',', text.len) != NULL || memchr(text.ptr, '"', text.len) != NULL);
}

static void csv_one(cg_out *out, callgauge_str one, uint32_t code)
{
    show_one(out, one, code);
    if (code == '"') {
        cg_out_char(out, '"');
    }
}

void cg_escape_csv_part(cg_out *out, callgauge_str text)
{
    escape(out, text, "\"", csv_one);
}

void cg_escape_csv(cg_out *out, callgauge_str text)
{
    bool quoted = cg_escape_csv_quotes(text);
    cg_out_z(out, quoted ? "\"" : "");
    cg_out_z(out, is_formula(text) ? "'" : "");
    cg_escape_csv_part(out, text);
    cg_out_z(out, quoted ? "\"" : "");
}

static void markdown_one(cg_out *out, callgauge_str one, uint32_t code)
{
    switch (code) {
    case '<': cg_out_z(out, "&lt;"); break;
    case '>': cg_out_z(out, "&gt;"); break;
    case '&': cg_out_z(out, "&amp;"); break;
    default:
        if (code > 0x20 && code < 0x7F) {
            cg_out_char(out, '\\');
        }
        show_one(out, one, code);
    }
}

void cg_escape_markdown(cg_out *out, callgauge_str text)
{
    escape(out, text, "\\`|*[]~<>&", markdown_one);
}

static void write_reference(cg_out *out, uint32_t code)
{
    cg_out_z(out, "&#");
    cg_out_u64(out, code);
    cg_out_char(out, ';');
}

static void xml_one(cg_out *out, callgauge_str one, uint32_t code)
{
    enum { NO_CHARACTER = 0xFFFE }; /* it and the one behind it are no XML */
    switch (code) {
    case '<': cg_out_z(out, "&lt;"); break;
    case '>': cg_out_z(out, "&gt;"); break;
    case '&': cg_out_z(out, "&amp;"); break;
    case '"': cg_out_z(out, "&quot;"); break;
    case '\t':
    case '\n':
    case '\r': write_reference(out, code); break;
    case NO_CHARACTER:
    case NO_CHARACTER + 1: octal(out, "\\", one); break;
    default: show_one(out, one, code);
    }
}

void cg_escape_xml(cg_out *out, callgauge_str text)
{
    escape(out, text, "<>&\"", xml_one);
}

void cg_escape_xml_lines(cg_out *out, callgauge_str text)
{
    while (text.len > 0) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t line = end == NULL ? text.len : (size_t)(end - text.ptr);
        cg_escape_xml(out, cg_str(text.ptr, line));
        cg_out_z(out, end == NULL ? "" : "\n");
        line += end != NULL;
        text = cg_str(text.ptr + line, text.len - line);
    }
}

static void percent(cg_out *out, callgauge_str bytes)
{
    static const char hex[] = "0123456789ABCDEF";
    for (size_t i = 0; i < bytes.len; i++) {
        unsigned char byte = (unsigned char)bytes.ptr[i];
        const char coded[3] = { '%', hex[byte >> 4], hex[byte & 15] };
        cg_out_add(out, coded, sizeof coded);
    }
}

static void command_one(cg_out *out, callgauge_str one, uint32_t code)
{
    if (code == '\r' || code == '\n' || (code > 0x20 && code < 0x7F)) {
        percent(out, one);
    } else {
        show_one(out, one, code);
    }
}

void cg_escape_command(cg_out *out, callgauge_str text)
{
    escape(out, text, "%", command_one);
}

void cg_escape_property(cg_out *out, callgauge_str text)
{
    escape(out, text, "%:,", command_one);
}

void cg_escape_uri(cg_out *out, callgauge_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (cg_is_word(c) || c == '/' || c == '-' || c == '.' || c == '~') {
            cg_out_char(out, c);
        } else {
            percent(out, cg_str(&c, 1));
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Undoing damage to a line. Every byte that is changed or left out is part of a counted repair; a line
 * without damage is not copied. */
#include "reader/repair.h"

#include "base/str.h"

const char *cg_repair_name(cg_repair kind)
{
    static const char *const names[CG_REPAIR_COUNT] = {
        [CG_REPAIR_CR] = "cr-lf",
        [CG_REPAIR_BOM] = "byte-order-mark",
        [CG_REPAIR_NUL] = "nul-bytes",
        [CG_REPAIR_PREFIX] = "constant-prefix",
        [CG_REPAIR_HTML] = "html-entities",
        [CG_REPAIR_BACKSLASH] = "yen-backslash",
        [CG_REPAIR_QUOTES] = "curly-quotes",
        [CG_REPAIR_BLANKS] = "no-break-blanks",
        [CG_REPAIR_TABS] = "tabs-expanded",
        [CG_REPAIR_JOINED] = "joined-lines",
        [CG_REPAIR_WRAPPED] = "wrapped-lines",
        [CG_REPAIR_OUTPUT_IN] = "output-inside-line",
        [CG_REPAIR_OUTPUT_BEFORE] = "output-before-event",
        [CG_REPAIR_NOTICE_IN] = "notice-inside-line",
        [CG_REPAIR_PID] = "missing-pid",
        [CG_REPAIR_ECHO] = "control-echo",
    };
    return names[kind];
}

/* Blanks in front of a number may be more or fewer: numbers are aligned to the right. */
static bool is_padding(const cg_prefix *prefix, size_t i)
{
    return prefix->shape[i] == ' ' && i + 1 < prefix->len && prefix->shape[i + 1] == '9';
}

size_t cg_prefix_match(const cg_prefix *prefix, callgauge_str text)
{
    size_t at = 0;
    for (size_t i = 0; i < prefix->len; i++) {
        if (is_padding(prefix, i)) {
            while (at < text.len && text.ptr[at] == ' ') {
                at++;
            }
        } else if (prefix->shape[i] == '9') {
            size_t from = at;
            while (at < text.len && cg_is_digit(text.ptr[at])) {
                at++;
            }
            if (at == from) {
                return 0;
            }
        } else if (at >= text.len || text.ptr[at++] != prefix->shape[i]) {
            return 0;
        }
    }
    return at;
}

/* Whether a blank follows another one, in front of a number. */
static bool is_more_padding(callgauge_str text, size_t i)
{
    size_t behind = i;
    while (behind < text.len && text.ptr[behind] == ' ') {
        behind++;
    }
    return behind > i && behind < text.len && cg_is_digit(text.ptr[behind]) && i > 0 && text.ptr[i - 1] == ' ';
}

bool cg_prefix_of(callgauge_str text, cg_prefix *out)
{
    out->len = 0;
    for (size_t i = 0; i < text.len; i++) {
        bool digit = cg_is_digit(text.ptr[i]);
        bool digits_go_on = digit && i > 0 && cg_is_digit(text.ptr[i - 1]);
        if (digits_go_on || is_more_padding(text, i)) {
            continue;
        }
        if (out->len >= sizeof out->shape) {
            return false;
        }
        out->shape[out->len++] = digit ? '9' : text.ptr[i];
    }
    return out->len > 0;
}

static const struct replacement {
    const char *from, *to;
    cg_repair kind;
} replacements[] = {
    { "&lt;", "<", CG_REPAIR_HTML },
    { "&gt;", ">", CG_REPAIR_HTML },
    { "&quot;", "\"", CG_REPAIR_HTML },
    { "&#34;", "\"", CG_REPAIR_HTML },
    { "&#39;", "'", CG_REPAIR_HTML },
    { "&apos;", "'", CG_REPAIR_HTML },
    { "&nbsp;", " ", CG_REPAIR_HTML },
    { "&amp;", "&", CG_REPAIR_HTML },
    { "<br />", "", CG_REPAIR_HTML },
    { "<br/>", "", CG_REPAIR_HTML },
    { "<br>", "", CG_REPAIR_HTML },
    { "</p>", "", CG_REPAIR_HTML },
    { "<p>", "", CG_REPAIR_HTML },
    { "<pre>", "", CG_REPAIR_HTML },
    { "</pre>", "", CG_REPAIR_HTML },
    { "<code>", "", CG_REPAIR_HTML },
    { "</code>", "", CG_REPAIR_HTML },
    { "\xc2\xa5", "\\", CG_REPAIR_BACKSLASH },     /* yen sign */
    { "\xef\xbf\xa5", "\\", CG_REPAIR_BACKSLASH }, /* wide yen sign */
    { "\xe2\x82\xa9", "\\", CG_REPAIR_BACKSLASH }, /* won sign */
    { "\xef\xbf\xa6", "\\", CG_REPAIR_BACKSLASH }, /* wide won sign */
    { "\xe2\x80\x9c", "\"", CG_REPAIR_QUOTES },    /* curly double quotes */
    { "\xe2\x80\x9d", "\"", CG_REPAIR_QUOTES },
    { "\xe2\x80\x9e", "\"", CG_REPAIR_QUOTES },
    { "\xc2\xa0", " ", CG_REPAIR_BLANKS },
    { "\xe2\x80\x93", "-", CG_REPAIR_QUOTES }, /* the dash that editors make of -1 */
};

static const struct replacement *find_replacement(callgauge_str text, bool html)
{
    for (size_t i = 0; i < sizeof replacements / sizeof *replacements; i++) {
        if ((html || replacements[i].kind != CG_REPAIR_HTML) && cg_str_starts(text, replacements[i].from)) {
            return &replacements[i];
        }
    }
    return NULL;
}

/* "ESC [ digits ; m": strace 7.0 colours, or a terminal's. 0: none here. */
static size_t color_length(callgauge_str text)
{
    if (text.len < 3 || text.ptr[0] != '\033' || text.ptr[1] != '[') {
        return 0;
    }
    for (size_t i = 2; i < text.len; i++) {
        if (text.ptr[i] == 'm' || text.ptr[i] == 'K') {
            return i + 1;
        }
        if (!cg_is_digit(text.ptr[i]) && text.ptr[i] != ';') {
            return 0;
        }
    }
    return 0;
}

/* Where the error text of the tracer's locale may begin: behind it nothing is damage. */
static size_t end_of_damage(callgauge_str text)
{
    size_t error = cg_str_find_last(text, " = -1 E");
    return error == text.len ? cg_str_find_last(text, " = ? E") : error;
}

static bool has_odd_byte(callgauge_str text)
{
    unsigned char above = 0;
    for (size_t i = 0; i < text.len; i++) {
        above |= (unsigned char)text.ptr[i];
    }
    return above > 0x7f || memchr(text.ptr, '\0', text.len) != NULL;
}

static bool is_damaged(const cg_damage *damage, const cg_line *line, callgauge_str text)
{
    return damage->html || (line->many && has_odd_byte(text)) || (text.len > 0 && text.ptr[text.len - 1] == '\r') ||
           memchr(text.ptr, '\033', text.len) != NULL;
}

static void note(cg_parse *parse, cg_repair kind, const cg_line *line, uint32_t *noted)
{
    if (parse != NULL && (*noted & 1u << kind) == 0) {
        *noted |= 1u << kind;
        cg_parse_repair(parse, kind, line->number);
    }
}

/* Copies what is to stay of `text`; each kind of repair is counted once a line. */
static bool copy_repaired(const cg_damage *damage, const cg_line *line, callgauge_str text, cg_parse *parse,
                          cg_buf *out)
{
    uint32_t noted = 0;
    size_t limit = end_of_damage(text);
    for (size_t i = 0; i < text.len;) {
        callgauge_str left = cg_str(text.ptr + i, text.len - i);
        size_t color = color_length(left);
        if (color > 0) {
            i += color;
            continue;
        }
        char c = left.ptr[0];
        if (c == '\0') {
            note(parse, CG_REPAIR_NUL, line, &noted);
            i++;
            continue;
        }
        const struct replacement *found = NULL;
        if (c == '&' || c == '<' || (i < limit && (unsigned char)c >= 0x80)) {
            found = find_replacement(left, damage->html);
        }
        if (found != NULL) {
            note(parse, found->kind, line, &noted);
            i += strlen(found->from);
        } else {
            i++;
        }
        if (!(found != NULL ? cg_buf_add_z(out, found->to) : cg_buf_add_char(out, c))) {
            return false;
        }
    }
    return true;
}

bool cg_repair_line(const cg_damage *damage, const cg_line *line, cg_parse *parse, cg_buf *scratch, callgauge_str *out)
{
    static const char pad[CG_PAD];
    uint32_t noted = 0;
    callgauge_str text = cg_str(line->ptr, line->len);
    if (line->offset == 0 && cg_str_starts(text, "\xef\xbb\xbf")) {
        text = cg_str(text.ptr + 3, text.len - 3);
        note(parse, CG_REPAIR_BOM, line, &noted);
    }
    size_t prefix = cg_prefix_match(&damage->prefix, text);
    if (prefix > 0) {
        text = cg_str(text.ptr + prefix, text.len - prefix);
        note(parse, CG_REPAIR_PREFIX, line, &noted);
    }
    if (!is_damaged(damage, line, text)) {
        *out = text;
        return true;
    }
    while (text.len > 0 && text.ptr[text.len - 1] == '\r') {
        text.len--;
        note(parse, CG_REPAIR_CR, line, &noted);
    }
    scratch->len = 0;
    if (!cg_buf_add(scratch, pad, CG_PAD) || !cg_buf_reserve(scratch, text.len + CG_PAD) ||
        !copy_repaired(damage, line, text, parse, scratch) || !cg_buf_add(scratch, pad, CG_PAD)) {
        return false;
    }
    *out = cg_str(scratch->data + CG_PAD, scratch->len - 2 * CG_PAD);
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* An argument that is no string: numbers, flags, structures, arrays, read from left to right and written anew.
 * Invariant: every step moves on, and what was looked for in vain is not looked for again: the work is linear. */
#include <inttypes.h>

#include "base/decimal.h"
#include "event/normal_inside.h"

typedef struct scan {
    cg_normal *normal;
    const char *at, *end;
    cg_role role;
    bool shows_strings;
    bool no_decorations, no_comments; /* there are none further on */
    int depth;                        /* of brackets of all kinds */
    callgauge_str key;                /* `sin_port` of `sin_port=htons(80)`; len 0: none */
    int key_depth;
    callgauge_str callee; /* `htons`; len 0: none */
} scan;

/* Structures whose members are what the program asks for. All others tell what the kernel answered, or times. */
static bool is_shown_structure(callgauge_str first_key)
{
    static const char *const keys[] = { "sa_family", "fd",         "iov_base", "msg_name", "msg_hdr", "cmsg_len",
                                        "events",    "sa_handler", "ss_sp",    "flags",    "mask",    "parent_tid" };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (cg_str_is(first_key, keys[i])) {
            return true;
        }
    }
    return cg_str_starts(first_key, "WIF"); /* the status that a wait gives */
}

static cg_role role_of_key(callgauge_str key)
{
    if (cg_str_is(key, "fd") || cg_str_is(key, "cmsg_data")) {
        return CG_ROLE_FD;
    }
    if (cg_str_is(key, "nl_pid") || cg_str_is(key, "parent_tid") || cg_str_is(key, "child_tid")) {
        return CG_ROLE_PID;
    }
    bool plain = cg_str_ends(key, "_len") || cg_str_ends(key, "_size") || cg_str_ends(key, "flags");
    return plain ? CG_ROLE_PLAIN : CG_ROLE_ANY;
}

static bool put(scan *s, const char *end)
{
    bool good = cg_normal_text(s->normal, cg_str_range(s->at, end));
    s->at = end;
    return good;
}

/* --- strings in structures and arrays: as C has them */

static const char *behind_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++) {
        at += *at == '\\' && at + 1 < end;
    }
    return at < end ? at + 1 : end;
}

static bool take_string(scan *s)
{
    const char *behind = behind_string(s->at, s->end);
    callgauge_str inside = cg_str_range(s->at + 1, behind);
    inside.len -= inside.len > 0 && behind[-1] == '"';
    bool shown = s->shows_strings || cg_str_is(s->key, "sun_path") || cg_str_starts(s->callee, "inet_");
    s->at = behind;
    if (shown) {
        return cg_normal_text(s->normal, cg_str_z("\"")) && cg_normal_path(s->normal, inside) &&
               cg_normal_text(s->normal, cg_str_z("\""));
    }
    s->at += cg_str_starts(cg_str_range(s->at, s->end), "...") ? 3 : 0;
    return cg_buf_add_z(s->normal->to, "\"\xe2\x80\xa6\"");
}

/* --- structures */

static const char *behind_braces(const char *at, const char *end)
{
    int depth = 0;
    while (at < end) {
        if (*at == '"') {
            at = behind_string(at, end);
            continue;
        }
        depth += (*at == '{') - (*at == '}');
        at++;
        if (depth == 0) {
            return at;
        }
    }
    return end;
}

static callgauge_str word_at(const char *at, const char *end)
{
    const char *from = at;
    while (at < end && cg_is_word(*at)) {
        at++;
    }
    return cg_str_range(from, at);
}

/* Structures that stand in a row and are not shown are one. */
static bool put_hidden(scan *s)
{
    static const char hidden[] = "{...}", again[] = "{...}, ";
    cg_buf *to = s->normal->to;
    if (s->depth > 0 && cg_str_ends(cg_buf_str(to), again)) {
        to->len -= sizeof again - sizeof hidden;
        return true;
    }
    return cg_buf_add_z(to, hidden);
}

static bool take_structure(scan *s)
{
    const char *inside = s->at + 1;
    while (inside < s->end && cg_is_blank(*inside)) {
        inside++;
    }
    if (is_shown_structure(word_at(inside, s->end))) {
        s->depth++;
        return put(s, s->at + 1);
    }
    s->at = behind_braces(s->at, s->end);
    return put_hidden(s);
}

/* --- what stands behind numbers */

/* Passes over `</etc/passwd>` and `<cat>`, but not over the `<<` of a shift. */
static void skip_decoration(scan *s)
{
    const char *at = s->at;
    if (s->no_decorations || s->end - at < 2 || at[0] != '<' || at[1] == '<') {
        return;
    }
    for (at++; at < s->end; at++) {
        bool closes = *at == '>' && at[-1] != '-';
        if (closes && (at + 1 == s->end || memchr(",}]) (", at[1], 6) != NULL)) {
            s->at = at + 1;
            s->at += cg_str_starts(cg_str_range(s->at, s->end), "(deleted)") ? 9 : 0;
            return;
        }
    }
    s->no_decorations = true;
}

/* Where the comment that begins at `at` ends; NULL: none begins there. */
static const char *behind_comment(scan *s, const char *at)
{
    if (s->no_comments || s->end - at < 4 || at[0] != '/' || at[1] != '*') {
        return NULL;
    }
    size_t close = cg_str_find(cg_str_range(at + 2, s->end), "*/");
    s->no_comments = at + 2 + close == s->end;
    return s->no_comments ? NULL : at + 2 + close + 2;
}

static bool is_flags(callgauge_str text)
{
    bool good = text.len > 0 && cg_is_upper(text.ptr[0]);
    for (size_t i = 0; good && i < text.len; i++) {
        good = cg_is_upper(text.ptr[i]) || cg_is_digit(text.ptr[i]) || text.ptr[i] == '_' || text.ptr[i] == '|';
    }
    return good;
}

/* Of a number with a comment (strace -X verbose) the names are taken: without the option they stand there alone. */
static bool take_flags(scan *s, bool *taken)
{
    const char *at = s->at + (s->at < s->end && *s->at == ' ');
    const char *behind = behind_comment(s, at);
    callgauge_str inside = behind == NULL ? cg_str(NULL, 0) : cg_str_trim(cg_str_range(at + 2, behind - 2));
    *taken = is_flags(inside);
    if (!*taken) {
        return true;
    }
    s->at = behind;
    return cg_normal_text(s->normal, inside);
}

static bool take_comment(scan *s, const char *behind)
{
    cg_buf *to = s->normal->to;
    to->len -= to->len > 0 && to->data[to->len - 1] == ' ';
    s->at = behind;
    return true;
}

/* --- numbers and words */

/* Ports of servers stay; those that the kernel chose for clients get names. */
static bool put_port(scan *s, int64_t port, callgauge_str text)
{
    enum { FIRST_CHOSEN = 32768 };
    bool is_peer = s->normal->event->call->call_class == CALLGAUGE_CLASS_ACCEPT;
    bool chosen = port >= FIRST_CHOSEN || (is_peer && port > 0);
    return chosen ? cg_normal_name(s->normal, CG_NORMAL_PORT, (uint64_t)port) : cg_normal_text(s->normal, text);
}

bool cg_normal_read(const char **at, const char *end, int64_t *value, bool *is_hex)
{
    const char *p = *at;
    uint64_t number;
    *is_hex = cg_read_hex(&p, end, &number);
    if (*is_hex) {
        *value = (int64_t)number;
        *at = p;
        return true;
    }
    return cg_read_i64(at, end, value) || (cg_read_u64(&p, end, &number) && (*at = p, *value = (int64_t)number, true));
}

static bool take_number(scan *s)
{
    const char *from = s->at;
    int64_t value;
    bool is_hex, taken;
    if (!cg_normal_read(&s->at, s->end, &value, &is_hex)) {
        return put(s, s->at + 1);
    }
    callgauge_str text = cg_str_range(from, s->at);
    skip_decoration(s);
    if (!take_flags(s, &taken) || taken) {
        return taken;
    }
    if (cg_str_is(s->callee, "htons")) {
        return put_port(s, value, text);
    }
    return cg_normal_number(s->normal, s->key.len > 0 ? role_of_key(s->key) : s->role, value, text);
}

static bool take_word(scan *s)
{
    callgauge_str word = word_at(s->at, s->end);
    const char *behind = word.ptr + word.len;
    char next = behind < s->end ? *behind : ' ', after = behind + 1 < s->end ? behind[1] : ' ';
    if (next == '=' && after != '=' && after != '>') {
        s->key = word;
        s->key_depth = s->depth;
    } else if (next == '(') {
        s->callee = word;
    }
    bool good = put(s, behind);
    if (cg_str_is(word, "AT_FDCWD")) {
        skip_decoration(s);
    }
    return good;
}

static bool take_other(scan *s)
{
    char c = *s->at;
    s->depth += (c == '[' || c == '{' || c == '(') - (c == ']' || c == '}' || c == ')');
    if (s->depth < s->key_depth || (c == ',' && s->depth == s->key_depth)) {
        s->key.len = 0;
    }
    s->callee.len = c == ')' ? 0 : s->callee.len;
    return put(s, s->at + 1);
}

static bool starts_number(const scan *s)
{
    const cg_buf *to = s->normal->to;
    const char *at = s->at;
    if (cg_is_digit(*at)) {
        return true;
    }
    bool first = to->len > 0 && memchr(" ([=", to->data[to->len - 1], 4) != NULL;
    return *at == '-' && first && at + 1 < s->end && cg_is_digit(at[1]);
}

static bool take(scan *s)
{
    const char *behind = behind_comment(s, s->at);
    if (behind != NULL) {
        return take_comment(s, behind);
    }
    if (*s->at == '"') {
        return take_string(s);
    }
    if (*s->at == '{') {
        return take_structure(s);
    }
    if (starts_number(s)) {
        return take_number(s);
    }
    return cg_is_word(*s->at) ? take_word(s) : take_other(s);
}

bool cg_normal_value(cg_normal *normal, callgauge_str text, cg_role role, bool shows_strings)
{
    scan s = {
        .normal = normal, .at = text.ptr, .end = text.ptr + text.len, .role = role, .shows_strings = shows_strings
    };
    bool good = true;
    while (good && s.at < s.end && !cg_normal_is_full(normal)) {
        good = take(&s);
    }
    return good;
}

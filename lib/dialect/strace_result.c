/* SPDX-License-Identifier: Apache-2.0 */
/* What stands behind `= ` of a strace line:
 *   value [<decoration>] [" " aux]* [" (INJECTED)"...] [" (DELAYED)"] [" <" seconds ">"]
 * read forwards and strictly. The text behind it is the caller's to judge. */
#include "base/decimal.h"
#include "base/str.h"
#include "dialect/strace.h"

/* "<...>": nested brackets are real (`</dev/null<char 1:3>>`), quoted parts are passed over. Before 4.22 a '>' in a
 * path is raw: an end must be followed by what can follow a decoration. */
static bool skip_decoration(const char **at, const char *end)
{
    const char *p = *at + 1;
    bool path = p < end && *p == '/';
    int depth = 1;
    for (; p < end; p++) {
        if (*p == '"') {
            for (p++; p < end && *p != '"'; p++) {
                p += *p == '\\' && p + 1 < end;
            }
            if (p >= end) {
                return false;
            }
        } else if (*p == '\\') {
            p++;
        } else if (*p == '<') {
            depth++;
        } else if (*p == '>') {
            bool arrow = !path && p[-1] == '-';
            depth -= arrow ? 0 : 1;
            if (depth == 0 && (p + 1 >= end || memchr(" ,)]}(>\t=", p[1], 9) != NULL)) {
                *at = p + 1;
                return true;
            }
            depth += !arrow && depth == 0;
        }
    }
    return false;
}

static bool skip_quoted(const char **at, const char *end)
{
    for (const char *p = *at + 1; p < end; p++) {
        if (*p == '\\') {
            p++;
        } else if (*p == '"') {
            *at = p + 1;
            return true;
        }
    }
    return false;
}

static bool skip_comment(const char **at, const char *end)
{
    callgauge_str rest = cg_str_range(*at + 2, end);
    size_t close = cg_str_find(rest, "*/");
    if (close == rest.len) {
        return false;
    }
    *at = rest.ptr + close + 2;
    return true;
}

/* A '<' behind a number or a name, but for the first of a shift: `21<<MAP_HUGE_SHIFT`. */
static bool is_decoration(const char *p, const char *from, const char *end)
{
    return *p == '<' && p > from && cg_is_word(p[-1]) && (p + 1 >= end || p[1] != '<');
}

bool cg_strace_skip_argument(const char **at, const char *end)
{
    const char *p = *at, *from = *at;
    int depth = 0;
    while (p < end) {
        char c = *p;
        bool ok = true;
        if (depth == 0 && (c == ',' || c == ')' || c == ']' || c == '}')) {
            break;
        }
        if (c == '"') {
            ok = skip_quoted(&p, end);
        } else if (c == '/' && p + 1 < end && p[1] == '*') {
            ok = skip_comment(&p, end);
        } else if (is_decoration(p, from, end)) {
            ok = skip_decoration(&p, end);
        } else {
            depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
            p++;
        }
        if (!ok) {
            return false;
        }
    }
    if (depth != 0) {
        return false;
    }
    *at = p;
    return true;
}

/* "(...)" with what is inside balanced and quoted parts passed over; one blank before it is the caller's. */
static bool skip_parentheses(const char **at, const char *end)
{
    const char *p = *at;
    int depth = 0;
    while (p < end) {
        if (*p == '"') {
            if (!skip_quoted(&p, end)) {
                return false;
            }
            continue;
        }
        depth += (*p == '(') - (*p == ')');
        p++;
        if (depth == 0) {
            *at = p;
            return true;
        }
    }
    return false;
}

/* "-1", "832", "0x7f85a614b000", "022" */
static bool read_value(const char **at, const char *end, cg_strace_result *result)
{
    const char *p = *at;
    uint64_t value;
    if (end - p > 2 && p[0] == '0' && p[1] == 'x') {
        if (!cg_read_hex(&p, end, &value)) {
            return false;
        }
        result->value = (int64_t)value;
    } else if (end - p >= 2 && *p == '0' && cg_is_digit(p[1]) && cg_read_octal(&p, end, &value)) {
        result->value = (int64_t)value;
    } else if (p < end && *p != '-' && cg_read_u64(&p, end, &value)) {
        result->value = (int64_t)value;
    } else if (!cg_read_i64(&p, end, &result->value)) {
        return false;
    }
    result->has |= CALLGAUGE_HAS_VALUE;
    *at = p;
    return true;
}

/* " ENOENT (text)", " (errno 999)", " errno 999 (text)": after -1 or `?`. The text is the tracer's locale's, any
 * bytes. */
static bool read_error(const char **at, const char *end, cg_strace_result *result)
{
    const char *p = *at;
    if (end - p < 4 || *p != ' ') {
        return false;
    }
    const char *name = ++p;
    callgauge_str error;
    if (*p == 'E') {
        while (p < end && (cg_is_upper(*p) || cg_is_digit(*p) || *p == '_')) {
            p++;
        }
        if (p - name < 2 || end - p < 3 || p[0] != ' ' || p[1] != '(') {
            return false;
        }
        error = cg_str_range(name, p);
        p++;
    } else if (end - p > 6 && memcmp(p, "errno ", 6) == 0) {
        p += 6;
        while (p < end && cg_is_digit(*p)) {
            p++;
        }
        error = cg_str_range(name, p);
        p += p < end && *p == ' ';
    } else if (end - p > 8 && memcmp(p, "(errno ", 7) == 0) {
        const char *digits = p + 1;
        const char *close = memchr(p, ')', (size_t)(end - p));
        if (close == NULL) {
            return false;
        }
        error = cg_str_range(digits, close);
    } else {
        return false;
    }
    const char *text = p;
    if (p < end && *p == '(' && !skip_parentheses(&p, end)) {
        return false;
    }
    result->error = error;
    result->note = cg_str_range(text, p);
    *at = p;
    return true;
}

static bool read_duration(const char **at, const char *end, cg_strace_result *result)
{
    const char *p = *at;
    if (end - p < 4 || p[0] != ' ' || p[1] != '<') {
        return false;
    }
    p += 2;
    if (!cg_read_seconds(&p, end, &result->duration_ns, NULL) || p >= end || *p != '>') {
        result->duration_ns = INT64_MIN;
        return false;
    }
    *at = p + 1;
    return true;
}

static void read_mark(callgauge_str aux, cg_strace_result *result)
{
    if (cg_str_starts(aux, "(INJECTED")) {
        result->flags |= CALLGAUGE_CALL_INJECTED;
    } else if (cg_str_starts(aux, "(DELAYED")) {
        result->flags |= CALLGAUGE_CALL_DELAYED;
    }
}

/* Any of " (flags O_WRONLY)", " (INJECTED)", " [context]", " slash-star comment", in any number. */
static void read_aux(const char **at, const char *end, cg_strace_result *result)
{
    const char *first = NULL, *p = *at;
    while (end - p >= 3 && *p == ' ') {
        const char *aux = p + 1, *behind = aux;
        bool ok = false;
        if (*aux == '(') {
            ok = skip_parentheses(&behind, end);
        } else if (aux[0] == '/' && aux[1] == '*') {
            ok = skip_comment(&behind, end);
        } else if (*aux == '[') {
            const char *close = memchr(aux, ']', (size_t)(end - aux));
            ok = close != NULL && memchr(aux, ' ', (size_t)(close - aux)) == NULL; /* else a leader: "[pid  77]" */
            behind = ok ? close + 1 : aux;
        }
        if (!ok) {
            break;
        }
        read_mark(cg_str_range(aux, behind), result);
        first = first == NULL ? aux : first;
        p = behind;
    }
    if (first != NULL && result->note.len == 0) {
        result->note = cg_str_range(first, p);
    }
    *at = p;
}

/* "?" and what may follow it. */
static bool read_unknown(const char **at, const char *end, cg_strace_result *result)
{
    static const char UNAVAILABLE[] = " <unavailable>";
    const char *p = *at + 1;
    result->text = cg_str_range(*at, p);
    if (read_error(&p, end, result)) {
        result->flags |= CALLGAUGE_CALL_RESTART;
    } else {
        result->flags |= CALLGAUGE_CALL_UNRETURNED;
        if (cg_str_starts(cg_str_range(p, end), UNAVAILABLE)) {
            p += sizeof UNAVAILABLE - 1;
        }
    }
    *at = p;
    return true;
}

static bool read_known(const char **at, const char *end, cg_strace_result *result)
{
    const char *p = *at;
    if (!read_value(&p, end, result)) {
        return false;
    }
    if (p < end && *p == '<') {
        if (!skip_decoration(&p, end)) {
            return false;
        }
        if (cg_str_starts(cg_str_range(p, end), "(deleted)")) {
            p += 9;
        }
    }
    result->text = cg_str_range(*at, p);
    if (result->value == -1) {
        read_error(&p, end, result);
    }
    *at = p;
    return true;
}

bool cg_strace_result_read(const char *at, const char *end, cg_strace_result *result)
{
    *result = (cg_strace_result){ .duration_ns = INT64_MIN };
    if (at >= end || !(*at == '?' ? read_unknown(&at, end, result) : read_known(&at, end, result))) {
        return false;
    }
    read_aux(&at, end, result);
    read_duration(&at, end, result);
    result->end = at;
    return true;
}

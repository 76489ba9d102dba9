/* SPDX-License-Identifier: Apache-2.0 */
/* Walks over a line, string by string; the name before the last parenthesis says what its strings are.
 * Invariant: the walk never gives bytes that stand between two quotes but of a call that is known to name things. */
#include "event/conceal.h"

#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "event/event.h"

static const char HIDDEN[] = "\"\xe2\x80\xa6";

bool cg_names_things(callgauge_class call_class)
{
    switch (call_class) {
    case CALLGAUGE_CLASS_OPEN:
    case CALLGAUGE_CLASS_STAT:
    case CALLGAUGE_CLASS_ACCESS:
    case CALLGAUGE_CLASS_READLINK:
    case CALLGAUGE_CLASS_DIR:
    case CALLGAUGE_CLASS_NAME:
    case CALLGAUGE_CLASS_SOCKET:
    case CALLGAUGE_CLASS_CONNECT:
    case CALLGAUGE_CLASS_ACCEPT:
    case CALLGAUGE_CLASS_EXEC: return true;
    default: return false;
    }
}

static bool names_things(callgauge_str call)
{
    const cg_class_entry *entry = cg_class_lookup(call);
    return entry != NULL && cg_names_things(entry->call_class);
}

/* The word that ends where `text` does. */
static callgauge_str word_before_end(callgauge_str text)
{
    size_t from = text.len;
    while (from > 0 && cg_is_word(text.ptr[from - 1])) {
        from--;
    }
    return cg_str(text.ptr + from, text.len - from);
}

/* Where the string that begins with the quote at `at` ends: behind its second quote, or at the end of the line. */
static size_t end_of_string(callgauge_str line, size_t at)
{
    for (at++; at < line.len && line.ptr[at] != '"'; at++) {
        at += line.ptr[at] == '\\' && at + 1 < line.len;
    }
    return at < line.len ? at + 1 : line.len;
}

static bool add_hidden(cg_buf *to, callgauge_str string)
{
    bool closed = string.len > 1 && cg_str_ends(string, "\"");
    return cg_buf_add_z(to, HIDDEN) && (!closed || cg_buf_add_char(to, '"'));
}

/* A line without a call before its first quote may have begun inside a string: all up to its last quote goes. */
static size_t doubtful_length(callgauge_str line)
{
    const char *quote = line.len == 0 ? NULL : memchr(line.ptr, '"', line.len);
    size_t before = quote == NULL ? 0 : (size_t)(quote - line.ptr);
    if (quote == NULL || memchr(line.ptr, '(', before) != NULL) {
        return 0;
    }
    return cg_str_find_last(line, "\"") + 1;
}

/* Where the next string begins, or the line ends. `call` gets what stands before the last parenthesis on the way. */
static size_t end_of_plain(callgauge_str line, size_t at, callgauge_str *call)
{
    const char *quote = memchr(line.ptr + at, '"', line.len - at);
    size_t end = quote == NULL ? line.len : (size_t)(quote - line.ptr);
    for (size_t i = end; i > at; i--) {
        if (line.ptr[i - 1] == '(') {
            *call = word_before_end(cg_str(line.ptr, i - 1));
            break;
        }
    }
    return end;
}

static bool walk(callgauge_str line, cg_buf *to)
{
    size_t at = doubtful_length(line);
    callgauge_str call = { "", 0 };
    bool ok = at == 0 || add_hidden(to, cg_str("\"\"", 2));
    while (ok && at < line.len) {
        size_t end = end_of_plain(line, at, &call);
        ok = cg_buf_add(to, line.ptr + at, end - at);
        at = end;
        if (ok && at < line.len) {
            end = end_of_string(line, at);
            callgauge_str string = cg_str(line.ptr + at, end - at);
            ok = names_things(call) ? cg_buf_add_str(to, string) : add_hidden(to, string);
            at = end;
        }
    }
    return ok;
}

bool cg_conceal(cg_arena *arena, callgauge_str line, callgauge_str *out)
{
    cg_buf text;
    cg_buf_init(&text, SIZE_MAX);
    bool ok = walk(line, &text) && cg_arena_str(arena, cg_buf_str(&text), out);
    cg_buf_release(&text);
    return ok;
}

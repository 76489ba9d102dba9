/* SPDX-License-Identifier: Apache-2.0 */
/* An event's arguments to texts, numbers, strings, descriptors and flags, by the lexer that its
 * dialect set. The names that strace -N puts before arguments are taken off, but only where every
 * argument has one: `a=b` may else be an argument's own text. */
#include <callgauge/event.h>

#include "base/decimal.h"
#include "base/str.h"
#include "event/event.h"

/* Length of `name=` in front of an argument; 0: there is none. */
static size_t name_length(callgauge_str arg)
{
    size_t n = 0;
    while (n < arg.len && cg_is_word(arg.ptr[n])) {
        n++;
    }
    bool named = n > 0 && n < arg.len && arg.ptr[n] == '=' && !cg_is_digit(arg.ptr[0]);
    return named ? n + 1 : 0;
}

static bool next_arg(const callgauge_event *event, const char **at, callgauge_str *arg)
{
    return event->lexer != NULL && event->args.len > 0 &&
           event->lexer->next(at, event->args.ptr + event->args.len, arg);
}

size_t callgauge_event_arg_count(const callgauge_event *event)
{
    const char *at = event->args.ptr;
    callgauge_str arg;
    size_t count = 0;
    while (next_arg(event, &at, &arg)) {
        count++;
    }
    return count;
}

bool callgauge_event_arg(const callgauge_event *event, size_t index, callgauge_str *text)
{
    const char *at = event->args.ptr;
    callgauge_str arg, found = { NULL, 0 };
    size_t count = 0;
    bool all_named = true;
    /* Behind the argument asked for, the scan goes on only while the names still have to be proved. */
    while ((count <= index || all_named) && next_arg(event, &at, &arg)) {
        all_named = all_named && name_length(arg) > 0;
        if (count++ == index) {
            found = arg;
        }
    }
    if (count <= index) {
        return false;
    }
    size_t name = all_named ? name_length(found) : 0;
    *text = cg_str(found.ptr + name, found.len - name);
    return true;
}

/* Splits off a C comment at the end, as strace -X verbose puts flags behind their number. */
static callgauge_str without_comment(callgauge_str text, callgauge_str *comment)
{
    *comment = cg_str(text.ptr + text.len, 0);
    size_t at = cg_str_find_last(text, "/*");
    if (at + 4 > text.len || !cg_str_ends(text, "*/")) {
        return text;
    }
    *comment = cg_str_trim(cg_str(text.ptr + at + 2, text.len - at - 4));
    return cg_str_trim(cg_str(text.ptr, at));
}

/* A sign and a magnitude to its value. Without a minus all 64 bits may be used: a pointer's, or a
 * -1 that the tracer printed unsigned. */
static bool read_number(const char **at, const char *end, int64_t *value)
{
    const char *p = *at;
    bool negative = p < end && *p == '-';
    uint64_t magnitude;
    p += negative || (p < end && *p == '+');
    bool zero_first = end - p > 1 && *p == '0' && cg_is_digit(p[1]);
    if (!cg_read_hex(&p, end, &magnitude) &&
        !(zero_first ? cg_read_octal(&p, end, &magnitude) : cg_read_u64(&p, end, &magnitude))) {
        return false;
    }
    if (negative && magnitude > (uint64_t)INT64_MAX + 1) {
        return false;
    }
    *value = (int64_t)(negative ? 0 - magnitude : magnitude);
    *at = p;
    return true;
}

/* Whether nothing, or a descriptor's decoration, stands there: `</etc/passwd>`, `</tmp/f>(deleted)`. */
static bool is_decoration(callgauge_str rest)
{
    return rest.len == 0 || (rest.ptr[0] == '<' && (cg_str_ends(rest, ">") || cg_str_ends(rest, ">(deleted)")));
}

bool callgauge_event_arg_number(const callgauge_event *event, size_t index, int64_t *value)
{
    callgauge_str arg, comment;
    if (!callgauge_event_arg(event, index, &arg)) {
        return false;
    }
    arg = without_comment(arg, &comment);
    const char *at = arg.ptr;
    const char *end = arg.ptr + arg.len;
    int64_t number = -100;
    if (cg_str_starts(arg, "AT_FDCWD")) {
        at += strlen("AT_FDCWD");
    } else if (!read_number(&at, end, &number)) {
        return false;
    }
    if (!is_decoration(cg_str_range(at, end))) {
        return false;
    }
    *value = number;
    return true;
}

bool callgauge_event_arg_string(const callgauge_event *event, size_t index, char *to, size_t room, size_t *length,
                                bool *cut)
{
    callgauge_str arg;
    bool was_cut = false;
    if (!callgauge_event_arg(event, index, &arg) || !event->lexer->string(arg, to, room, length, &was_cut)) {
        return false;
    }
    if (cut != NULL) {
        *cut = was_cut;
    }
    return true;
}

bool callgauge_event_arg_fd(const callgauge_event *event, size_t index, int64_t *fd, callgauge_str *target)
{
    callgauge_str arg, decoration = { NULL, 0 };
    if (!callgauge_event_arg(event, index, &arg) || !event->lexer->fd(arg, fd, &decoration)) {
        return false;
    }
    if (target != NULL) {
        *target = decoration;
    }
    return true;
}

/* Whether `text` consists of names joined by bars; `21<<MAP_HUGE_SHIFT` may be one of them. */
static bool is_flags(callgauge_str text)
{
    bool has_name = false;
    for (size_t i = 0; i < text.len; i++) {
        if (!cg_is_word(text.ptr[i]) && text.ptr[i] != '|' && text.ptr[i] != '<') {
            return false;
        }
        bool starts = i == 0 || text.ptr[i - 1] == '|';
        has_name = has_name || (starts && cg_is_word(text.ptr[i]) && !cg_is_digit(text.ptr[i]));
    }
    return has_name;
}

bool callgauge_event_arg_flag(const callgauge_event *event, size_t index, size_t flag, callgauge_str *name)
{
    callgauge_str arg, comment;
    if (!callgauge_event_arg(event, index, &arg)) {
        return false;
    }
    arg = without_comment(arg, &comment);
    if (!is_flags(arg)) {
        arg = comment; /* strace -X verbose: the number, and the names in the comment */
    }
    if (!is_flags(arg)) {
        return false;
    }
    size_t bar = cg_str_find(arg, "|");
    for (; flag > 0 && bar < arg.len; flag--) {
        arg = cg_str(arg.ptr + bar + 1, arg.len - bar - 1);
        bar = cg_str_find(arg, "|");
    }
    if (flag > 0) {
        return false;
    }
    *name = cg_str(arg.ptr, bar);
    return true;
}

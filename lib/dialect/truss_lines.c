/* SPDX-License-Identifier: Apache-2.0 */
/* From lines that are no calls to events: signals, faults, library calls, what truss says itself, the
 * base time; and lines that belong to the event before: siginfo, structures, I/O dumps, argv and envp.
 * Invariant: a line is a detail only after an event, and never when it reads as an event itself. */
#include "dialect/truss.h"

#include "base/decimal.h"

typedef struct signal_form {
    const char *text;
    callgauge_event_kind kind;
} signal_form;

static const signal_form verbs[] = {
    { "Received signal #", CALLGAUGE_EVENT_SIGNAL },
    { "Stopped by signal #", CALLGAUGE_EVENT_SIGNAL },
    { "Continued with signal #", CALLGAUGE_EVENT_SIGNAL },
    { "Incurred fault #", CALLGAUGE_EVENT_FAULT },
};

static const char *const notices[] = { "*** ", "psargs: ", "truss: ", "(Warning: no matching active LWPs found" };

static const signal_form *verb_of(callgauge_str text)
{
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (cg_str_starts(text, verbs[i].text)) {
            return &verbs[i];
        }
    }
    return NULL;
}

static bool is_notice(callgauge_str text)
{
    for (size_t i = 0; i < sizeof notices / sizeof *notices; i++) {
        if (cg_str_starts(text, notices[i])) {
            return true;
        }
    }
    return false;
}

static bool is_library_call(callgauge_str text)
{
    return cg_str_starts(text, "-> ") || cg_str_starts(text, "<- ");
}

bool cg_truss_is_special(const char *at, const char *end)
{
    callgauge_str text = cg_str_range(at, end);
    return verb_of(text) != NULL || is_library_call(text) || cg_str_starts(text, "Base time stamp:");
}

/* The event's text ends at `stop`; what is behind it is read next. */
static void leave_rest(cg_parse *parse, const char *stop, callgauge_event *event)
{
    size_t rest = (size_t)(event->text.ptr + event->text.len - stop);
    parse->used -= rest;
    event->text.len -= rest;
    if (rest > 0) {
        cg_parse_repair(parse, CG_REPAIR_JOINED, event->line);
    }
}

/* Where a signal's line ends when another event is glued behind its `[default]`. */
static const char *signal_end(const char *at, const char *end)
{
    const char *bracket = at == end ? NULL : memchr(at, ']', (size_t)(end - at));
    const char *rest = bracket == NULL ? end : cg_truss_blanks(bracket + 1, end);
    return rest < end && cg_truss_starts(rest, end) ? rest : end;
}

/* `2, SIGINT, in door_call() [default]`, from behind the '#'. */
static cg_verdict read_verb(cg_parse *parse, const signal_form *verb, const char *at, const char *end,
                            callgauge_event *event)
{
    uint64_t number;
    const char *p = at;
    if (!cg_read_u64(&p, end, &number) || end - p < 3 || p[0] != ',' || p[1] != ' ') {
        parse->reason = "a signal or fault without a name";
        return CG_LINE_UNREAD;
    }
    const char *name = p + 2;
    for (p = name; p < end && (cg_is_word(*p) || cg_truss_is_in(*p, "#+-")); p++) {
    }
    const char *stop = signal_end(p, end);
    leave_rest(parse, stop, event);
    event->kind = verb->kind;
    event->name = cg_parse_name(parse, cg_str_range(name, p));
    p += p < stop && *p == ',';
    event->note = cg_str_trim(cg_str_range(p, stop));
    return event->name == NULL ? CG_LINE_NOMEM : CG_LINE_EVENT;
}

/* `-> libc:malloc(0x20, 0x8047b8c)`. A C++ name may hold parentheses; the arguments are the last ones. */
static bool read_entry(callgauge_str text, callgauge_str *name, callgauge_event *event)
{
    size_t open = cg_str_find_last(text, "(");
    if (open == text.len || text.ptr[text.len - 1] != ')') {
        return false;
    }
    *name = cg_str(text.ptr, open);
    event->args = cg_str(text.ptr + open + 1, text.len - open - 2);
    return true;
}

/* `<- libc:malloc() = 0x8064c08`, `... = -1`, `... = struct return`. */
static bool read_return(callgauge_str text, callgauge_str *name, callgauge_event *event)
{
    size_t open = cg_str_find_last(text, "() = ");
    if (open == text.len) {
        return false;
    }
    *name = cg_str(text.ptr, open);
    event->flags |= CALLGAUGE_LIBRARY_RETURN;
    event->result = cg_str(text.ptr + open + 5, text.len - open - 5);
    const char *at = event->result.ptr, *end = text.ptr + text.len;
    uint64_t bits;
    bool number = cg_read_hex(&at, end, &bits);
    if (number) {
        event->value = (int64_t)bits;
    } else {
        number = cg_read_i64(&at, end, &event->value);
    }
    event->has |= number && at == end ? CALLGAUGE_HAS_VALUE : 0;
    return number ? at == end : cg_str_is(event->result, "struct return");
}

static cg_verdict read_library_call(cg_parse *parse, const char *at, const char *end, callgauge_event *event)
{
    callgauge_str text = cg_str_trim(cg_str_range(at + 3, end)), name = cg_str("", 0);
    bool read = *at == '-' ? read_entry(text, &name, event) : read_return(text, &name, event);
    if (!read || name.len == 0) {
        parse->reason = "a library call that does not end";
        return CG_LINE_UNREAD;
    }
    event->kind = CALLGAUGE_EVENT_LIBRARY_CALL;
    event->lexer = &cg_truss_lexer;
    event->name = cg_parse_name(parse, name);
    return event->name == NULL ? CG_LINE_NOMEM : CG_LINE_EVENT;
}

/* A `Base time stamp:` header at the start of the text. */
static cg_verdict read_base(cg_parse *parse, const cg_line *line, callgauge_event *event)
{
    callgauge_str text = event->text;
    const char *at = text.ptr + cg_str_find(text, "stamp:") + 6, *end = text.ptr + text.len;
    int64_t base_ns;
    int decimals;
    at = cg_truss_blanks(at, end);
    if (!cg_read_seconds(&at, end, &base_ns, &decimals) || base_ns > INT64_MAX / 2) {
        parse->reason = line->cut ? "the capture ends in the base time" : "a base time that is no number";
        return CG_LINE_UNREAD;
    }
    size_t close = cg_str_find(cg_str_range(at, end), "]");
    const char *behind = at + close == end ? end : at + close + 1;
    leave_rest(parse, cg_truss_blanks(behind, end) < end ? behind : end, event);
    cg_truss_header(parse, base_ns);
    event->kind = CALLGAUGE_EVENT_NOTICE;
    event->note = cg_str_trim(event->text);
    return CG_LINE_NOTICE;
}

cg_verdict cg_truss_special(cg_parse *parse, const cg_truss_leader *leader, const cg_line *line, callgauge_event *event)
{
    const char *at = leader->rest, *end = event->text.ptr + event->text.len;
    callgauge_str text = cg_str_range(at, end);
    const signal_form *verb = verb_of(text);
    if (cg_str_starts(text, "Base time stamp:")) {
        return read_base(parse, line, event);
    }
    if (is_notice(text)) {
        event->kind = CALLGAUGE_EVENT_NOTICE;
        event->note = cg_str_trim(text);
        cg_truss_thread_set(parse, leader, event);
        return CG_LINE_NOTICE;
    }
    if (verb == NULL && !is_library_call(text)) {
        return CG_LINE_HARD;
    }
    cg_verdict verdict = verb != NULL ? read_verb(parse, verb, at + strlen(verb->text), end, event)
                                      : read_library_call(parse, at, end, event);
    if (verdict == CG_LINE_EVENT) {
        cg_truss_form_seen(parse, leader);
        cg_truss_thread_set(parse, leader, event);
        cg_truss_stamps_set(parse->state, leader, event);
    }
    return verdict;
}

/* ---- details */

/* A line of pairs right below a call whose buffer is shown as an address. Editors and pages take or
 * add blanks in front, and the first pair may begin with one. */
static bool is_dump(cg_truss *truss, const char *at, const char *end, uint64_t line)
{
    const char *from = cg_truss_blanks(at, end);
    if (truss->dump_left == 0 || line - truss->dump_line > 1) {
        return false;
    }
    size_t bytes = cg_truss_pairs(from, end);
    if (bytes == 0 && from > at && from[-1] == ' ') {
        bytes = cg_truss_pairs(from - 1, end);
    }
    if (bytes == 0 || bytes > truss->dump_left) {
        return false;
    }
    truss->dump_left -= bytes;
    truss->dump_line = line;
    return true;
}

/* ` argv: ...`, and the lines of its block, which begin with two blanks. */
static bool is_strings(cg_truss *truss, const char *at, const char *end, uint64_t line)
{
    callgauge_str text = cg_str_trim(cg_str_range(at, end));
    const char *p = at < end && *at == '\t' ? at + 1 : at;
    bool heading = cg_str_starts(text, "argv:") || cg_str_starts(text, "envp:");
    bool more = truss->strings_line > 0 && line - truss->strings_line <= 1 && end - p > 2 && p[0] == ' ' && p[1] == ' ';
    if (heading || more) {
        truss->strings_line = line;
    }
    return heading || more;
}

static bool is_flags(callgauge_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!cg_is_upper(text.ptr[i]) && !cg_is_digit(text.ptr[i]) && !cg_truss_is_in(text.ptr[i], "_| ")) {
            return false;
        }
    }
    return true;
}

/* What truss -v and -x print: `name=value`, `name = value`, `word: ...`, flags, and a few sentences. */
static bool is_structure(callgauge_str text)
{
    static const char *const heads[] = { "siginfo:", "...last ", "write/read ", "read ", "write " };
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        if (cg_str_starts(text, heads[i])) {
            return true;
        }
    }
    size_t word = 0;
    while (word < text.len && cg_is_word(text.ptr[word])) {
        word++;
    }
    bool label = word > 0 && word < text.len && text.ptr[word] == ':';
    return label || (word > 0 && cg_str_find(text, "=") < text.len) || is_flags(text);
}

cg_verdict cg_truss_detail(cg_parse *parse, const cg_truss_leader *leader, const cg_line *line, callgauge_event *event)
{
    const char *at = leader->body, *end = event->text.ptr + event->text.len;
    callgauge_str text = cg_str_trim(cg_str_range(at, end));
    enum { INDENT = 4 };
    bool indented = leader->prefix || at[0] == '\t' || text.ptr - at >= INDENT;
    if (!parse->capture->has_events || text.len == 0) {
        return CG_LINE_HARD;
    }
    if (!is_dump(parse->state, at, end, line->number) && !is_strings(parse->state, at, end, line->number) &&
        !(indented && is_structure(text)) && !cg_str_starts(text, "siginfo: SIG")) {
        return CG_LINE_HARD;
    }
    event->kind = CALLGAUGE_EVENT_DETAIL;
    event->note = text;
    cg_truss_thread_set(parse, leader, event);
    return CG_LINE_DETAIL;
}

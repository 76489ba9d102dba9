/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of a strace line, read forwards: whole ones, first halves, second halves. The grammar is
 * `name(args)  = result`, where the parenthesis that counts is the first of depth 0, outside strings, comments
 * and decorations, whose result reaches the end of the line (or the start of the next event, when lines were
 * joined). When a string or bracket does not end - the program wrote into the line - the last `) = result` that
 * reaches the end decides. */
#include "dialect/strace_call.h"

#include "base/decimal.h"
#include "base/str.h"

enum { MAX_ATTEMPTS = 64 }; /* places tried for a result in one line */

static const char UNFINISHED[] = "<unfinished ...>";
static const char DETACHED[] = "<detached ...>";

/* The end of a word of a C identifier (and `#64`) that starts at `at`. */
static const char *word_end(const char *at, const char *end)
{
    while (at < end && (cg_is_word(*at) || (*at == '#' && end - at > 1 && cg_is_digit(at[1])))) {
        at++;
    }
    return at;
}

bool cg_strace_is_call_start(const char *at, const char *end, callgauge_str *name)
{
    if (at >= end || cg_is_digit(*at)) {
        return false;
    }
    const char *behind = word_end(at, end);
    *name = cg_str_range(at, behind);
    return behind > at && behind < end && *behind == '(';
}

bool cg_strace_is_known(callgauge_str name)
{
    size_t hash = cg_str_find(name, "#");
    name.len = hash;
    return cg_class_lookup(name) != NULL || cg_str_starts(name, "syscall_") || cg_str_starts(name, "SYS_");
}

uint64_t cg_strace_key(const callgauge_event *event)
{
    return cg_open_key(event->pid, 0);
}

static void apply_result(cg_parse *parse, const cg_strace_result *result, callgauge_event *event)
{
    event->has |= result->has;
    event->flags |= result->flags;
    event->value = result->value;
    event->result = result->text;
    event->note = result->note;
    if (result->duration_ns != INT64_MIN) {
        event->duration_ns = result->duration_ns;
        event->duration_kind = CALLGAUGE_TIME_WALL;
        event->has |= CALLGAUGE_HAS_DURATION;
        parse->duration_kind = CALLGAUGE_TIME_WALL;
        if ((event->has & CALLGAUGE_HAS_START) != 0) {
            event->end_ns = cg_add_ns(event->start_ns, event->duration_ns);
            event->has |= CALLGAUGE_HAS_END;
        }
    }
}

/* ---- calls ---- */

/* Whether what follows a result is all right: the end, or another event joined to it. */
static bool is_behind_result(cg_parse *parse, const char *at, const char *end)
{
    if (at >= end) {
        return true;
    }
    return cg_strace_starts(parse, cg_str_trim(cg_str_range(at, end)));
}

/* How a call ends, or does not. */
typedef enum call_end {
    CALL_ENDS,
    CALL_IS_OPEN,   /* no result */
    CALL_IS_CUT,    /* a string or bracket does not end */
    CALL_IS_NO_CALL /* text stands behind the result that is no result's: `read(3) = 4 from program 5` */
} call_end;

static bool ends_before(cg_parse *parse, const char *value, const char *at, const char *end, cg_strace_result *result)
{
    return cg_strace_starts(parse, cg_str_range(at, end)) && cg_strace_result_read(value, at, result) &&
           result->end == at;
}

/* The next line joined to a pointer: `= 0x7f00close(3`, `= 0x7f8b0fa3a00015064 close(3`. What the value has swallowed
 * of a name, or, where it is too long to be one, of a pid, goes back. */
static bool give_back(cg_parse *parse, const char *value, const char *end, cg_strace_result *result)
{
    enum {
        USUAL = 12,
        MOST = 16,
        WITH_NAME = 64
    }; /* digits of a pointer of a process, of any, and letters like them */
    if (end - value < 3 || value[0] != '0' || value[1] != 'x') {
        return false;
    }
    const char *digits = value + 2, *behind = digits;
    while (behind < end && cg_is_hex(*behind)) {
        behind++;
    }
    if (behind - digits > WITH_NAME) {
        return false;
    }
    bool too_long = behind - digits > MOST;
    if (too_long && ends_before(parse, value, digits + USUAL, end, result)) {
        return true;
    }
    for (const char *at = behind - 1; at > digits; at--) {
        if ((too_long || cg_is_lower(*at)) && ends_before(parse, value, at, end, result)) {
            return true;
        }
    }
    return false;
}

/* From a ')' on: `)  = result` up to the end. */
static call_end read_tail(cg_parse *parse, const char *close, const char *end, cg_strace_result *result)
{
    const char *p = close + 1;
    while (p < end && *p == ' ') {
        p++;
    }
    if (end - p <= 2 || p[0] != '=' || p[1] != ' ') {
        return CALL_IS_OPEN;
    }
    bool is_result = cg_strace_result_read(p + 2, end, result);
    if ((is_result && is_behind_result(parse, result->end, end)) || give_back(parse, p + 2, end, result)) {
        return CALL_ENDS;
    }
    if (!is_result) {
        return CALL_IS_OPEN;
    }
    bool may_go_on = end - result->end < 2 || memchr("E(</[", result->end[*result->end == ' '], 5) != NULL;
    return may_go_on ? CALL_IS_OPEN : CALL_IS_NO_CALL;
}

/* Forwards: the first ')' of depth 0 whose result holds; *close is set when the call ends. */
static call_end find_close(cg_parse *parse, const char *args, const char *end, cg_strace_result *result,
                           const char **close)
{
    call_end found = CALL_IS_OPEN;
    int attempts = 0;
    for (const char *p = args; p < end && attempts < MAX_ATTEMPTS; p++) {
        if (!cg_strace_skip_argument(&p, end)) {
            return CALL_IS_CUT;
        }
        if (p < end && *p == ')') {
            attempts++;
            call_end tail = read_tail(parse, p, end, result);
            if (tail == CALL_ENDS) {
                *close = p;
                return tail;
            }
            found = tail == CALL_IS_NO_CALL ? tail : found;
        }
    }
    return found;
}

/* Backwards: the last `) = result` that reaches the end of the line. */
static const char *find_close_back(const char *args, const char *end, cg_strace_result *result)
{
    int attempts = 0;
    for (const char *p = end - 1; p > args && attempts < MAX_ATTEMPTS; p--) {
        if (*p != '=' || p[-1] != ' ' || end - p < 3 || p[1] != ' ') {
            continue;
        }
        attempts++;
        const char *close = p - 1;
        while (close > args && *close == ' ') {
            close--;
        }
        if (*close == ')' && cg_strace_result_read(p + 2, end, result) && result->end == end) {
            return close;
        }
    }
    return NULL;
}

static const char *skip_blanks_back(const char *from, const char *at)
{
    while (at > from && at[-1] == ' ') {
        at--;
    }
    return at;
}

/* Where a first half's arguments end: before " <unfinished ...>" or " <detached ...>" at the end of the line. */
static bool read_open_end(callgauge_str text, const char *mark, const char **args_end)
{
    if (!cg_str_ends(text, mark)) {
        return false;
    }
    *args_end = skip_blanks_back(text.ptr, text.ptr + text.len - strlen(mark));
    return true;
}

/* The same for a mark with a number between `mark` and `tail`. */
static bool read_numbered_end(callgauge_str text, const char *mark, const char *tail, const char **args_end)
{
    if (!cg_str_ends(text, tail)) {
        return false;
    }
    text.len -= strlen(tail);
    size_t from = cg_str_find_last(text, mark);
    const char *at = text.ptr + from + strlen(mark), *end = text.ptr + text.len;
    uint64_t number;
    if (from == text.len || !cg_read_u64(&at, end, &number) || at != end) {
        return false;
    }
    *args_end = skip_blanks_back(text.ptr, text.ptr + from);
    return true;
}

/* The marks of a call whose result may come later: the usual one, that of 4.6 for a process that ends, and that of
 * an -ff file whose thread has become another one by execve. */
static bool read_unfinished_end(callgauge_str text, const char **args_end)
{
    return read_open_end(text, UNFINISHED, args_end) ||
           read_numbered_end(text, "<unfinished ... exit status ", ">", args_end) ||
           read_numbered_end(text, "<pid changed to ", " ...>", args_end);
}

static cg_verdict open_call(cg_parse *parse, callgauge_str args, const cg_line *line, const callgauge_event *event)
{
    cg_open_call *open = cg_open_find(&parse->open, cg_strace_key(event));
    if (open != NULL) {
        cg_parse_lost(parse, open);
    }
    callgauge_str kept = (parse->wants & CG_WANT_SCALARS) != 0 ? args : cg_str(args.ptr, 0);
    if (!cg_open_put(&parse->open, cg_strace_key(event), event->call, kept, &open)) {
        return CG_LINE_NOMEM;
    }
    if (open != NULL) {
        open->line = line->number;
        open->offset = line->offset;
        open->start_ns = (event->has & CALLGAUGE_HAS_START) != 0 ? event->start_ns : INT64_MIN;
    }
    return CG_LINE_FIRST;
}

static bool set_error(cg_parse *parse, const cg_strace_result *result, callgauge_event *event)
{
    if (result->error.len > 0) {
        event->error = cg_parse_error(parse, result->error);
        return event->error != NULL;
    }
    return true;
}

static cg_verdict whole_call(cg_parse *parse, const cg_strace_result *result, callgauge_str args,
                             callgauge_event *event)
{
    cg_open_call *open = cg_open_find(&parse->open, cg_strace_key(event));
    if (open != NULL) {
        cg_parse_lost(parse, open);
    }
    event->args = args;
    apply_result(parse, result, event);
    return set_error(parse, result, event) ? CG_LINE_EVENT : CG_LINE_NOMEM;
}

/* A call whose end was not seen: `name(args <detached ...>`. */
static cg_verdict detached_call(callgauge_str args, callgauge_event *event)
{
    event->args = args;
    event->flags |= CALLGAUGE_CALL_UNRETURNED;
    return CG_LINE_EVENT;
}

/* Forwards, and, where the program has written into the line, backwards. */
static call_end find_close_anyway(cg_parse *parse, const char *args, callgauge_str text, const cg_line *line,
                                  cg_strace_result *result, const char **close)
{
    const char *end = text.ptr + text.len;
    call_end found = find_close(parse, args, end, result, close);
    if (found != CALL_ENDS && !line->cut && (*close = find_close_back(args, end, result)) != NULL) {
        return CALL_ENDS;
    }
    return found;
}

static cg_verdict open_verdict(cg_parse *parse, call_end found)
{
    if (found == CALL_IS_NO_CALL) {
        parse->reason = "text behind the result of a call";
        return CG_LINE_UNREAD;
    }
    parse->reason = found == CALL_IS_CUT ? "a call that is cut: a string or bracket does not end"
                                         : "a call without a result";
    return CG_LINE_OPEN;
}

cg_verdict cg_strace_call_read(cg_parse *parse, callgauge_str text, callgauge_str name, const cg_line *line,
                               callgauge_event *event)
{
    const char *args = name.ptr + name.len + 1, *end = text.ptr + text.len, *close;
    cg_strace_result result;
    if (read_unfinished_end(text, &close) && close >= args) {
        event->call = cg_parse_call(parse, name);
        return event->call == NULL ? CG_LINE_NOMEM : open_call(parse, cg_str_range(args, close), line, event);
    }
    if (read_open_end(text, DETACHED, &close) && close >= args) {
        event->call = cg_parse_call(parse, name);
        return event->call == NULL ? CG_LINE_NOMEM : detached_call(cg_str_range(args, close), event);
    }
    call_end found = find_close_anyway(parse, args, text, line, &result, &close);
    event->call = found == CALL_ENDS || cg_strace_is_known(name) ? cg_parse_call(parse, name) : NULL;
    if (found != CALL_ENDS) {
        return open_verdict(parse, found);
    }
    if (event->call == NULL) {
        return CG_LINE_NOMEM;
    }
    if (result.end < end) {
        parse->used = (size_t)(result.end - text.ptr);
        cg_parse_repair(parse, CG_REPAIR_JOINED, line->number);
    }
    return whole_call(parse, &result, cg_str_range(args, close), event);
}

/* ---- the second halves ---- */

/* The first half that a second one belongs to. Lines of a log on stderr lack the pid while one process is left. */
static cg_open_call *find_first_half(cg_parse *parse, const callgauge_event *event)
{
    cg_open_call *open = cg_open_find(&parse->open, cg_strace_key(event));
    if (open != NULL && open->call == event->call) {
        return open;
    }
    cg_open_call *other = NULL;
    if (event->pid != 0) {
        other = cg_open_find(&parse->open, 0);
        other = other != NULL && other->call == event->call ? other : NULL;
    } else {
        other = cg_open_only(&parse->open, event->call);
    }
    if (other != NULL) {
        cg_parse_repair(parse, CG_REPAIR_PID, event->line);
    }
    return other;
}

/* What stands between two halves of arguments: the first one was cut between two of them, with its comma or before
 * it. */
static const char *glue_of(callgauge_str first, callgauge_str rest)
{
    if (first.len == 0 || rest.len == 0 || rest.ptr[0] == ',') {
        return "";
    }
    return first.ptr[first.len - 1] == ',' || cg_str_starts(rest, "=>") ? " " : ", ";
}

/* The arguments of both halves; those of the second one alone when there is no room for both. False: no memory. */
static bool join_args(cg_parse *parse, const cg_open_call *open, callgauge_str rest, callgauge_event *event)
{
    callgauge_str first = cg_str(open->args, open->args_len);
    event->args = rest;
    parse->text.len = 0;
    if (first.len + rest.len + 2 > parse->text.limit) {
        return true;
    }
    bool ok = cg_buf_add_str(&parse->text, first) && cg_buf_add_z(&parse->text, glue_of(first, rest)) &&
              cg_buf_add_str(&parse->text, rest);
    event->args = ok ? cg_buf_str(&parse->text) : rest;
    return ok;
}

bool cg_strace_join(cg_parse *parse, cg_open_call *open, callgauge_str rest, callgauge_event *event)
{
    event->first_line = open->line;
    event->flags |= CALLGAUGE_CALL_RESUMED | open->flags;
    int64_t pid = (int64_t)(open->key >> 32);
    if (pid != 0 && event->pid == 0) {
        event->pid = pid;
        event->has |= CALLGAUGE_HAS_PID;
    }
    event->has &= ~(uint32_t)(CALLGAUGE_HAS_START | CALLGAUGE_HAS_END);
    if (open->start_ns != INT64_MIN) {
        event->start_ns = open->start_ns;
        event->has |= CALLGAUGE_HAS_START;
    }
    if ((event->has & (CALLGAUGE_HAS_START | CALLGAUGE_HAS_DURATION)) ==
        (CALLGAUGE_HAS_START | CALLGAUGE_HAS_DURATION)) {
        event->end_ns = cg_add_ns(event->start_ns, event->duration_ns);
        event->has |= CALLGAUGE_HAS_END;
    }
    bool ok = (parse->wants & CG_WANT_SCALARS) == 0 || join_args(parse, open, rest, event);
    cg_open_drop(&parse->open, open);
    return ok;
}

static cg_verdict resumed_call(cg_parse *parse, callgauge_str rest, const cg_strace_result *result,
                               callgauge_event *event)
{
    apply_result(parse, result, event);
    if (!set_error(parse, result, event)) {
        return CG_LINE_NOMEM;
    }
    cg_open_call *open = find_first_half(parse, event);
    if (open != NULL) {
        return cg_strace_join(parse, open, rest, event) ? CG_LINE_REST : CG_LINE_NOMEM;
    }
    open = cg_open_find(&parse->open, cg_strace_key(event));
    if (open != NULL) {
        cg_parse_lost(parse, open); /* another call was open: its rest is lost */
    }
    event->flags |= CALLGAUGE_CALL_ORPHAN;
    event->args = rest;
    return CG_LINE_REST;
}

/* "<... name resumed>rest)  = result", "<... name resumed> <unfinished ...>) = ?" */
cg_verdict cg_strace_resumed_read(cg_parse *parse, callgauge_str text, const char *at, const cg_line *line,
                                  callgauge_event *event)
{
    static const char RESUMED[] = " resumed>";
    const char *end = text.ptr + text.len, *from = at + 5, *behind = word_end(from, end);
    callgauge_str name = cg_str_range(from, behind);
    if (name.len == 0 || !cg_str_starts(cg_str_range(behind, end), RESUMED)) {
        bool is_cut = (size_t)(end - behind) < sizeof RESUMED - 1 &&
                      memcmp(behind, RESUMED, (size_t)(end - behind)) == 0;
        parse->reason = is_cut ? "a resumed call that is cut" : "a resumed call without its name";
        return is_cut ? CG_LINE_OPEN : CG_LINE_UNREAD;
    }
    const char *rest = behind + sizeof RESUMED - 1, *close;
    cg_strace_result result;
    if (rest < end && *rest == ' ') {
        rest++; /* up to 4.26 a blank stands here */
    }
    event->call = cg_parse_call(parse, name);
    if (event->call == NULL) {
        return CG_LINE_NOMEM;
    }
    if (read_open_end(text, UNFINISHED, &close) || read_open_end(text, DETACHED, &close)) {
        result = (cg_strace_result){ .flags = CALLGAUGE_CALL_UNRETURNED, .duration_ns = INT64_MIN };
        return resumed_call(parse, cg_str_range(rest, close > rest ? close : rest), &result, event);
    }
    if (cg_str_starts(cg_str_range(rest, end), "= ") && cg_strace_result_read(rest + 2, end, &result)) {
        return resumed_call(parse, cg_str(rest, 0), &result, event); /* 4.5: `<... exit_group resumed> = ?` */
    }
    if (cg_str_starts(cg_str_range(rest, end), UNFINISHED)) {
        rest += sizeof UNFINISHED - 1;
    }
    call_end found = find_close_anyway(parse, rest, text, line, &result, &close);
    if (found != CALL_ENDS) {
        return open_verdict(parse, found);
    }
    if (result.end < end) {
        parse->used = (size_t)(result.end - text.ptr);
        cg_parse_repair(parse, CG_REPAIR_JOINED, line->number);
    }
    return resumed_call(parse, cg_str_range(rest, close), &result, event);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The strace dialect: lines of strace 4.5 to 7.2 to events. strict() reads any line forwards; its call
 * grammar is `name(args)  = result`, where the parenthesis that counts is the first of depth 0, outside
 * strings, comments and decorations, whose result reaches the end of the line (or the start of the next
 * event, when lines were joined). When a string or bracket does not end - the program wrote into the line - the
 * last `) = result` that reaches the end decides. The fast form is in strace_fast.c. */
#include "base/decimal.h"
#include "base/str.h"
#include "dialect/strace.h"
#include "dialect/strace_fast.h"

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

static bool is_call_start(const char *at, const char *end, callgauge_str *name)
{
    if (at >= end || cg_is_digit(*at)) {
        return false;
    }
    const char *behind = word_end(at, end);
    *name = cg_str_range(at, behind);
    return behind > at && behind < end && *behind == '(';
}

static bool is_known(callgauge_str name)
{
    size_t hash = cg_str_find(name, "#");
    name.len = hash;
    return cg_class_lookup(name) != NULL || cg_str_starts(name, "syscall_") || cg_str_starts(name, "SYS_");
}

/* "--- SIGCHLD {", "--- SIGCHLD (Child exited)", "--- 65 {", "--- stopped by SIGSTOP" */
static bool is_signal(callgauge_str rest)
{
    enum { NUMBER = 4 };
    if (cg_str_starts(rest, "--- SIG") || cg_str_starts(rest, "--- stopped by SIG")) {
        return true;
    }
    size_t at = NUMBER;
    while (at < rest.len && cg_is_digit(rest.ptr[at])) {
        at++;
    }
    return cg_str_starts(rest, "--- ") && at > NUMBER && cg_str_starts(cg_str(rest.ptr + at, rest.len - at), " {");
}

static bool is_marked_event(callgauge_str rest)
{
    return cg_str_starts(rest, "<... ") || is_signal(rest) || cg_str_starts(rest, "+++ exited with ") ||
           cg_str_starts(rest, "+++ killed by ") || cg_str_starts(rest, "+++ superseded by ");
}

static bool starts(cg_parse *parse, callgauge_str text)
{
    (void)parse;
    cg_strace_leader leader;
    cg_strace_leader_read(text, &leader);
    callgauge_str rest = cg_str_range(leader.rest, text.ptr + text.len), name;
    if (is_marked_event(rest)) {
        return true;
    }
    return is_call_start(rest.ptr, rest.ptr + rest.len, &name) && is_known(name);
}

/* ---- what every event of a line shares ---- */

int64_t cg_strace_since_midnight(cg_strace *state, int64_t of_day)
{
    const int64_t half_day = INT64_C(43200) * 1000000000;
    if (of_day + half_day < state->last_of_day) {
        state->day_ns += 2 * half_day;
    }
    state->last_of_day = of_day;
    return state->day_ns + of_day;
}

static void apply_leader(cg_parse *parse, const cg_strace_leader *leader, callgauge_event *event)
{
    cg_strace *state = parse->state;
    if (leader->pid != 0 || parse->options->pid != 0) {
        event->pid = leader->pid != 0 ? leader->pid : parse->options->pid;
        event->has |= CALLGAUGE_HAS_PID;
    }
    event->comm = leader->comm;
    state->had_leader = leader->any;
    if (leader->abs_ns != INT64_MIN) {
        event->start_ns =
            leader->clock == CALLGAUGE_CLOCK_MIDNIGHT ? cg_strace_since_midnight(state, leader->abs_ns) : leader->abs_ns;
        event->has |= CALLGAUGE_HAS_START;
        parse->capture->clock = leader->clock;
    }
    if (leader->rel_ns != INT64_MIN) {
        event->gap_ns = leader->rel_ns;
        event->has |= CALLGAUGE_HAS_GAP;
    }
}

static uint64_t key_of(const callgauge_event *event)
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
    return starts(parse, cg_str_trim(cg_str_range(at, end)));
}

/* How a call ends, or does not. */
typedef enum call_end {
    CALL_ENDS,
    CALL_IS_OPEN,     /* no result */
    CALL_IS_CUT,      /* a string or bracket does not end */
    CALL_IS_NO_CALL   /* text stands behind the result that is no result's: `read(3) = 4 from program 5` */
} call_end;

static bool ends_before(cg_parse *parse, const char *value, const char *at, const char *end, cg_strace_result *result)
{
    return starts(parse, cg_str_range(at, end)) && cg_strace_result_read(value, at, result) && result->end == at;
}

/* The next line joined to a pointer: `= 0x7f00close(3`, `= 0x7f8b0fa3a00015064 close(3`. What the value has swallowed of
 * a name, or, where it is too long to be one, of a pid, goes back. */
static bool give_back(cg_parse *parse, const char *value, const char *end, cg_strace_result *result)
{
    enum { USUAL = 12, MOST = 16, WITH_NAME = 64 }; /* digits of a pointer of a process, of any, and letters like them */
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
static call_end find_close(cg_parse *parse, const char *args, const char *end, cg_strace_result *result, const char **close)
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
    cg_open_call *open = cg_open_find(&parse->open, key_of(event));
    if (open != NULL) {
        cg_parse_lost(parse, open);
    }
    callgauge_str kept = (parse->wants & CG_WANT_SCALARS) != 0 ? args : cg_str(args.ptr, 0);
    if (!cg_open_put(&parse->open, key_of(event), event->call, kept, &open)) {
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

static cg_verdict whole_call(cg_parse *parse, const cg_strace_result *result, callgauge_str args, callgauge_event *event)
{
    cg_open_call *open = cg_open_find(&parse->open, key_of(event));
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
    parse->reason = found == CALL_IS_CUT ? "a call that is cut: a string or bracket does not end" : "a call without a result";
    return CG_LINE_OPEN;
}

static cg_verdict read_call(cg_parse *parse, callgauge_str text, callgauge_str name, const cg_line *line,
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
    event->call = found == CALL_ENDS || is_known(name) ? cg_parse_call(parse, name) : NULL;
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
    cg_open_call *open = cg_open_find(&parse->open, key_of(event));
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

/* What stands between two halves of arguments: the first one was cut between two of them, with its comma or before it. */
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

static cg_verdict resumed_call(cg_parse *parse, callgauge_str rest, const cg_strace_result *result, callgauge_event *event)
{
    apply_result(parse, result, event);
    if (!set_error(parse, result, event)) {
        return CG_LINE_NOMEM;
    }
    cg_open_call *open = find_first_half(parse, event);
    if (open != NULL) {
        return cg_strace_join(parse, open, rest, event) ? CG_LINE_REST : CG_LINE_NOMEM;
    }
    open = cg_open_find(&parse->open, key_of(event));
    if (open != NULL) {
        cg_parse_lost(parse, open); /* another call was open: its rest is lost */
    }
    event->flags |= CALLGAUGE_CALL_ORPHAN;
    event->args = rest;
    return CG_LINE_REST;
}

/* "<... name resumed>rest)  = result", "<... name resumed> <unfinished ...>) = ?" */
static cg_verdict read_resumed(cg_parse *parse, callgauge_str text, const char *at, const cg_line *line, callgauge_event *event)
{
    static const char RESUMED[] = " resumed>";
    const char *end = text.ptr + text.len, *from = at + 5, *behind = word_end(from, end);
    callgauge_str name = cg_str_range(from, behind);
    if (name.len == 0 || !cg_str_starts(cg_str_range(behind, end), RESUMED)) {
        bool is_cut = (size_t)(end - behind) < sizeof RESUMED - 1 && memcmp(behind, RESUMED, (size_t)(end - behind)) == 0;
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

/* ---- signals, exits, notices ---- */

static callgauge_str word_at(callgauge_str text, size_t from)
{
    size_t to = from;
    while (to < text.len && !cg_is_blank(text.ptr[to])) {
        to++;
    }
    return cg_str(text.ptr + from, to - from);
}

/* "--- SIGCHLD {si_signo=...} ---", "--- SIGCHLD (Child exited) @ 0 (0) ---" */
static cg_verdict read_signal(cg_parse *parse, callgauge_str rest, callgauge_event *event)
{
    if (!cg_str_ends(rest, " ---")) {
        parse->reason = "a signal that is cut";
        return CG_LINE_OPEN;
    }
    if (cg_str_starts(rest, "--- stopped by ")) {
        event->kind = CALLGAUGE_EVENT_NOTICE;
        event->note = cg_str(rest.ptr + 4, rest.len - 8);
        return CG_LINE_EVENT;
    }
    callgauge_str name = word_at(rest, 4);
    event->kind = CALLGAUGE_EVENT_SIGNAL;
    event->name = cg_parse_name(parse, name);
    if (rest.len > name.len + 9) {
        event->note = cg_str(rest.ptr + 5 + name.len, rest.len - name.len - 9);
    }
    return event->name == NULL ? CG_LINE_NOMEM : CG_LINE_EVENT;
}

/* The thread `pid` became the process `key`: its open call goes on under that number. */
static cg_verdict superseded(cg_parse *parse, callgauge_str rest, const callgauge_event *event)
{
    static const char BY[] = "+++ superseded by execve in pid ";
    cg_open_call *own = cg_open_find(&parse->open, key_of(event));
    if (own != NULL) {
        cg_parse_lost(parse, own);
    }
    uint64_t pid;
    const char *at = rest.ptr + sizeof BY - 1, *end = rest.ptr + rest.len;
    if (!cg_str_starts(rest, BY) || !cg_read_u64(&at, end, &pid)) {
        return CG_LINE_EVENT;
    }
    cg_open_call *caller = cg_open_find(&parse->open, cg_open_key((int64_t)pid, 0));
    if (caller == NULL) {
        return CG_LINE_EVENT;
    }
    cg_open_call moved = *caller, *open;
    bool ok = cg_open_put(&parse->open, key_of(event), moved.call, cg_str(moved.args, moved.args_len), &open);
    if (ok && open != NULL) {
        open->line = moved.line;
        open->offset = moved.offset;
        open->start_ns = moved.start_ns;
    }
    caller = cg_open_find(&parse->open, moved.key);
    if (caller != NULL) {
        cg_open_drop(&parse->open, caller);
    }
    return ok ? CG_LINE_EVENT : CG_LINE_NOMEM;
}

/* "+++ exited with 0 +++", "+++ killed by SIGSEGV (core dumped) +++", "+++ superseded by execve in pid 26119 +++" */
static cg_verdict read_exit(cg_parse *parse, callgauge_str rest, callgauge_event *event)
{
    if (!cg_str_ends(rest, " +++")) {
        parse->reason = "an exit that is cut";
        return CG_LINE_OPEN;
    }
    event->kind = CALLGAUGE_EVENT_EXIT;
    event->note = cg_str(rest.ptr + 4, rest.len < 8 ? 0 : rest.len - 8);
    if (cg_str_starts(rest, "+++ superseded")) {
        event->kind = CALLGAUGE_EVENT_NOTICE;
        return superseded(parse, rest, event);
    }
    cg_open_call *open = cg_open_find(&parse->open, key_of(event));
    if (open != NULL) {
        cg_parse_lost(parse, open);
    }
    return CG_LINE_EVENT;
}

/* "Process 4242 attached", "Process 9 attached (waiting for parent)", "Process 7 detached" from `at` on, to the end. */
static bool is_process_notice(callgauge_str text)
{
    static const char PROCESS[] = "Process ";
    static const char *const states[] = { " attached", " detached", " resumed", " suspended" };
    const char *at = text.ptr + sizeof PROCESS - 1, *end = text.ptr + text.len;
    uint64_t pid;
    if (!cg_str_starts(text, PROCESS) || !cg_read_u64(&at, end, &pid)) {
        return false;
    }
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        if (cg_str_starts(cg_str_range(at, end), states[i])) {
            return true;
        }
    }
    return false;
}

/* "strace: ...", "/usr/bin/strace: ...", "../../strace: ..." */
static bool is_strace_speaking(callgauge_str text)
{
    size_t colon = cg_str_find(text, ": ");
    callgauge_str who = cg_str(text.ptr, colon);
    return colon < text.len && memchr(who.ptr, ' ', who.len) == NULL &&
           (cg_str_is(who, "strace") || cg_str_ends(who, "/strace"));
}

static bool is_notice(callgauge_str text)
{
    static const char *const heads[] = { "[ Process PID=", " [wait(0x", "new tcb for pid ", "dropped tcb for pid ",
                                         "ignored SIGSTOP on pid ", "not a syscall entry (", "PTRACE_SEIZE doesn't work",
                                         " <pid changed to ", "<pid changed to " };
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        if (cg_str_starts(text, heads[i])) {
            return true;
        }
    }
    return is_strace_speaking(text) || is_process_notice(text) ||
           (cg_str_starts(text, "pid ") && cg_str_ends(text, ", initializing it"));
}

/* " > frame", " | 00000  7f 45", " * 3 bytes in buffer 0", " = 2 buffers in vector 0": no leader, behind an event */
static bool is_detail(callgauge_str text)
{
    if (text.len < 4 || text.ptr[0] != ' ' || text.ptr[2] != ' ') {
        return false;
    }
    callgauge_str rest = cg_str(text.ptr + 3, text.len - 3);
    switch (text.ptr[1]) {
    case '>':
        return cg_str_find(rest, "[0x") < rest.len || cg_str_starts(rest, "BUG IN ") ||
               cg_str_starts(rest, "unexpected_backtracing_error");
    case '|':
        return cg_is_hex(rest.ptr[0]) || cg_str_starts(rest, "<Cannot fetch");
    case '*':
        return cg_is_digit(rest.ptr[0]) && cg_str_find(rest, " bytes in buffer ") < rest.len;
    case '=':
        return cg_is_digit(rest.ptr[0]) && cg_str_find(rest, " buffers in vector ") < rest.len;
    default:
        return false;
    }
}

static bool is_path_char(char c)
{
    return cg_is_word(c) || c == '/' || c == '.' || c == '-' || c == '+';
}

/* Where in an open line's end the tracer's own notice begins: "...|SIGCHLDstrace: Process 9 attached"; text.len: nowhere.
 * The name strace was called by is glued to what stands before it. */
static size_t notice_in(callgauge_str text)
{
    size_t debug = cg_str_find(text, " [wait(0x");
    size_t at = cg_str_find_last(text, "Process ");
    if (at == text.len || !is_process_notice(cg_str(text.ptr + at, text.len - at))) {
        return debug;
    }
    if (at < 2 || text.ptr[at - 1] != ' ' || text.ptr[at - 2] != ':') {
        return at;
    }
    size_t from = at - 2;
    while (from > 0 && is_path_char(text.ptr[from - 1])) {
        from--;
    }
    callgauge_str word = cg_str(text.ptr + from, at - 2 - from);
    size_t slash = cg_str_find(word, "/"), name = cg_str_find_last(word, "strace");
    while (slash < word.len && slash > 0 && word.ptr[slash - 1] == '.') {
        slash--; /* "../../strace" */
    }
    return from + (slash < word.len ? slash : name < word.len ? name : 0);
}

/* "ENOENT (No such file or directory)" */
static bool is_error_alone(callgauge_str text)
{
    size_t at = 0;
    while (at < text.len && (cg_is_upper(text.ptr[at]) || cg_is_digit(text.ptr[at]))) {
        at++;
    }
    callgauge_str rest = cg_str(text.ptr + at, text.len - at);
    return at > 2 && text.ptr[0] == 'E' && cg_str_starts(rest, " (") && (cg_str_ends(rest, ")") || cg_str_ends(rest, ">"));
}

/* ---- any line ---- */

static cg_verdict read_event(cg_parse *parse, callgauge_str text, const cg_strace_leader *leader, const cg_line *line,
                             callgauge_event *event)
{
    callgauge_str rest = cg_str_range(leader->rest, text.ptr + text.len), name;
    if (cg_str_starts(rest, "<... ")) {
        return read_resumed(parse, text, rest.ptr, line, event);
    }
    if (cg_str_starts(rest, "--- ") && is_marked_event(rest)) {
        return read_signal(parse, rest, event);
    }
    if (cg_str_starts(rest, "+++ ") && is_marked_event(rest)) {
        return read_exit(parse, rest, event);
    }
    if (is_call_start(rest.ptr, rest.ptr + rest.len, &name)) {
        cg_verdict verdict = read_call(parse, text, name, line, event);
        bool like_one = leader->any || (is_known(name) && verdict != CG_LINE_UNREAD);
        return !like_one && (verdict == CG_LINE_OPEN || verdict == CG_LINE_UNREAD) ? CG_LINE_FOREIGN : verdict;
    }
    if (is_notice(rest)) {
        event->kind = CALLGAUGE_EVENT_NOTICE;
        event->note = rest;
        return CG_LINE_NOTICE;
    }
    if (is_error_alone(cg_str_trim(rest))) {
        parse->reason = "the error of a call whose line was wrapped before it";
        return CG_LINE_UNREAD;
    }
    return CG_LINE_FOREIGN;
}

static cg_verdict read_line(cg_parse *parse, callgauge_str text, const cg_line *line, callgauge_event *event)
{
    while (text.len > 0 && cg_is_blank(text.ptr[text.len - 1])) {
        text.len--; /* of lines copied from a terminal */
    }
    cg_verdict verdict = cg_strace_table_read(parse, text, line, event);
    if (verdict != CG_LINE_HARD) {
        return verdict;
    }
    cg_event_begin(event, CALLGAUGE_EVENT_CALL, line, text);
    event->lexer = &cg_strace_lexer;
    if (is_detail(text)) {
        event->kind = CALLGAUGE_EVENT_DETAIL;
        event->note = cg_str_trim(text);
        return ((cg_strace *)parse->state)->after_event ? CG_LINE_DETAIL : CG_LINE_FOREIGN;
    }
    cg_strace_leader leader;
    cg_strace_leader_read(text, &leader);
    apply_leader(parse, &leader, event);
    return read_event(parse, text, &leader, line, event);
}

/* Whether an event may begin at `at`, behind other text. Where lines have leaders, only such a one. */
static bool may_begin(const cg_strace *state, callgauge_str text, size_t at)
{
    callgauge_str name, rest = cg_str(text.ptr + at, text.len - at);
    char before = text.ptr[at - 1];
    if (!state->has_leaders) {
        return is_marked_event(rest) ||
               (!cg_is_word(before) && is_call_start(rest.ptr, rest.ptr + rest.len, &name) && is_known(name));
    }
    if (rest.ptr[0] != '[' && (!cg_is_digit(rest.ptr[0]) || cg_is_digit(before))) {
        return false;
    }
    cg_strace_leader leader;
    cg_strace_leader_read(rest, &leader);
    rest = cg_str_range(leader.rest, text.ptr + text.len);
    return leader.any && (is_marked_event(rest) || (is_call_start(rest.ptr, rest.ptr + rest.len, &name) && is_known(name)));
}

static bool is_event(cg_verdict verdict)
{
    return verdict == CG_LINE_EVENT || verdict == CG_LINE_FIRST || verdict == CG_LINE_REST;
}

/* An event that the program's output stands in front of, on one line; else the line is foreign. */
static cg_verdict read_behind_output(cg_parse *parse, callgauge_str text, const cg_line *line, callgauge_event *event)
{
    int attempts = 0;
    for (size_t at = 1; at < text.len && attempts < MAX_ATTEMPTS; at++) {
        if (!may_begin(parse->state, text, at)) {
            continue;
        }
        attempts++;
        parse->used = text.len;
        callgauge_str rest = cg_str(text.ptr + at, text.len - at);
        cg_verdict verdict = read_line(parse, rest, line, event);
        if (is_event(verdict)) {
            event->flags |= CALLGAUGE_CALL_REPAIRED;
            parse->used = parse->used == text.len ? text.len : parse->used + at;
            cg_parse_repair(parse, CG_REPAIR_OUTPUT_BEFORE, line->number);
            return verdict;
        }
    }
    parse->used = text.len;
    cg_event_begin(event, CALLGAUGE_EVENT_FOREIGN, line, text);
    return CG_LINE_FOREIGN;
}

static cg_verdict strict(cg_parse *parse, callgauge_str text, const cg_line *line, callgauge_event *event)
{
    parse->used = text.len;
    parse->reason = NULL;
    cg_strace *state = parse->state;
    cg_verdict verdict = read_line(parse, text, line, event);
    if (verdict == CG_LINE_FOREIGN) {
        verdict = read_behind_output(parse, text, line, event);
    }
    if (is_event(verdict)) {
        state->has_leaders = state->has_leaders || state->had_leader;
        state->after_event = true;
    } else if (verdict == CG_LINE_FOREIGN || verdict == CG_LINE_TABLE || verdict == CG_LINE_ROW) {
        state->after_event = false;
    }
    return verdict;
}

static int64_t stamp(cg_parse *parse)
{
    return cg_strace_stamp_ns(parse->stamp_at);
}

static bool has_strace_errors(callgauge_str text)
{
    size_t at = cg_str_find(text, ") = -1 E");
    return at < text.len && cg_str_find(cg_str(text.ptr + at, text.len - at), " (") < text.len - at;
}

/* Whether the gap before the result is strace's: `= ` in column 40, or one blank behind longer text. */
static bool has_strace_gap(callgauge_str text)
{
    enum { COLUMN = 40, TRUSS_COLUMN = 48 };
    size_t equals = cg_str_find_last(text, " = ") + 1, gap = 0;
    while (equals > gap && text.ptr[equals - 1 - gap] == ' ') {
        gap++;
    }
    return gap > 1 ? equals == COLUMN : equals > COLUMN && equals <= TRUSS_COLUMN;
}

static bool has_lower_hex(callgauge_str text)
{
    for (size_t i = cg_str_find(text, "0x"); i + 2 < text.len && cg_is_hex(text.ptr[i + 2]); i++) {
        if (cg_is_lower(text.ptr[i + 2])) {
            return true;
        }
    }
    return false;
}

static int bid_for_call(callgauge_str text, const callgauge_event *event)
{
    enum { POSSIBLE = 1, LIKELY = 2, SURE = 10 };
    if (event->kind != CALLGAUGE_EVENT_CALL || (event->has & (CALLGAUGE_HAS_DURATION | CALLGAUGE_HAS_START)) != 0 ||
        (event->flags & CALLGAUGE_CALL_UNRETURNED) != 0 || has_lower_hex(text) || has_strace_errors(text) ||
        cg_str_find(text, "NULL") < text.len) {
        return SURE;
    }
    if (!is_known(event->call->text)) {
        return 0;
    }
    bool likely = has_strace_gap(text) || cg_str_find(text, "(AT_FDCWD") < text.len;
    return likely ? LIKELY : POSSIBLE;
}

static int bid(cg_parse *parse, callgauge_str text)
{
    enum { LIKELY = 2, SURE = 10 };
    cg_line line = { .ptr = text.ptr, .len = text.len, .number = 1 };
    callgauge_event event;
    switch (read_line(parse, text, &line, &event)) {
    case CG_LINE_FIRST:
    case CG_LINE_REST:
        return SURE;
    case CG_LINE_TABLE: /* a heading that is only strace's, or a ruler: truss has none behind its heading */
        return cg_strace_is_heading(text) || ((cg_strace *)parse->state)->table.stage == CG_TABLE_ROWS ? SURE : 0;
    case CG_LINE_ROW:
    case CG_LINE_NOTICE:
        return LIKELY;
    case CG_LINE_EVENT:
        return bid_for_call(text, &event);
    default:
        return 0;
    }
}

const cg_dialect cg_dialect_strace = {
    .name = "strace",
    .lexer = &cg_strace_lexer,
    .state_size = sizeof(cg_strace),
    .bid = bid,
    .lean = cg_strace_lean_counts,
    .counts = cg_strace_fast_counts,
    .events = cg_strace_fast_events,
    .stamp = stamp,
    .strict = strict,
    .starts = starts,
    .notice_in = notice_in,
};

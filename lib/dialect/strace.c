/* SPDX-License-Identifier: Apache-2.0 */
/* The strace dialect: lines of strace 4.5 to 7.2 to events. strict() reads any line forwards: calls by
 * strace_call.c, tables by strace_table.c, and what is left - signals, exits, notices, details, text that is not
 * strace's - here. The fast forms are in strace_fast.c and strace_lean.c. */
#include "base/decimal.h"
#include "base/str.h"
#include "dialect/strace_call.h"
#include "dialect/strace_fast.h"

enum { MAX_ATTEMPTS = 64 }; /* places tried for an event in one line */

/* "--- SIGCHLD {", "--- SIGCHLD (Child exited)", "--- 65 {", "--- stopped by SIGSTOP" */
static bool is_signal(callgauge_str rest)
{
    enum { NUMBER = 4 };
    if (cg_str_starts(rest, "--- SIG") || cg_str_starts(rest, "--- stopped by SIG")) {
        return true;
    }
    if (!cg_str_starts(rest, "--- ")) {
        return false;
    }
    size_t at = NUMBER;
    while (at < rest.len && cg_is_digit(rest.ptr[at])) {
        at++;
    }
    return at > NUMBER && cg_str_starts(cg_str(rest.ptr + at, rest.len - at), " {");
}

static bool is_marked_event(callgauge_str rest)
{
    return cg_str_starts(rest, "<... ") || is_signal(rest) || cg_str_starts(rest, "+++ exited with ") ||
           cg_str_starts(rest, "+++ killed by ") || cg_str_starts(rest, "+++ superseded by ");
}

bool cg_strace_starts(cg_parse *parse, callgauge_str text)
{
    (void)parse;
    cg_strace_leader leader;
    cg_strace_leader_read(text, &leader);
    callgauge_str rest = cg_str_range(leader.rest, text.ptr + text.len), name;
    if (is_marked_event(rest)) {
        return true;
    }
    return cg_strace_is_call_start(rest.ptr, rest.ptr + rest.len, &name) && cg_strace_is_known(name);
}

/* ---- what every event of a line shares ---- */

int64_t cg_strace_since_midnight(cg_strace *state, int64_t of_day)
{
    const int64_t half_day = INT64_C(43200) * 1000000000;
    if (of_day + half_day < state->last_of_day) {
        state->day_ns = cg_add_ns(state->day_ns, 2 * half_day);
    }
    state->last_of_day = of_day;
    return cg_add_ns(state->day_ns, of_day);
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
        event->start_ns = leader->clock == CALLGAUGE_CLOCK_MIDNIGHT ? cg_strace_since_midnight(state, leader->abs_ns)
                                                                    : leader->abs_ns;
        event->has |= CALLGAUGE_HAS_START;
        parse->capture->clock = leader->clock;
    }
    if (leader->rel_ns != INT64_MIN) {
        event->gap_ns = leader->rel_ns;
        event->has |= CALLGAUGE_HAS_GAP;
    }
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
    cg_open_call *own = cg_open_find(&parse->open, cg_strace_key(event));
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
    bool ok = cg_open_put(&parse->open, cg_strace_key(event), moved.call, cg_str(moved.args, moved.args_len), &open);
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
    cg_open_call *open = cg_open_find(&parse->open, cg_strace_key(event));
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
    static const char *const heads[] = { "[ Process PID=",
                                         " [wait(0x",
                                         "new tcb for pid ",
                                         "dropped tcb for pid ",
                                         "ignored SIGSTOP on pid ",
                                         "not a syscall entry (",
                                         "PTRACE_SEIZE doesn't work",
                                         " <pid changed to ",
                                         "<pid changed to " };
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
    case '|': return cg_is_hex(rest.ptr[0]) || cg_str_starts(rest, "<Cannot fetch");
    case '*': return cg_is_digit(rest.ptr[0]) && cg_str_find(rest, " bytes in buffer ") < rest.len;
    case '=': return cg_is_digit(rest.ptr[0]) && cg_str_find(rest, " buffers in vector ") < rest.len;
    default: return false;
    }
}

static bool is_path_char(char c)
{
    return cg_is_word(c) || c == '/' || c == '.' || c == '-' || c == '+';
}

/* Where in an open line's end the tracer's own notice begins: "...|SIGCHLDstrace: Process 9 attached"; text.len:
 * nowhere. The name strace was called by is glued to what stands before it. */
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
    return at > 2 && text.ptr[0] == 'E' && cg_str_starts(rest, " (") &&
           (cg_str_ends(rest, ")") || cg_str_ends(rest, ">"));
}

/* ---- any line ---- */

static cg_verdict read_event(cg_parse *parse, callgauge_str text, const cg_strace_leader *leader, const cg_line *line,
                             callgauge_event *event)
{
    callgauge_str rest = cg_str_range(leader->rest, text.ptr + text.len), name;
    if (cg_str_starts(rest, "<... ")) {
        return cg_strace_resumed_read(parse, text, rest.ptr, line, event);
    }
    if (cg_str_starts(rest, "--- ") && is_marked_event(rest)) {
        return read_signal(parse, rest, event);
    }
    if (cg_str_starts(rest, "+++ ") && is_marked_event(rest)) {
        return read_exit(parse, rest, event);
    }
    if (cg_strace_is_call_start(rest.ptr, rest.ptr + rest.len, &name)) {
        cg_verdict verdict = cg_strace_call_read(parse, text, name, line, event);
        bool like_one = leader->any || (cg_strace_is_known(name) && verdict != CG_LINE_UNREAD);
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

static bool is_right_behind(const cg_strace *state, const cg_line *line)
{
    return line->number == state->no_event_line + 1;
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
        return is_right_behind(parse->state, line) ? CG_LINE_FOREIGN : CG_LINE_DETAIL;
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
               (!cg_is_word(before) && cg_strace_is_call_start(rest.ptr, rest.ptr + rest.len, &name) &&
                cg_strace_is_known(name));
    }
    if (rest.ptr[0] != '[' && (!cg_is_digit(rest.ptr[0]) || cg_is_digit(before))) {
        return false;
    }
    enum { LONGEST_LEADER = 512 };
    cg_strace_leader leader;
    cg_strace_leader_read(cg_str(rest.ptr, rest.len < LONGEST_LEADER ? rest.len : LONGEST_LEADER), &leader);
    rest = cg_str_range(leader.rest, text.ptr + text.len);
    return leader.any && (is_marked_event(rest) ||
                          (cg_strace_is_call_start(rest.ptr, rest.ptr + rest.len, &name) && cg_strace_is_known(name)));
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
        state->no_event_line = line->number - 1;
    } else if (verdict == CG_LINE_FOREIGN || verdict == CG_LINE_TABLE || verdict == CG_LINE_ROW ||
               is_right_behind(state, line)) {
        state->no_event_line = line->number;
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
    if (!cg_strace_is_known(event->call->text)) {
        return 0;
    }
    bool likely = has_strace_gap(text) || cg_str_find(text, "(AT_FDCWD") < text.len;
    return likely ? LIKELY : POSSIBLE;
}

/* "(3</etc/passwd>", "(AT_FDCWD</home>" (-y): whether a line shows the path behind a descriptor; `1<<MAP` is a
 * shift. */
static bool shows_path(callgauge_str text)
{
    size_t bracket = cg_str_find(text, "(");
    const char *p = text.ptr + bracket + 1, *end = text.ptr + text.len, *from = p;
    while (p < end && cg_is_word(*p)) {
        p++;
    }
    return p > from && end - p >= 2 && p[0] == '<' && p[1] != '<';
}

/* Each line tells its own columns; only what descriptors look like is seen here. */
static void columns(cg_parse *parse, const callgauge_str *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        parse->capture->traits |= shows_path(lines[i]) ? CALLGAUGE_TRAIT_FD_PATHS : 0;
    }
}

static int bid(cg_parse *parse, callgauge_str text)
{
    enum { LIKELY = 2, SURE = 10 };
    cg_line line = { .ptr = text.ptr, .len = text.len, .number = 1 };
    callgauge_event event;
    switch (read_line(parse, text, &line, &event)) {
    case CG_LINE_FIRST:
    case CG_LINE_REST: return SURE;
    case CG_LINE_TABLE: /* a heading that is only strace's, or a ruler: truss has none behind its heading */
        return cg_strace_is_heading(text) || ((cg_strace *)parse->state)->table.stage == CG_TABLE_ROWS ? SURE : 0;
    case CG_LINE_ROW:
    case CG_LINE_NOTICE: return LIKELY;
    case CG_LINE_EVENT: return bid_for_call(text, &event);
    default: return 0;
    }
}

const cg_dialect cg_dialect_strace = {
    .name = "strace",
    .lexer = &cg_strace_lexer,
    .state_size = sizeof(cg_strace),
    .bid = bid,
    .columns = columns,
    .lean = cg_strace_lean_counts,
    .lean_event = cg_strace_lean_event,
    .counts = cg_strace_fast_counts,
    .events = cg_strace_fast_events,
    .stamp = stamp,
    .strict = strict,
    .starts = cg_strace_starts,
    .notice_in = notice_in,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* The dialect of truss on Solaris and illumos: from a line to the part of truss_*.c that reads it, and how
 * much a line speaks for this dialect. Grammar: docs/dialects/truss-solaris.md.
 * Invariant: every line gets one verdict; what stands in front of an event in a line is passed over and counted. */
#include "dialect/truss.h"

static cg_verdict foreign(cg_parse *parse, callgauge_event *event)
{
    cg_truss_command(parse, event->text);
    event->kind = CALLGAUGE_EVENT_FOREIGN;
    event->note = event->text;
    return CG_LINE_FOREIGN;
}

static cg_verdict unread(cg_parse *parse, callgauge_event *event, const char *reason)
{
    parse->reason = reason;
    event->kind = CALLGAUGE_EVENT_UNREAD;
    return CG_LINE_UNREAD;
}

/* A whole call; the rest of a joined line is left to be read next. */
static cg_verdict take_call(cg_parse *parse, const cg_truss_leader *leader, const cg_truss_call *call,
                            const cg_line *line, callgauge_event *event)
{
    cg_truss *truss = parse->state;
    const char *end = event->text.ptr + event->text.len;
    parse->used -= (size_t)(end - call->end);
    if (call->end < end) {
        cg_parse_repair(parse, CG_REPAIR_JOINED, line->number);
    }
    event->text = cg_str_range(event->text.ptr, call->end);
    truss->section = CG_TRUSS_NO_TABLE;
    if (cg_truss_pid_lost(truss, leader)) {
        cg_parse_repair(parse, CG_REPAIR_PID, line->number);
    }
    return cg_truss_call_event(parse, leader, call, line, event);
}

/* A call that may go on, on a later line. */
static cg_verdict open_call(cg_parse *parse, const cg_truss_call *call, const cg_line *line, callgauge_event *event)
{
    parse->reason = line->cut ? "the capture ends inside a call" : "a call that does not end";
    event->kind = CALLGAUGE_EVENT_UNREAD;
    event->call = cg_parse_call(parse, call->name);
    return event->call == NULL ? CG_LINE_NOMEM : CG_LINE_OPEN;
}

/* Output in front of an event, or the command line that a page has put before its first line. */
static cg_verdict search_inside(cg_parse *parse, const cg_line *line, callgauge_event *event)
{
    const char *at = event->text.ptr, *end = at + event->text.len;
    cg_truss_leader leader;
    cg_truss_call call;
    if (!cg_truss_find_whole(&at, end, line->cut, &leader, &call)) {
        return CG_LINE_HARD;
    }
    cg_truss_command(parse, cg_str_range(event->text.ptr, at));
    cg_parse_repair(parse, CG_REPAIR_OUTPUT_BEFORE, line->number);
    event->text = cg_str_range(at, end);
    return take_call(parse, &leader, &call, line, event);
}

/* The beginning of a name where the capture ends, or anything behind a prefix that only truss prints. */
static bool is_broken(const cg_parse *parse, const cg_truss_leader *leader, const cg_line *line, const char *end)
{
    const cg_truss *truss = parse->state;
    const char *p = leader->rest;
    if (!parse->capture->has_events) {
        return false;
    }
    if (leader->lwp != 0 || (leader->pid != 0 && cg_truss_has_pids(truss)) || leader->stamps > 0) {
        return true;
    }
    while (p < end && cg_is_word(*p)) {
        p++;
    }
    return line->cut && p == end && p > leader->rest;
}

/* event->text is what is left of the line. */
static cg_verdict read_line(cg_parse *parse, const cg_line *line, callgauge_event *event)
{
    const char *end = event->text.ptr + event->text.len;
    cg_truss_leader leader;
    cg_truss_call call;
    cg_verdict verdict = cg_truss_table_read(parse, line, event);
    if (verdict != CG_LINE_HARD) {
        return verdict;
    }
    cg_truss_leader_read(event->text.ptr, end, &leader);
    if (leader.rest == end) {
        return leader.lwp != 0 && parse->capture->has_events ? unread(parse, event, "a prefix alone")
                                                             : foreign(parse, event);
    }
    verdict = cg_truss_special(parse, &leader, line, event);
    if (verdict != CG_LINE_HARD) {
        return verdict;
    }
    switch (cg_truss_call_read(&leader, end, line->cut, &call)) {
    case CG_TRUSS_WHOLE: return take_call(parse, &leader, &call, line, event);
    case CG_TRUSS_CUT: return open_call(parse, &call, line, event);
    case CG_TRUSS_NO_CALL: break;
    }
    verdict = cg_truss_detail(parse, &leader, line, event);
    if (verdict == CG_LINE_HARD) {
        verdict = search_inside(parse, line, event);
    }
    if (verdict != CG_LINE_HARD) {
        return verdict;
    }
    return is_broken(parse, &leader, line, end) ? unread(parse, event, "a line that truss does not print")
                                                : foreign(parse, event);
}

/* What a terminal echoes of a typed control character. */
static size_t echo_length(callgauge_str text)
{
    static const char *const echoes[] = { "^C", "^Z", "^\\" };
    for (size_t i = 0; i < sizeof echoes / sizeof *echoes; i++) {
        if (cg_str_starts(text, echoes[i])) {
            return strlen(echoes[i]);
        }
    }
    return 0;
}

static cg_verdict strict(cg_parse *parse, callgauge_str text, const cg_line *line, callgauge_event *event)
{
    size_t echo = echo_length(text);
    parse->used = text.len;
    parse->reason = NULL;
    cg_event_begin(event, CALLGAUGE_EVENT_FOREIGN, line, cg_str(text.ptr + echo, text.len - echo));
    cg_verdict verdict = read_line(parse, line, event);
    if (verdict == CG_LINE_FOREIGN) {
        event->text = event->note = text;
    } else if (echo > 0) {
        cg_parse_repair(parse, CG_REPAIR_ECHO, line->number);
    }
    return verdict;
}

static bool starts(cg_parse *parse, callgauge_str text)
{
    (void)parse;
    return cg_truss_starts(text.ptr, text.ptr + text.len);
}

/* ---- bids */

/* AIX's kread, __loadx, sbrk and its statx of a path: truss too, but another one. */
static bool is_aix(const cg_truss_call *call)
{
    callgauge_str name = call->name;
    bool k = cg_str_starts(name, "k") && !cg_str_is(name, "kill") && !cg_str_is(name, "kaio");
    bool underline = cg_str_starts(name, "_") && !cg_str_is(name, "_exit");
    return k || underline || cg_str_is(name, "sbrk") || (cg_str_is(name, "statx") && cg_str_starts(call->args, "\""));
}

/* Arguments as strace prints them: lower-case addresses, NULL, structures, strings cut with three dots. */
static bool is_strace(callgauge_str args)
{
    static const char *const marks[] = { "NULL", "{", "\"..." };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (cg_str_find(args, marks[i]) < args.len) {
            return true;
        }
    }
    for (size_t i = 0; i + 2 < args.len; i++) {
        size_t digits = i + 2;
        if (args.ptr[i] != '0' || args.ptr[i + 1] != 'x') {
            continue;
        }
        while (digits < args.len && (cg_is_digit(args.ptr[digits]) || cg_is_upper(args.ptr[digits]))) {
            digits++;
        }
        if (digits < args.len && args.ptr[digits] >= 'a' && args.ptr[digits] <= 'f') {
            return true;
        }
    }
    return false;
}

/* An argument as only truss prints it: 0x and at least 8 digits, a zero in front or a letter among them, or pairs. */
static bool is_truss_argument(callgauge_str arg)
{
    enum { PAIRS_ENOUGH = 4, HEX_LENGTH = 10 };
    if (cg_str_starts(arg, "\"")) {
        size_t close = cg_str_find_last(arg, "\"");
        return close > 1 && cg_truss_pairs(arg.ptr + 1, arg.ptr + close) >= PAIRS_ENOUGH;
    }
    bool telling = cg_str_starts(arg, "0x0");
    for (size_t i = 2; i < arg.len; i++) {
        telling |= arg.ptr[i] >= 'A' && arg.ptr[i] <= 'F';
    }
    return telling && cg_str_starts(arg, "0x") && arg.len >= HEX_LENGTH;
}

static bool has_truss_argument(callgauge_str args)
{
    const char *at = args.ptr, *end = at + args.len;
    callgauge_str arg;
    while (cg_truss_lexer.next(&at, end, &arg)) {
        if (is_truss_argument(arg)) {
            return true;
        }
    }
    return false;
}

/* Old System V prints two blanks between a short number and its name. */
static bool is_truss_result(const cg_truss_call *call)
{
    const cg_truss_result *result = &call->result;
    ptrdiff_t column = result->start - call->name.ptr;
    switch (result->ending) {
    case CG_TRUSS_NOTHING: return false;
    case CG_TRUSS_ERROR: return cg_str_find(result->text, "  ") == result->text.len;
    case CG_TRUSS_VALUE:
        return result->start[-1] == '\t' || (result->has & CALLGAUGE_HAS_VALUE2) != 0 ||
               (column == CG_TRUSS_COLUMN && result->start[-2] == ' ');
    default: return true;
    }
}

static int bid_for_call(const cg_truss_leader *leader, const cg_truss_call *call)
{
    enum { NEUTRAL = 1, CERTAIN = 10 };
    if (is_aix(call) || is_strace(call->args)) {
        return 0;
    }
    bool telling = leader->tab || leader->lwp != 0 || is_truss_result(call) || has_truss_argument(call->args);
    return telling ? CERTAIN : NEUTRAL;
}

/* A page that has put the command line before the first event, and both on one line. */
static bool find_behind_command(const char *at, const char *end, cg_truss_leader *leader, cg_truss_call *call)
{
    return cg_str_find(cg_str_range(at, end), "truss -") < (size_t)(end - at) &&
           cg_truss_find_whole(&at, end, false, leader, call);
}

static int bid(cg_parse *parse, callgauge_str line)
{
    enum { CERTAIN = 10 };
    size_t echo = echo_length(line);
    const char *at = line.ptr + echo, *end = line.ptr + line.len;
    cg_truss_leader leader;
    cg_truss_call call;
    (void)parse;
    if (cg_truss_is_table_line(cg_str_range(at, end))) {
        return CERTAIN;
    }
    cg_truss_leader_read(at, end, &leader);
    if (cg_truss_is_special(leader.rest, end) || cg_str_starts(cg_str_range(leader.rest, end), "siginfo: SIG")) {
        return CERTAIN;
    }
    bool whole = cg_truss_call_read(&leader, end, false, &call) == CG_TRUSS_WHOLE ||
                 find_behind_command(at, end, &leader, &call);
    return whole ? bid_for_call(&leader, &call) : 0;
}

const cg_dialect cg_dialect_truss_solaris = {
    .name = "truss-solaris",
    .lexer = &cg_truss_lexer,
    .state_size = sizeof(cg_truss),
    .error_marks = true,
    .bid = bid,
    .columns = cg_truss_columns,
    .lean = cg_truss_lean,
    .lean_event = cg_truss_lean_event,
    .counts = cg_truss_counts,
    .events = cg_truss_events,
    .stamp = cg_truss_stamp_left,
    .strict = strict,
    .starts = starts,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* From the text of a call to its event: where it ends (forwards, past quotes and parentheses; else by the last
 * `) = result` that reaches the end of the line), whether another event is glued to it, and which sleeper it completes.
 * Invariant: a sleeping line and its completion are one event. Sleepers are kept by thread where lwps are printed,
 * else by process and name, since an unlabelled trace may mix the threads of a process. */
#include "dialect/truss.h"

#include "base/decimal.h"

static bool is_one_of(callgauge_str name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (cg_str_is(name, list[i])) {
            return true;
        }
    }
    return false;
}

/* Calls that print no result. */
static bool never_returns(callgauge_str name)
{
    static const char *const list[] = { "_exit",     "lwp_exit",  "getcontext", "setcontext",
                                        "getustack", "setustack", "upanic",     "exit" };
    return is_one_of(name, list, sizeof list / sizeof *list);
}

/* An exec that truss must not follow prints no result either; a `*** cannot trace across exec() ***` follows. */
static bool is_exec(callgauge_str name)
{
    static const char *const list[] = { "execve", "exec", "exece" };
    return is_one_of(name, list, sizeof list / sizeof *list);
}

bool cg_truss_starts(const char *at, const char *end)
{
    cg_truss_leader leader;
    cg_truss_leader_read(at, end, &leader);
    callgauge_str name = cg_truss_name(leader.rest, end);
    return (name.len > 0 && cg_truss_is_known(name)) || cg_truss_is_special(leader.rest, end);
}

static bool is_later(const cg_truss_leader *before, const cg_truss_leader *after)
{
    return before->stamps == 0 || cg_truss_stamp_ns(after->stamp[0]) >= cg_truss_stamp_ns(before->stamp[0]);
}

/* `= 1126.1774 connect(`: a value and the stamp of the next line, glued; `= 06428:<TAB>close(`: and its pid.
 * Time never goes back, and the process is most likely the same. */
static bool split_glued(const cg_truss_leader *leader, const char *end, cg_truss_call *call)
{
    cg_truss_result *result = &call->result;
    callgauge_str digits = result->text;
    if (result->ending != CG_TRUSS_VALUE || result->end == end || (*result->end != '.' && *result->end != ':')) {
        return false;
    }
    size_t split = 0;
    for (size_t i = digits.len; i-- > 1;) {
        cg_truss_leader next;
        cg_truss_leader_read(digits.ptr + i, end, &next);
        bool fits = *result->end == ':' ? leader->pid != 0 && next.pid == leader->pid
                                        : next.stamps > 0 && is_later(leader, &next);
        if (fits && digits.len - i >= 2 && cg_truss_starts(digits.ptr + i, end)) {
            split = i;
            break;
        }
    }
    const char *at = digits.ptr;
    if (split == 0 || !cg_read_i64(&at, digits.ptr + split, &result->value)) {
        return false;
    }
    result->text.len = split;
    result->end = call->end = digits.ptr + split;
    return true;
}

/* A cut last line may end inside the name of an error. */
static bool is_cut_error(const cg_truss_result *result, bool cut)
{
    callgauge_str known = cg_truss_error_name(result->error_number);
    return cut && result->ending == CG_TRUSS_ERROR && known.len > 0 && !cg_str_eq(known, result->error);
}

/* Reads the result behind `close`; true when it reaches the end or the beginning of another event. */
static bool read_ending(const cg_truss_leader *leader, const char *close, const char *end, bool cut,
                        cg_truss_call *call)
{
    bool silent = never_returns(call->name) || (is_exec(call->name) && !cut);
    call->args = cg_str_range(call->name.ptr + call->name.len + 1, close);
    call->end = end;
    if (!cg_truss_result_read(close + 1, end, &call->result)) {
        call->result = (cg_truss_result){ .ending = CG_TRUSS_NOTHING, .start = close + 1, .end = close + 1 };
    }
    if (call->result.ending == CG_TRUSS_NOTHING && !silent) {
        return false;
    }
    const char *rest = cg_truss_blanks(call->result.end, end);
    if (rest == end) {
        return !is_cut_error(&call->result, cut);
    }
    if (cg_truss_starts(rest, end)) {
        call->end = rest;
        return true;
    }
    return split_glued(leader, end, call);
}

/* The last `) result` that reaches the end, for strings that cannot be followed forwards. */
static bool read_last_ending(const cg_truss_leader *leader, const char *end, cg_truss_call *call)
{
    const char *from = call->name.ptr + call->name.len + 1, *p = end;
    for (int i = 0; i < CG_TRUSS_ATTEMPTS && p > from; i++) {
        while (p > from && p[-1] != ')') {
            p--;
        }
        if (p > from && read_ending(leader, p - 1, end, false, call) && call->end == end &&
            call->result.ending != CG_TRUSS_NOTHING) {
            return true;
        }
        p--;
    }
    return false;
}

/* Whether a name that nobody knows stands in a line that only truss lays out so. */
static bool is_truss_layout(const cg_truss_leader *leader, const cg_truss_call *call)
{
    const char *start = call->result.start;
    return leader->prefix || leader->stamps > 0 || call->result.ending != CG_TRUSS_VALUE || start[-1] == '\t' ||
           start - call->name.ptr == CG_TRUSS_COLUMN;
}

/* Whether what has no end is a call's beginning: `read(fd, buf, 10);` of a program is none. */
static bool is_beginning(const cg_truss_leader *leader, const cg_truss_call *call, const char *close, const char *end)
{
    const char *behind = close == NULL ? end : cg_truss_blanks(close + 1, end);
    if (leader->prefix || leader->stamps > 0) {
        return true;
    }
    return call->known && (behind == end || (behind > close + 1 && cg_truss_is_in(*behind, "=E(a")));
}

cg_truss_reading cg_truss_call_read(const cg_truss_leader *leader, const char *end, bool cut, cg_truss_call *call)
{
    *call = (cg_truss_call){ .name = cg_truss_name(leader->rest, end), .end = end };
    if (call->name.len == 0) {
        return CG_TRUSS_NO_CALL;
    }
    call->known = cg_truss_is_known(call->name);
    const char *close = cg_truss_args_end(call->name.ptr + call->name.len + 1, end);
    if ((close != NULL && read_ending(leader, close, end, cut, call)) ||
        (!cut && read_last_ending(leader, end, call))) {
        return call->known || is_truss_layout(leader, call) ? CG_TRUSS_WHOLE : CG_TRUSS_NO_CALL;
    }
    return is_beginning(leader, call, close, end) ? CG_TRUSS_CUT : CG_TRUSS_NO_CALL;
}

/* From a name back to where its leader begins: blanks, up to three stamps, a prefix. */
static const char *back_to_leader(const char *from, const char *name)
{
    const char *start = name;
    for (int i = 0; i <= CG_TRUSS_STAMPS; i++) {
        const char *p = start;
        while (p > from && cg_is_blank(p[-1])) {
            p--;
        }
        if (p == start || p == from) {
            break;
        }
        const char *token = p;
        while (token > from && (cg_is_digit(token[-1]) || cg_truss_is_in(token[-1], "./@:"))) {
            token--;
        }
        cg_truss_leader leader;
        cg_truss_leader_read(token, name, &leader);
        if (token == p || leader.rest != name) {
            break;
        }
        start = token > from && token[-1] == '-' && leader.stamps > 0 && !leader.prefix ? token - 1 : token;
        if (leader.prefix) {
            break;
        }
    }
    return start;
}

bool cg_truss_find(const char **at, const char *end, cg_truss_leader *leader)
{
    const char *from = *at;
    for (int i = 0; i < CG_TRUSS_ATTEMPTS; i++) {
        const char *paren = from == end ? NULL : memchr(from, '(', (size_t)(end - from));
        if (paren == NULL) {
            return false;
        }
        const char *name = paren;
        while (name > from && (cg_is_word(name[-1]) || name[-1] == '#')) {
            name--;
        }
        while (name < paren && cg_is_digit(*name)) {
            name++;
        }
        if (name < paren && cg_truss_is_known(cg_str_range(name, paren))) {
            *at = back_to_leader(*at, name);
            cg_truss_leader_read(*at, end, leader);
            return true;
        }
        from = paren + 1;
    }
    return false;
}

bool cg_truss_find_whole(const char **at, const char *end, bool cut, cg_truss_leader *leader, cg_truss_call *call)
{
    for (int i = 0; i < CG_TRUSS_ATTEMPTS && cg_truss_find(at, end, leader); i++) {
        if (cg_truss_call_read(leader, end, cut, call) == CG_TRUSS_WHOLE) {
            return true;
        }
        *at = leader->rest + call->name.len + 1;
    }
    return false;
}

/* ---- sleepers */

/* Keys of sleepers whose lwp is not printed have this bit where else the lwp stands. */
static const uint32_t NO_LWP = UINT32_C(1) << 31;
static const uint32_t NAME_IDS = (UINT32_C(1) << 28) - 1;
static const uint32_t SAME_NAME_SLEEPERS = 4;

/* A vfork is announced by one name and completed by another: vfork() waits, vforkx() returns. */
static bool is_vfork(const callgauge_call_name *name)
{
    return cg_str_starts(name->text, "vfork");
}

static uint64_t unlabelled_key(int64_t pid, const callgauge_call_name *name, uint32_t nth)
{
    uint32_t id = is_vfork(name) ? NAME_IDS : name->id & NAME_IDS;
    return cg_open_key(pid, (int64_t)(NO_LWP | (id * SAME_NAME_SLEEPERS + nth)));
}

static bool is_unlabelled(const cg_open_call *entry)
{
    return ((uint32_t)entry->key & NO_LWP) != 0;
}

static bool is_same_call(const callgauge_call_name *a, const callgauge_call_name *b)
{
    return a == b || (is_vfork(a) && is_vfork(b));
}

cg_open_call *cg_truss_sleeper(cg_parse *parse, int64_t pid, int64_t lwp, const callgauge_call_name *name)
{
    const cg_truss *truss = parse->state;
    cg_open_call *entry = lwp == 0 ? NULL : cg_open_find(&parse->open, cg_open_key(pid, lwp));
    for (uint32_t i = 0; entry == NULL && truss->unlabelled > 0 && i < SAME_NAME_SLEEPERS; i++) {
        entry = cg_open_find(&parse->open, unlabelled_key(pid, name, i));
    }
    if (entry == NULL && lwp == 0) { /* the only lwp left is most likely the first */
        entry = cg_open_find(&parse->open, cg_open_key(pid, 1));
        entry = entry != NULL && is_same_call(entry->call, name) ? entry : NULL;
    }
    return entry;
}

/* Of several unlabelled sleepers in the same call the one with the same first argument, else the first. */
static cg_open_call *best_sleeper(cg_parse *parse, const cg_truss_leader *leader, const callgauge_call_name *name,
                                  callgauge_str args)
{
    cg_open_call *best = cg_truss_sleeper(parse, leader->pid, leader->lwp, name);
    const char *at = args.ptr;
    callgauge_str first, other;
    if (best == NULL || !is_unlabelled(best) || !cg_truss_lexer.next(&at, args.ptr + args.len, &first)) {
        return best;
    }
    for (uint32_t i = 0; i < SAME_NAME_SLEEPERS; i++) {
        cg_open_call *entry = cg_open_find(&parse->open, unlabelled_key(leader->pid, name, i));
        at = entry == NULL ? NULL : entry->args;
        if (at != NULL && cg_truss_lexer.next(&at, entry->args + entry->args_len, &other) && cg_str_eq(first, other)) {
            return entry;
        }
    }
    return best;
}

/* Where a further sleeper can be kept; of many unlabelled ones the last takes the place of the one before. */
static uint64_t free_key(cg_parse *parse, const cg_truss_leader *leader, const callgauge_call_name *name)
{
    uint64_t key = cg_open_key(leader->pid, leader->lwp);
    for (uint32_t i = 0; leader->lwp == 0 && i < SAME_NAME_SLEEPERS; i++) {
        key = unlabelled_key(leader->pid, name, i);
        if (cg_open_find(&parse->open, key) == NULL) {
            break;
        }
    }
    return key;
}

static void forget(cg_parse *parse, cg_open_call *entry, bool lost)
{
    cg_truss *truss = parse->state;
    truss->unlabelled -= is_unlabelled(entry);
    if (lost) {
        cg_parse_lost(parse, entry);
    } else {
        cg_open_drop(&parse->open, entry);
    }
}

static cg_verdict fall_asleep(cg_parse *parse, const cg_truss_leader *leader, const callgauge_event *event)
{
    cg_truss *truss = parse->state;
    uint64_t key = free_key(parse, leader, event->call);
    cg_open_call *entry = cg_open_find(&parse->open, key);
    if (entry != NULL) {
        forget(parse, entry, true);
    }
    if (!cg_open_put(&parse->open, key, event->call, event->args, &entry)) {
        return CG_LINE_NOMEM;
    }
    if (entry != NULL) {
        entry->line = event->line;
        entry->offset = event->offset;
        truss->unlabelled += is_unlabelled(entry);
    }
    return CG_LINE_FIRST;
}

/* The sleeper that this call completes is forgotten; one that the thread has left behind is lost. */
static void wake_up(cg_parse *parse, const cg_truss_leader *leader, callgauge_event *event)
{
    cg_open_call *entry = best_sleeper(parse, leader, event->call, event->args);
    if (entry == NULL) {
        return;
    }
    bool same = is_same_call(entry->call, event->call);
    if (same) {
        event->first_line = entry->line;
        event->flags |= CALLGAUGE_CALL_SLEPT;
    }
    forget(parse, entry, !same);
}

/* ---- the event */

static bool set_error(cg_parse *parse, const cg_truss_result *result, callgauge_event *event)
{
    callgauge_str name = result->error.len > 0 ? result->error : cg_truss_error_name(result->error_number);
    event->error = cg_parse_error(parse, name.len > 0 ? name : result->text);
    event->error_number = result->error_number;
    event->flags |= cg_str_is(name, "ERESTART") ? CALLGAUGE_CALL_RESTART : 0;
    return event->error != NULL;
}

static bool set_result(cg_parse *parse, const cg_truss_result *result, callgauge_event *event)
{
    event->has |= result->has;
    event->value = result->value;
    event->value2 = result->value2;
    event->result = result->text;
    event->note = result->note;
    switch (result->ending) {
    case CG_TRUSS_NOTHING: event->flags |= CALLGAUGE_CALL_UNRETURNED; return true;
    case CG_TRUSS_CHILD: event->flags |= CALLGAUGE_CALL_CHILD; return true;
    case CG_TRUSS_ARGC: /* an exec that succeeds returns 0 to nobody; argc is the new image's */
        event->value = 0;
        event->has |= CALLGAUGE_HAS_VALUE;
        return true;
    case CG_TRUSS_ERROR: return set_error(parse, result, event);
    default: return true;
    }
}

cg_verdict cg_truss_call_event(cg_parse *parse, const cg_truss_leader *leader, const cg_truss_call *call,
                               const cg_line *line, callgauge_event *event)
{
    const cg_truss_result *result = &call->result;
    const char *close = call->args.ptr + call->args.len;
    cg_truss *truss = parse->state;
    cg_truss_form_seen(parse, leader);
    truss->forms |= cg_truss_form(leader);
    parse->capture->traits |= CALLGAUGE_TRAIT_ARGUMENTS | CALLGAUGE_TRAIT_RESULTS | CALLGAUGE_TRAIT_STRINGS;
    event->kind = CALLGAUGE_EVENT_CALL;
    event->call = cg_parse_call(parse, call->name);
    event->args = call->args;
    event->lexer = &cg_truss_lexer;
    if (event->call == NULL) {
        return CG_LINE_NOMEM;
    }
    cg_truss_thread_set(parse, leader, event);
    if (result->ending == CG_TRUSS_ASLEEP || (result->ending == CG_TRUSS_NOTHING && is_exec(call->name))) {
        return fall_asleep(parse, leader, event);
    }
    cg_truss_stamps_set(truss, leader, event);
    if (!set_result(parse, result, event)) {
        return CG_LINE_NOMEM;
    }
    if (result->ending != CG_TRUSS_CHILD) {
        wake_up(parse, leader, event);
    }
    if ((result->ending == CG_TRUSS_VALUE || result->ending == CG_TRUSS_ERROR) &&
        cg_truss_tabs_lost(call->name.ptr, close, result->start)) {
        cg_parse_repair(parse, CG_REPAIR_TABS, line->number);
    }
    if (cg_truss_dump_follows(event->call, call->args, event->error != NULL, event->value)) {
        cg_truss_expect_dump(truss, line->number, event->error != NULL, event->value);
    }
    return CG_LINE_EVENT;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The fast forms: `[pid] [stamp] name(` forwards, the result at the line's only mark, arguments never
 * looked at. Whatever is not proven to be what strict() would find is CG_LINE_HARD; the names known here are
 * those that strict() has met. One function is compiled twice, with and without the fields that a
 * histogram does not need. */
#include "dialect/strace_fast.h"

#include "base/decimal.h"
#include "dialect/strace_shape.h"

enum { PID_MAX = 4194304 };

/* Not to be part of its caller: see strace_tail.h. */
#define RARE static __attribute__((noinline))

/* "[pid  1234] " */
RARE cg_read_to read_bracket_pid(const char *p)
{
    cg_read_to none = { NULL, 0 };
    if (memcmp(p, "[pid ", 5) != 0) {
        return none;
    }
    for (p += 5; *p == ' '; p++) {
    }
    uint64_t word = cg_load8(p);
    unsigned count = cg_digit_count(word);
    if (count == 0 || count > 7 || p[count] != ']' || p[count + 1] != ' ') {
        return none;
    }
    cg_read_to pid = { p + count + 1, cg_digits_value(word << (64 - 8 * count)) };
    while (*pid.at == ' ') {
        pid.at++;
    }
    return pid;
}

/* "17:45:29.155364 " or "17:45:28 ", as time since midnight. */
RARE cg_read_to read_time_of_day(const char *p)
{
    uint64_t digits = (cg_load8(p) & 0xFFFF00FFFF00FFFFu) | 0x0000300000300000u;
    uint32_t micro = 0;
    if (p[2] != ':' || p[5] != ':' || !cg_all_digits(digits) ||
        (p[8] == '.' && (!cg_six_digits(p + 7, &micro) || p[15] != ' ')) || (p[8] != '.' && p[8] != ' ')) {
        return (cg_read_to){ NULL, 0 };
    }
    int64_t value = cg_digits_value(digits); /* HH0MM0SS */
    int64_t seconds = value / 1000000 * 3600 + value / 1000 % 100 * 60 + value % 100;
    return (cg_read_to){ p[8] == '.' ? p + 16 : p + 9, seconds * 1000000000 + (int64_t)micro * 1000 };
}

/* "1796060731.102865 ", with the digits of its first 16 bytes and more in `digits`. NULL: no such stamp. */
CG_HOT const char *read_epoch(cg_parse *parse, const char *p, unsigned digits, uint32_t wants, cg_fast_line *out)
{
    if ((digits & 0xFFFF) != 0xFBFF || !cg_is_digit(p[16]) || p[10] != '.' || p[17] != ' ' ||
        !cg_strace_seconds_are(parse, p)) {
        return NULL;
    }
    out->stamp = p;
    if ((wants & CG_WANT_SCALARS) != 0) {
        out->start_ns = cg_strace_moment(parse, p);
        out->has |= CALLGAUGE_HAS_START;
    }
    return p + 18;
}

/* Reads up to the event. False: a form that is not known here. Midnights are settled only when the line is taken. */
CG_HOT bool read_head(cg_parse *parse, const char *p, uint32_t wants, cg_fast_line *out)
{
    unsigned digits = cg_digit_mask(p);
    unsigned count = (unsigned)__builtin_ctz(~digits);
    out->has = 0;
    out->pid = 0;
    out->stamp = NULL;
    if (count - 1 < 7 && p[count] == ' ') {
        out->pid = cg_digits_value(cg_load8(p) << (64 - 8 * count));
        p += count;
        do {
            p++;
        } while (*p == ' ');
    } else if (*p == '[') {
        cg_read_to pid = read_bracket_pid(p);
        if (pid.at == NULL) {
            return false;
        }
        out->pid = pid.value;
        p = pid.at;
    }
    if (out->pid != 0) {
        if (out->pid > PID_MAX) {
            return false;
        }
        out->has = CALLGAUGE_HAS_PID;
        digits = cg_digit_mask(p);
    }
    if ((digits & 1) != 0) {
        if (p[2] == ':') {
            cg_read_to time = read_time_of_day(p);
            out->start_ns = time.value;
            out->has |= CALLGAUGE_HAS_START;
            p = time.at;
        } else {
            p = read_epoch(parse, p, digits, wants, out);
        }
    }
    out->event = p;
    return p != NULL;
}

/* Midnights, the clock, that there are leaders: what a line that is taken tells of the capture, as apply_leader() of
 * strace.c does. */
CG_HOT void settle_leader(cg_parse *parse, const cg_line *line, cg_fast_line *of)
{
    if (of->event > line->ptr) {
        ((cg_strace *)parse->state)->has_leaders = true;
    }
    if (of->stamp != NULL) {
        parse->capture->clock = CALLGAUGE_CLOCK_EPOCH;
    } else if ((of->has & CALLGAUGE_HAS_START) != 0) {
        parse->capture->clock = CALLGAUGE_CLOCK_MIDNIGHT;
        of->start_ns = cg_strace_since_midnight(parse->state, of->start_ns);
    }
}

/* The result, and the event made of it. False: it is not known here; the event is spoiled. */
CG_HOT bool fill_event(cg_parse *parse, const cg_line *line, cg_fast_line *of, const callgauge_call_name *call,
                       uint32_t wants, callgauge_event *event)
{
    const char *p = line->mark + 2;
    uint32_t has = of->has | CALLGAUGE_HAS_VALUE;
    if ((wants & CG_WANT_SCALARS) != 0) {
        /* as cg_event_begin(), but that numbers which `has` does not name stay as they are */
        event->line = event->first_line = line->number;
        event->offset = line->offset;
        event->text = cg_str(line->ptr, line->len);
        event->note = (callgauge_str){ NULL, 0 }; /* each by itself: a copy of one has to wait for it to be written */
        event->comm = (callgauge_str){ NULL, 0 };
        event->duration_kind = CALLGAUGE_TIME_NONE;
        event->annotation = NULL;
        event->lexer = parse->dialect->lexer;
        event->result = cg_str_range(p, of->value_end);
    }
    event->flags = 0;
    event->error = NULL;
    event->name = NULL;
    event->row = NULL;
    if (!cg_strace_short_value(p, of, &event->value)) {
        cg_rare_value rare = cg_strace_rare_value(parse, p, of->value_end);
        if (!rare.ok) {
            return false;
        }
        has = of->has | rare.has;
        event->flags = rare.flags;
        event->error = rare.error;
        event->value = (rare.has & CALLGAUGE_HAS_VALUE) != 0 ? rare.value : 0;
        if ((wants & CG_WANT_SCALARS) != 0) {
            event->result = cg_str(p, rare.result_len);
            event->note = rare.note;
        }
    }
    settle_leader(parse, line, of);
    event->kind = CALLGAUGE_EVENT_CALL;
    event->pid = of->pid;
    event->call = call;
    if ((has & CALLGAUGE_HAS_START) != 0) {
        event->start_ns = of->start_ns;
    }
    if ((has & CALLGAUGE_HAS_DURATION) != 0) {
        event->duration_ns = of->duration_ns;
        event->duration_kind = CALLGAUGE_TIME_WALL;
        parse->duration_kind = CALLGAUGE_TIME_WALL;
        if ((has & CALLGAUGE_HAS_START) != 0) {
            event->end_ns = cg_add_ns(of->start_ns, of->duration_ns);
            has |= CALLGAUGE_HAS_END;
        }
    }
    event->has = has;
    return true;
}

static bool is_unfinished(const cg_line *line)
{
    static const char MARK[] = " <unfinished ...>";
    const char *at = line->ptr + line->len - (sizeof MARK - 1);
    return line->mark == NULL && !line->many && line->len > sizeof MARK && memcmp(at, MARK, 8) == 0 &&
           memcmp(at + 8, MARK + 8, 8) == 0 && at[16] == MARK[16]; /* in parts: no call */
}

/* The first half of a call: "name(args <unfinished ...>". */
RARE cg_verdict first_half(cg_parse *parse, const cg_line *line, cg_fast_line of, const callgauge_call_name *call,
                           const char *args, uint32_t wants)
{
    uint64_t key = cg_open_key(of.pid, 0);
    const char *end = line->ptr + line->len - 17;
    while (end > args && end[-1] == ' ') {
        end--;
    }
    if (end < args || cg_open_find(&parse->open, key) != NULL) {
        return CG_LINE_HARD;
    }
    settle_leader(parse, line, &of);
    if (of.stamp != NULL) {
        of.start_ns = cg_strace_stamp_ns(of.stamp);
        of.has |= CALLGAUGE_HAS_START;
    }
    cg_open_call *open;
    size_t keep = (wants & CG_WANT_SCALARS) != 0 ? (size_t)(end - args) : 0;
    if (!cg_open_put(&parse->open, key, call, cg_str(args, keep), &open)) {
        return CG_LINE_NOMEM;
    }
    if (open != NULL) {
        open->line = line->number;
        open->offset = line->offset;
        open->start_ns = (of.has & CALLGAUGE_HAS_START) != 0 ? of.start_ns : INT64_MIN;
    }
    return CG_LINE_FIRST;
}

/* "<... name resumed>rest)  = result": the second half. Only when the first one is open for the same thread. */
CG_HOT cg_verdict second_half(cg_parse *parse, const cg_line *line, cg_fast_line of, uint32_t wants,
                              callgauge_event *event)
{
    static const char RESUMED[] = " resumed>";
    const char *p = of.event;
    if (memcmp(p, "<... ", 5) != 0) {
        return CG_LINE_HARD;
    }
    p += 5;
    size_t len = (size_t)__builtin_ctz(cg_byte_mask(p, ' ') | 0x10000);
    const callgauge_call_name *call = cg_strace_find_call(parse, p, len);
    const char *rest = p + len + sizeof RESUMED - 1;
    cg_open_call *open = cg_open_find(&parse->open, cg_open_key(of.pid, 0));
    if (call == NULL || open == NULL || open->call != call || memcmp(p + len, RESUMED, sizeof RESUMED - 1) != 0 ||
        *rest == ' ' || *rest == '=' || *rest == '<' || !cg_strace_find_close(line, rest, &of) ||
        !cg_strace_duration(line->ptr + line->len, &of) || !fill_event(parse, line, &of, call, wants, event)) {
        return CG_LINE_HARD;
    }
    return cg_strace_join(parse, open, cg_str_range(rest, of.close), event) ? CG_LINE_REST : CG_LINE_NOMEM;
}

RARE cg_verdict second_half_events(cg_parse *parse, const cg_line *line, cg_fast_line of, callgauge_event *event)
{
    return second_half(parse, line, of, CG_WANT_SCALARS, event);
}

CG_HOT cg_verdict read_line(cg_parse *parse, const cg_line *line, callgauge_event *event, uint32_t wants)
{
    cg_fast_line of;
    if (line->len < 16 || !read_head(parse, line->ptr, wants, &of)) {
        return CG_LINE_HARD;
    }
    if (of.pid == 0 && parse->options->pid != 0) {
        of.pid = parse->options->pid;
        of.has |= CALLGAUGE_HAS_PID;
    }
    size_t len;
    const callgauge_call_name *call = cg_strace_call_at(parse, of.event, &len);
    if (call == NULL) {
        return *of.event != '<'                 ? CG_LINE_HARD
               : (wants & CG_WANT_SCALARS) != 0 ? second_half_events(parse, line, of, event)
                                                : cg_strace_half_counts(parse, line, of, event);
    }
    const char *args = of.event + len + 1, *end = line->ptr + line->len;
    if (end[-2] == '.') {
        return is_unfinished(line) ? first_half(parse, line, of, call, args, wants) : CG_LINE_HARD;
    }
    if (!cg_strace_find_close(line, args, &of) || !cg_strace_duration(end, &of) ||
        cg_open_find(&parse->open, cg_open_key(of.pid, 0)) != NULL ||
        !fill_event(parse, line, &of, call, wants, event)) {
        return CG_LINE_HARD;
    }
    if ((wants & CG_WANT_SCALARS) != 0) {
        event->args = cg_str_range(args, of.close);
    } else if (of.stamp != NULL) {
        parse->stamp_at = of.stamp;
        parse->stamp_duration = (of.has & CALLGAUGE_HAS_DURATION) != 0 ? of.duration_ns : 0;
    }
    if (of.stamp != NULL || (of.has & CALLGAUGE_HAS_START) == 0) { /* times of day need their midnights */
        cg_strace_learn(parse->state, line->ptr, of.stamp, of.event);
    }
    return CG_LINE_EVENT;
}

/* A first half that has not been looked at yet. */
static cg_verdict first_half_at(cg_parse *parse, const cg_line *line, cg_fast_line of, uint32_t wants)
{
    if (!is_unfinished(line)) {
        return CG_LINE_HARD;
    }
    size_t len;
    const callgauge_call_name *call = cg_strace_call_at(parse, of.event, &len);
    return call == NULL ? CG_LINE_HARD : first_half(parse, line, of, call, of.event + len + 1, wants);
}

cg_verdict cg_strace_half_counts(cg_parse *parse, const cg_line *line, cg_fast_line of, callgauge_event *event)
{
    return *of.event == '<' ? second_half(parse, line, of, CG_WANT_COUNTS, event)
                            : first_half_at(parse, line, of, CG_WANT_COUNTS);
}

cg_verdict cg_strace_half_event(cg_parse *parse, const cg_line *line, cg_fast_line of, callgauge_event *event)
{
    return *of.event == '<' ? second_half_events(parse, line, of, event)
                            : first_half_at(parse, line, of, CG_WANT_SCALARS);
}

int64_t cg_strace_stamp_ns(const char *at)
{
    int64_t seconds = (int64_t)cg_digits_value(cg_load8(at)) * 100 + (at[8] - '0') * 10 + (at[9] - '0');
    int64_t part = (int64_t)cg_digits_value(cg_load8(at + 9) & ~(uint64_t)0xFFFF) * 1000;
    return seconds > INT64_MAX / 1000000000 ? INT64_MAX : cg_add_ns(seconds * 1000000000, part);
}

cg_verdict cg_strace_fast_counts(cg_parse *parse, const cg_line *line, callgauge_event *event)
{
    return read_line(parse, line, event, CG_WANT_COUNTS);
}

cg_verdict cg_strace_fast_events(cg_parse *parse, const cg_line *line, callgauge_event *event)
{
    return read_line(parse, line, event, CG_WANT_SCALARS);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The fast forms: `[pid] [stamp] name(` forwards, the result at the line's only mark, arguments never
 * looked at. Whatever is not proven to be what strict() would find is CG_LINE_HARD; the names known here are
 * those that strict() has met. One function is compiled twice, with and without the fields that a
 * histogram does not need. */
#include "dialect/strace_fast.h"

#include "base/decimal.h"
#include "base/str.h"
#include "base/swar.h"
#include "dialect/strace.h"

enum { PID_MAX = 4194304 };

/* One function in the end: nothing here may be left to the compiler's sense of size. What is rare is kept out
 * of line and answers by value, so that the rest stays in registers. */
#define HOT static inline __attribute__((always_inline))
#define RARE static __attribute__((noinline))

/* What a rare reader has found. */
typedef struct read_to {
    const char *at; /* behind it; NULL: it is not what this reader knows */
    int64_t value;
} read_to;

/* A result that is no plain short decimal. */
typedef struct rare_value {
    bool ok;
    uint32_t has, flags;
    int64_t value;
    size_t result_len;
    callgauge_str note;
    const callgauge_name *error;
} rare_value;

/* "[pid  1234] " */
RARE read_to read_bracket_pid(const char *p)
{
    read_to none = { NULL, 0 };
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
    read_to pid = { p + count + 1, cg_digits_value(word << (64 - 8 * count)) };
    while (*pid.at == ' ') {
        pid.at++;
    }
    return pid;
}

/* The seconds of "1796060731.102865", whose digits have been seen: mostly those of the line before, else read here.
 * False: the first stamp of a capture, which strict() has to note, or no time since 1970. */
RARE bool read_seconds(const cg_parse *parse, const char *p)
{
    cg_strace *state = parse->state;
    int64_t seconds_ns = cg_strace_stamp_ns(p) / 1000000000 * 1000000000;
    if (seconds_ns < INT64_C(100000000) * 1000000000 || parse->capture->first_ns == INT64_MIN) {
        return false;
    }
    state->seconds_word = cg_load8(p);
    memcpy(&state->seconds_tail, p + 8, sizeof state->seconds_tail);
    state->seconds_ns = seconds_ns;
    return true;
}

/* "17:45:29.155364 " or "17:45:28 ", as time since midnight. */
RARE read_to read_time_of_day(const char *p)
{
    uint64_t digits = (cg_load8(p) & 0xFFFF00FFFF00FFFFu) | 0x0000300000300000u;
    uint32_t micro = 0;
    if (p[2] != ':' || p[5] != ':' || !cg_all_digits(digits) ||
        (p[8] == '.' && (!cg_six_digits(p + 7, &micro) || p[15] != ' ')) || (p[8] != '.' && p[8] != ' ')) {
        return (read_to){ NULL, 0 };
    }
    int64_t value = cg_digits_value(digits); /* HH0MM0SS */
    int64_t seconds = value / 1000000 * 3600 + value / 1000 % 100 * 60 + value % 100;
    return (read_to){ p[8] == '.' ? p + 16 : p + 9, seconds * 1000000000 + (int64_t)micro * 1000 };
}

/* A duration whose end is at `end` and that has more than one digit of seconds; at: its '<'. NULL: it is none. */
RARE read_to read_long_duration(const char *end)
{
    uint32_t micro;
    const char *p = end - 9;
    if (end[-1] != '>' || !cg_six_digits(p, &micro) || !cg_is_digit(*p)) {
        return (read_to){ NULL, 0 };
    }
    int64_t seconds = *p - '0', unit = 1;
    while (cg_is_digit(p[-1]) && unit < 10000000) {
        unit *= 10;
        p--;
        seconds += (*p - '0') * unit;
    }
    bool ok = p[-1] == '<' && p[-2] == ' ';
    return (read_to){ ok ? p - 1 : NULL, seconds * 1000000000 + (int64_t)micro * 1000 };
}

/* "ENOENT (No such file or directory)" up to `end`. */
static bool read_error(const cg_parse *parse, const char *p, const char *end, rare_value *out)
{
    const char *name = p;
    size_t len = (size_t)__builtin_ctz(cg_byte_mask(p, ' ') | 0x10000);
    p += len;
    if (*name != 'E' || len == 0 || end - p < 3 || p[0] != ' ' || p[1] != '(' ||
        memchr(p, ')', (size_t)(end - p)) != end - 1 || memchr(p + 2, '(', (size_t)(end - p - 2)) != NULL) {
        return false;
    }
    int64_t id = cg_intern_find_short(&parse->errors.index, name, len);
    if (id < 0) {
        return false;
    }
    out->error = parse->errors.plain[id];
    out->note = cg_str_range(p + 1, end);
    return true;
}

/* "<...>" up to `end`, without another bracket, quote or escape in it; arrows of addresses do not end it. */
static bool is_decoration(const char *p, const char *end)
{
    const char *close = memchr(p, '>', (size_t)(end - p));
    while (close != NULL && close != end - 1 && close[-1] == '-' && p[1] != '/') {
        close = memchr(close + 1, '>', (size_t)(end - close - 1));
    }
    return close == end - 1 && close[-1] != '-' && memchr(p + 1, '<', (size_t)(end - p - 1)) == NULL &&
           memchr(p, '"', (size_t)(end - p)) == NULL && memchr(p, '\\', (size_t)(end - p)) == NULL;
}

/* "<...>", or " (...)" without another parenthesis or quote in it. */
static bool read_one_note(const char *p, const char *end, rare_value *out)
{
    if (*p == '<') {
        out->result_len += (size_t)(end - p);
        return is_decoration(p, end);
    }
    if (end - p < 3 || p[0] != ' ' || p[1] != '(' || p[2] == 'I' || p[2] == 'D') {
        return false;
    }
    out->note = cg_str_range(p + 1, end);
    return memchr(p, ')', (size_t)(end - p)) == end - 1 && memchr(p + 2, '(', (size_t)(end - p - 2)) == NULL &&
           memchr(p, '"', (size_t)(end - p)) == NULL;
}

/* "0x7f85a614b000", "4294967296", "3</etc/passwd>", "0x2 (flags O_RDWR)" */
static bool read_number(const char *p, const char *end, rare_value *out)
{
    const char *from = p;
    uint64_t value = 0;
    if (p[0] == '0' && p[1] == 'x') {
        if (!cg_read_hex(&p, end, &value)) {
            return false;
        }
    } else {
        while (p < end && cg_is_digit(*p)) {
            value = value * 10 + (uint64_t)(*p++ - '0');
        }
        if (p == from || p - from > 18 || (*from == '0' && p - from > 1)) {
            return false;
        }
    }
    out->value = (int64_t)value;
    out->result_len = (size_t)(p - from);
    return p == end || read_one_note(p, end, out);
}

/* The result from behind "= " up to `end`. */
RARE rare_value read_rare_value(const cg_parse *parse, const char *p, const char *end)
{
    rare_value out = { .has = CALLGAUGE_HAS_VALUE, .value = -1, .result_len = 2 };
    if (p >= end) {
        out.ok = false;
    } else if (*p == '?') {
        out = (rare_value){ .ok = end - p == 1, .flags = CALLGAUGE_CALL_UNRETURNED, .result_len = 1 };
    } else if (*p == '-') {
        out.ok = end - p > 4 && p[1] == '1' && p[2] == ' ' && read_error(parse, p + 3, end, &out);
    } else {
        out.ok = read_number(p, end, &out);
    }
    return out;
}

/* The length of the name before '('; 16: longer than 15, or none. */
HOT size_t name_length(const char *p)
{
    return (size_t)__builtin_ctz(cg_byte_mask(p, '(') | 0x10000);
}

/* The last byte before `at` that is no blank. */
HOT const char *skip_blanks_back(const char *at)
{
    unsigned other;
    while ((other = ~cg_byte_mask(at - 16, ' ') & 0xFFFF) == 0) {
        at -= 16;
    }
    return at - 16 + (31 - __builtin_clz(other));
}

HOT const callgauge_call_name *find_call(const cg_parse *parse, const char *name, size_t len)
{
    int64_t id = len - 1 > 15 ? CG_INTERN_NONE : cg_intern_find_short(&parse->calls.index, name, len);
    return id < 0 ? NULL : parse->calls.calls[id];
}

/* What a whole line of a call tells, in registers. */
typedef struct fast_line {
    const char *event; /* where the event begins */
    const char *close; /* its ')' */
    uint32_t has;
    int64_t pid, start_ns, duration_ns;
    const char *value_end;
    const char *stamp; /* of a time since 1970; NULL: none */
} fast_line;

/* "1796060731.102865 ", with the digits of its first 16 bytes and more in `digits`. NULL: no such stamp. */
HOT const char *read_epoch(cg_parse *parse, const char *p, unsigned digits, uint32_t wants, fast_line *out)
{
    const cg_strace *state = parse->state;
    uint16_t last_two;
    memcpy(&last_two, p + 8, sizeof last_two);
    bool same = cg_load8(p) == state->seconds_word && last_two == state->seconds_tail;
    if ((digits & 0xFFFF) != 0xFBFF || !cg_is_digit(p[16]) || p[10] != '.' || p[17] != ' ' ||
        (!same && !read_seconds(parse, p))) {
        return NULL;
    }
    out->stamp = p;
    if ((wants & CG_WANT_SCALARS) != 0) {
        out->start_ns = state->seconds_ns + (int64_t)cg_digits_value(cg_load8(p + 9) & ~(uint64_t)0xFFFF) * 1000;
        out->has |= CALLGAUGE_HAS_START;
    }
    return p + 18;
}

/* Reads up to the event. False: a form that is not known here. Midnights are settled only when the line is taken. */
HOT bool read_head(cg_parse *parse, const char *p, uint32_t wants, fast_line *out)
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
        read_to pid = read_bracket_pid(p);
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
            read_to time = read_time_of_day(p);
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

/* A trailing " <0.000023>": the only precision known here. */
HOT bool read_duration(const char *end, fast_line *out)
{
    out->value_end = end;
    if (end[-1] != '>') {
        return true;
    }
    out->has |= CALLGAUGE_HAS_DURATION;
    if ((cg_digit_mask(end - 16) & 0xFFC0) == 0x7E80 && end[-11] == ' ' && end[-10] == '<' && end[-8] == '.') {
        uint32_t micro = cg_digits_value(cg_load8(end - 9) & ~(uint64_t)0xFFFF);
        out->duration_ns = (end[-9] - '0') * INT64_C(1000000000) + (int64_t)micro * 1000;
        out->value_end = end - 11;
        return true;
    }
    if (!cg_is_digit(end[-2])) {
        out->has &= ~(uint32_t)CALLGAUGE_HAS_DURATION;
        return true; /* the end of a decoration */
    }
    read_to duration = read_long_duration(end);
    out->duration_ns = duration.value;
    out->value_end = duration.at - 1;
    return duration.at != NULL;
}

/* ")  =" at the line's only mark; the parenthesis is at `args` or behind it. */
HOT bool find_close(const cg_line *line, const char *args, fast_line *out)
{
    const char *mark = line->mark;
    if (mark == NULL || line->many || mark - args < 2 || mark[0] != '=' || mark[-1] != ' ' || mark[1] != ' ') {
        return false;
    }
    out->close = skip_blanks_back(mark - 1);
    return out->close >= args && *out->close == ')';
}

/* Midnights and the clock: what a line that is taken tells of the capture, as apply_leader() of strace.c does. */
HOT void settle_clock(cg_parse *parse, fast_line *of)
{
    if (of->stamp != NULL) {
        parse->capture->clock = CALLGAUGE_CLOCK_EPOCH;
    } else if ((of->has & CALLGAUGE_HAS_START) != 0) {
        parse->capture->clock = CALLGAUGE_CLOCK_MIDNIGHT;
        of->start_ns = cg_strace_since_midnight(parse->state, of->start_ns);
    }
}

/* The result, and the event made of it. False: it is not known here; the event is spoiled. */
HOT bool fill_event(cg_parse *parse, const cg_line *line, fast_line *of, const callgauge_call_name *call, uint32_t wants,
                    callgauge_event *event)
{
    const char *p = line->mark + 2;
    size_t len = (size_t)(of->value_end - p);
    uint64_t digits = len - 1 < 8 ? cg_last_digits(of->value_end, (unsigned)len) : 0;
    uint32_t has = of->has | CALLGAUGE_HAS_VALUE;
    if ((wants & CG_WANT_SCALARS) != 0) {
        cg_event_begin(event, CALLGAUGE_EVENT_CALL, line, cg_str(line->ptr, line->len));
        event->lexer = parse->dialect->lexer;
        event->result = cg_str(p, len);
    }
    event->flags = 0;
    event->error = NULL;
    event->name = NULL;
    event->row = NULL;
    if (cg_all_digits(digits) && (*p != '0' || len == 1)) {
        if ((wants & CG_WANT_SCALARS) != 0 || call->moves != CALLGAUGE_MOVES_NOTHING) {
            event->value = cg_digits_value(digits);
        }
    } else {
        rare_value rare = read_rare_value(parse, p, of->value_end);
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
    settle_clock(parse, of);
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
    return line->mark == NULL && !line->many && line->len > sizeof MARK &&
           memcmp(line->ptr + line->len - (sizeof MARK - 1), MARK, sizeof MARK - 1) == 0;
}

/* The first half of a call: "name(args <unfinished ...>". */
RARE cg_verdict first_half(cg_parse *parse, const cg_line *line, fast_line of, const callgauge_call_name *call,
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
    settle_clock(parse, &of);
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
HOT cg_verdict second_half(cg_parse *parse, const cg_line *line, fast_line of, uint32_t wants, callgauge_event *event)
{
    static const char RESUMED[] = " resumed>";
    const char *p = of.event;
    if (memcmp(p, "<... ", 5) != 0) {
        return CG_LINE_HARD;
    }
    p += 5;
    size_t len = (size_t)__builtin_ctz(cg_byte_mask(p, ' ') | 0x10000);
    const callgauge_call_name *call = find_call(parse, p, len);
    const char *rest = p + len + sizeof RESUMED - 1;
    cg_open_call *open = cg_open_find(&parse->open, cg_open_key(of.pid, 0));
    if (call == NULL || open == NULL || open->call != call || memcmp(p + len, RESUMED, sizeof RESUMED - 1) != 0 ||
        *rest == ' ' || *rest == '=' || *rest == '<' || !find_close(line, rest, &of) ||
        !read_duration(line->ptr + line->len, &of) || !fill_event(parse, line, &of, call, wants, event)) {
        return CG_LINE_HARD;
    }
    return cg_strace_join(parse, open, cg_str_range(rest, of.close), event) ? CG_LINE_REST : CG_LINE_NOMEM;
}

RARE cg_verdict second_half_counts(cg_parse *parse, const cg_line *line, fast_line of, callgauge_event *event)
{
    return second_half(parse, line, of, CG_WANT_COUNTS, event);
}

RARE cg_verdict second_half_events(cg_parse *parse, const cg_line *line, fast_line of, callgauge_event *event)
{
    return second_half(parse, line, of, CG_WANT_SCALARS, event);
}

HOT cg_verdict read_line(cg_parse *parse, const cg_line *line, callgauge_event *event, uint32_t wants)
{
    fast_line of;
    if (line->len < 16 || !read_head(parse, line->ptr, wants, &of)) {
        return CG_LINE_HARD;
    }
    if (of.pid == 0 && parse->options->pid != 0) {
        of.pid = parse->options->pid;
        of.has |= CALLGAUGE_HAS_PID;
    }
    size_t len = name_length(of.event);
    const callgauge_call_name *call = find_call(parse, of.event, len);
    if (call == NULL) {
        return *of.event != '<'                   ? CG_LINE_HARD
               : (wants & CG_WANT_SCALARS) != 0 ? second_half_events(parse, line, of, event)
                                                : second_half_counts(parse, line, of, event);
    }
    const char *args = of.event + len + 1, *end = line->ptr + line->len;
    if (end[-2] == '.') {
        return is_unfinished(line) ? first_half(parse, line, of, call, args, wants) : CG_LINE_HARD;
    }
    if (!find_close(line, args, &of) || !read_duration(end, &of) ||
        cg_open_find(&parse->open, cg_open_key(of.pid, 0)) != NULL || !fill_event(parse, line, &of, call, wants, event)) {
        return CG_LINE_HARD;
    }
    if ((wants & CG_WANT_SCALARS) != 0) {
        event->args = cg_str_range(args, of.close);
    } else {
        parse->stamp_at = of.stamp;
        parse->stamp_duration = (of.has & CALLGAUGE_HAS_DURATION) != 0 ? of.duration_ns : 0;
    }
    return CG_LINE_EVENT;
}

int64_t cg_strace_stamp_ns(const char *at)
{
    int64_t seconds = (int64_t)cg_digits_value(cg_load8(at)) * 100 + (at[8] - '0') * 10 + (at[9] - '0');
    return seconds * 1000000000 + (int64_t)cg_digits_value(cg_load8(at + 9) & ~(uint64_t)0xFFFF) * 1000;
}

cg_verdict cg_strace_fast_counts(cg_parse *parse, const cg_line *line, callgauge_event *event)
{
    return read_line(parse, line, event, CG_WANT_COUNTS);
}

cg_verdict cg_strace_fast_events(cg_parse *parse, const cg_line *line, callgauge_event *event)
{
    return read_line(parse, line, event, CG_WANT_SCALARS);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The fast forms: `[pid] [stamp] name(` forwards, the result at the line's only mark, arguments never
 * looked at. Whatever is not proven to be what strict() would find is CG_LINE_HARD; the names known here are
 * those that strict() has met. One function is compiled twice, with and without the fields that a
 * histogram does not need. */
#include "dialect/strace_fast.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/decimal.h"
#include "base/str.h"
#include "base/swar.h"
#include "dialect/strace.h"

enum { PID_MAX = 4194304 };

typedef struct line_head {
    int64_t pid;
    int64_t start_ns; /* INT64_MIN: none */
    const char *at;   /* where the event begins */
    callgauge_clock clock;
} line_head;

typedef struct line_tail {
    const char *value_end; /* behind the value and its notes */
    int64_t duration_ns;   /* INT64_MIN: none */
    uint32_t has, flags;
    int64_t value;
    callgauge_str result, note;
    const callgauge_name *error;
} line_tail;

/* "1234  " or "[pid  1234] "; false: neither, though it begins like one. */
static inline bool read_pid(const char **at, line_head *head)
{
    const char *p = *at;
    bool bracket = *p == '[';
    if (bracket) {
        if (memcmp(p, "[pid ", 5) != 0) {
            return false;
        }
        for (p += 5; *p == ' '; p++) {
        }
    }
    uint64_t word = cg_load8(p);
    unsigned count = cg_digit_count(word);
    if (count == 0 || count > 7) {
        return false;
    }
    head->pid = cg_digits_value(word << (64 - 8 * count));
    p += count;
    if (bracket && *p++ != ']') {
        return false;
    }
    if (*p != ' ' || head->pid == 0 || head->pid > PID_MAX) {
        return false;
    }
    do {
        p++;
    } while (*p == ' ');
    *at = p;
    return true;
}

/* "1796060731.102865 " */
static inline bool read_epoch(const char **at, line_head *head)
{
    const char *p = *at;
    uint64_t word = cg_load8(p);
    uint32_t micro;
    if (!cg_six_digits(p + 9, &micro) || p[17] != ' ' || !cg_all_digits(word) || !cg_is_digit(p[8]) ||
        !cg_is_digit(p[9])) {
        return false;
    }
    int64_t seconds = (int64_t)cg_digits_value(word) * 100 + (p[8] - '0') * 10 + (p[9] - '0');
    head->start_ns = seconds * 1000000000 + (int64_t)micro * 1000;
    head->clock = CALLGAUGE_CLOCK_EPOCH;
    *at = p + 18;
    return seconds >= 100000000;
}

/* "17:45:29.155364 " or "17:45:28 "; midnights are the caller's. */
static inline bool read_time_of_day(const char **at, line_head *head)
{
    const char *p = *at;
    uint64_t word = cg_load8(p);
    uint64_t digits = (word & 0xFFFF00FFFF00FFFFu) | 0x0000300000300000u;
    uint32_t micro = 0;
    if (p[2] != ':' || p[5] != ':' || !cg_all_digits(digits)) {
        return false;
    }
    if (p[8] == '.') {
        if (!cg_six_digits(p + 7, &micro) || p[15] != ' ') {
            return false;
        }
        *at = p + 16;
    } else if (p[8] == ' ') {
        *at = p + 9;
    } else {
        return false;
    }
    int64_t value = cg_digits_value(digits); /* HH0MM0SS */
    int64_t seconds = value / 1000000 * 3600 + value / 1000 % 100 * 60 + value % 100;
    head->start_ns = seconds * 1000000000 + (int64_t)micro * 1000;
    head->clock = CALLGAUGE_CLOCK_MIDNIGHT;
    return true;
}

static inline bool read_head(const char *at, line_head *head)
{
    head->pid = 0;
    head->start_ns = INT64_MIN;
    head->clock = CALLGAUGE_CLOCK_NONE;
    bool number = cg_is_digit(*at);
    if ((number && at[2] != ':' && at[10] != '.') || *at == '[') {
        if (!read_pid(&at, head)) {
            return false;
        }
        number = cg_is_digit(*at);
    }
    if (number && !(at[2] == ':' ? read_time_of_day(&at, head) : read_epoch(&at, head))) {
        return false;
    }
    head->at = at;
    return true;
}

/* A trailing " <0.000023>": the only precision known here. */
static inline bool read_duration(const char *end, line_tail *tail)
{
    uint32_t micro;
    tail->duration_ns = INT64_MIN;
    tail->value_end = end;
    if (end[-1] != '>' || end[-8] != '.') {
        return end[-1] != '>' || !cg_is_digit(end[-2]);
    }
    if (!cg_six_digits(end - 9, &micro) || !cg_is_digit(end[-9])) {
        return false;
    }
    const char *p = end - 9;
    int64_t seconds = *p - '0', unit = 1;
    while (cg_is_digit(p[-1]) && unit < 10000000) {
        unit *= 10;
        p--;
        seconds += (*p - '0') * unit;
    }
    tail->duration_ns = seconds * 1000000000 + (int64_t)micro * 1000;
    tail->value_end = p - 2;
    return p[-1] == '<' && p[-2] == ' ';
}

/* " (No such file or directory)" behind an error's name, up to the value's end. */
static inline bool read_error(cg_parse *parse, const char *p, line_tail *tail)
{
    const char *name = p, *end = tail->value_end;
    while (cg_is_upper(*p) || cg_is_digit(*p) || *p == '_') {
        p++;
    }
    size_t len = (size_t)(p - name);
    if (*name != 'E' || len > 16 || end - p < 3 || p[0] != ' ' || p[1] != '(' ||
        memchr(p, ')', (size_t)(end - p)) != end - 1 || memchr(p + 2, '(', (size_t)(end - p - 2)) != NULL) {
        return false;
    }
    int64_t id = cg_intern_find_short(&parse->errors.index, name, len);
    if (id < 0) {
        return false;
    }
    tail->error = parse->errors.plain[id];
    tail->note = cg_str_range(p + 1, end);
    return true;
}

/* "<...>" up to the value's end, without another bracket, quote or escape in it; arrows of addresses do not end it. */
static inline bool is_decoration(const char *p, const char *end)
{
    const char *close = memchr(p, '>', (size_t)(end - p));
    while (close != NULL && close != end - 1 && close[-1] == '-' && p[1] != '/') {
        close = memchr(close + 1, '>', (size_t)(end - close - 1));
    }
    return close == end - 1 && close[-1] != '-' && memchr(p + 1, '<', (size_t)(end - p - 1)) == NULL &&
           memchr(p, '"', (size_t)(end - p)) == NULL && memchr(p, '\\', (size_t)(end - p)) == NULL;
}

/* "<...>", or " (...)" without another parenthesis or quote in it. */
static inline bool read_one_note(const char *p, line_tail *tail)
{
    const char *end = tail->value_end;
    if (*p == '<') {
        tail->result.len += (size_t)(end - p);
        return is_decoration(p, end);
    }
    if (end - p < 3 || p[0] != ' ' || p[1] != '(' || p[2] == 'I' || p[2] == 'D') {
        return false;
    }
    tail->note = cg_str_range(p + 1, end);
    return memchr(p, ')', (size_t)(end - p)) == end - 1 && memchr(p + 2, '(', (size_t)(end - p - 2)) == NULL &&
           memchr(p, '"', (size_t)(end - p)) == NULL;
}

/* From behind "= " up to value_end. */
static inline bool read_value(cg_parse *parse, const char *p, line_tail *tail)
{
    const char *end = tail->value_end, *from = p;
    uint64_t value = 0;
    tail->has = CALLGAUGE_HAS_VALUE;
    tail->flags = 0;
    tail->error = NULL;
    tail->note = cg_str(NULL, 0);
    if (p >= end) {
        return false;
    }
    if (*p == '-') {
        tail->value = -1;
        tail->result = cg_str(from, 2);
        return end - p > 4 && p[1] == '1' && p[2] == ' ' && read_error(parse, p + 3, tail);
    }
    if (*p == '?') {
        tail->has = 0;
        tail->value = 0;
        tail->flags = CALLGAUGE_CALL_UNRETURNED;
        tail->result = cg_str(from, 1);
        return end - p == 1;
    }
    if (p[0] == '0' && p[1] == 'x') {
        if (end - p > 18 || !cg_read_hex(&p, end, &value)) {
            return false;
        }
    } else {
        if (*p == '0' && cg_is_digit(p[1])) {
            return false;
        }
        while (cg_is_digit(*p)) {
            value = value * 10 + (uint64_t)(*p++ - '0');
        }
        if (p == from || p - from > 18) {
            return false;
        }
    }
    tail->value = (int64_t)value;
    tail->result = cg_str_range(from, p);
    return p == end || read_one_note(p, tail);
}

/* The length of the name before '('; 0: longer than 15, or none. */
static inline size_t name_length(const char *p)
{
#if defined(__SSE2__)
    __m128i text = _mm_loadu_si128((const __m128i *)(const void *)p);
    unsigned found = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(text, _mm_set1_epi8('(')));
    return found == 0 ? 0 : (size_t)__builtin_ctz(found);
#else
    size_t n = 0;
    while (n < 16 && p[n] != '(') {
        n++;
    }
    return n == 16 ? 0 : n;
#endif
}

static inline const callgauge_call_name *find_call(const cg_parse *parse, const char *name, size_t len)
{
    int64_t id = len == 0 || len > 16 ? CG_INTERN_NONE : cg_intern_find_short(&parse->calls.index, name, len);
    return id < 0 ? NULL : parse->calls.calls[id];
}

static inline uint32_t traits_of(const line_head *head, const line_tail *tail)
{
    return (head->pid != 0 ? CALLGAUGE_TRAIT_PIDS : 0) | (head->start_ns != INT64_MIN ? CALLGAUGE_TRAIT_TIMESTAMPS : 0) |
           (tail != NULL && tail->duration_ns != INT64_MIN ? CALLGAUGE_TRAIT_WALL_DURATIONS : 0);
}

/* Midnights and the capture's traits; the same as apply_leader() of strace.c does. */
static inline void note_head(cg_parse *parse, line_head *head, const line_tail *tail)
{
    if (head->clock == CALLGAUGE_CLOCK_MIDNIGHT) {
        head->start_ns = cg_strace_since_midnight(parse->state, head->start_ns);
    }
    if (head->clock != CALLGAUGE_CLOCK_NONE) {
        parse->capture->clock = head->clock;
    }
    parse->capture->has_events = true;
    parse->capture->traits |= traits_of(head, tail);
}

static inline void fill_place(const cg_parse *parse, const cg_line *line, const line_head *head, uint32_t wants,
                              callgauge_event *event)
{
    if ((wants & CG_WANT_SCALARS) != 0) {
        cg_event_begin(event, CALLGAUGE_EVENT_CALL, line, cg_str(line->ptr, line->len));
        event->lexer = parse->dialect->lexer;
    }
    event->kind = CALLGAUGE_EVENT_CALL;
    event->has = 0;
    event->pid = head->pid != 0 ? head->pid : parse->options->pid;
    if (event->pid != 0) {
        event->has |= CALLGAUGE_HAS_PID;
    }
    if (head->start_ns != INT64_MIN) {
        event->start_ns = head->start_ns;
        event->has |= CALLGAUGE_HAS_START;
    }
}

static inline void fill_result(const line_tail *tail, uint32_t wants, callgauge_event *event)
{
    event->has |= tail->has;
    event->flags = tail->flags;
    event->error = tail->error;
    event->value = tail->value;
    if (tail->duration_ns != INT64_MIN) {
        event->duration_ns = tail->duration_ns;
        event->duration_kind = CALLGAUGE_TIME_WALL;
        event->has |= CALLGAUGE_HAS_DURATION;
        if ((event->has & CALLGAUGE_HAS_START) != 0) {
            event->end_ns = cg_add_ns(event->start_ns, event->duration_ns);
            event->has |= CALLGAUGE_HAS_END;
        }
    }
    if ((wants & CG_WANT_SCALARS) != 0) {
        event->result = tail->result;
        event->note = tail->note;
    }
}

static bool is_unfinished(const cg_line *line)
{
    static const char MARK[] = " <unfinished ...>";
    return line->len > sizeof MARK && memcmp(line->ptr + line->len - (sizeof MARK - 1), MARK, sizeof MARK - 1) == 0;
}

/* The first half of a call: "name(args <unfinished ...>". */
static inline cg_verdict first_half(cg_parse *parse, const cg_line *line, line_head *head, const callgauge_call_name *call,
                                    const char *args, uint32_t wants)
{
    uint64_t key = cg_open_key(head->pid != 0 ? head->pid : parse->options->pid, 0);
    const char *end = line->ptr + line->len - 17;
    while (end > args && end[-1] == ' ') {
        end--;
    }
    if (end < args || cg_open_find(&parse->open, key) != NULL) {
        return CG_LINE_HARD;
    }
    note_head(parse, head, NULL);
    cg_open_call *open;
    size_t keep = (wants & CG_WANT_SCALARS) != 0 ? (size_t)(end - args) : 0;
    if (!cg_open_put(&parse->open, key, call, cg_str(args, keep), &open)) {
        return CG_LINE_NOMEM;
    }
    if (open != NULL) {
        open->line = line->number;
        open->offset = line->offset;
        open->start_ns = head->start_ns;
    }
    return CG_LINE_FIRST;
}

/* The ')' before the mark's blanks; NULL: the mark is no result's. */
static inline const char *find_close(const cg_line *line, const char *args)
{
    const char *mark = line->mark;
    if (mark == NULL || line->many || mark - args < 2 || mark[0] != '=' || mark[-1] != ' ' || mark[1] != ' ') {
        return NULL;
    }
    const char *close = mark - 2;
    while (*close == ' ') {
        close--;
    }
    return close >= args && *close == ')' ? close : NULL;
}

static inline bool read_tail(cg_parse *parse, const cg_line *line, const char *args, line_tail *tail, const char **close)
{
    *close = find_close(line, args);
    return *close != NULL && read_duration(line->ptr + line->len, tail) && read_value(parse, line->mark + 2, tail);
}

/* "<... name resumed>rest)  = result": the second half. Only when the first one is open for the same thread. */
static inline cg_verdict second_half(cg_parse *parse, const cg_line *line, line_head *head, uint32_t wants,
                                     callgauge_event *event)
{
    static const char RESUMED[] = " resumed>";
    const char *p = head->at, *close;
    if (memcmp(p, "<... ", 5) != 0) {
        return CG_LINE_HARD;
    }
    p += 5;
    size_t len = 0;
    while (len <= 16 && p[len] != ' ') {
        len++;
    }
    const callgauge_call_name *call = find_call(parse, p, len);
    const char *rest = p + len + sizeof RESUMED - 1;
    cg_open_call *open = cg_open_find(&parse->open, cg_open_key(head->pid != 0 ? head->pid : parse->options->pid, 0));
    line_tail tail;
    if (call == NULL || open == NULL || open->call != call || memcmp(p + len, RESUMED, sizeof RESUMED - 1) != 0 ||
        *rest == ' ' || *rest == '=' || *rest == '<' || !read_tail(parse, line, rest, &tail, &close)) {
        return CG_LINE_HARD;
    }
    note_head(parse, head, &tail);
    fill_place(parse, line, head, wants, event);
    event->call = call;
    fill_result(&tail, wants, event);
    return cg_strace_join(parse, open, cg_str_range(rest, close), event) ? CG_LINE_REST : CG_LINE_NOMEM;
}

static inline cg_verdict read_fast(cg_parse *parse, const cg_line *line, callgauge_event *event, uint32_t wants)
{
    line_head head;
    if (line->odd || line->len < 16 || !read_head(line->ptr, &head)) {
        return CG_LINE_HARD;
    }
    if (*head.at == '<') {
        return second_half(parse, line, &head, wants, event);
    }
    size_t len = name_length(head.at);
    const callgauge_call_name *call = find_call(parse, head.at, len);
    if (call == NULL) {
        return CG_LINE_HARD;
    }
    const char *args = head.at + len + 1, *end = line->ptr + line->len, *close;
    if (end[-2] == '.' && end[-1] == '>') {
        return is_unfinished(line) ? first_half(parse, line, &head, call, args, wants) : CG_LINE_HARD;
    }
    line_tail tail;
    if (!read_tail(parse, line, args, &tail, &close) ||
        (parse->open.count != 0 &&
         cg_open_find(&parse->open, cg_open_key(head.pid != 0 ? head.pid : parse->options->pid, 0)) != NULL)) {
        return CG_LINE_HARD;
    }
    note_head(parse, &head, &tail);
    fill_place(parse, line, &head, wants, event);
    event->call = call;
    fill_result(&tail, wants, event);
    if ((wants & CG_WANT_SCALARS) != 0) {
        event->args = cg_str_range(args, close);
    }
    return CG_LINE_EVENT;
}

cg_verdict cg_strace_fast_counts(cg_parse *parse, const cg_line *line, callgauge_event *event)
{
    return read_fast(parse, line, event, CG_WANT_COUNTS);
}

cg_verdict cg_strace_fast_events(cg_parse *parse, const cg_line *line, callgauge_event *event)
{
    return read_fast(parse, line, event, CG_WANT_SCALARS);
}

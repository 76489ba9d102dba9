/* SPDX-License-Identifier: Apache-2.0 */
/* What the fast and the lean form of the truss dialect share: reading the common forms of calls from the end of the
 * line: `name(args) = value` and `name(args) Err#N NAME`, with a name that the strict form has met before.
 * Invariant: a call is given only where the strict form must give the same: the line has one mark, one ')'
 * before it, a result that reaches the end, and no sleeper that it could complete. */
#ifndef CG_DIALECT_TRUSS_FAST_H
#define CG_DIALECT_TRUSS_FAST_H

#include "dialect/truss.h"

typedef struct cg_truss_fast_result {
    int64_t value;
    const callgauge_name *error; /* NULL: none */
    int64_t error_number;
} cg_truss_fast_result;

typedef struct cg_truss_fast_call {
    const callgauge_call_name *name;
    const char *start, *close, *gap_end;
    callgauge_str args;
    cg_truss_fast_result result;
} cg_truss_fast_call;

/* Up to 18 digits that reach the end, without a zero in front (that may be octal). */
static inline bool cg_truss_whole_decimal(const char *at, const char *end, int64_t *value)
{
    enum { MOST = 18, WORD = 8 };
    int64_t sum = 0;
    if (end - at <= WORD) {
        return cg_short_decimal(at, end, value);
    }
    if (end - at > MOST || (*at == '0' && end - at > 1)) {
        return false;
    }
    for (; at < end; at++) {
        if (!cg_is_digit(*at)) {
            return false;
        }
        sum = sum * 10 + (*at - '0');
    }
    *value = sum;
    return true;
}

/* Where capital hexadecimal digits are among 16 bytes. */
static inline unsigned cg_truss_hex_mask(const char *at)
{
#if defined(__SSE2__)
    __m128i from_a = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)at), _mm_set1_epi8('A'));
    __m128i letter = _mm_cmpeq_epi8(_mm_min_epu8(from_a, _mm_set1_epi8('F' - 'A')), from_a);
    return (unsigned)_mm_movemask_epi8(letter) | cg_digit_mask(at);
#else
    unsigned mask = cg_digit_mask(at);
    for (unsigned i = 0; i < 16; i++) {
        mask |= (unsigned)(at[i] >= 'A' && at[i] <= 'F') << i;
    }
    return mask;
#endif
}

/* The same digits, which have been seen, as bits. */
static inline int64_t cg_truss_hex_value(const char *at, const char *end)
{
    uint64_t bits = 0;
    for (; at < end; at++) {
        bits = bits << 4 | (uint64_t)(*at >= 'A' ? *at - 'A' + 10 : *at - '0');
    }
    return (int64_t)bits;
}

/* "0xFEF90000" up to the end. */
static inline bool cg_truss_is_hex(const char *at, const char *end)
{
    enum { MOST = 18 };
    size_t len = (size_t)(end - at);
    return len - 3 <= MOST - 3 && at[0] == '0' && at[1] == 'x' &&
           (~cg_truss_hex_mask(at + 2) & ((1u << (len - 2)) - 1)) == 0;
}

/* `2 ENOENT`, from behind `Err#`, up to the end: the name; NULL: it is none that has been met. */
static inline const callgauge_name *cg_truss_met_error(const cg_parse *parse, const char *at, const char *end,
                                                       int64_t *number)
{
    enum { MOST = 16 };
    const char *blank = at + cg_digit_count(cg_load8(at));
    size_t len = (size_t)(end - blank - 1);
    if (len - 1 >= MOST || *blank != ' ' || !cg_truss_whole_decimal(at, blank, number)) {
        return NULL;
    }
    int64_t id = cg_intern_find_short(&parse->errors.index, blank + 1, len);
    return id < 0 ? NULL : parse->errors.plain[id];
}

/* The name in front of a '(' when it is one of the class table and has been met; NULL: it is none. */
static inline const callgauge_call_name *cg_truss_met_name(const cg_parse *parse, const char *at, const char *end)
{
    enum { NONE = 16 };
    size_t len = (size_t)__builtin_ctz(cg_byte_mask(at, '(') | 1u << NONE);
    if (len == 0 || len == NONE || at + len >= end) {
        return NULL;
    }
    int64_t id = cg_intern_find_short(&parse->calls.index, at, len);
    const callgauge_call_name *name = id < 0 ? NULL : parse->calls.calls[id];
    return name != NULL && name->known ? name : NULL;
}

/* The first ')' in [at, end), or `end`. */
static inline const char *cg_truss_first_close(const char *at, const char *end)
{
#if defined(__SSE2__)
    enum { STEP = 16 };
    const __m128i close = _mm_set1_epi8(')');
    for (; at < end; at += STEP) {
        __m128i here = _mm_loadu_si128((const __m128i *)(const void *)at);
        unsigned hits = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(here, close));
        if (hits != 0) {
            return at + (unsigned)__builtin_ctz(hits);
        }
    }
    return end;
#else
    const char *hit = at < end ? memchr(at, ')', (size_t)(end - at)) : NULL;
    return hit == NULL ? end : hit;
#endif
}

/* Whether [at, end) is blanks and TABs, and not empty. */
static inline bool cg_truss_is_gap(const char *at, const char *end)
{
    static const uint64_t tabs = 0x0909090909090909u;
    size_t len = (size_t)(end - at);
    if (len == 1 && *at == ' ') {
        return true;
    }
    if (len - 1 < 8 && ((cg_load8(at) ^ tabs) << (64 - 8 * len)) == 0) {
        return true;
    }
    return end > at && cg_truss_blanks(at, end) == end;
}

/* The ')' in front of the gap, when it is the only one; NULL: it is not. */
static inline const char *cg_truss_only_close(const char *args, const char *gap_end)
{
    const char *close = cg_truss_first_close(args, gap_end);
    return close < gap_end && cg_truss_is_gap(close + 1, gap_end) ? close : NULL;
}

/* The value of an address is found only where it is asked for. */
static inline __attribute__((always_inline)) bool cg_truss_result_whole(const cg_parse *parse, const cg_line *line,
                                                                        bool addresses, cg_truss_fast_result *result)
{
    const char *mark = line->mark, *end = line->ptr + line->len;
    if (*mark == '=') {
        if (mark + 2 >= end || mark[1] != ' ') {
            return false;
        }
        if (cg_truss_whole_decimal(mark + 2, end, &result->value)) {
            return true;
        }
        bool hex = cg_truss_is_hex(mark + 2, end);
        result->value = hex && addresses ? cg_truss_hex_value(mark + 4, end) : 0;
        return hex;
    }
    if (*mark != '#' || mark - line->ptr <= 3 || memcmp(mark - 3, "Err", 3) != 0) {
        return false;
    }
    result->error = cg_truss_met_error(parse, mark + 1, end, &result->error_number);
    return result->error != NULL;
}

/* The call that begins at `start`, where a leader has ended. */
static inline __attribute__((always_inline)) bool cg_truss_call_whole(const cg_parse *parse, const cg_line *line,
                                                                      const char *start, uint32_t wants,
                                                                      cg_truss_fast_call *call)
{
    const char *mark = line->mark;
    call->start = start;
    call->name = cg_truss_met_name(parse, start, mark);
    if (call->name == NULL) {
        return false;
    }
    const char *args = start + call->name->text.len + 1;
    call->gap_end = *mark == '=' ? mark : mark - 3;
    call->close = cg_truss_only_close(args, call->gap_end);
    if (call->close == NULL) {
        return false;
    }
    call->args = cg_str_range(args, call->close);
    call->result = (cg_truss_fast_result){ 0 };
    bool addresses = (wants & CG_WANT_SCALARS) != 0 || call->name->moves != CALLGAUGE_MOVES_NOTHING;
    return cg_truss_result_whole(parse, line, addresses, &call->result);
}

/* Whether this call may be the end of one that was seen asleep. */
static inline bool cg_truss_has_sleeper(cg_parse *parse, int64_t pid, int64_t lwp, const callgauge_call_name *name)
{
    const cg_truss *truss = parse->state;
    if (truss->unlabelled == 0 && lwp != 0) {
        return cg_open_find(&parse->open, cg_open_key(pid, lwp)) != NULL;
    }
    return cg_truss_sleeper(parse, pid, lwp, name) != NULL;
}

static inline bool cg_truss_is_restart(const callgauge_name *error)
{
    return error != NULL && cg_str_is(error->text, "ERESTART");
}

/* What a histogram needs of a call, all but its duration. */
static inline void cg_truss_counts_set(const cg_truss_fast_call *call, callgauge_event *event)
{
    event->kind = CALLGAUGE_EVENT_CALL;
    event->call = call->name;
    event->name = NULL;
    event->row = NULL;
    event->error = call->result.error;
    event->value = call->result.value;
    event->flags = cg_truss_is_restart(call->result.error) ? CALLGAUGE_CALL_RESTART : 0;
    event->has = call->result.error == NULL ? CALLGAUGE_HAS_VALUE : 0;
}

/* All that a call tells without its leader. */
static inline void cg_truss_event_set(const cg_line *line, const cg_truss_fast_call *call, callgauge_event *event)
{
    const char *end = line->ptr + line->len;
    cg_event_begin(event, CALLGAUGE_EVENT_CALL, line, cg_str(line->ptr, line->len));
    cg_truss_counts_set(call, event);
    event->args = call->args;
    event->lexer = &cg_truss_lexer;
    event->result = cg_str_range(call->result.error != NULL ? line->mark - 3 : line->mark + 2, end);
    if (call->result.error != NULL) {
        event->error_number = call->result.error_number;
        event->has |= CALLGAUGE_HAS_ERRNO;
    }
}

#endif

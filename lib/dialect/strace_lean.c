/* SPDX-License-Identifier: Apache-2.0 */
/* The lean form: counts alone, of lines whose leader has the same shape as one that was read before. A shape says
 * where digits stand and what the other characters are, so that a leader is proven by two comparisons of 16
 * bytes; numbers are read only where they are needed. What does not fit goes to the other fast form, which learns. */
#include "dialect/strace_fast.h"

#include "dialect/strace.h"
#include "dialect/strace_tail.h"

/* Which bytes of `text` break the shape's rule: a bit each. */
CG_HOT unsigned misfits(const cg_strace_shape *shape, const char *text, size_t from)
{
#if defined(__SSE2__)
    __m128i here = _mm_loadu_si128((const __m128i *)(const void *)(text + from));
    __m128i digit = _mm_loadu_si128((const __m128i *)(const void *)(shape->digit + from));
    __m128i same = _mm_loadu_si128((const __m128i *)(const void *)(shape->same + from));
    __m128i pattern = _mm_loadu_si128((const __m128i *)(const void *)(shape->text + from));
    __m128i from_zero = _mm_sub_epi8(here, _mm_set1_epi8('0'));
    __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(from_zero, _mm_set1_epi8(9)), from_zero);
    __m128i wrong = _mm_or_si128(_mm_andnot_si128(is_digit, digit),
                                 _mm_andnot_si128(_mm_cmpeq_epi8(here, pattern), same));
    return (unsigned)_mm_movemask_epi8(wrong);
#else
    unsigned wrong = 0;
    for (size_t i = from; i < from + 16; i++) {
        bool is_digit = text[i] >= '0' && text[i] <= '9';
        wrong |= (unsigned)((shape->digit[i] != 0 && !is_digit) || (shape->same[i] != 0 && text[i] != shape->text[i]));
    }
    return wrong;
#endif
}

void cg_strace_learn(cg_strace *state, const char *line, const char *stamp, const char *event)
{
    size_t len = (size_t)(event - line);
    unsigned pid_digits = (unsigned)__builtin_ctz(~cg_digit_mask(line));
    cg_strace_shape *shape = &state->shapes[pid_digits];
    if (len > CG_STRACE_SHAPE || *line == '[') {
        return;
    }
    size_t stamp1 = stamp == NULL ? 0 : (size_t)(stamp - line) + 1;
    if (shape->len == len && shape->stamp1 == stamp1 && (misfits(shape, line, 0) | misfits(shape, line, 16)) == 0) {
        return;
    }
    *shape = (cg_strace_shape){ .len = len, .stamp1 = stamp1 };
    memcpy(shape->text, line, len);
    for (size_t i = 0; i < len; i++) {
        /* the first digit of a time stays as it is, so that none before 2001 fits */
        bool free = line[i] >= '0' && line[i] <= '9' && i + 1 != stamp1;
        *(free ? &shape->digit[i] : &shape->same[i]) = 0xff;
    }
}

/* Whether the thread whose pid the line begins with has an open call. */
CG_HOT bool has_open_call(cg_parse *parse, const char *line, unsigned pid_digits)
{
    if (parse->open.count == 0) {
        return false;
    }
    bool printed = pid_digits - 1 < 7;
    int64_t pid = printed ? cg_digits_value(cg_load8(line) << (64 - 8 * pid_digits)) : parse->options->pid;
    return cg_open_find(&parse->open, cg_open_key(pid, 0)) != NULL;
}

cg_verdict cg_strace_lean_counts(cg_parse *parse, const cg_line *line, callgauge_event *event)
{
    const cg_strace *state = parse->state;
    const char *p = line->ptr, *end = p + line->len;
    unsigned pid_digits = (unsigned)__builtin_ctz(~cg_digit_mask(p));
    const cg_strace_shape *shape = &state->shapes[pid_digits];
    if (line->mark == NULL || *p == '0' || (misfits(shape, p, 0) | misfits(shape, p, 16)) != 0) {
        return CG_LINE_HARD;
    }
    const char *name = p + shape->len;
    size_t len = cg_strace_name_length(name);
    const callgauge_call_name *call = cg_strace_find_call(parse, name, len);
    cg_fast_line of = { .has = CALLGAUGE_HAS_VALUE };
    if (call == NULL || !cg_strace_find_close(line, name + len + 1, &of) || !cg_strace_duration(end, &of)) {
        return CG_LINE_HARD;
    }
    if (has_open_call(parse, p, pid_digits)) {
        return CG_LINE_HARD;
    }
    event->flags = 0;
    event->error = NULL;
    if (!cg_strace_short_value(line->mark + 2, &of, &event->value)) {
        cg_rare_value rare = cg_strace_rare_value(parse, line->mark + 2, of.value_end);
        if (!rare.ok) {
            return CG_LINE_HARD;
        }
        of.has = (of.has & ~(uint32_t)CALLGAUGE_HAS_VALUE) | rare.has;
        event->flags = rare.flags;
        event->error = rare.error;
        event->value = rare.value;
    }
    event->kind = CALLGAUGE_EVENT_CALL;
    event->has = of.has;
    event->call = call;
    event->name = NULL;
    event->row = NULL;
    event->duration_ns = of.duration_ns;
    event->duration_kind = CALLGAUGE_TIME_WALL;
    parse->stamp_at = shape->stamp1 == 0 ? NULL : p + shape->stamp1 - 1;
    parse->stamp_duration = 0;
    if ((of.has & CALLGAUGE_HAS_DURATION) != 0) {
        parse->stamp_duration = of.duration_ns;
        parse->duration_kind = CALLGAUGE_TIME_WALL;
    }
    return CG_LINE_EVENT;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of leaders, which the lean forms of the strace dialect take lines by: a leader of the same shape as one that
 * was read before is proven by holding 16 bytes between their bounds at a time. And texts of errors that were read
 * before. */
#ifndef CG_DIALECT_STRACE_SHAPE_H
#define CG_DIALECT_STRACE_SHAPE_H

#include "dialect/strace.h"
#include "dialect/strace_tail.h"

CG_HOT bool cg_strace_fits(const cg_strace_shape *shape, const char *line)
{
    return cg_is_between(line, shape->low, shape->high, CG_STRACE_SHAPE);
}

/* Learns the shape of a leader that has just been read: `line` up to `event`, with a stamp of a time since 1970 (or
 * NULL). */
void cg_strace_learn(cg_strace *state, const char *line, const char *stamp, const char *event);

/* The shape of a line's leader that is not that of the line before. NULL: none that is known. */
const cg_strace_shape *cg_strace_other_shape(cg_strace *state, const char *line);

/* The shape of a line's leader. NULL: none that is known. */
CG_HOT const cg_strace_shape *cg_strace_shape_of(cg_strace *state, const char *line)
{
    const cg_strace_shape *last = &state->shapes[state->last_shape];
    return cg_often(cg_strace_fits(last, line)) ? last : cg_strace_other_shape(state, line);
}

/* The next line of a walk, whose leader fits, when it may be a half of a call: one without a mark, or one that begins
 * with '<'. */
static inline bool cg_strace_half_line(const cg_strace_shape *shape, const cg_lines *lines, const cg_lines_walk *walk,
                                       cg_line *line)
{
    const char *mark = walk->buf + walk->next[0];
    bool marked = *mark == '=';
    const char *end = walk->buf + walk->next[marked];
    if (*end != '\n' || (marked && walk->at[shape->len] != '<')) {
        return false;
    }
    *line = (cg_line){ .ptr = walk->at,
                       .len = (size_t)(end - walk->at),
                       .mark = marked ? mark : NULL,
                       .number = lines->number + walk->given,
                       .offset = lines->base + (uint64_t)(walk->at - walk->buf) };
    return true;
}

CG_HOT int64_t cg_strace_shape_pid(const cg_parse *parse, const cg_strace_shape *shape, const char *line)
{
    return shape->pid_digits == 0 ? parse->options->pid : cg_digits_value(cg_load8(line) << shape->pid_shift);
}

/* Whether the thread has an open call: mostly its last digits tell that it has none. */
CG_HOT bool cg_strace_shape_has_open(cg_parse *parse, const cg_strace_shape *shape, const char *line)
{
    if (shape->pid_digits > 0) {
        uint64_t digits = cg_load8(line) << shape->pid_shift;
        if (parse->open.by_pid[cg_open_pid_kind((uint32_t)(digits >> 40))] == 0) {
            return false;
        }
    }
    return cg_open_find(&parse->open, cg_open_key(cg_strace_shape_pid(parse, shape, line), 0)) != NULL;
}

/* Reads the seconds of a stamp for the first time. False: it is the first stamp of a capture, which strict() has to
 * note, or no moment since 1970 that an int64_t of nanoseconds can tell. */
bool cg_strace_read_seconds(const cg_parse *parse, const char *stamp);

/* Whether the seconds of "1796060731.102865", whose digits have been seen, are known: mostly they are those of the line
 * before. */
CG_HOT bool cg_strace_seconds_are(const cg_parse *parse, const char *stamp)
{
    const cg_strace *state = parse->state;
    uint16_t last_two;
    memcpy(&last_two, stamp + 8, sizeof last_two);
    return cg_often(cg_load8(stamp) == state->seconds_word && last_two == state->seconds_tail) ||
           cg_strace_read_seconds(parse, stamp);
}

/* The digits behind the point of a stamp, and two zeros in front. */
CG_HOT uint64_t cg_strace_micro_digits(const char *stamp)
{
    return cg_load8(stamp + 9) & ~(uint64_t)0xFFFF;
}

/* The moment of a stamp whose seconds are known. */
CG_HOT int64_t cg_strace_moment(const cg_parse *parse, const char *stamp)
{
    const cg_strace *state = parse->state;
    return state->seconds_ns + (int64_t)cg_digits_value(cg_strace_micro_digits(stamp)) * 1000;
}

/* Where the text of an error that begins like this one is kept. */
static inline cg_strace_error *cg_strace_error_place(cg_strace *state, const char *text)
{
    return &state->errors[cg_load8(text) * 0x9E3779B97F4A7C15u >> 60];
}

/* "ENOENT (No such file or directory)", as it was proven before. NULL: it was not. */
static inline const callgauge_name *cg_strace_met_error(cg_strace *state, const char *text, size_t len)
{
    const cg_strace_error *kept = cg_strace_error_place(state, text);
    return len == kept->len && cg_is_same(text, kept->text, len) ? kept->name : NULL;
}

void cg_strace_keep_error(cg_strace *state, const char *text, size_t len, const callgauge_name *name);

/* As cg_strace_rare_value(), of which the texts of errors are remembered. */
CG_HOT cg_rare_value cg_strace_met_value(const cg_parse *parse, const char *value, const char *end)
{
    enum { BEFORE = 3 }; /* "-1 " */
    const char *text = value + BEFORE;
    size_t len = (size_t)(end - text);
    if (memcmp(value, "-1 E", BEFORE + 1) == 0) {
        const callgauge_name *met = cg_strace_met_error(parse->state, text, len);
        if (met != NULL) {
            return (cg_rare_value){ .ok = true,
                                    .has = CALLGAUGE_HAS_VALUE,
                                    .value = -1,
                                    .result_len = BEFORE - 1,
                                    .note = cg_str_range(text + met->text.len + 1, end),
                                    .error = met };
        }
    }
    cg_rare_value rare = cg_strace_rare_value(parse, value, end);
    if (rare.ok && rare.error != NULL) {
        cg_strace_keep_error(parse->state, text, len, rare.error);
    }
    return rare;
}

/* Whether " <0.000023>" stands before `end`. */
CG_HOT bool cg_strace_is_usual_duration(const char *end)
{
    static const unsigned char low[] = "\0\0\0\0\0 <0.000000>", high[] = "\xff\xff\xff\xff\xff <9.999999>";
    return cg_is_between(end - 16, low, high, 16);
}

/* The digits of such a duration, in microseconds: of "0.000023" 0 and the seven. */
CG_HOT uint64_t cg_strace_duration_digits(const char *end)
{
    uint64_t word = cg_load8(end - 9);
    return (word & ~(uint64_t)0xFFFF) | (word & 0xFF) << 8;
}

/* " <0.000023>" or a rarer duration before `end`; a line without one has none. */
CG_HOT bool cg_strace_lean_duration(cg_parse *parse, const char *end, cg_fast_line *of)
{
    if (!cg_often(cg_strace_is_usual_duration(end))) {
        bool ok = cg_strace_duration(end, of);
        bool timed = ok && (of->has & CALLGAUGE_HAS_DURATION) != 0;
        parse->duration_kind = timed ? CALLGAUGE_TIME_WALL : parse->duration_kind;
        return ok;
    }
    of->duration_ns = (int64_t)cg_digits_value(cg_strace_duration_digits(end)) * 1000;
    of->has |= CALLGAUGE_HAS_DURATION;
    of->value_end = end - 11;
    parse->duration_kind = CALLGAUGE_TIME_WALL;
    return true;
}

#endif

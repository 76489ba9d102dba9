/* SPDX-License-Identifier: Apache-2.0 */
/* What the fast forms of the strace dialect share: reading a call's name, the place of its result, its duration
 * and value. All of it works on a line that has exactly one mark. */
#ifndef CG_DIALECT_STRACE_TAIL_H
#define CG_DIALECT_STRACE_TAIL_H

#include "base/str.h"
#include "base/swar.h"
#include "dialect/dialect.h"

/* Nothing of a fast form may be left to the compiler's sense of size. What is rare is kept out of line and answers by
 * value, so that the rest stays in registers. */
#define CG_HOT static inline __attribute__((always_inline))

/* What a rare reader has found. */
typedef struct cg_read_to {
    const char *at; /* behind it; NULL: it is not what this reader knows */
    int64_t value;
} cg_read_to;

/* A result that is no plain short decimal. */
typedef struct cg_rare_value {
    bool ok;
    uint32_t has, flags;
    int64_t value;
    size_t result_len;
    callgauge_str note;
    const callgauge_name *error;
} cg_rare_value;

/* What a whole line of a call tells, in registers. */
typedef struct cg_fast_line {
    const char *event; /* where the event begins */
    const char *close; /* its ')' */
    uint32_t has;
    int64_t pid, start_ns, duration_ns;
    const char *value_end;
    const char *stamp; /* of a time since 1970; NULL: none */
} cg_fast_line;

/* A duration whose end is at `end` and that is not of the usual length; at: its '<'. NULL: it is none. */
cg_read_to cg_strace_long_duration(const char *end);

/* The result from behind "= " up to `end`, whatever known form it has. */
cg_rare_value cg_strace_rare_value(const cg_parse *parse, const char *p, const char *end);

/* The length of the name before '('; 16: 16 or longer, or none. */
CG_HOT size_t cg_strace_name_length(const char *p)
{
    return (unsigned)__builtin_ctz(cg_byte_mask(p, '(') | 0x10000);
}

/* The last byte before `at` that is no blank. */
CG_HOT const char *cg_strace_skip_back(const char *at)
{
    unsigned other;
    while ((other = ~cg_byte_mask(at - 16, ' ') & 0xFFFF) == 0) {
        at -= 16;
    }
    return at - 16 + (31 - __builtin_clz(other));
}

/* The call of a name of 1 to 16 bytes; NULL: it has not been met. */
CG_HOT const callgauge_call_name *cg_strace_find_call(const cg_parse *parse, const char *name, size_t len)
{
    int64_t id = cg_intern_find_short(&parse->calls.index, name, len);
    return id < 0 ? NULL : parse->calls.calls[id];
}

/* The call whose name and '(' stand there, and the name's length. */
CG_HOT const callgauge_call_name *cg_strace_call_at(const cg_parse *parse, const char *name, size_t *len)
{
    *len = cg_strace_name_length(name);
    const callgauge_call_name *call = cg_strace_find_call(parse, name, *len);
    return name[*len] == '(' ? call : NULL;
}

/* A trailing " <0.000023>": the only precision known here. */
CG_HOT bool cg_strace_duration(const char *end, cg_fast_line *out)
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
    cg_read_to duration = cg_strace_long_duration(end);
    if (duration.at == NULL) {
        return false;
    }
    out->duration_ns = duration.value;
    out->value_end = duration.at - 1;
    return true;
}

/* ")  = " at the line's only mark; the parenthesis is at `args` or behind it. */
CG_HOT bool cg_strace_close_before(const char *mark, const char *args, cg_fast_line *out)
{
    out->close = mark - 2;
    if (cg_often(memcmp(mark - 2, ") = ", 4) == 0)) {
        return mark - 2 >= args;
    }
    if (mark - args < 2 || mark[0] != '=' || mark[-1] != ' ' || mark[1] != ' ') {
        return false;
    }
    out->close = cg_strace_skip_back(mark - 1);
    return out->close >= args && *out->close == ')';
}

CG_HOT bool cg_strace_find_close(const cg_line *line, const char *args, cg_fast_line *out)
{
    return line->mark != NULL && !line->many && cg_strace_close_before(line->mark, args, out);
}

/* A result that is a plain decimal of up to eight digits, from `p` up to of->value_end. */
CG_HOT bool cg_strace_short_value(const char *p, const cg_fast_line *of, int64_t *value)
{
    size_t len = (size_t)(of->value_end - p);
    uint64_t digits = len - 1 < 8 ? cg_last_digits(of->value_end, (unsigned)len) : 0;
    *value = cg_digits_value(digits);
    return cg_all_digits(digits) && (*p != '0' || len == 1);
}

#endif

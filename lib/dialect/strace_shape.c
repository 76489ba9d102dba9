/* SPDX-License-Identifier: Apache-2.0 */
/* Leaders to shapes, texts of errors to names: what the lean forms of the strace dialect remember. */
#include "dialect/strace_shape.h"

#include "dialect/strace_fast.h"

static unsigned digits_in_front(const char *line)
{
    return (unsigned)__builtin_ctz(~cg_digit_mask(line));
}

/* Bounds of a leader's bytes. */
static void set_bounds(cg_strace_shape *shape, const char *line)
{
    memset(shape->high, 0xff, sizeof shape->high);
    for (size_t i = 0; i < shape->len; i++) {
        unsigned char c = (unsigned char)line[i];
        bool free = c >= '0' && c <= '9';
        shape->low[i] = free ? '0' : c;
        shape->high[i] = free ? '9' : c;
    }
    if (shape->len == 0) {
        shape->low[0] = '9' + 1; /* no digit, or it is a leader that has not been met */
    }
    if (shape->pid_digits > 0) {
        shape->low[0] = '1';
    }
    if (shape->pid_digits == 7) {
        shape->high[0] = '3'; /* surely no more than the largest pid */
    }
    if (shape->stamp1 > 0) { /* its first digit stays as it is, so that none before 2001 fits */
        shape->low[shape->stamp1 - 1] = shape->high[shape->stamp1 - 1] = (unsigned char)line[shape->stamp1 - 1];
    }
}

void cg_strace_learn(cg_strace *state, const char *line, const char *stamp, const char *event)
{
    unsigned digits = digits_in_front(line), len = (unsigned)(event - line);
    cg_strace_shape *shape = &state->shapes[digits];
    bool far = stamp != NULL && (*stamp < '1' || *stamp > '8'); /* of other digits not all are times */
    if (len > CG_STRACE_SHAPE || *line == '[' || far || (shape->len == len && cg_strace_fits(shape, line))) {
        return;
    }
    *shape = (cg_strace_shape){ .len = len, .pid_digits = stamp == line ? 0 : digits };
    shape->pid_shift = (64 - 8 * shape->pid_digits) % 64; /* 0 without a pid, where nothing asks for it */
    shape->stamp1 = stamp == NULL ? 0 : (unsigned)(stamp - line) + 1;
    set_bounds(shape, line);
}

const cg_strace_shape *cg_strace_other_shape(cg_strace *state, const char *line)
{
    state->last_shape = digits_in_front(line);
    const cg_strace_shape *shape = &state->shapes[state->last_shape];
    return cg_strace_fits(shape, line) ? shape : NULL;
}

bool cg_strace_read_seconds(const cg_parse *parse, const char *stamp)
{
    cg_strace *state = parse->state;
    int64_t seconds_ns = cg_strace_stamp_ns(stamp) / 1000000000 * 1000000000;
    if (seconds_ns < INT64_C(100000000) * 1000000000 || seconds_ns >= INT64_MAX / 1000000000 * 1000000000 ||
        parse->capture->first_ns == INT64_MIN) {
        return false;
    }
    state->seconds_word = cg_load8(stamp);
    memcpy(&state->seconds_tail, stamp + 8, sizeof state->seconds_tail);
    state->seconds_ns = seconds_ns;
    return true;
}

void cg_strace_keep_error(cg_strace *state, const char *text, size_t len, const callgauge_name *name)
{
    cg_strace_error *kept = cg_strace_error_place(state, text);
    if (len >= 16 && len <= sizeof kept->text) {
        memcpy(kept->text, text, len);
        kept->len = len;
        kept->name = name;
    }
}

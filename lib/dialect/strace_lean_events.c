/* SPDX-License-Identifier: Apache-2.0 */
/* The lean form where events are wanted: whole calls, one at a time, of lines whose leader has the same shape as one
 * that was read before. It fills in what the fast form fills in, which reads whatever this one does not know. */
#include "base/decimal.h"
#include "dialect/strace_fast.h"
#include "dialect/strace_shape.h"

/* Where a line is and what it tells before its event. */
CG_HOT void set_place(const cg_lines *lines, const char *line, const char *end, callgauge_event *event)
{
    event->line = event->first_line = lines->number;
    event->offset = lines->base + (uint64_t)(line - lines->buf);
    event->text = cg_str_range(line, end);
    event->comm = (callgauge_str){ NULL, 0 };
}

/* A result that is rarer than a short decimal. */
static __attribute__((noinline)) bool set_rare_value(const cg_parse *parse, const char *value, const char *end,
                                                     callgauge_event *event)
{
    cg_rare_value rare = cg_strace_met_value(parse, value, end);
    event->error = rare.error;
    event->value = (rare.has & CALLGAUGE_HAS_VALUE) != 0 ? rare.value : 0;
    event->has = (event->has & ~(uint32_t)CALLGAUGE_HAS_VALUE) | rare.has;
    event->flags |= rare.flags;
    event->result.len = rare.result_len;
    event->note = rare.note;
    return rare.ok;
}

/* The result from behind "= ". False: it is not known here. */
CG_HOT bool set_result(const cg_parse *parse, const char *value, const char *end, callgauge_event *event)
{
    event->error = NULL;
    event->note = (callgauge_str){ NULL, 0 };
    event->result = cg_str_range(value, end);
    return cg_often(cg_short_decimal(value, end, &event->value)) || set_rare_value(parse, value, end, event);
}

/* The thread of a line: mostly that of the line before. */
CG_HOT int64_t thread_of(const cg_parse *parse, const cg_strace_shape *shape, const char *line)
{
    cg_strace *state = parse->state;
    uint64_t word = cg_load8(line) << shape->pid_shift;
    if (shape->pid_digits == 0 || word != state->pid_word) {
        state->pid_word = word;
        state->pid = cg_strace_shape_pid(parse, shape, line);
    }
    return state->pid;
}

/* A stamp and a duration of the usual form, whose digits have been seen. False: the stamp is not known here. */
CG_HOT bool set_moments(cg_parse *parse, const char *stamp, const char *end, callgauge_event *event)
{
    const cg_strace *state = parse->state;
    if (!cg_strace_seconds_are(parse, stamp)) {
        return false;
    }
    uint64_t micros = cg_digits_values(cg_strace_micro_digits(stamp), cg_strace_duration_digits(end));
    parse->capture->clock = CALLGAUGE_CLOCK_EPOCH;
    parse->duration_kind = CALLGAUGE_TIME_WALL;
    event->start_ns = state->seconds_ns + (int64_t)(uint32_t)micros * 1000;
    event->duration_ns = (int64_t)(micros >> 32) * 1000;
    event->end_ns = event->start_ns + event->duration_ns; /* in reach: no stamp of a shape begins with 9 */
    event->duration_kind = CALLGAUGE_TIME_WALL;
    event->has = CALLGAUGE_HAS_VALUE | CALLGAUGE_HAS_START | CALLGAUGE_HAS_DURATION | CALLGAUGE_HAS_END;
    return true;
}

/* Any other, or none of one or of both. */
static __attribute__((noinline)) bool set_rare_moments(cg_parse *parse, const char *stamp, const char *end,
                                                       callgauge_event *event, const char **value_end)
{
    cg_fast_line of = { .has = CALLGAUGE_HAS_VALUE };
    if (!cg_strace_lean_duration(parse, end, &of) || (stamp != NULL && !cg_strace_seconds_are(parse, stamp))) {
        return false;
    }
    *value_end = of.value_end;
    event->has = of.has;
    event->duration_kind = CALLGAUGE_TIME_NONE;
    if ((of.has & CALLGAUGE_HAS_DURATION) != 0) {
        event->duration_ns = of.duration_ns;
        event->duration_kind = CALLGAUGE_TIME_WALL;
    }
    if (stamp != NULL) {
        parse->capture->clock = CALLGAUGE_CLOCK_EPOCH;
        event->start_ns = cg_strace_moment(parse, stamp);
        event->has |= CALLGAUGE_HAS_START;
    }
    if (stamp != NULL && (of.has & CALLGAUGE_HAS_DURATION) != 0) {
        event->end_ns = cg_add_ns(event->start_ns, event->duration_ns);
        event->has |= CALLGAUGE_HAS_END;
    }
    return true;
}

/* "leader name(...) = result" from `line` up to `end`. False: it is not known here; what the event holds is spoiled. */
CG_HOT bool whole_call(cg_parse *parse, const cg_strace_shape *shape, const char *line, const char *mark,
                       const char *end, callgauge_event *event)
{
    const char *start = line + shape->len, *stamp = shape->stamp1 == 0 ? NULL : line + shape->stamp1 - 1;
    size_t len = cg_strace_name_length(start);
    uint64_t id1 = cg_intern_seek_short(&parse->calls.index, start, len);
    cg_fast_line of;
    if (!cg_often(id1 != 0 && start[len] == '(' && cg_strace_close_before(mark, start + len + 1, &of) &&
                  !cg_strace_shape_has_open(parse, shape, line))) {
        return false;
    }
    const char *value_end = end - 11;
    if (!(cg_often(stamp != NULL && cg_strace_is_usual_duration(end))
              ? set_moments(parse, stamp, end, event)
              : set_rare_moments(parse, stamp, end, event, &value_end))) {
        return false;
    }
    event->kind = CALLGAUGE_EVENT_CALL;
    event->call = parse->calls.calls[id1 - 1];
    event->name = NULL;
    event->row = NULL;
    event->annotation = NULL;
    event->lexer = parse->dialect->lexer;
    event->args = cg_str_range(start + len + 1, of.close);
    event->flags = 0;
    event->pid = thread_of(parse, shape, line);
    event->has |= event->pid != 0 ? CALLGAUGE_HAS_PID : 0;
    return set_result(parse, mark + 2, value_end, event);
}

/* A half of a call; the event is that of a second one. */
static __attribute__((noinline)) cg_verdict half_call(cg_parse *parse, const cg_strace_shape *shape, cg_lines *lines,
                                                      callgauge_event *event)
{
    cg_lines_walk walk;
    cg_line line;
    if (!cg_walk_begin(&walk, lines) || !cg_strace_half_line(shape, lines, &walk, &line)) {
        return CG_LINE_HARD;
    }
    cg_fast_line of = { .event = line.ptr + shape->len, .pid = cg_strace_shape_pid(parse, shape, line.ptr) };
    of.has = of.pid != 0 ? CALLGAUGE_HAS_PID : 0;
    of.stamp = shape->stamp1 == 0 ? NULL : line.ptr + shape->stamp1 - 1;
    if (of.stamp != NULL) {
        if (!cg_strace_seconds_are(parse, of.stamp)) {
            return CG_LINE_HARD;
        }
        of.start_ns = cg_strace_moment(parse, of.stamp);
        of.has |= CALLGAUGE_HAS_START;
    }
    cg_verdict verdict = cg_strace_half_event(parse, &line, of, event);
    if (verdict == CG_LINE_FIRST || verdict == CG_LINE_REST) {
        cg_walk_over(&walk, line.ptr + line.len, line.mark != NULL ? 2 : 1);
        cg_walk_end(&walk, lines);
    }
    return verdict;
}

cg_verdict cg_strace_lean_event(cg_parse *parse, cg_lines *lines, callgauge_event *event)
{
    cg_lines_walk walk;
    if (!cg_walk_begin(&walk, lines)) {
        return CG_LINE_HARD;
    }
    const cg_strace_shape *shape = cg_strace_shape_of(parse->state, walk.at);
    const char *mark = walk.buf + walk.next[0];
    if (shape == NULL) {
        return CG_LINE_HARD;
    }
    if (*mark != '=' || walk.at[shape->len] == '<') {
        return half_call(parse, shape, lines, event);
    }
    const char *end = walk.buf + walk.next[1]; /* a line's end is the last place in the list */
    if (*end != '\n' || !whole_call(parse, shape, walk.at, mark, end, event)) {
        return CG_LINE_HARD;
    }
    set_place(lines, walk.at, end, event);
    cg_walk_over(&walk, end, 2);
    cg_walk_end(&walk, lines);
    return CG_LINE_EVENT;
}

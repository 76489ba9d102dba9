/* SPDX-License-Identifier: Apache-2.0 */
/* The lean form: runs of calls for counts alone, of lines whose leader has the same shape as one that was read before.
 * A shape is proven by holding 16 bytes between their bounds at a time; numbers are read only where they are needed,
 * and of arguments nothing is. What does not fit stays for the other fast form, which learns.
 * Invariant: a line is taken only when every check has passed; until then nothing has changed. */
#include "dialect/strace_fast.h"
#include "dialect/strace_shape.h"

/* A result that is rarer than a short decimal. */
static __attribute__((noinline)) bool set_rare_value(const cg_parse *parse, const char *value, const char *end,
                                                     cg_run_call *call)
{
    cg_rare_value rare = cg_strace_met_value(parse, value, end);
    call->error = rare.error;
    call->value = rare.value;
    call->has = (call->has & ~(uint32_t)CALLGAUGE_HAS_VALUE) | rare.has;
    call->flags = rare.flags;
    return rare.ok;
}

/* "leader name(...) = result" from `line` up to `end`. False: it is not known here; what `call` holds is spoiled. */
CG_HOT bool whole_call(cg_parse *parse, const cg_strace_shape *shape, const char *line, const char *mark,
                       const char *end, cg_run_call *call)
{
    const char *start = line + shape->len;
    size_t len = cg_strace_name_length(start);
    uint64_t id1 = cg_intern_seek_short(&parse->calls.index, start, len);
    cg_fast_line of = { .has = CALLGAUGE_HAS_VALUE };
    if (!cg_often(id1 != 0 && start[len] == '(' && cg_strace_close_before(mark, start + len + 1, &of) &&
                  cg_strace_lean_duration(parse, end, &of) && !cg_strace_shape_has_open(parse, shape, line))) {
        return false;
    }
    call->name = parse->calls.calls[id1 - 1];
    call->error = NULL;
    call->duration_ns = of.duration_ns;
    call->has = of.has;
    call->flags = 0;
    return cg_often(cg_short_decimal(mark + 2, of.value_end, &call->value)) ||
           set_rare_value(parse, mark + 2, of.value_end, call);
}

/* Reads whole calls whose leaders all have the shape, and gives the line of the last one. NULL: there is none. */
CG_HOT const char *whole_calls(cg_parse *parse, const cg_strace_shape *shape, cg_lines_walk *walk, cg_run *run)
{
    const _Alignas(16) cg_strace_shape own = *shape; /* in reach */
    const char *line = walk->at, *last = NULL;
    const uint32_t *next = walk->next, *stop = walk->last;
    cg_run_call *call = run->calls + run->count, *first = call;
    size_t room = CG_RUN_CALLS - run->count;
    stop = (size_t)(stop - next) > 2 * room ? next + 2 * room : stop;
    while (next < stop && cg_strace_fits(&own, line)) {
        const char *mark = walk->buf + next[0], *end = walk->buf + next[1];
        if (*mark != '=' || *end != '\n' || !whole_call(parse, &own, line, mark, end, call)) {
            break;
        }
        last = line;
        line = end + 1;
        next += 2;
        call++;
    }
    walk->at = line;
    walk->next = next;
    walk->given += (size_t)(call - first);
    run->count += (size_t)(call - first);
    return last;
}

/* A half of a call. A second one becomes a call of the run. */
static cg_verdict read_half(cg_parse *parse, const cg_strace_shape *shape, const cg_line *line, cg_run *run)
{
    callgauge_event event;
    cg_fast_line of = { .event = line->ptr + shape->len, .pid = cg_strace_shape_pid(parse, shape, line->ptr) };
    of.has = of.pid != 0 ? CALLGAUGE_HAS_PID : 0;
    of.stamp = shape->stamp1 == 0 ? NULL : line->ptr + shape->stamp1 - 1;
    event.duration_ns = 0;
    cg_verdict verdict = cg_strace_half_counts(parse, line, of, &event);
    if (verdict == CG_LINE_REST) {
        const uint32_t has = event.has & (CALLGAUGE_HAS_VALUE | CALLGAUGE_HAS_DURATION);
        run->calls[run->count++] = (cg_run_call){ event.call,        event.error, event.value,
                                                  event.duration_ns, has,         event.flags };
        run->continuation_lines++;
        if ((event.has & (CALLGAUGE_HAS_START | CALLGAUGE_HAS_END)) != 0) {
            run->end_ns = (event.has & CALLGAUGE_HAS_END) != 0 ? event.end_ns : event.start_ns;
            parse->stamp_at = NULL;
        }
    }
    return verdict;
}

/* The next line, when it is a half of a call. */
static cg_verdict half_call(cg_parse *parse, const cg_strace_shape *shape, const cg_lines *lines, cg_lines_walk *walk,
                            cg_run *run)
{
    cg_line line;
    if (!cg_strace_half_line(shape, lines, walk, &line)) {
        return CG_LINE_HARD;
    }
    cg_verdict verdict = read_half(parse, shape, &line, run);
    if (verdict == CG_LINE_FIRST || verdict == CG_LINE_REST) {
        cg_walk_over(walk, line.ptr + line.len, line.mark != NULL ? 2 : 1);
    }
    return verdict;
}

/* Leaves the stamp of the run's last call, which is on `line`, to be read when somebody asks. */
static void leave_stamp(cg_parse *parse, const cg_strace_shape *shape, const char *line, const cg_run *run)
{
    if (line == NULL || shape->stamp1 == 0) {
        return;
    }
    const cg_run_call *call = &run->calls[run->count - 1];
    parse->stamp_at = line + shape->stamp1 - 1;
    parse->stamp_duration = (call->has & CALLGAUGE_HAS_DURATION) != 0 ? call->duration_ns : 0;
}

/* Reads lines whose leaders all have the shape. */
static void read_lines(cg_parse *parse, const cg_strace_shape *shape, const cg_lines *lines, cg_lines_walk *walk,
                       cg_run *run)
{
    cg_verdict verdict = CG_LINE_FIRST;
    while (verdict == CG_LINE_FIRST || verdict == CG_LINE_REST) {
        leave_stamp(parse, shape, whole_calls(parse, shape, walk, run), run);
        verdict = CG_LINE_HARD;
        if (walk->next < walk->last && run->count < CG_RUN_CALLS && cg_strace_fits(shape, walk->at)) {
            verdict = half_call(parse, shape, lines, walk, run);
        }
    }
}

void cg_strace_lean_counts(cg_parse *parse, cg_lines *lines, cg_run *run)
{
    cg_lines_walk walk;
    uint64_t given = 1;
    cg_run_begin(run, CALLGAUGE_TIME_WALL);
    while (given > 0 && run->count < CG_RUN_CALLS && cg_walk_begin(&walk, lines)) {
        const cg_strace_shape *shape = cg_strace_shape_of(parse->state, walk.at);
        if (shape != NULL) {
            read_lines(parse, shape, lines, &walk, run);
        }
        given = walk.given;
        run->event_lines += given;
        cg_walk_end(&walk, lines);
    }
    run->event_lines -= run->continuation_lines;
}

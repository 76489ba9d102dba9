/* SPDX-License-Identifier: Apache-2.0 */
/* The lean form: runs of calls for counts alone, of lines whose leader has the same shape as one that was read before. A
 * shape is proven by holding 16 bytes between their bounds at a time; numbers are read only where they are needed, and
 * of arguments nothing is. What does not fit stays for the other fast form, which learns.
 * Invariant: a line is taken only when every check has passed; until then nothing has changed. */
#include "dialect/strace_fast.h"

#include "dialect/strace.h"
#include "dialect/strace_tail.h"

CG_HOT bool fits(const cg_strace_shape *shape, const char *line)
{
    return cg_is_between(line, shape->low, shape->high, CG_STRACE_SHAPE);
}

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
    if (len > CG_STRACE_SHAPE || *line == '[' || far || (shape->len == len && fits(shape, line))) {
        return;
    }
    *shape = (cg_strace_shape){ .len = len, .pid_digits = stamp == line ? 0 : digits };
    shape->pid_shift = 64 - 8 * shape->pid_digits;
    shape->stamp1 = stamp == NULL ? 0 : (unsigned)(stamp - line) + 1;
    set_bounds(shape, line);
}

/* The shape of a line's leader: mostly that of the line before. NULL: none that is known. */
static const cg_strace_shape *find_shape(cg_strace *state, const char *line)
{
    if (fits(&state->shapes[state->last_shape], line)) {
        return &state->shapes[state->last_shape];
    }
    state->last_shape = digits_in_front(line);
    const cg_strace_shape *shape = &state->shapes[state->last_shape];
    return fits(shape, line) ? shape : NULL;
}

CG_HOT int64_t pid_of(const cg_parse *parse, const cg_strace_shape *shape, const char *line)
{
    return shape->pid_digits == 0 ? parse->options->pid : cg_digits_value(cg_load8(line) << shape->pid_shift);
}

/* Whether the thread has an open call: mostly its last digits tell that it has none. */
CG_HOT bool has_open_call(cg_parse *parse, const cg_strace_shape *shape, const char *line)
{
    if (shape->pid_digits > 0) {
        uint64_t digits = cg_load8(line) << shape->pid_shift;
        if (parse->open.by_pid[cg_open_pid_kind((uint32_t)(digits >> 40))] == 0) {
            return false;
        }
    }
    return cg_open_find(&parse->open, cg_open_key(pid_of(parse, shape, line), 0)) != NULL;
}

/* Whether two texts of 16 bytes or more are the same. */
static bool is_same(const char *a, const char *b, size_t len)
{
    for (size_t i = 0; i + 16 < len; i += 16) {
        if (memcmp(a + i, b + i, 16) != 0) {
            return false;
        }
    }
    return memcmp(a + len - 16, b + len - 16, 16) == 0;
}

/* Where the text of an error that begins like this one is kept. */
static cg_strace_error *error_place(cg_strace *state, const char *text)
{
    return &state->errors[cg_load8(text) * 0x9E3779B97F4A7C15u >> 60];
}

/* "ENOENT (No such file or directory)", as it was proven before. NULL: it was not. */
static const callgauge_name *met_error(cg_strace *state, const char *text, size_t len)
{
    const cg_strace_error *kept = error_place(state, text);
    return len == kept->len && is_same(text, kept->text, len) ? kept->name : NULL;
}

static void keep_error(cg_strace *state, const char *text, size_t len, const callgauge_name *name)
{
    cg_strace_error *kept = error_place(state, text);
    if (len >= 16 && len <= sizeof kept->text) {
        memcpy(kept->text, text, len);
        kept->len = len;
        kept->name = name;
    }
}

/* A result that is rarer than a short decimal. */
static __attribute__((noinline)) bool set_rare_value(const cg_parse *parse, const char *value, const char *end,
                                                     cg_run_call *call)
{
    enum { BEFORE = 3 }; /* "-1 " */
    size_t len = (size_t)(end - value) - BEFORE;
    if (memcmp(value, "-1 E", 4) == 0 && (call->error = met_error(parse->state, value + BEFORE, len)) != NULL) {
        call->value = -1;
        return true;
    }
    cg_rare_value rare = cg_strace_rare_value(parse, value, end);
    call->error = rare.error;
    call->value = rare.value;
    call->has = (call->has & ~(uint32_t)CALLGAUGE_HAS_VALUE) | rare.has;
    call->flags = rare.flags;
    if (rare.ok && rare.error != NULL) {
        keep_error(parse->state, value + BEFORE, len, rare.error);
    }
    return rare.ok;
}

/* " <0.000023>" or a rarer duration before `end`; a line without one has none. */
CG_HOT bool set_duration(cg_parse *parse, const char *end, cg_fast_line *of)
{
    static const unsigned char low[] = "\0\0\0\0\0 <0.000000>", high[] = "\xff\xff\xff\xff\xff <9.999999>";
    if (!cg_often(cg_is_between(end - 16, low, high, 16))) {
        bool ok = cg_strace_duration(end, of);
        bool timed = ok && (of->has & CALLGAUGE_HAS_DURATION) != 0;
        parse->duration_kind = timed ? CALLGAUGE_TIME_WALL : parse->duration_kind;
        return ok;
    }
    uint64_t word = cg_load8(end - 9); /* "0.000023", and then 0 and its seven digits */
    of->duration_ns = (int64_t)cg_digits_value((word & ~(uint64_t)0xFFFF) | (word & 0xFF) << 8) * 1000;
    of->has |= CALLGAUGE_HAS_DURATION;
    of->value_end = end - 11;
    parse->duration_kind = CALLGAUGE_TIME_WALL;
    return true;
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
                  set_duration(parse, end, &of) && !has_open_call(parse, shape, line))) {
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
    while (next < stop && fits(&own, line)) {
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
    cg_fast_line of = { .event = line->ptr + shape->len, .pid = pid_of(parse, shape, line->ptr) };
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

/* The next line, when it is a half of a call: one without a mark, or one that begins with '<'. */
static cg_verdict half_call(cg_parse *parse, const cg_strace_shape *shape, const cg_lines *lines, cg_lines_walk *walk,
                            cg_run *run)
{
    const char *mark = walk->buf + walk->next[0];
    bool marked = *mark == '=';
    const char *end = walk->buf + walk->next[marked];
    if (*end != '\n' || (marked && walk->at[shape->len] != '<')) {
        return CG_LINE_HARD;
    }
    const cg_line line = { .ptr = walk->at,
                           .len = (size_t)(end - walk->at),
                           .mark = marked ? mark : NULL,
                           .number = lines->number + walk->given,
                           .offset = lines->base + (uint64_t)(walk->at - walk->buf) };
    cg_verdict verdict = read_half(parse, shape, &line, run);
    if (verdict == CG_LINE_FIRST || verdict == CG_LINE_REST) {
        walk->at = end + 1;
        walk->next += marked + 1;
        walk->given++;
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
        if (walk->next < walk->last && run->count < CG_RUN_CALLS && fits(shape, walk->at)) {
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
        const cg_strace_shape *shape = find_shape(parse->state, walk.at);
        if (shape != NULL) {
            read_lines(parse, shape, lines, &walk, run);
        }
        given = walk.given;
        run->event_lines += given;
        cg_walk_end(&walk, lines);
    }
    run->event_lines -= run->continuation_lines;
}

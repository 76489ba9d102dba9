/* SPDX-License-Identifier: Apache-2.0 */
/* The lean form of the truss dialect: runs of calls for counts alone, of lines whose leader has the same shape as one
 * that was read before, as in strace_lean.c. */
#include "dialect/truss_fast.h"

enum { SHAPES = CG_TRUSS_ID_DIGITS + 1 };

static inline bool fits(const cg_truss_shape *shape, const char *line)
{
    return cg_is_between(line, shape->low, shape->high, CG_TRUSS_SHAPE);
}

static unsigned digits_in_front(const char *line)
{
    return (unsigned)__builtin_ctz(~cg_digit_mask(line));
}

/* Where a column begins, and 1; 0: the leader has none of that kind. */
static unsigned column1(const cg_truss *truss, const char *line, const cg_truss_leader *leader, char kind)
{
    for (unsigned i = 0; i < leader->stamps; i++) {
        if (truss->kinds[leader->stamps][i] == kind) {
            return (unsigned)(leader->stamp[i] - line) + 1;
        }
    }
    return 0;
}

/* Bounds of a leader's bytes; ids begin with no 0. */
static void set_bounds(cg_truss_shape *shape, const char *line)
{
    memset(shape->high, 0xff, sizeof shape->high);
    for (size_t i = 0; i < shape->len; i++) {
        unsigned char c = (unsigned char)line[i];
        bool free = cg_is_digit(line[i]);
        shape->low[i] = free ? '0' : c;
        shape->high[i] = free ? '9' : c;
    }
    if (shape->len == 0) {
        shape->low[0] = '9' + 1; /* no digit, or it is a leader that has not been met */
    }
    if (shape->pid_digits > 0) {
        shape->low[0] = '1';
    }
    if (shape->lwp_digits > 0) {
        shape->low[shape->lwp_at] = '1';
    }
}

/* Where the word of cpu_ns() is, and which of its bytes are digits. False: its seconds have more digits than three. */
static bool set_cpu_word(cg_truss_shape *shape, const char *line)
{
    enum { SECONDS = 3 };
    const char *at = line + shape->cpu1 - 1;
    if (shape->cpu1 == 0) {
        return true;
    }
    while (*at == ' ') {
        at++;
    }
    unsigned digits = digits_in_front(at);
    if (digits == 0 || digits > SECONDS || at[digits] != '.' || at + digits - line < SECONDS) {
        return false;
    }
    shape->cpu_word = (unsigned)(at + digits - line) - SECONDS;
    shape->cpu_keep = ~(uint64_t)0 << (8 * (SECONDS - digits)) & ~((uint64_t)0xFF << (8 * SECONDS));
    return true;
}

void cg_truss_learn(cg_truss *truss, const char *line, const cg_truss_leader *leader)
{
    unsigned digits = digits_in_front(line), len = (unsigned)(leader->rest - line);
    bool indented = leader->prefix && digits == 0 && *line != '/';
    if (digits >= SHAPES || len > CG_TRUSS_SHAPE || indented) {
        return;
    }
    cg_truss_shape *shape = &truss->shapes[digits];
    if (shape->len == len && fits(shape, line)) {
        return;
    }
    *shape = (cg_truss_shape){ .prefix = leader->prefix, .len = len, .pid_digits = leader->pid != 0 ? digits : 0 };
    shape->pid_shift = (64 - 8 * shape->pid_digits) % 64; /* 0 without a pid, where nothing asks for it */
    if (leader->lwp != 0) {
        shape->lwp_at = digits + 1;
        shape->lwp_digits = digits_in_front(line + shape->lwp_at);
    }
    shape->clock1 = column1(truss, line, leader, 'd');
    shape->gap1 = column1(truss, line, leader, 'D');
    shape->cpu1 = column1(truss, line, leader, 'E');
    if (set_cpu_word(shape, line)) {
        set_bounds(shape, line);
    }
}

/* The shape of a line's leader: mostly that of the line before. NULL: none that is known. */
static const cg_truss_shape *find_shape(cg_truss *truss, const char *line)
{
    const cg_truss_shape *shape = &truss->shapes[truss->last_shape];
    if (!fits(shape, line)) {
        unsigned digits = digits_in_front(line);
        if (digits >= SHAPES) {
            return NULL;
        }
        truss->last_shape = digits;
        shape = &truss->shapes[digits];
        if (!fits(shape, line)) {
            return NULL;
        }
    }
    return shape->prefix || !cg_truss_has_pids(truss) ? shape : NULL;
}

static inline int64_t id_at(const char *at, unsigned digits)
{
    return digits == 0 ? 0 : cg_digits_value(cg_load8(at) << (64 - 8 * digits));
}

/* Whether the thread may have a call asleep that this one completes: mostly the last digits of its pid tell that
 * not. */
static inline bool has_sleeper(cg_parse *parse, const cg_truss_shape *shape, const char *line,
                               const callgauge_call_name *name)
{
    if (shape->labelled) {
        uint64_t digits = cg_load8(line) << shape->pid_shift;
        if (cg_often(parse->open.by_pid[cg_open_pid_kind((uint32_t)(digits >> 40))] == 0)) {
            return false;
        }
    }
    return parse->open.count > 0 && cg_truss_has_sleeper(parse, id_at(line, shape->pid_digits),
                                                         id_at(line + shape->lwp_at, shape->lwp_digits), name);
}

/* The time of -E: "127.6307" is one word, its point taken out. */
static inline int64_t cpu_ns(const cg_truss_shape *shape, const char *line)
{
    enum { UNIT_NS = 100000 };
    uint64_t word = cg_load8(line + shape->cpu_word) & shape->cpu_keep;
    return (int64_t)cg_digits_value((word & ~(uint64_t)UINT32_MAX) | (word & 0xFFFFFF) << 8) * UNIT_NS;
}

/* A result that is no short decimal. */
static __attribute__((noinline)) bool set_rare_result(const cg_parse *parse, const cg_line *line, cg_run_call *to)
{
    cg_truss_fast_result result = { 0 };
    bool moves = to->name->moves != CALLGAUGE_MOVES_NOTHING;
    bool ok = cg_truss_result_whole(parse, line, moves, &result);
    to->value = result.value;
    to->error = result.error;
    to->flags = cg_truss_is_restart(result.error) ? CALLGAUGE_CALL_RESTART : 0;
    to->has = result.error == NULL ? CALLGAUGE_HAS_VALUE : 0;
    return ok;
}

/* "leader name(...) = result" as a call of a run. False: it is not known here; what `to` holds is spoiled. */
static inline __attribute__((always_inline)) bool whole_call(cg_parse *parse, const cg_truss_shape *shape,
                                                             const char *line, const char *mark, const char *end,
                                                             cg_run_call *to)
{
    const char *start = line + shape->len, *gap_end = cg_often(*mark == '=') ? mark : mark - 3;
    size_t len = (unsigned)__builtin_ctz(cg_byte_mask(start, '(') | 0x10000);
    uint64_t id1 = cg_intern_seek_short(&parse->calls.index, start, len);
    if (!cg_often(id1 != 0 && start[len] == '(')) {
        return false;
    }
    const callgauge_call_name *name = parse->calls.calls[id1 - 1];
    const char *args = start + len + 1, *close = cg_truss_only_close(args, gap_end);
    if (!cg_often(close != NULL && name->known && !cg_truss_tabs_lost(start, close, gap_end))) {
        return false;
    }
    to->name = name;
    to->error = NULL;
    to->flags = 0;
    to->has = CALLGAUGE_HAS_VALUE;
    if (!cg_often(*mark == '=' && mark[1] == ' ' && cg_short_decimal(mark + 2, end, &to->value))) {
        const cg_line at = { .ptr = line, .len = (size_t)(end - line), .mark = mark };
        if (!set_rare_result(parse, &at, to)) {
            return false;
        }
    }
    if (shape->cpu1 != 0) {
        to->has |= CALLGAUGE_HAS_DURATION;
        to->duration_ns = cpu_ns(shape, line);
    }
    return !cg_truss_dump_follows(name, cg_str_range(args, close), to->error != NULL, to->value) &&
           !has_sleeper(parse, shape, line, name);
}

/* Reads lines whose leaders all have the shape. */
static void read_lines(cg_parse *parse, const cg_truss_shape *shape, cg_lines_walk *walk, cg_run *run)
{
    const cg_truss *truss = parse->state;
    _Alignas(16) cg_truss_shape own = *shape; /* in reach */
    own.labelled = own.pid_digits > 0 && own.lwp_digits > 0 && truss->unlabelled == 0;
    const char *at = walk->at, *last = NULL;
    const uint32_t *next = walk->next, *stop = walk->last;
    cg_run_call *call = run->calls + run->count, *first = call;
    size_t room = CG_RUN_CALLS - run->count;
    stop = (size_t)(stop - next) > 2 * room ? next + 2 * room : stop;
    while (next < stop && fits(&own, at)) {
        const char *mark = walk->buf + next[0], *end = walk->buf + next[1];
        if (*mark == '\n' || *end != '\n' || !whole_call(parse, &own, at, mark, end, call)) {
            break;
        }
        last = at;
        at = end + 1;
        next += 2;
        call++;
    }
    if (last != NULL && shape->clock1 != 0) {
        parse->stamp_at = last + shape->clock1 - 1;
    }
    walk->at = at;
    walk->next = next;
    walk->given += (size_t)(call - first);
    run->count += (size_t)(call - first);
}

void cg_truss_lean(cg_parse *parse, cg_lines *lines, cg_run *run)
{
    cg_truss *truss = parse->state;
    cg_lines_walk walk;
    uint64_t given = truss->section == CG_TRUSS_NO_TABLE;
    cg_run_begin(run, CALLGAUGE_TIME_CPU);
    while (given > 0 && run->count < CG_RUN_CALLS && cg_walk_begin(&walk, lines)) {
        const cg_truss_shape *shape = find_shape(truss, walk.at);
        if (shape != NULL) {
            read_lines(parse, shape, &walk, run);
        }
        given = walk.given;
        cg_walk_end(&walk, lines);
    }
    run->event_lines = run->count;
}

/* Thread and columns of a line whose leader has the shape. */
static inline void set_leader(const cg_parse *parse, const cg_truss_shape *shape, const char *line,
                              callgauge_event *event)
{
    const cg_truss *truss = parse->state;
    event->pid = shape->pid_digits > 0 ? id_at(line, shape->pid_digits) : parse->options->pid;
    event->tid = id_at(line + shape->lwp_at, shape->lwp_digits);
    event->has |= (event->pid != 0 ? CALLGAUGE_HAS_PID : 0) | (event->tid != 0 ? CALLGAUGE_HAS_TID : 0);
    if (shape->clock1 != 0) {
        event->end_ns = truss->base_ns + cg_truss_stamp_ns(line + shape->clock1 - 1);
        event->has |= CALLGAUGE_HAS_END;
    }
    if (shape->gap1 != 0) {
        event->gap_ns = cg_truss_stamp_ns(line + shape->gap1 - 1);
        event->has |= CALLGAUGE_HAS_GAP;
    }
    if (shape->cpu1 != 0) {
        event->duration_ns = cpu_ns(shape, line);
        event->duration_kind = CALLGAUGE_TIME_CPU;
        event->has |= CALLGAUGE_HAS_DURATION;
    }
}

/* A whole call of a line whose leader has the shape. False: it is not known here. */
static inline bool whole_event(cg_parse *parse, const cg_truss_shape *shape, const cg_line *line,
                               callgauge_event *event)
{
    cg_truss_fast_call call;
    if (!cg_truss_call_whole(parse, line, line->ptr + shape->len, CG_WANT_SCALARS, &call) ||
        cg_truss_tabs_lost(call.start, call.close, call.gap_end) ||
        cg_truss_dump_follows(call.name, call.args, call.result.error != NULL, call.result.value) ||
        (parse->open.count > 0 && has_sleeper(parse, shape, line->ptr, call.name))) {
        return false;
    }
    cg_truss_event_set(line, &call, event);
    set_leader(parse, shape, line->ptr, event);
    return true;
}

cg_verdict cg_truss_lean_event(cg_parse *parse, cg_lines *lines, callgauge_event *event)
{
    cg_truss *truss = parse->state;
    cg_lines_walk walk;
    if (truss->section != CG_TRUSS_NO_TABLE || !cg_walk_begin(&walk, lines)) {
        return CG_LINE_HARD;
    }
    const cg_truss_shape *shape = find_shape(truss, walk.at);
    const char *mark = walk.buf + walk.next[0];
    if (shape == NULL || *mark == '\n') {
        return CG_LINE_HARD;
    }
    const char *end = walk.buf + walk.next[1]; /* a line's end is the last place in the list */
    const cg_line line = { .ptr = walk.at,
                           .len = (size_t)(end - walk.at),
                           .mark = mark,
                           .number = lines->number,
                           .offset = lines->base + (uint64_t)(walk.at - walk.buf) };
    if (*end != '\n' || !whole_event(parse, shape, &line, event)) {
        return CG_LINE_HARD;
    }
    cg_walk_over(&walk, end, 2);
    cg_walk_end(&walk, lines);
    return CG_LINE_EVENT;
}

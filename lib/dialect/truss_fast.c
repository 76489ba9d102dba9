/* SPDX-License-Identifier: Apache-2.0 */
/* The common forms of calls, read from the end of the line: `name(args) = value` and `name(args) Err#N NAME`, with a
 * name that the strict form has met before. The lean form knows a leader by its shape, which counts() has learned.
 * Invariant: an event is given only where the strict form must give the same: the line has one mark, one ')'
 * before it, a result that reaches the end, and no sleeper that it could complete. All else is CG_LINE_HARD. */
#include "dialect/truss.h"

typedef struct fast_result {
    int64_t value;
    const callgauge_name *error; /* NULL: none */
    int64_t error_number;
} fast_result;

typedef struct fast_call {
    const callgauge_call_name *name;
    const char *start, *close, *gap_end;
    callgauge_str args;
    fast_result result;
} fast_call;

/* Up to 18 digits that reach the end, without a zero in front (that may be octal). */
static inline bool whole_decimal(const char *at, const char *end, int64_t *value)
{
    enum { MOST = 18, WORD = 8 };
    int64_t sum = 0;
    if (end - at == 1) {
        *value = *at - '0';
        return cg_is_digit(*at);
    }
    if (end - at < WORD && end > at && *at != '0') {
        unsigned count = (unsigned)(end - at);
        uint64_t word = cg_load8(at);
        *value = cg_digits_value(word << (64 - 8 * count));
        return cg_digit_count(word) == count;
    }
    if (end - at < 1 || end - at > MOST || (*at == '0' && end - at > 1)) {
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

static inline bool whole_hex(const char *at, const char *end, int64_t *value)
{
    enum { MOST = 18 };
    uint64_t bits = 0;
    if (end - at < 3 || end - at > MOST || at[0] != '0' || at[1] != 'x') {
        return false;
    }
    for (at += 2; at < end; at++) {
        bool letter = *at >= 'A' && *at <= 'F';
        if (!letter && !cg_is_digit(*at)) {
            return false;
        }
        bits = bits << 4 | (uint64_t)(letter ? *at - 'A' + 10 : *at - '0');
    }
    *value = (int64_t)bits;
    return true;
}

/* `2 ENOENT`, from behind `Err#`. */
static inline bool whole_error(const cg_parse *parse, const char *at, const char *end, fast_result *result)
{
    enum { MOST = 16 };
    const char *blank = at;
    while (blank < end && cg_is_digit(*blank)) {
        blank++;
    }
    size_t len = blank < end ? (size_t)(end - blank - 1) : 0;
    if (len == 0 || len > MOST || *blank != ' ' || !whole_decimal(at, blank, &result->error_number)) {
        return false;
    }
    int64_t id = cg_intern_find_short(&parse->errors.index, blank + 1, len);
    if (id < 0) {
        return false;
    }
    result->error = parse->errors.plain[id];
    return true;
}

/* Where the first '(' of eight characters is; 8: nowhere. */
static inline unsigned paren_in(uint64_t word)
{
    uint64_t other = word ^ 0x2828282828282828u;
    uint64_t zero = (other - 0x0101010101010101u) & ~other & 0x8080808080808080u;
    return zero == 0 ? 8 : (unsigned)__builtin_ctzll(zero) / 8;
}

/* The name in front of a '(' when it is one of the class table and has been met; NULL: it is none. */
static inline const callgauge_call_name *met_name(const cg_parse *parse, const char *at, const char *end)
{
    enum { WORD = 8 };
    size_t len = paren_in(cg_load8(at));
    if (len == WORD) {
        len += paren_in(cg_load8(at + WORD));
    }
    if (len == 0 || len == 2 * WORD || at + len >= end) {
        return NULL;
    }
    int64_t id = cg_intern_find_short(&parse->calls.index, at, len);
    const callgauge_call_name *name = id < 0 ? NULL : parse->calls.calls[id];
    return name != NULL && name->known ? name : NULL;
}

/* The first ')' in [at, end), or `end`. */
static inline const char *first_close(const char *at, const char *end)
{
#if defined(__SSE2__)
    enum { STEP = 16 };
    const __m128i close = _mm_set1_epi8(')');
    for (; at < end; at += STEP) {
        __m128i here = _mm_loadu_si128((const __m128i *)(const void *)at);
        unsigned hits = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(here, close));
        if (hits != 0) {
            return at + __builtin_ctz(hits);
        }
    }
    return end;
#else
    const char *hit = at < end ? memchr(at, ')', (size_t)(end - at)) : NULL;
    return hit == NULL ? end : hit;
#endif
}

/* Whether [at, end) is blanks and TABs, and not empty. */
static inline bool is_gap(const char *at, const char *end)
{
    static const uint64_t tabs = 0x0909090909090909u;
    size_t len = (size_t)(end - at);
    if (len - 1 < 8 && ((cg_load8(at) ^ tabs) << (64 - 8 * len)) == 0) {
        return true;
    }
    return end > at && cg_truss_blanks(at, end) == end;
}

/* The ')' in front of the gap, when it is the only one; NULL: it is not. */
static inline const char *only_close(const char *args, const char *gap_end)
{
    const char *close = first_close(args, gap_end);
    return close < gap_end && is_gap(close + 1, gap_end) ? close : NULL;
}

static inline bool read_result(const cg_parse *parse, const cg_line *line, fast_result *result)
{
    const char *mark = line->mark, *end = line->ptr + line->len;
    if (*mark == '=') {
        return mark + 2 < end && mark[1] == ' ' &&
               (whole_decimal(mark + 2, end, &result->value) || whole_hex(mark + 2, end, &result->value));
    }
    return *mark == '#' && mark - line->ptr > 3 && memcmp(mark - 3, "Err", 3) == 0 &&
           whole_error(parse, mark + 1, end, result);
}

/* The call that begins at `start`, where a leader has ended. */
static inline __attribute__((always_inline)) bool read_call(const cg_parse *parse, const cg_line *line,
                                                            const char *start, fast_call *call)
{
    const char *mark = line->mark;
    call->start = start;
    call->name = met_name(parse, start, mark);
    if (call->name == NULL) {
        return false;
    }
    const char *args = start + call->name->text.len + 1;
    call->gap_end = *mark == '=' ? mark : mark - 3;
    call->close = only_close(args, call->gap_end);
    if (call->close == NULL) {
        return false;
    }
    call->args = cg_str_range(args, call->close);
    call->result = (fast_result){ 0 };
    return read_result(parse, line, &call->result);
}

/* Whether this call may be the end of one that was seen asleep. */
static inline bool has_sleeper(cg_parse *parse, int64_t pid, int64_t lwp, const callgauge_call_name *name)
{
    const cg_truss *truss = parse->state;
    if (truss->unlabelled == 0 && lwp != 0) {
        return cg_open_find(&parse->open, cg_open_key(pid, lwp)) != NULL;
    }
    return cg_truss_sleeper(parse, pid, lwp, name) != NULL;
}

static inline bool is_restart(const callgauge_name *error)
{
    return error != NULL && cg_str_is(error->text, "ERESTART");
}

static inline void set_counts(const fast_call *call, callgauge_event *event)
{
    event->kind = CALLGAUGE_EVENT_CALL;
    event->call = call->name;
    event->name = NULL;
    event->row = NULL;
    event->error = call->result.error;
    event->value = call->result.value;
    event->flags = is_restart(call->result.error) ? CALLGAUGE_CALL_RESTART : 0;
    event->has = call->result.error == NULL ? CALLGAUGE_HAS_VALUE : 0;
}

static inline void set_cpu(const char *stamp, callgauge_event *event)
{
    event->duration_ns = cg_truss_stamp_ns(stamp);
    event->duration_kind = CALLGAUGE_TIME_CPU;
    event->has |= CALLGAUGE_HAS_DURATION;
}

static inline void set_scalars(const cg_parse *parse, const cg_line *line, const cg_truss_leader *leader,
                               const fast_call *call, callgauge_event *event)
{
    const char *end = line->ptr + line->len;
    cg_event_begin(event, CALLGAUGE_EVENT_CALL, line, cg_str(line->ptr, line->len));
    set_counts(call, event);
    event->args = call->args;
    event->lexer = &cg_truss_lexer;
    event->result = cg_str_range(call->result.error != NULL ? line->mark - 3 : line->mark + 2, end);
    if (call->result.error != NULL) {
        event->error_number = call->result.error_number;
        event->has |= CALLGAUGE_HAS_ERRNO;
    }
    cg_truss_thread_set(parse, leader, event);
    cg_truss_stamps_set(parse->state, leader, event);
}

/* ---- shapes of leaders */

/* Which bytes of `text` from `from` on break the shape's rule: a bit each. */
static inline unsigned misfits(const cg_truss_shape *shape, const char *text, size_t from)
{
    enum { STEP = 16 };
    unsigned digits = cg_digit_mask(text + from), wrong = 0;
#if defined(__SSE2__)
    __m128i here = _mm_loadu_si128((const __m128i *)(const void *)(text + from));
    __m128i digit = _mm_loadu_si128((const __m128i *)(const void *)(shape->digit + from));
    __m128i same = _mm_loadu_si128((const __m128i *)(const void *)(shape->same + from));
    __m128i pattern = _mm_loadu_si128((const __m128i *)(const void *)(shape->text + from));
    __m128i other = _mm_andnot_si128(_mm_cmpeq_epi8(here, pattern), same);
    wrong = ((unsigned)_mm_movemask_epi8(digit) & ~digits) | (unsigned)_mm_movemask_epi8(other);
#else
    for (size_t i = 0; i < STEP; i++) {
        bool no_digit = shape->digit[from + i] != 0 && (digits >> i & 1) == 0;
        wrong |= (unsigned)(no_digit || (shape->same[from + i] != 0 && text[from + i] != shape->text[from + i])) << i;
    }
#endif
    return wrong;
}

static inline cg_truss_shape *shape_of(cg_truss *truss, const char *line, unsigned *digits)
{
    *digits = (unsigned)__builtin_ctz(~cg_digit_mask(line));
    return *digits > CG_TRUSS_ID_DIGITS ? NULL : &truss->shapes[*digits];
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

static void learn(cg_truss *truss, const char *line, const cg_truss_leader *leader)
{
    unsigned digits;
    cg_truss_shape *shape = shape_of(truss, line, &digits);
    size_t len = (size_t)(leader->rest - line);
    bool indented = leader->prefix && digits == 0 && *line != '/';
    if (shape == NULL || len > CG_TRUSS_SHAPE || indented ||
        (shape->met && shape->len == len && (misfits(shape, line, 0) | misfits(shape, line, 16)) == 0)) {
        return;
    }
    *shape = (cg_truss_shape){ .met = true, .prefix = leader->prefix, .len = (unsigned)len };
    memcpy(shape->text, line, len);
    for (size_t i = 0; i < len; i++) {
        *(cg_is_digit(line[i]) ? &shape->digit[i] : &shape->same[i]) = 0xff;
    }
    if (leader->lwp != 0) {
        shape->lwp_at = digits + 1;
        shape->lwp_digits = (unsigned)__builtin_ctz(~cg_digit_mask(line + shape->lwp_at));
    }
    shape->clock1 = column1(truss, line, leader, 'd');
    shape->cpu1 = column1(truss, line, leader, 'E');
}

static inline int64_t id_at(const char *at, unsigned digits)
{
    return digits == 0 ? 0 : cg_digits_value(cg_load8(at) << (64 - 8 * digits));
}

cg_verdict cg_truss_lean(cg_parse *parse, const cg_line *line, callgauge_event *event)
{
    cg_truss *truss = parse->state;
    const char *p = line->ptr;
    unsigned digits;
    fast_call call;
    const cg_truss_shape *shape = shape_of(truss, p, &digits);
    if (line->mark == NULL || truss->section != CG_TRUSS_NO_TABLE || shape == NULL || !shape->met ||
        (!shape->prefix && cg_truss_has_pids(truss)) || *p == '0' || p[shape->lwp_at] == '0' ||
        (misfits(shape, p, 0) | misfits(shape, p, 16)) != 0) {
        return CG_LINE_HARD;
    }
    if (!read_call(parse, line, p + shape->len, &call) || cg_truss_tabs_lost(call.start, call.close, call.gap_end) ||
        cg_truss_dump_follows(call.name, call.args, call.result.error != NULL, call.result.value)) {
        return CG_LINE_HARD;
    }
    if (parse->open.count > 0 &&
        has_sleeper(parse, id_at(p, digits), id_at(p + shape->lwp_at, shape->lwp_digits), call.name)) {
        return CG_LINE_HARD;
    }
    set_counts(&call, event);
    if (shape->cpu1 != 0) {
        set_cpu(p + shape->cpu1 - 1, event);
    }
    if (shape->clock1 != 0) {
        parse->stamp_at = p + shape->clock1 - 1;
    }
    return CG_LINE_EVENT;
}

/* ---- any leader */

/* What a histogram needs of the columns: -E is always the last one, -d the first; that is read later. */
static inline void set_columns(cg_parse *parse, const cg_truss_leader *leader, callgauge_event *event)
{
    const cg_truss *truss = parse->state;
    const char *kinds = truss->kinds[leader->stamps];
    if (leader->stamps == 0) {
        return;
    }
    if (kinds[0] == 'd') {
        parse->stamp_at = leader->stamp[0];
    }
    if (kinds[leader->stamps - 1] == 'E') {
        set_cpu(leader->stamp[leader->stamps - 1], event);
    }
}

static inline cg_verdict read_line(cg_parse *parse, const cg_line *line, callgauge_event *event, uint32_t wants)
{
    cg_truss *truss = parse->state;
    const char *end = line->ptr + line->len;
    cg_truss_leader leader;
    fast_call call;
    if (line->mark == NULL || line->many || line->cut || line->too_long || truss->section != CG_TRUSS_NO_TABLE) {
        return CG_LINE_HARD;
    }
    cg_truss_leader_read(line->ptr, end, &leader);
    if ((truss->forms & cg_truss_form(&leader)) == 0 || cg_truss_pid_lost(truss, &leader) ||
        !read_call(parse, line, leader.rest, &call) ||
        (parse->open.count > 0 && has_sleeper(parse, leader.pid, leader.lwp, call.name))) {
        return CG_LINE_HARD;
    }
    if ((wants & CG_WANT_SCALARS) != 0) {
        set_scalars(parse, line, &leader, &call, event);
    } else {
        set_counts(&call, event);
        set_columns(parse, &leader, event);
        learn(truss, line->ptr, &leader);
    }
    if (cg_truss_tabs_lost(call.start, call.close, call.gap_end)) {
        cg_parse_repair(parse, CG_REPAIR_TABS, line->number);
    }
    if (cg_truss_dump_follows(call.name, call.args, call.result.error != NULL, call.result.value)) {
        cg_truss_expect_dump(truss, line->number, call.result.error != NULL, call.result.value);
    }
    return CG_LINE_EVENT;
}

int64_t cg_truss_stamp_left(cg_parse *parse)
{
    const cg_truss *truss = parse->state;
    int64_t base_ns = parse->stamp_at == truss->before_base ? truss->last_base_ns : truss->base_ns;
    return base_ns + cg_truss_stamp_ns(parse->stamp_at);
}

cg_verdict cg_truss_counts(cg_parse *parse, const cg_line *line, callgauge_event *event)
{
    return read_line(parse, line, event, CG_WANT_COUNTS);
}

cg_verdict cg_truss_events(cg_parse *parse, const cg_line *line, callgauge_event *event)
{
    return read_line(parse, line, event, CG_WANT_SCALARS | CG_WANT_THREAD);
}

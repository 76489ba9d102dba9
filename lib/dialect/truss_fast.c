/* SPDX-License-Identifier: Apache-2.0 */
/* The common forms of calls, read from the end of the line: `name(args) = value` and `name(args) Err#N NAME`, with a name
 * that the strict form has met before.
 * Invariant: an event is given only where the strict form must give the same: the line has one mark, one ')'
 * before it, a result that reaches the end, and no sleeper that it could complete. All else is CG_LINE_HARD. */
#include "dialect/truss.h"

typedef struct fast_result {
    int64_t value;
    const callgauge_name *error; /* NULL: none */
    int64_t error_number;
} fast_result;

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

static inline void set_scalars(const cg_line *line, const cg_truss_leader *leader, const fast_result *result,
                               const cg_parse *parse, callgauge_event *event)
{
    const char *end = line->ptr + line->len;
    event->lexer = &cg_truss_lexer;
    cg_truss_thread_set(parse, leader, event);
    if (result->error != NULL) {
        event->error_number = result->error_number;
        event->has |= CALLGAUGE_HAS_ERRNO;
        event->result = cg_str_range(line->mark - 3, end);
    } else {
        event->result = cg_str_range(line->mark + 2, end);
    }
}

/* Reads a leader, and keeps its prefix of up to 16 characters with the TABs behind it. Apart from the loop that
 * nearly all lines take, so that this has the registers. */
static __attribute__((noinline)) void learn_leader(cg_truss *truss, const char *at, const char *end,
                                                   cg_truss_leader *leader)
{
    cg_truss_memo *memo = &truss->memo;
    cg_truss_leader_read(at, end, leader);
    const char *behind = leader->body;
    while (*behind == '\t') {
        behind++;
    }
    size_t len = (size_t)(behind - at);
    if (!leader->prefix || len > 16) {
        return;
    }
    memo->low_mask = len < 8 ? ((uint64_t)1 << 8 * len) - 1 : UINT64_MAX;
    memo->high_mask = len <= 8 ? 0 : UINT64_MAX >> (128 - 8 * len);
    memo->low = cg_load8(at) & memo->low_mask;
    memo->high = cg_load8(at + 8) & memo->high_mask;
    memo->len = (uint32_t)len;
    memo->who = leader->who;
    memo->pid = leader->pid;
    memo->lwp = leader->lwp;
}

/* A leader, whose prefix is most often that of the line before. */
static inline void read_leader(cg_truss *truss, const char *at, const char *end, cg_truss_leader *leader)
{
    const cg_truss_memo *memo = &truss->memo;
    uint64_t low = cg_load8(at) & memo->low_mask, high = cg_load8(at + 8) & memo->high_mask;
    if (memo->len == 0 || low != memo->low || high != memo->high || at[memo->len] == '\t') {
        learn_leader(truss, at, end, leader);
        return;
    }
    leader->who = memo->who;
    leader->pid = memo->pid;
    leader->lwp = memo->lwp;
    leader->prefix = true;
    leader->stamps = 0;
    cg_truss_stamps_read(at + memo->len, end, leader);
}

/* What a histogram needs of the columns: -E is always the last one, -d the first; when -d is wanted it is read later. */
static inline void set_duration(cg_parse *parse, const cg_truss_leader *leader, callgauge_event *event)
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
        event->duration_ns = cg_truss_stamp_ns(leader->stamp[leader->stamps - 1]);
        event->duration_kind = CALLGAUGE_TIME_CPU;
        event->has |= CALLGAUGE_HAS_DURATION;
    }
}

/* Whether this call may be the end of one that was seen asleep. */
static inline bool has_sleeper(cg_parse *parse, const cg_truss_leader *leader, const callgauge_call_name *name)
{
    const cg_truss *truss = parse->state;
    if (parse->open.count == 0) {
        return false;
    }
    if (truss->unlabelled == 0 && leader->lwp != 0) {
        return cg_open_find(&parse->open, cg_open_key(leader->pid, leader->lwp)) != NULL;
    }
    return cg_truss_sleeper(parse, leader->pid, leader->lwp, name) != NULL;
}

static inline cg_verdict read_line(cg_parse *parse, const cg_line *line, callgauge_event *event, uint32_t wants)
{
    cg_truss *truss = parse->state;
    const char *mark = line->mark, *end = line->ptr + line->len;
    cg_truss_leader leader;
    fast_result result = { 0 };
    if (mark == NULL || line->many || line->cut || line->too_long || truss->section != CG_TRUSS_NO_TABLE) {
        return CG_LINE_HARD;
    }
    read_leader(truss, line->ptr, end, &leader);
    const callgauge_call_name *name = met_name(parse, leader.rest, mark);
    if (name == NULL || (truss->forms & cg_truss_form(&leader)) == 0 || cg_truss_pid_lost(truss, &leader)) {
        return CG_LINE_HARD;
    }
    const char *args = leader.rest + name->text.len + 1, *gap_end = *mark == '=' ? mark : mark - 3;
    const char *close = only_close(args, gap_end);
    if (close == NULL || !read_result(parse, line, &result) || has_sleeper(parse, &leader, name)) {
        return CG_LINE_HARD;
    }
    if ((wants & CG_WANT_SCALARS) != 0) {
        cg_event_begin(event, CALLGAUGE_EVENT_CALL, line, cg_str(line->ptr, line->len));
        event->args = cg_str_range(args, close);
        set_scalars(line, &leader, &result, parse, event);
    } else {
        event->kind = CALLGAUGE_EVENT_CALL;
        event->has = 0;
        event->name = NULL;
        event->row = NULL;
    }
    event->call = name;
    event->error = result.error;
    event->value = result.value;
    event->flags = result.error != NULL && cg_str_is(result.error->text, "ERESTART") ? CALLGAUGE_CALL_RESTART : 0;
    event->has |= result.error == NULL ? CALLGAUGE_HAS_VALUE : 0;
    if ((wants & CG_WANT_SCALARS) != 0) {
        cg_truss_stamps_set(truss, &leader, event);
    } else {
        set_duration(parse, &leader, event);
    }
    if (cg_truss_tabs_lost(leader.rest, close, gap_end)) {
        cg_parse_repair(parse, CG_REPAIR_TABS, line->number);
    }
    if (name->moves != CALLGAUGE_MOVES_NOTHING) {
        cg_truss_expect_dump(truss, line->number, name, cg_str_range(args, close), result.error != NULL, result.value);
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

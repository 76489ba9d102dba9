/* SPDX-License-Identifier: Apache-2.0 */
/* The leader of a strace line: [pid] [secontext] [abs-time] [rel-time] [sysno] [ip], in this order, each
 * optional. Decided from the text alone: a bare number above the largest pid Linux knows is a time. */
#include "base/decimal.h"
#include "base/str.h"
#include "dialect/strace.h"

/* PID_MAX_LIMIT of Linux; seconds since 1970 are far above, and 9 digits at least. */
enum { PID_MAX = 4194304 };
static const int64_t FIRST_EPOCH_NS = 100000000 * INT64_C(1000000000);

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && *at == ' ') {
        at++;
    }
    return at;
}

/* "<comm>": escaped like a path, so that its end is the first '>' of depth 0 (`<we\74i\76rd>`). */
static bool read_comm(const char **at, const char *end, callgauge_str *comm)
{
    const char *p = *at;
    int depth = 0;
    for (; p < end; p++) {
        depth += *p == '<';
        if (*p == '>' && --depth == 0) {
            *comm = cg_str_range(*at + 1, p);
            *at = p + 1;
            return true;
        }
    }
    return false;
}

static bool read_pid_number(const char **at, const char *end, cg_strace_leader *leader)
{
    const char *p = *at;
    uint64_t pid;
    if (!cg_read_u64(&p, end, &pid) || pid == 0 || pid > PID_MAX) {
        return false;
    }
    leader->pid = (int64_t)pid;
    if (p < end && *p == '<' && !read_comm(&p, end, &leader->comm)) {
        return false;
    }
    *at = p;
    return true;
}

/* "[pid  1234] ", "[pid 1234<sh>] ", "1234  ", "1234<sh> ". */
static bool read_pid(const char **at, const char *end, cg_strace_leader *leader)
{
    cg_strace_leader found = *leader;
    const char *p = *at;
    bool bracket = end - p > 6 && memcmp(p, "[pid ", 5) == 0;
    p = bracket ? skip_blanks(p + 5, end) : p;
    if (!read_pid_number(&p, end, &found)) {
        return false;
    }
    if (bracket && (p >= end || *p++ != ']')) {
        return false;
    }
    if (p >= end || *p != ' ') {
        return false;
    }
    *leader = found;
    *at = skip_blanks(p, end);
    /* what follows may be a relative time with blanks of its own: they do no harm to it */
    return true;
}

/* "HH:MM:SS" with or without a fraction. */
static bool read_time_of_day(const char **at, const char *end, int64_t *ns)
{
    const char *p = *at;
    if (end - p < 8 || p[2] != ':' || p[5] != ':') {
        return false;
    }
    for (int i = 0; i < 8; i++) {
        if (i % 3 != 2 && !cg_is_digit(p[i])) {
            return false;
        }
    }
    int64_t hours = (p[0] - '0') * 10 + (p[1] - '0'), minutes = (p[3] - '0') * 10 + (p[4] - '0');
    p += 6;
    int64_t seconds;
    if (end - p > 2 && cg_is_digit(p[2])) {
        return false;
    }
    if (!cg_read_seconds(&p, end, &seconds, NULL)) {
        return false;
    }
    *ns = (hours * 3600 + minutes * 60) * 1000000000 + seconds;
    *at = p;
    return true;
}

/* "1796060731.102865", "1796060736". */
static bool read_epoch(const char **at, const char *end, int64_t *ns)
{
    const char *p = *at;
    if (!cg_read_seconds(&p, end, ns, NULL) || *ns < FIRST_EPOCH_NS) {
        return false;
    }
    *at = p;
    return true;
}

static bool read_absolute(const char **at, const char *end, cg_strace_leader *leader)
{
    const char *p = *at;
    int64_t ns;
    callgauge_clock clock = CALLGAUGE_CLOCK_MIDNIGHT;
    if (!read_time_of_day(&p, end, &ns)) {
        clock = CALLGAUGE_CLOCK_EPOCH;
        if (!read_epoch(&p, end, &ns)) {
            return false;
        }
    }
    if (p >= end || *p != ' ') {
        return false;
    }
    leader->abs_ns = ns;
    leader->clock = clock;
    *at = p + 1;
    return true;
}

/* "     0.002040 ", "     0 " or, behind an absolute time, "(+     0.001307) ". Seconds are padded to 6, so that a
 * program's "0.595 " is none; strace's default of 6 digits is taken unpadded too (collapsed blanks). */
static bool read_relative(const char **at, const char *end, bool padded, cg_strace_leader *leader)
{
    const char *p = *at;
    bool bracket = end - p > 4 && p[0] == '(' && p[1] == '+';
    const char *from = bracket ? p + 2 : p;
    const char *digits = skip_blanks(from, end);
    p = digits;
    enum { WIDTH = 6 };
    int decimals;
    int64_t ns;
    if (!cg_read_seconds(&p, end, &ns, &decimals)) {
        return false;
    }
    bool wide = padded || decimals == 6 || decimals == 9 || (digits > from && (decimals > 0 || p - from == WIDTH));
    if (!bracket && !wide) {
        return false;
    }
    if (bracket && (p >= end || *p++ != ')')) {
        return false;
    }
    if (p >= end || *p != ' ') {
        return false;
    }
    leader->rel_ns = ns;
    *at = p + 1;
    return true;
}

/* "[  59] " (-n), "[00007efdfe984ca3] ", "[????????????????] " (-i), "[unconfined_t] " (--secontext). */
static bool read_bracket(const char **at, const char *end, bool context)
{
    const char *p = *at;
    if (p >= end || *p != '[') {
        return false;
    }
    const char *close = memchr(p, ']', (size_t)(end - p));
    if (close == NULL || close + 1 >= end || close[1] != ' ') {
        return false;
    }
    bool numbers = true, words = true, letters = false;
    for (const char *c = p + 1; c < close; c++) {
        numbers = numbers && (cg_is_hex(*c) || *c == ' ' || *c == '?');
        letters = letters || cg_is_lower(*c);
        words = words && (cg_is_word(*c) || *c == ':' || *c == '.' || *c == '-' || *c == ',' || *c == '!');
    }
    if (close == p + 1 || (context ? !words || !letters || numbers : !numbers)) {
        return false;
    }
    *at = close + 2;
    return true;
}

void cg_strace_leader_read(callgauge_str text, cg_strace_leader *leader)
{
    const char *at = text.ptr, *end = text.ptr + text.len;
    *leader = (cg_strace_leader){ .abs_ns = INT64_MIN, .rel_ns = INT64_MIN };
    bool pid = read_pid(&at, end, leader);
    while (read_bracket(&at, end, true)) {
        leader->any = true;
    }
    bool absolute = read_absolute(&at, end, leader);
    bool padded = pid && !absolute && at[-1] == ' ' && at - text.ptr >= 2 && at[-2] == ' ';
    bool relative = read_relative(&at, end, padded, leader);
    while (read_bracket(&at, end, false)) {
        leader->any = true;
    }
    leader->any = leader->any || pid || absolute || relative;
    leader->rest = at;
}

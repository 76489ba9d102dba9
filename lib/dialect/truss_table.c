/* SPDX-License-Identifier: Apache-2.0 */
/* From a -c report of any release to rows and totals: faults, signals, user functions, system calls. Rows
 * are read by their tokens (name, seconds with 2 or 3 decimals, calls, errors or none), so that collapsed
 * blanks and joined lines do no harm; times are CPU time in the kernel.
 * Invariant: nothing is a row without its heading, and a report ends at `elapsed:` or at an event. */
#include "dialect/truss.h"

#include "base/decimal.h"

enum { CUT_OLD = 12, CUT_NEW = 19 /* characters of a name that a table shows */ };

static void skip_blanks(const char **at, const char *end)
{
    *at = cg_truss_blanks(*at, end);
}

static callgauge_str word(const char **at, const char *end)
{
    const char *from = cg_truss_blanks(*at, end), *p = from;
    while (p < end && !cg_is_blank(*p)) {
        p++;
    }
    *at = p;
    return cg_str_range(from, p);
}

/* Moves behind `words`, which stand with any blanks between them. */
static bool take_words(const char **at, const char *end, const char *const *words, size_t count)
{
    const char *p = *at;
    for (size_t i = 0; i < count; i++) {
        if (!cg_str_is(word(&p, end), words[i])) {
            return false;
        }
    }
    *at = p;
    return true;
}

static bool is_ruler(callgauge_str text)
{
    enum { SHORTEST = 3 };
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] != '-') {
            return false;
        }
    }
    return text.len >= SHORTEST;
}

static bool take_ruler(const char **at, const char *end)
{
    const char *p = *at;
    int count = 0;
    for (;;) {
        const char *next = p;
        if (!is_ruler(word(&next, end))) {
            break;
        }
        p = next;
        count++;
    }
    if (count >= 2) {
        *at = p;
    }
    return count >= 2;
}

/* FreeBSD's heading has the same words, 21 blanks apart. */
static bool is_our_gap(const char *at, const char *end)
{
    ptrdiff_t blanks = cg_truss_blanks(at, end) - at;
    return blanks == 1 || blanks == 6 || blanks == 14 || blanks == 15 || *at == '\t';
}

static bool take_heading(const char **at, const char *end, cg_truss_section *section)
{
    static const char *const calls[] = { "syscall", "seconds", "calls", "errors" };
    static const char *const functions[] = { "Library:", "Function", "calls" };
    const char *p = *at;
    callgauge_str first = word(&p, end);
    if (cg_str_is(first, "syscall") && is_our_gap(p, end) && take_words(at, end, calls, 4)) {
        *section = CG_TRUSS_CALLS;
        return true;
    }
    if (take_words(at, end, functions, 3)) {
        *section = CG_TRUSS_FUNCTIONS;
        return true;
    }
    bool faults = cg_str_is(first, "faults");
    if ((!faults && !cg_str_is(first, "signals")) || !is_ruler(word(&p, end))) {
        return false;
    }
    *section = faults ? CG_TRUSS_FAULTS : CG_TRUSS_SIGNALS;
    *at = p;
    return true;
}

/* A whole number that is a token of its own and can be summed. */
static bool take_count(const char **at, const char *end, uint64_t *count)
{
    const char *p = cg_truss_blanks(*at, end);
    if (!cg_read_u64(&p, end, count) || *count > INT64_MAX || (p < end && !cg_is_blank(*p))) {
        return false;
    }
    *at = p;
    return true;
}

static bool take_seconds(const char **at, const char *end, int64_t *ns, int *decimals)
{
    const char *p = cg_truss_blanks(*at, end);
    if (!cg_read_seconds(&p, end, ns, decimals) || (*decimals != 2 && *decimals != 3) ||
        (p < end && !cg_is_blank(*p))) {
        return false;
    }
    *at = p;
    return true;
}

static bool is_call_name(callgauge_str name)
{
    for (size_t i = 0; i < name.len; i++) {
        if (!cg_is_word(name.ptr[i]) && name.ptr[i] != '#') {
            return false;
        }
    }
    return name.len > 0 && !cg_is_digit(name.ptr[0]);
}

static bool take_call_row(const char **at, const char *end, callgauge_str *name, callgauge_count_row *row,
                          int *decimals)
{
    const char *p = *at;
    *name = word(&p, end);
    if (!is_call_name(*name) || !take_seconds(&p, end, &row->cpu_ns, decimals) || !take_count(&p, end, &row->calls)) {
        return false;
    }
    row->errors = 0;
    (void)take_count(&p, end, &row->errors);
    row->has = CALLGAUGE_ROW_CPU | CALLGAUGE_ROW_CALLS | CALLGAUGE_ROW_ERRORS;
    *at = p;
    return true;
}

static bool take_totals(const char **at, const char *end, callgauge_count_row *row)
{
    static const char *const system[] = { "sys", "totals:" }, *const user[] = { "usr", "time:" };
    static const char *const elapsed[] = { "elapsed:" };
    const char *p = *at;
    int decimals;
    if (take_words(&p, end, system, 2)) {
        if (!take_seconds(&p, end, &row->cpu_ns, &decimals) || !take_count(&p, end, &row->calls) ||
            !take_count(&p, end, &row->errors)) {
            return false;
        }
        row->has = CALLGAUGE_ROW_CPU | CALLGAUGE_ROW_CALLS | CALLGAUGE_ROW_ERRORS;
    } else if (take_words(&p, end, user, 2)) {
        row->has = CALLGAUGE_ROW_USER;
        if (!take_seconds(&p, end, &row->user_ns, &decimals)) {
            return false;
        }
    } else {
        row->has = CALLGAUGE_ROW_ELAPSED;
        if (!take_words(&p, end, elapsed, 1) || !take_seconds(&p, end, &row->elapsed_ns, &decimals)) {
            return false;
        }
    }
    *at = p;
    return true;
}

/* `SIGALRM  12`, `FLTPAGE  2`. */
static bool take_plain_row(const char **at, const char *end, const char *head, callgauge_str *name, uint64_t *count)
{
    const char *p = *at;
    *name = word(&p, end);
    if (!cg_str_starts(*name, head) || !take_count(&p, end, count)) {
        return false;
    }
    *at = p;
    return true;
}

/* `libc:    malloc    52`, `         main    1`: the library with its colon, then the function. */
static bool take_function_row(const char **at, const char *end, callgauge_str *library, callgauge_str *function,
                              uint64_t *count)
{
    callgauge_str text = cg_str_trim(cg_str_range(*at, end));
    const char *digits = text.ptr + text.len, *p = text.ptr;
    while (digits > text.ptr && cg_is_digit(digits[-1])) {
        digits--;
    }
    const char *behind = digits;
    if (digits == text.ptr || !cg_is_blank(digits[-1]) || !cg_read_u64(&behind, text.ptr + text.len, count)) {
        return false;
    }
    *library = word(&p, digits);
    if (!cg_str_ends(*library, ":")) {
        *library = cg_str("", 0);
        p = text.ptr;
    }
    *function = cg_str_trim(cg_str_range(p, digits));
    *at = end;
    return function->len > 0;
}

/* Whether nothing, or a further part of a table, stands here. */
static bool goes_on(const char *at, const char *end)
{
    cg_truss_section section;
    callgauge_count_row row;
    callgauge_str name;
    int decimals;
    skip_blanks(&at, end);
    return at == end || take_ruler(&at, end) || take_heading(&at, end, &section) || take_totals(&at, end, &row) ||
           take_call_row(&at, end, &name, &row, &decimals);
}

bool cg_truss_is_table_line(callgauge_str text)
{
    const char *at = text.ptr, *end = text.ptr + text.len;
    cg_truss_section section;
    callgauge_count_row row;
    callgauge_str first = word(&at, end);
    bool totals = cg_str_is(first, "sys") || cg_str_is(first, "usr") || cg_str_is(first, "elapsed:");
    at = text.ptr;
    return (totals && take_totals(&at, end, &row)) || take_heading(&at, end, &section);
}

/* The names that tables cut. */
static const char *const long_names[] = {
    "clock_gettime",      "clock_settime",        "gettimeofday",         "getsockname",         "lwp_cond_broadcast",
    "lwp_cond_signal",    "lwp_cond_wait",        "lwp_getprivate",       "lwp_mutex_init",      "lwp_mutex_lock",
    "lwp_mutex_register", "lwp_mutex_timedlock",  "lwp_mutex_trylock",    "lwp_mutex_unlock",    "lwp_mutex_wakeup",
    "lwp_rwlock_rdlock",  "lwp_rwlock_tryrdlock", "lwp_rwlock_trywrlock", "lwp_rwlock_unlock",   "lwp_rwlock_wrlock",
    "lwp_sema_post",      "lwp_sema_timedwait",   "lwp_sema_trywait",     "lwp_sema_wait",       "lwp_setprivate",
    "lwp_sigredirect",    "lwp_unpark_all",       "lwp_unpark_cancel",    "processor_bind",      "processor_info",
    "signotifywait",      "so_socketpair",        "sparc_fixalign",       "sparc_utrap_install", "timer_getoverrun",
    "timer_gettime",      "timer_settime",        "zone_remove_datalink",
};

/* A name that is as long as the column, and the beginning of exactly one other, is that one. */
static callgauge_str whole_name(callgauge_str name, int decimals)
{
    const char *hit = NULL;
    if (name.len != (decimals == 2 ? CUT_OLD : CUT_NEW) && name.len != CUT_NEW) {
        return name;
    }
    if (cg_truss_is_known(name)) {
        return name;
    }
    for (size_t i = 0; i < sizeof long_names / sizeof *long_names; i++) {
        if (strncmp(long_names[i], name.ptr, name.len) == 0) {
            if (hit != NULL) {
                return name;
            }
            hit = long_names[i];
        }
    }
    return hit == NULL ? name : cg_str_z(hit);
}

/* `*at` is behind what was read: the rest of a joined line is the next part. */
static cg_verdict taken(cg_parse *parse, const char *at, callgauge_event *event, cg_verdict verdict)
{
    const char *end = event->text.ptr + event->text.len;
    if (cg_truss_blanks(at, end) < end) {
        parse->used -= (size_t)(end - at);
        event->text.len -= (size_t)(end - at);
        cg_parse_repair(parse, CG_REPAIR_JOINED, event->line);
    }
    return verdict;
}

static cg_verdict begin_section(cg_parse *parse, cg_truss *truss, cg_truss_section section)
{
    if (truss->section == CG_TRUSS_NO_TABLE || section <= truss->section) {
        parse->tables++;
        truss->decimals = 0;
    }
    truss->section = section;
    parse->capture->has_table = true;
    return CG_LINE_TABLE;
}

static cg_verdict row_event(cg_parse *parse, callgauge_event *event, callgauge_event_kind kind)
{
    parse->row.table = parse->tables - 1;
    event->kind = kind;
    event->row = &parse->row;
    return CG_LINE_ROW;
}

static cg_verdict plain_row(cg_parse *parse, callgauge_row_of of, callgauge_str name, callgauge_event *event)
{
    event->name = cg_parse_name(parse, name);
    if (event->name == NULL) {
        return CG_LINE_NOMEM;
    }
    parse->row.of = of;
    parse->row.has = CALLGAUGE_ROW_CALLS;
    parse->row.name.text = event->name->text;
    return row_event(parse, event, CALLGAUGE_EVENT_COUNT_ROW);
}

static cg_verdict read_function(cg_parse *parse, callgauge_event *event)
{
    const char *at = event->text.ptr;
    callgauge_str library, function;
    if (!take_function_row(&at, at + event->text.len, &library, &function, &parse->row.calls)) {
        return CG_LINE_HARD;
    }
    parse->text.len = 0;
    if (!cg_buf_add_str(&parse->text, library) || !cg_buf_add_str(&parse->text, function)) {
        return CG_LINE_NOMEM;
    }
    return plain_row(parse, CALLGAUGE_ROW_OF_FUNCTION, cg_buf_str(&parse->text), event);
}

/* Sections above the calls. */
static cg_verdict read_plain(cg_parse *parse, const cg_truss *truss, callgauge_event *event)
{
    static const char *const total[] = { "total:" };
    const char *at = event->text.ptr, *end = at + event->text.len, *p = at;
    callgauge_str name;
    uint64_t count;
    parse->row = (callgauge_count_row){ 0 };
    if (truss->section == CG_TRUSS_FUNCTIONS) {
        return read_function(parse, event);
    }
    if (take_words(&p, end, total, 1) && take_count(&p, end, &count)) {
        return taken(parse, p, event, CG_LINE_TABLE);
    }
    bool faults = truss->section == CG_TRUSS_FAULTS;
    if (!take_plain_row(&at, end, faults ? "FLT" : "SIG", &name, &parse->row.calls)) {
        return CG_LINE_HARD;
    }
    return taken(parse, at, event,
                 plain_row(parse, faults ? CALLGAUGE_ROW_OF_FAULT : CALLGAUGE_ROW_OF_SIGNAL, name, event));
}

/* A known name and at most part of the numbers: the report was cut there. */
static bool is_cut_row(const char *at, const char *end)
{
    callgauge_str name = word(&at, end);
    skip_blanks(&at, end);
    for (; at < end && (cg_is_digit(*at) || cg_is_blank(*at) || *at == '.'); at++) {
    }
    return name.len > 0 && at == end && cg_truss_is_known(name);
}

static cg_verdict read_call_row(cg_parse *parse, cg_truss *truss, callgauge_event *event)
{
    const char *at = event->text.ptr, *end = at + event->text.len;
    callgauge_str name;
    int decimals;
    if (!take_call_row(&at, end, &name, &parse->row, &decimals) || !goes_on(at, end) ||
        (truss->decimals != 0 && decimals != truss->decimals)) {
        if (!is_cut_row(event->text.ptr, end)) {
            return CG_LINE_HARD;
        }
        parse->reason = "a row of a -c report that is cut";
        return CG_LINE_UNREAD;
    }
    truss->decimals = decimals;
    parse->row.of = CALLGAUGE_ROW_OF_CALL;
    event->call = cg_parse_call(parse, whole_name(name, decimals));
    if (event->call == NULL) {
        return CG_LINE_NOMEM;
    }
    return taken(parse, at, event, row_event(parse, event, CALLGAUGE_EVENT_COUNT_ROW));
}

static cg_verdict read_calls(cg_parse *parse, cg_truss *truss, callgauge_event *event)
{
    const char *at = event->text.ptr, *end = at + event->text.len;
    parse->row = (callgauge_count_row){ 0 };
    if (take_ruler(&at, end)) {
        return taken(parse, at, event, CG_LINE_TABLE);
    }
    if (take_totals(&at, end, &parse->row)) {
        truss->section = parse->row.has == CALLGAUGE_ROW_ELAPSED ? CG_TRUSS_NO_TABLE : CG_TRUSS_TOTALS;
        return taken(parse, at, event, row_event(parse, event, CALLGAUGE_EVENT_TOTALS));
    }
    parse->row = (callgauge_count_row){ 0 };
    return truss->section == CG_TRUSS_CALLS ? read_call_row(parse, truss, event) : CG_LINE_HARD;
}

/* A row that ends the capture without a newline ends in a count that may have had more digits: it is unread. Totals of
 * time have all their decimals or are none. */
cg_verdict cg_truss_table_read(cg_parse *parse, const cg_line *line, callgauge_event *event)
{
    cg_truss *truss = parse->state;
    const char *at = event->text.ptr, *end = at + event->text.len;
    cg_truss_section section;
    if (take_heading(&at, end, &section)) {
        return taken(parse, at, event, begin_section(parse, truss, section));
    }
    if (truss->section == CG_TRUSS_NO_TABLE) {
        return CG_LINE_HARD;
    }
    if (cg_str_trim(event->text).len == 0) {
        return CG_LINE_TABLE;
    }
    cg_verdict verdict = truss->section < CG_TRUSS_CALLS ? read_plain(parse, truss, event)
                                                         : read_calls(parse, truss, event);
    bool may_lack_digits = verdict == CG_LINE_ROW && (parse->row.has & CALLGAUGE_ROW_CALLS) != 0 &&
                           event->text.ptr + event->text.len == end;
    if (line->cut && (verdict == CG_LINE_UNREAD || may_lack_digits)) {
        parse->reason = "the capture ends in a row of a -c report";
        return CG_LINE_UNREAD;
    }
    return verdict;
}

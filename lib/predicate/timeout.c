/* SPDX-License-Identifier: Apache-2.0 */
/* How long a call was ready to wait, by its name: a number of milliseconds, or a structure of seconds and a part of
 * them, as strace prints it ({tv_sec=1, tv_nsec=0}, {1, 0}). truss shows the structure's address only: unknown. */
#include "base/decimal.h"
#include "base/str.h"
#include "event/event.h"
#include "predicate/fields.h"

enum form { MILLISECONDS, TIMESPEC, TIMEVAL, SECONDS };

static const struct waiter {
    const char *name;
    uint8_t arg, form;
} waiters[] = {
    { "_newselect", 4, TIMEVAL },
    { "_nsleep", 0, TIMESPEC },
    { "_poll", 2, MILLISECONDS },
    { "_select", 4, TIMEVAL },
    { "alarm", 0, SECONDS },
    { "clock_nanosleep", 2, TIMESPEC },
    { "clock_nanosleep_time64", 2, TIMESPEC },
    { "epoll_pwait", 3, MILLISECONDS },
    { "epoll_pwait2", 3, TIMESPEC },
    { "epoll_wait", 3, MILLISECONDS },
    { "futex", 3, TIMESPEC },
    { "futex_time64", 3, TIMESPEC },
    { "io_getevents", 4, TIMESPEC },
    { "io_pgetevents", 4, TIMESPEC },
    { "kevent", 5, TIMESPEC },
    { "nanosleep", 0, TIMESPEC },
    { "nsleep", 0, TIMESPEC },
    { "poll", 2, MILLISECONDS },
    { "pollsys", 2, TIMESPEC },
    { "port_get", 2, TIMESPEC },
    { "port_getn", 4, TIMESPEC },
    { "ppoll", 2, TIMESPEC },
    { "ppoll_time64", 2, TIMESPEC },
    { "pselect", 4, TIMESPEC },
    { "pselect6", 4, TIMESPEC },
    { "pselect6_time64", 4, TIMESPEC },
    { "rt_sigtimedwait", 2, TIMESPEC },
    { "rt_sigtimedwait_time64", 2, TIMESPEC },
    { "select", 4, TIMEVAL },
    { "sigtimedwait", 2, TIMESPEC },
};

static const struct waiter *waiter_of(const callgauge_call_name *call)
{
    for (size_t i = 0; call != NULL && i < sizeof waiters / sizeof *waiters; i++) {
        if (cg_str_is(call->text, waiters[i].name)) {
            return &waiters[i];
        }
    }
    return NULL;
}

/* The next number of a structure, its member's name passed over. */
static bool next_member(const char **at, const char *end, int64_t *out)
{
    while (*at < end && !cg_is_digit(**at) && **at != '-') {
        char c = *(*at)++;
        if (cg_is_word(c)) { /* digits of a name are not the number */
            while (*at < end && cg_is_word(**at)) {
                ++*at;
            }
        }
    }
    return cg_read_i64(at, end, out);
}

static bool read_structure(callgauge_str text, int64_t part_ns, int64_t *ns)
{
    const char *at = text.ptr;
    const char *end = text.ptr + text.len;
    int64_t seconds, part;
    if (text.len == 0 || *at != '{' || !next_member(&at, end, &seconds) || !next_member(&at, end, &part)) {
        return false;
    }
    return !__builtin_mul_overflow(seconds, (int64_t)1000000000, ns) && !__builtin_mul_overflow(part, part_ns, &part) &&
           !__builtin_add_overflow(*ns, part, ns);
}

/* A null pointer, however it is printed. */
static bool is_null(const callgauge_event *event, size_t index, callgauge_str text)
{
    int64_t number;
    return cg_str_is(text, "NULL") || (callgauge_event_arg_number(event, index, &number) && number == 0);
}

static void read_scaled(const callgauge_event *event, size_t index, int64_t scale, cg_value *out)
{
    int64_t number;
    if (!callgauge_event_arg_number(event, index, &number)) {
        out->known = CG_UNKNOWN_VALUE;
    } else if (number >= 0 && (int32_t)number >= 0) { /* -1, also printed unsigned: for ever */
        cg_value_set_number(out, number > INT64_MAX / scale ? INT64_MAX : number * scale);
    }
}

void cg_read_timeout(const callgauge_event *event, cg_value *out)
{
    const struct waiter *waiter = waiter_of(event->call);
    callgauge_str text;
    if (waiter == NULL) {
        return;
    }
    if ((event->flags & CALLGAUGE_CALL_ORPHAN) != 0 || !callgauge_event_arg(event, waiter->arg, &text)) {
        /* FUTEX_WAKE has no timeout; a line that was cut does not tell it */
        out->known = waiter->form != TIMESPEC || waiter->arg != 3 ? CG_UNKNOWN_VALUE : CG_ABSENT;
        return;
    }
    if (waiter->form == MILLISECONDS || waiter->form == SECONDS) {
        read_scaled(event, waiter->arg, waiter->form == SECONDS ? 1000000000 : 1000000, out);
        return;
    }
    int64_t ns;
    if (read_structure(text, waiter->form == TIMEVAL ? 1000 : 1, &ns)) {
        cg_value_set_number(out, ns);
    } else if (!is_null(event, waiter->arg, text)) {
        out->known = CG_UNKNOWN_VALUE;
    }
}

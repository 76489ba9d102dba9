/* SPDX-License-Identifier: Apache-2.0 */
/* From a call's class, name and arguments, and the kind of its descriptor, to whether it waits. */
#include "stage/waits.h"

#include "base/str.h"
#include "event/annotation.h"
#include "event/event.h"

#define NAME(text) \
    { \
        (text), sizeof(text) - 1 \
    }

/* Of classes whose other calls do not wait. */
static const callgauge_str waiting_names[] = {
    NAME("door_call"),  NAME("getmsg"),
    NAME("getpmsg"),    NAME("mq_timedreceive"),
    NAME("msgrcv"),     NAME("mq_timedreceive_time64"),
    NAME("semop"),      NAME("restart_syscall"),
    NAME("semtimedop"), NAME("semtimedop_time64"),
};

/* Of the class of thread locks, beside those that an argument decides. */
static const callgauge_str lock_names[] = {
    NAME("_event_wait"),       NAME("futex_wait"),          NAME("futex_waitv"),   NAME("lwp_cond_wait"),
    NAME("lwp_mutex_lock"),    NAME("lwp_mutex_timedlock"), NAME("lwp_park"),      NAME("lwp_rwlock_rdlock"),
    NAME("lwp_rwlock_wrlock"), NAME("lwp_sema_timedwait"),  NAME("lwp_sema_wait"), NAME("lwp_wait"),
    NAME("thr_suspend"),       NAME("thread_tsleep"),       NAME("thread_wait"),   NAME("thread_waitlock_"),
};

static bool is_one_of(callgauge_str name, const callgauge_str *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (cg_str_eq(name, names[i])) {
            return true;
        }
    }
    return false;
}

/* The operation, the first of the names that an argument is made of; len 0: none. */
static callgauge_str operation(const callgauge_event *event, size_t arg)
{
    callgauge_str name = { NULL, 0 };
    return callgauge_event_arg_flag(event, arg, 0, &name) ? name : (callgauge_str){ NULL, 0 };
}

/* FreeBSD: locks, waits for a value, a semaphore, a condition. */
static bool umtx_waits(callgauge_str op)
{
    bool gives = cg_str_find(op, "UNLOCK") < op.len || cg_str_find(op, "TRYLOCK") < op.len;
    return !gives && (cg_str_find(op, "WAIT") < op.len || cg_str_ends(op, "LOCK"));
}

/* Whether a word is anywhere in the arguments: most calls are decided by that, without splitting them. */
static bool mentions(const callgauge_event *event, const char *word)
{
    return cg_str_find(event->args, word) < event->args.len;
}

static bool has_char(const callgauge_event *event, char c)
{
    return event->args.len > 0 && memchr(event->args.ptr, c, event->args.len) != NULL;
}

/* The arguments of a futex hold no text but the names of its operation. */
static bool lock_waits(const callgauge_event *event)
{
    callgauge_str name = event->call->text;
    if (cg_str_is(name, "futex") || cg_str_is(name, "futex_time64")) {
        return mentions(event, "FUTEX_WAIT") || mentions(event, "FUTEX_LOCK_PI");
    }
    if (cg_str_is(name, "_umtx_op")) {
        return umtx_waits(operation(event, 1));
    }
    return is_one_of(name, lock_names, sizeof lock_names / sizeof *lock_names);
}

static bool has_flag(const callgauge_event *event, size_t arg, const char *flag)
{
    callgauge_str name;
    for (size_t i = 0; callgauge_event_arg_flag(event, arg, i, &name); i++) {
        if (cg_str_is(name, flag)) {
            return true;
        }
    }
    return false;
}

static bool file_lock_waits(const callgauge_event *event)
{
    if (event->call->does == CG_DOES_FCNTL) {
        if (!has_char(event, 'W') || (!mentions(event, "LKW") && !mentions(event, "LOCKW"))) {
            return false;
        }
        callgauge_str op = operation(event, 1);
        return cg_str_starts(op, "F_SETLKW") || cg_str_is(op, "F_OFD_SETLKW") || cg_str_is(op, "F_FLOCKW");
    }
    if (!cg_str_is(event->call->text, "flock")) {
        return false;
    }
    return !(mentions(event, "LOCK_NB") && has_flag(event, 1, "LOCK_NB")) &&
           !(mentions(event, "LOCK_UN") && has_flag(event, 1, "LOCK_UN"));
}

/* Which argument of a class `wait` call says for how long; -1: none that is looked at. */
static int timeout_arg(const callgauge_call_name *call)
{
    if (call->does == CG_DOES_SELECT) {
        return 4;
    }
    if (cg_str_starts(call->text, "epoll_")) {
        return 3;
    }
    return call->does == CG_DOES_POLL || cg_str_is(call->text, "rt_sigtimedwait") ? 2 : -1;
}

/* Whether the last argument, and so the timeout of most of these calls, is seen at a glance to be some time. */
static bool ends_with_time(const callgauge_event *event)
{
    bool is_last = cg_str_is(event->call->text, "epoll_wait") || cg_str_is(event->call->text, "poll");
    char last = event->args.len > 0 ? event->args.ptr[event->args.len - 1] : '0';
    return is_last && last >= '1' && last <= '9';
}

/* Whether it only asks: `0`, `{tv_sec=0, tv_nsec=0}`. A pointer that is 0 is no timeout at all. */
static bool only_asks(const callgauge_event *event)
{
    int arg = timeout_arg(event->call);
    callgauge_str text;
    if (arg < 0 || ends_with_time(event) ||
        (!mentions(event, ", 0") && !mentions(event, "=0}") && !mentions(event, "{0")) ||
        !callgauge_event_arg(event, (size_t)arg, &text)) {
        return false;
    }
    bool zero = cg_str_starts(text, "{");
    for (size_t i = 0; zero && i < text.len; i++) {
        zero = text.ptr[i] < '1' || text.ptr[i] > '9';
    }
    return zero || cg_str_is(text, "0");
}

static bool child_wait_waits(const callgauge_event *event)
{
    return !mentions(event, "WNOHANG") || (!has_flag(event, 2, "WNOHANG") && !has_flag(event, 3, "WNOHANG"));
}

static bool is_receive(const callgauge_event *event)
{
    callgauge_str name = event->call->text;
    return cg_str_starts(name, "r") ? cg_str_starts(name, "recv") : cg_str_find(name, "recv") < name.len;
}

/* Of a socket, or of what is not known. */
__attribute__((noinline)) static bool socket_read_waits(const callgauge_event *event, callgauge_file_kind kind)
{
    if (!is_receive(event)) {
        return kind == CALLGAUGE_FILE_SOCKET;
    }
    return !mentions(event, "_DONTWAIT") ||
           (!has_flag(event, 2, "MSG_DONTWAIT") && !has_flag(event, 3, "MSG_DONTWAIT"));
}

static inline bool read_waits(const callgauge_event *event)
{
    const cg_annotation *known = event->annotation;
    callgauge_file_kind kind = known == NULL || known->fd.file == NULL ? CALLGAUGE_FILE_UNKNOWN : known->fd.file->kind;
    switch (kind) {
    case CALLGAUGE_FILE_FILE:
    case CALLGAUGE_FILE_DIR:
    case CALLGAUGE_FILE_DEVICE: return false;
    case CALLGAUGE_FILE_PIPE:
    case CALLGAUGE_FILE_TTY:
    case CALLGAUGE_FILE_ANON: return true;
    case CALLGAUGE_FILE_SOCKET:
    case CALLGAUGE_FILE_UNKNOWN: break;
    }
    return socket_read_waits(event, kind);
}

__attribute__((noinline)) static bool other_waits(const callgauge_event *event)
{
    switch (event->call->call_class) {
    case CALLGAUGE_CLASS_SLEEP:
    case CALLGAUGE_CLASS_ACCEPT:
    case CALLGAUGE_CLASS_CONNECT: return true;
    case CALLGAUGE_CLASS_WAIT: return !only_asks(event);
    case CALLGAUGE_CLASS_WAITCHILD: return child_wait_waits(event);
    case CALLGAUGE_CLASS_FUTEX: return lock_waits(event);
    case CALLGAUGE_CLASS_FDCTL: return file_lock_waits(event);
    case CALLGAUGE_CLASS_OTHER:
    case CALLGAUGE_CLASS_SIGNAL:
        return is_one_of(event->call->text, waiting_names, sizeof waiting_names / sizeof *waiting_names);
    default: return false;
    }
}

bool cg_waits_by_text(const callgauge_event *event)
{
    return event->call->call_class == CALLGAUGE_CLASS_READ ? read_waits(event) : other_waits(event);
}

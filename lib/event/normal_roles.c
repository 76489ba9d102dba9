/* SPDX-License-Identifier: Apache-2.0 */
/* What the numbers of a call are: the class table knows most descriptors; here is the rest, and who takes and gives
 * process ids. */
#include "event/normal_inside.h"

/* Bit i: argument i. */
typedef struct roles {
    const char *name;
    uint8_t fds, pids;
    bool gives_pid, gives_chance;
} roles;

enum { A0 = 1, A1 = 2, A2 = 4, A3 = 8 };

static const roles more[] = {
    { "_getpid", 0, 0, true, false },
    { "_getppid", 0, 0, true, false },
    { "epoll_ctl", A2, 0, false, false },
    { "get_robust_list", 0, A0, false, false },
    { "getpgid", 0, A0, true, false },
    { "getpgrp", 0, 0, true, false },
    { "getpid", 0, 0, true, false },
    { "getppid", 0, 0, true, false },
    { "getpriority", 0, A1, false, false },
    { "getsid", 0, A0, true, false },
    { "gettid", 0, 0, true, false },
    { "getxpid", 0, 0, true, false },
    { "ioprio_get", 0, A1, false, false },
    { "ioprio_set", 0, A1, false, false },
    { "kcmp", 0, A0 | A1, false, false },
    { "kill", 0, A0, false, false },
    { "migrate_pages", 0, A0, false, false },
    { "move_pages", 0, A0, false, false },
    { "pidfd_open", 0, A0, false, false },
    { "prlimit64", 0, A0, false, false },
    { "process_vm_readv", 0, A0, false, false },
    { "process_vm_writev", 0, A0, false, false },
    { "ptrace", 0, A1, false, false },
    { "rt_sigqueueinfo", 0, A0, false, false },
    { "rt_sigreturn", 0, 0, false, true },
    { "rt_tgsigqueueinfo", 0, A0 | A1, false, false },
    { "sched_getaffinity", 0, A0, false, false },
    { "sched_getattr", 0, A0, false, false },
    { "sched_getparam", 0, A0, false, false },
    { "sched_getscheduler", 0, A0, false, false },
    { "sched_rr_get_interval", 0, A0, false, false },
    { "sched_setaffinity", 0, A0, false, false },
    { "sched_setattr", 0, A0, false, false },
    { "sched_setparam", 0, A0, false, false },
    { "sched_setscheduler", 0, A0, false, false },
    { "set_tid_address", 0, 0, true, false },
    { "setpgid", 0, A0 | A1, false, false },
    { "setpriority", 0, A1, false, false },
    { "setsid", 0, 0, true, false },
    { "sigreturn", 0, 0, false, true },
    { "tgkill", 0, A0 | A1, false, false },
    { "time", 0, 0, false, true },
    { "times", 0, 0, false, true },
    { "tkill", 0, A0, false, false },
    { "wait4", 0, A0, false, false },
    { "wait6", 0, A1, false, false },
    { "waitid", 0, A1, false, false },
    { "waitpid", 0, A0, false, false },
    { "waitsys", 0, A1, false, false },
};

static const roles *more_of(callgauge_str name)
{
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        if (cg_str_is(name, more[i].name)) {
            return &more[i];
        }
    }
    return NULL;
}

static bool arg_has(const cg_normal *normal, size_t index, const char *text)
{
    return index < normal->arg_count && cg_str_find(normal->args[index], text) < normal->args[index].len;
}

/* The descriptors in arrays, and the numbers that depend on them. */
static cg_role role_by_deed(const cg_normal *normal, size_t index)
{
    switch (normal->event->call->does) {
    case CG_DOES_PIPE: return index == 0 ? CG_ROLE_FD : CG_ROLE_PLAIN;
    case CG_DOES_SOCKETPAIR: return index == 3 ? CG_ROLE_FD : CG_ROLE_PLAIN;
    case CG_DOES_SELECT: return index == 0 ? CG_ROLE_CHANCE : index < 4 ? CG_ROLE_FD : CG_ROLE_ANY;
    case CG_DOES_MMAP: return index == 5 ? CG_ROLE_PLAIN : CG_ROLE_ANY;
    default: return CG_ROLE_ANY;
    }
}

static cg_role role_of_ioctl(const cg_normal *normal, size_t index)
{
    if (index == 1) {
        return CG_ROLE_PLAIN;
    }
    if (arg_has(normal, 1, "PGRP") || arg_has(normal, 1, "GSID")) {
        return CG_ROLE_PID;
    }
    return arg_has(normal, 1, "FICLONE") ? CG_ROLE_FD : CG_ROLE_ANY;
}

cg_role cg_normal_role(const cg_normal *normal, size_t index)
{
    const callgauge_call_name *call = normal->event->call;
    const roles *found = more_of(call->text);
    if ((int)index == call->fd_arg || (int)index == call->fd2_arg) {
        return CG_ROLE_FD;
    }
    if (found != NULL && index < 8 && ((found->fds | found->pids) >> index & 1) != 0) {
        return (found->fds >> index & 1) != 0 ? CG_ROLE_FD : CG_ROLE_PID;
    }
    if (call->call_class == CALLGAUGE_CLASS_IOCTL) {
        return role_of_ioctl(normal, index);
    }
    bool waits_for_thread = call->call_class == CALLGAUGE_CLASS_FUTEX && index == 2 && !arg_has(normal, 1, "PRIVATE");
    return waits_for_thread ? CG_ROLE_WAITED : role_by_deed(normal, index);
}

cg_role cg_normal_result_role(const cg_normal *normal)
{
    const callgauge_call_name *call = normal->event->call;
    const roles *found = more_of(call->text);
    switch (call->does) {
    case CG_DOES_OPEN:
    case CG_DOES_CREAT:
    case CG_DOES_OPENAT2:
    case CG_DOES_UNNAMED:
    case CG_DOES_ANON:
    case CG_DOES_SOCKET:
    case CG_DOES_ACCEPT:
    case CG_DOES_PIPE:
    case CG_DOES_DUP:
    case CG_DOES_DUP2:
    case CG_DOES_RECEIVED: return CG_ROLE_FD;
    case CG_DOES_FCNTL: return arg_has(normal, 1, "F_DUP") ? CG_ROLE_FD : CG_ROLE_PLAIN;
    case CG_DOES_FORK:
    case CG_DOES_CLONE:
    case CG_DOES_WAITCHILD: return CG_ROLE_PID;
    default: break;
    }
    if (found != NULL && (found->gives_pid || found->gives_chance)) {
        return found->gives_pid ? CG_ROLE_PID : CG_ROLE_CHANCE;
    }
    return call->call_class == CALLGAUGE_CLASS_MEMORY ? CG_ROLE_MAPPED : CG_ROLE_PLAIN;
}

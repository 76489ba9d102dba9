/* SPDX-License-Identifier: Apache-2.0 */
/* Which calls wait: for time, descriptors, children, locks, peers. What they wait for is not theirs to hurry, so that
 * their wall time says nothing of the work of the process. */
#ifndef CG_STAGE_WAITS_H
#define CG_STAGE_WAITS_H

#include <callgauge/event.h>

/* Where the class does not decide it: name, arguments, descriptor. */
bool cg_waits_by_more(const callgauge_event *event);

/*
 * Whether a CALL event is one that waits:
 * - poll, select, epoll_wait, port_get, io_getevents, sigtimedwait, ...; sleeps, pause, sigsuspend; waits for children;
 *   accept; connect; restart_syscall, which goes on with one of these;
 * - of the calls on thread locks those that may block: FUTEX_WAIT..., FUTEX_LOCK_PI, lwp_park, lwp_mutex_lock, ...;
 * - reads of sockets, pipes, terminals and of what has no name (eventfd, timerfd, inotify), and every recv; msgrcv,
 *   mq_timedreceive, getmsg; door_call; semop;
 * - locks of files: flock without LOCK_NB, fcntl F_SETLKW.
 * Not those that cannot wait: poll, select, epoll_wait with a timeout of 0, waits for children with WNOHANG, recv with
 * MSG_DONTWAIT.
 * Reads of what is not known to be one of these (a descriptor from before the capture) are not taken for waits.
 * Writes, fsync and vfork are work: the time of a write or an fsync is spent on the bytes of the process itself, by
 * writing fewer or larger pieces it can be saved; the parent of a vfork stands still only while its own work, to start
 * a program, is done.
 */
static inline bool cg_waits(const callgauge_event *event)
{
    switch (event->call->call_class) {
    case CALLGAUGE_CLASS_SLEEP:
    case CALLGAUGE_CLASS_ACCEPT:
    case CALLGAUGE_CLASS_CONNECT: return true;
    case CALLGAUGE_CLASS_WAIT:
    case CALLGAUGE_CLASS_WAITCHILD:
    case CALLGAUGE_CLASS_FUTEX:
    case CALLGAUGE_CLASS_READ:
    case CALLGAUGE_CLASS_FDCTL:
    case CALLGAUGE_CLASS_OTHER:
    case CALLGAUGE_CLASS_SIGNAL: return cg_waits_by_more(event);
    default: return false;
    }
}

#endif

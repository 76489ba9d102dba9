/* SPDX-License-Identifier: Apache-2.0 */
/* Which calls wait: for time, descriptors, children, locks, peers. What they wait for is not theirs to hurry, so that
 * their wall time says nothing of the work of the process. */
#ifndef CG_STAGE_WAITS_H
#define CG_STAGE_WAITS_H

#include "event/event.h"

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
bool cg_waits_by_text(const callgauge_event *event);

/* Whether a call of this class may be one that waits: for most that is all there is to know. */
static inline bool cg_may_wait(callgauge_class of)
{
    const uint32_t may = 1u << CALLGAUGE_CLASS_SLEEP | 1u << CALLGAUGE_CLASS_ACCEPT | 1u << CALLGAUGE_CLASS_CONNECT |
                         1u << CALLGAUGE_CLASS_WAIT | 1u << CALLGAUGE_CLASS_WAITCHILD | 1u << CALLGAUGE_CLASS_FUTEX |
                         1u << CALLGAUGE_CLASS_READ | 1u << CALLGAUGE_CLASS_FDCTL | 1u << CALLGAUGE_CLASS_OTHER |
                         1u << CALLGAUGE_CLASS_SIGNAL;
    return (may >> of & 1) != 0;
}

/* As cg_waits_by_text(), which is asked once where many want to know; of calls with a wall clock duration. */
static inline bool cg_waits(const callgauge_event *event)
{
    return (event->flags & CG_CALL_PLAIN) != 0 ? (event->flags & CG_CALL_WAITS) != 0 : cg_waits_by_text(event);
}

/* Asks it for all who follow, once a CALL event that has a name has got its annotation. */
static inline void cg_waits_judge(callgauge_event *event)
{
    const uint32_t uncounted = CALLGAUGE_CALL_CHILD | CALLGAUGE_CALL_UNRETURNED;
    if ((event->has & CALLGAUGE_HAS_DURATION) != 0 && event->duration_ns >= 0 && (event->flags & uncounted) == 0) {
        bool waits = cg_may_wait(event->call->call_class) && event->duration_kind == CALLGAUGE_TIME_WALL &&
                     cg_waits_by_text(event);
        event->flags |= waits ? CG_CALL_PLAIN | CG_CALL_WAITS : CG_CALL_PLAIN;
    }
}

#endif

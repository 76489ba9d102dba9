/* SPDX-License-Identifier: Apache-2.0 */
/* stage/waits: which calls wait, a case each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>

#include <cmocka.h>

#include "annotating.h"
#include "stage/waits.h"

static struct row {
    const char *name, *args;
    callgauge_file_kind kind; /* of its descriptor; UNKNOWN: nobody knows */
    bool waits;
} rows[] = {
    { "poll", "[{fd=3, events=POLLIN}], 1, 5000", CALLGAUGE_FILE_SOCKET, true },
    { "poll", "[{fd=3, events=POLLOUT}], 1, 0", CALLGAUGE_FILE_SOCKET, false },
    { "ppoll", "[{fd=3, events=POLLOUT}], 1, {tv_sec=0, tv_nsec=0}, NULL, 8", CALLGAUGE_FILE_SOCKET, false },
    { "ppoll", "[{fd=3, events=POLLOUT}], 1, {tv_sec=0, tv_nsec=20}, NULL, 8", CALLGAUGE_FILE_SOCKET, true },
    { "ppoll", "[{fd=3, events=POLLOUT}], 1, NULL, NULL, 8", CALLGAUGE_FILE_SOCKET, true },
    { "pollsys", "0x08046F70, 1, 0x00000000, 0x00000000", CALLGAUGE_FILE_SOCKET, true },
    { "select", "4, [3], NULL, NULL, {tv_sec=0, tv_usec=0}", CALLGAUGE_FILE_SOCKET, false },
    { "pselect6", "4, [3], NULL, NULL, {tv_sec=5, tv_nsec=0}, NULL", CALLGAUGE_FILE_SOCKET, true },
    { "epoll_wait", "4, [], 64, -1", CALLGAUGE_FILE_ANON, true },
    { "epoll_wait", "4, [], 64, 0", CALLGAUGE_FILE_ANON, false },
    { "port_get", "4, 0x080447A0, 0x00000000", CALLGAUGE_FILE_ANON, true },
    { "io_getevents", "0x7f, 1, 1, [], NULL", CALLGAUGE_FILE_UNKNOWN, true },
    { "rt_sigtimedwait", "[CHLD], NULL, NULL, 8", CALLGAUGE_FILE_UNKNOWN, true },
    { "clock_nanosleep", "CLOCK_REALTIME, 0, {tv_sec=1, tv_nsec=0}, NULL", CALLGAUGE_FILE_UNKNOWN, true },
    { "pause", "", CALLGAUGE_FILE_UNKNOWN, true },
    { "rt_sigsuspend", "[], 8", CALLGAUGE_FILE_UNKNOWN, true },
    { "wait4", "-1, NULL, 0, NULL", CALLGAUGE_FILE_UNKNOWN, true },
    { "wait4", "-1, NULL, WNOHANG|WSTOPPED, NULL", CALLGAUGE_FILE_UNKNOWN, false },
    { "waitid", "P_ALL, 0, NULL, WEXITED|WNOHANG, NULL", CALLGAUGE_FILE_UNKNOWN, false },
    { "waitid", "P_ALL, 0, NULL, WEXITED, NULL", CALLGAUGE_FILE_UNKNOWN, true },
    { "accept4", "3, NULL, NULL, SOCK_CLOEXEC", CALLGAUGE_FILE_SOCKET, true },
    { "connect", "3, {sa_family=AF_INET}, 16", CALLGAUGE_FILE_SOCKET, true },
    { "restart_syscall", "<... resuming interrupted poll ...>", CALLGAUGE_FILE_UNKNOWN, true },
    { "futex", "0x7f10, FUTEX_WAIT_PRIVATE, 2, NULL", CALLGAUGE_FILE_UNKNOWN, true },
    { "futex", "0x7f11, FUTEX_WAIT_BITSET_PRIVATE|FUTEX_CLOCK_REALTIME, 0, NULL, FUTEX_BITSET_MATCH_ANY",
      CALLGAUGE_FILE_UNKNOWN, true },
    { "futex", "0x7f12, FUTEX_LOCK_PI, NULL", CALLGAUGE_FILE_UNKNOWN, true },
    { "futex", "0x7f13, FUTEX_WAKE_PRIVATE, 1", CALLGAUGE_FILE_UNKNOWN, false },
    { "futex", "0x7f14, FUTEX_UNLOCK_PI", CALLGAUGE_FILE_UNKNOWN, false },
    { "futex_time64", "0x7f15, FUTEX_WAKE_PRIVATE, 1", CALLGAUGE_FILE_UNKNOWN, false },
    { "lwp_park", "0x00000000, 0", CALLGAUGE_FILE_UNKNOWN, true },
    { "lwp_mutex_lock", "0xFEE1", CALLGAUGE_FILE_UNKNOWN, true },
    { "lwp_cond_wait", "0xFEE2, 0xFEE3, 0x0, 1", CALLGAUGE_FILE_UNKNOWN, true },
    { "lwp_unpark", "2", CALLGAUGE_FILE_UNKNOWN, false },
    { "lwp_mutex_trylock", "0xFEE4", CALLGAUGE_FILE_UNKNOWN, false },
    { "_umtx_op", "0x80, UMTX_OP_WAIT_UINT_PRIVATE, 0, NULL, NULL", CALLGAUGE_FILE_UNKNOWN, true },
    { "_umtx_op", "0x81, UMTX_OP_MUTEX_UNLOCK, 0, NULL, NULL", CALLGAUGE_FILE_UNKNOWN, false },
    { "read", "0, \"a\", 1", CALLGAUGE_FILE_TTY, true },
    { "read", "1, \"a\", 1", CALLGAUGE_FILE_PIPE, true },
    { "read", "2, \"a\", 1", CALLGAUGE_FILE_SOCKET, true },
    { "read", "3, \"a\", 1", CALLGAUGE_FILE_FILE, false },
    { "read", "4, \"a\", 1", CALLGAUGE_FILE_DEVICE, false },
    { "read", "5, \"a\", 1", CALLGAUGE_FILE_UNKNOWN, false },
    { "read", "6, \"a\", 8", CALLGAUGE_FILE_ANON, true },
    { "recvfrom", "7, \"a\", 1, 0, NULL, NULL", CALLGAUGE_FILE_UNKNOWN, true },
    { "recvmsg", "7, {}, 0", CALLGAUGE_FILE_SOCKET, true },
    { "recvmsg", "7, {}, MSG_DONTWAIT", CALLGAUGE_FILE_SOCKET, false },
    { "recvfrom", "7, \"MSG_DONTWAIT\", 1, MSG_PEEK|MSG_DONTWAIT, NULL, NULL", CALLGAUGE_FILE_SOCKET, false },
    { "recvfrom", "7, \"MSG_DONTWAIT\", 12, 0, NULL, NULL", CALLGAUGE_FILE_SOCKET, true },
    { "write", "8, \"a\", 1", CALLGAUGE_FILE_SOCKET, false },
    { "fsync", "9", CALLGAUGE_FILE_FILE, false },
    { "vfork", "", CALLGAUGE_FILE_UNKNOWN, false },
    { "fcntl", "3, F_SETLKW, {l_type=F_WRLCK}", CALLGAUGE_FILE_FILE, true },
    { "fcntl", "3, F_OFD_SETLKW, {l_type=F_WRLCK}", CALLGAUGE_FILE_FILE, true },
    { "fcntl", "3, F_SETLK, {l_type=F_WRLCK}", CALLGAUGE_FILE_FILE, false },
    { "flock", "3, LOCK_EX", CALLGAUGE_FILE_FILE, true },
    { "flock", "3, LOCK_EX|LOCK_NB", CALLGAUGE_FILE_FILE, false },
    { "flock", "3, LOCK_UN", CALLGAUGE_FILE_FILE, false },
    { "msgrcv", "0, {}, 10, 0, 0", CALLGAUGE_FILE_UNKNOWN, true },
    { "msgsnd", "0, {}, 10, 0", CALLGAUGE_FILE_UNKNOWN, false },
    { "semop", "0, [{}], 1", CALLGAUGE_FILE_UNKNOWN, true },
    { "semtimedop", "0, [{}], 1, NULL", CALLGAUGE_FILE_UNKNOWN, true },
    { "door_call", "5, 0x1", CALLGAUGE_FILE_ANON, true },
    { "getpid", "", CALLGAUGE_FILE_UNKNOWN, false },
    { "kill", "1, SIGTERM", CALLGAUGE_FILE_UNKNOWN, false },
};

static void check_row(void **state)
{
    const struct row *row = *state;
    cg_file file = a_file(0, "x");
    file.kind = row->kind;
    cg_annotation known = by_fd(NULL, use_of(row->kind == CALLGAUGE_FILE_UNKNOWN ? NULL : &file, 3));
    callgauge_event event = call(row->name, row->args, 0);
    event.annotation = &known;
    assert_int_equal(cg_waits(&event), row->waits);
}

/* Nobody follows descriptors. */
static void check_unannotated(void **state)
{
    (void)state;
    callgauge_event read = call("read", "0, \"a\", 1", 1), receive = call("recv", "0, \"a\", 1, 0", 1);
    assert_false(cg_waits(&read));
    assert_true(cg_waits(&receive));
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[ROWS + 1] = { [ROWS] = cmocka_unit_test(check_unannotated) };
    static char names[ROWS][160];
    for (size_t i = 0; i < ROWS; i++) {
        snprintf(names[i], sizeof names[i], "%s(%s) %s", rows[i].name, rows[i].args,
                 callgauge_file_kind_text(rows[i].kind));
        tests[i] = (struct CMUnitTest){ .name = names[i], .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("stage_waits", tests, NULL, release_names);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* lib/state in which the n-th allocation and all later ones fail, for every n: it says so, and nothing leaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_mem.h"
#include "following.h"

static const char capture[] =
    "1 execve(\"/bin/sh\", [\"sh\"], 0x7ffd0 /* 9 vars */) = 0\n"
    "1 openat(AT_FDCWD</tmp>, \"a/../b\", O_RDONLY|O_CLOEXEC) = 3</tmp/b>\n"
    "1 stat(\"caf\\303\\251\", 0x1) = -1 ENOENT (No such file or directory)\n"
    "1 pipe2([4<pipe:[1]>, 5<pipe:[1]>], 0) = 0\n"
    "1 socketpair(AF_UNIX, SOCK_STREAM, 0, [6, 7]) = 0\n"
    "1 socket(AF_INET, SOCK_STREAM, 0) = 8\n"
    "1 connect(8, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr(\"10.0.0.1\")}, 16) = 0\n"
    "1 connect(8, {sa_family=AF_UNIX, sun_path=@\"x\"}, 16) = 0\n"
    "1 vfork( <unfinished ...>\n"
    "2 dup2(4, 1) = 1\n"
    "2 chdir(\"/srv\") = 0\n"
    "1 <... vfork resumed>) = 2\n"
    "2 execve(\"/bin/ls\", [\"ls\", \"-l\"], 0x7ffd0 /* 9 vars */) = 0\n"
    "2 read(0</dev/null<char 1:3>>, \"\", 1) = 0\n"
    "2 read(9, \"\", 1) = 0\n"
    "1 clone(child_stack=NULL, flags=CLONE_FILES) = 3\n"
    "3 unshare(CLONE_FILES) = 0\n"
    "3 close_range(4, 5, 0) = 0\n"
    "1 recvmsg(6, {msg_control=[{cmsg_type=SCM_RIGHTS, cmsg_data=[20]}]}, 0) = 1\n"
    "1 read(3</other>, \"\", 1) = 0\n"
    "1 memfd_create(\"m\", 0) = 21\n"
    "1 openat(3, \"x\\\"y\", O_RDONLY) = 22\n"
    "2 +++ killed by SIGTERM +++\n";

static bool follow_once(void)
{
    cg_state_options options = follow_options();
    cg_state *state = cg_state_new(&options);
    bool ok = state != NULL && follow_text(state, cg_str(capture, sizeof capture - 1), 0, NULL);
    if (state != NULL && !ok) {
        assert_true(cg_state_counts_of(state) != NULL);
    }
    cg_state_free(state);
    return ok;
}

static void check_all(void **context)
{
    (void)context;
    size_t live = failing_mem_live();
    for (size_t n = 1;; n++) {
        failing_mem_after(n);
        bool ok = follow_once();
        bool failed = failing_mem_failed();
        failing_mem_after(0);
        assert_int_equal(failing_mem_live(), live);
        assert_true(ok == !failed);
        if (!failed) {
            assert_true(n > 30);
            return;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(check_all) };
    return cmocka_run_group_tests_name("state_nomem", tests, NULL, NULL);
}

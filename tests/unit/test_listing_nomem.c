/* SPDX-License-Identifier: Apache-2.0 */
/* state/listing when memory runs out: at every allocation a status comes back, nothing is handed out, nothing leaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/str.h"
#include "failing_mem.h"
#include "state/listing.h"

static struct row {
    const char *name, *text;
} rows[] = {
    { "pfiles", "7:\ta\n0: S_IFREG mode:0644\n/x\n1: S_IFSOCK mode:0644\nsockname: AF_INET 1.2.3.4  port: 80\n"
                "peername: AF_INET 1.2.3.4  port: 80\n8:\tb\n" },
    { "ls", "/proc/7/fd:\nlrwx------ 1 root root 64 Nov 30 12:00 0 -> '/a b'$'\\n'\n"
            "lrwx------ 1 root root 64 Nov 30 12:00 1 -> /a\\ b\n" },
    { "lsof", "COMMAND PID USER FD TYPE DEVICE SIZE/OFF NODE NAME\nsshd 7 root 3u IPv4 12345 0t0 TCP *:22 (LISTEN)\n"
              "sshd 7 root 4w REG 8,1 1234 99 /var/a\\nb\nsshd 7 root 5w FIFO 8,1 0t0 99 pipe\n"
              "sshd 7 root 6u a_inode 0,16 0 1044 [eventfd:1]\n" },
};
enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    size_t n = 1;
    for (bool failed = true; failed; n++) {
        size_t live = failing_mem_live();
        cg_listing listing = { 0 };
        callgauge_error err = CALLGAUGE_ERROR_INIT;
        failing_mem_after(n);
        callgauge_status status = cg_listing_read("fds", cg_str_z(row->text), &listing, &err);
        failed = failing_mem_failed();
        failing_mem_after(0);
        assert_int_equal(status, failed ? CALLGAUGE_E_NOMEM : CALLGAUGE_OK);
        assert_int_equal(err.status, status);
        assert_int_equal(listing.count > 0, !failed);
        cg_listing_release(&listing);
        assert_int_equal(failing_mem_live(), live);
    }
    assert_true(n > 5);
}

/* Many rows and processes: the arrays grow, also then every failure is one. */
static void check_growth(void **state)
{
    (void)state;
    enum { PROCESSES = 100, EACH = 40 };
    char *text = malloc(PROCESSES * EACH);
    assert_non_null(text);
    size_t len = 0;
    for (int i = 0; i < PROCESSES; i++) {
        len += (size_t)snprintf(text + len, EACH, "%d:\ta\n%d: S_IFREG mode:0644\n", PROCESSES - i, i);
    }
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        cg_listing listing = { 0 };
        failing_mem_after(n);
        callgauge_status status = cg_listing_read("fds", cg_str(text, len), &listing, NULL);
        failed = failing_mem_failed();
        failing_mem_after(0);
        assert_int_equal(status, failed ? CALLGAUGE_E_NOMEM : CALLGAUGE_OK);
        assert_int_equal(listing.pid_count, failed ? 0 : PROCESSES);
        assert_int_equal(listing.count, failed ? 0 : PROCESSES);
        cg_listing_release(&listing);
        assert_int_equal(failing_mem_live(), 0);
    }
    free(text);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + 1];
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    tests[ROWS] = (struct CMUnitTest)cmocka_unit_test(check_growth);
    return cmocka_run_group_tests_name("listing_nomem", tests, NULL, NULL);
}

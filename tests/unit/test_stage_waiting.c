/* SPDX-License-Identifier: Apache-2.0 */
/* stage/waiting: what was waited for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "annotating.h"
#include "stage/waiting.h"

static cg_stage new_waiting(size_t most)
{
    cg_stage stage;
    cg_waiting_options options = { .limits = stage_limits() };
    options.limits.waiting = most;
    assert_int_equal(cg_waiting_new(&options, &stage, NULL), CALLGAUGE_OK);
    return stage;
}

/* Rows of everything that keeps waits apart, in their order; the same waits make one row. */
static void check_rows(void **state)
{
    (void)state;
    cg_stage stage = new_waiting(100);
    cg_process shell = a_process(0, 1), child = a_process(1, 2);
    cg_file dns[2] = { a_socket(0, "127.0.0.53", 53), a_socket(1, "127.0.0.53", 53) };
    cg_file old = a_file(2, ""), pipe = a_file(3, "pipe:[1]"), plain = a_file(4, "/f");
    cg_annotation reaped = of_process(&shell);
    old.opened_before = true;
    old.kind = CALLGAUGE_FILE_UNKNOWN;
    old.fd = 9;
    pipe.kind = CALLGAUGE_FILE_PIPE;
    child.program = cg_str_z("/bin/w");
    reaped.child = &child;
    give(&stage, 1, at(call("poll", "[{fd=3}], 1, 5000", 0), 0, 5005), by_fd(&shell, use_of(&dns[0], 3)));
    give(&stage, 2, at(call("poll", "[{fd=4}], 1, 5000", 1), 0, 1000), by_fd(&shell, use_of(&dns[1], 4)));
    give(&stage, 3, at(call("poll", "[], 0, 10", 0), 0, 10), of_process(&shell));
    give(&stage, 4, at(call("poll", "[{fd=9}], 1, 10", 0), 0, 11), by_fd(&shell, use_of(&old, 9)));
    give(&stage, 5, at(call("poll", "[{fd=8}], 1, 10", 0), 0, 12), by_fd(&shell, use_of(NULL, 8)));
    give(&stage, 6, at(call("futex", "0x7f01, FUTEX_WAIT, 2, NULL", 0), 0, 13), of_process(&shell));
    give(&stage, 7, at(call("futex", "0x7f02, FUTEX_WAIT, 2, NULL", 0), 0, 14), of_process(&shell));
    give(&stage, 8, at(call("futex", "0x7f01, FUTEX_WAIT, 2, NULL", 0), 0, 15), of_process(&shell));
    give(&stage, 9, at(call("wait4", "-1, NULL, 0, NULL", 2), 0, 16), reaped);
    give(&stage, 10, at(failed(call("wait4", "-1, NULL, 0, NULL", 0), 0), 0, 1), of_process(&shell));
    give(&stage, 11, at(call("read", "5, \"\", 1", 1), 0, 17), by_fd(&shell, use_of(&pipe, 5)));
    give(&stage, 12, at(call("lwp_park", "0x0, 0", 0), 0, 18), of_process(&shell));
    cg_annotation connects = by_fd(&shell, use_of(&dns[0], 3));
    cg_file bare = a_socket(5, "", -1), web = a_socket(6, "10.0.0.1", 80);
    connects.fd.file = &bare;
    connects.made = &web;
    give(&stage, 18, at(call("connect", "3", 0), 0, 19), connects);
    /* no waits, or none whose time is known */
    callgauge_event cpu = at(call("poll", "[], 0, 10", 0), 0, 10), cut = cpu;
    cpu.duration_kind = CALLGAUGE_TIME_CPU;
    cut.flags = CALLGAUGE_CALL_UNRETURNED;
    give(&stage, 13, at(call("read", "6, \"\", 1", 1), 0, 17), by_fd(&shell, use_of(&plain, 6)));
    give(&stage, 14, call("poll", "[], 0, 10", 0), of_process(&shell));
    give(&stage, 15, cpu, of_process(&shell));
    give(&stage, 16, cut, of_process(&shell));
    give(&stage, 17, (callgauge_event){ .kind = CALLGAUGE_EVENT_SIGNAL }, of_process(&shell));
    callgauge_report *report = finish_stage(&stage, "t");
    static const struct {
        const char *call, *path, *peer, *address, *child;
        callgauge_file_kind kind;
        int32_t port;
        int64_t fd, wall, max;
        uint64_t count, longest;
    } wanted[] = {
        { "connect", "", "10.0.0.1", "", "", CALLGAUGE_FILE_SOCKET, 80, CALLGAUGE_UNKNOWN, 19, 19, 1, 18 },
        { "futex", "", "", "0x7f01", "", CALLGAUGE_FILE_UNKNOWN, -1, CALLGAUGE_UNKNOWN, 28, 15, 2, 8 },
        { "futex", "", "", "0x7f02", "", CALLGAUGE_FILE_UNKNOWN, -1, CALLGAUGE_UNKNOWN, 14, 14, 1, 7 },
        { "lwp_park", "", "", "", "", CALLGAUGE_FILE_UNKNOWN, -1, CALLGAUGE_UNKNOWN, 18, 18, 1, 12 },
        { "poll", "", "", "", "", CALLGAUGE_FILE_UNKNOWN, -1, CALLGAUGE_UNKNOWN, 10, 10, 1, 3 },
        { "poll", "", "", "", "", CALLGAUGE_FILE_UNKNOWN, -1, 8, 12, 12, 1, 5 },
        { "poll", "", "", "", "", CALLGAUGE_FILE_UNKNOWN, -1, 9, 11, 11, 1, 4 },
        { "poll", "", "127.0.0.53", "", "", CALLGAUGE_FILE_SOCKET, 53, CALLGAUGE_UNKNOWN, 6005, 5005, 2, 1 },
        { "read", "pipe:[1]", "", "", "", CALLGAUGE_FILE_PIPE, -1, CALLGAUGE_UNKNOWN, 17, 17, 1, 11 },
        { "wait4", "", "", "", "", CALLGAUGE_FILE_UNKNOWN, -1, CALLGAUGE_UNKNOWN, 1, 1, 1, 10 },
        { "wait4", "", "", "", "/bin/w", CALLGAUGE_FILE_UNKNOWN, -1, CALLGAUGE_UNKNOWN, 16, 16, 1, 9 },
    };
    assert_int_equal(report->waiting_count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < report->waiting_count; i++) {
        const callgauge_waiting_row *row = &report->waiting[i];
        assert_true(cg_str_is(row->call, wanted[i].call));
        assert_true(cg_str_is(row->path, wanted[i].path));
        assert_true(cg_str_is(row->peer, wanted[i].peer));
        assert_true(cg_str_is(row->address, wanted[i].address));
        assert_true(cg_str_is(row->child, wanted[i].child));
        assert_int_equal(row->kind, wanted[i].kind);
        assert_int_equal(row->peer_port, wanted[i].port);
        assert_int_equal(row->fd, wanted[i].fd);
        assert_int_equal(row->wall_ns, wanted[i].wall);
        assert_int_equal(row->max_ns, wanted[i].max);
        assert_int_equal(row->count, wanted[i].count);
        assert_int_equal(row->longest.line, wanted[i].longest);
    }
    callgauge_report_free(report);
}

/* The same waits again and again, of more addresses than there may be rows. */
static void check_limit(void **state)
{
    (void)state;
    enum { ADDRESSES = 300, MOST = 250 };
    cg_stage stage = new_waiting(MOST);
    cg_process process = a_process(0, 1);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < ADDRESSES; i++) {
            char args[] = "0x000, FUTEX_WAIT, 2, NULL";
            args[2] = (char)('0' + i / 100);
            args[3] = (char)('0' + i / 10 % 10);
            args[4] = (char)('0' + i % 10);
            give(&stage, 1, at(call("futex", args, 0), 0, 1), of_process(&process));
        }
    }
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(report->waiting_count, MOST);
    assert_int_equal(report->waiting[0].count, 2);
    assert_int_equal(report->waiting[MOST - 1].count, 2);
    assert_int_equal(report->limit_count, 1);
    assert_string_equal(report->limits[0].limit, "waiting");
    assert_int_equal(report->limits[0].kept, MOST);
    assert_int_equal(report->limits[0].dropped, 2 * (ADDRESSES - MOST));
    callgauge_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(check_rows), cmocka_unit_test(check_limit) };
    return cmocka_run_group_tests_name("stage_waiting", tests, NULL, release_names);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* dialect/strace_leader: what stands before an event, in every form and order that strace 4.5 to 7.2 prints,
 * and what only looks like it. `rest` is the text from which the event begins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "dialect/strace.h"

#define NO_TIME INT64_MIN
#define DAY(h, m, s) ((((h)*INT64_C(60) + (m)) * 60 + (s)) * 1000000000)
#define EPOCH(s) (INT64_C(s) * 1000000000)

enum { NO_CLOCK = CALLGAUGE_CLOCK_NONE, MIDNIGHT = CALLGAUGE_CLOCK_MIDNIGHT, SINCE_1970 = CALLGAUGE_CLOCK_EPOCH };

struct row {
    const char *name, *text, *rest;
    int64_t pid;
    const char *comm;
    int clock;
    int64_t abs_ns, rel_ns;
    bool any;
};

static struct row rows[] = {
    { "none", "read(3, \"\", 1) = 0", "read(3, \"\", 1) = 0", 0, "", NO_CLOCK, NO_TIME, NO_TIME, false },
    { "empty", "", "", 0, "", NO_CLOCK, NO_TIME, NO_TIME, false },
    { "signal without leader", "--- SIGCHLD {} ---", "--- SIGCHLD {} ---", 0, "", NO_CLOCK, NO_TIME, NO_TIME, false },

    { "pid in brackets", "[pid  1234] read(", "read(", 1234, "", NO_CLOCK, NO_TIME, NO_TIME, true },
    { "one digit in brackets", "[pid     7] read(", "read(", 7, "", NO_CLOCK, NO_TIME, NO_TIME, true },
    { "six digits in brackets", "[pid 123456] read(", "read(", 123456, "", NO_CLOCK, NO_TIME, NO_TIME, true },
    { "pid of a file", "24030 read(", "read(", 24030, "", NO_CLOCK, NO_TIME, NO_TIME, true },
    { "pid of a file, padded", "5862  read(", "read(", 5862, "", NO_CLOCK, NO_TIME, NO_TIME, true },
    { "pid of a file, one digit", "7     read(", "read(", 7, "", NO_CLOCK, NO_TIME, NO_TIME, true },
    { "pid of a file, seven digits", "1234567 read(", "read(", 1234567, "", NO_CLOCK, NO_TIME, NO_TIME, true },
    { "greatest pid", "4194304 read(", "read(", 4194304, "", NO_CLOCK, NO_TIME, NO_TIME, true },
    { "no pid is that great", "4194305 read(", "4194305 read(", 0, "", NO_CLOCK, NO_TIME, NO_TIME, false },
    { "no pid is zero", "0 read(", "0 read(", 0, "", NO_CLOCK, NO_TIME, NO_TIME, false },
    { "pid before a signal", "4242  --- SIGCHLD {} ---", "--- SIGCHLD {} ---", 4242, "", NO_CLOCK, NO_TIME, NO_TIME,
      true },
    { "pid before an exit", "[pid  4242] +++ exited with 0 +++", "+++ exited with 0 +++", 4242, "", NO_CLOCK, NO_TIME,
      NO_TIME, true },

    { "comm", "1234<bash> read(", "read(", 1234, "bash", NO_CLOCK, NO_TIME, NO_TIME, true },
    { "comm in brackets", "[pid  1234<bash>] read(", "read(", 1234, "bash", NO_CLOCK, NO_TIME, NO_TIME, true },
    { "comm with escapes", "6859<we\\74i\\76rd \\\"c> close(3) = 0", "close(3) = 0", 6859, "we\\74i\\76rd \\\"c",
      NO_CLOCK, NO_TIME, NO_TIME, true },
    { "comm like a leader", "77<a b] (c=d)> close(3) = 0", "close(3) = 0", 77, "a b] (c=d)", NO_CLOCK, NO_TIME, NO_TIME,
      true },
    { "comm like a leader, in brackets", "[pid    77<a] [b] (c=d)>] close(3) = 0", "close(3) = 0", 77, "a] [b] (c=d)",
      NO_CLOCK, NO_TIME, NO_TIME, true },
    { "comm and time", "7209<sh> 17:45:28 getpid()", "getpid()", 7209, "sh", MIDNIGHT, DAY(17, 45, 28), NO_TIME, true },

    { "-t", "17:45:28 read(", "read(", 0, "", MIDNIGHT, DAY(17, 45, 28), NO_TIME, true },
    { "-tt", "17:45:29.155364 read(", "read(", 0, "", MIDNIGHT, DAY(17, 45, 29) + 155364000, NO_TIME, true },
    { "midnight", "00:00:00 read(", "read(", 0, "", MIDNIGHT, 0, NO_TIME, true },
    { "-ttt", "1796060731.102865 read(", "read(", 0, "", SINCE_1970, EPOCH(1796060731) + 102865000, NO_TIME, true },
    { "time in ms", "17:45:35.169 read(", "read(", 0, "", MIDNIGHT, DAY(17, 45, 35) + 169000000, NO_TIME, true },
    { "time in ns", "17:45:35.169265348 execve(", "execve(", 0, "", MIDNIGHT, DAY(17, 45, 35) + 169265348, NO_TIME,
      true },
    { "epoch in s, like a pid", "1796060735 execve(", "execve(", 0, "", SINCE_1970, EPOCH(1796060735), NO_TIME, true },
    { "epoch in ms", "1796060735.102 read(", "read(", 0, "", SINCE_1970, EPOCH(1796060735) + 102000000, NO_TIME, true },
    { "epoch in ns", "1796060735.169265348 read(", "read(", 0, "", SINCE_1970, EPOCH(1796060735) + 169265348, NO_TIME,
      true },

    { "-r", "     0.002040 read(", "read(", 0, "", NO_CLOCK, NO_TIME, 2040000, true },
    { "-r of more seconds", "    12.345678 read(", "read(", 0, "", NO_CLOCK, NO_TIME, 12345678000, true },
    { "-r of six digits of seconds", "123456.000001 read(", "read(", 0, "", NO_CLOCK, NO_TIME, EPOCH(123456) + 1000,
      true },
    { "-r in s", "     0 execve(", "execve(", 0, "", NO_CLOCK, NO_TIME, 0, true },
    { "-r in ms", "     0.595 read(", "read(", 0, "", NO_CLOCK, NO_TIME, 595000000, true },
    { "-r in ns", "     0.006416489 read(", "read(", 0, "", NO_CLOCK, NO_TIME, 6416489, true },
    { "-t -r", "17:45:33 (+     0.000996) read(", "read(", 0, "", MIDNIGHT, DAY(17, 45, 33), 996000, true },
    { "-ttt -r", "1796060733.317947 (+     0.001307) read(", "read(", 0, "", SINCE_1970, EPOCH(1796060733) + 317947000,
      1307000, true },
    { "-tt -r in s", "17:45:33.000001 (+     2) read(", "read(", 0, "", MIDNIGHT, DAY(17, 45, 33) + 1000, EPOCH(2),
      true },

    { "pid, -r", "31002      0.000754 read(", "read(", 31002, "", NO_CLOCK, NO_TIME, 754000, true },
    { "pid, -r in s", "31002      0 read(", "read(", 31002, "", NO_CLOCK, NO_TIME, 0, true },
    { "short pid, -r in s", "7          3 read(", "read(", 7, "", NO_CLOCK, NO_TIME, EPOCH(3), true },
    { "pid in brackets, -r", "[pid 29935]      0.000120 read(", "read(", 29935, "", NO_CLOCK, NO_TIME, 120000, true },
    { "pid, epoch in s", "4242  1796060735 read(", "read(", 4242, "", SINCE_1970, EPOCH(1796060735), NO_TIME, true },
    { "pid, -tt", "24030 17:45:29.155364 read(", "read(", 24030, "", MIDNIGHT, DAY(17, 45, 29) + 155364000, NO_TIME,
      true },
    { "pid in brackets, -t -r", "[pid  1234] 17:45:33 (+     0.000996) read(", "read(", 1234, "", MIDNIGHT,
      DAY(17, 45, 33), 996000, true },

    { "-n", "[  59] execve(", "execve(", 0, "", NO_CLOCK, NO_TIME, NO_TIME, true },
    { "-n of three digits", "[ 231] exit_group(", "exit_group(", 0, "", NO_CLOCK, NO_TIME, NO_TIME, true },
    { "-i", "[00007efdfe984ca3] mmap(", "mmap(", 0, "", NO_CLOCK, NO_TIME, NO_TIME, true },
    { "-i of 32 bits", "[f7f5a549] read(", "read(", 0, "", NO_CLOCK, NO_TIME, NO_TIME, true },
    { "-i unknown", "[????????????????] +++ exited with 0 +++", "+++ exited with 0 +++", 0, "", NO_CLOCK, NO_TIME,
      NO_TIME, true },
    { "-i unknown of 32 bits", "[????????] --- SIGSEGV {} ---", "--- SIGSEGV {} ---", 0, "", NO_CLOCK, NO_TIME, NO_TIME,
      true },
    { "pid, -tt, -n, -i", "31002 17:45:23.137186 [  12] [00007f0357ca5c47] brk(NULL)", "brk(NULL)", 31002, "", MIDNIGHT,
      DAY(17, 45, 23) + 137186000, NO_TIME, true },
    { "pid in brackets, -tt, -n, -i", "[pid 29935] 17:45:23.288287 [ 231] [????????????????] +++ exited with 0 +++",
      "+++ exited with 0 +++", 29935, "", MIDNIGHT, DAY(17, 45, 23) + 288287000, NO_TIME, true },
    { "-r, -n", "     0.000010 [   0] read(", "read(", 0, "", NO_CLOCK, NO_TIME, 10000, true },

    { "security context", "[unconfined_t] read(", "read(", 0, "", NO_CLOCK, NO_TIME, NO_TIME, true },
    { "full security context", "[unconfined_u:unconfined_r:unconfined_t:s0-s0:c0.c1023] read(", "read(", 0, "",
      NO_CLOCK, NO_TIME, NO_TIME, true },
    { "security context mismatch", "[a_u:b_r:c_t:s0!!d_u:e_r:f_t:s0] read(", "read(", 0, "", NO_CLOCK, NO_TIME, NO_TIME,
      true },
    { "all of it", "24030 [unconfined_t] 17:45:28 (+     0.000996) [  12] [00007f0357ca5c47] read(", "read(", 24030, "",
      MIDNIGHT, DAY(17, 45, 28), 996000, true },

    { "mode notice", "[ Process PID=4242 runs in 32 bit mode. ]", "[ Process PID=4242 runs in 32 bit mode. ]", 0, "",
      NO_CLOCK, NO_TIME, NO_TIME, false },
    { "mode notice behind a pid", "4242  [ Process PID=4242 runs in 32 bit mode. ]",
      "[ Process PID=4242 runs in 32 bit mode. ]", 4242, "", NO_CLOCK, NO_TIME, NO_TIME, true },
    { "stamp of docker build", "#5 0.595 rt_sigaction(", "#5 0.595 rt_sigaction(", 0, "", NO_CLOCK, NO_TIME, NO_TIME,
      false },
    { "seconds that are not padded", "0.595 read(", "0.595 read(", 0, "", NO_CLOCK, NO_TIME, NO_TIME, false },
    { "hours and minutes", "17:45 read(", "17:45 read(", 0, "", NO_CLOCK, NO_TIME, NO_TIME, false },
    { "letters for a pid", "[pid  abc] read(", "[pid  abc] read(", 0, "", NO_CLOCK, NO_TIME, NO_TIME, false },
    { "pid cut off", "[pid  12", "[pid  12", 0, "", NO_CLOCK, NO_TIME, NO_TIME, false },
    { "no blank behind the bracket", "[pid  1234]read(", "[pid  1234]read(", 0, "", NO_CLOCK, NO_TIME, NO_TIME, false },
    { "comm cut off", "1234<bas", "1234<bas", 0, "", NO_CLOCK, NO_TIME, NO_TIME, false },
    { "time cut off", "17:45:2", "17:45:2", 0, "", NO_CLOCK, NO_TIME, NO_TIME, false },
    { "number alone", "4242", "4242", 0, "", NO_CLOCK, NO_TIME, NO_TIME, false },
    { "open bracket", "[", "[", 0, "", NO_CLOCK, NO_TIME, NO_TIME, false },
    { "empty brackets", "[] read(", "[] read(", 0, "", NO_CLOCK, NO_TIME, NO_TIME, false },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    cg_strace_leader leader;
    cg_strace_leader_read(cg_str_z(row->text), &leader);
    assert_string_equal(leader.rest, row->rest);
    assert_ptr_equal(leader.rest, row->text + strlen(row->text) - strlen(row->rest));
    assert_int_equal(leader.pid, row->pid);
    assert_true(cg_str_is(leader.comm, row->comm));
    assert_int_equal(leader.clock, row->clock);
    assert_true(leader.abs_ns == row->abs_ns);
    assert_true(leader.rel_ns == row->rel_ns);
    assert_int_equal(leader.any, row->any);
}

/* Where the day ends: a step back of more than half a day is another midnight, a smaller one is a clock set back. */
static void check_midnights(void **state)
{
    (void)state;
    cg_strace strace = { .last_of_day = 0 };
    assert_true(cg_strace_since_midnight(&strace, DAY(23, 59, 59)) == DAY(23, 59, 59));
    assert_true(cg_strace_since_midnight(&strace, DAY(23, 59, 58)) == DAY(23, 59, 58));
    assert_true(cg_strace_since_midnight(&strace, DAY(0, 0, 1)) == DAY(24, 0, 1));
    assert_true(cg_strace_since_midnight(&strace, DAY(12, 0, 0)) == DAY(36, 0, 0));
    assert_true(cg_strace_since_midnight(&strace, DAY(11, 0, 0)) == DAY(35, 0, 0));
    assert_true(cg_strace_since_midnight(&strace, DAY(23, 0, 0)) == DAY(47, 0, 0));
    assert_true(cg_strace_since_midnight(&strace, DAY(0, 0, 0)) == DAY(48, 0, 0));
}

int main(void)
{
    struct CMUnitTest tests[ROWS + 1] = { [ROWS] = cmocka_unit_test(check_midnights) };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("strace_leader", tests, NULL, NULL);
}

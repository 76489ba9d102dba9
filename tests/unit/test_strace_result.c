/* SPDX-License-Identifier: Apache-2.0 */
/* dialect/strace_result: what stands behind `= `, in every form that strace 4.5 to 7.2 prints, and how far it goes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "dialect/strace.h"

#define NONE INT64_MIN
#define ALL SIZE_MAX

enum {
    VALUE = CALLGAUGE_HAS_VALUE,
    UNRETURNED = CALLGAUGE_CALL_UNRETURNED,
    RESTART = CALLGAUGE_CALL_RESTART,
    INJECTED = CALLGAUGE_CALL_INJECTED,
    DELAYED = CALLGAUGE_CALL_DELAYED
};

struct row {
    const char *name, *text;
    uint32_t has;
    int64_t value;
    const char *result, *error, *note;
    uint32_t flags;
    int64_t duration_ns;
    size_t used; /* ALL: to the end */
};

static struct row rows[] = {
    { "zero", "0", VALUE, 0, "0", "", "", 0, NONE, ALL },
    { "decimal", "832", VALUE, 832, "832", "", "", 0, NONE, ALL },
    { "negative that is no error", "-3041965", VALUE, -3041965, "-3041965", "", "", 0, NONE, ALL },
    { "minus one that is no error", "-1", VALUE, -1, "-1", "", "", 0, NONE, ALL },
    { "address", "0x7f85a614b000", VALUE, 0x7f85a614b000, "0x7f85a614b000", "", "", 0, NONE, ALL },
    { "all bits", "0xffffffffffffffff", VALUE, -1, "0xffffffffffffffff", "", "", 0, NONE, ALL },
    { "minus one unsigned", "18446744073709551615", VALUE, -1, "18446744073709551615", "", "", 0, NONE, ALL },
    { "above 32 bits", "4294967296", VALUE, 4294967296, "4294967296", "", "", 0, NONE, ALL },
    { "octal of umask", "022", VALUE, 18, "022", "", "", 0, NONE, ALL },

    { "error", "-1 ENOENT (No such file or directory)", VALUE, -1, "-1", "ENOENT", "(No such file or directory)", 0,
      NONE, ALL },
    { "error, time", "-1 ENOTTY (Inappropriate ioctl for device) <0.000010>", VALUE, -1, "-1", "ENOTTY",
      "(Inappropriate ioctl for device)", 0, 10000, ALL },
    { "error in UTF-8", "-1 ENOENT (\xe6\xb2\xa1\xe6\x9c\x89\xe9\x82\xa3)", VALUE, -1, "-1", "ENOENT",
      "(\xe6\xb2\xa1\xe6\x9c\x89\xe9\x82\xa3)", 0, NONE, ALL },
    { "error in Latin-1",
      "-1 EAGAIN (Ressource vor\xfc"
      "bergehend nicht verf\xfcgbar)",
      VALUE, -1, "-1", "EAGAIN",
      "(Ressource vor\xfc"
      "bergehend nicht verf\xfcgbar)",
      0, NONE, ALL },
    { "error with parentheses", "-1 ESRCH (Kein passender (lebender) Prozess) <0.000005>", VALUE, -1, "-1", "ESRCH",
      "(Kein passender (lebender) Prozess)", 0, 5000, ALL },
    { "error with a digit", "-1 EL2NSYNC (Level 2 not synchronized)", VALUE, -1, "-1", "EL2NSYNC",
      "(Level 2 not synchronized)", 0, NONE, ALL },
    { "unknown error", "-1 (errno 999)", VALUE, -1, "-1", "errno 999", "(errno 999)", 0, NONE, ALL },
    { "unknown error, old", "-1 errno 999 (Unknown error 999)", VALUE, -1, "-1", "errno 999", "(Unknown error 999)", 0,
      NONE, ALL },
    { "error text cut off", "-1 ENOENT (No such fi", VALUE, -1, "-1", "", "", 0, NONE, 2 },
    { "error name alone", "-1 ENOENT", VALUE, -1, "-1", "", "", 0, NONE, 2 },
    { "not a name of an error", "-1 Enoent (No such file)", VALUE, -1, "-1", "", "", 0, NONE, 2 },
    { "QEMU's error", "-1 errno=2 (No such file or directory)", VALUE, -1, "-1", "", "", 0, NONE, 2 },
    { "error needs a minus one", "0 ENOENT (No such file or directory)", VALUE, 0, "0", "", "", 0, NONE, 1 },

    { "unknown", "?", 0, 0, "?", "", "", UNRETURNED, NONE, ALL },
    { "unavailable", "? <unavailable>", 0, 0, "?", "", "", UNRETURNED, NONE, ALL },
    { "ERESTARTSYS", "? ERESTARTSYS (To be restarted if SA_RESTART is set)", 0, 0, "?", "ERESTARTSYS",
      "(To be restarted if SA_RESTART is set)", RESTART, NONE, ALL },
    { "ERESTARTNOINTR", "? ERESTARTNOINTR (To be restarted)", 0, 0, "?", "ERESTARTNOINTR", "(To be restarted)", RESTART,
      NONE, ALL },
    { "ERESTARTNOHAND", "? ERESTARTNOHAND (To be restarted if no handler)", 0, 0, "?", "ERESTARTNOHAND",
      "(To be restarted if no handler)", RESTART, NONE, ALL },
    { "ERESTART_RESTARTBLOCK, time", "? ERESTART_RESTARTBLOCK (Interrupted by signal) <0.500000>", 0, 0, "?",
      "ERESTART_RESTARTBLOCK", "(Interrupted by signal)", RESTART, 500000000, ALL },

    { "poll", "2 ([{fd=0, revents=POLLIN}, {fd=3, revents=POLLHUP}])", VALUE, 2, "2", "",
      "([{fd=0, revents=POLLIN}, {fd=3, revents=POLLHUP}])", 0, NONE, ALL },
    { "select", "1 (in [3], left {tv_sec=0, tv_nsec=998097})", VALUE, 1, "1", "",
      "(in [3], left {tv_sec=0, tv_nsec=998097})", 0, NONE, ALL },
    { "timeout", "0 (Timeout) <1.001190>", VALUE, 0, "0", "", "(Timeout)", 0, 1001190000, ALL },
    { "flags", "0x8001 (flags O_WRONLY|O_LARGEFILE)", VALUE, 0x8001, "0x8001", "", "(flags O_WRONLY|O_LARGEFILE)", 0,
      NONE, ALL },
    { "personality", "0 (PER_LINUX)", VALUE, 0, "0", "", "(PER_LINUX)", 0, NONE, ALL },
    { "exit reason of a vcpu", "0 (KVM_EXIT_MMIO)", VALUE, 0, "0", "", "(KVM_EXIT_MMIO)", 0, NONE, ALL },
    { "parenthesis in a quoted name", "1 ([{name=\":)\"}]) <0.000002>", VALUE, 1, "1", "", "([{name=\":)\"}])", 0, 2000,
      ALL },
    { "comment", "1 /* 7119 in strace's PID NS */", VALUE, 1, "1", "", "/* 7119 in strace's PID NS */", 0, NONE, ALL },
    { "comment, time", "24054 /* 9 in strace's PID NS */ <0.000100>", VALUE, 24054, "24054", "",
      "/* 9 in strace's PID NS */", 0, 100000, ALL },
    { "security context", "3 [user_home_t]", VALUE, 3, "3", "", "[user_home_t]", 0, NONE, ALL },
    { "decoration, security context", "3</tmp/f> [u:object_r:user_home_t:s0] <0.000001>", VALUE, 3, "3</tmp/f>", "",
      "[u:object_r:user_home_t:s0]", 0, 1000, ALL },

    { "injected", "-1 EACCES (Permission denied) (INJECTED)", VALUE, -1, "-1", "EACCES", "(Permission denied)",
      INJECTED, NONE, ALL },
    { "injected, delayed, time", "3 (INJECTED: args) (DELAYED) <0.002>", VALUE, 3, "3", "",
      "(INJECTED: args) (DELAYED)", INJECTED | DELAYED, 2000000, ALL },
    { "arguments and value injected", "7 (INJECTED: args, retval)", VALUE, 7, "7", "", "(INJECTED: args, retval)",
      INJECTED, NONE, ALL },
    { "delayed", "0 (DELAYED)", VALUE, 0, "0", "", "(DELAYED)", DELAYED, NONE, ALL },
    { "aux, injected", "0 (Timeout) (INJECTED)", VALUE, 0, "0", "", "(Timeout) (INJECTED)", INJECTED, NONE, ALL },

    { "path", "3</etc/passwd>", VALUE, 3, "3</etc/passwd>", "", "", 0, NONE, ALL },
    { "path, time", "3</etc/passwd> <0.000020>", VALUE, 3, "3</etc/passwd>", "", "", 0, 20000, ALL },
    { "deleted, outside", "3</tmp/f>(deleted)", VALUE, 3, "3</tmp/f>(deleted)", "", "", 0, NONE, ALL },
    { "deleted, inside", "3</tmp/f (deleted)>", VALUE, 3, "3</tmp/f (deleted)>", "", "", 0, NONE, ALL },
    { "memfd", "4</memfd:my\\74mem\\76fd>(deleted)", VALUE, 4, "4</memfd:my\\74mem\\76fd>(deleted)", "", "", 0, NONE,
      ALL },
    { "raw bracket in a path", "3</tmp/a>b> <0.000020>", VALUE, 3, "3</tmp/a>b>", "", "", 0, 20000, ALL },
    { "arrow in a path", "3</tmp/a->", VALUE, 3, "3</tmp/a->", "", "", 0, NONE, ALL },
    { "device", "20</dev/ptmx<char 5:2 @/dev/pts/3>>", VALUE, 20, "20</dev/ptmx<char 5:2 @/dev/pts/3>>", "", "", 0,
      NONE, ALL },
    { "socket", "4<socket:[263806]>", VALUE, 4, "4<socket:[263806]>", "", "", 0, NONE, ALL },
    { "TCP", "16<TCP:[127.0.0.1:32971->127.0.0.1:56562]>", VALUE, 16, "16<TCP:[127.0.0.1:32971->127.0.0.1:56562]>", "",
      "", 0, NONE, ALL },
    { "UDPv6", "17<UDPv6:[[::]:39312]>", VALUE, 17, "17<UDPv6:[[::]:39312]>", "", "", 0, NONE, ALL },
    { "abstract unix socket", "18<UNIX:[263999,@\"abstract<name>\"]>", VALUE, 18,
      "18<UNIX:[263999,@\"abstract<name>\"]>", "", "", 0, NONE, ALL },
    { "connected unix socket", "12<UNIX-STREAM:[12->34,\"/run/x.sock\"]>", VALUE, 12,
      "12<UNIX-STREAM:[12->34,\"/run/x.sock\"]>", "", "", 0, NONE, ALL },
    { "epoll", "4<anon_inode:[eventpoll]>", VALUE, 4, "4<anon_inode:[eventpoll]>", "", "", 0, NONE, ALL },
    { "eventfd", "5<{eventfd-count=0x5, eventfd-id=3, eventfd-semaphore=1}>", VALUE, 5,
      "5<{eventfd-count=0x5, eventfd-id=3, eventfd-semaphore=1}>", "", "", 0, NONE, ALL },
    { "signalfd", "6<signalfd:[USR1 CHLD]>", VALUE, 6, "6<signalfd:[USR1 CHLD]>", "", "", 0, NONE, ALL },
    { "pidfd", "21<pid:5862<sh>>", VALUE, 21, "21<pid:5862<sh>>", "", "", 0, NONE, ALL },
    { "pid of a command, comment", "1<sh> /* 7119 in strace's PID NS */", VALUE, 1, "1<sh>", "",
      "/* 7119 in strace's PID NS */", 0, NONE, ALL },

    { "time in s", "0 <0>", VALUE, 0, "0", "", "", 0, 0, ALL },
    { "time in ms", "0 <0.002>", VALUE, 0, "0", "", "", 0, 2000000, ALL },
    { "time in us", "0 <0.000023>", VALUE, 0, "0", "", "", 0, 23000, ALL },
    { "time in ns", "0 <0.060494104>", VALUE, 0, "0", "", "", 0, 60494104, ALL },
    { "time of more than a minute", "0 <62.000345>", VALUE, 0, "0", "", "", 0, 62000345000, ALL },
    { "time cut off", "0 <0.0000", VALUE, 0, "0", "", "", 0, NONE, 1 },
    { "time of no number", "0 <x>", VALUE, 0, "0", "", "", 0, NONE, 1 },

    { "text behind", "4 from program 5", VALUE, 4, "4", "", "", 0, NONE, 1 },
    { "another event behind", "-1 ENOENT (No such file or directory) 4242 read(", VALUE, -1, "-1", "ENOENT",
      "(No such file or directory)", 0, NONE, 37 },
    { "aux cut off", "1 (in [3", VALUE, 1, "1", "", "", 0, NONE, 1 },
    { "comment cut off", "1 /* 71", VALUE, 1, "1", "", "", 0, NONE, 1 },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    cg_strace_result result;
    size_t len = strlen(row->text);
    assert_true(cg_strace_result_read(row->text, row->text + len, &result));
    assert_int_equal(result.has, row->has);
    assert_true(result.value == row->value);
    assert_true(cg_str_is(result.text, row->result));
    assert_true(cg_str_is(result.error, row->error));
    assert_true(cg_str_is(result.note, row->note));
    assert_int_equal(result.flags, row->flags);
    assert_true(result.duration_ns == row->duration_ns);
    assert_int_equal(result.end - row->text, row->used == ALL ? len : row->used);
}

static struct bad_row {
    const char *name, *text;
} bad_rows[] = {
    { "nothing", "" },
    { "a word", "x" },
    { "minus alone", "-" },
    { "time alone", "<0.000023>" },
    { "two blanks", " 0" },
    { "number that does not fit", "18446744073709551616" },
    { "decoration cut off", "3</etc/pas" },
    { "quote cut off", "18<UNIX:[1,@\"a>" },
};

enum { BAD_ROWS = sizeof bad_rows / sizeof *bad_rows };

static void check_bad_row(void **state)
{
    const struct bad_row *row = *state;
    cg_strace_result result;
    assert_false(cg_strace_result_read(row->text, row->text + strlen(row->text), &result));
}

int main(void)
{
    struct CMUnitTest tests[ROWS + BAD_ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    for (size_t i = 0; i < BAD_ROWS; i++) {
        tests[ROWS + i] =
            (struct CMUnitTest){ .name = bad_rows[i].name, .test_func = check_bad_row, .initial_state = &bad_rows[i] };
    }
    return cmocka_run_group_tests_name("strace_result", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* dialect/strace_fast and strace_lean: the common forms are read, and just as strict() reads them; whatever is not
 * proven is left to strict(). Names and errors are known here when strict() has met them in the lines before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reading.h"

/* What every row has seen before. */
#define SEEN \
    "read(0, \"\", 1) = -1 EAGAIN (Resource temporarily unavailable)\n" \
    "openat(AT_FDCWD, \"f\", 0) = -1 ENOENT (No such file or directory)\n" \
    "close(0) = -1 EBADF (Bad file descriptor)\nwrite(0, \"\", 0) = 0\nmmap(NULL, 1) = 0x7f0000000000\n" \
    "exit_group(0) = ?\nfcntl(0, F_GETFL) = 0\numask(022) = 022\npause() = ?\nwait4(-1) = 1\n" \
    "process_vm_readv(9) = 1\n"

enum form { EVENTS, COUNTS, LEAN };

/* What must read a line. */
enum reads { NONE, FAST, ALL_FORMS /* with counts() having read such a leader before, lean() too */, LEAN_ONLY };

static struct row {
    const char *name, *setup, *line;
    enum reads reads;
} rows[] = {
    { "plain", "", "read(3, \"abc\", 3)                       = 3\n", ALL_FORMS },
    { "one blank", "", "read(3, \"abcdefghijklmnopqrstuvwxyzabcdefgh\", 40) = 40\n", ALL_FORMS },
    { "arrow in an argument", "", "read(3, [128 => 16], 3) = 3 <0.000023>\n", ALL_FORMS },
    { "name of 16", "", "process_vm_readv(9)                     = 1 <0.000023>\n", ALL_FORMS },
    { "result of eight digits", "", "read(3, \"abc\"..., 99999999) = 99999999\n", ALL_FORMS },
    { "result of ten digits", "", "read(3, \"abc\"..., 4294967296) = 4294967296\n", ALL_FORMS },
    { "duration", "", "read(3, \"abc\", 3)                       = 3 <0.000023>\n", ALL_FORMS },
    { "duration of more seconds", "", "read(3, \"abc\", 3)                       = 3 <12345.000023>\n", ALL_FORMS },
    { "pid", "", "4242  close(3)                          = 0\n", ALL_FORMS },
    { "pid of seven digits", "", "1234567 close(3)                        = 0\n", ALL_FORMS },
    { "greatest pid", "", "4194304 close(3)                        = 0\n", FAST },
    { "pid in brackets", "", "[pid  4242] close(3)                    = 0\n", FAST },
    { "time of day", "", "17:45:28 close(3)                       = 0 <0.000023>\n", FAST },
    { "time of day in us", "", "17:45:29.155364 close(3)                = 0 <0.000023>\n", FAST },
    { "pid and time of day", "", "4242  17:45:29.155364 close(3)                = 0 <0.000023>\n", FAST },
    { "past midnight", "23:59:59 close(3) = 0\n", "00:00:01 close(3)                       = 0\n", FAST },
    { "time since 1970", "", "1796060731.102865 close(3)              = 0 <0.000023>\n", ALL_FORMS },
    { "pid and time since 1970", "", "4242  1796060731.102865 close(3)              = 0\n", ALL_FORMS },
    { "error", "", "close(3)                                = -1 EBADF (Bad file descriptor)\n", ALL_FORMS },
    { "error and duration", "",
      "openat(AT_FDCWD, \"/x\", O_RDONLY) = -1 ENOENT (No such file or directory) <0.000011>\n", ALL_FORMS },
    { "address", "", "mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, 3, 0) = 0x7f85a614b000\n", ALL_FORMS },
    { "all bits", "", "mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, 3, 0) = 0xffffffffffffffff\n", ALL_FORMS },
    { "no result", "", "exit_group(0)                           = ?\n", ALL_FORMS },
    { "decorated result", "", "openat(AT_FDCWD, \"/x\", O_RDONLY) = 3</etc/passwd>\n", ALL_FORMS },
    { "decorated result with an arrow", "", "openat(AT_FDCWD, \"/x\", 0) = 3<TCP:[127.0.0.1:1->127.0.0.1:2]>\n",
      ALL_FORMS },
    { "flags behind the result", "", "fcntl(3, F_GETFL)                       = 0x8001 (flags O_WRONLY|O_LARGEFILE)\n",
      ALL_FORMS },
    { "first half", "", "4242  read(9,  <unfinished ...>\n", ALL_FORMS },
    { "first half with all arguments", "", "4242  wait4(-1, NULL, 0, NULL <unfinished ...>\n", ALL_FORMS },
    { "first half with time", "", "4242  1796060731.102865 read(9,  <unfinished ...>\n", ALL_FORMS },
    { "second half", "4242  read(9,  <unfinished ...>\n", "4242  <... read resumed>\"g\", 1)         = 1\n",
      ALL_FORMS },
    { "second half with times", "4242  1796060731.102865 read(9,  <unfinished ...>\n",
      "4242  1796060731.202865 <... read resumed>\"g\", 1) = 1 <0.100000>\n", ALL_FORMS },
    { "second half with an error", "4242  read(9,  <unfinished ...>\n",
      "4242  <... read resumed>0x7f, 1)        = -1 EAGAIN (Resource temporarily unavailable)\n", ALL_FORMS },
    { "second half without a result", "4242  exit_group(0 <unfinished ...>\n",
      "4242  <... exit_group resumed>)         = ?\n", ALL_FORMS },
    { "another thread's call is open, whose pid ends alike", "14242  read(9,  <unfinished ...>\n",
      "4242  close(3)                          = 0\n", ALL_FORMS },
    { "another thread's call is open", "4242  read(9,  <unfinished ...>\n",
      "4243  close(3)                          = 0\n", ALL_FORMS },

    { "short line", "", "close(3) = 0\n", LEAN_ONLY },
    { "nothing", "", "\n", NONE },
    { "name not met yet", "", "lseek(3, 0, SEEK_SET)                   = 0\n", NONE },
    { "name of 16 and more", "", "process_vm_readvs(9)                    = 1\n", NONE },
    { "name of one that goes on", "", "process_vm_readvs9)                     = 1\n", NONE },
    { "name longer than 15", "", "set_tid_address_and_more(0x7f)          = 0\n", NONE },
    { "error not met yet", "", "close(3)                                = -1 EIO (Input/output error)\n", NONE },
    { "result inside a string", "", "openat(AT_FDCWD, \"/ => a) = -1 ENOENT\", O_RDONLY) = 3\n", NONE },
    { "result inside the string of a first half", "", "openat(AT_FDCWD, \"/ a) = 3\", O_RDONLY <unfinished ...>\n",
      NONE },
    { "text behind the result", "", "read(3, \"abc\", 3)                       = 3 bytes\n", NONE },
    { "number glued to the result", "", "read(3, \"abc\", 3)                       = 3x\n", NONE },
    { "blank behind the result", "", "read(3, \"abc\", 3)                       = 3 \n", NONE },
    { "carriage return", "", "read(3, \"abc\", 3)                       = 3\r\n", NONE },
    { "tab before the result", "", "read(3, \"abc\", 3)\t\t\t= 3\n", NONE },
    { "no bracket before the result", "", "read(3, \"abc\", 3                        = 3\n", NONE },
    { "nothing behind the equals sign", "", "read(3, \"abc\", 3)                       = \n", NONE },
    { "octal", "", "umask(022)                              = 022\n", NONE },
    { "negative that is no error", "", "fcntl(3, F_GETOWN)                      = -3041965\n", NONE },
    { "minus one that is no error", "", "fcntl(3, F_GETOWN)                      = -1\n", NONE },
    { "unknown error", "", "close(3)                                = -1 (errno 999)\n", NONE },
    { "error text with parentheses", "", "close(3)                                = -1 EBADF (Bad (file) descriptor)\n",
      NONE },
    { "error in UTF-8", "", "close(3)                                = -1 EBADF (\xe9\x94\x99)\n", NONE },
    { "error text cut off", "", "close(3)                                = -1 EBADF (Bad fi\n", NONE },
    { "to be restarted", "",
      "pause()                                 = ? ERESTARTNOHAND (To be restarted if no handler)\n", NONE },
    { "not available", "", "read(3, 0x7ffd, 10)                     = ? <unavailable>\n", NONE },
    { "injected", "", "close(3)                                = 0 (INJECTED)\n", NONE },
    { "delayed", "", "close(3)                                = 0 (DELAYED)\n", NONE },
    { "comment", "", "wait4(-1, NULL, 0, NULL)                = 9 /* 12 in strace's PID NS */\n", NONE },
    { "two notes", "", "close(3)                                = 0 (a) (b)\n", NONE },
    { "quote in a note", "", "read(3, \"\", 1)                          = 1 (\")\")\n", NONE },
    { "security context", "", "openat(AT_FDCWD, \"f\" [a_t], O_RDONLY) = 3 [a_t]\n", NONE },
    { "nested decoration", "", "openat(AT_FDCWD, \"/dev/null\", O_RDONLY) = 3</dev/null<char 1:3>>\n", NONE },
    { "deleted", "", "openat(AT_FDCWD, \"/x\", O_RDONLY)        = 3</x>(deleted)\n", NONE },
    { "raw bracket in a decoration", "", "openat(AT_FDCWD, \"/x\", O_RDONLY)        = 3</a>b>\n", NONE },
    { "duration in ms", "", "close(3)                                = 0 <0.002>\n", NONE },
    { "duration in ns", "", "close(3)                                = 0 <0.000002345>\n", NONE },
    { "duration in s", "", "close(3)                                = 0 <0>\n", NONE },
    { "joined lines", "", "close(3)                                = 0close(4) = 0\n", NONE },
    { "detached", "", "read(0, \"xxxxxxxxxxxxxxxxxx\",  <detached ...>\n", NONE },
    { "exit status of 4.6", "", "exit_group(0 <unfinished ... exit status 0>\n", NONE },
    { "pid changed", "", "execve(\"/x\", [\"x\"], 0x7ffd /* 0 vars */ <pid changed to 4300 ...>\n", NONE },
    { "pid that is too great", "", "4194305 close(3)                        = 0\n", NONE },
    { "command", "", "4242<sh> close(3)                       = 0\n", NONE },
    { "gap", "", "     0.002040 close(3)                  = 0\n", NONE },
    { "time and gap", "", "17:45:28 (+     0.002040) close(3)      = 0\n", NONE },
    { "number of the call", "", "[   3] close(3)                         = 0\n", NONE },
    { "address of the call", "", "[00007efdfe984ca3] close(3)             = 0\n", NONE },
    { "time since 1970 in s", "", "1796060731 close(3)                     = 0\n", NONE },
    { "time since 1970 in ns", "", "1796060731.102865123 close(3)           = 0\n", NONE },
    { "time before 1973", "", "0099999999.102865 close(3)              = 0\n", NONE },
    { "time of day in ms", "", "17:45:29.155 close(3)                   = 0\n", NONE },
    { "same thread's call is open", "4242  read(9,  <unfinished ...>\n",
      "4242  close(3)                          = 0\n", NONE },
    { "same thread's call is open, first half", "4242  read(9,  <unfinished ...>\n",
      "4242  wait4(-1,  <unfinished ...>\n", NONE },
    { "second half without its first", "", "4242  <... read resumed>\"g\", 1)         = 1\n", NONE },
    { "second half of another call", "4242  wait4(9,  <unfinished ...>\n",
      "4242  <... read resumed>\"g\", 1)         = 1\n", NONE },
    { "second half without pid", "4242  read(9,  <unfinished ...>\n", "<... read resumed>\"g\", 1)               = 1\n",
      NONE },
    { "second half behind a blank", "4242  read(9,  <unfinished ...>\n",
      "4242  <... read resumed> \"g\", 1)        = 1\n", NONE },
    { "second half without bracket", "4242  exit_group(0 <unfinished ...>\n", "4242  <... exit_group resumed> = ?\n",
      NONE },
    { "both words on one line", "4242  pause( <unfinished ...>\n", "4242  <... pause resumed> <unfinished ...>) = ?\n",
      NONE },
    { "signal", "", "4242  --- SIGCHLD {si_signo=SIGCHLD} ---\n", NONE },
    { "exit", "", "4242  +++ exited with 0 +++\n", NONE },
    { "notice", "", "strace: Process 4242 attached\n", NONE },
    { "stack frame", "", " > /usr/lib/libc.so.6(__read+0x10) [0xfb1a0]\n", NONE },
    { "dump", "", " | 00000  20 3d 20                                          =              |\n", NONE },
    { "heading of a table", "", "% time     seconds  usecs/call     calls    errors syscall\n", NONE },
    { "output like a call", "", "the call read(3, buffer, 10) gave x = 10\n", NONE },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void take_line(scene *s, callgauge_str text)
{
    scene_feed(s, text);
    assert_true(next_line(&s->lines, &s->line));
}

/* Reads a whole call with the leader of a row's line: what the lean form knows leaders from. */
static void teach(scene *s, const char *line, enum form form)
{
    char text[256];
    int len = (int)strcspn(line, "<abcdefghijklmnopqrstuvwxyz\n");
    snprintf(text, sizeof text, "%.*sclose(0)                        = 0\n", len, line);
    take_line(s, cg_str_z(text));
    if (form != LEAN || s->parse.dialect->counts(&s->parse, &s->line, &s->event) != CG_LINE_EVENT) {
        scene_strict(s);
    }
}

/* The row's line is fed last, and not taken. */
static void set_up(scene *s, const struct row *row, uint32_t wants, enum form form)
{
    char verdicts[32];
    scene_begin(s, &cg_dialect_strace);
    s->parse.wants = wants;
    s->capture.first_ns = 0; /* the first moment has been noted by the reader */
    scene_read(s, SEEN, verdicts, sizeof verdicts);
    teach(s, row->line, form);
    if (row->setup[0] != 0) {
        scene_read(s, row->setup, verdicts, sizeof verdicts);
    }
    s->said.len = 0;
    scene_feed(s, cg_str_z(row->line));
}

/* What is promised of counts: no more is compared. */
static void say_counts(scene *s, cg_verdict verdict)
{
    const callgauge_event *event = &s->event;
    s->said.len = 0;
    if (verdict != CG_LINE_EVENT && verdict != CG_LINE_REST) {
        return;
    }
    assert_int_equal(event->kind, CALLGAUGE_EVENT_CALL);
    callgauge_event counted = {
        .kind = event->kind, .flags = event->flags, .call = event->call, .error = event->error
    };
    counted.has = event->has & CALLGAUGE_HAS_DURATION;
    counted.duration_ns = event->duration_ns;
    counted.duration_kind = event->duration_kind;
    if (event->call->moves != CALLGAUGE_MOVES_NOTHING) {
        counted.has |= event->has & CALLGAUGE_HAS_VALUE;
        counted.value = event->value;
    }
    say_event(&s->said, &counted);
}

/* Runs of no more than the line at hand. */
static cg_verdict read_lean(scene *s)
{
    cg_run run;
    uint64_t number = cg_lines_number(&s->lines);
    s->parse.dialect->lean(&s->parse, &s->lines, &run);
    if (cg_lines_number(&s->lines) == number) {
        assert_int_equal(run.count + run.event_lines + run.continuation_lines, 0);
        return CG_LINE_HARD;
    }
    assert_int_equal(cg_lines_number(&s->lines), number + 1);
    assert_int_equal(run.event_lines + run.continuation_lines, 1);
    if (run.count == 0) {
        return CG_LINE_FIRST;
    }
    const cg_run_call *call = &run.calls[0];
    assert_int_equal(run.count, 1);
    s->event = (callgauge_event){ .kind = CALLGAUGE_EVENT_CALL,
                                  .has = call->has,
                                  .flags = call->flags,
                                  .call = call->name,
                                  .error = call->error,
                                  .value = call->value,
                                  .duration_ns = call->duration_ns,
                                  .duration_kind = run.kind };
    return run.continuation_lines > 0 ? CG_LINE_REST : CG_LINE_EVENT;
}

static cg_verdict read_form(scene *s, enum form form)
{
    const cg_dialect *dialect = s->parse.dialect;
    if (form != LEAN) {
        assert_true(next_line(&s->lines, &s->line));
    }
    cg_verdict verdict = form == EVENTS   ? dialect->events(&s->parse, &s->line, &s->event)
                         : form == COUNTS ? dialect->counts(&s->parse, &s->line, &s->event)
                                          : read_lean(s);
    if (form == EVENTS) {
        scene_say(s, verdict);
    } else {
        say_counts(s, verdict);
    }
    return verdict;
}

/* Each open call, and the clock: what a line leaves behind. */
static void say_left(scene *s)
{
    cg_open_call *open;
    while ((open = cg_open_oldest(&s->parse.open)) != NULL) {
        cg_parse_lost(&s->parse, open);
        s->parse.has_lost = false;
        say_event(&s->said, &s->parse.lost);
    }
    const cg_parse *parse = &s->parse;
    assert_true(cg_buf_printf(&s->said, "clock %d durations %d", s->capture.clock, parse->duration_kind));
}

static void check_form(const struct row *row, enum form form)
{
    scene fast, strict;
    uint32_t wants = form == EVENTS ? CG_WANT_SCALARS | CG_WANT_THREAD : CG_WANT_COUNTS;
    set_up(&fast, row, wants, form);
    set_up(&strict, row, wants, EVENTS);
    cg_verdict verdict = read_form(&fast, form);
    bool must = row->reads == ALL_FORMS || row->reads == (form == LEAN ? LEAN_ONLY : FAST);
    if (!must && (verdict == CG_LINE_HARD || row->reads != FAST)) {
        assert_int_equal(verdict_letter(verdict), 'H');
    } else {
        assert_true(next_line(&strict.lines, &strict.line));
        cg_verdict strictly = scene_strict(&strict);
        if (form != EVENTS) {
            say_counts(&strict, strictly);
        }
        assert_int_equal(verdict_letter(verdict), verdict_letter(strictly));
        say_left(&fast);
        say_left(&strict);
        assert_string_equal(said_text(&fast.said), said_text(&strict.said));
    }
    scene_end(&fast);
    scene_end(&strict);
}

static void check_row(void **state)
{
    check_form(*state, EVENTS);
    check_form(*state, COUNTS);
    check_form(*state, LEAN);
}

/* The first time since 1970 is strict()'s, so that the capture's first moment is noted. */
static void check_first_stamp(void **state)
{
    (void)state;
    const struct row row = { "", "", "1796060731.102865 close(3)              = 0\n", NONE };
    scene s;
    scene_begin(&s, &cg_dialect_strace);
    s.parse.wants = CG_WANT_COUNTS;
    scene_feed(&s, cg_str_z(row.line));
    assert_int_equal(read_form(&s, LEAN), CG_LINE_HARD);
    assert_int_equal(read_form(&s, COUNTS), CG_LINE_HARD);
    scene_end(&s);
}

/* A stamp that counts() and lean() leave unread is read when it is asked for. */
static void check_stamp_left(void **state)
{
    (void)state;
    const struct row row = { "", "", "1796060731.102865 close(3)              = 0 <0.000023>\n", NONE };
    for (enum form form = COUNTS; form <= LEAN; form++) {
        scene s;
        set_up(&s, &row, CG_WANT_COUNTS, LEAN);
        s.parse.stamp_at = NULL;
        const char *line = s.lines.buf + s.lines.start;
        assert_int_equal(read_form(&s, form), CG_LINE_EVENT);
        assert_ptr_equal(s.parse.stamp_at, line);
        assert_int_equal(s.parse.stamp_duration, 23000);
        assert_true(s.parse.dialect->stamp(&s.parse) == INT64_C(1796060731102865000));
        scene_end(&s);
    }
}

/* Calls in one run: the stamp that is left is that of the last call, and the end of a joined one behind it. */
static void check_run(void **state)
{
    (void)state;
    const struct row row = { "", "",
                             "7 1796060731.102865 close(3)              = 0 <0.000023>\n"
                             "7 1796060731.202865 read(3,  <unfinished ...>\n"
                             "8 1796060731.302865 close(3)              = 0 <0.000024>\n"
                             "7 1796060731.402865 <... read resumed>\"\", 9) = 7 <0.400000>\n"
                             "8 1796060731.502865 close(3)              = -1 EBADF (Bad file descriptor) <0.000025>\n"
                             "8 1796060731.602865 read(3,  <unfinished ...>\n"
                             "8 1796060731.702865 close(3)              = 0 <0.000026>\n",
                             NONE };
    scene s;
    cg_run run;
    set_up(&s, &row, CG_WANT_COUNTS, LEAN);
    s.parse.dialect->lean(&s.parse, &s.lines, &run);
    assert_int_equal(run.count, 4);
    assert_int_equal(run.event_lines, 5);
    assert_int_equal(run.continuation_lines, 1);
    assert_int_equal(run.kind, CALLGAUGE_TIME_WALL);
    assert_true(run.end_ns == INT64_C(1796060731602865000));
    assert_int_equal(run.calls[2].value, 7);
    assert_int_equal(run.calls[2].flags, CALLGAUGE_CALL_RESUMED);
    assert_true(cg_str_is(run.calls[3].error->text, "EBADF"));
    assert_true(s.parse.dialect->stamp(&s.parse) == INT64_C(1796060731502865000));
    assert_int_equal(s.parse.stamp_duration, 25000);
    assert_true(next_line(&s.lines, &s.line)); /* its thread has a call open */
    assert_int_equal(s.line.number, cg_lines_number(&s.lines) - 1);
    assert_int_equal(s.parse.dialect->counts(&s.parse, &s.line, &s.event), CG_LINE_HARD);
    scene_end(&s);
}

/* More calls than a run has room for, and more lines than are listed at one time. */
static void check_long_run(void **state)
{
    (void)state;
    enum { CALLS = 3 * CG_RUN_CALLS + 1 };
    const struct row row = { "", "", "7 close(3)              = 0 <0.000023>\n", NONE };
    scene s;
    cg_run run = { .count = CG_RUN_CALLS };
    size_t count = 0;
    set_up(&s, &row, CG_WANT_COUNTS, LEAN);
    for (int i = 1; i < CALLS; i++) {
        scene_feed(&s, cg_str_z(row.line));
    }
    while (run.count == CG_RUN_CALLS) {
        s.parse.dialect->lean(&s.parse, &s.lines, &run);
        assert_int_equal(run.event_lines, run.count);
        count += run.count;
    }
    assert_int_equal(count, CALLS);
    assert_false(next_line(&s.lines, &s.line));
    scene_end(&s);
}

/* The last line of a capture may be cut in its result. */
static void check_cut_line(void **state)
{
    (void)state;
    const struct row row = { "", "", "\n", NONE };
    scene s;
    set_up(&s, &row, CG_WANT_SCALARS, EVENTS);
    assert_true(next_line(&s.lines, &s.line));
    scene_feed(&s, cg_str_z("read(3, \"abc\", 30)                      = 3"));
    cg_lines_finish(&s.lines);
    assert_int_equal(read_form(&s, LEAN), CG_LINE_HARD);
    assert_int_equal(read_form(&s, EVENTS), CG_LINE_HARD);
    assert_true(s.line.cut);
    assert_int_equal(s.parse.dialect->counts(&s.parse, &s.line, &s.event), CG_LINE_HARD);
    scene_end(&s);
}

int main(void)
{
    enum { OTHERS = 5 };
    struct CMUnitTest tests[ROWS + OTHERS] = { cmocka_unit_test(check_first_stamp), cmocka_unit_test(check_stamp_left),
                                               cmocka_unit_test(check_run), cmocka_unit_test(check_long_run),
                                               cmocka_unit_test(check_cut_line) };
    for (size_t i = 0; i < ROWS; i++) {
        tests[OTHERS + i] =
            (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("strace_fast", tests, NULL, NULL);
}

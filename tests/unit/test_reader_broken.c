/* SPDX-License-Identifier: Apache-2.0 */
/* Captures that people, programs and terminals have damaged, hostile ones, and callers that use the reader
 * wrongly. Each row counts what a histogram of the undamaged capture has, or says what is lost; the lines add
 * up in all of them, whole and fed in pieces of 1 and 7 bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <callgauge/callgauge.h>

#include "base/str.h"

typedef struct counts {
    unsigned calls, errors, unreturned;
    unsigned foreign, unread; /* lines */
    unsigned rows;            /* calls that rows of tables count */
} counts;

struct row {
    const char *name, *text;
    counts want;
    const char *repair;  /* that must have been counted; NULL: no repair at all */
    const char *dialect; /* to be found out */
};

#define ENOENT_TEXT "ENOENT (No such file or directory)"

static struct row rows[] = {
    /* what stands in front of every line */
    { "indented by blanks",
      "    brk(NULL)                               = 0x55d0c2a3e000\n"
      "    openat(AT_FDCWD, \"/etc/x\", O_RDONLY)    = -1 " ENOENT_TEXT "\n"
      "    close(3)                                = 0\n",
      { 3, 1, 0, 0, 0, 0 },
      "constant-prefix",
      "strace" },
    { "indented, with pids that could be times",
      "    15130 vfork( <unfinished ...>\n"
      "    15131 execve(\"/bin/true\", [\"true\"], 0x7fff04dca8f0 /* 3 vars */) = 0\n"
      "    15130 <... vfork resumed>)              = 15131\n",
      { 2, 0, 0, 0, 0, 0 },
      "constant-prefix",
      "strace" },
    { "indented by a tab",
      "\tbrk(NULL)                               = 0x55d0c2a3e000\n\tclose(3)                                = 0\n",
      { 2, 0, 0, 0, 0, 0 },
      "constant-prefix",
      "strace" },
    { "quoted, with pids",
      "> 15130 vfork( <unfinished ...>\n"
      "> 15131 execve(\"/bin/true\", [\"true\"], 0x7fff04dca8f0 /* 3 vars */) = 0\n"
      "> 15130 <... vfork resumed>)              = 15131\n",
      { 2, 0, 0, 0, 0, 0 },
      "constant-prefix",
      "strace" },
    { "quoted, with gaps",
      "> 15130      0.000000 brk(NULL) = 0x55d0c2a3e000\n> 15130     12.000030 close(3) = 0\n",
      { 2, 0, 0, 0, 0, 0 },
      "constant-prefix",
      "strace" },
    { "quoted, and CR at the ends",
      "> brk(NULL)                               = 0x55d0c2a3e000\r\n"
      "> close(3)                                = 0\r\n",
      { 2, 0, 0, 0, 0, 0 },
      "constant-prefix",
      "strace" },
    { "found by grep",
      "trace.log:15130 vfork( <unfinished ...>\n"
      "trace.log:15131 execve(\"/bin/true\", [\"true\"], 0x7fff04dca8f0 /* 3 vars */) = 0\n"
      "trace.log:15130 <... vfork resumed>)      = 15131\n",
      { 2, 0, 0, 0, 0, 0 },
      "constant-prefix",
      "strace" },
    { "line numbers, aligned",
      "     9\tbrk(NULL)                               = 0x55d0c2a3e000\n"
      "    10\tclose(3)                                = 0\n"
      "   100\tclose(4)                                = 0\n",
      { 3, 0, 0, 0, 0, 0 },
      "constant-prefix",
      "strace" },
    { "line numbers that could be pids of truss",
      "9: brk(NULL)                               = 0x55d0c2a3e000\n"
      "10: openat(AT_FDCWD, \"/etc/x\", O_RDONLY)    = -1 " ENOENT_TEXT "\n",
      { 2, 1, 0, 0, 0, 0 },
      "constant-prefix",
      "strace" },
    { "a time in brackets is no security context",
      "[17:45:28] 10:00:01.000001 close(3) = 0\n[17:45:29] 10:00:01.000002 close(4) = 0\n",
      { 2, 0, 0, 0, 0, 0 },
      "constant-prefix",
      "strace" },
    /* what web pages do */
    { "entities where they do no harm, before those that do",
      "100 execve(&quot;/bin/sh&quot;, [&quot;sh&quot;], 0x7fff04dca8f0 /* 3 vars */) = 0\n"
      "100 wait4(-1,  &lt;unfinished ...&gt;\n"
      "100 &lt;... wait4 resumed&gt;NULL, 0, NULL) = 101\n",
      { 2, 0, 0, 0, 0, 0 },
      "html-entities",
      "strace" },
    { "entities in every duration",
      "100 1700000000.000001 close(3) = 0 &lt;0.000011&gt;\n100 1700000000.000021 close(4) = 0 &lt;0.000012&gt;\n",
      { 2, 0, 0, 0, 0, 0 },
      "html-entities",
      "strace" },
    { "entities that the program wrote",
      "write(1, \"&lt;p&gt;&quot;\", 13)           = 13\nclose(3)                                = 0\n",
      { 2, 0, 0, 0, 0, 0 },
      NULL,
      "strace" },
    /* what terminals and editors do */
    { "blanks at the ends",
      "brk(NULL)                               = 0x55d0c2a3e000     \n"
      "openat(AT_FDCWD, \"/etc/x\", O_RDONLY)    = -1 " ENOENT_TEXT " \n"
      "--- SIGCHLD {si_signo=SIGCHLD} ---\t\n",
      { 2, 1, 0, 0, 0, 0 },
      NULL,
      "strace" },
    { "a name joined to a pointer",
      "mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, -1, 0) = 0x7fb931bdf000close(3) = 0\n"
      "mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, -1, 0) = 0x7fb931bdfaccaccess(\"/x\", R_OK) = -1 " ENOENT_TEXT "\n",
      { 4, 1, 0, 0, 0, 0 },
      "joined-lines",
      "strace" },
    { "a pid joined to a pointer",
      "15064 mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, -1, 0) = 0x7f8b0fa3a00015064 access(\"/x\", R_OK) = "
      "-1 " ENOENT_TEXT "\n",
      { 2, 1, 0, 0, 0, 0 },
      "joined-lines",
      "strace" },
    { "seconds of a day with more than two digits are no time",
      "brk(NULL) = 0x55d0c2a3e000\n10:00:9223372036.854775807 close(3) = 0\n",
      { 2, 0, 0, 0, 0, 0 },
      "output-before-event",
      "strace" },
    { "wrapped behind the equals sign, whose blank is gone",
      "mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) =\n0x7fb931bdf000\nbrk(NULL) = 0\n",
      { 2, 0, 0, 0, 0, 0 },
      "wrapped-lines",
      "strace" },
    { "wrapped behind the error's name, whose blank is gone",
      "newfstatat(AT_FDCWD, \"/data/web/.htaccess.0\", 0x7ffc168637e0, 0) = -1 ENOENT\n"
      "(No such file or directory)\nbrk(NULL) = 0x55d0c2a3e000\n",
      { 2, 1, 0, 0, 0, 0 },
      "wrapped-lines",
      "strace" },
    { "a second half over three lines",
      "15909 pread64(4,  <unfinished ...>\n15909 <... pread64\nresumed>\"\\0\\0\", 32,\n0) = 32 <0.000289>\n15909 "
      "close(3) = 0\n",
      { 2, 0, 0, 0, 0, 0 },
      "wrapped-lines",
      "strace" },
    { "wrapped before the error's name: counted, and what is lost is said",
      "openat(AT_FDCWD, \"/etc/x\", O_RDONLY) = -1\n" ENOENT_TEXT "\nclose(3) = 0\n",
      { 2, 0, 0, 0, 1, 0 },
      NULL,
      "strace" },
    { "two rests of one line that cannot be read",
      "Base time stamp:  1464310423.7650  [ Fri May 27 00:53:43 UTC 2016 ] 0.0027 bind(3, 0x070F5860, 32)   = 0 "
      "0.0028 listen(3, 1, SOV_DEFAULT)   = 0accept(3, 0x060AC25F, 0x0D0CA885, SOV_DEFAULT, 0) (sleeping...)<hr>\n"
      "23.8934 accept(3, 0x060AC25F, 0x0D0CA885, SOV_DEFAULT, 0) = 4pollsys(0x06091990, 2) (sleeping...)<hr>\n",
      { 3, 0, 0, 0, 2, 0 },
      "joined-lines",
      "truss-solaris" },
    { "a frame behind a call behind output is a frame",
      "brk(NULL) = 0x55d0c2a3e000\nsome output\n > /lib/libc.so.6(brk+0xb) [0x11a1b]\nclose(3) = 0\n"
      " > /lib/libc.so.6(close+0xb) [0x11a1b]\n",
      { 2, 0, 0, 2, 0, 0 },
      NULL,
      "strace" },
/* tables */
#define TABLE \
    "% time     seconds  usecs/call     calls    errors syscall\n" \
    "------ ----------- ----------- --------- --------- ----------------\n" \
    " 60.00    0.000600          60        10         2 openat\n"
    { "a table with blank lines",
      "% time     seconds  usecs/call     calls    errors syscall\n\n"
      "------ ----------- ----------- --------- --------- ----------------\n\n"
      " 60.00    0.000600          60        10         2 openat\n\n",
      { 0, 0, 0, 3, 0, 10 },
      NULL,
      "strace" },
    { "a number too large to be a count",
      TABLE " 40.00    0.000400          40  99999999999999999999   read\n",
      { 0, 0, 0, 0, 1, 10 },
      NULL,
      "strace" },
    { "a number too large to be summed",
      TABLE " 40.00    0.000400          40  18446744073709551615   read\n",
      { 0, 0, 0, 0, 1, 10 },
      NULL,
      "strace" },
    { "a row that ends in its numbers", TABLE " 40.00    0.0004", { 0, 0, 0, 0, 1, 10 }, NULL, "strace" },
    { "a row that ends in a name",
      TABLE " 40.00    0.000400          40        10           clo",
      { 0, 0, 0, 0, 1, 10 },
      NULL,
      "strace" },
    { "a row that may end in a name",
      TABLE " 40.00    0.000400          40        10           close",
      { 0, 0, 0, 0, 0, 20 },
      NULL,
      "strace" },
    { "a row that ends in a count",
      "syscall              calls    errors\n---------------- --------- ---------\n"
      "openat                  10         2\nread                    10",
      { 0, 0, 0, 0, 1, 10 },
      NULL,
      "strace" },
    { "a row of truss that ends in a count",
      "syscall               seconds   calls  errors\nread                     .553    8355\n"
      "write                    .100    3",
      { 0, 0, 0, 0, 1, 8355 },
      NULL,
      "truss-solaris" },
    { "totals of truss that end in a count",
      "syscall               seconds   calls  errors\nread                     .553    8355\n"
      "                     -------  ------   ----\nsys totals:              .553    8355      2",
      { 0, 0, 0, 0, 1, 8355 },
      NULL,
      "truss-solaris" },
    { "totals of truss that end in a time",
      "syscall               seconds   calls  errors\nread                     .553    8355\n"
      "elapsed:               56.240",
      { 0, 0, 0, 0, 0, 8355 },
      NULL,
      "truss-solaris" },
};

static void add_event(const callgauge_event *event, counts *into)
{
    if (event->kind == CALLGAUGE_EVENT_CALL && (event->flags & CALLGAUGE_CALL_CHILD) == 0) {
        bool unreturned = (event->flags & CALLGAUGE_CALL_UNRETURNED) != 0;
        into->unreturned += unreturned;
        into->calls += !unreturned;
        into->errors += !unreturned && event->error != NULL;
    } else if (event->kind == CALLGAUGE_EVENT_COUNT_ROW) {
        into->rows += (unsigned)event->row->calls;
    }
}

static callgauge_status pull(callgauge_reader *reader, counts *into)
{
    const callgauge_event *event;
    callgauge_status st;
    while ((st = callgauge_reader_next(reader, &event, NULL)) == CALLGAUGE_OK) {
        add_event(event, into);
    }
    return st;
}

static callgauge_reader *new_reader(const callgauge_reader_options *options)
{
    callgauge_reader *reader = NULL;
    assert_int_equal(callgauge_reader_new("x", options, &reader, NULL), CALLGAUGE_OK);
    return reader;
}

static callgauge_reader *read_pieces(const char *text, size_t len, size_t piece, counts *into)
{
    callgauge_reader *reader = new_reader(NULL);
    for (size_t at = 0; at < len; at += piece) {
        size_t part = piece < len - at ? piece : len - at;
        assert_int_equal(callgauge_reader_feed(reader, text + at, part, NULL), CALLGAUGE_OK);
        assert_int_equal(pull(reader, into), CALLGAUGE_MORE);
    }
    assert_int_equal(callgauge_reader_finish(reader, NULL), CALLGAUGE_OK);
    assert_int_equal(pull(reader, into), CALLGAUGE_END);
    const callgauge_capture *capture = callgauge_reader_capture(reader);
    into->foreign = (unsigned)capture->foreign_lines;
    into->unread = (unsigned)capture->unread_lines;
    assert_int_equal(capture->lines, capture->event_lines + capture->continuation_lines + capture->table_lines +
                                         capture->notice_lines + capture->foreign_lines + capture->unread_lines);
    return reader;
}

static void assert_counts(const counts *got, const counts *want)
{
    assert_int_equal(got->calls, want->calls);
    assert_int_equal(got->errors, want->errors);
    assert_int_equal(got->unreturned, want->unreturned);
    assert_int_equal(got->foreign, want->foreign);
    assert_int_equal(got->unread, want->unread);
    assert_int_equal(got->rows, want->rows);
}

static void assert_repaired(const callgauge_capture *capture, const char *kind)
{
    if (kind == NULL) {
        assert_int_equal(capture->repair_count, 0);
        return;
    }
    for (size_t i = 0; i < capture->repair_count; i++) {
        if (strcmp(capture->repairs[i].kind, kind) == 0) {
            return;
        }
    }
    fail_msg("no repair %s", kind);
}

static void check_row(void **state)
{
    const struct row *row = *state;
    const size_t pieces[] = { strlen(row->text), 7, 1 };
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        counts got = { 0 };
        callgauge_reader *reader = read_pieces(row->text, strlen(row->text), pieces[i], &got);
        assert_counts(&got, &row->want);
        assert_repaired(callgauge_reader_capture(reader), row->repair);
        assert_string_equal(callgauge_reader_capture(reader)->dialect, row->dialect);
        callgauge_reader_free(reader);
    }
}

/* ---- pathological input: what was quadratic would run for minutes ---- */

/* `head`, `count` times `line`, `tail`. */
static char *repeated(const char *head, const char *line, size_t count, const char *tail, size_t *len)
{
    size_t head_len = strlen(head), line_len = strlen(line), tail_len = strlen(tail);
    *len = head_len + count * line_len + tail_len;
    char *text = malloc(*len);
    assert_non_null(text);
    memcpy(text, head, head_len);
    for (size_t i = 0; i < count; i++) {
        memcpy(text + head_len + i * line_len, line, line_len);
    }
    memcpy(text + head_len + count * line_len, tail, tail_len);
    return text;
}

static void output_behind_an_open_line(void **state)
{
    (void)state;
    enum { LINES = 30000, LENGTH = 500 };
    char line[LENGTH + 2];
    memset(line, 'x', LENGTH);
    memcpy(line + LENGTH, "\n", 2);
    size_t len;
    char *text = repeated("brk(NULL) = 0x55d0c2a3e000\nopenat(AT_FDCWD, \"\n", line, LINES, "close(3) = 0\n", &len);
    counts got = { 0 };
    callgauge_reader_free(read_pieces(text, len, len, &got));
    assert_counts(&got, &(counts){ 2, 0, 0, LINES, 1, 0 });
    free(text);
}

/* Each pair of lines is a midnight: after 106,751 days a sum of ns would wrap. */
static void more_midnights_than_fit(void **state)
{
    (void)state;
    enum { MIDNIGHTS = 110000 };
    size_t len;
    char *text = repeated("", "23:00:00 brk(NULL) = 0\n00:00:00 brk(NULL) = 0\n", MIDNIGHTS, "", &len);
    counts got = { 0 };
    callgauge_reader *reader = read_pieces(text, len, len, &got);
    assert_int_equal(got.calls, 2 * MIDNIGHTS);
    assert_int_equal(callgauge_reader_capture(reader)->last_ns, INT64_MAX);
    callgauge_reader_free(reader);
    free(text);
}

/* One line of a million times the same, in which an event could begin everywhere. */
static void endless_lines(void **state)
{
    (void)state;
    enum { TIMES = 1000000 };
    static const char *const parts[] = {
        "1", "[", "12<", "[1", "--- ", "<... ", "12 ", "x[pid ", "close(", "\"", "= 0x"
    };
    static const char *const heads[] = { "brk(NULL) = 0x55d0c2a3e000\nx ", "12 brk(NULL) = 0x55d0c2a3e000\nx " };
    for (size_t i = 0; i < 2 * sizeof parts / sizeof *parts; i++) {
        size_t len;
        char *text = repeated(heads[i % 2], parts[i / 2], TIMES, "\n", &len);
        counts got = { 0 };
        callgauge_reader_free(read_pieces(text, len, len, &got));
        assert_int_equal(got.calls, 1);
        assert_int_equal(got.foreign + got.unread, 1);
        free(text);
    }
}

/* A pointer of a million digits, each of which could be a name's first letter. */
static void endless_pointer(void **state)
{
    (void)state;
    enum { DIGITS = 1000000 };
    size_t len;
    char *text = repeated("brk(NULL) = 0x55d0c2a3e000\nbrk(NULL) = 0x", "a", DIGITS, "\n", &len);
    counts got = { 0 };
    callgauge_reader_free(read_pieces(text, len, len, &got));
    assert_counts(&got, &(counts){ 1, 0, 0, 0, 1, 0 });
    free(text);
}

static char *unfinished_calls(size_t count, const char *tail, size_t *len)
{
    enum { LONGEST = 40 };
    char *text = malloc(count * LONGEST + strlen(tail) + 1);
    assert_non_null(text);
    *len = 0;
    for (size_t i = 0; i < count; i++) {
        *len += (size_t)snprintf(text + *len, LONGEST, "%zu read(3,  <unfinished ...>\n", i + 1);
    }
    memcpy(text + *len, tail, strlen(tail));
    *len += strlen(tail);
    return text;
}

static void open_calls_are_ended_in_their_order(void **state)
{
    (void)state;
    enum { LIMIT = 65536, CALLS = LIMIT + 1000 };
    size_t len;
    char *text = unfinished_calls(CALLS, "7 <... read resumed>\"\", 1) = 0\n", &len);
    callgauge_reader *reader = new_reader(NULL);
    assert_int_equal(callgauge_reader_feed(reader, text, len, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_finish(reader, NULL), CALLGAUGE_OK);
    const callgauge_event *event;
    uint64_t before = 0, unreturned = 0, calls = 0;
    while (callgauge_reader_next(reader, &event, NULL) == CALLGAUGE_OK) {
        if ((event->flags & CALLGAUGE_CALL_UNRETURNED) == 0) {
            calls++;
            continue;
        }
        assert_true(event->line > before);
        before = event->line;
        unreturned++;
    }
    assert_int_equal(calls, 1);
    assert_int_equal(unreturned, LIMIT - 1);
    callgauge_reader_free(reader);
    free(text);
}

static void second_halves_without_pid_among_many_open_calls(void **state)
{
    (void)state;
    enum { OPEN = 60000, RESTS = 20000 };
    size_t tail_len, len;
    char *tail = repeated("", "<... read resumed>) = 1\n", RESTS, "", &tail_len);
    tail = realloc(tail, tail_len + 1);
    tail[tail_len] = 0;
    char *text = unfinished_calls(OPEN, tail, &len);
    counts got = { 0 };
    callgauge_reader_free(read_pieces(text, len, len, &got));
    assert_int_equal(got.calls, RESTS);
    assert_int_equal(got.unreturned, OPEN);
    free(tail);
    free(text);
}

/* ---- callers ---- */

static const char two_events[] = "brk(NULL) = 0x55d0c2a3e000close(4) = 0\n";

/* Bytes may come between two events of one line. */
static void fed_between_joined_events(void **state)
{
    (void)state;
    enum { LINES = 20000 };
    size_t len;
    char *more = repeated("", "close(5) = 0\n", LINES, "", &len);
    callgauge_reader *reader = new_reader(NULL);
    const callgauge_event *event;
    callgauge_status st;
    unsigned calls = 0;
    callgauge_reader_feed(reader, two_events, strlen(two_events), NULL);
    for (size_t at = 0; at < len; at += 1000) {
        callgauge_reader_feed(reader, more + at, len - at < 1000 ? len - at : 1000, NULL);
    }
    st = callgauge_reader_next(reader, &event, NULL);
    assert_int_equal(st, CALLGAUGE_OK);
    assert_true(cg_str_is(event->call->text, "brk"));
    assert_int_equal(callgauge_reader_feed(reader, more, len, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_feed(reader, two_events, strlen(two_events), NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_next(reader, &event, NULL), CALLGAUGE_OK);
    assert_true(cg_str_is(event->call->text, "close") && cg_str_is(event->args, "4"));
    assert_int_equal(callgauge_reader_finish(reader, NULL), CALLGAUGE_OK);
    while ((st = callgauge_reader_next(reader, &event, NULL)) == CALLGAUGE_OK) {
        calls++;
    }
    assert_int_equal(st, CALLGAUGE_END);
    assert_int_equal(calls, 2 * LINES + 2);
    assert_int_equal(callgauge_reader_capture(reader)->bytes, 2 * (len + strlen(two_events)));
    assert_int_equal(callgauge_reader_next(reader, &event, NULL), CALLGAUGE_END);
    callgauge_reader_free(reader);
    free(more);
}

static void fed_when_finished(void **state)
{
    (void)state;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_reader *reader = new_reader(NULL);
    counts got = { 0 };
    assert_int_equal(callgauge_reader_feed(reader, NULL, 0, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_feed(reader, two_events, strlen(two_events), NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_finish(reader, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_finish(reader, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_feed(reader, two_events, 1, NULL), CALLGAUGE_E_USAGE);
    assert_int_equal(callgauge_reader_feed(reader, two_events, 1, &err), CALLGAUGE_E_USAGE);
    assert_string_equal(err.message, "the reader is finished: it cannot be fed");
    assert_int_equal(pull(reader, &got), CALLGAUGE_END);
    assert_int_equal(got.calls, 2);
    callgauge_reader_free(reader);
}

static void asked_after_a_failure(void **state)
{
    (void)state;
    const char *text = "nothing that\nanybody would trace\n";
    callgauge_error first = CALLGAUGE_ERROR_INIT, second = CALLGAUGE_ERROR_INIT;
    const callgauge_event *event = NULL;
    callgauge_reader *reader = new_reader(NULL);
    callgauge_reader_feed(reader, text, strlen(text), NULL);
    callgauge_reader_finish(reader, NULL);
    assert_int_equal(callgauge_reader_next(reader, &event, &first), CALLGAUGE_E_FORMAT);
    assert_int_equal(callgauge_reader_next(reader, &event, NULL), CALLGAUGE_E_FORMAT);
    assert_int_equal(callgauge_reader_next(reader, &event, &second), CALLGAUGE_E_FORMAT);
    assert_string_equal(first.message, second.message);
    assert_null(event);
    callgauge_reader_free(reader);
    callgauge_reader_free(NULL);
}

static void freed_at_any_moment(void **state)
{
    (void)state;
    const char *text = "1 read(3,  <unfinished ...>\n2 close(3) = 0close(4) = 0\n1 openat(AT_FDCWD, \"x\n"
                       "more\n1 <... read resumed>\"\", 1) = 0\n";
    const callgauge_reader_options options = { .size = sizeof options, .dialect = "strace" };
    for (size_t len = 0; len <= strlen(text); len++) {
        for (unsigned pulls = 0; pulls < 5; pulls++) {
            callgauge_reader *reader = new_reader(&options);
            const callgauge_event *event;
            assert_int_equal(callgauge_reader_feed(reader, text, len, NULL), CALLGAUGE_OK);
            for (unsigned i = 0; i < pulls && callgauge_reader_next(reader, &event, NULL) == CALLGAUGE_OK; i++) {
            }
            callgauge_reader_free(reader);
        }
    }
}

static void limits_of_any_size(void **state)
{
    (void)state;
    const size_t sizes[] = { 1, SIZE_MAX / 2 + 1, SIZE_MAX };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        callgauge_reader_options options = { .size = sizeof options, .dialect = "strace" };
        size_t size = sizes[i];
        options.limits = (callgauge_limits){ sizeof options.limits,
                                             size,
                                             size,
                                             size,
                                             size,
                                             size,
                                             size,
                                             size,
                                             size,
                                             size,
                                             size,
                                             size,
                                             size,
                                             size,
                                             size,
                                             size,
                                             size };
        callgauge_reader *reader = new_reader(&options);
        const char *text = "1 read(3,  <unfinished ...>\n2 close(3) = 0\n1 <... read resumed>\"\", 1) = 0\n";
        counts got = { 0 };
        assert_int_equal(callgauge_reader_feed(reader, text, strlen(text), NULL), CALLGAUGE_OK);
        callgauge_reader_finish(reader, NULL);
        assert_int_equal(pull(reader, &got), CALLGAUGE_END);
        assert_int_equal(got.calls, 2);
        callgauge_reader_free(reader);
    }
}

/* The first failing call may pass no error: the next one still tells it. */
static void failure_is_kept(void **state)
{
    (void)state;
    callgauge_reader *reader = NULL;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    const callgauge_event *event;
    assert_int_equal(callgauge_reader_new("x", NULL, &reader, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_feed(reader, "no capture\n", 11, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_finish(reader, NULL), CALLGAUGE_OK);
    callgauge_status st = callgauge_reader_next(reader, &event, NULL);
    assert_int_equal(st, CALLGAUGE_E_FORMAT);
    assert_int_equal(callgauge_reader_next(reader, &event, &err), st);
    assert_int_equal(err.size, sizeof err);
    assert_string_equal(err.source, "x");
    assert_true(strlen(err.message) > 0);
    callgauge_reader_free(reader);
}

static void options_of_a_newer_caller(void **state)
{
    (void)state;
    struct {
        callgauge_reader_options options;
        uint64_t more;
    } newer = { .options = { .size = sizeof newer } };
    callgauge_reader *reader = NULL;
    callgauge_reader_free(new_reader(&newer.options));
    newer.options.size = 0;
    assert_int_equal(callgauge_reader_new("x", &newer.options, &reader, NULL), CALLGAUGE_E_USAGE);
    newer.options.size = sizeof newer;
    newer.more = 1;
    assert_int_equal(callgauge_reader_new("x", &newer.options, &reader, NULL), CALLGAUGE_E_USAGE);
    assert_null(reader);
}

enum { ROWS = sizeof rows / sizeof *rows };

int main(void)
{
    const struct CMUnitTest others[] = {
        cmocka_unit_test(output_behind_an_open_line),
        cmocka_unit_test(more_midnights_than_fit),
        cmocka_unit_test(endless_lines),
        cmocka_unit_test(endless_pointer),
        cmocka_unit_test(open_calls_are_ended_in_their_order),
        cmocka_unit_test(second_halves_without_pid_among_many_open_calls),
        cmocka_unit_test(fed_between_joined_events),
        cmocka_unit_test(fed_when_finished),
        cmocka_unit_test(asked_after_a_failure),
        cmocka_unit_test(freed_at_any_moment),
        cmocka_unit_test(limits_of_any_size),
        cmocka_unit_test(options_of_a_newer_caller),
        cmocka_unit_test(failure_is_kept),
    };
    enum { OTHERS = sizeof others / sizeof *others };
    struct CMUnitTest tests[ROWS + OTHERS];
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    memcpy(tests + ROWS, others, sizeof others);
    return cmocka_run_group_tests_name("broken captures", tests, NULL, NULL);
}

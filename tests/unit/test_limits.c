/* SPDX-License-Identifier: Apache-2.0 */
/* Each member of callgauge_limits: what stays below it is kept, what passes it is cut, counted and said, and the
 * counts of calls stay right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <callgauge/analysis.h>

#include "reading.h"

/* Everything that a reader says of `text` within `limits`, and what these have cut. */
static const char *say_within(callgauge_limits limits, callgauge_str text, cg_buf *said)
{
    callgauge_reader_options options = { .size = sizeof options, .dialect = "strace", .limits = limits };
    callgauge_reader *reader = NULL;
    cg_reader_limit hit[CG_READER_LIMITS];
    cg_buf_init(said, 1 << 20);
    assert_int_equal(callgauge_reader_new("t", &options, &reader, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_feed(reader, text.ptr, text.len, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_finish(reader, NULL), CALLGAUGE_OK);
    assert_int_equal(say_ready(reader, text, said, NULL), CALLGAUGE_END);
    say_account(said, callgauge_reader_capture(reader));
    size_t count = cg_reader_limits_hit(reader, hit);
    for (size_t i = 0; i < count; i++) {
        assert_true(cg_buf_printf(said, "hit: %s kept %" PRIu64 " dropped %" PRIu64 "\n", hit[i].limit, hit[i].kept,
                                  hit[i].dropped));
    }
    callgauge_reader_free(reader);
    return said_text(said);
}

static struct row {
    const char *name;
    callgauge_limits limits;
    const char *text, *said;
} rows[] = {
    { "open_calls: as many as the limit",
      { .open_calls = 2 },
      "7  read(9,  <unfinished ...>\n8  read(8,  <unfinished ...>\n8  <... read resumed>\"\", 1) = 0\n"
      "7  <... read resumed>\"\", 1) = 0\n",
      "2-3: call read pid=8 args=<8, \"\", 1> result=<0> value=0 resumed\n"
      "1-4: call read pid=7 args=<9, \"\", 1> result=<0> value=0 resumed\nlines: event=2 rest=2\n" },
    { "open_calls: one more",
      { .open_calls = 2 },
      "7  read(9,  <unfinished ...>\n8  read(8,  <unfinished ...>\n9  read(7,  <unfinished ...>\n"
      "9  <... read resumed>\"\", 1) = 0\n7  <... read resumed>\"\", 1) = 0\n8  <... read resumed>\"\", 1) = 0\n",
      "4: call read pid=9 args=<\"\", 1> result=<0> value=0 orphan\n"
      "1-5: call read pid=7 args=<9, \"\", 1> result=<0> value=0 resumed\n"
      "2-6: call read pid=8 args=<8, \"\", 1> result=<0> value=0 resumed\nlines: event=3 rest=3\n"
      "hit: open_calls kept 2 dropped 1\n" },
    { "open_bytes: as much as the limit",
      { .open_bytes = 4 },
      "7  read(9,  <unfinished ...>\n8  read(8,  <unfinished ...>\n8  <... read resumed>\"\", 1) = 0\n"
      "7  <... read resumed>\"\", 1) = 0\n",
      "2-3: call read pid=8 args=<8, \"\", 1> result=<0> value=0 resumed\n"
      "1-4: call read pid=7 args=<9, \"\", 1> result=<0> value=0 resumed\nlines: event=2 rest=2\n" },
    { "open_bytes: one more",
      { .open_bytes = 3 },
      "7  read(9,  <unfinished ...>\n8  read(8,  <unfinished ...>\n8  <... read resumed>\"\", 1) = 0\n"
      "7  <... read resumed>\"\", 1) = 0\n",
      "2-3: call read pid=8 args=<\"\", 1> result=<0> value=0 resumed\n"
      "1-4: call read pid=7 args=<9, \"\", 1> result=<0> value=0 resumed\nlines: event=2 rest=2\n"
      "hit: open_bytes kept 3 dropped 2\n" },
    { "names: of calls",
      { .names = 2 },
      "read(0, \"\", 1) = 0\nclose(3) = 0\nlseek(3) = 0\nbrk(0) = 0\nread(0, \"\", 1) = 0\n",
      "1: call read args=<0, \"\", 1> result=<0> value=0\n2: call close args=<3> result=<0> value=0\n"
      "3: call (other) args=<3> result=<0> value=0\n4: call (other) args=<0> result=<0> value=0\n"
      "5: call read args=<0, \"\", 1> result=<0> value=0\nlines: event=5\nhit: names kept 2 dropped 2\n" },
    { "names: of errors",
      { .names = 1 },
      "close(1) = -1 EBADF (Bad)\nclose(2) = -1 EIO (Bad)\nclose(3) = -1 EINTR (Bad)\nclose(4) = -1 EBADF (Bad)\n",
      "1: call close args=<1> result=<-1> value=-1 error=<EBADF> note=<(Bad)>\n"
      "2: call close args=<2> result=<-1> value=-1 error=<(other)> note=<(Bad)>\n"
      "3: call close args=<3> result=<-1> value=-1 error=<(other)> note=<(Bad)>\n"
      "4: call close args=<4> result=<-1> value=-1 error=<EBADF> note=<(Bad)>\nlines: event=4\n"
      "hit: names kept 1 dropped 2\n" },
    { "names: of signals",
      { .names = 1 },
      "--- SIGCHLD {} ---\n--- SIGALRM {} ---\n--- SIGCHLD {} ---\n",
      "1: signal SIGCHLD note=<{}>\n2: signal (other) note=<{}>\n3: signal SIGCHLD note=<{}>\nlines: event=3\n"
      "hit: names kept 1 dropped 1\n" },
    { "names: of second halves",
      { .names = 1 },
      "read(0, \"\", 1) = 0\n7  close(3 <unfinished ...>\n7  <... close resumed>) = 0\n",
      "1: call read args=<0, \"\", 1> result=<0> value=0\n2-3: call (other) pid=7 args=<3> result=<0> value=0 resumed\n"
      "lines: event=2 rest=1\nhit: names kept 1 dropped 2\n" },
    { "unread_kept: all are counted",
      { .unread_kept = 2 },
      "close(3) = 0\n7  <... resumed>) = 1\n7  <... resumed>) = 1\n7  <... resumed>) = 1\n",
      "1: call close args=<3> result=<0> value=0\nlines: event=1 unread=3\n"
      "unread: line 2: a resumed call without its name\nunread: line 3: a resumed call without its name\n" },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    cg_buf said;
    assert_string_equal(say_within(row->limits, cg_str_z(row->text), &said), row->said);
    cg_buf_release(&said);
}

static void check_unread_default(void **state)
{
    (void)state;
    cg_buf text, said;
    cg_buf_init(&text, 4096);
    assert_true(cg_buf_add_z(&text, "close(3) = 0\n"));
    for (int i = 0; i < 12; i++) {
        assert_true(cg_buf_add_z(&text, "7  <... resumed>) = 1\n"));
    }
    const char *all = say_within((callgauge_limits){ .size = 0 }, cg_buf_str(&text), &said);
    assert_non_null(strstr(all, "unread=12"));
    assert_non_null(strstr(all, "unread: line 11:"));
    assert_null(strstr(all, "unread: line 12:"));
    cg_buf_release(&text);
    cg_buf_release(&said);
}

/* A line of `len` bytes, a call whose string is that long, between two others. */
static struct long_row {
    const char *name;
    size_t limit, len; /* limit 0: the default */
    bool kept;
} long_rows[] = {
    { "line_bytes: as long as the limit", 5000, 5000, true },
    { "line_bytes: one more", 5000, 5001, false },
    { "line_bytes: the least there is", 1, 4096, true },
    { "line_bytes: more than the least", 1, 4097, false },
    { "line_bytes: as long as the default", 0, 16 << 20, true },
    { "line_bytes: more than the default", 0, (16 << 20) + 1, false },
};

enum { LONG_ROWS = sizeof long_rows / sizeof *long_rows };

static void add_long(cg_buf *text, size_t len)
{
    static const char front[] = "write(1, \"", behind[] = "\", 9) = 9\n";
    assert_true(cg_buf_reserve(text, len + 1));
    assert_true(cg_buf_add_z(text, front));
    size_t fill = len + 1 - strlen(front) - strlen(behind);
    memset(text->data + text->len, 'x', fill);
    text->len += fill;
    assert_true(cg_buf_add_z(text, behind));
}

static void check_long_line(const struct long_row *row, uint32_t wants)
{
    cg_buf text;
    callgauge_reader_options options = { .size = sizeof options, .dialect = "strace", .limits.line_bytes = row->limit };
    callgauge_reader *reader = NULL;
    const callgauge_event *event = NULL;
    size_t calls = 0;
    cg_buf_init(&text, 64 << 20);
    assert_true(cg_buf_add_z(&text, "write(1, \"\", 0) = 0\nwrite(1, \"\", 0) = 0\n"));
    add_long(&text, row->len);
    assert_true(cg_buf_add_z(&text, "write(1, \"\", 0) = 0\n"));
    assert_int_equal(callgauge_reader_new("t", &options, &reader, NULL), CALLGAUGE_OK);
    cg_reader_want(reader, wants);
    assert_int_equal(callgauge_reader_feed(reader, text.data, text.len, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_finish(reader, NULL), CALLGAUGE_OK);
    while (callgauge_reader_next(reader, &event, NULL) == CALLGAUGE_OK) {
        calls++;
    }
    const callgauge_capture *capture = callgauge_reader_capture(reader);
    assert_int_equal(calls, row->kept ? 4 : 3);
    assert_int_equal(capture->lines, 4);
    assert_int_equal(capture->event_lines, calls);
    assert_int_equal(capture->unread_lines, row->kept ? 0 : 1);
    if (!row->kept) {
        assert_int_equal(capture->unread[0].line, 3);
        assert_string_equal(capture->unread[0].reason, "the line is longer than the limit");
        assert_int_equal(capture->unread[0].text.len, 200);
    }
    callgauge_reader_free(reader);
    cg_buf_release(&text);
}

static void check_long(void **state)
{
    check_long_line(*state, CG_WANT_SCALARS | CG_WANT_THREAD);
    check_long_line(*state, CG_WANT_COUNTS);
}

/* Nothing but a line past the limit: an error that says so. */
static void check_only_long(void **state)
{
    (void)state;
    cg_buf text;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_reader_options options = { .size = sizeof options, .limits.line_bytes = 4096 };
    callgauge_reader *reader = NULL;
    const callgauge_event *event = NULL;
    cg_buf_init(&text, 64 << 20);
    assert_true(cg_buf_reserve(&text, 1 << 20));
    memset(text.data, 'x', 1 << 20);
    text.len = 1 << 20;
    assert_int_equal(callgauge_reader_new("t", &options, &reader, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_feed(reader, text.data, text.len, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_finish(reader, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_next(reader, &event, &err), CALLGAUGE_E_FORMAT);
    assert_string_equal(err.message,
                        "the line is longer than the limit (4096 bytes), and nothing else in it is a trace");
    assert_int_equal(err.line, 1);
    callgauge_reader_free(reader);
    cg_buf_release(&text);
}

/* A line past the limit in front of everything: it says nothing of the dialect, and the lines behind it are all
 * read. */
static void check_long_first(void **state)
{
    (void)state;
    static const char calls[] =
        "brk(NULL)                               = 0x55a08ebdf000\nclose(3)                                = 0\n";
    callgauge_analysis_options options = { .size = sizeof options, .reader.limits.line_bytes = 4096 };
    callgauge_analysis *analysis = NULL;
    callgauge_report *report = NULL;
    char *line = malloc(1 << 20);
    assert_non_null(line);
    memset(line, 'x', 1 << 20);
    memcpy(line, "write(1, \"", 10);
    memcpy(line + (1 << 20) - 10, "\", 9) = 9\n", 10);
    assert_int_equal(callgauge_analysis_new("t", &options, &analysis, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_analysis_feed(analysis, line, 1 << 20, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_analysis_feed(analysis, calls, sizeof calls - 1, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_analysis_finish(analysis, &report, NULL), CALLGAUGE_OK);
    callgauge_analysis_free(analysis);
    assert_int_equal(callgauge_report_totals(report)->calls, 2);
    assert_int_equal(callgauge_report_capture(report, 0)->capture.lines, 3);
    assert_int_equal(callgauge_report_capture(report, 0)->capture.unread_lines, 1);
    callgauge_report_free(report);
    free(line);
}

/* Calls of processes past the limit are counted in the totals, and the limit is in the report. */
static void check_processes(void **state)
{
    (void)state;
    static const char text[] = "7  close(3) = 0\n8  close(3) = 0\n9  close(3) = 0\n10 close(3) = 0\n7  close(4) = 0\n";
    callgauge_analysis_options options = { .size = sizeof options, .per_process = true };
    callgauge_analysis *analysis = NULL;
    callgauge_report *report = NULL;
    size_t count = 0;
    options.reader.dialect = "strace";
    options.reader.limits.processes = 2;
    assert_int_equal(callgauge_analysis_new("t", &options, &analysis, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_analysis_feed(analysis, text, sizeof text - 1, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_analysis_finish(analysis, &report, NULL), CALLGAUGE_OK);
    callgauge_analysis_free(analysis);
    assert_int_equal(callgauge_report_totals(report)->calls, 5);
    assert_int_equal(callgauge_report_process_count(report), 2);
    assert_int_equal(callgauge_report_process(report, 0)->pid, 7);
    assert_int_equal(callgauge_report_process(report, 0)->calls, 2);
    assert_int_equal(callgauge_report_process(report, 1)->pid, 8);
    const callgauge_limit_row *hit = callgauge_report_limits_hit(report, &count);
    assert_int_equal(count, 1);
    assert_string_equal(hit[0].limit, "processes");
    assert_int_equal(hit[0].kept, 2);
    assert_int_equal(hit[0].dropped, 2);
    callgauge_report_free(report);
}

/* What the reader's limits have cut is in the report too. */
static void check_report(void **state)
{
    (void)state;
    static const char text[] =
        "7  read(9,  <unfinished ...>\n8  read(8,  <unfinished ...>\n7  close(3) = 0\n7  brk(0) = 0\n";
    callgauge_analysis_options options = { .size = sizeof options };
    callgauge_analysis *analysis = NULL;
    callgauge_report *report = NULL;
    size_t count = 0;
    options.reader.dialect = "strace";
    options.reader.limits.open_calls = 1;
    options.reader.limits.names = 2;
    assert_int_equal(callgauge_analysis_new("t", &options, &analysis, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_analysis_feed(analysis, text, sizeof text - 1, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_analysis_finish(analysis, &report, NULL), CALLGAUGE_OK);
    callgauge_analysis_free(analysis);
    const callgauge_limit_row *hit = callgauge_report_limits_hit(report, &count);
    assert_int_equal(count, 2);
    assert_string_equal(hit[0].limit, "names");
    assert_int_equal(hit[0].dropped, 1);
    assert_string_equal(hit[1].limit, "open_calls");
    assert_int_equal(hit[1].dropped, 1);
    assert_non_null(callgauge_report_find_call(report, "(other)"));
    callgauge_report_free(report);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + LONG_ROWS + 5] = {
        cmocka_unit_test(check_unread_default), cmocka_unit_test(check_only_long), cmocka_unit_test(check_long_first),
        cmocka_unit_test(check_processes), cmocka_unit_test(check_report)
    };
    size_t at = 5;
    for (size_t i = 0; i < ROWS; i++) {
        tests[at++] = row_test(rows[i].name, check_row, &rows[i]);
    }
    for (size_t i = 0; i < LONG_ROWS; i++) {
        tests[at++] = row_test(long_rows[i].name, check_long, &long_rows[i]);
    }
    return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}

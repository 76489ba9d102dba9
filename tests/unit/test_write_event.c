/* SPDX-License-Identifier: Apache-2.0 */
/* write/event_*: one event, one line, in each form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "making.h"

/* Arguments end at commas: enough for what is written here. */
static bool next_argument(const char **at, const char *end, callgauge_str *arg)
{
    if (*at >= end) {
        return false;
    }
    const char *comma = memchr(*at, ',', (size_t)(end - *at));
    *arg = cg_str_trim(cg_str_range(*at, comma == NULL ? end : comma));
    *at = comma == NULL ? end : comma + 1;
    return true;
}

static const cg_lexer lexer = { .next = next_argument };

static const callgauge_count_row count_row = {
    .has = CALLGAUGE_ROW_CALLS | CALLGAUGE_ROW_ERRORS | CALLGAUGE_ROW_CPU,
    .calls = 8355,
    .errors = 4,
    .cpu_ns = 553000000,
};

#define TEXT(literal) \
    { \
        literal, sizeof(literal) - 1 \
    }

static struct row {
    const char *name;
    callgauge_event event;
    const char *text, *ndjson, *csv;
} rows[] = {
    { "whole call",
      { .kind = CALLGAUGE_EVENT_CALL,
        .has = CALLGAUGE_HAS_VALUE | CALLGAUGE_HAS_DURATION | CALLGAUGE_HAS_START | CALLGAUGE_HAS_PID,
        .call = &call_names[NAME_READ],
        .value = 2,
        .duration_ns = 21000,
        .duration_kind = CALLGAUGE_TIME_WALL,
        .start_ns = 1700000000123456000,
        .pid = 4711,
        .line = 3,
        .first_line = 3,
        .offset = 80,
        .args = TEXT("3, \"a\", 2"),
        .result = TEXT("2"),
        .lexer = &lexer },
      "1700000000.123456      4711  0.000021 wall  read(3, \"a\", 2) = 2\n",
      "{\"kind\":\"call\",\"line\":3,\"offset\":80,\"pid\":4711,\"start_ns\":1700000000123456000,\"call\":\"read\","
      "\"class\":\"read\",\"args\":[\"3\",\"\\\"a\\\"\",\"2\"],\"value\":2,\"result\":\"2\",\"duration_ns\":21000,"
      "\"duration_kind\":\"wall\"}\n",
      "call,3,80,4711,,,1700000000123456000,,,read,read,\"3, \"\"a\"\", 2\",2,,,,2,,21000,wall,,,,,,,\r\n" },
    { "failed and resumed",
      { .kind = CALLGAUGE_EVENT_CALL,
        .has = CALLGAUGE_HAS_VALUE | CALLGAUGE_HAS_GAP | CALLGAUGE_HAS_TID,
        .flags = CALLGAUGE_CALL_RESUMED | CALLGAUGE_CALL_SLEPT,
        .call = &call_names[NAME_OPENAT],
        .error = &error_names[0],
        .value = -1,
        .gap_ns = 5,
        .tid = 2,
        .line = 9,
        .first_line = 4,
        .args = TEXT("\"\033\""),
        .result = TEXT("-1"),
        .note = TEXT("(No such file)"),
        .lexer = &lexer },
      "     +0.000000005       -/2              -  openat(\"\\033\") = -1 ENOENT (No such file) [resumed] [slept]\n",
      "{\"kind\":\"call\",\"line\":9,\"first_line\":4,\"offset\":0,\"tid\":2,\"gap_ns\":5,\"call\":\"openat\","
      "\"class\":\"open\",\"args\":[\"\\\"\\u001b\\\"\"],\"value\":-1,\"error\":\"ENOENT\",\"result\":\"-1\","
      "\"note\":\"(No such file)\",\"flags\":[\"resumed\",\"slept\"]}\n",
      "call,9,0,,2,,,,5,openat,open,\"\"\"\\033\"\"\",-1,,ENOENT,,-1,(No such file),,,resumed slept,,,,,,\r\n" },
    { "error of truss",
      { .kind = CALLGAUGE_EVENT_CALL,
        .has = CALLGAUGE_HAS_ERRNO | CALLGAUGE_HAS_END,
        .call = &call_names[NAME_OPENAT],
        .error = &error_names[0],
        .error_number = 2,
        .end_ns = 100000,
        .line = 1,
        .result = TEXT("Err#2 ENOENT"),
        .lexer = &lexer },
      "         0.000100         -              -  openat() = Err#2 ENOENT\n",
      "{\"kind\":\"call\",\"line\":1,\"offset\":0,\"end_ns\":100000,\"call\":\"openat\",\"class\":\"open\",\"args\":[],"
      "\"error\":\"ENOENT\",\"error_number\":2,\"result\":\"Err#2 ENOENT\"}\n",
      "call,1,0,,,,,100000,,openat,open,,,,ENOENT,2,Err#2 ENOENT,,,,,,,,,,\r\n" },
    { "signal",
      { .kind = CALLGAUGE_EVENT_SIGNAL, .name = &signal_name, .line = 1, .note = TEXT("{si_signo=14}") },
      "                -         -              -  --- SIGALRM {si_signo=14}\n",
      "{\"kind\":\"signal\",\"line\":1,\"offset\":0,\"name\":\"SIGALRM\",\"note\":\"{si_signo=14}\"}\n",
      "signal,1,0,,,,,,,,,,,,,,,{si_signo=14},,,,SIGALRM,,,,,\r\n" },
    { "return from a function",
      { .kind = CALLGAUGE_EVENT_LIBRARY_CALL,
        .flags = CALLGAUGE_LIBRARY_RETURN,
        .name = &function_name,
        .line = 1,
        .result = TEXT("0x1") },
      "                -         -              -  <- libc:malloc() = 0x1\n",
      "{\"kind\":\"library-call\",\"line\":1,\"offset\":0,\"name\":\"libc:malloc\",\"args\":[],\"result\":\"0x1\","
      "\"flags\":[\"return\"]}\n",
      "library-call,1,0,,,,,,,,,,,,,,0x1,,,,return,libc:malloc,,,,,\r\n" },
    { "row of a table",
      { .kind = CALLGAUGE_EVENT_COUNT_ROW, .call = &call_names[NAME_READ], .row = &count_row, .line = 2 },
      "                -         -              -  row read: 8,355 calls 4 errors 0.553000 s cpu\n",
      "{\"kind\":\"count-row\",\"line\":2,\"offset\":0,\"name\":\"read\",\"of\":\"call\",\"table\":0,\"calls\":8355,"
      "\"errors\":4,\"cpu_ns\":553000000}\n",
      "count-row,2,0,,,,,,,,,,,,,,,,,,,read,8355,4,553000000,,\r\n" },
    { "foreign line",
      { .kind = CALLGAUGE_EVENT_FOREIGN, .line = 5, .text = TEXT("=hello\033[2J") },
      "                -         -              -  | =hello\\033[2J\n",
      "{\"kind\":\"foreign\",\"line\":5,\"offset\":0,\"text\":\"=hello\\u001b[2J\"}\n",
      "foreign,5,0,,,,,,,,,,,,,,,,,,,,,,,,'=hello\\033[2J\r\n" },
    { "exit",
      { .kind = CALLGAUGE_EVENT_EXIT, .line = 5, .note = TEXT("exited with 0"), .comm = TEXT("sh") },
      "                -         -              -  +++ exited with 0\n",
      "{\"kind\":\"exit\",\"line\":5,\"offset\":0,\"comm\":\"sh\",\"note\":\"exited with 0\"}\n",
      "exit,5,0,,,sh,,,,,,,,,,,,exited with 0,,,,,,,,,\r\n" },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_form(const callgauge_event *event, const char *format, const char *expected)
{
    static caught into;
    callgauge_output to = { catch_output, &into };
    into.len = 0;
    into.answer = 0;
    assert_int_equal(callgauge_write_event(event, format, &to, NULL), CALLGAUGE_OK);
    assert_string_equal(into.text, expected);
}

static void check_row(void **state)
{
    const struct row *row = *state;
    check_form(&row->event, "text", row->text);
    check_form(&row->event, "ndjson", row->ndjson);
    check_form(&row->event, "csv", row->csv);
}

static size_t commas(const char *text)
{
    size_t n = 0;
    for (; *text != 0; text++) {
        n += *text == ',';
    }
    return n;
}

static void check_headings(void **state)
{
    static caught into;
    (void)state;
    callgauge_output to = { catch_output, &into };
    into.answer = 0;
    into.len = 0;
    into.text[0] = 0;
    assert_int_equal(callgauge_write_event_heading("ndjson", &to, NULL), CALLGAUGE_OK);
    assert_int_equal(into.len, 0);
    assert_int_equal(callgauge_write_event_heading("csv", &to, NULL), CALLGAUGE_OK);
    assert_int_equal(commas(into.text), 26);
    assert_int_equal(commas(rows[3].csv), 26);
    into.len = 0;
    assert_int_equal(callgauge_write_event_heading("text", &to, NULL), CALLGAUGE_OK);
    assert_string_equal(into.text, "           time s       pid      duration s  event\n");
}

static void check_wrong_use(void **state)
{
    static caught into;
    (void)state;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_output to = { catch_output, &into };
    into.len = 0;
    into.answer = 0;
    assert_int_equal(callgauge_write_event(&rows[0].event, "json", &to, &err), CALLGAUGE_E_USAGE);
    assert_int_equal(callgauge_write_event_heading("json", &to, &err), CALLGAUGE_E_USAGE);
    assert_string_equal(err.message, "unknown format of events 'json': text, ndjson, csv are known");
    into.answer = 1;
    assert_int_equal(callgauge_write_event(&rows[0].event, "text", &to, &err), CALLGAUGE_E_STOPPED);
}

/* What comes after the first 64 arguments is one more, so that a hostile line stays cheap. */
static void check_many_arguments(void **state)
{
    static caught into;
    static char args[2000];
    (void)state;
    memset(args, ',', sizeof args);
    callgauge_event event = call_of(NAME_READ, 0);
    event.lexer = &lexer;
    event.args = cg_str(args, sizeof args);
    callgauge_output to = { catch_output, &into };
    into.len = 0;
    into.answer = 0;
    assert_int_equal(callgauge_write_event(&event, "ndjson", &to, NULL), CALLGAUGE_OK);
    assert_non_null(strstr(into.text, "\"\",\",,,,"));
}

int main(void)
{
    struct CMUnitTest tests[ROWS + 3] = {
        [ROWS] = cmocka_unit_test(check_headings),
        [ROWS + 1] = cmocka_unit_test(check_wrong_use),
        [ROWS + 2] = cmocka_unit_test(check_many_arguments),
    };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("write_event", tests, NULL, NULL);
}

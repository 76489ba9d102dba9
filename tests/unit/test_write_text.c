/* SPDX-License-Identifier: Apache-2.0 */
/* write/text, csv, markdown: what a person sees, to the column; and that nothing hostile reaches a terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "followed.h"
#include "base/units.h"

static struct number {
    const char *name;
    int64_t value;
    int places, decimals;
    const char *text;
} numbers[] = {
    { "zero", 0, 0, 0, "0" },
    { "three digits", 999, 0, 0, "999" },
    { "thousands", 1000, 0, 0, "1,000" },
    { "millions", 12345678, 0, 0, "12,345,678" },
    { "seconds", 1234567890123, 9, 3, "1,234.568" },
    { "rounded up", 1999600000, 9, 3, "2.000" },
    { "below one", 553000000, 9, 3, "0.553" },
    { "all places", 1, 9, 9, "0.000000001" },
    { "below zero", -1500, 3, 1, "-1.5" },
    { "rounded to nothing", -1, 9, 3, "0.000" },
    { "the largest", INT64_MAX, 0, 0, "9,223,372,036,854,775,807" },
};

enum { NUMBERS = sizeof numbers / sizeof *numbers };

static void check_number(void **state)
{
    const struct number *row = *state;
    char text[CG_NUMBER_ROOM];
    size_t len = cg_format_fixed(text, row->value, row->places, row->decimals);
    assert_true(cg_str_is(cg_str(text, len), row->text));
}

static callgauge_report *table_report(void)
{
    cg_stage stage = new_stage(false);
    callgauge_count_row read = { .has = CALLGAUGE_ROW_CALLS | CALLGAUGE_ROW_ERRORS | CALLGAUGE_ROW_CPU,
                                 .calls = 8355,
                                 .errors = 4,
                                 .cpu_ns = 553000000 };
    callgauge_count_row write = read, open = read, totals = read;
    write.calls = 8365;
    write.errors = 21;
    write.cpu_ns = 623000000;
    open.calls = 14;
    open.errors = 0;
    open.cpu_ns = 0;
    totals.calls = 16734;
    totals.errors = 25;
    totals.cpu_ns = 1178000000;
    totals.has |= CALLGAUGE_ROW_USER | CALLGAUGE_ROW_ELAPSED;
    totals.user_ns = 43000000;
    totals.elapsed_ns = 56240000000;
    take(&stage, row_event(&read, NAME_READ));
    take(&stage, row_event(&write, NAME_WRITE));
    take(&stage, row_event(&open, NAME_OPENAT));
    take(&stage, totals_event(&totals));
    callgauge_report *report = finish_stage(&stage, "httpd.truss");
    report->captures[0].capture.lines = 1234;
    report->captures[0].capture.has_table = true;
    report->captures[0].capture.has_events = false;
    return report;
}

static callgauge_report *trace_report(void)
{
    cg_stage stage = new_stage(true);
    callgauge_event exits = call_of(NAME_EXIT, 0);
    exits.flags = CALLGAUGE_CALL_UNRETURNED;
    callgauge_event failed = failed_call(NAME_OPENAT, 0), read = timed_call(NAME_READ, CALLGAUGE_TIME_WALL, 1500000);
    failed.has |= CALLGAUGE_HAS_PID;
    failed.pid = 4711;
    read.value = 100;
    take(&stage, read);
    take(&stage, failed);
    take(&stage, failed);
    take(&stage, timed_call(NAME_OPENAT, CALLGAUGE_TIME_WALL, 500000));
    take(&stage, exits);
    return finish_stage(&stage, "a.strace");
}

#define UNSEEN "\nwaiting cannot be seen here; strace -f -ttt -T -yy -p PID would show it\n"

static const char table_text[] = "httpd.truss: strace table, 1,234 lines\n"
                                 "  the table says 1.178 s cpu; its rows, each rounded, add up to 1.176 s cpu\n"
                                 "\n"
                                 "16,734 calls, 25 errors\n"
                                 "1.176 s cpu, 56.240 s elapsed, 0.043 s user cpu\n"
                                 "\n"
                                 "cpu %  cpu s  us/call   calls  errors  call\n"
                                 " 53.0  0.623     74.5   8,365      21  write\n"
                                 " 47.0  0.553     66.2   8,355       4  read\n"
                                 "  0.0  0.000      0.0      14          openat\n"
                                 "100.0  1.176     70.3  16,734      25  total\n" UNSEEN;

static const char table_summary[] = "cpu %  cpu s  us/call   calls  errors  call\n"
                                    " 53.0  0.623     74.5   8,365      21  write\n"
                                    "... and 2 more calls\n"
                                    "100.0  1.176     70.3  16,734      25  total\n";

static const char table_by_name[] = "cpu %  cpu s  us/call   calls  errors  call\n"
                                    "  0.0  0.000      0.0      14          openat\n"
                                    " 47.0  0.553     66.2   8,355       4  read\n"
                                    " 53.0  0.623     74.5   8,365      21  write\n"
                                    "100.0  1.176     70.3  16,734      25  total\n";

static const char table_errors[] = "errors   calls  fail %  call   error\n"
                                   "    21   8,365     0.3  write  -\n"
                                   "     4   8,355     0.0  read   -\n"
                                   "    25  16,734     0.1  total\n";

static const char table_processes[] = "cpu %  cpu s  us/call   calls  errors  pid\n"
                                      "100.0  1.176     70.3  16,734      25  -\n"
                                      "100.0  1.176     70.3  16,734      25  total\n";

static const char table_csv[] =
    "name,class,durations_kind,calls,errors,unreturned,cpu_ns,wall_ns,min_ns,max_ns,p50_ns,p90_ns,p99_ns,"
    "bytes_read,bytes_written,cpu_calls,wall_calls\r\n"
    "write,write,,8365,21,0,623000000,,,,,,,,,8365,\r\n"
    "read,read,,8355,4,0,553000000,,,,,,,,,8355,\r\n"
    "openat,open,,14,0,0,0,,,,,,,,,14,\r\n";

static const char trace_summary[] = "wall %    wall s  us/call  p99 us  max us  calls  errors  unret.  call\n"
                                    "  75.0  0.001500    1,500   1,500   1,500      1                  read\n"
                                    "  25.0  0.000500      500     500     500      3       2          openat\n"
                                    "     -         -        -       -       -      0               1  exit_group\n"
                                    " 100.0  0.002000    1,000       -       -      4       2       1  total\n";

static const char trace_narrow[] = "wall %   wall s calls errors unret. call\n"
                                   "  75.0 0.001500     1               read\n"
                                   "  25.0 0.000500     3      2        openat\n"
                                   "     -        -     0             1 exit_group\n"
                                   " 100.0 0.002000     4      2      1 total\n";

static const char trace_errors_markdown[] = "| call | error | errors | calls | fail % |\n"
                                            "| --- | --- | ---: | ---: | ---: |\n"
                                            "| openat | ENOENT | 2 | 3 | 66.7 |\n"
                                            "| total |  | 2 | 4 | 50.0 |\n";

static const char trace_processes[] = "wall %  wall s  us/call  calls  errors  unret.  pid\n"
                                      " 100.0   0.002    1,000      2               1  -\n"
                                      "     -       -        -      2       2          4711\n"
                                      " 100.0   0.002    1,000      4       2       1  total\n";

/* A trace whose name is long, and a table; both of which assume the same. */
static callgauge_report *merged_report(void)
{
    static const callgauge_assumption assumed[] = { { "stamp column", "E", "--stamps" } };
    callgauge_report *parts[] = { trace_report(), table_report() }, *sum;
    for (size_t i = 0; i < 2; i++) {
        parts[i]->captures[0].capture.assumed = assumed;
        parts[i]->captures[0].capture.assumed_count = 1;
    }
    callgauge_capture_row *row = &parts[0]->captures[0];
    row->capture.name = "/data/captures/of/all/machines/node-17/monday/in/the/morning/web/server.strace";
    row->capture.foreign_lines = 3;
    row->capture.unread_lines = 1;
    row->blank_lines = 1;
    parts[1]->captures[0].capture.name = "-";
    parts[1]->captures[0].capture.foreign_lines = parts[1]->captures[0].blank_lines = 1;
    assert_int_equal(callgauge_report_merge((const callgauge_report *const *)parts, 2, &sum, NULL), CALLGAUGE_OK);
    callgauge_report_free(parts[0]);
    callgauge_report_free(parts[1]);
    return sum;
}

#define MERGED_TABLE \
    "wall %    wall s  cpu s  us/call  p99 us  max us   calls  errors  unret.  call\n" \
    "  75.0  0.001500  0.553    1,500   1,500   1,500   8,356       4          read\n" \
    "... and 3 more calls\n" \
    " 100.0  0.002000  1.176    1,000       -       -  16,738      27       1  total\n" \
    "\n"

static const char merged_text[] = "standard input: strace table, 1,234 lines\n"
                                  "  assumed: stamp column is E (--stamps decides)\n"
                                  "  this table alone: 16,734 calls, 25 errors, 1.178 s cpu\n"
                                  ".../web/server.strace: strace trace, 0 lines, 2 not the tracer's, 1 unread\n"
                                  "  assumed: stamp column is E (--stamps decides)\n"
                                  "\n"
                                  "16,738 calls, 27 errors, 1 unreturned, 1 pid\n"
                                  "0.002 s wall, 1.176 s cpu, 56.240 s elapsed, 0.043 s user cpu\n"
                                  "100 bytes read\n"
                                  "\n" MERGED_TABLE "errors\n"
                                  "          2  openat ENOENT\n" UNSEEN;

static const char merged_summary[] = MERGED_TABLE "sums over 2 captures\n"
                                                  "assumed: stamp column is E (--stamps decides), in 2 captures\n";

/* What a table says of itself is no matter of the durations of the trace before it. */
static callgauge_report *traced_table_report(void)
{
    cg_stage stage = new_stage(false);
    callgauge_count_row row = { .has = CALLGAUGE_ROW_CALLS | CALLGAUGE_ROW_WALL, .calls = 1, .wall_ns = 1600000 };
    take(&stage, timed_call(NAME_READ, CALLGAUGE_TIME_WALL, 1500000));
    take(&stage, row_event(&row, NAME_READ));
    take(&stage, totals_event(&row));
    callgauge_report *report = finish_stage(&stage, "c10");
    report->captures[0].capture.has_table = true;
    return report;
}

static const char traced_table_text[] = "c10: strace trace and table, 0 lines\n"
                                        "  its table agrees with its trace\n"
                                        "\n"
                                        "1 call, 0 errors\n"
                                        "0.001500 s wall\n"
                                        "0 bytes read\n"
                                        "\n"
                                        "wall %    wall s  us/call  p50 us  p99 us  max us  calls  call\n"
                                        " 100.0  0.001500    1,500   1,500   1,500   1,500      1  read\n"
                                        " 100.0  0.001500    1,500       -       -       -      1  total\n" UNSEEN;

/* Three opens of which one failed, two reads that failed. */
static callgauge_report *errors_report(void)
{
    cg_stage stage = new_stage(false);
    take(&stage, call_of(NAME_OPENAT, 3));
    take(&stage, call_of(NAME_OPENAT, 3));
    take(&stage, failed_call(NAME_OPENAT, 0));
    take(&stage, failed_call(NAME_READ, 1));
    take(&stage, failed_call(NAME_READ, 1));
    return finish_stage(&stage, "e");
}

static const char errors_by_calls[] = "errors  calls  fail %  call    error\n"
                                      "     1      3    33.3  openat  ENOENT\n"
                                      "     2      2   100.0  read    EAGAIN\n"
                                      "     3      5    60.0  total\n";

static const char errors_by_time[] = "errors  calls  fail %  call    error\n"
                                     "     2      2   100.0  read    EAGAIN\n"
                                     "     1      3    33.3  openat  ENOENT\n"
                                     "     3      5    60.0  total\n";

static callgauge_report *long_name_report(void)
{
    callgauge_report *report = errors_report();
    report->captures[0].capture.name =
        "/data/captures/of/all/machines/node-17/a-name-that-says-what-the-machine-did-that-morning.strace";
    return report;
}

static const char long_name_text[] = ".../machines/node-17/a-name-that-says-what-the-machine-did-that-morning.strace:\n"
                                     "  strace trace, 0 lines\n"
                                     "\n"
                                     "5 calls, 3 errors\n"
                                     "0 bytes read\n"
                                     "\n"
                                     "calls %  calls  errors  call\n"
                                     "   60.0      3       1  openat\n"
                                     "... and 1 more call\n"
                                     "  100.0      5       3  total\n"
                                     "\n"
                                     "errors\n"
                                     "          2  read EAGAIN\n"
                                     "    ... and 1 more\n" UNSEEN;

static struct page {
    const char *name;
    callgauge_report *(*make)(void);
    const char *format;
    callgauge_write_options options;
    const char *text;
} pages[] = {
    { "table at a glance", table_report, "text", { .rows = CALLGAUGE_ROWS_REPORT }, table_text },
    { "table, the first", table_report, "text", { .rows = CALLGAUGE_ROWS_CALLS, .limit = 1 }, table_summary },
    { "table by name",
      table_report,
      "text",
      { .rows = CALLGAUGE_ROWS_CALLS, .sort = CALLGAUGE_SORT_NAME },
      table_by_name },
    { "errors of a table", table_report, "text", { .rows = CALLGAUGE_ROWS_ERRORS }, table_errors },
    { "table as CSV", table_report, "csv", { .rows = CALLGAUGE_ROWS_CALLS }, table_csv },
    { "trace", trace_report, "text", { .rows = CALLGAUGE_ROWS_CALLS }, trace_summary },
    { "trace, narrow", trace_report, "text", { .rows = CALLGAUGE_ROWS_CALLS, .width = 40 }, trace_narrow },
    { "errors as Markdown", trace_report, "markdown", { .rows = CALLGAUGE_ROWS_ERRORS }, trace_errors_markdown },
    { "two captures at a glance", merged_report, "text", { .limit = 1 }, merged_text },
    { "two captures", merged_report, "text", { .rows = CALLGAUGE_ROWS_CALLS, .limit = 1 }, merged_summary },
    { "processes of a table", table_report, "text", { .rows = CALLGAUGE_ROWS_PROCESSES }, table_processes },
    { "a trace and its table", traced_table_report, "text", { .limit = 1 }, traced_table_text },
    { "errors by calls",
      errors_report,
      "text",
      { .rows = CALLGAUGE_ROWS_ERRORS, .sort = CALLGAUGE_SORT_CALLS },
      errors_by_calls },
    { "errors by time",
      errors_report,
      "text",
      { .rows = CALLGAUGE_ROWS_ERRORS, .sort = CALLGAUGE_SORT_TIME },
      errors_by_time },
    { "a name that is too long", long_name_report, "text", { .limit = 1 }, long_name_text },
    { "processes", trace_report, "text", { .rows = CALLGAUGE_ROWS_PROCESSES }, trace_processes },
};

enum { PAGES = sizeof pages / sizeof *pages };

static void check_page(void **state)
{
    static caught into;
    struct page *page = *state;
    callgauge_report *report = page->make();
    page->options.size = sizeof page->options;
    write_report(report, page->format, &page->options, &into);
    assert_string_equal(into.text, page->text);
    callgauge_report_free(report);
}

/* A capture whose every text tries to reach the terminal. */
static callgauge_report *hostile_report(void)
{
    static const callgauge_unread unread[] = { { 1, "\033]0;r\007", { "\033[2J\302\233", 6 } } };
    static const callgauge_assumption assumed[] = { { "\033a", "\033b", "\033c" } };
    static const callgauge_repair repairs[] = { { "\033k", 1, 1 } };
    static const callgauge_call_name name = { .text = { "\033[31m=|`\x7f", 9 } };
    static const callgauge_name error = { .text = { "-\033E", 3 } };
    cg_stage stage = new_stage(false);
    callgauge_event event = { .kind = CALLGAUGE_EVENT_CALL, .call = &name, .error = &error };
    take(&stage, event);
    event = (callgauge_event){ .kind = CALLGAUGE_EVENT_SIGNAL, .name = &error };
    take(&stage, event);
    callgauge_report *report = finish_stage(&stage, "\033[31mname\n");
    callgauge_capture_row *row = &report->captures[0];
    row->capture.dialect = "\033d";
    row->capture.unread = unread;
    row->capture.unread_count = row->capture.unread_lines = 1;
    row->capture.assumed = assumed;
    row->capture.assumed_count = 1;
    row->capture.repairs = repairs;
    row->capture.repair_count = 1;
    row->table_check = "\033t";
    assert_true(cg_report_add_limit(report, "\033l", 1, 1));
    return report;
}

/* Rows whose names are drawn, some of them hostile, in every form and width: no byte of them reaches a terminal. */
static void check_hostile_rows(void **state)
{
    enum { ROUNDS = 20, WIDE = 200 };
    static caught into;
    static const char *const formats[] = { "text", "csv", "markdown" };
    (void)state;
    for (unsigned i = 0; i < ROUNDS * 3 * (CALLGAUGE_ROWS_FINDINGS + 1); i++) {
        callgauge_report *report = drawn_report(i / 27, 1 + i % 2, (callgauge_unit_from)(i % 4));
        const char *format = formats[i % 3];
        const callgauge_write_options options = { .size = sizeof options,
                                                  .rows = (callgauge_rows)(i / 3 % (CALLGAUGE_ROWS_FINDINGS + 1)),
                                                  .sort = (callgauge_sort)(i % (CALLGAUGE_SORT_STARTS + 1)),
                                                  .limit = i % 5,
                                                  .width = 1 + i % WIDE };
        write_report(report, format, &options, &into);
        for (size_t k = 0; k < into.len; k++) {
            unsigned char c = (unsigned char)into.text[k];
            assert_true(c == '\n' || (c == '\r' && i % 3 == 1) || (c >= 0x20 && c < 0x7F));
        }
        callgauge_report_free(report);
    }
}

static void check_hostile(void **state)
{
    static caught into;
    static const char *const formats[] = { "text", "json", "csv", "markdown" };
    (void)state;
    callgauge_report *report = hostile_report();
    for (size_t f = 0; f < 4; f++) {
        for (int rows = CALLGAUGE_ROWS_REPORT; rows <= CALLGAUGE_ROWS_ERRORS; rows++) {
            callgauge_write_options options = { .size = sizeof options, .rows = (callgauge_rows)rows };
            write_report(report, formats[f], &options, &into);
            for (size_t i = 0; i < into.len; i++) {
                unsigned char c = (unsigned char)into.text[i];
                assert_true(c == '\n' || (c == '\r' && f == 2) || (c >= 0x20 && c < 0x7F));
            }
        }
    }
    callgauge_report_free(report);
}

static void check_color(void **state)
{
    static caught into;
    (void)state;
    callgauge_report *report = table_report();
    callgauge_write_options options = { .size = sizeof options, .color = true };
    write_report(report, "text", &options, &into);
    assert_non_null(strstr(into.text, "\033[31m21\033[0m"));
    assert_non_null(strstr(into.text, "\033[2mcpu %\033[0m"));
    assert_null(strstr(into.text, "\033[31m8,365"));
    callgauge_report_free(report);
}

static void check_wrong_use(void **state)
{
    static caught into;
    (void)state;
    struct newer {
        callgauge_write_options options;
        int more;
    } newer = { .options = { .size = sizeof(struct newer) }, .more = 0 };
    callgauge_write_options unset = { .limit = 1 };
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_report *report = table_report();
    callgauge_output to = { catch_output, &into };
    into.len = 0;
    assert_int_equal(callgauge_write(report, "xml", NULL, &to, &err), CALLGAUGE_E_USAGE);
    assert_string_equal(err.message, "unknown format 'xml': text, json, csv, markdown are known");
    assert_int_equal(callgauge_write(report, "text", &unset, &to, &err), CALLGAUGE_E_USAGE);
    assert_int_equal(callgauge_write(report, "text", &newer.options, &to, &err), CALLGAUGE_OK);
    newer.more = 1;
    into.len = 0;
    assert_int_equal(callgauge_write(report, "text", &newer.options, &to, &err), CALLGAUGE_E_USAGE);
    newer.options = (callgauge_write_options){ .size = sizeof newer.options,
                                               .rows = (callgauge_rows)(CALLGAUGE_ROWS_FINDINGS + 1) };
    assert_int_equal(callgauge_write(report, "text", &newer.options, &to, &err), CALLGAUGE_E_USAGE);
    assert_int_equal(into.len, 0);
    into.answer = 1;
    assert_int_equal(callgauge_write(report, "text", NULL, &to, &err), CALLGAUGE_E_STOPPED);
    callgauge_report_free(report);
}

int main(void)
{
    struct CMUnitTest tests[NUMBERS + PAGES + 4] = {
        [NUMBERS + PAGES] = cmocka_unit_test(check_hostile),
        [NUMBERS + PAGES + 1] = cmocka_unit_test(check_color),
        [NUMBERS + PAGES + 2] = cmocka_unit_test(check_wrong_use),
        [NUMBERS + PAGES + 3] = cmocka_unit_test(check_hostile_rows),
    };
    for (size_t i = 0; i < NUMBERS; i++) {
        tests[i] =
            (struct CMUnitTest){ .name = numbers[i].name, .test_func = check_number, .initial_state = &numbers[i] };
    }
    for (size_t i = 0; i < PAGES; i++) {
        tests[NUMBERS + i] =
            (struct CMUnitTest){ .name = pages[i].name, .test_func = check_page, .initial_state = &pages[i] };
    }
    return cmocka_run_group_tests_name("write_text", tests, NULL, NULL);
}

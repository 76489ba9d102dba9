/* SPDX-License-Identifier: Apache-2.0 */
/* dialect/truss_table: headings and rows of every generation of -c reports, cut names, cut rows, joined rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "truss_parse.h"

static const char calls_heading[] = "syscall               seconds   calls  errors";
static const char old_heading[] = "syscall      seconds   calls  errors";

struct row {
    const char *name, *heading, *line;
    cg_verdict verdict;
    const char *subject;
    uint64_t calls, errors;
    int64_t ns; /* of whatever the row holds */
};

static struct row rows[] = {
    { "a row", calls_heading, "read                     .412   20481       3", CG_LINE_ROW, "read", 20481, 3,
      412000000 },
    { "no errors", calls_heading, "write                  12.007 1234567", CG_LINE_ROW, "write", 1234567, 0,
      12007000000 },
    { "wide", calls_heading, "pollsys                  .055 12345678", CG_LINE_ROW, "pollsys", 12345678, 0, 55000000 },
    { "cut at 19", calls_heading, "lwp_rwlock_tryrdloc      .000       9       2", CG_LINE_ROW, "lwp_rwlock_tryrdlock",
      9, 2, 0 },
    { "19 and whole", calls_heading, "sparc_utrap_install      .000       1", CG_LINE_ROW, "sparc_utrap_install", 1, 0,
      0 },
    { "collapsed", "syscall seconds calls errors", "read .553 8355 4", CG_LINE_ROW, "read", 8355, 4, 553000000 },
    { "cut at 12", old_heading, "lwp_mutex_un     .00       3", CG_LINE_ROW, "lwp_mutex_unlock", 3, 0, 0 },
    { "12 and whole", old_heading, "lwp_schedctl     .01       1", CG_LINE_ROW, "lwp_schedctl", 1, 0, 10000000 },
    { "12 and two ways", old_heading, "lwp_rwlock_t     .01       1", CG_LINE_ROW, "lwp_rwlock_t", 1, 0, 10000000 },
    { "totals", calls_heading, "sys totals:            12.475 13600770     12", CG_LINE_ROW, "", 13600770, 12,
      12475000000 },
    { "user time", calls_heading, "usr time:               3.210", CG_LINE_ROW, "", 0, 0, 3210000000 },
    { "elapsed", calls_heading, "elapsed:               71.580", CG_LINE_ROW, "", 0, 0, 71580000000 },
    { "a ruler", calls_heading, "                     --------  ------   ----", CG_LINE_TABLE, "", 0, 0, 0 },
    { "a blank line", calls_heading, "", CG_LINE_TABLE, "", 0, 0, 0 },
    { "a signal", "signals ------------", "SIGALRM\t\t  12", CG_LINE_ROW, "SIGALRM", 12, 0, 0 },
    { "a fault", "faults -------------", "FLTPAGE\t\t   2", CG_LINE_ROW, "FLTPAGE", 2, 0, 0 },
    { "a total", "faults -------------", "total:\t\t   3", CG_LINE_TABLE, "", 0, 0, 0 },
    { "a function", "Library:             Function                                 calls",
      "libc:                malloc                                   52", CG_LINE_ROW, "libc:malloc", 52, 0, 0 },
    { "the program's own", "Library:             Function                                 calls",
      "                     main                                     1", CG_LINE_ROW, "main", 1, 0, 0 },
    { "a name alone", calls_heading, "open", CG_LINE_UNREAD, "", 0, 0, 0 },
    { "cut in the time", calls_heading, "open                     .0", CG_LINE_UNREAD, "", 0, 0, 0 },
    { "calls past any count", calls_heading, "open .001 18446744073709551615", CG_LINE_UNREAD, "", 0, 0, 0 },
    { "errors past any count", calls_heading, "open .001 3 9223372036854775808", CG_LINE_UNREAD, "", 0, 0, 0 },
    { "output between", calls_heading, "hello 3", CG_LINE_FOREIGN, "", 0, 0, 0 },
    { "an event between", calls_heading, "close(3)\t\t\t\t\t= 0", CG_LINE_EVENT, "close", 0, 0, 0 },
    { "FreeBSD's time", "syscall                     seconds   calls  errors",
      "read            0.000025360       3       0", CG_LINE_FOREIGN, "", 0, 0, 0 },
    { "a row without heading", "hello", "read                     .412   20481       3", CG_LINE_FOREIGN, "", 0, 0, 0 },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    truss_parse of;
    truss_parse_begin(&of);
    truss_strict(&of, row->heading);
    assert_int_equal(truss_strict(&of, row->line), row->verdict);
    if (row->verdict == CG_LINE_ROW) {
        const callgauge_event *event = &of.event;
        const callgauge_count_row *counts = event->row;
        callgauge_str subject = event->call != NULL ? event->call->text : counts->name.text;
        assert_true(cg_str_is(subject, row->subject));
        assert_int_equal(event->kind, *row->subject != '\0' ? CALLGAUGE_EVENT_COUNT_ROW : CALLGAUGE_EVENT_TOTALS);
        assert_int_equal(counts->table, 0);
        assert_true(counts->calls == row->calls && counts->errors == row->errors);
        assert_true(counts->cpu_ns + counts->user_ns + counts->elapsed_ns == row->ns);
    }
    truss_parse_end(&of);
}

/* Each report is a table of its own; the sections of one are not. */
static void check_tables(void **state)
{
    static const struct {
        const char *line;
        uint32_t tables;
    } lines[] = {
        { "faults -------------", 1 }, { "FLTPAGE\t\t   2", 1 }, { "signals ------------", 1 },
        { calls_heading, 1 },          { "read .001 2", 1 },     { "elapsed: 1.000", 1 },
        { calls_heading, 2 },          { "read .001 2", 2 },     { calls_heading, 3 },
        { "signals ------------", 4 },
    };
    (void)state;
    truss_parse of;
    truss_parse_begin(&of);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        truss_strict(&of, lines[i].line);
        assert_int_equal(of.parse.tables, lines[i].tables);
    }
    assert_true(of.capture.has_table);
    truss_parse_end(&of);
}

static void check_joined(void **state)
{
    static const char text[] =
        "syscall seconds calls errors read .553 8355 4 close .000 14 -------- ------ ---- elapsed: 5.100";
    static const cg_verdict verdicts[] = { CG_LINE_TABLE, CG_LINE_ROW, CG_LINE_ROW, CG_LINE_TABLE, CG_LINE_ROW };
    (void)state;
    truss_parse of;
    truss_parse_begin(&of);
    callgauge_str rest = truss_parse_line(&of, text);
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        assert_int_equal(of.parse.dialect->strict(&of.parse, rest, &of.line, &of.event), verdicts[i]);
        rest = cg_str_trim(cg_str(rest.ptr + of.parse.used, rest.len - of.parse.used));
    }
    assert_int_equal(rest.len, 0);
    truss_parse_end(&of);
}

int main(void)
{
    enum { OTHERS = 2 };
    struct CMUnitTest tests[ROWS + OTHERS] = { cmocka_unit_test(check_tables), cmocka_unit_test(check_joined) };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i + OTHERS] =
            (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("truss_table", tests, NULL, NULL);
}

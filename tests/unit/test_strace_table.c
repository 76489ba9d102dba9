/* SPDX-License-Identifier: Apache-2.0 */
/* dialect/strace_table: `-c` tables of all versions, line by line through the strict scanner: what each line is
 * (T: of a table, W: a row or totals, U: unread, f: nothing of strace's, E: an event) and what its rows say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "dialect/strace.h"
#include "reading.h"

#define HEADING "% time     seconds  usecs/call     calls    errors syscall\n"
#define RULER "------ ----------- ----------- --------- --------- ----------------\n"

static struct row {
    const char *name;
    callgauge_time_kind kind;
    const char *text, *verdicts, *said;
    const char *assumed; /* "what=taken;" each */
} rows[] = {
    { "6.1", CALLGAUGE_TIME_NONE,
      HEADING RULER " 43.84    0.001125        1125         1           execve\n"
                    " 17.69    0.000454          11        39        19 openat\n" RULER
                    "100.00    0.002566          16       153        27 total\n",
      "TTWWTW",
      "3: count-row execve calls=1 errors=0 cpu=1125000\n"
      "4: count-row openat calls=39 errors=19 cpu=454000\n"
      "6: totals calls=153 errors=27 cpu=2566000\n",
      "time of the table=cpu;" },
    { "-w declared", CALLGAUGE_TIME_WALL,
      HEADING RULER " 43.84    0.001125        1125         1           execve\n" RULER
                    "100.00    0.001125        1125         1           total\n",
      "TTWTW",
      "3: count-row execve calls=1 errors=0 wall=1125000\n"
      "5: totals calls=1 errors=0 wall=1125000\n",
      "" },
    { "cpu declared", CALLGAUGE_TIME_CPU, HEADING RULER " 43.84    0.001125        1125         1           execve\n",
      "TTW", "3: count-row execve calls=1 errors=0 cpu=1125000\n", "" },
    { "5.5: the total has no average", CALLGAUGE_TIME_NONE,
      HEADING RULER " 62.07    0.018000           3      5000           read\n" RULER
                    "100.00    0.029000                   472        77 total\n",
      "TTWTW",
      "3: count-row read calls=5000 errors=0 cpu=18000000\n"
      "5: totals calls=472 errors=77 cpu=29000000\n",
      "time of the table=cpu;" },
    { "5.5: neither average nor errors in the total", CALLGAUGE_TIME_NONE,
      HEADING RULER " 62.07    0.018000           3      5000           read\n" RULER
                    "100.00    0.018000                  5000           total\n",
      "TTWTW",
      "3: count-row read calls=5000 errors=0 cpu=18000000\n"
      "5: totals calls=5000 errors=0 cpu=18000000\n",
      "time of the table=cpu;" },
    { "long numbers shift an old row", CALLGAUGE_TIME_NONE,
      HEADING RULER " 99.99 12345678.123456          11 1122334455    198877 futex\n"
                    "  0.01    1.000000          11 1122334455           read\n",
      "TTWW",
      "3: count-row futex calls=1122334455 errors=198877 cpu=12345678123456000\n"
      "4: count-row read calls=1122334455 errors=0 cpu=1000000000\n",
      "time of the table=cpu;" },
    { "columns grow with the longest name", CALLGAUGE_TIME_NONE,
      "% time     seconds  usecs/call     calls    errors syscall\n"
      "------ ----------- ----------- --------- --------- ------------------------\n"
      " 50.00    0.000010          10         1         1 rt_tgsigqueueinfo_and_on\n",
      "TTW", "3: count-row rt_tgsigqueueinfo_and_on calls=1 errors=1 cpu=10000\n", "time of the table=cpu;" },
    { "no time at all", CALLGAUGE_TIME_NONE,
      HEADING RULER "  0.00    0.000000           0         7           read\n" RULER
                    "100.00    0.000000           0         7           total\n",
      "TTWTW",
      "3: count-row read calls=7 errors=0 cpu=0\n"
      "5: totals calls=7 errors=0 cpu=0\n",
      "time of the table=cpu;" },
    { "shares that are no numbers", CALLGAUGE_TIME_NONE,
      HEADING RULER "  -nan    0.000000           0         7           read\n"
                    "   nan    0.000000           0         1         1 close\n",
      "TTWW",
      "3: count-row read calls=7 errors=0 cpu=0\n"
      "4: count-row close calls=1 errors=1 cpu=0\n",
      "time of the table=cpu;" },
    { "shortest and longest", CALLGAUGE_TIME_NONE,
      "% time     seconds shortest  longest  usecs/call     calls    errors syscall\n"
      "------ ----------- -------- -------- ----------- --------- --------- ----------------\n"
      " 33.27    0.001557 0.001557 0.001557        1557         1           execve\n"
      "------ ----------- -------- -------- ----------- --------- --------- ----------------\n"
      "100.00    0.004680 0.000004 0.001557          30       153        27 total\n",
      "TTWTW",
      "3: count-row execve calls=1 errors=0 cpu=1557000 cpu-min=1557000 cpu-max=1557000\n"
      "5: totals calls=153 errors=27 cpu=4680000 cpu-min=4000 cpu-max=1557000\n",
      "time of the table=cpu;" },
    { "shortest and longest of wall clock", CALLGAUGE_TIME_WALL,
      "% time     seconds shortest  longest  usecs/call     calls    errors syscall\n"
      "------ ----------- -------- -------- ----------- --------- --------- ----------------\n"
      " 33.27    0.001557 0.000001 0.001550        1557         2           execve\n",
      "TTW", "3: count-row execve calls=2 errors=0 wall=1557000 wall-min=1000 wall-max=1550000\n", "" },
    { "name first, no calls", CALLGAUGE_TIME_NONE,
      "syscall          % time shortest  longest\n"
      "---------------- ------ -------- --------\n"
      "openat            37.18 0.000000 0.000066\n"
      "---------------- ------ -------- --------\n"
      "total            100.00 0.000000 0.000198\n",
      "TTWTW",
      "3: count-row openat cpu-min=0 cpu-max=66000\n"
      "5: totals cpu-min=0 cpu-max=198000\n",
      "time of the table=cpu;calls=unknown: the table has no such column;"
      "errors=unknown: the table has no such column;" },
    { "names only", CALLGAUGE_TIME_NONE, "syscall\n----------------\nread\nclose\n----------------\ntotal\n", "TTWWTW",
      "3: count-row read\n4: count-row close\n6: totals\n",
      "calls=unknown: the table has no such column;errors=unknown: the table has no such column;" },
    { "name in the middle, blank errors", CALLGAUGE_TIME_NONE,
      "syscall              calls    errors     seconds\n"
      "---------------- --------- --------- -----------\n"
      "mprotect                 5              0.000018\n"
      "openat                  39        19    0.000454\n",
      "TTWW",
      "3: count-row mprotect calls=5 errors=0 cpu=18000\n"
      "4: count-row openat calls=39 errors=19 cpu=454000\n",
      "time of the table=cpu;" },
    { "errors last and blank", CALLGAUGE_TIME_NONE,
      "syscall              calls    errors\n"
      "---------------- --------- ---------\n"
      "mprotect                 5          \n"
      "openat                  39        19\n",
      "TTWW",
      "3: count-row mprotect calls=5 errors=0\n"
      "4: count-row openat calls=39 errors=19\n",
      "" },
    { "7.2, both kinds of time", CALLGAUGE_TIME_NONE,
      "% time     seconds  wall-total shortest  longest  usecs/call wall-min wall-max    wall-avg     calls    errors "
      "syscall\n"
      "------ ----------- ----------- -------- -------- ----------- -------- -------- ----------- --------- --------- "
      "----------------\n"
      "  0.00    0.000000    0.002455 0.000000 0.000000           0 0.000014 0.002288         490         5           "
      "write\n"
      "------ ----------- ----------- -------- -------- ----------- -------- -------- ----------- --------- --------- "
      "----------------\n"
      "100.00    0.000000    0.241792 0.000000 0.000000           0 0.000013 0.107839        1580       153        27 "
      "total\n",
      "TTWTW",
      "3: count-row write calls=5 errors=0 cpu=0 cpu-min=0 cpu-max=0 wall=2455000 wall-min=14000 wall-max=2288000\n"
      "5: totals calls=153 errors=27 cpu=0 cpu-min=0 cpu-max=0 wall=241792000 wall-min=13000 wall-max=107839000\n",
      "" },
    { "a table for another mode", CALLGAUGE_TIME_NONE,
      HEADING RULER " 60.00    0.000003           3         1           execve\n" RULER
                    "100.00    0.000003           3         1           total\n"
                    "System call usage summary for 32 bit mode:\n" HEADING RULER
                    " 60.00    0.000002           2         1         1 open\n" RULER
                    "100.00    0.000002           2         1         1 total\n",
      "TTWTWTTTWTW",
      "3: count-row execve calls=1 errors=0 cpu=3000\n"
      "5: totals calls=1 errors=0 cpu=3000\n"
      "9: count-row open table=1 calls=1 errors=1 cpu=2000\n"
      "11: totals table=1 calls=1 errors=1 cpu=2000\n",
      "time of the table=cpu;" },
    { "unknown calls, other machines' names", CALLGAUGE_TIME_NONE,
      HEADING RULER "  0.00    0.000000           0         1         1 syscall_0x3e8\n"
                    "  0.00    0.000000           0         2           read#64\n",
      "TTWW",
      "3: count-row syscall_0x3e8 calls=1 errors=1 cpu=0\n"
      "4: count-row read#64 calls=2 errors=0 cpu=0\n",
      "time of the table=cpu;" },
    { "blanks collapsed", CALLGAUGE_TIME_NONE,
      "% time seconds usecs/call calls errors syscall\n"
      "------ ----------- ----------- --------- --------- ----------------\n"
      "43.84 0.001125 1125 1 execve\n"
      "17.69 0.000454 11 39 19 openat\n"
      "------ ----------- ----------- --------- --------- ----------------\n"
      "100.00 0.002566 16 153 27 total\n",
      "TTWWTW",
      "3: count-row execve calls=1 errors=0 cpu=1125000\n"
      "4: count-row openat calls=39 errors=19 cpu=454000\n"
      "6: totals calls=153 errors=27 cpu=2566000\n",
      "time of the table=cpu;" },
    { "output between the rows", CALLGAUGE_TIME_NONE,
      HEADING RULER "hello there\n 43.84    0.001125        1125         1           execve\n", "TTfW",
      "4: count-row execve calls=1 errors=0 cpu=1125000\n", "time of the table=cpu;" },
    { "a call behind the table", CALLGAUGE_TIME_NONE,
      HEADING RULER " 43.84    0.001125        1125         1           execve\n" RULER
                    "100.00    0.001125        1125         1           total\n"
                    "close(3)                                = 0\n",
      "TTWTWE",
      "3: count-row execve calls=1 errors=0 cpu=1125000\n"
      "5: totals calls=1 errors=0 cpu=1125000\n"
      "6: call close args=<3> result=<0> value=0\n",
      "time of the table=cpu;" },
    { "a call named total is none", CALLGAUGE_TIME_NONE,
      HEADING RULER "100.00    0.001125        1125         1           total\n", "TTW",
      "3: count-row total calls=1 errors=0 cpu=1125000\n", "time of the table=cpu;" },
    { "more dashes than headings", CALLGAUGE_TIME_NONE,
      "     calls syscall\n--------- --------- ----------------\n        1 execve\n", "TUf", "", "" },
    { "heading without ruler", CALLGAUGE_TIME_NONE, HEADING "close(3)                                = 0\n", "TE",
      "2: call close args=<3> result=<0> value=0\n", "" },
    { "rows without heading", CALLGAUGE_TIME_NONE, " 43.84    0.001125        1125         1           execve\n", "f",
      "", "" },
    { "ruler without heading", CALLGAUGE_TIME_NONE, RULER, "f", "", "" },
    { "heading with another word", CALLGAUGE_TIME_NONE, "% time     seconds  usecs/call     calls    errors command\n",
      "f", "", "" },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    char verdicts[64], assumed[256] = "";
    scene s;
    scene_begin(&s, &cg_dialect_strace);
    s.options.time_kind = row->kind;
    scene_read(&s, row->text, verdicts, sizeof verdicts);
    assert_string_equal(verdicts, row->verdicts);
    assert_string_equal(said_text(&s.said), row->said);
    for (size_t i = 0; i < s.assumed.count; i++) {
        size_t len = strlen(assumed);
        snprintf(assumed + len, sizeof assumed - len, "%s=%s;", s.assumed.items[i].what, s.assumed.items[i].taken);
    }
    assert_string_equal(assumed, row->assumed);
    scene_end(&s);
}

static struct heading_row {
    const char *name, *text;
    bool is;
} heading_rows[] = {
    { "usual heading", "% time     seconds  usecs/call     calls    errors syscall", true },
    { "heading of -U", "syscall          % time shortest  longest ", true },
    { "heading of wall clock", " wall-total syscall", true },
    { "truss has these words too", "syscall               seconds   calls  errors", false },
    { "name alone", "syscall", false },
    { "no name", "% time     seconds", false },
    { "glued words", "% timeseconds syscall", false },
    { "words of a sentence", "the calls of a syscall", false },
    { "empty", "", false },
};

enum { HEADING_ROWS = sizeof heading_rows / sizeof *heading_rows };

static void check_heading(void **state)
{
    const struct heading_row *row = *state;
    assert_int_equal(cg_strace_is_heading(cg_str_z(row->text)), row->is);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + HEADING_ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    for (size_t i = 0; i < HEADING_ROWS; i++) {
        tests[ROWS + i] = (struct CMUnitTest){ .name = heading_rows[i].name,
                                               .test_func = check_heading,
                                               .initial_state = &heading_rows[i] };
    }
    return cmocka_run_group_tests_name("strace_table", tests, NULL, NULL);
}

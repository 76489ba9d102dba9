/* SPDX-License-Identifier: Apache-2.0 */
/* compare: what becomes of two sides, from the text of captures; a row for each rule of docs/comparing.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>

#include <cmocka.h>

#include "comparing.h"

#define OPEN "openat(AT_FDCWD, \"/etc/hosts\", O_RDONLY) = 3\n"
#define NO_OPEN "openat(AT_FDCWD, \"/srv/.htaccess\", O_RDONLY) = -1 ENOENT (No such file or directory)\n"
#define READ "read(3, \"abcdefgh\", 8) = 8\n"
#define SHORT_READ "read(3, \"abcd\", 8) = 4\n"
#define EMPTY_READ "read(3, 0x7ffc, 8) = -1 EAGAIN (Resource temporarily unavailable)\n"
#define CLOSE "close(3) = 0\n"
#define STAT "stat(\"/etc\", {st_mode=S_IFDIR|0755, st_size=4096, ...}) = 0\n"
#define NEWFSTATAT "newfstatat(AT_FDCWD, \"/etc\", {st_mode=S_IFDIR|0755, st_size=4096, ...}, 0) = 0\n"
#define ALL OPEN READ CLOSE
#define OPENS OPEN OPEN OPEN OPEN OPEN OPEN OPEN OPEN /* of one descriptor, and no close: a proof */

/* --- one capture a side */

static struct row {
    const char *name, *before, *after;
    callgauge_verdict verdict;
    const char *headline, *call, *why; /* why the row of that call has its verdict */
} rows[] = {
    { "nothing", ALL, ALL, CALLGAUGE_VERDICT_SAME, "no difference in 3 calls", "read", "" },
    { "more calls", ALL, OPEN READ READ CLOSE, CALLGAUGE_VERDICT_REGRESSION, "1 more read: 4 calls instead of 3",
      "read", "1 more call, 8 more bytes read" },
    { "fewer calls", OPEN READ READ READ CLOSE, ALL, CALLGAUGE_VERDICT_IMPROVED, "2 fewer reads: 3 calls instead of 5",
      "read", "2 fewer calls, 16 fewer bytes read" },
    { "a call that is new", ALL, ALL STAT, CALLGAUGE_VERDICT_REGRESSION, "1 more stat call: 4 calls instead of 3",
      "stat", "new: not called before" },
    { "a call that is gone", ALL STAT, ALL, CALLGAUGE_VERDICT_IMPROVED, "1 fewer stat call: 3 calls instead of 4",
      "stat", "no longer called" },
    { "a call of no class", ALL, ALL "getrandom(\"\\x01\", 1, 0) = 1\n", CALLGAUGE_VERDICT_REGRESSION,
      "1 more getrandom call: 4 calls instead of 3", "getrandom", "new: not called before" },
    { "another call for the same", ALL STAT, ALL NEWFSTATAT, CALLGAUGE_VERDICT_DIFFERENT,
      "newfstatat: other calls of class stat went down as much", "newfstatat",
      "other calls of class stat went down as much" },
    { "the one that it replaces", ALL STAT, ALL NEWFSTATAT, CALLGAUGE_VERDICT_DIFFERENT,
      "newfstatat: other calls of class stat went down as much", "stat", "other calls of class stat went up as much" },
    { "another call, and more of it", ALL STAT, ALL NEWFSTATAT NEWFSTATAT, CALLGAUGE_VERDICT_REGRESSION,
      "1 more stat call: 5 calls instead of 4", "newfstatat", "new: not called before" },
    { "more errors", ALL READ, ALL EMPTY_READ, CALLGAUGE_VERDICT_REGRESSION, "1 more failing read", "read",
      "1 more error, EAGAIN, 8 fewer bytes read" },
    { "fewer calls, but errors", ALL READ READ, ALL EMPTY_READ, CALLGAUGE_VERDICT_REGRESSION, "1 more failing read",
      "read", "1 fewer call, 1 more error, EAGAIN, 16 fewer bytes read" },
    { "more calls, fewer errors", ALL EMPTY_READ, ALL READ READ, CALLGAUGE_VERDICT_DIFFERENT,
      "read: 1 more call, 1 fewer error, 16 more bytes read", "read",
      "1 more call, 1 fewer error, 16 more bytes read" },
    { "other bytes", ALL, OPEN SHORT_READ CLOSE, CALLGAUGE_VERDICT_DIFFERENT, "read: 4 fewer bytes read", "read",
      "4 fewer bytes read" },
    { "failing opens", ALL, ALL NO_OPEN NO_OPEN, CALLGAUGE_VERDICT_REGRESSION,
      "2 more failing opens in all: .htaccess looked for in 1 directory", "openat",
      "2 more calls, 2 more errors, all ENOENT" },
    { "failing opens are gone", ALL NO_OPEN, ALL, CALLGAUGE_VERDICT_IMPROVED,
      "1 fewer failing open in all: .htaccess no longer looked for in 1 directory", "openat",
      "1 fewer call, 1 fewer error" },
};

static void check_row(void **state)
{
    const struct row *row = *state;
    callgauge_report *before = report_of("before", row->before), *after = report_of("after", row->after);
    callgauge_comparison *comparison = compare_two(before, after, NULL);
    const callgauge_compare_row *call = call_row(comparison, row->call);
    assert_string_equal(callgauge_comparison_headline(comparison), row->headline);
    assert_string_equal(callgauge_verdict_text(callgauge_comparison_verdict(comparison)),
                        callgauge_verdict_text(row->verdict));
    assert_non_null(call);
    check_text(call->why, row->why);
    callgauge_comparison_free(comparison);
    callgauge_report_free(before);
    callgauge_report_free(after);
}

/* --- several captures a side: calls of read in each, 0 ends */

static struct several {
    const char *name;
    size_t before[12], after[12];
    uint64_t floor;
    double percent;
    callgauge_verdict verdict;
    int64_t value_before, value_after; /* medians */
    bool is_tested;
} several[] = {
    { "all alike", { 2, 2, 2 }, { 2, 2 }, 0, 0, CALLGAUGE_VERDICT_SAME, 2, 2, false },
    { "exact", { 2, 2, 2 }, { 3, 3 }, 0, 0, CALLGAUGE_VERDICT_REGRESSION, 2, 3, false },
    { "few that overlap", { 2, 4, 3 }, { 4, 5 }, 0, 0, CALLGAUGE_VERDICT_SAME, 3, 4, false },
    { "few that do not", { 2, 4, 3 }, { 5, 6 }, 0, 0, CALLGAUGE_VERDICT_REGRESSION, 3, 5, false },
    { "few that do not, better", { 5, 6 }, { 2, 4, 3 }, 0, 0, CALLGAUGE_VERDICT_IMPROVED, 5, 3, false },
    { "below the floor", { 20 }, { 22 }, 3, 0, CALLGAUGE_VERDICT_SAME, 20, 22, false },
    { "at the floor", { 20 }, { 23 }, 3, 0, CALLGAUGE_VERDICT_REGRESSION, 20, 23, false },
    { "below the percentage", { 20 }, { 22 }, 0, 11, CALLGAUGE_VERDICT_SAME, 20, 22, false },
    { "at the percentage", { 20 }, { 22 }, 0, 10, CALLGAUGE_VERDICT_REGRESSION, 20, 22, false },
    { "at the percentage, the other way", { 22 }, { 20 }, 0, 10, CALLGAUGE_VERDICT_IMPROVED, 22, 20, false },
    { "one floor is not both", { 20 }, { 22 }, 3, 10, CALLGAUGE_VERDICT_SAME, 20, 22, false },
    { "five above five", { 1, 2, 3, 4, 5 }, { 6, 7, 8, 9, 10 }, 0, 0, CALLGAUGE_VERDICT_REGRESSION, 3, 8, true },
    { "one out of place", { 1, 2, 3, 4, 6 }, { 5, 7, 8, 9, 10 }, 0, 0, CALLGAUGE_VERDICT_SAME, 3, 8, true },
    { "five and four", { 1, 2, 3, 4, 5 }, { 6, 7, 8, 9 }, 0, 0, CALLGAUGE_VERDICT_REGRESSION, 3, 7, false },
    { "seven above six, one overlaps",
      { 1, 2, 3, 4, 5, 6, 8 },
      { 7, 9, 10, 11, 12, 13 },
      0,
      0,
      CALLGAUGE_VERDICT_REGRESSION,
      4,
      10,
      true },
    { "middle of an even number", { 1, 2, 8, 9 }, { 2 }, 0, 0, CALLGAUGE_VERDICT_SAME, 2, 2, false },
};

enum { MOST_REPORTS = 12 };

/* A report with so many reads, for each number. */
static size_t make_side(const size_t *reads, const char *name, callgauge_report **out)
{
    size_t count = 0;
    for (; count < MOST_REPORTS && reads[count] > 0; count++) {
        char text[64 * 32] = OPEN;
        for (size_t i = 0; i < reads[count]; i++) {
            strcat(text, READ);
        }
        out[count] = report_of(name, text);
    }
    return count;
}

/* The last report first: what comes out must not change. */
static void turn(callgauge_report **reports, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        callgauge_report *other = reports[count - 1 - i];
        reports[count - 1 - i] = reports[i];
        reports[i] = other;
    }
}

static callgauge_verdict mirror(callgauge_verdict verdict)
{
    return verdict == CALLGAUGE_VERDICT_REGRESSION ? CALLGAUGE_VERDICT_IMPROVED
           : verdict == CALLGAUGE_VERDICT_IMPROVED ? CALLGAUGE_VERDICT_REGRESSION
                                                   : verdict;
}

/* Of reads, as `row` has it; the other way round where the sides are swapped. */
static void check_reads(const struct several *row, const callgauge_comparison *comparison, bool swapped)
{
    const callgauge_amount *calls = &call_row(comparison, "read")->amounts[CALLGAUGE_MEASURE_CALLS];
    assert_true(calls->judged);
    assert_int_equal(calls->before.value, swapped ? row->value_after : row->value_before);
    assert_int_equal(calls->after.value, swapped ? row->value_before : row->value_after);
    assert_int_equal(calls->verdict, swapped ? mirror(row->verdict) : row->verdict);
    assert_int_equal(calls->p >= 0, row->is_tested);
}

static void free_side(callgauge_report *const *reports, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        callgauge_report_free(reports[i]);
    }
}

static void check_several(void **state)
{
    const struct several *row = *state;
    const callgauge_compare_options options = { .size = sizeof options,
                                                .count_floor = row->floor,
                                                .count_percent = row->percent };
    callgauge_report *before[MOST_REPORTS], *after[MOST_REPORTS];
    size_t before_count = make_side(row->before, "b", before), after_count = make_side(row->after, "a", after);
    callgauge_comparison *comparison = compare_all(before, before_count, after, after_count, &options);
    check_reads(row, comparison, false);
    callgauge_comparison_free(comparison);
    turn(before, before_count);
    turn(after, after_count);
    comparison = compare_all(before, before_count, after, after_count, &options);
    check_reads(row, comparison, false);
    callgauge_comparison_free(comparison);
    comparison = compare_all(after, after_count, before, before_count, &options);
    check_reads(row, comparison, true);
    callgauge_comparison_free(comparison);
    free_side(before, before_count);
    free_side(after, after_count);
}

/* --- units of work */

static void check_units(void **state)
{
    (void)state;
    callgauge_report *one = report_of_units("one", ALL READ, 1), *two = report_of_units("two", ALL READ ALL READ, 2);
    callgauge_report *three = report_of_units("three", ALL READ ALL READ, 3);
    callgauge_comparison *same = compare_two(one, two, NULL), *fewer = compare_two(two, three, NULL);
    assert_int_equal(callgauge_comparison_verdict(same), CALLGAUGE_VERDICT_SAME);
    assert_string_equal(callgauge_comparison_headline(same), "no difference in 8 calls");
    const callgauge_amount *reads = &call_row(fewer, "read")->amounts[CALLGAUGE_MEASURE_CALLS];
    assert_int_equal(reads->verdict, CALLGAUGE_VERDICT_IMPROVED);
    assert_true(reads->before.per_unit == 2);
    assert_string_equal(callgauge_comparison_headline(fewer),
                        "0.67 fewer reads and 0.33 fewer close calls a unit: 2.67 calls instead of 4");
    check_text(call_row(fewer, "read")->why, "0.67 fewer calls a unit, 5.33 fewer bytes read a unit");
    callgauge_comparison_free(same);
    callgauge_comparison_free(fewer);
    callgauge_report *none = report_of("none", ALL READ);
    callgauge_comparison *mixed = compare_two(one, none, NULL);
    assert_int_equal(callgauge_comparison_verdict(mixed), CALLGAUGE_VERDICT_SAME);
    check_text(left_out_row(mixed, "units of work")->side, "after");
    callgauge_comparison_free(mixed);
    callgauge_report *const all[] = { one, two, three, none };
    free_side(all, 4);
}

/* --- what a side could see */

static void check_declared(void **state)
{
    (void)state;
    const callgauge_compare_options options = { .size = sizeof options, .after_traced = "%open,read" };
    callgauge_report *before = report_of("before", ALL), *after = report_of("after", OPEN);
    callgauge_comparison *comparison = compare_two(before, after, &options);
    assert_int_equal(callgauge_comparison_call_count(comparison), 2);
    check_text(call_row(comparison, "read")->why, "no longer called");
    assert_null(call_row(comparison, "close"));
    check_text(left_out_row(comparison, "close")->side, "after");
    check_text(left_out_row(comparison, "files")->side, "both");
    assert_int_equal(callgauge_comparison_totals(comparison)->amounts[CALLGAUGE_MEASURE_CALLS].before.value, 2);
    callgauge_comparison_free(comparison);
    callgauge_report_free(before);
    callgauge_report_free(after);
}

static void check_proved(void **state)
{
    (void)state;
    callgauge_report *before = report_of("before", OPENS), *after = report_of("after", OPENS ALL);
    assert_int_equal(before->captures[0].complete, CALLGAUGE_COMPLETE_NO);
    callgauge_comparison *comparison = compare_two(before, after, NULL);
    assert_int_equal(callgauge_comparison_call_count(comparison), 1);
    check_text(left_out_row(comparison, "read")->side, "before");
    check_text(left_out_row(comparison, "close")->side, "before");
    callgauge_comparison_free(comparison);
    callgauge_report_free(before);
    callgauge_report_free(after);
}

#define TABLE_HEAD \
    "% time     seconds  usecs/call     calls    errors syscall\n" \
    "------ ----------- ----------- --------- --------- ----------------\n"
#define TABLE_ROW(calls, name) "  0.00    0.000000           0         " calls "           " name "\n"

static void check_tables(void **state)
{
    (void)state;
    callgauge_report *all = report_of("all", TABLE_HEAD TABLE_ROW("2", "openat") TABLE_ROW("2", "close"));
    callgauge_report *some = report_of("some", TABLE_HEAD TABLE_ROW("2", "openat"));
    callgauge_report *trace = report_of("trace", OPEN OPEN CLOSE CLOSE "syscall_0x270f(0, 1) = -1 ENOSYS (Function not "
                                                                       "implemented)\nexit_group(0) = ?\n");
    callgauge_comparison *tables = compare_two(all, some, NULL);
    check_text(call_row(tables, "close")->why, "no longer called");
    assert_int_equal(callgauge_comparison_hint_count(tables), 1);
    assert_string_equal(
        callgauge_comparison_hint(tables, 0),
        "after: a table with openat but no close was probably filtered; --after-traced says which calls "
        "it shows");
    callgauge_comparison_free(tables);
    callgauge_comparison *mixed = compare_two(trace, all, NULL);
    assert_int_equal(callgauge_comparison_verdict(mixed), CALLGAUGE_VERDICT_SAME);
    check_text(left_out_row(mixed, "syscall_0x270f")->side, "after");
    check_text(left_out_row(mixed, "cpu times")->side, "before");
    assert_null(call_row(mixed, "exit_group"));
    callgauge_comparison_free(mixed);
    callgauge_report *const reports[] = { all, some, trace };
    free_side(reports, 3);
}

/* --- dialects */

static callgauge_report *report_of_file(const char *path)
{
    const callgauge_analysis_options options = { .size = sizeof options, .follow = true, .jobs = 1 };
    callgauge_report *report;
    assert_int_equal(callgauge_analyze_files(&path, 1, &options, &report, NULL), CALLGAUGE_OK);
    return report;
}

/* One request in two dialects: fixtures/compare/static-all, whose NOTE.md says what is in both. */
static void check_dialects(void **state)
{
    static const struct {
        const char *name;
        int64_t calls, errors;
    } truth[] = { { "accept", 1, 0 }, { "close", 2, 0 },  { "fdctl", 2, 0 }, { "memory", 2, 0 }, { "open", 6, 5 },
                  { "read", 3, 1 },   { "socket", 1, 0 }, { "stat", 1, 0 },  { "wait", 1, 0 },   { "write", 2, 0 } };
    (void)state;
    callgauge_report *before = report_of_file(CG_FIXTURES "/compare/static-all/before.strace");
    callgauge_report *after = report_of_file(CG_FIXTURES "/compare/static-all/after.truss");
    callgauge_comparison *comparison = compare_two(before, after, NULL);
    assert_true(callgauge_comparison_by_class(comparison));
    assert_int_equal(callgauge_comparison_verdict(comparison), CALLGAUGE_VERDICT_SAME);
    assert_int_equal(callgauge_comparison_call_count(comparison), sizeof truth / sizeof *truth);
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++) {
        const callgauge_compare_row *row = call_row(comparison, truth[i].name);
        assert_non_null(row);
        for (int after_too = 0; after_too < 2; after_too++) {
            const callgauge_amount *calls = &row->amounts[CALLGAUGE_MEASURE_CALLS];
            const callgauge_amount *errors = &row->amounts[CALLGAUGE_MEASURE_ERRORS];
            assert_int_equal((after_too ? &calls->after : &calls->before)->value, truth[i].calls);
            assert_int_equal((after_too ? &errors->after : &errors->before)->value, truth[i].errors);
        }
    }
    check_text(call_row(comparison, "open")->names_before[0], "openat");
    check_text(call_row(comparison, "open")->names_after[0], "open64");
    assert_int_equal(callgauge_comparison_file_count(comparison), 0);
    callgauge_comparison_free(comparison);
    callgauge_report_free(before);
    callgauge_report_free(after);
}

/* By class a side is asked for what it has: the names of its own dialect. */
static void check_classes_seen(void **state)
{
    (void)state;
    const callgauge_compare_options options = { .size = sizeof options, .after_traced = "open64,read" };
    callgauge_report *before = report_of_file(CG_FIXTURES "/compare/static-all/before.strace");
    callgauge_report *after = report_of("after.truss", "open64(\"/.htaccess\", O_RDONLY)\t\t\tErr#2 ENOENT\n"
                                                       "read(4, 0xFEFFBC07, 1)\t\t\t\tErr#11 EAGAIN\n"
                                                       "sysconfig(_CONFIG_PAGESIZE)\t\t\t= 4096\n");
    callgauge_comparison *comparison = compare_two(before, after, &options);
    assert_int_equal(callgauge_comparison_call_count(comparison), 2);
    check_text(call_row(comparison, "open")->why, "5 fewer calls, 4 fewer errors");
    check_text(left_out_row(comparison, "close")->side, "after");
    check_text(left_out_row(comparison, "newfstatat")->side, "after");
    assert_null(left_out_row(comparison, "openat"));
    assert_non_null(left_out_row(comparison, "sysconfig"));
    callgauge_comparison_free(comparison);
    comparison = compare_two(before, after, NULL);
    check_text(left_out_row(comparison, "sysconfig")->side, "before");
    check_text(left_out_row(comparison, "sysconfig")->why, "it has no class to match it by, and the dialects differ");
    callgauge_comparison_free(comparison);
    callgauge_report_free(before);
    callgauge_report_free(after);
}

/* A table of truss has a row for _exit, which never returns; a call that was cut off is in no table. */
static void check_unreturned(void **state)
{
    (void)state;
    callgauge_report *table = report_of("table", "syscall               seconds   calls  errors\n"
                                                 "_exit                    .000       1\n"
                                                 "read                     .000       1\n"
                                                 "                     --------  ------   ----\n"
                                                 "sys totals:              .000       2      0\n"
                                                 "usr time:                .001\n");
    callgauge_report *trace = report_of("trace",
                                        "read(3, \" a b c\", 8)\t\t\t\t= 3\nread(3, 0xFEFF0000, 8)\t(sleeping...)\n"
                                        "_exit(0)\n");
    callgauge_comparison *comparison = compare_two(table, trace, NULL);
    assert_int_equal(call_row(comparison, "_exit")->amounts[CALLGAUGE_MEASURE_CALLS].after.value, 1);
    assert_int_equal(callgauge_comparison_verdict(comparison), CALLGAUGE_VERDICT_SAME);
    callgauge_comparison_free(comparison);
    callgauge_report_free(table);
    callgauge_report_free(trace);
}

/* --- times */

#define SLOW_READ(seconds) "read(3, \"abcdefgh\", 8) = 8 <" seconds ">\n"

#define TABLE(seconds) \
    "% time     seconds  usecs/call     calls    errors syscall\n" \
    "------ ----------- ----------- --------- --------- ----------------\n" \
    "100.00    " seconds "         100         1           read\n" \
    "------ ----------- ----------- --------- --------- ----------------\n" \
    "100.00    " seconds "         100         1           total\n"

/* The kernel tells strace CPU times in large steps; those of two single runs say nothing. */
static void check_rough_times(void **state)
{
    (void)state;
    callgauge_report *fast[] = { report_of("f1", TABLE("0.010000")), report_of("f2", TABLE("0.011000")) };
    callgauge_report *slow[] = { report_of("s1", TABLE("0.030000")), report_of("s2", TABLE("0.035000")) };
    callgauge_comparison *alone = compare_two(fast[0], slow[0], NULL), *two = compare_all(fast, 2, slow, 2, NULL);
    assert_false(call_row(alone, "read")->amounts[CALLGAUGE_MEASURE_CPU].judged);
    assert_int_equal(callgauge_comparison_verdict(alone), CALLGAUGE_VERDICT_SAME);
    assert_string_equal(callgauge_comparison_headline(alone),
                        "no difference in counts; cpu times differ, up to 3.0-fold, which is not judged");
    assert_int_equal(callgauge_comparison_hint_count(alone), 1);
    assert_int_equal(callgauge_comparison_verdict(two), CALLGAUGE_VERDICT_REGRESSION);
    callgauge_comparison_free(alone);
    callgauge_comparison_free(two);
    free_side(fast, 2);
    free_side(slow, 2);
}

static void check_times(void **state)
{
    (void)state;
    callgauge_report *fast[] = { report_of("f1", SLOW_READ("0.010000")), report_of("f2", SLOW_READ("0.011000")) };
    callgauge_report *slow[] = { report_of("s1", SLOW_READ("0.030000")), report_of("s2", SLOW_READ("0.035000")) };
    callgauge_comparison *alone = compare_two(fast[0], slow[0], NULL), *two = compare_all(fast, 2, slow, 2, NULL);
    const callgauge_amount *wall = &call_row(alone, "read")->amounts[CALLGAUGE_MEASURE_WALL];
    assert_false(wall->judged);
    assert_int_equal(wall->after.value, 30000000);
    assert_int_equal(callgauge_comparison_verdict(alone), CALLGAUGE_VERDICT_SAME);
    assert_string_equal(callgauge_comparison_headline(alone),
                        "no difference in counts; wall times differ, up to 3.0-fold, which is not judged");
    assert_int_equal(callgauge_comparison_hint_count(alone), 1);
    wall = &call_row(two, "read")->amounts[CALLGAUGE_MEASURE_WALL];
    assert_true(wall->judged);
    assert_int_equal(wall->verdict, CALLGAUGE_VERDICT_REGRESSION);
    assert_int_equal(wall->before.max, 11000000);
    assert_string_equal(callgauge_comparison_headline(two), "20 ms more time in reads");
    callgauge_comparison_free(alone);
    callgauge_comparison_free(two);
    free_side(fast, 2);
    free_side(slow, 2);
}

/* --- files */

#define TEMPORARY(name) "openat(AT_FDCWD, \"/tmp/" name "\", O_RDWR|O_CREAT|O_EXCL, 0600) = 4\nclose(4) = 0\n"
#define SOCKET(port) \
    "accept4(3<TCP:[127.0.0.1:80]>, {sa_family=AF_INET, sin_port=htons(" port \
    "), sin_addr=inet_addr(\"127.0.0.1\")}, [128 " \
    "=> 16], SOCK_CLOEXEC) = 4<TCP:[127.0.0.1:80->127.0.0.1:" port "]>\nclose(4<TCP:[127.0.0.1:80->127.0.0.1:" port \
    "]>) = 0\n"

static struct names {
    const char *name, *before, *after;
    size_t files;     /* that differ */
    const char *file; /* NULL: none is looked for */
} names[] = {
    { "names of mkstemp", TEMPORARY("job.aB3xY9"), TEMPORARY("job.Zk81Qw"), 0, NULL },
    { "names of Python's tempfile", TEMPORARY("tmp_5pq9obb"), TEMPORARY("tmpyb7z_y1q"), 0, NULL },
    { "numbers in /tmp", TEMPORARY("job-12.txt"), TEMPORARY("job-345.txt"), 0, NULL },
    { "words in /tmp", TEMPORARY("first"), TEMPORARY("second"), 2, "/tmp/second" },
    { "ports of clients", SOCKET("41000"), SOCKET("50123"), 0, NULL },
    { "more clients", SOCKET("41000"), SOCKET("50123") SOCKET("50125"), 2, "127.0.0.1:80 <-> 127.0.0.1" },
    { "processes of /proc", "openat(AT_FDCWD, \"/proc/123/stat\", O_RDONLY) = 3\nclose(3) = 0\n",
      "openat(AT_FDCWD, \"/proc/4567/stat\", O_RDONLY) = 3\nclose(3) = 0\n", 0, NULL },
    { "numbers of pipes", EMPTY_READ "read(0<pipe:[77]>, \"\", 1) = 0\n",
      EMPTY_READ "read(0<pipe:[12345]>, \"\", 1) = 0\n", 0, NULL },
    { "numbers of others", "openat(AT_FDCWD, \"/srv/page1\", O_RDONLY) = 3\nclose(3) = 0\n",
      "openat(AT_FDCWD, \"/srv/page2\", O_RDONLY) = 3\nclose(3) = 0\n", 2, "/srv/page2" },
    { "more reads of a file", ALL, OPEN READ READ CLOSE, 1, "/etc/hosts" },
};

static void check_names(void **state)
{
    const struct names *row = *state;
    callgauge_report *before = report_of("before", row->before), *after = report_of("after", row->after);
    callgauge_comparison *comparison = compare_two(before, after, NULL);
    assert_int_equal(callgauge_comparison_file_count(comparison), row->files);
    assert_true(row->file == NULL || file_row(comparison, row->file) != NULL);
    callgauge_comparison_free(comparison);
    callgauge_report_free(before);
    callgauge_report_free(after);
}

/* Of very many files that differ those are kept that changed most. */
static void check_most_kept(void **state)
{
    (void)state;
    enum { FILES = 10010, LINE = 80 };
    char *text = calloc(FILES + 2, LINE), *end = text;
    assert_non_null(text);
    for (int i = 0; i < FILES; i++) {
        end += sprintf(end, "openat(AT_FDCWD, \"/data/%05d\", O_RDONLY) = -1 EACCES (Permission denied)\n", i);
    }
    memcpy(end, NO_OPEN NO_OPEN, sizeof NO_OPEN NO_OPEN);
    callgauge_report *before = report_of("before", ALL), *after = report_of("after", text);
    callgauge_comparison *comparison = compare_two(before, after, NULL);
    assert_int_equal(callgauge_comparison_file_count(comparison), 10000);
    check_text(callgauge_comparison_file(comparison, 0)->name, "/srv/.htaccess");
    check_text(left_out_row(comparison, "12 files")->side, "both"); /* /etc/hosts is not used any more */
    assert_string_equal(callgauge_comparison_headline(comparison),
                        "10,012 more failing opens in all: 10,011 file names, most often .htaccess");
    callgauge_comparison_free(comparison);
    callgauge_report_free(before);
    callgauge_report_free(after);
    free(text);
}

/* --- findings, which are made by hand */

typedef struct made {
    const char *rule;
    callgauge_severity severity;
    uint64_t calls;
    bool rests_on_times;
} made;

static callgauge_report *report_with_text(const char *text, made finding)
{
    static const char *const rules[] = { "a-rule", "b-rule" };
    callgauge_report *report = report_of("capture", text);
    report->judged = cg_arena_alloc(&report->arena, 2 * sizeof *report->judged);
    report->judged_count = 2;
    for (size_t i = 0; i < 2; i++) {
        report->judged[i] = cg_str_z(rules[i]);
    }
    report->findings = cg_arena_alloc(&report->arena, sizeof *report->findings);
    report->finding_count = finding.calls > 0;
    report->findings[0] = (callgauge_finding_row){ .rule = cg_str_z(finding.rule),
                                                   .severity = finding.severity,
                                                   .title = cg_str_z("something is wasteful"),
                                                   .calls = finding.calls,
                                                   .rests_on_times = finding.rests_on_times };
    return report;
}

static struct found {
    const char *name;
    made before, after;
    size_t changes;
    callgauge_finding_fate fate;
    callgauge_verdict verdict;
} found[] = {
    { "none", { "a-rule", 0, 0, false }, { "a-rule", 0, 0, false }, 0, 0, CALLGAUGE_VERDICT_SAME },
    { "a new warning",
      { "a-rule", CALLGAUGE_SEVERITY_WARNING, 0, false },
      { "a-rule", CALLGAUGE_SEVERITY_WARNING, 3, false },
      1,
      CALLGAUGE_FINDING_NEW,
      CALLGAUGE_VERDICT_REGRESSION },
    { "a new note",
      { "a-rule", CALLGAUGE_SEVERITY_NOTE, 0, false },
      { "a-rule", CALLGAUGE_SEVERITY_NOTE, 3, false },
      1,
      CALLGAUGE_FINDING_NEW,
      CALLGAUGE_VERDICT_DIFFERENT },
    { "gone",
      { "b-rule", CALLGAUGE_SEVERITY_ERROR, 3, false },
      { "b-rule", CALLGAUGE_SEVERITY_ERROR, 0, false },
      1,
      CALLGAUGE_FINDING_GONE,
      CALLGAUGE_VERDICT_IMPROVED },
    { "more of it",
      { "a-rule", CALLGAUGE_SEVERITY_WARNING, 3, false },
      { "a-rule", CALLGAUGE_SEVERITY_WARNING, 4, false },
      1,
      CALLGAUGE_FINDING_CHANGED,
      CALLGAUGE_VERDICT_REGRESSION },
    { "less of it",
      { "a-rule", CALLGAUGE_SEVERITY_WARNING, 4, false },
      { "a-rule", CALLGAUGE_SEVERITY_WARNING, 3, false },
      1,
      CALLGAUGE_FINDING_CHANGED,
      CALLGAUGE_VERDICT_IMPROVED },
    { "as much of it",
      { "a-rule", CALLGAUGE_SEVERITY_WARNING, 4, false },
      { "a-rule", CALLGAUGE_SEVERITY_WARNING, 4, false },
      0,
      0,
      CALLGAUGE_VERDICT_SAME },
    { "not judged before",
      { "c-rule", CALLGAUGE_SEVERITY_WARNING, 0, false },
      { "c-rule", CALLGAUGE_SEVERITY_WARNING, 4, false },
      0,
      0,
      CALLGAUGE_VERDICT_SAME },
    { "times of single captures",
      { "a-rule", CALLGAUGE_SEVERITY_WARNING, 0, true },
      { "a-rule", CALLGAUGE_SEVERITY_WARNING, 4, true },
      0,
      0,
      CALLGAUGE_VERDICT_SAME },
};

static void check_found(void **state)
{
    const struct found *row = *state;
    callgauge_report *before = report_with_text(ALL, row->before);
    callgauge_report *after = report_with_text(ALL, row->after);
    callgauge_comparison *comparison = compare_two(before, after, NULL);
    assert_int_equal(callgauge_comparison_finding_count(comparison), row->changes);
    assert_int_equal(callgauge_comparison_verdict(comparison), row->verdict);
    if (row->changes > 0) {
        const callgauge_finding_change *change = callgauge_comparison_finding(comparison, 0);
        assert_int_equal(change->fate, row->fate);
        assert_int_equal(change->verdict, row->verdict);
        assert_int_equal(change->calls.after.value, row->after.calls);
        assert_non_null(change->fate == CALLGAUGE_FINDING_GONE ? change->before : change->after);
    } else if (row->after.calls > 0 && row->before.calls == 0) {
        assert_non_null(left_out_row(comparison, row->after.rule));
    }
    callgauge_comparison_free(comparison);
    callgauge_report_free(before);
    callgauge_report_free(after);
}

static callgauge_report *report_with_key(const char *text, const char *name, const char *value)
{
    const made finding = { "a-rule", CALLGAUGE_SEVERITY_WARNING, 2, false };
    callgauge_report *report = report_with_text(text, finding);
    callgauge_key *key = cg_arena_alloc(&report->arena, sizeof *key);
    *key = (callgauge_key){ cg_str_z(name), cg_str_z(value) };
    report->findings[0].keys = key;
    report->findings[0].key_count = 1;
    return report;
}

static struct grouped {
    const char *name, *key, *before, *after; /* values of the group */
    size_t changes;
} grouped[] = {
    { "one call", "call", "stat", "stat", 0 },
    { "two calls of a class", "call", "stat", "newfstatat", 0 },
    { "calls of two classes", "call", "stat", "read", 2 },
    { "one path", "path", "/srv/.htaccess", "/srv/.htaccess", 0 },
    { "two paths", "path", "/srv/.htaccess", "/.htaccess", 2 },
    { "names that are random", "path", "/tmp/aB3xY9", "/tmp/Zk81Qw", 0 },
    { "processes", "pid", "12", "4711", 0 },
    { "ports that are given out", "peer.port", "41000", "50123", 0 },
    { "ports of servers", "peer.port", "53", "80", 2 },
};

static void check_grouped(void **state)
{
    const struct grouped *row = *state;
    callgauge_report *before = report_with_key(ALL STAT NEWFSTATAT, row->key, row->before);
    callgauge_report *after = report_with_key(ALL STAT NEWFSTATAT, row->key, row->after);
    callgauge_comparison *comparison = compare_two(before, after, NULL);
    assert_int_equal(callgauge_comparison_finding_count(comparison), row->changes);
    callgauge_comparison_free(comparison);
    callgauge_report_free(before);
    callgauge_report_free(after);
}

/* --- refusals */

static void check_refusals(void **state)
{
    (void)state;
    callgauge_report *good = report_of("good", ALL), *unread = report_of("unread.strace", ALL);
    callgauge_report *empty = report_of("empty.strace", "exit_group(0) = ?\n"), *other = report_of("other.strace", ALL);
    callgauge_report *reader = report_of("reader", READ EMPTY_READ);
    unread->captures[0].capture.lines = 30;
    unread->captures[0].capture.unread_lines = 27;
    other->captures[0].where = "call == read";
    const callgauge_compare_options opens = { .size = sizeof opens, .after_traced = "%open" };
    const callgauge_compare_options no_number = { .size = sizeof no_number, .count_percent = NAN };
    const callgauge_compare_options fault = { .size = sizeof fault, .before_traced = "%opn" };
    const struct {
        const callgauge_report *before, *after;
        const callgauge_compare_options *options;
        callgauge_status status;
        const char *source, *message;
    } cases[] = {
        { good, unread, NULL, CALLGAUGE_E_FORMAT, "unread.strace",
          "of 30 lines 27 could not be read: too little was understood to compare it" },
        { empty, good, NULL, CALLGAUGE_E_FORMAT, "empty.strace", "no call was counted: there is nothing to compare" },
        { good, other, NULL, CALLGAUGE_E_USAGE, "other.strace",
          "counts other events than good: both sides need the same condition (--where)" },
        { reader, reader, &opens, CALLGAUGE_E_FORMAT, "",
          "there is no call that both sides could see: nothing can be compared" },
        { good, good, &no_number, CALLGAUGE_E_USAGE, "", "a percentage of the options is no number" },
        { good, good, &fault, CALLGAUGE_E_USAGE, "--before-traced", "there is no class '%opn'; did you mean '%open'?" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        callgauge_error err = CALLGAUGE_ERROR_INIT;
        callgauge_comparison *untouched = NULL;
        assert_int_equal(callgauge_compare(&cases[i].before, 1, &cases[i].after, 1, cases[i].options, &untouched, &err),
                         cases[i].status);
        assert_string_equal(err.message, cases[i].message);
        assert_string_equal(err.source, cases[i].source);
        assert_null(untouched);
    }
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_comparison *untouched = NULL;
    const callgauge_report *const one = good;
    assert_int_equal(callgauge_compare(&one, 1, NULL, 0, NULL, &untouched, &err), CALLGAUGE_E_USAGE);
    assert_string_equal(err.message, "there is no report after");
    callgauge_report *const reports[] = { good, unread, empty, other, reader };
    free_side(reports, 5);
}

/* A condition that nothing meets is an answer: there are none of such calls on either side. */
static void check_nothing_met(void **state)
{
    (void)state;
    callgauge_report *before = report_of("before", "exit_group(0) = ?\n"), *after = report_of("after", ALL);
    callgauge_report *none = report_of("none", "exit_group(0) = ?\n");
    before->captures[0].where = after->captures[0].where = none->captures[0].where = "errno == ENOENT";
    callgauge_comparison *more = compare_two(before, after, NULL), *nothing = compare_two(before, none, NULL);
    assert_int_equal(callgauge_comparison_verdict(more), CALLGAUGE_VERDICT_REGRESSION);
    assert_int_equal(callgauge_comparison_verdict(nothing), CALLGAUGE_VERDICT_SAME);
    assert_string_equal(callgauge_comparison_headline(nothing), "no difference in 0 calls");
    callgauge_comparison_free(more);
    callgauge_comparison_free(nothing);
    callgauge_report *const reports[] = { before, after, none };
    free_side(reports, 3);
}

static void check_unread_said(void **state)
{
    (void)state;
    callgauge_report *before = report_of("before", ALL), *after = report_of("after", ALL);
    after->captures[0].capture.unread_lines = 1;
    callgauge_comparison *comparison = compare_two(before, after, NULL);
    assert_int_equal(callgauge_comparison_hint_count(comparison), 1);
    assert_string_equal(callgauge_comparison_hint(comparison, 0),
                        "after: 1 line could not be read, and may hold calls that are missing here");
    callgauge_comparison_free(comparison);
    callgauge_report *const reports[] = { before, after };
    free_side(reports, 2);
}

int main(void)
{
    enum {
        ROWS = sizeof rows / sizeof *rows,
        SEVERAL = sizeof several / sizeof *several,
        NAMES = sizeof names / sizeof *names,
        FOUND = sizeof found / sizeof *found,
        GROUPED = sizeof grouped / sizeof *grouped
    };
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(check_units),       cmocka_unit_test(check_declared),    cmocka_unit_test(check_proved),
        cmocka_unit_test(check_tables),      cmocka_unit_test(check_dialects),    cmocka_unit_test(check_classes_seen),
        cmocka_unit_test(check_unreturned),  cmocka_unit_test(check_unread_said), cmocka_unit_test(check_times),
        cmocka_unit_test(check_rough_times), cmocka_unit_test(check_most_kept),   cmocka_unit_test(check_refusals),
        cmocka_unit_test(check_nothing_met),
    };
    enum { OTHERS = sizeof others / sizeof *others };
    struct CMUnitTest tests[ROWS + SEVERAL + NAMES + FOUND + GROUPED + OTHERS];
    size_t n = 0;
    for (size_t i = 0; i < ROWS; i++) {
        tests[n++] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    for (size_t i = 0; i < SEVERAL; i++) {
        tests[n++] =
            (struct CMUnitTest){ .name = several[i].name, .test_func = check_several, .initial_state = &several[i] };
    }
    for (size_t i = 0; i < NAMES; i++) {
        tests[n++] = (struct CMUnitTest){ .name = names[i].name, .test_func = check_names, .initial_state = &names[i] };
    }
    for (size_t i = 0; i < FOUND; i++) {
        tests[n++] = (struct CMUnitTest){ .name = found[i].name, .test_func = check_found, .initial_state = &found[i] };
    }
    for (size_t i = 0; i < GROUPED; i++) {
        tests[n++] =
            (struct CMUnitTest){ .name = grouped[i].name, .test_func = check_grouped, .initial_state = &grouped[i] };
    }
    for (size_t i = 0; i < OTHERS; i++) {
        tests[n++] = others[i];
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}

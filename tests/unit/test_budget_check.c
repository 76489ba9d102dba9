/* SPDX-License-Identifier: Apache-2.0 */
/* Reports held against budgets: what is kept, broken, not judged, and why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <callgauge/callgauge.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

#define ROWS(list) (sizeof(list) / sizeof(list)[0])
#define HEAD "budget: 1\n"
#define LIMIT HEAD "limits:\n  - name: a\n    "

static const char plain[] = "openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n"
                            "read(3, \"x\", 10) = 10\nread(3, \"\", 10) = 0\nclose(3) = 0\n"
                            "openat(AT_FDCWD, \"/b\", O_RDONLY) = -1 ENOENT (No such file or directory)\n"
                            "openat(AT_FDCWD, \"c\", O_RDONLY) = -1 ENOENT (No such file or directory)\n";
static const char timed[] = "7 1.000000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3 <0.001000>\n"
                            "7 1.100000 read(3, \"x\", 10) = 10 <0.002000>\n"
                            "8 1.200000 read(9, \"x\", 10) = 5 <0.000500>\n"
                            "8 1.200000 read(9, \"x\", 10) = 5 <0.000500>\n"
                            "7 1.300000 close(3) = 0 <0.000010>\n";
/* The second read has no duration. */
static const char half_timed[] =
    "read(3, \"x\", 10) = 10 <0.002000>\nread(3, \"x\", 10) = 10\nclose(3) = 0 <0.000010>\n";
static const char table[] = "% time     seconds  usecs/call     calls    errors syscall\n"
                            "------ ----------- ----------- --------- --------- ----------------\n"
                            " 60.00    0.000600           6       100        10 openat\n"
                            " 40.00    0.000400           4       100           read\n"
                            "------ ----------- ----------- --------- --------- ----------------\n"
                            "100.00    0.001000                   200        10 total\n";
static const char unread[] = "getpid() = 1\ngetpid() = 1\nclone(child_st@@@ cut\n";
static const char addresses[] = "openat(0xffffff9c, 0x7f0012345678, 0, 0) = 0x3\nclose(0x3) = 0\n";
static const char unreturned[] = "fork() = 9\ngetpid() = 7\nexit_group(0) = ?\n";

static struct row {
    const char *name, *capture, *budget;
    const char *traced;
    uint64_t units;
    callgauge_limit_state state; /* of the first result */
    double value, allowed;       /* below 0: none */
    const char *message;         /* is in its message */
} rows[] = {
#define KEPT CALLGAUGE_LIMIT_KEPT
#define BROKEN CALLGAUGE_LIMIT_BROKEN
#define OPEN CALLGAUGE_LIMIT_NOT_JUDGED
    { "all calls", plain, LIMIT "at_most: { calls: 6 }\n", NULL, 0, KEPT, 6, 6, "6 calls; at most 6 are allowed" },
    { "one too many", plain, LIMIT "at_most: { calls: 5 }\n    why: so it is\n", NULL, 0, BROKEN, 6, 5,
      "6 calls; at most 5 are allowed: so it is" },
    { "errors", plain, LIMIT "at_most: { errors: 1 }\n", NULL, 0, BROKEN, 2, 1, "2 errors; at most 1 is allowed" },
    { "share of errors", plain, LIMIT "calls: openat\n    at_most: { error_share: 60% }\n", NULL, 0, BROKEN, 200.0 / 3,
      60, "66.67% of 3 calls failed; at most 60% are allowed" },
    { "share of nothing", plain, LIMIT "calls: fork\n    at_most: { error_share: 0% }\n", NULL, 0, KEPT, 0, 0,
      "0% of 0 calls failed" },
    { "bytes", plain, LIMIT "at_most: { bytes: 9 }\n", NULL, 0, BROKEN, 10, 9,
      "10 bytes; at most 9 bytes are allowed" },
    { "at least", plain, LIMIT "calls: \"%open\"\n    at_least: { calls: 4 }\n", NULL, 0, BROKEN, 3, 4,
      "3 calls; at least 4 are expected" },
    { "at least, reached", plain, LIMIT "calls: \"%open\"\n    at_least: { calls: 3 }\n", NULL, 0, KEPT, 3, 3, NULL },
    { "no times", plain, LIMIT "at_most: { time: 1s }\n", NULL, 0, OPEN, -1, 1e9,
      "6 calls; at most 1 s are allowed; not judged: the times of calls are not known" },
    { "times of no call", plain, LIMIT "calls: fork\n    at_most: { time: 1s }\n", NULL, 0, KEPT, 0, 1e9, "0 us of" },
    { "time", timed, LIMIT "at_most: { time: 4ms }\n", NULL, 0, BROKEN, 4010000, 4e6,
      "4 ms of wall time; at most 4 ms are allowed" },
    { "cpu is not wall", timed, LIMIT "at_most: { cpu: 1s }\n", NULL, 0, OPEN, -1, 1e9, "not judged: the times" },
    { "times of some calls are too few", half_timed, LIMIT "at_most: { time: 1s }\n", NULL, 0, OPEN, 2010000, 1e9,
      "not judged: the times" },
    { "and may be too many already", half_timed, LIMIT "at_most: { time: 1ms }\n", NULL, 0, BROKEN, 2010000, 1e6, "2" },
    { "per unit", plain, LIMIT "per: unit\n    at_most: { calls: 2.5 }\n", NULL, 2, BROKEN, 3, 2.5,
      "6 calls, 3 for each of 2 units; at most 2.5 are allowed" },
    { "no units", plain, LIMIT "per: unit\n    at_most: { calls: 2.5 }\n", NULL, 0, OPEN, -1, 2.5,
      "units of work are not known (--unit)" },
    { "a table", table, LIMIT "calls: openat\n    at_most: { calls: 99 }\n", NULL, 0, BROKEN, 100, 99, "100 calls" },
    { "times of a table", table, LIMIT "calls: openat\n    at_most: { time: 600us }\n", NULL, 0, KEPT, 600000, 600000,
      "600 us of cpu time" },
    { "bytes of a table", table, LIMIT "at_most: { bytes: 1GiB }\n", NULL, 0, OPEN, -1, 1 << 30,
      "200 calls; at most 1 GiB are allowed; not judged: a table does not tell bytes" },
    { "calls that a filter hid", plain, LIMIT "calls: fork\n    at_most: { calls: 0 }\n", "read,%open", 0, OPEN, 0, 0,
      "the capture was filtered, and may lack fork" },
    { "calls that a filter let pass", plain, LIMIT "calls: read\n    at_most: { calls: 2 }\n", "read,%open", 0, KEPT, 2,
      2, NULL },
    { "too many in spite of a filter", plain, LIMIT "at_most: { calls: 2 }\n", "read", 0, BROKEN, 6, 2, NULL },
    { "too few because of a filter", plain, LIMIT "at_least: { calls: 20 }\n", "read", 0, OPEN, 6, 20, "was filtered" },

    { "a condition", plain, LIMIT "where: class == open and failed\n    at_most: { calls: 1 }\n", NULL, 0, BROKEN, 2, 1,
      "2 calls; at most 1 is allowed" },
    { "a condition that nothing meets", plain, LIMIT "where: class == socket\n    at_most: { calls: 0 }\n", NULL, 0,
      KEPT, 0, 0, "0 calls" },
    { "a condition that cannot be decided", timed, LIMIT "where: fd.path == '/x'\n    at_most: { calls: 1 }\n", NULL, 0,
      OPEN, 0, 1, "0 calls; at most 1 is allowed; not judged: 2 events lack what is asked" },
    { "and cannot break the bound", timed, LIMIT "where: fd.path == '/x'\n    at_most: { calls: 2 }\n", NULL, 0, KEPT,
      0, 2, NULL },
    { "that might be enough", timed, LIMIT "where: fd.path == '/x'\n    at_least: { calls: 2 }\n", NULL, 0, OPEN, 0, 2,
      "2 events lack what is asked" },
    { "that cannot be enough", timed, LIMIT "where: fd.path == '/x'\n    at_least: { calls: 3 }\n", NULL, 0, BROKEN, 0,
      3, NULL },
    { "undecided time", timed, LIMIT "where: fd.path == '/x'\n    at_most: { time: 1s }\n", NULL, 0, OPEN, 0, 1e9,
      NULL },
    { "a condition without its trait", plain, LIMIT "where: duration > 1ms\n    at_most: { calls: 0 }\n", NULL, 0, OPEN,
      0, 0, "not judged: c lacks wall durations" },
    { "a condition by name on a table", table, LIMIT "where: class == open\n    at_most: { calls: 99 }\n", NULL, 0,
      BROKEN, 100, 99, NULL },
    { "a name that the table lacks", table, LIMIT "where: class == socket\n    at_most: { calls: 0 }\n", NULL, 0, KEPT,
      0, 0, NULL },
    { "a condition per unit", plain, LIMIT "where: class == open\n    per: unit\n    at_most: { calls: 1 }\n", NULL, 2,
      BROKEN, 1.5, 1, "3 calls, 1.5 for each of 2 units" },
    { "a condition on calls that a filter hid", plain, LIMIT "where: class == read\n    at_most: { calls: 9 }\n",
      "%open,read", 0, OPEN, 2, 9, "and may lack recv, " },
    { "a condition on calls that it let pass", plain, LIMIT "where: class == read\n    at_most: { calls: 9 }\n",
      "%open,%read", 0, KEPT, 2, 9, NULL },

    { "by process", timed, LIMIT "calls: read\n    per: process\n    at_most: { calls: 1 }\n", NULL, 0, BROKEN, 2, 1,
      "process 8: 2 calls; at most 1 is allowed" },
    { "by process, kept", timed, LIMIT "per: process\n    at_most: { calls: 3 }\n", NULL, 0, KEPT, -1, 3,
      "no process passes it: at most 3 are allowed" },
    { "time by process", timed, LIMIT "per: process\n    at_most: { time: 3ms }\n", NULL, 0, BROKEN, 3010000, 3e6,
      "process 7: 3" },
    { "share by process", timed, LIMIT "per: process\n    at_most: { error_share: 0% }\n", NULL, 0, KEPT, -1, 0, NULL },
    { "the only process", plain, LIMIT "per: process\n    at_most: { errors: 1 }\n", NULL, 0, BROKEN, 2, 1,
      "the process: 2 errors" },
    { "processes of a table", table, LIMIT "per: process\n    at_most: { calls: 1000 }\n", NULL, 0, OPEN, -1, 1000,
      "c lacks " },
    { "undecided by process", timed, LIMIT "where: fd.path == '/x'\n    per: process\n    at_most: { calls: 1 }\n",
      NULL, 0, OPEN, -1, 1, "2 events lack" },

    { "a rule without rules", plain, LIMIT "rule: copy-loop\n    at_most: { calls: 0 }\n", NULL, 0, OPEN, 0, 0,
      "a report was made without this rule" },
    { "findings without rules", plain, HEAD "findings: {}\n", NULL, 0, OPEN, 0, 0, "a report was made without rules" },

    { "a forbidden call", unreturned, HEAD "calls: { forbid: fork }\n", NULL, 0, BROKEN, 1, 0,
      "1 call of fork; fork is forbidden" },
    { "a forbidden call that does not return", unreturned, HEAD "calls: { forbid: \"%exit\" }\n", NULL, 0, BROKEN, 1, 0,
      "1 call of exit_group; %exit is forbidden" },
    { "a forbidden call that is not there", unreturned, HEAD "calls: { forbid: vfork }\n", NULL, 0, KEPT, 0, 0,
      "no call of it; vfork is forbidden" },
    { "one that a filter hid", unreturned, HEAD "calls: { forbid: vfork }\n", "!vfork", 0, OPEN, 0, 0,
      "may lack vfork" },
    { "one that a filter let pass", unreturned, HEAD "calls: { forbid: vfork }\n", "!read", 0, KEPT, 0, 0, NULL },
    { "a class of which a filter hid some", unreturned, HEAD "calls: { forbid: \"%exec\" }\n", "execve", 0, OPEN, 0, 0,
      "was filtered" },
    { "allowed calls", unreturned, HEAD "calls: { allow: [fork, getpid, exit_group] }\n", NULL, 0, KEPT, -1, -1,
      "no other calls than those that are allowed" },
    { "a call that is not allowed", unreturned, HEAD "calls: { allow: [\"%spawn\", \"%exit\"] }\n", NULL, 0, BROKEN, 1,
      0, "1 call of getpid; it is not among the calls that are allowed" },
    { "allowed calls and a filter", unreturned, HEAD "calls: { allow: [fork, getpid, exit_group] }\n", "fork", 0, OPEN,
      -1, -1, "was filtered" },
    { "all but allowed ones are hidden", unreturned, HEAD "calls: { allow: [fork, getpid, exit_group] }\n", "!fork", 0,
      KEPT, -1, -1, NULL },

    { "a forbidden path", plain, HEAD "paths: { forbid: /a }\n", NULL, 0, BROKEN, 4, 0,
      "4 calls on /a; it is forbidden" },
    { "a forbidden path that is only tried", plain, HEAD "paths: { forbid: /b }\n", NULL, 0, BROKEN, 1, 0,
      "1 call on /b; it is forbidden" },
    { "relative paths of an unknown directory", plain, HEAD "paths: { forbid: /home/ }\n", NULL, 0, OPEN, -1, -1,
      "use strace -y, and start the program by its whole path): c" },
    { "a relative path by itself", plain, HEAD "paths: { forbid: c }\n", NULL, 0, BROKEN, 1, 0, "1 call on c" },
    { "a forbidden path that is not there", timed, HEAD "paths: { forbid: /home/ }\n", NULL, 0, KEPT, -1, -1,
      "no call on such a path (1 descriptor from before the capture without a name)" },
    { "paths of a table", table, HEAD "paths: { forbid: /home/ }\n", NULL, 0, OPEN, -1, -1, "no files were followed" },
    { "a path that is not allowed", plain, HEAD "paths: { allow: [/a, c] }\n", NULL, 0, BROKEN, 1, 0,
      "1 call on /b; it is not among the paths that are allowed" },
    { "allowed paths", plain, HEAD "paths: { allow: [/, c] }\n", NULL, 0, KEPT, -1, -1, "no calls on other paths" },
    { "allowed paths and an unknown directory", plain, HEAD "paths: { allow: / }\n", NULL, 0, OPEN, -1, -1,
      "1 path is relative" },
    { "paths and a filter", timed, HEAD "paths: { forbid: /home/ }\n", "%open", 0, OPEN, -1, -1, "was filtered" },

    { "a byte order mark", plain, "\xef\xbb\xbf" HEAD "limits:\n  - name: a\n    at_most: { calls: 6 }\n", NULL, 0,
      KEPT, 6, 6, NULL },
    { "numbers without end", plain, LIMIT "at_most: { calls: 1000000000000000000 }\n", NULL, 0, KEPT, 6, 1e18,
      "at most 1,000,000,000,000,000,000 are allowed" },
    { "an unread line may be too many", unread, LIMIT "at_most: { calls: 2 }\n", NULL, 0, OPEN, 2, 2,
      "2 calls; at most 2 are allowed; not judged: 1 line could not be read" },
    { "an unread line has room", unread, LIMIT "at_most: { calls: 3 }\n", NULL, 0, KEPT, 2, 3, NULL },
    { "an unread line per unit has room", unread, LIMIT "per: unit\n    at_most: { calls: 1.5 }\n", NULL, 2, KEPT, 1,
      1.5, NULL },
    { "an unread line may be the missing one", unread, LIMIT "at_least: { calls: 3 }\n", NULL, 0, OPEN, 2, 3,
      "1 line could not be read" },
    { "too few with an unread line", unread, LIMIT "at_least: { calls: 4 }\n", NULL, 0, BROKEN, 2, 4, NULL },
    { "an unread line by process", unread, LIMIT "per: process\n    at_most: { calls: 2 }\n", NULL, 0, OPEN, -1, 2,
      "1 line could not be read" },
    { "a condition and an unread line", unread, LIMIT "where: class == open\n    at_most: { calls: 0 }\n", NULL, 0,
      OPEN, 0, 0, "1 line could not be read" },
    { "an unread line may be forbidden", unread, HEAD "calls: { forbid: clone }\n", NULL, 0, OPEN, 0, 0,
      "1 line could not be read" },
    { "an unread line may not be allowed", unread, HEAD "calls: { allow: getpid }\n", NULL, 0, OPEN, -1, -1,
      "1 line could not be read" },
    { "an unread line may name a path", unread, HEAD "paths: { forbid: /home/ }\n", NULL, 0, OPEN, -1, -1,
      "1 line could not be read" },
    { "an unread line may be one of a sequence", unread,
      HEAD "expect:\n  - name: a\n    after: call == getpid\n    show: names\n    calls: |\n      getpid\n", NULL, 0,
      OPEN, 1, -1, "lines could not be read" },
    { "a path that is an address", addresses, HEAD "paths: { forbid: /home/ }\n", NULL, 0, OPEN, -1, -1,
      "files were opened by paths that the capture does not tell" },

    { "no baseline", plain, HEAD "regression: { calls: {} }\n", NULL, 0, OPEN, -1, -1, "there is no baseline" },
};

static callgauge_budget *load(const char *text)
{
    callgauge_budget *budget;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    if (callgauge_budget_load("b.yaml", text, strlen(text), NULL, NULL, &budget, &error) != CALLGAUGE_OK) {
        print_message("%u:%u: %s\n", (unsigned)error.line, (unsigned)error.column, error.message);
        fail();
    }
    return budget;
}

static callgauge_report *analyse(const char *text, callgauge_analysis_options *options)
{
    callgauge_analysis *analysis;
    callgauge_report *report;
    options->size = sizeof *options;
    options->reader.dialect = "strace";
    assert_int_equal(callgauge_analysis_new("c", options, &analysis, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_analysis_feed(analysis, text, strlen(text), NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_analysis_finish(analysis, &report, NULL), CALLGAUGE_OK);
    callgauge_analysis_free(analysis);
    return report;
}

static bool contains(callgauge_str text, const char *part)
{
    return cg_str_find(text, part) < text.len || part[0] == '\0';
}

static void check_number(double is, double expected)
{
    if (expected < 0) {
        assert_true(isnan(is));
    } else {
        assert_true(fabs(is - expected) < 1e-6);
    }
}

static void check_row(void **state)
{
    const struct row *row = *state;
    callgauge_budget *budget = load(row->budget);
    callgauge_analysis_options options = { .budget = budget,
                                           .traced = row->traced,
                                           .unit = row->units > 0 ? CALLGAUGE_UNIT_NUMBER : CALLGAUGE_UNIT_NONE,
                                           .unit_count = row->units };
    callgauge_report *report = analyse(row->capture, &options);
    callgauge_comparison *comparison;
    assert_int_equal(callgauge_budget_check(budget, report, NULL, NULL, &comparison, NULL), CALLGAUGE_OK);
    const callgauge_limit_result *limit = callgauge_comparison_limit(comparison, 0);
    assert_non_null(limit);
    if (limit->state != row->state || (row->message != NULL && !contains(limit->message, row->message))) {
        print_message("%s: %.*s\n", callgauge_limit_state_text(limit->state), (int)limit->message.len,
                      limit->message.ptr);
        fail();
    }
    check_number(limit->value, row->value);
    check_number(limit->allowed, row->allowed);
    assert_true(cg_str_is(limit->source, "b.yaml"));
    assert_true(limit->line > 1 && limit->column > 1);
    assert_false(callgauge_comparison_has_sides(comparison));
    assert_int_equal(callgauge_comparison_verdict(comparison),
                     limit->state == BROKEN ? CALLGAUGE_VERDICT_REGRESSION : CALLGAUGE_VERDICT_SAME);
    callgauge_comparison_free(comparison);
    callgauge_report_free(report);
    callgauge_budget_free(budget);
}

/* --- more than one of something */

static void hundreds_of_processes_hide_nothing(void **state)
{
    (void)state;
    enum { PROCESSES = 300, ROOM = 64 };
    char *text = calloc(PROCESSES * 3 + 1, ROOM);
    assert_non_null(text);
    size_t at = 0;
    for (int pid = 1; pid <= PROCESSES; pid++) {
        for (int call = 0; call < (pid == 250 ? 3 : 2); call++) {
            at += (size_t)snprintf(text + at, ROOM, "%d getpid() = %d\n", pid, pid);
        }
    }
    callgauge_budget *budget = load(LIMIT "per: process\n    at_most: { calls: 2 }\n");
    callgauge_analysis_options options = { .budget = budget };
    callgauge_report *report = analyse(text, &options);
    callgauge_comparison *comparison;
    assert_int_equal(callgauge_budget_check(budget, report, NULL, NULL, &comparison, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_comparison_limit_count(comparison), 1);
    const callgauge_limit_result *limit = callgauge_comparison_limit(comparison, 0);
    assert_int_equal(limit->state, BROKEN);
    assert_true(cg_str_is(limit->subject, "process 250"));
    assert_int_equal(limit->evidence_count, 3);
    callgauge_comparison_free(comparison);
    callgauge_report_free(report);
    callgauge_budget_free(budget);
    free(text);
}

static void groups_without_room_are_undecided(void **state)
{
    (void)state;
    static const char text[] = "1 getpid() = 1\n2 getpid() = 2\n3 getpid() = 3\n";
    callgauge_budget *budget = load(LIMIT "per: process\n    at_most: { calls: 3 }\n  - name: b\n    per: process\n"
                                          "    at_most: { calls: 1 }\n");
    callgauge_analysis_options options = { .budget = budget, .reader = { .limits = { .groups = 1 } } };
    options.reader.limits.size = sizeof options.reader.limits;
    callgauge_report *report = analyse(text, &options);
    callgauge_comparison *comparison;
    assert_int_equal(callgauge_budget_check(budget, report, NULL, NULL, &comparison, NULL), CALLGAUGE_OK);
    const callgauge_limit_result *limit = callgauge_comparison_limit(comparison, 0);
    assert_true(cg_str_is(limit->limit, "b"));
    assert_int_equal(limit->state, OPEN);
    assert_true(contains(limit->message, "2 events lack what is asked"));
    assert_int_equal(callgauge_comparison_limit(comparison, 1)->state, KEPT);
    callgauge_comparison_free(comparison);
    callgauge_report_free(report);
    callgauge_budget_free(budget);
}

static void limits_are_ordered_by_what_became_of_them(void **state)
{
    (void)state;
    callgauge_budget *budget = load(LIMIT "at_most: { calls: 9 }\n  - name: b\n    at_most: { time: 1s }\n"
                                          "  - name: c\n    at_most: { calls: 1, errors: 1 }\n    severity: note\n");
    callgauge_analysis_options options = { .budget = budget };
    callgauge_report *report = analyse(plain, &options);
    callgauge_comparison *comparison;
    assert_int_equal(callgauge_budget_check(budget, report, NULL, NULL, &comparison, NULL), CALLGAUGE_OK);
    static const char *const names[] = { "c.at_most.calls", "c.at_most.errors", "b", "a" };
    assert_int_equal(callgauge_comparison_limit_count(comparison), ROWS(names));
    for (size_t i = 0; i < ROWS(names); i++) {
        assert_true(cg_str_is(callgauge_comparison_limit(comparison, i)->limit, names[i]));
    }
    assert_string_equal(callgauge_comparison_headline(comparison),
                        "2 of 4 limits broken: c.at_most.calls, c.at_most.errors; 1 of 4 limits not judged: b");
    assert_int_equal(callgauge_comparison_verdict(comparison), CALLGAUGE_VERDICT_SAME); /* they are notes */
    callgauge_comparison_free(comparison);
    callgauge_report_free(report);
    callgauge_budget_free(budget);
}

/* A condition is judged only if every report of a merge was made with it. */
static void merges_without_the_budget_are_not_judged(void **state)
{
    (void)state;
    callgauge_budget *budget = load(LIMIT "where: class == open\n    at_most: { calls: 9 }\n");
    callgauge_analysis_options with = { .budget = budget }, without = { .jobs = 1 };
    callgauge_report *parts[] = { analyse(plain, &with), analyse(plain, &without), analyse(timed, &with) };
    for (size_t other = 1; other < 3; other++) {
        const callgauge_report *both[] = { parts[0], parts[other] };
        callgauge_report *merged;
        callgauge_comparison *comparison;
        assert_int_equal(callgauge_report_merge(both, 2, &merged, NULL), CALLGAUGE_OK);
        assert_int_equal(callgauge_budget_check(budget, merged, NULL, NULL, &comparison, NULL), CALLGAUGE_OK);
        const callgauge_limit_result *limit = callgauge_comparison_limit(comparison, 0);
        assert_int_equal(limit->state, other == 1 ? OPEN : KEPT);
        assert_true(other == 1 ? contains(limit->message, "a report was made without this budget") : limit->value == 4);
        callgauge_comparison_free(comparison);
        callgauge_report_free(merged);
    }
    for (size_t i = 0; i < 3; i++) {
        callgauge_report_free(parts[i]);
    }
    callgauge_budget_free(budget);
}

/* --- what was not understood */

static void nothing_understood_is_no_pass(void **state)
{
    (void)state;
    callgauge_budget *budget = load(LIMIT "at_most: { calls: 9 }\n");
    callgauge_analysis_options options = { .budget = budget };
    callgauge_report *cut = analyse("getpid() = 1\nread(3, \"a\nread(3, \"b\nread(3, \"c\n", &options);
    callgauge_report *signal = analyse("--- SIGALRM {si_signo=SIGALRM, si_code=SI_KERNEL} ---\n", &options);
    callgauge_comparison *comparison = NULL;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_compare_options lax = { .size = sizeof lax, .understood_percent = 25 }, unsized = { .count_floor = 1 };
    assert_int_equal(callgauge_budget_check(budget, cut, NULL, NULL, &comparison, &error), CALLGAUGE_E_FORMAT);
    assert_string_equal(error.source, "c");
    assert_int_equal(callgauge_budget_check(budget, signal, NULL, NULL, &comparison, NULL), CALLGAUGE_E_FORMAT);
    assert_int_equal(callgauge_budget_check(budget, cut, NULL, &unsized, &comparison, NULL), CALLGAUGE_E_USAGE);
    assert_null(comparison);
    assert_int_equal(callgauge_budget_check(budget, cut, NULL, &lax, &comparison, NULL), CALLGAUGE_OK);
    callgauge_comparison_free(comparison);
    callgauge_report_free(cut);
    callgauge_report_free(signal);
    callgauge_budget_free(budget);
}

/* --- regression */

static struct grown_row {
    const char *name, *before, *after, *budget;
    uint64_t before_units, after_units;
    callgauge_limit_state state; /* of the first result */
    const char *limit, *subject, *message;
} grown_rows[] = {
    { "nothing grew", plain, plain, HEAD "regression: { calls: {}, errors: {}, bytes: {} }\n", 0, 0, KEPT,
      "regression.calls", "", "6 calls, before 6 calls; at most 6 calls are allowed" },
    { "calls grew", unreturned, plain, HEAD "regression: { calls: {} }\n", 0, 0, BROKEN, "regression.calls", "",
      "6 calls, before 2 calls; at most 2 calls are allowed" },
    { "a percentage of it", unreturned, plain, HEAD "regression: { calls: { percent: 200, floor: 3 } }\n", 0, 0, KEPT,
      "regression.calls", "", "at most 6 calls" },
    { "the floor is not passed", unreturned, plain, HEAD "regression: { errors: { floor: 2 } }\n", 0, 0, KEPT,
      "regression.errors", "", "2 errors, before 0 errors; at most 2 errors are allowed" },
    { "the floor is passed", unreturned, plain, HEAD "regression: { errors: { floor: 1 } }\n", 0, 0, BROKEN,
      "regression.errors", "", NULL },
    { "one call grew", "getpid() = 1\ngetpid() = 1\ngetppid() = 2\n", "getpid() = 1\ngetppid() = 2\ngetppid() = 2\n",
      HEAD "regression: { calls: {} }\n", 0, 0, BROKEN, "regression.calls", "getppid",
      "getppid: 2 calls, before 1 call; at most 1 call is allowed" },
    { "no times", plain, plain, HEAD "regression: { time: {} }\n", 0, 0, OPEN, "regression.time", "",
      "both sides must tell it, of the same kind" },
    { "cpu against wall", table, timed, HEAD "regression: { time: {} }\n", 0, 0, OPEN, "regression.time", "", NULL },
    { "wall times", timed, timed, HEAD "regression: { time: {} }\n", 0, 0, KEPT, "regression.time", "",
      "of wall time" },
    { "bytes of a table", table, table, HEAD "regression: { bytes: {} }\n", 0, 0, OPEN, "regression.bytes", "", NULL },
    { "per unit", plain, plain, HEAD "regression: { calls: {} }\n", 2, 1, BROKEN, "regression.calls", "",
      "6 calls, before 3 calls for as many units; at most 3 calls are allowed" },
    { "the same for each of 49 units", unreturned, unreturned, HEAD "regression: { calls: {} }\n", 49, 49, KEPT,
      "regression.calls", "", "2 calls, before 2 calls" },
    { "half of it for each of half the units", plain, "getpid() = 1\ngetpid() = 1\ngetpid() = 1\n",
      HEAD "regression: { calls: {} }\n", 98, 49, BROKEN, "regression.calls", "getpid", NULL },
    { "units of one side only", plain, plain, HEAD "regression: { calls: {} }\n", 1000, 0, OPEN, "regression.calls", "",
      "units of work are known of one side only" },
    { "more, but with units of one side only", unreturned, plain, HEAD "regression: { calls: {} }\n", 0, 5, OPEN,
      "regression.calls", "", "units of work are known of one side only" },
    { "unread lines may be what grew", "getpid() = 1\ngetpid() = 1\n", unread, HEAD "regression: { calls: {} }\n", 0, 0,
      OPEN, "regression.calls", "", "1 line could not be read" },
    { "unread lines that the floor has room for", "getpid() = 1\ngetpid() = 1\n", unread,
      HEAD "regression: { calls: { floor: 1 } }\n", 0, 0, KEPT, "regression.calls", "", NULL },
    { "less per unit", plain, plain, HEAD "regression: { calls: {} }\n", 1, 2, KEPT, "regression.calls", "",
      "6 calls, before 12 calls" },
};

static callgauge_report *with_units(const char *text, uint64_t units)
{
    callgauge_analysis_options options = { .unit = units > 0 ? CALLGAUGE_UNIT_NUMBER : CALLGAUGE_UNIT_NONE,
                                           .unit_count = units };
    return analyse(text, &options);
}

static void check_grown(void **state)
{
    const struct grown_row *row = *state;
    callgauge_budget *budget = load(row->budget);
    callgauge_report *before = with_units(row->before, row->before_units);
    callgauge_report *after = with_units(row->after, row->after_units);
    callgauge_comparison *comparison;
    assert_int_equal(callgauge_budget_check(budget, after, before, NULL, &comparison, NULL), CALLGAUGE_OK);
    assert_true(callgauge_comparison_has_sides(comparison));
    const callgauge_limit_result *limit = callgauge_comparison_limit(comparison, 0);
    if (limit->state != row->state || (row->message != NULL && !contains(limit->message, row->message))) {
        print_message("%s: %.*s\n", callgauge_limit_state_text(limit->state), (int)limit->message.len,
                      limit->message.ptr);
        fail();
    }
    assert_true(cg_str_is(limit->limit, row->limit));
    assert_true(cg_str_is(limit->subject, row->subject));
    callgauge_verdict verdict = callgauge_comparison_verdict(comparison);
    assert_int_equal(verdict == CALLGAUGE_VERDICT_REGRESSION, limit->state == BROKEN);
    callgauge_comparison_free(comparison);
    callgauge_report_free(before);
    callgauge_report_free(after);
    callgauge_budget_free(budget);
}

int main(void)
{
    enum { MOST_TESTS = 256 };
    static struct CMUnitTest tests[MOST_TESTS];
    size_t count = 0;
    callgauge_budget *probe;
    if (callgauge_budget_load("b", HEAD "findings: {}\n", 23, NULL, NULL, &probe, NULL) == CALLGAUGE_E_UNSUPPORTED) {
        return 77; /* a build without libyaml */
    }
    callgauge_budget_free(probe);
    for (size_t i = 0; i < ROWS(rows); i++) {
        tests[count++] = (struct CMUnitTest){ rows[i].name, check_row, NULL, NULL, &rows[i] };
    }
    for (size_t i = 0; i < ROWS(grown_rows); i++) {
        tests[count++] = (struct CMUnitTest){ grown_rows[i].name, check_grown, NULL, NULL, &grown_rows[i] };
    }
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(hundreds_of_processes_hide_nothing);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(groups_without_room_are_undecided);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(limits_are_ordered_by_what_became_of_them);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(merges_without_the_budget_are_not_judged);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(nothing_understood_is_no_pass);
    return _cmocka_run_group_tests("budget_check", tests, count, NULL, NULL);
}

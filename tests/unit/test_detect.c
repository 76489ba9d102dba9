/* SPDX-License-Identifier: Apache-2.0 */
/* What rules of each shape find: whole captures through an analysis with a rule or two. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <callgauge/callgauge.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "making.h"

/* --- analysing */

static callgauge_rules *load_rules(const char *text)
{
    const callgauge_rule_text file = { "rules.yaml", text, strlen(text) };
    const callgauge_rules_options options = {
        .size = sizeof options, .no_catalogue = true, .texts = &file, .text_count = 1
    };
    callgauge_rules *rules = NULL;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    if (callgauge_rules_load(&options, &rules, &error) != CALLGAUGE_OK) {
        print_message("%u:%u: %s\n", (unsigned)error.line, (unsigned)error.column, error.message);
    }
    assert_non_null(rules);
    return rules;
}

static callgauge_report *analyse_with(callgauge_analysis_options options, const char *name, const char *capture)
{
    options.size = sizeof options;
    options.reader.dialect = strncmp(capture, "syscall ", strlen("syscall ")) == 0 ? "truss-solaris" : "strace";
    callgauge_analysis *analysis;
    callgauge_report *report = NULL;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    assert_int_equal(callgauge_analysis_new(name, &options, &analysis, &error), CALLGAUGE_OK);
    callgauge_status status = callgauge_analysis_feed(analysis, capture, strlen(capture), &error);
    status = status == CALLGAUGE_OK ? callgauge_analysis_finish(analysis, &report, &error) : status;
    if (status != CALLGAUGE_OK) {
        print_message("%s\n", error.message);
    }
    assert_int_equal(status, CALLGAUGE_OK);
    callgauge_analysis_free(analysis);
    return report;
}

static callgauge_report *analyse(const char *rules_text, const char *capture)
{
    callgauge_rules *rules = load_rules(rules_text);
    callgauge_report *report = analyse_with((callgauge_analysis_options){ .rules = rules }, "capture", capture);
    callgauge_rules_free(rules);
    return report;
}

/* --- a row a case: the messages of all findings, joined by " | "; "" is nothing found */

#define ROWS (sizeof rows / sizeof rows[0])
#define COUNT(rest) "id: r\nshape: count\n" rest
#define RUN(rest) "id: r\nshape: run\n" rest
#define SEQUENCE(rest) "id: r\nshape: sequence\n" rest

#define MISS(path) "openat(AT_FDCWD, \"" path "\", O_RDONLY) = -1 ENOENT (No such file or directory)\n"
#define HIT(path) "openat(AT_FDCWD, \"" path "\", O_RDONLY) = 3\n"
#define CLOSE(fd) "close(" fd ") = 0\n"
#define READ(fd, n) "read(" fd ", \"x\"..., 8192) = " n "\n"
#define WRITE(fd, n) "write(" fd ", \"x\"..., 8192) = " n "\n"

static struct row {
    const char *name, *rule, *capture, *found;
} rows[] = {
    { "count: no match", COUNT("where: errno == ENOENT\n"), HIT("/a"), "" },
    { "count: without floors one is enough", COUNT("where: errno == ENOENT\nmessage: '{calls}'\n"),
      MISS("/a") HIT("/a"), "1" },
    { "count: below a floor", COUNT("where: errno == ENOENT\nat_least: { calls: 3 }\n"), MISS("/a") MISS("/b"), "" },
    { "count: at a floor", COUNT("where: errno == ENOENT\nat_least: { calls: 2 }\nmessage: '{calls} {errors}'\n"),
      MISS("/a") MISS("/b"), "2 2" },
    { "count: all of a line must hold", COUNT("where: class == open\nat_least: { calls: 2, errors: 2 }\n"),
      MISS("/a") HIT("/b"), "" },
    { "count: any line is enough",
      COUNT("where: class == open\nat_least: [{ errors: 2 }, { calls: 2 }]\nmessage: '{calls}'\n"),
      MISS("/a") HIT("/b"), "2" },
    { "count: a share of all calls", COUNT("where: errno == ENOENT\nat_least: { share: 50% }\nmessage: '{share}'\n"),
      MISS("/a") HIT("/a"), "50 %" },
    { "count: below that share", COUNT("where: errno == ENOENT\nat_least: { share: 51% }\n"), MISS("/a") HIT("/a"),
      "" },
    { "count: a share of some calls",
      COUNT("where: errno == ENOENT\nof: class == open\nat_least: { share: 100% }\nmessage: '{share}'\n"),
      MISS("/a") CLOSE("3") CLOSE("4"), "100 %" },
    { "count: errors as a share", COUNT("where: class == open\nat_least: { errors: 50% }\nmessage: '{error_share}'\n"),
      MISS("/a") HIT("/a"), "50 %" },
    { "count: bytes", COUNT("where: class == read\nat_least: { bytes: 1KiB }\nmessage: '{bytes}'\n"),
      READ("3", "512") READ("3", "512") READ("3", "0"), "1 KiB" },
    { "count: distinct values",
      COUNT("where: class == open\nat_least: { distinct: { path: 2 } }\nmessage: '{calls}'\n"),
      MISS("/a") MISS("/a") HIT("/b"), "3" },
    { "count: too few distinct values", COUNT("where: class == open\nat_least: { distinct: { path: 2 } }\n"),
      MISS("/a") MISS("/a") HIT("/a"), "" },
    { "count: by is a finding each", COUNT("where: class == close\nby: [fd]\nmessage: '{fd} {calls}'\n"),
      CLOSE("3") CLOSE("4") CLOSE("3"), "3 2 | 4 1" },
    { "count: of is counted by group",
      COUNT("where: class == read and bytes == 0\nof: class == read\nby: fd\nat_least: { share: 50% }\nmessage: '{fd} "
            "{share}'\n"),
      READ("3", "0") READ("3", "5") READ("4", "0") READ("4", "5") READ("4", "5"), "3 50 %" },
    { "count: floors of each value",
      COUNT("where: errno == ENOENT\neach: path\nat_least: { calls: 2 }\nmessage: '{calls} {groups} {path}'\n"),
      MISS("/a") MISS("/b") MISS("/b") MISS("/c") MISS("/c") MISS("/c"), "5 2 /c" },
    { "count: parts of several groups",
      COUNT("where: class == read\nby: fd\neach: bytes\nat_least: { calls: 2 }\nmessage: '{fd} {calls} {groups} "
            "{bytes}'\n"),
      READ("4", "1") READ("3", "1") READ("4", "2") READ("3", "1") READ("5", "1") READ("4", "2") READ("4", "1")
          READ("3", "9"),
      "4 4 2 6 B | 3 2 1 2 B" },
    { "count: a share of calls that their kind tells",
      COUNT("where: class == close\nof: class in (open, close) and failed\nat_least: { share: 10% }\nmessage: "
            "'{calls} {share}'\n"),
      MISS("/a") HIT("/a") CLOSE("3") MISS("/b") "close(9) = -1 EBADF (Bad file descriptor)\n" HIT("/b") MISS("/c"),
      "2 50 %" },
    { "run: a share of calls that their kind tells",
      RUN("where: class == close\nof: class == read\nmessage: '{calls} {share}'\n"),
      READ("3", "1") READ("3", "1") CLOSE("3") READ("3", "1") READ("3", "1"), "1 25 %" },
    { "sequence: a share of some calls, and not by their kind",
      SEQUENCE("where:\n  a: class == read\n  b: class == write\nof: class == read and bytes > 4\nmessage: "
               "'{calls} {share}'\n"),
      READ("3", "5") WRITE("4", "5") READ("3", "1") CLOSE("3") READ("3", "5"), "2 100 %" },
    { "count: a reset forgets a group",
      COUNT("where: errno == ENOENT\neach: path\nreset: ok and path == each.path\nat_least: { calls: 2 }\nmessage: "
            "'{calls} {path}'\n"),
      MISS("/a") MISS("/b") HIT("/a") MISS("/a") MISS("/b"), "2 /b" },
    { "count: what was forgotten may come again",
      COUNT("where: errno == ENOENT\neach: path\nreset: ok and path == each.path\nat_least: { calls: 2 }\nmessage: "
            "'{calls} {path}'\n"),
      MISS("/a") HIT("/a") MISS("/a") MISS("/a"), "2 /a" },
    { "count: a reset that names no group forgets all",
      COUNT("where: errno == ENOENT\nreset: class == close\nmessage: '{calls}'\n"),
      MISS("/a") MISS("/b") CLOSE("3") MISS("/c"), "1" },
    { "count: a value of the message", COUNT("where: class == close\nmessage: '{calls} of {fd}[ {errno}]'\n"),
      CLOSE("3") CLOSE("3"), "2 of 3" },
    { "count: values that differ", COUNT("where: class == close\nmessage: '{calls}[ of {fd}]'\n"),
      CLOSE("3") CLOSE("4"), "2" },
    { "count: unreturned calls are none", COUNT("where: class == exit\n"), CLOSE("3") "exit_group(0) = ?\n", "" },
    { "count: signals", COUNT("where: signal == SIGALRM\nmessage: '{calls}'\n"),
      CLOSE("3") "--- SIGALRM {si_signo=SIGALRM, si_code=SI_KERNEL} ---\n", "1" },
    { "count: time", COUNT("where: class == close\nat_least: { time: 3ms }\nmessage: '{time} {mean_time}'\n"),
      "close(3) = 0 <0.002000>\nclose(4) = 0 <0.001000>\n", "3 ms 1.5 ms" },
    { "count: a rate", COUNT("where: class == close\nat_least: { rate: 10/s }\nmessage: '{calls}'\n"),
      "1700000001.000000 close(3) = 0\n1700000001.100000 close(4) = 0\n1700000001.200000 close(5) = 0\n", "3" },
    { "count: below a rate", COUNT("where: class == close\nat_least: { rate: 11/s }\n"),
      "1700000001.000000 close(3) = 0\n1700000001.100000 close(4) = 0\n1700000001.200000 close(5) = 0\n", "" },
    { "count: calls by unit", COUNT("where: class == close\nat_least: { per_unit: 2 }\nmessage: '{per_unit}'\n"),
      "accept(3, NULL, NULL) = 4\nclose(4) = 0\nclose(5) = 0\naccept(3, NULL, NULL) = 4\nclose(4) = 0\nclose(5) = 0\n",
      "2" },
    { "count: a table's rows",
      COUNT("where: class == open\nat_least: { calls: 500 }\nmessage: '{calls} {errors} {share}'\n"),
      "syscall               seconds   calls  errors\nopen64                   .022     500     400\n"
      "close                    .001     500\n                     --------  ------    ----\n"
      "sys totals:              .023    1000     400\nusr time:                .010\nelapsed:                1.000\n",
      "500 400 50 %" },

    { "run: a floor of each run", RUN("where: class == close\nat_least: { calls: 3 }\nmessage: '{calls} {times}'\n"),
      CLOSE("3") CLOSE("4") READ("9", "1") CLOSE("5") CLOSE("6") CLOSE("7") READ("9", "1") CLOSE("8"), "3 1" },
    { "run: several that reach it", RUN("where: class == close\nat_least: { calls: 2 }\nmessage: '{calls} {times}'\n"),
      CLOSE("3") CLOSE("4") READ("9", "1") CLOSE("5") CLOSE("6"), "4 2" },
    { "run: next relates neighbours",
      RUN("where: class == close\nnext: fd == prev.fd + 1\nat_least: { calls: 3 }\nmessage: '{calls}'\n"),
      CLOSE("3") CLOSE("4") CLOSE("7") CLOSE("8") CLOSE("9"), "3" },
    { "run: calls on no descriptor may lie between",
      RUN("where: class == close\nat_least: { calls: 3 }\nmessage: '{calls}'\n"),
      CLOSE("3") "getpid() = 7\n" CLOSE("4") "brk(NULL) = 0x1000\n" CLOSE("5"), "3" },
    { "run: what skip says may lie between",
      RUN("where: class == close\nskip: class == read\nat_least: { calls: 3 }\nmessage: '{calls}'\n"),
      CLOSE("3") READ("9", "1") CLOSE("4") READ("9", "1") CLOSE("5"), "3" },
    { "run: and nothing else", RUN("where: class == close\nskip: class == read\nat_least: { calls: 2 }\n"),
      CLOSE("3") "getpid() = 7\n" CLOSE("4"), "" },
    { "run: threads are apart", RUN("where: class == close\nat_least: { calls: 2 }\nmessage: '{calls}'\n"),
      "7 close(3) = 0\n8 read(9, \"\", 1) = 0\n7 close(4) = 0\n", "2" },
    { "run: a key keeps runs apart",
      RUN("where: class == read\nkey: fd\nat_least: { calls: 2 }\nmessage: '{calls} {times}'\n"),
      READ("3", "1") READ("4", "1") READ("3", "1") READ("4", "1"), "4 2" },
    { "run: ends with the capture", RUN("where: class == close\nat_least: { calls: 2 }\nmessage: '{calls}'\n"),
      READ("9", "1") CLOSE("3") CLOSE("4"), "2" },
    { "run: within so many calls",
      RUN("where: class == close\nwithin: { calls: 3 }\nat_least: { calls: 2 }\nmessage: '{calls} {times}'\n"),
      CLOSE("3") CLOSE("4") CLOSE("5") CLOSE("6") CLOSE("7"), "5 2" },
    { "run: within a time",
      RUN("where: class == close\nwithin: { time: 1s }\nat_least: { calls: 2 }\nmessage: '{calls} {times}'\n"),
      "1700000001.000000 close(3) = 0\n1700000001.900000 close(4) = 0\n1700000002.500000 close(5) = 0\n", "2 1" },
    { "run: each value", RUN("where: class == read\neach: fd\nat_least: { calls: 2 }\nmessage: '{calls} {fd}'\n"),
      READ("3", "1") READ("3", "1"), "2 3" },
    { "run: distinct values in it",
      RUN("where: class == close\nat_least: { distinct: { fd: 2 } }\nmessage: '{calls}'\n"),
      CLOSE("3") CLOSE("3") READ("9", "1") CLOSE("3") CLOSE("4"), "2" },

    { "sequence: two steps", SEQUENCE("where:\n  a: class == read\n  b: class == write\nmessage: '{calls} {times}'\n"),
      READ("3", "5") WRITE("4", "5"), "2 1" },
    { "sequence: not the other way round", SEQUENCE("where:\n  a: class == read\n  b: class == write\n"),
      WRITE("4", "5") READ("3", "5"), "" },
    { "sequence: something between ends it", SEQUENCE("where:\n  a: class == read\n  b: class == write\n"),
      READ("3", "5") CLOSE("9") WRITE("4", "5"), "" },
    { "sequence: what ends one may begin the next",
      SEQUENCE("where:\n  a: class == read and fd == 3\n  b: class == read and fd == 4\nmessage: '{times}'\n"),
      READ("3", "5") READ("3", "5") READ("4", "5"), "1" },
    { "sequence: steps that know each other",
      SEQUENCE("where:\n  a: class == read\n  b: class == write and fd != a.fd and bytes == a.bytes\nmessage: '{times} "
               "{a.fd} {b.fd}'\n"),
      READ("3", "5") WRITE("3", "5") READ("3", "6") WRITE("4", "5") READ("3", "7") WRITE("4", "7"), "1 3 4" },
    { "sequence: a repeated step",
      SEQUENCE("steps:\n  a: { times: 2..3 }\n  b: {}\nwhere:\n  a: class == read\n  b: class == write and bytes == "
               "sum(a.bytes)\n"
               "message: '{calls} {bytes}'\n"),
      READ("3", "5") READ("3", "6") WRITE("4", "11"), "3 11 B" },
    { "sequence: too few of a step",
      SEQUENCE("steps:\n  a: { times: 2..3 }\n  b: {}\nwhere:\n  a: class == read\n  b: class == write\n"),
      READ("3", "5") WRITE("4", "5"), "" },
    { "sequence: too many of a step begin anew",
      SEQUENCE("steps:\n  a: { times: 2 }\n  b: {}\nwhere:\n  a: class == read\n  b: class == write\n"),
      READ("3", "5") READ("3", "5") READ("3", "5") WRITE("4", "5"), "" },
    { "sequence: a repeated last step is whole when it ends",
      SEQUENCE("steps:\n  a: { times: 2..9 }\nwhere:\n  a: class == read\nmessage: '{calls} {times}'\n"),
      READ("3", "5") READ("3", "5") READ("3", "5") CLOSE("9") READ("3", "5") CLOSE("9") READ("3", "5") READ("3", "5"),
      "5 2" },
    { "sequence: skip",
      SEQUENCE("where:\n  a: class == read\n  b: class == write\nskip: class == close\nmessage: '{calls}'\n"),
      READ("3", "5") CLOSE("9") WRITE("4", "5"), "2" },
    { "sequence: within so many calls",
      SEQUENCE("where:\n  a: class == read\n  b: class == write\nskip: class == close\nwithin: { calls: 3 }\nmessage: "
               "'{times}'\n"),
      READ("3", "5") CLOSE("9") WRITE("4", "5") READ("3", "5") CLOSE("9") CLOSE("9") WRITE("4", "5"), "1" },
    { "sequence: within a time",
      SEQUENCE("where:\n  a: class == read\n  b: class == write\nwithin: { time: 1s }\nmessage: '{times}'\n"),
      "1700000001.000000 read(3, \"\", 1) = 1\n1700000001.500000 write(4, \"\", 1) = 1\n1700000002.000000 read(3, "
      "\"\", 1) = 1\n1700000003.500000 write(4, \"\", 1) = 1\n",
      "1" },
    { "sequence: one attempt of each key",
      SEQUENCE("key: path\nwhere:\n  s: class in (stat, access) and ok\n  o: class == open and path == "
               "s.path\nmessage: '{times}'\n"),
      "access(\"/a\", R_OK) = 0\naccess(\"/b\", R_OK) = 0\n" HIT("/b") CLOSE("3") HIT("/a"), "2" },
    { "sequence: a process has its threads' calls",
      SEQUENCE("scope: process\nwhere:\n  a: class == read\n  b: class == write\nmessage: '{times}'\n"),
      "clone(child_stack=0x1, flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD) = 8\n"
      "7 read(3, \"\", 1) = 1\n",
      "" },
    { "sequence: each pair",
      SEQUENCE("where:\n  a: class == read\n  b: class == write\neach: [a.fd, b.fd]\nat_least: { calls: 4 }\nmessage: "
               "'{calls} {a.fd}>{b.fd}'\n"),
      READ("3", "5") WRITE("4", "5") READ("3", "5") WRITE("5", "5") READ("3", "5") WRITE("5", "5"), "4 3>5" },

    { "rows: calls",
      "id: r\nshape: rows\nof: calls\nwhere: errors * 2 > calls\nmessage: '{call}: {errors} of {calls}'\n",
      MISS("/a") MISS("/b") HIT("/c") CLOSE("3"), "openat: 2 of 3" },
    { "rows: a finding each", "id: r\nshape: rows\nof: calls\nwhere: calls > 0\nby: call\nmessage: '{call}'\n",
      CLOSE("3") READ("3", "1") CLOSE("3"), "close | read" },
    { "rows: values for people",
      "id: r\nshape: rows\nof: calls\nwhere: calls > 0\nby: call\nmessage: '{call} {max} {bytes_read} {calls * 1000} "
      "{max - min}'\n",
      "read(3, \"\", 9000) = 9000 <0.012345>\nread(3, \"\", 9000) = 9000 <0.000345>\n",
      "read 12.3 ms 17.6 KiB 2,000 12 ms" },
    { "count: values that are names",
      COUNT("where: class == close\nmessage: '{fd} {pid} {line} {duration} {ret + 1}'\n"),
      "71234 close(1234) = 0 <0.001500>\n", "1234 71234 1 1.5 ms 1" },
    { "sequence: values that count",
      SEQUENCE("steps:\n  a: { times: 1..9 }\n  b: {}\nwhere:\n  a: class == read\n  b: class == write\nmessage: "
               "'{a.count} {sum(a.bytes)} {first(a.fd)}'\n"),
      READ("3000", "5000") READ("3000", "5000") WRITE("4", "5"), "2 9.8 KiB 3000" },
    { "rows: files", "id: r\nshape: rows\nof: files\nwhere: opens > 0\nmessage: '{path}'\n",
      HIT("/etc/hosts") CLOSE("3"), "/etc/hosts" },
    { "rows: processes", "id: r\nshape: rows\nof: processes\nwhere: calls > 1\nmessage: '{calls}'\n",
      CLOSE("3") CLOSE("4"), "2" },
    { "rows: floors", "id: r\nshape: rows\nof: calls\nwhere: calls > 0\nat_least: { calls: 2 }\nmessage: '{call}'\n",
      CLOSE("3") READ("3", "1") CLOSE("3"), "close" },
};

static void check_row(void **state)
{
    const struct row *row = *state;
    char text[1024] = "";
    callgauge_report *report = analyse(row->rule, row->capture);
    for (size_t i = 0; i < callgauge_report_finding_count(report); i++) {
        const callgauge_finding_row *finding = callgauge_report_finding(report, i);
        strcat(text, i > 0 ? " | " : "");
        strncat(text, finding->message.ptr, finding->message.len);
    }
    assert_int_equal(callgauge_report_not_judged_count(report), 0);
    callgauge_report_free(report);
    assert_string_equal(text, row->found);
}

/* --- what a finding says */

static void findings_are_whole(void **state)
{
    (void)state;
    static const char rule[] =
        "id: r\nseverity: error\ntitle: the title\nshape: count\nwhere: errno == ENOENT\nof: class == open\n"
        "why: w\nadvice: a\nfalse_alarms: f\nreferences: [one, two]\n";
    callgauge_report *report = analyse(rule,
                                       MISS("/a") "openat(AT_FDCWD, \"/b\", O_RDONLY) = 3\n" MISS("/a") MISS("/c"));
    const callgauge_finding_row *row = callgauge_report_finding(report, 0);
    assert_non_null(row);
    assert_true(cg_str_is(row->rule, "r"));
    assert_int_equal(row->severity, CALLGAUGE_SEVERITY_ERROR);
    assert_true(cg_str_is(row->title, "the title"));
    assert_true(cg_str_is(row->why, "w"));
    assert_true(cg_str_is(row->advice, "a"));
    assert_true(cg_str_is(row->false_alarms, "f"));
    assert_int_equal(row->reference_count, 2);
    assert_true(cg_str_is(row->references[1], "two"));
    assert_false(row->rests_on_times);
    assert_int_equal(row->calls, 3);
    assert_int_equal(row->errors, 3);
    assert_int_equal(row->of_calls, 4);
    assert_int_equal(row->saved_calls, 3);
    assert_int_equal(row->bytes, CALLGAUGE_UNKNOWN);
    assert_int_equal(row->wall_ns, CALLGAUGE_UNKNOWN);
    assert_int_equal(row->group_count, 2);
    assert_true(cg_str_is(row->groups[0].keys[0].name, "path"));
    assert_true(cg_str_is(row->groups[0].keys[0].value, "/a"));
    assert_int_equal(row->groups[0].calls, 2);
    assert_int_equal(row->evidence_count, 3);
    assert_int_equal(row->evidence[1].place.line, 3);
    assert_true(cg_str_starts(row->evidence[1].text, "openat(AT_FDCWD, \"/a\""));
    assert_null(callgauge_report_finding(report, 1));
    callgauge_report_free(report);
}

static void evidence_hides_what_was_read(void **state)
{
    (void)state;
    callgauge_report *report = analyse("id: r\nshape: count\nwhere: class == read\n",
                                       "read(3, \"secret\"..., 99) = 6\n");
    const callgauge_finding_row *row = callgauge_report_finding(report, 0);
    assert_true(cg_str_is(row->evidence[0].text, "read(3, \"\xe2\x80\xa6\"..., 99) = 6"));
    callgauge_report_free(report);
}

static void dear_ones_come_first(void **state)
{
    (void)state;
    static const char rules[] =
        "id: a\nshape: count\nwhere: class == close\n---\nid: b\nshape: count\nwhere: class == read\n";
    callgauge_report *report = analyse(
        rules, "close(3) = 0 <0.001000>\nclose(3) = 0 <0.001000>\nread(3, \"\", 1) = 0 <0.005000>\n");
    assert_true(cg_str_is(callgauge_report_finding(report, 0)->rule, "b"));
    assert_true(cg_str_is(callgauge_report_finding(report, 1)->rule, "a"));
    callgauge_report_free(report);
}

static void undecided_events_are_counted(void **state)
{
    (void)state;
    callgauge_report *report = analyse(
        "id: r\nshape: count\nwhere: class == read and (fd.kind == socket or bytes > 5)\n",
        READ("3", "5") READ("3", "6"));
    assert_int_equal(callgauge_report_finding(report, 0)->calls, 1);
    assert_int_equal(callgauge_report_finding(report, 0)->undecided, 1);
    callgauge_report_free(report);
}

static void tables_tell_what_to_capture(void **state)
{
    (void)state;
    static const char table[] =
        "syscall               seconds   calls  errors\nopen64                   .022     500     400\n"
        "stat                     .001     500\n                     --------  ------    ----\n"
        "sys totals:              .023    1000     400\nusr time:                .010\nelapsed:                1.000\n";
    static const char rules[] =
        "id: a\nshape: count\nwhere: class in (open, stat) and path endswith 'x'\n---\n"
        "id: b\nshape: count\nwhere: class == futex and ok\n---\n"
        "id: c\nshape: sequence\nwhere:\n  a: class == open and ok\n  b: class == stat and duration > 1s\n";
    callgauge_report *report = analyse(rules, table);
    assert_int_equal(callgauge_report_finding_count(report), 0);
    assert_int_equal(callgauge_report_not_judged_count(report), 2); /* no futex was called: b cannot hold */
    const callgauge_not_judged_row *row = callgauge_report_not_judged(report, 0);
    assert_true(cg_str_is(row->rule, "a"));
    assert_true((row->missing & CALLGAUGE_TRAIT_ARGUMENTS) != 0);
    assert_true(cg_str_is(row->next_capture, "truss -t open64 -p PID"));
    assert_true(cg_str_is(callgauge_report_not_judged(report, 1)->next_capture, "truss -d -p PID"));
    assert_null(callgauge_report_not_judged(report, 2));
    callgauge_report_free(report);
}

static void missing_traits_are_named(void **state)
{
    (void)state;
    callgauge_report *report = analyse("id: r\nshape: count\nwhere: class == read and duration > 1s\n", READ("3", "1"));
    const callgauge_not_judged_row *row = callgauge_report_not_judged(report, 0);
    assert_non_null(row);
    assert_int_equal(row->missing, CALLGAUGE_TRAIT_WALL_DURATIONS);
    assert_true(cg_str_is(row->next_capture, "strace -f -ttt -T -yy -e trace=read -p PID"));
    callgauge_report_free(report);
}

/* Rows that could meet a condition if more were known are what a rule is listed for; the shape rows alone. */
static struct unjudged {
    const char *name, *of_where, *capture;
    uint32_t missing; /* 0: it is quiet */
} unjudged[] = {
    { "not judged: waiting without files", "waiting\nwhere: kind == socket and wall > 1s", "getpid() = 7\n", 0 },
    { "not judged: waiting, files that are none of it", "waiting\nwhere: kind == socket and wall > 1s",
      "openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\nread(3, \"\", 1) = 0\n", 0 },
    { "not judged: waiting for a socket", "waiting\nwhere: kind == socket and wall > 1s",
      "socket(AF_INET, SOCK_STREAM, 0) = 3\n", CALLGAUGE_TRAIT_WALL_DURATIONS },
    { "not judged: waiting for what is not known", "waiting\nwhere: kind == socket and count > 5",
      "read(3, \"\", 1) = 0\n", CALLGAUGE_TRAIT_WALL_DURATIONS },
    { "not judged: sleeping is waiting for no socket", "waiting\nwhere: kind == socket and wall > 1s",
      "nanosleep({tv_sec=1, tv_nsec=0}, NULL) = 0\n", 0 },
    { "not judged: waiting for a lock", "waiting\nwhere: call == futex and count > 5",
      "futex(0x1, FUTEX_WAIT, 1, NULL) = 0\n", CALLGAUGE_TRAIT_WALL_DURATIONS },
    { "not judged: no waiting for a lock", "waiting\nwhere: call == futex and count > 5",
      "nanosleep({tv_sec=1, tv_nsec=0}, NULL) = 0\n", 0 },
    { "not judged: files on which more is missing", "files\nwhere: reads > 0 and waiting > 1s",
      "openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\nread(3, \"x\", 1) = 1\n", CALLGAUGE_TRAIT_WALL_DURATIONS },
    { "not judged: files that are out of question", "files\nwhere: reads > 0 and waiting > 1s",
      "openat(AT_FDCWD, \"/a\", O_RDONLY) = 3\n", 0 },
    { "not judged: a table does not tell", "files\nwhere: reads > 0",
      "syscall               seconds   calls  errors\nstat                     .001      50\n"
      "                     --------  ------    ----\nsys totals:              .001      50       0\n",
      CALLGAUGE_TRAIT_ARGUMENTS | CALLGAUGE_TRAIT_RESULTS },
};

enum { UNJUDGED = sizeof unjudged / sizeof unjudged[0] };

static void check_unjudged(void **state)
{
    const struct unjudged *row = *state;
    char rule[256];
    snprintf(rule, sizeof rule, "id: r\nshape: rows\nof: %s\n", row->of_where);
    callgauge_report *report = analyse(rule, row->capture);
    assert_int_equal(callgauge_report_finding_count(report), 0);
    assert_int_equal(callgauge_report_not_judged_count(report), row->missing != 0);
    if (row->missing != 0) {
        assert_int_equal(callgauge_report_not_judged(report, 0)->missing, row->missing);
    }
    callgauge_report_free(report);
}

/* --- limits */

/* A capture of `count` lines, each with its number in place of '#'. */
static char *lines_of(const char *line, int count)
{
    size_t room = (strlen(line) + 24) * (size_t)count + 1, len = 0;
    char *text = malloc(room);
    for (int i = 0; i < count; i++) {
        for (const char *at = line; *at != 0; at++) {
            len += *at == '#' ? (size_t)snprintf(text + len, room - len, "%d", i) : (text[len] = *at, 1u);
        }
    }
    text[len] = 0;
    return text;
}

static uint64_t dropped_of(const callgauge_report *report, const char *limit)
{
    size_t count;
    const callgauge_limit_row *limits = callgauge_report_limits_hit(report, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(limits[i].limit, limit) == 0) {
            return limits[i].dropped;
        }
    }
    return 0;
}

static callgauge_report *analyse_limited(const char *rule, callgauge_limits limits, const char *line, int count)
{
    callgauge_rules *rules = load_rules(rule);
    char *capture = lines_of(line, count);
    limits.size = sizeof limits;
    const callgauge_analysis_options options = { .rules = rules, .reader = { .limits = limits } };
    callgauge_report *report = analyse_with(options, "capture", capture);
    free(capture);
    callgauge_rules_free(rules);
    return report;
}

static void groups_are_limited(void **state)
{
    (void)state;
    callgauge_report *report = analyse_limited("id: r\nshape: count\nwhere: errno == ENOENT\neach: path\n",
                                               (callgauge_limits){ .groups = 10 },
                                               "open(\"/a/#\", O_RDONLY) = -1 ENOENT (x)\n", 25);
    assert_int_equal(callgauge_report_finding(report, 0)->calls, 10);
    assert_int_equal(dropped_of(report, "groups"), 15);
    callgauge_report_free(report);
}

/* What is kept of a million groups and a million attempts is what the usual limits allow, whatever comes. */
static void a_million_of_each_is_bounded(void **state)
{
    enum { LINES = 1000000, GROUPS = 65536, ATTEMPTS = 4096, MOST_KIB = 512 * 1024 };
    (void)state;
    callgauge_report *report = analyse_limited("id: r\nshape: count\nwhere: failed\neach: path\n",
                                               (callgauge_limits){ 0 }, "stat(\"/a/#\", 0x1) = -1 ENOENT (x)\n", LINES);
    assert_int_equal(callgauge_report_finding(report, 0)->calls, GROUPS);
    assert_int_equal(dropped_of(report, "groups"), LINES - GROUPS);
    callgauge_report_free(report);
    report = analyse_limited("id: r\nshape: sequence\nkey: path\nwhere:\n  a: class == stat\n  b: class == open\n",
                             (callgauge_limits){ 0 }, "stat(\"/a/#\", 0x1) = 0\n", LINES);
    assert_int_equal(dropped_of(report, "attempts"), LINES - ATTEMPTS);
    callgauge_report_free(report);
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ADDRESS_SANITIZER 1
#endif
#endif
#if !defined(WITH_ADDRESS_SANITIZER) && !defined(__SANITIZE_ADDRESS__) && \
    defined(__linux__) /* sanitizers keep freed memory for a while */
    struct rusage used;
    assert_int_equal(getrusage(RUSAGE_SELF, &used), 0);
    assert_true(used.ru_maxrss < MOST_KIB);
#endif
}

/* A group for each value of `by` and a part in each: what is worked out for one does not ask all. */
static void many_groups_take_no_longer_than_few(void **state)
{
    enum { LINES = 60000 };
    (void)state;
    callgauge_report *report = analyse_limited("id: r\nshape: count\nwhere: class == stat\nby: [path]\n",
                                               (callgauge_limits){ .findings = LINES }, "stat(\"/a/#\", 0x1) = 0\n",
                                               LINES);
    assert_int_equal(callgauge_report_finding_count(report), LINES);
    for (size_t i = 0; i < LINES; i++) {
        assert_int_equal(callgauge_report_finding(report, i)->group_count, 1);
    }
    callgauge_report_free(report);
}

static void attempts_are_limited(void **state)
{
    (void)state;
    static const char rule[] = "id: r\nshape: sequence\nkey: path\nwhere:\n  a: class == stat\n  b: class == open\n";
    callgauge_report *report = analyse_limited(rule, (callgauge_limits){ .attempts = 10 }, "stat(\"/a/#\", 0x1) = 0\n",
                                               25);
    assert_int_equal(callgauge_report_finding_count(report), 0);
    assert_int_equal(dropped_of(report, "attempts"), 15);
    callgauge_report_free(report);
}

/* Processes that look at four paths each and end: their attempts can go no further, and those of the living go on. */
static void attempts_of_ended_processes_make_room(void **state)
{
    enum { PROCESSES = 200, LINE = 160 };
    (void)state;
    static const char rule[] = "id: r\nshape: sequence\nscope: process\nkey: path\nmessage: '{calls}'\n"
                               "where:\n  a: class == stat\n  b: class == open\n";
    char *capture = malloc((PROCESSES + 1) * (size_t)LINE * 8);
    size_t len = (size_t)sprintf(capture, "7 stat(\"/first\", 0x1) = 0\n");
    for (int pid = 100; pid < 100 + PROCESSES; pid++) {
        len += (size_t)sprintf(capture + len, "7 fork() = %d\n", pid);
        for (int i = 0; i < 4; i++) {
            len += (size_t)sprintf(capture + len, "%d stat(\"/a/%d\", 0x1) = 0\n", pid, i);
        }
        len += (size_t)sprintf(capture + len, "%d exit_group(0) = ?\n%d +++ exited with 0 +++\n", pid, pid);
    }
    sprintf(capture + len, "7 open(\"/first\", O_RDONLY) = 3\n");
    callgauge_rules *rules = load_rules(rule);
    const callgauge_limits limits = { .size = sizeof limits, .attempts = 10 };
    const callgauge_analysis_options options = { .rules = rules, .reader = { .limits = limits } };
    callgauge_report *report = analyse_with(options, "capture", capture);
    assert_int_equal(dropped_of(report, "attempts"), 0);
    assert_int_equal(callgauge_report_finding_count(report), 1);
    assert_true(cg_str_is(callgauge_report_finding(report, 0)->message, "2"));
    callgauge_report_free(report);
    callgauge_rules_free(rules);
    free(capture);
}

static void distinct_values_are_limited(void **state)
{
    (void)state;
    static const char rule[] = "id: r\nshape: count\nwhere: ok\nat_least: { distinct: { path: 11 } }\n";
    callgauge_report *report = analyse_limited(rule, (callgauge_limits){ .distinct = 10 }, "stat(\"/a/#\", 0x1) = 0\n",
                                               25);
    assert_int_equal(callgauge_report_finding_count(report), 0);
    assert_int_equal(dropped_of(report, "distinct"), 15);
    callgauge_report_free(report);
}

static void findings_and_what_they_list_are_limited(void **state)
{
    (void)state;
    const callgauge_limits limits = { .findings = 3, .finding_groups = 4, .evidence = 2 };
    callgauge_report *report = analyse_limited("id: r\nshape: count\nwhere: ok\nby: fd\n", limits, "close(#) = 0\n",
                                               25);
    assert_int_equal(callgauge_report_finding_count(report), 3);
    assert_int_equal(dropped_of(report, "findings"), 22);
    callgauge_report_free(report);
    report = analyse_limited("id: r\nshape: count\nwhere: ok\neach: fd\n", limits, "close(#) = 0\n", 25);
    const callgauge_finding_row *row = callgauge_report_finding(report, 0);
    assert_int_equal(row->calls, 25);
    assert_int_equal(row->group_count, 4);
    assert_int_equal(row->groups_left_out, 21);
    assert_int_equal(row->evidence_count, 2);
    callgauge_report_free(report);
}

/* Texts of events that are over are forgotten: no number of them makes a run unknown. */
static void old_texts_are_forgotten(void **state)
{
    (void)state;
    static const char rule[] =
        "id: r\nshape: run\nwhere: class == stat\nnext: args != prev.args\nby: prev.path\neach: pid\n"
        "message: '{calls} {prev.path}'\n---\nid: s\nshape: count\nwhere: ok\neach: [pid, class]\n";
    callgauge_report *report = analyse_limited(rule, (callgauge_limits){ 0 }, "stat(\"/a/#\", 0x1) = 0\n", 120000);
    size_t count;
    assert_int_equal(callgauge_report_finding_count(report), 2);
    const callgauge_finding_row *row = callgauge_report_finding(report, 0);
    assert_true(cg_str_is(row->message, "120,000 /a/119999"));
    (void)callgauge_report_limits_hit(report, &count);
    assert_int_equal(count, 0);
    callgauge_report_free(report);
}

/* A regular expression that runs away is stopped; the analysis is not. */
static void matches_are_limited(void **state)
{
    (void)state;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    static const char rule[] =
        "id: r\nshape: count\nwhere: path matches '^/(a+)+$'\n---\nid: s\nshape: count\nwhere: ok\n";
    const callgauge_rule_text file = { "rules.yaml", rule, strlen(rule) };
    const callgauge_rules_options options = {
        .size = sizeof options, .no_catalogue = true, .texts = &file, .text_count = 1
    };
    callgauge_rules *rules;
    callgauge_status status = callgauge_rules_load(&options, &rules, &error);
    if (status == CALLGAUGE_E_UNSUPPORTED) {
        return; /* a build without PCRE2 */
    }
    assert_int_equal(status, CALLGAUGE_OK);
    callgauge_report *report = analyse_with(
        (callgauge_analysis_options){ .rules = rules }, "c",
        "stat(\"/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\", 0x1) = 0\n");
    assert_int_equal(dropped_of(report, "match"), 1);
    assert_int_equal(callgauge_report_finding_count(report), 1);
    callgauge_report_free(report);
    callgauge_rules_free(rules);
}

/* --- several captures */

static void findings_merge_by_rule_and_group(void **state)
{
    (void)state;
    static caught one, two;
    callgauge_rules *rules = load_rules(
        "id: r\nshape: count\nwhere: class == close\nby: fd\nmessage: '{fd}: {calls} {share}'\n");
    const callgauge_analysis_options options = { .rules = rules };
    callgauge_report *parts[] = { analyse_with(options, "b", CLOSE("3") CLOSE("4") READ("9", "1")),
                                  analyse_with(options, "a", CLOSE("3") CLOSE("3") CLOSE("5")) };
    const callgauge_report *there[] = { parts[0], parts[1] }, *back[] = { parts[1], parts[0] };
    callgauge_report *merged, *other, *again;
    assert_int_equal(callgauge_report_merge(there, 2, &merged, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_report_merge(back, 2, &other, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_report_finding_count(merged), 3);
    const callgauge_finding_row *row = callgauge_report_finding(merged, 0);
    assert_true(cg_str_is(row->message, "3: 3 50 %"));
    assert_int_equal(row->evidence_count, 3);
    assert_int_equal(row->evidence[0].place.capture, 0);
    assert_int_equal(row->evidence[2].place.capture, 1);
    write_report(merged, "json", NULL, &one);
    write_report(other, "json", NULL, &two);
    assert_string_equal(one.text, two.text);
    if (callgauge_report_read("r", one.text, one.len, &again, NULL) == CALLGAUGE_OK) {
        write_report(again, "json", NULL, &two);
        assert_string_equal(one.text, two.text);
        callgauge_report_free(again);
    }
    callgauge_report_free(merged);
    callgauge_report_free(other);
    callgauge_report_free(parts[0]);
    callgauge_report_free(parts[1]);
    callgauge_rules_free(rules);
}

/* --- a detector of one's own */

typedef struct counter {
    uint64_t calls, begun;
} counter;

static callgauge_status count_begin(void *ctx, const callgauge_capture *capture, callgauge_error *err)
{
    (void)capture;
    (void)err;
    ((counter *)ctx)->begun++;
    return CALLGAUGE_OK;
}

static callgauge_status count_event(void *ctx, const callgauge_event *event, callgauge_error *err)
{
    (void)err;
    ((counter *)ctx)->calls += event->kind == CALLGAUGE_EVENT_CALL;
    return event->kind == CALLGAUGE_EVENT_SIGNAL ? CALLGAUGE_E_STOPPED : CALLGAUGE_OK;
}

static callgauge_status count_finish(void *ctx, const callgauge_report *report, callgauge_findings *to,
                                     callgauge_error *err)
{
    const counter *counted = ctx;
    const callgauge_finding_row row = {
        .rule = cg_str_z("mine"),
        .title = cg_str_z("t"),
        .message = cg_str_z("{as it is}"),
        .calls = counted->calls,
        .cpu_ns = CALLGAUGE_UNKNOWN,
        .wall_ns = CALLGAUGE_UNKNOWN,
        .bytes = CALLGAUGE_UNKNOWN,
        .saved_calls = CALLGAUGE_UNKNOWN,
    };
    assert_int_equal(callgauge_report_totals(report)->calls, counted->calls);
    assert_int_equal(callgauge_findings_add(to, &(callgauge_finding_row){ 0 }, NULL), CALLGAUGE_E_USAGE);
    return callgauge_findings_add(to, &row, err);
}

static void sinks_are_told_events_and_add_findings(void **state)
{
    (void)state;
    counter counted = { 0 };
    const callgauge_sink sink = { sizeof sink, &counted, count_begin, count_event, count_finish };
    const callgauge_analysis_options options = { .sinks = &sink, .sink_count = 1 };
    callgauge_report *report = analyse_with(options, "capture", CLOSE("3") READ("3", "5"));
    assert_int_equal(counted.begun, 1);
    assert_int_equal(counted.calls, 2);
    const callgauge_finding_row *row = callgauge_report_finding(report, 0);
    assert_true(cg_str_is(row->message, "{as it is}"));
    assert_int_equal(row->calls, 2);
    callgauge_report_free(report);
}

static void sinks_may_stop(void **state)
{
    (void)state;
    static const char capture[] = CLOSE("3") "--- SIGALRM {si_signo=SIGALRM} ---\n" CLOSE("3");
    counter counted = { 0 };
    const callgauge_sink sink = { sizeof sink, &counted, NULL, count_event, NULL };
    const callgauge_analysis_options options = {
        .size = sizeof options, .reader = { .dialect = "strace" }, .sinks = &sink, .sink_count = 1
    };
    callgauge_analysis *analysis;
    callgauge_report *report;
    assert_int_equal(callgauge_analysis_new("c", &options, &analysis, NULL), CALLGAUGE_OK);
    callgauge_status status = callgauge_analysis_feed(analysis, capture, strlen(capture), NULL);
    status = status == CALLGAUGE_OK ? callgauge_analysis_finish(analysis, &report, NULL) : status;
    assert_int_equal(status, CALLGAUGE_E_STOPPED);
    callgauge_analysis_free(analysis);
}

/* --- the catalogue */

static void the_catalogue_does_what_its_examples_say(void **state)
{
    (void)state;
    const callgauge_rules_options options = { .size = sizeof options, .drafts = true };
    callgauge_rules *rules;
    size_t wrong = 0;
    assert_int_equal(callgauge_rules_load(&options, &rules, NULL), CALLGAUGE_OK);
    assert_true(callgauge_rules_count(rules) > 0);
    for (size_t i = 0; i < callgauge_rules_count(rules); i++) {
        const callgauge_rule_example *example;
        for (size_t k = 0; (example = callgauge_rules_example(rules, i, k)) != NULL; k++) {
            callgauge_report *report = NULL;
            callgauge_error error = CALLGAUGE_ERROR_INIT;
            callgauge_status status = callgauge_rules_try(rules, i, k, &report, &error);
            bool fired = status == CALLGAUGE_OK && callgauge_report_finding_count(report) > 0;
            if (status != CALLGAUGE_OK || fired != example->fires) {
                const callgauge_rule_info *rule = callgauge_rules_at(rules, i);
                print_message("%s:%u: the example must %s; %s\n", rule->source, (unsigned)example->line,
                              example->fires ? "fire" : "be quiet", error.message);
                wrong++;
            }
            callgauge_report_free(report);
        }
    }
    assert_null(callgauge_rules_at(rules, callgauge_rules_count(rules)));
    callgauge_rules_free(rules);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + UNJUDGED + 22];
    size_t count = 0;
    for (; count < ROWS; count++) {
        tests[count] =
            (struct CMUnitTest){ .name = rows[count].name, .test_func = check_row, .initial_state = &rows[count] };
    }
    for (size_t i = 0; i < UNJUDGED; i++) {
        tests[count++] =
            (struct CMUnitTest){ .name = unjudged[i].name, .test_func = check_unjudged, .initial_state = &unjudged[i] };
    }
    const struct CMUnitTest others[] = {
        cmocka_unit_test(findings_are_whole),
        cmocka_unit_test(evidence_hides_what_was_read),
        cmocka_unit_test(dear_ones_come_first),
        cmocka_unit_test(undecided_events_are_counted),
        cmocka_unit_test(tables_tell_what_to_capture),
        cmocka_unit_test(missing_traits_are_named),
        cmocka_unit_test(groups_are_limited),
        cmocka_unit_test(many_groups_take_no_longer_than_few),
        cmocka_unit_test(attempts_are_limited),
        cmocka_unit_test(attempts_of_ended_processes_make_room),
        cmocka_unit_test(a_million_of_each_is_bounded),
        cmocka_unit_test(distinct_values_are_limited),
        cmocka_unit_test(findings_and_what_they_list_are_limited),
        cmocka_unit_test(old_texts_are_forgotten),
        cmocka_unit_test(matches_are_limited),
        cmocka_unit_test(findings_merge_by_rule_and_group),
        cmocka_unit_test(sinks_are_told_events_and_add_findings),
        cmocka_unit_test(sinks_may_stop),
        cmocka_unit_test(the_catalogue_does_what_its_examples_say),
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        tests[count++] = others[i];
    }
    callgauge_rules *probe;
    if (callgauge_rules_load(NULL, &probe, NULL) == CALLGAUGE_E_UNSUPPORTED) {
        return 77; /* a build without libyaml */
    }
    callgauge_rules_free(probe);
    return _cmocka_run_group_tests("detect", tests, count, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* write/json and write/json_read: what is written is read back as an equal report, and what is no report is
 * refused with the place or the key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <callgauge/version.h>

#include "followed.h"

#ifdef CG_HAVE_JSON
static const bool has_json = true;
#else
static const bool has_json = false;
#endif

/* A report with something in every list, its names hostile. */
static callgauge_report *rich_report(void)
{
    static const callgauge_unread unread[] = { { 7, "no result", { "\033[31m\351\"\\\0x", 10 } } };
    static const callgauge_assumption assumed[] = { { "stamp column", "E", "--stamps" } };
    static const callgauge_repair repairs[] = { { "cr-lf", 9, 1 } };
    cg_stage stage = new_stage(true);
    callgauge_event write = timed_call(NAME_WRITE, CALLGAUGE_TIME_WALL, INT64_MAX);
    callgauge_event odd = timed_call(NAME_READ, CALLGAUGE_TIME_CPU, 1234);
    const callgauge_call_name odd_name = { .text = { "\351\"\\|\xff", 5 }, .id = NAMES };
    const callgauge_name odd_error = { .text = { "E\\\303\244\n", 5 }, .id = 3 };
    odd.call = &odd_name;
    odd.error = &odd_error;
    write.has |= CALLGAUGE_HAS_PID | CALLGAUGE_HAS_START;
    write.pid = 4711;
    write.start_ns = -3;
    take(&stage, write);
    take(&stage, odd);
    take(&stage, failed_call(NAME_OPENAT, 0));
    take(&stage, (callgauge_event){ .kind = CALLGAUGE_EVENT_SIGNAL, .name = &signal_name });
    take(&stage, (callgauge_event){ .kind = CALLGAUGE_EVENT_FAULT, .name = &fault_name });
    take(&stage, (callgauge_event){ .kind = CALLGAUGE_EVENT_LIBRARY_CALL, .name = &function_name });
    callgauge_report *report = finish_stage(&stage, "a/\303\244/\351.truss");
    callgauge_capture_row *row = &report->captures[0];
    row->capture.unread = unread;
    row->capture.unread_count = 1;
    row->capture.assumed = assumed;
    row->capture.assumed_count = 1;
    row->capture.repairs = repairs;
    row->capture.repair_count = 1;
    row->capture.traits = CALLGAUGE_TRAIT_FD_PATHS | CALLGAUGE_TRAIT_ARGUMENTS;
    row->capture.clock = CALLGAUGE_CLOCK_MIDNIGHT;
    row->capture.has_table = true;
    row->capture.lines = INT64_MAX;
    row->capture.first_ns = -1;
    row->blank_lines = 2;
    row->has_table_totals = true;
    row->table_totals = (callgauge_table_totals){ 5, CALLGAUGE_UNKNOWN, 0, CALLGAUGE_UNKNOWN };
    row->table_check = "read: 1 call in the trace, 2 in the table (1 fewer)";
    report->totals.user_ns = 5;
    assert_true(cg_report_add_limit(report, "names", 100, 1));
    return report;
}

static void check_round_trip(void **state)
{
    static caught once, twice;
    (void)state;
    callgauge_report *report = rich_report(), *again;
    write_report(report, "json", NULL, &once);
    callgauge_report_free(report);
    if (!has_json) {
        return;
    }
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    assert_int_equal(callgauge_report_read("r.json", once.text, once.len, &again, &err), CALLGAUGE_OK);
    write_report(again, "json", NULL, &twice);
    assert_string_equal(once.text, twice.text);
    assert_string_equal(again->captures[0].capture.name, "a/\303\244/\351.truss");
    assert_int_equal(again->captures[0].capture.unread[0].text.len, 10);
    assert_memory_equal(again->captures[0].capture.unread[0].text.ptr, "\033[31m\351\"\\\0x", 10);
    assert_non_null(callgauge_report_find_call(again, "\351\"\\|\xff"));
    callgauge_report_free(again);
}

#define HEAD "{\"schema\":\"callgauge.report/1\","
#define CALL "{\"name\":\"read\",\"class\":\"read\",\"calls\":1,\"errors\":0,\"unreturned\":0"
#define PROCESS "{\"pid\":1,\"calls\":1,\"errors\":0,\"unreturned\":0"
#define FINDING \
    "{\"rule\":\"r\",\"severity\":\"note\",\"rests_on\":\"counts\",\"calls\":1,\"errors\":0,\"times\":1,\"of_calls\":" \
    "0," \
    "\"undecided\":0,\"groups_left_out\":0"
#define NOT "not a callgauge report: "
#define LIMIT "{\"limit\":\"names\",\"kept\":1,\"dropped\":1}"
#define FOUR_LIMITS LIMIT "," LIMIT "," LIMIT "," LIMIT
#define LIMITS FOUR_LIMITS "," FOUR_LIMITS "," FOUR_LIMITS "," FOUR_LIMITS
#define CAPTURE_BEGIN \
    "\"captures\":[{\"name\":\"a\",\"bytes\":0,\"lines\":0,\"events\":0,\"event_lines\":0,\"continuation_lines\":0," \
    "\"table_lines\":0,\"notice_lines\":0,\"foreign_lines\":0,\"unread_lines\":0"
#define CAPTURE CAPTURE_BEGIN "}]"

/* Rows of files, processes, waiting, units: everything that a merge sees comes back. */
static void check_followed(void **state)
{
    enum { ROUNDS = 30 };
    static caught once, twice;
    (void)state;
    for (uint64_t round = 0; has_json && round < ROUNDS; round++) {
        callgauge_unit_from unit = (callgauge_unit_from)(round % 4);
        callgauge_report *report = drawn_report(round, 1 + (size_t)round % 3, unit), *again;
        callgauge_error err = CALLGAUGE_ERROR_INIT;
        write_report(report, "json", NULL, &once);
        assert_int_equal(callgauge_report_read("r", once.text, once.len, &again, &err), CALLGAUGE_OK);
        write_report(again, "json", NULL, &twice);
        assert_string_equal(once.text, twice.text);
        const callgauge_report *const both[] = { report, again };
        callgauge_report *sum;
        assert_int_equal(callgauge_report_merge(both, 2, &sum, NULL), CALLGAUGE_OK);
        assert_int_equal(callgauge_report_file_count(sum), callgauge_report_file_count(report));
        assert_int_equal(callgauge_report_process_count(sum), callgauge_report_process_count(report));
        assert_int_equal(callgauge_report_waiting_count(sum), callgauge_report_waiting_count(report));
        callgauge_report_free(sum);
        callgauge_report_free(report);
        callgauge_report_free(again);
    }
}

/* The keys that others read, with means, an order and a peer that are worked out. */
static void check_derived(void **state)
{
    static caught into;
    (void)state;
    static const char json[] = HEAD CAPTURE
        ",\"files\":[{\"path\":\"/f\",\"kind\":\"file\",\"reads\":3,\"eof_reads\":1,\"bytes_read\":100,"
        "\"writes\":2,\"bytes_written\":7,\"transfers\":4,\"jumps\":1,\"first\":[0,3]}],"
        "\"programs\":[{\"program\":\"/bin/sh\",\"starts\":3,\"calls\":1,\"lives\":2,\"life_ns\":9}],"
        "\"waiting\":[{\"call\":\"poll\",\"peer_address\":\"::1\",\"port\":53,\"count\":1,\"wall_ns\":5}],"
        "\"unit\":{\"from\":\"number\",\"count\":100},"
        "\"calls\":[" CALL ",\"cpu_ns\":269000000}]}";
    static const char *const parts[] = {
        "\"path\":\"/f\",\"kind\":\"file\",\"peer\":null,\"port\":null",
        "\"mean_read\":50,\"min_read\":null",
        "\"mean_write\":3,",
        "\"order\":\"mixed\"",
        "\"first\":[0,3],\"last\":null",
        "\"mean_life_ns\":4,",
        "\"peer\":\"[::1]:53\"",
        "\"cpu_per_unit_ns\":2690000,\"cpu_has_user\":false,\"units_per_cpu_second\":371.747,",
    };
    callgauge_report *report;
    if (!has_json) {
        return;
    }
    assert_int_equal(callgauge_report_read("r", json, strlen(json), &report, NULL), CALLGAUGE_OK);
    write_report(report, "json", NULL, &into);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_non_null(strstr(into.text, parts[i]));
    }
    callgauge_report_free(report);
}

static void check_empty(void **state)
{
    static caught once, twice;
    (void)state;
    callgauge_report *report = cg_report_new(), *again;
    cg_report_seal(report);
    write_report(report, "json", NULL, &once);
    callgauge_report_free(report);
    assert_non_null(strstr(once.text, "\"calls\":[]"));
    assert_non_null(strstr(once.text, "\"cpu_ns\":null"));
    if (has_json) {
        assert_int_equal(callgauge_report_read("r", once.text, once.len, &again, NULL), CALLGAUGE_OK);
        write_report(again, "json", NULL, &twice);
        assert_string_equal(once.text, twice.text);
        callgauge_report_free(again);
    }
}

static struct row {
    const char *name, *json, *message;
    uint64_t line, column, offset;
} rows[] = {
    { "cut off", "{\n  \"schema\":", "not JSON: unexpected token near end of file", 2, 11, 12 },
    { "a byte too many", HEAD "\"x\":1}\n}", "not JSON: end of file expected near '}'", 2, 1, 38 },
    { "a key twice", "{\"a\":1,\"a\":2}", "not JSON: duplicate object key near '\"a\"'", 1, 10, 9 },
    { "a list", "[]", NOT "document: an object is expected", 0, 0, 0 },
    { "no schema", "{}", NOT "schema: a string is expected", 0, 0, 0 },
    { "a later version", "{\"schema\":\"callgauge.report/2\"}",
      "a report in a form of another version, \"callgauge.report/2\"; callgauge " CALLGAUGE_VERSION
      " reads \"callgauge.report/1\"",
      0, 0, 0 },
    { "version 0", "{\"schema\":\"callgauge.report/0\"}",
      "a report in a form of another version, \"callgauge.report/0\"; callgauge " CALLGAUGE_VERSION
      " reads \"callgauge.report/1\"",
      0, 0, 0 },
    { "version 10", "{\"schema\":\"callgauge.report/10\"}",
      "a report in a form of another version, \"callgauge.report/10\"; callgauge " CALLGAUGE_VERSION
      " reads \"callgauge.report/1\"",
      0, 0, 0 },
    { "another schema", "{\"schema\":\"trace/1\"}", NOT "its schema is \"trace/1\", not \"callgauge.report/1\"", 0, 0,
      0 },
    { "a comparison", "{\"schema\":\"callgauge.comparison/1\"}",
      "not a callgauge report, but a comparison: name the reports or captures that it is of", 0, 0, 0 },
    { "an event", "{\"kind\":\"call\",\"line\":1}\n",
      "not a callgauge report, but events, of which 'callgauge events' makes no report: name the capture they are of",
      0, 0, 0 },
    { "events", "{\"kind\":\"call\"}\n{\"kind\":\"call\"}\n",
      "not a callgauge report, but events, of which 'callgauge events' makes no report: name the capture they are of",
      0, 0, 0 },
    { "complete is another word", HEAD CAPTURE_BEGIN ",\"complete\":\"yes\"}]}",
      NOT "captures[0].complete: a name that is not known", 0, 0, 0 },
    { "no reason for no", HEAD CAPTURE_BEGIN ",\"complete\":\"no\"}]}",
      NOT "captures[0].complete_why: a reason is expected beside \"no\"", 0, 0, 0 },
    { "judged is no list", HEAD "\"judged\":{}}", NOT "judged: a list is expected", 0, 0, 0 },
    { "a judged rule is no string", HEAD "\"judged\":[1]}", NOT "judged: strings are expected", 0, 0, 0 },
    { "a rule judged twice", HEAD "\"judged\":[\"a\",\"b\",\"a\"]}", NOT "judged: a rule is there twice", 0, 0, 0 },
    { "followed is no bool", HEAD "\"followed\":1}", NOT "followed: true or false is expected", 0, 0, 0 },
    { "a sequence of no capture", HEAD "\"recorded\":[{\"name\":\"a\",\"capture\":0,\"times\":1}]}",
      NOT "recorded[0].capture: there is no such capture", 0, 0, 0 },
    { "a sequence without calls' lines",
      HEAD CAPTURE ",\"recorded\":[{\"name\":\"a\",\"capture\":0,\"times\":1,\"calls\":[{}]}]}",
      NOT "recorded[0].calls[0].line: a number is expected", 0, 0, 0 },
    { "calls are no list", HEAD "\"calls\":{}}", NOT "calls: a list is expected", 0, 0, 0 },
    { "a call is no object", HEAD "\"calls\":[7]}", NOT "calls[0]: an object is expected", 0, 0, 0 },
    { "a name is missing", HEAD "\"calls\":[{}]}", NOT "calls[0].name: a string is expected", 0, 0, 0 },
    { "a count is text", HEAD "\"calls\":[" CALL "},{\"name\":\"x\",\"class\":\"read\",\"calls\":\"1\"}]}",
      NOT "calls[1].calls: an integer or null is expected", 0, 0, 0 },
    { "a count is missing", HEAD "\"calls\":[{\"name\":\"x\",\"class\":\"read\"}]}",
      NOT "calls[0].calls: a number is expected", 0, 0, 0 },
    { "a time is a fraction", HEAD "\"calls\":[" CALL ",\"cpu_ns\":1.5}]}",
      NOT "calls[0].cpu_ns: an integer or null is expected", 0, 0, 0 },
    { "a time is negative", HEAD "\"calls\":[" CALL ",\"wall_ns\":-1}]}",
      NOT "calls[0].wall_ns: a number that is not negative is expected", 0, 0, 0 },
    { "a class is not known", HEAD "\"calls\":[{\"name\":\"x\",\"class\":\"nap\"}]}",
      NOT "calls[0].class: a class that is not known", 0, 0, 0 },
    { "a bad escape", HEAD "\"calls\":[{\"name\":\"a\\\\q\"}]}",
      NOT "calls[0].name: a backslash is not followed by an escape", 0, 0, 0 },
    { "a call twice", HEAD "\"calls\":[" CALL "}," CALL "}]}", NOT "calls: a name is there twice", 0, 0, 0 },
    { "another scale", HEAD "\"calls\":[" CALL ",\"durations\":{\"kind\":\"cpu\",\"scale\":32}}]}",
      NOT "calls[0].durations: a kind and a scale of 64 are expected", 0, 0, 0 },
    { "a bucket out of range",
      HEAD "\"calls\":[" CALL ",\"durations\":{\"kind\":\"cpu\",\"scale\":64,\"buckets\":[[3712,1]]}}]}",
      NOT "calls[0].buckets: an index is out of order or range", 0, 0, 0 },
    { "buckets out of order",
      HEAD "\"calls\":[" CALL ",\"durations\":{\"kind\":\"cpu\",\"scale\":64,\"buckets\":[[5,1],[5,1]]}}]}",
      NOT "calls[0].buckets: an index is out of order or range", 0, 0, 0 },
    { "an empty bucket",
      HEAD "\"calls\":[" CALL ",\"durations\":{\"kind\":\"cpu\",\"scale\":64,\"buckets\":[[5,0]]}}]}",
      NOT "calls[0].buckets: a count must be more than 0", 0, 0, 0 },
    { "errors are no object", HEAD "\"calls\":[" CALL ",\"errors_by_name\":[]}]}",
      NOT "calls[0].errors_by_name: an object is expected", 0, 0, 0 },
    { "deep in a capture",
      HEAD
      "\"captures\":[{\"name\":\"a\",\"bytes\":0,\"lines\":0,\"events\":0,\"event_lines\":0,\"continuation_lines\":0,"
      "\"table_lines\":0,\"notice_lines\":0,\"foreign_lines\":0,\"unread_lines\":0,\"unread\":[{\"line\":null}]}]}",
      NOT "captures[0].unread[0].line: a number is expected", 0, 0, 0 },
    { "a name with NUL", HEAD "\"captures\":[{\"name\":\"a\\\\000\"}]}",
      NOT "captures[0].name: a string without NUL is expected", 0, 0, 0 },
    { "more limits than there can be", HEAD "\"limits_hit\":[" LIMITS "," LIMITS "," LIMITS "," LIMITS "," LIMITS "]}",
      NOT "limits_hit: there are too many", 0, 0, 0 },
    { "a process twice", HEAD "\"processes\":[" PROCESS "}," PROCESS "}]}", NOT "processes: a pid is there twice", 0, 0,
      0 },
    { "a file twice", HEAD "\"files\":[{\"path\":\"/a\"},{\"path\":\"/a\"}]}", NOT "files: a file is there twice", 0, 0,
      0 },
    { "a kind of file", HEAD "\"files\":[{\"path\":\"/a\",\"kind\":\"door\"}]}",
      NOT "files[0].kind: a kind that is not known", 0, 0, 0 },
    { "a port too high", HEAD "\"files\":[{\"port\":65536}]}", NOT "files[0].port: a port is expected", 0, 0, 0 },
    { "a flag is a number", HEAD "\"files\":[{\"relative\":1}]}", NOT "files[0].relative: true or false is expected", 0,
      0, 0 },
    { "a pipe's number too high", HEAD "\"files\":[{\"number\":4294967296}]}",
      NOT "files[0].number: a smaller number is expected", 0, 0, 0 },
    { "pids out of order", HEAD "\"files\":[{\"processes\":[2,1]}]}",
      NOT "files[0].processes: integers that ascend are expected", 0, 0, 0 },
    { "a place in no capture", HEAD CAPTURE ",\"files\":[{\"first\":[1,1]}]}",
      NOT "files[0].first: there is no such capture", 0, 0, 0 },
    { "a place without a line", HEAD CAPTURE ",\"files\":[{\"first\":[0,0]}]}",
      NOT "files[0].first: a capture and a line are expected", 0, 0, 0 },
    { "argv is no text", HEAD "\"processes\":[" PROCESS ",\"argv\":[1]}]}",
      NOT "processes[0].argv: strings are expected", 0, 0, 0 },
    { "threads out of order", HEAD "\"processes\":[" PROCESS ",\"threads\":[{\"tid\":2},{\"tid\":1}]}]}",
      NOT "processes[0].threads: they are out of order", 0, 0, 0 },
    { "an unknown unit", HEAD "\"unit\":{\"from\":\"moon\"}}", NOT "from: a name that is not known", 0, 0, 0 },
    { "slowest out of order",
      HEAD "\"unit\":{\"from\":\"number\",\"count\":1,\"slowest\":[{\"calls\":1,\"wall_ns\":1},{\"calls\":1,\"wall_"
           "ns\":2}]}}",
      NOT "slowest: they are out of order", 0, 0, 0 },
    { "a finding without rule", HEAD "\"findings\":[{}]}", NOT "findings[0].rule: a string is expected", 0, 0, 0 },
    { "an unknown severity", HEAD "\"findings\":[{\"rule\":\"r\",\"severity\":\"bad\"}]}",
      NOT "findings[0].severity: a name that is not known", 0, 0, 0 },
    { "a finding without counts", HEAD "\"findings\":[{\"rule\":\"r\",\"severity\":\"note\",\"rests_on\":\"times\"}]}",
      NOT "findings[0].calls: a number is expected", 0, 0, 0 },
    { "a group that is no object", HEAD "\"findings\":[" FINDING ",\"group\":[]}]}",
      NOT "findings[0].group: an object is expected", 0, 0, 0 },
    { "a group whose value is a number", HEAD "\"findings\":[" FINDING ",\"group\":{\"fd\":3}}]}",
      NOT "findings[0].fd: a string is expected", 0, 0, 0 },
    { "a listed group without counts", HEAD "\"findings\":[" FINDING ",\"groups\":[{\"key\":{}}]}]}",
      NOT "findings[0].groups[0].calls: a number is expected", 0, 0, 0 },
    { "evidence of no capture", HEAD CAPTURE ",\"findings\":[" FINDING ",\"evidence\":[{\"capture\":1,\"line\":1}]}]}",
      NOT "findings[0].evidence[0].capture: there is no such capture", 0, 0, 0 },
    { "a rule not judged in no capture", HEAD "\"not_judged\":[{\"rule\":\"r\",\"capture\":0}]}",
      NOT "not_judged[0].capture: there is no such capture", 0, 0, 0 },
    { "an unknown clock", HEAD "\"captures\":[{\"name\":\"a\",\"clock\":\"sun\"}]}",
      NOT "captures[0].clock: a name that is not known", 0, 0, 0 },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_report *untouched = NULL;
    callgauge_status status = callgauge_report_read("r.json", row->json, strlen(row->json), &untouched, &err);
    assert_null(untouched);
    assert_string_equal(err.source, "r.json");
    if (!has_json) {
        assert_int_equal(status, CALLGAUGE_E_UNSUPPORTED);
        return;
    }
    assert_int_equal(status, CALLGAUGE_E_FORMAT);
    assert_string_equal(err.message, row->message);
    assert_int_equal(err.line, row->line);
    assert_int_equal(err.column, row->column);
    assert_int_equal(err.offset, row->offset);
}

/* What a report without a count of timed calls says: a sum, and no mean. */
static void check_older(void **state)
{
    static caught into;
    (void)state;
    static const char json[] = HEAD "\"calls\":[" CALL ",\"cpu_ns\":7}]}";
    callgauge_report *report;
    if (!has_json) {
        return;
    }
    assert_int_equal(callgauge_report_read("r", json, strlen(json), &report, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_report_totals(report)->cpu_ns, 7);
    write_report(report, "json", NULL, &into);
    assert_non_null(strstr(into.text, "\"cpu_calls\":null,\"wall_calls\":0"));
    callgauge_report_free(report);
}

static void check_unknown_keys(void **state)
{
    (void)state;
    static const char json[] = HEAD "\"comparisons\":[1],\"calls\":[" CALL ",\"new\":{}}],\"totals\":null}";
    callgauge_report *report;
    if (!has_json) {
        return;
    }
    assert_int_equal(callgauge_report_read("r", json, strlen(json), &report, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_report_totals(report)->calls, 1);
    callgauge_report_free(report);
}

/* A report that no analysis makes is still written in every form. */
static void check_forged(void **state)
{
    static caught into;
    static const char *const formats[] = { "text", "json", "csv", "markdown" };
    (void)state;
    static const char json[] = HEAD "\"calls\":[{\"name\":\"x\",\"class\":\"read\",\"calls\":1,"
                                    "\"errors\":9223372036854775807,\"unreturned\":9223372036854775807,"
                                    "\"wall_ns\":9223372036854775807,\"min_ns\":9,\"max_ns\":1,"
                                    "\"durations\":{\"kind\":\"wall\",\"scale\":64,\"buckets\":[[0,9],[3711,9]]},"
                                    "\"errors_by_name\":{\"E\":9223372036854775807,\"F\":1}}]}";
    callgauge_report *report;
    if (!has_json) {
        return;
    }
    assert_int_equal(callgauge_report_read("r", json, strlen(json), &report, NULL), CALLGAUGE_OK);
    for (size_t f = 0; f < 4; f++) {
        for (int rows_of = CALLGAUGE_ROWS_REPORT; rows_of <= CALLGAUGE_ROWS_TREE; rows_of++) {
            callgauge_write_options options = { .size = sizeof options, .rows = (callgauge_rows)rows_of };
            write_report(report, formats[f], &options, &into);
        }
    }
    callgauge_report_free(report);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + 7] = {
        [ROWS] = cmocka_unit_test(check_round_trip),       [ROWS + 1] = cmocka_unit_test(check_empty),
        [ROWS + 2] = cmocka_unit_test(check_unknown_keys), [ROWS + 3] = cmocka_unit_test(check_forged),
        [ROWS + 4] = cmocka_unit_test(check_older),        [ROWS + 5] = cmocka_unit_test(check_followed),
        [ROWS + 6] = cmocka_unit_test(check_derived),
    };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* One capture that is fed: the same report however the bytes are cut, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <callgauge/callgauge.h>

static const char plain[] =
    "openat(AT_FDCWD, \"/etc/passwd\", O_RDONLY) = 3 <0.000010>\n"
    "read(3, \"root:x\"..., 4096) = 1024 <0.000020>\n"
    "read(3, \"\", 4096) = 0 <0.000005>\n"
    "close(3) = 0 <0.000004>\n"
    "openat(AT_FDCWD, \"/nowhere\", O_RDONLY) = -1 ENOENT (No such file or directory) <0.000009>\n"
    "exit_group(0) = ?\n"
    "+++ exited with 0 +++\n";

static callgauge_status analyse(const char *text, size_t piece, const callgauge_analysis_options *options,
                                callgauge_report **out, callgauge_error *err)
{
    callgauge_analysis *analysis;
    callgauge_status status = callgauge_analysis_new("t.strace", options, &analysis, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    size_t length = strlen(text);
    for (size_t at = 0; at < length && status == CALLGAUGE_OK; at += piece) {
        status = callgauge_analysis_feed(analysis, text + at, piece < length - at ? piece : length - at, err);
    }
    if (status == CALLGAUGE_OK) {
        status = callgauge_analysis_finish(analysis, out, err);
    }
    callgauge_analysis_free(analysis);
    return status;
}

static struct piece_row {
    const char *name;
    size_t piece;
} piece_rows[] = {
    { "byte by byte", 1 },
    { "seven bytes", 7 },
    { "whole", sizeof plain },
};

static void check_pieces(void **state)
{
    const struct piece_row *row = *state;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_report *report;
    assert_int_equal(analyse(plain, row->piece, NULL, &report, &error), CALLGAUGE_OK);
    const callgauge_totals *totals = callgauge_report_totals(report);
    assert_int_equal(totals->calls, 5);
    assert_int_equal(totals->errors, 1);
    assert_int_equal(totals->unreturned, 1);
    assert_int_equal(totals->wall_ns, 48000);
    assert_int_equal(totals->cpu_ns, CALLGAUGE_UNKNOWN);
    assert_int_equal(totals->bytes_read, 1024);
    assert_int_equal(callgauge_report_call_count(report), 4);
    const callgauge_call_row *read = callgauge_report_find_call(report, "read");
    assert_non_null(read);
    assert_int_equal(read->calls, 2);
    const callgauge_capture *capture = &callgauge_report_capture(report, 0)->capture;
    assert_string_equal(capture->name, "t.strace");
    assert_string_equal(capture->dialect, "strace");
    assert_int_equal(capture->lines, 7);
    assert_int_equal(capture->bytes, sizeof plain - 1);
    callgauge_report_free(report);
}

static void elapsed_comes_from_stamps(void **state)
{
    (void)state;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_report *report;
    const char *text = "1700000000.000000 getpid() = 7\n1700000001.500000 getpid() = 7\n";
    assert_int_equal(analyse(text, 100, NULL, &report, &error), CALLGAUGE_OK);
    assert_int_equal(callgauge_report_totals(report)->elapsed_ns, 1500000000);
    callgauge_report_free(report);
}

static void one_stamp_is_no_time(void **state)
{
    (void)state;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_report *report;
    assert_int_equal(analyse("1700000000.000000 getpid() = 7\n", 100, NULL, &report, &error), CALLGAUGE_OK);
    assert_int_equal(callgauge_report_totals(report)->elapsed_ns, CALLGAUGE_UNKNOWN);
    callgauge_report_free(report);
}

static void contents_of_buffers_are_not_kept(void **state)
{
    (void)state;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_report *report;
    const char *text = "1700000000.000000 getpid() = 7\n\n1700000000.000001 read(3, \"secret\", 512) =\n";
    assert_int_equal(analyse(text, 100, NULL, &report, &error), CALLGAUGE_OK);
    const callgauge_capture_row *row = callgauge_report_capture(report, 0);
    assert_int_equal(row->blank_lines, 1);
    assert_int_equal(row->capture.unread_count, 1);
    const char shown[] = "1700000000.000001 read(3, \"\xe2\x80\xa6\", 512) =";
    assert_int_equal(row->capture.unread[0].text.len, sizeof shown - 1);
    assert_memory_equal(row->capture.unread[0].text.ptr, shown, sizeof shown - 1);
    callgauge_report_free(report);
}

static void lone_unreturned_call_is_enough(void **state)
{
    (void)state;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_report *report;
    const char *text = "strace: Process 42 attached\npause(strace: Process 42 detached\n <detached ...>\n";
    assert_int_equal(analyse(text, 100, NULL, &report, &error), CALLGAUGE_OK);
    assert_int_equal(callgauge_report_totals(report)->calls, 0);
    assert_int_equal(callgauge_report_totals(report)->unreturned, 1);
    callgauge_report_free(report);
}

static struct refused_row {
    const char *name, *text;
    callgauge_analysis_options options;
    callgauge_status status;
} refused_rows[] = {
    { "empty", "", { .size = sizeof(callgauge_analysis_options) }, CALLGAUGE_E_FORMAT },
    { "only an exit", "+++ exited with 0 +++\n", { .size = sizeof(callgauge_analysis_options) }, CALLGAUGE_E_FORMAT },
    { "prose", "Dear Sir,\nthis is no trace.\n", { .size = sizeof(callgauge_analysis_options) }, CALLGAUGE_E_FORMAT },
    { "options without a size", plain, { .size = 0 }, CALLGAUGE_E_USAGE },
    { "unknown dialect",
      plain,
      { .size = sizeof(callgauge_analysis_options), .reader = { .dialect = "dtrace" } },
      CALLGAUGE_E_USAGE },
};

static void check_refused(void **state)
{
    const struct refused_row *row = *state;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_report *report = NULL;
    assert_int_equal(analyse(row->text, 1000, &row->options, &report, &error), row->status);
    assert_null(report);
    assert_int_equal(error.status, row->status);
    assert_true(error.message[0] != '\0');
    if (row->status == CALLGAUGE_E_FORMAT) {
        assert_string_equal(error.source, "t.strace");
    }
}

static void newer_options_are_refused(void **state)
{
    (void)state;
    struct {
        callgauge_analysis_options known;
        uint64_t later;
    } newer = { .known = { .size = sizeof newer }, .later = 0 };
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_analysis *analysis;
    assert_int_equal(callgauge_analysis_new("t", &newer.known, &analysis, &error), CALLGAUGE_OK);
    callgauge_analysis_free(analysis);
    newer.later = 1;
    assert_int_equal(callgauge_analysis_new("t", &newer.known, &analysis, &error), CALLGAUGE_E_USAGE);
}

static void finished_analysis_takes_no_more(void **state)
{
    (void)state;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_analysis *analysis;
    callgauge_report *report;
    assert_int_equal(callgauge_analysis_new("t", NULL, &analysis, &error), CALLGAUGE_OK);
    assert_int_equal(callgauge_analysis_feed(analysis, plain, sizeof plain - 1, &error), CALLGAUGE_OK);
    assert_int_equal(callgauge_analysis_finish(analysis, &report, &error), CALLGAUGE_OK);
    assert_int_equal(callgauge_analysis_feed(analysis, plain, sizeof plain - 1, &error), CALLGAUGE_E_USAGE);
    callgauge_report *second;
    assert_int_equal(callgauge_analysis_finish(analysis, &second, &error), CALLGAUGE_E_USAGE);
    callgauge_analysis_free(analysis);
    assert_int_equal(callgauge_report_totals(report)->calls, 5); /* it outlives the analysis */
    callgauge_report_free(report);
}

enum { PIECES = sizeof piece_rows / sizeof *piece_rows, REFUSED = sizeof refused_rows / sizeof *refused_rows };

int main(void)
{
    struct CMUnitTest tests[PIECES + REFUSED + 6];
    size_t count = 0;
    for (size_t i = 0; i < PIECES; i++) {
        tests[count++] = (struct CMUnitTest){ .name = piece_rows[i].name,
                                              .test_func = check_pieces,
                                              .initial_state = &piece_rows[i] };
    }
    for (size_t i = 0; i < REFUSED; i++) {
        tests[count++] = (struct CMUnitTest){ .name = refused_rows[i].name,
                                              .test_func = check_refused,
                                              .initial_state = &refused_rows[i] };
    }
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(elapsed_comes_from_stamps);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(one_stamp_is_no_time);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(contents_of_buffers_are_not_kept);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(lone_unreturned_call_is_enough);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(newer_options_are_refused);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(finished_analysis_takes_no_more);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Analyses in which the n-th allocation and all later ones fail, for every n: a status, no leak, no crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <callgauge/callgauge.h>

#include "failing_mem.h"

static const char traced[] = "[pid 11] 10:00:01.000001 openat(AT_FDCWD, \"/etc/passwd\", O_RDONLY) = 3 <0.000010>\n"
                             "[pid 12] 10:00:01.000002 read(0,  <unfinished ...>\n"
                             "[pid 11] 10:00:01.000003 close(7) = -1 EBADF (Bad file descriptor) <0.000004>\n"
                             "[pid 12] 10:00:01.000004 <... read resumed>\"ab\", 10) = 2 <0.000040>\n"
                             "[pid 12] 10:00:01.000005 what(is this = \n"
                             "[pid 12] 10:00:01.000006 --- SIGCHLD {si_signo=SIGCHLD} ---\r\n"
                             "[pid 12] 10:00:01.000007 +++ exited with 0 +++\n";

static const char counted[] = "% time     seconds  usecs/call     calls    errors syscall\n"
                              "------ ----------- ----------- --------- --------- ----------------\n"
                              " 60.00    0.000600          60        10         2 openat\n"
                              " 40.00    0.000400          40        10           read\n"
                              "------ ----------- ----------- --------- --------- ----------------\n"
                              "100.00    0.001000          50        20         2 total\n";

static callgauge_status feed(const char *text, size_t len, callgauge_report **out, callgauge_error *err)
{
    const callgauge_analysis_options options = { .size = sizeof options, .per_process = true, .traced = "read" };
    callgauge_analysis *analysis;
    callgauge_status status = callgauge_analysis_new("t", &options, &analysis, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    status = callgauge_analysis_feed(analysis, text, len, err);
    if (status == CALLGAUGE_OK) {
        status = callgauge_analysis_finish(analysis, out, err);
    }
    callgauge_analysis_free(analysis);
    return status;
}

static char folder[] = "/tmp/callgauge-test-XXXXXX";
static const char *const names[] = { "ff.101", "ff.102", "table" };
enum { FILES = sizeof names / sizeof *names };
static char paths[FILES][64];

static int make_files(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    for (size_t i = 0; i < FILES; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%s", folder, names[i]);
        FILE *file = fopen(paths[i], "w");
        if (file == NULL || fputs(i + 1 == FILES ? counted : traced, file) == EOF || fclose(file) != 0) {
            return -1;
        }
    }
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < FILES; i++) {
        unlink(paths[i]);
    }
    return rmdir(folder);
}

static callgauge_status analyse_trace(callgauge_report **out, callgauge_error *err)
{
    return feed(traced, sizeof traced - 1, out, err);
}

static callgauge_status analyse_table(callgauge_report **out, callgauge_error *err)
{
    return feed(counted, sizeof counted - 1, out, err);
}

static callgauge_status analyse_files(callgauge_report **out, callgauge_error *err)
{
    const char *const list[FILES] = { paths[0], paths[1], paths[2] };
    const callgauge_analysis_options options = {
        .size = sizeof options, .per_process = true, .jobs = 1, .traced = "!%open"
    };
    return callgauge_analyze_files(list, FILES, &options, out, err);
}

static struct row {
    const char *name;
    callgauge_status (*analyse)(callgauge_report **out, callgauge_error *err);
} rows[] = {
    { "a trace", analyse_trace },
    { "a table", analyse_table },
    { "a set and a table", analyse_files },
};

static void check_every_allocation(void **state)
{
    const struct row *row = *state;
    size_t live = failing_mem_live();
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        callgauge_error error = CALLGAUGE_ERROR_INIT;
        callgauge_report *report = NULL;
        failing_mem_after(n);
        callgauge_status status = row->analyse(&report, &error);
        failed = failing_mem_failed();
        failing_mem_after(0);
        assert_int_equal(status, failed ? CALLGAUGE_E_NOMEM : CALLGAUGE_OK);
        assert_true(failed == (report == NULL));
        callgauge_report_free(report);
        assert_int_equal(failing_mem_live(), live);
    }
}

enum { ROWS = sizeof rows / sizeof *rows };

int main(void)
{
    struct CMUnitTest tests[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] =
            (struct CMUnitTest){ .name = rows[i].name, .test_func = check_every_allocation, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests(tests, make_files, remove_files);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Many files: which of them are one capture, that the result does not depend on jobs, and which failure wins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <callgauge/callgauge.h>

#include "analysis/plan.h"

/* --- the plan */

enum { MOST_PATHS = 5 };

static struct plan_row {
    const char *name;
    const char *paths[MOST_PATHS];
    const char *order; /* positions of the paths in the order of work; '|' between captures */
    int64_t first_pid;
} plan_rows[] = {
    { "plain files keep their order", { "b", "a" }, "0|1", 0 },
    { "a set, by pid", { "log.102", "log.7", "log.101" }, "120", 7 },
    { "a set stands where its first file stands", { "x", "log.2", "y", "log.1" }, "0|31|2", 0 },
    { "a single number is just a name", { "log.101", "other.102" }, "0|1", 0 },
    { "the name before the number alone is no member", { "log", "log.1", "log.2" }, "0|12", 0 },
    { "a date is no pid", { "t.20240101", "t.20240102" }, "0|1", 0 },
    { "nor is a number with a zero in front", { "t.01", "t.02" }, "0|1", 0 },
    { "other folders are other sets", { "a/l.1", "b/l.1", "a/l.2", "b/l.2" }, "02|13", 1 },
    { "hidden files have no stem", { "d/.1", "d/.2" }, "0|1", 0 },
};

static void check_plan(void **state)
{
    const struct plan_row *row = *state;
    size_t count = 0;
    while (count < MOST_PATHS && row->paths[count] != NULL) {
        count++;
    }
    cg_plan plan;
    assert_int_equal(cg_plan_init(&plan, row->paths, count, NULL), CALLGAUGE_OK);
    char order[2 * MOST_PATHS + 1] = "";
    size_t length = 0;
    for (size_t i = 0; i < plan.file_count; i++) {
        if (i > 0 && plan.files[i].capture != plan.files[i - 1].capture) {
            order[length++] = '|';
        }
        order[length++] = (char)('0' + plan.files[i].at);
    }
    assert_string_equal(order, row->order);
    assert_int_equal(plan.files[0].pid, row->first_pid);
    cg_plan_release(&plan);
}

static struct refused_row {
    const char *name;
    const char *paths[3];
    size_t count;
    const char *source, *message;
} refused_rows[] = {
    { "no path", { NULL }, 0, "", "no file to analyse" },
    { "the same path twice", { "b", "a", "b" }, 3, "b", "named twice" },
    { "standard input twice", { "-", "-" }, 2, "-", "named twice" },
};

static void check_refused(void **state)
{
    const struct refused_row *row = *state;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_report *report = NULL;
    assert_int_equal(callgauge_analyze_files(row->paths, row->count, NULL, &report, &error), CALLGAUGE_E_USAGE);
    assert_null(report);
    assert_string_equal(error.source, row->source);
    assert_string_equal(error.message, row->message);
}

/* --- files */

static const struct {
    const char *name, *text;
} made[] = {
    { "a.strace", "close(3) = 0 <0.000010>\nopenat(AT_FDCWD, \"a\", O_RDONLY) = 3 <0.000020>\n" },
    { "b.strace", "close(4) = -1 EBADF (Bad file descriptor) <0.000003>\n" },
    { "ff.101", "10:00:01 read(0, \"\", 10) = 0\n10:00:02 exit_group(0) = ?\n" },
    { "ff.102", "10:00:05 read(0, \"ab\", 10) = 2\n10:00:09 write(1, \"ab\", 2) = 2\n10:00:09 close(" },
    { "ff.103", "" },
    { "idle.1", "+++ exited with 0 +++\n" },
    { "idle.2", "+++ exited with 0 +++\n" },
    { "prose", "nothing that a tracer writes\n" },
};

enum { MADE = sizeof made / sizeof *made };

static char folder[] = "/tmp/callgauge-test-XXXXXX";

static const char *path_of(size_t i, char *to, size_t room)
{
    snprintf(to, room, "%s/%s", folder, made[i].name);
    return to;
}

static bool make_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    return file != NULL && fputs(text, file) != EOF && fclose(file) == 0;
}

static int make_files(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    for (size_t i = 0; i < MADE; i++) {
        char path[128];
        if (!make_file(path_of(i, path, sizeof path), made[i].text)) {
            return -1;
        }
    }
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < MADE; i++) {
        char path[128];
        unlink(path_of(i, path, sizeof path));
    }
    return rmdir(folder);
}

/* `names` are files of the folder, parted by blanks; one that was not made is missing. */
static callgauge_status analyse(const char *names, unsigned jobs, callgauge_report **out, callgauge_error *err)
{
    char paths[8][128];
    const char *list[8];
    size_t count = 0;
    while (*names != '\0') {
        size_t length = strcspn(names, " ");
        snprintf(paths[count], sizeof paths[count], "%s/%.*s", folder, (int)length, names);
        list[count] = paths[count];
        count++;
        names += length + (names[length] == ' ');
    }
    const callgauge_analysis_options options = { .size = sizeof options, .jobs = jobs, .per_process = true };
    return callgauge_analyze_files(list, count, &options, out, err);
}

static struct sum_row {
    const char *name, *files;
    uint64_t calls, errors, unreturned;
    size_t captures;
} sum_rows[] = {
    { "one file", "a.strace", 2, 0, 0, 1 },
    { "two files", "b.strace a.strace", 3, 1, 0, 2 },
    { "a set", "ff.101 ff.102", 3, 0, 1, 1 },
    { "a set with an empty file", "ff.101 ff.103 ff.102", 3, 0, 1, 1 },
    { "a set and a file", "ff.102 a.strace ff.101", 5, 0, 1, 2 },
};

static const unsigned some_jobs[] = { 0, 1, 2, 7 };
enum { JOBS = sizeof some_jobs / sizeof *some_jobs };

static void check_sum(void **state)
{
    const struct sum_row *row = *state;
    for (size_t i = 0; i < JOBS; i++) {
        callgauge_error error = CALLGAUGE_ERROR_INIT;
        callgauge_report *report;
        assert_int_equal(analyse(row->files, some_jobs[i], &report, &error), CALLGAUGE_OK);
        assert_int_equal(callgauge_report_totals(report)->calls, row->calls);
        assert_int_equal(callgauge_report_totals(report)->errors, row->errors);
        assert_int_equal(callgauge_report_totals(report)->unreturned, row->unreturned);
        assert_int_equal(callgauge_report_capture_count(report), row->captures);
        callgauge_report_free(report);
    }
}

static void a_set_is_one_capture(void **state)
{
    (void)state;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_report *report;
    assert_int_equal(analyse("ff.102 ff.103 ff.101", 2, &report, &error), CALLGAUGE_OK);
    const callgauge_capture *capture = &callgauge_report_capture(report, 0)->capture;
    char name[128];
    snprintf(name, sizeof name, "%s/ff.*", folder);
    assert_string_equal(capture->name, name);
    assert_int_equal(capture->lines, 5);
    assert_int_equal(capture->lines, capture->event_lines + capture->continuation_lines + capture->table_lines +
                                         capture->notice_lines + capture->foreign_lines + capture->unread_lines);
    assert_int_equal(capture->unread_lines, 1);
    assert_int_equal(capture->unread_count, 1);
    assert_int_equal(capture->unread[0].line, 3);
    assert_non_null(strstr(capture->unread[0].reason, "/ff.102: "));
    assert_int_equal(callgauge_report_totals(report)->elapsed_ns, INT64_C(8000000000));
    assert_int_equal(callgauge_report_process_count(report), 2);
    assert_int_equal(callgauge_report_process(report, 0)->pid, 101);
    assert_int_equal(callgauge_report_process(report, 1)->pid, 102);
    assert_int_equal(capture->assumed_count, 1);
    assert_string_equal(capture->assumed[0].what, "pid of lines without one");
    callgauge_report_free(report);
}

/* The reason of an unread line says the whole path. */
static void a_set_with_a_long_name(void **state)
{
    char outer[300], inner[600], first[640], second[640];
    (void)state;
    snprintf(outer, sizeof outer, "%s/%0240d", folder, 1);
    snprintf(inner, sizeof inner, "%s/%0240d", outer, 2);
    snprintf(first, sizeof first, "%s/ff.101", inner);
    snprintf(second, sizeof second, "%s/ff.102", inner);
    assert_int_equal(mkdir(outer, 0700), 0);
    assert_int_equal(mkdir(inner, 0700), 0);
    assert_true(make_file(first, "10:00:01 close(3) = 0\n10:00:02 close(") &&
                make_file(second, "10:00:03 close(4) = 0\n"));
    const char *const paths[] = { first, second };
    callgauge_report *report = NULL;
    assert_int_equal(callgauge_analyze_files(paths, 2, NULL, &report, NULL), CALLGAUGE_OK);
    const callgauge_capture *capture = &callgauge_report_capture(report, 0)->capture;
    assert_int_equal(capture->unread_count, 1);
    assert_memory_equal(capture->unread[0].reason, first, strlen(first));
    callgauge_report_free(report);
    assert_int_equal(unlink(first) | unlink(second) | rmdir(inner) | rmdir(outer), 0);
}

static struct failure_row {
    const char *name, *files;
    const char *at; /* the file that is named */
    callgauge_status status;
} failure_rows[] = {
    { "missing", "missing", "missing", CALLGAUGE_E_IO },
    { "the first of several wins", "a.strace prose missing", "prose", CALLGAUGE_E_FORMAT },
    { "also when it ends later", "missing b.strace prose", "missing", CALLGAUGE_E_IO },
    { "no call in a file", "idle.1", "idle.1", CALLGAUGE_E_FORMAT },
    { "no call in a set", "a.strace idle.1 idle.2", "idle.*", CALLGAUGE_E_FORMAT },
    { "a bad file of a set", "ff.101 ff.9999", "ff.9999", CALLGAUGE_E_IO },
    { "a folder", "", "", CALLGAUGE_E_IO },
};

static void check_failure(void **state)
{
    const struct failure_row *row = *state;
    for (size_t i = 0; i < JOBS; i++) {
        callgauge_error error = CALLGAUGE_ERROR_INIT;
        callgauge_report *report = NULL;
        callgauge_status status = row->files[0] != '\0' ? analyse(row->files, some_jobs[i], &report, &error)
                                                        : analyse(".", some_jobs[i], &report, &error);
        assert_int_equal(status, row->status);
        assert_null(report);
        size_t length = strlen(error.source);
        assert_true(length >= strlen(row->at));
        assert_string_equal(error.source + length - strlen(row->at), row->at);
    }
}

static void count_progress(void *ctx, uint64_t done, uint64_t total)
{
    uint64_t *seen = ctx;
    assert_true(done >= seen[0] && done <= total);
    seen[0] = done;
    seen[1] = total;
}

static void progress_ends_at_the_total(void **state)
{
    (void)state;
    char room[4][128];
    const char *paths[] = { path_of(0, room[0], sizeof room[0]), path_of(2, room[1], sizeof room[1]),
                            path_of(3, room[2], sizeof room[2]), path_of(4, room[3], sizeof room[3]) };
    uint64_t seen[2] = { 0, 0 };
    const callgauge_analysis_options options = {
        .size = sizeof options, .jobs = 2, .on_progress = count_progress, .progress_ctx = seen
    };
    callgauge_report *report;
    assert_int_equal(callgauge_analyze_files(paths, 4, &options, &report, NULL), CALLGAUGE_OK);
    assert_int_equal(seen[0], strlen(made[0].text) + strlen(made[2].text) + strlen(made[3].text));
    assert_int_equal(seen[1], seen[0]);
    callgauge_report_free(report);
}

#define ROWS(rows) (sizeof(rows) / sizeof *(rows))

int main(void)
{
    struct CMUnitTest tests[ROWS(plan_rows) + ROWS(refused_rows) + ROWS(sum_rows) + ROWS(failure_rows) + 3];
    size_t count = 0;
    for (size_t i = 0; i < ROWS(plan_rows); i++) {
        tests[count++] =
            (struct CMUnitTest){ .name = plan_rows[i].name, .test_func = check_plan, .initial_state = &plan_rows[i] };
    }
    for (size_t i = 0; i < ROWS(refused_rows); i++) {
        tests[count++] = (struct CMUnitTest){ .name = refused_rows[i].name,
                                              .test_func = check_refused,
                                              .initial_state = &refused_rows[i] };
    }
    for (size_t i = 0; i < ROWS(sum_rows); i++) {
        tests[count++] =
            (struct CMUnitTest){ .name = sum_rows[i].name, .test_func = check_sum, .initial_state = &sum_rows[i] };
    }
    for (size_t i = 0; i < ROWS(failure_rows); i++) {
        tests[count++] = (struct CMUnitTest){ .name = failure_rows[i].name,
                                              .test_func = check_failure,
                                              .initial_state = &failure_rows[i] };
    }
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(a_set_is_one_capture);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(a_set_with_a_long_name);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(progress_ends_at_the_total);
    return cmocka_run_group_tests(tests, make_files, remove_files);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* predicate: rows of a report, every field of every subject. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "judging.h"

#define TEXT(text) \
    { \
        text, sizeof text - 1 \
    }
#define NONE CALLGAUGE_UNKNOWN

static const callgauge_call_row open64 = { .name = TEXT("open64"),
                                           .call_class = CALLGAUGE_CLASS_OPEN,
                                           .calls = 500,
                                           .errors = 400,
                                           .unreturned = 2,
                                           .cpu_ns = 7000000,
                                           .wall_ns = NONE,
                                           .min_ns = 1000,
                                           .max_ns = 80000000,
                                           .p50_ns = 5000,
                                           .p90_ns = 6000,
                                           .p99_ns = 70000,
                                           .bytes_read = NONE,
                                           .bytes_written = 4096 };

static const callgauge_name_row failed_opens[] = { { TEXT("EACCES"), 2 }, { TEXT("ENOENT"), 3 } };

static const callgauge_file_row log_file = { .path = TEXT("/var/log/app"),
                                             .kind = CALLGAUGE_FILE_FILE,
                                             .peer_port = -1,
                                             .local_port = -1,
                                             .pid = NONE,
                                             .fd = NONE,
                                             .renamed_to = TEXT("/var/log/app.1"),
                                             .calls = 3000,
                                             .errors = 5,
                                             .opens = 1,
                                             .failed_opens_by_error = failed_opens,
                                             .failed_open_count = 2,
                                             .reads = 2001,
                                             .eof_reads = 1,
                                             .writes = 0,
                                             .bytes_read = 1024000,
                                             .bytes_written = 0,
                                             .min_read = 100,
                                             .max_read = 512,
                                             .min_write = NONE,
                                             .max_write = NONE,
                                             .reread_bytes = 512000,
                                             .transfers = 2000,
                                             .jumps = 10,
                                             .maps = 1,
                                             .cpu_ns = NONE,
                                             .wall_ns = 5000000,
                                             .waiting_ns = 0,
                                             .process_count = 2,
                                             .reader_count = 1,
                                             .writer_count = 0 };

static const callgauge_file_row dns_socket = { .kind = CALLGAUGE_FILE_SOCKET,
                                               .peer = TEXT("127.0.0.53"),
                                               .local = TEXT("127.0.0.1"),
                                               .peer_port = 53,
                                               .local_port = 4000 };
static const callgauge_file_row old_file = { .opened_before = true, .pid = 7, .fd = 3, .peer_port = -1 };

static const callgauge_descriptor_row left_open = {
    .pid = 7, .fd = 5, .kind = CALLGAUGE_FILE_FILE, .path = TEXT("/tmp/x"), .peer_port = -1
};
static const callgauge_descriptor_row closed_socket = { .pid = NONE,
                                                        .fd = 6,
                                                        .kind = CALLGAUGE_FILE_SOCKET,
                                                        .peer = TEXT("10.0.0.2"),
                                                        .peer_port = 80,
                                                        .local = TEXT("10.0.0.1"),
                                                        .opened_before = true,
                                                        .closed = true };

static const callgauge_process_row server = { .pid = 7,
                                              .calls = 10,
                                              .errors = 1,
                                              .unreturned = 1,
                                              .cpu_ns = 5,
                                              .wall_ns = 6,
                                              .start_ns = 1000000000,
                                              .end_ns = 3000000000,
                                              .life = 2,
                                              .parent = 1,
                                              .program = TEXT("/usr/sbin/httpd"),
                                              .born = true,
                                              .exit_code = NONE,
                                              .exit_signal = TEXT("SIGKILL"),
                                              .ended = true,
                                              .open_at_start = 3,
                                              .open_at_end = 203,
                                              .open_peak = 210,
                                              .emfile = 1,
                                              .thread_count = 4 };

static const callgauge_program_row expr = { .program = TEXT("/usr/bin/expr"),
                                            .starts = 200,
                                            .lives = 200,
                                            .life_ns = 400000000,
                                            .calls = 9000,
                                            .errors = 300,
                                            .cpu_ns = NONE,
                                            .wall_ns = 7,
                                            .started_by_count = 1 };

static const callgauge_waiting_row poll_dns = { .call = TEXT("poll"),
                                                .kind = CALLGAUGE_FILE_SOCKET,
                                                .peer = TEXT("127.0.0.53"),
                                                .peer_port = 53,
                                                .fd = NONE,
                                                .count = 6,
                                                .wall_ns = 6000000000,
                                                .max_ns = 1000000000 };
static const callgauge_waiting_row poll_several = {
    .call = TEXT("poll"), .peer_port = -1, .fd = NONE, .count = 1, .wall_ns = 5, .max_ns = 5
};
static const callgauge_waiting_row wait_child = { .call = TEXT("wait4"),
                                                  .child = TEXT("/bin/true"),
                                                  .peer_port = -1,
                                                  .fd = NONE,
                                                  .count = 1,
                                                  .wall_ns = 5,
                                                  .max_ns = 5 };

struct row {
    const char *text;
    cg_subject of;
    const void *row;
    char truth;
};

static struct row rows[] = {
    { "errors >= 100 and errors * 2 >= calls", CG_OF_CALLS, &open64, 'Y' },
    { "errors >= 80% * calls", CG_OF_CALLS, &open64, 'Y' },
    { "errors > 80% * calls", CG_OF_CALLS, &open64, 'N' },
    { "max > 100 * p50 and max > 50ms", CG_OF_CALLS, &open64, 'Y' },
    { "call == open64 and class == open", CG_OF_CALLS, &open64, 'Y' },
    { "call startswith 'open' and call matches '64$'", CG_OF_CALLS, &open64, 'Y' },
    { "class in (read, write)", CG_OF_CALLS, &open64, 'N' },
    { "cpu == 7ms and unreturned == 2", CG_OF_CALLS, &open64, 'Y' },
    { "min == 1us and p90 == 6us and p99 == 70us", CG_OF_CALLS, &open64, 'Y' },
    { "wall > 0", CG_OF_CALLS, &open64, 'U' },
    { "bytes_read > 0", CG_OF_CALLS, &open64, 'U' },
    { "bytes_written == 4KiB", CG_OF_CALLS, &open64, 'Y' },

    { "reads > 1000 and mean_read <= 1024", CG_OF_FILES, &log_file, 'Y' },
    { "mean_read == 512", CG_OF_FILES, &log_file, 'Y' },
    { "absent(mean_write) and absent(min_write) and absent(max_write)", CG_OF_FILES, &log_file, 'Y' },
    { "mean_write < 512", CG_OF_FILES, &log_file, 'N' },
    { "min_read == 100 and max_read == 512B", CG_OF_FILES, &log_file, 'Y' },
    { "eof_reads == 1 and empty_writes == 0 and writes == 0", CG_OF_FILES, &log_file, 'Y' },
    { "bytes_read >= 1000KiB and bytes_written == 0", CG_OF_FILES, &log_file, 'Y' },
    { "reread_bytes * 2 == bytes_read", CG_OF_FILES, &log_file, 'Y' },
    { "order == mixed and transfers == 2000 and jumps == 10", CG_OF_FILES, &log_file, 'Y' },
    { "absent(order)", CG_OF_FILES, &dns_socket, 'Y' },
    { "path matches '^/var/' and kind == file", CG_OF_FILES, &log_file, 'Y' },
    { "renamed_to endswith '.1' and maps == 1 and opens == 1", CG_OF_FILES, &log_file, 'Y' },
    { "absent(renamed_to)", CG_OF_FILES, &dns_socket, 'Y' },
    { "failed_opens == 5 and errors == 5 and calls == 3000", CG_OF_FILES, &log_file, 'Y' },
    { "processes == 2 and readers == 1 and writers == 0", CG_OF_FILES, &log_file, 'Y' },
    { "wall == 5ms and waiting == 0", CG_OF_FILES, &log_file, 'Y' },
    { "cpu > 0", CG_OF_FILES, &log_file, 'U' },
    { "peer == '127.0.0.53' and port == 53 and local == '127.0.0.1'", CG_OF_FILES, &dns_socket, 'Y' },
    { "absent(path)", CG_OF_FILES, &dns_socket, 'Y' },
    { "absent(peer) and absent(port) and absent(local)", CG_OF_FILES, &log_file, 'Y' },
    { "opened_before", CG_OF_FILES, &old_file, 'Y' },
    { "path == 'x'", CG_OF_FILES, &old_file, 'U' },
    { "kind == file", CG_OF_FILES, &old_file, 'U' },
    { "port == 53", CG_OF_FILES, &old_file, 'U' },

    { "not closed and not opened_before and fd == 5 and pid == 7", CG_OF_DESCRIPTORS, &left_open, 'Y' },
    { "path == '/tmp/x' and kind == file", CG_OF_DESCRIPTORS, &left_open, 'Y' },
    { "closed and opened_before", CG_OF_DESCRIPTORS, &closed_socket, 'Y' },
    { "peer == '10.0.0.2' and port == 80 and local == '10.0.0.1'", CG_OF_DESCRIPTORS, &closed_socket, 'Y' },
    { "pid == 7", CG_OF_DESCRIPTORS, &closed_socket, 'U' },

    { "open_at_end - open_at_start >= 100 and open_at_end > 0.9 * open_peak or emfile > 0", CG_OF_PROCESSES, &server,
      'Y' },
    { "open_at_end > 0.97 * open_peak", CG_OF_PROCESSES, &server, 'N' },
    { "pid == 7 and life == 2 and parent == 1 and threads == 4", CG_OF_PROCESSES, &server, 'Y' },
    { "program endswith 'httpd' and program matches 'd$'", CG_OF_PROCESSES, &server, 'Y' },
    { "born and ended and exit_signal == SIGKILL", CG_OF_PROCESSES, &server, 'Y' },
    { "exit_code == 0", CG_OF_PROCESSES, &server, 'U' },
    { "end - start == 2s", CG_OF_PROCESSES, &server, 'Y' },
    { "calls == 10 and errors == 1 and unreturned == 1 and cpu == 5ns and wall == 6ns", CG_OF_PROCESSES, &server, 'Y' },

    { "starts >= 50 and program == '/usr/bin/expr'", CG_OF_PROGRAMS, &expr, 'Y' },
    { "mean_life == 2ms and life == 400ms and lives == 200", CG_OF_PROGRAMS, &expr, 'Y' },
    { "calls == 9000 and errors == 300 and started_by == 1 and wall == 7ns", CG_OF_PROGRAMS, &expr, 'Y' },
    { "cpu > 0", CG_OF_PROGRAMS, &expr, 'U' },

    { "call == poll and kind == socket and peer == '127.0.0.53' and port == 53", CG_OF_WAITING, &poll_dns, 'Y' },
    { "count == 6 and wall == 6s and max == 1s", CG_OF_WAITING, &poll_dns, 'Y' },
    { "absent(fd) and absent(path) and absent(child)", CG_OF_WAITING, &poll_dns, 'Y' },
    { "child == '/bin/true'", CG_OF_WAITING, &wait_child, 'Y' },
    { "kind == socket", CG_OF_WAITING, &wait_child, 'N' },
    { "absent(kind) and absent(peer) and absent(port)", CG_OF_WAITING, &wait_child, 'Y' },
    { "kind == socket", CG_OF_WAITING, &poll_several, 'U' },
    { "port > 0", CG_OF_WAITING, &poll_several, 'U' },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    skip_without_regex(row->text);
    cg_predicate *predicate = compiled(row->text, row->of, NULL);
    cg_judge *judge = cg_judge_new(NULL);
    uint32_t id;
    assert_true(cg_judge_add(judge, predicate, &id));
    assert_int_equal(truth_letter(cg_judge_row(judge, id, row->row)), row->truth);
    assert_int_equal(truth_letter(cg_judge_row(judge, id, row->row)), row->truth);
    cg_judge_free(judge);
    cg_predicate_free(predicate);
}

static void check_value(void **state)
{
    (void)state;
    cg_predicate *predicate = compiled_value("calls - errors", CG_OF_CALLS, NULL);
    cg_judge *judge = cg_judge_new(NULL);
    uint32_t id;
    cg_value value;
    assert_int_equal(cg_predicate_about(predicate)->type, CG_TYPE_NUMBER);
    assert_true(cg_judge_add(judge, predicate, &id));
    cg_judge_row_value(judge, id, &open64, &value);
    assert_int_equal(value.known, CG_KNOWN);
    assert_int_equal(value.number, 100);
    cg_judge_free(judge);
    cg_predicate_free(predicate);
}

static void check_subjects(void **state)
{
    (void)state;
    cg_subject of = CG_OF_EVENTS;
    assert_true(cg_subject_find(cg_str_z("programs"), &of));
    assert_int_equal(of, CG_OF_PROGRAMS);
    assert_string_equal(cg_subject_text(CG_OF_CALLS), "calls");
    assert_false(cg_subject_find(cg_str_z("events"), &of));
    assert_null(cg_subject_text(CG_OF_EVENTS));
}

/* What a table tells needs no trait; files are seen in traces only. */
static void check_traits(void **state)
{
    (void)state;
    cg_predicate *calls = compiled("errors * 2 >= calls", CG_OF_CALLS, NULL);
    cg_predicate *files = compiled("waiting > 1s", CG_OF_FILES, NULL);
    assert_int_equal(cg_predicate_about(calls)->traits, 0);
    assert_int_equal(cg_predicate_about(files)->traits, CALLGAUGE_TRAIT_ARGUMENTS | CALLGAUGE_TRAIT_WALL_DURATIONS);
    cg_predicate_free(calls);
    cg_predicate_free(files);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + 3] = {
        [ROWS] = cmocka_unit_test(check_value),
        [ROWS + 1] = cmocka_unit_test(check_subjects),
        [ROWS + 2] = cmocka_unit_test(check_traits),
    };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].text, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("predicate_rows", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* stage/files: what is counted of files and descriptors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "annotating.h"
#include "stage/files.h"

static cg_stage new_files(cg_open_fds open_fds)
{
    cg_stage stage;
    const cg_files_options options = { .limits = stage_limits(), .open_fds = open_fds };
    assert_int_equal(cg_files_new(&options, &stage, NULL), CALLGAUGE_OK);
    return stage;
}

static const callgauge_file_row *row_of(const callgauge_report *report, const char *path)
{
    for (size_t i = 0; i < report->file_count; i++) {
        if (cg_str_is(report->files[i].path, path)) {
            return &report->files[i];
        }
    }
    fail_msg("no row of %s", path);
    return NULL;
}

static cg_use use_at(const cg_file *file, int64_t fd, uint64_t open, int64_t offset, bool follows)
{
    return (cg_use){ .fd = fd, .file = file, .open = open, .offset = offset, .follows = follows };
}

static void check_one_file(void **state)
{
    (void)state;
    cg_stage stage = new_files((cg_open_fds){ 0 });
    cg_process process = a_process(0, 41);
    cg_file file = a_file(7, "/data/web/001");
    give(&stage, 1, at(call("openat", "AT_FDCWD, \"/data/web/001\", O_RDONLY", 3), 0, 100),
         by_path(&process, &file, &file));
    for (int64_t i = 0; i < 3; i++) {
        give(&stage, 2 + (uint64_t)i, at(call("read", "3, \"\"..., 8192", 8192), 0, 10),
             by_fd(&process, use_at(&file, 3, 1, i * 8192, true)));
    }
    give(&stage, 5, at(call("read", "3, \"\"..., 8192", 100), 0, 10),
         by_fd(&process, use_at(&file, 3, 1, 24576, true)));
    give(&stage, 6, at(call("read", "3, \"\", 8192", 0), 0, 10), by_fd(&process, use_at(&file, 3, 1, 24676, true)));
    give(&stage, 7, failed(call("read", "3, 0x1, 8192", 0), 1), by_fd(&process, use_at(&file, 3, 1, 24676, true)));
    give(&stage, 8, call("mmap", "NULL, 8192, PROT_READ, MAP_PRIVATE, 3, 0", 4096), by_fd(&process, use_of(&file, 3)));
    give(&stage, 9, call("close", "3", 0), by_fd(&process, use_of(&file, 3)));
    callgauge_event child = call("read", "3", 1), cut = child;
    child.flags = CALLGAUGE_CALL_CHILD;
    cut.flags = CALLGAUGE_CALL_UNRETURNED;
    give(&stage, 10, child, by_fd(&process, use_of(&file, 3)));
    give(&stage, 11, cut, by_fd(&process, use_of(&file, 3)));
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(report->file_count, 1);
    const callgauge_file_row *row = &report->files[0];
    assert_int_equal(row->kind, CALLGAUGE_FILE_FILE);
    assert_int_equal(row->pid, CALLGAUGE_UNKNOWN);
    assert_int_equal(row->calls, 9);
    assert_int_equal(row->errors, 1);
    assert_int_equal(row->opens, 1);
    assert_int_equal(row->failed_open_count, 0);
    assert_int_equal(row->reads, 5);
    assert_int_equal(row->eof_reads, 1);
    assert_int_equal(row->bytes_read, 24676);
    assert_int_equal(row->min_read, 100);
    assert_int_equal(row->max_read, 8192);
    assert_int_equal(row->reread_bytes, 0);
    assert_int_equal(row->transfers, 3);
    assert_int_equal(row->jumps, 0);
    assert_int_equal(row->maps, 1);
    assert_int_equal(row->writes, 0);
    assert_int_equal(row->bytes_written, 0);
    assert_int_equal(row->min_write, CALLGAUGE_UNKNOWN);
    assert_int_equal(row->wall_ns, 150);
    assert_int_equal(row->wall_calls, 6);
    assert_int_equal(row->waiting_ns, 0);
    assert_int_equal(row->cpu_ns, CALLGAUGE_UNKNOWN);
    assert_int_equal(row->first.line, 1);
    assert_int_equal(row->last.line, 9);
    assert_int_equal(row->process_count, 1);
    assert_int_equal(row->processes[0], 41);
    assert_int_equal(row->reader_count, 1);
    assert_int_equal(row->readers[0], 41);
    assert_int_equal(row->writer_count, 0);
    callgauge_report_free(report);
}

/* A copy reads one file and writes the other; a copy inside one file counts once for it. */
static void check_copies(void **state)
{
    (void)state;
    cg_stage stage = new_files((cg_open_fds){ 0 });
    cg_process process = a_process(0, 41);
    cg_file from = a_file(0, "/from"), to = a_file(1, "/to"), both = a_file(2, "/both");
    cg_annotation known = by_fd(&process, use_of(&from, 3));
    known.fd2 = use_of(&to, 4);
    give(&stage, 1, call("sendfile", "4, 3, NULL, 65536", 4096), known);
    give(&stage, 2, call("copy_file_range", "3, NULL, 4, NULL, 65536, 0", 0), known);
    known.fd = use_of(&both, 5);
    known.fd2 = use_of(&both, 6);
    give(&stage, 3, call("splice", "5, NULL, 6, NULL, 10, 0", 10), known);
    give(&stage, 4, call("vmsplice", "5, [{}], 1, 0", 20), by_fd(&process, use_of(&both, 5)));
    give(&stage, 5, call("getdents64", "3, 0x1, 32768", 480), by_fd(&process, use_of(&from, 3)));
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(row_of(report, "/from")->reads, 2);
    assert_int_equal(row_of(report, "/from")->eof_reads, 1);
    assert_int_equal(row_of(report, "/from")->bytes_read, 4096);
    assert_int_equal(row_of(report, "/from")->calls, 3);
    assert_int_equal(row_of(report, "/from")->writer_count, 0);
    assert_int_equal(row_of(report, "/to")->writes, 2);
    assert_int_equal(row_of(report, "/to")->empty_writes, 1);
    assert_int_equal(row_of(report, "/to")->bytes_written, 4096);
    assert_int_equal(row_of(report, "/to")->min_write, 4096);
    assert_int_equal(row_of(report, "/to")->reads, 0);
    assert_int_equal(row_of(report, "/both")->calls, 2);
    assert_int_equal(row_of(report, "/both")->bytes_read, 10);
    assert_int_equal(row_of(report, "/both")->bytes_written, 30);
    callgauge_report_free(report);
}

static void check_failed_opens(void **state)
{
    (void)state;
    cg_stage stage = new_files((cg_open_fds){ 0 });
    cg_process process = a_process(0, CG_UNKNOWN);
    cg_file file = a_file(300, "/.htaccess");
    for (int i = 0; i < 5; i++) {
        give(&stage, 1 + (uint64_t)i, failed(call("open", "\"/.htaccess\", O_RDONLY", 0), i % 3),
             by_path(&process, &file, NULL));
    }
    give(&stage, 6, failed(call("stat", "\"/.htaccess\", 0x1", 0), 0), by_path(&process, &file, NULL));
    callgauge_report *report = finish_stage(&stage, "t");
    const callgauge_file_row *row = row_of(report, "/.htaccess");
    assert_int_equal(row->calls, 6);
    assert_int_equal(row->errors, 6);
    assert_int_equal(row->opens, 0);
    assert_int_equal(row->failed_open_count, 3);
    assert_true(cg_str_is(row->failed_opens_by_error[0].name, "EAGAIN"));
    assert_int_equal(row->failed_opens_by_error[0].count, 2);
    assert_true(cg_str_is(row->failed_opens_by_error[1].name, "EINTR"));
    assert_int_equal(row->failed_opens_by_error[1].count, 1);
    assert_true(cg_str_is(row->failed_opens_by_error[2].name, "ENOENT"));
    assert_int_equal(row->failed_opens_by_error[2].count, 2);
    assert_int_equal(row->process_count, 0);
    assert_int_equal(row->wall_ns, CALLGAUGE_UNKNOWN);
    assert_int_equal(row->waiting_ns, CALLGAUGE_UNKNOWN);
    callgauge_report_free(report);
}

/* --- bytes read again: pieces of (offset, bytes) */

static struct pieces {
    const char *name;
    int64_t at[8][2];
    size_t count;
    int64_t again;
} rereads[] = {
    { "one after the other", { { 0, 10 }, { 10, 10 }, { 20, 5 } }, 3, 0 },
    { "the same twice", { { 0, 10 }, { 0, 10 } }, 2, 10 },
    { "overlap", { { 0, 10 }, { 5, 10 } }, 2, 5 },
    { "backwards, touching", { { 20, 10 }, { 10, 10 }, { 0, 10 }, { 0, 30 } }, 4, 30 },
    { "over a gap", { { 0, 10 }, { 20, 10 }, { 5, 20 }, { 0, 30 } }, 4, 40 },
    { "inside", { { 0, 100 }, { 40, 10 }, { 100, 1 } }, 3, 10 },
    { "to the end of offsets", { { INT64_MAX - 1, 10 }, { INT64_MAX - 1, 10 } }, 2, 1 },
    { "no offset is known", { { CG_UNKNOWN, 10 }, { CG_UNKNOWN, 10 } }, 2, CALLGAUGE_UNKNOWN },
    { "nothing is read", { { 0, 0 }, { 0, 0 } }, 2, 0 },
};

static void check_reread(void **state)
{
    const struct pieces *row = *state;
    cg_stage stage = new_files((cg_open_fds){ 0 });
    cg_file file = a_file(0, "/f");
    for (size_t i = 0; i < row->count; i++) {
        give(&stage, 1, call("pread64", "3", row->at[i][1]), by_fd(NULL, use_at(&file, 3, 1, row->at[i][0], true)));
    }
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(row_of(report, "/f")->reread_bytes, row->again);
    callgauge_report_free(report);
}

/* More ranges than are kept: the smallest are forgotten, and what is counted is never too much. */
static void check_many_ranges(void **state)
{
    (void)state;
    enum { RANGES = 200, STEP = 1000 };
    cg_stage stage = new_files((cg_open_fds){ 0 });
    cg_file file = a_file(0, "/f");
    for (int64_t round = 0; round < 2; round++) {
        for (int64_t i = 0; i < RANGES; i++) {
            give(&stage, 1, call("pread64", "3", i + 1), by_fd(NULL, use_at(&file, 3, 1, i * STEP, false)));
        }
    }
    callgauge_report *report = finish_stage(&stage, "t");
    const callgauge_file_row *row = row_of(report, "/f");
    int64_t all = RANGES * (RANGES + 1) / 2, kept = 0;
    for (int64_t i = RANGES - 64; i < RANGES; i++) {
        kept += i + 1;
    }
    assert_int_equal(row->bytes_read, 2 * all);
    assert_int_equal(row->reread_bytes, kept);
    callgauge_report_free(report);
}

static struct emptied {
    const char *name, *call, *args;
    int64_t again;
} emptieds[] = {
    { "opened to read", "openat", "AT_FDCWD, \"/f\", O_RDONLY", 10 },
    { "emptied", "openat", "AT_FDCWD, \"/f\", O_WRONLY|O_CREAT|O_TRUNC, 0666", 0 },
    { "made", "open", "\"/f\", O_RDWR|O_CREAT|O_EXCL, 0600", 0 },
    { "created", "creat", "\"/f\", 0666", 0 },
    { "emptied by openat2", "openat2", "AT_FDCWD, \"/f\", {flags=O_RDWR|O_TRUNC, resolve=0}, 24", 0 },
    { "a name that says so", "open", "\"/O_TRUNC\", O_RDONLY", 10 },
};

static void check_emptied(void **state)
{
    const struct emptied *row = *state;
    cg_stage stage = new_files((cg_open_fds){ 0 });
    cg_file file = a_file(0, "/f");
    give(&stage, 1, call("read", "3", 10), by_fd(NULL, use_at(&file, 3, 1, 0, true)));
    give(&stage, 2, call(row->call, row->args, 4), by_path(NULL, &file, &file));
    give(&stage, 3, call("read", "4", 10), by_fd(NULL, use_at(&file, 4, 2, 0, true)));
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(row_of(report, "/f")->reread_bytes, row->again);
    callgauge_report_free(report);
}

/* --- order: open files, whether a transfer follows, 'r' or 'w' */

static struct order_row {
    const char *name;
    callgauge_file_kind kind;
    const char *moves; /* "r1 r1j w2": read on open file 1, ..., j: a jump */
    uint64_t transfers, jumps;
} orders[] = {
    { "the first of each way", CALLGAUGE_FILE_FILE, "r1 w1 r2", 0, 0 },
    { "one after the other", CALLGAUGE_FILE_FILE, "r1 r1 r1 w1", 2, 0 },
    { "jumps", CALLGAUGE_FILE_FILE, "r1 r1j r1j r1", 3, 2 },
    { "two open files in turn", CALLGAUGE_FILE_FILE, "w1 w2 w1 w2 w1j", 3, 1 },
    { "a device", CALLGAUGE_FILE_DEVICE, "r1 r1", 1, 0 },
    { "a pipe has none", CALLGAUGE_FILE_PIPE, "r1 r1 r1", 0, 0 },
    { "nor what is not known", CALLGAUGE_FILE_UNKNOWN, "r1 r1 r1", 0, 0 },
    { "nor what has no open file", CALLGAUGE_FILE_FILE, "r0 r0 r0", 0, 0 },
};

static void check_order(void **state)
{
    const struct order_row *row = *state;
    cg_stage stage = new_files((cg_open_fds){ 0 });
    cg_file file = a_file(0, "/f");
    file.kind = row->kind;
    for (const char *p = row->moves; *p != 0; p += *p == ' ') {
        const char *name = *p == 'r' ? "read" : "write";
        cg_use use = use_at(&file, 3, (uint64_t)(p[1] - '0'), CG_UNKNOWN, p[2] != 'j');
        give(&stage, 1, call(name, "3", 10), by_fd(NULL, use));
        p += p[2] == 'j' ? 3 : 2;
    }
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(row_of(report, "/f")->transfers, row->transfers);
    assert_int_equal(row_of(report, "/f")->jumps, row->jumps);
    callgauge_report_free(report);
}

/* More open files of one path than are remembered. */
static void check_many_opens(void **state)
{
    (void)state;
    cg_stage stage = new_files((cg_open_fds){ 0 });
    cg_file file = a_file(0, "/f");
    for (uint64_t open = 1; open <= 200; open++) {
        give(&stage, 1, call("read", "3", 10), by_fd(NULL, use_at(&file, 3, open, 0, true)));
        give(&stage, 1, call("read", "3", 10), by_fd(NULL, use_at(&file, 3, open, 10, true)));
    }
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(row_of(report, "/f")->transfers, 200);
    assert_int_equal(row_of(report, "/f")->reread_bytes, 199 * 20);
    callgauge_report_free(report);
}

static void check_pids(void **state)
{
    (void)state;
    static const int64_t pids[] = { 50, 40, 50, 60, 30, 20, 10, 10 };
    cg_stage stage = new_files((cg_open_fds){ 0 });
    cg_file file = a_file(0, "/f");
    for (size_t i = 0; i < sizeof pids / sizeof *pids; i++) {
        cg_process process = a_process(0, pids[i]);
        give(&stage, 1, call(i % 2 == 0 ? "read" : "write", "3", 1), by_fd(&process, use_of(&file, 3)));
    }
    callgauge_report *report = finish_stage(&stage, "t");
    const callgauge_file_row *row = row_of(report, "/f");
    assert_int_equal(row->process_count, 4);
    assert_int_equal(row->processes[0], 30);
    assert_int_equal(row->processes[3], 60);
    assert_int_equal(row->reader_count, 3);
    assert_int_equal(row->readers[0], 10);
    assert_int_equal(row->readers[2], 50);
    assert_int_equal(row->writer_count, 4);
    assert_string_equal(report->limits[0].limit, "file_processes");
    assert_int_equal(report->limits[0].kept, 4);
    assert_int_equal(report->limits[0].dropped, 2); /* 20 and 10, however often */
    callgauge_report_free(report);
}

/* Sockets to one peer whose own ends are not known, and a file that turned out to be another, are one row. */
static void check_folding(void **state)
{
    (void)state;
    cg_stage stage = new_files((cg_open_fds){ 0 });
    cg_process one = a_process(0, 1), two = a_process(1, 2);
    cg_file dns[2] = { a_socket(0, "127.0.0.53", 53), a_socket(1, "127.0.0.53", 53) };
    cg_file real = a_file(2, "/usr/lib/x"), late = a_file(3, "/lib/x"), unused = a_file(4, "/unused");
    give(&stage, 1, at(call("recvfrom", "3", 40), 0, 7), by_fd(&one, use_of(&dns[0], 3)));
    give(&stage, 2, at(call("recvfrom", "4", 30), 0, 5), by_fd(&two, use_of(&dns[1], 4)));
    give(&stage, 3, call("read", "5", 10), by_fd(&one, use_at(&late, 5, 1, 0, true)));
    give(&stage, 4, failed(call("open", "\"/lib/x\", O_RDONLY", 0), 0), by_path(&one, &late, NULL));
    late.same = &real;
    give(&stage, 5, call("read", "5", 20), by_fd(&two, use_at(&late, 5, 1, 10, true)));
    give(&stage, 6, call("getpid", "", 1), by_fd(&one, use_of(&unused, -1)));
    callgauge_event row_event = { .kind = CALLGAUGE_EVENT_SIGNAL };
    give(&stage, 7, row_event, by_fd(&one, use_of(&unused, 1)));
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(report->file_count, 3);
    const callgauge_file_row *row = row_of(report, "");
    assert_true(cg_str_is(row->peer, "127.0.0.53"));
    assert_int_equal(row->calls, 2);
    assert_int_equal(row->bytes_read, 70);
    assert_int_equal(row->min_read, 30);
    assert_int_equal(row->max_read, 40);
    assert_int_equal(row->wall_ns, 12);
    assert_int_equal(row->waiting_ns, 12);
    assert_int_equal(row->process_count, 2);
    assert_int_equal(row->reader_count, 2);
    assert_int_equal(row->first.line, 1);
    assert_int_equal(row->last.line, 2);
    row = row_of(report, "/usr/lib/x");
    assert_int_equal(row->calls, 3);
    assert_int_equal(row->errors, 1);
    assert_int_equal(row->bytes_read, 30);
    assert_int_equal(row->failed_open_count, 1);
    assert_int_equal(row->first.line, 3);
    assert_int_equal(row->last.line, 5);
    callgauge_report_free(report);
}

/* The time of an accept is the listening socket's. */
static void check_accept(void **state)
{
    (void)state;
    cg_stage stage = new_files((cg_open_fds){ 0 });
    cg_file listening = a_socket(0, "", -1), made = a_socket(1, "10.0.0.1", 4711);
    cg_annotation known = by_fd(NULL, use_of(&listening, 3));
    known.made = &made;
    listening.local_port = 80;
    give(&stage, 1, at(call("accept4", "3", 4), 0, 1000), known);
    give(&stage, 2, at(call("read", "4", 4), 0, 10), by_fd(NULL, use_of(&made, 4)));
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(report->file_count, 2);
    assert_int_equal(report->files[0].local_port, 80);
    assert_int_equal(report->files[0].opens, 0);
    assert_int_equal(report->files[0].waiting_ns, 1000);
    assert_int_equal(report->files[1].peer_port, 4711);
    assert_int_equal(report->files[1].opens, 1);
    assert_int_equal(report->files[1].calls, 2);
    assert_int_equal(report->files[1].wall_ns, 10);
    assert_int_equal(report->files[1].waiting_ns, 10);
    callgauge_report_free(report);
}

/* The time of a connect is that of what it makes of its socket; one that fails makes nothing. */
static void check_connect(void **state)
{
    (void)state;
    cg_stage stage = new_files((cg_open_fds){ 0 });
    cg_file bare = a_socket(0, "", -1), made = a_socket(1, "10.0.0.1", 80);
    cg_annotation known = by_fd(NULL, use_of(&bare, 3));
    give(&stage, 1, failed(at(call("connect", "3", 0), 0, 7), 0), known);
    known.made = &made;
    give(&stage, 2, at(call("connect", "3", 0), 0, 1000), known);
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(report->file_count, 2);
    assert_int_equal(report->files[0].calls, 2);
    assert_int_equal(report->files[0].wall_ns, 7);
    assert_int_equal(report->files[0].waiting_ns, 7);
    assert_int_equal(report->files[1].peer_port, 80);
    assert_int_equal(report->files[1].calls, 1);
    assert_int_equal(report->files[1].opens, 0);
    assert_int_equal(report->files[1].wall_ns, 1000);
    assert_int_equal(report->files[1].waiting_ns, 1000);
    callgauge_report_free(report);
}

/* Processes that turned out to be threads of another are not listed: it is. */
static void check_attached_threads(void **state)
{
    (void)state;
    cg_stage stage = new_files((cg_open_fds){ 0 });
    cg_process processes[] = { a_process(0, 50), a_process(1, 20), a_process(2, 70), a_process(3, 60) };
    cg_file file = a_file(0, "/f"), lone = a_file(1, "/g");
    for (size_t i = 0; i < 4; i++) {
        cg_annotation known = by_fd(&processes[i], use_of(&file, 3));
        known.begun = &processes[i];
        give(&stage, 1, call("read", "3", 1), known);
    }
    give(&stage, 2, call("write", "4", 1), by_fd(&processes[1], use_of(&lone, 4)));
    processes[1].same = &processes[0];
    processes[2].same = &processes[1]; /* one step after the other */
    callgauge_report *report = finish_stage(&stage, "t");
    const callgauge_file_row *row = row_of(report, "/f");
    assert_int_equal(row->process_count, 2);
    assert_int_equal(row->processes[0], 50);
    assert_int_equal(row->processes[1], 60);
    assert_int_equal(row->reader_count, 2);
    assert_int_equal(row->readers[0], 50);
    row = row_of(report, "/g");
    assert_int_equal(row->process_count, 1);
    assert_int_equal(row->processes[0], 50);
    assert_int_equal(row->writers[0], 50);
    callgauge_report_free(report);
}

/* CPU and wall clock times are kept apart, whichever comes first. */
static void check_two_times(void **state)
{
    (void)state;
    cg_stage stage = new_files((cg_open_fds){ 0 });
    cg_file files[2] = { a_file(0, "/a"), a_file(1, "/b") };
    for (size_t i = 0; i < 2; i++) {
        callgauge_event cpu = at(call("read", "3", 1), 0, 5), wall = at(call("read", "3", 1), 0, 70);
        cpu.duration_kind = CALLGAUGE_TIME_CPU;
        give(&stage, 1, i == 0 ? cpu : wall, by_fd(NULL, use_of(&files[i], 3)));
        give(&stage, 2, i == 0 ? wall : cpu, by_fd(NULL, use_of(&files[i], 3)));
    }
    callgauge_report *report = finish_stage(&stage, "t");
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(report->files[i].cpu_ns, 5);
        assert_int_equal(report->files[i].cpu_calls, 1);
        assert_int_equal(report->files[i].wall_ns, 70);
        assert_int_equal(report->files[i].wall_calls, 1);
        assert_int_equal(report->files[i].waiting_ns, 0);
    }
    callgauge_report_free(report);
}

/* --- descriptors */

typedef struct open_list {
    const cg_process *process;
    const cg_file *files[4];
    size_t count;
} open_list;

static bool each_open(const void *of, cg_open_fd_fn *each, void *ctx)
{
    const open_list *list = of;
    for (size_t i = 0; i < list->count; i++) {
        if (!each(ctx, list->process, (int64_t)i, list->files[i])) {
            return false;
        }
    }
    return true;
}

static const callgauge_descriptor_row *descriptor(const callgauge_report *report, int64_t fd)
{
    for (size_t i = 0; i < report->descriptor_count; i++) {
        if (report->descriptors[i].fd == fd) {
            return &report->descriptors[i];
        }
    }
    fail_msg("no descriptor %d", (int)fd);
    return NULL;
}

static void check_descriptors(void **state)
{
    (void)state;
    cg_process process = a_process(0, 41);
    cg_file made = a_file(0, "/made"), listed = a_file(1, "/listed"), old = a_file(2, ""), gone = a_file(3, "");
    cg_file listed_gone = a_file(4, "/listed-gone"), epoll = a_file(5, "anon_inode:[eventpoll]"),
            sockets[] = { a_socket(7, "10.0.0.1", 80), a_socket(8, "10.0.0.2", 80) }, tmp = a_file(6, "/tmp");
    old.opened_before = gone.opened_before = true;
    old.kind = gone.kind = CALLGAUGE_FILE_UNKNOWN;
    old.pid = gone.pid = 41;
    old.fd = 2;
    gone.fd = 9;
    epoll.kind = CALLGAUGE_FILE_ANON;
    const open_list open = { &process, { &made, &listed, &old, &epoll }, 4 };
    cg_stage stage = new_files((cg_open_fds){ each_open, &open });
    give(&stage, 1, call("open", "\"/made\", O_RDONLY", 0), by_path(&process, &made, &made));
    give(&stage, 2, call("read", "1", 1), by_fd(&process, use_of(&listed, 1)));
    give(&stage, 3, call("read", "2", 1), by_fd(&process, use_of(&old, 2)));
    give(&stage, 4, call("close", "9", 0), by_fd(&process, use_of(&gone, 9)));
    give(&stage, 5, call("close", "8", 0), by_fd(&process, use_of(&listed_gone, 8)));
    give(&stage, 6, call("epoll_create1", "0", 3), by_path(&process, NULL, &epoll));
    give(&stage, 6, call("epoll_wait", "3", 0), by_fd(&process, use_of(&epoll, 3)));
    cg_use old_socket = use_of(&sockets[0], 6);
    old_socket.old = true;
    give(&stage, 6, call("recv", "6", 1), by_fd(&process, old_socket));
    give(&stage, 6, call("recv", "7", 1), by_fd(&process, use_of(&sockets[1], 7))); /* made and connected here */
    give(&stage, 7, call("open", "\"/listed-gone\", O_RDONLY", 5), by_path(&process, &listed_gone, &listed_gone));
    give(&stage, 7, call("read", "5", 1), by_fd(&process, use_of(&listed_gone, 5)));
    give(&stage, 7, call("stat", "\"/tmp\", 0x1", 0), by_path(&process, &tmp, NULL));
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(report->descriptor_count, 7);
    static const struct {
        int64_t fd;
        bool before, closed;
        const char *path;
    } wanted[] = { { 0, false, false, "/made" }, { 1, true, false, "/listed" },
                   { 2, true, false, "" },       { 3, false, false, "anon_inode:[eventpoll]" },
                   { 6, true, true, "" },        { 8, true, true, "/listed-gone" },
                   { 9, true, true, "" } };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const callgauge_descriptor_row *row = descriptor(report, wanted[i].fd);
        assert_int_equal(row->pid, 41);
        assert_int_equal(row->opened_before, wanted[i].before);
        assert_int_equal(row->closed, wanted[i].closed);
        assert_true(cg_str_is(row->path, wanted[i].path));
    }
    assert_int_equal(row_of(report, "/listed")->opened_before, false);
    assert_int_equal(report->files[0].pid, 41); /* without a path: the first ones */
    assert_int_equal(report->files[0].fd, 2);
    assert_int_equal(report->files[2].pid, CALLGAUGE_UNKNOWN);
    callgauge_report_free(report);
}

/* Nothing is annotated, or there is nothing at all. */
static void check_nothing(void **state)
{
    (void)state;
    cg_stage stage = new_files((cg_open_fds){ 0 });
    take(&stage, call("read", "3", 10));
    give(&stage, 1, call("read", "3", 10), of_process(NULL));
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(report->file_count, 0);
    assert_int_equal(report->descriptor_count, 0);
    callgauge_report_free(report);
}

#define NAMED(test, row) \
    { \
        .name = (row).name, .test_func = (test), .initial_state = &(row) \
    }

int main(void)
{
    enum {
        REREADS = sizeof rereads / sizeof *rereads,
        EMPTIEDS = sizeof emptieds / sizeof *emptieds,
        ORDERS = sizeof orders / sizeof *orders,
        OTHERS = 13
    };
    struct CMUnitTest tests[OTHERS + REREADS + EMPTIEDS + ORDERS] = {
        cmocka_unit_test(check_one_file),
        cmocka_unit_test(check_copies),
        cmocka_unit_test(check_failed_opens),
        cmocka_unit_test(check_many_ranges),
        cmocka_unit_test(check_pids),
        cmocka_unit_test(check_folding),
        cmocka_unit_test(check_accept),
        cmocka_unit_test(check_two_times),
        cmocka_unit_test(check_descriptors),
        cmocka_unit_test(check_nothing),
        cmocka_unit_test(check_many_opens),
        cmocka_unit_test(check_connect),
        cmocka_unit_test(check_attached_threads),
    };
    struct CMUnitTest *next = tests + OTHERS;
    for (size_t i = 0; i < REREADS; i++) {
        *next++ = (struct CMUnitTest)NAMED(check_reread, rereads[i]);
    }
    for (size_t i = 0; i < EMPTIEDS; i++) {
        *next++ = (struct CMUnitTest)NAMED(check_emptied, emptieds[i]);
    }
    for (size_t i = 0; i < ORDERS; i++) {
        *next++ = (struct CMUnitTest)NAMED(check_order, orders[i]);
    }
    return cmocka_run_group_tests_name("stage_files", tests, NULL, release_names);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* predicate: the truth of each field and operator for one event; what is absent and what is unknown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "judging.h"

#define READ "7 1700000000.500000 read(3, \"root:x:0\", 4096) = 8 <0.000250>"
#define OPEN "7 openat(AT_FDCWD, \".htaccess\", O_RDONLY|O_CLOEXEC) = -1 ENOENT (No such file or directory)"
#define CLOSE "7 close(3) = 0"
#define SEND "7 sendto(5, \"q\", 40, MSG_NOSIGNAL, NULL, 0) = 40"
#define SIGNAL "7 --- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=8} ---"

struct row {
    const char *text, *line;
    char truth; /* Y, N, U */
    known known;
};

#define ROW(text, line, truth, ...) \
    { \
        text, line, truth, \
        { \
            __VA_ARGS__ \
        } \
    }
#define PASSWD .fd = 3, .fd_file = ETC_PASSWD, .offset = 4096, .flags = "O_RDWR|O_APPEND"

static struct row rows[] = {
    /* the call and its result */
    ROW("call == read", READ, 'Y', 0),
    ROW("call != read", READ, 'N', 0),
    ROW("call == 'syscall_0x1f'", READ, 'N', 0),
    ROW("call in (write, read)", READ, 'Y', 0),
    ROW("call startswith 'open'", OPEN, 'Y', 0),
    ROW("call matches '^open(at)?$'", OPEN, 'Y', 0),
    ROW("class == read", READ, 'Y', 0),
    ROW("class != read", READ, 'N', 0),
    ROW("class == 'read'", READ, 'Y', 0),
    ROW("class in (time, signal, open)", OPEN, 'Y', 0),
    ROW("not class in (time, signal, open)", OPEN, 'N', 0),
    ROW("class == read", SIGNAL, 'N', 0),
    ROW("class != read", SIGNAL, 'N', 0),
    ROW("absent(class)", SIGNAL, 'Y', 0),
    ROW("errno == ENOENT", OPEN, 'Y', 0),
    ROW("errno in (ENOENT, ENOTDIR)", OPEN, 'Y', 0),
    ROW("errno in (EACCES, ENOTDIR)", OPEN, 'N', 0),
    ROW("errno not in (EACCES, ENOTDIR)", OPEN, 'Y', 0),
    ROW("errno not in (ENOENT, ENOTDIR)", OPEN, 'N', 0),
    ROW("errno not in (ENOENT, ENOTDIR)", READ, 'N', 0),
    ROW("not errno in (ENOENT, ENOTDIR)", READ, 'Y', 0),
    ROW("class not in (time, signal)", OPEN, 'Y', 0),
    ROW("class not in (time, signal, open)", OPEN, 'N', 0),
    ROW("class not in (time, signal)", SIGNAL, 'N', 0),
    ROW("call not in (write, read)", READ, 'N', 0),
    ROW("call not in (write, readv)", READ, 'Y', 0),
    ROW("not fd not in (0, 1, 3)", READ, 'Y', 0),
    ROW("fd not in (0, 1, 4)", READ, 'Y', 0),
    ROW("fd not in (0, 3, ret)", READ, 'N', 0),
    ROW("fd not in (0, ret)", "7 exit_group(0) = ?", 'N', 0),
    ROW("fd.path not in ('/a', '/b')", READ, 'U', .fd = 3, .fd_file = BEFORE),
    ROW("errno == 'ENOENT'", OPEN, 'Y', 0),
    ROW("errno != ENOENT", READ, 'N', 0),
    ROW("absent(errno)", READ, 'Y', 0),
    ROW("ok", READ, 'Y', 0),
    ROW("ok", OPEN, 'N', 0),
    ROW("failed", OPEN, 'Y', 0),
    ROW("failed", READ, 'N', 0),
    ROW("ok or failed", "7 exit_group(0) = ?", 'N', 0),
    ROW("ok", SIGNAL, 'N', 0),
    ROW("ret == 8", READ, 'Y', 0),
    ROW("ret == -1", OPEN, 'Y', 0),
    ROW("ret < 0", OPEN, 'Y', 0),
    ROW("absent(ret)", "7 exit_group(0) = ?", 'Y', 0),
    ROW("bytes == 8", READ, 'Y', 0),
    ROW("bytes <= 64KiB", READ, 'Y', 0),
    ROW("bytes > 7B and bytes < 0.01KB", READ, 'Y', 0),
    ROW("absent(bytes)", CLOSE, 'Y', 0),
    ROW("absent(bytes)", "7 read(3, 0x7f, 10) = -1 EAGAIN (Resource temporarily unavailable)", 'Y', 0),
    ROW("bytes != 8", CLOSE, 'N', 0),

    /* arguments */
    ROW("size == 4KiB", READ, 'Y', 0),
    ROW("size - bytes == 4088", READ, 'Y', 0),
    ROW("absent(size)", CLOSE, 'Y', 0),
    ROW("size > 0", "7 writev(1, [{iov_base=\"x\", iov_len=1}], 1) = 1", 'U', 0),
    ROW("arg[0] == 3", READ, 'Y', 0),
    ROW("arg[0] == '3'", READ, 'Y', 0),
    ROW("arg[2] >= 4KiB", READ, 'Y', 0),
    ROW("arg[1] == 'root:x:0'", READ, 'Y', 0),
    ROW("arg[1] contains ':x'", READ, 'Y', 0),
    ROW("arg[1] > 3", READ, 'N', 0),
    ROW("absent(arg[3])", READ, 'Y', 0),
    ROW("arg[3] == 1", READ, 'N', 0),
    ROW("arg[1] == F_GETFD", "7 fcntl(3, F_GETFD) = 0", 'Y', 0),
    ROW("arg[1] in (F_GETFL, F_GETFD)", "7 fcntl(3, F_GETFD) = 0", 'Y', 0),
    ROW("arg[2] contains O_CLOEXEC", OPEN, 'Y', 0),
    ROW("arg[2] contains O_CLO", OPEN, 'N', 0),
    ROW("arg[2] contains 'O_CLO'", OPEN, 'Y', 0),
    ROW("arg[1] matches '^\\.ht'", OPEN, 'Y', 0),
    ROW("arg[1] == \"a\\tb\\x41\"", "7 open(1, \"a\\tb\\101\") = 3", 'Y', 0),
    ROW("arg[1] == 'root'", "7 write(3, \"root\"..., 10) = 10", 'N', 0),
    ROW("arg[1] == 'rooted'", "7 write(3, \"root\"..., 10) = 10", 'U', 0),
    ROW("arg[1] == 'wood'", "7 write(3, \"root\"..., 10) = 10", 'N', 0),
    ROW("arg[1] startswith 'ro'", "7 write(3, \"root\"..., 10) = 10", 'Y', 0),
    ROW("arg[1] startswith 'rooted'", "7 write(3, \"root\"..., 10) = 10", 'U', 0),
    ROW("arg[1] endswith 'root'", "7 write(3, \"root\"..., 10) = 10", 'U', 0),
    ROW("arg[1] contains 'oo'", "7 write(3, \"root\"..., 10) = 10", 'Y', 0),
    ROW("arg[1] contains 'x'", "7 write(3, \"root\"..., 10) = 10", 'U', 0),
    ROW("arg[1] matches '^ro'", "7 write(3, \"root\"..., 10) = 10", 'Y', 0),
    ROW("arg[1] matches 'root$'", "7 write(3, \"root\"..., 10) = 10", 'U', 0),
    ROW("arg[1] matches 'x'", "7 write(3, \"root\"..., 10) = 10", 'U', 0),
    ROW("args contains 'O_RDONLY'", OPEN, 'Y', 0),
    ROW("args endswith '4096'", READ, 'Y', 0),
    ROW("arg[0] == 3", "7 <... read resumed>\"x\", 10) = 1", 'U', 0),
    ROW("timeout == 1s", "7 poll([{fd=3, events=POLLIN}], 1, 1000) = 0 (Timeout)", 'Y', .fd = 3),
    ROW("absent(timeout)", "7 poll([{fd=3, events=POLLIN}], 1, -1) = 1 ([{fd=3, revents=POLLIN}])", 'Y', .fd = 3),
    ROW("timeout == 1.5s", "7 select(4, [3], NULL, NULL, {tv_sec=1, tv_usec=500000}) = 0 (Timeout)", 'Y', 0),
    ROW("timeout == 1500ms", "7 select(4, [3], NULL, NULL, {1, 500000}) = 0 (Timeout)", 'Y', 0),
    ROW("timeout == 2us", "7 ppoll([{fd=3}], 1, {tv_sec=0, tv_nsec=2000}, NULL, 8) = 0 (Timeout)", 'Y', 0),
    ROW("absent(timeout)", "7 ppoll([{fd=3}], 1, NULL, NULL, 8) = 1", 'Y', 0),
    ROW("timeout == 0", "7 epoll_wait(3, [], 64, 0) = 0", 'Y', 0),
    ROW("timeout == 1ms", "7 clock_nanosleep(CLOCK_REALTIME, 0, {tv_sec=0, tv_nsec=1000000}, NULL) = 0", 'Y', 0),
    ROW("timeout > 0", "7 ppoll([{fd=3}], 1, 0x7ffd, NULL, 8) = 1", 'U', 0),
    ROW("absent(timeout)", READ, 'Y', 0),

    /* descriptors */
    ROW("fd == 3", READ, 'Y', PASSWD),
    ROW("fd in (0, 1, 3)", READ, 'Y', 0),
    ROW("fd == 3", OPEN, 'N', 0),
    ROW("absent(fd)", OPEN, 'Y', 0),
    ROW("absent(fd)", "7 mmap(NULL, 4096, PROT_READ, MAP_ANONYMOUS, -1, 0) = 0x7f", 'Y', 0),
    ROW("absent(fd)", "7 poll(NULL, 0, 10) = 0 (Timeout)", 'Y', 0),
    ROW("absent(fd)", "7 select(0, NULL, NULL, NULL, {tv_sec=1, tv_usec=0}) = 0 (Timeout)", 'Y', 0),
    ROW("fd == 3", "7 poll([{fd=3, events=POLLIN}, {fd=4, events=POLLIN}], 2, 10) = 0 (Timeout)", 'U', 0),
    ROW("fd == 3", "7 poll([{fd=3, events=POLLIN}], 1, 10) = 0 (Timeout)", 'Y', .fd = 3),
    ROW("absent(fd)", SIGNAL, 'Y', 0),
    ROW("fd.path == '/etc/passwd'", READ, 'Y', PASSWD),
    ROW("fd.path matches '^/etc/'", READ, 'Y', PASSWD),
    ROW("fd.path == '/etc/passwd'", READ, 'U', .fd = 3, .fd_file = BEFORE),
    ROW("fd.path != '/etc/passwd'", READ, 'U', .fd = 3, .fd_file = BEFORE),
    ROW("not fd.path == '/etc/passwd'", READ, 'U', .fd = 3, .fd_file = BEFORE),
    ROW("absent(fd.path)", READ, 'U', .fd = 3, .fd_file = BEFORE),
    ROW("absent(fd.path)", READ, 'Y', .fd = 3, .fd_file = PIPE),
    ROW("fd.path == '/run/nscd'", SEND, 'Y', .fd = 5, .fd_file = UNIX),
    ROW("fd.kind == file", READ, 'Y', PASSWD),
    ROW("fd.kind in (socket, pipe)", READ, 'Y', .fd = 3, .fd_file = PIPE),
    ROW("fd.kind != tty", READ, 'N', .fd = 3, .fd_file = TERMINAL),
    ROW("fd.kind == file", READ, 'U', .fd = 3, .fd_file = BEFORE),
    ROW("fd.kind == file", READ, 'U', .fd = 3),
    ROW("fd.kind == file", OPEN, 'N', 0),
    ROW("absent(fd.kind)", "7 close(9) = -1 EBADF (Bad file descriptor)", 'Y', .fd = 9),
    ROW("fd.flags contains O_APPEND", READ, 'Y', PASSWD),
    ROW("fd.flags contains O_APP", READ, 'N', PASSWD),
    ROW("fd.flags contains O_APPEND", READ, 'U', .fd = 3, .fd_file = BEFORE),
    ROW("fd.flags contains O_CLOEXEC", OPEN, 'Y', 0),
    ROW("fd.flags contains O_CREAT", "7 creat(\"x\", 0644) = 3", 'Y', 0),
    ROW("fd.flags contains O_EXCL", "7 openat2(AT_FDCWD, \"x\", {flags=O_RDWR|O_EXCL, resolve=0}, 24) = 3", 'Y', 0),
    ROW("absent(fd.flags)", "7 getpid() = 7", 'Y', 0),
    ROW("fd.offset == 4096", READ, 'Y', PASSWD),
    ROW("fd.offset == 4KiB", READ, 'U', .fd = 3, .fd_file = ETC_PASSWD),
    ROW("absent(fd.offset)", SEND, 'Y', .fd = 5, .fd_file = DNS),
    ROW("fd.opened_before", READ, 'Y', .fd = 3, .fd_file = BEFORE, .old = true),
    ROW("fd.opened_before", READ, 'N', PASSWD),
    ROW("not fd.opened_before", READ, 'U', .fd = 3),
    ROW("peer.port == 53", SEND, 'Y', .fd = 5, .fd_file = DNS),
    ROW("peer.port in (53, 853)", SEND, 'Y', .fd = 5, .fd_file = DNS),
    ROW("peer.addr == '127.0.0.53'", SEND, 'Y', .fd = 5, .fd_file = DNS),
    ROW("peer.addr matches '^127'", SEND, 'Y', .fd = 5, .fd_file = DNS),
    ROW("peer.port == 80", SEND, 'Y', .fd = 5, .fd_file = DNS, .peer = WEB),
    ROW("peer.port == 53", SEND, 'N', .fd = 5, .fd_file = PIPE),
    ROW("absent(peer.port)", SEND, 'Y', .fd = 5, .fd_file = UNIX),
    ROW("peer.port == 53", SEND, 'U', .fd = 5, .fd_file = BEFORE),
    ROW("peer.port == 53", OPEN, 'N', 0),

    /* paths */
    ROW("path endswith '/.htaccess'", OPEN, 'Y', .path = HTACCESS),
    ROW("path == '/srv/www/.htaccess'", OPEN, 'Y', .path = HTACCESS),
    ROW("path in ('/a', '/srv/www/.htaccess')", OPEN, 'Y', .path = HTACCESS),
    ROW("path matches '\\.ht(access|passwd)$'", OPEN, 'Y', .path = HTACCESS),
    ROW("path matches '\\.HT'", OPEN, 'N', .path = HTACCESS),
    ROW("path matches '(?i)\\.HT'", OPEN, 'Y', .path = HTACCESS),
    ROW("path contains 'www'", OPEN, 'Y', .path = HTACCESS),
    ROW("path startswith '/'", OPEN, 'N', .path = RELATIVE),
    ROW("path endswith '.so'", OPEN, 'Y', .path = RELATIVE),
    ROW("path endswith '/.htaccess'", OPEN, 'U', 0),
    ROW("absent(path)", CLOSE, 'Y', PASSWD),
    ROW("path != 'x'", CLOSE, 'N', PASSWD),
    ROW("absent(path)", "7 utimensat(3, NULL, NULL, 0) = 0", 'Y', PASSWD),
    ROW("path == fd.path", "7 openat(3, \"/etc/passwd\", O_RDONLY) = 4", 'Y', .fd = 3, .fd_file = ETC_PASSWD,
        .path = ETC_PASSWD),
    ROW("path2 == '/etc/passwd' and path != path2", "7 rename(\"a\", \"b\") = 0", 'Y', .path = HTACCESS,
        .path2 = ETC_PASSWD),
    ROW("absent(path2)", OPEN, 'Y', .path = HTACCESS),

    /* processes */
    ROW("pid == 7", READ, 'Y', 0),
    ROW("pid == 7", "read(3, \"\", 1) = 0", 'U', .process = &(const cg_process){ .pid = CG_UNKNOWN }),
    ROW("tid == 7", READ, 'Y', 0),
    ROW("life == 2", READ, 'Y', 0),
    ROW("parent == 1", READ, 'Y', 0),
    ROW("parent == 1", READ, 'U', .process = &orphan),
    ROW("program endswith '/app'", READ, 'Y', 0),
    ROW("program matches 'app$'", READ, 'Y', 0),
    ROW("program == 'x'", READ, 'U', .process = &orphan),
    ROW("parent.program == '/bin/sh'", READ, 'Y', 0),
    ROW("parent.program == '/bin/sh'", READ, 'U', .process = &orphan),
    ROW("program != parent.program", READ, 'Y', 0),
    ROW("unit == 4", READ, 'Y', .unit = 4),
    ROW("absent(unit)", READ, 'Y', 0),

    /* times and places */
    ROW("duration == 250us", READ, 'Y', 0),
    ROW("duration > 0.1ms and duration < 1s", READ, 'Y', 0),
    ROW("duration >= 0", READ, 'Y', 0),
    ROW("duration > 1ms", CLOSE, 'U', 0),
    ROW("absent(duration)", SIGNAL, 'Y', 0),
    ROW("cpu > 1ms", READ, 'U', 0),
    ROW("end - start == duration", READ, 'Y', 0),
    ROW("start + 250us == end", READ, 'Y', 0),
    ROW("end - start >= 0.25ms", READ, 'Y', 0),
    ROW("start == end", CLOSE, 'U', 0),
    ROW("time == 0", READ, 'Y', 0),
    ROW("time < 1min and time < 1h", READ, 'Y', 0),
    ROW("time < 1s", CLOSE, 'U', 0),
    ROW("line == 1", READ, 'Y', 0),
    ROW("signal == SIGCHLD", SIGNAL, 'Y', 0),
    ROW("signal in (SIGALRM, SIGCHLD)", SIGNAL, 'Y', 0),
    ROW("signal == SIGCHLD", READ, 'N', 0),

    /* Kleene's logic: `cpu` is unknown here */
    ROW("ok and cpu > 1s", READ, 'U', 0),
    ROW("failed and cpu > 1s", READ, 'N', 0),
    ROW("cpu > 1s and failed", READ, 'N', 0),
    ROW("ok or cpu > 1s", READ, 'Y', 0),
    ROW("cpu > 1s or ok", READ, 'Y', 0),
    ROW("failed or cpu > 1s", READ, 'U', 0),
    ROW("not cpu > 1s", READ, 'U', 0),
    ROW("not (failed or cpu > 1s)", READ, 'U', 0),
    ROW("not (ok or cpu > 1s)", READ, 'N', 0),
    ROW("not not ok", READ, 'Y', 0),
    ROW("absent(cpu)", READ, 'U', 0),
    ROW("not absent(errno)", READ, 'N', 0),
    ROW("errno == ENOENT and cpu > 1s", READ, 'N', 0),
    ROW("size == cpu - cpu + size or ok", READ, '!', 0), /* a clash; see below */
    ROW("size == timeout", READ, '!', 0),
    ROW("ret + fd == 11", READ, 'Y', PASSWD),
    ROW("ret + timeout == 1", READ, '!', 0),
    ROW("errno == ENOENT or ok and failed", READ, 'N', 0),
    ROW("(ok or failed) and failed", READ, 'N', 0),
    ROW("ok or failed and failed", READ, 'Y', 0),

    /* numbers */
    ROW("ret == 0x8", READ, 'Y', 0),
    ROW("ret > 7.5 and ret < 8.5", READ, 'Y', 0),
    ROW("ret > 800% and ret > 8", READ, 'N', 0),
    ROW("ret == 800%", READ, 'Y', 0),
    ROW("ret == --8", READ, 'Y', 0),
    ROW("-ret == -8", READ, 'Y', 0),
    ROW("ret < 9223372036854775807", READ, 'Y', 0),
    ROW("ret + 9223372036854775807 + 9 > 0", READ, 'Y', 0),
    ROW("ret in (1, 2, 8)", READ, 'Y', 0),
    ROW("1 == 1", READ, 'Y', 0),
    ROW("\n ok\n and\tret == 8 \r\n", READ, 'Y', 0),
    ROW("call == 'it''s'", READ, 'N', 0),
    ROW("args contains \"\\\"root\"", READ, 'Y', 0),
};

enum { ROWS = sizeof rows / sizeof *rows };

static char judge(const cg_predicate *predicate, const struct row *row)
{
    const callgauge_event *event;
    callgauge_reader *reader = reader_of(row->line, &event);
    const cg_annotation annotation = annotation_of(&row->known);
    callgauge_event known_event = *event;
    cg_judge *judge = cg_judge_new(NULL);
    uint32_t id;
    known_event.annotation = &annotation;
    assert_non_null(judge);
    assert_true(cg_judge_add(judge, predicate, &id));
    cg_judge_begin(judge, callgauge_reader_capture(reader));
    cg_truth truth = cg_judge_event(judge, id, &known_event, NULL);
    cg_truth by_name = cg_judge_name(judge, id, known_event.call);
    assert_true(by_name == CG_UNDECIDED || by_name == truth);
    assert_int_equal(cg_judge_event(judge, id, &known_event, NULL), truth); /* what is remembered is the same */
    cg_truth by_kind = cg_judge_sure(judge, id, cg_judge_kind(judge, &known_event));
    assert_true(by_kind == CG_UNDECIDED || by_kind == truth);
    assert_true(by_name == CG_UNDECIDED || by_kind == by_name);
    cg_judge_next(judge, &known_event);
    assert_int_equal(cg_judge_event(judge, id, &known_event, NULL), truth);
    assert_int_equal(cg_judge_event(judge, id, &known_event, NULL), truth);
    if (known_event.call != NULL && cg_predicate_is_about_path(predicate)) {
        assert_true(cg_judge_path(judge, id, &known_event) != CG_NO || truth == CG_NO);
    }
    assert_false(cg_judge_counts_of(judge)->no_memory);
    cg_judge_free(judge);
    callgauge_reader_free(reader);
    return truth_letter(truth);
}

static void check_row(void **state)
{
    const struct row *row = *state;
    skip_without_regex(row->text);
    cg_predicate *predicate = NULL;
    const cg_predicate_source source = source_of(row->text);
    if (row->truth == '!') {
        assert_int_equal(cg_predicate_compile(&source, CG_OF_EVENTS, NULL, &predicate, NULL), CALLGAUGE_E_USAGE);
        return;
    }
    predicate = compiled(row->text, CG_OF_EVENTS, NULL);
    assert_int_equal(judge(predicate, row), row->truth);
    assert_false(cg_predicate_about(predicate)->reads_slots);
    cg_predicate_free(predicate);
}

/* --- what a predicate says of itself */

struct about {
    const char *text;
    uint32_t wants, traits;
    bool state, rest;
    const char *sure; /* of names: N: no `read` matches, ... */
};

static struct about abouts[] = {
    { "class == open", 0, 0, false, false, "N" },
    { "class == read", 0, 0, false, false, "Y" },
    { "class == read and ok", 0, CALLGAUGE_TRAIT_RESULTS, false, true, "U" },
    { "ok and class == open", 0, CALLGAUGE_TRAIT_RESULTS, false, true, "N" },
    { "class == open or class == read", 0, 0, false, false, "Y" },
    { "not (class == read or ok)", 0, CALLGAUGE_TRAIT_RESULTS, false, true, "N" },
    { "call matches '^re' and errno == EAGAIN", 0, CALLGAUGE_TRAIT_RESULTS, false, true, "U" },
    { "call matches '^op' and errno == EAGAIN", 0, CALLGAUGE_TRAIT_RESULTS, false, true, "N" },
    { "call in (open, openat) and ret == 3", CG_WANT_SCALARS, CALLGAUGE_TRAIT_RESULTS, false, true, "N" },
    { "path == 'x'", CG_WANT_SCALARS | CG_WANT_THREAD, CALLGAUGE_TRAIT_ARGUMENTS, true, true, "U" },
    { "pid == 3 and duration > 1s", CG_WANT_SCALARS | CG_WANT_THREAD,
      CALLGAUGE_TRAIT_PIDS | CALLGAUGE_TRAIT_WALL_DURATIONS, true, true, "U" },
    { "end - start > 1s", CG_WANT_SCALARS, CALLGAUGE_TRAIT_TIMESTAMPS, false, true, "U" },
};

enum { ABOUTS = sizeof abouts / sizeof *abouts };

static void check_about(void **state)
{
    const struct about *row = *state;
    skip_without_regex(row->text);
    const callgauge_event *event;
    callgauge_reader *reader = reader_of(READ, &event);
    cg_predicate *predicate = compiled(row->text, CG_OF_EVENTS, NULL);
    const cg_predicate_info *info = cg_predicate_about(predicate);
    assert_int_equal(info->wants, row->wants);
    assert_int_equal(info->traits, row->traits);
    assert_int_equal(info->reads_state, row->state);
    assert_int_equal(info->reads_rest, row->rest);
    assert_true(cg_str_is(info->text, row->text));
    cg_judge *judge = cg_judge_new(NULL);
    uint32_t id;
    assert_true(cg_judge_add(judge, predicate, &id));
    assert_int_equal(truth_letter(cg_judge_name(judge, id, event->call)), row->sure[0]);
    const callgauge_count_row counts = { 0 };
    const callgauge_event of_table = { .kind = CALLGAUGE_EVENT_COUNT_ROW, .call = event->call, .row = &counts };
    assert_int_equal(truth_letter(cg_judge_event(judge, id, &of_table, NULL)), row->sure[0]);
    cg_judge_free(judge);
    cg_predicate_free(predicate);
    callgauge_reader_free(reader);
}

/* --- what is remembered */

/* A pattern that backtracks without end hits the limit, is undecided and counted: once a file. */
static void check_limit(void **state)
{
    (void)state;
    skip_without_regex(" matches ");
    static const char path[] =
        "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab";
    const cg_file file = { .id = 70000, .path = { path, sizeof path - 1 } };
    const cg_annotation annotation = { .path = &file };
    const callgauge_event *read;
    callgauge_reader *reader = reader_of(OPEN, &read);
    callgauge_event event = *read;
    cg_predicate *predicate = compiled("path matches '^/(a+)+$'", CG_OF_EVENTS, NULL);
    cg_judge *judge = cg_judge_new(NULL);
    uint32_t id;
    event.annotation = &annotation;
    assert_true(cg_judge_add(judge, predicate, &id));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(cg_judge_event(judge, id, &event, NULL), CG_UNDECIDED);
        assert_int_equal(cg_judge_match_limits(judge, id), 1);
    }
    assert_int_equal(cg_judge_counts_of(judge)->match_limits, 1);
    cg_judge_free(judge);
    cg_predicate_free(predicate);
    callgauge_reader_free(reader);
}

/* A file that turned out to be another one is that one. */
static void check_same(void **state)
{
    (void)state;
    const cg_file other = { .id = 30, .same = &made_files[HTACCESS] };
    const cg_annotation annotation = { .path = &other };
    const callgauge_event *read;
    callgauge_reader *reader = reader_of(OPEN, &read);
    callgauge_event event = *read;
    cg_predicate *predicate = compiled("path endswith '.htaccess'", CG_OF_EVENTS, NULL);
    cg_judge *judge = cg_judge_new(NULL);
    uint32_t id;
    event.annotation = &annotation;
    assert_true(cg_judge_add(judge, predicate, &id));
    assert_int_equal(cg_judge_event(judge, id, &event, NULL), CG_YES);
    event.annotation = NULL; /* nobody follows */
    assert_int_equal(cg_judge_event(judge, id, &event, NULL), CG_UNDECIDED);
    cg_judge_free(judge);
    cg_predicate_free(predicate);
    callgauge_reader_free(reader);
}

/* Names of another reader have other ids. */
static void check_begin(void **state)
{
    (void)state;
    static const char *const lines[] = { READ, CLOSE };
    static const cg_truth truths[] = { CG_YES, CG_NO };
    cg_predicate *predicate = compiled("class == read", CG_OF_EVENTS, NULL);
    cg_judge *judge = cg_judge_new(NULL);
    uint32_t id;
    assert_true(cg_judge_add(judge, predicate, &id));
    for (int i = 0; i < 2; i++) {
        const callgauge_event *event;
        callgauge_reader *reader = reader_of(lines[i], &event);
        assert_int_equal(event->call->id, 0);
        cg_judge_begin(judge, callgauge_reader_capture(reader));
        assert_int_equal(cg_judge_event(judge, id, event, NULL), truths[i]);
        callgauge_reader_free(reader);
    }
    cg_judge_free(judge);
    cg_predicate_free(predicate);
}

/* More conditions on names than are remembered in bits. */
static void check_many_names(void **state)
{
    (void)state;
    cg_buf text;
    const callgauge_event *event;
    callgauge_reader *reader = reader_of(READ, &event);
    cg_buf_init(&text, 65536);
    for (int i = 0; i < 100; i++) {
        assert_true(cg_buf_printf(&text, "call == 'x%d' or ", i));
    }
    assert_true(cg_buf_add_z(&text, "call == read and ret == 8") && cg_buf_add_char(&text, '\0'));
    cg_predicate *predicate = compiled(text.data, CG_OF_EVENTS, NULL);
    cg_judge *judge = cg_judge_new(NULL);
    uint32_t id;
    assert_true(cg_judge_add(judge, predicate, &id));
    assert_int_equal(cg_judge_event(judge, id, event, NULL), CG_YES);
    cg_judge_free(judge);
    cg_predicate_free(predicate);
    callgauge_reader_free(reader);
    cg_buf_release(&text);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + ABOUTS + 4] = {
        [ROWS + ABOUTS] = cmocka_unit_test(check_limit),
        [ROWS + ABOUTS + 1] = cmocka_unit_test(check_same),
        [ROWS + ABOUTS + 2] = cmocka_unit_test(check_begin),
        [ROWS + ABOUTS + 3] = cmocka_unit_test(check_many_names),
    };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].text, .test_func = check_row, .initial_state = &rows[i] };
    }
    for (size_t i = 0; i < ABOUTS; i++) {
        tests[ROWS + i] =
            (struct CMUnitTest){ .name = abouts[i].text, .test_func = check_about, .initial_state = &abouts[i] };
    }
    return cmocka_run_group_tests_name("predicate", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* reader: its public functions, and, on every capture at hand, that events and account are the same however the
 * bytes are cut (a byte, 7, 4096, whole), whichever form reads the lines (fast or strict), and whatever is
 * wanted (counts or everything); and that the lines of each add up. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "../fuzz/stream.h"
#include "input/source.h"
#include "reading.h"

/* --- captures in files */

typedef struct capture_file {
    char *path;
    const char *name; /* in the path */
} capture_file;

typedef struct capture_files {
    capture_file items[512];
    size_t count;
} capture_files;

static bool is_capture(const char *name)
{
    callgauge_str text = cg_str_z(name);
    return name[0] != '.' && !cg_str_ends(text, ".md") && !cg_str_ends(text, ".tsv");
}

static void find_files(capture_files *files, const char *folder, size_t root)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        if (!is_capture(entry->d_name) || files->count == sizeof files->items / sizeof *files->items) {
            continue;
        }
        size_t room = strlen(folder) + strlen(entry->d_name) + 2;
        char *path = malloc(room);
        if (path == NULL) {
            break;
        }
        snprintf(path, room, "%s/%s", folder, entry->d_name);
        DIR *inner = opendir(path);
        if (inner != NULL) {
            closedir(inner);
            find_files(files, path, root);
            free(path);
        } else {
            files->items[files->count++] = (capture_file){ path, path + root };
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const capture_file *)a)->path, ((const capture_file *)b)->path);
}

static void load(const char *path, cg_buf *to)
{
    cg_source *source = NULL;
    char piece[65536];
    size_t got = 1;
    cg_buf_init(to, 64 << 20);
    assert_int_equal(cg_source_open(path, true, &source, NULL), CALLGAUGE_OK);
    assert_int_equal(cg_source_next_member(source, NULL), CALLGAUGE_OK);
    while (got > 0) {
        assert_int_equal(cg_source_read(source, piece, sizeof piece, &got, NULL), CALLGAUGE_OK);
        assert_true(cg_buf_add(to, piece, got));
    }
    cg_source_free(source);
}

/* What a histogram counts of an event. */
static void hash_counts(uint64_t *hash, const callgauge_event *event)
{
    bool moves = event->call != NULL && event->call->moves != CALLGAUGE_MOVES_NOTHING;
    bool timed = (event->has & CALLGAUGE_HAS_DURATION) != 0;
    hash_u64(hash, (uint64_t)event->kind);
    hash_u64(hash, event->flags);
    hash_call_name(hash, event->call);
    hash_name(hash, event->error);
    hash_name(hash, event->name);
    hash_row(hash, event->row);
    hash_i64_if(hash, moves && (event->has & CALLGAUGE_HAS_VALUE) != 0, event->value);
    hash_i64_if(hash, timed, event->duration_ns);
    hash_u64(hash, timed ? (uint64_t)event->duration_kind : 0);
}

/* A way to read a capture. */
typedef struct way {
    size_t piece;
    bool strict, counts;
    hash_fn *hash;
} way;

static stream read_in(callgauge_str text, way how)
{
    callgauge_reader_options options = { .size = sizeof options, .details = !how.counts, .no_thread = true };
    callgauge_reader *reader = NULL;
    stream out = { 1, 1, 0, CALLGAUGE_MORE };
    assert_int_equal(callgauge_reader_new("t", &options, &reader, NULL), CALLGAUGE_OK);
    cg_reader_strict_only(reader, how.strict);
    cg_reader_want(reader, how.counts ? CG_WANT_COUNTS : CG_WANT_SCALARS | CG_WANT_THREAD);
    for (size_t at = 0; at < text.len && out.status == CALLGAUGE_MORE; at += how.piece) {
        size_t len = text.len - at < how.piece ? text.len - at : how.piece;
        assert_int_equal(callgauge_reader_feed(reader, text.ptr + at, len, NULL), CALLGAUGE_OK);
        out.status = pull_events(reader, how.hash, &out, NULL);
    }
    if (out.status == CALLGAUGE_MORE) {
        assert_int_equal(callgauge_reader_finish(reader, NULL), CALLGAUGE_OK);
        out.status = pull_events(reader, how.hash, &out, NULL);
    }
    const callgauge_capture *capture = callgauge_reader_capture(reader);
    if (out.status == CALLGAUGE_END) {
        assert_int_equal(capture->bytes, text.len);
        assert_int_equal(capture->lines, capture->event_lines + capture->continuation_lines + capture->table_lines +
                                             capture->notice_lines + capture->foreign_lines + capture->unread_lines);
    }
    hash_capture(&out.capture, capture);
    callgauge_reader_free(reader);
    return out;
}

static void check_equal(const stream *a, const stream *b)
{
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->events, b->events);
    assert_true(a->hash == b->hash);
    assert_true(a->capture == b->capture);
}

static void check_pieces_of(callgauge_str text)
{
    stream whole = read_in(text, (way){ .piece = SIZE_MAX / 2, .hash = hash_event });
    const size_t lengths[] = { 4096, 7, 1 };
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        stream cut = read_in(text, (way){ .piece = lengths[i], .hash = hash_event });
        check_equal(&whole, &cut);
    }
}

static void check_forms_of(callgauge_str text)
{
    stream fast = read_in(text, (way){ .piece = 4096, .hash = hash_event });
    stream strict = read_in(text, (way){ .piece = 4096, .strict = true, .hash = hash_event });
    check_equal(&fast, &strict);
}

static void check_wants_of(callgauge_str text)
{
    stream counts = read_in(text, (way){ .piece = 4096, .counts = true, .hash = hash_counts });
    stream strict = read_in(text, (way){ .piece = 4096, .counts = true, .strict = true, .hash = hash_counts });
    stream all = read_in(text, (way){ .piece = 4096, .hash = hash_counts });
    stream plain = read_in(text, (way){ .piece = 1, .counts = true, .hash = hash_counts });
    check_equal(&counts, &strict);
    check_equal(&counts, &plain);
    assert_int_equal(counts.status, all.status);
}

/* Counts and events do not deliver the same kinds; those of the trace and of tables are the same. */
static void hash_trace(uint64_t *hash, const callgauge_event *event)
{
    bool detail = event->kind == CALLGAUGE_EVENT_DETAIL || event->kind == CALLGAUGE_EVENT_FOREIGN ||
                  event->kind == CALLGAUGE_EVENT_UNREAD;
    if (!detail) {
        hash_counts(hash, event);
    }
}

static void check_counts_of(callgauge_str text)
{
    stream counts = read_in(text, (way){ .piece = 65536, .counts = true, .hash = hash_trace });
    stream events = read_in(text, (way){ .piece = 65536, .hash = hash_trace });
    assert_true(counts.hash == events.hash);
    assert_true(counts.capture == events.capture);
}

static void check_file(void **state)
{
    const capture_file *file = *state;
    cg_buf bytes;
    load(file->path, &bytes);
    callgauge_str text = cg_buf_str(&bytes);
    check_pieces_of(text);
    check_forms_of(text);
    check_wants_of(text);
    check_counts_of(text);
    cg_buf_release(&bytes);
}

/* --- small captures: what is told of them */

static struct row {
    const char *name, *text;
    callgauge_reader_options options;
    const char *said;
} rows[] = {
    { "a call",
      "close(3)                                = -1 EBADF (Bad file descriptor)\n",
      { .size = 0 },
      "1: call close args=<3> result=<-1> value=-1 error=<EBADF> note=<(Bad file descriptor)>\nlines: event=1\n" },
    { "details are not wanted",
      "read(3, \"\", 1)                          = 0\n > /x(main+0x1) [0x688]\nhello\n",
      { .dialect = "strace" },
      "1: call read args=<3, \"\", 1> result=<0> value=0\nlines: event=1 rest=1 foreign=1\n" },
    { "details are wanted",
      "read(3, \"\", 1)                          = 0\n > /x(main+0x1) [0x688]\nhello\n",
      { .dialect = "strace", .details = true },
      "1: call read args=<3, \"\", 1> result=<0> value=0\n2: detail note=<> /x(main+0x1) [0x688]>\n"
      "3: foreign text=<hello>\nlines: event=1 rest=1 foreign=1\n" },
    { "pid of the file",
      "close(3)                                = 0\n",
      { .dialect = "strace", .pid = 77 },
      "1: call close pid=77 args=<3> result=<0> value=0\nlines: event=1\n" },
    { "calls that are open at the end",
      "7  read(9,  <unfinished ...>\n8  read(8,  <unfinished ...>\n7  <... read resumed>\"\", 1) = 0\n9  pause( "
      "<unfinished ...>\n",
      { .dialect = "strace" },
      "1-3: call read pid=7 args=<9, \"\", 1> result=<0> value=0 resumed\n2: call read pid=8 args=<8,> unreturned\n"
      "4: call pause pid=9 unreturned\nlines: event=3 rest=1\n" },
    { "joined lines",
      "close(3) = 0close(4) = 0close(5) = 0\n",
      { .dialect = "strace" },
      "1: call close args=<3> result=<0> value=0\n1: call close args=<4> result=<0> value=0\n"
      "1: call close args=<5> result=<0> value=0\nlines: event=1\nrepair: joined-lines 2 from line 1\n" },
    { "an event behind a lost one",
      "7  read(9,  <unfinished ...>\n7  close(3) = 0\n",
      { .dialect = "strace" },
      "1: call read pid=7 args=<9,> unreturned\n2: call close pid=7 args=<3> result=<0> value=0\nlines: event=2\n" },
    { "joined lines behind a lost one",
      "7  read(9,  <unfinished ...>\n7  close(3) = 0 7  close(4) = 0\n",
      { .dialect = "strace" },
      "1: call read pid=7 args=<9,> unreturned\n2: call close pid=7 args=<3> result=<0> value=0\n"
      "2: call close pid=7 args=<4> result=<0> value=0\nlines: event=2\nrepair: joined-lines 1 from line 2\n" },
    { "damage of all lines",
      "> openat(AT_FDCWD, \"/x\", O_RDONLY) = -1 ENOENT (No such file)\r\n"
      "> openat(AT_FDCWD, \"/y\", O_RDONLY) = -1 ENOENT (No such file)\r\n",
      { .size = 0 },
      "1: call openat args=<AT_FDCWD, \"/x\", O_RDONLY> result=<-1> value=-1 error=<ENOENT> note=<(No such file)>\n"
      "2: call openat args=<AT_FDCWD, \"/y\", O_RDONLY> result=<-1> value=-1 error=<ENOENT> note=<(No such file)>\n"
      "lines: event=2\nrepair: cr-lf 2 from line 1\nrepair: constant-prefix 2 from line 1\n" },
    { "cut last line",
      "close(3)                                = 0\nread(3, \"a) = 1\n",
      { .dialect = "strace" },
      "1: call close args=<3> result=<0> value=0\n2: call read args=<3, \"a> result=<1> value=1\nlines: event=2\n" },
    { "blank lines",
      "\n\nclose(3)                                = 0\n\n",
      { .dialect = "strace" },
      "3: call close args=<3> result=<0> value=0\nlines: event=1 foreign=3\n" },
    { "two runs appended",
      "getpid()                                = 7\n+++ exited with 0 +++\ngetpid()                                = "
      "9\n"
      "+++ exited with 0 +++\n",
      { .dialect = "strace" },
      "1: call getpid result=<7> value=7\n2: exit note=<exited with 0>\n3: call getpid result=<9> value=9\n"
      "4: exit note=<exited with 0>\nlines: event=4\n" },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    const size_t lengths[] = { SIZE_MAX / 2, 7, 1 };
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        callgauge_reader_options options = row->options;
        options.size = sizeof options;
        cg_buf said;
        cg_buf_init(&said, 1 << 16);
        assert_int_equal(say_capture(cg_str_z(row->text), &options, lengths[i], &said, NULL), CALLGAUGE_END);
        assert_string_equal(said_text(&said), row->said);
        cg_buf_release(&said);
    }
}

/* --- what is known of a capture */

static struct known_row {
    const char *name, *text;
    uint32_t traits;
    callgauge_clock clock;
    int64_t first_ns, last_ns;
    bool has_events, has_table;
    uint64_t events;
} known_rows[] = {
    { "known: a bare call", "close(3) = 0\n", 0, CALLGAUGE_CLOCK_NONE, INT64_MIN, INT64_MIN, true, false, 1 },
    { "known: pids, durations", "7  close(3) = 0 <0.000010>\n", CALLGAUGE_TRAIT_PIDS | CALLGAUGE_TRAIT_WALL_DURATIONS,
      CALLGAUGE_CLOCK_NONE, INT64_MIN, INT64_MIN, true, false, 1 },
    { "known: from the first start to the last end",
      "1796060731.000001 close(3) = 0 <0.000010>\n1796060732.000002 close(4) = 0 <0.500000>\n",
      CALLGAUGE_TRAIT_TIMESTAMPS | CALLGAUGE_TRAIT_WALL_DURATIONS, CALLGAUGE_CLOCK_EPOCH, 1796060731000001000,
      1796060732500002000, true, false, 2 },
    { "known: time of day", "10:00:00 close(3) = 0\n10:00:05 +++ exited with 0 +++\n", CALLGAUGE_TRAIT_TIMESTAMPS,
      CALLGAUGE_CLOCK_MIDNIGHT, 36000000000000, 36005000000000, true, false, 2 },
    { "known: over midnight", "23:59:59 close(3) = 0\n00:00:01 close(3) = 0\n", CALLGAUGE_TRAIT_TIMESTAMPS,
      CALLGAUGE_CLOCK_MIDNIGHT, 86399000000000, 86401000000000, true, false, 2 },
    { "known: pids and times of day",
      "7     23:59:59.000001 close(3)                  = 0\n7     23:59:59.000003 close(3)                  = 0\n"
      "7     00:00:01.000002 close(3)                  = 0\n",
      CALLGAUGE_TRAIT_TIMESTAMPS | CALLGAUGE_TRAIT_PIDS, CALLGAUGE_CLOCK_MIDNIGHT, 86399000001000, 86401000002000, true,
      false, 3 },
    { "known: notices only", "strace: Process 7 attached\n", 0, CALLGAUGE_CLOCK_NONE, INT64_MIN, INT64_MIN, false,
      false, 1 },
    { "known: a table",
      "     calls    errors syscall\n--------- --------- ----------------\n        1           close\n", 0,
      CALLGAUGE_CLOCK_NONE, INT64_MIN, INT64_MIN, false, true, 0 },
};

enum { KNOWN_ROWS = sizeof known_rows / sizeof *known_rows };

static void check_known_as(const struct known_row *row, uint32_t wants)
{
    const uint32_t always = CALLGAUGE_TRAIT_ARGUMENTS | CALLGAUGE_TRAIT_RESULTS | CALLGAUGE_TRAIT_STRINGS;
    callgauge_reader_options options = { .size = sizeof options, .dialect = "strace" };
    callgauge_reader *reader = NULL;
    const callgauge_event *event = NULL;
    callgauge_status status;
    assert_int_equal(callgauge_reader_new("t", &options, &reader, NULL), CALLGAUGE_OK);
    cg_reader_want(reader, wants);
    assert_int_equal(callgauge_reader_feed(reader, row->text, strlen(row->text), NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_finish(reader, NULL), CALLGAUGE_OK);
    while ((status = callgauge_reader_next(reader, &event, NULL)) == CALLGAUGE_OK) {
    }
    assert_int_equal(status, CALLGAUGE_END);
    const callgauge_capture *capture = callgauge_reader_capture(reader);
    assert_string_equal(capture->name, "t");
    assert_string_equal(capture->dialect, "strace");
    assert_int_equal(capture->bytes, strlen(row->text));
    assert_int_equal(capture->traits & ~always, row->traits);
    assert_int_equal(capture->clock, row->clock);
    assert_true(capture->first_ns == row->first_ns);
    assert_true(capture->last_ns == row->last_ns);
    assert_int_equal(capture->has_events, row->has_events);
    assert_int_equal(capture->has_table, row->has_table);
    assert_int_equal(capture->events, row->events);
    callgauge_reader_free(reader);
}

static void check_known(void **state)
{
    check_known_as(*state, CG_WANT_SCALARS | CG_WANT_THREAD);
    check_known_as(*state, CG_WANT_COUNTS);
}

/* --- wrong use, and what is no capture */

static struct refused_row {
    const char *name, *text;
    callgauge_status status;
    const char *message;
    uint64_t line;
} refused_rows[] = {
    { "refused: nothing", "", CALLGAUGE_E_FORMAT, "the file is empty", 0 },
    { "refused: prose", "Once upon a time\nthere was a call.\n", CALLGAUGE_E_FORMAT,
      "no line of it is of a trace or a count table (tried strace, truss-solaris)", 1 },
    { "refused: blank lines", "\n\n\n", CALLGAUGE_E_FORMAT,
      "no line of it is of a trace or a count table (tried strace, truss-solaris)", 1 },
    { "refused: another tool", "[pid 5110] E openat(0xffffff9c, 0x7f, 0x0)\n[pid 5110] X openat() = 0x3 (11.2us)\n",
      CALLGAUGE_E_UNSUPPORTED, "this is output of u-root's strace, which cannot be read as a capture", 1 },
};

enum { REFUSED_ROWS = sizeof refused_rows / sizeof *refused_rows };

static void check_refused(void **state)
{
    const struct refused_row *row = *state;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_reader *reader = NULL;
    const callgauge_event *event = NULL;
    assert_int_equal(callgauge_reader_new("a.txt", NULL, &reader, &err), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_next(reader, &event, &err), CALLGAUGE_MORE);
    assert_int_equal(callgauge_reader_feed(reader, row->text, strlen(row->text), &err), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_finish(reader, &err), CALLGAUGE_OK);
    for (int again = 0; again < 3; again++) {
        callgauge_error fault = CALLGAUGE_ERROR_INIT;
        assert_int_equal(callgauge_reader_next(reader, &event, &fault), row->status);
        assert_int_equal(fault.status, row->status);
        assert_string_equal(fault.source, "a.txt");
        assert_string_equal(fault.message, row->message);
        assert_int_equal(fault.line, row->line);
        assert_null(event);
    }
    callgauge_reader_free(reader);
}

static void check_wrong_options(void **state)
{
    (void)state;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_reader *reader = NULL;
    callgauge_reader_options options = { .size = sizeof options, .dialect = "dtrace" };
    assert_int_equal(callgauge_reader_new("t", &options, &reader, &err), CALLGAUGE_E_USAGE);
    assert_null(reader);
    assert_string_equal(err.message, "no dialect is called \"dtrace\"");
    struct newer {
        callgauge_reader_options known;
        uint64_t more;
    } newer = { .known = { .size = sizeof newer }, .more = 1 };
    assert_int_equal(callgauge_reader_new("t", &newer.known, &reader, &err), CALLGAUGE_E_USAGE);
    assert_string_equal(err.message, "reader options of a newer version");
    newer.more = 0;
    assert_int_equal(callgauge_reader_new("t", &newer.known, &reader, &err), CALLGAUGE_OK);
    callgauge_reader_free(reader);
    callgauge_reader_free(NULL);
}

static void check_wrong_order(void **state)
{
    (void)state;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_reader *reader = NULL;
    const callgauge_event *event = NULL;
    assert_int_equal(callgauge_reader_new("t", NULL, &reader, &err), CALLGAUGE_OK);
    assert_null(callgauge_reader_capture(reader)->dialect);
    assert_int_equal(callgauge_reader_feed(reader, "close(3) = -1 EBADF (Bad)\n", 26, &err), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_finish(reader, &err), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_feed(reader, "x", 1, &err), CALLGAUGE_E_USAGE);
    assert_string_equal(err.message, "the reader is finished: it cannot be fed");
    assert_int_equal(callgauge_reader_next(reader, &event, &err), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_next(reader, &event, &err), CALLGAUGE_END);
    assert_int_equal(callgauge_reader_next(reader, &event, &err), CALLGAUGE_END);
    callgauge_reader_free(reader);
}

/* A reader that was opened can neither be fed nor finished; it gives what a fed one gives. */
static void check_opened(void **state)
{
    (void)state;
    static const char text[] = "close(3) = -1 EBADF (Bad)\nclose(4) = -1 EBADF (Bad)\n";
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_reader *reader = NULL;
    int ends[2];
    cg_buf said;
    cg_buf_init(&said, 4096);
    assert_int_equal(callgauge_reader_open("/does/not/exist", NULL, &reader, &err), CALLGAUGE_E_IO);
    assert_null(reader);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, sizeof text - 1), sizeof text - 1);
    close(ends[1]);
    assert_int_equal(callgauge_reader_open_fd(ends[0], "pipe", NULL, &reader, &err), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_feed(reader, "x", 1, &err), CALLGAUGE_E_USAGE);
    assert_int_equal(callgauge_reader_finish(reader, &err), CALLGAUGE_E_USAGE);
    assert_int_equal(say_ready(reader, cg_str_z(text), &said, &err), CALLGAUGE_END);
    assert_string_equal(said_text(&said), "1: call close args=<3> result=<-1> value=-1 error=<EBADF> note=<(Bad)>\n"
                                          "2: call close args=<4> result=<-1> value=-1 error=<EBADF> note=<(Bad)>\n");
    assert_int_equal(callgauge_reader_capture(reader)->bytes, sizeof text - 1);
    callgauge_reader_free(reader);
    close(ends[0]);
    cg_buf_release(&said);
}

static void check_dialect_names(void **state)
{
    (void)state;
    assert_string_equal(callgauge_dialect_name(0), "strace");
    assert_string_equal(callgauge_dialect_name(1), "truss-solaris");
    assert_null(callgauge_dialect_name(2));
    assert_null(callgauge_dialect_name(SIZE_MAX));
}

static void count_fault(void *ctx, const callgauge_error *fault)
{
    assert_int_equal(fault->status, CALLGAUGE_E_FORMAT);
    assert_string_equal(fault->source, "t");
    assert_int_equal(fault->line, 2);
    assert_int_equal(fault->offset, 44);
    assert_string_equal(fault->message, "a resumed call without its name");
    *(size_t *)ctx += 1;
}

/* Each unread line is told when it is met, with its place. */
static void check_diagnostics(void **state)
{
    (void)state;
    size_t faults = 0;
    cg_buf said;
    cg_buf_init(&said, 4096);
    callgauge_reader_options options = {
        .size = sizeof options, .dialect = "strace", .on_diag = count_fault, .diag_ctx = &faults
    };
    callgauge_str text = cg_str_z("close(3)                                = 0\n7  <... resumed>) = 1\n");
    assert_int_equal(say_capture(text, &options, 1000, &said, NULL), CALLGAUGE_END);
    assert_int_equal(faults, 1);
    cg_buf_release(&said);
}

/* In a file of -ff the pid is the file's: an open call of it is found by each form of reading. */
static void check_pid_and_open_call(void **state)
{
    (void)state;
    static const char text[] =
        "close(3)                                = 0\nread(9,  <unfinished ...>\n"
        "close(3)                                = 0\n<... read resumed>\"\", 1)                = 0\n";
    for (int form = 0; form < 4; form++) {
        callgauge_reader_options options = { .size = sizeof options, .dialect = "strace", .pid = 77 };
        callgauge_reader *reader = NULL;
        stream out = { 1, 1, 0, CALLGAUGE_MORE };
        static stream first;
        assert_int_equal(callgauge_reader_new("t", &options, &reader, NULL), CALLGAUGE_OK);
        cg_reader_strict_only(reader, form % 2 == 0);
        cg_reader_want(reader, form < 2 ? CG_WANT_SCALARS : CG_WANT_COUNTS);
        assert_int_equal(callgauge_reader_feed(reader, text, sizeof text - 1, NULL), CALLGAUGE_OK);
        assert_int_equal(callgauge_reader_finish(reader, NULL), CALLGAUGE_OK);
        out.status = pull_events(reader, hash_counts, &out, NULL);
        first = form == 0 ? out : first;
        assert_int_equal(out.events, 4);
        assert_true(out.hash == first.hash);
        callgauge_reader_free(reader);
    }
}

int main(void)
{
    static const char *const roots[] = { CG_FIXTURES "/dialects", CG_SHARED "/corpus/options", CG_SHARED "/cases",
                                         CG_SHARED "/posted" };
    static capture_files files;
    static struct CMUnitTest tests[7 + ROWS + KNOWN_ROWS + REFUSED_ROWS + 512] = {
        cmocka_unit_test(check_wrong_options), cmocka_unit_test(check_wrong_order),
        cmocka_unit_test(check_opened),        cmocka_unit_test(check_dialect_names),
        cmocka_unit_test(check_diagnostics),   cmocka_unit_test(check_pid_and_open_call),
    };
    size_t at = 6;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        size_t from = files.count;
        find_files(&files, roots[i], strlen(roots[i]) + 1);
        qsort(files.items + from, files.count - from, sizeof *files.items, by_name);
    }
    for (size_t i = 0; i < ROWS; i++) {
        tests[at++] = row_test(rows[i].name, check_row, &rows[i]);
    }
    for (size_t i = 0; i < KNOWN_ROWS; i++) {
        tests[at++] = row_test(known_rows[i].name, check_known, &known_rows[i]);
    }
    for (size_t i = 0; i < REFUSED_ROWS; i++) {
        tests[at++] = row_test(refused_rows[i].name, check_refused, &refused_rows[i]);
    }
    for (size_t i = 0; i < files.count; i++) {
        tests[at++] = row_test(files.items[i].name, check_file, &files.items[i]);
    }
    int failed = _cmocka_run_group_tests("reader", tests, at, NULL, NULL);
    for (size_t i = 0; i < files.count; i++) {
        free(files.items[i].path);
    }
    return failed;
}

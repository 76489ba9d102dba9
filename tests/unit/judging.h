/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of predicates share: an event read from a line of strace, with an annotation made by hand, and the
 * truth of a text for it. Include after cmocka.h. */
#ifndef CG_TEST_JUDGING_H
#define CG_TEST_JUDGING_H

#include <string.h>

#include "base/str.h"
#include "event/event.h"
#include "predicate/predicate.h"

/* Builds without PCRE2 do not know `matches`. */
static inline void skip_without_regex(const char *text)
{
#ifndef CG_HAVE_PCRE2
    if (strstr(text, "matches") != NULL) {
        skip();
    }
#else
    (void)text;
#endif
}

/* The files that rows name. */
enum { NOTHING, ETC_PASSWD, HTACCESS, DNS, WEB, UNIX, PIPE, BEFORE, RELATIVE, TERMINAL, FILES };

static const cg_file made_files[FILES] = {
    [NOTHING] = { .id = NOTHING, .peer_port = -1, .local_port = -1 },
    [ETC_PASSWD] = { .id = 1, .kind = CALLGAUGE_FILE_FILE, .path = { "/etc/passwd", 11 }, .peer_port = -1 },
    [HTACCESS] = { .id = 2, .kind = CALLGAUGE_FILE_FILE, .path = { "/srv/www/.htaccess", 18 }, .peer_port = -1 },
    [DNS] = { .id = 3, .kind = CALLGAUGE_FILE_SOCKET, .peer = { "127.0.0.53", 10 }, .peer_port = 53 },
    [WEB] = { .id = 4, .kind = CALLGAUGE_FILE_SOCKET, .peer = { "10.0.0.2", 8 }, .peer_port = 80 },
    [UNIX] = { .id = 5, .kind = CALLGAUGE_FILE_SOCKET, .path = { "/run/nscd", 9 }, .peer_port = -1 },
    [PIPE] = { .id = 6, .kind = CALLGAUGE_FILE_PIPE, .number = 1, .peer_port = -1 },
    [BEFORE] = { .id = 7, .opened_before = true, .peer_port = -1 },
    [RELATIVE] = { .id = 8, .kind = CALLGAUGE_FILE_FILE, .relative = true, .path = { "lib/x.so", 8 }, .peer_port = -1 },
    [TERMINAL] = { .id = 9, .kind = CALLGAUGE_FILE_TTY, .path = { "/dev/pts/1", 10 }, .peer_port = -1 },
};

static const cg_process shell = { .pid = 1, .life = 1, .program = { "/bin/sh", 7 } };
static const cg_process app = { .id = 1, .pid = 7, .life = 2, .parent = &shell, .program = { "/usr/bin/app", 12 } };
static const cg_process orphan = { .id = 2, .pid = 8, .life = 1 };

/* How a row annotates its event. */
typedef struct known {
    int fd_file, path, path2, peer;
    int64_t fd, offset;
    bool old;
    const char *flags;
    const cg_process *process;
    uint64_t unit;
} known;

static inline const cg_file *file_or_null(int file)
{
    return file == NOTHING ? NULL : &made_files[file];
}

static inline cg_annotation annotation_of(const known *k)
{
    return (cg_annotation){
        .process = k->process == NULL ? &app : k->process,
        .fd = { .fd = k->fd == 0 ? CG_UNKNOWN : k->fd,
                .file = file_or_null(k->fd_file),
                .offset = k->offset == 0 ? CG_UNKNOWN : k->offset,
                .old = k->old,
                .flags = k->flags == NULL ? cg_str(NULL, 0) : cg_str_z(k->flags) },
        .fd2 = { .fd = CG_UNKNOWN, .offset = CG_UNKNOWN },
        .path = file_or_null(k->path),
        .path2 = file_or_null(k->path2),
        .peer = file_or_null(k->peer),
        .unit = k->unit,
    };
}

/* A reader whose next event is the line's. */
static inline callgauge_reader *reader_of(const char *line, const callgauge_event **event)
{
    callgauge_reader *reader;
    const callgauge_reader_options options = { .size = sizeof options, .dialect = "strace" };
    assert_int_equal(callgauge_reader_new("t", &options, &reader, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_feed(reader, line, strlen(line), NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_feed(reader, "\n", 1, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_finish(reader, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_reader_next(reader, event, NULL), CALLGAUGE_OK);
    return reader;
}

static inline cg_predicate_source source_of(const char *text)
{
    return (cg_predicate_source){ .text = cg_str_z(text), .place = { .name = "t" } };
}

/* A condition that must compile. */
static inline cg_predicate *compiled(const char *text, cg_subject of, cg_scope *scope)
{
    cg_predicate *out = NULL;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    const cg_predicate_source source = source_of(text);
    callgauge_status status = cg_predicate_compile(&source, of, scope, &out, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(status, CALLGAUGE_OK);
    return out;
}

static inline cg_predicate *compiled_value(const char *text, cg_subject of, cg_scope *scope)
{
    cg_predicate *out = NULL;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    const cg_predicate_source source = source_of(text);
    callgauge_status status = cg_expression_compile(&source, of, scope, &out, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(status, CALLGAUGE_OK);
    return out;
}

static inline char truth_letter(cg_truth truth)
{
    return truth == CG_YES ? 'Y' : truth == CG_NO ? 'N' : 'U';
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Files and descriptors to bytes. The first bytes tell how it is packed; a plain file is then read
 * straight into the caller's memory, a packed one goes through archive.c and, on a thread, unpack.c.
 * Invariant: `peeked` holds what was taken off an input that cannot be read twice and not given yet. */
#include "input/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "input/archive.h"
#include "input/unpack.h"

enum { PEEK_ROOM = 512 }; /* a tar header */

struct cg_source {
    char *name;
    int fd;
    bool owns_fd;
    bool regular;
    bool begun;  /* the one member of a plain file was given */
    int wake[2]; /* closing [1] ends a wait for input on the thread; -1: there is no thread */
    size_t peek_at, peek_len;
    uint64_t consumed;
    cg_stream raw;    /* the file as it is; self is this source */
    cg_stream stream; /* what is read from: `raw`, or on top of it */
    char peeked[PEEK_ROOM];
};

static callgauge_status fail_errno(const char *name, const char *what, int number, callgauge_error *err)
{
    char why[128];
    if (strerror_r(number, why, sizeof why) != 0) {
        why[0] = '\0';
    }
    return cg_fail(err, CALLGAUGE_E_IO, (cg_place){ .name = name }, "%s: %s", what, why);
}

/* Waits until there is input; false: the source is being freed. */
static bool wait_for_input(const cg_source *source)
{
    struct pollfd fds[] = { { .fd = source->fd, .events = POLLIN }, { .fd = source->wake[0], .events = POLLIN } };
    while (poll(fds, 2, -1) < 0 && (errno == EINTR || errno == EAGAIN)) {
    }
    return fds[1].revents == 0;
}

static callgauge_status read_fd(cg_source *source, char *to, size_t room, size_t *got, callgauge_error *err)
{
    ssize_t n;
    do {
        if (!source->regular && !wait_for_input(source)) {
            return cg_fail(err, CALLGAUGE_E_STOPPED, (cg_place){ .name = source->name }, "is being closed");
        }
        n = read(source->fd, to, room);
    } while (n < 0 && (errno == EINTR || errno == EAGAIN));
    if (n < 0) {
        return fail_errno(source->name, "cannot be read", errno, err);
    }
    source->consumed += (uint64_t)n;
    *got = (size_t)n;
    return CALLGAUGE_OK;
}

static callgauge_status raw_next_member(void *self, callgauge_error *err)
{
    (void)err;
    cg_source *source = self;
    bool first = !source->begun;
    source->begun = true;
    return first ? CALLGAUGE_OK : CALLGAUGE_END;
}

static callgauge_status raw_read(void *self, char *to, size_t room, size_t *got, callgauge_error *err)
{
    cg_source *source = self;
    size_t left = source->peek_len - source->peek_at;
    if (left == 0) {
        return read_fd(source, to, room, got, err);
    }
    *got = left < room ? left : room;
    memcpy(to, source->peeked + source->peek_at, *got);
    source->peek_at += *got;
    return CALLGAUGE_OK;
}

static const char *raw_member(const void *self)
{
    (void)self;
    return NULL;
}

static uint64_t raw_consumed(const void *self)
{
    const cg_source *source = self;
    return source->consumed;
}

static void raw_free(void *self)
{
    (void)self; /* cg_source_free() does it */
}

/* Looks at the first bytes: a regular file's stay unread, others are kept to be given later. */
static callgauge_status peek(cg_source *source, size_t *seen, callgauge_error *err)
{
    if (source->regular) {
        off_t at = lseek(source->fd, 0, SEEK_CUR);
        ssize_t n = pread(source->fd, source->peeked, PEEK_ROOM, at);
        if (n < 0) {
            return fail_errno(source->name, "cannot be read", errno, err);
        }
        *seen = (size_t)n;
        return CALLGAUGE_OK;
    }
    size_t got = 1;
    while (got > 0 && source->peek_len < PEEK_ROOM) {
        callgauge_status st = read_fd(source, source->peeked + source->peek_len, PEEK_ROOM - source->peek_len, &got,
                                      err);
        if (st != CALLGAUGE_OK) {
            return st;
        }
        source->peek_len += got;
    }
    *seen = source->peek_len;
    return CALLGAUGE_OK;
}

static cg_packing packing_of(const char *bytes, size_t len)
{
    static const struct {
        cg_packing packing;
        size_t at, len;
        const char *magic;
    } known[] = {
        { CG_PACKING_GZIP, 0, 2, "\x1f\x8b" },       { CG_PACKING_ZSTD, 0, 4, "\x28\xb5\x2f\xfd" },
        { CG_PACKING_XZ, 0, 6, "\xfd\x37\x7aXZ\0" }, { CG_PACKING_BZIP2, 0, 3, "BZh" },
        { CG_PACKING_TAR, 257, 5, "ustar" },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].at + known[i].len <= len && memcmp(bytes + known[i].at, known[i].magic, known[i].len) == 0) {
            return known[i].packing;
        }
    }
    return CG_PACKING_NONE;
}

/* What lets cg_source_free() end a wait for input on the other thread. */
static callgauge_status open_wake(cg_source *source, callgauge_error *err)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return fail_errno(source->name, "cannot be watched", errno, err);
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    source->wake[0] = ends[0];
    source->wake[1] = ends[1];
    return CALLGAUGE_OK;
}

static callgauge_status open_packed(cg_source *source, cg_packing packing, bool no_thread, callgauge_error *err)
{
    callgauge_status st = cg_archive_open(packing, source->name, &source->raw, &source->stream, err);
    if (st == CALLGAUGE_OK && !no_thread && !source->regular) {
        st = open_wake(source, err);
    }
    if (st == CALLGAUGE_OK && !no_thread) {
        st = cg_unpack_start(source->stream, &source->stream, err);
    }
    return st;
}

static callgauge_status open_stream(cg_source *source, bool no_thread, callgauge_error *err)
{
    struct stat info;
    if (fstat(source->fd, &info) != 0) {
        return fail_errno(source->name, "cannot be read", errno, err);
    }
    if (S_ISDIR(info.st_mode)) {
        return cg_fail(err, CALLGAUGE_E_IO, (cg_place){ .name = source->name }, "is a directory");
    }
    source->regular = S_ISREG(info.st_mode);
#ifdef POSIX_FADV_SEQUENTIAL
    posix_fadvise(source->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
    size_t seen = 0;
    callgauge_status st = peek(source, &seen, err);
    if (st != CALLGAUGE_OK) {
        return st;
    }
    cg_packing packing = packing_of(source->peeked, seen);
    return packing == CG_PACKING_NONE ? CALLGAUGE_OK : open_packed(source, packing, no_thread, err);
}

static cg_source *new_source(int fd, bool owns_fd, const char *name)
{
    cg_source *source = cg_mem_zeroed(1, sizeof *source);
    char *copy = cg_mem_alloc(strlen(name) + 1);
    if (source == NULL || copy == NULL) {
        cg_mem_free(source);
        cg_mem_free(copy);
        return NULL;
    }
    source->name = memcpy(copy, name, strlen(name) + 1);
    source->fd = fd;
    source->owns_fd = owns_fd;
    source->wake[0] = source->wake[1] = -1;
    source->raw = (cg_stream){ source, raw_next_member, raw_read, raw_member, raw_consumed, raw_free };
    source->stream = source->raw;
    return source;
}

static callgauge_status open_as(int fd, bool owns_fd, const char *name, bool no_thread, cg_source **out,
                                callgauge_error *err)
{
    cg_source *source = new_source(fd, owns_fd, name);
    if (source == NULL) {
        if (owns_fd) {
            close(fd);
        }
        return cg_fail_nomem(err);
    }
    callgauge_status st = open_stream(source, no_thread, err);
    if (st != CALLGAUGE_OK) {
        cg_source_free(source);
        return st;
    }
    *out = source;
    return CALLGAUGE_OK;
}

callgauge_status cg_source_open(const char *path, bool no_thread, cg_source **out, callgauge_error *err)
{
    if (strcmp(path, "-") == 0) {
        return open_as(STDIN_FILENO, false, "standard input", no_thread, out, err);
    }
    int fd;
    do {
        fd = open(path, O_RDONLY | O_CLOEXEC);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0) {
        return fail_errno(path, "cannot be opened", errno, err);
    }
    return open_as(fd, true, path, no_thread, out, err);
}

callgauge_status cg_source_open_fd(int fd, const char *name, bool no_thread, cg_source **out, callgauge_error *err)
{
    return open_as(fd, false, name, no_thread, out, err);
}

callgauge_status cg_source_next_member(cg_source *source, callgauge_error *err)
{
    return source->stream.next_member(source->stream.self, err);
}

callgauge_status cg_source_read(cg_source *source, char *to, size_t room, size_t *got, callgauge_error *err)
{
    return source->stream.read(source->stream.self, to, room, got, err);
}

const char *cg_source_member(const cg_source *source)
{
    return source->stream.member(source->stream.self);
}

uint64_t cg_source_consumed(const cg_source *source)
{
    return source->stream.consumed(source->stream.self);
}

static void close_if_open(int fd)
{
    if (fd >= 0) {
        close(fd);
    }
}

void cg_source_free(cg_source *source)
{
    if (source == NULL) {
        return;
    }
    close_if_open(source->wake[1]); /* first: the thread may be waiting for input */
    source->stream.free(source->stream.self);
    close_if_open(source->wake[0]);
    if (source->owns_fd) {
        close(source->fd);
    }
    cg_mem_free(source->name);
    cg_mem_free(source);
}

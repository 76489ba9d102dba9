/* SPDX-License-Identifier: Apache-2.0 */
/* input/source: the same members and bytes from a file and a pipe, with and without a thread, however
 * they are packed; and what is said of damage. The packed rows hold "close(3) = 0\n" as gzip 1.12,
 * zstd 1.5, xz 5.4 and bzip2 1.0 pack it, and the bundle of the first row of bundles; the other
 * bundles are written here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/str.h"
#include "input/source.h"

#define TEXT "close(3) = 0\n"
#define GZIP_HEAD "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"
#define GZIP_CODE "\x4b\xce\xc9\x2f\x4e\xd5\x30\xd6\x54\xb0\x55\x30\xe0\x02\x00"
#define GZIP_OTHER_CODE "\x6b\xce\xc9\x2f\x4e\xd5\x30\xd6\x54\xb0\x55\x30\xe0\x02\x00" /* one bit, one letter */
#define GZIP_END "\xb2\x4d\x56\x0e\x0d\x00\x00\x00"
#define GZIP GZIP_HEAD GZIP_CODE GZIP_END
#define GZIP_EMPTY GZIP_HEAD "\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00"
#define GZIP_TAR \
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\xc9\x4f\xd7\x33\x64\xa0\x2d\x30\x00\x02\x33\x13\x13" \
    "\x30\x0d\x04\xe8\x34\x10\x98\x22\xb1\x41\xe2\x66\x66\x06\xc6\x0c\x0a\x06\x0c\x74\x00\xa5\xc5\x25" \
    "\x89\x45\x40\x2b\x19\x46\x26\x28\x4a\x4d\x4c\xe1\x62\x18\x05\x23\x15\xe4\x00\xf3\xbf\xd1\x80\xe7" \
    "\x7f\x33\xcc\xfc\x6f\x3a\x9a\xff\xe9\x01\xca\x8b\x32\x4b\x52\x47\x0b\x80\x51\x30\x0a\x46\xc1\x28" \
    "\x18\x71\x00\x00"
#define GZIP_TAR_END "\x7a\x48\xdc\xaf\x00\x0c\x00\x00"
#define ZSTD_HEAD "\x28\xb5\x2f\xfd\x24\x0d\x69\x00\x00" TEXT
#define ZSTD ZSTD_HEAD "\x0f\x94\xf2\xe9"
#define XZ \
    "\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f\xe5\xa3" \
    "\x01\x00\x0c" TEXT "\x00\x00\x00\x00\x15\x4b\xbf\x7e\xc9\x59\xbd\x67\x00\x01\x25\x0d\x71\x19\xc4" \
    "\xb6\x1f\xb6\xf3\x7d\x01\x00\x00\x00\x00\x04\x59\x5a"
#define BZIP2 \
    "BZh9\x31\x41\x59\x26\x53\x59\x87\x95\x29\x73\x00\x00\x04\x59\x80\x00\x10\x40\x60\x48\x02\x0a\x04" \
    "\x88\x00\x20\x00\x31\x03\x40\xd0\x20\x06\x86\x93\x75\x82\xc3\x03\xbc\x7c\x5d\xc9\x14\xe1\x42\x42" \
    "\x1e\x54\xa5\xcc"

enum { OUT_ROOM = 8 << 20 };

/* --- what comes out: each member's name in brackets and its bytes, then what stopped it */

static callgauge_status read_members(cg_source *source, cg_buf *out, callgauge_error *err)
{
    char piece[1000];
    size_t got = 0;
    callgauge_status st;
    while ((st = cg_source_next_member(source, err)) == CALLGAUGE_OK) {
        const char *name = cg_source_member(source);
        assert_true(cg_buf_printf(out, "[%s]", name == NULL ? "" : name));
        while ((st = cg_source_read(source, piece, sizeof piece, &got, err)) == CALLGAUGE_OK && got > 0) {
            assert_true(cg_buf_add(out, piece, got));
        }
        if (st != CALLGAUGE_OK) {
            break;
        }
    }
    assert_int_equal(cg_source_next_member(source, NULL), st); /* the end and a failure stay */
    return st;
}

static void transcribe(int fd, bool no_thread, cg_buf *out)
{
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    cg_source *source = NULL;
    callgauge_status st = cg_source_open_fd(fd, "x", no_thread, &source, &err);
    if (st == CALLGAUGE_OK) {
        st = read_members(source, out, &err);
    }
    if (st != CALLGAUGE_END) {
        assert_string_equal(err.source, "x");
        assert_int_equal(err.status, st);
        assert_true(cg_buf_printf(out, "%d %s", (int)st, err.message));
    }
    cg_source_free(source);
}

static int file_with(const char *data, size_t len)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, len, file), len);
    assert_int_equal(fflush(file), 0);
    int fd = dup(fileno(file));
    fclose(file);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

/* For data that fits into a pipe's buffer. */
static int pipe_with(const char *data, size_t len)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], data, len), len);
    close(ends[1]);
    return ends[0];
}

static void check_transcript(int fd, bool no_thread, const char *expected)
{
    cg_buf out;
    cg_buf_init(&out, OUT_ROOM);
    transcribe(fd, no_thread, &out);
    assert_true(cg_buf_add_char(&out, '\0'));
    assert_string_equal(out.data, expected);
    cg_buf_release(&out);
    close(fd);
}

static void check_every_way(const char *data, size_t len, const char *expected)
{
    for (int no_thread = 0; no_thread < 2; no_thread++) {
        check_transcript(file_with(data, len), no_thread, expected);
        check_transcript(pipe_with(data, len), no_thread, expected);
    }
}

/* --- files that are as they are or packed */

struct row {
    const char *name;
    callgauge_str data;
    const char *expected;
};

#define BYTES(text) \
    { \
        (text), sizeof(text) - 1 \
    }
#define DAMAGED "-2 is damaged or cut: "

static struct row rows[] = {
    { "plain", BYTES(TEXT), "[]" TEXT },
    { "empty", BYTES(""), "[]" },
    { "one byte", BYTES("\x1f"), "[]\x1f" },
    { "nearly bzip2", BYTES("BZ"), "[]BZ" },
#ifdef CG_HAVE_ARCHIVE
    { "gzip", BYTES(GZIP), "[]" TEXT },
    { "zstd", BYTES(ZSTD), "[]" TEXT },
    { "xz", BYTES(XZ), "[]" TEXT },
    { "bzip2", BYTES(BZIP2), "[]" TEXT },
    { "gzip twice", BYTES(GZIP GZIP), "[]" TEXT TEXT },
    { "zstd twice", BYTES(ZSTD ZSTD), "[]" TEXT TEXT },
    { "xz twice", BYTES(XZ XZ), "[]" TEXT TEXT },
    { "bzip2 twice", BYTES(BZIP2 BZIP2), "[]" TEXT TEXT },
    { "gzip of nothing", BYTES(GZIP_EMPTY), "-3 holds nothing" },
    { "gzip and nothing behind", BYTES(GZIP GZIP_EMPTY), "[]" TEXT },
    { "gzip of a bundle", BYTES(GZIP_TAR GZIP_TAR_END), "[log.1]read\n[log.2]write\n" },
    { "gzip without its end", BYTES(GZIP_HEAD "\x4b\xce\xc9\x2f"), DAMAGED "truncated gzip input" },
    { "gzip without its header", BYTES("\x1f\x8b\x08\x00"), DAMAGED "its header is not whole" },
    { "gzip with a bit changed", BYTES(GZIP_HEAD GZIP_OTHER_CODE GZIP_END),
      "[]\x83lose(3) = 0\n" DAMAGED "its sum is wrong" },
    { "gzip twice, the first changed", BYTES(GZIP_HEAD GZIP_OTHER_CODE GZIP_END GZIP),
      "[]\x83lose(3) = 0\n" TEXT DAMAGED "its sum is wrong" },
    { "gzip of a bundle, changed", BYTES(GZIP_TAR GZIP_END), "[log.1]read\n[log.2]write\n" DAMAGED "its sum is wrong" },
    { "gzip, then text", BYTES(GZIP TEXT), "[]" TEXT DAMAGED "other bytes follow its end" },
    { "bzip2, then text", BYTES(BZIP2 TEXT), "[]" TEXT DAMAGED "other bytes follow its end" },
    { "zstd with a wrong sum", BYTES(ZSTD_HEAD "\x0f\x94\xf2\xe8"),
      DAMAGED "Zstd decompression failed: Restored data doesn't match checksum" },
#else
    { "gzip", BYTES(GZIP), "-6 packed with gzip, and this build has no libarchive" },
    { "zstd", BYTES(ZSTD), "-6 packed with zstd, and this build has no libarchive" },
    { "xz", BYTES(XZ), "-6 packed with xz, and this build has no libarchive" },
    { "bzip2", BYTES(BZIP2), "-6 packed with bzip2, and this build has no libarchive" },
#endif
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    check_every_way(row->data.ptr, row->data.len, row->expected);
}

#ifdef CG_HAVE_ARCHIVE

/* --- bundles, written as POSIX says */

enum { TAR_BLOCK = 512 };

struct member {
    const char *name;
    char type;
    const char *text; /* NULL: the end of the list */
};

static void add_header(cg_buf *tar, const char *name, char type, size_t size)
{
    char head[TAR_BLOCK] = { 0 };
    snprintf(head, 100, "%s", name);
    snprintf(head + 100, 25, "0000644%c0000000%c0000000", '\0', '\0');
    snprintf(head + 124, 25, "%011zo%c00000000000", size, '\0');
    memset(head + 148, ' ', 8);
    head[156] = type;
    snprintf(head + 157, 100, "%s", type == '1' || type == '2' ? "log.1" : "");
    memcpy(head + 257, "ustar\00000", 8);
    unsigned sum = 0;
    for (size_t i = 0; i < sizeof head; i++) {
        sum += (unsigned char)head[i];
    }
    snprintf(head + 148, 8, "%06o", sum);
    assert_true(cg_buf_add(tar, head, sizeof head));
}

static void add_member(cg_buf *tar, const char *name, char type, callgauge_str text)
{
    static const char zeros[TAR_BLOCK];
    add_header(tar, name, type, text.len);
    assert_true(cg_buf_add_str(tar, text));
    assert_true(cg_buf_add(tar, zeros, (TAR_BLOCK - text.len % TAR_BLOCK) % TAR_BLOCK));
}

static void end_tar(cg_buf *tar)
{
    static const char zeros[2 * TAR_BLOCK];
    assert_true(cg_buf_add(tar, zeros, sizeof zeros));
}

struct bundle {
    const char *name;
    struct member members[6];
    size_t cut; /* bytes taken off at the end */
    const char *expected;
};

static struct bundle bundles[] = {
    { "two logs", { { "log.1", '0', "read\n" }, { "log.2", '0', "write\n" } }, 0, "[log.1]read\n[log.2]write\n" },
    { "an empty log", { { "log.1", '0', "" }, { "log.2", '0', "write\n" } }, 0, "[log.1][log.2]write\n" },
    { "what is no log",
      { { "d/", '5', "" }, { "d/log.1", '0', "read\n" }, { "d/log.2", '1', "" }, { "d/log.3", '2', "" } },
      0,
      "[d/log.1]read\n" },
    { "directories only", { { "d/", '5', "" }, { "d/e/", '5', "" } }, 0, "-3 holds no regular file" },
    { "cut in the second",
      { { "log.1", '0', "read\n" }, { "log.2", '0', "write\n" } },
      3 * TAR_BLOCK - 3,
      "[log.1]read\n[log.2]wri" DAMAGED "Truncated tar archive" },
};

enum { BUNDLES = sizeof bundles / sizeof *bundles };

static void check_bundle(void **state)
{
    const struct bundle *bundle = *state;
    cg_buf tar;
    cg_buf_init(&tar, OUT_ROOM);
    for (const struct member *member = bundle->members; member->text != NULL; member++) {
        add_member(&tar, member->name, member->type, cg_str_z(member->text));
    }
    end_tar(&tar);
    check_every_way(tar.data, tar.len - bundle->cut, bundle->expected);
    cg_buf_release(&tar);
}

/* A bundle of two members of 3,000,000 bytes, more than the ring of the thread holds. */
static int big_bundle(cg_buf *text)
{
    cg_buf tar;
    cg_buf_init(&tar, OUT_ROOM);
    cg_buf_init(text, OUT_ROOM);
    for (unsigned i = 0; text->len < 3000000; i++) {
        assert_true(cg_buf_printf(text, "%06u read(3, \"\", 8192) = 0\n", i));
    }
    add_member(&tar, "log.1", '0', cg_buf_str(text));
    add_member(&tar, "log.2", '0', cg_buf_str(text));
    end_tar(&tar);
    int fd = file_with(tar.data, tar.len);
    cg_buf_release(&tar);
    return fd;
}

static void check_big(void **state)
{
    (void)state;
    cg_buf text, out, expected;
    int fd = big_bundle(&text);
    cg_buf_init(&expected, OUT_ROOM);
    assert_true(cg_buf_add_z(&expected, "[log.1]") && cg_buf_add_str(&expected, cg_buf_str(&text)));
    assert_true(cg_buf_add_z(&expected, "[log.2]") && cg_buf_add_str(&expected, cg_buf_str(&text)));
    for (int no_thread = 0; no_thread < 2; no_thread++) {
        cg_buf_init(&out, OUT_ROOM);
        assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
        transcribe(fd, no_thread, &out);
        assert_true(cg_str_eq(cg_buf_str(&out), cg_buf_str(&expected)));
        cg_buf_release(&out);
    }
    cg_buf_release(&expected);
    cg_buf_release(&text);
    close(fd);
}

/* A member left half read is passed over. */
static void check_skipped_member(void **state)
{
    (void)state;
    cg_buf text;
    char piece[100];
    size_t got;
    int fd = big_bundle(&text);
    for (int no_thread = 0; no_thread < 2; no_thread++) {
        cg_source *source;
        assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
        assert_int_equal(cg_source_open_fd(fd, "x", no_thread, &source, NULL), CALLGAUGE_OK);
        assert_int_equal(cg_source_next_member(source, NULL), CALLGAUGE_OK);
        assert_int_equal(cg_source_read(source, piece, sizeof piece, &got, NULL), CALLGAUGE_OK);
        assert_int_equal(cg_source_next_member(source, NULL), CALLGAUGE_OK);
        assert_string_equal(cg_source_member(source), "log.2");
        assert_int_equal(cg_source_read(source, piece, sizeof piece, &got, NULL), CALLGAUGE_OK);
        assert_memory_equal(piece, text.data, got);
        assert_int_equal(cg_source_next_member(source, NULL), CALLGAUGE_END);
        cg_source_free(source);
    }
    cg_buf_release(&text);
    close(fd);
}

/* Freed while the thread waits for room, and before anything was read. */
static void check_freed_early(void **state)
{
    (void)state;
    cg_buf text;
    char piece[100];
    size_t got;
    cg_source *source;
    int fd = big_bundle(&text);
    cg_buf_release(&text);
    for (int round = 0; round < 20; round++) {
        assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
        assert_int_equal(cg_source_open_fd(fd, "x", false, &source, NULL), CALLGAUGE_OK);
        if (round % 2 == 1) {
            assert_int_equal(cg_source_next_member(source, NULL), CALLGAUGE_OK);
            assert_int_equal(cg_source_read(source, piece, sizeof piece, &got, NULL), CALLGAUGE_OK);
        }
        cg_source_free(source);
    }
    close(fd);
}

/* Freed while the thread waits for a pipe that says nothing and does not end. */
static void check_freed_in_silence(void **state)
{
    (void)state;
    cg_buf tar;
    int ends[2];
    cg_source *source;
    cg_buf_init(&tar, OUT_ROOM);
    add_member(&tar, "log.1", '0', cg_str_z("read\n"));
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], tar.data, tar.len), tar.len);
    alarm(60); /* fails instead of hanging */
    assert_int_equal(cg_source_open_fd(ends[0], "x", false, &source, NULL), CALLGAUGE_OK);
    cg_source_free(source);
    alarm(0);
    close(ends[0]);
    close(ends[1]);
    cg_buf_release(&tar);
}

#endif

/* --- places that cannot be read, and descriptors that stand somewhere */

static void check_refused(void **state)
{
    (void)state;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    cg_source *source = NULL;
    assert_int_equal(cg_source_open("/", false, &source, &err), CALLGAUGE_E_IO);
    assert_string_equal(err.message, "is a directory");
    assert_string_equal(err.source, "/");
    assert_int_equal(cg_source_open("/no/such/file", false, &source, &err), CALLGAUGE_E_IO);
    assert_string_equal(err.message, "cannot be opened: No such file or directory");
    assert_int_equal(cg_source_open_fd(-1, "x", false, &source, &err), CALLGAUGE_E_IO);
    assert_string_equal(err.message, "cannot be read: Bad file descriptor");
    assert_null(source);
    cg_source_free(NULL);
}

static void check_from_the_middle(void **state)
{
    (void)state;
    int fd = file_with("read\nclose\n", 11);
    char piece[100];
    size_t got;
    cg_source *source;
    assert_int_equal(lseek(fd, 5, SEEK_SET), 5);
    assert_int_equal(cg_source_open_fd(fd, "x", false, &source, NULL), CALLGAUGE_OK);
    assert_int_equal(cg_source_next_member(source, NULL), CALLGAUGE_OK);
    assert_int_equal(cg_source_consumed(source), 0);
    assert_int_equal(cg_source_read(source, piece, sizeof piece, &got, NULL), CALLGAUGE_OK);
    assert_int_equal(got, 6);
    assert_memory_equal(piece, "close\n", 6);
    assert_int_equal(cg_source_consumed(source), 6);
    cg_source_free(source);
    assert_int_equal(lseek(fd, 0, SEEK_CUR), 11); /* neither closed nor rewound */
    close(fd);
}

/* What was looked at is given once, in pieces of any size, and the rest behind it. */
static void check_pieces(void **state)
{
    (void)state;
    char data[2000], seen[2000];
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = (char)('a' + i % 26);
    }
    int fd = pipe_with(data, sizeof data);
    size_t len = 0, got;
    cg_source *source;
    assert_int_equal(cg_source_open_fd(fd, "x", false, &source, NULL), CALLGAUGE_OK);
    assert_int_equal(cg_source_next_member(source, NULL), CALLGAUGE_OK);
    do {
        size_t room = sizeof seen - len < 7 ? sizeof seen - len : 7;
        assert_int_equal(cg_source_read(source, seen + len, room, &got, NULL), CALLGAUGE_OK);
        len += got;
    } while (got > 0 && len < sizeof seen);
    assert_int_equal(len, sizeof data);
    assert_memory_equal(seen, data, sizeof data);
    cg_source_free(source);
    close(fd);
}

static const struct CMUnitTest others[] = {
    cmocka_unit_test(check_refused),     cmocka_unit_test(check_from_the_middle),
    cmocka_unit_test(check_pieces),
#ifdef CG_HAVE_ARCHIVE
    cmocka_unit_test(check_big),         cmocka_unit_test(check_skipped_member),
    cmocka_unit_test(check_freed_early), cmocka_unit_test(check_freed_in_silence),
#endif
};

enum { OTHERS = sizeof others / sizeof *others };

int main(void)
{
    struct CMUnitTest tests[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    int failed = cmocka_run_group_tests_name("source", tests, NULL, NULL);
#ifdef CG_HAVE_ARCHIVE
    struct CMUnitTest bundled[BUNDLES];
    for (size_t i = 0; i < BUNDLES; i++) {
        bundled[i] =
            (struct CMUnitTest){ .name = bundles[i].name, .test_func = check_bundle, .initial_state = &bundles[i] };
    }
    failed += cmocka_run_group_tests_name("bundles", bundled, NULL, NULL);
#endif
    return failed + cmocka_run_group_tests_name("descriptors", others, NULL, NULL);
}

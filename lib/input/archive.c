/* SPDX-License-Identifier: Apache-2.0 */
/* Packed bytes to the bytes of their members, by libarchive. Holes of sparse members become the NULs
 * they stand for. Data is taken in libarchive's own blocks, because its copying call drops what it
 * has when damage follows. libarchive ends in silence at the first bytes of a gzip or bzip2 file that
 * make no sense to it; that all were used is checked here. Without CG_HAVE_ARCHIVE this file only
 * says that it is missing. */
#include "input/archive.h"

#include "base/error.h"

#ifdef CG_HAVE_ARCHIVE

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>

#include "base/mem.h"

enum { RAW_ROOM = 65536 };

struct packed {
    struct archive *archive;
    cg_packing packing;
    const char *name;
    const cg_stream *raw;
    bool any;         /* a member was given */
    char *member;     /* of a bundle; NULL for a single packed file */
    const char *data; /* what is left of libarchive's present block */
    size_t len;
    int64_t at;              /* offset in the member of the next byte given */
    int64_t data_at;         /* offset of `data`; what lies between is a hole */
    callgauge_status status; /* CALLGAUGE_OK until the stream has ended or failed */
    callgauge_error fault;   /* filled when it has failed */
    char block[RAW_ROOM];
};

static la_ssize_t pull(struct archive *archive, void *client, const void **block)
{
    struct packed *packed = client;
    size_t got = 0;
    callgauge_status st = packed->raw->read(packed->raw->self, packed->block, RAW_ROOM, &got, &packed->fault);
    if (st != CALLGAUGE_OK) {
        packed->status = st;
        archive_set_error(archive, EIO, "cannot be read");
        return ARCHIVE_FATAL;
    }
    *block = packed->block;
    return (la_ssize_t)got;
}

/* Ends the stream. The first failure is kept: that of the file itself explains libarchive's. */
static callgauge_status broken(struct packed *packed, const char *why, callgauge_error *err)
{
    if (packed->status == CALLGAUGE_OK && archive_errno(packed->archive) == ENOMEM) {
        packed->status = cg_fail_nomem(&packed->fault);
    } else if (packed->status == CALLGAUGE_OK) {
        packed->status = cg_fail(&packed->fault, CALLGAUGE_E_IO, (cg_place){ .name = packed->name },
                                 "is damaged or cut: %s", why == NULL ? "unknown fault" : why);
    }
    return cg_fail(err, packed->status, (cg_place){ .name = packed->fault.source }, "%s", packed->fault.message);
}

static callgauge_status broken_inside(struct packed *packed, callgauge_error *err)
{
    return broken(packed, archive_error_string(packed->archive), err);
}

/* Whether the file goes on behind what was unpacked. */
static bool has_rest(struct packed *packed)
{
    const void *block;
    uint64_t used = (uint64_t)archive_filter_bytes(packed->archive, 1);
    return packed->raw->consumed(packed->raw->self) != used || pull(packed->archive, packed, &block) != 0;
}

static const char *name_of(struct archive_entry *entry)
{
    const char *name = archive_entry_pathname(entry);
    if (name == NULL) {
        name = archive_entry_pathname_utf8(entry); /* the locale has no such characters */
    }
    return name == NULL ? "unnamed" : name;
}

static callgauge_status enter_member(struct packed *packed, struct archive_entry *entry, callgauge_error *err)
{
    cg_mem_free(packed->member);
    packed->member = NULL;
    packed->any = true;
    packed->len = 0;
    packed->at = packed->data_at = 0;
    if (packed->packing != CG_PACKING_TAR && archive_filter_code(packed->archive, 0) == ARCHIVE_FILTER_NONE) {
        return broken(packed, "its header is not whole", err);
    }
    if (archive_format(packed->archive) == ARCHIVE_FORMAT_RAW) {
        return CALLGAUGE_OK;
    }
    const char *name = name_of(entry);
    size_t size = strlen(name) + 1;
    packed->member = cg_mem_alloc(size);
    if (packed->member == NULL) {
        packed->status = cg_fail_nomem(&packed->fault);
        return cg_fail_nomem(err);
    }
    memcpy(packed->member, name, size);
    return CALLGAUGE_OK;
}

static callgauge_status no_more_members(struct packed *packed, callgauge_error *err)
{
    if (packed->any) {
        packed->status = CALLGAUGE_END;
        return CALLGAUGE_END;
    }
    bool empty = archive_format(packed->archive) == ARCHIVE_FORMAT_EMPTY;
    packed->status = cg_fail(&packed->fault, CALLGAUGE_E_FORMAT, (cg_place){ .name = packed->name },
                             empty ? "holds nothing" : "holds no regular file");
    return broken_inside(packed, err);
}

/* What libarchive would answer after the end, were it not to take the question as a fault. */
static int answer_after_end(const struct packed *packed)
{
    return packed->status == CALLGAUGE_END ? ARCHIVE_EOF : ARCHIVE_FATAL;
}

static callgauge_status packed_next_member(void *self, callgauge_error *err)
{
    struct packed *packed = self;
    struct archive_entry *entry;
    for (;;) {
        int answer = packed->status == CALLGAUGE_OK ? archive_read_next_header(packed->archive, &entry)
                                                    : answer_after_end(packed);
        if (answer == ARCHIVE_EOF) {
            return no_more_members(packed, err);
        }
        if (answer == ARCHIVE_FAILED || answer == ARCHIVE_FATAL) {
            return broken_inside(packed, err);
        }
        bool regular = archive_entry_filetype(entry) == AE_IFREG && archive_entry_hardlink(entry) == NULL;
        if (answer != ARCHIVE_RETRY && regular) {
            return enter_member(packed, entry, err);
        }
    }
}

/* The member has ended, perhaps with a hole up to `offset`. */
static callgauge_status end_of_data(struct packed *packed, int64_t offset, callgauge_error *err)
{
    if (offset > packed->data_at) {
        packed->data_at = offset;
        return CALLGAUGE_OK;
    }
    if (archive_format(packed->archive) == ARCHIVE_FORMAT_RAW && has_rest(packed)) {
        return broken(packed, "other bytes follow its end", err);
    }
    return CALLGAUGE_END;
}

/* Fetches libarchive's next block. CALLGAUGE_END: the member has ended. */
static callgauge_status fetch_block(struct packed *packed, callgauge_error *err)
{
    const void *data = NULL;
    size_t len = 0;
    la_int64_t offset = 0;
    int answer;
    do {
        answer = packed->status == CALLGAUGE_OK ? archive_read_data_block(packed->archive, &data, &len, &offset)
                                                : answer_after_end(packed);
    } while (answer == ARCHIVE_RETRY);
    if (answer == ARCHIVE_EOF) {
        return end_of_data(packed, offset, err);
    }
    if (answer != ARCHIVE_OK && answer != ARCHIVE_WARN) {
        return broken_inside(packed, err);
    }
    packed->data = data;
    packed->len = len;
    packed->data_at = offset;
    return CALLGAUGE_OK;
}

static size_t take(struct packed *packed, char *to, size_t room)
{
    size_t n;
    if (packed->at < packed->data_at) {
        uint64_t hole = (uint64_t)(packed->data_at - packed->at);
        n = hole < room ? (size_t)hole : room;
        memset(to, 0, n);
    } else {
        n = packed->len < room ? packed->len : room;
        memcpy(to, packed->data, n);
        packed->data += n;
        packed->len -= n;
        packed->data_at += (int64_t)n;
    }
    packed->at += (int64_t)n;
    return n;
}

static callgauge_status packed_read(void *self, char *to, size_t room, size_t *got, callgauge_error *err)
{
    struct packed *packed = self;
    while (packed->len == 0 && packed->at >= packed->data_at) {
        callgauge_status st = fetch_block(packed, err);
        if (st == CALLGAUGE_END) {
            *got = 0;
            return CALLGAUGE_OK;
        }
        if (st != CALLGAUGE_OK) {
            return st;
        }
    }
    *got = take(packed, to, room);
    return CALLGAUGE_OK;
}

static const char *packed_member(const void *self)
{
    const struct packed *packed = self;
    return packed->member;
}

static uint64_t packed_consumed(const void *self)
{
    const struct packed *packed = self;
    return packed->raw->consumed(packed->raw->self);
}

static void packed_free(void *self)
{
    struct packed *packed = self;
    archive_read_free(packed->archive);
    cg_mem_free(packed->member);
    cg_mem_free(packed);
}

static int support(struct archive *archive, cg_packing packing)
{
    switch (packing) {
    case CG_PACKING_GZIP: return archive_read_support_filter_gzip(archive);
    case CG_PACKING_ZSTD: return archive_read_support_filter_zstd(archive);
    case CG_PACKING_XZ: return archive_read_support_filter_xz(archive);
    case CG_PACKING_BZIP2: return archive_read_support_filter_bzip2(archive);
    case CG_PACKING_TAR:
    case CG_PACKING_NONE: return ARCHIVE_OK;
    }
    return ARCHIVE_FATAL;
}

static callgauge_status begin(struct packed *packed, callgauge_error *err)
{
    struct archive *archive = packed->archive;
    /* Anything but OK, and libarchive would start an outside program for it. */
    if (support(archive, packed->packing) != ARCHIVE_OK) {
        return cg_fail(err, CALLGAUGE_E_UNSUPPORTED, (cg_place){ .name = packed->name },
                       "packed with %s, and this libarchive cannot unpack it", cg_packing_text(packed->packing));
    }
    archive_read_support_format_tar(archive);
    archive_read_support_format_raw(archive);
    archive_read_support_format_empty(archive);
    archive_read_set_callback_data(archive, packed);
    archive_read_set_read_callback(archive, pull);
    return archive_read_open1(archive) == ARCHIVE_OK ? CALLGAUGE_OK : broken_inside(packed, err);
}

callgauge_status cg_archive_open(cg_packing packing, const char *name, const cg_stream *raw, cg_stream *out,
                                 callgauge_error *err)
{
    struct packed *packed = cg_mem_zeroed(1, sizeof *packed);
    if (packed == NULL) {
        return cg_fail_nomem(err);
    }
    packed->packing = packing;
    packed->name = name;
    packed->raw = raw;
    packed->fault = (callgauge_error)CALLGAUGE_ERROR_INIT;
    packed->archive = archive_read_new();
    callgauge_status st = packed->archive == NULL ? cg_fail_nomem(err) : begin(packed, err);
    if (st != CALLGAUGE_OK) {
        packed_free(packed);
        return st;
    }
    *out = (cg_stream){ packed, packed_next_member, packed_read, packed_member, packed_consumed, packed_free };
    return CALLGAUGE_OK;
}

#else

callgauge_status cg_archive_open(cg_packing packing, const char *name, const cg_stream *raw, cg_stream *out,
                                 callgauge_error *err)
{
    (void)raw;
    (void)out;
    return cg_fail(err, CALLGAUGE_E_UNSUPPORTED, (cg_place){ .name = name },
                   "packed with %s, and this build has no libarchive", cg_packing_text(packing));
}

#endif

const char *cg_packing_text(cg_packing packing)
{
    switch (packing) {
    case CG_PACKING_NONE: break;
    case CG_PACKING_GZIP: return "gzip";
    case CG_PACKING_ZSTD: return "zstd";
    case CG_PACKING_XZ: return "xz";
    case CG_PACKING_BZIP2: return "bzip2";
    case CG_PACKING_TAR: return "tar";
    }
    return "nothing";
}

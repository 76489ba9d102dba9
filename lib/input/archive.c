/* SPDX-License-Identifier: Apache-2.0 */
/* Packed bytes to the bytes of their members, by libarchive, in layers: one undoes the compression and
 * gives a single member, the next finds the bundle in that, if it is one. Holes of sparse members
 * become the NULs they stand for. Data is taken in libarchive's own blocks, because its copying call
 * drops what it has when damage follows. What libarchive lets pass in silence is checked here: gzip's
 * sums, and bytes that nothing was made of. Without CG_HAVE_ARCHIVE this file only says so. */
#include "input/archive.h"

#include "base/error.h"

/* Names a packing: "gzip". */
static const char *packing_text(cg_packing packing)
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

#ifdef CG_HAVE_ARCHIVE

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "input/gzip_sum.h"

enum { RAW_ROOM = 65536 };

struct layer {
    struct archive *archive;
    cg_packing packing; /* CG_PACKING_TAR: the layer of bundles */
    const char *name;
    cg_stream below;  /* what it reads */
    bool owns_below;  /* another layer, not the file */
    cg_gzip_sum *sum; /* of gzip */
    bool any;         /* a member was given */
    char *member;     /* of a bundle; NULL for a single packed file */
    const char *data; /* what is left of libarchive's present block */
    size_t len;
    int64_t at;                    /* offset in the member of the next byte given */
    int64_t data_at;               /* offset of `data`; what lies between is a hole */
    callgauge_status status;       /* CALLGAUGE_OK until the stream has ended or failed */
    callgauge_status below_status; /* what reading below has come to */
    callgauge_error fault;         /* filled when either has failed */
    char block[RAW_ROOM];
};

/* Reads what lies below into `block`; a failure there is an end, and kept. */
static size_t read_below(struct layer *layer)
{
    size_t got = 0;
    if (layer->below_status != CALLGAUGE_OK) {
        return 0;
    }
    layer->below_status = layer->below.read(layer->below.self, layer->block, RAW_ROOM, &got, &layer->fault);
    if (layer->below_status != CALLGAUGE_OK) {
        return 0;
    }
    if (layer->sum != NULL && !cg_gzip_sum_packed(layer->sum, layer->block, got)) {
        layer->below_status = cg_fail_nomem(&layer->fault);
        return 0;
    }
    return got;
}

/* Never fails: libarchive would drop the bytes that it has looked at and not given yet. */
static la_ssize_t pull(struct archive *archive, void *client, const void **block)
{
    (void)archive;
    struct layer *layer = client;
    *block = layer->block;
    return (la_ssize_t)read_below(layer);
}

/* Ends the stream. A failure from below explains libarchive's, which thinks that the bytes end there. */
static callgauge_status broken(struct layer *layer, const char *why, callgauge_error *err)
{
    if (layer->status == CALLGAUGE_OK && layer->below_status != CALLGAUGE_OK) {
        layer->status = layer->below_status;
    } else if (layer->status == CALLGAUGE_OK && archive_errno(layer->archive) == ENOMEM) {
        layer->status = cg_fail_nomem(&layer->fault);
    } else if (layer->status == CALLGAUGE_OK) {
        layer->status = cg_fail(&layer->fault, CALLGAUGE_E_IO, (cg_place){ .name = layer->name },
                                why == NULL ? "is damaged or cut" : "is damaged or cut: %s", why);
    }
    return cg_fail(err, layer->status, (cg_place){ .name = layer->fault.source }, "%s", layer->fault.message);
}

static callgauge_status broken_inside(struct layer *layer, callgauge_error *err)
{
    return broken(layer, archive_error_string(layer->archive), err);
}

static const char *name_of(struct archive_entry *entry)
{
    const char *name = archive_entry_pathname(entry);
    if (name == NULL) {
        name = archive_entry_pathname_utf8(entry); /* the locale has no such characters */
    }
    return name == NULL ? "unnamed" : name;
}

static callgauge_status enter_member(struct layer *layer, struct archive_entry *entry, callgauge_error *err)
{
    cg_mem_free(layer->member);
    layer->member = NULL;
    layer->any = true;
    layer->len = 0;
    layer->at = layer->data_at = 0;
    if (layer->packing != CG_PACKING_TAR && archive_filter_code(layer->archive, 0) == ARCHIVE_FILTER_NONE) {
        return broken(layer, "its header is not whole", err);
    }
    if (archive_format(layer->archive) == ARCHIVE_FORMAT_RAW) {
        return CALLGAUGE_OK;
    }
    const char *name = name_of(entry);
    size_t size = strlen(name) + 1;
    layer->member = cg_mem_alloc(size);
    if (layer->member == NULL) {
        layer->status = cg_fail_nomem(&layer->fault);
        return cg_fail_nomem(err);
    }
    memcpy(layer->member, name, size);
    return CALLGAUGE_OK;
}

static callgauge_status no_more_members(struct layer *layer, callgauge_error *err)
{
    while (read_below(layer) > 0) {
        /* A bundle ends before its file does, and damage may lie behind. */
    }
    if (layer->below_status != CALLGAUGE_OK) {
        return broken_inside(layer, err);
    }
    if (!layer->any) {
        bool empty = archive_format(layer->archive) == ARCHIVE_FORMAT_EMPTY;
        layer->status = cg_fail(&layer->fault, CALLGAUGE_E_FORMAT, (cg_place){ .name = layer->name },
                                empty ? "holds nothing" : "holds no regular file");
        return broken_inside(layer, err);
    }
    layer->status = CALLGAUGE_END;
    return CALLGAUGE_END;
}

/* What libarchive would answer after the end, were it not to take the question as a fault. */
static int answer_after_end(const struct layer *layer)
{
    return layer->status == CALLGAUGE_END ? ARCHIVE_EOF : ARCHIVE_FATAL;
}

static callgauge_status layer_next_member(void *self, callgauge_error *err)
{
    struct layer *layer = self;
    struct archive_entry *entry;
    while (layer->status != CALLGAUGE_END) {
        int answer = layer->status == CALLGAUGE_OK ? archive_read_next_header(layer->archive, &entry) : ARCHIVE_FATAL;
        if (answer == ARCHIVE_EOF) {
            return no_more_members(layer, err);
        }
        if (answer == ARCHIVE_FAILED || answer == ARCHIVE_FATAL) {
            return broken_inside(layer, err);
        }
        bool regular = archive_entry_filetype(entry) == AE_IFREG && archive_entry_hardlink(entry) == NULL;
        if (answer != ARCHIVE_RETRY && regular) {
            return enter_member(layer, entry, err);
        }
    }
    return CALLGAUGE_END;
}

/* At the end of compressed data: what was wrong with it; NULL: nothing. */
static const char *late_fault(struct layer *layer)
{
    uint64_t used = (uint64_t)archive_filter_bytes(layer->archive, 1);
    if (layer->below.consumed(layer->below.self) != used || read_below(layer) > 0) {
        return "other bytes follow its end";
    }
    if (layer->sum != NULL && !cg_gzip_sum_end(layer->sum)) {
        return "its sum is wrong";
    }
    return NULL;
}

/* The member has ended, perhaps with a hole up to `offset`. */
static callgauge_status end_of_data(struct layer *layer, int64_t offset, callgauge_error *err)
{
    if (offset > layer->data_at) {
        layer->data_at = offset;
        return CALLGAUGE_OK;
    }
    const char *fault = layer->packing == CG_PACKING_TAR ? NULL : late_fault(layer);
    if (fault != NULL || layer->below_status != CALLGAUGE_OK) {
        return broken(layer, fault, err);
    }
    return CALLGAUGE_END;
}

/* Fetches libarchive's next block. CALLGAUGE_END: the member has ended. */
static callgauge_status fetch_block(struct layer *layer, callgauge_error *err)
{
    const void *data = NULL;
    size_t len = 0;
    la_int64_t offset = 0;
    int answer;
    do {
        answer = layer->status == CALLGAUGE_OK ? archive_read_data_block(layer->archive, &data, &len, &offset)
                                               : answer_after_end(layer);
    } while (answer == ARCHIVE_RETRY);
    if (answer == ARCHIVE_EOF) {
        return end_of_data(layer, offset, err);
    }
    if (answer != ARCHIVE_OK && answer != ARCHIVE_WARN) {
        return broken_inside(layer, err);
    }
    if (layer->sum != NULL) {
        cg_gzip_sum_unpacked(layer->sum, data, len);
    }
    layer->data = data;
    layer->len = len;
    layer->data_at = offset;
    return CALLGAUGE_OK;
}

static size_t take(struct layer *layer, char *to, size_t room)
{
    size_t n;
    if (layer->at < layer->data_at) {
        uint64_t hole = (uint64_t)(layer->data_at - layer->at);
        n = hole < room ? (size_t)hole : room;
        memset(to, 0, n);
    } else {
        n = layer->len < room ? layer->len : room;
        memcpy(to, layer->data, n);
        layer->data += n;
        layer->len -= n;
        layer->data_at += (int64_t)n;
    }
    layer->at += (int64_t)n;
    return n;
}

static callgauge_status layer_read(void *self, char *to, size_t room, size_t *got, callgauge_error *err)
{
    struct layer *layer = self;
    while (layer->len == 0 && layer->at >= layer->data_at) {
        callgauge_status st = fetch_block(layer, err);
        if (st == CALLGAUGE_END) {
            *got = 0;
            return CALLGAUGE_OK;
        }
        if (st != CALLGAUGE_OK) {
            return st;
        }
    }
    *got = take(layer, to, room);
    return CALLGAUGE_OK;
}

static const char *layer_member(const void *self)
{
    const struct layer *layer = self;
    return layer->member;
}

static uint64_t layer_consumed(const void *self)
{
    const struct layer *layer = self;
    return layer->below.consumed(layer->below.self);
}

static void layer_free(void *self)
{
    struct layer *layer = self;
    archive_read_free(layer->archive);
    if (layer->owns_below) {
        layer->below.free(layer->below.self);
    }
    cg_gzip_sum_free(layer->sum);
    cg_mem_free(layer->member);
    cg_mem_free(layer);
}

static int support(struct archive *archive, cg_packing packing)
{
    switch (packing) {
    case CG_PACKING_GZIP: return archive_read_support_filter_gzip(archive);
    case CG_PACKING_ZSTD: return archive_read_support_filter_zstd(archive);
    case CG_PACKING_XZ: return archive_read_support_filter_xz(archive);
    case CG_PACKING_BZIP2: return archive_read_support_filter_bzip2(archive);
    case CG_PACKING_TAR: return archive_read_support_format_tar(archive);
    case CG_PACKING_NONE: break;
    }
    return ARCHIVE_FATAL;
}

static callgauge_status begin(struct layer *layer, callgauge_error *err)
{
    struct archive *archive = layer->archive;
    /* Anything but OK, and libarchive would start an outside program for it. */
    if (support(archive, layer->packing) != ARCHIVE_OK) {
        return cg_fail(err, CALLGAUGE_E_UNSUPPORTED, (cg_place){ .name = layer->name },
                       "packed with %s, and this libarchive cannot unpack it", packing_text(layer->packing));
    }
    archive_read_support_format_raw(archive);
    archive_read_support_format_empty(archive);
    archive_read_set_callback_data(archive, layer);
    archive_read_set_read_callback(archive, pull);
    return archive_read_open1(archive) == ARCHIVE_OK ? CALLGAUGE_OK : broken_inside(layer, err);
}

/* On failure `below` stays the caller's. */
static callgauge_status open_layer(cg_packing packing, const char *name, cg_stream below, cg_stream *out,
                                   callgauge_error *err)
{
    struct layer *layer = cg_mem_zeroed(1, sizeof *layer);
    if (layer == NULL) {
        return cg_fail_nomem(err);
    }
    layer->packing = packing;
    layer->name = name;
    layer->below = below;
    layer->fault = (callgauge_error)CALLGAUGE_ERROR_INIT;
    layer->archive = archive_read_new();
    layer->sum = packing == CG_PACKING_GZIP ? cg_gzip_sum_new() : NULL;
    bool whole = layer->archive != NULL && (packing != CG_PACKING_GZIP || layer->sum != NULL);
    callgauge_status st = whole ? begin(layer, err) : cg_fail_nomem(err);
    if (st != CALLGAUGE_OK) {
        layer_free(layer);
        return st;
    }
    *out = (cg_stream){ layer, layer_next_member, layer_read, layer_member, layer_consumed, layer_free };
    return CALLGAUGE_OK;
}

callgauge_status cg_archive_open(cg_packing packing, const char *name, const cg_stream *raw, cg_stream *out,
                                 callgauge_error *err)
{
    if (packing == CG_PACKING_TAR) {
        return open_layer(CG_PACKING_TAR, name, *raw, out, err);
    }
    cg_stream single;
    callgauge_status st = open_layer(packing, name, *raw, &single, err);
    if (st != CALLGAUGE_OK) {
        return st;
    }
    st = single.next_member(single.self, err);
    if (st == CALLGAUGE_OK) {
        st = open_layer(CG_PACKING_TAR, name, single, out, err);
    }
    if (st != CALLGAUGE_OK) {
        single.free(single.self);
        return st;
    }
    struct layer *bundle = out->self;
    bundle->owns_below = true;
    return CALLGAUGE_OK;
}

#else

callgauge_status cg_archive_open(cg_packing packing, const char *name, const cg_stream *raw, cg_stream *out,
                                 callgauge_error *err)
{
    (void)raw;
    (void)out;
    return cg_fail(err, CALLGAUGE_E_UNSUPPORTED, (cg_place){ .name = name },
                   "packed with %s, and this build has no libarchive", packing_text(packing));
}

#endif

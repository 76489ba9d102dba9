/* SPDX-License-Identifier: Apache-2.0 */
/* Packed files and bundles unpacked: the only part of callgauge that knows libarchive. */
#ifndef CG_INPUT_ARCHIVE_H
#define CG_INPUT_ARCHIVE_H

#include "input/stream.h"

/* How a file is packed. The four compressions may hold a tar bundle. */
typedef enum cg_packing {
    CG_PACKING_NONE,
    CG_PACKING_GZIP,
    CG_PACKING_ZSTD,
    CG_PACKING_XZ,
    CG_PACKING_BZIP2,
    CG_PACKING_TAR
} cg_packing;

/* Unpacks what `raw` gives. `name` (for errors) and `raw` are borrowed and must outlive `out`.
 * Members that are no regular files are passed over; a file without any is CALLGAUGE_E_FORMAT.
 * Of a damaged file all whole blocks before the damage (64 KiB each) are given, then CALLGAUGE_E_IO;
 * damage in the first block is found here. CALLGAUGE_E_UNSUPPORTED: built without libarchive, or with
 * one that lacks this packing. */
callgauge_status cg_archive_open(cg_packing packing, const char *name, const cg_stream *raw, cg_stream *out,
                                 callgauge_error *err);

#endif

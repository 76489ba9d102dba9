/* SPDX-License-Identifier: Apache-2.0 */
/* Where a capture's bytes come from: a file, a descriptor, standard input; as they are, packed, or
 * the members of a tar bundle one after the other.
 * Invariant: cg_source_next_member() comes before the first read. One source, one thread at a time. */
#ifndef CG_INPUT_SOURCE_H
#define CG_INPUT_SOURCE_H

#include <callgauge/types.h>

typedef struct cg_source cg_source;

/* "-" is standard input. CALLGAUGE_E_IO: a directory, a file that cannot be opened or read;
 * CALLGAUGE_E_UNSUPPORTED: packed, and this build cannot unpack it. Packed input is unpacked on a
 * thread of its own unless `no_thread`. */
callgauge_status cg_source_open(const char *path, bool no_thread, cg_source **out, callgauge_error *err);
/* `fd` stays the caller's and is read from where it stands; `name` is copied. */
callgauge_status cg_source_open_fd(int fd, const char *name, bool no_thread, cg_source **out, callgauge_error *err);

/* CALLGAUGE_OK: at the first or next member; CALLGAUGE_END. A plain file is one member. */
callgauge_status cg_source_next_member(cg_source *source, callgauge_error *err);
/* Waits for at least one byte; *got == 0: end of the present member. Of a damaged file the bytes
 * before the damage come first, then CALLGAUGE_E_IO. */
callgauge_status cg_source_read(cg_source *source, char *to, size_t room, size_t *got, callgauge_error *err);

/* The present member's name in a tar bundle, else NULL; valid until the next member. */
const char *cg_source_member(const cg_source *source);
/* Bytes read of the file, packed as it is: how far the work is. */
uint64_t cg_source_consumed(const cg_source *source);
void cg_source_free(cg_source *source);

#endif

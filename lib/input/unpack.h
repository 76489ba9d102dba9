/* SPDX-License-Identifier: Apache-2.0 */
/* A stream fetched ahead: a thread of its own reads `inner` into a ring of blocks, the reader's
 * thread takes them from there. */
#ifndef CG_INPUT_UNPACK_H
#define CG_INPUT_UNPACK_H

#include "input/stream.h"

/* Starts the thread. On CALLGAUGE_OK `out` owns `inner`, else the caller still does. Where no thread
 * can be had, `out` is `inner` itself: slower, the same bytes. Freeing `out` early stops the thread at
 * its next block; a read of `inner` that waits must be ended by the caller first. */
callgauge_status cg_unpack_start(cg_stream inner, cg_stream *out, callgauge_error *err);

#endif

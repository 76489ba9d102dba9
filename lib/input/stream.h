/* SPDX-License-Identifier: Apache-2.0 */
/* A flow of bytes in members: a file, what is packed in it, or either one fetched ahead by a thread.
 * Invariant: next_member comes before the first read; after a failure each call fails the same way. */
#ifndef CG_INPUT_STREAM_H
#define CG_INPUT_STREAM_H

#include <callgauge/types.h>

typedef struct cg_stream {
    void *self;
    /* CALLGAUGE_OK: at the first or next member; CALLGAUGE_END: there is none left. */
    callgauge_status (*next_member)(void *self, callgauge_error *err);
    /* *got == 0: the present member has ended. */
    callgauge_status (*read)(void *self, char *to, size_t room, size_t *got, callgauge_error *err);
    /* The present member's name, NULL when it has none; valid until next_member. */
    const char *(*member)(const void *self);
    /* Bytes taken from the file so far. */
    uint64_t (*consumed)(const void *self);
    void (*free)(void *self);
} cg_stream;

#endif

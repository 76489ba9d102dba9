/* SPDX-License-Identifier: Apache-2.0 */
/* A file in memory, all of it. */
#ifndef CLI_WHOLE_FILE_H
#define CLI_WHOLE_FILE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct whole_file {
    char *data; /* never NULL once it was read */
    size_t length, room;
} whole_file;

/* Reads a file, or standard input for "-". False: errno says why; EFBIG: it has more than `most` bytes. Released with
 * whole_file_release(), whatever came out. */
bool whole_file_read(const char *path, size_t most, whole_file *out);
void whole_file_release(whole_file *file);

#endif

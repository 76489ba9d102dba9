/* SPDX-License-Identifier: Apache-2.0 */
/* Where the data goes: standard output or a file, in big pieces. The file is opened when there is something to
 * write, so that a failure before that leaves what it held. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <callgauge/types.h>

#include "options.h"

enum { OUTPUT_ROOM = 65536 };

typedef struct output {
    const char *path; /* NULL: standard output */
    int fd;           /* -1: not opened yet */
    int failed;       /* errno of the first failure */
    size_t length;
    char data[OUTPUT_ROOM];
} output;

/* A new output, to be freed with free(). NULL: no memory, and it was said. */
output *output_new(const char *path);

/* For callgauge_output.write: 0, or 1 when nothing more can be written. */
int output_write(void *out, const char *data, size_t len);

/* Writes what is left and says what failed. Gives the exit status; a reader that went away is no trouble. */
int output_end(output *out);

/* Ends an output to which something was written with this status, or says its error; frees it. Gives the exit
 * status. */
int output_close(output *out, callgauge_status status, const callgauge_error *error);

/* Whether text may have colours: asked for, or by itself on a terminal. */
bool output_wants_color(const settings *wanted);

/* Whether writing to the file would destroy one of the inputs; says so. */
bool output_is_input(const settings *wanted);

#endif

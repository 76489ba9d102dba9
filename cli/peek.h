/* SPDX-License-Identifier: Apache-2.0 */
/* The first bytes of an open file, which stay there to be read. */
#ifndef CLI_PEEK_H
#define CLI_PEEK_H

#include <stddef.h>

/* Gives how many there are, at most `room`; 0: none, or the kind of file does not let one look. Waits for a pipe to
 * hold something. */
size_t peek_bytes(int fd, char *to, size_t room);

#endif

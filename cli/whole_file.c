/* SPDX-License-Identifier: Apache-2.0 */
/* Reads until the end, into room that doubles: pipes do not say how long they are. */
#include "whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_BYTES = 64 << 10 };

/* Makes room for more, at most one byte past `most`. False: errno says why there is none. */
static bool grow(whole_file *to, size_t most)
{
    if (to->length > most) {
        errno = EFBIG;
        return false;
    }
    if (to->length < to->room) {
        return true;
    }
    size_t room = to->room == 0 ? FIRST_BYTES : to->room * 2;
    room = room > most ? most + 1 : room;
    char *data = realloc(to->data, room);
    if (data == NULL) {
        return false;
    }
    to->data = data;
    to->room = room;
    return true;
}

static bool read_all(int fd, size_t most, whole_file *to)
{
    ssize_t got = 1;
    while (got != 0) {
        if (!grow(to, most)) {
            return false;
        }
        got = read(fd, to->data + to->length, to->room - to->length);
        if (got == -1 && errno != EINTR) {
            return false;
        }
        to->length += got > 0 ? (size_t)got : 0;
    }
    return true;
}

bool whole_file_read(const char *path, size_t most, whole_file *out)
{
    *out = (whole_file){ 0 };
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd == -1) {
        return false;
    }
    bool ok = read_all(fd, most, out);
    int why = errno;
    if (!standard) {
        close(fd);
    }
    errno = why;
    return ok;
}

void whole_file_release(whole_file *file)
{
    free(file->data);
    *file = (whole_file){ 0 };
}

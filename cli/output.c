/* SPDX-License-Identifier: Apache-2.0 */
/* From pieces of any size to few writes, none of which fails unseen.
 * Invariant: after the first failure nothing is written any more. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"

enum { COLOR_AUTO, COLOR_ALWAYS };

output *output_new(const char *path)
{
    output *out = malloc(sizeof *out);
    if (out == NULL) {
        say(callgauge_status_text(CALLGAUGE_E_NOMEM));
        return NULL;
    }
    out->path = path;
    out->fd = path == NULL ? STDOUT_FILENO : -1;
    out->failed = 0;
    out->length = 0;
    return out;
}

static void write_all(output *out, const char *data, size_t len)
{
    if (out->fd == -1 && out->failed == 0) {
        out->fd = open(out->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        out->failed = out->fd == -1 ? errno : 0;
    }
    while (len > 0 && out->failed == 0) {
        ssize_t wrote = write(out->fd, data, len);
        if (wrote >= 0) {
            data += wrote;
            len -= (size_t)wrote;
        } else if (errno != EINTR) {
            out->failed = errno;
        }
    }
}

int output_write(void *ctx, const char *data, size_t len)
{
    output *out = ctx;
    if (len > OUTPUT_ROOM - out->length) {
        write_all(out, out->data, out->length);
        out->length = 0;
    }
    if (len > OUTPUT_ROOM) {
        write_all(out, data, len);
    } else {
        memcpy(out->data + out->length, data, len);
        out->length += len;
    }
    return out->failed != 0;
}

int output_end(output *out)
{
    write_all(out, out->data, out->length);
    if (out->fd != -1 && close(out->fd) == -1 && out->failed == 0) {
        out->failed = errno;
    }
    if (out->failed == 0 || out->failed == EPIPE) {
        return EXIT_FINE;
    }
    char text[160];
    snprintf(text, sizeof text, "%s: %s", out->fd == -1 ? "cannot be opened" : "cannot be written",
             strerror(out->failed));
    say_about(out->path == NULL ? "standard output" : out->path, text);
    return EXIT_TROUBLE;
}

int output_close(output *out, callgauge_status status, const callgauge_error *error)
{
    int code = EXIT_TROUBLE;
    if (status == CALLGAUGE_OK || status == CALLGAUGE_E_STOPPED) {
        code = output_end(out);
    } else {
        say_error(error);
    }
    free(out);
    return code;
}

bool output_wants_color(const settings *wanted)
{
    if (wanted->color.index != COLOR_AUTO) {
        return wanted->color.index == COLOR_ALWAYS;
    }
    const char *refused = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return wanted->output == NULL && isatty(STDOUT_FILENO) && (refused == NULL || refused[0] == '\0') &&
           terminal != NULL && strcmp(terminal, "dumb") != 0;
}

bool output_is_input(const settings *wanted)
{
    struct stat to;
    if (wanted->output == NULL || stat(wanted->output, &to) == -1 || !S_ISREG(to.st_mode)) {
        return false;
    }
    size_t count = wanted->file_count + (wanted->fds != NULL);
    for (size_t i = 0; i < count; i++) {
        struct stat from;
        const char *path = i < wanted->file_count ? wanted->files[i] : wanted->fds;
        int known = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &from) : stat(path, &from);
        if (known == 0 && from.st_dev == to.st_dev && from.st_ino == to.st_ino) {
            say_about(wanted->output, "the output would overwrite this input");
            return true;
        }
    }
    return false;
}

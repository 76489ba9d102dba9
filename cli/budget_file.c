/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a budget; writes a new one beside the old one and puts it in its place, so that no reader ever meets half of
 * it. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "budget_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "whole_file.h"

enum { MOST_BYTES = 2 << 20 };

static void say_each(void *ctx, const callgauge_error *fault)
{
    (void)ctx;
    say_fault(fault);
}

bool budget_file_load(const char *path, callgauge_budget **out)
{
    whole_file yaml;
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_status status = CALLGAUGE_E_FORMAT;
    if (!whole_file_read(path, MOST_BYTES, &yaml)) {
        say_about(path, errno == EFBIG ? "too large for a budget" : strerror(errno));
    } else {
        status = callgauge_budget_load(path, yaml.data, yaml.length, say_each, NULL, out, &error);
        if (status == CALLGAUGE_E_NOMEM) {
            say_error(&error);
        }
    }
    whole_file_release(&yaml);
    return status == CALLGAUGE_OK;
}

/* --- writing */

static bool write_all(int fd, callgauge_str text)
{
    while (text.len > 0) {
        ssize_t wrote = write(fd, text.ptr, text.len);
        if (wrote < 0 && errno != EINTR) {
            return false;
        }
        text.ptr += wrote > 0 ? wrote : 0;
        text.len -= wrote > 0 ? (size_t)wrote : 0;
    }
    return true;
}

/* Writes a file that did not exist, with the permissions of another. False: errno says why not. */
static bool write_new(char *name, const char *like, callgauge_str text)
{
    struct stat info;
    if (stat(like, &info) == -1) {
        return false;
    }
    int fd = mkstemp(name);
    if (fd == -1) {
        return false;
    }
    bool good = fchmod(fd, info.st_mode & 07777) == 0 && write_all(fd, text) && fsync(fd) == 0;
    int why = errno;
    if (close(fd) == -1 && good) {
        good = false;
        why = errno;
    }
    if (!good) {
        unlink(name);
    }
    errno = why;
    return good;
}

static bool replace(const char *path, callgauge_str text)
{
    static const char ending[] = ".XXXXXX";
    char *target = realpath(path, NULL); /* so that a link stays one */
    size_t room = target == NULL ? 0 : strlen(target) + sizeof ending;
    char *name = target == NULL ? NULL : malloc(room);
    bool good = name != NULL;
    if (good) {
        snprintf(name, room, "%s%s", target, ending);
        good = write_new(name, target, text);
    }
    if (good && rename(name, target) == -1) {
        int why = errno;
        unlink(name);
        errno = why;
        good = false;
    }
    if (!good) {
        say_about(path, strerror(errno));
    }
    free(name);
    free(target);
    return good;
}

bool budget_file_update(const settings *wanted, const callgauge_report *report)
{
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_budget *updated = NULL;
    callgauge_str text;
    if (strcmp(wanted->budget, "-") == 0) {
        say("--update: a budget on standard input has no file to be written");
        return false;
    }
    if (callgauge_budget_update(wanted->limits, report, &text, &updated, &error) != CALLGAUGE_OK) {
        say_error(&error);
        return false;
    }
    bool good = replace(wanted->budget, text);
    if (good) {
        say_about(wanted->budget, "its expected sequences were written anew");
    }
    callgauge_budget_free(updated);
    return good;
}

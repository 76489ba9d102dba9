/* SPDX-License-Identifier: Apache-2.0 */
/* The closed lists of events and classes to their names and back, and a call's name to what the class
 * table knows of it. The table is generated, sorted by the bytes of its names. */
#include <callgauge/event.h>

#include "base/str.h"
#include "event/event.h"

/* Made from classes.tsv by classes.cmake. */
extern const cg_class_entry cg_class_table[];
extern const size_t cg_class_table_count;

static const char *const class_texts[] = {
    [CALLGAUGE_CLASS_OTHER] = "other",         [CALLGAUGE_CLASS_OPEN] = "open",
    [CALLGAUGE_CLASS_CLOSE] = "close",         [CALLGAUGE_CLASS_READ] = "read",
    [CALLGAUGE_CLASS_WRITE] = "write",         [CALLGAUGE_CLASS_COPY] = "copy",
    [CALLGAUGE_CLASS_SEEK] = "seek",           [CALLGAUGE_CLASS_SYNC] = "sync",
    [CALLGAUGE_CLASS_STAT] = "stat",           [CALLGAUGE_CLASS_ACCESS] = "access",
    [CALLGAUGE_CLASS_READLINK] = "readlink",   [CALLGAUGE_CLASS_DIR] = "dir",
    [CALLGAUGE_CLASS_NAME] = "name",           [CALLGAUGE_CLASS_DUP] = "dup",
    [CALLGAUGE_CLASS_FDCTL] = "fdctl",         [CALLGAUGE_CLASS_SOCKET] = "socket",
    [CALLGAUGE_CLASS_CONNECT] = "connect",     [CALLGAUGE_CLASS_ACCEPT] = "accept",
    [CALLGAUGE_CLASS_WAIT] = "wait",           [CALLGAUGE_CLASS_SLEEP] = "sleep",
    [CALLGAUGE_CLASS_WAITCHILD] = "waitchild", [CALLGAUGE_CLASS_FUTEX] = "futex",
    [CALLGAUGE_CLASS_SPAWN] = "spawn",         [CALLGAUGE_CLASS_EXEC] = "exec",
    [CALLGAUGE_CLASS_EXIT] = "exit",           [CALLGAUGE_CLASS_MEMORY] = "memory",
    [CALLGAUGE_CLASS_SIGNAL] = "signal",       [CALLGAUGE_CLASS_TIME] = "time",
    [CALLGAUGE_CLASS_IDENT] = "ident",         [CALLGAUGE_CLASS_IOCTL] = "ioctl",
    [CALLGAUGE_CLASS_PIPE] = "pipe",
};

enum { CLASS_COUNT = sizeof class_texts / sizeof *class_texts };

const char *callgauge_class_text(callgauge_class call_class)
{
    size_t at = (size_t)call_class;
    return at < CLASS_COUNT ? class_texts[at] : class_texts[CALLGAUGE_CLASS_OTHER];
}

bool callgauge_class_find(callgauge_str name, callgauge_class *out)
{
    for (size_t i = 0; i < CLASS_COUNT; i++) {
        if (cg_str_is(name, class_texts[i])) {
            *out = (callgauge_class)i;
            return true;
        }
    }
    return false;
}

const char *callgauge_event_kind_text(callgauge_event_kind kind)
{
    switch (kind) {
    case CALLGAUGE_EVENT_CALL: return "call";
    case CALLGAUGE_EVENT_SIGNAL: return "signal";
    case CALLGAUGE_EVENT_FAULT: return "fault";
    case CALLGAUGE_EVENT_EXIT: return "exit";
    case CALLGAUGE_EVENT_NOTICE: return "notice";
    case CALLGAUGE_EVENT_LIBRARY_CALL: return "library-call";
    case CALLGAUGE_EVENT_DETAIL: return "detail";
    case CALLGAUGE_EVENT_COUNT_ROW: return "count-row";
    case CALLGAUGE_EVENT_TOTALS: return "totals";
    case CALLGAUGE_EVENT_FOREIGN: return "foreign";
    case CALLGAUGE_EVENT_UNREAD: return "unread";
    }
    return "unknown";
}

const char *callgauge_file_kind_text(callgauge_file_kind kind)
{
    static const char *const texts[] = {
        [CALLGAUGE_FILE_UNKNOWN] = "unknown", [CALLGAUGE_FILE_FILE] = "file", [CALLGAUGE_FILE_DIR] = "dir",
        [CALLGAUGE_FILE_SOCKET] = "socket",   [CALLGAUGE_FILE_PIPE] = "pipe", [CALLGAUGE_FILE_TTY] = "tty",
        [CALLGAUGE_FILE_DEVICE] = "device",   [CALLGAUGE_FILE_ANON] = "anon",
    };
    size_t at = (size_t)kind;
    return at < sizeof texts / sizeof *texts ? texts[at] : texts[CALLGAUGE_FILE_UNKNOWN];
}

const cg_class_entry *cg_class_lookup(callgauge_str name)
{
    size_t low = 0;
    size_t high = cg_class_table_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = cg_str_cmp(name, cg_str_z(cg_class_table[middle].name));
        if (order == 0) {
            return &cg_class_table[middle];
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

const cg_class_entry *cg_class_at(size_t index)
{
    return index < cg_class_table_count ? &cg_class_table[index] : NULL;
}

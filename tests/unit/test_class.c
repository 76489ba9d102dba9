/* SPDX-License-Identifier: Apache-2.0 */
/* event/class and classes.tsv: what is known of calls whose roles a person worked out from their
 * manual pages, and that the lists of names are closed and whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/str.h"
#include "event/event.h"

struct row {
    const char *name;
    const char *call_class; /* NULL: not in the table */
    callgauge_moves moves;
    int fd, path, size;
};

#define NOTHING CALLGAUGE_MOVES_NOTHING
#define IN CALLGAUGE_MOVES_IN
#define OUT CALLGAUGE_MOVES_OUT
#define BOTH CALLGAUGE_MOVES_BOTH

static struct row rows[] = {
    { "read", "read", IN, 0, -1, 2 },
    { "preadv2", "read", IN, 0, -1, -1 },
    { "recvmsg", "read", IN, 0, -1, -1 },
    { "recvmmsg", "read", NOTHING, 0, -1, -1 }, /* counts messages */
    { "kread", "read", IN, 0, -1, 2 },
    { "pwrite", "write", OUT, 0, -1, 2 },
    { "sendto", "write", OUT, 0, -1, 2 },
    { "sendmmsg", "write", NOTHING, 0, -1, -1 },
    { "sendfile", "copy", BOTH, 1, -1, 3 },
    { "sendfilev64", "copy", BOTH, -1, -1, -1 },
    { "vmsplice", "copy", OUT, 0, -1, -1 },
    { "getdents64", "dir", NOTHING, 0, -1, 2 },
    { "readlink", "readlink", NOTHING, -1, 0, 2 },
    { "resolvepath", "readlink", NOTHING, -1, 0, -1 },
    { "getrandom", "other", NOTHING, -1, -1, 1 },
    { "open", "open", NOTHING, -1, 0, -1 },
    { "open64", "open", NOTHING, -1, 0, -1 },
    { "openat", "open", NOTHING, 0, 1, -1 },
    { "close_range", "close", NOTHING, -1, -1, -1 },
    { "fxstat", "stat", NOTHING, 1, -1, -1 },
    { "xstat", "stat", NOTHING, -1, 1, -1 },
    { "faccessat2", "access", NOTHING, 0, 1, -1 },
    { "symlink", "name", NOTHING, -1, 1, -1 }, /* the first is only text */
    { "symlinkat", "name", NOTHING, 1, 2, -1 },
    { "rename", "name", NOTHING, -1, 0, -1 },
    { "chmod", "other", NOTHING, -1, 0, -1 },
    { "_llseek", "seek", NOTHING, 0, -1, -1 },
    { "fdsync", "sync", NOTHING, 0, -1, -1 },
    { "mmap", "memory", NOTHING, 4, -1, 1 },
    { "pollsys", "wait", NOTHING, -1, -1, -1 },
    { "port_getn", "wait", NOTHING, 0, -1, -1 },
    { "ppoll_time64", "wait", NOTHING, -1, -1, -1 },
    { "rt_sigsuspend", "sleep", NOTHING, -1, -1, -1 },
    { "nanosleep", "sleep", NOTHING, -1, -1, -1 },
    { "waitid", "waitchild", NOTHING, -1, -1, -1 },
    { "lwp_park", "futex", NOTHING, -1, -1, -1 },
    { "futex_time64", "futex", NOTHING, -1, -1, -1 },
    { "clone3", "spawn", NOTHING, -1, -1, -1 },
    { "fork1", "spawn", NOTHING, -1, -1, -1 },
    { "execve", "exec", NOTHING, -1, 0, -1 },
    { "_exit", "exit", NOTHING, -1, -1, -1 },
    { "so_socket", "socket", NOTHING, -1, -1, -1 },
    { "accept4", "accept", NOTHING, 0, -1, -1 },
    { "flock", "fdctl", NOTHING, 0, -1, -1 },
    { "getuid32", "ident", NOTHING, -1, -1, -1 },
    { "", NULL, NOTHING, 0, 0, 0 },
    { "rea", NULL, NOTHING, 0, 0, 0 },
    { "reads", NULL, NOTHING, 0, 0, 0 },
    { "READ", NULL, NOTHING, 0, 0, 0 },
    { "syscall_0x270f", NULL, NOTHING, 0, 0, 0 },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    const cg_class_entry *entry = cg_class_lookup(cg_str_z(row->name));
    if (row->call_class == NULL) {
        assert_null(entry);
        return;
    }
    assert_non_null(entry);
    assert_string_equal(entry->name, row->name);
    assert_string_equal(callgauge_class_text(entry->call_class), row->call_class);
    assert_int_equal(entry->moves, row->moves);
    assert_int_equal(entry->fd_arg, row->fd);
    assert_int_equal(entry->path_arg, row->path);
    assert_int_equal(entry->size_arg, row->size);
}

static void check_class_names(void **state)
{
    (void)state;
    for (int i = CALLGAUGE_CLASS_OTHER; i <= CALLGAUGE_CLASS_PIPE; i++) {
        callgauge_class found = CALLGAUGE_CLASS_OTHER;
        assert_true(callgauge_class_find(cg_str_z(callgauge_class_text((callgauge_class)i)), &found));
        assert_int_equal(found, i);
    }
    callgauge_class untouched = CALLGAUGE_CLASS_PIPE;
    assert_false(callgauge_class_find(cg_str_z("rea"), &untouched));
    assert_false(callgauge_class_find(cg_str(NULL, 0), &untouched));
    assert_int_equal(untouched, CALLGAUGE_CLASS_PIPE);
    assert_string_equal(callgauge_class_text((callgauge_class)1000), "other");
}

static void check_kind_names(void **state)
{
    (void)state;
    assert_string_equal(callgauge_event_kind_text(CALLGAUGE_EVENT_CALL), "call");
    assert_string_equal(callgauge_event_kind_text(CALLGAUGE_EVENT_COUNT_ROW), "count-row");
    assert_string_equal(callgauge_event_kind_text(CALLGAUGE_EVENT_UNREAD), "unread");
}

/* Every call of the kernel's own list has its row. */
static void check_whole(void **state)
{
    (void)state;
    FILE *list = fopen(CG_SHARED "/formats/linux-syscalls.tsv", "r");
    if (list == NULL) {
        skip();
    }
    char line[512];
    size_t names = 0;
    assert_non_null(fgets(line, sizeof line, list)); /* the heading */
    for (; fgets(line, sizeof line, list) != NULL; names++) {
        callgauge_str name = cg_str(line, strcspn(line, "\t"));
        if (cg_class_lookup(name) == NULL) {
            fail_msg("not in the class table: %s", line);
        }
    }
    fclose(list);
    assert_int_equal(names, 384);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + 3] = {
        [ROWS] = cmocka_unit_test(check_class_names),
        [ROWS + 1] = cmocka_unit_test(check_kind_names),
        [ROWS + 2] = cmocka_unit_test(check_whole),
    };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("class", tests, NULL, NULL);
}

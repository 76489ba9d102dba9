/* SPDX-License-Identifier: Apache-2.0 */
/* event/names: one object a name, which stays where it is, and what it knows of its call. */
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
    bool known;
    callgauge_class call_class;
    callgauge_moves moves;
    int fd, path, size;
};

static struct row rows[] = {
    { "read", true, CALLGAUGE_CLASS_READ, CALLGAUGE_MOVES_IN, 0, -1, 2 },
    { "openat", true, CALLGAUGE_CLASS_OPEN, CALLGAUGE_MOVES_NOTHING, 0, 1, -1 },
    { "syscall_0x270f", false, CALLGAUGE_CLASS_OTHER, CALLGAUGE_MOVES_NOTHING, -1, -1, -1 },
    { "a_call_with_a_name_longer_than_any", false, CALLGAUGE_CLASS_OTHER, CALLGAUGE_MOVES_NOTHING, -1, -1, -1 },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    cg_names names;
    int64_t why = 0;
    cg_names_init(&names, true, 10);
    const callgauge_call_name *call = cg_names_call(&names, cg_str_z(row->name), &why);
    assert_non_null(call);
    assert_true(cg_str_is(call->text, row->name));
    assert_ptr_not_equal(call->text.ptr, row->name);
    assert_int_equal(call->id, 0);
    assert_int_equal(call->known, row->known);
    assert_int_equal(call->call_class, row->call_class);
    assert_int_equal(call->moves, row->moves);
    assert_int_equal(call->fd_arg, row->fd);
    assert_int_equal(call->path_arg, row->path);
    assert_int_equal(call->size_arg, row->size);
    assert_ptr_equal(cg_names_call(&names, cg_str_z(row->name), &why), call);
    cg_names_release(&names);
}

static void check_many(void **state)
{
    (void)state;
    enum { MANY = 1000 };
    static const callgauge_name *seen[MANY];
    cg_names names;
    int64_t why = 0;
    char text[32];
    cg_names_init(&names, false, MANY);
    for (int round = 0; round < 2; round++) {
        for (unsigned i = 0; i < MANY; i++) {
            int len = snprintf(text, sizeof text, "E%u", i);
            const callgauge_name *name = cg_names_plain(&names, cg_str(text, (size_t)len), &why);
            assert_non_null(name);
            assert_int_equal(name->id, i);
            assert_true(cg_str_is(name->text, text));
            assert_true(round == 0 || seen[i] == name);
            seen[i] = name;
        }
    }
    cg_names_release(&names);
}

static void check_limit(void **state)
{
    (void)state;
    cg_names names;
    int64_t why = 0;
    cg_names_init(&names, true, 1);
    assert_non_null(cg_names_call(&names, cg_str_z("read"), &why));
    assert_null(cg_names_call(&names, cg_str_z("write"), &why));
    assert_int_equal(why, CG_INTERN_FULL);
    assert_non_null(cg_names_call(&names, cg_str_z("read"), &why));
    cg_names_release(&names);
    assert_non_null(cg_names_call(&names, cg_str_z("write"), &why)); /* released, it starts anew */
    cg_names_release(&names);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + 2] = {
        [ROWS] = cmocka_unit_test(check_many),
        [ROWS + 1] = cmocka_unit_test(check_limit),
    };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}

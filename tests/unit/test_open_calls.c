/* SPDX-License-Identifier: Apache-2.0 */
/* event/open_calls: what is kept of a call until its result comes, within the limits, however threads' keys fall. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "event/open_calls.h"

enum { THREADS = 3000 };

static const callgauge_call_name read_name = { .text = { "read", 4 }, .id = 0 };
static const callgauge_call_name write_name = { .text = { "write", 5 }, .id = 1 };

static cg_open_call *put(cg_open_calls *open, int64_t pid, const callgauge_call_name *call, const char *args,
                         uint64_t line)
{
    cg_open_call *entry = NULL;
    assert_true(cg_open_put(open, cg_open_key(pid, 0), call, cg_str_z(args), &entry));
    if (entry != NULL) {
        entry->line = line;
    }
    return entry;
}

static void check_keys(void **state)
{
    (void)state;
    assert_true(cg_open_key(0, 0) == 0);
    assert_true(cg_open_key(4242, 0) == UINT64_C(4242) << 32);
    assert_true(cg_open_key(4242, 7) == (UINT64_C(4242) << 32 | 7));
    assert_true(cg_open_key(7, 4242) != cg_open_key(4242, 7));
}

static void check_one(void **state)
{
    (void)state;
    cg_open_calls open;
    cg_open_init(&open, 10, 100);
    assert_null(cg_open_find(&open, cg_open_key(7, 0)));
    put(&open, 7, &read_name, "9, ", 3);
    cg_open_call *found = cg_open_find(&open, cg_open_key(7, 0));
    assert_non_null(found);
    assert_ptr_equal(found->call, &read_name);
    assert_true(cg_str_is(cg_str(found->args, found->args_len), "9, "));
    assert_int_equal(found->line, 3);
    assert_true(found->start_ns == INT64_MIN);
    assert_int_equal(found->flags, 0);
    assert_int_equal(open.bytes, 3);
    assert_null(cg_open_find(&open, cg_open_key(8, 0)));
    assert_null(cg_open_find(&open, cg_open_key(7, 1)));
    cg_open_drop(&open, found);
    assert_null(cg_open_find(&open, cg_open_key(7, 0)));
    assert_int_equal(open.count, 0);
    assert_int_equal(open.bytes, 0);
    cg_open_release(&open);
}

/* A call without arguments keeps none, and no pid is a key as well. */
static void check_bare(void **state)
{
    (void)state;
    cg_open_calls open;
    cg_open_init(&open, 10, 100);
    put(&open, 0, &read_name, "", 1);
    cg_open_call *found = cg_open_find(&open, 0);
    assert_non_null(found);
    assert_null(found->args);
    assert_int_equal(found->args_len, 0);
    assert_int_equal(open.dropped_bytes, 0);
    cg_open_release(&open);
}

/* Rooms for arguments are used again, whatever the lengths of those before, and long ones have their own. */
static void check_rooms(void **state)
{
    (void)state;
    static const size_t lengths[] = { 3, CG_OPEN_SPARE_BYTES, 1, CG_OPEN_SPARE_BYTES + 1, 200, 5000, 2 };
    enum { ROUNDS = 3, AT_ONCE = CG_OPEN_SPARES + 8, BYTES = 1 << 20 };
    char text[5000];
    cg_open_calls open;
    cg_open_init(&open, AT_ONCE, BYTES);
    for (size_t i = 0; i < ROUNDS * sizeof lengths / sizeof *lengths; i++) {
        size_t len = lengths[i % (sizeof lengths / sizeof *lengths)];
        for (int64_t pid = 1; pid <= AT_ONCE; pid++) {
            cg_open_call *entry;
            memset(text, 'a' + (int)((pid + (int64_t)i) % 26), len);
            assert_true(cg_open_put(&open, cg_open_key(pid, 0), &read_name, cg_str(text, len), &entry));
        }
        for (int64_t pid = 1; pid <= AT_ONCE; pid++) {
            cg_open_call *found = cg_open_find(&open, cg_open_key(pid, 0));
            memset(text, 'a' + (int)((pid + (int64_t)i) % 26), len);
            assert_int_equal(found->args_len, len);
            assert_memory_equal(found->args, text, len);
            cg_open_drop(&open, found);
        }
    }
    assert_int_equal(open.bytes, 0);
    cg_open_release(&open);
}

/* Every third thread is dropped while the table grows: the others are found, with what is theirs. */
static void check_many(void **state)
{
    (void)state;
    cg_open_calls open;
    cg_open_init(&open, THREADS, THREADS * 8);
    for (int64_t pid = 1; pid <= THREADS; pid++) {
        put(&open, pid, pid % 2 == 0 ? &read_name : &write_name, "9, ", (uint64_t)pid);
        if (pid % 3 == 0) {
            cg_open_drop(&open, cg_open_find(&open, cg_open_key(pid - 1, 0)));
        }
    }
    assert_int_equal(open.count, THREADS - THREADS / 3);
    assert_int_equal(open.bytes, 3 * open.count);
    for (int64_t pid = 1; pid <= THREADS; pid++) {
        cg_open_call *found = cg_open_find(&open, cg_open_key(pid, 0));
        assert_int_equal(found == NULL, pid % 3 == 2);
        if (found != NULL) {
            assert_int_equal(found->line, pid);
            assert_ptr_equal(found->call, pid % 2 == 0 ? &read_name : &write_name);
        }
    }
    cg_open_release(&open);
}

/* The kind of a pid as a line tells it: the last three digits of its text, the last one highest. */
static uint32_t kind_of_text(const char *pid)
{
    uint32_t digits = 0;
    size_t len = strlen(pid);
    for (size_t i = 0; i < 3 && i < len; i++) {
        digits |= (uint32_t)(unsigned char)pid[len - 1 - i] << (16 - 8 * i);
    }
    return cg_open_pid_kind(digits);
}

/* A pid that has an open call is never of a kind that has none. */
static void check_kinds(void **state)
{
    (void)state;
    static const int64_t pids[] = { 1, 7, 10, 42, 100, 101, 420, 999, 1000, 1001, 20042, 4194304 };
    cg_open_calls open;
    cg_open_init(&open, 100, 0);
    for (size_t i = 0; i < sizeof pids / sizeof *pids; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", (int)pids[i]);
        uint32_t kind = kind_of_text(text), before = open.by_pid[kind];
        assert_true(kind < CG_OPEN_PIDS);
        put(&open, pids[i], &read_name, "", i);
        assert_int_equal(open.by_pid[kind], before + 1);
    }
    for (size_t i = 0; i < sizeof pids / sizeof *pids; i++) {
        cg_open_drop(&open, cg_open_find(&open, cg_open_key(pids[i], 0)));
    }
    for (size_t i = 0; i < CG_OPEN_PIDS; i++) {
        assert_int_equal(open.by_pid[i], 0);
    }
    cg_open_release(&open);
}

/* From the oldest line to the youngest until none is left, wherever they lie in the table. */
static void check_oldest(void **state)
{
    (void)state;
    cg_open_calls open;
    cg_open_init(&open, THREADS, 0);
    assert_null(cg_open_oldest(&open));
    for (int64_t i = 0; i < 100; i++) {
        put(&open, 1 + i * 37 % 100, &read_name, "", (uint64_t)(1 + i * 37 % 100));
    }
    for (uint64_t line = 1; line <= 100; line++) {
        cg_open_call *oldest = cg_open_oldest(&open);
        assert_non_null(oldest);
        assert_int_equal(oldest->line, line);
        cg_open_drop(&open, oldest);
    }
    assert_null(cg_open_oldest(&open));
    cg_open_release(&open);
}

static void check_only(void **state)
{
    (void)state;
    cg_open_calls open;
    cg_open_init(&open, 10, 0);
    assert_null(cg_open_only(&open, &read_name));
    put(&open, 7, &read_name, "", 1);
    put(&open, 8, &write_name, "", 2);
    assert_int_equal(cg_open_only(&open, &read_name)->key, cg_open_key(7, 0));
    put(&open, 9, &read_name, "", 3);
    assert_null(cg_open_only(&open, &read_name));
    assert_int_equal(cg_open_only(&open, &write_name)->key, cg_open_key(8, 0));
    cg_open_release(&open);
}

static void check_limit_of_calls(void **state)
{
    (void)state;
    cg_open_calls open;
    cg_open_init(&open, 2, 100);
    assert_non_null(put(&open, 1, &read_name, "1", 1));
    assert_non_null(put(&open, 2, &read_name, "2", 2));
    assert_null(put(&open, 3, &read_name, "3", 3));
    assert_int_equal(open.dropped_calls, 1);
    assert_int_equal(open.count, 2);
    assert_int_equal(open.bytes, 2);
    assert_null(cg_open_find(&open, cg_open_key(3, 0)));
    cg_open_drop(&open, cg_open_find(&open, cg_open_key(1, 0)));
    assert_non_null(put(&open, 3, &read_name, "3", 4));
    assert_int_equal(open.dropped_calls, 1);
    cg_open_release(&open);
}

/* Text past the limit is not kept; the call is. */
static void check_limit_of_bytes(void **state)
{
    (void)state;
    cg_open_calls open;
    cg_open_init(&open, 10, 5);
    assert_non_null(put(&open, 1, &read_name, "123", 1)->args);
    assert_null(put(&open, 2, &read_name, "456", 2)->args);
    assert_non_null(put(&open, 3, &read_name, "78", 3)->args);
    assert_int_equal(open.bytes, 5);
    assert_int_equal(open.dropped_bytes, 3);
    assert_int_equal(open.dropped_calls, 0);
    cg_open_drop(&open, cg_open_find(&open, cg_open_key(1, 0)));
    cg_open_drop(&open, cg_open_find(&open, cg_open_key(2, 0)));
    assert_int_equal(open.bytes, 2);
    cg_open_release(&open);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_keys),           cmocka_unit_test(check_one),
        cmocka_unit_test(check_bare),           cmocka_unit_test(check_many),
        cmocka_unit_test(check_oldest),         cmocka_unit_test(check_only),
        cmocka_unit_test(check_limit_of_calls), cmocka_unit_test(check_limit_of_bytes),
        cmocka_unit_test(check_kinds),          cmocka_unit_test(check_rooms),
    };
    return cmocka_run_group_tests_name("open_calls", tests, NULL, NULL);
}

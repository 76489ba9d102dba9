/* SPDX-License-Identifier: Apache-2.0 */
/* input/source and event/names without memory: whichever allocation fails, the status says so, nothing
 * leaks, and what was made can be used and freed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/str.h"
#include "event/event.h"
#include "failing_mem.h"
#include "input/source.h"

/* "close(3) = 0\n", as it is and packed by gzip, twice. */
#define GZIP \
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\xce\xc9\x2f\x4e\xd5\x30\xd6\x54\xb0\x55\x30\xe0\x02" \
    "\x00\xb2\x4d\x56\x0e\x0d\x00\x00\x00"

struct row {
    const char *name;
    callgauge_str data;
};

#define BYTES(text) \
    { \
        (text), sizeof(text) - 1 \
    }

static struct row rows[] = {
    { "plain", BYTES("close(3) = 0\n") },
#ifdef CG_HAVE_ARCHIVE
    { "gzip twice", BYTES(GZIP GZIP) },
#endif
};

enum { ROWS = sizeof rows / sizeof *rows };

static callgauge_status read_all(int fd)
{
    char piece[100];
    size_t got = 0;
    cg_source *source = NULL;
    callgauge_status st = cg_source_open_fd(fd, "x", true, &source, NULL);
    if (st == CALLGAUGE_OK) {
        st = cg_source_next_member(source, NULL);
    }
    do {
        st = st == CALLGAUGE_OK ? cg_source_read(source, piece, sizeof piece, &got, NULL) : st;
    } while (st == CALLGAUGE_OK && got > 0);
    cg_source_free(source);
    return st;
}

static void check_row(void **state)
{
    const struct row *row = *state;
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(row->data.ptr, 1, row->data.len, file), row->data.len);
    assert_int_equal(fflush(file), 0);
    size_t live = failing_mem_live();
    size_t n = 0;
    do {
        assert_int_equal(lseek(fileno(file), 0, SEEK_SET), 0);
        failing_mem_after(++n);
        callgauge_status st = read_all(fileno(file));
        assert_int_equal(st, failing_mem_failed() ? CALLGAUGE_E_NOMEM : CALLGAUGE_OK);
        assert_int_equal(failing_mem_live(), live);
    } while (failing_mem_failed());
    assert_true(n > 2);
    failing_mem_after(0);
    fclose(file);
}

static void check_names(void **state)
{
    (void)state;
    size_t live = failing_mem_live();
    size_t n = 0;
    bool failed = false;
    do {
        cg_names names;
        int64_t why = 0;
        char text[16];
        cg_names_init(&names, true, 1000);
        failing_mem_after(++n);
        for (int i = 0; i < 300; i++) {
            int len = snprintf(text, sizeof text, "call_%d", i);
            const callgauge_call_name *call = cg_names_call(&names, cg_str(text, (size_t)len), &why);
            assert_true(call != NULL || (failing_mem_failed() && why == CG_INTERN_NOMEM));
            assert_true(call == NULL || cg_str_is(call->text, text));
        }
        failed = failing_mem_failed();
        failing_mem_after(0);
        const callgauge_call_name *call = cg_names_call(&names, cg_str_z("read"), &why);
        assert_non_null(call); /* with memory again, it goes on */
        assert_int_equal(call->id, names.index.count - 1);
        cg_names_release(&names);
        assert_int_equal(failing_mem_live(), live);
    } while (failed);
    assert_true(n > 4);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + 1] = { [ROWS] = cmocka_unit_test(check_names) };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("source without memory", tests, NULL, NULL);
}

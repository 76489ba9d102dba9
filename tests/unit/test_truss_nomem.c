/* SPDX-License-Identifier: Apache-2.0 */
/* The truss dialect without memory: whichever allocation fails, the reader says so and can be freed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "failing_mem.h"
#include "reader/reader.h"

static char trace[] = "912:\tread(0, 0x08047130, 1)\t\t(sleeping...)\n"
                      "912:\topen(\"/etc/motd\", O_RDONLY)\t\t\tErr#2 ENOENT\n"
                      "912:\tread(0, \"\\n\", 1)\t\t\t\t= 1\n"
                      "912:\t    Received signal #11, SIGSEGV [default]\n"
                      "912:\tmmap(0x00000000, 4096, PROT_READ,\n"
                      "MAP_ANON, -1, 0) = 0xFEDC0000\n"
                      "912:\tclose(3) = 0close(4) = 0\n"
                      "912:\tpause()\t\t\t\t(sleeping...)\n"
                      "/1@1:\t-> libc:malloc(0x20)\n";
static char table[] = "signals ------------\nSIGALRM\t\t  12\ntotal:\t\t12\n\n"
                      "Library:             Function                                 calls\n"
                      "libc:                malloc                                   52\n\n"
                      "syscall               seconds   calls  errors\n"
                      "read                     .412   20481       3\n"
                      "                     --------  ------   ----\n"
                      "sys totals:              .412   20481      3\n"
                      "usr time:               3.210\n"
                      "elapsed:               71.580\n";

static callgauge_status read_text(const char *text)
{
    callgauge_reader_options options = { .size = sizeof options, .dialect = "truss-solaris" };
    callgauge_reader *reader;
    const callgauge_event *event;
    callgauge_status st = callgauge_reader_new("x", &options, &reader, NULL);
    if (st != CALLGAUGE_OK) {
        return st;
    }
    st = callgauge_reader_feed(reader, text, strlen(text), NULL);
    if (st == CALLGAUGE_OK) {
        st = callgauge_reader_finish(reader, NULL);
    }
    while (st == CALLGAUGE_OK) {
        st = callgauge_reader_next(reader, &event, NULL);
    }
    callgauge_reader_free(reader);
    return st;
}

static void check_text(void **state)
{
    enum { ENOUGH = 2000 };
    const char *text = *state;
    size_t live = failing_mem_live(), n = 1;
    for (; n < ENOUGH; n++) {
        failing_mem_after(n);
        callgauge_status st = read_text(text);
        bool failed = failing_mem_failed();
        failing_mem_after(0);
        assert_int_equal(failing_mem_live(), live);
        if (!failed) {
            assert_int_equal(st, CALLGAUGE_END);
            break;
        }
        assert_int_equal(st, CALLGAUGE_E_NOMEM);
    }
    assert_true(n > 1 && n < ENOUGH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(check_text, trace),
        cmocka_unit_test_prestate(check_text, table),
    };
    return cmocka_run_group_tests_name("truss_nomem", tests, NULL, NULL);
}

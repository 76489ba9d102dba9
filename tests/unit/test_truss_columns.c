/* SPDX-License-Identifier: Apache-2.0 */
/* dialect/truss_columns: what the times in front of events are taken for, and when that is an assumption. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "truss_parse.h"

enum { MOST_LINES = 8 };

struct row {
    const char *name;
    callgauge_stamps asked;
    const char *lines[MOST_LINES];
    const char *kinds;   /* of the columns of the last line */
    const char *assumed; /* NULL: nothing is */
};

static struct row rows[] = {
    { "waiting", 0, { " 1.2128\tread(3, 0x0, 1) = 0", " 0.0100\tclose(3) = 0" }, "D", "D" },
    { "no waiting",
      0,
      { " 0.0001\tmkdir(\"/x\", 0755) = 0", " 0.0002\tclose(3) = 0", " 0.0001\tclose(4) = 0" },
      "D",
      "D" },
    { "nothing at all",
      0,
      { " 0.0001\tread(3, 0x0, 1) = 0", " 0.0000\tclose(3) = 0", " 0.0001\tclose(4) = 0" },
      "E",
      "E" },
    { "the first exec",
      0,
      { " 0.0000\texecve(\"/x\", 0x0, 0x0)  argc = 1", " 0.0040\tbrk(0x0) = 0", " 0.0002\tclose(4) = 0" },
      "D",
      "D" },
    { "never falls", 0, { " 0.0010\tclose(3) = 0", " 0.0014\tclose(4) = 0", " 0.0019\tclose(5) = 0" }, "d", "d" },
    { "a short sleep",
      0,
      { "read(0, 0x0, 1) (sleeping...)", " 0.0002\tread(0, \" x\", 1) = 1", " 0.0003\tclose(5) = 0" },
      "E",
      "E" },
    { "a long sleep",
      0,
      { " 0.0000\tclose(3) = 0", "read(0, 0x0, 1) (sleeping...)", " 2.1000\tread(0, \" x\", 1) = 1",
        " 0.0000\tclose(5) = 0" },
      "D",
      "D" },
    { "library calls",
      0,
      { " 0.3619\t-> libc:malloc(0x20)", " 0.3630\t-> libc:mmap(0x0)", " 0.3638\t<- libc:mmap() = 0" },
      "d",
      "d" },
    { "asked for", CALLGAUGE_STAMPS_D_DELTA, { " 0.0000\tclose(3) = 0" }, "D", NULL },
    { "asked for E", CALLGAUGE_STAMPS_E_CPU, { " 1.2128\tclose(3) = 0" }, "E", NULL },
    { "a header",
      0,
      { "Base time stamp:  1277716460.8580  [ Mon Jun 28 09:14:20 GMT 2010 ]", " 0.0000\tclose(3) = 0" },
      "d",
      NULL },
    { "a command line", 0, { "$ truss -o /tmp/x -fD -p 12", " 0.0000\tclose(3) = 0" }, "D", NULL },
    { "options glued to arguments", 0, { "# truss -vall -E ls", " 1.0000\tclose(3) = 0" }, "E", NULL },
    { "a command that says nothing", 0, { "$ truss -f -t read -p 12", " 1.0000\tclose(3) = 0" }, "D", "D" },
    { "clock and delta",
      0,
      { " 0.0168\t 0.0010\tclose(3) = 0", " 0.0177\t 0.0009\tclose(3) = 0", " 0.0182\t 0.0005\tclose(4) = 0" },
      "dD",
      "d, D" },
    { "clock and cpu",
      0,
      { " 0.0168\t 0.0000\tclose(3) = 0", " 0.0177\t 0.0001\tclose(3) = 0", " 0.0192\t 0.0002\tclose(4) = 0" },
      "dE",
      "d, E" },
    { "delta and cpu",
      0,
      { " 0.0168\t 0.0000\tclose(3) = 0", " 0.0177\t 0.0001\tclose(3) = 0", " 0.0002\t 0.0002\tclose(4) = 0" },
      "DE",
      "D, E" },
    { "all three", 0, { " 0.0168\t 0.0010\t 0.0000\tclose(3) = 0" }, "dDE", NULL },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void check_row(void **state)
{
    const struct row *row = *state;
    truss_parse of;
    char padded[MOST_LINES][256] = { { 0 } };
    callgauge_str lines[MOST_LINES];
    size_t count = 0;
    truss_parse_begin(&of);
    of.options.stamps = row->asked;
    for (; count < MOST_LINES && row->lines[count] != NULL; count++) {
        lines[count] = cg_str(padded[count], strlen(row->lines[count]));
        memcpy(padded[count], row->lines[count], lines[count].len);
    }
    cg_truss_columns(&of.parse, lines, count);
    const cg_truss *truss = of.parse.state;
    assert_string_equal(truss->kinds[strlen(row->kinds)], row->kinds);
    assert_int_equal(of.assumed.count, row->assumed != NULL);
    if (row->assumed != NULL) {
        assert_string_equal(of.assumed.items[0].taken, row->assumed);
        assert_string_equal(of.assumed.items[0].option, "--stamps");
    }
    truss_parse_end(&of);
}

static void check_stamps(void **state)
{
    static const struct {
        const char *line;
        int64_t ns;
    } stamps[] = {
        { " 0.0037\tclose(3) = 0", 3700000 },           { "12.5000\tclose(3) = 0", 12500000000 },
        { "127.6307 close(3) = 0", 127630700000 },      { "0.0177  close(3) = 0", 17700000 },
        { "-1.9998\tclose(3) = 0", -200000 },           { "1234567.0001\tclose(3) = 0", 1234567000100000 },
        { "10000.0000\tclose(3) = 0", 10000000000000 },
    };
    (void)state;
    truss_parse of;
    truss_parse_begin(&of);
    of.options.stamps = CALLGAUGE_STAMPS_D_DELTA;
    for (size_t i = 0; i < sizeof stamps / sizeof *stamps; i++) {
        assert_int_equal(truss_strict(&of, stamps[i].line), CG_LINE_EVENT);
        assert_int_equal(of.event.has & CALLGAUGE_HAS_GAP, CALLGAUGE_HAS_GAP);
        assert_true(of.event.gap_ns == stamps[i].ns);
    }
    truss_parse_end(&of);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + 1] = { cmocka_unit_test(check_stamps) };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i + 1] = (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("truss_columns", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* dialect/truss_fast against the strict form: which lines it proves, and that it then says the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "truss_parse.h"

struct row {
    const char *name, *line;
    bool proven;
};

/* Names, errors and leaders that the strict form has met before each row. */
static const char *const met[] = {
    "6428:\tclose(3)\t\t\t\t\tErr#9 EBADF",
    "6428:\tread(3, \" x\", 1)\t\t\t\t= 1",
    "6428:\twrite(3, \" x\", 1)\t\t\t\t= 1",
    "6428:\tmmap(0x00000000, 32, 3, 1, -1, 0)\t\t= 0xFD6D0000",
    "6428/1:\t\tclose(3)\t\t\t\t\t= 0",
    "6428/1:\t\t 0.0001\t 0.0000\tclose(3)\t\t\t\t= 0",
    "6428:\tread(3, \" x\", 1)\t\t\t\tErr#91 ERESTART",
    "6428/1:\t\tread(0, 0x08047130, 1)\t\t(sleeping...)",
};

static struct row rows[] = {
    { "a value", "6428:\tclose(4)\t\t\t\t\t= 0", true },
    { "a longer value", "6428:\twrite(4, \" a b c\".., 123456789)\t\t= 123456789", true },
    { "an address", "6428:\tmmap(0x00000000, 32, 3, 1, -1, 0)\t\t= 0xFFFF80FFBFFE0000", true },
    { "an error", "6428:\tclose(4)\t\t\t\t\tErr#9 EBADF", true },
    { "a restart", "6428:\twrite(4, 0x08047130, 1)\t\t\t\tErr#91 ERESTART", true },
    { "stamps", "6428/2:\t\t12.5000\t 0.0002\tclose(4)\t\t\t\t= 0", true },
    { "stamps of 100 s", "6428/2:\t\t127.6307\t 0.0002\tclose(4)\t\t\t\t= 0", true },
    { "expanded", "6428:   close(4)                                        = 0", true },
    { "a buffer to be dumped", "6428:\twrite(4, 0x08047130, 64)\t\t\t= 64", true },
    { "a sleeper may end here", "6428/1:\t\tread(0, \" x\", 1)\t\t\t= 1", false },
    { "a thread has a sleeper", "6428/1:\t\tclose(4)\t\t\t\t= 1", false },
    { "an unmet name", "6428:\tgetuid()\t\t\t\t\t= 0", false },
    { "an unmet error", "6428:\tclose(4)\t\t\t\t\tErr#2 ENOENT", false },
    { "an unmet leader", "/2:\tclose(4)\t\t\t\t\t= 0", false },
    { "no pid", "close(4)\t\t\t\t\t= 0", false },
    { "a parenthesis inside", "6428:\twrite(4, \" )\", 1)\t\t\t= 1", false },
    { "an equals sign in a string", "6428:\twrite(4, \" a =\", 1)\t\t\t= 1", true },
    { "two marks", "6428:\twrite(4, \" a = b\", 1)\t\t\t= 1", false },
    { "a number sign in a string", "6428:\twrite(4, \" a #\", 1)\t\t\t= 1", false },
    { "a second value", "6428:\tclose(4)\t\t\t\t\t= 0 [1]", false },
    { "octal", "6428:\tclose(4)\t\t\t\t\t= 022", false },
    { "something behind", "6428:\tclose(4)\t\t\t\t\t= 0 ", false },
    { "joined", "6428:\tclose(4)\t\t\t\t\t= 0close(5)", false },
    { "no gap", "6428:\tclose(4)= 0", false },
    { "no result", "6428:\tclose(4)", false },
    { "output in front", "hello6428:\tclose(4)\t\t\t\t\t= 0", false },
};

enum { ROWS = sizeof rows / sizeof *rows };

static void meet(truss_parse *of)
{
    truss_parse_begin(of);
    of->options.stamps = CALLGAUGE_STAMPS_E_CPU;
    for (size_t i = 0; i < sizeof met / sizeof *met; i++) {
        truss_strict(of, met[i]);
    }
}

static void compare(const callgauge_event *fast, const callgauge_event *strict)
{
    assert_int_equal(fast->kind, strict->kind);
    assert_int_equal(fast->has, strict->has);
    assert_int_equal(fast->flags, strict->flags);
    assert_true(cg_str_eq(fast->call->text, strict->call->text));
    assert_int_equal(fast->error != NULL, strict->error != NULL);
    assert_true(fast->error == NULL || cg_str_eq(fast->error->text, strict->error->text));
    assert_true(fast->value == strict->value && fast->error_number == strict->error_number);
    assert_true(fast->duration_ns == strict->duration_ns && fast->gap_ns == strict->gap_ns);
    assert_true(fast->end_ns == strict->end_ns && fast->pid == strict->pid && fast->tid == strict->tid);
    assert_true(cg_str_eq(fast->args, strict->args) && cg_str_eq(fast->result, strict->result));
    assert_true(cg_str_eq(fast->text, strict->text));
}

static void check_row(void **state)
{
    const struct row *row = *state;
    truss_parse fast, counts, strict;
    meet(&fast);
    meet(&counts);
    meet(&strict);
    truss_parse_line(&fast, row->line);
    truss_parse_line(&counts, row->line);
    cg_verdict verdict = cg_truss_events(&fast.parse, &fast.line, &fast.event);
    assert_int_equal(verdict, row->proven ? CG_LINE_EVENT : CG_LINE_HARD);
    assert_int_equal(cg_truss_counts(&counts.parse, &counts.line, &counts.event), verdict);
    if (row->proven) {
        assert_int_equal(truss_strict(&strict, row->line), CG_LINE_EVENT);
        compare(&fast.event, &strict.event);
        assert_true(cg_str_eq(counts.event.call->text, strict.event.call->text));
        assert_int_equal(counts.event.flags, strict.event.flags);
        assert_true(counts.event.value == strict.event.value);
        assert_int_equal(counts.event.has & CALLGAUGE_HAS_DURATION, strict.event.has & CALLGAUGE_HAS_DURATION);
        for (int kind = 0; kind < CG_REPAIR_COUNT; kind++) {
            assert_int_equal(fast.parse.repairs[kind], strict.parse.repairs[kind]);
        }
    }
    truss_parse_end(&fast);
    truss_parse_end(&counts);
    truss_parse_end(&strict);
}

/* The lean form reads what looks like a line that counts() has learned from, and nothing else. */
static void check_lean(void **state)
{
    static const struct {
        const char *line;
        bool read;
        int64_t cpu_ns;
    } lines[] = {
        { "1471/3:\t\t12.9999\t 0.0040\tclose(3)\t\t\t\t= 7", true, 4000000 },
        { "1471/3:\t\t12.9999\t 0.0040\tclose(3)\t\t\t\tErr#9 EBADF", true, 4000000 },
        { "14710/3:\t12.9999\t 0.0040\tclose(3)\t\t\t\t= 7", false, 0 },
        { "1471/13:\t12.9999\t 0.0040\tclose(3)\t\t\t\t= 7", false, 0 },
        { "1471/0:\t\t12.9999\t 0.0040\tclose(3)\t\t\t\t= 7", false, 0 },
        { "0471/3:\t\t12.9999\t 0.0040\tclose(3)\t\t\t\t= 7", false, 0 },
        { "1471/3:\t\t12.9999\t10.0040\tclose(3)\t\t\t\t= 7", false, 0 },
        { "1471/3:\t\t12.9999\t 0.0040\tclose(3)                                = 7", false, 0 },
        { "1471/3:\t\t12.9999\t 0.0040\twrite(4, 0x08047130, 64)\t\t\t= 64", false, 0 },
        { "6428/1:\t\t12.9999\t 0.0040\tclose(3)\t\t\t\t= 7", false, 0 }, /* it has a sleeper */
        { "close(3)\t\t\t\t= 7", false, 0 },
    };
    (void)state;
    truss_parse of;
    meet(&of);
    truss_parse_line(&of, "6428/2:\t\t12.5000\t 0.0002\tclose(4)\t\t\t\t= 0");
    assert_int_equal(cg_truss_lean(&of.parse, &of.line, &of.event), CG_LINE_HARD);
    assert_int_equal(cg_truss_counts(&of.parse, &of.line, &of.event), CG_LINE_EVENT);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        truss_parse_line(&of, lines[i].line);
        cg_verdict verdict = cg_truss_lean(&of.parse, &of.line, &of.event);
        assert_int_equal(verdict, lines[i].read ? CG_LINE_EVENT : CG_LINE_HARD);
        assert_true(!lines[i].read || of.event.duration_ns == lines[i].cpu_ns);
    }
    cg_truss_header(&of.parse, 0);
    truss_parse_line(&of, lines[0].line);
    assert_int_equal(cg_truss_lean(&of.parse, &of.line, &of.event), CG_LINE_HARD);
    truss_parse_end(&of);
}

/* counts() leaves the clock unread; it is read later, even when a new base has come in between. */
static void check_stamp_left(void **state)
{
    (void)state;
    truss_parse of;
    truss_parse_begin(&of);
    truss_strict(&of, "Base time stamp:  1000.0000  [ Thu Jan  1 00:16:40 GMT 1970 ]");
    truss_strict(&of, " 0.0001\tclose(3)\t\t\t\t= 0");
    truss_parse_line(&of, " 2.5000\tclose(3)\t\t\t\t= 0");
    assert_int_equal(cg_truss_counts(&of.parse, &of.line, &of.event), CG_LINE_EVENT);
    assert_int_equal(of.event.has & CALLGAUGE_HAS_END, 0);
    assert_true(cg_dialect_truss_solaris.stamp(&of.parse) == INT64_C(1002500000000));
    cg_truss_header(&of.parse, INT64_C(5000000000000));
    assert_true(cg_dialect_truss_solaris.stamp(&of.parse) == INT64_C(1002500000000));
    truss_parse_end(&of);
}

int main(void)
{
    enum { OTHERS = 2 };
    struct CMUnitTest tests[ROWS + OTHERS] = { cmocka_unit_test(check_lean), cmocka_unit_test(check_stamp_left) };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i + OTHERS] =
            (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("truss_fast", tests, NULL, NULL);
}

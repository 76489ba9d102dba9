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
        bool moves = strict.event.call->moves != CALLGAUGE_MOVES_NOTHING;
        assert_true(!moves || counts.event.value == strict.event.value);
        assert_int_equal(counts.event.has & CALLGAUGE_HAS_DURATION, strict.event.has & CALLGAUGE_HAS_DURATION);
        for (int kind = 0; kind < CG_REPAIR_COUNT; kind++) {
            assert_int_equal(fast.parse.repairs[kind], strict.parse.repairs[kind]);
        }
    }
    truss_parse_end(&fast);
    truss_parse_end(&counts);
    truss_parse_end(&strict);
}

/* Whether the lean form reads the line; its call. */
static bool read_lean(truss_parse *of, const char *line, cg_run_call *call)
{
    cg_lines lines;
    cg_run run;
    size_t room, len = strlen(line);
    assert_true(cg_lines_init(&lines, of->options.limits.line_bytes));
    lines.errors = true;
    char *to = cg_lines_room(&lines, &room);
    memcpy(to, line, len);
    to[len] = '\n';
    cg_lines_added(&lines, len + 1);
    cg_truss_lean(&of->parse, &lines, &run);
    assert_int_equal(run.count, cg_lines_number(&lines) - 1);
    assert_int_equal(run.event_lines, run.count);
    assert_int_equal(run.kind, CALLGAUGE_TIME_CPU);
    *call = run.calls[0];
    cg_lines_release(&lines);
    of->parse.stamp_at = NULL;
    return run.count == 1;
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
        { "1471/3:\t\t12.9999\t 9.1240\tclose(3)\t\t\t\t= 0", true, 9124000000 },
        { "1471/3:\t\t12.9999\t 0.0040\tclose(3)\t\t\t\tErr#9 EBADF", true, 4000000 },
        { "1471/3:\t\t12.9999\t 0.0040\tclose(3)\t\t\t\tErr#91 ERESTART", true, 4000000 },
        { "1471/3:\t\t12.9999\t 0.0040\tmmap(0x00000000, 32, 3, 1, -1, 0)\t= 0xFD6D0000", true, 4000000 },
        { "14710/3:\t12.9999\t 0.0040\tclose(3)\t\t\t\t= 7", false, 0 },
        { "1471/13:\t12.9999\t 0.0040\tclose(3)\t\t\t\t= 7", false, 0 },
        { "1471/0:\t\t12.9999\t 0.0040\tclose(3)\t\t\t\t= 7", false, 0 },
        { "0471/3:\t\t12.9999\t 0.0040\tclose(3)\t\t\t\t= 7", false, 0 },
        { "1471/3:\t\t12.9999\t10.0040\tclose(3)\t\t\t\t= 7", false, 0 },
        { "1471/3:\t\t12.9999\t 0.0040\tclose(3)                                = 7", false, 0 },
        { "1471/3:\t\t12.9999\t 0.0040\twrite(4, 0x08047130, 64)\t\t\t= 64", false, 0 },
        { "1471/3:\t\t12.9999\t 0.0040\tmmap(0x00000000, 32, 3, 1, -1, 0)\t= 0xfd6d0000", false, 0 },
        { "1471/3:\t\t12.9999\t 0.0040\tclose(3)\t\t\t\tErr#9", false, 0 },
        { "1471/3:\t\t12.9999\t 0.0040\tclose(3)\t\t\t\t", false, 0 },
        { "1471/3:\t\t12.9999\t 0.0040\tclose(3\t\t\t\t= 7", false, 0 },
        { "6428/1:\t\t12.9999\t 0.0040\tclose(3)\t\t\t\t= 7", false, 0 }, /* it has a sleeper */
        { "close(3)\t\t\t\t= 7", false, 0 },
    };
    (void)state;
    truss_parse of;
    cg_run_call call;
    meet(&of);
    assert_false(read_lean(&of, "6428/2:\t\t12.5000\t 0.0002\tclose(4)\t\t\t\t= 0", &call));
    truss_parse_line(&of, "6428/2:\t\t12.5000\t 0.0002\tclose(4)\t\t\t\t= 0");
    assert_int_equal(cg_truss_counts(&of.parse, &of.line, &of.event), CG_LINE_EVENT);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_int_equal(read_lean(&of, lines[i].line, &call), lines[i].read);
        assert_true(!lines[i].read || call.duration_ns == lines[i].cpu_ns);
    }
    cg_truss_header(&of.parse, 0);
    assert_false(read_lean(&of, lines[0].line, &call));
    truss_parse_end(&of);
}

/* A stamp of -E is a word, whatever the number of its seconds' digits. */
static void check_cpu_stamps(void **state)
{
    static const struct {
        const char *line;
        int64_t cpu_ns;
    } lines[] = {
        { "7/3:\t\t 2.9999\t 0.0040\tclose(3)\t\t\t\t= 7", 4000000 },
        { "17/3:\t\t 2.9999\t12.0040\tclose(3)\t\t\t\t= 7", 12004000000 },
        { "117/3:\t\t 2.9999\t127.0040\tclose(3)\t\t\t\t= 7", 127004000000 },
        { "1117/3:\t\t 2.9999\t1273.6040\tclose(3)\t\t\t\t= 7", -1 }, /* not by the lean form */
    };
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        truss_parse of;
        cg_run_call call;
        meet(&of);
        truss_parse_line(&of, lines[i].line);
        assert_int_equal(cg_truss_counts(&of.parse, &of.line, &of.event), CG_LINE_EVENT);
        assert_int_equal(read_lean(&of, lines[i].line, &call), lines[i].cpu_ns >= 0);
        assert_true(lines[i].cpu_ns < 0 || call.duration_ns == lines[i].cpu_ns);
        assert_true(lines[i].cpu_ns < 0 || of.event.duration_ns == lines[i].cpu_ns);
        truss_parse_end(&of);
    }
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
    enum { OTHERS = 3 };
    struct CMUnitTest tests[ROWS + OTHERS] = { cmocka_unit_test(check_lean), cmocka_unit_test(check_cpu_stamps),
                                               cmocka_unit_test(check_stamp_left) };
    for (size_t i = 0; i < ROWS; i++) {
        tests[i + OTHERS] =
            (struct CMUnitTest){ .name = rows[i].name, .test_func = check_row, .initial_state = &rows[i] };
    }
    return cmocka_run_group_tests_name("truss_fast", tests, NULL, NULL);
}

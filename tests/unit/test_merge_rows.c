/* SPDX-License-Identifier: Apache-2.0 */
/* report/merge_*: rows of files, descriptors, processes, programs, waiting, units. Whatever the order and however they
 * were merged before, the same bytes come out; and what comes out is what a person works out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "followed.h"

enum { PARTS = 3, ROUNDS = 40 };

static callgauge_report *merged(const callgauge_report *const *in, size_t n)
{
    callgauge_report *out;
    assert_int_equal(callgauge_report_merge(in, n, &out, NULL), CALLGAUGE_OK);
    return out;
}

static callgauge_report *merged_two(const callgauge_report *a, const callgauge_report *b)
{
    const callgauge_report *const both[] = { a, b };
    return merged(both, 2);
}

static void check_same(const callgauge_report *a, const callgauge_report *b)
{
    static caught first, other;
    write_report(a, "json", NULL, &first);
    write_report(b, "json", NULL, &other);
    assert_string_equal(first.text, other.text);
}

/* All orders of three, at once and two before the third. */
static void check_orders(callgauge_report *const *parts)
{
    static const int orders[][PARTS] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
    callgauge_report *expected = NULL;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        const callgauge_report *const in[PARTS] = { parts[orders[i][0]], parts[orders[i][1]], parts[orders[i][2]] };
        callgauge_report *at_once = merged(in, PARTS), *two = merged_two(in[0], in[1]), *step = merged_two(two, in[2]);
        check_same(at_once, step);
        if (expected != NULL) {
            check_same(expected, at_once);
            callgauge_report_free(at_once);
        } else {
            expected = at_once;
        }
        callgauge_report_free(two);
        callgauge_report_free(step);
    }
    callgauge_report_free(expected);
}

static void check_every_order(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        callgauge_unit_from others = round % 3 == 0 ? CALLGAUGE_UNIT_NUMBER : CALLGAUGE_UNIT_REQUEST;
        callgauge_unit_from last = round % 4 == 0 ? CALLGAUGE_UNIT_NONE : others;
        callgauge_report *parts[PARTS] = { drawn_report(3 * round, 1, others), drawn_report(3 * round + 1, 2, last),
                                           drawn_report(3 * round + 2, 3, others) };
        check_orders(parts);
        for (size_t i = 0; i < PARTS; i++) {
            callgauge_report_free(parts[i]);
        }
    }
}

/* A merge of one report is that report, and holds nothing of it. */
static void check_alone(void **state)
{
    static caught before, after;
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        callgauge_report *report = drawn_report(round, 1, CALLGAUGE_UNIT_REQUEST);
        const callgauge_report *const in[] = { report };
        write_report(report, "json", NULL, &before);
        callgauge_report *copy = merged(in, 1);
        callgauge_report_free(report);
        write_report(copy, "json", NULL, &after);
        assert_string_equal(before.text, after.text);
        callgauge_report_free(copy);
    }
}

/* A report of one capture and one row of each kind. */
static callgauge_report *one_of_each(const char *capture)
{
    callgauge_report *report = cg_report_new();
    assert_non_null(report);
    report->captures = cg_arena_alloc(&report->arena, sizeof *report->captures);
    report->captures[0].capture = (callgauge_capture){ .name = capture, .dialect = "strace", .has_events = true };
    report->capture_count = 1;
    report->files = cg_arena_alloc(&report->arena, sizeof *report->files);
    report->files[0].path = cg_str_z("/data/web/001");
    report->files[0].kind = CALLGAUGE_FILE_FILE;
    cg_file_row_init(&report->files[0]);
    report->file_count = 1;
    report->waiting = cg_arena_alloc(&report->arena, sizeof *report->waiting);
    report->waiting[0] = (callgauge_waiting_row){ .call = cg_str_z("poll"), .peer_port = -1, .fd = 3, .count = 1 };
    report->waiting_count = 1;
    report->programs = cg_arena_alloc(&report->arena, sizeof *report->programs);
    report->programs[0] = (callgauge_program_row){
        .program = cg_str_z("/usr/bin/expr"),
        .starts = 1,
        .lives = 1,
        .life_ns = CALLGAUGE_UNKNOWN,
    };
    report->program_count = 1;
    return report;
}

static void check_files(void **state)
{
    (void)state;
    callgauge_report *a = one_of_each("z"), *b = one_of_each("a");
    a->files[0].reads = 3;
    a->files[0].bytes_read = 300;
    a->files[0].min_read = 100;
    a->files[0].first = (callgauge_place){ 0, 7 };
    a->files[0].last = (callgauge_place){ 0, 9 };
    b->files[0].reads = 1;
    b->files[0].eof_reads = 1;
    b->files[0].first = (callgauge_place){ 0, 50 };
    b->files[0].last = (callgauge_place){ 0, 60 };
    cg_report_seal(a);
    cg_report_seal(b);
    callgauge_report *sum = merged_two(a, b);
    const callgauge_file_row *row = callgauge_report_file(sum, 0);
    assert_int_equal(callgauge_report_file_count(sum), 1);
    assert_int_equal(row->reads, 4);
    assert_int_equal(row->eof_reads, 1);
    assert_int_equal(row->bytes_read, 300);
    assert_int_equal(row->min_read, 100);
    assert_int_equal(row->bytes_written, CALLGAUGE_UNKNOWN);
    assert_int_equal(row->first.capture, 0); /* "a" is the first capture now */
    assert_int_equal(row->first.line, 50);
    assert_int_equal(row->last.capture, 1);
    assert_int_equal(row->last.line, 9);
    callgauge_report_free(sum);
    callgauge_report_free(a);
    callgauge_report_free(b);
}

static void check_pids(void **state)
{
    enum { MANY = 50 };
    static int64_t even[MANY], odd[MANY];
    (void)state;
    callgauge_report *a = one_of_each("a"), *b = one_of_each("b");
    for (int i = 0; i < MANY; i++) {
        even[i] = 2 * i;
        odd[i] = 2 * i + 1;
    }
    a->files[0].processes = even;
    b->files[0].processes = odd;
    a->files[0].process_count = b->files[0].process_count = MANY;
    cg_report_seal(a);
    cg_report_seal(b);
    callgauge_report *sum = merged_two(a, b);
    const callgauge_file_row *row = callgauge_report_file(sum, 0);
    assert_int_equal(row->process_count, CG_PIDS_OF_A_FILE);
    assert_int_equal(row->processes[0], 0);
    assert_int_equal(row->processes[CG_PIDS_OF_A_FILE - 1], CG_PIDS_OF_A_FILE - 1);
    assert_int_equal(row->reader_count, 0);
    callgauge_report_free(sum);
    callgauge_report_free(a);
    callgauge_report_free(b);
}

/* Lives whose time is not known do not make the mean of the others smaller; the longest wait keeps its place. */
static void check_lives_and_waits(void **state)
{
    (void)state;
    callgauge_report *a = one_of_each("a"), *b = one_of_each("b");
    a->programs[0].life_ns = 50;
    a->waiting[0].max_ns = 5;
    a->waiting[0].longest = (callgauge_place){ 0, 3 };
    b->waiting[0].max_ns = 6;
    b->waiting[0].longest = (callgauge_place){ 0, 4 };
    cg_report_seal(a);
    cg_report_seal(b);
    callgauge_report *sum = merged_two(a, b);
    assert_int_equal(callgauge_report_program(sum, 0)->starts, 2);
    assert_int_equal(callgauge_report_program(sum, 0)->lives, 1);
    assert_int_equal(callgauge_report_program(sum, 0)->life_ns, 50);
    assert_int_equal(callgauge_report_waiting(sum, 0)->count, 2);
    assert_int_equal(callgauge_report_waiting(sum, 0)->max_ns, 6);
    assert_int_equal(callgauge_report_waiting(sum, 0)->longest.capture, 1);
    assert_int_equal(callgauge_report_waiting(sum, 0)->longest.line, 4);
    callgauge_report_free(sum);
    callgauge_report_free(a);
    callgauge_report_free(b);
}

/* Units of one kind add; of two kinds they are left out, and that is said. */
static void check_units(void **state)
{
    (void)state;
    callgauge_report *a = one_of_each("a"), *b = one_of_each("b"), *c = one_of_each("c");
    a->totals.user_ns = 120000000;
    cg_report_set_unit_count(a, 100);
    cg_report_set_unit_count(b, 50);
    c->unit.from = CALLGAUGE_UNIT_REQUEST;
    c->unit.count = 7;
    cg_report_seal(a);
    cg_report_seal(b);
    cg_report_seal(c);
    callgauge_report *same = merged_two(a, b), *mixed = merged_two(same, c);
    assert_int_equal(callgauge_report_unit(same)->from, CALLGAUGE_UNIT_NUMBER);
    assert_int_equal(callgauge_report_unit(same)->count, 150);
    assert_int_equal(callgauge_report_unit(mixed)->from, CALLGAUGE_UNIT_NONE);
    assert_int_equal(callgauge_report_unit(mixed)->count, 0);
    size_t count;
    const callgauge_limit_row *limits = callgauge_report_limits_hit(mixed, &count);
    assert_int_equal(count, 1);
    assert_string_equal(limits[0].limit, "unit");
    assert_int_equal(limits[0].kept, 0);
    assert_int_equal(limits[0].dropped, 157);
    callgauge_report *const made[] = { a, b, c, same, mixed };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        callgauge_report_free(made[i]);
    }
}

/* 100 requests: .149 s in the kernel and .120 s outside are 2.69 ms a request, 371.7 of them a second at best. */
static void check_unit_cost(void **state)
{
    (void)state;
    callgauge_report *report = one_of_each("apache"), *counted;
    report->calls = cg_arena_alloc(&report->arena, sizeof *report->calls);
    report->calls[0].name = cg_str_z("read");
    cg_call_row_init(&report->calls[0]);
    report->calls[0].calls = 3600;
    report->calls[0].cpu_ns = 149000000;
    report->call_count = 1;
    report->totals.user_ns = 120000000;
    cg_report_seal(report);
    assert_int_equal(callgauge_report_count_units(report, 0, &counted, NULL), CALLGAUGE_E_USAGE);
    assert_int_equal(callgauge_report_count_units(report, 100, &counted, NULL), CALLGAUGE_OK);
    const callgauge_unit *unit = callgauge_report_unit(counted);
    assert_int_equal(unit->cpu_per_unit_ns, 2690000);
    assert_true(unit->cpu_has_user);
    assert_true(unit->units_per_cpu_second > 371.7 && unit->units_per_cpu_second < 371.8);
    assert_int_equal(unit->calls_p50, CALLGAUGE_UNKNOWN);
    callgauge_report_free(counted);
    report->calls[0].cpu_calls = 3599; /* one call did not say how long it took */
    assert_int_equal(callgauge_report_count_units(report, 100, &counted, NULL), CALLGAUGE_OK);
    assert_int_equal(callgauge_report_unit(counted)->cpu_per_unit_ns, CALLGAUGE_UNKNOWN);
    callgauge_report_free(counted);
    callgauge_report_free(report);
}

static struct order {
    const char *name;
    uint64_t transfers, jumps;
    callgauge_order order;
} orders[] = {
    { "nothing to compare", 0, 0, CALLGAUGE_ORDER_UNKNOWN },
    { "one after the other", 9, 0, CALLGAUGE_ORDER_SEQUENTIAL },
    { "one jump", 9, 1, CALLGAUGE_ORDER_MIXED },
    { "half of them", 8, 4, CALLGAUGE_ORDER_MIXED },
    { "more than half", 9, 5, CALLGAUGE_ORDER_RANDOM },
    { "all", 1, 1, CALLGAUGE_ORDER_RANDOM },
};

enum { ORDERS = sizeof orders / sizeof *orders };

static void check_order(void **state)
{
    const struct order *row = *state;
    const callgauge_file_row file = { .transfers = row->transfers, .jumps = row->jumps };
    assert_int_equal(callgauge_file_order(&file), row->order);
}

/* A report with one sequence, and rules of which `ids` were judged; NULL: there were no rules. */
static callgauge_report *recorded_report(const char *capture, uint64_t line, const char *const *ids, size_t id_count)
{
    callgauge_report *report = drawn_report(3, 1, CALLGAUGE_UNIT_NONE);
    callgauge_evidence *calls = cg_arena_alloc(&report->arena, 2 * sizeof *calls);
    report->captures[0].capture.name = capture;
    calls[0] = (callgauge_evidence){ { 0, line }, cg_str_z("read(FD1)") };
    calls[1] = (callgauge_evidence){ { 0, line + 1 }, cg_str_z("close(FD1)") };
    report->recorded[0] = (callgauge_recorded_row){
        .name = cg_str_z("one request"), .begin = { 0, line - 1 }, .calls = calls, .call_count = 2, .times = line
    };
    report->recorded_count = 1;
    report->judged = ids == NULL ? NULL : cg_arena_alloc(&report->arena, (id_count + 1) * sizeof *report->judged);
    for (size_t i = 0; i < id_count; i++) {
        report->judged[i] = cg_str_z(ids[i]);
    }
    report->judged_count = id_count;
    return report;
}

/* Sequences of one capture are one where their calls are: its times add, and the lines of the first are kept. */
static void check_recorded(void **state)
{
    (void)state;
    callgauge_report *parts[] = { recorded_report("b", 30, NULL, 0), recorded_report("b", 20, NULL, 0),
                                  recorded_report("c", 10, NULL, 0), recorded_report("a", 40, NULL, 0) };
    callgauge_report *sum = merged((const callgauge_report *const *)parts, 4);
    assert_int_equal(callgauge_report_recorded_count(sum), 3);
    const callgauge_recorded_row *row = callgauge_report_recorded(sum, 1);
    assert_int_equal(row->capture, 1); /* the captures are a, b, b, c */
    assert_int_equal(row->times, 50);
    assert_int_equal(row->begin.line, 19);
    assert_int_equal(row->calls[1].place.line, 21);
    assert_int_equal(row->calls[1].place.capture, 1);
    row = callgauge_report_recorded(sum, 2);
    assert_int_equal(row->capture, 3);
    assert_int_equal(row->calls[0].place.capture, 3);
    assert_null(callgauge_report_recorded(sum, 3));
    callgauge_report_free(sum);
    for (size_t i = 0; i < 4; i++) {
        callgauge_report_free(parts[i]);
    }
}

/* A rule stays where all reports have judged it; where one had no rules, nothing is known of any. */
static void check_judged(void **state)
{
    static const char *const all[] = { "a", "b", "c" }, *const some[] = { "b", "d" };
    (void)state;
    size_t count = 9;
    callgauge_report *parts[] = { recorded_report("a", 10, all, 3), recorded_report("b", 10, some, 2),
                                  recorded_report("c", 10, some, 0), recorded_report("d", 10, NULL, 0) };
    callgauge_report *sum = merged((const callgauge_report *const *)parts, 2);
    const callgauge_str *ids = callgauge_report_judged(sum, &count);
    assert_int_equal(count, 1);
    assert_true(cg_str_is(ids[0], "b"));
    callgauge_report_free(sum);
    sum = merged((const callgauge_report *const *)parts, 3);
    assert_non_null(callgauge_report_judged(sum, &count));
    assert_int_equal(count, 0);
    callgauge_report_free(sum);
    sum = merged((const callgauge_report *const *)parts, 4);
    assert_null(callgauge_report_judged(sum, &count));
    assert_int_equal(count, 0);
    callgauge_report_free(sum);
    for (size_t i = 0; i < 4; i++) {
        callgauge_report_free(parts[i]);
    }
}

int main(void)
{
    struct CMUnitTest tests[ORDERS + 9] = {
        [ORDERS] = cmocka_unit_test(check_every_order),   [ORDERS + 1] = cmocka_unit_test(check_alone),
        [ORDERS + 2] = cmocka_unit_test(check_files),     [ORDERS + 3] = cmocka_unit_test(check_pids),
        [ORDERS + 4] = cmocka_unit_test(check_units),     [ORDERS + 5] = cmocka_unit_test(check_lives_and_waits),
        [ORDERS + 6] = cmocka_unit_test(check_unit_cost), [ORDERS + 7] = cmocka_unit_test(check_recorded),
        [ORDERS + 8] = cmocka_unit_test(check_judged),
    };
    for (size_t i = 0; i < ORDERS; i++) {
        tests[i] = (struct CMUnitTest){ .name = orders[i].name, .test_func = check_order, .initial_state = &orders[i] };
    }
    return cmocka_run_group_tests_name("merge_rows", tests, NULL, NULL);
}

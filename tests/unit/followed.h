/* SPDX-License-Identifier: Apache-2.0 */
/* Reports with rows of files, descriptors, processes, programs, waiting and a unit, made by hand: drawn from few names
 * and numbers, so that two reports have rows in common and rows of their own. Include after cmocka.h. */
#ifndef CG_TEST_FOLLOWED_H
#define CG_TEST_FOLLOWED_H

#include "making.h"

/* A stream of numbers that is the same in every run. */
typedef struct draw {
    uint64_t state;
} draw;

static inline uint64_t drawn(draw *from, uint64_t below)
{
    from->state = from->state * 6364136223846793005u + 1442695040888963407u;
    return (from->state >> 33) % below;
}

static inline int64_t drawn_or_unknown(draw *from, uint64_t below)
{
    return drawn(from, 4) == 0 ? CALLGAUGE_UNKNOWN : (int64_t)drawn(from, below);
}

static inline callgauge_str drawn_name(draw *from)
{
    static const char *const names[] = { "", "/a", "/b/\351\"\\\n", "c", "/usr/bin/expr" };
    return cg_str_z(names[drawn(from, sizeof names / sizeof *names)]);
}

static inline callgauge_place drawn_place(draw *from, size_t captures)
{
    return (callgauge_place){ (size_t)drawn(from, captures), 1 + drawn(from, 9) };
}

static inline const callgauge_name_row *drawn_names(draw *from, cg_arena *arena, size_t *count)
{
    enum { MOST = 3 };
    callgauge_name_row *rows = cg_arena_alloc(arena, MOST * sizeof *rows);
    for (size_t i = 0; i < MOST; i++) {
        rows[i] = (callgauge_name_row){ drawn_name(from), 1 + drawn(from, 5) };
    }
    *count = cg_name_rows_settle(rows, (size_t)drawn(from, MOST + 1));
    return rows;
}

static inline const int64_t *drawn_pids(draw *from, cg_arena *arena, size_t *count)
{
    enum { MOST = 60 };
    int64_t *pids = cg_arena_alloc(arena, MOST * sizeof *pids);
    int64_t pid = drawn(from, 2) == 0 ? CALLGAUGE_UNKNOWN : 1;
    *count = (size_t)drawn(from, MOST + 1);
    for (size_t i = 0; i < *count; i++) {
        pids[i] = pid;
        pid = pid == CALLGAUGE_UNKNOWN ? 1 : pid + 1 + (int64_t)drawn(from, 3);
    }
    return pids;
}

static inline const callgauge_bucket *drawn_buckets(draw *from, cg_arena *arena, size_t *count)
{
    enum { MOST = 4 };
    callgauge_bucket *rows = cg_arena_alloc(arena, MOST * sizeof *rows);
    uint32_t index = 0;
    *count = (size_t)drawn(from, MOST + 1);
    for (size_t i = 0; i < *count; i++) {
        index += 1 + (uint32_t)drawn(from, 3);
        rows[i] = (callgauge_bucket){ index, 1 + drawn(from, 9) };
    }
    return rows;
}

static inline void draw_file(draw *from, callgauge_report *report, callgauge_file_row *row)
{
    row->path = drawn_name(from);
    row->kind = drawn(from, 2) == 0 ? CALLGAUGE_FILE_FILE : CALLGAUGE_FILE_PIPE;
    cg_file_row_init(row);
    if (drawn(from, 3) == 0) {
        row->kind = CALLGAUGE_FILE_SOCKET;
        row->peer = cg_str_z(drawn(from, 2) == 0 ? "::1" : "10.0.0.1");
        row->peer_port = (int32_t)drawn(from, 2);
    }
    row->opened_before = drawn(from, 4) == 0;
    row->pid = row->opened_before ? drawn_or_unknown(from, 2) : CALLGAUGE_UNKNOWN;
    row->fd = row->opened_before ? (int64_t)drawn(from, 2) : CALLGAUGE_UNKNOWN;
    row->relative = drawn(from, 9) == 0;
    row->number = row->kind == CALLGAUGE_FILE_PIPE ? 1 + (uint32_t)drawn(from, 2) : 0;
    row->renamed_to = drawn_name(from);
    uint64_t *const counts[] = { &row->calls,  &row->errors,       &row->opens,     &row->reads, &row->eof_reads,
                                 &row->writes, &row->empty_writes, &row->transfers, &row->jumps, &row->maps };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        *counts[i] = drawn(from, 99);
    }
    int64_t *const sums[] = { &row->bytes_read, &row->bytes_written, &row->min_read, &row->max_read, &row->min_write,
                              &row->max_write,  &row->reread_bytes,  &row->cpu_ns,   &row->wall_ns,  &row->waiting_ns };
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        *sums[i] = drawn_or_unknown(from, 999);
    }
    row->cpu_calls = row->cpu_ns == CALLGAUGE_UNKNOWN ? 0 : drawn(from, 5);
    row->wall_calls = row->wall_ns == CALLGAUGE_UNKNOWN ? 0 : drawn(from, 5);
    row->failed_opens_by_error = drawn_names(from, &report->arena, &row->failed_open_count);
    row->processes = drawn_pids(from, &report->arena, &row->process_count);
    row->readers = drawn_pids(from, &report->arena, &row->reader_count);
    row->writers = drawn_pids(from, &report->arena, &row->writer_count);
    row->first = drawn_place(from, report->capture_count);
    row->last = drawn_place(from, report->capture_count);
}

static inline void draw_descriptor(draw *from, callgauge_descriptor_row *row)
{
    *row = (callgauge_descriptor_row){ .pid = drawn_or_unknown(from, 2), .fd = (int64_t)drawn(from, 2) };
    row->path = drawn_name(from);
    row->kind = CALLGAUGE_FILE_FILE;
    row->peer_port = row->local_port = -1;
    row->opened_before = drawn(from, 2) == 0;
    row->closed = drawn(from, 2) == 0;
}

static inline void draw_process(draw *from, callgauge_report *report, callgauge_process_row *row)
{
    enum { ARGS = 2, THREADS = 3 };
    callgauge_str *argv = cg_arena_alloc(&report->arena, ARGS * sizeof *argv);
    callgauge_thread_row *threads = cg_arena_alloc(&report->arena, THREADS * sizeof *threads);
    row->pid = drawn_or_unknown(from, 3);
    cg_process_row_init(row);
    row->life = (uint32_t)drawn(from, 2);
    row->program = drawn_name(from);
    row->parent = drawn_or_unknown(from, 2);
    row->calls = drawn(from, 9);
    row->errors = drawn(from, 9);
    row->emfile = drawn(from, 9);
    row->wall_ns = drawn_or_unknown(from, 99);
    row->wall_calls = row->wall_ns == CALLGAUGE_UNKNOWN ? 0 : drawn(from, 3);
    row->start_ns = drawn_or_unknown(from, 99);
    row->end_ns = drawn_or_unknown(from, 99);
    row->born = drawn(from, 2) == 0;
    row->ended = drawn(from, 2) == 0;
    row->exit_code = drawn_or_unknown(from, 3);
    row->exit_signal = cg_str_z(drawn(from, 2) == 0 ? "SIGKILL" : "");
    row->open_at_start = drawn_or_unknown(from, 9);
    row->open_at_end = drawn_or_unknown(from, 9);
    row->open_peak = drawn_or_unknown(from, 9);
    for (size_t i = 0; i < ARGS; i++) {
        argv[i] = drawn_name(from);
    }
    row->argv = argv;
    row->argv_count = (size_t)drawn(from, ARGS + 1);
    for (size_t i = 0; i < THREADS; i++) {
        int64_t tid = (int64_t)(2 * i + drawn(from, 2));
        threads[i] = (callgauge_thread_row){ tid, drawn_or_unknown(from, 9), drawn_or_unknown(from, 9), 5 };
    }
    row->threads = threads;
    row->thread_count = (size_t)drawn(from, THREADS + 1);
}

static inline void draw_program(draw *from, callgauge_report *report, callgauge_program_row *row)
{
    *row = (callgauge_program_row){ .program = drawn_name(from), .starts = drawn(from, 9), .calls = drawn(from, 99) };
    row->started_by = drawn_names(from, &report->arena, &row->started_by_count);
    row->lives = drawn(from, 9);
    row->life_ns = drawn_or_unknown(from, 99);
    row->cpu_ns = drawn_or_unknown(from, 99);
    row->wall_ns = CALLGAUGE_UNKNOWN;
}

static inline void draw_waiting(draw *from, callgauge_report *report, callgauge_waiting_row *row)
{
    *row = (callgauge_waiting_row){ .call = drawn_name(from), .peer_port = -1, .fd = drawn_or_unknown(from, 2) };
    if (drawn(from, 2) == 0) {
        row->kind = CALLGAUGE_FILE_SOCKET;
        row->peer = cg_str_z("127.0.0.53");
        row->peer_port = 53;
    }
    row->child = drawn_name(from);
    row->count = 1 + drawn(from, 9);
    row->wall_ns = (int64_t)drawn(from, 99);
    row->max_ns = (int64_t)drawn(from, 3);
    row->longest = drawn_place(from, report->capture_count);
}

static inline void draw_unit(draw *from, callgauge_report *report, callgauge_unit_from kind)
{
    callgauge_unit *unit = &report->unit;
    callgauge_unit_row *rows = cg_arena_alloc(&report->arena, CG_SLOWEST_UNITS * sizeof *rows);
    unit->from = kind;
    if (kind == CALLGAUGE_UNIT_NONE) {
        return;
    }
    unit->count = drawn(from, 99);
    unit->calls_buckets = drawn_buckets(from, &report->arena, &unit->calls_bucket_count);
    unit->wall_buckets = drawn_buckets(from, &report->arena, &unit->wall_bucket_count);
    unit->slowest_count = (size_t)drawn(from, CG_SLOWEST_UNITS + 1);
    for (size_t i = 0; i < unit->slowest_count; i++) {
        rows[i] = (callgauge_unit_row){ drawn_place(from, report->capture_count), drawn_or_unknown(from, 3),
                                        drawn(from, 3), drawn_or_unknown(from, 3) };
    }
    qsort(rows, unit->slowest_count, sizeof *rows, cg_unit_row_cmp);
    unit->slowest = rows;
}

/* A sequence of few calls, so that some are alike. */
static inline void draw_recorded(draw *from, callgauge_report *report, callgauge_recorded_row *row)
{
    enum { MOST = 2 };
    callgauge_evidence *calls = cg_arena_alloc(&report->arena, MOST * sizeof *calls);
    *row = (callgauge_recorded_row){ .name = drawn_name(from), .begin = drawn_place(from, report->capture_count) };
    row->capture = row->begin.capture;
    row->call_count = (size_t)drawn(from, MOST + 1);
    for (size_t i = 0; i < MOST; i++) {
        calls[i] = (callgauge_evidence){ { row->capture, 1 + drawn(from, 9) }, drawn_name(from) };
    }
    row->calls = calls;
    row->times = 1 + drawn(from, 3);
    row->ended = drawn(from, 4) != 0;
    row->cut = drawn(from, 9) == 0;
}

/* Some of a few rules; sometimes none were asked. */
static inline void draw_judged(draw *from, callgauge_report *report)
{
    static const char *const ids[] = { "a-rule", "b-rule", "c-rule", "d-rule" };
    enum { IDS = sizeof ids / sizeof *ids };
    report->followed = drawn(from, 3) != 0;
    if (drawn(from, 9) == 0) {
        return;
    }
    report->judged = cg_arena_alloc(&report->arena, IDS * sizeof *report->judged);
    for (size_t i = 0; i < IDS; i++) {
        if (drawn(from, 4) != 0) {
            report->judged[report->judged_count++] = cg_str_z(ids[i]);
        }
    }
}

static inline void draw_complete(draw *from, callgauge_capture_row *row)
{
    if (drawn(from, 2) == 0) {
        row->complete = CALLGAUGE_COMPLETE_NO;
        row->complete_why = drawn(from, 2) == 0 ? "9 successful opens and no close" : "declared by --traced";
        row->traced = drawn(from, 2) == 0 ? NULL : "open,%close";
    }
}

/* Rows that no two are of one thing: what a stage gives. */
static inline size_t without_equals(void *rows, size_t count, size_t size, int (*cmp)(const void *, const void *))
{
    char *at = rows;
    size_t used = 0;
    qsort(rows, count, size, cmp);
    for (size_t i = 0; i < count; i++) {
        if (used == 0 || cmp(at + (used - 1) * size, at + i * size) != 0) {
            memmove(at + used++ * size, at + i * size, size);
        }
    }
    return used;
}

/* Fills a report that has its captures and is not sealed. */
static inline void draw_rows(draw *from, callgauge_report *report, callgauge_unit_from unit)
{
    enum { ROWS = 12 };
    report->files = cg_arena_alloc(&report->arena, ROWS * sizeof *report->files);
    report->descriptors = cg_arena_alloc(&report->arena, ROWS * sizeof *report->descriptors);
    report->processes = cg_arena_alloc(&report->arena, ROWS * sizeof *report->processes);
    report->programs = cg_arena_alloc(&report->arena, ROWS * sizeof *report->programs);
    report->waiting = cg_arena_alloc(&report->arena, ROWS * sizeof *report->waiting);
    report->recorded = cg_arena_alloc(&report->arena, ROWS * sizeof *report->recorded);
    for (size_t i = 0; i < ROWS; i++) {
        draw_file(from, report, &report->files[i]);
        draw_descriptor(from, &report->descriptors[i]);
        draw_process(from, report, &report->processes[i]);
        draw_program(from, report, &report->programs[i]);
        draw_waiting(from, report, &report->waiting[i]);
        draw_recorded(from, report, &report->recorded[i]);
    }
    report->file_count = without_equals(report->files, ROWS, sizeof *report->files, cg_file_row_cmp);
    report->descriptor_count = ROWS;
    report->process_count = without_equals(report->processes, ROWS, sizeof *report->processes, cg_process_row_cmp);
    report->program_count = without_equals(report->programs, ROWS, sizeof *report->programs, cg_program_row_cmp);
    report->waiting_count = without_equals(report->waiting, ROWS, sizeof *report->waiting, cg_waiting_row_cmp);
    report->recorded_count = without_equals(report->recorded, ROWS, sizeof *report->recorded, cg_recorded_row_cmp);
    draw_unit(from, report, unit);
    draw_judged(from, report);
}

/* A report of `captures` captures, whose names are drawn too, so that some are alike. */
static inline callgauge_report *drawn_report(uint64_t seed, size_t captures, callgauge_unit_from unit)
{
    static const char *const names[] = { "b.strace", "a.strace", "c.strace" };
    draw from = { seed };
    callgauge_report *report = cg_report_new();
    assert_non_null(report);
    report->captures = cg_arena_alloc(&report->arena, captures * sizeof *report->captures);
    for (size_t i = 0; i < captures; i++) {
        report->captures[i].capture = (callgauge_capture){ .name = names[drawn(&from, 3)],
                                                           .dialect = "strace",
                                                           .has_events = true,
                                                           .lines = drawn(&from, 2),
                                                           .first_ns = CALLGAUGE_UNKNOWN,
                                                           .last_ns = CALLGAUGE_UNKNOWN };
        draw_complete(&from, &report->captures[i]);
    }
    report->capture_count = captures;
    draw_rows(&from, report, unit);
    assert_true(cg_report_order_captures(report));
    cg_report_seal(report);
    return report;
}

#endif

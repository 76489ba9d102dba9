/* SPDX-License-Identifier: Apache-2.0 */
/* stage/processes: lives, threads and programs where processes are followed, pids where they are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "annotating.h"
#include "stage/argv.h"
#include "stage/processes.h"

static cg_stage new_processes(size_t most)
{
    cg_stage stage;
    const cg_processes_options options = { .limits = { .names = 9, .processes = most } };
    assert_int_equal(cg_processes_new(&options, &stage, NULL), CALLGAUGE_OK);
    return stage;
}

/* --- by pid alone --- */

static void check_pids(void **state)
{
    (void)state;
    cg_stage stage = new_processes(2);
    for (int64_t pid = 30; pid > 0; pid -= 10) {
        callgauge_event event = timed_call(NAME_READ, CALLGAUGE_TIME_WALL, pid);
        event.has |= CALLGAUGE_HAS_PID | CALLGAUGE_HAS_START | CALLGAUGE_HAS_END;
        event.pid = pid;
        event.start_ns = pid * 100;
        event.end_ns = pid * 100 + pid;
        take(&stage, event);
        take(&stage, event);
    }
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(report->process_count, 2);
    const callgauge_process_row *first = callgauge_report_process(report, 0);
    assert_int_equal(first->pid, 20);
    assert_int_equal(first->calls, 2);
    assert_int_equal(first->wall_ns, 40);
    assert_int_equal(first->wall_calls, 2);
    assert_int_equal(first->cpu_calls, 0);
    assert_int_equal(first->cpu_ns, CALLGAUGE_UNKNOWN);
    assert_int_equal(first->start_ns, 2000);
    assert_int_equal(first->end_ns, 2020);
    assert_int_equal(first->life, 0);
    assert_int_equal(first->parent, CALLGAUGE_UNKNOWN);
    assert_int_equal(first->exit_code, CALLGAUGE_UNKNOWN);
    assert_int_equal(first->open_at_end, CALLGAUGE_UNKNOWN);
    assert_int_equal(first->thread_count, 0);
    assert_int_equal(report->program_count, 0);
    assert_int_equal(report->limit_count, 1);
    assert_string_equal(report->limits[0].limit, "processes");
    assert_int_equal(report->limits[0].kept, 2);
    assert_int_equal(report->limits[0].dropped, 2);
    callgauge_report_free(report);
}

static void check_many_pids(void **state)
{
    (void)state;
    cg_stage stage = new_processes(5000);
    for (int64_t i = 0; i < 8000; i++) {
        callgauge_event event = call_of(NAME_READ, 1);
        event.has |= CALLGAUGE_HAS_PID;
        event.pid = i % 4000 * 64;
        take(&stage, event);
    }
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(report->process_count, 4000);
    for (size_t i = 0; i < 4000; i++) {
        assert_int_equal(report->processes[i].pid, i * 64);
        assert_int_equal(report->processes[i].calls, 2);
    }
    callgauge_report_free(report);
}

/* Lines without a pid are one row; what is no process's is none. */
static void check_no_pid(void **state)
{
    (void)state;
    cg_stage stage = new_processes(9);
    take(&stage, call_of(NAME_READ, 1));
    take(&stage, failed_call(NAME_OPENAT, 0));
    take(&stage, (callgauge_event){ .kind = CALLGAUGE_EVENT_SIGNAL, .name = &signal_name });
    take(&stage, (callgauge_event){ .kind = CALLGAUGE_EVENT_NOTICE, .has = CALLGAUGE_HAS_PID, .pid = 5 });
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(report->process_count, 1);
    assert_int_equal(report->processes[0].pid, CALLGAUGE_UNKNOWN);
    assert_int_equal(report->processes[0].calls, 2);
    assert_int_equal(report->processes[0].errors, 1);
    callgauge_report_free(report);
}

/* --- lives and programs --- */

static cg_annotation of_thread(const cg_thread *thread)
{
    cg_annotation known = of_process(thread->process);
    known.thread = thread;
    return known;
}

static const callgauge_program_row *program(const callgauge_report *report, const char *path)
{
    for (size_t i = 0; i < report->program_count; i++) {
        if (cg_str_is(report->programs[i].program, path)) {
            return &report->programs[i];
        }
    }
    fail_msg("no program %s", path);
    return NULL;
}

/* An exec has its effect on the process after the stage has seen it. */
static void exec(const cg_stage *stage, const cg_thread *thread, cg_process *process, const char *path, int64_t ns)
{
    give(stage, 1, at(call("execve", "\"x\", [\"x\"], 0x1 /* 2 vars */", 0), ns, 10), of_thread(thread));
    process->program = cg_str_z(path);
    process->argv = cg_str_z("[\"x\", \"-c\", ...]");
}

static void check_lives(void **state)
{
    (void)state;
    cg_stage stage = new_processes(9);
    cg_process shell = a_process(0, 100), child = a_process(1, 101), again = a_process(2, 101);
    const cg_thread threads[] = { { 0, 100, &shell }, { 1, 101, &child }, { 2, 101, &again } };
    child.parent = again.parent = &shell;
    again.life = 2;
    exec(&stage, &threads[0], &shell, "/bin/sh", 0);
    give(&stage, 2, call("getpid", "", 100), of_thread(&threads[0]));
    child.program = shell.program; /* a fork */
    give(&stage, 3, call("close", "3", 0), of_thread(&threads[1]));
    exec(&stage, &threads[1], &child, "/usr/bin/w", 100);
    give(&stage, 4, failed(call("access", "\"/etc/x\", R_OK", 0), 0), of_thread(&threads[1]));
    give(&stage, 5, failed(call("execve", "\"y\", [\"y\"], 0x1", 0), 0), of_thread(&threads[1]));
    child.ended = true;
    child.born = true;
    child.exit_code = 3;
    child.start_ns = 90;
    child.end_ns = 1110;
    child.open_at_start = 3;
    child.open_now = 2;
    child.open_peak = 7;
    child.emfile = 1;
    again.program = shell.program;
    exec(&stage, &threads[2], &again, "/usr/bin/w", 2000);
    exec(&stage, &threads[2], &again, "/usr/bin/expr", 3000);
    again.exit_signal = cg_str_z("SIGKILL");
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(report->process_count, 3);
    const callgauge_process_row *row = &report->processes[1];
    assert_int_equal(row->pid, 101);
    assert_int_equal(row->life, 1);
    assert_int_equal(row->parent, 100);
    assert_int_equal(row->parent_life, 1);
    assert_true(cg_str_is(row->program, "/usr/bin/w"));
    assert_int_equal(row->argv_count, 3);
    assert_true(cg_str_is(row->argv[0], "x"));
    assert_true(cg_str_is(row->argv[2], "..."));
    assert_true(row->born && row->ended);
    assert_int_equal(row->exit_code, 3);
    assert_int_equal(row->start_ns, 90);
    assert_int_equal(row->end_ns, 1110);
    assert_int_equal(row->open_at_start, 3);
    assert_int_equal(row->open_at_end, 2);
    assert_int_equal(row->open_peak, 7);
    assert_int_equal(row->emfile, 1);
    assert_int_equal(row->calls, 4);
    assert_int_equal(row->errors, 2);
    assert_int_equal(report->processes[2].life, 2);
    assert_true(cg_str_is(report->processes[2].exit_signal, "SIGKILL"));
    assert_int_equal(report->processes[0].parent, CALLGAUGE_UNKNOWN);
    assert_int_equal(report->processes[0].parent_life, 0);

    assert_int_equal(report->program_count, 3);
    const callgauge_program_row *sh = program(report, "/bin/sh"), *w = program(report, "/usr/bin/w");
    assert_int_equal(sh->starts, 1);
    assert_int_equal(sh->started_by_count, 1);
    assert_true(cg_str_is(sh->started_by[0].name, ""));
    assert_int_equal(sh->lives, 0);
    assert_int_equal(sh->life_ns, CALLGAUGE_UNKNOWN);
    assert_int_equal(sh->calls, 4); /* getpid; close and both execs, called by its forks */
    assert_int_equal(w->starts, 2);
    assert_true(cg_str_is(w->started_by[0].name, "/bin/sh"));
    assert_int_equal(w->started_by[0].count, 2);
    assert_int_equal(w->lives, 2);
    assert_int_equal(w->life_ns, 1000 + 1000);
    assert_int_equal(w->calls, 3);
    assert_int_equal(w->errors, 2);
    assert_int_equal(program(report, "/usr/bin/expr")->starts, 1);
    assert_true(cg_str_is(program(report, "/usr/bin/expr")->started_by[0].name, "/usr/bin/w"));
    callgauge_report_free(report);
}

/* Processes, threads and programs past the limit. */
static void check_limit(void **state)
{
    (void)state;
    cg_stage stage = new_processes(2);
    cg_process processes[3] = { a_process(0, 1), a_process(1, 2), a_process(900, 3) };
    const cg_thread threads[] = {
        { 0, 1, &processes[0] }, { 1, 2, &processes[1] }, { 2, 3, &processes[2] }, { 3, 4, &processes[0] }
    };
    processes[0].program = cg_str_z("/a");
    processes[1].program = cg_str_z("/b");
    for (size_t i = 0; i < 4; i++) {
        give(&stage, 1, call("getpid", "", 1), of_thread(&threads[i]));
    }
    processes[0].program = cg_str_z("/c");
    give(&stage, 1, call("getpid", "", 1), of_thread(&threads[0]));
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(report->process_count, 2);
    assert_int_equal(report->processes[0].calls, 3);
    assert_int_equal(report->processes[0].thread_count, 1);
    assert_int_equal(report->program_count, 2);
    assert_int_equal(report->limit_count, 1);
    assert_int_equal(report->limits[0].kept, 2);
    assert_int_equal(report->limits[0].dropped, 3); /* a process, a thread, a program */
    callgauge_report_free(report);
}

/* --- where the time of a thread went --- */

static struct spans {
    const char *name;
    struct {
        const char *call;
        int64_t start_ns, ns; /* start -1: no stamps, ns -1: no duration */
    } calls[4];
    int64_t working, waiting, outside;
} spans[] = {
    { "work, wait, outside", { { "stat", 0, 10 }, { "poll", 100, 50 }, { "stat", 200, 30 } }, 40, 50, 140 },
    { "stamps coarser than durations", { { "stat", 1000, 700 }, { "poll", 1000, 600 } }, 700, 600, 0 },
    { "no stamps",
      { { "stat", -1, 10 }, { "poll", -1, 50 } },
      CALLGAUGE_UNKNOWN,
      CALLGAUGE_UNKNOWN,
      CALLGAUGE_UNKNOWN },
    { "no durations",
      { { "stat", 0, -1 }, { "poll", 9, -1 } },
      CALLGAUGE_UNKNOWN,
      CALLGAUGE_UNKNOWN,
      CALLGAUGE_UNKNOWN },
};

static void check_span(void **state)
{
    const struct spans *row = *state;
    cg_stage stage = new_processes(9);
    cg_process process = a_process(0, 1);
    const cg_thread thread = { 5, 7, &process };
    for (size_t i = 0; i < 4 && row->calls[i].call != NULL; i++) {
        callgauge_event event = at(call(row->calls[i].call, "0", 0), row->calls[i].start_ns, row->calls[i].ns);
        if (row->calls[i].start_ns < 0) {
            event.has &= ~(uint32_t)(CALLGAUGE_HAS_START | CALLGAUGE_HAS_END);
        }
        if (row->calls[i].ns < 0) {
            event.has &= ~(uint32_t)(CALLGAUGE_HAS_DURATION | CALLGAUGE_HAS_END);
        }
        give(&stage, 1, event, of_thread(&thread));
    }
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(report->processes[0].thread_count, 1);
    const callgauge_thread_row *got = &report->processes[0].threads[0];
    assert_int_equal(got->tid, 7);
    assert_int_equal(got->working_ns, row->working);
    assert_int_equal(got->waiting_ns, row->waiting);
    assert_int_equal(got->outside_ns, row->outside);
    callgauge_report_free(report);
}

/* Threads of several processes, seen in any order; one without calls that took time. */
static void check_threads(void **state)
{
    (void)state;
    cg_stage stage = new_processes(9);
    cg_process one = a_process(0, 1), two = a_process(1, 2);
    const cg_thread threads[] = { { 0, 30, &one }, { 1, 20, &two }, { 2, 10, &one }, { 3, 40, &two } };
    for (size_t i = 0; i < 3; i++) {
        give(&stage, 1, at(call("stat", "0", 0), 100, (int64_t)i + 1), of_thread(&threads[i]));
    }
    callgauge_event signal = { .kind = CALLGAUGE_EVENT_SIGNAL, .has = CALLGAUGE_HAS_START, .start_ns = 100 },
                    end = signal;
    end.kind = CALLGAUGE_EVENT_EXIT;
    end.start_ns = 400;
    give(&stage, 2, signal, of_thread(&threads[3]));
    give(&stage, 3, end, of_thread(&threads[3]));
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(report->processes[0].thread_count, 2);
    assert_int_equal(report->processes[0].threads[0].tid, 10);
    assert_int_equal(report->processes[0].threads[0].working_ns, 3);
    assert_int_equal(report->processes[0].threads[1].tid, 30);
    assert_int_equal(report->processes[1].threads[0].tid, 20);
    assert_int_equal(report->processes[1].threads[1].working_ns, 0);
    assert_int_equal(report->processes[1].threads[1].outside_ns, 300);
    callgauge_report_free(report);
}

/* --- argv --- */

static struct argv_row {
    const char *printed, *wanted; /* joined by | */
} argvs[] = {
    { "", NULL },
    { "[]", NULL },
    { "[\"sh\", \"-c\", \"x\"]", "sh|-c|x" },
    { "[\"a\\nb\", \"c,d\"]", "a\nb|c,d" },
    { "[\"cut\"..., ...]", "cut...|..." },
    { "[\"\", NULL]", "|NULL" },
    { "0x7ffd", "0x7ffd" },
    { "sh -c x", "sh -c x" },
};

static void check_argv(void **state)
{
    const struct argv_row *row = *state;
    cg_arena arena = { NULL };
    const callgauge_str *list;
    size_t count;
    char joined[100] = "", *to = joined;
    assert_true(cg_argv_split(cg_str_z(row->printed), &cg_strace_lexer, &arena, &list, &count));
    assert_int_equal(count == 0, row->wanted == NULL);
    for (size_t i = 0; i < count; i++) {
        memcpy(to, list[i].ptr, list[i].len);
        to += list[i].len;
        *to = i + 1 < count ? '|' : 0;
        to++;
    }
    assert_string_equal(joined, row->wanted == NULL ? "" : row->wanted);
    cg_arena_release(&arena);
}

/* Processes that turned out to be threads of another are part of its row; a child of which no line came has none. */
static void check_attached_threads(void **state)
{
    (void)state;
    cg_stage stage = new_processes(9);
    cg_process main = a_process(0, 100), other = a_process(1, 101), third = a_process(2, 102),
               unseen = a_process(3, 103);
    cg_thread threads[] = { { 0, 100, &main }, { 1, 101, &other }, { 2, 102, &third } };
    cg_process child = a_process(4, 104);
    const cg_thread of_child = { 3, 104, &child };
    child.parent = &other;
    main.program = cg_str_z("/usr/sbin/httpd");
    give(&stage, 1, at(call("getpid", "", 100), 100, 10), of_thread(&threads[0]));
    give(&stage, 2, at(failed(call("close", "3", 0), 0), 50, 20), of_thread(&threads[1]));
    cg_annotation spawns = of_thread(&threads[1]);
    spawns.child = &unseen;
    give(&stage, 3, at(call("fork", "", 103), 80, 30), spawns);
    give(&stage, 4, at(call("getpid", "", 100), 300, 40), of_thread(&threads[2]));
    give(&stage, 5, at(call("getpid", "", 104), 400, 5), of_thread(&of_child));
    other.same = third.same = &main;
    threads[1].process = threads[2].process = &main;
    give(&stage, 6, at(call("getpid", "", 100), 500, 50), of_thread(&threads[1]));
    callgauge_report *report = finish_stage(&stage, "t");
    assert_int_equal(report->process_count, 2);
    const callgauge_process_row *row = &report->processes[0];
    assert_int_equal(row->pid, 100);
    assert_int_equal(row->calls, 5);
    assert_int_equal(row->errors, 1);
    assert_int_equal(row->wall_ns, 150);
    assert_int_equal(row->start_ns, 50);
    assert_int_equal(row->end_ns, 550);
    assert_int_equal(row->thread_count, 3);
    assert_int_equal(row->threads[1].tid, 101);
    assert_int_equal(row->threads[1].working_ns, 100);
    assert_int_equal(report->processes[1].pid, 104);
    assert_int_equal(report->processes[1].parent, 100);
    assert_int_equal(report->processes[1].thread_count, 1);
    const callgauge_program_row *httpd = program(report, "/usr/sbin/httpd");
    assert_int_equal(httpd->calls, 5);
    assert_int_equal(httpd->errors, 1);
    assert_int_equal(httpd->wall_ns, 150);
    callgauge_report_free(report);
}

/* Without a lexer a list stays as it is. */
static void check_argv_unread(void **state)
{
    (void)state;
    cg_arena arena = { NULL };
    const callgauge_str *list;
    size_t count;
    assert_true(cg_argv_split(cg_str_z("[\"a\"]"), NULL, &arena, &list, &count));
    assert_int_equal(count, 1);
    assert_true(cg_str_is(list[0], "[\"a\"]"));
    cg_arena_release(&arena);
}

int main(void)
{
    enum { SPANS = sizeof spans / sizeof *spans, ARGVS = sizeof argvs / sizeof *argvs, OTHERS = 8 };
    struct CMUnitTest tests[OTHERS + SPANS + ARGVS] = {
        cmocka_unit_test(check_pids),        cmocka_unit_test(check_many_pids),
        cmocka_unit_test(check_no_pid),      cmocka_unit_test(check_lives),
        cmocka_unit_test(check_limit),       cmocka_unit_test(check_threads),
        cmocka_unit_test(check_argv_unread), cmocka_unit_test(check_attached_threads),
    };
    for (size_t i = 0; i < SPANS; i++) {
        tests[OTHERS + i] = (struct CMUnitTest){ spans[i].name, check_span, NULL, NULL, &spans[i] };
    }
    for (size_t i = 0; i < ARGVS; i++) {
        tests[OTHERS + SPANS + i] = (struct CMUnitTest){ argvs[i].printed, check_argv, NULL, NULL, &argvs[i] };
    }
    return cmocka_run_group_tests_name("stage_processes", tests, NULL, release_names);
}

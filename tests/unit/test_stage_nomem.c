/* SPDX-License-Identifier: Apache-2.0 */
/* The stages over followed events when memory runs out: at every allocation a status comes back, everything can still
 * be freed, and nothing leaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "annotating.h"
#include "failing_mem.h"
#include "stage/files.h"
#include "stage/units.h"
#include "stage/waiting.h"

static cg_process shell, child;
static cg_file files[4];

static bool each_open(const void *of, cg_open_fd_fn *take_fd, void *ctx)
{
    (void)of;
    return take_fd(ctx, &shell, 3, &files[0]) && take_fd(ctx, &child, 4, &files[3]);
}

static callgauge_status make(int which, cg_stage *out)
{
    const cg_files_options of_files = { .limits = stage_limits(), .open_fds = { each_open, NULL } };
    const cg_processes_options of_processes = { .limits = stage_limits() };
    const cg_waiting_options of_waiting = { .limits = stage_limits() };
    const cg_units_options of_units = { .from = CALLGAUGE_UNIT_CALL, .call = "read", .limits = stage_limits() };
    switch (which) {
    case 0: return cg_files_new(&of_files, out, NULL);
    case 1: return cg_processes_new(&of_processes, out, NULL);
    case 2: return cg_waiting_new(&of_waiting, out, NULL);
    default: return cg_units_new(&of_units, out, NULL);
    }
}

/* Everything that takes memory: failed opens, copies, jumps, ranges, pids, execs, waits. */
static bool feed(const cg_stage *stage)
{
    static cg_thread threads[2]; /* looked at when the stage finishes, too */
    threads[0] = (cg_thread){ 0, 1, &shell };
    threads[1] = (cg_thread){ 1, 2, &child };
    files[3].same = NULL;
    for (int64_t i = 0; i < 40; i++) {
        const cg_thread *thread = &threads[i % 2];
        cg_annotation by = of_process(thread->process);
        by.thread = thread;
        cg_annotation path = by, use = by;
        path.path = path.made = &files[i % 4];
        use.fd = use_of(&files[i % 4], 3);
        use.fd.open = (uint64_t)i % 3 + 1;
        use.fd.offset = i * 100;
        use.fd.follows = i % 3 == 0;
        use.fd2 = use_of(&files[2], 4);
        const callgauge_event events[] = {
            failed(call("open", "\"/f\", O_RDONLY", 0), (int)(i % 3)),
            call("open", "\"/f\", O_RDWR|O_CREAT|O_TRUNC, 0666", 3),
            at(call("read", "3, \"\", 10", 10), i * 10, i),
            at(call("sendfile", "4, 3, NULL, 10", 10), i * 10, i),
            at(call("recv", "3, \"\", 10, 0", 10), i * 10, i),
            at(call("execve", "\"/bin/w\", [\"w\"], 0x1", 0), i * 10, i),
        };
        for (size_t k = 0; k < sizeof events / sizeof *events; k++) {
            if (try_give(stage, events[k], k < 2 ? path : use) != CALLGAUGE_OK) {
                return false;
            }
        }
        thread->process == &shell ? (void)(shell.program = cg_str_z("/bin/sh")) : (void)(child.program = cg_str_z("w"));
    }
    files[3].same = &files[0];
    return true;
}

static void run(int which)
{
    cg_stage stage;
    shell = a_process(0, 1);
    child = a_process(1, 2);
    child.parent = &shell;
    child.argv = cg_str_z("[\"w\", \"-h\"]");
    child.ended = true;
    if (make(which, &stage) != CALLGAUGE_OK) {
        return;
    }
    callgauge_report *report = feed(&stage) ? cg_report_new() : NULL;
    if (report != NULL) {
        callgauge_status status = stage.finish(stage.self, report, NULL);
        assert_true(status == CALLGAUGE_OK || status == CALLGAUGE_E_NOMEM);
        callgauge_report_free(report);
    }
    stage.free(stage.self);
}

static void check_every_allocation(void **state)
{
    int which = *(const int *)*state;
    size_t n = 1;
    for (uint32_t i = 0; i < 4; i++) {
        files[i] = i < 2 ? a_file(i, i == 0 ? "/a" : "/b") : a_socket(i, "10.0.0.1", 80);
    }
    failing_mem_after(0);
    run(which); /* names are taken before the count begins */
    for (bool failed = true; failed; n++) {
        size_t live = failing_mem_live();
        failing_mem_after(n);
        run(which);
        failed = failing_mem_failed();
        failing_mem_after(0);
        assert_int_equal(failing_mem_live(), live);
    }
    assert_true(n > 7);
}

int main(void)
{
    static int which[] = { 0, 1, 2, 3 };
    const struct CMUnitTest tests[] = {
        { "files", check_every_allocation, NULL, NULL, &which[0] },
        { "processes", check_every_allocation, NULL, NULL, &which[1] },
        { "waiting", check_every_allocation, NULL, NULL, &which[2] },
        { "units", check_every_allocation, NULL, NULL, &which[3] },
    };
    return cmocka_run_group_tests_name("stage_nomem", tests, NULL, release_names);
}

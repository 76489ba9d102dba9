/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of reports and writers build by hand: events of a capture, the histogram over them, and
 * output caught in memory. Include after cmocka.h. */
#ifndef CG_TEST_MAKING_H
#define CG_TEST_MAKING_H

#include <callgauge/write.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "stage/histogram.h"
#include "stage/processes.h"

typedef struct caught {
    char text[262144];
    size_t len;
    int answer; /* what the callback returns */
} caught;

static inline int catch_output(void *ctx, const char *data, size_t len)
{
    caught *into = ctx;
    assert_true(len < sizeof into->text - into->len);
    memcpy(into->text + into->len, data, len);
    into->len += len;
    into->text[into->len] = 0;
    return into->answer;
}

static inline void write_report(const callgauge_report *report, const char *format,
                                const callgauge_write_options *options, caught *into)
{
    callgauge_output to = { catch_output, into };
    into->len = 0;
    into->answer = 0;
    assert_int_equal(callgauge_write(report, format, options, &to, NULL), CALLGAUGE_OK);
}

/* The names of the events that tests are made of. */
enum { NAME_READ, NAME_WRITE, NAME_OPENAT, NAME_COPY, NAME_EXIT, NAME_RAW, NAMES };

static const callgauge_call_name call_names[NAMES] = {
    { { "read", 4 }, NAME_READ, true, CALLGAUGE_CLASS_READ, CALLGAUGE_MOVES_IN, 0, -1, 2, -1, -1, 0, 0 },
    { { "write", 5 }, NAME_WRITE, true, CALLGAUGE_CLASS_WRITE, CALLGAUGE_MOVES_OUT, 0, -1, 2, -1, -1, 0, 0 },
    { { "openat", 6 }, NAME_OPENAT, true, CALLGAUGE_CLASS_OPEN, CALLGAUGE_MOVES_NOTHING, 0, 1, -1, -1, -1, 0, 0 },
    { { "sendfile", 8 }, NAME_COPY, true, CALLGAUGE_CLASS_COPY, CALLGAUGE_MOVES_BOTH, 0, -1, 3, -1, -1, 0, 0 },
    { { "exit_group", 10 }, NAME_EXIT, true, CALLGAUGE_CLASS_EXIT, CALLGAUGE_MOVES_NOTHING, -1, -1, -1, -1, -1, 0, 0 },
    { .text = { "syscall_0x270f", 14 },
      .id = NAME_RAW,
      .fd_arg = -1,
      .path_arg = -1,
      .size_arg = -1,
      .fd2_arg = -1,
      .path2_arg = -1 },
};

static const callgauge_name error_names[] = { { { "ENOENT", 6 }, 0 }, { { "EAGAIN", 6 }, 1 }, { { "EINTR", 5 }, 2 } };
static const callgauge_name signal_name = { { "SIGALRM", 7 }, 0 };
static const callgauge_name fault_name = { { "FLTPAGE", 7 }, 0 };
static const callgauge_name function_name = { { "libc:malloc", 11 }, 0 };

static inline callgauge_event call_of(int name, int64_t value)
{
    return (callgauge_event){
        .kind = CALLGAUGE_EVENT_CALL, .call = &call_names[name], .has = CALLGAUGE_HAS_VALUE, .value = value
    };
}

static inline callgauge_event failed_call(int name, int error)
{
    callgauge_event event = call_of(name, -1);
    event.error = &error_names[error];
    return event;
}

static inline callgauge_event timed_call(int name, callgauge_time_kind kind, int64_t ns)
{
    callgauge_event event = call_of(name, 0);
    event.has |= CALLGAUGE_HAS_DURATION;
    event.duration_kind = kind;
    event.duration_ns = ns;
    return event;
}

static inline callgauge_event row_event(const callgauge_count_row *row, int name)
{
    return (callgauge_event){
        .kind = CALLGAUGE_EVENT_COUNT_ROW, .call = name < 0 ? NULL : &call_names[name], .row = row, .line = 7
    };
}

static inline callgauge_event totals_event(const callgauge_count_row *row)
{
    return (callgauge_event){ .kind = CALLGAUGE_EVENT_TOTALS, .row = row, .line = 9 };
}

static inline callgauge_limits usual_limits(void)
{
    return (callgauge_limits){ .size = sizeof(callgauge_limits), .names = 100, .processes = 100, .unread_kept = 10 };
}

static inline void take(const cg_stage *stage, callgauge_event event)
{
    assert_int_equal(stage->event(stage->self, &event, NULL), CALLGAUGE_OK);
}

/* Ends the capture: its report, with one capture row. */
static inline callgauge_report *finish_stage(const cg_stage *stage, const char *capture)
{
    callgauge_report *report = cg_report_new();
    assert_non_null(report);
    report->captures = cg_arena_alloc(&report->arena, sizeof *report->captures);
    assert_non_null(report->captures);
    report->captures[0].capture = (callgauge_capture){
        .name = cg_arena_copy(&report->arena, capture, strlen(capture)),
        .dialect = "strace",
        .has_events = true,
        .first_ns = CALLGAUGE_UNKNOWN,
        .last_ns = CALLGAUGE_UNKNOWN,
    };
    report->capture_count = 1;
    assert_int_equal(stage->finish(stage->self, report, NULL), CALLGAUGE_OK);
    stage->free(stage->self);
    cg_report_seal(report);
    return report;
}

/* Two stages as one: what `summary --by process` runs. */
static inline callgauge_status take_both(void *self, const callgauge_event *event, callgauge_error *err)
{
    cg_stage *both = self;
    callgauge_status status = both[0].event(both[0].self, event, err);
    return status == CALLGAUGE_OK ? both[1].event(both[1].self, event, err) : status;
}

static inline callgauge_status finish_both(void *self, callgauge_report *report, callgauge_error *err)
{
    cg_stage *both = self;
    callgauge_status status = both[0].finish(both[0].self, report, err);
    return status == CALLGAUGE_OK ? both[1].finish(both[1].self, report, err) : status;
}

static inline void free_both(void *self)
{
    cg_stage *both = self;
    both[0].free(both[0].self);
    both[1].free(both[1].self);
    free(both);
}

/* The histogram, and the processes too when wanted. False: no memory. */
static inline bool try_new_stage(bool per_process, cg_stage *out)
{
    const cg_histogram_options options = { .limits = usual_limits(), .source = "t" };
    const cg_processes_options processes = { .limits = usual_limits() };
    if (!per_process) {
        return cg_histogram_new(&options, out, NULL) == CALLGAUGE_OK;
    }
    cg_stage *both = malloc(2 * sizeof *both);
    if (both == NULL || cg_histogram_new(&options, &both[0], NULL) != CALLGAUGE_OK) {
        free(both);
        return false;
    }
    if (cg_processes_new(&processes, &both[1], NULL) != CALLGAUGE_OK) {
        both[0].free(both[0].self);
        free(both);
        return false;
    }
    *out = (cg_stage){ .self = both, .event = take_both, .finish = finish_both, .free = free_both };
    return true;
}

static inline cg_stage new_stage(bool per_process)
{
    cg_stage stage;
    assert_true(try_new_stage(per_process, &stage));
    return stage;
}

#endif

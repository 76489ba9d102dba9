/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the stages over followed events are made of: calls by their names, as the class table knows them,
 * with arguments as strace prints them, and what is known of them. Include after cmocka.h. */
#ifndef CG_TEST_ANNOTATING_H
#define CG_TEST_ANNOTATING_H

#include "dialect/strace.h"
#include "event/annotation.h"
#include "making.h"

/* One table for the whole program: names live as long as it. */
static cg_names call_table;

static inline const callgauge_call_name *named(const char *text)
{
    int64_t why;
    if (call_table.room == 0 && call_table.index.limit == 0) {
        cg_names_init(&call_table, true, 1000);
    }
    const callgauge_call_name *name = cg_names_call(&call_table, cg_str_z(text), &why);
    assert_non_null(name);
    return name;
}

static inline int release_names(void **state)
{
    (void)state;
    cg_names_release(&call_table);
    return 0;
}

static inline callgauge_event call(const char *name, const char *args, int64_t value)
{
    return (callgauge_event){
        .kind = CALLGAUGE_EVENT_CALL,
        .call = named(name),
        .has = CALLGAUGE_HAS_VALUE,
        .value = value,
        .args = cg_str_z(args),
        .lexer = &cg_strace_lexer,
    };
}

/* It began at `start_ns` and took `ns`. */
static inline callgauge_event at(callgauge_event event, int64_t start_ns, int64_t ns)
{
    event.has |= CALLGAUGE_HAS_START | CALLGAUGE_HAS_END | CALLGAUGE_HAS_DURATION;
    event.start_ns = start_ns;
    event.end_ns = start_ns + ns;
    event.duration_ns = ns;
    event.duration_kind = CALLGAUGE_TIME_WALL;
    return event;
}

/* error: index in error_names. */
static inline callgauge_event failed(callgauge_event event, int error)
{
    event.value = -1;
    event.error = &error_names[error];
    return event;
}

static inline cg_use use_of(const cg_file *file, int64_t fd)
{
    return (cg_use){ .fd = fd, .file = file, .open = 0, .offset = CG_UNKNOWN, .follows = true };
}

/* Nothing known but the process. */
static inline cg_annotation of_process(const cg_process *process)
{
    return (cg_annotation){ .process = process, .fd = use_of(NULL, CG_UNKNOWN), .fd2 = use_of(NULL, CG_UNKNOWN) };
}

static inline cg_annotation by_fd(const cg_process *process, cg_use use)
{
    cg_annotation known = of_process(process);
    known.fd = use;
    return known;
}

static inline cg_annotation by_path(const cg_process *process, const cg_file *path, const cg_file *made)
{
    cg_annotation known = of_process(process);
    known.path = path;
    known.made = made;
    return known;
}

static inline callgauge_status try_give(const cg_stage *stage, callgauge_event event, cg_annotation known)
{
    event.annotation = &known;
    return stage->event(stage->self, &event, NULL);
}

static inline void give(const cg_stage *stage, uint64_t line, callgauge_event event, cg_annotation known)
{
    event.line = line;
    assert_int_equal(try_give(stage, event, known), CALLGAUGE_OK);
}

static inline callgauge_limits stage_limits(void)
{
    callgauge_limits limits = usual_limits();
    limits.file_processes = 4;
    limits.waiting = 100;
    return limits;
}

static inline cg_file a_file(uint32_t id, const char *path)
{
    return (
        cg_file){ .id = id, .kind = CALLGAUGE_FILE_FILE, .path = cg_str_z(path), .peer_port = -1, .local_port = -1 };
}

static inline cg_file a_socket(uint32_t id, const char *peer, int32_t port)
{
    return (cg_file){
        .id = id, .kind = CALLGAUGE_FILE_SOCKET, .peer = cg_str_z(peer), .peer_port = port, .local_port = -1
    };
}

static inline cg_process a_process(uint32_t id, int64_t pid)
{
    return (cg_process){
        .id = id, .life = 1, .pid = pid, .start_ns = CG_UNKNOWN, .end_ns = CG_UNKNOWN, .exit_code = CG_UNKNOWN
    };
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of lib/state share: a capture followed by reader and state, and what became known, said in lines:
 *
 *     7 p4242 fd 3=/etc/passwd#2 @512 path /a made /a child p4243
 *
 * is line 7 of process 4242, whose descriptor 3 is the open file number 2 and whose bytes begin at 512. `+` behind
 * an offset: they go on where those before ended. Include after cmocka.h. */
#ifndef CG_TEST_FOLLOWING_H
#define CG_TEST_FOLLOWING_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/str.h"
#include "reader/reader.h"
#include "state/state.h"

static inline bool say_process(cg_buf *out, const char *what, const cg_process *process)
{
    bool ok = cg_buf_printf(out, process->pid == CG_UNKNOWN ? "%sp?" : "%sp%" PRId64, what, process->pid);
    return ok && (process->life == 1 || cg_buf_printf(out, ".%u", (unsigned)process->life));
}

static inline bool say_end(cg_buf *out, callgauge_str address, int32_t port)
{
    return cg_buf_add_str(out, address) && (port < 0 || cg_buf_printf(out, ":%d", (int)port));
}

static inline bool say_file(cg_buf *out, const char *what, const cg_file *file)
{
    cg_buf_add_z(out, what);
    file = file->same != NULL ? file->same : file;
    if (file->opened_before) {
        return file->pid == CG_UNKNOWN ? cg_buf_printf(out, "(before %" PRId64 ")", file->fd)
                                       : cg_buf_printf(out, "(before %" PRId64 "/%" PRId64 ")", file->pid, file->fd);
    }
    if (file->number > 0) {
        cg_buf_printf(out, "%s%u", callgauge_file_kind_text(file->kind), (unsigned)file->number);
    } else if (file->kind != CALLGAUGE_FILE_FILE || file->path.len == 0) {
        cg_buf_printf(out, "%s:", callgauge_file_kind_text(file->kind));
    }
    bool ends = file->local.len + file->peer.len > 0 || file->local_port >= 0 || file->peer_port >= 0;
    if (ends && say_end(out, file->local, file->local_port) && cg_buf_add_z(out, "->")) {
        say_end(out, file->peer, file->peer_port);
    }
    return cg_buf_add_z(out, file->relative ? "~" : "") && cg_buf_add_str(out, file->path);
}

static inline void say_use(cg_buf *out, const char *what, const cg_use *use, bool moves)
{
    if (use->fd == CG_UNKNOWN) {
        return;
    }
    cg_buf_printf(out, "%s%" PRId64 "=", what, use->fd);
    if (use->file == NULL) {
        cg_buf_add_z(out, "closed");
        return;
    }
    say_file(out, "", use->file);
    cg_buf_printf(out, "#%" PRIu64, use->open);
    if (moves && use->offset != CG_UNKNOWN) {
        cg_buf_printf(out, " @%" PRId64, use->offset);
    }
    cg_buf_add_z(out, moves && use->follows ? "+" : "");
}

static inline void say_known(cg_buf *out, const callgauge_event *event)
{
    const cg_annotation *known = event->annotation;
    size_t before = out->len;
    if (known == NULL || event->kind != CALLGAUGE_EVENT_CALL) {
        return;
    }
    bool moves = event->call->moves != CALLGAUGE_MOVES_NOTHING;
    cg_buf_printf(out, "%" PRIu64, event->line);
    say_process(out, " ", known->process);
    size_t empty = out->len;
    say_use(out, " fd ", &known->fd, moves);
    say_use(out, " to ", &known->fd2, moves);
    if (known->path != NULL) {
        say_file(out, " path ", known->path);
    }
    if (known->path2 != NULL) {
        say_file(out, " path ", known->path2);
    }
    if (known->made != NULL) {
        say_file(out, " made ", known->made);
    }
    if (known->peer != NULL && known->peer != known->made) {
        say_file(out, " peer ", known->peer);
    }
    if (known->child != NULL) {
        say_process(out, " child ", known->child);
    }
    if (out->len == empty) {
        out->len = before;
    } else {
        cg_buf_add_char(out, '\n');
    }
}

/* One line for each process: "p5.2 of p4 /bin/true exit 0", "... killed SIGTERM", "... emfile 1". */
static inline void say_processes(cg_buf *out, const cg_state *state)
{
    for (size_t i = 0; i < cg_state_process_count(state); i++) {
        const cg_process *process = cg_state_process(state, i);
        say_process(out, "", process);
        if (process->parent != NULL) {
            say_process(out, " of ", process->parent);
        }
        if (process->same != NULL) {
            say_process(out, " is ", process->same);
        }
        cg_buf_add_z(out, process->program.len > 0 ? " " : "");
        cg_buf_add_str(out, process->program);
        if (process->exit_code != CG_UNKNOWN) {
            cg_buf_printf(out, " exit %" PRId64, process->exit_code);
        }
        if (process->exit_signal.len > 0) {
            cg_buf_add_z(out, " killed ");
            cg_buf_add_str(out, process->exit_signal);
        }
        if (process->emfile > 0) {
            cg_buf_printf(out, " emfile %" PRIu64, process->emfile);
        }
        cg_buf_add_char(out, '\n');
    }
}

/* Follows one capture into `state`, which goes on; false: no memory. `pid` > 0: of lines without one. */
static inline bool follow_text(cg_state *state, callgauge_str text, int64_t pid, cg_buf *said)
{
    callgauge_reader *reader = NULL;
    const callgauge_reader_options options = { .size = sizeof options, .pid = pid };
    const callgauge_event *event;
    callgauge_status st = callgauge_reader_new("t", &options, &reader, NULL);
    if (st == CALLGAUGE_OK) {
        cg_reader_want(reader, CG_WANT_THREAD | CG_WANT_SCALARS | CG_WANT_DETAIL);
        st = callgauge_reader_feed(reader, text.ptr, text.len, NULL);
    }
    if (st == CALLGAUGE_OK) {
        st = callgauge_reader_finish(reader, NULL);
        cg_state_begin(state, cg_reader_open_calls(reader));
    }
    while (st == CALLGAUGE_OK && (st = cg_reader_next(reader, &event, NULL)) == CALLGAUGE_OK) {
        if (!cg_state_annotate(state, cg_reader_event(reader, event))) {
            st = CALLGAUGE_E_NOMEM;
            break;
        }
        if (said != NULL) {
            say_known(said, event);
        }
        st = cg_state_apply(state) ? CALLGAUGE_OK : CALLGAUGE_E_NOMEM;
    }
    callgauge_reader_free(reader);
    return st == CALLGAUGE_END;
}

static inline cg_state_options follow_options(void)
{
    cg_state_options options = { .listing = NULL };
    cg_limits_settle(&options.limits);
    return options;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a predicate or an expression, over events or rows, with and without steps. What does not compile says
 * where, inside the text; what compiles has a truth for events and rows, twice the same one, and what is sure by name
 * holds for the event. The first byte picks the subject and the form. */
#include <callgauge/callgauge.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "predicate/predicate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static const char some_lines[] = "7 1700000000.5 read(3, \"ab\\tc\"..., 4096) = 8 <0.000250>\n"
                                 "7 1700000000.6 openat(AT_FDCWD, \".htaccess\", O_RDONLY|O_CLOEXEC) = -1 ENOENT (No)\n"
                                 "7 1700000000.7 poll([{fd=3, events=POLLIN}], 1, 1000) = 0 (Timeout) <0.1>\n"
                                 "7 1700000000.8 --- SIGCHLD {si_signo=SIGCHLD} ---\n"
                                 "7 1700000000.9 exit_group(0) = ?\n";

enum { SLOTS = 256, LEAST_LIMIT = 1000 };

static void require_same_truth(cg_judge *judge, uint32_t id, const callgauge_event *event, const cg_value *slots)
{
    cg_judge_next(judge, event);
    cg_truth truth = cg_judge_event(judge, id, event, slots);
    cg_truth by_kind = cg_judge_sure(judge, id, cg_judge_kind(judge, event));
    require(by_kind == CG_UNDECIDED || by_kind == truth);
    cg_truth sure = cg_judge_name(judge, id, event->call);
    require(truth == cg_judge_event(judge, id, event, slots));
    require(sure == CG_UNDECIDED || sure == truth);
}

static void judge_event(cg_judge *judge, uint32_t id, const cg_predicate *predicate, const cg_scope *scope,
                        const callgauge_event *event)
{
    static const cg_file file = { .id = 3, .kind = CALLGAUGE_FILE_FILE, .path = { "/etc/passwd", 11 } };
    static const cg_process process = { .pid = 7, .program = { "/bin/app", 8 } };
    const cg_annotation annotation = { .process = &process,
                                       .fd = { .fd = 3, .file = &file, .offset = 4096, .flags = { "O_RDWR", 6 } },
                                       .path = &file };
    static cg_value slots[SLOTS];
    callgauge_event seen = *event;
    cg_value value;
    memset(slots, 0, sizeof slots);
    seen.annotation = &annotation;
    bool room = cg_scope_slot_count(scope) <= SLOTS;
    for (int i = 0; i < 2; i++) {
        if (cg_predicate_about(predicate)->is_condition) {
            require_same_truth(judge, id, &seen, room ? slots : NULL);
        }
        cg_judge_value(judge, id, &seen, room ? slots : NULL, &value);
        require(cg_value_same(&value, &value));
        if (room) {
            cg_judge_take(judge, scope, 0, &seen, slots, NULL);
        }
    }
    for (size_t i = 0; i < cg_scope_slot_count(scope); i++) {
        if (cg_predicate_ties(predicate, i)) {
            cg_judge_tie(judge, id, i, &seen, &value);
        }
    }
}

static void judge_events(cg_judge *judge, uint32_t id, const cg_predicate *predicate, const cg_scope *scope)
{
    const callgauge_reader_options options = { .size = sizeof options, .dialect = "strace" };
    callgauge_reader *reader;
    const callgauge_event *event;
    require(callgauge_reader_new("t", &options, &reader, NULL) == CALLGAUGE_OK);
    require(callgauge_reader_feed(reader, some_lines, sizeof some_lines - 1, NULL) == CALLGAUGE_OK);
    require(callgauge_reader_finish(reader, NULL) == CALLGAUGE_OK);
    cg_judge_begin(judge, callgauge_reader_capture(reader));
    while (callgauge_reader_next(reader, &event, NULL) == CALLGAUGE_OK) {
        judge_event(judge, id, predicate, scope, event);
    }
    callgauge_reader_free(reader);
}

/* Enough zero bytes for a row of any subject. */
static void judge_row(cg_judge *judge, uint32_t id, const cg_predicate *predicate)
{
    static const union {
        callgauge_call_row call;
        callgauge_file_row file;
        callgauge_descriptor_row descriptor;
        callgauge_process_row process;
        callgauge_program_row program;
        callgauge_waiting_row waiting;
    } row;
    cg_value value;
    require(!cg_predicate_about(predicate)->is_condition ||
            cg_judge_row(judge, id, &row) == cg_judge_row(judge, id, &row));
    cg_judge_row_value(judge, id, &row, &value);
}

static void judge_all(const cg_predicate *predicate, const cg_scope *scope)
{
    const cg_judge_options options = { .match_limit = LEAST_LIMIT, .depth_limit = LEAST_LIMIT, .texts = 3 };
    cg_judge *judge = cg_judge_new(&options);
    uint32_t id;
    require(judge != NULL && cg_judge_add(judge, predicate, &id));
    if (cg_predicate_about(predicate)->of == CG_OF_EVENTS) {
        judge_events(judge, id, predicate, scope);
    } else {
        judge_row(judge, id, predicate);
    }
    cg_judge_free(judge);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const callgauge_str names[] = { { "a", 1 }, { "prev", 4 } };
    const cg_subject of = (cg_subject)(data[0] % (CG_OF_WAITING + 1));
    const bool value = data[0] >= 'a'; /* 'F' and other capitals: conditions over events, 'G' calls, ... */
    const cg_predicate_source source = { .text = { (const char *)data + 1, size - 1 }, .place = { .name = "t" } };
    cg_scope *scope = cg_scope_new(names, 2);
    cg_predicate *predicate = NULL;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    require(scope != NULL);
    callgauge_status status = value ? cg_expression_compile(&source, of, scope, &predicate, &err)
                                    : cg_predicate_compile(&source, of, scope, &predicate, &err);
    if (status == CALLGAUGE_OK) {
        judge_all(predicate, scope);
    } else {
        require(err.message[0] != '\0' && err.offset <= size && err.column <= size);
        require(err.line > 0 || source.text.len > 65536);
    }
    cg_predicate_free(predicate);
    cg_scope_free(scope);
    return 0;
}

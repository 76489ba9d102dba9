/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes behind the first as a capture whose calls are written as lines of one sequence: each begins with its name,
 * is ASCII but for `…`, no longer than a line may be, and the same when the capture is read again. Bit 0 of the first
 * byte is the dialect. */
#include "stream.h"

#include "base/str.h"
#include "event/normal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_line(callgauge_str line, const callgauge_event *event)
{
    require(line.len > 0 && line.len <= CG_NORMAL_LINE);
    require(line.ptr[0] == event->call->text.ptr[0]);
    for (size_t i = 0; i < line.len; i++) {
        bool dots = line.len - i >= 3 && memcmp(line.ptr + i, "\xe2\x80\xa6", 3) == 0;
        require(dots || (line.ptr[i] >= ' ' && line.ptr[i] <= '~'));
        i += dots ? 2 : 0;
    }
}

/* The hash of all lines. */
static uint64_t read_all(const char *dialect, const uint8_t *data, size_t size)
{
    callgauge_reader_options options = { .size = sizeof options, .dialect = dialect };
    callgauge_reader *reader;
    const callgauge_event *event;
    cg_normal_facts facts;
    cg_normal_names names = { 0 };
    cg_buf line;
    uint64_t hash = 0;
    cg_buf_init(&line, SIZE_MAX);
    cg_normal_facts_init(&facts);
    require(callgauge_reader_new("fuzz", &options, &reader, NULL) == CALLGAUGE_OK);
    require(callgauge_reader_feed(reader, data, size, NULL) == CALLGAUGE_OK);
    require(callgauge_reader_finish(reader, NULL) == CALLGAUGE_OK);
    while (callgauge_reader_next(reader, &event, NULL) == CALLGAUGE_OK) {
        require(cg_normal_facts_note(&facts, event));
        if (event->kind == CALLGAUGE_EVENT_CALL) {
            require(cg_normal_call(&line, event, &facts, &names));
            check_line(cg_buf_str(&line), event);
            hash_str(&hash, cg_buf_str(&line));
        }
    }
    callgauge_reader_free(reader);
    cg_normal_names_release(&names);
    cg_normal_facts_release(&facts);
    cg_buf_release(&line);
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0) {
        const char *dialect = (data[0] & 1) == 0 ? "strace" : "truss-solaris";
        require(read_all(dialect, data + 1, size - 1) == read_all(dialect, data + 1, size - 1));
    }
    return 0;
}

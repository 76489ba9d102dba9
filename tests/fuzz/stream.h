/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzz targets of readers share: an input fed in pieces to a reader becomes one `stream`, a hash
 * of all its events with every field that they have, and the counts of its capture.
 * Two streams of the same input must be equal, however the bytes were cut and whichever path read them;
 * the lines of each must add up. Whatever breaks that aborts. */
#ifndef TESTS_FUZZ_STREAM_H
#define TESTS_FUZZ_STREAM_H

#include <callgauge/callgauge.h>
#include <stdlib.h>
#include <string.h>

typedef struct stream {
    uint64_t hash;    /* of the events, in their order */
    uint64_t capture; /* of what is told of the capture */
    uint64_t events;
    callgauge_status status; /* the last one */
} stream;

/* How an input is cut: lengths of 1 to `longest` bytes, drawn from `state`; `longest` 0: not at all. */
typedef struct pieces {
    uint32_t state;
    uint32_t longest;
} pieces;

static inline void require(bool held)
{
    if (!held) {
        abort();
    }
}

static inline void hash_u64(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * 0x9E3779B97F4A7C15u;
    *hash ^= *hash >> 29;
}

/* Eight bytes at a time: an event is hashed as fast as it is read. */
static inline void hash_bytes(uint64_t *hash, const void *data, size_t len)
{
    const char *at = data;
    for (size_t left = len; left > 0;) {
        uint64_t word = 0;
        size_t some = left < sizeof word ? left : sizeof word;
        memcpy(&word, at, some);
        hash_u64(hash, word);
        at += some;
        left -= some;
    }
}

static inline void hash_str(uint64_t *hash, callgauge_str text)
{
    hash_u64(hash, text.len);
    hash_bytes(hash, text.ptr, text.len);
}

static inline void hash_text(uint64_t *hash, const char *text)
{
    hash_str(hash, (callgauge_str){ text, text == NULL ? 0 : strlen(text) });
}

static inline void hash_i64_if(uint64_t *hash, bool has, int64_t value)
{
    hash_u64(hash, has ? (uint64_t)value : UINT64_C(0x8000000000000001));
}

static inline void hash_name(uint64_t *hash, const callgauge_name *name)
{
    hash_u64(hash, name == NULL ? UINT64_MAX : name->id);
    if (name != NULL) {
        hash_str(hash, name->text);
    }
}

static inline void hash_call_name(uint64_t *hash, const callgauge_call_name *call)
{
    hash_u64(hash, call == NULL ? UINT64_MAX : call->id);
    if (call != NULL) {
        hash_str(hash, call->text);
        hash_u64(hash, (uint64_t)call->call_class);
        hash_u64(hash, call->known);
    }
}

static inline void hash_row(uint64_t *hash, const callgauge_count_row *row)
{
    hash_u64(hash, row == NULL);
    if (row == NULL) {
        return;
    }
    hash_u64(hash, row->has);
    hash_u64(hash, (uint64_t)row->of);
    hash_u64(hash, row->table);
    hash_str(hash, row->name.text);
    hash_i64_if(hash, (row->has & CALLGAUGE_ROW_CALLS) != 0, (int64_t)row->calls);
    hash_i64_if(hash, (row->has & CALLGAUGE_ROW_ERRORS) != 0, (int64_t)row->errors);
    hash_i64_if(hash, (row->has & CALLGAUGE_ROW_CPU) != 0, row->cpu_ns);
    hash_i64_if(hash, (row->has & CALLGAUGE_ROW_WALL) != 0, row->wall_ns);
    hash_i64_if(hash, (row->has & CALLGAUGE_ROW_CPU_MIN) != 0, row->cpu_min_ns);
    hash_i64_if(hash, (row->has & CALLGAUGE_ROW_CPU_MAX) != 0, row->cpu_max_ns);
    hash_i64_if(hash, (row->has & CALLGAUGE_ROW_WALL_MIN) != 0, row->wall_min_ns);
    hash_i64_if(hash, (row->has & CALLGAUGE_ROW_WALL_MAX) != 0, row->wall_max_ns);
    hash_i64_if(hash, (row->has & CALLGAUGE_ROW_USER) != 0, row->user_ns);
    hash_i64_if(hash, (row->has & CALLGAUGE_ROW_ELAPSED) != 0, row->elapsed_ns);
}

/* Every argument in every way that it can be read. */
static inline void hash_arguments(uint64_t *hash, const callgauge_event *event)
{
    size_t count = callgauge_event_arg_count(event);
    hash_u64(hash, count);
    for (size_t i = 0; i < count && i < 16; i++) {
        callgauge_str text = { NULL, 0 };
        int64_t number = 0;
        char decoded[64];
        size_t length = 0;
        bool cut = false;
        require(callgauge_event_arg(event, i, &text));
        hash_str(hash, text);
        hash_i64_if(hash, callgauge_event_arg_number(event, i, &number), number);
        if (callgauge_event_arg_string(event, i, decoded, sizeof decoded, &length, &cut)) {
            hash_bytes(hash, decoded, length < sizeof decoded ? length : sizeof decoded);
            hash_u64(hash, cut);
        }
        if (callgauge_event_arg_fd(event, i, &number, &text)) {
            hash_u64(hash, (uint64_t)number);
            hash_str(hash, text);
        }
        for (size_t flag = 0; flag < 8 && callgauge_event_arg_flag(event, i, flag, &text); flag++) {
            hash_str(hash, text);
        }
    }
}

static inline void hash_scalars(uint64_t *hash, const callgauge_event *event)
{
    hash_u64(hash, event->has);
    hash_u64(hash, event->flags);
    hash_i64_if(hash, (event->has & CALLGAUGE_HAS_VALUE) != 0, event->value);
    hash_i64_if(hash, (event->has & CALLGAUGE_HAS_VALUE2) != 0, event->value2);
    hash_i64_if(hash, (event->has & CALLGAUGE_HAS_ERRNO) != 0, event->error_number);
    hash_i64_if(hash, (event->has & CALLGAUGE_HAS_DURATION) != 0, event->duration_ns);
    hash_u64(hash, (uint64_t)event->duration_kind);
    hash_i64_if(hash, (event->has & CALLGAUGE_HAS_START) != 0, event->start_ns);
    hash_i64_if(hash, (event->has & CALLGAUGE_HAS_END) != 0, event->end_ns);
    hash_i64_if(hash, (event->has & CALLGAUGE_HAS_GAP) != 0, event->gap_ns);
    hash_i64_if(hash, (event->has & CALLGAUGE_HAS_PID) != 0, event->pid);
    hash_i64_if(hash, (event->has & CALLGAUGE_HAS_TID) != 0, event->tid);
    hash_u64(hash, event->line);
    hash_u64(hash, event->first_line);
    hash_u64(hash, event->offset);
}

static inline void hash_event(uint64_t *hash, const callgauge_event *event)
{
    hash_u64(hash, (uint64_t)event->kind);
    hash_scalars(hash, event);
    hash_call_name(hash, event->call);
    hash_name(hash, event->error);
    hash_name(hash, event->name);
    hash_str(hash, event->text);
    hash_str(hash, event->args);
    hash_str(hash, event->result);
    hash_str(hash, event->note);
    hash_str(hash, event->comm);
    hash_row(hash, event->row);
    hash_arguments(hash, event);
}

static inline void hash_capture(uint64_t *hash, const callgauge_capture *capture)
{
    const uint64_t numbers[] = { capture->bytes,
                                 capture->lines,
                                 capture->event_lines,
                                 capture->continuation_lines,
                                 capture->table_lines,
                                 capture->notice_lines,
                                 capture->foreign_lines,
                                 capture->unread_lines,
                                 capture->events,
                                 (uint64_t)capture->first_ns,
                                 (uint64_t)capture->last_ns,
                                 capture->traits,
                                 (uint64_t)capture->clock,
                                 capture->has_events,
                                 capture->has_table };
    hash_bytes(hash, numbers, sizeof numbers);
    hash_text(hash, capture->dialect);
    for (size_t i = 0; i < capture->unread_count; i++) {
        hash_u64(hash, capture->unread[i].line);
        hash_text(hash, capture->unread[i].reason);
        hash_str(hash, capture->unread[i].text);
    }
    for (size_t i = 0; i < capture->assumed_count; i++) {
        hash_text(hash, capture->assumed[i].what);
        hash_text(hash, capture->assumed[i].taken);
    }
    for (size_t i = 0; i < capture->repair_count; i++) {
        hash_text(hash, capture->repairs[i].kind);
        hash_u64(hash, capture->repairs[i].count);
        hash_u64(hash, capture->repairs[i].line);
    }
}

static inline void require_line_sum(const callgauge_capture *capture)
{
    require(capture->lines == capture->event_lines + capture->continuation_lines + capture->table_lines +
                                  capture->notice_lines + capture->foreign_lines + capture->unread_lines);
}

/* What of an event goes into a stream. */
typedef void hash_fn(uint64_t *hash, const callgauge_event *event);

/* Takes what is ready; the status behind it. */
typedef callgauge_status pull_fn(callgauge_reader *reader, hash_fn *hash, stream *out, callgauge_error *err);

/* As events. */
static inline callgauge_status pull_events(callgauge_reader *reader, hash_fn *hash, stream *out, callgauge_error *err)
{
    const callgauge_event *event = NULL;
    callgauge_status status;
    while ((status = callgauge_reader_next(reader, &event, err)) == CALLGAUGE_OK) {
        hash(&out->hash, event);
        out->events++;
    }
    return status;
}

static inline size_t next_piece(pieces *cut, size_t left)
{
    if (cut->longest == 0) {
        return left;
    }
    cut->state = cut->state * 1103515245u + 12345u;
    size_t len = 1 + (cut->state >> 16) % cut->longest;
    return len < left ? len : left;
}

/* Feeds `data` to a new reader, which it takes, and pulls everything. */
static inline stream read_stream_by(pull_fn *pull, callgauge_reader *reader, hash_fn *hash, const uint8_t *data,
                                    size_t size, pieces cut)
{
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    stream out = { 0xCBF29CE484222325u, 0xCBF29CE484222325u, 0, CALLGAUGE_MORE };
    for (size_t at = 0; at < size && out.status == CALLGAUGE_MORE;) {
        size_t len = next_piece(&cut, size - at);
        require(callgauge_reader_feed(reader, data + at, len, &err) == CALLGAUGE_OK);
        out.status = pull(reader, hash, &out, &err);
        at += len;
    }
    if (out.status == CALLGAUGE_MORE) {
        require(callgauge_reader_finish(reader, &err) == CALLGAUGE_OK);
        out.status = pull(reader, hash, &out, &err);
        require(out.status != CALLGAUGE_MORE);
    }
    if (out.status == CALLGAUGE_END) {
        require(callgauge_reader_capture(reader)->bytes == size);
        require_line_sum(callgauge_reader_capture(reader));
    }
    hash_capture(&out.capture, callgauge_reader_capture(reader));
    callgauge_reader_free(reader);
    return out;
}

static inline stream read_stream(callgauge_reader *reader, hash_fn *hash, const uint8_t *data, size_t size, pieces cut)
{
    return read_stream_by(pull_events, reader, hash, data, size, cut);
}

static inline void require_equal(const stream *a, const stream *b)
{
    require(a->status == b->status);
    require(a->events == b->events);
    require(a->hash == b->hash);
    require(a->capture == b->capture);
}

/* A reader of `dialect`; every fourth length of an input has limits that are soon reached. */
static inline callgauge_reader *new_reader(const char *dialect, size_t size)
{
    callgauge_reader_options options = {
        .size = sizeof options, .dialect = dialect, .details = true, .no_thread = true
    };
    callgauge_reader *reader = NULL;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    if (size % 4 == 3) {
        options.limits = (callgauge_limits){ .size = sizeof options.limits,
                                             .line_bytes = 4096,
                                             .open_calls = 4,
                                             .open_bytes = 4096,
                                             .names = 8,
                                             .unread_kept = 2 };
    }
    require(callgauge_reader_new("fuzz", &options, &reader, &err) == CALLGAUGE_OK);
    return reader;
}

/* The input whole, in pieces whose lengths its first bytes decide, and byte by byte. */
static inline void check_pieces(const char *dialect, const uint8_t *data, size_t size)
{
    uint32_t seed = (uint32_t)size;
    for (size_t i = 0; i < size && i < 8; i++) {
        seed = seed * 31 + data[i];
    }
    stream whole = read_stream(new_reader(dialect, size), hash_event, data, size, (pieces){ 0, 0 });
    stream some = read_stream(new_reader(dialect, size), hash_event, data, size, (pieces){ seed, 1 + seed % 64 });
    stream bytes = read_stream(new_reader(dialect, size), hash_event, data, size, (pieces){ 0, 1 });
    require_equal(&whole, &some);
    require_equal(&whole, &bytes);
}

#endif

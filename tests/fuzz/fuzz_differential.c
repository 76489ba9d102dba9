/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes in either dialect, read by the fast paths, which send to the strict scanner what they cannot
 * prove, whole and in pieces, and by the strict scanner alone. All must give the same events: in every field when
 * everything is wanted, and in all that a histogram counts when no more than that is. */
#include "stream.h"

#include "reader/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is filled in whatever is wanted: of calls, what a histogram counts; of all else, everything. */
static void hash_counts(uint64_t *hash, const callgauge_event *event)
{
    if (event->kind != CALLGAUGE_EVENT_CALL) {
        hash_event(hash, event);
        return;
    }
    bool has_duration = (event->has & CALLGAUGE_HAS_DURATION) != 0;
    bool moves = event->call->moves != CALLGAUGE_MOVES_NOTHING;
    hash_u64(hash, event->flags);
    hash_call_name(hash, event->call);
    hash_name(hash, event->error);
    hash_i64_if(hash, moves && (event->has & CALLGAUGE_HAS_VALUE) != 0, event->value);
    hash_i64_if(hash, has_duration, event->duration_ns);
    hash_i64_if(hash, has_duration, (int64_t)event->duration_kind);
}

/* Calls of a run as events that have no more than that. */
static void hash_run(hash_fn *hash, const cg_run *run, stream *out)
{
    for (size_t i = 0; i < run->count; i++) {
        const cg_run_call *call = &run->calls[i];
        const callgauge_event event = { .kind = CALLGAUGE_EVENT_CALL,
                                        .has = call->has,
                                        .flags = call->flags,
                                        .call = call->name,
                                        .error = call->error,
                                        .value = call->value,
                                        .duration_ns = call->duration_ns,
                                        .duration_kind = run->kind };
        require((call->has & CALLGAUGE_HAS_DURATION) == 0 || call->duration_ns >= 0);
        hash(&out->hash, &event);
        out->events++;
    }
}

/* As the histogram takes them: runs of calls as long as there are some, else an event. */
static callgauge_status pull_runs(callgauge_reader *reader, hash_fn *hash, stream *out, callgauge_error *err)
{
    const callgauge_event *event = NULL;
    callgauge_status status = CALLGAUGE_OK;
    while (status == CALLGAUGE_OK) {
        cg_run run;
        while (cg_reader_run(reader, &run)) {
            hash_run(hash, &run, out);
        }
        status = cg_reader_next(reader, &event, err);
        if (status == CALLGAUGE_OK) {
            hash(&out->hash, event);
            out->events++;
        }
    }
    return status;
}

/* Both scanners over one input, with one set of wants. */
static void compare(const char *dialect, uint32_t wants, pull_fn *pull, hash_fn *hash, const uint8_t *data, size_t size)
{
    stream streams[3];
    for (size_t i = 0; i < 3; i++) {
        const pieces cut = { (uint32_t)size, i == 1 ? 97 : 0 };
        callgauge_reader *reader = new_reader(dialect, size);
        cg_reader_strict_only(reader, i == 0);
        cg_reader_want(reader, wants);
        streams[i] = read_stream_by(pull, reader, hash, data, size, cut);
    }
    require_equal(&streams[0], &streams[1]);
    require_equal(&streams[0], &streams[2]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const dialects[] = { "strace", "truss-solaris" };
    for (size_t i = 0; i < 2; i++) {
        compare(dialects[i], CG_WANT_SCALARS | CG_WANT_THREAD | CG_WANT_DETAIL, pull_events, hash_event, data, size);
        compare(dialects[i], CG_WANT_COUNTS, pull_runs, hash_counts, data, size);
    }
    return 0;
}

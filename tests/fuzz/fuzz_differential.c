/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes in either dialect, read by the fast paths, which send to the strict scanner what they cannot
 * prove, and by the strict scanner alone. Both must give the same events: in every field when everything is
 * wanted, and in all that a histogram counts when no more than that is. */
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

static stream read_by(const char *dialect, bool strict, uint32_t wants, hash_fn *hash, const uint8_t *data, size_t size)
{
    callgauge_reader *reader = new_reader(dialect, size);
    cg_reader_strict_only(reader, strict);
    cg_reader_want(reader, wants);
    return read_stream(reader, hash, data, size, (pieces){ 0, 0 });
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const dialects[] = { "strace", "truss-solaris" };
    static const struct {
        uint32_t wants;
        hash_fn *hash;
    } forms[] = { { CG_WANT_SCALARS | CG_WANT_THREAD | CG_WANT_DETAIL, hash_event }, { CG_WANT_COUNTS, hash_counts } };
    for (size_t i = 0; i < 4; i++) {
        uint32_t wants = forms[i / 2].wants;
        hash_fn *hash = forms[i / 2].hash;
        stream fast = read_by(dialects[i % 2], false, wants, hash, data, size);
        stream strict = read_by(dialects[i % 2], true, wants, hash, data, size);
        require_equal(&fast, &strict);
    }
    return 0;
}

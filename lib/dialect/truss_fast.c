/* SPDX-License-Identifier: Apache-2.0 */
/* The fast form of the truss dialect: lines with any leader that has been met. All that is not proven to be what the
 * strict form would find is CG_LINE_HARD. */
#include "dialect/truss_fast.h"

static inline void set_cpu(const char *stamp, callgauge_event *event)
{
    event->duration_ns = cg_truss_stamp_ns(stamp);
    event->duration_kind = CALLGAUGE_TIME_CPU;
    event->has |= CALLGAUGE_HAS_DURATION;
}

static inline void set_scalars(const cg_parse *parse, const cg_line *line, const cg_truss_leader *leader,
                               const cg_truss_fast_call *call, callgauge_event *event)
{
    cg_truss_event_set(line, call, event);
    cg_truss_thread_set(parse, leader, event);
    cg_truss_stamps_set(parse->state, leader, event);
}

/* What a histogram needs of the columns: -E is always the last one, -d the first; that is read later. */
static inline void set_columns(cg_parse *parse, const cg_truss_leader *leader, callgauge_event *event)
{
    const cg_truss *truss = parse->state;
    const char *kinds = truss->kinds[leader->stamps];
    if (leader->stamps == 0) {
        return;
    }
    if (kinds[0] == 'd') {
        parse->stamp_at = leader->stamp[0];
    }
    if (kinds[leader->stamps - 1] == 'E') {
        set_cpu(leader->stamp[leader->stamps - 1], event);
    }
}

static inline cg_verdict read_line(cg_parse *parse, const cg_line *line, callgauge_event *event, uint32_t wants)
{
    cg_truss *truss = parse->state;
    const char *end = line->ptr + line->len;
    cg_truss_leader leader;
    cg_truss_fast_call call;
    if (line->mark == NULL || line->many || line->cut || line->too_long || truss->section != CG_TRUSS_NO_TABLE) {
        return CG_LINE_HARD;
    }
    cg_truss_leader_read(line->ptr, end, &leader);
    if ((truss->forms & cg_truss_form(&leader)) == 0 || cg_truss_pid_lost(truss, &leader) ||
        !cg_truss_call_whole(parse, line, leader.rest, wants, &call) ||
        (parse->open.count > 0 && cg_truss_has_sleeper(parse, leader.pid, leader.lwp, call.name))) {
        return CG_LINE_HARD;
    }
    if ((wants & CG_WANT_SCALARS) != 0) {
        set_scalars(parse, line, &leader, &call, event);
    } else {
        cg_truss_counts_set(&call, event);
        set_columns(parse, &leader, event);
    }
    cg_truss_learn(truss, line->ptr, &leader);
    if (cg_truss_tabs_lost(call.start, call.close, call.gap_end)) {
        cg_parse_repair(parse, CG_REPAIR_TABS, line->number);
    }
    if (cg_truss_dump_follows(call.name, call.args, call.result.error != NULL, call.result.value)) {
        cg_truss_expect_dump(truss, line->number, call.result.error != NULL, call.result.value);
    }
    return CG_LINE_EVENT;
}

int64_t cg_truss_stamp_left(cg_parse *parse)
{
    const cg_truss *truss = parse->state;
    int64_t base_ns = parse->stamp_at == truss->before_base ? truss->last_base_ns : truss->base_ns;
    return base_ns + cg_truss_stamp_ns(parse->stamp_at);
}

cg_verdict cg_truss_counts(cg_parse *parse, const cg_line *line, callgauge_event *event)
{
    return read_line(parse, line, event, CG_WANT_COUNTS);
}

cg_verdict cg_truss_events(cg_parse *parse, const cg_line *line, callgauge_event *event)
{
    return read_line(parse, line, event, CG_WANT_SCALARS | CG_WANT_THREAD);
}

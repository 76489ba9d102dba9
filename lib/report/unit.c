/* SPDX-License-Identifier: Apache-2.0 */
/* What is worked out from the counts of a row or a report: the order of transfers, what a unit of work costs.
 * Invariant: where the calls whose CPU time is known are not all calls, a unit's CPU time is unknown. */
#include "report/report.h"

#include "base/error.h"

static const double NS_A_SECOND = 1e9;

const char *callgauge_order_text(callgauge_order order)
{
    switch (order) {
    case CALLGAUGE_ORDER_SEQUENTIAL: return "sequential";
    case CALLGAUGE_ORDER_MIXED: return "mixed";
    case CALLGAUGE_ORDER_RANDOM: return "random";
    case CALLGAUGE_ORDER_UNKNOWN: break;
    }
    return NULL;
}

callgauge_order callgauge_file_order(const callgauge_file_row *row)
{
    if (row->transfers == 0) {
        return CALLGAUGE_ORDER_UNKNOWN;
    }
    if (row->jumps == 0) {
        return CALLGAUGE_ORDER_SEQUENTIAL;
    }
    return row->jumps <= row->transfers / 2 ? CALLGAUGE_ORDER_MIXED : CALLGAUGE_ORDER_RANDOM;
}

void cg_unit_init(callgauge_unit *unit)
{
    *unit = (callgauge_unit){
        .cpu_per_unit_ns = CALLGAUGE_UNKNOWN,
        .calls_p50 = CALLGAUGE_UNKNOWN,
        .calls_p99 = CALLGAUGE_UNKNOWN,
        .wall_p50_ns = CALLGAUGE_UNKNOWN,
        .wall_p99_ns = CALLGAUGE_UNKNOWN,
    };
}

static void derive_cpu(const callgauge_totals *totals, callgauge_unit *unit)
{
    bool partial = totals->cpu_calls != 0 && totals->cpu_calls < totals->calls;
    int64_t cpu_ns = cg_known_add(totals->cpu_ns, totals->user_ns);
    unit->cpu_per_unit_ns = CALLGAUGE_UNKNOWN;
    unit->units_per_cpu_second = 0;
    unit->cpu_has_user = false;
    if (unit->count == 0 || partial || totals->cpu_ns == CALLGAUGE_UNKNOWN) {
        return;
    }
    unit->cpu_has_user = totals->user_ns != CALLGAUGE_UNKNOWN;
    unit->cpu_per_unit_ns = cpu_ns / cg_count_held(unit->count);
    if (cpu_ns > 0) {
        unit->units_per_cpu_second = (double)unit->count * NS_A_SECOND / (double)cpu_ns;
    }
}

static void derive_distribution(callgauge_unit *unit)
{
    int64_t longest = unit->slowest_count > 0 ? unit->slowest[0].wall_ns : CALLGAUGE_UNKNOWN;
    const callgauge_bucket *calls = unit->calls_buckets, *wall = unit->wall_buckets;
    unit->calls_p50 = cg_bucket_quantile(calls, unit->calls_bucket_count, 50, CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN);
    unit->calls_p99 = cg_bucket_quantile(calls, unit->calls_bucket_count, 99, CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN);
    unit->wall_p50_ns = cg_bucket_quantile(wall, unit->wall_bucket_count, 50, CALLGAUGE_UNKNOWN, longest);
    unit->wall_p99_ns = cg_bucket_quantile(wall, unit->wall_bucket_count, 99, CALLGAUGE_UNKNOWN, longest);
}

void cg_report_derive_unit(callgauge_report *report)
{
    callgauge_unit *unit = &report->unit;
    if (unit->from == CALLGAUGE_UNIT_NONE) {
        cg_unit_init(unit);
        return;
    }
    derive_cpu(&report->totals, unit);
    derive_distribution(unit);
}

void cg_report_set_unit_count(callgauge_report *report, uint64_t count)
{
    cg_unit_init(&report->unit);
    report->unit.from = CALLGAUGE_UNIT_NUMBER;
    report->unit.count = count;
    cg_report_derive_unit(report);
}

callgauge_status callgauge_report_count_units(const callgauge_report *report, uint64_t count, callgauge_report **out,
                                              callgauge_error *err)
{
    if (count == 0) {
        return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ 0 }, "there must be at least one unit");
    }
    callgauge_report *copy;
    callgauge_status status = callgauge_report_merge(&report, 1, &copy, err);
    if (status == CALLGAUGE_OK) {
        cg_report_set_unit_count(copy, count);
        *out = copy;
    }
    return status;
}

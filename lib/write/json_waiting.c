/* SPDX-License-Identifier: Apache-2.0 */
/* What was waited for, and the unit, of a JSON report. `peer` of waiting is address and port in one, for those who read
 * it; `peer_address` and `port` are read back. */
#include "write/json_keys.h"

#include "write/derived.h"
#include "write/schema.h"
#include "base/units.h"

/* "127.0.0.53:53", "[::1]:53", or the address alone. */
static void write_peer(cg_json *json, const callgauge_waiting_row *row)
{
    cg_json_key(json, "peer");
    if (row->peer.len == 0) {
        cg_json_null(json);
    } else if (row->peer_port < 0) {
        cg_json_str(json, row->peer);
    } else {
        cg_json_address(json, row->peer, row->peer_port);
    }
}

static void write_waiting(cg_json *json, const callgauge_waiting_row *row)
{
    cg_json_row(json);
    cg_json_captured(json, "call", row->call);
    cg_json_text(json, "kind", callgauge_file_kind_text(row->kind));
    cg_json_captured(json, "path", row->path);
    write_peer(json, row);
    cg_json_captured(json, "peer_address", row->peer);
    cg_json_port(json, "port", row->peer_port);
    cg_json_maybe(json, "fd", row->fd);
    cg_json_captured(json, "address", row->address);
    cg_json_captured(json, "child", row->child);
    cg_json_count(json, "count", row->count);
    cg_json_maybe(json, "wall_ns", row->wall_ns);
    cg_json_maybe(json, "max_ns", row->max_ns);
    cg_json_place(json, "longest", row->longest);
    cg_json_close(json, '}');
}

/* With three decimals at most. */
static void write_rate(cg_json *json, double value)
{
    static const double MOST = 9e15;
    enum { DECIMALS = 3, SCALE = 1000 };
    char text[CG_NUMBER_ROOM + 1];
    cg_json_key(json, "units_per_cpu_second");
    if (!(value > 0)) {
        cg_json_null(json);
        return;
    }
    int64_t scaled = value < MOST / SCALE ? (int64_t)(value * SCALE + 0.5) : (int64_t)MOST;
    int decimals = cg_decimals_needed(scaled, DECIMALS);
    text[cg_format_plain(text, scaled, DECIMALS, decimals)] = 0;
    cg_json_word(json, text);
}

static void write_slowest(cg_json *json, const callgauge_unit *unit)
{
    cg_json_list(json, "slowest");
    for (size_t i = 0; i < unit->slowest_count; i++) {
        cg_json_open(json, '{');
        cg_json_place(json, "place", unit->slowest[i].place);
        cg_json_maybe(json, "pid", unit->slowest[i].pid);
        cg_json_count(json, "calls", unit->slowest[i].calls);
        cg_json_maybe(json, "wall_ns", unit->slowest[i].wall_ns);
        cg_json_close(json, '}');
    }
    cg_json_close(json, ']');
}

static void write_unit(cg_json *json, const callgauge_unit *unit)
{
    cg_json_break(json, 2);
    cg_json_key(json, "unit");
    if (unit->from == CALLGAUGE_UNIT_NONE) {
        cg_json_null(json);
        return;
    }
    cg_json_open(json, '{');
    cg_json_count(json, "count", unit->count);
    cg_json_text(json, "from", cg_unit_from_names[unit->from]);
    const callgauge_str none = { NULL, 0 };
    bool is_predicate = unit->from == CALLGAUGE_UNIT_PREDICATE;
    cg_json_captured(json, "predicate", is_predicate ? unit->call : none);
    cg_json_captured(json, "call", is_predicate ? none : unit->call);
    cg_json_count(json, "undecided", unit->undecided);
    cg_json_maybe(json, "cpu_per_unit_ns", unit->cpu_per_unit_ns);
    cg_json_bool(json, "cpu_has_user", unit->cpu_has_user);
    write_rate(json, unit->units_per_cpu_second);
    cg_json_maybe(json, "calls_p50", unit->calls_p50);
    cg_json_maybe(json, "calls_p99", unit->calls_p99);
    cg_json_maybe(json, "wall_p50_ns", unit->wall_p50_ns);
    cg_json_maybe(json, "wall_p99_ns", unit->wall_p99_ns);
    cg_json_buckets(json, "calls_buckets", unit->calls_buckets, unit->calls_bucket_count);
    cg_json_buckets(json, "wall_buckets", unit->wall_buckets, unit->wall_bucket_count);
    write_slowest(json, unit);
    cg_json_close(json, '}');
}

void cg_json_waiting(cg_json *json, const callgauge_report *report)
{
    size_t n = callgauge_report_waiting_count(report);
    cg_json_rows(json, "waiting");
    for (size_t i = 0; i < n; i++) {
        write_waiting(json, callgauge_report_waiting(report, i));
    }
    cg_json_rows_end(json, n);
    write_unit(json, callgauge_report_unit(report));
}

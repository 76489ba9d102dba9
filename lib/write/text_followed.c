/* SPDX-License-Identifier: Apache-2.0 */
/* What a report for people says of what was followed: units of work, files, programs, processes, where the time went.
 * Invariant: a section that has nothing to say is not there. */
#include "write/text.h"

#include <string.h>

#include "base/str.h"
#include "report/report.h"
#include "write/derived.h"
#include "write/escape.h"
#include "base/units.h"
#include "write/writers.h"

enum { NS_PLACES = 9, MS_PLACES = 6 };

/* --- units */

static const char *unit_noun(const callgauge_unit *unit)
{
    return unit->from == CALLGAUGE_UNIT_REQUEST ? "request" : "unit";
}

static void write_milliseconds(int64_t ns, cg_out *out)
{
    enum { LONG_NS = 1000000000, SHORT_NS = 100000 };
    char text[CG_NUMBER_ROOM];
    int decimals = ns >= LONG_NS ? 0 : ns >= SHORT_NS ? 2 : 4;
    cg_out_add(out, text, cg_format_fixed(text, ns, MS_PLACES, decimals));
    cg_out_z(out, " ms");
}

/* "100 requests: successful accepts" */
static void write_units(const callgauge_unit *unit, cg_out *out)
{
    switch (unit->from) {
    case CALLGAUGE_UNIT_REQUEST:
        cg_text_count(unit->count, "request", "requests", out);
        cg_out_z(out, " (successful accepts)");
        break;
    case CALLGAUGE_UNIT_CALL:
        cg_text_count(unit->count, "unit", "units", out);
        cg_out_z(out, " (successful calls of ");
        cg_escape_show(out, unit->call);
        cg_out_z(out, ")");
        break;
    case CALLGAUGE_UNIT_PREDICATE:
        cg_text_count(unit->count, "unit", "units", out);
        cg_out_z(out, " (calls that meet ");
        cg_escape_show(out, unit->call);
        if (unit->undecided > 0) {
            cg_out_z(out, "; of ");
            cg_text_count(unit->undecided, "call", "calls", out);
            cg_out_z(out, " that is not known");
        }
        cg_out_z(out, ")");
        break;
    case CALLGAUGE_UNIT_NUMBER:
    case CALLGAUGE_UNIT_NONE:
        cg_text_count(unit->count, "unit", "units", out);
        cg_out_z(out, " (as said)");
        break;
    }
}

/* By the units; two decimals at most. */
static void write_share(uint64_t count, const callgauge_unit *unit, const char *one, const char *many, cg_out *out)
{
    enum { DECIMALS = 2 };
    char text[CG_NUMBER_ROOM];
    double share = (double)count * 100.0 / (double)unit->count + 0.5;
    int64_t scaled = share < 9e15 ? (int64_t)share : (int64_t)9e15;
    cg_out_add(out, text, cg_format_fixed(text, scaled, DECIMALS, cg_decimals_needed(scaled, DECIMALS)));
    cg_out_char(out, ' ');
    cg_out_z(out, count == unit->count ? one : many);
}

static void write_cost(const callgauge_report *report, const callgauge_unit *unit, cg_out *out)
{
    const callgauge_totals *totals = callgauge_report_totals(report);
    cg_out_z(out, ": ");
    write_share(totals->calls, unit, "call", "calls", out);
    if (totals->errors > 0) {
        cg_out_z(out, ", ");
        write_share(totals->errors, unit, "error", "errors", out);
    }
    if (unit->cpu_per_unit_ns != CALLGAUGE_UNKNOWN) {
        cg_out_z(out, ", ");
        write_milliseconds(unit->cpu_per_unit_ns, out);
        cg_out_z(out, unit->cpu_has_user ? " cpu" : " cpu in the kernel");
    }
    cg_out_z(out, " each\n");
}

static void write_rate(const callgauge_unit *unit, cg_out *out)
{
    char text[CG_NUMBER_ROOM];
    if (!(unit->units_per_cpu_second > 0)) {
        return;
    }
    double tenths = unit->units_per_cpu_second * 10.0 + 0.5;
    cg_out_z(out, "  at most ");
    cg_out_add(out, text, cg_format_fixed(text, tenths < 9e15 ? (int64_t)tenths : (int64_t)9e15, 1, 1));
    cg_out_char(out, ' ');
    cg_out_z(out, unit_noun(unit));
    cg_out_z(out, "s/s a CPU (an upper bound under tracing");
    cg_out_z(out, unit->cpu_has_user ? ")\n" : "; user CPU time is not known)\n");
}

static void write_distribution(const callgauge_unit *unit, cg_out *out)
{
    if (unit->calls_p50 == CALLGAUGE_UNKNOWN) {
        return;
    }
    cg_out_z(out, "  calls: median ");
    cg_out_i64(out, unit->calls_p50);
    cg_out_z(out, ", p99 ");
    cg_out_i64(out, unit->calls_p99);
    if (unit->wall_p50_ns != CALLGAUGE_UNKNOWN) {
        cg_out_z(out, "; wall: median ");
        write_milliseconds(unit->wall_p50_ns, out);
        cg_out_z(out, ", p99 ");
        write_milliseconds(unit->wall_p99_ns, out);
    }
    cg_out_char(out, '\n');
}

static void write_slow_unit(const callgauge_report *report, const callgauge_unit_row *row, cg_out *out)
{
    cg_out_z(out, "    ");
    if (row->wall_ns != CALLGAUGE_UNKNOWN) {
        write_milliseconds(row->wall_ns, out);
        cg_out_z(out, ", ");
    }
    cg_text_count(row->calls, "call", "calls", out);
    if (row->pid != CALLGAUGE_UNKNOWN) {
        cg_out_z(out, ", pid ");
        cg_out_i64(out, row->pid);
    }
    cg_out_z(out, ", line ");
    cg_out_u64(out, row->place.line);
    const callgauge_capture_row *capture = callgauge_report_capture(report, row->place.capture);
    if (callgauge_report_capture_count(report) > 1 && capture != NULL) {
        enum { NAME_ROOM = 36 };
        cg_out_z(out, " of ");
        cg_text_cut(cg_str_z(capture->capture.name), NAME_ROOM, false, out);
    }
    cg_out_char(out, '\n');
}

void cg_text_unit(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    enum { SLOWEST_SHOWN = 3 };
    const callgauge_unit *unit = callgauge_report_unit(report);
    if (unit->from == CALLGAUGE_UNIT_NONE) {
        return;
    }
    cg_out_char(out, '\n');
    write_units(unit, out);
    if (unit->count == 0) {
        cg_out_z(out, ": none was seen\n");
        return;
    }
    write_cost(report, unit, out);
    write_rate(unit, out);
    write_distribution(unit, out);
    size_t most = options->limit == 0 ? unit->slowest_count : SLOWEST_SHOWN;
    for (size_t i = 0; i < unit->slowest_count && i < most; i++) {
        cg_out_z(out, i > 0 ? "" : unit->slowest[0].wall_ns == CALLGAUGE_UNKNOWN ? "  most calls:\n" : "  slowest:\n");
        write_slow_unit(report, &unit->slowest[i], out);
    }
}

/* --- tables below the calls */

/* Half as many rows as of calls. */
static size_t half_limit(const callgauge_write_options *options)
{
    return options->limit / 2 + options->limit % 2;
}

static callgauge_write_options table_options(const callgauge_write_options *options, callgauge_rows rows,
                                             callgauge_sort sort)
{
    callgauge_write_options table = *options;
    table.rows = rows;
    table.sort = sort;
    table.limit = half_limit(options);
    return table;
}

static void write_title(const char *title, const callgauge_write_options *options, cg_out *out)
{
    cg_out_char(out, '\n');
    cg_write_styled(options, "2", cg_str_z(title), out);
    cg_out_char(out, '\n');
}

static bool write_table(const callgauge_report *report, const char *title, callgauge_rows rows, callgauge_sort sort,
                        const callgauge_write_options *options, cg_out *out)
{
    callgauge_write_options table = table_options(options, rows, sort);
    write_title(title, options, out);
    return cg_write_text_table(report, &table, out);
}

/* Files on which anything was read, written or mapped, or a call failed. */
static bool write_files(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    callgauge_write_options table = table_options(options, CALLGAUGE_ROWS_FILES, CALLGAUGE_SORT_BYTES);
    cg_rows lines;
    if (!cg_rows_make_glance(report, &table, &lines)) {
        return false;
    }
    if (lines.count > 0) {
        write_title("files", options, out);
        cg_write_text_rows(&lines, &table, out);
    }
    cg_rows_release(&lines);
    return true;
}

/* Processes that were followed: one alone says no more than the totals. */
static size_t followed_processes(const callgauge_report *report)
{
    size_t count = 0;
    for (size_t i = 0; i < callgauge_report_process_count(report); i++) {
        count += callgauge_report_process(report, i)->life > 0;
    }
    return count;
}

/* One program that was started once is what the capture is of. */
static bool write_programs(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    size_t count = callgauge_report_program_count(report);
    return count == 0 || (count == 1 && callgauge_report_program(report, 0)->starts <= 1) ||
           write_table(report, "programs", CALLGAUGE_ROWS_PROGRAMS, CALLGAUGE_SORT_STARTS, options, out);
}

static bool write_processes(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    return followed_processes(report) < 2 ||
           write_table(report, "processes", CALLGAUGE_ROWS_PROCESSES, CALLGAUGE_SORT_TIME, options, out);
}

/* --- where the wall clock time went */

static size_t threads_with_time(const callgauge_report *report)
{
    size_t count = 0;
    for (size_t i = 0; i < callgauge_report_process_count(report); i++) {
        const callgauge_process_row *row = callgauge_report_process(report, i);
        for (size_t k = 0; k < row->thread_count; k++) {
            const callgauge_thread_row *thread = &row->threads[k];
            count += thread->working_ns != CALLGAUGE_UNKNOWN && thread->waiting_ns != CALLGAUGE_UNKNOWN &&
                     thread->outside_ns != CALLGAUGE_UNKNOWN;
        }
    }
    return count;
}

/* In milliseconds where all together are less than a second. */
static void write_spent(int64_t ns, bool is_short, const char *what, cg_out *out)
{
    enum { DECIMALS = 3, LONG_NS = 100000000 };
    char text[CG_NUMBER_ROOM];
    int places = is_short ? MS_PLACES : NS_PLACES;
    cg_out_add(out, text, cg_format_fixed(text, ns, places, is_short && ns >= LONG_NS ? 1 : DECIMALS));
    cg_out_z(out, is_short ? " ms " : " s ");
    cg_out_z(out, what);
}

bool cg_text_spent(const callgauge_report *report, cg_out *out)
{
    enum { SHORT_NS = 1000000000 };
    cg_time_spent spent = cg_spent_in_all(report);
    size_t threads = threads_with_time(report);
    if (threads == 0) {
        return false;
    }
    int64_t all = cg_known_add(cg_known_add(spent.working_ns, spent.waiting_ns), spent.outside_ns);
    bool is_short = all < SHORT_NS;
    cg_out_z(out, "time of ");
    cg_text_count(threads, "thread", "threads", out);
    cg_out_z(out, ": ");
    write_spent(spent.working_ns, is_short, "working, ", out);
    write_spent(spent.waiting_ns, is_short, "waiting, ", out);
    write_spent(spent.outside_ns, is_short, "outside calls\n", out);
    return true;
}

void cg_text_unseen_waiting(const callgauge_report *report, const char *above, cg_out *out)
{
    bool told[2] = { false, false };
    for (size_t i = 0; i < callgauge_report_capture_count(report); i++) {
        const callgauge_capture *capture = &callgauge_report_capture(report, i)->capture;
        bool truss = capture->dialect != NULL && strncmp(capture->dialect, "truss", strlen("truss")) == 0;
        if ((capture->traits & CALLGAUGE_TRAIT_WALL_DURATIONS) != 0 || told[truss]) {
            continue;
        }
        cg_out_z(out, told[!truss] ? "" : above);
        told[truss] = true;
        cg_out_z(out, "waiting cannot be seen here; ");
        cg_out_z(out,
                 truss ? "truss -f -l -D -p PID shows the gaps\n" : "strace -f -ttt -T -yy -p PID would show it\n");
    }
}

static bool write_waiting(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    if (threads_with_time(report) > 0) {
        cg_out_char(out, '\n');
        (void)cg_text_spent(report, out);
    }
    if (callgauge_report_waiting_count(report) > 0) {
        callgauge_write_options table = table_options(options, CALLGAUGE_ROWS_WAITING, CALLGAUGE_SORT_TIME);
        cg_rows lines;
        if (!cg_rows_make_glance(report, &table, &lines)) {
            return false;
        }
        cg_out_char(out, '\n');
        cg_write_text_rows(&lines, &table, out);
        cg_rows_release(&lines);
        return true;
    }
    if (threads_with_time(report) == 0 && callgauge_report_call_count(report) > 0) {
        cg_text_unseen_waiting(report, "\n", out);
    }
    return true;
}

bool cg_text_followed(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    return write_files(report, options, out) && write_programs(report, options, out) &&
           write_processes(report, options, out) && write_waiting(report, options, out);
}

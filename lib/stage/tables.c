/* SPDX-License-Identifier: Apache-2.0 */
/* Checks tables against the trace before them, and their rows against their own totals; adds the others. */
#include "stage/tables.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"

enum { NAME_SHOWN = 64, LINE_ROOM = 256, LEAST_WALL_PERCENT = 90 };

static const int64_t COARSEST_UNIT = 10000000; /* .01 s: the fewest decimals that a tracer prints */

static const char *const kind_text[CG_TIME_KINDS] = { "", "cpu", "wall" };

/* Where each kind of time is in a row. */
static const uint32_t time_bit[CG_TIME_KINDS] = { 0, CALLGAUGE_ROW_CPU, CALLGAUGE_ROW_WALL };
static const uint32_t min_bit[CG_TIME_KINDS] = { 0, CALLGAUGE_ROW_CPU_MIN, CALLGAUGE_ROW_WALL_MIN };
static const uint32_t max_bit[CG_TIME_KINDS] = { 0, CALLGAUGE_ROW_CPU_MAX, CALLGAUGE_ROW_WALL_MAX };

static int64_t time_of(const callgauge_count_row *row, int kind)
{
    return kind == CALLGAUGE_TIME_CPU ? row->cpu_ns : row->wall_ns;
}

static int64_t min_of(const callgauge_count_row *row, int kind)
{
    return kind == CALLGAUGE_TIME_CPU ? row->cpu_min_ns : row->wall_min_ns;
}

static int64_t max_of(const callgauge_count_row *row, int kind)
{
    return kind == CALLGAUGE_TIME_CPU ? row->cpu_max_ns : row->wall_max_ns;
}

void cg_tables_init(cg_tables *tables, const cg_histogram_options *options)
{
    *tables = (cg_tables){
        .options = options,
        .totals = { CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN },
        .user_ns = CALLGAUGE_UNKNOWN,
        .elapsed_ns = CALLGAUGE_UNKNOWN,
    };
    cg_buf_init(&tables->difference, 2 * LINE_ROOM);
}

void cg_tables_release(cg_tables *tables)
{
    cg_mem_free(tables->rows);
    cg_buf_release(&tables->difference);
    tables->rows = NULL;
    tables->count = 0;
}

static void clear_counts(cg_table_row *row)
{
    row->listed = false;
    row->calls = row->errors = 0;
    for (int kind = 0; kind < CG_TIME_KINDS; kind++) {
        row->ns[kind] = CALLGAUGE_UNKNOWN;
    }
}

/* Rows for every call that the trace or a table has named. */
static bool cover(cg_tables *tables, size_t count)
{
    if (count <= tables->count) {
        return true;
    }
    cg_table_row *rows = cg_mem_resize(tables->rows, count * sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    tables->rows = rows;
    for (; tables->count < count; tables->count++) {
        cg_table_row *row = &rows[tables->count];
        *row = (cg_table_row){ 0 };
        clear_counts(row);
        for (int kind = 0; kind < CG_TIME_KINDS; kind++) {
            row->min_ns[kind] = row->max_ns[kind] = CALLGAUGE_UNKNOWN;
        }
    }
    return true;
}

/* Whether the trace has gone on since the last group. */
static bool has_trace(const cg_tables *tables, const cg_call_table *calls)
{
    for (size_t i = 0; i < calls->count; i++) {
        const cg_call_stats *stats = &calls->rows[i];
        bool known = i < tables->count;
        if (stats->calls != (known ? tables->rows[i].calls_before : 0) ||
            stats->unreturned != (known ? tables->rows[i].unreturned_before : 0)) {
            return true;
        }
    }
    return false;
}

void cg_tables_open(cg_tables *tables, const cg_call_table *calls)
{
    if (!tables->open) {
        tables->open = true;
        tables->checked = has_trace(tables, calls);
        tables->has = 0;
        tables->group_cpu_ns = CALLGAUGE_UNKNOWN;
        tables->sum = (cg_table_sum){ .table = UINT32_MAX };
    }
}

/* The finest decimal unit of both. */
static int64_t unit_of(int64_t unit, int64_t ns)
{
    while (unit > 1 && ns % unit != 0) {
        unit /= 10;
    }
    return unit;
}

static void add_to_sum(cg_table_sum *sum, const callgauge_count_row *row)
{
    if (row->table != sum->table) {
        *sum = (cg_table_sum){ .table = row->table, .unit = { 1, COARSEST_UNIT, COARSEST_UNIT } };
    }
    sum->has |= row->has;
    sum->rows++;
    sum->calls = cg_count_add(sum->calls, row->calls);
    sum->errors = cg_count_add(sum->errors, row->errors);
    for (int kind = CALLGAUGE_TIME_CPU; kind < CG_TIME_KINDS; kind++) {
        if ((row->has & time_bit[kind]) != 0) {
            sum->ns[kind] = cg_known_add(sum->ns[kind], time_of(row, kind));
            sum->unit[kind] = unit_of(sum->unit[kind], time_of(row, kind));
        }
    }
}

bool cg_tables_row(cg_tables *tables, cg_call_table *calls, const callgauge_event *event)
{
    const callgauge_count_row *from = event->row;
    if (cg_call_table_row(calls, event->call) == NULL || !cover(tables, calls->count)) {
        return false;
    }
    tables->line = event->line;
    tables->has |= from->has;
    add_to_sum(&tables->sum, from);
    cg_table_row *row = &tables->rows[event->call->id];
    row->listed = true;
    row->calls = cg_count_add(row->calls, (from->has & CALLGAUGE_ROW_CALLS) != 0 ? from->calls : 0);
    row->errors = cg_count_add(row->errors, (from->has & CALLGAUGE_ROW_ERRORS) != 0 ? from->errors : 0);
    for (int kind = CALLGAUGE_TIME_CPU; kind < CG_TIME_KINDS; kind++) {
        if ((from->has & time_bit[kind]) != 0) {
            row->ns[kind] = cg_known_add(row->ns[kind], time_of(from, kind));
        }
        if ((from->has & min_bit[kind]) != 0) {
            row->min_ns[kind] = cg_known_min(row->min_ns[kind], min_of(from, kind));
        }
        if ((from->has & max_bit[kind]) != 0) {
            row->max_ns[kind] = cg_known_max(row->max_ns[kind], max_of(from, kind));
        }
    }
    return true;
}

/* Says a difference to the caller, and keeps the first one for the report. */
static bool tell(cg_tables *tables, const cg_buf *text)
{
    if (tables->options->on_diag != NULL) {
        callgauge_error fault = CALLGAUGE_ERROR_INIT;
        cg_place place = { .name = tables->options->source, .line = tables->line };
        cg_fail(&fault, CALLGAUGE_E_FORMAT, place, "%.*s", (int)text->len, text->data);
        tables->options->on_diag(tables->options->diag_ctx, &fault);
    }
    return ++tables->difference_count > 1 || cg_buf_add_str(&tables->difference, cg_buf_str(text));
}

static bool tell_sum(cg_tables *tables, const char *unit, uint64_t rows, uint64_t total)
{
    cg_buf text;
    cg_buf_init(&text, LINE_ROOM);
    bool ok = cg_buf_printf(&text, "the rows add up to %" PRIu64 " %s%s, the table says %" PRIu64, rows, unit,
                            rows == 1 ? "" : "s", total) &&
              tell(tables, &text);
    cg_buf_release(&text);
    return ok;
}

static bool tell_time(cg_tables *tables, int kind, int64_t rows, int64_t total)
{
    const int64_t second = 1000000000, micro = 1000;
    cg_buf text;
    cg_buf_init(&text, LINE_ROOM);
    bool ok = cg_buf_printf(
                  &text, "the rows add up to %" PRId64 ".%06" PRId64 " s %s, the table says %" PRId64 ".%06" PRId64,
                  rows / second, rows % second / micro, kind_text[kind], total / second, total % second / micro) &&
              tell(tables, &text);
    cg_buf_release(&text);
    return ok;
}

/* Each row may be off by a unit of its last digit; what is more is no rounding. */
static bool within_rounding(const cg_table_sum *sum, int kind, int64_t total)
{
    int64_t unit = unit_of(sum->unit[kind], total);
    int64_t rows = sum->rows < 1000000 ? (int64_t)sum->rows : 1000000;
    int64_t off = sum->ns[kind] > total ? sum->ns[kind] - total : total - sum->ns[kind];
    return off <= rows * unit;
}

static bool check_sums(cg_tables *tables, const callgauge_count_row *row)
{
    const cg_table_sum *sum = &tables->sum;
    uint32_t both = sum->has & row->has;
    bool ok = true;
    if (sum->table != row->table) {
        return true;
    }
    if ((both & CALLGAUGE_ROW_CALLS) != 0 && sum->calls != row->calls) {
        ok = tell_sum(tables, "call", sum->calls, row->calls);
    }
    if (ok && (both & CALLGAUGE_ROW_ERRORS) != 0 && sum->errors != row->errors) {
        ok = tell_sum(tables, "error", sum->errors, row->errors);
    }
    for (int kind = CALLGAUGE_TIME_CPU; ok && kind < CG_TIME_KINDS; kind++) {
        if ((both & time_bit[kind]) != 0 && !within_rounding(sum, kind, time_of(row, kind))) {
            ok = tell_time(tables, kind, sum->ns[kind], time_of(row, kind));
        }
    }
    return ok;
}

bool cg_tables_totals(cg_tables *tables, const callgauge_event *event)
{
    const callgauge_count_row *row = event->row;
    callgauge_table_totals *totals = &tables->totals;
    if (row->of != CALLGAUGE_ROW_OF_CALL) {
        return true;
    }
    tables->line = event->line;
    tables->has_totals = true;
    if ((row->has & CALLGAUGE_ROW_CALLS) != 0) {
        totals->calls = cg_known_add(totals->calls, cg_count_held(row->calls));
    }
    if ((row->has & CALLGAUGE_ROW_ERRORS) != 0) {
        totals->errors = cg_known_add(totals->errors, cg_count_held(row->errors));
    }
    if ((row->has & CALLGAUGE_ROW_CPU) != 0) {
        tables->group_cpu_ns = cg_known_add(tables->group_cpu_ns, row->cpu_ns);
    }
    if ((row->has & CALLGAUGE_ROW_WALL) != 0) {
        totals->wall_ns = cg_known_add(totals->wall_ns, row->wall_ns);
    }
    if ((row->has & CALLGAUGE_ROW_USER) != 0) {
        tables->user_ns = cg_known_add(tables->user_ns, row->user_ns);
    }
    if ((row->has & CALLGAUGE_ROW_ELAPSED) != 0) {
        tables->elapsed_ns = cg_known_add(tables->elapsed_ns, row->elapsed_ns);
    }
    return check_sums(tables, row);
}

/* What the trace has of a call since the last group. */
static uint64_t calls_since(const cg_table_row *row, const cg_call_stats *stats, bool with_unreturned)
{
    uint64_t calls = stats->calls - row->calls_before;
    return with_unreturned ? calls + stats->unreturned - row->unreturned_before : calls;
}

/* strace before 7.1 leaves calls that it does not know out of its tables. */
static bool left_out(const cg_call_stats *stats)
{
    return cg_str_starts(stats->name->text, "syscall_0x");
}

static bool calls_differ(const cg_table_row *row, const cg_call_stats *stats, bool with_unreturned)
{
    if (!row->listed) {
        return stats->calls != row->calls_before && !left_out(stats);
    }
    return calls_since(row, stats, with_unreturned) != row->calls;
}

static size_t count_differences(const cg_tables *tables, const cg_call_table *calls, bool with_unreturned)
{
    size_t n = 0;
    for (size_t i = 0; i < calls->count; i++) {
        n += calls->rows[i].name != NULL && calls_differ(&tables->rows[i], &calls->rows[i], with_unreturned);
    }
    return n;
}

static bool tell_difference(cg_tables *tables, const cg_call_stats *stats, const char *what, uint64_t trace,
                            uint64_t table)
{
    callgauge_str name = stats->name->text;
    cg_buf text;
    cg_buf_init(&text, LINE_ROOM);
    bool ok = cg_buf_add(&text, name.ptr, name.len < NAME_SHOWN ? name.len : NAME_SHOWN) &&
              cg_buf_printf(&text, ": %" PRIu64 " %s%s in the trace, %" PRIu64 " in the table (%" PRIu64 " %s)", trace,
                            what, trace == 1 ? "" : "s", table, trace > table ? trace - table : table - trace,
                            trace > table ? "more" : "fewer") &&
              tell(tables, &text);
    cg_buf_release(&text);
    return ok;
}

static bool check_row(cg_tables *tables, const cg_table_row *row, const cg_call_stats *stats, bool with_unreturned)
{
    uint64_t errors = stats->errors - row->errors_before;
    bool ok = true;
    if ((tables->has & CALLGAUGE_ROW_CALLS) != 0 && calls_differ(row, stats, with_unreturned)) {
        ok = tell_difference(tables, stats, "call", calls_since(row, stats, row->listed && with_unreturned),
                             row->calls);
    }
    if (ok && (tables->has & CALLGAUGE_ROW_ERRORS) != 0 && errors != row->errors &&
        !(left_out(stats) && !row->listed)) {
        ok = tell_difference(tables, stats, "error", errors, row->errors);
    }
    return ok;
}

/* Tables of truss have rows for calls that do not return, those of strace have not. Nothing in a table says
 * which it is, so the reading that explains it better is taken, for all its rows. */
static bool check_group(cg_tables *tables, const cg_call_table *calls)
{
    bool with_unreturned = count_differences(tables, calls, true) < count_differences(tables, calls, false);
    for (size_t i = 0; i < calls->count; i++) {
        if (calls->rows[i].name != NULL && !check_row(tables, &tables->rows[i], &calls->rows[i], with_unreturned)) {
            return false;
        }
    }
    tables->equal = tables->equal || (tables->has & (CALLGAUGE_ROW_CALLS | CALLGAUGE_ROW_ERRORS)) != 0;
    return true;
}

/* Whether the times of a group, taken for cpu, are those that the trace measured of the same calls: the CPU time of
 * a traced call is far below its duration. */
static bool tells_wall(const cg_tables *tables, const cg_call_table *calls)
{
    int64_t table = 0, trace = 0;
    bool may_be = tables->checked && !tables->options->cpu_is_sure && (tables->has & CALLGAUGE_ROW_CPU) != 0 &&
                  (tables->has & CALLGAUGE_ROW_WALL) == 0;
    for (size_t i = 0; may_be && i < calls->count; i++) {
        const cg_table_row *row = &tables->rows[i];
        const cg_call_stats *stats = &calls->rows[i];
        uint64_t timed = stats->timed[CALLGAUGE_TIME_WALL] - row->timed_before[CALLGAUGE_TIME_WALL];
        if (timed > 0 && timed == stats->calls - row->calls_before &&
            row->ns[CALLGAUGE_TIME_CPU] != CALLGAUGE_UNKNOWN) {
            table = cg_known_add(table, row->ns[CALLGAUGE_TIME_CPU]);
            trace = cg_known_add(trace, stats->sum_ns[CALLGAUGE_TIME_WALL] - row->wall_before);
        }
    }
    return trace > 0 && table / LEAST_WALL_PERCENT >= trace / 100 && table > 0;
}

static void take_as_wall(cg_table_row *row)
{
    row->ns[CALLGAUGE_TIME_WALL] = row->ns[CALLGAUGE_TIME_CPU];
    row->ns[CALLGAUGE_TIME_CPU] = CALLGAUGE_UNKNOWN;
    row->min_ns[CALLGAUGE_TIME_CPU] = row->max_ns[CALLGAUGE_TIME_CPU] = CALLGAUGE_UNKNOWN;
}

static void add_group_total(cg_tables *tables, bool is_wall)
{
    int64_t *total = is_wall ? &tables->totals.wall_ns : &tables->totals.cpu_ns;
    *total = cg_known_add(*total, tables->group_cpu_ns);
    tables->wall_taken |= is_wall;
}

/* Times of a kind that the trace has not measured itself. */
static void add_times(const cg_table_row *row, cg_call_stats *stats)
{
    for (int kind = CALLGAUGE_TIME_CPU; kind < CG_TIME_KINDS; kind++) {
        if (row->ns[kind] != CALLGAUGE_UNKNOWN && stats->timed[kind] == row->timed_before[kind]) {
            stats->sum_ns[kind] = cg_known_add(stats->sum_ns[kind], row->ns[kind]);
            stats->timed[kind] = cg_count_add(stats->timed[kind], row->calls);
            stats->has_sum |= 1u << kind;
            stats->untold |= row->ns[kind] > 0 && row->calls == 0 ? 1u << kind : 0;
        }
    }
}

static void remember_trace(cg_table_row *row, const cg_call_stats *stats)
{
    row->calls_before = stats->calls;
    row->errors_before = stats->errors;
    row->unreturned_before = stats->unreturned;
    memcpy(row->timed_before, stats->timed, sizeof row->timed_before);
    row->wall_before = stats->sum_ns[CALLGAUGE_TIME_WALL];
}

bool cg_tables_close(cg_tables *tables, cg_call_table *calls)
{
    if (!tables->open) {
        return true;
    }
    if (!cover(tables, calls->count) || (tables->checked && !check_group(tables, calls))) {
        return false;
    }
    tables->open = false;
    bool is_wall = tells_wall(tables, calls);
    add_group_total(tables, is_wall);
    for (size_t i = 0; i < calls->count; i++) {
        cg_table_row *row = &tables->rows[i];
        cg_call_stats *stats = &calls->rows[i];
        if (!tables->checked) {
            stats->calls = cg_count_add(stats->calls, row->calls);
            stats->errors = cg_count_add(stats->errors, row->errors);
        }
        if (is_wall && row->listed) {
            take_as_wall(row);
        }
        add_times(row, stats);
        remember_trace(row, stats);
        clear_counts(row);
    }
    return true;
}

void cg_tables_finish_row(const cg_tables *tables, uint32_t id, callgauge_call_row *row)
{
    if (id >= tables->count) {
        return;
    }
    const cg_table_row *from = &tables->rows[id];
    for (int kind = CALLGAUGE_TIME_WALL; kind >= CALLGAUGE_TIME_CPU; kind--) {
        bool said = from->min_ns[kind] != CALLGAUGE_UNKNOWN || from->max_ns[kind] != CALLGAUGE_UNKNOWN;
        if (said && row->durations_kind == CALLGAUGE_TIME_NONE) {
            row->durations_kind = (callgauge_time_kind)kind;
        }
        if (said && row->durations_kind == (callgauge_time_kind)kind) {
            row->min_ns = cg_known_min(row->min_ns, from->min_ns[kind]);
            row->max_ns = cg_known_max(row->max_ns, from->max_ns[kind]);
        }
    }
}

static bool finish_check(cg_tables *tables, callgauge_report *report, const char **out)
{
    if (tables->difference_count == 0) {
        *out = tables->equal ? "equal" : NULL;
        return true;
    }
    size_t more = tables->difference_count - 1;
    if (more > 0 && !cg_buf_printf(&tables->difference, "; and %zu more %s", more, more == 1 ? "differs" : "differ")) {
        return false;
    }
    *out = cg_arena_copy(&report->arena, tables->difference.data, tables->difference.len);
    return *out != NULL;
}

/* What was assumed of the time of tables, once their trace has shown what it is. False: no memory. */
static bool correct_assumption(const cg_tables *tables, cg_arena *arena, callgauge_capture *capture)
{
    if (!tables->wall_taken || capture->assumed_count == 0) {
        return true;
    }
    callgauge_assumption *rows = cg_arena_alloc(arena, capture->assumed_count * sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    for (size_t i = 0; i < capture->assumed_count; i++) {
        rows[i] = capture->assumed[i];
        rows[i].taken = strcmp(rows[i].what, CG_ASSUMED_TABLE_TIME) == 0 ? "wall" : rows[i].taken;
    }
    capture->assumed = rows;
    return true;
}

bool cg_tables_finish(cg_tables *tables, callgauge_report *report)
{
    report->totals.user_ns = cg_known_add(report->totals.user_ns, tables->user_ns);
    report->totals.elapsed_ns = cg_known_add(report->totals.elapsed_ns, tables->elapsed_ns);
    if (report->capture_count == 0) {
        return true;
    }
    callgauge_capture_row *row = &report->captures[0];
    row->has_table_totals = tables->has_totals;
    row->table_totals = tables->totals;
    return finish_check(tables, report, &row->table_check) && correct_assumption(tables, &report->arena, &row->capture);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The processes, with their threads, and the programs of a JSON report. */
#include "write/json_keys.h"

#include "base/str.h"
#include "write/derived.h"

static void write_argv(cg_json *json, const callgauge_process_row *row)
{
    cg_json_list(json, "argv");
    for (size_t i = 0; i < row->argv_count; i++) {
        cg_json_str(json, row->argv[i]);
    }
    cg_json_close(json, ']');
}

static void write_threads(cg_json *json, const callgauge_process_row *row)
{
    cg_json_list(json, "threads");
    for (size_t i = 0; i < row->thread_count; i++) {
        cg_json_open(json, '{');
        cg_json_maybe(json, "tid", row->threads[i].tid);
        cg_json_maybe(json, "working_ns", row->threads[i].working_ns);
        cg_json_maybe(json, "waiting_ns", row->threads[i].waiting_ns);
        cg_json_maybe(json, "outside_ns", row->threads[i].outside_ns);
        cg_json_close(json, '}');
    }
    cg_json_close(json, ']');
}

static void write_exit(cg_json *json, const callgauge_process_row *row)
{
    cg_json_key(json, "exit");
    if (row->exit_code == CALLGAUGE_UNKNOWN && row->exit_signal.len == 0) {
        cg_json_null(json);
        return;
    }
    cg_json_open(json, '{');
    cg_json_maybe(json, "code", row->exit_code);
    cg_json_captured(json, "signal", row->exit_signal);
    cg_json_close(json, '}');
}

static void write_process(cg_json *json, const callgauge_process_row *row)
{
    cg_json_row(json);
    cg_json_maybe(json, "pid", row->pid);
    cg_json_count(json, "calls", row->calls);
    cg_json_count(json, "errors", row->errors);
    cg_json_count(json, "unreturned", row->unreturned);
    cg_json_maybe(json, "cpu_ns", row->cpu_ns);
    cg_json_maybe(json, "wall_ns", row->wall_ns);
    cg_json_maybe(json, "start_ns", row->start_ns);
    cg_json_maybe(json, "end_ns", row->end_ns);
    cg_json_timed_calls(json, "cpu_calls", row->cpu_ns, row->cpu_calls);
    cg_json_timed_calls(json, "wall_calls", row->wall_ns, row->wall_calls);
    cg_json_number(json, "life", row->life);
    cg_json_maybe(json, "parent", row->parent);
    cg_json_number(json, "parent_life", row->parent_life);
    cg_json_captured(json, "program", row->program);
    write_argv(json, row);
    cg_json_bool(json, "born", row->born);
    cg_json_bool(json, "ended", row->ended);
    write_exit(json, row);
    cg_json_maybe(json, "open_at_start", row->open_at_start);
    cg_json_maybe(json, "open_at_end", row->open_at_end);
    cg_json_maybe(json, "open_peak", row->open_peak);
    cg_json_count(json, "emfile", row->emfile);
    write_threads(json, row);
    cg_json_close(json, '}');
}

static void write_program(cg_json *json, const callgauge_program_row *row)
{
    cg_json_row(json);
    cg_json_captured(json, "program", row->program);
    cg_json_count(json, "starts", row->starts);
    cg_json_names(json, "started_by", row->started_by, row->started_by_count);
    cg_json_maybe(json, "mean_life_ns", cg_mean_life(row));
    cg_json_count(json, "lives", row->lives);
    cg_json_maybe(json, "life_ns", row->life_ns);
    cg_json_count(json, "calls", row->calls);
    cg_json_count(json, "errors", row->errors);
    cg_json_maybe(json, "cpu_ns", row->cpu_ns);
    cg_json_maybe(json, "wall_ns", row->wall_ns);
    cg_json_timed_calls(json, "cpu_calls", row->cpu_ns, row->cpu_calls);
    cg_json_timed_calls(json, "wall_calls", row->wall_ns, row->wall_calls);
    cg_json_close(json, '}');
}

void cg_json_processes(cg_json *json, const callgauge_report *report)
{
    size_t n = callgauge_report_process_count(report);
    cg_json_rows(json, "processes");
    for (size_t i = 0; i < n; i++) {
        write_process(json, callgauge_report_process(report, i));
    }
    cg_json_rows_end(json, n);
    n = callgauge_report_program_count(report);
    cg_json_rows(json, "programs");
    for (size_t i = 0; i < n; i++) {
        write_program(json, callgauge_report_program(report, i));
    }
    cg_json_rows_end(json, n);
}

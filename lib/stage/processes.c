/* SPDX-License-Identifier: Apache-2.0 */
/* Counts calls, errors and times of each process. */
#include "stage/processes.h"

#include <string.h>

#include "base/mem.h"

enum { FIRST_SLOTS = 64 };

void cg_processes_init(cg_processes *processes, size_t limit)
{
    *processes = (cg_processes){ .limit = limit < UINT32_MAX ? limit : UINT32_MAX - 1 };
}

void cg_processes_release(cg_processes *processes)
{
    cg_mem_free(processes->rows);
    cg_mem_free(processes->slots);
    *processes = (cg_processes){ .limit = processes->limit };
}

/* The slot of a pid, or the empty one where it belongs. */
static uint32_t *slot_of(const cg_processes *processes, int64_t pid)
{
    size_t at = (size_t)((uint64_t)pid * 0x9E3779B97F4A7C15u >> 32) & processes->mask;
    while (processes->slots[at] != 0 && processes->rows[processes->slots[at] - 1].pid != pid) {
        at = (at + 1) & processes->mask;
    }
    return &processes->slots[at];
}

static bool grow(cg_processes *processes)
{
    size_t slots = processes->slots == NULL ? FIRST_SLOTS : (processes->mask + 1) * 2;
    callgauge_process_row *rows = cg_mem_resize(processes->rows, slots / 2 * sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    processes->rows = rows;
    uint32_t *fresh = cg_mem_zeroed(slots, sizeof *fresh);
    if (fresh == NULL) {
        return false;
    }
    cg_mem_free(processes->slots);
    processes->slots = fresh;
    processes->mask = slots - 1;
    processes->room = slots / 2;
    for (size_t i = 0; i < processes->count; i++) {
        *slot_of(processes, rows[i].pid) = (uint32_t)i + 1;
    }
    return true;
}

/* False: no memory. NULL in `out`: past the limit. */
static bool row_of(cg_processes *processes, int64_t pid, callgauge_process_row **out)
{
    if (processes->count == processes->room && !grow(processes)) {
        return false;
    }
    uint32_t *slot = slot_of(processes, pid);
    if (*slot == 0) {
        if (processes->count == processes->limit) {
            *out = NULL;
            return true;
        }
        callgauge_process_row *fresh = &processes->rows[processes->count++];
        fresh->pid = pid;
        cg_process_row_init(fresh);
        *slot = (uint32_t)processes->count;
    }
    *out = &processes->rows[*slot - 1];
    return true;
}

static void count_call(callgauge_process_row *row, const callgauge_event *event)
{
    if ((event->flags & CALLGAUGE_CALL_UNRETURNED) != 0) {
        row->unreturned++;
        return;
    }
    row->calls++;
    row->errors += event->error != NULL;
    if ((event->has & CALLGAUGE_HAS_DURATION) != 0) {
        int64_t ns = event->duration_ns < 0 ? 0 : event->duration_ns;
        if (event->duration_kind == CALLGAUGE_TIME_CPU) {
            row->cpu_ns = cg_known_add(row->cpu_ns, ns);
            row->cpu_calls++;
        } else {
            row->wall_ns = cg_known_add(row->wall_ns, ns);
            row->wall_calls++;
        }
    }
}

static void widen(callgauge_process_row *row, int64_t ns)
{
    row->start_ns = cg_known_min(row->start_ns, ns);
    row->end_ns = cg_known_max(row->end_ns, ns);
}

bool cg_processes_count(cg_processes *processes, const callgauge_event *event)
{
    callgauge_process_row *row;
    int64_t pid = (event->has & CALLGAUGE_HAS_PID) != 0 ? event->pid : CALLGAUGE_UNKNOWN;
    if (!row_of(processes, pid, &row)) {
        return false;
    }
    if (row == NULL) {
        processes->dropped++;
        return true;
    }
    if (event->kind == CALLGAUGE_EVENT_CALL && (event->flags & CALLGAUGE_CALL_CHILD) == 0) {
        count_call(row, event);
    }
    if ((event->has & CALLGAUGE_HAS_START) != 0) {
        widen(row, event->start_ns);
    }
    if ((event->has & CALLGAUGE_HAS_END) != 0) {
        widen(row, event->end_ns);
    }
    return true;
}

bool cg_processes_finish(const cg_processes *processes, callgauge_report *report)
{
    size_t size = processes->count * sizeof *processes->rows;
    report->processes = cg_arena_alloc(&report->arena, size);
    if (report->processes == NULL) {
        return false;
    }
    if (size > 0) {
        memcpy(report->processes, processes->rows, size);
    }
    report->process_count = processes->count;
    return processes->dropped == 0 || cg_report_add_limit(report, "processes", processes->count, processes->dropped);
}

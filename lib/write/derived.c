/* SPDX-License-Identifier: Apache-2.0 */
/* Works out means and sums that rows do not hold. */
#include "write/derived.h"

#include "report/report.h"

int64_t cg_mean(int64_t sum, uint64_t count)
{
    if (sum == CALLGAUGE_UNKNOWN || count == 0) {
        return CALLGAUGE_UNKNOWN;
    }
    return sum / cg_count_held(count);
}

int64_t cg_mean_read(const callgauge_file_row *row)
{
    return cg_mean(row->bytes_read, row->reads > row->eof_reads ? row->reads - row->eof_reads : 0);
}

int64_t cg_mean_write(const callgauge_file_row *row)
{
    return cg_mean(row->bytes_written, row->writes > row->empty_writes ? row->writes - row->empty_writes : 0);
}

int64_t cg_mean_life(const callgauge_program_row *row)
{
    return cg_mean(row->life_ns, row->lives);
}

static void add(cg_time_spent *to, const callgauge_process_row *row)
{
    for (size_t i = 0; i < row->thread_count; i++) {
        to->working_ns = cg_known_add(to->working_ns, row->threads[i].working_ns);
        to->waiting_ns = cg_known_add(to->waiting_ns, row->threads[i].waiting_ns);
        to->outside_ns = cg_known_add(to->outside_ns, row->threads[i].outside_ns);
    }
}

cg_time_spent cg_spent_by(const callgauge_process_row *row)
{
    cg_time_spent spent = { CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN };
    add(&spent, row);
    return spent;
}

cg_time_spent cg_spent_in_all(const callgauge_report *report)
{
    cg_time_spent spent = { CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN };
    for (size_t i = 0; i < callgauge_report_process_count(report); i++) {
        add(&spent, callgauge_report_process(report, i));
    }
    return spent;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What every writer works out from rows in the same way. CALLGAUGE_UNKNOWN where nothing can be said. */
#ifndef CG_WRITE_DERIVED_H
#define CG_WRITE_DERIVED_H

#include <callgauge/report.h>

/* `sum` by `count`; unknown when either is, or the count is 0. */
int64_t cg_mean(int64_t sum, uint64_t count);

/* The blocking factor: bytes a read or write that moved any. */
int64_t cg_mean_read(const callgauge_file_row *row);
int64_t cg_mean_write(const callgauge_file_row *row);

/* The mean life of a start whose end was seen. */
int64_t cg_mean_life(const callgauge_program_row *row);

/* How the lives of all threads of a report, or of one process, were spent. Unknown: no thread tells. */
typedef struct cg_time_spent {
    int64_t working_ns, waiting_ns, outside_ns;
} cg_time_spent;

cg_time_spent cg_spent_by(const callgauge_process_row *row);
cg_time_spent cg_spent_in_all(const callgauge_report *report);

#endif

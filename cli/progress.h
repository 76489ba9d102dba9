/* SPDX-License-Identifier: Apache-2.0 */
/* A bar on standard error, when that is a terminal and the work takes more than a second. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

typedef struct progress {
    bool on;
    bool drawn;
    struct timespec begun, last;
} progress;

void progress_begin(progress *bar, bool wanted);
/* For callgauge_analysis_options.on_progress. */
void progress_tell(void *bar, uint64_t bytes_done, uint64_t bytes_total);
/* Takes the bar away. */
void progress_end(progress *bar);

#endif

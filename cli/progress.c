/* SPDX-License-Identifier: Apache-2.0 */
/* From bytes done to a bar that is drawn a few times a second. */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

enum { BAR_CELLS = 40, PATIENCE_MS = 1000, REDRAW_MS = 200 };

static int64_t milliseconds(struct timespec from, struct timespec to)
{
    return (int64_t)(to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000;
}

void progress_begin(progress *bar, bool wanted)
{
    *bar = (progress){ .on = wanted && isatty(STDERR_FILENO) };
    if (bar->on) {
        bar->on = clock_gettime(CLOCK_MONOTONIC, &bar->begun) == 0;
        bar->last = bar->begun;
    }
}

static void draw(uint64_t done, uint64_t total)
{
    uint64_t megabytes = done / 1000000;
    if (total == 0) {
        fprintf(stderr, "\r\033[K%" PRIu64 " MB read", megabytes);
        return;
    }
    double share = (double)done / (double)total;
    share = share > 1 ? 1 : share;
    int cells = (int)(share * BAR_CELLS);
    fprintf(stderr, "\r\033[K[%.*s%*s] %3d %%  %" PRIu64 " of %" PRIu64 " MB", cells,
            "########################################", BAR_CELLS - cells, "", (int)(share * 100), megabytes,
            total / 1000000);
}

void progress_tell(void *ctx, uint64_t bytes_done, uint64_t bytes_total)
{
    progress *bar = ctx;
    struct timespec now;
    if (!bar->on || clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        return;
    }
    if (milliseconds(bar->begun, now) < PATIENCE_MS || milliseconds(bar->last, now) < REDRAW_MS) {
        return;
    }
    draw(bytes_done, bytes_total);
    bar->last = now;
    bar->drawn = true;
}

void progress_end(progress *bar)
{
    if (bar->drawn) {
        fputs("\r\033[K", stderr);
    }
    bar->on = false;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what is written to it. */
#include "write/kept.h"

#include <string.h>

#include "base/str.h"

static int keep(void *ctx, const char *data, size_t len)
{
    cg_kept *kept = ctx;
    size_t room = sizeof kept->data - kept->used;
    len = len < room ? len : room;
    memcpy(kept->data + kept->used, data, len);
    kept->used += len;
    return 0;
}

void cg_kept_begin(cg_kept *kept)
{
    kept->used = 0;
    kept->to = (callgauge_output){ keep, kept };
    cg_out_init(&kept->out, &kept->to);
}

callgauge_str cg_kept_end(cg_kept *kept)
{
    (void)cg_out_finish(&kept->out, NULL);
    return cg_str(kept->data, kept->used);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What every writer writes to: the caller's output, a buffer in front of it. No heap, so that writing
 * fails only when the caller stops it. */
#ifndef CG_WRITE_OUT_H
#define CG_WRITE_OUT_H

#include <callgauge/write.h>

typedef struct cg_out {
    const callgauge_output *to;
    bool stopped; /* by the caller: everything after is dropped */
    size_t used;
    char data[4096];
} cg_out;

void cg_out_init(cg_out *out, const callgauge_output *to);
void cg_out_add(cg_out *out, const char *data, size_t len);
void cg_out_str(cg_out *out, callgauge_str text);
void cg_out_z(cg_out *out, const char *text);
void cg_out_char(cg_out *out, char c);
void cg_out_blanks(cg_out *out, size_t count);
void cg_out_u64(cg_out *out, uint64_t value);
void cg_out_i64(cg_out *out, int64_t value);
/* Passes on what is left. CALLGAUGE_OK or CALLGAUGE_E_STOPPED. */
callgauge_status cg_out_finish(cg_out *out, callgauge_error *err);

#endif

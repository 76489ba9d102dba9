/* SPDX-License-Identifier: Apache-2.0 */
/* What a capture is, told from its first lines: the dialect by bids, and the damage that runs through
 * all of it. */
#ifndef CG_READER_HEAD_H
#define CG_READER_HEAD_H

#include "reader/repair.h"

typedef struct cg_head_choice {
    const cg_dialect *dialect; /* NULL: no dialect bids */
    cg_damage damage;
} cg_head_choice;

/* How much of a capture is looked at before its dialect is decided. */
enum { CG_HEAD_BYTES = 64 * 1024 };

/* Decides from whole lines. `dialect` (may be NULL) is forced by the caller.
 * CALLGAUGE_OK, with out->dialect NULL when nothing in the lines tells; CALLGAUGE_E_FORMAT: two dialects bid the same;
 * CALLGAUGE_E_UNSUPPORTED: another tool's output; CALLGAUGE_E_NOMEM. `name` and `first_line` are for the error. */
callgauge_status cg_head_decide(callgauge_str head, const callgauge_reader_options *options, const cg_dialect *dialect,
                                const char *name, uint64_t first_line, cg_head_choice *out, callgauge_error *err);

/* Makes and unmakes the state of a parse. False: no memory (release all the same). */
bool cg_parse_begin(cg_parse *parse, const cg_dialect *dialect, const callgauge_reader_options *options,
                    callgauge_capture *capture, cg_assume_list *assumed);
void cg_parse_release(cg_parse *parse);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What the rows of a report are called in tables for people: "/data/web/001", "192.168.0.1:80 <-> 192.168.0.2:41043",
 * "pipe 1 (sh -> wc)", "fd 10, opened before the capture", "poll on 127.0.0.53:53". Captured text in it is as it was:
 * who prints it escapes it. */
#ifndef CG_WRITE_LABEL_H
#define CG_WRITE_LABEL_H

#include <callgauge/report.h>

#include "base/arena.h"

typedef struct cg_label {
    callgauge_str name;
    callgauge_str note;       /* ", mapped", "renamed to ...": what follows it */
    callgauge_str short_note; /* for where there is no room for that one; empty: there is no shorter one */
    bool is_path;             /* it may be cut in its middle */
} cg_label;

/* What sockets may have in common; a peer's address alone counts where the local one is not known. */
typedef enum cg_shared_end { CG_SHARED_LOCAL, CG_SHARED_PEER, CG_SHARED_PEER_ADDRESS } cg_shared_end;

/* All borrow from the report or lie in `arena`. False: no memory. */
bool cg_label_of_file(const callgauge_report *report, const callgauge_file_row *row, cg_arena *arena, cg_label *out);
/* What `count` sockets share, of which `row` is one: "127.0.0.1:8080 <-> 100 peers". */
bool cg_label_of_sockets(const callgauge_file_row *row, cg_shared_end end, size_t count, cg_arena *arena,
                         callgauge_str *out);
bool cg_label_of_waiting(const callgauge_waiting_row *row, cg_arena *arena, callgauge_str *out);
/* The same of `ports` ports of its peer: "read on 127.0.0.1 (100 ports)". */
bool cg_label_of_waiting_ports(const callgauge_waiting_row *row, size_t ports, cg_arena *arena, callgauge_str *out);
/* "1481", "1481#2" in its second life. */
bool cg_label_of_life(int64_t pid, uint32_t life, cg_arena *arena, callgauge_str *out);
/* "1481/1482": process and thread, where these differ. */
bool cg_label_of_thread(int64_t pid, uint32_t life, int64_t tid, cg_arena *arena, callgauge_str *out);
/* "/bin/sh -c true", or the program alone; empty: unknown. */
bool cg_label_of_program(const callgauge_process_row *row, cg_arena *arena, callgauge_str *out);
/* "/bin/sh 200, /bin/bash 3": the most frequent first. */
bool cg_label_of_names(const callgauge_name_row *rows, size_t count, cg_arena *arena, callgauge_str *out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What a file or a program is called in every run: numbers that the system gives out anew each time are taken out. */
#ifndef CG_COMPARE_SAME_NAME_H
#define CG_COMPARE_SAME_NAME_H

#include "report/report.h"

/* A path without pids of the report's processes, numbers below /proc, numbers of pipes and sockets, and the random part
 * of names in directories for temporary files. Borrowed from `path`, or in `arena`. False: no memory. */
bool cg_same_path(const callgauge_report *report, callgauge_str path, cg_arena *arena, callgauge_str *out);

/* A file: its path; a socket: the address of its peer and the port of the server; what is known by its number only:
 * that. Borrowed from `row`, static, or in `arena`. False: no memory. */
bool cg_same_file(const callgauge_report *report, const callgauge_file_row *row, cg_arena *arena, callgauge_str *out);

/* A port, as text: "N" where the system gave it out. */
callgauge_str cg_same_port(callgauge_str digits);

#endif

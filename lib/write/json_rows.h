/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the lists of files, descriptors, processes, programs, waiting, and the unit of a JSON report. */
#ifndef CG_WRITE_JSON_ROWS_H
#define CG_WRITE_JSON_ROWS_H

#include "write/json_node.h"

bool cg_read_file(const cg_node *at, void *row);
bool cg_read_descriptor(const cg_node *at, void *row);
bool cg_read_process(const cg_node *at, void *row);
bool cg_read_program(const cg_node *at, void *row);
bool cg_read_waiting(const cg_node *at, void *row);
bool cg_read_unit(const cg_node *at, callgauge_unit *unit);

/* Findings and rules that were not judged. The captures of the report have been read. */
bool cg_read_findings(const cg_node *at, callgauge_report *report);

/* Which rules were judged, whether files and processes were followed, sequences that were recorded. The captures of the
 * report have been read. */
bool cg_read_recorded(const cg_node *at, callgauge_report *report);

/* All of them. The captures of the report have been read. */
bool cg_read_followed(const cg_node *at, callgauge_report *report);

#endif

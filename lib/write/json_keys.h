/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of a JSON report share: keys with values of a kind, rows on lines of their own. */
#ifndef CG_WRITE_JSON_KEYS_H
#define CG_WRITE_JSON_KEYS_H

#include <callgauge/report.h>

#include "write/json_text.h"

void cg_json_count(cg_json *json, const char *key, uint64_t value);
void cg_json_bool(cg_json *json, const char *key, bool value);
/* CALLGAUGE_UNKNOWN: null. */
void cg_json_maybe(cg_json *json, const char *key, int64_t value);
/* 0: null. */
void cg_json_number(cg_json *json, const char *key, uint64_t value);
/* -1: null. */
void cg_json_port(cg_json *json, const char *key, int32_t value);
/* How many calls a time is of. */
void cg_json_timed_calls(cg_json *json, const char *key, int64_t ns, uint64_t calls);
void cg_json_text(cg_json *json, const char *key, const char *value); /* NULL: null */
/* Captured text. Empty: null. */
void cg_json_captured(cg_json *json, const char *key, callgauge_str value);
/* [capture, line]. Line 0: null. */
void cg_json_place(cg_json *json, const char *key, callgauge_place value);
void cg_json_numbers(cg_json *json, const char *key, const int64_t *values, size_t count);
/* An object of counts. */
void cg_json_names(cg_json *json, const char *key, const callgauge_name_row *rows, size_t count);
/* Pairs of an index and a count. */
void cg_json_buckets(cg_json *json, const char *key, const callgauge_bucket *rows, size_t count);

void cg_json_list(cg_json *json, const char *key);
/* A list of the report, whose rows stand on lines of their own. */
void cg_json_rows(cg_json *json, const char *key);
void cg_json_row(cg_json *json);
void cg_json_rows_end(cg_json *json, size_t rows);

/* The lists of a report: files and descriptors; processes and programs; waiting and the unit. */
void cg_json_files(cg_json *json, const callgauge_report *report);
void cg_json_processes(cg_json *json, const callgauge_report *report);
void cg_json_waiting(cg_json *json, const callgauge_report *report);
/* What rules found, and which were not judged. */
void cg_json_findings(cg_json *json, const callgauge_report *report);
/* Which rules were judged, whether files and processes were followed, sequences that were recorded. */
void cg_json_recorded(cg_json *json, const callgauge_report *report);

#endif

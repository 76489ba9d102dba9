/* SPDX-License-Identifier: Apache-2.0 */
/* An object of a JSON document that is read into a report, and its values by key. The document is hostile: every type
 * and range is checked. All that give a bool: false when there was a fault, which is in the reading then and names its
 * key. */
#ifndef CG_WRITE_JSON_NODE_H
#define CG_WRITE_JSON_NODE_H

#include <callgauge/report.h>

#include "report/report.h"

struct json_t;

enum { CG_NODE_WHERE_ROOM = 96 };

/* What all of a document shares. */
typedef struct cg_reading {
    const char *source;
    callgauge_report *report;
    callgauge_status status;
    callgauge_error *err;
} cg_reading;

/* An object of the document and where it stands: "captures[0].unread[1]", or "" for the outermost. */
typedef struct cg_node {
    cg_reading *all;
    const struct json_t *object;
    char where[CG_NODE_WHERE_ROOM];
} cg_node;

/* Both give false. */
bool cg_node_fail(const cg_node *at, const char *key, const char *expected);
bool cg_node_fail_nomem(const cg_node *at);

/* Whether a key is there and is not null. */
bool cg_node_has(const cg_node *at, const char *key);

/* An integer of any sign, one that is not negative; null or missing: CALLGAUGE_UNKNOWN. */
bool cg_node_stamp(const cg_node *at, const char *key, int64_t *out);
bool cg_node_maybe(const cg_node *at, const char *key, int64_t *out);
bool cg_node_maybes(const cg_node *at, size_t n, const char *const *keys, int64_t *const *outs);
/* A count that must be there; one that older reports lack, or that is null: 0. */
bool cg_node_count(const cg_node *at, const char *key, uint64_t *out);
bool cg_node_counts(const cg_node *at, size_t n, const char *const *keys, uint64_t *const *outs);
bool cg_node_later_count(const cg_node *at, const char *key, uint64_t *out);
/* A later count of 32 bits; a port, null: -1; missing: false. */
bool cg_node_small(const cg_node *at, const char *key, uint32_t *out);
bool cg_node_port(const cg_node *at, const char *key, int32_t *out);
bool cg_node_bool(const cg_node *at, const char *key, bool *out);

/* Captured text, its escapes undone, in the report's arena: that must be there; null or missing: empty. */
bool cg_node_str(const cg_node *at, const char *key, callgauge_str *out);
bool cg_node_captured(const cg_node *at, const char *key, callgauge_str *out);
/* Text without NUL: null or missing gives NULL; text that must be there. */
bool cg_node_text(const cg_node *at, const char *key, const char **out);
bool cg_node_needed_text(const cg_node *at, const char *key, const char **out);
/* Which of `n` names a text is; a NULL among the names stands for null. */
bool cg_node_choice(const cg_node *at, const char *key, const char *const *names, size_t n, size_t *out);
/* Null or missing: CALLGAUGE_FILE_UNKNOWN. */
bool cg_node_file_kind(const cg_node *at, const char *key, callgauge_file_kind *out);

/* A list of strings (null is none): whether it holds `name`. */
bool cg_node_holds(const cg_node *at, const char *key, const char *name, bool *out);
/* An object inside another, in `room`; *out is NULL when it is null. */
bool cg_node_object(const cg_node *at, const char *key, cg_node *room, cg_node **out);
/* The rows of a list, `size` bytes each, in the report's arena. NULL: a fault. */
typedef bool cg_node_row_fn(const cg_node *at, void *row);
void *cg_node_rows(const cg_node *at, const char *key, size_t size, cg_node_row_fn *read_row, size_t *count);

/* [capture, line] of a capture of the report; null: line 0. */
bool cg_node_place(const cg_node *at, const char *key, callgauge_place *out);
/* Numbers that ascend. A null is CALLGAUGE_UNKNOWN. */
bool cg_node_ascending(const cg_node *at, const char *key, const int64_t **out, size_t *count);
/* Captured texts. */
bool cg_node_strs(const cg_node *at, const char *key, const callgauge_str **out, size_t *count);
/* An object of captured texts; null: none. */
bool cg_node_keys(const cg_node *at, const char *key, const callgauge_key **out, size_t *count);
/* An object of counts; null: none. */
bool cg_node_names(const cg_node *at, const char *key, const callgauge_name_row **out, size_t *count);
bool cg_node_buckets(const cg_node *at, const char *key, const callgauge_bucket **out, size_t *count);

#endif

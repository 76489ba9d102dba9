/* SPDX-License-Identifier: Apache-2.0 */
/* JSON as text, written as it comes: no tree, no heap, so that a report of any size and a million events
 * cost nothing but their bytes. The caller opens and closes what belongs together. */
#ifndef CG_WRITE_JSON_TEXT_H
#define CG_WRITE_JSON_TEXT_H

#include "write/out.h"

typedef struct cg_json {
    cg_out *out;
    bool comma; /* before the next value or key */
} cg_json;

void cg_json_open(cg_json *json, char bracket);
void cg_json_close(cg_json *json, char bracket);
/* A line end and `indent` blanks, before the next value or key. */
void cg_json_break(cg_json *json, size_t indent);
void cg_json_key(cg_json *json, const char *key); /* plain ASCII */
void cg_json_key_str(cg_json *json, callgauge_str key);
void cg_json_null(cg_json *json);
void cg_json_word(cg_json *json, const char *value); /* as it is: true, a number */
void cg_json_u64(cg_json *json, uint64_t value);
void cg_json_i64(cg_json *json, int64_t value);
void cg_json_str(cg_json *json, callgauge_str value);
/* A string of parts, each written to `out` by cg_escape_json_part() or cg_escape_json_shown(). */
void cg_json_text_begin(cg_json *json);
void cg_json_text_end(cg_json *json);
/* "127.0.0.53:53", "[::1]:53" */
void cg_json_address(cg_json *json, callgauge_str address, int32_t port);
void cg_json_z(cg_json *json, const char *value); /* NULL: null */

#endif

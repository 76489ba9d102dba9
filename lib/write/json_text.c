/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON values with the commas between them. */
#include "write/json_text.h"

#include "base/str.h"
#include "write/escape.h"

static void begin(cg_json *json)
{
    if (json->comma) {
        cg_out_char(json->out, ',');
    }
    json->comma = true;
}

void cg_json_open(cg_json *json, char bracket)
{
    begin(json);
    cg_out_char(json->out, bracket);
    json->comma = false;
}

void cg_json_close(cg_json *json, char bracket)
{
    cg_out_char(json->out, bracket);
    json->comma = true;
}

void cg_json_break(cg_json *json, size_t indent)
{
    if (json->comma) {
        cg_out_char(json->out, ',');
    }
    cg_out_char(json->out, '\n');
    cg_out_blanks(json->out, indent);
    json->comma = false;
}

void cg_json_key_str(cg_json *json, callgauge_str key)
{
    begin(json);
    cg_escape_json(json->out, key);
    cg_out_char(json->out, ':');
    json->comma = false;
}

void cg_json_key(cg_json *json, const char *key)
{
    cg_json_key_str(json, cg_str_z(key));
}

void cg_json_null(cg_json *json)
{
    begin(json);
    cg_out_z(json->out, "null");
}

void cg_json_word(cg_json *json, const char *value)
{
    begin(json);
    cg_out_z(json->out, value);
}

void cg_json_u64(cg_json *json, uint64_t value)
{
    begin(json);
    cg_out_u64(json->out, value);
}

void cg_json_i64(cg_json *json, int64_t value)
{
    begin(json);
    cg_out_i64(json->out, value);
}

void cg_json_str(cg_json *json, callgauge_str value)
{
    begin(json);
    cg_escape_json(json->out, value);
}

void cg_json_z(cg_json *json, const char *value)
{
    if (value == NULL) {
        cg_json_null(json);
    } else {
        cg_json_str(json, cg_str_z(value));
    }
}

void cg_json_text_begin(cg_json *json)
{
    begin(json);
    cg_out_char(json->out, '"');
}

void cg_json_text_end(cg_json *json)
{
    cg_out_char(json->out, '"');
}

void cg_json_address(cg_json *json, callgauge_str address, int32_t port)
{
    bool brackets = address.len > 0 && memchr(address.ptr, ':', address.len) != NULL;
    begin(json);
    cg_out_z(json->out, brackets ? "\"[" : "\"");
    cg_escape_json_part(json->out, address);
    cg_out_z(json->out, brackets ? "]:" : ":");
    cg_out_i64(json->out, port);
    cg_out_char(json->out, '"');
}

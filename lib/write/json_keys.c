/* SPDX-License-Identifier: Apache-2.0 */
/* Writes keys of a JSON report with their values. What is unknown is null. */
#include "write/json_keys.h"

void cg_json_count(cg_json *json, const char *key, uint64_t value)
{
    cg_json_key(json, key);
    cg_json_u64(json, value);
}

void cg_json_bool(cg_json *json, const char *key, bool value)
{
    cg_json_key(json, key);
    cg_json_word(json, value ? "true" : "false");
}

void cg_json_maybe(cg_json *json, const char *key, int64_t value)
{
    cg_json_key(json, key);
    if (value == CALLGAUGE_UNKNOWN) {
        cg_json_null(json);
    } else {
        cg_json_i64(json, value);
    }
}

void cg_json_number(cg_json *json, const char *key, uint64_t value)
{
    cg_json_maybe(json, key, value == 0 ? CALLGAUGE_UNKNOWN : (int64_t)value);
}

void cg_json_port(cg_json *json, const char *key, int32_t value)
{
    cg_json_maybe(json, key, value < 0 ? CALLGAUGE_UNKNOWN : value);
}

void cg_json_timed_calls(cg_json *json, const char *key, int64_t ns, uint64_t calls)
{
    cg_json_maybe(json, key, ns > 0 && calls == 0 ? CALLGAUGE_UNKNOWN : (int64_t)calls);
}

void cg_json_text(cg_json *json, const char *key, const char *value)
{
    cg_json_key(json, key);
    cg_json_z(json, value);
}

void cg_json_captured(cg_json *json, const char *key, callgauge_str value)
{
    cg_json_key(json, key);
    if (value.len == 0) {
        cg_json_null(json);
    } else {
        cg_json_str(json, value);
    }
}

void cg_json_place(cg_json *json, const char *key, callgauge_place value)
{
    cg_json_key(json, key);
    if (value.line == 0) {
        cg_json_null(json);
        return;
    }
    cg_json_open(json, '[');
    cg_json_u64(json, value.capture);
    cg_json_u64(json, value.line);
    cg_json_close(json, ']');
}

void cg_json_numbers(cg_json *json, const char *key, const int64_t *values, size_t count)
{
    cg_json_list(json, key);
    for (size_t i = 0; i < count; i++) {
        if (values[i] == CALLGAUGE_UNKNOWN) {
            cg_json_null(json);
        } else {
            cg_json_i64(json, values[i]);
        }
    }
    cg_json_close(json, ']');
}

void cg_json_names(cg_json *json, const char *key, const callgauge_name_row *rows, size_t count)
{
    cg_json_key(json, key);
    cg_json_open(json, '{');
    for (size_t i = 0; i < count; i++) {
        cg_json_key_str(json, rows[i].name);
        cg_json_u64(json, rows[i].count);
    }
    cg_json_close(json, '}');
}

void cg_json_buckets(cg_json *json, const char *key, const callgauge_bucket *rows, size_t count)
{
    cg_json_list(json, key);
    for (size_t i = 0; i < count; i++) {
        cg_json_open(json, '[');
        cg_json_u64(json, rows[i].index);
        cg_json_u64(json, rows[i].count);
        cg_json_close(json, ']');
    }
    cg_json_close(json, ']');
}

void cg_json_list(cg_json *json, const char *key)
{
    cg_json_key(json, key);
    cg_json_open(json, '[');
}

void cg_json_rows(cg_json *json, const char *key)
{
    cg_json_break(json, 2);
    cg_json_list(json, key);
}

void cg_json_row(cg_json *json)
{
    cg_json_break(json, 4);
    cg_json_open(json, '{');
}

void cg_json_rows_end(cg_json *json, size_t rows)
{
    if (rows > 0) {
        json->comma = false;
        cg_json_break(json, 2);
    }
    cg_json_close(json, ']');
}

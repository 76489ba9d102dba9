/* SPDX-License-Identifier: Apache-2.0 */
/* Reads values of JSON objects by key, with every check.
 * Invariant: what comes out lies in the arena of the report that is read, never in the document. */
#include "write/json_node.h"

#ifdef CG_HAVE_JSON

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/str.h"
#include "write/escape.h"
#include "write/schema.h"

bool cg_node_fail_nomem(const cg_node *at)
{
    at->all->status = cg_fail_nomem(at->all->err);
    return false;
}

bool cg_node_fail(const cg_node *at, const char *key, const char *expected)
{
    const char *point = at->where[0] == 0 || key[0] == 0 ? "" : ".";
    at->all->status = cg_fail(at->all->err, CALLGAUGE_E_FORMAT, (cg_place){ .name = at->all->source },
                              "not a callgauge report: %s%s%s: %s", at->where, point, key, expected);
    return false;
}

/* The value of a key; NULL when it is missing or null. */
static const json_t *value_of(const cg_node *at, const char *key)
{
    const json_t *value = json_object_get(at->object, key);
    return json_is_null(value) ? NULL : value;
}

bool cg_node_stamp(const cg_node *at, const char *key, int64_t *out)
{
    const json_t *value = value_of(at, key);
    if (value != NULL && (!json_is_integer(value) || json_integer_value(value) == CALLGAUGE_UNKNOWN)) {
        return cg_node_fail(at, key, "an integer or null is expected");
    }
    *out = value == NULL ? CALLGAUGE_UNKNOWN : (int64_t)json_integer_value(value);
    return true;
}

bool cg_node_maybe(const cg_node *at, const char *key, int64_t *out)
{
    int64_t value = CALLGAUGE_UNKNOWN;
    if (!cg_node_stamp(at, key, &value)) {
        return false;
    }
    if (value < 0 && value != CALLGAUGE_UNKNOWN) {
        return cg_node_fail(at, key, "a number that is not negative is expected");
    }
    *out = value;
    return true;
}

bool cg_node_count(const cg_node *at, const char *key, uint64_t *out)
{
    int64_t value = CALLGAUGE_UNKNOWN;
    if (!cg_node_maybe(at, key, &value)) {
        return false;
    }
    if (value == CALLGAUGE_UNKNOWN) {
        return cg_node_fail(at, key, "a number is expected");
    }
    *out = (uint64_t)value;
    return true;
}

/* A count that older reports lack, or that is null: 0. */
bool cg_node_later_count(const cg_node *at, const char *key, uint64_t *out)
{
    int64_t value = CALLGAUGE_UNKNOWN;
    if (!cg_node_maybe(at, key, &value)) {
        return false;
    }
    *out = value == CALLGAUGE_UNKNOWN ? 0 : (uint64_t)value;
    return true;
}

bool cg_node_counts(const cg_node *at, size_t n, const char *const *keys, uint64_t *const *outs)
{
    for (size_t i = 0; i < n; i++) {
        if (!cg_node_count(at, keys[i], outs[i])) {
            return false;
        }
    }
    return true;
}

bool cg_node_maybes(const cg_node *at, size_t n, const char *const *keys, int64_t *const *outs)
{
    for (size_t i = 0; i < n; i++) {
        if (!cg_node_maybe(at, keys[i], outs[i])) {
            return false;
        }
    }
    return true;
}

/* Captured text, its escapes undone, in the report's arena. */
static bool unescape(const cg_node *at, const char *key, callgauge_str text, callgauge_str *out)
{
    char *copy = cg_arena_copy(&at->all->report->arena, text.ptr, text.len);
    if (copy == NULL) {
        return cg_node_fail_nomem(at);
    }
    size_t len;
    if (!cg_unescape(text, copy, &len)) {
        return cg_node_fail(at, key, "a backslash is not followed by an escape");
    }
    copy[len] = 0;
    *out = cg_str(copy, len);
    return true;
}

bool cg_node_str(const cg_node *at, const char *key, callgauge_str *out)
{
    const json_t *value = value_of(at, key);
    if (!json_is_string(value)) {
        return cg_node_fail(at, key, "a string is expected");
    }
    return unescape(at, key, cg_str(json_string_value(value), json_string_length(value)), out);
}

/* Text that may be null, and holds no NUL. */
bool cg_node_text(const cg_node *at, const char *key, const char **out)
{
    callgauge_str text = { NULL, 0 };
    if (value_of(at, key) != NULL && !cg_node_str(at, key, &text)) {
        return false;
    }
    if (text.ptr != NULL && strlen(text.ptr) != text.len) {
        return cg_node_fail(at, key, "a string without NUL is expected");
    }
    *out = text.ptr;
    return true;
}

bool cg_node_needed_text(const cg_node *at, const char *key, const char **out)
{
    const char *text = NULL;
    if (!cg_node_text(at, key, &text)) {
        return false;
    }
    if (text == NULL) {
        return cg_node_fail(at, key, "a string is expected");
    }
    *out = text;
    return true;
}

/* Which of `n` names a text is; a NULL among the names stands for null. */
bool cg_node_choice(const cg_node *at, const char *key, const char *const *names, size_t n, size_t *out)
{
    const char *text = NULL;
    if (!cg_node_text(at, key, &text)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (text == NULL ? names[i] == NULL : names[i] != NULL && strcmp(names[i], text) == 0) {
            *out = i;
            return true;
        }
    }
    return cg_node_fail(at, key, "a name that is not known");
}

static bool get_list(const cg_node *at, const char *key, const json_t **out)
{
    const json_t *list = value_of(at, key);
    if (list != NULL && !json_is_array(list)) {
        return cg_node_fail(at, key, "a list is expected");
    }
    *out = list;
    return true;
}

static bool enter(const cg_node *parent, const char *key, size_t index, const json_t *value, cg_node *out)
{
    const char *point = parent->where[0] == 0 ? "" : ".";
    out->all = parent->all;
    out->object = value;
    int n = snprintf(out->where, sizeof out->where, "%s%s%s[%zu]", parent->where, point, key, index);
    if (n < 0 || (size_t)n >= sizeof out->where) {
        return cg_node_fail(parent, key, "it is nested too deeply");
    }
    return json_is_object(value) || cg_node_fail(out, "", "an object is expected");
}

/* The rows of a list, `size` bytes each, in the report's arena. NULL: a fault. */
void *cg_node_rows(const cg_node *at, const char *key, size_t size, cg_node_row_fn *read_row, size_t *count)
{
    const json_t *list;
    if (!get_list(at, key, &list)) {
        return NULL;
    }
    size_t n = json_array_size(list);
    char *rows = cg_arena_alloc(&at->all->report->arena, n * size);
    if (rows == NULL) {
        cg_node_fail_nomem(at);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        cg_node row;
        if (!enter(at, key, i, json_array_get(list, i), &row) || !read_row(&row, rows + i * size)) {
            return NULL;
        }
    }
    *count = n;
    return rows;
}

/* An object inside another; *out is NULL when it is null. */
bool cg_node_object(const cg_node *at, const char *key, cg_node *room, cg_node **out)
{
    *room = *at;
    room->object = value_of(at, key);
    *out = room->object == NULL ? NULL : room;
    return room->object == NULL || json_is_object(room->object) || cg_node_fail(at, key, "an object is expected");
}

bool cg_node_has(const cg_node *at, const char *key)
{
    return value_of(at, key) != NULL;
}

bool cg_node_small(const cg_node *at, const char *key, uint32_t *out)
{
    uint64_t value;
    if (!cg_node_later_count(at, key, &value)) {
        return false;
    }
    *out = (uint32_t)value;
    return value <= UINT32_MAX || cg_node_fail(at, key, "a smaller number is expected");
}

bool cg_node_port(const cg_node *at, const char *key, int32_t *out)
{
    enum { MOST_PORT = 65535 };
    int64_t value = CALLGAUGE_UNKNOWN;
    if (!cg_node_maybe(at, key, &value)) {
        return false;
    }
    *out = value == CALLGAUGE_UNKNOWN ? -1 : (int32_t)(value & MOST_PORT);
    return value <= MOST_PORT || cg_node_fail(at, key, "a port is expected");
}

bool cg_node_bool(const cg_node *at, const char *key, bool *out)
{
    const json_t *value = value_of(at, key);
    *out = json_is_true(value);
    return value == NULL || json_is_boolean(value) || cg_node_fail(at, key, "true or false is expected");
}

bool cg_node_captured(const cg_node *at, const char *key, callgauge_str *out)
{
    *out = cg_str(NULL, 0);
    return !cg_node_has(at, key) || cg_node_str(at, key, out);
}

bool cg_node_file_kind(const cg_node *at, const char *key, callgauge_file_kind *out)
{
    const char *text = NULL;
    *out = CALLGAUGE_FILE_UNKNOWN;
    if (!cg_node_text(at, key, &text)) {
        return false;
    }
    for (unsigned kind = 0; text != NULL && kind < CG_FILE_KINDS; kind++) {
        if (strcmp(callgauge_file_kind_text((callgauge_file_kind)kind), text) == 0) {
            *out = (callgauge_file_kind)kind;
            return true;
        }
    }
    return text == NULL || cg_node_fail(at, key, "a kind that is not known");
}

bool cg_node_holds(const cg_node *at, const char *key, const char *name, bool *out)
{
    const json_t *list;
    *out = false;
    if (!get_list(at, key, &list)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(list) && !*out; i++) {
        const json_t *item = json_array_get(list, i);
        *out = json_is_string(item) && strcmp(json_string_value(item), name) == 0;
    }
    return true;
}

/* A pair of integers that are not negative. */
static bool get_pair(const json_t *pair, uint64_t *first, uint64_t *second)
{
    const json_t *a = json_array_get(pair, 0), *b = json_array_get(pair, 1);
    if (json_array_size(pair) != 2 || !json_is_integer(a) || !json_is_integer(b) || json_integer_value(a) < 0 ||
        json_integer_value(b) < 0) {
        return false;
    }
    *first = (uint64_t)json_integer_value(a);
    *second = (uint64_t)json_integer_value(b);
    return true;
}

bool cg_node_place(const cg_node *at, const char *key, callgauge_place *out)
{
    const json_t *value = value_of(at, key);
    uint64_t capture = 0, line = 0;
    *out = (callgauge_place){ 0, 0 };
    if (value == NULL) {
        return true;
    }
    if (!get_pair(value, &capture, &line) || line == 0) {
        return cg_node_fail(at, key, "a capture and a line are expected");
    }
    if (capture >= at->all->report->capture_count) {
        return cg_node_fail(at, key, "there is no such capture");
    }
    *out = (callgauge_place){ (size_t)capture, line };
    return true;
}

/* One of the numbers of a list, which are above `below`; null is below all. */
static bool get_item(const json_t *item, int64_t below, bool is_first, int64_t *out)
{
    bool known = json_is_integer(item) && json_integer_value(item) != CALLGAUGE_UNKNOWN;
    *out = known ? (int64_t)json_integer_value(item) : CALLGAUGE_UNKNOWN;
    return (known || json_is_null(item)) && (is_first || *out > below);
}

bool cg_node_ascending(const cg_node *at, const char *key, const int64_t **out, size_t *count)
{
    const json_t *list;
    if (!get_list(at, key, &list)) {
        return false;
    }
    size_t n = json_array_size(list);
    int64_t *values = cg_arena_alloc(&at->all->report->arena, n * sizeof *values);
    if (values == NULL) {
        return cg_node_fail_nomem(at);
    }
    for (size_t i = 0; i < n; i++) {
        if (!get_item(json_array_get(list, i), i == 0 ? 0 : values[i - 1], i == 0, &values[i])) {
            return cg_node_fail(at, key, "integers that ascend are expected");
        }
    }
    *out = values;
    *count = n;
    return true;
}

bool cg_node_strs(const cg_node *at, const char *key, const callgauge_str **out, size_t *count)
{
    const json_t *list;
    if (!get_list(at, key, &list)) {
        return false;
    }
    size_t n = json_array_size(list);
    callgauge_str *values = cg_arena_alloc(&at->all->report->arena, n * sizeof *values);
    if (values == NULL) {
        return cg_node_fail_nomem(at);
    }
    for (size_t i = 0; i < n; i++) {
        const json_t *item = json_array_get(list, i);
        if (!json_is_string(item)) {
            return cg_node_fail(at, key, "strings are expected");
        }
        if (!unescape(at, key, cg_str(json_string_value(item), json_string_length(item)), &values[i])) {
            return false;
        }
    }
    *out = values;
    *count = n;
    return true;
}

bool cg_node_keys(const cg_node *at, const char *key, const callgauge_key **out, size_t *count)
{
    cg_node room, *inner;
    if (!cg_node_object(at, key, &room, &inner)) {
        return false;
    }
    json_t *object = json_object_get(at->object, key);
    size_t n = json_object_size(object), used = 0;
    callgauge_key *keys = cg_arena_alloc(&at->all->report->arena, n * sizeof *keys);
    if (keys == NULL) {
        return cg_node_fail_nomem(at);
    }
    for (void *i = json_object_iter(object); i != NULL; i = json_object_iter_next(object, i), used++) {
        if (!unescape(inner, key, cg_str_z(json_object_iter_key(i)), &keys[used].name) ||
            !cg_node_str(inner, json_object_iter_key(i), &keys[used].value)) {
            return false;
        }
    }
    *out = keys;
    *count = used;
    return true;
}

bool cg_node_names(const cg_node *at, const char *key, const callgauge_name_row **out, size_t *count)
{
    cg_node room, *names;
    if (!cg_node_object(at, key, &room, &names)) {
        return false;
    }
    json_t *object = json_object_get(at->object, key);
    size_t n = json_object_size(object), used = 0;
    callgauge_name_row *rows = cg_arena_alloc(&at->all->report->arena, n * sizeof *rows);
    if (rows == NULL) {
        return cg_node_fail_nomem(at);
    }
    for (void *i = json_object_iter(object); i != NULL; i = json_object_iter_next(object, i), used++) {
        const char *name = json_object_iter_key(i);
        if (!unescape(names, key, cg_str_z(name), &rows[used].name) || !cg_node_count(names, name, &rows[used].count)) {
            return false;
        }
    }
    *count = cg_name_rows_settle(rows, used);
    *out = rows;
    return true;
}

static bool get_bucket(const cg_node *at, const char *key, const json_t *pair, int64_t above, callgauge_bucket *out)
{
    const json_t *index = json_array_get(pair, 0), *count = json_array_get(pair, 1);
    if (json_array_size(pair) != 2 || !json_is_integer(index) || !json_is_integer(count)) {
        return cg_node_fail(at, key, "pairs of an index and a count are expected");
    }
    if (json_integer_value(index) <= above || json_integer_value(index) >= CG_BUCKET_COUNT) {
        return cg_node_fail(at, key, "an index is out of order or range");
    }
    if (json_integer_value(count) <= 0) {
        return cg_node_fail(at, key, "a count must be more than 0");
    }
    *out = (callgauge_bucket){ (uint32_t)json_integer_value(index), (uint64_t)json_integer_value(count) };
    return true;
}

bool cg_node_buckets(const cg_node *at, const char *key, const callgauge_bucket **out, size_t *count)
{
    const json_t *list;
    if (!get_list(at, key, &list)) {
        return false;
    }
    size_t n = json_array_size(list);
    callgauge_bucket *buckets = cg_arena_alloc(&at->all->report->arena, n * sizeof *buckets);
    if (buckets == NULL) {
        return cg_node_fail_nomem(at);
    }
    for (size_t i = 0; i < n; i++) {
        int64_t above = i == 0 ? -1 : (int64_t)buckets[i - 1].index;
        if (!get_bucket(at, key, json_array_get(list, i), above, &buckets[i])) {
            return false;
        }
    }
    *out = buckets;
    *count = n;
    return true;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Values as keys of groups, and as text. */
#include <inttypes.h>

#include "base/str.h"
#include "base/swar.h"
#include "predicate/compare.h"
#include "predicate/predicate.h"

static bool is_text(const cg_value *value)
{
    return value->type == CG_TYPE_TEXT || value->type == CG_TYPE_WORD || value->type == CG_TYPE_FLAGS ||
           value->type == CG_TYPE_ARG;
}

bool cg_value_same(const cg_value *a, const cg_value *b)
{
    if (a->known != b->known || a->known != CG_KNOWN) {
        return a->known == b->known;
    }
    if (is_text(a) != is_text(b)) {
        return false;
    }
    if (is_text(a)) {
        return (a->file != NULL && a->file == b->file) || (a->cut == b->cut && cg_str_eq(a->text, b->text));
    }
    return cg_order_of_numbers(a, b) == 0;
}

static uint64_t mix(uint64_t hash, uint64_t with)
{
    hash = (hash ^ with) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

/* Eight bytes at a time. */
static uint64_t hash_text(uint64_t hash, callgauge_str text)
{
    size_t at = 0;
    hash = mix(hash, text.len);
    for (; at + 8 <= text.len; at += 8) {
        hash = mix(hash, cg_load8(text.ptr + at));
    }
    if (at < text.len) {
        char rest[8] = { 0 };
        memcpy(rest, text.ptr + at, text.len - at);
        hash = mix(hash, cg_load8(rest));
    }
    return hash;
}

uint64_t cg_value_hash(const cg_value *value)
{
    uint64_t hash = mix(0x51ED270B, value->known);
    if (value->known != CG_KNOWN) {
        return hash;
    }
    if (!is_text(value)) {
        int64_t whole = value->is_real ? (int64_t)0 : value->number;
        if (value->is_real && value->real > -9e18 && value->real < 9e18) {
            whole = (int64_t)value->real;
        }
        return mix(hash, (uint64_t)whole);
    }
    return hash_text(hash, value->text);
}

/* Seconds without trailing zeros: 0.04s. */
static bool write_seconds(int64_t ns, cg_buf *to)
{
    uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    if ((ns < 0 && !cg_buf_add_char(to, '-')) || !cg_buf_printf(to, "%" PRIu64, size / 1000000000)) {
        return false;
    }
    uint64_t part = size % 1000000000;
    if (part > 0) {
        int digits = 9;
        for (; part % 10 == 0; part /= 10) {
            digits--;
        }
        if (!cg_buf_printf(to, ".%0*" PRIu64, digits, part)) {
            return false;
        }
    }
    return cg_buf_add_char(to, 's');
}

static bool write_known(const cg_value *value, cg_buf *to)
{
    const char *order;
    switch (value->type) {
    case CG_TYPE_BOOL: return cg_buf_add_z(to, value->number != 0 ? "yes" : "no");
    case CG_TYPE_CLASS: return cg_buf_add_z(to, callgauge_class_text((callgauge_class)value->number));
    case CG_TYPE_KIND: return cg_buf_add_z(to, callgauge_file_kind_text((callgauge_file_kind)value->number));
    case CG_TYPE_ORDER:
        order = callgauge_order_text((callgauge_order)value->number);
        return cg_buf_add_z(to, order == NULL ? "unknown" : order);
    case CG_TYPE_TEXT:
    case CG_TYPE_WORD:
    case CG_TYPE_FLAGS:
    case CG_TYPE_ARG: return cg_buf_add_str(to, value->text) && (!value->cut || cg_buf_add_z(to, "..."));
    case CG_TYPE_TIME:
    case CG_TYPE_MOMENT:
        if (!value->is_real) {
            return write_seconds(value->number, to);
        }
        break;
    case CG_TYPE_NUMBER:
    case CG_TYPE_BYTES: break;
    }
    return value->is_real ? cg_buf_printf(to, "%g", value->real) : cg_buf_printf(to, "%" PRId64, value->number);
}

bool cg_value_write(const cg_value *value, cg_buf *to)
{
    switch (value->known) {
    case CG_ABSENT: return cg_buf_add_z(to, "none");
    case CG_UNKNOWN_VALUE: return cg_buf_add_z(to, "unknown");
    case CG_KNOWN: break;
    }
    return write_known(value, to);
}

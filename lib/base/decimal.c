/* SPDX-License-Identifier: Apache-2.0 */
/* Reading numbers from views. */
#include "base/decimal.h"

#include "base/str.h"

bool cg_read_u64(const char **at, const char *end, uint64_t *out)
{
    const char *p = *at;
    uint64_t value = 0;
    if (p >= end || !cg_is_digit(*p)) {
        return false;
    }
    for (; p < end && cg_is_digit(*p); p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (value > (UINT64_MAX - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    *out = value;
    *at = p;
    return true;
}

bool cg_read_i64(const char **at, const char *end, int64_t *out)
{
    const char *p = *at;
    bool negative = p < end && *p == '-';
    uint64_t value;
    p += negative;
    if (!cg_read_u64(&p, end, &value) || value > (uint64_t)INT64_MAX + (negative ? 1 : 0)) {
        return false;
    }
    *out = negative ? (int64_t)(0 - value) : (int64_t)value;
    *at = p;
    return true;
}

static int hex_digit(char c)
{
    if (cg_is_digit(c)) {
        return c - '0';
    }
    return (c | 0x20) - 'a' + 10;
}

bool cg_read_hex(const char **at, const char *end, uint64_t *out)
{
    const char *p = *at;
    if (end - p < 3 || p[0] != '0' || (p[1] | 0x20) != 'x' || !cg_is_hex(p[2])) {
        return false;
    }
    uint64_t value = 0;
    int digits = 0;
    for (p += 2; p < end && cg_is_hex(*p); p++, digits++) {
        value = value << 4 | (uint64_t)hex_digit(*p);
    }
    if (digits > 16) {
        return false;
    }
    *out = value;
    *at = p;
    return true;
}

bool cg_read_octal(const char **at, const char *end, uint64_t *out)
{
    const char *p = *at;
    uint64_t value = 0;
    if (end - p < 1 || *p != '0') {
        return false;
    }
    for (; p < end && *p >= '0' && *p <= '7'; p++) {
        if (value >> 61 != 0) {
            return false;
        }
        value = value << 3 | (uint64_t)(*p - '0');
    }
    *out = value;
    *at = p;
    return true;
}

bool cg_read_seconds(const char **at, const char *end, int64_t *ns, int *decimals)
{
    const char *p = *at;
    uint64_t seconds = 0, fraction = 0;
    bool whole = p < end && cg_is_digit(*p);
    if (whole && !cg_read_u64(&p, end, &seconds)) {
        return false;
    }
    int digits = 0;
    if (end - p >= 2 && *p == '.' && cg_is_digit(p[1])) {
        uint64_t unit = 100000000;
        for (p++; p < end && cg_is_digit(*p); p++, digits++) {
            fraction += (uint64_t)(*p - '0') * unit;
            unit /= 10;
        }
    } else if (!whole) {
        return false;
    }
    *ns = seconds > (uint64_t)INT64_MAX / 1000000000 - 1 ? INT64_MAX : (int64_t)(seconds * 1000000000 + fraction);
    if (decimals != NULL) {
        *decimals = digits;
    }
    *at = p;
    return true;
}

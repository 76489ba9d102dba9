/* SPDX-License-Identifier: Apache-2.0 */
/* Formats numbers without the C library, which would ask the locale. */
#include "base/units.h"

#include <string.h>

size_t cg_format_count(char *to, uint64_t value)
{
    char text[CG_NUMBER_ROOM];
    size_t at = sizeof text;
    for (size_t digits = 0; value != 0 || digits == 0; digits++, value /= 10) {
        if (digits > 0 && digits % 3 == 0) {
            text[--at] = ',';
        }
        text[--at] = (char)('0' + value % 10);
    }
    memcpy(to, text + at, sizeof text - at);
    return sizeof text - at;
}

static uint64_t power_of_ten(int exponent)
{
    uint64_t power = 1;
    while (exponent-- > 0) {
        power *= 10;
    }
    return power;
}

static size_t without_commas(char *text, size_t len)
{
    size_t used = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] != ',') {
            text[used++] = text[i];
        }
    }
    return used;
}

size_t cg_format_fixed(char *to, int64_t value, int places, int decimals)
{
    size_t len = 0;
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    uint64_t dropped = power_of_ten(places - decimals);
    uint64_t shown = size / dropped + (dropped > 1 && size % dropped >= dropped / 2 ? 1 : 0);
    uint64_t whole = power_of_ten(decimals);
    if (value < 0 && shown > 0) {
        to[len++] = '-';
    }
    len += cg_format_count(to + len, shown / whole);
    if (decimals > 0) {
        to[len++] = '.';
        uint64_t fraction = shown % whole;
        for (int i = decimals; i-- > 0; fraction /= 10) {
            to[len + (size_t)i] = (char)('0' + fraction % 10);
        }
        len += (size_t)decimals;
    }
    return len;
}

size_t cg_format_plain(char *to, int64_t value, int places, int decimals)
{
    return without_commas(to, cg_format_fixed(to, value, places, decimals));
}

int cg_decimals_needed(int64_t value, int places)
{
    while (places > 0 && value % 10 == 0) {
        value /= 10;
        places--;
    }
    return places;
}

int cg_seconds_decimals(int needed)
{
    enum { MILLISECONDS = 3, MICROSECONDS = 6 };
    return needed <= MILLISECONDS ? MILLISECONDS : MICROSECONDS;
}

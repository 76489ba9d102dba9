/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and nouns in sentences. */
#include "compare/words.h"

#include "base/str.h"
#include "base/units.h"

enum { MOST_TEXT = 100 };

/* With at most `places` decimals, and no zeros at the end. What is too large for decimals is whole. */
static bool add_fixed(cg_buf *to, double number, int places)
{
    static const double LARGE = 1e16;
    char text[CG_NUMBER_ROOM];
    places = number >= LARGE ? 0 : places;
    double scale = places == 0 ? 1 : places == 1 ? 10 : 100;
    int64_t fixed = number * scale >= 9e18 ? INT64_MAX : (int64_t)(number * scale + 0.5);
    size_t len = cg_format_fixed(text, fixed, places, cg_decimals_needed(fixed, places));
    return cg_buf_add(to, text, len);
}

bool cg_words_number(cg_buf *to, double number)
{
    return add_fixed(to, number, 2);
}

bool cg_words_time(cg_buf *to, double ns)
{
    if (ns >= 1e9) {
        return add_fixed(to, ns / 1e9, 2) && cg_buf_add_z(to, " s");
    }
    if (ns >= 1e6) {
        return add_fixed(to, ns / 1e6, ns >= 1e7 ? 0 : 1) && cg_buf_add_z(to, " ms");
    }
    return add_fixed(to, ns / 1e3, ns >= 1e4 ? 0 : 1) && cg_buf_add_z(to, " us");
}

bool cg_words_bytes(cg_buf *to, double bytes)
{
    static const char *const units[] = { " KiB", " MiB", " GiB", " TiB" };
    size_t unit = 0;
    if (bytes < 1024) {
        return cg_words_counted(to, bytes, "byte");
    }
    for (bytes /= 1024; bytes >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++) {
        bytes /= 1024;
    }
    return cg_words_number(to, bytes) && cg_buf_add_z(to, units[unit]);
}

bool cg_words_counted(cg_buf *to, double number, const char *one)
{
    return cg_words_number(to, number) && cg_buf_add_char(to, ' ') && cg_buf_add_z(to, one) &&
           (number == 1 || cg_buf_add_char(to, 's'));
}

bool cg_words_text(cg_buf *to, callgauge_str text)
{
    bool ok = true;
    if (text.len > MOST_TEXT) {
        text = cg_str(text.ptr + (text.len - MOST_TEXT), MOST_TEXT);
        ok = cg_buf_add_z(to, "...");
    }
    for (size_t i = 0; ok && i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        ok = cg_buf_add_char(to, c < 0x20 || c == 0x7f ? '?' : text.ptr[i]);
    }
    return ok;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers with their nouns, for people. */
#include "write/text.h"

#include "base/units.h"

enum { NS_PLACES = 9 };

void cg_text_count(uint64_t count, const char *one, const char *many, cg_out *out)
{
    char number[CG_NUMBER_ROOM];
    cg_out_add(out, number, cg_format_count(number, count));
    cg_out_char(out, ' ');
    cg_out_z(out, count == 1 ? one : many);
}

void cg_text_seconds(int64_t ns, const char *what, cg_out *out)
{
    char number[CG_NUMBER_ROOM];
    int decimals = ns >= CG_LONG_NS ? 0 : cg_decimals_needed(ns, NS_PLACES);
    cg_out_add(out, number, cg_format_fixed(number, ns, NS_PLACES, cg_seconds_decimals(decimals)));
    cg_out_z(out, " s ");
    cg_out_z(out, what);
}

static void begin_item(bool *more, cg_out *out)
{
    cg_out_z(out, *more ? ", " : "");
    *more = true;
}

void cg_text_known_count(int64_t count, const char *one, const char *many, bool *more, cg_out *out)
{
    if (count != CALLGAUGE_UNKNOWN) {
        begin_item(more, out);
        cg_text_count((uint64_t)count, one, many, out);
    }
}

void cg_text_known_seconds(int64_t ns, const char *what, bool *more, cg_out *out)
{
    if (ns != CALLGAUGE_UNKNOWN) {
        begin_item(more, out);
        cg_text_seconds(ns, what, out);
    }
}

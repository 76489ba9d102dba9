/* SPDX-License-Identifier: Apache-2.0 */
/* What else is left out (kinds of time, bytes, rules), and hints: what the numbers themselves do not say. */
#include "compare/comparing.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"
#include "compare/words.h"

/* --- measures that only one side tells */

static bool party_tells(const cg_party *party, callgauge_measure measure)
{
    for (size_t i = 0; i < party->count; i++) {
        if ((party->samples[i].tells >> measure & 1) == 0) {
            return false;
        }
    }
    return true;
}

static bool leave_out_measures(cg_comparing *c)
{
    static const struct row {
        callgauge_measure measure;
        const char *what, *why;
    } rows[] = {
        { CALLGAUGE_MEASURE_CPU, "cpu times", "not every report there tells them" },
        { CALLGAUGE_MEASURE_WALL, "wall times", "not every report there tells them" },
        { CALLGAUGE_MEASURE_USER, "user cpu time", "only tables of truss tell it" },
        { CALLGAUGE_MEASURE_BYTES_READ, "bytes", "not every report there tells them" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool before = party_tells(&c->before, rows[i].measure), after = party_tells(&c->after, rows[i].measure);
        const char *side = before ? "after" : "before";
        if (before != after && !cg_leave_out(c, cg_str_z(rows[i].what), side, rows[i].why)) {
            return false;
        }
    }
    return true;
}

/* --- hints */

/* What a table shows of opens and closes, and how many calls. */
typedef struct table_look {
    const callgauge_call_row *most_opened; /* of class open, the one with most successful calls */
    bool has_close, is_table;
    size_t names;
} table_look;

static table_look look_at(const cg_party *party)
{
    table_look look = { .is_table = true };
    for (size_t i = 0; i < party->count; i++) {
        const callgauge_report *report = party->samples[i].report;
        look.is_table = look.is_table && !party->samples[i].has_trace;
        look.names = report->call_count > look.names ? report->call_count : look.names;
        for (size_t k = 0; k < report->call_count; k++) {
            const callgauge_call_row *row = &report->calls[k], *most = look.most_opened;
            bool opens = row->call_class == CALLGAUGE_CLASS_OPEN && row->calls > row->errors;
            look.has_close = look.has_close || row->call_class == CALLGAUGE_CLASS_CLOSE;
            if (opens && (most == NULL || row->calls - row->errors > most->calls - most->errors)) {
                look.most_opened = row;
            }
        }
    }
    return look;
}

/* A program that opens files closes some: a table that shows only opens was filtered, though it cannot say so. */
static bool hint_filtered_table(cg_comparing *c, const cg_party *party, const cg_party *other)
{
    table_look look = look_at(party);
    bool said = party->is_declared || party->traced_count > 0;
    if (said || !look.is_table || look.has_close || look.most_opened == NULL || look_at(other).names <= look.names) {
        return true;
    }
    cg_buf text;
    cg_buf_init(&text, CG_SENTENCE);
    bool ok = cg_buf_printf(&text, "%s: a table with ", party->name) && cg_words_text(&text, look.most_opened->name) &&
              cg_buf_printf(&text, " but no close was probably filtered; --%s-traced says which calls it shows",
                            party->name) &&
              cg_add_hint(c, cg_buf_str(&text));
    cg_buf_release(&text);
    return ok;
}

static bool hint_by_class(cg_comparing *c)
{
    return !c->out->by_class ||
           cg_add_hint(c, cg_str_z("the dialects differ, so calls are compared by class: open64 against openat"));
}

/* Times of single captures that are far apart look like a result and are none. */
static bool hint_single_times(cg_comparing *c)
{
    callgauge_measure time = cg_shown_time(c, c->out->totals.amounts);
    if (time == CALLGAUGE_MEASURE_COUNT) {
        return true;
    }
    return cg_add_hint(c, cg_str_z(time == CALLGAUGE_MEASURE_WALL
                                       ? "wall times of single captures are shown, not judged; "
                                         "those of two or more captures on each side are"
                                       : "cpu times of single captures of strace are shown, not judged; "
                                         "those of two or more captures on each side are"));
}

/* A connection that serves many requests looks like one request that makes many calls. */
static bool hint_connections(cg_comparing *c)
{
    bool differ = false;
    for (size_t i = 1; i < c->count; i++) {
        differ = differ || c->samples[i].units != c->samples[0].units;
    }
    return !c->per_unit || !differ || c->samples[0].report->unit.from != CALLGAUGE_UNIT_REQUEST ||
           cg_add_hint(c, cg_str_z("a request is a connection that was accepted; where one connection can have several "
                                   "requests (keep-alive), say how many there were: --unit N"));
}

/* Lines that could not be read may be what is not there. */
static bool hint_unread(cg_comparing *c, const cg_party *party)
{
    uint64_t unread = 0;
    for (size_t i = 0; i < party->count; i++) {
        const callgauge_report *report = party->samples[i].report;
        for (size_t k = 0; k < report->capture_count; k++) {
            unread = cg_count_add(unread, report->captures[k].capture.unread_lines);
        }
    }
    if (unread == 0) {
        return true;
    }
    cg_buf text;
    cg_buf_init(&text, CG_SENTENCE);
    bool ok = cg_buf_printf(&text, "%s: ", party->name) && cg_words_counted(&text, (double)unread, "line") &&
              cg_buf_add_z(&text, " could not be read, and may hold calls that are missing here") &&
              cg_add_hint(c, cg_buf_str(&text));
    cg_buf_release(&text);
    return ok;
}

callgauge_status cg_compare_rest(cg_comparing *c, callgauge_error *err)
{
    bool ok = leave_out_measures(c) && hint_filtered_table(c, &c->before, &c->after) &&
              hint_filtered_table(c, &c->after, &c->before) && hint_by_class(c) && hint_single_times(c) &&
              hint_unread(c, &c->before) && hint_unread(c, &c->after) && hint_connections(c);
    return ok ? CALLGAUGE_OK : cg_fail_nomem(err);
}

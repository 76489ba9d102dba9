/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of the sides of a comparison: captures, reports, units of work, kinds of time.
 * Invariant: names are made harmless, and cut in their middle where they are too wide. */
#include "write/compare_text.h"

#include <string.h>

#include "base/str.h"
#include "write/escape.h"
#include "write/kept.h"
#include "write/text.h"
#include "write/writers.h"

/* The reports of a side. */
typedef struct side {
    const callgauge_report *const *reports;
    size_t count;
} side;

static size_t capture_count(side of)
{
    size_t count = 0;
    for (size_t i = 0; i < of.count; i++) {
        count += callgauge_report_capture_count(of.reports[i]);
    }
    return count;
}

static const callgauge_capture *capture_at(side of, size_t index)
{
    for (size_t i = 0; i < of.count; i++) {
        size_t count = callgauge_report_capture_count(of.reports[i]);
        if (index < count) {
            return &callgauge_report_capture(of.reports[i], index)->capture;
        }
        index -= count;
    }
    return NULL;
}

static callgauge_str dialect_of(const callgauge_capture *capture)
{
    return cg_str_z(capture->dialect == NULL ? "unknown" : capture->dialect);
}

static bool same_form(const callgauge_capture *a, const callgauge_capture *b)
{
    return cg_str_eq(dialect_of(a), dialect_of(b)) && a->has_table == b->has_table && a->has_events == b->has_events;
}

/* "strace trace and truss-solaris table": each form once; few are ever told apart. */
static void write_forms(side of, cg_out *out)
{
    enum { MOST_FORMS = 8 };
    const callgauge_capture *seen[MOST_FORMS];
    size_t forms = 0, captures = capture_count(of);
    for (size_t i = 0; i < captures && forms < MOST_FORMS; i++) {
        const callgauge_capture *capture = capture_at(of, i);
        size_t at = 0;
        while (at < forms && !same_form(seen[at], capture)) {
            at++;
        }
        if (at < forms) {
            continue;
        }
        seen[forms++] = capture;
        cg_out_z(out, forms > 1 ? " and " : ": ");
        cg_escape_show(out, dialect_of(capture));
        cg_out_z(out, !capture->has_table ? " trace" : capture->has_events ? " trace and table" : " table");
    }
}

static void write_units(side of, cg_out *out)
{
    uint64_t units = 0;
    bool alike = true;
    for (size_t i = 0; i < of.count; i++) {
        const callgauge_unit *unit = callgauge_report_unit(of.reports[i]);
        uint64_t count = unit->from == CALLGAUGE_UNIT_NONE ? 0 : unit->count;
        alike = alike && (i == 0 || count == units);
        units = count;
    }
    if (alike && units > 0) {
        cg_out_z(out, ", ");
        cg_text_count(units, "unit", "units", out);
        cg_out_z(out, of.count > 1 ? " each" : "");
    } else if (!alike) {
        cg_out_z(out, ", units that differ in number");
    }
}

static void write_times(side of, cg_out *out)
{
    bool cpu = false, wall = false;
    for (size_t i = 0; i < of.count; i++) {
        const callgauge_totals *totals = callgauge_report_totals(of.reports[i]);
        cpu = cpu || totals->cpu_ns != CALLGAUGE_UNKNOWN;
        wall = wall || totals->wall_ns != CALLGAUGE_UNKNOWN;
    }
    cg_out_z(out, cpu && wall ? ", cpu and wall times" : cpu ? ", cpu times" : wall ? ", wall times" : ", no times");
}

/* All that is said of a side but the name. */
static callgauge_str about(side of, cg_kept *kept)
{
    cg_kept_begin(kept);
    size_t more = capture_count(of);
    if (more > 1) {
        cg_out_z(&kept->out, " and ");
        cg_text_count(more - 1, "more", "more", &kept->out);
    }
    write_forms(of, &kept->out);
    if (of.count > 1) {
        cg_out_z(&kept->out, ", ");
        cg_text_count(of.count, "report", "reports", &kept->out);
    }
    write_units(of, &kept->out);
    write_times(of, &kept->out);
    return cg_kept_end(kept);
}

/* The end of a path tells more than its front. */
static void write_name(callgauge_str name, size_t width, cg_out *out)
{
    callgauge_str shown;
    if (cg_text_shorten(name, width, &shown)) {
        cg_out_z(out, shown.len < name.len ? "..." : "");
        cg_escape_show(out, shown);
    } else {
        cg_text_cut(name, width, false, out);
    }
}

static void write_side(const char *label, side of, const callgauge_write_options *options, cg_out *out)
{
    enum { COLUMN = 8, LEAST_NAME = 24 };
    const callgauge_capture *first = capture_at(of, 0);
    if (first == NULL) {
        return;
    }
    cg_kept kept;
    callgauge_str text = about(of, &kept);
    callgauge_str name = cg_str_z(first->name == NULL || strcmp(first->name, "-") == 0 ? "standard input"
                                                                                       : first->name);
    size_t room = options->width > COLUMN + LEAST_NAME ? options->width - COLUMN : LEAST_NAME;
    size_t width = cg_escape_width(text);
    bool fits = width + LEAST_NAME <= room || width + cg_escape_width(name) <= room;
    cg_write_styled(options, "2", cg_str_z(label), out);
    cg_out_blanks(out, COLUMN - strlen(label));
    write_name(name, fits ? room - width : room, out);
    if (!fits) {
        cg_out_char(out, '\n');
        cg_out_blanks(out, COLUMN);
        text = cg_str_starts(text, ": ") ? cg_str(text.ptr + 2, text.len - 2) : cg_str_trim(text);
        cg_text_prose(text, COLUMN, COLUMN, options->width, out);
    } else {
        cg_out_str(out, text);
    }
    cg_out_char(out, '\n');
}

void cg_text_sides(const callgauge_comparison *comparison, const callgauge_write_options *options, cg_out *out)
{
    side before, after;
    before.reports = callgauge_comparison_before(comparison, &before.count);
    after.reports = callgauge_comparison_after(comparison, &after.count);
    cg_out_char(out, '\n');
    if (callgauge_comparison_has_sides(comparison)) {
        write_side("before", before, options, out);
        write_side("after", after, options, out);
    } else {
        write_side("checked", after, options, out);
    }
}

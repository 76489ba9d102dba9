/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of a budget for people: the broken ones with the lines that show it, those that could not be judged, how many
 * are kept.
 * Invariant: everything that comes from a capture or a budget is made harmless. */
#include "write/compare_text.h"

#include <string.h>

#include "base/str.h"
#include "base/units.h"
#include "write/escape.h"
#include "write/kept.h"
#include "write/text.h"
#include "write/writers.h"

enum { INDENT = 4, MOST_EVIDENCE = 5, MOST_LINES = 3 };

const char *cg_severity_style(callgauge_severity severity)
{
    return severity == CALLGAUGE_SEVERITY_ERROR ? "31" : severity == CALLGAUGE_SEVERITY_WARNING ? "33" : "36";
}

static void write_headline(const callgauge_limit_result *limit, const callgauge_write_options *options, cg_out *out)
{
    cg_kept kept;
    callgauge_str severity = cg_str_z(callgauge_severity_text(limit->severity));
    cg_kept_begin(&kept);
    cg_write_limit_name(limit, cg_out_str, &kept.out);
    callgauge_str name = cg_kept_end(&kept);
    cg_write_styled(options, cg_severity_style(limit->severity), severity, out);
    cg_out_char(out, ' ');
    cg_out_z(out, options->color ? "\033[1m" : "");
    cg_escape_show(out, name);
    cg_out_z(out, options->color ? "\033[0m" : "");
    cg_out_z(out, ": ");
    size_t column = severity.len + cg_escape_width(name) + strlen(" : ");
    cg_text_prose(limit->message, column, INDENT, options->width, out);
    cg_out_char(out, '\n');
}

/* "budget.yaml:3" */
static void write_source(const callgauge_limit_result *limit, cg_out *out)
{
    if (limit->source.len > 0) {
        cg_out_blanks(out, INDENT);
        cg_escape_show(out, limit->source);
        if (limit->line > 0) {
            cg_out_char(out, ':');
            cg_out_u64(out, limit->line);
        }
        cg_out_char(out, '\n');
    }
}

/* "line 6" of the only capture, or "name:6". */
static callgauge_str place_of(const callgauge_report *report, const callgauge_evidence *line, cg_kept *kept)
{
    const callgauge_capture_row *row = callgauge_report_capture(report, line->place.capture);
    bool named = row != NULL && callgauge_report_capture_count(report) > 1;
    cg_kept_begin(kept);
    cg_out_z(&kept->out, named ? row->capture.name : "line ");
    cg_out_z(&kept->out, named ? ":" : "");
    cg_out_u64(&kept->out, line->place.line);
    return cg_kept_end(kept);
}

/* Columns of tracers are told by tabs: a blank shows as much. */
static callgauge_str without_tabs(callgauge_str text, char *to)
{
    size_t len = 0;
    for (size_t i = 0; i < text.len && len < CG_KEPT_ROOM; i++) {
        bool again = cg_is_blank(text.ptr[i]) && len > 0 && to[len - 1] == ' ';
        if (!again) {
            to[len++] = cg_is_blank(text.ptr[i]) ? ' ' : text.ptr[i];
        }
    }
    return cg_str(to, len);
}

static void write_evidence(const callgauge_report *report, const callgauge_limit_result *limit,
                           const callgauge_write_options *options, cg_out *out)
{
    for (size_t i = 0; i < limit->evidence_count && i < MOST_EVIDENCE; i++) {
        cg_kept kept;
        char shown[CG_KEPT_ROOM];
        callgauge_str place = place_of(report, &limit->evidence[i], &kept);
        size_t width = cg_escape_width(place), column = INDENT + width + 2;
        cg_out_blanks(out, INDENT);
        cg_escape_show(out, place);
        cg_out_z(out, "  ");
        if (column > options->width / 2) {
            cg_out_char(out, '\n');
            column = INDENT * 2;
            cg_out_blanks(out, column);
        }
        const cg_text_room room = {
            .column = column, .indent = INDENT * 2, .width = options->width, .lines = MOST_LINES, .at_end = false
        };
        cg_text_lines(without_tabs(limit->evidence[i].text, shown), &room, out);
        cg_out_char(out, '\n');
    }
    if (limit->evidence_count > MOST_EVIDENCE) {
        cg_out_z(out, "    ... and ");
        cg_text_count(limit->evidence_count - MOST_EVIDENCE, "more line", "more lines", out);
        cg_out_char(out, '\n');
    }
}

static void write_diff(const callgauge_limit_result *limit, const callgauge_write_options *options, cg_out *out)
{
    callgauge_str rest = limit->diff;
    while (rest.len > 0) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        callgauge_str line = cg_str(rest.ptr, end == NULL ? rest.len : (size_t)(end - rest.ptr));
        const char *style = cg_str_starts(line, "-") ? "31" : cg_str_starts(line, "+") ? "32" : NULL;
        bool styled = options->color && style != NULL;
        cg_out_blanks(out, INDENT);
        cg_out_z(out, styled ? "\033[" : "");
        cg_out_z(out, styled ? style : "");
        cg_out_z(out, styled ? "m" : "");
        cg_escape_show(out, line);
        cg_out_z(out, styled ? "\033[0m\n" : "\n");
        size_t used = line.len + (end != NULL);
        rest = cg_str(rest.ptr + used, rest.len - used);
    }
}

static void write_limits_of(const callgauge_comparison *comparison, callgauge_limit_state state, size_t most,
                            const callgauge_write_options *options, cg_out *out)
{
    size_t reports, written = 0, count = cg_limits_of(comparison, state);
    const callgauge_report *const *after = callgauge_comparison_after(comparison, &reports);
    for (size_t i = 0; i < callgauge_comparison_limit_count(comparison) && written < most; i++) {
        const callgauge_limit_result *limit = callgauge_comparison_limit(comparison, i);
        if (limit->state != state) {
            continue;
        }
        written++;
        write_headline(limit, options, out);
        write_source(limit, out);
        if (reports > 0) {
            write_evidence(after[0], limit, options, out);
        }
        write_diff(limit, options, out);
    }
    if (written < count) {
        cg_out_z(out, "... and ");
        cg_text_count(count - written, "more", "more", out);
        cg_out_char(out, '\n');
    }
}

void cg_text_limits(const callgauge_comparison *comparison, const callgauge_write_options *options, cg_out *out)
{
    size_t most = options->limit == 0 ? SIZE_MAX : options->limit;
    size_t kept = cg_limits_of(comparison, CALLGAUGE_LIMIT_KEPT);
    if (cg_limits_of(comparison, CALLGAUGE_LIMIT_BROKEN) > 0) {
        cg_text_title("broken limits", options, out);
        write_limits_of(comparison, CALLGAUGE_LIMIT_BROKEN, most, options, out);
    }
    if (cg_limits_of(comparison, CALLGAUGE_LIMIT_NOT_JUDGED) > 0) {
        cg_text_title("limits that could not be judged", options, out);
        write_limits_of(comparison, CALLGAUGE_LIMIT_NOT_JUDGED, most, options, out);
    }
    if (kept > 0) {
        cg_out_char(out, '\n');
        cg_text_count(kept, "limit kept", "limits kept", out);
        cg_out_char(out, '\n');
    }
}

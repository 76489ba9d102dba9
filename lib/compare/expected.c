/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the rows of an expectation, in the order of the report, and says the first fault that it meets: a marker that
 * never came, other calls, an end that never came, another number of times. A server's last request that the capture's
 * end cut off is no fault as far as it went, when a whole one came before.
 * Invariant: what was not recorded to its end is never counted as kept; when it is let pass, that is said. */
#include "compare/expected.h"

#include <inttypes.h>
#include <math.h>

#include "base/str.h"

enum { MOST_MESSAGE = 1024, MOST_EVIDENCE = 5 };

/* All that is known of one expectation. */
typedef struct judging {
    const cg_expectation *of;
    const callgauge_report *report;
    cg_arena *arena;
    callgauge_limit_result *out;
    cg_text_lines expected;
    const callgauge_recorded_row *cut, *open; /* the first of such rows; NULL: none */
    uint64_t others;                          /* rows that are other sequences */
    uint64_t cut_off;                         /* sequences that are let pass as far as they went */
} judging;

/* --- lines */

static bool replace(callgauge_str line, const char *what, const char *by, cg_buf *to)
{
    while (line.len > 0) {
        size_t at = cg_str_find(line, what);
        size_t skip = at == line.len ? at : at + strlen(what);
        if (!cg_buf_add(to, line.ptr, at) || (at < line.len && !cg_buf_add_z(to, by))) {
            return false;
        }
        line = cg_str(line.ptr + skip, line.len - skip);
    }
    return true;
}

/* A line in the one form that all are compared in. */
static bool settle(callgauge_str line, cg_arena *arena, callgauge_str *out)
{
    static const char *const forms[][2] = { { "\"...\"", "\"\xe2\x80\xa6\"" }, { "{\xe2\x80\xa6}", "{...}" } };
    *out = line;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (cg_str_find(*out, forms[i][0]) == out->len) {
            continue;
        }
        cg_buf text;
        cg_buf_init(&text, SIZE_MAX);
        bool good = replace(*out, forms[i][0], forms[i][1], &text) && cg_arena_str(arena, cg_buf_str(&text), out);
        cg_buf_release(&text);
        if (!good) {
            return false;
        }
    }
    return true;
}

static callgauge_str without_blanks(callgauge_str line)
{
    while (line.len > 0 && (cg_is_blank(line.ptr[line.len - 1]) || line.ptr[line.len - 1] == '\r')) {
        line.len--;
    }
    return cg_str_trim(line);
}

bool cg_expected_lines(callgauge_str calls, cg_arena *arena, cg_text_lines *out)
{
    size_t most = 1;
    for (size_t i = 0; i < calls.len; i++) {
        most += calls.ptr[i] == '\n';
    }
    callgauge_str *lines = cg_arena_alloc(arena, most * sizeof *lines);
    *out = (cg_text_lines){ lines, 0 };
    while (lines != NULL && calls.len > 0) {
        size_t end = cg_str_find(calls, "\n");
        callgauge_str line = without_blanks(cg_str(calls.ptr, end));
        if (line.len > 0 && !settle(line, arena, &lines[out->count++])) {
            return false;
        }
        end += end < calls.len;
        calls = cg_str(calls.ptr + end, calls.len - end);
    }
    return lines != NULL;
}

bool cg_recorded_lines(const callgauge_recorded_row *row, cg_arena *arena, cg_text_lines *out)
{
    callgauge_str *lines = cg_arena_alloc(arena, row->call_count * sizeof *lines);
    *out = (cg_text_lines){ lines, row->call_count };
    for (size_t i = 0; lines != NULL && i < row->call_count; i++) {
        if (!settle(without_blanks(row->calls[i].text), arena, &lines[i])) {
            return false;
        }
    }
    return lines != NULL;
}

bool cg_lines_equal(cg_text_lines a, cg_text_lines b)
{
    if (a.count != b.count) {
        return false;
    }
    for (size_t i = 0; i < a.count; i++) {
        if (!cg_str_eq(a.items[i], b.items[i])) {
            return false;
        }
    }
    return true;
}

static bool begins_with(cg_text_lines all, cg_text_lines some)
{
    all.count = all.count < some.count ? all.count : some.count;
    return cg_lines_equal(all, some);
}

bool cg_is_cut_off(const callgauge_report *report, const callgauge_recorded_row *row, cg_text_lines expected,
                   cg_arena *arena, bool *nomem)
{
    cg_text_lines seen;
    if (!row->unfinished || row->cut) {
        return false;
    }
    *nomem = !cg_recorded_lines(row, arena, &seen);
    if (*nomem || !begins_with(expected, seen)) {
        return false;
    }
    for (size_t i = 0; !*nomem && i < callgauge_report_recorded_count(report); i++) {
        const callgauge_recorded_row *other = callgauge_report_recorded(report, i);
        if (other->ended && !other->cut && other->times > 0 && other->capture == row->capture &&
            cg_str_eq(other->name, row->name)) {
            *nomem = !cg_recorded_lines(other, arena, &seen);
            if (!*nomem && cg_lines_equal(seen, expected)) {
                return true;
            }
        }
    }
    return false;
}

/* --- what is said */

/* Ends a judgement; `good`: whether its message could be written. */
static bool conclude(judging *j, callgauge_limit_state state, bool good, cg_buf *message)
{
    j->out->state = state;
    good = good && cg_arena_str(j->arena, cg_buf_str(message), &j->out->message);
    cg_buf_release(message);
    return good;
}

static bool conclude_text(judging *j, callgauge_limit_state state, const char *text)
{
    j->out->state = state;
    j->out->message = cg_str_z(text);
    return true;
}

/* " in trace.txt", where the report is of several captures. */
static bool add_capture(const judging *j, size_t capture, cg_buf *to)
{
    const callgauge_capture_row *row = callgauge_report_capture(j->report, capture);
    if (callgauge_report_capture_count(j->report) < 2 || row == NULL || row->capture.name == NULL) {
        return true;
    }
    return cg_buf_add_z(to, " in ") && cg_buf_add_z(to, row->capture.name);
}

static bool set_evidence(judging *j, callgauge_place place, callgauge_str text)
{
    callgauge_evidence *rows = cg_arena_alloc(j->arena, sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    *rows = (callgauge_evidence){ place, text };
    j->out->evidence = rows;
    j->out->evidence_count = 1;
    return true;
}

/* Where the sequence begins, for faults of the whole of it. */
static bool show_begin(judging *j, const callgauge_recorded_row *row)
{
    callgauge_str text = row->call_count > 0 ? row->calls[0].text : cg_str(NULL, 0);
    return set_evidence(j, row->begin, text);
}

/* --- faults */

static bool never_came(judging *j, size_t capture)
{
    cg_buf message;
    cg_buf_init(&message, SIZE_MAX);
    bool good = cg_buf_add_z(&message, "the first marker never came") && add_capture(j, capture, &message);
    return conclude(j, CALLGAUGE_LIMIT_BROKEN, good, &message);
}

static bool add_difference(const judging *j, const callgauge_recorded_row *row, const cg_diff *diff, cg_buf *to)
{
    bool good = true;
    if (diff->removed > 0) {
        good = cg_buf_printf(to, "%zu of %zu expected calls did not come", diff->removed, j->expected.count);
    }
    if (good && diff->added > 0) {
        good = cg_buf_printf(to, "%s%zu other %s", diff->removed > 0 ? ", " : "", diff->added,
                             diff->added == 1 ? "call came" : "calls came");
    }
    good = good && (row->ended || cg_buf_add_z(to, ", and the second marker never did"));
    good = good && (j->others < 2 || cg_buf_printf(to, "; the first of %" PRIu64 " sequences that differ", j->others));
    return good && add_capture(j, row->capture, to);
}

/* The first call that is another one, or the last one where calls are missing at the end. */
static bool show_difference(judging *j, const callgauge_recorded_row *row, const cg_diff *diff)
{
    if (row->call_count == 0) {
        return show_begin(j, row);
    }
    size_t at = diff->first < row->call_count ? diff->first : row->call_count - 1;
    return set_evidence(j, row->calls[at].place, row->calls[at].text);
}

static bool differs(judging *j, const callgauge_recorded_row *row, cg_text_lines seen)
{
    cg_buf text, message;
    cg_diff diff;
    cg_buf_init(&text, SIZE_MAX);
    cg_buf_init(&message, SIZE_MAX);
    bool good = cg_diff_lines(&text, j->expected, seen, &diff) &&
                cg_arena_str(j->arena, cg_buf_str(&text), &j->out->diff) && show_difference(j, row, &diff) &&
                add_difference(j, row, &diff, &message);
    cg_buf_release(&text);
    return conclude(j, CALLGAUGE_LIMIT_BROKEN, good, &message);
}

static bool never_ended(judging *j)
{
    cg_buf message;
    cg_buf_init(&message, SIZE_MAX);
    bool good = cg_buf_add_z(&message, "the second marker never came") && add_capture(j, j->open->capture, &message) &&
                show_begin(j, j->open);
    return conclude(j, CALLGAUGE_LIMIT_BROKEN, good, &message);
}

/* ", and 1 that the end of the capture cut off" */
static bool add_cut_off(const judging *j, cg_buf *to)
{
    return j->cut_off == 0 || cg_buf_printf(to, ", and %" PRIu64 " that the end of the capture cut off", j->cut_off);
}

static bool wrong_times(judging *j, const callgauge_recorded_row *row, uint64_t times)
{
    cg_buf message;
    cg_buf_init(&message, SIZE_MAX);
    bool good = cg_buf_printf(&message, "came %" PRIu64 " %s", times, times == 1 ? "time" : "times") &&
                add_capture(j, row->capture, &message) && add_cut_off(j, &message) &&
                cg_buf_printf(&message, ", %" PRIu64 " %s expected", j->of->times, j->of->times == 1 ? "is" : "are") &&
                show_begin(j, row);
    j->out->value = (double)times;
    return conclude(j, CALLGAUGE_LIMIT_BROKEN, good, &message);
}

/* --- what could not be seen */

static bool not_recorded(judging *j, size_t capture)
{
    cg_buf message;
    cg_buf_init(&message, SIZE_MAX);
    bool good = cg_buf_add_z(&message, "nothing was recorded") && add_capture(j, capture, &message) &&
                cg_buf_add_z(&message,
                             ": the report was not made with this budget, or the capture does not have what the "
                             "markers ask for");
    return conclude(j, CALLGAUGE_LIMIT_NOT_JUDGED, good, &message);
}

static bool no_calls_yet(judging *j)
{
    return conclude_text(j, CALLGAUGE_LIMIT_NOT_JUDGED,
                         "the budget has no calls for it yet: --update writes those that came");
}

/* --- judging */

static bool is_mine(const judging *j, const callgauge_recorded_row *row)
{
    return cg_str_eq(row->name, j->of->name);
}

/* How often the sequence began in a capture, and was not cut off by its end if only `whole` ones count; `first`: its
 * first row, NULL: it has none. */
static uint64_t times_in(const judging *j, size_t capture, bool whole, const callgauge_recorded_row **first)
{
    uint64_t times = 0;
    *first = NULL;
    for (size_t i = 0; i < callgauge_report_recorded_count(j->report); i++) {
        const callgauge_recorded_row *row = callgauge_report_recorded(j->report, i);
        if (is_mine(j, row) && row->capture == capture) {
            times += whole && row->unfinished ? 0 : row->times;
            *first = *first == NULL ? row : *first;
        }
    }
    return times;
}

/* Looks for a capture that was not recorded, or in which the first marker never came. */
static bool judge_captures(judging *j, bool *done)
{
    size_t count = callgauge_report_capture_count(j->report);
    *done = true;
    for (size_t i = 0; i < count; i++) {
        const callgauge_recorded_row *first;
        uint64_t times = times_in(j, i, false, &first);
        if (first == NULL) {
            return not_recorded(j, i);
        }
        if (times == 0 && !first->cut) {
            return never_came(j, i);
        }
    }
    *done = count == 0;
    return count > 0 || not_recorded(j, 0);
}

/* Holds each sequence against the expected one; of those that are others the first one is told. A sequence that was cut
 * is another one when it is longer already. */
static bool judge_lines(judging *j, bool *done)
{
    const callgauge_recorded_row *other = NULL;
    cg_text_lines lines = { NULL, 0 };
    for (size_t i = 0; i < callgauge_report_recorded_count(j->report); i++) {
        const callgauge_recorded_row *row = callgauge_report_recorded(j->report, i);
        cg_text_lines seen;
        if (!is_mine(j, row)) {
            continue;
        }
        if (!cg_recorded_lines(row, j->arena, &seen)) {
            return false;
        }
        bool nomem = false;
        if (cg_is_cut_off(j->report, row, j->expected, j->arena, &nomem)) {
            j->cut_off += row->times;
            continue;
        }
        if (nomem) {
            return false;
        }
        bool is_other = row->times > 0 && !cg_lines_equal(seen, j->expected) &&
                        (!row->cut || seen.count > j->expected.count);
        lines = is_other && other == NULL ? seen : lines;
        other = is_other && other == NULL ? row : other;
        j->others += is_other;
        j->cut = row->cut && j->cut == NULL ? row : j->cut;
        j->open = !row->ended && row->times > 0 && j->open == NULL ? row : j->open;
    }
    *done = other != NULL;
    return other == NULL || differs(j, other, lines);
}

static bool judge_times(judging *j)
{
    uint64_t most = 0;
    for (size_t i = 0; i < callgauge_report_capture_count(j->report); i++) {
        const callgauge_recorded_row *first;
        uint64_t times = times_in(j, i, true, &first);
        if (j->of->times > 0 && times != j->of->times) {
            return wrong_times(j, first, times);
        }
        most = times > most ? times : most;
    }
    cg_buf message;
    cg_buf_init(&message, SIZE_MAX);
    j->out->value = (double)most;
    bool good = cg_buf_printf(&message, "%zu %s, as expected; %" PRIu64 " %s", j->expected.count,
                              j->expected.count == 1 ? "call" : "calls", most, most == 1 ? "time" : "times") &&
                add_cut_off(j, &message);
    return conclude(j, CALLGAUGE_LIMIT_KEPT, good, &message);
}

/* A line that could not be read may be a call between the markers. */
static bool doubt_lines(judging *j)
{
    for (size_t i = 0; i < callgauge_report_capture_count(j->report); i++) {
        if (callgauge_report_capture(j->report, i)->capture.unread_lines > 0) {
            return conclude_text(j, CALLGAUGE_LIMIT_NOT_JUDGED,
                                 "the calls came as expected, but lines could not be read: they may hide others");
        }
    }
    return true;
}

bool cg_check_expected(const cg_expectation *of, const callgauge_report *report, cg_arena *arena,
                       callgauge_limit_result *out, uint64_t *cut_off)
{
    judging j = { .of = of, .report = report, .arena = arena, .out = out };
    *out = (callgauge_limit_result){ .limit = of->name,
                                     .severity = of->severity,
                                     .quantity = CALLGAUGE_QUANTITY_COUNT,
                                     .value = (double)NAN,
                                     .allowed = of->times > 0 ? (double)of->times : (double)NAN,
                                     .source = cg_str_z(of->place.name == NULL ? "" : of->place.name),
                                     .line = of->place.line,
                                     .column = of->place.column };
    bool done = false;
    *cut_off = 0;
    if (!cg_expected_lines(of->calls, arena, &j.expected) || !judge_captures(&j, &done)) {
        return false;
    }
    if (done) {
        return true;
    }
    if (!of->has_calls) {
        return no_calls_yet(&j);
    }
    bool good = judge_lines(&j, &done);
    if (!good || done) {
        return good;
    }
    if (j.cut != NULL) {
        return conclude_text(&j, CALLGAUGE_LIMIT_NOT_JUDGED, "more calls or sequences came than are kept");
    }
    if (j.open != NULL) {
        return never_ended(&j);
    }
    good = judge_times(&j) && (out->state != CALLGAUGE_LIMIT_KEPT || doubt_lines(&j));
    *cut_off = out->state == CALLGAUGE_LIMIT_KEPT ? j.cut_off : 0;
    return good;
}

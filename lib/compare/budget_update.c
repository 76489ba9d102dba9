/* SPDX-License-Identifier: Apache-2.0 */
/* A budget with the sequences that a report recorded: a few lines of its text are replaced, all others stay byte for
 * byte. Sequences are written as block scalars, which need no quotes.
 * Invariant: what is given out was loaded again, and reads as what was recorded. */
#include <inttypes.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"
#include "compare/expected.h"

/* Bytes of the text that others take the place of. */
typedef struct edit {
    size_t from, end;
    callgauge_str by;
} edit;

enum { STEP = 2 }; /* blanks by which calls are indented behind their key where they are new */

typedef struct updating {
    const callgauge_budget *budget;
    const callgauge_report *report;
    const callgauge_recorded_row **rows; /* for each expectation what is written; NULL: nothing */
    edit *edits;                         /* in the order of the text */
    size_t edit_count;
    cg_arena arena;
    callgauge_error *err;
} updating;

static callgauge_status refuse(const updating *u, const cg_expectation *of, const char *why)
{
    return cg_fail(u->err, CALLGAUGE_E_USAGE, of->place, "%.*s: %s", (int)of->name.len, of->name.ptr, why);
}

/* --- what is written */

static callgauge_status take_row(updating *u, const cg_expectation *of, const callgauge_recorded_row *row,
                                 const callgauge_recorded_row **taken)
{
    cg_text_lines a, b;
    if (row->cut) {
        return refuse(u, of, "more calls or sequences came than are kept");
    }
    if (!row->ended) {
        return refuse(u, of, "the second marker never came");
    }
    if (*taken == NULL) {
        *taken = row;
        return CALLGAUGE_OK;
    }
    if (!cg_recorded_lines(*taken, &u->arena, &a) || !cg_recorded_lines(row, &u->arena, &b)) {
        return cg_fail_nomem(u->err);
    }
    return cg_lines_equal(a, b) ? CALLGAUGE_OK
                                : refuse(u, of, "sequences came that differ: which one is to be written?");
}

/* What the capture's end cut off is not written, when whole ones of the same came. */
static callgauge_status take_unfinished(updating *u, const cg_expectation *of, const callgauge_recorded_row *row,
                                        const callgauge_recorded_row **taken)
{
    cg_text_lines whole;
    bool nomem = *taken != NULL && !cg_recorded_lines(*taken, &u->arena, &whole);
    if (!nomem && *taken != NULL && cg_is_cut_off(u->report, row, whole, &u->arena, &nomem)) {
        return CALLGAUGE_OK;
    }
    return nomem ? cg_fail_nomem(u->err) : take_row(u, of, row, taken);
}

/* The one sequence that all rows of an expectation are; whole ones are taken first. */
static callgauge_status choose(updating *u, size_t index)
{
    const cg_expectation *of = &u->budget->expectations[index];
    callgauge_status status = CALLGAUGE_OK;
    size_t count = callgauge_report_recorded_count(u->report);
    for (size_t i = 0; status == CALLGAUGE_OK && i < 2 * count; i++) {
        const callgauge_recorded_row *row = callgauge_report_recorded(u->report, i % count);
        bool late = i >= count;
        if (row->times > 0 && row->unfinished == late && cg_str_eq(row->name, of->name)) {
            status = late ? take_unfinished(u, of, row, &u->rows[index]) : take_row(u, of, row, &u->rows[index]);
        }
    }
    return status;
}

/* --- edits */

static bool add_edit(updating *u, const cg_expectation *of, const cg_buf *by)
{
    edit made = { of->calls_at, of->calls_end, { NULL, 0 } };
    size_t at = u->edit_count++;
    for (; at > 0 && u->edits[at - 1].from > made.from; at--) {
        u->edits[at] = u->edits[at - 1];
    }
    bool good = cg_arena_str(&u->arena, cg_buf_str(by), &made.by);
    u->edits[at] = made;
    return good;
}

static bool add_blanks(cg_buf *to, uint64_t count)
{
    bool good = true;
    for (uint64_t i = 0; good && i < count; i++) {
        good = cg_buf_add_char(to, ' ');
    }
    return good;
}

/* Each on a line of its own, behind the line that says what they are. */
static bool add_lines(cg_buf *to, const callgauge_recorded_row *row, uint64_t indent)
{
    bool good = true;
    for (size_t i = 0; good && i < row->call_count; i++) {
        good = cg_buf_add_char(to, '\n') && add_blanks(to, indent) && cg_buf_add_str(to, row->calls[i].text);
    }
    return good;
}

/* The rest of the line that a value begins, or ends, on: what there is of it behind ` #`. */
static callgauge_str comment_of(callgauge_str line)
{
    size_t at = cg_str_find(line, " #");
    return cg_str(line.ptr + at, line.len - at);
}

/* The line on which a value has its comment: the first one of a block, whose others are text; else the last one. */
static callgauge_str commented_line(callgauge_str value)
{
    bool is_block = value.len > 0 && (value.ptr[0] == '|' || value.ptr[0] == '>');
    size_t at = is_block ? cg_str_find(value, "\n") : cg_str_find_last(value, "\n");
    if (is_block) {
        return cg_str(value.ptr, at);
    }
    at = at == value.len ? 0 : at + 1;
    return cg_str(value.ptr + at, value.len - at);
}

/* What stands for the calls: a block, or, as a block cannot be empty, nothing in quotes. */
static bool replace_calls(updating *u, const cg_expectation *of, const callgauge_recorded_row *row)
{
    callgauge_str text = u->budget->text;
    callgauge_str value = cg_str(text.ptr + of->calls_at, of->calls_end - of->calls_at);
    bool is_new = of->calls_place.line == 0;
    bool touches = !is_new && of->calls_at > 0 && text.ptr[of->calls_at - 1] == ':';
    const char *begin = row->call_count == 0 ? "\"\"" : "|";
    cg_buf by;
    cg_buf_init(&by, SIZE_MAX);
    bool good = is_new
                    ? cg_buf_add_char(&by, '\n') && add_blanks(&by, of->indent - STEP) && cg_buf_add_z(&by, "calls: ")
                    : !touches || cg_buf_add_char(&by, ' ');
    good = good && cg_buf_add_z(&by, begin) && cg_buf_add_str(&by, comment_of(commented_line(value))) &&
           add_lines(&by, row, of->indent) && add_edit(u, of, &by);
    cg_buf_release(&by);
    return good;
}

/* Whether the budget says already what was recorded. */
static bool is_written(updating *u, const cg_expectation *of, const callgauge_recorded_row *row, bool *written)
{
    cg_text_lines expected, seen;
    bool good = cg_expected_lines(of->calls, &u->arena, &expected) && cg_recorded_lines(row, &u->arena, &seen);
    *written = good && of->has_calls && cg_lines_equal(expected, seen);
    return good;
}

static bool make_edits(updating *u)
{
    bool good = true;
    for (size_t i = 0; good && i < u->budget->expectation_count; i++) {
        const cg_expectation *of = &u->budget->expectations[i];
        const callgauge_recorded_row *row = u->rows[i];
        bool written = true;
        good = row == NULL || is_written(u, of, row, &written);
        if (good && !written) {
            good = replace_calls(u, of, row);
        }
    }
    return good;
}

static bool apply(const updating *u, cg_buf *to)
{
    callgauge_str text = u->budget->text;
    size_t at = 0;
    bool good = true;
    for (size_t i = 0; good && i < u->edit_count; i++) {
        const edit *e = &u->edits[i];
        good = cg_buf_add(to, text.ptr + at, e->from - at) && cg_buf_add_str(to, e->by);
        at = e->end;
    }
    return good && cg_buf_add(to, text.ptr + at, text.len - at);
}

/* --- all of it */

/* Whether the new budget expects what was recorded. */
static callgauge_status prove(updating *u, const callgauge_budget *made)
{
    for (size_t i = 0; i < u->budget->expectation_count; i++) {
        bool written = made->expectation_count == u->budget->expectation_count;
        if (u->rows[i] == NULL) {
            continue;
        }
        if (written && !is_written(u, &made->expectations[i], u->rows[i], &written)) {
            return cg_fail_nomem(u->err);
        }
        if (!written) {
            return refuse(u, &u->budget->expectations[i],
                          "its calls cannot be written there: give `calls: |` a line of its own");
        }
    }
    return CALLGAUGE_OK;
}

static callgauge_status load(updating *u, callgauge_str text, callgauge_budget **out)
{
    callgauge_error fault = CALLGAUGE_ERROR_INIT;
    callgauge_status status = callgauge_budget_load(u->budget->name.ptr, text.ptr, text.len, NULL, NULL, out, &fault);
    if (status == CALLGAUGE_E_NOMEM) {
        return cg_fail_nomem(u->err);
    }
    if (status != CALLGAUGE_OK) {
        const cg_place place = { u->budget->name.ptr, fault.line, fault.column, fault.offset };
        return cg_fail(u->err, CALLGAUGE_E_USAGE, place, "the sequences cannot be written into the budget: %s",
                       fault.message);
    }
    status = prove(u, *out);
    if (status != CALLGAUGE_OK) {
        callgauge_budget_free(*out);
    }
    return status;
}

static callgauge_status write_anew(updating *u, callgauge_budget **out)
{
    cg_buf text;
    cg_buf_init(&text, SIZE_MAX);
    bool good = make_edits(u) && apply(u, &text);
    callgauge_status status = good ? load(u, cg_buf_str(&text), out) : cg_fail_nomem(u->err);
    cg_buf_release(&text);
    return status;
}

static callgauge_status choose_all(updating *u)
{
    bool any = false;
    for (size_t i = 0; i < u->budget->expectation_count; i++) {
        callgauge_status status = choose(u, i);
        if (status != CALLGAUGE_OK) {
            return status;
        }
        any |= u->rows[i] != NULL;
    }
    const cg_place place = { .name = u->budget->name.ptr };
    return any ? CALLGAUGE_OK
               : cg_fail(u->err, CALLGAUGE_E_USAGE, place, "the report has no sequence of this budget to be written");
}

callgauge_status callgauge_budget_update(const callgauge_budget *budget, const callgauge_report *report,
                                         callgauge_str *text, callgauge_budget **updated, callgauge_error *err)
{
    updating u = { .budget = budget, .report = report, .err = err };
    callgauge_budget *made = NULL;
    size_t count = budget->expectation_count;
    u.rows = cg_arena_alloc(&u.arena, count * sizeof *u.rows);
    u.edits = cg_arena_alloc(&u.arena, count * sizeof *u.edits);
    callgauge_status status = u.rows == NULL || u.edits == NULL ? cg_fail_nomem(err) : choose_all(&u);
    if (status == CALLGAUGE_OK) {
        status = write_anew(&u, &made);
    }
    cg_arena_release(&u.arena);
    if (status == CALLGAUGE_OK) {
        *text = made->text;
        *updated = made;
    }
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The rules that could not be judged, for people: a few groups by what a capture would have to show, and for each the
 * command that tells most. JSON has a command for each rule.
 * Invariant: a rule is named once in a group, however many captures could not tell. */
#include "write/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "report/report.h"
#include "write/escape.h"
#include "write/schema.h"

/* What traces show beside calls: every trace; one of all processes; one with times. */
typedef enum want { WANT_TRACE, WANT_PIDS, WANT_TIMES, WANTS } want;

enum { INDENT = 4 };

static want want_of(uint32_t missing)
{
    const uint32_t times = CALLGAUGE_TRAIT_TIMESTAMPS | CALLGAUGE_TRAIT_WALL_DURATIONS | CALLGAUGE_TRAIT_CPU_DURATIONS;
    const uint32_t pids = CALLGAUGE_TRAIT_PIDS | CALLGAUGE_TRAIT_THREADS;
    return (missing & times) != 0 ? WANT_TIMES : (missing & pids) != 0 ? WANT_PIDS : WANT_TRACE;
}

/* A command of a group, and how much it would tell: failing calls that it names, rules that propose it, calls. */
typedef struct proposal {
    callgauge_str command;
    uint64_t errors, rules, calls;
} proposal;

/* The names of the calls that a command traces: behind "-t " or "trace=". Empty: it traces all. */
static callgauge_str traced_by(callgauge_str command)
{
    static const char *const options[] = { " -t ", "trace=" };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        size_t at = cg_str_find(command, options[i]);
        if (at < command.len) {
            at += strlen(options[i]);
            callgauge_str rest = cg_str(command.ptr + at, command.len - at);
            return cg_str(rest.ptr, cg_str_find(rest, " "));
        }
    }
    return cg_str(NULL, 0);
}

static void weigh(const callgauge_report *report, proposal *row)
{
    callgauge_str left = traced_by(row->command);
    while (left.len > 0) {
        size_t end = cg_str_find(left, ",");
        callgauge_str name = cg_str(left.ptr, end);
        for (size_t i = 0; i < callgauge_report_call_count(report); i++) {
            const callgauge_call_row *call = callgauge_report_call(report, i);
            if (cg_str_eq(call->name, name)) {
                row->errors = cg_count_add(row->errors, call->errors);
                row->calls = cg_count_add(row->calls, call->calls);
            }
        }
        end += end < left.len;
        left = cg_str(left.ptr + end, left.len - end);
    }
}

static bool tells_more(const proposal *a, const proposal *b)
{
    if (a->errors != b->errors) {
        return a->errors > b->errors;
    }
    if (a->rules != b->rules) {
        return a->rules > b->rules;
    }
    return a->calls != b->calls ? a->calls > b->calls : cg_str_cmp(a->command, b->command) < 0;
}

static int by_command(const void *a, const void *b)
{
    const callgauge_not_judged_row *x = *(const callgauge_not_judged_row *const *)a;
    const callgauge_not_judged_row *y = *(const callgauge_not_judged_row *const *)b;
    int c = cg_str_cmp(x->next_capture, y->next_capture);
    return c != 0 ? c : cg_str_cmp(x->rule, y->rule);
}

static int by_rule(const void *a, const void *b)
{
    const callgauge_not_judged_row *x = *(const callgauge_not_judged_row *const *)a;
    const callgauge_not_judged_row *y = *(const callgauge_not_judged_row *const *)b;
    int c = cg_str_cmp(x->rule, y->rule);
    return c != 0 ? c : cg_str_cmp(x->next_capture, y->next_capture);
}

/* The command that tells most of rows of a group, which it leaves in the order of their commands; how many there
 * are. */
static size_t best_of(const callgauge_report *report, const callgauge_not_judged_row **rows, size_t count,
                      proposal *best)
{
    size_t commands = 0;
    *best = (proposal){ .errors = 0 };
    qsort(rows, count, sizeof *rows, by_command);
    for (size_t i = 0, same; i < count; i += same) {
        proposal now = { .command = rows[i]->next_capture };
        for (same = 1; i + same < count && cg_str_eq(rows[i + same]->next_capture, now.command);) {
            same++;
        }
        if (now.command.len == 0) {
            continue;
        }
        now.rules = same;
        weigh(report, &now);
        if (commands++ == 0 || tells_more(&now, best)) {
            *best = now;
        }
    }
    return commands;
}

static size_t count_rules(const callgauge_not_judged_row *const *rows, size_t count)
{
    size_t rules = 0;
    for (size_t i = 0; i < count; i++) {
        rules += i == 0 || !cg_str_eq(rows[i]->rule, rows[i - 1]->rule);
    }
    return rules;
}

static void write_missing(uint32_t missing, cg_out *out)
{
    bool more = false;
    for (size_t i = 0; i < CG_TRAITS; i++) {
        if ((missing >> i & 1) != 0) {
            cg_out_z(out, more ? ", " : "");
            cg_out_z(out, cg_trait_names[i]);
            more = true;
        }
    }
}

static void write_rules(const callgauge_not_judged_row *const *rows, size_t count, size_t width, cg_out *out)
{
    size_t column = INDENT;
    cg_out_blanks(out, INDENT);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && cg_str_eq(rows[i]->rule, rows[i - 1]->rule)) {
            continue;
        }
        size_t wide = cg_escape_width(rows[i]->rule);
        if (column > INDENT && column + 1 + wide > width) {
            cg_out_char(out, '\n');
            cg_out_blanks(out, INDENT);
            column = INDENT;
        } else if (column > INDENT) {
            cg_out_char(out, ' ');
            column++;
        }
        cg_escape_show(out, rows[i]->rule);
        column += wide;
    }
    cg_out_char(out, '\n');
}

/* One group; gives how many commands its rules propose. What was said to be missing before is not said again. */
static size_t write_group(const callgauge_report *report, const callgauge_not_judged_row **rows, size_t count,
                          uint32_t *named, size_t width, cg_out *out)
{
    uint32_t missing = 0;
    proposal best;
    size_t commands = best_of(report, rows, count, &best);
    qsort(rows, count, sizeof *rows, by_rule);
    for (size_t i = 0; i < count; i++) {
        missing |= rows[i]->missing;
    }
    cg_out_char(out, '\n');
    cg_text_count(count_rules(rows, count), "rule cannot be judged without ", "rules cannot be judged without ", out);
    write_missing((missing & ~*named) != 0 ? missing & ~*named : missing, out);
    *named |= missing;
    cg_out_z(out, ":\n");
    write_rules(rows, count, width, out);
    if (commands > 0) {
        cg_out_z(out, commands == 1 ? "  this would tell: " : "  try first: ");
        cg_escape_show(out, best.command);
        cg_out_char(out, '\n');
    }
    return commands;
}

bool cg_text_not_judged(const callgauge_report *report, size_t width, cg_out *out)
{
    size_t count = callgauge_report_not_judged_count(report);
    const callgauge_not_judged_row **rows = cg_mem_zeroed(count + 1, sizeof *rows);
    bool has_more = false;
    uint32_t named = 0;
    for (int of = WANT_TRACE; rows != NULL && of < WANTS; of++) {
        size_t used = 0;
        for (size_t i = 0; i < count; i++) {
            const callgauge_not_judged_row *row = callgauge_report_not_judged(report, i);
            if (want_of(row->missing) == (want)of) {
                rows[used++] = row;
            }
        }
        if (used > 0) {
            has_more |= write_group(report, rows, used, &named, width, out) > 1;
        }
    }
    cg_out_z(out, has_more ? "\n(--format json has a command for each rule)\n" : "");
    cg_mem_free(rows);
    return rows != NULL;
}

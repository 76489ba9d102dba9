/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as CSV and as Markdown: a row each. */
#include "base/str.h"
#include "write/escape.h"
#include "base/units.h"
#include "write/writers.h"

static size_t shown_of(const callgauge_report *report, const callgauge_write_options *options)
{
    size_t count = callgauge_report_finding_count(report);
    return options->limit == 0 || options->limit > count ? count : options->limit;
}

/* --- CSV */

static void write_maybe(int64_t value, cg_out *out)
{
    cg_out_char(out, ',');
    if (value != CALLGAUGE_UNKNOWN) {
        cg_out_i64(out, value);
    }
}

/* "path=/etc; fd=3" */
static void write_keys(const callgauge_key *keys, size_t count, cg_out *out)
{
    bool quoted = false;
    for (size_t i = 0; i < count; i++) {
        quoted = quoted || cg_escape_csv_quotes(keys[i].value) || cg_escape_csv_quotes(keys[i].name);
    }
    cg_out_z(out, quoted ? "\"" : "");
    for (size_t i = 0; i < count; i++) {
        cg_out_z(out, i > 0 ? "; " : "");
        cg_escape_csv_part(out, keys[i].name);
        cg_out_char(out, '=');
        cg_escape_csv_part(out, keys[i].value);
    }
    cg_out_z(out, quoted ? "\"" : "");
}

bool cg_write_csv_findings(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    cg_out_z(out, "rule,severity,message,group,calls,errors,of_calls,cpu_ns,wall_ns,bytes,saved_calls,undecided,"
                  "rests_on,line,title,advice\r\n");
    for (size_t i = 0; i < shown_of(report, options); i++) {
        const callgauge_finding_row *row = callgauge_report_finding(report, i);
        cg_escape_csv(out, row->rule);
        cg_out_char(out, ',');
        cg_out_z(out, callgauge_severity_text(row->severity));
        cg_out_char(out, ',');
        cg_escape_csv(out, row->message);
        cg_out_char(out, ',');
        write_keys(row->keys, row->key_count, out);
        write_maybe((int64_t)row->calls, out);
        write_maybe((int64_t)row->errors, out);
        write_maybe(row->of_calls == 0 ? CALLGAUGE_UNKNOWN : (int64_t)row->of_calls, out);
        write_maybe(row->cpu_ns, out);
        write_maybe(row->wall_ns, out);
        write_maybe(row->bytes, out);
        write_maybe(row->saved_calls, out);
        write_maybe((int64_t)row->undecided, out);
        cg_out_z(out, row->rests_on_times ? ",times" : ",counts");
        write_maybe(row->evidence_count == 0 ? CALLGAUGE_UNKNOWN : (int64_t)row->evidence[0].place.line, out);
        cg_out_char(out, ',');
        cg_escape_csv(out, row->title);
        cg_out_char(out, ',');
        cg_escape_csv(out, row->advice);
        cg_out_z(out, "\r\n");
    }
    return true;
}

/* --- Markdown */

static void write_cell(callgauge_str text, cg_out *out)
{
    cg_out_char(out, ' ');
    cg_escape_markdown(out, text);
    cg_out_z(out, " |");
}

static void write_count_cell(uint64_t count, cg_out *out)
{
    char text[CG_NUMBER_ROOM];
    cg_out_char(out, ' ');
    cg_out_add(out, text, cg_format_count(text, count));
    cg_out_z(out, " |");
}

/* Whether the same command was proposed before. */
static bool came_before(const callgauge_report *report, size_t index)
{
    callgauge_str command = callgauge_report_not_judged(report, index)->next_capture;
    size_t at = 0;
    while (at < index && !cg_str_eq(callgauge_report_not_judged(report, at)->next_capture, command)) {
        at++;
    }
    return at < index;
}

/* A command, and the rules that it would let be judged, each once: rows are ordered by rule. */
static void write_want(const callgauge_report *report, size_t index, cg_out *out)
{
    callgauge_str command = callgauge_report_not_judged(report, index)->next_capture;
    callgauge_str before = { NULL, 0 };
    cg_out_z(out, "| ");
    for (size_t i = index; i < callgauge_report_not_judged_count(report); i++) {
        const callgauge_not_judged_row *row = callgauge_report_not_judged(report, i);
        if (cg_str_eq(row->next_capture, command) && !cg_str_eq(row->rule, before)) {
            cg_out_z(out, before.len > 0 ? ", " : "");
            cg_escape_markdown(out, row->rule);
            before = row->rule;
        }
    }
    cg_out_z(out, " |");
    write_cell(command, out);
    cg_out_char(out, '\n');
}

bool cg_write_markdown_findings(const callgauge_report *report, const callgauge_write_options *options, cg_out *out)
{
    size_t shown = shown_of(report, options);
    if (shown == 0) {
        cg_out_z(out, "Nothing found.\n");
    } else {
        cg_out_z(out, "| severity | rule | found | calls | change |\n| --- | --- | --- | ---: | --- |\n");
    }
    for (size_t i = 0; i < shown; i++) {
        const callgauge_finding_row *row = callgauge_report_finding(report, i);
        cg_out_char(out, '|');
        write_cell(cg_str_z(callgauge_severity_text(row->severity)), out);
        write_cell(row->rule, out);
        write_cell(row->message, out);
        write_count_cell(row->calls, out);
        write_cell(row->advice, out);
        cg_out_char(out, '\n');
    }
    size_t count = callgauge_report_not_judged_count(report);
    if (count > 0) {
        cg_out_z(out, "\n| not judged | a capture that would tell |\n| --- | --- |\n");
    }
    for (size_t i = 0; i < count; i++) {
        if (!came_before(report, i)) {
            write_want(report, i, out);
        }
    }
    return true;
}

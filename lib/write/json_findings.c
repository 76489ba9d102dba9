/* SPDX-License-Identifier: Apache-2.0 */
/* Findings, and rules that were not judged, of a JSON report: written, and read back. Numbers that messages are made of
 * are read, messages are made anew. `share` and `groups_total` are for those who read the document. */
#include "write/json_keys.h"
#include "write/json_rows.h"

#include "base/str.h"
#include "report/finding.h"
#include "write/schema.h"
#include "base/units.h"

/* --- writing */

static void write_share(cg_json *json, uint64_t part, uint64_t whole)
{
    enum { PLACES = 6, SCALE = 1000000 };
    char text[CG_NUMBER_ROOM + 1];
    cg_json_key(json, "share");
    if (whole == 0) {
        cg_json_null(json);
        return;
    }
    double share = (double)part / (double)whole;
    int64_t scaled = share < 1000 ? (int64_t)(share * SCALE + 0.5) : (int64_t)1000 * SCALE;
    text[cg_format_plain(text, scaled, PLACES, cg_decimals_needed(scaled, PLACES))] = 0;
    cg_json_word(json, text);
}

/* An object of names and values, in their order. */
static void write_keys(cg_json *json, const char *key, const callgauge_key *keys, size_t count)
{
    cg_json_key(json, key);
    cg_json_open(json, '{');
    for (size_t i = 0; i < count; i++) {
        cg_json_key_str(json, keys[i].name);
        cg_json_str(json, keys[i].value);
    }
    cg_json_close(json, '}');
}

static void write_groups(cg_json *json, const callgauge_finding_row *row)
{
    cg_json_list(json, "groups");
    for (size_t i = 0; i < row->group_count; i++) {
        const callgauge_group_row *group = &row->groups[i];
        cg_json_open(json, '{');
        write_keys(json, "key", group->keys, group->key_count);
        cg_json_count(json, "calls", group->calls);
        cg_json_count(json, "errors", group->errors);
        cg_json_maybe(json, "cpu_ns", group->cpu_ns);
        cg_json_maybe(json, "wall_ns", group->wall_ns);
        cg_json_maybe(json, "bytes", group->bytes);
        cg_json_close(json, '}');
    }
    cg_json_close(json, ']');
    cg_json_count(json, "groups_total", cg_count_add(row->group_count, row->groups_left_out));
    cg_json_count(json, "groups_left_out", row->groups_left_out);
}

static void write_evidence(cg_json *json, const callgauge_finding_row *row)
{
    cg_json_list(json, "evidence");
    for (size_t i = 0; i < row->evidence_count; i++) {
        cg_json_open(json, '{');
        cg_json_count(json, "capture", row->evidence[i].place.capture);
        cg_json_count(json, "line", row->evidence[i].place.line);
        cg_json_captured(json, "text", row->evidence[i].text);
        cg_json_close(json, '}');
    }
    cg_json_close(json, ']');
}

static void write_finding(cg_json *json, const callgauge_finding_row *row)
{
    cg_json_row(json);
    cg_json_captured(json, "rule", row->rule);
    cg_json_text(json, "severity", callgauge_severity_text(row->severity));
    cg_json_captured(json, "title", row->title);
    cg_json_captured(json, "message", row->message);
    cg_json_captured(json, "why", row->why);
    cg_json_captured(json, "advice", row->advice);
    cg_json_list(json, "references");
    for (size_t i = 0; i < row->reference_count; i++) {
        cg_json_str(json, row->references[i]);
    }
    cg_json_close(json, ']');
    cg_json_captured(json, "false_alarms", row->false_alarms);
    cg_json_text(json, "rests_on", row->rests_on_times ? "times" : "counts");
    cg_json_count(json, "calls", row->calls);
    cg_json_count(json, "errors", row->errors);
    cg_json_count(json, "times", row->times);
    write_share(json, row->calls, row->of_calls);
    cg_json_count(json, "of_calls", row->of_calls);
    cg_json_maybe(json, "cpu_ns", row->cpu_ns);
    cg_json_maybe(json, "wall_ns", row->wall_ns);
    cg_json_maybe(json, "bytes", row->bytes);
    cg_json_maybe(json, "saved_calls", row->saved_calls);
    cg_json_count(json, "undecided", row->undecided);
    write_keys(json, "group", row->keys, row->key_count);
    write_groups(json, row);
    write_evidence(json, row);
    cg_json_captured(json, "form", row->form);
    write_keys(json, "values", row->values, row->value_count);
    cg_json_close(json, '}');
}

static void write_not_judged(cg_json *json, const callgauge_not_judged_row *row)
{
    cg_json_row(json);
    cg_json_captured(json, "rule", row->rule);
    cg_json_count(json, "capture", row->capture);
    cg_json_list(json, "missing");
    for (size_t i = 0; i < CG_TRAITS; i++) {
        if ((row->missing >> i & 1) != 0) {
            cg_json_z(json, cg_trait_names[i]);
        }
    }
    cg_json_close(json, ']');
    cg_json_captured(json, "next_capture", row->next_capture);
    cg_json_close(json, '}');
}

void cg_json_findings(cg_json *json, const callgauge_report *report)
{
    size_t n = callgauge_report_finding_count(report);
    cg_json_rows(json, "findings");
    for (size_t i = 0; i < n; i++) {
        write_finding(json, callgauge_report_finding(report, i));
    }
    cg_json_rows_end(json, n);
    n = callgauge_report_not_judged_count(report);
    cg_json_rows(json, "not_judged");
    for (size_t i = 0; i < n; i++) {
        write_not_judged(json, callgauge_report_not_judged(report, i));
    }
    cg_json_rows_end(json, n);
}

/* --- reading */

#ifdef CG_HAVE_JSON

static bool read_group(const cg_node *at, void *out)
{
    callgauge_group_row *row = out;
    return cg_node_keys(at, "key", &row->keys, &row->key_count) && cg_node_count(at, "calls", &row->calls) &&
           cg_node_count(at, "errors", &row->errors) && cg_node_maybe(at, "cpu_ns", &row->cpu_ns) &&
           cg_node_maybe(at, "wall_ns", &row->wall_ns) && cg_node_maybe(at, "bytes", &row->bytes);
}

/* Which capture of the report; there may be none of that number. */
static bool read_capture(const cg_node *at, size_t *out)
{
    uint64_t capture = 0;
    if (!cg_node_count(at, "capture", &capture)) {
        return false;
    }
    if (capture >= at->all->report->capture_count) {
        return cg_node_fail(at, "capture", "there is no such capture");
    }
    *out = (size_t)capture;
    return true;
}

static bool read_line(const cg_node *at, void *out)
{
    callgauge_evidence *row = out;
    return read_capture(at, &row->place.capture) && cg_node_count(at, "line", &row->place.line) &&
           cg_node_captured(at, "text", &row->text);
}

static bool read_lists(const cg_node *at, callgauge_finding_row *row)
{
    if (!cg_node_keys(at, "group", &row->keys, &row->key_count) ||
        !cg_node_keys(at, "values", &row->values, &row->value_count) ||
        !cg_node_strs(at, "references", &row->references, &row->reference_count)) {
        return false;
    }
    row->groups = cg_node_rows(at, "groups", sizeof *row->groups, read_group, &row->group_count);
    if (row->groups == NULL) {
        return false;
    }
    row->evidence = cg_node_rows(at, "evidence", sizeof *row->evidence, read_line, &row->evidence_count);
    return row->evidence != NULL;
}

static bool read_texts(const cg_node *at, callgauge_finding_row *row)
{
    static const char *const severities[] = { "note", "warning", "error" };
    static const char *const rests[] = { "counts", "times" };
    size_t severity = 0, rests_on = 0;
    bool good = cg_node_str(at, "rule", &row->rule) && cg_node_choice(at, "severity", severities, 3, &severity) &&
                cg_node_choice(at, "rests_on", rests, 2, &rests_on) && cg_node_captured(at, "title", &row->title) &&
                cg_node_captured(at, "message", &row->message) && cg_node_captured(at, "why", &row->why) &&
                cg_node_captured(at, "advice", &row->advice) &&
                cg_node_captured(at, "false_alarms", &row->false_alarms) && cg_node_captured(at, "form", &row->form);
    row->severity = (callgauge_severity)severity;
    row->rests_on_times = rests_on == 1;
    return good;
}

static bool read_finding(const cg_node *at, void *out)
{
    callgauge_finding_row *row = out;
    const char *const keys[] = { "calls", "errors", "times", "of_calls", "undecided", "groups_left_out" };
    uint64_t *const counts[] = { &row->calls,    &row->errors,    &row->times,
                                 &row->of_calls, &row->undecided, &row->groups_left_out };
    const char *const maybe_keys[] = { "cpu_ns", "wall_ns", "bytes", "saved_calls" };
    int64_t *const maybes[] = { &row->cpu_ns, &row->wall_ns, &row->bytes, &row->saved_calls };
    return read_texts(at, row) && cg_node_counts(at, sizeof keys / sizeof *keys, keys, counts) &&
           cg_node_maybes(at, sizeof maybe_keys / sizeof *maybe_keys, maybe_keys, maybes) && read_lists(at, row);
}

static bool read_not_judged(const cg_node *at, void *out)
{
    callgauge_not_judged_row *row = out;
    if (!cg_node_str(at, "rule", &row->rule) || !read_capture(at, &row->capture) ||
        !cg_node_captured(at, "next_capture", &row->next_capture)) {
        return false;
    }
    for (size_t i = 0; i < CG_TRAITS; i++) {
        bool holds = false;
        if (!cg_node_holds(at, "missing", cg_trait_names[i], &holds)) {
            return false;
        }
        row->missing |= holds ? 1u << i : 0;
    }
    return true;
}

bool cg_read_findings(const cg_node *at, callgauge_report *report)
{
    report->findings = cg_node_rows(at, "findings", sizeof *report->findings, read_finding, &report->finding_count);
    if (report->findings == NULL) {
        return false;
    }
    report->not_judged = cg_node_rows(at, "not_judged", sizeof *report->not_judged, read_not_judged,
                                      &report->not_judged_count);
    return report->not_judged != NULL;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong as SARIF 2.1.0: a result each, placed in a line of a capture or of the budget.
 * Invariant: fingerprints rest on what a result is about, not on its numbers or lines, so that they stay from run to
 * run. */
#include "write/escape.h"
#include "write/json_keys.h"
#include "write/problems.h"
#include "write/writers.h"

#include <callgauge/version.h>

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

/* Readers of SARIF know nothing of the escapes that a report has. */
static void write_shown(cg_json *json, callgauge_str text)
{
    cg_json_text_begin(json);
    cg_escape_json_shown(json->out, text);
    cg_json_text_end(json);
}

/* --- rules */

static int by_rule(const void *a, const void *b)
{
    const cg_problem *x = *(const cg_problem *const *)a, *y = *(const cg_problem *const *)b;
    int order = cg_str_cmp(cg_problem_rule(x), cg_problem_rule(y));
    return order != 0 ? order : (x > y) - (x < y);
}

/* The rules that problems break, once each, by id. False: no memory. */
static bool write_rules(cg_json *json, const cg_problems *problems)
{
    const cg_problem **order = cg_mem_zeroed(problems->count + 1, sizeof *order);
    if (order == NULL) {
        return false;
    }
    for (size_t i = 0; i < problems->count; i++) {
        order[i] = &problems->items[i];
    }
    qsort(order, problems->count, sizeof *order, by_rule);
    cg_json_list(json, "rules");
    for (size_t i = 0; i < problems->count; i++) {
        callgauge_str id = cg_problem_rule(order[i]);
        if (i > 0 && cg_str_eq(id, cg_problem_rule(order[i - 1]))) {
            continue;
        }
        cg_json_open(json, '{');
        cg_json_key(json, "id");
        write_shown(json, id);
        cg_json_key(json, "shortDescription");
        cg_json_open(json, '{');
        cg_json_key(json, "text");
        write_shown(json, cg_problem_rule_text(order[i]));
        cg_json_close(json, '}');
        cg_json_close(json, '}');
    }
    cg_json_close(json, ']');
    cg_mem_free(order);
    return true;
}

/* --- places */

/* A path from the root is a file URI; no other may begin with a scheme, so a colon is coded. None of its characters
 * needs an escape of JSON. */
static void write_uri(cg_json *json, callgauge_str path)
{
    cg_json_key(json, "uri");
    cg_json_text_begin(json);
    cg_out_z(json->out, cg_str_starts(path, "/") ? "file://" : "");
    cg_escape_uri(json->out, path);
    cg_json_text_end(json);
}

static void write_location(cg_json *json, callgauge_str file, uint64_t line, callgauge_str snippet)
{
    cg_json_open(json, '{');
    cg_json_key(json, "physicalLocation");
    cg_json_open(json, '{');
    cg_json_key(json, "artifactLocation");
    cg_json_open(json, '{');
    write_uri(json, file);
    cg_json_close(json, '}');
    if (line > 0) {
        cg_json_key(json, "region");
        cg_json_open(json, '{');
        cg_json_count(json, "startLine", line);
        if (snippet.len > 0) {
            cg_json_key(json, "snippet");
            cg_json_open(json, '{');
            cg_json_key(json, "text");
            write_shown(json, snippet);
            cg_json_close(json, '}');
        }
        cg_json_close(json, '}');
    }
    cg_json_close(json, '}');
    cg_json_close(json, '}');
}

static const callgauge_evidence *evidence_of(const cg_problem *problem, size_t *count)
{
    *count = 0;
    if (problem->limit != NULL) {
        *count = problem->limit->evidence_count;
        return problem->limit->evidence;
    }
    if (problem->finding != NULL) {
        *count = cg_finding_now(problem->finding)->evidence_count;
        return cg_finding_now(problem->finding)->evidence;
    }
    return NULL;
}

static void write_locations(cg_json *json, const cg_problems *problems, const cg_problem *problem)
{
    size_t count;
    uint64_t line;
    callgauge_str file = cg_problem_place(problems, problem, &line);
    const callgauge_evidence *evidence = evidence_of(problem, &count);
    cg_json_list(json, "locations");
    if (file.len > 0) {
        write_location(json, file, line, count > 0 ? evidence[0].text : cg_str(NULL, 0));
    }
    cg_json_close(json, ']');
    if (file.len == 0 || count < 2) {
        return;
    }
    cg_json_list(json, "relatedLocations");
    for (size_t i = 1; i < count; i++) {
        callgauge_str other = cg_evidence_place(problems->comparison, problem->finding, &evidence[i]);
        write_location(json, other, evidence[i].place.line, evidence[i].text);
    }
    cg_json_close(json, ']');
}

/* --- results */

/* FNV-1a, and a byte between two parts. */
static uint64_t hash_part(uint64_t hash, callgauge_str part)
{
    static const uint64_t PRIME = UINT64_C(0x100000001b3);
    for (size_t i = 0; i < part.len; i++) {
        hash = (hash ^ (unsigned char)part.ptr[i]) * PRIME;
    }
    return (hash ^ 0xff) * PRIME;
}

static uint64_t fingerprint(const cg_problem *problem)
{
    uint64_t hash = hash_part(UINT64_C(0xcbf29ce484222325), cg_problem_rule(problem));
    if (problem->limit != NULL) {
        return hash_part(hash, problem->limit->subject);
    }
    if (problem->finding == NULL) {
        return hash_part(hash, problem->row->name);
    }
    const callgauge_finding_row *row = cg_finding_now(problem->finding);
    for (size_t i = 0; i < row->key_count; i++) {
        hash = hash_part(hash_part(hash, row->keys[i].name), row->keys[i].value);
    }
    return hash;
}

static void write_fingerprint(cg_json *json, const cg_problem *problem)
{
    enum { DIGITS = 16 };
    static const char hex[] = "0123456789abcdef";
    char text[DIGITS];
    uint64_t hash = fingerprint(problem);
    for (size_t i = DIGITS; i-- > 0; hash >>= 4) {
        text[i] = hex[hash & 15];
    }
    cg_json_key(json, "partialFingerprints");
    cg_json_open(json, '{');
    cg_json_key(json, "callgaugeSubject/v1");
    write_shown(json, cg_str(text, DIGITS));
    cg_json_close(json, '}');
}

static void write_result(cg_json *json, const cg_problems *problems, const cg_problem *problem)
{
    cg_json_break(json, 8);
    cg_json_open(json, '{');
    cg_json_key(json, "ruleId");
    write_shown(json, cg_problem_rule(problem));
    cg_json_text(json, "level", callgauge_severity_text(problem->severity));
    cg_json_key(json, "message");
    cg_json_open(json, '{');
    cg_json_key(json, "text");
    cg_json_text_begin(json);
    cg_problem_message(problem, cg_escape_json_shown, json->out);
    cg_json_text_end(json);
    cg_json_close(json, '}');
    write_locations(json, problems, problem);
    write_fingerprint(json, problem);
    cg_json_close(json, '}');
}

static void write_results(cg_json *json, const cg_problems *problems)
{
    cg_json_break(json, 6);
    cg_json_list(json, "results");
    for (size_t i = 0; i < problems->count; i++) {
        write_result(json, problems, &problems->items[i]);
    }
    if (problems->count > 0) {
        json->comma = false;
        cg_json_break(json, 6);
    }
    cg_json_close(json, ']');
}

static bool write_tool(cg_json *json, const cg_problems *problems)
{
    cg_json_break(json, 6);
    cg_json_key(json, "tool");
    cg_json_open(json, '{');
    cg_json_key(json, "driver");
    cg_json_open(json, '{');
    cg_json_text(json, "name", "callgauge");
    cg_json_text(json, "version", callgauge_version());
    bool ok = write_rules(json, problems);
    cg_json_close(json, '}');
    cg_json_close(json, '}');
    return ok;
}

bool cg_write_sarif(const callgauge_comparison *comparison, const callgauge_write_options *options, cg_out *out)
{
    (void)options; /* all of it: a limit would hide results */
    cg_problems problems;
    cg_json json = { .out = out };
    if (!cg_problems_make(comparison, &problems)) {
        return false;
    }
    cg_json_open(&json, '{');
    cg_json_break(&json, 2);
    cg_json_text(&json, "$schema", SCHEMA);
    cg_json_break(&json, 2);
    cg_json_text(&json, "version", "2.1.0");
    cg_json_break(&json, 2);
    cg_json_list(&json, "runs");
    cg_json_break(&json, 4);
    cg_json_open(&json, '{');
    bool ok = write_tool(&json, &problems);
    write_results(&json, &problems);
    json.comma = false;
    cg_json_break(&json, 4);
    cg_json_close(&json, '}');
    json.comma = false;
    cg_json_break(&json, 2);
    cg_json_close(&json, ']');
    json.comma = false;
    cg_json_break(&json, 0);
    cg_json_close(&json, '}');
    cg_out_char(out, '\n');
    cg_problems_release(&problems);
    return ok;
}

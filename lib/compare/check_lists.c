/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of a budget: calls and paths that are allowed or forbidden, findings of a severity. */
#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "compare/check.h"

static uint64_t made(const callgauge_call_row *row)
{
    return cg_count_add(row->calls, row->unreturned);
}

/* --- calls */

static const char *const limits_of_calls[] = { "names", "open_calls", "open_bytes", NULL };

/* The lines that show a call. */
static void set_evidence(const cg_check *check, const cg_limit *limit, callgauge_str call,
                         callgauge_limit_result *result)
{
    for (size_t i = 0; i < check->report->finding_count; i++) {
        const callgauge_finding_row *row = &check->report->findings[i];
        if (cg_str_eq(row->rule, limit->rule) && row->key_count > 0 && cg_str_eq(row->keys[0].value, call)) {
            result->evidence = row->evidence;
            result->evidence_count = row->evidence_count;
        }
    }
}

bool cg_check_forbidden_calls(cg_check *check, const cg_limit *limit)
{
    callgauge_limit_result result = cg_check_result(check, limit);
    const callgauge_str word = limit->words[0];
    const callgauge_call_row *most = NULL;
    uint64_t total = 0;
    size_t named = 0;
    bool good = true;
    cg_buf text, why;
    cg_buf_init(&text, SIZE_MAX);
    cg_buf_init(&why, SIZE_MAX);
    for (size_t i = 0; good && i < check->report->call_count; i++) {
        const callgauge_call_row *row = &check->report->calls[i];
        if (made(row) == 0 || !cg_limit_names(limit, row->name, row->call_class)) {
            continue;
        }
        total = cg_count_add(total, made(row));
        most = most == NULL || made(row) > made(most) ? row : most;
        good = cg_buf_add_z(&text, named++ == 0 ? "" : ", ") && cg_words_counted(&text, (double)made(row), "call") &&
               cg_buf_add_z(&text, " of ") && cg_words_text(&text, row->name);
    }
    result.value = (double)total;
    result.allowed = 0;
    if (most != NULL) {
        result.state = CALLGAUGE_LIMIT_BROKEN;
        result.subject = most->name;
        set_evidence(check, limit, most->name, &result);
    }
    good = good && (total > 0 || cg_buf_add_z(&text, "no call of it")) && cg_buf_add_z(&text, "; ") &&
           cg_words_text(&text, word) && cg_buf_add_z(&text, " is forbidden");
    if (good && total == 0) {
        good = cg_check_doubt_calls(check, limit, false, &why) && cg_check_doubt_limits(check, limits_of_calls, &why) &&
               cg_check_doubt_events(check->undecided, &why) && cg_check_doubt_lines(check->unread, &why);
    }
    return cg_check_add_kept(check, result, good, &text, &why);
}

static bool refuse_call(cg_check *check, const cg_limit *limit, const callgauge_call_row *row)
{
    callgauge_limit_result result = cg_check_result(check, limit);
    cg_buf text;
    cg_buf_init(&text, SIZE_MAX);
    result.state = CALLGAUGE_LIMIT_BROKEN;
    result.value = (double)made(row);
    result.allowed = 0;
    result.subject = row->name;
    set_evidence(check, limit, row->name, &result);
    bool good = cg_words_counted(&text, (double)made(row), "call") && cg_buf_add_z(&text, " of ") &&
                cg_words_text(&text, row->name) && cg_buf_add_z(&text, "; it is not among the calls that are allowed");
    return cg_check_add(check, result, good, &text);
}

bool cg_check_allowed_calls(cg_check *check, const cg_limit *limit)
{
    size_t refused = 0;
    bool good = true;
    for (size_t i = 0; good && i < check->report->call_count; i++) {
        const callgauge_call_row *row = &check->report->calls[i];
        if (made(row) > 0 && !cg_limit_names(limit, row->name, row->call_class)) {
            refused++;
            good = refuse_call(check, limit, row);
        }
    }
    if (!good || refused > 0) {
        return good;
    }
    cg_buf text, why;
    cg_buf_init(&text, SIZE_MAX);
    cg_buf_init(&why, SIZE_MAX);
    good = cg_buf_add_z(&text, "no other calls than those that are allowed") &&
           cg_check_doubt_calls(check, limit, false, &why) && cg_check_doubt_limits(check, limits_of_calls, &why) &&
           cg_check_doubt_events(check->undecided, &why) && cg_check_doubt_lines(check->unread, &why);
    return cg_check_add_kept(check, cg_check_result(check, limit), good, &text, &why);
}

/* --- paths */

/* What the rows of files say of the paths of a limit. */
typedef struct paths {
    uint64_t found;
    uint64_t relative; /* paths below an unknown directory that are not in the list as they stand */
    callgauge_str first_relative;
    uint64_t unnamed; /* descriptors from before the capture that nothing names */
    uint64_t hidden;  /* opened in the capture, with a path that it does not tell */
} paths;

/* Pipes and the like have names that are no paths. */
static bool is_path(const callgauge_file_row *row)
{
    return row->path.len > 0 && (row->relative || row->path.ptr[0] == '/');
}

static bool add_path(cg_check *check, const cg_limit *limit, const callgauge_file_row *row, callgauge_str path)
{
    callgauge_limit_result result = cg_check_result(check, limit);
    callgauge_evidence *evidence = cg_arena_alloc(&check->out->arena, sizeof *evidence);
    cg_buf text;
    cg_buf_init(&text, SIZE_MAX);
    bool good = evidence != NULL;
    result.state = CALLGAUGE_LIMIT_BROKEN;
    result.value = (double)row->calls;
    result.allowed = 0;
    result.subject = path;
    if (good && row->first.line > 0) {
        *evidence = (callgauge_evidence){ row->first, path };
        result.evidence = evidence;
        result.evidence_count = 1;
    }
    good = good && cg_words_counted(&text, (double)row->calls, "call") && cg_buf_add_z(&text, " on ") &&
           cg_words_text(&text, path) &&
           cg_buf_add_z(&text, limit->of == CG_LIMIT_OF_ALLOWED_PATHS ? "; it is not among the paths that are allowed"
                                                                      : "; it is forbidden");
    return cg_check_add(check, result, good, &text);
}

/* Whether one of the row's paths breaks the limit; then `path` is it. */
static bool breaks(const cg_limit *limit, const callgauge_file_row *row, callgauge_str *path)
{
    bool allows = limit->of == CG_LIMIT_OF_ALLOWED_PATHS;
    const callgauge_str names[] = { row->path, row->renamed_to };
    for (size_t i = 0; i < 2; i++) {
        if (names[i].len > 0 && cg_limit_has_path(limit, names[i]) != allows) {
            *path = names[i];
            return true;
        }
    }
    return false;
}

static bool look_at(cg_check *check, const cg_limit *limit, const callgauge_file_row *row, paths *seen)
{
    callgauge_str path;
    if (row->calls == 0 || !is_path(row)) {
        bool nameless = row->calls > 0 && row->path.len == 0;
        seen->unnamed += nameless && row->opened_before;
        seen->hidden += nameless && !row->opened_before && row->kind == CALLGAUGE_FILE_FILE;
        return true;
    }
    bool allows = limit->of == CG_LIMIT_OF_ALLOWED_PATHS;
    bool broken = breaks(limit, row, &path);
    if (row->relative && broken == allows) {
        seen->first_relative = seen->relative++ == 0 ? row->path : seen->first_relative;
        return true;
    }
    seen->found += broken;
    return !broken || add_path(check, limit, row, path);
}

static bool doubt_paths(const cg_check *check, const paths *seen, cg_buf *why)
{
    static const char *const limits[] = {
        "paths", "descriptors", "processes", "names", "open_calls", "open_bytes", NULL
    };
    bool good = cg_check_doubt_filter(check, why) && cg_check_doubt_limits(check, limits, why) &&
                cg_check_doubt_events(check->undecided, why) && cg_check_doubt_lines(check->unread, why);
    if (good && !check->report->followed) {
        good = cg_buf_add_z(why, why->len > 0 ? "; " : "") && cg_buf_add_z(why, "no files were followed");
    }
    if (good && seen->hidden > 0) {
        good = cg_buf_add_z(why, why->len > 0 ? "; " : "") &&
               cg_buf_add_z(why, "files were opened by paths that the capture does not tell");
    }
    if (good && seen->relative > 0) {
        good = cg_buf_add_z(why, why->len > 0 ? "; " : "") && cg_words_counted(why, (double)seen->relative, "path") &&
               cg_buf_add_z(why, seen->relative == 1 ? " is" : " are") &&
               cg_buf_add_z(why, " relative to a directory that is not known (use strace -y, and start the "
                                 "program by its whole path): ") &&
               cg_words_text(why, seen->first_relative);
    }
    return good;
}

static bool check_paths(cg_check *check, const cg_limit *limit, const char *kept)
{
    paths seen = { 0 };
    bool good = true;
    for (size_t i = 0; good && i < check->report->file_count; i++) {
        good = look_at(check, limit, &check->report->files[i], &seen);
    }
    if (!good || seen.found > 0) {
        return good;
    }
    cg_buf text, why;
    cg_buf_init(&text, SIZE_MAX);
    cg_buf_init(&why, SIZE_MAX);
    good = cg_buf_add_z(&text, kept) && doubt_paths(check, &seen, &why);
    if (good && seen.unnamed > 0) {
        good = cg_buf_add_z(&text, " (") && cg_words_counted(&text, (double)seen.unnamed, "descriptor") &&
               cg_buf_add_z(&text, " from before the capture without a name)");
    }
    return cg_check_add_kept(check, cg_check_result(check, limit), good, &text, &why);
}

bool cg_check_forbidden_paths(cg_check *check, const cg_limit *limit)
{
    return check_paths(check, limit, "no call on such a path");
}

bool cg_check_allowed_paths(cg_check *check, const cg_limit *limit)
{
    return check_paths(check, limit, "no calls on other paths than those that are allowed");
}

/* --- findings */

static bool is_counted(const cg_limit *limit, const callgauge_finding_row *row)
{
    return row->severity >= limit->at && !cg_is_of_budget(row->rule);
}

/* ": a, b and 2 more" of the rules that found something. */
static bool add_rules(const cg_check *check, const cg_limit *limit, uint64_t count, cg_buf *to)
{
    uint64_t named = 0;
    bool good = true;
    for (size_t i = 0; good && i < check->report->finding_count && named < CG_MOST_NAMED; i++) {
        const callgauge_finding_row *row = &check->report->findings[i];
        if (is_counted(limit, row)) {
            good = cg_buf_add_z(to, named++ == 0 ? ": " : ", ") && cg_words_text(to, row->rule);
        }
    }
    return good && (count <= named || cg_buf_printf(to, " and %" PRIu64 " more", count - named));
}

/* Rules that found nothing for want of what a capture lacks. */
static bool doubt_rules(const cg_check *check, cg_buf *why)
{
    const callgauge_report *report = check->report;
    size_t count = 0;
    callgauge_str last = { NULL, 0 };
    cg_buf names;
    bool good = true;
    cg_buf_init(&names, SIZE_MAX);
    for (size_t i = 0; good && i < report->not_judged_count; i++) {
        const callgauge_not_judged_row *row = &report->not_judged[i];
        if (cg_is_of_budget(row->rule) || cg_str_eq(row->rule, last)) {
            continue;
        }
        last = row->rule;
        if (count++ < CG_MOST_NAMED) {
            good = cg_buf_add_z(&names, count == 1 ? "" : ", ") && cg_words_text(&names, row->rule);
        }
    }
    if (good && count > 0) {
        good = cg_buf_add_z(why, why->len > 0 ? "; " : "") && cg_buf_add_z(why, "captures lack what rules ask for: ") &&
               cg_buf_add_str(why, cg_buf_str(&names)) &&
               (count <= CG_MOST_NAMED || cg_buf_printf(why, " and %zu more", count - CG_MOST_NAMED));
    }
    cg_buf_release(&names);
    return good;
}

/* Whether rules other than the budget's own were at work. */
static bool had_rules(const callgauge_report *report)
{
    for (size_t i = 0; i < report->judged_count; i++) {
        if (!cg_is_of_budget(report->judged[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < report->not_judged_count; i++) {
        if (!cg_is_of_budget(report->not_judged[i].rule)) {
            return true;
        }
    }
    return false;
}

static bool doubt_findings(const cg_check *check, cg_buf *why)
{
    static const char *const limits[] = { "findings", "groups", "attempts", "distinct",    "texts",     "match",
                                          "names",    "paths",  "waiting",  "descriptors", "processes", NULL };
    if (!had_rules(check->report)) {
        return cg_buf_add_z(why, "a report was made without rules");
    }
    return doubt_rules(check, why) && cg_check_doubt_filter(check, why) && cg_check_doubt_limits(check, limits, why) &&
           cg_check_doubt_lines(check->unread, why);
}

bool cg_check_findings(cg_check *check, const cg_limit *limit)
{
    callgauge_limit_result result = cg_check_result(check, limit);
    const cg_bound *bound = &limit->bounds[0];
    uint64_t count = 0;
    cg_buf text, why;
    cg_buf_init(&text, SIZE_MAX);
    cg_buf_init(&why, SIZE_MAX);
    for (size_t i = 0; i < check->report->finding_count; i++) {
        const callgauge_finding_row *row = &check->report->findings[i];
        if (is_counted(limit, row)) {
            result.evidence = count == 0 ? row->evidence : result.evidence;
            result.evidence_count = count == 0 ? row->evidence_count : result.evidence_count;
            result.subject = count == 0 ? row->rule : result.subject;
            count++;
        }
    }
    bool broken = (double)count > bound->value;
    bool good = cg_words_counted(&text, (double)count, "finding") && cg_buf_add_z(&text, " of severity ") &&
                cg_buf_add_z(&text, callgauge_severity_text(limit->at)) &&
                cg_buf_add_z(&text, limit->at == CALLGAUGE_SEVERITY_ERROR ? "" : " or above") &&
                add_rules(check, limit, count, &text) && cg_buf_add_z(&text, "; at most ") &&
                cg_words_number(&text, bound->value) && cg_buf_add_z(&text, bound->value == 1 ? " is" : " are") &&
                cg_buf_add_z(&text, " allowed");
    result.value = (double)count;
    result.allowed = bound->value;
    if (broken) {
        result.state = CALLGAUGE_LIMIT_BROKEN;
    } else {
        result.evidence_count = 0;
        result.subject = cg_str(NULL, 0);
        good = good && doubt_findings(check, &why);
    }
    return cg_check_add_kept(check, result, good, &text, &why);
}

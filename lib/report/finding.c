/* SPDX-License-Identifier: Apache-2.0 */
/* From the numbers of findings to their order and their messages. */
#include "report/finding.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "base/template.h"

enum { MOST_MESSAGE = 4096 };

void cg_finding_row_init(callgauge_finding_row *row)
{
    row->cpu_ns = row->wall_ns = row->bytes = row->saved_calls = CALLGAUGE_UNKNOWN;
}

/* --- orders */

int cg_key_cmp(const callgauge_key *a, const callgauge_key *b)
{
    int order = cg_str_cmp(a->name, b->name);
    return order != 0 ? order : cg_str_cmp(a->value, b->value);
}

static int keys_cmp(const callgauge_key *a, size_t a_count, const callgauge_key *b, size_t b_count)
{
    for (size_t i = 0; i < a_count && i < b_count; i++) {
        int order = cg_key_cmp(&a[i], &b[i]);
        if (order != 0) {
            return order;
        }
    }
    return (a_count > b_count) - (a_count < b_count);
}

int cg_finding_row_cmp(const void *left, const void *right)
{
    const callgauge_finding_row *a = left;
    const callgauge_finding_row *b = right;
    int order = cg_str_cmp(a->rule, b->rule);
    return order != 0 ? order : keys_cmp(a->keys, a->key_count, b->keys, b->key_count);
}

int cg_not_judged_row_cmp(const void *left, const void *right)
{
    const callgauge_not_judged_row *a = left;
    const callgauge_not_judged_row *b = right;
    int order = cg_str_cmp(a->rule, b->rule);
    order = order != 0 ? order : (a->capture > b->capture) - (a->capture < b->capture);
    order = order != 0 ? order : (a->missing > b->missing) - (a->missing < b->missing);
    return order != 0 ? order : cg_str_cmp(a->next_capture, b->next_capture);
}

static int64_t cost(int64_t wall_ns, int64_t cpu_ns)
{
    return wall_ns != CALLGAUGE_UNKNOWN ? wall_ns : cpu_ns;
}

/* Larger ones first. */
static int falling(int64_t a, int64_t b)
{
    return (a < b) - (a > b);
}

static int falling_count(uint64_t a, uint64_t b)
{
    return (a < b) - (a > b);
}

int cg_group_row_cmp(const void *left, const void *right)
{
    const callgauge_group_row *a = left;
    const callgauge_group_row *b = right;
    int order = falling(cost(a->wall_ns, a->cpu_ns), cost(b->wall_ns, b->cpu_ns));
    order = order != 0 ? order : falling_count(a->calls, b->calls);
    return order != 0 ? order : keys_cmp(a->keys, a->key_count, b->keys, b->key_count);
}

int cg_evidence_cmp(const void *left, const void *right)
{
    const callgauge_evidence *a = left;
    const callgauge_evidence *b = right;
    int order = cg_place_cmp(a->place, b->place);
    return order != 0 ? order : cg_str_cmp(a->text, b->text);
}

static int costs_cmp(const void *left, const void *right)
{
    const callgauge_finding_row *a = left;
    const callgauge_finding_row *b = right;
    int order = falling(cost(a->wall_ns, a->cpu_ns), cost(b->wall_ns, b->cpu_ns));
    order = order != 0 ? order : falling_count(a->calls, b->calls);
    order = order != 0 ? order : (a->severity < b->severity) - (a->severity > b->severity);
    return order != 0 ? order : cg_finding_row_cmp(a, b);
}

/* --- numbers in messages */

static bool add_count(cg_buf *to, uint64_t count)
{
    char digits[32];
    size_t at = sizeof digits, n = 0;
    do {
        if (n > 0 && n % 3 == 0) {
            digits[--at] = ',';
        }
        digits[--at] = (char)('0' + count % 10);
        count /= 10;
        n++;
    } while (count > 0);
    return cg_buf_add(to, digits + at, sizeof digits - at);
}

/* With one decimal, unless that is 0. */
static bool add_tenths(cg_buf *to, double value)
{
    uint64_t tenths = value < 1e15 ? (uint64_t)(value * 10 + 0.5) : (uint64_t)1e16;
    return add_count(to, tenths / 10) &&
           (tenths % 10 == 0 || (cg_buf_add_char(to, '.') && cg_buf_add_char(to, (char)('0' + tenths % 10))));
}

static bool add_share(cg_buf *to, double part, double whole)
{
    double percent = 100 * part / whole;
    bool small = percent < 10;
    return (small ? add_tenths(to, percent) : add_count(to, (uint64_t)(percent + 0.5))) && cg_buf_add_z(to, " %");
}

static bool add_bytes(cg_buf *to, int64_t bytes)
{
    static const char *const units[] = { " B", " KiB", " MiB", " GiB", " TiB" };
    double value = (double)bytes;
    size_t unit = 0;
    while (value >= 1024 && unit < 4) {
        value /= 1024;
        unit++;
    }
    return add_tenths(to, value) && cg_buf_add_z(to, units[unit]);
}

static bool add_time(cg_buf *to, double ns)
{
    static const struct {
        double worth;
        const char *name;
    } units[] = { { 1e9, " s" }, { 1e6, " ms" }, { 1e3, " us" }, { 1, " ns" } };
    size_t unit = 0;
    while (unit < 3 && ns < units[unit].worth) {
        unit++;
    }
    return add_tenths(to, ns / units[unit].worth) && cg_buf_add_z(to, units[unit].name);
}

/* --- values by name */

typedef struct values {
    const callgauge_report *report;
    const callgauge_finding_row *row;
} values;

static bool add_measure(const values *of, callgauge_str name, cg_buf *to, bool *known, bool *is_measure)
{
    const callgauge_finding_row *row = of->row;
    int64_t time = cost(row->wall_ns, row->cpu_ns);
    uint64_t units = of->report->unit.from == CALLGAUGE_UNIT_NONE ? 0 : of->report->unit.count;
    *is_measure = true;
    if (cg_str_is(name, "share")) {
        *known = row->of_calls > 0;
        return !*known || add_share(to, (double)row->calls, (double)row->of_calls);
    }
    if (cg_str_is(name, "error_share")) {
        *known = row->calls > 0;
        return !*known || add_share(to, (double)row->errors, (double)row->calls);
    }
    if (cg_str_is(name, "per_unit")) {
        *known = units > 0;
        return !*known || add_tenths(to, (double)row->calls / (double)units);
    }
    if (cg_str_is(name, "bytes")) {
        *known = row->bytes != CALLGAUGE_UNKNOWN;
        return !*known || add_bytes(to, row->bytes);
    }
    if (cg_str_is(name, "time") || cg_str_is(name, "mean_time")) {
        bool mean = name.len > 4;
        *known = time != CALLGAUGE_UNKNOWN && (!mean || row->calls > 0);
        return !*known || add_time(to, (double)time / (mean ? (double)row->calls : 1));
    }
    if (cg_str_is(name, "saved")) {
        *known = row->saved_calls != CALLGAUGE_UNKNOWN;
        return !*known || add_count(to, (uint64_t)row->saved_calls);
    }
    *is_measure = false;
    return true;
}

static bool add_number(const values *of, callgauge_str name, cg_buf *to, bool *known, bool *is_number)
{
    const struct {
        const char *name;
        uint64_t count;
    } counts[] = {
        { "calls", of->row->calls },
        { "errors", of->row->errors },
        { "times", of->row->times },
        { "undecided", of->row->undecided },
        { "groups", cg_count_add(of->row->group_count, of->row->groups_left_out) },
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (cg_str_is(name, counts[i].name)) {
            *known = *is_number = true;
            return add_count(to, counts[i].count);
        }
    }
    return add_measure(of, name, to, known, is_number);
}

static const callgauge_key *find_key(const callgauge_key *keys, size_t count, callgauge_str name)
{
    for (size_t i = 0; i < count; i++) {
        if (cg_str_eq(keys[i].name, name)) {
            return &keys[i];
        }
    }
    return NULL;
}

static bool look_up(void *ctx, callgauge_str name, cg_buf *to, bool *known)
{
    const values *of = ctx;
    const callgauge_finding_row *row = of->row;
    bool is_number = false;
    if (!add_number(of, name, to, known, &is_number) || is_number) {
        return is_number;
    }
    const callgauge_key *key = find_key(row->keys, row->key_count, name);
    if (key == NULL && row->group_count > 0) {
        key = find_key(row->groups[0].keys, row->groups[0].key_count, name);
    }
    key = key == NULL ? find_key(row->values, row->value_count, name) : key;
    *known = key != NULL && !cg_str_is(key->value, "unknown") && !cg_str_is(key->value, "none");
    return !*known || cg_buf_add_str(to, key->value);
}

static bool write_message(callgauge_report *report, callgauge_finding_row *row)
{
    values of = { report, row };
    cg_buf text;
    cg_buf_init(&text, MOST_MESSAGE);
    if (row->form.len == 0) {
        return true; /* a detector that is no rule wrote it */
    }
    bool whole = cg_template_render(row->form, look_up, &of, &text);
    /* A message that is too long is as good as one without its end; where memory is short the copy fails too. */
    bool good = (whole || text.len > 0) && cg_arena_str(&report->arena, cg_buf_str(&text), &row->message);
    cg_buf_release(&text);
    return good;
}

bool cg_report_settle_findings(callgauge_report *report)
{
    for (size_t i = 0; i < report->finding_count; i++) {
        if (!write_message(report, &report->findings[i])) {
            return false;
        }
    }
    if (report->finding_count > 1) {
        qsort(report->findings, report->finding_count, sizeof *report->findings, costs_cmp);
    }
    if (report->not_judged_count > 1) {
        qsort(report->not_judged, report->not_judged_count, sizeof *report->not_judged, cg_not_judged_row_cmp);
    }
    return true;
}

/* --- places */

bool cg_finding_row_move(callgauge_finding_row *row, cg_arena *arena, const size_t *map, size_t count)
{
    callgauge_evidence *moved = cg_arena_alloc(arena, row->evidence_count * sizeof *moved);
    if (moved == NULL) {
        return false;
    }
    for (size_t i = 0; i < row->evidence_count; i++) {
        size_t capture = row->evidence[i].place.capture;
        moved[i] = row->evidence[i];
        moved[i].place.capture = capture < count ? map[capture] : 0;
    }
    if (row->evidence_count > 1) {
        qsort(moved, row->evidence_count, sizeof *moved, cg_evidence_cmp);
    }
    row->evidence = moved;
    return true;
}

void cg_not_judged_row_move(callgauge_not_judged_row *row, const size_t *map, size_t count)
{
    row->capture = row->capture < count ? map[row->capture] : 0;
}

/* --- the way to them */

size_t callgauge_report_finding_count(const callgauge_report *report)
{
    return report->finding_count;
}

const callgauge_finding_row *callgauge_report_finding(const callgauge_report *report, size_t index)
{
    return index < report->finding_count ? &report->findings[index] : NULL;
}

size_t callgauge_report_not_judged_count(const callgauge_report *report)
{
    return report->not_judged_count;
}

const callgauge_not_judged_row *callgauge_report_not_judged(const callgauge_report *report, size_t index)
{
    return index < report->not_judged_count ? &report->not_judged[index] : NULL;
}

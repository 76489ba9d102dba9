/* SPDX-License-Identifier: Apache-2.0 */
/* From the form of a finding's message and its numbers to the message. Numbers are written for people, as the tables of
 * the command are: counts with commas, sizes and times in the unit that suits them, without the locale. The values that
 * a rule had worked out are kept as the language writes them (`0.058463945s`), and the form says how each is read.
 * Invariant: nothing but the row is asked, so that a merged finding and one from a saved report are told alike. */
#include "base/buf.h"
#include "base/decimal.h"
#include "base/str.h"
#include "base/template.h"
#include "report/finding.h"

enum { MOST_MESSAGE = 4096 };

/* --- numbers */

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

/* `hundredths` of something, without zeros at the end of what is behind the point. */
static bool add_hundredths(cg_buf *to, uint64_t hundredths)
{
    uint64_t behind = hundredths % 100;
    if (!add_count(to, hundredths / 100)) {
        return false;
    }
    return behind == 0 || (cg_buf_add_char(to, '.') && cg_buf_add_char(to, (char)('0' + behind / 10)) &&
                           (behind % 10 == 0 || cg_buf_add_char(to, (char)('0' + behind % 10))));
}

/* With one decimal, unless that is 0. */
static bool add_tenths(cg_buf *to, double value)
{
    return add_hundredths(to, value < 1e15 ? (uint64_t)(value * 10 + 0.5) * 10 : (uint64_t)1e17);
}

static bool add_share(cg_buf *to, double part, double whole)
{
    double percent = 100 * part / whole;
    bool small = percent < 10;
    return (small ? add_tenths(to, percent) : add_count(to, (uint64_t)(percent + 0.5))) && cg_buf_add_z(to, " %");
}

static bool add_size(cg_buf *to, int64_t bytes)
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

/* Hundredths of a unit, of which three digits count: 6.04, 58.5, 999; past a thousand all digits before the point. */
static uint64_t to_three_digits(double value)
{
    if (value < 9.995) {
        return (uint64_t)(value * 100 + 0.5);
    }
    return value < 99.95 ? (uint64_t)(value * 10 + 0.5) * 10 : (uint64_t)(value + 0.5) * 100;
}

/* 58.5 ms, 6.04 s. */
static bool add_time(cg_buf *to, double ns)
{
    static const struct {
        double worth;
        const char *name;
    } units[] = { { 1, " ns" }, { 1e3, " us" }, { 1e6, " ms" }, { 1e9, " s" } };
    size_t unit = ns < 1 ? 3 : 0;
    while (unit < 3 && to_three_digits(ns / units[unit].worth) >= 1000 * 100) {
        unit++;
    }
    return add_hundredths(to, to_three_digits(ns / units[unit].worth)) && cg_buf_add_z(to, units[unit].name);
}

/* --- numbers of the finding, by name */

typedef struct values {
    const callgauge_report *report;
    const callgauge_finding_row *row;
} values;

static cg_template_value if_any(bool any)
{
    return any ? CG_TEMPLATE_SOMETHING : CG_TEMPLATE_NOTHING;
}

static cg_template_value if_known(bool known)
{
    return known ? CG_TEMPLATE_SOMETHING : CG_TEMPLATE_UNKNOWN;
}

static bool add_measure(const values *of, callgauge_str name, cg_buf *to, cg_template_value *is, bool *is_measure)
{
    const callgauge_finding_row *row = of->row;
    int64_t time = cg_finding_cost(row->wall_ns, row->cpu_ns);
    uint64_t units = of->report->unit.from == CALLGAUGE_UNIT_NONE ? 0 : of->report->unit.count;
    *is_measure = true;
    if (cg_str_is(name, "share")) {
        *is = if_known(row->of_calls > 0);
        return *is == CG_TEMPLATE_UNKNOWN || add_share(to, (double)row->calls, (double)row->of_calls);
    }
    if (cg_str_is(name, "error_share")) {
        *is = row->calls == 0 ? CG_TEMPLATE_UNKNOWN : if_any(row->errors > 0);
        return *is == CG_TEMPLATE_UNKNOWN || add_share(to, (double)row->errors, (double)row->calls);
    }
    if (cg_str_is(name, "per_unit")) {
        *is = if_known(units > 0);
        return *is == CG_TEMPLATE_UNKNOWN || add_tenths(to, (double)row->calls / (double)units);
    }
    if (cg_str_is(name, "bytes")) {
        *is = row->bytes == CALLGAUGE_UNKNOWN ? CG_TEMPLATE_UNKNOWN : if_any(row->bytes > 0);
        return *is == CG_TEMPLATE_UNKNOWN || add_size(to, row->bytes);
    }
    if (cg_str_is(name, "time") || cg_str_is(name, "mean_time")) {
        bool mean = name.len > 4;
        bool known = time != CALLGAUGE_UNKNOWN && (!mean || row->calls > 0);
        *is = known ? if_any(time > 0) : CG_TEMPLATE_UNKNOWN;
        return !known || add_time(to, (double)time / (mean ? (double)row->calls : 1));
    }
    if (cg_str_is(name, "saved")) {
        *is = row->saved_calls == CALLGAUGE_UNKNOWN ? CG_TEMPLATE_UNKNOWN : if_any(row->saved_calls > 0);
        return *is == CG_TEMPLATE_UNKNOWN || add_count(to, (uint64_t)row->saved_calls);
    }
    *is_measure = false;
    return true;
}

static bool add_number(const values *of, callgauge_str name, cg_buf *to, cg_template_value *is, bool *is_number)
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
            *is = if_any(counts[i].count > 0);
            *is_number = true;
            return add_count(to, counts[i].count);
        }
    }
    return add_measure(of, name, to, is, is_number);
}

/* --- values that the rule names */

static const callgauge_key *find_key(const callgauge_key *keys, size_t count, callgauge_str name)
{
    for (size_t i = 0; i < count; i++) {
        if (cg_str_eq(keys[i].name, name)) {
            return &keys[i];
        }
    }
    return NULL;
}

static bool add_as_count(cg_buf *to, uint64_t number)
{
    return add_count(to, number);
}

static bool add_as_size(cg_buf *to, uint64_t number)
{
    return add_size(to, (int64_t)number);
}

static bool add_as_time(cg_buf *to, uint64_t number)
{
    return add_time(to, (double)number);
}

static const struct reading {
    const char *suffix, *unit;
    bool (*add)(cg_buf *to, uint64_t number);
} readings[] = { { ":count", "", add_as_count }, { ":size", "", add_as_size }, { ":time", "s", add_as_time } };

/* How the form says that a value is read; `name` loses the words for it. NULL: as it stands. */
static const struct reading *take_reading(callgauge_str *name)
{
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
        if (cg_str_ends(*name, readings[i].suffix)) {
            name->len -= strlen(readings[i].suffix);
            return &readings[i];
        }
    }
    return NULL;
}

/* The number of a value; false: it is none that is known here, such as a negative one. */
static bool number_of(const struct reading *reading, callgauge_str value, uint64_t *out)
{
    const char *at = value.ptr, *end = value.ptr + value.len;
    bool is_time = reading->unit[0] != '\0';
    int64_t ns = 0;
    bool good = is_time ? cg_read_seconds(&at, end, &ns, NULL) : cg_read_u64(&at, end, out) && *out <= INT64_MAX;
    *out = is_time ? (uint64_t)ns : *out;
    return good && cg_str_is(cg_str(at, (size_t)(end - at)), reading->unit);
}

static bool add_value(callgauge_str value, const struct reading *reading, cg_buf *to, cg_template_value *is)
{
    uint64_t number;
    if (reading == NULL || !number_of(reading, value, &number)) {
        *is = CG_TEMPLATE_SOMETHING;
        return cg_buf_add_str(to, value);
    }
    *is = if_any(number > 0);
    return reading->add(to, number);
}

static bool look_up(void *ctx, callgauge_str name, cg_buf *to, cg_template_value *is)
{
    const values *of = ctx;
    const callgauge_finding_row *row = of->row;
    bool is_number = false;
    if (!add_number(of, name, to, is, &is_number) || is_number) {
        return is_number;
    }
    const struct reading *reading = take_reading(&name);
    const callgauge_key *key = find_key(row->keys, row->key_count, name);
    if (key == NULL && row->group_count > 0) {
        key = find_key(row->groups[0].keys, row->groups[0].key_count, name);
    }
    key = key == NULL ? find_key(row->values, row->value_count, name) : key;
    bool known = key != NULL && !cg_str_is(key->value, "unknown") && !cg_str_is(key->value, "none");
    return !known || add_value(key->value, reading, to, is);
}

bool cg_finding_row_tell(callgauge_report *report, callgauge_finding_row *row)
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

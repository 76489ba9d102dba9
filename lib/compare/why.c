/* SPDX-License-Identifier: Apache-2.0 */
/* Why a row has its verdict, in one short line: what has grown, what has shrunk, which errors came. */
#include "compare/comparing.h"

#include "base/str.h"
#include "compare/words.h"

enum { MOST_PARTS = 3 };

/* What is said of a measure, in the order in which it matters. */
static const struct noun {
    callgauge_measure measure;
    const char *one;  /* of what is counted: "call" */
    const char *mass; /* of times: "CPU time"; of bytes what follows them: " read" */
} nouns[] = {
    { CALLGAUGE_MEASURE_STARTS, "start", NULL },       { CALLGAUGE_MEASURE_FAILED_OPENS, "failed open", NULL },
    { CALLGAUGE_MEASURE_OPENS, "open", NULL },         { CALLGAUGE_MEASURE_READS, "read", NULL },
    { CALLGAUGE_MEASURE_WRITES, "write", NULL },       { CALLGAUGE_MEASURE_CALLS, "call", NULL },
    { CALLGAUGE_MEASURE_ERRORS, "error", NULL },       { CALLGAUGE_MEASURE_CPU, NULL, "CPU time" },
    { CALLGAUGE_MEASURE_WALL, NULL, "time" },          { CALLGAUGE_MEASURE_USER, NULL, "user CPU time" },
    { CALLGAUGE_MEASURE_BYTES_READ, "byte", " read" }, { CALLGAUGE_MEASURE_BYTES_WRITTEN, "byte", " written" },
};

/* "500 more calls a unit", "16 ms more CPU time" */
static bool add_change(cg_buf *to, const struct noun *noun, const callgauge_amount *amount)
{
    double change = cg_amount_change(amount), size = change < 0 ? -change : change;
    bool is_time = cg_is_time(noun->measure);
    bool ok = is_time ? cg_words_time(to, size) : cg_words_number(to, size);
    ok = ok && cg_buf_add_z(to, change > 0 ? " more " : is_time ? " less " : " fewer ");
    ok = ok && cg_buf_add_z(to, noun->one != NULL ? noun->one : noun->mass);
    ok = ok && (noun->one == NULL || size == 1 || cg_buf_add_char(to, 's'));
    ok = ok && (noun->one == NULL || noun->mass == NULL || cg_buf_add_z(to, noun->mass));
    return ok && (amount->before.per_unit < 0 || cg_buf_add_z(to, " a unit"));
}

/* --- which errors came */

typedef struct error_growth {
    callgauge_str most; /* the name that grew most */
    double growth;
    size_t grown, shrunk;
    bool all_named; /* every error of both sides has a name */
} error_growth;

/* How often each error came on a side, as the mean of its reports. */
static double mean_of(const cg_comparing *c, const cg_party *party, const cg_item *items, size_t count)
{
    size_t first = (size_t)(party->samples - c->samples);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const callgauge_name_row *row = items[i].row;
        bool mine = items[i].sample >= first && items[i].sample < first + party->count;
        double units = c->per_unit ? (double)c->samples[items[i].sample].units : 1;
        sum += mine ? (double)row->count / units : 0;
    }
    return sum / (double)party->count;
}

static bool gather_errors(const cg_item *calls, size_t count, cg_items *names, bool *all_named)
{
    for (size_t i = 0; i < count; i++) {
        const callgauge_call_row *row = calls[i].row;
        uint64_t named = 0;
        for (size_t k = 0; k < row->error_name_count; k++) {
            const callgauge_name_row *error = &row->errors_by_name[k];
            named = cg_count_add(named, error->count);
            if (!cg_items_add(names, (cg_item){ .key = error->name, .sample = calls[i].sample, .row = error })) {
                return false;
            }
        }
        *all_named = *all_named && named == row->errors;
    }
    cg_items_sort(names);
    return true;
}

static bool find_growth(const cg_comparing *c, const cg_item *calls, size_t count, error_growth *out)
{
    cg_items names = { .count = 0 };
    *out = (error_growth){ .all_named = true };
    bool ok = gather_errors(calls, count, &names, &out->all_named);
    for (size_t i = 0, alike; ok && i < names.count; i += alike) {
        alike = cg_items_alike(&names, i);
        double growth = mean_of(c, &c->after, &names.items[i], alike) - mean_of(c, &c->before, &names.items[i], alike);
        out->grown += growth > 0;
        out->shrunk += growth < 0;
        if (growth > out->growth) {
            out->growth = growth;
            out->most = names.items[i].key;
        }
    }
    cg_items_release(&names);
    return ok;
}

/* ", all ENOENT" */
static bool add_errors(const cg_comparing *c, cg_buf *to, const cg_item *calls, size_t count, bool one)
{
    error_growth growth;
    if (!find_growth(c, calls, count, &growth)) {
        return false;
    }
    if (!growth.all_named || growth.grown == 0 || growth.shrunk > 0) {
        return true;
    }
    return cg_buf_add_z(to, growth.grown > 1 ? ", most of them "
                            : one            ? ", "
                                             : ", all ") &&
           cg_words_text(to, growth.most);
}

/* --- the line */

bool cg_row_explain(cg_comparing *c, const cg_item *calls, size_t count, callgauge_compare_row *row)
{
    cg_buf text;
    cg_buf_init(&text, CG_SENTENCE);
    bool ok = true, named = calls != NULL && row->names_before_count + row->names_after_count > 0;
    bool comes = named && row->names_before_count == 0, goes = named && row->names_after_count == 0;
    size_t parts = 0;
    if (comes || goes) {
        ok = cg_buf_add_z(&text, comes ? "new: not called before" : "no longer called");
        parts = 1;
    }
    for (size_t i = 0; ok && i < sizeof nouns / sizeof *nouns && parts < MOST_PARTS; i++) {
        const callgauge_amount *amount = &row->amounts[nouns[i].measure];
        if (amount->verdict == CALLGAUGE_VERDICT_SAME ||
            ((comes || goes) && nouns[i].measure != CALLGAUGE_MEASURE_ERRORS)) {
            continue;
        }
        ok = (parts == 0 || cg_buf_add_z(&text, ", ")) && add_change(&text, &nouns[i], amount);
        if (ok && calls != NULL && nouns[i].measure == CALLGAUGE_MEASURE_ERRORS) {
            ok = add_errors(c, &text, calls, count, cg_amount_change(amount) == 1);
        }
        parts++;
    }
    ok = ok && cg_arena_str(&c->out->arena, cg_buf_str(&text), &row->why);
    cg_buf_release(&text);
    return ok;
}

bool cg_row_explain_by_class(cg_comparing *c, const callgauge_compare_row *of_class, callgauge_compare_row *row)
{
    double change = cg_amount_change(&row->amounts[CALLGAUGE_MEASURE_CALLS]);
    double whole = cg_amount_change(&of_class->amounts[CALLGAUGE_MEASURE_CALLS]);
    cg_buf text;
    cg_buf_init(&text, CG_SENTENCE);
    const char *how_much = whole == 0 ? " as much" : (whole > 0) == (change > 0) ? " nearly as much" : " by more";
    bool ok = cg_buf_add_z(&text, "other calls of class ") && cg_buf_add_str(&text, of_class->name) &&
              cg_buf_add_z(&text, change > 0 ? " went down" : " went up") && cg_buf_add_z(&text, how_much) &&
              cg_arena_str(&c->out->arena, cg_buf_str(&text), &row->why);
    cg_buf_release(&text);
    return ok;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Files and programs of both sides, matched by what they are called in every run; those that differ are kept.
 * Invariant: nothing is said of them unless every report followed descriptors and saw every call. */
#include "compare/comparing.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/str.h"
#include "compare/same_name.h"
#include "compare/words.h"

enum { MOST_KEPT = 10000 }; /* rows of files, and of programs */

static const cg_measures FILE_MEASURES = 1u << CALLGAUGE_MEASURE_CALLS | 1u << CALLGAUGE_MEASURE_ERRORS |
                                         1u << CALLGAUGE_MEASURE_CPU | 1u << CALLGAUGE_MEASURE_WALL |
                                         1u << CALLGAUGE_MEASURE_BYTES_READ | 1u << CALLGAUGE_MEASURE_BYTES_WRITTEN |
                                         1u << CALLGAUGE_MEASURE_OPENS | 1u << CALLGAUGE_MEASURE_FAILED_OPENS |
                                         1u << CALLGAUGE_MEASURE_READS | 1u << CALLGAUGE_MEASURE_WRITES;

static const cg_measures PROGRAM_MEASURES = 1u << CALLGAUGE_MEASURE_CALLS | 1u << CALLGAUGE_MEASURE_ERRORS |
                                            1u << CALLGAUGE_MEASURE_CPU | 1u << CALLGAUGE_MEASURE_WALL |
                                            1u << CALLGAUGE_MEASURE_STARTS;

/* --- whether they can be compared */

static bool follows(const cg_sample *sample)
{
    const callgauge_report *report = sample->report;
    return sample->has_trace && (report->followed || report->file_count > 0 || report->program_count > 0);
}

static bool party_follows(const cg_party *party)
{
    for (size_t i = 0; i < party->count; i++) {
        if (!follows(&party->samples[i])) {
            return false;
        }
    }
    return true;
}

/* Whether files and programs are compared; where not, but one side has some, they are left out. */
static bool can_compare(cg_comparing *c, const char *what, bool *ok)
{
    bool before = party_follows(&c->before), after = party_follows(&c->after);
    *ok = true;
    if (before && after && c->hides_calls) {
        *ok = cg_leave_out(c, cg_str_z(what), "both", "not every call was seen on both sides");
    } else if (before != after) {
        *ok = cg_leave_out(c, cg_str_z(what), before ? "after" : "before", "its reports do not tell them");
    }
    return before && after && !c->hides_calls;
}

/* --- files */

static bool names_descriptors(const cg_sample *sample)
{
    const callgauge_report *report = sample->report;
    for (size_t i = 0; i < report->capture_count; i++) {
        if ((report->captures[i].capture.traits & CALLGAUGE_TRAIT_FD_PATHS) == 0) {
            return false;
        }
    }
    return true;
}

/* Where the captures of one side name descriptors (strace -y) and those of the other do not, a file is the same on both
 * only if it was opened by its path while both looked. */
static bool only_opened(const cg_comparing *c)
{
    for (size_t i = 1; i < c->count; i++) {
        if (names_descriptors(&c->samples[i]) != names_descriptors(&c->samples[0])) {
            return true;
        }
    }
    return false;
}

static bool was_opened(const callgauge_file_row *row)
{
    bool by_path = row->path.len > 0 && row->kind != CALLGAUGE_FILE_SOCKET && row->kind != CALLGAUGE_FILE_PIPE;
    return by_path && !row->relative && (row->opens > 0 || row->failed_open_count > 0);
}

static bool gather_files(cg_comparing *c, cg_items *items)
{
    bool opened = only_opened(c);
    if (opened && !cg_leave_out(c, cg_str_z("files open before"), "both", "only one side names its descriptors")) {
        return false;
    }
    for (size_t i = 0; i < c->count; i++) {
        const callgauge_report *report = c->samples[i].report;
        for (size_t k = 0; k < report->file_count; k++) {
            cg_item item = { .sample = i, .row = &report->files[k] };
            if (opened && !was_opened(item.row)) {
                continue;
            }
            if (!cg_same_file(report, item.row, &c->out->arena, &item.key)) {
                return false;
            }
            item.name = item.key;
            if (!cg_items_add(items, item)) {
                return false;
            }
        }
    }
    cg_items_sort(items);
    return true;
}

static int64_t failed_opens(const callgauge_file_row *row, const char *error)
{
    uint64_t count = 0;
    for (size_t i = 0; i < row->failed_open_count; i++) {
        bool wanted = error == NULL || cg_str_is(row->failed_opens_by_error[i].name, error);
        count = wanted ? cg_count_add(count, row->failed_opens_by_error[i].count) : count;
    }
    return cg_count_held(count);
}

/* A time of only some of the calls is none; the time of an accept() is that of the socket that listens. */
static int64_t time_of(uint64_t calls, uint64_t opens, int64_t ns, uint64_t timed)
{
    if (ns == CALLGAUGE_UNKNOWN && calls <= opens) {
        return 0;
    }
    return timed > 0 && timed < calls - (opens < calls ? opens : calls) ? CALLGAUGE_UNKNOWN : ns;
}

static void add_file(cg_comparing *c, const cg_item *item)
{
    const callgauge_file_row *row = item->row;
    cg_values_add(c, CALLGAUGE_MEASURE_CALLS, item->sample, cg_count_held(row->calls));
    cg_values_add(c, CALLGAUGE_MEASURE_ERRORS, item->sample, cg_count_held(row->errors));
    cg_values_add(c, CALLGAUGE_MEASURE_CPU, item->sample, time_of(row->calls, row->opens, row->cpu_ns, row->cpu_calls));
    cg_values_add(c, CALLGAUGE_MEASURE_WALL, item->sample,
                  time_of(row->calls, row->opens, row->wall_ns, row->wall_calls));
    cg_values_add(c, CALLGAUGE_MEASURE_BYTES_READ, item->sample, row->reads == 0 ? 0 : row->bytes_read);
    cg_values_add(c, CALLGAUGE_MEASURE_BYTES_WRITTEN, item->sample, row->writes == 0 ? 0 : row->bytes_written);
    cg_values_add(c, CALLGAUGE_MEASURE_OPENS, item->sample, cg_count_held(row->opens));
    cg_values_add(c, CALLGAUGE_MEASURE_FAILED_OPENS, item->sample, failed_opens(row, NULL));
    cg_values_add(c, CALLGAUGE_MEASURE_READS, item->sample, cg_count_held(row->reads));
    cg_values_add(c, CALLGAUGE_MEASURE_WRITES, item->sample, cg_count_held(row->writes));
}

static void sum_files(cg_comparing *c, const cg_item *items, size_t count)
{
    cg_values_begin(c, FILE_MEASURES);
    for (size_t i = 0; i < count; i++) {
        add_file(c, &items[i]);
    }
}

/* --- programs */

static bool gather_programs(cg_comparing *c, cg_items *items)
{
    for (size_t i = 0; i < c->count; i++) {
        const callgauge_report *report = c->samples[i].report;
        for (size_t k = 0; k < report->program_count; k++) {
            cg_item item = { .sample = i, .row = &report->programs[k] };
            if (!cg_same_path(report, report->programs[k].program, &c->out->arena, &item.key)) {
                return false;
            }
            item.name = item.key;
            if (!cg_items_add(items, item)) {
                return false;
            }
        }
    }
    cg_items_sort(items);
    return true;
}

static void sum_programs(cg_comparing *c, const cg_item *items, size_t count)
{
    cg_values_begin(c, PROGRAM_MEASURES);
    for (size_t i = 0; i < count; i++) {
        const callgauge_program_row *row = items[i].row;
        size_t sample = items[i].sample;
        cg_values_add(c, CALLGAUGE_MEASURE_STARTS, sample, cg_count_held(row->starts));
        cg_values_add(c, CALLGAUGE_MEASURE_CALLS, sample, cg_count_held(row->calls));
        cg_values_add(c, CALLGAUGE_MEASURE_ERRORS, sample, cg_count_held(row->errors));
        cg_values_add(c, CALLGAUGE_MEASURE_CPU, sample, time_of(row->calls, 0, row->cpu_ns, row->cpu_calls));
        cg_values_add(c, CALLGAUGE_MEASURE_WALL, sample, time_of(row->calls, 0, row->wall_ns, row->wall_calls));
    }
}

/* --- those that differ */

typedef void sum_fn(cg_comparing *c, const cg_item *items, size_t count);

/* Items of one key, whose amounts differ. */
typedef struct run {
    const cg_item *items;
    size_t count;
    callgauge_verdict verdict;
    double impact;       /* calls and errors, more or fewer */
    double failed_opens; /* more, or (below 0) fewer */
    bool opens_no_more;  /* there are no failed opens after */
} run;

typedef struct runs {
    run *items;
    size_t count;
} runs;

static run run_of(const cg_item *items, size_t count, const callgauge_amount *amounts)
{
    const callgauge_amount *failed = &amounts[CALLGAUGE_MEASURE_FAILED_OPENS];
    return (run){
        .items = items,
        .count = count,
        .verdict = cg_amounts_verdict(amounts),
        .impact = cg_amounts_impact(amounts),
        .failed_opens = failed->verdict == CALLGAUGE_VERDICT_SAME ? 0 : cg_amount_change(failed),
        .opens_no_more = failed->after.value == 0,
    };
}

/* The keys whose amounts differ. */
static bool find_different(cg_comparing *c, const cg_items *items, sum_fn *sum, runs *out)
{
    callgauge_amount amounts[CALLGAUGE_MEASURE_COUNT];
    out->items = cg_arena_alloc(&c->scratch, items->count * sizeof *out->items);
    if (out->items == NULL) {
        return false;
    }
    for (size_t i = 0, alike; i < items->count; i += alike) {
        alike = cg_items_alike(items, i);
        sum(c, &items->items[i], alike);
        if (!cg_amounts_judge(c, amounts)) {
            return false;
        }
        if (cg_amounts_verdict(amounts) != CALLGAUGE_VERDICT_SAME) {
            out->items[out->count++] = run_of(&items->items[i], alike, amounts);
        }
    }
    return true;
}

static int run_cmp(const void *a, const void *b)
{
    const run *x = a, *y = b;
    if (x->verdict != y->verdict) {
        return x->verdict > y->verdict ? -1 : 1;
    }
    if (x->impact != y->impact) {
        return x->impact > y->impact ? -1 : 1;
    }
    return cg_str_cmp(x->items->key, y->items->key);
}

/* Keeps those that changed most, where there are very many. False: no memory. */
static bool keep_most(cg_comparing *c, runs *all, const char *what)
{
    if (all->count <= MOST_KEPT) {
        return true;
    }
    qsort(all->items, all->count, sizeof *all->items, run_cmp);
    cg_buf text;
    callgauge_str said;
    cg_buf_init(&text, CG_SENTENCE);
    bool ok = cg_words_number(&text, (double)(all->count - MOST_KEPT)) && cg_buf_add_char(&text, ' ') &&
              cg_buf_add_z(&text, what) && cg_arena_str(&c->out->arena, cg_buf_str(&text), &said) &&
              cg_leave_out(c, said, "both", "they differ too, but changed less than those that are kept");
    all->count = MOST_KEPT;
    cg_buf_release(&text);
    return ok;
}

static bool make_rows(cg_comparing *c, const runs *from, sum_fn *sum, cg_compare_rows *out)
{
    out->items = cg_arena_alloc(&c->out->arena, from->count * sizeof *out->items);
    for (size_t i = 0; out->items != NULL && i < from->count; i++) {
        callgauge_compare_row *row = &out->items[i];
        sum(c, from->items[i].items, from->items[i].count);
        if (!cg_row_make(c, from->items[i].items, from->items[i].count, row) || !cg_row_explain(c, NULL, 0, row)) {
            return false;
        }
        out->count++;
    }
    return out->items != NULL;
}

/* Whether most of the failed opens are of a path that goes on below a file. */
static bool is_below_file(const cg_item *items, size_t count)
{
    int64_t below = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        below = cg_known_add(below, failed_opens(items[i].row, "ENOTDIR"));
        all = cg_known_add(all, failed_opens(items[i].row, NULL));
    }
    return below > all - below;
}

/* Remembers the files that are looked for in vain more often or less, for the headline. */
static bool take_lookups(cg_comparing *c, const runs *from)
{
    c->lookups.items = cg_arena_alloc(&c->scratch, from->count * sizeof *c->lookups.items);
    for (size_t i = 0; c->lookups.items != NULL && i < from->count; i++) {
        const run *one = &from->items[i];
        if (one->failed_opens != 0) {
            c->lookups.items[c->lookups.count++] = (cg_lookup){
                .path = one->items->key,
                .growth = one->failed_opens,
                .is_below_file = is_below_file(one->items, one->count),
                .is_gone = one->opens_no_more,
            };
        }
    }
    return c->lookups.items != NULL;
}

/* The kinds of files, as any report tells them. */
static void take_kinds(cg_comparing *c, const runs *from)
{
    for (size_t i = 0; i < c->out->files.count; i++) {
        callgauge_file_kind kind = CALLGAUGE_FILE_UNKNOWN;
        for (size_t k = 0; k < from->items[i].count && kind == CALLGAUGE_FILE_UNKNOWN; k++) {
            kind = ((const callgauge_file_row *)from->items[i].items[k].row)->kind;
        }
        c->out->files.items[i].kind = kind;
    }
}

callgauge_status cg_compare_files(cg_comparing *c, callgauge_error *err)
{
    cg_items items = { .count = 0 };
    runs different = { .count = 0 };
    bool ok;
    if (can_compare(c, "files", &ok)) {
        ok = gather_files(c, &items) && find_different(c, &items, sum_files, &different) &&
             take_lookups(c, &different) && keep_most(c, &different, "files") &&
             make_rows(c, &different, sum_files, &c->out->files);
    }
    if (ok) {
        take_kinds(c, &different);
    }
    cg_items_release(&items);
    return ok ? CALLGAUGE_OK : cg_fail_nomem(err);
}

callgauge_status cg_compare_programs(cg_comparing *c, callgauge_error *err)
{
    cg_items items = { .count = 0 };
    runs different = { .count = 0 };
    bool ok;
    if (can_compare(c, "programs", &ok)) {
        ok = gather_programs(c, &items) && find_different(c, &items, sum_programs, &different) &&
             keep_most(c, &different, "programs") && make_rows(c, &different, sum_programs, &c->out->programs);
    }
    cg_items_release(&items);
    return ok ? CALLGAUGE_OK : cg_fail_nomem(err);
}

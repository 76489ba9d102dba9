/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison in the making: the sides and what they could see, and the steps that each fill one list of it.
 * Invariant: nothing here depends on the order in which the reports of a side were given, since the sides are put in
 * the order of their contents first. */
#ifndef CG_COMPARE_COMPARING_H
#define CG_COMPARE_COMPARING_H

#include "base/buf.h"
#include "compare/comparison.h"
#include "compare/share.h"
#include "report/report.h"
#include "report/traced.h"

typedef uint32_t cg_measures; /* a bit for each callgauge_measure */

/* A report as one sample of its side. */
typedef struct cg_sample {
    const callgauge_report *report;
    uint64_t units;        /* 0: none */
    cg_measures tells;     /* of its calls: where it has no row of a call, these are 0 */
    bool has_trace;        /* one of its captures is a trace */
    bool has_truss_table;  /* all of it is tables of truss, which have rows for calls that return nothing */
    bool has_strace_table; /* all of it is tables of strace, which have no rows for calls that it does not know */
    bool is_of_strace;     /* one of its captures is; its CPU times are rough */
} cg_sample;

/* A side. */
typedef struct cg_party {
    const char *name; /* "before", "after" */
    const cg_sample *samples;
    size_t count;
    cg_traced declared; /* what the options say of its reports */
    bool is_declared;
    cg_traced *traced; /* what its captures say */
    size_t traced_count;
    bool is_proved_filtered; /* a capture shows that it was filtered, and nobody says how */
} cg_party;

/* A file that is opened in vain more often than before, or less. */
typedef struct cg_lookup {
    callgauge_str path;
    double growth;      /* of failed opens, per unit where there are units */
    bool is_below_file; /* ENOTDIR: a part of the path is no directory */
    bool is_gone;       /* it is not looked for any more */
} cg_lookup;

typedef struct cg_lookups {
    cg_lookup *items;
    size_t count;
} cg_lookups;

typedef struct cg_comparing {
    callgauge_comparison *out;
    callgauge_compare_options options;
    cg_arena scratch;   /* what is not needed afterwards */
    cg_sample *samples; /* those of `before`, then those of `after` */
    size_t count;
    cg_party before, after;
    bool per_unit;        /* all samples have units of one kind */
    bool is_conditional;  /* only events that meet a condition are counted: it may be right that there are none */
    bool adds_unreturned; /* a table of truss stands against traces */
    bool hides_raw_names; /* a table of strace stands against traces */
    bool has_rough_cpu;   /* CPU times of strace, which differ up to fifty-fold between equal runs (docs/ci.md) */
    int64_t *values;      /* of the row at hand: samples of a measure stand together */
    cg_share *shares;     /* room for a share of each sample */
    uint64_t *places;     /* and for its place among the others */
    bool hides_calls;     /* a side could not see all calls that the other has: what it shows of files is not whole */
    cg_lookups lookups;   /* files that are opened in vain more often, or less */
    size_t left_out_room, hint_room;
} cg_comparing;

/* Each returns CALLGAUGE_E_NOMEM at least, when there is no memory; others as their comments say. */

/* Puts the reports in their order, proves that they can be compared, finds what they could see. E_USAGE, E_FORMAT. */
callgauge_status cg_compare_sides(cg_comparing *c, cg_reports before, cg_reports after, callgauge_error *err);
/* A copy of a side in its order, in `arena`. False: no memory. */
bool cg_reports_order(cg_arena *arena, cg_reports given, cg_reports *out);
/* E_FORMAT: too little was understood of a report; E_USAGE: the reports count other events. Part of the sides. */
callgauge_status cg_check_understood(cg_comparing *c, callgauge_error *err);
/* Calls, classes, totals. E_FORMAT: there is no call that both sides could see. */
callgauge_status cg_compare_calls(cg_comparing *c, callgauge_error *err);

/* Files and programs that differ. */
callgauge_status cg_compare_files(cg_comparing *c, callgauge_error *err);
callgauge_status cg_compare_programs(cg_comparing *c, callgauge_error *err);
/* Findings that came, went, changed. */
callgauge_status cg_compare_findings(cg_comparing *c, callgauge_error *err);
/* Kinds of time, and bytes, that only one side tells; and what the user should know. */
callgauge_status cg_compare_rest(cg_comparing *c, callgauge_error *err);
/* The sentence that says what matters most; after all others. */
callgauge_status cg_compare_headline(cg_comparing *c, callgauge_error *err);

/* Adds what failing opens looked for, of which there are more or (below 0) fewer: ": .htaccess looked for in 4
 * directories and once below the file itself". Nothing where no file is known. False: no memory. */
bool cg_words_lookups(cg_comparing *c, cg_buf *to, double change);

/* Whether every report of a side could see a call; `why` is set where not. `has_it`: one of them has a row of it. */
bool cg_party_sees(const cg_party *party, callgauge_str name, callgauge_class call_class, bool has_it,
                   const char **why);

/* `what` is borrowed from a report or static; `side` and `why` are static. False: no memory. */
bool cg_leave_out(cg_comparing *c, callgauge_str what, const char *side, const char *why);
/* Puts what is left out in its order. */
void cg_left_out_sort(callgauge_comparison *comparison);
/* A copy of the text is kept. False: no memory. */
bool cg_add_hint(cg_comparing *c, callgauge_str text);

/* --- rows of reports, matched by a key */

typedef struct cg_item {
    callgauge_str key, name; /* name: tells the parts of one key apart, for lists of names */
    size_t sample;
    const void *row; /* of the report */
} cg_item;

typedef struct cg_items {
    cg_item *items;
    size_t count, room;
} cg_items;

/* False: no memory. */
bool cg_items_add(cg_items *items, cg_item item);
void cg_items_release(cg_items *items);
/* By key, name, sample. */
void cg_items_sort(cg_items *items);
/* How many items from `first` on have its key. */
size_t cg_items_alike(const cg_items *items, size_t first);

/* Sets the values of the row at hand to 0 in each sample that `tells` of a measure, else to unknown. */
void cg_values_begin(cg_comparing *c, cg_measures measures);
/* Adds to a value of the row at hand; unknown stays. */
void cg_values_add(cg_comparing *c, callgauge_measure measure, size_t sample, int64_t value);
/* Says that no sample tells of a measure. */
void cg_values_forget(cg_comparing *c, callgauge_measure measure);
/* Judges the values of the row at hand: CALLGAUGE_MEASURE_COUNT amounts. False: no memory. */
bool cg_amounts_judge(cg_comparing *c, callgauge_amount *amounts);
/* The same into a row, with its verdict. False: no memory. */
bool cg_amounts_make(cg_comparing *c, callgauge_compare_row *out);
/* Makes a row of the comparison of the values and of items with one key. False: no memory. */
bool cg_row_make(cg_comparing *c, const cg_item *items, size_t count, callgauge_compare_row *out);
/* Says why a row has its verdict. `calls`: rows of calls that it is made of; NULL: it is no row of calls. False: no
 * memory. */
bool cg_row_explain(cg_comparing *c, const cg_item *calls, size_t count, callgauge_compare_row *row);
/* Says that other calls of the class make up for a row. False: no memory. */
bool cg_row_explain_by_class(cg_comparing *c, const callgauge_compare_row *of_class, callgauge_compare_row *row);

/* The row of a class of calls; NULL: there is none. */
const callgauge_compare_row *cg_row_of_class(const callgauge_comparison *comparison, callgauge_class call_class);

/* The time of a row that is known and only shown; CALLGAUGE_MEASURE_COUNT: there is none, or it does not matter. */
callgauge_measure cg_shown_time(const cg_comparing *c, const callgauge_amount *amounts);

/* What an amount has grown by, per unit where there are units; 0 where a side is unknown. */
double cg_amount_change(const callgauge_amount *amount);
/* How many calls and errors there are more, or fewer. */
double cg_amounts_impact(const callgauge_amount *amounts);
/* Puts rows in the order of their impact. */
void cg_rows_sort(cg_compare_rows *rows);

/* --- judging */

/* Judges the values of a measure of the row at hand. False: no memory. */
bool cg_judge(cg_comparing *c, callgauge_measure measure, callgauge_amount *out);
/* Whether the sides of an amount are as far apart as its floors ask for, judged or not. */
bool cg_amount_matters(const cg_comparing *c, callgauge_measure measure, const callgauge_amount *amount);
/* What the amounts of a row come to. */
callgauge_verdict cg_amounts_verdict(const callgauge_amount *amounts);

static inline bool cg_is_time(callgauge_measure measure)
{
    return measure == CALLGAUGE_MEASURE_CPU || measure == CALLGAUGE_MEASURE_WALL || measure == CALLGAUGE_MEASURE_USER ||
           measure == CALLGAUGE_MEASURE_ELAPSED;
}

static inline bool cg_is_bytes(callgauge_measure measure)
{
    return measure == CALLGAUGE_MEASURE_BYTES_READ || measure == CALLGAUGE_MEASURE_BYTES_WRITTEN;
}

#endif

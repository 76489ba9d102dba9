/* SPDX-License-Identifier: Apache-2.0 */
/* What a comparison gives to its readers: names of its words, and its rows by number. */
#include "compare/comparison.h"

#include "base/mem.h"

/* --- words */

const char *callgauge_verdict_text(callgauge_verdict verdict)
{
    static const char *const texts[] = { "same", "improved", "different", "regression" };
    return (unsigned)verdict < sizeof texts / sizeof *texts ? texts[verdict] : texts[CALLGAUGE_VERDICT_DIFFERENT];
}

const char *callgauge_measure_text(callgauge_measure measure)
{
    static const char *const texts[CALLGAUGE_MEASURE_COUNT] = {
        "calls",      "errors", "cpu_ns",       "wall_ns", "bytes_read", "bytes_written", "user_ns",
        "elapsed_ns", "opens",  "failed_opens", "reads",   "writes",     "starts",
    };
    return (unsigned)measure < CALLGAUGE_MEASURE_COUNT ? texts[measure] : "unknown";
}

const char *callgauge_limit_state_text(callgauge_limit_state state)
{
    static const char *const texts[] = { "kept", "broken", "not judged" };
    return (unsigned)state < sizeof texts / sizeof *texts ? texts[state] : texts[CALLGAUGE_LIMIT_NOT_JUDGED];
}

/* --- the object */

callgauge_comparison *cg_comparison_new(void)
{
    static const callgauge_side unseen = { CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN, CALLGAUGE_UNKNOWN, -1 };
    callgauge_comparison *comparison = cg_mem_zeroed(1, sizeof *comparison);
    if (comparison == NULL) {
        return NULL;
    }
    callgauge_amount *amounts = cg_arena_alloc(&comparison->arena, CALLGAUGE_MEASURE_COUNT * sizeof *amounts);
    if (amounts == NULL) {
        callgauge_comparison_free(comparison);
        return NULL;
    }
    for (size_t i = 0; i < CALLGAUGE_MEASURE_COUNT; i++) {
        amounts[i] = (callgauge_amount){ .before = unseen, .after = unseen, .p = -1 };
    }
    comparison->totals.amounts = amounts;
    comparison->headline = "";
    return comparison;
}

void callgauge_comparison_free(callgauge_comparison *comparison)
{
    if (comparison != NULL) {
        cg_arena_release(&comparison->arena);
        cg_mem_free(comparison);
    }
}

/* --- what it holds */

callgauge_verdict callgauge_comparison_verdict(const callgauge_comparison *comparison)
{
    return comparison->verdict;
}

const char *callgauge_comparison_headline(const callgauge_comparison *comparison)
{
    return comparison->headline;
}

bool callgauge_comparison_has_sides(const callgauge_comparison *comparison)
{
    return comparison->has_sides;
}

bool callgauge_comparison_by_class(const callgauge_comparison *comparison)
{
    return comparison->by_class;
}

const callgauge_compare_row *callgauge_comparison_totals(const callgauge_comparison *comparison)
{
    return &comparison->totals;
}

static const callgauge_report *const *reports_of(const cg_reports *side, size_t *count)
{
    if (count != NULL) {
        *count = side->count;
    }
    return side->items;
}

const callgauge_report *const *callgauge_comparison_before(const callgauge_comparison *comparison, size_t *count)
{
    return reports_of(&comparison->before, count);
}

const callgauge_report *const *callgauge_comparison_after(const callgauge_comparison *comparison, size_t *count)
{
    return reports_of(&comparison->after, count);
}

static const callgauge_compare_row *row_at(const cg_compare_rows *rows, size_t index)
{
    return index < rows->count ? &rows->items[index] : NULL;
}

size_t callgauge_comparison_call_count(const callgauge_comparison *comparison)
{
    return comparison->calls.count;
}

const callgauge_compare_row *callgauge_comparison_call(const callgauge_comparison *comparison, size_t index)
{
    return row_at(&comparison->calls, index);
}

size_t callgauge_comparison_class_count(const callgauge_comparison *comparison)
{
    return comparison->classes.count;
}

const callgauge_compare_row *callgauge_comparison_class(const callgauge_comparison *comparison, size_t index)
{
    return row_at(&comparison->classes, index);
}

size_t callgauge_comparison_file_count(const callgauge_comparison *comparison)
{
    return comparison->files.count;
}

const callgauge_compare_row *callgauge_comparison_file(const callgauge_comparison *comparison, size_t index)
{
    return row_at(&comparison->files, index);
}

size_t callgauge_comparison_program_count(const callgauge_comparison *comparison)
{
    return comparison->programs.count;
}

const callgauge_compare_row *callgauge_comparison_program(const callgauge_comparison *comparison, size_t index)
{
    return row_at(&comparison->programs, index);
}

size_t callgauge_comparison_finding_count(const callgauge_comparison *comparison)
{
    return comparison->finding_count;
}

const callgauge_finding_change *callgauge_comparison_finding(const callgauge_comparison *comparison, size_t index)
{
    return index < comparison->finding_count ? &comparison->findings[index] : NULL;
}

size_t callgauge_comparison_left_out_count(const callgauge_comparison *comparison)
{
    return comparison->left_out_count;
}

const callgauge_left_out_row *callgauge_comparison_left_out(const callgauge_comparison *comparison, size_t index)
{
    return index < comparison->left_out_count ? &comparison->left_out[index] : NULL;
}

size_t callgauge_comparison_hint_count(const callgauge_comparison *comparison)
{
    return comparison->hint_count;
}

const char *callgauge_comparison_hint(const callgauge_comparison *comparison, size_t index)
{
    return index < comparison->hint_count ? comparison->hints[index] : NULL;
}

size_t callgauge_comparison_limit_count(const callgauge_comparison *comparison)
{
    return comparison->limit_count;
}

const callgauge_limit_result *callgauge_comparison_limit(const callgauge_comparison *comparison, size_t index)
{
    return index < comparison->limit_count ? &comparison->limits[index] : NULL;
}

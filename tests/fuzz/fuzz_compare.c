/* SPDX-License-Identifier: Apache-2.0 */
/* Two reports and a byte of options: the first byte chooses options, a NUL parts the reports. Sides are compared in
 * both orders: swapped sides turn the verdict, the same reports on both sides are the same,
 * and every form takes it. */
#include "written.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static callgauge_compare_options options_of(uint8_t choice)
{
    return (callgauge_compare_options){
        .size = sizeof(callgauge_compare_options),
        .before_traced = (choice & 1) != 0 ? "open,%read" : NULL,
        .after_traced = (choice & 2) != 0 ? "!write" : NULL,
        .count_percent = (choice & 4) != 0 ? 10 : 0,
        .count_floor = (choice & 8) != 0 ? 5 : 0,
        .time_percent = (choice & 16) != 0 ? 1e-9 : 0,
        .time_floor_ns = (choice & 32) != 0 ? 1 : 0,
        .understood_percent = (choice & 64) != 0 ? 1e-9 : 0,
    };
}

static text write_it(const callgauge_comparison *comparison, const char *format)
{
    text out = { NULL, 0, 0 };
    callgauge_output to = { add_to_text, &out };
    must(callgauge_write_comparison(comparison, format, NULL, &to, NULL) == CALLGAUGE_OK);
    return out;
}

static void write_all(const callgauge_comparison *comparison)
{
    static const char *const forms[] = { "text", "json", "csv", "markdown", "junit", "sarif", "github" };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        free(write_it(comparison, forms[i]).data);
    }
}

static callgauge_verdict turned(callgauge_verdict verdict)
{
    switch (verdict) {
    case CALLGAUGE_VERDICT_IMPROVED: return CALLGAUGE_VERDICT_REGRESSION;
    case CALLGAUGE_VERDICT_REGRESSION: return CALLGAUGE_VERDICT_IMPROVED;
    default: return verdict;
    }
}

static void check_turned(const callgauge_amount *a, const callgauge_amount *b)
{
    must(a->judged == b->judged && a->verdict == turned(b->verdict));
    must(a->before.value == b->after.value && a->after.value == b->before.value);
}

static void compare(const callgauge_report *before, const callgauge_report *after, uint8_t choice)
{
    callgauge_compare_options there = options_of(choice), back = there;
    callgauge_comparison *a = NULL, *b = NULL;
    back.before_traced = there.after_traced;
    back.after_traced = there.before_traced;
    callgauge_status status = callgauge_compare(&before, 1, &after, 1, &there, &a, NULL);
    must(callgauge_compare(&after, 1, &before, 1, &back, &b, NULL) == status);
    if (status != CALLGAUGE_OK) {
        return;
    }
    const callgauge_compare_row *x = callgauge_comparison_totals(a), *y = callgauge_comparison_totals(b);
    for (size_t m = 0; m < CALLGAUGE_MEASURE_COUNT; m++) {
        check_turned(&x->amounts[m], &y->amounts[m]);
    }
    must(callgauge_comparison_call_count(a) == callgauge_comparison_call_count(b));
    must(callgauge_comparison_file_count(a) == callgauge_comparison_file_count(b));
    must(callgauge_comparison_finding_count(a) == callgauge_comparison_finding_count(b));
    write_all(a);
    callgauge_comparison_free(a);
    callgauge_comparison_free(b);
}

static void compare_repeats(const callgauge_report *one, const callgauge_report *other, uint8_t choice)
{
    const callgauge_report *mixed[] = { one, other }, *turned_round[] = { other, one };
    const callgauge_compare_options options = options_of((uint8_t)(choice & 0xfcu));
    callgauge_comparison *a = NULL, *b = NULL;
    callgauge_status status = callgauge_compare(mixed, 2, turned_round, 2, &options, &a, NULL);
    must(callgauge_compare(turned_round, 2, mixed, 2, &options, &b, NULL) == status);
    if (status != CALLGAUGE_OK) {
        return;
    }
    text first = write_it(a, "json"), second = write_it(b, "json");
    must(callgauge_comparison_verdict(a) == CALLGAUGE_VERDICT_SAME);
    must(same_text(&first, &second));
    free(first.data);
    free(second.data);
    callgauge_comparison_free(a);
    callgauge_comparison_free(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    callgauge_report *before = NULL, *after = NULL;
    const uint8_t *part = size > 1 ? memchr(data + 1, '\0', size - 1) : NULL;
    if (part == NULL) {
        return 0;
    }
    size_t length = (size_t)(part - data) - 1;
    if (callgauge_report_read("before", data + 1, length, &before, NULL) == CALLGAUGE_OK &&
        callgauge_report_read("after", part + 1, size - length - 2, &after, NULL) == CALLGAUGE_OK) {
        compare(before, after, data[0]);
        compare_repeats(before, after, data[0]);
    }
    callgauge_report_free(before);
    callgauge_report_free(after);
    return 0;
}

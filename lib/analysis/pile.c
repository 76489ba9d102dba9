/* SPDX-License-Identifier: Apache-2.0 */
/* From reports, one after the other, to their sum. */
#include "analysis/pile.h"

static callgauge_status merge_two(callgauge_report *a, callgauge_report *b, callgauge_report **out,
                                  callgauge_error *err)
{
    const callgauge_report *both[] = { a, b };
    callgauge_status status = callgauge_report_merge(both, 2, out, err);
    callgauge_report_free(a);
    callgauge_report_free(b);
    return status;
}

callgauge_status cg_pile_add(cg_pile *pile, callgauge_report *report, callgauge_error *err)
{
    size_t k = 0;
    for (; pile->of[k] != NULL; k++) {
        callgauge_report *other = pile->of[k];
        pile->of[k] = NULL;
        callgauge_status status = merge_two(other, report, &report, err);
        if (status != CALLGAUGE_OK) {
            return status;
        }
    }
    pile->of[k] = report;
    return CALLGAUGE_OK;
}

callgauge_status cg_pile_take(cg_pile *pile, callgauge_report **out, callgauge_error *err)
{
    callgauge_report *sum = NULL;
    for (size_t k = 0; k < CG_PILE_DEPTH; k++) {
        callgauge_report *report = pile->of[k];
        pile->of[k] = NULL;
        if (sum == NULL || report == NULL) {
            sum = sum == NULL ? report : sum;
            continue;
        }
        callgauge_status status = merge_two(sum, report, &sum, err);
        if (status != CALLGAUGE_OK) {
            return status;
        }
    }
    *out = sum;
    return CALLGAUGE_OK;
}

void cg_pile_release(cg_pile *pile)
{
    for (size_t k = 0; k < CG_PILE_DEPTH; k++) {
        callgauge_report_free(pile->of[k]);
        pile->of[k] = NULL;
    }
}

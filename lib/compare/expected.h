/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded sequences of calls against those that a budget expects. */
#ifndef CG_COMPARE_EXPECTED_H
#define CG_COMPARE_EXPECTED_H

#include <callgauge/compare.h>

#include "base/arena.h"
#include "compare/diff.h"
#include "rules/budget.h"

/* Judges what the report recorded for an expectation, in all its captures; all of `out` is set, its text lies in
 * `arena` or is the budget's. Kept: in every capture exactly these calls came, as often as is asked, each time up to
 * the second marker; but see cg_is_cut_off(): `cut_off` gets how many of those a kept one had. Not judged: nothing was
 * recorded of a capture, or not all. False: no memory. */
bool cg_check_expected(const cg_expectation *of, const callgauge_report *report, cg_arena *arena,
                       callgauge_limit_result *out, uint64_t *cut_off);

/* The lines of `calls`, without blanks at both ends and blank lines. `"..."` is `"…"` and `{…}` is `{...}` in them, so
 * that either may be typed. False: no memory. */
bool cg_expected_lines(callgauge_str calls, cg_arena *arena, cg_text_lines *out);

/* The calls of a recorded row as such lines. */
bool cg_recorded_lines(const callgauge_recorded_row *row, cg_arena *arena, cg_text_lines *out);

bool cg_lines_equal(cg_text_lines a, cg_text_lines b);

/* Whether a row is a sequence that the capture's end cut off, whose calls are the first ones of `expected`, and that
 * came whole at least once in the same capture: a server's last request. False with `nomem` set: no memory. */
bool cg_is_cut_off(const callgauge_report *report, const callgauge_recorded_row *row, cg_text_lines expected,
                   cg_arena *arena, bool *nomem);

#endif

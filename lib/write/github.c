/* SPDX-License-Identifier: Apache-2.0 */
/* Workflow commands of GitHub, which make annotations: what is wrong, the worst first, since only the first ten of a
 * step are shown.
 * Invariant: a line for each; no text ends or begins a command of its own. */
#include "write/escape.h"
#include "write/problems.h"
#include "write/text.h"
#include "write/writers.h"

#include "base/str.h"

static void write_problem(const cg_problems *problems, const cg_problem *problem, cg_out *out)
{
    static const char *const commands[] = { "::notice ", "::warning ", "::error " };
    uint64_t line;
    callgauge_str file = cg_problem_place(problems, problem, &line);
    cg_out_z(out, commands[problem->severity]);
    if (file.len > 0) {
        cg_out_z(out, "file=");
        cg_escape_property(out, file);
        cg_out_char(out, ',');
    }
    if (file.len > 0 && line > 0) {
        cg_out_z(out, "line=");
        cg_out_u64(out, line);
        cg_out_char(out, ',');
    }
    cg_out_z(out, "title=callgauge%3A ");
    cg_escape_property(out, cg_problem_rule(problem));
    cg_out_z(out, "::");
    cg_problem_message(problem, cg_escape_command, out);
    cg_out_char(out, '\n');
}

/* One line for all, where nothing is wrong: what changed, or that limits are kept. */
static void write_headline(const callgauge_comparison *comparison, cg_out *out)
{
    cg_out_z(out, "::notice title=callgauge%3A ");
    cg_out_z(out, cg_compare_outcome(comparison));
    cg_out_z(out, "::");
    cg_escape_command(out, cg_str_z(callgauge_comparison_headline(comparison)));
    cg_out_char(out, '\n');
}

bool cg_write_github(const callgauge_comparison *comparison, const callgauge_write_options *options, cg_out *out)
{
    cg_problems problems;
    if (!cg_problems_make(comparison, &problems)) {
        return false;
    }
    size_t shown = options->limit == 0 || problems.count < options->limit ? problems.count : options->limit;
    for (size_t i = 0; i < shown; i++) {
        write_problem(&problems, &problems.items[i], out);
    }
    if (problems.count == 0) {
        write_headline(comparison, out);
    }
    if (shown < problems.count) {
        cg_out_z(out, "callgauge: ");
        cg_text_count(problems.count - shown, "more is not shown", "more are not shown", out);
        cg_out_char(out, '\n');
    }
    cg_problems_release(&problems);
    return true;
}

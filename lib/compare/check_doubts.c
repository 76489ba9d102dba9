/* SPDX-License-Identifier: Apache-2.0 */
/* Why a limit that seems to be kept may not be: what the captures could not show. */
#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "compare/check.h"

static bool begin_reason(cg_buf *why)
{
    return why->len == 0 || cg_buf_add_z(why, "; ");
}

/* --- filters */

static bool has_class(const callgauge_report *report, callgauge_class call_class)
{
    for (size_t i = 0; i < report->call_count; i++) {
        if (report->calls[i].call_class == call_class) {
            return true;
        }
    }
    return false;
}

static bool has_call(const callgauge_report *report, callgauge_str name)
{
    for (size_t i = 0; i < report->call_count; i++) {
        if (cg_str_eq(report->calls[i].name, name)) {
            return true;
        }
    }
    return false;
}

static bool could_see(const cg_check *check, const cg_known_call *call, bool by_class)
{
    for (size_t i = 0; i < check->traced_count; i++) {
        if (!cg_traced_allows(&check->traced[i], call->name, call->call_class)) {
            return false;
        }
    }
    return !check->is_proved_filtered ||
           (by_class ? has_class(check->report, call->call_class) : has_call(check->report, call->name));
}

/* The calls that may be hidden: how many, and those with the shortest names, which are the best known. */
typedef struct hidden {
    size_t count, named;
    callgauge_str names[CG_MOST_NAMED];
} hidden;

static void hide(hidden *h, callgauge_str name)
{
    size_t at = h->named;
    h->count++;
    while (at > 0 && name.len < h->names[at - 1].len) {
        at--;
    }
    if (at == CG_MOST_NAMED) {
        return;
    }
    h->named += h->named < CG_MOST_NAMED;
    memmove(&h->names[at + 1], &h->names[at], (h->named - 1 - at) * sizeof *h->names);
    h->names[at] = name;
}

bool cg_check_doubt_calls(const cg_check *check, const cg_limit *limit, bool by_class, cg_buf *why)
{
    hidden h = { 0 };
    if (!check->is_proved_filtered && check->traced_count == 0) {
        return true;
    }
    for (size_t i = 0; i < limit->call_count; i++) {
        if (!could_see(check, &limit->calls[i], by_class)) {
            hide(&h, limit->calls[i].name);
        }
    }
    if (h.count == 0) {
        return true;
    }
    bool good = begin_reason(why) && cg_buf_add_z(why, "the capture was filtered, and may lack ");
    for (size_t i = 0; good && i < h.named; i++) {
        good = cg_buf_add_z(why, i == 0 ? "" : ", ") && cg_buf_add_str(why, h.names[i]);
    }
    return good && (h.count <= h.named || cg_buf_printf(why, " and %zu other calls", h.count - h.named));
}

bool cg_check_doubt_filter(const cg_check *check, cg_buf *why)
{
    return (!check->is_proved_filtered && check->traced_count == 0) ||
           (begin_reason(why) && cg_buf_add_z(why, "the capture was filtered, and may lack calls that it asks for"));
}

/* --- limits of this library, and what captures do not tell */

bool cg_check_doubt_limits(const cg_check *check, const char *const *names, cg_buf *why)
{
    bool good = true;
    for (size_t i = 0; i < check->report->limit_count; i++) {
        const callgauge_limit_row *row = &check->report->limits[i];
        for (size_t k = 0; good && names[k] != NULL; k++) {
            if (strcmp(names[k], row->limit) == 0) {
                good = begin_reason(why) && cg_buf_printf(why, "more %s than are kept (%" PRIu64 ")",
                                                          callgauge_limit_text(row->limit), row->kept);
            }
        }
    }
    return good;
}

bool cg_check_doubt_events(uint64_t undecided, cg_buf *why)
{
    return undecided == 0 || (begin_reason(why) && cg_words_counted(why, (double)undecided, "event") &&
                              cg_buf_add_z(why, undecided == 1 ? " lacks what is asked" : " lack what is asked"));
}

bool cg_check_doubt_lines(uint64_t unread, cg_buf *why)
{
    return unread == 0 || (begin_reason(why) && cg_words_counted(why, (double)unread, "line") &&
                           cg_buf_add_z(why, " could not be read"));
}

/* --- rules */

/* The name in words: "wall durations". */
static bool add_trait(const char *name, cg_buf *why)
{
    bool good = true;
    for (; good && *name != '\0'; name++) {
        good = cg_buf_add(why, *name == '-' ? " " : name, 1);
    }
    return good;
}

static bool add_traits(uint32_t missing, cg_buf *why)
{
    bool good = true, first = true;
    for (size_t i = 0; good && i < CG_TRAITS; i++) {
        if ((missing >> i & 1) != 0) {
            good = cg_buf_add_z(why, first ? "" : ", ") && add_trait(cg_trait_names[i], why);
            first = false;
        }
    }
    return good;
}

bool cg_check_doubt_rule(const cg_check *check, callgauge_str rule, bool of_budget, cg_buf *why)
{
    const callgauge_report *report = check->report;
    for (size_t i = 0; i < report->not_judged_count; i++) {
        const callgauge_not_judged_row *row = &report->not_judged[i];
        if (cg_str_eq(row->rule, rule)) {
            return begin_reason(why) && cg_words_text(why, cg_str_z(report->captures[row->capture].capture.name)) &&
                   cg_buf_add_z(why, " lacks ") && add_traits(row->missing, why);
        }
    }
    if (cg_report_has_judged(report, rule)) {
        return true;
    }
    return begin_reason(why) && cg_buf_add_z(why, of_budget ? "a report was made without this budget"
                                                            : "a report was made without this rule");
}

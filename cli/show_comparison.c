/* SPDX-License-Identifier: Apache-2.0 */
/* From settings to the options of a comparison, and from a comparison to its output. */
#include "show_comparison.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "output.h"

/* --- numbers */

/* Digits, perhaps with a point among them, in units of 10^-`places`. False: something else, or far too large.
 * `*at` is moved behind them. */
static bool read_fixed(const char **at, int places, int64_t *out)
{
    enum { MOST_DIGITS = 9 };
    const char *text = *at;
    int64_t value = 0;
    size_t digits = strspn(text, "0123456789");
    bool good = digits > 0 && digits <= MOST_DIGITS;
    for (size_t i = 0; good && i < digits; i++) {
        value = value * 10 + (text[i] - '0');
    }
    text += digits;
    if (*text == '.') {
        text++;
        good = good && *text >= '0' && *text <= '9';
    }
    for (; *text >= '0' && *text <= '9'; text++) {
        if (places > 0) {
            value = value * 10 + (*text - '0');
            places--;
        }
    }
    for (; good && places > 0; places--) {
        value *= 10;
    }
    *at = text;
    *out = value;
    return good;
}

static bool refuse(const char *name, const char *text, const char *what)
{
    char fault[200];
    snprintf(fault, sizeof fault, "--%s: '%s' is no %s", name, text, what);
    say(fault);
    return false;
}

/* "20", "0.5", "20%". An option of 0 would mean the default, so 0 is nearly 0 there. */
static bool read_percent(const char *name, const char *text, double *out)
{
    enum { PLACES = 6 };
    static const double NEARLY_NOTHING = 1e-9;
    int64_t millionths;
    if (text == NULL) {
        return true;
    }
    const char *at = text;
    bool good = read_fixed(&at, PLACES, &millionths);
    at += *at == '%';
    if (!good || *at != '\0') {
        return refuse(name, text, "percentage");
    }
    *out = millionths == 0 ? NEARLY_NOTHING : (double)millionths / 1e6;
    return true;
}

/* "10ms". 0 is nearly 0, as above. */
static bool read_time(const char *name, const char *text, int64_t *out)
{
    static const struct {
        const char *unit;
        int places;
    } units[] = { { "ns", 0 }, { "us", 3 }, { "ms", 6 }, { "s", 9 } };
    if (text == NULL) {
        return true;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const char *at = text;
        int64_t ns;
        if (read_fixed(&at, units[i].places, &ns) && strcmp(at, units[i].unit) == 0) {
            *out = ns == 0 ? 1 : ns;
            return true;
        }
    }
    return refuse(name, text, "time with its unit: ns, us, ms or s");
}

bool comparison_options(const settings *wanted, callgauge_compare_options *out)
{
    *out = (callgauge_compare_options){
        .size = sizeof *out,
        .before_traced = wanted->before_traced != NULL ? wanted->before_traced : wanted->traced,
        .after_traced = wanted->after_traced != NULL ? wanted->after_traced : wanted->traced,
        .count_floor = wanted->count_floor,
    };
    return read_percent("count-percent", wanted->count_percent, &out->count_percent) &&
           read_percent("time-percent", wanted->time_percent, &out->time_percent) &&
           read_time("time-floor", wanted->time_floor, &out->time_floor_ns) &&
           read_percent("min-understood", wanted->min_understood, &out->understood_percent);
}

/* --- output */

/* People and pull requests get what matters most, programs all; GitHub shows no more annotations of a step than ten. */
static size_t limit_of(const settings *wanted)
{
    enum { AT_A_GLANCE = 20, ANNOTATIONS = 10 };
    if (wanted->limit != LIMIT_NOT_GIVEN) {
        return (size_t)wanted->limit;
    }
    if (strcmp(wanted->format.text, "github") == 0) {
        return ANNOTATIONS;
    }
    bool for_people = strcmp(wanted->format.text, "text") == 0 || strcmp(wanted->format.text, "markdown") == 0;
    return for_people ? AT_A_GLANCE : 0;
}

int show_comparison(const settings *wanted, const callgauge_comparison *comparison)
{
    const callgauge_write_options options = {
        .size = sizeof options,
        .limit = limit_of(wanted),
        .color = output_wants_color(wanted),
    };
    output *out = output_new(wanted->output);
    if (out == NULL) {
        return EXIT_TROUBLE;
    }
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    const callgauge_output to = { output_write, out };
    callgauge_status status = callgauge_write_comparison(comparison, wanted->format.text, &options, &to, &error);
    return output_close(out, status, &error);
}

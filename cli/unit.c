/* SPDX-License-Identifier: Apache-2.0 */
/* Reads --unit and settles it on reports. */
#include "unit.h"

#include <string.h>

#include "message.h"

/* Whether all of a text (not empty) are digits; `out` is 0 for a number that is too large. */
static bool read_count(const char *text, uint64_t *out)
{
    enum { MOST_DIGITS = 15 };
    *out = 0;
    size_t digits = strspn(text, "0123456789");
    for (size_t i = 0; i < digits && digits <= MOST_DIGITS; i++) {
        *out = *out * 10 + (uint64_t)(text[i] - '0');
    }
    return digits > 0 && text[digits] == '\0';
}

/* Whether it can be the name of a call. */
static bool is_name(const char *text)
{
    static const char name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return text[0] != '\0' && text[strspn(text, name)] == '\0';
}

callgauge_unit_from unit_wanted(const char *text, uint64_t *count)
{
    if (text == NULL) {
        return CALLGAUGE_UNIT_NONE;
    }
    if (read_count(text, count)) {
        return CALLGAUGE_UNIT_NUMBER;
    }
    if (strcmp(text, "request") == 0) {
        return CALLGAUGE_UNIT_REQUEST;
    }
    return is_name(text) ? CALLGAUGE_UNIT_CALL : CALLGAUGE_UNIT_PREDICATE;
}

bool unit_is_sane(const char *text, char *fault, size_t room)
{
    uint64_t count = 1;
    if (text == NULL) {
        return true;
    }
    if (unit_wanted(text, &count) == CALLGAUGE_UNIT_NUMBER) {
        if (count == 0) {
            snprintf(fault, room, "--unit: '%s' is no number of units", text);
        }
        return count > 0;
    }
    if (text[0] == '\0') {
        snprintf(fault, room, "--unit: neither a number nor the name of a call nor 'request' nor a condition");
    }
    return text[0] != '\0';
}

static bool set_count(uint64_t count, report_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        callgauge_error error = CALLGAUGE_ERROR_INIT;
        callgauge_report *counted = NULL;
        if (callgauge_report_count_units(list->reports[i], count, &counted, &error) != CALLGAUGE_OK) {
            say_error(&error);
            return false;
        }
        callgauge_report_free(list->reports[i]);
        list->reports[i] = counted;
    }
    return true;
}

bool unit_settle(const char *text, report_list *list)
{
    uint64_t count;
    callgauge_unit_from wanted = unit_wanted(text, &count);
    if (wanted == CALLGAUGE_UNIT_NUMBER) {
        return set_count(count, list);
    }
    for (size_t i = 0; wanted != CALLGAUGE_UNIT_NONE && i < list->count; i++) {
        if (callgauge_report_unit(list->reports[i])->count == 0) {
            const callgauge_capture_row *capture = callgauge_report_capture(list->reports[i], 0);
            say_about(capture == NULL || capture->capture.name == NULL ? "-" : capture->capture.name,
                      "--unit: no call that begins a unit was seen; a number says how many there were");
        }
    }
    return true;
}

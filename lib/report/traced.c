/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of traced calls: the text is proved once and then read again for each call that is asked for, since sets are
 * short and calls are asked for once a name, never once an event.
 * Invariant: every word of a set that was made is a name or a class. */
#include "report/traced.h"

#include "base/error.h"
#include "base/nearest.h"
#include "base/str.h"

/* The next word of a list, without blanks around it; `*rest` moves behind its comma. */
static callgauge_str next_word(callgauge_str *rest)
{
    size_t comma = cg_str_find(*rest, ",");
    size_t used = comma < rest->len ? comma + 1 : comma;
    callgauge_str word = cg_str_trim(cg_str(rest->ptr, comma));
    *rest = cg_str(rest->ptr + used, rest->len - used);
    return word;
}

static bool is_name(callgauge_str word)
{
    for (size_t i = 0; i < word.len; i++) {
        if (!cg_is_word(word.ptr[i])) {
            return false;
        }
    }
    return word.len > 0 && !cg_is_digit(word.ptr[0]);
}

static callgauge_str class_of(callgauge_str word)
{
    return cg_str(word.ptr + 1, word.len - 1);
}

static bool is_class(callgauge_str word)
{
    return word.len > 0 && word.ptr[0] == '%';
}

static callgauge_status unknown_class(callgauge_str name, cg_place place, callgauge_error *err)
{
    cg_nearest nearest = cg_nearest_to(name);
    for (int i = CALLGAUGE_CLASS_OTHER; i <= CALLGAUGE_CLASS_PIPE; i++) {
        cg_nearest_try(&nearest, cg_str_z(callgauge_class_text((callgauge_class)i)));
    }
    int len = name.len > 40 ? 40 : (int)name.len;
    if (nearest.best.len == 0) {
        return cg_fail(err, CALLGAUGE_E_USAGE, place, "there is no class '%%%.*s'", len, name.ptr);
    }
    return cg_fail(err, CALLGAUGE_E_USAGE, place, "there is no class '%%%.*s'; did you mean '%%%.*s'?", len, name.ptr,
                   (int)nearest.best.len, nearest.best.ptr);
}

static callgauge_status check_word(callgauge_str word, cg_place place, callgauge_error *err)
{
    callgauge_class found;
    if (is_class(word)) {
        return callgauge_class_find(class_of(word), &found) ? CALLGAUGE_OK : unknown_class(class_of(word), place, err);
    }
    if (word.len == 0) {
        return cg_fail(err, CALLGAUGE_E_USAGE, place, "the name of a call is missing");
    }
    if (!is_name(word)) {
        return cg_fail(err, CALLGAUGE_E_USAGE, place, "'%.*s' is no name of a call", word.len > 40 ? 40 : (int)word.len,
                       word.ptr);
    }
    return CALLGAUGE_OK;
}

callgauge_status cg_traced_init(const char *text, const char *what, cg_traced *out, callgauge_error *err)
{
    cg_traced set = { .words = { NULL, 0 } };
    if (text == NULL) {
        *out = set;
        return CALLGAUGE_OK;
    }
    set.words = cg_str_trim(cg_str_z(text));
    if (set.words.len > 0 && set.words.ptr[0] == '!') {
        set.all_but = true;
        set.words = cg_str(set.words.ptr + 1, set.words.len - 1);
    }
    callgauge_str rest = set.words;
    callgauge_status status = CALLGAUGE_OK;
    bool more = true; /* a comma at the end promises another word */
    while (status == CALLGAUGE_OK && more) {
        const char *begin = rest.ptr;
        callgauge_str word = next_word(&rest);
        uint64_t offset = (uint64_t)((word.len > 0 ? word.ptr : begin) - text);
        cg_place place = { .name = what, .line = 1, .column = offset + 1, .offset = offset };
        status = check_word(word, place, err);
        more = rest.len > 0 || (rest.ptr > begin && rest.ptr[-1] == ',');
    }
    if (status == CALLGAUGE_OK) {
        *out = set;
    }
    return status;
}

bool cg_traced_allows(const cg_traced *set, callgauge_str name, callgauge_class call_class)
{
    callgauge_str rest = set->words;
    bool named = rest.len == 0;
    while (!named && rest.len > 0) {
        callgauge_str word = next_word(&rest);
        named = is_class(word) ? cg_str_is(class_of(word), callgauge_class_text(call_class)) : cg_str_eq(word, name);
    }
    return named != set->all_but;
}

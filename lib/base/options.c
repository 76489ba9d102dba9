/* SPDX-License-Identifier: Apache-2.0 */
/* Options of any version to those of this one. */
#include "base/options.h"

#include <string.h>

#include "base/error.h"

static bool all_zero(const char *from, const char *end)
{
    while (from < end && *from == 0) {
        from++;
    }
    return from == end;
}

callgauge_status cg_options_copy(const void *given, const char *what, void *out, size_t size, callgauge_error *err)
{
    const char *bytes = given;
    size_t given_size = size;
    if (given != NULL) {
        memcpy(&given_size, given, sizeof given_size);
    }
    if (given_size == 0) {
        return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ 0 }, "the size of the %s options is not set", what);
    }
    if (given_size > size && !all_zero(bytes + size, bytes + given_size)) {
        return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ 0 }, "%s options of a newer version", what);
    }
    memset(out, 0, size);
    if (given != NULL) {
        memcpy(out, given, given_size < size ? given_size : size);
    }
    memcpy(out, &size, sizeof size);
    return CALLGAUGE_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Socket addresses as strace prints them, `{sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.53")}`,
 * to their text and port. truss prints a pointer: nothing is known then. */
#include "base/decimal.h"
#include "state/inside.h"

static callgauge_str behind(callgauge_str text, const char *mark)
{
    size_t at = cg_str_find(text, mark), skip = at < text.len ? at + strlen(mark) : text.len;
    return cg_str(text.ptr + skip, text.len - skip);
}

/* The quoted string that `text` begins with, decoded. */
static bool quoted(cg_state *state, callgauge_str text, callgauge_str *out)
{
    bool cut;
    const char *p = text.ptr + 1, *end = text.ptr + text.len;
    if (text.len < 2 || text.ptr[0] != '"') {
        return false;
    }
    while (p < end && *p != '"') {
        p += *p == '\\' && end - p > 1 ? 2 : 1;
    }
    return p < end && cg_string_text(state, cg_str_range(text.ptr, p + 1), out, &cut);
}

bool cg_address_read(cg_state *state, callgauge_str arg, callgauge_str *address, int32_t *port, bool *is_unix)
{
    callgauge_str family = behind(arg, "sa_family=AF_");
    *port = -1;
    *is_unix = cg_str_starts(family, "UNIX") || cg_str_starts(family, "LOCAL");
    if (*is_unix) {
        callgauge_str path = behind(family, "sun_path=");
        bool abstract = path.len > 0 && path.ptr[0] == '@';
        callgauge_str name = cg_str(path.ptr + abstract, path.len - abstract);
        if (!quoted(state, name, address)) {
            return false;
        }
        if (!abstract) {
            return true;
        }
        state->joined.len = 0;
        if (!cg_buf_add_char(&state->joined, '@') || !cg_buf_add_str(&state->joined, *address)) {
            state->nomem = true;
            return false;
        }
        *address = cg_buf_str(&state->joined);
        return true;
    }
    bool v6 = cg_str_starts(family, "INET6");
    if (!cg_str_starts(family, "INET") || !quoted(state, behind(family, v6 ? "AF_INET6, " : "inet_addr("), address)) {
        return false;
    }
    callgauge_str number = behind(family, "port=htons(");
    const char *at = number.ptr;
    uint64_t value;
    if (cg_read_u64(&at, number.ptr + number.len, &value) && value > 0 && value <= UINT16_MAX) {
        *port = (int32_t)value;
    }
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* An event's arguments for those who follow it: split once, and no further than somebody asks. */
#include "base/decimal.h"
#include "state/inside.h"

/* `name=` in front of an argument (strace -N). Where the first argument has one, all have. */
static size_t name_length(callgauge_str arg)
{
    size_t n = 0;
    while (n < arg.len && cg_is_word(arg.ptr[n])) {
        n++;
    }
    return n > 0 && n < arg.len && arg.ptr[n] == '=' && !cg_is_digit(arg.ptr[0]) ? n + 1 : 0;
}

bool cg_args_text(cg_args *args, size_t index, callgauge_str *out)
{
    const callgauge_event *event = args->event;
    const char *end = event->args.ptr + event->args.len;
    while (args->count <= index && !args->done) {
        callgauge_str arg;
        if (event->lexer == NULL || event->args.len == 0 || args->count == CG_MOST_ARGS ||
            !event->lexer->next(&args->at, end, &arg)) {
            args->done = true;
            break;
        }
        args->named = args->count == 0 ? name_length(arg) > 0 : args->named;
        size_t skip = args->named ? name_length(arg) : 0;
        args->texts[args->count++] = cg_str(arg.ptr + skip, arg.len - skip);
    }
    if (index >= args->count) {
        return false;
    }
    *out = args->texts[index];
    return true;
}

static bool read_number(callgauge_str text, int64_t *out)
{
    const char *at = text.ptr, *end = at + text.len;
    uint64_t value;
    if (at < end && *at == '-') {
        return cg_read_i64(&at, end, out);
    }
    bool octal = text.len > 1 && at[0] == '0' && cg_is_digit(at[1]);
    if (!cg_read_hex(&at, end, &value) && !(octal ? cg_read_octal(&at, end, &value) : cg_read_u64(&at, end, &value))) {
        return false;
    }
    *out = (int64_t)value;
    return true;
}

bool cg_args_number(cg_args *args, size_t index, int64_t *out)
{
    callgauge_str text;
    return cg_args_text(args, index, &text) && read_number(text, out);
}

bool cg_fd_text(const callgauge_event *event, callgauge_str text, int64_t *fd, callgauge_str *decoration)
{
    *decoration = cg_str(NULL, 0);
    return event->lexer != NULL && event->lexer->fd(text, fd, decoration);
}

bool cg_string_text(cg_state *state, callgauge_str arg, callgauge_str *out, bool *cut)
{
    *cut = false;
    if (arg.len < 2 || arg.ptr[0] != '"') {
        return false;
    }
    if (memchr(arg.ptr, '\\', arg.len) == NULL && arg.ptr[arg.len - 1] == '"') {
        *out = cg_str(arg.ptr + 1, arg.len - 2);
        return true;
    }
    state->text.len = 0;
    size_t length;
    if (!cg_buf_reserve(&state->text, arg.len + 8)) {
        state->nomem = true;
        return false;
    }
    if (!state->event->lexer->string(arg, state->text.data, arg.len, &length, cut) || length > arg.len) {
        return false;
    }
    state->text.len = length;
    if (*cut) {
        cg_buf_add_z(&state->text, "..."); /* room was taken for it */
    }
    *out = cg_buf_str(&state->text);
    return true;
}

bool cg_flag_in(callgauge_str text, const char *name, uint64_t bits)
{
    int64_t number;
    size_t at = cg_str_find(text, name);
    if (at < text.len) {
        return true;
    }
    return bits != 0 && text.len > 0 && cg_is_digit(text.ptr[0]) && read_number(text, &number) &&
           ((uint64_t)number & bits) != 0;
}

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

/* The end of the decoration that begins at `p`, behind its '>'; NULL: not a plain one. */
static const char *decoration_end(const char *p, const char *end)
{
    const char *close = p;
    while ((close = memchr(close + 1, '>', (size_t)(end - close - 1))) != NULL) {
        if (close + 1 == end || close[1] == ',') {
            return memchr(p, '"', (size_t)(close - p)) == NULL ? close + 1 : NULL;
        }
        if (close[1] == '(' || end - close < 2) {
            return NULL;
        }
    }
    return NULL;
}

/* The end of an argument of the common forms: words and numbers, a descriptor with a decoration, a string without
 * escapes. NULL: the lexer must look. */
static const char *plain_end(const char *p, const char *end)
{
    static const bool is_plain[256] = {
        ['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true, ['4'] = true, ['5'] = true, ['6'] = true, ['7'] = true,
        ['8'] = true, ['9'] = true, ['A'] = true, ['B'] = true, ['C'] = true, ['D'] = true, ['E'] = true, ['F'] = true,
        ['G'] = true, ['H'] = true, ['I'] = true, ['J'] = true, ['K'] = true, ['L'] = true, ['M'] = true, ['N'] = true,
        ['O'] = true, ['P'] = true, ['Q'] = true, ['R'] = true, ['S'] = true, ['T'] = true, ['U'] = true, ['V'] = true,
        ['W'] = true, ['X'] = true, ['Y'] = true, ['Z'] = true, ['_'] = true, ['|'] = true, ['-'] = true, ['x'] = true,
        ['a'] = true, ['b'] = true, ['c'] = true, ['d'] = true, ['e'] = true, ['f'] = true,
    };
    if (*p == '"') {
        const char *close = memchr(p + 1, '"', (size_t)(end - p - 1));
        bool ends = close != NULL && (close + 1 == end || close[1] == ',');
        return ends && memchr(p + 1, '\\', (size_t)(close - p - 1)) == NULL ? close + 1 : NULL;
    }
    if (end - p > 2 && p[0] == 'O' && p[1] == '_') { /* flags of open: long, and nothing else begins like that */
        const char *comma = memchr(p, ',', (size_t)(end - p));
        return comma == NULL ? end : comma;
    }
    while (p < end && is_plain[(unsigned char)*p]) {
        p++;
    }
    if (p == end || *p == ',') {
        return p;
    }
    return *p == '<' ? decoration_end(p, end) : NULL;
}

/* Splits off the next argument. */
static bool next(cg_args *args, const char *end, callgauge_str *arg)
{
    const char *p = args->at;
    p += p < end && *p == ' ';
    const char *behind = p < end ? plain_end(p, end) : NULL;
    if (behind == NULL || behind == p) {
        return args->event->lexer->next(&args->at, end, arg);
    }
    *arg = cg_str_range(p, behind);
    args->at = behind < end ? behind + 1 : behind;
    return true;
}

bool cg_args_text(cg_args *args, size_t index, callgauge_str *out)
{
    const callgauge_event *event = args->event;
    if (event->lexer == NULL || event->args.len == 0) {
        return false;
    }
    const char *end = event->args.ptr + event->args.len;
    while (args->count <= index && !args->done) {
        callgauge_str arg;
        if (args->count == CG_MOST_ARGS || !next(args, end, &arg)) {
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

/* `0x3`, `0xffffff9c`: strace -e raw prints the register of the argument, of which a descriptor is the lower half. */
static bool raw_fd(callgauge_str text, int64_t *fd)
{
    const char *at = text.ptr, *end = at + text.len;
    uint64_t value;
    if (text.len < 3 || at[0] != '0' || at[1] != 'x' || !cg_read_hex(&at, end, &value) || at != end) {
        return false;
    }
    *fd = (int32_t)(uint32_t)value;
    return true;
}

bool cg_fd_text(const callgauge_event *event, callgauge_str text, int64_t *fd, callgauge_str *decoration)
{
    int64_t value = 0;
    size_t n = 0;
    *decoration = cg_str(NULL, 0);
    if (raw_fd(text, fd)) {
        return true;
    }
    for (; n < text.len && n < 10 && cg_is_digit(text.ptr[n]); n++) {
        value = value * 10 + (text.ptr[n] - '0');
    }
    if (n > 0 && (n == text.len || (text.ptr[n] == '<' && text.ptr[text.len - 1] == '>'))) {
        *fd = value;
        *decoration = n == text.len ? *decoration : cg_str(text.ptr + n + 1, text.len - n - 2);
        return true;
    }
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

/* CG_OPEN_... of one name, which is longer than "O_". */
static uint32_t open_flag(callgauge_str name)
{
    switch (name.ptr[2]) {
    case 'A': return cg_str_is(name, "O_APPEND") ? CG_OPEN_APPEND : 0;
    case 'C': return cg_str_is(name, "O_CLOEXEC") ? CG_OPEN_CLOEXEC : 0;
    case 'D': return cg_str_is(name, "O_DIRECTORY") ? CG_OPEN_DIRECTORY : 0;
    case 'T': return cg_str_is(name, "O_TMPFILE") ? CG_OPEN_TMPFILE : 0;
    default: return 0;
    }
}

static const cg_met_flags *met_flags(const cg_state *state, callgauge_str text)
{
    const cg_met_flags *met = &state->met_flags[text.len % CG_MET_FLAGS];
    return text.len > 0 && cg_str_eq(met->text, text) ? met : NULL;
}

static uint32_t read_flags(callgauge_str text)
{
    const char *p = text.ptr, *end = p + text.len;
    uint32_t flags = 0;
    int64_t bits;
    if (p < end && cg_is_digit(*p) && read_number(text, &bits)) { /* strace -X raw, on Linux */
        return ((bits & 02000000) != 0 ? CG_OPEN_CLOEXEC : 0u) | ((bits & 02000) != 0 ? CG_OPEN_APPEND : 0u);
    }
    while (p < end) {
        const char *from = p;
        while (p < end && *p != '|') {
            p++;
        }
        flags |= p - from > 2 ? open_flag(cg_str_range(from, p)) : 0;
        p += p < end;
    }
    return flags;
}

uint32_t cg_open_flags(const cg_state *state, callgauge_str text)
{
    const cg_met_flags *met = met_flags(state, text);
    return met != NULL ? met->bits : read_flags(text);
}

callgauge_str cg_keep_flags(cg_state *state, callgauge_str text)
{
    const cg_met_flags *met = met_flags(state, text);
    if (met != NULL || text.len == 0) {
        return met != NULL ? met->text : cg_str(NULL, 0);
    }
    int64_t id = cg_intern_add(&state->words, text);
    state->nomem = state->nomem || id == CG_INTERN_NOMEM;
    if (id < 0) {
        return cg_str(NULL, 0);
    }
    callgauge_str kept = state->words.texts[id];
    state->met_flags[text.len % CG_MET_FLAGS] = (cg_met_flags){ kept, read_flags(kept) };
    return kept;
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

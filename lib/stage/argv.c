/* SPDX-License-Identifier: Apache-2.0 */
/* See argv.h. */
#include "stage/argv.h"

#include <string.h>

#include "base/str.h"

static const char cut_mark[] = "...";

/* What is no string (`...`, `0x7ffe`, NULL) stays as it is. */
static bool decode(callgauge_str arg, const cg_lexer *lexer, cg_arena *arena, callgauge_str *out)
{
    size_t length, mark = strlen(cut_mark);
    bool cut = false;
    if (!lexer->string(arg, NULL, 0, &length, &cut)) {
        return cg_arena_str(arena, arg, out);
    }
    char *text = cg_arena_alloc(arena, length + mark + 1);
    if (text == NULL) {
        return false;
    }
    lexer->string(arg, text, length, &length, &cut);
    if (cut) {
        memcpy(text + length, cut_mark, mark);
        length += mark;
    }
    *out = cg_str(text, length);
    return true;
}

bool cg_argv_split(callgauge_str printed, const cg_lexer *lexer, cg_arena *arena, const callgauge_str **out,
                   size_t *count)
{
    bool is_list = lexer != NULL && printed.len >= 2 && cg_str_starts(printed, "[") && cg_str_ends(printed, "]");
    callgauge_str inside = is_list ? cg_str(printed.ptr + 1, printed.len - 2) : printed, arg;
    const char *at = inside.ptr, *end = inside.len == 0 ? at : at + inside.len;
    size_t n = is_list || printed.len == 0 ? 0 : 1;
    while (is_list && inside.len > 0 && lexer->next(&at, end, &arg)) {
        n++;
    }
    callgauge_str *list = cg_arena_alloc(arena, n * sizeof *list);
    if (list == NULL) {
        return false;
    }
    at = inside.ptr;
    for (size_t i = 0; i < n; i++) {
        bool ok = is_list ? lexer->next(&at, end, &arg) && decode(arg, lexer, arena, &list[i])
                          : cg_arena_str(arena, printed, &list[i]);
        if (!ok) {
            return false;
        }
    }
    *out = list;
    *count = n;
    return true;
}

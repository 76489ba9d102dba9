/* SPDX-License-Identifier: Apache-2.0 */
/* A parse of the truss dialect for tests of one line after the other. Include after cmocka.h. */
#ifndef CG_TEST_TRUSS_PARSE_H
#define CG_TEST_TRUSS_PARSE_H

#include "dialect/truss.h"
#include "reader/head.h"

typedef struct truss_parse {
    cg_parse parse;
    callgauge_reader_options options;
    callgauge_capture capture;
    cg_assume_list assumed;
    char text[1024]; /* the line, padded on both sides */
    cg_line line;
    callgauge_event event;
} truss_parse;

static inline void truss_parse_begin(truss_parse *of)
{
    memset(of, 0, sizeof *of);
    of->options.limits = (callgauge_limits){ .line_bytes = 4096, .open_calls = 64, .open_bytes = 4096, .names = 64 };
    assert_true(cg_parse_begin(&of->parse, &cg_dialect_truss_solaris, &of->options, &of->capture, &of->assumed));
}

static inline void truss_parse_end(truss_parse *of)
{
    cg_parse_release(&of->parse);
}

/* Puts a line of `text` at hand, as the reader would: with its only mark. */
static inline callgauge_str truss_parse_line(truss_parse *of, const char *text)
{
    size_t len = strlen(text);
    const char *at = of->text + CG_PAD;
    assert_true(len + 2 * CG_PAD <= sizeof of->text);
    memset(of->text, 0, sizeof of->text);
    memcpy(of->text + CG_PAD, text, len);
    of->line = (cg_line){ .ptr = at, .len = len, .number = of->line.number + 1 };
    for (size_t i = 0; i < len; i++) {
        if ((at[i] == '=' && cg_is_blank(at[i + 1])) || at[i] == '#') {
            of->line.many = of->line.mark != NULL;
            of->line.mark = at + i;
        }
    }
    return cg_str(at, len);
}

static inline cg_verdict truss_strict(truss_parse *of, const char *text)
{
    callgauge_str line = truss_parse_line(of, text);
    of->parse.has_lost = false;
    return of->parse.dialect->strict(&of->parse, line, &of->line, &of->event);
}

#endif

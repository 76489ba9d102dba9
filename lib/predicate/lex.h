/* SPDX-License-Identifier: Apache-2.0 */
/* The words of the predicate language, one after the other. */
#ifndef CG_PREDICATE_LEX_H
#define CG_PREDICATE_LEX_H

#include "base/arena.h"
#include "predicate/predicate.h"

typedef enum cg_token_kind {
    CG_TOKEN_END,
    CG_TOKEN_NAME,   /* `fd`, `peer.port`, `ENOENT`, `and` */
    CG_TOKEN_NUMBER, /* with its unit: `8KiB`, `10ms`, `20%` */
    CG_TOKEN_STRING,
    CG_TOKEN_SIGN, /* `==`, `(`, ... */
    CG_TOKEN_BAD   /* `fault` says why */
} cg_token_kind;

typedef struct cg_token {
    cg_token_kind kind;
    uint32_t begin, end; /* its bytes in the text */
    callgauge_str text;  /* these bytes; STRING: what stands for, escapes undone */
    cg_value value;      /* NUMBER, STRING */
    const char *fault;   /* BAD; the fault is at `begin`; NULL: no memory */
} cg_token;

/* The token at or behind byte `at`. Strings with escapes are put into `arena`. */
cg_token cg_lex(callgauge_str text, uint32_t at, cg_arena *arena);

/* The byte of the text that gave byte `index` of the string of token [begin, end). */
uint32_t cg_lex_string_byte(callgauge_str text, uint32_t begin, uint32_t end, size_t index);

/* Whether the token is this sign or word. */
bool cg_token_is(const cg_token *token, const char *text);

#endif

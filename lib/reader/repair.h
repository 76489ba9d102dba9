/* SPDX-License-Identifier: Apache-2.0 */
/* Undoing what editors, mailers, web pages and terminals do to captures, one line at a time. */
#ifndef CG_READER_REPAIR_H
#define CG_READER_REPAIR_H

#include "base/buf.h"
#include "dialect/dialect.h"

/* A constant thing in front of every line: mail quotes, comment marks, CI stamps, line numbers.
 * A digit of the shape stands for any run of digits, a blank in front of one for any number of blanks. */
typedef struct cg_prefix {
    char shape[128];
    size_t len; /* 0: none */
} cg_prefix;

typedef struct cg_damage {
    cg_prefix prefix;
    bool html;
} cg_damage;

/* How many bytes of `text` the prefix takes; 0: it does not begin with it. */
size_t cg_prefix_match(const cg_prefix *prefix, callgauge_str text);
/* The shape of `text` as a prefix; false: too long. */
bool cg_prefix_of(callgauge_str text, cg_prefix *out);

/* Gives the line's text with all damage undone: the line itself, or a copy in `scratch`, in both cases with CG_PAD
 * readable bytes around it. Counts repairs in `parse` (NULL: nothing is counted). False: no memory. */
bool cg_repair_line(const cg_damage *damage, const cg_line *line, cg_parse *parse, cg_buf *scratch, callgauge_str *out);

/* The name of a kind of repair in reports. */
const char *cg_repair_name(cg_repair kind);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Messages with values in them: "{calls} opens[, {errors} failed]". A part in [...] goes when a value in it is unknown
 * or comes to nothing, outside of one an unknown value is "-". `[[`, `]]` are the characters themselves.
 *
 *     cg_template_render(form, look_up, ctx, &text)                     a buffer gets the message
 */
#ifndef CG_BASE_TEMPLATE_H
#define CG_BASE_TEMPLATE_H

#include <callgauge/types.h>

#include "base/buf.h"

typedef enum cg_template_kind {
    CG_TEMPLATE_END,
    CG_TEMPLATE_TEXT,
    CG_TEMPLATE_VALUE, /* `text` is the name between the braces */
    CG_TEMPLATE_OPEN,
    CG_TEMPLATE_CLOSE,
    CG_TEMPLATE_BAD /* `fault` says why; the fault is at `at` */
} cg_template_kind;

typedef struct cg_template_part {
    cg_template_kind kind;
    callgauge_str text;
    size_t at;
    const char *fault;
} cg_template_part;

/* The part at `*at`, which moves behind it. `depth` is 0 at the beginning. */
cg_template_part cg_template_next(callgauge_str form, size_t *at, unsigned *depth);

typedef enum cg_template_value {
    CG_TEMPLATE_UNKNOWN,
    CG_TEMPLATE_NOTHING, /* it is 0 of what is counted */
    CG_TEMPLATE_SOMETHING
} cg_template_value;

/* Adds the value of a name and says what it is. False: no memory. */
typedef bool cg_template_fn(void *ctx, callgauge_str name, cg_buf *to, cg_template_value *is);

/* False: no memory. A form with a fault ends at it. */
bool cg_template_render(callgauge_str form, cg_template_fn *look_up, void *ctx, cg_buf *to);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The table of dialects, in order of preference. Adding one is a line here: docs/howto/add-dialect.md. */
#include "dialect/dialect.h"

static const cg_dialect *const dialects[] = {
    &cg_dialect_strace,
    &cg_dialect_truss_solaris,
};

const cg_dialect *cg_dialect_at(size_t index)
{
    return index < sizeof dialects / sizeof *dialects ? dialects[index] : NULL;
}

const char *callgauge_dialect_name(size_t index)
{
    const cg_dialect *dialect = cg_dialect_at(index);
    return dialect == NULL ? NULL : dialect->name;
}

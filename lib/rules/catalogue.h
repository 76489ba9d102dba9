/* SPDX-License-Identifier: Apache-2.0 */
/* The rules that are built in: lib/catalogue/<id>.yaml, made into a table by catalogue.cmake. */
#ifndef CG_RULES_CATALOGUE_H
#define CG_RULES_CATALOGUE_H

#include <stddef.h>

typedef struct cg_catalogue_entry {
    const char *name; /* "catalogue:<id>.yaml" */
    const unsigned char *text;
    size_t len;
} cg_catalogue_entry;

extern const cg_catalogue_entry cg_catalogue[]; /* by name; the one past the last has name NULL */

#endif

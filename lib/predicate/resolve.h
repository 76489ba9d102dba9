/* SPDX-License-Identifier: Apache-2.0 */
/* Bare words to what they stand for. */
#ifndef CG_PREDICATE_RESOLVE_H
#define CG_PREDICATE_RESOLVE_H

#include "predicate/check.h"

/* A WORD becomes a field, a slot or a constant: a constant of the type of `beside` (NULL: none) where that has names.
 * Strings beside such a type become constants of it too. Other nodes stay. NULL after a failure. */
cg_node *cg_resolve(cg_compiler *c, cg_node *node, const cg_node *beside);

#endif

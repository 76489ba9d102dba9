/* SPDX-License-Identifier: Apache-2.0 */
/* Structs of options: given by callers of any version, the first member says which. */
#ifndef CG_BASE_OPTIONS_H
#define CG_BASE_OPTIONS_H

#include <callgauge/types.h>

/* Copies the options that a caller gave (NULL: none) into `out`, a struct of `size` bytes; members that the caller's
 * version has not are 0. Both begin with their size. E_USAGE: the caller's is not set, or it asks for more than this
 * version knows. `what` names the options in the message. */
callgauge_status cg_options_copy(const void *given, const char *what, void *out, size_t size, callgauge_error *err);

#endif

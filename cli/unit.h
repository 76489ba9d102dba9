/* SPDX-License-Identifier: Apache-2.0 */
/* What --unit says: how many units of work there were, or which call begins one. */
#ifndef CLI_UNIT_H
#define CLI_UNIT_H

#include <callgauge/callgauge.h>

#include "inputs.h"

/* What the text (NULL: none) stands for; `count` is set for CALLGAUGE_UNIT_NUMBER. */
callgauge_unit_from unit_wanted(const char *text, uint64_t *count);

/* False: `fault` (of `room` bytes) says what is wrong with it. */
bool unit_is_sane(const char *text, char *fault, size_t room);

/* Says of each report how many units there were, where that is a number; and says on standard error where units that
 * were asked for are not known. False: no memory, and that was said. */
bool unit_settle(const char *text, report_list *list);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What `report` and `summary` have in common: load, write, say what was unread. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include <callgauge/callgauge.h>

#include "options.h"

/* The forms of a report, for --format. */
#define SHOW_FORMATS "text|json|csv|markdown"

/* Gives the exit status. */
int show_reports(const settings *wanted, callgauge_rows rows);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What all commands but `events` have in common: load, write, say what was unread. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include <callgauge/callgauge.h>

#include "inputs.h"
#include "options.h"

/* The forms of a report, for --format. */
#define SHOW_FORMATS "text|json|csv|markdown"

/* What a unit of work is, for --unit. */
#define SHOW_UNIT "N|CALL|request|EXPR"
#define SHOW_UNIT_HELP "count by units: N in all, or what begins one"

/* What a command shows. */
typedef struct view {
    callgauge_rows rows;
    callgauge_sort sort;
    uint32_t kinds; /* of files; 0: all */
    inputs_fill fill;
} view;

/* Says what of the reports could not be read, and which limits they passed. Gives whether every line was read. */
bool show_doubts(const report_list *list);

/* Gives the exit status. */
int show_reports(const settings *wanted, const view *what);

#endif

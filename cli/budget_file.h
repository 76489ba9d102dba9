/* SPDX-License-Identifier: Apache-2.0 */
/* The file of --budget: read, and written anew with other expected sequences. */
#ifndef CLI_BUDGET_FILE_H
#define CLI_BUDGET_FILE_H

#include <callgauge/callgauge.h>

#include "options.h"

/* False: it was said what is wrong with it, all of it. */
bool budget_file_load(const char *path, callgauge_budget **out);

/* Writes the sequences that a report recorded into the budget's file, and says so. False: it was said why not; the file
 * is as it was. */
bool budget_file_update(const settings *wanted, const callgauge_report *report);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Reports that were saved as JSON, in place of captures. */
#ifndef CLI_SAVED_H
#define CLI_SAVED_H

#include <callgauge/callgauge.h>

#include "options.h"

/* Whether a file, or what comes on standard input, is a saved report; nothing of it is taken. */
bool saved_is(const char *path);

/* Reads one. NULL: it cannot be read, or cannot answer what is asked, and that was said. */
callgauge_report *saved_load(const settings *wanted, const char *path);

#endif

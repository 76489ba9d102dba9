/* SPDX-License-Identifier: Apache-2.0 */
/* The name of a file in front of what is written of it, where the output is about several. Names are captured text:
 * each form escapes them. */
#ifndef CLI_LABEL_H
#define CLI_LABEL_H

#include <callgauge/callgauge.h>

typedef enum label_form { LABEL_TEXT, LABEL_MARKDOWN, LABEL_CSV, LABEL_NDJSON } label_form;

/* A name, escaped. NULL: no memory; to be freed with free(). */
char *label_escape(label_form form, const char *name);

/* Puts a first column into the lines of CSV, a first key into those of NDJSON. */
typedef struct label {
    label_form form;
    const char *heading; /* CSV: what the next line's column says, the line of headings; NULL: that line is told */
    bool skips_heading;  /* CSV: the next line is left out */
    char *name;          /* escaped */
    const callgauge_output *to;
    bool within; /* a line has begun */
} label;

/* For callgauge_output.write. */
int label_write(void *self, const char *data, size_t len);

#endif

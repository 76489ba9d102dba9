/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences of lines, and those of one name that were told apart. Each line is kept once and known by its number, so
 * that sequences are equal where their numbers are; of equal ones the first is kept. Past their limits they are cut,
 * which they say. */
#ifndef CG_DETECT_SEQUENCES_H
#define CG_DETECT_SEQUENCES_H

#include "base/intern.h"
#include "report/report.h"

/* Limits that no caller sets. */
#define CG_LIMIT_SEQUENCES "sequences"
enum { CG_MOST_RECORDED_CALLS = 10000, CG_MOST_SEQUENCES = 64 };

/* Texts of calls, of all sequences. */
typedef struct cg_sequence_lines {
    cg_intern texts;
    size_t bytes;
} cg_sequence_lines;

typedef struct cg_sequence_call {
    uint32_t text; /* which of the lines */
    uint64_t line; /* of the capture */
} cg_sequence_call;

/* Zero-initialise before first use. */
typedef struct cg_sequence {
    cg_sequence_call *calls;
    size_t count, room;
    uint64_t begin, times;
    bool ended, unfinished, cut;
} cg_sequence;

typedef struct cg_sequences {
    cg_sequence items[CG_MOST_SEQUENCES];
    size_t count;
    uint64_t not_kept;
} cg_sequences;

void cg_sequence_lines_init(cg_sequence_lines *lines);
void cg_sequence_lines_release(cg_sequence_lines *lines);

/* Adds a call. False: no memory. */
bool cg_sequence_add(cg_sequence *sequence, cg_sequence_lines *lines, callgauge_str text, uint64_t line);
void cg_sequence_release(cg_sequence *sequence);

/* Takes a sequence that is over, which is empty then: counts it, if it was known before. */
void cg_sequences_keep(cg_sequences *sequences, cg_sequence *sequence);
void cg_sequences_release(cg_sequences *sequences);

/* Adds the rows of all to a report that has room for CG_MOST_SEQUENCES more; one of `times` 0 where there is none.
 * `cut`: others were not even begun. Once only. False: no memory. */
bool cg_sequences_rows(cg_sequences *sequences, const cg_sequence_lines *lines, callgauge_str name, bool cut,
                       callgauge_report *report);

#endif

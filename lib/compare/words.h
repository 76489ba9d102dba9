/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and nouns of the sentences that a comparison says. All give false when there is no memory. */
#ifndef CG_COMPARE_WORDS_H
#define CG_COMPARE_WORDS_H

#include "base/buf.h"

enum { CG_SENTENCE = 1024 }; /* the longest sentence, in bytes */

/* "1,234", "4.25": not negative, at most two decimals. */
bool cg_words_number(cg_buf *to, double number);
/* "22 ms", "1.2 s", "350 us" */
bool cg_words_time(cg_buf *to, double ns);
/* "512 bytes", "1.5 KiB" */
bool cg_words_bytes(cg_buf *to, double bytes);
/* "1,234 calls", "1 call": `many` is `one` and an s. */
bool cg_words_counted(cg_buf *to, double number, const char *one);
/* Text of a capture in a sentence: what could end or forge a line is a `?`, what is long is cut in front. */
bool cg_words_text(cg_buf *to, callgauge_str text);

#endif

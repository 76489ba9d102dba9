/* SPDX-License-Identifier: Apache-2.0 */
/* Regular expressions over bytes, by PCRE2: compiled ones are shared by threads, what matching takes is a matcher's.
 * Matching is bounded: a text that takes more than the matcher's limits is undecided. */
#ifndef CG_PREDICATE_PATTERN_H
#define CG_PREDICATE_PATTERN_H

#include <callgauge/types.h>

typedef struct cg_pattern cg_pattern;
typedef struct cg_matcher cg_matcher;

enum { CG_PATTERN_MESSAGE = 128 };

typedef enum cg_matched { CG_MATCH_NO, CG_MATCH_YES, CG_MATCH_CUT, CG_MATCH_LIMIT } cg_matched;

/* E_USAGE with *at, the byte of `text` where it is wrong, and a message; E_UNSUPPORTED: a build without PCRE2; E_NOMEM.
 * `out` is set on CALLGAUGE_OK only. */
callgauge_status cg_pattern_compile(callgauge_str text, cg_pattern **out, size_t *at, char message[CG_PATTERN_MESSAGE]);
/* NULL is fine. */
void cg_pattern_free(cg_pattern *pattern);

/* NULL: no memory, or a build without PCRE2. */
cg_matcher *cg_matcher_new(uint32_t match_limit, uint32_t depth_limit, uint32_t heap_limit_kib);
void cg_matcher_free(cg_matcher *matcher);
/* Whether the pattern is found in the text. Of a text that goes on (`cut`) only a find is sure: else CUT.
 * LIMIT: it cost too much. */
cg_matched cg_matcher_match(cg_matcher *matcher, const cg_pattern *pattern, callgauge_str text, bool cut);

#endif

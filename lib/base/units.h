/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers for people: thousands grouped with commas, a point before the decimals, whatever the locale. */
#ifndef CG_BASE_UNITS_H
#define CG_BASE_UNITS_H

#include <callgauge/types.h>

enum { CG_NUMBER_ROOM = 48 };

/* Sums of time from here on are shown in milliseconds: what is behind tells nothing. */
#define CG_LONG_NS INT64_C(100000000000)

/* "1,234,567". All give the length; `to` has CG_NUMBER_ROOM bytes and no NUL is added. */
size_t cg_format_count(char *to, uint64_t value);
/* `value` counts units of 10^-places; `decimals` (at most `places`) are shown, the rest is rounded:
 * 1234567 with places 3 and decimals 1 is "1,234.6". */
size_t cg_format_fixed(char *to, int64_t value, int places, int decimals);
/* The same without commas, for what is not counted: pids, stamps. */
size_t cg_format_plain(char *to, int64_t value, int places, int decimals);
/* How many decimals show `value` without loss; at most `places`. */
int cg_decimals_needed(int64_t value, int places);
/* How many decimals seconds are shown with, when `needed` show them without loss: milliseconds or microseconds. */
int cg_seconds_decimals(int needed);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Reading numbers from views without the C library, which would ask the locale. Each reader takes a
 * cursor (`*at`, never past `end`), moves it behind what it read, and on failure leaves it where it was. */
#ifndef CG_BASE_DECIMAL_H
#define CG_BASE_DECIMAL_H

#include <callgauge/types.h>

/* Digits to a number; fails without a digit or when it does not fit. */
bool cg_read_u64(const char **at, const char *end, uint64_t *out);
/* An optional minus and digits. */
bool cg_read_i64(const char **at, const char *end, int64_t *out);
/* 0x and hexadecimal digits of any case; more than 16 of them fail. */
bool cg_read_hex(const char **at, const char *end, uint64_t *out);
/* Digits 0-7 after a leading 0. */
bool cg_read_octal(const char **at, const char *end, uint64_t *out);
/* "12.000345", ".553", "7" as seconds, to nanoseconds; digits past the ninth are dropped, a value that
 * does not fit is INT64_MAX; seconds past 64 bits fail. `decimals` (may be NULL) gets how many digits stood behind the
 * point. */
bool cg_read_seconds(const char **at, const char *end, int64_t *ns, int *decimals);

/* a + b, held at INT64_MAX. Both are >= 0. */
static inline int64_t cg_add_ns(int64_t a, int64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The sums of a gzip file held against what was unpacked of it, because libarchive does not look at
 * them and most damage of one byte still unpacks. */
#ifndef CG_INPUT_GZIP_SUM_H
#define CG_INPUT_GZIP_SUM_H

#include <callgauge/types.h>

typedef struct cg_gzip_sum cg_gzip_sum;

/* NULL: no memory. */
cg_gzip_sum *cg_gzip_sum_new(void);
/* Is told every byte of the file, in order, before what it unpacks to. False: no memory. */
bool cg_gzip_sum_packed(cg_gzip_sum *sum, const char *data, size_t len);
/* Is told every unpacked byte, in order. */
void cg_gzip_sum_unpacked(cg_gzip_sum *sum, const char *data, size_t len);
/* At the end of the file: whether the sum and the size of each member were right. */
bool cg_gzip_sum_end(cg_gzip_sum *sum);
void cg_gzip_sum_free(cg_gzip_sum *sum);

#endif

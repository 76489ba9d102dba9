/* SPDX-License-Identifier: Apache-2.0 */
/* Filling the caller's callgauge_error. Every function accepts err == NULL and writes no more than
 * err->size says. */
#ifndef CG_BASE_ERROR_H
#define CG_BASE_ERROR_H

#include <callgauge/types.h>

/* A place in a source; name may be NULL, numbers 0 when unknown. */
typedef struct cg_place {
    const char *name;
    uint64_t line, column, offset;
} cg_place;

/* Fills `err` and returns `status`, so that a caller can write: return cg_fail(err, ...). */
callgauge_status cg_fail(callgauge_error *err, callgauge_status status, cg_place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Out of memory. */
callgauge_status cg_fail_nomem(callgauge_error *err);

#endif

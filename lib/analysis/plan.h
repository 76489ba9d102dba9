/* SPDX-License-Identifier: Apache-2.0 */
/* Which files make which capture, and the one order in which they are begun. */
#ifndef CG_ANALYSIS_PLAN_H
#define CG_ANALYSIS_PLAN_H

#include <callgauge/types.h>

/* One path, and what its name says. */
typedef struct cg_plan_file {
    const char *path; /* the caller's */
    size_t stem;      /* bytes before ".NUMBER"; 0: not of a set */
    int64_t pid;      /* the number; 0: not of a set */
    size_t at;        /* position among the caller's paths */
    size_t first;     /* the lowest position in its set */
    size_t capture;   /* index of its capture */
} cg_plan_file;

/* The files [begin, end) of a plan. */
typedef struct cg_plan_capture {
    size_t begin, end;
} cg_plan_capture;

typedef struct cg_plan {
    cg_plan_file *files;
    size_t file_count;
    cg_plan_capture *captures;
    size_t capture_count;
} cg_plan;

/* E_USAGE: no path, or one named twice. To be released only when this went well. */
callgauge_status cg_plan_init(cg_plan *plan, const char *const *paths, size_t n, callgauge_error *err);
void cg_plan_release(cg_plan *plan);

#endif

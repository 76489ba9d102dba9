/* SPDX-License-Identifier: Apache-2.0 */
/* From paths to captures: files whose names are alike before ".NUMBER" are the set that strace -ff writes,
 * one file a thread; a number at the end of a single name says nothing.
 * Invariant: the plan depends on the paths only; the files of a capture stand together, by pid. */
#include "analysis/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"

enum { MOST_PID = 4194304 }; /* of Linux; a larger number at the end of a name is a date */

static void read_name(cg_plan_file *file)
{
    const char *dot = strrchr(file->path, '.');
    if (dot == NULL || dot == file->path || dot[-1] == '/' || dot[1] == '0') {
        return;
    }
    const char *at = dot + 1;
    uint64_t number;
    if (cg_read_u64(&at, at + strlen(at), &number) && *at == '\0' && number <= MOST_PID) {
        file->stem = (size_t)(dot - file->path);
        file->pid = (int64_t)number;
    }
}

static int by_place(const cg_plan_file *a, const cg_plan_file *b)
{
    return (a->at > b->at) - (a->at < b->at);
}

static int by_stem(const void *left, const void *right)
{
    const cg_plan_file *a = left;
    const cg_plan_file *b = right;
    callgauge_str a_stem = cg_str(a->path, a->stem == 0 ? strlen(a->path) : a->stem);
    callgauge_str b_stem = cg_str(b->path, b->stem == 0 ? strlen(b->path) : b->stem);
    int order = cg_str_cmp(a_stem, b_stem);
    order = order != 0 ? order : (a->stem > b->stem) - (a->stem < b->stem);
    order = order != 0 ? order : (a->pid > b->pid) - (a->pid < b->pid);
    return order != 0 ? order : by_place(a, b);
}

static int by_first(const void *left, const void *right)
{
    const cg_plan_file *a = left;
    const cg_plan_file *b = right;
    int order = (a->first > b->first) - (a->first < b->first);
    order = order != 0 ? order : (a->pid > b->pid) - (a->pid < b->pid);
    return order != 0 ? order : by_place(a, b);
}

static bool same_set(const cg_plan_file *a, const cg_plan_file *b)
{
    return a->stem != 0 && a->stem == b->stem && memcmp(a->path, b->path, a->stem) == 0;
}

/* Files are in order of their stems: finds the runs that are sets; a number alone at the end makes none. */
static void find_sets(cg_plan_file *files, size_t count)
{
    for (size_t begin = 0, end; begin < count; begin = end) {
        size_t first = files[begin].at;
        for (end = begin + 1; end < count && same_set(&files[begin], &files[end]); end++) {
            first = files[end].at < first ? files[end].at : first;
        }
        if (end == begin + 1) {
            files[begin].stem = 0;
            files[begin].pid = 0;
        }
        for (size_t i = begin; i < end; i++) {
            files[i].first = first;
        }
    }
}

static callgauge_status refuse_twins(const cg_plan_file *files, size_t count, callgauge_error *err)
{
    for (size_t i = 1; i < count; i++) {
        if (strcmp(files[i - 1].path, files[i].path) == 0) {
            return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ .name = files[i].path }, "named twice");
        }
    }
    return CALLGAUGE_OK;
}

static void list_captures(cg_plan *plan)
{
    for (size_t i = 0; i < plan->file_count; i++) {
        if (i == 0 || plan->files[i].first != plan->files[i - 1].first) {
            plan->captures[plan->capture_count++].begin = i;
        }
        plan->captures[plan->capture_count - 1].end = i + 1;
        plan->files[i].capture = plan->capture_count - 1;
    }
}

static callgauge_status arrange(cg_plan *plan, callgauge_error *err)
{
    qsort(plan->files, plan->file_count, sizeof *plan->files, by_stem);
    callgauge_status status = refuse_twins(plan->files, plan->file_count, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    find_sets(plan->files, plan->file_count);
    qsort(plan->files, plan->file_count, sizeof *plan->files, by_first);
    list_captures(plan);
    return CALLGAUGE_OK;
}

callgauge_status cg_plan_init(cg_plan *plan, const char *const *paths, size_t n, callgauge_error *err)
{
    *plan = (cg_plan){ .file_count = n };
    if (n == 0) {
        return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ 0 }, "no file to analyse");
    }
    plan->files = cg_mem_zeroed(n, sizeof *plan->files);
    plan->captures = cg_mem_zeroed(n, sizeof *plan->captures);
    if (plan->files == NULL || plan->captures == NULL) {
        cg_plan_release(plan);
        return cg_fail_nomem(err);
    }
    for (size_t i = 0; i < n; i++) {
        plan->files[i].path = paths[i];
        plan->files[i].at = i;
        read_name(&plan->files[i]);
    }
    callgauge_status status = arrange(plan, err);
    if (status != CALLGAUGE_OK) {
        cg_plan_release(plan);
    }
    return status;
}

void cg_plan_release(cg_plan *plan)
{
    cg_mem_free(plan->files);
    cg_mem_free(plan->captures);
    *plan = (cg_plan){ 0 };
}

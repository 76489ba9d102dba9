/* SPDX-License-Identifier: Apache-2.0 */
/* From many files to one report: they are analysed one by one, by a few threads or by none, and their reports
 * merged as they come.
 * Invariant: files are begun in the order of the plan and the failure nearest its front wins, so that neither
 * result nor error depends on the number of threads. */
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "analysis/analysis.h"
#include "analysis/complete.h"
#include "analysis/pile.h"
#include "analysis/plan.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/thread.h"
#include "input/source.h"
#include "reader/reader.h"

enum {
    MOST_THREADS = 256,
    PROGRESS_EVERY = 8192 /* events; a power of two */
};

typedef struct work {
    callgauge_analysis_options options; /* settled */
    callgauge_analysis_options given;   /* whose callbacks are called under the lock */
    cg_plan plan;
    cg_predicate *where;  /* NULL: none */
    cg_predicate *starts; /* which calls begin a unit of work; NULL: no condition says it */
    pthread_mutex_t lock; /* guards all that follows */
    size_t next;          /* the next file to begin */
    size_t stop;          /* files from here on are not begun: the place of the first failure */
    callgauge_status status;
    callgauge_error error; /* the failure at `stop` */
    cg_pile *sets;         /* by capture: what its files gave so far */
    size_t *left;          /* by capture: files that have not given theirs */
    cg_pile all;
    uint64_t bytes_done, bytes_total;
} work;

/* --- the progress: a stage that counts */

typedef struct progress {
    work *work;
    const callgauge_reader *reader; /* which the analysis frees after this */
    uint64_t told;
    uint64_t events;
} progress;

static void tell_progress(progress *p)
{
    work *w = p->work;
    uint64_t bytes = cg_reader_consumed(p->reader);
    pthread_mutex_lock(&w->lock);
    w->bytes_done += bytes - p->told;
    w->given.on_progress(w->given.progress_ctx, w->bytes_done, w->bytes_total);
    pthread_mutex_unlock(&w->lock);
    p->told = bytes;
}

static callgauge_status progress_event(void *self, const callgauge_event *event, callgauge_error *err)
{
    (void)event;
    (void)err;
    progress *p = self;
    if ((++p->events & (PROGRESS_EVERY - 1)) == 0) {
        tell_progress(p);
    }
    return CALLGAUGE_OK;
}

static callgauge_status progress_run(void *self, const cg_run *run, callgauge_error *err)
{
    (void)err;
    progress *p = self;
    uint64_t before = p->events / PROGRESS_EVERY;
    p->events += run->count;
    if (p->events / PROGRESS_EVERY != before) {
        tell_progress(p);
    }
    return CALLGAUGE_OK;
}

static callgauge_status progress_finish(void *self, callgauge_report *report, callgauge_error *err)
{
    (void)report;
    (void)err;
    tell_progress(self);
    return CALLGAUGE_OK;
}

static callgauge_status progress_new(work *w, const callgauge_reader *reader, cg_stage *out, callgauge_error *err)
{
    progress *p = cg_mem_zeroed(1, sizeof *p);
    if (p == NULL) {
        return cg_fail_nomem(err);
    }
    *p = (progress){ .work = w, .reader = reader };
    *out = (cg_stage){ "progress", CG_WANT_COUNTS, p, progress_event, progress_run, progress_finish, cg_mem_free };
    return CALLGAUGE_OK;
}

/* What there is to read; 0 when a part of it cannot be known. */
static uint64_t measure(const cg_plan *plan)
{
    uint64_t total = 0;
    for (size_t i = 0; i < plan->file_count; i++) {
        struct stat info;
        if (stat(plan->files[i].path, &info) != 0 || !S_ISREG(info.st_mode)) {
            return 0;
        }
        total += (uint64_t)info.st_size;
    }
    return total;
}

/* --- one file */

static void diag_locked(void *ctx, const callgauge_error *fault)
{
    work *w = ctx;
    pthread_mutex_lock(&w->lock);
    w->given.reader.on_diag(w->given.reader.diag_ctx, fault);
    pthread_mutex_unlock(&w->lock);
}

static callgauge_status open_file(work *w, const cg_plan_file *file, cg_follow *follow, callgauge_reader **reader,
                                  callgauge_analysis **analysis, callgauge_error *err)
{
    callgauge_reader_options options = w->options.reader;
    options.pid = options.pid == 0 ? file->pid : options.pid;
    callgauge_status status = callgauge_reader_open(file->path, &options, reader, err);
    if (status != CALLGAUGE_OK || w->given.on_progress == NULL) {
        return status != CALLGAUGE_OK ? status
                                      : cg_analysis_over(*reader, &w->options, w->where, follow, NULL, analysis, err);
    }
    cg_stage stage;
    status = progress_new(w, *reader, &stage, err);
    if (status != CALLGAUGE_OK) {
        callgauge_reader_free(*reader);
        return status;
    }
    return cg_analysis_over(*reader, &w->options, w->where, follow, &stage, analysis, err);
}

/* The first bytes of a file, unpacked. */
static size_t first_bytes(const char *path, char *to, size_t room)
{
    cg_source *source;
    size_t length = 0, got = 1;
    if (strcmp(path, "-") == 0 || cg_source_open(path, true, &source, NULL) != CALLGAUGE_OK) {
        return 0;
    }
    callgauge_status status = cg_source_next_member(source, NULL);
    while (status == CALLGAUGE_OK && got > 0 && length < room) {
        got = 0;
        status = cg_source_read(source, to + length, room - length, &got, NULL);
        length += got;
    }
    cg_source_free(source);
    return length;
}

static bool is_packed_report(const char *path)
{
    static const char schema[] = "\"callgauge.report/";
    char head[256];
    size_t length = first_bytes(path, head, sizeof head);
    int fd = length == 0 ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    char first = 0;
    bool packed = fd >= 0 && read(fd, &first, 1) == 1 && first != head[0];
    if (fd >= 0) {
        close(fd);
    }
    for (size_t i = 0; packed && i + sizeof schema <= length; i++) {
        if (memcmp(head + i, schema, sizeof schema - 1) == 0) {
            return true;
        }
    }
    return false;
}

static callgauge_status analyse_file(work *w, const cg_plan_file *file, cg_follow *follow, callgauge_report **out,
                                     callgauge_error *err)
{
    callgauge_reader *reader;
    callgauge_analysis *analysis;
    callgauge_status status = open_file(w, file, follow, &reader, &analysis, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    status = cg_analysis_pump(analysis, err);
    /* A thread that made no call leaves an empty file in its set. */
    bool idle = status == CALLGAUGE_E_FORMAT && file->stem != 0 && callgauge_reader_capture(reader)->bytes == 0;
    if (status >= 0 || idle) {
        status = cg_analysis_seal(analysis, out, err);
    } else if (status == CALLGAUGE_E_FORMAT && is_packed_report(file->path)) {
        status = cg_fail(err, status, (cg_place){ .name = file->path }, "a saved report must not be packed");
    }
    callgauge_analysis_free(analysis);
    return status;
}

/* --- from the reports of its files to that of a capture; the lock is held */

static callgauge_status name_set(callgauge_report *report, const cg_plan_file *file, size_t unread_kept,
                                 callgauge_error *err)
{
    cg_buf name;
    cg_buf_init(&name, SIZE_MAX);
    bool ok = cg_buf_add(&name, file->path, file->stem) && cg_buf_add_z(&name, ".*");
    callgauge_status status = ok ? cg_report_join_captures(report, cg_buf_str(&name), unread_kept, err)
                                 : cg_fail_nomem(err);
    cg_buf_release(&name);
    return status;
}

static callgauge_status close_capture(work *w, size_t index, cg_follow *follow, callgauge_error *err)
{
    const cg_plan_file *file = &w->plan.files[w->plan.captures[index].begin];
    callgauge_report *report;
    callgauge_status status = cg_pile_take(&w->sets[index], &report, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    if (file->stem != 0) {
        status = name_set(report, file, w->options.reader.limits.unread_kept, err);
    }
    if (status == CALLGAUGE_OK) {
        status = cg_where_check(w->where, &report->captures[0].capture, err);
    }
    if (status == CALLGAUGE_OK) {
        status = cg_where_check(w->starts, &report->captures[0].capture, err);
    }
    if (status == CALLGAUGE_OK) {
        status = cg_report_refuse_empty(report, report->captures[0].capture.name, err);
    }
    const cg_complete asked = { w->options.traced, w->options.follow };
    if (status == CALLGAUGE_OK && !cg_complete_settle(&asked, report)) {
        status = cg_fail_nomem(err);
    }
    if (status == CALLGAUGE_OK && follow != NULL) {
        status = cg_follow_close(follow, report, err);
    }
    if (status != CALLGAUGE_OK) {
        callgauge_report_free(report);
        return status;
    }
    return cg_pile_add(&w->all, report, err);
}

static callgauge_status take_report(work *w, const cg_plan_file *file, cg_follow *follow, callgauge_report *report,
                                    callgauge_error *err)
{
    callgauge_status status = cg_pile_add(&w->sets[file->capture], report, err);
    if (status != CALLGAUGE_OK || --w->left[file->capture] > 0) {
        return status;
    }
    return close_capture(w, file->capture, follow, err);
}

/* --- the threads */

/* Notes the failure of file `at`, unless one nearer the front is known; the lock is held. */
static void fail_at(work *w, size_t at, callgauge_status status, const callgauge_error *error)
{
    if (status < 0 && at < w->stop) {
        w->stop = at;
        w->status = status;
        w->error = *error;
    }
}

/* Analyses file `at`. The lock is held, but for the work itself. */
static void work_at(work *w, size_t at, cg_follow *follow)
{
    const cg_plan_file *file = &w->plan.files[at];
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_report *report;
    pthread_mutex_unlock(&w->lock);
    callgauge_status status = analyse_file(w, file, follow, &report, &error);
    pthread_mutex_lock(&w->lock);
    if (status == CALLGAUGE_OK) {
        status = take_report(w, file, follow, report, &error);
    }
    fail_at(w, at, status, &error);
}

/* Analyses the files of a capture in their order, so that what each leaves open is known to those behind it. */
static void work_capture(work *w, const cg_plan_capture *capture)
{
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    cg_follow *follow;
    pthread_mutex_unlock(&w->lock);
    callgauge_status status = cg_follow_new(&w->options, &follow, &error);
    pthread_mutex_lock(&w->lock);
    if (status != CALLGAUGE_OK) {
        fail_at(w, capture->begin, status, &error);
        return;
    }
    for (size_t at = capture->begin; at < capture->end && at < w->stop; at++) {
        work_at(w, at, follow);
    }
    if (w->stop >= capture->end) {
        const cg_plan_file *file = &w->plan.files[capture->begin];
        fail_at(w, capture->begin, cg_follow_check(follow, file->path, &error), &error);
    }
    cg_follow_free(follow);
}

static void *work_off(void *ctx)
{
    work *w = ctx;
    bool follows = cg_follow_is_wanted(&w->options, w->where);
    pthread_mutex_lock(&w->lock);
    while (w->next < w->stop) {
        size_t at = w->next;
        if (follows) {
            const cg_plan_capture *capture = &w->plan.captures[w->plan.files[at].capture];
            w->next = capture->end;
            work_capture(w, capture);
        } else {
            w->next++;
            work_at(w, at, NULL);
        }
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static size_t count_threads(unsigned jobs, size_t files)
{
    size_t threads = jobs;
    if (jobs == 0) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        threads = processors < 1 ? 1 : (size_t)processors;
    }
    threads = threads > files ? files : threads;
    return threads > MOST_THREADS ? MOST_THREADS : threads;
}

/* The caller's thread works too: where no other can be had, it does everything. */
static void work_together(work *w)
{
    pthread_t others[MOST_THREADS];
    size_t wanted = count_threads(w->options.jobs, w->plan.file_count);
    size_t started = 0;
    while (started + 1 < wanted && cg_thread_start(&others[started], work_off, w)) {
        started++;
    }
    work_off(w);
    for (size_t i = 0; i < started; i++) {
        pthread_join(others[i], NULL);
    }
}

/* --- all of them */

static callgauge_status work_init(work *w, const char *const *paths, size_t n,
                                  const callgauge_analysis_options *options, callgauge_error *err)
{
    *w = (work){ .stop = n, .error = CALLGAUGE_ERROR_INIT };
    callgauge_status status = cg_analysis_settle(options, &w->given, err);
    if (status == CALLGAUGE_OK) {
        status = cg_where_compile(w->given.where, "--where", &w->where, err);
    }
    if (status == CALLGAUGE_OK) {
        status = cg_starts_compile(&w->given, &w->starts, err);
    }
    if (status != CALLGAUGE_OK) {
        cg_predicate_free(w->where);
        return status;
    }
    status = cg_plan_init(&w->plan, paths, n, err);
    if (status != CALLGAUGE_OK) {
        cg_predicate_free(w->where);
        cg_predicate_free(w->starts);
        return status;
    }
    w->options = w->given;
    w->options.reader.no_thread |= w->options.jobs == 1;
    if (w->given.reader.on_diag != NULL) {
        w->options.reader.on_diag = diag_locked;
        w->options.reader.diag_ctx = w;
    }
    w->bytes_total = w->given.on_progress != NULL ? measure(&w->plan) : 0;
    w->sets = cg_mem_zeroed(w->plan.capture_count, sizeof *w->sets);
    w->left = cg_mem_zeroed(w->plan.capture_count, sizeof *w->left);
    bool ready = w->sets != NULL && w->left != NULL && pthread_mutex_init(&w->lock, NULL) == 0;
    if (!ready) {
        cg_mem_free(w->sets);
        cg_mem_free(w->left);
        cg_plan_release(&w->plan);
        cg_predicate_free(w->where);
        cg_predicate_free(w->starts);
        return cg_fail_nomem(err);
    }
    for (size_t i = 0; i < w->plan.capture_count; i++) {
        w->left[i] = w->plan.captures[i].end - w->plan.captures[i].begin;
    }
    return CALLGAUGE_OK;
}

static void work_release(work *w)
{
    for (size_t i = 0; i < w->plan.capture_count; i++) {
        cg_pile_release(&w->sets[i]);
    }
    cg_pile_release(&w->all);
    cg_mem_free(w->sets);
    cg_mem_free(w->left);
    cg_plan_release(&w->plan);
    cg_predicate_free(w->where);
    cg_predicate_free(w->starts);
    pthread_mutex_destroy(&w->lock);
}

static callgauge_status hand_over(const work *w, callgauge_error *err)
{
    const callgauge_error *fault = &w->error;
    const cg_place place = { fault->source, fault->line, fault->column, fault->offset };
    return cg_fail(err, w->status, place, "%s", fault->message);
}

callgauge_status callgauge_analyze_files(const char *const *paths, size_t n, const callgauge_analysis_options *options,
                                         callgauge_report **out, callgauge_error *err)
{
    work w;
    callgauge_status status = work_init(&w, paths, n, options, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    work_together(&w);
    status = w.status == CALLGAUGE_OK ? cg_pile_take(&w.all, out, err) : hand_over(&w, err);
    work_release(&w);
    return status;
}

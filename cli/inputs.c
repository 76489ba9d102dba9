/* SPDX-License-Identifier: Apache-2.0 */
/* From the files a user names to reports. A regular file or standard input that begins as JSON does is a saved
 * report; all others are captures. Invariant: the first failure ends the work, so that no report lacks a file in
 * silence. */
#include "inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "progress.h"
#include "saved.h"
#include "unit.h"
#include "whole_file.h"

enum {
    MOST_LISTING_BYTES = 64 << 20,
    MOST_PID = 4194304 /* a larger number at the end of a name is a date, as for callgauge_analyze_files() */
};

callgauge_reader_options inputs_reader_options(const settings *wanted)
{
    return (callgauge_reader_options){
        .size = sizeof(callgauge_reader_options),
        .dialect = wanted->dialect,
        .stamps = (callgauge_stamps)wanted->stamps.index,
        .time_kind = (callgauge_time_kind)wanted->time_kind.index,
        .details = wanted->details,
        .no_thread = wanted->jobs == 1,
    };
}

bool inputs_know_dialect(const settings *wanted, char *fault, size_t room)
{
    enum { MOST_DIALECTS = 16 };
    const char *names[MOST_DIALECTS];
    char list[128] = "";
    size_t count = 0;
    while (count < MOST_DIALECTS && (names[count] = callgauge_dialect_name(count)) != NULL) {
        if (wanted->dialect == NULL || strcmp(wanted->dialect, names[count]) == 0) {
            return true;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", count == 0 ? "" : "|", names[count]);
        count++;
    }
    const char *near = nearest_word(wanted->dialect, names, count);
    snprintf(fault, room, "--dialect: '%s' is none of %s%s%s%s", wanted->dialect, list,
             near != NULL ? "; did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "");
    return false;
}

/* --- sets of files */

static int64_t number_at_end(const char *path, size_t *stem)
{
    const char *dot = strrchr(path, '.');
    if (dot == NULL || dot == path || dot[-1] == '/' || dot[1] == '0' || dot[1] == '\0') {
        return 0;
    }
    int64_t number = 0;
    for (const char *at = dot + 1; *at != '\0'; at++) {
        number = *at < '0' || *at > '9' ? MOST_PID + 1 : number * 10 + (*at - '0');
        if (number > MOST_PID) {
            return 0;
        }
    }
    *stem = (size_t)(dot - path);
    return number;
}

static bool same_set(const char *a, size_t a_stem, const char *b)
{
    size_t b_stem;
    return number_at_end(b, &b_stem) != 0 && a_stem == b_stem && memcmp(a, b, a_stem) == 0;
}

int64_t inputs_pid(const settings *wanted, size_t index, size_t *stem)
{
    size_t length;
    int64_t pid = number_at_end(wanted->files[index], &length);
    for (size_t i = 0; pid != 0 && i < wanted->file_count; i++) {
        if (i != index && same_set(wanted->files[index], length, wanted->files[i])) {
            if (stem != NULL) {
                *stem = length;
            }
            return pid;
        }
    }
    return 0;
}

static bool is_standard_input(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* --- the listing of descriptors */

static bool names_standard_input(const settings *wanted)
{
    for (size_t i = 0; i < wanted->file_count; i++) {
        if (is_standard_input(wanted->files[i])) {
            return true;
        }
    }
    return false;
}

bool inputs_read_listing(settings *with, whole_file *listing)
{
    *listing = (whole_file){ 0 };
    if (with->fds == NULL) {
        if (with->fds_any_pid) {
            say("--fds-any-pid needs --fds");
        }
        return !with->fds_any_pid;
    }
    if (is_standard_input(with->fds) && names_standard_input(with)) {
        say_about(with->fds, "named twice");
        return false;
    }
    if (!whole_file_read(with->fds, MOST_LISTING_BYTES, listing)) {
        char text[160];
        snprintf(text, sizeof text, "the listing cannot be read: %s",
                 errno == EFBIG ? "more than 64 MiB" : strerror(errno));
        say_about(with->fds, text);
        return false;
    }
    with->fds_text = listing->data;
    with->fds_length = listing->length;
    return true;
}

/* --- files to one report */

/* A number of units is said of all files together, once they are one report. */
static callgauge_unit_from unit_counted(const settings *wanted)
{
    uint64_t count;
    callgauge_unit_from from = unit_wanted(wanted->unit, &count);
    return from == CALLGAUGE_UNIT_NUMBER ? CALLGAUGE_UNIT_NONE : from;
}

static callgauge_report *analyse(const settings *wanted, inputs_fill fill, const char *const *paths, size_t count)
{
    progress bar;
    progress_begin(&bar, true);
    const callgauge_analysis_options options = {
        .size = sizeof options,
        .reader = inputs_reader_options(wanted),
        .per_process = fill != INPUTS_CALLS,
        .follow = fill == INPUTS_ALL,
        .unit = unit_counted(wanted),
        .unit_call = wanted->unit,
        .rules = wanted->loaded,
        .jobs = (unsigned)wanted->jobs,
        .on_progress = bar.on ? progress_tell : NULL,
        .progress_ctx = &bar,
        .fds_name = wanted->fds,
        .fds = wanted->fds_text,
        .fds_len = wanted->fds_length,
        .fds_any_pid = wanted->fds_any_pid,
        .where = wanted->where,
        .traced = wanted->traced,
        .budget = wanted->limits,
    };
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_report *report = NULL;
    callgauge_status status = callgauge_analyze_files(paths, count, &options, &report, &error);
    progress_end(&bar);
    if (status != CALLGAUGE_OK) {
        say_error(&error);
    }
    return report;
}

static callgauge_report *merge(callgauge_report *const *parts, size_t count)
{
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    callgauge_report *sum = NULL;
    if (callgauge_report_merge((const callgauge_report *const *)parts, count, &sum, &error) != CALLGAUGE_OK) {
        say_error(&error);
    }
    return sum;
}

/* Reads the saved ones of `paths` into `parts`, then analyses the others. Gives how many parts there are; 0: one
 * failed. */
static size_t load_parts(const settings *wanted, inputs_fill fill, const char **paths, size_t count,
                         callgauge_report **parts)
{
    size_t loaded = 0;
    size_t captures = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        if (!saved_is(paths[i])) {
            paths[captures++] = paths[i];
        } else {
            parts[loaded] = saved_load(wanted, paths[i]);
            ok = parts[loaded] != NULL;
            loaded += ok;
        }
    }
    if (ok && captures > 0) {
        parts[loaded] = analyse(wanted, fill, paths, captures);
        ok = parts[loaded] != NULL;
        loaded += ok;
    }
    while (!ok && loaded > 0) {
        callgauge_report_free(parts[--loaded]);
    }
    return loaded;
}

/* NULL: it failed, and that was said. The order of `paths` is not kept. */
static callgauge_report *load_together(const settings *wanted, inputs_fill fill, const char **paths, size_t count)
{
    callgauge_report **parts = calloc(count, sizeof *parts);
    if (parts == NULL) {
        say(callgauge_status_text(CALLGAUGE_E_NOMEM));
        return NULL;
    }
    size_t loaded = load_parts(wanted, fill, paths, count, parts);
    callgauge_report *sum = loaded == 1 ? parts[0] : loaded > 1 ? merge(parts, loaded) : NULL;
    for (size_t i = 0; loaded > 1 && i < loaded; i++) {
        callgauge_report_free(parts[i]);
    }
    free(parts);
    return sum;
}

/* --- and to the list */

/* Moves the files that are of one capture with `index` to `group`; those before it are done. */
static size_t take_group(const settings *wanted, size_t index, const char **group)
{
    size_t stem;
    size_t count = 0;
    if (inputs_pid(wanted, index, &stem) == 0) {
        group[count++] = wanted->files[index];
        return count;
    }
    for (size_t i = 0; i < wanted->file_count; i++) {
        if (same_set(wanted->files[index], stem, wanted->files[i])) {
            if (i < index) {
                return 0;
            }
            group[count++] = wanted->files[i];
        }
    }
    return count;
}

static bool load_apart(const settings *wanted, inputs_fill fill, const char **group, report_list *out)
{
    for (size_t i = 0; i < wanted->file_count; i++) {
        size_t count = take_group(wanted, i, group);
        if (count > 0) {
            callgauge_report *report = load_together(wanted, fill, group, count);
            if (report == NULL) {
                return false;
            }
            out->reports[out->count++] = report;
        }
    }
    return true;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A file that counts twice is hardly meant. `paths` is room for all of them. */
static bool refuse_twins(const settings *wanted, const char **paths)
{
    memcpy(paths, wanted->files, wanted->file_count * sizeof *paths);
    qsort(paths, wanted->file_count, sizeof *paths, by_text);
    for (size_t i = 1; i < wanted->file_count; i++) {
        if (strcmp(paths[i - 1], paths[i]) == 0) {
            say_about(paths[i], "named twice");
            return false;
        }
    }
    return true;
}

static bool load(const settings *wanted, inputs_fill fill, report_list *out)
{
    const char **paths = calloc(wanted->file_count, sizeof *paths);
    *out = (report_list){ .reports = calloc(wanted->file_count, sizeof *out->reports) };
    bool ok = paths != NULL && out->reports != NULL;
    if (!ok) {
        say(callgauge_status_text(CALLGAUGE_E_NOMEM));
    } else if (!refuse_twins(wanted, paths)) {
        ok = false;
    } else if (wanted->each) {
        ok = load_apart(wanted, fill, paths, out);
    } else {
        memcpy(paths, wanted->files, wanted->file_count * sizeof *paths);
        out->reports[0] = load_together(wanted, fill, paths, wanted->file_count);
        ok = out->reports[0] != NULL;
        out->count = ok;
    }
    free(paths);
    return ok;
}

bool inputs_load(const settings *wanted, inputs_fill fill, report_list *out)
{
    settings with = *wanted;
    whole_file listing;
    *out = (report_list){ 0 };
    bool ok = inputs_read_listing(&with, &listing) && load(&with, fill, out);
    whole_file_release(&listing);
    return ok;
}

void inputs_free(report_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        callgauge_report_free(list->reports[i]);
    }
    free(list->reports);
}

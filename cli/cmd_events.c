/* SPDX-License-Identifier: Apache-2.0 */
/* callgauge events: what a tracer wrote, one event a line, in one form for all tracers. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inputs.h"
#include "label.h"
#include "message.h"
#include "output.h"
#include "progress.h"
#include "saved.h"

enum { PROGRESS_EVERY = 8192 };

static const option options[] = {
    { "format", 0, OPTION_CHOICE, "text|ndjson|csv", "form of the output", offsetof(settings, format) },
    { "limit", 0, OPTION_NUMBER, "N", "write at most N events; 0: all", offsetof(settings, limit) },
    { "details", 0, OPTION_FLAG, NULL, "structure dumps, frames, foreign and unread lines too",
      offsetof(settings, details) },
    OPTION_WHERE,
    OPTIONS_OF_LISTING,
    { NULL, 0, OPTION_FLAG, NULL, NULL, 0 },
};

/* The way of the events of all files. */
typedef struct stream {
    const settings *wanted;
    callgauge_output to;
    label file; /* names the file of each line, if there are several */
    uint64_t written;
    progress bar;
    bool all_read;
    callgauge_filter *filter; /* NULL: all events */
    callgauge_reader *reader; /* of the file that is written, kept until the filter has left it */
    uint64_t undecided;
} stream;

static bool is_full(const stream *s)
{
    return s->wanted->limit != 0 && s->written >= s->wanted->limit;
}

static callgauge_status write_events(stream *s, callgauge_reader *reader, callgauge_error *err)
{
    const callgauge_event *event;
    callgauge_status status = CALLGAUGE_OK;
    const callgauge_output labelled = { label_write, &s->file };
    const callgauge_output *to = s->file.name != NULL && s->file.form != LABEL_TEXT ? &labelled : &s->to;
    for (uint64_t seen = 1; !is_full(s) && (status = callgauge_reader_next(reader, &event, err)) == CALLGAUGE_OK;
         seen++) {
        bool passes = true;
        status = s->filter == NULL ? CALLGAUGE_OK : callgauge_filter_event(s->filter, event, &passes, err);
        if (status == CALLGAUGE_OK && passes) {
            status = callgauge_write_event(event, s->wanted->format.text, to, err);
            s->written += status == CALLGAUGE_OK;
        }
        if (status != CALLGAUGE_OK) {
            break;
        }
        if (seen % PROGRESS_EVERY == 0) {
            progress_tell(&s->bar, callgauge_reader_capture(reader)->bytes, 0);
        }
    }
    return status;
}

static bool put(const stream *s, const char *text)
{
    return s->to.write(s->to.ctx, text, strlen(text)) == 0;
}

static callgauge_status fail(callgauge_status status, const char *path, const char *why, callgauge_error *err)
{
    *err = (callgauge_error)CALLGAUGE_ERROR_INIT;
    err->status = status;
    snprintf(err->source, sizeof err->source, "%s", path);
    snprintf(err->message, sizeof err->message, "%s", why);
    return status;
}

/* Gets the name of a file ready for its lines; as text it is a line of its own. */
static callgauge_status begin_file(stream *s, size_t index, callgauge_error *err)
{
    if (s->wanted->file_count == 1) {
        return CALLGAUGE_OK;
    }
    static const label_form forms[] = { LABEL_TEXT, LABEL_NDJSON, LABEL_CSV };
    free(s->file.name);
    s->file = (label){ .form = forms[s->wanted->format.index], .to = &s->to };
    s->file.name = label_escape(s->file.form, s->wanted->files[index]);
    if (s->file.name == NULL) {
        return fail(CALLGAUGE_E_NOMEM, s->wanted->files[index], "", err);
    }
    bool ok = s->file.form != LABEL_TEXT || (put(s, "== ") && put(s, s->file.name) && put(s, "\n"));
    return ok ? CALLGAUGE_OK : CALLGAUGE_E_STOPPED;
}

/* --- the condition */

/* Ends the capture whose events the filter has seen. `reader` of its last file is still there. */
static callgauge_status end_filter(stream *s, callgauge_error *err)
{
    callgauge_status status = s->filter == NULL || is_full(s) ? CALLGAUGE_OK : callgauge_filter_finish(s->filter, err);
    s->undecided += s->filter == NULL ? 0 : callgauge_filter_undecided(s->filter);
    callgauge_filter_free(s->filter);
    s->filter = NULL;
    return status;
}

/* The files of a set are one capture, each of which ends the filter that is not of its set. */
static callgauge_status begin_filter(stream *s, callgauge_reader *reader, callgauge_error *err)
{
    if (s->wanted->where == NULL) {
        return CALLGAUGE_OK;
    }
    const callgauge_analysis_options filtering = {
        .size = sizeof filtering,
        .reader = inputs_reader_options(s->wanted),
        .where = s->wanted->where,
        .fds_name = s->wanted->fds,
        .fds = s->wanted->fds_text,
        .fds_len = s->wanted->fds_length,
        .fds_any_pid = s->wanted->fds_any_pid,
    };
    callgauge_status status = s->filter != NULL ? CALLGAUGE_OK : callgauge_filter_new(&filtering, &s->filter, err);
    return status == CALLGAUGE_OK ? callgauge_filter_begin(s->filter, reader, err) : status;
}

/* Whether the file behind this one is of the same set. */
static bool set_goes_on(const stream *s, size_t index)
{
    size_t stem, next;
    const char *const *files = s->wanted->files;
    return index + 1 < s->wanted->file_count && inputs_pid(s->wanted, index, &stem) != 0 &&
           inputs_pid(s->wanted, index + 1, &next) != 0 && stem == next &&
           memcmp(files[index], files[index + 1], stem) == 0;
}

static callgauge_status write_file(stream *s, size_t index, callgauge_error *err)
{
    if (saved_is(s->wanted->files[index])) {
        return fail(CALLGAUGE_E_UNSUPPORTED, s->wanted->files[index],
                    "this is a saved report: events cannot be made of it", err);
    }
    callgauge_reader_options reading = inputs_reader_options(s->wanted);
    reading.pid = inputs_pid(s->wanted, index, NULL);
    callgauge_reader *reader;
    callgauge_status status = callgauge_reader_open(s->wanted->files[index], &reading, &reader, err);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    status = begin_filter(s, reader, err);
    callgauge_reader_free(s->reader);
    s->reader = reader;
    if (status == CALLGAUGE_OK) {
        status = begin_file(s, index, err);
    }
    if (status == CALLGAUGE_OK) {
        status = write_events(s, reader, err);
    }
    if (status >= 0 && !set_goes_on(s, index)) {
        callgauge_status ended = end_filter(s, err);
        status = ended < 0 ? ended : status;
    }
    if (status >= 0) {
        s->all_read &= say_unread_of_events(callgauge_reader_capture(reader));
    }
    return status < 0 ? status : CALLGAUGE_OK;
}

static int write_files(stream *s, output *out)
{
    callgauge_error error = CALLGAUGE_ERROR_INIT;
    bool named = s->wanted->file_count > 1 && strcmp(s->wanted->format.text, "csv") == 0;
    callgauge_status status = named && !put(s, "file,") ? CALLGAUGE_E_STOPPED : CALLGAUGE_OK;
    if (status == CALLGAUGE_OK) {
        status = callgauge_write_event_heading(s->wanted->format.text, &s->to, &error);
    }
    for (size_t i = 0; i < s->wanted->file_count && status == CALLGAUGE_OK && !is_full(s); i++) {
        status = write_file(s, i, &error);
    }
    progress_end(&s->bar);
    bool failed = status < 0 && status != CALLGAUGE_E_STOPPED;
    int code = failed && s->written == 0 ? EXIT_TROUBLE : output_end(out);
    if (failed) {
        say_error(&error);
        return EXIT_TROUBLE;
    }
    say_undecided(s->undecided);
    return s->wanted->strict && !s->all_read ? EXIT_TROUBLE : code;
}

static int write_wanted(const settings *wanted)
{
    output *out = output_new(wanted->output);
    if (out == NULL) {
        return EXIT_TROUBLE;
    }
    stream s = { .wanted = wanted, .to = { output_write, out }, .all_read = true };
    progress_begin(&s.bar, wanted->output != NULL || !isatty(STDOUT_FILENO));
    int code = write_files(&s, out);
    callgauge_filter_free(s.filter);
    callgauge_reader_free(s.reader);
    free(s.file.name);
    free(out);
    return code;
}

/* Events are written as the capture has them: what a descriptor stands for matters to a condition alone. */
static int run(const settings *wanted)
{
    settings with = *wanted;
    whole_file listing = { 0 };
    if (wanted->fds != NULL && wanted->where == NULL) {
        say("--fds needs --where");
        return EXIT_TROUBLE;
    }
    bool ok = !output_is_input(wanted) && inputs_read_listing(&with, &listing);
    int code = ok ? write_wanted(&with) : EXIT_TROUBLE;
    whole_file_release(&listing);
    return code;
}

const command command_events = { "events", "Writes every event of captures, one a line.", options, NULL, NULL, run };

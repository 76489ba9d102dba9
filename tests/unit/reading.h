/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of dialects and of the reader share: a parse that has seen nothing, lines as the reader
 * finds them, and events written down as one text that names every field they have, so that a row
 * asserts what is there and what is not. Include after cmocka.h. */
#ifndef CG_TEST_READING_H
#define CG_TEST_READING_H

#include <inttypes.h>

#include "base/buf.h"
#include "base/str.h"
#include "reader/reader.h"

/* The test of one row. */
static inline struct CMUnitTest row_test(const char *name, CMUnitTestFunction check, void *row)
{
    return (struct CMUnitTest){ .name = name, .test_func = check, .initial_state = row };
}

/* --- events as text: "1-3: call read pid=7 args=<9> result=<1> value=1 wall=23000 resumed" */

static inline void say_text(cg_buf *out, const char *what, callgauge_str text)
{
    if (text.len > 0) {
        assert_true(cg_buf_printf(out, " %s=<", what) && cg_buf_add_str(out, text) && cg_buf_add_char(out, '>'));
    }
}

static inline void say_number(cg_buf *out, bool has, const char *what, int64_t value)
{
    if (has) {
        assert_true(cg_buf_printf(out, " %s=%" PRId64, what, value));
    }
}

static inline void say_flags(cg_buf *out, uint32_t flags)
{
    static const char *const names[] = { "unreturned", "resumed", "orphan", "injected", "delayed",
                                         "restart",    "slept",   "child",  "repaired", "return" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if ((flags & 1u << i) != 0) {
            assert_true(cg_buf_printf(out, " %s", names[i]));
        }
    }
}

static inline void say_row(cg_buf *out, const callgauge_count_row *row)
{
    say_number(out, row->table > 0, "table", row->table);
    say_number(out, (row->has & CALLGAUGE_ROW_CALLS) != 0, "calls", (int64_t)row->calls);
    say_number(out, (row->has & CALLGAUGE_ROW_ERRORS) != 0, "errors", (int64_t)row->errors);
    say_number(out, (row->has & CALLGAUGE_ROW_CPU) != 0, "cpu", row->cpu_ns);
    say_number(out, (row->has & CALLGAUGE_ROW_CPU_MIN) != 0, "cpu-min", row->cpu_min_ns);
    say_number(out, (row->has & CALLGAUGE_ROW_CPU_MAX) != 0, "cpu-max", row->cpu_max_ns);
    say_number(out, (row->has & CALLGAUGE_ROW_WALL) != 0, "wall", row->wall_ns);
    say_number(out, (row->has & CALLGAUGE_ROW_WALL_MIN) != 0, "wall-min", row->wall_min_ns);
    say_number(out, (row->has & CALLGAUGE_ROW_WALL_MAX) != 0, "wall-max", row->wall_max_ns);
}

static inline void say_scalars(cg_buf *out, const callgauge_event *event)
{
    uint32_t has = event->has;
    say_number(out, (has & CALLGAUGE_HAS_PID) != 0, "pid", event->pid);
    say_text(out, "comm", event->comm);
    say_number(out, (has & CALLGAUGE_HAS_START) != 0, "start", event->start_ns);
    say_number(out, (has & CALLGAUGE_HAS_GAP) != 0, "gap", event->gap_ns);
    say_text(out, "args", event->args);
    say_text(out, "result", event->result);
    say_number(out, (has & CALLGAUGE_HAS_VALUE) != 0, "value", event->value);
    say_text(out, "error", event->error == NULL ? cg_str(NULL, 0) : event->error->text);
    say_text(out, "note", event->note);
    say_number(out, (has & CALLGAUGE_HAS_DURATION) != 0, event->duration_kind == CALLGAUGE_TIME_WALL ? "wall" : "cpu",
               event->duration_ns);
    say_number(out, (has & CALLGAUGE_HAS_END) != 0, "end", event->end_ns);
    say_flags(out, event->flags);
}

/* One event, and a line end. */
static inline void say_event(cg_buf *out, const callgauge_event *event)
{
    bool halves = event->first_line != event->line;
    assert_true(!halves || cg_buf_printf(out, "%" PRIu64 "-", event->first_line));
    assert_true(cg_buf_printf(out, "%" PRIu64 ": %s", event->line, callgauge_event_kind_text(event->kind)));
    callgauge_str name = event->call != NULL   ? event->call->text
                         : event->name != NULL ? event->name->text
                                               : cg_str(NULL, 0);
    assert_true(name.len == 0 || (cg_buf_add_char(out, ' ') && cg_buf_add_str(out, name)));
    if (event->row != NULL) {
        say_row(out, event->row);
    } else {
        say_scalars(out, event);
    }
    if (event->kind == CALLGAUGE_EVENT_FOREIGN || event->kind == CALLGAUGE_EVENT_UNREAD) {
        say_text(out, "text", event->text);
    }
    assert_true(cg_buf_add_char(out, '\n'));
}

static inline const char *said_text(cg_buf *said)
{
    assert_true(cg_buf_reserve(said, 1));
    said->data[said->len] = 0;
    return said->data;
}

/* --- a parse and its lines */

static inline callgauge_limits small_limits(void)
{
    return (callgauge_limits){ .size = sizeof(callgauge_limits),
                               .line_bytes = 65536,
                               .open_calls = 100,
                               .open_bytes = 65536,
                               .names = 100,
                               .processes = 100,
                               .unread_kept = 10 };
}

typedef struct scene {
    callgauge_reader_options options;
    callgauge_capture capture;
    cg_assume_list assumed;
    cg_parse parse;
    cg_lines lines;
    cg_line line; /* the one at hand */
    callgauge_event event;
    cg_buf said;
} scene;

static inline void scene_begin(scene *s, const cg_dialect *dialect)
{
    *s = (scene){ .options = { .size = sizeof s->options, .limits = small_limits() } };
    s->capture.first_ns = s->capture.last_ns = INT64_MIN;
    assert_true(cg_parse_begin(&s->parse, dialect, &s->options, &s->capture, &s->assumed));
    assert_true(cg_lines_init(&s->lines, s->options.limits.line_bytes));
    s->lines.errors = dialect->error_marks;
    s->parse.wants = CG_WANT_SCALARS | CG_WANT_THREAD | CG_WANT_DETAIL;
    cg_buf_init(&s->said, 1 << 20);
}

static inline void scene_end(scene *s)
{
    cg_parse_release(&s->parse);
    cg_lines_release(&s->lines);
    cg_buf_release(&s->said);
}

/* Puts text before the lines of the scene. */
static inline void scene_feed(scene *s, callgauge_str text)
{
    size_t room;
    char *to = cg_lines_room(&s->lines, &room);
    assert_non_null(to);
    assert_true(text.len <= room);
    memcpy(to, text.ptr, text.len);
    cg_lines_added(&s->lines, text.len);
}

/* What a verdict is called in rows. */
static inline char verdict_letter(cg_verdict verdict)
{
    static const char letters[] = {
        [CG_LINE_EVENT] = 'E', [CG_LINE_FIRST] = 'F',  [CG_LINE_REST] = 'R',   [CG_LINE_DETAIL] = 'D',
        [CG_LINE_ROW] = 'W',   [CG_LINE_TABLE] = 'T',  [CG_LINE_NOTICE] = 'N', [CG_LINE_FOREIGN] = 'f',
        [CG_LINE_OPEN] = 'O',  [CG_LINE_UNREAD] = 'U', [CG_LINE_HARD] = 'H',   [CG_LINE_NOMEM] = '!'
    };
    return letters[verdict];
}

/* Says the open call that the line has shown to be lost, and the event of the line. */
static inline void scene_say(scene *s, cg_verdict verdict)
{
    if (s->parse.has_lost) {
        s->parse.has_lost = false;
        say_event(&s->said, &s->parse.lost);
    }
    if (verdict == CG_LINE_EVENT || verdict == CG_LINE_REST || verdict == CG_LINE_DETAIL || verdict == CG_LINE_ROW ||
        verdict == CG_LINE_NOTICE) {
        say_event(&s->said, &s->event);
    }
}

static inline cg_verdict scene_strict(scene *s)
{
    cg_verdict verdict = s->parse.dialect->strict(&s->parse, cg_str(s->line.ptr, s->line.len), &s->line, &s->event);
    scene_say(s, verdict);
    return verdict;
}

static inline bool next_line(cg_lines *lines, cg_line *line)
{
    if (!cg_lines_next(lines, line)) {
        return false;
    }
    cg_lines_place(lines, line);
    return true;
}

/* Reads all lines of `text` strictly, the last one with or without its end; their letters into `letters`. */
static inline void scene_read(scene *s, const char *text, char *letters, size_t room)
{
    size_t count = 0;
    callgauge_str all = cg_str_z(text);
    scene_feed(s, all);
    if (!cg_str_ends(all, "\n")) {
        scene_feed(s, cg_str_z("\n"));
    }
    while (next_line(&s->lines, &s->line)) {
        assert_true(count + 1 < room);
        letters[count++] = verdict_letter(scene_strict(s));
    }
    letters[count] = 0;
}

/* --- a whole capture */

static inline size_t offset_of_line(callgauge_str text, uint64_t number)
{
    size_t at = 0;
    for (uint64_t line = 1; line < number; line++) {
        const char *newline = memchr(text.ptr + at, '\n', text.len - at);
        assert_non_null(newline);
        at = (size_t)(newline - text.ptr) + 1;
    }
    return at;
}

/* The six counts of lines, the damage and the lines that could not be read. */
static inline void say_account(cg_buf *out, const callgauge_capture *capture)
{
    static const char *const names[] = { "event", "rest", "table", "notice", "foreign", "unread" };
    const uint64_t counts[] = { capture->event_lines,  capture->continuation_lines, capture->table_lines,
                                capture->notice_lines, capture->foreign_lines,      capture->unread_lines };
    uint64_t sum = 0;
    assert_true(cg_buf_add_z(out, "lines:"));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        say_number(out, counts[i] > 0, names[i], (int64_t)counts[i]);
        sum += counts[i];
    }
    assert_int_equal(sum, capture->lines);
    assert_true(cg_buf_add_char(out, '\n'));
    for (size_t i = 0; i < capture->repair_count; i++) {
        const callgauge_repair *repair = &capture->repairs[i];
        assert_true(cg_buf_printf(out, "repair: %s %" PRIu64 " from line %" PRIu64 "\n", repair->kind, repair->count,
                                  repair->line));
    }
    for (size_t i = 0; i < capture->unread_count; i++) {
        assert_true(
            cg_buf_printf(out, "unread: line %" PRIu64 ": %s\n", capture->unread[i].line, capture->unread[i].reason));
    }
}

/* Pulls what is ready and says it; each event must lie at the start of its line. */
static inline callgauge_status say_ready(callgauge_reader *reader, callgauge_str text, cg_buf *out,
                                         callgauge_error *err)
{
    const callgauge_event *event = NULL;
    callgauge_status status;
    while ((status = callgauge_reader_next(reader, &event, err)) == CALLGAUGE_OK) {
        assert_int_equal(event->offset, offset_of_line(text, event->line));
        say_event(out, event);
    }
    return status;
}

/* Reads a capture in pieces of `piece` bytes, says its events and its account. The last status. */
static inline callgauge_status say_capture(callgauge_str text, const callgauge_reader_options *options, size_t piece,
                                           cg_buf *out, callgauge_error *err)
{
    callgauge_reader *reader = NULL;
    callgauge_status status = CALLGAUGE_MORE;
    assert_int_equal(callgauge_reader_new("t", options, &reader, err), CALLGAUGE_OK);
    for (size_t at = 0; at < text.len && status == CALLGAUGE_MORE; at += piece) {
        size_t len = text.len - at < piece ? text.len - at : piece;
        assert_int_equal(callgauge_reader_feed(reader, text.ptr + at, len, err), CALLGAUGE_OK);
        status = say_ready(reader, text, out, err);
    }
    if (status == CALLGAUGE_MORE) {
        assert_int_equal(callgauge_reader_finish(reader, err), CALLGAUGE_OK);
        status = say_ready(reader, text, out, err);
    }
    if (status == CALLGAUGE_END) {
        say_account(out, callgauge_reader_capture(reader));
    }
    callgauge_reader_free(reader);
    return status;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The pull reader: bytes from a caller or a source, lines, the dialect's verdict on each, and the
 * account of every line. A line goes through the fast form; what that cannot prove goes, repaired, through the
 * strict one; what begins there and does not end is kept until its rest comes (open_line.c).
 * Invariant: each physical line adds 1 to exactly one of the capture's six line counts. */
#include "reader/reader.h"

#include <string.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "base/options.h"
#include "base/str.h"
#include "reader/open_line.h"

static size_t or_default(size_t value, size_t standard)
{
    return value == 0 ? standard : value;
}

static size_t within(size_t value, size_t least, size_t most)
{
    return value < least ? least : value > most ? most : value;
}

void cg_limits_settle(callgauge_limits *limits)
{
    const size_t least_line = 4096, most_line = (size_t)256 << 20, most_names = UINT32_MAX / 2;
    limits->size = sizeof *limits;
    limits->line_bytes = within(or_default(limits->line_bytes, (size_t)16 << 20), least_line, most_line);
    limits->open_calls = or_default(limits->open_calls, 65536);
    limits->open_bytes = or_default(limits->open_bytes, (size_t)64 << 20);
    limits->names = within(or_default(limits->names, 16384), 1, most_names);
    limits->processes = or_default(limits->processes, 65536);
    limits->unread_kept = or_default(limits->unread_kept, 10);
    limits->paths = within(or_default(limits->paths, 1000000), 1, UINT32_MAX);
    limits->descriptors = or_default(limits->descriptors, 1048576);
    limits->file_processes = or_default(limits->file_processes, 1024);
    limits->waiting = or_default(limits->waiting, 65536);
    limits->groups = within(or_default(limits->groups, 65536), 1, UINT32_MAX / 2);
    limits->attempts = within(or_default(limits->attempts, 4096), 1, UINT32_MAX / 2);
    limits->distinct = or_default(limits->distinct, 1000000);
    limits->findings = or_default(limits->findings, 100);
    limits->finding_groups = or_default(limits->finding_groups, 100);
    limits->evidence = within(or_default(limits->evidence, 5), 1, 1000);
}

static const cg_dialect *find_dialect(const char *name)
{
    const cg_dialect *dialect;
    for (size_t i = 0; (dialect = cg_dialect_at(i)) != NULL; i++) {
        if (strcmp(dialect->name, name) == 0) {
            return dialect;
        }
    }
    return NULL;
}

callgauge_status callgauge_reader_new(const char *name, const callgauge_reader_options *options, callgauge_reader **out,
                                      callgauge_error *err)
{
    callgauge_reader_options settled;
    cg_place place = { .name = name };
    callgauge_status st = cg_options_copy(options, "reader", &settled, sizeof settled, err);
    if (st != CALLGAUGE_OK) {
        return st;
    }
    cg_limits_settle(&settled.limits);
    const cg_dialect *dialect = NULL;
    if (settled.dialect != NULL && (dialect = find_dialect(settled.dialect)) == NULL) {
        return cg_fail(err, CALLGAUGE_E_USAGE, place, "no dialect is called \"%s\"", settled.dialect);
    }
    callgauge_reader *reader = cg_mem_zeroed(1, sizeof *reader);
    if (reader == NULL) {
        return cg_fail_nomem(err);
    }
    settled.dialect = dialect == NULL ? NULL : dialect->name;
    reader->options = settled;
    reader->failure = (callgauge_error)CALLGAUGE_ERROR_INIT;
    reader->parse.wants = CG_WANT_SCALARS | (settled.details ? CG_WANT_DETAIL : 0);
    cg_buf_init(&reader->late, SIZE_MAX);
    cg_buf_init(&reader->repaired, 2 * settled.limits.line_bytes + 4 * CG_PAD);
    cg_open_line_init(&reader->open, 2 * settled.limits.line_bytes + 4 * CG_PAD);
    reader->name = cg_arena_copy(&reader->arena, name, strlen(name));
    if (reader->name == NULL || !cg_lines_init(&reader->lines, settled.limits.line_bytes)) {
        callgauge_reader_free(reader);
        return cg_fail_nomem(err);
    }
    reader->capture = (callgauge_capture){ .name = reader->name, .first_ns = INT64_MIN, .last_ns = INT64_MIN };
    *out = reader;
    return CALLGAUGE_OK;
}

static callgauge_status attach_source(callgauge_reader *reader, callgauge_status st, cg_source *source,
                                      callgauge_reader **out)
{
    if (st != CALLGAUGE_OK) {
        callgauge_reader_free(reader);
        return st;
    }
    reader->source = source;
    *out = reader;
    return CALLGAUGE_OK;
}

callgauge_status callgauge_reader_open(const char *path, const callgauge_reader_options *options,
                                       callgauge_reader **out, callgauge_error *err)
{
    callgauge_reader *reader;
    callgauge_status st = callgauge_reader_new(path, options, &reader, err);
    if (st != CALLGAUGE_OK) {
        return st;
    }
    cg_source *source = NULL;
    st = cg_source_open(path, reader->options.no_thread, &source, err);
    return attach_source(reader, st, source, out);
}

callgauge_status callgauge_reader_open_fd(int fd, const char *name, const callgauge_reader_options *options,
                                          callgauge_reader **out, callgauge_error *err)
{
    callgauge_reader *reader;
    callgauge_status st = callgauge_reader_new(name, options, &reader, err);
    if (st != CALLGAUGE_OK) {
        return st;
    }
    cg_source *source = NULL;
    st = cg_source_open_fd(fd, name, reader->options.no_thread, &source, err);
    return attach_source(reader, st, source, out);
}

void callgauge_reader_free(callgauge_reader *reader)
{
    if (reader == NULL) {
        return;
    }
    cg_source_free(reader->source);
    cg_lines_release(&reader->lines);
    if (reader->head.dialect != NULL) {
        cg_parse_release(&reader->parse);
    }
    cg_buf_release(&reader->late);
    cg_buf_release(&reader->repaired);
    cg_open_line_release(&reader->open);
    cg_mem_free(reader->unread);
    cg_arena_release(&reader->arena);
    cg_mem_free(reader);
}

void cg_reader_want(callgauge_reader *reader, uint32_t wants)
{
    reader->parse.wants = wants | (reader->options.details ? CG_WANT_DETAIL : 0);
}

void cg_reader_strict_only(callgauge_reader *reader, bool on)
{
    reader->strict_only = on;
}

const cg_open_calls *cg_reader_open_calls(const callgauge_reader *reader)
{
    return &reader->parse.open;
}

callgauge_event *cg_reader_rare_event(callgauge_reader *reader, const callgauge_event *event)
{
    callgauge_event *const own[] = { &reader->after_lost, &reader->parse.lost };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (own[i] == event) {
            return own[i];
        }
    }
    return NULL;
}

uint64_t cg_reader_consumed(const callgauge_reader *reader)
{
    return reader->source == NULL ? reader->capture.bytes : cg_source_consumed(reader->source);
}

size_t cg_reader_limits_hit(const callgauge_reader *reader, cg_reader_limit *out)
{
    const cg_parse *parse = &reader->parse;
    const callgauge_limits *limits = &reader->options.limits;
    const cg_reader_limit all[] = {
        { "open_calls", limits->open_calls, parse->open.dropped_calls },
        { "open_bytes", limits->open_bytes, parse->open.dropped_bytes },
        { "names", limits->names, parse->names_dropped },
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].dropped > 0) {
            out[count++] = all[i];
        }
    }
    return count;
}

/* ---- moments ---- */

/* Reads the stamp that the fast form has left unread; its line is about to go, or an event after it has come. */
static inline void note_stamp(callgauge_reader *reader)
{
    cg_parse *parse = &reader->parse;
    if (parse->stamp_at != NULL) {
        reader->capture.last_ns = cg_add_ns(parse->dialect->stamp(parse), parse->stamp_duration);
        reader->seen |= CALLGAUGE_HAS_START;
        parse->stamp_at = NULL;
    }
}

/* ---- bytes ---- */

/* Whether events wait that are views of lines. */
static inline bool has_leftover(const callgauge_reader *reader)
{
    return reader->has_after_lost || reader->rest.len > 0;
}

/* Adds bytes to the lines. False: no memory. */
static bool add_bytes(callgauge_reader *reader, const char *from, size_t len)
{
    note_stamp(reader);
    while (len > 0) {
        size_t room;
        char *to = cg_lines_room(&reader->lines, &room);
        if (to == NULL) {
            return false;
        }
        size_t part = len < room ? len : room;
        memcpy(to, from, part);
        cg_lines_added(&reader->lines, part);
        reader->capture.bytes += part;
        from += part;
        len -= part;
    }
    return true;
}

callgauge_status callgauge_reader_feed(callgauge_reader *reader, const void *data, size_t len, callgauge_error *err)
{
    if (reader->source != NULL || reader->lines.finished) {
        return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ .name = reader->name },
                       reader->source != NULL ? "the reader reads from a file: it cannot be fed"
                                              : "the reader is finished: it cannot be fed");
    }
    bool ok = has_leftover(reader) || reader->late.len > 0 ? cg_buf_add(&reader->late, data, len)
                                                           : add_bytes(reader, data, len);
    return ok ? CALLGAUGE_OK : cg_fail_nomem(err);
}

callgauge_status callgauge_reader_finish(callgauge_reader *reader, callgauge_error *err)
{
    if (reader->source != NULL) {
        return cg_fail(err, CALLGAUGE_E_USAGE, (cg_place){ .name = reader->name }, "the reader reads from a file");
    }
    cg_lines_finish(&reader->lines);
    return CALLGAUGE_OK;
}

/* The largest pid that Linux knows. */
enum { MAX_PID = 4194304 };

/* The number at the end of a member's name is its pid: the files of strace -ff. */
static void take_member_pid(callgauge_reader *reader)
{
    const char *name = cg_source_member(reader->source);
    if (name == NULL) {
        return;
    }
    callgauge_str text = cg_str_z(name);
    size_t dot = cg_str_find_last(text, ".");
    const char *at = name + dot + 1, *end = name + text.len;
    uint64_t pid;
    bool is_pid = dot < text.len && cg_read_u64(&at, end, &pid) && at == end && pid > 0 && pid <= MAX_PID;
    reader->options.pid = is_pid ? (int64_t)pid : 0;
    if (is_pid) {
        cg_assume(&reader->assumed, "pid of lines without one", "the number at the end of the member's name", "-");
    }
}

/* Goes to the next member of the source. CALLGAUGE_END: there is none. */
static callgauge_status next_member(callgauge_reader *reader, callgauge_error *err)
{
    callgauge_status st = cg_source_next_member(reader->source, err);
    if (st == CALLGAUGE_OK) {
        reader->in_member = true;
        cg_lines_restart(&reader->lines);
        take_member_pid(reader);
    }
    return st;
}

/* Reads more bytes of the present member; at its end the last line can be taken. */
static callgauge_status fill(callgauge_reader *reader, callgauge_error *err)
{
    size_t room, got = 0;
    note_stamp(reader);
    char *to = cg_lines_room(&reader->lines, &room);
    if (to == NULL) {
        return cg_fail_nomem(err);
    }
    callgauge_status st = cg_source_read(reader->source, to, room, &got, err);
    if (st != CALLGAUGE_OK) {
        return st;
    }
    reader->capture.bytes += got;
    if (got == 0) {
        cg_lines_finish(&reader->lines);
        reader->in_member = false;
    } else {
        cg_lines_added(&reader->lines, got);
    }
    return CALLGAUGE_OK;
}

/* Gets more bytes when there is a source. OK: look again; MORE: feed; END: all lines are given. */
static callgauge_status more_bytes(callgauge_reader *reader, callgauge_error *err)
{
    if (reader->source == NULL) {
        return reader->lines.finished ? CALLGAUGE_END : CALLGAUGE_MORE;
    }
    return reader->in_member ? fill(reader, err) : next_member(reader, err);
}

/* ---- the head ---- */

/* Whole lines of the head; len 0: more bytes are needed. */
static callgauge_str head_lines(const cg_lines *lines)
{
    callgauge_str waiting = cg_lines_peek(lines);
    if (!lines->finished && waiting.len < CG_HEAD_BYTES) {
        return cg_str(waiting.ptr, 0);
    }
    callgauge_str head = cg_str(waiting.ptr, waiting.len < CG_HEAD_BYTES ? waiting.len : CG_HEAD_BYTES);
    if (waiting.len <= CG_HEAD_BYTES && lines->finished) {
        return head;
    }
    size_t last = cg_str_find_last(head, "\n");
    if (last < head.len) {
        return cg_str(head.ptr, last + 1);
    }
    const char *newline = memchr(waiting.ptr + head.len, '\n', waiting.len - head.len);
    if (newline != NULL) {
        return cg_str_range(waiting.ptr, newline + 1);
    }
    return cg_str(waiting.ptr, lines->finished ? waiting.len : 0);
}

static callgauge_status begin_parse(callgauge_reader *reader, callgauge_str head, callgauge_error *err)
{
    enum { LOOKED_AT = 200 };
    const cg_dialect *dialect = reader->head.dialect;
    uint32_t wants = reader->parse.wants;
    callgauge_str lines[LOOKED_AT];
    size_t count = 0;
    if (!cg_parse_begin(&reader->parse, dialect, &reader->options, &reader->capture, &reader->assumed)) {
        return cg_fail_nomem(err);
    }
    reader->parse.wants = wants;
    bool counts = (wants & CG_WANT_SCALARS) == 0, strict_only = reader->strict_only || reader->head.damage.html;
    reader->lean = strict_only || !counts ? NULL : dialect->lean;
    reader->lean_event = strict_only || counts ? NULL : dialect->lean_event;
    reader->fast = strict_only ? NULL : counts ? dialect->counts : dialect->events;
    reader->lines.errors = dialect->error_marks;
    reader->capture.dialect = dialect->name;
    for (const char *at = head.ptr, *end = at + head.len; at < end && count < LOOKED_AT; count++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        lines[count] = cg_str_range(at, newline == NULL ? end : newline);
        size_t prefix = cg_prefix_match(&reader->head.damage.prefix, lines[count]);
        lines[count] = cg_str(lines[count].ptr + prefix, lines[count].len - prefix);
        at = newline == NULL ? end : newline + 1;
    }
    if (dialect->columns != NULL) {
        dialect->columns(&reader->parse, lines, count);
    }
    return CALLGAUGE_OK;
}

/* Decides the dialect, or that the lines at hand are nobody's. MORE: not enough bytes yet. */
static callgauge_status decide(callgauge_reader *reader, callgauge_error *err)
{
    callgauge_str head = head_lines(&reader->lines);
    if (head.len == 0) {
        return CALLGAUGE_MORE;
    }
    if (reader->lines.dropped != 0 && !reader->lines.long_given && reader->options.dialect == NULL) {
        size_t newline = cg_str_find(head, "\n"); /* a line past the limit tells nothing */
        reader->skip_until = cg_lines_offset(&reader->lines) + newline + 1;
        return CALLGAUGE_OK;
    }
    const cg_dialect *forced = reader->options.dialect == NULL ? NULL : find_dialect(reader->options.dialect);
    callgauge_status st = cg_head_decide(head, &reader->options, forced, reader->name, cg_lines_number(&reader->lines),
                                         &reader->head, err);
    if (st != CALLGAUGE_OK) {
        return st;
    }
    if (reader->head.dialect == NULL) {
        reader->skip_until = cg_lines_offset(&reader->lines) + head.len;
        return CALLGAUGE_OK;
    }
    return begin_parse(reader, head, err);
}

/* ---- lines ---- */

static callgauge_status add_unread(callgauge_reader *reader, const cg_line *line, callgauge_str text,
                                   const char *reason, callgauge_error *err)
{
    callgauge_capture *capture = &reader->capture;
    if (reader->options.on_diag != NULL) {
        callgauge_error fault = CALLGAUGE_ERROR_INIT;
        cg_fail(&fault, CALLGAUGE_E_FORMAT, (cg_place){ reader->name, line->number, 1, line->offset }, "%s", reason);
        reader->options.on_diag(reader->options.diag_ctx, &fault);
    }
    if (capture->unread_count >= reader->options.limits.unread_kept) {
        return CALLGAUGE_OK;
    }
    if (capture->unread_count == reader->unread_room) {
        size_t room = reader->unread_room == 0 ? 8 : reader->unread_room * 2;
        callgauge_unread *bigger = cg_mem_resize(reader->unread, room * sizeof *bigger);
        if (bigger == NULL) {
            return cg_fail_nomem(err);
        }
        reader->unread = bigger;
        reader->unread_room = room;
        capture->unread = bigger;
    }
    enum { SHOWN = 200 };
    callgauge_unread *entry = &reader->unread[capture->unread_count];
    *entry = (callgauge_unread){ .line = line->number, .reason = reason };
    if (!cg_arena_str(&reader->arena, cg_str(text.ptr, text.len < SHOWN ? text.len : SHOWN), &entry->text)) {
        return cg_fail_nomem(err);
    }
    capture->unread_count++;
    return CALLGAUGE_OK;
}

callgauge_status cg_reader_count_unread(callgauge_reader *reader, const cg_line *line, callgauge_str text,
                                        const char *reason, callgauge_error *err)
{
    reader->capture.unread_lines++;
    return add_unread(reader, line, text, reason, err);
}

static bool is_wanted(const callgauge_reader *reader, const callgauge_event *event)
{
    return (reader->parse.wants & CG_WANT_DETAIL) != 0 ||
           (event->kind != CALLGAUGE_EVENT_DETAIL && event->kind != CALLGAUGE_EVENT_FOREIGN &&
            event->kind != CALLGAUGE_EVENT_UNREAD);
}

/* Where the account has the lines that became `verdict`. */
static uint64_t *count_of(callgauge_capture *capture, cg_verdict verdict)
{
    switch (verdict) {
    case CG_LINE_EVENT:
    case CG_LINE_FIRST: return &capture->event_lines;
    case CG_LINE_REST:
    case CG_LINE_DETAIL: return &capture->continuation_lines;
    case CG_LINE_ROW:
    case CG_LINE_TABLE: return &capture->table_lines;
    case CG_LINE_NOTICE: return &capture->notice_lines;
    default: return &capture->foreign_lines;
    }
}

/* Adds a line to the account. */
static void count_line(callgauge_reader *reader, cg_verdict verdict)
{
    reader->counted_as = count_of(&reader->capture, verdict);
    (*reader->counted_as)++;
}

static void make_foreign(callgauge_reader *reader, const cg_line *line, callgauge_str text)
{
    cg_event_begin(&reader->event, CALLGAUGE_EVENT_FOREIGN, line, text);
    reader->event.lexer = reader->parse.dialect == NULL ? NULL : reader->parse.dialect->lexer;
}

/* An unread line, or the unread rest of one that held an event before it. */
static callgauge_status refuse_text(callgauge_reader *reader, callgauge_str text, const cg_line *line, bool again,
                                    callgauge_error *err)
{
    cg_event_begin(&reader->event, CALLGAUGE_EVENT_UNREAD, line, text);
    if (again) {
        (*reader->counted_as)--;
    }
    reader->counted_as = &reader->capture.unread_lines;
    callgauge_status st = cg_reader_count_unread(reader, line, text, reader->parse.reason, err);
    return st != CALLGAUGE_OK ? st : is_wanted(reader, &reader->event) ? CALLGAUGE_OK : CALLGAUGE_MORE;
}

/* Counts a line by what became of it. OK: reader->event is to be delivered; MORE: go on. */
static callgauge_status take_verdict(callgauge_reader *reader, cg_verdict verdict, callgauge_str text,
                                     const cg_line *line, bool again, callgauge_error *err)
{
    switch (verdict) {
    case CG_LINE_NOMEM: return cg_fail_nomem(err);
    case CG_LINE_OPEN:
        if (line->cut) {
            return refuse_text(reader, text, line, again, err);
        }
        return cg_open_line_begin(reader, text, line, again) ? CALLGAUGE_MORE : cg_fail_nomem(err);
    case CG_LINE_UNREAD: return refuse_text(reader, text, line, again, err);
    default: break;
    }
    if (!again) {
        count_line(reader, verdict);
    }
    if (verdict == CG_LINE_FOREIGN) {
        make_foreign(reader, line, text);
    }
    bool deliver = verdict != CG_LINE_FIRST && verdict != CG_LINE_TABLE && is_wanted(reader, &reader->event);
    return deliver ? CALLGAUGE_OK : CALLGAUGE_MORE;
}

/* Keeps what the strict form has left of a line: another event, joined to the first one. */
static void keep_rest(callgauge_reader *reader, callgauge_str text, const cg_line *line)
{
    size_t used = reader->parse.used;
    if (used < text.len) {
        reader->rest = cg_str_trim(cg_str(text.ptr + used, text.len - used));
        reader->rest_place = *line;
    }
}

/* A whole line that the fast form could not read, with an open one before it. MORE and *alone: to be read by itself. */
static callgauge_status read_behind_open(callgauge_reader *reader, callgauge_str text, const cg_line *line, bool *alone,
                                         callgauge_error *err)
{
    cg_open_rest rest;
    cg_verdict verdict;
    callgauge_status st = cg_open_line_continue(reader, text, line, &rest, &verdict, err);
    *alone = st == CALLGAUGE_OK && rest == CG_REST_NONE;
    if (st != CALLGAUGE_OK) {
        return st;
    }
    if (rest == CG_REST_ALONE) {
        keep_rest(reader, text, line);
        return take_verdict(reader, verdict, text, line, false, err);
    }
    return rest == CG_REST_JOINED && verdict != CG_LINE_FIRST ? CALLGAUGE_OK : CALLGAUGE_MORE;
}

/* A line, or the rest of one (`again`), that the fast form could not read. OK, MORE as above. */
static callgauge_status read_text(callgauge_reader *reader, callgauge_str text, const cg_line *line, bool again,
                                  callgauge_error *err)
{
    if (reader->open.is) {
        bool alone = again;
        callgauge_status st = again ? cg_open_line_give_up(reader, err)
                                    : read_behind_open(reader, text, line, &alone, err);
        if (st < 0 || !alone) {
            return st;
        }
    }
    cg_verdict verdict = reader->parse.dialect->strict(&reader->parse, text, line, &reader->event);
    keep_rest(reader, text, line);
    return take_verdict(reader, verdict, text, line, again, err);
}

static callgauge_status read_hard(callgauge_reader *reader, const cg_line *line, callgauge_error *err)
{
    if (line->too_long) {
        callgauge_status st = cg_reader_count_unread(reader, line, cg_str(line->ptr, line->len),
                                                     "the line is longer than the limit", err);
        return st == CALLGAUGE_OK ? CALLGAUGE_MORE : st;
    }
    if (reader->head.dialect == NULL) {
        reader->capture.foreign_lines++;
        make_foreign(reader, line, cg_str(line->ptr, line->len));
        return is_wanted(reader, &reader->event) ? CALLGAUGE_OK : CALLGAUGE_MORE;
    }
    callgauge_str text;
    if (!cg_repair_line(&reader->head.damage, line, &reader->parse, &reader->repaired, &text)) {
        return cg_fail_nomem(err);
    }
    return read_text(reader, text, line, false, err);
}

/* Gives an event, counts it, and keeps what it tells of the capture. */
static callgauge_status deliver(callgauge_reader *reader, const callgauge_event *event, const callgauge_event **out)
{
    *out = event;
    if (event->kind > CALLGAUGE_EVENT_LIBRARY_CALL) {
        return CALLGAUGE_OK;
    }
    reader->capture.events++;
    reader->capture.has_events = reader->capture.has_events || event->kind != CALLGAUGE_EVENT_NOTICE;
    reader->seen |= event->has;
    if (event != &reader->parse.lost) {
        note_stamp(reader);
        cg_reader_moments(&reader->capture, event);
    }
    return CALLGAUGE_OK;
}

/* What a line has come to: reader->event (`st` OK) or nothing (MORE), and before it an open call that the line has
 * shown to be lost. */
static callgauge_status deliver_line(callgauge_reader *reader, callgauge_status st, const callgauge_event **out)
{
    if (!reader->parse.has_lost || st < 0) {
        return st == CALLGAUGE_OK ? deliver(reader, &reader->event, out) : st;
    }
    reader->parse.has_lost = false;
    if (st == CALLGAUGE_OK) {
        reader->after_lost = reader->event;
        reader->has_after_lost = true;
    }
    return deliver(reader, &reader->parse.lost, out);
}

/* Brings the capture up to what has been read. */
static void settle_capture(callgauge_reader *reader)
{
    callgauge_capture *capture = &reader->capture;
    note_stamp(reader);
    uint32_t seen = reader->seen;
    callgauge_time_kind durations = reader->parse.duration_kind;
    const uint32_t of_events = CALLGAUGE_TRAIT_ARGUMENTS | CALLGAUGE_TRAIT_RESULTS | CALLGAUGE_TRAIT_STRINGS;
    capture->traits |= (capture->has_events ? of_events : 0) |
                       ((seen & CALLGAUGE_HAS_PID) != 0 ? CALLGAUGE_TRAIT_PIDS : 0) |
                       ((seen & CALLGAUGE_HAS_TID) != 0 ? CALLGAUGE_TRAIT_THREADS : 0) |
                       ((seen & (CALLGAUGE_HAS_START | CALLGAUGE_HAS_END)) != 0 ? CALLGAUGE_TRAIT_TIMESTAMPS : 0) |
                       (durations == CALLGAUGE_TIME_WALL ? CALLGAUGE_TRAIT_WALL_DURATIONS : 0) |
                       (durations == CALLGAUGE_TIME_CPU ? CALLGAUGE_TRAIT_CPU_DURATIONS : 0);
    capture->lines = cg_lines_number(&reader->lines) - 1;
    capture->assumed = reader->assumed.items;
    capture->assumed_count = reader->assumed.count;
    size_t count = 0;
    for (int kind = 0; kind < CG_REPAIR_COUNT; kind++) {
        if (reader->parse.repairs[kind] > 0) {
            reader->repairs[count++] = (callgauge_repair){ cg_repair_name((cg_repair)kind), reader->parse.repairs[kind],
                                                           reader->parse.repair_lines[kind] };
        }
    }
    reader->capture.repairs = reader->repairs;
    reader->capture.repair_count = count;
}

static callgauge_status nothing_understood(const callgauge_reader *reader, callgauge_error *err)
{
    const callgauge_capture *capture = &reader->capture;
    cg_place place = { .name = reader->name };
    if (capture->bytes == 0) {
        return cg_fail(err, CALLGAUGE_E_FORMAT, place, "the file is empty");
    }
    place.line = capture->unread_count > 0 ? capture->unread[0].line : 1;
    if (capture->unread_count > 0) {
        return cg_fail(err, CALLGAUGE_E_FORMAT, place, "%s (%zu bytes), and nothing else in it is a trace",
                       capture->unread[0].reason, reader->options.limits.line_bytes);
    }
    return cg_fail(err, CALLGAUGE_E_FORMAT, place,
                   "no line of it is of a trace or a count table (tried strace, truss-solaris)");
}

/* After the last line: the open line, then the open calls, one a time. END: nothing is left. */
static callgauge_status flush(callgauge_reader *reader, const callgauge_event **out, callgauge_error *err)
{
    if (reader->head.dialect == NULL) {
        return nothing_understood(reader, err);
    }
    if (reader->open.is) {
        callgauge_status st = cg_open_line_give_up(reader, err);
        if (st != CALLGAUGE_OK) {
            return st;
        }
    }
    cg_open_call *open = cg_open_oldest(&reader->parse.open);
    settle_capture(reader);
    if (open == NULL) {
        return CALLGAUGE_END;
    }
    cg_parse_lost(&reader->parse, open);
    reader->parse.has_lost = false;
    return deliver(reader, &reader->parse.lost, out);
}

/* What is left over from the line before: an event behind a lost one, the rest of joined lines. MORE: nothing. */
static callgauge_status leftover(callgauge_reader *reader, const callgauge_event **out, callgauge_error *err)
{
    if (reader->has_after_lost) {
        reader->has_after_lost = false;
        return deliver(reader, &reader->after_lost, out);
    }
    callgauge_status st = CALLGAUGE_MORE;
    while (st == CALLGAUGE_MORE && reader->rest.len > 0) {
        callgauge_str rest = reader->rest;
        reader->rest.len = 0;
        st = deliver_line(reader, read_text(reader, rest, &reader->rest_place, true, err), out);
    }
    return st;
}

/* The line behind the constant prefix, as far as the fast form may see it. False: only the strict one may. */
static bool skip_prefix(callgauge_reader *reader, cg_line *line)
{
    size_t prefix = cg_prefix_match(&reader->head.damage.prefix, cg_str(line->ptr, line->len));
    if (prefix == 0 || (line->mark != NULL && line->mark < line->ptr + prefix + 2)) {
        return false;
    }
    line->ptr += prefix;
    line->len -= prefix;
    return true;
}

static cg_verdict read_fast(callgauge_reader *reader, const cg_line *line)
{
    if (reader->head.damage.prefix.len == 0) {
        return reader->fast(&reader->parse, line, &reader->event);
    }
    cg_line inner = *line;
    if (!skip_prefix(reader, &inner)) {
        return CG_LINE_HARD;
    }
    cg_verdict verdict = reader->fast(&reader->parse, &inner, &reader->event);
    if (verdict != CG_LINE_HARD) {
        cg_parse_repair(&reader->parse, CG_REPAIR_PREFIX, line->number);
    }
    return verdict;
}

/* Counts a line that the fast form has read. OK: its event is to be delivered; MORE: nothing; else it has not been
 * read. */
static inline callgauge_status count_fast(callgauge_reader *reader, cg_verdict verdict)
{
    switch (verdict) {
    case CG_LINE_EVENT: reader->capture.event_lines++; return CALLGAUGE_OK;
    case CG_LINE_REST: reader->capture.continuation_lines++; return CALLGAUGE_OK;
    case CG_LINE_FIRST: reader->capture.event_lines++; return CALLGAUGE_MORE;
    default: return CALLGAUGE_END;
    }
}

/* What a line comes to that the fast form has answered `verdict` to. */
static callgauge_status take_fast(callgauge_reader *reader, cg_verdict verdict, const cg_line *line,
                                  callgauge_error *err)
{
    if (verdict == CG_LINE_NOMEM) {
        return cg_fail_nomem(err);
    }
    callgauge_status st = count_fast(reader, verdict);
    return st == CALLGAUGE_END ? read_hard(reader, line, err) : st;
}

static callgauge_status read_line(callgauge_reader *reader, const cg_line *line, callgauge_error *err)
{
    if (reader->fast == NULL || reader->open.is) {
        return read_hard(reader, line, err);
    }
    return take_fast(reader, read_fast(reader, line), line, err);
}

/* Whether nothing stands between the next line and the lean form. */
static bool is_smooth(const callgauge_reader *reader)
{
    return reader->lean != NULL && !reader->open.is && reader->rest.len == 0 && !reader->has_after_lost &&
           reader->head.damage.prefix.len == 0;
}

bool cg_reader_run(callgauge_reader *reader, cg_run *run)
{
    if (!reader->smooth) {
        return false;
    }
    callgauge_capture *capture = &reader->capture;
    reader->lean(&reader->parse, &reader->lines, run);
    capture->event_lines += run->event_lines;
    capture->continuation_lines += run->continuation_lines;
    capture->events += run->count;
    capture->has_events = capture->has_events || run->count > 0;
    if (run->end_ns != INT64_MIN) {
        capture->last_ns = run->end_ns; /* a stamp that is left unread is of a later line */
        reader->seen |= CALLGAUGE_HAS_START;
    }
    return run->count > 0;
}

/* Sees to it that the next line's dialect is known, or that it has none. MORE: bytes are needed. */
static callgauge_status prepare(callgauge_reader *reader, callgauge_error *err)
{
    callgauge_status st = CALLGAUGE_OK;
    while (st == CALLGAUGE_OK && reader->head.dialect == NULL &&
           cg_lines_offset(&reader->lines) >= reader->skip_until) {
        st = decide(reader, err);
    }
    return st;
}

/* Lines that are here, until one gives an event. MORE: none is left. */
static callgauge_status read_lines(callgauge_reader *reader, const callgauge_event **out, callgauge_error *err)
{
    cg_line line;
    callgauge_status st = CALLGAUGE_MORE;
    while (st == CALLGAUGE_MORE) {
        callgauge_status ready = prepare(reader, err);
        if (ready != CALLGAUGE_OK) {
            return ready;
        }
        if (!cg_lines_next(&reader->lines, &line)) {
            return CALLGAUGE_MORE;
        }
        cg_lines_place(&reader->lines, &line);
        st = deliver_line(reader, read_line(reader, &line, err), out);
        if (st == CALLGAUGE_MORE && reader->rest.len > 0) {
            st = leftover(reader, out, err);
        }
    }
    return st;
}

static callgauge_status next(callgauge_reader *reader, const callgauge_event **out, callgauge_error *err)
{
    callgauge_status st = CALLGAUGE_MORE;
    if (has_leftover(reader)) {
        st = leftover(reader, out, err);
    }
    if (st == CALLGAUGE_MORE && reader->late.len > 0) {
        if (!add_bytes(reader, reader->late.data, reader->late.len)) {
            return cg_fail_nomem(err);
        }
        reader->late.len = 0;
    }
    while (st == CALLGAUGE_MORE) {
        st = read_lines(reader, out, err);
        if (st != CALLGAUGE_MORE) {
            break;
        }
        callgauge_status more = more_bytes(reader, err);
        if (more == CALLGAUGE_END) {
            return flush(reader, out, err);
        }
        if (more != CALLGAUGE_OK) {
            settle_capture(reader);
            return more;
        }
    }
    reader->smooth = st == CALLGAUGE_OK && is_smooth(reader);
    return st;
}

/* The failure that stays: every further call answers the same. */
static callgauge_status tell_failure(const callgauge_reader *reader, callgauge_error *err)
{
    if (err != NULL && err->size >= sizeof *err) {
        size_t size = err->size;
        *err = reader->failure;
        err->size = size;
    }
    return reader->failed;
}

/* Whether nothing stands between the next line and the fast form. */
static bool is_plain(const callgauge_reader *reader)
{
    return reader->failed == CALLGAUGE_OK && reader->fast != NULL && reader->head.dialect != NULL && !reader->open.is &&
           !has_leftover(reader) && reader->head.damage.prefix.len == 0 && reader->late.len == 0;
}

/* Lines that the fast form reads, until one gives an event: as read_lines(), for nearly all lines of a capture whose
 * events are wanted. MORE: the long way is to be gone. */
static inline callgauge_status next_plain(callgauge_reader *reader, const callgauge_event **out)
{
    callgauge_status st = CALLGAUGE_MORE;
    cg_line line;
    while (st == CALLGAUGE_MORE && reader->plain && cg_lines_next(&reader->lines, &line)) {
        cg_lines_place(&reader->lines, &line);
        cg_verdict verdict = reader->fast(&reader->parse, &line, &reader->event);
        bool whole = verdict == CG_LINE_EVENT || verdict == CG_LINE_REST;
        if (!whole || reader->parse.has_lost) {
            st = deliver_line(reader, take_fast(reader, verdict, &line, &reader->failure), out);
            reader->plain = is_plain(reader);
            continue;
        }
        reader->capture.event_lines += verdict == CG_LINE_EVENT;
        reader->capture.continuation_lines += verdict == CG_LINE_REST;
        reader->capture.events++;
        reader->capture.has_events = true;
        reader->seen |= reader->event.has;
        note_stamp(reader);
        cg_reader_moments(&reader->capture, &reader->event);
        *out = &reader->event;
        reader->smooth = is_smooth(reader);
        return CALLGAUGE_OK;
    }
    return st;
}

/* Everything but lines that the fast form reads. */
__attribute__((noinline)) static callgauge_status next_rare(callgauge_reader *reader, callgauge_status st,
                                                            const callgauge_event **out, callgauge_error *err)
{
    if (reader->failed != CALLGAUGE_OK) {
        return tell_failure(reader, err);
    }
    if (st == CALLGAUGE_MORE) {
        st = next(reader, out, &reader->failure);
    }
    if (st < 0) {
        reader->failed = st;
        reader->plain = false;
        return tell_failure(reader, err);
    }
    reader->plain = is_plain(reader);
    return st;
}

callgauge_event *cg_reader_stop_lean(callgauge_reader *reader, cg_verdict verdict)
{
    if (verdict == CG_LINE_NOMEM) {
        reader->failed = cg_fail_nomem(&reader->failure);
        reader->plain = false;
    }
    return NULL;
}

callgauge_status cg_reader_next(callgauge_reader *reader, const callgauge_event **out, callgauge_error *err)
{
    const callgauge_event *lean = cg_reader_lean_event(reader);
    if (lean != NULL) {
        *out = lean;
        return CALLGAUGE_OK;
    }
    callgauge_status st = next_plain(reader, out);
    return st == CALLGAUGE_OK ? st : next_rare(reader, st, out, err);
}

callgauge_status callgauge_reader_next(callgauge_reader *reader, const callgauge_event **out, callgauge_error *err)
{
    return cg_reader_next(reader, out, err);
}

const callgauge_capture *callgauge_reader_capture(const callgauge_reader *reader)
{
    return &reader->capture;
}

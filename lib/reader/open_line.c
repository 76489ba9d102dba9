/* SPDX-License-Identifier: Apache-2.0 */
/* Calls over several lines. The text kept is what belongs to the call as far as can be told: of a
 * write, lines in between are the program's output and are not kept; of others, they are wrapped arguments. */
#include "reader/open_line.h"

#include "base/str.h"

/* After so many lines, or bytes that were read again and again with what came, no rest is expected any more. */
enum { MOST_BETWEEN = 10000, MOST_REREAD = 16 << 20 };

static const char pad[CG_PAD];

void cg_open_line_init(cg_open_line *open, size_t limit)
{
    *open = (cg_open_line){ 0 };
    cg_buf_init(&open->text, limit);
}

void cg_open_line_release(cg_open_line *open)
{
    cg_buf_release(&open->text);
}

/* Where the last argument's number ends, counted from the text's start: behind it the program's output begins. 0:
 * unknown. */
static size_t end_of_number(const cg_dialect *dialect, callgauge_str text, const callgauge_call_name *call)
{
    size_t name = cg_str_find(text, "(");
    if (name == text.len || name < call->text.len) {
        return 0;
    }
    const char *at = text.ptr + name + 1, *end = text.ptr + text.len;
    callgauge_str last = { NULL, 0 };
    while (dialect->lexer->next(&at, end, &last)) {
    }
    size_t digits = 0;
    while (digits < last.len && cg_is_digit(last.ptr[digits])) {
        digits++;
    }
    return digits == 0 ? 0 : (size_t)(last.ptr + digits - text.ptr);
}

bool cg_open_line_begin(callgauge_reader *reader, callgauge_str text, const cg_line *line, bool again)
{
    cg_open_line *open = &reader->open;
    const callgauge_call_name *call = reader->event.call;
    const cg_dialect *dialect = reader->parse.dialect;
    size_t notice = dialect->notice_in == NULL ? text.len : dialect->notice_in(text);
    open->notice = notice < text.len;
    if (open->notice) {
        cg_parse_repair(&reader->parse, CG_REPAIR_NOTICE_IN, line->number);
        text.len = notice;
    }
    open->text.len = 0;
    if (!cg_buf_add(&open->text, pad, CG_PAD) || !cg_buf_add_str(&open->text, text)) {
        return false;
    }
    open->is = true;
    open->counted_as = again ? reader->counted_as : NULL;
    open->place = *line;
    open->reason = reader->parse.reason;
    open->between = 0;
    open->reread = 0;
    open->is_write = call != NULL && call->call_class == CALLGAUGE_CLASS_WRITE;
    open->args_end = open->is_write ? end_of_number(dialect, text, call) : 0;
    return true;
}

/* Whether a blank is missing between the kept text and `more`: who wraps lines at blanks takes those away. */
static bool lacks_blank(const cg_open_line *open, callgauge_str more)
{
    size_t len = open->text.len;
    return len > CG_PAD && open->text.data[len - 1] != ' ' && more.len > 0 && more.ptr[0] != ' ';
}

/* The kept text with `more` behind it, and room to look beyond. False: no memory. */
static bool join_text(cg_open_line *open, callgauge_str more, bool blank, callgauge_str *out)
{
    bool ok = (!blank || cg_buf_add_char(&open->text, ' ')) && cg_buf_add_str(&open->text, more) &&
              cg_buf_add(&open->text, pad, CG_PAD);
    *out = cg_str(open->text.data + CG_PAD, open->text.len - 2 * CG_PAD);
    return ok;
}

/* A blank belongs behind a comma, wherever the line was cut. */
static bool is_behind_comma(const cg_open_line *open)
{
    return open->text.len > CG_PAD && open->text.data[open->text.len - 1] == ',';
}

static void count_joined(callgauge_reader *reader, cg_verdict verdict)
{
    cg_open_line *open = &reader->open;
    callgauge_capture *capture = &reader->capture;
    if (open->counted_as == NULL) {
        capture->event_lines += verdict != CG_LINE_REST;
        capture->continuation_lines += verdict == CG_LINE_REST;
    }
    *(open->is_write ? &capture->foreign_lines : &capture->continuation_lines) += open->between;
    capture->continuation_lines++;
    reader->counted_as = &capture->continuation_lines;
    if (open->is_write) {
        cg_parse_repair(&reader->parse, CG_REPAIR_OUTPUT_IN, open->place.number);
    } else if (!open->notice || open->between > 0) {
        cg_parse_repair(&reader->parse, CG_REPAIR_WRAPPED, open->place.number);
    }
}

/* The joined lines are the first half of a call: it is where they began. */
static void place_first_half(callgauge_reader *reader)
{
    const callgauge_event *event = &reader->event;
    cg_open_call *first = cg_open_find(&reader->parse.open, cg_open_key(event->pid, event->tid));
    if (first != NULL) {
        first->line = reader->open.place.number;
        first->offset = reader->open.place.offset;
        first->flags |= CALLGAUGE_CALL_REPAIRED;
    }
}

/* The event is whole; what is left of the joined text is read next. */
static bool finish_joined(callgauge_reader *reader, callgauge_str joined, const cg_line *line, cg_verdict verdict)
{
    callgauge_event *event = &reader->event;
    reader->open.is = false;
    count_joined(reader, verdict);
    if (verdict == CG_LINE_EVENT) {
        event->first_line = reader->open.place.number;
    }
    if (verdict == CG_LINE_FIRST) {
        place_first_half(reader);
    }
    event->flags |= CALLGAUGE_CALL_REPAIRED;
    const char *args_end = joined.ptr + reader->open.args_end;
    if (reader->open.args_end != 0 && event->args.ptr > joined.ptr && event->args.ptr < args_end) {
        event->args = cg_str_range(event->args.ptr, args_end);
    }
    callgauge_str left = cg_str_trim(cg_str(joined.ptr + reader->parse.used, joined.len - reader->parse.used));
    if (left.len == 0) {
        return true;
    }
    reader->repaired.len = 0;
    if (!cg_buf_add(&reader->repaired, pad, CG_PAD) || !cg_buf_add_str(&reader->repaired, left) ||
        !cg_buf_add(&reader->repaired, pad, CG_PAD)) {
        return false;
    }
    reader->rest = cg_str(reader->repaired.data + CG_PAD, left.len);
    reader->rest_place = *line;
    return true;
}

static bool is_whole(cg_verdict verdict)
{
    return verdict == CG_LINE_EVENT || verdict == CG_LINE_FIRST || verdict == CG_LINE_REST;
}

/* A line that is nothing by itself: part of the call, if it is wrapped, or the program's output. */
static callgauge_status keep_between(callgauge_reader *reader, callgauge_str text, bool blank, callgauge_error *err)
{
    cg_open_line *open = &reader->open;
    open->between++;
    if (open->between > MOST_BETWEEN || open->reread > MOST_REREAD) {
        return cg_open_line_give_up(reader, err);
    }
    callgauge_str joined;
    if (!open->is_write && open->text.len + text.len + 2 * CG_PAD <= reader->options.limits.line_bytes) {
        if (!join_text(open, text, blank, &joined)) {
            return cg_fail_nomem(err);
        }
        open->text.len -= CG_PAD;
    }
    return CALLGAUGE_OK;
}

/* Reads the kept text and `text` as one. The kept text stays as it was, unless the verdict is a whole event. */
static cg_verdict read_joined(callgauge_reader *reader, callgauge_str text, bool blank, const cg_line *line,
                              callgauge_str *joined)
{
    cg_open_line *open = &reader->open;
    size_t before = open->text.len;
    open->reread += before;
    if (!join_text(open, text, blank, joined)) {
        return CG_LINE_NOMEM;
    }
    cg_verdict verdict = reader->parse.dialect->strict(&reader->parse, *joined, line, &reader->event);
    if (!is_whole(verdict)) {
        open->text.len = before;
    }
    return verdict;
}

/* The same as it is and, when that gives nothing, with the blank that may be missing; *blank: it is. */
static cg_verdict read_joined_anyhow(callgauge_reader *reader, callgauge_str text, const cg_line *line, bool *blank,
                                     callgauge_str *joined)
{
    bool lacks = lacks_blank(&reader->open, text);
    *blank = lacks && is_behind_comma(&reader->open);
    cg_verdict verdict = read_joined(reader, text, *blank, line, joined);
    if (is_whole(verdict) || verdict == CG_LINE_NOMEM || !lacks || *blank) {
        return verdict;
    }
    cg_verdict with_blank = read_joined(reader, text, true, line, joined);
    *blank = is_whole(with_blank) || (verdict != CG_LINE_OPEN && with_blank == CG_LINE_OPEN);
    return *blank || with_blank == CG_LINE_NOMEM ? with_blank : verdict;
}

callgauge_status cg_open_line_continue(callgauge_reader *reader, callgauge_str text, const cg_line *line,
                                       cg_open_rest *rest, cg_verdict *verdict, callgauge_error *err)
{
    cg_open_line *open = &reader->open;
    cg_parse *parse = &reader->parse;
    const cg_dialect *dialect = parse->dialect;
    if (dialect->starts(parse, text)) {
        *rest = CG_REST_NONE;
        return cg_open_line_give_up(reader, err);
    }
    *verdict = dialect->strict(parse, text, line, &reader->event);
    if (*verdict == CG_LINE_NOMEM) {
        return cg_fail_nomem(err);
    }
    if (*verdict != CG_LINE_FOREIGN && *verdict != CG_LINE_OPEN && *verdict != CG_LINE_UNREAD) {
        *rest = CG_REST_ALONE;
        return CALLGAUGE_OK;
    }
    *rest = CG_REST_BETWEEN;
    bool blank = false;
    if (open->text.limit - open->text.len < text.len + CG_PAD + 1) {
        return keep_between(reader, text, blank, err);
    }
    callgauge_str joined;
    *verdict = read_joined_anyhow(reader, text, line, &blank, &joined);
    if (*verdict == CG_LINE_NOMEM) {
        return cg_fail_nomem(err);
    }
    if (is_whole(*verdict)) {
        *rest = CG_REST_JOINED;
        return finish_joined(reader, joined, line, *verdict) ? CALLGAUGE_OK : cg_fail_nomem(err);
    }
    return keep_between(reader, text, blank, err);
}

callgauge_status cg_open_line_give_up(callgauge_reader *reader, callgauge_error *err)
{
    cg_open_line *open = &reader->open;
    open->is = false;
    reader->capture.foreign_lines += open->between;
    if (open->counted_as != NULL) {
        (*open->counted_as)--;
    }
    return cg_reader_count_unread(reader, &open->place, cg_str(open->text.data + CG_PAD, open->text.len - CG_PAD),
                                  open->reason, err);
}

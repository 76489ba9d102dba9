/* SPDX-License-Identifier: Apache-2.0 */
/* The reader from inside: what stages may tell it, and what its own files share. */
#ifndef CG_READER_READER_H
#define CG_READER_READER_H

#include <callgauge/reader.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "dialect/dialect.h"
#include "input/lines.h"
#include "input/source.h"
#include "reader/head.h"
#include "reader/repair.h"

/* A call that begins on one line and ends on a later one: wrapped, or broken into by other output. */
typedef struct cg_open_line {
    bool is;
    uint64_t *counted_as; /* its physical line is counted there already: it began behind another event; or NULL */
    cg_buf text;          /* with CG_PAD bytes in front */
    cg_line place;
    bool notice; /* it was cut where a notice of the tracer began */
    const char *reason;
    size_t reread;    /* bytes of `text` that were read again, a line at a time */
    uint64_t between; /* lines since then that were nothing by themselves, not counted yet */
    bool is_write;    /* what comes between is the program's output */
    size_t args_end;  /* of its text: there that output begins; 0: unknown */
} cg_open_line;

struct callgauge_reader {
    char *name;
    callgauge_reader_options options;
    callgauge_capture capture;
    cg_source *source; /* NULL: it is fed */
    bool in_member;
    cg_lines lines;
    cg_buf late; /* fed while events waited that are views of lines */
    cg_parse parse;
    cg_assume_list assumed;
    cg_head_choice head; /* dialect NULL: not decided */
    uint64_t skip_until; /* undecided lines before this offset are foreign */
    bool strict_only;
    void (*lean)(cg_parse *parse, cg_lines *lines, cg_run *run); /* NULL: events are wanted, not runs */
    cg_verdict (*lean_event)(cg_parse *parse, cg_lines *lines,
                             callgauge_event *event); /* NULL: there is none, or runs are */
    cg_verdict (*fast)(cg_parse *parse, const cg_line *line, callgauge_event *event); /* NULL: only strict */
    bool smooth;   /* the next line can go to the lean form at once */
    bool plain;    /* nothing stands between the next line and the fast form */
    uint32_t seen; /* CALLGAUGE_HAS_... of all events */
    cg_buf repaired;
    cg_open_line open;
    callgauge_str rest;   /* of a joined line: text not read yet */
    uint64_t *counted_as; /* the count of the capture that its physical line is part of */
    cg_line rest_place;
    callgauge_event event, after_lost;
    bool has_after_lost;
    cg_arena arena;
    callgauge_unread *unread;
    size_t unread_room;
    callgauge_repair repairs[CG_REPAIR_COUNT];
    callgauge_status failed; /* 0, or what every further call answers */
    callgauge_error failure;
};

/* What the stages want: CG_WANT_... Before the first event only; without it everything is filled in. */
void cg_reader_want(callgauge_reader *reader, uint32_t wants);

/* Reads every line with the strict scanner: the oracle of the fast forms. Before the first event only. */
void cg_reader_strict_only(callgauge_reader *reader, bool on);

/* Puts the defaults where a caller gave none, and bounds on what he gave. */
void cg_limits_settle(callgauge_limits *limits);

/* The next calls of the capture, as many as are of the dialect's lean form. False: there is none, and what
 * comes next is cg_reader_next()'s. Only where no stage wants more than counts. */
bool cg_reader_run(callgauge_reader *reader, cg_run *run);

/* As callgauge_reader_next(). */
callgauge_status cg_reader_next(callgauge_reader *reader, const callgauge_event **out, callgauge_error *err);

/* The moments of an event: the first one, and the end of the last one in the order of lines. */
static inline void cg_reader_moments(callgauge_capture *capture, const callgauge_event *event)
{
    uint32_t has = event->has;
    if ((has & (CALLGAUGE_HAS_START | CALLGAUGE_HAS_END)) == 0) {
        return;
    }
    if (capture->first_ns == INT64_MIN) {
        capture->first_ns = (has & CALLGAUGE_HAS_START) != 0 ? event->start_ns : event->end_ns;
    }
    capture->last_ns = (has & CALLGAUGE_HAS_END) != 0 ? event->end_ns : event->start_ns;
}

/* What else the lean form may come to: NULL. */
callgauge_event *cg_reader_stop_lean(callgauge_reader *reader, cg_verdict verdict);

/* The next event, a call, when it is of a line that the dialect's lean form reads: what nearly all are where events are
 * wanted. NULL: cg_reader_next() must look. */
static inline callgauge_event *cg_reader_lean_event(callgauge_reader *reader)
{
    callgauge_capture *capture = &reader->capture;
    cg_verdict verdict = CG_LINE_FIRST;
    while (verdict == CG_LINE_FIRST && reader->plain && reader->lean_event != NULL) {
        verdict = reader->lean_event(&reader->parse, &reader->lines, &reader->event);
        capture->event_lines += verdict == CG_LINE_EVENT || verdict == CG_LINE_FIRST;
    }
    if (verdict != CG_LINE_EVENT && verdict != CG_LINE_REST) {
        return cg_reader_stop_lean(reader, verdict);
    }
    capture->continuation_lines += verdict == CG_LINE_REST;
    capture->events++;
    capture->has_events = true;
    reader->seen |= reader->event.has;
    cg_reader_moments(capture, &reader->event);
    return &reader->event;
}

/* Where calls are kept whose results have not come; as long as the reader. */
const cg_open_calls *cg_reader_open_calls(const callgauge_reader *reader);

/* As the one below, of an event that a line has not come to by itself. */
callgauge_event *cg_reader_rare_event(callgauge_reader *reader, const callgauge_event *event);

/* The event that cg_reader_next() has given, for who writes its annotation; NULL: it is none of the reader's. */
static inline callgauge_event *cg_reader_event(callgauge_reader *reader, const callgauge_event *event)
{
    return event == &reader->event ? &reader->event : cg_reader_rare_event(reader, event);
}

/* Bytes taken from the source so far, packed as they are: for progress. */
uint64_t cg_reader_consumed(const callgauge_reader *reader);

/* What limits have cut: fills `out` (room for CG_READER_LIMITS) and says how many rows. */
typedef struct cg_reader_limit {
    const char *limit;
    uint64_t kept, dropped;
} cg_reader_limit;
enum { CG_READER_LIMITS = 3 };
size_t cg_reader_limits_hit(const callgauge_reader *reader, cg_reader_limit *out);

#endif

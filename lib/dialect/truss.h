/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the truss-solaris dialect, from the leader of a line to the rows of a report.
 * Grammar: docs/dialects/truss-solaris.md.
 * Invariants: what stands in this header or takes plain text only is pure; what takes a cg_parse turns
 * its findings into events. The fast and the strict form share the inline functions, so that they agree.
 * Every text has CG_PAD readable bytes behind it, which may be looked at and never matter. */
#ifndef CG_DIALECT_TRUSS_H
#define CG_DIALECT_TRUSS_H

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/str.h"
#include "base/swar.h"
#include "dialect/dialect.h"

enum {
    CG_TRUSS_ID_DIGITS = 7, /* of a pid or lwp */
    CG_TRUSS_ATTEMPTS = 64  /* places in a line that may be an event or a result: so its cost stays linear */
};
enum { CG_TRUSS_STAMPS = 3, CG_TRUSS_COLUMN = 48 /* results stand there when the call is shorter */ };

/* What stands before an event: process, lwp, thread, up to three times. */
typedef struct cg_truss_leader {
    int64_t pid;  /* 0: none */
    int64_t lwp;  /* 0: none */
    unsigned who; /* 1: a pid is printed, 2: an lwp, 3: both */
    bool prefix;  /* there is a `PID:`, `/LWP:` or `PID/LWP:` */
    bool tab;     /* with the TAB that truss prints behind it */
    unsigned stamps;
    const char *stamp[CG_TRUSS_STAMPS]; /* where each begins: see cg_truss_stamp_ns() */
    const char *body;                   /* behind the prefix: blanks and stamps are still to come */
    const char *rest;                   /* the first non-blank behind all of it */
} cg_truss_leader;

/* How a call's line ends. */
typedef enum cg_truss_ending {
    CG_TRUSS_NOTHING, /* behind the ')' */
    CG_TRUSS_VALUE,
    CG_TRUSS_ERROR,
    CG_TRUSS_ARGC,   /* a successful exec */
    CG_TRUSS_ASLEEP, /* (sleeping...), (waiting for child to exit()/exec()...) */
    CG_TRUSS_CHILD   /* (returning as child ...), (returning as new lwp ...) */
} cg_truss_ending;

typedef struct cg_truss_result {
    cg_truss_ending ending;
    uint32_t has; /* CALLGAUGE_HAS_VALUE, VALUE2, ERRNO */
    int64_t value, value2, error_number;
    callgauge_str error; /* len 0: only the number is printed */
    callgauge_str text, note;
    const char *start; /* behind the gap */
    const char *end;   /* behind all of it */
} cg_truss_result;

/* A call as it stands in the text. */
typedef struct cg_truss_call {
    callgauge_str name, args;
    bool known; /* in the class table, or one that truss itself makes up */
    cg_truss_result result;
    const char *end; /* where the next event of a joined line begins, or the end of the text */
} cg_truss_call;

typedef enum cg_truss_reading {
    CG_TRUSS_NO_CALL,
    CG_TRUSS_WHOLE,
    CG_TRUSS_CUT /* it begins as a call and has no end */
} cg_truss_reading;

/* The sections of a -c report, in their order. */
typedef enum cg_truss_section {
    CG_TRUSS_NO_TABLE,
    CG_TRUSS_FAULTS,
    CG_TRUSS_SIGNALS,
    CG_TRUSS_FUNCTIONS,
    CG_TRUSS_CALLS,
    CG_TRUSS_TOTALS
} cg_truss_section;

/* What a leader looks like, learned from one: a line that has the same digits, though of other values, and
 * otherwise the same bytes there has a leader of that form. */
enum { CG_TRUSS_SHAPE = 32 };
typedef struct cg_truss_shape {
    unsigned char low[CG_TRUSS_SHAPE], high[CG_TRUSS_SHAPE]; /* bounds of each byte; a shape not met fits no line */
    bool prefix;
    bool labelled; /* threads can be told apart: it has pid and lwp, and no open call lacks them */
    unsigned len;
    unsigned pid_digits, lwp_at, lwp_digits; /* 0: there is none */
    unsigned pid_shift;                      /* what brings the last digit of a pid to the top of a word */
    unsigned clock1, gap1, cpu1;             /* where -d, -D and -E begin, and 1; 0: there is none */
    unsigned cpu_word;                       /* where eight bytes are that end with the digits of -E, */
    uint64_t cpu_keep;                       /* and which of them are digits */
} cg_truss_shape;

/* The dialect's own state. */
typedef struct cg_truss {
    char kinds[CG_TRUSS_STAMPS + 1][CG_TRUSS_STAMPS + 1]; /* what n stamps are: "D", "dE"; "" undecided */
    bool based;                                           /* a `Base time stamp:` was seen */
    int64_t base_ns;                                      /* of it */
    const char *before_base;                              /* what cg_parse.stamp_at was then, and the base of that */
    int64_t last_base_ns;
    uint32_t forms; /* of leaders of calls that strict has seen: traits are set for them */
    cg_truss_section section;
    int decimals;                                  /* of the seconds of this table; 0: no row yet */
    uint64_t dump_line;                            /* an I/O dump may follow this line, */
    uint64_t dump_left;                            /* with so many bytes */
    uint64_t strings_line;                         /* the last line of an argv: or envp: block */
    size_t unlabelled;                             /* open sleepers whose lwp was not printed */
    cg_truss_shape shapes[CG_TRUSS_ID_DIGITS + 1]; /* by how many digits a line begins with */
    unsigned last_shape;                           /* of them: of the line read last by the lean form */
} cg_truss;

/* ---- truss_lex.c: the text of calls */

/* From behind the '(' to the ')' that ends the arguments, or NULL. */
const char *cg_truss_args_end(const char *at, const char *end);
/* Name and '(' at `at`: the name; len 0: none. */
callgauge_str cg_truss_name(const char *at, const char *end);
bool cg_truss_is_known(callgauge_str name);
/* Characters that are two to a byte, as in I/O buffers: how many bytes until `end`; 0: they are not. */
size_t cg_truss_pairs(const char *at, const char *end);
extern const cg_lexer cg_truss_lexer;

/* ---- truss_result.c */

/* Reads a result from behind the ')'. False: there is none, and the text does not end either. */
bool cg_truss_result_read(const char *at, const char *end, cg_truss_result *result);
/* The name of a Solaris error number; len 0: it has none. */
callgauge_str cg_truss_error_name(int64_t number);

/* ---- truss_call.c */

cg_truss_reading cg_truss_call_read(const cg_truss_leader *leader, const char *end, bool cut, cg_truss_call *call);
/* Whether an event begins here: a leader and what only events begin with. */
bool cg_truss_starts(const char *at, const char *end);
/* Moves `*at` to the leader of the next known call in the text and gives it; false: there is none. */
bool cg_truss_find(const char **at, const char *end, cg_truss_leader *leader);
/* The same for the next known call that is whole. `cut`: the capture ends where the text does. */
bool cg_truss_find_whole(const char **at, const char *end, bool cut, cg_truss_leader *leader, cg_truss_call *call);
/* The call that this one, if it has just returned, was seen asleep as; NULL: none. */
cg_open_call *cg_truss_sleeper(cg_parse *parse, int64_t pid, int64_t lwp, const callgauge_call_name *name);
/* Whole calls to events. */
cg_verdict cg_truss_call_event(cg_parse *parse, const cg_truss_leader *leader, const cg_truss_call *call,
                               const cg_line *line, callgauge_event *event);

/* ---- truss_fast.c */

cg_verdict cg_truss_counts(cg_parse *parse, const cg_line *line, callgauge_event *event);
cg_verdict cg_truss_events(cg_parse *parse, const cg_line *line, callgauge_event *event);
int64_t cg_truss_stamp_left(cg_parse *parse);

/* ---- truss_lean.c */

/* The next line as an event, and runs of counts alone, of lines whose leader has a shape that has been learnt. */
cg_verdict cg_truss_lean_event(cg_parse *parse, cg_lines *lines, callgauge_event *event);
void cg_truss_lean(cg_parse *parse, cg_lines *lines, cg_run *run);
/* Learns the shape of a leader that has just been read. */
void cg_truss_learn(cg_truss *truss, const char *line, const cg_truss_leader *leader);

/* ---- truss_lines.c: all events but calls */

/* CG_LINE_HARD: it is none of them. */
cg_verdict cg_truss_special(cg_parse *parse, const cg_truss_leader *leader, const cg_line *line,
                            callgauge_event *event);
cg_verdict cg_truss_detail(cg_parse *parse, const cg_truss_leader *leader, const cg_line *line, callgauge_event *event);
bool cg_truss_is_special(const char *at, const char *end);

/* ---- truss_table.c */

/* CG_LINE_HARD: no part of a -c report. */
cg_verdict cg_truss_table_read(cg_parse *parse, const cg_line *line, callgauge_event *event);
bool cg_truss_is_table_line(callgauge_str text);

/* ---- truss_columns.c */

void cg_truss_columns(cg_parse *parse, const callgauge_str *lines, size_t count);
/* What a header, or a `truss -E ...` typed by somebody, says of the columns. */
void cg_truss_header(cg_parse *parse, int64_t base_ns);
void cg_truss_command(cg_parse *parse, callgauge_str text);
/* Sees to it that so many stamps have a meaning, and the capture the traits of such a leader. */
void cg_truss_form_seen(cg_parse *parse, const cg_truss_leader *leader);

/* ---- shared by the fast and the strict form */

static inline const char *cg_truss_blanks(const char *at, const char *end)
{
    while (at < end && cg_is_blank(*at)) {
        at++;
    }
    return at;
}

static inline bool cg_truss_is_in(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/* Behind `-?digits.dddd`, when a blank follows, else `at`. */
static inline const char *cg_truss_stamp_end(const char *at, const char *end)
{
    enum { DIGITS = 4, WORD = 8 };
    const char *p = at + (*at == '-');
    unsigned count = cg_digit_count(cg_load8(p));
    uint64_t fraction = cg_load8(p + count);
    const char *behind = p + count + 1 + DIGITS;
    bool is = count > 0 && count < WORD && (char)fraction == '.' &&
              cg_all_digits((fraction >> 8 & UINT32_MAX) << 32 | 0x30303030) && behind < end && cg_is_blank(*behind);
    return is ? behind : at;
}

/* How many stamps, of at most two, stand there exactly as truss lays them out: each in eight characters,
 * ` 0.0037<TAB>` or `12.5000<TAB>`. */
static inline unsigned cg_truss_plain_stamps(const char *at)
{
#if defined(__SSE2__)
    const __m128i text = _mm_loadu_si128((const __m128i *)(const void *)at);
    const __m128i less = _mm_sub_epi8(text, _mm_set1_epi8('0'));
    const __m128i layout = _mm_set_epi64x(0x09000000002E0020, 0x09000000002E0020);
    unsigned digits = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(less, _mm_set1_epi8(9)), less));
    unsigned others = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(text, layout));
    unsigned fits = (digits & 0x7B7B) | (others & 0x8585);
    return fits == 0xFFFF ? 2 : (fits & 0xFF) == 0xFF;
#else
    unsigned count = 0;
    for (; count < 2; count++, at += 8) {
        bool front = at[0] == ' ' || cg_is_digit(at[0]);
        uint64_t digits = (cg_load8(at) & 0x00FFFFFFFF00FF00u) | 0x3000000000300030u;
        if (!front || at[2] != '.' || at[7] != '\t' || !cg_all_digits(digits)) {
            break;
        }
    }
    return count;
#endif
}

/* A stamp in nanoseconds. A negative time is printed as its floor and a positive fraction. */
static inline int64_t cg_truss_stamp_ns(const char *at)
{
    enum { UNIT_NS = 100000, SECOND_NS = 1000000000 };
    uint64_t word = cg_load8(at);
    if ((word & 0xFF0000) == 0x2E0000 && *at != '-') {
        return (int64_t)cg_digits_value((word & 0xFFFF) << 16 | (word >> 24 & UINT32_MAX) << 32) * UNIT_NS;
    }
    const char *p = at + (*at == '-');
    uint64_t seconds = cg_load8(p);
    unsigned count = cg_digit_count(seconds);
    int64_t whole = cg_digits_value(seconds << (64 - 8 * count));
    int64_t fraction = cg_digits_value(cg_load8(p + count) >> 8 << 32) * (int64_t)UNIT_NS;
    return (*at == '-' ? -whole : whole) * SECOND_NS + fraction;
}

/* A process, lwp or thread id: up to 7 digits. `at`: there is none. */
static inline const char *cg_truss_id(const char *at, int64_t *id)
{
    enum { WORD = 8 };
    uint64_t word = cg_load8(at);
    unsigned count = cg_digit_count(word);
    if (count == 0 || count == WORD) {
        *id = 0;
        return at;
    }
    *id = cg_digits_value(word << (64 - 8 * count));
    return at + count;
}

/* Behind `PID/LWP@TID:`, with at least one of the first two; NULL: no prefix. */
static inline const char *cg_truss_prefix(const char *at, const char *end, cg_truss_leader *leader)
{
    int64_t pid, lwp = 0, thread;
    const char *p = cg_truss_id(at, &pid);
    if (*p == '/') {
        bool short_one = cg_is_digit(p[1]) && !cg_is_digit(p[2]);
        lwp = p[1] - '0';
        p = short_one ? p + 2 : cg_truss_id(p + 1, &lwp);
        if (lwp == 0) {
            return NULL;
        }
        if (*p == '@') {
            p = cg_truss_id(p + 1, &thread);
        }
    } else if (pid == 0) {
        return NULL;
    }
    if (*p != ':' || p + 1 >= end || !cg_is_blank(p[1])) {
        return NULL;
    }
    leader->pid = pid;
    leader->lwp = lwp;
    leader->who = (lwp != 0 ? 2u : 0u) | (pid != 0 ? 1u : 0u);
    leader->prefix = true;
    leader->tab = p[1] == '\t';
    return p + 1;
}

/* The stamps that stand behind blanks at `at`, and what follows them. */
static inline void cg_truss_stamps_read(const char *at, const char *end, cg_truss_leader *leader)
{
    enum { WIDTH = 8 };
    const char *p = at;
    while (*p == '\t') {
        p++;
    }
    leader->stamps = cg_truss_plain_stamps(p);
    leader->stamp[0] = p;
    leader->stamp[1] = p + WIDTH;
    p += leader->stamps * WIDTH;
    if (cg_is_lower(*p) && p < end) {
        leader->rest = p;
        return;
    }
    leader->stamps = 0; /* they are laid out otherwise, or there are three */
    p = cg_truss_blanks(at, end);
    while (leader->stamps < CG_TRUSS_STAMPS) {
        const char *behind = cg_truss_stamp_end(p, end);
        if (behind == p) {
            break;
        }
        leader->stamp[leader->stamps++] = p;
        p = cg_truss_blanks(behind, end);
    }
    leader->rest = p;
}

/* Never fails: without anything in front, `rest` is the first non-blank. */
static inline void cg_truss_leader_read(const char *at, const char *end, cg_truss_leader *leader)
{
    leader->pid = leader->lwp = 0;
    leader->who = 0;
    leader->prefix = leader->tab = false;
    leader->stamps = 0;
    leader->body = leader->rest = at;
    if (at < end && cg_is_lower(*at)) {
        return;
    }
    const char *p = at < end && cg_is_digit(*at) ? at : cg_truss_blanks(at, end);
    const char *behind = cg_truss_prefix(p, end, leader);
    if (behind != NULL) {
        leader->body = behind;
    }
    cg_truss_stamps_read(leader->body, end, leader);
}

/* One bit for a leader's shape. */
static inline uint32_t cg_truss_form(const cg_truss_leader *leader)
{
    return 1u << (leader->stamps * 4 + leader->who);
}

/* Whether the capture has lines with pids. */
static inline bool cg_truss_has_pids(const cg_truss *truss)
{
    enum { FORMS_WITH_PID = 0xAAAA };
    return (truss->forms & FORMS_WITH_PID) != 0;
}

static inline bool cg_truss_pid_lost(const cg_truss *truss, const cg_truss_leader *leader)
{
    return !leader->prefix && cg_truss_has_pids(truss);
}

/* Columns to event. The kinds are decided. */
static inline void cg_truss_stamps_set(const cg_truss *truss, const cg_truss_leader *leader, callgauge_event *event)
{
    const char *kinds = truss->kinds[leader->stamps];
    for (unsigned i = 0; i < leader->stamps; i++) {
        if (kinds[i] == 'd') {
            event->end_ns = truss->base_ns + cg_truss_stamp_ns(leader->stamp[i]);
            event->has |= CALLGAUGE_HAS_END;
        } else if (kinds[i] == 'D') {
            event->gap_ns = cg_truss_stamp_ns(leader->stamp[i]);
            event->has |= CALLGAUGE_HAS_GAP;
        } else if (event->kind == CALLGAUGE_EVENT_CALL) {
            event->duration_ns = cg_truss_stamp_ns(leader->stamp[i]);
            event->duration_kind = CALLGAUGE_TIME_CPU;
            event->has |= CALLGAUGE_HAS_DURATION;
        }
    }
}

static inline void cg_truss_thread_set(const cg_parse *parse, const cg_truss_leader *leader, callgauge_event *event)
{
    int64_t pid = leader->pid != 0 ? leader->pid : parse->options->pid;
    if (pid != 0) {
        event->pid = pid;
        event->has |= CALLGAUGE_HAS_PID;
    }
    if (leader->lwp != 0) {
        event->tid = leader->lwp;
        event->has |= CALLGAUGE_HAS_TID;
    }
}

/* Whether the bytes of a call may be printed below it: -r and -w show the buffer as an address then. */
static inline bool cg_truss_dump_follows(const callgauge_call_name *name, callgauge_str args, bool failed,
                                         int64_t value)
{
    enum { SHOWN_IN_PLACE = 12 };
    if (name->moves == CALLGAUGE_MOVES_NOTHING ||
        (failed ? name->moves == CALLGAUGE_MOVES_IN : value <= SHOWN_IN_PLACE)) {
        return false;
    }
    int64_t fd;
    const char *comma = cg_truss_id(args.ptr, &fd);
    return args.ptr + args.len - comma <= 2 || comma[2] != '"';
}

/* How many they are; of a call that failed only its argument tells, which nobody reads. */
static inline void cg_truss_expect_dump(cg_truss *truss, uint64_t line, bool failed, int64_t value)
{
    enum { ANY = 1 << 30 };
    truss->dump_line = line;
    truss->dump_left = failed ? ANY : (uint64_t)value;
}

/* Whether the TABs before a result that stands behind `gap_end` have become blanks. */
static inline bool cg_truss_tabs_lost(const char *name, const char *close, const char *gap_end)
{
    return close + 1 - name < CG_TRUSS_COLUMN && gap_end[-1] == ' ';
}

#endif

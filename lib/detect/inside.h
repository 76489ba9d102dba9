/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this folder share: rules at work on one capture.
 * An event goes to the rules that its call's name can matter to, and to those that have something open on its thread or
 * process. A rule finds groups (`by`), each of which may be made of values (`each`); runs and sequences are attempts
 * until they end. Invariant: nothing grows without a limit; what a limit cut is counted in its work. */
#ifndef CG_DETECT_INSIDE_H
#define CG_DETECT_INSIDE_H

#include "detect/detect.h"

#include "base/arena.h"
#include "base/buf.h"
#include "detect/set.h"
#include "predicate/predicate.h"
#include "rules/rule.h"

#define CG_NONE UINT32_MAX /* no index */

enum {
    CG_CANDIDATES = 8, /* names of calls that a rule could be about, for the next capture */
    CG_GROUP_KEYS = 2 * CG_RULE_KEYS,
    CG_IMPLIED_KEYS = 3,     /* what groups are listed by when a rule does not say: path, fd.path, peer.addr */
    CG_EVIDENCE_BYTES = 4096 /* of a line that are looked at */
};

struct cg_work;
struct cg_detect;

/* --- sums */

typedef struct cg_sum {
    uint64_t calls, errors, times; /* times: events, runs or sequences */
    int64_t cpu_ns, wall_ns, bytes;
    int64_t in, out;           /* bytes, of one attempt */
    int64_t first_ns, last_ns; /* of their stamps */
} cg_sum;

void cg_sum_init(cg_sum *tally);
void cg_sum_event(cg_sum *tally, const callgauge_event *event);
void cg_sum_add(cg_sum *tally, const cg_sum *more);
/* What went through an attempt: in or out, the smaller of the two where both are known. */
void cg_sum_settle_bytes(cg_sum *tally);
/* Calls a second; 0: unknown. */
double cg_sum_rate(const cg_sum *tally);

/* --- evidence */

typedef struct cg_shown_line {
    uint64_t line;
    callgauge_str text; /* concealed */
} cg_shown_line;

typedef struct cg_shown {
    cg_shown_line *lines;
    size_t count, room;
} cg_shown;

/* --- hashes */

enum { CG_HASHES = 256 };

/* The hashes of paths that were asked for last, by where their text lies: many rules ask for one, and for it again. */
typedef struct cg_hashes {
    struct {
        callgauge_str text;
        uint64_t hash;
    } items[CG_HASHES];
} cg_hashes;

/* cg_value_hash(). */
uint64_t cg_hash_of(struct cg_detect *all, const cg_value *value);

/* --- groups */

typedef struct cg_group {
    uint64_t hash;
    const cg_value *keys; /* kept */
    uint32_t by;          /* index of the group that it is a part of */
    uint32_t floors;      /* RUN: lines of at_least that some run has met */
    uint8_t implied;      /* which of the implied keys; not of a rule with `each` */
    bool gone;            /* forgotten by `reset` */
    bool values_taken;
    cg_sum tally;
    uint64_t of_calls;
    cg_set *distinct; /* as many as the rule counts */
    cg_shown shown;
    cg_value *values; /* of the message; unknown once they differ */
} cg_group;

typedef struct cg_groups {
    cg_group *items;
    size_t count, room;
    uint64_t *slots; /* index + 1, and above it half of the hash: a group that it is not is not looked at */
    size_t slot_room;
    uint32_t last; /* found before */
} cg_groups;

void cg_groups_release(cg_groups *groups, size_t distinct_count);
void cg_sets_free(cg_set *sets, size_t count);

/* --- attempts: runs and sequences that are not at their end */

typedef struct cg_attempt_line {
    uint64_t line;
    cg_buf text;
} cg_attempt_line;

typedef struct cg_attempt {
    uint64_t hash;
    uint32_t lane;
    cg_value key; /* kept; absent: the rule has none */
    uint32_t step, count;
    uint64_t begun_at; /* calls of its lane before it */
    int64_t begun_ns;
    const cg_process *process; /* NULL: not followed */
    cg_sum tally;
    cg_value *slots;
    cg_buf *rooms;  /* texts of the slots */
    cg_value *keys; /* of by, then each, those that the first event tells */
    cg_value implied;
    uint8_t implied_name;
    cg_value *values; /* behind the keys, which stand behind the slots */
    cg_set *distinct;
    struct cg_attempt_line *lines; /* evidence, as it stands in the capture: as many as a finding shows */
    size_t line_count;
    uint32_t older, newer; /* in the order of their beginnings; CG_NONE */
    bool used;
} cg_attempt;

typedef struct cg_attempts {
    cg_attempt *items;
    size_t count, room; /* ever used; made */
    size_t open;
    uint64_t *slots; /* rules with a key: as in cg_groups */
    size_t slot_room;
    uint32_t *by_lane; /* rules without: index + 1 */
    size_t lane_room;
    uint32_t oldest, newest, spare;
    size_t since_look; /* attempts that began since all were looked at */
} cg_attempts;

void cg_attempts_release(struct cg_work *work);
/* To be called between events. What is remembered of events changes with every event, and a judge forgets no text: once
 * there are many, those that are still of use move to a new judge. False: no memory. */
bool cg_attempts_forget_texts(struct cg_detect *all);
/* NULL: there is none. */
cg_attempt *cg_attempts_find(struct cg_work *work, uint32_t lane, const cg_value *key);
/* Whether `within` leaves it no way on, now that `event` is at hand. */
bool cg_attempt_is_late(const struct cg_work *work, const cg_attempt *attempt, const callgauge_event *event);
/* A new one, of which `event` will be the first. At the limit those that no event can go on with
 * make room, else the oldest. NULL: no memory. */
cg_attempt *cg_attempts_begin(struct cg_work *work, uint32_t lane, const cg_value *key, const callgauge_event *event);
/* The event is a part of it, as a step of the scope. False: no memory. */
bool cg_attempt_take(struct cg_work *work, cg_attempt *attempt, uint32_t name, const callgauge_event *event);
/* The events have ended: closes what is open, the oldest first. False: no memory. */
bool cg_attempts_close(struct cg_work *work);
void cg_attempt_end(struct cg_work *work, cg_attempt *attempt);
/* It found what its rule looks for. `event`: the one at hand, NULL: none. False: no memory. */
bool cg_attempt_found(struct cg_work *work, cg_attempt *attempt, uint32_t floors, const callgauge_event *event);

/* --- lanes: threads and processes */

typedef struct cg_lanes {
    uint64_t *words; /* of each lane: calls so far, then a bit for each rule that has an attempt open */
    size_t count, room;
} cg_lanes;

/* --- rules at work */

typedef struct cg_shape {
    /* Whether an event of this name (NULL: no call) and kind may begin something, and whether it does nothing to what
     * is open. */
    void (*kind)(struct cg_work *work, const callgauge_call_name *name, uint32_t kind, bool *starts, bool *ignored);
    /* False: no memory. */
    bool (*event)(struct cg_work *work, uint32_t lane, const callgauge_event *event);
    /* RUN, SEQUENCE: an attempt goes no further, and is found if it is whole. `event`: the one at hand, NULL: none.
     * False: no memory. */
    bool (*close)(struct cg_work *work, cg_attempt *attempt, const callgauge_event *event);
    /* ROWS: judges the rows of a sealed report. False: no memory. */
    bool (*rows)(struct cg_work *work, const callgauge_report *report);
} cg_shape;

extern const cg_shape cg_shape_rows, cg_shape_count, cg_shape_run, cg_shape_sequence;

/* What each event asks for stands first. */
typedef struct cg_work {
    struct cg_detect *all;
    const cg_rule *rule;
    const cg_shape *shape;
    bool (*event)(struct cg_work *work, uint32_t lane, const callgauge_event *event); /* of the shape */
    bool by_process;
    uint32_t index;
    uint32_t where, of, next, reset, skip, key; /* of the judge; CG_NONE */
    uint32_t steps[CG_RULE_STEPS];
    cg_attempts attempts;
    cg_groups bys, eaches;
    uint64_t undecided;
    uint64_t of_calls; /* where `of` is not counted by group */
    uint32_t by[CG_RULE_KEYS], each[CG_RULE_KEYS], distinct[CG_RULE_DISTINCT], values[CG_RULE_VALUES];
    bool by_slots[CG_RULE_KEYS], each_slots[CG_RULE_KEYS], value_slots[CG_RULE_VALUES]; /* read earlier events */
    size_t slot_count;
    cg_value *blank; /* slots of no event */
    cg_sum table;    /* of rows of `-c` tables */
    uint64_t table_of;
    size_t evidence_bytes;
    uint64_t groups_dropped, attempts_dropped, distinct_dropped, distinct_count, evidence_dropped;
    callgauge_str candidates[CG_CANDIDATES];
    size_t candidate_count;
    uint32_t step_candidates; /* bits: some call was seen that the step could be */
} cg_work;

typedef struct cg_detect {
    cg_detect_options options;
    cg_arena arena;
    cg_judge *judge;
    cg_judge *steps; /* keeps texts of events and open attempts; what a group keeps is kept by `judge` */
    const callgauge_capture *capture;
    cg_work *works;
    size_t count, words; /* words of a set of rules */
    bool takes_events;   /* some rule looks at events; else all judge the rows of the report */
    bool has_lanes;      /* some rule looks at the calls of a thread or process one after the other */
    uint32_t implied[CG_IMPLIED_KEYS];
    cg_predicate *implied_keys[CG_IMPLIED_KEYS];
    struct {
        bool known; /* for the event at hand */
        uint8_t name;
        cg_value value;
        uint64_t hash;
    } implied_now;
    cg_hashes hashes;
    uint8_t *kind_known;
    uint64_t *kind_starts, *kind_ignored; /* by kind of call, `words` each */
    uint64_t *kind_calls;                 /* by kind: how many there were */
    size_t kind_room;
    uint64_t *by_path; /* rules that look for nothing but events on certain paths */
    uint64_t *paths;   /* by file, `words` each: of these, the ones that its path is none for */
    uint8_t *path_known;
    size_t path_room;
    uint64_t *no_name; /* what events that are no calls start */
    bool no_name_known;
    cg_lanes threads, processes;
    struct cg_lane_ids *ids; /* where lib/state does not run */
    uint64_t *due;           /* rules that the event at hand goes to */
    uint64_t calls, table_calls;
    uint64_t lanes_dropped;
    struct cg_table_line *table_lines;
    size_t table_line_count, table_line_room;
    bool no_memory;
} cg_detect;

/* A row of a `-c` table, for evidence. */
typedef struct cg_table_line {
    callgauge_str call, text;
    uint64_t line;
} cg_table_line;

static inline bool cg_is_shown_by_each(const cg_work *work)
{
    return work->rule->each.count > 0;
}

/* Calls that the sequence or run may not pass over by itself. */
static inline bool cg_is_on_descriptor(const callgauge_call_name *name)
{
    if (name->call_class == CALLGAUGE_CLASS_MEMORY) {
        return false;
    }
    switch (name->call_class) {
    case CALLGAUGE_CLASS_OPEN:
    case CALLGAUGE_CLASS_SOCKET:
    case CALLGAUGE_CLASS_PIPE:
    case CALLGAUGE_CLASS_WAIT: return true;
    default: return name->fd_arg >= 0 || name->fd2_arg >= 0;
    }
}

/* What is sure of all events of a kind; NO where the rule has no such part. */
static inline cg_truth cg_sure(const cg_work *work, uint32_t id, uint32_t kind)
{
    return id == CG_NONE ? CG_NO : cg_judge_sure(work->all->judge, id, kind);
}

/* Whether calls that `of` counts are found by their kind alone: those are counted at the end, kind by kind. */
static inline bool cg_counts_of_by_kind(const cg_work *work)
{
    return work->of != CG_NONE && (work->shape != &cg_shape_count || work->rule->by.count == 0);
}

/* Whether an event of the kind must be shown to the rule for the sake of its `of`. */
static inline bool cg_of_asks_for(const cg_work *work, uint32_t kind)
{
    cg_truth sure = cg_sure(work, work->of, kind);
    return sure == CG_UNDECIDED || (sure == CG_YES && (kind == CG_KIND_NONE || !cg_counts_of_by_kind(work)));
}

/* Whether the event is one that `of` counts, and not counted by its kind. */
static inline bool cg_is_of(cg_work *work, const callgauge_event *event)
{
    cg_judge *judge = work->all->judge;
    if (event->call != NULL && cg_counts_of_by_kind(work) && cg_judge_event_is_sure(judge, work->of, event)) {
        return false;
    }
    return cg_judge_event(judge, work->of, event, NULL) == CG_YES;
}

/* The words of a lane: calls, then bits. */
static inline uint64_t *cg_lane_words(const cg_detect *detect, const cg_lanes *lanes, uint32_t lane)
{
    return lanes->words + (size_t)lane * (detect->words + 1);
}

static inline uint64_t *cg_words_of(const cg_work *work, uint32_t lane)
{
    return cg_lane_words(work->all, work->by_process ? &work->all->processes : &work->all->threads, lane);
}

/* The calls of a lane so far, that of the event at hand included. */
static inline uint64_t cg_lane_calls(const cg_work *work, uint32_t lane)
{
    return *cg_words_of(work, lane);
}

/* Notes whether a rule has something open there. */
static inline void cg_lane_mark(const cg_work *work, uint32_t lane, bool open)
{
    uint64_t *word = cg_words_of(work, lane) + 1 + work->index / 64;
    uint64_t bit = (uint64_t)1 << work->index % 64;
    *word = open ? *word | bit : *word & ~bit;
}

/* The values that tell the group of an event, or of an attempt (`slots`). Kept when there are several. */
void cg_keys_of(cg_work *work, const callgauge_event *event, const cg_value *slots, cg_value *keys);
/* The implied key of the event at hand, kept; absent: there is none. */
void cg_implied_key(cg_work *work, const callgauge_event *event, cg_value *out, uint8_t *name);

typedef struct cg_place_of {
    cg_group *by;
    cg_group *each; /* NULL: none, or past the limit */
} cg_place_of;

/* The group of some keys, made where it is new; keys past the limit have `by` NULL. False: no memory. */
bool cg_groups_place(cg_work *work, const cg_value *keys, const cg_value *implied, uint8_t implied_name,
                     cg_place_of *out);
/* The part with all these keys; NULL: there is none. */
cg_group *cg_groups_each(cg_work *work, const cg_value *keys);
/* The group of the keys of `by` alone. False: no memory. */
bool cg_groups_by(cg_work *work, const cg_value *keys, cg_group **out);
/* Adds a line of evidence while there is room. False: no memory. */
bool cg_group_show(cg_work *work, cg_group *group, uint64_t line, callgauge_str text);
bool cg_group_wants_lines(const cg_work *work, const cg_group *group);
/* Adds the event's values to sets of a rule's `distinct`. False: no memory. */
bool cg_distinct_take(cg_work *work, cg_set **sets, const callgauge_event *event);
bool cg_distinct_join(cg_work *work, cg_set **sets, const cg_set *more);
/* Takes values for the message; those that differ from before are unknown from then on. */
bool cg_group_values(cg_work *work, cg_group *group, const cg_value *values);

/* Whether a line of at_least holds, as far as `part` goes. */
enum {
    CG_HOLDS_SUMS = 1 << 0,  /* calls, errors, time, bytes, rate, distinct */
    CG_HOLDS_SHARES = 1 << 1 /* share, per_unit */
};
bool cg_floor_holds(const cg_work *work, const cg_floor *floor, int part, const cg_sum *tally, const cg_set *distinct,
                    uint64_t of_calls, uint64_t units);

/* ROWS: whether the rule could hold, had the capture what it is missing. */
bool cg_rows_could_hold(struct cg_work *work, const callgauge_report *report, uint32_t missing);

/* Adds the findings of a rule to a report. False: no memory. */
bool cg_findings_add(cg_work *work, callgauge_report *report);
/* Adds the row of a rule that was not judged. False: no memory. */
bool cg_not_judged_add(cg_work *work, callgauge_report *report, uint32_t missing);

#endif

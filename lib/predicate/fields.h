/* SPDX-License-Identifier: Apache-2.0 */
/* What the names of fields stand for, of events and of rows: a table for each subject, and how each is read. */
#ifndef CG_PREDICATE_FIELDS_H
#define CG_PREDICATE_FIELDS_H

#include "predicate/predicate.h"

/* What fields are read from. */
typedef struct cg_reading {
    const callgauge_event *event;     /* CG_OF_EVENTS */
    const callgauge_capture *capture; /* NULL: unknown */
    const void *row;                  /* the other subjects */
    const cg_value *slots;            /* NULL: none */
    struct cg_scratch *scratch;       /* for texts that have to be decoded */
    const struct cg_field *field;     /* the one to be read */
    uint32_t index;                   /* of `arg[index]` */
} cg_reading;

/* Gives the value: `out` is absent and has the field's type before. */
typedef void cg_field_read(const cg_reading *from, cg_value *out);

typedef struct cg_field {
    const char *name;
    cg_type type;
    uint32_t traits; /* CALLGAUGE_TRAIT_... without which it cannot be known */
    uint32_t reads;  /* CG_READS_... */
    cg_field_read *read;
    size_t offset; /* rows: of the member */
} cg_field;

enum {
    CG_READS_NAME = 1 << 0,    /* nothing but the call's name */
    CG_READS_STATE = 1 << 1,   /* event->annotation */
    CG_READS_UNIT = 1 << 2,    /* event->annotation->unit */
    CG_READS_THREAD = 1 << 3,  /* CG_WANT_THREAD */
    CG_READS_SCALARS = 1 << 4, /* CG_WANT_SCALARS */
    CG_READS_AGAIN = 1 << 5,   /* text that is the same for many events: worth remembering what matches it */
    CG_READS_OUTCOME = 1 << 6, /* nothing but the name, and whether and how the call failed */
    CG_READS_LINE = 1 << 7,    /* has to look for an argument: dear */
    CG_READS_COUNT = 1 << 8    /* NUMBER: it counts; else it names something, or may */
};

/* The table of a subject. */
const cg_field *cg_fields_of(cg_subject of, size_t *count);
/* Traits that every predicate over the subject needs. */
uint32_t cg_subject_traits(cg_subject of);
/* NULL: there is none. */
const cg_field *cg_field_find(cg_subject of, callgauge_str name);

/* Whether the field of events has one value for all calls of a name that returned, with this error (NULL: none): the
 * value that it has for an event of which only that is known. */
bool cg_field_is_sure(const cg_field *field, const callgauge_call_name *call, const callgauge_name *error);

/* --- for the tables */

extern const cg_field cg_event_fields[];
extern const size_t cg_event_field_count;

static inline void cg_value_set_number(cg_value *out, int64_t number)
{
    out->known = CG_KNOWN;
    out->number = number;
}

static inline void cg_value_set_text(cg_value *out, callgauge_str text, bool lasting)
{
    out->known = CG_KNOWN;
    out->text = text;
    out->lasting = lasting;
}

/* Known unless `number` is CALLGAUGE_UNKNOWN. */
static inline void cg_value_set_if_known(cg_value *out, int64_t number)
{
    out->known = number == CALLGAUGE_UNKNOWN ? CG_UNKNOWN_VALUE : CG_KNOWN;
    out->number = number;
}

/* Room for decoded texts of one judgement: grows, and is used again. NULL: no memory. */
char *cg_scratch_take(struct cg_scratch *scratch, size_t size);

/* Time that a call was ready to wait; absent: for ever, or a call that does not wait. */
void cg_read_timeout(const callgauge_event *event, cg_value *out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the normaliser share: the call at hand, and the ways to write its pieces. All that return bool give
 * false where there is no memory. */
#ifndef CG_EVENT_NORMAL_INSIDE_H
#define CG_EVENT_NORMAL_INSIDE_H

#include "base/str.h"
#include "event/event.h"
#include "event/normal.h"

enum { CG_NORMAL_ARGS = 16 }; /* no call has more; where output is mixed with a line, there may seem to be */

/* What a number of an argument is. */
typedef enum cg_role {
    CG_ROLE_ANY,    /* an address, if it looks like one */
    CG_ROLE_PLAIN,  /* never an address */
    CG_ROLE_MAPPED, /* the address that the call gives */
    CG_ROLE_FD,     /* a descriptor */
    CG_ROLE_PID,    /* a process, a thread, a group of processes (negative) */
    CG_ROLE_WAITED, /* a thread, if its number was seen as one's */
    CG_ROLE_CHANCE  /* not shown */
} cg_role;

typedef struct cg_normal {
    cg_buf *to;
    const callgauge_event *event;
    cg_normal_facts *facts;
    cg_normal_names *names;
    callgauge_str args[CG_NORMAL_ARGS];
    size_t arg_count;
    bool more_args; /* than fit */
} cg_normal;

static inline bool cg_normal_is_full(const cg_normal *normal)
{
    return normal->to->len > CG_NORMAL_LINE;
}

/* Text as it is; bytes that are not printable ASCII as \ooo. */
bool cg_normal_text(cg_normal *normal, callgauge_str text);
/* A number by its role. `text`: as it is printed. */
bool cg_normal_number(cg_normal *normal, cg_role role, int64_t value, callgauge_str text);
/* "fd1", "tmp2" */
bool cg_normal_name(cg_normal *normal, cg_normal_kind kind, uint64_t value);

/* normal_address.c: "addr1" where a mapping begins there, else "addr". */
bool cg_normal_address(cg_normal *normal, uint64_t address);
/* The address that a call has given. */
bool cg_normal_mapped(cg_normal *normal, uint64_t address);

/* normal_value.c: an argument that is no string, with all that it holds. */
bool cg_normal_value(cg_normal *normal, callgauge_str text, cg_role role, bool shows_strings);
/* A number at `*at`, which moves behind it: decimal, octal, hexadecimal, a sign. */
bool cg_normal_read(const char **at, const char *end, int64_t *value, bool *is_hex);

/* normal_path.c: a path or another name between quotes, as it is printed. */
bool cg_normal_path(cg_normal *normal, callgauge_str path);
/* Notes a path of a file that was made as temporary ones are. */
bool cg_normal_path_made(cg_normal_facts *facts, callgauge_str path);
bool cg_normal_path_is_temporary(callgauge_str path);

/* normal_roles.c: what the numbers of an argument, or the result, of the call are. */
cg_role cg_normal_role(const cg_normal *normal, size_t index);
cg_role cg_normal_result_role(const cg_normal *normal);

#endif

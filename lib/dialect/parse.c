/* SPDX-License-Identifier: Apache-2.0 */
/* What dialects share: names within their limits, assumptions, repairs, the end of an open call. */
#include "dialect/dialect.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"

/* Past the limit of names, further ones share one, so that their events are still counted. The tables
 * themselves hold one name more than the limit: this one. */
static const char OTHER[] = "(other)";

static callgauge_str within_limit(cg_parse *parse, const cg_names *names, callgauge_str name)
{
    if (names->index.count < parse->options->limits.names || cg_intern_find(&names->index, name) >= 0) {
        return name;
    }
    parse->names_dropped++;
    return cg_str_z(OTHER);
}

const callgauge_call_name *cg_parse_call(cg_parse *parse, callgauge_str name)
{
    int64_t why;
    return cg_names_call(&parse->calls, within_limit(parse, &parse->calls, name), &why);
}

static const callgauge_name *plain(cg_parse *parse, cg_names *names, callgauge_str name)
{
    int64_t why;
    return cg_names_plain(names, within_limit(parse, names, name), &why);
}

const callgauge_name *cg_parse_error(cg_parse *parse, callgauge_str name)
{
    return plain(parse, &parse->errors, name);
}

const callgauge_name *cg_parse_name(cg_parse *parse, callgauge_str name)
{
    return plain(parse, &parse->names, name);
}

void cg_assume(cg_assume_list *list, const char *what, const char *taken, const char *option)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].what, what) == 0) {
            return;
        }
    }
    if (list->count < sizeof list->items / sizeof *list->items) {
        list->items[list->count++] = (callgauge_assumption){ what, taken, option };
    }
}

void cg_parse_assume(cg_parse *parse, const char *what, const char *taken, const char *option)
{
    cg_assume(parse->assumed, what, taken, option);
}

void cg_parse_repair(cg_parse *parse, cg_repair kind, uint64_t line)
{
    if (parse->repairs[kind]++ == 0) {
        parse->repair_lines[kind] = line;
    }
}

void cg_parse_lost(cg_parse *parse, cg_open_call *open)
{
    callgauge_event *event = &parse->lost;
    *event = (callgauge_event){ .kind = CALLGAUGE_EVENT_CALL,
                                .call = open->call,
                                .flags = CALLGAUGE_CALL_UNRETURNED | open->flags,
                                .line = open->line,
                                .first_line = open->line,
                                .offset = open->offset,
                                .lexer = parse->dialect->lexer };
    event->pid = (int64_t)(open->key >> 32);
    event->tid = (int32_t)(uint32_t)(open->key & UINT32_MAX) > 0 ? (int64_t)(open->key & UINT32_MAX) : 0;
    event->has = (event->pid != 0 ? CALLGAUGE_HAS_PID : 0) | (event->tid != 0 ? CALLGAUGE_HAS_TID : 0);
    if (open->start_ns != INT64_MIN) {
        event->start_ns = open->start_ns;
        event->has |= CALLGAUGE_HAS_START;
    }
    cg_mem_free(parse->lost_args);
    parse->lost_args = open->args;
    event->args = cg_str(open->args, open->args_len);
    open->args = NULL;
    parse->has_lost = true;
    cg_open_drop(&parse->open, open);
}

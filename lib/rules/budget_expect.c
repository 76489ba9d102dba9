/* SPDX-License-Identifier: Apache-2.0 */
/* The `expect` of a budget: sequences between markers, and where in the text the calls of each stand, so that others
 * can be written in their place. */
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "rules/budget_schema.h"

/* A sequence while it is read. */
typedef struct reading {
    cg_expectation out;
    const cg_yaml_node *begin, *end; /* the markers that were given */
} reading;

static void read_name(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    cg_budget_name(schema, node, &((reading *)into)->out.name);
}

/* --- markers */

static cg_predicate *marker(cg_budget_schema *schema, const cg_yaml_node *node, const cg_yaml_node **known,
                            const char *both)
{
    if (*known != NULL) {
        cg_fault_add(schema->values.faults, CALLGAUGE_E_FORMAT, node->key_place, "%s exclude each other", both);
        return NULL;
    }
    *known = node;
    return cg_schema_condition(&schema->values, node, CG_OF_EVENTS, NULL);
}

static void read_from(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    reading *r = into;
    r->out.begin = marker(schema, node, &r->begin, "'from' and 'after'");
    r->out.begin_inside = true;
}

static void read_after(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    reading *r = into;
    cg_predicate *begin = marker(schema, node, &r->begin, "'from' and 'after'");
    r->out.begin_inside = r->begin != node;
    r->out.begin = begin != NULL ? begin : r->out.begin;
}

static void read_to(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    reading *r = into;
    r->out.end = marker(schema, node, &r->end, "'to' and 'before'");
    r->out.end_inside = true;
}

static void read_before(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    reading *r = into;
    cg_predicate *end = marker(schema, node, &r->end, "'to' and 'before'");
    r->out.end_inside = r->end != node;
    r->out.end = end != NULL ? end : r->out.end;
}

/* --- the rest */

static void read_scope(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    static const char *const words[] = { "thread", "process" };
    ((reading *)into)->out.by_process = cg_budget_word(schema, node, "scope", words, 2) == 1;
}

static void read_show(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    static const char *const words[] = { "calls", "names" };
    ((reading *)into)->out.names_only = cg_budget_word(schema, node, "show", words, 2) == 1;
}

static void read_skip(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    ((reading *)into)->out.skip = cg_schema_condition(&schema->values, node, CG_OF_EVENTS, NULL);
}

static void read_times(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    cg_schema_count(&schema->values, node, 1, &((reading *)into)->out.times);
}

static void read_severity(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    cg_budget_severity(schema, node, &((reading *)into)->out.severity);
}

/* --- the calls, and where they stand */

/* Without the blanks at the ends of lines, and without empty lines; each line ends. */
static bool tidy(cg_arena *arena, callgauge_str text, callgauge_str *out)
{
    cg_buf lines;
    bool good = true;
    cg_buf_init(&lines, SIZE_MAX);
    while (good && text.len > 0) {
        size_t end = cg_str_find(text, "\n");
        const callgauge_str line = cg_str_trim(cg_str(text.ptr, end));
        good = line.len == 0 || (cg_buf_add_str(&lines, line) && cg_buf_add_char(&lines, '\n'));
        end += end < text.len;
        text = cg_str(text.ptr + end, text.len - end);
    }
    good = good && cg_arena_str(arena, cg_buf_str(&lines), out);
    cg_buf_release(&lines);
    return good;
}

static bool is_blank_or_end(char c)
{
    return cg_is_blank(c) || c == '\n' || c == '\r';
}

static size_t end_of_line(callgauge_str text, size_t at)
{
    while (at < text.len && text.ptr[at] != '\n') {
        at++;
    }
    return at > 0 && text.ptr[at - 1] == '\r' ? at - 1 : at;
}

/* The end of the last line that a value stands on. */
static size_t end_of_value(callgauge_str text, const cg_yaml_node *node)
{
    size_t end = node->end;
    while (end > node->place.offset && is_blank_or_end(text.ptr[end - 1])) {
        end--;
    }
    return end_of_line(text, end);
}

static bool is_block(const cg_yaml_node *node, callgauge_str text)
{
    return node->place.offset < text.len &&
           (text.ptr[node->place.offset] == '|' || text.ptr[node->place.offset] == '>');
}

static void read_calls(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    reading *r = into;
    callgauge_str calls;
    if (!cg_schema_text(&schema->values, node, &calls)) {
        return;
    }
    if (!tidy(&schema->budget->arena, calls, &r->out.calls)) {
        cg_fault_nomem(schema->values.faults);
        return;
    }
    r->out.has_calls = true;
    r->out.calls_place = node->place;
    r->out.calls_at = node->place.offset;
    r->out.calls_end = end_of_value(schema->budget->text, node);
    if (r->out.calls.len > 0 && is_block(node, schema->budget->text)) {
        r->out.indent = node->indent;
    }
}

/* Where `calls` would begin if it is not there: on a line of its own behind the last member. */
static void set_place_of_calls(cg_budget_schema *schema, const cg_yaml_node *map, cg_expectation *out)
{
    const callgauge_str text = schema->budget->text;
    size_t end = 0;
    for (const cg_yaml_node *node = map->first; node != NULL; node = node->next) {
        size_t at = end_of_value(text, node);
        end = at > end ? at : end;
    }
    if (!out->has_calls) {
        out->calls_at = out->calls_end = end;
    }
    if (out->indent == 0) {
        out->indent = map->first->key_place.column + 1;
    }
}

/* --- all of one */

static void add_expectation(cg_budget_schema *schema, const cg_expectation *made)
{
    callgauge_budget *budget = schema->budget;
    if (budget->expectation_count == schema->expectation_room) {
        size_t room = schema->expectation_room == 0 ? 8 : schema->expectation_room * 2;
        cg_expectation *more = cg_arena_alloc(&budget->arena, room * sizeof *more);
        if (more == NULL) {
            cg_fault_nomem(schema->values.faults);
            return;
        }
        if (budget->expectation_count > 0) {
            memcpy(more, budget->expectations, budget->expectation_count * sizeof *more);
        }
        budget->expectations = more;
        schema->expectation_room = room;
    }
    budget->expectations[budget->expectation_count++] = *made;
}

static void check_members(cg_budget_schema *schema, const cg_yaml_node *node)
{
    cg_faults *faults = schema->values.faults;
    if (node->is_flow) {
        cg_fault_add(faults, CALLGAUGE_E_FORMAT, node->place,
                     "a sequence is written with a key on each line, not in brackets");
    }
    if (cg_yaml_member(node, "name") == NULL) {
        cg_fault_add(faults, CALLGAUGE_E_FORMAT, node->place, "the sequence has no 'name'");
    }
    if (cg_yaml_member(node, "from") == NULL && cg_yaml_member(node, "after") == NULL) {
        cg_fault_add(faults, CALLGAUGE_E_FORMAT, node->place, "the sequence needs 'from' or 'after'");
    }
}

static void read_expectation(cg_budget_schema *schema, const cg_yaml_node *node)
{
    static const cg_budget_key keys[] = {
        { "name", read_name },     { "from", read_from },   { "after", read_after },       { "to", read_to },
        { "before", read_before }, { "scope", read_scope }, { "show", read_show },         { "skip", read_skip },
        { "times", read_times },   { "calls", read_calls }, { "severity", read_severity },
    };
    reading r = { .out = { .severity = CALLGAUGE_SEVERITY_ERROR, .place = node->place } };
    if (!cg_schema_map(&schema->values, node)) {
        return;
    }
    cg_budget_members(schema, node, "key of a sequence", keys, sizeof keys / sizeof *keys, &r);
    check_members(schema, node);
    if (node->count > 0) {
        set_place_of_calls(schema, node, &r.out);
    }
    add_expectation(schema, &r.out);
}

void cg_budget_read_expect(cg_budget_schema *schema, const cg_yaml_node *node, void *into)
{
    (void)into;
    if (node->kind != CG_YAML_LIST || node->count == 0) {
        cg_budget_fault(schema, node, "a list of sequences is expected");
        return;
    }
    for (const cg_yaml_node *item = node->first; item != NULL; item = item->next) {
        read_expectation(schema, item);
    }
}

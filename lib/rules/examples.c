/* SPDX-License-Identifier: Apache-2.0 */
/* From the examples of a rule file to captures: literal ones, and lines that are repeated with a number in them. */
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "rules/schema.h"

enum { MOST_EXAMPLES = 64, MOST_REPEATS = 1000000, MOST_BYTES = 8 << 20 };

typedef struct list {
    callgauge_rule_example items[MOST_EXAMPLES];
    size_t count;
} list;

/* What a repeated example is made of. */
typedef struct repeated {
    callgauge_str before, text, after;
    uint64_t repeat, from;
    const char *dialect;
} repeated;

static bool add_line(cg_buf *to, callgauge_str text)
{
    bool ends = text.len == 0 || text.ptr[text.len - 1] == '\n';
    return cg_buf_add_str(to, text) && (ends || cg_buf_add_char(to, '\n'));
}

/* The text with `{i}` replaced. */
static bool add_numbered(cg_buf *to, callgauge_str text, uint64_t number)
{
    while (text.len > 0) {
        size_t at = cg_str_find(text, "{i}");
        if (!cg_buf_add(to, text.ptr, at)) {
            return false;
        }
        if (at == text.len) {
            break;
        }
        if (!cg_buf_printf(to, "%llu", (unsigned long long)number)) {
            return false;
        }
        text = cg_str(text.ptr + at + 3, text.len - at - 3);
    }
    return to->len == 0 || to->data[to->len - 1] == '\n' || cg_buf_add_char(to, '\n');
}

static bool build(const repeated *from, cg_buf *to)
{
    bool good = add_line(to, from->before);
    for (uint64_t i = 0; good && i < from->repeat; i++) {
        good = add_numbered(to, from->text, from->from + i);
    }
    return good && add_line(to, from->after);
}

static bool read_member(cg_schema *schema, const cg_yaml_node *key, repeated *out)
{
    static const char *const known[] = { "repeat", "from", "text", "before", "after", "dialect" };
    callgauge_str dialect;
    if (cg_str_is(key->key, "repeat")) {
        if (cg_schema_count(schema, key, 1, &out->repeat) && out->repeat > MOST_REPEATS) {
            cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, key->place, "'repeat' is at most 1000000");
            return false;
        }
        return out->repeat > 0;
    }
    if (cg_str_is(key->key, "from")) {
        return cg_schema_count(schema, key, 0, &out->from);
    }
    if (cg_str_is(key->key, "dialect")) {
        bool good = cg_schema_text(schema, key, &dialect);
        out->dialect = good ? dialect.ptr : NULL;
        return good;
    }
    if (cg_str_is(key->key, "text") || cg_str_is(key->key, "before") || cg_str_is(key->key, "after")) {
        callgauge_str *part = key->key.ptr[0] == 't' ? &out->text : key->key.ptr[0] == 'b' ? &out->before : &out->after;
        return cg_schema_text(schema, key, part);
    }
    cg_schema_unknown(schema, key->key_place, "key of an example", key->key, known, sizeof known / sizeof *known);
    return false;
}

static bool read_repeated(cg_schema *schema, const cg_yaml_node *node, callgauge_rule_example *out)
{
    repeated parts = { .repeat = 1 };
    bool good = true;
    for (const cg_yaml_node *key = node->first; key != NULL; key = key->next) {
        good &= read_member(schema, key, &parts);
    }
    if (good && parts.text.len == 0) {
        cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, node->place, "the example has no 'text'");
        good = false;
    }
    if (!good) {
        return false;
    }
    cg_buf text;
    cg_buf_init(&text, MOST_BYTES);
    uint64_t likely = parts.repeat * (parts.text.len + 8);
    good = likely < MOST_BYTES && build(&parts, &text);
    if (!good) {
        cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, node->place, "the example is longer than 8 MiB");
    } else if (!cg_arena_str(schema->arena, cg_buf_str(&text), &out->text)) {
        cg_fault_nomem(schema->faults);
        good = false;
    }
    out->dialect = parts.dialect;
    cg_buf_release(&text);
    return good;
}

static void read_example(cg_schema *schema, const cg_yaml_node *node, bool fires, list *to)
{
    if (to->count == MOST_EXAMPLES) {
        cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, node->place, "at most 64 examples");
        return;
    }
    callgauge_rule_example example = { .fires = fires, .line = node->source_place.line };
    bool good;
    if (node->kind == CG_YAML_MAP) {
        example.line = node->place.line;
        good = read_repeated(schema, node, &example);
    } else {
        good = cg_schema_text(schema, node, &example.text);
        if (good && example.text.len == 0) {
            cg_fault_add(schema->faults, CALLGAUGE_E_FORMAT, node->place, "the example is empty");
        }
    }
    if (good) {
        to->items[to->count++] = example;
    }
}

static void read_examples(cg_schema *schema, const cg_yaml_node *node, bool fires, list *to)
{
    if (node == NULL) {
        return;
    }
    if (node->kind != CG_YAML_LIST) {
        read_example(schema, node, fires, to);
        return;
    }
    for (const cg_yaml_node *item = node->first; item != NULL; item = item->next) {
        read_example(schema, item, fires, to);
    }
}

void cg_schema_examples(cg_schema *schema, const cg_yaml_node *node)
{
    static const char *const known[] = { "fires", "quiet" };
    if (!cg_schema_map(schema, node)) {
        return;
    }
    for (const cg_yaml_node *key = node->first; key != NULL; key = key->next) {
        if (!cg_str_is(key->key, "fires") && !cg_str_is(key->key, "quiet")) {
            cg_schema_unknown(schema, key->key_place, "key of 'examples'", key->key, known, 2);
        }
    }
    list found = { .count = 0 };
    read_examples(schema, cg_yaml_member(node, "fires"), true, &found);
    read_examples(schema, cg_yaml_member(node, "quiet"), false, &found);
    schema->rule->examples = cg_schema_keep(schema, found.items, found.count * sizeof *found.items);
    schema->rule->info.example_count = schema->rule->examples == NULL ? 0 : found.count;
}

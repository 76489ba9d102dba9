/* SPDX-License-Identifier: Apache-2.0 */
/* From the events of libyaml, whose marks count characters from 0, to nodes whose places count bytes from 1. */
#include "rules/yaml_tree.h"

#include <string.h>

#include "base/str.h"

const cg_yaml_node *cg_yaml_member(const cg_yaml_node *map, const char *key)
{
    const cg_yaml_node *node = map->kind == CG_YAML_MAP ? map->first : NULL;
    while (node != NULL && !cg_str_is(node->key, key)) {
        node = node->next;
    }
    return node;
}

#ifdef CG_HAVE_YAML

#include <yaml.h>

/* A position in the source that only moves forwards. */
typedef struct walker {
    const char *text;
    size_t len;
    size_t index; /* characters before it, as libyaml counts */
    cg_place place;
} walker;

/* A mapping or list whose end has not come. */
typedef struct level {
    cg_yaml_node *node;
    cg_yaml_node **end; /* where the next child is linked */
    bool has_key;       /* a mapping: its next child is a value */
    callgauge_str key;
    cg_place key_place;
} level;

typedef struct reading {
    yaml_parser_t parser;
    size_t begin; /* of what it reads: behind a byte order mark */
    walker at;
    cg_yaml_tree *tree;
    cg_yaml_node **end; /* where the next document is linked */
    level levels[CG_YAML_MOST_DEPTH];
    size_t depth;
    size_t nodes;
    callgauge_error *err;
} reading;

static bool is_rest_of_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

static void step(walker *at)
{
    bool ends_line = at->text[at->place.offset] == '\n';
    do {
        at->place.offset++;
        at->place.column++;
    } while (at->place.offset < at->len && is_rest_of_character(at->text[at->place.offset]));
    at->index++;
    if (ends_line) {
        at->place.line++;
        at->place.column = 1;
    }
}

static cg_place place_of(walker *at, const yaml_mark_t *mark)
{
    while (at->index < mark->index && at->place.offset < at->len) {
        step(at);
    }
    return at->place;
}

static callgauge_status refuse(reading *r, cg_place place, const char *why)
{
    return cg_fail(r->err, CALLGAUGE_E_FORMAT, place, "%s", why);
}

static callgauge_status fail_parse(reading *r)
{
    if (r->parser.error == YAML_MEMORY_ERROR) {
        return cg_fail_nomem(r->err);
    }
    const char *why = r->parser.problem == NULL ? "it cannot be read" : r->parser.problem;
    if (r->parser.error == YAML_READER_ERROR) {
        cg_place place = r->at.place;
        while (place.offset < r->begin + r->parser.problem_offset && place.offset < r->at.len) {
            step(&r->at);
            place = r->at.place;
        }
        return cg_fail(r->err, CALLGAUGE_E_FORMAT, place, "not YAML: %s", why);
    }
    return cg_fail(r->err, CALLGAUGE_E_FORMAT, place_of(&r->at, &r->parser.problem_mark), "not YAML: %s", why);
}

/* --- scalars */

/* A block scalar begins on the line below its `|`: moves there, and behind its indentation. */
static callgauge_str block_source(const walker *at, size_t end, cg_place *place, uint64_t *indent)
{
    size_t p = place->offset, line_start = p;
    while (p < end && at->text[p] != '\n') {
        p++;
    }
    while (p < end && at->text[p] == '\n') {
        place->line++;
        line_start = ++p;
        while (p < end && at->text[p] == ' ') {
            p++;
        }
    }
    *indent = p - line_start;
    place->offset = p;
    place->column = *indent + 1;
    return cg_str(at->text + p, end - p);
}

static callgauge_status set_text(reading *r, cg_yaml_node *node, const yaml_event_t *event)
{
    const callgauge_str value = { (const char *)event->data.scalar.value, event->data.scalar.length };
    if (!cg_arena_str(&r->tree->arena, value, &node->text)) {
        return cg_fail_nomem(r->err);
    }
    node->source_place = node->place;
    yaml_scalar_style_t style = event->data.scalar.style;
    node->end = place_of(&r->at, &event->end_mark).offset;
    if (style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE) {
        node->source = block_source(&r->at, node->end, &node->source_place, &node->indent);
        node->source = node->text; /* the same lines without their indentation */
    } else if (style == YAML_PLAIN_SCALAR_STYLE) {
        node->source = cg_str(r->at.text + node->place.offset, node->end - node->place.offset);
    } else {
        node->source = node->text;
        node->source_place.column++;
        node->source_place.offset++;
    }
    return CALLGAUGE_OK;
}

/* --- the tree */

static callgauge_status refuse_twin(reading *r, const level *in)
{
    for (const cg_yaml_node *node = in->node->first; node != NULL; node = node->next) {
        if (cg_str_eq(node->key, in->key)) {
            return cg_fail(r->err, CALLGAUGE_E_FORMAT, in->key_place, "the key '%.*s' is there already, on line %llu",
                           (int)(in->key.len < 40 ? in->key.len : 40), in->key.ptr,
                           (unsigned long long)node->key_place.line);
        }
    }
    return CALLGAUGE_OK;
}

static callgauge_status take_key(reading *r, level *in, const yaml_event_t *event)
{
    in->key_place = place_of(&r->at, &event->start_mark);
    if (event->type != YAML_SCALAR_EVENT) {
        return refuse(r, in->key_place, "a key must be a word");
    }
    const callgauge_str key = { (const char *)event->data.scalar.value, event->data.scalar.length };
    if (!cg_arena_str(&r->tree->arena, key, &in->key)) {
        return cg_fail_nomem(r->err);
    }
    in->has_key = true;
    return refuse_twin(r, in);
}

static callgauge_status add_node(reading *r, cg_yaml_kind kind, const yaml_event_t *event, cg_yaml_node **out)
{
    cg_yaml_node *node = cg_arena_alloc(&r->tree->arena, sizeof *node);
    if (node == NULL) {
        return cg_fail_nomem(r->err);
    }
    node->kind = kind;
    node->place = place_of(&r->at, &event->start_mark);
    if (++r->nodes > CG_YAML_MOST_NODES) {
        return refuse(r, node->place, "too many values: at most 50000");
    }
    if (r->depth == 0) {
        *r->end = node;
        r->end = &node->next;
        r->tree->count++;
    } else {
        level *in = &r->levels[r->depth - 1];
        node->key = in->key;
        node->key_place = in->key_place;
        in->has_key = false;
        in->node->count++;
        *in->end = node;
        in->end = &node->next;
    }
    *out = node;
    return CALLGAUGE_OK;
}

static callgauge_status begin_level(reading *r, cg_yaml_kind kind, const yaml_event_t *event)
{
    cg_yaml_node *node;
    if (r->depth == CG_YAML_MOST_DEPTH) {
        return refuse(r, place_of(&r->at, &event->start_mark), "nested too deeply: at most 16 levels");
    }
    callgauge_status status = add_node(r, kind, event, &node);
    if (status == CALLGAUGE_OK) {
        node->is_flow = kind == CG_YAML_LIST ? event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
                                             : event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
        r->levels[r->depth++] = (level){ .node = node, .end = &node->first };
    }
    return status;
}

/* An empty document is a plain scalar without text. */
static bool is_nothing(const reading *r, const yaml_event_t *event)
{
    return r->depth == 0 && event->data.scalar.length == 0 && event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static callgauge_status take_scalar(reading *r, const yaml_event_t *event)
{
    cg_yaml_node *node;
    if (is_nothing(r, event)) {
        return CALLGAUGE_OK;
    }
    callgauge_status status = add_node(r, CG_YAML_TEXT, event, &node);
    return status == CALLGAUGE_OK ? set_text(r, node, event) : status;
}

static callgauge_status refuse_marks(reading *r, const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
        break;
    case YAML_SEQUENCE_START_EVENT:
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
        break;
    case YAML_MAPPING_START_EVENT:
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
        break;
    case YAML_ALIAS_EVENT: return refuse(r, place_of(&r->at, &event->start_mark), "aliases (*name) are refused");
    default: break;
    }
    if (anchor != NULL) {
        return refuse(r, place_of(&r->at, &event->start_mark), "anchors (&name) are refused");
    }
    return tag == NULL ? CALLGAUGE_OK : refuse(r, place_of(&r->at, &event->start_mark), "tags (!name) are refused");
}

/* The lines of the document that has just ended. */
static void set_document_text(reading *r, size_t begin, const yaml_event_t *event)
{
    size_t end = place_of(&r->at, &event->start_mark).offset;
    for (cg_yaml_node *node = r->tree->documents; node != NULL; node = node->next) {
        if (node->next == NULL && node->document_text.ptr == NULL) {
            node->document_text = cg_str(r->at.text + begin, end - begin);
        }
    }
}

static callgauge_status take_event(reading *r, const yaml_event_t *event)
{
    callgauge_status status = refuse_marks(r, event);
    if (status != CALLGAUGE_OK) {
        return status;
    }
    level *in = r->depth > 0 ? &r->levels[r->depth - 1] : NULL;
    bool is_value = event->type == YAML_SCALAR_EVENT || event->type == YAML_SEQUENCE_START_EVENT ||
                    event->type == YAML_MAPPING_START_EVENT;
    if (is_value && in != NULL && in->node->kind == CG_YAML_MAP && !in->has_key) {
        return take_key(r, in, event);
    }
    switch (event->type) {
    case YAML_SCALAR_EVENT: return take_scalar(r, event);
    case YAML_SEQUENCE_START_EVENT: return begin_level(r, CG_YAML_LIST, event);
    case YAML_MAPPING_START_EVENT: return begin_level(r, CG_YAML_MAP, event);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: r->depth--; return CALLGAUGE_OK;
    default: return CALLGAUGE_OK;
    }
}

static callgauge_status read_stream(reading *r)
{
    callgauge_status status = CALLGAUGE_OK;
    size_t begin = 0;
    for (bool ended = false; status == CALLGAUGE_OK && !ended;) {
        yaml_event_t event;
        if (yaml_parser_parse(&r->parser, &event) == 0) {
            return fail_parse(r);
        }
        ended = event.type == YAML_STREAM_END_EVENT;
        status = take_event(r, &event);
        if (event.type == YAML_DOCUMENT_END_EVENT) {
            set_document_text(r, begin, &event);
            begin = place_of(&r->at, &event.end_mark).offset;
        }
        yaml_event_delete(&event);
    }
    return status;
}

callgauge_status cg_yaml_read(const char *name, callgauge_str text, cg_yaml_tree *out, callgauge_error *err)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf"; /* to libyaml it would be a column */
    const size_t begin = cg_str_starts(text, byte_order_mark) ? sizeof byte_order_mark - 1 : 0;
    const cg_place start = { .name = name, .line = 1, .column = 1, .offset = begin };
    *out = (cg_yaml_tree){ 0 };
    if (text.len > CG_YAML_MOST_BYTES) {
        return cg_fail(err, CALLGAUGE_E_FORMAT, (cg_place){ .name = name }, "larger than 1 MiB");
    }
    callgauge_str copy;
    reading r = { .tree = out, .end = &out->documents, .begin = begin, .err = err };
    if (!cg_arena_str(&out->arena, text, &copy) || yaml_parser_initialize(&r.parser) == 0) {
        cg_yaml_release(out);
        return cg_fail_nomem(err);
    }
    r.at = (walker){ .text = copy.ptr, .len = copy.len, .place = start };
    yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)copy.ptr + begin, copy.len - begin);
    callgauge_status status = read_stream(&r);
    yaml_parser_delete(&r.parser);
    if (status != CALLGAUGE_OK) {
        cg_yaml_release(out);
    }
    return status;
}

#else

callgauge_status cg_yaml_read(const char *name, callgauge_str text, cg_yaml_tree *out, callgauge_error *err)
{
    (void)text;
    (void)out;
    return cg_fail(err, CALLGAUGE_E_UNSUPPORTED, (cg_place){ .name = name },
                   "this build reads no YAML: it was made without libyaml");
}

#endif

void cg_yaml_release(cg_yaml_tree *tree)
{
    cg_arena_release(&tree->arena);
    *tree = (cg_yaml_tree){ 0 };
}

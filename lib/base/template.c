/* SPDX-License-Identifier: Apache-2.0 */
/* From a form and its values to a message. */
#include "base/template.h"

#include "base/str.h"

static cg_template_part bad(size_t at, const char *fault)
{
    return (cg_template_part){ .kind = CG_TEMPLATE_BAD, .at = at, .fault = fault };
}

static bool is_special(char c)
{
    return c == '{' || c == '}' || c == '[' || c == ']';
}

static cg_template_part value_part(callgauge_str form, size_t *at)
{
    size_t begin = *at, end = begin + 1;
    while (end < form.len && form.ptr[end] != '}') {
        end++;
    }
    if (end == form.len) {
        return bad(begin, "the { has no }");
    }
    *at = end + 1;
    callgauge_str name = cg_str_trim(cg_str(form.ptr + begin + 1, end - begin - 1));
    return name.len == 0 ? bad(begin, "no value between { and }")
                         : (cg_template_part){ .kind = CG_TEMPLATE_VALUE, .text = name, .at = begin };
}

static cg_template_part bracket_part(size_t begin, char c, unsigned *depth)
{
    if (c == '[') {
        return (*depth)++ == 0 ? (cg_template_part){ .kind = CG_TEMPLATE_OPEN, .at = begin }
                               : bad(begin, "a [ inside [...]; [[ is the character");
    }
    if (c == '}') {
        return bad(begin, "a } without {");
    }
    if (*depth == 0) {
        return bad(begin, "a ] without [; ]] is the character");
    }
    --*depth;
    return (cg_template_part){ .kind = CG_TEMPLATE_CLOSE, .at = begin };
}

cg_template_part cg_template_next(callgauge_str form, size_t *at, unsigned *depth)
{
    size_t begin = *at;
    if (begin >= form.len) {
        return *depth > 0 ? bad(form.len, "the [ has no ]")
                          : (cg_template_part){ .kind = CG_TEMPLATE_END, .at = begin };
    }
    char c = form.ptr[begin];
    if (is_special(c)) {
        if (c != '}' && begin + 1 < form.len && form.ptr[begin + 1] == c) {
            *at = begin + 2;
            return (cg_template_part){ .kind = CG_TEMPLATE_TEXT, .text = cg_str(form.ptr + begin, 1), .at = begin };
        }
        if (c == '{') {
            return value_part(form, at);
        }
        *at = begin + 1;
        return bracket_part(begin, c, depth);
    }
    while (*at < form.len && !is_special(form.ptr[*at])) {
        ++*at;
    }
    return (cg_template_part){ .kind = CG_TEMPLATE_TEXT, .text = cg_str(form.ptr + begin, *at - begin), .at = begin };
}

static bool add_value(callgauge_str name, cg_template_fn *look_up, void *ctx, cg_buf *to, cg_template_value *is)
{
    size_t before = to->len;
    *is = CG_TEMPLATE_UNKNOWN;
    if (!look_up(ctx, name, to, is)) {
        return false;
    }
    if (*is == CG_TEMPLATE_UNKNOWN) {
        to->len = before;
        return cg_buf_add_char(to, '-');
    }
    return true;
}

bool cg_template_render(callgauge_str form, cg_template_fn *look_up, void *ctx, cg_buf *to)
{
    size_t at = 0, opened = 0;
    unsigned depth = 0;
    bool whole = true;
    cg_template_value is;
    for (;;) {
        cg_template_part part = cg_template_next(form, &at, &depth);
        switch (part.kind) {
        case CG_TEMPLATE_END:
        case CG_TEMPLATE_BAD: return true;
        case CG_TEMPLATE_TEXT:
            if (!cg_buf_add_str(to, part.text)) {
                return false;
            }
            break;
        case CG_TEMPLATE_VALUE:
            if (!add_value(part.text, look_up, ctx, to, &is)) {
                return false;
            }
            whole = whole && is == CG_TEMPLATE_SOMETHING;
            break;
        case CG_TEMPLATE_OPEN:
            opened = to->len;
            whole = true;
            break;
        case CG_TEMPLATE_CLOSE: to->len = whole ? to->len : opened; break;
        }
    }
}

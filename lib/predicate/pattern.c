/* SPDX-License-Identifier: Apache-2.0 */
/* The only includer of pcre2.h. Texts of captures are any bytes, so patterns are byte patterns: a pattern may not ask
 * for UTF. PCRE2's own memory passes the allocation seam, but for its machine code. */
#include "predicate/pattern.h"

#if defined(CG_HAVE_PCRE2)

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>

#include "base/mem.h"

enum {
    LONGEST = 4096, /* bytes of a pattern */
    DEEPEST = 100,  /* nested parentheses */
    JIT_STACK_LEAST = 32 * 1024,
    JIT_STACK_MOST = 512 * 1024
};

struct cg_pattern {
    pcre2_code *code;
};

struct cg_matcher {
    pcre2_general_context *memory;
    pcre2_match_context *context;
    pcre2_match_data *data;
    pcre2_jit_stack *stack; /* NULL: the machine's stack */
};

static void *take(size_t size, void *unused)
{
    (void)unused;
    return cg_mem_alloc(size);
}

static void give(void *block, void *unused)
{
    (void)unused;
    cg_mem_free(block);
}

static pcre2_compile_context *compile_context(pcre2_general_context *memory)
{
    pcre2_compile_context *context = memory == NULL ? NULL : pcre2_compile_context_create(memory);
    if (context != NULL) {
        pcre2_set_max_pattern_length(context, LONGEST);
        pcre2_set_parens_nest_limit(context, DEEPEST);
    }
    return context;
}

/* Machine code is worth having and no more: where it cannot be had, the interpreter matches. */
static pcre2_code *compile(pcre2_compile_context *context, callgauge_str text, int *error, size_t *at)
{
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)text.ptr, text.len, PCRE2_NEVER_UTF | PCRE2_NEVER_UCP, error, at,
                                     context);
    if (code != NULL) {
        pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
    }
    return code;
}

callgauge_status cg_pattern_compile(callgauge_str text, cg_pattern **out, size_t *at, char message[CG_PATTERN_MESSAGE])
{
    int error = PCRE2_ERROR_NOMEMORY;
    cg_pattern *pattern = cg_mem_zeroed(1, sizeof *pattern);
    pcre2_general_context *memory = pcre2_general_context_create(take, give, NULL);
    pcre2_compile_context *context = compile_context(memory);
    if (pattern != NULL && context != NULL) {
        const callgauge_str some = text.len > 0 ? text : (callgauge_str){ "", 0 };
        pattern->code = compile(context, some, &error, at);
    }
    bool done = pattern != NULL && pattern->code != NULL;
    pcre2_compile_context_free(context);
    pcre2_general_context_free(memory);
    if (done) {
        *out = pattern;
        return CALLGAUGE_OK;
    }
    cg_mem_free(pattern);
    if (error == PCRE2_ERROR_NOMEMORY || error == PCRE2_ERROR_HEAP_FAILED) {
        return CALLGAUGE_E_NOMEM;
    }
    if (pcre2_get_error_message(error, (PCRE2_UCHAR *)message, CG_PATTERN_MESSAGE) < 0 && message[0] == '\0') {
        snprintf(message, CG_PATTERN_MESSAGE, "error %d", error);
    }
    return CALLGAUGE_E_USAGE;
}

void cg_pattern_free(cg_pattern *pattern)
{
    if (pattern != NULL) {
        pcre2_code_free(pattern->code);
        cg_mem_free(pattern);
    }
}

cg_matcher *cg_matcher_new(uint32_t match_limit, uint32_t depth_limit, uint32_t heap_limit_kib)
{
    cg_matcher *matcher = cg_mem_zeroed(1, sizeof *matcher);
    if (matcher == NULL) {
        return NULL;
    }
    matcher->memory = pcre2_general_context_create(take, give, NULL);
    if (matcher->memory != NULL) {
        matcher->context = pcre2_match_context_create(matcher->memory);
        matcher->data = pcre2_match_data_create(1, matcher->memory);
        matcher->stack = pcre2_jit_stack_create(JIT_STACK_LEAST, JIT_STACK_MOST, matcher->memory);
    }
    if (matcher->context == NULL || matcher->data == NULL) {
        cg_matcher_free(matcher);
        return NULL;
    }
    pcre2_set_match_limit(matcher->context, match_limit);
    pcre2_set_depth_limit(matcher->context, depth_limit);
    pcre2_set_heap_limit(matcher->context, heap_limit_kib);
    if (matcher->stack != NULL) {
        pcre2_jit_stack_assign(matcher->context, NULL, matcher->stack);
    }
    return matcher;
}

void cg_matcher_free(cg_matcher *matcher)
{
    if (matcher == NULL) {
        return;
    }
    pcre2_jit_stack_free(matcher->stack);
    pcre2_match_data_free(matcher->data);
    pcre2_match_context_free(matcher->context);
    pcre2_general_context_free(matcher->memory);
    cg_mem_free(matcher);
}

cg_matched cg_matcher_match(cg_matcher *matcher, const cg_pattern *pattern, callgauge_str text, bool cut)
{
    /* Hard partial matching gives way wherever the end of the text was looked at, so `$` and `\z` are not fooled. */
    const uint32_t options = cut ? PCRE2_PARTIAL_HARD : 0;
    const char *ptr = text.len > 0 ? text.ptr : "";
    int found = pcre2_match(pattern->code, (PCRE2_SPTR)ptr, text.len, 0, options, matcher->data, matcher->context);
    if (found >= 0) {
        return CG_MATCH_YES;
    }
    if (found == PCRE2_ERROR_NOMATCH || found == PCRE2_ERROR_PARTIAL) {
        return cut ? CG_MATCH_CUT : CG_MATCH_NO;
    }
    return CG_MATCH_LIMIT;
}

#else

callgauge_status cg_pattern_compile(callgauge_str text, cg_pattern **out, size_t *at, char message[CG_PATTERN_MESSAGE])
{
    (void)text;
    (void)out;
    (void)at;
    (void)message;
    return CALLGAUGE_E_UNSUPPORTED;
}

void cg_pattern_free(cg_pattern *pattern)
{
    (void)pattern;
}

cg_matcher *cg_matcher_new(uint32_t match_limit, uint32_t depth_limit, uint32_t heap_limit_kib)
{
    (void)match_limit;
    (void)depth_limit;
    (void)heap_limit_kib;
    return NULL;
}

void cg_matcher_free(cg_matcher *matcher)
{
    (void)matcher;
}

cg_matched cg_matcher_match(cg_matcher *matcher, const cg_pattern *pattern, callgauge_str text, bool cut)
{
    (void)matcher;
    (void)pattern;
    (void)text;
    (void)cut;
    return CG_MATCH_LIMIT;
}

#endif

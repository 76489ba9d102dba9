/* SPDX-License-Identifier: Apache-2.0 */
/* Predicates when memory runs out: at every allocation of compiling, of adding to a judge and of judging a status comes
 * back, no wrong truth does, everything can still be freed, and nothing leaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_mem.h"
#include "judging.h"

/* Strings with escapes, patterns, slots, ties, all that takes memory. */
static const char text[] = "class == read and path matches '^/et' and program matches 'a+p' and call matches 're' and "
                           "arg[1] != \"x\\ty\" and arg[1] == a.arg[1] and sum(a.bytes) >= 0 and first(a.fd) == 3 and "
                           "(ret in (1, 2) or ret not in (3, 4) or args matches 'x')";

/* A decoder of strings that needs room. */
static bool next(const char **at, const char *end, callgauge_str *arg)
{
    if (*at >= end) {
        return false;
    }
    callgauge_str rest = cg_str_range(*at, end);
    size_t len = cg_str_find(rest, ", ");
    *arg = cg_str(rest.ptr, len);
    *at = len + 2 < rest.len ? rest.ptr + len + 2 : end;
    return true;
}

static bool decode(callgauge_str arg, char *to, size_t room, size_t *length, bool *cut)
{
    *length = arg.len - 2;
    memcpy(to, arg.ptr + 1, *length < room ? *length : room);
    *cut = false;
    return true;
}

static bool descriptor(callgauge_str arg, int64_t *fd, callgauge_str *target)
{
    (void)target;
    *fd = arg.ptr[0] - '0';
    return true;
}

static const cg_lexer lexer = { next, decode, descriptor };

static bool compile(cg_scope *scope, cg_predicate **out)
{
    const cg_predicate_source source = source_of(text);
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    callgauge_status status = cg_predicate_compile(&source, CG_OF_EVENTS, scope, out, &err);
    assert_true(status == CALLGAUGE_OK || status == CALLGAUGE_E_NOMEM);
    assert_int_equal(err.status, status);
    return status == CALLGAUGE_OK;
}

/* What is undecided for want of memory is said; else the truth is the right one. */
static void judge(cg_judge *judge, const cg_scope *scope, uint32_t id)
{
    const callgauge_call_name name = { .text = cg_str_z("read"),
                                       .id = 100,
                                       .call_class = CALLGAUGE_CLASS_READ,
                                       .moves = CALLGAUGE_MOVES_IN,
                                       .fd_arg = 0,
                                       .path_arg = 2,
                                       .size_arg = -1 };
    const known row = { .path = ETC_PASSWD, .fd = 3 };
    const cg_annotation annotation = annotation_of(&row);
    callgauge_event event = { .kind = CALLGAUGE_EVENT_CALL,
                              .has = CALLGAUGE_HAS_VALUE,
                              .value = 1,
                              .call = &name,
                              .args = cg_str_z("3, \"abc\", x"),
                              .lexer = &lexer,
                              .annotation = &annotation };
    cg_value slots[8] = { 0 };
    assert_true(cg_scope_slot_count(scope) <= 8);
    cg_judge_begin(judge, NULL);
    cg_judge_take(judge, scope, 0, &event, slots, NULL);
    cg_truth truth = cg_judge_event(judge, id, &event, slots);
    if (!cg_judge_counts_of(judge)->no_memory && cg_judge_counts_of(judge)->match_limits == 0) {
        assert_int_equal(truth, CG_YES);
    } else {
        assert_int_equal(truth, CG_UNDECIDED);
    }
    assert_int_equal(cg_judge_name(judge, id, &name), CG_UNDECIDED);
}

static void run(void)
{
    const callgauge_str names[] = { cg_str_z("a") };
    cg_predicate *predicate = NULL;
    uint32_t id;
    cg_scope *scope = cg_scope_new(names, 1);
    if (scope == NULL) {
        return;
    }
    if (compile(scope, &predicate)) {
        cg_judge *made = cg_judge_new(NULL);
        if (made != NULL && cg_judge_add(made, predicate, &id)) {
            judge(made, scope, id);
        }
        cg_judge_free(made);
    }
    cg_predicate_free(predicate);
    cg_scope_free(scope);
}

static void check_each(void **state)
{
    (void)state;
    skip_without_regex(text);
    size_t n = 0;
    size_t live = failing_mem_live();
    do {
        failing_mem_after(++n);
        run();
        assert_int_equal(failing_mem_live(), live);
    } while (failing_mem_failed());
    failing_mem_after(0);
    assert_true(n > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(check_each) };
    return cmocka_run_group_tests_name("predicate_nomem", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* predicate: values of earlier events (prev, steps, each), groups by value, texts that are kept; every expression of
 * the rules that the language was made for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "judging.h"

enum { MOST_SLOTS = 16 };

/* A scope, its slots, a judge and a reader of lines of strace without an annotation, but for descriptors. */
typedef struct scene {
    cg_scope *scope;
    cg_judge *judge;
    cg_value slots[MOST_SLOTS];
    callgauge_reader *reader;
    const callgauge_event *event;
} scene;

static void begin(scene *s, const char *const *names, size_t count)
{
    callgauge_str views[4];
    for (size_t i = 0; i < count; i++) {
        views[i] = cg_str_z(names[i]);
    }
    *s = (scene){ .scope = cg_scope_new(views, count), .judge = cg_judge_new(NULL) };
    assert_non_null(s->scope);
    assert_non_null(s->judge);
}

static void see(scene *s, const char *line)
{
    callgauge_reader_free(s->reader);
    s->reader = reader_of(line, &s->event);
    cg_judge_begin(s->judge, callgauge_reader_capture(s->reader));
}

static void end(scene *s)
{
    cg_judge_free(s->judge);
    callgauge_reader_free(s->reader);
    cg_scope_free(s->scope);
}

static uint32_t add(scene *s, const cg_predicate *predicate)
{
    uint32_t id;
    assert_true(cg_judge_add(s->judge, predicate, &id));
    assert_true(cg_scope_slot_count(s->scope) <= MOST_SLOTS);
    return id;
}

/* A run: each close is of the descriptor behind the one before. */
static void check_prev(void **state)
{
    (void)state;
    static const char *const names[] = { "prev" };
    scene s;
    begin(&s, names, 1);
    cg_predicate *next = compiled("fd == prev.fd + 1", CG_OF_EVENTS, s.scope);
    uint32_t id = add(&s, next);
    assert_true(cg_predicate_about(next)->reads_slots);
    see(&s, "close(3) = 0");
    assert_int_equal(cg_judge_event(s.judge, id, s.event, s.slots), CG_NO); /* nothing came before */
    assert_int_equal(cg_judge_event(s.judge, id, s.event, NULL), CG_NO);
    cg_judge_take(s.judge, s.scope, 0, s.event, s.slots, NULL);
    see(&s, "close(4) = -1 EBADF (Bad file descriptor)");
    assert_int_equal(cg_judge_event(s.judge, id, s.event, s.slots), CG_YES);
    cg_judge_take(s.judge, s.scope, 0, s.event, s.slots, NULL);
    assert_int_equal(cg_judge_event(s.judge, id, s.event, s.slots), CG_NO);
    end(&s);
    cg_predicate_free(next);
}

/* The copy loop of the rule: reads joined into one write. */
static void check_sequence(void **state)
{
    (void)state;
    static const char *const names[] = { "r", "w" };
    scene s;
    begin(&s, names, 2);
    cg_predicate *r = compiled("class == read and bytes > 0 and bytes <= 64KiB and (r.count == 0 or fd == first(r.fd))",
                               CG_OF_EVENTS, s.scope);
    cg_predicate *w = compiled(
        "class == write and fd != first(r.fd) and bytes >= sum(r.bytes) and bytes <= sum(r.bytes) + 4KiB", CG_OF_EVENTS,
        s.scope);
    cg_predicate *each = compiled_value("r.fd", CG_OF_EVENTS, s.scope);
    uint32_t reads = add(&s, r);
    uint32_t writes = add(&s, w);
    uint32_t group = add(&s, each);
    assert_int_equal(cg_scope_slot_count(s.scope), 4);
    see(&s, "read(5, \"\"..., 8000) = 8000");
    assert_int_equal(cg_judge_event(s.judge, reads, s.event, s.slots), CG_YES);
    cg_judge_take(s.judge, s.scope, 0, s.event, s.slots, NULL);
    assert_int_equal(cg_judge_event(s.judge, reads, s.event, s.slots), CG_YES);
    cg_judge_take(s.judge, s.scope, 0, s.event, s.slots, NULL);
    see(&s, "read(6, \"\"..., 8000) = 8000");
    assert_int_equal(cg_judge_event(s.judge, reads, s.event, s.slots), CG_NO); /* another descriptor */
    see(&s, "writev(9, [{iov_base=\"\"..., iov_len=16271}], 1) = 16271");
    assert_int_equal(cg_judge_event(s.judge, writes, s.event, s.slots), CG_YES);
    see(&s, "write(9, \"\"..., 8000) = 8000");
    assert_int_equal(cg_judge_event(s.judge, writes, s.event, s.slots), CG_NO);
    see(&s, "write(5, \"\"..., 16000) = 16000");
    assert_int_equal(cg_judge_event(s.judge, writes, s.event, s.slots), CG_NO);
    cg_value value;
    cg_judge_value(s.judge, group, s.event, s.slots, &value);
    assert_int_equal(value.number, 5);
    int64_t count = cg_scope_find(s.scope, 0, CG_PICK_COUNT, cg_str(NULL, 0));
    int64_t sum = cg_scope_find(s.scope, 0, CG_PICK_SUM, cg_str_z("bytes"));
    assert_int_equal(s.slots[count].number, 2);
    assert_int_equal(s.slots[sum].number, 16000);
    assert_int_equal(cg_scope_find(s.scope, 1, CG_PICK_LAST, cg_str_z("fd")), -1);
    cg_scope_clear(s.scope, 0, s.slots);
    see(&s, "read(6, \"\"..., 8000) = 8000");
    assert_int_equal(cg_judge_event(s.judge, reads, s.event, s.slots), CG_YES); /* a new attempt */
    end(&s);
    cg_predicate_free(r);
    cg_predicate_free(w);
    cg_predicate_free(each);
}

static void check_picks(void **state)
{
    (void)state;
    static const char *const names[] = { "q" };
    scene s;
    begin(&s, names, 1);
    cg_predicate *p = compiled("q.count == 2 and first(q.fd) == 3 and last(q.fd) == 4 and q.fd == 4 and "
                               "start - last(q.end) < 5s and end - first(q.start) == 3.5s and sum(q.size) == 30B and "
                               "sum(q.arg[0]) == 7 and first(q.arg[1]) == 'ab' and last(q.call) == recvfrom and "
                               "absent(q.errno)",
                               CG_OF_EVENTS, s.scope);
    uint32_t id = add(&s, p);
    see(&s, "1700000010.000000 read(3, \"ab\", 10) = 2 <0.500000>");
    cg_judge_take(s.judge, s.scope, 0, s.event, s.slots, NULL);
    see(&s, "1700000012.000000 recvfrom(4, \"cd\", 20, 0, NULL, NULL) = 2 <0.500000>");
    cg_judge_take(s.judge, s.scope, 0, s.event, s.slots, NULL);
    see(&s, "1700000013.000000 close(4) = 0 <0.500000>");
    assert_int_equal(cg_judge_event(s.judge, id, s.event, s.slots), CG_YES);
    end(&s);
    cg_predicate_free(p);
}

/* A sum of which a part is not known is not known. */
static void check_unknown_sum(void **state)
{
    (void)state;
    static const char *const names[] = { "q" };
    scene s;
    begin(&s, names, 1);
    cg_predicate *p = compiled("sum(q.duration) > 1s", CG_OF_EVENTS, s.scope);
    uint32_t id = add(&s, p);
    see(&s, "close(3) = 0 <2.000000>");
    assert_int_equal(cg_judge_event(s.judge, id, s.event, s.slots), CG_NO);
    cg_judge_take(s.judge, s.scope, 0, s.event, s.slots, NULL);
    assert_int_equal(cg_judge_event(s.judge, id, s.event, s.slots), CG_YES);
    see(&s, "close(3) = 0");
    cg_judge_take(s.judge, s.scope, 0, s.event, s.slots, NULL);
    see(&s, "close(3) = 0 <2.000000>");
    cg_judge_take(s.judge, s.scope, 0, s.event, s.slots, NULL);
    assert_int_equal(cg_judge_event(s.judge, id, s.event, s.slots), CG_UNDECIDED);
    end(&s);
    cg_predicate_free(p);
}

/* `path == each.path` names the group. */
static void check_tie(void **state)
{
    (void)state;
    static const char *const names[] = { "each" };
    scene s;
    begin(&s, names, 1);
    cg_predicate *reset = compiled("class in (open, name) and ok and arg[1] == each.arg[1]", CG_OF_EVENTS, s.scope);
    cg_predicate *other = compiled("class == open or fd == each.fd", CG_OF_EVENTS, s.scope);
    uint32_t id = add(&s, reset);
    int64_t slot = cg_scope_find(s.scope, 0, CG_PICK_LAST, cg_str_z("arg[1]"));
    cg_value value;
    assert_true(cg_predicate_ties(reset, (size_t)slot));
    assert_false(cg_predicate_ties(other, (size_t)cg_scope_find(s.scope, 0, CG_PICK_LAST, cg_str_z("fd"))));
    see(&s, "openat(AT_FDCWD, \"a\\tb\", O_RDONLY) = 3");
    cg_judge_tie(s.judge, id, (size_t)slot, s.event, &value);
    assert_int_equal(value.known, CG_KNOWN);
    assert_true(cg_str_is(value.text, "a\tb"));
    cg_judge_take(s.judge, s.scope, 0, s.event, s.slots, NULL);
    assert_int_equal(cg_judge_event(s.judge, id, s.event, s.slots), CG_YES);
    end(&s);
    cg_predicate_free(reset);
    cg_predicate_free(other);
}

/* Texts of events outlive them when kept, as many as the limits allow. */
static void check_keep(void **state)
{
    (void)state;
    const cg_judge_options options = { .texts = 2, .text_bytes = 8 };
    cg_judge *judge = cg_judge_new(&options);
    char text[] = "abc";
    cg_value value = { .known = CG_KNOWN, .type = CG_TYPE_TEXT, .text = cg_str(text, 3) };
    cg_value again = value;
    cg_value number = { .known = CG_KNOWN, .type = CG_TYPE_NUMBER, .number = 3 };
    cg_judge_keep(judge, &value);
    cg_judge_keep(judge, &again);
    cg_judge_keep(judge, &number);
    assert_ptr_equal(value.text.ptr, again.text.ptr);
    text[0] = 'x';
    assert_true(cg_str_is(value.text, "abc"));
    cg_value second = { .known = CG_KNOWN, .type = CG_TYPE_TEXT, .text = cg_str(text, 3) };
    cg_judge_keep(judge, &second);
    assert_int_equal(second.known, CG_KNOWN);
    cg_value third = { .known = CG_KNOWN, .type = CG_TYPE_TEXT, .text = cg_str_z("d") };
    cg_judge_keep(judge, &third);
    assert_int_equal(third.known, CG_UNKNOWN_VALUE);
    assert_int_equal(cg_judge_counts_of(judge)->texts_kept, 2);
    assert_int_equal(cg_judge_counts_of(judge)->texts_dropped, 1);
    cg_value longer = { .known = CG_KNOWN, .type = CG_TYPE_TEXT, .text = cg_str_z("longer") };
    cg_judge_keep(judge, &longer);
    assert_int_equal(longer.known, CG_UNKNOWN_VALUE);
    cg_judge_free(judge);
}

/* --- values as keys and as text */

struct written {
    const char *text; /* expression */
    const char *line, *written;
};

static struct written writings[] = {
    { "call", "read(3, \"x\", 10) = 1", "read" },
    { "class", "recvfrom(3, \"x\", 10, 0, NULL, NULL) = 1", "read" },
    { "fd", "read(3, \"x\", 10) = 1", "3" },
    { "ok", "read(3, \"x\", 10) = 1", "yes" },
    { "failed", "read(3, \"x\", 10) = 1", "no" },
    { "errno", "read(3, \"x\", 10) = 1", "none" },
    { "path", "open(\"x\", O_RDONLY) = 3", "unknown" },
    { "arg[1]", "read(3, \"x\"..., 10) = 10", "x..." },
    { "duration", "read(3, \"x\", 10) = 1 <0.040000>", "0.04s" },
    { "duration", "read(3, \"x\", 10) = 1 <2.000000>", "2s" },
    { "ret - 2", "read(3, \"x\", 10) = 1", "-1" },
    { "timeout - 1.5s", "poll([{fd=3}], 1, 0) = 0", "-1.5s" },
    { "ret + 0.5", "read(3, \"x\", 10) = 1", "1.5" },
    { "ret == 1", "read(3, \"x\", 10) = 1", "yes" },
    { "fd.kind", "getpid() = 1", "none" },
};

enum { WRITINGS = sizeof writings / sizeof *writings };

static void check_written(void **state)
{
    const struct written *row = *state;
    scene s;
    cg_value value, again;
    cg_buf text;
    cg_buf_init(&text, 100);
    begin(&s, NULL, 0);
    cg_predicate *p = compiled_value(row->text, CG_OF_EVENTS, s.scope);
    uint32_t id = add(&s, p);
    see(&s, row->line);
    cg_judge_value(s.judge, id, s.event, NULL, &value);
    cg_judge_value(s.judge, id, s.event, NULL, &again);
    assert_true(cg_value_same(&value, &again));
    assert_true(cg_value_hash(&value) == cg_value_hash(&again));
    assert_true(cg_value_write(&value, &text));
    assert_true(cg_buf_add_char(&text, '\0'));
    assert_string_equal(text.data, row->written);
    cg_buf_release(&text);
    end(&s);
    cg_predicate_free(p);
}

static void check_same(void **state)
{
    (void)state;
    const cg_value absent = { .known = CG_ABSENT }, unknown = { .known = CG_UNKNOWN_VALUE };
    const cg_value three = { .known = CG_KNOWN, .type = CG_TYPE_NUMBER, .number = 3 };
    const cg_value real = { .known = CG_KNOWN, .type = CG_TYPE_NUMBER, .is_real = true, .real = 3 };
    const cg_value four = { .known = CG_KNOWN, .type = CG_TYPE_NUMBER, .number = 4 };
    const cg_value text = { .known = CG_KNOWN, .type = CG_TYPE_TEXT, .text = cg_str_z("3") };
    const cg_value cut = { .known = CG_KNOWN, .type = CG_TYPE_TEXT, .text = cg_str_z("3"), .cut = true };
    assert_true(cg_value_same(&absent, &absent) && cg_value_same(&unknown, &unknown) && cg_value_same(&three, &real));
    assert_true(cg_value_hash(&three) == cg_value_hash(&real));
    assert_false(cg_value_same(&absent, &unknown) || cg_value_same(&three, &four) || cg_value_same(&three, &text));
    assert_false(cg_value_same(&text, &cut) || cg_value_same(&three, &unknown));
}

static void check_names(void **state)
{
    (void)state;
    assert_null(cg_scope_name_fault(cg_str_z("r")));
    assert_null(cg_scope_name_fault(cg_str_z("query_1")));
    assert_non_null(cg_scope_name_fault(cg_str_z("")));
    assert_non_null(cg_scope_name_fault(cg_str_z("1r")));
    assert_non_null(cg_scope_name_fault(cg_str_z("a.b")));
    assert_string_equal(cg_scope_name_fault(cg_str_z("fd")), "is the name of a field");
    assert_string_equal(cg_scope_name_fault(cg_str_z("peer")), "is the name of a field");
}

/* A step that is not there, a field that is none, what cannot be summed. */
static void check_step_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        uint64_t column;
    } errors[] = {
        { "fd == bb.fd", "unknown step 'bb'; the nearest is 'b'\n", 7 },
        { "fd == b.fx", "unknown field 'b.fx'; the nearest is 'fd'\n", 7 },
        { "1 < sum(b.path)", "'path' cannot be summed\n", 9 },
        { "1 < sum(b.count)", "unknown field 'b.count'\n", 9 },
        { "1 < sum(b.fd + 1)", "')' is expected\n", 14 },
        { "path == first(b.arg)", "which argument? write arg[0], arg[1], ...\n", 15 },
        { "fd == b", "unknown field 'b'\n", 7 },
    };
    const callgauge_str names[] = { cg_str_z("b") };
    cg_scope *scope = cg_scope_new(names, 1);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        cg_predicate *p = NULL;
        callgauge_error err = CALLGAUGE_ERROR_INIT;
        const cg_predicate_source source = source_of(errors[i].text);
        assert_int_equal(cg_predicate_compile(&source, CG_OF_EVENTS, scope, &p, &err), CALLGAUGE_E_USAGE);
        char first[64] = "";
        strncpy(first, err.message, strlen(errors[i].message));
        assert_string_equal(first, errors[i].message);
        assert_int_equal(err.column, errors[i].column);
    }
    cg_scope_free(scope);
}

/* --- the rules that the language must hold as they are */

struct ruled {
    const char *text, *names;
    cg_subject of;
};

static struct ruled ruled[] = {
    { "class == read and bytes > 0 and bytes <= 64KiB and (r.count == 0 or fd == first(r.fd))", "rw", CG_OF_EVENTS },
    { "class == write and fd != first(r.fd) and bytes >= sum(r.bytes) and bytes <= sum(r.bytes) + 4KiB", "rw",
      CG_OF_EVENTS },
    { "class in (seek, wait, fdctl) or call == setsockopt or errno == EAGAIN", "rw", CG_OF_EVENTS },
    { "class == close", "", CG_OF_EVENTS },
    { "class in (stat, access) and ok", "so", CG_OF_EVENTS },
    { "class == open and path == s.path", "so", CG_OF_EVENTS },
    { "path != s.path or absent(path)", "so", CG_OF_EVENTS },
    { "class == write and peer.port == 53 and (q.count == 0 or start - last(q.end) < 5s)", "q", CG_OF_EVENTS },
    { "class in (socket, connect, wait, read, close, ioctl, stat, time) or call == setsockopt", "q", CG_OF_EVENTS },
    { "class in (open, stat, access, readlink, exec) and errno == ENOENT", "", CG_OF_EVENTS },
    { "class == exec and ok", "", CG_OF_EVENTS },
    { "class == write and fd.kind == socket and bytes < 1400", "abc", CG_OF_EVENTS },
    { "class == write and fd == a.fd and bytes < 1400", "abc", CG_OF_EVENTS },
    { "class in (read, wait) and (fd == a.fd or absent(fd)) and end - b.end >= 35ms and end - b.end <= 45ms", "abc",
      CG_OF_EVENTS },
    { "class == wait and duration < 35ms or errno == EAGAIN", "abc", CG_OF_EVENTS },
    { "open_at_end - open_at_start >= 100 and open_at_end > 0.9 * open_peak or emfile > 0", "", CG_OF_PROCESSES },
    { "errors >= 100 and errors * 2 >= calls", "", CG_OF_CALLS },
    { "reads > 1000 and mean_read <= 1024", "", CG_OF_FILES },
    { "max > 100 * p50 and max > 50ms", "", CG_OF_CALLS },
    { "class == open and path endswith '/.htaccess' and errno in (ENOENT, ENOTDIR)", "", CG_OF_EVENTS },
};

enum { RULED = sizeof ruled / sizeof *ruled };

static void check_ruled(void **state)
{
    const struct ruled *row = *state;
    callgauge_str names[4];
    size_t count = strlen(row->names);
    for (size_t i = 0; i < count; i++) {
        names[i] = cg_str(row->names + i, 1);
    }
    cg_scope *scope = cg_scope_new(names, count);
    cg_predicate *p = compiled(row->text, row->of, scope);
    cg_predicate_free(p);
    cg_scope_free(scope);
}

int main(void)
{
    struct CMUnitTest tests[WRITINGS + RULED + 9] = {
        [WRITINGS + RULED] = cmocka_unit_test(check_prev),
        [WRITINGS + RULED + 1] = cmocka_unit_test(check_sequence),
        [WRITINGS + RULED + 2] = cmocka_unit_test(check_picks),
        [WRITINGS + RULED + 3] = cmocka_unit_test(check_unknown_sum),
        [WRITINGS + RULED + 4] = cmocka_unit_test(check_tie),
        [WRITINGS + RULED + 5] = cmocka_unit_test(check_keep),
        [WRITINGS + RULED + 6] = cmocka_unit_test(check_same),
        [WRITINGS + RULED + 7] = cmocka_unit_test(check_names),
        [WRITINGS + RULED + 8] = cmocka_unit_test(check_step_errors),
    };
    for (size_t i = 0; i < WRITINGS; i++) {
        tests[i] =
            (struct CMUnitTest){ .name = writings[i].text, .test_func = check_written, .initial_state = &writings[i] };
    }
    for (size_t i = 0; i < RULED; i++) {
        tests[WRITINGS + i] =
            (struct CMUnitTest){ .name = ruled[i].text, .test_func = check_ruled, .initial_state = &ruled[i] };
    }
    return cmocka_run_group_tests_name("predicate_steps", tests, NULL, NULL);
}

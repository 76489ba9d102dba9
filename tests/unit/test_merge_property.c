/* SPDX-License-Identifier: Apache-2.0 */
/* report/merge, as a property of real reports: of all fixtures, and of the corpus where it is beside the sources, some
 * are drawn and merged at once, in another order, and by a tree that is drawn too, whose parts are sometimes written
 * and read on their way. All must give the same bytes of JSON, percentiles and messages among them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <callgauge/callgauge.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef CG_HAVE_JSON
static const bool has_json = true;
#else
static const bool has_json = false;
#endif

enum { MOST_FILES = 1024, MOST_PATH = 512, MOST_PARTS = 9, ROUNDS = 100, EVERY_OF_CORPUS = 4 };

/* A stream of numbers that is the same in every run. */
static uint64_t drawn(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % below;
}

/* --- JSON in memory */

typedef struct text {
    char *data;
    size_t len, room;
} text;

static int add_text(void *ctx, const char *data, size_t len)
{
    text *to = ctx;
    if (to->room - to->len < len + 1) {
        to->room = 2 * (to->room + len + 1);
        to->data = realloc(to->data, to->room);
        assert_non_null(to->data);
    }
    memcpy(to->data + to->len, data, len);
    to->len += len;
    to->data[to->len] = 0;
    return 0;
}

static text json_of(const callgauge_report *report)
{
    text out = { NULL, 0, 0 };
    const callgauge_output to = { add_text, &out };
    assert_int_equal(callgauge_write(report, "json", NULL, &to, NULL), CALLGAUGE_OK);
    return out;
}

/* --- files */

typedef struct paths {
    char items[MOST_FILES][MOST_PATH];
    size_t count;
} paths;

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void add_folder(const char *root, const char *folder, paths *to)
{
    char name[MOST_PATH];
    snprintf(name, sizeof name, "%s/%s", root, folder);
    DIR *dir = opendir(name);
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        struct stat info;
        size_t room = sizeof to->items[0];
        assert_true(to->count < MOST_FILES);
        int length = snprintf(to->items[to->count], room, "%s/%s", name, entry->d_name);
        bool is_file = length > 0 && (size_t)length < room && stat(to->items[to->count], &info) == 0 &&
                       S_ISREG(info.st_mode) && strstr(entry->d_name, ".md") == NULL;
        to->count += is_file;
    }
    if (dir != NULL) {
        closedir(dir);
    }
}

/* --- reports */

static struct {
    callgauge_report *items[MOST_FILES];
    size_t count;
    callgauge_rules *rules;
} all;

/* Reports of one file are made in several ways, so that parts differ in what they have. */
static void add_report(const char *path, uint64_t *state)
{
    const char *const one[] = { path };
    const uint64_t way = drawn(state, 8);
    const callgauge_analysis_options options = {
        .size = sizeof options,
        .jobs = 1,
        .per_process = way > 0,
        .follow = way > 1,
        .rules = way > 2 ? all.rules : NULL,
        .unit = way == 5   ? CALLGAUGE_UNIT_CALL
                : way == 6 ? CALLGAUGE_UNIT_REQUEST
                           : CALLGAUGE_UNIT_NONE,
        .unit_call = "read",
        .traced = drawn(state, 5) == 0 ? "%open,read" : NULL,
    };
    if (callgauge_analyze_files(one, 1, &options, &all.items[all.count], NULL) == CALLGAUGE_OK) {
        all.count++;
    }
}

static int make_reports(void **state)
{
    static paths files, corpus;
    static const char *const folders[] = { "dialects/strace/good", "dialects/strace/odd", "dialects/truss-solaris/good",
                                           "dialects/truss-solaris/odd" };
    static const char *const captures[] = { "apache", "apps", "blockio", "options", "shell" };
    uint64_t seed = 5;
    (void)state;
    (void)callgauge_rules_load(NULL, &all.rules, NULL); /* a build without libyaml has none */
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        add_folder(CG_FIXTURES, folders[i], &files);
    }
    for (size_t i = 0; i < sizeof captures / sizeof *captures; i++) {
        add_folder(CG_SHARED "/corpus", captures[i], &corpus);
    }
    qsort(files.items, files.count, sizeof *files.items, by_name);
    qsort(corpus.items, corpus.count, sizeof *corpus.items, by_name);
    for (size_t i = 0; i < files.count; i++) {
        add_report(files.items[i], &seed);
    }
    for (size_t i = 0; i < corpus.count; i += EVERY_OF_CORPUS) {
        add_report(corpus.items[i], &seed);
    }
    return all.count > 2 * MOST_PARTS ? 0 : -1;
}

static int free_reports(void **state)
{
    (void)state;
    for (size_t i = 0; i < all.count; i++) {
        callgauge_report_free(all.items[i]);
    }
    callgauge_rules_free(all.rules);
    return 0;
}

/* --- merging */

static callgauge_report *merged(const callgauge_report *const *in, size_t n)
{
    callgauge_report *out;
    assert_int_equal(callgauge_report_merge(in, n, &out, NULL), CALLGAUGE_OK);
    return out;
}

/* A report by way of a file. */
static callgauge_report *reread(callgauge_report *report)
{
    callgauge_report *again;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    text json = json_of(report);
    if (callgauge_report_read("part", json.data, json.len, &again, &err) != CALLGAUGE_OK) {
        fail_msg("%s", err.message);
    }
    callgauge_report_free(report);
    free(json.data);
    return again;
}

static void shuffle(const callgauge_report **parts, size_t n, uint64_t *state)
{
    for (size_t i = n; i > 1; i--) {
        size_t k = (size_t)drawn(state, i);
        const callgauge_report *moved = parts[i - 1];
        parts[i - 1] = parts[k];
        parts[k] = moved;
    }
}

/* By a tree that is drawn: neighbours, of which there are one or more, become one, until one is left. */
static callgauge_report *merge_by_tree(const callgauge_report *const *in, size_t n, uint64_t *state)
{
    callgauge_report *rows[MOST_PARTS];
    for (size_t i = 0; i < n; i++) {
        rows[i] = merged(&in[i], 1);
    }
    while (n > 1) {
        size_t at = (size_t)drawn(state, n - 1), most = n - at;
        size_t count = 2 + (size_t)drawn(state, most - 1);
        callgauge_report *sum = merged((const callgauge_report *const *)&rows[at], count);
        for (size_t i = 0; i < count; i++) {
            callgauge_report_free(rows[at + i]);
        }
        rows[at] = has_json && drawn(state, 2) == 0 ? reread(sum) : sum;
        memmove(&rows[at + 1], &rows[at + count], (n - at - count) * sizeof *rows);
        n -= count - 1;
    }
    return rows[0];
}

static void check_same(const text *wanted, callgauge_report *report, uint64_t round)
{
    text got = json_of(report);
    callgauge_report_free(report);
    if (wanted->len != got.len || memcmp(wanted->data, got.data, got.len) != 0) {
        size_t at = 0;
        while (wanted->data[at] == got.data[at]) {
            at++;
        }
        size_t from = at < 60 ? 0 : at - 60;
        fail_msg("round %u, byte %zu: %.160s\n   instead of %.160s", (unsigned)round, at, got.data + from,
                 wanted->data + from);
    }
    free(got.data);
}

static void check_groupings_and_orders(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        uint64_t seed = round;
        const callgauge_report *parts[MOST_PARTS];
        size_t n = 2 + (size_t)drawn(&seed, MOST_PARTS - 1);
        for (size_t i = 0; i < n; i++) {
            parts[i] = all.items[drawn(&seed, all.count)]; /* the same one may come twice */
        }
        callgauge_report *sum = merged(parts, n);
        text wanted = json_of(sum);
        callgauge_report_free(sum);
        check_same(&wanted, merge_by_tree(parts, n, &seed), round);
        shuffle(parts, n, &seed);
        check_same(&wanted, merged(parts, n), round);
        check_same(&wanted, merge_by_tree(parts, n, &seed), round);
        free(wanted.data);
    }
}

/* A merge of one changes nothing, nor does a file. */
static void check_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < all.count; i++) {
        text wanted = json_of(all.items[i]);
        callgauge_report *copy = merged((const callgauge_report *const *)&all.items[i], 1);
        check_same(&wanted, has_json ? reread(copy) : copy, i);
        free(wanted.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(check_groupings_and_orders), cmocka_unit_test(check_alone) };
    return cmocka_run_group_tests(tests, make_reports, free_reports);
}

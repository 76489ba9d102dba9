/* SPDX-License-Identifier: Apache-2.0 */
/* compare, on drawn sides: whatever the order of the reports the same bytes come out, and with the sides swapped each
 * amount that was better is worse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "comparing.h"
#include "followed.h"

enum { ROUNDS = 60, MOST_REPORTS = 7, MOST_LINES = 40, ROOM = MOST_LINES * 128 };

static const char *const lines[] = {
    "openat(AT_FDCWD, \"/etc/hosts\", O_RDONLY) = 3 <0.000100>\n",
    "openat(AT_FDCWD, \"/tmp/aB3xY9\", O_RDONLY) = 3 <0.030000>\n",
    "openat(AT_FDCWD, \"/srv/.htaccess\", O_RDONLY) = -1 ENOENT (No such file or directory) <0.000010>\n",
    "openat(AT_FDCWD, \"/f/.htaccess\", O_RDONLY) = -1 ENOTDIR (Not a directory) <0.000010>\n",
    "read(3, \"abcd\", 8) = 4 <0.020000>\n",
    "read(3, 0x7ffc, 8) = -1 EAGAIN (Resource temporarily unavailable) <0.050000>\n",
    "pread64(3, \"abcd\", 8, 0) = 4 <0.010000>\n",
    "stat(\"/etc\", {st_mode=S_IFDIR|0755, st_size=4096, ...}) = 0 <0.000010>\n",
    "newfstatat(AT_FDCWD, \"/etc\", {st_mode=S_IFDIR|0755, st_size=4096, ...}, 0) = 0 <0.000010>\n",
    "close(3) = 0 <0.000010>\n",
};

/* A report that has two lines at least, so that it is told what it is. */
static callgauge_report *drawn_capture(draw *from, const char *name, uint64_t units)
{
    char text[ROOM] = "openat(AT_FDCWD, \"/etc/hosts\", O_RDONLY) = 3 <0.000100>\nclose(3) = 0 <0.000010>\n";
    uint64_t count = drawn(from, MOST_LINES - 4);
    for (uint64_t i = 0; i < count; i++) {
        strcat(text, lines[drawn(from, sizeof lines / sizeof *lines)]);
    }
    return units > 0 ? report_of_units(name, text, units) : report_of(name, text);
}

typedef struct side {
    callgauge_report *reports[MOST_REPORTS];
    size_t count;
} side;

/* All captures of a side have one name, so that it is their contents that put them in order. */
static side drawn_side(draw *from, bool with_units)
{
    side out = { .count = 1 + (size_t)drawn(from, MOST_REPORTS) };
    for (size_t i = 0; i < out.count; i++) {
        out.reports[i] = drawn_capture(from, "capture", with_units ? 1 + drawn(from, 3) : 0);
    }
    return out;
}

static void shuffle(draw *from, side *of)
{
    for (size_t i = of->count; i > 1; i--) {
        size_t other = (size_t)drawn(from, i);
        callgauge_report *kept = of->reports[other];
        of->reports[other] = of->reports[i - 1];
        of->reports[i - 1] = kept;
    }
}

static void write_all(const callgauge_comparison *comparison, caught *into)
{
    callgauge_output to = { catch_output, into };
    into->len = 0;
    into->answer = 0;
    assert_int_equal(callgauge_write_comparison(comparison, "json", NULL, &to, NULL), CALLGAUGE_OK);
}

static callgauge_verdict mirror(callgauge_verdict verdict)
{
    return verdict == CALLGAUGE_VERDICT_REGRESSION ? CALLGAUGE_VERDICT_IMPROVED
           : verdict == CALLGAUGE_VERDICT_IMPROVED ? CALLGAUGE_VERDICT_REGRESSION
                                                   : verdict;
}

static void check_mirrored(const callgauge_comparison *one, const callgauge_comparison *swapped)
{
    assert_int_equal(callgauge_comparison_call_count(one), callgauge_comparison_call_count(swapped));
    for (size_t i = 0; i < callgauge_comparison_call_count(one); i++) {
        const callgauge_compare_row *row = callgauge_comparison_call(one, i);
        char name[64] = "";
        memcpy(name, row->name.ptr, row->name.len);
        const callgauge_compare_row *other = call_row(swapped, name);
        assert_non_null(other);
        for (size_t m = 0; m < CALLGAUGE_MEASURE_COUNT; m++) {
            const callgauge_amount *a = &row->amounts[m], *b = &other->amounts[m];
            assert_int_equal(a->judged, b->judged);
            assert_int_equal(a->verdict, mirror(b->verdict));
            assert_int_equal(a->before.value, b->after.value);
            assert_true(a->p == b->p);
        }
    }
}

static void check_drawn(void **state)
{
    static caught first, other;
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        draw from = { round };
        side before = drawn_side(&from, round % 2 == 1), after = drawn_side(&from, round % 2 == 1);
        callgauge_comparison *one = compare_all(before.reports, before.count, after.reports, after.count, NULL);
        callgauge_comparison *swapped = compare_all(after.reports, after.count, before.reports, before.count, NULL);
        check_mirrored(one, swapped);
        write_all(one, &first);
        shuffle(&from, &before);
        shuffle(&from, &after);
        callgauge_comparison *turned = compare_all(before.reports, before.count, after.reports, after.count, NULL);
        write_all(turned, &other);
        assert_string_equal(first.text, other.text);
        callgauge_comparison_free(one);
        callgauge_comparison_free(swapped);
        callgauge_comparison_free(turned);
        for (size_t i = 0; i < before.count || i < after.count; i++) {
            callgauge_report_free(i < before.count ? before.reports[i] : NULL);
            callgauge_report_free(i < after.count ? after.reports[i] : NULL);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(check_drawn) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The captures of fixtures/dialects/truss-solaris through the reader: the numbers of truth.tsv, with the
 * fast form and without it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/str.h"
#include "reader/reader.h"

enum { MOST = 64, COLUMNS = 16, NUMBERS = COLUMNS - 2, LINE = 512 };

struct row {
    char text[LINE]; /* cut at the TABs */
    const char *columns[COLUMNS];
};

static struct row rows[MOST];

static bool split(struct row *row)
{
    size_t count = 0;
    for (char *at = row->text; at != NULL && count < COLUMNS; count++) {
        char *tab = strpbrk(at, "\t\n");
        row->columns[count] = at;
        if (tab != NULL) {
            *tab++ = '\0';
        }
        at = tab;
    }
    return count == COLUMNS;
}

static size_t read_truth(void)
{
    FILE *file = fopen(CG_FIXTURES "/dialects/truss-solaris/truth.tsv", "r");
    size_t count = 0;
    char heading[LINE];
    if (file == NULL || fgets(heading, sizeof heading, file) == NULL) {
        return 0;
    }
    while (count < MOST && fgets(rows[count].text, LINE, file) != NULL && split(&rows[count])) {
        count++;
    }
    fclose(file);
    return count;
}

static void add_event(const callgauge_event *event, uint64_t numbers[NUMBERS])
{
    bool unreturned = (event->flags & CALLGAUGE_CALL_UNRETURNED) != 0;
    bool child = (event->flags & CALLGAUGE_CALL_CHILD) != 0;
    bool call = event->kind == CALLGAUGE_EVENT_CALL,
         of_call = event->row != NULL && event->row->of == CALLGAUGE_ROW_OF_CALL;
    numbers[0] += call && !unreturned && !child;
    numbers[1] += call && event->error != NULL;
    numbers[2] += call && unreturned;
    numbers[3] += event->kind == CALLGAUGE_EVENT_SIGNAL;
    numbers[4] += event->kind == CALLGAUGE_EVENT_FAULT;
    numbers[5] += event->kind == CALLGAUGE_EVENT_LIBRARY_CALL;
    if (event->kind == CALLGAUGE_EVENT_COUNT_ROW && of_call) {
        numbers[6] += event->row->calls;
        numbers[7] += event->row->errors;
    }
}

static bool read_capture(const char *path, bool strict_only, uint64_t numbers[NUMBERS])
{
    callgauge_reader *reader;
    const callgauge_event *event;
    callgauge_status st;
    memset(numbers, 0, NUMBERS * sizeof *numbers);
    assert_int_equal(callgauge_reader_open(path, NULL, &reader, NULL), CALLGAUGE_OK);
    cg_reader_strict_only(reader, strict_only);
    while ((st = callgauge_reader_next(reader, &event, NULL)) == CALLGAUGE_OK) {
        add_event(event, numbers);
    }
    const callgauge_capture *capture = callgauge_reader_capture(reader);
    const uint64_t lines[] = { capture->event_lines,  capture->continuation_lines, capture->table_lines,
                               capture->notice_lines, capture->foreign_lines,      capture->unread_lines };
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        numbers[NUMBERS - 6 + i] = lines[i];
        sum += lines[i];
    }
    assert_true(sum == capture->lines);
    assert_true(st != CALLGAUGE_END || cg_str_is(cg_str_z(capture->dialect), "truss-solaris"));
    callgauge_reader_free(reader);
    return st == CALLGAUGE_END;
}

static void check_row(void **state)
{
    const struct row *row = *state;
    char path[LINE];
    uint64_t numbers[NUMBERS];
    snprintf(path, sizeof path, "%s/dialects/truss-solaris/%s", CG_FIXTURES, row->columns[0]);
    for (int strict_only = 0; strict_only <= 1; strict_only++) {
        bool read = read_capture(path, strict_only != 0, numbers);
        assert_string_equal(read ? "read" : "refused", row->columns[1]);
        for (size_t i = 0; i < NUMBERS; i++) {
            assert_int_equal(numbers[i], strtoull(row->columns[i + 2], NULL, 10));
        }
    }
}

static void check_truth(void **state)
{
    (void)state;
    assert_true(rows[0].columns[0] != NULL);
}

int main(void)
{
    struct CMUnitTest tests[MOST + 1] = { cmocka_unit_test(check_truth) };
    size_t count = read_truth();
    for (size_t i = 0; i < count; i++) {
        tests[i + 1] =
            (struct CMUnitTest){ .name = rows[i].columns[0], .test_func = check_row, .initial_state = &rows[i] };
    }
    return _cmocka_run_group_tests("truss_captures", tests, count + 1, NULL, NULL);
}
